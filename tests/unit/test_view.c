/* Views as strides against the index model: each function, on random views of random shapes. */
#include "core/view.h"
#include "oracle/model.h"
#include "support/support.h"

#include <string.h>

#define ROUNDS 4000

/* A view and what it should be. */
typedef struct pair {
    sinter__view v;
    model m;
} pair;

/* The view finds in memory what the model lists. */
static void assert_same(const pair *p)
{
    int64_t at[SINTER__VIEW_RANK] = {0};
    assert_int_equal(p->v.rank, p->m.rank);
    assert_int_equal(sinter__elements(p->v.rank, p->v.shape), p->m.count);
    for (int64_t i = 0; i < p->m.count; i++) {
        int64_t offset = p->v.offset;
        for (int k = 0; k < p->v.rank; k++)
            offset += at[k] * p->v.strides[k];
        assert_int_equal(offset, p->m.index[i]);
        for (int k = p->v.rank - 1; k >= 0 && ++at[k] == p->v.shape[k]; k--)
            at[k] = 0;
    }
}

static int random_shape(test_random *r, int64_t *shape)
{
    int rank = (int)test_below(r, 6);
    for (int k = 0; k < rank; k++)
        shape[k] = test_below(r, 30) == 0 ? 0 : 1 + test_below(r, 5);
    return rank;
}

static pair packed(test_random *r)
{
    int64_t shape[SINTER_MAX_RANK];
    int rank = random_shape(r, shape);
    pair p = {sinter__view_packed(rank, shape), model_packed(rank, shape)};
    return p;
}

static void random_transpose(pair *p, test_random *r)
{
    int axes[SINTER_MAX_RANK] = {0};
    for (int k = 0; k < p->m.rank; k++) {
        int to = (int)test_below(r, (uint32_t)k + 1);
        axes[k] = axes[to];
        axes[to] = k;
    }
    p->v = sinter__view_transpose(&p->v, axes);
    model_transpose(&p->m, axes);
}

static void random_slice(pair *p, test_random *r)
{
    if (p->m.rank == 0)
        return;
    int axis = (int)test_below(r, (uint32_t)p->m.rank);
    int64_t extent = p->m.shape[axis];
    int64_t step = (int64_t)test_below(r, 3) + 1;
    int64_t count = extent == 0 ? 0 : test_below(r, (uint32_t)extent + 1);
    while (count > 0 && (count - 1) * step >= extent)
        count--;
    bool back = test_below(r, 2) == 0;
    int64_t start = back ? extent - 1 : 0;
    int64_t stop = back ? start - count * step : count * step;
    p->v = sinter__view_slice(&p->v, axis, start, back ? -step : step, count);
    if (count == 0)
        stop = start; /* no element */
    model_slice(&p->m, axis, start, stop < 0 ? SINTER_OPEN : stop, back ? -step : step);
}

static void random_expand(pair *p, test_random *r)
{
    int64_t shape[SINTER_MAX_RANK];
    int lead = (int)test_below(r, 2);
    int rank = p->m.rank + lead;
    if (rank > SINTER_MAX_RANK || p->m.count > 2000)
        return;
    for (int k = 0; k < rank; k++) {
        int64_t extent = k < lead ? 1 : p->m.shape[k - lead];
        shape[k] = extent == 1 ? test_below(r, 4) : extent;
    }
    p->v = sinter__view_expand(&p->v, rank, shape);
    model_expand(&p->m, rank, shape);
}

static pair random_view(test_random *r)
{
    pair p = packed(r);
    for (int i = 0; i < 4; i++) {
        switch (test_below(r, 3)) {
        case 0:
            random_transpose(&p, r);
            break;
        case 1:
            random_slice(&p, r);
            break;
        default:
            random_expand(&p, r);
            break;
        }
    }
    return p;
}

static void views_find_what_the_model_lists(void **state)
{
    (void)state;
    test_random r = {61};
    for (int i = 0; i < ROUNDS; i++) {
        pair p = random_view(&r);
        assert_same(&p);
        model_free(&p.m);
    }
}

/* A shape of as many elements: axes merged with their neighbours or split. */
static int random_factors(test_random *r, int64_t count, int64_t *shape)
{
    int rank = 0;
    while (rank < 5 && test_below(r, 4) != 0) {
        int64_t factor = 1 + test_below(r, 5);
        shape[rank++] = count % factor == 0 ? factor : 1;
        count /= shape[rank - 1];
    }
    shape[rank++] = count;
    return rank;
}

static void a_reshape_is_a_view_exactly_where_strides_express_it(void **state)
{
    (void)state;
    test_random r = {62};
    int expressed = 0;
    int refused = 0;
    for (int i = 0; i < ROUNDS; i++) {
        pair p = random_view(&r);
        int64_t shape[SINTER_MAX_RANK];
        int rank = random_factors(&r, p.m.count, shape);
        sinter__view out;
        bool is_view = sinter__view_reshape(&p.v, rank, shape, &out);
        model_reshape(&p.m, rank, shape);
        assert_int_equal(is_view, model_is_strided(&p.m));
        if (is_view) {
            p.v = out;
            assert_same(&p);
        }
        expressed += is_view;
        refused += !is_view;
        model_free(&p.m);
    }
    assert_true(expressed > ROUNDS / 10 && refused > ROUNDS / 10);
}

static void spans_counts_and_packing_are_those_of_the_elements(void **state)
{
    (void)state;
    test_random r = {63};
    for (int i = 0; i < ROUNDS; i++) {
        pair p = random_view(&r);
        int64_t low;
        int64_t high;
        int64_t least = p.m.count > 0 ? INT64_MAX : 0;
        int64_t most = 0;
        int64_t distinct = 0;
        char seen[8192] = {0};
        for (int64_t e = 0; e < p.m.count; e++) {
            int64_t at = p.m.index[e];
            least = at < least ? at : least;
            most = at > most ? at : most;
            distinct += !seen[at];
            seen[at] = 1;
        }
        sinter__view_span(&p.v, &low, &high);
        assert_int_equal(low, least);
        assert_int_equal(high, most);
        assert_int_equal(sinter__view_distinct(&p.v), distinct);
        assert_int_equal(sinter__view_is_packed(&p.v), model_is_packed(&p.m));
        model_free(&p.m);
    }
}

/* NumPy's rule, axis by axis from the right. Returns the first axis that differs, or -1. */
static int broadcast(int ra, const int64_t *a, int rb, const int64_t *b, int64_t *shape)
{
    int n = ra > rb ? ra : rb;
    int bad = -1;
    for (int k = n - 1; k >= 0; k--) {
        int64_t x = k >= n - ra ? a[k - (n - ra)] : 1;
        int64_t y = k >= n - rb ? b[k - (n - rb)] : 1;
        bad = x != y && x != 1 && y != 1 ? k : bad;
        shape[k] = x == 1 ? y : x;
    }
    return bad;
}

static void shapes_broadcast_where_extents_agree_or_are_1(void **state)
{
    (void)state;
    test_random r = {64};
    int fitted = 0;
    for (int i = 0; i < ROUNDS; i++) {
        int64_t a[SINTER_MAX_RANK];
        int64_t b[SINTER_MAX_RANK];
        int64_t shape[SINTER_MAX_RANK];
        int64_t want[SINTER_MAX_RANK];
        int ra = random_shape(&r, a);
        int rb = random_shape(&r, b);
        for (int k = 1; k <= ra && k <= rb && test_below(&r, 3) != 0; k++)
            b[rb - k] = test_below(&r, 3) == 0 ? 1 : a[ra - k];
        int rank;
        int axis = -1;
        int bad = broadcast(ra, a, rb, b, want);
        bool fits = sinter__broadcast(ra, a, rb, b, &rank, shape, &axis);
        assert_int_equal(fits, bad < 0);
        assert_int_equal(rank, ra > rb ? ra : rb);
        if (fits) {
            assert_memory_equal(shape, want, (size_t)rank * sizeof *shape);
        } else {
            assert_int_equal(axis, bad);
        }
        fitted += fits;
    }
    assert_true(fitted > ROUNDS / 10 && fitted < ROUNDS);
}

static void a_shape_is_printed_whole(void **state)
{
    (void)state;
    char text[SINTER__SHAPE_TEXT];
    const int64_t shape[] = {32, 7, 0};
    const int64_t huge[] = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX,
                            INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX};
    assert_string_equal(sinter__shape_text(3, shape, text), "[32,7,0]");
    assert_string_equal(sinter__shape_text(0, NULL, text), "[]");
    assert_int_equal(strlen(sinter__shape_text(8, huge, text)), 8 * 20 + 1);
}

/* A step past the end leaves one element, whose stride says nothing. */
static void a_step_past_everything(void **state)
{
    (void)state;
    const int64_t shape[] = {4, 4};
    sinter__view v = sinter__view_packed(2, shape);
    v = sinter__view_slice(&v, 0, 0, INT64_MAX, 1);
    assert_int_equal(v.strides[0], 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_past_everything),
        cmocka_unit_test(views_find_what_the_model_lists),
        cmocka_unit_test(a_reshape_is_a_view_exactly_where_strides_express_it),
        cmocka_unit_test(spans_counts_and_packing_are_those_of_the_elements),
        cmocka_unit_test(shapes_broadcast_where_extents_agree_or_are_1),
        cmocka_unit_test(a_shape_is_printed_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
