/* Every form of kernel, with every dtype, at every vector width, over sizes that leave tails: the
 * bits are those of the host reference device, and Oclgrind, on which this runs with a buffer of
 * its own for each tensor, sees no access outside of one, no race and nothing uninitialised.
 *
 * `--all` takes every dtype at every width in every size. By default they are laid out as a Latin
 * square, without the last size, which Oclgrind takes most of its time for: each dtype takes another
 * size at each width, so that any two of them meet. */
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RESULTS = 21, COLUMNS = 19, MOST = 1023 };

/* By default products have no more of n than PART, and what is turned TURNED: several chunks of a product's inner
 * dimension are test_product_forms' matter. With `--all` 519 is three of them, with tails of every width. */
enum { PART = 40, TURNED = 100 };
static const int64_t sizes[] = {1, 31, 64, 251, 519, MOST};
enum { SIZES = (int)(sizeof sizes / sizeof sizes[0]), SQUARE = SIZES - 1 };

static bool takes_all;

/* x is [n], y is [3, n], w is [19, n or TURNED]. Line by line: flat; row with broadcast; strided;
 * gathered; conversion and choice; sums over everything, over the first and over the last axis;
 * products with a long and with a short inner dimension; made from nothing; other reductions; rows,
 * columns and everything in phases; operands that are turned. %s is the dtype, %d is n, of products
 * n or PART. */
static const char program[] = "a = x + x\n"
                              "b = y * x\n"
                              "c = maximum(y[:, ::-1], x)\n"
                              "d = copy(transpose(y, (1, 0)))\n"
                              "e = where(x == x[::-1], cast(x, 'f32'), 2.5)\n"
                              "f = cast(e, '%s')\n"
                              "g = sum(x)\n"
                              "h = sum(y, axis=0)\n"
                              "i = max(y, axis=1)\n"
                              "j = mean(y, axis=1)\n"
                              "k = y[:, :%d] @ reshape(x[:%d], (-1, 1))\n"
                              "l = transpose(y[:, :%d], (1, 0)) @ y[:, :2]\n"
                              "m = cast(arange(%d), '%s')\n"
                              "n = prod(y, axis=1)\n"
                              "o = all(y, axis=0)\n"
                              "p = any(x)\n"
                              "q = argmax(y, axis=1)\n"
                              "r = y == max(y, axis=1, keepdims=True)\n"
                              "s = maximum(y, min(y, axis=0))\n"
                              "t = sum(where(x == max(x), x, y), axis=1)\n"
                              "u = transpose(w, (1, 0)) * reshape(w, (-1, 19)) + "
                              "transpose(w[::-1], (1, 0))\n";

typedef struct results {
    size_t count;
    size_t bytes[MAX_RESULTS];
    void *data[MAX_RESULTS];
    char names[MAX_RESULTS][8];
} results;

static void free_results(results *r)
{
    for (size_t i = 0; i < r->count; i++)
        free(r->data[i]);
    r->count = 0;
}

/* Bytes that are a value of any dtype: small, positive, no NaN; bools are 0 and 1. */
static void fill(sinter_dtype dtype, size_t count, unsigned char *data)
{
    size_t size = sinter_dtype_bytes(dtype);
    for (size_t i = 0; i < count; i++) {
        unsigned char low = (unsigned char)(i * 7 % 5);
        float single = (float)low + 0.25f;
        double wide = (double)single;
        uint16_t half = (uint16_t)((dtype == SINTER_F16 ? 0x3c00 : 0x3f80) + low);
        memset(data + i * size, 0, size);
        if (dtype == SINTER_F32)
            memcpy(data + i * size, &single, size);
        else if (dtype == SINTER_F64)
            memcpy(data + i * size, &wide, size);
        else if (dtype == SINTER_F16 || dtype == SINTER_BF16)
            memcpy(data + i * size, &half, size);
        else
            data[i * size] = dtype == SINTER_BOOL ? low & 1 : low;
    }
}

static void read_results(const test_device *d, const sinter_program *p, const sinter_tensor *made,
                         results *out)
{
    out->count = sinter_program_result_count(p);
    assert_true(out->count <= MAX_RESULTS);
    for (size_t i = 0; i < out->count; i++) {
        out->bytes[i] = test_bytes(d, made[i]);
        out->data[i] = malloc(out->bytes[i]);
        assert_non_null(out->data[i]);
        (void)snprintf(out->names[i], sizeof out->names[i], "%s", sinter_program_result_name(p, i));
        OK(sinter_tensor_read(d->s, made[i], out->data[i], out->bytes[i]));
        test_release(d, made[i]);
    }
}

static void run(const test_device *d, sinter_dtype dtype, int64_t n, results *out)
{
    static unsigned char data[COLUMNS * MOST * 8];
    char text[1200];
    sinter_program *p;
    sinter_program_place place;
    sinter_tensor inputs[3];
    sinter_tensor made[MAX_RESULTS];
    const char *name = sinter_dtype_name(dtype);
    const int64_t shape[] = {3, n};
    const int64_t turned[] = {COLUMNS, takes_all || n < TURNED ? n : TURNED};
    int part = takes_all ? (int)n : PART;
    (void)snprintf(text, sizeof text, program, name, part, part, part, (int)n, name);
    OK(sinter_program_parse(text, strlen(text), &p, &place));
    assert_string_equal(sinter_program_input_name(p, 0), "x");
    fill(dtype, (size_t)(COLUMNS * n), data);
    OK(sinter_tensor_from_host(d->s, dtype, 1, shape + 1, data, &inputs[0]));
    OK(sinter_tensor_from_host(d->s, dtype, 2, shape, data, &inputs[1]));
    OK(sinter_tensor_from_host(d->s, dtype, 2, turned, data, &inputs[2]));
    OK(sinter_program_run(p, d->s, inputs, made, &place));
    read_results(d, p, made, out);
    test_release(d, inputs[0]);
    test_release(d, inputs[1]);
    test_release(d, inputs[2]);
    sinter_program_destroy(p);
}

static bool has_f64(const test_device *d)
{
    sinter_device_info info = SINTER_DEVICE_INFO_INIT;
    OK(sinter_context_device(d->ctx, &info));
    return info.has_f64 != 0;
}

static bool is_same(const results *a, const results *b, size_t i)
{
    return a->data[i] != NULL && b->data[i] != NULL && a->bytes[i] == b->bytes[i] &&
           memcmp(a->data[i], b->data[i], a->bytes[i]) == 0;
}

static void check_dtype(const test_device *host, const test_device *d, sinter_dtype dtype,
                        int first)
{
    for (int k = 0; k < SIZES; k++) {
        results expected = {0};
        results got = {0};
        if (!takes_all && (k == SQUARE || (first + k) % SQUARE != 0))
            continue;
        run(host, dtype, sizes[k], &expected);
        run(d, dtype, sizes[k], &got);
        assert_int_equal(got.count, expected.count);
        for (size_t i = 0; i < got.count; i++) {
            if (!is_same(&got, &expected, i))
                fail_msg("%s, %lld elements: %s differs", sinter_dtype_name(dtype),
                         (long long)sizes[k], got.names[i]);
        }
        free_results(&expected);
        free_results(&got);
    }
}

static void check_width(int width)
{
    sinter_context_options on_host = SINTER_CONTEXT_OPTIONS_INIT;
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    on_host.device = "host";
    on_host.switches = SINTER_NO_FUSE;
    options.lanes = 1u << width;
    options.log_fn = test_log;
    test_device host = test_open(&on_host);
    test_device d = test_open(&options);
    for (int dtype = 0; dtype < SINTER_DTYPE_COUNT; dtype++) {
        if (dtype != SINTER_F64 || has_f64(&d))
            check_dtype(&host, &d, (sinter_dtype)dtype, dtype + width);
    }
    assert_int_equal(test_stats(&d).fallbacks, 0);
    test_close(&d);
    test_close(&host);
}

#define WIDTH(lanes, width)                                                                        \
    static void lanes_##lanes(void **state)                                                        \
    {                                                                                              \
        (void)state;                                                                               \
        check_width(width);                                                                        \
    }
WIDTH(1, 0)
WIDTH(2, 1)
WIDTH(4, 2)
WIDTH(8, 3)
WIDTH(16, 4)

static bool says(int argc, char **argv, const char *option)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], option) == 0)
            return true;
    }
    return false;
}

/* --all: every size with every dtype. --wide: 16 lanes alone; --narrow: the others. */
int main(int argc, char **argv)
{
    const struct CMUnitTest narrow[] = {
        cmocka_unit_test(lanes_1),
        cmocka_unit_test(lanes_2),
        cmocka_unit_test(lanes_4),
        cmocka_unit_test(lanes_8),
    };
    const struct CMUnitTest wide[] = {cmocka_unit_test(lanes_16)};
    takes_all = says(argc, argv, "--all");
    int failed = 0;
    if (!says(argc, argv, "--wide"))
        failed = cmocka_run_group_tests(narrow, NULL, NULL);
    if (!says(argc, argv, "--narrow"))
        failed += cmocka_run_group_tests(wide, NULL, NULL);
    return failed;
}
