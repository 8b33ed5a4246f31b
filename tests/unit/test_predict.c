/* How long a launch should take, by a profile made up for it: exact where the profile says it, longer
 * for more bytes, and nothing where something is not known. */
#include "support/graph.h"

#include "fusion/cost/predict.h"
#include "fusion/plan/plan.h"

#include <math.h>

#define NEAR SINTER__RATE_NEAR
#define FAR SINTER__RATE_FAR

static const sinter__limits limits = {
    .style = SINTER_STYLE_CPU,
    .compute_units = 2,
    .max_group = 64,
    .parameter_bytes = 1024,
    .local_bytes = 32768,
    .alignment_bytes = 128,
    .has_f64 = true,
    .correctly_rounded = true,
    .has_fma = true,
    .max_group_nodes = 128,
    .narrow = (int64_t)1 << 30,
    .tuning = {.live_max = 48, .arithmetic_per_byte = 2, .row_cache = 1 << 20, .run_lanes = 16}};

/* Bandwidths in bytes per microsecond, costs in picoseconds. */
static sinter__rates made_up(void)
{
    sinter__rates r = {.figures = {0}};
    r.figures[SINTER__FIGURE_copy_near] = 40000;
    r.figures[SINTER__FIGURE_copy_far] = 10000;
    r.figures[SINTER__FIGURE_read_near] = 80000;
    r.figures[SINTER__FIGURE_read_far] = 20000;
    r.costs[SINTER__COST_add][4] = 10;
    r.costs[SINTER__COST_fma][4] = 20;
    r.costs[SINTER__COST_exp][0] = 5000;
    r.costs[SINTER__COST_exp][4] = 1000;
    r.costs[SINTER__COST_cast_f16][4] = 7;
    return r;
}

typedef struct made {
    sinter__allocator allocator;
    sinter__graph g;
} made;

static void start(made *m)
{
    *m = (made){0};
    sinter__allocator_init(&m->allocator, NULL, NULL);
    sinter__graph_init(&m->g, &m->allocator);
}

/* Of the only group of the graph, whose last tensor lives; in kernels of `lanes` lanes. */
static sinter__prediction predict(made *m, const sinter__rates *rates, const sinter__limits *l,
                                  uint32_t lanes)
{
    sinter__plan plan = {0};
    sinter__bound_access accesses[16];
    sinter__bound_nest bound = {.accesses = accesses};
    m->g.tensors[m->g.tensor_count - 1].live = true;
    OK(sinter__plan_build(&m->g, l, &plan));
    assert_int_equal(plan.group_count, 1);
    const sinter__nest *nest = &plan.groups[0].nest;
    OK(sinter__bind(&m->g, nest, l->narrow, &bound));
    sinter__bytes bytes = sinter__nest_bytes(&m->g, nest, &bound, l);
    sinter__prediction p = sinter__predict(rates, l, nest, &bound, &bytes, lanes);
    sinter__plan_finish(&plan);
    sinter__graph_finish(&m->g);
    return p;
}

/* One operation over `elements` f32. */
static sinter__prediction predict_one(const sinter__rates *rates, sinter__op op, int64_t elements,
                                      uint32_t lanes)
{
    made m;
    start(&m);
    uint16_t x = graph_input(&m.g, 1, &elements);
    (void)graph_op(&m.g, op, x, SINTER__NO_NODE);
    return predict(&m, rates, &limits, lanes);
}

static void is_near(double found, double wanted)
{
    if (fabs(found - wanted) > 1e-9 * fabs(wanted))
        fail_msg("%.17g and not %.17g", found, wanted);
}

static void what_was_measured_is_predicted(void **state)
{
    (void)state;
    const sinter__rates r = made_up();
    sinter__prediction p = predict_one(&r, SINTER__OP_COPY, NEAR, 16);
    is_near(p.transfer_ns, (double)NEAR * 8 / 40);
    is_near(p.work_ns, p.transfer_ns);
    p = predict_one(&r, SINTER__OP_COPY, FAR, 16);
    is_near(p.transfer_ns, (double)FAR * 8 / 10);
    is_near(p.work_ns, p.transfer_ns);
    /* Halfway between the two sizes, in octaves, halfway between the times for a byte. */
    p = predict_one(&r, SINTER__OP_COPY, NEAR * 16, 16);
    is_near(p.work_ns, (double)NEAR * 16 * 8 * (1.0 / 40 + 1.0 / 10) / 2);
}

static void arithmetic_is_on_top_in_the_caches(void **state)
{
    (void)state;
    const sinter__rates r = made_up();
    const double near = (double)NEAR * 8 / 40;
    is_near(predict_one(&r, SINTER__OP_EXP, NEAR, 16).work_ns, near + (double)NEAR * 1.0);
    is_near(predict_one(&r, SINTER__OP_EXP, NEAR, 1).work_ns, near + (double)NEAR * 5.0);
    is_near(predict_one(&r, SINTER__OP_EXP, NEAR, 2).work_ns, near + (double)NEAR * 5.0);
    /* An operation without a row of its own counts as the additions of the op table. */
    int cost = sinter__op_info_of(SINTER__OP_RSQRT)->cost;
    is_near(predict_one(&r, SINTER__OP_RSQRT, NEAR, 16).work_ns, near + (double)NEAR * cost * 0.01);
    /* In the memory it is hidden behind the bytes, until it takes longer than they do. */
    is_near(predict_one(&r, SINTER__OP_NEG, FAR, 16).work_ns, (double)FAR * 8 / 10);
    is_near(predict_one(&r, SINTER__OP_EXP, FAR, 16).work_ns, (double)FAR * (8.0 / 40 + 1.0));
}

static void more_bytes_take_longer(void **state)
{
    (void)state;
    sinter__rates rates[] = {made_up(), made_up()};
    rates[1].figures[SINTER__FIGURE_copy_near] =
        300; /* as where starting takes longer than copying */
    for (size_t k = 0; k < 2; k++) {
        double last = 0;
        for (int64_t n = 1000; n < 8 * FAR; n += n / 7) {
            double now = predict_one(&rates[k], SINTER__OP_COPY, n, 16).work_ns;
            assert_true(now > last);
            last = now;
        }
    }
}

static void a_sum_reads(void **state)
{
    (void)state;
    const sinter__rates r = made_up();
    const int64_t shape[] = {64, NEAR / 64};
    made m;
    start(&m);
    uint16_t x = graph_input(&m.g, 2, shape);
    uint16_t y = graph_op(&m.g, SINTER__OP_EXP, x, SINTER__NO_NODE);
    sinter__node node = {.op = SINTER__OP_SUM, .in_count = 1, .in = {y}, .attr = 2};
    const sinter__gtensor out = {.dtype = SINTER_F32,
                                 .producer = (uint16_t)m.g.node_count,
                                 .whole = true,
                                 .storage = (uint16_t)m.g.tensor_count,
                                 .view = sinter__view_packed(1, shape)};
    node.out = sinter__graph_add_tensor(&m.g, &out);
    (void)sinter__graph_add_node(&m.g, &node);
    double bytes = 64 * 4 * 2 / 40.0 + ((double)NEAR - 64) * 4 / 80;
    double work = (double)NEAR * (1.0 + 0.01 * sinter__op_info_of(SINTER__OP_SUM)->cost);
    is_near(predict(&m, &r, &limits, 16).work_ns, bytes + work);
}

static void nothing_is_made_up(void **state)
{
    (void)state;
    const uint32_t figures[] = {SINTER__FIGURE_copy_far, SINTER__FIGURE_read_far};
    for (size_t i = 0; i < 2; i++) {
        sinter__rates r = made_up();
        r.figures[figures[i]] = 0;
        sinter__prediction p = predict_one(&r, SINTER__OP_EXP, NEAR, 16);
        assert_true(p.transfer_ns == 0 && p.work_ns == 0);
    }
    sinter__rates r = made_up();
    r.costs[SINTER__COST_add][4] = 0;
    sinter__prediction p = predict_one(&r, SINTER__OP_RSQRT, NEAR, 16);
    assert_true(p.transfer_ns > 0 && p.work_ns == 0);
    assert_true(predict_one(&r, SINTER__OP_EXP, NEAR, 16).work_ns > 0);
    assert_true(predict_one(&r, SINTER__OP_COPY, NEAR, 16).work_ns > 0);
}

static void the_drivers_function_has_its_own_cost(void **state)
{
    (void)state;
    sinter__rates r = made_up();
    sinter__limits l = limits;
    int64_t elements = NEAR;
    r.driver[SINTER__NATIVE_exp] = 300;
    l.native = 1u << SINTER__NATIVE_exp;
    made m;
    start(&m);
    uint16_t x = graph_input(&m.g, 1, &elements);
    (void)graph_op(&m.g, SINTER__OP_EXP, x, SINTER__NO_NODE);
    is_near(predict(&m, &r, &l, 16).work_ns, (double)NEAR * (8.0 / 40 + 0.3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_measured_is_predicted),
        cmocka_unit_test(arithmetic_is_on_top_in_the_caches),
        cmocka_unit_test(more_bytes_take_longer),
        cmocka_unit_test(a_sum_reads),
        cmocka_unit_test(nothing_is_made_up),
        cmocka_unit_test(the_drivers_function_has_its_own_cost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
