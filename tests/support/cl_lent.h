/* Host memory that writes which do not wait still read: until the queue has been waited for, nobody may change
 * it. A driver mostly copies it soon, so a test on one alone would not see that. */
#ifndef SINTER_TESTS_CL_LENT_H
#define SINTER_TESTS_CL_LENT_H

#include <stddef.h>

/* What the queue reads from now on. */
void cl_lent_note(const void *queue, const void *data, size_t bytes);

/* The queue is being waited for. Returns how many of those have changed in the meantime; none is known
 * afterwards. */
size_t cl_lent_settle(const void *queue);

/* The queue is known to be done, or ends. */
void cl_lent_forget(const void *queue);

#endif /* SINTER_TESTS_CL_LENT_H */
