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
#define FLAT_(name_, same_, file_, options_, kernel_, buffers_, axes_, per, group)                 \
    {.name = name_, .file = file_, .options = options_, .same = same_,                             \
     .launches = {{.kernel = kernel_, .buffers = buffers_, .items = {axes_}, .per_item = {per},    \
                   .local = {group}}}}
#define FLAT(name, ...) FLAT_(name, false, __VA_ARGS__)
#define SAME(name, ...) FLAT_(name, true, __VA_ARGS__)

#define FORMS(MEANING, file, options, kernel, buffers, axes)                                       \
    MEANING("loop", file, options " -DWIDTH=16", kernel, buffers, axes, 4096, 1),                  \
    MEANING("scalar", file, options " -DWIDTH=1", kernel, buffers, axes, 1, 256),                  \
    MEANING("float16", file, options " -DWIDTH=16", kernel, buffers, axes, 16, 64),                \
    MEANING("long loop", file, options " -DWIDTH=16", kernel, buffers, axes, 16384, 1)

/* Where the driver's functions are slow: short ones for the looser meaning. */
#define OWN_FORMS(file, options, kernel, buffers, axes)                                            \
    FLAT("loop, own math", file, options " -DWIDTH=16 -DFAST", kernel, buffers, axes, 4096, 1),    \
    FLAT("scalar", file, options " -DWIDTH=1", kernel, buffers, axes, 1, 256),                     \
    FLAT("scalar, own math", file, options " -DWIDTH=1 -DFAST", kernel, buffers, axes, 1, 256),    \
    FLAT("loop", file, options " -DWIDTH=16", kernel, buffers, axes, 4096, 1)

#define SAME_FORMS(file, options, kernel, buffers, axes)                                           \
    FORMS(SAME, file, options, kernel, buffers, axes),                                             \
    SAME("loop of two", file, options " -DWIDTH=16 -DUNROLL=2", kernel, buffers, axes, 4096, 1),   \
    SAME("long loop of two", file, options " -DWIDTH=16 -DUNROLL=2", kernel, buffers, axes, 16384, 1), \
    SAME("loop of float8", file, options " -DWIDTH=8", kernel, buffers, axes, 4096, 1)

#define BOTH_FORMS(file, options, kernel, buffers, axes)                                           \
    FORMS(FLAT, file, options, kernel, buffers, axes),                                             \
    SAME_FORMS(file, options, kernel, buffers, axes)

/* Past the caches, for results too large to find there again. */
#define STREAM(MEANING, file, options, kernel, buffers, axes)                                      \
    MEANING("loop, streamed", file, options " -DWIDTH=16 -DSTREAM", kernel, buffers, axes, 4096, 1)

#define NO_MORE {.name = NULL}

#define CHAIN(steps, kernel)                                                                       \
    {BOTH_FORMS("chain.cl", "-DSTEPS=" #steps, kernel, "i0 O0", "a"),                              \
     STREAM(FLAT, "chain.cl", "-DSTEPS=" #steps, kernel, "i0 O0", "a"),                            \
     STREAM(SAME, "chain.cl", "-DSTEPS=" #steps, kernel, "i0 O0", "a"), NO_MORE}

const bench_variant bench_chain_2[] = CHAIN(2, "chain_f32");
const bench_variant bench_chain_8[] = CHAIN(8, "chain_f32");
const bench_variant bench_chain_32[] = CHAIN(32, "chain_f32");

#define HALF_CHAIN(name, options, per, group)                                                      \
    SAME(name, "chain.cl", "-DSTEPS=8 " options, "chain_f16", "i0 O0", "a", per, group)

const bench_variant bench_chain_8_f16[] = {
    FORMS(FLAT, "chain.cl", "-DSTEPS=8", "chain_f16", "i0 O0", "a"),
    HALF_CHAIN("loop", "-DWIDTH=16", 4096, 1),
    HALF_CHAIN("native loop", "-DWIDTH=16 -DNATIVE_HALF", 4096, 1),
    HALF_CHAIN("native loop of two", "-DWIDTH=16 -DUNROLL=2 -DNATIVE_HALF", 4096, 1),
    HALF_CHAIN("native scalar", "-DWIDTH=1 -DNATIVE_HALF", 1, 256),
    HALF_CHAIN("loop of float8", "-DWIDTH=8", 4096, 1),
    NO_MORE};

#define ELEMENTWISE(file, options, kernel, buffers)                                                \
    {OWN_FORMS(file, options, kernel, buffers, "a"), SAME_FORMS(file, options, kernel, buffers, "a"), \
     STREAM(FLAT, file, options " -DFAST", kernel, buffers, "a"),                                  \
     STREAM(SAME, file, options, kernel, buffers, "a"), NO_MORE}

const bench_variant bench_gelu[] = ELEMENTWISE("activation.cl", "", "gelu", "i0 O0");
const bench_variant bench_gelu_tanh[] = ELEMENTWISE("activation.cl", "", "gelu_tanh", "i0 O0");
const bench_variant bench_silu_gate[] = ELEMENTWISE("activation.cl", "", "silu_gate", "i0 i1 O0");
const bench_variant bench_black_scholes[] = ELEMENTWISE("black_scholes.cl", "", "black_scholes", "i0 i1 i2 O0");

#define BIAS(same_)                                                                                \
    {.name = "scalar", .file = "activation.cl", .options = "-DWIDTH=1", .same = same_,             \
     .launches = {{.kernel = "bias_gelu", .buffers = "i0 i1 O0", .items = {"b", "a"},              \
                   .per_item = {1, 1}, .local = {256, 1}}}}

const bench_variant bench_bias_gelu[] = {
    FLAT("rows, own erf", "activation.cl", "-DWIDTH=16 -DFAST", "bias_gelu_rows", "i0 i1 O0", "a", 8, 1),
    BIAS(false),
    FLAT("rows", "activation.cl", "-DWIDTH=16", "bias_gelu_rows", "i0 i1 O0", "a", 8, 1),
    SAME("rows", "activation.cl", "-DWIDTH=16", "bias_gelu_rows", "i0 i1 O0", "a", 8, 1),
    SAME("rows of float8", "activation.cl", "-DWIDTH=8", "bias_gelu_rows", "i0 i1 O0", "a", 8, 1),
    BIAS(true),
    NO_MORE};

const bench_variant bench_adam[] = {BOTH_FORMS("adam.cl", "", "adam", "U0 U1 U2 i3", "a"), NO_MORE};
const bench_variant bench_adamw[] = {BOTH_FORMS("adam.cl", "-DDECAY", "adam", "U0 U1 U2 i3", "a"), NO_MORE};

/* A launch of a kernel of several: `per` elements of the product of `axes` for a work-item, which is a group. */
#define ONE_LAUNCH(kernel_, buffers_, axes, per)                                                   \
    {.kernel = kernel_, .buffers = buffers_, .items = {axes}, .per_item = {per}, .local = {1}}

#define ADAM_8(same_, per)                                                                         \
    {.name = "one launch", .file = "adam.cl", .options = "-DWIDTH=16", .same = same_,              \
     .launches = {{.kernel = "adam_all",                                                           \
                   .buffers = "U0 U1 U2 i24 U3 U4 U5 i25 U6 U7 U8 i26 U9 U10 U11 i27 "             \
                              "U12 U13 U14 i28 U15 U16 U17 i29 U18 U19 U20 i30 U21 U22 U23 i31",   \
                   .items = {"a"}, .per_item = {per}, .local = {1}}}}

#define ADAM_EACH(same_)                                                                           \
    {.name = "a launch each", .file = "adam.cl", .options = "-DWIDTH=16", .same = same_,           \
     .launches = {ONE_LAUNCH("adam_0", "U0 U1 U2 i24", "ab", 4096),                             \
                  ONE_LAUNCH("adam_1", "U3 U4 U5 i25", "b", 4096),                              \
                  ONE_LAUNCH("adam_2", "U6 U7 U8 i26", "bc", 4096),                             \
                  ONE_LAUNCH("adam_3", "U9 U10 U11 i27", "c", 4096),                            \
                  ONE_LAUNCH("adam_4", "U12 U13 U14 i28", "cd", 4096),                          \
                  ONE_LAUNCH("adam_5", "U15 U16 U17 i29", "d", 4096),                           \
                  ONE_LAUNCH("adam_6", "U18 U19 U20 i30", "a", 4096),                           \
                  ONE_LAUNCH("adam_7", "U21 U22 U23 i31", "ac", 4096)}}

const bench_variant bench_adam_8[] = {
    ADAM_8(false, 64), ADAM_8(false, 16), ADAM_EACH(false),
    ADAM_8(true, 64), ADAM_8(true, 16), ADAM_EACH(true),
    NO_MORE};

#define TONE(MEANING, form, options)                                                               \
    MEANING("pixels" form, "tone_curve.cl", "-DWIDTH=16" options, "tone_pixels", "i0 i1 O0", "abc", 6144, 1)
#define TONE_SCALAR(MEANING)                                                                       \
    MEANING("scalar", "tone_curve.cl", "-DWIDTH=1", "tone_scalar", "i0 i1 O0", "abc", 1, 256)

const bench_variant bench_tone_curve[] = {
    TONE(FLAT, ", own pow", " -DFAST"), TONE_SCALAR(FLAT), TONE(FLAT, "", ""),
    TONE(SAME, "", ""), TONE_SCALAR(SAME),
    NO_MORE};

#define STRIDED(name_, same_, kernel_, width, x, y, lx, ly)                                        \
    {.name = name_, .file = "layout.cl", .options = "-DWIDTH=" #width, .same = same_,              \
     .launches = {{.kernel = kernel_, .buffers = "i0 i1 O0", .items = {"b", "a"},                  \
                   .per_item = {x, y}, .local = {lx, ly}}}}

/* Without contraction both meanings are the same kernel. */
#define STRIDED_FORMS(MEANING, is_same)                                                            \
    MEANING("blocks", "layout.cl", "-DWIDTH=1", "strided_blocks", "i0 i1 O0", "a", 32, 1),         \
    MEANING("bands, streamed", "layout.cl", "-DWIDTH=16 -DSTREAM", "strided_bands", "i0 i1 O0", "a", 128, 1), \
    STRIDED("scalar", is_same, "strided_item", 1, 1, 1, 16, 16)

const bench_variant bench_strided[] = {
    STRIDED_FORMS(FLAT, false), STRIDED_FORMS(SAME, true), NO_MORE};

#define BROADCAST_FORMS(MEANING, is_same)                                                          \
    MEANING("rows", "layout.cl", "-DWIDTH=16", "broadcast_rows", "i0 i1 O0", "a", 8, 1),           \
    STRIDED("scalar", is_same, "broadcast", 1, 1, 1, 256, 1),                                      \
    STRIDED("float16", is_same, "broadcast", 16, 16, 1, 16, 1)

const bench_variant bench_broadcast[] = {
    BROADCAST_FORMS(FLAT, false), BROADCAST_FORMS(SAME, true), NO_MORE};

const bench_variant bench_row_sum[] = {
    FLAT("rows", "sum.cl", "-DWIDTH=16", "row_sum", "i0 O0", "a", 8, 1),
    FLAT("groups", "sum.cl", "-DWIDTH=1", "group_row_sum", "i0 O0", "a#", 1, 256),
    SAME("rows", "sum.cl", "-DWIDTH=16", "row_sum", "i0 O0", "a", 8, 1),
    SAME("more rows", "sum.cl", "-DWIDTH=16", "row_sum", "i0 O0", "a", 32, 1),
    NO_MORE};

const bench_variant bench_plane_sum[] = {
    FLAT("planes", "sum.cl", "-DWIDTH=16", "plane_sum", "i0 O0", "b", 8, 1),
    FLAT("groups", "sum.cl", "-DWIDTH=1", "group_plane_sum", "i0 O0", "b#", 1, 256),
    SAME("planes", "sum.cl", "-DWIDTH=16", "plane_sum", "i0 O0", "b", 4, 1),
    SAME("more planes", "sum.cl", "-DWIDTH=16", "plane_sum", "i0 O0", "b", 16, 1),
    NO_MORE};

const bench_variant bench_cumsum[] = {
    FLAT("in sequence", "scan.cl", "-DWIDTH=16", "scan_in_sequence", "i0 O0", "a", 8, 1),
    FLAT("groups", "scan.cl", "-DWIDTH=1", "scan_by_groups", "i0 O0", "a#", 1, 256),
    SAME("blocks", "scan.cl", "-DWIDTH=16", "scan_blocks", "i0 O0", "a", 8, 1),
    SAME("more blocks", "scan.cl", "-DWIDTH=16", "scan_blocks", "i0 O0", "a", 32, 1),
    SAME("blocks, streamed", "scan.cl", "-DWIDTH=16 -DSTREAM", "scan_blocks", "i0 O0", "a", 32, 1),
    SAME("blocks from far", "scan.cl", "-DWIDTH=16 -DFAR", "scan_blocks", "i0 O0", "a", 32, 1),
    SAME("far, streamed", "scan.cl", "-DWIDTH=16 -DFAR -DSTREAM", "scan_blocks", "i0 O0", "a", 32, 1),
    NO_MORE};

const bench_variant bench_cumsum_down[] = {
    FLAT("in sequence", "scan_down.cl", "-DWIDTH=16", "scan_down_in_sequence", "i0 O0", "b", 256, 1),
    FLAT("sequence, streamed", "scan_down.cl", "-DWIDTH=16 -DSTREAM", "scan_down_in_sequence", "i0 O0", "b", 256, 1),
    FLAT("scalar", "scan_down.cl", "-DWIDTH=1", "scan_down_in_sequence", "i0 O0", "b", 1, 64),
    SAME("a vector", "scan_down.cl", "-DWIDTH=16", "scan_down", "i0 O0", "b", 16, 1),
    SAME("bands", "scan_down.cl", "-DWIDTH=16", "scan_down", "i0 O0", "b", 256, 1),
    SAME("bands, streamed", "scan_down.cl", "-DWIDTH=16 -DSTREAM", "scan_down", "i0 O0", "b", 256, 1),
    SAME("wide bands, streamed", "scan_down.cl", "-DWIDTH=16 -DSTREAM", "scan_down", "i0 O0", "b", 512, 1),
    SAME("scalar", "scan_down.cl", "-DWIDTH=1", "scan_down", "i0 O0", "b", 1, 64),
    NO_MORE};

#define ROWS(kernel, buffers)                                                                      \
    FLAT("rows", "rows.cl", "-DWIDTH=16", kernel, buffers, "a", 8, 1),                             \
    FLAT("rows, own math", "rows.cl", "-DWIDTH=16 -DFAST", kernel, buffers, "a", 8, 1),            \
    SAME("rows", "rows.cl", "-DWIDTH=16", kernel, buffers, "a", 8, 1),                             \
    SAME("more rows", "rows.cl", "-DWIDTH=16", kernel, buffers, "a", 32, 1)

/* Those whose last pass writes what no pass reads again. */
#define ROWS_STREAMED(kernel, buffers)                                                             \
    FLAT("rows, streamed", "rows.cl", "-DWIDTH=16 -DFAST -DSTREAM", kernel, buffers, "a", 32, 1),  \
    SAME("rows, streamed", "rows.cl", "-DWIDTH=16 -DSTREAM", kernel, buffers, "a", 32, 1)

#define STREAMED(kernel, buffers) {ROWS(kernel, buffers), ROWS_STREAMED(kernel, buffers), NO_MORE}

const bench_variant bench_mean_variance[] = {ROWS("mean_variance", "i0 O0 O1"), NO_MORE};
const bench_variant bench_softmax[] = STREAMED("softmax", "i0 O0");
#define SOFTMAX_DOWN(same_)                                                                        \
    {.name = "row by row", .file = "softmax_down.cl", .options = "-DWIDTH=16", .same = same_,      \
     .launches = {ONE_LAUNCH("largest_parts", "i0 T0", "c", 1), ONE_LAUNCH("largest_rest", "t0", "b", 16), \
                  ONE_LAUNCH("exp_parts", "i0 t0 O0 T1", "c", 1), ONE_LAUNCH("sum_rest", "t1", "b", 16), \
                  ONE_LAUNCH("divide", "O0 t1", "c", 1)}},                                           \
    {.name = "64 columns", .file = "softmax_down.cl", .options = "-DWIDTH=16 -DBANDS", .same = same_, \
     .launches = {ONE_LAUNCH("softmax_bands", "i0 O0", "b", 64)}}

const bench_variant bench_softmax_down[] = {SOFTMAX_DOWN(false), SOFTMAX_DOWN(true), NO_MORE};
const bench_variant bench_log_softmax[] = STREAMED("log_softmax", "i0 O0");
const bench_variant bench_layer_norm[] = STREAMED("layer_norm", "i0 i1 i2 O0");
const bench_variant bench_rms_norm[] = STREAMED("rms_norm", "i0 i1 O0");

#define SUM(name_, same_, width, parts_, rest_, axes, last, group)                                 \
    {.name = name_, .file = "sum.cl", .options = "-DWIDTH=" #width, .same = same_,                 \
     .launches = {{.kernel = parts_, .buffers = "i0 T0", .items = {axes}, .per_item = {1}, .local = {group}}, \
                  {.kernel = rest_, .buffers = "t0 O0", .items = {last}, .per_item = {1}, .local = {group}}}}

const bench_variant bench_whole_sum[] = {
    SUM("parts", false, 16, "sum_parts", "sum_rest", "b", "", 1),
    SUM("groups", false, 1, "group_parts", "group_rest", "b#", "#", 256),
    SUM("parts", true, 16, "sum_parts", "sum_rest", "b", "", 1),
    NO_MORE};

#define COLUMNS(name_, same_, kernel_, x, y, per)                                                  \
    {.name = name_, .file = "sum.cl", .options = "-DWIDTH=16", .same = same_,                      \
     .launches = {{.kernel = kernel_, .buffers = "i0 T0", .items = {x, y}, .per_item = {per, 1}, .local = {1, 1}}, \
                  {.kernel = "column_rest", .buffers = "t0 O0", .items = {"b"}, .per_item = {16}, .local = {1}}}}

#define COLUMN_FORMS(is_same)                                                                      \
    COLUMNS("row by row", is_same, "column_rows", "c", NULL, 1),                                   \
    COLUMNS("64 columns", is_same, "column_parts", "b", "c", 64),                                  \
    COLUMNS("512 columns", is_same, "column_parts", "b", "c", 512)

const bench_variant bench_column_sum[] = {COLUMN_FORMS(false), COLUMN_FORMS(true), NO_MORE};

#define LAYERS(name_, same_, width, columns, lx, ly, last_rows)                                    \
    {.name = name_, .file = "perceptron.cl", .options = "-DWIDTH=" #width, .same = same_,          \
     .launches = {{.kernel = "layer_1", .buffers = "i0 i1 i2 T0", .items = {"a", "c"},             \
                   .per_item = {8, columns}, .local = {lx, ly}},                                   \
                  {.kernel = "layer_2", .buffers = "t0 i3 i4 T1", .items = {"a", "c"},             \
                   .per_item = {8, columns}, .local = {lx, ly}},                                   \
                  {.kernel = "layer_3", .buffers = "t1 i5 i6 O0", .items = {"d", "a"},             \
                   .per_item = {1, last_rows}, .local = {1, 1}}}}

const bench_variant bench_perceptron[] = {
    LAYERS("8 x 32", false, 16, 32, 1, 1, 1),
    LAYERS("8 x 16", false, 8, 16, 1, 1, 1),
    LAYERS("8 x 8", false, 4, 8, 2, 8, 1),
    LAYERS("8 x 32", true, 16, 32, 1, 1, 8),
    NO_MORE};

#define PRODUCT(name_, same_, width, columns, lx, ly)                                              \
    {.name = name_, .file = "perceptron.cl", .options = "-DPLAIN -DWIDTH=" #width, .same = same_,   \
     .launches = {{.kernel = "product", .buffers = "i0 i1 O0", .items = {"a", "c"},                \
                   .per_item = {8, columns}, .local = {lx, ly}}}}

const bench_variant bench_matmul[] = {
    PRODUCT("8 x 32", false, 16, 32, 1, 1),
    PRODUCT("8 x 16", false, 8, 16, 1, 1),
    PRODUCT("8 x 8", false, 4, 8, 2, 8),
    PRODUCT("8 x 32", true, 16, 32, 1, 1),
    NO_MORE};

const bench_variant bench_copy[] = {FORMS(FLAT, "copy.cl", "", "copy", "i0 O0", "a"),
                                    STREAM(FLAT, "copy.cl", "", "copy", "i0 O0", "a"), NO_MORE};

#define READ(name, kernel, options, per, group)                                                    \
    FLAT(name, "read.cl", options, kernel, "i0 O0", "a", per, group)
const bench_variant bench_read[] = {READ("loop", "read_along", "-DWIDTH=16", 4096, 1),
                                    READ("long loop", "read_along", "-DWIDTH=16", 16384, 1),
                                    READ("longer loop", "read_along", "-DWIDTH=16", 262144, 1),
                                    READ("loop in four places", "read_in_four", "-DWIDTH=16", 65536, 1),
                                    READ("float4 across", "read_across", "-DWIDTH=1", 64, 256),
                                    READ("float4 far across", "read_across", "-DWIDTH=1", 256, 256),
                                    NO_MORE};
/* NOLINTEND(bugprone-macro-parentheses) */
/* clang-format on */
