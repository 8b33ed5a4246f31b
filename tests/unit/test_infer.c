/* Shape inference: what each rule gives and what it refuses, with which status; slices as Python
 * resolves them, by trying every bound. */
#include "core/infer.h"
#include "oracle/oracle.h"
#include "support/support.h"

#include <string.h>

/* Operands of f32, and attributes, for one call. */
typedef struct call {
    sinter__op op;
    int count;
    int ranks[3];
    int64_t shapes[3][SINTER_MAX_RANK];
    sinter__attrs attrs;
} call;

static sinter_status infer(const call *c, sinter__inferred *out)
{
    sinter__operand_desc d[3];
    for (int k = 0; k < c->count; k++) {
        d[k] =
            (sinter__operand_desc){.dtype = SINTER_F32, .rank = c->ranks[k], .shape = c->shapes[k]};
    }
    return sinter__infer(c->op, c->count, d, &c->attrs, out);
}

typedef struct result {
    call in;
    sinter_status status;
    int rank;
    int64_t shape[SINTER_MAX_RANK];
} result;

static void check(const result *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        sinter__inferred out;
        const result *r = &rows[i];
        sinter_status status = infer(&r->in, &out);
        const char *name = sinter__op_info_of(r->in.op)->name;
        if (r->status != SINTER_OK) {
            test_fails(status, r->status, name, __FILE__, (int)i);
            assert_non_null(strstr(sinter_last_error(), name));
            continue;
        }
        test_ok(status, name, __FILE__, (int)i);
        assert_int_equal(out.rank, r->rank);
        for (int k = 0; k < r->rank; k++)
            assert_int_equal(out.shape[k], r->shape[k]);
    }
}

#define CHECK(rows) check(rows, sizeof(rows) / sizeof(rows)[0])
#define AXES(n, ...)                                                                               \
    .axis_count = (n), .axes = (const int[])                                                       \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define SHAPE(n, ...)                                                                              \
    .rank = (n), .shape = (const int64_t[])                                                        \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

static void operands_broadcast(void **state)
{
    (void)state;
    static const result rows[] = {
        {{SINTER__OP_ADD, 2, {2, 2}, {{3, 4}, {3, 4}}, {0}}, SINTER_OK, 2, {3, 4}},
        {{SINTER__OP_ADD, 2, {2, 1}, {{3, 4}, {4}}, {0}}, SINTER_OK, 2, {3, 4}},
        {{SINTER__OP_ADD, 2, {0, 1}, {{0}, {4}}, {0}}, SINTER_OK, 1, {4}},
        {{SINTER__OP_ADD, 2, {2, 2}, {{3, 1}, {1, 4}}, {0}}, SINTER_OK, 2, {3, 4}},
        {{SINTER__OP_ADD, 2, {2, 1}, {{3, 0}, {1}}, {0}}, SINTER_OK, 2, {3, 0}},
        {{SINTER__OP_ADD, 2, {2, 1}, {{3, 0}, {2}}, {0}}, SINTER_ESHAPE, 0, {0}},
        {{SINTER__OP_ADD, 2, {2, 1}, {{3, 4}, {3}}, {0}}, SINTER_ESHAPE, 0, {0}},
        {{SINTER__OP_FMA, 3, {1, 2, 3}, {{5}, {4, 1}, {3, 1, 1}}, {0}}, SINTER_OK, 3, {3, 4, 5}},
        {{SINTER__OP_WHERE, 3, {1, 1, 1}, {{2}, {1}, {3}}, {0}}, SINTER_ESHAPE, 0, {0}},
    };
    CHECK(rows);
}

static void reductions_drop_axes_or_keep_them_as_1(void **state)
{
    (void)state;
    const result rows[] = {
        {{SINTER__OP_SUM, 1, {3}, {{2, 3, 4}}, {AXES(1, 1)}}, SINTER_OK, 2, {2, 4}},
        {{SINTER__OP_SUM, 1, {3}, {{2, 3, 4}}, {AXES(2, -1, 0)}}, SINTER_OK, 1, {3}},
        {{SINTER__OP_SUM, 1, {3}, {{2, 3, 4}}, {.axis_count = -1}}, SINTER_OK, 0, {0}},
        {{SINTER__OP_SUM, 1, {3}, {{2, 3, 4}}, {AXES(0, 0)}}, SINTER_OK, 3, {2, 3, 4}},
        {{SINTER__OP_SUM, 1, {2}, {{2, 3}}, {AXES(1, 0), .keepdims = true}}, SINTER_OK, 2, {1, 3}},
        {{SINTER__OP_SUM, 1, {2}, {{2, 3}}, {AXES(1, 2)}}, SINTER_ERANGE, 0, {0}},
        {{SINTER__OP_SUM, 1, {2}, {{2, 3}}, {AXES(1, -3)}}, SINTER_ERANGE, 0, {0}},
        {{SINTER__OP_SUM, 1, {2}, {{2, 3}}, {AXES(2, 1, -1)}}, SINTER_ERANGE, 0, {0}},
        {{SINTER__OP_SUM, 1, {0}, {{0}}, {AXES(1, 0)}}, SINTER_ERANGE, 0, {0}},
        {{SINTER__OP_SUM, 1, {2}, {{2, 0}}, {AXES(1, 1)}}, SINTER_OK, 1, {2}},
        {{SINTER__OP_MAX, 1, {2}, {{2, 0}}, {AXES(1, 1)}}, SINTER_ESHAPE, 0, {0}},
        {{SINTER__OP_MIN, 1, {2}, {{2, 0}}, {AXES(1, 0)}}, SINTER_OK, 1, {0}},
    };
    CHECK(rows);
}

static void products_need_a_common_inner_dimension(void **state)
{
    (void)state;
    static const result rows[] = {
        {{SINTER__OP_MATMUL, 2, {2, 2}, {{3, 4}, {4, 5}}, {0}}, SINTER_OK, 2, {3, 5}},
        {{SINTER__OP_MATMUL, 2, {3, 2}, {{7, 3, 4}, {4, 5}}, {0}}, SINTER_OK, 3, {7, 3, 5}},
        {{SINTER__OP_MATMUL, 2, {4, 3}, {{2, 1, 3, 4}, {6, 4, 5}}, {0}},
         SINTER_OK,
         4,
         {2, 6, 3, 5}},
        {{SINTER__OP_MATMUL, 2, {2, 2}, {{3, 0}, {0, 5}}, {0}}, SINTER_OK, 2, {3, 5}},
        {{SINTER__OP_MATMUL, 2, {2, 2}, {{3, 4}, {5, 4}}, {0}}, SINTER_ESHAPE, 0, {0}},
        {{SINTER__OP_MATMUL, 2, {3, 3}, {{2, 3, 4}, {3, 4, 5}}, {0}}, SINTER_ESHAPE, 0, {0}},
        {{SINTER__OP_MATMUL, 2, {0, 2}, {{0}, {4, 5}}, {0}}, SINTER_ESHAPE, 0, {0}},
    };
    CHECK(rows);
}

/* What replaces four rows of nine of seven. */
static void a_value_broadcasts_to_what_it_replaces(void **state)
{
    (void)state;
    static const sinter__region region = {{2, 0}, {1, 1}, {4, 7}};
    const result rows[] = {
        {{SINTER__OP_UPDATE, 2, {2, 2}, {{9, 7}, {4, 7}}, {.region = &region}},
         SINTER_OK,
         2,
         {9, 7}},
        {{SINTER__OP_UPDATE, 2, {2, 1}, {{9, 7}, {7}}, {.region = &region}}, SINTER_OK, 2, {9, 7}},
        {{SINTER__OP_UPDATE, 2, {2, 0}, {{9, 7}, {0}}, {.region = &region}}, SINTER_OK, 2, {9, 7}},
        {{SINTER__OP_UPDATE, 2, {2, 2}, {{9, 7}, {9, 7}}, {.region = &region}},
         SINTER_ESHAPE,
         0,
         {0}},
        {{SINTER__OP_UPDATE, 2, {2, 1}, {{9, 7}, {4}}, {.region = &region}}, SINTER_ESHAPE, 0, {0}},
        {{SINTER__OP_UPDATE, 2, {2, 3}, {{9, 7}, {1, 4, 7}}, {.region = &region}},
         SINTER_ESHAPE,
         0,
         {0}},
    };
    CHECK(rows);
}

static void a_reshape_keeps_the_number_of_elements(void **state)
{
    (void)state;
    const result rows[] = {
        {{SINTER__OP_RESHAPE, 1, {2}, {{4, 6}}, {SHAPE(3, 2, 3, 4)}}, SINTER_OK, 3, {2, 3, 4}},
        {{SINTER__OP_RESHAPE, 1, {2}, {{4, 6}}, {SHAPE(2, -1, 8)}}, SINTER_OK, 2, {3, 8}},
        {{SINTER__OP_RESHAPE, 1, {2}, {{1, 1}}, {SHAPE(0, 0)}}, SINTER_OK, 0, {0}},
        {{SINTER__OP_RESHAPE, 1, {2}, {{4, 0}}, {SHAPE(2, -1, 8)}}, SINTER_OK, 2, {0, 8}},
        {{SINTER__OP_RESHAPE, 1, {2}, {{4, 0}}, {SHAPE(2, -1, 0)}}, SINTER_ESHAPE, 0, {0}},
        {{SINTER__OP_RESHAPE, 1, {2}, {{4, 6}}, {SHAPE(2, 5, 5)}}, SINTER_ESHAPE, 0, {0}},
        {{SINTER__OP_RESHAPE, 1, {2}, {{4, 6}}, {SHAPE(2, -1, 7)}}, SINTER_ESHAPE, 0, {0}},
        {{SINTER__OP_RESHAPE, 1, {2}, {{4, 6}}, {SHAPE(2, -1, -1)}}, SINTER_ERANGE, 0, {0}},
        {{SINTER__OP_RESHAPE, 1, {2}, {{4, 6}}, {SHAPE(2, -2, 12)}}, SINTER_ERANGE, 0, {0}},
        {{SINTER__OP_RESHAPE, 1, {1}, {{1}}, {.rank = 9}}, SINTER_EINVAL, 0, {0}},
        {{SINTER__OP_RESHAPE, 1, {1}, {{1}}, {.rank = -1}}, SINTER_EINVAL, 0, {0}},
    };
    CHECK(rows);
}

static void other_views_check_their_axes(void **state)
{
    (void)state;
    const result rows[] = {
        {{SINTER__OP_TRANSPOSE, 1, {3}, {{2, 3, 4}}, {.axis_count = -1}}, SINTER_OK, 3, {4, 3, 2}},
        {{SINTER__OP_TRANSPOSE, 1, {3}, {{2, 3, 4}}, {AXES(3, 1, -1, 0)}}, SINTER_OK, 3, {3, 4, 2}},
        {{SINTER__OP_TRANSPOSE, 1, {3}, {{2, 3, 4}}, {AXES(2, 1, 0)}}, SINTER_ESHAPE, 0, {0}},
        {{SINTER__OP_TRANSPOSE, 1, {2}, {{2, 3}}, {AXES(2, 1, 1)}}, SINTER_ERANGE, 0, {0}},
        {{SINTER__OP_TRANSPOSE, 1, {2}, {{2, 3}}, {AXES(2, 0, 2)}}, SINTER_ERANGE, 0, {0}},
        {{SINTER__OP_EXPAND, 1, {2}, {{1, 3}}, {SHAPE(3, 5, 2, 3)}}, SINTER_OK, 3, {5, 2, 3}},
        {{SINTER__OP_EXPAND, 1, {2}, {{1, 3}}, {SHAPE(2, 0, 3)}}, SINTER_OK, 2, {0, 3}},
        {{SINTER__OP_EXPAND, 1, {2}, {{2, 3}}, {SHAPE(2, 1, 3)}}, SINTER_ESHAPE, 0, {0}},
        {{SINTER__OP_EXPAND, 1, {2}, {{2, 3}}, {SHAPE(1, 3)}}, SINTER_ESHAPE, 0, {0}},
        {{SINTER__OP_EXPAND, 1, {1}, {{1}}, {SHAPE(2, 2, -1)}}, SINTER_ERANGE, 0, {0}},
        {{SINTER__OP_SQUEEZE, 1, {4}, {{1, 3, 1, 2}}, {.axis_count = -1}}, SINTER_OK, 2, {3, 2}},
        {{SINTER__OP_SQUEEZE, 1, {4}, {{1, 3, 1, 2}}, {AXES(1, -2)}}, SINTER_OK, 3, {1, 3, 2}},
        {{SINTER__OP_SQUEEZE, 1, {2}, {{1, 3}}, {AXES(1, 1)}}, SINTER_ESHAPE, 0, {0}},
        {{SINTER__OP_SQUEEZE, 1, {2}, {{1, 3}}, {AXES(1, 2)}}, SINTER_ERANGE, 0, {0}},
        {{SINTER__OP_UNSQUEEZE, 1, {2}, {{2, 3}}, {AXES(1, 2)}}, SINTER_OK, 3, {2, 3, 1}},
        {{SINTER__OP_UNSQUEEZE, 1, {2}, {{2, 3}}, {AXES(1, -3)}}, SINTER_OK, 3, {1, 2, 3}},
        {{SINTER__OP_UNSQUEEZE, 1, {2}, {{2, 3}}, {AXES(1, 3)}}, SINTER_ERANGE, 0, {0}},
        {{SINTER__OP_UNSQUEEZE, 1, {8}, {{1, 1, 1, 1, 1, 1, 1, 1}}, {AXES(1, 0)}},
         SINTER_EINVAL,
         0,
         {0}},
        {{SINTER__OP_FLIP, 1, {2}, {{2, 3}}, {AXES(1, -1)}}, SINTER_OK, 2, {2, 3}},
        {{SINTER__OP_FLIP, 1, {2}, {{2, 3}}, {AXES(2, 0, -2)}}, SINTER_ERANGE, 0, {0}},
        {{SINTER__OP_SLICE, 1, {2}, {{2, 9}}, {AXES(1, -1), .count = 4}}, SINTER_OK, 2, {2, 4}},
        {{SINTER__OP_SLICE, 1, {2}, {{2, 9}}, {AXES(1, 2), .count = 4}}, SINTER_ERANGE, 0, {0}},
    };
    CHECK(rows);
}

/* range(extent)[start:stop:step], element by element: `found` is what a list would give. */
static int64_t python_slice(int64_t extent, const sinter__slice *s, int64_t *first)
{
    int64_t n = 0;
    int64_t low = s->step > 0 ? 0 : -1;
    int64_t at = s->step > 0 ? 0 : extent - 1;
    int64_t end = s->step > 0 ? extent : -1;
    if (s->has_start) {
        at = s->start < 0 ? s->start + extent : s->start;
        while (at < low)
            at++;
        while (at > extent + low)
            at--;
    }
    if (s->has_stop) {
        end = s->stop < 0 ? s->stop + extent : s->stop;
        while (end < low)
            end++;
    }
    for (; s->step > 0 ? at < end && at < extent : at > end && at >= 0; at += s->step) {
        if (n++ == 0)
            *first = at;
    }
    return n;
}

#define BOUND_CASES 1156 /* given or not, each from -8 to 8 */

static void slices_are_resolved_as_in_python(void **state)
{
    (void)state;
    for (int64_t extent = 0; extent <= 5; extent++) {
        for (int64_t step = -3; step <= 3; step++) {
            for (int64_t i = 0; i < BOUND_CASES && step != 0; i++) {
                sinter__slice s = {.has_start = i % 2 != 0,
                                   .has_stop = i / 2 % 2 != 0,
                                   .start = i / 4 % 17 - 8,
                                   .stop = i / 4 / 17 - 8,
                                   .step = step};
                int64_t first = 0;
                int64_t want_first = 0;
                int64_t count = -1;
                OK(sinter__slice_resolve(&s, extent, &first, &count));
                assert_int_equal(count, python_slice(extent, &s, &want_first));
                if (count > 0)
                    assert_int_equal(first, want_first);
            }
        }
    }
}

static void slices_of_extreme_bounds_do_not_overflow(void **state)
{
    (void)state;
    static const int64_t bounds[] = {INT64_MIN, INT64_MIN + 1, -1, 0, 1, INT64_MAX - 1, INT64_MAX};
    for (size_t i = 0; i < (size_t)7 * 7 * 7; i++) {
        sinter__slice s = {true, true, bounds[i % 7], bounds[i / 7 % 7], bounds[i / 49]};
        int64_t first;
        int64_t count;
        sinter_status status = sinter__slice_resolve(&s, 10, &first, &count);
        if (s.step == 0 || s.step == INT64_MIN) {
            assert_int_equal(status, SINTER_ERANGE);
            continue;
        }
        assert_int_equal(status, SINTER_OK);
        assert_in_range(count, 0, 10);
        if (count > 0)
            assert_in_range(first, 0, 9);
    }
}

static void sizes_that_overflow_are_refused(void **state)
{
    (void)state;
    const int64_t fits[] = {(int64_t)1 << 30, (int64_t)1 << 29};
    const int64_t large[] = {(int64_t)1 << 31, (int64_t)1 << 31};
    const int64_t hidden[] = {0, INT64_MAX, INT64_MAX};
    const int64_t negative[] = {3, -1};
    OK(sinter__check_shape("test", SINTER_F32, 2, fits));
    OK(sinter__check_shape("test", SINTER_F32, 0, NULL));
    FAILS(SINTER_ERANGE, sinter__check_shape("test", SINTER_F32, 2, large));
    FAILS(SINTER_ERANGE, sinter__check_shape("test", SINTER_I8, 3, hidden));
    FAILS(SINTER_ERANGE, sinter__check_shape("test", SINTER_I8, 2, negative));
    FAILS(SINTER_EINVAL, sinter__check_shape("test", SINTER_I8, 9, fits));
    FAILS(SINTER_EINVAL, sinter__check_shape("test", SINTER_I8, -1, fits));
    FAILS(SINTER_EINVAL, sinter__check_shape("test", SINTER_I8, 1, NULL));
    const call broadcast = {
        SINTER__OP_ADD, 2, {2, 2}, {{(int64_t)1 << 31, 1}, {1, (int64_t)1 << 31}}, {0}};
    sinter__inferred out;
    FAILS(SINTER_ERANGE, infer(&broadcast, &out));
}

/* The dtype that each operand is converted to, for every operation and dtype. */
static void operands_are_converted_to_the_dtype_worked_in(void **state)
{
    (void)state;
    for (int op = 0; op < SINTER__OP_END; op++) {
        const oracle_row *row = &oracle_rows[op];
        for (int dtype = 0; dtype < SINTER_DTYPE_COUNT && row->op != SINTER__OP_NONE; dtype++) {
            sinter__operand_desc d[3];
            sinter__inferred out;
            sinter_dtype work;
            int count = row->arity + row->params;
            for (int k = 0; k < count; k++) {
                d[k] = (sinter__operand_desc){.is_scalar = k >= row->arity,
                                              .dtype = (sinter_dtype)dtype};
            }
            sinter_status status = sinter__infer(row->op, count, d, NULL, &out);
            if (!oracle_work(row, (sinter_dtype)dtype, &work)) {
                test_fails(status, SINTER_EDTYPE, row->name, __FILE__, __LINE__);
                continue;
            }
            test_ok(status, row->name, __FILE__, __LINE__);
            assert_int_equal(out.dtype, oracle_result_dtype(row, work));
            bool selects = row->accepts == ORACLE_SELECTED;
            for (int k = 0; k < count; k++)
                assert_int_equal(out.work[k], selects && k == 0 ? SINTER_BOOL : work);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operands_broadcast),
        cmocka_unit_test(reductions_drop_axes_or_keep_them_as_1),
        cmocka_unit_test(products_need_a_common_inner_dimension),
        cmocka_unit_test(a_value_broadcasts_to_what_it_replaces),
        cmocka_unit_test(a_reshape_keeps_the_number_of_elements),
        cmocka_unit_test(other_views_check_their_axes),
        cmocka_unit_test(slices_are_resolved_as_in_python),
        cmocka_unit_test(slices_of_extreme_bounds_do_not_overflow),
        cmocka_unit_test(sizes_that_overflow_are_refused),
        cmocka_unit_test(operands_are_converted_to_the_dtype_worked_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
