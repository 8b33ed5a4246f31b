/* The forms that the loops of a launch can have. The schedule chooses one for each; numbers of the
 * tuning are for some of them. */
#ifndef SINTER_FUSION_DEVICE_LOOPS_H
#define SINTER_FUSION_DEVICE_LOOPS_H

typedef enum sinter__loops {
    SINTER__LOOPS_ROW,  /* MAP: vectors along the innermost axis, the other axes decomposed once per
                           row */
    SINTER__LOOPS_FLAT, /* MAP: vectors along the row-major index, decomposed per lane where needed
                         */
    SINTER__LOOPS_BLOCK, /* MAP: bands of vectors below each other along another axis, in which
                            operands run across; blocks of those that lie along it are turned. On a
                            GPU a work-group to a square block, turned in local memory */
    SINTER__LOOPS_CHUNK, /* REDUCE with the last axis: rows in chunks, 64 partials */
    SINTER__LOOPS_RUN, /* REDUCE without it: vectors along the innermost kept axis, on a CPU several
                            side by side, in sequence over runs */
    SINTER__LOOPS_COMBINE, /* REDUCE: the tree over the chunks or runs of a phase, of the latter on a
                                CPU in vectors */
    SINTER__LOOPS_TILE,    /* CONTRACT: a tile of rows and vectors in registers */
    SINTER__LOOPS_SCAN_ROWS,    /* SCAN along the last axis: vectors along it */
    SINTER__LOOPS_SCAN_COLUMNS, /* SCAN along another: vectors along the innermost kept axis, in
                                   sequence along the scanned one */
    SINTER__LOOPS_SCAN_CARRIES, /* SCAN: the totals of stretches become their carries */
} sinter__loops;

#endif /* SINTER_FUSION_DEVICE_LOOPS_H */
