/* A schema's text: a fault has a place inside it; what parses is written as what parses to the same text,
 * resolves to a plan that the judge accepts, and has a table. */

#include <sinter/sinter.h>

#include <stdlib.h>
#include <string.h>

static const sinter_symbol_value hint[] = {{"S", 8}, {"P", 3}, {"a", 1}, {"b", 2}};

typedef struct text {
    char *data;
    size_t bytes;
} text;

static void add(void *user, const char *piece, size_t bytes)
{
    text *t = user;
    char *data = realloc(t->data, t->bytes + bytes + 1);
    if (data == NULL)
        abort();
    memcpy(data + t->bytes, piece, bytes);
    t->data = data;
    t->bytes += bytes;
}

static sinter_schema *parse(const char *data, size_t bytes)
{
    const sinter_schema_options options = {
        .size = sizeof options, .hint_count = 4, .alignment_bytes = 16, .hint = hint};
    sinter_program_place place;
    sinter_schema *s;
    sinter_status status = sinter_schema_parse(data, bytes, &options, &s, &place);
    if ((status == SINTER_OK) != (s != NULL) || place.line == 0 || place.column == 0 ||
        place.line > bytes + 1 || place.column > bytes + 1)
        abort();
    return s;
}

static void resolve(const sinter_schema *s)
{
    size_t count = sinter_schema_count(s);
    sinter_schema_result result = {.size = sizeof result};
    sinter_plan_options options = SINTER_PLAN_OPTIONS_INIT;
    sinter_plan_request *requests = calloc(count + 1, sizeof *requests);
    uint64_t *offsets = calloc(count + 1, sizeof *offsets);
    void *scratch = calloc(count + 1, 64);
    if (requests == NULL || offsets == NULL || scratch == NULL)
        abort();
    options.alignment_bytes = 16;
    /* What a schema has taken resolves for the hint, unless the sum is too large. */
    if (sinter_schema_evaluate(s, hint, 4, requests) != SINTER_OK)
        abort();
    sinter_status status = sinter_schema_resolve(s, hint, 4, offsets, NULL, &result);
    for (size_t i = 0; i < count; i++)
        requests[i].offset_bytes = offsets[i];
    if (status == SINTER_OK && sinter_plan_check(requests, count, &options, result.total_bytes,
                                                 scratch, 64 * (count + 1)) != SINTER_OK)
        abort();
    if (status != SINTER_OK && status != SINTER_ERANGE)
        abort();
    free(requests);
    free(offsets);
    free(scratch);
}

/* NOLINTBEGIN(readability-identifier-naming): the name is libFuzzer's */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    text first = {NULL, 0};
    text second = {NULL, 0};
    text table = {NULL, 0};
    sinter_schema *s = parse((const char *)data, bytes);
    if (s == NULL)
        return 0;
    resolve(s);
    if (sinter_schema_write(s, add, &first) != SINTER_OK ||
        sinter_schema_table(s, add, &table) != SINTER_OK)
        abort();
    sinter_schema_destroy(s);
    s = parse(first.data, first.bytes);
    if (s == NULL || sinter_schema_write(s, add, &second) != SINTER_OK ||
        first.bytes != second.bytes || memcmp(first.data, second.data, first.bytes) != 0)
        abort();
    sinter_schema_destroy(s);
    free(first.data);
    free(second.data);
    free(table.data);
    return 0;
}
/* NOLINTEND(readability-identifier-naming) */
