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

static sinter__kept_program **find(sinter__kept *k, const char *key)
{
    sinter__kept_program **at = &k->first;
    while (*at != NULL && strcmp((*at)->name, key) != 0)
        at = &(*at)->next;
    return at;
}

static void drop(sinter__kept *k, sinter__kept_program **at)
{
    sinter__kept_program *p = *at;
    *at = p->next;
    k->bytes -= p->bytes;
    sinter__free(k->allocator, p, sizeof *p + p->bytes);
}

static size_t load(void *user, const char *key, void *bytes, size_t capacity)
{
    const sinter__kept_program *p = *find(user, key);
    if (p == NULL)
        return 0;
    if (p->bytes <= capacity)
        memcpy(bytes, p->binary, p->bytes);
    return p->bytes;
}

/* Two contexts that are open at once may both have built it. */
static int store(void *user, const char *key, const void *bytes, size_t size)
{
    sinter__kept *k = user;
    sinter__kept_program **there = find(k, key);
    size_t name_bytes = strlen(key) + 1;
    if (*there != NULL)
        drop(k, there);
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
    while (k->first != NULL)
        drop(k, &k->first);
}
