/* The numbers of schedules and groups: defaults, ranges, steps, and finding those of a kernel. */
#include "support/support.h"

#include "fusion/schedule/schedule.h"

#include <string.h>

static const struct {
    sinter_style style;
    uint32_t lanes, native_lanes;
} devices[] = {
    {SINTER_STYLE_CPU, 16, 8}, {SINTER_STYLE_CPU, 16, 16}, {SINTER_STYLE_CPU, 4, 4},
    {SINTER_STYLE_CPU, 1, 4},  {SINTER_STYLE_GPU, 4, 1},   {SINTER_STYLE_GPU, 8, 1},
};

static void defaults_are_in_range(void **state)
{
    (void)state;
    for (size_t d = 0; d < sizeof devices / sizeof devices[0]; d++) {
        sinter__tuning t;
        sinter__tuning_init(&t, devices[d].style, devices[d].lanes, devices[d].native_lanes);
        for (size_t i = 0; i < SINTER__TUNING_COUNT; i++) {
            uint32_t value = sinter__tuning_get(&t, i);
            assert_true(sinter__tuning_set(&t, i, value));
            assert_int_equal(sinter__tuning_get(&t, i), value);
        }
        assert_int_equal(t.map_lanes, devices[d].lanes);
    }
}

static void a_tile_is_what_the_registers_hold(void **state)
{
    (void)state;
    sinter__tuning t;
    sinter__tuning_init(&t, SINTER_STYLE_CPU, 16, 8);
    assert_int_equal(t.tile_lanes, 8);
    assert_int_equal(t.tile_rows, 6);
    sinter__tuning_init(&t, SINTER_STYLE_CPU, 16, 16);
    assert_int_equal(t.tile_lanes, 16);
    assert_int_equal(t.tile_rows, 8);
}

static void what_is_out_of_range_is_not_taken(void **state)
{
    (void)state;
    sinter__tuning t;
    sinter__tuning_init(&t, SINTER_STYLE_GPU, 4, 1);
    const sinter__tuning before = t;
    for (size_t i = 0; i < SINTER__TUNING_COUNT; i++) {
        const sinter__tuning_info *row = sinter__tuning_row(i);
        assert_false(sinter__tuning_set(&t, i, row->high + 1));
        if (row->low > 0)
            assert_false(sinter__tuning_set(&t, i, row->low - 1));
        if (row->kind != SINTER__TUNING_COUNTED)
            assert_false(sinter__tuning_set(&t, i, 3));
    }
    assert_memory_equal(&t, &before, sizeof t);
}

/* Every value between the ends is met on the way, in both directions. */
static void steps_go_from_one_end_to_the_other(void **state)
{
    (void)state;
    for (size_t i = 0; i < SINTER__TUNING_COUNT; i++) {
        const sinter__tuning_info *row = sinter__tuning_row(i);
        uint32_t seen[64];
        size_t count = 0;
        sinter__tuning t;
        sinter__tuning_init(&t, SINTER_STYLE_CPU, 16, 8);
        assert_true(sinter__tuning_set(&t, i, row->low));
        uint32_t value = row->low;
        do {
            assert_true(count < 64);
            seen[count++] = value;
            assert_true(sinter__tuning_set(&t, i, value));
        } while (sinter__tuning_next(&t, i, true, &value));
        assert_true(value > row->high / 2);
        while (--count > 0) {
            assert_true(sinter__tuning_next(&t, i, false, &value));
            assert_int_equal(value, seen[count - 1]);
            assert_true(sinter__tuning_set(&t, i, value));
        }
        assert_false(sinter__tuning_next(&t, i, false, &value));
    }
}

static void rows_are_found_by_name(void **state)
{
    (void)state;
    for (size_t i = 0; i < SINTER__TUNING_COUNT; i++) {
        const char *name = sinter__tuning_row(i)->name;
        assert_int_equal(sinter__tuning_find(name, strlen(name)), i);
        assert_int_equal(sinter__tuning_find(name, strlen(name) - 1), SINTER__TUNING_COUNT);
    }
}

static void kernels_are_found_by_key(void **state)
{
    (void)state;
    static const sinter__tuned all[] = {{.key = 2}, {.key = 5}, {.key = 9}, {.key = UINT64_MAX}};
    for (size_t count = 0; count <= 4; count++) {
        sinter__tuned_list list = {all, count};
        for (size_t i = 0; i < 4; i++)
            assert_ptr_equal(sinter__tuned_find(&list, all[i].key), i < count ? &all[i] : NULL);
        assert_null(sinter__tuned_find(&list, 0));
        assert_null(sinter__tuned_find(&list, 6));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_in_range),
        cmocka_unit_test(a_tile_is_what_the_registers_hold),
        cmocka_unit_test(what_is_out_of_range_is_not_taken),
        cmocka_unit_test(steps_go_from_one_end_to_the_other),
        cmocka_unit_test(rows_are_found_by_name),
        cmocka_unit_test(kernels_are_found_by_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
