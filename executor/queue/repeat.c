/* The one hard idea: a loop queues the same operations over and over, and the queue before the last cut is still
 * there: the new one is written over it. As long as it is the same from its first operation on, the next call need only
 * be compared with the operation that stands in its place, behind the end of the queue: the same
 * operation on tensors of the same numbers has a result of the same dtype and shape, and takes the
 * same step along the plan store. Then the end moves one operation on, and nothing is written but
 * scalars and who holds what. Tensors that the queue has made are the same by what was compared
 * before; what enters it is looked at. Scalars may differ: no plan depends on them.
 *
 * Everything else -- conversions, flips, updates, other streams' tensors -- is queued the long way, which keeps what
 * it writes over, and compared afterwards, so that it does not end the likeness. */
#include "executor/queue/repeat.h"

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

/* Axes and keepdims of a reduction, the axis of a scan; what is wrong with them is found the long way. */
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

bool sinter__repeat_enters(const sinter_stream *s, uint16_t number, const sinter__slot *slot)
{
    const sinter__gtensor *then = &s->q.graph.tensors[number];
    const sinter__storage *storage = slot->storage;
    uint16_t first = number;
    if (then->producer != SINTER__NO_NODE || then->dtype != slot->dtype ||
        !same_shape(&then->view, &slot->view) || !same_strides(&then->view, &slot->view))
        return false;
    if (storage == NULL)
        return then->storage == number && !then->whole;
    if (storage->pool != s->pool || storage->coming != NULL ||
        atomic_load_explicit(&storage->away, memory_order_relaxed) != 0)
        return false;
    if (storage->epoch == s->epoch)
        first = storage->number;
    return then->storage == first && then->whole == sinter__storage_is_whole(storage, then);
}

/* An operand has the number that it had; *next is the number of the next tensor to enter. */
static bool same_operand(const sinter_stream *s, again *a, int i, uint16_t *next)
{
    uint16_t number = a->then->in[i];
    sinter__slot *slot = a->slots[i];
    if (slot->epoch == s->epoch)
        return slot->number == number &&
               (slot->storage == NULL ||
                atomic_load_explicit(&slot->storage->away, memory_order_relaxed) == 0);
    for (int k = 0; k < i; k++) {
        if (a->slots[k] == slot) /* it enters, and has been counted */
            return a->then->in[k] == number;
        if (a->slots[k] != NULL && a->slots[k]->epoch != s->epoch && slot->storage != NULL &&
            a->slots[k]->storage == slot->storage)
            return false;
    }
    return number == (*next)++ && sinter__repeat_enters(s, number, slot);
}

/* Nothing was converted, so the operation works in the dtype of its tensors; `where` in that of the last, but for
 * its condition. */
static bool same_scalars(const sinter_stream *s, const sinter__node *then,
                         const sinter__operand *operands, uint64_t *bits)
{
    unsigned tensors = ~(unsigned)then->scalar_mask & ((1u << then->in_count) - 1);
    bool selects = sinter__op_info_of(then->op)->rule == SINTER__RULE_SELECT;
    if (tensors == 0)
        return false;
    uint16_t last = then->in[31 - __builtin_clz(tensors)];
    sinter_dtype dtype = (sinter_dtype)s->q.graph.tensors[last].dtype;
    for (int i = 0; i < then->in_count; i++) {
        if (operands[i].is_scalar != ((then->scalar_mask >> i & 1) != 0))
            return false;
        if (operands[i].is_scalar &&
            ((selects && i == 0) ||
             sinter__scalar_bits(operands[i].scalar, dtype, &bits[i]) != SINTER_OK))
            return false;
    }
    return true;
}

/* The operands are the same tensors, and scalars that the operation takes. */
static bool same_operands(sinter_stream *s, again *a, int count)
{
    uint16_t next = (uint16_t)s->q.graph.tensor_count;
    for (int i = 0; i < count; i++) {
        a->slots[i] = NULL;
        if (a->operands[i].is_scalar != ((a->then->scalar_mask >> i & 1) != 0))
            return false;
        if (a->operands[i].is_scalar)
            continue;
        a->slots[i] = sinter__slot_own(s, a->operands[i].tensor);
        if (a->slots[i] == NULL || !same_operand(s, a, i, &next))
            return false;
    }
    return same_scalars(s, a->then, a->operands, a->scalars);
}

/* The operation that a view is queued as. */
static sinter__op view_node(sinter__op op)
{
    bool is_itself =
        op == SINTER__OP_TRANSPOSE || op == SINTER__OP_SLICE || op == SINTER__OP_EXPAND;
    return is_itself ? op : SINTER__OP_RESHAPE;
}

/* Whether the view is what stood there: what it is called with says so only together with the shape of its operand. */
static bool same_view(const sinter_stream *s, const sinter__node *then, sinter__op op,
                      const sinter__attrs *attrs)
{
    const sinter__graph *g = &s->q.graph;
    const sinter__gtensor *in = &g->tensors[then->in[0]];
    const sinter__gtensor *made = &g->tensors[then->out];
    const sinter__operand_desc x = {
        .dtype = (sinter_dtype)in->dtype, .rank = in->view.rank, .shape = in->view.shape};
    sinter__inferred r;
    if (sinter__infer(op, 1, &x, attrs, &r) != SINTER_OK ||
        !sinter__shape_equal(r.rank, r.shape, made->view.rank, made->view.shape))
        return false;
    uint32_t attr = op == SINTER__OP_TRANSPOSE ? sinter__transpose_attr(&r) : 0;
    if (op == SINTER__OP_SLICE) {
        const int64_t *param = &g->params[then->param];
        attr = (uint32_t)__builtin_ctz(r.axes);
        if (param[0] != attrs->start || param[1] != attrs->step)
            return false;
    }
    return then->attr == attr;
}

/* Whether an operation of `op` on the operands of `then` is what stood there. */
static bool same_operation(const sinter_stream *s, const sinter__node *then, sinter__op op,
                           const sinter__attrs *attrs)
{
    uint8_t kind = sinter__op_info_of(op)->kind;
    if (kind == SINTER__KIND_VIEW)
        return same_view(s, then, op, attrs);
    bool has_axes = sinter__kind_reduces(kind) || kind == SINTER__KIND_SCAN;
    if (kind == SINTER__KIND_SCAN && attrs->axis_count != 1)
        return false; /* which the long way refuses */
    return !has_axes || same_axes(then, attrs, s->q.graph.tensors[then->in[0]].view.rank);
}

/* The operation that a call is queued as, where nothing is queued with it; -1: it is not compared. */
static int queued_as(sinter__op op)
{
    switch ((sinter__kind)sinter__op_info_of(op)->kind) {
    case SINTER__KIND_MAP:
    case SINTER__KIND_COMPARE:
    case SINTER__KIND_REDUCE:
    case SINTER__KIND_STATE:
    case SINTER__KIND_SCAN:
    case SINTER__KIND_CONTRACT:
        return (int)op;
    case SINTER__KIND_VIEW: /* a flip is a slice for each axis */
        return op == SINTER__OP_FLIP ? -1 : (int)view_node(op);
    default:
        return -1;
    }
}

void sinter__repeat_enter(sinter_stream *s, uint16_t number, sinter__slot *slot)
{
    sinter__graph *g = &s->q.graph;
    sinter__storage *storage = slot->storage;
    g->tensors[number].owner = slot;
    g->tensors[number].released = 0;
    s->entered[number] = (sinter__entered){.storage = storage, .failure = slot->failure};
    if (storage != NULL) {
        if (storage->epoch != s->epoch)
            storage->number = number;
        storage->epoch = s->epoch;
        sinter__storage_retain(storage);
    }
    sinter__failure_retain(slot->failure);
    slot->number = number;
    slot->epoch = s->epoch;
}

/* Room has been looked at: nothing can fail. */
static void append_again(sinter_stream *s, const again *a, sinter_tensor *out)
{
    sinter__graph *g = &s->q.graph;
    for (int i = 0; i < a->then->in_count; i++) {
        if (a->slots[i] == NULL)
            g->scalars[g->scalar_count++] = a->scalars[i];
        else if (a->slots[i]->epoch != s->epoch)
            sinter__repeat_enter(s, (uint16_t)g->tensor_count++, a->slots[i]);
    }
    s->entered[g->tensor_count++] = (sinter__entered){0};
    g->param_count += sinter__node_params(g, a->then);
    g->node_count++;
    sinter__repeat_give(s, a->then->out, out);
    sinter__count(&s->counts.ops, 1);
    sinter__count(&s->counts.repeated_ops, 1);
    s->q.same++;
}

bool sinter__repeat(sinter_stream *s, sinter__op op, int count, const sinter__operand *operands,
                    const sinter__attrs *attrs, sinter_tensor *out)
{
    uint32_t before = sinter__queue_length(&s->q);
    if (before != s->q.same || before >= s->old.repeatable || before >= s->reserved ||
        s->slots.free_count == 0 || s->scopes.depth > 0 || s->mapped != NULL)
        return false;
    again a = {.then = &s->q.graph.nodes[before], .operands = operands};
    if (a.then->op != queued_as(op) || a.then->in_count != count || !same_operands(s, &a, count) ||
        !same_operation(s, a.then, op, attrs))
        return false;
    append_again(s, &a, out);
    if (s->released_bytes > s->share_bytes)
        sinter__stream_shed(s, before);
    sinter__stream_advance(s);
    return true;
}

/* What was kept */

/* Whether a tensor is what had its number before. */
static bool same_tensor(const sinter__gtensor *now, const sinter__gtensor *then)
{
    if (now->producer != then->producer || now->dtype != then->dtype ||
        !same_shape(&now->view, &then->view))
        return false;
    return now->producer != SINTER__NO_NODE ||
           (now->whole == then->whole && now->storage == then->storage &&
            same_strides(&now->view, &then->view));
}

bool sinter__repeat_stands(const sinter__graph *g, const sinter__graph *old, uint32_t n)
{
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
    for (size_t t = n > 0 ? g->nodes[n - 1].out + 1u : 0; t <= now->out; t++) {
        if (!same_tensor(&g->tensors[t], &old->tensors[t]))
            return false;
    }
    uint32_t params = sinter__node_params(g, now);
    return params == 0 || memcmp(&g->params[now->param], &old->params[then->param],
                                 params * sizeof *g->params) == 0;
}

void sinter__repeat_keep_numbers(sinter_stream *s)
{
    const sinter__graph *g = &s->q.graph;
    sinter__graph *old = &s->old.graph;
    size_t p = g->param_count;
    if (g->node_count >= s->old.repeatable)
        return;
    memcpy(&old->params[p], &g->params[p], sizeof(int64_t[SINTER__KEPT_PARAMS]));
    if (g->node_count == 0) /* the numbers of formulas that stand there */
        memcpy(old->scalars, g->scalars, sizeof(uint64_t[SINTER__MAX_OPERANDS]));
}

/* Notes what repeats the operations that stood in the places of those from `first` on. */
static void note_same(sinter_stream *s, uint32_t first)
{
    uint32_t length = sinter__queue_length(&s->q);
    for (uint32_t n = first; n < length && n == s->q.same && n < s->old.repeatable; n++)
        s->q.same += sinter__repeat_stands(&s->q.graph, &s->old.graph, n);
}

void sinter__repeat_check(sinter_stream *s, uint32_t first)
{
    note_same(s, first);
    if (first == 0 && s->q.same < sinter__queue_length(&s->q))
        sinter__former_turn(s);
}

/* A stream that runs every operation at once has nothing to compare. */
static bool compares(const sinter_stream *s)
{
    return (s->ctx->options.switches & SINTER_FLUSH_EVERY_OP) == 0;
}

void sinter__repeat_all(sinter_stream *s)
{
    sinter__graph *g = &s->q.graph;
    s->old.repeatable = compares(s) ? (uint32_t)g->node_count : 0;
    s->old.repeatable_tensors = s->old.repeatable > 0 ? (uint32_t)g->tensor_count : 0;
    sinter__graph_clear(g);
    sinter__former_expect(s);
}

/* Where what is left is how the queue began, it is written over that beginning in the old graph, which becomes the
 * queue's again: what followed it there may come again. */
void sinter__repeat_rest(sinter_stream *s, uint32_t count)
{
    sinter__graph *old = &s->old.graph;
    uint32_t tensors = old->nodes[count - 1].out + 1u;
    s->segments.last_cut = s->segments.now;
    s->old.repeatable = compares(s) ? count : 0;
    note_same(s, 0);
    sinter__graph_clear(old);
    if (s->old.repeatable == 0)
        return;
    s->old.repeatable_tensors = tensors;
    if (s->q.same == sinter__queue_length(&s->q)) {
        sinter__graph_copy(old, &s->q.graph);
        sinter__graph graph = *old;
        *old = s->q.graph;
        s->q.graph = graph;
        sinter__graph_clear(old);
    } else if (!sinter__former_turn_rest(s)) {
        s->old.repeatable = s->old.repeatable_tensors = 0;
    }
}
