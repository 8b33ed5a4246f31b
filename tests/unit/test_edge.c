/* Edges between streams, on a backend whose marks are done when the test says so. */
#include "support/support.h"

#include "executor/context/context.h"

#include <stdlib.h>

#define OTHERS 64

static bool is_done[3 + OTHERS]; /* by the order in which marks were made */
static size_t made;

static sinter_status make(void *state, void *queue, void **out)
{
    (void)state;
    (void)queue;
    *out = &is_done[made++];
    return SINTER_OK;
}

static sinter_status ask(void *state, void *mark, bool *done)
{
    (void)state;
    *done = *(bool *)mark;
    return SINTER_OK;
}

static void let_go(void *state, void *mark)
{
    (void)state;
    (void)mark;
}

static sinter_status follow(void *state, void *queue, void *mark)
{
    (void)state;
    (void)queue;
    (void)mark;
    return SINTER_OK;
}

typedef struct world {
    sinter_context ctx;
    sinter__backend backend;
    sinter__opened on;
    sinter_stream user, between, home, others[OTHERS];
} world;

static void begin(world *w, sinter_stream *s)
{
    s->ctx = &w->ctx;
    s->on = &w->on;
    s->progress.launched = 1;
}

static world *open_world(void)
{
    world *w = calloc(1, sizeof *w);
    assert_non_null(w);
    made = 0;
    sinter__allocator_init(&w->ctx.allocator, NULL, NULL);
    w->backend =
        (sinter__backend){.mark = make, .mark_done = ask, .mark_release = let_go, .follow = follow};
    w->on.allocator = &w->ctx.allocator;
    w->on.backend = &w->backend;
    begin(w, &w->user);
    begin(w, &w->between);
    begin(w, &w->home);
    for (int i = 0; i < OTHERS; i++)
        begin(w, &w->others[i]);
    return w;
}

static void end(world *w, sinter_stream *s)
{
    sinter__edges_settle(s, NULL);
    sinter__free(&w->ctx.allocator, s->order.follows,
                 s->order.follow_capacity * sizeof *s->order.follows);
}

static void close_world(world *w)
{
    end(w, &w->user);
    end(w, &w->between);
    end(w, &w->home);
    for (int i = 0; i < OTHERS; i++)
        end(w, &w->others[i]);
    assert_int_equal(w->ctx.allocator.live_bytes, 0);
    free(w);
}

static void follow_stream(sinter_stream *user, sinter_stream *home)
{
    sinter__mark *mark = sinter__edge_mark(home);
    assert_non_null(mark);
    OK(sinter__edge_follow(user, mark));
    sinter__mark_release(mark);
}

static bool sees_a_failure(world *w, const sinter_stream *s)
{
    sinter__failure *found = sinter__edges_failure(s);
    sinter__failure_release(&w->ctx.allocator, found);
    return found != NULL;
}

static void fail_in(world *w, sinter_stream *s)
{
    sinter__failure *failure = sinter__failure_create(&w->ctx.allocator, SINTER_EDEVICE);
    sinter__edges_settle(s, failure);
    sinter__failure_release(&w->ctx.allocator, failure);
}

/* Room for more is made of what is over. */
static void what_is_over_goes(void **state)
{
    (void)state;
    world *w = open_world();
    for (int i = 0; i < OTHERS; i++) {
        follow_stream(&w->user, &w->others[i]);
        is_done[made - 1] = i % 8 != 0;
    }
    assert_true(w->user.order.follow_count < OTHERS / 2);
    assert_false(sees_a_failure(w, &w->user));
    fail_in(w, &w->others[OTHERS - 8]); /* not over when there was no room any more */
    assert_true(sees_a_failure(w, &w->user));
    close_world(w);
}

/* The user follows home's first launch itself, and its second through another stream: that the first is done
 * says nothing of the second. */
static void what_others_depend_on_stays(void **state)
{
    (void)state;
    world *w = open_world();
    follow_stream(&w->user, &w->home);
    bool *first = &is_done[made - 1];
    w->home.progress.launched++;
    follow_stream(&w->between, &w->home);
    w->between.progress.launched++;
    follow_stream(&w->user, &w->between);
    *first = true;
    for (int i = 0; i < OTHERS; i++)
        follow_stream(&w->user, &w->others[i]);
    fail_in(w, &w->home);
    assert_true(sees_a_failure(w, &w->user));
    close_world(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_over_goes),
        cmocka_unit_test(what_others_depend_on_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
