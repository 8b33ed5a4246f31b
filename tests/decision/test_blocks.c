/* Operands that lie the other way round than the result: which kernels turn them in blocks, along which
 * axis, and the same bits as operation by operation on the host, whatever is left over at the edges. */
#include "support/support.h"

#include "executor/instance.h"

#include <string.h>

enum { ELEMENTS = 4096, LANES = 8, NO_AXIS = 99 };

/* x and z are [4096]. A block has a side of 8 lanes, and a cache line is 16 elements. */
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
    sinter_tensor_desc desc;
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
    OK(sinter_tensor_describe(d->ctx, results[count - 1], &desc));
    size_t elements = 1;
    for (int k = 0; k < desc.rank; k++)
        elements *= (size_t)desc.shape[k];
    assert_true(elements <= ELEMENTS);
    test_read(d, results[count - 1], out, elements);
    test_release(d, results[count - 1]);
    for (size_t i = 0; i < in_count; i++)
        test_release(d, in[i]);
    sinter_program_destroy(p);
    return elements;
}

static void check_class(const test_device *d, const char *text, int axis, uint32_t turned)
{
    seen s = {0};
    sinter__instances_visit(d->s, see, &s);
    bool blocks = s.key.loops == SINTER__LOOPS_BLOCK;
    if (s.key.style == SINTER_STYLE_GPU) { /* has no such kernels */
        axis = NO_AXIS;
        turned = 0;
    }
    if (s.instances != 1 || blocks != (axis != NO_AXIS) || s.turned != turned ||
        (blocks && s.key.block_axis != axis))
        fail_msg("%s: %d instances, blocks %d, axis %u, %u turned", text, s.instances, (int)blocks,
                 s.key.block_axis, s.turned);
}

static sinter_context_options options_of(const char *device)
{
    sinter_context_options o = SINTER_CONTEXT_OPTIONS_INIT;
    o.device = device;
    o.lanes = LANES;
    o.log_fn = test_log;
    return o;
}

/* A driver without vectors takes blocks of 8 x 8 apart, for minutes. */
static sinter_context_options options_of_device(void)
{
    sinter_context_options o = options_of(NULL);
    sinter_device_info info = SINTER_DEVICE_INFO_INIT;
    test_device d = test_open(&o);
    OK(sinter_context_device(d.ctx, &info));
    test_close(&d);
    if (info.native_lanes < o.lanes)
        o.lanes = 4;
    return o;
}

/* On the host, where a context of its own for each kernel costs nothing. */
static void what_lies_the_other_way_round_is_turned(void **state)
{
    (void)state;
    static float found[ELEMENTS];
    sinter_context_options options = options_of("host");
    for (size_t i = 0; i < SINTER__COUNT(cases); i++) {
        test_device d = test_open(&options);
        run(&d, cases[i].text, found);
        if (test_is_plain())
            check_class(&d, cases[i].text, cases[i].axis, cases[i].turned);
        test_close(&d);
    }
}

static void the_bits_are_those_of_the_host(void **state)
{
    (void)state;
    static float expected[ELEMENTS];
    static float found[ELEMENTS];
    sinter_context_options on_host = options_of("host");
    sinter_context_options options = options_of_device();
    on_host.switches = SINTER_NO_FUSE;
    test_device host = test_open(&on_host);
    test_device d = test_open(&options);
    for (size_t i = 0; i < SINTER__COUNT(cases); i++) {
        memset(found, 0, sizeof found);
        size_t count = run(&host, cases[i].text, expected);
        assert_int_equal(run(&d, cases[i].text, found), count);
        if (memcmp(found, expected, count * sizeof *found) != 0)
            fail_msg("%s: other bits", cases[i].text);
    }
    test_close(&d);
    test_close(&host);
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
    sinter_context_options options = options_of_device();
    test_device d = test_open(&options);
    run(&d, texts[0], found);
    uint64_t kernels = test_stats(&d).compiles;
    for (size_t i = 1; i < SINTER__COUNT(texts); i++)
        run(&d, texts[i], found);
    DECIDES(test_stats(&d).compiles, kernels);
    test_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_lies_the_other_way_round_is_turned),
        cmocka_unit_test(the_bits_are_those_of_the_host),
        cmocka_unit_test(one_kernel_serves_every_extent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
