/* Taking the lock that guards a tensor, when its home is another stream or gone. */
#include "executor/context.h"

sinter_status sinter__home_lock(sinter_context *ctx, sinter_tensor t, sinter__slot **slot,
                                sinter_stream **home)
{
    (void)pthread_mutex_lock(&ctx->lock);
    sinter_status status = sinter__slot_find(ctx, t, slot);
    *home = status == SINTER_OK ? atomic_load(&(*slot)->home) : NULL;
    if (status != SINTER_OK || *home == NULL) {
        if (status != SINTER_OK)
            (void)pthread_mutex_unlock(&ctx->lock);
        return status; /* a slot without a home is guarded by the context's lock, which stays held
                        */
    }
    (*home)->users++;
    (void)pthread_mutex_unlock(&ctx->lock);
    (void)pthread_mutex_lock(&(*home)->lock);
    status = sinter__slot_find(ctx, t, slot); /* it may have been released while we waited */
    if (status != SINTER_OK)
        sinter__home_unlock(ctx, *home);
    return status;
}

void sinter__home_unlock(sinter_context *ctx, sinter_stream *home)
{
    if (home == NULL) {
        (void)pthread_mutex_unlock(&ctx->lock);
        return;
    }
    (void)pthread_mutex_unlock(&home->lock);
    (void)pthread_mutex_lock(&ctx->lock);
    if (--home->users == 0)
        (void)pthread_cond_broadcast(&ctx->idle);
    (void)pthread_mutex_unlock(&ctx->lock);
}
