/* Columns and rows so long that one work-item would go through more iterations than some drivers let it
 * (executor/opencl/quirks.def): their sums and scans, of ones, for which the results are known. */
#include "support/support.h"

#include <stdlib.h>

enum { LONG = 66000, COLUMNS = 160, ROWS = 40, LENGTH = 270000 };

static float *read_all(const test_device *d, sinter_tensor t, size_t count)
{
    float *out = malloc(count * sizeof *out);
    assert_non_null(out);
    test_read(d, t, out, count);
    test_release(d, t);
    return out;
}

/* The sum along an axis of ones, and a scan. */
static void check(const test_device *d, const int64_t shape[2], int axis)
{
    size_t count = (size_t)(shape[0] * shape[1]);
    size_t kept = (size_t)shape[1 - axis];
    float *ones = malloc(count * sizeof *ones);
    assert_non_null(ones);
    for (size_t i = 0; i < count; i++)
        ones[i] = 1;
    sinter_tensor x = test_floats(d, 2, shape, ones);
    sinter_tensor sum;
    sinter_tensor scan;
    OK(sinter_sum(d->s, x, 1, &axis, false, &sum));
    float *sums = read_all(d, sum, kept);
    OK(sinter_cumsum(d->s, x, axis, &scan));
    float *scans = read_all(d, scan, count);
    for (size_t i = 0; i < kept; i++)
        assert_true(sums[i] == (float)shape[axis]);
    for (size_t i = 0; i < count; i++) {
        size_t place = axis == 0 ? i / (size_t)shape[1] : i % (size_t)shape[1];
        if (scans[i] != (float)(place + 1))
            fail_msg("element %zu is %g", i, (double)scans[i]);
    }
    test_release(d, x);
    free(ones);
    free(sums);
    free(scans);
}

static void long_columns_are_gone_through_to_their_end(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    check(&d, (int64_t[]){LONG, COLUMNS}, 0);
    test_close(&d);
}

static void long_rows_are_gone_through_to_their_end(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    check(&d, (int64_t[]){ROWS, LENGTH}, 1);
    test_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_columns_are_gone_through_to_their_end),
        cmocka_unit_test(long_rows_are_gone_through_to_their_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
