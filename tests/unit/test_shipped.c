/* The profiles that come with the library: each is whole, is used for the device that it is of and for
 * no other, and the folder and the table of rules say the same. */
#include "support/support.h"

#include "executor/profile/profile.h"
#include "executor/profile/shipped.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* As rows of the table, whose texts are what a device may be called. */
static const struct {
    const char *file, *platform, *device, *driver;
    sinter_device_kind kind;
} rows[] = {
#define SINTER_SHIPPED(file_, platform_, kind_, device_, driver_)                                  \
    {.file = (file_),                                                                              \
     .platform = (platform_),                                                                      \
     .device = (device_),                                                                          \
     .driver = (driver_),                                                                          \
     .kind = (kind_)},
#include "profiles/shipped.def"
};
#define ROWS (sizeof rows / sizeof rows[0])

/* A device that the row is of, with more around each text. */
static sinter__device device_of(size_t row)
{
    sinter__device d = {.info = SINTER_DEVICE_INFO_INIT};
    d.info.kind = rows[row].kind;
    d.info.native_lanes = 8;
    (void)snprintf(d.info.platform, sizeof d.info.platform, "a %s b", rows[row].platform);
    (void)snprintf(d.info.name, sizeof d.info.name, "a %s b", rows[row].device);
    (void)snprintf(d.info.driver_version, sizeof d.info.driver_version, "%s0.1", rows[row].driver);
    d.limits.style = SINTER_STYLE_CPU;
    return d;
}

static void each_is_found_for_its_device_alone(void **state)
{
    (void)state;
    assert_true(ROWS >= sinter__shipped_text_count && sinter__shipped_text_count > 0);
    for (size_t i = 0; i < ROWS; i++) {
        sinter__device d = device_of(i);
        const sinter__shipped_text *t = sinter__shipped_find(&d.info);
        assert_non_null(t);
        assert_string_equal(t->name, rows[i].file);
        sinter_device_info other = d.info;
        other.kind = SINTER_DEVICE_HOST;
        assert_null(sinter__shipped_find(&other));
        other = d.info;
        (void)snprintf(other.name, sizeof other.name, "another");
        assert_null(sinter__shipped_find(&other));
        other = d.info;
        (void)snprintf(other.platform, sizeof other.platform, "another");
        assert_null(sinter__shipped_find(&other));
        other = d.info;
        (void)snprintf(other.driver_version, sizeof other.driver_version, "x%s", rows[i].driver);
        assert_null(sinter__shipped_find(&other));
    }
    sinter__device host = {.info = SINTER_DEVICE_INFO_INIT};
    host.info.kind = SINTER_DEVICE_HOST;
    (void)snprintf(host.info.name, sizeof host.info.name, "host reference device");
    assert_null(sinter__shipped_find(&host.info));
}

/* What has to be there, so that a time can be predicted. */
static const uint8_t figures[] = {SINTER__FIGURE_copy_near, SINTER__FIGURE_copy_far,
                                  SINTER__FIGURE_read_near, SINTER__FIGURE_read_far,
                                  SINTER__FIGURE_launch};

/* What a context takes, when the user has nothing. */
static void each_is_whole(void **state)
{
    (void)state;
    (void)unsetenv("SINTER_PROFILE");
    (void)setenv("SINTER_CACHE_DIR", "/nonexistent/folder", 1);
    for (size_t i = 0; i < ROWS; i++) {
        sinter__allocator a;
        sinter_profile p;
        sinter_profile again;
        sinter__buffer text;
        char origin[100];
        sinter__allocator_init(&a, NULL, NULL);
        sinter__device d = device_of(i);
        OK(sinter__profile_find(&p, &a, &d, NULL));
        (void)snprintf(origin, sizeof origin, "shipped: %s", rows[i].file);
        assert_int_equal(strncmp(p.origin, origin, strlen(origin)), 0);
        assert_true(p.values.is_shipped);
        for (size_t f = 0; f < sizeof figures / sizeof figures[0]; f++)
            assert_true(p.values.rates.figures[figures[f]] > 0);
        assert_int_equal(p.values.exact_fma, SINTER__FACT_UNKNOWN);
        assert_int_equal(p.values.exact_divide, SINTER__FACT_UNKNOWN);
        assert_int_equal(p.values.void_clauses, 0);
        /* Written for this device and read back it is the same, and still not of this device. */
        sinter__buffer_init(&text, &a);
        sinter__profile_print(&p, &text);
        sinter__profile_init(&again, &a, &d);
        OK(sinter__profile_parse(&again, sinter__buffer_text(&text), text.bytes, false));
        assert_true(again.values.is_shipped);
        assert_memory_equal(&again.values.rates, &p.values.rates, sizeof p.values.rates);
        assert_memory_equal(&again.values.tuning, &p.values.tuning, sizeof p.values.tuning);
        sinter__buffer_finish(&text);
        sinter__profile_finish(&again);
        sinter__profile_finish(&p);
        assert_int_equal(a.live_bytes, 0);
    }
    (void)unsetenv("SINTER_CACHE_DIR");
    (void)setenv("SINTER_PROFILE", "none", 1);
}

/* What stands in the head of a file, and in the line of its first number. */
static void check_file(const char *name)
{
    char path[600];
    char text[2000];
    (void)snprintf(path, sizeof path, "%s/profiles/%s", SINTER_SOURCE_DIR, name);
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    size_t bytes = fread(text, 1, sizeof text - 1, file);
    (void)fclose(file);
    text[bytes] = '\0';
    char *end = strstr(text, "\nformat = ");
    assert_non_null(end);
    *end = '\0';
    assert_non_null(strstr(text, "# Machine: "));
    assert_non_null(strstr(text, "# Date: 20"));
}

static void the_folder_is_what_is_shipped(void **state)
{
    (void)state;
    size_t count = 0;
    DIR *folder = opendir(SINTER_SOURCE_DIR "/profiles");
    assert_non_null(folder);
    for (struct dirent *e = readdir(folder); e != NULL; e = readdir(folder)) {
        size_t bytes = strlen(e->d_name);
        if (bytes < 8 || strcmp(e->d_name + bytes - 8, ".profile") != 0)
            continue;
        bool found = false;
        bool ruled = false;
        for (size_t i = 0; i < sinter__shipped_text_count; i++)
            found |= strcmp(sinter__shipped_texts[i].name, e->d_name) == 0;
        for (size_t i = 0; i < ROWS; i++)
            ruled |= strcmp(rows[i].file, e->d_name) == 0;
        if (!found || !ruled)
            fail_msg("%s is not embedded, or no rule has it", e->d_name);
        check_file(e->d_name);
        count++;
    }
    (void)closedir(folder);
    assert_int_equal(count, sinter__shipped_text_count);
}

/* A default that was written is the reader's default, not the writer's; a number of one's own stays. */
static void a_default_follows_its_device(void **state)
{
    (void)state;
    sinter__allocator a;
    sinter_profile from;
    sinter_profile to;
    sinter__buffer text;
    sinter__device d = device_of(0);
    sinter__allocator_init(&a, NULL, NULL);
    sinter__buffer_init(&text, &a);
    d.info.kind = SINTER_DEVICE_CPU;
    d.info.compute_units = 2;
    d.info.last_cache_bytes = 8 << 20;
    sinter__profile_init(&from, &a, &d);
    from.values.tuning.item_max = 4096;
    sinter__profile_print(&from, &text);
    d.info.last_cache_bytes = 32 << 20;
    sinter__profile_init(&to, &a, &d);
    OK(sinter__profile_parse(&to, sinter__buffer_text(&text), text.bytes, false));
    assert_int_equal(from.values.tuning.stream_from, 4 << 20);
    assert_int_equal(to.values.tuning.stream_from, 16 << 20);
    assert_int_equal(to.values.tuning.item_max, 4096);
    sinter__profile_finish(&from);
    sinter__profile_finish(&to);
    sinter__buffer_finish(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_is_found_for_its_device_alone),
        cmocka_unit_test(each_is_whole),
        cmocka_unit_test(the_folder_is_what_is_shipped),
        cmocka_unit_test(a_default_follows_its_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
