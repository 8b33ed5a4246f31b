/* Large results go past the caches: which of a launch's results do, and that nothing of it shows in the bits,
 * wherever a row begins and ends. */
#include "support/support.h"

#include "executor/opencl/device.h"
#include "executor/run/instance.h"

#define MI ((uint32_t)1 << 20)
#define HEAVY_FROM 8192 /* bytes, half of what is moved */

/* Programs of x [rows,columns] and w [columns]. */
#define MAP "a = x * 2 + w"
#define BOTH "a = x + w; b = (x - w) * w"
#define HALF "a = cast(x + w, 'f16')"
#define WIDE "a = cast(x, 'f64') * 2 + w"
#define NORM "d = x - mean(x, axis=1, keepdims=1); a = d * w; release d"
#define SUMMED "a = x * 2; b = sum(a, axis=1)"
#define SUMMED_NORM "b = sum(x, axis=1, keepdims=1); a = x - b"
#define HALF_NORM "d = x - mean(x, axis=1, keepdims=1); a = cast(d, 'f16'); release d"
#define CENTRED "a = layer_norm(x, 1)"
#define SOFTMAX "a = softmax(x, axis=1)"
#define EXPONENTIALS "e = exp(x - max(x, axis=1, keepdims=1)); a = e / sum(e, axis=1, keepdims=1)"
#define IN_PIECES "a = reshape(softmax(reshape(x, (8, 4, 8, 8)), axis=(1, 3)), (32, 64))"
#define TWO_WAIT                                                                                   \
    "m = max(x, axis=1, keepdims=1); e = exp(x - m); f = exp(m - x); a = e / sum(e, axis=1, "      \
    "keepdims=1); "                                                                                \
    "b = f / sum(f, axis=1, keepdims=1); release e; release f; release m"
#define COLUMNS "a = x / sum(x, axis=0)"
#define THREE "a = x[0:8] + x[8:16] + x[16:24]"
#define FOUR THREE " + x[24:32]"
#define HEAVY "a = exp(x) * w"
#define HEAVY_HALF "a = exp(x[:16]) * 2"
#define LOG_SOFTMAX "a = log_softmax(x, axis=1)"

#define DOWN "a = cumsum(x, axis=0)"
#define ALONG "a = cumsum(x, axis=1)"

#define MADE "a = x[:, :1] + w"
#define HEAVY_MADE "a = exp(x[:, :1] + w)"
#define MADE_OF_HALF "a = x[None] + w[:2, None, None]" /* a third of what is moved is read */
#define MADE_OF_QUARTER "a = x[None] + w[:4, None, None]"

#define TURNED "a = transpose(x) * 2"

#define TWO_MORE " * w + w"
#define EIGHT_MORE TWO_MORE TWO_MORE TWO_MORE TWO_MORE

static test_device open_on(const char *device, sinter_style style, uint32_t stream_from,
                           uint32_t heavy_from, uint32_t turn_from)
{
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.log_fn = test_log;
    options.device = device;
    options.style = style;
    options.lanes = 16;
    test_device d = test_open(&options);
    d.ctx->devices[0].limits.tuning.stream_from = stream_from;
    d.ctx->devices[0].limits.tuning.heavy_stream_from = heavy_from;
    d.ctx->devices[0].limits.tuning.column_stream_from = heavy_from;
    d.ctx->devices[0].limits.tuning.write_stream_from = heavy_from;
    d.ctx->devices[0].limits.tuning.turn_stream_from = turn_from;
    return d;
}

typedef struct form {
    const char *text;
    sinter_style style;
    uint32_t stream_from;
    bool gives;     /* x is dead when the launch runs */
    unsigned count; /* of the results that go past the caches */
    uint32_t turn_from;
} form;

/* x is 32 x 64 of f32: 8,192 bytes. */
static const form forms[] = {
    {MAP, SINTER_STYLE_CPU, 8192, false, 1, 0},
    {MAP, SINTER_STYLE_CPU, 8321, false, 0, 0}, /* the vector counts as well */
    {MAP, SINTER_STYLE_CPU, 0, false, 0, 0},    /* never */
    {MAP, SINTER_STYLE_GPU, 8192, false, 0, 0},
    {MAP, SINTER_STYLE_CPU, 8192, true, 0, 0}, /* it takes the place of x, whose lines are there */
    {BOTH, SINTER_STYLE_CPU, 12288, false, 2, 0}, /* what a launch moves counts together */
    {BOTH, SINTER_STYLE_CPU, 16384, false, 0, 0},
    {THREE, SINTER_STYLE_CPU, 4096, false, 1, 0},
    {FOUR, SINTER_STYLE_CPU, 4096, false, 0, 0}, /* little of what is moved is written */
    {HALF, SINTER_STYLE_CPU, 64, false, 0, 0},   /* vectors of halves are not stored as they are */
    {NORM, SINTER_STYLE_CPU, 8192, false, 1, 0},
    {SOFTMAX, SINTER_STYLE_CPU, 64, false, 1, 0},      /* the exponentials wait beside the result */
    {EXPONENTIALS, SINTER_STYLE_CPU, 64, false, 1, 0}, /* they wait in a result that is their own */
    {COLUMNS, SINTER_STYLE_CPU, 64, false, 0, 0},      /* the rows are gone through side by side */
    {HEAVY, SINTER_STYLE_CPU, 16384, false, 1,
     0}, /* what computes long counts from HEAVY_FROM on */
    {LOG_SOFTMAX, SINTER_STYLE_CPU, 16384, false, 1, 0},
    {HEAVY_HALF, SINTER_STYLE_CPU, 16384, false, 0, 0}, /* moves less than that */
    {HEAVY_HALF, SINTER_STYLE_CPU, 4096, false, 0, 0},  /* by whatever limit others go */
    {HEAVY, SINTER_STYLE_CPU, 0, false, 0, 0},          /* never */
    {NORM, SINTER_STYLE_CPU, 8321, false, 0, 0},        /* a few additions are not long */
    {DOWN, SINTER_STYLE_CPU, 16384, false, 1, 0},  /* nor are these, but each row is another page */
    {ALONG, SINTER_STYLE_CPU, 16384, false, 0, 0}, /* a block is no segment */
    {CENTRED, SINTER_STYLE_CPU, 16384, false, 1, 0}, /* but rows are gone through three times */
    {TURNED, SINTER_STYLE_CPU, 64, false, 0, 0}, /* what turns operands has a limit of its own */
    {TURNED, SINTER_STYLE_CPU, 0, false, 1, 8192},
    {TURNED, SINTER_STYLE_CPU, 64, false, 0, 8193},
    {MAP, SINTER_STYLE_CPU, 0, false, 0, 64},
};

typedef struct stored {
    unsigned past;  /* results that go past the caches */
    unsigned parts; /* that are stored in parts */
} stored;

static void count_stored(void *user, const sinter__instance *in)
{
    stored *count = user;
    for (uint16_t g = 0; g < in->compiled->plan.group_count; g++) {
        const sinter__launch *l = sinter__instance_launch(in, g, 0);
        for (uint16_t a = 0; a < l->class_.key.access_count && in->launch_counts[g] > 0; a++) {
            count->past += l->class_.accesses[a].streams;
            count->parts += l->class_.accesses[a].parts;
        }
    }
}

static void large_results_go_past_the_caches(void **state)
{
    (void)state;
    static uint8_t out[TEST_FILLED * 8];
    for (size_t i = 0; i < SINTER__COUNT(forms); i++) {
        const form *f = &forms[i];
        stored count = {0, 0};
        test_device d = open_on("host", f->style, f->stream_from, HEAVY_FROM, f->turn_from);
        bool gets = f->gives && !d.ctx->devices[0].limits.reuse; /* memory of its own */
        unsigned expected = gets ? 1 : f->count;
        (void)test_run_filled(&d, f->text, 32, 64, f->gives, out);
        sinter__instances_visit(d.s, count_stored, &count);
        if (count.past != expected)
            fail_msg("%s from %u bytes: %u results go past the caches, not %u", f->text,
                     f->stream_from, count.past, expected);
        test_close(&d);
    }
}

/* Launches that compute long, go down columns or mostly write have limits apart; 0 is that of others. */
static void kinds_of_launches_have_their_own_limits(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t from, heavy_from, column_from, write_from;
        unsigned count;
    } all[] = {
        /* 16,384 bytes are moved */
        {CENTRED, MI, 8192, MI, MI, 1},
        {CENTRED, MI, MI, 64, 64, 0},
        {CENTRED, MI, 0, 64, 64, 0},
        {CENTRED, 8192, 0, MI, MI, 1},
        {CENTRED, 64, MI, 64, 64, 0},
        {DOWN, MI, MI, 8192, MI, 1},
        {DOWN, MI, 64, 8193, 64, 0},
        {DOWN, MI, 64, 0, 64, 0},
        {DOWN, 8192, MI, 0, MI, 1},
        {DOWN, 0, 64, 64, 64, 0},
        {DOWN, 64, 64, MI, 64, 0},
        {MADE, MI, MI, MI, 4288, 1}, /* 384 bytes and 8,192 */
        {MADE, 64, 64, 64, 4289, 0},
        {MADE, 4288, MI, MI, 0, 1},
        {HEAVY_MADE, MI, MI, MI, 64, 1},
        {MADE_OF_HALF, MI, MI, MI, 64, 0},
        {MADE_OF_QUARTER, MI, MI, MI, 64, 1},
    };
    static uint8_t out[TEST_FILLED * 8];
    for (size_t i = 0; i < SINTER__COUNT(all); i++) {
        stored count = {0, 0};
        test_device d = open_on("host", SINTER_STYLE_CPU, all[i].from, all[i].heavy_from, 0);
        d.ctx->devices[0].limits.tuning.column_stream_from = all[i].column_from;
        d.ctx->devices[0].limits.tuning.write_stream_from = all[i].write_from;
        (void)test_run_filled(&d, all[i].text, 32, 64, false, out);
        sinter__instances_visit(d.s, count_stored, &count);
        if (count.past != all[i].count)
            fail_msg("%s by %u, %u, %u and %u bytes: %u results go past, not %u", all[i].text,
                     all[i].from, all[i].heavy_from, all[i].column_from, all[i].write_from,
                     count.past, all[i].count);
        test_close(&d);
    }
}

static void see_beside(void *user, const sinter__instance *in)
{
    unsigned *beside = user;
    const sinter__launch *l = sinter__instance_launch(in, 0, 0);
    for (uint16_t a = 0; a < l->class_.key.access_count && in->launch_counts[0] > 0; a++)
        *beside += l->class_.accesses[a].beside;
}

/* What would wait in a result waits in an array of the work-item, where a row of it fits and can go past whole. */
static void what_waits_does_so_beside_a_result_that_goes_past(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t columns; /* of 32 rows */
        uint32_t stream_from;
        uint32_t row_beside; /* bytes */
        uint32_t lanes;
        unsigned vectors;
    } all[] = {
        {SOFTMAX, 64, 64, 256, 16, 4},
        {SOFTMAX, 64, 64, 1024, 16, 16},
        {SOFTMAX, 64, 64, 256, 4, 16},
        {SOFTMAX, 64, 64, 255, 16, 0},
        {SOFTMAX, 64, 64, 0, 16, 0},
        {SOFTMAX, 64, 64, 256, 1, 0},    /* single elements do not go past */
        {SOFTMAX, 64, 8321, 256, 16, 0}, /* it stays in the caches */
        {SOFTMAX, 60, 64, 256, 16, 0},   /* most rows begin within a vector */
        {SOFTMAX, 60, 64, 256, 4, 16},
        {IN_PIECES, 64, 64, 256, 16, 0}, /* in pieces */
        {EXPONENTIALS, 64, 64, 256, 16, 0},
        {LOG_SOFTMAX, 64, 64, 256, 16, 0}, /* nothing waits */
        {TWO_WAIT, 64, 64, 512, 16, 16},
        {TWO_WAIT, 64, 64, 511, 16, 8}, /* the other has no room left */
    };
    static uint8_t out[TEST_FILLED * 8];
    for (size_t i = 0; i < SINTER__COUNT(all); i++) {
        unsigned vectors = 0;
        test_device d =
            open_on("host", SINTER_STYLE_CPU, all[i].stream_from, all[i].stream_from, 0);
        d.ctx->devices[0].limits.tuning.row_beside = all[i].row_beside;
        d.ctx->devices[0].limits.tuning.chunk_lanes = all[i].lanes;
        (void)test_run_filled(&d, all[i].text, 32, all[i].columns, false, out);
        sinter__instances_visit(d.s, see_beside, &vectors);
        if (vectors != all[i].vectors)
            fail_msg("%s of %lld columns, %u bytes, %u lanes: %u vectors wait, not %u", all[i].text,
                     (long long)all[i].columns, all[i].row_beside, all[i].lanes, vectors,
                     all[i].vectors);
        test_close(&d);
    }
}

static void see_rows(void *user, const sinter__instance *in)
{
    unsigned *rows = user;
    const sinter__launch *l = sinter__instance_launch(in, 0, 0);
    if (in->launch_counts[0] > 0 && l->class_.key.loops == SINTER__LOOPS_BLOCK)
        *rows = l->class_.key.rows;
}

/* An operand that is turned is read by several lines in a row where it comes from memory, by two from the cache nearby,
 * by one from the last. */
static void rows_that_are_turned_go_by_where_they_lie(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t turn_from;
        uint32_t near_to;
        unsigned rows;
    } all[] = {
        {TURNED, 8192, 8192, 128},
        {TURNED, 8193, 8192, 32},
        {TURNED, 8193, 8191, 16},
        {TURNED, 0, 0, 16},
        {"a = cast(transpose(x), 'f16')", 64, 0, 16}}; /* nothing of it is stored past the caches */
    static uint8_t out[TEST_FILLED * 8];
    for (size_t i = 0; i < SINTER__COUNT(all); i++) {
        unsigned rows = 0;
        test_device d = open_on("host", SINTER_STYLE_CPU, 1, 1, all[i].turn_from);
        d.ctx->devices[0].limits.tuning.turn_near_to = all[i].near_to;
        (void)test_run_filled(&d, all[i].text, 32, 64, false, out);
        sinter__instances_visit(d.s, see_rows, &rows);
        assert_int_equal(rows, all[i].rows);
        test_close(&d);
    }
}

typedef struct scanned {
    unsigned near;
    unsigned past;
} scanned;

static void see_scanned(void *user, const sinter__instance *in)
{
    scanned *s = user;
    const sinter__launch *l = sinter__instance_launch(in, 0, 0);
    s->near = l->class_.key.near;
    for (uint16_t a = 0; a < l->class_.key.access_count; a++)
        s->past += l->class_.accesses[a].streams;
}

/* A row is scanned where it lies while the caches hold all that the launch moves, whatever goes past them. */
static void rows_are_scanned_where_they_lie_in_caches(void **state)
{
    (void)state;
    static const struct {
        uint32_t heavy_from;
        uint32_t near_to;
        uint32_t lanes;
        scanned expected;
    } all[] = {{MI, 65536, 16, {1, 0}},    {MI, 65535, 16, {0, 0}},    {32768, 65536, 16, {1, 1}},
               {32768, 65535, 16, {0, 1}}, {32769, 65535, 16, {0, 0}}, {32769, 65536, 16, {1, 0}},
               {MI, 65536, 8, {1, 0}},     {32768, 65536, 8, {0, 1}}}; /* half a line each */
    static uint8_t out[TEST_FILLED * 8];
    for (size_t i = 0; i < SINTER__COUNT(all); i++) {
        scanned found = {0};
        test_device d = open_on("host", SINTER_STYLE_CPU, MI, all[i].heavy_from, 0);
        d.ctx->devices[0].limits.tuning.scan_near_to = all[i].near_to;
        d.ctx->devices[0].limits.register_lanes = all[i].lanes;
        (void)test_run_filled(&d, ALONG, 8, 1024, false, out);
        sinter__instances_visit(d.s, see_scanned, &found);
        assert_int_equal(found.near, all[i].expected.near);
        assert_int_equal(found.past, all[i].expected.past);
        test_close(&d);
    }
}

/* Rows that begin on a line and rows that do not, vectors that are whole and those that are not. */
static void the_bits_are_those_of_the_host(void **state)
{
    (void)state;
    static const char *const texts[] = {BOTH, NORM, TURNED " + 1", SOFTMAX, TWO_WAIT, DOWN, ALONG};
    static const int64_t shapes[][2] = {{3, 7},    {17, 33},  {32, 64}, {64, 48},
                                        {40, 200}, {8, 1024}, {7, 1030}};
    test_device host = open_on("host", SINTER_STYLE_CPU, 0, 0, 0);
    test_device d = open_on(NULL, SINTER_STYLE_CPU, 1, 1, 1);
    d.ctx->devices[0].limits.register_lanes = 16;
    d.ctx->devices[0].limits.tuning.row_beside = 512; /* 64 columns fill what waits, twice */
    for (size_t k = 0; k < SINTER__COUNT(texts); k++) {
        for (size_t i = 0; i < SINTER__COUNT(shapes); i++)
            test_same_filled(&d, &host, texts[k], shapes[i][0], shapes[i][1]);
    }
    test_close(&d);
    test_close(&host);
}

/* What a device is given, in each width. */
static void kernels_have_such_stores(void **state)
{
    (void)state;
    static const uint32_t lanes[] = {16, 4};
    static const char *const texts[] = {MAP, WIDE, TURNED, SOFTMAX, COLUMNS};
    static uint8_t out[TEST_FILLED * 8];
    for (size_t i = 0; i < SINTER__COUNT(lanes) * SINTER__COUNT(texts); i++) {
        size_t k = i / SINTER__COUNT(lanes);
        test_device d = open_on(NULL, SINTER_STYLE_CPU, 64, 64, 64);
        sinter__limits *limits = &d.ctx->devices[0].limits;
        limits->tuning.map_lanes = limits->tuning.chunk_lanes = lanes[i % SINTER__COUNT(lanes)];
        bool runs = k != 1 || limits->has_f64;
        if (runs && d.ctx->devices[0].backend->program_build != NULL) {
            test_report_begin(&d);
            (void)test_run_filled(&d, texts[k], 32, 64, false, out);
            bool whole = k != 2 || i % SINTER__COUNT(lanes) == 0; /* lines of a block */
            assert_int_equal(test_kernels_have(&d, " sn_stream_") > 0, k < 4 && whole);
            /* and ask once whether they are aligned, ahead of a short loop */
            assert_int_equal(test_kernels_have(&d, ", whole"), 0);
            assert_int_equal(test_kernels_have(&d, "if (RARELY(!(whole") > 0, k < 4 && whole);
        }
        test_close(&d);
    }
}

/* A loop that is too long to be there twice asks with each vector; a row that is scanned where it
 * lies is written out. */
static void only_short_loops_are_printed_twice(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t rows, columns;
        size_t scans;
    } all[] = {{"a = x" EIGHT_MORE EIGHT_MORE, 32, 64, 0}, {ALONG, 8, 1024, 2}};
    static uint8_t out[TEST_FILLED * 8];
    for (size_t i = 0; i < SINTER__COUNT(all); i++) {
        test_device d = open_on(NULL, SINTER_STYLE_CPU, 64, 64, 0);
        d.ctx->devices[0].limits.register_lanes = 16;
        if (d.ctx->devices[0].backend->program_build != NULL) {
            test_report_begin(&d);
            (void)test_run_filled(&d, all[i].text, all[i].rows, all[i].columns, false, out);
            assert_int_equal(test_kernels_have(&d, " = sn_scan_turned_"), all[i].scans);
            assert_int_equal(test_kernels_have(&d, ", whole") > 0, all[i].scans == 0);
            assert_int_equal(test_kernels_have(&d, "if (RARELY(!(whole") > 0, all[i].scans > 0);
        }
        test_close(&d);
    }
}

/* What computes little has one vector in its loop, what computes more two side by side. */
static void what_only_moves_does_so_by_turns(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t stores;
    } all[] = {{MAP, 1}, {"a = maximum(minimum(x * 2, w), x) * w + x - w * x", 2}, {BOTH, 2}};
    static uint8_t out[TEST_FILLED * 8];
    for (size_t i = 0; i < SINTER__COUNT(all); i++) {
        test_device d = open_on(NULL, SINTER_STYLE_CPU, 64, 64, 0);
        if (d.ctx->devices[0].backend->program_build != NULL) {
            test_report_begin(&d);
            (void)test_run_filled(&d, all[i].text, 32, 64, false, out);
            assert_int_equal(test_kernels_have(&d, ", 17);"), all[i].stores);
        }
        test_close(&d);
    }
}

/* Whether what takes it apart has it so, or has never heard of it. */
static test_device open_in_parts(const char *device, sinter_style style, uint32_t from)
{
    test_device d = open_on(device, style, 16384, 0, 0);
    sinter__limits *limits = &d.ctx->devices[0].limits;
    limits->tuning.parts_from = from;
    limits->splits_vectors |= d.ctx->devices[0].backend->program_build == NULL;
    return d;
}

/* Rows that a loop of their own stores, behind those that reduce them, in whole lines that lie in
 * memory as in registers, and where nothing waits. */
static void rows_are_stored_in_parts_from_a_limit_on(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        sinter_style style;
        uint32_t from;
        unsigned count;
    } all[] = {
        {NORM, SINTER_STYLE_CPU, 8320, 1},    {NORM, SINTER_STYLE_CPU, 8321, 0},
        {NORM, SINTER_STYLE_CPU, 0, 0},       {NORM, SINTER_STYLE_GPU, 64, 0},
        {CENTRED, SINTER_STYLE_CPU, 64, 1},   {LOG_SOFTMAX, SINTER_STYLE_CPU, 64, 1},
        {SOFTMAX, SINTER_STYLE_CPU, 64, 0},   {MAP, SINTER_STYLE_CPU, 64, 0},
        {SUMMED, SINTER_STYLE_CPU, 64, 0},    {SUMMED_NORM, SINTER_STYLE_CPU, 64, 1},
        {HALF_NORM, SINTER_STYLE_CPU, 64, 0}, {COLUMNS, SINTER_STYLE_CPU, 64, 0},
        {ALONG, SINTER_STYLE_CPU, 64, 0},
    };
    static uint8_t out[TEST_FILLED * 8];
    for (size_t i = 0; i < SINTER__COUNT(all); i++) {
        stored count = {0, 0};
        test_device d = open_in_parts("host", all[i].style, all[i].from);
        (void)test_run_filled(&d, all[i].text, 32, 64, false, out);
        sinter__instances_visit(d.s, count_stored, &count);
        if (count.parts != all[i].count)
            fail_msg("%s from %u bytes: %u results in parts, not %u", all[i].text, all[i].from,
                     count.parts, all[i].count);
        test_close(&d);
    }
}

/* Rows of full vectors and others. */
static void parts_have_the_same_bits(void **state)
{
    (void)state;
    static const char *const texts[] = {NORM, CENTRED, LOG_SOFTMAX};
    static const int64_t columns[] = {1, 33, 64, 100};
    test_device host = open_on("host", SINTER_STYLE_CPU, 0, 0, 0);
    test_device d = open_in_parts(NULL, SINTER_STYLE_CPU, 1);
    test_report_begin(&d);
    for (size_t k = 0; k < SINTER__COUNT(texts); k++) {
        for (size_t i = 0; i < SINTER__COUNT(columns); i++)
            test_same_filled(&d, &host, texts[k], 32, columns[i]);
    }
    bool has_parts = test_kernels_have(&d, "sn_store_parts_f32x16(v") > 0;
    assert_int_equal(has_parts, d.ctx->devices[0].limits.splits_vectors);
    test_close(&d);
    test_close(&host);
}

/* Until doctor has measured: half of the cache that such a launch would fill, within reason. For launches that only move
 * or turn, 16 MiB of it count for each unit. */
static void the_default_is_half_of_the_cache(void **state)
{
    (void)state;
    static const struct {
        sinter_device_kind kind;
        uint32_t units;
        uint64_t last_cache_bytes;
        uint32_t of_share, of_cache;
    } rows[] = {{SINTER_DEVICE_CPU, 2, 0, 16 * MI, 16 * MI},
                {SINTER_DEVICE_CPU, 2, 8 * MI, 4 * MI, 4 * MI},
                {SINTER_DEVICE_CPU, 2, 32 * MI, 16 * MI, 16 * MI},
                {SINTER_DEVICE_CPU, 2, MI, MI, MI},
                {SINTER_DEVICE_CPU, 0, 512 * MI, 8 * MI, 64 * MI},
                {SINTER_DEVICE_CPU, 1, 32 * MI, 8 * MI, 16 * MI},
                {SINTER_DEVICE_CPU, 2, 512 * MI, 16 * MI, 64 * MI},
                {SINTER_DEVICE_CPU, 60, 260 * MI, 64 * MI, 64 * MI},
                {SINTER_DEVICE_GPU, 2, 8 * MI, 16 * MI, 16 * MI}};
    for (size_t i = 0; i < SINTER__COUNT(rows); i++) {
        sinter__tuning t;
        sinter__device d = {.info = SINTER_DEVICE_INFO_INIT};
        d.info.kind = rows[i].kind;
        d.info.compute_units = rows[i].units;
        d.info.last_cache_bytes = rows[i].last_cache_bytes;
        sinter__device_tuning(&d, SINTER_STYLE_CPU, 0, &t);
        assert_int_equal(t.stream_from, rows[i].of_share);
        assert_int_equal(t.heavy_stream_from, rows[i].of_cache);
        assert_int_equal(t.column_stream_from, 16 * MI); /* whatever the cache */
        assert_int_equal(t.write_stream_from, rows[i].of_cache);
        assert_int_equal(t.turn_stream_from, rows[i].of_share);
        assert_int_equal(t.scan_near_to, rows[i].of_cache);
        sinter__device_tuning(&d, SINTER_STYLE_GPU, 0, &t);
        assert_int_equal(t.stream_from, 0);
        assert_int_equal(t.turn_stream_from, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_have_such_stores),
        cmocka_unit_test(only_short_loops_are_printed_twice),
        cmocka_unit_test(what_only_moves_does_so_by_turns),
        cmocka_unit_test(rows_are_stored_in_parts_from_a_limit_on),
        cmocka_unit_test(parts_have_the_same_bits),
        cmocka_unit_test(the_default_is_half_of_the_cache),
        cmocka_unit_test(large_results_go_past_the_caches),
        cmocka_unit_test(kinds_of_launches_have_their_own_limits),
        cmocka_unit_test(what_waits_does_so_beside_a_result_that_goes_past),
        cmocka_unit_test(rows_that_are_turned_go_by_where_they_lie),
        cmocka_unit_test(rows_are_scanned_where_they_lie_in_caches),
        cmocka_unit_test(the_bits_are_those_of_the_host),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
