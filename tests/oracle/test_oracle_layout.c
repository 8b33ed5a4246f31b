/* Every elementwise operation on every dtype over operands that lie in memory in every way: views of
 * all kinds, each operand another, rank 0 and 8, no elements; and over an operand that is given up
 * before its result is wanted. */
#include "oracle/check.h"
#include "oracle/model.h"

#include <stdlib.h>

#define ROOM 512 /* elements of an operand's base */

/* A way to lie: makes a view of the wanted shape of a base of its own. */
typedef struct layout {
    const char *name;
    int base_rank;
    int64_t base[SINTER_MAX_RANK];
    /* of the base, which is t; *m follows */
    sinter_tensor (*view)(const test_device *d, sinter_tensor t, model *m);
} layout;

static sinter_tensor as_it_is(const test_device *d, sinter_tensor t, model *m)
{
    (void)m;
    OK(sinter_tensor_retain(d->ctx, t));
    return t;
}

static sinter_tensor transposed(const test_device *d, sinter_tensor t, model *m)
{
    static const int axes[] = {2, 1, 0};
    sinter_tensor out;
    model_transpose(m, axes);
    OK(sinter_transpose(d->s, t, NULL, &out));
    return out;
}

static sinter_tensor rotated(const test_device *d, sinter_tensor t, model *m)
{
    static const int axes[] = {1, 2, 0};
    sinter_tensor out;
    model_transpose(m, axes);
    OK(sinter_transpose(d->s, t, axes, &out));
    return out;
}

static sinter_tensor sliced(const test_device *d, sinter_tensor t, model *m, int axis,
                            int64_t start, int64_t stop, int64_t step)
{
    sinter_tensor out;
    model_slice(m, axis, start, stop, step);
    OK(sinter_slice(d->s, t, axis, start, stop, step, &out));
    return out;
}

static sinter_tensor every_second_backwards(const test_device *d, sinter_tensor t, model *m)
{
    return sliced(d, t, m, 2, SINTER_OPEN, SINTER_OPEN, -2);
}

static sinter_tensor cut_out(const test_device *d, sinter_tensor t, model *m)
{
    sinter_tensor a = sliced(d, t, m, 0, 1, 4, 1);
    sinter_tensor b = sliced(d, a, m, 1, -5, -1, 1);
    sinter_tensor c = sliced(d, b, m, 2, 2, 7, 1);
    test_release(d, a);
    test_release(d, b);
    return c;
}

static sinter_tensor flipped(const test_device *d, sinter_tensor t, model *m)
{
    static const int axes[] = {0, 2};
    sinter_tensor out;
    model_flip(m, 1u << 0 | 1u << 2);
    OK(sinter_flip(d->s, t, 2, axes, &out));
    return out;
}

static sinter_tensor broadcast(const test_device *d, sinter_tensor t, model *m)
{
    static const int64_t shape[] = {3, 4, 5};
    sinter_tensor out;
    model_expand(m, 3, shape);
    OK(sinter_expand(d->s, t, 3, shape, &out));
    return out;
}

static sinter_tensor joined(const test_device *d, sinter_tensor t, model *m)
{
    static const int64_t shape[] = {3, 4, 5};
    sinter_tensor out;
    model_reshape(m, 3, shape);
    OK(sinter_reshape(d->s, t, 3, shape, &out));
    return out;
}

/* All of shape [3, 4, 5]. */
static const layout layouts[] = {
    {"contiguous", 3, {3, 4, 5}, as_it_is},
    {"transposed", 3, {5, 4, 3}, transposed},
    {"negative step", 3, {3, 4, 10}, every_second_backwards},
    {"broadcast inside", 3, {3, 1, 5}, broadcast},
    {"offset", 3, {5, 7, 8}, cut_out},
    {"flipped", 3, {3, 4, 5}, flipped},
    {"broadcast outside", 1, {5}, broadcast},
    {"rotated", 3, {5, 3, 4}, rotated},
    {"broadcast scalar", 0, {0}, broadcast},
    {"reshaped", 2, {6, 10}, joined},
};

#define LAYOUTS ((int)(sizeof layouts / sizeof layouts[0]))

/* On a driver: two dtypes, and an operation of each number of operands. How elements are found does
 * not depend on what is computed from them. */
static bool is_left_to_host(const oracle_row *row, sinter_dtype dtype)
{
    bool is_tried = row->op == SINTER__OP_NEG || row->op == SINTER__OP_SUB ||
                    row->op == SINTER__OP_FMA || row->op == SINTER__OP_WHERE;
    return !check_is_thorough() && (!is_tried || (dtype != SINTER_F32 && dtype != SINTER_I8));
}

/* A run over the operands, `views[k]` being operand k. */
static size_t run_views(const test_device *d, const check_operands *x, const sinter_tensor *views,
                        const model *models, int rank, const int64_t *shape)
{
    check_run run = {.d = d, .x = x, .rank = rank, .is_left_out = is_left_to_host};
    for (int k = 0; k < rank; k++)
        run.shape[k] = shape[k];
    for (int k = 0; k < 3; k++) {
        run.t[k] = views[k];
        run.index[k] = models[k].index;
    }
    return check_all(&run, CHECK_ANY, CHECK_ANY);
}

/* Layout `first` for the first operand, others for the others. */
static size_t check_layouts(const test_device *d, sinter_dtype dtype, int first,
                            test_random *random)
{
    static const int64_t shape[] = {3, 4, 5};
    check_operands x = check_make(dtype, ROOM);
    sinter_tensor base[3];
    sinter_tensor views[3];
    model models[3];
    x.parameters[0] = 1;
    x.parameters[1] = 3;
    samples_cross(3, x.dtype, x.data, x.count, 8, random);
    for (int k = 0; k < 3; k++) {
        const layout *l = &layouts[(first + 3 * k) % LAYOUTS];
        models[k] = model_packed(l->base_rank, l->base);
        OK(sinter_tensor_from_host(d->s, dtype, l->base_rank, l->base, x.data[k], &base[k]));
        views[k] = l->view(d, base[k], &models[k]);
    }
    size_t wrong = run_views(d, &x, views, models, 3, shape);
    if (wrong > 0)
        print_error("... with the first operand %s\n", layouts[first].name);
    for (int k = 0; k < 3; k++) {
        test_release(d, base[k]);
        test_release(d, views[k]);
        model_free(&models[k]);
    }
    check_free(&x);
    return wrong;
}

static bool is_skipped(const test_device *d, int dtype)
{
    bool left_out = !check_is_thorough() && dtype != SINTER_F32 && dtype != SINTER_I8;
    return left_out || (dtype == SINTER_F64 && !check_has_f64(d));
}

static void operations_agree_in_every_layout(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    test_random random = {21};
    size_t wrong = 0;
    for (int dtype = 0; dtype < SINTER_DTYPE_COUNT; dtype++) {
        for (int l = 0; l < LAYOUTS && !is_skipped(&d, dtype); l++)
            wrong += check_layouts(&d, (sinter_dtype)dtype, l, &random);
    }
    assert_int_equal(wrong, 0);
    test_close(&d);
}

/* Operands of three shapes that broadcast to a fourth, packed. */
static size_t check_shapes(const test_device *d, sinter_dtype dtype, const int *ranks,
                           const int64_t (*shapes)[SINTER_MAX_RANK], test_random *random)
{
    check_operands x = check_make(dtype, ROOM);
    sinter_tensor t[3];
    model models[3];
    size_t wrong = 0;
    x.parameters[0] = x.parameters[1] = 1;
    samples_cross(3, x.dtype, x.data, x.count, 8, random);
    for (int k = 0; k < 3; k++) {
        models[k] = model_packed(ranks[k], shapes[k]);
        OK(sinter_tensor_from_host(d->s, dtype, ranks[k], shapes[k], x.data[k], &t[k]));
        model_expand(&models[k], ranks[3], shapes[3]);
    }
    wrong = run_views(d, &x, t, models, ranks[3], shapes[3]);
    for (int k = 0; k < 3; k++) {
        test_release(d, t[k]);
        model_free(&models[k]);
    }
    check_free(&x);
    return wrong;
}

/* The first operand has the whole shape, so that results of any arity have it. */
static const struct shape_case {
    const char *name;
    int ranks[4]; /* of the operands and of the result */
    int64_t shapes[4][SINTER_MAX_RANK];
} shape_cases[] = {
    {"rank 0", {0, 0, 0, 0}, {{0}}},
    {"one element", {2, 0, 1, 2}, {{1, 1}, {0}, {1}, {1, 1}}},
    {"no elements", {3, 1, 2, 3}, {{3, 0, 5}, {5}, {0, 1}, {3, 0, 5}}},
    {"none of none", {1, 1, 0, 1}, {{0}, {1}, {0}, {0}}},
    {"rank 8",
     {8, 3, 8, 8},
     {{2, 1, 3, 2, 1, 2, 1, 5}, {2, 1, 5}, {1, 1, 3, 1, 1, 2, 1, 1}, {2, 1, 3, 2, 1, 2, 1, 5}}},
    {"long axis", {1, 1, 1, 1}, {{257}, {1}, {257}, {257}}},
};

static void operations_agree_in_every_rank(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    test_random random = {22};
    size_t wrong = 0;
    for (int dtype = 0; dtype < SINTER_DTYPE_COUNT; dtype++) {
        for (size_t i = 0; i < sizeof shape_cases / sizeof shape_cases[0]; i++) {
            const struct shape_case *c = &shape_cases[i];
            if (is_skipped(&d, dtype))
                continue;
            size_t now = check_shapes(&d, (sinter_dtype)dtype, c->ranks, c->shapes, &random);
            if (now > 0)
                print_error("... %s\n", c->name);
            wrong += now;
        }
    }
    assert_int_equal(wrong, 0);
    test_close(&d);
}

/* In place */

static size_t check_in_place(const test_device *d, const oracle_row *row, sinter_dtype dtype,
                             test_random *random)
{
    const int64_t shape[] = {100};
    check_operands x = check_make(dtype, 100);
    sinter_dtype work;
    sinter_tensor y;
    size_t wrong = 0;
    samples_cross(3, x.dtype, x.data, x.count, 5, random);
    if (check_work(row, &x, &work)) {
        check_run run = {.d = d, .x = &x, .rank = 1, .shape = {100}};
        uint64_t before = test_stats(d).donations;
        for (int k = 0; k < row->arity; k++)
            OK(sinter_tensor_from_host(d->s, dtype, 1, shape, x.data[k], &run.t[k]));
        OK(oracle_queue(row, d->s, run.t, x.parameters, &y));
        check_release(&run, row->arity);
        wrong = check_one(&run, row, y);
        size_t bytes = sinter_dtype_bytes(oracle_result_dtype(row, work));
        if (test_is_pooled() && bytes == sinter_dtype_bytes(dtype))
            assert_int_equal(test_stats(d).donations - before, 1);
        test_release(d, y);
    }
    check_free(&x);
    return wrong;
}

static void a_result_may_take_the_place_of_an_operand(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    test_random random = {23};
    size_t wrong = 0;
    for (int dtype = 0; dtype < SINTER_DTYPE_COUNT; dtype++) {
        for (int op = 0; op < SINTER__OP_END && !is_skipped(&d, dtype); op++) {
            const oracle_row *row = &oracle_rows[op];
            if (row->op != SINTER__OP_NONE &&
                (check_is_thorough() || op == SINTER__OP_FMA || op == SINTER__OP_NEG))
                wrong += check_in_place(&d, row, (sinter_dtype)dtype, &random);
        }
    }
    assert_int_equal(wrong, 0);
    test_close(&d);
}

/* An operand that is read elsewhere than it is written must keep its place: x + x reversed. */
static void a_result_does_not_overwrite_what_is_still_to_be_read(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    enum { COUNT = 1000 };
    const int64_t shape[] = {COUNT};
    int32_t data[COUNT];
    sinter_tensor x;
    sinter_tensor back;
    sinter_tensor y;
    for (int i = 0; i < COUNT; i++)
        data[i] = i * i;
    OK(sinter_tensor_from_host(d.s, SINTER_I32, 1, shape, data, &x));
    OK(sinter_flip(d.s, x, 0, NULL, &back));
    OK(sinter_add(d.s, x, back, &y));
    test_release(&d, x);
    test_release(&d, back);
    OK(sinter_tensor_read(d.s, y, data, sizeof data));
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(data[i], i * i + (COUNT - 1 - i) * (COUNT - 1 - i));
    assert_int_equal(test_stats(&d).donations, 0);
    test_release(&d, y);
    test_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_agree_in_every_layout),
        cmocka_unit_test(operations_agree_in_every_rank),
        cmocka_unit_test(a_result_may_take_the_place_of_an_operand),
        cmocka_unit_test(a_result_does_not_overwrite_what_is_still_to_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
