/* The memory profile of a graph: the bytes that live before and after each of its steps, with the
 * storages behind views and the parts of storages. It needs no context, no device and no memory of
 * its own. `sinter/plan.h` finds places for what lives. */
#ifndef SINTER_MEMORY_H
#define SINTER_MEMORY_H

#include "sinter/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a node of a graph is. Calls, views and parts are steps, numbered in the order of the nodes;
 *  the others are not. */
typedef enum sinter_memory_kind {
    SINTER_MEMORY_PLACEHOLDER = 0, /* lives before the first step. Of the backward part it may have
                                    * one input: the node of the forward part that it stands for */
    SINTER_MEMORY_CONSTANT = 1,    /* the same without inputs, and never released */
    SINTER_MEMORY_CALL = 2,        /* reads its inputs and makes a storage */
    SINTER_MEMORY_RESULT = 3,      /* one more storage of the call that is its input */
    SINTER_MEMORY_VIEW = 4,        /* its first input's storage, seen otherwise or written in place;
                                    * the other inputs are read */
    SINTER_MEMORY_PART = 5,        /* part `key` of its first input; of a view it is a view */
    SINTER_MEMORY_OUTPUT = 6,      /* what its inputs lie in is held to the end */
} sinter_memory_kind;

/** The rules of PyTorch's estimator (torch/_inductor/fx_passes/memory_estimator.py as it was first
 *  written). Without them the sound ones hold, which docs/memory.md has beside them. */
typedef enum sinter_memory_rule {
    SINTER_MEMORY_KEEP_DEAD = 1,      /* what nothing uses is never released */
    SINTER_MEMORY_UNKNOWN_IS_0 = 2,   /* a size that is not known is 0, and no error */
    SINTER_MEMORY_CONSTANTS_FREE = 4, /* constants have no bytes */
    SINTER_MEMORY_TWO_GRAPHS = 8,     /* forward and backward are counted apart */
    SINTER_MEMORY_INDUCTOR = 15,      /* all of these */
} sinter_memory_rule;

#define SINTER_MEMORY_UNKNOWN UINT64_MAX /* as `bytes` */

typedef struct sinter_memory_node {
    const char *name;       /* for messages, and for the rule TWO_GRAPHS; may be NULL */
    const uint32_t *inputs; /* earlier nodes, by index */
    uint32_t input_count;
    sinter_memory_kind kind;
    uint64_t bytes;         /* of what it makes; of a view: for the baseline of TWO_GRAPHS alone */
    uint64_t key;           /* PART: which one */
    uint32_t is_releasable; /* not 0: what it makes may be released after the last use. A part goes
                             * by what it is a part of; what a backward placeholder stands for, by
                             * both */
    /* results */
    uint32_t is_kept;     /* what it lies in may not be released, or is held to the end */
    uint64_t owned_bytes; /* of the storage that is its own, without parts; views: 0 */
    uint32_t first_entry; /* of the profile, where that storage begins to live */
    uint32_t end_entry;   /* and where it lives no more */
} sinter_memory_node;

typedef struct sinter_memory_graph {
    uint32_t size; /* sizeof of this struct in the caller's header; fields past it are 0 */
    uint32_t rules;
    sinter_memory_node *nodes; /* in the order in which they run */
    size_t count;
    size_t backward; /* the first node of the backward part; 0: there is none */
} sinter_memory_graph;

/* clang-format off */
#define SINTER_MEMORY_GRAPH_INIT                                                                   \
    {sizeof(sinter_memory_graph), 0, NULL, 0, 0}
/* clang-format on */

typedef struct sinter_memory_summary {
    uint32_t
        size; /* in: sizeof of this struct in the caller's header; out: bytes that are filled */
    uint32_t entry_count;    /* of the profile */
    uint32_t backward_entry; /* the first of the backward part; entry_count when there is none */
    uint32_t peak_entry;     /* the first at which most bytes live */
    uint64_t peak_bytes;     /* of both parts */
    uint64_t forward_peak_bytes;  /* of the forward part, or of everything when there is one only */
    uint64_t backward_peak_bytes; /* with the baseline */
    uint64_t baseline_bytes;      /* live through the backward part, which does not use them */
} sinter_memory_summary;

/* clang-format off */
#define SINTER_MEMORY_SUMMARY_INIT \
    {sizeof(sinter_memory_summary), 0, 0, 0, 0, 0, 0, 0}
/* clang-format on */

/** Bytes of scratch that a profile wants.
 *  units    at most 48 a node, and 16 more.
 *  owns     fills *bytes.
 *  errors   SINTER_EINVAL for NULL, SINTER_ERANGE for more than 16,777,216 nodes.
 *  thread   any. */
SINTER_API sinter_status sinter_memory_scratch_bytes(size_t count, size_t *bytes);

/** Finds the profile of a graph. Entry 0 is what lives before the first step; each step then has two
 *  entries, with what it makes and without what it uses for the last time. The backward part begins
 *  with an entry of its own, before its first step.
 *
 *  A storage dies with its last use: of a view that is a use of what it lies in, of something in
 *  parts a use of all of them, and making a part is one. Every entry is the sum of `owned_bytes` over
 *  the nodes that live there.
 *
 *  As one graph, a backward placeholder is a view of the node that it stands for, and what the forward
 *  part puts out is held only if there is no such placeholder. SINTER_MEMORY_TWO_GRAPHS counts the
 *  placeholders again in place of that, all forward outputs that have none as the baseline, which is not
 *  in the entries, and gives up releasing a placeholder that is no forward output, or whose name begins
 *  with "view" and which is a view of a forward placeholder that is not releasable.
 *  units    bytes; `entries` has room for 2 * count + 2.
 *  owns     fills the nodes' results, `entries` and *summary; `scratch`, aligned for any
 *           type, is used during the call.
 *  errors   SINTER_EINVAL (NULL, a size of a struct that no version has, scratch that is too small, an input that is no
 *           node or comes later, a cycle of views, a part of a part, two parts of one key, parts that
 *           are more than the whole, a size that is not known), SINTER_ERANGE (bytes that overflow);
 *           the text names the node.
 *  thread   any. */
SINTER_API sinter_status sinter_memory_profile(const sinter_memory_graph *graph, uint64_t *entries,
                                               void *scratch, size_t scratch_bytes,
                                               sinter_memory_summary *summary);

#ifdef __cplusplus
}
#endif

#endif /* SINTER_MEMORY_H */
