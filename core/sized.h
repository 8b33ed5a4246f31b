/* Public structs that begin with their size, as the caller's header knows it: a program built with
 * an older header goes on working when fields have been added at the end. */
#ifndef SINTER_CORE_SIZED_H
#define SINTER_CORE_SIZED_H

#include "core/base.h"

/* Options of `size` bytes over the defaults of `known` bytes in `out`. Options that are larger may
 * ask for what this library does not know: SINTER_EINVAL, as for a size that no version has. */
sinter_status sinter__sized_take(const char *what, void *out, uint32_t known, const void *options);

/* SINTER_EINVAL unless `size` can be that of a result. */
sinter_status sinter__sized_check(const char *what, uint32_t size);

/* As much of the `known` bytes at `full` as the `size` bytes at `out` take; their `size` says how
 * much. */
void sinter__sized_give(void *out, uint32_t size, const void *full, uint32_t known);

#endif /* SINTER_CORE_SIZED_H */
