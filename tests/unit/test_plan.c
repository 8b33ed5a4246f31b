/* The planner alone, on graphs that nobody runs: who gives storage, and what is left out. */
#include "support/graph.h"

#include "fusion/plan/plan.h"

#include <limits.h>
#include <stdlib.h>

static const int64_t shape[] = {4, 6};

static const sinter__limits limits = {.style = SINTER_STYLE_CPU,
                                      .compute_units = 2,
                                      .max_group = 64,
                                      .parameter_bytes = 1024,
                                      .local_bytes = 32768,
                                      .alignment_bytes = 128,
                                      .has_f64 = true,
                                      .correctly_rounded = true,
                                      .has_fma = true,
                                      .reuse = true,
                                      .max_group_nodes = 128,
                                      .tuning = {.live_max = 48, .arithmetic_per_byte = 2}};

typedef struct fixture {
    sinter__allocator allocator;
    sinter__graph g;
    sinter__plan plan;
} fixture;

static void start(fixture *f)
{
    *f = (fixture){0};
    sinter__allocator_init(&f->allocator, NULL, NULL);
    sinter__graph_init(&f->g, &f->allocator);
}

static void finish(fixture *f)
{
    sinter__plan_finish(&f->plan);
    sinter__graph_finish(&f->g);
    assert_int_equal(f->allocator.live_bytes, 0);
}

/* A dying input that only the graph holds. */
static uint16_t dying_input(fixture *f)
{
    uint16_t x = graph_input(&f->g, 2, shape);
    f->g.tensors[x].sole = true;
    return x;
}

static uint16_t live(fixture *f, uint16_t tensor)
{
    f->g.tensors[tensor].live = true;
    return tensor;
}

static void a_dying_input_is_the_donor(void **state)
{
    (void)state;
    fixture f;
    start(&f);
    uint16_t x = dying_input(&f);
    uint16_t y = live(&f, graph_op(&f.g, SINTER__OP_NEG, x, SINTER__NO_NODE));
    OK(sinter__plan_build(&f.g, &limits, &f.plan));
    assert_int_equal(f.plan.group_count, 1);
    assert_int_equal(f.plan.stored_count, 1);
    assert_int_equal(f.plan.stored[0].tensor, y);
    assert_int_equal(f.plan.stored[0].donor, x);
    finish(&f);
}

/* The same storage enters twice: one of the two is still to be read when the other has been. */
static void storage_that_enters_twice_is_not_given(void **state)
{
    (void)state;
    fixture f;
    start(&f);
    uint16_t x = dying_input(&f);
    const sinter__view flipped = sinter__view_slice(&f.g.tensors[x].view, 0, 3, -1, 4);
    uint16_t alias = graph_alias(&f.g, x, &flipped);
    f.g.tensors[alias].sole = true;
    (void)live(&f, graph_op(&f.g, SINTER__OP_ADD, x, alias));
    OK(sinter__plan_build(&f.g, &limits, &f.plan));
    assert_int_equal(f.plan.stored_count, 1);
    assert_int_equal(f.plan.stored[0].donor, SINTER__NO_TENSOR);
    finish(&f);
}

static void what_nobody_needs_is_in_no_group(void **state)
{
    (void)state;
    fixture f;
    start(&f);
    uint16_t x = graph_input(&f.g, 2, shape);
    uint16_t dead = graph_op(&f.g, SINTER__OP_EXP, x, SINTER__NO_NODE);
    (void)graph_op(&f.g, SINTER__OP_MUL, dead, dead);
    (void)live(&f, graph_op(&f.g, SINTER__OP_NEG, x, SINTER__NO_NODE));
    OK(sinter__plan_build(&f.g, &limits, &f.plan));
    assert_int_equal(f.plan.group_count, 1);
    assert_int_equal(f.plan.groups[0].node_count, 1);
    assert_int_equal(f.plan.groups[0].nodes[0], 2);
    finish(&f);
}

/* Groups come in an order in which what is read has been written. */
static void groups_are_in_order(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        fixture f;
        test_random r = {seed};
        uint16_t made[40];
        sinter__limits few = limits;
        start(&f);
        few.max_group_nodes = 1 + test_below(&r, 6);
        made[0] = graph_input(&f.g, 2, shape);
        for (uint32_t i = 1; i < 40; i++) {
            made[i] =
                graph_op(&f.g, SINTER__OP_ADD, made[test_below(&r, i)], made[test_below(&r, i)]);
            f.g.tensors[made[i]].live = test_below(&r, 5) == 0;
        }
        (void)live(&f, made[39]);
        OK(sinter__plan_build(&f.g, &few, &f.plan));
        for (uint16_t i = 0; i < f.plan.stored_count; i++) {
            const sinter__stored *s = &f.plan.stored[i];
            for (uint16_t k = 0; k < s->group; k++) {
                const sinter__nest *nest = &f.plan.groups[k].nest;
                for (uint16_t a = 0; a < nest->access_count; a++)
                    assert_false(nest->accesses[a].role == SINTER__ROLE_READ &&
                                 nest->accesses[a].tensor == s->tensor);
            }
            assert_true(s->last_group >= s->group);
            assert_true(f.plan.groups[s->group].node_count <= few.max_group_nodes);
        }
        finish(&f);
    }
}

/* A plan serves tensors of any size: whether this one takes wide indices does not decide what fits
 * into a kernel's arguments. */
static void the_width_of_an_index_decides_no_group(void **state)
{
    (void)state;
    uint16_t groups[2];
    for (int wide = 0; wide < 2; wide++) {
        fixture f;
        sinter__limits l = limits;
        start(&f);
        l.narrow = wide ? 1 : (int64_t)1 << 30;
        uint16_t sum = graph_input(&f.g, 2, shape);
        for (int i = 0; i < 32; i++) {
            uint16_t x = graph_input(&f.g, 2, shape);
            f.g.tensors[x].view = sinter__view_slice(&f.g.tensors[x].view, 1, 0, 2, 3);
            f.g.tensors[x].view.shape[1] = shape[1];
            sum = graph_op(&f.g, SINTER__OP_ADD, sum, x);
        }
        (void)live(&f, sum);
        OK(sinter__plan_build(&f.g, &l, &f.plan));
        groups[wide] = f.plan.group_count;
        finish(&f);
    }
    assert_true(groups[0] > 1);
    assert_int_equal(groups[0], groups[1]);
}

static long allocations_left;

static void *rationed(void *user, void *ptr, size_t old_bytes, size_t new_bytes)
{
    (void)user;
    (void)old_bytes;
    if (new_bytes == 0) {
        free(ptr);
        return NULL;
    }
    return allocations_left-- == 0 ? NULL : realloc(ptr, new_bytes);
}

/* No memory to try a group is not a group that does not fit: no lesser plan comes of it. */
static void without_memory_there_is_no_plan(void **state)
{
    (void)state;
    sinter_status status = SINTER_ENOMEM;
    for (long k = 0; status != SINTER_OK; k++) {
        fixture f = {0};
        sinter__allocator_init(&f.allocator, rationed, NULL);
        sinter__graph_init(&f.g, &f.allocator);
        allocations_left = LONG_MAX;
        uint16_t x = graph_input(&f.g, 2, shape);
        for (int i = 0; i < 8; i++)
            x = graph_op(&f.g, SINTER__OP_ADD, x, x);
        (void)live(&f, x);
        allocations_left = k;
        status = sinter__plan_build(&f.g, &limits, &f.plan);
        if (status == SINTER_OK) {
            assert_int_equal(f.plan.group_count, 1);
            assert_int_equal(f.plan.stored_count, 1);
        } else {
            assert_int_equal(status, SINTER_ENOMEM);
        }
        assert_true(k < 1000);
        finish(&f);
    }
}

/* More values than a nest has room for: several groups, and no message about the trial. */
static void a_refused_trial_leaves_no_message(void **state)
{
    (void)state;
    fixture f;
    sinter__limits many = limits;
    start(&f);
    many.max_group_nodes = 4096;
    uint16_t x = graph_input(&f.g, 2, shape);
    for (int i = 0; i < 600; i++)
        x = graph_op(&f.g, SINTER__OP_EXP, x, SINTER__NO_NODE);
    (void)live(&f, x);
    sinter__clear_error();
    OK(sinter__plan_build(&f.g, &many, &f.plan));
    assert_int_equal(f.plan.group_count, 2);
    assert_string_equal(sinter_last_error(), "");
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dying_input_is_the_donor),
        cmocka_unit_test(storage_that_enters_twice_is_not_given),
        cmocka_unit_test(what_nobody_needs_is_in_no_group),
        cmocka_unit_test(groups_are_in_order),
        cmocka_unit_test(the_width_of_an_index_decides_no_group),
        cmocka_unit_test(without_memory_there_is_no_plan),
        cmocka_unit_test(a_refused_trial_leaves_no_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
