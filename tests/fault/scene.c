#include "fault/scene.h"

#include "executor/context/context.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FLOATS 8192

static void hear_nothing(void *user, const sinter_trace_event *event)
{
    (void)user;
    assert_true(event->start_ns <= event->end_ns);
}

/* Of the device of the environment: each launch that comes again is recorded. For the process. */
static const sinter_profile *that_records(void)
{
    static sinter_profile *p;
    if (p == NULL) {
        p = test_profile(NULL, NULL);
        test_profile_set(p, "record_from", 1);
        test_profile_set(p, "record_after", 1);
    }
    return p;
}

void scene_init(scene *x, const char *selector)
{
    const char *modes = getenv("SINTER_TEST_CL");
    const sinter_context_options defaults = SINTER_CONTEXT_OPTIONS_INIT;
    *x = (scene){
        .options = defaults, .memory = {.nth = UINT64_MAX}, .digest = 14695981039346656037u};
    x->options.device = selector;
    x->options.realloc_fn = test_count_memory;
    if (getenv("SINTER_TEST_TRACE") != NULL)
        x->options.trace_fn = hear_nothing;
    if (selector == NULL && modes != NULL && strstr(modes, "records") != NULL)
        x->options.profile = that_records();
}

bool scene_did(scene *x, sinter_status status)
{
    if (status == SINTER_OK)
        return true;
    const char *text = sinter_last_error();
    assert_true(text[0] != '\0');
    assert_null(strchr(text, '\n'));
    assert_true(status >= SINTER_EINTERNAL && status < SINTER_OK);
    assert_int_not_equal(status, SINTER_EINTERNAL);
    if (x->first == SINTER_OK) {
        x->first = status;
        (void)snprintf(x->message, sizeof x->message, "%s", text);
    }
    return false;
}

bool scene_hold(scene *x, sinter_status status, const sinter_tensor *t)
{
    if (!scene_did(x, status)) {
        assert_true(t->id == 0);
        return false;
    }
    assert_true(x->held_count < SCENE_TENSORS);
    x->held[x->held_count++] = *t;
    return true;
}

void scene_drop(scene *x, sinter_stream *s, sinter_tensor t)
{
    for (size_t i = 0; i < x->held_count; i++) {
        if (x->held[i].id != t.id)
            continue;
        x->held[i] = x->held[--x->held_count];
        OK(sinter_tensor_release(s, t));
        return;
    }
    fail_msg("a scene drops what it does not hold");
}

bool scene_upload(scene *x, sinter_stream *s, int rank, const int64_t *shape, unsigned seed,
                  sinter_tensor *out)
{
    static float data[MAX_FLOATS];
    size_t count = 1;
    for (int i = 0; i < rank; i++)
        count *= (size_t)shape[i];
    assert_true(count <= MAX_FLOATS);
    for (size_t i = 0; i < count; i++)
        data[i] = (float)((i * 37 + seed * 101) % 257) * 0.0078125f - 1.0f;
    return scene_hold(x, sinter_tensor_from_host(s, SINTER_F32, rank, shape, data, out), out);
}

bool scene_read(scene *x, sinter_stream *s, sinter_tensor t, size_t count)
{
    static float data[MAX_FLOATS];
    assert_true(count <= MAX_FLOATS);
    if (!scene_did(x, sinter_tensor_read(s, t, data, count * sizeof *data)))
        return false;
    const unsigned char *bytes = (const unsigned char *)data;
    for (size_t i = 0; i < count * sizeof *data; i++)
        x->digest = (x->digest ^ bytes[i]) * 1099511628211u;
    x->reads++;
    return true;
}

/* Whatever has failed: tensors can be released, streams and contexts can be ended. */
static void end(scene *x)
{
    while (x->held_count > 0)
        OK(sinter_tensor_release(x->s, x->held[--x->held_count]));
    sinter_stats stats = SINTER_STATS_INIT;
    if (x->ctx != NULL) {
        OK(sinter_context_stats(x->ctx, &stats));
        assert_int_equal(stats.live_tensors, 0);
    }
    for (size_t i = SCENE_STREAMS; i-- > 0;) {
        if (x->streams[i] != NULL)
            (void)scene_did(x, sinter_stream_destroy(x->streams[i]));
        x->streams[i] = NULL;
    }
    OK(sinter_context_destroy(x->ctx));
    x->ctx = NULL;
    x->s = NULL;
}

bool scene_play(scene *x, scene_fn play, void (*after)(scene *x))
{
    x->options.realloc_user = &x->memory;
    for (size_t i = 0; i < scene_count; i++) {
        if (scenes[i].play == play)
            x->options.budget_bytes = scenes[i].budget_bytes;
    }
    if (scene_did(x, sinter_context_create(&x->options, &x->ctx))) {
        for (uint32_t i = 0; i < x->ctx->device_count; i++) /* scenes' memory is small */
            x->ctx->devices[i].memory.large_pages_from = 1;
        if (scene_did(x, sinter_stream_create(x->ctx, NULL, &x->streams[0])))
            x->s = x->streams[0];
        else
            assert_null(x->streams[0]);
    } else {
        assert_null(x->ctx);
    }
    if (x->s != NULL)
        play(x);
    if (after != NULL)
        after(x);
    end(x);
    assert_int_equal(x->memory.live_bytes, 0);
    return x->first == SINTER_OK;
}

uint64_t scene_truth(scene_fn play)
{
    scene x;
    scene_init(&x, "host");
    if (!scene_play(&x, play, NULL))
        fail_msg("%s", x.message);
    assert_true(x.reads > 0);
    return x.digest;
}

void scene_sweep(const scene_entry *e, uint64_t step, scene_failing *play)
{
    uint64_t truth = scene_truth(e->play);
    uint64_t faults = 0;
    for (int persistent = 0; persistent < 2; persistent++) {
        if (getenv("SINTER_CACHE_DIR") != NULL) /* with the program cache: empty at first */
            OK(sinter_cache_clear(NULL));
        for (uint64_t nth = 0; play(e, nth, persistent == 1, truth); nth += step)
            faults++;
    }
    print_message("%s: %llu faults\n", e->name, (unsigned long long)faults);
    assert_true(faults > 40 / step);
}
