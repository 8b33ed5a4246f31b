#include "fusion/queue/relative.h"

#include <string.h>

static uint64_t ones_of(const sinter__view *v)
{
    uint64_t ones = 0;
    for (int i = 0; i < v->rank; i++)
        ones |= (uint64_t)(v->shape[i] == 1) << i;
    return ones;
}

/* dtype, rank, extents of 1, axes that continue the next one in memory, axes that repeat, the
 * storage, and whether the tensor is all of it. */
static uint64_t facts_of(const sinter__gtensor *t, uint16_t storage)
{
    const sinter__view *v = &t->view;
    uint64_t joined = 0;
    uint64_t repeats = 0;
    for (int i = 0; i < v->rank; i++) {
        repeats |= (uint64_t)(v->strides[i] == 0) << i;
        if (i + 1 < v->rank)
            joined |= (uint64_t)(v->strides[i] == v->strides[i + 1] * v->shape[i + 1]) << i;
    }
    return (uint64_t)t->dtype | (uint64_t)(v->rank) << 8 | ones_of(v) << 16 | joined << 24 |
           repeats << 32 | (uint64_t)(storage + 1) << 40 | (uint64_t)t->whole << 56;
}

static uint64_t slice_pattern(const sinter__graph *g, const sinter__node *n)
{
    int axis = (int)n->attr;
    int64_t in = g->tensors[n->in[0]].view.shape[axis];
    int64_t out = g->tensors[n->out].view.shape[axis];
    return (uint64_t)(in == out) | (uint64_t)(out == 1) << 1 |
           (uint64_t)(g->params[n->param + 1] == 1) << 2;
}

static uint64_t pattern_of(const sinter__graph *g, const sinter__node *n)
{
    const sinter__view *out = &g->tensors[n->out].view;
    const sinter__op_info *info = sinter__op_info_of(n->op);
    uint32_t in_starts;
    uint32_t out_starts;
    if (n->op == SINTER__OP_SLICE)
        return slice_pattern(g, n);
    if (n->op == SINTER__OP_RESHAPE) {
        const sinter__view *in = &g->tensors[n->in[0]].view;
        sinter__reshape_blocks(in->rank, in->shape, out->rank, out->shape, &in_starts, &out_starts);
        return ones_of(out) | (uint64_t)in_starts << 8 | (uint64_t)out_starts << 16;
    }
    if (n->op == SINTER__OP_EXPAND || info->arity == 0)
        return ones_of(out);
    return 0;
}

/* A tensor's number in the segment; *fresh when this is its first appearance. */
static uint16_t number_of(uint16_t tensor, sinter__numbering *number, uint16_t *count,
                          uint16_t *appeared, bool *fresh)
{
    if (number == NULL) {
        *fresh = tensor >= *appeared;
        if (*fresh)
            *appeared = (uint16_t)(tensor + 1);
        return tensor;
    }
    *fresh = number[tensor].tensor == UINT16_MAX;
    if (*fresh)
        number[tensor].tensor = (*count)++;
    return number[tensor].tensor;
}

/* The number of the first tensor that lies in the storage of `t`, which enters as `own`. */
static uint16_t storage_of(const sinter__gtensor *t, uint16_t own, sinter__numbering *number)
{
    if (t->producer != SINTER__NO_NODE)
        return own;
    if (number == NULL)
        return t->storage;
    if (number[t->storage].storage == UINT16_MAX)
        number[t->storage].storage = own;
    return number[t->storage].storage;
}

void sinter__relative_of(const sinter__graph *g, uint16_t n, uint16_t first,
                         sinter__numbering *number, uint16_t *count, uint16_t appeared,
                         sinter__relative *out)
{
    const sinter__node *node = &g->nodes[n];
    const sinter__gtensor *result = &g->tensors[node->out];
    *out = (sinter__relative){.op = node->op,
                              .in_count = node->in_count,
                              .scalar_mask = node->scalar_mask,
                              .flags = node->flags,
                              .dtype = result->dtype,
                              .rank = (uint8_t)result->view.rank,
                              .attr = node->attr,
                              .pattern = pattern_of(g, node)};
    for (int i = 0; i < node->in_count; i++) {
        if ((node->scalar_mask >> i & 1) != 0)
            continue;
        bool fresh;
        uint16_t tensor = node->in[i];
        const sinter__gtensor *t = &g->tensors[tensor];
        out->in[i] = number_of(tensor, number, count, &appeared, &fresh);
        if (!fresh || (t->producer != SINTER__NO_NODE && t->producer >= first))
            continue;
        out->facts[i] = facts_of(t, storage_of(t, out->in[i], number));
    }
    if (number != NULL && number[node->out].tensor == UINT16_MAX)
        number[node->out].tensor = (*count)++;
}

uint64_t sinter__relative_hash(const sinter__relative *r, uint64_t seed)
{
    uint64_t words[sizeof *r / sizeof(uint64_t)];
    _Static_assert(sizeof words == sizeof *r, "a relative record has no padding");
    memcpy(words, r, sizeof words);
    uint64_t hash = seed;
    size_t i = 0;
    for (; i + 1 < SINTER__COUNT(words); i += 2)
        hash = sinter__hash(hash ^ words[i], words[i + 1]);
    for (; i < SINTER__COUNT(words); i++)
        hash = sinter__hash(hash, words[i]);
    return hash;
}
