/* Interpreting nests: values are computed for a block of points at a time, an array per value.
 *
 * It is slow and plain on purpose: it defines what the devices have to give. It shares the op
 * table, the library functions and the bound accesses with them, and nothing of lowering,
 * scheduling or text. */
#include "executor/host/host_nest.h"

#include "executor/host/host_ops.h"
#include "executor/host/host_state.h"
#include "fusion/nest/phase.h"
#include "fusion/nest/tree.h"

#include <string.h>

#define BLOCK SINTER__HOST_WIDTH /* points; a multiple of SINTER__TREE_LANES */

typedef struct interpreter {
    const sinter__nest *nest;
    const sinter__bound_nest *bound;
    const sinter__operands *operands;
    uint64_t (*values)[BLOCK]; /* registers, by value */
    int64_t *base;             /* by access: offset from the axes that are fixed */
    char *partials; /* of each number of a reduction: a row of BLOCK registers per part */
    bool per_row[SINTER__NEST_VALUES]; /* REDUCE: by value, whether a row has one of it */
} interpreter;

static sinter__class class_of(uint8_t dtype)
{
    return (sinter__class)sinter__dtype((sinter_dtype)dtype)->class_;
}

/* Points */

/* Offsets of `n` points of `access` from the `first`-th on along axes [from, to), in row-major
 * order. */
static void find_offsets(const interpreter *in, uint16_t access, int from, int to, int64_t first,
                         size_t n, int64_t *out)
{
    const int64_t *stride = in->bound->accesses[access].stride;
    const int64_t *extent = in->bound->extent;
    int64_t at[SINTER__NEST_RANK] = {0};
    int64_t offset = in->base[access];
    for (int i = to - 1; i >= from; i--) {
        at[i] = first % extent[i];
        first /= extent[i];
        offset += at[i] * stride[i];
    }
    for (size_t p = 0; p < n; p++) {
        out[p] = offset;
        for (int i = to - 1; i >= from; i--) {
            offset += stride[i];
            if (++at[i] < extent[i])
                break;
            offset -= at[i] * stride[i];
            at[i] = 0;
        }
    }
}

/* Fixes the axes [0, to) at the `row`-th element of them. */
static void fix_axes(interpreter *in, int to, int64_t row)
{
    for (uint16_t a = 0; a < in->nest->access_count; a++) {
        in->base[a] = 0;
        find_offsets(in, a, 0, to, row, 1, &in->base[a]);
    }
}

static const char *memory_of(const interpreter *in, uint16_t access)
{
    const sinter__access *x = &in->nest->accesses[access];
    const sinter__address *at = &in->operands->tensors[x->tensor];
    int64_t bytes = (int64_t)sinter_dtype_bytes((sinter_dtype)x->dtype);
    return (const char *)at->memory + at->offset_bytes + in->bound->accesses[access].offset * bytes;
}

static char *writable_memory(const interpreter *in, uint16_t access)
{
    const sinter__access *x = &in->nest->accesses[access];
    const sinter__address *at = &in->operands->tensors[x->tensor];
    int64_t bytes = (int64_t)sinter_dtype_bytes((sinter_dtype)x->dtype);
    return (char *)at->memory + at->offset_bytes + in->bound->accesses[access].offset * bytes;
}

/* Values */

static void fill_registers(void *out, sinter__class c, uint64_t bits, size_t n)
{
    size_t bytes = sinter__host_register_bytes(c);
    for (size_t i = 0; i < n; i++)
        memcpy((char *)out + i * bytes, &bits, bytes);
}

static void compute_map(interpreter *in, const sinter__value *v, size_t n, void *out)
{
    const sinter__op_info *info = sinter__op_info_of(v->op);
    const void *operand[SINTER__MAX_OPERANDS] = {NULL};
    uint64_t index[BLOCK];
    for (int i = 0; i < v->source_count; i++)
        operand[i] = in->values[v->source[i]];
    if (info->kind == SINTER__KIND_CAST) {
        sinter__host_cast(n, (sinter_dtype)v->work, (sinter_dtype)v->dtype, operand[0], out);
        return;
    }
    if (info->kind == SINTER__KIND_GENERATE) {
        sinter__host_index(n, (sinter_dtype)v->dtype, operand[0], index);
        operand[0] = index;
    }
    sinter__class c = class_of(v->op == SINTER__OP_WHERE ? v->dtype : v->work);
    sinter__host_apply((sinter__op)v->op, c, n, operand, out);
    if (info->kind != SINTER__KIND_COMPARE)
        sinter__host_settle(n, (sinter_dtype)v->dtype, out);
}

/* Points: `n` from the `first`-th on along axes [from, to). */
typedef struct points {
    int from, to;
    int64_t first;
    size_t n;
} points;

/* Computes the values of phases up to `phase` for some points: all, or those alone that a row has
 * one of. Reductions are there already. */
static void compute(interpreter *in, const points *at, uint8_t phase, bool rows_only)
{
    int from = at->from;
    int to = at->to;
    int64_t first = at->first;
    size_t n = at->n;
    int64_t offsets[BLOCK];
    bool is_product = in->nest->form == SINTER__FORM_CONTRACT; /* it loads its operands itself */
    for (uint16_t i = is_product ? SINTER__VALUE_PRODUCT : 0; i < in->nest->value_count; i++) {
        const sinter__value *v = &in->nest->values[i];
        void *out = in->values[i];
        if (v->phase > phase || (rows_only && !in->per_row[i]))
            continue;
        switch ((sinter__value_kind)v->kind) {
        case SINTER__VALUE_LOAD:
            find_offsets(in, v->access, from, to, first, n, offsets);
            sinter__host_load(n, (sinter_dtype)v->dtype, memory_of(in, v->access), offsets, out);
            break;
        case SINTER__VALUE_INDEX:
            find_offsets(in, v->access, from, to, first, n, offsets);
            for (size_t p = 0; p < n; p++)
                in->values[i][p] = (uint64_t)(in->bound->accesses[v->access].offset + offsets[p]);
            break;
        case SINTER__VALUE_ARG:
            fill_registers(out, class_of(v->dtype), in->operands->scalars[v->scalar], n);
            break;
        case SINTER__VALUE_MAP:
            compute_map(in, v, n, out);
            break;
        default:
            break;
        }
    }
}

static void store(interpreter *in, const sinter__value *v, const void *values, const points *at)
{
    int64_t offsets[BLOCK];
    find_offsets(in, v->access, at->from, at->to, at->first, at->n, offsets);
    sinter__host_store(at->n, (sinter_dtype)v->dtype, values, offsets,
                       writable_memory(in, v->access));
}

/* Stores of phase `phase` that are made once per row, or once per element of it. Loads of the points
 * have come before: an output may lie where an input dies. */
static void store_all(interpreter *in, const points *at, uint8_t phase, bool per_row)
{
    for (uint16_t i = 0; i < in->nest->value_count; i++) {
        const sinter__value *v = &in->nest->values[i];
        if (v->kind == SINTER__VALUE_STORE && v->phase == phase && in->per_row[i] == per_row)
            store(in, v, in->values[v->source[0]], at);
    }
}

static void run_map(interpreter *in)
{
    for (int64_t first = 0; first < in->bound->parallel; first += BLOCK) {
        size_t n = (size_t)SINTER__MIN(in->bound->parallel - first, (int64_t)BLOCK);
        const points at = {.to = in->bound->parallel_rank, .first = first, .n = n};
        compute(in, &at, 0, false);
        store_all(in, &at, 0, false);
    }
}

/* Reductions */

/* How two partial results become one. */
typedef struct combination {
    sinter__op op;
    sinter__class c;
} combination;

static void combine_into(combination combine, size_t n, void *x, const void *y)
{
    sinter__host_apply(combine.op, combine.c, n, (const void *[]){x, y, NULL}, x);
}

/* The tree of fusion/nest/tree.h over rows of `width` registers. */
static void run_tree(combination combine, char *rows, int64_t count, size_t width)
{
    size_t row_bytes = width * sinter__host_register_bytes(combine.c);
    while (count > 1) {
        int64_t step = sinter__tree_step(count);
        for (int64_t i = 0; i + step < count; i++) {
            char *x = rows + (size_t)i * row_bytes;
            combine_into(combine, width, x, rows + (size_t)(i + step) * row_bytes);
        }
        count = step;
    }
}

static void finish_reduction(const interpreter *in, const sinter__value *v, void *values, size_t n)
{
    if (v->op == SINTER__OP_MEAN && v->dtype == SINTER_F64) {
        for (size_t i = 0; i < n; i++)
            ((double *)values)[i] /= (double)in->bound->reduced;
    } else if (v->op == SINTER__OP_MEAN) {
        for (size_t i = 0; i < n; i++)
            ((float *)values)[i] /= (float)in->bound->reduced;
    }
    sinter__host_settle(n, (sinter_dtype)v->dtype, values);
}

/* A reduction: of one number, or of a state (fusion/nest/state.h), which is of two passes. */
typedef struct reduction {
    uint16_t value;
    sinter__state state;
    combination combine;                       /* of elements */
    combination add;                           /* of terms */
    char *numbers[SINTER__STATE_NUMBERS];      /* by part */
    sinter__host_row acc[SINTER__STATE_TERMS]; /* of the pass at hand */
    sinter__host_row first;                    /* what the first pass gave */
} reduction;

/* The reductions of a phase, and the numbers that all have in common. */
typedef struct reductions {
    reduction of[SINTER__MAX_REDUCTIONS];
    int count;
    uint8_t loop;              /* that gives them */
    int first_axis, last_axis; /* reduced */
    int64_t parts;
    bool has_states;
} reductions;

static size_t number_bytes(const reduction *r, int k)
{
    return sinter__host_register_bytes(class_of(r->state.dtype[k]));
}

/* Number `k` of the state of part `part`, of `n` columns. */
static char *number_of(const reduction *r, int k, int64_t part, size_t n)
{
    return r->numbers[k] + (size_t)part * n * number_bytes(r, k);
}

static void find_reductions(const interpreter *in, uint8_t loop, reductions *out)
{
    char *at = in->partials;
    out->loop = loop;
    out->count = 0;
    out->has_states = false;
    out->first_axis = in->bound->parallel_rank;
    out->last_axis = out->first_axis + in->bound->reduced_rank;
    out->parts = sinter__tree_parts(in->bound->reduced, in->bound->last_reduced);
    for (uint16_t i = 0; i < in->nest->value_count; i++) {
        const sinter__value *v = &in->nest->values[i];
        if (v->kind != SINTER__VALUE_REDUCE || v->phase != loop + 1)
            continue;
        reduction *r = &out->of[out->count++];
        r->value = i;
        r->state = sinter__state_of(v);
        r->combine = (combination){(sinter__op)r->state.first_op, class_of(r->state.dtype[0])};
        r->add = (combination){(sinter__op)r->state.term_op, class_of(r->state.term_dtype)};
        out->has_states |= sinter__has_state(v);
        for (int k = 0; k < r->state.count; k++) {
            r->numbers[k] = at;
            at += (size_t)out->parts * sizeof(sinter__host_row);
        }
    }
}

/* What the reduction gives for no elements. */
static void fill_nothing(sinter__op op, sinter__class c, void *out, size_t n)
{
    uint64_t one = 1;
    const float one_f32 = 1;
    const double one_f64 = 1;
    if (c == SINTER__CLASS_F32)
        memcpy(&one, &one_f32, sizeof one_f32);
    if (c == SINTER__CLASS_F64)
        memcpy(&one, &one_f64, sizeof one_f64);
    bool is_1 = (sinter__op_info_of(op)->flags & SINTER__FROM_1) != 0;
    fill_registers(out, c, is_1 ? one : 0, n);
}

static void fold_into(combination combine, void *into, const void *x, bool first, size_t n)
{
    if (first)
        memcpy(into, x, n * sinter__host_register_bytes(combine.c));
    else
        combine_into(combine, n, into, x);
}

/* A pass over a part: of a row, 64 neighbours at a time, or of columns side by side. */
typedef struct pass {
    int64_t start, length;
    const points *columns; /* NULL: of a row */
    bool is_first;         /* of two */
} pass;

/* Elements of the part from `at` on, or element `at` of each column. The first start the sequence. */
static void fold(const interpreter *in, reduction *r, const pass *p, int64_t at, size_t n)
{
    const sinter__value *v = &in->nest->values[r->value];
    const void *x = in->values[v->source[0]];
    if (p->is_first || r->state.kind == SINTER__STATE_NONE) {
        fold_into(r->combine, r->acc[0], x, at == 0, n);
        return;
    }
    sinter__host_row terms[SINTER__STATE_TERMS];
    sinter__host_terms(v, n, x, r->first, at, p->columns == NULL ? 1 : 0, terms);
    for (int k = 0; k < r->state.terms; k++)
        fold_into(r->add, r->acc[k], terms[k], at == 0, n);
}

/* Offsets of all accesses from one element of the reduced axes. */
static void fix_element(interpreter *in, const reductions *all, int64_t element)
{
    for (uint16_t a = 0; a < in->nest->access_count; a++) {
        in->base[a] = 0;
        find_offsets(in, a, all->first_axis, all->last_axis, element, 1, &in->base[a]);
    }
}

static void walk_elements(interpreter *in, reductions *all, const pass *p)
{
    int64_t step = p->columns == NULL ? SINTER__TREE_LANES : 1;
    for (int64_t from = 0; from < p->length; from += step) {
        points at = {all->first_axis, all->last_axis, p->start + from,
                     (size_t)SINTER__MIN(p->length - from, step)};
        if (p->columns != NULL) {
            at = *p->columns;
            fix_element(in, all, p->start + from);
        }
        compute(in, &at, all->loop, false);
        if (!p->is_first)
            store_all(in, &at, all->loop, false);
        for (int i = 0; i < all->count; i++) {
            if (!p->is_first || all->of[i].state.kind != SINTER__STATE_NONE)
                fold(in, &all->of[i], p, from, at.n);
        }
    }
}

/* The trees over the partials of a row. */
static void fold_partials(reduction *r, const pass *p)
{
    int64_t partials = SINTER__MIN(p->length, (int64_t)SINTER__TREE_LANES);
    bool elements = p->is_first || r->state.kind == SINTER__STATE_NONE;
    for (int k = 0; k < (elements ? 1 : r->state.terms) && p->columns == NULL; k++)
        run_tree(elements ? r->combine : r->add, (char *)r->acc[k], partials, 1);
}

/* What the terms are made with: one for all elements of a row. */
static void finish_first(reduction *r, const pass *p)
{
    size_t n = p->columns != NULL ? p->columns->n : 1;
    uint64_t bits = 0;
    fold_partials(r, p);
    sinter__host_first(&r->state, n, p->length, r->acc[0]);
    memcpy(r->first, r->acc[0], n * number_bytes(r, 0));
    memcpy(&bits, r->first, number_bytes(r, 0));
    if (p->columns == NULL)
        fill_registers(r->first, r->combine.c, bits, BLOCK);
}

/* The tree of fusion/nest/tree.h over the parts' states. */
static void merge_parts(const interpreter *in, const reduction *r, int64_t parts, size_t n)
{
    while (parts > 1) {
        int64_t step = sinter__tree_step(parts);
        for (int64_t i = 0; i + step < parts; i++) {
            void *a[SINTER__STATE_NUMBERS];
            void *b[SINTER__STATE_NUMBERS];
            for (int k = 0; k < r->state.count; k++) {
                a[k] = number_of(r, k, i, n);
                b[k] = number_of(r, k, i + step, n);
            }
            sinter__host_merge(&in->nest->values[r->value], n, a, b);
        }
        parts = step;
    }
}

/* The tree over the parts, and the results as the values of `n` columns, or of one row for every
 * point. */
static void finish_parts(interpreter *in, const reductions *all, size_t n, bool is_row)
{
    for (int i = 0; i < all->count; i++) {
        const reduction *r = &all->of[i];
        int last = r->state.count - 1;
        char *result = r->numbers[last];
        uint64_t bits = 0;
        if (r->state.kind == SINTER__STATE_NONE)
            run_tree(r->combine, result, all->parts, n);
        else
            merge_parts(in, r, all->parts, n);
        finish_reduction(in, &in->nest->values[r->value], result, n);
        memcpy(in->values[r->value], result, n * number_bytes(r, last));
        memcpy(&bits, result, number_bytes(r, last));
        if (is_row)
            fill_registers(in->values[r->value], class_of(r->state.dtype[last]), bits, BLOCK);
    }
}

/* What the passes over part `part` came to. */
static void finish_part(const interpreter *in, reduction *r, const pass *p, int64_t part)
{
    const sinter__value *v = &in->nest->values[r->value];
    size_t n = p->columns != NULL ? p->columns->n : 1;
    void *numbers[SINTER__STATE_NUMBERS];
    for (int k = 0; k < r->state.count; k++) {
        numbers[k] = number_of(r, k, part, n);
        fill_nothing((sinter__op)v->op, class_of(r->state.dtype[k]), numbers[k], n);
    }
    if (p->length == 0)
        return;
    fold_partials(r, p);
    if (r->state.kind == SINTER__STATE_NONE)
        memcpy(number_of(r, 0, part, n), r->acc[0], n * number_bytes(r, 0));
    else
        sinter__host_state(v, n, r->first, r->acc, p->start, p->length, numbers);
}

/* A row, in chunks of 64 interleaved partials, or a block of columns, in runs. */
static void walk(interpreter *in, reductions *all, const points *columns)
{
    int64_t size = columns == NULL ? SINTER__TREE_CHUNK : SINTER__TREE_RUN;
    for (int64_t part = 0; part < all->parts; part++) {
        pass p = {.start = part * size, .columns = columns};
        p.length = SINTER__MIN(in->bound->reduced - p.start, size);
        p.is_first = all->has_states && p.length > 0;
        if (p.is_first)
            walk_elements(in, all, &p);
        for (int i = 0; i < all->count && p.is_first; i++) {
            if (all->of[i].state.kind != SINTER__STATE_NONE)
                finish_first(&all->of[i], &p);
        }
        p.is_first = false;
        walk_elements(in, all, &p);
        for (int i = 0; i < all->count; i++)
            finish_part(in, &all->of[i], &p, part);
    }
    finish_parts(in, all, columns != NULL ? columns->n : 1, columns == NULL);
}

/* Every phase of one row. */
static void reduce_row(interpreter *in, int64_t row)
{
    reductions all;
    const points one = {.n = 1};
    fix_axes(in, in->bound->parallel_rank, row);
    for (uint8_t loop = 0; loop <= in->nest->phases; loop++) {
        compute(in, &one, loop, true);
        store_all(in, &one, loop, true);
        find_reductions(in, loop, &all);
        walk(in, &all, NULL);
    }
}

/* Every phase of a block of columns. */
static void reduce_columns(interpreter *in, int64_t first, size_t n)
{
    reductions all;
    const points columns = {.to = in->bound->parallel_rank, .first = first, .n = n};
    for (uint8_t loop = 0; loop <= in->nest->phases; loop++) {
        memset(in->base, 0, in->nest->access_count * sizeof *in->base);
        compute(in, &columns, loop, true);
        store_all(in, &columns, loop, true);
        find_reductions(in, loop, &all);
        walk(in, &all, &columns);
    }
}

static void run_reduce(interpreter *in)
{
    bool varies[SINTER__NEST_VALUES];
    for (uint16_t a = 0; a < in->nest->access_count; a++)
        varies[a] = sinter__bound_varies(in->bound, a);
    sinter__find_per_row(in->nest, varies, in->per_row);
    int64_t step = in->bound->last_reduced ? 1 : BLOCK;
    for (int64_t first = 0; first < in->bound->parallel; first += step) {
        if (in->bound->last_reduced)
            reduce_row(in, first);
        else
            reduce_columns(in, first,
                           (size_t)SINTER__MIN(in->bound->parallel - first, (int64_t)BLOCK));
    }
}

/* Scans */

/* What a scan knows between blocks: of each level (blocks, groups of them, ...) what is before the one
 * at hand in its group, and the carry of that group. */
typedef struct scan {
    uint16_t value;
    combination combine;
    size_t register_bytes;
    uint64_t before[SINTER__SCAN_LEVELS + 1];
    uint64_t carry[SINTER__SCAN_LEVELS + 1];
} scan;

static int find_scans(const interpreter *in, scan *out)
{
    int count = 0;
    for (uint16_t i = 0; i < in->nest->value_count; i++) {
        const sinter__value *v = &in->nest->values[i];
        if (v->kind != SINTER__VALUE_SCAN)
            continue;
        scan *s = &out[count++];
        *s = (scan){.value = i, .combine = {(sinter__op)v->op, class_of(v->dtype)}};
        s->register_bytes = sinter__host_register_bytes(s->combine.c);
    }
    return count;
}

/* first op= second, in that order. */
static void append(const scan *s, uint64_t *first, const uint64_t *second)
{
    combine_into(s->combine, 1, first, second);
}

/* The carry of block `block` > 0, `total` being the total of the one before: of level 0, and of the
 * groups above that begin with it. */
static void next_carry(scan *s, int64_t block, uint64_t total)
{
    int level = 0;
    for (; block % SINTER__SCAN_BLOCK == 0; block /= SINTER__SCAN_BLOCK) {
        append(s, &s->before[level], &total);
        total = s->before[level++];
    }
    if (block % SINTER__SCAN_BLOCK == 1)
        s->before[level] = total;
    else
        append(s, &s->before[level], &total);
    uint64_t carry = s->before[level];
    if (block > SINTER__SCAN_BLOCK) {
        carry = s->carry[level + 1];
        append(s, &carry, &s->before[level]);
    }
    for (; level >= 0; level--)
        s->carry[level] = carry;
}

/* `n` elements from `begin` on: one block of every scan. */
static void scan_block(interpreter *in, scan *s, int64_t begin, size_t n)
{
    const void *x = in->values[in->nest->values[s->value].source[0]];
    char *out = (char *)in->values[s->value];
    uint64_t sum[BLOCK] = {0};
    for (size_t i = 0; i < n; i++) {
        uint64_t element = 0;
        memcpy(&element, (const char *)x + i * s->register_bytes, s->register_bytes);
        sum[i] = element;
        if (i > 0) {
            sum[i] = sum[i - 1];
            append(s, &sum[i], &element);
        }
        uint64_t result = sum[i];
        if (begin > 0) {
            result = s->carry[0];
            append(s, &result, &sum[i]);
        }
        memcpy(out + i * s->register_bytes, &result, s->register_bytes);
    }
    sinter__host_settle(n, (sinter_dtype)in->nest->values[s->value].dtype, out);
    next_carry(s, begin / SINTER__SCAN_BLOCK + 1, sum[n - 1]);
}

static void run_scan(interpreter *in)
{
    scan scans[SINTER__MAX_REDUCTIONS];
    const int axis = in->bound->parallel_rank;
    for (int64_t row = 0; row < in->bound->parallel; row++) {
        int count = find_scans(in, scans);
        fix_axes(in, axis, row);
        for (int64_t begin = 0; begin < in->bound->reduced; begin += SINTER__SCAN_BLOCK) {
            size_t n = (size_t)SINTER__MIN(in->bound->reduced - begin, (int64_t)SINTER__SCAN_BLOCK);
            const points at = {axis, axis + 1, begin, n};
            compute(in, &at, 0, false);
            for (int i = 0; i < count; i++)
                scan_block(in, &scans[i], begin, n);
            compute(in, &at, 1, false);
            store_all(in, &at, 0, false);
            store_all(in, &at, 1, false);
        }
    }
}

/* Products */

typedef struct product {
    const sinter__value *value, *left, *right;
    combination add;
    sinter__class c;
    int n_axis, k_axis;
} product;

/* `n` neighbouring results of one row: chunk sums of fma in sequence, added in order. */
static void product_block(interpreter *in, const product *p, int64_t first, size_t n)
{
    uint64_t total[BLOCK] = {0};
    uint64_t sum[BLOCK];
    uint64_t a[BLOCK];
    uint64_t b[BLOCK];
    int64_t offsets[BLOCK];
    int64_t step = in->bound->accesses[p->right->access].stride[p->k_axis];
    int64_t left_step = in->bound->accesses[p->left->access].stride[p->k_axis];
    size_t total_bytes = n * sinter__host_register_bytes(p->c);
    find_offsets(in, p->right->access, p->n_axis, p->n_axis + 1, first, n, offsets);
    for (int64_t begin = 0; begin < in->bound->reduced; begin += SINTER__PRODUCT_CHUNK) {
        int64_t end = SINTER__MIN(begin + SINTER__PRODUCT_CHUNK, in->bound->reduced);
        memset(sum, 0, total_bytes);
        for (int64_t k = begin; k < end; k++) {
            int64_t at[BLOCK];
            int64_t left_at = in->base[p->left->access] + k * left_step;
            for (size_t i = 0; i < n; i++)
                at[i] = offsets[i] + k * step;
            sinter__host_load(n, (sinter_dtype)p->right->dtype, memory_of(in, p->right->access), at,
                              b);
            sinter__host_load(1, (sinter_dtype)p->left->dtype, memory_of(in, p->left->access),
                              &left_at, a);
            uint64_t bits = 0;
            memcpy(&bits, a, sinter__host_register_bytes(p->c));
            fill_registers(a, p->c, bits, n);
            sinter__host_apply(SINTER__OP_MATMUL, p->c, n, (const void *[]){a, b, sum}, sum);
        }
        combine_into(p->add, n, total, sum);
    }
    sinter__host_settle(n, (sinter_dtype)p->value->dtype, total);
    memcpy(in->values[SINTER__VALUE_PRODUCT], total, total_bytes);
    const points at = {p->n_axis, p->n_axis + 1, first, n};
    compute(in, &at, p->value->phase, false);
    for (uint8_t phase = 0; phase <= p->value->phase; phase++)
        store_all(in, &at, phase, false);
}

static void run_product(interpreter *in)
{
    const sinter__value *values = in->nest->values;
    product p = {.value = &values[SINTER__VALUE_PRODUCT],
                 .left = &values[SINTER__VALUE_LEFT],
                 .right = &values[SINTER__VALUE_RIGHT]};
    p.c = class_of(p.value->dtype);
    p.add.op = p.c == SINTER__CLASS_BOOL ? SINTER__OP_LOGICAL_OR : SINTER__OP_ADD;
    p.add.c = p.c;
    p.k_axis = in->bound->parallel_rank;
    p.n_axis = p.k_axis - 1;
    int64_t columns = in->bound->extent[p.n_axis];
    for (int64_t row = 0; row < in->bound->parallel / columns; row++) {
        fix_axes(in, p.n_axis, row);
        for (int64_t first = 0; first < columns; first += BLOCK)
            product_block(in, &p, first, (size_t)SINTER__MIN(columns - first, (int64_t)BLOCK));
    }
}

sinter_status sinter__host_run(sinter__host_scratch *scratch, const sinter__launch *launch,
                               const sinter__operands *operands)
{
    const sinter__nest *nest = launch->nest;
    const sinter__bound_nest *bound = launch->bound;
    if (launch->index > 0 || bound->parallel == 0)
        return SINTER_OK;
    size_t value_bytes = nest->value_count * sizeof(uint64_t[BLOCK]);
    size_t base_bytes = nest->access_count * sizeof(int64_t);
    size_t number_count = 0;
    for (uint16_t i = 0; i < nest->value_count; i++) {
        if (nest->values[i].kind == SINTER__VALUE_REDUCE)
            number_count += sinter__state_of(&nest->values[i]).count;
    }
    size_t part_bytes = 0;
    if (nest->form == SINTER__FORM_REDUCE)
        part_bytes = number_count * sizeof(sinter__host_row) *
                     (size_t)sinter__tree_parts(bound->reduced, bound->last_reduced);
    SINTER_TRY(sinter__grow(scratch->allocator, &scratch->memory, &scratch->capacity,
                            value_bytes + base_bytes + part_bytes, 1));
    char *memory = scratch->memory;
    interpreter in = {.nest = nest,
                      .bound = bound,
                      .operands = operands,
                      .values = (void *)memory,
                      .base = (void *)(memory + value_bytes),
                      .partials = memory + value_bytes + base_bytes};
    memset(in.base, 0, base_bytes);
    if (nest->form == SINTER__FORM_MAP)
        run_map(&in);
    else if (nest->form == SINTER__FORM_REDUCE)
        run_reduce(&in);
    else if (nest->form == SINTER__FORM_SCAN)
        run_scan(&in);
    else
        run_product(&in);
    return SINTER_OK;
}
