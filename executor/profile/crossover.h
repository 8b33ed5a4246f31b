/* Two ways to do the same, by two settings of a profile: from which size on one of them is faster, or whether it is at
 * the only size. */
#ifndef SINTER_EXECUTOR_CROSSOVER_H
#define SINTER_EXECUTOR_CROSSOVER_H

#include "executor/profile/profile.h"
#include "executor/profile/watch.h"

typedef struct sinter__crossover {
    const char *what, *text;
    sinter_mode mode;
    bool is_square;      /* operands are square matrices, by their sides; else it is elements */
    int64_t columns;     /* of matrices of so many elements; 0: they are one row */
    bool is_product;     /* what is looked for are multiply-adds; else bytes of a result */
    bool takes_ties;     /* `theirs` wins where both are level */
    int64_t wins_to;     /* sizes up to which it has to be faster all the same */
    bool wants_much;     /* it has to take a fifth less */
    int64_t most, least; /* sizes */
    double bytes;        /* that are about moved, for each of the number looked for */
    uint32_t never;      /* it, where the other way is faster at the largest size already */
    size_t turns;        /* of each, whose medians have to differ by a twentieth; 0: as usual */
    int wins_of_three; /* answers, each in memory taken anew, that make it win; 0: one answer counts */
} sinter__crossover;

/* *out: multiply-adds of a product, bytes of a result, from which on `theirs` wins; as it is where there is no time to
 * see. This and all below fail only for lack of memory. */
sinter_status sinter__crossover_find(const sinter_profile *own, const sinter_profile *theirs,
                                     sinter__watch *w, const sinter__crossover *c, uint32_t *out);

/* sinter__crossover_find between two ways to set the tuning of `p`. */
sinter_status sinter__crossover_between(const sinter_profile *p, const sinter__tuning *own,
                                        const sinter__tuning *theirs, sinter__watch *w,
                                        const sinter__crossover *c, uint32_t *out);

/* Two copies of a profile, which the caller makes differ and finishes whatever is returned. */
sinter_status sinter__profile_copy_twice(sinter_profile *own, sinter_profile *theirs,
                                         const sinter_profile *p);

#endif /* SINTER_EXECUTOR_CROSSOVER_H */
