/* A loop's operations are found where they were before the last cut, and nothing that differs is taken for them.
 * What was queued by comparison alone is counted; a context that runs every operation at once compares none, and
 * has the same bits. */
#include "support/support.h"

#include <string.h>

#define ROWS 6
#define COLUMNS 8
#define INPUTS 5
#define MAX_STEPS 12
#define MAX_VALUES (INPUTS + MAX_STEPS)
#define PROGRAMS 300

static test_device device;
static test_device eager; /* runs every operation at once */

static int open_both(void **state)
{
    (void)state;
    device = test_open(NULL);
    eager = test_open_eager();
    return 0;
}

static int close_both(void **state)
{
    (void)state;
    test_close(&eager);
    test_close(&device);
    return 0;
}

/* Programs */

typedef enum operation {
    ADD,
    SUB,
    MUL,
    MAXIMUM,
    WHERE_GREATER,
    TANH,
    ADD_NUMBER,
    NUMBER_SUB,
    SUM,
    MEAN,
    MAX,
    NARROW,
    FLIP,
    CUMSUM,
    UNSQUEEZE, /* and back again, with the view read in between */
    TRANSPOSE, /* the same */
    SLICE,     /* every other row or column, and its sum along the axis */
    EXPAND,    /* twice the matrix, as a sum of two */
    SOFTMAX,
    RMS_NORM,
    OPERATIONS
} operation;

typedef struct step {
    operation op;
    uint32_t a, b; /* of the values so far: the inputs, then the results */
    float number;
    int axis;
    bool keeps;    /* dimensions */
    bool released; /* the result, once the next step has been queued */
} step;

typedef struct program {
    step steps[MAX_STEPS];
    uint32_t count;
} program;

/* A matrix, another, the turned one of a third, a row, a matrix of f16. */
static void make_inputs(const test_device *d, sinter_tensor *x)
{
    static const int64_t shape[] = {ROWS, COLUMNS};
    static const int64_t turned[] = {COLUMNS, ROWS};
    static const int64_t row[] = {COLUMNS};
    static const int swap[] = {1, 0};
    x[0] = test_floats(d, 2, shape, NULL);
    sinter_tensor made;
    OK(sinter_mul_scalar(d->s, x[0], -0.75, &x[1]));
    made = test_floats(d, 2, turned, NULL);
    OK(sinter_transpose(d->s, made, swap, &x[2]));
    x[3] = test_floats(d, 1, row, NULL);
    OK(sinter_cast(d->s, x[0], SINTER_F16, &x[4]));
    test_release(d, made);
    OK(sinter_stream_sync(d->s));
}

static void release_all(const test_device *d, sinter_tensor *t, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        test_release(d, t[i]);
        t[i] = (sinter_tensor){0};
    }
}

static void queue_where(sinter_stream *s, sinter_tensor a, sinter_tensor b, sinter_tensor *out)
{
    sinter_tensor greater;
    OK(sinter_gt(s, a, b, &greater));
    OK(sinter_where(s, greater, a, b, out));
    OK(sinter_tensor_release(s, greater));
}

static void queue_view(sinter_stream *s, const step *x, sinter_tensor a, sinter_tensor *out)
{
    static const int swap[] = {1, 0};
    static const int64_t both[] = {2, ROWS, COLUMNS};
    static const int first = 0;
    sinter_tensor view;
    sinter_tensor made;
    switch (x->op) {
    case UNSQUEEZE:
        OK(sinter_unsqueeze(s, a, x->axis, &view));
        OK(sinter_tanh(s, view, &made));
        OK(sinter_squeeze(s, made, 1, &x->axis, out));
        break;
    case TRANSPOSE:
        OK(sinter_transpose(s, a, x->keeps ? swap : NULL, &view));
        OK(sinter_tanh(s, view, &made));
        OK(sinter_transpose(s, made, swap, out));
        break;
    case SLICE:
        OK(sinter_slice(s, a, x->axis, x->number > 0, SINTER_OPEN, 2, &view));
        OK(sinter_sum(s, view, 1, &x->axis, true, &made));
        OK(sinter_sub(s, a, made, out));
        break;
    default:
        OK(sinter_expand(s, a, 3, both, &view));
        OK(sinter_add_scalar(s, view, x->number, &made));
        OK(sinter_sum(s, made, 1, &first, false, out));
        break;
    }
    OK(sinter_tensor_release(s, view));
    OK(sinter_tensor_release(s, made));
}

static void queue_reduction(sinter_stream *s, const step *x, sinter_tensor a, sinter_tensor *out)
{
    if (x->op == SUM)
        OK(sinter_sum(s, a, 1, &x->axis, x->keeps, out));
    else if (x->op == MEAN)
        OK(sinter_mean(s, a, 1, &x->axis, x->keeps, out));
    else
        OK(sinter_max(s, a, 1, &x->axis, x->keeps, out));
}

static void queue_step(sinter_stream *s, const step *x, const sinter_tensor *v, sinter_tensor *out)
{
    sinter_tensor a = v[x->a];
    sinter_tensor b = v[x->b];
    sinter_tensor made = {0};
    if (x->op >= UNSQUEEZE && x->op <= EXPAND) {
        queue_view(s, x, a, out);
        return;
    }
    switch (x->op) {
    case ADD:
        OK(sinter_add(s, a, b, out));
        break;
    case SUB:
        OK(sinter_sub(s, a, b, out));
        break;
    case MUL:
        OK(sinter_mul(s, a, b, out));
        break;
    case MAXIMUM:
        OK(sinter_maximum(s, a, b, out));
        break;
    case WHERE_GREATER:
        queue_where(s, a, b, out);
        break;
    case TANH:
        OK(sinter_tanh(s, a, out));
        break;
    case ADD_NUMBER:
        OK(sinter_add_scalar(s, a, x->number, out));
        break;
    case NUMBER_SUB:
        OK(sinter_scalar_sub(s, x->number, a, out));
        break;
    case SUM:
    case MEAN:
    case MAX:
        queue_reduction(s, x, a, out);
        break;
    case NARROW:
        OK(sinter_cast(s, a, SINTER_F16, out));
        break;
    case FLIP:
        OK(sinter_flip(s, a, 1, &x->axis, out));
        break;
    case CUMSUM:
        OK(sinter_cumsum(s, a, x->axis, out));
        break;
    case RMS_NORM:
        OK(sinter_rms_norm(s, a, 1, &x->axis, made, x->number + 2, out));
        break;
    default:
        OK(sinter_softmax(s, a, 1, &x->axis, &made));
        OK(sinter_add(s, made, b, out));
        OK(sinter_tensor_release(s, made));
        break;
    }
}

/* All values that are held at the end, one after another, and how many bytes those are. */
typedef struct outcome {
    unsigned char bytes[MAX_STEPS * ROWS * COLUMNS * 4];
    size_t count;
} outcome;

static void read_value(const test_device *d, sinter_tensor t, outcome *o)
{
    o->count += test_read_whole(d, t, o->bytes + o->count, sizeof o->bytes - o->count);
}

static void run(const test_device *d, const program *p, const sinter_tensor *inputs, outcome *o)
{
    sinter_tensor v[MAX_VALUES] = {{0}};
    memcpy(v, inputs, INPUTS * sizeof *v);
    for (uint32_t i = 0; i < p->count; i++) {
        queue_step(d->s, &p->steps[i], v, &v[INPUTS + i]);
        if (i > 0 && p->steps[i - 1].released)
            release_all(d, &v[INPUTS + i - 1], 1);
    }
    OK(sinter_stream_sync(d->s));
    o->count = 0;
    for (uint32_t i = INPUTS; i < INPUTS + p->count; i++) {
        if (v[i].id != 0)
            read_value(d, v[i], o);
    }
    release_all(d, v + INPUTS, p->count);
}

static uint64_t repeated_by(const program *p, const sinter_tensor *inputs)
{
    outcome o;
    uint64_t before = test_stats(&device).repeated_ops;
    run(&device, p, inputs, &o);
    return test_stats(&device).repeated_ops - before;
}

static void check_against_eager(const program *p, const sinter_tensor *x, const sinter_tensor *y)
{
    outcome found;
    outcome expected;
    run(&device, p, x, &found);
    run(&eager, p, y, &expected);
    assert_int_equal(found.count, expected.count);
    assert_memory_equal(found.bytes, expected.bytes, found.count);
}

/* Decisions: eight operations, of which one differs */

static const program chain = {.count = 8,
                              .steps = {{.op = ADD, .a = 0, .b = 1},
                                        {.op = MUL, .a = 5, .b = 0, .released = true},
                                        {.op = TANH, .a = 6},
                                        {.op = SUM, .a = 7, .axis = 1, .keeps = true},
                                        {.op = SUB, .a = 7, .b = 8},
                                        {.op = ADD_NUMBER, .a = 9, .number = 0.5F},
                                        {.op = MAXIMUM, .a = 10, .b = 3},
                                        {.op = MUL, .a = 11, .b = 2}}};

static void a_loop_is_repeated(void **state)
{
    (void)state;
    sinter_tensor x[INPUTS];
    program p = chain;
    make_inputs(&device, x);
    (void)repeated_by(&p, x);
    for (int i = 0; i < 4; i++) {
        p.steps[5].number = (float)i; /* no plan depends on it */
        DECIDES(repeated_by(&p, x), 8);
    }
    assert_int_equal(test_stats(&eager).repeated_ops, 0);
    release_all(&device, x, INPUTS);
}

/* Until it is expected behind itself. */
static void settle(const program *p, const sinter_tensor *inputs)
{
    for (int i = 0; i < 3; i++)
        (void)repeated_by(p, inputs);
    DECIDES(repeated_by(p, inputs), p->count);
}

/* What comes before the change is repeated, and once it has been seen all of it. What begins
 * otherwise is another segment: both are kept, and where it is not the expected one its first
 * operation is queued the long way. */
static void change_at(uint32_t index, step other)
{
    sinter_tensor x[INPUTS];
    program changed = chain;
    changed.steps[index] = other;
    make_inputs(&device, x);
    settle(&chain, x);
    DECIDES(repeated_by(&changed, x), index);
    uint64_t again = repeated_by(&changed, x);
    assert_true(!test_is_plain() ||
                again >= 7); /* one may be of those that are queued the long way */
    DECIDES(repeated_by(&chain, x), index > 0 ? index : 7);
    DECIDES(repeated_by(&chain, x), index > 0 ? 8 : 7); /* the other one was expected */
    DECIDES(repeated_by(&chain, x), 8);
    release_all(&device, x, INPUTS);
}

static void what_differs_is_not(void **state)
{
    (void)state;
    change_at(0, (step){.op = SUB, .a = 0, .b = 1});     /* the operation */
    change_at(0, (step){.op = ADD, .a = 0, .b = 0});     /* one tensor twice */
    change_at(0, (step){.op = ADD, .a = 0, .b = 3});     /* a shape */
    change_at(0, (step){.op = ADD, .a = 4, .b = 1});     /* a dtype */
    change_at(2, (step){.op = FLIP, .a = 6, .axis = 0}); /* a view */
    change_at(4, (step){.op = SUB, .a = 8, .b = 7});     /* the order */
    change_at(3, (step){.op = MAX, .a = 7, .axis = 1, .keeps = true});
    change_at(3, (step){.op = SUM, .a = 7, .axis = 0, .keeps = true}); /* the axis */
    change_at(5, (step){.op = NUMBER_SUB, .a = 9, .number = 0.5F});    /* where the number stands */
    change_at(7, (step){.op = MUL, .a = 11, .b = 0});                  /* a tensor that was there */
}

/* Strides are nothing that a result depends on, but its step along the store: all is queued anew. */
static void another_layout_ends_it(void **state)
{
    (void)state;
    sinter_tensor x[INPUTS];
    program p = chain;
    make_inputs(&device, x);
    settle(&p, x);
    sinter_tensor turned[INPUTS];
    memcpy(turned, x, sizeof turned);
    turned[1] = x[2];
    turned[2] = x[1];
    DECIDES(repeated_by(&p, turned), 0);
    DECIDES(repeated_by(&p, turned), 8);
    release_all(&device, x, INPUTS);
}

/* A product, two scans and what uses both, with an axis that changes: by another name it is the same. */
static uint64_t repeated_scan(const sinter_tensor *x, sinter_tensor weights, int axis)
{
    sinter_tensor t[3];
    uint64_t before = test_stats(&device).repeated_ops;
    OK(sinter_matmul(device.s, x[0], weights, &t[0]));
    OK(sinter_cumsum(device.s, t[0], axis, &t[1]));
    OK(sinter_add(device.s, t[0], t[1], &t[2]));
    OK(sinter_stream_sync(device.s));
    release_all(&device, t, 3);
    return test_stats(&device).repeated_ops - before;
}

static void products_and_scans_are_repeated(void **state)
{
    (void)state;
    static const int64_t square[] = {COLUMNS, COLUMNS};
    sinter_tensor x[INPUTS];
    make_inputs(&device, x);
    sinter_tensor w[] = {test_floats(&device, 2, square, NULL),
                         test_floats(&device, 2, square, NULL)};
    for (int i = 0; i < 3; i++)
        (void)repeated_scan(x, w[0], 1);
    DECIDES(repeated_scan(x, w[0], 1), 3);
    DECIDES(repeated_scan(x, w[1], -1), 3);
    DECIDES(repeated_scan(x, w[0], 0), 1);
    DECIDES(repeated_scan(x, w[0], 0), 3);
    release_all(&device, w, 2);
    release_all(&device, x, INPUTS);
}

/* An axis that is not given is refused where a scan along the only axis stood. */
static void a_scan_without_an_axis_is_refused(void **state)
{
    (void)state;
    static const char text[] = "a = cumsum(x, None)";
    static const int64_t shape[] = {COLUMNS};
    sinter_program *p = NULL;
    sinter_tensor x = test_floats(&device, 1, shape, NULL);
    sinter_tensor y;
    OK(sinter_program_parse(text, sizeof text - 1, &p, NULL));
    for (int i = 0; i < 4; i++) {
        OK(sinter_cumsum(device.s, x, 0, &y));
        OK(sinter_stream_sync(device.s));
        test_release(&device, y);
    }
    FAILS(SINTER_EINVAL, sinter_program_run(p, device.s, &x, &y, NULL));
    sinter_program_destroy(p);
    test_release(&device, x);
}

/* Reading a transposed result copies it: that is a segment as well. */
static void a_loop_that_reads_a_view_is_repeated(void **state)
{
    (void)state;
    sinter_tensor x[INPUTS];
    const program p = {.count = 3,
                       .steps = {{.op = ADD, .a = 0, .b = 1, .released = true},
                                 {.op = TANH, .a = 5, .released = true},
                                 {.op = TRANSPOSE, .a = 6, .keeps = true}}};
    make_inputs(&device, x);
    for (int i = 0; i < 4; i++)
        (void)repeated_by(&p, x);
    DECIDES(repeated_by(&p, x), 5);
    release_all(&device, x, INPUTS);
}

static uint64_t repeated_reshape(sinter_tensor x, int64_t rows, int64_t columns)
{
    const int64_t shape[] = {rows, columns};
    sinter_tensor t[2];
    uint64_t before = test_stats(&device).repeated_ops;
    OK(sinter_reshape(device.s, x, 2, shape, &t[0]));
    OK(sinter_tanh(device.s, t[0], &t[1]));
    OK(sinter_stream_sync(device.s));
    release_all(&device, t, 2);
    return test_stats(&device).repeated_ops - before;
}

/* All views but a flip, which may be several operations; the same shape by another name is the same. */
static void views_are_repeated(void **state)
{
    (void)state;
    sinter_tensor x[INPUTS];
    const program views = {.count = 4,
                           .steps = {{.op = UNSQUEEZE, .a = 0, .axis = -1, .released = true},
                                     {.op = TRANSPOSE, .a = 5, .keeps = true, .released = true},
                                     {.op = SLICE, .a = 6, .axis = -1, .released = true},
                                     {.op = EXPAND, .a = 7}}};
    make_inputs(&device, x);
    for (int i = 0; i < 3; i++)
        (void)repeated_reshape(x[0], 2, -1);
    DECIDES(repeated_reshape(x[0], 2, -1), 2);
    DECIDES(repeated_reshape(x[0], 2, ROWS * COLUMNS / 2), 2);
    DECIDES(repeated_reshape(x[0], -1, 2), 0);
    for (int i = 0; i < 4; i++)
        (void)repeated_by(&views, x);
    DECIDES(repeated_by(&views, x), 12);
    for (uint32_t i = 0; i < 3; i++) { /* reversed axes are the same as swapped ones */
        program changed = views;
        changed.steps[i].axis = -2;
        changed.steps[i].keeps = false;
        uint64_t same = repeated_by(&changed, x);
        assert_true(!test_is_plain() || (i == 1 ? same == 12 : same == 3 * i));
        for (int k = 0; k < 3; k++)
            (void)repeated_by(&views, x);
        DECIDES(repeated_by(&views, x), 12);
    }
    release_all(&device, x, INPUTS);
}

/* Of a square other axes give the same shape. */
static void axes_of_a_square_are_compared(void **state)
{
    (void)state;
    enum { N = 4 };
    static const int64_t square[] = {N, N};
    static const int axes[][2] = {{1, 0}, {0, 1}};
    float w[N][N];
    float found[N][N];
    sinter_tensor x = test_floats(&device, 2, square, NULL);
    test_read(&device, x, w[0], N * N);
    for (int i = 0; i < 12; i++) {
        bool turned = i % 3 != 0;
        bool upside_down = i % 2 == 0;
        sinter_tensor t[3];
        OK(sinter_transpose(device.s, x, axes[!turned], &t[0]));
        OK(sinter_slice(device.s, x, !upside_down, SINTER_OPEN, SINTER_OPEN, -1, &t[1]));
        OK(sinter_sub(device.s, t[0], t[1], &t[2]));
        test_read(&device, t[2], found[0], N * N);
        for (int r = 0; r < N; r++) {
            for (int c = 0; c < N; c++) {
                float one = turned ? w[c][r] : w[r][c];
                float other = upside_down ? w[N - 1 - r][c] : w[r][N - 1 - c];
                assert_true(found[r][c] == one - other);
            }
        }
        release_all(&device, t, 3);
    }
    test_release(&device, x);
}

/* A view that is held lies where its operand does, as long as that is stored; the next turn holds others. */
static void what_is_held_of_views_changes(void **state)
{
    (void)state;
    sinter_tensor x[INPUTS];
    sinter_tensor y[INPUTS];
    program p = {.count = 4,
                 .steps = {{.op = TANH, .a = 0},
                           {.op = TRANSPOSE, .a = 5, .keeps = true},
                           {.op = SLICE, .a = 6, .axis = -1, .number = 1},
                           {.op = ADD, .a = 6, .b = 7}}};
    make_inputs(&device, x);
    make_inputs(&eager, y);
    for (uint32_t i = 0; i < 32; i++) {
        for (uint32_t k = 0; k < 3; k++)
            p.steps[k].released = ((i ^ i >> 1) >> k & 1) != 0;
        p.steps[1].released = false; /* the last step reads it */
        check_against_eager(&p, x, y);
    }
    release_all(&device, x, INPUTS);
    release_all(&eager, y, INPUTS);
}

/* Loops of several segments */

/* Segments that begin otherwise: a chain, one of a formula that the next one reads, one that begins with a view. */
static const program formula_first = {
    .count = 2, .steps = {{.op = SOFTMAX, .a = 1, .b = 3, .axis = 1}, {.op = TANH, .a = 5}}};
static const program view_first = {.count = 3,
                                   .steps = {{.op = FLIP, .a = 2, .axis = 0, .released = true},
                                             {.op = ADD, .a = 5, .b = 2},
                                             {.op = TANH, .a = 6}}};
static const program alone = {.count = 1, .steps = {{.op = NUMBER_SUB, .a = 0, .number = 2}}};
static const program row_first = {.count = 1,
                                  .steps = {{.op = MAX, .a = 1, .axis = 0, .keeps = true}}};
static const program *const segments[] = {&chain, &formula_first, &view_first, &alone, &row_first};

/* Operations of a turn through the first `count` of them that are repeated. Each is waited for. */
static uint64_t repeated_in_turn(int count, const sinter_tensor *inputs)
{
    uint64_t repeated = 0;
    for (int i = 0; i < count; i++)
        repeated += repeated_by(segments[i], inputs);
    return repeated;
}

static void turn_through(int count, int turns, const sinter_tensor *inputs)
{
    for (int i = 0; i < turns; i++)
        (void)repeated_in_turn(count, inputs);
}

/* What is expected behind each is learned in the first two turns. A flip is queued the long way always. */
static void segments_in_turn_are_repeated(void **state)
{
    (void)state;
    sinter_tensor x[INPUTS];
    make_inputs(&device, x);
    turn_through(2, 2, x);
    for (int i = 0; i < 3; i++)
        DECIDES(repeated_in_turn(2, x), 8 + 7);
    turn_through(4, 2, x);
    for (int i = 0; i < 3; i++)
        DECIDES(repeated_in_turn(4, x), 8 + 7 + 2 + 1);
    turn_through(1, 2, x); /* the same over again ends what was expected, and is found */
    DECIDES(repeated_in_turn(1, x), 8);
    release_all(&device, x, INPUTS);
}

/* More than are kept: the one that comes is always the one that has gone. */
static void more_segments_than_are_kept(void **state)
{
    (void)state;
    sinter_tensor x[INPUTS];
    make_inputs(&device, x);
    turn_through(5, 3, x);
    DECIDES(repeated_in_turn(5, x), 0);
    turn_through(2, 2, x);
    DECIDES(repeated_in_turn(2, x), 8 + 7);
    release_all(&device, x, INPUTS);
}

/* Nothing is waited for, and a mark stands behind each segment: once the limit of operations has
 * met it there, a segment ends when the first operation of the other one follows, which a cut puts
 * into the queue again. All but that one are repeated. */
static void segments_that_end_each_other_are_repeated(void **state)
{
    (void)state;
    enum { TURNS = 20, KNOWN = 6 };
    sinter_context_options o = SINTER_CONTEXT_OPTIONS_INIT;
    o.max_pending_ops = 12;
    test_device d = test_open(&o);
    sinter_tensor x[INPUTS];
    sinter_stats before = SINTER_STATS_INIT;
    make_inputs(&d, x);
    for (int i = 0; i < TURNS; i++) {
        if (i == KNOWN)
            before = test_stats(&d);
        for (int k = 0; k < 2; k++) {
            sinter_tensor v[MAX_VALUES] = {{0}};
            memcpy(v, x, sizeof x);
            for (uint32_t n = 0; n < segments[k]->count; n++)
                queue_step(d.s, &segments[k]->steps[n], v, &v[INPUTS + n]);
            OK(sinter_stream_mark(d.s));
            release_all(&d, v + INPUTS, segments[k]->count);
        }
    }
    sinter_stats after = test_stats(&d);
    DECIDES(after.cuts - before.cuts, 2 * (TURNS - KNOWN));
    DECIDES(after.repeated_ops - before.repeated_ops, (8 + 7 - 2) * (TURNS - KNOWN));
    OK(sinter_stream_sync(d.s));
    release_all(&d, x, INPUTS);
    test_close(&d);
}

/* Of a longer loop the beginning, of a shorter one all; what stays in the queue at a cut is no beginning. */
static void another_length_is_no_end(void **state)
{
    (void)state;
    sinter_tensor x[INPUTS];
    program shorter = chain;
    make_inputs(&device, x);
    shorter.count = 5;
    settle(&chain, x);
    DECIDES(repeated_by(&shorter, x), 5);
    DECIDES(repeated_by(&chain, x), 5);
    DECIDES(repeated_by(&chain, x), 8);
    release_all(&device, x, INPUTS);
}

/* Nothing is waited for. Of each segment one operation is not compared: it shows that the segment before has ended, so
 * it stood behind that one's last. */
static void a_loop_that_never_reads_is_repeated(void **state)
{
    (void)state;
    enum { TURNS = 1200, KNOWN = 600 }; /* the limit of operations has been met by then */
    sinter_tensor x[INPUTS];
    sinter_stats before = SINTER_STATS_INIT;
    make_inputs(&device, x);
    for (int i = 0; i < TURNS; i++) {
        sinter_tensor v[MAX_VALUES] = {{0}};
        memcpy(v, x, sizeof x);
        if (i == KNOWN)
            before = test_stats(&device);
        for (uint32_t k = 0; k < chain.count; k++)
            queue_step(device.s, &chain.steps[k], v, &v[INPUTS + k]);
        release_all(&device, v + INPUTS, chain.count);
    }
    sinter_stats after = test_stats(&device);
    assert_true(!test_is_plain() || after.cuts > before.cuts);
    DECIDES(after.repeated_ops - before.repeated_ops,
            8 * (TURNS - KNOWN) - (after.cuts - before.cuts));
    OK(sinter_stream_sync(device.s));
    release_all(&device, x, INPUTS);
}

/* A formula's operations are repeated as any others are. */
static void formulas_are_repeated(void **state)
{
    (void)state;
    sinter_tensor x[INPUTS];
    const program p = {.count = 1, .steps = {{.op = SOFTMAX, .a = 0, .b = 3, .axis = 1}}};
    make_inputs(&device, x);
    (void)repeated_by(&p, x);
    DECIDES(repeated_by(&p, x), 6);
    release_all(&device, x, INPUTS);
}

/* The operations of a formula, queued by hand with another number where the formula stood, and another formula behind
 * them: the first has its own number again when it comes back. */
static void a_formula_has_its_own_numbers(void **state)
{
    (void)state;
    sinter_tensor x[INPUTS];
    sinter_tensor y[INPUTS];
    program formula = {.count = 2,
                       .steps = {{.op = RMS_NORM, .a = 0, .axis = 1, .number = -1},
                                 {.op = SOFTMAX, .a = 1, .b = 3, .axis = 1}}};
    make_inputs(&device, x);
    make_inputs(&eager, y);
    for (int i = 0; i < 3; i++)
        check_against_eager(&formula, x, y);
    for (int i = 0; i < 3; i++) {
        const int axis = 1;
        sinter_tensor v[MAX_VALUES];
        memcpy(v, x, sizeof x);
        uint64_t before = test_stats(&device).repeated_ops;
        OK(sinter_square(device.s, x[0], &v[5]));
        OK(sinter_mean(device.s, v[5], 1, &axis, true, &v[6]));
        OK(sinter_add_scalar(device.s, v[6], 7, &v[7]));
        OK(sinter_rsqrt(device.s, v[7], &v[8]));
        OK(sinter_mul(device.s, x[0], v[8], &v[9]));
        release_all(&device, &v[5], 4);
        queue_step(device.s, &formula.steps[1], v, &v[10]);
        OK(sinter_stream_sync(device.s));
        DECIDES(test_stats(&device).repeated_ops - before, 5 + 6);
        release_all(&device, &v[9], 2);
        formula.steps[0].number = i == 1 ? 1.0F : -1.0F;
        check_against_eager(&formula, x, y);
    }
    release_all(&device, x, INPUTS);
    release_all(&eager, y, INPUTS);
}

static void queue_norm_by_hand(sinter_tensor x)
{
    const int axis = 1;
    sinter_tensor t[5];
    OK(sinter_square(device.s, x, &t[0]));
    OK(sinter_mean(device.s, t[0], 1, &axis, true, &t[1]));
    OK(sinter_add_scalar(device.s, t[1], 7, &t[2]));
    OK(sinter_rsqrt(device.s, t[2], &t[3]));
    OK(sinter_mul(device.s, x, t[3], &t[4]));
    release_all(&device, t, 5);
}

/* Formulas, then their operations by hand with another number, then the formulas again: what was remembered two queues
 * ago is not looked at. More than the array begins with. */
static void formulas_of_an_older_queue_are_forgotten(void **state)
{
    (void)state;
    enum { FORMULAS = 9 };
    sinter_tensor x[INPUTS];
    sinter_tensor y[INPUTS];
    program p = {.count = FORMULAS};
    for (uint32_t i = 0; i < FORMULAS; i++)
        p.steps[i] = (step){.op = RMS_NORM, .a = 0, .axis = 1, .number = (float)i};
    make_inputs(&device, x);
    make_inputs(&eager, y);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < FORMULAS; i++)
            queue_norm_by_hand(x[0]);
        OK(sinter_stream_sync(device.s));
        check_against_eager(&p, x, y);
    }
    release_all(&device, x, INPUTS);
    release_all(&eager, y, INPUTS);
}

/* An operand less or more: what follows it is queued anew once. Another tensor of the shape, and the axis by another
 * name, are the same. */
static void what_is_given_to_a_formula_counts(void **state)
{
    (void)state;
    sinter_tensor x[INPUTS];
    const int axes[] = {1, -1};
    make_inputs(&device, x);
    for (int i = 0; i < 5; i++) {
        for (int turn = 0; turn < 3; turn++) {
            sinter_tensor out;
            sinter_tensor none = {0};
            const sinter_tensor weight = i == 1 ? none : x[3];
            const sinter_tensor bias = i == 2 ? none : x[3];
            uint64_t before = test_stats(&device).repeated_ops;
            OK(sinter_layer_norm(device.s, x[i == 3], 1, &axes[i == 4], weight, bias, 1e-5, &out));
            OK(sinter_stream_sync(device.s));
            test_release(&device, out);
            uint64_t all = i == 1 || i == 2 ? 8 : 9;
            uint64_t repeated = test_stats(&device).repeated_ops - before;
            assert_true(!test_is_plain() ||
                        (turn == 0 && i < 4 ? repeated < all : repeated == all));
        }
    }
    release_all(&device, x, INPUTS);
}

/* The numbers of an optimiser change with its step: they are those of the step, for each of its parameters. */
static void an_optimiser_is_repeated(void **state)
{
    (void)state;
    enum { PARAMETERS = 3, STEPS = 6 };
    float found[2][PARAMETERS][ROWS * COLUMNS];
    for (int k = 0; k < 2; k++) {
        const test_device *d = k == 0 ? &device : &eager;
        sinter_tensor t[4][PARAMETERS];
        for (int i = 0; i < PARAMETERS; i++) {
            const int64_t shape[] = {ROWS, COLUMNS - i};
            for (int n = 0; n < 4; n++) {
                sinter_tensor made = test_floats(d, 2, shape, NULL);
                OK(sinter_abs(d->s, made, &t[n][i]));
                test_release(d, made);
            }
        }
        OK(sinter_stream_sync(d->s));
        for (uint64_t turn = 1; turn <= STEPS; turn++) {
            sinter_adam_options o = SINTER_ADAM_OPTIONS_INIT;
            o.step = turn;
            o.weight_decay = 0.1;
            uint64_t before = test_stats(d).repeated_ops;
            OK(sinter_adamw(d->s, PARAMETERS, t[0], t[3], t[1], t[2], &o));
            OK(sinter_stream_sync(d->s));
            if (k == 0)
                DECIDES(test_stats(d).repeated_ops - before, turn == 1 ? 0 : 14 * PARAMETERS);
        }
        for (int i = 0; i < PARAMETERS; i++) {
            test_read(d, t[0][i], found[k][i], (size_t)ROWS * (size_t)(COLUMNS - i));
            for (int n = 0; n < 4; n++)
                test_release(d, t[n][i]);
        }
    }
    for (int i = 0; i < PARAMETERS; i++)
        assert_memory_equal(found[0][i], found[1][i], sizeof(float) * ROWS * (size_t)(COLUMNS - i));
}

/* Two tensors that enter together had a storage each, and now share one: that is another queue. */
static void a_shared_storage_is_seen(void **state)
{
    (void)state;
    sinter_tensor x[INPUTS];
    sinter_tensor same;
    sinter_tensor out;
    make_inputs(&device, x);
    OK(sinter_tensor_to(device.s, x[0], &same));
    OK(sinter_stream_sync(device.s));
    for (int i = 0; i < 6; i++) {
        uint64_t before = test_stats(&device).repeated_ops;
        OK(sinter_add(device.s, x[0], i < 3 ? x[1] : same, &out));
        OK(sinter_stream_sync(device.s));
        if (i < 4)
            DECIDES(test_stats(&device).repeated_ops - before, i == 1 || i == 2);
        test_release(&device, out);
    }
    test_release(&device, same);
    release_all(&device, x, INPUTS);
}

/* A condition that is a number is a bool, not of the dtype that is chosen from: it is queued the long way. */
static void a_number_for_a_condition_is_not(void **state)
{
    (void)state;
    static const char text[] = "y = where(1, x, 2 * x); z = y"; /* two names: not as a whole */
    static const int64_t shape[] = {ROWS, COLUMNS};
    float given[ROWS * COLUMNS];
    float found[ROWS * COLUMNS];
    sinter_program *p = NULL;
    sinter_tensor x = test_floats(&device, 2, shape, NULL);
    test_read(&device, x, given, ROWS * COLUMNS);
    OK(sinter_program_parse(text, sizeof text - 1, &p, NULL));
    for (int i = 0; i < 3; i++) {
        sinter_tensor y[2];
        uint64_t before = test_stats(&device).repeated_ops;
        OK(sinter_program_run(p, device.s, &x, y, NULL));
        test_read(&device, y[0], found, ROWS * COLUMNS);
        assert_memory_equal(found, given, sizeof given);
        DECIDES(test_stats(&device).repeated_ops - before, i == 0 ? 0 : 1);
        release_all(&device, y, 2);
    }
    sinter_program_destroy(p);
    test_release(&device, x);
}

/* Values */

static step random_step(test_random *r, uint32_t values)
{
    step x = {.op = (operation)test_below(r, OPERATIONS)};
    x.a = test_below(r, values);
    x.b = test_below(r, values);
    x.number = (float)test_below(r, 9) / 4 - 1;
    x.axis = (int)test_below(r, 2) - 2;
    x.keeps = true;
    x.released = test_below(r, 2) != 0;
    return x;
}

/* A row has one axis, so nothing but elementwise operations reads it; and what was given back is read no more. */
static void correct(program *p)
{
    for (uint32_t i = 0; i < p->count; i++) {
        step *x = &p->steps[i];
        bool maps = x->op < SUM || x->op == NARROW;
        x->a = x->a >= INPUTS + i ? 0 : x->a;
        x->b = x->b >= INPUTS + i ? 1 : x->b;
        for (int k = 0; k < 2; k++) {
            uint32_t *of = k == 0 ? &x->a : &x->b;
            if (*of >= INPUTS && *of + 1 < INPUTS + i && p->steps[*of - INPUTS].released)
                *of = (uint32_t)k;
        }
        if (x->a == 3 && (!maps || x->op == TANH || x->op == NARROW || x->op == ADD_NUMBER ||
                          x->op == NUMBER_SUB))
            x->a = 2;
        if (x->b == 3 && x->a == 3)
            x->a = 0;
    }
}

static program random_program(test_random *r)
{
    program p = {.count = 2 + test_below(r, MAX_STEPS - 1)};
    for (uint32_t i = 0; i < p.count; i++)
        p.steps[i] = random_step(r, INPUTS + i);
    correct(&p);
    return p;
}

/* One thing of one step is another. */
static program vary(test_random *r, const program *of)
{
    program p = *of;
    uint32_t i = test_below(r, p.count);
    step other = random_step(r, INPUTS + i);
    switch (test_below(r, 6)) {
    case 0:
        p.steps[i].op = other.op;
        break;
    case 1:
        p.steps[i].a = other.a;
        break;
    case 2:
        p.steps[i].b = other.b;
        break;
    case 3:
        p.steps[i].number = other.number;
        break;
    case 4:
        p.steps[i].axis = other.axis;
        break;
    default:
        p.steps[i].released = other.released;
        break;
    }
    correct(&p);
    return p;
}

static void whatever_repeats_has_its_own_values(void **state)
{
    (void)state;
    test_random r = {.state = 20261123};
    sinter_tensor x[INPUTS];
    sinter_tensor y[INPUTS];
    make_inputs(&device, x);
    make_inputs(&eager, y);
    uint64_t before = test_stats(&device).repeated_ops;
    for (int i = 0; i < PROGRAMS; i++) {
        program p = random_program(&r);
        for (int k = 0; k < 6; k++) {
            check_against_eager(&p, x, y);
            if (k % 2 == 1)
                p = vary(&r, &p);
        }
    }
    assert_true(!test_is_plain() || test_stats(&device).repeated_ops - before > 4 * PROGRAMS);
    release_all(&device, x, INPUTS);
    release_all(&eager, y, INPUTS);
}

/* Several random segments in random order, each with its own values; some grow beyond what their arrays began with. */
static void segments_in_any_order_have_their_own_values(void **state)
{
    (void)state;
    enum { SEGMENTS = 5, ROUNDS = 40, TURNS = 12 };
    test_random r = {.state = 20261125};
    sinter_tensor x[INPUTS];
    sinter_tensor y[INPUTS];
    make_inputs(&device, x);
    make_inputs(&eager, y);
    uint64_t before = test_stats(&device).repeated_ops;
    for (int i = 0; i < ROUNDS; i++) {
        program p[SEGMENTS];
        for (int k = 0; k < SEGMENTS; k++)
            p[k] = random_program(&r);
        for (int k = 0; k < TURNS; k++) {
            program *next = &p[test_below(&r, 2 + (uint32_t)i % (SEGMENTS - 1))];
            check_against_eager(next, x, y);
            if (k % 4 == 3)
                *next = vary(&r, next);
        }
    }
    assert_true(!test_is_plain() || test_stats(&device).repeated_ops - before > 4 * ROUNDS);
    release_all(&device, x, INPUTS);
    release_all(&eager, y, INPUTS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loop_is_repeated),
        cmocka_unit_test(what_differs_is_not),
        cmocka_unit_test(another_layout_ends_it),
        cmocka_unit_test(products_and_scans_are_repeated),
        cmocka_unit_test(a_scan_without_an_axis_is_refused),
        cmocka_unit_test(a_loop_that_reads_a_view_is_repeated),
        cmocka_unit_test(views_are_repeated),
        cmocka_unit_test(axes_of_a_square_are_compared),
        cmocka_unit_test(what_is_held_of_views_changes),
        cmocka_unit_test(segments_in_turn_are_repeated),
        cmocka_unit_test(more_segments_than_are_kept),
        cmocka_unit_test(segments_that_end_each_other_are_repeated),
        cmocka_unit_test(another_length_is_no_end),
        cmocka_unit_test(a_loop_that_never_reads_is_repeated),
        cmocka_unit_test(formulas_are_repeated),
        cmocka_unit_test(a_formula_has_its_own_numbers),
        cmocka_unit_test(formulas_of_an_older_queue_are_forgotten),
        cmocka_unit_test(what_is_given_to_a_formula_counts),
        cmocka_unit_test(an_optimiser_is_repeated),
        cmocka_unit_test(a_shared_storage_is_seen),
        cmocka_unit_test(a_number_for_a_condition_is_not),
        cmocka_unit_test(whatever_repeats_has_its_own_values),
        cmocka_unit_test(segments_in_any_order_have_their_own_values),
    };
    return cmocka_run_group_tests(tests, open_both, close_both);
}
