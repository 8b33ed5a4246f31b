/* Device profiles: the text and back, files that are damaged or of another device, and which profile a
 * context takes. */
#include "support/support.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ROOM 20000

static sinter_profile *open_host(void)
{
    sinter_profile *p = NULL;
    OK(sinter_profile_open("host", &p));
    assert_non_null(p);
    return p;
}

static test_text text_of(const sinter_profile *p)
{
    test_text t = {.bytes = 0};
    OK(sinter_profile_write(p, test_text_add, &t));
    return t;
}

static const char head[] = "format = 1\n"
                           "device = \"host reference device\"\n"
                           "driver = \"\"\n"
                           "style = \"cpu\"\n";

/* A file that has every kind of line. */
static void whole_text(char *out, size_t bytes)
{
    (void)snprintf(out, bytes,
                   "%s# a comment\n\nexact_fma = 1\nexact_divide = 0 # and one here\n"
                   "void_clauses = 5\ncopy_far = 12345\ncost_add = 1, 2, 3, 0, 5\n"
                   "map_lanes = 8\nitem_max = 4096\n"
                   "[kernel 0xffffffffffffffff]\nlabel = \"add, mul\"\nmap_lanes = 2\n"
                   "[kernel 17]\nlabel = \"sum\"\nchunk_lanes = 4\nitems_per_unit = 3\n",
                   head);
}

static void what_is_written_reads_back(void **state)
{
    (void)state;
    char source[ROOM];
    whole_text(source, sizeof source);
    sinter_profile *p = open_host();
    OK(sinter_profile_parse(p, source, strlen(source)));
    assert_int_equal(test_profile_number(p, "map_lanes"), 8);
    assert_int_equal(test_profile_number(p, "item_max"), 4096);
    const test_text first = text_of(p);
    OK(sinter_profile_reset(p));
    const test_text blank = text_of(p);
    assert_string_not_equal(first.data, blank.data);
    OK(sinter_profile_parse(p, first.data, first.bytes));
    const test_text second = text_of(p);
    assert_string_equal(first.data, second.data);
    /* what is a default is a comment: a later version's default holds then */
    assert_int_equal(test_occurrences(blank.data, "\n# item_max = "), 1);
    assert_int_equal(test_occurrences(first.data, "item_max"), 1);
    static const char *const parts[] = {"\nitem_max = 4096 ",
                                        "\n# item_min = ",
                                        "exact_divide = 0",
                                        "copy_far = 12345",
                                        "cost_add = 1, 2, 3, 0, 5",
                                        "[kernel 0x0000000000000011]",
                                        "[kernel 0xffffffffffffffff]\nlabel = \"add, mul\"\n",
                                        "items_per_unit = 3"};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        assert_int_equal(test_occurrences(first.data, parts[i]), 1);
    sinter_profile_destroy(p);
}

/* A fact alone is written, and a label that would end its quotes reads back. */
static void little_is_written_too(void **state)
{
    (void)state;
    char source[ROOM];
    (void)snprintf(source, sizeof source, "%sexact_half = 0\n[kernel 17]\nlabel = 'a\"b'\n", head);
    sinter_profile *p = open_host();
    OK(sinter_profile_parse(p, source, strlen(source)));
    const test_text first = text_of(p);
    assert_non_null(strstr(first.data, "\nexact_half = 0 "));
    assert_non_null(strstr(first.data, "label = \"a_b\"\n"));
    OK(sinter_profile_parse(p, first.data, first.bytes));
    const test_text second = text_of(p);
    assert_string_equal(first.data, second.data);
    sinter_profile_destroy(p);
}

static void numbers_are_set_in_their_range(void **state)
{
    (void)state;
    sinter_profile *p = open_host();
    sinter_profile_number n = SINTER_PROFILE_NUMBER_INIT;
    size_t count = 0;
    for (; sinter_profile_get(p, count, &n) == SINTER_OK; count++) {
        OK(sinter_profile_set(p, count, n.low));
        OK(sinter_profile_set(p, count, n.high));
        FAILS(SINTER_ERANGE, sinter_profile_set(p, count, n.high + 1));
        if (n.power_of_two == 1)
            FAILS(SINTER_ERANGE, sinter_profile_set(p, count, 3));
    }
    assert_true(count > 10);
    FAILS(SINTER_ERANGE, sinter_profile_set(p, count, 1));
    FAILS(SINTER_ERANGE, sinter_profile_get(p, count, &n));
    sinter_profile_destroy(p);
}

typedef struct bad_text {
    const char *text; /* after the head, unless it begins with ! */
    sinter_status status;
    const char *message; /* that it says */
} bad_text;

static void errors_name_the_line(void **state)
{
    (void)state;
    static const bad_text cases[] = {
        {"map_lanes = 3\n", SINTER_ESYNTAX,
         "line 5: map_lanes is 3, and has to be a power of two from 1 to 16"},
        {"\n\nmap_lanes = 32\n", SINTER_ESYNTAX, "line 7: map_lanes is 32"},
        {"map_lane = 4\n", SINTER_ESYNTAX, "line 5: no value is called 'map_lane'"},
        {"map_lanes 4\n", SINTER_ESYNTAX, "line 5: a = is missing"},
        {"map_lanes =\n", SINTER_ESYNTAX, "line 5: a number is missing"},
        {"map_lanes = 4 4\n", SINTER_ESYNTAX, "line 5: more on the line than a value"},
        {"map_lanes = 4.0\n", SINTER_ESYNTAX, "line 5: no whole number from 0 to 4294967295"},
        {"copy_far = 4294967296\n", SINTER_ESYNTAX, "line 5: no whole number"},
        {"cost_add = 1, 2, 3, 4\n", SINTER_ESYNTAX, "line 5: a comma is missing"},
        {"exact_fma = 2\n", SINTER_ESYNTAX, "line 5: no whole number from 0 to 1"},
        {"style = \"cpu\"\n", SINTER_ESYNTAX, "line 5: a second style"},
        {"[kernel 1]\ncopy_far = 1\n", SINTER_ESYNTAX, "line 6: a kernel has no 'copy_far'"},
        {"[kernels 1]\n", SINTER_ESYNTAX, "line 5: [kernel KEY] is expected"},
        {"[kernel 1\n", SINTER_ESYNTAX, "a ] is missing"},
        {"label = \"x\"\n", SINTER_ESYNTAX, "line 5: no value is called 'label'"},
        {"\x01\n", SINTER_ESYNTAX, "line 5: the byte 0x01 means nothing here"},
        {"!", SINTER_ESYNTAX, "format, device, driver or style is not given"},
        {"!format = 2\n", SINTER_EDEVICE, "it is of format 2, not 1"},
        {"!device = \"another\"\n", SINTER_EDEVICE, "line 1: it is of device \"another\", not"},
        {"!driver = \"1.0\"\n", SINTER_EDEVICE, "line 1: it is of driver \"1.0\", not \"\""},
        {"!map_lanes = 4\n", SINTER_ESYNTAX, "line 1: the style has to come first"},
    };
    sinter_profile *p = open_host();
    const test_text before = text_of(p);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char source[1000];
        bool alone = cases[i].text[0] == '!';
        (void)snprintf(source, sizeof source, "%s%s", alone ? "" : head, cases[i].text + alone);
        FAILS(cases[i].status, sinter_profile_parse(p, source, strlen(source)));
        if (strstr(sinter_last_error(), cases[i].message) == NULL)
            fail_msg("'%s' and not '%s'", sinter_last_error(), cases[i].message);
        const test_text after = text_of(p);
        assert_string_equal(before.data, after.data);
    }
    sinter_profile_destroy(p);
}

/* Reading is as long as the text, and what it makes is bounded. */
static void a_text_of_many_kernels(void **state)
{
    (void)state;
    static char text[200000];
    sinter_profile *p = open_host();
    size_t at = (size_t)snprintf(text, sizeof text, "%s", head);
    /* The last one first, so that each goes before all others. */
    for (unsigned i = 1; i <= 4096; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "[kernel %u]\n", 5000 - i);
    OK(sinter_profile_parse(p, text, at));
    at += (size_t)snprintf(text + at, sizeof text - at, "[kernel 4999]\n[kernel 7]\n");
    FAILS(SINTER_ESYNTAX, sinter_profile_parse(p, text, at));
    assert_non_null(strstr(sinter_last_error(), "over 4096 kernels"));
    sinter_profile_destroy(p);
}

/* Whatever happens to a file, it is refused with nothing changed, or it is another valid profile. */
static void check_damaged(sinter_profile *p, const test_text *before, const char *damaged,
                          size_t bytes)
{
    sinter_status status = sinter_profile_parse(p, damaged, bytes);
    if (status == SINTER_OK) {
        const test_text now = text_of(p);
        OK(sinter_profile_parse(p, now.data, now.bytes));
        OK(sinter_profile_parse(p, before->data, before->bytes));
        return;
    }
    assert_true(status == SINTER_ESYNTAX || status == SINTER_EDEVICE);
    assert_true(sinter_last_error()[0] != '\0');
}

static void damaged_texts_do_no_harm(void **state)
{
    (void)state;
    char source[ROOM];
    whole_text(source, sizeof source);
    sinter_profile *p = open_host();
    OK(sinter_profile_parse(p, source, strlen(source)));
    const test_text before = text_of(p);
    test_random r = {7};
    char damaged[ROOM + 100];
    for (size_t at = 0; at < before.bytes; at++) {
        check_damaged(p, &before, before.data, at); /* cut off */
        memcpy(damaged, before.data, before.bytes);
        damaged[at] = (char)(damaged[at] ^ (1 << test_below(&r, 8)));
        check_damaged(p, &before, damaged, before.bytes);
        memcpy(damaged + at, before.data + at + 1, before.bytes - at - 1); /* a byte is missing */
        check_damaged(p, &before, damaged, before.bytes - 1);
    }
    for (const char *line = before.data; *line != '\0';) {
        size_t bytes = strcspn(line, "\n") + 1;
        size_t at = (size_t)(line - before.data);
        memcpy(damaged, before.data, at); /* a line is missing, and there twice */
        memcpy(damaged + at, line + bytes, before.bytes - at - bytes);
        check_damaged(p, &before, damaged, before.bytes - bytes);
        memcpy(damaged, before.data, at + bytes);
        memcpy(damaged + at + bytes, line, before.bytes - at);
        check_damaged(p, &before, damaged, before.bytes + bytes);
        line += bytes;
    }
    const test_text after = text_of(p);
    assert_string_equal(before.data, after.data);
    sinter_profile_destroy(p);
}

/* Folders and files */

typedef struct folder {
    char path[64];
} folder;

static folder make_folder(void)
{
    folder f;
    (void)snprintf(f.path, sizeof f.path, "/tmp/sinter_profile_XXXXXX");
    assert_non_null(mkdtemp(f.path));
    assert_int_equal(setenv("SINTER_CACHE_DIR", f.path, 1), 0);
    assert_int_equal(unsetenv("SINTER_PROFILE"), 0);
    return f;
}

static void remove_folder(const folder *f)
{
    char command[128];
    (void)snprintf(command, sizeof command, "rm -rf %s", f->path);
    assert_int_equal(system(command), 0);
    (void)unsetenv("SINTER_CACHE_DIR");
    (void)setenv("SINTER_PROFILE", "none", 1);
}

static void write_file(const char *path, const char *data, size_t bytes)
{
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
}

/* The log lines of a context about its profile. */
typedef struct heard {
    char line[1000];
    int level;
} heard;

static void hear(void *user, int level, const char *line)
{
    heard *h = user;
    if (strncmp(line, "profile: ", 9) == 0) {
        (void)snprintf(h->line, sizeof h->line, "%s", line);
        h->level = level;
    }
}

static heard open_with(sinter_context_options options)
{
    heard h = {.level = -1};
    options.device = "host";
    options.debug = 1;
    options.log_fn = hear;
    options.log_user = &h;
    sinter_context *ctx = NULL;
    OK(sinter_context_create(&options, &ctx));
    OK(sinter_context_destroy(ctx));
    return h;
}

static heard open_context(const sinter_profile *p)
{
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.profile = p;
    return open_with(options);
}

static void the_users_profile_is_found(void **state)
{
    (void)state;
    folder f = make_folder();
    assert_string_equal(open_context(NULL).line, "profile: defaults");
    sinter_profile *p = open_host();
    char source[ROOM];
    whole_text(source, sizeof source);
    OK(sinter_profile_parse(p, source, strlen(source)));
    OK(sinter_profile_save(p));
    char path[1000];
    (void)snprintf(path, sizeof path, "%s", sinter_profile_origin(p));
    assert_int_equal(strncmp(path, f.path, strlen(f.path)), 0);
    heard h = open_context(NULL);
    assert_string_equal(h.line + 9, path);
    assert_int_equal(h.level, 1);
    sinter_profile *again = open_host();
    assert_string_equal(sinter_profile_origin(again), path);
    const test_text a = text_of(p);
    const test_text b = text_of(again);
    assert_string_equal(a.data, b.data);
    assert_string_equal(open_context(again).line + 9, path);
    sinter_profile_destroy(again);
    /* A path in the environment comes first, and "none" stands for the defaults. */
    char other[128];
    (void)snprintf(other, sizeof other, "%s/mine", f.path);
    write_file(other, a.data, a.bytes);
    assert_int_equal(setenv("SINTER_PROFILE", other, 1), 0);
    assert_string_equal(open_context(NULL).line + 9, other);
    assert_int_equal(setenv("SINTER_PROFILE", "none", 1), 0);
    assert_string_equal(open_context(NULL).line, "profile: defaults");
    sinter_profile_destroy(p);
    remove_folder(&f);
}

/* What a caller's hooks keep: one text, and how the next ones shall fail. */
typedef struct kept {
    char key[100];
    char text[ROOM];
    size_t bytes;
    bool refuses, shrinks;
} kept;

static int keep(void *user, const char *key, const void *bytes, size_t size)
{
    kept *k = user;
    if (k->refuses || size > sizeof k->text)
        return 0;
    (void)snprintf(k->key, sizeof k->key, "%s", key);
    memcpy(k->text, bytes, size);
    k->bytes = size;
    return 1;
}

static size_t look_up(void *user, const char *key, void *bytes, size_t capacity)
{
    kept *k = user;
    if (strcmp(key, k->key) != 0)
        return 0;
    if (k->bytes <= capacity)
        memcpy(bytes, k->text, k->bytes);
    return capacity > 0 && k->shrinks ? k->bytes - 1 : k->bytes;
}

/* Schedules go by the hooks too: in the place of the user's folder, which is not looked at then. */
static void hooks_keep_profiles(void **state)
{
    (void)state;
    static kept k;
    folder f = make_folder();
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.cache_load_fn = look_up;
    options.cache_store_fn = keep;
    options.cache_user = &k;
    sinter_profile *p = open_host();
    test_profile_set(p, "live_max", 9);
    OK(sinter_profile_save(p));
    assert_string_equal(open_with(options).line, "profile: defaults");
    OK(sinter_profile_keep(p, keep, &k));
    assert_true(strlen(k.key) < 96 && k.bytes > 0);
    char origin[200];
    (void)snprintf(origin, sizeof origin, "cache_load_fn: %s", k.key);
    assert_string_equal(sinter_profile_origin(p), origin);
    assert_string_equal(open_with(options).line + 9, origin);
    options.cache_load_fn = NULL; /* nothing is looked up, in the folder neither */
    assert_string_equal(open_with(options).line, "profile: defaults");
    options.cache_load_fn = look_up;

    /* What cannot be used is passed over, with a word. */
    k.shrinks = true;
    heard h = open_with(options);
    assert_int_equal(h.level, 0);
    assert_non_null(strstr(h.line, "defaults: not used: cache_load_fn: "));
    assert_non_null(strstr(h.line, " bytes any more"));
    k.shrinks = false;
    k.text[0] = '!';
    h = open_with(options);
    assert_int_equal(h.level, 0);
    assert_non_null(strstr(h.line, "line 1"));
    k.refuses = true;
    FAILS(SINTER_EIO, sinter_profile_keep(p, keep, &k));
    FAILS(SINTER_EINVAL, sinter_profile_keep(NULL, keep, &k));
    FAILS(SINTER_EINVAL, sinter_profile_keep(p, NULL, &k));
    sinter_profile_destroy(p);
    remove_folder(&f);
}

/* A context says what it passes over, and why. */
static void check_passed_over(const char *path, const char *why)
{
    heard h = open_context(NULL);
    assert_int_equal(h.level, 0);
    assert_int_equal(strncmp(h.line, "profile: defaults: not used: ", 29), 0);
    assert_non_null(strstr(h.line, path));
    assert_non_null(strstr(h.line, why));
}

static void a_file_that_cannot_be_used_is_passed_over(void **state)
{
    (void)state;
    folder f = make_folder();
    sinter_profile *p = open_host();
    OK(sinter_profile_save(p));
    char path[1000];
    (void)snprintf(path, sizeof path, "%s", sinter_profile_origin(p));
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"", "format, device, driver or style is not given"},
        {"format = 1\nnonsense\n", "line 2: a = is missing"},
        {"format = 1\ndevice = \"other\"\n", "line 2: it is of device \"other\""},
        {"format = 9\n", "it is of format 9, not 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        write_file(path, cases[i].text, strlen(cases[i].text));
        check_passed_over(path, cases[i].why);
    }
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkdir(path, 0700), 0); /* no file at all */
    check_passed_over(path, "it is of the wrong kind, or a symbolic link");
    assert_int_equal(rmdir(path), 0);
    assert_string_equal(open_context(NULL).line, "profile: defaults");
    /* Others may read there: nothing of it is looked at. */
    assert_int_equal(chmod(f.path, 0755), 0);
    check_passed_over(f.path, "others own it or may use it");
    assert_int_equal(chmod(f.path, 0700), 0);
    assert_int_equal(setenv("SINTER_PROFILE", "/nonexistent/profile", 1), 0);
    assert_non_null(strstr(open_context(NULL).line, "No such file"));
    sinter_profile_destroy(p);
    remove_folder(&f);
}

static void a_folder_that_cannot_be_written_is_an_error(void **state)
{
    (void)state;
    folder f = make_folder();
    sinter_profile *p = open_host();
    char file[128];
    char inside[200];
    (void)snprintf(file, sizeof file, "%s/file", f.path);
    (void)snprintf(inside, sizeof inside, "%s/deeper", file);
    write_file(file, "", 0);
    assert_int_equal(setenv("SINTER_CACHE_DIR", inside, 1), 0); /* a file stands in the way */
    FAILS(SINTER_EIO, sinter_profile_save(p));
    assert_string_equal(sinter_profile_origin(p), "defaults");
    check_passed_over(inside, "it is of the wrong kind, or a symbolic link");
    sinter_profile_destroy(p);
    remove_folder(&f);
}

static void wrong_arguments(void **state)
{
    (void)state;
    sinter_profile *p = NULL;
    sinter_profile_number n = SINTER_PROFILE_NUMBER_INIT;
    test_text t = {.bytes = 0};
    FAILS(SINTER_ENODEVICE, sinter_profile_open("no such device", &p));
    assert_null(p);
    FAILS(SINTER_EINVAL, sinter_profile_open("host", NULL));
    p = open_host();
    FAILS(SINTER_EINVAL, sinter_profile_parse(NULL, "", 0));
    FAILS(SINTER_EINVAL, sinter_profile_parse(p, NULL, 0));
    FAILS(SINTER_EINVAL, sinter_profile_write(NULL, test_text_add, &t));
    FAILS(SINTER_EINVAL, sinter_profile_write(p, NULL, NULL));
    FAILS(SINTER_EINVAL, sinter_profile_save(NULL));
    FAILS(SINTER_EINVAL, sinter_profile_reset(NULL));
    FAILS(SINTER_EINVAL, sinter_profile_get(NULL, 0, &n));
    FAILS(SINTER_EINVAL, sinter_profile_get(p, 0, NULL));
    FAILS(SINTER_EINVAL, sinter_profile_set(NULL, 0, 1));
    assert_string_equal(sinter_profile_origin(NULL), "");
    sinter_measure_options options = SINTER_MEASURE_OPTIONS_INIT;
    sinter_tune_result tuned = SINTER_TUNE_RESULT_INIT;
    sinter_job job = {.run = NULL};
    static const double seconds[] = {-1, 2e6, NAN};
    FAILS(SINTER_EINVAL, sinter_profile_measure(NULL, &options));
    FAILS(SINTER_EINVAL, sinter_profile_tune(NULL, &job, &options, &tuned));
    FAILS(SINTER_EINVAL, sinter_profile_tune(p, NULL, &options, &tuned));
    FAILS(SINTER_EINVAL, sinter_profile_tune(p, &job, &options, &tuned));
    for (size_t i = 0; i < sizeof seconds / sizeof seconds[0]; i++) {
        options.seconds = seconds[i];
        FAILS(SINTER_ERANGE, sinter_profile_measure(p, &options));
    }
    options.size = 3;
    FAILS(SINTER_EINVAL, sinter_profile_measure(p, &options));
    sinter_profile_destroy(p);
    sinter_profile_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_reads_back),
        cmocka_unit_test(little_is_written_too),
        cmocka_unit_test(numbers_are_set_in_their_range),
        cmocka_unit_test(errors_name_the_line),
        cmocka_unit_test(a_text_of_many_kernels),
        cmocka_unit_test(damaged_texts_do_no_harm),
        cmocka_unit_test(the_users_profile_is_found),
        cmocka_unit_test(hooks_keep_profiles),
        cmocka_unit_test(a_file_that_cannot_be_used_is_passed_over),
        cmocka_unit_test(a_folder_that_cannot_be_written_is_an_error),
        cmocka_unit_test(wrong_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
