/* A plan: a segment of the queue as groups, each one nest, in the order in which they run.
 *
 * A plan knows structure only: which tensors are stored, which are views of others, which take over
 * the storage of an input that dies. Every extent comes from a binding, so a plan serves every
 * shape of its key. */
#ifndef SINTER_FUSION_PLAN_PLAN_H
#define SINTER_FUSION_PLAN_PLAN_H

#include "fusion/device/limits.h"
#include "fusion/nest/nest.h"

#define SINTER__NO_TENSOR UINT16_MAX

/* Why a group does not hold one operation more. */
typedef enum sinter__rule_ended {
    SINTER__ENDED_SEGMENT,   /* nothing more to take in */
    SINTER__ENDED_REDUCTION, /* a neighbour reduces other axes, or wants the result elsewhere */
    SINTER__ENDED_SCAN,    /* it or a neighbour scans another axis, reduces, or scans what it has */
    SINTER__ENDED_PRODUCT, /* it is a product, or one reads it */
    SINTER__ENDED_DOMAIN,  /* a neighbour runs over other extents */
    SINTER__ENDED_CYCLE,   /* taking it in would make the group wait for itself */
    SINTER__ENDED_OPERATIONS, /* most operations per kernel */
    SINTER__ENDED_ARGUMENTS,  /* most bytes of arguments */
    SINTER__ENDED_VALUES,     /* most values alive at once */
    SINTER__ENDED_RECOMPUTE,  /* a value would be computed more than once per element */
    SINTER__ENDED_PACKED,     /* a reshape needs the elements packed in memory */
    SINTER__ENDED_UPDATE, /* with its neighbour it would read or make what an update in it changes */
    SINTER__ENDED_UNFUSED, /* fusion is off */
    SINTER__ENDED_COUNT
} sinter__rule_ended;

/* The rule in words, for the report. */
const char *sinter__rule_text(sinter__rule_ended rule);

typedef struct sinter__group {
    sinter__nest nest;
    uint16_t *nodes; /* graph nodes, in order */
    uint16_t node_count;
    uint8_t ended; /* sinter__rule_ended */
    uint16_t list; /* first group of its list (list.h), itself when it is alone: those of a list
                      follow each other, and may run at once */
    /* an UPDATE node, for which the group copies what it changes; SINTER__NO_NODE: none. It
     * runs with the update's own group */
    uint16_t copies;
} sinter__group;

/* A tensor that a group writes. */
typedef struct sinter__stored {
    uint16_t tensor;
    uint16_t group;       /* that writes it */
    uint16_t first_group; /* that writes to it: `group`, or the one that copies for it */
    uint16_t last_group;  /* that reads it; `group` when none does */
    uint16_t donor;       /* entering tensor whose storage it takes; SINTER__NO_TENSOR: its own */
    uint16_t heir;        /* entry of the update that changes it in place; its own: none does */
    bool inherits;        /* it is the heir of another */
    bool live;            /* outlives the segment */
} sinter__stored;

/* Whether an update changes a tensor where it lies, or why it changes a copy. */
typedef enum sinter__update_verdict {
    SINTER__UPDATE_IN_PLACE,
    SINTER__UPDATE_HELD,   /* what it changes outlives the segment, or a view of it does */
    SINTER__UPDATE_SHARED, /* others have its storage */
    SINTER__UPDATE_VIEW,   /* it is a view: not all of a storage, in row-major order */
    SINTER__UPDATE_READ,   /* it is read afterwards, or by the update itself */
    SINTER__UPDATE_OFF,    /* storage is not reused */
    SINTER__UPDATE_COUNT
} sinter__update_verdict;

/* The verdict in words, for the report. */
const char *sinter__update_text(sinter__update_verdict verdict);

typedef struct sinter__update {
    uint16_t node;
    uint16_t base;   /* tensor whose storage it wants */
    uint16_t group;  /* that writes the part that is replaced */
    uint16_t copy;   /* group that copies first; SINTER__NO_GROUP: none has to */
    uint8_t verdict; /* sinter__update_verdict */
} sinter__update;

#define SINTER__NO_GROUP UINT16_MAX

/* A view that outlives the segment, of a tensor that is stored or entered. */
typedef struct sinter__alias {
    uint16_t tensor;
    uint16_t root;
} sinter__alias;

typedef struct sinter__plan {
    sinter__arena arena;
    sinter__group *groups;
    uint16_t group_count;
    sinter__stored *stored;
    uint16_t stored_count;
    sinter__alias *aliases;
    uint16_t alias_count;
    uint16_t *read; /* entering tensors that groups read */
    uint16_t read_count;
    sinter__update *updates;
    uint16_t update_count;
} sinter__plan;

/* Entry of the stored tensor that has the storage of entry `i` in the end: its own, or that of the last
 * update that changes it in place. */
static inline uint16_t sinter__plan_keeper(const sinter__plan *plan, uint16_t i)
{
    while (plan->stored[i].heir != i)
        i = plan->stored[i].heir;
    return i;
}

/* Plans the whole of `g`, whose tensors say what is live. The caller finishes `out` whatever is
 * returned. */
sinter_status sinter__plan_build(const sinter__graph *g, const sinter__limits *limits,
                                 sinter__plan *out);
void sinter__plan_finish(sinter__plan *plan);

/* The group after the last one of the list of `group`. */
uint16_t sinter__list_end(const sinter__plan *plan, uint16_t group);

/* The tensor that `tensor` is a view of, through any number of views; itself when it is none. */
uint16_t sinter__view_root(const sinter__graph *g, uint16_t tensor);

/* The view that `tensor` is of `root`, whose own is `of`. False when strides cannot express it. */
bool sinter__view_from_root(const sinter__graph *g, uint16_t tensor, uint16_t root,
                            const sinter__view *of, sinter__view *out);

#endif /* SINTER_FUSION_PLAN_PLAN_H */
