/* The functions of the op table that C's library does not have, in double: the reference of every
 * test of f32 results. */
#ifndef SINTER_TESTS_REAL_H
#define SINTER_TESTS_REAL_H

double real_sigmoid(double x);
double real_silu(double x);
double real_gelu(double x);
double real_gelu_tanh(double x);
double real_softplus(double x);
double real_elu(double x, double alpha);

#endif /* SINTER_TESTS_REAL_H */
