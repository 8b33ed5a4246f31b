/* Compiled kernels, by their text: a kernel that two plans have in common is compiled once. One
 * program is built at a time; who finds all of its kernels built does not wait for it. Kernels that
 * nobody holds stay for a while, those used last the longest: a plan that was not learned, or was
 * evicted, comes back without a build. */
#ifndef SINTER_EXECUTOR_PROGRAM_H
#define SINTER_EXECUTOR_PROGRAM_H

#include "core/log.h"
#include "executor/backend.h"

#include <pthread.h>

#define SINTER__PROGRAM_BUCKETS 256

typedef struct sinter__program {
    void *handle;
    uint32_t kernels; /* of it that are in use */
} sinter__program;

typedef struct sinter__programs {
    sinter__allocator *allocator;
    const sinter__backend *backend;
    void *state;
    const sinter__log *log;
    pthread_mutex_t building; /* taken before `lock`, which is never held while a program builds */
    pthread_mutex_t lock;
    sinter__kernel *buckets[SINTER__PROGRAM_BUCKETS];
    sinter__kernel *newest, *oldest;   /* of those that nobody holds */
    size_t idle_bytes, max_idle_bytes; /* of host memory that they take */
    atomic_uint_fast64_t compiles;
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

#endif /* SINTER_EXECUTOR_PROGRAM_H */
