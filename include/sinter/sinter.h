/* sinter: tensor programs on any OpenCL device, queued lazily, fused, and with one meaning
 * everywhere.
 *
 * This header brings in all the others. Read status.h, types.h, context.h, stream.h, tensor.h,
 * ops.h, array.h in this order. */
#ifndef SINTER_SINTER_H
#define SINTER_SINTER_H

#include "sinter/array.h"
#include "sinter/cache.h"
#include "sinter/composite.h"
#include "sinter/context.h"
#include "sinter/device.h"
#include "sinter/inspect.h"
#include "sinter/memory.h"
#include "sinter/ops.h"
#include "sinter/optimiser.h"
#include "sinter/plan.h"
#include "sinter/profile.h"
#include "sinter/program.h"
#include "sinter/schema.h"
#include "sinter/shard.h"
#include "sinter/status.h"
#include "sinter/stream.h"
#include "sinter/tensor.h"
#include "sinter/types.h"

#define SINTER_VERSION_MAJOR 0
#define SINTER_VERSION_MINOR 1
#define SINTER_VERSION_PATCH 0

#endif /* SINTER_SINTER_H */
