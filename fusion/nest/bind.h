/* A nest with numbers in it: extents and strides by the shapes that the graph has now, in the
 * simplest form.
 *
 * Axes of extent 1 are dropped and axes that follow each other in every access become one, so that
 * the common case is a single flat loop. What is left decides the kernel (fusion/schedule/schedule.h); the
 * numbers are its arguments. */
#ifndef SINTER_FUSION_NEST_BIND_H
#define SINTER_FUSION_NEST_BIND_H

#include "fusion/nest/nest.h"

typedef struct sinter__bound_access {
    int64_t offset; /* of the first element, in elements from where the tensor's storage begins */
    int64_t stride[SINTER__NEST_RANK];
    int64_t distinct; /* elements */
    bool linear;      /* MAP: the domain's own row-major order */
} sinter__bound_access;

typedef struct sinter__bound_nest {
    int parallel_rank; /* axes [0, parallel_rank) */
    int reduced_rank;  /* the axes after them; the one of a scan */
    int64_t extent[SINTER__NEST_RANK];
    int64_t parallel;  /* elements of the parallel axes; 0 for a SCAN along no elements */
    int64_t reduced;   /* elements of the reduced axes, 1 when there are none */
    bool last_reduced; /* REDUCE, SCAN: the last axis of the input is among the reduced */
    bool wide;         /* indices take 64 bits */
    sinter__bound_access *accesses; /* as many as the nest has */
} sinter__bound_nest;

/* Binds `nest` to the shapes in `g`; indices of `narrow` or more make it wide. `out->accesses` is the
 * caller's array. SINTER_EINTERNAL when a view cannot be expressed: planning excludes that for the
 * shapes that it sees. */
sinter_status sinter__bind(const sinter__graph *g, const sinter__nest *nest, int64_t narrow,
                           sinter__bound_nest *out);

/* Whether `access` moves along the reduced axes. */
bool sinter__bound_varies(const sinter__bound_nest *bound, uint16_t access);

/* sinter__find_per_row of a nest that is bound. */
void sinter__bound_per_row(const sinter__nest *nest, const sinter__bound_nest *bound,
                           bool *per_row);

#endif /* SINTER_FUSION_NEST_BIND_H */
