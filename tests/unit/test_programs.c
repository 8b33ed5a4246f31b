/* The cache of compiled kernels, on a backend that compiles nothing: what is built once, and that
 * nobody waits for a build without one of his own. */
#include "support/support.h"

#include "executor/backend/program.h"

#include <stdio.h>
#include <string.h>

#define IDLE_BYTES ((size_t)16 << 10)

typedef struct fixture {
    sinter__allocator allocator;
    sinter__backend backend;
    sinter__log log;
    sinter__limits limits;
    sinter__programs programs;
    int builds;
    int held; /* builds during which the cache was locked */
    int programs_live;
} fixture;

static sinter_status build(void *state, const char *source, void **program, sinter__buffer *log)
{
    fixture *f = state;
    (void)log;
    assert_non_null(strstr(source, "kernel"));
    f->builds++;
    f->programs_live++;
    if (pthread_mutex_trylock(&f->programs.lock) != 0)
        f->held++;
    else
        (void)pthread_mutex_unlock(&f->programs.lock);
    *program = f;
    return SINTER_OK;
}

static void release(void *state, void *program)
{
    fixture *f = state;
    assert_ptr_equal(program, f);
    f->programs_live--;
}

static void start(fixture *f)
{
    *f = (fixture){.backend = {.program_build = build, .program_release = release},
                   .limits = {.max_group = 64}};
    f->programs.max_idle_bytes = IDLE_BYTES;
    sinter__allocator_init(&f->allocator, NULL, NULL);
    f->programs.allocator = &f->allocator;
    f->programs.backend = &f->backend;
    f->programs.state = f;
    f->programs.log = &f->log;
    OK(sinter__programs_init(&f->programs));
}

static void finish(fixture *f)
{
    sinter__programs_finish(&f->programs);
    assert_int_equal(f->programs_live, 0);
    assert_int_equal(f->allocator.live_bytes, 0);
}

/* Texts of one hash, so that only their bytes tell them apart. */
static void get(fixture *f, const char *const *sources, size_t count, sinter__kernel **out)
{
    sinter__kernel_text texts[4];
    sinter__buffer log;
    sinter__buffer_init(&log, &f->allocator);
    for (size_t i = 0; i < count; i++) {
        texts[i] = (sinter__kernel_text){.hash = 7};
        sinter__buffer_init(&texts[i].source, &f->allocator);
        sinter__buffer_init(&texts[i].needs, &f->allocator);
        sinter__buffer_puts(&texts[i].source, sources[i]);
    }
    OK(sinter__programs_get(&f->programs, &f->limits, texts, count, out, &log));
    for (size_t i = 0; i < count; i++)
        sinter__kernel_text_finish(&f->allocator, &texts[i]);
    sinter__buffer_finish(&log);
}

static void give(fixture *f, sinter__kernel **kernels, size_t count)
{
    for (size_t i = 0; i < count; i++)
        sinter__kernel_release(&f->programs, kernels[i]);
}

static void texts_are_told_apart_by_their_bytes(void **state)
{
    (void)state;
    const char *const sources[] = {"kernel a", "kernel b", "kernel a"};
    sinter__kernel *kernels[3];
    fixture f;
    start(&f);
    get(&f, sources, 3, kernels);
    assert_ptr_equal(kernels[0], kernels[2]);
    assert_ptr_not_equal(kernels[0], kernels[1]);
    assert_int_equal(f.builds, 1);
    give(&f, kernels, 3);
    finish(&f);
}

static void what_is_known_is_not_built_again(void **state)
{
    (void)state;
    const char *const sources[] = {"kernel a", "kernel b", "kernel b"};
    sinter__kernel *first[2];
    sinter__kernel *then[3];
    fixture f;
    start(&f);
    get(&f, sources, 1, first);
    get(&f, sources, 3, then);
    assert_int_equal(f.builds, 2);
    assert_ptr_equal(then[0], first[0]);
    assert_ptr_equal(then[1], then[2]);
    get(&f, sources + 1, 1, first + 1);
    assert_int_equal(f.builds, 2);
    assert_ptr_equal(first[1], then[1]);
    give(&f, first, 2);
    assert_int_equal(f.programs_live, 2);
    give(&f, then, 3);
    finish(&f);
}

/* What nobody holds is not built again, as long as it is among the last. */
static void what_was_given_back_stays_for_a_while(void **state)
{
    (void)state;
    enum { MANY = 100 };
    char text[32];
    const char *source = text;
    sinter__kernel *kernel;
    fixture f;
    start(&f);
    for (int i = 0; i < MANY; i++) {
        (void)snprintf(text, sizeof text, "kernel %d", i);
        get(&f, &source, 1, &kernel);
        give(&f, &kernel, 1);
        assert_true(f.programs.idle_bytes <= IDLE_BYTES);
        (void)snprintf(text, sizeof text, "kernel 0");
        get(&f, &source, 1, &kernel); /* used all the time, so never the oldest */
        give(&f, &kernel, 1);
    }
    assert_int_equal(f.builds, MANY);
    assert_true(f.programs_live > 2 && f.programs_live < MANY);
    int live = f.programs_live;
    (void)snprintf(text, sizeof text, "kernel %d", MANY - 2);
    get(&f, &source, 1, &kernel);
    assert_int_equal(f.builds, MANY);
    give(&f, &kernel, 1);
    (void)snprintf(text, sizeof text, "kernel 1");
    get(&f, &source, 1, &kernel);
    assert_int_equal(f.builds, MANY + 1);
    give(&f, &kernel, 1);
    assert_int_equal(f.programs_live, live);
    finish(&f);
}

/* A kernel too large to stay goes at once. */
static void nothing_stays_past_the_limit(void **state)
{
    (void)state;
    const char *const sources[] = {"kernel a"};
    sinter__kernel *kernels[1];
    fixture f;
    start(&f);
    f.programs.max_idle_bytes = 0;
    get(&f, sources, 1, kernels);
    give(&f, kernels, 1);
    assert_int_equal(f.programs_live, 0);
    finish(&f);
}

static void a_build_holds_up_nobody(void **state)
{
    (void)state;
    const char *const sources[] = {"kernel a"};
    sinter__kernel *kernels[1];
    fixture f;
    start(&f);
    get(&f, sources, 1, kernels);
    assert_int_equal(f.builds, 1);
    assert_int_equal(f.held, 0);
    give(&f, kernels, 1);
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_told_apart_by_their_bytes),
        cmocka_unit_test(what_is_known_is_not_built_again),
        cmocka_unit_test(what_was_given_back_stays_for_a_while),
        cmocka_unit_test(nothing_stays_past_the_limit),
        cmocka_unit_test(a_build_holds_up_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
