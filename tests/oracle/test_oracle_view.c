/* Views against the index model: random chains over random shapes, read and computed with; and that
 * they cost no launch, except a reshape that strides cannot express. */
#include "oracle/check.h"
#include "oracle/model.h"

#include <stdlib.h>

#define MOST_VIEWS 5
#define BASE_ELEMENTS 4096

/* A chain of views while it is being made: what the model says, and what the library holds. */
typedef struct chain {
    const test_device *d;
    test_random *random;
    model m;      /* over the base */
    model stored; /* over what is stored: the base, or the last copy */
    int copies;   /* reshapes that strides could not express */
    sinter_tensor t;
} chain;

static int pick(chain *c, int limit)
{
    return (int)test_below(c->random, (uint32_t)limit);
}

static void advance(chain *c, sinter_tensor next)
{
    test_release(c->d, c->t);
    c->t = next;
}

/* Splits the elements into a random shape: factors in random places, and now and then a 1. */
static int random_factors(chain *c, int64_t count, int64_t shape[SINTER_MAX_RANK])
{
    int rank = 0;
    while (rank < SINTER_MAX_RANK - 1 && pick(c, 5) != 0) {
        int64_t factor = 1 + pick(c, 4);
        if (count % factor != 0)
            factor = 1;
        shape[rank++] = factor;
        count = count == 0 ? 0 : count / factor;
    }
    if (count != 1 || rank == 0)
        shape[rank++] = count;
    return rank;
}

/* The view operations, one function for each row of that kind: a row without one does not compile.
 * Each applies a random view of its kind to the chain. */

static void view_RESHAPE(chain *c)
{
    int64_t shape[SINTER_MAX_RANK];
    sinter_tensor next;
    int rank = random_factors(c, c->m.count, shape);
    model_reshape(&c->m, rank, shape);
    model_reshape(&c->stored, rank, shape);
    if (!model_is_strided(&c->stored)) {
        c->copies++;
        model_free(&c->stored);
        c->stored = model_packed(rank, shape);
    }
    if (c->m.count > 0)
        shape[pick(c, rank)] = -1;
    OK(sinter_reshape(c->d->s, c->t, rank, shape, &next));
    advance(c, next);
}

static void view_TRANSPOSE(chain *c)
{
    int axes[SINTER_MAX_RANK] = {0};
    int reversed[SINTER_MAX_RANK] = {0};
    bool given = pick(c, 4) != 0;
    sinter_tensor next;
    for (int k = 0; k < c->m.rank; k++) {
        int to = pick(c, k + 1);
        axes[k] = axes[to];
        axes[to] = k;
        reversed[k] = c->m.rank - 1 - k;
    }
    model_transpose(&c->m, given ? axes : reversed);
    model_transpose(&c->stored, given ? axes : reversed);
    for (int k = 0; k < c->m.rank; k++)
        axes[k] -= pick(c, 2) * c->m.rank;
    OK(sinter_transpose(c->d->s, c->t, given ? axes : NULL, &next));
    advance(c, next);
}

static void view_SLICE(chain *c)
{
    static const int64_t steps[] = {1, 1, 2, 3, -1, -1, -2, -3, 100, -100};
    sinter_tensor next;
    if (c->m.rank == 0)
        return;
    int axis = pick(c, c->m.rank);
    int64_t extent = c->m.shape[axis];
    int64_t step = steps[pick(c, 10)];
    int64_t start = pick(c, 3) == 0 ? SINTER_OPEN : pick(c, (int)(2 * extent) + 3) - extent - 1;
    int64_t stop = pick(c, 3) == 0 ? SINTER_OPEN : pick(c, (int)(2 * extent) + 3) - extent - 1;
    model_slice(&c->m, axis, start, stop, step);
    model_slice(&c->stored, axis, start, stop, step);
    OK(sinter_slice(c->d->s, c->t, axis - pick(c, 2) * c->m.rank, start, stop, step, &next));
    advance(c, next);
}

static void view_EXPAND(chain *c)
{
    int64_t shape[SINTER_MAX_RANK];
    int lead = pick(c, 3);
    sinter_tensor next;
    if (c->m.rank + lead > SINTER_MAX_RANK || c->m.count > BASE_ELEMENTS)
        return;
    int rank = c->m.rank + lead;
    for (int k = 0; k < rank; k++) {
        int64_t extent = k < lead ? 1 : c->m.shape[k - lead];
        shape[k] = extent == 1 ? pick(c, 3) + (pick(c, 8) != 0) : extent;
    }
    model_expand(&c->m, rank, shape);
    model_expand(&c->stored, rank, shape);
    OK(sinter_expand(c->d->s, c->t, rank, shape, &next));
    advance(c, next);
}

static void view_SQUEEZE(chain *c)
{
    int64_t shape[SINTER_MAX_RANK];
    int axes[SINTER_MAX_RANK];
    int count = 0;
    int rank = 0;
    bool all = pick(c, 2) == 0;
    sinter_tensor next;
    for (int k = 0; k < c->m.rank; k++) {
        bool gone = c->m.shape[k] == 1 && (all || pick(c, 2) == 0);
        if (gone) {
            axes[count++] = k;
        } else {
            shape[rank++] = c->m.shape[k];
        }
    }
    model_reshape(&c->m, rank, shape);
    model_reshape(&c->stored, rank, shape);
    OK(sinter_squeeze(c->d->s, c->t, all ? 0 : count, all ? NULL : axes, &next));
    advance(c, next);
}

static void view_UNSQUEEZE(chain *c)
{
    int64_t shape[SINTER_MAX_RANK];
    sinter_tensor next;
    if (c->m.rank == SINTER_MAX_RANK)
        return;
    int rank = c->m.rank + 1;
    int axis = pick(c, rank);
    for (int k = 0; k < rank; k++)
        shape[k] = k == axis ? 1 : c->m.shape[k < axis ? k : k - 1];
    model_reshape(&c->m, rank, shape);
    model_reshape(&c->stored, rank, shape);
    OK(sinter_unsqueeze(c->d->s, c->t, axis - pick(c, 2) * rank, &next));
    advance(c, next);
}

static void view_FLIP(chain *c)
{
    int axes[SINTER_MAX_RANK];
    int count = 0;
    uint32_t mask = 0;
    bool all = pick(c, 3) == 0;
    sinter_tensor next;
    for (int k = 0; k < c->m.rank; k++) {
        if (all || pick(c, 2) == 0) {
            axes[count++] = k;
            mask |= 1u << k;
        }
    }
    model_flip(&c->m, mask);
    model_flip(&c->stored, mask);
    OK(sinter_flip(c->d->s, c->t, all ? 0 : count, all ? NULL : axes, &next));
    advance(c, next);
}

#define VIEW_MAP(id)
#define VIEW_COMPARE(id)
#define VIEW_CAST(id)
#define VIEW_FILL(id)
#define VIEW_GENERATE(id)
#define VIEW_RANDOM(id)
#define VIEW_REDUCE(id)
#define VIEW_SCAN(id)
#define VIEW_STATE(id)
#define VIEW_CONTRACT(id)
#define VIEW_UPDATE(id)
#define VIEW_COMPOSITE(id)
#define VIEW_VIEW(id) view_##id,

static void (*const views[])(chain *c) = {
#define SINTER_OP(id, code, name, kind, ...) VIEW_##kind(id)
#include "core/ops.def"
#undef SINTER_OP
};

#define VIEW_KINDS ((int)(sizeof views / sizeof views[0]))

/* A chain over a base whose element i is the number i. */
static chain begin(const test_device *d, test_random *random)
{
    chain c = {.d = d, .random = random};
    int64_t shape[SINTER_MAX_RANK];
    int32_t data[BASE_ELEMENTS];
    int rank = pick(&c, 5);
    for (int k = 0; k < rank; k++)
        shape[k] = pick(&c, 40) == 0 ? 0 : 1 + pick(&c, 6);
    for (int i = 0; i < BASE_ELEMENTS; i++)
        data[i] = i;
    c.m = model_packed(rank, shape);
    c.stored = model_packed(rank, shape);
    OK(sinter_tensor_from_host(d->s, SINTER_I32, rank, shape, data, &c.t));
    return c;
}

static void finish(chain *c)
{
    test_release(c->d, c->t);
    model_free(&c->m);
    model_free(&c->stored);
}

static void assert_shape(const chain *c, sinter_tensor t)
{
    sinter_tensor_desc desc;
    OK(sinter_tensor_describe(c->d->ctx, t, &desc));
    assert_int_equal(desc.rank, c->m.rank);
    for (int k = 0; k < desc.rank; k++)
        assert_int_equal(desc.shape[k], c->m.shape[k]);
}

/* Reads a tensor whose elements have to be `sign` times what the model says. */
static void assert_elements(const chain *c, sinter_tensor t, int sign)
{
    size_t bytes = (size_t)c->m.count * sizeof(int32_t);
    int32_t *got = malloc(bytes + 1);
    assert_non_null(got);
    assert_shape(c, t);
    OK(sinter_tensor_read(c->d->s, t, got, bytes));
    for (int64_t i = 0; i < c->m.count; i++)
        assert_int_equal(got[i], sign * c->m.index[i]);
    free(got);
}

static void add_views(chain *c, int count)
{
    for (int i = 0; i < count && c->m.count <= BASE_ELEMENTS; i++)
        views[pick(c, VIEW_KINDS)](c);
}

static uint64_t launches(const chain *c)
{
    return test_stats(c->d).launches;
}

/* Queued whole, then computed with: one launch, and one for each reshape that needed a copy. */
static void a_pending_view_costs_no_launch(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    test_random random = {11};
    int rounds = check_is_thorough() ? 3000 : 40;
    for (int i = 0; i < rounds; i++) {
        chain c = begin(&d, &random);
        sinter_tensor y;
        add_views(&c, 1 + pick(&c, MOST_VIEWS));
        OK(sinter_neg(d.s, c.t, &y));
        uint64_t before = launches(&c);
        assert_elements(&c, y, -1);
        uint64_t extra = launches(&c) - before;
        assert_int_equal(extra, c.copies + (c.m.count > 0 ? 1 : 0));
        test_release(&d, y);
        finish(&c);
    }
    test_close(&d);
}

/* Read itself: a launch only to pack what is not packed. */
static void a_view_that_is_read_is_packed_once(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    test_random random = {12};
    int rounds = check_is_thorough() ? 3000 : 40;
    for (int i = 0; i < rounds; i++) {
        chain c = begin(&d, &random);
        add_views(&c, 1 + pick(&c, MOST_VIEWS));
        OK(sinter_stream_sync(d.s));
        bool packed = model_is_packed(&c.stored);
        uint64_t before = launches(&c);
        assert_elements(&c, c.t, 1);
        assert_int_equal(launches(&c) - before, c.m.count == 0 || packed ? 0 : 1);
        finish(&c);
    }
    test_close(&d);
}

/* A chain cut in the middle: views of views that are stored. */
static void views_of_stored_views_are_the_same(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    test_random random = {13};
    int rounds = check_is_thorough() ? 1000 : 20;
    for (int i = 0; i < rounds; i++) {
        chain c = begin(&d, &random);
        sinter_tensor y;
        add_views(&c, 3);
        OK(sinter_stream_flush(d.s));
        add_views(&c, 3);
        OK(sinter_neg(d.s, c.t, &y));
        assert_elements(&c, y, -1);
        assert_elements(&c, c.t, 1);
        test_release(&d, y);
        finish(&c);
    }
    test_close(&d);
}

/* The inner value is computed once, through whatever views lie between. */
static void views_between_operations_are_folded(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    test_random random = {14};
    int rounds = check_is_thorough() ? 2000 : 20;
    for (int i = 0; i < rounds; i++) {
        chain c = begin(&d, &random);
        sinter_tensor inner;
        sinter_tensor y;
        add_views(&c, 2);
        OK(sinter_neg(d.s, c.t, &inner));
        advance(&c, inner);
        add_views(&c, 3);
        OK(sinter_abs(d.s, c.t, &y));
        assert_elements(&c, y, 1);
        assert_elements(&c, c.t, -1);
        test_release(&d, y);
        finish(&c);
    }
    test_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pending_view_costs_no_launch),
        cmocka_unit_test(a_view_that_is_read_is_packed_once),
        cmocka_unit_test(views_of_stored_views_are_the_same),
        cmocka_unit_test(views_between_operations_are_folded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
