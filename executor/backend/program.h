/* Compiled kernels, by their text: a kernel that two plans have in common is compiled once. One
 * program is built at a time; who finds all of its kernels built does not wait for it. Kernels that
 * nobody holds stay for a while, those used last the longest: a plan that was not learned, or was
 * evicted, comes back without a build. */
#ifndef SINTER_EXECUTOR_PROGRAM_H
#define SINTER_EXECUTOR_PROGRAM_H

#include "core/log.h"
#include "executor/backend/backend.h"
#include "executor/backend/hooks.h"
#include "executor/cache/cache.h"

#include <pthread.h>

#define SINTER__PROGRAM_BUCKETS 256

typedef struct sinter__program {
    void *handle;
    uint32_t kernels;                       /* of it that are there */
    atomic_bool launched;                   /* one of them has run, or is about to */
    bool from_cache;                        /* else built from source */
    int mark;                               /* in the cache, while it is not known to run */
    sinter__cache_key key;                  /* of it, when there is a cache */
    struct sinter__program *next_unsettled; /* see sinter__programs_settle */
} sinter__program;

typedef struct sinter__programs {
    sinter__allocator *allocator;
    const sinter__backend *backend;
    void *state;
    const sinter__log *log;
    const sinter_context_options *options; /* whose hooks are asked; NULL: none */
    pthread_mutex_t building; /* taken before `lock`, which is never held while a program builds */
    pthread_mutex_t lock;
    sinter__kernel *buckets[SINTER__PROGRAM_BUCKETS];
    sinter__kernel *newest, *oldest;   /* of those that nobody holds */
    size_t idle_bytes, max_idle_bytes; /* of host memory that they take */
    sinter__cache *cache;              /* NULL: none */
    bool late_binaries;                /* of the device */
    sinter__program *unsettled;        /* with the lock, as all of the above */
    atomic_uint unsettled_count;
    atomic_uint_fast64_t compiles; /* from source */
} sinter__programs;

sinter_status sinter__programs_init(sinter__programs *p);

/* Nobody holds a kernel any more. */
void sinter__programs_finish(sinter__programs *p);

/* Kernels for `count` texts, each with one more reference: those already compiled, and one program
 * built of the others. The texts that are used are moved from; the others are left to the caller.
 * `log` gets the build log. */
sinter_status sinter__programs_get(sinter__programs *p, const sinter__limits *limits,
                                   sinter__kernel_text *texts, size_t count, sinter__kernel **out,
                                   sinter__buffer *log);

void sinter__kernel_release(sinter__programs *p, sinter__kernel *kernel);

/* For when what was launched is done. A program that was built from source and has run goes into the
 * cache: only then do some drivers have everything in its binary. One that came from there is known
 * not to kill the process, so its mark goes. `last`: there will be no better time. */
void sinter__programs_settle(sinter__programs *p, bool last);

#endif /* SINTER_EXECUTOR_PROGRAM_H */
