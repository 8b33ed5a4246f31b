/* What clCreateBuffer has given and not got back. */
#ifndef SINTER_TESTS_CL_BUFFERS_H
#define SINTER_TESTS_CL_BUFFERS_H

#include <stddef.h>
#include <stdint.h>

void cl_buffers_note(void *buffer, size_t bytes);
void cl_buffers_forget(const void *buffer);

uint64_t cl_buffers_bytes(void);
/* Most of them at once since the last call of this. */
uint64_t cl_buffers_peak_bytes(void);
/* The one made last, which may be gone. */
void *cl_buffers_last(void);

#endif /* SINTER_TESTS_CL_BUFFERS_H */
