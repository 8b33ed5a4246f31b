/* What the lowering of reductions is built of, for rows (fusion/lower/reduce.c, of what they hold
 * fusion/lower/hold.c) and columns (fusion/lower/columns.c). Private to the three. */
#ifndef SINTER_FUSION_LOWER_REDUCE_H
#define SINTER_FUSION_LOWER_REDUCE_H

#include "fusion/lower/build.h"
#include "fusion/schedule/hold.h"

/* Vectors of partials that a work-item of a CPU holds in registers: more would leave too few. */
#define HELD_VECTORS 4

/* A reduction of the loop at hand, and what it comes to for a part. */
typedef struct reduction {
    uint16_t value;
    sinter__state state;
    const struct reduction *same; /* the state whose first pass is all of this one; NULL: none */
    sinter__reg first;            /* of a state: what its terms are made with */
    sinter__reg firsts;           /* of several vectors of columns: an array of those */
    sinter__reg numbers[SINTER__STATE_NUMBERS];
} reduction;

/* What a pass folds for a reduction: elements, or terms of a state. */
typedef struct fold {
    reduction *of;
    uint8_t op, dtype;
    sinter__reg acc[HELD_VECTORS]; /* the first: an array, where they are more */
    sinter__reg held;   /* of several vectors of columns: an array, of which acc[0] is at hand */
    sinter__reg source; /* of the vector at hand */
    sinter__reg total;
    uint16_t slot; /* of local memory, where its tree is one over a group */
    sinter__reg
        relay; /* an array in local memory, where blocks of work-items hand its partials on */
} fold;

/* Whether its order counts: where several blocks of work-items hold a row, one takes the partials from another then. */
static inline bool sinter__is_relayed(const fold *f)
{
    return sinter__is_ordered(f->op, f->dtype);
}

/* Of a pass: those whose order counts, and those whose does not, may be done apart. */
typedef enum sinter__folds {
    SINTER__FOLDS_ALL,
    SINTER__FOLDS_IN_ORDER,
    SINTER__FOLDS_IN_ANY,
} sinter__folds;

typedef struct rows {
    sinter__line at;
    bool is_cpu;
    bool is_array;   /* whether partials are more than registers hold */
    bool is_whole;   /* the launch runs every phase */
    sinter__ix row;  /* of the axes outside the line */
    sinter__ix part; /* of the row; where the launch runs one phase */
    sinter__ix item; /* CHUNK on a GPU: of the work-items of the row */
    sinter__ix
        block; /* of a row that is relayed: which of it the work-item has; else SINTER__NO_IX */
    sinter__ix is_there;                  /* whether it is a row at all; SINTER__NO_IX: it is */
    sinter__ix length;                    /* of the row; 0 where there is none */
    sinter__ix first_part;                /* in a region of scratch: the row's first chunk or run */
    sinter__ix part_step;                 /* from one to the next */
    sinter__beside beside;                /* RUN of several vectors: those of the unit */
    sinter__reg totals[LOWER_MAX_VALUES]; /* by reduction done: an array of theirs */
    bool needed[LOWER_MAX_VALUES];        /* by value: one per row that the launch uses */
    sinter__reg waiting[LOWER_MAX_VALUES]; /* by value of them: an array where it waits for bands */
    sinter__ix bases[LOWER_MAX_ACCESSES];  /* by access: where the row begins */
    reduction found[SINTER__MAX_REDUCTIONS]; /* of the loop at hand */
    int count;
    fold folds[SINTER__MAX_REDUCTIONS * SINTER__STATE_TERMS]; /* of the pass at hand */
    int fold_count;
    sinter__reg relays[SINTER__MAX_REDUCTIONS * SINTER__STATE_TERMS]; /* of all passes */
    int relay_count;
    sinter__value
        values[LOWER_MAX_VALUES]; /* of the nest, where what would wait is computed again */
    bool is_first;                /* the pass: the first of two over a part */
} rows;

/* Reductions that phase `phase` gives. */
void sinter__find_reductions(const lowering *l, rows *r, uint8_t phase);

/* What the pass folds: for a state the elements first, and then its terms. */
void sinter__find_folds(rows *r, bool is_first);

/* Marks in `needed` what is one per row and is used by elements of loop `loop`, or, for `stores`, by the results that are
 * stored once its reductions are done. */
void sinter__find_used(lowering *l, rows *r, uint8_t loop, bool stores);

/* And what that is computed of. */
void sinter__find_sources(const lowering *l, rows *r);

/* A register, or an array of partials, with what `kind` says. */
sinter__reg sinter__declare_partial(lowering *l, sinter__statement_kind kind, uint8_t op,
                                    uint8_t dtype, bool array);

/* The loop over elements: values of one vector of them, computed, put where they are kept, stored; what the vector
 * at hand folds; and the folds, into accumulator `vector` of each reduction. */
void sinter__emit_elements(lowering *l, rows *r);
void sinter__emit_sources(lowering *l, rows *r, const sinter__places *at, sinter__folds which);
void sinter__emit_folds(lowering *l, const rows *r, int vector, sinter__ix count);
void sinter__emit_fold(lowering *l, const fold *f, sinter__ix count); /* into the first */

/* What the totals of the first pass are to the second, and to sums and means of the same. */
void sinter__finish_first(lowering *l, rows *r, sinter__ix length);

/* What the totals of the second pass, or of the only one, come to for a part from `start` on. */
void sinter__finish_part(lowering *l, rows *r, sinter__ix start, sinter__ix length);

/* What the row has in one part: its results. */
void sinter__finish_row(lowering *l, const rows *r);

/* The value of a finished reduction: divided for a mean, rounded to the dtype. */
void sinter__finish_reduction(lowering *l, uint16_t value, sinter__reg total);

/* Parts in scratch memory: one stored, the tree over a row's, in place, and the totals of a phase before. */
void sinter__store_part(lowering *l, const rows *r, const reduction *of, sinter__ix place);
sinter__reg sinter__tree_in_scratch(lowering *l, const rows *r, const reduction *of);
void sinter__load_totals(lowering *l, rows *r, uint8_t phase);

/* What is one per row of phase `phase`: loads and arithmetic that are needed, and results. */
void sinter__emit_row_values(lowering *l, rows *r, uint8_t phase);
void sinter__emit_row_stores(lowering *l, rows *r, uint8_t phase);

/* One vector: `at` of the `length` elements from `start` on; of a `full` one every lane is valid. */
void sinter__chunk_vector(lowering *l, rows *r, sinter__ix start, sinter__ix length, sinter__ix at,
                          bool full);

/* What rows hold from one loop over them to the next: fusion/lower/hold.c. The arrays of a kernel;
 * that the pass at hand has put there what it had to; and, of a row in several chunks, that the
 * next chunk has to. */
void sinter__declare_held(lowering *l, rows *r);
void sinter__are_held(lowering *l);
void sinter__hold_again(lowering *l);

/* A row or a chunk of it: where it begins, how long it is, and the first of its elements that is the work-item's. */
typedef struct sinter__stretch {
    sinter__ix start, length, from;
} sinter__stretch;

/* The vectors of a row that is held by its work-items, or of a stretch that several times as many hold. */
void sinter__hold_elements(lowering *l, rows *r, const sinter__stretch *of);
void sinter__relay_elements(lowering *l, rows *r, const sinter__stretch *of);

/* Columns: fusion/lower/columns.c. The row, vectors and part of a unit; its loop `loop` over the
 * elements; and, where it has several vectors, every phase of it. */
void sinter__place_run(lowering *l, rows *r, sinter__ix unit);
void sinter__run_loop(lowering *l, rows *r, uint8_t loop);
void sinter__run_phases(lowering *l, rows *r);

#endif /* SINTER_FUSION_LOWER_REDUCE_H */
