/* What the caller is told and asked between launches and between builds. */
#ifndef SINTER_EXECUTOR_HOOKS_H
#define SINTER_EXECUTOR_HOOKS_H

#include "core/base.h"
#include "sinter/context.h"

/* Tells the caller what comes next; false when it is not to. The thread's stream is locked, and
 * nothing else. */
bool sinter__hooks_go_on(const sinter_context_options *options, sinter_progress_kind kind,
                         uint32_t done, uint32_t total);

#endif /* SINTER_EXECUTOR_HOOKS_H */
