/* The public function of every elementwise operation, by code, for tests that go through them all.
 */
#ifndef SINTER_TESTS_CALLS_H
#define SINTER_TESTS_CALLS_H

#include "oracle/oracle.h"

#include <sinter/sinter.h>

typedef struct oracle_call {
    sinter_status (*one)(sinter_stream *s, sinter_tensor x, sinter_tensor *out);
    sinter_status (*two)(sinter_stream *s, sinter_tensor x, sinter_tensor y, sinter_tensor *out);
    sinter_status (*three)(sinter_stream *s, sinter_tensor x, sinter_tensor y, sinter_tensor z,
                           sinter_tensor *out);
    sinter_status (*with_scalar)(sinter_stream *s, sinter_tensor x, double y, sinter_tensor *out);
    sinter_status (*of_scalar)(sinter_stream *s, double x, sinter_tensor y, sinter_tensor *out);
    sinter_status (*one_parameter)(sinter_stream *s, sinter_tensor x, double p, sinter_tensor *out);
    sinter_status (*two_parameters)(sinter_stream *s, sinter_tensor x, double p, double q,
                                    sinter_tensor *out);
} oracle_call;

/* Those that its arity and parameters do not call for are NULL. */
extern const oracle_call oracle_calls[SINTER__OP_END];

/* Queues `row` over its tensors (or, with parameters, over the first and the numbers). */
sinter_status oracle_queue(const oracle_row *row, sinter_stream *s, const sinter_tensor t[3],
                           const double parameters[2], sinter_tensor *out);

#endif /* SINTER_TESTS_CALLS_H */
