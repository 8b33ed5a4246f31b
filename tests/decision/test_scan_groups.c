/* Scans along long rows, of which several blocks of 64 are gone through at once: which of them by a
 * GPU's work-group, how many blocks it holds in its local memory, its barriers, and the same of
 * columns; which of them by a CPU's work-item, a block to a lane; and the bits of a scan by the
 * host, one operation at a time. */
#include "support/support.h"

#include "executor/run/instance.h"
#include "fusion/nest/tree.h"

#include <stdio.h>
#include <string.h>

/* A row of more stretches than blocks that are worth a group. */
enum { LONG_ROW = 257 * 4096 + 77, LONG_LINE = 8203, MOST = LONG_ROW, ITEMS = 32, LANES = 4 };
static const size_t barriers_of_results = 3, barriers_of_totals = 2, barriers_of_carries = 4;

/* The host has 32768 bytes of local memory. A block takes 65 elements, its total and its carry: of f32 64 blocks fit, a
 * stretch; of f64, of integers, which are summed in 64 bits, and of two scans half as many. A work-item of a CPU has a
 * block for each lane, of what is summed in 32 bits and at least half as long. */
static const struct {
    const char *text; /* x is [rows, columns] */
    sinter_dtype dtype;
    int64_t rows, columns;
    uint16_t blocks; /* of a group; 0: a row is a work-item's */
    size_t launches;
    bool beside; /* several, by a CPU */
} cases[] = {
    {"y = cumsum(x, axis=1)", SINTER_F32, 8, 127, 0, 1, false},
    {"y = cumsum(x, axis=1)", SINTER_F32, 8, 128, 0, 1, true},
    {"y = cumsum(x, axis=1)", SINTER_F32, 8, 255, 0, 1, true},
    {"y = cumsum(x, axis=1)", SINTER_F32, 8, 256, 64, 1, true},
    /* columns: 32 work-items are 2 x 16, 8 x 4 of vectors of 4 columns, and blocks; the end of a
     * vector, of a block, of a stretch */
    {"y = cumsum(x, axis=0)", SINTER_F32, 255, 8, 0, 1, false},
    {"y = cumsum(x, axis=0)", SINTER_F32, 256, 8, 4, 1, false},
    {"y = cumsum(x, axis=0)", SINTER_F32, 1091, 27, 4, 1, false},
    {"y = cumsum(x, axis=0)", SINTER_F32, 300, 128, 0, 1, false},
    {"y = cumsum(x, axis=0)", SINTER_F32, 4161, 9, 8, 3, false},
    {"y = cumsum(x * x, axis=0) + x", SINTER_F32, 8203, 3, 32, 3, false},
    /* a line of three stretches whose vectors a CPU has side by side */
    {"y = cumsum(x, axis=0)", SINTER_F32, LONG_LINE, 36, 0, 3, false},
    {"y = cumsum(x, axis=0)", SINTER_I32, 711, 5, 16, 1, false},
    {"y = cumsum(x, axis=0)", SINTER_F16, 711, 5, 16, 1, false},
    {"y = cumsum(exp(x), axis=0) / x[::-1] + x[:1]", SINTER_F32, 711, 9, 8, 1, false},
    {"y = cumsum(lgamma(x + 1), axis=0)", SINTER_F32, 711, 9, 8, 1, false},
    /* what is the same down a column: loaded, computed, and after the scan */
    {"y = cumsum(x * exp(x[:1]), axis=0) - sqrt(x[3:4])", SINTER_F32, 711, 27, 4, 1, false},
    {"y = cumsum(x, axis=0)", SINTER_F64, 711, 27, 4, 1, false},
    {"a = cumsum(x, axis=0); b = cumprod(x / 64 + 0.97, axis=0); y = a * b; release a; release b",
     SINTER_F32, 711, 17, 4, 1, false},
    /* the end of a vector, of a block, of a segment, of a stretch */
    {"y = cumsum(x, axis=1)", SINTER_F32, 8, 709, 64, 1, true},
    {"y = cumsum(x, axis=1)", SINTER_F32, 4, 4096, 64, 1, true},
    {"y = cumsum(x, axis=1)", SINTER_F32, 4, 4161, 64, 1, true},
    {"y = cumprod(x / 64 + 0.97, axis=1)", SINTER_F32, 8, 711, 64, 1, true},
    /* stretches of too few rows, each by a group: totals, carries, results */
    {"y = cumsum(x, axis=1)", SINTER_F32, 1, 8203, 64, 3, true},
    {"y = cumsum(x * x, axis=1) + x", SINTER_F32, 1, 8203, 64, 3, true},
    {"y = cumsum(x, axis=1)", SINTER_I32, 1, 8203, 32, 3, false},
    {"y = cumsum(lgamma(x + 1), axis=1)", SINTER_F32, 8, 711, 64, 1, true},
    /* what is made for the scan and used after it, stored, read backwards, one to a row */
    {"p = x * 2; y = cumsum(p, axis=1) - p / 3", SINTER_F32, 8, 711, 64, 1, true},
    {"y = cumsum(exp(x), axis=1) / x[:, ::-1] + x[:, :1]", SINTER_F32, 8, 711, 64, 1, true},
    {"y = cumsum(x[:, ::-1], axis=1)[:, ::-1] * 2", SINTER_F32, 8, 711, 64, 1, true},
    /* what is the same for every element of a row, and for all */
    {"y = cumsum(expand(x[:, :1], (8, 711)), axis=1)", SINTER_F32, 8, 711, 64, 1, true},
    {"y = cumsum(full((8, 711), 1.3, 'f32') + x[0, 0] * 0.1, axis=1)", SINTER_F32, 8, 711, 64, 1,
     true},
    {"y = cumsum(expand(x[:1], (711, 8)), axis=0)", SINTER_F32, 711, 8, 16, 1, false},
    /* several scans in a kernel, and what fits less often */
    {"a = cumsum(x, axis=1); b = cumprod(x / 64 + 0.97, axis=1); y = a * b; release a; release b",
     SINTER_F32, 4, 4290, 32, 1, true},
    {"y = cumsum(x, axis=1)", SINTER_F16, 8, 709, 64, 1, true},
    {"y = cumsum(x, axis=1)", SINTER_BF16, 8, 709, 64, 1, true},
    {"y = cumsum(x, axis=1)", SINTER_U8, 8, 2115, 32, 1, false},
    {"y = cumsum(x, axis=1)", SINTER_F64, 8, 2115, 32, 1, false},
    /* -0 all along, which a carry of 0 would make 0 */
    {"y = cumsum(-(x * 0), axis=1)", SINTER_F32, 8, 711, 64, 1, true},
    {"y = cumsum(-(x * 0), axis=1)", SINTER_F32, 4, 4161, 64, 1, true},
    {"y = cumsum(-(x * 0), axis=1)", SINTER_F32, 1, 8203, 64, 3, true},
    {"y = cumsum(-(x * 0), axis=0)", SINTER_F32, 711, 27, 4, 1, false},
    {"y = cumsum(-(x * 0), axis=0)", SINTER_F32, LONG_LINE, 36, 0, 3, false},
    /* the carries of the stretches by a group, too */
    {"y = cumsum(x, axis=1)", SINTER_F32, 1, LONG_ROW, 64, 3, true},
};

typedef struct seen {
    sinter__class_key key;
    int64_t segment;
    size_t launches;
} seen;

static void see(void *user, const sinter__instance *in)
{
    seen *s = user;
    for (size_t g = 0; in->is_bound && g < in->compiled->plan.group_count; g++) {
        const sinter__launch *l = sinter__instance_launch(in, (uint16_t)g, 0);
        if (l->nest->form != SINTER__FORM_SCAN)
            continue;
        s->key = l->class_.key;
        s->segment = l->geometry.segment;
        s->launches = in->launch_counts[g];
    }
}

/* The GPU's style, and twice a CPU's: what is scanned is near, or comes from far and is read in one piece. */
static const char *const styles[] = {"cpu", "gpu", "cpu"};
enum { NEAR, GPU, FAR, STYLES };

/* The device's profile: small groups, and a row is split where it is alone. */
static sinter_profile *profile_of(const char *device, size_t style)
{
    sinter_profile *p = test_profile(device, styles[style]);
    test_profile_set(p, "scan_items", ITEMS);
    test_profile_set(p, "chunk_lanes", LANES);
    test_profile_set(p, "run_lanes", LANES);
    test_profile_set(p, "items_per_unit", 4);
    test_profile_set(p, "scan_wide_from", 1);
    test_profile_set(p, "scan_near_to", style == FAR ? 0 : 4194304);
    return p;
}

static test_device open_with(const char *device, const sinter_profile *p, size_t style,
                             uint32_t switches)
{
    sinter_context_options o = SINTER_CONTEXT_OPTIONS_INIT;
    o.device = device;
    o.profile = p;
    o.switches = switches;
    o.style = style == GPU ? SINTER_STYLE_GPU : SINTER_STYLE_CPU;
    o.log_fn = test_log;
    return test_open(&o);
}

/* Small numbers as elements of the dtype. */
static void elements_of(sinter_dtype dtype, size_t count, void *out)
{
    static float data[MOST];
    const int64_t shape[] = {(int64_t)count};
    sinter_tensor x;
    sinter_tensor y;
    test_device d = open_with("host", NULL, 0, 0);
    for (size_t i = 0; i < count; i++)
        data[i] = (float)(i * 7919 % 31) / 7.0f; /* sums of them are rounded */
    x = test_floats(&d, 1, shape, data);
    OK(sinter_cast(d.s, x, dtype, &y));
    OK(sinter_tensor_read(d.s, y, out, count * sinter_dtype_bytes(dtype)));
    test_release(&d, x);
    test_release(&d, y);
    test_close(&d);
}

/* Returns the bytes of y. */
static size_t run(const test_device *d, size_t i, void *out)
{
    static double data[MOST];
    const int64_t shape[] = {cases[i].rows, cases[i].columns};
    sinter_program *p;
    sinter_program_place place;
    sinter_tensor x;
    sinter_tensor results[3];
    sinter_tensor_desc desc;
    elements_of(cases[i].dtype, (size_t)(shape[0] * shape[1]), data);
    OK(sinter_program_parse(cases[i].text, strlen(cases[i].text), &p, &place));
    size_t count = sinter_program_result_count(p);
    assert_true(count <= SINTER__COUNT(results));
    OK(sinter_tensor_from_host(d->s, cases[i].dtype, 2, shape, data, &x));
    OK(sinter_program_run(p, d->s, &x, results, &place));
    OK(sinter_tensor_describe(d->ctx, results[count - 1], &desc));
    size_t bytes = (size_t)(shape[0] * shape[1]) * sinter_dtype_bytes(desc.dtype);
    OK(sinter_tensor_read(d->s, results[count - 1], out, bytes));
    for (size_t k = 0; k < count; k++)
        test_release(d, results[k]);
    test_release(d, x);
    sinter_program_destroy(p);
    return bytes;
}

static bool is_down(size_t i)
{
    return strstr(cases[i].text, "axis=0") != NULL;
}

static void check_group_text(const test_device *d, const sinter__class_key *key, size_t i)
{
    static test_text t;
    char array[32];
    size_t fewer = is_down(i); /* no elements are laid out */
    size_t wanted = barriers_of_results - fewer +
                    (cases[i].launches == 3 ? barriers_of_totals : 0) +
                    (cases[i].columns == LONG_ROW ? barriers_of_carries : 0);
    t.bytes = 0;
    (void)snprintf(array, sizeof array, "[%u];\n",
                   cases[i].blocks * (is_down(i) ? key->group[0] : 65u));
    if (cases[i].blocks == 0)
        (void)snprintf(array, sizeof array, "__local");
    OK(sinter_kernels_write(d->s, test_text_add, &t));
    size_t barriers = test_occurrences(t.data, "    barrier(CLK_LOCAL_MEM_FENCE);\n");
    if (barriers != (cases[i].blocks == 0 ? 0 : wanted))
        fail_msg("%s: %zu barriers in\n%s", cases[i].text, barriers, t.data);
    assert_int_equal(test_occurrences(t.data, array) > 0, cases[i].blocks > 0);
    /* rows are read before the first of them has its result, where little is computed beside */
    bool ahead = test_occurrences(cases[i].text, "lgamma") == 0;
    if (is_down(i) && (test_occurrences(t.data, " += 4) {\n") > 0) != ahead)
        fail_msg("%s: rows are%s read ahead in\n%s", cases[i].text, ahead ? " not" : "", t.data);
}

static void check_item_text(const test_device *d, size_t i, bool near)
{
    static test_text t;
    size_t with_rows = cases[i].launches == 3 ? 2 : 1; /* carries go one by one */
    t.bytes = 0;
    OK(sinter_kernels_write(d->s, test_text_add, &t));
    assert_int_equal(test_occurrences(t.data, "barrier("), 0);
    size_t calls = test_occurrences(t.data, " = sn_scan_turned_");
    size_t scans = 1 + test_occurrences(cases[i].text, "; b = cum");
    /* of whole segments, too, where it moves little */
    bool has_two =
        near && cases[i].columns != LONG_ROW && test_occurrences(cases[i].text, "lgamma") == 0;
    if (calls != (cases[i].beside ? with_rows * scans * (has_two ? 2 : 1) : 0))
        fail_msg("%s [%d, %d]: %zu calls in\n%s", cases[i].text, (int)cases[i].rows,
                 (int)cases[i].columns, calls, t.data);
    /* bands of four rows of several vectors, which are read first where little is computed */
    bool is_wide = is_down(i) && cases[i].columns > LANES;
    bool is_ahead = is_wide && test_occurrences(cases[i].text, "lgamma") == 0;
    if (is_down(i) && ((test_occurrences(t.data, " += 4) {\n") > 0) != is_wide ||
                       (test_occurrences(t.data, " + 3);\n") > 0) != is_ahead))
        fail_msg("%s: bands in\n%s", cases[i].text, t.data);
}

/* Vectors of columns of a group. */
static size_t beside(size_t i)
{
    size_t count = 1;
    while (count < ITEMS && (int64_t)count * LANES < cases[i].columns)
        count *= 2;
    return count;
}

static void check_class(const seen *s, size_t style, size_t i)
{
    uint16_t blocks = style == GPU ? cases[i].blocks : cases[i].beside ? LANES : 0;
    size_t found = (size_t)s->key.group[0] * s->key.group[1];
    bool short_row = !is_down(i) && cases[i].columns < SINTER__SCAN_STRETCH;
    size_t items = is_down(i) ? beside(i) * blocks : (size_t)ITEMS / (short_row ? 2 : 1);
    if (style != GPU || blocks == 0)
        items = found;
    bool few = style == GPU || !is_down(i) || cases[i].columns <= 3 * LANES; /* for the host's 4 */
    size_t launches = few ? cases[i].launches : 1;
    if (s->key.rows != blocks || s->launches != launches || found != items)
        fail_msg("%s, %s [%d, %d], %s: %u blocks, %zu launches, %u work-items", cases[i].text,
                 sinter_dtype_name(cases[i].dtype), (int)cases[i].rows, (int)cases[i].columns,
                 styles[style], s->key.rows, s->launches, (unsigned)found);
}

static void long_rows_are_scanned_in_segments(void **state)
{
    (void)state;
    static double found[MOST];
    for (size_t style = 0; style < STYLES; style++) {
        sinter_profile *p = profile_of("host", style);
        for (size_t i = 0; i < SINTER__COUNT(cases) && test_is_plain(); i++) {
            test_device d = open_with("host", p, style, 0);
            seen s = {0};
            OK(sinter_report_begin(d.s));
            run(&d, i, found);
            sinter__instances_visit(d.s, see, &s);
            check_class(&s, style, i);
            if (style != GPU)
                check_item_text(&d, i, style == NEAR);
            else
                check_group_text(&d, &s.key, i);
            test_close(&d);
        }
        sinter_profile_destroy(p);
    }
}

/* Scans zeros, of f32. */
static void scan(const test_device *d, int64_t rows, int64_t columns, int axis, seen *s)
{
    const int64_t shape[] = {rows, columns};
    sinter_tensor y;
    sinter_tensor x = test_floats(d, 2, shape, NULL);
    OK(sinter_cumsum(d->s, x, axis, &y));
    OK(sinter_stream_sync(d->s));
    sinter__instances_visit(d->s, see, s);
    test_release(d, x);
    test_release(d, y);
}

/* By a device that should have 8 groups. */
static void few_groups_of_columns_have_fewer_of_them(void **state)
{
    static const struct {
        int64_t rows, columns;
        unsigned beside, blocks;
    } wanted[] = {
        {4096, 256, 32, 8},                                        /* 8 groups */
        {4096, 224, 16, 16}, {4096, 96, 8, 32}, {4096, 32, 8, 32}, /* never fewer than 8 */
        {300, 32, 32, 8}, /* a group of 16 has more blocks than there are */
        {600, 32, 16, 16},
    };
    (void)state;
    for (size_t i = 0; i < SINTER__COUNT(wanted) && test_is_plain(); i++) {
        sinter_profile *p = profile_of("host", 1);
        test_profile_set(p, "scan_items", 256);
        test_profile_set(p, "run_lanes", 1);
        test_profile_set(p, "items_per_unit",
                         16); /* of the host's one unit; half as many will do */
        test_device d = open_with("host", p, 1, 0);
        seen s = {0};
        scan(&d, wanted[i].rows, wanted[i].columns, 0, &s);
        if (s.key.group[0] != wanted[i].beside || s.key.rows != wanted[i].blocks)
            fail_msg("[%d, %d]: %u columns, %u blocks", (int)wanted[i].rows, (int)wanted[i].columns,
                     s.key.group[0], s.key.rows);
        test_close(&d);
        sinter_profile_destroy(p);
    }
}

/* What the device cannot do, or would simulate for long. */
static bool is_left_out(const test_device *d, const sinter_device_info *info, size_t style,
                        size_t i)
{
    size_t bytes =
        (size_t)cases[i].rows * (size_t)cases[i].columns * sinter_dtype_bytes(cases[i].dtype);
    return (cases[i].dtype == SINTER_F64 && info->has_f64 == 0) ||
           (test_is_simulated(d) && (bytes > 1 << 20 || (style != GPU && i % 3 != 0))) ||
           bytes > info->max_allocation_bytes;
}

static void check_is_beside(const test_device *d, size_t i)
{
    DECIDES(test_kernels_have(d, " = sn_scan_turned_") > 0, cases[i].beside);
}

/* A segment of a CPU has a block for each of 16 lanes, or 8 of a short row, of which it is half full. */
static void short_rows_have_short_segments(void **state)
{
    static const struct {
        int64_t columns;
        unsigned blocks;
    } wanted[] = {{255, 0}, {256, 8}, {512, 8}, {640, 8}, {641, 16}, {5000, 16}};
    (void)state;
    for (size_t i = 0; i < SINTER__COUNT(wanted) && test_is_plain(); i++) {
        sinter_profile *p = profile_of("host", NEAR);
        test_profile_set(p, "chunk_lanes", 16);
        test_device d = open_with("host", p, NEAR, 0);
        seen s = {0};
        d.ctx->devices[0].limits.register_lanes = 16;
        scan(&d, 8, wanted[i].columns, 1, &s);
        if (s.key.rows != wanted[i].blocks || (s.key.rows > 0 && s.key.lanes != s.key.rows))
            fail_msg("%d columns: %u blocks in %u lanes", (int)wanted[i].columns, s.key.rows,
                     s.key.lanes);
        test_close(&d);
        sinter_profile_destroy(p);
    }
}

/* A work-item of a CPU has several vectors of columns where a launch moves much: two items to each
 * compute unit, of which the host has one, or eight vectors, and as many as its arrays have room
 * for. */
static void a_cpu_scans_vectors_side_by_side(void **state)
{
    static const struct {
        uint32_t from, most;
        int64_t rows, columns;
        int64_t vectors, room; /* 1 and 0: one at a time */
    } wanted[] = {
        {1, 64, 100, LANES * 40, 20, 64},
        {1, 64, 100, LANES * 12, 8, 64},
        {1, 64, 100, LANES * 5 - 1, 5, 64},
        {1, 16, 100, LANES * 40, 16, 16},
        {1, 1, 100, LANES * 40, 1, 0},
        {1, 64, 100, LANES, 1, 0},
        {0, 64, 100, LANES * 40, 1, 0},
        {4 * 100 * LANES * 40, 64, 100, LANES * 40, 20, 64},
        {4 * 100 * LANES * 40 + 1, 64, 100, LANES * 40, 1, 0},
        {1 << 30, 64, 10, 512, 64, 64}, /* 2048 bytes a row */
        {1 << 30, 64, 10, 511, 1, 0},
        {0, 64, 10, 512, 1, 0},
    };
    (void)state;
    for (size_t i = 0; i < SINTER__COUNT(wanted) && test_is_plain(); i++) {
        sinter_profile *p = profile_of("host", 0);
        test_profile_set(p, "scan_wide_from", wanted[i].from);
        test_profile_set(p, "run_vectors", wanted[i].most);
        test_device d = open_with("host", p, 0, 0);
        seen s = {0};
        scan(&d, wanted[i].rows, wanted[i].columns, 0, &s);
        if (s.segment != wanted[i].vectors * LANES || s.key.vectors != wanted[i].room)
            fail_msg("%d: %d columns, room for %u vectors", (int)i, (int)s.segment, s.key.vectors);
        test_close(&d);
        sinter_profile_destroy(p);
    }
}

static void check_bits(size_t style, uint32_t switches, size_t first, size_t step)
{
    static double expected[MOST];
    static double found[MOST];
    sinter_profile *p = profile_of(NULL, style);
    sinter_device_info info = SINTER_DEVICE_INFO_INIT;
    test_device host = open_with("host", NULL, style, SINTER_NO_FUSE);
    test_device d = open_with(NULL, p, style, switches);
    OK(sinter_context_device(d.ctx, &info));
    /* Oclgrind has registers of 1, and so would not do it. */
    d.ctx->devices[0].limits.register_lanes = LANES;
    for (size_t i = first; i < SINTER__COUNT(cases); i += step) {
        if (is_left_out(&d, &info, style, i))
            continue;
        size_t bytes = run(&host, i, expected);
        memset(found, 0, sizeof found);
        OK(sinter_report_begin(d.s));
        assert_int_equal(run(&d, i, found), bytes);
        if (style != GPU && d.ctx->devices[0].limits.most_iterations == 0)
            check_is_beside(&d, i);
        if (memcmp(found, expected, bytes) != 0)
            fail_msg("%s, %s [%d, %d], %s: other bits", cases[i].text,
                     sinter_dtype_name(cases[i].dtype), (int)cases[i].rows, (int)cases[i].columns,
                     styles[style]);
    }
    test_close(&d);
    test_close(&host);
    sinter_profile_destroy(p);
}

/* In 32-bit indices; and some in 64-bit ones, which tiny limits make of so few elements. What comes
 * from far differs from what is near by one array: some are enough. These kernels take a driver
 * long to build. */
static void the_bits_are_those_of_the_host(void **state)
{
    static const size_t steps[STYLES] = {1, 1, 3};
    (void)state;
    for (size_t style = 0; style < STYLES; style++) {
        check_bits(style, 0, 0, steps[style]);
        check_bits(style, SINTER_TINY_LIMITS, 1, 4 * steps[style]);
    }
}

/* The result takes the place of what is scanned, which is read again after the scan. */
static void check_in_place(int axis)
{
    enum { ROWS = 4, COLUMNS = 4300 };
    static float data[ROWS * COLUMNS];
    const int64_t shape[] = {axis == 1 ? ROWS : COLUMNS, axis == 1 ? COLUMNS : ROWS};
    static float found[STYLES + 1][ROWS * COLUMNS];
    elements_of(SINTER_F32, ROWS * COLUMNS, data);
    for (size_t k = 0; k <= STYLES; k++) {
        sinter_profile *p = k < STYLES ? profile_of(NULL, k) : NULL;
        test_device d =
            k < STYLES ? open_with(NULL, p, k, 0) : open_with("host", NULL, 0, SINTER_NO_FUSE);
        sinter_tensor x = test_floats(&d, 2, shape, data);
        sinter_tensor sums;
        sinter_tensor y;
        OK(sinter_cumsum(d.s, x, axis, &sums));
        OK(sinter_mul(d.s, sums, x, &y));
        test_release(&d, x);
        test_release(&d, sums);
        test_read(&d, y, found[k], ROWS * COLUMNS);
        test_release(&d, y);
        test_close(&d);
        sinter_profile_destroy(p);
    }
    for (size_t k = 0; k < STYLES; k++)
        assert_memory_equal(found[k], found[STYLES], sizeof found[k]);
}

static void a_result_in_the_place_of_its_operand(void **state)
{
    (void)state;
    check_in_place(1);
    check_in_place(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_rows_are_scanned_in_segments),
        cmocka_unit_test(few_groups_of_columns_have_fewer_of_them),
        cmocka_unit_test(short_rows_have_short_segments),
        cmocka_unit_test(a_cpu_scans_vectors_side_by_side),
        cmocka_unit_test(the_bits_are_those_of_the_host),
        cmocka_unit_test(a_result_in_the_place_of_its_operand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
