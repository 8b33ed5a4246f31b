/* Locks: a stream's, for a call on it; and the one that guards a tensor whose home is another stream or
 * gone. */
#include "executor/context/context.h"

/* A stream's lock is taken by calls on the stream, one after another, and by other streams' threads that
 * need a tensor of it. So a call that finds the lock taken looks who has it: it may be another call, which
 * the caller must not make. Where the lock is free that costs a load and two stores. */

SINTER__COLD static sinter_status refuse_call(const sinter_stream *s, const char *where)
{
    return sinter__fail(SINTER_EBUSY, "%s: another thread is in a call on stream %u", where,
                        s->number);
}

sinter_status sinter__call_begin(sinter_stream *s, const char *where)
{
    if (pthread_mutex_trylock(&s->lock) != 0) {
        if (atomic_load_explicit(&s->in_call, memory_order_relaxed))
            return refuse_call(s, where);
        (void)pthread_mutex_lock(&s->lock);
    }
    if (atomic_load_explicit(&s->in_call, memory_order_relaxed)) { /* it waits for another stream */
        (void)pthread_mutex_unlock(&s->lock);
        return refuse_call(s, where);
    }
    atomic_store_explicit(&s->in_call, true, memory_order_relaxed);
    return SINTER_OK;
}

void sinter__call_end(sinter_stream *s)
{
    atomic_store_explicit(&s->in_call, false, memory_order_relaxed);
    (void)pthread_mutex_unlock(&s->lock);
}

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
    sinter__home_leave(ctx, home);
}

void sinter__home_leave(sinter_context *ctx, sinter_stream *home)
{
    (void)pthread_mutex_lock(&ctx->lock);
    if (--home->users == 0)
        (void)pthread_cond_broadcast(&ctx->idle);
    (void)pthread_mutex_unlock(&ctx->lock);
}
