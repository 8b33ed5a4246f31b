/* A plan as one stream runs it: bound to the shapes of the moment, with the stream's own kernel
 * objects.
 *
 * A binding is kept until the shapes change; while they do not, running a plan is setting the
 * arguments that changed and launching. */
#ifndef SINTER_EXECUTOR_INSTANCE_H
#define SINTER_EXECUTOR_INSTANCE_H

#include "executor/context/context.h"
#include "memory/workspace.h"

/* A group that is a matrix product, where there is a library for those. */
typedef struct sinter__product {
    sinter__gemm gemm;
    uint8_t verdict; /* sinter__gemm_verdict */
    uint64_t scratch_bytes;
    void *kept; /* the backend's */
} sinter__product;

typedef struct sinter__recordings sinter__recordings;

struct sinter__instance {
    sinter__compiled *compiled; /* one reference */
    sinter__instance *next;     /* in its bucket */
    sinter__arena arena;        /* what follows */
    bool is_bound;
    int64_t *numbers; /* the binding: extents and strides of what enters, parameters of views */
    size_t number_count;
    sinter__bound_nest *bound; /* by group */
    sinter__launch *launches;  /* of all groups */
    uint32_t *first_launch;    /* by group: of as many as its nest may take; then where they end */
    uint8_t *launch_counts;    /* by group: how many it takes */
    const sinter__launch **rows; /* of the launches that run lists: as many as groups at most */
    size_t rows_bytes;           /* most that a launch has in scratch memory */
    sinter__product **products;  /* by group; NULL: no product, or no library */
    uint16_t *runs_with;         /* by group: the one whose launch runs it, mostly itself */
    sinter__want *wants;         /* by launch: scratch for finding kernels */
    sinter__workspace schema;    /* workspace: stored tensors that die, and scratch */
    bool lies_apart;             /* the workspace of this run: a storage per request */
    uint32_t *request_of; /* by stored tensor, then by group for its scratch; UINT32_MAX: none */
    void *scratch;        /* of the schema */
    sinter__address *addresses; /* by tensor of the graph */
    uint64_t placement;         /* grows when one of them changes */
    sinter__storage *
        *made; /* by stored tensor: storage of those that live, or that a split group made */
    sinter__storage **parts;    /* the workspace, or a memory per request where tensors lie apart */
    sinter__failure **broken;   /* by group: why its kernel cannot be had */
    sinter__failure **failures; /* by tensor of the graph: why it has no value */
    sinter__failure **traced;   /* the same, of everything that depends on those; borrowed */
    sinter__recordings *recordings; /* of this binding (executor/run/recording.h); NULL: none */
    bool has_decided_recordings;    /* whether it is to have any */
    bool is_poisoned;               /* in this run something has no value */
    int64_t bytes_moved;
    int64_t bytes_bound;
};

/* Launch `k` of group `group`. */
static inline sinter__launch *sinter__instance_launch(const sinter__instance *in, uint16_t group,
                                                      int k)
{
    return &in->launches[in->first_launch[group] + (uint32_t)k];
}

/* The product of group `group` that the library computes; NULL: it does not. */
static inline sinter__product *sinter__instance_product(const sinter__instance *in, uint16_t group)
{
    sinter__product *p = in->products[group];
    return p != NULL && p->verdict == SINTER__GEMM_TAKEN ? p : NULL;
}

/* A tensor of the graph lies there from now on. */
static inline void sinter__instance_place(sinter__instance *in, size_t tensor, sinter__address to)
{
    sinter__address *at = &in->addresses[tensor];
    in->placement += at->memory != to.memory || at->offset_bytes != to.offset_bytes;
    *at = to;
}

/* What the launches of group `group` read from, in a run whose addresses are set. */
sinter__operands sinter__instance_operands(const sinter__instance *in, const sinter__graph *g,
                                           uint16_t group);

/* The stream's instance of `compiled`, made when there is none. Takes over the caller's reference.
 */
sinter_status sinter__instance_get(sinter_stream *s, const sinter__graph *g,
                                   sinter__compiled *compiled, sinter__instance **out);

void sinter__instance_destroy(sinter_stream *s, sinter__instance *instance);

/* Every instance, in no order. */
void sinter__instances_visit(const sinter_stream *s,
                             void (*visit)(void *user, const sinter__instance *in), void *user);

/* What was recorded for the stream's queue is of no use any more. */
void sinter__instances_unrecord(sinter_stream *s);

/* Destroys instances of plans that the store has dropped. */
void sinter__instances_sweep(sinter_stream *s);

/* Destroys all of them and the table. */
void sinter__instances_finish(sinter_stream *s);

/* The library of products has failed, with the thread's message: from now on the context does without
 * it, unless `status` is SINTER_EUNSUPPORTED, of this product alone. Whoever reads the log or the report is told. */
void sinter__gemm_failed(sinter_stream *s, sinter_status status);

/* Binds to the shapes in `g` unless they are those it is bound to, compiling kernels as needed. Unless it
 * `must`, what cannot fit the budget is refused with SINTER_EBUDGET and no text, and nothing compiled. */
sinter_status sinter__instance_bind(sinter_stream *s, sinter__instance *instance,
                                    const sinter__graph *g, bool must);

/* Of stored tensor `i`, when it takes a storage of its own that outlives the segment; else 0. */
uint64_t sinter__instance_output_bytes(const sinter__instance *in, const sinter__graph *g,
                                       uint16_t i);

/* Whether a kernel of it does not build. Such a plan is not stored, so that the next time is a new
 * chance. */
bool sinter__instance_is_broken(const sinter__instance *instance);

/* All memory of a run, before anything is launched; `entered` is what entered the graph. What comes from another
 * device has its memory then too, or, if it `must` run, no value. On failure nothing is held. */
sinter_status sinter__instance_take(sinter_stream *s, sinter__instance *instance,
                                    const sinter__graph *g, sinter__entered *entered, bool must);

/* Launches everything, in the memory that was taken; what comes from another device has come then, or has
 * no value in `entered` either. Afterwards made[] and failures[] hold a reference to what became of each stored
 * tensor: until sinter__instance_release, or until somebody takes over one of made[] and leaves NULL there. */
void sinter__instance_run(sinter_stream *s, sinter__instance *instance, const sinter__graph *g,
                          sinter__entered *entered);

/* Finds what depends on a tensor without a value: the first cause that reaches it, in traced[]. */
void sinter__instance_trace(sinter__instance *instance, const sinter__graph *g);

/* In the place of a run: what has no value for want of an operand is known all the same. */
void sinter__instance_pretend(sinter__instance *instance);

/* Adds the bytes of a run to what is needed. */
void sinter__instance_need(const sinter__instance *instance, const sinter__graph *g,
                           sinter_memory_need *out);

/* Gives back what a run left in made[], failures[] and the workspace. */
void sinter__instance_release(sinter__instance *instance, const sinter__graph *g);

#endif /* SINTER_EXECUTOR_INSTANCE_H */
