#include "core/arena.h"

#include <stdalign.h>
#include <string.h>

#define CHUNK_BYTES ((size_t)4096)

void sinter__arena_init(sinter__arena *arena, sinter__allocator *a)
{
    *arena = (sinter__arena){.allocator = a};
}

void sinter__arena_finish(sinter__arena *arena)
{
    sinter__arena_chunk *chunk = arena->chunks;
    while (chunk != NULL) {
        sinter__arena_chunk *next = chunk->next;
        sinter__free(arena->allocator, chunk, chunk->bytes);
        chunk = next;
    }
    arena->chunks = NULL;
    arena->bytes = 0;
}

void *sinter__arena_alloc(sinter__arena *arena, size_t bytes)
{
    const size_t unit = alignof(max_align_t);
    const size_t header = (size_t)sinter__align_up(sizeof(sinter__arena_chunk), unit);
    size_t need = (size_t)sinter__align_up(bytes, unit);
    sinter__arena_chunk *chunk = arena->chunks;
    if (chunk == NULL || chunk->bytes - chunk->used < need) {
        size_t total = SINTER__MAX(CHUNK_BYTES, header + need);
        chunk = sinter__alloc(arena->allocator, total);
        if (chunk == NULL)
            return NULL;
        chunk->next = arena->chunks;
        chunk->bytes = total;
        chunk->used = header;
        arena->chunks = chunk;
        arena->bytes += total;
    }
    void *out = (char *)chunk + chunk->used;
    chunk->used += need;
    return out;
}

void *sinter__arena_array(sinter__arena *arena, size_t count, size_t bytes)
{
    size_t total;
    if (!sinter__mul_size(count, bytes, &total)) {
        (void)sinter__fail(SINTER_ENOMEM, "no host memory for %zu elements of %zu bytes", count,
                           bytes);
        return NULL;
    }
    return sinter__arena_alloc(arena, total);
}

void *sinter__arena_copy(sinter__arena *arena, const void *from, size_t count, size_t bytes)
{
    void *out = sinter__arena_array(arena, count, bytes);
    if (out != NULL && count > 0)
        memcpy(out, from, count * bytes);
    return out;
}
