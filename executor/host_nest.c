/* Interpreting nests: values are computed for a block of points at a time, an array per value.
 *
 * It is slow and plain on purpose: it defines what the devices have to give. It shares the op
 * table, the library functions and the bound accesses with them, and nothing of lowering,
 * scheduling or text. */
#include "executor/host_nest.h"

#include "executor/host_ops.h"
#include "fusion/tree.h"

#include <string.h>

#define BLOCK 128 /* points; a multiple of SINTER__TREE_LANES */

typedef struct interpreter {
    const sinter__nest *nest;
    const sinter__bound_nest *bound;
    const sinter__operands *operands;
    uint64_t (*values)[BLOCK]; /* registers, by value */
    int64_t *base;             /* by access: offset from the axes that are fixed */
    char *partials;            /* of a reduction: a row of BLOCK registers per part */
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

/* Computes every value for `n` points from the `first`-th on along axes [from, to), and stores
 * those that are stored along with the elementwise ones. */
static void compute(interpreter *in, int from, int to, int64_t first, size_t n)
{
    int64_t offsets[BLOCK];
    for (uint16_t i = 0; i < in->nest->value_count; i++) {
        const sinter__value *v = &in->nest->values[i];
        void *out = in->values[i];
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

static void store(interpreter *in, const sinter__value *v, const void *values, int from, int to,
                  int64_t first, size_t n)
{
    int64_t offsets[BLOCK];
    find_offsets(in, v->access, from, to, first, n, offsets);
    sinter__host_store(n, (sinter_dtype)v->dtype, values, offsets, writable_memory(in, v->access));
}

/* Loads of a block come before its stores: an output may lie where an input dies. */
static void run_map(interpreter *in)
{
    int rank = in->bound->parallel_rank;
    for (int64_t first = 0; first < in->bound->parallel; first += BLOCK) {
        size_t n = (size_t)SINTER__MIN(in->bound->parallel - first, (int64_t)BLOCK);
        compute(in, 0, rank, first, n);
        for (uint16_t i = 0; i < in->nest->value_count; i++) {
            const sinter__value *v = &in->nest->values[i];
            if (v->kind == SINTER__VALUE_STORE)
                store(in, v, in->values[v->source[0]], 0, rank, first, n);
        }
    }
}

/* Reductions */

/* The value of that kind, of which a nest of the form has one. */
static const sinter__value *find_value(const interpreter *in, sinter__value_kind kind)
{
    const sinter__value *v = in->nest->values;
    while (v->kind != kind)
        v++;
    return v;
}

/* How two partial results become one. */
typedef struct combination {
    sinter__op op;
    sinter__class c;
} combination;

static void combine_into(combination combine, size_t n, void *x, const void *y)
{
    sinter__host_apply(combine.op, combine.c, n, (const void *[]){x, y, NULL}, x);
}

/* The tree of fusion/tree.h over rows of `width` registers. */
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

typedef struct reduction {
    const sinter__value *value; /* REDUCE */
    const sinter__value *store;
    combination combine;
    size_t register_bytes;
    int first_axis, last_axis; /* reduced */
    int64_t parts;
} reduction;

/* What the reduction gives for no elements. */
static void fill_nothing(const reduction *r, void *out, size_t n)
{
    sinter__class c = r->combine.c;
    uint64_t one = 1;
    const float one_f32 = 1;
    const double one_f64 = 1;
    if (c == SINTER__CLASS_F32)
        memcpy(&one, &one_f32, sizeof one_f32);
    if (c == SINTER__CLASS_F64)
        memcpy(&one, &one_f64, sizeof one_f64);
    bool is_1 = (sinter__op_info_of(r->combine.op)->flags & SINTER__FROM_1) != 0;
    fill_registers(out, c, is_1 ? one : 0, n);
}

/* One result: a chunk of the row at a time, in 64 interleaved partials. */
static void reduce_row(interpreter *in, const reduction *r, int64_t row)
{
    fix_axes(in, in->bound->parallel_rank, row);
    for (int64_t part = 0; part < r->parts; part++) {
        uint64_t lanes[SINTER__TREE_LANES];
        int64_t start = part * SINTER__TREE_CHUNK;
        int64_t count = SINTER__MIN(in->bound->reduced - start, (int64_t)SINTER__TREE_CHUNK);
        fill_nothing(r, lanes, 1);
        for (int64_t at = 0; at < count; at += SINTER__TREE_LANES) {
            size_t n = (size_t)SINTER__MIN(count - at, (int64_t)SINTER__TREE_LANES);
            compute(in, r->first_axis, r->last_axis, start + at, n);
            const void *x = in->values[r->value->source[0]];
            if (at == 0)
                memcpy(lanes, x, n * r->register_bytes);
            else
                combine_into(r->combine, n, lanes, x);
        }
        run_tree(r->combine, (char *)lanes, SINTER__MIN(count, (int64_t)SINTER__TREE_LANES), 1);
        memcpy(in->partials + (size_t)part * r->register_bytes, lanes, r->register_bytes);
    }
    run_tree(r->combine, in->partials, r->parts, 1);
    finish_reduction(in, r->value, in->partials, 1);
    store(in, r->store, in->partials, 0, 0, 0, 1);
}

/* Offsets of the loads of a block of results, for one element of the reduced axes. */
static void compute_at(interpreter *in, const reduction *r, int64_t element, int64_t first,
                       size_t n)
{
    for (uint16_t a = 0; a < in->nest->access_count; a++) {
        in->base[a] = 0;
        find_offsets(in, a, r->first_axis, r->last_axis, element, 1, &in->base[a]);
    }
    compute(in, 0, in->bound->parallel_rank, first, n);
}

/* A block of results at a time, each run of 256 in sequence. */
static void reduce_columns(interpreter *in, const reduction *r, int64_t first, size_t n)
{
    size_t row_bytes = n * r->register_bytes;
    for (int64_t part = 0; part < r->parts; part++) {
        char *row = in->partials + (size_t)part * row_bytes;
        int64_t begin = part * SINTER__TREE_RUN;
        int64_t end = SINTER__MIN(begin + SINTER__TREE_RUN, in->bound->reduced);
        fill_nothing(r, row, n);
        for (int64_t element = begin; element < end; element++) {
            compute_at(in, r, element, first, n);
            const void *x = in->values[r->value->source[0]];
            if (element == begin)
                memcpy(row, x, row_bytes);
            else
                combine_into(r->combine, n, row, x);
        }
    }
    run_tree(r->combine, in->partials, r->parts, n);
    finish_reduction(in, r->value, in->partials, n);
    for (uint16_t a = 0; a < in->nest->access_count; a++)
        in->base[a] = 0;
    store(in, r->store, in->partials, 0, in->bound->parallel_rank, first, n);
}

static void run_reduce(interpreter *in)
{
    reduction r = {.value = find_value(in, SINTER__VALUE_REDUCE),
                   .store = find_value(in, SINTER__VALUE_STORE),
                   .first_axis = in->bound->parallel_rank,
                   .last_axis = in->bound->parallel_rank + in->bound->reduced_rank,
                   .parts = sinter__tree_parts(in->bound->reduced, in->bound->last_reduced)};
    sinter__class c = class_of(r.value->dtype);
    r.combine = (combination){(sinter__op)r.value->op, c};
    r.register_bytes = sinter__host_register_bytes(c);
    int64_t step = in->bound->last_reduced ? 1 : BLOCK;
    for (int64_t first = 0; first < in->bound->parallel; first += step) {
        if (in->bound->last_reduced)
            reduce_row(in, &r, first);
        else
            reduce_columns(in, &r, first,
                           (size_t)SINTER__MIN(in->bound->parallel - first, (int64_t)BLOCK));
    }
}

/* Products */

typedef struct product {
    const sinter__value *value, *left, *right, *store;
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
    store(in, p->store, total, p->n_axis, p->n_axis + 1, first, n);
}

static void run_product(interpreter *in)
{
    product p = {.value = find_value(in, SINTER__VALUE_REDUCE),
                 .store = find_value(in, SINTER__VALUE_STORE)};
    p.left = &in->nest->values[p.value->source[0]];
    p.right = &in->nest->values[p.value->source[1]];
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
    size_t part_bytes = 0;
    if (nest->form == SINTER__FORM_REDUCE)
        part_bytes = (size_t)sinter__tree_parts(bound->reduced, bound->last_reduced) *
                     sizeof(uint64_t[BLOCK]);
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
    else
        run_product(&in);
    return SINTER_OK;
}
