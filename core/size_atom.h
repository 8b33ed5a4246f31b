/* What sizes are made of, for the files that build and evaluate them. */
#ifndef SINTER_CORE_SIZE_ATOM_H
#define SINTER_CORE_SIZE_ATOM_H

#include "core/size.h"

typedef enum sinter__size_kind {
    SINTER__SIZE_SYMBOL,
    SINTER__SIZE_MAX,
    SINTER__SIZE_QUOTIENT, /* of an operand that no whole number divides further */
    SINTER__SIZE_ROUNDED,
} sinter__size_kind;

struct sinter__size_atom {
    sinter__size_kind kind;
    const char *text;
    uint32_t index; /* in the pool */
    uint32_t next;  /* in its bucket: index plus 1 */
    const sinter__size *operands;
    uint32_t operand_count;
    int64_t number; /* the divisor, or the unit */
    uint64_t uses;  /* a bit for each symbol that is in it */
    uint64_t falls; /* for each in which it may decrease */
    bool is_nonnegative;
    uint32_t nested; /* brackets inside each other in the text */
};

#endif /* SINTER_CORE_SIZE_ATOM_H */
