/* Schedules at the ends of what they can be: one program that has every form of loop, under numbers
 * at random, gives the bits that the defaults give. */
#include "support/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 20000
#define SCHEDULES 5

/* Across the memory, rows, flat, sums along and down, a product, a broadcast. */
static const char every_form[] =
    "a = transpose(t) * 2 + x; b = sum(x * 2, axis=1); d = sum(x + 1, axis=0);"
    "e = x @ m; f = x[:, ::-1] * c + r; g = sum(exp(x)); h = x[:, 0:3] / c";

/* Small numbers, so that arrays of a few hundred elements meet them. */
static void set_at_random(sinter_profile *p, test_random *r)
{
    sinter_profile_number n = SINTER_PROFILE_NUMBER_INIT;
    for (size_t i = 0; sinter_profile_get(p, i, &n) == SINTER_OK; i++) {
        uint32_t value = n.low;
        for (uint32_t steps = test_below(r, 4); steps > 0; steps--)
            value = value == 0 ? 1 : value * 2;
        if (n.power_of_two == 0 && value > 1)
            value += test_below(r, 2);
        if (strcmp(n.name, "live_max") == 0)
            value = 48; /* what is grouped stays: it is the schedules that are meant */
        OK(sinter_profile_set(p, i, value > n.high ? n.high : value));
    }
}

static size_t values_of(const sinter_profile *p, const char *program, float *out)
{
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.log_fn = test_log;
    options.profile = p;
    test_device d = test_open(&options);
    text_run run = text_open(&d, program);
    text_queue(&d, &run);
    size_t count = text_read(&d, &run, out, ROOM);
    text_close(&d, &run);
    test_close(&d);
    return count;
}

static void gives_the_same(const sinter_profile *p, const char *program, const float *expected,
                           size_t count)
{
    static float found[ROOM];
    memset(found, 0, sizeof found);
    assert_int_equal(values_of(p, program, found), count);
    assert_memory_equal(found, expected, count * sizeof *found);
}

static void every_schedule_gives_the_same_bits(void **state)
{
    (void)state;
    static float expected[ROOM];
    test_random r = {.state = 2026};
    sinter_profile *p = test_profile(NULL, getenv("SINTER_STYLE"));
    size_t count = values_of(p, every_form, expected);
    assert_true(count > 500);
    for (int i = 0; i < SCHEDULES; i++) {
        set_at_random(p, &r);
        gives_the_same(p, every_form, expected, count);
    }
    sinter_profile_destroy(p);
}

/* What a work-item holds of its own, times the work-items of a group, stays within what a thread of a
 * driver has. */
static void large_tiles_in_large_groups(void **state)
{
    (void)state;
    static float expected[ROOM];
    static const char *const large[] = {"tile_rows", "tile_band", "tile_group"};
    sinter_profile_number n = SINTER_PROFILE_NUMBER_INIT;
    sinter_profile *p = test_profile(NULL, getenv("SINTER_STYLE"));
    size_t count = values_of(p, "e = x @ m", expected);
    for (size_t i = 0; sinter_profile_get(p, i, &n) == SINTER_OK; i++) {
        for (size_t k = 0; k < sizeof large / sizeof large[0]; k++) {
            if (strcmp(n.name, large[k]) == 0)
                OK(sinter_profile_set(p, i, n.high));
        }
    }
    gives_the_same(p, "e = x @ m", expected, count);
    sinter_profile_destroy(p);
}

/* A loop that takes elements one by one is one that a compiler may take several turns of at once: Intel's added up in
 * another order where there are two sums in it. */
static void several_sums_of_single_elements(void **state)
{
    (void)state;
    static const char program[] =
        "u = random_normal((300, 3), seed=7); cut; v = var(u, axis=0); cut;"
        "a = sum(u, axis=0); b = sum(u * u, axis=0); cut;"
        "c = cumsum(u, axis=0); d = cumsum(u * u, axis=0); cut; r = var(transpose(u), axis=1); cut;"
        "s = sum(u); q = norm(u); cut; n = layer_norm(u, axis=0)";
    static const char *const ones[] = {"map_lanes", "run_lanes", "chunk_lanes", "run_vectors",
                                       "column_group"};
    static float expected[ROOM];
    sinter_profile *p = test_profile(NULL, getenv("SINTER_STYLE"));
    size_t count = values_of(p, program, expected);
    assert_true(count > 3000);
    for (size_t i = 0; i < sizeof ones / sizeof ones[0]; i++)
        test_profile_set(p, ones[i], 1);
    gives_the_same(p, program, expected, count);
    sinter_profile_destroy(p);
}

/* What has one value is a number of the launch, and no register of its own, also where a scan takes it as it is. */
static void scans_of_one_value(void **state)
{
    (void)state;
    static const char program[] = "o = full((300,), 0.5, 'f32'); u = random_uniform((300,), "
                                  "seed=3); b = cumsum(u * o, axis=0);"
                                  "a = cumsum(o, axis=0); release o; cut;"
                                  "p = cumprod(transpose(full((300, 2), 1, 'f32')), axis=1)";
    static float found[ROOM];
    sinter_profile *p = test_profile(NULL, getenv("SINTER_STYLE"));
    size_t count = values_of(p, program, found);
    assert_true(count == 300 * 5 || count == 300 * 6); /* o is a result, or not */
    bool seen = false;
    for (size_t first = 0; first + 300 <= count && !seen; first += 300) {
        seen = true;
        for (size_t i = 0; i < 300; i++)
            seen &= found[first + i] == 0.5f * (float)(i + 1);
    }
    assert_true(seen);
    for (size_t i = count - 600; i < count; i++)
        assert_true(found[i] == 1.0f);
    sinter_profile_destroy(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_schedule_gives_the_same_bits),
        cmocka_unit_test(large_tiles_in_large_groups),
        cmocka_unit_test(several_sums_of_single_elements),
        cmocka_unit_test(scans_of_one_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
