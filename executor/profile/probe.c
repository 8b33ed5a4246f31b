/* The clauses of the promise of the same bits, as kernels that are run.
 *
 * The numbers are random bits and pairs that are hard: exact ties, results that underflow,
 * differences that cancel. What has to come out is computed by the host, whose arithmetic is that of
 * IEEE 754; the compiler is told to leave it alone (-ffp-contract=off). */
#include "executor/profile/probe.h"

#include "core/dtype.h"
#include "executor/context/context.h"
#include "executor/queue/apply.h"
#include "sinter/array.h"
#include "sinter/ops.h"
#include "sinter/stream.h"
#include "sinter/tensor.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define COUNT 4096

typedef enum question { SUM, PRODUCT, FUSED, QUOTIENT, ROOT, HALF, QUESTIONS } question;

typedef struct numbers {
    float a[COUNT], b[COUNT], c[COUNT];
    float h[COUNT]; /* of the size of halves */
    float found[QUESTIONS][COUNT];
} numbers;

/* Random bits without infinities and NaNs, their exponents near `middle`. */
static float random_float(uint64_t *state, uint32_t middle, uint32_t spread)
{
    *state = sinter__hash(*state, 1);
    uint32_t exponent = middle + (uint32_t)(*state >> 40) % spread;
    uint32_t bits = ((uint32_t)*state & 0x807fffffu) | exponent << 23;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* What is rounded to half: any bits, ties, what is denormal as a half, what is near its largest. */
static float random_half(uint64_t *state, size_t kind)
{
    float value = random_float(state, kind == 2 ? 100 : kind == 3 ? 141 : 112, kind < 2 ? 30 : 14);
    uint32_t bits = bits_of(value);
    bits = kind % 2 == 0 ? bits : (bits & ~0x1fffu) | 0x1000;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void fill(numbers *n)
{
    uint64_t state = 1;
    for (size_t i = 0; i < COUNT; i++) {
        /* A quarter each: near 1; of all sizes; products that are denormal; denormals themselves. */
        uint32_t kind = (uint32_t)i % 4;
        uint32_t middle = kind == 0 ? 120 : kind == 1 ? 40 : kind == 2 ? 55 : 0;
        uint32_t spread = kind == 0 ? 16 : kind == 1 ? 170 : kind == 2 ? 8 : 1;
        n->a[i] = random_float(&state, middle, spread);
        n->b[i] = random_float(&state, kind == 3 ? 120 : middle, kind == 3 ? 8 : spread);
        /* What is left of a product when its rounded value is taken away needs the exact product. */
        n->h[i] = random_half(&state, kind);
        n->c[i] = i % 8 < 4 ? -(n->a[i] * n->b[i]) : random_float(&state, middle, spread);
    }
}

static float expected(const numbers *n, question q, size_t i)
{
    switch (q) {
    case SUM:
        return n->a[i] + n->c[i];
    case PRODUCT:
        return n->a[i] * n->b[i];
    case FUSED:
        return fmaf(n->a[i], n->b[i], n->c[i]);
    case QUOTIENT:
        return n->a[i] / n->b[i];
    case ROOT:
        return sqrtf(fabsf(n->a[i]));
    default:
        return (float)sinter__f64_from_f16(sinter__f16_from_f64(n->h[i]));
    }
}

static bool same(float a, float b)
{
    return (a != a && b != b) || bits_of(a) == bits_of(b);
}

static bool is_denormal(float x)
{
    return x != 0 && fabsf(x) < FLT_MIN;
}

/* Where the device is wrong: with denormals among the operands or as the result, and without. */
typedef struct verdict {
    bool normal[QUESTIONS], denormal[QUESTIONS];
} verdict;

static verdict judge(const numbers *n)
{
    verdict v = {{false}, {false}};
    for (int q = 0; q < QUESTIONS; q++) {
        for (size_t i = 0; i < COUNT; i++) {
            float want = expected(n, (question)q, i);
            if (same(n->found[q][i], want))
                continue;
            bool small = is_denormal(want) || is_denormal(n->a[i]) || is_denormal(n->b[i]) ||
                         is_denormal(n->c[i]) || is_denormal(n->a[i] * n->b[i]);
            *(small ? &v.denormal[q] : &v.normal[q]) = true;
        }
    }
    return v;
}

static sinter_status queue_half(sinter_stream *s, sinter_tensor in, sinter_tensor *out)
{
    sinter_tensor half;
    SINTER_TRY(sinter_cast(s, in, SINTER_F16, &half));
    sinter_status status = sinter_cast(s, half, SINTER_F32, out);
    (void)sinter_tensor_release(s, half);
    return status;
}

static sinter_status queue(sinter_stream *s, const sinter_tensor *in, sinter_tensor *out)
{
    sinter_tensor size;
    SINTER_TRY(sinter_add(s, in[0], in[2], &out[SUM]));
    SINTER_TRY(sinter_mul(s, in[0], in[1], &out[PRODUCT]));
    SINTER_TRY(sinter_fma(s, in[0], in[1], in[2], &out[FUSED]));
    SINTER_TRY(sinter_div(s, in[0], in[1], &out[QUOTIENT]));
    SINTER_TRY(sinter_abs(s, in[0], &size));
    sinter_status status = sinter_sqrt(s, size, &out[ROOT]);
    (void)sinter_tensor_release(s, size);
    return status == SINTER_OK ? queue_half(s, in[3], &out[HALF]) : status;
}

static sinter_status compute(sinter_stream *s, numbers *n)
{
    const int64_t shape[] = {COUNT};
    const float *data[] = {n->a, n->b, n->c, n->h};
    sinter_tensor in[4] = {{0}};
    sinter_tensor out[QUESTIONS] = {{0}};
    sinter_status status = SINTER_OK;
    for (int i = 0; i < 4 && status == SINTER_OK; i++)
        status = sinter_tensor_from_host(s, SINTER_F32, 1, shape, data[i], &in[i]);
    if (status == SINTER_OK)
        status = queue(s, in, out);
    for (int q = 0; q < QUESTIONS && status == SINTER_OK; q++)
        status = sinter_tensor_read(s, out[q], n->found[q], sizeof n->found[q]);
    for (int i = 0; i < 4; i++)
        sinter__release_quietly(s, in[i]);
    for (int q = 0; q < QUESTIONS; q++)
        sinter__release_quietly(s, out[q]);
    return status;
}

static sinter_status ask(const sinter_profile *p, const sinter__watch *w, numbers *n,
                         uint32_t switches, verdict *out)
{
    sinter_context_options o = SINTER_CONTEXT_OPTIONS_INIT;
    sinter_context *ctx = NULL;
    sinter_stream *s = NULL;
    o.device = p->device.info.selector;
    o.profile = p;
    o.switches = switches | SINTER_NO_CACHE;
    sinter_status status = sinter__context_open(&o, &w->shared, &ctx);
    if (status == SINTER_OK)
        status = sinter_stream_create(ctx, NULL, &s);
    if (status == SINTER_OK)
        status = compute(s, n);
    sinter__message why;
    sinter__message_keep(&why);
    (void)sinter_stream_destroy(s);
    (void)sinter_context_destroy(ctx);
    *out = judge(n);
    sinter__message_give_back(&why);
    return status;
}

static sinter_status find_facts(sinter_profile *p, const sinter__watch *w, numbers *n)
{
    sinter__profile_values *v = &p->values;
    verdict d;
    v->exact_fma = v->exact_divide = v->exact_half = SINTER__FACT_UNKNOWN;
    v->void_clauses = 0;
    SINTER_TRY(ask(p, w, n, 0, &d));
    v->exact_fma = d.normal[FUSED] || d.denormal[FUSED] ? SINTER__FACT_NO : SINTER__FACT_YES;
    v->exact_divide =
        d.normal[QUOTIENT] || d.normal[ROOT] || d.denormal[QUOTIENT] || d.denormal[ROOT]
            ? SINTER__FACT_NO
            : SINTER__FACT_YES;
    v->exact_half = d.normal[HALF] || d.denormal[HALF] ? SINTER__FACT_NO : SINTER__FACT_YES;
    bool wrong = v->exact_fma == SINTER__FACT_NO || v->exact_divide == SINTER__FACT_NO;
    if (wrong)
        SINTER_TRY(ask(p, w, n, SINTER_OWN_ARITHMETIC, &d));
    if (d.normal[SUM] || d.normal[PRODUCT])
        v->void_clauses |= SINTER_VOID_ROUNDING;
    if (d.denormal[SUM] || d.denormal[PRODUCT])
        v->void_clauses |= SINTER_VOID_DENORMALS;
    if (d.normal[FUSED])
        v->void_clauses |= SINTER_VOID_FMA;
    if (d.normal[QUOTIENT] || d.normal[ROOT])
        v->void_clauses |= SINTER_VOID_DIVIDE;
    return SINTER_OK;
}

sinter_status sinter__probe(sinter_profile *p, const sinter__watch *w)
{
    numbers *n = sinter__alloc(p->allocator, sizeof *n);
    if (n == NULL)
        return SINTER_ENOMEM;
    fill(n);
    const sinter__profile_values before = p->values;
    sinter_status status = find_facts(p, w, n);
    if (status != SINTER_OK) { /* what is known stays: forgotten, it would be trusted */
        p->values.exact_fma = before.exact_fma;
        p->values.exact_divide = before.exact_divide;
        p->values.exact_half = before.exact_half;
        p->values.void_clauses = before.void_clauses;
    }
    sinter__free(p->allocator, n, sizeof *n);
    return status;
}
