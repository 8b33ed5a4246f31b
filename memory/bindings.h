/* What was planned for some values of the symbols, kept for when they come again: the least recently
 * used goes first. It allocates nothing: all lies in one block of the caller's. */
#ifndef SINTER_MEMORY_BINDINGS_H
#define SINTER_MEMORY_BINDINGS_H

#include "core/base.h"

typedef struct sinter__bindings {
    uint32_t symbols;
    uint32_t most;      /* bindings that are kept */
    size_t value_bytes; /* of what is kept for each, a multiple of 16 */
    const int64_t
        *steps; /* by symbol: its values are rounded up to multiples of it; 0: as they are */
    int64_t *keys;
    unsigned char *values;
    struct sinter__binding *bindings;
    uint32_t *buckets; /* a power of two of them */
    uint32_t bucket_mask;
    uint32_t count;
    uint32_t newest, oldest;
    uint64_t found, missed;
} sinter__bindings;

/* Bytes of the block for `most` bindings; 0 when they overflow. */
size_t sinter__bindings_bytes(uint32_t symbols, uint32_t most, size_t value_bytes);

/* An empty cache in `block`, which is aligned for any type. `most` is at least 1; `steps` may be NULL and
 * has to outlive it. */
void sinter__bindings_init(sinter__bindings *b, uint32_t symbols, uint32_t most, size_t value_bytes,
                           const int64_t *steps, void *block);

/* Rounds values, none negative, up to what is planned for: a symbol that grows by one each time then meets
 * a plan that is there. Right where no size shrinks when a symbol grows, which the caller knows.
 * false when one overflows: *wrong is which. */
bool sinter__bindings_round(const sinter__bindings *b, int64_t *values, uint32_t *wrong);

/* What is kept for the values, as the most recently used; NULL when there is nothing. */
void *sinter__bindings_find(sinter__bindings *b, const int64_t *values);

/* Room for values that were not found, in place of the least recently used when there is no other. */
void *sinter__bindings_add(sinter__bindings *b, const int64_t *values);

#endif /* SINTER_MEMORY_BINDINGS_H */
