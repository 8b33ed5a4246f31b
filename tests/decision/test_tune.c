/* A stored schedule can only win by measurement. Times are played: the job looks at the kernel that it
 * ran by, and sleeps unless that one is to be quick. So it is known which schedule has to be found,
 * whatever the machine. */
#include "support/support.h"

#include "executor/context/context.h"
#include "executor/run/instance.h"
#include "support/cl_layer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ELEMENTS 256 /* so few that most numbers change no schedule */
#define SLOW_MS 21   /* against the microseconds of the kernel; from 20 on a turn is a single run */
#define IN_FOURS "sn_store_f32x4(" /* kernels of 4 lanes have it */
#define IN_EIGHTS "sn_store_f32x8("
#define LAST "what was found"

/* What is played, and what was seen. */
typedef struct play {
    const char *quick;   /* kernels with this text take no time */
    int at_first;        /* so many such openings only are quick; 0: all */
    const char *wrong;   /* those with this one give other numbers */
    int last_ms;         /* each run of the last comparison takes so long; 0: as before */
    bool ends_after_win; /* tick ends the search when it tries something else than what has won */
    int ends_last;       /* or when so many runs were made of the last comparison; 0: not */
    int quick_opens;     /* openings that were quick */
    bool won;            /* something else was opened after two of these */
    bool is_last, is_ended; /* the last comparison; what tick said */
    int last_runs, runs_after_end;
    char refused[200]; /* the line about what was refused */
    bool fails_silently;
    bool reopens_badly; /* the first opening behind a quick one fails */
} play;

typedef struct opened {
    sinter_tensor x;
    bool known, quick, wrong; /* what its kernel has been found to be */
} opened;

static float values[ELEMENTS];

static sinter_status job_open(void *user, sinter_context *ctx, sinter_stream *s, void **state)
{
    play *p = user;
    (void)ctx;
    const int64_t shape[] = {ELEMENTS};
    opened *o = calloc(1, sizeof *o);
    *state = o;
    assert_non_null(o);
    if (p->reopens_badly && p->quick_opens > 0) {
        p->reopens_badly = false;
        return SINTER_EIO;
    }
    test_fill(values, ELEMENTS);
    return sinter_tensor_from_host(s, SINTER_F32, 1, shape, values, &o->x);
}

typedef struct sought {
    const char *text;
    bool found;
} sought;

static void look(void *user, const sinter__instance *in)
{
    sought *w = user;
    const sinter__launch *l = in->is_bound ? sinter__instance_launch(in, 0, 0) : NULL;
    if (l != NULL && l->kernel != NULL)
        w->found |= strstr(sinter__buffer_text(&l->kernel->text.source), w->text) != NULL;
}

static bool kernels_have(const sinter_stream *s, const char *text)
{
    sought w = {.text = text};
    if (text != NULL)
        sinter__instances_visit(s, look, &w);
    return w.found;
}

static void take_time(const play *p, const opened *o)
{
    const bool is_level = p->is_last && p->last_ms > 0;
    const int ms = is_level ? p->last_ms : o->quick ? 0 : SLOW_MS;
    const struct timespec time = {.tv_nsec = ms * 1000000L};
    if (ms > 0)
        (void)nanosleep(&time, NULL);
}

/* By the kernels of its first run. */
static void know(play *p, opened *o, const sinter_stream *s)
{
    if (o->known)
        return;
    o->known = true;
    o->wrong = kernels_have(s, p->wrong);
    o->quick = kernels_have(s, p->quick) && (p->at_first == 0 || p->quick_opens < p->at_first);
    p->won |= !o->quick && p->quick_opens >= 2;
    p->quick_opens += o->quick;
}

/* |3 x + 1| */
static sinter_status job_run(void *user, void *state, sinter_stream *s, sinter_tensor *results,
                             size_t room, size_t *count)
{
    play *p = user;
    opened *o = state;
    const int64_t shape[] = {ELEMENTS};
    sinter_tensor scaled;
    sinter_tensor moved;
    (void)room;
    p->last_runs += p->is_last;
    p->runs_after_end += p->is_ended;
    OK(sinter_mul_scalar(s, o->x, 3, &scaled));
    OK(sinter_add_scalar(s, scaled, 1, &moved));
    OK(sinter_abs(s, moved, &results[0]));
    OK(sinter_tensor_release(s, scaled));
    OK(sinter_tensor_release(s, moved));
    OK(sinter_stream_sync(s));
    know(p, o, s);
    take_time(p, o);
    if (o->wrong) {
        OK(sinter_tensor_release(s, results[0]));
        OK(sinter_tensor_from_host(s, SINTER_F32, 1, shape, values, &results[0]));
    }
    *count = 1;
    return SINTER_OK;
}

/* Says more results than there is room for. */
static sinter_status job_boasts(void *user, void *state, sinter_stream *s, sinter_tensor *results,
                                size_t room, size_t *count)
{
    sinter_status status = job_run(user, state, s, results, room, count);
    *count = room + 1000000;
    return status;
}

static void job_close(void *user, void *state, sinter_stream *s)
{
    (void)user;
    opened *o = state;
    OK(sinter_tensor_release(s, o->x));
    free(o);
}

static bool tick(void *user, double done, const char *what)
{
    play *p = user;
    (void)done;
    assert_false(p->is_ended); /* nobody is asked again */
    p->is_last = strcmp(what, LAST) == 0;
    p->is_ended =
        (p->ends_after_win && p->won) || (p->ends_last > 0 && p->last_runs >= p->ends_last);
    return !p->is_ended;
}

static void note(void *user, const char *line)
{
    play *p = user;
    if (strstr(line, "refused") != NULL)
        (void)snprintf(p->refused, sizeof p->refused, "%s", line);
}

static sinter_tune_result tune(sinter_profile *profile, play *p, double seconds)
{
    sinter_measure_options o = SINTER_MEASURE_OPTIONS_INIT;
    sinter_tune_result r = SINTER_TUNE_RESULT_INIT;
    const sinter_job job = {.size = sizeof job,
                            .name = "played",
                            .open = job_open,
                            .run = job_run,
                            .close = job_close,
                            .user = p};
    o.seconds = seconds;
    o.tick = tick;
    o.note = note;
    o.user = p;
    OK(sinter_profile_tune(profile, &job, &o, &r));
    assert_int_equal(p->runs_after_end, 0);
    return r;
}

/* Of the device under test, by which elements are computed one by one. */
static sinter_profile *narrow_profile(void)
{
    sinter_profile *p = test_profile(NULL, NULL);
    test_profile_set(p, "map_lanes", 1);
    return p;
}

static test_text text_of(const sinter_profile *p)
{
    test_text t = {.bytes = 0};
    OK(sinter_profile_write(p, test_text_add, &t));
    return t;
}

/* The device's number is what it was, and its only kernel has the other. */
static void has_kernel(const sinter_profile *p, const char *line)
{
    const test_text t = text_of(p);
    assert_int_equal(test_profile_number(p, "map_lanes"), 1);
    assert_int_equal(test_occurrences(t.data, "\n[kernel 0x"), 1);
    const char *kernel = strstr(t.data, "\n[kernel 0x");
    assert_non_null(strstr(kernel, "label = \"mul_add_abs, 256 elements\"\n"));
    assert_int_equal(test_occurrences(kernel, "map_lanes"), 1);
    if (strstr(kernel, line) == NULL)
        fail_msg("no '%s' in %s", line, kernel);
}

/* What a context that is given no profile runs by, and its numbers. */
static void next_context_has(const char *text)
{
    static float found[ELEMENTS];
    const int64_t shape[] = {ELEMENTS};
    test_device d = test_open(NULL);
    play p = {.quick = text};
    opened o = {.x = test_floats(&d, 1, shape, values)};
    sinter_tensor y;
    size_t count = 0;
    OK(job_run(&p, &o, d.s, &y, 1, &count));
    assert_true(o.quick);
    assert_int_equal(test_stats(&d).fallbacks, 0);
    test_read(&d, y, found, ELEMENTS);
    for (int i = 0; i < ELEMENTS; i++) {
        const float wanted = 3 * values[i] + 1;
        assert_true(found[i] == (wanted < 0 ? -wanted : wanted));
    }
    test_release(&d, y);
    test_release(&d, o.x);
    test_close(&d);
}

static void save_and_run(sinter_profile *p, const char *text)
{
    char folder[] = "/tmp/sinter_tune_XXXXXX";
    char command[64];
    assert_non_null(mkdtemp(folder));
    assert_int_equal(setenv("SINTER_CACHE_DIR", folder, 1), 0);
    OK(sinter_profile_save(p));
    assert_int_equal(unsetenv("SINTER_PROFILE"), 0);
    next_context_has(text);
    assert_int_equal(setenv("SINTER_PROFILE", "none", 1), 0);
    assert_int_equal(unsetenv("SINTER_CACHE_DIR"), 0);
    (void)snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
}

static sinter_status job_fails(void *user, void *state, sinter_stream *s, sinter_tensor *results,
                               size_t room, size_t *count)
{
    (void)room;
    *count = 0;
    return ((play *)user)->fails_silently
               ? SINTER_EIO
               : sinter_sum(s, ((opened *)state)->x, 1, &(int){7}, 0, results);
}

/* With the text of what failed, or, if the job has none, with its status. */
static void a_job_that_fails(void **state)
{
    (void)state;
    sinter_profile *profile = narrow_profile();
    for (int silent = 0; silent < 2; silent++) {
        play p = {.fails_silently = silent != 0};
        sinter_tune_result r = SINTER_TUNE_RESULT_INIT;
        const sinter_job job = {
            .size = sizeof job, .open = job_open, .run = job_fails, .close = job_close, .user = &p};
        FAILS(silent ? SINTER_EIO : SINTER_ERANGE, sinter_profile_tune(profile, &job, NULL, &r));
        assert_string_equal(sinter_last_error(),
                            silent ? "profile_tune: the job gave EIO"
                                   : "profile_tune: sum: axis 7 is out of range for rank 1");
    }
    sinter_profile_destroy(profile);
}

static void more_results_than_there_is_room_for(void **state)
{
    (void)state;
    play p = {.quick = NULL};
    sinter_profile *profile = narrow_profile();
    sinter_tune_result r = SINTER_TUNE_RESULT_INIT;
    const sinter_job job = {
        .size = sizeof job, .open = job_open, .run = job_boasts, .close = job_close, .user = &p};
    FAILS(SINTER_ERANGE, sinter_profile_tune(profile, &job, NULL, &r));
    assert_string_equal(sinter_last_error(),
                        "profile_tune: the job has 1000016 results, and room for 16");
    sinter_profile_destroy(profile);
}

static void what_is_faster_is_stored(void **state)
{
    (void)state;
    sinter_profile *p = narrow_profile();
    play played = {.quick = IN_FOURS};
    sinter_tune_result r = tune(p, &played, 600);
    assert_int_equal(r.kernels, 1);
    assert_int_equal(r.tuned, 1);
    assert_int_equal(r.regrouped, 0);
    assert_int_equal(r.wrong, 0);
    assert_int_equal(r.refused, 0);
    assert_true(r.tried >= 5); /* numbers of lanes at least */
    assert_true(r.default_ns >= SLOW_MS * 1000000u && r.tuned_ns < r.default_ns);
    has_kernel(p, "map_lanes = 4 ");
    save_and_run(p, IN_FOURS);
    sinter_profile_destroy(p);
}

/* All are tried, and none is faster. One was, until it was measured in memory taken anew: it won by
 * where its memory lay. */
static void what_is_as_fast_is_not(void **state)
{
    (void)state;
    sinter_profile *p = narrow_profile();
    const test_text before = text_of(p);
    play played = {.quick = IN_FOURS, .at_first = 1};
    sinter_tune_result r = tune(p, &played, 600);
    const test_text after = text_of(p);
    assert_int_equal(played.quick_opens, 1);
    assert_true(r.tried >= 5);
    assert_int_equal(r.tuned, 0);
    assert_int_equal(r.regrouped, 0);
    assert_true(r.default_ns >= SLOW_MS * 1000000u && r.tuned_ns == r.default_ns);
    assert_string_equal(before.data, after.data);
    sinter_profile_destroy(p);
}

/* What is the best was to be timed once more, could not be opened, and was when it was asked again: the search goes on, and
 * what had won once is not known to be faster. */
static void what_cannot_be_opened_again_ends_no_search(void **state)
{
    (void)state;
    sinter_profile *p = narrow_profile();
    const test_text before = text_of(p);
    play played = {.quick = IN_FOURS, .reopens_badly = true};
    sinter_tune_result r = tune(p, &played, 600);
    const test_text after = text_of(p);
    assert_false(played.reopens_badly);
    assert_true(r.tried >= 5);
    assert_int_equal(r.tuned, 0);
    assert_int_equal(r.wrong, 0);
    assert_true(r.default_ns >= SLOW_MS * 1000000u && r.tuned_ns == r.default_ns);
    assert_string_equal(before.data, after.data);
    sinter_profile_destroy(p);
}

/* It has won twice, and not against what was there when all is compared once more. */
static void what_loses_in_the_end_is_not(void **state)
{
    (void)state;
    sinter_profile *p = narrow_profile();
    const test_text before = text_of(p);
    play played = {.quick = IN_FOURS, .last_ms = SLOW_MS};
    sinter_tune_result r = tune(p, &played, 600);
    const test_text after = text_of(p);
    assert_true(played.quick_opens >= 2);
    assert_int_equal(r.tuned, 0);
    assert_true(r.tuned_ns == r.default_ns);
    assert_string_equal(before.data, after.data);
    sinter_profile_destroy(p);
}

/* What gives other bits is counted, and is not taken however fast it is. */
static void what_is_wrong_is_not(void **state)
{
    (void)state;
    sinter_profile *p = narrow_profile();
    const test_text before = text_of(p);
    play played = {.quick = IN_FOURS, .wrong = IN_FOURS};
    sinter_tune_result r = tune(p, &played, 600);
    const test_text after = text_of(p);
    assert_int_equal(played.quick_opens, 1);
    assert_int_equal(r.wrong, 1);
    assert_int_equal(r.tuned, 0);
    assert_string_equal(before.data, after.data);
    sinter_profile_destroy(p);
}

/* A driver that builds no kernel of 8 lanes: they are passed over, and what comes after them is tried
 * and found. */
static void what_the_driver_refuses_is_passed_over(void **state)
{
    (void)state;
    const cl_layer *layer = test_cl_layer();
    sinter_profile *p = narrow_profile();
    play played = {.quick = IN_FOURS};
    assert_non_null(layer);
    layer->refuse(IN_EIGHTS, IN_EIGHTS);
    sinter_tune_result r = tune(p, &played, 600);
    layer->arm(0, 0, 0);
    assert_true(r.refused >= 1 && r.refused < r.tried);
    assert_non_null(strstr(played.refused, "map_lanes = 8 is refused: a kernel did not run"));
    assert_int_equal(r.wrong, 0);
    assert_int_equal(r.tuned, 1);
    has_kernel(p, "map_lanes = 4 ");
    save_and_run(p, IN_FOURS);
    sinter_profile_destroy(p);
}

/* Interrupted, it keeps what has won until then, and nothing runs any more. */
static void an_interrupt_keeps_what_was_found(void **state)
{
    (void)state;
    sinter_profile *p = narrow_profile();
    play played = {.quick = IN_FOURS, .ends_after_win = true};
    sinter_tune_result r = tune(p, &played, 600);
    assert_true(played.is_ended && !played.is_last);
    assert_int_equal(r.tuned, 1);
    assert_int_equal(r.default_ns, 0);
    assert_int_equal(r.tuned_ns, 0);
    has_kernel(p, "map_lanes = 4 ");
    save_and_run(p, IN_FOURS);
    sinter_profile_destroy(p);
}

/* Also when all is compared once more, before there are turns enough to tell. */
static void an_interrupt_ends_the_last_comparison(void **state)
{
    (void)state;
    sinter_profile *p = narrow_profile();
    /* longer than the watch waits before it asks again */
    play played = {.quick = IN_FOURS, .last_ms = 120, .ends_last = 2 + 3};
    sinter_tune_result r = tune(p, &played, 600);
    assert_true(played.is_ended && played.is_last);
    assert_in_range(played.last_runs, 5, 6);
    assert_int_equal(r.tuned, 1);
    assert_int_equal(r.default_ns, 0);
    has_kernel(p, "map_lanes = 4 ");
    sinter_profile_destroy(p);
}

/* With as many, what they tell holds. */
static void an_interrupt_leaves_what_was_told(void **state)
{
    (void)state;
    sinter_profile *p = narrow_profile();
    const test_text before = text_of(p);
    play played = {.quick = IN_FOURS, .last_ms = 120, .ends_last = 2 + 12};
    sinter_tune_result r = tune(p, &played, 600);
    const test_text after = text_of(p);
    assert_true(played.is_ended && played.is_last);
    assert_int_equal(r.tuned, 0);
    assert_true(r.default_ns > 0 && r.tuned_ns == r.default_ns);
    assert_string_equal(before.data, after.data);
    sinter_profile_destroy(p);
}

/* The host reference device has no schedules to search: what is timed in the end has what is left of
 * the time. Of 21 runs of 0.1 s there are no more than fit into 0.5 s; on a machine that has other work
 * there are fewer. */
static void the_last_comparison_keeps_to_the_time(void **state)
{
    (void)state;
    sinter_profile *p = test_profile("host", NULL);
    play played = {.last_ms = 100};
    sinter_tune_result r = tune(p, &played, 0.5);
    assert_int_equal(r.kernels, 0);
    assert_int_equal(r.tuned, 0);
    assert_true(r.default_ns >= 100000000u);
    assert_in_range(played.last_runs, 1, 6);
    sinter_profile_destroy(p);
}

static void an_interrupt_ends_it_on_the_host(void **state)
{
    (void)state;
    sinter_profile *p = test_profile("host", NULL);
    play played = {.last_ms = 120, .ends_last = 1};
    (void)tune(p, &played, 600);
    assert_true(played.is_ended);
    assert_in_range(played.last_runs, 1, 2);
    sinter_profile_destroy(p);
}

int main(void)
{
    int skip = test_skips_unless_plain();
    if (skip != 0)
        return skip;
    const struct CMUnitTest host[] = {
        cmocka_unit_test(the_last_comparison_keeps_to_the_time),
        cmocka_unit_test(an_interrupt_ends_it_on_the_host),
    };
    const struct CMUnitTest driver[] = {
        cmocka_unit_test(a_job_that_fails),
        cmocka_unit_test(more_results_than_there_is_room_for),
        cmocka_unit_test(what_is_faster_is_stored),
        cmocka_unit_test(what_is_as_fast_is_not),
        cmocka_unit_test(what_cannot_be_opened_again_ends_no_search),
        cmocka_unit_test(what_loses_in_the_end_is_not),
        cmocka_unit_test(what_is_wrong_is_not),
        cmocka_unit_test(what_the_driver_refuses_is_passed_over),
        cmocka_unit_test(an_interrupt_keeps_what_was_found),
        cmocka_unit_test(an_interrupt_ends_the_last_comparison),
        cmocka_unit_test(an_interrupt_leaves_what_was_told),
    };
    const char *device = getenv("SINTER_DEVICE");
    if (device != NULL && strcmp(device, "host") == 0)
        return cmocka_run_group_tests_name("host", host, NULL, NULL);
    return cmocka_run_group_tests_name("driver", driver, NULL, NULL);
}
