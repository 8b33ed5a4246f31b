/* From where on one way is faster than another is measured. A product is CLBlast's: the one for
 * tests, which computes nothing, is faster at the smallest product that is tried. A result goes
 * past the caches: whatever the machine, the profile has a size that halving the list of them
 * comes to after so many, and kinds with a limit of their own have it or theirs. Rows are turned in bands of a block or of many,
 * whatever a profile had. What is asked, of launches and for operands, stays or is taken back, and
 * is for all operands or those of launches that compute. Short launches are one item's or not.
 * Rows are stored in parts from half of the last cache on or never. */
#include "support/products.h"

#include "executor/context/context.h"
#include "executor/profile/profile.h"

#include <string.h>

static test_text text;

typedef struct asked {
    int sizes; /* of results */
    int heavy;
    int columns;
    int written;
    int turning;
    int turned;
    int lone;
    int unasked;
    int asked;
    int parts;
} asked;

/* The costs come after the products, and are not wanted. */
static bool ends_with_products(void *user, double done, const char *what)
{
    asked *a = user;
    (void)done;
    a->sizes += strcmp(what, "stores past the caches") == 0;
    a->heavy += strcmp(what, "heavy launches past the caches") == 0;
    a->columns += strcmp(what, "scans of columns past the caches") == 0;
    a->written += strcmp(what, "mere results past the caches") == 0;
    a->turning += strcmp(what, "turned operands past the caches") == 0;
    a->turned += strcmp(what, "rows turned past the caches") == 0;
    a->lone += strcmp(what, "short launches by one item") == 0;
    a->unasked += strcmp(what, "operands not asked for") == 0;
    a->asked += strcmp(what, "operands asked for") == 0;
    a->parts += strcmp(what, "rows stored in parts") == 0;
    return strncmp(what, "costs", 5) != 0;
}

typedef struct machine {
    unsigned long cache_bytes; /* of the last cache; 0: unknown */
    bool splits_vectors;
    unsigned units;
} machine;

static machine ask_machine(void)
{
    sinter_context *ctx = NULL;
    sinter_device_info info = SINTER_DEVICE_INFO_INIT;
    OK(sinter_context_create(NULL, &ctx));
    OK(sinter_context_device(ctx, &info));
    machine m = {(unsigned long)info.last_cache_bytes, ctx->devices[0].limits.splits_vectors,
                 info.compute_units};
    OK(sinter_context_destroy(ctx));
    return m;
}

/* An eighth of the last cache, from 1 MiB to 4: smaller sizes are not tried. */
static unsigned long least_bytes(const machine *m)
{
    unsigned long least = m->cache_bytes / 8;
    return least < 1ul << 20 ? 1ul << 20 : least > 4ul << 20 ? 4ul << 20 : least;
}

/* Of so many sizes, those at which it is asked where so many of them win. */
static int count_asked(int count, int won)
{
    int steps = 0;
    for (int from = 0, to = count; from < to; steps++) {
        int at = (from + to) / 2;
        if (won > at)
            from = at + 1;
        else
            to = at;
    }
    return steps;
}

static void check_stores(const machine *m, int sizes, unsigned long from)
{
    static const unsigned long half_mi[] = {0, 128, 96, 64, 48, 32, 24, 16, 12, 8, 6, 4, 3, 2};
    const unsigned long least = least_bytes(m);
    int most = (int)(sizeof half_mi / sizeof *half_mi) - 1;
    int won = 0;
    while (most > 1 && half_mi[most] << 19 < least)
        most--;
    while (won < most && half_mi[won] << 19 != from)
        won++;
    assert_int_equal(from, half_mi[won] << 19);
    const int halved = count_asked(most, won);
    assert_in_range(sizes, 2 * halved, 3 * halved); /* until two agree */
}

static void check_rows(int turned, unsigned long rows)
{
    assert_in_range(turned, 2, 3); /* until two agree */
    if (rows != 16 && rows != 128)
        fail_msg("%lu rows", rows);
}

/* A default stays, or another takes its place after so many of three. */
static void check_default(int times, int needed, unsigned long number, unsigned long usual,
                          unsigned long other)
{
    assert_in_range(times, number == other ? needed : 4 - needed, 3);
    if (number != usual && number != other)
        fail_msg("%lu, not %lu or %lu", number, usual, other);
}

/* A limit of a kind's own stays, or is what was found for others where that is much less. */
static void check_kind(int times, unsigned long number, unsigned long usual, unsigned long found)
{
    if (found > 0 && 2 * usual > 3 * found)
        check_default(times, 2, number, usual, found);
    else
        assert_true(times == 0 && number == usual);
}

static unsigned long half_of(unsigned long cache_bytes)
{
    unsigned long half = cache_bytes / 2;
    unsigned long usual = half == 0 ? 16ul << 20 : half < 1ul << 20 ? 1ul << 20 : half;
    return usual > 64ul << 20 ? 64ul << 20 : usual;
}

static void check_kinds(const machine *m, const asked *a, const sinter_profile *p)
{
    unsigned long found = test_profile_number(p, "stream_from");
    unsigned long share = m->units * (16ul << 20);
    unsigned long usual = half_of(m->cache_bytes);
    check_kind(a->heavy, test_profile_number(p, "heavy_stream_from"), usual, found);
    check_kind(a->columns, test_profile_number(p, "column_stream_from"), 16ul << 20, found);
    check_kind(a->written, test_profile_number(p, "write_stream_from"), usual, found);
    usual = half_of(m->cache_bytes < share ? m->cache_bytes : share);
    check_kind(a->turning, test_profile_number(p, "turn_stream_from"), usual, found);
}

static void check_ahead(const asked *a, const sinter_profile *p)
{
    unsigned long bytes = test_profile_number(p, "ahead_bytes");
    unsigned long from = test_profile_number(p, "ahead_from");
    check_default(a->unasked, 3, bytes, 2048, 0);
    if (bytes > 0)
        check_default(a->asked, 2, from, 0, 1 << 20);
    else
        assert_int_equal(a->asked + (int)from, 0);
}

/* Asked where a compiler has a choice. */
static void check_parts(const machine *m, const asked *a, const sinter_profile *p)
{
    unsigned long from = test_profile_number(p, "parts_from");
    if (m->splits_vectors && m->cache_bytes >= 8192 && m->cache_bytes <= 64ul << 20)
        check_default(a->parts, 2, from, 0, m->cache_bytes / 4);
    else
        assert_int_equal(a->parts + (int)from, 0);
}

static void check_short(const machine *m, const asked *a, const sinter_profile *p)
{
    if (m->units < 2) {
        assert_int_equal(a->lone, 0);
        return;
    }
    check_default(a->lone, 2, test_profile_number(p, "lone_work"), 0,
                  (500000 + 500000 / (m->units - 1)) / 3);
}

static void the_smallest_that_is_faster(void **state)
{
    asked a = {0};
    const machine m = ask_machine();
    (void)state;
    sinter_profile *p = NULL;
    sinter_measure_options o = SINTER_MEASURE_OPTIONS_INIT;
    o.seconds = 60; /* CLBlast may build its kernels for a while: not with less */
    o.tick = ends_with_products;
    o.user = &a;
    OK(sinter_profile_open(NULL, &p));
    OK(sinter_profile_reset(p));
    OK(sinter_profile_measure(p, &o));
    OK(sinter_profile_write(p, test_text_add, &text));
    assert_non_null(strstr(text.data, "clblast_f32 = 16777216 "));
    check_stores(&m, a.sizes, test_profile_number(p, "stream_from"));
    check_kinds(&m, &a, p);
    check_rows(a.turned, test_profile_number(p, "turn_far_rows"));
    check_short(&m, &a, p);
    check_ahead(&a, p);
    check_parts(&m, &a, p);
    sinter_profile_destroy(p);
}

static bool ends_with_stores(void *user, double done, const char *what)
{
    (void)user;
    (void)done;
    return strcmp(what, "stores past the caches") != 0;
}

/* By the one limit kinds would be asked for at sizes of next to nothing, by the other have their defaults. */
static void what_was_not_measured_stays(void **state)
{
    (void)state;
    static const uint32_t limits[] = {1, 1u << 29};
    for (size_t i = 0; i < SINTER__COUNT(limits); i++) {
        sinter_profile *p = NULL;
        sinter_measure_options o = SINTER_MEASURE_OPTIONS_INIT;
        o.tick = ends_with_stores;
        OK(sinter_profile_open(NULL, &p));
        OK(sinter_profile_reset(p));
        sinter__tuning *t = &p->values.tuning;
        t->stream_from = limits[i];
        t->heavy_stream_from = 2;
        t->write_stream_from = 3;
        t->turn_stream_from = 0;
        OK(sinter_profile_measure(p, &o));
        assert_int_equal(t->stream_from, limits[i]);
        assert_int_equal(t->heavy_stream_from, 2);
        assert_int_equal(t->write_stream_from, 3);
        assert_int_equal(t->turn_stream_from, 0);
        sinter_profile_destroy(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_smallest_that_is_faster),
                                       cmocka_unit_test(what_was_not_measured_stays)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
