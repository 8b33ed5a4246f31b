/* Mapping: what the device computed is there, what the host writes is what the device goes on with, and
 * everything else is refused while a tensor is mapped. With SINTER_TEST_CL=apart the device says that it
 * shares no memory: then the same goes through copies. */
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

static const int64_t shape[] = {3, 50};
enum { COUNT = 150 };

static bool is_apart(const test_device *d)
{
    const char *mode = getenv("SINTER_TEST_CL");
    sinter_device_info info = SINTER_DEVICE_INFO_INIT;
    OK(sinter_context_device(d->ctx, &info));
    if (mode != NULL && strcmp(mode, "apart") == 0)
        assert_false(info.unified_memory);
    return !info.unified_memory;
}

static float *map(const test_device *d, sinter_tensor t, sinter_map_access access)
{
    void *data;
    size_t bytes;
    OK(sinter_tensor_map(d->s, t, access, &data, &bytes));
    assert_int_equal(bytes, COUNT * sizeof(float));
    assert_non_null(data);
    return data;
}

static sinter_tensor ones(const test_device *d)
{
    sinter_tensor t;
    OK(sinter_full(d->s, SINTER_F32, 2, shape, sinter_scalar_float(1.0), &t));
    return t;
}

static void copies(const test_device *d, uint64_t maps)
{
    sinter_stats stats = test_stats(d);
    assert_int_equal(stats.mapped_bytes, maps * COUNT * sizeof(float));
    assert_int_equal(stats.map_copied_bytes, is_apart(d) ? stats.mapped_bytes : 0);
}

static void there_and_back(void **state)
{
    (void)state;
    float out[COUNT];
    test_device d = test_open(NULL);
    sinter_tensor x = ones(&d);
    sinter_tensor y;
    for (int turn = 0; turn < 3; turn++) { /* the pending result of the turn before is mapped */
        float *data = map(&d, x, SINTER_MAP_WRITE);
        for (int i = 0; i < COUNT; i++) {
            assert_true(data[i] == (turn == 0 ? 1.0f : -(float)(i + turn - 1)));
            data[i] = (float)(i + turn);
        }
        OK(sinter_tensor_unmap(d.s, x));
        OK(sinter_neg(d.s, x, &y));
        test_release(&d, x);
        x = y;
    }
    copies(&d, 3);
    float *data = map(&d, x, SINTER_MAP_READ);
    for (int i = 0; i < COUNT; i++)
        assert_true(data[i] == -(float)(i + 2));
    OK(sinter_tensor_unmap(d.s, x));
    test_read(&d, x, out, COUNT);
    assert_true(out[COUNT - 1] == -151.0f);
    copies(&d, 4);
    test_release(&d, x);
    test_close(&d);
}

/* Two in one slab, mapped at once; what was written to one does not show in the other. */
static void two_at_once(void **state)
{
    (void)state;
    float out[COUNT];
    test_device d = test_open(NULL);
    sinter_tensor x = ones(&d);
    sinter_tensor y = ones(&d);
    float *to = map(&d, x, SINTER_MAP_WRITE);
    const float *from = map(&d, y, SINTER_MAP_READ);
    for (int i = 0; i < COUNT; i++)
        to[i] = from[i] + (float)i;
    OK(sinter_tensor_unmap(d.s, y));
    FAILS(SINTER_EBUSY, sinter_stream_flush(d.s));
    OK(sinter_tensor_unmap(d.s, x));
    OK(sinter_stream_flush(d.s));
    test_read(&d, x, out, COUNT);
    assert_true(out[7] == 8.0f);
    test_read(&d, y, out, COUNT);
    assert_true(out[7] == 1.0f);
    test_release(&d, x);
    test_release(&d, y);
    test_close(&d);
}

static void the_stream_rests(void **state)
{
    (void)state;
    float out[COUNT] = {0};
    void *data;
    size_t bytes;
    test_device d = test_open(NULL);
    sinter_stream *other;
    sinter_tensor x = ones(&d);
    sinter_tensor y = ones(&d);
    sinter_tensor z;
    OK(sinter_stream_create(d.ctx, NULL, &other));
    (void)map(&d, x, SINTER_MAP_READ);
    FAILS(SINTER_EBUSY, sinter_tensor_map(d.s, x, SINTER_MAP_READ, &data, &bytes));
    assert_null(data);
    FAILS(SINTER_EBUSY, sinter_tensor_read(d.s, x, out, sizeof out));
    FAILS(SINTER_EBUSY, sinter_tensor_read(d.s, y, out, sizeof out));
    FAILS(SINTER_EBUSY, sinter_tensor_release(d.s, x));
    FAILS(SINTER_EBUSY, sinter_tensor_release(NULL, x));
    FAILS(SINTER_EBUSY, sinter_neg(d.s, y, &z));
    FAILS(SINTER_EBUSY, sinter_tensor_from_host(d.s, SINTER_F32, 2, shape, out, &z));
    FAILS(SINTER_EBUSY, sinter_stream_flush(d.s));
    FAILS(SINTER_EBUSY, sinter_stream_sync(d.s));
    FAILS(SINTER_EBUSY, sinter_neg(other, y, &z));
    FAILS(SINTER_EBUSY, sinter_tensor_read(other, y, out, sizeof out));
    /* What needs no queue goes on. */
    sinter_tensor_desc desc;
    OK(sinter_tensor_describe(d.ctx, x, &desc));
    OK(sinter_tensor_retain(d.ctx, x));
    OK(sinter_tensor_release(d.s, x));
    OK(sinter_tensor_unmap(d.s, x));
    FAILS(SINTER_EINVAL, sinter_tensor_unmap(d.s, x));
    OK(sinter_neg(other, y, &z));
    OK(sinter_tensor_read(other, z, out, sizeof out));
    assert_true(out[0] == -1.0f);
    test_release(&d, x);
    test_release(&d, y);
    test_release(&d, z);
    OK(sinter_stream_destroy(other));
    test_close(&d);
}

static void what_cannot_be_mapped(void **state)
{
    (void)state;
    void *data;
    size_t bytes;
    float out[COUNT];
    const int64_t flat[] = {COUNT};
    const int64_t none[] = {0, 4};
    test_device d = test_open(NULL);
    sinter_stream *other;
    sinter_tensor turned;
    sinter_tensor view;
    sinter_tensor empty;
    OK(sinter_stream_create(d.ctx, NULL, &other));
    sinter_tensor x = ones(&d);
    OK(sinter_stream_flush(d.s));
    OK(sinter_transpose(d.s, x, NULL, &turned));
    FAILS(SINTER_EUNSUPPORTED, sinter_tensor_map(d.s, turned, SINTER_MAP_READ, &data, &bytes));
    test_release(&d, turned);
    OK(sinter_reshape(d.s, x, 1, flat, &view));
    FAILS(SINTER_EBUSY, sinter_tensor_map(d.s, view, SINTER_MAP_WRITE, &data, &bytes));
    (void)map(&d, view, SINTER_MAP_READ); /* that harms nobody */
    OK(sinter_tensor_unmap(d.s, view));
    test_release(&d, x);
    (void)map(&d, view, SINTER_MAP_WRITE); /* alone now */
    OK(sinter_tensor_unmap(d.s, view));
    FAILS(SINTER_EINVAL, sinter_tensor_map(other, view, SINTER_MAP_READ, &data, &bytes));
    FAILS(SINTER_EINVAL, sinter_tensor_unmap(other, view));
    FAILS(SINTER_EINVAL, sinter_tensor_map(NULL, view, SINTER_MAP_READ, &data, &bytes));
    FAILS(SINTER_EINVAL, sinter_tensor_map(d.s, view, SINTER_MAP_READ, NULL, &bytes));
    FAILS(SINTER_EINVAL, sinter_tensor_map(d.s, view, (sinter_map_access)3, &data, &bytes));
    FAILS(SINTER_EINVAL, sinter_tensor_unmap(NULL, view));
    test_read(&d, view, out, COUNT);
    test_release(&d, view);
    FAILS(SINTER_EHANDLE, sinter_tensor_map(d.s, view, SINTER_MAP_READ, &data, &bytes));
    FAILS(SINTER_EHANDLE, sinter_tensor_unmap(d.s, view));
    OK(sinter_full(d.s, SINTER_F32, 2, none, sinter_scalar_float(0.0), &empty));
    OK(sinter_tensor_map(d.s, empty, SINTER_MAP_WRITE, &data, &bytes));
    assert_int_equal(bytes, 0);
    OK(sinter_tensor_unmap(d.s, empty));
    test_release(&d, empty);
    OK(sinter_stream_destroy(other));
    test_close(&d);
}

/* What came from another stream may lie in a slab that this one goes on writing: it is brought over first, once,
 * and the other one need not rest. */
static void what_lies_with_another_stream(void **state)
{
    (void)state;
    float out[COUNT];
    void *data;
    size_t bytes;
    test_device d = test_open(NULL);
    sinter_stream *other;
    sinter_tensor x = ones(&d);
    sinter_tensor y = ones(&d);
    sinter_tensor z;
    sinter_tensor mine;
    OK(sinter_stream_create(d.ctx, NULL, &other));
    OK(sinter_tensor_to(other, x, &z));
    test_release(&d, x);
    OK(sinter_stream_sync(d.s));
    OK(sinter_full(other, SINTER_F32, 2, shape, sinter_scalar_float(3.0), &mine));
    OK(sinter_stream_sync(other));
    const char *mode = getenv("SINTER_MEMORY_MODE");
    bool in_slabs = mode == NULL || strcmp(mode, "separate") != 0;
    uint64_t before = test_stats(&d).launches;
    if (in_slabs) { /* a stream that rests cannot bring anything over */
        OK(sinter_tensor_map(other, mine, SINTER_MAP_READ, &data, &bytes));
        FAILS(SINTER_EBUSY, sinter_tensor_map(other, z, SINTER_MAP_READ, &data, &bytes));
        OK(sinter_tensor_unmap(other, mine));
    }
    for (int turn = 0; turn < 3; turn++) {
        OK(sinter_tensor_map(other, z, SINTER_MAP_WRITE, &data, &bytes));
        DECIDES(test_stats(&d).launches - before, in_slabs);
        assert_true(((float *)data)[2] == 1.0f + (float)turn);
        ((float *)data)[2] += 1.0f;
        OK(sinter_tensor_unmap(other, z));
    }
    OK(sinter_tensor_map(other, z, SINTER_MAP_WRITE, &data, &bytes));
    sinter_tensor w;
    OK(sinter_neg(d.s, y, &w)); /* the slab that it came from */
    OK(sinter_stream_sync(d.s));
    OK(sinter_tensor_unmap(other, z));
    test_read(&d, w, out, COUNT);
    assert_true(out[2] == -1.0f);
    OK(sinter_tensor_read(other, z, out, sizeof out));
    assert_true(out[2] == 4.0f && out[3] == 1.0f);
    test_release(&d, y);
    test_release(&d, w);
    OK(sinter_tensor_release(other, z));
    OK(sinter_tensor_release(other, mine));
    OK(sinter_stream_destroy(other));
    test_close(&d);
}

/* A scope, and the stream itself, may end first. */
static void ends_before_it_is_unmapped(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    OK(sinter_scope_open(d.s));
    (void)map(&d, ones(&d), SINTER_MAP_WRITE);
    OK(sinter_scope_close(d.s, 0, NULL));
    OK(sinter_stream_sync(d.s)); /* nothing is mapped */
    sinter_stream *other;
    sinter_tensor x;
    void *data;
    size_t bytes;
    float out[COUNT];
    OK(sinter_stream_create(d.ctx, NULL, &other));
    OK(sinter_full(other, SINTER_F32, 2, shape, sinter_scalar_float(1.0), &x));
    OK(sinter_tensor_map(other, x, SINTER_MAP_WRITE, &data, &bytes));
    ((float *)data)[1] = 5.0f;
    OK(sinter_stream_destroy(other));
    test_read(&d, x, out, COUNT); /* what was written is there */
    assert_true(out[0] == 1.0f && out[1] == 5.0f);
    test_release(&d, x);
    test_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_and_back),
        cmocka_unit_test(two_at_once),
        cmocka_unit_test(the_stream_rests),
        cmocka_unit_test(what_cannot_be_mapped),
        cmocka_unit_test(what_lies_with_another_stream),
        cmocka_unit_test(ends_before_it_is_unmapped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
