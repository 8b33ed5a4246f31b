/* Host memory runs out: every allocation of every scene is made to fail, once alone and once with
 * all that follow. The status is clean, nothing leaks, and the stream works as soon as there is
 * memory again.
 *
 *   test_host_faults [STEP]   every STEP-th allocation only */
#include "fault/scene.h"

#include <stdlib.h>

static uint64_t step = 1;

/* Memory is back: what failed once has not hurt the stream. */
static void memory_is_back(scene *x)
{
    x->memory.nth = UINT64_MAX;
    x->memory.persistent = false;
    if (x->s == NULL)
        return;
    const int64_t shape[] = {8};
    sinter_tensor a;
    sinter_tensor b;
    float in[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    float out[8];
    sinter_status status = sinter_stream_sync(x->s);
    (void)scene_did(x, status);
    OK(sinter_stream_sync(x->s)); /* a failure is reported once */
    OK(sinter_tensor_from_host(x->s, SINTER_F32, 1, shape, in, &a));
    OK(sinter_mul(x->s, a, a, &b));
    OK(sinter_tensor_release(x->s, a));
    OK(sinter_tensor_read(x->s, b, out, sizeof out));
    for (int i = 0; i < 8; i++)
        assert_true(out[i] == in[i] * in[i]);
    OK(sinter_tensor_release(x->s, b));
}

/* Fails allocation `nth`; returns whether the play got as far. */
static bool play_failing(const scene_entry *e, uint64_t nth, bool persistent, uint64_t truth)
{
    scene x;
    scene_init(&x, NULL);
    x.memory.nth = nth;
    x.memory.persistent = persistent;
    bool fine = scene_play(&x, e->play, memory_is_back);
    if (x.memory.failed > 0 && !fine && x.first != SINTER_ENOMEM && x.first != SINTER_EDEVMEM)
        fail_msg("%s, allocation %llu: %s: %s", e->name, (unsigned long long)nth,
                 sinter_status_name(x.first), x.message);
    if (fine && x.digest != truth)
        fail_msg("%s, allocation %llu: other values", e->name, (unsigned long long)nth);
    return x.memory.failed > 0;
}

static void every_allocation_fails(void **state)
{
    scene_sweep(*state, step, play_failing);
}

int main(int argc, char **argv)
{
    struct CMUnitTest tests[32];
    test_promise_pause(); /* allocations are counted until one fails */
    if (argc > 1)
        step = strtoull(argv[1], NULL, 10);
    assert_true(scene_count <= 32 && step > 0);
    for (size_t i = 0; i < scene_count; i++)
        tests[i] = (struct CMUnitTest){scenes[i].name, every_allocation_fails, NULL, NULL,
                                       (void *)(uintptr_t)&scenes[i]};
    return _cmocka_run_group_tests("host memory", tests, scene_count, NULL, NULL);
}
