#include "trace.h"
#include "common.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NAMED 1024 /* threads of a process that get a name */

/* A context, as its hook sees it. */
typedef struct process {
    struct process *next;
    tool_trace *trace;
    unsigned number;
    bool named[MAX_NAMED]; /* which threads */
} process;

struct tool_trace {
    FILE *file;
    char *path;
    process *processes;
    pthread_mutex_t lock; /* streams of several threads may call the hook at once */
    bool any;             /* an event has been written */
};

tool_trace *tool_trace_open(const char *path)
{
    tool_trace *t = calloc(1, sizeof *t);
    if (t == NULL) {
        (void)tool_failed("%s: no memory for a trace", path);
        return NULL;
    }
    t->path = strdup(path);
    t->file = fopen(path, "w");
    if (t->file == NULL || t->path == NULL) {
        (void)tool_failed("%s: %s", path, strerror(errno));
        if (t->file != NULL)
            (void)fclose(t->file);
        free(t->path);
        free(t);
        return NULL;
    }
    (void)pthread_mutex_init(&t->lock, NULL);
    (void)fputs("{\"displayTimeUnit\": \"ns\", \"traceEvents\": [", t->file);
    return t;
}

/* The beginning of an event up to its name's value. */
static void begin(tool_trace *t)
{
    (void)fputs(t->any ? ",\n{\"name\": " : "\n{\"name\": ", t->file);
    t->any = true;
}

/* Tells the viewer what a process or a thread is called. */
static void name(const process *p, const char *what, unsigned thread, const char *text)
{
    begin(p->trace);
    (void)fprintf(p->trace->file,
                  "\"%s\", \"ph\": \"M\", \"pid\": %u, \"tid\": %u, \"args\": {\"name\": ", what,
                  p->number, thread);
    tool_json_string(p->trace->file, text);
    (void)fputs("}}", p->trace->file);
}

/* Thread 0 builds programs; stream n is 2n - 1 for the host and 2n for the device. */
static unsigned thread_of(process *p, const sinter_trace_event *e)
{
    bool device = e->kind == SINTER_TRACE_LAUNCH;
    unsigned thread = e->stream == 0 ? 0 : 2 * e->stream - !device;
    if (thread < MAX_NAMED && !p->named[thread]) {
        char text[48] = "builds";
        if (thread > 0)
            (void)snprintf(text, sizeof text, "stream %u: %s", e->stream,
                           device ? "launches" : "host");
        name(p, "thread_name", thread, text);
        p->named[thread] = true;
    }
    return thread;
}

static void write_event(void *user, const sinter_trace_event *e)
{
    static const char *const kinds[] = {"",      "call",   "cut",  "plan",
                                        "build", "launch", "wait", "copy"};
    process *p = user;
    FILE *to = p->trace->file;
    (void)pthread_mutex_lock(&p->trace->lock);
    unsigned thread = thread_of(p, e);
    uint64_t time_ns = e->end_ns - e->start_ns;
    begin(p->trace);
    tool_json_string(to, e->name);
    (void)fprintf(to,
                  ", \"cat\": \"%s\", \"ph\": \"X\", \"pid\": %u, \"tid\": %u, \"ts\": %" PRIu64
                  ".%03u, \"dur\": %" PRIu64 ".%03u, \"args\": {\"detail\": ",
                  kinds[e->kind], p->number, thread, e->start_ns / 1000,
                  (unsigned)(e->start_ns % 1000), time_ns / 1000, (unsigned)(time_ns % 1000));
    tool_json_string(to, e->detail);
    (void)fprintf(to, ", \"bytes\": %" PRIu64 "}}", e->bytes);
    (void)pthread_mutex_unlock(&p->trace->lock);
}

bool tool_trace_context(tool_trace *t, const char *called, sinter_context_options *options)
{
    process *p = calloc(1, sizeof *p);
    if (p == NULL) {
        (void)tool_failed("%s: no memory for a trace", t->path);
        return false;
    }
    p->trace = t;
    p->next = t->processes;
    p->number = p->next != NULL ? p->next->number + 1 : 1;
    t->processes = p;
    name(p, "process_name", 0, called);
    options->trace_fn = write_event;
    options->trace_user = p;
    return true;
}

bool tool_trace_close(tool_trace *t)
{
    if (t == NULL)
        return true;
    (void)fputs("\n]}\n", t->file);
    bool fine = ferror(t->file) == 0;
    fine = fclose(t->file) == 0 && fine;
    if (!fine)
        (void)tool_failed("%s: %s", t->path, strerror(errno));
    while (t->processes != NULL) {
        process *p = t->processes;
        t->processes = p->next;
        free(p);
    }
    (void)pthread_mutex_destroy(&t->lock);
    free(t->path);
    free(t);
    return fine;
}
