/* core/builder.h over a stream. */
#include "executor/queue/apply.h"
#include "sinter/array.h"
#include "sinter/stream.h"
#include "sinter/tensor.h"

/* Products go through the public function, which knows what a vector is. */
static sinter_status build_apply(void *self, sinter__op op, int count,
                                 const sinter__builder_operand *operands,
                                 const sinter__attrs *attrs, sinter_tensor *out)
{
    if (op == SINTER__OP_MATMUL)
        return sinter_matmul(self, operands[0].tensor, operands[1].tensor, out);
    return sinter__apply(self, op, count, operands, attrs, out);
}

static sinter_status build_describe(void *self, sinter_tensor t, sinter_tensor_desc *out)
{
    const sinter_stream *s = self;
    return sinter_tensor_describe(s->ctx, t, out);
}

static sinter_status build_retain(void *self, sinter_tensor t)
{
    const sinter_stream *s = self;
    return sinter_tensor_retain(s->ctx, t);
}

static void build_release(void *self, sinter_tensor t)
{
    sinter__release_quietly(self, t);
}

static sinter_status build_cut(void *self)
{
    return sinter_stream_flush(self);
}

sinter__builder sinter__builder_over(sinter_stream *s)
{
    return (sinter__builder){.self = s,
                             .apply = build_apply,
                             .describe = build_describe,
                             .retain = build_retain,
                             .release = build_release,
                             .cut = build_cut,
                             .allocator = &s->ctx->allocator};
}

/* Within a call */

static sinter_status apply_within(void *self, sinter__op op, int count,
                                  const sinter__builder_operand *operands,
                                  const sinter__attrs *attrs, sinter_tensor *out)
{
    return sinter__apply_within(self, op, count, operands, attrs, out);
}

/* As a rule the stream's own. */
static sinter_status describe_within(void *self, sinter_tensor t, sinter_tensor_desc *out)
{
    sinter_stream *s = self;
    if (sinter__describe_own(s, t, out))
        return SINTER_OK;
    (void)pthread_mutex_unlock(&s->lock);
    sinter_status status = sinter_tensor_describe(s->ctx, t, out);
    (void)pthread_mutex_lock(&s->lock);
    return status;
}

static void release_within(void *self, sinter_tensor t)
{
    sinter__release_within(self, t);
}

sinter__builder sinter__builder_within(sinter_stream *s)
{
    return (sinter__builder){.self = s,
                             .apply = apply_within,
                             .describe = describe_within,
                             .release = release_within,
                             .allocator = &s->ctx->allocator};
}
