/* The one hard idea: as long as the queue is what it was before the last cut (executor/queue/repeat.h), a formula that is
 * called where it was called then, in the same way, on the same tensors, queues the same operations. They still stand
 * behind the end of the queue, so the end is moved behind them all at once: what is between the operands and the
 * results is not looked at, and never has a handle.
 *
 * A formula is remembered with its place and with all that its operations follow from. What is remembered is of the
 * queue as it is now, or of the one before as far as that has not been compared: a formula that was not called in its
 * place is forgotten, since others may have changed the numbers that stand there. */
#include "executor/queue/formula.h"

#include "executor/queue/repeat.h"

#include <string.h>

/* Numbers that the key has not are written where they stand: behind the queue's end, as the next scalars. */
static bool write_numbers(sinter_stream *s, const sinter__formula *f,
                          const sinter__queued_formula *q)
{
    sinter__graph *g = &s->q.graph;
    sinter__formula_numbers *n = f->numbers;
    uint64_t *to = &g->scalars[g->scalar_count];
    uint8_t dtype = g->tensors[q->results[0]].dtype;
    if (n == NULL)
        return true;
    if (q->scalars != (uint32_t)n->count)
        return false; /* seen by nobody: it is queued anew */
    if (n->epoch == s->epoch && n->dtype == dtype) {
        memcpy(to, &g->scalars[n->first], q->scalars * sizeof *to);
        return true;
    }
    for (int i = 0; i < n->count; i++) {
        if (sinter__scalar_bits(sinter_scalar_float(n->at[i]), (sinter_dtype)dtype, &to[i]) !=
            SINTER_OK)
            return false;
    }
    n->epoch = s->epoch;
    n->first = g->scalar_count;
    n->dtype = dtype;
    return true;
}

/* Again */

/* The formula that stood at the queue's end when it was called like this; NULL: none. Passes over those before it. */
static const sinter__queued_formula *find(sinter_stream *s, const sinter__formula *f)
{
    uint32_t before = sinter__queue_length(&s->q);
    if (before != s->q.same || s->scopes.depth > 0 || s->mapped != NULL || s->on->trace != NULL ||
        s->released_bytes > s->share_bytes || s->slots.free_count < (uint32_t)f->result_count)
        return NULL;
    while (s->formulas.next < s->formulas.known && s->formulas.at[s->formulas.next].first < before)
        s->formulas.next++;
    if (s->formulas.next >= s->formulas.known)
        return NULL;
    const sinter__queued_formula *q = &s->formulas.at[s->formulas.next];
    bool same = q->first == before && before + q->count <= s->old.repeatable &&
                before + q->count <= s->reserved && memcmp(&q->key, &f->key, sizeof f->key) == 0;
    return same ? q : NULL;
}

/* Operand `i` is the tensor that it was; those before it are. */
static bool same_operand(const sinter_stream *s, const sinter__queued_formula *q,
                         sinter__slot *const *slots, int i)
{
    const sinter__slot *slot = slots[i];
    uint16_t number = q->operands[i];
    if (slot->epoch == s->epoch)
        return slot->number == number && sinter__slot_here(slot) == SINTER_OK;
    for (int k = 0; k < i; k++) {
        if (slots[k] == slot) /* it enters, and has been looked at */
            return q->operands[k] == number;
        if (slots[k] != NULL &&
            (q->operands[k] == number || (slots[k]->epoch != s->epoch && slot->storage != NULL &&
                                          slots[k]->storage == slot->storage)))
            return false;
    }
    return number >= s->q.graph.tensor_count && sinter__repeat_enters(s, number, slot);
}

static bool same_operands(sinter_stream *s, const sinter__formula *f,
                          const sinter__queued_formula *q, sinter__slot **slots)
{
    for (int i = 0; i < f->operand_count; i++) {
        slots[i] = NULL;
        if (f->operands[i].id == 0)
            continue;
        slots[i] = sinter__slot_own(s, f->operands[i]);
        if (slots[i] == NULL || !same_operand(s, q, slots, i))
            return false;
    }
    return true;
}

/* Nothing can fail. */
static void append_again(sinter_stream *s, const sinter__formula *f,
                         const sinter__queued_formula *q, sinter__slot *const *slots,
                         sinter_tensor *out)
{
    sinter__graph *g = &s->q.graph;
    for (size_t t = g->tensor_count; t < q->tensors; t++) {
        s->entered[t] = (sinter__entered){0};
        g->tensors[t].owner = NULL;
        g->tensors[t].released = (uint16_t)(q->first + q->count);
    }
    for (int i = 0; i < f->operand_count; i++) {
        if (slots[i] != NULL && slots[i]->epoch != s->epoch)
            sinter__repeat_enter(s, q->operands[i], slots[i]);
    }
    g->node_count += q->count;
    g->tensor_count = q->tensors;
    g->scalar_count += q->scalars;
    g->param_count += q->params;
    for (int k = 0; k < f->result_count; k++)
        sinter__repeat_give(s, q->results[k], &out[k]);
    sinter__count(&s->counts.ops, q->count);
    sinter__count(&s->counts.repeated_ops, q->count);
    sinter__count(&s->counts.repeated_calls, 1);
    s->q.same += q->count;
    s->formulas.next++;
    if (q != &s->formulas.at[s->formulas.count]) /* it is where it was, mostly */
        s->formulas.at[s->formulas.count] = *q;
    s->formulas.count++;
}

bool sinter__formula_again(sinter_stream *s, const sinter__formula *f, sinter_tensor *out)
{
    sinter__slot *slots[SINTER__FORMULA_OPERANDS];
    const sinter__queued_formula *q = find(s, f);
    if (q == NULL || !same_operands(s, f, q, slots) || !write_numbers(s, f, q))
        return false;
    append_again(s, f, q, slots, out);
    sinter__stream_advance(s);
    sinter__clear_error(); /* a cut may have failed: its results say so */
    return true;
}

/* Anew */

static bool number_of(sinter_stream *s, sinter_tensor t, uint16_t *out)
{
    const sinter__slot *slot = sinter__slot_own(s, t);
    bool queued = slot != NULL && slot->epoch == s->epoch;
    *out = queued ? slot->number : SINTER__NO_TENSOR;
    return queued;
}

/* Whether result `k` is a tensor of its own, that an operation behind the start has made. */
static bool is_made(const sinter__graph *g, const sinter__queued_formula *q, int k)
{
    uint32_t producer = g->tensors[q->results[k]].producer;
    for (int i = 0; i < k; i++) {
        if (q->results[i] == q->results[k])
            return false;
    }
    return producer != SINTER__NO_NODE && producer >= q->first;
}

sinter__formula_start sinter__formula_begin(const sinter_stream *s)
{
    const sinter__graph *g = &s->q.graph;
    return (sinter__formula_start){.epoch = s->epoch,
                                   .nodes = (uint32_t)g->node_count,
                                   .scalars = (uint32_t)g->scalar_count,
                                   .params = (uint32_t)g->param_count};
}

/* What has been queued may have been cut, or be of other streams' tensors: then it is not remembered. */
void sinter__formula_note(sinter_stream *s, const sinter__formula *f,
                          const sinter__formula_start *at, const sinter_tensor *results)
{
    const sinter__graph *g = &s->q.graph;
    void *array = s->formulas.at;
    bool known = s->epoch == at->epoch && g->node_count > at->nodes;
    sinter__queued_formula q = {.key = f->key,
                                .first = at->nodes,
                                .count = (uint32_t)g->node_count - at->nodes,
                                .tensors = (uint32_t)g->tensor_count,
                                .scalars = (uint32_t)g->scalar_count - at->scalars,
                                .params = (uint32_t)g->param_count - at->params};
    for (int i = 0; i < f->operand_count && known; i++) {
        if (f->operands[i].id != 0)
            known = number_of(s, f->operands[i], &q.operands[i]);
    }
    for (int k = 0; k < f->result_count && known; k++)
        known = number_of(s, results[k], &q.results[k]) && is_made(g, &q, k);
    if (!known || sinter__grow(&s->ctx->allocator, &array, &s->formulas.capacity,
                               s->formulas.count + 1, sizeof q) != SINTER_OK) {
        sinter__clear_error();
        return;
    }
    s->formulas.at = array;
    s->formulas.at[s->formulas.count++] = q;
    s->formulas.next = SINTER__MAX(s->formulas.next, s->formulas.count);
}

sinter_status sinter__formula_apply(sinter_stream *s, const sinter__formula *f, sinter_tensor *out)
{
    if (sinter__formula_again(s, f, out))
        return SINTER_OK;
    const sinter__formula_start at = sinter__formula_begin(s);
    const sinter__builder b = sinter__builder_within(s);
    SINTER_TRY(f->queue(f->self, &b, out));
    sinter__formula_note(s, f, &at, out);
    return SINTER_OK;
}

void sinter__formulas_restart(sinter_stream *s, uint32_t count)
{
    uint32_t known = 0;
    while (known < s->formulas.count &&
           s->formulas.at[known].first + s->formulas.at[known].count <= count)
        known++;
    s->formulas.known = known;
    s->formulas.count = s->formulas.next = 0;
}
