/* Which operations run in one launch. Private to the planner (fusion/plan.c). */
#ifndef SINTER_FUSION_GROUP_H
#define SINTER_FUSION_GROUP_H

#include "fusion/plan.h"
#include "fusion/symbols.h"

typedef struct sinter__draft {
    uint8_t form;     /* sinter__form */
    uint8_t ended;    /* sinter__rule_ended */
    bool dissolved;   /* merged into another */
    uint16_t members; /* nodes in it */
    uint16_t root; /* REDUCE, SCAN: a node with the axes that are reduced or scanned; CONTRACT: the
                        node */
    uint16_t domain; /* MAP, REDUCE, SCAN: a tensor of the domain's shape */
    uint16_t list;   /* draft that leads its list (fusion/list.h); itself when it is alone */
    uint16_t first;  /* node; set once the groups are final */
    uint16_t turn;   /* the first node of its list; set with it */
} sinter__draft;

typedef struct sinter__grouping {
    const sinter__graph *g;
    const sinter__limits *limits;
    sinter__arena *arena; /* drafts */
    sinter__symbols symbols;
    bool has_updates;
    bool *needed;       /* by node: something live depends on it */
    bool *stored;       /* by tensor: a group writes it */
    bool *held;         /* by tensor: stored whoever reads it */
    bool *is_loaded;    /* by tensor: made by a view, and stored all the same */
    bool *is_shown;     /* by tensor: a live view looks at it */
    bool *is_alias;     /* by tensor: a live view of something stored */
    bool *is_member;    /* by node: scratch for building a nest */
    uint16_t *stores;   /* the same: tensors that it writes */
    uint16_t *group_of; /* by node; the results that are stored are what the group writes */
    uint16_t *saved;    /* group_of before a trial */
    bool *saved_stored; /* stored before it */
    sinter__draft *drafts;
    uint16_t draft_count;
    sinter_status
        status;        /* of the trials: not that a group is refused, but that none could be made */
    uint64_t *reaches; /* draft_capacity bits per draft: drafts that wait for it */
    size_t reach_words;
} sinter__grouping;

/* Groups the nodes of `g`. The caller finishes it whatever is returned. */
sinter_status sinter__grouping_build(const sinter__graph *g, const sinter__limits *limits,
                                     sinter__arena *arena, sinter__grouping *out);
void sinter__grouping_finish(sinter__grouping *s);

/* Builds the nest of draft `d` in `arena`. */
sinter_status sinter__draft_nest(sinter__grouping *s, uint16_t d, sinter__arena *arena,
                                 sinter__nest *out, sinter__nest_cost *cost);

bool sinter__draft_reaches(const sinter__grouping *s, uint16_t from, uint16_t to);

/* What draft `a` or `b` waits for, or waits for them, from now on counts for `a`. */
void sinter__drafts_wait_together(sinter__grouping *s, uint16_t a, uint16_t b);

/* No rule refuses. */
#define SINTER__FITS SINTER__ENDED_COUNT

/* FITS when one loop serves both drafts. */
sinter__rule_ended sinter__drafts_agree(sinter__grouping *s, uint16_t a, uint16_t b);

/* Draft `b` into draft `a`, when their loops are of a kind and the nest of both fits. Neither may
 * wait for a third that waits for the other. What only the two read is stored no longer. */
sinter__rule_ended sinter__drafts_merge(sinter__grouping *s, uint16_t a, uint16_t b);

/* What an operand is read from, views looked through. */
uint16_t sinter__operand_base(const sinter__grouping *s, uint16_t tensor);

/* Whether operation `node` reads `tensor`, through views or not. */
bool sinter__node_reads(const sinter__grouping *s, uint16_t node, uint16_t tensor);

/* Whether an operation of draft `d` reads `tensor`, through views or not. */
bool sinter__draft_reads(const sinter__grouping *s, uint16_t d, uint16_t tensor);

/* Joins drafts with reductions to what they read, what reads them, and what reads the same:
 * fusion/join.c. */
void sinter__drafts_join(sinter__grouping *s);

#endif /* SINTER_FUSION_GROUP_H */
