/* The program cache on a driver: what another process has built is not built again, and what cannot be used never
 * reaches the driver. Each context stands for a process. */
#include "support/cl_layer.h"
#include "support/support.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COUNT 24

static const cl_layer *layer;
static const int64_t shape[] = {COUNT};
static char folder[] = SINTER_BINARY_DIR "/cache.XXXXXX";

/* What a context did, and what the driver saw of it. */
typedef struct outcome {
    sinter_stats stats;
    uint64_t binaries;
} outcome;

static sinter_context_options options_of(const char *path)
{
    sinter_context_options o = SINTER_CONTEXT_OPTIONS_INIT;
    o.cache_folder = path;
    return o;
}

/* y = x * x + 1, and its sum: the values are always right. */
static void work(const test_device *d)
{
    float in[COUNT];
    float out[COUNT];
    float sum;
    sinter_tensor a;
    sinter_tensor y;
    sinter_tensor z;
    sinter_tensor x = test_floats(d, 1, shape, NULL);
    test_read(d, x, in, COUNT);
    OK(sinter_square(d->s, x, &a));
    OK(sinter_add_scalar(d->s, a, 1.0, &y));
    OK(sinter_sum(d->s, y, 0, NULL, false, &z));
    test_read(d, z, &sum, 1);
    test_read(d, y, out, COUNT);
    for (int i = 0; i < COUNT; i++)
        assert_true(out[i] == in[i] * in[i] + 1.0f);
    assert_true(sum > COUNT);
    const sinter_tensor all[] = {x, a, y, z};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        test_release(d, all[i]);
}

static outcome run(const sinter_context_options *options)
{
    uint64_t before = layer->binaries();
    test_device d = test_open(options);
    work(&d);
    outcome o = {.stats = test_stats(&d), .binaries = layer->binaries() - before};
    test_close(&d);
    return o;
}

static outcome run_in(const char *path)
{
    sinter_context_options o = options_of(path);
    return run(&o);
}

/* From source, with nothing for the driver to see. */
static void assert_cold(const outcome *o)
{
    assert_true(o->stats.compiles > 0);
    assert_int_equal(o->stats.cache_hits, 0);
    assert_int_equal(o->binaries, 0);
}

static void assert_warm(const outcome *o)
{
    assert_int_equal(o->stats.compiles, 0);
    assert_true(o->stats.cache_hits > 0);
    assert_int_equal(o->stats.cache_rejects, 0);
    assert_int_equal(o->binaries, o->stats.cache_hits);
    assert_true(o->stats.cache_read_bytes > 0);
}

/* An empty folder, then what a first process leaves. */
static void fill(void)
{
    OK(sinter_cache_clear(folder));
    outcome first = run_in(folder);
    assert_cold(&first);
    assert_int_equal(first.stats.cache_rejects, 0);
}

static void the_second_process_builds_nothing(void **state)
{
    (void)state;
    fill();
    outcome second = run_in(folder);
    assert_warm(&second);
    outcome third = run_in(folder);
    assert_warm(&third);
    assert_int_equal(second.stats.cache_stores, 0);
}

static void it_can_be_switched_off(void **state)
{
    (void)state;
    fill();
    sinter_context_options o = options_of(folder);
    o.switches = SINTER_NO_CACHE;
    outcome off = run(&o);
    assert_cold(&off);
    assert_int_equal(off.stats.cache_rejects, 0);
}

/* Other kernels have another key. */
static void another_style_is_another_program(void **state)
{
    (void)state;
    fill();
    sinter_context_options o = options_of(folder);
    o.lanes = 2;
    outcome other = run(&o);
    assert_cold(&other);
    assert_int_equal(other.stats.cache_rejects, 0);
}

/* Changes to the file of every entry */

typedef void (*spoil_fn)(const char *path);

static void flip_a_bit(const char *path)
{
    int fd = open(path, O_RDWR);
    unsigned char byte;
    off_t at = lseek(fd, 0, SEEK_END) / 2;
    assert_int_equal(pread(fd, &byte, 1, at), 1);
    byte ^= 4;
    assert_int_equal(pwrite(fd, &byte, 1, at), 1);
    assert_int_equal(close(fd), 0);
}

static void shorten(const char *path)
{
    assert_int_equal(truncate(path, 1000), 0);
}

static void empty(const char *path)
{
    assert_int_equal(truncate(path, 0), 0);
}

static void lengthen(const char *path)
{
    int fd = open(path, O_WRONLY | O_APPEND);
    assert_int_equal(write(fd, "more", 4), 4);
    assert_int_equal(close(fd), 0);
}

static void change_the_version(const char *path)
{
    int fd = open(path, O_WRONLY);
    assert_int_equal(pwrite(fd, "\x02", 1, 8), 1);
    assert_int_equal(close(fd), 0);
}

static void make_a_link(const char *path)
{
    char aside[4096];
    (void)snprintf(aside, sizeof aside, "%s.aside", path);
    assert_int_equal(rename(path, aside), 0);
    assert_int_equal(symlink(aside, path), 0);
}

static void make_a_pipe(const char *path)
{
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
}

static void make_a_folder(const char *path)
{
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkdir(path, 0700), 0);
}

static void open_to_others(const char *path)
{
    assert_int_equal(chmod(path, 0666), 0);
}

/* A process died before it knew that the binary works. */
static void leave_a_mark(const char *path)
{
    char mark[4096];
    const char *name = strrchr(path, '/') + 1;
    (void)snprintf(mark, sizeof mark, "%.*smark.%s", (int)(name - path), path, name);
    int fd = open(mark, O_WRONLY | O_CREAT | O_EXCL, 0600);
    assert_true(fd >= 0);
    assert_int_equal(close(fd), 0);
}

typedef struct names {
    char name[8][96];
    size_t count;
} names;

static void add_name(void *user, const sinter_cache_entry *entry)
{
    names *n = user;
    assert_int_equal(entry->state, SINTER_CACHE_WHOLE);
    assert_true(n->count < 8 && strlen(entry->label) > 0);
    memcpy(n->name[n->count++], entry->name, sizeof n->name[0]);
}

static void remove_folders(const names *n)
{
    for (size_t i = 0; i < n->count; i++) {
        char path[4096];
        (void)snprintf(path, sizeof path, "%s/%s", folder, n->name[i]);
        (void)rmdir(path);
        (void)strcat(path, ".aside");
        (void)unlink(path);
    }
}

static void what_is_damaged_or_planted_never_reaches_the_driver(void **state)
{
    (void)state;
    static const spoil_fn spoils[] = {flip_a_bit,         shorten,     empty,       lengthen,
                                      change_the_version, make_a_link, make_a_pipe, make_a_folder,
                                      open_to_others,     leave_a_mark};
    for (size_t i = 0; i < sizeof spoils / sizeof spoils[0]; i++) {
        names n = {0};
        fill();
        OK(sinter_cache_visit(folder, add_name, &n, NULL, 0));
        assert_true(n.count > 0);
        for (size_t k = 0; k < n.count; k++) {
            char path[4096];
            (void)snprintf(path, sizeof path, "%s/%s", folder, n.name[k]);
            spoils[i](path);
        }
        outcome spoiled = run_in(folder);
        assert_cold(&spoiled);
        assert_int_equal(spoiled.stats.cache_rejects, n.count);
        if (spoils[i] != make_a_folder) { /* replaced by what was built anew */
            outcome after = run_in(folder);
            assert_warm(&after);
        }
        remove_folders(&n);
    }
}

/* The driver says no to what is whole; then to building it. */
static void a_refused_binary_is_built_from_source(void **state)
{
    (void)state;
    static const char *const calls[] = {"clCreateProgramWithBinary", "clGetProgramInfo"};
    fill();
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        sinter_context_options o = options_of(folder);
        layer->arm_named(calls[i], -42);
        outcome refused = run(&o);
        layer->arm(0, 0, 0);
        assert_int_equal(refused.stats.compiles > 0, i == 0);
        assert_int_equal(refused.stats.cache_rejects > 0, i == 0);
    }
    outcome after = run_in(folder);
    assert_warm(&after);
}

static void no_folder_at_all(void **state)
{
    (void)state;
    outcome o = run_in("/dev/null/nowhere");
    assert_cold(&o);
    assert_int_equal(o.stats.cache_stores, 0);
}

/* An embedder's own storage */

typedef struct shelf {
    struct {
        char key[96];
        unsigned char *data;
        size_t bytes;
    } entries[8];
    size_t count;
    uint64_t loads;
    bool forgets;
} shelf;

static size_t shelf_load(void *user, const char *key, void *bytes, size_t capacity)
{
    shelf *s = user;
    s->loads++;
    for (size_t i = 0; i < s->count; i++) {
        if (strcmp(s->entries[i].key, key) != 0)
            continue;
        if (s->forgets && capacity > 0)
            return 0;
        if (s->entries[i].bytes <= capacity)
            memcpy(bytes, s->entries[i].data, s->entries[i].bytes);
        return s->entries[i].bytes;
    }
    return 0;
}

static int shelf_store(void *user, const char *key, const void *bytes, size_t size)
{
    shelf *s = user;
    assert_true(s->count < 8 && strlen(key) < sizeof s->entries[0].key);
    (void)strcpy(s->entries[s->count].key, key);
    s->entries[s->count].data = malloc(size);
    if (s->entries[s->count].data == NULL)
        return 0;
    memcpy(s->entries[s->count].data, bytes, size);
    s->entries[s->count++].bytes = size;
    return 1;
}

static void hooks_in_the_place_of_files(void **state)
{
    (void)state;
    shelf s = {0};
    names n = {0};
    sinter_context_options o = options_of(folder);
    o.cache_load_fn = shelf_load;
    o.cache_store_fn = shelf_store;
    o.cache_user = &s;
    OK(sinter_cache_clear(folder));
    outcome first = run(&o);
    assert_cold(&first);
    assert_true(s.count > 0);
    outcome second = run(&o);
    assert_warm(&second);
    OK(sinter_cache_visit(folder, add_name, &n, NULL, 0));
    assert_int_equal(n.count, 0); /* no file */
    for (size_t i = 0; i < s.count; i++)
        s.entries[i].data[s.entries[i].bytes / 2] ^= 1;
    o.cache_store_fn = NULL; /* nothing is kept */
    s.forgets = true;        /* between saying how large it is and giving it */
    outcome forgotten = run(&o);
    assert_cold(&forgotten);
    assert_int_equal(forgotten.stats.cache_rejects, s.count);
    s.forgets = false;
    outcome damaged = run(&o);
    assert_cold(&damaged);
    assert_int_equal(damaged.stats.cache_rejects, s.count);
    for (size_t i = 0; i < s.count; i++)
        free(s.entries[i].data);
}

static int start(void **state)
{
    (void)state;
    const char *path = getenv("SINTER_OPENCL_LIB");
    void *library = path != NULL ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    layer = library != NULL ? dlsym(library, "sinter_test_cl_layer") : NULL;
    (void)unsetenv("SINTER_NO_CACHE");
    return layer != NULL && mkdtemp(folder) != NULL ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    (void)sinter_cache_clear(folder);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_second_process_builds_nothing),
        cmocka_unit_test(it_can_be_switched_off),
        cmocka_unit_test(another_style_is_another_program),
        cmocka_unit_test(what_is_damaged_or_planted_never_reaches_the_driver),
        cmocka_unit_test(a_refused_binary_is_built_from_source),
        cmocka_unit_test(no_folder_at_all),
        cmocka_unit_test(hooks_in_the_place_of_files),
    };
    return cmocka_run_group_tests(tests, start, end);
}
