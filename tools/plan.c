/* `sinter plan`: a file of requests to offsets. */
#include "schema.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char help_text[] =
    "usage: sinter plan FILE.csv [OPTION ...]\n"
    "\n"
    "Places requests for memory in one block, so that those that are alive together do not "
    "overlap.\n"
    "The file's first line names its columns: id, lower, upper (alive in [lower, upper)), size, "
    "and\n"
    "where they are wanted alignment, offset (the request stays there), view_of (the id of a line "
    "above\n"
    "whose bytes it lies in) with view_offset, in_place_of (an id whose bytes it takes if it can), "
    "hint\n"
    "and gaps (both passed over). start and end in place of lower and upper: the end is alive as "
    "well.\n"
    "\n"
    "  --strategy S   partition, greedy or exact (the default), which is greedy, and for up to "
    "1,024\n"
    "                 requests a search\n"
    "  --capacity N   bytes that it must fit: nothing smaller is looked for\n"
    "  --minimise     the smallest plan that can be found (the default)\n"
    "  --align A      of all offsets, a power of two (default 1)\n"
    "  --slab M       no request crosses a multiple of M bytes\n"
    "  --nodes N      budget of the search (default: 300000, fewer where they cost much)\n"
    "  --repeat-ids   requests may have the same id\n"
    "  --format F     text (the default), json or csv\n"
    "  --svg FILE     draws the plan\n"
    "  --bind S=16,P=0   sizes are expressions over symbols, which have these values: numbers,\n"
    "                 + - *, brackets, max(a, b), a / 4, align_up(a, 64); the columns are id, "
    "lower,\n"
    "                 upper and size; --strategy partition places by the schema's partitions\n"
    "  --hint S=16,P=0   values by which they are grouped into partitions (default: --bind's)\n"
    "  --table        the schema by step, and its sizes as expressions; without --bind that alone\n"
    "  --help         this text\n"
    "\n"
    "Exit status: 0 it fits, 1 it does not, or something failed, 2 wrong arguments or input.\n";

typedef enum format { TEXT, JSON, CSV } format;

typedef struct options {
    const char *file;
    const char *svg;
    sinter_plan_options plan;
    bool minimise;
    bool has_strategy;
    bool repeat_ids;
    bool help;
    format format;
    tool_binding bind;
    tool_binding hint;
    bool table;
    tool_schema schema; /* where sizes are expressions */
} options;

/* What a slab has to have. */
typedef struct slab {
    uint64_t number, bytes;
} slab;

typedef struct planned {
    sinter_plan_result result;
    slab *slabs; /* that are not empty */
    size_t slab_count;
    double ms;
    bool fits;
} planned;

static const char *const strategies[] = {"partition", "greedy", "exact", "refit"};

static double now_ms(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static bool word_in(const char *word, const char *const *words, int count, int *out)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(word, words[i]) == 0) {
            *out = i;
            return true;
        }
    }
    return false;
}

/* What follows an option that takes a value; status TOOL_OK or TOOL_USAGE. */
static int read_value(options *o, const char *name, const char *value)
{
    static const char *const formats[] = {"text", "json", "csv"};
    const struct {
        const char *name;
        uint64_t *to;
    } numbers[] = {{"--capacity", &o->plan.capacity_bytes},
                   {"--align", &o->plan.alignment_bytes},
                   {"--slab", &o->plan.slab_bytes},
                   {"--nodes", &o->plan.node_budget}};
    int word = 0;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        long number;
        if (strcmp(name, numbers[i].name) != 0)
            continue;
        if (!tool_number(value, 1, INT64_MAX, &number))
            return tool_usage("plan", "%s wants a whole number from 1, not '%s'", name, value);
        *numbers[i].to = (uint64_t)number;
        if (numbers[i].to == &o->plan.alignment_bytes && (number & (number - 1)) != 0)
            return tool_usage("plan", "--align wants a power of two, not '%s'", value);
        return TOOL_OK;
    }
    if (strcmp(name, "--bind") == 0 || strcmp(name, "--hint") == 0) {
        if (!tool_binding_read(name, value, name[2] == 'b' ? &o->bind : &o->hint))
            return TOOL_USAGE;
    } else if (strcmp(name, "--svg") == 0) {
        o->svg = value;
    } else if (strcmp(name, "--strategy") == 0) {
        if (!word_in(value, strategies, 3, &word))
            return tool_usage("plan", "--strategy is partition, greedy or exact, not '%s'", value);
        o->plan.strategy = (sinter_plan_strategy)word;
        o->has_strategy = true;
    } else if (strcmp(name, "--format") == 0) {
        if (!word_in(value, formats, 3, &word))
            return tool_usage("plan", "--format is text, json or csv, not '%s'", value);
        o->format = (format)word;
    } else {
        return tool_usage("plan", "unknown option '%s'", name);
    }
    return TOOL_OK;
}

static bool is_schema(const options *o)
{
    return o->bind.count > 0 || o->hint.count > 0 || o->table;
}

/* Whether the schema's partitions are the plan. */
static bool is_placed(const options *o)
{
    return o->bind.count > 0 && o->plan.strategy == SINTER_PLAN_PARTITION;
}

static int check_schema_options(const options *o)
{
    if (o->table && o->format != TEXT)
        return tool_usage("plan", "--table goes with --format text");
    if (o->table && o->bind.count == 0 &&
        (o->plan.capacity_bytes != 0 || o->plan.slab_bytes != 0 || o->plan.node_budget != 0 ||
         o->svg != NULL || o->minimise || o->has_strategy))
        return tool_usage("plan", "--table without --bind places nothing: of the options it takes "
                                  "--hint and --align");
    if (is_schema(o) && o->repeat_ids)
        return tool_usage("plan", "--repeat-ids does not go with expressions");
    if (o->hint.count > 0 && o->bind.count == 0 && !o->table)
        return tool_usage("plan", "--hint goes with --bind or --table");
    if (is_placed(o) && o->plan.slab_bytes != 0)
        return tool_usage("plan", "partitions of expressions know no --slab");
    return TOOL_OK;
}

static int read_options(options *o, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            o->help = true;
            return TOOL_OK;
        }
        if (strcmp(argv[i], "--minimise") == 0) {
            o->minimise = true;
        } else if (strcmp(argv[i], "--table") == 0) {
            o->table = true;
        } else if (strcmp(argv[i], "--repeat-ids") == 0) {
            o->repeat_ids = true;
        } else if (strncmp(argv[i], "--", 2) == 0) {
            if (i + 1 == argc)
                return tool_usage("plan", "a value is missing behind %s", argv[i]);
            int status = read_value(o, argv[i], argv[i + 1]);
            if (status != TOOL_OK)
                return status;
            i++;
        } else if (o->file != NULL) {
            return tool_usage("plan", "'%s' is one file too many", argv[i]);
        } else {
            o->file = argv[i];
        }
    }
    if (o->file == NULL)
        return tool_usage("plan", "a file is wanted");
    if (o->minimise && o->plan.capacity_bytes != 0)
        return tool_usage("plan", "--capacity and --minimise exclude each other");
    return check_schema_options(o);
}

/* Why there is no plan, with the lines of the requests at fault where it is theirs. */
static int refused(const options *o, const tool_instance *in, const sinter_plan_result *r)
{
    const uint32_t i = r->refused;
    const uint32_t other = r->refused_with;
    if (i >= in->count)
        (void)tool_library_failed(o->file);
    else if (other >= in->count || other == i)
        (void)tool_failed("%s:%ld: '%s': %s", o->file, in->lines[i], in->ids[i],
                          sinter_last_error());
    else
        (void)tool_failed("%s:%ld: '%s' and '%s' of line %ld: %s", o->file, in->lines[i],
                          in->ids[i], in->ids[other], in->lines[other], sinter_last_error());
    return TOOL_USAGE;
}

static int run(options *o, tool_instance *in, planned *p)
{
    size_t bytes;
    o->plan.aliases = in->aliases;
    p->result = (sinter_plan_result){
        .size = sizeof p->result, .refused = UINT32_MAX, .refused_with = UINT32_MAX};
    if (sinter_plan_scratch_bytes(in->count, &o->plan, &bytes) != SINTER_OK)
        return tool_library_failed(o->file);
    bytes += 44 * in->count; /* the judge's */
    void *scratch = malloc(bytes);
    if (scratch == NULL)
        return tool_failed("no memory for %zu requests", in->count);
    double begun = now_ms();
    sinter_status status =
        sinter_plan_memory(in->requests, in->count, &o->plan, scratch, bytes, &p->result);
    if (status == SINTER_OK && is_placed(o)) {
        begun = now_ms(); /* the bound is not the schema's work */
        tool_schema_place(&o->schema, in, &p->result);
    }
    p->ms = now_ms() - begun;
    int exit_status = status == SINTER_OK ? TOOL_OK : refused(o, in, &p->result);
    if (status == SINTER_OK &&
        sinter_plan_check(in->requests, in->count, &o->plan, p->result.total_bytes, scratch,
                          bytes) != SINTER_OK)
        exit_status = tool_library_failed(o->file);
    free(scratch);
    p->fits = o->plan.capacity_bytes == 0 || p->result.total_bytes <= o->plan.capacity_bytes;
    return exit_status;
}

static int compare_slabs(const void *a, const void *b)
{
    const slab *x = a;
    const slab *y = b;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* The bytes up to which each slab is used. */
static int find_slabs(const options *o, const tool_instance *in, planned *p)
{
    const uint64_t bytes = o->plan.slab_bytes;
    size_t n = 0;
    if (bytes == 0)
        return TOOL_OK;
    p->slabs = calloc(in->count + 1, sizeof *p->slabs);
    if (p->slabs == NULL)
        return tool_failed("no memory for %zu requests", in->count);
    for (size_t i = 0; i < in->count; i++) {
        const sinter_plan_request *q = &in->requests[i];
        if (q->bytes > 0 && q->start < q->end)
            p->slabs[n++] = (slab){q->offset_bytes / bytes, q->offset_bytes % bytes + q->bytes};
    }
    qsort(p->slabs, n, sizeof *p->slabs, compare_slabs);
    for (size_t i = 0; i < n; i++) { /* the last of each is its largest */
        if (i + 1 == n || p->slabs[i + 1].number != p->slabs[i].number)
            p->slabs[p->slab_count++] = p->slabs[i];
    }
    return TOOL_OK;
}

/* Whether the exact search was asked for, wanted, and left out: of so many requests it is not made. */
static bool skips_search(const options *o, const tool_instance *in, const planned *p)
{
    return o->plan.strategy == SINTER_PLAN_EXACT && in->count > SINTER_PLAN_EXACT_MOST &&
           !p->result.is_optimal && (o->plan.capacity_bytes == 0 || !p->fits);
}

static void print_text(const options *o, const tool_instance *in, const planned *p)
{
    const sinter_plan_result *r = &p->result;
    if (o->bind.count > 0)
        tool_schema_print_result(&o->schema);
    for (size_t i = 0; i < in->count; i++) {
        const sinter_plan_request *q = &in->requests[i];
        printf("%-20s steps %lld to %lld, %llu bytes at %llu\n", in->ids[i], (long long)q->start,
               (long long)q->end, (unsigned long long)q->bytes,
               (unsigned long long)q->offset_bytes);
    }
    printf("%zu requests, %llu bytes, lower bound %llu at step %lld%s\n", in->count,
           (unsigned long long)r->total_bytes, (unsigned long long)r->bound_bytes,
           (long long)r->peak_step, r->is_optimal ? ": no plan is smaller" : "");
    if (o->plan.slab_bytes != 0)
        printf("%u slabs of %llu bytes\n", r->slab_count, (unsigned long long)o->plan.slab_bytes);
    for (size_t i = 0; i < p->slab_count; i++)
        printf("slab %llu: %llu bytes\n", (unsigned long long)p->slabs[i].number,
               (unsigned long long)p->slabs[i].bytes);
    printf("found by %s (%s), %llu nodes, %.3f ms\n", strategies[r->strategy], r->order,
           (unsigned long long)r->nodes, p->ms);
    if (skips_search(o, in, p))
        printf("not searched: exact searches for up to %d requests\n", SINTER_PLAN_EXACT_MOST);
    if (o->plan.capacity_bytes != 0)
        printf("%s %llu bytes\n", p->fits ? "fits" : "does not fit",
               (unsigned long long)o->plan.capacity_bytes);
}

static void print_json(const options *o, const tool_instance *in, const planned *p)
{
    const sinter_plan_result *r = &p->result;
    printf("{\"total_bytes\": %llu, \"bound_bytes\": %llu, \"peak_step\": %lld, \"optimal\": %s, "
           "\"strategy\": \"%s\", \"order\": \"%s\", \"nodes\": %llu, \"time_ms\": %.3f, "
           "\"search_skipped\": %s, \"slabs\": %u, \"capacity_bytes\": %llu, \"fits\": %s,\n "
           "\"slab_bytes\": [",
           (unsigned long long)r->total_bytes, (unsigned long long)r->bound_bytes,
           (long long)r->peak_step, r->is_optimal ? "true" : "false", strategies[r->strategy],
           r->order, (unsigned long long)r->nodes, p->ms, skips_search(o, in, p) ? "true" : "false",
           r->slab_count, (unsigned long long)o->plan.capacity_bytes, p->fits ? "true" : "false");
    for (size_t i = 0; i < p->slab_count; i++)
        printf("%s{\"slab\": %llu, \"bytes\": %llu}", i > 0 ? ", " : "",
               (unsigned long long)p->slabs[i].number, (unsigned long long)p->slabs[i].bytes);
    printf("],\n \"requests\": [");
    for (size_t i = 0; i < in->count; i++) {
        const sinter_plan_request *q = &in->requests[i];
        printf(i > 0 ? ",\n  {\"id\": " : "\n  {\"id\": ");
        tool_json_string(stdout, in->ids[i]);
        printf(", \"lower\": %lld, \"upper\": %lld, \"size\": %llu, \"offset\": %llu}",
               (long long)q->start, (long long)q->end, (unsigned long long)q->bytes,
               (unsigned long long)q->offset_bytes);
    }
    printf("]}\n");
}

static void print_csv(const tool_instance *in)
{
    printf("id,lower,upper,size,offset\n");
    for (size_t i = 0; i < in->count; i++) {
        const sinter_plan_request *q = &in->requests[i];
        printf("%s,%lld,%lld,%llu,%llu\n", in->ids[i], (long long)q->start, (long long)q->end,
               (unsigned long long)q->bytes, (unsigned long long)q->offset_bytes);
    }
}

static int show(const options *o, const tool_instance *in, planned *p)
{
    int status = find_slabs(o, in, p);
    if (status != TOOL_OK)
        return status;
    if (in->gap_count > 0)
        (void)fprintf(stderr,
                      "sinter: %s: %zu requests have gaps; they are alive in them as well\n",
                      o->file, in->gap_count);
    if (o->format == TEXT)
        print_text(o, in, p);
    else if (o->format == JSON)
        print_json(o, in, p);
    else
        print_csv(in);
    if (o->svg != NULL && !tool_instance_draw(o->svg, in, &p->result))
        return TOOL_FAILED;
    int flushed = tool_flush();
    return flushed != TOOL_OK || p->fits ? flushed : TOOL_FAILED;
}

static int plan_file(options *o, tool_instance *in)
{
    planned p = {.fits = false};
    int status = run(o, in, &p);
    if (status == TOOL_OK)
        status = show(o, in, &p);
    free(p.slabs);
    return status;
}

/* A schema that is not bound has its table alone. */
static int run_options(options *o)
{
    tool_instance in = {0};
    int status = TOOL_OK;
    if (is_schema(o))
        status =
            tool_schema_read(o->file, &o->bind, &o->hint, o->plan.alignment_bytes, &o->schema, &in);
    else if (!tool_instance_read(o->file, o->repeat_ids, &in))
        status = TOOL_USAGE;
    if (status == TOOL_OK && o->table)
        status = tool_schema_print(&o->schema);
    if (status == TOOL_OK)
        status = is_schema(o) && o->bind.count == 0 ? tool_flush() : plan_file(o, &in);
    tool_instance_free(&in);
    return status;
}

int tool_plan(int argc, char **argv)
{
    options o = {.plan = SINTER_PLAN_OPTIONS_INIT};
    int status = read_options(&o, argc, argv);
    if (status == TOOL_OK && o.help) {
        printf("%s", help_text);
        status = tool_flush();
    } else if (status == TOOL_OK) {
        status = run_options(&o);
    }
    tool_schema_free(&o.schema);
    tool_binding_free(&o.bind);
    tool_binding_free(&o.hint);
    return status;
}
