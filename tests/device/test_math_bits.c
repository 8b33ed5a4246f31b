/* Every function of cl_kernels/ gives the same bits on the device as on the host, at several vector
 * widths, with the device's own division, square root and fma and with sinter's; over special
 * values and random bits. NaNs count as equal.
 *
 * Calls the driver directly, with the text that fusion/library/library.c makes, so that one function stands
 * alone in a kernel. SINTER_TEST_FUNCTION restricts it to functions whose names contain that. By
 * default the narrowest and the widest vectors are tried; `--all`: those between, too. The widest
 * for rusticl is 4 lanes, as in executor/opencl/quirks.def: llvmpipe takes vectors apart, and compiles the
 * code of 16 lanes for minutes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/buffer.h"
#include "executor/host/host_kernels.h"
#include "executor/opencl/device.h"
#include "fusion/library/library.h"
#include "fusion/text/text.h"
#include "support/support.h"

enum { MOST = 1 << 16 };

/* One row per function: class (empty: the same for all), name, kind of the result, kinds of the
 * operands. Kinds: f F32, d F64, w U32, l U64. */
#define UNARY_F32(X)                                                                               \
    X(f32, sign, f, f)                                                                             \
    X(f32, sqrt, f, f)                                                                             \
    X(f32, exp, f, f)                                                                              \
    X(f32, exp2, f, f)                                                                             \
    X(f32, expm1, f, f)                                                                            \
    X(f32, log, f, f)                                                                              \
    X(f32, log2, f, f)                                                                             \
    X(f32, log10, f, f)                                                                            \
    X(f32, log1p, f, f)                                                                            \
    X(f32, sin, f, f)                                                                              \
    X(f32, cos, f, f)                                                                              \
    X(f32, tan, f, f)                                                                              \
    X(f32, atan, f, f)                                                                             \
    X(f32, tanh, f, f)                                                                             \
    X(f32, erf, f, f)                                                                              \
    X(f32, exp10, f, f)                                                                            \
    X(f32, asin, f, f)                                                                             \
    X(f32, acos, f, f)                                                                             \
    X(f32, sinh, f, f)                                                                             \
    X(f32, cosh, f, f)                                                                             \
    X(f32, asinh, f, f)                                                                            \
    X(f32, acosh, f, f)                                                                            \
    X(f32, atanh, f, f)                                                                            \
    X(f32, cbrt, f, f)                                                                             \
    X(f32, erfc, f, f)                                                                             \
    X(f32, lgamma, f, f)                                                                           \
    X(f32, sigmoid, f, f)                                                                          \
    X(f32, gelu, f, f)                                                                             \
    X(f32, gelu_tanh, f, f)                                                                        \
    X(f32, silu, f, f)                                                                             \
    X(f32, softplus, f, f)

#define UNARY_CONVERT(X)                                                                           \
    X(, round_f16, f, f)                                                                           \
    X(, round_bf16, f, f)                                                                          \
    X(, f16_from_bits, f, w)                                                                       \
    X(, f16_bits, w, f)                                                                            \
    X(, bf16_from_bits, f, w)                                                                      \
    X(, bf16_bits, w, f)                                                                           \
    X(, wrap_i8, w, w)                                                                             \
    X(, wrap_u8, w, w)                                                                             \
    X(, wrap_i16, w, w)                                                                            \
    X(, wrap_u16, w, w)                                                                            \
    X(, s32_to_64, l, w)                                                                           \
    X(, u32_to_64, l, w)                                                                           \
    X(, w64_to_32, w, l)                                                                           \
    X(, f32_to_i8, w, f)                                                                           \
    X(, f32_to_u8, w, f)                                                                           \
    X(, f32_to_i16, w, f)                                                                          \
    X(, f32_to_u16, w, f)                                                                          \
    X(, f32_to_i32, w, f)                                                                          \
    X(, f32_to_u32, w, f)                                                                          \
    X(, f32_to_i64, l, f)                                                                          \
    X(, f32_to_u64, l, f)                                                                          \
    X(, s32_to_f32, f, w)                                                                          \
    X(, u32_to_f32, f, w)                                                                          \
    X(, s64_to_f32, f, l)                                                                          \
    X(, u64_to_f32, f, l)                                                                          \
    X(, s32_to_f32_odd, f, w)                                                                      \
    X(, u32_to_f32_odd, f, w)                                                                      \
    X(, s64_to_f32_odd, f, l)                                                                      \
    X(, u64_to_f32_odd, f, l)

#define UNARY_F64(X)                                                                               \
    X(f64, sign, d, d)                                                                             \
    X(f64, exp, d, d)                                                                              \
    X(f64, exp2, d, d)                                                                             \
    X(f64, expm1, d, d)                                                                            \
    X(f64, log, d, d)                                                                              \
    X(f64, log2, d, d)                                                                             \
    X(f64, log10, d, d)                                                                            \
    X(f64, log1p, d, d)                                                                            \
    X(f64, sin, d, d)                                                                              \
    X(f64, cos, d, d)                                                                              \
    X(f64, tan, d, d)                                                                              \
    X(f64, atan, d, d)                                                                             \
    X(f64, tanh, d, d)                                                                             \
    X(f64, erf, d, d)                                                                              \
    X(f64, exp10, d, d)                                                                            \
    X(f64, asin, d, d)                                                                             \
    X(f64, acos, d, d)                                                                             \
    X(f64, sinh, d, d)                                                                             \
    X(f64, cosh, d, d)                                                                             \
    X(f64, asinh, d, d)                                                                            \
    X(f64, acosh, d, d)                                                                            \
    X(f64, atanh, d, d)                                                                            \
    X(f64, cbrt, d, d)                                                                             \
    X(f64, erfc, d, d)                                                                             \
    X(f64, lgamma, d, d)                                                                           \
    X(f64, sigmoid, d, d)                                                                          \
    X(f64, gelu, d, d)                                                                             \
    X(f64, gelu_tanh, d, d)                                                                        \
    X(f64, silu, d, d)                                                                             \
    X(f64, softplus, d, d)                                                                         \
    X(, f64_to_i8, w, d)                                                                           \
    X(, f64_to_u8, w, d)                                                                           \
    X(, f64_to_i16, w, d)                                                                          \
    X(, f64_to_u16, w, d)                                                                          \
    X(, f64_to_i32, w, d)                                                                          \
    X(, f64_to_u32, w, d)                                                                          \
    X(, f64_to_i64, l, d)                                                                          \
    X(, f64_to_u64, l, d)                                                                          \
    X(, s32_to_f64, d, w)                                                                          \
    X(, u32_to_f64, d, w)                                                                          \
    X(, s64_to_f64, d, l)                                                                          \
    X(, u64_to_f64, d, l)                                                                          \
    X(, f32_to_f64, d, f)                                                                          \
    X(, f64_to_f32, f, d)                                                                          \
    X(, f64_to_f32_odd, f, d)

#define UNARY_INT(X)                                                                               \
    X(w32, sabs, w, w)                                                                             \
    X(w32, ssign, w, w)                                                                            \
    X(w32, usign, w, w)                                                                            \
    X(w64, sabs, l, l)                                                                             \
    X(w64, ssign, l, l)                                                                            \
    X(w64, usign, l, l)

#define BINARY_F32(X)                                                                              \
    X(f32, min, f, f, f)                                                                           \
    X(f32, max, f, f, f)                                                                           \
    X(f32, leaky_relu, f, f, f)                                                                    \
    X(f32, div, f, f, f)                                                                           \
    X(f32, mod, f, f, f)                                                                           \
    X(f32, floordiv, f, f, f)                                                                      \
    X(f32, pow, f, f, f)                                                                           \
    X(f32, atan2, f, f, f)                                                                         \
    X(f32, hypot, f, f, f)                                                                         \
    X(f32, elu, f, f, f)

#define BINARY_F64(X)                                                                              \
    X(f64, min, d, d, d)                                                                           \
    X(f64, max, d, d, d)                                                                           \
    X(f64, leaky_relu, d, d, d)                                                                    \
    X(f64, pow, d, d, d)                                                                           \
    X(f64, atan2, d, d, d)                                                                         \
    X(f64, hypot, d, d, d)                                                                         \
    X(f64, elu, d, d, d)                                                                           \
    X(f64, mod, d, d, d)                                                                           \
    X(f64, floordiv, d, d, d)

#define BINARY_INT(X, cls, k)                                                                      \
    X(cls, udiv, k, k, k)                                                                          \
    X(cls, umod, k, k, k)                                                                          \
    X(cls, sdiv, k, k, k)                                                                          \
    X(cls, smod, k, k, k)                                                                          \
    X(cls, upow, k, k, k)                                                                          \
    X(cls, spow, k, k, k)                                                                          \
    X(cls, smin, k, k, k)                                                                          \
    X(cls, smax, k, k, k)                                                                          \
    X(cls, umin, k, k, k)                                                                          \
    X(cls, umax, k, k, k)                                                                          \
    X(cls, shl, k, k, k)                                                                           \
    X(cls, ushr, k, k, k)                                                                          \
    X(cls, sshr, k, k, k)

#define TERNARY(X)                                                                                 \
    X(, uniform, f, l, l, l)                                                                       \
    X(, normal, f, l, l, l)

#define ALL(X1, X2, X3)                                                                            \
    UNARY_F32(X1)                                                                                  \
    UNARY_CONVERT(X1)                                                                              \
    UNARY_F64(X1)                                                                                  \
    UNARY_INT(X1)                                                                                  \
    BINARY_F32(X2)                                                                                 \
    BINARY_F64(X2)                                                                                 \
    BINARY_INT(X2, w32, w)                                                                         \
    BINARY_INT(X2, w64, l)                                                                         \
    TERNARY(X3)

/* The host's function under one signature: operands and result as bits. */
#define IN_f(x) sn_f32_of_u32((uint32_t)(x))
#define IN_d(x) sn_f64_of_u64(x)
#define IN_w(x) ((uint32_t)(x))
#define IN_l(x) (x)
#define OUT_f(x) sn_u32_of_f32(x)
#define OUT_d(x) sn_u64_of_f64(x)
#define OUT_w(x) (x)
#define OUT_l(x) (x)

#define HOST1(cls, name, r, a)                                                                     \
    static uint64_t host_##name##_##cls(const uint64_t x[3])                                       \
    {                                                                                              \
        return OUT_##r(sn_##name##_##cls##x1(IN_##a(x[0])));                                       \
    }
#define HOST2(cls, name, r, a, b)                                                                  \
    static uint64_t host_##name##_##cls(const uint64_t x[3])                                       \
    {                                                                                              \
        return OUT_##r(sn_##name##_##cls##x1(IN_##a(x[0]), IN_##b(x[1])));                         \
    }
#define HOST3(cls, name, r, a, b, c)                                                               \
    static uint64_t host_##name##_##cls(const uint64_t x[3])                                       \
    {                                                                                              \
        return OUT_##r(sn_##name##_##cls##x1(IN_##a(x[0]), IN_##b(x[1]), IN_##c(x[2])));           \
    }
ALL(HOST1, HOST2, HOST3)

typedef struct function {
    const char *cls;
    const char *name;
    char result;
    const char *operands;
    uint64_t (*host)(const uint64_t x[3]);
} function;

#define ROW1(cls, name, r, a) {#cls, #name, #r[0], #a, host_##name##_##cls},
#define ROW2(cls, name, r, a, b) {#cls, #name, #r[0], #a #b, host_##name##_##cls},
#define ROW3(cls, name, r, a, b, c) {#cls, #name, #r[0], #a #b #c, host_##name##_##cls},
static const function functions[] = {ALL(ROW1, ROW2, ROW3)};
enum { FUNCTIONS = (int)(sizeof functions / sizeof functions[0]) };

static bool uses_f64(const function *f)
{
    return f->result == 'd' || strchr(f->operands, 'd') != NULL;
}

static sinter__library_class class_of(const function *f)
{
    static const struct {
        const char *cls;
        sinter__library_class class_;
    } classes[] = {{"f32", SINTER__LIBRARY_F32},
                   {"f64", SINTER__LIBRARY_F64},
                   {"w32", SINTER__LIBRARY_W32},
                   {"w64", SINTER__LIBRARY_W64}};
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        if (strcmp(f->cls, classes[i].cls) == 0)
            return classes[i].class_;
    }
    return SINTER__LIBRARY_WIDTH;
}

static const char *type_of(char kind)
{
    return kind == 'f' ? "float" : kind == 'd' ? "double" : kind == 'w' ? "uint" : "ulong";
}

static bool is_wide(char kind)
{
    return kind == 'd' || kind == 'l';
}

/* A kernel, `k` with the function's name, that applies it to `lanes` elements of each operand. */
static void add_kernel(sinter__buffer *t, const function *f, uint32_t lanes)
{
    char name[SINTER__LIBRARY_NAME];
    char width[SINTER__LIBRARY_NAME];
    const char *result = is_wide(f->result) ? "ulong" : "uint";
    sinter__library_name(name, class_of(f), lanes, f->name, strlen(f->name));
    sinter__vector_type(width, "", lanes);
    sinter__buffer_puts(t, "__kernel __attribute__((reqd_work_group_size(32, 1, 1))) void ");
    sinter__buffer_printf(t, "k_%s_%s(", f->name, f->cls);
    for (int j = 0; f->operands[j]; j++)
        sinter__buffer_printf(t, "__global const %s *x%d, ",
                              is_wide(f->operands[j]) ? "ulong" : "uint", j);
    sinter__buffer_printf(t, "__global %s *y)\n{\n    size_t i = get_global_id(0);\n", result);
    sinter__buffer_printf(t, "    %s%s r = as_%s%s(%s(", result, width, result, width, name);
    for (int j = 0; f->operands[j]; j++) {
        sinter__buffer_printf(t, "%sas_%s%s(", j ? ", " : "", type_of(f->operands[j]), width);
        if (lanes > 1)
            sinter__buffer_printf(t, "vload%s(i, x%d))", width, j);
        else
            sinter__buffer_printf(t, "x%d[i])", j);
    }
    if (lanes > 1)
        sinter__buffer_printf(t, "));\n    vstore%s(r, i, y);\n}\n", width);
    else
        sinter__buffer_puts(t, "));\n    y[i] = r;\n}\n");
}

/* Functions that are built together, which saves most of a short build, and no more than a compiler that takes long
 * for one of them takes at once. */
typedef struct batch {
    const function *functions[8];
    size_t count;
} batch;

enum { TOGETHER = (int)(sizeof((batch *)NULL)->functions / sizeof(function *)) };

static void program_text(sinter__buffer *t, const batch *b, uint32_t lanes,
                         const sinter__limits *limits)
{
    char needs[TOGETHER * SINTER__LIBRARY_NAME];
    size_t used = 0;
    sinter__buffer kernels;
    sinter__buffer_init(&kernels, t->allocator);
    for (size_t i = 0; i < b->count; i++) {
        const function *f = b->functions[i];
        used += (size_t)snprintf(needs + used, sizeof needs - used, "%d:%u:%s\n", (int)class_of(f),
                                 lanes, f->name);
        assert_true(used < sizeof needs);
        add_kernel(&kernels, f, lanes);
    }
    assert_int_equal(sinter__buffer_status(&kernels), SINTER_OK);
    assert_int_equal(sinter__program_print(needs, kernels.text, limits, t), SINTER_OK);
    sinter__buffer_finish(&kernels);
}

/* Inputs: every pair of special values, then random bits, half of them with a moderate exponent; in the last quarter
 * all are positive and near 1, so that there are vectors with no lane that takes a slow path. */
static uint64_t inputs[3][MOST];
static uint32_t inputs32[3][MOST];

static uint64_t next_random(void)
{
    static uint64_t state = 20240229;
    state += 0x9e3779b97f4a7c15u;
    uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static void make_inputs(void)
{
    static const float special[] = {
        0.0f,       -0.0f,   1.0f,     -1.0f,     0.5f,    -0.5f,     2.0f,       -2.0f,
        3.0f,       -3.0f,   INFINITY, -INFINITY, NAN,     0x1p-149f, -0x1p-149f, 0x1p-126f,
        -0x1p-126f, FLT_MAX, -FLT_MAX, 88.75f,    -104.0f, 1e-3f,     0x1p24f,    -0x1p31f,
        0x1p31f,    0x1p32f, 0x1p63f,  -0x1p63f,  0x1p64f, 65520.0f,  0x1p-24f,   1e5f};
    enum { SPECIAL = (int)(sizeof special / sizeof special[0]) };
    for (size_t i = 0; i < MOST; i++) {
        for (size_t j = 0; j < 3; j++) {
            uint64_t bits = next_random();
            if (i < (size_t)SPECIAL * SPECIAL) {
                float x = special[j == 0 ? i % SPECIAL : i / SPECIAL];
                inputs32[j][i] = sn_u32_of_f32(x);
                inputs[j][i] = j == 2 ? (uint64_t)i : sn_u64_of_f64((double)x);
            } else if (i >= MOST - MOST / 4) {
                uint64_t e = bits >> 61;
                inputs32[j][i] = (uint32_t)((bits & 0x7fffff) | ((121 + e) << 23));
                inputs[j][i] = (bits & 0xfffffffffffff) | ((1017 + e) << 52);
            } else if (i % 8 < 3) {
                inputs32[j][i] = (uint32_t)bits;
                inputs[j][i] = bits;
            } else if (i % 8 == 3) {
                inputs32[j][i] = (uint32_t)(bits >> (32 + bits % 32));
                inputs[j][i] = bits >> (bits % 64);
            } else {
                uint64_t e = bits >> 40;
                inputs32[j][i] = (uint32_t)((bits & 0x807fffff) | ((117 + e % 20) << 23));
                inputs[j][i] = (bits & 0x800fffffffffffff) | ((1003 + e % 40) << 52);
            }
        }
    }
}

static bool is_nan(char kind, uint64_t bits)
{
    return (kind == 'f' && (bits & 0x7fffffff) > 0x7f800000) ||
           (kind == 'd' && (bits & 0x7fffffffffffffff) > 0x7ff0000000000000);
}

static bool is_same(char kind, uint64_t got, uint64_t want)
{
    return got == want || (is_nan(kind, got) && is_nan(kind, want));
}

/* The device under test, with its inputs. */
static struct {
    sinter__allocator allocator;
    sinter__device device;
    const sinter__cl *cl;
    cl_context context;
    cl_command_queue queue;
    cl_mem operands[3], operands32[3], result;
    size_t count;
} at;

static cl_mem make_buffer(size_t bytes, const void *data)
{
    cl_int error;
    cl_mem buffer = at.cl->clCreateBuffer(at.context, CL_MEM_READ_WRITE, bytes, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    if (data != NULL)
        assert_int_equal(
            at.cl->clEnqueueWriteBuffer(at.queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL),
            CL_SUCCESS);
    return buffer;
}

static int open_device(void **state)
{
    (void)state;
    cl_int error;
    bool interprets = strstr(at.device.info.platform, "Oclgrind") != NULL;
    at.cl = at.device.cl;
    at.count = interprets ? 2048 : MOST;
    at.context = at.cl->clCreateContext(NULL, 1, &at.device.id, NULL, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    at.queue = at.cl->clCreateCommandQueue(at.context, at.device.id, 0, &error);
    assert_int_equal(error, CL_SUCCESS);
    for (int j = 0; j < 3; j++) {
        at.operands[j] = make_buffer(at.count * 8, inputs[j]);
        at.operands32[j] = make_buffer(at.count * 4, inputs32[j]);
    }
    at.result = make_buffer(at.count * 8, NULL);
    return 0;
}

static int close_device(void **state)
{
    (void)state;
    for (int j = 0; j < 3; j++) {
        (void)at.cl->clReleaseMemObject(at.operands[j]);
        (void)at.cl->clReleaseMemObject(at.operands32[j]);
    }
    (void)at.cl->clReleaseMemObject(at.result);
    (void)at.cl->clReleaseCommandQueue(at.queue);
    (void)at.cl->clReleaseContext(at.context);
    return 0;
}

static cl_program build(const batch *b, uint32_t lanes, const sinter__limits *limits)
{
    cl_int error;
    sinter__buffer t;
    sinter__buffer_init(&t, &at.allocator);
    program_text(&t, b, lanes, limits);
    const char *source = t.text;
    cl_program program = at.cl->clCreateProgramWithSource(at.context, 1, &source, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    error = at.cl->clBuildProgram(program, 1, &at.device.id, at.device.build_options, NULL, NULL);
    if (error != CL_SUCCESS) {
        static char log[1 << 16];
        (void)at.cl->clGetProgramBuildInfo(program, at.device.id, CL_PROGRAM_BUILD_LOG,
                                           sizeof log - 1, log, NULL);
        fail_msg("%s and after, %u lanes: %s", b->functions[0]->name, lanes, log);
    }
    sinter__buffer_finish(&t);
    return program;
}

static void launch(const function *f, cl_program program, uint32_t lanes, void *answers)
{
    cl_int error;
    char name[SINTER__LIBRARY_NAME + 8];
    (void)snprintf(name, sizeof name, "k_%s_%s", f->name, f->cls);
    cl_kernel kernel = at.cl->clCreateKernel(program, name, &error);
    assert_int_equal(error, CL_SUCCESS);
    cl_uint j = 0;
    for (; f->operands[j]; j++) {
        cl_mem *operand = is_wide(f->operands[j]) ? &at.operands[j] : &at.operands32[j];
        assert_int_equal(at.cl->clSetKernelArg(kernel, j, sizeof *operand, operand), CL_SUCCESS);
    }
    assert_int_equal(at.cl->clSetKernelArg(kernel, j, sizeof at.result, &at.result), CL_SUCCESS);
    size_t global = at.count / lanes;
    size_t local = 32;
    assert_int_equal(
        at.cl->clEnqueueNDRangeKernel(at.queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL),
        CL_SUCCESS);
    assert_int_equal(at.cl->clEnqueueReadBuffer(at.queue, at.result, CL_TRUE, 0,
                                                at.count * (is_wide(f->result) ? 8 : 4), answers, 0,
                                                NULL, NULL),
                     CL_SUCCESS);
    (void)at.cl->clReleaseKernel(kernel);
}

/* How many answers differ from the host's. */
static size_t differences(const function *f, cl_program program, uint32_t lanes)
{
    static uint64_t answers[MOST];
    static uint32_t answers32[MOST];
    bool wide = is_wide(f->result);
    launch(f, program, lanes, wide ? (void *)answers : (void *)answers32);
    size_t bad = 0;
    for (size_t k = 0; k < at.count; k++) {
        uint64_t x[3] = {0};
        for (size_t j = 0; f->operands[j]; j++)
            x[j] = is_wide(f->operands[j]) ? inputs[j][k] : inputs32[j][k];
        uint64_t want = f->host(x);
        uint64_t got = wide ? answers[k] : answers32[k];
        if (!is_same(f->result, got, want) && bad++ == 0) {
            print_error("%s_%s, %u lanes, of (%llx, %llx, %llx) is %llx, on the host %llx\n",
                        f->name, f->cls, lanes, (unsigned long long)x[0], (unsigned long long)x[1],
                        (unsigned long long)x[2], (unsigned long long)got,
                        (unsigned long long)want);
        }
    }
    return bad;
}

static bool is_wanted(const function *f)
{
    const char *only = getenv("SINTER_TEST_FUNCTION");
    return (at.device.limits.has_f64 || !uses_f64(f)) && (!only || strstr(f->name, only));
}

/* How many functions of the batch differ from the host's; it is empty afterwards. */
static size_t check_batch(batch *b, uint32_t lanes, const sinter__limits *limits)
{
    size_t bad_functions = 0;
    if (b->count == 0)
        return 0;
    cl_program program = build(b, lanes, limits);
    for (size_t i = 0; i < b->count; i++) {
        size_t bad = differences(b->functions[i], program, lanes);
        bad_functions += bad != 0;
        if (bad)
            print_error("    %zu of %zu differ\n", bad, at.count);
    }
    (void)at.cl->clReleaseProgram(program);
    b->count = 0;
    return bad_functions;
}

static void check(uint32_t lanes, bool own)
{
    size_t bad_functions = 0;
    batch b = {.count = 0};
    sinter__limits limits = at.device.limits;
    if (own)
        limits.correctly_rounded = limits.has_fma = limits.has_half = limits.stores_half = false;
    for (size_t i = 0; i < FUNCTIONS; i++) {
        bool has_own = class_of(&functions[i]) != SINTER__LIBRARY_F64;
        if (!is_wanted(&functions[i]) || (own && !has_own))
            continue;
        b.functions[b.count++] = &functions[i];
        if (b.count == TOGETHER)
            bad_functions += check_batch(&b, lanes, &limits);
    }
    bad_functions += check_batch(&b, lanes, &limits);
    assert_int_equal(bad_functions, 0);
}

#define WIDTH(lanes)                                                                               \
    static void lanes_##lanes(void **state)                                                        \
    {                                                                                              \
        (void)state;                                                                               \
        check(lanes, false);                                                                       \
    }
WIDTH(1)
WIDTH(2)
WIDTH(4)
WIDTH(8)
WIDTH(16)

static void own_arithmetic(void **state)
{
    (void)state;
    check(4, true);
}

static void own_arithmetic_in_wide_vectors(void **state)
{
    (void)state;
    check(16, true);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest some[] = {
        cmocka_unit_test(lanes_1),
        cmocka_unit_test(lanes_16),
    };
    const struct CMUnitTest some_taken_apart[] = {
        cmocka_unit_test(lanes_1),
        cmocka_unit_test(lanes_4),
    };
    const struct CMUnitTest all[] = {
        cmocka_unit_test(lanes_1),
        cmocka_unit_test(lanes_2),
        cmocka_unit_test(lanes_4),
        cmocka_unit_test(lanes_8),
        cmocka_unit_test(lanes_16),
        cmocka_unit_test(own_arithmetic),
        cmocka_unit_test(own_arithmetic_in_wide_vectors),
    };
    bool is_long = argc > 1 && strcmp(argv[1], "--all") == 0;
    sinter__device_list list;
    const sinter__device *chosen = NULL;
    sinter__allocator_init(&at.allocator, NULL, NULL);
    sinter_status status = sinter__devices_find(&list, &at.allocator, false);
    if (status == SINTER_OK)
        status = sinter__devices_select(&list, getenv("SINTER_DEVICE"), &chosen);
    if (status == SINTER_OK)
        at.device = *chosen;
    sinter__devices_finish(&list);
    if (status != SINTER_OK || at.device.cl == NULL) {
        (void)printf("skipped: no OpenCL device\n");
        return 77;
    }
    make_inputs();
    if (is_long)
        return cmocka_run_group_tests(all, open_device, close_device);
    if (strstr(at.device.info.platform, "rusticl") != NULL)
        return cmocka_run_group_tests(some_taken_apart, open_device, close_device);
    return cmocka_run_group_tests(some, open_device, close_device);
}
