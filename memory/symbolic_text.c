/* Schemas as text: lines of requests, read and written, and the table by step. */
#include "memory/symbolic.h"

#include "core/place.h"

#include <stdio.h>
#include <string.h>

#define MOST_BYTES ((size_t)1 << 28)

static const char head[] = "id,lower,upper,size";

/* Reading */

typedef struct reader {
    sinter_schema *schema;
    const char *text;
    size_t bytes;
    size_t at;  /* where the reader is, or the fault */
    size_t end; /* of the line, without what ends it */
    uint32_t line;
} reader;

/* The next line that is not empty; false at the end. */
static bool next_line(reader *r)
{
    while (r->at < r->bytes) {
        const char *stop = memchr(r->text + r->at, '\n', r->bytes - r->at);
        size_t next = stop != NULL ? (size_t)(stop - r->text) : r->bytes;
        r->line++;
        r->end = next;
        if (r->end > r->at && r->text[r->end - 1] == '\r')
            r->end--;
        if (r->end > r->at)
            return true;
        r->at = next + 1;
    }
    return false;
}

/* Leaves a line that has been read. */
static void end_line(reader *r)
{
    r->at = r->end;
    while (r->at < r->bytes && r->text[r->at] != '\n')
        r->at++;
    r->at += r->at < r->bytes;
}

/* The field up to the next comma, without spaces around it; `begin` is where. */
static sinter_status next_field(reader *r, size_t *begin, size_t *bytes)
{
    const char *comma = memchr(r->text + r->at, ',', r->end - r->at);
    size_t end = comma != NULL ? (size_t)(comma - r->text) : r->end;
    *begin = r->at;
    *bytes = 0;
    if (comma == NULL) {
        r->at = r->end;
        return sinter__fail(SINTER_ESYNTAX, "a line has %s; a comma is missing", head);
    }
    while (*begin < end && r->text[*begin] == ' ')
        ++*begin;
    r->at = end + 1;
    while (end > *begin && r->text[end - 1] == ' ')
        end--;
    *bytes = end - *begin;
    return SINTER_OK;
}

/* A step: a whole number. */
static sinter_status read_step(reader *r, int64_t *out)
{
    size_t begin = 0;
    size_t bytes = 0;
    *out = 0;
    SINTER_TRY(next_field(r, &begin, &bytes));
    size_t after = r->at;
    r->at = begin;
    if (bytes > 0 && r->text[begin] == '-')
        return sinter__fail(SINTER_EINVAL, "a lifetime that is negative: %.*s",
                            (int)SINTER__MIN(bytes, (size_t)40), r->text + begin);
    for (size_t i = begin; i < begin + bytes; i++) {
        char c = r->text[i];
        if (c < '0' || c > '9')
            return sinter__fail(SINTER_ESYNTAX, "no whole number: '%.*s'",
                                (int)SINTER__MIN(bytes, (size_t)40), r->text + begin);
        if (!sinter__mul_i64(*out, 10, out) || __builtin_add_overflow(*out, c - '0', out))
            return sinter__fail(SINTER_ERANGE, "a number that does not fit 64 bits");
    }
    if (bytes == 0)
        return sinter__fail(SINTER_ESYNTAX, "a number is missing");
    r->at = after;
    return SINTER_OK;
}

static sinter_status read_request(reader *r)
{
    sinter__schema_request q = {.line = r->line};
    size_t begin = 0;
    size_t id_bytes = 0;
    size_t offset = 0;
    SINTER_TRY(next_field(r, &begin, &id_bytes));
    size_t after = r->at;
    r->at = begin;
    SINTER_TRY(sinter__schema_check_id(r->text + begin, id_bytes));
    r->at = after;
    q.id = r->text + begin;
    SINTER_TRY(read_step(r, &q.start));
    after = r->at;
    SINTER_TRY(read_step(r, &q.end));
    if (q.end < q.start) {
        r->at = after;
        return sinter__fail(SINTER_EINVAL, "a lifetime from %lld to %lld ends before it starts",
                            (long long)q.start, (long long)q.end);
    }
    sinter_status status =
        sinter__size_parse(&r->schema->sizes, r->text + r->at, r->end - r->at, &q.size, &offset);
    q.offset = r->at;
    r->at += status == SINTER_OK ? 0 : offset;
    return status == SINTER_OK ? sinter__schema_add(r->schema, &q, id_bytes) : status;
}

static sinter_status check_ids(reader *r)
{
    sinter_schema *s = r->schema;
    size_t twice = 0;
    const char **ids = sinter__arena_array(&s->sizes.arena, s->count, sizeof *ids);
    if (ids == NULL)
        return SINTER_ENOMEM;
    for (size_t i = 0; i < s->count; i++)
        ids[i] = s->requests[i].id;
    SINTER_TRY(sinter__schema_find_twice(&s->sizes, ids, s->count, &twice));
    if (twice == s->count)
        return SINTER_OK;
    r->at = s->requests[twice].offset;
    while (r->at > 0 && r->text[r->at - 1] != '\n')
        r->at--;
    return sinter__fail(SINTER_EINVAL, "an id that an earlier line has: '%.100s'", ids[twice]);
}

static sinter_status read_all(reader *r, const sinter_schema_options *options)
{
    size_t wrong = 0;
    if (!next_line(r) || r->end - r->at != sizeof head - 1 ||
        memcmp(r->text + r->at, head, sizeof head - 1) != 0)
        return sinter__fail(SINTER_ESYNTAX, "the first line is not %s", head);
    for (end_line(r); next_line(r); end_line(r))
        SINTER_TRY(read_request(r));
    SINTER_TRY(check_ids(r));
    sinter_status status = sinter__schema_close(r->schema, options, &wrong);
    if (status != SINTER_OK)
        r->at = wrong < r->schema->count ? r->schema->requests[wrong].offset : 0;
    return status;
}

sinter_status sinter_schema_parse(const char *text, size_t bytes,
                                  const sinter_schema_options *options, sinter_schema **out,
                                  sinter_program_place *place)
{
    const sinter_schema_options defaults = SINTER_SCHEMA_OPTIONS_INIT;
    reader r = {.text = text, .bytes = bytes};
    sinter__clear_error();
    if (out != NULL)
        *out = NULL;
    if (place != NULL)
        *place = (sinter_program_place){1, 1};
    if (out == NULL || (text == NULL && bytes > 0) || bytes > MOST_BYTES)
        return sinter__fail(SINTER_EINVAL, "schema: NULL, or a text of %zu bytes, more than %zu",
                            bytes, MOST_BYTES);
    options = options != NULL ? options : &defaults;
    SINTER_TRY(sinter__schema_open(options, &r.schema));
    sinter_status status = read_all(&r, options);
    if (status == SINTER_OK) {
        *out = r.schema;
        return SINTER_OK;
    }
    sinter_schema_destroy(r.schema);
    return sinter__fail_at(status, text, bytes, r.at, place);
}

/* Writing */

/* Hands over what has been gathered. */
static sinter_status send(sinter__buffer *b, sinter_write_fn write, void *user)
{
    SINTER_TRY(sinter__buffer_status(b));
    write(user, sinter__buffer_text(b), b->bytes);
    sinter__buffer_clear(b);
    return SINTER_OK;
}

static sinter_status write_lines(const sinter_schema *s, sinter__buffer *b, sinter_write_fn write,
                                 void *user)
{
    sinter__buffer_printf(b, "%s\n", head);
    for (size_t i = 0; i < s->count; i++) {
        const sinter__schema_request *r = &s->requests[i];
        sinter__buffer_puts(b, r->id);
        sinter__buffer_printf(b, ",%lld,%lld,", (long long)r->start, (long long)r->end);
        sinter__size_print(r->size, b);
        sinter__buffer_puts(b, "\n");
        SINTER_TRY(send(b, write, user));
    }
    return send(b, write, user);
}

/* The table */

#define FREE UINT32_MAX

typedef struct table {
    const sinter_schema *schema;
    sinter__buffer *text;
    uint32_t *lies;  /* by partition: the request that is alive */
    uint32_t *width; /* by partition: of its longest id */
} table;

static void pad(sinter__buffer *b, const char *id, size_t width)
{
    size_t bytes = strlen(id);
    size_t spaces = width > bytes ? width - bytes : 0;
    for (size_t i = 0; i < spaces + 2; i++) { /* in the middle, with a space at each side */
        if (i == spaces / 2 + 1)
            sinter__buffer_puts(b, id);
        sinter__buffer_puts(b, " ");
    }
}

/* The row of the steps from `first` to before `end`. */
static void add_row(const table *t, int64_t first, int64_t end)
{
    char steps[48];
    if (end > first + 1)
        (void)snprintf(steps, sizeof steps, "%lld-%lld", (long long)first, (long long)end - 1);
    else
        (void)snprintf(steps, sizeof steps, "%lld", (long long)first);
    sinter__buffer_printf(t->text, "step: %9s => |", steps);
    for (uint32_t k = 0; k < t->schema->partition_count; k++) {
        pad(t->text, t->lies[k] == FREE ? "*" : t->schema->requests[t->lies[k]].id, t->width[k]);
        sinter__buffer_puts(t->text, "|");
    }
    sinter__buffer_puts(t->text, "\n");
}

static int64_t step_of(const sinter_schema *s, uint32_t event)
{
    const sinter__schema_request *r = &s->requests[event / 2];
    return event % 2 != 0 ? r->end : r->start;
}

static sinter_status write_rows(const table *t, sinter_write_fn write, void *user)
{
    const sinter_schema *s = t->schema;
    int64_t from = 0;
    for (size_t i = 0; i < s->event_count; i++) {
        int64_t step = step_of(s, s->events[i]);
        uint32_t request = s->events[i] / 2;
        if (step > from) {
            add_row(t, from, step);
            SINTER_TRY(send(t->text, write, user));
            from = step;
        }
        t->lies[s->requests[request].partition] = s->events[i] % 2 != 0 ? FREE : request;
    }
    for (uint32_t k = 0; k < s->partition_count; k++) {
        sinter__buffer_printf(t->text, "partition %u: ", k);
        sinter__size_print(s->partitions[k], t->text);
        sinter__buffer_puts(t->text, "\n");
    }
    sinter__buffer_puts(t->text, "memory_size: ");
    sinter__size_print(s->total, t->text);
    sinter__buffer_puts(t->text, "\n");
    return send(t->text, write, user);
}

static sinter_status write_table(const sinter_schema *s, sinter__buffer *b, sinter_write_fn write,
                                 void *user)
{
    size_t count = s->partition_count;
    uint32_t *lies = sinter__alloc_array(b->allocator, 2 * count + 1, sizeof *lies);
    if (lies == NULL)
        return SINTER_ENOMEM;
    const table t = {s, b, lies, lies + count};
    for (size_t k = 0; k < count; k++) {
        t.lies[k] = FREE;
        t.width[k] = 1;
    }
    for (size_t i = 0; i < s->count; i++) {
        uint32_t *width = &t.width[s->requests[i].partition];
        *width = SINTER__MAX(*width, (uint32_t)SINTER__MIN(strlen(s->requests[i].id), 40));
    }
    sinter_status status = write_rows(&t, write, user);
    sinter__free(b->allocator, lies, (2 * count + 1) * sizeof *lies);
    return status;
}

typedef sinter_status (*writer_fn)(const sinter_schema *s, sinter__buffer *b, sinter_write_fn write,
                                   void *user);

static sinter_status write_with(writer_fn writer, const sinter_schema *s, sinter_write_fn write,
                                void *user)
{
    sinter__allocator a;
    sinter__buffer b;
    sinter__clear_error();
    if (s == NULL || write == NULL)
        return sinter__fail(SINTER_EINVAL,
                            "schema: NULL for the schema or for where it is written");
    sinter__schema_allocator(s, &a);
    sinter__buffer_init(&b, &a);
    sinter_status status = writer(s, &b, write, user);
    sinter__buffer_finish(&b);
    return status;
}

sinter_status sinter_schema_write(const sinter_schema *s, sinter_write_fn write, void *user)
{
    return write_with(write_lines, s, write, user);
}

sinter_status sinter_schema_table(const sinter_schema *s, sinter_write_fn write, void *user)
{
    return write_with(write_table, s, write, user);
}
