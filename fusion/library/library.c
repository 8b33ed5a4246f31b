/* Instantiating cl_kernels/: the words of cl_kernels/README.md are replaced one by one, so that
 * what reaches the driver is plain OpenCL C that can be read. */
#include "fusion/library/library.h"

#include "fusion/library/native.h"
#include "fusion/nest/larger.h"

#include "fusion/library/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUND_F16 "round_f16"
#define LOAD_TEXT 128
#define STORE_TEXT 128

typedef struct instance {
    const char *name;
    size_t name_bytes;
    uint16_t class_;
    uint16_t lanes;
} instance;

typedef struct printer {
    const sinter__limits *limits;
    sinter__buffer *out;
    instance *done; /* printed, or about to be */
    size_t done_count, done_capacity;
    sinter_status status;
} printer;

static const struct {
    const char *element; /* in memory */
    const char *vector;  /* what a vector of it is converted through: "int" for i8, NULL for none */
} memory_forms[SINTER_DTYPE_COUNT] = {
    [SINTER_BOOL] = {"uchar", "uint"},  [SINTER_I8] = {"char", "int"},
    [SINTER_U8] = {"uchar", "uint"},    [SINTER_I16] = {"short", "int"},
    [SINTER_U16] = {"ushort", "uint"},  [SINTER_I32] = {"uint", NULL},
    [SINTER_U32] = {"uint", NULL},      [SINTER_I64] = {"ulong", NULL},
    [SINTER_U64] = {"ulong", NULL},     [SINTER_F16] = {"half", NULL},
    [SINTER_BF16] = {"ushort", "uint"}, [SINTER_F32] = {"float", NULL},
    [SINTER_F64] = {"double", NULL},
};

const char *sinter__memory_type(sinter_dtype dtype)
{
    return memory_forms[dtype].element;
}

sinter__library_class sinter__library_class_of(sinter__class c)
{
    switch (c) {
    case SINTER__CLASS_F32:
        return SINTER__LIBRARY_F32;
    case SINTER__CLASS_F64:
        return SINTER__LIBRARY_F64;
    case SINTER__CLASS_S64:
    case SINTER__CLASS_U64:
        return SINTER__LIBRARY_W64;
    default:
        return SINTER__LIBRARY_W32;
    }
}

/* The body of function `name`: from the line after its "//# name" to the next such line. One that
 * is marked "//# name f64" is that of its class, and goes before one for every class. */
static const char *find_function(const char *name, size_t bytes, sinter__library_class class_,
                                 size_t *length)
{
    static const char marker[] = "//# ";
    static const char f64[] = " f64";
    const char *found = NULL;
    for (size_t f = 0; f < sinter__embedded_file_count; f++) {
        const char *at = sinter__embedded_files[f].text;
        while ((at = strstr(at, marker)) != NULL) {
            at += sizeof marker - 1;
            if (strncmp(at, name, bytes) != 0)
                continue;
            bool is_f64 = strncmp(at + bytes, f64, sizeof f64 - 1) == 0;
            const char *body = at + bytes + (is_f64 ? sizeof f64 - 1 : 0);
            if (*body == '\n' && (is_f64 ? class_ == SINTER__LIBRARY_F64 : found == NULL))
                found = body + 1;
        }
    }
    const char *end = found != NULL ? strstr(found, marker) : NULL;
    *length = end != NULL ? (size_t)(end - found) : found != NULL ? strlen(found) : 0;
    return found;
}

static bool is_done(const printer *p, const instance *x)
{
    for (size_t i = 0; i < p->done_count; i++) {
        const instance *d = &p->done[i];
        if (d->class_ == x->class_ && d->lanes == x->lanes && d->name_bytes == x->name_bytes &&
            memcmp(d->name, x->name, x->name_bytes) == 0)
            return true;
    }
    return false;
}

/* Its place, until the next one is added; NULL: no memory. */
static const instance *add_instance(printer *p, const instance *x)
{
    void *array = p->done;
    p->status = sinter__grow(p->out->allocator, &array, &p->done_capacity, p->done_count + 1,
                             sizeof *p->done);
    p->done = array;
    if (p->status != SINTER_OK)
        return NULL;
    p->done[p->done_count] = *x;
    return &p->done[p->done_count++];
}

static void print_instance(printer *p, const instance *x);

static void print_callee(void *user, sinter__library_class class_, uint32_t lanes, const char *name,
                         size_t bytes)
{
    instance callee = {
        .name = name, .name_bytes = bytes, .class_ = (uint16_t)class_, .lanes = (uint16_t)lanes};
    print_instance(user, &callee);
}

/* LOADS(p, s) or LOADG(p, o), as `function` needs: a full vector of elements that lie `s` apart or
 * at the offsets `o`. Written out: a loop over a private array goes through memory. */
static void print_apart_macro(sinter__buffer *b, const char *function, sinter_dtype dtype,
                              uint32_t lanes)
{
    bool strided = strncmp(function, "load_strided", 12) == 0;
    if (!strided && strncmp(function, "gather", 6) != 0)
        return;
    const char *name = sinter_dtype_name(dtype);
    char held[SINTER__LIBRARY_NAME];
    sinter__vector_type(held, sinter__register_type((sinter__class)sinter__dtype(dtype)->class_),
                        lanes);
    sinter__buffer_printf(b, "#define LOAD%s_%sx%u(p, at) (%s)(", strided ? "S" : "G", name, lanes,
                          held);
    for (uint32_t i = 0; i < lanes; i++) {
        sinter__buffer_printf(b, "%sLOAD1_%s(p, ", i > 0 ? ", " : "", name);
        if (strided)
            sinter__buffer_printf(b, "%u * (at))", i);
        else if (lanes > 1)
            sinter__buffer_printf(b, "(at).s%x)", i);
        else
            sinter__buffer_puts(b, "at)");
    }
    sinter__buffer_puts(b, ")\n");
}

/* NAME(u), NAME(u, v) or NAME(u, v, w), a vector of lanes of all operands. `pick` gives the number of lane i of it, those
 * of each operand following those of the one before. Written out: what `.even` becomes is more than Oclgrind knows. */
static void print_pick_macro(sinter__buffer *b, const char *macro, int operands, sinter_dtype dtype,
                             uint32_t lanes, uint32_t (*pick)(uint32_t lanes, uint32_t i))
{
    static const char *const parameters[] = {"u", "u, v", "u, v, w"};
    char held[SINTER__LIBRARY_NAME];
    sinter__vector_type(held, sinter__register_type((sinter__class)sinter__dtype(dtype)->class_),
                        lanes);
    sinter__buffer_printf(b, "#define %s_%sx%u(%s) (%s)(", macro, sinter_dtype_name(dtype), lanes,
                          parameters[operands - 1], held);
    for (uint32_t i = 0; i < lanes; i++) {
        uint32_t lane = pick(lanes, i);
        sinter__buffer_printf(b, "%s(%c)", i > 0 ? ", " : "", "uvw"[lane / lanes]);
        if (lanes > 1)
            sinter__buffer_printf(b, ".s%x", lane % lanes);
    }
    sinter__buffer_puts(b, ")\n");
}

/* Every other element, where v begins with the last of u. */
static uint32_t every_other(uint32_t lanes, uint32_t i)
{
    return 2 * i < lanes ? 2 * i : 2 * i + 1;
}

/* Every third, where v goes on behind u and w begins two before v ends. */
static uint32_t every_third(uint32_t lanes, uint32_t i)
{
    return 3 * i < 2 * lanes ? 3 * i : 3 * i + 2;
}

static uint32_t from_the_last(uint32_t lanes, uint32_t i)
{
    return lanes - 1 - i;
}

/* Of u and v in turn, from their lower halves and from their upper ones. */
static uint32_t low_in_turn(uint32_t lanes, uint32_t i)
{
    return i / 2 + i % 2 * lanes;
}

static uint32_t high_in_turn(uint32_t lanes, uint32_t i)
{
    return low_in_turn(lanes, i) + lanes / 2;
}

/* The type PREFIX_DTYPExLANES, of `moved` elements as they lie in memory: what takes a vload and a vstore apart moves them
 * at once by a pointer to one. */
static void print_moved_type(const printer *p, const char *prefix, sinter_dtype dtype,
                             uint32_t lanes, uint32_t moved)
{
    char type[SINTER__LIBRARY_NAME];
    if (!p->limits->splits_vectors || dtype == SINTER_F16)
        return;
    sinter__vector_type(type, memory_forms[dtype].element, moved);
    sinter__buffer_printf(p->out, "typedef %s %s_%sx%u __attribute__((aligned(%u)));\n", type,
                          prefix, sinter_dtype_name(dtype), lanes,
                          (unsigned)sinter__dtype(dtype)->bytes);
}

/* What loads a vector of n elements that lie as `source` says; of f16 where vectors need not be aligned. */
static void load_text(sinter_dtype dtype, unsigned n, const char *source, char out[LOAD_TEXT])
{
    const char *via = memory_forms[dtype].vector;
    if (dtype == SINTER_F16) {
        (void)snprintf(out, LOAD_TEXT, "vload_half%u(0, p)", n);
    } else if (dtype == SINTER_BF16) {
        (void)snprintf(out, LOAD_TEXT, "as_float%u(convert_uint%u(%s) << 16)", n, n, source);
    } else if (dtype == SINTER_BOOL) {
        (void)snprintf(out, LOAD_TEXT, "select((uint%u)(0), (uint%u)(1), convert_int%u(%s) != 0)",
                       n, n, n, source);
    } else if (via != NULL) {
        (void)snprintf(out, LOAD_TEXT, "as_uint%u(convert_%s%u(%s))", n, via, n, source);
    } else {
        (void)snprintf(out, LOAD_TEXT, "%s", source);
    }
}

/* MACRO_DTYPExLANES(p), which loads `loaded` elements; by a pointer, to a PREFIX_DTYPExLANES. */
static void print_load_macro(const printer *p, const char *macro, const char *prefix,
                             sinter_dtype dtype, uint32_t lanes, uint32_t loaded)
{
    char source[SINTER__LIBRARY_NAME];
    char text[LOAD_TEXT];
    const char *name = sinter_dtype_name(dtype);
    if (p->limits->splits_vectors)
        (void)snprintf(source, sizeof source, "(*(__global const %s_%sx%u *)(p))", prefix, name,
                       lanes);
    else
        (void)snprintf(source, sizeof source, "vload%u(0, p)", loaded);
    load_text(dtype, loaded, source, text);
    sinter__buffer_printf(p->out, "#define %s_%sx%u(p) %s\n", macro, name, lanes, text);
}

/* With LOADQ, of a quarter, `load_turned` works in halves: where the registers hold no more. */
static void print_pick_macros(const printer *p, const char *function, sinter_dtype dtype,
                              uint32_t lanes)
{
    if (strncmp(function, "load_strided", 12) == 0) {
        print_pick_macro(p->out, "EVENS", 2, dtype, lanes, every_other);
        print_pick_macro(p->out, "THIRDS", 3, dtype, lanes, every_third);
    }
    if (strncmp(function, "load_back", 9) == 0 || strncmp(function, "store_back", 10) == 0)
        print_pick_macro(p->out, "BACKWARDS", 1, dtype, lanes, from_the_last);
    if (strncmp(function, "turn", 4) == 0) {
        print_pick_macro(p->out, "LOWS", 2, dtype, lanes, low_in_turn);
        print_pick_macro(p->out, "HIGHS", 2, dtype, lanes, high_in_turn);
    }
    if (strncmp(function, "load_turned", 11) == 0 && lanes == 16 &&
        p->limits->register_lanes == 8 && !(dtype == SINTER_F16 && p->limits->aligns_halves)) {
        print_moved_type(p, "quarter", dtype, lanes, lanes / 4);
        print_load_macro(p, "LOADQ", "quarter", dtype, lanes, lanes / 4);
    }
}

/* STOREV(v, p), for a dtype whose elements in memory are numbers: `value` is v as a vector of them. */
static void print_store_macro(const printer *p, sinter_dtype dtype, uint32_t lanes,
                              const char *value)
{
    const char *name = sinter_dtype_name(dtype);
    if (!p->limits->splits_vectors) {
        sinter__buffer_printf(p->out, "#define STOREV_%sx%u(v, p) vstore%u(%s, 0, p)\n", name,
                              lanes, lanes, value);
        return;
    }
    sinter__buffer_printf(p->out, "#define STOREV_%sx%u(v, p) (*(__global at_%sx%u *)(p) = (%s))\n",
                          name, lanes, name, lanes, value);
}

bool sinter__library_streams(sinter_dtype dtype)
{
    return memory_forms[dtype].vector == NULL && sinter_dtype_bytes(dtype) >= sizeof(uint32_t);
}

/* CAN_STREAM(p) and STREAMV(v, p) for `stream`: past the caches, where the compiler has a word for it and the
 * vector is aligned. Such a store does not fetch the line that it fills. */
static void print_stream_macros(const printer *p, const char *function, sinter_dtype dtype,
                                uint32_t lanes)
{
    const char *name = sinter_dtype_name(dtype);
    char type[SINTER__LIBRARY_NAME];
    if (strncmp(function, "stream", 6) != 0)
        return;
    sinter__vector_type(type, memory_forms[dtype].element, lanes);
    sinter__buffer_printf(
        p->out,
        "#define CAN_STREAM_%sx%u(p) false\n"
        "#define STREAMV_%sx%u(v, p)\n"
        "#ifdef __has_builtin\n"
        "#if __has_builtin(__builtin_nontemporal_store)\n"
        "#undef CAN_STREAM_%sx%u\n"
        "#undef STREAMV_%sx%u\n"
        "#define CAN_STREAM_%sx%u(p) (((size_t)(p) & (sizeof(%s) - 1)) == 0)\n"
        "#define STREAMV_%sx%u(v, p) __builtin_nontemporal_store(v, (__global %s *)(p))\n"
        "#endif\n"
        "#endif\n",
        name, lanes, name, lanes, name, lanes, name, lanes, name, lanes, type, name, lanes, type);
}

/* PARTSV(v, p) for `store_parts`: such a compiler takes the vector apart. */
static void print_parts_macro(const printer *p, const char *function, sinter_dtype dtype,
                              uint32_t lanes)
{
    if (strncmp(function, "store_parts", 11) == 0)
        sinter__buffer_printf(p->out, "#define PARTSV_%sx%u(v, p) vstore%u(v, 0, p)\n",
                              sinter_dtype_name(dtype), lanes, lanes);
}

/* FIRST(n, v, w) for `merge`: a mask by the numbers of the lanes chooses. */
static void print_first_macro(sinter__buffer *b, const char *function, sinter_dtype dtype,
                              uint32_t lanes)
{
    if (strncmp(function, "merge", 5) != 0)
        return;
    sinter__buffer_printf(b, "#define FIRST_%sx%u(n, v, w) ", sinter_dtype_name(dtype), lanes);
    if (lanes == 1) {
        sinter__buffer_puts(b, "((n) > 0 ? (v) : (w))\n");
        return;
    }
    bool wide = sinter__is_wide((sinter__class)sinter__dtype(dtype)->class_);
    sinter__buffer_puts(b, "((");
    if (wide)
        sinter__buffer_printf(b, "0 != convert_long%u", lanes);
    sinter__buffer_printf(b, "((int%u)(", lanes);
    for (uint32_t i = 0; i < lanes; i++)
        sinter__buffer_printf(b, i > 0 ? ", %u" : "%u", i);
    sinter__buffer_printf(b, ") < (int%u)(n))) ? (v) : (w))\n", lanes);
}

/* OTHER(v, s) for `other`: lane by lane, as devices with vectors have no shuffles of all of them. */
static void print_shuffle_macro(const printer *p, const char *function, sinter_dtype dtype,
                                uint32_t lanes)
{
    char held[SINTER__LIBRARY_NAME];
    if (strncmp(function, "other", 5) != 0)
        return;
    sinter__vector_type(held, sinter__register_type((sinter__class)sinter__dtype(dtype)->class_),
                        lanes);
    sinter__buffer_printf(p->out, "#define OTHER_%sx%u(v, s) (%s)(", sinter_dtype_name(dtype),
                          lanes, held);
    for (uint32_t i = 0; i < lanes; i++) {
        sinter__buffer_printf(p->out, "%s%s((v)", i > 0 ? ", " : "", p->limits->shuffle);
        if (lanes > 1)
            sinter__buffer_printf(p->out, ".s%x", i);
        sinter__buffer_puts(p->out, ", (uint)(s))");
    }
    sinter__buffer_puts(p->out, ")\n");
}

static bool is_lane_tree(const instance *x)
{
    return strncmp(x->name, "lane_tree", 9) == 0;
}

/* LANE0(v), DOWN8(v) and so on for `lane_tree`: lane l of the latter is lane l | 8 of v. */
static void print_down_macros(sinter__buffer *b, uint32_t lanes)
{
    for (uint32_t step = 8; step > 0; step /= 2) {
        sinter__buffer_printf(b, "#define DOWN%u_%u(v) (v)", step, lanes);
        for (uint32_t i = 0; i < lanes && step < lanes; i++)
            sinter__buffer_printf(b, i > 0 ? "%x" : ".s%x", i | step);
        sinter__buffer_puts(b, "\n");
    }
    sinter__buffer_printf(
        b, lanes > 1 ? "#define LANE0_%u(v) (v).s0\n" : "#define LANE0_%u(v) (v)\n", lanes);
}

/* The same two for f16: where a vector of halves has to be aligned, through a private one that is. */
static void print_half_macros(const printer *p, uint32_t lanes)
{
    sinter__buffer *b = p->out;
    if (!p->limits->aligns_halves) {
        print_load_macro(p, "LOADV", "at", SINTER_F16, lanes, lanes);
        sinter__buffer_printf(b, "#define STOREV_f16x%u(v, p) vstore_half%u_rte(v, 0, p)\n", lanes,
                              lanes);
        return;
    }
    sinter__buffer_printf(b,
                          "typedef ushort%u at_f16x%u __attribute__((aligned(2)));\n"
                          "FN float%u sn_from_f16x%u(ushort%u x)\n"
                          "{\n"
                          "    return vload_half%u(0, (const half *)&x);\n"
                          "}\n"
                          "FN ushort%u sn_to_f16x%u(float%u v)\n"
                          "{\n"
                          "    ushort%u x;\n"
                          "    vstore_half%u_rte(v, 0, (half *)&x);\n"
                          "    return x;\n"
                          "}\n",
                          lanes, lanes, lanes, lanes, lanes, lanes, lanes, lanes, lanes, lanes,
                          lanes);
    sinter__buffer_printf(
        b,
        "#define LOADV_f16x%u(p) sn_from_f16x%u(*(__global const at_f16x%u *)(p))\n"
        "#define STOREV_f16x%u(v, p) (*(__global at_f16x%u *)(p) = sn_to_f16x%u(v))\n",
        lanes, lanes, lanes, lanes, lanes, lanes);
}

/* What STOREV stores of a vector `v`. */
static void store_text(sinter_dtype dtype, uint32_t lanes, char out[STORE_TEXT])
{
    const char *via = memory_forms[dtype].vector;
    char wide[SINTER__LIBRARY_NAME];
    sinter__vector_type(wide, via != NULL ? via : "", lanes);
    if (dtype == SINTER_BF16) {
        (void)snprintf(out, STORE_TEXT, "convert_ushort%u(as_uint%u(v) >> 16)", lanes, lanes);
    } else if (dtype == SINTER_BOOL) {
        (void)snprintf(out, STORE_TEXT, "convert_uchar%u(v)", lanes);
    } else if (via != NULL) {
        (void)snprintf(out, STORE_TEXT, "convert_%s%u(as_%s(v))", memory_forms[dtype].element,
                       lanes, wide);
    } else {
        (void)snprintf(out, STORE_TEXT, "v");
    }
}

/* Macros that move one dtype: one element, and a vector of `lanes`. */
static void print_memory_macros(printer *p, sinter_dtype dtype, uint32_t lanes)
{
    const char *name = sinter_dtype_name(dtype);
    char value[STORE_TEXT];
    if (lanes == 1) {
        sinter__buffer_printf(p->out, "#define LOADV_%sx1(p) LOAD1_%s(p, 0)\n", name, name);
        sinter__buffer_printf(p->out, "#define STOREV_%sx1(v, p) STORE1_%s(v, p, 0)\n", name, name);
    } else if (dtype == SINTER_F16) {
        print_half_macros(p, lanes);
    } else {
        print_moved_type(p, "at", dtype, lanes, lanes);
        print_load_macro(p, "LOADV", "at", dtype, lanes, lanes);
        store_text(dtype, lanes, value);
        print_store_macro(p, dtype, lanes, value);
    }
}

static void print_element_macros(printer *p, sinter_dtype dtype)
{
    const char *name = sinter_dtype_name(dtype);
    const char *via = memory_forms[dtype].vector;
    const char *element = memory_forms[dtype].element;
    sinter__buffer *b = p->out;
    if (dtype == SINTER_F16) {
        sinter__buffer_puts(b, "#define LOAD1_f16(p, i) vload_half(i, p)\n"
                               "#define STORE1_f16(x, p, i) vstore_half_rte(x, i, p)\n");
    } else if (dtype == SINTER_BF16) {
        sinter__buffer_puts(b,
                            "#define LOAD1_bf16(p, i) as_float((uint)(p)[i] << 16)\n"
                            "#define STORE1_bf16(x, p, i) ((p)[i] = (ushort)(as_uint(x) >> 16))\n");
    } else if (dtype == SINTER_BOOL) {
        sinter__buffer_puts(b, "#define LOAD1_bool(p, i) ((uint)((p)[i] != 0))\n"
                               "#define STORE1_bool(x, p, i) ((p)[i] = (uchar)(x))\n");
    } else if (via != NULL) {
        sinter__buffer_printf(b, "#define LOAD1_%s(p, i) as_uint((%s)(p)[i])\n", name, via);
        sinter__buffer_printf(b, "#define STORE1_%s(x, p, i) ((p)[i] = (%s)(as_%s(x)))\n", name,
                              element, via);
    } else {
        sinter__buffer_printf(b, "#define LOAD1_%s(p, i) ((p)[i])\n", name);
        sinter__buffer_printf(b, "#define STORE1_%s(x, p, i) ((p)[i] = (x))\n", name);
    }
}

/* The macros that a memory function of this instance needs and that no earlier one has printed. */
static void print_macros(printer *p, const instance *x)
{
    if (x->class_ < SINTER__LIBRARY_MEMORY)
        return;
    unsigned dtype = (unsigned)(x->class_ - SINTER__LIBRARY_MEMORY) % SINTER_DTYPE_COUNT;
    bool same_dtype = false;
    bool same_lanes = false;
    bool packed = false;
    bool stepped = false;
    for (size_t i = 0; i < p->done_count; i++) {
        const instance *d = &p->done[i];
        if (d->class_ < SINTER__LIBRARY_MEMORY || d == x)
            continue;
        bool same = (unsigned)(d->class_ - SINTER__LIBRARY_MEMORY) % SINTER_DTYPE_COUNT == dtype;
        same_dtype |= same;
        same_lanes |= same && d->lanes == x->lanes;
        packed |= d->lanes == x->lanes;
        stepped |= d->lanes == x->lanes && is_lane_tree(d);
    }
    if (!same_dtype)
        print_element_macros(p, (sinter_dtype)dtype);
    if (!same_lanes)
        print_memory_macros(p, (sinter_dtype)dtype, x->lanes);
    print_apart_macro(p->out, x->name, (sinter_dtype)dtype, x->lanes);
    print_stream_macros(p, x->name, (sinter_dtype)dtype, x->lanes);
    print_parts_macro(p, x->name, (sinter_dtype)dtype, x->lanes);
    print_first_macro(p->out, x->name, (sinter_dtype)dtype, x->lanes);
    print_shuffle_macro(p, x->name, (sinter_dtype)dtype, x->lanes);
    print_pick_macros(p, x->name, (sinter_dtype)dtype, x->lanes);
    if (!stepped && is_lane_tree(x))
        print_down_macros(p->out, x->lanes);
    if (!packed && x->lanes > 1) {
        sinter__buffer_printf(p->out,
                              "#define PACK_%u(t) vload%u(0, t)\n"
                              "#define UNPACK_%u(v, t) vstore%u(v, 0, t)\n",
                              x->lanes, x->lanes, x->lanes, x->lanes);
    } else if (!packed) {
        sinter__buffer_puts(p->out, "#define PACK_1(t) ((t)[0])\n"
                                    "#define UNPACK_1(v, t) ((t)[0] = (v))\n");
    }
}

/* Whether the device's conversion to half takes the place of round_f16. */
static bool rounds_by_device(const printer *p, const instance *x)
{
    bool converts = p->limits->has_half || p->limits->stores_half;
    return converts && x->name_bytes == sizeof ROUND_F16 - 1 &&
           memcmp(x->name, ROUND_F16, x->name_bytes) == 0;
}

/* There and back. Sums, differences, products, quotients and roots of halves are the same rounded from
 * f32 as rounded at once, for f32 has more than twice the digits: what a compiler makes of such an
 * operation between conversions, one of half itself, has the same bits. A GPU without half arithmetic
 * has the instructions that load and store one: the work-item's own memory between them stays in registers. */
static void print_rounding(const sinter__words *words, sinter__buffer *out)
{
    char n[SINTER__LIBRARY_NAME];
    char text[224];
    sinter__vector_type(n, "", words->lanes);
    if (words->limits->has_half) {
        (void)snprintf(text, sizeof text,
                       "FN F32 SW(" ROUND_F16 ")(F32 a)\n{\n"
                       "    return convert_float%.2s(convert_half%.2s_rte(a));\n}\n\n",
                       n, n);
    } else {
        (void)snprintf(text, sizeof text,
                       "FN F32 SW(" ROUND_F16 ")(F32 a)\n{\n    ushort%.2s h;\n"
                       "    vstore_half%.2s_rte(a, 0, (half *)&h);\n"
                       "    return vload_half%.2s(0, (const half *)&h);\n}\n\n",
                       n, n, n);
    }
    sinter__words_print(words, text, strlen(text), out);
}

static void print_instance(printer *p, const instance *x)
{
    if (p->status != SINTER_OK || is_done(p, x))
        return;
    size_t bytes;
    const char *at = memchr(x->name, '@', x->name_bytes);
    size_t plain = at != NULL ? (size_t)(at - x->name) : x->name_bytes;
    const char *body = find_function(x->name, plain, (sinter__library_class)x->class_, &bytes);
    const instance *slot = NULL;
    if (body == NULL)
        p->status = sinter__fail(SINTER_EINTERNAL, "cl_kernels has no function '%.*s'",
                                 (int)x->name_bytes, x->name);
    else
        slot = add_instance(p, x);
    if (slot == NULL)
        return;
    size_t native;
    if (sinter__native_find(p->limits, (sinter__library_class)x->class_, x->name, x->name_bytes,
                            &native)) {
        sinter__native_print(p->limits, (sinter__library_class)x->class_, x->lanes, native, p->out);
        return;
    }
    sinter__words words = {.class_ = (sinter__library_class)x->class_,
                           .lanes = x->lanes,
                           .limits = p->limits,
                           .own = x->name,
                           .own_bytes = x->name_bytes};
    if (rounds_by_device(p, x)) {
        print_rounding(&words, p->out);
        return;
    }
    if (at != NULL) {
        size_t name_bytes = x->name_bytes - plain - 1;
        words.larger = name_bytes == sizeof SINTER__LARGER - 1 &&
                       memcmp(at + 1, SINTER__LARGER, name_bytes) == 0;
        words.op = words.larger ? SINTER__OP_MAX : sinter__op_from_name(at + 1, name_bytes);
    }
    print_macros(p, slot);
    sinter__words_callees(&words, body, bytes, print_callee, p);
    sinter__words_print(&words, body, bytes, p->out);
}

static sinter_status print_needs(const char *needs, const sinter__limits *limits,
                                 sinter__buffer *out)
{
    printer p = {.limits = limits, .out = out};
    for (const char *line = needs; *line != '\0';) {
        char *colon;
        unsigned long class_ = strtoul(line, &colon, 10);
        unsigned long lanes = strtoul(colon + 1, &colon, 10);
        const char *name = colon + 1;
        const char *end = strchr(name, '\n');
        print_callee(&p, (sinter__library_class)class_, (uint32_t)lanes, name,
                     (size_t)(end - name));
        line = end + 1;
    }
    sinter__free(out->allocator, p.done, p.done_capacity * sizeof *p.done);
    return p.status == SINTER_OK ? sinter__buffer_status(out) : p.status;
}

/* Whether integers are divided as doubles: the vectors of a CPU's. */
static bool divides_by_doubles(const char *needs, const sinter__limits *limits)
{
    static const char *const divide[] = {"udiv", "umod", "sdiv", "smod"};
    bool any = false;
    for (size_t i = 0; i < SINTER__COUNT(divide); i++)
        any |= strstr(needs, divide[i]) != NULL;
    return any && limits->has_f64 && limits->style == SINTER_STYLE_CPU && !limits->is_gpu;
}

sinter_status sinter__program_print(const char *needs, const char *kernels,
                                    const sinter__limits *limits, sinter__buffer *out)
{
    sinter__buffer_puts(out, "#pragma OPENCL FP_CONTRACT OFF\n");
    bool by_doubles = divides_by_doubles(needs, limits);
    if (by_doubles || strstr(kernels, "double") != NULL || strstr(needs, "f64") != NULL)
        sinter__buffer_puts(out, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
    if (limits->has_half && strstr(needs, "round_f16") != NULL)
        sinter__buffer_puts(out, "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n");
    sinter__buffer_puts(out, "#define DIV(a, b) ((a) / (b))\n");
    if (by_doubles)
        sinter__buffer_puts(out, "#define BY_DOUBLES\n");
    /* An fma of our own in every place where one stands is more text than a compiler takes in. */
    sinter__buffer_puts(out, limits->has_fma ? "#define FN __attribute__((always_inline))\n"
                                             : "#define FN\n");
    sinter__buffer_puts(out, "#define RARELY(x) (x)\n");
    sinter__buffer_puts(out, limits->style == SINTER_STYLE_CPU && !limits->is_gpu
                                 ? "#define ROLLED _Pragma(\"unroll 1\")\n"
                                   "#ifdef __has_builtin\n"
                                   "#if __has_builtin(__builtin_expect)\n"
                                   "#undef RARELY\n"
                                   "#define RARELY(x) __builtin_expect(x, 0)\n"
                                   "#endif\n"
                                   "#endif\n"
                                 : "#define ROLLED\n");
    if (strstr(kernels, "AHEAD(") != NULL)
        sinter__buffer_puts(
            out,
            "#define AHEAD(p, bytes) __builtin_prefetch((const void *)((size_t)(p) + bytes))\n");
    SINTER_TRY(print_needs(needs, limits, out));
    sinter__buffer_puts(out, kernels);
    return sinter__buffer_status(out);
}
