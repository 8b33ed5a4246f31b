/* Writing an expression over the public API without naming every intermediate.
 *
 * The one hard idea: a value knows whether it is a temporary. A function releases the temporaries
 * that it is given, at once, as a binding with automatic release would do, so that no intermediate
 * outlives its last use; inputs are borrowed and stay. A value that is used twice is passed the
 * first time through e_use(). */
#ifndef SINTER_BENCH_EXPR_H
#define SINTER_BENCH_EXPR_H

#include <sinter/sinter.h>

/* Keeps the first failure; after it, every call does nothing and gives the null handle. */
typedef struct expr {
    sinter_stream *stream;
    sinter_status status;
} expr;

typedef struct value {
    sinter_tensor tensor;
    bool is_temporary;
} value;

/* The same value, borrowed: it stays after the call that it is given to. */
value e_use(value v);

/* An input: borrowed. */
value e_borrow(sinter_tensor t);

value e_add(expr *e, value a, value b);
value e_sub(expr *e, value a, value b);
value e_mul(expr *e, value a, value b);
value e_div(expr *e, value a, value b);
value e_matmul(expr *e, value a, value b);

value e_add_number(expr *e, value a, double b);
value e_sub_number(expr *e, value a, double b);
value e_mul_number(expr *e, value a, double b);
value e_maximum_number(expr *e, value a, double b);
value e_minimum_number(expr *e, value a, double b);
value e_pow_number(expr *e, value a, double b);

value e_neg(expr *e, value a);
value e_square(expr *e, value a);
value e_sqrt(expr *e, value a);
value e_exp(expr *e, value a);
value e_log(expr *e, value a);
value e_erf(expr *e, value a);
value e_sigmoid(expr *e, value a);
value e_relu(expr *e, value a);
value e_gelu(expr *e, value a);
value e_gelu_tanh(expr *e, value a);
value e_silu(expr *e, value a);
value e_clamp(expr *e, value a, double low, double high);

/* Any function of one tensor, and of two. */
value e_unary(expr *e, sinter_status (*function)(sinter_stream *, sinter_tensor, sinter_tensor *),
              value a);
value e_binary(expr *e,
               sinter_status (*function)(sinter_stream *, sinter_tensor, sinter_tensor,
                                         sinter_tensor *),
               value a, value b);

/* Axes reversed. */
value e_transpose(expr *e, value a);
/* Every `step`-th along an axis. */
value e_slice(expr *e, value a, int axis, int64_t step);
/* Over one axis; axis -1: over all. */
value e_sum(expr *e, value a, int axis);
value e_cumsum(expr *e, value a, int axis);
/* Over the last axis of two, which stays with an extent of one. */
value e_row_mean(expr *e, value a);

#endif /* SINTER_BENCH_EXPR_H */
