/* The machine that runs a program: a loop over its instructions, with a stack of values and a place
 * per name.
 *
 * The one hard idea: every value says whether its reference is its own. What a name holds is only
 * lent to the stack, so that whatever is popped can be dropped at once, and a temporary is released
 * by the very operation that used it. */
#include "core/evaluate.h"

#include "core/item.h"

#include <string.h>

/* Programs up to this many names and stacked values need no allocation. */
#define LOCAL_VALUES 48

typedef struct machine {
    const sinter_program *p;
    const sinter__builder *b;
    const sinter_tensor *inputs;
    sinter__item *names; /* by name */
    sinter__item *stack;
    uint32_t depth;
} machine;

const char *sinter__item_text(const sinter__item *v)
{
    static const char *const texts[] = {
        [SINTER__ITEM_EMPTY] = "nothing",   [SINTER__ITEM_NUMBER] = "a number",
        [SINTER__ITEM_TENSOR] = "a tensor", [SINTER__ITEM_TUPLE] = "a tuple",
        [SINTER__ITEM_DTYPE] = "a dtype",   [SINTER__ITEM_NONE] = "None",
        [SINTER__ITEM_ELLIPSIS] = "...",    [SINTER__ITEM_RANGE] = "a slice",
    };
    return texts[v->kind];
}

void sinter__item_drop(const sinter__builder *b, sinter__item *v)
{
    if (v->kind == SINTER__ITEM_TENSOR && v->owned)
        b->release(b->self, v->tensor);
    v->kind = SINTER__ITEM_EMPTY;
    v->owned = false;
}

/* Stack */

static void push(machine *m, const sinter__item *v)
{
    m->stack[m->depth++] = *v;
}

/* Drops the last `count` values and pushes *out. */
static void replace(machine *m, uint32_t count, const sinter__item *out)
{
    for (uint32_t i = 0; i < count; i++)
        sinter__item_drop(m->b, &m->stack[--m->depth]);
    push(m, out);
}

static sinter__item *top(machine *m, uint32_t count)
{
    return &m->stack[m->depth - count];
}

/* Instructions */

static sinter_status make_tuple(machine *m, const sinter__instruction *in, sinter__item *out)
{
    const sinter__item *items = top(m, in->count);
    *out = (sinter__item){.kind = SINTER__ITEM_TUPLE, .count = (uint8_t)in->count};
    for (uint32_t i = 0; i < in->count; i++) {
        if (items[i].kind != SINTER__ITEM_NUMBER ||
            !sinter__number_to_i64(&items[i].number, &out->of.items[i])) {
            return sinter__fail(SINTER_EDTYPE, "item %u of a tuple is not an integer of 64 bits",
                                i);
        }
    }
    return SINTER_OK;
}

/* A bound of a slice beyond 64 bits means the end. */
static sinter_status range_bound(const sinter__item *v, bool *has, int64_t *out)
{
    if (v->kind == SINTER__ITEM_NONE)
        return SINTER_OK;
    if (v->kind != SINTER__ITEM_NUMBER || v->number.kind != SINTER__NUMBER_INT)
        return sinter__fail(SINTER_EDTYPE, "a bound of a slice is not an integer");
    *has = true;
    if (!sinter__number_to_i64(&v->number, out))
        *out = INT64_MAX;
    return SINTER_OK;
}

static sinter_status make_range(const sinter__instruction *in, const sinter__item *bounds,
                                sinter__item *out)
{
    sinter__slice *range = &out->of.range;
    bool has_step = false; /* without one it is 1 */
    uint32_t at = 0;
    *out = (sinter__item){.kind = SINTER__ITEM_RANGE};
    range->step = 1;
    if ((in->arg & 1) != 0)
        SINTER_TRY(range_bound(&bounds[at++], &range->has_start, &range->start));
    if ((in->arg & 2) != 0)
        SINTER_TRY(range_bound(&bounds[at++], &range->has_stop, &range->stop));
    if ((in->arg & 4) != 0)
        SINTER_TRY(range_bound(&bounds[at], &has_step, &range->step));
    return SINTER_OK;
}

static sinter_status run_unary(machine *m, const sinter__instruction *in, sinter__item *out)
{
    sinter__item *x = top(m, 1);
    sinter__op op = (sinter__op)in->op;
    if (x->kind == SINTER__ITEM_NUMBER) {
        out->kind = SINTER__ITEM_NUMBER;
        return sinter__number_unary(op, &x->number, &out->number);
    }
    if (op != SINTER__OP_NONE) {
        const sinter__item *operands[] = {x};
        return sinter__apply_elementwise(m->b, op, 1, operands, out);
    }
    if (x->kind != SINTER__ITEM_TENSOR)
        return sinter__fail(SINTER_EDTYPE, "plus: the operand is %s", sinter__item_text(x));
    *out = *x;
    x->owned = false; /* it moves */
    return SINTER_OK;
}

/* x ** 2, x ** 0.5 and x ** -1 are what NumPy makes of them, which is exact: the square, the root,
 * the reciprocal. */
static sinter__op power_of_number(const machine *m, const sinter__item *x, const sinter__item *y)
{
    sinter_tensor_desc desc;
    if (x->kind != SINTER__ITEM_TENSOR || y->kind != SINTER__ITEM_NUMBER ||
        m->b->describe(m->b->self, x->tensor, &desc) != SINTER_OK)
        return SINTER__OP_NONE;
    bool is_float = sinter__is_float(desc.dtype);
    double power = sinter__number_double(&y->number);
    bool adopts = is_float || (desc.dtype != SINTER_BOOL && y->number.kind != SINTER__NUMBER_FLOAT);
    if (power == 2 && adopts)
        return SINTER__OP_SQUARE;
    if (power == 0.5 && is_float)
        return SINTER__OP_SQRT;
    return power == -1 && is_float ? SINTER__OP_RECIPROCAL : SINTER__OP_NONE;
}

static sinter_status run_binary(machine *m, const sinter__instruction *in, sinter__item *out)
{
    const sinter__item *x = top(m, 2);
    const sinter__item *operands[] = {x, x + 1};
    sinter__op op = (sinter__op)in->op;
    if (op == SINTER__OP_MATMUL)
        return sinter__apply_matmul(m->b, x, x + 1, out);
    if (x[0].kind == SINTER__ITEM_NUMBER && x[1].kind == SINTER__ITEM_NUMBER) {
        out->kind = SINTER__ITEM_NUMBER;
        return sinter__number_binary(op, &x[0].number, &x[1].number, &out->number);
    }
    if (op == SINTER__OP_POW) {
        sinter__op simple = power_of_number(m, &x[0], &x[1]);
        if (simple != SINTER__OP_NONE)
            return sinter__apply_elementwise(m->b, simple, 1, operands, out);
    }
    return sinter__apply_elementwise(m->b, op, 2, operands, out);
}

static sinter_status run_call(machine *m, const sinter__instruction *in, sinter__item *out)
{
    static const sinter__item empty = {.kind = SINTER__ITEM_EMPTY};
    const sinter__item *arguments[SINTER__MAX_PARAMETERS];
    for (int i = 0; i < SINTER__MAX_PARAMETERS; i++)
        arguments[i] = &empty;
    for (uint32_t i = 0; i < in->count; i++)
        arguments[m->p->slots[in->arg + i]] = top(m, in->count) + i;
    return sinter__apply_call(m->b, (sinter__op)in->op, arguments, out);
}

/* Computes into *out what takes the place of the last *pops values. */
static sinter_status compute(machine *m, const sinter__instruction *in, uint32_t *pops,
                             sinter__item *out)
{
    *pops = in->count;
    switch ((sinter__opcode)in->code) {
    case SINTER__OPCODE_NUMBER:
        *out = (sinter__item){.kind = SINTER__ITEM_NUMBER, .number = m->p->numbers[in->arg]};
        return SINTER_OK;
    case SINTER__OPCODE_NAME:
        *out = m->names[in->arg];
        out->owned = false; /* lent */
        return SINTER_OK;
    case SINTER__OPCODE_DTYPE:
        *out = (sinter__item){.kind = SINTER__ITEM_DTYPE, .dtype = (sinter_dtype)in->arg};
        return SINTER_OK;
    case SINTER__OPCODE_NONE:
        out->kind = SINTER__ITEM_NONE;
        return SINTER_OK;
    case SINTER__OPCODE_ELLIPSIS:
        out->kind = SINTER__ITEM_ELLIPSIS;
        return SINTER_OK;
    case SINTER__OPCODE_TUPLE:
        return make_tuple(m, in, out);
    case SINTER__OPCODE_RANGE:
        *pops = (uint32_t)__builtin_popcount(in->arg);
        return make_range(in, top(m, *pops), out);
    case SINTER__OPCODE_UNARY:
        *pops = 1;
        return run_unary(m, in, out);
    case SINTER__OPCODE_BINARY:
        *pops = 2;
        return run_binary(m, in, out);
    case SINTER__OPCODE_CALL:
        return run_call(m, in, out);
    case SINTER__OPCODE_INDEX:
        *pops = in->count + 1u;
        return sinter__apply_index(m->b, top(m, *pops), in->count, top(m, in->count), out);
    default:
        return sinter__fail(SINTER_EINTERNAL, "instruction %u", in->code);
    }
}

/* A name takes what the stack's last value is, with a reference of its own. */
static sinter_status store(machine *m, uint32_t name)
{
    sinter__item *v = top(m, 1);
    if (v->kind != SINTER__ITEM_NUMBER && v->kind != SINTER__ITEM_TENSOR) {
        return sinter__fail(SINTER_EDTYPE, "'%s' cannot be %s", sinter__program_name(m->p, name),
                            sinter__item_text(v));
    }
    if (v->kind == SINTER__ITEM_TENSOR && !v->owned)
        SINTER_TRY(m->b->retain(m->b->self, v->tensor));
    v->owned = v->kind == SINTER__ITEM_TENSOR;
    sinter__item_drop(m->b, &m->names[name]);
    m->names[name] = *v;
    m->depth--;
    return SINTER_OK;
}

static sinter_status check_input(machine *m, uint32_t index)
{
    const sinter__input *input = &m->p->inputs[index];
    const char *name = sinter__program_name(m->p, input->name);
    char declared[SINTER__SHAPE_TEXT];
    char given[SINTER__SHAPE_TEXT];
    sinter_tensor_desc desc;
    SINTER_TRY(m->b->describe(m->b->self, m->inputs[index], &desc));
    bool same = sinter__shape_equal(desc.rank, desc.shape, input->desc.rank, input->desc.shape);
    if (same && desc.dtype == input->desc.dtype)
        return SINTER_OK;
    return sinter__fail(
        same ? SINTER_EDTYPE : SINTER_ESHAPE, "input %s: declared as %s%s, given %s%s", name,
        sinter_dtype_name(input->desc.dtype),
        sinter__shape_text(input->desc.rank, input->desc.shape, declared),
        sinter_dtype_name(desc.dtype), sinter__shape_text(desc.rank, desc.shape, given));
}

static sinter_status step(machine *m, const sinter__instruction *in)
{
    switch ((sinter__opcode)in->code) {
    case SINTER__OPCODE_STORE:
        return store(m, in->arg);
    case SINTER__OPCODE_RELEASE:
        sinter__item_drop(m->b, &m->names[in->arg]);
        return SINTER_OK;
    case SINTER__OPCODE_INPUT:
        return check_input(m, in->arg);
    case SINTER__OPCODE_CUT:
        return m->b->cut != NULL ? m->b->cut(m->b->self) : SINTER_OK;
    default:
        break;
    }
    uint32_t pops;
    sinter__item out = {.kind = SINTER__ITEM_EMPTY};
    SINTER_TRY(compute(m, in, &pops, &out));
    replace(m, pops, &out);
    return SINTER_OK;
}

/* Results */

/* A name's value goes to the caller. A number becomes a tensor of rank 0. */
static sinter_status give(machine *m, uint32_t name, sinter_tensor *out)
{
    sinter__item *v = &m->names[name];
    if (v->kind == SINTER__ITEM_NUMBER)
        return sinter__item_fill(m->b, v->number.scalar, sinter__number_dtype(&v->number), out);
    *out = v->tensor;
    v->kind = SINTER__ITEM_EMPTY;
    return SINTER_OK;
}

static sinter_status run(machine *m, sinter_tensor *results, size_t *offset)
{
    const sinter_program *p = m->p;
    for (size_t i = 0; i < p->input_count; i++) {
        m->names[p->inputs[i].name] =
            (sinter__item){.kind = SINTER__ITEM_TENSOR, .tensor = m->inputs[i]};
    }
    for (size_t i = 0; i < p->code_count; i++) {
        *offset = p->code[i].offset;
        SINTER_TRY(step(m, &p->code[i]));
    }
    *offset = p->bytes;
    for (size_t i = 0; i < p->result_count; i++)
        SINTER_TRY(give(m, p->results[i], &results[i]));
    return SINTER_OK;
}

sinter_status sinter__evaluate(const sinter_program *p, const sinter__builder *b,
                               const sinter_tensor *inputs, sinter_tensor *results, size_t *offset)
{
    sinter__item local[LOCAL_VALUES];
    size_t count = p->name_count + p->stack;
    sinter__item *values = local;
    *offset = 0;
    if (p->result_count > 0)
        memset(results, 0, p->result_count * sizeof *results);
    if (count > LOCAL_VALUES) {
        values = sinter__alloc_array(b->allocator, count, sizeof *values);
    } else {
        memset(local, 0, sizeof local);
    }
    if (values == NULL)
        return SINTER_ENOMEM;
    machine m = {
        .p = p, .b = b, .inputs = inputs, .names = values, .stack = values + p->name_count};
    sinter_status status = run(&m, results, offset);
    for (size_t i = 0; i < p->name_count + m.depth; i++)
        sinter__item_drop(b, &values[i]);
    for (size_t i = 0; i < p->result_count && status != SINTER_OK; i++) {
        if (results[i].id != 0)
            b->release(b->self, results[i]);
        results[i] = (sinter_tensor){0};
    }
    if (values != local)
        sinter__free(b->allocator, values, count * sizeof *values);
    return status;
}
