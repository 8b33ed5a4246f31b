#include "instance.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MOST_COLUMNS 16

typedef enum column {
    ID,
    LOWER,
    UPPER,
    LAST,
    SIZE,
    ALIGNMENT,
    OFFSET,
    GAPS,
    HINT,
    VIEW_OF,
    VIEW_OFFSET,
    IN_PLACE_OF,
    COLUMNS
} column;

static const struct {
    const char *name;
    column column;
} names[] = {{"id", ID},
             {"lower", LOWER},
             {"upper", UPPER},
             {"start", LOWER},
             {"end", LAST},
             {"size", SIZE},
             {"offset", OFFSET},
             {"gaps", GAPS},
             {"hint", HINT},
             {"alignment", ALIGNMENT},
             {"view_of", VIEW_OF},
             {"view_offset", VIEW_OFFSET},
             {"in_place_of", IN_PLACE_OF}};

typedef struct reader {
    const char *path;
    long line;
    column columns[MOST_COLUMNS];
    size_t column_count;
    bool has_aliases;
    const char **others; /* by request: the id that it is an alias of; NULL: of none */
    tool_instance *out;
} reader;

static bool wrong(const reader *r, const char *what, const char *field)
{
    (void)tool_failed("%s:%ld: %s%s%.80s%s", r->path, r->line, what, field != NULL ? " '" : "",
                      field != NULL ? field : "", field != NULL ? "'" : "");
    return false;
}

/* The fields of a line, cut where the commas are. */
static bool cut(const reader *r, char *line, char **fields, size_t *count)
{
    *count = 0;
    for (char *at = line; at != NULL;) {
        char *comma = strchr(at, ',');
        if (comma != NULL)
            *comma++ = '\0';
        if (*count == MOST_COLUMNS)
            return wrong(r, "too many fields", NULL);
        while (*at == ' ' || *at == '\t')
            at++;
        for (size_t n = strlen(at); n > 0 && (at[n - 1] == ' ' || at[n - 1] == '\t'); n--)
            at[n - 1] = '\0';
        fields[(*count)++] = at;
        at = comma;
    }
    return true;
}

static bool read_head(reader *r, char *line)
{
    char *fields[MOST_COLUMNS] = {0};
    unsigned has = 0;
    if (!cut(r, line, fields, &r->column_count))
        return false;
    for (size_t i = 0; i < r->column_count; i++) {
        size_t k = 0;
        while (k < sizeof names / sizeof names[0] && strcmp(fields[i], names[k].name) != 0)
            k++;
        if (k == sizeof names / sizeof names[0])
            return wrong(r, "no column is called", fields[i]);
        r->columns[i] = names[k].column;
        if ((has >> names[k].column & 1) != 0)
            return wrong(r, "there are two columns", fields[i]);
        has |= 1u << names[k].column;
    }
    r->has_aliases = (has & (1u << VIEW_OF | 1u << IN_PLACE_OF)) != 0;
    if ((has & (1u << VIEW_OF | 1u << VIEW_OFFSET)) == 1u << VIEW_OFFSET)
        return wrong(r, "a column view_offset without a column view_of", NULL);
    bool has_end = (has >> UPPER & 1) != (has >> LAST & 1);
    if ((has & (1u << ID | 1u << LOWER | 1u << SIZE)) != (1u << ID | 1u << LOWER | 1u << SIZE) ||
        !has_end)
        return wrong(r, "the columns id, lower, upper and size are wanted", NULL);
    return true;
}

/* A whole number that is not negative. */
static bool read_number(const reader *r, const char *field, int64_t *out)
{
    char *end;
    if (field[0] == '-')
        return wrong(r, "a negative number:", field);
    errno = 0;
    long long value = field[0] >= '0' && field[0] <= '9' ? strtoll(field, &end, 10) : -1;
    if (value < 0 || *end != '\0')
        return wrong(r, "no whole number:", field);
    if (errno != 0)
        return wrong(r, "a number that is too large:", field);
    *out = value;
    return true;
}

/* What the request is an alias of; which one that is, is known when all are read. */
static bool read_alias(reader *r, column c, const char *field)
{
    sinter_plan_alias *a = &r->out->aliases[r->out->count];
    int64_t value;
    if (field[0] == '\0')
        return true;
    if (c == VIEW_OFFSET) {
        if (!read_number(r, field, &value))
            return false;
        a->offset_bytes = (uint64_t)value;
        return true;
    }
    if (r->others[r->out->count] != NULL)
        return wrong(r, "a view of one and in place of another", field);
    r->others[r->out->count] = field;
    a->kind = c == VIEW_OF ? SINTER_PLAN_VIEW : SINTER_PLAN_IN_PLACE;
    return true;
}

static bool read_field(reader *r, column c, const char *field, sinter_plan_request *q)
{
    int64_t value = 0;
    bool is_empty = field[0] == '\0';
    if (c == ID) {
        r->out->ids[r->out->count] = field;
        return !is_empty || wrong(r, "an id is missing", NULL);
    }
    if (c == GAPS || c == HINT) {
        r->out->gap_count += c == GAPS && !is_empty;
        return true;
    }
    if (c == VIEW_OF || c == VIEW_OFFSET || c == IN_PLACE_OF)
        return read_alias(r, c, field);
    if (is_empty && (c == ALIGNMENT || c == OFFSET))
        return true;
    if (!read_number(r, field, &value))
        return false;
    if (c == LOWER) {
        q->start = value;
    } else if (c == UPPER) {
        q->end = value;
    } else if (c == LAST) {
        if (value == INT64_MAX)
            return wrong(r, "a number that is too large:", field);
        q->end = value + 1;
    } else if (c == SIZE) {
        q->bytes = (uint64_t)value;
    } else if (c == ALIGNMENT) {
        q->alignment_bytes = (uint64_t)value;
        return (value & (value - 1)) == 0 ||
               wrong(r, "an alignment that is no power of two:", field);
    } else {
        q->offset_bytes = (uint64_t)value;
        q->is_fixed = 1;
    }
    return true;
}

/* Room for a request of every line. */
static bool make_room(reader *r)
{
    tool_instance *out = r->out;
    size_t lines = 1;
    for (const char *at = strchr(out->text, '\n'); at != NULL; at = strchr(at + 1, '\n'))
        lines++;
    out->requests = calloc(lines, sizeof *out->requests);
    out->ids = calloc(lines, sizeof *out->ids);
    out->lines = calloc(lines, sizeof *out->lines);
    out->aliases = calloc(lines, sizeof *out->aliases);
    r->others = calloc(lines, sizeof *r->others);
    return (out->requests != NULL && out->ids != NULL && out->lines != NULL &&
            out->aliases != NULL && r->others != NULL) ||
           wrong(r, "no memory for its lines", NULL);
}

static bool read_line(reader *r, char *line)
{
    char *fields[MOST_COLUMNS] = {0};
    size_t count;
    if (!cut(r, line, fields, &count))
        return false;
    if (count != r->column_count)
        return wrong(r, "another number of fields than in the first line", NULL);
    sinter_plan_request q = {0};
    for (size_t i = 0; i < count; i++) {
        if (!read_field(r, r->columns[i], fields[i], &q))
            return false;
    }
    const sinter_plan_alias *a = &r->out->aliases[r->out->count];
    if (a->offset_bytes != 0 && a->kind != SINTER_PLAN_VIEW)
        return wrong(r, "a view_offset without a view_of", NULL);
    if (q.end < q.start)
        return wrong(r, "a lifetime that ends before it starts", NULL);
    r->out->requests[r->out->count] = q;
    r->out->lines[r->out->count++] = r->line;
    return true;
}

typedef struct named {
    const char *id;
    long line;
    uint32_t request;
} named;

static int compare_named(const void *a, const void *b)
{
    const named *x = a;
    const named *y = b;
    int order = strcmp(x->id, y->id);
    return order != 0 ? order : (x->line > y->line) - (x->line < y->line);
}

/* The requests by their ids; NULL after a message. */
static named *sort_ids(const reader *r)
{
    const tool_instance *in = r->out;
    named *list = calloc(in->count + 1, sizeof *list);
    if (list == NULL) {
        (void)wrong(r, "no memory to compare the ids", NULL);
        return NULL;
    }
    for (size_t i = 0; i < in->count; i++)
        list[i] = (named){in->ids[i], in->lines[i], (uint32_t)i};
    qsort(list, in->count, sizeof *list, compare_named);
    return list;
}

/* No id comes twice. */
static bool check_ids(reader *r, const named *list)
{
    const named *twice = NULL;
    for (size_t i = 1; i < r->out->count; i++) {
        if (strcmp(list[i].id, list[i - 1].id) == 0 &&
            (twice == NULL || list[i].line < twice->line))
            twice = &list[i];
    }
    if (twice == NULL)
        return true;
    r->line = twice->line;
    return wrong(r, "without --repeat-ids, an id that an earlier line has:", twice->id);
}

/* Which request each alias is of: the last above it that has the id, when several do. */
static bool find_others(reader *r, const named *list)
{
    const tool_instance *in = r->out;
    for (size_t i = 0; i < in->count; i++) {
        if (r->others[i] == NULL)
            continue;
        size_t low = 0;
        size_t high = in->count;
        const named key = {.id = r->others[i], .line = in->lines[i]};
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            if (compare_named(&list[middle], &key) < 0)
                low = middle + 1;
            else
                high = middle;
        }
        r->line = in->lines[i];
        if (low == 0 || strcmp(list[low - 1].id, key.id) != 0)
            return wrong(r, "no line above has the id", key.id);
        in->aliases[i].of = list[low - 1].request;
    }
    return true;
}

/* What can be said of the ids when all are known. */
static bool use_ids(reader *r, bool repeats)
{
    named *list = NULL;
    bool fine = repeats && !r->has_aliases;
    if (!fine && (list = sort_ids(r)) != NULL)
        fine = (repeats || check_ids(r, list)) && (!r->has_aliases || find_others(r, list));
    free(list);
    return fine;
}

size_t tool_byte_order_mark(const char *text)
{
    return strncmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

static bool read_lines(reader *r, size_t bytes)
{
    char *at = r->out->text + tool_byte_order_mark(r->out->text);
    char *end = r->out->text + bytes;
    r->line = 1;
    for (const char *c = at; c < end; c++) {
        if (*c == '\0')
            return wrong(r, "not a text", NULL);
        r->line += *c == '\n';
    }
    if (!make_room(r))
        return false;
    r->line = at < end ? 0 : 1; /* of an empty file too */
    while (at < end) {
        char *stop = strchr(at, '\n');
        char *next = stop != NULL ? stop + 1 : end;
        if (stop != NULL)
            *stop = '\0';
        size_t length = strlen(at);
        if (length > 0 && at[length - 1] == '\r')
            at[length - 1] = '\0';
        r->line++;
        if (*at != '\0' && !(r->column_count == 0 ? read_head(r, at) : read_line(r, at)))
            return false;
        at = next;
    }
    if (r->column_count == 0)
        return wrong(r, "no line with the names of the columns", NULL);
    return true;
}

bool tool_instance_read(const char *path, bool repeats, tool_instance *out)
{
    size_t bytes;
    *out = (tool_instance){0};
    reader r = {.path = path, .out = out};
    out->text = tool_read_text(path, TOOL_MOST_TEXT_BYTES, &bytes);
    bool fine = out->text != NULL && read_lines(&r, bytes) && use_ids(&r, repeats);
    free(r.others);
    if (!fine) {
        tool_instance_free(out);
    } else if (!r.has_aliases) {
        free(out->aliases);
        out->aliases = NULL;
    }
    return fine;
}

void tool_instance_free(tool_instance *instance)
{
    free(instance->requests);
    free(instance->ids);
    free(instance->lines);
    free(instance->aliases);
    free(instance->text);
    *instance = (tool_instance){0};
}

sinter_plan_request *tool_instance_requests(const char *path, size_t *count)
{
    tool_instance in;
    *count = 0;
    if (!tool_instance_read(path, true, &in))
        return NULL;
    sinter_plan_request *requests = in.requests;
    *count = in.count;
    in.requests = NULL;
    tool_instance_free(&in);
    return requests;
}
