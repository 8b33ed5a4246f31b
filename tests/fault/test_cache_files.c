#define _GNU_SOURCE /* unshare */
/* The files of the program cache, whatever happens to them: what is handed on is what was stored, byte for
 * byte, or nothing. No driver: what it would get is what sinter__cache_load gives.
 *
 *   test_cache_files [MUTATIONS [KILLS]] */
#include "support/support.h"

#include "executor/cache/cache.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PAYLOAD 5000 /* two pages with the header */
#define HEADER sizeof(sinter__cache_header)

static long mutations = 2000;
static long kills = 10;
static char folder[] = SINTER_BINARY_DIR "/cache.XXXXXX";

typedef struct fixture {
    sinter__allocator allocator;
    sinter__log log;
    sinter__cache cache;
    sinter__cache_key key;
    uint8_t entry[HEADER + PAYLOAD];
} fixture;

static void open_cache(fixture *f, const char *path, const char *device, uint64_t max_bytes)
{
    sinter_context_options o = SINTER_CONTEXT_OPTIONS_INIT;
    *f = (fixture){.cache = {.folder = {.fd = -1}}};
    sinter__allocator_init(&f->allocator, NULL, NULL);
    f->cache.allocator = &f->allocator;
    f->cache.log = &f->log;
    o.cache_folder = path;
    o.cache_bytes = max_bytes;
    sinter__cache_open(&f->cache, &o);
    sinter__cache_depend(&f->cache, device);
    sinter__cache_key_of(&f->cache, "program", "source", 6, &f->key);
    test_random r = {.state = 5};
    for (size_t i = HEADER; i < sizeof f->entry; i++)
        f->entry[i] = (uint8_t)test_next(&r);
}

static void close_cache(fixture *f)
{
    sinter__cache_close(&f->cache);
    assert_int_equal(f->allocator.live_bytes, 0);
}

static void start(fixture *f)
{
    open_cache(f, folder, "device", 0);
    assert_true(f->cache.folder.fd >= 0);
    assert_int_equal(sinter_cache_clear(folder), SINTER_OK);
}

static bool stores(fixture *f)
{
    uint64_t before = f->cache.counts.stores;
    sinter__cache_store(&f->cache, &f->key, f->entry, sizeof f->entry);
    return f->cache.counts.stores > before;
}

/* What is loaded is what was stored. */
static bool loads(fixture *f)
{
    sinter__cache_entry e;
    if (!sinter__cache_load(&f->cache, &f->key, &e))
        return false;
    assert_int_equal(e.payload_bytes, PAYLOAD);
    assert_memory_equal(e.payload, f->entry + HEADER, PAYLOAD);
    sinter__cache_free(&f->cache, &e);
    sinter__cache_unmark(&f->cache, &f->key, e.mark);
    return true;
}

static char *path_of(const fixture *f, const char *prefix)
{
    static char path[sizeof folder + 2 * SINTER__CACHE_NAME];
    (void)snprintf(path, sizeof path, "%s/%s%s", folder, prefix, f->key.name);
    return path;
}

static void put_file(const char *path, const void *data, size_t bytes)
{
    (void)unlink(path); /* truncating one makes some file systems wait for the disk */
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, data, bytes), (ssize_t)bytes);
    assert_int_equal(close(fd), 0);
}

static void what_is_stored_is_found(void **state)
{
    (void)state;
    fixture f;
    struct stat info;
    start(&f);
    assert_false(loads(&f));
    assert_true(stores(&f));
    assert_true(loads(&f));
    assert_int_equal(f.cache.counts.rejects, 0);
    assert_int_equal(stat(folder, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0700);
    assert_int_equal(stat(path_of(&f, ""), &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    assert_int_equal(access(path_of(&f, "mark."), F_OK), -1);
    close_cache(&f);
}

/* Another device, driver or version has another key, also when its file is put in the place. */
static void a_file_of_another_key_is_not_used(void **state)
{
    (void)state;
    fixture f;
    fixture other;
    start(&f);
    assert_true(stores(&f));
    open_cache(&other, folder, "another device", 0);
    assert_false(loads(&other));
    assert_int_equal(other.cache.counts.rejects, 0);
    char from[sizeof folder + 2 * SINTER__CACHE_NAME];
    (void)snprintf(from, sizeof from, "%s", path_of(&f, ""));
    assert_int_equal(rename(from, path_of(&other, "")), 0);
    assert_false(loads(&other));
    assert_int_equal(other.cache.counts.rejects, 1);
    close_cache(&other);
    close_cache(&f);
}

/* One change of the bytes; *bytes is how many there are afterwards. */
static void mutate(test_random *r, uint8_t *data, size_t *bytes, size_t room)
{
    size_t at = (size_t)(test_next(r) % *bytes);
    switch (test_next(r) % 6) {
    case 0:
    case 1:
        data[at] ^= (uint8_t)(1u << (test_next(r) % 8));
        break;
    case 2:
        for (size_t i = at; i < SINTER__MIN(at + 32, *bytes); i++)
            data[i] = (uint8_t)~data[i];
        break;
    case 3:
        *bytes = at;
        break;
    case 4:
        for (; *bytes < room; (*bytes)++)
            data[*bytes] = (uint8_t)test_next(r);
        break;
    default: /* the header's numbers */
        data[at % 24] = (uint8_t)(data[at % 24] + 1 + test_next(r) % 255);
        break;
    }
}

static void no_damaged_file_is_handed_on(void **state)
{
    (void)state;
    uint8_t whole[HEADER + PAYLOAD];
    uint8_t data[HEADER + PAYLOAD + 100];
    test_random r = {.state = 11};
    fixture f;
    start(&f);
    assert_true(stores(&f));
    memcpy(whole, f.entry, sizeof whole);
    for (long i = 0; i < mutations; i++) {
        size_t bytes = sizeof whole;
        memcpy(data, whole, sizeof whole);
        mutate(&r, data, &bytes, sizeof data);
        put_file(path_of(&f, ""), data, bytes);
        if (loads(&f))
            fail_msg("mutation %ld was handed on", i);
    }
    assert_int_equal(f.cache.counts.rejects, mutations);
    assert_int_equal(f.cache.counts.hits, 0);
    assert_true(stores(&f)); /* a damaged file is replaced */
    assert_true(loads(&f));
    close_cache(&f);
}

/* Makes in the place of the entry what is no file of the user's alone; the entry itself lies beside
 * it, whole. */
static void put_in_place(const fixture *f, int what)
{
    char *path = path_of(f, "");
    char aside[sizeof folder + 2 * SINTER__CACHE_NAME];
    (void)snprintf(aside, sizeof aside, "%s", path);
    aside[strlen(aside) - 1] ^= 1;
    assert_int_equal(rename(path, aside), 0);
    if (what == 0)
        assert_int_equal(mkdir(path, 0700), 0);
    else if (what == 1)
        assert_int_equal(symlink(aside, path), 0);
    else if (what == 2)
        assert_int_equal(mkfifo(path, 0600), 0);
    else if (what == 3)
        put_file(path, "", 0);
    else
        assert_int_equal(rename(aside, path), 0);
    if (what == 4)
        assert_int_equal(chmod(path, 0620), 0); /* others may write to it */
    if (what == 5 && geteuid() == 0)
        assert_int_equal(chown(path, 65534, (gid_t)-1), 0);
}

static void what_is_no_file_of_the_user_is_not_used(void **state)
{
    (void)state;
    for (int what = 0; what < (geteuid() == 0 ? 6 : 5); what++) {
        fixture f;
        start(&f);
        assert_true(stores(&f));
        put_in_place(&f, what);
        assert_false(loads(&f));
        assert_int_equal(f.cache.counts.rejects, 1);
        assert_int_equal(stores(&f), what != 0); /* a folder is not replaced */
        assert_int_equal(loads(&f), what != 0);
        if (what == 0)
            assert_int_equal(rmdir(path_of(&f, "")), 0);
        close_cache(&f);
    }
}

static void a_folder_that_others_may_write_to_is_not_used(void **state)
{
    (void)state;
    fixture f;
    char path[sizeof folder + 16];
    start(&f);
    close_cache(&f);
    assert_int_equal(chmod(folder, 0770), 0);
    open_cache(&f, folder, "device", 0);
    assert_int_equal(f.cache.folder.fd, -1);
    assert_false(stores(&f));
    assert_false(loads(&f));
    close_cache(&f);
    assert_int_equal(sinter_cache_clear(folder), SINTER_EINVAL);
    assert_int_equal(chmod(folder, 0700), 0);
    (void)snprintf(path, sizeof path, "%s.link", folder);
    assert_int_equal(symlink(folder, path), 0);
    for (int slash = 0; slash < 2; slash++) {
        open_cache(&f, path, "device", 0);
        assert_int_equal(f.cache.folder.fd, -1);
        close_cache(&f);
        (void)strcat(path, "/");
    }
    path[strlen(path) - 2] = '\0';
    assert_int_equal(unlink(path), 0);
    put_file(path, "x", 1);
    open_cache(&f, path, "device", 0);
    assert_int_equal(f.cache.folder.fd, -1);
    close_cache(&f);
    assert_int_equal(unlink(path), 0);
}

static void count_file(void *user, const sinter_cache_entry *entry)
{
    (void)entry;
    (*(size_t *)user)++;
}

static size_t count_files(void)
{
    size_t count = 0;
    OK(sinter_cache_visit(folder, count_file, &count, NULL, 0));
    return count;
}

static void set_or_unset(const char *variable, const char *text)
{
    assert_int_equal(text != NULL ? setenv(variable, text, 1) : unsetenv(variable), 0);
}

/* Where the cache is when nobody says, as the environment has it: a folder that is not there has no files. */
static void where_the_folder_is(void **state)
{
    (void)state;
    static const struct {
        const char *caches;
        const char *home;
        const char *path; /* NULL: nowhere */
    } cases[] = {
        {"/nonexistent/caches", "/nonexistent/home", "/nonexistent/caches/sinter"},
        {"relative", "/nonexistent/home", "/nonexistent/home/.cache/sinter"},
        {NULL, "/nonexistent/home", "/nonexistent/home/.cache/sinter"},
        {NULL, "relative", NULL},
        {NULL, NULL, NULL},
    };
    char path[256];
    size_t count = 0;
    (void)unsetenv("SINTER_CACHE_DIR");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        set_or_unset("XDG_CACHE_HOME", cases[i].caches);
        set_or_unset("HOME", cases[i].home);
        if (cases[i].path != NULL) {
            OK(sinter_cache_visit(NULL, count_file, &count, path, sizeof path));
            assert_string_equal(path, cases[i].path);
        } else {
            FAILS(SINTER_EINVAL, sinter_cache_visit(NULL, count_file, &count, path, sizeof path));
        }
    }
    assert_int_equal(count, 0);
    FAILS(SINTER_EINVAL, sinter_cache_visit(folder, NULL, NULL, NULL, 0));
}

/* A file system of three pages, for this process alone: room for one entry, and for half of the next.
 * Then one that is only read. 77: it may not make one. */
static int store_without_room(void)
{
    fixture f;
    char device[24];
    int stored = 0;
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("none", folder, "tmpfs", 0, "size=12288,mode=0700") != 0)
        return 77;
    for (int i = 0; i < 4; i++) {
        (void)snprintf(device, sizeof device, "device %d", i);
        open_cache(&f, folder, device, 0);
        bool kept = stores(&f);
        stored += kept;
        if (loads(&f) != kept)
            return 1;
    }
    if (stored != 1 || count_files() != 1)
        return 2;
    open_cache(&f, folder, "device 0", 0);
    if (!loads(&f) || mount("none", folder, "tmpfs", MS_REMOUNT | MS_RDONLY, NULL) != 0)
        return 3;
    return !stores(&f) && !loads(&f) && f.cache.counts.rejects == 1 ? 0 : 4; /* no mark, no use */
}

static void a_full_disk_keeps_what_it_has(void **state)
{
    (void)state;
    fixture f;
    int status;
    start(&f);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(store_without_room());
    assert_int_equal(waitpid(child, &status, 0), child);
    close_cache(&f);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
        print_message("no file system can be made here\n");
    else
        assert_int_equal(status, 0);
}

/* Past the limit of a file's size a write would be a signal. */
static void what_cannot_be_written_leaves_nothing(void **state)
{
    (void)state;
    fixture f;
    struct rlimit before;
    start(&f);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    struct rlimit small = {.rlim_cur = 1000, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    assert_false(stores(&f));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(count_files(), 0);
    if (geteuid() != 0) {
        assert_int_equal(chmod(folder, 0500), 0);
        assert_false(stores(&f));
        assert_int_equal(chmod(folder, 0700), 0);
    }
    assert_true(stores(&f));
    assert_true(loads(&f));
    close_cache(&f);
}

/* The folder stays under its limit, and what was of use last stays. */
static void the_oldest_go_first(void **state)
{
    (void)state;
    enum { FIT = 4 };
    fixture f;
    fixture kept;
    start(&f);
    close_cache(&f);
    open_cache(&kept, folder, "kept", FIT * sizeof f.entry);
    assert_true(stores(&kept));
    for (int i = 0; i < 10; i++) {
        char device[24];
        (void)snprintf(device, sizeof device, "device %d", i);
        open_cache(&f, folder, device, FIT * sizeof f.entry);
        assert_true(stores(&f));
        assert_true(loads(&f));
        close_cache(&f);
        assert_true(count_files() <= FIT);
        const struct timespec pause = {.tv_nsec = 10000000}; /* the file system's clock is coarse */
        (void)nanosleep(&pause, NULL);
        assert_true(loads(&kept));
    }
    assert_int_equal(count_files(), FIT);
    close_cache(&kept);
    open_cache(&f, folder, "device", sizeof f.entry - 1);
    assert_false(stores(&f)); /* larger than all that may be */
    close_cache(&f);
}

/* A process that died between being handed an entry and knowing that it works. */
static void a_process_that_died_with_an_entry(void **state)
{
    (void)state;
    fixture f;
    sinter__cache_entry e;
    start(&f);
    assert_true(stores(&f));
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(sinter__cache_load(&f.cache, &f.key, &e) ? 0 : 1);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(access(path_of(&f, "mark."), F_OK), 0);
    assert_false(loads(&f));
    assert_int_equal(f.cache.counts.rejects, 1);
    assert_int_equal(count_files(), 0); /* neither entry nor mark */
    assert_true(stores(&f));
    assert_true(loads(&f));
    /* one that lives does not keep others from it */
    fixture other;
    open_cache(&other, folder, "device", 0);
    assert_true(sinter__cache_load(&f.cache, &f.key, &e));
    assert_true(loads(&other));
    sinter__cache_free(&f.cache, &e);
    sinter__cache_unmark(&f.cache, &f.key, e.mark);
    close_cache(&other);
    close_cache(&f);
}

#define MARKS 2000

/* Each process marks the entry and takes the mark away, over and over: none of them may be taken for dead. */
static void processes_that_mark_at_once(void **state)
{
    (void)state;
    fixture f;
    start(&f);
    assert_true(stores(&f));
    pid_t children[3];
    for (int i = 0; i < 3; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        for (int k = 0; children[i] == 0; k++) {
            int mark = k < MARKS ? sinter__cache_folder_mark(&f.cache.folder, f.key.name) : -1;
            if (mark < 0)
                _exit(k < MARKS);
            sinter__cache_folder_unmark(&f.cache.folder, f.key.name, mark);
        }
    }
    for (int i = 0; i < 3; i++) {
        int status;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
    assert_true(loads(&f));
    close_cache(&f);
}

/* In a container every first process has number 1, and one that died has left the name that comes next. */
static void names_that_are_taken(void **state)
{
    (void)state;
    fixture f;
    start(&f);
    for (int i = 0; i < 300; i++) {
        char path[sizeof folder + 40];
        (void)snprintf(path, sizeof path, "%s/tmp.%ld.%d", folder, (long)getpid(), i);
        put_file(path, "", 0);
    }
    assert_true(stores(&f));
    assert_true(loads(&f));
    close_cache(&f);
    OK(sinter_cache_clear(folder));
}

/* No mark, no use: something else is in its place. */
static void an_entry_that_cannot_be_marked(void **state)
{
    (void)state;
    fixture f;
    start(&f);
    assert_true(stores(&f));
    assert_int_equal(mkdir(path_of(&f, "mark."), 0700), 0);
    assert_false(loads(&f));
    assert_int_equal(f.cache.counts.rejects, 1);
    assert_int_equal(rmdir(path_of(&f, "mark.")), 0);
    assert_true(loads(&f));
    close_cache(&f);
}

static void write_for_ever(void)
{
    fixture f;
    open_cache(&f, folder, "device", 0);
    for (;;) {
        (void)stores(&f);
        (void)loads(&f);
    }
}

/* Two processes write and read the same entry; one after the other is killed in the midst of it. */
static void processes_that_are_killed(void **state)
{
    (void)state;
    test_random r = {.state = 3};
    fixture f;
    start(&f);
    for (long i = 0; i < kills; i++) {
        pid_t children[2];
        for (int k = 0; k < 2; k++) {
            children[k] = fork();
            assert_true(children[k] >= 0);
            if (children[k] == 0)
                write_for_ever();
        }
        const struct timespec pause = {.tv_nsec = (long)(test_next(&r) % 20000000)};
        (void)nanosleep(&pause, NULL);
        for (int k = 0; k < 2; k++) {
            int status;
            (void)loads(&f);
            assert_int_equal(kill(children[k], SIGKILL), 0);
            assert_int_equal(waitpid(children[k], &status, 0), children[k]);
            assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        }
        (void)loads(&f); /* a mark may be left */
        assert_true(stores(&f));
        assert_true(loads(&f));
    }
    print_message("%ld rounds: %zu files left, %u refused\n", kills, count_files(),
                  (unsigned)f.cache.counts.rejects);
    close_cache(&f);
}

static int make_folder(void **state)
{
    (void)state;
    (void)unsetenv("SINTER_NO_CACHE");
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    (void)sinter_cache_clear(folder);
    return rmdir(folder);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_that_are_taken), /* the first: names are counted from 0 */
        cmocka_unit_test(what_is_stored_is_found),
        cmocka_unit_test(a_file_of_another_key_is_not_used),
        cmocka_unit_test(no_damaged_file_is_handed_on),
        cmocka_unit_test(what_is_no_file_of_the_user_is_not_used),
        cmocka_unit_test(a_folder_that_others_may_write_to_is_not_used),
        cmocka_unit_test(what_cannot_be_written_leaves_nothing),
        cmocka_unit_test(a_full_disk_keeps_what_it_has),
        cmocka_unit_test(the_oldest_go_first),
        cmocka_unit_test(a_process_that_died_with_an_entry),
        cmocka_unit_test(processes_that_mark_at_once),
        cmocka_unit_test(an_entry_that_cannot_be_marked),
        cmocka_unit_test(processes_that_are_killed),
        cmocka_unit_test(where_the_folder_is), /* the last: the environment stays as it is then */
    };
    mutations = argc > 1 ? atol(argv[1]) : mutations;
    kills = argc > 2 ? atol(argv[2]) : kills;
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
