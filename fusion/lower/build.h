/* Building blocks of lowering: expressions, registers, statements. Private to fusion/lower/. */
#ifndef SINTER_FUSION_LOWER_BUILD_H
#define SINTER_FUSION_LOWER_BUILD_H

#include "fusion/lower/lower.h"
#include "fusion/nest/state.h"

#define LOWER_MAX_VALUES SINTER__NEST_VALUES
#define LOWER_MAX_ACCESSES SINTER__NEST_VALUES
/* Vectors that may be computed side by side. */
#define LOWER_OVERLAP 2
/* Rows of columns that are scanned whose loads come before the first result, and that a CPU's
 * vectors go down in turn. */
#define LOWER_ROWS_AHEAD 4
/* Cost of the operations up to which a body counts as short, and of each of them: two vectors of a longer function
 * do not fit the registers (docs/decisions/pairs.md). */
#define LOWER_SHORT_BODY 80
#define LOWER_SHORT_OPERATION 35
/* The same up to which a body only waits for memory: what goes past the caches is then read and written by turns. */
#define LOWER_BARE_BODY 8

/* What repeats after the elements of the axes from one on. */
typedef struct sinter__repeat {
    sinter__ix period; /* how many those are, */
    sinter__ix last;   /* the place of the last, */
    sinter__ix step;   /* by how much a vector shifts it, */
    sinter__ix phase;  /* a variable: where in it the vector at hand begins */
} sinter__repeat;

typedef struct lowering {
    const sinter__nest *nest;
    const sinter__kernel_class *c;
    sinter__code *code;
    bool varies[LOWER_MAX_VALUES];  /* by value: differs from lane to lane */
    bool per_row[LOWER_MAX_VALUES]; /* by value: one for all that is reduced */
    bool wanted[LOWER_MAX_VALUES];  /* by value: what sinter__emit_values emits */
    uint8_t loop;                   /* the phase whose values are being emitted */
    sinter__reg *reg;               /* by value: regs[0], or that of the vector at hand */
    sinter__reg regs[LOWER_ROWS_AHEAD][LOWER_MAX_VALUES];
    sinter__ix base[LOWER_MAX_ACCESSES];   /* by access: offset from the axes that are fixed */
    sinter__reg block[LOWER_MAX_ACCESSES]; /* by access that is turned: its block, */
    sinter__ix block_place;                /* and what of it is at hand: a row, or an element */
    uint8_t is_held[LOWER_MAX_VALUES];     /* by value: lower_held, */
    sinter__reg held[LOWER_MAX_VALUES];    /* the array with it, */
    sinter__ix held_place;                 /* and which of its vectors is at hand */
    size_t asked[LOWER_MAX_ACCESSES];      /* by access: the loop that asks for it ahead; 0: none */
    sinter__reg table[LOWER_MAX_ACCESSES]; /* by access that repeats: its table, */
    sinter__repeat repeats[SINTER__NEST_RANK]; /* and by axis from which it does, how */
} lowering;

/* A value of a row's elements that a work-item holds in an array from one loop over them to the next. */
typedef enum lower_held {
    LOWER_NOT_HELD,
    LOWER_TO_HOLD, /* the loop at hand is the first that has it */
    LOWER_IS_HELD,
} lower_held;

/* Expressions. Adding 0, multiplying by 0 or 1 and arithmetic of numbers fold. */
sinter__ix sinter__ix_make(lowering *l, sinter__ix_op op, sinter__ix a, sinter__ix b,
                           int32_t value);
sinter__ix sinter__ix_number(lowering *l, int32_t value);
sinter__ix sinter__ix_add(lowering *l, sinter__ix a, sinter__ix b);
sinter__ix sinter__ix_mul(lowering *l, sinter__ix a, sinter__ix b);

/* Quotient and remainder of `a` by `b`, each in a variable. The remainder is a - q * b: one
 * division, and no `%` beside a `/` of the same operands, which compilers merge into instructions
 * that Oclgrind does not know. */
void sinter__ix_divide(lowering *l, sinter__ix a, sinter__ix b, sinter__ix *quotient,
                       sinter__ix *remainder);

/* The work-item's number in its group, along a dimension. */
sinter__ix sinter__ix_local(lowering *l, int dimension);

/* Whether `a` is 0. */
sinter__ix sinter__ix_is_zero(lowering *l, sinter__ix a);

/* A variable with how many vectors `count` elements are, the last of which need not be full. */
sinter__ix sinter__ix_vectors(lowering *l, sinter__ix count);

/* Several vectors of columns, side by side, of a work-item of a CPU. */
typedef struct sinter__beside {
    sinter__ix columns; /* the first column, */
    sinter__ix vectors; /* how many vectors they are, */
    sinter__ix full;    /* how many of them are full, */
    sinter__ix vector;  /* and the one at hand */
} sinter__beside;

/* Those of unit `block`; columns end at `limit`. */
void sinter__place_beside(lowering *l, sinter__beside *b, sinter__ix block, sinter__ix limit);

/* The loop over vectors [begin, end) of them; returns the first column of the one at hand. */
sinter__ix sinter__for_beside(lowering *l, sinter__beside *b, sinter__ix begin, sinter__ix end);

/* A variable with where `step` from `begin` on end, at `limit` at the latest. */
sinter__ix sinter__ix_stop(lowering *l, sinter__ix begin, sinter__ix step, sinter__ix limit);

/* A variable with the lanes that are valid of a vector that begins at `first`, `end` being where they end. */
sinter__ix sinter__ix_lanes(lowering *l, sinter__ix first, sinter__ix end);

/* The same of one that begins below `end`: SINTER__NO_IX, all of them, where it has but one. */
sinter__ix sinter__ix_lanes_inside(lowering *l, sinter__ix first, sinter__ix end);

/* An argument of the kernel: its index, or an expression for it. The same one each time. */
int32_t sinter__param_of(lowering *l, sinter__param_kind kind, int axis, uint16_t access);
sinter__ix sinter__ix_param(lowering *l, sinter__param_kind kind, int axis, uint16_t access);

/* Stride of `access` along `axis`: 0, 1 or an argument. */
sinter__ix sinter__ix_stride(lowering *l, uint16_t access, int axis);

/* A variable that holds `a`, so that it is computed once; numbers, parameters and variables stay.
 */
sinter__ix sinter__ix_name(lowering *l, sinter__ix a);

sinter__reg sinter__reg_new(lowering *l, uint8_t dtype, bool is_vector);

/* An array of `vectors` in private memory, or of `count` vectors or elements in local memory; a
 * vector or an element put into it as number `at`, and a vector, or an element, taken from it. */
sinter__reg sinter__array_new(lowering *l, uint8_t dtype, int32_t vectors);
sinter__reg sinter__local_new(lowering *l, uint8_t dtype, bool is_vector, int32_t count);
void sinter__array_put(lowering *l, sinter__reg array, sinter__ix at, sinter__reg reg);
sinter__reg sinter__array_take(lowering *l, sinter__reg array, sinter__ix at);
sinter__reg sinter__array_element(lowering *l, sinter__reg array, sinter__ix at);

/* What a register is; nothing when there was no memory for it. */
sinter__reg_info sinter__reg_of(const lowering *l, sinter__reg reg);

sinter__statement sinter__statement_of(sinter__statement_kind kind);
void sinter__emit(lowering *l, const sinter__statement *s);

/* Of the group, for what it wrote to scratch or to local memory, as `kind` says. */
void sinter__barrier(lowering *l, sinter__statement_kind kind);
sinter__ix sinter__for(lowering *l, sinter__ix begin, sinter__ix end, sinter__ix step);

/* The same from 0 to below `count`, a number, each turn written out by the compiler. */
sinter__ix sinter__for_each(lowering *l, sinter__ix count);
sinter__ix sinter__halve(lowering *l, int32_t from);
void sinter__if(lowering *l, sinter__ix condition);

/* The same of a condition that seldom holds, and where such a one does not: what is done then is
 * kept out of the way of what is done mostly (docs/decisions/tails.md). */
void sinter__if_rarely(lowering *l, sinter__ix condition);
void sinter__unless(lowering *l, sinter__ix condition);
void sinter__end(lowering *l);

/* The loop over a work-item's units; returns the unit. */
sinter__ix sinter__for_units(lowering *l);

/* Region `region` of scratch memory holds elements of `dtype`. */
void sinter__use_scratch(lowering *l, uint16_t region, uint8_t dtype);

/* Registers for the scalar arguments, in the order of the nest's values. */
void sinter__declare_arguments(lowering *l);

/* Where the vector now being computed lies. */
typedef struct sinter__line {
    int first_axis; /* axes [first_axis, last_axis) vary along the line */
    int last_axis;
    bool use_linear;                          /* accesses that are linear take the index as it is */
    sinter__ix index;                         /* of its first lane */
    sinter__ix count;                         /* lanes that are valid */
    sinter__ix coordinate[SINTER__NEST_RANK]; /* by axis, of the first lane or of each */
    bool decomposed;
    int behind; /* elements of the same run by which it lies behind those; 0: none */
} sinter__line;

/* Whether the lanes of a reduction are columns, next to each other. */
bool sinter__has_columns(const lowering *l);

/* Which values differ from lane to lane. */
void sinter__find_varying(lowering *l, const sinter__line *at);

/* Offset of `access` at the line's index, with the mode to go through it. `stride` for strided
 * ones. */
sinter__mode sinter__locate(lowering *l, sinter__line *at, uint16_t access, sinter__ix *offset,
                            sinter__ix *stride);

/* Marks as wanted what varies along the line, or what does not. */
void sinter__want_varying(lowering *l, bool varying);

/* Loads and arithmetic of the nest that are wanted. */
void sinter__emit_values(lowering *l, sinter__line *at);

/* Whether it is part of the sum that uses it, and never has a register. */
bool sinter__is_contracted(const lowering *l, uint16_t value);

/* Stores `reg` through `access`. */
void sinter__emit_store(lowering *l, sinter__line *at, uint16_t access, sinter__reg reg);

/* Puts `value` where it waits for later phases, in a result, unless it is held. */
void sinter__emit_put(lowering *l, sinter__line *at, uint16_t value);

/* sinter__emit_values for `count` vectors side by side, each value of all of them before the next value: what
 * a processor looks ahead is less than one long chain, so that the chains overlap only if the text
 * has them so. With their stores. */
void sinter__emit_overlapped(lowering *l, sinter__line *lines, int count);

/* Stores come after every load: an output may lie where an input dies. */
void sinter__emit_stores(lowering *l, sinter__line *at);

/* Splits `row` into coordinates along axes [0, last) and starts every access's offset with them. */
void sinter__set_bases(lowering *l, sinter__ix row, int last);

/* The same without axis `except`. */
void sinter__set_bases_except(lowering *l, sinter__ix row, int last, int except);

/* Whether the body is short: worth a second loop of whole vectors, without tests. */
bool sinter__is_short(const lowering *l);

/* Whether it computes so little that it only waits for memory. */
bool sinter__is_bare(const lowering *l);

/* Operands that repeat (fusion/schedule/schedule.h), along a line that is walked in vectors from `begin` on:
 * fusion/lower/table.c. Their tables, and where the first vector begins in each. */
void sinter__fill_tables(lowering *l, sinter__ix begin);

/* Where the next vector does. */
void sinter__advance_tables(lowering *l);

/* States of reductions (fusion/nest/state.h): fusion/lower/state.c. */

/* Where the elements of a vector are in their part: all at `first`, or from there on. */
typedef struct sinter__places {
    sinter__ix first;
    bool along;
} sinter__places;

/* A sum divided by `count`. */
sinter__reg sinter__emit_mean(lowering *l, uint8_t dtype, sinter__reg sum, sinter__ix count);

/* What the terms are made with, of what the first pass gave for a part of `length` elements. */
sinter__reg sinter__emit_first(lowering *l, const sinter__state *state, sinter__reg total,
                               sinter__ix length);

/* The terms of the vector at hand. */
void sinter__emit_terms(lowering *l, uint16_t value, sinter__reg first, const sinter__places *at,
                        sinter__reg terms[SINTER__STATE_TERMS]);

/* The state of a part of `length` elements from `start` on, of the sums of its terms. SINTER__NO_IX:
 * the part is all that is reduced, and only the last number matters. */
void sinter__emit_state(lowering *l, uint16_t value, sinter__reg first, const sinter__reg *sums,
                        sinter__ix start, sinter__ix length,
                        sinter__reg numbers[SINTER__STATE_NUMBERS]);

/* Elementwise nests in blocks: fusion/lower/block.c. */
void sinter__lower_block(lowering *l);

/* Reductions: fusion/lower/reduce.c. */
void sinter__lower_reduce(lowering *l);

/* The steps between `items` work-items of a sub-group of the trees over the vectors that `folds`, statements
 * with one as reg and source 0, are of: fusion/lower/shuffle.c. */
void sinter__emit_shuffles(lowering *l, sinter__statement *folds, int count, int items);

/* Scans: fusion/lower/scan.c. */
void sinter__lower_scan(lowering *l);

/* Matrix products: fusion/lower/tile.c. */
void sinter__lower_tile(lowering *l);

#endif /* SINTER_FUSION_LOWER_BUILD_H */
