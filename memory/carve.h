/* One block of memory for several arrays. */
#ifndef SINTER_MEMORY_CARVE_H
#define SINTER_MEMORY_CARVE_H

#include "core/base.h"

/* Room for `count` things of `bytes` behind the `used` bytes at `base`, aligned for any type. What overflows
 * leaves *used at SIZE_MAX for good: more than any block has. */
static inline void *sinter__carve(char *base, size_t *used, size_t count, size_t bytes)
{
    size_t wanted;
    if (__builtin_mul_overflow(count, bytes, &wanted) || wanted > SIZE_MAX / 4 ||
        *used > SIZE_MAX / 4) {
        *used = SIZE_MAX;
        return base;
    }
    size_t at = (*used + 15) & ~(size_t)15;
    *used = at + wanted;
    return base + at;
}

#endif /* SINTER_MEMORY_CARVE_H */
