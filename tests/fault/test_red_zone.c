/* Memory mode red_zone: what is written beside a tensor is found and named, and nothing else is: in the
 * pool itself, and after launches with a wrong write planted behind them. */
#include "support/cl_layer.h"
#include "support/host_pool.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

#define ALIGNMENT HOST_POOL_ALIGNMENT

static void plant(host_pool *b, const sinter__storage *s, int64_t at, uint8_t byte)
{
    sinter__address to = s->address;
    to.offset_bytes += (uint64_t)at;
    OK(b->backend->write(b->device, b->queue, to, &byte, 1));
}

static void is_whole(sinter__storage *s)
{
    sinter__damage damage;
    OK(sinter__storage_check(s, &damage));
    assert_false(damage.found);
}

/* Every byte around storages of several sizes, and every byte in them. */
static void every_byte_around(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {1, 4, 100, 127, 128, 129, 1000};
    enum { COUNT = sizeof sizes / sizeof sizes[0] };
    host_pool b;
    sinter__storage *all[COUNT];
    host_pool_open(&b, SINTER_MEMORY_RED_ZONE, NULL);
    for (int i = 0; i < COUNT; i++) {
        OK(sinter__storage_create(b.pool, sizes[i], &all[i]));
        assert_int_equal(all[i]->address.offset_bytes % ALIGNMENT, 0);
    }
    for (int i = 0; i < COUNT; i++) {
        int64_t bytes = (int64_t)sizes[i];
        for (int64_t at = 0; at < bytes; at++)
            plant(&b, all[i], at, (uint8_t)at);
        for (int k = 0; k < COUNT; k++)
            is_whole(all[k]);
        for (int64_t at = -ALIGNMENT; at < bytes + ALIGNMENT; at++) {
            sinter__damage damage;
            if (at >= 0 && at < bytes)
                continue;
            plant(&b, all[i], at, 7);
            is_whole(all[(i + 1) % COUNT]); /* zones are nobody else's */
            is_whole(all[(i + COUNT - 1) % COUNT]);
            OK(sinter__storage_check(all[i], &damage));
            assert_true(damage.found);
            assert_int_equal(damage.at_bytes, at);
            assert_int_equal(damage.byte, 7);
            is_whole(all[i]); /* it was made good */
        }
    }
    for (int i = 0; i < COUNT; i++)
        sinter__storage_release(all[i]);
    host_pool_close(&b);
}

static void says(const char *text)
{
    if (strstr(sinter_last_error(), text) == NULL)
        fail_msg("'%s' is not in '%s'", text, sinter_last_error());
}

/* x, 10 floats at the beginning of the first slab, and exp(x) behind it; `offset` in zones and bytes of
 * the slab is written after the launch. */
static void a_wrong_write(uint64_t zones, uint64_t bytes, const char *text)
{
    const cl_layer *layer = test_cl_layer();
    const int64_t ten[] = {10};
    float out[10];
    sinter_tensor y;
    sinter_tensor z;
    sinter_device_info info = SINTER_DEVICE_INFO_INIT;
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.memory_mode = SINTER_MEMORY_RED_ZONE;
    test_device d = test_open(&options);
    OK(sinter_context_device(d.ctx, &info));
    uint64_t zone = info.alignment_bytes > 128 ? info.alignment_bytes : 128;
    sinter_tensor x = test_floats(&d, 1, ten, NULL);
    OK(sinter_exp(d.s, x, &y));
    if (layer != NULL && text != NULL)
        layer->scribble(zones * zone + bytes);
    if (layer != NULL && text != NULL) {
        FAILS(SINTER_EINTERNAL, sinter_stream_sync(d.s));
        says(text);
        FAILS(SINTER_EINTERNAL, sinter_tensor_read(d.s, y, out, sizeof out));
        says(text);
    } else {
        OK(sinter_stream_sync(d.s));
        test_read(&d, y, out, 10);
    }
    /* The stream goes on, and the damage was made good. */
    OK(sinter_exp(d.s, x, &z));
    test_read(&d, z, out, 10);
    test_release(&d, x);
    test_release(&d, y);
    test_release(&d, z);
    test_close(&d);
    (void)ten;
}

static void wrong_writes(void **state)
{
    (void)state;
    a_wrong_write(0, 0, NULL); /* none */
    a_wrong_write(
        1, 40, "red zone: after step 1 of 1 byte 1 behind f32 [10], an input of 40 bytes is 0x42");
    a_wrong_write(
        1, 43, "red zone: after step 1 of 1 byte 4 behind f32 [10], an input of 40 bytes is 0x42");
    a_wrong_write(0, 0, "before f32 [10], an input of 40 bytes is 0x42");
    a_wrong_write(
        4, 40,
        "red zone: after step 1 of 1 byte 1 behind f32 [10], made by exp of 40 bytes is 0x42");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_byte_around),
        cmocka_unit_test(wrong_writes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
