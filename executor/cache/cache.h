/* What one process makes with effort and the next can use: compiled programs, by the hash of all
 * that they depend on. Entries lie in a folder (executor/cache/cache_folder.h) or with the caller's hooks.
 *
 * An entry is a header and a payload, with a hash over both: a driver does not survive a damaged
 * binary, so it sees none of it before all of it was verified. Nothing here fails: what goes wrong
 * is counted, told to the log, and the work is done without the cache. */
#ifndef SINTER_EXECUTOR_CACHE_H
#define SINTER_EXECUTOR_CACHE_H

#include "core/log.h"
#include "core/sha256.h"
#include "executor/cache/cache_folder.h"

/* Changes with the header's layout, and when a payload's meaning does. */
#define SINTER__CACHE_VERSION 1
#define SINTER__CACHE_LABEL 120

typedef struct sinter__cache_header {
    char magic[8];
    uint32_t version;
    uint32_t reserved; /* 0 */
    uint64_t payload_bytes;
    uint8_t key[SINTER__SHA256_BYTES];
    uint8_t hash[SINTER__SHA256_BYTES]; /* of the header with zeros here, and the payload */
    char label[SINTER__CACHE_LABEL];    /* for people: what made it */
} sinter__cache_header;

typedef struct sinter__cache_counts {
    atomic_uint_fast64_t hits, rejects, stores, read_bytes, written_bytes;
} sinter__cache_counts;

typedef struct sinter__cache {
    sinter__allocator *allocator;
    const sinter__log *log;
    sinter_cache_load_fn load_fn; /* NULL: the folder */
    sinter_cache_store_fn store_fn;
    void *user;
    sinter__cache_folder folder;
    sinter__sha256 device; /* what every key begins with */
    char label[SINTER__CACHE_LABEL];
    sinter__cache_counts counts;
} sinter__cache;

typedef struct sinter__cache_key {
    char name[SINTER__CACHE_NAME]; /* its kind, "-" and the hash */
    uint8_t hash[SINTER__SHA256_BYTES];
} sinter__cache_key;

/* The folder that the options, or the environment, name; none when there is no use for it. The
 * other fields are set by the caller before. */
void sinter__cache_open(sinter__cache *cache, const sinter_context_options *options);
void sinter__cache_close(sinter__cache *cache);

/* What the caller's hook has under a name, of which it is asked the size first; to be freed with its size. */
sinter__cache_why sinter__cache_ask(sinter_cache_load_fn load_fn, void *user, const char *name,
                                    uint64_t max_bytes, sinter__allocator *a, uint8_t **out,
                                    size_t *bytes);

/* Adds to what every key depends on. */
void sinter__cache_depend(sinter__cache *cache, const char *text);

/* The key of what is made of `source`; `kind` is a word: "program". */
void sinter__cache_key_of(const sinter__cache *cache, const char *kind, const char *source,
                          size_t bytes, sinter__cache_key *out);

/* An entry that was verified. */
typedef struct sinter__cache_entry {
    uint8_t *memory; /* header and payload */
    size_t bytes;
    const uint8_t *payload;
    size_t payload_bytes;
    int mark;
} sinter__cache_entry;

/* Whether there is anywhere to look, and to put things. */
bool sinter__cache_loads(const sinter__cache *cache);
bool sinter__cache_stores(const sinter__cache *cache);

/* False: there is none, or none that may be used. Until sinter__cache_unmark the entry counts as one
 * at which the process may die; its memory is freed before, by sinter__cache_free. */
bool sinter__cache_load(sinter__cache *cache, const sinter__cache_key *key,
                        sinter__cache_entry *out);
void sinter__cache_free(sinter__cache *cache, sinter__cache_entry *entry);
void sinter__cache_unmark(sinter__cache *cache, const sinter__cache_key *key, int mark);

/* The driver did not take the payload. */
void sinter__cache_refused(sinter__cache *cache, const sinter__cache_key *key);

/* Keeps `bytes` bytes, of which the header's come first and are filled here. */
void sinter__cache_store(sinter__cache *cache, const sinter__cache_key *key, uint8_t *memory,
                         size_t bytes);

/* Whether `bytes` bytes are a whole entry of that name, or of any. */
bool sinter__cache_is_whole(const uint8_t *memory, size_t bytes, const char *name);

#endif /* SINTER_EXECUTOR_CACHE_H */
