/* Host memory. Everything the library holds on the host goes through one hook with sizes, so that
 * the caller can count it, bound it, and make the n-th allocation fail. */
#ifndef SINTER_CORE_ALLOC_H
#define SINTER_CORE_ALLOC_H

#include "core/base.h"
#include "sinter/context.h"

#include <stdatomic.h>

typedef struct sinter__allocator {
    sinter_realloc_fn realloc_fn;
    void *user;
    atomic_uint_fast64_t allocations; /* calls that got memory */
    atomic_uint_fast64_t live_bytes;
} sinter__allocator;

/* `realloc_fn` NULL: the C library's. */
void sinter__allocator_init(sinter__allocator *a, sinter_realloc_fn realloc_fn, void *user);

/* `bytes` zeroed bytes, or NULL with SINTER_ENOMEM's message set. Freed with the same size. */
void *sinter__alloc(sinter__allocator *a, size_t bytes);

/* `count` zeroed elements of `bytes`; NULL also when the product overflows. */
void *sinter__alloc_array(sinter__allocator *a, size_t count, size_t bytes);

/* NULL is accepted. */
void sinter__free(sinter__allocator *a, void *ptr, size_t bytes);

/* Grows an array of `*capacity` elements so that it holds `need`; new elements are zero. */
sinter_status sinter__grow(sinter__allocator *a, void **array, size_t *capacity, size_t need,
                           size_t element_bytes);

#endif /* SINTER_CORE_ALLOC_H */
