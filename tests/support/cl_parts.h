/* Sub-buffers that are alive: which bytes of which buffer they are. */
#ifndef SINTER_TESTS_CL_PARTS_H
#define SINTER_TESTS_CL_PARTS_H

#include <stdbool.h>
#include <stddef.h>

/* Whether one of those of `buffer` has some of these bytes, and not the same ones. */
bool cl_parts_overlap(const void *buffer, size_t origin_bytes, size_t bytes);

/* `made` is these bytes of `buffer` from now on; NULL is none. */
void cl_parts_note(const void *made, const void *buffer, size_t origin_bytes, size_t bytes);

/* `gone` is released; it may be no sub-buffer. */
void cl_parts_forget(const void *gone);

#endif /* SINTER_TESTS_CL_PARTS_H */
