#include "executor/run/pace.h"

/* Pieces that host memory is reserved for: a stream that never waits of itself waits after so many. */
#define PIECES 8
#define PIECE_ALIGNMENT_BYTES 64

void sinter__pace_restart(sinter_stream *s, bool well)
{
    s->pace.launches = 0;
    s->pace.bytes = 0;
    if (well) /* else the device may still read it */
        s->pace.staged_bytes = 0;
}

SINTER__COLD void sinter__pace_wait(sinter_stream *s)
{
    sinter_status status = s->on->backend->finish(s->on->state, s->queue);
    if (status != SINTER_OK && s->failures.late == NULL)
        s->failures.late = sinter__failure_create(&s->ctx->allocator, status);
    sinter__pace_restart(s, status == SINTER_OK);
}

/* Batches */

/* Whether a launch that moves that many bytes is more than the device may have at once. */
static bool is_over_batch(const sinter_stream *s, uint64_t bytes)
{
    const sinter_context_options *o = &s->ctx->options;
    if (o->batch_launches > 0 && s->pace.launches >= o->batch_launches)
        return true;
    return o->batch_bytes > 0 && s->pace.launches > 0 &&
           (s->pace.bytes >= o->batch_bytes || bytes > o->batch_bytes - s->pace.bytes);
}

void sinter__pace_launch(sinter_stream *s, uint64_t bytes)
{
    if (is_over_batch(s, bytes))
        sinter__pace_wait(s);
    s->pace.launches++;
    s->pace.bytes += bytes;
}

/* Host memory */

static size_t piece_bytes(size_t bytes)
{
    return (size_t)sinter__align_up(bytes, PIECE_ALIGNMENT_BYTES);
}

/* Waits until nothing reads the staging memory. */
SINTER__COLD static sinter_status clear_staging(sinter_stream *s)
{
    if (s->pace.staged_bytes > 0)
        sinter__pace_wait(s);
    return s->pace.staged_bytes > 0 ? sinter__failure_report(s->failures.late) : SINTER_OK;
}

SINTER__COLD static sinter_status grow_staging(sinter_stream *s, size_t bytes)
{
    SINTER_TRY(clear_staging(s));
    sinter__pace_finish(s);
    s->pace.staging = sinter__alloc_array(&s->ctx->allocator, PIECES, piece_bytes(bytes));
    if (s->pace.staging == NULL)
        return SINTER_ENOMEM;
    s->pace.capacity_bytes = PIECES * piece_bytes(bytes);
    return SINTER_OK;
}

sinter_status sinter__pace_reserve(sinter_stream *s, size_t bytes)
{
    bool is_rehearsal = s->need != NULL;
    return is_rehearsal || piece_bytes(bytes) <= s->pace.capacity_bytes ? SINTER_OK
                                                                        : grow_staging(s, bytes);
}

sinter_status sinter__pace_take(sinter_stream *s, size_t bytes, void **out)
{
    *out = NULL;
    if (piece_bytes(bytes) > s->pace.capacity_bytes - s->pace.staged_bytes)
        SINTER_TRY(clear_staging(s));
    *out = s->pace.staging + s->pace.staged_bytes;
    s->pace.staged_bytes += piece_bytes(bytes);
    return SINTER_OK;
}

void sinter__pace_finish(sinter_stream *s)
{
    sinter__free(&s->ctx->allocator, s->pace.staging, s->pace.capacity_bytes);
    s->pace.staging = NULL;
    s->pace.capacity_bytes = 0;
}
