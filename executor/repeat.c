/* The one hard idea: a loop queues the same operations over and over, and the queue before the last cut is still
 * there. As long as the new one is the same from its first operation on, the next call need only be compared with
 * the operation that stood in its place: the same operation on tensors of the same numbers has a result of the same
 * dtype and shape, and takes the same step along the plan store. Tensors that the queue has made are the same by
 * what was compared before; what enters it is looked at. Scalars may differ: no plan depends on them.
 *
 * Everything else -- conversions, views, updates, other streams' tensors -- is queued the long way and compared
 * afterwards, so that it does not end the likeness. */
#include "executor/repeat.h"

#include <string.h>

static bool same_shape(const sinter__view *a, const sinter__view *b)
{
    if (a->rank != b->rank)
        return false;
    for (int i = 0; i < a->rank; i++) {
        if (a->shape[i] != b->shape[i])
            return false;
    }
    return true;
}

static bool same_strides(const sinter__view *a, const sinter__view *b)
{
    for (int i = 0; i < a->rank; i++) {
        if (a->strides[i] != b->strides[i])
            return false;
    }
    return a->offset == b->offset;
}

/* Whether a tensor of the queue is what had its number before. */
static bool same_tensor(const sinter_stream *s, size_t tensor)
{
    const sinter__gtensor *now = &s->q.graph.tensors[tensor];
    const sinter__gtensor *then = &s->old_graph.tensors[tensor];
    if (now->producer != then->producer || now->dtype != then->dtype ||
        !same_shape(&now->view, &then->view))
        return false;
    return now->producer != SINTER__NO_NODE ||
           (now->whole == then->whole && now->storage == then->storage &&
            same_strides(&now->view, &then->view));
}

/* Axes and keepdims of a reduction; what is wrong with them is found the long way. */
static bool same_axes(const sinter__node *then, const sinter__attrs *attrs, int rank)
{
    uint32_t axes = attrs->axis_count == -1 ? (1u << rank) - 1 : 0;
    for (int i = 0; i < attrs->axis_count; i++) {
        int axis = attrs->axes[i] < 0 ? attrs->axes[i] + rank : attrs->axes[i];
        if (axis < 0 || axis >= rank || (axes >> axis & 1) != 0)
            return false;
        axes |= 1u << axis;
    }
    return attrs->axis_count >= -1 && axes == then->attr &&
           attrs->keepdims == ((then->flags & SINTER__NODE_KEEPDIMS) != 0);
}

/* A call that is compared with the operation in its place. */
typedef struct again {
    const sinter__node *then;
    const sinter__operand *operands;
    sinter__slot *slots[SINTER__MAX_OPERANDS];
    uint64_t scalars[SINTER__MAX_OPERANDS]; /* register bits */
} again;

/* An operand has the number that it had; *next is the number of the next tensor to enter. */
static bool same_operand(sinter_stream *s, again *a, int i, uint16_t *next)
{
    uint16_t number = a->then->in[i];
    sinter__slot *slot = sinter__slot_own(s, a->operands[i].tensor);
    if (slot == NULL || (slot->storage != NULL &&
                         atomic_load_explicit(&slot->storage->away, memory_order_relaxed) != 0))
        return false;
    a->slots[i] = slot;
    if (slot->epoch == s->epoch)
        return slot->number == number;
    for (int k = 0; k < i; k++) {
        if (a->slots[k] == slot) /* it enters, and has been counted */
            return a->then->in[k] == number;
    }
    const sinter__gtensor *then = &s->old_graph.tensors[number];
    return number == (*next)++ && then->producer == SINTER__NO_NODE && then->dtype == slot->dtype &&
           same_shape(&then->view, &slot->view);
}

/* The operands are the same tensors, and scalars that the operation takes. */
static bool same_operands(sinter_stream *s, again *a, int count)
{
    uint16_t next = (uint16_t)s->q.graph.tensor_count;
    int last = -1;
    for (int i = 0; i < count; i++) {
        if (a->operands[i].is_scalar != ((a->then->scalar_mask >> i & 1) != 0))
            return false;
        if (a->operands[i].is_scalar)
            continue;
        if (!same_operand(s, a, i, &next))
            return false;
        last = i;
    }
    /* Nothing was converted, so the operation works in the dtype of its tensors; `where` in that of the last, but for
     * its condition. */
    bool selects = sinter__op_info_of(a->then->op)->rule == SINTER__RULE_SELECT;
    for (int i = 0; i < count; i++) {
        if (!a->operands[i].is_scalar)
            continue;
        if (last < 0 || (selects && i == 0) ||
            sinter__scalar_bits(a->operands[i].scalar, a->slots[last]->dtype, &a->scalars[i]) !=
                SINTER_OK)
            return false;
    }
    return true;
}

/* Room has been looked at: nothing can fail. */
static void append_again(sinter_stream *s, const again *a, sinter_tensor *out)
{
    sinter__slot *slot;
    sinter__graph *g = &s->q.graph;
    sinter__node node = *a->then;
    const sinter__gtensor *result = &s->old_graph.tensors[node.out];
    size_t entered = g->tensor_count;
    for (int i = 0; i < node.in_count; i++) {
        node.in[i] = a->slots[i] == NULL ? sinter__graph_add_scalar(g, a->scalars[i])
                                         : sinter__stream_enter(s, a->slots[i]);
    }
    bool same = true;
    for (; entered < g->tensor_count; entered++)
        same &= same_tensor(s, entered);
    (void)sinter__slot_create(s, &slot, out);
    (void)sinter__stream_append(s, &node, (sinter_dtype)result->dtype, result->view.rank,
                                result->view.shape, slot);
    sinter__count(&s->counts.repeated_ops, 1);
    s->q.same += same;
}

bool sinter__repeat(sinter_stream *s, sinter__op op, int count, const sinter__operand *operands,
                    const sinter__attrs *attrs, sinter_tensor *out)
{
    uint32_t before = sinter__queue_length(&s->q);
    if (before != s->q.same || before >= s->repeatable || before >= s->reserved ||
        s->free_slot_count == 0 || s->scope_count > 0 || s->mapped != NULL)
        return false;
    uint8_t kind = sinter__op_info_of(op)->kind;
    bool reduces = sinter__kind_reduces(kind);
    again a = {.then = &s->old_graph.nodes[before], .operands = operands};
    if ((!reduces && kind != SINTER__KIND_MAP && kind != SINTER__KIND_COMPARE) ||
        a.then->op != op || a.then->in_count != count || !same_operands(s, &a, count))
        return false;
    if (reduces && !same_axes(a.then, attrs, s->old_graph.tensors[a.then->in[0]].view.rank))
        return false;
    append_again(s, &a, out);
    if (s->released_bytes > s->share_bytes)
        sinter__stream_shed(s, before);
    sinter__stream_advance(s);
    return true;
}

/* Whether operation `n` of the queue is what stood in its place. */
static bool same_node(const sinter_stream *s, uint32_t n)
{
    const sinter__graph *g = &s->q.graph;
    const sinter__graph *old = &s->old_graph;
    const sinter__node *now = &g->nodes[n];
    const sinter__node *then = &old->nodes[n];
    if (now->op != then->op || now->in_count != then->in_count ||
        now->scalar_mask != then->scalar_mask || now->flags != then->flags ||
        now->out != then->out || now->attr != then->attr)
        return false;
    for (int i = 0; i < now->in_count; i++) {
        if ((now->scalar_mask >> i & 1) == 0 && now->in[i] != then->in[i])
            return false;
    }
    for (size_t t = sinter__queue_tensors(&s->q, n); t <= now->out; t++) {
        if (!same_tensor(s, t))
            return false;
    }
    uint32_t params = sinter__node_params(g, now);
    return params == 0 || memcmp(&g->params[now->param], &old->params[then->param],
                                 params * sizeof *g->params) == 0;
}

void sinter__repeat_check(sinter_stream *s, uint32_t first)
{
    uint32_t length = sinter__queue_length(&s->q);
    for (uint32_t n = first; n < length && n == s->q.same && n < s->repeatable; n++)
        s->q.same += same_node(s, n);
}
