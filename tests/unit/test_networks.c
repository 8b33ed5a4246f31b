/* Networks as they are planned: one launch a step, forward alone or with the steps back, with results in
 * place and without. All of them take as little as can be. */
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

#define MOST 6000

typedef struct network {
    sinter_plan_request r[MOST];
    sinter_plan_alias a[MOST];
    size_t count;
    int64_t step;
    bool trains; /* the step back through an operation reads what the operation read */
    struct {
        uint32_t inputs[2];
        uint32_t output;
    } ops[MOST];
    size_t op_count;
} network;

static network *begin(bool trains)
{
    network *n = calloc(1, sizeof *n);
    assert_non_null(n);
    n->trains = trains;
    return n;
}

static uint32_t make(network *n, uint64_t bytes)
{
    assert_true(n->count < MOST);
    n->r[n->count] = (sinter_plan_request){.start = n->step, .end = n->step + 1, .bytes = bytes};
    return (uint32_t)n->count++;
}

static void use(network *n, uint32_t i)
{
    if (i != UINT32_MAX)
        n->r[i].end = n->r[i].end > n->step + 1 ? n->r[i].end : n->step + 1;
}

/* One launch: a result of as many bytes, from one or two others (UINT32_MAX: none). */
static uint32_t op(network *n, uint64_t bytes, uint32_t x, uint32_t y)
{
    use(n, x);
    use(n, y);
    uint32_t out = make(n, bytes);
    n->ops[n->op_count].inputs[0] = x;
    n->ops[n->op_count].inputs[1] = y;
    n->ops[n->op_count++].output = out;
    n->step++;
    return out;
}

/* One that works element by element: its result may take the place of the first operand. */
static uint32_t map(network *n, uint32_t x, uint32_t y)
{
    uint32_t out = op(n, n->r[x].bytes, x, y);
    n->a[out] = (sinter_plan_alias){.kind = SINTER_PLAN_IN_PLACE, .of = x};
    return out;
}

/* An operation with its own scratch in its one step. */
static uint32_t op_with_scratch(network *n, uint64_t bytes, uint64_t scratch, uint32_t x)
{
    (void)make(n, scratch);
    return op(n, bytes, x, UINT32_MAX);
}

/* A transformer: `layers` of attention and two products, `width` wide, for `length` words. */
static void transformer(network *n, uint64_t layers, uint64_t length, uint64_t width)
{
    const uint64_t heads = width / 64;
    const uint64_t row = 4 * length * width;
    uint32_t x = op(n, row, UINT32_MAX, UINT32_MAX);
    for (uint64_t layer = 0; layer < layers; layer++) {
        uint32_t norm = op(n, row, x, UINT32_MAX);
        uint32_t q = op(n, row, norm, UINT32_MAX);
        uint32_t k = op(n, row, norm, UINT32_MAX);
        uint32_t v = op(n, row, norm, UINT32_MAX);
        uint32_t scores = op(n, 4 * heads * length * length, q, k);
        uint32_t soft = map(n, map(n, scores, UINT32_MAX), UINT32_MAX);
        uint32_t mixed = op(n, row, soft, v);
        x = map(n, op(n, row, mixed, UINT32_MAX), x);
        norm = op(n, row, x, UINT32_MAX);
        uint32_t wide = map(n, op(n, 4 * row, norm, UINT32_MAX), UINT32_MAX);
        x = map(n, op(n, row, wide, UINT32_MAX), x);
    }
    (void)op(n, 4 * length * 1000, x, UINT32_MAX);
}

/* Residual blocks over images: halves of the size, twice the channels; products through unfolded copies. */
static void residual(network *n, uint64_t blocks, uint64_t side, uint64_t channels)
{
    uint32_t x = op(n, 4 * side * side * 3, UINT32_MAX, UINT32_MAX);
    x = op_with_scratch(n, 4 * side * side * channels / 4, 4 * side * side * 147 / 4, x);
    for (uint64_t block = 0; block < blocks; block++) {
        bool is_first = block % 3 == 0 && block > 0;
        side = is_first && side > 8 ? side / 2 : side;
        channels = is_first ? 2 * channels : channels;
        uint64_t bytes = side * side * channels;
        uint32_t narrow = map(n, op(n, bytes / 4, x, UINT32_MAX), UINT32_MAX);
        uint32_t y = op_with_scratch(n, bytes / 4, 9 * bytes / 4, narrow);
        y = map(n, map(n, y, UINT32_MAX), UINT32_MAX);
        y = op(n, bytes, y, UINT32_MAX);
        uint32_t side_way = n->r[x].bytes == bytes ? x : op(n, bytes, x, UINT32_MAX);
        x = map(n, map(n, y, side_way), UINT32_MAX);
    }
    (void)op(n, 4000, x, UINT32_MAX);
}

/* The steps back: the gradients of what each operation read, from that of its result; those of weights, of
 * `weight` bytes, live to the end. */
static void go_back(network *n, uint64_t weight)
{
    static uint32_t gradient[MOST];
    memset(gradient, 0xff, sizeof gradient);
    for (size_t k = n->op_count; n->trains && k > 0; k--) {
        uint32_t out = n->ops[k - 1].output;
        for (size_t i = 0; i < 2; i++) {
            uint32_t in = n->ops[k - 1].inputs[i];
            if (in == UINT32_MAX)
                continue;
            use(n, in);
            use(n, gradient[out]);
            uint32_t g = make(n, n->r[in].bytes);
            if (gradient[in] != UINT32_MAX) { /* the sum of two ways */
                use(n, gradient[in]);
                n->a[g] = (sinter_plan_alias){.kind = SINTER_PLAN_IN_PLACE, .of = gradient[in]};
            }
            gradient[in] = g;
            if (k % 3 == 0)
                n->r[make(n, weight)].end = INT64_MAX;
            n->step++;
        }
    }
    for (size_t i = 0; i < n->count; i++)
        n->r[i].end = n->r[i].end == INT64_MAX ? n->step : n->r[i].end;
}

/* Plans it; gives the bytes. */
static uint64_t plan_at_bound(network *n, bool in_place)
{
    sinter_plan_options o = SINTER_PLAN_OPTIONS_INIT;
    sinter_plan_result res = {.size = sizeof res};
    size_t bytes;
    o.alignment_bytes = 64;
    o.aliases = in_place ? n->a : NULL;
    OK(sinter_plan_scratch_bytes(n->count, &o, &bytes));
    void *scratch = malloc(bytes);
    assert_non_null(scratch);
    OK(sinter_plan_memory(n->r, n->count, &o, scratch, bytes, &res));
    OK(sinter_plan_check(n->r, n->count, &o, res.total_bytes, scratch, bytes));
    free(scratch);
    assert_int_equal(res.total_bytes, res.bound_bytes);
    assert_true(res.is_optimal);
    return res.total_bytes;
}

/* The bytes that results in place save. */
static uint64_t check(network *n, uint64_t weight)
{
    go_back(n, weight);
    uint64_t apart = plan_at_bound(n, false);
    uint64_t in_place = plan_at_bound(n, true);
    assert_true(in_place <= apart);
    free(n);
    return apart - in_place;
}

static void transformers(void **state)
{
    (void)state;
    uint64_t saved = 0;
    static const uint64_t sizes[][3] = {{2, 128, 256},  {4, 512, 256},  {6, 128, 512},
                                        {12, 128, 768}, {12, 512, 768}, {12, 77, 832}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (int trains = 0; trains < 2; trains++) {
            network *n = begin(trains != 0);
            transformer(n, sizes[i][0], sizes[i][1], sizes[i][2]);
            saved += check(n, 4 * sizes[i][2] * sizes[i][2]);
        }
    }
    assert_true(saved > 0);
}

static void residual_networks(void **state)
{
    (void)state;
    uint64_t saved = 0;
    static const uint64_t sizes[][3] = {{3, 32, 64}, {9, 112, 64}, {16, 112, 256}, {16, 160, 96}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (int trains = 0; trains < 2; trains++) {
            network *n = begin(trains != 0);
            residual(n, sizes[i][0], sizes[i][1], sizes[i][2]);
            saved += check(n, 36 * sizes[i][2] * sizes[i][2]);
        }
    }
    assert_true(saved > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transformers),
        cmocka_unit_test(residual_networks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
