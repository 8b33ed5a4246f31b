/* The loop nest: the one form of everything that runs as a launch.
 *
 * A nest has a domain (axes, parallel or reduced), accesses (which tensor, through which views) and
 * nodes in evaluation order. It holds no extents and no strides: those belong to a binding
 * (fusion/nest/bind.h), so one nest serves every shape of its plan. */
#ifndef SINTER_FUSION_NEST_NEST_H
#define SINTER_FUSION_NEST_NEST_H

#include "core/arena.h"
#include "core/graph.h"

/* Most values, and most accesses. */
#define SINTER__NEST_VALUES 512

/* Axes of a nest: those of a tensor, and for a matrix product its inner dimension. */
#define SINTER__NEST_RANK SINTER__VIEW_RANK

typedef enum sinter__form {
    SINTER__FORM_MAP,    /* domain: the stores' */
    SINTER__FORM_REDUCE, /* domain: what is reduced; reductions over the same axes of it, elementwise
                              work before, between and after them, stores over the domain and over the
                              axes that are kept */
    SINTER__FORM_SCAN, /* domain: what is scanned; scans along the same axis of it, elementwise work
                              before and after them, stores over the domain. The axis takes the place
                              of what REDUCE reduces */
    SINTER__FORM_CONTRACT, /* domain: batch axes, m, n, k; one matrix product, elementwise work on its
                              result, stores over the domain without k */
} sinter__form;

/* One step from a tensor's own axes to the domain's. Chains are lists: `next` is applied after. */
typedef enum sinter__link_kind {
    SINTER__LINK_VIEW,   /* graph node `ref`, a VIEW */
    SINTER__LINK_EXPAND, /* broadcast to the shape of tensor `ref` */
    SINTER__LINK_REDUCED, /* from the axes that REDUCE node `ref` keeps, with or without the others as
                             1, to its input's axes, stride 0 where reduced */
    SINTER__LINK_UPDATED, /* from the result of UPDATE node `ref` to what it replaces there */
    SINTER__LINK_LEFT,    /* from the left operand of CONTRACT node `ref` to its domain */
    SINTER__LINK_RIGHT,   /* from the right operand */
    SINTER__LINK_PRODUCT, /* from its result */
} sinter__link_kind;

typedef struct sinter__link {
    uint8_t kind;
    uint16_t ref;
    uint16_t next; /* SINTER__CHAIN_END, or a link */
} sinter__link;

#define SINTER__CHAIN_END UINT16_MAX

typedef enum sinter__role {
    SINTER__ROLE_READ,
    SINTER__ROLE_WRITE,
    SINTER__ROLE_INDEX, /* no memory: the row-major index in tensor `tensor` */
} sinter__role;

typedef struct sinter__access {
    uint16_t tensor;
    uint16_t chain;
    uint8_t dtype;
    uint8_t role;
    bool in_place; /* WRITE: into memory that is read there, before */
} sinter__access;

typedef enum sinter__value_kind {
    SINTER__VALUE_LOAD,   /* access */
    SINTER__VALUE_ARG,    /* a scalar of the graph */
    SINTER__VALUE_INDEX,  /* access: the element's index, as u64 */
    SINTER__VALUE_MAP,    /* op of sources */
    SINTER__VALUE_REDUCE, /* op of one source over the reduced axes */
    SINTER__VALUE_SCAN,   /* op of one source along the scanned axis */
    SINTER__VALUE_STORE,  /* access; source 0 */
} sinter__value_kind;

typedef struct sinter__value {
    uint8_t kind;
    uint8_t op;
    uint8_t dtype; /* of the value */
    uint8_t work;  /* dtype in which a MAP holds its operands */
    uint8_t source_count;
    uint16_t source[SINTER__MAX_OPERANDS]; /* values */
    uint16_t access;
    uint16_t scalar; /* ARG: index into the graph's scalars */
    /* MAP: the STORE in whose memory, or beside which, it waits for later phases, or SINTER__NOT_KEPT */
    uint16_t kept;
    /* reductions or scans, one after the other, that it depends on (fusion/nest/phase.c) */
    uint8_t phase;
} sinter__value;

#define SINTER__NOT_KEPT UINT16_MAX

/* The first values of a CONTRACT nest: the loads of the operands and the product, a REDUCE of both. */
#define SINTER__VALUE_LEFT 0
#define SINTER__VALUE_RIGHT 1
#define SINTER__VALUE_PRODUCT 2

/* Most reductions of a nest. */
#define SINTER__MAX_REDUCTIONS 16

typedef struct sinter__nest {
    uint8_t form;
    uint16_t root; /* REDUCE, SCAN: a node with the axes that are reduced or scanned; CONTRACT: the
                        node */
    uint16_t domain; /* MAP, REDUCE, SCAN: tensor whose shape is the domain */
    uint8_t phases;  /* of reductions: what is stored may belong to one more. SCAN: 1 */
    sinter__value *values;
    uint16_t value_count;
    sinter__access *accesses;
    uint16_t access_count;
    sinter__link *links;
    uint16_t link_count;
    uint16_t *scalars; /* scalars of the graph, in the order of the ARG values */
    uint16_t scalar_count;
} sinter__nest;

/* What a nest costs, found while it is built; fusion/plan/group.c decides with it. */
typedef struct sinter__nest_cost {
    uint32_t operations;   /* MAP, REDUCE and SCAN values */
    uint32_t reductions;   /* and what the states of some have more than one number */
    uint32_t repeated;     /* arithmetic per element that storing would spare: on values needed
                            through two views, or broadcast afterwards */
    uint32_t spared_bytes; /* per element, that storing those would move instead */
    uint32_t scalars;
    uint32_t live; /* most values alive at once */
    /* a reduction, scan or product is needed in another place than where its loop has it, or a
     * scan by another: no nest */
    bool misplaced;
} sinter__nest_cost;

/* Which tensors a nest may look through: those made by its own members, and views. */
typedef struct sinter__nest_members {
    const bool *is_member; /* by graph node */
    const bool *is_loaded; /* by tensor: made by a VIEW, and stored all the same */
    uint16_t form;
    uint16_t root;          /* REDUCE, SCAN, CONTRACT */
    uint16_t domain;        /* MAP: a tensor of the domain's shape */
    const uint16_t *stores; /* tensors to write */
    uint16_t store_count;
} sinter__nest_members;

/* Builds the nest that computes the stores. The result of an UPDATE is stored where it replaces
 * what was there, by a nest that has the node as a member; one that does not copies what it
 * changes.  Everything lies in `arena`. */
sinter_status sinter__nest_build(sinter__arena *arena, const sinter__graph *g,
                                 const sinter__nest_members *members, sinter__nest *out,
                                 sinter__nest_cost *cost);

/* The view through which `access` sees the domain, by the shapes that the graph has now; its rank
 * is that of the domain. False when strides cannot express it. */
bool sinter__access_view(const sinter__graph *g, const sinter__nest *nest,
                         const sinter__access *access, sinter__view *out);

#endif /* SINTER_FUSION_NEST_NEST_H */
