/* A file of requests whose sizes are expressions: `sinter plan` with --bind, --hint or --table. */
#ifndef SINTER_TOOLS_SCHEMA_H
#define SINTER_TOOLS_SCHEMA_H

#include "instance.h"

typedef struct tool_binding {
    sinter_symbol_value *list;
    size_t count;
    char *names; /* holds their names */
} tool_binding;

typedef struct tool_schema {
    sinter_schema *schema;
    sinter_schema_result result; /* by its partitions; for a schema that is bound */
    uint64_t *offsets;           /* of the requests there; NULL: it is not bound */
} tool_schema;

/* What --bind and --hint are given, S=16,P=0; false after a message. */
bool tool_binding_read(const char *option, const char *text, tool_binding *out);
void tool_binding_free(tool_binding *binding);

/* Reads a file. With a binding `in` gets its requests, and `out` where its partitions place them. TOOL_OK,
 * or the exit status after a message. `in` and `out` are to be freed in any case. */
int tool_schema_read(const char *path, const tool_binding *binding, const tool_binding *hint,
                     uint64_t alignment_bytes, tool_schema *out, tool_instance *in);
void tool_schema_free(tool_schema *schema);

/* The requests where the partitions of a bound schema place them, in place of what the planner found, whose
 * lower bound in `result` holds: sizes are rounded up in it, as in the partitions. */
void tool_schema_place(const tool_schema *schema, tool_instance *in, sinter_plan_result *result);

/* A line on stdout of what the partitions take. */
void tool_schema_print_result(const tool_schema *schema);

/* The table by step on stdout; TOOL_OK or TOOL_FAILED. */
int tool_schema_print(const tool_schema *schema);

#endif /* SINTER_TOOLS_SCHEMA_H */
