/* The host reference device's interpreter of nests. */
#ifndef SINTER_EXECUTOR_HOST_NEST_H
#define SINTER_EXECUTOR_HOST_NEST_H

#include "executor/backend/backend.h"

/* Memory that launches of one queue work in; it grows and stays. */
typedef struct sinter__host_scratch {
    sinter__allocator *allocator;
    void *memory;
    size_t capacity;
} sinter__host_scratch;

/* Runs a launch; `memory` of an address is a byte pointer here. A reduction in parts is done whole
 * in its first launch, and its second does nothing. */
sinter_status sinter__host_run(sinter__host_scratch *scratch, const sinter__launch *launch,
                               const sinter__operands *operands);

#endif /* SINTER_EXECUTOR_HOST_NEST_H */
