/* What the report says of memory: the exact bytes of programs whose steps are known, and of others that
 * the steps, the places and the counters of the context tell the same. */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

#define BYTES 16384
#define MOST 200

static const int64_t shape[] = {64, 64}; /* of f32, BYTES of them */

/* The map of a report. */
typedef struct map {
    sinter_step_memory steps[MOST];
    size_t step_count;
    sinter_tensor_memory tensors[MOST];
    size_t tensor_count;
} map;

static void add_step(void *user, const sinter_step_memory *step)
{
    map *m = user;
    assert_true(m->step_count < MOST);
    m->steps[m->step_count++] = *step;
}

static void add_tensor(void *user, const sinter_tensor_memory *tensor)
{
    map *m = user;
    assert_true(m->tensor_count < MOST);
    m->tensors[m->tensor_count++] = *tensor;
}

static void read_map(const test_device *d, map *m)
{
    const sinter_memory_visitor v = {.size = sizeof v, .step = add_step, .tensor = add_tensor};
    memset(m, 0, sizeof *m);
    OK(sinter_report_memory(d->s, &v, m));
}

/* Steps of a kind in a segment; *peak: the most bytes that live at one. */
static size_t find_steps(const map *m, uint32_t segment, bool launches,
                         const sinter_step_memory **first, uint64_t *peak)
{
    size_t count = 0;
    uint64_t marked = 0;
    *peak = 0;
    for (size_t i = 0; i < m->step_count; i++) {
        const sinter_step_memory *s = &m->steps[i];
        if (s->segment != segment || (s->is_launch != 0) != launches)
            continue;
        *first = count++ == 0 ? s : *first;
        marked += s->is_peak ? s->during_bytes : 0;
        *peak = s->during_bytes > *peak ? s->during_bytes : *peak;
        assert_true(s->before_bytes <= s->during_bytes && s->after_bytes <= s->during_bytes);
    }
    assert_int_equal(marked, *peak); /* one is marked, and it is that one */
    return count;
}

static void test_a_chain(bool fuse, bool release)
{
    sinter_context_options o = SINTER_CONTEXT_OPTIONS_INIT;
    o.switches = fuse ? 0 : SINTER_NO_FUSE | SINTER_NO_REUSE;
    test_device d = test_open(&o);
    map m;
    const sinter_step_memory *first = NULL;
    uint64_t by_operation;
    uint64_t by_launch;
    sinter_tensor x = test_floats(&d, 2, shape, NULL);
    sinter_tensor y = x;
    test_report_begin(&d);
    for (int i = 0; i < 8; i++) {
        sinter_tensor next;
        OK(sinter_add_scalar(d.s, y, 1.0, &next));
        if (i > 0 || release)
            test_release(&d, y);
        y = next;
    }
    OK(sinter_stream_sync(d.s));
    read_map(&d, &m);
    const char *text = test_report(&d);
    assert_int_equal(find_steps(&m, 1, false, &first, &by_operation), 8);
    assert_int_equal(by_operation, 3 * BYTES); /* x, and what an operation reads and writes */
    assert_int_equal(first->before_bytes, BYTES);
    assert_int_equal(first->during_bytes, 2 * BYTES);
    assert_string_equal(first->text, "add");
    assert_int_equal(find_steps(&m, 1, true, &first, &by_launch), fuse ? 1 : 8);
    assert_int_equal(first->before_bytes, BYTES);
    if (!fuse) {
        assert_int_equal(by_launch, by_operation);
        assert_non_null(strstr(text, "\n  fusion saves 0 bytes of the peak\n"));
    } else if (release && test_reuses()) { /* y lies where x lay */
        assert_int_equal(by_launch, BYTES);
        assert_non_null(strstr(text, "\n  fusion saves 32768 bytes of the peak\n"));
    } else {
        assert_int_equal(by_launch, 2 * BYTES);
        assert_string_equal(first->text, "add, add, add, add, add, add, add, add");
        assert_non_null(strstr(
            text,
            "  memory by operation: peak 49152 bytes at operation 2 (add): t0 16384, t1 16384, "
            "t2 16384\n"
            "  memory by launch: peak 32768 bytes at group 1: t0 16384, t8 16384\n"
            "    group 1: 16384 bytes before, 32768 during, 32768 after\n"
            "  fusion saves 16384 bytes of the peak\n"));
    }
    test_release(&d, y);
    if (!release)
        test_release(&d, x);
    test_close(&d);
}

static void a_chain_saves_what_lies_between(void **state)
{
    (void)state;
    test_a_chain(true, false);
    test_a_chain(true, true);
    test_a_chain(false, false);
}

/* Programs over x and w, whose extents are those of `shape`. */
static const char *const programs[] = {
    "y = softmax(x) + w; z = sum(exp(x), axis=0)",
    "a = relu(x @ transpose(w, (1, 0))); b = a @ w; s = sum(b * b); release a",
    "h = mean(x); y = (x - h) * w; release h; z = cumsum(y, axis=1)",
    "v = transpose(x, (1, 0)); a = copy(v); c = sum(reshape(a, (128, 32)), axis=0); release a",
    "a = x[:, 0:32]; b = x[:, 32:64]; c = a * b; release a; release b; release c; d = exp(w)",
    "m = sum(x * x); n = max(w); y = x * m + n; release m; release n; dead = x + 1; release dead",
    /* y and z by one launch */
    "c=cumsum(x,axis=1);f=cumsum(w[0:9],axis=1);y=exp(c[::-1]);z=exp(f[::-1]);release c;release f",
    "v = transpose(x, (1, 0)); u = x + 1; cut; y = v @ x", /* x enters twice */
    "y = full((64, 64), 2.0); z = y @ y; r = random_normal((64, 64), seed=1) + z; release z",
};

/* What lives at step `group` of a segment by what lies where: all that entered, results from where they are
 * written on, and what of the workspace is in use. */
static uint64_t lies_at(const map *m, uint32_t segment, uint32_t group, bool after)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < m->tensor_count; i++) {
        const sinter_tensor_memory *t = &m->tensors[i];
        bool lives = t->role == SINTER_MEMORY_ENTERED;
        if (t->role == SINTER_MEMORY_MADE)
            lives = t->made_group <= group;
        else if (t->role == SINTER_MEMORY_WORKSPACE || t->role == SINTER_MEMORY_SCRATCH)
            lives = t->first_group <= group && group + after < t->end_group;
        sum += lives && t->segment == segment ? t->bytes : 0;
    }
    return sum;
}

static void check_steps(const map *m)
{
    for (size_t i = 0; i < m->step_count; i++) {
        const sinter_step_memory *s = &m->steps[i];
        if (!s->is_launch)
            continue;
        assert_int_equal(s->during_bytes, lies_at(m, s->segment, s->number, false));
        assert_int_equal(s->after_bytes, lies_at(m, s->segment, s->number, true));
        assert_int_equal(s->before_bytes, lies_at(m, s->segment, s->number - 1, true));
    }
}

/* No two that have their places at one time overlap. */
static void check_places(const map *m)
{
    for (size_t i = 0; i < m->tensor_count; i++) {
        const sinter_tensor_memory *a = &m->tensors[i];
        for (size_t k = 0; k < i; k++) {
            const sinter_tensor_memory *b = &m->tensors[k];
            if (a->segment == b->segment && a->slab == b->slab && a->slab != UINT32_MAX &&
                a->first_group < b->end_group && b->first_group < a->end_group)
                assert_true(a->offset_bytes + a->bytes <= b->offset_bytes ||
                            b->offset_bytes + b->bytes <= a->offset_bytes);
        }
    }
}

/* What lies there when everything has run is what the context counts: what has entered and is held by nobody
 * has gone, unless a result lies in it. */
static void check_pool(const test_device *d, const map *m)
{
    uint64_t sum = 0;
    uint32_t last = m->steps[m->step_count - 1].segment;
    for (size_t i = 0; i < m->tensor_count; i++) {
        const sinter_tensor_memory *t = &m->tensors[i];
        bool is_gone = t->role == SINTER_MEMORY_ENTERED && t->tensor.id == 0;
        if (t->role <= SINTER_MEMORY_MADE && t->segment == last && !is_gone)
            sum += t->bytes;
    }
    assert_int_equal(sum, test_stats(d).pool_bytes);
}

static void run_program(const test_device *d, const char *text, const sinter_tensor *by_name,
                        map *m)
{
    sinter_program *program;
    sinter_tensor inputs[2];
    sinter_tensor results[8];
    OK(sinter_program_parse(text, strlen(text), &program, NULL));
    for (size_t i = 0; i < sinter_program_input_count(program); i++)
        inputs[i] = by_name[strcmp(sinter_program_input_name(program, i), "w") == 0];
    test_report_begin(d);
    OK(sinter_program_run(program, d->s, inputs, results, NULL));
    OK(sinter_stream_sync(d->s));
    read_map(d, m);
    check_pool(d, m);
    for (size_t i = 0; i < sinter_program_result_count(program); i++) {
        bool found = false;
        for (size_t k = 0; k < m->tensor_count; k++)
            found |= m->tensors[k].tensor.id == results[i].id;
        /* a view of what entered has no place of its own */
        assert_true(found || strcmp(sinter_program_result_name(program, i), "v") == 0);
        test_release(d, results[i]);
    }
    sinter_program_destroy(program);
}

/* The planner's requests and the profile of the launches are made from different parts of a plan, and
 * agree at every step of every program. */
static void steps_and_places_agree(void **state)
{
    (void)state;
    map m;
    for (uint32_t switches = 0; switches <= 1; switches++) {
        sinter_context_options o = SINTER_CONTEXT_OPTIONS_INIT;
        o.switches = switches * SINTER_NO_FUSE;
        test_device d = test_open(&o);
        const sinter_tensor inputs[] = {test_floats(&d, 2, shape, NULL),
                                        test_floats(&d, 2, shape, NULL)};
        for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
            for (int again = 0; again < 2; again++) {
                run_program(&d, programs[i], inputs, &m);
                check_steps(&m);
                check_places(&m);
            }
        }
        test_release(&d, inputs[0]);
        test_release(&d, inputs[1]);
        test_close(&d);
    }
}

/* Parameters of three sizes, each replaced by a result that takes its storage over. */
static void a_list_of_groups_is_one_step(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    map m;
    sinter_tensor p[3];
    sinter_tensor g[3];
    sinter_sgd_options o = SINTER_SGD_OPTIONS_INIT;
    for (int64_t i = 0; i < 3; i++) {
        const int64_t extent[] = {1024 * (i + 1)};
        p[i] = test_floats(&d, 1, extent, NULL);
        g[i] = test_floats(&d, 1, extent, NULL);
    }
    test_report_begin(&d);
    OK(sinter_sgd(d.s, 3, p, g, NULL, &o));
    OK(sinter_stream_sync(d.s));
    read_map(&d, &m);
    check_steps(&m);
    check_places(&m);
    check_pool(&d, &m);
    for (size_t i = 0; i < 3; i++) {
        test_release(&d, p[i]);
        test_release(&d, g[i]);
    }
    test_close(&d);
}

/* Three segments: what one makes enters another, or is held meanwhile. */
static void segments_follow_each_other(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    map m;
    sinter_tensor x = test_floats(&d, 2, shape, NULL);
    sinter_tensor y;
    sinter_tensor z;
    uint32_t roles[3] = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
    test_report_begin(&d);
    OK(sinter_exp(d.s, x, &y));
    OK(sinter_stream_flush(d.s));
    OK(sinter_neg(d.s, x, &z));
    OK(sinter_stream_flush(d.s));
    test_release(&d, z);
    OK(sinter_neg(d.s, y, &z));
    OK(sinter_stream_sync(d.s));
    read_map(&d, &m);
    for (size_t i = 0; i < m.tensor_count; i++) {
        if (m.tensors[i].tensor.id == y.id)
            roles[m.tensors[i].segment - 1] = m.tensors[i].role;
    }
    assert_int_equal(roles[0], SINTER_MEMORY_MADE);
    assert_int_equal(roles[1], SINTER_MEMORY_HELD);
    assert_int_equal(roles[2], SINTER_MEMORY_ENTERED);
    check_places(&m);
    test_release(&d, x);
    test_release(&d, y);
    test_release(&d, z);
    test_close(&d);
}

static void wrong_arguments(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    sinter_memory_visitor v = {.size = sizeof v};
    FAILS(SINTER_EINVAL, sinter_report_memory(d.s, &v, NULL)); /* no report */
    test_report_begin(&d);
    OK(sinter_report_memory(d.s, &v, NULL));
    FAILS(SINTER_EINVAL, sinter_report_memory(NULL, &v, NULL));
    FAILS(SINTER_EINVAL, sinter_report_memory(d.s, NULL, NULL));
    v.size--;
    FAILS(SINTER_EINVAL, sinter_report_memory(d.s, &v, NULL));
    test_close(&d);
}

int main(void)
{
    int skips = test_skips_unless_plain();
    if (skips != 0)
        return skips;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_saves_what_lies_between),
        cmocka_unit_test(steps_and_places_agree),
        cmocka_unit_test(a_list_of_groups_is_one_step),
        cmocka_unit_test(segments_follow_each_other),
        cmocka_unit_test(wrong_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
