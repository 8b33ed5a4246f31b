/* A constant-time allocator of offsets inside a slab: two-level segregated fit (Masmano et al.,
 * 2004).
 *
 * Bookkeeping lies in host memory beside the slab, never in it. Sizes are rounded up to the
 * alignment. */
#ifndef SINTER_MEMORY_SUBALLOC_H
#define SINTER_MEMORY_SUBALLOC_H

#include "core/alloc.h"

#define SINTER__SUBALLOC_LEVELS 58
#define SINTER__SUBALLOC_LISTS 16
#define SINTER__NO_BLOCK UINT32_MAX

typedef struct sinter__block {
    uint64_t offset_bytes;
    uint64_t bytes;
    uint32_t before, after; /* neighbours in the slab */
    uint32_t prev, next;    /* in the free list; next also links unused records */
    bool is_free;
} sinter__block;

typedef struct sinter__suballoc {
    sinter__allocator *allocator;
    uint64_t alignment_bytes; /* a power of two */
    unsigned alignment_log2;
    uint64_t capacity_bytes;
    uint64_t used_bytes;
    uint64_t level_bits;
    uint32_t list_bits[SINTER__SUBALLOC_LEVELS];
    uint32_t lists[SINTER__SUBALLOC_LEVELS][SINTER__SUBALLOC_LISTS];
    sinter__block *blocks;
    size_t block_count, block_capacity;
    uint32_t unused;
} sinter__suballoc;

sinter_status sinter__suballoc_init(sinter__suballoc *s, sinter__allocator *a,
                                    uint64_t capacity_bytes, uint64_t alignment_bytes);
void sinter__suballoc_finish(sinter__suballoc *s);

/* `s` as it is now, to try on: the two go apart from there. Finished like any other. */
sinter_status sinter__suballoc_copy(sinter__suballoc *copy, const sinter__suballoc *s);

/* The largest free block; looks at all blocks. */
uint64_t sinter__suballoc_largest_free(const sinter__suballoc *s);

/* A block of at least `bytes`, or SINTER__NO_BLOCK when no free one is large enough (or, with the
 * message set, when there is no host memory for its record). */
uint32_t sinter__suballoc_take(sinter__suballoc *s, uint64_t bytes);

/* Gives a block back; it joins its free neighbours. */
void sinter__suballoc_give(sinter__suballoc *s, uint32_t block);

#endif /* SINTER_MEMORY_SUBALLOC_H */
