/* Whether a device's shuffles in sub-groups do what they say: a driver may list an extension that does not
 * work, or put work-items into sub-groups in another order than that of their numbers. */
#ifndef SINTER_EXECUTOR_SHUFFLE_H
#define SINTER_EXECUTOR_SHUFFLE_H

#include "executor/opencl/device.h"

/* Runs a kernel that asks for sub-groups of limits.sub_group and shuffles every type of register by every
 * bit. False also where it does not build or a call fails; what a device answered is kept for the process, as
 * that kernel takes long to compile. */
bool sinter__shuffles_hold(const sinter__device *d);

#endif /* SINTER_EXECUTOR_SHUFFLE_H */
