#include "executor/profile/kept.h"

#include "executor/cache/cache_folder.h"

#include <string.h>

#define MOST_BYTES ((size_t)32 << 20) /* what is too much is built anew */

struct sinter__kept_program {
    sinter__kept_program *next;
    size_t bytes;
    char name[SINTER__CACHE_NAME];
    uint8_t binary[];
};

static size_t load(void *user, const char *key, void *bytes, size_t capacity)
{
    const sinter__kept *k = user;
    const sinter__kept_program *p = k->first;
    while (p != NULL && strcmp(p->name, key) != 0)
        p = p->next;
    if (p == NULL)
        return 0;
    if (p->bytes <= capacity)
        memcpy(bytes, p->binary, p->bytes);
    return p->bytes;
}

/* Under a key nothing is kept twice: what is found is not built. */
static int store(void *user, const char *key, const void *bytes, size_t size)
{
    sinter__kept *k = user;
    size_t name_bytes = strlen(key) + 1;
    if (size > MOST_BYTES - k->bytes || name_bytes > SINTER__CACHE_NAME)
        return 0;
    sinter__kept_program *p = sinter__alloc(k->allocator, sizeof *p + size);
    if (p == NULL)
        return 0;
    memcpy(p->name, key, name_bytes);
    memcpy(p->binary, bytes, size);
    p->bytes = size;
    p->next = k->first;
    k->first = p;
    k->bytes += size;
    return 1;
}

void sinter__kept_hooks(sinter__kept *k, sinter_context_options *o)
{
    o->cache_load_fn = load;
    o->cache_store_fn = store;
    o->cache_user = k;
}

void sinter__kept_finish(sinter__kept *k)
{
    for (sinter__kept_program *next, *p = k->first; p != NULL; p = next) {
        next = p->next;
        sinter__free(k->allocator, p, sizeof *p + p->bytes);
    }
    k->first = NULL;
    k->bytes = 0;
}
