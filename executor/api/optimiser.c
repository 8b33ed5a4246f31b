/* The public functions of include/sinter/optimiser.h.
 *
 * The one hard idea: a step releases each of its states once, so a tensor that is in two places of
 * the lists has to have as many references, and one more where it is a gradient as well. That is
 * known before anything is queued. Each slot keeps by which step it was named last, so that looking
 * for a tensor that was named before costs a step in which there is none next to nothing. */
#include "sinter/optimiser.h"

#include "core/composite.h"
#include "core/sized.h"
#include "executor/queue/formula.h"

/* What belongs to each parameter, in the order of the formula's results: the parameter itself first. */
#define MAX_STATES 3

typedef struct list {
    const char *name;
    sinter_stream *stream;
    sinter__builder builder; /* within the call */
    size_t count;
    sinter_tensor *states[MAX_STATES];
    int state_count;
    const sinter_tensor *gradients;
    uint32_t
        step; /* the stream's number of it, twice: in slots named as states; and 1, as gradients */
} list;

/* Before anything is queued. */
static sinter_status check_one(const list *l, const sinter_tensor_desc *p, sinter_tensor t,
                               const char *what, size_t index)
{
    sinter_tensor_desc desc;
    char from[SINTER__SHAPE_TEXT];
    char to[SINTER__SHAPE_TEXT];
    SINTER_TRY(l->builder.describe(l->builder.self, t, &desc));
    if (desc.dtype != p->dtype)
        return sinter__fail(SINTER_EDTYPE, "%s %zu is %s, its parameter %s", what, index,
                            sinter_dtype_name(desc.dtype), sinter_dtype_name(p->dtype));
    if (!sinter__shape_equal(desc.rank, desc.shape, p->rank, p->shape))
        return sinter__fail(SINTER_ESHAPE, "%s %zu has shape %s, its parameter %s", what, index,
                            sinter__shape_text(desc.rank, desc.shape, from),
                            sinter__shape_text(p->rank, p->shape, to));
    return SINTER_OK;
}

static sinter_status check_parameter(const list *l, size_t i)
{
    sinter_tensor_desc p;
    SINTER_TRY(l->builder.describe(l->builder.self, l->states[0][i], &p));
    if (!sinter__is_float(p.dtype))
        return sinter__fail(SINTER_EDTYPE, "parameter %zu is %s, which is no float", i,
                            sinter_dtype_name(p.dtype));
    for (int k = 1; k < l->state_count; k++)
        SINTER_TRY(check_one(l, &p, l->states[k][i], "state", i));
    return check_one(l, &p, l->gradients[i], "gradient", i);
}

/* Whether it is at home on the stream as well, and of that dtype and shape. */
static bool is_like(const sinter__slot *parameter, const sinter__slot *slot)
{
    const sinter__view *shape = &parameter->view;
    return slot != NULL && slot->dtype == parameter->dtype &&
           sinter__shape_equal(shape->rank, shape->shape, slot->view.rank, slot->view.shape);
}

/* Whether this step has not named the slot yet; gradients stay, so several parameters may have one. */
static bool is_new(const list *l, sinter__slot *slot, bool stays)
{
    bool was_state = slot->named == l->step, was_gradient = slot->named == l->step + 1;
    slot->named = stays && !was_state ? l->step + 1 : l->step;
    return !was_state && (stays || !was_gradient);
}

/* Seen at a glance, as it is in every step of a training loop. `single` becomes false where a tensor may be in several
 * places. */
static bool is_right(const list *l, size_t i, bool *single)
{
    const sinter__slot *p = sinter__slot_own(l->stream, l->states[0][i]);
    bool right = p != NULL && sinter__is_float((sinter_dtype)p->dtype);
    for (int k = 0; k <= l->state_count && right; k++) {
        bool stays = k == l->state_count;
        sinter_tensor t = stays ? l->gradients[i] : l->states[k][i];
        sinter__slot *slot = sinter__slot_own(l->stream, t);
        right = is_like(p, slot);
        *single &= right && is_new(l, slot, stays);
    }
    *single &= right;
    return right;
}

/* Of a tensor that is at home anywhere. */
static sinter_status count_references(const list *l, sinter_tensor t, uint32_t *out)
{
    sinter_stream *s = l->stream, *home;
    sinter__slot *slot = sinter__slot_own(s, t);
    if (slot != NULL) {
        *out = slot->references;
        return SINTER_OK;
    }
    (void)pthread_mutex_unlock(&s->lock);
    sinter_status status = sinter__home_lock(s->ctx, t, &slot, &home);
    if (status == SINTER_OK) {
        *out = slot->references;
        sinter__home_unlock(s->ctx, home);
    }
    (void)pthread_mutex_lock(&s->lock);
    return status;
}

static sinter_status check_places(const list *l, sinter_tensor t, size_t index)
{
    uint32_t references, released = 0;
    bool stays = false;
    for (size_t i = 0; i < l->count; i++) {
        stays |= l->gradients[i].id == t.id;
        for (int k = 0; k < l->state_count; k++)
            released += l->states[k][i].id == t.id;
    }
    if (released + stays < 2)
        return SINTER_OK;
    SINTER_TRY(count_references(l, t, &references));
    if (references >= released + stays)
        return SINTER_OK;
    return sinter__fail(SINTER_EINVAL,
                        "parameter %zu: a tensor with %u reference%s is %u state%s%s, and each "
                        "is replaced",
                        index, references, references == 1 ? "" : "s", released,
                        released == 1 ? "" : "s", stays ? " and a gradient" : "");
}

static sinter_status check_all(const list *l)
{
    bool single = true;
    for (size_t i = 0; i < l->count; i++) {
        if (!is_right(l, i, &single))
            SINTER_TRY(check_parameter(l, i));
    }
    for (size_t i = 0; i < l->count && !single; i++) {
        for (int k = 0; k < l->state_count; k++)
            SINTER_TRY(check_places(l, l->states[k][i], i));
    }
    return SINTER_OK;
}

static sinter_status check_given(const list *l)
{
    bool missing = l->stream == NULL;
    for (int k = 0; k < l->state_count && l->count > 0; k++)
        missing |= l->states[k] == NULL;
    missing |= l->count > 0 && l->gradients == NULL;
    return missing ? sinter__fail(SINTER_EINVAL, "%s: an argument is NULL", l->name) : SINTER_OK;
}

/* The new tensors of parameter `i` take the places of the old ones. */
static void replace(const list *l, size_t i, const sinter_tensor *fresh)
{
    for (int k = 0; k < l->state_count; k++) {
        l->builder.release(l->builder.self, l->states[k][i]);
        l->states[k][i] = fresh[k];
    }
}

/* Of either kind. */
typedef union step {
    sinter__sgd_step sgd;
    sinter__adam_step adam;
} step;

/* The step of one parameter. */
typedef struct one {
    const step *x;
    const double *numbers; /* of it */
    bool is_adam;
    sinter_tensor parameter, gradient, states[MAX_STATES - 1];
} one;

static sinter_status queue_one(const void *self, const sinter__builder *b, sinter_tensor *out)
{
    const one *o = self;
    return o->is_adam ? sinter__compose_adam(b, &o->x->adam, o->numbers, o->parameter, o->gradient,
                                             o->states[0], o->states[1], out)
                      : sinter__compose_sgd(b, &o->x->sgd, o->numbers, o->parameter, o->gradient,
                                            o->states[0], out);
}

/* What decides the operations: numbers may change from step to step. */
static sinter__formula_key key_of(const list *l, bool is_adam, const step *x)
{
    bool decays = (is_adam ? x->adam.weight_decay : x->sgd.weight_decay) != 0;
    bool decoupled = is_adam && x->adam.is_decoupled;
    return (sinter__formula_key){.which = is_adam ? SINTER__FORMULA_ADAM : SINTER__FORMULA_SGD,
                                 .given = (uint8_t)(decays | decoupled << 1 | l->state_count << 2)};
}

/* Within a call. */
static sinter_status step_all(const list *l, bool is_adam, const step *x)
{
    double given[SINTER__STEP_NUMBERS] = {0};
    sinter__formula_numbers numbers = {.count = is_adam ? sinter__adam_numbers(&x->adam, given)
                                                        : sinter__sgd_numbers(&x->sgd, given),
                                       .at = given};
    one o = {.x = x, .numbers = given, .is_adam = is_adam};
    sinter_tensor operands[MAX_STATES + 1];
    sinter__formula f = {.key = key_of(l, is_adam, x),
                         .operands = operands,
                         .operand_count = l->state_count + 1,
                         .result_count = l->state_count,
                         .self = &o,
                         .queue = queue_one,
                         .numbers = &numbers};
    SINTER_TRY(check_all(l));
    for (size_t i = 0; i < l->count; i++) {
        sinter_tensor fresh[MAX_STATES];
        o.parameter = operands[0] = l->states[0][i];
        o.gradient = operands[1] = l->gradients[i];
        for (int k = 1; k < l->state_count; k++)
            o.states[k - 1] = operands[k + 1] = l->states[k][i];
        SINTER_TRY(sinter__formula_apply(l->stream, &f, fresh));
        replace(l, i, fresh);
    }
    return SINTER_OK;
}

static sinter_status run(list *l, bool is_adam, const step *x)
{
    SINTER_TRY(check_given(l));
    SINTER_TRY(sinter__call_begin(l->stream, l->name));
    l->builder = sinter__builder_within(l->stream);
    l->step = 2 * ++l->stream->optimised;
    sinter_status status = step_all(l, is_adam, x);
    sinter__call_end(l->stream);
    return status == SINTER_OK ? status : sinter__fail_in(status, l->name);
}

static sinter_status reserved_is_0(const char *name, uint32_t reserved)
{
    if (reserved == 0)
        return SINTER_OK;
    return sinter__fail(SINTER_EINVAL, "%s: options: reserved is %u, not 0", name,
                        (unsigned)reserved);
}

sinter_status sinter_sgd(sinter_stream *stream, size_t count, sinter_tensor *parameters,
                         const sinter_tensor *gradients, sinter_tensor *velocities,
                         const sinter_sgd_options *options)
{
    sinter__clear_error();
    sinter_sgd_options o = SINTER_SGD_OPTIONS_INIT;
    if (options != NULL)
        SINTER_TRY(sinter__sized_take("sgd: options", &o, sizeof o, options));
    SINTER_TRY(reserved_is_0("sgd", o.reserved));
    const step x = {
        .sgd = {.rate = o.rate, .momentum = o.momentum, .weight_decay = o.weight_decay}};
    list l = {.name = "sgd",
              .stream = stream,
              .count = count,
              .states = {parameters, velocities},
              .state_count = o.momentum != 0 ? 2 : 1,
              .gradients = gradients};
    return run(&l, false, &x);
}

static sinter_status adam(const char *name, bool is_decoupled, list *l,
                          const sinter_adam_options *options)
{
    sinter__clear_error();
    sinter_adam_options o = SINTER_ADAM_OPTIONS_INIT;
    if (options != NULL)
        SINTER_TRY(sinter__sized_take(is_decoupled ? "adamw: options" : "adam: options", &o,
                                      sizeof o, options));
    SINTER_TRY(reserved_is_0(name, o.reserved));
    if (o.step == 0)
        return sinter__fail(SINTER_EINVAL, "%s: options: step is 0, and steps are counted from 1",
                            name);
    const step x = {.adam = {.rate = o.rate,
                             .beta1 = o.beta1,
                             .beta2 = o.beta2,
                             .epsilon = o.epsilon,
                             .weight_decay = o.weight_decay,
                             .is_decoupled = is_decoupled,
                             .step = o.step}};
    l->name = name;
    l->state_count = 3;
    return run(l, true, &x);
}

sinter_status sinter_adam(sinter_stream *stream, size_t count, sinter_tensor *parameters,
                          const sinter_tensor *gradients, sinter_tensor *means,
                          sinter_tensor *squares, const sinter_adam_options *options)
{
    list l = {.stream = stream,
              .count = count,
              .states = {parameters, means, squares},
              .gradients = gradients};
    return adam("adam", false, &l, options);
}

sinter_status sinter_adamw(sinter_stream *stream, size_t count, sinter_tensor *parameters,
                           const sinter_tensor *gradients, sinter_tensor *means,
                           sinter_tensor *squares, const sinter_adam_options *options)
{
    list l = {.stream = stream,
              .count = count,
              .states = {parameters, means, squares},
              .gradients = gradients};
    return adam("adamw", true, &l, options);
}
