/* What makes two programs the same plan, and what makes them different ones: seen from outside, by
 * whether the second is a hit. */
#include "support/support.h"

#define MOST (60 * 60 * 4) /* bytes of the largest input */

/* What differs between the two runs of y = op(a, b). */
typedef struct variant {
    sinter_dtype dtype;
    int rank;
    int64_t shape[3]; /* of both operands */
    int turned;       /* the first operand is seen through a transpose */
    int same;         /* both operands are one tensor */
    int shared;       /* the second is a view of the first: the same elements, another handle */
    int other_op;
    int kept; /* the intermediate outlives the segment */
    double scalar;
    int scalar_first; /* a reversed subtraction */
} variant;

static const variant plain = {.dtype = SINTER_F32, .rank = 2, .shape = {6, 8}, .scalar = 2.0};

static sinter_tensor input(const test_device *d, const variant *v)
{
    static const unsigned char zeros[MOST];
    sinter_tensor t;
    OK(sinter_tensor_from_host(d->s, v->dtype, v->rank, v->shape, zeros, &t));
    return t;
}

/* The operands; what they were made of is released, and runs in a segment of its own. */
static void operands(const test_device *d, const variant *v, sinter_tensor *a, sinter_tensor *b)
{
    variant flipped = *v;
    if (v->turned) {
        flipped.shape[0] = v->shape[1];
        flipped.shape[1] = v->shape[0];
    }
    *a = input(d, &flipped);
    if (v->turned) {
        sinter_tensor t;
        OK(sinter_transpose(d->s, *a, NULL, &t));
        test_release(d, *a);
        *a = t;
    }
    *b = (sinter_tensor){0};
    if (v->shared)
        OK(sinter_reshape(d->s, *a, v->rank, v->shape, b));
    else if (!v->same)
        *b = input(d, v);
    OK(sinter_stream_sync(d->s));
}

/* y = (a op b) - scalar; whether it was a hit. */
static bool run(const test_device *d, const variant *v)
{
    sinter_tensor a;
    sinter_tensor b;
    sinter_tensor t = {0};
    sinter_tensor y;
    operands(d, v, &a, &b);
    sinter_stats before = test_stats(d);
    OK((v->other_op ? sinter_maximum : sinter_add)(d->s, a, v->same ? a : b, &t));
    if (v->scalar_first)
        OK(sinter_scalar_sub(d->s, v->scalar, t, &y));
    else
        OK(sinter_sub_scalar(d->s, t, v->scalar, &y));
    if (!v->kept)
        test_release(d, t);
    OK(sinter_stream_sync(d->s));
    sinter_stats after = test_stats(d);
    if (v->kept)
        test_release(d, t);
    test_release(d, a);
    test_release(d, b);
    test_release(d, y);
    assert_int_equal(after.cuts - before.cuts, 1);
    return after.plan_hits > before.plan_hits;
}

/* Whether `v` is the same plan as the plain variant. */
static bool is_same_plan(const variant *v)
{
    test_device d = test_open(NULL);
    assert_false(run(&d, &plain));
    assert_true(run(&d, &plain));
    bool hit = run(&d, v);
    assert_true(run(&d, v)); /* whatever it was, now it is known */
    test_close(&d);
    return hit;
}

#define SAME(...)                                                                                  \
    do {                                                                                           \
        variant v = plain;                                                                         \
        __VA_ARGS__;                                                                               \
        assert_true(is_same_plan(&v));                                                             \
    } while (0)

#define OTHER(...)                                                                                 \
    do {                                                                                           \
        variant v = plain;                                                                         \
        __VA_ARGS__;                                                                               \
        assert_false(is_same_plan(&v));                                                            \
    } while (0)

static void extents_are_not_in_the_key(void **state)
{
    (void)state;
    SAME(v.shape[0] = 2);
    SAME(v.shape[0] = 60; v.shape[1] = 60);
    SAME(v.shape[1] = 7);
}

static void scalars_are_not_in_the_key(void **state)
{
    (void)state;
    SAME(v.scalar = -1.5);
    SAME(v.scalar = 0.0);
    SAME(v.scalar = 1.0);
}

static void an_extent_of_one_is_in_the_key(void **state)
{
    (void)state;
    OTHER(v.shape[0] = 1);
    OTHER(v.shape[1] = 1);
}

static void rank_and_dtype_are_in_the_key(void **state)
{
    (void)state;
    OTHER(v.rank = 1);
    OTHER(v.rank = 3; v.shape[2] = 5);
    OTHER(v.dtype = SINTER_F16);
    OTHER(v.dtype = SINTER_F64);
    OTHER(v.dtype = SINTER_I32);
}

static void the_operations_are_in_the_key(void **state)
{
    (void)state;
    OTHER(v.other_op = 1);
    OTHER(v.scalar_first = 1);
}

static void equal_operands_and_shared_storage_are_in_the_key(void **state)
{
    (void)state;
    OTHER(v.same = 1);
    OTHER(v.shared = 1);
}

static void layout_is_in_the_key(void **state)
{
    (void)state;
    OTHER(v.turned = 1);
}

static void what_survives_is_in_the_key(void **state)
{
    (void)state;
    OTHER(v.kept = 1);
}

/* Two streams have the same plans. */
static void the_stream_is_not_in_the_key(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    test_device e = {.ctx = d.ctx};
    OK(sinter_stream_create(d.ctx, NULL, &e.s));
    assert_false(run(&d, &plain));
    assert_true(run(&e, &plain));
    OK(sinter_stream_destroy(e.s));
    test_close(&d);
}

/* reshape(x[:, ::2], 12) of x = 0, 1, ... in [4, columns], as it is or doubled; the plan found or made. */
static void every_other(const test_device *d, int64_t columns, int doubled)
{
    float in[24];
    float out[12];
    sinter_tensor x;
    sinter_tensor y;
    sinter_tensor z;
    for (int i = 0; i < 24; i++)
        in[i] = (float)i;
    OK(sinter_tensor_from_host(d->s, SINTER_F32, 2, (int64_t[]){4, columns}, in, &x));
    OK(sinter_stream_sync(d->s));
    OK(sinter_slice(d->s, x, 1, 0, columns, 2, &y));
    OK(sinter_reshape(d->s, y, 1, (int64_t[]){12}, &z));
    test_release(d, y);
    if (doubled) {
        OK(sinter_add(d->s, z, z, &y));
        test_release(d, z);
        z = y;
    }
    test_read(d, z, out, 12);
    for (int i = 0; i < 12; i++) {
        int64_t expected = i / 3 * columns + i % 3 * 2;
        assert_true(out[i] == (float)(doubled ? 2 * expected : expected));
    }
    test_release(d, z);
    test_release(d, x);
}

/* Whether a reshape is a view depends on numbers that are not in the key: in [4, 6] every other column
 * is, in [4, 5] not. A plan that does not fit is made anew, once, and fits both from then on. */
static void a_plan_that_does_not_fit_is_made_anew(void **state)
{
    (void)state;
    for (int doubled = 0; doubled < 2; doubled++) {
        test_device d = test_open(NULL);
        every_other(&d, 6, doubled);
        every_other(&d, 5, doubled);
        uint64_t before = test_stats(&d).plan_misses;
        for (int i = 0; i < 3; i++) {
            every_other(&d, 6, doubled);
            every_other(&d, 5, doubled);
        }
        if (test_is_plain())
            assert_int_equal(test_stats(&d).plan_misses - before, 0);
        test_close(&d);
    }
}

/* What was planned for no elements fits some, also where a reshape then has to copy. */
static void a_plan_for_no_elements_fits_some(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    const float in[6] = {1, 2, 3, 4, 5, 6};
    const float expected[6] = {2, 8, 4, 10, 6, 12};
    float out[6];
    for (int64_t rows = 0; rows <= 2; rows += 2) {
        sinter_tensor x;
        sinter_tensor y;
        sinter_tensor z;
        sinter_tensor w;
        OK(sinter_tensor_from_host(d.s, SINTER_F32, 2, (int64_t[]){rows, 3}, in, &x));
        OK(sinter_stream_sync(d.s));
        OK(sinter_transpose(d.s, x, NULL, &y));
        OK(sinter_reshape(d.s, y, 2, (int64_t[]){rows, 3}, &z));
        OK(sinter_add(d.s, z, z, &w));
        test_release(&d, x);
        test_release(&d, y);
        test_release(&d, z);
        test_read(&d, w, out, (size_t)rows * 3);
        for (int64_t i = 0; i < rows * 3; i++)
            assert_true(out[i] == expected[i]);
        test_release(&d, w);
    }
    test_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(extents_are_not_in_the_key),
        cmocka_unit_test(scalars_are_not_in_the_key),
        cmocka_unit_test(an_extent_of_one_is_in_the_key),
        cmocka_unit_test(rank_and_dtype_are_in_the_key),
        cmocka_unit_test(the_operations_are_in_the_key),
        cmocka_unit_test(equal_operands_and_shared_storage_are_in_the_key),
        cmocka_unit_test(layout_is_in_the_key),
        cmocka_unit_test(what_survives_is_in_the_key),
        cmocka_unit_test(the_stream_is_not_in_the_key),
        cmocka_unit_test(a_plan_that_does_not_fit_is_made_anew),
        cmocka_unit_test(a_plan_for_no_elements_fits_some),
    };
    int skips = test_skips_unless_plain();
    return skips != 0 ? skips : cmocka_run_group_tests(tests, NULL, NULL);
}
