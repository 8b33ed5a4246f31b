/* Making programs: steps are proposed at random and kept when the library accepts them, so that
 * every program is valid and no rule about shapes and dtypes is written twice. */
#include "selftest/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct maker {
    st_program *p;
    const st_limits *limits;
    sinter_stream *host;
    sinter_context *ctx;
    st_random r;
    sinter_tensor handles[ST_MAX_VALUES];
    sinter_tensor_desc descs[ST_MAX_VALUES];
    bool used[ST_MAX_VALUES];
    int count;
} maker;

/* Extents around vector widths, chunk sizes of lanes, and 1. */
static const int64_t extents[] = {1, 1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 33, 64, 65, 100, 130};

static bool chance(maker *m, uint32_t percent)
{
    return st_below(&m->r, 100) < percent;
}

static int64_t elements_of(int rank, const int64_t *shape)
{
    int64_t n = 1;
    for (int i = 0; i < rank; i++)
        n *= shape[i];
    return n;
}

/* A shape of at most the limit's elements, rarely with an extent of 0. */
static void random_shape(maker *m, int *rank, int64_t *shape)
{
    int64_t left = m->limits->elements;
    *rank = (int)st_below(&m->r, chance(m, 5) ? 7 : 4);
    for (int i = 0; i < *rank; i++) {
        int64_t e = extents[st_below(&m->r, sizeof extents / sizeof extents[0])];
        shape[i] = e <= left ? e : 1;
        left /= shape[i];
    }
    if (*rank > 0 && chance(m, 1))
        shape[st_below(&m->r, (uint32_t)*rank)] = 0;
}

static sinter_dtype random_dtype(maker *m)
{
    static const sinter_dtype likely[] = {SINTER_F32, SINTER_F32,  SINTER_F32, SINTER_F16,
                                          SINTER_I32, SINTER_BOOL, SINTER_U8};
    if (chance(m, 55))
        return likely[st_below(&m->r, sizeof likely / sizeof likely[0])];
    sinter_dtype d = (sinter_dtype)st_below(&m->r, SINTER_DTYPE_COUNT);
    return d == SINTER_F64 && !m->limits->f64 ? SINTER_F32 : d;
}

static unsigned class_of(sinter_dtype d)
{
    if (d == SINTER_F64)
        return ST_F64;
    if (d == SINTER_BOOL)
        return ST_BOOLS;
    return d == SINTER_F32 || d == SINTER_F16 || d == SINTER_BF16 ? ST_FLOATS : ST_INTS;
}

/* Data */

static const double specials[] = {0.0,  -0.0,    1.0,    -1.0,       0.5,    INFINITY, -INFINITY,
                                  NAN,  1e-40,   -1e-40, 3e38,       -3e38,  65504.0,  65520.0,
                                  6e-8, 0x1p-14, 1e-45,  88.7,       -103.9, 1e9,      4097.5,
                                  2.5,  -2.5,    0x1p24, 3.14159265, 1e30,   127.0,    255.5};

static double ordinary(maker *m)
{
    double unit = (double)(st_next(&m->r) >> 11) * 0x1p-53;
    double sign = (st_next(&m->r) & 1) != 0 ? 1.0 : -1.0;
    return sign * unit * (chance(m, 30) ? 100.0 : 3.0);
}

static uint16_t f32_high(double value)
{
    float f = (float)value;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return (uint16_t)(bits >> 16);
}

/* f16 bits of a value in the ordinary range, cut off rather than rounded: any f16 is as good a
 * test. */
static uint16_t f16_bits(double value)
{
    int exponent;
    double fraction = frexp(fabs(value), &exponent);
    uint16_t sign = signbit(value) ? 0x8000u : 0;
    if (isnan(value))
        return 0x7e00u;
    if (isinf(value) || exponent > 16)
        return (uint16_t)(sign | 0x7c00u);
    if (exponent < -13)
        return (uint16_t)(sign | (uint16_t)(fabs(value) * 0x1p24));
    return (uint16_t)(sign | (uint16_t)((exponent + 14) << 10) |
                      (uint16_t)((fraction - 0.5) * 2048.0));
}

static void put_float(sinter_dtype dtype, double value, char *to)
{
    float narrow = (float)value;
    uint16_t half = dtype == SINTER_F16 ? f16_bits(value) : f32_high(value);
    if (dtype == SINTER_F64)
        memcpy(to, &value, sizeof value);
    else if (dtype == SINTER_F32)
        memcpy(to, &narrow, sizeof narrow);
    else
        memcpy(to, &half, sizeof half);
}

static void fill_input(maker *m, const st_input *in, char *data)
{
    size_t size = sinter_dtype_bytes(in->dtype);
    unsigned class_ = class_of(in->dtype);
    uint32_t kind = st_below(&m->r, 10); /* 0, 1: raw bits, 2, 3: specials, else ordinary */
    for (size_t at = 0; at < in->bytes; at += size) {
        char *to = data + at;
        uint64_t bits = st_next(&m->r);
        if (class_ == ST_BOOLS)
            *to = (char)(bits & 1);
        else if (class_ == ST_INTS && kind > 2)
            bits = (uint64_t)((int64_t)(bits % 200) - 100);
        if (class_ == ST_INTS || (class_ != ST_BOOLS && kind < 2))
            memcpy(to, &bits, size);
        else if (class_ != ST_BOOLS) {
            double x = kind < 4 ? specials[st_below(&m->r, sizeof specials / sizeof specials[0])]
                                : ordinary(m);
            put_float(in->dtype, x, to);
        }
    }
}

static bool add_input(maker *m)
{
    st_input *in = &m->p->inputs[m->p->input_count];
    random_shape(m, &in->rank, in->shape);
    in->dtype = random_dtype(m);
    in->bytes = (size_t)elements_of(in->rank, in->shape) * sinter_dtype_bytes(in->dtype);
    char *data = calloc(in->bytes + 1, 1);
    if (data == NULL)
        return false;
    fill_input(m, in, data);
    sinter_tensor *t = &m->handles[m->count];
    if (sinter_tensor_from_host(m->host, in->dtype, in->rank, in->shape, data, t) != SINTER_OK) {
        free(data);
        return false;
    }
    in->data = data;
    (void)sinter_tensor_describe(m->ctx, *t, &m->descs[m->count]);
    m->count++;
    m->p->input_count++;
    return true;
}

/* Steps */

/* A value, more likely a late one. What was just made of numbers is likely to be looked at: views of
 * it are accesses without memory, which nothing else makes. */
static int pick(maker *m)
{
    const st_program *p = m->p;
    if (p->step_count > 0 && p->steps[p->step_count - 1].op->classes == 0 && chance(m, 40))
        return m->count - 1;
    uint32_t a = st_below(&m->r, (uint32_t)m->count);
    uint32_t b = st_below(&m->r, (uint32_t)m->count);
    return (int)(a > b ? a : b);
}

static bool broadcasts(const sinter_tensor_desc *a, const sinter_tensor_desc *b)
{
    int rank = a->rank < b->rank ? a->rank : b->rank;
    for (int i = 1; i <= rank; i++) {
        int64_t x = a->shape[a->rank - i];
        int64_t y = b->shape[b->rank - i];
        if (x != y && x != 1 && y != 1)
            return false;
    }
    return true;
}

/* A value that broadcasts with value `v`; itself when chance finds no other. */
static int pick_partner(maker *m, int v)
{
    for (int i = 0; i < 12; i++) {
        int w = pick(m);
        if (broadcasts(&m->descs[v], &m->descs[w]))
            return w;
    }
    return v;
}

/* A number that the value's dtype holds; the same in the program language. */
static double random_number(maker *m, sinter_dtype d)
{
    static const double numbers[] = {0.5, 2.0, -1.0, 3.0, 0.1, 0.0, 10.0, -0.25, 1e-3};
    static const double wholes[] = {0, 1, 2, 3, 5, 7, 100};
    if (class_of(d) == ST_INTS)
        return wholes[st_below(&m->r, sizeof wholes / sizeof wholes[0])];
    return numbers[st_below(&m->r, sizeof numbers / sizeof numbers[0])];
}

/* A reshape: the elements divided anew among up to four axes. */
static void propose_reshape(maker *m, st_step *t, const sinter_tensor_desc *x)
{
    int64_t left = elements_of(x->rank, x->shape);
    t->rank = 1 + (int)st_below(&m->r, 4);
    for (int i = 0; i < t->rank; i++) {
        int64_t best = 1;
        for (int64_t e = 2; e <= left && e < 40; e++) {
            if (left % e == 0 && chance(m, 40))
                best = e;
        }
        t->shape[i] = i == t->rank - 1 ? left : best;
        left = t->shape[i] > 0 ? left / t->shape[i] : 0;
    }
    if (chance(m, 20) && elements_of(x->rank, x->shape) > 0)
        t->shape[st_below(&m->r, (uint32_t)t->rank)] = -1;
}

static void propose_transpose(maker *m, st_step *t, int rank)
{
    for (int i = 0; i < rank; i++)
        t->axes[i] = i;
    for (int i = rank - 1; i > 0; i--) {
        int k = (int)st_below(&m->r, (uint32_t)i + 1);
        int axis = t->axes[i];
        t->axes[i] = t->axes[k];
        t->axes[k] = axis;
    }
    t->axis_count = rank;
}

static void propose_slice(maker *m, st_step *t, const sinter_tensor_desc *x)
{
    static const int64_t steps[] = {1, 1, 2, 3, -1, -2, 5};
    t->axes[0] = x->rank > 0 ? (int)st_below(&m->r, (uint32_t)x->rank) : 0;
    uint32_t extent = (uint32_t)(x->rank > 0 ? x->shape[t->axes[0]] : 1) + 1;
    t->slice[0] = chance(m, 40) ? SINTER_OPEN : (int64_t)st_below(&m->r, extent);
    t->slice[1] = chance(m, 40) ? SINTER_OPEN : (int64_t)st_below(&m->r, extent);
    t->slice[2] = steps[st_below(&m->r, sizeof steps / sizeof steps[0])];
}

static void propose_expand(maker *m, st_step *t, const sinter_tensor_desc *x)
{
    int more = (int)st_below(&m->r, 2);
    t->rank = x->rank + more;
    for (int i = 0; i < t->rank; i++) {
        int64_t e = i < more ? 1 : x->shape[i - more];
        t->shape[i] = e == 1 ? 1 + (int64_t)st_below(&m->r, 5) : e;
    }
}

static void propose_squeeze(maker *m, st_step *t, const sinter_tensor_desc *x)
{
    for (int i = 0; i < x->rank; i++) {
        if (x->shape[i] == 1 && chance(m, 60))
            t->axes[t->axis_count++] = i;
    }
}

/* Often over the axes of an earlier reduction of as many: what normalisations are made of. */
static void propose_reduce(maker *m, st_step *t, int rank)
{
    for (int i = m->p->step_count; i-- > 0 && chance(m, 60);) {
        const st_step *earlier = &m->p->steps[i];
        if (earlier->op->call != ST_REDUCE || m->descs[earlier->operand[0]].rank != rank)
            continue;
        t->axis_count = earlier->axis_count;
        memcpy(t->axes, earlier->axes, sizeof t->axes);
        t->keepdims = true;
        return;
    }
    t->keepdims = chance(m, 60);
    for (int i = 0; i < rank; i++) {
        if (chance(m, 50))
            t->axes[t->axis_count++] = i;
    }
}

/* Axes, and weights that are as likely to be there as not. */
static void propose_along(maker *m, st_step *t, int rank)
{
    static const double orders[] = {1, 2, INFINITY};
    bool deviates = t->op->call == ST_VAR || t->op->call == ST_STD;
    int weights = t->op->call == ST_LAYER ? 2 : t->op->call == ST_RMS ? 1 : 0;
    propose_reduce(m, t, rank);
    for (int i = 1; i <= weights; i++)
        t->operand[i] = chance(m, 50) ? pick_partner(m, t->operand[0]) : -1;
    t->number[0] = t->op->call == ST_NORM ? orders[st_below(&m->r, 3)] : deviates ? 1 : 1e-3;
}

/* The second operand of a product: one whose inner extent fits, else the first seen the other way
 * round. */
static void propose_matmul(maker *m, st_step *t)
{
    const sinter_tensor_desc *a = &m->descs[t->operand[0]];
    for (int i = 0; i < 20; i++) {
        t->operand[1] = pick(m);
        const sinter_tensor_desc *b = &m->descs[t->operand[1]];
        if (a->rank > 0 && b->rank > 0 &&
            a->shape[a->rank - 1] == b->shape[b->rank > 1 ? b->rank - 2 : 0])
            return;
    }
}

/* Which elements along `axis` an update of x replaces by `count` others. */
static void propose_part(maker *m, st_step *t, int axis, int64_t extent, int64_t count)
{
    int64_t step = count > 1 ? (extent - 1) / (count - 1) : 1;
    step = step > 1 ? 1 + (int64_t)st_below(&m->r, (uint32_t)step) : 1;
    int64_t reach = count > 0 ? (count - 1) * step + 1 : 0;
    int64_t first = (int64_t)st_below(&m->r, (uint32_t)(extent - reach) + 1);
    t->axes[0] = axis;
    t->axis_count = 1;
    t->slice[0] = first;
    t->slice[1] = first + reach;
    t->slice[2] = step;
    if (reach > 0 && chance(m, 25)) { /* from the last one to the first */
        t->slice[0] = first + reach - 1;
        t->slice[1] = first > 0 ? first - 1 : SINTER_OPEN;
        t->slice[2] = -step;
    }
}

/* The extent of `value` that meets axis `axis` of x from the right; 1 where it has none. */
static int64_t extent_at(const sinter_tensor_desc *x, const sinter_tensor_desc *value, int axis)
{
    int at = axis - (x->rank - value->rank);
    return at >= 0 ? value->shape[at] : 1;
}

/* Whether `value` fits x everywhere but along one axis, where it is shorter; *axis is that, or -1. */
static bool fits_part(const sinter_tensor_desc *x, const sinter_tensor_desc *value, int *axis)
{
    *axis = -1;
    for (int i = 0; i < x->rank && value->rank <= x->rank; i++) {
        int64_t e = extent_at(x, value, i);
        if (e == x->shape[i] || e == 1)
            continue;
        if (*axis >= 0 || e > x->shape[i])
            return false;
        *axis = i;
    }
    return value->rank <= x->rank;
}

static bool same_shape(const sinter_tensor_desc *a, const sinter_tensor_desc *b)
{
    return a->rank == b->rank &&
           memcmp(a->shape, b->shape, (size_t)a->rank * sizeof a->shape[0]) == 0;
}

/* The part of x that a slice before has looked at, and a value of its shape: often one that is made of the
 * slice. False when there is none. */
static bool propose_looked_at(maker *m, st_step *t)
{
    const st_program *p = m->p;
    for (int i = p->step_count; i-- > 0;) {
        const st_step *slice = &p->steps[i];
        int value = p->input_count + i;
        if (slice->op->call != ST_SLICE || slice->operand[0] != t->operand[0])
            continue;
        t->operand[1] = value;
        for (int w = value + 1; w < m->count; w++) {
            if (same_shape(&m->descs[w], &m->descs[value]) && chance(m, 50))
                t->operand[1] = w;
        }
        t->axes[0] = slice->axes[0];
        t->axis_count = 1;
        memcpy(t->slice, slice->slice, sizeof t->slice);
        return true;
    }
    return false;
}

/* A part of x, and a value that broadcasts to it. */
static void propose_update(maker *m, st_step *t, const sinter_tensor_desc *x)
{
    int axis = -1;
    t->operand[1] = t->operand[0];
    if (chance(m, 60) && propose_looked_at(m, t))
        return;
    for (int i = 0; i < 20; i++) {
        int w = pick(m);
        if (fits_part(x, &m->descs[w], &axis)) {
            t->operand[1] = w;
            break;
        }
        axis = -1;
    }
    if (axis < 0 && x->rank > 0)
        axis = (int)st_below(&m->r, (uint32_t)x->rank);
    if (axis < 0)
        return;
    int64_t extent = x->shape[axis];
    int64_t count = extent_at(x, &m->descs[t->operand[1]], axis);
    if (count == 1 && extent > 0)
        count = (int64_t)st_below(&m->r, (uint32_t)extent + 1);
    propose_part(m, t, axis, extent, count < extent ? count : extent);
}

static void propose_composition(maker *m, st_step *t, int rank)
{
    switch (t->op->call) {
    case ST_ALONG:
    case ST_VAR:
    case ST_STD:
    case ST_NORM:
    case ST_LAYER:
    case ST_RMS:
        propose_along(m, t, rank);
        break;
    case ST_DROPOUT:
        t->number[0] = 0.25 * st_below(&m->r, 5);
        break;
    default:
        break;
    }
}

static void propose_operands(maker *m, st_step *t)
{
    t->operand[0] = pick(m);
    t->operand[1] = t->operand[2] = -1;
    const sinter_tensor_desc *x = &m->descs[t->operand[0]];
    switch (t->op->call) {
    case ST_BINARY:
        if (chance(m, 30) && x->dtype != SINTER_BOOL) {
            t->number[0] = random_number(m, x->dtype);
            if (chance(m, 40)) {
                t->operand[1] = t->operand[0];
                t->operand[0] = -1;
            }
        } else {
            t->operand[1] = pick_partner(m, t->operand[0]);
        }
        break;
    case ST_TERNARY:
        t->operand[1] = pick_partner(m, t->operand[0]);
        t->operand[2] = pick_partner(m, t->operand[0]);
        break;
    case ST_RESHAPE:
        propose_reshape(m, t, x);
        break;
    case ST_TRANSPOSE:
        propose_transpose(m, t, x->rank);
        break;
    case ST_SLICE:
        propose_slice(m, t, x);
        break;
    case ST_EXPAND:
        propose_expand(m, t, x);
        break;
    case ST_FLIP:
    case ST_SCAN:
        t->axes[0] = x->rank > 0 ? (int)st_below(&m->r, (uint32_t)x->rank) : 0;
        break;
    case ST_SQUEEZE:
        propose_squeeze(m, t, x);
        break;
    case ST_UNSQUEEZE:
        t->axes[0] = (int)st_below(&m->r, (uint32_t)x->rank + 1);
        break;
    case ST_REDUCE:
        propose_reduce(m, t, x->rank);
        break;
    case ST_MATMUL:
        propose_matmul(m, t);
        break;
    case ST_UPDATE:
        propose_update(m, t, x);
        break;
    default:
        propose_composition(m, t, x->rank);
        break;
    }
}

/* What was just reduced with the result, broadcast back: two operands in either order. False when
 * the last step was no reduction, or chance wants something else. */
static bool propose_broadcast(maker *m, st_step *t)
{
    const st_program *p = m->p;
    if (p->step_count == 0 || p->steps[p->step_count - 1].op->call != ST_REDUCE ||
        !p->steps[p->step_count - 1].keepdims || t->op->call != ST_BINARY || chance(m, 10))
        return false;
    bool turned = chance(m, 30);
    t->operand[turned] = p->steps[p->step_count - 1].operand[0];
    t->operand[!turned] = m->count - 1;
    t->operand[2] = -1;
    return true;
}

static void propose(maker *m, st_step *t)
{
    *t = (st_step){.op = &st_ops[st_below(&m->r, (uint32_t)st_op_count)]};
    if (propose_broadcast(m, t))
        return;
    t->seed = st_next(&m->r) >> 20;
    t->dtype = random_dtype(m);
    if (t->op->classes != 0) {
        propose_operands(m, t);
        sinter_dtype d = m->descs[t->operand[t->operand[0] >= 0 ? 0 : 1]].dtype;
        if (t->op->call == ST_CLAMP || t->op->call == ST_LEAKY_RELU || t->op->call == ST_ELU) {
            t->number[0] = class_of(d) == ST_INTS ? 1 : -0.5;
            t->number[1] = class_of(d) == ST_INTS ? 50 : 0.75;
        }
        return;
    }
    t->operand[0] = t->operand[1] = t->operand[2] = -1;
    random_shape(m, &t->rank, t->shape);
    if (t->op->call == ST_ARANGE) {
        t->rank = 1;
        t->shape[0] = extents[st_below(&m->r, sizeof extents / sizeof extents[0])];
    }
    t->number[0] = random_number(m, t->dtype == SINTER_BOOL ? SINTER_I32 : t->dtype);
    t->number[1] = random_number(m, t->dtype);
}

/* Whether the step is of the kind that the operation is meant for; the rest the library decides. */
static bool is_wanted(const maker *m, const st_step *t)
{
    bool f64 = t->dtype == SINTER_F64 && !m->limits->f64;
    if (t->op->classes == 0)
        return !f64;
    for (int i = 0; i < 3; i++) {
        if (t->operand[i] >= 0 && (class_of(m->descs[t->operand[i]].dtype) & t->op->classes) == 0)
            return false;
    }
    return !(f64 && t->op->call == ST_CAST);
}

static bool add_step(maker *m)
{
    st_step *t = &m->p->steps[m->p->step_count];
    for (int attempt = 0; attempt < 200; attempt++) {
        sinter_tensor *out = &m->handles[m->count];
        propose(m, t);
        if (!is_wanted(m, t) ||
            st_queue_step(m->p, m->p->step_count, m->host, m->handles, out) != SINTER_OK)
            continue;
        (void)sinter_tensor_describe(m->ctx, *out, &m->descs[m->count]);
        const sinter_tensor_desc *d = &m->descs[m->count];
        if (elements_of(d->rank, d->shape) > m->limits->elements) {
            (void)sinter_tensor_release(m->host, *out);
            continue;
        }
        for (int i = 0; i < 3; i++) {
            if (t->operand[i] >= 0)
                m->used[t->operand[i]] = true;
        }
        m->p->results[m->p->step_count++] = *d;
        m->count++;
        return true;
    }
    return false;
}

bool st_generate(st_program *p, uint64_t seed, const st_limits *limits, sinter_stream *host,
                 sinter_context *ctx)
{
    maker *m = calloc(1, sizeof *m);
    if (m == NULL)
        return false;
    *p = (st_program){.seed = seed};
    m->p = p;
    m->limits = limits;
    m->host = host;
    m->ctx = ctx;
    m->r.state = seed * 0x2545f4914f6cdd1du + 1;
    int inputs = 1 + (int)st_below(&m->r, 5);
    int steps = 1 + (int)st_below(&m->r, (uint32_t)(2 * limits->steps - 1));
    steps = steps < ST_MAX_STEPS ? steps : ST_MAX_STEPS;
    bool fine = true;
    for (int i = 0; i < inputs && fine; i++)
        fine = add_input(m);
    for (int i = 0; i < steps && fine; i++)
        fine = add_step(m);
    for (int i = 0; i < p->step_count; i++)
        p->steps[i].is_output = !m->used[p->input_count + i] || chance(m, 15);
    for (int i = 0; i < m->count; i++)
        (void)sinter_tensor_release(host, m->handles[i]);
    (void)sinter_stream_flush(host);
    free(m);
    return fine;
}

void st_free(st_program *p)
{
    for (int i = 0; i < p->input_count; i++)
        free(p->inputs[i].data);
    p->input_count = 0;
}

bool st_copy(st_program *to, const st_program *from)
{
    *to = *from;
    to->input_count = 0;
    for (int i = 0; i < from->input_count; i++) {
        to->inputs[i].data = malloc(from->inputs[i].bytes + 1);
        if (to->inputs[i].data == NULL) {
            st_free(to);
            return false;
        }
        memcpy(to->inputs[i].data, from->inputs[i].data, from->inputs[i].bytes);
        to->input_count++;
    }
    return true;
}
