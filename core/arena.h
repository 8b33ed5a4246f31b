/* Memory that is freed all at once: a plan and everything it points to. */
#ifndef SINTER_CORE_ARENA_H
#define SINTER_CORE_ARENA_H

#include "core/alloc.h"

typedef struct sinter__arena_chunk {
    struct sinter__arena_chunk *next;
    size_t bytes; /* of the chunk, this header included */
    size_t used;
} sinter__arena_chunk;

typedef struct sinter__arena {
    sinter__allocator *allocator;
    sinter__arena_chunk *chunks;
    size_t bytes; /* of all chunks */
} sinter__arena;

void sinter__arena_init(sinter__arena *arena, sinter__allocator *a);
void sinter__arena_finish(sinter__arena *arena);

/* Zeroed memory, aligned for any type; NULL with SINTER_ENOMEM's message set. */
void *sinter__arena_alloc(sinter__arena *arena, size_t bytes);
void *sinter__arena_array(sinter__arena *arena, size_t count, size_t bytes);

/* A copy of `count` elements. */
void *sinter__arena_copy(sinter__arena *arena, const void *from, size_t count, size_t bytes);

#endif /* SINTER_CORE_ARENA_H */
