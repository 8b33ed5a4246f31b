/* Sizes as integer expressions over named symbols: sums, products, max, exact division, rounding up.
 *
 * Everything is kept in one canonical form, so that what is equal by the laws of sums, products and
 * max prints equal: a size is a sum of terms; a term is a coefficient and a product of atoms; an atom
 * is a symbol, or a max, a quotient or a rounding whose operands are sizes again. Products of sums are
 * multiplied out; multiples of the divisor or of the unit are taken out of a quotient or a rounding.
 *
 * Symbols stand for extents: they are never negative. */
#ifndef SINTER_CORE_SIZE_H
#define SINTER_CORE_SIZE_H

#include "core/arena.h"
#include "core/buffer.h"

#define SINTER__SIZE_SYMBOLS 64    /* of a pool at most */
#define SINTER__SIZE_TERMS 65536   /* of a sum at most */
#define SINTER__SIZE_PRODUCTS 4096 /* that multiplying two sums makes at most */
#define SINTER__SIZE_DEGREE 63     /* of a term at most */
#define SINTER__SIZE_TEXT 65536    /* characters of an atom or of a term at most */
#define SINTER__SIZE_NESTED 32     /* brackets inside each other at most, read or printed */

typedef struct sinter__size_atom sinter__size_atom;

typedef struct sinter__size_term {
    int64_t coefficient; /* not 0, and not the least that 64 bits hold */
    const sinter__size_atom *
        *atoms;       /* sorted by their texts; an atom to a power stands repeatedly */
    uint32_t degree;  /* how many; 0: a constant */
    const char *text; /* of the product, without the coefficient; "" for a constant */
} sinter__size_term;

/* Terms sorted by degree, the largest first, then by text; none: the size is 0. */
typedef struct sinter__size {
    const sinter__size_term *terms;
    uint32_t count;
} sinter__size;

/* Where sizes live: they point into the arena of their pool and into nothing else. Operands of one
 * operation are of one pool. */
typedef struct sinter__sizes {
    sinter__arena arena;
    sinter__size_atom **atoms; /* what an atom is made of comes before it */
    size_t count;
    size_t capacity;
    uint32_t symbol_count;
    uint32_t buckets[256]; /* of atoms by text: index plus 1 */
} sinter__sizes;

void sinter__sizes_init(sinter__sizes *pool, sinter__allocator *a);
void sinter__sizes_finish(sinter__sizes *pool);

/* Building. Each fails with SINTER_ENOMEM, or with SINTER_ERANGE when a coefficient leaves 64 bits or
 * one of the limits above is passed. `out` may be an operand. */
sinter_status sinter__size_constant(sinter__sizes *pool, int64_t value, sinter__size *out);
/* `name` has `bytes` letters, digits and underscores and does not begin with a digit. */
sinter_status sinter__size_symbol(sinter__sizes *pool, const char *name, size_t bytes,
                                  sinter__size *out);
sinter_status sinter__size_add(sinter__sizes *pool, sinter__size a, sinter__size b,
                               sinter__size *out);
sinter_status sinter__size_subtract(sinter__sizes *pool, sinter__size a, sinter__size b,
                                    sinter__size *out);
sinter_status sinter__size_multiply(sinter__sizes *pool, sinter__size a, sinter__size b,
                                    sinter__size *out);
/* The sum of `count` sizes, which are overwritten; of none: 0. */
sinter_status sinter__size_sum(sinter__sizes *pool, sinter__size *sizes, size_t count,
                               sinter__size *out);
/* The largest of `count` sizes, at least one. Operands that another is never smaller than are left
 * out. */
sinter_status sinter__size_max(sinter__sizes *pool, const sinter__size *sizes, size_t count,
                               sinter__size *out);
/* a / divisor, which is positive: where that is no whole number, evaluating it is an error. */
sinter_status sinter__size_divide(sinter__sizes *pool, sinter__size a, int64_t divisor,
                                  sinter__size *out);
/* `a` rounded up to a multiple of `unit`, which is positive. */
sinter_status sinter__size_align(sinter__sizes *pool, sinter__size a, int64_t unit,
                                 sinter__size *out);

bool sinter__size_equal(sinter__size a, sinter__size b);

/* Whether a larger value of the symbol never makes the size smaller, as far as the form of the size
 * shows. So it is for a symbol that is not in it. */
bool sinter__size_is_monotone(const sinter__sizes *pool, sinter__size a, const char *symbol);

/* Text */

/* Sums, differences and products, max(a, b, ...), a / 4 with a positive constant, align_up(a, 64) with
 * one, brackets. SINTER_ESYNTAX or what building gives; *offset is where in the text. The whole text
 * is one size. */
sinter_status sinter__size_parse(sinter__sizes *pool, const char *text, size_t bytes,
                                 sinter__size *out, size_t *offset);

/* What parses to the same size. */
void sinter__size_print(sinter__size a, sinter__buffer *out);

/* Evaluation */

/* What an atom is under a binding. */
typedef struct sinter__size_value {
    int64_t value;
    uint32_t wrong; /* 0: nothing; else the atom, plus 1, that has no value */
    bool is_unbound;
    bool is_inexact; /* else, if wrong: 64 bits are too few */
} sinter__size_value;

/* Values of every atom of the pool, for sinter__size_evaluate. SINTER_EINVAL for a symbol that is
 * bound twice or to a negative number, or has no name. What is missing is not an error before it is
 * used. */
sinter_status sinter__sizes_bind(const sinter__sizes *pool, const sinter_symbol_value *binding,
                                 size_t count, sinter__size_value *values);

/* The size. SINTER_EINVAL for a symbol that is not bound and a division that is not exact,
 * SINTER_ERANGE when 64 bits are too few. */
sinter_status sinter__size_evaluate(const sinter__sizes *pool, sinter__size a,
                                    const sinter__size_value *values, int64_t *out);

#endif /* SINTER_CORE_SIZE_H */
