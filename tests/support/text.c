#include "support/text.h"

#include <string.h>

static sinter_tensor make_input(const test_device *d, const char *name)
{
    static const struct {
        char letter;
        int rank;
        int64_t shape[2];
    } kinds[] = {{'x', 2, {12, 20}}, {'t', 2, {20, 12}}, {'r', 1, {20}},   {'c', 2, {12, 1}},
                 {'m', 2, {20, 8}},  {'s', 0, {0}},      {'o', 2, {9, 5}}, {'h', 2, {6, 20}}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (kinds[i].letter == name[0])
            return test_floats(d, kinds[i].rank, kinds[i].shape, NULL);
    }
    fail_msg("no input begins like '%s'", name);
    return (sinter_tensor){0};
}

text_run text_open(const test_device *d, const char *text)
{
    text_run run = {0};
    OK(sinter_program_parse(text, strlen(text), &run.program, NULL));
    run.input_count = sinter_program_input_count(run.program);
    run.result_count = sinter_program_result_count(run.program);
    assert_true(run.input_count <= TEXT_MOST && run.result_count <= TEXT_MOST);
    for (size_t i = 0; i < run.input_count; i++)
        run.inputs[i] = make_input(d, sinter_program_input_name(run.program, i));
    return run;
}

static void drop_results(const test_device *d, text_run *run)
{
    for (size_t i = 0; i < run->result_count; i++) {
        test_release(d, run->results[i]);
        run->results[i] = (sinter_tensor){0};
    }
}

void text_queue(const test_device *d, text_run *run)
{
    drop_results(d, run);
    OK(sinter_program_run(run->program, d->s, run->inputs, run->results, NULL));
}

size_t text_read(const test_device *d, const text_run *run, float *out, size_t room)
{
    size_t count = 0;
    for (size_t i = 0; i < run->result_count; i++) {
        count += test_read_numbers(d, run->results[i], out + count, room - count);
    }
    return count;
}

void text_close(const test_device *d, text_run *run)
{
    drop_results(d, run);
    for (size_t i = 0; i < run->input_count; i++)
        test_release(d, run->inputs[i]);
    sinter_program_destroy(run->program);
    *run = (text_run){0};
}
