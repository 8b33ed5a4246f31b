/* The relative form: which facts of a queued operation are in its record, and which are not. */
#include "support/graph.h"

#include "fusion/queue/relative.h"

#include <string.h>

static const int64_t square[] = {4, 6};

typedef struct fixture {
    sinter__allocator allocator;
    sinter__graph g;
} fixture;

static void start(fixture *f)
{
    sinter__allocator_init(&f->allocator, NULL, NULL);
    sinter__graph_init(&f->g, &f->allocator);
}

static void finish(fixture *f)
{
    sinter__graph_finish(&f->g);
    assert_int_equal(f->allocator.live_bytes, 0);
}

/* Record of node `n` of a segment that begins at node 0. */
static sinter__relative record(const sinter__graph *g, uint16_t n)
{
    sinter__relative r;
    uint16_t appeared = n > 0 ? (uint16_t)(g->nodes[n - 1].out + 1) : 0;
    sinter__relative_of(g, n, 0, NULL, NULL, appeared, &r);
    return r;
}

static bool same(const sinter__relative *a, const sinter__relative *b)
{
    bool equal = memcmp(a, b, sizeof *a) == 0;
    if (equal)
        assert_true(sinter__relative_hash(a, 1) == sinter__relative_hash(b, 1));
    return equal;
}

/* Two graphs of one operation each, x + y. */
static bool sums_are_the_same(const sinter__gtensor *x, const sinter__gtensor *y)
{
    fixture f[2];
    sinter__relative r[2];
    for (int i = 0; i < 2; i++) {
        const sinter__gtensor *t = i == 0 ? x : y;
        start(&f[i]);
        uint16_t in = graph_input(&f[i].g, t->view.rank, t->view.shape);
        sinter__gtensor *entered = &f[i].g.tensors[in];
        *entered = *t;
        entered->storage = in;
        entered->producer = SINTER__NO_NODE;
        (void)graph_op(&f[i].g, SINTER__OP_ADD, in, in);
        r[i] = record(&f[i].g, 0);
    }
    bool equal = same(&r[0], &r[1]);
    finish(&f[0]);
    finish(&f[1]);
    return equal;
}

static sinter__gtensor packed(int rank, const int64_t *shape)
{
    return (sinter__gtensor){
        .dtype = SINTER_F32, .whole = true, .view = sinter__view_packed(rank, shape)};
}

static void extents_are_not_in_it(void **state)
{
    (void)state;
    const int64_t other[] = {100, 3};
    sinter__gtensor x = packed(2, square);
    sinter__gtensor y = packed(2, other);
    assert_true(sums_are_the_same(&x, &y));
}

static void an_extent_of_one_is_in_it(void **state)
{
    (void)state;
    const int64_t row[] = {1, 6};
    const int64_t column[] = {4, 1};
    sinter__gtensor x = packed(2, square);
    sinter__gtensor y = packed(2, row);
    sinter__gtensor z = packed(2, column);
    assert_false(sums_are_the_same(&x, &y));
    assert_false(sums_are_the_same(&x, &z));
    assert_false(sums_are_the_same(&y, &z));
}

static void rank_and_dtype_are_in_it(void **state)
{
    (void)state;
    const int64_t cube[] = {4, 3, 2};
    sinter__gtensor x = packed(2, square);
    sinter__gtensor y = packed(3, cube);
    sinter__gtensor z = x;
    z.dtype = SINTER_F16;
    assert_false(sums_are_the_same(&x, &y));
    assert_false(sums_are_the_same(&x, &z));
}

/* How an entering tensor lies in memory decides which axes are one loop. */
static void the_layout_class_is_in_it_and_strides_are_not(void **state)
{
    (void)state;
    static const int swap[] = {1, 0};
    sinter__gtensor x = packed(2, square);
    sinter__gtensor turned = x;
    sinter__gtensor wide = x;
    sinter__gtensor wider = x;
    sinter__gtensor repeated = x;
    turned.view = sinter__view_transpose(&x.view, swap);
    wide.view.strides[0] = 10;
    wider.view.strides[0] = 20;
    repeated.view.strides[0] = 0;
    assert_false(sums_are_the_same(&x, &turned));
    assert_false(sums_are_the_same(&x, &wide));
    assert_false(sums_are_the_same(&x, &repeated));
    assert_false(sums_are_the_same(&turned, &repeated));
    assert_true(sums_are_the_same(&wide, &wider));
    wider.view.offset = 7;
    assert_true(sums_are_the_same(&wide, &wider));
}

static void being_all_of_the_storage_is_in_it(void **state)
{
    (void)state;
    sinter__gtensor x = packed(2, square);
    sinter__gtensor part = x;
    part.whole = false;
    assert_false(sums_are_the_same(&x, &part));
}

static void scalar_values_are_not_in_it(void **state)
{
    (void)state;
    fixture f;
    start(&f);
    uint16_t x = graph_input(&f.g, 2, square);
    uint16_t y = graph_scalar_op(&f.g, SINTER__OP_MUL, x, 5);
    (void)graph_scalar_op(&f.g, SINTER__OP_MUL, y, 5);
    sinter__relative five = record(&f.g, 0);
    f.g.scalars[0] = 77;
    sinter__relative other = record(&f.g, 0);
    assert_true(same(&five, &other));
    /* which operand is the scalar is */
    f.g.nodes[0].scalar_mask = 0;
    f.g.nodes[0].in[1] = x;
    other = record(&f.g, 0);
    assert_false(same(&five, &other));
    finish(&f);
}

/* x * x against x * y, and against two views of one storage. */
static void equal_operands_and_shared_storage_are_in_it(void **state)
{
    (void)state;
    fixture f[3];
    sinter__relative r[3];
    for (int i = 0; i < 3; i++) {
        start(&f[i]);
        uint16_t x = graph_input(&f[i].g, 2, square);
        uint16_t y = x;
        if (i == 1)
            y = graph_input(&f[i].g, 2, square);
        if (i == 2) {
            sinter__view v = f[i].g.tensors[x].view;
            y = graph_alias(&f[i].g, x, &v);
            f[i].g.tensors[y].whole = true;
        }
        (void)graph_op(&f[i].g, SINTER__OP_MUL, x, y);
        r[i] = record(&f[i].g, 0);
    }
    assert_false(same(&r[0], &r[1]));
    assert_false(same(&r[0], &r[2]));
    assert_false(same(&r[1], &r[2]));
    for (int i = 0; i < 3; i++)
        finish(&f[i]);
}

static void attributes_are_in_it(void **state)
{
    (void)state;
    fixture f;
    start(&f);
    uint16_t x = graph_input(&f.g, 2, square);
    (void)graph_op(&f.g, SINTER__OP_SUM, x, SINTER__NO_NODE);
    sinter__node *node = &f.g.nodes[0];
    node->attr = 1;
    sinter__relative rows = record(&f.g, 0);
    node->attr = 2;
    sinter__relative columns = record(&f.g, 0);
    node->flags = SINTER__NODE_KEEPDIMS;
    sinter__relative kept = record(&f.g, 0);
    node->op = SINTER__OP_MAX;
    sinter__relative most = record(&f.g, 0);
    assert_false(same(&rows, &columns));
    assert_false(same(&columns, &kept));
    assert_false(same(&kept, &most));
    finish(&f);
}

/* A slice: whether it is of everything, of one element, in steps of one; not where. */
static void of_a_slice_only_its_pattern_is_in_it(void **state)
{
    (void)state;
    fixture f;
    start(&f);
    uint16_t x = graph_input(&f.g, 2, square);
    uint16_t y = graph_op(&f.g, SINTER__OP_SLICE, x, SINTER__NO_NODE);
    f.g.nodes[0].param = sinter__graph_add_slice(&f.g, 1, 1);
    f.g.nodes[0].attr = 1;
    int64_t *extent = &f.g.tensors[y].view.shape[1];
    *extent = 3;
    sinter__relative middle = record(&f.g, 0);
    f.g.params[0] = 2;
    *extent = 4;
    sinter__relative later = record(&f.g, 0);
    assert_true(same(&middle, &later));
    f.g.params[1] = 2;
    *extent = 2;
    sinter__relative stepped = record(&f.g, 0);
    assert_false(same(&middle, &stepped));
    f.g.params[1] = -3;
    sinter__relative back = record(&f.g, 0);
    assert_true(same(&stepped, &back));
    *extent = 1;
    sinter__relative single = record(&f.g, 0);
    assert_false(same(&back, &single));
    finish(&f);
}

/* Three steps of a loop, x = (x * w) + 1, in one queue: each step after the first repeats it once
 * it is numbered from its own beginning. */
static void iterations_give_the_same_records(void **state)
{
    (void)state;
    fixture f;
    sinter__numbering number[16];
    sinter__relative first[2];
    start(&f);
    uint16_t x = graph_input(&f.g, 2, square);
    uint16_t w = graph_input(&f.g, 2, square);
    for (int i = 0; i < 3; i++)
        x = graph_scalar_op(&f.g, SINTER__OP_ADD, graph_op(&f.g, SINTER__OP_MUL, x, w),
                            (uint64_t)i);
    for (uint16_t step = 0; step < 3; step++) {
        uint16_t count = 0;
        memset(number, 0xff, sizeof number);
        for (uint16_t k = 0; k < 2; k++) {
            sinter__relative r;
            uint16_t begin = (uint16_t)(2 * step);
            sinter__relative_of(&f.g, (uint16_t)(begin + k), begin, number, &count, 0, &r);
            if (step == 0)
                first[k] = r;
            assert_true(same(&first[k], &r));
        }
        assert_int_equal(count, 4); /* x, w, the product, the sum */
    }
    /* from the beginning of the queue they differ: the second step's x is known */
    sinter__relative second = record(&f.g, 2);
    assert_false(same(&first[0], &second));
    finish(&f);
}

/* Both ways of numbering agree at the beginning of a queue. */
static void the_graphs_own_numbers_are_the_first_segments(void **state)
{
    (void)state;
    fixture f;
    sinter__numbering number[32];
    uint16_t count = 0;
    test_random r = {3};
    start(&f);
    uint16_t made[16] = {graph_input(&f.g, 2, square)};
    for (uint16_t i = 1; i < 12; i++)
        made[i] = graph_op(&f.g, SINTER__OP_ADD, made[test_below(&r, i)],
                           i % 3 == 0 ? graph_input(&f.g, 2, square) : made[test_below(&r, i)]);
    memset(number, 0xff, sizeof number);
    for (uint16_t n = 0; n < (uint16_t)f.g.node_count; n++) {
        sinter__relative own = record(&f.g, n);
        sinter__relative renumbered;
        sinter__relative_of(&f.g, n, 0, number, &count, 0, &renumbered);
        assert_true(same(&own, &renumbered));
    }
    finish(&f);
}

/* x in one operation, two views of its storage in the next: a segment that begins at the second one
 * has never seen x, and its first view is the first of the storage there. */
static void a_storage_is_numbered_where_the_segment_first_sees_it(void **state)
{
    (void)state;
    fixture f[2];
    sinter__relative late;
    sinter__relative own;
    sinter__numbering number[8];
    uint16_t count = 0;
    start(&f[0]);
    start(&f[1]);
    uint16_t x = graph_input(&f[0].g, 2, square);
    sinter__view v = f[0].g.tensors[x].view;
    (void)graph_op(&f[0].g, SINTER__OP_EXP, x, SINTER__NO_NODE);
    uint16_t y = graph_alias(&f[0].g, x, &v);
    (void)graph_op(&f[0].g, SINTER__OP_ADD, y, graph_alias(&f[0].g, x, &v));
    memset(number, 0xff, sizeof number);
    sinter__relative_of(&f[0].g, 1, 1, number, &count, 0, &late);
    y = graph_input(&f[1].g, 2, square);
    f[1].g.tensors[y].whole = false;
    (void)graph_op(&f[1].g, SINTER__OP_ADD, y, graph_alias(&f[1].g, y, &v));
    own = record(&f[1].g, 0);
    assert_true(same(&late, &own));
    finish(&f[0]);
    finish(&f[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(extents_are_not_in_it),
        cmocka_unit_test(an_extent_of_one_is_in_it),
        cmocka_unit_test(rank_and_dtype_are_in_it),
        cmocka_unit_test(the_layout_class_is_in_it_and_strides_are_not),
        cmocka_unit_test(being_all_of_the_storage_is_in_it),
        cmocka_unit_test(scalar_values_are_not_in_it),
        cmocka_unit_test(equal_operands_and_shared_storage_are_in_it),
        cmocka_unit_test(attributes_are_in_it),
        cmocka_unit_test(of_a_slice_only_its_pattern_is_in_it),
        cmocka_unit_test(iterations_give_the_same_records),
        cmocka_unit_test(the_graphs_own_numbers_are_the_first_segments),
        cmocka_unit_test(a_storage_is_numbered_where_the_segment_first_sees_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
