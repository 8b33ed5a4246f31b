#include "executor/queue/apply.h"

#include "executor/queue/repeat.h"
#include "executor/run/transfer.h"

#include <string.h>

/* Operations that one call can append: a conversion or a view for each operand, itself, a view of
 * the result. */
#define MAX_APPENDED 12

/* Inputs */

/* One operand while its operation is being queued. */
typedef struct input {
    sinter__borrowed borrowed;
    bool is_scalar;
    bool is_foreign; /* at home elsewhere: `borrowed` holds references */
    bool is_made;    /* by an operation that this call has appended: `number` says which */
    uint16_t number;
    sinter_scalar scalar;
    sinter_dtype dtype;
    int rank;
    const int64_t *shape;
} input;

/* Where a tensor that is not pending lies, with a reference to it. */
static void copy_place(const sinter__slot *slot, sinter__borrowed *out)
{
    out->slot = NULL;
    out->dtype = (sinter_dtype)slot->dtype;
    out->view = slot->view;
    out->storage = slot->storage;
    out->failure = slot->failure;
    if (out->storage != NULL)
        sinter__storage_retain(out->storage);
    sinter__failure_retain(out->failure);
}

/* Whether the device may have to write it still, or what it is a view of. */
static bool is_unfinished(const sinter_stream *home, const sinter__storage *storage)
{
    if (storage == NULL)
        return false;
    if (storage->pool == home->pool)
        return storage->written > home->progress.finished;
    /* of another stream, which it follows; or the caller has written there (executor/stream/map.c) */
    return home->order.follow_count > 0 || home->progress.launched > home->progress.finished;
}

sinter__opened *sinter__device_of(const sinter_stream *s, const sinter__storage *storage)
{
    const sinter__memory_shared *memory = sinter__storage_memory(storage);
    sinter__opened *on = s->ctx->devices;
    while (&on->memory != memory)
        on++;
    return on;
}

/* What the queue of `s` waits for already of these bytes, with a reference; NULL: nothing. */
static sinter__storage *find_coming(const sinter_stream *s, const sinter__storage *source,
                                    uint64_t offset_bytes, uint64_t bytes)
{
    for (size_t t = 0; t < s->q.graph.tensor_count; t++) {
        sinter__storage *found = s->entered[t].storage;
        if (found == NULL || found->coming == NULL || found->coming->source != source ||
            found->coming->offset_bytes != offset_bytes || found->bytes != bytes)
            continue;
        sinter__storage_retain(found);
        return found;
    }
    return NULL;
}

/* What is borrowed of another device becomes what the queue will bring to that of `s`: of a view, what lies
 * between its first and its last element. `mark` is of the other one. */
static sinter_status bring(sinter_stream *s, sinter__opened *from, sinter__mark *mark,
                           sinter__borrowed *b)
{
    sinter__storage *source = b->storage;
    int64_t lowest;
    int64_t highest;
    if (b->dtype == SINTER_F64 && !s->on->limits.has_f64)
        return sinter__fail(SINTER_EDTYPE, "the device %.80s has no f64", s->on->device.info.name);
    if (sinter__is_empty(b->view.rank, b->view.shape)) { /* nothing lies anywhere */
        b->storage = NULL;
        sinter__storage_release(source);
        return SINTER_OK;
    }
    sinter__view_span(&b->view, &lowest, &highest);
    uint64_t size = sinter_dtype_bytes(b->dtype);
    uint64_t offset_bytes = (uint64_t)lowest * size;
    uint64_t bytes = (uint64_t)(highest - lowest + 1) * size;
    sinter__storage *storage = find_coming(s, source, offset_bytes, bytes);
    if (storage == NULL)
        SINTER_TRY(
            sinter__transfer_promise(s->on, from, source, offset_bytes, bytes, mark, &storage));
    sinter__storage_release(source);
    b->storage = storage;
    b->view.offset -= lowest;
    return SINTER_OK;
}

/* Whether it is read from where it lies. */
static bool reads_there(bool only_read, const sinter__view *view)
{
    return only_read && sinter__view_is_packed(view);
}

/* Copies what another stream's tensor is, after running it. What the device has not done is behind the
 * mark, or waited for when the host reads it there. The home stream's lock is held. */
static void copy_foreign(sinter_stream *s, sinter_stream *home, sinter__slot *slot, bool only_read,
                         sinter__borrowed *out, sinter__mark **mark)
{
    if (slot->pending)
        sinter__stream_cut(home, SINTER__CUT_FOREIGN);
    bool waits = home->on != s->on && reads_there(only_read, &slot->view);
    if (is_unfinished(home, slot->storage)) {
        if (waits)
            (void)sinter__stream_finish(home);
        else
            *mark = sinter__edge_mark(home);
    }
    copy_place(slot, out);
}

/* With no stream's lock held. */
static sinter_status borrow_foreign(sinter_stream *s, bool only_read, sinter__borrowed *out,
                                    sinter__mark **mark)
{
    sinter__slot *slot;
    sinter_stream *home;
    SINTER_TRY(sinter__home_lock(s->ctx, out->handle, &slot, &home));
    sinter_status status = SINTER_OK;
    if (home != NULL && home->mapped != NULL)
        status = sinter__stream_busy(home, "the tensor's own stream");
    else if (sinter__slot_here(slot) != SINTER_OK)
        status = SINTER_EBUSY;
    else if (home != NULL)
        copy_foreign(s, home, slot, only_read, out, mark);
    else
        copy_place(slot, out);
    sinter__home_unlock(s->ctx, home);
    return status;
}

/* What `s`, whose lock is held, makes of what borrow_foreign has found. */
static sinter_status take_foreign(sinter_stream *s, bool only_read, sinter__borrowed *b,
                                  sinter__mark *mark)
{
    if (b->storage == NULL)
        return SINTER_OK;
    sinter__opened *from = sinter__device_of(s, b->storage);
    if (from != s->on)
        return reads_there(only_read, &b->view) ? SINTER_OK : bring(s, from, mark, b);
    return mark != NULL ? sinter__edge_follow(s, mark) : SINTER_OK;
}

SINTER__COLD sinter_status sinter__borrow(sinter_stream *s, sinter_tensor t, bool only_read,
                                          sinter__borrowed *out)
{
    sinter__slot *slot;
    sinter__mark *mark = NULL;
    out->handle = t;
    out->slot = NULL;
    out->storage = NULL;
    out->failure = NULL;
    SINTER_TRY(sinter__slot_find(s->ctx, t, &slot));
    if (atomic_load_explicit(&slot->home, memory_order_relaxed) == s) {
        out->slot = slot;
        out->dtype = (sinter_dtype)slot->dtype;
        return SINTER_OK;
    }
    (void)pthread_mutex_unlock(&s->lock);
    sinter_status status = borrow_foreign(s, only_read, out, &mark);
    (void)pthread_mutex_lock(&s->lock);
    if (status == SINTER_OK)
        status = take_foreign(s, only_read, out, mark);
    sinter__mark_release(mark);
    if (status != SINTER_OK)
        sinter__borrow_end(s, out);
    return status;
}

void sinter__borrow_end(sinter_stream *s, sinter__borrowed *b)
{
    if (b->slot != NULL)
        return;
    sinter__storage_release(b->storage);
    sinter__failure_release(&s->ctx->allocator, b->failure);
    b->storage = NULL;
    b->failure = NULL;
}

static const sinter__view *borrowed_view(const sinter__borrowed *b)
{
    return b->slot != NULL ? &b->slot->view : &b->view;
}

static void describe_input(input *in)
{
    const sinter__view *v = borrowed_view(&in->borrowed);
    in->dtype = in->borrowed.dtype;
    in->rank = v->rank;
    in->shape = v->shape;
}

/* Number of the input in the queue. */
static uint16_t enter(sinter_stream *s, const input *in)
{
    const sinter__borrowed *b = &in->borrowed;
    if (in->is_made)
        return in->number;
    if (b->slot != NULL)
        return sinter__stream_enter(s, b->slot);
    return sinter__stream_enter_storage(s, b->dtype, &b->view, b->storage, b->failure, NULL);
}

/* Appending */

uint16_t sinter__stream_append(sinter_stream *s, sinter__node *node, sinter_dtype dtype, int rank,
                               const int64_t *shape, sinter__slot *owner)
{
    sinter__graph *g = &s->q.graph;
    sinter__repeat_keep_tensor(s);
    sinter__repeat_keep_node(s);
    s->entered[g->tensor_count] = (sinter__entered){0};
    node->out = (uint16_t)g->tensor_count;
    sinter__gtensor *t = sinter__graph_next_tensor(g);
    t->dtype = (uint8_t)dtype;
    t->live = t->sole = false;
    t->whole = sinter__op_info_of(node->op)->kind != SINTER__KIND_VIEW;
    t->storage = node->out;
    t->released = 0;
    t->owner = NULL;
    sinter__view_pack(&t->view, rank, shape);
    (void)sinter__graph_add_node(g, node);
    sinter__count(&s->counts.ops, 1);
    if (owner != NULL)
        sinter__stream_own(s, node->out, owner);
    return node->out;
}

/* Makes the input the result of a node that reads it. */
static void replace_input(sinter_stream *s, input *in, sinter__node *node, sinter_dtype dtype,
                          int rank, const int64_t *shape)
{
    node->in_count = 1;
    node->in[0] = enter(s, in);
    in->number = sinter__stream_append(s, node, dtype, rank, shape, NULL);
    in->is_made = true;
    in->dtype = dtype;
    in->rank = rank;
    in->shape = shape;
}

static void cast_input(sinter_stream *s, input *in, sinter_dtype dtype)
{
    if (in->is_scalar || in->dtype == dtype)
        return;
    sinter__node node = {.op = SINTER__OP_CAST};
    replace_input(s, in, &node, dtype, in->rank, in->shape);
}

/* A reshape of a tensor in memory whose strides cannot express it is preceded by a copy. */
static void pack_input(sinter_stream *s, input *in, int rank, const int64_t *shape)
{
    sinter__view out;
    const sinter__borrowed *b = &in->borrowed;
    bool pending = b->slot != NULL && b->slot->pending;
    if (in->is_made || pending || sinter__view_reshape(borrowed_view(b), rank, shape, &out))
        return;
    sinter__node node = {.op = SINTER__OP_COPY};
    replace_input(s, in, &node, in->dtype, in->rank, in->shape);
}

/* Views */

/* flip: a slice with step -1 along each axis; all but the last go to tensors that nobody holds. */
static void append_flip(sinter_stream *s, input *x, const sinter__inferred *r, sinter__node *last)
{
    int left = __builtin_popcount(r->axes);
    for (int axis = 0; axis < x->rank; axis++) {
        if ((r->axes >> axis & 1) == 0)
            continue;
        int64_t extent = x->shape[axis];
        sinter__node node = {.op = SINTER__OP_SLICE, .attr = (uint32_t)axis};
        node.param = sinter__graph_add_slice(&s->q.graph, extent > 0 ? extent - 1 : 0, -1);
        if (--left == 0)
            *last = node;
        else
            replace_input(s, x, &node, x->dtype, x->rank, x->shape);
    }
}

/* The node of a view operation: the names that are shorthand become reshapes and slices. */
static void make_view(sinter_stream *s, sinter__op op, input *x, const sinter__attrs *attrs,
                      const sinter__inferred *r, sinter__node *node)
{
    switch (op) {
    case SINTER__OP_TRANSPOSE:
        node->attr = sinter__transpose_attr(r);
        break;
    case SINTER__OP_SLICE:
        node->attr = (uint32_t)__builtin_ctz(r->axes);
        node->param = sinter__graph_add_slice(&s->q.graph, attrs->start, attrs->step);
        break;
    case SINTER__OP_FLIP:
        *node = (sinter__node){.op = SINTER__OP_RESHAPE}; /* no axis: the tensor itself */
        append_flip(s, x, r, node);
        break;
    case SINTER__OP_EXPAND:
        break;
    default:
        node->op = SINTER__OP_RESHAPE;
        pack_input(s, x, r->rank, r->shape);
        break;
    }
}

/* Views that are looked at for what an update replaces. */
#define LOOKED_AT 64

static bool same_view(const sinter__view *a, const sinter__view *b)
{
    return sinter__shape_equal(a->rank, a->shape, b->rank, b->shape) && a->offset == b->offset &&
           sinter__shape_equal(a->rank, a->strides, b->rank, b->strides);
}

/* The last view in the queue of what `node`, an UPDATE, replaces, so that a value that is made of it needs no
 * launch of its own; SINTER__NO_TENSOR: there is none. */
static uint16_t find_replaced(const sinter__graph *g, const sinter__node *node, int rank,
                              const int64_t *shape)
{
    sinter__view whole = sinter__view_packed(rank, shape);
    sinter__view part;
    sinter__update_view(g, node, &whole, &part);
    size_t first = g->node_count > LOOKED_AT ? g->node_count - LOOKED_AT : 0;
    for (size_t n = g->node_count; n-- > first;) {
        uint16_t tensor = g->nodes[n].out;
        sinter__view view;
        while (tensor != node->in[0] && g->tensors[tensor].producer != SINTER__NO_NODE &&
               g->nodes[g->tensors[tensor].producer].op == SINTER__OP_SLICE)
            tensor = g->nodes[g->tensors[tensor].producer].in[0];
        if (tensor == node->in[0] && tensor != g->nodes[n].out &&
            sinter__view_from_root(g, g->nodes[n].out, tensor, &whole, &view) &&
            same_view(&part, &view))
            return g->nodes[n].out;
    }
    return SINTER__NO_TENSOR;
}

/* The part of the result that the value takes the place of, which the value is broadcast to. */
static void make_update(sinter_stream *s, input *value, const sinter__region *region, int rank,
                        sinter__node *node)
{
    if (!sinter__shape_equal(value->rank, value->shape, rank, region->count)) {
        sinter__node expand = {.op = SINTER__OP_EXPAND};
        replace_input(s, value, &expand, value->dtype, rank, region->count);
    }
    node->param = (uint32_t)s->q.graph.param_count;
    for (int i = 0; i < rank; i++)
        (void)sinter__graph_add_slice(&s->q.graph, region->start[i], region->step[i]);
}

/* The operation itself */

typedef struct call {
    sinter__op op;
    int count;
    const sinter__attrs *attrs;
    input *inputs;
    uint64_t scalars[SINTER__MAX_OPERANDS]; /* register bits */
    sinter__inferred *result;
} call;

static sinter_status check_f64(const sinter_stream *s, const call *c)
{
    bool uses = c->result->dtype == SINTER_F64;
    for (int i = 0; i < c->count; i++)
        uses |= c->result->work[i] == SINTER_F64;
    if (uses && !s->on->limits.has_f64)
        return sinter__fail(SINTER_EDTYPE, "%s: the device %.80s has no f64",
                            sinter__op_info_of(c->op)->name, s->on->device.info.name);
    return SINTER_OK;
}

static sinter_status infer_call(const sinter_stream *s, call *c)
{
    const sinter__op_info *info = sinter__op_info_of(c->op);
    sinter__operand_desc d[SINTER__MAX_OPERANDS];
    for (int i = 0; i < c->count; i++) {
        input *in = &c->inputs[i];
        d[i].is_scalar = in->is_scalar;
        if (in->is_scalar)
            continue;
        describe_input(in);
        d[i].dtype = in->dtype;
        d[i].rank = in->rank;
        d[i].shape = in->shape;
    }
    SINTER_TRY(sinter__infer(c->op, c->count, d, c->attrs, c->result));
    SINTER_TRY(check_f64(s, c));
    for (int i = 0; i < c->count; i++) {
        sinter_dtype dtype = info->kind == SINTER__KIND_RANDOM ? SINTER_U64 : c->result->work[i];
        if (!c->inputs[i].is_scalar)
            continue;
        sinter_status status = sinter__scalar_bits(c->inputs[i].scalar, dtype, &c->scalars[i]);
        if (status != SINTER_OK)
            return sinter__fail_in(status, info->name);
    }
    return SINTER_OK;
}

static void append_call(sinter_stream *s, call *c, sinter__slot *slot)
{
    const sinter__op_info *info = sinter__op_info_of(c->op);
    const sinter__inferred *r = c->result;
    sinter__node node = {.op = (uint8_t)c->op};
    for (int i = 0; i < c->count; i++)
        cast_input(s, &c->inputs[i],
                   info->kind == SINTER__KIND_CAST ? c->inputs[i].dtype : r->work[i]);
    if (info->kind == SINTER__KIND_VIEW && c->count == 1)
        make_view(s, c->op, &c->inputs[0], c->attrs, r, &node);
    if (info->kind == SINTER__KIND_UPDATE && c->count == 2)
        make_update(s, &c->inputs[1], c->attrs->region, r->rank, &node);
    if (info->kind == SINTER__KIND_SCAN)
        node.attr = r->axes;
    if (sinter__kind_reduces(info->kind)) {
        node.attr = r->axes;
        node.flags = c->attrs->keepdims ? SINTER__NODE_KEEPDIMS : 0;
    }
    node.in_count = (uint8_t)c->count;
    for (int i = 0; i < c->count; i++) {
        if (c->inputs[i].is_scalar) {
            node.scalar_mask |= (uint8_t)(1u << i);
            node.in[i] = sinter__graph_add_scalar(&s->q.graph, c->scalars[i]);
        } else {
            node.in[i] = enter(s, &c->inputs[i]);
        }
    }
    if (info->kind == SINTER__KIND_UPDATE) {
        node.in[2] = find_replaced(&s->q.graph, &node, r->rank, r->shape);
        node.in_count = node.in[2] != SINTER__NO_TENSOR ? 3 : 2;
    }
    (void)sinter__stream_append(s, &node, r->dtype, r->rank, r->shape, slot);
}

/* Takes the handles that are dead out of the open scopes. */
SINTER__COLD static void drop_dead(sinter_stream *s)
{
    size_t kept = 0;
    size_t scope = 0;
    for (size_t i = 0; i <= s->scopes.count; i++) {
        sinter__slot *slot;
        while (scope < s->scopes.depth && s->scopes.begins[scope] == i)
            s->scopes.begins[scope++] = kept;
        if (i < s->scopes.count &&
            sinter__slot_find(s->ctx, s->scopes.handles[i], &slot) == SINTER_OK)
            s->scopes.handles[kept++] = s->scopes.handles[i];
    }
    s->scopes.count = kept;
    sinter__clear_error();
}

/* The array grows only when more than half of it lives. */
static sinter_status scope_add(sinter_stream *s, sinter_tensor t)
{
    size_t need = s->scopes.count + 1;
    if (need > s->scopes.capacity) {
        drop_dead(s);
        if (s->scopes.count <= s->scopes.capacity / 2)
            need = s->scopes.count + 1;
    }
    void *scoped = s->scopes.handles;
    sinter_status status = sinter__grow(&s->ctx->allocator, &scoped, &s->scopes.capacity, need,
                                        sizeof *s->scopes.handles);
    s->scopes.handles = scoped;
    if (status == SINTER_OK)
        s->scopes.handles[s->scopes.count++] = t;
    return status;
}

static sinter_status open_scoped(sinter_stream *s, sinter__slot **slot, sinter_tensor *handle)
{
    SINTER_TRY(sinter__slot_create(s, slot, handle));
    sinter_status status = scope_add(s, *handle);
    if (status != SINTER_OK)
        sinter__slot_destroy(s->ctx, s, *slot);
    return status;
}

sinter_status sinter__slot_open(sinter_stream *s, sinter__slot **slot, sinter_tensor *handle)
{
    return s->scopes.depth == 0 ? sinter__slot_create(s, slot, handle)
                                : open_scoped(s, slot, handle);
}

/* With the lock held: the slots of the inputs. *foreign when one is at home elsewhere and has not
 * been borrowed. */
static sinter_status find_inputs(sinter_stream *s, call *c, bool *foreign)
{
    *foreign = false;
    for (int i = 0; i < c->count; i++) {
        sinter__borrowed *b = &c->inputs[i].borrowed;
        if (c->inputs[i].is_scalar || c->inputs[i].is_foreign)
            continue;
        SINTER_TRY(sinter__slot_find(s->ctx, b->handle, &b->slot));
        b->dtype = (sinter_dtype)b->slot->dtype;
        *foreign |= atomic_load_explicit(&b->slot->home, memory_order_relaxed) != s;
        if (!*foreign)
            SINTER_TRY(sinter__slot_here(b->slot));
    }
    return SINTER_OK;
}

/* What an earlier operand has borrowed is not borrowed again. */
SINTER__COLD static bool borrowed_before(call *c, int index)
{
    sinter__borrowed *b = &c->inputs[index].borrowed;
    for (int i = 0; i < index; i++) {
        if (!c->inputs[i].is_foreign || c->inputs[i].borrowed.handle.id != b->handle.id)
            continue;
        *b = c->inputs[i].borrowed;
        if (b->storage != NULL)
            sinter__storage_retain(b->storage);
        sinter__failure_retain(b->failure);
        return true;
    }
    return false;
}

/* With the lock held, which is given back meanwhile: what is at home elsewhere is borrowed. */
SINTER__COLD static sinter_status borrow_inputs(sinter_stream *s, call *c)
{
    bool foreign;
    uint64_t losses = s->failures.losses;
    sinter_status status = SINTER_OK;
    for (int i = 0; i < c->count && status == SINTER_OK; i++) {
        sinter__borrowed *b = &c->inputs[i].borrowed;
        if (c->inputs[i].is_scalar)
            continue;
        if (!borrowed_before(c, i))
            status = sinter__borrow(s, b->handle, false, b);
        c->inputs[i].is_foreign = status == SINTER_OK && b->slot == NULL;
    }
    if (status == SINTER_OK &&
        s->failures.losses != losses) /* what was borrowed first may be lost as well */
        return sinter__fail(SINTER_EDEVICE, "the device failed while tensors of other streams were "
                                            "looked up");
    return status == SINTER_OK ? find_inputs(s, c, &foreign) : status;
}

static sinter_status apply_locked(sinter_stream *s, call *c, sinter_tensor *out)
{
    sinter__slot *slot;
    sinter_tensor handle;
    bool foreign;
    sinter_status status = find_inputs(s, c, &foreign);
    if (status == SINTER_OK && foreign)
        status = borrow_inputs(s, c);
    if (status != SINTER_OK)
        return sinter__fail_in(status, sinter__op_info_of(c->op)->name);
    if (s->mapped != NULL)
        return sinter__stream_busy(s, sinter__op_info_of(c->op)->name);
    SINTER_TRY(infer_call(s, c));
    SINTER_TRY(sinter__stream_reserve(s, MAX_APPENDED));
    SINTER_TRY(sinter__slot_open(s, &slot, &handle));
    uint32_t before = sinter__queue_length(&s->q);
    sinter__repeat_keep_numbers(s);
    append_call(s, c, slot);
    sinter__repeat_check(s, before);
    if (s->released_bytes > s->share_bytes)
        sinter__stream_shed(s, before);
    if ((s->ctx->options.switches & SINTER_FLUSH_EVERY_OP) != 0)
        sinter__stream_cut(s, SINTER__CUT_EVERY);
    else
        sinter__stream_advance(s);
    *out = handle;
    return SINTER_OK;
}

/* With the lock held: an operation that is not known to repeat another. */
static sinter_status apply_anew(sinter_stream *s, sinter__op op, int count,
                                const sinter__operand *operands, const sinter__attrs *attrs,
                                sinter_tensor *out)
{
    input inputs[SINTER__MAX_OPERANDS]; /* these two are large: only what counts is set */
    sinter__inferred result;
    call c = {.op = op, .count = count, .attrs = attrs, .inputs = inputs, .result = &result};
    for (int i = 0; i < count; i++) {
        input *in = &inputs[i];
        in->is_scalar = operands[i].is_scalar;
        in->is_foreign = in->is_made = false;
        in->scalar = operands[i].scalar;
        in->borrowed.handle = operands[i].tensor;
    }
    sinter_status status = apply_locked(s, &c, out);
    for (int i = 0; i < count; i++) {
        if (inputs[i].is_foreign)
            sinter__borrow_end(s, &inputs[i].borrowed);
    }
    return status;
}

sinter_status sinter__apply_within(sinter_stream *s, sinter__op op, int count,
                                   const sinter__operand *operands, const sinter__attrs *attrs,
                                   sinter_tensor *out)
{
    uint64_t start_ns = sinter__trace_begin(s->on->trace);
    out->id = 0;
    bool repeats = sinter__repeat(s, op, count, operands, attrs, out);
    sinter_status status = repeats ? SINTER_OK : apply_anew(s, op, count, operands, attrs, out);
    if (start_ns != 0 && status == SINTER_OK)
        sinter__trace_end(s->on->trace, s->queue, SINTER_TRACE_CALL, sinter__op_info_of(op)->name,
                          "", start_ns, 0);
    if (status == SINTER_OK && !repeats)
        sinter__clear_error(); /* something may have been tried in vain */
    return status;
}

sinter_status sinter__apply(sinter_stream *s, sinter__op op, int count,
                            const sinter__operand *operands, const sinter__attrs *attrs,
                            sinter_tensor *out)
{
    sinter__clear_error();
    if (out != NULL)
        out->id = 0;
    if (s == NULL || out == NULL)
        return sinter__fail(SINTER_EINVAL, "%s: the %s is NULL", sinter__op_info_of(op)->name,
                            s == NULL ? "stream" : "place of the result");
    SINTER_TRY(sinter__call_begin(s, sinter__op_info_of(op)->name));
    sinter_status status = sinter__apply_within(s, op, count, operands, attrs, out);
    sinter__call_end(s);
    return status;
}

sinter_status sinter__apply_tensors(sinter_stream *s, sinter__op op, int count,
                                    const sinter_tensor *tensors, sinter_tensor *out)
{
    sinter__operand x[SINTER__MAX_OPERANDS] = {{.is_scalar = false}};
    for (int i = 0; i < count; i++)
        x[i].tensor = tensors[i];
    return sinter__apply(s, op, count, x, NULL, out);
}

sinter_status sinter__apply_number(sinter_stream *s, sinter__op op, sinter_tensor tensor,
                                   double number, bool number_first, sinter_tensor *out)
{
    sinter__operand x[2];
    x[number_first] = sinter__of_tensor(tensor);
    x[!number_first] = sinter__of_number(number);
    return sinter__apply(s, op, 2, x, NULL, out);
}

sinter_status sinter__apply_copy(sinter_stream *s, const sinter__borrowed *b, sinter__slot **out)
{
    sinter_tensor handle;
    input in = {.borrowed = *b};
    sinter__node node = {.op = SINTER__OP_COPY, .in_count = 1};
    describe_input(&in);
    SINTER_TRY(sinter__stream_reserve(s, 1));
    SINTER_TRY(sinter__slot_create(s, out, &handle));
    uint32_t before = sinter__queue_length(&s->q);
    sinter__repeat_keep_numbers(s);
    node.in[0] = enter(s, &in);
    (void)sinter__stream_append(s, &node, in.dtype, in.rank, in.shape, *out);
    sinter__repeat_check(s, before);
    return SINTER_OK;
}

void sinter__slot_release(sinter_stream *s, sinter__slot *slot)
{
    if (--slot->references > 0)
        return;
    sinter__mapping *mapping = s->mapped != NULL ? sinter__mapping_of(s, slot) : NULL;
    if (mapping != NULL) /* a scope has ended */
        (void)sinter__mapping_end(s, mapping);
    if (slot->epoch == s->epoch) {
        sinter__gtensor *t = &s->q.graph.tensors[slot->number];
        t->owner = NULL;
        t->released = (uint16_t)s->q.graph.node_count;
        if (!slot->pending && slot->storage != NULL && slot->storage->pool == s->pool)
            s->released_bytes += slot->storage->bytes;
        if (slot->pending)
            s->q.pending_bytes -= (uint64_t)sinter__gtensor_bytes(t);
    }
    sinter__slot_destroy(s->ctx, s, slot);
}

void sinter__slot_defer(sinter_stream *home, sinter__slot *slot)
{
    atomic_store_explicit(&slot->generation, 0, memory_order_release);
    slot->next_free = home->slots.deferred;
    home->slots.deferred = slot;
}

void sinter__slots_deferred(sinter_stream *s)
{
    while (s->slots.deferred != NULL) {
        sinter__slot *slot = s->slots.deferred;
        s->slots.deferred = slot->next_free;
        sinter__slot_release(s, slot);
    }
}
