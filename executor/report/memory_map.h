/* What the segments of a report hold in memory: bytes before and after each step, once as if every
 * operation ran alone and once by launch, and where each tensor lies. */
#ifndef SINTER_EXECUTOR_MEMORY_MAP_H
#define SINTER_EXECUTOR_MEMORY_MAP_H

#include "executor/run/instance.h"

typedef struct sinter__step_record sinter__step_record;
typedef struct sinter__tensor_record sinter__tensor_record;

typedef struct sinter__memory_map {
    sinter__arena arena;
    sinter__step_record *steps, **last_step; /* lists */
    sinter__tensor_record *tensors, **last_tensor;
    sinter_status status; /* SINTER_ENOMEM: something is not in it */
} sinter__memory_map;

void sinter__memory_map_init(sinter__memory_map *map, sinter__allocator *a);
void sinter__memory_map_finish(sinter__memory_map *map);

/* The profiles of segment `segment`, which is about to run: as text, and into `map` (may be NULL). */
void sinter__memory_map_profile(sinter__memory_map *map, uint32_t segment, const sinter_stream *s,
                                const sinter__graph *g, const sinter__instance *in,
                                sinter__buffer *text);

/* Where everything lies, as long as the run of that segment has not been released. */
void sinter__memory_map_places(sinter__memory_map *map, uint32_t segment, sinter_stream *s,
                               const sinter__graph *g, const sinter__instance *in);

/* Gives everything to the visitor, in order. */
sinter_status sinter__memory_map_visit(const sinter__memory_map *map,
                                       const sinter_memory_visitor *visitor, void *user);

#endif /* SINTER_EXECUTOR_MEMORY_MAP_H */
