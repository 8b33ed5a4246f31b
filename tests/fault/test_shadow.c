/* What valgrind is told of the pool (executor/shadow.h): in a slab only storages may be touched, each to its last
 * byte and while it lives. Runs under valgrind, in a build with the option SINTER_VALGRIND. */
#include "support/support.h"

#include "executor/backend.h"
#include "executor/pool.h"

#include <string.h>
#include <valgrind/memcheck.h>

enum { ALIGNMENT = 128, BYTES = 100 };

typedef struct bench {
    sinter__allocator allocator;
    sinter__backend_counts counts;
    const sinter__backend *backend;
    void *device;
    void *queue;
    sinter__memory_shared memory;
    sinter__pool *pool;
} bench;

static void open_bench(bench *b)
{
    sinter__allocator_init(&b->allocator, NULL, NULL);
    OK(sinter__backend_host_open(NULL, &b->allocator, &b->counts, &b->backend, &b->device));
    OK(b->backend->queue_create(b->device, false, &b->queue));
    b->memory = (sinter__memory_shared){.allocator = &b->allocator,
                                        .backend = b->backend,
                                        .state = b->device,
                                        .counts = &b->counts,
                                        .max_slab_bytes = (uint64_t)64 << 20,
                                        .alignment_bytes = ALIGNMENT,
                                        .host_root = ""};
    OK(sinter__memory_shared_init(&b->memory));
    OK(sinter__pool_create(&b->memory, b->queue, &b->pool));
}

static void close_bench(bench *b)
{
    sinter__pool_orphan(b->pool);
    sinter__memory_shared_finish(&b->memory);
    b->backend->queue_release(b->device, b->queue);
    b->backend->close(b->device);
    assert_int_equal(atomic_load(&b->allocator.live_bytes), 0);
}

/* Whether `bytes` may be touched, and whether all of them have been written. */
static bool is_open(const unsigned char *at, size_t bytes, bool *written)
{
    unsigned char bits[BYTES] = {0};
    unsigned result = VALGRIND_GET_VBITS(at, bits, bytes);
    assert_true(result == 1 || result == 3); /* 3: some of them may not */
    *written = true;
    for (size_t i = 0; i < bytes && result == 1; i++)
        *written &= bits[i] == 0;
    return result == 1;
}

static void only_storages_are_open(void **state)
{
    (void)state;
    static const unsigned char data[BYTES];
    bench b = {0};
    sinter__storage *one;
    sinter__storage *other;
    bool written;
    open_bench(&b);
    OK(sinter__storage_create(b.pool, BYTES, &one));
    OK(sinter__storage_create(b.pool, BYTES, &other));
    const unsigned char *at = (unsigned char *)one->address.memory + one->address.offset_bytes;
    const unsigned char *next =
        (unsigned char *)other->address.memory + other->address.offset_bytes;
    assert_true(is_open(at, BYTES, &written));
    assert_false(written);
    assert_false(is_open(at + BYTES, 1, &written));
    OK(b.backend->write(b.device, b.queue, one->address, data, BYTES));
    assert_true(is_open(at, BYTES, &written));
    assert_true(written);
    sinter__storage_release(one);
    assert_false(is_open(at, 1, &written));
    assert_false(is_open(at + BYTES - 1, 1, &written));
    assert_true(is_open(next, BYTES, &written));
    sinter__storage_release(other);
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(only_storages_are_open)};
    if (RUNNING_ON_VALGRIND == 0) {
        print_message("skipped: not under valgrind\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
