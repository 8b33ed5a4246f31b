/* The slab's sub-allocator against a model that looks at every pair of blocks. */
#include "support/support.h"

#include "memory/suballoc.h"

#define ALIGNMENT 64u
#define CAPACITY (ALIGNMENT * 4096u)
#define MOST_LIVE 200

typedef struct model {
    sinter__allocator allocator;
    sinter__suballoc s;
    uint32_t live[MOST_LIVE];
    size_t count;
} model;

static void start(model *m, uint64_t capacity)
{
    *m = (model){0};
    sinter__allocator_init(&m->allocator, NULL, NULL);
    OK(sinter__suballoc_init(&m->s, &m->allocator, capacity, ALIGNMENT));
}

/* Nothing may be left, neither in the slab nor on the host. */
static void finish(model *m)
{
    assert_int_equal(m->s.used_bytes, 0);
    sinter__suballoc_finish(&m->s);
    assert_int_equal(m->allocator.live_bytes, 0);
}

static const sinter__block *block(const model *m, size_t i)
{
    return &m->s.blocks[m->live[i]];
}

static bool overlaps(const sinter__block *a, const sinter__block *b)
{
    return a->offset_bytes < b->offset_bytes + b->bytes &&
           b->offset_bytes < a->offset_bytes + a->bytes;
}

/* Bytes that are free from `from` on. */
static uint64_t gap_at(const model *m, uint64_t from)
{
    uint64_t end = m->s.capacity_bytes;
    for (size_t i = 0; i < m->count; i++) {
        const sinter__block *b = block(m, i);
        if (b->offset_bytes + b->bytes <= from)
            continue;
        if (b->offset_bytes <= from)
            return 0;
        end = SINTER__MIN(end, b->offset_bytes);
    }
    return end - from;
}

static uint64_t largest_gap(const model *m)
{
    uint64_t largest = gap_at(m, 0);
    for (size_t i = 0; i < m->count; i++) {
        uint64_t end = block(m, i)->offset_bytes + block(m, i)->bytes;
        largest = SINTER__MAX(largest, gap_at(m, end));
    }
    return largest;
}

static void check_taken(const model *m, uint64_t bytes)
{
    const sinter__block *b = block(m, m->count - 1);
    assert_true(b->bytes >= bytes && b->bytes < bytes + ALIGNMENT + (bytes == 0));
    assert_int_equal(b->offset_bytes % ALIGNMENT, 0);
    assert_true(b->offset_bytes + b->bytes <= m->s.capacity_bytes);
    for (size_t i = 0; i + 1 < m->count; i++)
        assert_false(overlaps(b, block(m, i)));
}

/* A request is refused only when no gap of its class is left: a class is a sixteenth wide. */
static void check_refused(const model *m, uint64_t bytes)
{
    uint64_t rounded = sinter__align_up(bytes, ALIGNMENT);
    assert_true(largest_gap(m) < rounded + rounded / 16 + ALIGNMENT);
}

static void check_used(const model *m)
{
    uint64_t used = 0;
    for (size_t i = 0; i < m->count; i++)
        used += block(m, i)->bytes;
    assert_int_equal(m->s.used_bytes, used);
}

static void take(model *m, uint64_t bytes)
{
    uint32_t taken = sinter__suballoc_take(&m->s, bytes);
    if (taken == SINTER__NO_BLOCK) {
        check_refused(m, bytes);
        return;
    }
    m->live[m->count++] = taken;
    check_taken(m, bytes);
}

static void give(model *m, size_t i)
{
    sinter__suballoc_give(&m->s, m->live[i]);
    m->live[i] = m->live[--m->count];
}

/* Sizes of every magnitude, from nothing to an eighth of the slab. */
static uint64_t random_bytes(test_random *r)
{
    return test_below(r, 1u << test_below(r, 16));
}

static void random_blocks_never_overlap(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        model m;
        test_random r = {seed};
        start(&m, CAPACITY);
        for (int step = 0; step < 3000; step++) {
            bool takes = m.count == 0 || (m.count < MOST_LIVE && test_below(&r, 5) < 3);
            if (takes)
                take(&m, random_bytes(&r));
            else
                give(&m, test_below(&r, (uint32_t)m.count));
            check_used(&m);
        }
        while (m.count > 0)
            give(&m, test_below(&r, (uint32_t)m.count));
        take(&m, CAPACITY);
        assert_int_equal(m.count, 1);
        give(&m, 0);
        finish(&m);
    }
}

/* Three neighbours, given back in each order, are one block again. */
static void free_neighbours_become_one(void **state)
{
    (void)state;
    static const size_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                        {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int i = 0; i < 6; i++) {
        model m;
        uint32_t blocks[3];
        start(&m, 3 * ALIGNMENT);
        for (int k = 0; k < 3; k++) {
            blocks[k] = sinter__suballoc_take(&m.s, ALIGNMENT);
            assert_int_not_equal(blocks[k], SINTER__NO_BLOCK);
        }
        assert_int_equal(sinter__suballoc_take(&m.s, 1), SINTER__NO_BLOCK);
        for (int k = 0; k < 3; k++)
            sinter__suballoc_give(&m.s, blocks[orders[i][k]]);
        uint32_t all = sinter__suballoc_take(&m.s, 3 * ALIGNMENT);
        assert_int_not_equal(all, SINTER__NO_BLOCK);
        sinter__suballoc_give(&m.s, all);
        finish(&m);
    }
}

/* What a training loop does for ever: the same sizes in the same order. */
static void a_loop_does_not_grow(void **state)
{
    (void)state;
    model m;
    static const uint64_t sizes[] = {100, 70000, 3, 4096, 64, 12345};
    const size_t count = SINTER__COUNT(sizes);
    uint64_t first[SINTER__COUNT(sizes)];
    uint64_t allocations = 0;
    start(&m, CAPACITY);
    for (int step = 0; step < 1000; step++) {
        for (size_t i = 0; i < count; i++)
            take(&m, sizes[i]);
        assert_int_equal(m.count, count);
        for (size_t i = 0; i < count; i++) {
            if (step == 0)
                first[i] = block(&m, i)->offset_bytes;
            assert_int_equal(block(&m, i)->offset_bytes, first[i]);
        }
        while (m.count > 0)
            give(&m, 0);
        if (step == 0)
            allocations = m.allocator.allocations;
        assert_int_equal(m.allocator.allocations, allocations);
    }
    finish(&m);
}

static void a_block_given_back_is_taken_first(void **state)
{
    (void)state;
    model m;
    start(&m, CAPACITY);
    take(&m, 5000);
    take(&m, 1); /* keeps the first from joining the rest of the slab */
    uint64_t offset = block(&m, 0)->offset_bytes;
    sinter__suballoc_give(&m.s, m.live[0]);
    m.live[0] = sinter__suballoc_take(&m.s, 5000);
    assert_int_equal(block(&m, 0)->offset_bytes, offset);
    while (m.count > 0)
        give(&m, 0);
    finish(&m);
}

static void sizes_at_the_edges(void **state)
{
    (void)state;
    model m;
    start(&m, 10 * ALIGNMENT + ALIGNMENT / 2); /* the half unit at the end is not used */
    assert_int_equal(m.s.capacity_bytes, 10 * ALIGNMENT);
    take(&m, 0);
    assert_int_equal(block(&m, 0)->bytes, ALIGNMENT);
    give(&m, 0);
    assert_int_equal(sinter__suballoc_take(&m.s, 10 * ALIGNMENT + 1), SINTER__NO_BLOCK);
    assert_int_equal(sinter__suballoc_take(&m.s, UINT64_MAX), SINTER__NO_BLOCK);
    take(&m, 10 * ALIGNMENT - 1);
    assert_int_equal(sinter__suballoc_take(&m.s, 1), SINTER__NO_BLOCK);
    give(&m, 0);
    finish(&m);
}

static void a_slab_of_a_terabyte(void **state)
{
    (void)state;
    model m;
    const uint64_t tera = (uint64_t)1 << 40;
    start(&m, tera);
    take(&m, tera / 2 + 1);
    take(&m, tera / 4);
    assert_int_equal(m.count, 2);
    assert_int_equal(sinter__suballoc_take(&m.s, tera / 4), SINTER__NO_BLOCK);
    while (m.count > 0)
        give(&m, 0);
    finish(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_blocks_never_overlap),
        cmocka_unit_test(free_neighbours_become_one),
        cmocka_unit_test(a_loop_does_not_grow),
        cmocka_unit_test(a_block_given_back_is_taken_first),
        cmocka_unit_test(sizes_at_the_edges),
        cmocka_unit_test(a_slab_of_a_terabyte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
