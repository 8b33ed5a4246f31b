/* What the host still has, from files as Linux writes them, where it is asked for large pages, and that a slab which is
 * over it is refused before it is made. */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "support/host_pool.h"
#include "support/pages.h"
#include "support/support.h"

#include "executor/memory/room.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MIB ((uint64_t)1 << 20)
#define ROOT SINTER_BINARY_DIR "/room_test"

/* Writes a file below ROOT with all of its folders. */
static void write_file(const char *name, const char *text)
{
    char path[512];
    int used = snprintf(path, sizeof path, "%s%s", ROOT, name);
    assert_true(used > 0 && (size_t)used < sizeof path);
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(path, 0755);
        *slash = '/';
    }
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static void remove_file(const char *name)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s%s", ROOT, name);
    (void)unlink(path);
}

#define CACHE "/sys/devices/system/cpu/cpu0/cache"
#define V2 "/sys/fs/cgroup"
#define V1 "/sys/fs/cgroup/memory"

static int begin(void **state)
{
    static const char *const names[] = {"/proc/meminfo",
                                        "/proc/self/cgroup",
                                        V2 "/job/memory.max",
                                        V2 "/job/memory.current",
                                        V2 "/job/memory.stat",
                                        V2 "/job/step/memory.max",
                                        V2 "/job/step/memory.current",
                                        V1 "/job/memory.limit_in_bytes",
                                        V1 "/job/memory.usage_in_bytes",
                                        V1 "/job/memory.stat",
                                        V1 "/memory.limit_in_bytes",
                                        V1 "/memory.usage_in_bytes",
                                        CACHE "/index0/size",
                                        CACHE "/index1/size",
                                        CACHE "/index2/size"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        remove_file(names[i]);
    return 0;
}

static void refuses(uint64_t bytes, const char *text)
{
    FAILS(SINTER_EDEVMEM, sinter__room_check(ROOT, bytes));
    if (strstr(sinter_last_error(), text) == NULL)
        fail_msg("'%s' is not in '%s'", text, sinter_last_error());
}

static void nothing_to_read(void **state)
{
    (void)state;
    OK(sinter__room_check(ROOT "/none", UINT64_MAX));
    write_file("/proc/meminfo", "MemTotal: 100 kB\nMemFree: 1 kB\n"); /* an old kernel */
    write_file("/proc/self/cgroup", "no colon\n0::\n7:memory\n:::\n");
    OK(sinter__room_check(ROOT, UINT64_MAX));
}

static void the_machine(void **state)
{
    (void)state;
    write_file("/proc/meminfo",
               "MemTotal:  9000000 kB\nMemFree:  10 kB\nMemAvailable:   2048 kB\n");
    OK(sinter__room_check(ROOT, 2 * MIB));
    refuses(2 * MIB + 1024, "2098176 bytes of memory shared with the host are over the 2097152 "
                            "that the machine has free");
}

static void groups_of_version_2(void **state)
{
    (void)state;
    write_file("/proc/self/cgroup", "0::/job/step\n");
    OK(sinter__room_check(ROOT, UINT64_MAX));
    write_file(V2 "/job/step/memory.max", "max\n");
    write_file(V2 "/job/step/memory.current", "1000\n");
    OK(sinter__room_check(ROOT, UINT64_MAX));
    write_file(V2 "/job/memory.max", "1000000\n"); /* around it */
    write_file(V2 "/job/memory.current", "400000\n");
    OK(sinter__room_check(ROOT, 600000));
    refuses(600001, "600001 bytes of memory shared with the host are over the 600000 that control "
                    "group /job leaves of its 1000000");
    write_file(V2 "/job/memory.stat", "anon 5\nfile 9\ninactive_file 90000\nactive_file 10000\n");
    OK(sinter__room_check(ROOT, 700000));
    refuses(700001, "the 700000 that control group /job leaves");
    write_file(V2 "/job/step/memory.max", "2000\n");
    refuses(1001, "the 1000 that control group /job/step leaves of its 2000");
    write_file(V2 "/job/step/memory.current", "3000\n"); /* over its limit already */
    refuses(1, "the 0 that control group /job/step leaves of its 2000");
}

static void groups_of_version_1(void **state)
{
    (void)state;
    write_file("/proc/self/cgroup", "12:pids:/other\n9:cpuset,memory,x:/job\n3:memoryless:/job\n");
    write_file(V1 "/job/memory.limit_in_bytes", "9223372036854771712\n"); /* none */
    write_file(V1 "/job/memory.usage_in_bytes", "5\n");
    OK(sinter__room_check(ROOT, MIB));
    write_file(V1 "/job/memory.limit_in_bytes", "5000\n");
    write_file(V1 "/job/memory.usage_in_bytes", "4500\n");
    write_file(V1 "/job/memory.stat", "inactive_file 7\ntotal_inactive_file 100\n");
    OK(sinter__room_check(ROOT, 600));
    refuses(601, "the 600 that control group /job leaves of its 5000");
    write_file(V1 "/memory.limit_in_bytes", "300\n"); /* the outermost */
    write_file(V1 "/memory.usage_in_bytes", "100\n");
    refuses(201, "the 200 that control group / leaves of its 300");
}

/* The first processor's, from the nearest on: what cannot be read is not known. */
static void the_last_cache(void **state)
{
    (void)state;
    assert_int_equal(sinter__room_cache(ROOT "/none"), 0);
    write_file(CACHE "/index1/size", "64K\n");
    assert_int_equal(sinter__room_cache(ROOT), 0);
    write_file(CACHE "/index0/size", "32K\n");
    assert_int_equal(sinter__room_cache(ROOT), 64 << 10);
    write_file(CACHE "/index2/size", "8M\n");
    assert_int_equal(sinter__room_cache(ROOT), 8 * MIB);
    write_file(CACHE "/index2/size", "98304K\n");
    assert_int_equal(sinter__room_cache(ROOT), 96 * MIB);
    write_file(CACHE "/index2/size", "many\n");
    assert_int_equal(sinter__room_cache(ROOT), 0);
}

/* Whole pages inside of what is asked for, and no others. */
static void large_pages(void **state)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    (void)state;
    if (!test_large_pages_are())
        skip();
    unsigned char *data =
        mmap(NULL, 5 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(data != MAP_FAILED);
    sinter__room_large_pages(data + 100, page); /* none is whole */
    assert_false(test_large_pages_at(data + page));
    sinter__room_large_pages(data + 100, 3 * page);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(test_large_pages_at(data + i * page), i == 1 || i == 2);
    assert_int_equal(munmap(data, 5 * page), 0);
}

/* A pool on such a host: a slab is made smaller when that fits, and refused when not even what is asked
 * for does; then nothing was allocated. */
static void a_pool(void **state)
{
    (void)state;
    host_pool p;
    sinter__storage *storage;
    sinter__storage *none;
    host_pool_open(&p, SINTER_MEMORY_POOL, ROOT);
    write_file("/proc/meminfo", "MemAvailable:   512 kB\n");
    OK(sinter__storage_create(p.pool, 1000, &storage)); /* no room for a slab of 1 MiB */
    assert_int_equal(atomic_load(&p.counts.memory_bytes), 1024);
    uint64_t held = atomic_load(&p.allocator.live_bytes);
    FAILS(SINTER_EDEVMEM, sinter__storage_create(p.pool, MIB, &none));
    assert_non_null(strstr(sinter_last_error(), "1048576 bytes of memory shared with the host are "
                                                "over the 524288 that the machine has free"));
    assert_null(none);
    assert_int_equal(atomic_load(&p.counts.memory_bytes), 1024);
    write_file("/proc/meminfo", "MemAvailable:   2048 kB\n");
    OK(sinter__storage_create(p.pool, MIB, &none));
    assert_int_equal(atomic_load(&p.counts.memory_bytes), 1024 + MIB);
    assert_true(atomic_load(&p.allocator.live_bytes) > held);
    sinter__storage_release(none);
    sinter__storage_release(storage);
    host_pool_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(nothing_to_read, begin),
        cmocka_unit_test_setup(the_machine, begin),
        cmocka_unit_test_setup(groups_of_version_2, begin),
        cmocka_unit_test_setup(groups_of_version_1, begin),
        cmocka_unit_test_setup(the_last_cache, begin),
        cmocka_unit_test(large_pages),
        cmocka_unit_test_setup(a_pool, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
