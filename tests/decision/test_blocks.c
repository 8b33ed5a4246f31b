/* Operands that lie the other way round than the result: which kernels turn them in blocks, along which
 * axis, through how much local memory, and the same bits as operation by operation on the host, whatever is
 * left over at the edges. */
#include "support/support.h"

#include "executor/run/instance.h"

#include <stdlib.h>
#include <string.h>

enum { ELEMENTS = 4096, LANES = 8, SIDE = 2 * LANES, ITEMS = 16, NO_AXIS = 99 };

/* x and z are [4096]. A block has a side of 8 lanes, and a cache line is 16 elements. A GPU's is of 16 and wants to
 * be half full, so both turn the same operands; those that only run across are a CPU's matter. */
static const struct {
    const char *text;
    int axis;        /* of the rows of the blocks; NO_AXIS: rows or flat */
    uint32_t turned; /* operands */
} cases[] = {
    {"y = transpose(reshape(x, (64, 64))) + 1", 0, 1},
    {"y = transpose(reshape(x, (64, 64))) * reshape(z, (64, 64))", 0, 1},
    /* whatever is left over: of rows, of columns, of both, and less than a block of either */
    {"y = transpose(reshape(x[:4088], (56, 73))) - 1", 0, 1},
    {"y = transpose(reshape(x[:4088], (73, 56))) - 1", 0, 1},
    {"y = transpose(reshape(x[:3999], (31, 129))) - 1", 0, 1},
    {"y = transpose(reshape(x[5:2020], (155, 13))[:, :9]) - 1", NO_AXIS, 0},
    {"y = transpose(reshape(x[5:2021], (112, 18))[:, :9]) - 1", 0, 1},
    /* fewer columns, or rows, than a block has */
    {"y = transpose(reshape(x, (64, 64))[:7, :]) + 1", NO_AXIS, 0},
    {"y = transpose(reshape(x, (64, 64))[:8, :]) + 1", 0, 1},
    {"y = transpose(reshape(x, (64, 64))[:, :7]) + 1", 0, 0},
    /* rows a cache line apart, and nearer */
    {"y = transpose(reshape(x, (256, 16))) + 1", 0, 1},
    {"y = transpose(reshape(x[:3840], (256, 15))) + 1", NO_AXIS, 0},
    /* backwards down the columns; backwards or with gaps along what would be read */
    {"y = flip(transpose(reshape(x, (64, 64))), axis=1) + 1", 0, 1},
    {"y = flip(transpose(reshape(x, (64, 64))), axis=0) + 1", 0, 0},
    {"y = transpose(reshape(x, (32, 128))[:, ::2]) + 1", 0, 0},
    /* several operands, the same one seen twice, and no more than eight */
    {"y = transpose(reshape(x, (64, 64))) * transpose(reshape(z, (64, 64)))", 0, 2},
    {"t = reshape(x, (64, 64)); v = transpose(t); y = v * t + v", 0, 1},
    {"y = transpose(reshape(x[0:1024], (32, 32))) + transpose(reshape(x[1:1025], (32, 32))) + "
     "transpose(reshape(x[2:1026], (32, 32))) + transpose(reshape(x[3:1027], (32, 32))) + "
     "transpose(reshape(x[4:1028], (32, 32))) + transpose(reshape(x[5:1029], (32, 32))) + "
     "transpose(reshape(x[6:1030], (32, 32))) + transpose(reshape(x[7:1031], (32, 32))) + "
     "transpose(reshape(x[8:1032], (32, 32)))",
     0, 8},
    /* axes outside the block, in front of it and between its two; the axis of most operands */
    {"y = transpose(reshape(x, (4, 32, 32)), (0, 2, 1)) + 1", 1, 1},
    {"y = transpose(reshape(x[:4092], (3, 4, 11, 31))[:, :, :, 2:], (1, 0, 3, 2))[1:] + 1", 2, 1},
    {"y = transpose(reshape(x, (16, 16, 16)), (2, 1, 0)) * 2", 0, 1},
    {"y = transpose(reshape(x, (16, 16, 16)), (2, 1, 0)) + "
     "transpose(reshape(z, (16, 16, 16)), (0, 2, 1))",
     1, 1},
    {"y = transpose(reshape(x, (16, 16, 16)), (2, 1, 0)) + transpose(reshape(z, (16, 16, 16)), (2, "
     "1, "
     "0)) + transpose(reshape(z, (16, 16, 16)), (0, 2, 1))",
     0, 2},
    /* others of the same kernel: one of a row, one of a column, every other element, indices */
    {"t = reshape(x, (64, 64)); y = transpose(t) * t[0] + t[:, :1] - 2", 0, 1},
    {"t = reshape(x, (32, 128)); y = transpose(t) + reshape(z, (128, 32))[:, ::-1]", 0, 1},
    {"y = reshape(z, (64, 64))[:, ::2] * 2 + transpose(reshape(x[:2048], (32, 64)))", 0, 1},
    {"y = transpose(reshape(x, (64, 64))) + cast(reshape(arange(4096), (64, 64)), 'f32')", 0, 1},
    /* a body that is too long for a loop of whole blocks */
    {"y = erf(exp(sin(transpose(reshape(x[:4088], (56, 73))))))", 0, 1},
    {"y = cumsum(transpose(reshape(x, (64, 64))), axis=1)", NO_AXIS, 0},
    {"y = reshape(x, (64, 64)) * 2", NO_AXIS, 0},
};

typedef struct seen {
    int instances;
    sinter__class_key key;
    uint32_t turned;
} seen;

static void see(void *user, const sinter__instance *in)
{
    seen *s = user;
    const sinter__launch *l = sinter__instance_launch(in, 0, 0);
    if (!in->is_bound)
        return;
    s->instances++;
    s->key = l->class_.key;
    s->turned = 0;
    for (uint16_t a = 0; a < l->class_.key.access_count; a++)
        s->turned += sinter__class_turns(&l->class_, a);
}

static size_t run(const test_device *d, const char *text, float *out)
{
    static float data[ELEMENTS];
    const int64_t shape[] = {ELEMENTS};
    sinter_program *p;
    sinter_program_place place;
    sinter_tensor in[2];
    sinter_tensor results[4];
    for (int i = 0; i < ELEMENTS; i++)
        data[i] = (float)(i * 7919 % 1009) / 64.0f - 7.0f;
    OK(sinter_program_parse(text, strlen(text), &p, &place));
    size_t in_count = sinter_program_input_count(p);
    size_t count = sinter_program_result_count(p);
    assert_true(count <= SINTER__COUNT(results));
    for (size_t i = 0; i < in_count; i++)
        in[i] = test_floats(d, 1, shape, data);
    OK(sinter_program_run(p, d->s, in, results, &place));
    for (size_t i = 0; i + 1 < count; i++)
        test_release(d, results[i]);
    size_t elements = test_read_numbers(d, results[count - 1], out, ELEMENTS);
    test_release(d, results[count - 1]);
    for (size_t i = 0; i < in_count; i++)
        test_release(d, in[i]);
    sinter_program_destroy(p);
    return elements;
}

/* A block of local memory for each operand that is turned, and one barrier. */
static void check_text(const test_device *d, const char *program, size_t turned)
{
    static test_text t;
    t.bytes = 0;
    OK(sinter_kernels_write(d->s, test_text_add, &t));
    size_t blocks = test_occurrences(t.data, "    __local float v") +
                    test_occurrences(t.data, "    __local uint v");
    if (blocks != turned || test_occurrences(t.data, "[272];\n") != turned ||
        test_occurrences(t.data, "    barrier(CLK_LOCAL_MEM_FENCE);\n") != (turned > 0))
        fail_msg("%s: %zu blocks in\n%s", program, blocks, t.data);
}

static void check_class(const test_device *d, const char *text, int axis, uint32_t turned)
{
    seen s = {0};
    sinter__instances_visit(d->s, see, &s);
    bool blocks = s.key.loops == SINTER__LOOPS_BLOCK;
    bool gpu = s.key.style == SINTER_STYLE_GPU;
    if (gpu && turned == 0)
        axis = NO_AXIS;
    if (s.instances != 1 || blocks != (axis != NO_AXIS) || s.turned != turned ||
        (blocks && s.key.block_axis != axis) ||
        (blocks && gpu && (s.key.rows != SIDE || s.key.group[0] != ITEMS)))
        fail_msg("%s: %d instances, blocks %d, axis %u, %u turned", text, s.instances, (int)blocks,
                 s.key.block_axis, s.turned);
    if (gpu && blocks)
        check_text(d, text, turned);
}

/* The device's profile, of a style and with small blocks. A driver without vectors takes blocks of 8 x 8 in registers
 * apart, for minutes. */
static sinter_profile *profile_of(const char *device, const char *style, uint32_t lanes,
                                  uint32_t side)
{
    sinter_profile *p = test_profile(device, style);
    test_profile_set(p, "map_lanes", lanes);
    test_profile_set(p, "block_side", side);
    test_profile_set(p, "block_items", ITEMS);
    return p;
}

static test_device open_with(const char *device, const char *style, const sinter_profile *p,
                             uint32_t switches)
{
    sinter_context_options o = SINTER_CONTEXT_OPTIONS_INIT;
    o.device = device;
    o.profile = p;
    o.switches = switches;
    o.log_fn = test_log;
    if (style != NULL)
        o.style = style[0] == 'g' ? SINTER_STYLE_GPU : SINTER_STYLE_CPU;
    return test_open(&o);
}

/* Of the device and in the style of the environment. */
static sinter_profile *profile_of_device(void)
{
    sinter_device_info info = SINTER_DEVICE_INFO_INIT;
    test_device d = open_with(NULL, NULL, NULL, 0);
    OK(sinter_context_device(d.ctx, &info));
    test_close(&d);
    return profile_of(NULL, getenv("SINTER_STYLE"), info.native_lanes < LANES ? 4 : LANES, SIDE);
}

/* On the host, where a context of its own for each kernel costs nothing. */
static void what_lies_the_other_way_round_is_turned(void **state)
{
    (void)state;
    static float found[ELEMENTS];
    static const char *const styles[] = {"cpu", "gpu"};
    for (size_t k = 0; k < SINTER__COUNT(styles); k++) {
        sinter_profile *p = profile_of("host", styles[k], LANES, SIDE);
        for (size_t i = 0; i < SINTER__COUNT(cases); i++) {
            test_device d = open_with("host", styles[k], p, 0);
            OK(sinter_report_begin(d.s));
            run(&d, cases[i].text, found);
            if (test_is_plain())
                check_class(&d, cases[i].text, cases[i].axis, cases[i].turned);
            test_close(&d);
        }
        sinter_profile_destroy(p);
    }
}

static void the_bits_are_those_of_the_host(void **state)
{
    (void)state;
    static float expected[ELEMENTS];
    static float found[ELEMENTS];
    sinter_profile *p = profile_of_device();
    test_device host = open_with("host", NULL, NULL, SINTER_NO_FUSE);
    test_device d = open_with(NULL, NULL, p, 0);
    for (size_t i = 0; i < SINTER__COUNT(cases); i++) {
        memset(found, 0, sizeof found);
        size_t count = run(&host, cases[i].text, expected);
        assert_int_equal(run(&d, cases[i].text, found), count);
        if (memcmp(found, expected, count * sizeof *found) != 0)
            fail_msg("%s: other bits", cases[i].text);
    }
    test_close(&d);
    test_close(&host);
    sinter_profile_destroy(p);
}

/* Extents are arguments of the kernel: others compile nothing. */
static void one_kernel_serves_every_extent(void **state)
{
    (void)state;
    static float found[ELEMENTS];
    static const char *const texts[] = {
        "y = transpose(reshape(x, (64, 64))) + 1",
        "y = transpose(reshape(x[:4088], (56, 73))) + 1",
        "y = transpose(reshape(x[5:2021], (112, 18))[:, :9]) + 1",
    };
    sinter_profile *p = profile_of_device();
    test_device d = open_with(NULL, NULL, p, 0);
    run(&d, texts[0], found);
    uint64_t kernels = test_stats(&d).compiles;
    for (size_t i = 1; i < SINTER__COUNT(texts); i++)
        run(&d, texts[i], found);
    DECIDES(test_stats(&d).compiles, kernels);
    test_close(&d);
    sinter_profile_destroy(p);
}

enum { ROWS = 37, COLUMNS = 45, COUNT = ROWS * COLUMNS };

/* Small numbers as elements of the dtype. */
static void elements_of(sinter_dtype dtype, unsigned char *out)
{
    static float data[COUNT];
    const int64_t shape[] = {ROWS, COLUMNS};
    sinter_tensor x;
    sinter_tensor y;
    test_device d = open_with("host", NULL, NULL, 0);
    for (int i = 0; i < COUNT; i++)
        data[i] = (float)(i * 7919 % 113);
    x = test_floats(&d, 2, shape, data);
    OK(sinter_cast(d.s, x, dtype, &y));
    OK(sinter_tensor_read(d.s, y, out, COUNT * sinter_dtype_bytes(dtype)));
    test_release(&d, x);
    test_release(&d, y);
    test_close(&d);
}

/* The larger of two that are both turned. */
static void run_dtype(const test_device *d, sinter_dtype dtype, unsigned char *out)
{
    static unsigned char data[2 * COUNT * 8];
    const int64_t shape[] = {ROWS, COLUMNS};
    size_t half = COUNT * sinter_dtype_bytes(dtype);
    sinter_tensor in[2];
    sinter_tensor turned[2];
    sinter_tensor y;
    elements_of(dtype, data);
    elements_of(dtype, data + half);
    for (size_t i = 0; i < half / 2; i++) /* another order */
        data[half + i] = data[i + half / 2];
    for (int k = 0; k < 2; k++) {
        OK(sinter_tensor_from_host(d->s, dtype, 2, shape, data + (size_t)k * half, &in[k]));
        OK(sinter_transpose(d->s, in[k], (int[]){1, 0}, &turned[k]));
    }
    OK(sinter_maximum(d->s, turned[0], turned[1], &y));
    test_release(d, turned[0]);
    test_release(d, turned[1]);
    OK(sinter_tensor_read(d->s, y, out, half));
    test_release(d, in[0]);
    test_release(d, in[1]);
    test_release(d, y);
}

/* The host has 32768 bytes of it; a block of side 64 takes 64 * 65 words, of f64 too many. */
static void as_many_as_local_memory_has_room_for(void **state)
{
    (void)state;
    static const struct {
        sinter_dtype dtype;
        uint32_t side, turned;
    } rooms[] = {{SINTER_F32, 32, 2}, {SINTER_F32, 64, 1}, {SINTER_U8, 64, 1},
                 {SINTER_F16, 64, 1}, {SINTER_F64, 32, 2}, {SINTER_F64, 64, 0}};
    static unsigned char found[COUNT * 8];
    for (size_t i = 0; i < SINTER__COUNT(rooms); i++) {
        sinter_profile *p = profile_of("host", "gpu", 4, rooms[i].side);
        test_device d = open_with("host", "gpu", p, 0);
        seen s = {0};
        run_dtype(&d, rooms[i].dtype, found);
        sinter__instances_visit(d.s, see, &s);
        DECIDES(s.key.loops == SINTER__LOOPS_BLOCK, rooms[i].turned > 0);
        DECIDES(s.turned, rooms[i].turned);
        test_close(&d);
        sinter_profile_destroy(p);
    }
}

static bool has_f64(const test_device *d)
{
    sinter_device_info info = SINTER_DEVICE_INFO_INIT;
    OK(sinter_context_device(d->ctx, &info));
    return info.has_f64 != 0;
}

/* In 32-bit indices and in 64-bit ones, which tiny limits make of so few elements. */
static void every_dtype_is_turned(void **state)
{
    (void)state;
    static const sinter_dtype dtypes[] = {SINTER_BOOL, SINTER_U8,   SINTER_I16, SINTER_I64,
                                          SINTER_F16,  SINTER_BF16, SINTER_F32, SINTER_F64};
    static const uint32_t switches[] = {0, SINTER_TINY_LIMITS};
    static unsigned char expected[COUNT * 8];
    static unsigned char found[COUNT * 8];
    sinter_profile *p = profile_of_device();
    for (size_t k = 0; k < SINTER__COUNT(switches); k++) {
        test_device host = open_with("host", NULL, NULL, SINTER_NO_FUSE);
        test_device d = open_with(NULL, NULL, p, switches[k]);
        for (size_t i = 0; i < SINTER__COUNT(dtypes); i++) {
            seen s = {0};
            if (dtypes[i] == SINTER_F64 && !has_f64(&d))
                continue;
            run_dtype(&host, dtypes[i], expected);
            run_dtype(&d, dtypes[i], found);
            sinter__instances_visit(d.s, see, &s);
            assert_int_equal(s.key.wide, switches[k] != 0);
            DECIDES(s.turned, 2);
            if (memcmp(found, expected, COUNT * sinter_dtype_bytes(dtypes[i])) != 0)
                fail_msg("%s: other bits", sinter_dtype_name(dtypes[i]));
        }
        test_close(&d);
        test_close(&host);
    }
    sinter_profile_destroy(p);
}

/* As a device turns it whose registers hold half of such a vector, and as one does whose hold all of it. Oclgrind loses
 * track of what is initialised in 16 lanes. */
static void vectors_of_16_are_turned_either_way(void **state)
{
    (void)state;
    static const sinter_dtype dtypes[] = {SINTER_U8, SINTER_F16, SINTER_F32, SINTER_I64};
    static const uint32_t registers[] = {8, 16};
    static unsigned char expected[COUNT * 8];
    static unsigned char found[COUNT * 8];
    sinter_profile *p = profile_of(NULL, getenv("SINTER_STYLE"), 16, SIDE);
    for (size_t k = 0; k < SINTER__COUNT(registers); k++) {
        test_device host = open_with("host", NULL, NULL, SINTER_NO_FUSE);
        test_device d = open_with(NULL, NULL, p, 0);
        bool is_left_out = test_is_simulated(&d) || d.ctx->devices[0].limits.register_lanes < LANES;
        d.ctx->devices[0].limits.register_lanes = registers[k];
        for (size_t i = 0; i < SINTER__COUNT(dtypes) && !is_left_out; i++) {
            seen s = {0};
            run_dtype(&host, dtypes[i], expected);
            run_dtype(&d, dtypes[i], found);
            sinter__instances_visit(d.s, see, &s);
            DECIDES(s.turned, 2);
            if (memcmp(found, expected, COUNT * sinter_dtype_bytes(dtypes[i])) != 0)
                fail_msg("%s, registers of %u: other bits", sinter_dtype_name(dtypes[i]),
                         (unsigned)registers[k]);
        }
        test_close(&d);
        test_close(&host);
    }
    sinter_profile_destroy(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_lies_the_other_way_round_is_turned),
        cmocka_unit_test(as_many_as_local_memory_has_room_for),
        cmocka_unit_test(the_bits_are_those_of_the_host),
        cmocka_unit_test(vectors_of_16_are_turned_either_way),
        cmocka_unit_test(one_kernel_serves_every_extent),
        cmocka_unit_test(every_dtype_is_turned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
