/* Which operations run in one launch. Private to fusion/plan/. */
#ifndef SINTER_FUSION_PLAN_GROUP_H
#define SINTER_FUSION_PLAN_GROUP_H

#include "fusion/plan/plan.h"
#include "fusion/plan/reach.h"
#include "fusion/plan/symbols.h"

typedef struct sinter__draft {
    uint8_t form;        /* sinter__form */
    uint8_t ended;       /* sinter__rule_ended */
    bool dissolved;      /* merged into another */
    uint16_t members;    /* nodes in it */
    uint16_t reductions; /* those of them that reduce or scan */
    uint16_t root; /* REDUCE, SCAN: a node with the axes that are reduced or scanned; CONTRACT: the
                        node */
    uint16_t domain; /* MAP, REDUCE, SCAN: a tensor of the domain's shape */
    uint16_t list;   /* draft that leads its list (fusion/plan/list.h); itself when it is alone */
    uint16_t first; /* of its nodes, in the order of the operations; SINTER__NO_NODE: it has none */
    uint16_t turn;  /* the first node of its list; set once the groups are final */
} sinter__draft;

/* An operation that reads a tensor. */
typedef struct sinter__reader {
    uint32_t next; /* of sinter__grouping.readers, with a later operation; 0: none */
    uint16_t node;
} sinter__reader;

/* What lies where a tensor does, and is changed or copied by an update of the nest of that trial. */
typedef struct sinter__changed {
    uint32_t trial;
    uint16_t access; /* by which the first such update writes */
    bool in_place;   /* one of them is, as far as it is known whatever the groups are */
} sinter__changed;

typedef struct sinter__grouping {
    const sinter__graph *g;
    const sinter__limits *limits;
    sinter__arena *arena; /* drafts */
    sinter__symbols symbols;
    bool has_updates;
    uint8_t *verdicts; /* by node, of updates: sinter__update_verdict, whatever the groups are */
    sinter__changed *changed; /* by tensor */
    uint32_t trial;           /* the last nest whose updates were looked at; none is 0 */
    bool *needed;             /* by node: something live depends on it */
    bool *stored;             /* by tensor: a group writes it */
    bool *held;               /* by tensor: stored whoever reads it */
    bool *is_loaded;          /* by tensor: made by a view, and stored all the same */
    bool *is_shown;           /* by tensor: a live view looks at it */
    bool *is_alias;           /* by tensor: a live view of something stored */
    bool *is_member;          /* by node: scratch for building a nest; free operations are in any */
    uint16_t *stores;         /* the same: tensors that it writes */
    uint16_t *group_of;       /* by node; the results that are stored are what the group writes */
    uint16_t *next_member;    /* by node: the next of its draft; SINTER__NO_NODE: it is the last */
    uint16_t *saved;          /* nodes of the two drafts of a trial */
    bool *saved_stored;       /* by place in `saved`: its result was stored before the trial */
    sinter__reader *readers;
    uint32_t *readers_of; /* by tensor: its first reader; 0: none */
    uint32_t *seen;       /* by tensor: the last look at which the draft that grows read it */
    uint32_t look;        /* the last one; none is 0 */
    sinter__draft *drafts;
    uint16_t draft_count;
    sinter_status
        status; /* of the trials: not that a group is refused, but that none could be made */
    sinter__reach reach; /* drafts that wait for each other */
} sinter__grouping;

/* Groups the nodes of `g`. The caller finishes it whatever is returned. */
sinter_status sinter__grouping_build(const sinter__graph *g, const sinter__limits *limits,
                                     sinter__arena *arena, sinter__grouping *out);
void sinter__grouping_finish(sinter__grouping *s);

/* Builds the nest of draft `d` in `arena`. */
sinter_status sinter__draft_nest(sinter__grouping *s, uint16_t d, sinter__arena *arena,
                                 sinter__nest *out, sinter__nest_cost *cost);

/* No rule refuses. */
#define SINTER__FITS SINTER__ENDED_COUNT

/* FITS when one loop serves both drafts. */
sinter__rule_ended sinter__drafts_agree(sinter__grouping *s, uint16_t a, uint16_t b);

/* Draft `b` into draft `a`, when their loops are of a kind and the nest of both fits. Neither may
 * wait for a third that waits for the other. What only the two read is stored no longer. */
sinter__rule_ended sinter__drafts_merge(sinter__grouping *s, uint16_t a, uint16_t b);

/* What an operand is read from, views looked through. */
uint16_t sinter__operand_base(const sinter__grouping *s, uint16_t tensor);

/* fusion/plan/member.c */

/* Who reads what; views that are stored are known by then. */
sinter_status sinter__readers_find(sinter__grouping *s);

/* Whether an operation of draft `d` reads `tensor`, through views or not; or one of another draft. */
bool sinter__draft_reads(const sinter__grouping *s, uint16_t d, uint16_t tensor);
bool sinter__read_outside(const sinter__grouping *s, uint16_t d, uint16_t tensor);

/* Node `n`, which comes before all members, into draft `d`; out of it again. */
void sinter__member_add(sinter__grouping *s, uint16_t n, uint16_t d);
void sinter__member_drop(sinter__grouping *s, uint16_t d);

/* The members of `b` into `a`, for a trial; out of it again, where what they make is stored as it was before. */
void sinter__members_unite(sinter__grouping *s, uint16_t a, uint16_t b);
void sinter__members_part(sinter__grouping *s, uint16_t a, uint16_t b);

/* Joins drafts with reductions to what they read, what reads them, and what reads the same:
 * fusion/plan/join.c. */
void sinter__drafts_join(sinter__grouping *s);

#endif /* SINTER_FUSION_PLAN_GROUP_H */
