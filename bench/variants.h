/* How each workload is written by hand: bench/variants.c. Every list ends with a row without a
 * name. */
#ifndef SINTER_BENCH_VARIANTS_H
#define SINTER_BENCH_VARIANTS_H

#include "bench/workload.h"

extern const bench_variant bench_chain_2[];
extern const bench_variant bench_chain_8[];
extern const bench_variant bench_chain_32[];
extern const bench_variant bench_chain_8_f16[];
extern const bench_variant bench_bias_gelu[];
extern const bench_variant bench_gelu[];
extern const bench_variant bench_gelu_tanh[];
extern const bench_variant bench_silu_gate[];
extern const bench_variant bench_adam[];
extern const bench_variant bench_adamw[];
extern const bench_variant bench_adam_8[];
extern const bench_variant bench_black_scholes[];
extern const bench_variant bench_tone_curve[];
extern const bench_variant bench_strided[];
extern const bench_variant bench_broadcast[];
extern const bench_variant bench_row_sum[];
extern const bench_variant bench_plane_sum[];
extern const bench_variant bench_cumsum[];
extern const bench_variant bench_cumsum_down[];
extern const bench_variant bench_whole_sum[];
extern const bench_variant bench_column_sum[];
extern const bench_variant bench_mean_variance[];
extern const bench_variant bench_softmax[];
extern const bench_variant bench_softmax_down[];
extern const bench_variant bench_log_softmax[];
extern const bench_variant bench_layer_norm[];
extern const bench_variant bench_rms_norm[];
extern const bench_variant bench_matmul[];
extern const bench_variant bench_perceptron[];
extern const bench_variant bench_copy[];
extern const bench_variant bench_read[];

#endif /* SINTER_BENCH_VARIANTS_H */
