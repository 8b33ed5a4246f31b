/* Calls that make tensors, with arguments that make sense and without. */
#include "api_make.h"

#include "api_world.h"

#include <math.h>
#include <string.h>

static model result;
static char place[WORLD_LARGEST * 8]; /* for elements */

static const sinter_dtype dtypes[] = {SINTER_I32, SINTER_I64, SINTER_F32, SINTER_BOOL};

/* Arguments */

static sinter_dtype take_dtype(void)
{
    return dtypes[take_below(&now, 4)];
}

static int64_t take_extent(void)
{
    static const int64_t odd[] = {0, 16, 17, 64, 65, 128, 257, 260};
    uint8_t b = take(&now);
    return b < 240 ? b % 5 + 1 : odd[b % 8];
}

static int take_shape(int64_t *shape)
{
    int rank = (int)take_below(&now, 4);
    for (int i = 0; i < rank; i++)
        shape[i] = take_extent();
    if (model_count(rank, shape) > WORLD_LARGEST)
        shape[0] = 1;
    return rank;
}

static int64_t take_value(void)
{
    return (int8_t)take(&now) / 8;
}

/* An axis of a tensor, sometimes one that it has not. */
static int take_axis(const tensor *t)
{
    int rank = t != NULL ? t->is.rank : 2;
    uint8_t b = take(&now);
    return b < 230 && rank > 0 ? b % rank - (b % 7 == 0 ? rank : 0) : b % 11 - 5;
}

static const model *model_of(const operand *o)
{
    static const model none = {.dtype = SINTER_F32, .known = false};
    return o->t != NULL ? &o->t->is : &none;
}

/* Calls that make a tensor */

static void from_host(int at)
{
    int64_t shape[SINTER_MAX_RANK];
    sinter_tensor out = {0};
    sinter_dtype dtype = take_dtype();
    int rank = take_shape(shape);
    int64_t value = take_value();
    if (model_count(rank, shape) > MODEL_ELEMENTS)
        return;
    model_verdict verdict = model_fill(dtype, rank, shape, 0, &result);
    for (int64_t i = 0; i < model_count(rank, shape); i++)
        result.at[i] = dtype == SINTER_BOOL ? (value + i) % 3 == 0 : (value + i * i) % 7 - 2;
    model_store(&result, place);
    sinter_status status =
        sinter_tensor_from_host(now.streams[at].s, dtype, rank, shape, place, &out);
    world_made(&now, at, "from_host", status, verdict, world_standing(&now, at, NULL, 0), out,
               &result);
}

static void full(int at)
{
    int64_t shape[SINTER_MAX_RANK];
    sinter_tensor out = {0};
    sinter_dtype dtype = take_dtype();
    int rank = take_shape(shape);
    int64_t value = dtype == SINTER_BOOL ? take_value() & 1 : take_value();
    model_verdict verdict = model_fill(dtype, rank, shape, value, &result);
    sinter_status status =
        sinter_full(now.streams[at].s, dtype, rank, shape, sinter_scalar_int(value), &out);
    world_made(&now, at, "full", status, verdict, world_standing(&now, at, NULL, 0), out, &result);
}

static void arange(int at)
{
    sinter_tensor out = {0};
    sinter_dtype dtype = dtypes[take_below(&now, 3)];
    int64_t count = take_extent() * take_extent();
    int64_t start = take_value();
    int64_t step = take_value();
    model_verdict verdict = model_fill(dtype, 1, &count, 0, &result);
    for (int64_t i = 0; i < count && result.known; i++)
        result.at[i] = start + i * step;
    sinter_status status = sinter_arange(now.streams[at].s, dtype, count, sinter_scalar_int(start),
                                         sinter_scalar_int(step), &out);
    world_made(&now, at, "arange", status, verdict, world_standing(&now, at, NULL, 0), out,
               &result);
}

typedef sinter_status (*unary_fn)(sinter_stream *, sinter_tensor, sinter_tensor *);
typedef sinter_status (*binary_fn)(sinter_stream *, sinter_tensor, sinter_tensor, sinter_tensor *);
typedef sinter_status (*scalar_fn)(sinter_stream *, sinter_tensor, double, sinter_tensor *);
typedef sinter_status (*reduce_fn)(sinter_stream *, sinter_tensor, int, const int *, bool,
                                   sinter_tensor *);

static void binary(int at)
{
    static const binary_fn all[] = {sinter_add,     sinter_sub, sinter_mul, sinter_maximum,
                                    sinter_minimum, sinter_gt,  sinter_eq};
    operand o[2];
    sinter_tensor out = {0};
    uint32_t op = take_below(&now, 7);
    o[0] = take_operand(&now);
    o[1] = take_operand(&now);
    model_verdict verdict =
        model_of_binary((model_binary)op, model_of(&o[0]), model_of(&o[1]), &result);
    standing of = world_standing(&now, at, o, 2);
    sinter_status status = all[op](now.streams[at].s, o[0].handle, o[1].handle, &out);
    world_made(&now, at, "binary", status, verdict, of, out, &result);
}

static void with_scalar(int at)
{
    static const scalar_fn all[] = {sinter_add_scalar,     sinter_sub_scalar,     sinter_mul_scalar,
                                    sinter_maximum_scalar, sinter_minimum_scalar, sinter_gt_scalar,
                                    sinter_eq_scalar};
    sinter_tensor out = {0};
    uint32_t op = take_below(&now, 7);
    operand o = take_operand(&now);
    int64_t value = take_value();
    const model *x = model_of(&o);
    static model scalar;
    (void)model_fill(x->dtype, 0, NULL, value, &scalar);
    model_verdict verdict = model_of_binary((model_binary)op, x, &scalar, &result);
    standing of = world_standing(&now, at, &o, 1);
    sinter_status status = all[op](now.streams[at].s, o.handle, (double)value, &out);
    world_made(&now, at, "with_scalar", status, verdict, of, out, &result);
}

static void unary(int at)
{
    static const unary_fn all[] = {sinter_neg, sinter_abs, sinter_square, sinter_copy, sinter_relu};
    sinter_tensor out = {0};
    uint32_t op = take_below(&now, 5);
    operand o = take_operand(&now);
    model_verdict verdict = model_of_unary((model_unary)op, model_of(&o), &result);
    standing of = world_standing(&now, at, &o, 1);
    sinter_status status = all[op](now.streams[at].s, o.handle, &out);
    world_made(&now, at, "unary", status, verdict, of, out, &result);
}

/* Operations of whose results nothing is known. */
static void any_unary(int at)
{
    static const unary_fn all[] = {
        sinter_exp,     sinter_log,   sinter_sqrt,       sinter_sigmoid,     sinter_gelu,
        sinter_sin,     sinter_tanh,  sinter_reciprocal, sinter_isnan,       sinter_floor,
        sinter_bit_not, sinter_rsqrt, sinter_erf,        sinter_logical_not, sinter_sign,
        sinter_lgamma,  sinter_cbrt,  sinter_asinh,      sinter_softplus,    sinter_silu};
    sinter_tensor out = {0};
    uint32_t op = take_below(&now, 20);
    operand o = take_operand(&now);
    standing of = world_standing(&now, at, &o, 1);
    sinter_status status = all[op](now.streams[at].s, o.handle, &out);
    world_made(&now, at, "any_unary", status, MODEL_OPEN, of, out, NULL);
}

static void any_binary(int at)
{
    static const binary_fn all[] = {sinter_div,     sinter_pow,         sinter_mod, sinter_floordiv,
                                    sinter_bit_xor, sinter_shl,         sinter_shr, sinter_atan2,
                                    sinter_hypot,   sinter_logical_and, sinter_le,  sinter_ne};
    operand o[2];
    sinter_tensor out = {0};
    uint32_t op = take_below(&now, 12);
    o[0] = take_operand(&now);
    o[1] = take_operand(&now);
    standing of = world_standing(&now, at, o, 2);
    sinter_status status = all[op](now.streams[at].s, o[0].handle, o[1].handle, &out);
    world_made(&now, at, "any_binary", status, MODEL_OPEN, of, out, NULL);
}

static void ternary(int at)
{
    operand o[3];
    sinter_tensor out = {0};
    bool fma = take_below(&now, 4) == 0;
    for (int i = 0; i < 3; i++)
        o[i] = take_operand(&now);
    model_verdict verdict =
        fma ? MODEL_OPEN : model_where(model_of(&o[0]), model_of(&o[1]), model_of(&o[2]), &result);
    standing of = world_standing(&now, at, o, 3);
    sinter_status status = (fma ? sinter_fma : sinter_where)(now.streams[at].s, o[0].handle,
                                                             o[1].handle, o[2].handle, &out);
    world_made(&now, at, "ternary", status, verdict, of, out, &result);
}

static void cast(int at)
{
    sinter_tensor out = {0};
    operand o = take_operand(&now);
    uint8_t b = take(&now);
    sinter_dtype dtype = b < 200 ? dtypes[b % 4] : (sinter_dtype)(b % (SINTER_DTYPE_COUNT + 1));
    model_verdict verdict =
        dtype < SINTER_DTYPE_COUNT ? model_cast(model_of(&o), dtype, &result) : MODEL_BAD;
    standing of = world_standing(&now, at, &o, 1);
    sinter_status status = sinter_cast(now.streams[at].s, o.handle, dtype, &out);
    world_made(&now, at, "cast", status, verdict, of, out, &result);
}

static void reduce(int at)
{
    static const reduce_fn all[] = {sinter_sum, sinter_max, sinter_min, sinter_any};
    int axes[3];
    sinter_tensor out = {0};
    uint32_t op = take_below(&now, 4);
    operand o = take_operand(&now);
    int count = (int)take_below(&now, 4);
    bool keepdims = (take(&now) & 1) != 0;
    for (int i = 0; i < count; i++)
        axes[i] = take_axis(o.t);
    model_verdict verdict =
        model_reduce((model_reduction)op, model_of(&o), count, axes, keepdims, &result);
    standing of = world_standing(&now, at, &o, 1);
    sinter_status status =
        all[op](now.streams[at].s, o.handle, count, count > 0 ? axes : NULL, keepdims, &out);
    world_made(&now, at, "reduce", status, verdict, of, out, &result);
}

static void any_reduction(int at)
{
    static const reduce_fn all[] = {sinter_mean,  sinter_prod, sinter_argmax,   sinter_argmin,
                                    sinter_devsq, sinter_all,  sinter_logsumexp};
    static const double orders[] = {1, 2, INFINITY, 3};
    sinter_tensor out = {0};
    uint32_t op = take_below(&now, 10);
    operand o = take_operand(&now);
    int axis = take_axis(o.t);
    int count = (int)take_below(&now, 2);
    double parameter = orders[take_below(&now, 4)];
    standing of = world_standing(&now, at, &o, 1);
    sinter_stream *s = now.streams[at].s;
    sinter_status status;
    if (op < 7)
        status = all[op](s, o.handle, count, &axis, true, &out);
    else if (op == 7)
        status = sinter_norm(s, o.handle, parameter, count, &axis, false, &out);
    else
        status =
            (op == 8 ? sinter_var : sinter_std)(s, o.handle, parameter, count, &axis, true, &out);
    world_made(&now, at, "any_reduction", status, MODEL_OPEN, of, out, NULL);
}

static void along(int at)
{
    operand o[3];
    sinter_tensor out = {0};
    uint32_t op = take_below(&now, 6);
    o[0] = take_operand(&now);
    int axis = take_axis(o[0].t);
    o[1] = o[2] = o[0];
    standing of = world_standing(&now, at, o, 1);
    sinter_stream *s = now.streams[at].s;
    sinter_status status;
    const sinter_tensor none = {0};
    if (op == 0)
        status = sinter_softmax(s, o[0].handle, 1, &axis, &out);
    else if (op == 1)
        status = sinter_log_softmax(s, o[0].handle, 1, &axis, &out);
    else if (op == 2)
        status = sinter_layer_norm(s, o[0].handle, 1, &axis, o[0].handle, none, 1e-5, &out);
    else if (op == 3)
        status = sinter_rms_norm(s, o[0].handle, 1, &axis, none, 1e-5, &out);
    else if (op == 4)
        status = sinter_cumprod(s, o[0].handle, axis, &out);
    else
        status = sinter_dropout(s, o[0].handle, 0.5, take(&now), 1, &out);
    world_made(&now, at, "along", status, MODEL_OPEN, of, out, NULL);
}

static void cumsum(int at)
{
    sinter_tensor out = {0};
    operand o = take_operand(&now);
    int axis = take_axis(o.t);
    model_verdict verdict = model_cumsum(model_of(&o), axis, &result);
    standing of = world_standing(&now, at, &o, 1);
    sinter_status status = sinter_cumsum(now.streams[at].s, o.handle, axis, &out);
    world_made(&now, at, "cumsum", status, verdict, of, out, &result);
}

static void matmul(int at)
{
    operand o[2];
    sinter_tensor out = {0};
    o[0] = take_operand(&now);
    o[1] = take_operand(&now);
    model_verdict verdict = model_matmul(model_of(&o[0]), model_of(&o[1]), &result);
    standing of = world_standing(&now, at, o, 2);
    sinter_status status = sinter_matmul(now.streams[at].s, o[0].handle, o[1].handle, &out);
    world_made(&now, at, "matmul", status, verdict, of, out, &result);
}

static void random_numbers(int at)
{
    int64_t shape[SINTER_MAX_RANK];
    sinter_tensor out = {0};
    static const sinter_dtype floats[] = {SINTER_F32, SINTER_F16, SINTER_BF16, SINTER_F64};
    sinter_dtype dtype = floats[take_below(&now, 4)];
    int rank = take_shape(shape);
    bool normal = take_below(&now, 2) != 0;
    sinter_status status = (normal ? sinter_random_normal : sinter_random_uniform)(
        now.streams[at].s, dtype, rank, shape, take(&now), take(&now), &out);
    world_made(&now, at, "random", status, MODEL_OPEN, world_standing(&now, at, NULL, 0), out,
               NULL);
}

/* Views and updates */

static void transpose(int at)
{
    int axes[SINTER_MAX_RANK];
    sinter_tensor out = {0};
    operand o = take_operand(&now);
    bool given = take_below(&now, 3) == 0;
    for (int i = 0; i < SINTER_MAX_RANK; i++)
        axes[i] = given ? take_axis(o.t) : 0;
    const int *order = given ? axes : NULL;
    model_verdict verdict = model_transpose(model_of(&o), order, &result);
    standing of = world_standing(&now, at, &o, 1);
    sinter_status status = sinter_transpose(now.streams[at].s, o.handle, order, &out);
    world_made(&now, at, "transpose", status, verdict, of, out, &result);
}

/* A shape of as many elements, mostly: one axis, two, or the same in another order. */
static int other_shape(const model *x, int64_t *shape)
{
    int64_t count = model_count(x->rank, x->shape);
    uint32_t how = take_below(&now, 4);
    if (how == 0)
        return take_shape(shape);
    if (how == 1 || x->rank == 0) {
        shape[0] = count;
        return 1;
    }
    shape[0] = how == 2 ? x->shape[0] : x->shape[x->rank - 1];
    shape[1] = shape[0] > 0 ? count / shape[0] : count;
    return 2;
}

static void reshape(int at)
{
    int64_t shape[SINTER_MAX_RANK];
    sinter_tensor out = {0};
    operand o = take_operand(&now);
    int rank = other_shape(model_of(&o), shape);
    bool left = rank > 0 && take_below(&now, 8) == 0;
    model_verdict verdict = left ? MODEL_OPEN : model_reshape(model_of(&o), rank, shape, &result);
    if (left)
        shape[0] = -1;
    standing of = world_standing(&now, at, &o, 1);
    sinter_status status = sinter_reshape(now.streams[at].s, o.handle, rank, shape, &out);
    world_made(&now, at, "reshape", status, verdict, of, out, &result);
}

static void expand(int at)
{
    int64_t shape[SINTER_MAX_RANK];
    sinter_tensor out = {0};
    operand o = take_operand(&now);
    const model *x = model_of(&o);
    int rank = 0;
    if (take_below(&now, 4) == 0) {
        rank = take_shape(shape);
    } else {
        if (x->rank < SINTER_MAX_RANK && take_below(&now, 2) == 0)
            shape[rank++] = take_extent();
        for (int i = 0; i < x->rank; i++, rank++)
            shape[rank] = x->shape[i] == 1 ? take_extent() : x->shape[i];
    }
    model_verdict verdict = model_expand(x, rank, shape, &result);
    standing of = world_standing(&now, at, &o, 1);
    sinter_status status = sinter_expand(now.streams[at].s, o.handle, rank, shape, &out);
    world_made(&now, at, "expand", status, verdict, of, out, &result);
}

static int64_t take_bound(void)
{
    static const int64_t far[] = {SINTER_OPEN, INT64_MAX, INT64_MIN + 1, INT32_MAX};
    uint8_t b = take(&now);
    return b < 200 ? b % 12 - 4 : far[b % 4];
}

static void slice(int at)
{
    static const int64_t steps[] = {1, 2, -1, -2, 3, 0, INT64_MAX, INT64_MIN + 1};
    sinter_tensor out = {0};
    operand o = take_operand(&now);
    int axis = take_axis(o.t);
    int64_t start = take_bound();
    int64_t stop = take_bound();
    int64_t step = steps[take_below(&now, 8)];
    model_verdict verdict = model_slice(model_of(&o), axis, start, stop, step, &result);
    standing of = world_standing(&now, at, &o, 1);
    sinter_status status = sinter_slice(now.streams[at].s, o.handle, axis, start, stop, step, &out);
    world_made(&now, at, "slice", status, verdict, of, out, &result);
}

static void small_views(int at)
{
    sinter_tensor out = {0};
    operand o = take_operand(&now);
    uint32_t how = take_below(&now, 3);
    int axis = take_axis(o.t);
    int count = (int)take_below(&now, 2);
    model_verdict verdict =
        how == 0 && count == 1 ? model_flip(model_of(&o), axis, &result) : MODEL_OPEN;
    standing of = world_standing(&now, at, &o, 1);
    sinter_stream *s = now.streams[at].s;
    sinter_status status = how == 0   ? sinter_flip(s, o.handle, count, &axis, &out)
                           : how == 1 ? sinter_squeeze(s, o.handle, count, &axis, &out)
                                      : sinter_unsqueeze(s, o.handle, axis, &out);
    world_made(&now, at, "view", status, verdict, of, out, &result);
}

static void update(int at)
{
    operand o[2];
    sinter_tensor out = {0};
    sinter_range range;
    o[0] = take_operand(&now);
    o[1] = take_operand(&now);
    range.axis = take_axis(o[0].t);
    range.start = take_below(&now, 5);
    range.stop = range.start + take_below(&now, 4);
    range.step = 1;
    model_verdict verdict = model_update(model_of(&o[0]), range.axis, range.start,
                                         range.stop - range.start, model_of(&o[1]), &result);
    standing of = world_standing(&now, at, o, 2);
    sinter_status status =
        sinter_update(now.streams[at].s, o[0].handle, 1, &range, o[1].handle, &out);
    world_made(&now, at, "update", status, verdict, of, out, &result);
}

/* Many at once */

static void optimiser(int at)
{
    operand o[4];
    sinter_tensor to[3];
    bool adam = take_below(&now, 2) != 0;
    bool has_momentum = take_below(&now, 2) != 0;
    for (int i = 0; i < 4; i++)
        o[i] = take_operand(&now);
    for (int i = 0; i < 3; i++)
        to[i] = o[i].handle;
    standing of = world_standing(&now, at, o, 4);
    sinter_sgd_options sgd = SINTER_SGD_OPTIONS_INIT;
    sinter_adam_options options = SINTER_ADAM_OPTIONS_INIT;
    sgd.momentum = has_momentum ? 0.5 : 0;
    options.step = has_momentum ? 3 : 0;
    sinter_stream *s = now.streams[at].s;
    sinter_status status =
        adam ? sinter_adamw(s, 1, &to[0], &o[3].handle, &to[1], &to[2], &options)
             : sinter_sgd(s, 1, &to[0], &o[3].handle, has_momentum ? &to[1] : NULL, &sgd);
    if (status != SINTER_OK && status != SINTER_EHANDLE && !is_refusal(status) &&
        !world_excuses(&now, status) && !(of.rests && status == SINTER_EBUSY))
        world_refute("optimiser", status);
    for (int i = 0; i < 3; i++) { /* what was replaced has lost a reference */
        if (to[i].id != o[i].handle.id)
            world_forget(&now, o[i].handle);
    }
    for (int i = 0; i < 3; i++) {
        if (to[i].id != o[i].handle.id)
            world_hold(&now, at, to[i]);
    }
}

static void program(int at)
{
    static const char *const all[] = {
        "y = x + x; z = sum(y) * 2",
        "t = x * 2; y = t - x; release t; cut; z = y + t2; t2 = y",
        "y = x * 2\ncut\nz = max(y, axis=0)\nrelease x",
        "a = x.T; b = a[0]; c = where(x > 1, x, 2)",
        "y = exp(x) / sum(exp(x), axis=-1, keepdims=True); release y; z = x",
        "y = x @ x + random_uniform([3], 1, 2)",
    };
    operand o[2];
    sinter_tensor results[8];
    sinter_program *p = NULL;
    sinter_program_place where;
    const char *text = all[take_below(&now, 6)];
    o[0] = take_operand(&now);
    o[1] = take_operand(&now);
    const sinter_tensor inputs[] = {o[0].handle, o[1].handle};
    sinter_status status = sinter_program_parse(text, strlen(text), &p, &where);
    if (status != SINTER_OK)
        return;
    size_t count = sinter_program_result_count(p);
    standing of = world_standing(&now, at, o, (int)sinter_program_input_count(p));
    if (sinter_program_input_count(p) <= 2 && count <= 8) {
        status = sinter_program_run(p, now.streams[at].s, inputs, results, &where);
        world_judge(&now, "program", status, MODEL_OPEN, of);
        for (size_t i = 0; i < count; i++) {
            if ((status == SINTER_OK) != (results[i].id != 0))
                world_refute("program", status);
            if (status == SINTER_OK)
                world_hold(&now, at, results[i]);
        }
    }
    sinter_program_destroy(p);
}

/* Arguments that nobody means: what comes of them is let go at once */

static int64_t take_far(void)
{
    static const int64_t all[] = {0,          1,         2,
                                  -1,         INT32_MAX, (int64_t)INT32_MAX + 1,
                                  UINT32_MAX, 1ll << 40, 1ll << 62,
                                  INT64_MAX,  INT64_MIN, INT64_MIN + 1,
                                  3,          1000003,   -(1ll << 31),
                                  8};
    return all[take_below(&now, 16)];
}

static void far_made(int at, sinter_status status, standing of, sinter_tensor out)
{
    if (status == SINTER_EHANDLE && !of.dead)
        world_refute("far", status);
    world_judge(&now, "far", status, MODEL_OPEN, of);
    if (status == SINTER_OK)
        world_hold(&now, at, out);
    else if (out.id != 0)
        world_refute("far: a handle with a failure", status);
}

static sinter_status far_call(sinter_stream *s, uint32_t which, operand o, operand p,
                              sinter_tensor *out)
{
    int64_t shape[16];
    int axes[16];
    for (int i = 0; i < 16; i++) {
        shape[i] = i < 3 ? take_far() : i;
        axes[i] = i < 3 ? (int)(uint32_t)(uint64_t)take_far() : i;
    }
    int rank = (int)take_below(&now, 12) - 1;
    sinter_range ranges[2] = {{axes[0], shape[0], shape[1], shape[2]},
                              {axes[1], shape[1], shape[2], 1}};
    switch (which) {
    case 0:
        return sinter_full(s, (sinter_dtype)axes[0], rank, shape, sinter_scalar_int(shape[1]), out);
    case 1:
        return sinter_full(s, take_dtype(), rank, shape, sinter_scalar_float(1e300), out);
    case 2:
        return sinter_random_uniform(s, SINTER_F32, rank, shape, (uint64_t)shape[0],
                                     (uint64_t)shape[1], out);
    case 3:
        return sinter_arange(s, take_dtype(), shape[0], sinter_scalar_int(shape[1]),
                             sinter_scalar_int(shape[2]), out);
    case 4:
        return sinter_reshape(s, o.handle, rank, shape, out);
    case 5:
        return sinter_expand(s, o.handle, rank, shape, out);
    case 6:
        return sinter_slice(s, o.handle, axes[0], shape[0], shape[1], shape[2], out);
    case 7:
        return sinter_sum(s, o.handle, rank, axes, true, out);
    case 8:
        return sinter_squeeze(s, o.handle, rank, axes, out);
    case 9:
        return sinter_flip(s, o.handle, rank, axes, out);
    case 10:
        return sinter_update(s, o.handle, rank < 3 ? rank : 2, ranges, p.handle, out);
    case 11:
        return sinter_unsqueeze(s, o.handle, axes[0], out);
    case 12:
        return sinter_clamp(s, o.handle, (double)shape[0], (double)shape[1], out);
    case 13:
        return sinter_add_scalar(s, o.handle, (double)shape[0] * 1e10, out);
    case 14:
        return sinter_var(s, o.handle, (double)shape[0], rank, axes, false, out);
    default:
        return sinter_transpose(s, o.handle, axes, out);
    }
}

static void far(int at)
{
    sinter_tensor out = {0};
    operand o[2];
    uint32_t which = take_below(&now, 16);
    o[0] = take_operand(&now);
    o[1] = take_operand(&now);
    standing of = world_standing(&now, at, o, which == 10 ? 2 : which < 4 ? 0 : 1);
    if (which == 15 && o[0].t != NULL && o[0].t->is.rank == 0)
        return;
    sinter_status status = far_call(now.streams[at].s, which, o[0], o[1], &out);
    far_made(at, status, of, out);
}

/* Null arguments, and an upload of a size that cannot be. */
static void null(int at)
{
    sinter_tensor out = {1};
    operand o = take_operand(&now);
    sinter_stream *s = now.streams[at].s;
    int64_t shape[] = {take_far(), -1 - (int64_t)take_below(&now, 2)};
    sinter_status all[] = {sinter_add(NULL, o.handle, o.handle, &out),
                           sinter_add(s, o.handle, o.handle, NULL),
                           sinter_full(s, SINTER_F32, 1, NULL, sinter_scalar_int(0), &out),
                           sinter_tensor_from_host(s, SINTER_F32, 2, shape, place, &out),
                           sinter_tensor_from_host(s, SINTER_F32, 9, shape, place, &out),
                           sinter_sum(s, o.handle, 1, NULL, false, &out),
                           sinter_update(s, o.handle, 1, NULL, o.handle, &out),
                           sinter_tensor_read(NULL, o.handle, place, 1),
                           sinter_tensor_map(s, o.handle, (sinter_map_access)7, NULL, NULL),
                           sinter_context_destroy(now.ctx),
                           sinter_scope_close(NULL, 0, NULL)};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (all[i] == SINTER_OK)
            world_refute("null", (sinter_status)i);
    }
    if (out.id != 0)
        world_refute("null: a handle with a failure", SINTER_OK);
}

/* Which it is */

static void (*const all[])(int) = {
    from_host,  full,    arange,         binary,    binary,  with_scalar,   unary, any_unary,
    any_binary, ternary, cast,           reduce,    reduce,  any_reduction, along, cumsum,
    matmul,     matmul,  random_numbers, transpose, reshape, expand,        slice, small_views,
    update,     update,  optimiser,      program,   far,     far,           null};

_Static_assert(sizeof all / sizeof all[0] == API_MAKERS, "what the header says");

void api_make(uint32_t which, int at)
{
    all[which](at);
}
