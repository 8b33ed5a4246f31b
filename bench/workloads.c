/* The table of workloads and the functions that queue them. What is said of an operand's axes,
 * sizes and variants: bench/workload.h. */
#include "bench/workload.h"

#include "bench/variants.h"

#include <math.h>

/* Chains: one input, one output, cheap operations only, so that memory is what costs. */
static value chain_step(expr *e, value v, int step)
{
    switch (step % 8) {
    case 0:
        return e_mul_number(e, v, 1.01);
    case 1:
        return e_add_number(e, v, 0.25);
    case 2:
        return e_maximum_number(e, v, -1.5);
    case 3:
        return e_sub_number(e, v, 0.125);
    case 4:
        return e_mul_number(e, v, 0.98);
    case 5:
        return e_minimum_number(e, v, 1.75);
    case 6:
        return e_neg(e, v);
    default:
        return e_add_number(e, v, 0.5);
    }
}

static value chain(expr *e, value v, int steps)
{
    for (int i = 0; i < steps; i++)
        v = chain_step(e, v, i);
    return v;
}

static void build_chain_2(expr *e, const int64_t *extents, const value *in, value *out)
{
    (void)extents;
    out[0] = chain(e, in[0], 2);
}

static void build_chain_8(expr *e, const int64_t *extents, const value *in, value *out)
{
    (void)extents;
    out[0] = chain(e, in[0], 8);
}

static void build_chain_32(expr *e, const int64_t *extents, const value *in, value *out)
{
    (void)extents;
    out[0] = chain(e, in[0], 32);
}

static void build_bias_gelu(expr *e, const int64_t *extents, const value *in, value *out)
{
    (void)extents;
    out[0] = e_gelu(e, e_add(e, in[0], in[1]));
}

static void build_gelu(expr *e, const int64_t *extents, const value *in, value *out)
{
    (void)extents;
    out[0] = e_gelu(e, in[0]);
}

static void build_gelu_tanh(expr *e, const int64_t *extents, const value *in, value *out)
{
    (void)extents;
    out[0] = e_gelu_tanh(e, in[0]);
}

static void build_silu_gate(expr *e, const int64_t *extents, const value *in, value *out)
{
    (void)extents;
    out[0] = e_mul(e, e_silu(e, in[0]), in[1]);
}

#define MAX_PARAMETERS 8

/* `in` p, m, v of every parameter, which are replaced, then the gradients. The tenth step; the weights shrink by rate *
 * 0.01 where they decay. */
static void adam_step(expr *e, size_t count, const value *in, value *out, bool decays)
{
    sinter_tensor state[3][MAX_PARAMETERS] = {{{0}}};
    sinter_tensor gradient[MAX_PARAMETERS] = {{0}};
    sinter_adam_options o = SINTER_ADAM_OPTIONS_INIT;
    o.step = 10;
    o.weight_decay = decays ? 0.01 : 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < 3; k++)
            state[k][i] = in[3 * i + k].tensor;
        gradient[i] = in[3 * count + i].tensor;
    }
    sinter_status (*step)(sinter_stream *, size_t, sinter_tensor *, const sinter_tensor *,
                          sinter_tensor *, sinter_tensor *, const sinter_adam_options *) =
        decays ? sinter_adamw : sinter_adam;
    e->status = step(e->stream, count, state[0], gradient, state[1], state[2], &o);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < 3; k++)
            out[3 * i + k] = (value){.tensor = state[k][i]};
    }
}

static void build_adam(expr *e, const int64_t *extents, const value *in, value *out)
{
    (void)extents;
    adam_step(e, 1, in, out, false);
}

static void build_adamw(expr *e, const int64_t *extents, const value *in, value *out)
{
    (void)extents;
    adam_step(e, 1, in, out, true);
}

static void build_adam_8(expr *e, const int64_t *extents, const value *in, value *out)
{
    (void)extents;
    adam_step(e, 8, in, out, false);
}

static value normal_cdf(expr *e, value x)
{
    value half = e_mul_number(e, e_erf(e, e_mul_number(e, x, sqrt(0.5))), 0.5);
    return e_add_number(e, half, 0.5);
}

/* Price of a call; inputs spot, strike, time in years; rate 2 %, volatility 30 %. */
static void build_black_scholes(expr *e, const int64_t *extents, const value *in, value *out)
{
    (void)extents;
    const double rate = 0.02;
    const double volatility = 0.3;
    value spot = in[0];
    value strike = in[1];
    value time = in[2];
    value spread = e_mul_number(e, e_sqrt(e, time), volatility);
    value drift = e_mul_number(e, time, rate + volatility * volatility / 2.0);
    value moneyness = e_log(e, e_div(e, spot, strike));
    value d1 = e_div(e, e_add(e, moneyness, drift), e_use(spread));
    value d2 = e_sub(e, e_use(d1), spread);
    value discount = e_exp(e, e_mul_number(e, time, -rate));
    value gain = e_mul(e, spot, normal_cdf(e, d1));
    value cost = e_mul(e, e_mul(e, strike, discount), normal_cdf(e, d2));
    out[0] = e_sub(e, gain, cost);
}

/* Gain per channel, a filmic curve (Narkowicz's fit of ACES), gamma. */
static void build_tone_curve(expr *e, const int64_t *extents, const value *in, value *out)
{
    (void)extents;
    value x = e_mul(e, in[0], in[1]);
    value above = e_add_number(e, e_mul_number(e, e_use(x), 2.51), 0.03);
    value below = e_add_number(e, e_mul_number(e, e_use(x), 2.43), 0.59);
    above = e_mul(e, above, e_use(x));
    below = e_add_number(e, e_mul(e, below, x), 0.14);
    value curve = e_clamp(e, e_div(e, above, below), 0.0, 1.0);
    out[0] = e_pow_number(e, curve, 1.0 / 2.2);
}

static void build_strided(expr *e, const int64_t *extents, const value *in, value *out)
{
    (void)extents;
    value every_second = e_slice(e, in[0], 1, 2);
    out[0] = e_add(e, e_mul_number(e, every_second, 2.0), e_transpose(e, in[1]));
}

static void build_broadcast(expr *e, const int64_t *extents, const value *in, value *out)
{
    (void)extents;
    value distance = e_sub(e, in[0], in[1]);
    out[0] = e_add_number(e, e_mul_number(e, e_square(e, distance), -0.5), 1.0);
}

static void build_matmul(expr *e, const int64_t *extents, const value *in, value *out)
{
    (void)extents;
    out[0] = e_matmul(e, in[0], in[1]);
}

static value dense(expr *e, value x, value w, value b)
{
    return e_add(e, e_matmul(e, x, w), b);
}

static void build_perceptron(expr *e, const int64_t *extents, const value *in, value *out)
{
    (void)extents;
    value hidden = e_relu(e, dense(e, in[0], in[1], in[2]));
    hidden = e_relu(e, dense(e, hidden, in[3], in[4]));
    out[0] = e_sigmoid(e, dense(e, hidden, in[5], in[6]));
}

static void build_row_sum(expr *e, const int64_t *extents, const value *in, value *out)
{
    (void)extents;
    out[0] = e_sum(e, in[0], 1);
}

static void build_plane_sum(expr *e, const int64_t *extents, const value *in, value *out)
{
    static const int outer_axes[] = {0, 2};
    (void)extents;
    out[0] = (value){.is_temporary = true};
    e->status = sinter_sum(e->stream, in[0].tensor, 2, outer_axes, false, &out[0].tensor);
}

static void build_cumsum(expr *e, const int64_t *extents, const value *in, value *out)
{
    (void)extents;
    out[0] = e_cumsum(e, in[0], 1);
}

static void build_cumsum_down(expr *e, const int64_t *extents, const value *in, value *out)
{
    (void)extents;
    out[0] = e_cumsum(e, in[0], 0);
}

static void build_whole_sum(expr *e, const int64_t *extents, const value *in, value *out)
{
    (void)extents;
    out[0] = e_sum(e, in[0], -1);
}

static void build_column_sum(expr *e, const int64_t *extents, const value *in, value *out)
{
    (void)extents;
    out[0] = e_sum(e, in[0], 0);
}

static void build_mean_variance(expr *e, const int64_t *extents, const value *in, value *out)
{
    (void)extents;
    out[0] = e_row_mean(e, in[0]);
    out[1] = e_row_mean(e, e_square(e, e_sub(e, in[0], e_use(out[0]))));
}

static const int last_axis[] = {-1};

static void build_softmax(expr *e, const int64_t *extents, const value *in, value *out)
{
    (void)extents;
    out[0] = (value){.is_temporary = true};
    e->status = sinter_softmax(e->stream, in[0].tensor, 1, last_axis, &out[0].tensor);
}

static const int first_axis[] = {0};

static void build_softmax_down(expr *e, const int64_t *extents, const value *in, value *out)
{
    (void)extents;
    out[0] = (value){.is_temporary = true};
    e->status = sinter_softmax(e->stream, in[0].tensor, 1, first_axis, &out[0].tensor);
}

static void build_log_softmax(expr *e, const int64_t *extents, const value *in, value *out)
{
    (void)extents;
    out[0] = (value){.is_temporary = true};
    e->status = sinter_log_softmax(e->stream, in[0].tensor, 1, last_axis, &out[0].tensor);
}

static void build_layer_norm(expr *e, const int64_t *extents, const value *in, value *out)
{
    (void)extents;
    out[0] = (value){.is_temporary = true};
    e->status = sinter_layer_norm(e->stream, in[0].tensor, 1, last_axis, in[1].tensor, in[2].tensor,
                                  1e-5, &out[0].tensor);
}

static void build_rms_norm(expr *e, const int64_t *extents, const value *in, value *out)
{
    (void)extents;
    out[0] = (value){.is_temporary = true};
    e->status =
        sinter_rms_norm(e->stream, in[0].tensor, 1, last_axis, in[1].tensor, 1e-5, &out[0].tensor);
}

/* clang-format off */
#define KI *INT64_C(1024)
#define MI *INT64_C(1048576)

/* Of a parameter: p, m and v; its gradient; their successors. */
#define STATE(axes) {axes, SINTER_F32, -1, 1}, {axes, SINTER_F32, -0.1F, 0.1F}, {axes, SINTER_F32, 0, 0.01F}
#define GRADIENT(axes) {axes, SINTER_F32, -1, 1}
#define NEXT(axes) {axes, SINTER_F32, 0, 0}, {axes, SINTER_F32, 0, 0}, {axes, SINTER_F32, 0, 0}

#define ROW_SIZES                                                                                  \
    .sizes = {{"64x1024", {64, 1024}}, {"4096x1024", {4096, 1024}},                                \
              {"131072x1024", {131072, 1024}}},                                                    \
    .quick = 0, .large = 2

#define CHAIN_SIZES                                                                                \
    .sizes = {{"16Ki", {16 KI}}, {"64Ki", {64 KI}}, {"1Mi", {1 MI}}, {"4Mi", {4 MI}},              \
              {"16Mi", {16 MI}}, {"128Mi", {128 MI}}},                                             \
    .quick = 1, .large = 5

#define CHAIN(steps)                                                                               \
    {.name = "chain-" #steps, .meaning = #steps " cheap operations in a row",                      \
     .inputs = {{"a", SINTER_F32, -2, 2}}, .outputs = {{"a", SINTER_F32, 0, 0}},                   \
     .build = build_chain_##steps, CHAIN_SIZES,                                                    \
     .variants = bench_chain_##steps, .tolerance = 1e-5}

const bench_workload bench_workloads[] = {
    CHAIN(2),
    CHAIN(8),
    CHAIN(32),
    {.name = "chain-8-f16", .meaning = "8 cheap operations in a row, stored as f16",
     .inputs = {{"a", SINTER_F16, -2, 2}}, .outputs = {{"a", SINTER_F16, 0, 0}},
     .build = build_chain_8,
     .sizes = {{"64Ki", {64 KI}}, {"4Mi", {4 MI}}, {"128Mi", {128 MI}}}, .quick = 0, .large = 2,
     .variants = bench_chain_8_f16, .tolerance = 4e-3},
    {.name = "bias-gelu", .meaning = "gelu(x + b), the erf form",
     .inputs = {{"ab", SINTER_F32, -3, 3}, {"b", SINTER_F32, -1, 1}},
     .outputs = {{"ab", SINTER_F32, 0, 0}},
     .build = build_bias_gelu, ROW_SIZES, .variants = bench_bias_gelu, .tolerance = 1e-5},
    {.name = "gelu", .meaning = "gelu(x), the erf form",
     .inputs = {{"a", SINTER_F32, -3, 3}}, .outputs = {{"a", SINTER_F32, 0, 0}},
     .build = build_gelu,
     .sizes = {{"1Mi", {1 MI}}, {"4Mi", {4 MI}}, {"128Mi", {128 MI}}}, .quick = 0, .large = 2,
     .variants = bench_gelu, .tolerance = 1e-5},
    {.name = "gelu-tanh", .meaning = "gelu(x), the tanh form",
     .inputs = {{"a", SINTER_F32, -3, 3}}, .outputs = {{"a", SINTER_F32, 0, 0}},
     .build = build_gelu_tanh,
     .sizes = {{"1Mi", {1 MI}}, {"4Mi", {4 MI}}, {"128Mi", {128 MI}}}, .quick = 0, .large = 2,
     .variants = bench_gelu_tanh, .tolerance = 1e-5},
    {.name = "silu-gate", .meaning = "silu(a) * b",
     .inputs = {{"a", SINTER_F32, -6, 6}, {"a", SINTER_F32, -2, 2}},
     .outputs = {{"a", SINTER_F32, 0, 0}},
     .build = build_silu_gate,
     .sizes = {{"64Ki", {64 KI}}, {"4Mi", {4 MI}}, {"128Mi", {128 MI}}}, .quick = 0, .large = 2,
     .variants = bench_silu_gate, .tolerance = 1e-5},
    {.name = "adam", .meaning = "one step of Adam: p, m, v replaced, g read",
     .inputs = {{"a", SINTER_F32, -1, 1}, {"a", SINTER_F32, -0.1F, 0.1F},
                {"a", SINTER_F32, 0, 0.01F}, {"a", SINTER_F32, -1, 1}},
     .outputs = {{"a", SINTER_F32, 0, 0}, {"a", SINTER_F32, 0, 0}, {"a", SINTER_F32, 0, 0}},
     .build = build_adam, .updates = 3,
     .sizes = {{"64Ki", {64 KI}}, {"4Mi", {4 MI}}, {"64Mi", {64 MI}}}, .quick = 0, .large = 2,
     .variants = bench_adam, .tolerance = 1e-5},
    {.name = "adamw", .meaning = "one step of AdamW: Adam, and the weights decay",
     .inputs = {{"a", SINTER_F32, -1, 1}, {"a", SINTER_F32, -0.1F, 0.1F},
                {"a", SINTER_F32, 0, 0.01F}, {"a", SINTER_F32, -1, 1}},
     .outputs = {{"a", SINTER_F32, 0, 0}, {"a", SINTER_F32, 0, 0}, {"a", SINTER_F32, 0, 0}},
     .build = build_adamw, .updates = 3,
     .sizes = {{"64Ki", {64 KI}}, {"4Mi", {4 MI}}, {"64Mi", {64 MI}}}, .quick = 0, .large = 2,
     .variants = bench_adamw, .tolerance = 1e-5},
    {.name = "adam-8", .meaning = "one step of Adam over 8 parameters of different sizes",
     .inputs = {STATE("ab"), STATE("b"), STATE("bc"), STATE("c"), STATE("cd"), STATE("d"), STATE("a"), STATE("ac"),
                GRADIENT("ab"), GRADIENT("b"), GRADIENT("bc"), GRADIENT("c"), GRADIENT("cd"), GRADIENT("d"),
                GRADIENT("a"), GRADIENT("ac")},
     .outputs = {NEXT("ab"), NEXT("b"), NEXT("bc"), NEXT("c"), NEXT("cd"), NEXT("d"), NEXT("a"), NEXT("ac")},
     .build = build_adam_8, .updates = 24,
     .sizes = {{"0.1Mi", {256, 256, 128, 64}}, {"1Mi", {1024, 512, 256, 64}},
               {"64Mi", {8192, 4096, 2048, 512}}}, .quick = 0, .large = 2,
     .variants = bench_adam_8, .tolerance = 1e-5},
    {.name = "black-scholes", .meaning = "price of a call option",
     .inputs = {{"a", SINTER_F32, 50, 150}, {"a", SINTER_F32, 50, 150}, {"a", SINTER_F32, 0.1F, 2}},
     .outputs = {{"a", SINTER_F32, 0, 0}},
     .build = build_black_scholes,
     .sizes = {{"64Ki", {64 KI}}, {"4Mi", {4 MI}}, {"128Mi", {128 MI}}}, .quick = 0, .large = 2,
     .variants = bench_black_scholes, .tolerance = 1e-4},
    {.name = "tone-curve", .meaning = "RGB image: gain per channel, filmic curve, gamma",
     .inputs = {{"abc", SINTER_F32, 0, 2}, {"c", SINTER_F32, 0.8F, 1.2F}},
     .outputs = {{"abc", SINTER_F32, 0, 0}},
     .build = build_tone_curve,
     .sizes = {{"128x256", {128, 256, 3}}, {"1080x1920", {1080, 1920, 3}},
               {"4320x7680", {4320, 7680, 3}}}, .quick = 0, .large = 2,
     .variants = bench_tone_curve, .tolerance = 1e-5},
    {.name = "strided", .meaning = "x[:, ::2] * 2 + transpose(y)",
     .inputs = {{"aB", SINTER_F32, -1, 1}, {"ba", SINTER_F32, -1, 1}},
     .outputs = {{"ab", SINTER_F32, 0, 0}},
     .build = build_strided,
     .sizes = {{"256x256", {256, 256}}, {"2048x2048", {2048, 2048}}, {"8192x8192", {8192, 8192}}},
     .quick = 0, .large = 2, .variants = bench_strided, .tolerance = 1e-6},
    {.name = "broadcast", .meaning = "1 - (column - row)^2 / 2",
     .inputs = {{"a1", SINTER_F32, -1, 1}, {"1b", SINTER_F32, -1, 1}},
     .outputs = {{"ab", SINTER_F32, 0, 0}},
     .build = build_broadcast,
     .sizes = {{"256x256", {256, 256}}, {"2048x2048", {2048, 2048}}, {"8192x8192", {8192, 8192}}},
     .quick = 0, .large = 2, .variants = bench_broadcast, .tolerance = 1e-6},
    {.name = "row-sum", .meaning = "sum of each row",
     .inputs = {{"ab", SINTER_F32, -1, 1}}, .outputs = {{"a", SINTER_F32, 0, 0}},
     .build = build_row_sum, .is_reduction = true, ROW_SIZES, .variants = bench_row_sum, .tolerance = 1e-3},
    {.name = "plane-sum", .meaning = "sum over all but the middle axis",
     .inputs = {{"abc", SINTER_F32, -1, 1}}, .outputs = {{"b", SINTER_F32, 0, 0}},
     .build = build_plane_sum, .is_reduction = true,
     .sizes = {{"8x32x256", {8, 32, 256}}, {"64x256x256", {64, 256, 256}}, {"64x8192x256", {64, 8192, 256}}},
     .quick = 0, .large = 2, .variants = bench_plane_sum, .tolerance = 1e-3},
    {.name = "cumsum", .meaning = "running sum along each row",
     .inputs = {{"ab", SINTER_F32, -1, 1}}, .outputs = {{"ab", SINTER_F32, 0, 0}},
     .build = build_cumsum, ROW_SIZES, .variants = bench_cumsum, .tolerance = 1e-3},
    {.name = "cumsum-down", .meaning = "running sum down each column",
     .inputs = {{"ab", SINTER_F32, -1, 1}}, .outputs = {{"ab", SINTER_F32, 0, 0}},
     .build = build_cumsum_down, ROW_SIZES, .variants = bench_cumsum_down, .tolerance = 1e-3},
    {.name = "whole-sum", .meaning = "sum of every element",
     .inputs = {{"a", SINTER_F32, -1, 1}}, .outputs = {{"", SINTER_F32, 0, 0}},
     .temporaries = {{"b", SINTER_F32, 0, 0}}, .build = build_whole_sum, .is_reduction = true,
     .sizes = {{"64Ki", {64 KI, 4}}, {"4Mi", {4 MI, 256}}, {"64Mi", {64 MI, 4096}},
               {"256Mi", {256 MI, 16384}}},
     .quick = 0, .large = 3, .variants = bench_whole_sum, .tolerance = 1e-3},
    {.name = "column-sum", .meaning = "sum of each column",
     .inputs = {{"ab", SINTER_F32, -1, 1}}, .outputs = {{"b", SINTER_F32, 0, 0}},
     .temporaries = {{"cb", SINTER_F32, 0, 0}}, .build = build_column_sum, .is_reduction = true,
     .sizes = {{"64x1024", {64, 1024, 1}}, {"4096x1024", {4096, 1024, 16}},
               {"131072x1024", {131072, 1024, 512}}},
     .quick = 0, .large = 2, .variants = bench_column_sum, .tolerance = 1e-3},
    {.name = "mean-variance", .meaning = "mean and variance of each row",
     .inputs = {{"ab", SINTER_F32, -1, 1}},
     .outputs = {{"a1", SINTER_F32, 0, 0}, {"a1", SINTER_F32, 0, 0}},
     .build = build_mean_variance, .is_reduction = true, ROW_SIZES,
     .variants = bench_mean_variance, .tolerance = 1e-4},
    {.name = "softmax", .meaning = "softmax of each row",
     .inputs = {{"ab", SINTER_F32, -5, 5}}, .outputs = {{"ab", SINTER_F32, 0, 0}},
     .build = build_softmax, ROW_SIZES, .variants = bench_softmax, .tolerance = 1e-5},
    {.name = "softmax-down", .meaning = "softmax of each column",
     .inputs = {{"ab", SINTER_F32, -5, 5}}, .outputs = {{"ab", SINTER_F32, 0, 0}},
     .temporaries = {{"cb", SINTER_F32, 0, 0}, {"cb", SINTER_F32, 0, 0}}, .build = build_softmax_down,
     .sizes = {{"64x1024", {64, 1024, 1}}, {"4096x1024", {4096, 1024, 16}},
               {"16384x4096", {16384, 4096, 64}}},
     .quick = 0, .large = 2, .variants = bench_softmax_down, .tolerance = 1e-5},
    {.name = "log-softmax", .meaning = "logarithm of the softmax of each row",
     .inputs = {{"ab", SINTER_F32, -5, 5}}, .outputs = {{"ab", SINTER_F32, 0, 0}},
     .build = build_log_softmax, ROW_SIZES, .variants = bench_log_softmax, .tolerance = 1e-5},
    {.name = "layer-norm", .meaning = "each row to mean 0 and deviation 1, then gain and bias",
     .inputs = {{"ab", SINTER_F32, -2, 3}, {"b", SINTER_F32, 0.5F, 1.5F}, {"b", SINTER_F32, -1, 1}},
     .outputs = {{"ab", SINTER_F32, 0, 0}},
     .build = build_layer_norm, ROW_SIZES, .variants = bench_layer_norm, .tolerance = 1e-4},
    {.name = "rms-norm", .meaning = "each row by its root mean square, then gain",
     .inputs = {{"ab", SINTER_F32, -2, 3}, {"b", SINTER_F32, 0.5F, 1.5F}},
     .outputs = {{"ab", SINTER_F32, 0, 0}},
     .build = build_rms_norm, ROW_SIZES, .variants = bench_rms_norm, .tolerance = 1e-4},
    {.name = "matmul", .meaning = "x @ w",
     .inputs = {{"ab", SINTER_F32, -1, 1}, {"bc", SINTER_F32, -1, 1}},
     .outputs = {{"ac", SINTER_F32, 0, 0}}, .build = build_matmul,
     .sizes = {{"256", {256, 256, 256}}, {"512", {512, 512, 512}}, {"1024", {1024, 1024, 1024}},
               {"4096", {4096, 4096, 4096}}},
     .quick = 0, .large = 3, .variants = bench_matmul, .tolerance = 1e-3},
    {.name = "perceptron", .meaning = "three layers: matrix product, bias, relu or sigmoid",
     .inputs = {{"ab", SINTER_F32, -1, 1}, {"bc", SINTER_F32, -0.1F, 0.1F},
                {"c", SINTER_F32, -1, 1}, {"cc", SINTER_F32, -0.05F, 0.05F},
                {"c", SINTER_F32, -1, 1}, {"cd", SINTER_F32, -0.05F, 0.05F},
                {"d", SINTER_F32, -1, 1}},
     .outputs = {{"ad", SINTER_F32, 0, 0}},
     .temporaries = {{"ac", SINTER_F32, 0, 0}, {"ac", SINTER_F32, 0, 0}},
     .build = build_perceptron,
     .sizes = {{"batch-32", {32, 128, 256, 10}}, {"batch-256", {256, 512, 1024, 10}},
               {"batch-8192", {8192, 2048, 4096, 10}}},
     .quick = 0, .large = 2, .variants = bench_perceptron, .tolerance = 1e-4},
};
/* clang-format on */

const size_t bench_workload_count = sizeof bench_workloads / sizeof bench_workloads[0];
