/* Formulas: a public function that queues several operations, and programs. */
#ifndef SINTER_EXECUTOR_FORMULA_H
#define SINTER_EXECUTOR_FORMULA_H

#include "executor/queue/apply.h"

#define SINTER__FORMULA_OPERANDS 32
#define SINTER__FORMULA_RESULTS 32
#define SINTER__FORMULA_NUMBERS 3

/* What is no operation of the op table. */
#define SINTER__FORMULA_PROGRAM 253
#define SINTER__FORMULA_SGD 254
#define SINTER__FORMULA_ADAM 255

/* What decides which operations it queues, beside what its operands are. All bytes count. */
typedef struct sinter__formula_key {
    uint8_t which; /* a sinter__op, or one of those */
    uint8_t given; /* a bit per operand */
    uint8_t keepdims;
    int8_t axis_count;
    int8_t axes[SINTER_MAX_RANK];
    uint32_t unused;                           /* 0 */
    uint64_t numbers[SINTER__FORMULA_NUMBERS]; /* their bits */
} sinter__formula_key;

/* Numbers that the key has not, in the order in which the operations take them: all scalars of the formula, whose
 * tensors have one dtype. Several formulas of one call may share them. */
typedef struct sinter__formula_numbers {
    int count;
    const double *at;
    uint64_t epoch; /* when they were written into the queue; 0: not yet */
    size_t first;   /* of the graph's scalars, as which they stand there */
    uint8_t dtype;
} sinter__formula_numbers;

typedef struct sinter__formula {
    sinter__formula_key key;
    int operand_count, result_count;
    const sinter_tensor *operands; /* null: not given */
    const void *self;
    sinter_status (*queue)(const void *self, const sinter__builder *b, sinter_tensor *out);
    sinter__formula_numbers *numbers; /* NULL: those of the key are all, and come with it */
} sinter__formula;

/* A formula as it stands in the queue. */
typedef struct sinter__queued_formula {
    sinter__formula_key key;
    uint32_t first, count;    /* operations */
    uint32_t tensors;         /* of the queue, after it */
    uint32_t scalars, params; /* of its own */
    uint16_t operands[SINTER__FORMULA_OPERANDS], results[SINTER__FORMULA_RESULTS];
} sinter__queued_formula;

/* The next four with the lock held, within a call. Queues it. Results are the caller's; null handles on failure. */
sinter_status sinter__formula_apply(sinter_stream *s, const sinter__formula *f, sinter_tensor *out);

/* The same in two: false where it does not come as before and is to be queued, from the start that is taken then; and
 * what is remembered of it when it has been. */
typedef struct sinter__formula_start {
    uint64_t epoch;
    uint32_t nodes, scalars, params;
} sinter__formula_start;

bool sinter__formula_again(sinter_stream *s, const sinter__formula *f, sinter_tensor *out);
sinter__formula_start sinter__formula_begin(const sinter_stream *s);
void sinter__formula_note(sinter_stream *s, const sinter__formula *f,
                          const sinter__formula_start *at, const sinter_tensor *results);

/* The first `count` operations have been cut off the queue. */
void sinter__formulas_restart(sinter_stream *s, uint32_t count);

#endif /* SINTER_EXECUTOR_FORMULA_H */
