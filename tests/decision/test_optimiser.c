/* Steps of optimisers: against the formula in double, one launch for a list, state that stays where it is. */
#include "support/support.h"

#include <math.h>
#include <string.h>

#define COUNT 8
#define MOST 3000
#define STEPS 3

static const int64_t sizes[COUNT] = {3000, 1, 17, 1024, 64, 500, 33, 2048};

/* Of each parameter: itself, its gradient, two moments. */
typedef struct model {
    test_device d;
    sinter_tensor p[COUNT], g[COUNT], m[COUNT], v[COUNT];
    double p64[COUNT][MOST], g64[COUNT][MOST], m64[COUNT][MOST], v64[COUNT][MOST];
} model;

static model the_model;

static sinter_tensor upload(model *x, size_t i, unsigned seed, double scale, double *copy)
{
    static float data[MOST];
    sinter_tensor t;
    for (int64_t k = 0; k < sizes[i]; k++) {
        seed = seed * 1664525u + 1013904223u;
        data[k] = (float)(scale * ((double)(seed >> 8) / (1 << 23) - 1));
        copy[k] = data[k];
    }
    OK(sinter_tensor_from_host(x->d.s, SINTER_F32, 1, &sizes[i], data, &t));
    return t;
}

static model *start(void)
{
    model *x = &the_model;
    x->d = test_open(NULL);
    for (unsigned i = 0; i < COUNT; i++) {
        x->p[i] = upload(x, i, 1 + i, 1.0, x->p64[i]);
        x->g[i] = upload(x, i, 50 + i, 0.1, x->g64[i]);
        x->m[i] = upload(x, i, 100 + i, 0.0, x->m64[i]);
        x->v[i] = upload(x, i, 150 + i, 0.0, x->v64[i]);
    }
    return x;
}

static void end(model *x)
{
    for (size_t i = 0; i < COUNT; i++) {
        test_release(&x->d, x->p[i]);
        test_release(&x->d, x->g[i]);
        test_release(&x->d, x->m[i]);
        test_release(&x->d, x->v[i]);
    }
    test_close(&x->d);
}

static void check(model *x, const sinter_tensor *found, double wanted[COUNT][MOST])
{
    static float out[MOST];
    for (size_t i = 0; i < COUNT; i++) {
        test_read(&x->d, found[i], out, (size_t)sizes[i]);
        for (int64_t k = 0; k < sizes[i]; k++)
            assert_true(fabs(out[k] - wanted[i][k]) <= 1e-6 * (1 + fabs(wanted[i][k])));
    }
}

static void sgd_in_double(model *x, const sinter_sgd_options *o)
{
    for (size_t i = 0; i < COUNT; i++) {
        for (int64_t k = 0; k < sizes[i]; k++) {
            double g = x->g64[i][k] + x->p64[i][k] * o->weight_decay;
            x->v64[i][k] = x->v64[i][k] * o->momentum + g;
            x->p64[i][k] -= (o->momentum != 0 ? x->v64[i][k] : g) * o->rate;
        }
    }
}

static void adam_in_double(model *x, const sinter_adam_options *o, int step, bool decoupled)
{
    for (size_t i = 0; i < COUNT; i++) {
        for (int64_t k = 0; k < sizes[i]; k++) {
            double *p = &x->p64[i][k];
            double *m = &x->m64[i][k];
            double *v = &x->v64[i][k];
            double g = x->g64[i][k] + (decoupled ? 0 : *p * o->weight_decay);
            *m = *m * o->beta1 + g * (1 - o->beta1);
            *v = *v * o->beta2 + g * g * (1 - o->beta2);
            if (decoupled)
                *p *= 1 - o->rate * o->weight_decay;
            *p -= o->rate * (*m / (1 - pow(o->beta1, step))) /
                  (sqrt(*v / (1 - pow(o->beta2, step))) + o->epsilon);
        }
    }
}

/* One launch, `moved` bytes for each element, and no new storage for what is replaced. */
static void check_counts(model *x, const sinter_stats *before, uint64_t moved, uint64_t replaced)
{
    sinter_stats after = test_stats(&x->d);
    uint64_t elements = 0;
    for (size_t i = 0; i < COUNT; i++)
        elements += (uint64_t)sizes[i];
    assert_int_equal(after.live_tensors, before->live_tensors);
    if (test_takes_few_arguments()) /* smaller groups */
        return;
    if (test_is_pooled())
        DECIDES(after.launches - before->launches, 1);
    DECIDES(after.bytes_moved - before->bytes_moved, moved * elements);
    DECIDES(after.bytes_bound - before->bytes_bound, moved * elements);
    if (test_is_plain() && test_reuses())
        assert_int_equal(after.donations - before->donations, replaced * COUNT);
}

static void gradient_descent(void **state)
{
    (void)state;
    model *x = start();
    sinter_sgd_options o = SINTER_SGD_OPTIONS_INIT;
    for (int i = 0; i < STEPS; i++) {
        sinter_stats before = test_stats(&x->d);
        OK(sinter_sgd(x->d.s, COUNT, x->p, x->g, NULL, &o));
        OK(sinter_stream_sync(x->d.s));
        check_counts(x, &before, 12, 1);
        sgd_in_double(x, &o);
    }
    check(x, x->p, x->p64);
    end(x);
}

static void momentum_and_decay(void **state)
{
    (void)state;
    model *x = start();
    sinter_sgd_options o = SINTER_SGD_OPTIONS_INIT;
    o.momentum = 0.9;
    o.weight_decay = 0.01;
    for (int i = 0; i < STEPS; i++) {
        sinter_stats before = test_stats(&x->d);
        OK(sinter_sgd(x->d.s, COUNT, x->p, x->g, x->v, &o));
        OK(sinter_stream_sync(x->d.s));
        check_counts(x, &before, 20, 2);
        sgd_in_double(x, &o);
    }
    check(x, x->p, x->p64);
    check(x, x->v, x->v64);
    end(x);
}

static void adam_and_adamw(void **state)
{
    (void)state;
    for (int decoupled = 0; decoupled < 2; decoupled++) {
        model *x = start();
        sinter_adam_options o = SINTER_ADAM_OPTIONS_INIT;
        o.weight_decay = 0.01;
        for (int i = 1; i <= STEPS; i++) {
            sinter_stats before = test_stats(&x->d);
            o.step = (uint64_t)i;
            OK((decoupled ? sinter_adamw : sinter_adam)(x->d.s, COUNT, x->p, x->g, x->m, x->v, &o));
            OK(sinter_stream_sync(x->d.s));
            check_counts(x, &before, 28, 3);
            adam_in_double(x, &o, i, decoupled != 0);
        }
        check(x, x->p, x->p64);
        check(x, x->m, x->m64);
        check(x, x->v, x->v64);
        end(x);
    }
}

/* Which operations a step has. */
typedef struct kind {
    bool is_adam, is_decoupled;
    double momentum, decay;
} kind;

static const kind kinds[] = {
    {.is_adam = true, .is_decoupled = true, .decay = 0.01},
    {.momentum = 0.9, .decay = 0.01},
    {.is_adam = true},
    {.is_adam = true, .decay = 0.01},
    {.momentum = 0},
    {.decay = 0.01},
    {.momentum = 0.9},
};

enum { PAIR = 2, TURNS = 4, PAIR_ROOM = 3 * PAIR * MOST * 8 };

/* Of each parameter what a step replaces, one behind the other as a scope takes them, and its gradient. */
typedef struct pair {
    sinter_tensor state[3][PAIR];
    sinter_tensor g[PAIR];
    int states;
} pair;

static pair start_pair(const test_device *d, const kind *k, sinter_dtype dtype)
{
    pair x = {.states = k->is_adam ? 3 : k->momentum != 0 ? 2 : 1};
    static float data[MOST];
    for (size_t i = 0; i < MOST; i++)
        data[i] = (float)(i * 7919 % 1009) / 1009.0f;
    for (size_t i = 0; i < PAIR; i++) {
        const int64_t shape[] = {i == 0 ? 300 : 63};
        for (int n = 0; n <= x.states; n++) {
            sinter_tensor given = test_floats(d, 1, shape, data + 16 * n);
            OK(sinter_cast(d->s, given, dtype, n < x.states ? &x.state[n][i] : &x.g[i]));
            test_release(d, given);
        }
    }
    OK(sinter_stream_sync(d->s));
    return x;
}

/* Other numbers in every turn. */
static void queue_step(const test_device *d, const kind *k, pair *x, int turn)
{
    sinter_sgd_options sgd = SINTER_SGD_OPTIONS_INIT;
    sinter_adam_options adam = SINTER_ADAM_OPTIONS_INIT;
    adam.rate = sgd.rate = 0.01 / (turn + 1);
    adam.weight_decay = sgd.weight_decay = k->decay;
    sgd.momentum = k->momentum;
    adam.step = (uint64_t)turn + 1;
    if (k->is_adam)
        OK((k->is_decoupled ? sinter_adamw : sinter_adam)(d->s, PAIR, x->state[0], x->g,
                                                          x->state[1], x->state[2], &adam));
    else
        OK(sinter_sgd(d->s, PAIR, x->state[0], x->g, x->states > 1 ? x->state[1] : NULL, &sgd));
}

/* What the steps come to; `again`: as a loop has them, else within scopes, in which nothing is queued as a whole. */
static size_t take_steps(const kind *k, sinter_dtype dtype, bool again, char *out)
{
    test_device d = test_open(NULL);
    pair x = start_pair(&d, k, dtype);
    sinter_stats before = test_stats(&d);
    for (int i = 0; i < TURNS; i++) {
        if (!again)
            OK(sinter_scope_open(d.s));
        queue_step(&d, k, &x, i);
        OK(sinter_stream_sync(d.s));
        if (!again)
            OK(sinter_scope_close(d.s, (size_t)x.states * PAIR, x.state[0]));
    }
    sinter_stats after = test_stats(&d);
    DECIDES(after.repeated_calls - before.repeated_calls, again ? PAIR * (TURNS - 1) : 0);
    size_t bytes = 0;
    for (size_t i = 0; i < PAIR; i++) {
        for (int n = 0; n < x.states; n++) {
            bytes += test_read_whole(&d, x.state[n][i], out + bytes, PAIR_ROOM - bytes);
            test_release(&d, x.state[n][i]);
        }
        test_release(&d, x.g[i]);
    }
    test_close(&d);
    return bytes;
}

/* Every kind in every dtype on the host, where nothing is compiled; elsewhere numbers of one word and of two. */
static void steps_that_repeat_are_the_same_steps(void **state)
{
    (void)state;
    static const sinter_dtype dtypes[] = {SINTER_F32, SINTER_F64, SINTER_F16, SINTER_BF16};
    static char again[PAIR_ROOM];
    static char anew[PAIR_ROOM];
    test_device d = test_open(NULL);
    sinter_device_info info = SINTER_DEVICE_INFO_INIT;
    OK(sinter_context_device(d.ctx, &info));
    test_close(&d);
    bool is_host = info.kind == SINTER_DEVICE_HOST;
    for (size_t t = 0; t < (is_host ? 4u : 2u); t++) {
        for (size_t i = 0; i < (is_host ? sizeof kinds / sizeof *kinds : 2u); i++) {
            if (dtypes[t] == SINTER_F64 && info.has_f64 == 0)
                continue;
            size_t bytes = take_steps(&kinds[i], dtypes[t], true, again);
            assert_int_equal(take_steps(&kinds[i], dtypes[t], false, anew), bytes);
            if (memcmp(again, anew, bytes) != 0)
                fail_msg("kind %zu, %s: other bits", i, sinter_dtype_name(dtypes[t]));
        }
    }
}

/* A step that cannot be queued changes nothing. */
static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    model *x = start();
    sinter_tensor old = x->p[0];
    sinter_tensor g = x->g[2];
    sinter_adam_options o = SINTER_ADAM_OPTIONS_INIT;
    o.step = 1;
    x->g[2] = x->g[3];
    FAILS(SINTER_ESHAPE, sinter_adam(x->d.s, COUNT, x->p, x->g, x->m, x->v, &o));
    assert_non_null(strstr(sinter_last_error(), "adam: gradient 2 has shape [1024]"));
    x->g[2] = g;
    FAILS(SINTER_EINVAL, sinter_adam(x->d.s, COUNT, x->p, x->g, x->m, x->v, NULL));
    FAILS(SINTER_EINVAL, sinter_adam(x->d.s, COUNT, x->p, x->g, NULL, x->v, &o));
    FAILS(SINTER_EINVAL, sinter_sgd(NULL, COUNT, x->p, x->g, NULL, NULL));
    o.reserved = 3;
    FAILS(SINTER_EINVAL, sinter_adamw(x->d.s, COUNT, x->p, x->g, x->m, x->v, &o));
    sinter_tensor whole;
    OK(sinter_full(x->d.s, SINTER_I32, 1, &sizes[2], sinter_scalar_int(1), &whole));
    x->g[2] = whole;
    FAILS(SINTER_EDTYPE, sinter_sgd(x->d.s, COUNT, x->p, x->g, NULL, NULL));
    test_release(&x->d, whole);
    FAILS(SINTER_EHANDLE, sinter_sgd(x->d.s, COUNT, x->p, x->g, NULL, NULL));
    x->g[2] = g;
    assert_true(x->p[0].id == old.id);
    OK(sinter_sgd(x->d.s, 0, NULL, NULL, NULL, NULL));
    end(x);
}

static void is_refused(model *x, const sinter_adam_options *o, const char *why)
{
    sinter_tensor p0 = x->p[0];
    FAILS(SINTER_EINVAL, sinter_adam(x->d.s, COUNT, x->p, x->g, x->m, x->v, o));
    assert_string_equal(sinter_last_error(), why);
    assert_true(x->p[0].id == p0.id); /* and its value is looked at in the end */
}

/* Zeros that two moments begin with, a parameter that is given twice, a gradient that is a moment: refused with fewer
 * references than places, and with as many each place gets a tensor of its own. */
static void each_place_of_a_tensor_wants_a_reference(void **state)
{
    (void)state;
    model *x = start();
    sinter_adam_options o = SINTER_ADAM_OPTIONS_INIT;
    o.step = 1;
    const sinter_tensor spare[] = {x->v[0], x->g[4]};
    x->v[0] = x->m[0];
    is_refused(x, &o,
               "adam: parameter 0: a tensor with 1 reference is 2 states, and each is replaced");
    OK(sinter_tensor_retain(x->d.ctx, x->m[0]));
    x->g[4] = x->v[4];
    is_refused(x, &o,
               "adam: parameter 4: a tensor with 1 reference is 1 state and a gradient, and each "
               "is replaced");
    OK(sinter_tensor_retain(x->d.ctx, x->v[4]));
    sinter_tensor stays = x->g[4];
    memcpy(x->g64[4], x->v64[4], sizeof x->g64[4]);
    OK(sinter_adam(x->d.s, COUNT, x->p, x->g, x->m, x->v, &o));
    assert_string_equal(sinter_last_error(), "");
    assert_true(x->m[0].id != x->v[0].id && x->g[4].id == stays.id && x->v[4].id != stays.id);
    adam_in_double(x, &o, 1, false);
    check(x, x->p, x->p64);
    check(x, x->m, x->m64);
    check(x, x->v, x->v64);
    test_release(&x->d, spare[0]);
    test_release(&x->d, spare[1]);
    end(x);
}

/* Of another stream's too. */
static void a_parameter_that_is_given_twice(void **state)
{
    (void)state;
    model *x = start();
    sinter_stream *other;
    OK(sinter_stream_create(x->d.ctx, NULL, &other));
    const float ones[17] = {1};
    sinter_tensor there;
    OK(sinter_tensor_from_host(other, SINTER_F32, 1, &sizes[2], ones, &there));
    for (int i = 0; i < 2; i++) {
        sinter_tensor twice[] = {i == 0 ? x->p[2] : there, i == 0 ? x->p[2] : there};
        const sinter_tensor g[] = {x->g[2], x->g[2]};
        FAILS(SINTER_EINVAL, sinter_sgd(x->d.s, 2, twice, g, NULL, NULL));
        OK(sinter_tensor_retain(x->d.ctx, twice[0]));
        OK(sinter_sgd(x->d.s, 2, twice, g, NULL, NULL));
        assert_string_equal(sinter_last_error(), "");
        assert_true(twice[0].id != twice[1].id);
        test_release(&x->d, twice[0]);
        if (i == 0)
            x->p[2] = twice[1];
        else
            test_release(&x->d, twice[1]);
    }
    OK(sinter_stream_sync(x->d.s));
    OK(sinter_stream_destroy(other));
    end(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradient_descent),
        cmocka_unit_test(momentum_and_decay),
        cmocka_unit_test(adam_and_adamw),
        cmocka_unit_test(steps_that_repeat_are_the_same_steps),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(each_place_of_a_tensor_wants_a_reference),
        cmocka_unit_test(a_parameter_that_is_given_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
