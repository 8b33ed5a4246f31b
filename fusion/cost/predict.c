#include "fusion/cost/predict.h"

#include "fusion/nest/work.h"

#include <string.h>

/* An f64 is as two f32: half as many fit a register. */
#define WIDE 2.0

/* Bandwidth */

/* Bytes that the figures are of, read and written together. */
#define NEAR_BYTES (SINTER__RATE_NEAR * 8)
#define FAR_BYTES (SINTER__RATE_FAR * 8)

/* Nanoseconds for `bytes` of a launch that moves `all`: between the two sizes that were measured the
 * time for a byte goes from the one to the other, octave by octave. The caches are never slower than
 * the memory: where they seem to be, it is the start of the kernel. 0: not measured. */
static double time_at(uint32_t near_rate, uint32_t far_rate, double all, double bytes)
{
    double far_ns = far_rate > 0 ? 1e3 / far_rate : 0; /* MB/s: bytes in a microsecond */
    double near_ns = near_rate > far_rate ? 1e3 / near_rate : far_ns;
    double octave = 0;
    double most = 0;
    for (int64_t at = NEAR_BYTES; at < FAR_BYTES; at *= 2) {
        double part = all / (double)at - 1;
        most += 1;
        octave += part < 0 ? 0 : SINTER__MIN(part, 1.0);
    }
    return bytes * (near_ns + (far_ns - near_ns) * octave / most);
}

/* What is written and as much of what is read counts as copied, more reads as read. */
static double transfer(const sinter__rates *rates, const sinter__bytes *bytes, bool near)
{
    const uint32_t *f = rates->figures;
    double in = (double)bytes->read + (double)bytes->scratch / 2;
    double out = (double)bytes->written + (double)bytes->scratch / 2;
    double copied = out + SINTER__MIN(in, out);
    double all = near ? 0 : in + out;
    uint32_t copy_far = f[SINTER__FIGURE_copy_far];
    uint32_t read_far = f[SINTER__FIGURE_read_far];
    if (copy_far == 0 || read_far == 0)
        return 0;
    return time_at(f[SINTER__FIGURE_copy_near], copy_far, all, copied) +
           time_at(f[SINTER__FIGURE_read_near], read_far, all, in + out - copied);
}

/* Arithmetic */

/* A cost at the width that is nearest to the kernel's and was measured; 0: at none. */
static double cost_at(const sinter__rates *rates, size_t cost, uint32_t lanes)
{
    int width = (int)sinter__rate_width(lanes);
    for (int off = 0; off < SINTER__RATE_WIDTHS; off++) {
        if (width - off >= 0 && rates->costs[cost][width - off] > 0)
            return rates->costs[cost][width - off];
        if (width + off < SINTER__RATE_WIDTHS && rates->costs[cost][width + off] > 0)
            return rates->costs[cost][width + off];
    }
    return 0;
}

/* The driver's function in the place of ours, where the mode takes it; 0: it does not. */
static double native_cost(const sinter__rates *rates, uint32_t native, size_t cost)
{
    for (size_t i = 0; i < SINTER__NATIVE_COUNT; i++) {
        if ((native >> i & 1) != 0 && strcmp(sinter__native_name(i), sinter__cost_name(cost)) == 0)
            return rates->driver[i];
    }
    return 0;
}

/* The row of a value's operation; SINTER__COST_COUNT: as many additions as the op table says. */
static size_t cost_row(const sinter__value *v, sinter__class class_)
{
    bool is_float = class_ == SINTER__CLASS_F32 || class_ == SINTER__CLASS_F64;
    if (v->op == SINTER__OP_CAST &&
        (sinter__is_half((sinter_dtype)v->dtype) || sinter__is_half((sinter_dtype)v->work)))
        return SINTER__COST_cast_f16;
    const char *name = sinter__op_info_of(v->op)->name;
    if (is_float)
        return sinter__cost_find(name, strlen(name));
    if (v->op == SINTER__OP_MUL)
        return SINTER__COST_mul_i32;
    bool divides = v->op == SINTER__OP_FLOORDIV || v->op == SINTER__OP_MOD;
    return divides ? SINTER__COST_div_i32 : SINTER__COST_COUNT;
}

/* Picoseconds for an element; negative: not measured. */
static double value_ps(const sinter__rates *rates, const sinter__limits *limits,
                       const sinter__value *v, uint32_t lanes)
{
    sinter__class class_ = sinter__class_of(v->work);
    const sinter__op_info *info = sinter__op_info_of(v->op);
    size_t row = cost_row(v, class_);
    double add = cost_at(rates, SINTER__COST_add, lanes);
    double ps = row < SINTER__COST_COUNT ? native_cost(rates, limits->native, row) : 0;
    if (ps == 0 && row < SINTER__COST_COUNT)
        ps = cost_at(rates, row, lanes);
    if (ps == 0)
        ps = add * info->cost;
    if (ps == 0 && info->cost > 0)
        return -1;
    if (sinter__is_half((sinter_dtype)v->dtype) && v->op != SINTER__OP_CAST && !info->is_exact &&
        !limits->relaxed)
        ps += 2 * cost_at(rates, SINTER__COST_cast_f16, lanes); /* it is rounded each time */
    return sinter__is_wide(class_) ? ps * WIDE : ps;
}

/* In nanoseconds; negative: something of it was not measured. */
static double arithmetic(const sinter__rates *rates, const sinter__limits *limits,
                         const sinter__nest *nest, const sinter__bound_nest *bound, uint32_t lanes)
{
    double times[SINTER__NEST_VALUES];
    double ps = 0;
    double fma_ps = cost_at(rates, SINTER__COST_fma, lanes);
    sinter__count_values(nest, bound, times);
    for (uint16_t i = 0; i < nest->value_count; i++) {
        double one = times[i] > 0 ? value_ps(rates, limits, &nest->values[i], lanes) : 0;
        if (nest->form == SINTER__FORM_CONTRACT && i == SINTER__VALUE_PRODUCT)
            one = fma_ps > 0 ? fma_ps : -1;
        if (one < 0)
            return -1;
        ps += one * times[i];
    }
    return ps * 1e-3;
}

sinter__prediction sinter__predict(const sinter__rates *rates, const sinter__limits *limits,
                                   const sinter__nest *nest, const sinter__bound_nest *bound,
                                   const sinter__bytes *bytes, uint32_t lanes)
{
    sinter__prediction out = {.transfer_ns = transfer(rates, bytes, false)};
    double work = arithmetic(rates, limits, nest, bound, lanes);
    if (work >= 0 && out.transfer_ns > 0)
        out.work_ns = SINTER__MAX(out.transfer_ns, transfer(rates, bytes, true) + work);
    return out;
}
