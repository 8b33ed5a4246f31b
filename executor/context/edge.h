/* Edges between streams of one device: a stream uses what another has launched and the device may not
 * have done, without a wait of the host.
 *
 * The stream that has launched it puts a mark into its command queue, and the queue of the user waits for
 * that. What such a user makes is only known to be right when the other's launches are known to be: so it
 * remembers the flights it depends on, and looks at them when it waits itself. */
#ifndef SINTER_EXECUTOR_EDGE_H
#define SINTER_EXECUTOR_EDGE_H

#include "executor/memory/pool.h"
#include "sinter/types.h"

typedef struct sinter__opened sinter__opened;

/* What a stream launches between two waits, or what copies from other devices write (executor/run/transfer.h). */
typedef struct sinter__flight {
    atomic_uint references;
    _Atomic(sinter__failure *) failure; /* the device has failed in it; held */
    sinter__pool *pool;                 /* the stream's, to compare */
    atomic_uint_fast64_t finished;      /* launches of the stream known to be done when it began */
    atomic_bool settled; /* nothing more is launched in it; all is done, or its failure is known */
} sinter__flight;

/* A place in a command queue. Nothing but the counter changes once it is made. */
typedef struct sinter__mark {
    atomic_uint references;
    const sinter__opened *on; /* whose queue it is in */
    void *event;              /* of the backend */
    uint64_t launched;
    sinter__flight *flight;
    size_t up_count, up_capacity;
    sinter__flight *up[]; /* what the flight itself depended on */
} sinter__mark;

/* A flight that a stream depends on. */
typedef struct sinter__follow {
    sinter__flight *flight;
    sinter__mark *mark; /* NULL: through another stream */
    bool is_beyond;     /* another stream that is followed may depend on more of it than the mark */
} sinter__follow;

/* What is launched into the pool's memory from now on; `finished` as above. NULL: no memory. */
sinter__flight *sinter__flight_create(sinter__allocator *a, sinter__pool *pool, uint64_t finished);

/* NULL is accepted. */
void sinter__flight_release(sinter__allocator *a, sinter__flight *flight);

/* A mark behind all that the queue has, the last of it launch `launched` of `flight`, with room for `ups` more;
 * NULL when there cannot be one. The thread may have a message then. */
sinter__mark *sinter__mark_create(const sinter__opened *on, void *queue, uint64_t launched,
                                  sinter__flight *flight, size_t ups);

/* One more reference. */
sinter__mark *sinter__mark_retain(sinter__mark *mark);

/* A mark behind all that `home` has launched, whose lock is held; the caller releases it. NULL when the
 * device has done all of it: where it has no marks, the host has waited. */
sinter__mark *sinter__edge_mark(sinter_stream *home);

/* What `s` launches from now on begins after the mark; SINTER_ENOMEM: it does not. With the lock of `s` held. */
sinter_status sinter__edge_follow(sinter_stream *s, sinter__mark *mark);

/* NULL is accepted. */
void sinter__mark_release(sinter__mark *mark);

/* What the device has failed with before the mark, as far as that is known; the mark holds it. NULL: with
 * nothing. Does not wait. */
const sinter__failure *sinter__mark_failure(sinter__mark *mark);

/* The device has failed before the mark, as it says with `status`: all that follow it learn of that, and the
 * stream itself. */
void sinter__mark_fail(sinter__mark *mark, sinter_status status);

/* After a wait of `s`: why what it has launched since the last one is lost, to be released; NULL: it is
 * not. */
sinter__failure *sinter__edges_failure(const sinter_stream *s);

/* Whether another stream's storage was written in a flight that has failed, on which `s` depends. */
bool sinter__edges_lost(const sinter_stream *s, const sinter__storage *storage);

/* `s` has waited: those who follow it learn of the failure (NULL: of none), and it depends on nobody any
 * more. */
void sinter__edges_settle(sinter_stream *s, sinter__failure *failure);

#endif /* SINTER_EXECUTOR_EDGE_H */
