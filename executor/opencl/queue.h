/* A stream's commands on the way to a driver: its in-order queue and, where the driver has such, a second one whose
 * commands the calling thread runs itself, done when the call returns. */
#ifndef SINTER_EXECUTOR_QUEUE_H
#define SINTER_EXECUTOR_QUEUE_H

#include "core/alloc.h"
#include "executor/opencl/cl.h"
#include "fusion/device/limits.h"
#include "sinter/stream.h"

/* What queues are made for; it outlives them. */
typedef struct sinter__cl_queue_maker {
    const sinter__cl *cl;
    sinter__allocator *allocator;
    cl_context context;
    cl_device_id device;
    bool takes_priorities;
    bool widens_alone;            /* executor/opencl/widening.h */
    bool no_flush;                /* clFinish does not wait for what was flushed */
    const sinter__limits *limits; /* of the device: how its launches run, and are waited for */
} sinter__cl_queue_maker;

/* For one thread at a time, as the stream's lock sees to. */
typedef struct sinter__cl_queue {
    const sinter__cl_queue_maker *maker;
    cl_command_queue queue;
    cl_command_queue at_once; /* NULL: none */
    cl_event last;    /* of the launch that the first was given last; NULL: wait for the queue */
    double work;      /* of the launch that is all there is to wait for; infinite: there is more */
    uint32_t in_vain; /* how often of late a short launch was asked for and took long */
    uint32_t rests;   /* waits for no more than that, from now on, that sleep at once */
    bool is_shared;   /* the caller may give commands to the first */
    bool is_idle;     /* there is a second, and what the first was given is known to be done */
    struct sinter__cl_queue *next, *previous; /* of all that widen alone */
} sinter__cl_queue;

/* Queues of the driver that the stream's holds: 1, or 2. */
int sinter__cl_queue_objects(const sinter__cl_queue *q);

/* `timed`, if it can. `priority` (NULL: the default) becomes what the device was told. To be ended by
 * sinter__cl_queue_release, which waits. */
sinter_status sinter__cl_queue_create(const sinter__cl_queue_maker *m, bool timed,
                                      sinter_priority *priority, sinter__cl_queue **out);
void sinter__cl_queue_release(sinter__cl_queue *q);

/* Around the caller's own queue, in which there may be anything; ended by sinter__cl_queue_forget. */
sinter_status sinter__cl_queue_adopt(const sinter__cl_queue_maker *m, cl_command_queue theirs,
                                     sinter__cl_queue **out);
void sinter__cl_queue_forget(sinter__cl_queue *q);

/* Where the next command goes, which is given to it at once: these note what the first queue has from then on. */

/* A command that may take its time. */
cl_command_queue sinter__cl_queue_later(sinter__cl_queue *q);

/* One that is soon done: to the thread that calls, unless it has to wait for others. What fails in
 * it fails in the call. */
cl_command_queue sinter__cl_queue_at_once(sinter__cl_queue *q);

/* A launch of so much work. *event (NULL: it needs none): where its event is to lie, which the queue then keeps until
 * the next command or wait. */
cl_command_queue sinter__cl_queue_launch(sinter__cl_queue *q, double work, cl_event **event);

/* One that moves so many bytes between host and device. */
cl_command_queue sinter__cl_queue_copy(sinter__cl_queue *q, uint64_t bytes);

/* The caller gets the first queue, and may give it commands from now on. */
cl_command_queue sinter__cl_queue_lend(sinter__cl_queue *q);

/* Waits for all that the first was given. */
sinter_status sinter__cl_queue_wait(sinter__cl_queue *q);

/* The first has been waited for: a write that blocks does not, it may return when it has copied what it writes. */
void sinter__cl_queue_done(sinter__cl_queue *q);

#endif /* SINTER_EXECUTOR_QUEUE_H */
