/* Bad input: each call gives its status and one line with the numbers in it, makes nothing, and
 * leaves the stream as it was. */
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROW(...) ((const int64_t[]){__VA_ARGS__})
#define AXES(...) ((const int[]){__VA_ARGS__})
#define BIG ((int64_t)1 << 62)

/* Tensors that every case may use, and where its result would go. */
static struct {
    test_device d;
    sinter_stream *s;
    sinter_tensor a;    /* f32 [32,7] */
    sinter_tensor b;    /* f32 [32,8] */
    sinter_tensor i;    /* i32 [6] */
    sinter_tensor flag; /* bool [6] */
    sinter_tensor deep; /* f32, rank 8 */
    sinter_tensor out;
} x;

/* Fails with `status`; the text has each of the words, divided by '|'; nothing was made. */
static void refused_at(int line, sinter_status got, sinter_status wanted, const char *words)
{
    char copy[128];
    const char *text = sinter_last_error();
    (void)snprintf(copy, sizeof copy, "%s", words);
    test_fails(got, wanted, words, __FILE__, line);
    for (char *word = strtok(copy, "|"); word != NULL; word = strtok(NULL, "|")) {
        if (strstr(text, word) == NULL) {
            print_error("'%s' is not in '%s'\n", word, text);
            _fail(__FILE__, line);
        }
    }
    if (x.out.id != 0)
        _fail(__FILE__, line);
}

/* The out-parameter must come back as the null handle. */
#define REFUSED(status, words, call)                                                               \
    do {                                                                                           \
        x.out.id = 1;                                                                              \
        refused_at(__LINE__, (call), (status), (words));                                           \
    } while (0)

/* The same for a call without a result. */
#define REFUSED_PLAIN(status, words, call)                                                         \
    do {                                                                                           \
        x.out.id = 0;                                                                              \
        refused_at(__LINE__, (call), (status), (words));                                           \
    } while (0)

static int open_all(void **state)
{
    (void)state;
    const int32_t numbers[] = {1, 2, 3, 4, 5, 6};
    const uint8_t flags[] = {0, 1, 0, 1, 0, 1};
    x.d = test_open(NULL);
    x.s = x.d.s;
    x.a = test_floats(&x.d, 2, ROW(32, 7), NULL);
    x.b = test_floats(&x.d, 2, ROW(32, 8), NULL);
    x.deep = test_floats(&x.d, 8, ROW(1, 1, 1, 1, 1, 1, 1, 2), NULL);
    OK(sinter_tensor_from_host(x.s, SINTER_I32, 1, ROW(6), numbers, &x.i));
    OK(sinter_tensor_from_host(x.s, SINTER_BOOL, 1, ROW(6), flags, &x.flag));
    return 0;
}

/* All is as it was: what was there is there, and the stream runs. */
static int close_all(void **state)
{
    (void)state;
    float in[224];
    float out[224];
    sinter_tensor y;
    assert_int_equal(test_stats(&x.d).live_tensors, 5);
    OK(sinter_stream_sync(x.s));
    OK(sinter_neg(x.s, x.a, &y));
    test_read(&x.d, x.a, in, 224);
    test_read(&x.d, y, out, 224);
    for (int i = 0; i < 224; i++)
        assert_true(out[i] == -in[i]);
    const sinter_tensor all[] = {x.a, x.b, x.i, x.flag, x.deep, y};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        test_release(&x.d, all[i]);
    test_close(&x.d);
    return 0;
}

static void shapes_that_do_not_fit(void **state)
{
    (void)state;
    REFUSED(SINTER_ESHAPE, "add|[32,7]|[32,8]|dimension 1", sinter_add(x.s, x.a, x.b, &x.out));
    REFUSED(SINTER_ESHAPE, "where|[6]|[32,7]|dimension 1",
            sinter_where(x.s, x.flag, x.a, x.b, &x.out));
    REFUSED(SINTER_ESHAPE, "matmul|[32,7]|[32,8]", sinter_matmul(x.s, x.a, x.b, &x.out));
    REFUSED(SINTER_ESHAPE, "matmul|[6]|[32,7]", sinter_matmul(x.s, x.i, x.a, &x.out));
    REFUSED(SINTER_ESHAPE, "matmul|[32,7]|[6]", sinter_matmul(x.s, x.a, x.i, &x.out));
    REFUSED(SINTER_ESHAPE, "reshape|[32,7]|[5,45]",
            sinter_reshape(x.s, x.a, 2, ROW(5, 45), &x.out));
    REFUSED(SINTER_ESHAPE, "reshape|[32,7]|[3,-1]",
            sinter_reshape(x.s, x.a, 2, ROW(3, -1), &x.out));
    REFUSED(SINTER_ERANGE, "reshape|dimension 1|[-1,-1]|second -1",
            sinter_reshape(x.s, x.a, 2, ROW(-1, -1), &x.out));
    REFUSED(SINTER_ERANGE, "reshape|dimension 1|4611686018427387904|overflow",
            sinter_reshape(x.s, x.a, 2, ROW((int64_t)1 << 62, (int64_t)1 << 62), &x.out));
    REFUSED(SINTER_ESHAPE, "expand|[32,7]|[32,14]",
            sinter_expand(x.s, x.a, 2, ROW(32, 14), &x.out));
    REFUSED(SINTER_ESHAPE, "squeeze|dimension 1|7", sinter_squeeze(x.s, x.a, 1, AXES(1), &x.out));
}

/* Operations that are made of others say what was called, not what they are made of. */
static void compositions_that_cannot_be(void **state)
{
    (void)state;
    const sinter_tensor none = {0};
    REFUSED(SINTER_ERANGE, "softmax: axis 2|rank 2", sinter_softmax(x.s, x.a, 1, AXES(2), &x.out));
    REFUSED(SINTER_ERANGE, "layer_norm: axis 1|twice",
            sinter_layer_norm(x.s, x.a, 2, AXES(1, -1), none, none, 1e-5, &x.out));
    REFUSED(SINTER_EINVAL, "logsumexp: |NULL", sinter_logsumexp(x.s, x.a, 1, NULL, false, &x.out));
    REFUSED(SINTER_ESHAPE, "layer_norm: operand 3|[32,8]|[32,7]",
            sinter_layer_norm(x.s, x.a, 1, AXES(1), x.a, x.b, 1e-5, &x.out));
    REFUSED(SINTER_ESHAPE, "rms_norm: operand 2|[32,7]|[6]",
            sinter_rms_norm(x.s, x.i, 0, NULL, x.a, 1e-5, &x.out));
    REFUSED(SINTER_ERANGE, "argmax: axis 2|rank 2",
            sinter_argmax(x.s, x.a, 1, AXES(2), false, &x.out));
    REFUSED(SINTER_ERANGE, "var: axis 0|twice",
            sinter_var(x.s, x.a, 1, 2, AXES(0, 0), false, &x.out));
    REFUSED(SINTER_EINVAL, "norm: order 0.5", sinter_norm(x.s, x.a, 0.5, 0, NULL, false, &x.out));
    REFUSED(SINTER_ERANGE, "dropout: probability -0.25",
            sinter_dropout(x.s, x.a, -0.25, 1, 2, &x.out));
    REFUSED(SINTER_EHANDLE, "softmax", sinter_softmax(x.s, none, 0, NULL, &x.out));
    REFUSED(SINTER_EINVAL, "rms_norm: the stream is NULL",
            sinter_rms_norm(NULL, x.a, 0, NULL, none, 1e-5, &x.out));
}

static void axes_out_of_range(void **state)
{
    (void)state;
    REFUSED(SINTER_ERANGE, "sum|axis 2|rank 2", sinter_sum(x.s, x.a, 1, AXES(2), false, &x.out));
    REFUSED(SINTER_EINVAL, "sum|negative", sinter_sum(x.s, x.a, -5, AXES(0), false, &x.out));
    REFUSED(SINTER_EINVAL, "sum|negative", sinter_sum(x.s, x.a, -1, NULL, false, &x.out));
    REFUSED(SINTER_EINVAL, "min|NULL", sinter_min(x.s, x.a, 2, NULL, false, &x.out));
    REFUSED(SINTER_EINVAL, "flip|NULL", sinter_flip(x.s, x.a, 1, NULL, &x.out));
    REFUSED(SINTER_ERANGE, "max|-3|2", sinter_max(x.s, x.a, 1, AXES(-3), false, &x.out));
    REFUSED(SINTER_ERANGE, "mean|axis 1|twice",
            sinter_mean(x.s, x.a, 2, AXES(1, -1), false, &x.out));
    REFUSED(SINTER_ERANGE, "transpose|axis 0|twice",
            sinter_transpose(x.s, x.a, AXES(0, 0), &x.out));
    REFUSED(SINTER_ERANGE, "flip|7|2", sinter_flip(x.s, x.a, 1, AXES(7), &x.out));
    REFUSED(SINTER_ERANGE, "slice|axis 2|2", sinter_slice(x.s, x.a, 2, 0, 1, 1, &x.out));
    REFUSED(SINTER_ERANGE, "slice|step", sinter_slice(x.s, x.a, 0, 0, 1, 0, &x.out));
    REFUSED(SINTER_ERANGE, "unsqueeze|4", sinter_unsqueeze(x.s, x.a, 4, &x.out));
    REFUSED(SINTER_EINVAL, "unsqueeze|8", sinter_unsqueeze(x.s, x.deep, 0, &x.out));
}

static void dtypes_that_are_not_taken(void **state)
{
    (void)state;
    REFUSED(SINTER_EDTYPE, "bit_and|f32", sinter_bit_and(x.s, x.a, x.a, &x.out));
    REFUSED(SINTER_EDTYPE, "77", sinter_cast(x.s, x.a, (sinter_dtype)77, &x.out));
    REFUSED(SINTER_EDTYPE, "-1",
            sinter_tensor_from_host(x.s, (sinter_dtype)-1, 1, ROW(2), "", &x.out));
    REFUSED(SINTER_EDTYPE, "i32", sinter_random_uniform(x.s, SINTER_I32, 1, ROW(4), 1, 0, &x.out));
    REFUSED(SINTER_EDTYPE, "bool", sinter_neg(x.s, x.flag, &x.out));
    REFUSED(SINTER_EDTYPE, "bool",
            sinter_arange(x.s, SINTER_BOOL, 4, sinter_scalar_int(0), sinter_scalar_int(1), &x.out));
    REFUSED(SINTER_EDTYPE, "bool", sinter_clamp(x.s, x.flag, 0.0, 1.0, &x.out));
}

static void numbers_that_do_not_fit(void **state)
{
    (void)state;
    REFUSED(SINTER_ERANGE, "300|u8",
            sinter_full(x.s, SINTER_U8, 1, ROW(4), sinter_scalar_int(300), &x.out));
    REFUSED(SINTER_ERANGE, "-1|u32",
            sinter_full(x.s, SINTER_U32, 1, ROW(4), sinter_scalar_int(-1), &x.out));
    REFUSED(SINTER_ERANGE, "1.5|i32",
            sinter_full(x.s, SINTER_I32, 1, ROW(4), sinter_scalar_float(1.5), &x.out));
    REFUSED(SINTER_ERANGE, "nan|i32",
            sinter_full(x.s, SINTER_I32, 1, ROW(4), sinter_scalar_float((double)NAN), &x.out));
    REFUSED(SINTER_ERANGE, "inf|i64",
            sinter_arange(x.s, SINTER_I64, 4, sinter_scalar_float((double)INFINITY),
                          sinter_scalar_int(1), &x.out));
    REFUSED(SINTER_ERANGE, "0.5|i32", sinter_add_scalar(x.s, x.i, 0.5, &x.out));
    REFUSED(SINTER_ERANGE, "inf|i32", sinter_mul_scalar(x.s, x.i, (double)INFINITY, &x.out));
}

static void sizes_that_overflow(void **state)
{
    (void)state;
    const sinter_scalar one = sinter_scalar_float(1.0);
    const int64_t two31 = (int64_t)1 << 31;
    float data[4] = {0};
    REFUSED(SINTER_ERANGE, "-1|dimension 1",
            sinter_full(x.s, SINTER_F32, 2, ROW(4, -1), one, &x.out));
    REFUSED(SINTER_ERANGE, "2147483648,2147483648,2147483648",
            sinter_full(x.s, SINTER_F32, 3, ROW(two31, two31, two31), one, &x.out));
    REFUSED(SINTER_ERANGE, "4611686018427387904",
            sinter_full(x.s, SINTER_F32, 1, ROW(BIG), one, &x.out));
    REFUSED(SINTER_ERANGE, "9223372036854775807",
            sinter_tensor_from_host(x.s, SINTER_I8, 1, ROW(INT64_MAX), data, &x.out));
    REFUSED(SINTER_ERANGE, "9223372036854775807,0",
            sinter_tensor_from_host(x.s, SINTER_F64, 2, ROW(INT64_MAX, 0), data, &x.out));
    REFUSED(SINTER_ERANGE, "-9223372036854775808",
            sinter_tensor_from_host(x.s, SINTER_I8, 1, ROW(INT64_MIN), data, &x.out));
    REFUSED(SINTER_ERANGE, "-5",
            sinter_arange(x.s, SINTER_I32, -5, sinter_scalar_int(0), sinter_scalar_int(1), &x.out));
    REFUSED(SINTER_ERANGE, "4611686018427387904",
            sinter_arange(x.s, SINTER_F64, BIG, one, one, &x.out));
    REFUSED(SINTER_ERANGE, "4611686018427387904",
            sinter_expand(x.s, x.a, 3, ROW(BIG, 32, 7), &x.out));
    REFUSED(SINTER_ERANGE, "4611686018427387904",
            sinter_reshape(x.s, x.a, 3, ROW(BIG, BIG, 4), &x.out));
    REFUSED(SINTER_EINVAL, "rank 9",
            sinter_full(x.s, SINTER_F32, 9, ROW(1, 1, 1, 1, 1, 1, 1, 1, 1), one, &x.out));
    REFUSED(SINTER_EINVAL, "rank -1", sinter_full(x.s, SINTER_F32, -1, ROW(1), one, &x.out));
    REFUSED(SINTER_EINVAL, "rank 9",
            sinter_reshape(x.s, x.deep, 9, ROW(1, 1, 1, 1, 1, 1, 1, 1, 2), &x.out));
}

/* Two views of nothing much, whose sum would be larger than anything. */
static void a_broadcast_that_overflows(void **state)
{
    (void)state;
    sinter_tensor row;
    sinter_tensor column;
    const int64_t two31 = (int64_t)1 << 31;
    sinter_tensor one = test_floats(&x.d, 2, ROW(1, 1), NULL);
    OK(sinter_expand(x.s, one, 2, ROW(1, two31), &row));
    OK(sinter_expand(x.s, one, 2, ROW(two31, 1), &column));
    REFUSED(SINTER_ERANGE, "2147483648", sinter_add(x.s, row, column, &x.out));
    REFUSED(SINTER_ERANGE, "2147483648", sinter_matmul(x.s, column, row, &x.out));
    test_release(&x.d, one);
    test_release(&x.d, row);
    test_release(&x.d, column);
}

/* What the segment writes does not fit a number of bytes. */
static void sizes_that_overflow_together(void **state)
{
    (void)state;
    const int64_t count = (int64_t)1 << 59; /* 2^61 bytes */
    sinter_tensor huge[5];
    for (int i = 0; i < 5; i++)
        OK(sinter_full(x.s, SINTER_F32, 1, &count, sinter_scalar_float(i), &huge[i]));
    FAILS(SINTER_EDEVMEM, sinter_stream_sync(x.s));
    for (int i = 0; i < 5; i++)
        test_release(&x.d, huge[i]);
}

/* More than the device holds: the operation is queued, its result fails, the next one works. */
static void a_size_over_the_limit_of_the_device(void **state)
{
    (void)state;
    sinter_device_info info = SINTER_DEVICE_INFO_INIT;
    sinter_tensor huge;
    char limit[32];
    float first[1];
    OK(sinter_context_device(x.d.ctx, &info));
    (void)snprintf(limit, sizeof limit, "%llu", (unsigned long long)info.max_allocation_bytes);
    int64_t count = (int64_t)(info.max_allocation_bytes / sizeof(float)) + 1024;
    OK(sinter_full(x.s, SINTER_F32, 1, &count, sinter_scalar_float(1.0), &huge));
    REFUSED_PLAIN(SINTER_EDEVMEM, limit, sinter_stream_sync(x.s));
    OK(sinter_stream_sync(x.s));
    REFUSED_PLAIN(SINTER_ERANGE, "4", sinter_tensor_read(x.s, huge, first, sizeof first));
    test_release(&x.d, huge);
}

static void handles_that_are_none(void **state)
{
    (void)state;
    const sinter_tensor null = {0};
    sinter_tensor gone;
    float place[224];
    char name[32];
    REFUSED(SINTER_EHANDLE, "add|null handle", sinter_add(x.s, x.a, null, &x.out));
    OK(sinter_neg(x.s, x.a, &gone));
    OK(sinter_tensor_release(x.s, gone));
    (void)snprintf(name, sizeof name, "%#llx", (unsigned long long)gone.id);
    REFUSED(SINTER_EHANDLE, name, sinter_neg(x.s, gone, &x.out));
    REFUSED(SINTER_EHANDLE, name, sinter_matmul(x.s, gone, x.a, &x.out));
    REFUSED(SINTER_EHANDLE, name, sinter_slice(x.s, gone, 0, 0, 1, 1, &x.out));
    REFUSED_PLAIN(SINTER_EHANDLE, name, sinter_tensor_release(x.s, gone));
    REFUSED_PLAIN(SINTER_EHANDLE, name, sinter_tensor_release(NULL, gone));
    REFUSED_PLAIN(SINTER_EHANDLE, name, sinter_tensor_read(x.s, gone, place, sizeof place));
    REFUSED_PLAIN(SINTER_EHANDLE, name, sinter_tensor_retain(x.d.ctx, gone));
    const sinter_tensor noise = {UINT64_MAX};
    REFUSED(SINTER_EHANDLE, "0xffffffffffffffff", sinter_neg(x.s, noise, &x.out));
    REFUSED_PLAIN(SINTER_EHANDLE, "0xffffffffffffffff", sinter_tensor_release(NULL, noise));
}

static void a_tensor_of_another_context(void **state)
{
    (void)state;
    test_device other = test_open(NULL);
    float place[224];
    REFUSED(SINTER_EHANDLE, "another context", sinter_neg(other.s, x.a, &x.out));
    REFUSED_PLAIN(SINTER_EHANDLE, "another context",
                  sinter_tensor_read(other.s, x.a, place, sizeof place));
    REFUSED_PLAIN(SINTER_EHANDLE, "another context", sinter_tensor_release(other.s, x.a));
    test_close(&other);
}

static void places_that_are_missing(void **state)
{
    (void)state;
    float place[225];
    REFUSED_PLAIN(SINTER_EINVAL, "add", sinter_add(x.s, x.a, x.a, NULL));
    REFUSED(SINTER_EINVAL, "stream", sinter_add(NULL, x.a, x.a, &x.out));
    REFUSED_PLAIN(SINTER_EINVAL, "matmul", sinter_matmul(x.s, x.a, x.b, NULL));
    REFUSED(SINTER_EINVAL, "NULL", sinter_matmul(NULL, x.a, x.b, &x.out));
    REFUSED(SINTER_EINVAL, "data",
            sinter_tensor_from_host(x.s, SINTER_F32, 1, ROW(4), NULL, &x.out));
    REFUSED(SINTER_EINVAL, "shape",
            sinter_tensor_from_host(x.s, SINTER_F32, 1, NULL, place, &x.out));
    REFUSED_PLAIN(SINTER_EINVAL, "NULL", sinter_tensor_read(x.s, x.a, NULL, 896));
    REFUSED_PLAIN(SINTER_ERANGE, "896|900", sinter_tensor_read(x.s, x.a, place, 900));
    REFUSED_PLAIN(SINTER_EINVAL, "NULL", sinter_stream_sync(NULL));
    REFUSED_PLAIN(SINTER_EINVAL, "NULL", sinter_stream_flush(NULL));
    REFUSED_PLAIN(SINTER_EINVAL, "NULL", sinter_stream_wait(NULL, 0));
    REFUSED_PLAIN(SINTER_EINVAL, "report", sinter_report_write(x.s, NULL, NULL));
    REFUSED_PLAIN(SINTER_EINVAL, "visitor", sinter_report_memory(x.s, NULL, NULL));
}

static void scopes_that_do_not_match(void **state)
{
    (void)state;
    REFUSED_PLAIN(SINTER_EINVAL, "no scope", sinter_scope_close(x.s, 0, NULL));
    OK(sinter_scope_open(x.s));
    REFUSED_PLAIN(SINTER_EHANDLE, "0x", sinter_scope_close(x.s, 1, &x.a));
    REFUSED_PLAIN(SINTER_EINVAL, "NULL", sinter_scope_close(x.s, 1, NULL));
    OK(sinter_scope_close(x.s, 0, NULL));
}

/* A tensor outlives its stream; a context does not go while a stream lives. */
static void a_stream_that_is_destroyed(void **state)
{
    (void)state;
    sinter_stream *other;
    sinter_tensor y;
    float in[224];
    float out[224];
    OK(sinter_stream_create(x.d.ctx, NULL, &other));
    OK(sinter_neg(other, x.a, &y));
    OK(sinter_stream_destroy(other));
    test_read(&x.d, x.a, in, 224);
    test_read(&x.d, y, out, 224);
    for (int i = 0; i < 224; i++)
        assert_true(out[i] == -in[i]);
    test_release(&x.d, y);
    REFUSED_PLAIN(SINTER_EBUSY, "1 stream", sinter_context_destroy(x.d.ctx));
}

static void options_out_of_range(void **state)
{
    (void)state;
    const sinter_context_options good = SINTER_CONTEXT_OPTIONS_INIT;
    sinter_context *ctx;
    sinter_context_options o = good;
    o.lanes = 3;
    REFUSED_PLAIN(SINTER_EINVAL, "3 lanes", sinter_context_create(&o, &ctx));
    assert_null(ctx);
    o = good;
    o.style = (sinter_style)9;
    REFUSED_PLAIN(SINTER_EINVAL, "style 9", sinter_context_create(&o, &ctx));
    o = good;
    o.size = 12;
    REFUSED_PLAIN(SINTER_EINVAL, "12 bytes", sinter_context_create(&o, &ctx));
    o = good;
    o.max_pending_ops = 5000;
    REFUSED_PLAIN(SINTER_EINVAL, "5000|4096", sinter_context_create(&o, &ctx));
    o = good;
    o.device = "nonesuch";
    REFUSED_PLAIN(SINTER_ENODEVICE, "nonesuch|host reference device",
                  sinter_context_create(&o, &ctx));
    o.device = "9:9";
    REFUSED_PLAIN(SINTER_ENODEVICE, "9:9", sinter_context_create(&o, &ctx));
    assert_null(ctx);
    o = good;
    o.size += 8;
    REFUSED_PLAIN(SINTER_EINVAL, "this library knows", sinter_context_create(&o, &ctx));
    o = good;
    o.switches = 1u << 20;
    REFUSED_PLAIN(SINTER_EINVAL, "switches 0x1000", sinter_context_create(&o, &ctx));
    o = good;
    o.mode = (sinter_mode)5;
    REFUSED_PLAIN(SINTER_EINVAL, "mode 5", sinter_context_create(&o, &ctx));
    o = good;
    o.memory_mode = (sinter_memory_mode)9;
    REFUSED_PLAIN(SINTER_EINVAL, "memory mode 9", sinter_context_create(&o, &ctx));
    o = good;
    o.debug = 8;
    REFUSED_PLAIN(SINTER_EINVAL, "debug level 8", sinter_context_create(&o, &ctx));
    o = good;
    o.lanes = 32;
    REFUSED_PLAIN(SINTER_EINVAL, "32 lanes", sinter_context_create(&o, &ctx));
}

static void options_of_a_stream(void **state)
{
    (void)state;
    sinter_stream_options wrong = {.size = 4};
    sinter_stream *s;
    REFUSED_PLAIN(SINTER_EINVAL, "4 bytes", sinter_stream_create(x.d.ctx, &wrong, &s));
    assert_null(s);
    wrong = (sinter_stream_options){.size = 8, .device = 7};
    REFUSED_PLAIN(SINTER_EINVAL, "7", sinter_stream_create(x.d.ctx, &wrong, &s));
    wrong = (sinter_stream_options){.size = sizeof wrong + 8};
    REFUSED_PLAIN(SINTER_EINVAL, "24 bytes", sinter_stream_create(x.d.ctx, &wrong, &s));
    wrong = (sinter_stream_options){.size = sizeof wrong, .reserved = 7};
    REFUSED_PLAIN(SINTER_EINVAL, "reserved is 7", sinter_stream_create(x.d.ctx, &wrong, &s));
    const sinter_scalar odd = {.kind = (sinter_scalar_kind)9, .value.u = 1};
    sinter_tensor t = {.id = 1};
    REFUSED_PLAIN(SINTER_EINVAL, "kind 9", sinter_full(x.d.s, SINTER_F32, 0, NULL, odd, &t));
    assert_true(t.id == 0);
    REFUSED_PLAIN(SINTER_EINVAL, "kind 9",
                  sinter_arange(x.d.s, SINTER_I32, 3, sinter_scalar_int(0), odd, &t));
}

static void variables_that_cannot_be(void **state)
{
    (void)state;
    const sinter_context_options good = SINTER_CONTEXT_OPTIONS_INIT;
    sinter_context *ctx;
    assert_int_equal(setenv("SINTER_LANES", "twelve", 1), 0);
    REFUSED_PLAIN(SINTER_EINVAL, "SINTER_LANES|twelve", sinter_context_create(&good, &ctx));
    assert_int_equal(unsetenv("SINTER_LANES"), 0);
    assert_int_equal(setenv("SINTER_MODE", "fast", 1), 0);
    REFUSED_PLAIN(SINTER_EINVAL, "SINTER_MODE|fast", sinter_context_create(&good, &ctx));
    assert_int_equal(unsetenv("SINTER_MODE"), 0);
    static const char *const levels[] = {"8", "-1"};
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(setenv("SINTER_DEBUG", levels[i], 1), 0);
        REFUSED_PLAIN(SINTER_EINVAL, "SINTER_DEBUG", sinter_context_create(&good, &ctx));
    }
    assert_int_equal(unsetenv("SINTER_DEBUG"), 0);
}

/* A program built with a header of fewer fields: nothing past them is read or written. */
static void structs_of_an_older_header(void **state)
{
    (void)state;
    sinter_context_options o = SINTER_CONTEXT_OPTIONS_INIT;
    sinter_context *ctx;
    o.size = offsetof(sinter_context_options, log_fn);
    memset(&o.log_fn, 0xab, sizeof o - o.size);
    OK(sinter_context_create(&o, &ctx));
    OK(sinter_context_destroy(ctx));
    sinter_stats stats = SINTER_STATS_INIT;
    stats.size = offsetof(sinter_stats, live_tensors);
    stats.live_tensors = 12345;
    OK(sinter_context_stats(x.d.ctx, &stats));
    assert_int_equal(stats.live_tensors, 12345);
    assert_int_equal(stats.size, offsetof(sinter_stats, live_tensors));
    stats.size = 0;
    REFUSED_PLAIN(SINTER_EINVAL, "0 bytes|_INIT", sinter_context_stats(x.d.ctx, &stats));
    struct {
        sinter_device_info info;
        uint64_t more[2]; /* of a header with more fields */
    } all[2] = {{SINTER_DEVICE_INFO_INIT, {7, 7}}};
    size_t count;
    all[0].info.size = sizeof all[0];
    OK(sinter_device_list(&all[0].info, 2, &count));
    assert_int_equal(all[0].info.size, sizeof(sinter_device_info));
    assert_int_equal(all[0].more[0], 7);
    assert_true(count < 2 || all[1].info.size == sizeof(sinter_device_info));
    all[0].info.size = offsetof(sinter_device_info, void_clauses) - 4;
    all[0].info.void_clauses = 12345;
    OK(sinter_context_device(x.d.ctx, &all[0].info));
    assert_int_equal(all[0].info.void_clauses, 12345);
    all[0].info.size = 3;
    REFUSED_PLAIN(SINTER_EINVAL, "3 bytes", sinter_context_device(x.d.ctx, &all[0].info));
    REFUSED_PLAIN(SINTER_EINVAL, "3 bytes", sinter_device_list(&all[0].info, 1, &count));
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, open_all, close_all)
    const struct CMUnitTest tests[] = {
        CASE(shapes_that_do_not_fit),       CASE(compositions_that_cannot_be),
        CASE(shapes_that_do_not_fit),       CASE(axes_out_of_range),
        CASE(dtypes_that_are_not_taken),    CASE(numbers_that_do_not_fit),
        CASE(sizes_that_overflow),          CASE(a_broadcast_that_overflows),
        CASE(sizes_that_overflow_together), CASE(a_size_over_the_limit_of_the_device),
        CASE(handles_that_are_none),        CASE(a_tensor_of_another_context),
        CASE(places_that_are_missing),      CASE(scopes_that_do_not_match),
        CASE(a_stream_that_is_destroyed),   CASE(options_out_of_range),
        CASE(options_of_a_stream),          CASE(variables_that_cannot_be),
        CASE(structs_of_an_older_header),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
