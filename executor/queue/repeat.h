/* Operations that come as they came before the last cut. */
#ifndef SINTER_EXECUTOR_REPEAT_H
#define SINTER_EXECUTOR_REPEAT_H

#include "executor/queue/apply.h"

/* With the lock held: queues the operation if it is what stood in its place before the last cut, on tensors of
 * the stream's own. False: nothing has happened, and it is to be queued as any other. */
bool sinter__repeat(sinter_stream *s, sinter__op op, int count, const sinter__operand *operands,
                    const sinter__attrs *attrs, sinter_tensor *out);

/* Parts of it. Whether `slot`, which is not in the queue, is what entered it as `number`; one that lies in the storage
 * of another that enters with it may be found to be, and is to be looked for. Then it enters as that, and the caller
 * counts it. */
bool sinter__repeat_enters(const sinter_stream *s, uint16_t number, const sinter__slot *slot);
void sinter__repeat_enter(sinter_stream *s, uint16_t number, sinter__slot *slot);

/* With the lock held: result `number` of what has come again gets its handle. There is a free slot. */
static inline void sinter__repeat_give(sinter_stream *s, uint16_t number, sinter_tensor *out)
{
    sinter__slot *slot;
    sinter__gtensor *result = &s->q.graph.tensors[number];
    (void)sinter__slot_create(s, &slot, out);
    result->released = 0;
    if (!result->whole) /* a view that was held has the strides that it got there */
        sinter__view_pack(&result->view, result->view.rank, result->view.shape);
    sinter__stream_own(s, number, slot);
}

/* With the lock held, before a tensor, a node or an operation with its numbers is appended in
 * another way: keeps what they are written over. */
static inline void sinter__repeat_keep_tensor(sinter_stream *s)
{
    size_t t = s->q.graph.tensor_count;
    if (t < s->old.repeatable_tensors)
        s->old.graph.tensors[t] = s->q.graph.tensors[t];
}

static inline void sinter__repeat_keep_node(sinter_stream *s)
{
    size_t n = s->q.graph.node_count;
    if (n < s->old.repeatable)
        s->old.graph.nodes[n] = s->q.graph.nodes[n];
}

/* As many as an operation may have; of the first one its scalars as well. */
#define SINTER__KEPT_PARAMS (2 * SINTER_MAX_RANK)

void sinter__repeat_keep_numbers(sinter_stream *s);

/* With the lock held: all that was in the queue has been cut off it. The same for its first `count` operations, where
 * the others stand in the queue again and what was in it before in the old graph. */
void sinter__repeat_all(sinter_stream *s);
void sinter__repeat_rest(sinter_stream *s, uint32_t count);

/* With the lock held: the operations from `first` on have been appended in another way. Notes
 * which of them repeat what was there before; a queue that begins otherwise is looked for among former ones. */
void sinter__repeat_check(sinter_stream *s, uint32_t first);

/* Whether operation `n` of one graph is what it is in another, which has as many, and those before it are. */
bool sinter__repeat_stands(const sinter__graph *now, const sinter__graph *then, uint32_t n);

#endif /* SINTER_EXECUTOR_REPEAT_H */
