/* The hand-written variants: which kernel, how wide, how many elements for a work-item.
 *
 * No one form is the best everywhere: a compiler for CPUs may vectorise scalar work-items or only
 * explicit vectors, and pays for each work-group; a GPU wants neighbouring work-items on
 * neighbouring elements. So each workload has a few, and the fastest on the device at hand is the
 * one that sinter is compared with. */
#include "bench/variants.h"

/* clang-format off */
/* NOLINTBEGIN(bugprone-macro-parentheses) */

/* A kernel over [0, the product of `axes`), `per` elements for a work-item. */
#define FLAT(name_, file_, options_, kernel_, buffers_, axes_, per, group)                         \
    {.name = name_, .file = file_, .options = options_,                                            \
     .launches = {{.kernel = kernel_, .buffers = buffers_, .items = {axes_}, .per_item = {per},    \
                   .local = {group}}}}

#define ALL_FLAT(file, options, kernel, buffers, axes)                                             \
    FLAT("loop", file, options " -DWIDTH=16", kernel, buffers, axes, 4096, 1),                     \
    FLAT("scalar", file, options " -DWIDTH=1", kernel, buffers, axes, 1, 256),                     \
    FLAT("float16", file, options " -DWIDTH=16", kernel, buffers, axes, 16, 64),                   \
    FLAT("long loop", file, options " -DWIDTH=16", kernel, buffers, axes, 16384, 1)

#define CHAIN(steps, kernel)                                                                       \
    {ALL_FLAT("chain.cl", "-DSTEPS=" #steps, kernel, "i0 O0", "a"), {.name = NULL}}

const bench_variant bench_chain_2[] = CHAIN(2, "chain_f32");
const bench_variant bench_chain_8[] = CHAIN(8, "chain_f32");
const bench_variant bench_chain_32[] = CHAIN(32, "chain_f32");
const bench_variant bench_chain_8_f16[] = CHAIN(8, "chain_f16");

const bench_variant bench_bias_gelu[] = {
    FLAT("rows, own erf", "activation.cl", "-DWIDTH=16 -DFAST", "bias_gelu_rows", "i0 i1 O0", "a", 8, 1),
    {.name = "scalar", .file = "activation.cl", .options = "-DWIDTH=1",
     .launches = {{.kernel = "bias_gelu", .buffers = "i0 i1 O0", .items = {"b", "a"},
                   .per_item = {1, 1}, .local = {256, 1}}}},
    FLAT("rows", "activation.cl", "-DWIDTH=16", "bias_gelu_rows", "i0 i1 O0", "a", 8, 1),
    {.name = NULL}};

const bench_variant bench_silu_gate[] = {
    FLAT("loop, own exp", "activation.cl", "-DWIDTH=16 -DFAST", "silu_gate", "i0 i1 O0", "a", 4096, 1),
    ALL_FLAT("activation.cl", "", "silu_gate", "i0 i1 O0", "a"),
    {.name = NULL}};

const bench_variant bench_adam[] = {
    ALL_FLAT("adam.cl", "", "adam", "U0 U1 U2 i3", "a"), {.name = NULL}};

const bench_variant bench_black_scholes[] = {
    FLAT("loop, own math", "black_scholes.cl", "-DWIDTH=16 -DFAST", "black_scholes", "i0 i1 i2 O0", "a", 4096, 1),
    FLAT("scalar", "black_scholes.cl", "-DWIDTH=1", "black_scholes", "i0 i1 i2 O0", "a", 1, 256),
    FLAT("loop", "black_scholes.cl", "-DWIDTH=16", "black_scholes", "i0 i1 i2 O0", "a", 4096, 1),
    {.name = NULL}};

const bench_variant bench_tone_curve[] = {
    FLAT("pixels, own pow", "tone_curve.cl", "-DWIDTH=16 -DFAST", "tone_pixels", "i0 i1 O0", "abc", 6144, 1),
    FLAT("scalar", "tone_curve.cl", "-DWIDTH=1", "tone_scalar", "i0 i1 O0", "abc", 1, 256),
    FLAT("pixels", "tone_curve.cl", "-DWIDTH=16", "tone_pixels", "i0 i1 O0", "abc", 6144, 1),
    {.name = NULL}};

#define STRIDED(name_, kernel_, width, x, y, lx, ly)                                               \
    {.name = name_, .file = "layout.cl", .options = "-DWIDTH=" #width,                             \
     .launches = {{.kernel = kernel_, .buffers = "i0 i1 O0", .items = {"b", "a"},                  \
                   .per_item = {x, y}, .local = {lx, ly}}}}

const bench_variant bench_strided[] = {
    FLAT("blocks", "layout.cl", "-DWIDTH=1", "strided_blocks", "i0 i1 O0", "a", 32, 1),
    STRIDED("scalar", "strided_item", 1, 1, 1, 16, 16),
    {.name = NULL}};

const bench_variant bench_broadcast[] = {
    FLAT("rows", "layout.cl", "-DWIDTH=16", "broadcast_rows", "i0 i1 O0", "a", 8, 1),
    STRIDED("scalar", "broadcast", 1, 1, 1, 256, 1),
    STRIDED("float16", "broadcast", 16, 16, 1, 16, 1),
    {.name = NULL}};

const bench_variant bench_row_sum[] = {
    FLAT("rows", "sum.cl", "-DWIDTH=16", "row_sum", "i0 O0", "a", 8, 1),
    FLAT("groups", "sum.cl", "-DWIDTH=1", "group_row_sum", "i0 O0", "a#", 1, 256),
    {.name = NULL}};

#define SUM(name_, width, parts_, rest_, axes, last, group)                                        \
    {.name = name_, .file = "sum.cl", .options = "-DWIDTH=" #width,                                \
     .launches = {{.kernel = parts_, .buffers = "i0 T0", .items = {axes}, .per_item = {1}, .local = {group}}, \
                  {.kernel = rest_, .buffers = "t0 O0", .items = {last}, .per_item = {1}, .local = {group}}}}

const bench_variant bench_whole_sum[] = {
    SUM("parts", 16, "sum_parts", "sum_rest", "b", "", 1),
    SUM("groups", 1, "group_parts", "group_rest", "b#", "#", 256),
    {.name = NULL}};

#define LAYERS(name_, width, columns, lx, ly)                                                      \
    {.name = name_, .file = "perceptron.cl", .options = "-DWIDTH=" #width,                         \
     .launches = {{.kernel = "layer_1", .buffers = "i0 i1 i2 T0", .items = {"a", "c"},             \
                   .per_item = {8, columns}, .local = {lx, ly}},                                   \
                  {.kernel = "layer_2", .buffers = "t0 i3 i4 T1", .items = {"a", "c"},             \
                   .per_item = {8, columns}, .local = {lx, ly}},                                   \
                  {.kernel = "layer_3", .buffers = "t1 i5 i6 O0", .items = {"d", "a"},             \
                   .per_item = {1, 1}, .local = {1, 1}}}}

const bench_variant bench_perceptron[] = {
    LAYERS("8 x 32", 16, 32, 1, 1),
    LAYERS("8 x 16", 8, 16, 1, 1),
    LAYERS("8 x 8", 4, 8, 2, 8),
    {.name = NULL}};

const bench_variant bench_copy[] = {ALL_FLAT("copy.cl", "", "copy", "i0 O0", "a"), {.name = NULL}};
/* NOLINTEND(bugprone-macro-parentheses) */
/* clang-format on */
