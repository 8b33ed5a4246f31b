/* The one hard idea: handing a command to a driver's threads and being woken when it is done takes longer than many a
 * command. Where the driver can run a command in the thread that gives it, a stream has a second queue for those
 * that are soon done. The two stay one order: a command goes to the second queue only while everything that the
 * first was given is known to be done, and is done itself when the call returns (docs/decisions/at-once.md). */
#include "executor/opencl/queue.h"

#include "executor/backend/trace.h"
#include "executor/opencl/widening.h"

#include <math.h>

#ifndef CL_QUEUE_PRIORITY_KHR /* of cl_ext.h, which is not everywhere */
#    define CL_QUEUE_PRIORITY_KHR 0x1096
#    define CL_QUEUE_PRIORITY_HIGH_KHR (1 << 0)
#    define CL_QUEUE_PRIORITY_LOW_KHR (1 << 2)
#endif
#ifndef CL_QUEUE_THREAD_LOCAL_EXEC_ENABLE_INTEL
#    define CL_QUEUE_THREAD_LOCAL_EXEC_ENABLE_INTEL ((cl_bitfield)1 << 31)
#endif

/* Asked for so long, a launch that is soon done is, and any other has lost little. */
#define POLL_NS 20000u

/* Where it often is not done, the thread that asks has a processor that the driver's would rather have, or the launch is
 * no short one here. A time in vain counts as much as VAIN that went well make up for; at MOST_IN_VAIN so many waits
 * sleep at once before it is asked for again. */
#define VAIN 4
#define MOST_IN_VAIN (3 * VAIN)
#define REST 100

/* Copies between host and device that one thread has done before several would be at it. */
#define COPY_AT_ONCE_BYTES ((uint64_t)1 << 16)

/* NULL where the device takes no such hint. */
static cl_command_queue queue_with(const sinter__cl_queue_maker *m,
                                   cl_command_queue_properties properties, sinter_priority priority)
{
    cl_int error = CL_SUCCESS;
    const cl_bitfield all[] = {CL_QUEUE_PROPERTIES, properties, CL_QUEUE_PRIORITY_KHR,
                               priority == SINTER_PRIORITY_HIGH ? CL_QUEUE_PRIORITY_HIGH_KHR
                                                                : CL_QUEUE_PRIORITY_LOW_KHR,
                               0};
    if (!m->takes_priorities)
        return NULL;
    return m->cl->clCreateCommandQueueWithProperties(m->context, m->device, all, &error);
}

static sinter_status make_queue(const sinter__cl_queue_maker *m, bool timed,
                                sinter_priority *priority, sinter__cl_queue *q)
{
    cl_int error = CL_SUCCESS;
    cl_command_queue_properties properties = timed ? CL_QUEUE_PROFILING_ENABLE : 0;
    if (priority != NULL && *priority != SINTER_PRIORITY_DEFAULT) {
        q->queue = queue_with(m, properties, *priority);
        *priority = q->queue != NULL ? *priority : SINTER_PRIORITY_DEFAULT;
    }
    if (q->queue == NULL)
        q->queue = m->cl->clCreateCommandQueue(m->context, m->device, properties, &error);
    if (q->queue == NULL && timed) {
        properties = 0;
        q->queue = m->cl->clCreateCommandQueue(m->context, m->device, properties, &error);
    }
    if (q->queue == NULL)
        return sinter__cl_fail("clCreateCommandQueue", error);
    if (m->limits->runs_at_once) /* where it gives none, everything goes to the first */
        q->at_once = m->cl->clCreateCommandQueue(
            m->context, m->device, properties | CL_QUEUE_THREAD_LOCAL_EXEC_ENABLE_INTEL, &error);
    return SINTER_OK;
}

static void drop_event(sinter__cl_queue *q)
{
    if (q->last != NULL)
        (void)q->maker->cl->clReleaseEvent(q->last);
    q->last = NULL;
}

int sinter__cl_queue_objects(const sinter__cl_queue *q)
{
    return q->at_once != NULL ? 2 : 1;
}

sinter_status sinter__cl_queue_create(const sinter__cl_queue_maker *m, bool timed,
                                      sinter_priority *priority, sinter__cl_queue **out)
{
    sinter__cl_queue *q = sinter__alloc(m->allocator, sizeof *q);
    *out = NULL;
    if (q == NULL)
        return SINTER_ENOMEM;
    *q = (sinter__cl_queue){.maker = m};
    sinter_status status = make_queue(m, timed, priority, q);
    if (status != SINTER_OK) {
        sinter__cl_queue_forget(q);
        return status;
    }
    if (m->widens_alone)
        sinter__widening_join(q);
    sinter__cl_queue_done(q);
    *out = q;
    return SINTER_OK;
}

/* Where clFinish does not wait for what a mark has flushed, it waits for this, which comes behind. */
static cl_int mark_end(const sinter__cl_queue *q)
{
    const sinter__cl_queue_maker *m = q->maker;
    return m->no_flush ? m->cl->clEnqueueMarkerWithWaitList(q->queue, 0, NULL, NULL) : CL_SUCCESS;
}

void sinter__cl_queue_release(sinter__cl_queue *q)
{
    const sinter__cl_queue_maker *m = q->maker;
    drop_event(q);
    /* an unmap may be on its way, or what a wait that failed has left; what fails now has no reader */
    (void)mark_end(q);
    (void)m->cl->clFinish(q->queue);
    if (m->widens_alone)
        sinter__widening_leave(q);
    (void)m->cl->clReleaseCommandQueue(q->queue);
    if (q->at_once != NULL)
        (void)m->cl->clReleaseCommandQueue(q->at_once);
    sinter__cl_queue_forget(q);
}

sinter_status sinter__cl_queue_adopt(const sinter__cl_queue_maker *m, cl_command_queue theirs,
                                     sinter__cl_queue **out)
{
    *out = sinter__alloc(m->allocator, sizeof **out);
    if (*out == NULL)
        return SINTER_ENOMEM;
    **out = (sinter__cl_queue){.maker = m, .queue = theirs, .is_shared = true};
    if (m->widens_alone)
        sinter__widening_share();
    return SINTER_OK;
}

void sinter__cl_queue_forget(sinter__cl_queue *q)
{
    if (q->maker->widens_alone && q->is_shared)
        sinter__widening_unshare();
    sinter__free(q->maker->allocator, q, sizeof *q);
}

cl_command_queue sinter__cl_queue_later(sinter__cl_queue *q)
{
    drop_event(q);
    q->is_idle = false;
    q->work = HUGE_VAL;
    return q->queue;
}

cl_command_queue sinter__cl_queue_at_once(sinter__cl_queue *q)
{
    return q->is_idle ? q->at_once : sinter__cl_queue_later(q);
}

/* Whether what is to be waited for is no more than a short launch by itself. */
static bool is_short(const sinter__cl_queue *q)
{
    return q->work <= q->maker->limits->tuning.poll_work;
}

cl_command_queue sinter__cl_queue_launch(sinter__cl_queue *q, double work, cl_event **event)
{
    const sinter__limits *l = q->maker->limits;
    const bool is_first = work > 0 && q->work == 0;
    *event = NULL;
    if (q->is_idle && sinter__is_at_once(l, work))
        return q->at_once;
    cl_command_queue to = sinter__cl_queue_later(q);
    if (is_first)
        q->work = work;
    if (!q->is_shared && (l->tuning.event_wait != 0 || (is_short(q) && q->rests == 0)))
        *event = &q->last;
    return to;
}

cl_command_queue sinter__cl_queue_copy(sinter__cl_queue *q, uint64_t bytes)
{
    return bytes <= COPY_AT_ONCE_BYTES ? sinter__cl_queue_at_once(q) : sinter__cl_queue_later(q);
}

cl_command_queue sinter__cl_queue_lend(sinter__cl_queue *q)
{
    if (q->maker->widens_alone && !q->is_shared)
        sinter__widening_share();
    q->is_shared = true;
    return sinter__cl_queue_later(q);
}

/* Until the event is complete, or it has taken long. Its failure is for the wait that follows. Whether it is. */
static bool poll(const sinter__cl *cl, cl_event event)
{
    const uint64_t end_ns = sinter__now_ns() + POLL_NS;
    cl_int reached = CL_QUEUED;
    cl_int error = CL_SUCCESS;
    while (error == CL_SUCCESS && reached > CL_COMPLETE && sinter__now_ns() < end_ns)
        error = cl->clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof reached,
                                   &reached, NULL);
    return error != CL_SUCCESS || reached <= CL_COMPLETE;
}

/* Asks for a short launch, unless that has been in vain of late. */
static void ask(sinter__cl_queue *q)
{
    const sinter__cl *cl = q->maker->cl;
    if (q->rests > 0) {
        q->rests--;
        return;
    }
    if (q->last == NULL || cl->clFlush(q->queue) != CL_SUCCESS)
        return;
    if (!poll(cl, q->last))
        q->in_vain = SINTER__MIN(q->in_vain + VAIN, MOST_IN_VAIN);
    else if (q->in_vain > 0)
        q->in_vain--;
    q->rests = q->in_vain == MOST_IN_VAIN ? REST : 0;
}

sinter_status sinter__cl_queue_wait(sinter__cl_queue *q)
{
    const sinter__cl *cl = q->maker->cl;
    const bool by_event = q->last != NULL;
    cl_int error = mark_end(q);
    if (error != CL_SUCCESS)
        return sinter__cl_fail("clEnqueueMarkerWithWaitList", error);
    if (is_short(q))
        ask(q);
    error = by_event ? cl->clWaitForEvents(1, &q->last) : cl->clFinish(q->queue);
    drop_event(q);
    if (error != CL_SUCCESS)
        return sinter__cl_fail(by_event ? "clWaitForEvents" : "clFinish", error);
    sinter__cl_queue_done(q);
    return SINTER_OK;
}

void sinter__cl_queue_done(sinter__cl_queue *q)
{
    q->work = 0;
    q->is_idle = q->at_once != NULL && !q->is_shared;
}
