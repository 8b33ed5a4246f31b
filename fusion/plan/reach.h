/* Which drafts wait for which: the closure of "writes what the other reads", kept up as drafts grow.
 *
 * Both directions are kept, a row of bits for each draft, so that a new edge touches only those before it and those
 * behind it, and what lies between two drafts is one AND of two rows. */
#ifndef SINTER_FUSION_PLAN_REACH_H
#define SINTER_FUSION_PLAN_REACH_H

#include "core/arena.h"

typedef struct sinter__reach {
    uint64_t *after;  /* by draft, `words` each: those that wait for it */
    uint64_t *before; /* those that it waits for */
    size_t words;
} sinter__reach;

/* For drafts 0 to count - 1, none of which waits. */
sinter_status sinter__reach_init(sinter__reach *r, sinter__arena *arena, size_t count);

static inline bool sinter__reaches(const sinter__reach *r, uint16_t from, uint16_t to)
{
    return (r->after[from * r->words + to / 64] >> (to % 64) & 1) != 0;
}

/* `to` waits for `from` from now on, which does not wait for it. */
void sinter__reach_add(sinter__reach *r, uint16_t from, uint16_t to);

/* Two drafts wait as one: both for what either waits for, and for both what waits for either. No third lies between
 * them. Of a list of more, only the row of its first draft goes on to be kept up. */
void sinter__reach_together(sinter__reach *r, uint16_t a, uint16_t b);

/* A draft that is no more: nobody waits for it, and it for nobody. */
void sinter__reach_drop(sinter__reach *r, uint16_t d);

/* Whether a third draft waits for `from` while `to` waits for it. */
bool sinter__reach_between(const sinter__reach *r, uint16_t from, uint16_t to);

#endif /* SINTER_FUSION_PLAN_REACH_H */
