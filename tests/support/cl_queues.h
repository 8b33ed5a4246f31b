/* Command queues that are alive: the context of each, and the two of a stream that are one order. A
 * command for a queue that runs it at once, in the thread that gives it, is a mistake while the
 * queue made before it by the same thread has commands that nobody has waited for; and so is the
 * release of a queue that was given commands, refused ones included, and that nobody has waited for
 * since. */
#ifndef SINTER_TESTS_CL_QUEUES_H
#define SINTER_TESTS_CL_QUEUES_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdbool.h>
#include <stdint.h>

void cl_queues_note(cl_command_queue queue, cl_context context, bool is_at_once);

/* It is released; whether it must not be yet. Its commands would run on while the process ends.
 * *is_busy: they do, since a wait has failed. */
bool cl_queues_forget(cl_command_queue queue, bool *is_busy);

/* NULL: nobody knows the queue. */
cl_context cl_queues_context(cl_command_queue queue);
bool cl_queues_is_at_once(cl_command_queue queue);

/* The queue is given a command; whether it must not be. */
bool cl_queues_give(cl_command_queue queue);

/* The event of the command that it was given just now; NULL: it has none. */
void cl_queues_mark(cl_command_queue queue, cl_event event);

/* The queue whose last command has the event; NULL: there is none. */
cl_command_queue cl_queues_ended_by(cl_event event);

/* Commands so far that queues ran at once. */
uint64_t cl_queues_at_once(void);

/* The queue is waited for. */
void cl_queues_settle(cl_command_queue queue);

/* Somebody waits for it, whether that succeeds or not. */
void cl_queues_try(cl_command_queue queue);

#endif /* SINTER_TESTS_CL_QUEUES_H */
