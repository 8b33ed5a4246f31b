/* A program over several streams of one or more devices (SINTER_DEVICE may be a list): the same bits as on one
 * stream, however it is split; nothing is built anew for another split; errors leave nothing behind. */
#include "support/support.h"

#include <math.h>
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
    v.bytes = sinter_dtype_bytes(v.desc.dtype);
    for (int i = 0; i < v.desc.rank; i++)
        v.bytes *= (size_t)v.desc.shape[i];
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
    {"y = abs(x) * 0.01 + 0.97", /* 79 runs, more than one row of the tree has */
     1,
     1,
     {{0, SINTER_F32, 2, {20001, 2}}},
     {{SINTER_SHARD_PROD, 0}}},
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

/* However the rows are split. */
static void the_bits_are_those_of_one_stream(void **state)
{
    (void)state;
    set s = open_set(NULL);
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
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

int main(void)
{
    test_promise_pause(); /* copies between devices take memory in between */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bits_are_those_of_one_stream),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
