/* Segments that a stream has cut before its last one, and that may come again. */
#ifndef SINTER_EXECUTOR_FORMER_H
#define SINTER_EXECUTOR_FORMER_H

#include "fusion/queue/queue.h"

/* With the one in the queue's arrays, as many segments as a loop may have whose turns are all repeated. */
#define SINTER__FORMERS 3

/* What the stream has of the segment that is in its queue, for one that is not. */
typedef struct sinter__former {
    uint32_t number;     /* of the arrays: the segment's for as long as it is kept */
    uint32_t next;       /* the number of what came behind it last */
    uint64_t epoch;      /* the stream's when it left the queue */
    sinter__graph graph; /* empty: its operations stand behind its end */
    sinter__taken *taken;
    size_t taken_capacity;
    size_t reserved, reserved_tensors;
    uint32_t repeatable, repeatable_tensors;
    struct sinter__queued_formula *formulas; /* executor/queue/formula.h */
    size_t formula_capacity;
    uint32_t known_formulas;
} sinter__former;

/* What a graph and the steps have room for where so many operations and tensors are reserved: a cut may put a copy
 * before each operation that it leaves in the queue. */
static inline size_t sinter__held_operations(size_t reserved)
{
    return 2 * reserved;
}

static inline size_t sinter__held_tensors(size_t reserved, size_t reserved_tensors)
{
    return reserved_tensors + reserved;
}

/* With the lock held. All that was in the queue has been cut off it: what came behind that the last time takes the
 * place of the queue's arrays. */
void sinter__former_expect(sinter_stream *s);

/* With the lock held. The queue's first operations are not what the last segment began with;
 * `old.graph` has what they were written over. They go on as a former segment that began so, or as
 * a new one, and the last one is kept. */
void sinter__former_turn(sinter_stream *s);

/* The same where a cut has put them into the queue again: `old.graph` is the last segment, and
 * empty. False: nothing has happened. */
bool sinter__former_turn_rest(sinter_stream *s);

void sinter__formers_finish(sinter_stream *s);

#endif /* SINTER_EXECUTOR_FORMER_H */
