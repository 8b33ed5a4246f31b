#include "executor/cache/cache.h"

#include "executor/context/env.h"

#include <stdio.h>
#include <string.h>

#define MAGIC "sinter\r\n"
#define DEFAULT_BYTES ((uint64_t)256 << 20)
#define HASH_TEXT (2 * SINTER__SHA256_BYTES)

_Static_assert(sizeof(sinter__cache_header) == 208, "files have it without holes");

/* Keys */

/* With its length in front, so that no two lists of texts run into the same bytes. */
static void add_text(sinter__sha256 *h, const char *text, size_t bytes)
{
    uint64_t length = bytes;
    sinter__sha256_add(h, &length, sizeof length);
    sinter__sha256_add(h, text, bytes);
}

void sinter__cache_depend(sinter__cache *cache, const char *text)
{
    add_text(&cache->device, text, strlen(text));
}

static void print_hash(const uint8_t hash[SINTER__SHA256_BYTES], char out[HASH_TEXT + 1])
{
    for (size_t i = 0; i < SINTER__SHA256_BYTES; i++)
        (void)snprintf(out + 2 * i, 3, "%02x", hash[i]);
}

void sinter__cache_key_of(const sinter__cache *cache, const char *kind, const char *source,
                          size_t bytes, sinter__cache_key *out)
{
    char text[HASH_TEXT + 1];
    sinter__sha256 h = cache->device;
    add_text(&h, kind, strlen(kind));
    add_text(&h, source, bytes);
    sinter__sha256_end(&h, out->hash);
    print_hash(out->hash, text);
    (void)snprintf(out->name, sizeof out->name, "%s-%s", kind, text);
}

/* Opening */

void sinter__cache_open(sinter__cache *cache, const sinter_context_options *o)
{
    char path[SINTER__ENV_PATH];
    uint32_t version = SINTER__CACHE_VERSION;
    uint32_t pointer_bytes = sizeof(void *);
    sinter__sha256_init(&cache->device);
    sinter__sha256_add(&cache->device, &version, sizeof version);
    sinter__sha256_add(&cache->device, &pointer_bytes, sizeof pointer_bytes);
    bool off = (o->switches & SINTER_NO_CACHE) != 0;
    cache->load_fn = off ? NULL : o->cache_load_fn;
    cache->store_fn = off ? NULL : o->cache_store_fn;
    cache->user = o->cache_user;
    cache->folder = (sinter__cache_folder){
        .fd = -1, .max_bytes = o->cache_bytes > 0 ? o->cache_bytes : DEFAULT_BYTES};
    if (off || o->cache_load_fn != NULL || o->cache_store_fn != NULL ||
        !sinter__env_cache_folder(o->cache_folder, path))
        return;
    sinter__cache_why why = sinter__cache_folder_open(&cache->folder, path, true);
    if (why == SINTER__CACHE_FINE)
        sinter__log_line(cache->log, SINTER__LOG_DEVICE, "program cache: %s", path);
    else
        sinter__log_line(cache->log, SINTER__LOG_WARNING, "program cache: %s is not used: %s", path,
                         sinter__cache_why_text(why));
}

void sinter__cache_close(sinter__cache *cache)
{
    sinter__cache_folder_close(&cache->folder);
}

bool sinter__cache_loads(const sinter__cache *cache)
{
    return cache->load_fn != NULL || cache->folder.fd >= 0;
}

bool sinter__cache_stores(const sinter__cache *cache)
{
    return cache->store_fn != NULL || cache->folder.fd >= 0;
}

static void count(atomic_uint_fast64_t *counter, uint64_t by)
{
    atomic_fetch_add_explicit(counter, by, memory_order_relaxed);
}

static void reject(sinter__cache *cache, const char *name, const char *why)
{
    count(&cache->counts.rejects, 1);
    sinter__log_line(cache->log, SINTER__LOG_WARNING, "program cache: %s is not used: %s", name,
                     why);
}

/* Entries */

static void hash_entry(const uint8_t *memory, size_t bytes, uint8_t out[SINTER__SHA256_BYTES])
{
    sinter__cache_header header;
    sinter__sha256 h;
    memcpy(&header, memory, sizeof header);
    memset(header.hash, 0, sizeof header.hash);
    sinter__sha256_init(&h);
    sinter__sha256_add(&h, &header, sizeof header);
    sinter__sha256_add(&h, memory + sizeof header, bytes - sizeof header);
    sinter__sha256_end(&h, out);
}

bool sinter__cache_is_whole(const uint8_t *memory, size_t bytes, const char *name)
{
    sinter__cache_header header;
    uint8_t hash[SINTER__SHA256_BYTES];
    char key[HASH_TEXT + 1];
    const char *dash = strchr(name, '-');
    if (bytes < sizeof header || dash == NULL)
        return false;
    memcpy(&header, memory, sizeof header);
    print_hash(header.key, key);
    if (memcmp(header.magic, MAGIC, sizeof header.magic) != 0 ||
        header.version != SINTER__CACHE_VERSION || header.payload_bytes != bytes - sizeof header ||
        strcmp(dash + 1, key) != 0)
        return false;
    hash_entry(memory, bytes, hash);
    return memcmp(hash, header.hash, sizeof hash) == 0;
}

sinter__cache_why sinter__cache_ask(sinter_cache_load_fn load_fn, void *user, const char *name,
                                    uint64_t max_bytes, sinter__allocator *a, uint8_t **out,
                                    size_t *bytes)
{
    *out = NULL;
    *bytes = load_fn(user, name, NULL, 0);
    if (*bytes == 0)
        return SINTER__CACHE_MISSING;
    if (*bytes > max_bytes)
        return SINTER__CACHE_TOO_LARGE;
    *out = sinter__alloc(a, *bytes);
    if (*out == NULL)
        return SINTER__CACHE_NO_MEMORY;
    if (load_fn(user, name, *out, *bytes) == *bytes)
        return SINTER__CACHE_FINE;
    sinter__free(a, *out, *bytes);
    *out = NULL;
    return SINTER__CACHE_CHANGED;
}

/* From the hook or the folder. */
static bool fetch(sinter__cache *cache, const sinter__cache_key *key, sinter__cache_entry *out)
{
    sinter__cache_why why =
        cache->load_fn != NULL
            ? sinter__cache_ask(cache->load_fn, cache->user, key->name, cache->folder.max_bytes,
                                cache->allocator, &out->memory, &out->bytes)
            : sinter__cache_folder_read(&cache->folder, key->name, true, cache->allocator,
                                        &out->memory, &out->bytes);
    if (why != SINTER__CACHE_FINE && why != SINTER__CACHE_MISSING)
        reject(cache, key->name, sinter__cache_why_text(why));
    return why == SINTER__CACHE_FINE;
}

/* Sets the mark of a file that is to be used. */
static bool may_use(sinter__cache *cache, const sinter__cache_key *key, sinter__cache_entry *entry)
{
    if (!sinter__cache_is_whole(entry->memory, entry->bytes, key->name)) {
        reject(cache, key->name, "it is damaged, or made by another version");
        return false;
    }
    if (cache->folder.fd < 0)
        return true;
    entry->mark = sinter__cache_folder_mark(&cache->folder, key->name);
    if (entry->mark < 0)
        reject(cache, key->name,
               entry->mark == SINTER__MARK_CRASHED ? "a process that used it did not survive"
                                                   : "it cannot be marked as in use");
    return entry->mark >= 0;
}

bool sinter__cache_load(sinter__cache *cache, const sinter__cache_key *key,
                        sinter__cache_entry *out)
{
    *out = (sinter__cache_entry){.mark = SINTER__MARK_NONE};
    if (!sinter__cache_loads(cache) || !fetch(cache, key, out))
        return false;
    if (!may_use(cache, key, out)) {
        sinter__cache_free(cache, out);
        return false;
    }
    out->payload = out->memory + sizeof(sinter__cache_header);
    out->payload_bytes = out->bytes - sizeof(sinter__cache_header);
    count(&cache->counts.hits, 1);
    count(&cache->counts.read_bytes, out->bytes);
    return true;
}

void sinter__cache_free(sinter__cache *cache, sinter__cache_entry *entry)
{
    sinter__free(cache->allocator, entry->memory, SINTER__MAX(entry->bytes, (size_t)1));
    entry->memory = NULL;
}

void sinter__cache_unmark(sinter__cache *cache, const sinter__cache_key *key, int mark)
{
    sinter__cache_folder_unmark(&cache->folder, key->name, mark);
}

void sinter__cache_refused(sinter__cache *cache, const sinter__cache_key *key)
{
    atomic_fetch_sub_explicit(&cache->counts.hits, 1, memory_order_relaxed);
    reject(cache, key->name, "the driver does not take it");
}

/* A mark that a dead process left was about what was there before. */
static bool write_file(sinter__cache *cache, const sinter__cache_key *key, const uint8_t *memory,
                       size_t bytes)
{
    sinter__cache_unmark(cache, key, sinter__cache_folder_mark(&cache->folder, key->name));
    return sinter__cache_folder_write(&cache->folder, key->name, memory, bytes);
}

void sinter__cache_store(sinter__cache *cache, const sinter__cache_key *key, uint8_t *memory,
                         size_t bytes)
{
    sinter__cache_header header = {.version = SINTER__CACHE_VERSION,
                                   .payload_bytes = bytes - sizeof header};
    memcpy(header.magic, MAGIC, sizeof header.magic);
    memcpy(header.key, key->hash, sizeof header.key);
    memcpy(header.label, cache->label, sizeof header.label);
    memcpy(memory, &header, sizeof header);
    hash_entry(memory, bytes, header.hash);
    memcpy(memory, &header, sizeof header);
    bool kept = cache->store_fn != NULL
                    ? cache->store_fn(cache->user, key->name, memory, bytes) != 0
                    : cache->folder.fd >= 0 && write_file(cache, key, memory, bytes);
    if (!kept) {
        sinter__log_line(cache->log, SINTER__LOG_DEVICE,
                         "program cache: %s of %zu bytes is not kept", key->name, bytes);
        return;
    }
    count(&cache->counts.stores, 1);
    count(&cache->counts.written_bytes, bytes);
}
