#include "executor/host/host_state.h"

#include "executor/host/host_kernels.h"
#include "executor/host/host_ops.h"

static sinter__class class_of(uint8_t dtype)
{
    return (sinter__class)sinter__dtype((sinter_dtype)dtype)->class_;
}

static void apply(sinter__op op, sinter__class c, size_t n, const void *x, const void *y, void *out)
{
    sinter__host_apply(op, c, n, (const void *[]){x, y, NULL}, out);
}

/* A count in every register. */
static void fill_count(sinter__class c, size_t n, int64_t count, void *out)
{
    for (size_t i = 0; i < n; i++) {
        if (c == SINTER__CLASS_F64)
            ((double *)out)[i] = (double)count;
        else
            ((float *)out)[i] = (float)count;
    }
}

static void divide(sinter__class c, size_t n, int64_t count, void *x)
{
    sinter__host_row divisor;
    fill_count(c, n, count, divisor);
    apply(SINTER__OP_DIV, c, n, x, divisor, x);
}

void sinter__host_first(const sinter__state *state, size_t n, int64_t length, void *totals)
{
    if (state->kind == SINTER__STATE_SPREAD)
        divide(class_of(state->dtype[0]), n, length, totals);
}

/* Whether each x is the best, or NaN. */
static void is_best(sinter__class c, size_t n, const void *x, const void *best, uint32_t *out)
{
    uint32_t is_nan[SINTER__HOST_WIDTH];
    apply(SINTER__OP_EQ, c, n, x, best, out);
    apply(SINTER__OP_ISNAN, c, n, x, x, is_nan);
    for (size_t i = 0; i < n; i++)
        out[i] |= is_nan[i];
}

void sinter__host_terms(const sinter__value *v, size_t n, const void *x, const void *first,
                        int64_t place, int64_t step, sinter__host_row terms[SINTER__STATE_TERMS])
{
    sinter__state state = sinter__state_of(v);
    sinter__class c = class_of(state.dtype[0]);
    if (state.kind == SINTER__STATE_PLACE) {
        uint32_t found[SINTER__HOST_WIDTH];
        uint32_t *out = (uint32_t *)terms[0];
        is_best(c, n, x, first, found);
        for (size_t i = 0; i < n; i++)
            out[i] = found[i] != 0 ? (uint32_t)(place + (int64_t)i * step) : UINT32_MAX;
        return;
    }
    apply(SINTER__OP_SUB, c, n, x, first, terms[0]);
    apply(SINTER__OP_MUL, c, n, terms[0], terms[0], terms[1]);
}

void sinter__host_state(const sinter__value *v, size_t n, const void *first,
                        sinter__host_row sums[SINTER__STATE_TERMS], int64_t start, int64_t length,
                        void *const numbers[SINTER__STATE_NUMBERS])
{
    sinter__state state = sinter__state_of(v);
    sinter__class c = class_of(state.dtype[0]);
    size_t bytes = n * sinter__host_register_bytes(c);
    if (state.kind == SINTER__STATE_PLACE) {
        memcpy(numbers[0], first, bytes);
        for (size_t i = 0; i < n; i++)
            ((int64_t *)numbers[1])[i] = start + (int64_t)((uint32_t *)sums[0])[i];
        return;
    }
    sinter__host_row moved;
    fill_count(c, n, length, numbers[0]);
    memcpy(numbers[1], first, bytes);
    memcpy(numbers[2], sums[0], bytes);
    divide(c, n, length, numbers[2]);
    apply(SINTER__OP_MUL, c, n, sums[0], numbers[2], moved);
    apply(SINTER__OP_SUB, c, n, sums[1], moved, numbers[3]);
    apply(SINTER__OP_RELU, c, n, numbers[3], NULL, numbers[3]);
}

static void merge_places(const sinter__value *v, size_t n, void *const a[], void *const b[])
{
    sinter__class c = class_of(sinter__state_of(v).dtype[0]);
    sinter__host_row best;
    uint32_t is_a[SINTER__HOST_WIDTH];
    uint32_t is_b[SINTER__HOST_WIDTH];
    int64_t *at = a[1];
    const int64_t *other = b[1];
    apply((sinter__op)sinter__state_of(v).first_op, c, n, a[0], b[0], best);
    is_best(c, n, a[0], best, is_a);
    is_best(c, n, b[0], best, is_b);
    for (size_t i = 0; i < n; i++) {
        if (is_b[i] != 0 && (is_a[i] == 0 || other[i] < at[i]))
            at[i] = other[i];
    }
    memcpy(a[0], best, n * sinter__host_register_bytes(c));
}

#define MAKE_CHAN(type, name, chan)                                                                \
    static void name(size_t i, void *const a[], void *const b[])                                   \
    {                                                                                              \
        type x[SINTER__STATE_NUMBERS];                                                             \
        type y[SINTER__STATE_NUMBERS];                                                             \
        for (int k = 0; k < SINTER__STATE_NUMBERS; k++) {                                          \
            x[k] = ((type *)a[k])[i];                                                              \
            y[k] = ((type *)b[k])[i];                                                              \
        }                                                                                          \
        chan(x, y);                                                                                \
        for (int k = 0; k < SINTER__STATE_NUMBERS; k++)                                            \
            ((type *)a[k])[i] = x[k];                                                              \
    }
MAKE_CHAN(float, chan_f32, sn_chan_f32x1)
MAKE_CHAN(double, chan_f64, sn_chan_f64x1)

void sinter__host_merge(const sinter__value *v, size_t n, void *const a[SINTER__STATE_NUMBERS],
                        void *const b[SINTER__STATE_NUMBERS])
{
    sinter__state state = sinter__state_of(v);
    if (state.kind == SINTER__STATE_PLACE) {
        merge_places(v, n, a, b);
        return;
    }
    bool is_f64 = class_of(state.dtype[0]) == SINTER__CLASS_F64;
    for (size_t i = 0; i < n; i++)
        (is_f64 ? chan_f64 : chan_f32)(i, a, b);
}
