/* What the lowering of scans shares: lines and columns (fusion/lower/scan.c), segments of a line
 * (fusion/lower/scan_segment.c), and those of a CPU (fusion/lower/scan_turned.c). Private to the
 * three. */
#ifndef SINTER_FUSION_LOWER_SCAN_H
#define SINTER_FUSION_LOWER_SCAN_H

#include "fusion/lower/build.h"
#include "fusion/nest/tree.h"

/* What a scan has of a line, SINTER__SCAN_NUMBERS, each a bit: of several vectors of columns all but one's wait. */
enum { ACC = 1, CARRY = 2, BEFORE = 4, STRETCH_CARRY = 8 };

/* They wait two to an array, one vector of either in turn: the two that a band wants are in one. */
#define LOWER_SCAN_PAIRS (SINTER__SCAN_NUMBERS / 2)

typedef struct scan {
    uint16_t value;
    sinter__reg acc;    /* the block as far as the elements at hand */
    sinter__reg before; /* blocks of the stretch that are done */
    sinter__reg carry;  /* of the block */
    sinter__reg stretch_carry;
    sinter__reg held[LOWER_SCAN_PAIRS];    /* those four of several vectors of columns */
    sinter__reg state;                     /* where the launch goes through all stretches */
    sinter__reg elements, totals, carries; /* of a segment, by block: arrays */
    sinter__reg sums; /* of a CPU's segment: its elements scanned, a block to a lane */
} scan;

typedef struct scans {
    sinter__line at;
    int axis;                             /* scanned */
    bool in_rows;                         /* vectors lie along it */
    bool in_segments;                     /* of several blocks at once */
    bool in_group;                        /* a group has a unit of its own, and its segments */
    bool is_wide;                         /* several vectors of columns, side by side */
    bool from_identity;                   /* the line's first block has a carry, too: none asks */
    uint16_t step;                        /* sinter__scan_step */
    sinter__ix bases[LOWER_MAX_ACCESSES]; /* by access: where the line begins */
    bool used[LOWER_MAX_VALUES];          /* by value: by this launch */
    sinter__ix part;                      /* the stretch, where a unit is one */
    sinter__beside beside;                /* those of the unit */
    sinter__ix first;      /* in a region of scratch: of the first column's first stretch, */
    sinter__ix place;      /* of the line's first stretch */
    sinter__ix place_step; /* from one stretch to the next */
    scan of[SINTER__MAX_REDUCTIONS];
    int count;
} scans;

/* scan.c */

/* A statement of `kind` on what the scan adds up. */
sinter__statement sinter__scan_statement(const lowering *l, const scan *s,
                                         sinter__statement_kind kind);

/* What a scan takes, in a register of whole vectors: what is the same for all elements may be in a single one. */
sinter__reg sinter__scan_widened(lowering *l, const scan *s, sinter__reg x);

/* A register that lives from block to block, the same of what changes nothing that it is combined with, and an array of
 * vectors, of the work-item's own. */
sinter__reg sinter__scan_declare(lowering *l, const scan *s, bool vector);
sinter__reg sinter__scan_identity(lowering *l, const scan *s, bool vector);
sinter__reg sinter__scan_array(lowering *l, const scan *s, int32_t vectors);

/* Whether the stretch that begins at `start` is a line's first and has no carry, not even one that changes nothing. */
sinter__ix sinter__has_no_carry(lowering *l, const scans *c, sinter__ix start);

/* reg = a function of two registers and of `a` and `b`. */
void sinter__scan_call(lowering *l, const scan *s, sinter__statement_kind kind, sinter__reg reg,
                       sinter__reg x, sinter__reg y, sinter__ix a, sinter__ix b);

/* Marks as wanted what the scans need of the elements at hand, or what is stored does beside them. */
void sinter__want_scanned(lowering *l, bool results);

/* The result of a scan for the elements at hand is `reg`, rounded. */
void sinter__emit_rounded(lowering *l, const scan *s, sinter__reg reg);

/* The same of `acc`, in the block that begins at `block`, with its carry; SINTER__NO_IX: any, since the first of the line
 * has one as well. */
void sinter__emit_scanned(lowering *l, const scan *s, sinter__ix block);

/* The block as far as `end`: vector by vector, or rows of columns; what is stored too, with `results`. */
void sinter__emit_scan_block(lowering *l, scans *c, sinter__ix block, sinter__ix end, bool results);

/* A total or a carry in scratch memory, to or from a register that is there: columns lie side by side. */
void sinter__move_part(lowering *l, const scans *c, int i, sinter__statement_kind kind,
                       sinter__ix part, sinter__reg reg);

/* scan_segment.c */

/* The work-item's in line `i` of as many as a group has beside each other. */
sinter__ix sinter__mine_of(lowering *l, sinter__ix i);

/* Of a group, what the first work-item does alone; a CPU's is its own. */
sinter__ix sinter__is_leader(lowering *l, const scans *c);
void sinter__if_leader(lowering *l, const scans *c);
void sinter__end_leader(lowering *l, const scans *c);

void sinter__declare_segment(lowering *l, const scans *c, scan *s);

/* The carries of `blocks` blocks from `segment` on, and what is before the next segment. */
void sinter__segment_carries(lowering *l, const scans *c, sinter__ix start, sinter__ix segment,
                             sinter__ix blocks);

/* The stretch that begins at `start`, in segments; afterwards `before` is its total for the first work-item. */
void sinter__emit_segments(lowering *l, scans *c, sinter__ix start, sinter__ix end);

/* scan_turned.c */

void sinter__declare_turned(lowering *l, const scans *c, scan *s);

/* The `count` elements of a row from `segment` on, in `blocks`. */
void sinter__turned_segment(lowering *l, scans *c, sinter__ix start, sinter__ix segment,
                            sinter__ix count, sinter__ix blocks);

#endif /* SINTER_FUSION_LOWER_SCAN_H */
