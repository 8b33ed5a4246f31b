/* The table of `sinter bench --math`: each function of the math library against the driver's own, in a
 * kernel of one element for a work-item and in one of 16 at a time. */
#include "bench/workload.h"

/* clang-format off */
/* NOLINTBEGIN(bugprone-macro-parentheses) */

/* X(name, range of the operand; of the second one) */
#define UNARY(X)                                                                                   \
    X(exp, -20, 20)                                                                                \
    X(exp2, -20, 20)                                                                               \
    X(expm1, -5, 5)                                                                                \
    X(log, 0.01F, 100)                                                                             \
    X(log2, 0.01F, 100)                                                                            \
    X(log10, 0.01F, 100)                                                                           \
    X(log1p, -0.9F, 10)                                                                            \
    X(sin, -100, 100)                                                                              \
    X(cos, -100, 100)                                                                              \
    X(tan, -1.5F, 1.5F)                                                                            \
    X(atan, -5, 5)                                                                                 \
    X(tanh, -5, 5)                                                                                 \
    X(erf, -3, 3)                                                                                  \
    X(exp10, -10, 10)                                                                              \
    X(asin, -1, 1)                                                                                 \
    X(acos, -1, 1)                                                                                 \
    X(sinh, -5, 5)                                                                                 \
    X(cosh, -5, 5)                                                                                 \
    X(asinh, -5, 5)                                                                                \
    X(acosh, 1, 10)                                                                                \
    X(atanh, -0.99F, 0.99F)                                                                        \
    X(cbrt, -10, 10)                                                                               \
    X(erfc, -3, 3)                                                                                 \
    X(lgamma, 0.1F, 20)                                                                            \
    X(sigmoid, -10, 10)                                                                            \
    X(gelu, -3, 3)                                                                                 \
    X(gelu_tanh, -3, 3)                                                                            \
    X(silu, -10, 10)                                                                               \
    X(softplus, -10, 10)

#define BINARY(X)                                                                                  \
    X(pow, 0.1F, 10, -4, 4)                                                                        \
    X(atan2, -5, 5, -5, 5)                                                                         \
    X(hypot, -5, 5, -5, 5)

#define BUILD_UNARY(name, ...)                                                                     \
    static void build_##name(expr *e, const int64_t *extents, const value *in, value *out)         \
    {                                                                                              \
        (void)extents;                                                                             \
        out[0] = e_unary(e, sinter_##name, in[0]);                                                 \
    }
#define BUILD_BINARY(name, ...)                                                                    \
    static void build_##name(expr *e, const int64_t *extents, const value *in, value *out)         \
    {                                                                                              \
        (void)extents;                                                                             \
        out[0] = e_binary(e, sinter_##name, in[0], in[1]);                                         \
    }
UNARY(BUILD_UNARY)
BINARY(BUILD_BINARY)

#define WAY(name_, kernel_, buffers_, function, width, per, group)                                 \
    {.name = name_, .file = "math.cl", .options = "-DWIDTH=" #width " " function,                  \
     .launches = {{.kernel = kernel_, .buffers = buffers_, .items = {"a"}, .per_item = {per},      \
                   .local = {group}}}}
#define WAYS(name_, kernel, buffers, options)                                                      \
    static const bench_variant ways_##name_[] = {                                                  \
        WAY("float16", kernel, buffers, options "-DFUNCTION=" #name_, 16, 4096, 1),                \
        WAY("scalar", kernel, buffers, options "-DFUNCTION=" #name_, 1, 1, 256), {.name = NULL}};
#define WAYS_UNARY(name, ...) WAYS(name, "unary", "i0 O0", "")
#define WAYS_BINARY(name, ...) WAYS(name, "binary", "i0 i1 O0", "-DBINARY ")
UNARY(WAYS_UNARY)
BINARY(WAYS_BINARY)

#define REST(name_)                                                                                \
    .outputs = {{"a", SINTER_F32, 0, 0}}, .build = build_##name_,                                  \
    .sizes = {{"64Ki", {65536}}, {"4Mi", {4194304}}}, .variants = ways_##name_, .tolerance = 1e-5
#define ROW_UNARY(name_, low, high)                                                                \
    {.name = #name_, .meaning = "the function alone", .inputs = {{"a", SINTER_F32, low, high}}, REST(name_)},
#define ROW_BINARY(name_, low, high, low2, high2)                                                  \
    {.name = #name_, .meaning = "the function alone",                                              \
     .inputs = {{"a", SINTER_F32, low, high}, {"a", SINTER_F32, low2, high2}}, REST(name_)},

const bench_workload bench_math[] = {UNARY(ROW_UNARY) BINARY(ROW_BINARY)};
/* NOLINTEND(bugprone-macro-parentheses) */
/* clang-format on */

const size_t bench_math_count = sizeof bench_math / sizeof bench_math[0];
