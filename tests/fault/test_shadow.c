/* What valgrind is told of the pool (executor/memory/shadow.h): in a slab only storages may be touched, each to its last
 * byte and while it lives. Runs under valgrind, in a build with the option SINTER_VALGRIND. */
#include "support/host_pool.h"
#include "support/support.h"

#include <string.h>
#include <valgrind/memcheck.h>

enum { ALIGNMENT = HOST_POOL_ALIGNMENT, BYTES = 100 };

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
    host_pool b;
    sinter__storage *one;
    sinter__storage *other;
    bool written;
    host_pool_open(&b, SINTER_MEMORY_AUTO, "");
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
    host_pool_close(&b);
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
