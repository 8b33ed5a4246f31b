/* A table of chains for finding, a list by time of use for leaving; both by numbers of bindings. */
#include "memory/bindings.h"

#include "memory/carve.h"

#include <string.h>

#define NONE UINT32_MAX

typedef struct sinter__binding {
    uint32_t next;         /* in its chain */
    uint32_t newer, older; /* in the list by time of use */
    uint32_t bucket;
} sinter__binding;

/* Where everything lies in the block, and how many bytes it takes; 0 when they overflow. */
static size_t lay_out(sinter__bindings *b, char *base)
{
    size_t used = 0;
    size_t buckets = 1;
    while (buckets < b->most)
        buckets *= 2;
    b->bucket_mask = (uint32_t)(buckets - 1);
    b->keys = sinter__carve(base, &used, (size_t)b->symbols * b->most, sizeof *b->keys);
    b->values = sinter__carve(base, &used, b->most, b->value_bytes);
    b->bindings = sinter__carve(base, &used, b->most, sizeof *b->bindings);
    b->buckets = sinter__carve(base, &used, buckets, sizeof *b->buckets);
    return used != SIZE_MAX ? used : 0;
}

size_t sinter__bindings_bytes(uint32_t symbols, uint32_t most, size_t value_bytes)
{
    static char base[1];
    sinter__bindings b = {.symbols = symbols, .most = most, .value_bytes = value_bytes};
    return lay_out(&b, base);
}

void sinter__bindings_init(sinter__bindings *b, uint32_t symbols, uint32_t most, size_t value_bytes,
                           const int64_t *steps, void *block)
{
    *b = (sinter__bindings){.symbols = symbols,
                            .most = most,
                            .value_bytes = value_bytes,
                            .steps = steps,
                            .newest = NONE,
                            .oldest = NONE};
    (void)lay_out(b, block);
    memset(b->buckets, 0xff, ((size_t)b->bucket_mask + 1) * sizeof *b->buckets); /* NONE */
}

bool sinter__bindings_round(const sinter__bindings *b, int64_t *values, uint32_t *wrong)
{
    for (uint32_t i = 0; i < b->symbols && b->steps != NULL; i++) {
        int64_t step = b->steps[i];
        int64_t rest = step > 1 ? values[i] % step : 0;
        *wrong = i;
        if (rest > 0 && __builtin_add_overflow(values[i], step - rest, &values[i]))
            return false;
    }
    return true;
}

static uint32_t bucket_of(const sinter__bindings *b, const int64_t *values)
{
    uint64_t hash = 0;
    for (uint32_t i = 0; i < b->symbols; i++) {
        hash = (hash ^ (uint64_t)values[i]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    return (uint32_t)hash & b->bucket_mask;
}

/* Takes a binding out of the list by time of use. */
static void unlink_use(sinter__bindings *b, uint32_t i)
{
    const sinter__binding *e = &b->bindings[i];
    if (e->newer != NONE)
        b->bindings[e->newer].older = e->older;
    else
        b->newest = e->older;
    if (e->older != NONE)
        b->bindings[e->older].newer = e->newer;
    else
        b->oldest = e->newer;
}

static void link_newest(sinter__bindings *b, uint32_t i)
{
    b->bindings[i].newer = NONE;
    b->bindings[i].older = b->newest;
    if (b->newest != NONE)
        b->bindings[b->newest].newer = i;
    else
        b->oldest = i;
    b->newest = i;
}

void *sinter__bindings_find(sinter__bindings *b, const int64_t *values)
{
    uint32_t i = b->buckets[bucket_of(b, values)];
    while (i != NONE &&
           memcmp(b->keys + (size_t)i * b->symbols, values, b->symbols * sizeof *values) != 0)
        i = b->bindings[i].next;
    if (i == NONE) {
        b->missed++;
        return NULL;
    }
    b->found++;
    unlink_use(b, i);
    link_newest(b, i);
    return b->values + i * b->value_bytes;
}

/* The least recently used, taken out of its chain. */
static uint32_t drop_oldest(sinter__bindings *b)
{
    uint32_t i = b->oldest;
    uint32_t *link = &b->buckets[b->bindings[i].bucket];
    while (*link != i)
        link = &b->bindings[*link].next;
    *link = b->bindings[i].next;
    unlink_use(b, i);
    return i;
}

void *sinter__bindings_add(sinter__bindings *b, const int64_t *values)
{
    uint32_t i = b->count < b->most ? b->count++ : drop_oldest(b);
    uint32_t bucket = bucket_of(b, values);
    memcpy(b->keys + (size_t)i * b->symbols, values, b->symbols * sizeof *values);
    b->bindings[i].next = b->buckets[bucket];
    b->bindings[i].bucket = bucket;
    b->buckets[bucket] = i;
    link_newest(b, i);
    return b->values + i * b->value_bytes;
}
