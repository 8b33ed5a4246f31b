/* Which launches of a CPU store their results past its caches (docs/decisions/streaming-stores.md),
 * and which ask for their operands ahead (docs/decisions/prefetch.md). */
#ifndef SINTER_FUSION_SCHEDULE_PAST_CACHES_H
#define SINTER_FUSION_SCHEDULE_PAST_CACHES_H

#include "fusion/schedule/schedule.h"

/* Whether what is stored there can go past the caches: whole, once, and not in the place of what is read. */
bool sinter__may_stream(const sinter__nest *nest, uint16_t access);

/* Where only what waits there from phase to phase speaks against it, in a launch of class `c` that
 * goes past the caches: the vectors of an array in which a row of it waits instead, where it takes
 * no more than `left_bytes`; 0: it does not, or little would go past. */
uint32_t sinter__vectors_beside(const sinter__nest *nest, const sinter__bound_nest *bound,
                                const sinter__tuning *t, const sinter__kernel_class *c,
                                uint16_t access, int64_t left_bytes);

/* Whether a launch that turns operands, in vectors of `lanes`, stores past the caches. */
bool sinter__turns_past_caches(const sinter__nest *nest, const sinter__bound_nest *bound,
                               const sinter__tuning *t, int64_t lanes);

/* Whether a launch moves so little that the caches next to the processors hold it. */
bool sinter__is_near(const sinter__nest *nest, const sinter__bound_nest *bound,
                     const sinter__tuning *t);

/* Whether a launch that scans columns moves so much, or has so long rows, that a work-item of a CPU
 * has several vectors of them. */
bool sinter__scans_wide(const sinter__nest *nest, const sinter__bound_nest *bound,
                        const sinter__tuning *t);

/* Whether a launch of class `c`, which scans rows, moves so little that the caches have it for as long as it takes. */
bool sinter__scans_near(const sinter__nest *nest, const sinter__bound_nest *bound,
                        const sinter__tuning *t, const sinter__kernel_class *c);

/* Whether a launch of that class goes along rows of more than the caches next to the processors
 * hold, and computes for as long as the tuning wants, so that it asks for operands ahead. */
bool sinter__asks_ahead(const sinter__nest *nest, const sinter__bound_nest *bound,
                        const sinter__tuning *t, const sinter__class_key *key);

/* How far ahead such a launch asks for what it reads through `access`; 0: not at all, since what
 * comes next does not follow in memory, or is the same row. */
uint32_t sinter__ahead_bytes(const sinter__nest *nest, const sinter__bound_nest *bound,
                             const sinter__tuning *t, uint16_t access);

/* Whether a launch of that class reduces rows and moves so much that some processor is better off
 * with stores of less than a line at a time, of what sinter__may_part says. */
bool sinter__stores_in_parts(const sinter__nest *nest, const sinter__bound_nest *bound,
                             const sinter__tuning *t, const sinter__class_key *key);

/* Whether a loop of its own, behind those that reduce its row, stores it in whole lines, and nothing is read there. */
bool sinter__may_part(const sinter__nest *nest, const sinter__bound_nest *bound, int64_t lanes,
                      uint16_t access);

/* Whether a launch of that class stores past the caches. */
bool sinter__goes_past_caches(const sinter__nest *nest, const sinter__bound_nest *bound,
                              const sinter__tuning *t, const sinter__kernel_class *c);

#endif /* SINTER_FUSION_SCHEDULE_PAST_CACHES_H */
