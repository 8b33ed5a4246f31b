/* `sinter eval`: a program over real arrays.
 *
 * A run queues the whole program, then waits; only after the last run are results read, so that
 * what is counted is the program and nothing else. */
#include "common.h"
#include "memory_map.h"
#include "npy.h"
#include "show.h"
#include "trace.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define MAX_TEXT ((size_t)4 << 20)

/* name=file, as given */
typedef struct binding {
    const char *name;
    size_t name_bytes;
    const char *path;
    bool used;
} binding;

typedef struct options {
    sinter_context_options context;
    const char *file; /* NULL: the text is `text` */
    const char *text;
    binding *inputs;
    size_t input_count;
    binding *outputs;
    size_t output_count;
    long repeat;
    bool report, emit, stats, queue;
    const char *trace;      /* NULL: none */
    const char *memory_map; /* NULL: none */
} options;

/* A program with everything that it runs on. Pointers are NULL where a step has not been reached.
 */
typedef struct session {
    const options *o;
    char *loaded; /* text of the file */
    const char *text;
    size_t text_bytes;
    sinter_program *program;
    npy_array *arrays; /* one per input */
    sinter_context *ctx;
    sinter_stream *stream;
    sinter_tensor *inputs;
    sinter_tensor *results;
    sinter_stats before, after; /* the last run */
    tool_tensor_name *names;    /* of the last run's inputs and results */
    tool_trace *trace;
} session;

static const char help_text[] =
    "usage: sinter eval [OPTION ...] PROGRAM [NAME=FILE.npy ...]\n"
    "       sinter eval [OPTION ...] --file PROGRAM.snt [NAME=FILE.npy ...]\n"
    "\n"
    "Runs a program over NumPy arrays. Statements are `name = expression`, separated by ; or\n"
    "newlines; docs/language.md has the language. NAME=FILE.npy gives the program's inputs.\n"
    "\n"
    "  -o, --output NAME=FILE.npy  write a result; without it the last results are shown\n"
    "  -f, --file FILE             take the program from a file\n"
    "  -d, --device DEVICE         an index, a type (gpu, cpu, host) or part of a name\n"
    "      --style STYLE           form of the kernels: auto, cpu or gpu\n"
    "      --mode MODE             auto, reproducible, native or relaxed\n"
    "      --memory-mode MODE      auto, pool, separate, poison or red_zone\n"
    "      --unfused               one kernel per operation\n"
    "      --repeat N              run N times; what is reported is the last run\n"
    "      --report                print the fusion report\n"
    "      --emit                  print the generated kernels\n"
    "      --queue                 print the operations that are queued at the end, as a program\n"
    "      --stats                 print what the last run did, as a JSON object\n"
    "      --trace FILE            write what took how long, for Perfetto or chrome://tracing\n"
    "      --memory-map FILE       draw where tensors lay at each launch, as SVG\n"
    "      --debug N               log lines up to level N (0 to 7) on stderr\n"
    "  -h, --help                  print this\n"
    "\n"
    "Exit status: 0 done, 1 something failed, 2 the arguments are wrong.\n"
    "\n"
    "  sinter eval 'y = gelu(x*w + b)' x=x.npy w=w.npy b=b.npy -o y=y.npy\n";

/* Options */

enum {
    OPT_STYLE = 256,
    OPT_MODE,
    OPT_MEMORY,
    OPT_UNFUSED,
    OPT_REPEAT,
    OPT_REPORT,
    OPT_EMIT,
    OPT_QUEUE,
    OPT_STATS,
    OPT_TRACE,
    OPT_MEMORY_MAP,
    OPT_DEBUG
};

static const struct option long_options[] = {
    {"output", required_argument, NULL, 'o'},
    {"file", required_argument, NULL, 'f'},
    {"device", required_argument, NULL, 'd'},
    {"style", required_argument, NULL, OPT_STYLE},
    {"mode", required_argument, NULL, OPT_MODE},
    {"memory-mode", required_argument, NULL, OPT_MEMORY},
    {"unfused", no_argument, NULL, OPT_UNFUSED},
    {"repeat", required_argument, NULL, OPT_REPEAT},
    {"report", no_argument, NULL, OPT_REPORT},
    {"emit", no_argument, NULL, OPT_EMIT},
    {"queue", no_argument, NULL, OPT_QUEUE},
    {"stats", no_argument, NULL, OPT_STATS},
    {"trace", required_argument, NULL, OPT_TRACE},
    {"memory-map", required_argument, NULL, OPT_MEMORY_MAP},
    {"debug", required_argument, NULL, OPT_DEBUG},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static int bad_value(const char *option, const char *value)
{
    return tool_usage("eval", "--%s cannot be '%s'", option, value);
}

/* NAME=FILE */
static int add_binding(binding *list, size_t *count, const char *text)
{
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text || equals[1] == '\0')
        return tool_usage("eval", "'%s' is not NAME=FILE.npy", text);
    binding b = {.name = text, .name_bytes = (size_t)(equals - text), .path = equals + 1};
    for (size_t i = 0; i < *count; i++) {
        if (list[i].name_bytes == b.name_bytes && memcmp(list[i].name, text, b.name_bytes) == 0)
            return tool_usage("eval", "'%.*s' is given twice", (int)b.name_bytes, text);
    }
    list[(*count)++] = b;
    return TOOL_OK;
}

static int set_number(const char *option, long low, long high, long *out)
{
    return tool_number(optarg, low, high, out) ? TOOL_OK : bad_value(option, optarg);
}

static int set_option(options *o, int which)
{
    long number;
    switch (which) {
    case 'o':
        return add_binding(o->outputs, &o->output_count, optarg);
    case 'f':
        o->file = optarg;
        return TOOL_OK;
    case 'd':
        o->context.device = optarg;
        return TOOL_OK;
    case OPT_STYLE:
        return tool_style(optarg, &o->context.style) ? TOOL_OK : bad_value("style", optarg);
    case OPT_MODE:
        return tool_mode(optarg, &o->context.mode) ? TOOL_OK : bad_value("mode", optarg);
    case OPT_MEMORY:
        return tool_memory_mode(optarg, &o->context.memory_mode) ? TOOL_OK
                                                                 : bad_value("memory-mode", optarg);
    case OPT_UNFUSED:
        o->context.switches |= SINTER_NO_FUSE;
        return TOOL_OK;
    case OPT_REPEAT:
        return set_number("repeat", 1, 1000000000, &o->repeat);
    case OPT_REPORT:
        o->report = true;
        return TOOL_OK;
    case OPT_EMIT:
        o->emit = true;
        return TOOL_OK;
    case OPT_QUEUE:
        o->queue = true;
        return TOOL_OK;
    case OPT_STATS:
        o->stats = true;
        return TOOL_OK;
    case OPT_TRACE:
        o->trace = optarg;
        return TOOL_OK;
    case OPT_MEMORY_MAP:
        o->memory_map = optarg;
        return TOOL_OK;
    case OPT_DEBUG:
        if (set_number("debug", 0, 7, &number) != TOOL_OK)
            return TOOL_USAGE;
        o->context.debug = (int32_t)number;
        return TOOL_OK;
    default:
        (void)fputs("Try 'sinter eval --help'.\n", stderr);
        return TOOL_USAGE;
    }
}

/* An argument that is no option: the program, then bindings. */
static int add_argument(options *o, const char *text)
{
    if (o->text == NULL && o->file == NULL) {
        o->text = text;
        return TOOL_OK;
    }
    return add_binding(o->inputs, &o->input_count, text);
}

/* Options may stand anywhere; a program given before --file is then a binding that is none, and
 * says so. */
static int read_options(options *o, int argc, char **argv, bool *help)
{
    int status = TOOL_OK;
    optind = 1;
    while (optind < argc && status == TOOL_OK) {
        int which = getopt_long(argc, argv, "+o:f:d:h", long_options, NULL);
        if (which == 'h') {
            *help = true;
            return TOOL_OK;
        }
        if (which == -1 && optind < argc) {
            status = add_argument(o, argv[optind++]);
        } else if (which != -1) {
            status = set_option(o, which);
        }
    }
    if (status != TOOL_OK)
        return status;
    if (o->text == NULL && o->file == NULL)
        return tool_usage("eval", "no program is given");
    if (o->text != NULL && o->file != NULL) {
        return tool_usage("eval", "'%.40s' and --file: give one program, and options before it",
                          o->text);
    }
    return TOOL_OK;
}

/* The program */

/* The message, the line of the text, and a caret under the column. */
static void print_place(const session *s, sinter_program_place place)
{
    const char *line = s->text;
    const char *end = s->text + s->text_bytes;
    (void)tool_failed("%s: %s", s->o->file != NULL ? s->o->file : "program", sinter_last_error());
    for (uint32_t i = 1; i < place.line && line < end; i++) {
        const char *next = memchr(line, '\n', (size_t)(end - line));
        line = next != NULL ? next + 1 : end;
    }
    size_t bytes = 0;
    while (line + bytes < end && line[bytes] != '\n')
        bytes++;
    size_t first = place.column > 61 ? place.column - 61 : 0; /* of a long line, what is near */
    (void)fputs("  ", stderr);
    for (size_t i = first; i < bytes && i < first + 100; i++)
        (void)fputc((unsigned char)line[i] < 32 ? ' ' : line[i], stderr);
    (void)fprintf(stderr, "\n  %*s\n", (int)(place.column - first), "^");
}

static int load_program(session *s)
{
    const options *o = s->o;
    sinter_program_place place;
    s->text = o->text;
    s->text_bytes = o->text != NULL ? strlen(o->text) : 0;
    if (o->file != NULL) {
        s->loaded = tool_read_text(o->file, MAX_TEXT, &s->text_bytes);
        s->text = s->loaded;
        if (s->loaded == NULL)
            return TOOL_FAILED;
    }
    sinter_status status = sinter_program_parse(s->text, s->text_bytes, &s->program, &place);
    if (status == SINTER_OK)
        return TOOL_OK;
    print_place(s, place);
    return TOOL_FAILED;
}

static binding *find_binding(binding *list, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strlen(name) == list[i].name_bytes &&
            memcmp(name, list[i].name, list[i].name_bytes) == 0)
            return &list[i];
    }
    return NULL;
}

/* Whether every binding has found its name. */
static int check_used(const binding *list, size_t count, const char *what)
{
    for (size_t i = 0; i < count; i++) {
        if (!list[i].used) {
            return tool_usage("eval", "the program has no %s '%.*s'", what, (int)list[i].name_bytes,
                              list[i].name);
        }
    }
    return TOOL_OK;
}

static int check_names(session *s)
{
    const options *o = s->o;
    for (size_t i = 0; i < sinter_program_input_count(s->program); i++) {
        const char *name = sinter_program_input_name(s->program, i);
        binding *b = find_binding(o->inputs, o->input_count, name);
        if (b == NULL)
            return tool_usage("eval", "the program reads '%s': give %s=FILE.npy", name, name);
        b->used = true;
    }
    for (size_t i = 0; i < sinter_program_result_count(s->program); i++) {
        binding *b =
            find_binding(o->outputs, o->output_count, sinter_program_result_name(s->program, i));
        if (b != NULL)
            b->used = true;
    }
    int status = check_used(o->inputs, o->input_count, "input");
    return status == TOOL_OK ? check_used(o->outputs, o->output_count, "result") : status;
}

static int read_arrays(session *s)
{
    char error[NPY_ERROR];
    size_t count = sinter_program_input_count(s->program);
    s->arrays = calloc(count + 1, sizeof *s->arrays);
    s->inputs = calloc(count + 1, sizeof *s->inputs);
    s->results = calloc(sinter_program_result_count(s->program) + 1, sizeof *s->results);
    s->names = calloc(count + sinter_program_result_count(s->program) + 1, sizeof *s->names);
    if (s->arrays == NULL || s->inputs == NULL || s->results == NULL || s->names == NULL)
        return tool_failed("no memory for %zu inputs", count);
    for (size_t i = 0; i < count; i++) {
        const binding *b =
            find_binding(s->o->inputs, s->o->input_count, sinter_program_input_name(s->program, i));
        if (!npy_read(b->path, &s->arrays[i], error))
            return tool_failed("%s", error);
    }
    return TOOL_OK;
}

/* Running */

static int open_device(session *s)
{
    sinter_context_options context = s->o->context;
    if (s->o->trace != NULL) {
        s->trace = tool_trace_open(s->o->trace);
        if (s->trace == NULL || !tool_trace_context(s->trace, "sinter eval", &context))
            return TOOL_FAILED;
    }
    if (sinter_context_create(&context, &s->ctx) != SINTER_OK)
        return tool_library_failed("device");
    if (sinter_stream_create(s->ctx, NULL, &s->stream) != SINTER_OK)
        return tool_library_failed("stream");
    return TOOL_OK;
}

static int upload(session *s)
{
    for (size_t i = 0; i < sinter_program_input_count(s->program); i++) {
        const npy_array *a = &s->arrays[i];
        if (s->inputs[i].id == 0 && sinter_tensor_from_host(s->stream, a->dtype, a->rank, a->shape,
                                                            a->data, &s->inputs[i]) != SINTER_OK)
            return tool_library_failed(sinter_program_input_name(s->program, i));
    }
    return TOOL_OK;
}

static void write_text(void *user, const char *text, size_t bytes)
{
    (void)fwrite(text, 1, bytes, user);
}

static void release_all(session *s, sinter_tensor *tensors, size_t count)
{
    for (size_t i = 0; tensors != NULL && i < count; i++) {
        (void)sinter_tensor_release(s->stream, tensors[i]);
        tensors[i].id = 0;
    }
}

/* What the tensors of a run are called; those that are released later keep the name. */
static void note_names(session *s)
{
    size_t inputs = sinter_program_input_count(s->program);
    for (size_t i = 0; i < inputs; i++)
        s->names[i] = (tool_tensor_name){s->inputs[i].id, sinter_program_input_name(s->program, i)};
    for (size_t i = 0; i < sinter_program_result_count(s->program); i++) {
        s->names[inputs + i] =
            (tool_tensor_name){s->results[i].id, sinter_program_result_name(s->program, i)};
    }
}

/* An input that the program releases is let go before anything runs, so that its storage can be
 * taken over. */
static int run_once(session *s, bool last)
{
    sinter_program_place place;
    if (sinter_program_run(s->program, s->stream, s->inputs, s->results, &place) != SINTER_OK) {
        print_place(s, place);
        return TOOL_FAILED;
    }
    note_names(s);
    for (size_t i = 0; i < sinter_program_input_count(s->program); i++) {
        if (sinter_program_input_is_released(s->program, i))
            release_all(s, &s->inputs[i], 1);
    }
    if (last && s->o->queue && sinter_queue_write(s->stream, write_text, stdout) != SINTER_OK)
        return tool_library_failed("queue");
    if (sinter_stream_sync(s->stream) != SINTER_OK)
        return tool_library_failed("run");
    return TOOL_OK;
}

static int run_program(session *s)
{
    s->before.size = s->after.size = sizeof(sinter_stats);
    for (long i = 1; i <= s->o->repeat; i++) {
        bool last = i == s->o->repeat;
        int status = upload(s);
        if (status != TOOL_OK)
            return status;
        release_all(s, s->results, sinter_program_result_count(s->program));
        bool seen = s->o->report || s->o->emit || s->o->memory_map != NULL;
        if (last && seen && sinter_report_begin(s->stream) != SINTER_OK)
            return tool_library_failed("report");
        if (last)
            (void)sinter_context_stats(s->ctx, &s->before);
        status = run_once(s, last);
        if (status != TOOL_OK)
            return status;
    }
    (void)sinter_context_stats(s->ctx, &s->after);
    return TOOL_OK;
}

/* What comes out */

static int read_result(session *s, size_t index, npy_array *a)
{
    const char *name = sinter_program_result_name(s->program, index);
    sinter_tensor_desc desc;
    if (sinter_tensor_describe(s->ctx, s->results[index], &desc) != SINTER_OK)
        return tool_library_failed(name);
    *a = (npy_array){
        .dtype = desc.dtype, .rank = desc.rank, .bytes = sinter_dtype_bytes(desc.dtype)};
    for (int i = 0; i < desc.rank; i++) {
        a->shape[i] = desc.shape[i];
        a->bytes *= (size_t)desc.shape[i]; /* the library has checked the size */
    }
    a->data = malloc(a->bytes + 1);
    if (a->data == NULL)
        return tool_failed("%s: no memory for %zu bytes", name, a->bytes);
    if (sinter_tensor_read(s->stream, s->results[index], a->data, a->bytes) == SINTER_OK)
        return TOOL_OK;
    npy_free(a);
    return tool_library_failed(name);
}

static int give_result(session *s, size_t index)
{
    char error[NPY_ERROR];
    const char *name = sinter_program_result_name(s->program, index);
    const binding *b = find_binding(s->o->outputs, s->o->output_count, name);
    bool shown = s->o->output_count == 0 && sinter_program_result_is_last(s->program, index);
    npy_array a;
    if (b == NULL && !shown)
        return TOOL_OK;
    int status = read_result(s, index, &a);
    if (status != TOOL_OK)
        return status;
    if (b == NULL) {
        show_array(stdout, name, &a);
    } else if (!npy_write(b->path, &a, error)) {
        status = tool_failed("%s", error);
    }
    npy_free(&a);
    return status;
}

static void print_stats(const session *s)
{
    const sinter_stats *a = &s->after;
    const sinter_stats *b = &s->before;
    const struct {
        const char *name;
        uint64_t value;
    } rows[] = {
        {"ops", a->ops - b->ops},
        {"launches", a->launches - b->launches},
        {"bytes_moved", a->bytes_moved - b->bytes_moved},
        {"bytes_bound", a->bytes_bound - b->bytes_bound},
        {"compiles", a->compiles - b->compiles},
        {"plan_hits", a->plan_hits - b->plan_hits},
        {"plan_misses", a->plan_misses - b->plan_misses},
        {"host_allocations", a->host_allocations - b->host_allocations},
        {"cl_objects_created", a->cl_objects_created - b->cl_objects_created},
        {"pool_bytes", a->pool_bytes},
        {"cl_allocated_bytes", a->cl_allocated_bytes},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        printf("%s\"%s\": %llu", i > 0 ? ", " : "{", rows[i].name,
               (unsigned long long)rows[i].value);
    }
    printf("}\n");
}

static int give(session *s)
{
    if (s->o->report && sinter_report_write(s->stream, write_text, stdout) != SINTER_OK)
        return tool_library_failed("report");
    if (s->o->emit && sinter_kernels_write(s->stream, write_text, stdout) != SINTER_OK)
        return tool_library_failed("emit");
    if (s->o->memory_map != NULL &&
        !tool_memory_map_draw(
            s->o->memory_map, s->stream, s->o->file != NULL ? s->o->file : s->o->text, s->names,
            sinter_program_input_count(s->program) + sinter_program_result_count(s->program)))
        return TOOL_FAILED;
    for (size_t i = 0; i < sinter_program_result_count(s->program); i++) {
        int status = give_result(s, i);
        if (status != TOOL_OK)
            return status;
    }
    if (s->o->stats)
        print_stats(s);
    return tool_flush();
}

/* The session */

static int close_session(session *s)
{
    int status = TOOL_OK;
    release_all(s, s->results, sinter_program_result_count(s->program));
    release_all(s, s->inputs, sinter_program_input_count(s->program));
    if (sinter_stream_destroy(s->stream) != SINTER_OK)
        status = tool_library_failed("stream");
    if (sinter_context_destroy(s->ctx) != SINTER_OK)
        status = tool_library_failed("device");
    if (!tool_trace_close(s->trace))
        status = TOOL_FAILED;
    for (size_t i = 0; s->arrays != NULL && i < sinter_program_input_count(s->program); i++)
        npy_free(&s->arrays[i]);
    free(s->arrays);
    free(s->inputs);
    free(s->results);
    free(s->names);
    sinter_program_destroy(s->program);
    free(s->loaded);
    return status;
}

static int run_session(const options *o)
{
    static int (*const steps[])(session *) = {load_program, check_names, read_arrays,
                                              open_device,  run_program, give};
    session s = {.o = o};
    int status = TOOL_OK;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && status == TOOL_OK; i++)
        status = steps[i](&s);
    int closed = close_session(&s);
    return status != TOOL_OK ? status : closed;
}

int tool_eval(int argc, char **argv)
{
    options o = {.repeat = 1};
    bool help = false;
    const sinter_context_options defaults = SINTER_CONTEXT_OPTIONS_INIT;
    o.context = defaults;
    o.context.log_fn = tool_log;
    o.inputs = calloc((size_t)argc, sizeof *o.inputs);
    o.outputs = calloc((size_t)argc, sizeof *o.outputs);
    int status = TOOL_FAILED;
    if (o.inputs != NULL && o.outputs != NULL)
        status = read_options(&o, argc, argv, &help);
    if (status == TOOL_OK && help) {
        (void)fputs(help_text, stdout);
        status = tool_flush();
    } else if (status == TOOL_OK) {
        status = run_session(&o);
    }
    free(o.inputs);
    free(o.outputs);
    return status;
}
