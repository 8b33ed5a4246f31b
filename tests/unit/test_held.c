/* What is held is counted and named, and a leak of each kind is found: the proof that no test hides
 * one (support/leaks.c). Of OpenCL objects: tests/fault/planted_leak.c. */
#include "support/support.h"

#include "executor/context/context.h"

#include <stdio.h>
#include <string.h>

static const int64_t shape[] = {32, 7};

static sinter_held held_by(const test_device *d)
{
    sinter_held h = SINTER_HELD_INIT;
    OK(sinter_context_held(d->ctx, &h, NULL, NULL));
    return h;
}

static void assert_held(const test_device *d, uint64_t tensors, uint64_t aliases, uint64_t frees,
                        uint64_t storages)
{
    sinter_held h = held_by(d);
    assert_int_equal(h.tensors, tensors);
    assert_int_equal(h.aliases, aliases);
    assert_int_equal(h.pending_frees, frees);
    assert_int_equal(h.storages, storages);
    assert_int_equal(h.storage_bytes, storages * 32 * 7 * sizeof(float));
}

static void what_is_held_is_counted(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    test_device e = {.ctx = d.ctx};
    sinter_tensor y;
    OK(sinter_stream_create(d.ctx, NULL, &e.s));
    assert_int_equal(held_by(&d).streams, 2);
    assert_held(&d, 0, 0, 0, 0);
    sinter_tensor x = test_floats(&d, 2, shape, NULL);
    assert_held(&d, 1, 0, 0, 1);
    OK(sinter_neg(d.s, x, &y)); /* the queue holds x as well */
    assert_held(&d, 2, 1, 0, 1);
    test_release(&e, x);
    assert_held(&d, 1, 1, 1, 1);
    OK(sinter_stream_sync(d.s));
    assert_held(&d, 1, 0, 0, 1);
    OK(sinter_stream_destroy(e.s));
    OK(sinter_stream_destroy(d.s));
    assert_int_equal(held_by(&d).streams, 0);
    assert_held(&d, 1, 0, 0, 1);
    OK(sinter_tensor_release(NULL, y));
    assert_held(&d, 0, 0, 0, 0);
    OK(sinter_context_destroy(d.ctx));
}

/* Lines of the log */

static char lines[1 << 14];

static void keep_line(void *user, int level, const char *message)
{
    int *most = user;
    size_t used = strlen(lines);
    if (level > *most)
        return;
    assert_true(used + strlen(message) + 2 < sizeof lines);
    memcpy(lines + used, message, strlen(message) + 1);
    (void)strcat(lines, "\n");
}

static test_device open_logging(int *level)
{
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.log_fn = keep_line;
    options.log_user = level;
    options.debug = *level;
    lines[0] = '\0';
    return test_open(&options);
}

static void assert_says(const char *part, size_t times)
{
    if (test_occurrences(lines, part) != times)
        fail_msg("'%s' is not there %zu times: %s", part, times, lines);
}

static void a_context_says_what_it_still_held(void **state)
{
    (void)state;
    int level = 0;
    sinter_tensor x[10];
    test_device d = open_logging(&level);
    for (int i = 0; i < 10; i++)
        x[i] = test_floats(&d, 2, shape, NULL);
    char handle[32];
    /* slots are taken from the last of a batch */
    (void)snprintf(handle, sizeof handle, "handle %#llx, ", (unsigned long long)x[9].id);
    OK(sinter_stream_destroy(d.s));
    assert_string_equal(lines, ""); /* that is no mistake */
    test_leaves_tensors();
    OK(sinter_context_destroy(d.ctx));
    assert_says("held: tensors: 10, aliases: 0, pending frees: 0, storages: 10, bytes: 8960, "
                "streams: 0\n",
                1);
    assert_says("f32 [32,7], without a stream, references: 1\n", 8);
    assert_says(handle, 1);
}

static void a_stream_says_what_outlives_it(void **state)
{
    (void)state;
    int level = 1;
    test_device d = open_logging(&level);
    sinter_tensor x = test_floats(&d, 2, shape, NULL);
    sinter_stream *s;
    OK(sinter_stream_create(d.ctx, NULL, &s));
    OK(sinter_stream_destroy(s));
    assert_says("held:", 0); /* of its own there was nothing */
    OK(sinter_stream_destroy(d.s));
    assert_says("f32 [32,7], of stream 1, references: 1\n", 1);
    assert_says("held: tensors that outlive stream 1, which has gone: 1\n", 1);
    OK(sinter_tensor_release(NULL, x));
    lines[0] = '\0';
    OK(sinter_context_destroy(d.ctx));
    assert_says("held:", 0);
}

static void all_tensors_are_written(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    static test_text t;
    sinter_tensor x[10];
    for (int i = 0; i < 10; i++)
        x[i] = test_floats(&d, 2, shape, NULL);
    OK(sinter_tensor_retain(d.ctx, x[9]));
    OK(sinter_context_held(d.ctx, NULL, test_text_add, &t));
    assert_int_equal(test_occurrences(t.data, "f32 [32,7], of stream 1, references: "), 10);
    assert_int_equal(test_occurrences(t.data, "references: 2\n"), 1);
    assert_int_equal(test_occurrences(t.data, "\n"), 11);
    test_release(&d, x[9]);
    for (int i = 0; i < 10; i++)
        test_release(&d, x[i]);
    FAILS(SINTER_EINVAL, sinter_context_held(NULL, NULL, test_text_add, &t));
    FAILS(SINTER_EINVAL, sinter_context_held(d.ctx, NULL, NULL, NULL));
    sinter_held h = {.size = 3};
    FAILS(SINTER_EINVAL, sinter_context_held(d.ctx, &h, NULL, NULL));
    test_close(&d);
}

/* Planted leaks: each is found, and undone. The context has no stream any more. */

static void assert_found(sinter_context *ctx, const char *wanted)
{
    const char *found = test_leaks(ctx);
    if (wanted == NULL)
        assert_null(found);
    else
        assert_string_equal(found, wanted);
}

static void a_leak_of_each_kind_is_found(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    sinter_context *ctx = d.ctx;
    sinter_tensor x = test_floats(&d, 2, shape, NULL);
    sinter__slot *slot;
    OK(sinter__slot_find(ctx, x, &slot));
    sinter__storage *storage = slot->storage;
    OK(sinter_stream_destroy(d.s));
    assert_found(ctx, "1 tensors are left");
    sinter__storage_retain(storage); /* what a forgotten alias does */
    assert_found(ctx, "1 aliases are left");
    OK(sinter_tensor_release(NULL, x));
    assert_found(ctx, "1 aliases are left");
    sinter__storage_release(storage);
    assert_found(ctx, NULL);
    slot->references = 1; /* released elsewhere, and no stream is left to free it */
    assert_found(ctx, "1 pending frees are left");
    slot->references = 0;
    assert_found(ctx, NULL);
    OK(sinter_context_destroy(ctx));
}

static void a_pool_that_is_not_whole_is_found(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    sinter__opened *on = &d.ctx->devices[0];
    sinter__pool *pool;
    sinter__storage *storage;
    void *queue;
    OK(sinter_stream_destroy(d.s));
    OK(on->backend->queue_create(on->state, false, NULL, &queue));
    OK(sinter__pool_create(&on->memory, queue, &pool));
    OK(sinter__storage_create(pool, 100, &storage));
    sinter__storage_release(storage);
    assert_found(d.ctx, test_is_pooled() ? "1 slabs are left" : NULL);
    sinter__pool_orphan(pool);
    on->backend->queue_release(on->state, queue);
    assert_found(d.ctx, NULL);
    atomic_fetch_add(&on->memory.used_bytes, 8); /* given back to nobody */
    assert_found(d.ctx, "8 bytes in pools are left");
    atomic_fetch_sub(&on->memory.used_bytes, 8);
    OK(sinter_context_destroy(d.ctx));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_held_is_counted),
        cmocka_unit_test(a_context_says_what_it_still_held),
        cmocka_unit_test(a_stream_says_what_outlives_it),
        cmocka_unit_test(all_tensors_are_written),
        cmocka_unit_test(a_leak_of_each_kind_is_found),
        cmocka_unit_test(a_pool_that_is_not_whole_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
