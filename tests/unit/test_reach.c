/* Which drafts wait for which, against a search along the edges. */
#include "support/support.h"

#include "fusion/plan/reach.h"

#include <string.h>

#define DRAFTS 150

typedef struct model {
    sinter__allocator allocator;
    sinter__arena arena;
    sinter__reach r;
    uint16_t is_in[DRAFTS];     /* the draft that a draft has become */
    bool edges[DRAFTS][DRAFTS]; /* between those */
    bool reached[DRAFTS];       /* scratch */
} model;

static void start(model *m)
{
    *m = (model){.r = {0}};
    sinter__allocator_init(&m->allocator, NULL, NULL);
    sinter__arena_init(&m->arena, &m->allocator);
    OK(sinter__reach_init(&m->r, &m->arena, DRAFTS));
    for (uint16_t i = 0; i < DRAFTS; i++)
        m->is_in[i] = i;
}

static void finish(model *m)
{
    sinter__arena_finish(&m->arena);
    assert_int_equal(m->allocator.live_bytes, 0);
}

static void search(model *m, uint16_t from)
{
    uint16_t waiting[DRAFTS];
    int count = 0;
    memset(m->reached, 0, sizeof m->reached);
    waiting[count++] = from;
    while (count > 0) {
        uint16_t d = waiting[--count];
        for (uint16_t to = 0; to < DRAFTS; to++) {
            if (m->edges[d][to] && !m->reached[to]) {
                m->reached[to] = true;
                waiting[count++] = to;
            }
        }
    }
}

static void check(model *m)
{
    for (uint16_t from = 0; from < DRAFTS; from++) {
        search(m, from);
        for (uint16_t to = 0; to < DRAFTS; to++) {
            assert_int_equal(sinter__reaches(&m->r, from, to), m->reached[to]);
            bool between = false;
            for (uint16_t k = 0; k < DRAFTS; k++)
                between |= m->reached[k] && sinter__reaches(&m->r, k, to);
            assert_int_equal(sinter__reach_between(&m->r, from, to), between);
        }
    }
}

static void add(model *m, uint16_t from, uint16_t to)
{
    search(m, to);
    if (from == to || m->reached[from])
        return;
    sinter__reach_add(&m->r, from, to);
    m->edges[from][to] = true;
}

/* `b` becomes `a`, unless a third lies between them. */
static bool merge(model *m, uint16_t a, uint16_t b)
{
    if (a == b || sinter__reach_between(&m->r, a, b) || sinter__reach_between(&m->r, b, a))
        return false;
    sinter__reach_together(&m->r, a, b);
    assert_false(sinter__reaches(&m->r, a, b));
    sinter__reach_drop(&m->r, b);
    for (uint16_t k = 0; k < DRAFTS; k++) {
        m->edges[a][k] |= m->edges[b][k];
        m->edges[k][a] |= m->edges[k][b];
        m->edges[b][k] = m->edges[k][b] = false;
        if (m->is_in[k] == b)
            m->is_in[k] = a;
    }
    m->edges[a][a] = false;
    return true;
}

static void edges_and_merges_keep_the_closure(void **state)
{
    (void)state;
    int merged = 0;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        test_random r = {seed};
        model m;
        start(&m);
        for (int i = 0; i < 400; i++) {
            uint16_t a = m.is_in[test_below(&r, DRAFTS)];
            uint16_t b = m.is_in[test_below(&r, DRAFTS)];
            if (test_below(&r, 5) == 0)
                merged += merge(&m, a, b);
            else
                add(&m, a, b);
            if (i % 40 == 39)
                check(&m);
        }
        finish(&m);
    }
    assert_true(merged > 100);
}

/* As groups of a list do. */
static void drafts_that_wait_together_stay(void **state)
{
    (void)state;
    model m;
    start(&m);
    sinter__reach_add(&m.r, 1, 70);
    sinter__reach_add(&m.r, 140, 2);
    sinter__reach_together(&m.r, 70, 140);
    const uint16_t both[] = {70, 140};
    for (int i = 0; i < 2; i++) {
        assert_true(sinter__reaches(&m.r, 1, both[i]));
        assert_true(sinter__reaches(&m.r, both[i], 2));
        assert_false(sinter__reaches(&m.r, both[i], both[1 - i]));
    }
    assert_true(sinter__reaches(&m.r, 1, 2));
    assert_true(sinter__reach_between(&m.r, 1, 2));
    finish(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_and_merges_keep_the_closure),
        cmocka_unit_test(drafts_that_wait_together_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
