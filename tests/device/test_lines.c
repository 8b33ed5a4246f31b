/* A line along several axes: what is reduced over axes that do not lie side by side, and elementwise kernels of short
 * rows. Where the innermost of them is so many vectors, each lies in one run of it and none is gathered; where it is
 * longer than a vector, one of two pieces is. Backwards along it the same. */
#include "support/same.h"
#include "support/text.h"

#include <stdio.h>
#include <string.h>

/* Extents of the innermost axis: shorter than a vector; longer than any, so that two runs meet in some; so many of any
 * width, and of all that hold the partials of a row. */
static const int inner[] = {3, 17, 64};

/* `#` is the extent. */
static void each_form(const char *form)
{
    for (size_t i = 0; i < sizeof inner / sizeof inner[0]; i++) {
        test_text text = {0};
        char extent[8];
        int digits = snprintf(extent, sizeof extent, "%d", inner[i]);
        for (const char *at = form; *at != '\0'; at++)
            test_text_add(&text, *at == '#' ? extent : at, *at == '#' ? (size_t)digits : 1);
        test_same_as_host(text.data);
    }
}

static void planes_are_reduced(void **state)
{
    (void)state;
    each_form("x = random_uniform((7, 5, #), seed=3); cut; a = sum(x, (0, 2)); b = var(x, (0, 2)); "
              "c = argmax(x, (0, 2)); d = prod(x, (0, 2)); "
              "e = max(cast(x * 200, 'u8'), (0, 2)); f = mean(cast(x, 'f16'), (0, 2))");
    test_same_as_host(
        "x = random_uniform((7, 5, 48), seed=3); cut; a = sum(x, (0, 2)); b = x / norm(x, "
        "(0, 2), keepdims=1)");
}

/* The first and the last of a vector's elements lie as far apart as in one piece, those between in another order. */
static void a_vector_of_many_pieces(void **state)
{
    (void)state;
    test_same_as_host(
        "x = random_uniform((5, 2, 4, 2), seed=8); cut; y = transpose(x, (0, 2, 1, 3)); "
        "a = argmax(y, (1, 2, 3)); b = argmin(y, (1, 2, 3))");
    test_same_as_host(
        "x = random_uniform((5, 2, 2, 2), seed=8); cut; y = transpose(x, (0, 2, 1, 3)); "
        "a = argmax(y, (1, 2, 3)); b = argmin(y, (1, 2, 3))");
}

/* Results of a line, and operands that do not vary along the innermost axis, or in steps. */
static void planes_are_written(void **state)
{
    (void)state;
    each_form(
        "x = random_uniform((7, 5, #), seed=4); m = random_uniform((7, 1, 1), seed=5); cut; "
        "a = (x - mean(x, (0, 2), keepdims=1)) * m; b = softmax(x * m, (0, 2)); "
        "c = sum(x[:, :, ::3] * m, (0, 2)); d = x[:, ::2] / norm(x[:, ::2], (0, 2), keepdims=1)");
}

static void backwards(void **state)
{
    (void)state;
    each_form("x = random_uniform((7, 5, #), seed=6); m = random_uniform((7, 1, 1), seed=5); cut; "
              "y = x[:, :, ::-1]; a = y + 1; b = y * x; c = sum(y * m, (0, 2)); d = cumsum(y, 2); "
              "e = softmax(y, 2); f = softmax(y, (0, 2)); g = cast(y, 'f16') * 2; "
              "h = y[:, 0] @ transpose(x[:, 1]); k = y[0] @ transpose(y[1]); "
              "l = update(x * 1, x * 3, 2, step=-1)");
}

/* Every second, third and fourth element are picked from whole vectors, none behind the last one. */
static void steps_of_a_few_elements(void **state)
{
    (void)state;
    test_same_as_host(
        "x = random_uniform((5, 211), seed=9) * 100; cut; a = x[:, ::2] * 2; b = x[:, 1::3] * 2; "
        "c = x[:, ::4] * 2; d = x[:, 3::4] * 2; e = x[:, ::5] * 2; f = sum(x[:, 2::4], 1); "
        "g = sum(x[:, ::3], 1)");
    test_same_as_host("x = random_uniform((5, 211), seed=9) * 100; h = cast(x, 'f16'); u = cast(x, "
                      "'u8'); i = cast(x, 'i64'); cut; "
                      "a = h[:, ::3] * 2; b = h[:, 2::4] * 2; c = u[:, ::3] + 1; d = u[:, 3::4] + "
                      "1; e = i[:, 1::3] + 1; "
                      "f = i[:, ::4] + 1; g = cast(x, 'bf16')[:, ::4] * 2; release x; release h; "
                      "release u; release i");
}

/* Numbers of elements are made where they are used. */
static void numbers_of_elements(void **state)
{
    (void)state;
    each_form(
        "i = reshape(arange(7 * 5 * #), (7, 5, -1)); a = sum(i, (0, 2)); b = sum(i[:, :, ::-1], "
        "(0, 2)); "
        "c = i[:, :, ::-1] + 1; d = max(expand(arange(7)[:, None, None], (7, 5, 4)), (0, 2))");
}

/* Of vectors that have all their elements in one run, whatever their width. */
static void none_is_gathered(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    text_run run =
        text_open(&d, "k = random_uniform((6, 9, 128), seed=1); cut; y = sum(k, (0, 2)); cut; "
                      "z = k[:, :, ::-1] * 2; cut; w = k / max(k, (0, 2), keepdims=1); cut");
    test_report_begin(&d);
    text_queue(&d, &run);
    assert_true(test_kernels_have(&d, "__kernel") > 0);
    assert_int_equal(test_kernels_have(&d, "sn_gather"), 0);
    assert_int_equal(test_kernels_have(&d, "_pieces_"), 0);
    assert_int_equal(test_kernels_have(&d, "_strided_"), 0);
    text_close(&d, &run);
    test_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planes_are_reduced),      cmocka_unit_test(a_vector_of_many_pieces),
        cmocka_unit_test(planes_are_written),      cmocka_unit_test(backwards),
        cmocka_unit_test(steps_of_a_few_elements), cmocka_unit_test(numbers_of_elements),
        cmocka_unit_test(none_is_gathered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
