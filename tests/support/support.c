#include "support/support.h"

#include "support/cl_layer.h"
#include "support/clblast_fake.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void test_ok(sinter_status status, const char *call, const char *file, int line)
{
    if (status == SINTER_OK)
        return;
    print_error("%s: %s: %s\n", call, sinter_status_name(status), sinter_last_error());
    _fail(file, line);
}

void test_fails(sinter_status status, sinter_status wanted, const char *call, const char *file,
                int line)
{
    const char *text = sinter_last_error();
    if (status == wanted && text[0] != '\0' && strchr(text, '\n') == NULL)
        return;
    print_error("%s: %s instead of %s: '%s'\n", call, sinter_status_name(status),
                sinter_status_name(wanted), text);
    _fail(file, line);
}

void test_log(void *user, int level, const char *message)
{
    (void)user;
    (void)fprintf(stderr, "sinter[%d] %s\n", level, message);
}

test_device test_open(const sinter_context_options *options)
{
    sinter_context_options defaults = SINTER_CONTEXT_OPTIONS_INIT;
    test_device d = {0};
    defaults.log_fn = test_log;
    OK(sinter_context_create(options != NULL ? options : &defaults, &d.ctx));
    OK(sinter_stream_create(d.ctx, NULL, &d.s));
    return d;
}

test_device test_open_on(const char *device)
{
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.log_fn = test_log;
    options.device = device;
    return test_open(&options);
}

test_device test_open_eager(void)
{
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.switches = SINTER_FLUSH_EVERY_OP;
    return test_open(&options);
}

sinter_stats test_stats(const test_device *d)
{
    sinter_stats stats = SINTER_STATS_INIT;
    OK(sinter_context_stats(d->ctx, &stats));
    return stats;
}

void test_close(test_device *d)
{
    sinter_stats before = test_stats(d);
    assert_int_equal(before.live_tensors, 0);
    OK(sinter_stream_destroy(d->s));
    sinter_stats after = test_stats(d);
    assert_int_equal(after.cl_allocated_bytes, 0);
    assert_int_equal(after.pool_bytes, 0);
    OK(sinter_context_destroy(d->ctx));
    *d = (test_device){0};
}

bool test_is_pooled(void)
{
    const char *mode = getenv("SINTER_MEMORY_MODE");
    return mode == NULL || (strcmp(mode, "separate") != 0 && strcmp(mode, "red_zone") != 0);
}

/* Whether the OpenCL library for tests plays the device of that name. */
static bool is_played(const char *name)
{
    const char *modes = getenv("SINTER_TEST_CL");
    const char *last = modes != NULL ? strrchr(modes, ',') : NULL;
    return modes != NULL && strcmp(last != NULL ? last + 1 : modes, name) == 0;
}

void test_nothing_at_once(void)
{
    (void)setenv("SINTER_TEST_CL", "queued", 0);
}

bool test_is_small(void)
{
    return is_played("small");
}

bool test_is_simulated(const test_device *d)
{
    sinter_device_info info = SINTER_DEVICE_INFO_INIT;
    OK(sinter_context_device(d->ctx, &info));
    return strstr(info.platform, "Oclgrind") != NULL;
}

bool test_takes_few_arguments(void)
{
    return is_played("small") || is_played("embedded");
}

static bool is_set(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0' && strcmp(value, "0") != 0;
}

/* The first variable that changes groups or cuts, or NULL. */
static const char *forced_by(void)
{
    static const char *const names[] = {"SINTER_NO_FUSE", "SINTER_FLUSH_EVERY_OP",
                                        "SINTER_TINY_LIMITS"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (is_set(names[i]))
            return names[i];
    }
    return NULL;
}

bool test_reuses(void)
{
    return test_is_pooled() && !is_set("SINTER_NO_REUSE");
}

bool test_is_plain(void)
{
    return forced_by() == NULL;
}

int test_skips_unless_plain(void)
{
    const char *name = forced_by();
    if (name == NULL)
        return 0;
    print_message("skipped: %s changes what this test expects\n", name);
    return 77;
}

/* By hand as under ctest: a test neither finds nor leaves anything in the user's cache. */
__attribute__((constructor)) static void stay_private(void)
{
    (void)setenv("SINTER_NO_CACHE", "1", 0);
}

static char report_text[1 << 20];
static size_t report_bytes;

static void keep_report(void *user, const char *text, size_t bytes)
{
    (void)user;
    assert_true(report_bytes + bytes < sizeof report_text);
    memcpy(report_text + report_bytes, text, bytes);
    report_bytes += bytes;
}

void test_report_begin(const test_device *d)
{
    OK(sinter_report_begin(d->s));
}

const char *test_report(const test_device *d)
{
    report_bytes = 0;
    OK(sinter_report_write(d->s, keep_report, NULL));
    report_text[report_bytes] = '\0';
    return report_text;
}

void test_text_add(void *text, const char *piece, size_t bytes)
{
    test_text *t = text;
    assert_true(t->bytes + bytes < sizeof t->data);
    memcpy(t->data + t->bytes, piece, bytes);
    t->bytes += bytes;
    t->data[t->bytes] = '\0';
}

sinter_profile *test_profile(const char *device, const char *style)
{
    static const char key[] = "style = \"";
    static test_text t;
    sinter_profile *p = NULL;
    t.bytes = 0;
    OK(sinter_profile_open(device, &p));
    OK(sinter_profile_write(p, test_text_add, &t));
    char *at = strstr(t.data, key);
    assert_non_null(at);
    if (style != NULL)
        at[strlen(key)] = style[0]; /* what is behind "cpu" and "gpu" is the same */
    OK(sinter_profile_parse(p, t.data, t.bytes));
    return p;
}

static size_t find_number(const sinter_profile *p, const char *name, sinter_profile_number *out)
{
    for (size_t i = 0; sinter_profile_get(p, i, out) == SINTER_OK; i++) {
        if (strcmp(out->name, name) == 0)
            return i;
    }
    fail_msg("no number is called %s", name);
    return 0;
}

uint32_t test_profile_number(const sinter_profile *p, const char *name)
{
    sinter_profile_number n = SINTER_PROFILE_NUMBER_INIT;
    (void)find_number(p, name, &n);
    return n.value;
}

void test_profile_set(sinter_profile *p, const char *name, uint32_t value)
{
    sinter_profile_number n = SINTER_PROFILE_NUMBER_INIT;
    OK(sinter_profile_set(p, find_number(p, name, &n), value));
}

bool test_is_gpu_style(void)
{
    const char *style = getenv("SINTER_STYLE");
    return style != NULL && strcmp(style, "gpu") == 0;
}

size_t test_occurrences(const char *text, const char *part)
{
    size_t count = 0;
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part))
        count++;
    return count;
}

size_t test_kernels_have(const test_device *d, const char *part)
{
    static test_text t;
    t.bytes = 0;
    t.data[0] = '\0';
    OK(sinter_kernels_write(d->s, test_text_add, &t));
    return test_occurrences(t.data, part);
}

void test_fill(float *out, int count)
{
    for (int i = 0; i < count; i++)
        out[i] = (float)((i * 7919) % 1009 - 400) / 64.0f;
}

sinter_tensor test_floats(const test_device *d, int rank, const int64_t *shape, const float *data)
{
    sinter_tensor t;
    size_t count = 1;
    for (int i = 0; i < rank; i++)
        count *= (size_t)shape[i];
    if (data != NULL) {
        OK(sinter_tensor_from_host(d->s, SINTER_F32, rank, shape, data, &t));
        return t;
    }
    float *made = malloc((count + 1) * sizeof *made);
    assert_non_null(made);
    for (size_t i = 0; i < count; i++)
        made[i] = (float)(i % 401) * 0.01f - 2.0f;
    OK(sinter_tensor_from_host(d->s, SINTER_F32, rank, shape, made, &t));
    free(made);
    return t;
}

const cl_layer *test_cl_layer(void)
{
    const char *path = getenv("SINTER_OPENCL_LIB");
    void *library = path != NULL ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    return library != NULL ? dlsym(library, "sinter_test_cl_layer") : NULL;
}

const clblast_fake *test_clblast_fake(void)
{
    const char *path = getenv("SINTER_CLBLAST_LIB");
    void *library = path != NULL ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    return library != NULL ? dlsym(library, "sinter_test_clblast_fake") : NULL;
}

void test_release(const test_device *d, sinter_tensor t)
{
    OK(sinter_tensor_release(d->s, t));
}

void test_read(const test_device *d, sinter_tensor t, float *out, size_t count)
{
    OK(sinter_tensor_read(d->s, t, out, count * sizeof *out));
}

size_t test_bytes(const test_device *d, sinter_tensor t)
{
    sinter_tensor_desc desc;
    OK(sinter_tensor_describe(d->ctx, t, &desc));
    size_t bytes = sinter_dtype_bytes(desc.dtype);
    for (int i = 0; i < desc.rank; i++)
        bytes *= (size_t)desc.shape[i];
    return bytes;
}

size_t test_read_whole(const test_device *d, sinter_tensor t, void *out, size_t room)
{
    const size_t bytes = test_bytes(d, t);
    assert_true(bytes <= room);
    OK(sinter_tensor_read(d->s, t, out, bytes));
    return bytes;
}

size_t test_read_numbers(const test_device *d, sinter_tensor t, float *out, size_t room)
{
    sinter_tensor_desc desc;
    OK(sinter_tensor_describe(d->ctx, t, &desc));
    assert_int_equal(desc.dtype, SINTER_F32);
    return test_read_whole(d, t, out, room * sizeof *out) / sizeof *out;
}

uint64_t test_next(test_random *r)
{
    uint64_t z = r->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

uint32_t test_below(test_random *r, uint32_t limit)
{
    return (uint32_t)((test_next(r) >> 32) * limit >> 32);
}

sinter_tensor test_step(const test_device *d, test_random *r, const sinter_tensor *t,
                        uint32_t count, bool views)
{
    sinter_tensor y;
    sinter_tensor a = t[test_below(r, count)];
    sinter_tensor b = t[count - 1];
    switch (test_below(r, views ? 6 : 5)) {
    case 0:
        OK(sinter_mul(d->s, a, b, &y));
        break;
    case 1:
        OK(sinter_sub(d->s, a, b, &y));
        break;
    case 2:
        OK(sinter_tanh(d->s, b, &y));
        break;
    case 3:
        OK(sinter_mul_scalar(d->s, b, 0.75, &y));
        break;
    case 4:
        OK(sinter_maximum(d->s, a, b, &y));
        break;
    default:
        OK(sinter_flip(d->s, a, 0, NULL, &y));
        break;
    }
    return y;
}

void *test_count_memory(void *memory, void *ptr, size_t old_bytes, size_t new_bytes)
{
    test_memory *m = memory;
    if (new_bytes == 0) {
        m->live_bytes -= old_bytes;
        free(ptr);
        return NULL;
    }
    uint64_t call = m->calls++;
    if (call == m->nth || (m->persistent && call > m->nth)) {
        m->failed++;
        return NULL;
    }
    void *fresh = realloc(ptr, new_bytes);
    assert_non_null(fresh);
    m->live_bytes += new_bytes - old_bytes;
    return fresh;
}

size_t test_take_results(const test_device *d, const sinter_program *p, sinter_tensor *results,
                         uint8_t *out)
{
    size_t at = 0;
    for (size_t i = 0; i < sinter_program_result_count(p); i++) {
        sinter_tensor_desc desc;
        OK(sinter_tensor_describe(d->ctx, results[i], &desc));
        size_t bytes = sinter_dtype_bytes(desc.dtype);
        for (int k = 0; k < desc.rank; k++)
            bytes *= (size_t)desc.shape[k];
        OK(sinter_tensor_read(d->s, results[i], out + at, bytes));
        at += bytes;
        test_release(d, results[i]);
    }
    return at;
}

sinter_program *test_program_of_rows(const test_device *d, const char *text, const int64_t shape[2],
                                     const float *data, sinter_tensor in[2], sinter_tensor *results)
{
    sinter_program *p = NULL;
    OK(sinter_program_parse(text, strlen(text), &p, NULL));
    size_t inputs = sinter_program_input_count(p);
    for (size_t i = 0; i < inputs; i++) {
        bool whole = sinter_program_input_name(p, i)[0] == 'x';
        in[i] = test_floats(d, whole ? 2 : 1, whole ? shape : shape + 1, data);
    }
    OK(sinter_program_run(p, d->s, in, results, NULL));
    return p;
}

size_t test_run_rows(const test_device *d, const char *text, int64_t rows, int64_t columns,
                     const float *data, bool gives, uint8_t *out)
{
    const int64_t shape[] = {rows, columns};
    sinter_tensor in[2] = {{0}};
    sinter_tensor results[8];
    sinter_program *p = test_program_of_rows(d, text, shape, data, in, results);
    size_t inputs = sinter_program_input_count(p);
    assert_true(sinter_program_result_count(p) <= 8);
    for (size_t i = 0; i < inputs && gives; i++)
        test_release(d, in[i]);
    OK(sinter_stream_sync(d->s));
    size_t bytes = test_take_results(d, p, results, out);
    for (size_t i = 0; i < inputs && !gives; i++)
        test_release(d, in[i]);
    sinter_program_destroy(p);
    return bytes;
}

size_t test_run_filled(const test_device *d, const char *text, int64_t rows, int64_t columns,
                       bool gives, uint8_t *out)
{
    static float data[TEST_FILLED];
    assert_true(rows * columns <= TEST_FILLED);
    test_fill(data, TEST_FILLED);
    return test_run_rows(d, text, rows, columns, data, gives, out);
}

void test_same_filled(const test_device *d, const test_device *other, const char *text,
                      int64_t rows, int64_t columns)
{
    static uint8_t expected[TEST_FILLED * 8];
    static uint8_t found[TEST_FILLED * 8];
    size_t bytes = test_run_filled(other, text, rows, columns, false, expected);
    assert_int_equal(test_run_filled(d, text, rows, columns, false, found), bytes);
    if (memcmp(found, expected, bytes) != 0)
        fail_msg("%s of %lld x %lld", text, (long long)rows, (long long)columns);
}
