/* Reductions of rows that are shorter than the 64 partials of a chunk: which work-items have a row, how
 * many rows share a work-group, and the same bits whichever it is. */
#include "support/text.h"

#include "executor/run/instance.h"

#include <stdlib.h>
#include <string.h>

#define ROOM 12000
#define MAX_LENGTH 200

static const int64_t lengths[] = {1, 2, 3, 5, 8, 16, 17, 33, 64, 65, 130};

/* The device's profile for GPUs, with a number of its own. */
static sinter_profile *profile_of(const char *name, uint32_t value)
{
    sinter_profile *p = test_profile(NULL, "gpu");
    test_profile_set(p, "chunk_group", 1);
    test_profile_set(p, "chunk_lanes", 4);
    test_profile_set(p, name, value);
    return p;
}

static test_device open_with(const sinter_profile *p, sinter_style style)
{
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.log_fn = test_log;
    options.profile = p;
    options.style = style;
    return test_open(&options);
}

static float element(int64_t i)
{
    return (float)((i * 7919) % 1009 - 500) / 64.0f + 1.0f / (float)(i + 3);
}

/* The sum of a row as fusion/nest/tree.h has it. */
static float sum_of(const float *x, int64_t n)
{
    float t[64];
    int64_t s = 32;
    for (int64_t i = 0; i < n; i++)
        t[i % 64] = i < 64 ? x[i] : t[i % 64] + x[i];
    n = n < 64 ? n : 64;
    for (; s > 0; s /= 2) {
        for (int64_t i = 0; i < s && i + s < n; i++)
            t[i] += t[i + s];
        n = n < s ? n : s;
    }
    return t[0];
}

/* The sums; a softmax, a maximum of products with one factor per row, sums of 64-bit integers. */
static size_t values_of(test_device *d, int64_t rows, int64_t length, float *out)
{
    static const char program[] =
        "s = sum(x, axis=1); m = max(x, axis=1, keepdims=True); e = exp(x - m); "
        "y = e / sum(e, axis=1, keepdims=True); p = max(x * c, axis=1); "
        "i = cast(sum(cast(x * 8, 'i64'), axis=1), 'f32'); release m; release e";
    static float x[ROOM];
    static float c[ROOM];
    sinter_program *p;
    sinter_tensor in[2];
    sinter_tensor results[16];
    size_t at = 0;
    assert_true(rows * length <= ROOM);
    for (int64_t i = 0; i < rows * length; i++)
        x[i] = element(i);
    for (int64_t i = 0; i < rows; i++)
        c[i] = element(3 * i);
    OK(sinter_program_parse(program, strlen(program), &p, NULL));
    in[0] = test_floats(d, 2, (int64_t[]){rows, length}, x);
    in[1] = test_floats(d, 2, (int64_t[]){rows, 1}, c);
    OK(sinter_program_run(p, d->s, in, results, NULL));
    for (size_t i = 0; i < sinter_program_result_count(p); i++) {
        sinter_tensor_desc desc;
        if (!sinter_program_result_is_last(p, i))
            continue;
        OK(sinter_tensor_describe(d->ctx, results[i], &desc));
        size_t count = (size_t)(desc.rank > 1 ? rows * length : rows);
        test_read(d, results[i], out + at, count);
        at += count;
        test_release(d, results[i]);
    }
    for (int64_t i = 0; i < rows; i++)
        assert_true(out[i] == sum_of(x + i * length, length));
    test_release(d, in[0]);
    test_release(d, in[1]);
    sinter_program_destroy(p);
    return at;
}

static bool is_host(const test_device *d)
{
    sinter_device_info info = SINTER_DEVICE_INFO_INIT;
    OK(sinter_context_device(d->ctx, &info));
    return info.kind == SINTER_DEVICE_HOST;
}

/* A work-item for each row, a group for each row, several rows in a group. Compilers take their time: a
 * driver has few of them. */
static void the_bits_are_those_of_the_order(void **state)
{
    (void)state;
    static float expected[4 * ROOM];
    static float found[4 * ROOM];
    static const struct {
        const char *name;
        uint32_t value;
    } numbers[] = {
        {"chunk_items", 64}, {"chunk_group", 0}, {"chunk_items", 1}, {"chunk_lanes", 16}};
    test_device plain = open_with(NULL, SINTER_STYLE_CPU);
    bool host = is_host(&plain);
    for (size_t k = 0; k < (host ? SINTER__COUNT(numbers) : 2); k++) {
        sinter_profile *p = profile_of(numbers[k].name, numbers[k].value);
        test_device d = open_with(p, SINTER_STYLE_AUTO);
        for (size_t i = 0; i < SINTER__COUNT(lengths); i += host ? 1 : 4) {
            int64_t rows = i % 2 == 0 ? 37 : 64;
            memset(found, 0, sizeof found);
            size_t count = values_of(&plain, rows, lengths[i], expected);
            assert_int_equal(values_of(&d, rows, lengths[i], found), count);
            assert_memory_equal(found, expected, count * sizeof *found);
        }
        test_close(&d);
        sinter_profile_destroy(p);
    }
    test_close(&plain);
}

/* The launch of a sum of rows. */
typedef struct seen {
    size_t local, global;
    int64_t rows, length;
    sinter__class_key key;
} seen;

static void see(void *user, const sinter__instance *in)
{
    seen *s = user;
    const sinter__launch *l = sinter__instance_launch(in, 0, 0);
    if (!in->is_bound || l->bound->parallel != s->rows || l->bound->reduced != s->length)
        return;
    s->local = l->geometry.local[0];
    s->global = l->geometry.global[0];
    s->key = l->class_.key;
}

static seen sum_rows(test_device *d, int64_t rows, int64_t length)
{
    static float x[ROOM];
    seen s = {.rows = rows, .length = length};
    sinter_tensor in = test_floats(d, 2, (int64_t[]){rows, length}, x);
    sinter_tensor out;
    OK(sinter_sum(d->s, in, 1, (int[]){1}, 0, &out));
    OK(sinter_stream_sync(d->s));
    sinter__instances_visit(d->s, see, &s);
    test_release(d, in);
    test_release(d, out);
    return s;
}

static void check_launch(test_device *d, int64_t rows, int64_t length, size_t local, size_t global)
{
    seen s = sum_rows(d, rows, length);
    if (s.local != local || s.global != global)
        fail_msg("%lld rows of %lld: global %zu, local %zu", (long long)rows, (long long)length,
                 s.global, s.local);
}

/* Whether rows of two lengths have one kernel, and one more or fewer of them the same. */
static void check_classes(test_device *d, int64_t length, int64_t other, bool same)
{
    const seen one = sum_rows(d, 2, length);
    const seen many = sum_rows(d, 500, length);
    const seen others = sum_rows(d, 500, other);
    assert_memory_equal(&many.key, &one.key, sizeof one.key);
    assert_true((memcmp(&others.key, &one.key, sizeof one.key) == 0) == same);
}

/* Vectors of 4: a row of 16 has 4 work-items, and one of 64 or more has 16. */
static void short_rows_share_a_group(void **state)
{
    (void)state;
    sinter_profile *p = profile_of("chunk_items", 64);
    test_device d = open_with(p, SINTER_STYLE_AUTO);
    if (is_host(&d)) {
        check_launch(&d, 37, 1, 64, 64);
        check_launch(&d, 37, 3, 64, 64);
        check_launch(&d, 37, 5, 64, 128);
        check_launch(&d, 37, 16, 64, 192);
        check_launch(&d, 37, 17, 64, 320);
        check_launch(&d, 37, 64, 64, 640);
        check_launch(&d, 37, 130, 64, 640);
        check_classes(&d, 16, 9, true);
        check_classes(&d, 16, 17, false);
    }
    test_close(&d);
    sinter_profile_destroy(p);
}

static void other_numbers_give_other_groups(void **state)
{
    (void)state;
    sinter_profile *p = profile_of("chunk_items", 1);
    test_device d = open_with(p, SINTER_STYLE_AUTO);
    if (is_host(&d)) {
        check_launch(&d, 37, 16, 4, 37 * 4);
        check_launch(&d, 37, 130, 16, 37 * 16);
    }
    test_close(&d);
    sinter_profile_destroy(p);
    p = profile_of("chunk_group", 0);
    d = open_with(p, SINTER_STYLE_AUTO);
    if (is_host(&d))
        check_launch(&d, 137, 16, 64, 192);
    test_close(&d);
    sinter_profile_destroy(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bits_are_those_of_the_order),
        cmocka_unit_test(short_rows_share_a_group),
        cmocka_unit_test(other_numbers_give_other_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
