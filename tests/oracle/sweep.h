/* True values for test_sweep: what sweep.def lists, over a block. */
#ifndef SINTER_TESTS_SWEEP_H
#define SINTER_TESTS_SWEEP_H

#define SWEEP_BLOCK 4096

#define SWEEP(name, value) void sweep_reference_##name(const float *in, double *out);
#include "oracle/sweep.def"
#undef SWEEP

#endif /* SINTER_TESTS_SWEEP_H */
