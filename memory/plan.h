/* Planning inside the library: sinter/plan.h without the checks of its arguments. */
#ifndef SINTER_MEMORY_PLAN_H
#define SINTER_MEMORY_PLAN_H

#include "memory/place.h"

size_t sinter__plan_scratch_bytes(size_t count, sinter_plan_strategy strategy, bool has_aliases);

/* As sinter_plan_memory; `scratch` is large enough. */
sinter_status sinter__plan_run(sinter_plan_request *requests, size_t count,
                               const sinter_plan_options *options, void *scratch,
                               sinter_plan_result *result);

#endif /* SINTER_MEMORY_PLAN_H */
