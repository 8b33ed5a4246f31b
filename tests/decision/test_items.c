/* Into how many work-items of a CPU a launch over elements, rows or columns is divided: several for each compute
 * unit, for balance, and fewer where they would be soon done, or one. */
#include "support/support.h"

#include "executor/run/instance.h"

#include <stdlib.h>
#include <string.h>

#define MOST_ELEMENTS (1 << 18)
#define ITEM_MAX 16384

typedef struct row {
    const char *text;
    int64_t elements;
    int64_t columns; /* of the rows that are summed at last; 0: nothing is */
    int axis;        /* along which they are */
    int operations;
    uint32_t per_unit;    /* the device's number of items for each compute unit */
    uint32_t short_items; /* and where they are soon done */
    size_t items;         /* on two compute units */
    uint32_t lone_work;   /* what one of them is enough for */
    uint32_t fine_items;  /* most of some microseconds each; 0: as many as the device's number */
    uint32_t fine_work;   /* that one of those is worth; 0: 500,000 additions */
} row;

static const row rows[] = {
    {"soon done", 32768, 0, 0, 8, 4, 2, 4, 0, 0, 0},
    {"soon done, one for each", 32768, 0, 0, 8, 4, 1, 2, 0, 0, 0},
    {"one operation", 32768, 0, 0, 1, 16, 2, 4, 0, 0, 0},
    {"many operations", 32768, 0, 0, 124, 4, 2, 8, 0, 0, 0},
    {"many operations, as small as it is worth", 131072, 0, 0, 124, 4, 2, 32, 0, 20, 0},
    {"many operations, as small as the device finds worth it", 131072, 0, 0, 48, 4, 2, 20, 0, 20,
     340000},
    {"many operations, longer than that", 65536, 0, 0, 124, 4, 2, 4, 0, 20, 6000000},
    {"many operations, no more than are wanted", 131072, 0, 0, 124, 4, 2, 10, 0, 5, 0},
    {"many operations, the device wants more", 131072, 0, 0, 124, 6, 2, 12, 0, 5, 0},
    {"some operations, between both", 131072, 0, 0, 48, 4, 2, 12, 0, 20, 0},
    {"soon done, however many are wanted", 32768, 0, 0, 8, 4, 2, 4, 0, 20, 0},
    {"no fewer than the device wants", 32768, 0, 0, 1, 1, 2, 2, 0, 0, 0},
    {"not shorter than is worth it", 2048, 0, 0, 1, 4, 2, 2, 0, 0, 0},
    {"not longer than allowed", MOST_ELEMENTS, 0, 0, 1, 4, 2, 16, 0, 0, 0},
    {"rows, soon done", 32768, 512, 1, 8, 4, 2, 4, 0, 0, 0},
    {"rows, soon done, one for each", 32768, 512, 1, 8, 4, 1, 2, 0, 0, 0},
    {"many operations, one for each that is soon done", 32768, 0, 0, 124, 4, 1, 8, 0, 0, 0},
    {"rows, many operations", 32768, 512, 1, 124, 4, 2, 8, 0, 0, 0},
    {"rows, no fewer than the device wants", 32768, 512, 1, 1, 1, 2, 2, 0, 0, 0},
    {"rows, not longer than allowed", MOST_ELEMENTS, 512, 1, 1, 4, 2, 16, 0, 0, 0},
    {"columns, soon done", 32768, 512, 0, 8, 4, 2, 4, 0, 0, 0},
    {"columns, soon done, one for each", 32768, 512, 0, 8, 4, 1, 2, 0, 0, 0},
    {"the tree over 16 parts of columns, one for each", 4 * MOST_ELEMENTS, 256, 0, 1, 4, 1, 2, 0, 0,
     0},
    /* an element is loaded, goes through the additions and is stored: 2 + 8 + 2 */
    {"done before a second would begin", 32768, 0, 0, 8, 4, 2, 1, 12 * 32768, 0, 0},
    {"not quite", 32768, 0, 0, 8, 4, 2, 4, 12 * 32768 - 1, 0, 0},
    {"longer than others may be", MOST_ELEMENTS, 0, 0, 1, 4, 2, 1, 5 * MOST_ELEMENTS, 0, 0},
    /* 2 + 8 + 1, and the sums to be stored */
    {"rows, done before a second would begin", 32768, 512, 1, 8, 4, 2, 1, 11 * 32768 + 2 * 64, 0,
     0},
    {"rows, not quite", 32768, 512, 1, 8, 4, 2, 4, 11 * 32768 + 2 * 64 - 1, 0, 0},
    {"columns, done before a second would begin", 32768, 512, 0, 8, 4, 2, 1, 11 * 32768 + 2 * 512,
     0, 0},
    {"columns, not quite", 32768, 512, 0, 8, 4, 2, 4, 11 * 32768 + 2 * 512 - 1, 0, 0},
    {"columns that fill no vector", 6400, 100, 0, 1, 4, 2, 1, 1 << 30, 0, 0},
};

/* The items of the last launch. */
static void see(void *user, const sinter__instance *in)
{
    size_t *items = user;
    const int last = (int)in->launch_counts[0] - 1;
    const sinter__geometry *g = &sinter__instance_launch(in, 0, last)->geometry;
    assert_int_equal(in->compiled->plan.group_count, 1);
    assert_int_equal(g->local[0], 1);
    *items = g->global[0];
}

/* With two compute units. */
static test_device open_host(void)
{
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.device = "host";
    options.style = SINTER_STYLE_CPU;
    options.log_fn = test_log;
    test_device d = test_open(&options);
    d.ctx->devices[0].limits.compute_units = 2;
    return d;
}

static size_t items_of(const row *r)
{
    test_device d = open_host();
    sinter__limits *l = &d.ctx->devices[0].limits;
    l->tuning.items_per_unit = r->per_unit;
    l->tuning.short_items = r->short_items;
    l->tuning.lone_work = r->lone_work;
    l->tuning.fine_items = r->fine_items > 0 ? r->fine_items : 1;
    if (r->fine_work > 0)
        l->tuning.fine_work = r->fine_work;
    l->tuning.item_max = ITEM_MAX;
    float *data = calloc((size_t)r->elements, sizeof *data);
    assert_non_null(data);
    bool has_rows = r->columns != 0;
    int64_t shape[] = {has_rows ? r->elements / r->columns : r->elements, r->columns};
    sinter_tensor last = test_floats(&d, has_rows ? 2 : 1, shape, data);
    for (int i = 0; i < r->operations; i++) {
        sinter_tensor next;
        OK(sinter_add_scalar(d.s, last, i, &next));
        test_release(&d, last);
        last = next;
    }
    if (has_rows) {
        sinter_tensor sums;
        OK(sinter_sum(d.s, last, 1, &r->axis, false, &sums));
        test_release(&d, last);
        last = sums;
    }
    size_t items = 0;
    OK(sinter_stream_sync(d.s));
    sinter__instances_visit(d.s, see, &items);
    test_release(&d, last);
    test_close(&d);
    free(data);
    return items;
}

static void items_are_as_many_as_they_are_worth(void **state)
{
    (void)state;
    for (size_t i = 0; i < SINTER__COUNT(rows); i++) {
        size_t items = items_of(&rows[i]);
        if (items != rows[i].items)
            fail_msg("%s: %zu work-items, not %zu", rows[i].text, items, rows[i].items);
    }
}

typedef struct launches {
    int count;
    size_t items; /* of the last */
} launches;

static void see_launches(void *user, const sinter__instance *in)
{
    launches *of = user;
    of->count = in->launch_counts[0];
    of->items = sinter__instance_launch(in, 0, of->count - 1)->geometry.global[0];
}

#define LONG_ROW 40000

/* A program of x [rows, columns], what the device has for numbers, and the launches that it takes then. */
typedef struct long_rows {
    const char *text;
    int64_t rows, columns;
    uint32_t lone_work;
    uint32_t iterations; /* that a work-item may go through; 0: any number */
    uint32_t split_work;
    launches of;
} long_rows;

static launches launches_of(const long_rows *r, float *out)
{
    static float data[LONG_ROW];
    launches of = {0};
    test_device d = open_host();
    sinter__limits *l = &d.ctx->devices[0].limits;
    l->most_iterations = r->iterations;
    l->tuning.lone_work = r->lone_work;
    l->tuning.split_work = r->split_work;
    const int64_t shape[] = {r->rows, r->columns};
    for (int i = 0; i < LONG_ROW; i++)
        data[i] = (float)(i * 7919 % 1009) / 64.0f - 7.0f;
    sinter_tensor in[2];
    sinter_tensor results[2];
    sinter_program *p = test_program_of_rows(&d, r->text, shape, data, in, results);
    OK(sinter_stream_sync(d.s));
    sinter__instances_visit(d.s, see_launches, &of);
    (void)test_read_numbers(&d, results[0], out, LONG_ROW);
    test_release(&d, in[0]);
    test_release(&d, results[0]);
    sinter_program_destroy(p);
    test_close(&d);
    return of;
}

/* The launches, and the bits of a device whose units all take part. */
static void check_launches(const long_rows *r)
{
    static float expected[LONG_ROW];
    static float found[LONG_ROW];
    const long_rows plain = {.text = r->text, .rows = r->rows, .columns = r->columns};
    memset(expected, 0, sizeof expected);
    memset(found, 0, sizeof found);
    (void)launches_of(&plain, expected);
    launches of = launches_of(r, found);
    assert_memory_equal(found, expected, sizeof found);
    if (of.count != r->of.count || of.items != r->of.items)
        fail_msg("%s, %u, %u: %d launches, the last of %zu items, not %d of %zu", r->text,
                 r->lone_work, r->split_work, of.count, of.items, r->of.count, r->of.items);
}

/* Parts of a row that one work-item goes through want no launch for what they come to together. */
static void what_one_item_is_enough_for_is_one_launch(void **state)
{
    (void)state;
    static const long_rows all[] = {
        {"y = sum(x)", 1, LONG_ROW, 0, 0, .of = {2, 1}},
        {"y = sum(x)", 1, LONG_ROW, 3 * LONG_ROW + 2, 0,
         .of = {1, 1}}, /* read, added; and stored */
        {"y = sum(x)", 1, LONG_ROW, 3 * LONG_ROW + 1, 0, .of = {2, 1}},
        {"y = var(x)", 1, LONG_ROW, 1 << 30, 0, .of = {1, 1}},
        {"y = sum(x, axis=0)", 2000, 20, 0, 0, .of = {2, 1}},
        {"y = sum(x, axis=0)", 2000, 20, 1 << 30, 0, .of = {1, 1}},
        /* 100 for each row, which so few columns wait for */
        {"y = sum(x, axis=0)", 2000, 20, 100 * 2000, 0, .of = {1, 1}},
        {"y = sum(x, axis=0)", 2000, 20, 100 * 2000 - 1, 0, .of = {2, 1}},
        {"y = cumsum(x, axis=1)", 1, LONG_ROW, 0, 0, .of = {3, 10}},
        {"y = cumsum(x, axis=1)", 1, LONG_ROW, 1 << 30, 0, .of = {1, 1}},
        {"y = cumsum(x, axis=1)", 4, LONG_ROW / 4, 1 << 30, 0, .of = {1, 1}},
        /* 2 + 2 + 2, and 10 for what is put together */
        {"y = cumsum(x, axis=1)", 1, LONG_ROW, 16 * LONG_ROW, 0, .of = {1, 1}},
        {"y = cumsum(x, axis=1)", 1, LONG_ROW, 16 * LONG_ROW - 1, 0, .of = {3, 10}},
        {"y = transpose(x) * 2", 72, 72, 0, 0, .of = {1, 8}},
        {"y = transpose(x) * 2", 72, 72, 14 * 72 * 72, 0, .of = {1, 1}},
        {"y = transpose(x) * 2", 72, 72, 14 * 72 * 72 - 1, 0, .of = {1, 8}},
        /* read twice, added, multiplied and stored */
        {"y = x * sum(x)", 1, LONG_ROW, 8 * LONG_ROW, 0, .of = {1, 1}},
        {"y = x * sum(x)", 1, LONG_ROW, 8 * LONG_ROW - 1, 0, .of = {3, 3}},
        /* each result of 16 bits is rounded: 2 + 5 + 5 + 1 + 2 */
        {"y = cast(cast(x, \"f16\") * 2, \"f32\")", 1, LONG_ROW, 15 * LONG_ROW, 0, .of = {1, 1}},
        {"y = cast(cast(x, \"f16\") * 2, \"f32\")", 1, LONG_ROW, 15 * LONG_ROW - 1, 0,
         .of = {1, 4}},
        {"y = -x", 1, LONG_ROW, 1 << 30, 4 * 16384, .of = {1, 3}},
    };
    for (size_t i = 0; i < SINTER__COUNT(all); i++)
        check_launches(&all[i]);
}

/* Two compute units: the other one has half of what a row comes to, of which a scan does half as much again. */
static void rows_are_split_where_that_saves_more_than_launches_cost(void **state)
{
    (void)state;
    static const long_rows all[] = {
        {"y = sum(x)", 1, LONG_ROW, .split_work = (3 * LONG_ROW + 2) / 2, .of = {1, 1}},
        {"y = sum(x)", 1, LONG_ROW, .split_work = (3 * LONG_ROW + 2) / 2 - 1, .of = {2, 1}},
        {"y = x * sum(x)", 1, LONG_ROW, .split_work = 8 * LONG_ROW / 2 / 2, .of = {1, 1}},
        {"y = x * sum(x)", 1, LONG_ROW, .split_work = 8 * LONG_ROW / 2 / 2 - 1, .of = {3, 3}},
        {"y = x * sum(x, axis=1, keepdims=True)", 2, LONG_ROW / 2, .split_work = 0, .of = {3, 4}},
        {"y = x * sum(x, axis=1, keepdims=True)", 2, LONG_ROW / 2, .split_work = 1, .of = {1, 2}},
        {"y = cumsum(x, axis=1)", 1, LONG_ROW, .split_work = 16 * LONG_ROW / 4 / 2, .of = {1, 1}},
        {"y = cumsum(x, axis=1)", 1, LONG_ROW, .split_work = 16 * LONG_ROW / 4 / 2 - 1,
         .of = {3, 10}},
        {"y = cumsum(x, axis=1)", 2, LONG_ROW / 2, .split_work = 1, .of = {1, 2}},
        {"y = sum(x, axis=0)", 2500, 16, .split_work = 100 * 2500 / 2, .of = {1, 1}},
        {"y = sum(x, axis=0)", 2500, 16, .split_work = 100 * 2500 / 2 - 1, .of = {2, 1}},
        /* rows as wide as a unit may be, which has memory to go along, are not split between columns */
        {"y = sum(x, axis=0)", 1000, 40, .split_work = 50000, .of = {2, 1}},
        {"y = cumsum(x, axis=0)", 10000, 4, .split_work = 100 * 10000 / 4 / 2, .of = {1, 1}},
        {"y = cumsum(x, axis=0)", 10000, 4, .split_work = 100 * 10000 / 4 / 2 - 1, .of = {3, 3}},
    };
    for (size_t i = 0; i < SINTER__COUNT(all); i++)
        check_launches(&all[i]);
}

enum { LISTED = 5 };

typedef struct parts {
    size_t launched[LISTED]; /* launches of each group */
    size_t of[LISTED];       /* items that have a part of it */
} parts;

static void see_parts(void *user, const sinter__instance *in)
{
    parts *p = user;
    assert_int_equal(in->compiled->plan.group_count, LISTED);
    for (int i = 0; i < LISTED; i++) {
        const sinter__geometry *g = &sinter__instance_launch(in, (uint16_t)i, 0)->geometry;
        p->launched[i] = in->launch_counts[i];
        p->of[i] = g->global[0];
        assert_int_equal(g->local[0], 1);
    }
}

/* Each work-item of a list has its part of every row that is long enough, so all have as much to do; the whole list
 * says how many there are. */
static void a_list_is_divided_among_all_items(void **state)
{
    (void)state;
    static const int64_t lengths[LISTED] = {LONG_ROW, 3, 8000, 2 * 1024, 1025};
    static const struct {
        uint32_t per_unit, fine_items, fine_work, short_items, item_max;
        size_t of[LISTED]; /* on two compute units */
    } all[] = {
        {4, 1, 500000, 2, LONG_ROW, {4, 1, 4, 2, 2}},
        {4, 1, 500000, 1, LONG_ROW, {2, 1, 2, 2, 2}},
        {4, 1, 1000, 1, LONG_ROW, {2, 1, 2, 2, 2}}, /* what is worth an item is not the device's */
        {1, 1, 500000, 2, LONG_ROW, {2, 1, 2, 2, 2}},
        {1, 1, 500000, 2, 4096, {2, 1, 2, 2, 2}}, /* no more than the device has for balance */
        {1, 2, 500000, 2, 4096, {4, 1, 4, 2, 2}},
    };
    static float data[LONG_ROW];
    for (size_t k = 0; k < SINTER__COUNT(all); k++) {
        parts found = {.launched = {0}};
        test_device d = open_host();
        sinter__limits *l = &d.ctx->devices[0].limits;
        l->tuning.items_per_unit = all[k].per_unit;
        l->tuning.fine_items = all[k].fine_items;
        l->tuning.fine_work = all[k].fine_work;
        l->tuning.short_items = all[k].short_items;
        l->tuning.item_max = all[k].item_max;
        const int64_t shape[] = {LONG_ROW};
        sinter_tensor x;
        sinter_tensor out[LISTED];
        OK(sinter_tensor_from_host(d.s, SINTER_F32, 1, shape, data, &x));
        for (size_t i = 0; i < LISTED; i++) {
            sinter_tensor start;
            OK(sinter_slice(d.s, x, 0, 0, lengths[i], 1, &start));
            OK(sinter_mul_scalar(d.s, start, 2.0, &out[i]));
            test_release(&d, start);
        }
        OK(sinter_stream_sync(d.s));
        sinter__instances_visit(d.s, see_parts, &found);
        for (size_t i = 0; i < LISTED; i++) {
            assert_int_equal(found.launched[i], i == 0);
            assert_int_equal(found.of[i], all[k].of[i]);
            test_release(&d, out[i]);
        }
        test_release(&d, x);
        test_close(&d);
    }
}

static void see_bands(void *user, const sinter__instance *in)
{
    size_t *items = user;
    const sinter__geometry *g = &sinter__instance_launch(in, 0, 0)->geometry;
    *items = g->global[0] * g->global[1];
}

/* 256 x 256 in tiles of 8 x 32: 8 bands of all 32 tiles below each other, or 16 of half of them. */
static void a_product_has_more_items_where_threads_begin_late(void **state)
{
    (void)state;
    static float data[256 * 256];
    const int64_t shape[] = {256, 256};
    for (uint32_t even = 1; even <= 2; even++) {
        size_t items = 0;
        sinter_tensor product;
        test_device d = open_host();
        sinter__tuning *t = &d.ctx->devices[0].limits.tuning;
        t->even_items = even;
        t->tile_lanes = 16;
        t->tile_rows = 8;
        sinter_tensor x = test_floats(&d, 2, shape, data);
        OK(sinter_matmul(d.s, x, x, &product));
        OK(sinter_stream_sync(d.s));
        sinter__instances_visit(d.s, see_bands, &items);
        assert_int_equal(items, 8 * even);
        test_release(&d, x);
        test_release(&d, product);
        test_close(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_are_as_many_as_they_are_worth),
        cmocka_unit_test(what_one_item_is_enough_for_is_one_launch),
        cmocka_unit_test(rows_are_split_where_that_saves_more_than_launches_cost),
        cmocka_unit_test(a_list_is_divided_among_all_items),
        cmocka_unit_test(a_product_has_more_items_where_threads_begin_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
