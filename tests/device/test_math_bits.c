/* Every function of cl_kernels/ gives the same bits on every OpenCL device here as on the host, at
 * several vector widths, over special values and random bits; NaNs count as equal.
 *
 * Takes OpenCL directly, without the library: it writes the words of cl_kernels/README.md itself.
 * Exits with 77 where there is no device. SINTER_SOURCE_DIR is the root of the repository; build
 * with -ffp-contract=off and link with OpenCL, cmocka and m. SINTER_TEST_PLATFORM  only platforms
 * whose name contains this SINTER_TEST_FUNCTION  only functions whose name contains this */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "executor/host_kernels.h"

#ifndef SINTER_SOURCE_DIR
#    define SINTER_SOURCE_DIR "."
#endif

enum { MOST = 1 << 16, DEVICES = 16 };

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
    X(f32, elu, f, f, f)

#define BINARY_F64(X)                                                                              \
    X(f64, min, d, d, d)                                                                           \
    X(f64, max, d, d, d)                                                                           \
    X(f64, leaky_relu, d, d, d)                                                                    \
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

/* Text that grows. */
typedef struct text {
    char *at;
    size_t length, capacity;
} text;

static void add(text *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    va_list again;
    va_copy(again, arguments);
    size_t n = (size_t)vsnprintf(NULL, 0, format, arguments);
    if (t->length + n + 1 > t->capacity) {
        t->capacity = 2 * (t->length + n + 1);
        t->at = realloc(t->at, t->capacity);
        assert_non_null(t->at);
    }
    (void)vsnprintf(t->at + t->length, n + 1, format, again);
    t->length += n;
    va_end(again);
    va_end(arguments);
}

/* The functions of one file; those that mention F64 only where there is one. */
static void add_file(text *t, const char *name, bool f64)
{
    char path[512];
    (void)snprintf(path, sizeof path, SINTER_SOURCE_DIR "/cl_kernels/%s.cl", name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text section = {0};
    char line[512];
    bool more = true;
    while (more) {
        more = fgets(line, sizeof line, file) != NULL;
        if (!more || strncmp(line, "//# ", 4) == 0) {
            if (section.at && (f64 || !strstr(section.at, "F64"))) {
                add(t, "%s", section.at);
            }
            section.length = 0;
        }
        if (more) {
            add(&section, "%s", line);
        }
    }
    free(section.at);
    (void)fclose(file);
}

static void word(text *t, const char *name, const char *definition, const char *width)
{
    size_t length = strcspn(name, "(");
    add(t, "#undef %.*s\n#define %s ", (int)length, name, name);
    for (const char *c = definition; *c; c++) {
        if (*c == '@') {
            add(t, "%s", width);
        } else {
            add(t, "%c", *c);
        }
    }
    add(t, "\n");
}

static void add_words(text *t, const char *cls, int lanes, bool emulate)
{
    bool wide = strstr(cls, "64") != NULL;
    char width[8] = "";
    char definition[64];
    if (lanes > 1) {
        (void)snprintf(width, sizeof width, "%d", lanes);
    }
    (void)snprintf(definition, sizeof definition, "sn_##f##_%sx%d", cls, lanes);
    word(t, "SN(f)", definition, width);
    word(t, "BITS", wide ? "64" : "32", width);
    word(t, "T", wide ? "double@" : "float@", width);
    word(t, "I", wide ? "long@" : "int@", width);
    word(t, "U", wide ? "ulong@" : "uint@", width);
    word(t, "AS_T(x)", wide ? "as_double@(x)" : "as_float@(x)", width);
    word(t, "AS_I(x)", wide ? "as_long@(x)" : "as_int@(x)", width);
    word(t, "AS_U(x)", wide ? "as_ulong@(x)" : "as_uint@(x)", width);
    word(t, "TO_T(x)", wide ? "convert_double@(x)" : "convert_float@(x)", width);
    word(t, "TO_I(x)", wide ? "convert_long@(x)" : "convert_int@(x)", width);
    word(t, "TO_U(x)", wide ? "convert_ulong@(x)" : "convert_uint@(x)", width);
    emulate = emulate && strcmp(cls, "f32") == 0;
    word(t, "DIV(a, b)", emulate ? "SN(div)(a, b)" : "((a) / (b))", width);
    word(t, "SQRT(a)", emulate ? "SN(sqrt)(a)" : "sqrt(a)", width);
    word(t, "ANY(mask)", lanes > 1 ? "any(mask)" : "(mask)", width);
}

static void add_common_words(text *t, int lanes)
{
    static const char *const names[6][2] = {{"F32", "float"},  {"I32", "int"},  {"U32", "uint"},
                                            {"F64", "double"}, {"I64", "long"}, {"U64", "ulong"}};
    char width[8] = "";
    char name[32];
    char definition[64];
    if (lanes > 1) {
        (void)snprintf(width, sizeof width, "%d", lanes);
    }
    (void)snprintf(definition, sizeof definition, "sn_##f##_x%d", lanes);
    word(t, "SW(f)", definition, width);
    word(t, "FN", "static inline", width);
    for (int i = 0; i < 6; i++) {
        (void)snprintf(definition, sizeof definition, "%s@", names[i][1]);
        word(t, names[i][0], definition, width);
        (void)snprintf(name, sizeof name, "AS_%s(x)", names[i][0]);
        (void)snprintf(definition, sizeof definition, "as_%s@(x)", names[i][1]);
        word(t, name, definition, width);
        (void)snprintf(name, sizeof name, "TO_%s(x)", names[i][0]);
        (void)snprintf(definition, sizeof definition, "convert_%s@(x)", names[i][1]);
        word(t, name, definition, width);
    }
}

/* A kernel k<i> that applies function i to `lanes` elements. */
static void add_kernel(text *t, int i, int lanes)
{
    const function *f = &functions[i];
    char width[8] = "";
    if (lanes > 1) {
        (void)snprintf(width, sizeof width, "%d", lanes);
    }
    add(t, "__kernel void k%d(", i);
    for (int j = 0; f->operands[j]; j++) {
        bool wide = f->operands[j] == 'd' || f->operands[j] == 'l';
        add(t, "__global const %s *x%d, ", wide ? "ulong" : "uint", j);
    }
    bool wide = f->result == 'd' || f->result == 'l';
    add(t, "__global %s *y)\n{\n    size_t i = get_global_id(0);\n", wide ? "ulong" : "uint");
    add(t, "    %s%s r = as_%s%s(sn_%s_%sx%d(", wide ? "ulong" : "uint", width,
        wide ? "ulong" : "uint", width, f->name, f->cls, lanes);
    for (int j = 0; f->operands[j]; j++) {
        char k = f->operands[j];
        const char *type = k == 'f' ? "float" : k == 'd' ? "double" : k == 'w' ? "uint" : "ulong";
        add(t, "%sas_%s%s(", j ? ", " : "", type, width);
        add(t, lanes > 1 ? "vload%s(i, x%d))" : "%sx%d[i])", width, j);
    }
    add(t, lanes > 1 ? "));\n    vstore%s(r, i, y);\n}\n" : "));\n    %sy[i] = r;\n}\n", width);
}

static bool uses_f64(const function *f)
{
    return f->result == 'd' || strchr(f->operands, 'd') != NULL;
}

static bool is_wanted(const function *f, bool f64)
{
    const char *only = getenv("SINTER_TEST_FUNCTION");
    return (f64 || !uses_f64(f)) && (!only || strstr(f->name, only));
}

static text program_text(int lanes, bool f64, bool emulate)
{
    text t = {0};
    add(&t, "#pragma OPENCL FP_CONTRACT OFF\n");
    if (f64) {
        add(&t, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
    }
    add_common_words(&t, lanes);
    add_words(&t, "f32", lanes, emulate);
    add_file(&t, "float", f64);
    add_file(&t, "math", f64);
    add_file(&t, "convert", f64);
    add_file(&t, "random", f64);
    add_words(&t, "w32", lanes, emulate);
    add_file(&t, "int", f64);
    add_words(&t, "w64", lanes, emulate);
    add_file(&t, "int", f64);
    if (f64) {
        add_words(&t, "f64", lanes, emulate);
        add_file(&t, "float", f64);
    }
    for (int i = 0; i < FUNCTIONS; i++) {
        if (is_wanted(&functions[i], f64)) {
            add_kernel(&t, i, lanes);
        }
    }
    return t;
}

/* Inputs: every pair of special values, then random bits, half of them with a moderate exponent. */
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

static bool is_tiny(char kind, uint64_t bits)
{
    return kind == 'f' && (bits & 0x7fffffff) < 0x00800000;
}

/* Operands below 2^-100: not even the values between are sure to be normal. */
static bool makes_denormals(char kind, uint64_t bits)
{
    return kind == 'f' && (bits & 0x7fffffff) != 0 && (bits & 0x7fffffff) < 0x0d800000;
}

/* A device that does not claim denormals may take them as zeros, and lose the signs of zeros (the
 * fma of rusticl does both): there everything that rounds to zero is the same. */
static bool is_same(char kind, uint64_t got, uint64_t want, bool denormals)
{
    bool both_tiny = is_tiny(kind, got) && is_tiny(kind, want);
    return got == want || (is_nan(kind, got) && is_nan(kind, want)) || (!denormals && both_tiny);
}

/* Devices, found once. Oclgrind is slow, and it does not know some instructions that the optimiser
 * makes (llvm.abs, llvm.fshl), and widens vectors of conditions wrongly, to 255: so it runs what is
 * not optimised. Rusticl compiles a minute for each width, at 16 lanes for many. */
static struct device {
    cl_device_id id;
    char name[160];
    bool f64, rounds, denormals, slow;
    int most_lanes;
} devices[DEVICES];
static int device_count;

static bool has_extension(cl_device_id id, const char *name)
{
    size_t size = 0;
    assert_int_equal(clGetDeviceInfo(id, CL_DEVICE_EXTENSIONS, 0, NULL, &size), CL_SUCCESS);
    char *all = calloc(1, size + 1);
    assert_non_null(all);
    assert_int_equal(clGetDeviceInfo(id, CL_DEVICE_EXTENSIONS, size, all, NULL), CL_SUCCESS);
    bool has = strstr(all, name) != NULL;
    free(all);
    return has;
}

static void find_devices(void)
{
    cl_platform_id platforms[DEVICES];
    cl_uint platform_count = 0;
    const char *only = getenv("SINTER_TEST_PLATFORM");
    if (clGetPlatformIDs(DEVICES, platforms, &platform_count) != CL_SUCCESS) {
        return;
    }
    for (cl_uint p = 0; p < platform_count && p < DEVICES; p++) {
        cl_uint found = 0;
        struct device *d = &devices[device_count];
        if (device_count == DEVICES ||
            clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, 1, &d->id, &found) != CL_SUCCESS ||
            !found) {
            continue;
        }
        cl_device_fp_config config = 0;
        (void)clGetPlatformInfo(platforms[p], CL_PLATFORM_NAME, sizeof d->name, d->name, NULL);
        (void)clGetDeviceInfo(d->id, CL_DEVICE_SINGLE_FP_CONFIG, sizeof config, &config, NULL);
        d->f64 = has_extension(d->id, "cl_khr_fp64");
        d->rounds = (config & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
        d->denormals = (config & CL_FP_DENORM) != 0;
        d->most_lanes = strstr(d->name, "rusticl") ? 4 : 16;
        d->slow = strstr(d->name, "Oclgrind") != NULL;
        if (!only || strstr(d->name, only)) {
            device_count++;
        }
    }
}

typedef struct run {
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_mem operands[3], operands32[3], result;
    size_t count;
} run;

static cl_mem upload(cl_context context, const void *data, size_t size)
{
    cl_int status;
    union {
        const void *from;
        void *to;
    } pointer = {data};
    cl_mem buffer =
        clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, size, pointer.to, &status);
    assert_int_equal(status, CL_SUCCESS);
    return buffer;
}

static void open_run(run *r, const struct device *d, int lanes, bool emulate)
{
    cl_int status;
    r->count = d->slow ? 2048 : MOST;
    r->context = clCreateContext(NULL, 1, &d->id, NULL, NULL, &status);
    assert_int_equal(status, CL_SUCCESS);
    r->queue = clCreateCommandQueue(r->context, d->id, 0, &status);
    assert_int_equal(status, CL_SUCCESS);
    text t = program_text(lanes, d->f64, emulate);
    const char *source = t.at;
    r->program = clCreateProgramWithSource(r->context, 1, &source, NULL, &status);
    assert_int_equal(status, CL_SUCCESS);
    char options[128];
    (void)snprintf(options, sizeof options, "-cl-std=CL1.2%s%s",
                   emulate ? "" : " -cl-fp32-correctly-rounded-divide-sqrt",
                   d->slow ? " -cl-opt-disable" : "");
    status = clBuildProgram(r->program, 1, &d->id, options, NULL, NULL);
    if (status != CL_SUCCESS) {
        static char log[1 << 16];
        (void)clGetProgramBuildInfo(r->program, d->id, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log,
                                    NULL);
        fail_msg("%s, %d lanes: %s", d->name, lanes, log);
    }
    free(t.at);
    for (int j = 0; j < 3; j++) {
        r->operands[j] = upload(r->context, inputs[j], r->count * 8);
        r->operands32[j] = upload(r->context, inputs32[j], r->count * 4);
    }
    r->result = clCreateBuffer(r->context, CL_MEM_READ_WRITE, r->count * 8, NULL, &status);
    assert_int_equal(status, CL_SUCCESS);
}

static void close_run(run *r)
{
    for (int j = 0; j < 3; j++) {
        (void)clReleaseMemObject(r->operands[j]);
        (void)clReleaseMemObject(r->operands32[j]);
    }
    (void)clReleaseMemObject(r->result);
    (void)clReleaseProgram(r->program);
    (void)clReleaseCommandQueue(r->queue);
    (void)clReleaseContext(r->context);
}

static void launch(run *r, int i, int lanes, void *answers, size_t size)
{
    const function *f = &functions[i];
    char name[16];
    cl_int status;
    (void)snprintf(name, sizeof name, "k%d", i);
    cl_kernel kernel = clCreateKernel(r->program, name, &status);
    assert_int_equal(status, CL_SUCCESS);
    cl_uint j = 0;
    for (; f->operands[j]; j++) {
        bool wide = f->operands[j] == 'd' || f->operands[j] == 'l';
        cl_mem *operand = wide ? &r->operands[j] : &r->operands32[j];
        assert_int_equal(clSetKernelArg(kernel, j, sizeof *operand, operand), CL_SUCCESS);
    }
    assert_int_equal(clSetKernelArg(kernel, j, sizeof r->result, &r->result), CL_SUCCESS);
    size_t global = r->count / (size_t)lanes;
    size_t local = 32;
    assert_int_equal(
        clEnqueueNDRangeKernel(r->queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL),
        CL_SUCCESS);
    assert_int_equal(
        clEnqueueReadBuffer(r->queue, r->result, CL_TRUE, 0, size, answers, 0, NULL, NULL),
        CL_SUCCESS);
    (void)clReleaseKernel(kernel);
}

/* How many answers of function i differ from the host's. */
static size_t differences(run *r, int i, int lanes, const struct device *d)
{
    static uint64_t answers[MOST];
    static uint32_t answers32[MOST];
    const function *f = &functions[i];
    bool wide = f->result == 'd' || f->result == 'l';
    launch(r, i, lanes, wide ? (void *)answers : (void *)answers32, r->count * (wide ? 8 : 4));
    size_t bad = 0;
    for (size_t k = 0; k < r->count; k++) {
        uint64_t x[3] = {0};
        bool skip = false;
        for (size_t j = 0; f->operands[j]; j++) {
            bool narrow = f->operands[j] == 'f' || f->operands[j] == 'w';
            x[j] = narrow ? inputs32[j][k] : inputs[j][k];
            skip = skip || (!d->denormals && makes_denormals(f->operands[j], x[j]));
        }
        uint64_t want = f->host(x);
        uint64_t got = wide ? answers[k] : answers32[k];
        if (skip || is_same(f->result, got, want, d->denormals)) {
            continue;
        }
        if (bad++ == 0) {
            print_error("%s, %d lanes: %s_%s(%llx, %llx, %llx) is %llx, on the host %llx\n",
                        d->name, lanes, f->name, f->cls, (unsigned long long)x[0],
                        (unsigned long long)x[1], (unsigned long long)x[2], (unsigned long long)got,
                        (unsigned long long)want);
        }
    }
    return bad;
}

static void check_width(int lanes)
{
    size_t bad_functions = 0;
    size_t compared = 0;
    for (int k = 0; k < device_count; k++) {
        const struct device *d = &devices[k];
        if (lanes > d->most_lanes) {
            continue;
        }
        for (int emulate = d->rounds ? 0 : 1; emulate < 2; emulate++) {
            run r;
            open_run(&r, d, lanes, emulate != 0);
            for (int i = 0; i < FUNCTIONS; i++) {
                if (is_wanted(&functions[i], d->f64)) {
                    size_t bad = differences(&r, i, lanes, d);
                    bad_functions += bad != 0;
                    if (bad) {
                        print_error("    %zu of %zu differ (%s division)\n", bad, r.count,
                                    emulate ? "our" : "the device's");
                    }
                }
            }
            close_run(&r);
            compared++;
            print_message("%s, %d lanes, %s division: compared\n", d->name, lanes,
                          emulate ? "our" : "the device's");
        }
    }
    assert_int_equal(bad_functions, 0);
    if (compared == 0) {
        print_message("skipped: no device compiles %d lanes in reasonable time\n", lanes);
        skip();
    }
}

static void every_function_gives_the_bits_of_the_host_at_width_1(void **state)
{
    (void)state;
    check_width(1);
}

static void every_function_gives_the_bits_of_the_host_at_width_4(void **state)
{
    (void)state;
    check_width(4);
}

static void every_function_gives_the_bits_of_the_host_at_width_16(void **state)
{
    (void)state;
    check_width(16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function_gives_the_bits_of_the_host_at_width_1),
        cmocka_unit_test(every_function_gives_the_bits_of_the_host_at_width_4),
        cmocka_unit_test(every_function_gives_the_bits_of_the_host_at_width_16),
    };
    find_devices();
    if (device_count == 0) {
        (void)printf("skipped: no OpenCL device\n");
        return 77;
    }
    make_inputs();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
