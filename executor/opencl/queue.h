/* A stream's commands on the way to a driver: its in-order queue and, where the driver has such, a second one whose
 * commands the calling thread runs itself, done when the call returns. */
#ifndef SINTER_EXECUTOR_QUEUE_H
#define SINTER_EXECUTOR_QUEUE_H

#include "core/alloc.h"
#include "executor/opencl/cl.h"
#include "sinter/stream.h"

/* What queues are made for. */
typedef struct sinter__queue_maker {
    const sinter__cl *cl;
    sinter__allocator *allocator;
    cl_context context;
    cl_device_id device;
    bool takes_priorities;
    bool runs_at_once; /* cl_intel_exec_by_local_thread */
} sinter__queue_maker;

typedef struct sinter__cl_queue {
    cl_command_queue queue;
    cl_command_queue at_once; /* NULL: none */
    bool is_shared;           /* the caller may give commands to the first */
    bool is_idle; /* there is a second, and what the first was given is known to be done */
} sinter__cl_queue;

/* Queues of the driver that the stream's holds: 1, or 2. */
int sinter__queue_objects(const sinter__cl_queue *q);

/* `timed`, if it can. `priority` (NULL: the default) becomes what the device was told. To be ended by
 * sinter__queue_release. */
sinter_status sinter__queue_create(const sinter__queue_maker *m, bool timed,
                                   sinter_priority *priority, sinter__cl_queue **out);
void sinter__queue_release(const sinter__queue_maker *m, sinter__cl_queue *q);

/* Around the caller's own queue, in which there may be anything; ended by sinter__queue_forget. */
sinter_status sinter__queue_adopt(const sinter__queue_maker *m, cl_command_queue theirs,
                                  sinter__cl_queue **out);
void sinter__queue_forget(const sinter__queue_maker *m, sinter__cl_queue *q);

/* Where a command goes that may take its time. */
cl_command_queue sinter__queue_later(sinter__cl_queue *q);

/* Where one goes that is soon done: to the thread that calls, unless it has to wait for others. */
cl_command_queue sinter__queue_at_once(sinter__cl_queue *q);

/* The same for a command that moves so many bytes between host and device. */
cl_command_queue sinter__queue_copy(sinter__cl_queue *q, uint64_t bytes);

/* The caller gets the first queue, and may give it commands from now on. */
cl_command_queue sinter__queue_lend(sinter__cl_queue *q);

/* The first has been waited for: a write that blocks does not, it may return when it has copied what it writes. */
void sinter__queue_done(sinter__cl_queue *q);

#endif /* SINTER_EXECUTOR_QUEUE_H */
