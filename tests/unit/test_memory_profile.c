/* Memory profiles against numbers worked out by hand, a model that asks of every byte at every step
 * whether anything still needs it, and the planner's lower bound.
 *
 *     test_memory_profile [--long]    100,000 random graphs in place of 500
 */
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 40
#define INPUTS 3

static uint64_t random_graphs = 500;

typedef struct graph {
    sinter_memory_node nodes[MOST];
    uint32_t inputs[MOST][INPUTS];
    char names[MOST][16];
    sinter_memory_graph g;
    sinter_memory_summary sum;
    uint64_t entries[2 * MOST + 2];
} graph;

static void begin(graph *x, uint32_t rules)
{
    const sinter_memory_graph init = SINTER_MEMORY_GRAPH_INIT;
    memset(x, 0, sizeof *x);
    x->g = init;
    x->g.nodes = x->nodes;
    x->g.rules = rules;
}

/* A node that may be released, of inputs given as a text of numbers. */
static uint32_t add(graph *x, sinter_memory_kind kind, const char *name, uint64_t bytes,
                    const char *inputs)
{
    uint32_t i = (uint32_t)x->g.count++;
    sinter_memory_node *n = &x->nodes[i];
    *n = (sinter_memory_node){.name = name, .kind = kind, .bytes = bytes, .is_releasable = 1};
    n->inputs = x->inputs[i];
    for (char *end; *inputs != '\0' && n->input_count < INPUTS; inputs = end)
        x->inputs[i][n->input_count++] = (uint32_t)strtoul(inputs, &end, 10);
    return i;
}

static uint32_t place(graph *x, const char *name, uint64_t bytes)
{
    return add(x, SINTER_MEMORY_PLACEHOLDER, name, bytes, "");
}

static uint32_t primal(graph *x, uint64_t bytes)
{
    uint32_t i = place(x, "primals", bytes);
    x->nodes[i].is_releasable = 0;
    return i;
}

static uint32_t call(graph *x, uint64_t bytes, const char *inputs)
{
    return add(x, SINTER_MEMORY_CALL, "call", bytes, inputs);
}

static uint32_t view(graph *x, const char *inputs)
{
    return add(x, SINTER_MEMORY_VIEW, "view", 0, inputs);
}

static uint32_t part(graph *x, uint64_t key, uint64_t bytes, const char *inputs)
{
    uint32_t i = add(x, SINTER_MEMORY_PART, "part", bytes, inputs);
    x->nodes[i].key = key;
    return i;
}

static void output(graph *x, const char *inputs)
{
    (void)add(x, SINTER_MEMORY_OUTPUT, "output", 0, inputs);
}

/* In exactly as much scratch as is asked for, with a guard behind it. */
static sinter_status try_profile(graph *x)
{
    size_t bytes;
    OK(sinter_memory_scratch_bytes(x->g.count, &bytes));
    assert_true(bytes <= 48 * x->g.count + 16);
    unsigned char *scratch = malloc(bytes + 16);
    assert_non_null(scratch);
    memset(scratch, 0xa5, bytes + 16);
    memset(x->entries, 0xa5, sizeof x->entries);
    x->sum = (sinter_memory_summary){.size = sizeof x->sum};
    sinter_status status = sinter_memory_profile(&x->g, x->entries, scratch, bytes, &x->sum);
    for (size_t i = 0; i < 16; i++)
        assert_int_equal(scratch[bytes + i], 0xa5);
    free(scratch);
    return status;
}

static void expect(graph *x, const uint64_t *wanted, size_t count)
{
    OK(try_profile(x));
    assert_int_equal(x->sum.entry_count, count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(x->entries[i], wanted[i]);
}

#define EXPECT(x, ...)                                                                             \
    do {                                                                                           \
        const uint64_t wanted_[] = {__VA_ARGS__};                                                  \
        expect(x, wanted_, sizeof wanted_ / sizeof wanted_[0]);                                    \
    } while (0)

/* Worked out by hand */

/* linear, relu, linear, relu, linear over x[32,1000], w[500,1000], w[100,500], w[10,100]; each linear
 * reads its weights through a view. */
static void test_linear_layers(void **state)
{
    (void)state;
    for (uint32_t rules = 0; rules <= SINTER_MEMORY_INDUCTOR; rules += SINTER_MEMORY_INDUCTOR) {
        graph x;
        begin(&x, rules);
        (void)primal(&x, 128000);
        (void)primal(&x, 2000000);
        (void)primal(&x, 200000);
        (void)primal(&x, 4000);
        (void)view(&x, "1");
        (void)call(&x, 64000, "0 4");
        (void)call(&x, 64000, "5");
        (void)view(&x, "2");
        (void)call(&x, 12800, "6 7");
        (void)call(&x, 12800, "8");
        (void)view(&x, "3");
        (void)call(&x, 1280, "9 10");
        output(&x, "11");
        EXPECT(&x, 2332000, 2332000, 2332000, 2396000, 2396000, 2460000, 2396000, 2396000, 2396000,
               2408800, 2344800, 2357600, 2344800, 2344800, 2344800, 2346080, 2333280);
        assert_int_equal(x.sum.peak_bytes, 2460000);
        assert_int_equal(x.sum.peak_entry, 5);
        assert_int_equal(x.sum.forward_peak_bytes, 2460000);
        assert_int_equal(x.sum.backward_peak_bytes, 0);
        assert_int_equal(x.sum.backward_entry, 17);
    }
}

/* zeros, zeros + 1, sum of zeros in two orders: the sum first is less after its step, and the peak
 * between the entries of a step is the same. */
static void test_two_orders(void **state)
{
    (void)state;
    graph x;
    begin(&x, 0);
    (void)primal(&x, 4000000);
    (void)call(&x, 4000000, "0");
    (void)call(&x, 4000000, "1");
    (void)call(&x, 4, "1");
    output(&x, "2 3");
    EXPECT(&x, 4000000, 8000000, 8000000, 12000000, 12000000, 12000004, 8000004);
    begin(&x, 0);
    (void)primal(&x, 4000000);
    (void)call(&x, 4000000, "0");
    (void)call(&x, 4, "1");
    (void)call(&x, 4000000, "1");
    output(&x, "2 3");
    EXPECT(&x, 4000000, 8000000, 8000000, 8000004, 8000004, 12000004, 8000004);
    assert_int_equal(x.sum.peak_bytes, 12000004);
}

static void test_dead_result_and_view_of_view(void **state)
{
    (void)state;
    graph x;
    for (uint32_t rules = 0; rules <= SINTER_MEMORY_KEEP_DEAD; rules++) {
        begin(&x, rules);
        (void)primal(&x, 10);
        (void)call(&x, 50, "0");
        (void)view(&x, "0");
        (void)view(&x, "2");
        (void)call(&x, 5, "3");
        (void)call(&x, 10, "4");
        (void)call(&x, 3, "5");
        output(&x, "6");
        if (rules == 0)
            EXPECT(&x, 10, 60, 10, 10, 10, 10, 10, 15, 15, 25, 20, 23, 13);
        else
            EXPECT(&x, 10, 60, 60, 60, 60, 60, 60, 65, 65, 75, 70, 73, 63);
    }
}

/* The last view of a view dies: what it lies in may be released then, and no earlier. */
static void test_views_hold(void **state)
{
    (void)state;
    graph x;
    begin(&x, 0);
    (void)place(&x, "x", 8);
    (void)view(&x, "0");
    (void)view(&x, "1");
    (void)call(&x, 3, "0");
    (void)call(&x, 4, "2 3");
    output(&x, "4");
    EXPECT(&x, 8, 8, 8, 8, 8, 11, 11, 15, 4);
    begin(&x, 0); /* a view that is put out holds it to the end */
    (void)place(&x, "x", 8);
    (void)view(&x, "0");
    (void)call(&x, 3, "0");
    output(&x, "1");
    EXPECT(&x, 8, 8, 8, 11, 8);
    assert_true(x.nodes[0].is_kept);
    assert_true(x.nodes[1].is_kept);
    assert_false(x.nodes[2].is_kept);
}

/* Of 100 bytes two parts take 30 and 50; the 20 of neither go when the last part has been taken. */
static void test_parts(void **state)
{
    (void)state;
    graph x;
    begin(&x, SINTER_MEMORY_INDUCTOR);
    (void)primal(&x, 1);
    (void)call(&x, 100, "0");
    (void)part(&x, 7, 30, "1");
    (void)part(&x, 9, 50, "1");
    (void)call(&x, 2, "2");
    (void)call(&x, 3, "3");
    output(&x, "4 5");
    EXPECT(&x, 1, 101, 101, 101, 101, 101, 81, 83, 53, 56, 6);
    assert_int_equal(x.nodes[1].owned_bytes, 20);
    assert_int_equal(x.nodes[2].first_entry, 1);
    x.nodes[1].is_releasable = 0; /* parts follow what they are parts of */
    x.nodes[2].is_releasable = 1;
    EXPECT(&x, 1, 101, 101, 101, 101, 101, 101, 103, 103, 106, 106);
    begin(&x, 0); /* a part of a view is a view: of a split nothing goes alone */
    (void)place(&x, "x", 100);
    (void)view(&x, "0");
    (void)part(&x, 0, 50, "1");
    (void)part(&x, 0, 50, "1");
    (void)call(&x, 5, "2");
    (void)call(&x, 6, "3");
    output(&x, "5");
    EXPECT(&x, 100, 100, 100, 100, 100, 100, 100, 105, 100, 106, 6);
    assert_int_equal(x.nodes[2].owned_bytes, 0);
}

/* Of a call with three results one is put out, one is read and one is not. */
static void test_results(void **state)
{
    (void)state;
    graph x;
    begin(&x, 0);
    (void)primal(&x, 1);
    (void)call(&x, 10, "0");
    (void)add(&x, SINTER_MEMORY_RESULT, "second", 20, "1");
    (void)add(&x, SINTER_MEMORY_RESULT, "third", 40, "1");
    (void)call(&x, 2, "2");
    output(&x, "1 4");
    EXPECT(&x, 1, 71, 31, 33, 13);
    x.g.rules = SINTER_MEMORY_KEEP_DEAD;
    EXPECT(&x, 1, 71, 71, 73, 53);
}

static void test_constants_and_unknown_sizes(void **state)
{
    (void)state;
    graph x;
    begin(&x, 0);
    (void)add(&x, SINTER_MEMORY_CONSTANT, "table", 8, "");
    (void)call(&x, 2, "0");
    output(&x, "1");
    EXPECT(&x, 8, 10, 10);
    x.g.rules = SINTER_MEMORY_CONSTANTS_FREE;
    EXPECT(&x, 0, 2, 2);
    x.nodes[1].bytes = SINTER_MEMORY_UNKNOWN;
    FAILS(SINTER_EINVAL, try_profile(&x));
    assert_string_equal(sinter_last_error(), "node 1 (call): its size is not known");
    x.g.rules |= SINTER_MEMORY_UNKNOWN_IS_0;
    EXPECT(&x, 0, 0, 0);
}

/* Forward: y = f(w, x) is saved, t = w^T is a view of the weights, z is for the caller. Backward has y,
 * the view and a tangent. `name` is how the view is called. */
static void training(graph *x, const char *name, uint32_t rules)
{
    begin(x, rules);
    (void)primal(x, 100);                             /* 0: w */
    (void)primal(x, 10);                              /* 1: x */
    (void)add(x, SINTER_MEMORY_VIEW, name, 100, "0"); /* 2 */
    (void)call(x, 40, "1 2");                         /* 3: y */
    (void)call(x, 7, "3");                            /* 4: z */
    output(x, "2 3 4");                               /* 5 */
    x->g.backward = x->g.count;
    (void)add(x, SINTER_MEMORY_PLACEHOLDER, name, 100, "2");  /* 6 */
    (void)add(x, SINTER_MEMORY_PLACEHOLDER, "call", 40, "3"); /* 7 */
    (void)place(x, "tangents_1", 7);                          /* 8 */
    (void)call(x, 40, "7 8");                                 /* 9 */
    (void)call(x, 10, "6 9");                                 /* 10 */
    output(x, "10");
}

static void test_forward_and_backward(void **state)
{
    (void)state;
    graph x;
    training(&x, "view_1", SINTER_MEMORY_INDUCTOR);
    /* apart: forward, then backward with its placeholders again; the tangent and the view stay */
    EXPECT(&x, 110, 110, 110, 150, 150, 157, 157, 147, 187, 147, 157, 117);
    assert_int_equal(x.sum.backward_entry, 7);
    assert_int_equal(x.sum.baseline_bytes, 7);
    assert_int_equal(x.sum.forward_peak_bytes, 157);
    assert_int_equal(x.sum.backward_peak_bytes, 187 + 7);
    assert_int_equal(x.sum.peak_bytes, 194);
    assert_int_equal(x.sum.peak_entry, 8);
    assert_true(x.nodes[6].is_kept && x.nodes[8].is_kept);
    assert_false(x.nodes[7].is_kept);
    /* by another name the weights go with their view */
    training(&x, "t_1", SINTER_MEMORY_INDUCTOR);
    EXPECT(&x, 110, 110, 110, 150, 150, 157, 157, 147, 187, 147, 157, 17);
    assert_false(x.nodes[6].is_kept);
    assert_int_equal(x.sum.peak_bytes, 194);
}

/* As one graph: the weights once, x and z below everything, whatever the view is called. */
static void test_forward_and_backward_as_one(void **state)
{
    (void)state;
    graph x;
    for (int k = 0; k < 2; k++) {
        training(&x, k == 0 ? "view_1" : "t_1", 0);
        EXPECT(&x, 110, 110, 110, 150, 150, 157, 157, 164, 204, 157, 167, 127);
        assert_int_equal(x.sum.baseline_bytes, 10 + 7);
        assert_int_equal(x.sum.backward_peak_bytes, 204);
        assert_int_equal(x.sum.peak_bytes, 204);
        assert_true(x.nodes[6].is_kept);
        assert_false(x.nodes[7].is_kept || x.nodes[8].is_kept);
    }
    x.nodes[7].is_releasable = 0; /* the caller goes on to hold y */
    EXPECT(&x, 110, 110, 110, 150, 150, 157, 157, 164, 204, 197, 207, 167);
    assert_true(x.nodes[3].is_kept);
}

/* Wrong input */

static void refused(graph *x, sinter_status status, const char *text)
{
    FAILS(status, try_profile(x));
    if (strstr(sinter_last_error(), text) == NULL)
        fail_msg("'%s' has no '%s'", sinter_last_error(), text);
}

static graph *fresh(uint32_t rules)
{
    static graph x;
    begin(&x, rules);
    (void)place(&x, "x", 10);
    return &x;
}

static void test_wrong_inputs(void **state)
{
    (void)state;
    graph *x = fresh(0);
    (void)call(x, 1, "0 9");
    refused(x, SINTER_EINVAL, "node 1 (call): input 1 is node 9 of 2");
    x = fresh(0);
    (void)call(x, 1, "2");
    (void)call(x, 1, "0");
    refused(x, SINTER_EINVAL, "node 1 (call): input 0 is node 2, which comes later");
    x = fresh(0);
    (void)view(x, "3");
    (void)view(x, "1");
    (void)view(x, "2");
    refused(x, SINTER_EINVAL, "node 1 (view): a cycle of views leads through it");
    x = fresh(0);
    (void)view(x, "1");
    refused(x, SINTER_EINVAL, "node 1 (view): a cycle of views leads through it");
    x = fresh(0);
    (void)view(x, "");
    refused(x, SINTER_EINVAL, "node 1 (view): 0 inputs");
    x = fresh(0);
    output(x, "0");
    (void)call(x, 1, "1");
    refused(x, SINTER_EINVAL, "node 2 (call): input 0 is node 1, an output");
    x = fresh(0);
    x->nodes[0].kind = (sinter_memory_kind)77;
    x->nodes[0].name = NULL;
    refused(x, SINTER_EINVAL, "node 0: there is no kind 77");
    x = fresh(0);
    (void)add(x, SINTER_MEMORY_RESULT, "r", 1, "0");
    refused(x, SINTER_EINVAL, "node 1 (r): node 0 is no call");
}

static void test_wrong_parts(void **state)
{
    (void)state;
    graph *x = fresh(0);
    (void)call(x, 10, "0");
    (void)part(x, 1, 6, "1");
    (void)part(x, 2, 5, "1");
    refused(x, SINTER_EINVAL, "node 3 (part): a part of 5 bytes; 4 of the 10 of node 1 are left");
    x = fresh(0);
    (void)call(x, 10, "0");
    (void)part(x, 4, 6, "1");
    (void)part(x, 3, 1, "1");
    (void)part(x, 4, 1, "1");
    refused(x, SINTER_EINVAL, "node 4 (part): part 4 of node 1 is node 2 already");
    x = fresh(0);
    (void)call(x, 10, "0");
    (void)part(x, 0, 6, "1");
    (void)part(x, 0, 2, "2");
    refused(x, SINTER_EINVAL, "node 3 (part): a part of node 2, which is a part");
}

static void test_wrong_arguments(void **state)
{
    (void)state;
    size_t bytes;
    graph *x = fresh(0);
    (void)call(x, UINT64_MAX - 9, "0");
    refused(x, SINTER_ERANGE, "node 1 (call): 18446744073709551606 bytes overflow");
    x->nodes[1].bytes--;
    OK(try_profile(x));
    assert_int_equal(x->sum.peak_bytes, UINT64_MAX);
    x->g.backward = 3;
    refused(x, SINTER_EINVAL, "backward begins at node 3 of 2");
    x->g.backward = 0;
    x->g.rules = 16;
    refused(x, SINTER_EINVAL, "rules 16");
    x->g.rules = 0;
    FAILS(SINTER_EINVAL, sinter_memory_profile(&x->g, x->entries, NULL, 0, &x->sum));
    FAILS(SINTER_EINVAL, sinter_memory_profile(&x->g, NULL, x, sizeof *x, &x->sum));
    FAILS(SINTER_EINVAL, sinter_memory_profile(NULL, x->entries, x, sizeof *x, &x->sum));
    FAILS(SINTER_EINVAL, sinter_memory_profile(&x->g, x->entries, x, sizeof *x, NULL));
    FAILS(SINTER_EINVAL, sinter_memory_profile(&x->g, x->entries, x, 1, &x->sum));
    sinter_memory_graph bad = x->g;
    bad.size--;
    FAILS(SINTER_EINVAL, sinter_memory_profile(&bad, x->entries, x, sizeof *x, &x->sum));
    bad = x->g;
    bad.nodes = NULL;
    FAILS(SINTER_EINVAL, sinter_memory_profile(&bad, x->entries, x, sizeof *x, &x->sum));
    x->sum.size = 1;
    FAILS(SINTER_EINVAL, sinter_memory_profile(&x->g, x->entries, x, sizeof *x, &x->sum));
    FAILS(SINTER_ERANGE, sinter_memory_scratch_bytes((size_t)1 << 25, &bytes));
    FAILS(SINTER_EINVAL, sinter_memory_scratch_bytes(1, NULL));
    training(x, "view_1", SINTER_MEMORY_INDUCTOR);
    x->inputs[9][0] = 3;
    refused(x, SINTER_EINVAL, "node 9 (call): input 0 is node 3 of the forward part");
    training(x, "view_1", SINTER_MEMORY_INDUCTOR);
    x->nodes[5].input_count = 0;
    refused(x, SINTER_EINVAL, "node 6 (view_1): a view by its name, which is no forward output");
    begin(x, 0);
    EXPECT(x, 0);
}

/* The model: of each storage, and of each entry, whether anything needs it. */

/* Which node's storage `at` lies in. */
static uint32_t root_of(const graph *x, uint32_t at)
{
    const sinter_memory_node *n = &x->nodes[at];
    bool apart = (x->g.rules & SINTER_MEMORY_TWO_GRAPHS) != 0;
    if (n->kind == SINTER_MEMORY_VIEW ||
        (n->kind == SINTER_MEMORY_PLACEHOLDER && n->input_count > 0 && !apart))
        return root_of(x, n->inputs[0]);
    if (n->kind == SINTER_MEMORY_PART && root_of(x, n->inputs[0]) != n->inputs[0])
        return root_of(x, n->inputs[0]);
    return at;
}

static bool is_part(const graph *x, uint32_t i)
{
    return x->nodes[i].kind == SINTER_MEMORY_PART && root_of(x, i) == i;
}

/* Whether node `i` uses the storage of node `of`: it, or what it is a part of. */
static bool uses(const graph *x, uint32_t i, uint32_t of)
{
    for (uint32_t k = 0; k < x->nodes[i].input_count; k++) {
        uint32_t root = root_of(x, x->nodes[i].inputs[k]);
        if (root == of || (is_part(x, of) && root == x->nodes[of].inputs[0]))
            return true;
    }
    return false;
}

static bool is_output(const graph *x, uint32_t i)
{
    return x->nodes[i].kind == SINTER_MEMORY_OUTPUT;
}

/* What of the bytes of `i` no part has taken. */
static uint64_t own(const graph *x, uint32_t i)
{
    uint64_t bytes = x->nodes[i].bytes;
    bool is_free = x->nodes[i].kind == SINTER_MEMORY_CONSTANT &&
                   (x->g.rules & SINTER_MEMORY_CONSTANTS_FREE) != 0;
    for (uint32_t k = 0; k < x->g.count; k++) {
        if (is_part(x, k) && x->nodes[k].inputs[0] == i)
            bytes -= x->nodes[k].bytes;
    }
    return root_of(x, i) != i || is_output(x, i) || is_free ? 0 : bytes;
}

static bool is_step(const graph *x, uint32_t i)
{
    sinter_memory_kind kind = x->nodes[i].kind;
    return kind == SINTER_MEMORY_CALL || kind == SINTER_MEMORY_VIEW || kind == SINTER_MEMORY_PART;
}

/* The node with which the storage of `i` came: a call, a placeholder, a constant. */
static uint32_t made_by(const graph *x, uint32_t i)
{
    while (is_part(x, i) || x->nodes[i].kind == SINTER_MEMORY_RESULT)
        i = x->nodes[i].inputs[0];
    return i;
}

/* Whether the backward part, if there is one, takes over the storage of `i` from the forward part. */
static bool is_handed(const graph *x, uint32_t i)
{
    for (uint32_t k = (uint32_t)x->g.backward; k < x->g.count && x->g.backward > 0; k++) {
        if (uses(x, k, i))
            return true;
    }
    return false;
}

/* Whether the storage of `i` may go at all, as far as flags say. */
static bool may_go(const graph *x, uint32_t i)
{
    uint32_t of = is_part(x, i) ? x->nodes[i].inputs[0] : i; /* whose flag counts */
    bool goes = x->nodes[of].is_releasable != 0;
    bool apart = (x->g.rules & SINTER_MEMORY_TWO_GRAPHS) != 0;
    if (apart && x->g.backward > 0 && of >= x->g.backward &&
        x->nodes[of].kind == SINTER_MEMORY_PLACEHOLDER) {
        bool is_put_out = false; /* what it stands for */
        for (uint32_t k = 0; k < x->g.backward && x->nodes[of].input_count > 0; k++) {
            for (uint32_t n = 0; is_output(x, k) && n < x->nodes[k].input_count; n++)
                is_put_out |= x->nodes[k].inputs[n] == x->nodes[of].inputs[0];
        }
        return goes && is_put_out;
    }
    for (uint32_t k = (uint32_t)x->g.backward; k < x->g.count && !apart; k++) {
        if (x->nodes[k].kind == SINTER_MEMORY_PLACEHOLDER && uses(x, k, i))
            goes &= x->nodes[k].is_releasable != 0;
    }
    return goes && x->nodes[made_by(x, i)].kind != SINTER_MEMORY_CONSTANT;
}

/* Whether the storage of `i` is needed by nodes first..end when node `now` runs, or has run. */
static bool is_alive(const graph *x, uint32_t first, uint32_t end, uint32_t i, int64_t now,
                     bool after)
{
    uint32_t made = made_by(x, i);
    bool is_made = x->nodes[made].kind == SINTER_MEMORY_CALL;
    bool is_used = false;
    bool is_wanted = !may_go(x, i);
    if ((is_made && now < made) ||
        (!is_made && made >= x->g.backward && now < (int64_t)x->g.backward - 1))
        return false;
    for (uint32_t k = first; k < end; k++) {
        if (!uses(x, k, i))
            continue;
        if (is_output(x, k))
            is_wanted |= end <= x->g.backward || k >= x->g.backward || !is_handed(x, i);
        else if (is_step(x, k))
            is_wanted |= after ? k > now : k >= now;
        is_used |= is_step(x, k);
    }
    if (is_used || is_wanted)
        return is_wanted;
    bool stays = !is_made || (x->g.rules & SINTER_MEMORY_KEEP_DEAD) != 0;
    return stays || (now == made && !after);
}

static uint64_t alive(const graph *x, uint32_t first, uint32_t end, int64_t now, bool after)
{
    uint64_t sum = 0;
    for (uint32_t i = first; i < end; i++) {
        if (own(x, i) > 0 && is_alive(x, first, end, i, now, after))
            sum += own(x, i);
    }
    return sum;
}

/* Fills `out` with the profile of nodes first..end, where backward begins an entry more. */
static size_t model(const graph *x, uint32_t first, uint32_t end, uint64_t *out)
{
    size_t n = 0;
    out[n++] = alive(x, first, end, (int64_t)first - 1, true);
    for (uint32_t i = first; i < end; i++) {
        if (i > first && i == x->g.backward)
            out[n++] = alive(x, first, end, (int64_t)i - 1, true);
        if (is_step(x, i)) {
            out[n++] = alive(x, first, end, i, false);
            out[n++] = alive(x, first, end, i, true);
        }
    }
    return n;
}

/* Random graphs */

/* A node of the part from `first` on that may be an input. */
static uint32_t pick(const graph *x, test_random *r, uint32_t first)
{
    uint32_t i;
    do
        i = first + test_below(r, (uint32_t)x->g.count - first);
    while (is_output(x, i));
    return i;
}

static void random_node(graph *x, test_random *r)
{
    static const sinter_memory_kind kinds[] = {
        SINTER_MEMORY_CALL, SINTER_MEMORY_CALL,   SINTER_MEMORY_CALL,
        SINTER_MEMORY_VIEW, SINTER_MEMORY_RESULT, SINTER_MEMORY_PART,
    };
    bool apart = (x->g.rules & SINTER_MEMORY_TWO_GRAPHS) != 0;
    uint32_t part_first = (uint32_t)x->g.backward;
    uint32_t first = apart || test_below(r, 2) == 0 ? part_first : 0;
    sinter_memory_kind kind = kinds[test_below(r, 6)];
    uint32_t source = pick(x, r, kind == SINTER_MEMORY_RESULT ? part_first : first);
    if (kind == SINTER_MEMORY_RESULT && x->nodes[source].kind != SINTER_MEMORY_CALL)
        kind = SINTER_MEMORY_CALL;
    if (kind == SINTER_MEMORY_PART && is_part(x, source))
        kind = SINTER_MEMORY_VIEW;
    uint32_t most = kind == SINTER_MEMORY_PART ? (uint32_t)own(x, source) + 1 : 100;
    uint32_t count = kind == SINTER_MEMORY_RESULT ? 1 : 1 + test_below(r, INPUTS);
    uint32_t inputs[INPUTS] = {source};
    for (uint32_t k = 1; k < count; k++)
        inputs[k] = pick(x, r, first);
    uint32_t i = add(x, kind, NULL, test_below(r, most), "");
    x->nodes[i].is_releasable = test_below(r, 4) != 0;
    x->nodes[i].key = i;
    x->nodes[i].input_count = count;
    memcpy(x->inputs[i], inputs, sizeof inputs);
}

static void random_output(graph *x, test_random *r)
{
    uint32_t inputs[INPUTS];
    for (uint32_t k = 0; k < INPUTS; k++)
        inputs[k] = pick(x, r, (uint32_t)x->g.backward);
    uint32_t i = add(x, SINTER_MEMORY_OUTPUT, NULL, 0, "");
    x->nodes[i].input_count = test_below(r, INPUTS + 1);
    memcpy(x->inputs[i], inputs, sizeof inputs);
}

/* `fixed`: placeholders may not be released. */
static void random_part(graph *x, test_random *r, bool fixed)
{
    for (uint32_t k = 1 + test_below(r, 4); k > 0; k--) {
        bool stands = x->g.backward > 0 && test_below(r, 3) > 0;
        uint32_t of;
        do
            of = pick(x, r, 0);
        while (stands && of >= x->g.backward);
        uint32_t i = place(x, NULL, test_below(r, 100));
        x->nodes[i].is_releasable = !fixed && test_below(r, 4) > 0;
        x->nodes[i].input_count = stands;
        x->inputs[i][0] = of;
    }
    if (test_below(r, 3) == 0)
        (void)add(x, SINTER_MEMORY_CONSTANT, "c", test_below(r, 100), "");
    for (uint32_t k = test_below(r, 12); k > 0; k--)
        random_node(x, r);
    random_output(x, r);
}

static uint64_t most_of(const uint64_t *entries, size_t count)
{
    uint64_t most = 0;
    for (size_t i = 0; i < count; i++)
        most = entries[i] > most ? entries[i] : most;
    return most;
}

/* Any two-part graph by any rules, against the model. */
static void check_parts(test_random *r)
{
    graph x;
    uint64_t wanted[2 * MOST + 2] = {0};
    begin(&x, test_below(r, SINTER_MEMORY_INDUCTOR + 1));
    (void)place(&x, NULL, 5);
    random_part(&x, r, false);
    if (test_below(r, 3) > 0) {
        x.g.backward = x.g.count;
        (void)place(&x, NULL, 3);
        random_part(&x, r, false);
    }
    OK(try_profile(&x));
    uint32_t count = (uint32_t)x.g.count;
    uint32_t middle = (uint32_t)x.g.backward;
    bool apart = middle > 0 && (x.g.rules & SINTER_MEMORY_TWO_GRAPHS) != 0;
    size_t n = model(&x, 0, apart ? middle : count, wanted);
    if (apart)
        n += model(&x, middle, count, wanted + n);
    assert_int_equal(x.sum.entry_count, n);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(x.entries[i], wanted[i]);
    uint64_t baseline = 0; /* as one: alive at the border, and nothing behind it uses it */
    for (uint32_t i = 0; i < middle && !apart; i++) {
        if (!is_handed(&x, i) && is_alive(&x, 0, count, i, (int64_t)middle - 1, true))
            baseline += own(&x, i);
    }
    if (!apart)
        assert_int_equal(x.sum.baseline_bytes, baseline);
    uint64_t forward = most_of(wanted, x.sum.backward_entry);
    uint64_t backward = most_of(wanted + x.sum.backward_entry, n - x.sum.backward_entry);
    backward += apart ? x.sum.baseline_bytes : 0;
    assert_int_equal(x.sum.forward_peak_bytes, forward);
    assert_int_equal(x.sum.backward_peak_bytes, backward);
    assert_int_equal(x.sum.peak_bytes, forward > backward ? forward : backward);
}

/* Requests for the planner: a step each, after a first one for what is there before. */
static uint64_t planned_bound(const graph *x, bool with_placeholders)
{
    sinter_plan_request requests[MOST] = {{0}};
    size_t count = 0;
    int64_t steps = 1;
    int64_t step_of[MOST];
    for (uint32_t i = 0; i < x->g.count; i++)
        step_of[i] = is_step(x, i) ? steps++ : 0;
    for (uint32_t i = 0; i < x->g.count; i++) {
        uint32_t made = made_by(x, i);
        sinter_plan_request q = {
            .start = step_of[made], .end = step_of[made] + 1, .bytes = own(x, i)};
        bool is_call = x->nodes[made].kind == SINTER_MEMORY_CALL;
        bool stays =
            !may_go(x, i) || !is_call || (x->g.rules & SINTER_MEMORY_KEEP_DEAD) != 0; /* unused */
        for (uint32_t k = 0; k < x->g.count; k++) {
            if (uses(x, k, i) && is_step(x, k)) {
                q.end = step_of[k] + 1;
                stays = !may_go(x, i);
            }
        }
        for (uint32_t k = 0; k < x->g.count; k++)
            stays |= uses(x, k, i) && is_output(x, k);
        q.end = stays ? steps : q.end;
        if (root_of(x, i) == i && (is_call || with_placeholders))
            requests[count++] = q;
    }
    sinter_plan_options o = SINTER_PLAN_OPTIONS_INIT;
    o.strategy = SINTER_PLAN_PARTITION;
    sinter_plan_result result = {.size = sizeof result};
    size_t bytes;
    OK(sinter_plan_scratch_bytes(count, &o, &bytes));
    void *scratch = malloc(bytes + 1);
    assert_non_null(scratch);
    OK(sinter_plan_memory(requests, count, &o, scratch, bytes, &result));
    free(scratch);
    return result.bound_bytes;
}

/* The planner's lower bound is the profile above its first entry as long as what is there before the first
 * step stays; where it may go, it is a request as well, and the bound is the peak. Dead results are requests of
 * one step, or where they are kept, up to the end; what is written in place is no request. */
static void check_planner(test_random *r)
{
    graph x;
    begin(&x, test_below(r, 2) * SINTER_MEMORY_KEEP_DEAD);
    (void)primal(&x, 5);
    random_part(&x, r, true);
    OK(try_profile(&x));
    assert_int_equal(planned_bound(&x, false), x.sum.peak_bytes - x.entries[0]);
    begin(&x, test_below(r, 2) * SINTER_MEMORY_KEEP_DEAD);
    (void)place(&x, NULL, 5);
    random_part(&x, r, false);
    OK(try_profile(&x));
    assert_int_equal(planned_bound(&x, true), x.sum.peak_bytes);
}

static void test_random_graphs(void **state)
{
    (void)state;
    test_random r = {.state = 20};
    for (uint64_t i = 0; i < random_graphs; i++) {
        check_parts(&r);
        check_planner(&r);
    }
}

/* A chain of views as long as can be told from recursion, and as many parts. */
static void test_long_chains(void **state)
{
    (void)state;
    const uint32_t count = 1 << 20;
    size_t bytes;
    OK(sinter_memory_scratch_bytes(count, &bytes));
    sinter_memory_node *nodes = calloc(count, sizeof *nodes);
    uint32_t *inputs = calloc(count, sizeof *inputs);
    uint64_t *entries = malloc((2 * (size_t)count + 2) * sizeof *entries);
    void *scratch = malloc(bytes);
    assert_true(nodes != NULL && inputs != NULL && entries != NULL && scratch != NULL);
    for (uint32_t i = 0; i < count; i++) {
        inputs[i] = i / 2;
        nodes[i] = (sinter_memory_node){.inputs = &inputs[i],
                                        .input_count = 1,
                                        .bytes = 1,
                                        .key = count - i,
                                        .is_releasable = 1,
                                        .kind = SINTER_MEMORY_VIEW};
        if (i >= count / 2) { /* parts of one call */
            nodes[i].kind = SINTER_MEMORY_PART;
            inputs[i] = 1;
        } else if (i > 1) {
            inputs[i] = i - 1;
        }
    }
    nodes[0] = (sinter_memory_node){.bytes = 10, .kind = SINTER_MEMORY_PLACEHOLDER};
    nodes[1].kind = SINTER_MEMORY_CALL;
    nodes[1].bytes = count;
    inputs[1] = 0;
    sinter_memory_graph g = SINTER_MEMORY_GRAPH_INIT;
    g.nodes = nodes;
    g.count = count;
    sinter_memory_summary sum = {.size = sizeof sum};
    OK(sinter_memory_profile(&g, entries, scratch, bytes, &sum));
    assert_int_equal(sum.peak_bytes, count + 10);
    assert_int_equal(entries[sum.entry_count - 1], 10);
    assert_int_equal(nodes[1].owned_bytes, count / 2);
    inputs[2] = count / 2 - 1; /* the views are a circle now */
    FAILS(SINTER_EINVAL, sinter_memory_profile(&g, entries, scratch, bytes, &sum));
    assert_string_equal(sinter_last_error(), "node 2: a cycle of views leads through it");
    free(nodes);
    free(inputs);
    free(entries);
    free(scratch);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--long") == 0)
        random_graphs = 100000;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear_layers),
        cmocka_unit_test(test_two_orders),
        cmocka_unit_test(test_dead_result_and_view_of_view),
        cmocka_unit_test(test_views_hold),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_results),
        cmocka_unit_test(test_constants_and_unknown_sizes),
        cmocka_unit_test(test_forward_and_backward),
        cmocka_unit_test(test_forward_and_backward_as_one),
        cmocka_unit_test(test_wrong_inputs),
        cmocka_unit_test(test_wrong_parts),
        cmocka_unit_test(test_wrong_arguments),
        cmocka_unit_test(test_random_graphs),
        cmocka_unit_test(test_long_chains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
