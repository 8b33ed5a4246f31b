/* Every context of every test ends with nothing held: no tensor, no alias, no pending free, no
 * storage, pools that are whole and given back, and, when it was the last, no OpenCL object; and in
 * builds for debugging no operation was taken for one that it was not. The linker puts the function
 * below in the place of sinter_context_destroy (--wrap, tests/CMakeLists.txt). */
#include "fusion/queue/queue.h"
#include "support/cl_layer.h"
#include "support/support.h"

#include <stdatomic.h>
#include <stdio.h>

static atomic_bool may_have_tensors;

void test_leaves_tensors(void)
{
    atomic_store(&may_have_tensors, true);
}

/* A number that is to be 0. */
typedef struct expected {
    const char *what;
    uint64_t found;
} expected;

static const char *first_of(const expected *all, size_t count)
{
    static char text[128];
    for (size_t i = 0; i < count; i++) {
        if (all[i].found == 0)
            continue;
        (void)snprintf(text, sizeof text, "%llu %s are left", (unsigned long long)all[i].found,
                       all[i].what);
        return text;
    }
    return NULL;
}

/* Known to builds for debugging alone. */
static uint64_t strays(void)
{
#ifndef NDEBUG
    return atomic_load(&sinter__queue_strays);
#else
    return 0;
#endif
}

const char *test_leaks(sinter_context *ctx)
{
    sinter_held held = SINTER_HELD_INIT;
    sinter_stats stats = SINTER_STATS_INIT;
    OK(sinter_context_held(ctx, &held, NULL, NULL));
    OK(sinter_context_stats(ctx, &stats));
    const expected all[] = {
        {"pending frees", held.pending_frees},
        {"aliases", held.aliases},
        {"tensors", held.tensors},
        {"storages", held.storages},
        {"bytes in pools", stats.pool_bytes},
        {"slabs", stats.pool_slabs},
        {"bytes of device memory", stats.cl_allocated_bytes},
        {"steps of queues that were not those that they were taken for", strays()},
    };
    size_t count = sizeof all / sizeof all[0];
    return first_of(all, held.tensors > 0 && atomic_load(&may_have_tensors) ? 2 : count);
}

sinter_status real_context_destroy(sinter_context *ctx) __asm__("__real_sinter_context_destroy");
sinter_status checked_context_destroy(sinter_context *ctx) __asm__("__wrap_sinter_context_destroy");

sinter_status checked_context_destroy(sinter_context *ctx)
{
    sinter_held held = SINTER_HELD_INIT;
    if (ctx != NULL)
        OK(sinter_context_held(ctx, &held, NULL, NULL));
    const char *left = ctx != NULL && held.streams == 0 ? test_leaks(ctx) : NULL;
    if (left != NULL)
        fail_msg("a context is to end, and %s", left);
    sinter_status status = real_context_destroy(ctx);
    const cl_layer *layer = test_cl_layer();
    if (layer != NULL && layer->contexts() == 0 && layer->live() > 0)
        fail_msg("the last context has gone, and %llu OpenCL objects are left",
                 (unsigned long long)layer->live());
    if (layer != NULL && layer->undeclared() > 0)
        fail_msg("a kernel calls a function that cl_kernels/declared.cl lacks");
    if (status == SINTER_OK)
        atomic_store(&may_have_tensors, false);
    return status;
}
