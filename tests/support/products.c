#include "support/products.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

sinter_context_options products_options(sinter_mode mode, uint32_t from)
{
    sinter_context_options o = SINTER_CONTEXT_OPTIONS_INIT;
    sinter_profile *p = NULL;
    static test_text text;
    char lines[96];
    text.bytes = 0;
    OK(sinter_profile_open(NULL, &p));
    OK(sinter_profile_reset(p));
    OK(sinter_profile_write(p, test_text_add, &text));
    (void)snprintf(lines, sizeof lines, "clblast_f32 = %u\nclblast_f64 = %u\n", (unsigned)from,
                   (unsigned)from);
    if (from > 0)
        test_text_add(&text, lines, strlen(lines));
    OK(sinter_profile_parse(p, text.data, text.bytes));
    o.mode = mode;
    o.profile = p;
    return o;
}

bool products_has_f64(void)
{
    test_device d = test_open(NULL);
    sinter_device_info info = SINTER_DEVICE_INFO_INIT;
    OK(sinter_context_device(d.ctx, &info));
    test_close(&d);
    return info.has_f64 != 0;
}

static sinter_tensor make_input(const test_device *d, char letter)
{
    static const struct {
        char letter;
        int rank;
        int64_t shape[3];
    } kinds[] = {{'a', 2, {96, 128}},   {'b', 2, {128, 64}}, {'e', 3, {3, 64, 96}},
                 {'g', 3, {3, 96, 64}}, {'n', 2, {144, 80}}, {'p', 2, {80, 80}}};
    static float data[PRODUCTS_ROOM];
    for (size_t i = 0; i < PRODUCTS_ROOM; i++)
        data[i] = (float)((i * 7919 + (size_t)letter * 104729) % 2003) / 1001.5F - 1;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (kinds[i].letter == letter)
            return test_floats(d, kinds[i].rank, kinds[i].shape, data);
    }
    fail_msg("no input begins like '%c'", letter);
    return (sinter_tensor){0};
}

products_run products_open(const char *program, const sinter_context_options *options)
{
    products_run run = {.d = test_open(options)};
    OK(sinter_program_parse(program, strlen(program), &run.program, NULL));
    run.input_count = sinter_program_input_count(run.program);
    run.result_count = sinter_program_result_count(run.program);
    assert_true(run.input_count <= 8 && run.result_count <= 8);
    for (size_t i = 0; i < run.input_count; i++)
        run.inputs[i] = make_input(&run.d, sinter_program_input_name(run.program, i)[0]);
    OK(sinter_stream_sync(run.d.s));
    return run;
}

static void drop_results(products_run *run)
{
    for (size_t i = 0; i < run->result_count; i++) {
        test_release(&run->d, run->results[i]);
        run->results[i] = (sinter_tensor){0};
    }
}

void products_again(products_run *run)
{
    drop_results(run);
    OK(sinter_program_run(run->program, run->d.s, run->inputs, run->results, NULL));
    OK(sinter_stream_sync(run->d.s));
}

void products_read(products_run *run, products_outcome *out)
{
    out->count = 0;
    out->stats = test_stats(&run->d);
    for (size_t i = 0; i < run->result_count; i++) {
        out->count += test_read_numbers(&run->d, run->results[i], out->values + out->count,
                                        PRODUCTS_ROOM - out->count);
    }
}

void products_close(products_run *run)
{
    drop_results(run);
    for (size_t i = 0; i < run->input_count; i++)
        test_release(&run->d, run->inputs[i]);
    sinter_program_destroy(run->program);
    test_close(&run->d);
}

void products_once(const char *program, const sinter_context_options *options,
                   products_outcome *out)
{
    products_run run = products_open(program, options);
    test_report_begin(&run.d);
    products_again(&run);
    (void)snprintf(out->report, sizeof out->report, "%s", test_report(&run.d));
    products_read(&run, out);
    products_close(&run);
}

void products_assert_same(const products_outcome *a, const products_outcome *b)
{
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->values, b->values, a->count * sizeof *a->values);
}

void products_assert_near(const products_outcome *a, const products_outcome *b, float tolerance)
{
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++)
        assert_true(fabsf(a->values[i] - b->values[i]) <= tolerance);
}
