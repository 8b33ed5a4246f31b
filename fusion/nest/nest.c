/* Building nests by demand: start at the stores and ask for each value through a chain of views.
 *
 * The one hard idea: a value is wanted "seen through" the views between it and the domain. Views
 * and broadcasts met on the way are put on the chain; arithmetic passes the chain on to its
 * operands; what is not made inside the nest becomes a load through the chain. A tensor wanted
 * through two different chains is two values. */
#include "fusion/nest/nest.h"

#include "fusion/nest/axes.h"
#include "fusion/nest/phase.h"
#include "fusion/nest/state.h"

#include <string.h>

#define MAX_VALUES SINTER__NEST_VALUES
#define MAX_LINKS 1024

typedef struct builder {
    const sinter__graph *g;
    const sinter__nest_members *members;
    sinter__value values[MAX_VALUES];
    /* Lists of what was asked for, the latest first: values by tensor, scalars in one list, links by `ref`. An entry is
     * an index and one; 0 ends a list. */
    uint16_t *last_value, last_scalar, *last_link;
    uint16_t value_before[MAX_VALUES];
    uint16_t link_before[MAX_LINKS];
    uint16_t chain_of[MAX_VALUES]; /* through which a value sees its tensor */
    uint16_t value_count;
    sinter__access accesses[MAX_VALUES];
    uint16_t access_count;
    sinter__link links[MAX_LINKS];
    uint16_t link_count;
    uint16_t *uses; /* by graph node: values made of it */
    bool again;     /* what is being asked for is an operand of a value that is made once more, */
    bool enlarged;  /* or that is broadcast afterwards */
    sinter__nest_cost cost;
} builder;

#define FULL UINT16_MAX

/* The chain that applies (kind, ref) and then `next`; the same one each time. */
static uint16_t add_link(builder *b, sinter__link_kind kind, uint16_t ref, uint16_t next)
{
    for (uint16_t i = b->last_link[ref]; i != 0; i = b->link_before[i - 1]) {
        const sinter__link *link = &b->links[i - 1];
        if (link->kind == kind && link->next == next)
            return (uint16_t)(i - 1);
    }
    if (b->link_count == MAX_LINKS)
        return FULL;
    b->links[b->link_count] = (sinter__link){.kind = (uint8_t)kind, .ref = ref, .next = next};
    b->link_before[b->link_count] = b->last_link[ref];
    b->last_link[ref] = (uint16_t)(b->link_count + 1);
    return b->link_count++;
}

static uint16_t add_access(builder *b, uint16_t tensor, uint16_t chain, sinter__role role)
{
    b->accesses[b->access_count] = (sinter__access){
        .tensor = tensor,
        .chain = chain,
        .dtype = b->g->tensors[tensor].dtype,
        .role = (uint8_t)role,
    };
    return b->access_count++;
}

#define NO_TENSOR UINT16_MAX
#define NONE UINT16_MAX

static uint16_t add_value(builder *b, uint16_t tensor, uint16_t chain, const sinter__value *value)
{
    if (b->value_count == MAX_VALUES)
        return FULL;
    b->values[b->value_count] = *value;
    b->chain_of[b->value_count] = chain;
    if (tensor != NO_TENSOR) {
        b->value_before[b->value_count] = b->last_value[tensor];
        b->last_value[tensor] = (uint16_t)(b->value_count + 1);
    }
    return b->value_count++;
}

/* What has been made of the tensor, seen through the chain; NONE: nothing. */
static uint16_t find_value(const builder *b, uint16_t tensor, uint16_t chain)
{
    uint16_t i = b->last_value[tensor];
    while (i != 0 && b->chain_of[i - 1] != chain)
        i = b->value_before[i - 1];
    return (uint16_t)(i - 1);
}

static uint16_t add_scalar(builder *b, uint16_t scalar, uint8_t dtype)
{
    for (uint16_t i = b->last_scalar; i != 0; i = b->value_before[i - 1]) {
        const sinter__value *v = &b->values[i - 1];
        if (v->scalar == scalar && v->dtype == dtype)
            return (uint16_t)(i - 1);
    }
    b->cost.scalars++;
    sinter__value v = {.kind = SINTER__VALUE_ARG, .dtype = dtype, .work = dtype, .scalar = scalar};
    uint16_t value = add_value(b, NO_TENSOR, SINTER__CHAIN_END, &v);
    if (value != FULL) {
        b->value_before[value] = b->last_scalar;
        b->last_scalar = (uint16_t)(value + 1);
    }
    return value;
}

static uint16_t add_load(builder *b, uint16_t tensor, uint16_t chain)
{
    if (b->value_count == MAX_VALUES)
        return FULL;
    sinter__value v = {.kind = SINTER__VALUE_LOAD, .dtype = b->g->tensors[tensor].dtype};
    v.work = v.dtype;
    v.access = add_access(b, tensor, chain, SINTER__ROLE_READ);
    return add_value(b, tensor, chain, &v);
}

static uint16_t add_index(builder *b, uint16_t tensor, uint16_t chain)
{
    if (b->value_count == MAX_VALUES)
        return FULL;
    sinter__value v = {.kind = SINTER__VALUE_INDEX, .dtype = SINTER_U64, .work = SINTER_U64};
    v.access = add_access(b, tensor, chain, SINTER__ROLE_INDEX);
    return add_value(b, NO_TENSOR, chain, &v);
}

/* In a nest of reductions, two chains by which a tensor lies alike are made one: that of what lies
 * over the axes that are kept, and none. So a value has one name, and is computed once. */
static uint16_t plain_chain(builder *b, uint16_t tensor, uint16_t chain)
{
    bool scans = b->members->form == SINTER__FORM_SCAN;
    if ((b->members->form != SINTER__FORM_REDUCE && !scans) || chain == SINTER__CHAIN_END)
        return chain;
    switch (sinter__axes_seen(b->g, b->links, tensor, chain, b->members->root)) {
    case SINTER__AXES_SAME:
        return SINTER__CHAIN_END;
    case SINTER__AXES_KEPT:
        if (scans)
            return chain;
        return add_link(b, SINTER__LINK_REDUCED, b->members->root, SINTER__CHAIN_END);
    default:
        return chain;
    }
}

static bool is_kept_chain(const builder *b, uint16_t chain)
{
    return chain != SINTER__CHAIN_END && b->links[chain].kind == SINTER__LINK_REDUCED &&
           b->links[chain].next == SINTER__CHAIN_END;
}

/* Whether going through `chain` from a tensor repeats its elements. What lies over the kept axes of
 * a reduction is computed once for all that is reduced. */
static bool enlarges(const builder *b, uint16_t tensor, uint16_t chain)
{
    if (is_kept_chain(b, chain))
        return false;
    const sinter__view *from = &b->g->tensors[tensor].view;
    int64_t elements = sinter__elements(from->rank, from->shape);
    for (uint16_t i = chain; i != SINTER__CHAIN_END; i = b->links[i].next) {
        const sinter__link *link = &b->links[i];
        uint16_t to = link->ref;
        if (link->kind == SINTER__LINK_VIEW)
            to = b->g->nodes[link->ref].out;
        else if (link->kind != SINTER__LINK_EXPAND)
            continue;
        const sinter__view *view = &b->g->tensors[to].view;
        int64_t now = sinter__elements(view->rank, view->shape);
        if (now > elements)
            return true;
        elements = now;
    }
    return false;
}

static uint16_t value_of(builder *b, uint16_t tensor, uint16_t chain);

/* The dtype in which the operands of a node are held: that of the first operand that has one, the
 * condition of a selection aside. */
static uint8_t work_dtype(const sinter__graph *g, const sinter__node *node)
{
    int first = node->op == SINTER__OP_WHERE ? 1 : 0;
    for (int i = first; i < node->in_count; i++) {
        if ((node->scalar_mask >> i & 1) == 0)
            return g->tensors[node->in[i]].dtype;
    }
    return g->tensors[node->out].dtype;
}

static uint16_t operand_value(builder *b, const sinter__node *node, int i, uint8_t work,
                              uint16_t chain)
{
    const sinter__gtensor *out = &b->g->tensors[node->out];
    if ((node->scalar_mask >> i & 1) != 0)
        return add_scalar(b, node->in[i],
                          node->op == SINTER__OP_WHERE && i == 0 ? SINTER_BOOL : work);
    const sinter__gtensor *in = &b->g->tensors[node->in[i]];
    if (!sinter__shape_equal(in->view.rank, in->view.shape, out->view.rank, out->view.shape)) {
        chain = add_link(b, SINTER__LINK_EXPAND, node->out, chain);
        if (chain == FULL)
            return FULL;
    }
    return value_of(b, node->in[i], chain);
}

/* Counts a value that is made again, or once for each place that it is broadcast to. Only the last
 * of a row of such values would be stored, the first time, and loaded. */
static void count_repeated(builder *b, uint16_t n, bool again, bool enlarged)
{
    uint32_t cost = sinter__op_info_of(b->g->nodes[n].op)->cost;
    uint32_t bytes = (uint32_t)sinter_dtype_bytes(b->g->tensors[b->g->nodes[n].out].dtype);
    if (again || enlarged)
        b->cost.repeated += cost;
    if (again && !b->again)
        b->cost.spared_bytes += b->uses[n] == 2 ? 3 * bytes : bytes;
    if (enlarged && !b->enlarged)
        b->cost.spared_bytes += bytes;
}

static bool map_operands(builder *b, uint16_t n, uint16_t chain, sinter__value *v)
{
    const sinter__node *node = &b->g->nodes[n];
    uint8_t kind = sinter__op_info_of(node->op)->kind;
    if (kind == SINTER__KIND_GENERATE || kind == SINTER__KIND_RANDOM) {
        v->source[v->source_count] = add_index(b, node->out, chain);
        if (v->source[v->source_count++] == FULL)
            return false;
    }
    uint8_t work = kind == SINTER__KIND_RANDOM ? SINTER_U64 : v->work;
    for (int i = 0; i < node->in_count; i++) {
        v->source[v->source_count] = operand_value(b, node, i, work, chain);
        if (v->source[v->source_count++] == FULL)
            return false;
    }
    return true;
}

static uint16_t map_value(builder *b, uint16_t n, uint16_t chain)
{
    const sinter__node *node = &b->g->nodes[n];
    uint8_t dtype = b->g->tensors[node->out].dtype;
    if (sinter__op_info_of(node->op)->kind == SINTER__KIND_FILL)
        return add_scalar(b, node->in[0], dtype);
    const bool outer_again = b->again;
    const bool outer_enlarged = b->enlarged;
    bool again = b->uses[n]++ > 0;
    bool enlarged = enlarges(b, node->out, chain);
    count_repeated(b, n, again, enlarged);
    b->cost.operations++;
    sinter__value v = {.kind = SINTER__VALUE_MAP, .op = node->op, .dtype = dtype};
    v.work = work_dtype(b->g, node);
    b->again = again;
    b->enlarged = enlarged;
    bool fits = map_operands(b, n, chain, &v);
    b->again = outer_again;
    b->enlarged = outer_enlarged;
    if (!fits)
        return FULL;
    return add_value(b, node->out, chain, &v);
}

/* The value of a reduction is one per row: it can be seen from the kept axes only. */
static uint16_t reduce_value(builder *b, uint16_t n, uint16_t chain)
{
    const sinter__node *node = &b->g->nodes[n];
    if (chain != SINTER__CHAIN_END && !is_kept_chain(b, chain)) {
        b->cost.misplaced = true;
        return FULL;
    }
    chain = add_link(b, SINTER__LINK_REDUCED, b->members->root, SINTER__CHAIN_END);
    const uint16_t made = find_value(b, node->out, chain);
    if (made != NONE && chain != FULL)
        return made;
    sinter__value v = {.kind = SINTER__VALUE_REDUCE, .op = node->op, .source_count = 1};
    v.dtype = b->g->tensors[node->out].dtype;
    v.work = b->g->tensors[node->in[0]].dtype;
    const bool outer_enlarged = b->enlarged;
    b->enlarged = false;
    v.source[0] = chain != FULL ? value_of(b, node->in[0], SINTER__CHAIN_END) : FULL;
    b->enlarged = outer_enlarged;
    b->cost.operations++;
    b->cost.reductions += (uint32_t)sinter__state_of(&v).count;
    return v.source[0] == FULL ? FULL : add_value(b, node->out, chain, &v);
}

/* The value of a scan belongs to its element of the domain: no other element can have it. */
static uint16_t scan_value(builder *b, uint16_t n, uint16_t chain)
{
    const sinter__node *node = &b->g->nodes[n];
    if (chain != SINTER__CHAIN_END || b->members->form != SINTER__FORM_SCAN) {
        b->cost.misplaced = true;
        return FULL;
    }
    sinter__value v = {.kind = SINTER__VALUE_SCAN, .op = node->op, .source_count = 1};
    v.dtype = b->g->tensors[node->out].dtype;
    v.work = v.dtype;
    v.source[0] = value_of(b, node->in[0], chain);
    b->cost.operations++;
    b->cost.reductions++;
    return v.source[0] == FULL ? FULL : add_value(b, node->out, chain, &v);
}

/* The value of the product belongs to its element of the result. */
static uint16_t product_value(builder *b, uint16_t n, uint16_t chain)
{
    uint16_t own = add_link(b, SINTER__LINK_PRODUCT, b->members->root, SINTER__CHAIN_END);
    if (n == b->members->root && chain == own)
        return SINTER__VALUE_PRODUCT;
    b->cost.misplaced = true;
    return FULL;
}

static uint16_t made_value(builder *b, uint16_t tensor, uint16_t chain)
{
    uint16_t n = b->g->tensors[tensor].producer;
    const sinter__node *node = &b->g->nodes[n];
    sinter__kind kind = (sinter__kind)sinter__op_info_of(node->op)->kind;
    if (sinter__kind_reduces((uint8_t)kind))
        return reduce_value(b, n, chain);
    if (kind == SINTER__KIND_SCAN)
        return scan_value(b, n, chain);
    if (kind == SINTER__KIND_CONTRACT)
        return product_value(b, n, chain);
    if (kind == SINTER__KIND_UPDATE) { /* it is in memory, and nowhere else */
        b->cost.misplaced = true;
        return FULL;
    }
    if (kind != SINTER__KIND_VIEW)
        return map_value(b, n, chain);
    chain = add_link(b, SINTER__LINK_VIEW, n, chain);
    return chain == FULL ? FULL : value_of(b, node->in[0], chain);
}

static uint16_t value_of(builder *b, uint16_t tensor, uint16_t chain)
{
    chain = plain_chain(b, tensor, chain);
    const uint16_t made = find_value(b, tensor, chain);
    if (made != NONE)
        return made;
    uint16_t n = b->g->tensors[tensor].producer;
    if (n == SINTER__NO_NODE || b->members->is_loaded[tensor])
        return add_load(b, tensor, chain);
    bool is_view = sinter__op_info_of(b->g->nodes[n].op)->kind == SINTER__KIND_VIEW;
    if (!is_view && !b->members->is_member[n])
        return add_load(b, tensor, chain);
    return made_value(b, tensor, chain);
}

static bool add_store(builder *b, uint16_t value, uint16_t tensor, uint16_t chain)
{
    if (value == FULL || b->value_count == MAX_VALUES)
        return false;
    sinter__value v = {.kind = SINTER__VALUE_STORE, .dtype = b->g->tensors[tensor].dtype};
    v.work = v.dtype;
    v.source[v.source_count++] = value;
    v.access = add_access(b, tensor, chain, SINTER__ROLE_WRITE);
    return add_value(b, NO_TENSOR, chain, &v) != FULL;
}

/* From the result of UPDATE node `n` to what it replaces: by the views through which the graph looks at
 * that, where it does, so that what is read there is known to be what is written. */
static uint16_t replaced_chain(builder *b, uint16_t n)
{
    const sinter__node *node = &b->g->nodes[n];
    uint16_t chain = SINTER__CHAIN_END;
    uint16_t tensor = node->in_count == 3 ? node->in[2] : node->in[0];
    while (tensor != node->in[0]) {
        uint16_t view = b->g->tensors[tensor].producer;
        chain = view != SINTER__NO_NODE ? add_link(b, SINTER__LINK_VIEW, view, chain) : FULL;
        if (chain == FULL)
            break; /* what it looks at is not made here */
        tensor = b->g->nodes[view].in[0];
    }
    return chain != SINTER__CHAIN_END ? chain : add_link(b, SINTER__LINK_UPDATED, n, chain);
}

/* The result of an UPDATE: what it replaces of it, or all of what it changes, a copy. */
static bool store_update(builder *b, uint16_t tensor)
{
    uint16_t n = b->g->tensors[tensor].producer;
    const sinter__node *node = &b->g->nodes[n];
    bool replaces = b->members->is_member[n];
    uint16_t value = value_of(b, node->in[replaces ? 1 : 0], SINTER__CHAIN_END);
    uint16_t chain = replaces ? replaced_chain(b, n) : SINTER__CHAIN_END;
    b->cost.operations++;
    return (!replaces || chain != FULL) && add_store(b, value, tensor, chain);
}

static bool build_map(builder *b)
{
    for (uint16_t i = 0; i < b->members->store_count; i++) {
        /* A store may be seen in another shape of the same loop: [N,1] and [N]. */
        uint16_t tensor = b->members->stores[i];
        if (sinter__graph_updates(b->g, tensor)) {
            if (!store_update(b, tensor))
                return false;
            continue;
        }
        uint16_t value = made_value(b, tensor, SINTER__CHAIN_END);
        if (!add_store(b, value, tensor, SINTER__CHAIN_END))
            return false;
    }
    return true;
}

/* Stores over the domain, all with its axes. */
static bool build_scan(builder *b)
{
    for (uint16_t i = 0; i < b->members->store_count; i++) {
        uint16_t tensor = b->members->stores[i];
        b->cost.misplaced |= sinter__axes_of(b->g, tensor, b->members->root) != SINTER__AXES_SAME;
        uint16_t value = b->cost.misplaced ? FULL : made_value(b, tensor, SINTER__CHAIN_END);
        if (!add_store(b, value, tensor, SINTER__CHAIN_END))
            return false;
    }
    return true;
}

/* Stores over the domain, and over the axes of it that are kept. */
static bool build_reduce(builder *b)
{
    uint16_t kept = add_link(b, SINTER__LINK_REDUCED, b->members->root, SINTER__CHAIN_END);
    for (uint16_t i = 0; i < b->members->store_count; i++) {
        uint16_t tensor = b->members->stores[i];
        sinter__axes_kind kind = sinter__axes_of(b->g, tensor, b->members->root);
        uint16_t producer = b->g->tensors[tensor].producer;
        bool reduced = sinter__kind_reduces(sinter__op_info_of(b->g->nodes[producer].op)->kind);
        b->cost.misplaced |= kind == SINTER__AXES_OTHER;
        uint16_t chain = kind == SINTER__AXES_KEPT || reduced ? kept : SINTER__CHAIN_END;
        uint16_t value = b->cost.misplaced ? FULL : made_value(b, tensor, chain);
        if (!add_store(b, value, tensor, chain))
            return false;
    }
    return true;
}

/* An operand of the product is loaded, whoever makes it: through views alone. */
static uint16_t load_operand(builder *b, int i, sinter__link_kind side)
{
    uint16_t tensor = b->g->nodes[b->members->root].in[i];
    uint16_t chain = add_link(b, side, b->members->root, SINTER__CHAIN_END);
    for (;;) {
        uint16_t n = b->g->tensors[tensor].producer;
        if (chain == FULL || n == SINTER__NO_NODE || b->members->is_loaded[tensor] ||
            sinter__op_info_of(b->g->nodes[n].op)->kind != SINTER__KIND_VIEW)
            return chain == FULL ? FULL : add_load(b, tensor, chain);
        chain = add_link(b, SINTER__LINK_VIEW, n, chain);
        tensor = b->g->nodes[n].in[0];
    }
}

/* The product first, and then what is stored of it and of the elementwise work on it: all of its
 * shape. */
static bool build_contract(builder *b)
{
    uint16_t root = b->members->root;
    const sinter__node *node = &b->g->nodes[root];
    const sinter__view *out = &b->g->tensors[node->out].view;
    uint16_t chain = add_link(b, SINTER__LINK_PRODUCT, root, SINTER__CHAIN_END);
    sinter__value v = {.kind = SINTER__VALUE_REDUCE, .op = node->op, .source_count = 2};
    v.dtype = b->g->tensors[node->out].dtype;
    v.work = b->g->tensors[node->in[0]].dtype;
    v.source[0] = load_operand(b, 0, SINTER__LINK_LEFT);
    v.source[1] = load_operand(b, 1, SINTER__LINK_RIGHT);
    b->cost.operations++;
    if (v.source[0] == FULL || v.source[1] == FULL || add_value(b, node->out, chain, &v) == FULL)
        return false;
    for (uint16_t i = 0; i < b->members->store_count; i++) {
        uint16_t tensor = b->members->stores[i];
        const sinter__view *to = &b->g->tensors[tensor].view;
        b->cost.misplaced |= !sinter__shape_equal(to->rank, to->shape, out->rank, out->shape);
        uint16_t value = b->cost.misplaced ? FULL : made_value(b, tensor, chain);
        if (!add_store(b, value, tensor, chain))
            return false;
    }
    return true;
}

/* Most values alive at once, each from where it is made to its last use. */
static uint32_t live_values(const builder *b)
{
    uint16_t last[MAX_VALUES];
    for (uint16_t i = 0; i < b->value_count; i++) {
        last[i] = i;
        for (int k = 0; k < b->values[i].source_count; k++)
            last[b->values[i].source[k]] = i;
    }
    uint32_t live = 0;
    uint32_t most = 0;
    uint16_t ends[MAX_VALUES + 1];
    memset(ends, 0, sizeof ends);
    for (uint16_t i = 0; i < b->value_count; i++) {
        if (b->values[i].kind != SINTER__VALUE_ARG) {
            live++;
            ends[last[i]]++;
        }
        most = SINTER__MAX(most, live);
        live -= ends[i];
    }
    return most;
}

static sinter_status finish(builder *b, sinter__arena *arena, sinter__nest *out)
{
    *out = (sinter__nest){.form = (uint8_t)b->members->form, .root = b->members->root};
    out->phases = sinter__find_phases(b->values, b->value_count, b->accesses, b->links);
    for (uint16_t i = 0; i < b->value_count && out->form == SINTER__FORM_CONTRACT; i++)
        b->values[i].kept = SINTER__NOT_KEPT; /* one pass over the result has them all */
    if (out->form == SINTER__FORM_SCAN && out->phases > 1) {
        b->cost.misplaced = true;
        return sinter__fail(SINTER_EUNSUPPORTED, "a scan in a nest depends on another one");
    }
    out->domain = b->members->form == SINTER__FORM_MAP ? b->members->domain
                                                       : b->g->nodes[b->members->root].in[0];
    out->value_count = b->value_count;
    out->access_count = b->access_count;
    out->link_count = b->link_count;
    out->values = sinter__arena_copy(arena, b->values, b->value_count, sizeof *b->values);
    out->accesses = sinter__arena_copy(arena, b->accesses, b->access_count, sizeof *b->accesses);
    out->links = sinter__arena_copy(arena, b->links, b->link_count, sizeof *b->links);
    out->scalars = sinter__arena_array(arena, b->cost.scalars, sizeof *out->scalars);
    if (out->values == NULL || out->accesses == NULL || out->links == NULL || out->scalars == NULL)
        return SINTER_ENOMEM;
    for (uint16_t i = 0; i < b->value_count; i++) {
        if (b->values[i].kind == SINTER__VALUE_ARG)
            out->scalars[out->scalar_count++] = b->values[i].scalar;
    }
    return SINTER_OK;
}

sinter_status sinter__nest_build(sinter__arena *arena, const sinter__graph *g,
                                 const sinter__nest_members *members, sinter__nest *out,
                                 sinter__nest_cost *cost)
{
    sinter__allocator *a = g->allocator;
    size_t use_bytes = g->node_count * sizeof(uint16_t);
    const size_t count = SINTER__MAX(g->tensor_count, g->node_count); /* links refer to either */
    const size_t last_bytes = 2 * count * sizeof(uint16_t);
    builder *b = sinter__alloc(a, sizeof *b);
    uint16_t *uses = sinter__alloc(a, use_bytes);
    uint16_t *last = sinter__alloc(a, last_bytes);
    bool fine = b != NULL && uses != NULL && last != NULL;
    sinter_status status = fine ? SINTER_OK : SINTER_ENOMEM;
    if (status == SINTER_OK) {
        b->g = g;
        b->members = members;
        b->uses = uses;
        b->last_value = last;
        b->last_link = last + count;
        bool fits = members->form == SINTER__FORM_MAP      ? build_map(b)
                    : members->form == SINTER__FORM_REDUCE ? build_reduce(b)
                    : members->form == SINTER__FORM_SCAN   ? build_scan(b)
                                                           : build_contract(b);
        status =
            fits ? finish(b, arena, out)
                 : sinter__fail(SINTER_EUNSUPPORTED, "a nest has more than %d values or %d views",
                                MAX_VALUES, MAX_LINKS);
        b->cost.live = live_values(b);
        *cost = b->cost;
    }
    sinter__free(a, b, sizeof *b);
    sinter__free(a, uses, use_bytes);
    sinter__free(a, last, last_bytes);
    return status;
}

/* Views by binding */

/* What has the axes that a reduction keeps, alone or among all, seen along all axes of its input. */
static sinter__view reduced_view(const sinter__graph *g, const sinter__node *node,
                                 const sinter__view *v)
{
    const sinter__view *in = &g->tensors[node->in[0]].view;
    bool keep = v->rank == in->rank;
    sinter__view out = {.rank = in->rank, .offset = v->offset};
    int from = 0;
    for (int i = 0; i < in->rank; i++) {
        bool gone = (node->attr >> i & 1) != 0;
        out.shape[i] = in->shape[i];
        out.strides[i] = gone ? 0 : v->strides[from];
        from += !gone || keep;
    }
    return out;
}

/* An operand or the result of a matrix product on the domain [batch..., m, n, k]. `rows` and
 * `columns` are the domain axes (0: m, 1: n, 2: k) of the last two axes of `v`. */
static sinter__view product_view(const sinter__graph *g, const sinter__node *node,
                                 const sinter__view *v, int rows, int columns)
{
    const sinter__view *a = &g->tensors[node->in[0]].view;
    const sinter__view *c = &g->tensors[node->out].view;
    int batch = c->rank - 2;
    sinter__view out = {.rank = batch + 3, .offset = v->offset};
    int lead = c->rank - v->rank;
    for (int i = 0; i < batch; i++) {
        out.shape[i] = c->shape[i];
        bool kept = i >= lead && v->shape[i - lead] == c->shape[i];
        out.strides[i] = kept ? v->strides[i - lead] : 0;
    }
    out.shape[batch] = c->shape[batch];
    out.shape[batch + 1] = c->shape[batch + 1];
    out.shape[batch + 2] = a->shape[a->rank - 1];
    out.strides[batch + rows] = v->strides[v->rank - 2];
    out.strides[batch + columns] = v->strides[v->rank - 1];
    return out;
}

static bool follow_link(const sinter__graph *g, const sinter__link *link, const sinter__view *in,
                        sinter__view *out)
{
    const sinter__view *to;
    switch ((sinter__link_kind)link->kind) {
    case SINTER__LINK_VIEW:
        return sinter__node_view(g, &g->nodes[link->ref], in, out);
    case SINTER__LINK_EXPAND:
        to = &g->tensors[link->ref].view;
        *out = sinter__view_expand(in, to->rank, to->shape);
        return true;
    case SINTER__LINK_UPDATED:
        sinter__update_view(g, &g->nodes[link->ref], in, out);
        return true;
    case SINTER__LINK_REDUCED:
        *out = reduced_view(g, &g->nodes[link->ref], in);
        return true;
    case SINTER__LINK_LEFT:
        *out = product_view(g, &g->nodes[link->ref], in, 0, 2);
        return true;
    case SINTER__LINK_RIGHT:
        *out = product_view(g, &g->nodes[link->ref], in, 2, 1);
        return true;
    default:
        *out = product_view(g, &g->nodes[link->ref], in, 0, 1);
        return true;
    }
}

bool sinter__access_view(const sinter__graph *g, const sinter__nest *nest,
                         const sinter__access *access, sinter__view *out)
{
    const sinter__view *own = &g->tensors[access->tensor].view;
    *out = *own;
    if (access->role == SINTER__ROLE_INDEX)
        *out = sinter__view_packed(own->rank, own->shape);
    for (uint16_t i = access->chain; i != SINTER__CHAIN_END; i = nest->links[i].next) {
        sinter__view in = *out;
        if (!follow_link(g, &nest->links[i], &in, out))
            return false;
    }
    return true;
}
