/* A file of requests for memory: comma-separated, a line for each, as MiniMalloc's benchmark has them. */
#ifndef SINTER_TOOLS_INSTANCE_H
#define SINTER_TOOLS_INSTANCE_H

#include "common.h"

typedef struct tool_instance {
    sinter_plan_request *requests;
    const char **ids;
    sinter_plan_alias *aliases; /* NULL: no column says of any */
    long *lines;                /* of the file, from 1 */
    size_t count;
    size_t gap_count; /* requests with gaps, which are planned as alive all the time */
    char *text;       /* holds the ids */
} tool_instance;

/* Reads a file; false after a message with the line's number on stderr. `repeats`: requests may have
 * the same id. */
bool tool_instance_read(const char *path, bool repeats, tool_instance *out);
/* Bytes of the mark that a text in UTF-8 may begin with, which is not a part of it: 3 or 0. */
size_t tool_byte_order_mark(const char *text);
void tool_instance_free(tool_instance *instance);

/* The requests of a file, to be freed: for the benchmark. Ids may repeat. NULL after a message. */
sinter_plan_request *tool_instance_requests(const char *path, size_t *count);

/* Draws a plan: steps across, offsets down, and above it the bytes alive at each step. */
bool tool_instance_draw(const char *path, const tool_instance *instance,
                        const sinter_plan_result *plan);

#endif /* SINTER_TOOLS_INSTANCE_H */
