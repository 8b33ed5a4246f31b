/* The random programs of `sinter selftest`: every operation is among them, their text means what
 * they mean, and shrinking and saving lose nothing of a fault. */
#include "support/support.h"

#include "tools/npy.h"
#include "tools/selftest/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const st_limits limits = {.f64 = true, .steps = 10, .elements = 500};

static test_device open_host(void)
{
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.device = "host";
    options.log_fn = test_log;
    return test_open(&options);
}

static st_way way_of(test_device *d)
{
    return (st_way){.ctx = d->ctx, .streams = &d->s, .stream_count = 1};
}

static void every_operation_is_generated(void **state)
{
    (void)state;
    static const char *const names[] = {
#define SINTER_OP(id, number, name, ...) #name,
#include "core/ops.def"
#undef SINTER_OP
    };
    int missing = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        bool found = false;
        for (size_t k = 0; k < st_op_count; k++)
            found = found || strcmp(st_ops[k].name, names[i]) == 0;
        if (!found)
            print_error("%s is in no random program\n", names[i]);
        missing += !found;
    }
    assert_int_equal(missing, 0);
}

/* The text of a program, as the language reads it. */
static sinter_program *parse(const st_program *p)
{
    char *text = NULL;
    size_t bytes = 0;
    sinter_program *parsed;
    sinter_program_place place;
    FILE *to = open_memstream(&text, &bytes);
    assert_non_null(to);
    st_print(p, to);
    assert_int_equal(fclose(to), 0);
    if (sinter_program_parse(text, bytes, &parsed, &place) != SINTER_OK)
        fail_msg("%s, line %u of\n%s", sinter_last_error(), place.line, text);
    free(text);
    return parsed;
}

static void run_text(const test_device *d, const st_program *p, st_results *out)
{
    sinter_tensor inputs[ST_MAX_INPUTS];
    sinter_tensor results[ST_MAX_STEPS];
    sinter_program_place place;
    sinter_program *parsed = parse(p);
    assert_int_equal(sinter_program_input_count(parsed), p->input_count);
    assert_int_equal(sinter_program_result_count(parsed), p->step_count);
    for (int i = 0; i < p->input_count; i++)
        OK(sinter_tensor_from_host(d->s, p->inputs[i].dtype, p->inputs[i].rank, p->inputs[i].shape,
                                   p->inputs[i].data, &inputs[i]));
    OK(sinter_program_run(parsed, d->s, inputs, results, &place));
    out->count = 0;
    for (int i = 0; i < p->step_count; i++) {
        sinter_tensor_desc got;
        OK(sinter_tensor_describe(d->ctx, results[i], &got));
        if (p->steps[i].is_output) {
            size_t bytes = sinter_dtype_bytes(got.dtype);
            for (int k = 0; k < got.rank; k++)
                bytes *= (size_t)got.shape[k];
            out->dtype[out->count] = got.dtype;
            out->bytes[out->count] = bytes;
            out->data[out->count] = malloc(bytes + 1);
            assert_non_null(out->data[out->count]);
            OK(sinter_tensor_read(d->s, results[i], out->data[out->count++], bytes));
        }
        test_release(d, results[i]);
    }
    for (int i = 0; i < p->input_count; i++)
        test_release(d, inputs[i]);
    sinter_program_destroy(parsed);
}

static void the_text_of_a_program_gives_the_bits_of_its_calls(void **state)
{
    (void)state;
    test_device d = open_host();
    const st_way way = way_of(&d);
    for (uint64_t seed = 1; seed <= 400; seed++) {
        static st_program p;
        st_results called = {.count = 0};
        st_results written = {.count = 0};
        int output;
        size_t element;
        assert_true(st_generate(&p, seed, &limits, d.s, d.ctx));
        OK(st_run(&p, 1, &way, &called));
        run_text(&d, &p, &written);
        if (st_differ(&called, &written, &output, &element)) {
            st_print(&p, stderr);
            fail_msg("seed %llu: output %d, element %zu", (unsigned long long)seed, output,
                     element);
        }
        st_results_free(&called);
        st_results_free(&written);
        st_free(&p);
    }
    test_close(&d);
}

/* A fault that is there whenever a tanh is among the operations that an output needs. */
static bool has_tanh(void *user, const st_program *p)
{
    int *calls = user;
    *calls += 1;
    for (int i = 0; i < p->step_count; i++) {
        if (strcmp(p->steps[i].op->name, "tanh") == 0)
            return true;
    }
    return false;
}

static void a_fault_of_one_operation_shrinks_to_that_operation(void **state)
{
    (void)state;
    test_device d = open_host();
    const st_way way = way_of(&d);
    int found = 0;
    for (uint64_t seed = 1; found < 10 && seed < 2000; seed++) {
        static st_program p;
        int calls = 0;
        assert_true(st_generate(&p, seed, &limits, d.s, d.ctx));
        if (p.step_count > 3 && has_tanh(&calls, &p)) {
            st_shrink(&p, has_tanh, &calls, &way);
            assert_int_equal(p.step_count, 1);
            assert_string_equal(p.steps[0].op->name, "tanh");
            assert_true(p.steps[0].is_output);
            assert_int_equal(p.input_count, 1);
            found++;
        }
        st_free(&p);
    }
    assert_int_equal(found, 10);
    test_close(&d);
}

static void a_saved_program_has_its_inputs_beside_it(void **state)
{
    (void)state;
    test_device d = open_host();
    static st_program p;
    char folder[] = "/tmp/sinter_selftest_XXXXXX";
    char path[128];
    char error[NPY_ERROR];
    assert_non_null(mkdtemp(folder));
    assert_true(st_generate(&p, 7, &limits, d.s, d.ctx));
    assert_true(st_save(&p, folder));
    for (int i = 0; i < p.input_count; i++) {
        npy_array a;
        (void)snprintf(path, sizeof path, "%s/seed-7-x%d.npy", folder, i);
        if (!npy_read(path, &a, error))
            fail_msg("%s", error);
        assert_int_equal(a.dtype, p.inputs[i].dtype);
        assert_int_equal(a.rank, p.inputs[i].rank);
        assert_int_equal(a.bytes, p.inputs[i].bytes);
        assert_memory_equal(a.data, p.inputs[i].data, a.bytes);
        npy_free(&a);
        assert_int_equal(unlink(path), 0);
    }
    (void)snprintf(path, sizeof path, "%s/seed-7.snt", folder);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
    assert_false(st_save(&p, folder));
    st_free(&p);
    test_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_operation_is_generated),
        cmocka_unit_test(the_text_of_a_program_gives_the_bits_of_its_calls),
        cmocka_unit_test(a_fault_of_one_operation_shrinks_to_that_operation),
        cmocka_unit_test(a_saved_program_has_its_inputs_beside_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
