/* Schedules in the words of the report, and the names of statuses: what a person reads of them. */
#include "support/support.h"

#include "fusion/schedule/describe.h"

#include <string.h>

enum { CPU = SINTER_STYLE_CPU, GPU = SINTER_STYLE_GPU, ALL = SINTER__PHASE_ALL };

/* One schedule: the members of key and geometry that the words are made of. */
typedef struct row {
    sinter__class_key key;
    sinter__geometry g;
    const char *expected;
} row;

#define KEY(form, device, ...)                                                                     \
    {                                                                                              \
        .loops = SINTER__LOOPS_##form, .style = (device), .lanes = 4, __VA_ARGS__                  \
    }
#define SIZE(items, in_group, per_item, ...)                                                       \
    {                                                                                              \
        .global = {(items), 1, 1}, .local = {(in_group), 1, 1}, .units_per_item = (per_item),      \
        __VA_ARGS__                                                                                \
    }

static const row rows[] = {
    /* elementwise */
    {KEY(ROW, CPU, .phase = 0), SIZE(64, 1, 2, .segment = 512),
     "rows, 4 lanes, 1024 elements to an item; 64 items in groups of 1"},
    {KEY(FLAT, GPU, .phase = 0), SIZE(1, 1, 3, .segment = 512),
     "flat, 4 lanes, 12 elements to an item; 1 item in groups of 1"},
    {KEY(FLAT, CPU, .tables = 2), SIZE(8, 1, 1, .segment = 256),
     "flat, 4 lanes, 256 elements to an item, 2 repeated from a table; 8 items in groups of 1"},
    {KEY(BLOCK, CPU, .rows = 8), SIZE(2, 1, 1, .segment = 16),
     "bands of 8 rows, 4 lanes, 128 elements to an item; 2 items in groups of 1"},
    {KEY(BLOCK, GPU, .rows = 32), SIZE(512, 256, 1, .segment = 32),
     "blocks of 32 x 32 in local memory, 4 lanes, 4 elements to an item; 512 items in groups of "
     "256"},
    /* reductions */
    {KEY(CHUNK, CPU, .phase = ALL), SIZE(4, 1, 1, .segment = 64),
     "reduction along rows, 4 lanes, 1 row to an item; 4 items in groups of 1"},
    {KEY(CHUNK, CPU, .phase = 0), SIZE(4, 1, 2, .segment = 64),
     "reduction along rows, 4 lanes, 2 chunks to an item; 4 items in groups of 1"},
    {KEY(CHUNK, GPU, .phase = ALL, .partials = 64), SIZE(128, 64, 1, .segment = 64),
     "reduction along rows, 4 lanes, 4 rows to a group; 128 items in groups of 64"},
    {KEY(CHUNK, GPU, .phase = ALL, .partials = 64, .sub_group = 16), SIZE(16, 16, 1, .segment = 64),
     "reduction along rows, 4 lanes, 1 row to a group, shuffles in sub-groups of 16; 16 items in "
     "groups of 16"},
    {KEY(RUN, CPU, .phase = ALL, .vectors = 1), SIZE(4, 1, 1, .segment = 4),
     "reduction down columns, 4 lanes, 1 vector to an item; 4 items in groups of 1"},
    {KEY(RUN, CPU, .phase = ALL, .vectors = 64, .rows = 6), SIZE(4, 1, 3, .segment = 32),
     "reduction down columns, 4 lanes, 3 bands to an item, 8 vectors side by side, 6 rows at a "
     "time; 4 items in groups of 1"},
    {KEY(RUN, GPU, .phase = 1, .vectors = 1), SIZE(64, 64, 1, .segment = 4),
     "reduction down columns, 4 lanes, 1 run to an item; 64 items in groups of 64"},
    {KEY(COMBINE, CPU, .phase = 0), SIZE(2, 1, 5, .parts = 9),
     "the tree over 9 parts, 5 results to an item; 2 items in groups of 1"},
    /* scans */
    {KEY(SCAN_ROWS, CPU, .phase = ALL), SIZE(4, 1, 2, .segment = 64),
     "scan along rows, 4 lanes, 2 rows to an item; 4 items in groups of 1"},
    {KEY(SCAN_ROWS, GPU, .phase = ALL, .rows = 4), SIZE(256, 256, 1, .segment = 64),
     "scan along rows, 4 lanes, 1 row to a group; 256 items in groups of 256"},
    {KEY(SCAN_ROWS, CPU, .phase = ALL, .rows = 4), SIZE(4, 1, 2, .segment = 64),
     "scan along rows, 4 lanes, 2 rows to an item, 4 blocks at once; 4 items in groups of 1"},
    {KEY(SCAN_COLUMNS, GPU, .phase = ALL, .rows = 8, .group = {32, 8}),
     SIZE(64, 32, 1, .segment = 4),
     "scan down columns, 4 lanes, 1 vector to a group, 32 vectors side by side, 8 blocks at once; "
     "64 items in groups of 32"},
    {KEY(SCAN_COLUMNS, CPU, .phase = ALL), SIZE(1, 1, 1, .segment = 4),
     "scan down columns, 4 lanes, 1 vector to an item; 1 item in groups of 1"},
    {KEY(SCAN_ROWS, CPU, .phase = SINTER__SCAN_TOTALS), SIZE(4, 1, 1, .segment = 64),
     "totals of a scan along rows, 4 lanes, 1 stretch to an item; 4 items in groups of 1"},
    {KEY(SCAN_COLUMNS, CPU, .phase = SINTER__SCAN_RESULTS), SIZE(4, 1, 3, .segment = 4),
     "scan down columns, 4 lanes, 3 stretches to an item; 4 items in groups of 1"},
    {KEY(SCAN_CARRIES, CPU, .phase = SINTER__SCAN_CARRIES), SIZE(4, 1, 1, .parts = 7),
     "carries of 7 stretches, 1 line to an item; 4 items in groups of 1"},
    {KEY(SCAN_CARRIES, GPU, .phase = SINTER__SCAN_CARRIES, .rows = 2), SIZE(64, 64, 2, .parts = 7),
     "carries of 7 stretches, 2 lines to a group; 64 items in groups of 64"},
    /* products */
    {KEY(TILE, CPU, .rows = 8, .vectors = 2), SIZE(16, 1, 4, .segment = 0),
     "tiles of 8 x 8, 4 to an item, 4 lanes; 16 items in groups of 1"},
    {KEY(TILE, GPU, .rows = 4, .vectors = 2, .steps = 16, .slices = 1, .group = {8, 8}),
     SIZE(128, 64, 1, .local_bytes = 6144),
     "tiles of 4 x 8 in blocks of 32 x 64 x 16, 6144 bytes of local memory, 4 lanes; 128 items in "
     "groups of 64"},
    {KEY(TILE, GPU, .rows = 4, .vectors = 2, .steps = 16, .slices = 2, .group = {8, 8}),
     SIZE(128, 64, 1, .local_bytes = 6144),
     "tiles of 4 x 8 in blocks of 16 x 64 x 16, 2 slices, 6144 bytes of local memory, 4 lanes; 128 "
     "items in groups of 64"},
};

static void a_schedule_in_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        sinter__allocator allocator;
        sinter__buffer text;
        sinter__allocator_init(&allocator, NULL, NULL);
        sinter__buffer_init(&text, &allocator);
        sinter__schedule_describe(&rows[i].key, &rows[i].g, &text);
        assert_string_equal(sinter__buffer_text(&text), rows[i].expected);
        sinter__buffer_finish(&text);
    }
}

/* Names are what the table says, numbers never change, and none is named twice. */
static void every_status_has_a_name(void **state)
{
    (void)state;
    static const struct {
        sinter_status status;
        int number;
        const char *name;
    } all[] = {
#define STATUS_ROW(name, number, text) {SINTER_##name, number, #name},
        SINTER_STATUS_MAP(STATUS_ROW)
#undef STATUS_ROW
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        assert_int_equal(all[i].status, -(int)i);
        assert_int_equal(all[i].status, all[i].number);
        assert_string_equal(sinter_status_name(all[i].status), all[i].name);
    }
    assert_string_equal(sinter_status_name((sinter_status)1), "unknown");
    assert_string_equal(sinter_status_name((sinter_status) - (int)(sizeof all / sizeof all[0])),
                        "unknown");
}

/* A message is one line, and as much of it as there is room for: what was there goes last. */
static void a_long_message_is_cut(void **state)
{
    (void)state;
    char where[600];
    memset(where, 'w', sizeof where);
    where[sizeof where - 1] = '\0';
    assert_int_equal(sinter__fail(SINTER_EIO, "a\nb\tc\r%d", 7), SINTER_EIO);
    assert_string_equal(sinter_last_error(), "a b c 7");
    assert_int_equal(sinter__fail_in(SINTER_ENOMEM, "here"), SINTER_ENOMEM);
    assert_string_equal(sinter_last_error(), "here: a b c 7");
    where[505] = '\0';
    (void)sinter__fail_in(SINTER_EIO, where);
    assert_int_equal(strlen(sinter_last_error()), 511);
    assert_string_equal(sinter_last_error() + 505, ": here");
    where[505] = 'w';
    (void)sinter__fail_in(SINTER_EIO, where);
    assert_int_equal(strlen(sinter_last_error()), 511);
    assert_null(strchr(sinter_last_error(), ':'));
    sinter__clear_error();
    assert_string_equal(sinter_last_error(), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_schedule_in_words),
        cmocka_unit_test(every_status_has_a_name),
        cmocka_unit_test(a_long_message_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
