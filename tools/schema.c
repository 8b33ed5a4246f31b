#include "schema.h"

#include <stdlib.h>
#include <string.h>

/* NAME=NUMBER; `text` is cut there. */
static bool read_symbol(char *text, sinter_symbol_value *out)
{
    long value;
    char *equals = strchr(text, '=');
    if (equals == NULL || equals == text || !tool_number(equals + 1, 0, INT64_MAX, &value))
        return false;
    *equals = '\0';
    *out = (sinter_symbol_value){text, value};
    return true;
}

bool tool_binding_read(const char *option, const char *text, tool_binding *out)
{
    size_t most = 1;
    for (const char *at = strchr(text, ','); at != NULL; at = strchr(at + 1, ','))
        most++;
    tool_binding_free(out); /* the last one holds */
    out->names = malloc(strlen(text) + 1);
    out->list = calloc(most + 1, sizeof *out->list); /* and one for check_symbols */
    if (out->names == NULL || out->list == NULL)
        return tool_failed("no memory for %s", option) == TOOL_OK;
    memcpy(out->names, text, strlen(text) + 1);
    for (char *at = out->names; at != NULL;) {
        char *comma = strchr(at, ',');
        if (comma != NULL)
            *comma++ = '\0';
        if (!read_symbol(at, &out->list[out->count++]))
            return tool_usage("plan", "%s is like S=16,P=0, not '%s'", option, text) == TOOL_OK;
        at = comma;
    }
    return true;
}

void tool_binding_free(tool_binding *binding)
{
    free(binding->list);
    free(binding->names);
    *binding = (tool_binding){0};
}

/* A message that begins with its place in the text: the line is said once, behind the file. */
static int refused_at(const char *path, sinter_program_place place)
{
    char line[32];
    const char *message = sinter_last_error();
    int bytes = snprintf(line, sizeof line, "line %u, ", place.line);
    if (bytes > 0 && strncmp(message, line, (size_t)bytes) == 0)
        message += bytes;
    (void)tool_failed("%s:%u: %s", path, place.line, message);
    return TOOL_USAGE;
}

/* Whether the file has each symbol of a binding that its sizes can be evaluated for: one that it has may
 * not be bound twice. */
static int check_symbols(const char *path, const char *option, const tool_binding *binding,
                         const sinter_schema *schema)
{
    int status = TOOL_OK;
    size_t count = sinter_schema_count(schema);
    sinter_plan_request *requests = calloc(count + 1, sizeof *requests);
    if (requests == NULL)
        return tool_failed("no memory for %zu requests", count);
    for (size_t i = 0; i < binding->count && status == TOOL_OK; i++) {
        binding->list[binding->count] = binding->list[i];
        if (sinter_schema_evaluate(schema, binding->list, binding->count + 1, requests) ==
            SINTER_OK) {
            (void)tool_failed("%s: it has no symbol %s, which %s gives a value", path,
                              binding->list[i].name, option);
            status = TOOL_USAGE;
        }
    }
    free(requests);
    return status;
}

static int bind(const char *path, const tool_binding *binding, tool_schema *out, tool_instance *in)
{
    size_t count = sinter_schema_count(out->schema);
    in->requests = calloc(count + 1, sizeof *in->requests);
    in->ids = calloc(count + 1, sizeof *in->ids);
    in->lines = calloc(count + 1, sizeof *in->lines);
    out->offsets = calloc(count + 1, sizeof *out->offsets);
    out->result.size = sizeof out->result;
    if (in->requests == NULL || in->ids == NULL || in->lines == NULL || out->offsets == NULL)
        return tool_failed("no memory for %zu requests", count);
    if (sinter_schema_evaluate(out->schema, binding->list, binding->count, in->requests) !=
            SINTER_OK ||
        sinter_schema_resolve(out->schema, binding->list, binding->count, out->offsets, NULL,
                              &out->result) != SINTER_OK) {
        (void)tool_library_failed(path);
        return TOOL_USAGE;
    }
    for (; in->count < count; in->count++) {
        sinter_schema_request r = {0};
        (void)sinter_schema_get(out->schema, in->count, &r);
        in->ids[in->count] = r.id;
        in->lines[in->count] = (long)r.line;
    }
    return TOOL_OK;
}

int tool_schema_read(const char *path, const tool_binding *binding, const tool_binding *hint,
                     uint64_t alignment_bytes, tool_schema *out, tool_instance *in)
{
    size_t bytes;
    sinter_program_place place;
    *out = (tool_schema){0};
    *in = (tool_instance){0};
    hint = hint->count > 0 ? hint : binding;
    const sinter_schema_options o = {.size = sizeof o,
                                     .hint_count = (uint32_t)hint->count,
                                     .alignment_bytes = alignment_bytes,
                                     .hint = hint->list};
    char *text = tool_read_text(path, TOOL_MOST_TEXT_BYTES, &bytes);
    if (text == NULL)
        return TOOL_USAGE;
    size_t mark = tool_byte_order_mark(text);
    sinter_status status = sinter_schema_parse(text + mark, bytes - mark, &o, &out->schema, &place);
    free(text);
    if (status != SINTER_OK)
        return refused_at(path, place);
    int exit_status = check_symbols(path, hint == binding ? "--bind" : "--hint", hint, out->schema);
    if (exit_status == TOOL_OK && binding->count > 0)
        exit_status = bind(path, binding, out, in);
    if (exit_status == TOOL_OK && hint != binding)
        exit_status = check_symbols(path, "--bind", binding, out->schema);
    return exit_status;
}

void tool_schema_free(tool_schema *schema)
{
    sinter_schema_destroy(schema->schema);
    free(schema->offsets);
    *schema = (tool_schema){0};
}

void tool_schema_place(const tool_schema *schema, tool_instance *in, sinter_plan_result *result)
{
    const sinter_schema_result *r = &schema->result;
    for (size_t i = 0; i < in->count; i++)
        in->requests[i].offset_bytes = schema->offsets[i];
    result->strategy = SINTER_PLAN_PARTITION;
    result->order = "hint";
    result->total_bytes = r->total_bytes;
    result->is_optimal = r->total_bytes == result->bound_bytes;
    result->slab_count = r->total_bytes > 0;
}

void tool_schema_print_result(const tool_schema *schema)
{
    const sinter_schema_result *r = &schema->result;
    printf("%u partitions take %llu bytes; at most %llu are alive, at step %lld: usage %.3f\n",
           r->partition_count, (unsigned long long)r->total_bytes,
           (unsigned long long)r->peak_bytes, (long long)r->peak_step, r->usage);
}

static void put(void *user, const char *text, size_t bytes)
{
    (void)user;
    (void)fwrite(text, 1, bytes, stdout);
}

int tool_schema_print(const tool_schema *schema)
{
    if (sinter_schema_table(schema->schema, put, NULL) != SINTER_OK)
        return tool_library_failed("plan");
    return TOOL_OK;
}
