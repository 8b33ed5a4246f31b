/* A program over several streams of one or more devices (SINTER_DEVICE may be a list): the same bits as on one
 * stream, however it is split; nothing is built anew for another split; errors leave nothing behind. */
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STREAMS 4
#define MOST 3 /* inputs, outputs */

/* A stream on each of the context's devices in turn. */
typedef struct set {
    test_device d; /* the first stream is d.s */
    sinter_stream *streams[STREAMS];
} set;

static set open_set(const sinter_context_options *options)
{
    set s = {.d = test_open(options)};
    uint32_t devices = sinter_context_device_count(s.d.ctx);
    s.streams[0] = s.d.s;
    for (uint32_t k = 1; k < STREAMS; k++) {
        sinter_stream_options o = SINTER_STREAM_OPTIONS_INIT;
        o.device = k % devices;
        OK(sinter_stream_create(s.d.ctx, &o, &s.streams[k]));
    }
    return s;
}

static void close_set(set *s)
{
    for (int k = 1; k < STREAMS; k++)
        OK(sinter_stream_destroy(s->streams[k]));
    test_close(&s->d);
}

static sinter_shard *make_shard(const set *s, const double *shares, int64_t granule, uint32_t root)
{
    sinter_shard_options o = SINTER_SHARD_OPTIONS_INIT;
    sinter_shard *shard;
    o.shares = shares;
    o.granule_rows = granule;
    o.root = root;
    OK(sinter_shard_create(STREAMS, s->streams, &o, &shard));
    return shard;
}

/* A program of the language and how it is split. */
typedef struct job {
    const char *text;
    size_t input_count, output_count;
    struct {
        int32_t axis;
        sinter_dtype dtype;
        int rank;
        int64_t shape[3];
    } inputs[MOST];
    sinter_shard_output outputs[MOST];
} job;

static sinter_status run_text(void *user, sinter_stream *stream, const sinter_shard_part *part,
                              const sinter_tensor *inputs, sinter_tensor *outputs)
{
    assert_true(part->size == sizeof *part && part->first + part->rows <= part->total_rows);
    return sinter_program_run(user, stream, inputs, outputs, NULL);
}

static sinter_tensor make_input(const test_device *d, const job *j, size_t i)
{
    test_random r = {.state = 11 + i};
    int64_t count = 1;
    sinter_tensor x;
    sinter_tensor y;
    for (int k = 0; k < j->inputs[i].rank; k++)
        count *= j->inputs[i].shape[k];
    float *data = malloc((size_t)(count + 1) * sizeof *data);
    assert_non_null(data);
    for (int64_t k = 0; k < count; k++) /* of many sizes, so that a sum depends on its order */
        data[k] = ldexpf((float)test_below(&r, 4096) - 2048, (int)test_below(&r, 12) - 14);
    x = test_floats(d, j->inputs[i].rank, j->inputs[i].shape, data);
    free(data);
    if (j->inputs[i].dtype == SINTER_F32)
        return x;
    OK(sinter_cast(d->s, x, j->inputs[i].dtype, &y));
    test_release(d, x);
    return y;
}

/* The elements of a tensor, and what it is. */
typedef struct value {
    sinter_tensor_desc desc;
    size_t bytes;
    unsigned char *data;
} value;

static value take_value(const test_device *d, sinter_tensor t)
{
    value v;
    OK(sinter_tensor_describe(d->ctx, t, &v.desc));
    v.bytes = test_bytes(d, t);
    v.data = malloc(v.bytes + 1);
    assert_non_null(v.data);
    OK(sinter_tensor_read(d->s, t, v.data, v.bytes));
    test_release(d, t);
    return v;
}

static void assert_same(const value *a, const value *b)
{
    assert_int_equal(a->desc.dtype, b->desc.dtype);
    assert_int_equal(a->desc.rank, b->desc.rank);
    for (int i = 0; i < a->desc.rank; i++)
        assert_int_equal(a->desc.shape[i], b->desc.shape[i]);
    assert_memory_equal(a->data, b->data, a->bytes);
}

/* The inputs of a job with its results on one stream. */
typedef struct whole {
    sinter_program *program;
    sinter_tensor inputs[MOST];
    sinter_shard_input split[MOST];
    value values[MOST];
} whole;

static sinter_tensor reduced(const test_device *d, const sinter_shard_output *o, sinter_tensor t)
{
    sinter_tensor out = {0};
    int axis = o->axis;
    switch (o->join) {
    case SINTER_SHARD_SUM:
        OK(sinter_sum(d->s, t, 1, &axis, false, &out));
        break;
    case SINTER_SHARD_PROD:
        OK(sinter_prod(d->s, t, 1, &axis, false, &out));
        break;
    case SINTER_SHARD_MAX:
        OK(sinter_max(d->s, t, 1, &axis, false, &out));
        break;
    case SINTER_SHARD_MIN:
        OK(sinter_min(d->s, t, 1, &axis, false, &out));
        break;
    default:
        return t;
    }
    test_release(d, t);
    return out;
}

static whole run_whole(const test_device *d, const job *j)
{
    whole w = {.program = NULL};
    sinter_tensor results[MOST];
    OK(sinter_program_parse(j->text, strlen(j->text), &w.program, NULL));
    assert_int_equal(sinter_program_input_count(w.program), j->input_count);
    assert_int_equal(sinter_program_result_count(w.program), j->output_count);
    for (size_t i = 0; i < j->input_count; i++) {
        w.inputs[i] = make_input(d, j, i);
        w.split[i] = (sinter_shard_input){.tensor = w.inputs[i], .axis = j->inputs[i].axis};
    }
    OK(sinter_program_run(w.program, d->s, w.inputs, results, NULL));
    for (size_t o = 0; o < j->output_count; o++)
        w.values[o] = take_value(d, reduced(d, &j->outputs[o], results[o]));
    return w;
}

static void end_whole(const test_device *d, const job *j, whole *w)
{
    for (size_t i = 0; i < j->input_count; i++)
        test_release(d, w->inputs[i]);
    for (size_t o = 0; o < j->output_count; o++)
        free(w->values[o].data);
    sinter_program_destroy(w->program);
}

/* Runs it in parts, and compares with what one stream gave. */
static void compare(const set *s, sinter_shard *shard, const job *j, whole *w, uint32_t root)
{
    test_device d = {.ctx = s->d.ctx, .s = s->streams[root]};
    sinter_tensor results[MOST];
    OK(sinter_shard_run(shard, run_text, w->program, j->input_count, w->split, j->output_count,
                        j->outputs, results));
    for (size_t o = 0; o < j->output_count; o++) {
        value v = take_value(&d, results[o]);
        assert_same(&v, &w->values[o]);
        free(v.data);
    }
}

#define WHOLE SINTER_SHARD_WHOLE

static const job jobs[] = {
    {"y = gelu(x * w + b)",
     3,
     1,
     {{0, SINTER_F32, 2, {37, 5}}, {WHOLE, SINTER_F32, 1, {5}}, {WHOLE, SINTER_F32, 1, {5}}},
     {{SINTER_SHARD_CONCAT, 0}}},
    {"e = exp(x - max(x, axis=1, keepdims=True)); y = e / sum(e, axis=1, keepdims=True); release e",
     1,
     1,
     {{0, SINTER_F32, 2, {41, 70}}},
     {{SINTER_SHARD_CONCAT, -2}}},
    {"y = x @ m; z = max(x, axis=1)",
     2,
     2,
     {{0, SINTER_F32, 2, {33, 19}}, {WHOLE, SINTER_F32, 2, {19, 6}}},
     {{SINTER_SHARD_CONCAT, 0}, {SINTER_SHARD_CONCAT, 0}}},
    {"y = a * b; z = a - b",
     2,
     2,
     {{1, SINTER_F32, 3, {2, 45, 3}}, {-2, SINTER_F32, 3, {2, 45, 3}}},
     {{SINTER_SHARD_CONCAT, 1}, {SINTER_SHARD_MAX, 1}}},
    {"y = x * w; z = x + w; r = min(x, axis=1)",
     2,
     3,
     {{0, SINTER_F32, 2, {1500, 3}}, {WHOLE, SINTER_F32, 1, {3}}},
     {{SINTER_SHARD_SUM, 0}, {SINTER_SHARD_MIN, 0}, {SINTER_SHARD_SUM, 0}}},
    {"y = tanh(x) * 0.001 + 1; z = y * x", /* 79 runs, more than one row of the tree has */
     1,
     2,
     {{0, SINTER_F32, 2, {20001, 2}}},
     {{SINTER_SHARD_PROD, 0}, {SINTER_SHARD_SUM, 0}}},
    {"y = x * 1.5", 1, 1, {{0, SINTER_F32, 1, {70000}}}, {{SINTER_SHARD_SUM, -1}}},
    {"y = x + x; z = cast(x, 'i32')",
     1,
     2,
     {{0, SINTER_F16, 2, {2100, 2}}},
     {{SINTER_SHARD_SUM, 0}, {SINTER_SHARD_SUM, 0}}},
    {"y = x * 2; z = sum(x, axis=1)",
     1,
     2,
     {{0, SINTER_F32, 2, {0, 3}}},
     {{SINTER_SHARD_CONCAT, 0}, {SINTER_SHARD_SUM, 0}}},
    {"y = -x", 1, 1, {{0, SINTER_F32, 2, {2, 3}}}, {{SINTER_SHARD_CONCAT, 0}}},
};

static const struct {
    double shares[STREAMS];
    int64_t granule;
    uint32_t root;
} splits[] = {{{1, 0, 0, 0}, 0, 0},     {{0, 0, 0, 1}, 0, 0},  {{1, 1, 1, 1}, 0, 0},
              {{3, 0, 5, 1}, 1, 1},     {{0, 7, 1, 9}, 1, 2},  {{1, 1, 1, 1}, 256, 3},
              {{1, 2, 0, 1}, 16384, 0}, {{0, 1, 3, 0}, 16, 0}, {{0.1, 1e6, 1, 7}, 1, 0}};

/* However the rows are split. Of the jobs each SINTER_TEST_STEP-th, where drivers compile for long. */
static void the_bits_are_those_of_one_stream(void **state)
{
    (void)state;
    const char *text = getenv("SINTER_TEST_STEP");
    size_t step = text != NULL ? strtoull(text, NULL, 10) : 1;
    set s = open_set(NULL);
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i += step) {
        whole w = run_whole(&s.d, &jobs[i]);
        for (size_t k = 0; k < sizeof splits / sizeof *splits; k++) {
            sinter_shard *shard =
                make_shard(&s, splits[k].shares, splits[k].granule, splits[k].root);
            for (int again = 0; again < 2; again++)
                compare(&s, shard, &jobs[i], &w, splits[k].root);
            sinter_shard_destroy(shard);
        }
        sinter_shard *shard = make_shard(&s, NULL, 0, 0);
        for (int again = 0; again < 4; again++)
            compare(&s, shard, &jobs[i], &w, 0);
        sinter_shard_destroy(shard);
        end_whole(&s.d, &jobs[i], &w);
    }
    close_set(&s);
}

/* What a run of the first job does beyond another one with the same split: `shares` again or others. */
static sinter_stats run_again(const set *s, const job *j, whole *w, const double *shares)
{
    sinter_shard *shard = make_shard(s, shares, 0, 0);
    compare(s, shard, j, w, 0);
    sinter_stats before = test_stats(&s->d);
    compare(s, shard, j, w, 0);
    sinter_stats after = test_stats(&s->d);
    sinter_shard_destroy(shard);
    after.launches -= before.launches;
    after.plan_misses -= before.plan_misses;
    after.compiles -= before.compiles;
    after.device_copies -= before.device_copies;
    after.host_waits -= before.host_waits;
    return after;
}

/* Each part is one launch, and so is putting it into the result. Another split plans and builds nothing. */
static void another_split_is_other_numbers(void **state)
{
    (void)state;
    static const double splits_of_4[][STREAMS] = {{1, 1, 1, 1}, {1, 5, 2, 3}, {9, 1, 3, 4}};
    const double two[] = {0, 2, 0, 5};
    set s = open_set(NULL);
    whole w = run_whole(&s.d, &jobs[0]);
    sinter_stats stats = run_again(&s, &jobs[0], &w, splits_of_4[0]);
    sinter_stats of_two = run_again(&s, &jobs[0], &w, two);
    if (test_reuses()) { /* else what is put together is copied at each step */
        DECIDES(stats.launches, 8);
        DECIDES(of_two.launches, 4);
    }
    sinter_stats before = test_stats(&s.d);
    for (int i = 0; i < 3; i++) {
        sinter_stats again = run_again(&s, &jobs[0], &w, splits_of_4[i]);
        assert_int_equal(again.launches, stats.launches);
        assert_int_equal(again.device_copies, stats.device_copies);
    }
    sinter_stats after = test_stats(&s.d);
    assert_int_equal(after.compiles, before.compiles);
    DECIDES(after.plan_misses, before.plan_misses);
    end_whole(&s.d, &jobs[0], &w);
    close_set(&s);
}

/* Sums move a row for each run: the root gets those and not the rows. */
static void sums_move_a_row_for_each_run(void **state)
{
    (void)state;
    static const double even[STREAMS] = {1, 1, 1, 1};
    set s = open_set(NULL);
    uint32_t devices = sinter_context_device_count(s.d.ctx);
    const job j = {"y = x * 2", 1, 1, {{0, SINTER_F32, 2, {4096, 3}}}, {{SINTER_SHARD_SUM, 0}}};
    whole w = run_whole(&s.d, &j);
    w.split[0].flags = SINTER_SHARD_KEEP;
    for (int64_t granule = 0; granule <= 1000; granule += 1000) { /* 1000 is no multiple of a run */
        sinter_shard *shard = make_shard(&s, even, granule, 0);
        compare(&s, shard, &j, &w, 0);
        sinter_stats before = test_stats(&s.d);
        compare(&s, shard, &j, &w, 0);
        sinter_stats after = test_stats(&s.d);
        uint64_t rows = granule == 0 ? 4 : 1024; /* of a part */
        if (granule == 0 && devices == 2) {
            assert_int_equal(after.device_copies - before.device_copies, 2);
            assert_int_equal(after.device_copied_bytes - before.device_copied_bytes,
                             2 * rows * 3 * sizeof(float));
        } else if (devices == 2) {
            assert_true(after.device_copied_bytes - before.device_copied_bytes >=
                        1000 * 3 * sizeof(float));
        }
        sinter_shard_destroy(shard);
    }
    end_whole(&s.d, &j, &w);
    close_set(&s);
}

/* The same input again is not copied again; another one is, and so is one that is not to be kept. */
static void inputs_are_kept(void **state)
{
    (void)state;
    static const double even[STREAMS] = {1, 1, 1, 1};
    set s = open_set(NULL);
    uint32_t devices = sinter_context_device_count(s.d.ctx);
    const job *j = &jobs[0];
    whole w = run_whole(&s.d, j);
    for (int round = 0; round < 3; round++) {
        sinter_shard *shard = make_shard(&s, even, 0, 0);
        uint32_t flags = round > 0 ? SINTER_SHARD_KEEP : 0;
        for (size_t i = 0; i < j->input_count; i++)
            w.split[i].flags = flags;
        OK(sinter_scope_open(s.d.s)); /* what is kept is in no scope */
        compare(&s, shard, j, &w, 0);
        OK(sinter_scope_close(s.d.s, 0, NULL));
        if (round == 2) /* another handle of the same elements */
            OK(sinter_tensor_to(s.d.s, w.inputs[0], &w.split[0].tensor));
        sinter_stats before = test_stats(&s.d);
        compare(&s, shard, j, &w, 0);
        sinter_stats after = test_stats(&s.d);
        /* results: 2 parts of another device; inputs: 2 of the split one, each whole one once */
        uint64_t wanted = round == 0 ? 2 + 2 + 2 : round == 1 ? 2 : 2 + 2;
        assert_int_equal(after.device_copies - before.device_copies, devices == 2 ? wanted : 0);
        if (round == 2)
            test_release(&s.d, w.split[0].tensor);
        sinter_shard_destroy(shard);
    }
    end_whole(&s.d, j, &w);
    close_set(&s);
}

/* The rows of one axis are not those of another, whose numbers may be the same; from the end it is the same axis. */
static void what_is_kept_has_an_axis(void **state)
{
    (void)state;
    static const double even[STREAMS] = {1, 1, 1, 1};
    static const int32_t axes[] = {0, 1, -1, -2, 0};
    set s = open_set(NULL);
    uint32_t devices = sinter_context_device_count(s.d.ctx);
    job j = {"y = x * 2", 1, 1, {{0, SINTER_F32, 2, {8, 8}}}, {{SINTER_SHARD_CONCAT, 0}}};
    whole w = run_whole(&s.d, &j);
    sinter_shard *shard = make_shard(&s, even, 0, 0);
    w.split[0].flags = SINTER_SHARD_KEEP;
    for (size_t i = 0; i < sizeof axes / sizeof *axes; i++) {
        bool is_same = i == 2 || i == 4;
        w.split[0].axis = j.outputs[0].axis = axes[i];
        sinter_stats before = test_stats(&s.d);
        compare(&s, shard, &j, &w, 0);
        sinter_stats after = test_stats(&s.d);
        /* the results of 2 parts of another device, and their inputs */
        uint64_t wanted = is_same ? 2 : 4;
        assert_int_equal(after.device_copies - before.device_copies, devices == 2 ? wanted : 0);
    }
    sinter_shard_destroy(shard);
    end_whole(&s.d, &j, &w);
    close_set(&s);
}

/* Inputs of any stream, and pending. */
static void inputs_come_from_anywhere(void **state)
{
    (void)state;
    static const double shares[STREAMS] = {1, 2, 3, 4};
    set s = open_set(NULL);
    sinter_stream *other;
    OK(sinter_stream_create(s.d.ctx, NULL, &other));
    whole w = run_whole(&s.d, &jobs[0]);
    for (size_t i = 0; i < 3; i++) {
        sinter_stream *at = i == 0 ? other : s.streams[i];
        sinter_tensor moved;
        OK(sinter_tensor_to(at, w.inputs[i], &w.split[i].tensor));
        OK(sinter_add_scalar(at, w.split[i].tensor, 0, &moved)); /* no -0 among them */
        OK(sinter_tensor_release(at, w.split[i].tensor));
        w.split[i].tensor = moved;
    }
    sinter_shard *shard = make_shard(&s, shares, 0, 3);
    compare(&s, shard, &jobs[0], &w, 3);
    sinter_shard_destroy(shard);
    for (size_t i = 0; i < 3; i++)
        OK(sinter_tensor_release(NULL, w.split[i].tensor));
    OK(sinter_stream_destroy(other));
    end_whole(&s.d, &jobs[0], &w);
    close_set(&s);
}

/* What is measured, and told. Where the driver has no times nothing is. */
static void the_report_has_what_was_measured(void **state)
{
    (void)state;
    set s = open_set(NULL);
    whole w = run_whole(&s.d, &jobs[0]);
    sinter_shard *shard = make_shard(&s, NULL, 0, 0);
    sinter_shard_state first = SINTER_SHARD_STATE_INIT;
    OK(sinter_shard_report(shard, 0, &first));
    assert_true(first.rows == 0 && first.timed_runs == 0 && first.time_ns == 0);
    double shares = 0;
    int64_t rows = 0;
    for (int run = 0; run < 3; run++)
        compare(&s, shard, &jobs[0], &w, 0);
    for (size_t k = 0; k < STREAMS; k++) {
        sinter_shard_state told = SINTER_SHARD_STATE_INIT;
        OK(sinter_stream_sync(s.streams[k]));
        OK(sinter_shard_report(shard, k, &told));
        assert_int_equal(told.size, sizeof told);
        assert_int_equal(told.device, k % sinter_context_device_count(s.d.ctx));
        assert_true(told.why[0] != '\0');
        assert_true((told.timed_runs > 0) == (told.time_ns > 0));
        assert_true((told.timed_runs > 1) == (told.rows_per_second > 0));
        if (sinter_context_device_count(s.d.ctx) == 1 && told.rows > 0)
            assert_int_equal(told.timed_runs, 3);
        shares += told.share;
        rows += told.rows;
    }
    assert_true(shares > 0.999 && shares < 1.001);
    assert_int_equal(rows, jobs[0].inputs[0].shape[0]);
    sinter_shard_destroy(shard);
    end_whole(&s.d, &jobs[0], &w);
    close_set(&s);
}

/* Every so often all rows go to the root, to see whether splitting them pays: by the count of the runs that could be
 * split, and with the same bits. */
static void one_stream_is_tried_at_times(void **state)
{
    (void)state;
    set s = open_set(NULL);
    whole w = run_whole(&s.d, &jobs[0]);
    sinter_shard *shard = make_shard(&s, NULL, 0, 0);
    int64_t total = jobs[0].inputs[0].shape[0];
    int choices = 0;
    int tried = 0;
    for (int run = 0; run < 22;
         run++) { /* 16 and 6 (executor/shard/worth.h), if all had a choice */
        sinter_shard_state told = SINTER_SHARD_STATE_INIT;
        compare(&s, shard, &jobs[0], &w, 0);
        OK(sinter_shard_report(shard, 0, &told));
        bool is_tried = strstr(told.why, "whether splitting them pays") != NULL;
        choices += is_tried || (told.rows > 0 && told.rows < total);
        tried += is_tried;
        assert_true(!is_tried || (told.rows == total && told.share == 1));
        assert_int_equal(tried, choices > 16 ? choices - 16 : 0);
    }
    sinter_shard_destroy(shard);
    end_whole(&s.d, &jobs[0], &w);
    close_set(&s);
}

/* Errors */

static void shards_are_checked(void **state)
{
    (void)state;
    set s = open_set(NULL);
    set other = open_set(NULL);
    sinter_shard *shard = NULL;
    sinter_shard_state told = SINTER_SHARD_STATE_INIT;
    sinter_stream *wrong[] = {s.streams[0], s.streams[1], s.streams[0]};
    sinter_stream *foreign[] = {s.streams[0], other.streams[1]};
    sinter_stream *many[SINTER_MAX_SHARDS + 1] = {s.d.s};
    static const double bad[][STREAMS] = {
        {0, 0, 0, 0}, {1, -1, 1, 1}, {1, 1, NAN, 1}, {1, INFINITY, 1, 1}};
    FAILS(SINTER_EINVAL, sinter_shard_create(2, NULL, NULL, &shard));
    FAILS(SINTER_EINVAL, sinter_shard_create(2, s.streams, NULL, NULL));
    FAILS(SINTER_EINVAL, sinter_shard_create(0, s.streams, NULL, &shard));
    FAILS(SINTER_EINVAL, sinter_shard_create(SINTER_MAX_SHARDS + 1, many, NULL, &shard));
    FAILS(SINTER_EINVAL, sinter_shard_create(2, many, NULL, &shard)); /* the second is NULL */
    FAILS(SINTER_EINVAL, sinter_shard_create(3, wrong, NULL, &shard));
    FAILS(SINTER_EINVAL, sinter_shard_create(2, foreign, NULL, &shard));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        sinter_shard_options o = SINTER_SHARD_OPTIONS_INIT;
        o.shares = bad[i];
        FAILS(SINTER_EINVAL, sinter_shard_create(STREAMS, s.streams, &o, &shard));
        o.shares = NULL;
        o.granule_rows = i == 0 ? -1 : 0;
        o.root = i == 1 ? STREAMS : 0;
        o.size = i == 2 ? 3 : i == 3 ? 4096 : o.size;
        FAILS(SINTER_EINVAL, sinter_shard_create(STREAMS, s.streams, &o, &shard));
        assert_null(shard);
    }
    OK(sinter_shard_create(STREAMS, s.streams, NULL, &shard));
    FAILS(SINTER_EBUSY, sinter_stream_destroy(s.streams[1]));
    FAILS(SINTER_EINVAL, sinter_shard_report(shard, STREAMS, &told));
    FAILS(SINTER_EINVAL, sinter_shard_report(shard, 0, NULL));
    FAILS(SINTER_EINVAL, sinter_shard_report(NULL, 0, &told));
    told.size = 0;
    FAILS(SINTER_EINVAL, sinter_shard_report(shard, 0, &told));
    sinter_shard_destroy(shard);
    sinter_shard_destroy(NULL);
    close_set(&other);
    close_set(&s);
}

/* How the program below misbehaves, and in which part. */
typedef enum fault {
    FAILS_ITSELF,
    MAKES_NOTHING,
    GIVES_AN_INPUT,
    GIVES_ONE_TWICE,
    HAS_OTHER_ROWS,
    HAS_ANOTHER_EXTENT,
    HAS_ANOTHER_DTYPE,
    LEAVES_A_MAPPING,
    LEAVES_A_SCOPE,
    CLOSES_A_SCOPE,
    FAULTS
} fault;

typedef struct misbehaviour {
    fault fault;
    uint32_t part;
    int calls;
} misbehaviour;

static sinter_status misbehave(void *user, sinter_stream *s, const sinter_shard_part *part,
                               const sinter_tensor *in, sinter_tensor *out)
{
    misbehaviour *m = user;
    sinter_tensor more;
    void *there;
    size_t bytes;
    m->calls++;
    OK(sinter_neg(s, in[0], &more)); /* released for it */
    OK(sinter_neg(s, in[0], &out[0]));
    OK(sinter_abs(s, in[0], &out[1]));
    if (part->index != m->part)
        return SINTER_OK;
    switch (m->fault) {
    case FAILS_ITSELF:
        return sinter_matmul(s, in[0], in[0], &out[1]);
    case MAKES_NOTHING:
        out[1] = (sinter_tensor){0};
        break;
    case GIVES_AN_INPUT:
        out[0] = in[0];
        break;
    case GIVES_ONE_TWICE:
        out[1] = out[0];
        break;
    case HAS_OTHER_ROWS:
        OK(sinter_slice(s, more, 0, 1, SINTER_OPEN, 1, &out[1]));
        break;
    case HAS_ANOTHER_EXTENT:
        OK(sinter_slice(s, more, 1, 1, SINTER_OPEN, 1, &out[1]));
        break;
    case HAS_ANOTHER_DTYPE:
        OK(sinter_cast(s, more, SINTER_I32, &out[1]));
        break;
    case LEAVES_A_MAPPING:
        OK(sinter_tensor_map(s, out[1], SINTER_MAP_READ, &there, &bytes));
        break;
    case LEAVES_A_SCOPE:
        OK(sinter_scope_open(s));
        break;
    default:
        OK(sinter_scope_close(s, 0, NULL));
        break;
    }
    return SINTER_OK;
}

/* The k-th part fails: the ones before it have run, those behind it have not, nothing is left, and the shard goes
 * on. */
static void a_part_fails(void **state)
{
    (void)state;
    static const sinter_status statuses[FAULTS] = {
        [FAILS_ITSELF] = SINTER_ESHAPE,      [MAKES_NOTHING] = SINTER_EINVAL,
        [GIVES_AN_INPUT] = SINTER_EHANDLE,   [GIVES_ONE_TWICE] = SINTER_EINVAL,
        [HAS_OTHER_ROWS] = SINTER_ESHAPE,    [HAS_ANOTHER_EXTENT] = SINTER_ESHAPE,
        [HAS_ANOTHER_DTYPE] = SINTER_EDTYPE, [LEAVES_A_MAPPING] = SINTER_EINVAL,
        [LEAVES_A_SCOPE] = SINTER_EINVAL,    [CLOSES_A_SCOPE] = SINTER_EHANDLE};
    static const double even[STREAMS] = {1, 1, 1, 1};
    const sinter_shard_output outputs[] = {{SINTER_SHARD_CONCAT, 0}, {SINTER_SHARD_MAX, 0}};
    set s = open_set(NULL);
    sinter_shard *shard = make_shard(&s, even, 0, 0);
    whole w = run_whole(&s.d, &jobs[0]);
    const sinter_shard_input input = w.split[0];
    for (misbehaviour m = {.fault = FAILS_ITSELF}; m.fault < FAULTS; m.fault++) {
        for (m.part = 0; m.part < STREAMS; m.part++) {
            sinter_tensor results[2] = {{1}, {1}};
            char where[32];
            bool by_the_first = m.fault == HAS_ANOTHER_EXTENT || m.fault == HAS_ANOTHER_DTYPE;
            uint32_t part =
                by_the_first && m.part == 0 ? 1 : m.part; /* the others differ from it */
            (void)snprintf(where, sizeof where, "part %u of %d", part, STREAMS);
            m.calls = 0;
            FAILS(statuses[m.fault],
                  sinter_shard_run(shard, misbehave, &m, 1, &input, 2, outputs, results));
            assert_true(strstr(sinter_last_error(), where) != NULL);
            assert_int_equal(m.calls, (int)part + 1);
            assert_true(results[0].id == 0 && results[1].id == 0);
            assert_int_equal(test_stats(&s.d).live_tensors, 3); /* the inputs */
        }
    }
    compare(&s, shard, &jobs[0], &w, 0);
    sinter_shard_destroy(shard);
    end_whole(&s.d, &jobs[0], &w);
    close_set(&s);
}

static void arguments_are_checked(void **state)
{
    (void)state;
    set s = open_set(NULL);
    sinter_shard *shard = make_shard(&s, NULL, 0, 0);
    whole w = run_whole(&s.d, &jobs[3]);
    const job *j = &jobs[3];
    sinter_tensor results[MOST] = {{1}};
    sinter_shard_output outputs[] = {j->outputs[0], j->outputs[1]};
    FAILS(SINTER_EINVAL,
          sinter_shard_run(NULL, run_text, w.program, 2, w.split, 2, outputs, results));
    assert_int_equal(results[0].id, 0);
    FAILS(SINTER_EINVAL, sinter_shard_run(shard, NULL, w.program, 2, w.split, 2, outputs, results));
    FAILS(SINTER_EINVAL,
          sinter_shard_run(shard, run_text, w.program, 2, NULL, 2, outputs, results));
    FAILS(SINTER_EINVAL,
          sinter_shard_run(shard, run_text, w.program, 2, w.split, 2, NULL, results));
    FAILS(SINTER_EINVAL,
          sinter_shard_run(shard, run_text, w.program, 2, w.split, 2, outputs, NULL));
    FAILS(SINTER_EINVAL,
          sinter_shard_run(shard, run_text, w.program, 0, w.split, 2, outputs, results));
    FAILS(SINTER_ERANGE,
          sinter_shard_run(shard, run_text, w.program, SIZE_MAX, w.split, 2, outputs, results));
    for (int i = 0; i < 7; i++) {
        static const sinter_status wanted[] = {SINTER_ERANGE,  SINTER_ERANGE, SINTER_EINVAL,
                                               SINTER_EHANDLE, SINTER_ESHAPE, SINTER_EINVAL,
                                               SINTER_ERANGE};
        sinter_shard_input inputs[] = {w.split[0], w.split[1]};
        outputs[1] = j->outputs[1];
        if (i == 0)
            inputs[1].axis = 3;
        else if (i == 1)
            inputs[1].axis = -4;
        else if (i == 2)
            inputs[1].flags = 2;
        else if (i == 3)
            inputs[1].tensor.id = 0;
        else if (i == 4)
            inputs[1].axis = 2; /* 3 rows, and the other has 45 */
        else if (i == 5)
            outputs[1].join = (sinter_shard_join)5;
        else
            outputs[1].axis = -4;
        FAILS(wanted[i],
              sinter_shard_run(shard, run_text, w.program, 2, inputs, 2, outputs, results));
        assert_true(results[0].id == 0 && results[1].id == 0);
    }
    for (int i = 0; i < 2; i++) /* nothing to split */
        w.split[i].axis = WHOLE;
    FAILS(SINTER_EINVAL,
          sinter_shard_run(shard, run_text, w.program, 2, w.split, 2, outputs, results));
    for (int i = 0; i < 2; i++)
        w.split[i].axis = 1;
    compare(&s, shard, j, &w, 0);
    sinter_shard_destroy(shard);
    end_whole(&s.d, j, &w);
    close_set(&s);
}

int main(void)
{
    test_promise_pause(); /* copies between devices take memory in between */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bits_are_those_of_one_stream),
        cmocka_unit_test(another_split_is_other_numbers),
        cmocka_unit_test(sums_move_a_row_for_each_run),
        cmocka_unit_test(inputs_are_kept),
        cmocka_unit_test(what_is_kept_has_an_axis),
        cmocka_unit_test(inputs_come_from_anywhere),
        cmocka_unit_test(the_report_has_what_was_measured),
        cmocka_unit_test(one_stream_is_tried_at_times),
        cmocka_unit_test(shards_are_checked),
        cmocka_unit_test(a_part_fails),
        cmocka_unit_test(arguments_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
