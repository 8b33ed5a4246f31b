/* A nest and its class, lowered to loops: what fusion/text/ prints.
 *
 * Integer expressions index memory and count loops; registers hold values, one (uniform) or a
 * vector of them. Nothing here knows the syntax of OpenCL C. */
#ifndef SINTER_FUSION_LOWER_LOWER_H
#define SINTER_FUSION_LOWER_LOWER_H

#include "fusion/schedule/schedule.h"

/* Integer expressions, by number. */
typedef uint16_t sinter__ix;
#define SINTER__NO_IX UINT16_MAX

typedef enum sinter__ix_op {
    SINTER__IX_NUMBER,    /* value */
    SINTER__IX_VARIABLE,  /* value: its number */
    SINTER__IX_PARAM,     /* value: index into params */
    SINTER__IX_GLOBAL_ID, /* value: dimension */
    SINTER__IX_GROUP_ID,
    SINTER__IX_LOCAL_ID,
    SINTER__IX_ADD,
    SINTER__IX_SUB,
    SINTER__IX_MUL,
    SINTER__IX_DIV,
    SINTER__IX_MOD,
    SINTER__IX_MIN,
    SINTER__IX_LESS,
    SINTER__IX_EQUAL,
    SINTER__IX_AND,
    SINTER__IX_COUNT,   /* valid lanes: a clamped to 0 .. lanes, 32 bits */
    SINTER__IX_LANE,    /* a, a + 1, ...: a vector */
    SINTER__IX_QUOTIENT /* a divided by the extent whose magic numbers are params value and
                           value + 1 */
} sinter__ix_op;

typedef struct sinter__ix_node {
    uint8_t op;
    bool is_vector;
    sinter__ix a, b;
    int32_t value;
} sinter__ix_node;

/* Integer arguments of the kernel. */
typedef enum sinter__param_kind {
    SINTER__PARAM_EXTENT,   /* of axis */
    SINTER__PARAM_STRIDE,   /* of access along axis */
    SINTER__PARAM_OFFSET,   /* of the first element of access, where no memory is behind it */
    SINTER__PARAM_MAGIC,    /* multiplier of the division by the extent of axis; 32 bits */
    SINTER__PARAM_SHIFT,    /* and its shift; 32 bits */
    SINTER__PARAM_REDUCED,  /* elements reduced */
    SINTER__PARAM_PARALLEL, /* elements of all parallel axes */
    SINTER__PARAM_SEGMENT,
    SINTER__PARAM_SEGMENTS,
    SINTER__PARAM_UNITS,
    SINTER__PARAM_UNITS_PER_ITEM,
    SINTER__PARAM_PARTS,
    SINTER__PARAM_REGION, /* bytes of a region of scratch */
} sinter__param_kind;

typedef struct sinter__param {
    uint8_t kind;
    uint8_t axis;
    uint16_t access;
} sinter__param;

/* Registers, by number. */
typedef uint16_t sinter__reg;
#define SINTER__NO_REG UINT16_MAX

typedef struct sinter__reg_info {
    uint8_t dtype; /* its class is how it is held */
    bool is_vector;
    bool is_argument; /* a scalar argument: value is its number */
    bool is_array; /* several vectors in private memory: SINTER__TREE_LANES partials, or as many as
                         DO_ARRAY says */
    bool is_local; /* in local memory, which the group has together */
    uint16_t value;
} sinter__reg_info;

typedef enum sinter__mode {
    SINTER__MODE_ONE,     /* one element at a */
    SINTER__MODE_GUARDED, /* that, or 0 where c is 0 */
    SINTER__MODE_UNIT,    /* neighbours from a */
    SINTER__MODE_BACK,    /* the same from a down */
    SINTER__MODE_STRIDED, /* from a in steps of b */
    SINTER__MODE_GATHER,  /* at a, a vector */
    SINTER__MODE_PIECES,  /* the same, neighbours but for one place at most */
} sinter__mode;

typedef enum sinter__statement_kind {
    SINTER__DO_INT,   /* variable `reg` = a, which may have been declared */
    SINTER__DO_FOR,   /* variable `reg` from a below b in steps of c */
    SINTER__DO_HALVE, /* variable `reg` from a down to 1, halved each time */
    SINTER__DO_IF,    /* a */
    SINTER__DO_END,   /* of FOR, HALVE or IF */
    SINTER__DO_LOAD, /* reg = access by mode; c lanes are valid; all `count` elements further on, where
                         that is an offset of its own */
    SINTER__DO_AHEAD, /* a vector of access, as many bytes behind a as its class says, is asked for */
    SINTER__DO_STORE, /* access by mode = source 0; c lanes are valid */
    SINTER__DO_INDEX, /* reg = element indices: a, in steps of b; or a as it is when it is a vector
                       */
    SINTER__DO_MAP,   /* reg = op of sources, held in dtype `work`, rounded to `dtype` */
    SINTER__DO_NOTHING, /* reg = what `op`, a reduction, gives for no elements */
    SINTER__DO_IDENTITY, /* reg = what changes nothing of another operand of `op`, a reduction or a scan */
    SINTER__DO_FOLD,       /* reg = op(reg, source 0), in the first c lanes */
    SINTER__DO_FOLD_ARRAY, /* the same for vector b of the array reg */
    SINTER__DO_TREE,       /* reg = tree over the b partials in the array source 0 */
    SINTER__DO_LANE_TREE,  /* reg = tree over the lanes of source 0 */
    SINTER__DO_TREE_GIVE, /* step a of the tree over the vectors of b work-items: who is taken in puts
                               source 0 into slot `access` of local memory */
    SINTER__DO_TREE_TAKE, /* reg = op(reg, what was put there) */
    SINTER__DO_TREE_TELL, /* the first of b work-items puts source 0, a single value, into that slot */
    SINTER__DO_TREE_HEAR, /* reg = what it put there */
    SINTER__DO_TREE_SWAP, /* a step of that tree in a sub-group: reg = op(source 0, what the work-item
                               has whose place differs by a) */
    SINTER__DO_MEMORY_TREE, /* reg = tree over c partials in scratch, from a in steps of b */
    SINTER__DO_COLUMN_TREE, /* the same for `count` neighbours at once: a vector */
    SINTER__DO_STATE_TREE, /* tree over c states of kind `work` in scratch, from a in steps of b, in
                               place; of `count` neighbours */
    SINTER__DO_TREE_LEVEL, /* step `count` of such a tree, of one element or, with `work`, one state, by
                                 the work-items of the group's second dimension together */
    SINTER__DO_BARRIER,       /* of the group, for what it wrote to scratch */
    SINTER__DO_LOCAL_BARRIER, /* of the group, for what it wrote to local memory */
    SINTER__DO_STATE,  /* reg: what a scan knows between blocks, nothing yet, of each of a lines */
    SINTER__DO_NEXT,   /* reg = the carry of stretch a, source 1 being the total of the one before
                               it and source 0 the state, from element b on where there are several */
    SINTER__DO_CARRY,  /* reg = the carry of a block, source 0 being that of the stretch, source 1
                               what is before it there; a: it is the first of the stretch, b: which is
                               the first of the line */
    SINTER__DO_APPEND, /* reg = a ? source 1 : op(source 0, source 1) */
    SINTER__DO_SCAN,   /* reg = op over the lanes of source 1 in sequence; unless a, after the last
                               of source 0 */
    SINTER__DO_MEAN,   /* reg = source 0 / a: a variable, or all that are reduced */
    SINTER__DO_ROUND,  /* reg = source 0 rounded to `dtype` */
    SINTER__DO_ARRAY,  /* reg: an array of a vectors, or single ones */
    SINTER__DO_PUT,    /* vector a of the array reg = source 0; its number a when that is uniform */
    SINTER__DO_TAKE,   /* reg = vector a of the array source 0; its number a when that is uniform */
    SINTER__DO_WINDOW, /* reg = as many elements as it has of the array source 0, from element a on */
    SINTER__DO_TURN, /* the array source 0 = a block of access turned round: vector k is element k of
                               each of the vectors that begin at a in steps of b; c of the former are
                               valid, and `count` lanes of each */
    SINTER__DO_LAY, /* the same in the local array source 0, by the group: element (k, l) of a block of a GPU */
    SINTER__DO_SET, /* neighbours from element a of the local array source 1 on = source 0, all its lanes */
    SINTER__DO_SCAN_LOCAL, /* the c elements from a on of the local array source 0 = op over them in sequence;
                                 reg = the last */
    SINTER__DO_SCAN_TURNED, /* a segment's square a, the rows of which the array source 0 is, turned and added
                                 up: the array source 1 = the sums, reg = source 2 = those so far */
    SINTER__DO_CARRY_TURNED, /* the rows of its results from the sums, source 2 being the carries */
    SINTER__DO_SCAN_REST, /* each block of the first a elements of the array source 0 = op over it in sequence, the
                              elements of the array source 1 = their totals */
    SINTER__DO_CARRY_REST, /* the same with the carries in source 1 */
    SINTER__DO_PICK, /* reg = neighbours from element a of the local array source 0 on; c lanes are valid */
} sinter__statement_kind;

/* Accesses from here on are regions of scratch memory: one per reduction, or per number of its
 * state. */
#define SINTER__SCRATCH (UINT16_MAX - SINTER__MAX_REDUCTIONS)

/* How often the condition of an IF holds. */
typedef enum sinter__odds {
    SINTER__EVEN,
    SINTER__RARELY,
    SINTER__MOSTLY, /* `a` seldom holds, and what is inside is done where it does not */
} sinter__odds;

typedef struct sinter__statement {
    uint8_t kind;
    uint8_t mode;
    uint8_t op;
    uint8_t dtype;
    uint8_t work;
    bool assign;      /* reg, or the variable, has been declared */
    bool is_settled;  /* MAP: rounding would change nothing */
    bool is_below;    /* MAP: source 0 is not above 0, or NaN, in reproducible arithmetic */
    bool written_out; /* FOR: the compiler is asked for each turn by itself */
    uint8_t odds;     /* IF: sinter__odds, which the compiler is told */
    uint16_t access;
    sinter__reg reg;
    sinter__reg source[SINTER__MAX_OPERANDS];
    sinter__ix a, b, c, count;
} sinter__statement;

typedef struct sinter__code {
    sinter__allocator *allocator;
    sinter__ix_node *ix;
    size_t ix_count, ix_capacity;
    sinter__param *params;
    size_t param_count, param_capacity;
    sinter__reg_info *regs;
    size_t reg_count, reg_capacity;
    sinter__statement *statements;
    size_t statement_count, statement_capacity;
    uint16_t variable_count;
    uint16_t scalar_count; /* arguments that are scalars of the graph, in order of first use */
    uint16_t scratch_used; /* a bit per region */
    uint8_t scratch_dtype[SINTER__MAX_REDUCTIONS];
    sinter_status status; /* the first failure */
} sinter__code;

/* Lowers `nest` of class `c`. The caller finishes `out` whatever is returned. */
sinter_status sinter__lower(sinter__allocator *a, const sinter__nest *nest,
                            const sinter__kernel_class *c, sinter__code *out);

void sinter__code_finish(sinter__code *code);

#endif /* SINTER_FUSION_LOWER_LOWER_H */
