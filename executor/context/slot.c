/* Tensor handles: 12 bits of context tag, 24 of slot index, 28 of generation. A slot is used again
 * with the next generation and retires when they are used up, so within a context a handle never
 * comes to mean another tensor. A context that takes the tag of one that is gone begins after its
 * generations, or from 1 again once half of the 28 bits are used up: a handle of a context that is
 * gone stays refused until 2^27 tensors have gone through one slot under its tag. */
#include "executor/context/context.h"

static sinter_tensor make_handle(const sinter_context *ctx, uint32_t index, uint32_t generation)
{
    sinter_tensor t = {.id = (uint64_t)ctx->tag << (SINTER__INDEX_BITS + SINTER__GENERATION_BITS) |
                             (uint64_t)index << SINTER__GENERATION_BITS | generation};
    return t;
}

sinter_tensor sinter__slot_handle(const sinter_context *ctx, const sinter__slot *slot)
{
    return make_handle(ctx, slot->index,
                       atomic_load_explicit(&slot->generation, memory_order_relaxed));
}

SINTER__COLD static sinter_status refuse(const sinter_context *ctx, sinter_tensor t)
{
    if (t.id == 0)
        return sinter__fail(SINTER_EHANDLE, "the null handle is no tensor");
    if ((uint32_t)(t.id >> (SINTER__INDEX_BITS + SINTER__GENERATION_BITS)) != ctx->tag)
        return sinter__fail(SINTER_EHANDLE, "handle %#llx is of another context",
                            (unsigned long long)t.id);
    return sinter__fail(SINTER_EHANDLE, "handle %#llx is stale: its tensor was released",
                        (unsigned long long)t.id);
}

sinter_status sinter__slot_find(sinter_context *ctx, sinter_tensor t, sinter__slot **out)
{
    *out = sinter__slot_peek(ctx, t);
    return *out != NULL ? SINTER_OK : refuse(ctx, t);
}

static void push_free(sinter__slot **list, sinter__slot *slot)
{
    slot->next_free = *list;
    *list = slot;
}

static sinter__slot *pop_free(sinter__slot **list)
{
    sinter__slot *slot = *list;
    *list = slot->next_free;
    return slot;
}

SINTER__COLD static sinter_status add_chunk(sinter_context *ctx)
{
    uint32_t chunk = 0;
    uint32_t before = atomic_load_explicit(&ctx->slot_count, memory_order_relaxed);
    while (chunk < SINTER__SLOT_CHUNKS && atomic_load(&ctx->slots[chunk]) != NULL)
        chunk++;
    uint32_t count = (uint32_t)SINTER__FIRST_CHUNK << chunk;
    if (chunk == SINTER__SLOT_CHUNKS || before + count > SINTER__INDEX_MASK)
        return sinter__fail(SINTER_ENOMEM, "%u tensors are held; there are no more handles",
                            before);
    sinter__slot *slots = sinter__alloc_array(&ctx->allocator, count, sizeof *slots);
    if (slots == NULL)
        return SINTER_ENOMEM;
    for (uint32_t i = count; i-- > 0;) {
        slots[i].index = before + i;
        slots[i].last_generation = ctx->first_generation;
        push_free(&ctx->free_slots, &slots[i]);
    }
    atomic_store_explicit(&ctx->slots[chunk], slots, memory_order_release);
    atomic_store_explicit(&ctx->slot_count, before + count, memory_order_release);
    return SINTER_OK;
}

/* Slots in use are a stream's, so that a tensor is made and released under the stream's lock alone;
 * free ones move between the context and its streams by the batch. */
#define BATCH 64

static sinter_status take_batch(sinter_stream *s)
{
    sinter_context *ctx = s->ctx;
    (void)pthread_mutex_lock(&ctx->lock);
    sinter_status status = ctx->free_slots == NULL ? add_chunk(ctx) : SINTER_OK;
    for (; s->slots.free_count < BATCH && ctx->free_slots != NULL; s->slots.free_count++)
        push_free(&s->slots.free, pop_free(&ctx->free_slots));
    (void)pthread_mutex_unlock(&ctx->lock);
    return status;
}

void sinter__slots_give(sinter_stream *s, uint32_t keep)
{
    sinter_context *ctx = s->ctx;
    for (; s->slots.free_count > keep; s->slots.free_count--)
        push_free(&ctx->free_slots, pop_free(&s->slots.free));
}

sinter_status sinter__slot_create(sinter_stream *s, sinter__slot **out, sinter_tensor *handle)
{
    *out = NULL;
    if (s->slots.free_count == 0)
        SINTER_TRY(take_batch(s));
    sinter__slot *slot = pop_free(&s->slots.free);
    s->slots.free_count--;
    uint32_t generation = ++slot->last_generation;
    slot->references = 1;
    slot->pending = false;
    slot->storage = NULL;
    slot->failure = NULL;
    slot->epoch = 0;
    atomic_store_explicit(&slot->home, s, memory_order_relaxed);
    atomic_store_explicit(&slot->generation, generation, memory_order_release);
    *handle = make_handle(s->ctx, slot->index, generation);
    *out = slot;
    return SINTER_OK;
}

void sinter__slot_destroy(sinter_context *ctx, sinter_stream *home, sinter__slot *slot)
{
    atomic_store_explicit(&slot->generation, 0, memory_order_release);
    if (slot->storage != NULL)
        sinter__storage_release(slot->storage);
    if (slot->failure != NULL)
        sinter__failure_release(&ctx->allocator, slot->failure);
    slot->references = 0;
    slot->storage = NULL;
    slot->failure = NULL;
    if (slot->last_generation >= SINTER__GENERATION_MASK)
        return; /* it retires */
    if (home != NULL) {
        push_free(&home->slots.free, slot);
        if (++home->slots.free_count <= 2 * BATCH)
            return;
    }
    (void)pthread_mutex_lock(&ctx->lock);
    if (home != NULL)
        sinter__slots_give(home, BATCH);
    else
        push_free(&ctx->free_slots, slot);
    (void)pthread_mutex_unlock(&ctx->lock);
}

SINTER__COLD uint32_t sinter__slots_last_generation(sinter_context *ctx)
{
    uint32_t last = ctx->first_generation;
    uint32_t count = atomic_load_explicit(&ctx->slot_count, memory_order_acquire);
    for (uint32_t i = 0; i < count; i++) {
        const sinter__slot *slot = sinter__slot_at(ctx, i);
        if (slot != NULL && slot->last_generation > last)
            last = slot->last_generation;
    }
    return last <= SINTER__GENERATION_MASK / 2 ? last : 0;
}

SINTER__COLD static bool count_slot(void *user, sinter__slot *slot)
{
    (void)slot;
    ++*(uint64_t *)user;
    return true;
}

SINTER__COLD uint64_t sinter__slots_live(sinter_context *ctx)
{
    uint64_t count = 0;
    sinter__slots_visit(ctx, count_slot, &count);
    return count;
}

SINTER__COLD void sinter__slots_visit(sinter_context *ctx,
                                      bool (*visit)(void *user, sinter__slot *slot), void *user)
{
    uint32_t count = atomic_load_explicit(&ctx->slot_count, memory_order_acquire);
    for (uint32_t i = 0; i < count; i++) {
        sinter__slot *slot = sinter__slot_at(ctx, i);
        if (atomic_load_explicit(&slot->generation, memory_order_acquire) != 0 &&
            !visit(user, slot))
            return;
    }
}

SINTER__COLD void sinter__slots_count(sinter_context *ctx, uint64_t *leaving, uint64_t *holding)
{
    uint32_t count = atomic_load_explicit(&ctx->slot_count, memory_order_acquire);
    for (uint32_t i = 0; i < count; i++) {
        const sinter__slot *slot = sinter__slot_at(ctx, i);
        if (slot == NULL)
            return;
        *holding += slot->storage != NULL;
        *leaving += slot->references > 0 && atomic_load(&slot->generation) == 0;
    }
}
