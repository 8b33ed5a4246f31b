/* Sizes under a binding. Atoms are evaluated in the order of the pool, each once: what one is made of
 * comes before it, so that nothing recurses. */
#include "core/size_atom.h"

#include <string.h>

/* What is wrong with a size. */
typedef struct fault {
    const sinter__size_value *atom;     /* has no value; else */
    const sinter__size_term *too_large; /* this term does not fit 64 bits; else the sum */
} fault;

static bool multiply(const sinter__size_term *t, const sinter__size_value *values, fault *f,
                     int64_t *out)
{
    bool is_zero = false;
    bool fits = true;
    *out = t->coefficient;
    for (uint32_t i = 0; i < t->degree; i++) {
        const sinter__size_value *v = &values[t->atoms[i]->index];
        if (v->wrong != 0) {
            f->atom = v;
            return false;
        }
        is_zero |= v->value == 0;
        fits = fits && sinter__mul_i64(*out, v->value, out);
    }
    if (is_zero)
        *out = 0;
    if (!is_zero && !fits)
        f->too_large = t;
    return is_zero || fits;
}

static bool add_up(sinter__size a, const sinter__size_value *values, fault *f, int64_t *out)
{
    __extension__ __int128 sum = 0; /* terms that take away may come last */
    *f = (fault){NULL, NULL};
    for (uint32_t i = 0; i < a.count; i++) {
        int64_t product;
        if (!multiply(&a.terms[i], values, f, &product))
            return false;
        sum += product;
    }
    *out = (int64_t)sum;
    return *out == sum;
}

static void evaluate_atom(const sinter__size_atom *atom, const sinter__size_value *values,
                          sinter__size_value *out)
{
    *out = (sinter__size_value){.value = INT64_MIN};
    for (uint32_t i = 0; i < atom->operand_count; i++) {
        fault f;
        int64_t value = 0;
        if (!add_up(atom->operands[i], values, &f, &value)) {
            *out = f.atom != NULL ? *f.atom : (sinter__size_value){.wrong = atom->index + 1};
            return;
        }
        out->value = SINTER__MAX(out->value, value);
    }
    if (atom->kind == SINTER__SIZE_MAX)
        return;
    int64_t number = SINTER__MAX(atom->number, 1);
    int64_t rest = out->value % number;
    bool is_wrong = rest != 0;
    if (atom->kind == SINTER__SIZE_QUOTIENT)
        out->value /= number;
    else
        is_wrong =
            __builtin_add_overflow(out->value, rest > 0 ? number - rest : -rest, &out->value);
    if (is_wrong)
        *out = (sinter__size_value){.wrong = atom->index + 1,
                                    .is_inexact = atom->kind == SINTER__SIZE_QUOTIENT};
}

static sinter_status look_up(const sinter__size_atom *atom, const sinter_symbol_value *binding,
                             size_t count, sinter__size_value *out)
{
    *out = (sinter__size_value){.wrong = atom->index + 1, .is_unbound = true};
    for (size_t i = 0; i < count; i++) {
        if (strcmp(binding[i].name, atom->text) != 0)
            continue;
        if (out->wrong == 0)
            return sinter__fail(SINTER_EINVAL, "the symbol %.80s is bound to %lld and to %lld",
                                atom->text, (long long)out->value, (long long)binding[i].value);
        *out = (sinter__size_value){.value = binding[i].value};
    }
    return SINTER_OK;
}

sinter_status sinter__sizes_bind(const sinter__sizes *pool, const sinter_symbol_value *binding,
                                 size_t count, sinter__size_value *values)
{
    for (size_t i = 0; i < count; i++) {
        if (binding[i].name == NULL)
            return sinter__fail(SINTER_EINVAL, "binding %zu has no name", i);
        if (binding[i].value < 0)
            return sinter__fail(SINTER_EINVAL, "the symbol %.80s is bound to %lld, below 0",
                                binding[i].name, (long long)binding[i].value);
    }
    for (size_t i = 0; i < pool->count; i++) {
        if (pool->atoms[i]->kind == SINTER__SIZE_SYMBOL)
            SINTER_TRY(look_up(pool->atoms[i], binding, count, &values[i]));
        else
            evaluate_atom(pool->atoms[i], values, &values[i]);
    }
    return SINTER_OK;
}

static sinter_status say(const sinter__sizes *pool, const fault *f,
                         const sinter__size_value *values)
{
    if (f->atom == NULL && f->too_large != NULL)
        return sinter__fail(SINTER_ERANGE, "%lld*%.160s does not fit 64 bits",
                            (long long)f->too_large->coefficient, f->too_large->text);
    if (f->atom == NULL)
        return sinter__fail(SINTER_ERANGE, "the sum of its terms does not fit 64 bits");
    const sinter__size_atom *atom = pool->atoms[f->atom->wrong - 1];
    if (f->atom->is_unbound)
        return sinter__fail(SINTER_EINVAL, "the symbol %.160s is not bound", atom->text);
    if (!f->atom->is_inexact)
        return sinter__fail(SINTER_ERANGE, "%.160s does not fit 64 bits", atom->text);
    fault none;
    int64_t value = 0;
    (void)add_up(atom->operands[0], values, &none, &value);
    return sinter__fail(SINTER_EINVAL, "%.160s: %lld is no multiple of %lld", atom->text,
                        (long long)value, (long long)atom->number);
}

sinter_status sinter__size_evaluate(const sinter__sizes *pool, sinter__size a,
                                    const sinter__size_value *values, int64_t *out)
{
    fault f;
    *out = 0;
    return add_up(a, values, &f, out) ? SINTER_OK : say(pool, &f, values);
}
