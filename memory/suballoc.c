#include "memory/suballoc.h"

#include <string.h>

#define LIST_LOG2 4  /* SINTER__SUBALLOC_LISTS is 16 */
#define NEAR_TRIES 8 /* blocks of its own list that a request looks at */

static unsigned top_bit(uint64_t x)
{
    return 63u - (unsigned)__builtin_clzll(x);
}

/* List of blocks of `units`: the power of two, and a sixteenth of it. */
static void list_of(uint64_t units, unsigned *level, unsigned *list)
{
    if (units < SINTER__SUBALLOC_LISTS) {
        *level = 0;
        *list = (unsigned)units;
        return;
    }
    unsigned top = top_bit(units);
    *level = top - LIST_LOG2 + 1;
    *list = (unsigned)(units >> (top - LIST_LOG2)) & (SINTER__SUBALLOC_LISTS - 1);
}

/* The first list all of whose blocks hold `units`. */
static void list_from(uint64_t units, unsigned *level, unsigned *list)
{
    if (units >= SINTER__SUBALLOC_LISTS)
        units += ((uint64_t)1 << (top_bit(units) - LIST_LOG2)) - 1;
    list_of(units, level, list);
}

static uint64_t units_of(const sinter__suballoc *s, uint32_t block)
{
    return s->blocks[block].bytes >>
           s->alignment_log2; /* a division takes longer than all else here */
}

static void insert_free(sinter__suballoc *s, uint32_t block)
{
    unsigned level;
    unsigned list;
    list_of(units_of(s, block), &level, &list);
    sinter__block *b = &s->blocks[block];
    b->is_free = true;
    b->prev = SINTER__NO_BLOCK;
    b->next = s->lists[level][list];
    if (b->next != SINTER__NO_BLOCK)
        s->blocks[b->next].prev = block;
    s->lists[level][list] = block;
    s->level_bits |= (uint64_t)1 << level;
    s->list_bits[level] |= 1u << list;
}

static void remove_free(sinter__suballoc *s, uint32_t block)
{
    unsigned level;
    unsigned list;
    list_of(units_of(s, block), &level, &list);
    sinter__block *b = &s->blocks[block];
    b->is_free = false;
    if (b->next != SINTER__NO_BLOCK)
        s->blocks[b->next].prev = b->prev;
    if (b->prev != SINTER__NO_BLOCK) {
        s->blocks[b->prev].next = b->next;
        return;
    }
    s->lists[level][list] = b->next;
    if (b->next == SINTER__NO_BLOCK) {
        s->list_bits[level] &= ~(1u << list);
        if (s->list_bits[level] == 0)
            s->level_bits &= ~((uint64_t)1 << level);
    }
}

static uint32_t new_record(sinter__suballoc *s)
{
    uint32_t block = s->unused;
    if (block != SINTER__NO_BLOCK) {
        s->unused = s->blocks[block].next;
        return block;
    }
    void *blocks = s->blocks;
    if (sinter__grow(s->allocator, &blocks, &s->block_capacity, s->block_count + 1,
                     sizeof *s->blocks) != SINTER_OK)
        return SINTER__NO_BLOCK;
    s->blocks = blocks;
    return (uint32_t)s->block_count++;
}

SINTER__COLD sinter_status sinter__suballoc_init(sinter__suballoc *s, sinter__allocator *a,
                                                 uint64_t capacity_bytes, uint64_t alignment_bytes)
{
    *s = (sinter__suballoc){.allocator = a,
                            .alignment_bytes = alignment_bytes,
                            .alignment_log2 = top_bit(alignment_bytes),
                            .capacity_bytes = capacity_bytes / alignment_bytes * alignment_bytes,
                            .unused = SINTER__NO_BLOCK};
    for (int i = 0; i < SINTER__SUBALLOC_LEVELS; i++) {
        for (int k = 0; k < SINTER__SUBALLOC_LISTS; k++)
            s->lists[i][k] = SINTER__NO_BLOCK;
    }
    uint32_t all = new_record(s);
    if (all == SINTER__NO_BLOCK)
        return SINTER_ENOMEM;
    s->blocks[all] = (sinter__block){
        .bytes = s->capacity_bytes, .before = SINTER__NO_BLOCK, .after = SINTER__NO_BLOCK};
    insert_free(s, all);
    return SINTER_OK;
}

SINTER__COLD void sinter__suballoc_finish(sinter__suballoc *s)
{
    sinter__free(s->allocator, s->blocks, s->block_capacity * sizeof *s->blocks);
    s->blocks = NULL;
}

SINTER__COLD sinter_status sinter__suballoc_copy(sinter__suballoc *copy, const sinter__suballoc *s)
{
    *copy = *s;
    copy->block_capacity = s->block_count;
    copy->blocks = sinter__alloc_array(s->allocator, s->block_count, sizeof *s->blocks);
    if (copy->blocks == NULL)
        return SINTER_ENOMEM;
    memcpy(copy->blocks, s->blocks, s->block_count * sizeof *s->blocks);
    return SINTER_OK;
}

uint64_t sinter__suballoc_largest_free(const sinter__suballoc *s)
{
    uint64_t largest = 0;
    for (unsigned level = 0; level < SINTER__SUBALLOC_LEVELS; level++) {
        for (unsigned list = 0; list < SINTER__SUBALLOC_LISTS; list++) {
            for (uint32_t b = s->lists[level][list]; b != SINTER__NO_BLOCK; b = s->blocks[b].next)
                largest = SINTER__MAX(largest, s->blocks[b].bytes);
        }
    }
    return largest;
}

/* A block that fits among the first few of the list that `units` is in itself: one given back a
 * moment ago, or a slab made for just this size. list_from() passes over that list, because not all
 * of its blocks fit. */
static uint32_t find_near(const sinter__suballoc *s, uint64_t units)
{
    unsigned level;
    unsigned list;
    list_of(units, &level, &list);
    if (level >= SINTER__SUBALLOC_LEVELS)
        return SINTER__NO_BLOCK;
    uint32_t block = s->lists[level][list];
    for (int i = 0; i < NEAR_TRIES && block != SINTER__NO_BLOCK; i++) {
        if (units_of(s, block) >= units)
            return block;
        block = s->blocks[block].next;
    }
    return SINTER__NO_BLOCK;
}

static uint32_t find_free(const sinter__suballoc *s, uint64_t units)
{
    unsigned level;
    unsigned list;
    uint32_t near = find_near(s, units);
    if (near != SINTER__NO_BLOCK)
        return near;
    list_from(units, &level, &list);
    if (level >= SINTER__SUBALLOC_LEVELS)
        return SINTER__NO_BLOCK;
    uint32_t in_level = s->list_bits[level] & (~0u << list);
    if (in_level == 0) {
        uint64_t above = level + 1 < 64 ? s->level_bits & (~(uint64_t)0 << (level + 1)) : 0;
        if (above == 0)
            return SINTER__NO_BLOCK;
        level = (unsigned)__builtin_ctzll(above);
        in_level = s->list_bits[level];
    }
    return s->lists[level][__builtin_ctz(in_level)];
}

/* Cuts what is over `bytes` off `block`, as a free block after it. */
static void split(sinter__suballoc *s, uint32_t block, uint64_t bytes, uint32_t rest)
{
    sinter__block *b = &s->blocks[block];
    sinter__block *r = &s->blocks[rest];
    *r = (sinter__block){.offset_bytes = b->offset_bytes + bytes,
                         .bytes = b->bytes - bytes,
                         .before = block,
                         .after = b->after};
    if (b->after != SINTER__NO_BLOCK)
        s->blocks[b->after].before = rest;
    b->after = rest;
    b->bytes = bytes;
    insert_free(s, rest);
}

uint32_t sinter__suballoc_take(sinter__suballoc *s, uint64_t bytes)
{
    if (bytes > s->capacity_bytes)
        return SINTER__NO_BLOCK;
    uint64_t size = sinter__align_up(SINTER__MAX(bytes, (uint64_t)1), s->alignment_bytes);
    uint32_t block = find_free(s, size >> s->alignment_log2);
    if (block == SINTER__NO_BLOCK)
        return SINTER__NO_BLOCK;
    if (s->blocks[block].bytes > size) {
        uint32_t rest = new_record(s);
        if (rest == SINTER__NO_BLOCK)
            return SINTER__NO_BLOCK;
        remove_free(s, block);
        split(s, block, size, rest);
    } else {
        remove_free(s, block);
    }
    s->used_bytes += size;
    return block;
}

static void drop_record(sinter__suballoc *s, uint32_t block)
{
    s->blocks[block].next = s->unused;
    s->unused = block;
}

/* Makes `b`, the neighbour after `a`, a part of it. */
static void join(sinter__suballoc *s, uint32_t a, uint32_t b)
{
    s->blocks[a].bytes += s->blocks[b].bytes;
    s->blocks[a].after = s->blocks[b].after;
    if (s->blocks[b].after != SINTER__NO_BLOCK)
        s->blocks[s->blocks[b].after].before = a;
    drop_record(s, b);
}

void sinter__suballoc_give(sinter__suballoc *s, uint32_t block)
{
    s->used_bytes -= s->blocks[block].bytes;
    uint32_t after = s->blocks[block].after;
    if (after != SINTER__NO_BLOCK && s->blocks[after].is_free) {
        remove_free(s, after);
        join(s, block, after);
    }
    uint32_t before = s->blocks[block].before;
    if (before != SINTER__NO_BLOCK && s->blocks[before].is_free) {
        remove_free(s, before);
        join(s, before, block);
        block = before;
    }
    insert_free(s, block);
}
