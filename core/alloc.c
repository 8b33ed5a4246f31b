#include "core/alloc.h"

#include <stdlib.h>
#include <string.h>

static void *default_realloc(void *user, void *ptr, size_t old_bytes, size_t new_bytes)
{
    (void)user;
    (void)old_bytes;
    if (new_bytes == 0) {
        free(ptr);
        return NULL;
    }
    return realloc(ptr, new_bytes);
}

void sinter__allocator_init(sinter__allocator *a, sinter_realloc_fn realloc_fn, void *user)
{
    a->realloc_fn = realloc_fn != NULL ? realloc_fn : default_realloc;
    a->user = user;
    atomic_init(&a->allocations, 0);
    atomic_init(&a->live_bytes, 0);
}

static void *resize(sinter__allocator *a, void *ptr, size_t old_bytes, size_t new_bytes)
{
    void *fresh = a->realloc_fn(a->user, ptr, old_bytes, new_bytes);
    if (fresh == NULL) {
        (void)sinter__fail(SINTER_ENOMEM, "no host memory for %zu bytes", new_bytes);
        return NULL;
    }
    atomic_fetch_add_explicit(&a->allocations, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&a->live_bytes, new_bytes - old_bytes, memory_order_relaxed);
    memset((char *)fresh + old_bytes, 0, new_bytes - old_bytes);
    return fresh;
}

void *sinter__alloc(sinter__allocator *a, size_t bytes)
{
    return resize(a, NULL, 0, bytes > 0 ? bytes : 1);
}

void *sinter__alloc_array(sinter__allocator *a, size_t count, size_t bytes)
{
    size_t total;
    if (!sinter__mul_size(count, bytes, &total)) {
        (void)sinter__fail(SINTER_ENOMEM, "no host memory for %zu elements of %zu bytes", count,
                           bytes);
        return NULL;
    }
    return sinter__alloc(a, total);
}

void sinter__free(sinter__allocator *a, void *ptr, size_t bytes)
{
    if (ptr == NULL)
        return;
    size_t held = bytes > 0 ? bytes : 1;
    (void)a->realloc_fn(a->user, ptr, held, 0);
    atomic_fetch_sub_explicit(&a->live_bytes, held, memory_order_relaxed);
}

sinter_status sinter__grow(sinter__allocator *a, void **array, size_t *capacity, size_t need,
                           size_t element_bytes)
{
    if (need <= *capacity)
        return SINTER_OK;
    size_t count = SINTER__MAX(*capacity * 2, (size_t)8);
    count = SINTER__MAX(count, need);
    size_t bytes;
    if (!sinter__mul_size(count, element_bytes, &bytes))
        return sinter__fail(SINTER_ENOMEM, "no host memory for %zu elements of %zu bytes", count,
                            element_bytes);
    void *fresh = resize(a, *array, *capacity * element_bytes, bytes);
    if (fresh == NULL)
        return SINTER_ENOMEM;
    *array = fresh;
    *capacity = count;
    return SINTER_OK;
}
