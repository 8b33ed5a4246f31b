/* Programs that random campaigns have found wrong once, made small: on the device under test they
 * give the bits of the host reference device, where nothing is fused. */
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_RESULTS = 16, MAX_BYTES = 1 << 16 };

typedef struct results {
    int count;
    size_t bytes[MAX_RESULTS];
    char data[MAX_RESULTS][MAX_BYTES];
} results;

static void run(const test_device *d, const char *text, results *out)
{
    sinter_program *program;
    sinter_program_place place;
    sinter_tensor made[MAX_RESULTS];
    OK(sinter_program_parse(text, strlen(text), &program, &place));
    out->count = (int)sinter_program_result_count(program);
    assert_true(out->count <= MAX_RESULTS);
    OK(sinter_program_run(program, d->s, NULL, made, &place));
    for (int i = 0; i < out->count; i++) {
        sinter_tensor_desc desc;
        OK(sinter_tensor_describe(d->ctx, made[i], &desc));
        out->bytes[i] = sinter_dtype_bytes(desc.dtype);
        for (int k = 0; k < desc.rank; k++)
            out->bytes[i] *= (size_t)desc.shape[k];
        assert_true(out->bytes[i] <= MAX_BYTES);
        if (sinter_program_result_is_last(program, (size_t)i))
            OK(sinter_tensor_read(d->s, made[i], out->data[i], out->bytes[i]));
        test_release(d, made[i]);
    }
    sinter_program_destroy(program);
}

static void check(const char *text)
{
    static results expected;
    static results got;
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.device = "host";
    options.switches = SINTER_NO_FUSE;
    test_device host = test_open(&options);
    test_device device = test_open(NULL);
    run(&host, text, &expected);
    run(&device, text, &got);
    assert_int_equal(test_stats(&device).fallbacks, 0);
    assert_int_equal(expected.count, got.count);
    for (int i = 0; i < got.count; i++) {
        assert_int_equal(expected.bytes[i], got.bytes[i]);
        assert_memory_equal(expected.data[i], got.data[i], got.bytes[i]);
    }
    test_close(&host);
    test_close(&device);
}

/* The reciprocal of an extent of 0 was an argument; a workspace of no bytes has no memory. */
static void a_sum_over_no_elements_of_two_axes(void **state)
{
    (void)state;
    check("x = full((2, 65, 1), 1, dtype='i32'); y = max(lt(0, x[:, :, 1:0:-2]), axis=()); "
          "z = sum(y, axis=(0, 2))");
}

/* The host rounded to bf16, the device cut off. */
static void uniform_numbers_in_a_narrow_dtype(void **state)
{
    (void)state;
    check("y = random_uniform((5,), seed=16769828618233, offset=131014286079, dtype='bf16')");
    check("y = random_uniform((64,), seed=1, dtype='f16')");
}

/* Where a view of generated numbers starts was forgotten in kernels. */
static void views_of_generated_numbers(void **state)
{
    (void)state;
    check(
        "a = arange(0, 10, 1)[3:]; b = arange(0, 6, 1)[::-1]; c = sum(arange(0, 10, 1)[3:]); "
        "d = reshape(arange(0, 12, 1), (3, 4))[1:, 2:] + 0; e = random_uniform((8,), seed=1)[4:]; "
        "f = random_normal((8,), seed=1)[::-1]; "
        "g = sum(reshape(arange(0, 120, 1), (3, 40))[1:, 2:], axis=0); "
        "h = transpose(reshape(arange(0, 12, 1), (3, 4)))[2:, :] * 2");
}

/* A compiler that found integers to be 0 in every element took a product with their float for +0. */
static void zeros_that_are_known(void **state)
{
    (void)state;
    check("b = full((33,), 1, dtype='bool'); y = cast(bit_xor(b, b), 'f32') * -0.5; "
          "z = cast(lt(b, b), 'f16') * -0.5; i = full((33,), 7, dtype='i64'); "
          "w = cast(i - i, 'f32') * -0.5; v = cast(bit_xor(b, b), 'f32') + -0.0");
    check("i = full((33,), 7, dtype='i32'); y = elu(rms_norm(i - i, 0, eps=0.001), -0.5)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zeros_that_are_known),
        cmocka_unit_test(views_of_generated_numbers),
        cmocka_unit_test(uniform_numbers_in_a_narrow_dtype),
        cmocka_unit_test(a_sum_over_no_elements_of_two_axes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
