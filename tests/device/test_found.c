/* Programs that random campaigns have found wrong once, made small: on the device under test they
 * give the bits of the host reference device, where nothing is fused. */
#include "support/same.h"
#include "support/support.h"

/* The reciprocal of an extent of 0 was an argument; a workspace of no bytes has no memory. */
static void a_sum_over_no_elements_of_two_axes(void **state)
{
    (void)state;
    test_same_as_host(
        "x = full((2, 65, 1), 1, dtype='i32'); y = max(lt(0, x[:, :, 1:0:-2]), axis=()); "
        "z = sum(y, axis=(0, 2))");
}

/* The host rounded to bf16, the device cut off. */
static void uniform_numbers_in_a_narrow_dtype(void **state)
{
    (void)state;
    test_same_as_host(
        "y = random_uniform((5,), seed=16769828618233, offset=131014286079, dtype='bf16')");
    test_same_as_host("y = random_uniform((64,), seed=1, dtype='f16')");
}

/* Where a view of generated numbers starts was forgotten in kernels. */
static void views_of_generated_numbers(void **state)
{
    (void)state;
    test_same_as_host(
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
    test_same_as_host("b = full((33,), 1, dtype='bool'); y = cast(bit_xor(b, b), 'f32') * -0.5; "
                      "z = cast(lt(b, b), 'f16') * -0.5; i = full((33,), 7, dtype='i64'); "
                      "w = cast(i - i, 'f32') * -0.5; v = cast(bit_xor(b, b), 'f32') + -0.0");
    test_same_as_host(
        "i = full((33,), 7, dtype='i32'); y = elu(rms_norm(i - i, 0, eps=0.001), -0.5)");
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
