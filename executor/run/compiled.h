/* A plan with its kernels: what the plan store keeps. Shared by streams; the kernels of a class are
 * added when a binding first needs them. */
#ifndef SINTER_EXECUTOR_COMPILED_H
#define SINTER_EXECUTOR_COMPILED_H

#include "executor/backend/program.h"
#include "fusion/plan/plan.h"
#include "fusion/queue/store.h"

typedef struct sinter__variant {
    struct sinter__variant *next;
    uint16_t group;
    uint8_t launch;
    sinter__kernel_class class_;
    sinter__kernel *kernel;
} sinter__variant;

typedef struct sinter__compiled {
    sinter__payload payload; /* first: the store knows only this */
    sinter__allocator *allocator;
    sinter__programs *programs;
    sinter__limits limits; /* those it was planned under */
    sinter__plan plan;
    sinter__variant *variants;
    pthread_mutex_t lock; /* the variants */
    bool split; /* planned again in smaller groups, because a kernel did not build or run */
} sinter__compiled;

/* Plans `g`. The payload has one reference. */
sinter_status sinter__compiled_create(sinter__allocator *a, sinter__programs *programs,
                                      const sinter__graph *g, const sinter__limits *limits,
                                      sinter__compiled **out);

/* As they are now: other streams lower them when a kernel turns out to want a smaller group. */
sinter__limits sinter__compiled_limits(sinter__compiled *c);

/* For the store's hook, and for a payload that no store has taken. */
void sinter__compiled_free(sinter__compiled *c);

/* A launch that wants the kernel of its class. */
typedef struct sinter__want {
    uint16_t group;
    uint8_t launch;
    sinter__launch *for_launch; /* its kernel is set */
} sinter__want;

/* Finds or compiles the kernels of `count` launches. *grown_bytes is by how much the payload grew.
 */
sinter_status sinter__compiled_kernels(sinter__compiled *c, const sinter__want *wants, size_t count,
                                       sinter__buffer *log, size_t *grown_bytes);

/* Whether two classes have the same kernel, given the same nest. */
bool sinter__same_class(const sinter__kernel_class *a, const sinter__kernel_class *b);

/* The text of a launch's kernel, without compiling it. The caller finishes `out`. */
sinter_status sinter__launch_text(sinter__allocator *a, const sinter__launch *launch,
                                  const sinter__limits *limits, sinter__kernel_text *out);

#endif /* SINTER_EXECUTOR_COMPILED_H */
