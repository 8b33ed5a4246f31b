/* The canonical orders. That of a reduction: a function of the reduced extents and of whether the last
 * axis is reduced, never of layout, schedule or device. So a sum has one value.
 *
 * Last axis reduced: the reduced elements, flattened row-major, in chunks of SINTER__TREE_CHUNK;
 * within a chunk SINTER__TREE_LANES interleaved partials, each in sequence. Not the last axis: runs
 * of SINTER__TREE_RUN in sequence. Partials, and then chunks or runs, are combined by the tree:
 * with n of them left, p[i] op= p[i + s] for every i + s < n, s being the largest power of two
 * below n; then n = s. Absent elements take no part. */
#ifndef SINTER_FUSION_NEST_TREE_H
#define SINTER_FUSION_NEST_TREE_H

#include "core/base.h"
#include "core/op.h"

#define SINTER__TREE_CHUNK 16384
#define SINTER__TREE_LANES 64
#define SINTER__TREE_RUN 256

/* The canonical order of a scan, a function of the scanned extent alone: blocks of SINTER__SCAN_BLOCK
 * elements, each in sequence from its first. To what a block gives, its carry is added last: what is
 * before the block. Carries come from the totals of blocks: blocks are in groups of as many; in a
 * group, the totals before a block are added in sequence, and to that the carry of the group, which
 * comes in the same way from the totals of groups. Where nothing is before, nothing is added. */
#define SINTER__SCAN_BLOCK 64

/* Elements from one block to the next in local memory, where a work-item goes through each: one more, so that they
 * are not all in one bank. */
#define SINTER__SCAN_PITCH (SINTER__SCAN_BLOCK + 1)

/* Elements of such a group. */
#define SINTER__SCAN_STRETCH (SINTER__SCAN_BLOCK * SINTER__SCAN_BLOCK)

/* What a scan has of a line at hand: the block so far, what is before it in its stretch, its carry,
 * that of the stretch. */
#define SINTER__SCAN_NUMBERS 4

/* Levels of such groups, groups of them, ...: 64^8 elements fit. */
#define SINTER__SCAN_LEVELS 6

/* Elements of the inner dimension that a matrix product sums before it adds to the total. */
#define SINTER__PRODUCT_CHUNK 256

/* The largest power of two below n; n > 1. */
static inline int64_t sinter__tree_step(int64_t n)
{
    int64_t s = 1;
    while (s * 2 < n)
        s *= 2;
    return s;
}

/* The value that changes no bit of the other operand of `op`, the plain reductions and the scans: for a class, as
 * OpenCL C. A partial that no element has filled holds it, and so takes no part; neither does a carry of nothing. */
const char *sinter__tree_identity(sinter__op op, sinter__class c);

/* Chunks or runs of a reduction of `reduced` elements. */
static inline int64_t sinter__tree_parts(int64_t reduced, bool last_reduced)
{
    int64_t part = last_reduced ? SINTER__TREE_CHUNK : SINTER__TREE_RUN;
    return SINTER__MAX(sinter__div_up(reduced, part), (int64_t)1);
}

#endif /* SINTER_FUSION_NEST_TREE_H */
