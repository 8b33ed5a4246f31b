#include "executor/context/held.h"

#include "core/sized.h"

#include <stdio.h>
#include <string.h>

#define LINE 384       /* longer than a shape */
#define LOGGED_FIRST 8 /* tensors that the log names */

/* Where lines go to, and about which tensors. */
typedef struct listing {
    sinter_context *ctx;
    const sinter_stream *home; /* NULL: any */
    uint64_t tensors;
    uint64_t most;         /* lines */
    sinter_write_fn write; /* NULL: the log gets them */
    void *user;
    sinter__log_level level;
} listing;

static void put_line(const listing *to, const char *line)
{
    if (to->write == NULL) {
        sinter__log_line(&to->ctx->log, to->level, "%s", line);
        return;
    }
    to->write(to->user, line, strlen(line));
    to->write(to->user, "\n", 1);
}

static void put_tensor(const listing *to, const sinter__slot *slot)
{
    char line[LINE];
    char shape[SINTER__SHAPE_TEXT];
    char where[32] = "without a stream";
    const sinter_stream *home = atomic_load(&slot->home);
    if (home != NULL)
        (void)snprintf(where, sizeof where, "of stream %u", home->number);
    (void)snprintf(line, sizeof line, "held: handle %#llx, %s %s, %s, references: %u",
                   (unsigned long long)sinter__slot_handle(to->ctx, slot).id,
                   sinter_dtype_name((sinter_dtype)slot->dtype),
                   sinter__shape_text(slot->view.rank, slot->view.shape, shape), where,
                   slot->references);
    put_line(to, line);
}

static bool list_tensor(void *user, sinter__slot *slot)
{
    listing *to = user;
    if (to->home == NULL || atomic_load(&slot->home) == to->home) {
        if (to->tensors < to->most)
            put_tensor(to, slot);
        to->tensors++;
    }
    return true;
}

static void put_counts(const listing *to, const sinter_held *h)
{
    char line[LINE];
    (void)snprintf(
        line, sizeof line,
        "held: tensors: %llu, aliases: %llu, pending frees: %llu, storages: %llu, bytes: "
        "%llu, streams: %u",
        (unsigned long long)h->tensors, (unsigned long long)h->aliases,
        (unsigned long long)h->pending_frees, (unsigned long long)h->storages,
        (unsigned long long)h->storage_bytes, h->streams);
    put_line(to, line);
}

static sinter_held count(sinter_context *ctx)
{
    sinter_held h = SINTER_HELD_INIT;
    sinter__storage_count sum = {0};
    uint64_t holding = 0;
    for (uint32_t i = 0; i < ctx->device_count; i++)
        sinter__memory_count(&ctx->devices[i].memory, &sum);
    (void)pthread_mutex_lock(&ctx->lock);
    h.streams = ctx->stream_count;
    h.tensors = sinter__slots_live(ctx);
    sinter__slots_count(ctx, &h.pending_frees, &holding);
    (void)pthread_mutex_unlock(&ctx->lock);
    h.aliases = sum.references - holding;
    h.storages = sum.storages;
    h.storage_bytes = sum.bytes;
    return h;
}

SINTER__COLD sinter_status sinter_context_held(sinter_context *ctx, sinter_held *out,
                                               sinter_write_fn write, void *user)
{
    sinter__clear_error();
    if (ctx == NULL || (out == NULL && write == NULL))
        return sinter__fail(SINTER_EINVAL, "context_held: an argument is NULL");
    if (out != NULL)
        SINTER_TRY(sinter__sized_check("context_held: a result", out->size));
    const sinter_held h = count(ctx);
    listing to = {.ctx = ctx, .most = UINT64_MAX, .write = write, .user = user};
    if (write != NULL) {
        put_counts(&to, &h);
        sinter__slots_visit(ctx, list_tensor, &to);
    }
    if (out != NULL)
        sinter__sized_give(out, out->size, &h, sizeof h);
    return SINTER_OK;
}

SINTER__COLD void sinter__held_log_stream(sinter_stream *s)
{
    listing to = {.ctx = s->ctx, .home = s, .most = LOGGED_FIRST, .level = SINTER__LOG_DEVICE};
    if (!sinter__logs(&s->ctx->log, to.level))
        return;
    sinter__slots_visit(s->ctx, list_tensor, &to);
    if (to.tensors > 0)
        sinter__log_line(&s->ctx->log, to.level,
                         "held: tensors that outlive stream %u, which has gone: %llu", s->number,
                         (unsigned long long)to.tensors);
}

SINTER__COLD void sinter__held_log_context(sinter_context *ctx)
{
    listing to = {.ctx = ctx, .most = LOGGED_FIRST, .level = SINTER__LOG_WARNING};
    if (!sinter__logs(&ctx->log, to.level))
        return;
    const sinter_held h = count(ctx);
    if (h.tensors + h.storages + h.pending_frees == 0)
        return;
    put_counts(&to, &h);
    sinter__slots_visit(ctx, list_tensor, &to);
}
