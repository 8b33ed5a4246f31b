/* The picture of `sinter eval --memory-map`. */
#ifndef SINTER_TOOLS_MEMORY_MAP_H
#define SINTER_TOOLS_MEMORY_MAP_H

#include "common.h"

/* What a tensor is called. */
typedef struct tool_tensor_name {
    uint64_t id;
    const char *name;
} tool_tensor_name;

/* Draws what the stream's report knows of memory; false after a message. */
bool tool_memory_map_draw(const char *path, sinter_stream *stream, const char *title,
                          const tool_tensor_name *names, size_t name_count);

#endif /* SINTER_TOOLS_MEMORY_MAP_H */
