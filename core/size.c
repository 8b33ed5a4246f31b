/* Sizes: building them in canonical form.
 *
 * The one hard idea: an atom is known by its canonical text. Equal texts are one atom of the pool, and
 * whatever is sorted is sorted by text, so that the form does not depend on the order in which a pool
 * came to know its symbols. */
#include "core/size.h"

#include "core/size_atom.h"

#include <string.h>

#define POOL_BYTES ((size_t)256 << 20)
#define MOST_OPERANDS 1024 /* of a max, none of which is always the largest */

void sinter__sizes_init(sinter__sizes *pool, sinter__allocator *a)
{
    *pool = (sinter__sizes){.symbol_count = 0};
    sinter__arena_init(&pool->arena, a);
}

void sinter__sizes_finish(sinter__sizes *pool)
{
    sinter__free(pool->arena.allocator, pool->atoms, pool->capacity * sizeof *pool->atoms);
    sinter__arena_finish(&pool->arena);
    sinter__sizes_init(pool, pool->arena.allocator);
}

/* NULL with SINTER_ENOMEM's message. */
static void *take(sinter__sizes *pool, size_t count, size_t bytes)
{
    if (pool->arena.bytes <= POOL_BYTES)
        return sinter__arena_array(&pool->arena, count, bytes);
    (void)sinter__fail(SINTER_ENOMEM, "the sizes want more than %zu bytes", POOL_BYTES);
    return NULL;
}

/* A buffer's text in the arena; the buffer is finished. */
static sinter_status keep_text(sinter__sizes *pool, sinter__buffer *b, const char **out)
{
    char *text = NULL;
    size_t bytes = b->bytes;
    sinter_status status = sinter__buffer_status(b);
    if (status == SINTER_OK && bytes > SINTER__SIZE_TEXT)
        status =
            sinter__fail(SINTER_ERANGE, "a size of more than %d characters", SINTER__SIZE_TEXT);
    if (status == SINTER_OK)
        text = take(pool, bytes + 1, 1);
    if (text != NULL)
        memcpy(text, sinter__buffer_text(b), bytes);
    sinter__buffer_finish(b);
    *out = text != NULL ? text : "";
    return status == SINTER_OK && text == NULL ? SINTER_ENOMEM : status;
}

/* Atoms */

static uint32_t *bucket_of(sinter__sizes *pool, const char *text)
{
    return &pool->buckets[sinter__hash_text(text) % SINTER__COUNT(pool->buckets)];
}

static sinter__size_atom *find_atom(sinter__sizes *pool, const char *text)
{
    for (uint32_t i = *bucket_of(pool, text); i != 0; i = pool->atoms[i - 1]->next) {
        if (strcmp(pool->atoms[i - 1]->text, text) == 0)
            return pool->atoms[i - 1];
    }
    return NULL;
}

/* What is known of a size, or of an atom, whatever the symbols are. */
typedef struct traits {
    uint64_t uses, falls;
    bool is_nonnegative;
    uint32_t nested;
} traits;

static traits traits_of_term(const sinter__size_term *t)
{
    traits out = {.is_nonnegative = true};
    for (uint32_t i = 0; i < t->degree; i++) {
        out.uses |= t->atoms[i]->uses;
        out.falls |= t->atoms[i]->falls;
        out.is_nonnegative &= t->atoms[i]->is_nonnegative;
        out.nested = SINTER__MAX(out.nested, t->atoms[i]->nested);
    }
    if (t->coefficient < 0 || (!out.is_nonnegative && t->degree > 1))
        out.falls = out.uses;
    out.is_nonnegative &= t->coefficient > 0;
    return out;
}

static traits traits_of(sinter__size a)
{
    traits out = {.is_nonnegative = true};
    for (uint32_t i = 0; i < a.count; i++) {
        traits t = traits_of_term(&a.terms[i]);
        out.uses |= t.uses;
        out.falls |= t.falls;
        out.is_nonnegative &= t.is_nonnegative;
        out.nested = SINTER__MAX(out.nested, t.nested);
    }
    return out;
}

/* Makes `made` an atom of the pool; its text is new there. */
static sinter_status add_atom(sinter__sizes *pool, const sinter__size_atom *made,
                              sinter__size_atom **out)
{
    void *atoms = pool->atoms;
    SINTER_TRY(sinter__grow(pool->arena.allocator, &atoms, &pool->capacity, pool->count + 1,
                            sizeof *pool->atoms));
    pool->atoms = atoms;
    *out = take(pool, 1, sizeof **out);
    if (*out == NULL)
        return SINTER_ENOMEM;
    uint32_t *bucket = bucket_of(pool, made->text);
    **out = *made;
    (*out)->index = (uint32_t)pool->count;
    (*out)->next = *bucket;
    pool->atoms[pool->count++] = *out;
    *bucket = (uint32_t)pool->count;
    return SINTER_OK;
}

/* The size that is an atom alone. */
static sinter_status size_of_atom(sinter__sizes *pool, sinter__size_atom *atom, sinter__size *out)
{
    sinter__size_term *term = take(pool, 1, sizeof *term);
    if (term == NULL)
        return SINTER_ENOMEM;
    term->atoms = take(pool, 1, sizeof(sinter__size_atom *));
    if (term->atoms == NULL)
        return SINTER_ENOMEM;
    term->atoms[0] = atom;
    term->coefficient = 1;
    term->degree = 1;
    term->text = atom->text;
    *out = (sinter__size){term, 1};
    return SINTER_OK;
}

/* The atom that a size is alone, if it is of `kind`; else NULL. */
static const sinter__size_atom *lone_atom(sinter__size a, sinter__size_kind kind)
{
    bool is_atom = a.count == 1 && a.terms[0].coefficient == 1 && a.terms[0].degree == 1;
    return is_atom && a.terms[0].atoms[0]->kind == kind ? a.terms[0].atoms[0] : NULL;
}

/* An atom that is made of sizes; its text is in `text`, which is finished. */
static sinter_status compose(sinter__sizes *pool, sinter__size_atom made, sinter__buffer *text,
                             sinter__size *out)
{
    SINTER_TRY(keep_text(pool, text, &made.text));
    sinter__size_atom *atom = find_atom(pool, made.text);
    made.is_nonnegative = made.kind != SINTER__SIZE_MAX;
    for (uint32_t i = 0; i < made.operand_count; i++) {
        traits t = traits_of(made.operands[i]);
        made.uses |= t.uses;
        made.falls |= t.falls;
        made.nested = SINTER__MAX(made.nested, t.nested);
        if (made.kind == SINTER__SIZE_MAX)
            made.is_nonnegative |= t.is_nonnegative;
        else
            made.is_nonnegative &= t.is_nonnegative;
    }
    made.nested += made.kind == SINTER__SIZE_QUOTIENT && made.operands[0].count > 1 ? 2 : 1;
    if (made.nested > SINTER__SIZE_NESTED) /* it would not be read again */
        return sinter__fail(SINTER_ERANGE, "brackets nested more than %d deep",
                            SINTER__SIZE_NESTED);
    if (atom == NULL)
        SINTER_TRY(add_atom(pool, &made, &atom));
    return size_of_atom(pool, atom, out);
}

sinter_status sinter__size_symbol(sinter__sizes *pool, const char *name, size_t bytes,
                                  sinter__size *out)
{
    char *text = take(pool, bytes + 1, 1);
    if (text == NULL)
        return SINTER_ENOMEM;
    memcpy(text, name, bytes);
    sinter__size_atom *atom = find_atom(pool, text);
    if (atom == NULL) {
        if (pool->symbol_count == SINTER__SIZE_SYMBOLS)
            return sinter__fail(SINTER_ERANGE, "%.80s is one symbol more than %d", text,
                                SINTER__SIZE_SYMBOLS);
        const sinter__size_atom made = {.kind = SINTER__SIZE_SYMBOL,
                                        .text = text,
                                        .uses = (uint64_t)1 << pool->symbol_count,
                                        .is_nonnegative = true};
        SINTER_TRY(add_atom(pool, &made, &atom));
        pool->symbol_count++;
    }
    return size_of_atom(pool, atom, out);
}

/* Terms */

/* Below 0 when `a` stands before `b`. */
static int compare_terms(const sinter__size_term *a, const sinter__size_term *b)
{
    if (a->degree != b->degree)
        return a->degree > b->degree ? -1 : 1;
    return a->text == b->text ? 0 : strcmp(a->text, b->text);
}

/* The atoms and the text of a product, both factors not constant. */
static sinter_status multiply_atoms(sinter__sizes *pool, const sinter__size_term *a,
                                    const sinter__size_term *b, sinter__size_term *out)
{
    sinter__buffer text;
    uint32_t i = 0;
    uint32_t k = 0;
    out->degree = a->degree + b->degree;
    if (out->degree > SINTER__SIZE_DEGREE)
        return sinter__fail(SINTER_ERANGE, "a product of %u factors, more than %d", out->degree,
                            SINTER__SIZE_DEGREE);
    out->atoms = take(pool, out->degree, sizeof(sinter__size_atom *));
    if (out->atoms == NULL)
        return SINTER_ENOMEM;
    sinter__buffer_init(&text, pool->arena.allocator);
    for (uint32_t n = 0; n < out->degree; n++) {
        bool from_a =
            k == b->degree || (i < a->degree && strcmp(a->atoms[i]->text, b->atoms[k]->text) <= 0);
        out->atoms[n] = from_a ? a->atoms[i++] : b->atoms[k++];
        if (n > 0)
            sinter__buffer_puts(&text, "*");
        sinter__buffer_puts(&text, out->atoms[n]->text);
    }
    return keep_text(pool, &text, &out->text);
}

static sinter_status multiply_terms(sinter__sizes *pool, const sinter__size_term *a,
                                    const sinter__size_term *b, sinter__size *out)
{
    sinter__size_term *term = take(pool, 1, sizeof *term);
    if (term == NULL)
        return SINTER_ENOMEM;
    *term = a->degree > 0 ? *a : *b;
    if (!sinter__mul_i64(a->coefficient, b->coefficient, &term->coefficient) ||
        term->coefficient == INT64_MIN)
        return sinter__fail(SINTER_ERANGE, "%lld times %lld does not fit 64 bits",
                            (long long)a->coefficient, (long long)b->coefficient);
    *out = (sinter__size){term, 1};
    return a->degree > 0 && b->degree > 0 ? multiply_atoms(pool, a, b, term) : SINTER_OK;
}

/* a + sign * b. */
static sinter_status merge(sinter__sizes *pool, sinter__size a, sinter__size b, int sign,
                           sinter__size *out)
{
    uint32_t count = 0;
    if (a.count + b.count > SINTER__SIZE_TERMS)
        return sinter__fail(SINTER_ERANGE, "a sum of %u terms, more than %d", a.count + b.count,
                            SINTER__SIZE_TERMS);
    sinter__size_term *terms = take(pool, (size_t)a.count + b.count, sizeof *terms);
    if (terms == NULL)
        return SINTER_ENOMEM;
    for (uint32_t i = 0, k = 0; i < a.count || k < b.count; count++) {
        int order = k == b.count ? -1 : i == a.count ? 1 : compare_terms(&a.terms[i], &b.terms[k]);
        int64_t left = order <= 0 ? a.terms[i].coefficient : 0;
        int64_t right = order >= 0 ? b.terms[k].coefficient : 0;
        terms[count] = order <= 0 ? a.terms[i] : b.terms[k];
        bool fits = sign < 0 ? !__builtin_sub_overflow(left, right, &terms[count].coefficient)
                             : !__builtin_add_overflow(left, right, &terms[count].coefficient);
        if (!fits || terms[count].coefficient == INT64_MIN)
            return sinter__fail(SINTER_ERANGE, "%lld %c %lld does not fit 64 bits", (long long)left,
                                sign < 0 ? '-' : '+', (long long)right);
        i += order <= 0;
        k += order >= 0;
        if (terms[count].coefficient == 0)
            count--;
    }
    *out = (sinter__size){terms, count};
    return SINTER_OK;
}

/* Building */

sinter_status sinter__size_constant(sinter__sizes *pool, int64_t value, sinter__size *out)
{
    *out = (sinter__size){NULL, 0};
    if (value == 0)
        return SINTER_OK;
    if (value == INT64_MIN)
        return sinter__fail(SINTER_ERANGE, "%lld is below what a size may have", (long long)value);
    sinter__size_term *term = take(pool, 1, sizeof *term);
    if (term == NULL)
        return SINTER_ENOMEM;
    term->coefficient = value;
    term->text = "";
    *out = (sinter__size){term, 1};
    return SINTER_OK;
}

sinter_status sinter__size_add(sinter__sizes *pool, sinter__size a, sinter__size b,
                               sinter__size *out)
{
    return merge(pool, a, b, 1, out);
}

sinter_status sinter__size_subtract(sinter__sizes *pool, sinter__size a, sinter__size b,
                                    sinter__size *out)
{
    return merge(pool, a, b, -1, out);
}

sinter_status sinter__size_sum(sinter__sizes *pool, sinter__size *sizes, size_t count,
                               sinter__size *out)
{
    *out = (sinter__size){NULL, 0};
    for (size_t step = 1; step < count; step *= 2) { /* in pairs: one by one is quadratic */
        for (size_t i = 0; i + step < count; i += 2 * step)
            SINTER_TRY(merge(pool, sizes[i], sizes[i + step], 1, &sizes[i]));
    }
    if (count > 0)
        *out = sizes[0];
    return SINTER_OK;
}

sinter_status sinter__size_multiply(sinter__sizes *pool, sinter__size a, sinter__size b,
                                    sinter__size *out)
{
    size_t count = (size_t)a.count * b.count;
    if (count > SINTER__SIZE_PRODUCTS)
        return sinter__fail(SINTER_ERANGE,
                            "a product of sums of %u and %u terms makes more than %d", a.count,
                            b.count, SINTER__SIZE_PRODUCTS);
    sinter__size *products = take(pool, count, sizeof *products);
    if (products == NULL)
        return SINTER_ENOMEM;
    for (size_t i = 0; i < count; i++)
        SINTER_TRY(
            multiply_terms(pool, &a.terms[i / b.count], &b.terms[i % b.count], &products[i]));
    return sinter__size_sum(pool, products, count, out);
}

bool sinter__size_equal(sinter__size a, sinter__size b)
{
    bool equal = a.count == b.count;
    for (uint32_t i = 0; equal && i < a.count; i++)
        equal = a.terms[i].coefficient == b.terms[i].coefficient &&
                compare_terms(&a.terms[i], &b.terms[i]) == 0;
    return equal;
}

bool sinter__size_is_monotone(const sinter__sizes *pool, sinter__size a, const char *symbol)
{
    for (size_t i = 0; i < pool->count; i++) {
        const sinter__size_atom *atom = pool->atoms[i];
        if (atom->kind == SINTER__SIZE_SYMBOL && strcmp(atom->text, symbol) == 0)
            return (traits_of(a).falls & atom->uses) == 0;
    }
    return true;
}

/* The largest */

static bool is_nonnegative(const sinter__size_term *t)
{
    sinter__size_term positive = *t;
    positive.coefficient = 1;
    return traits_of_term(&positive).is_nonnegative;
}

/* Whether `a` is at least `b` whatever the symbols are: every term of a - b shows that it is not
 * negative. */
static bool covers(sinter__size a, sinter__size b)
{
    for (uint32_t i = 0, k = 0; i < a.count || k < b.count;) {
        int order = k == b.count ? -1 : i == a.count ? 1 : compare_terms(&a.terms[i], &b.terms[k]);
        int64_t left = order <= 0 ? a.terms[i].coefficient : 0;
        int64_t right = order >= 0 ? b.terms[k].coefficient : 0;
        const sinter__size_term *term = order <= 0 ? &a.terms[i] : &b.terms[k];
        if (left < right || (left > right && !is_nonnegative(term)))
            return false;
        i += order <= 0;
        k += order >= 0;
    }
    return true;
}

typedef struct operands {
    sinter__size *kept; /* none covers another */
    const char **texts;
    uint32_t count;
} operands;

static sinter_status add_operand(operands *o, sinter__size a)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < o->count; i++) {
        if (covers(o->kept[i], a))
            return SINTER_OK;
    }
    for (uint32_t i = 0; i < o->count; i++) {
        if (!covers(a, o->kept[i]))
            o->kept[left++] = o->kept[i];
    }
    if (left == MOST_OPERANDS)
        return sinter__fail(SINTER_ERANGE, "a max of more than %d operands", MOST_OPERANDS);
    o->kept[left] = a;
    o->count = left + 1;
    return SINTER_OK;
}

/* The operands by their texts; these follow each other in `text`, which then is the max's. */
static sinter_status sort_operands(sinter__sizes *pool, operands *o, sinter__buffer *text)
{
    for (uint32_t i = 0; i < o->count; i++) {
        const sinter__size moved = o->kept[i];
        const char *own = NULL;
        uint32_t at = i;
        sinter__size_print(moved, text);
        SINTER_TRY(keep_text(pool, text, &own));
        for (; at > 0 && strcmp(own, o->texts[at - 1]) < 0; at--) {
            o->kept[at] = o->kept[at - 1];
            o->texts[at] = o->texts[at - 1];
        }
        o->kept[at] = moved;
        o->texts[at] = own;
    }
    sinter__buffer_puts(text, "max(");
    for (uint32_t i = 0; i < o->count; i++) {
        sinter__buffer_puts(text, i > 0 ? "," : "");
        sinter__buffer_puts(text, o->texts[i]);
    }
    sinter__buffer_puts(text, ")");
    return SINTER_OK;
}

sinter_status sinter__size_max(sinter__sizes *pool, const sinter__size *sizes, size_t count,
                               sinter__size *out)
{
    operands o = {.count = 0};
    sinter__buffer text;
    size_t room = 0;
    for (size_t i = 0; i < count && room < MOST_OPERANDS; i++) {
        const sinter__size_atom *inner = lone_atom(sizes[i], SINTER__SIZE_MAX);
        room += inner != NULL ? inner->operand_count : 1;
    }
    o.kept = take(pool, SINTER__MIN(room, (size_t)MOST_OPERANDS), sizeof *o.kept);
    if (o.kept == NULL)
        return SINTER_ENOMEM;
    for (size_t i = 0; i < count; i++) {
        const sinter__size_atom *inner = lone_atom(sizes[i], SINTER__SIZE_MAX);
        const sinter__size *list = inner != NULL ? inner->operands : &sizes[i];
        uint32_t listed = inner != NULL ? inner->operand_count : 1;
        for (uint32_t k = 0; k < listed; k++)
            SINTER_TRY(add_operand(&o, list[k]));
    }
    if (o.count == 1) {
        *out = o.kept[0];
        return SINTER_OK;
    }
    o.texts = take(pool, o.count, sizeof *o.texts);
    if (o.texts == NULL)
        return SINTER_ENOMEM;
    sinter__buffer_init(&text, pool->arena.allocator);
    SINTER_TRY(sort_operands(pool, &o, &text));
    return compose(
        pool,
        (sinter__size_atom){.kind = SINTER__SIZE_MAX, .operands = o.kept, .operand_count = o.count},
        &text, out);
}

/* Quotients and rounding */

/* Whether a term is a multiple of `unit` because of what it is made of. */
static bool is_multiple(const sinter__size_term *t, int64_t unit)
{
    __extension__ __int128 rest = t->coefficient % unit;
    for (uint32_t i = 0; i < t->degree; i++) {
        if (t->atoms[i]->kind == SINTER__SIZE_ROUNDED)
            rest = rest * (t->atoms[i]->number % unit) % unit;
    }
    return rest == 0;
}

/* Cuts `a` into whole * unit + rest, the coefficients of the rest being from 1 to unit - 1; whole has
 * its coefficients times `unit` where that is what is wanted. */
static sinter_status split(sinter__sizes *pool, sinter__size a, int64_t unit, bool times,
                           sinter__size *whole, sinter__size *rest)
{
    sinter__size_term *w = take(pool, a.count, sizeof *w);
    if (w == NULL)
        return SINTER_ENOMEM;
    sinter__size_term *r = take(pool, a.count, sizeof *r);
    if (r == NULL)
        return SINTER_ENOMEM;
    *whole = (sinter__size){w, 0};
    *rest = (sinter__size){r, 0};
    for (uint32_t i = 0; i < a.count; i++) {
        int64_t left = a.terms[i].coefficient % unit;
        left += left < 0 ? unit : 0;
        if (times && is_multiple(&a.terms[i], unit))
            left = 0;
        w[whole->count] = r[rest->count] = a.terms[i];
        int64_t multiple;
        if (__builtin_sub_overflow(a.terms[i].coefficient, left, &multiple) ||
            multiple == INT64_MIN)
            return sinter__fail(SINTER_ERANGE, "%lld rounded down to %lld does not fit 64 bits",
                                (long long)a.terms[i].coefficient, (long long)unit);
        w[whole->count].coefficient = times ? multiple : multiple / unit;
        r[rest->count].coefficient = left;
        whole->count += multiple != 0;
        rest->count += left != 0;
    }
    return SINTER_OK;
}

/* `atom` over `rest`: its text has that between `before` and `after`, then the atom's number. */
static sinter_status make_over(sinter__sizes *pool, sinter__size_atom atom, sinter__size rest,
                               const char *before, const char *after, sinter__size *out)
{
    sinter__buffer text;
    sinter__size *operand = take(pool, 1, sizeof *operand);
    if (operand == NULL)
        return SINTER_ENOMEM;
    *operand = rest;
    atom.operands = operand;
    atom.operand_count = 1;
    sinter__buffer_init(&text, pool->arena.allocator);
    sinter__buffer_puts(&text, before);
    sinter__size_print(rest, &text);
    sinter__buffer_printf(&text, "%s%lld)", after, (long long)atom.number);
    return compose(pool, atom, &text, out);
}

static sinter_status make_rounded(sinter__sizes *pool, sinter__size rest, int64_t unit,
                                  sinter__size *out)
{
    const sinter__size_atom atom = {.kind = SINTER__SIZE_ROUNDED, .number = unit};
    return make_over(pool, atom, rest, "align_up(", ",", out);
}

sinter_status sinter__size_align(sinter__sizes *pool, sinter__size a, int64_t unit,
                                 sinter__size *out)
{
    sinter__size total = {NULL, 0};
    sinter__size whole = total;
    sinter__size rest = total;
    for (;;) {
        SINTER_TRY(split(pool, a, unit, true, &whole, &rest));
        SINTER_TRY(merge(pool, total, whole, 1, &total));
        const sinter__size_atom *inner = lone_atom(rest, SINTER__SIZE_ROUNDED);
        if (inner == NULL || unit % inner->number != 0)
            break;
        a = inner->operands[0]; /* rounded to a part of the unit before */
    }
    if (rest.count == 1 && rest.terms[0].degree == 0)
        SINTER_TRY(sinter__size_constant(pool, unit, &rest));
    else if (rest.count > 0)
        SINTER_TRY(make_rounded(pool, rest, unit, &rest));
    return merge(pool, total, rest, 1, out);
}

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t next = a % b;
        a = b;
        b = next;
    }
    return a;
}

static sinter_status make_quotient(sinter__sizes *pool, sinter__size rest, int64_t divisor,
                                   sinter__size *out)
{
    const sinter__size_atom atom = {.kind = SINTER__SIZE_QUOTIENT, .number = divisor};
    bool is_sum = rest.count > 1;
    return make_over(pool, atom, rest, is_sum ? "((" : "(", is_sum ? ")/" : "/", out);
}

/* Takes out of a quotient what divides all of it. */
static sinter_status reduce(sinter__sizes *pool, sinter__size *rest, int64_t *divisor)
{
    int64_t common = *divisor;
    for (uint32_t i = 0; i < rest->count; i++)
        common = common_divisor(common, rest->terms[i].coefficient);
    sinter__size_term *terms = take(pool, rest->count, sizeof *terms);
    if (terms == NULL)
        return SINTER_ENOMEM;
    for (uint32_t i = 0; i < rest->count; i++) {
        terms[i] = rest->terms[i];
        terms[i].coefficient /= common;
    }
    rest->terms = terms;
    *divisor /= common;
    return SINTER_OK;
}

sinter_status sinter__size_divide(sinter__sizes *pool, sinter__size a, int64_t divisor,
                                  sinter__size *out)
{
    sinter__size total = {NULL, 0};
    sinter__size whole = total;
    sinter__size rest = total;
    for (;;) {
        SINTER_TRY(split(pool, a, divisor, false, &whole, &rest));
        SINTER_TRY(merge(pool, total, whole, 1, &total));
        if (rest.count == 0) {
            *out = total;
            return SINTER_OK;
        }
        SINTER_TRY(reduce(pool, &rest, &divisor));
        const sinter__size_atom *inner = lone_atom(rest, SINTER__SIZE_QUOTIENT);
        if (inner == NULL)
            break;
        a = inner->operands[0];
        if (!sinter__mul_i64(divisor, inner->number, &divisor))
            return sinter__fail(SINTER_ERANGE, "a divisor that does not fit 64 bits");
    }
    if (rest.terms[0].degree == 0)
        return sinter__fail(SINTER_EINVAL, "%lld/%lld is no whole number",
                            (long long)rest.terms[0].coefficient, (long long)divisor);
    SINTER_TRY(make_quotient(pool, rest, divisor, &rest));
    return merge(pool, total, rest, 1, out);
}
