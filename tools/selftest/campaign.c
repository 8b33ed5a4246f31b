#include "selftest/campaign.h"

#include "common.h"

#include <stdlib.h>
#include <string.h>

#define MAX_WAYS 24
#define MAX_STREAMS 8
#define RENEW_BATCHES 16

/* A way by name: the options of its context, and how programs are queued. */
typedef struct named_way {
    const char *name;
    const char *meaning;
    bool host;
    sinter_style style;
    uint32_t lanes;
    uint32_t switches;
    sinter_memory_mode memory;
    int streams;
    uint32_t limit; /* operations queued; 0: a whole program */
    bool disturb;
    bool tuned; /* schedules at random, others for each batch */
} named_way;

static const named_way all_ways[] = {
    {.name = "host", .meaning = "the host reference device, fused", .host = true, .streams = 1},
    {.name = "fused", .meaning = "fused, the device's own style", .streams = 1},
    {.name = "cpu", .meaning = "fused, CPU style", .style = SINTER_STYLE_CPU, .streams = 1},
    {.name = "gpu", .meaning = "fused, GPU style", .style = SINTER_STYLE_GPU, .streams = 1},
    {.name = "unfused",
     .meaning = "one kernel per operation",
     .switches = SINTER_NO_FUSE,
     .streams = 1},
    {.name = "cpu1",
     .meaning = "CPU style, scalar",
     .style = SINTER_STYLE_CPU,
     .lanes = 1,
     .streams = 1},
    {.name = "cpu2",
     .meaning = "CPU style, 2 lanes",
     .style = SINTER_STYLE_CPU,
     .lanes = 2,
     .streams = 1},
    {.name = "cpu8",
     .meaning = "CPU style, 8 lanes",
     .style = SINTER_STYLE_CPU,
     .lanes = 8,
     .streams = 1},
    {.name = "cpu16",
     .meaning = "CPU style, 16 lanes",
     .style = SINTER_STYLE_CPU,
     .lanes = 16,
     .streams = 1},
    {.name = "gpu1",
     .meaning = "GPU style, scalar",
     .style = SINTER_STYLE_GPU,
     .lanes = 1,
     .streams = 1},
    {.name = "gpu8",
     .meaning = "GPU style, 8 lanes",
     .style = SINTER_STYLE_GPU,
     .lanes = 8,
     .streams = 1},
    {.name = "poison",
     .meaning = "NaN where tensors are born and die",
     .memory = SINTER_MEMORY_POISON,
     .streams = 1},
    {.name = "separate",
     .meaning = "a buffer per tensor",
     .memory = SINTER_MEMORY_SEPARATE,
     .streams = 1},
    {.name = "red-zone",
     .meaning = "a pattern around each tensor, looked at after each launch",
     .memory = SINTER_MEMORY_RED_ZONE,
     .streams = 1},
    {.name = "own",
     .meaning = "division, square root, fma, f16 by sinter",
     .switches = SINTER_OWN_ARITHMETIC,
     .streams = 1},
    {.name = "no-reuse",
     .meaning = "no offset shared, no donation",
     .switches = SINTER_NO_REUSE,
     .streams = 1},
    {.name = "tiny",
     .meaning = "groups of two, eight operations queued, 64-bit indices",
     .switches = SINTER_TINY_LIMITS,
     .streams = 1},
    {.name = "every",
     .meaning = "each operation run at once",
     .switches = SINTER_FLUSH_EVERY_OP,
     .streams = 1},
    {.name = "tuned",
     .meaning = "schedules that a device profile could have, at random for each batch",
     .streams = 1,
     .tuned = true},
    {.name = "short", .meaning = "five operations queued at most", .limit = 5, .streams = 1},
    {.name = "longer",
     .meaning = "23 operations queued at most, and disturbed",
     .limit = 23,
     .streams = 1,
     .disturb = true},
    {.name = "disturbed",
     .meaning = "flushes, marks, reads, dead and identity operations, another order",
     .streams = 1,
     .disturb = true},
    {.name = "streams",
     .meaning = "the same, spread over two to eight streams, of all devices in turn",
     .streams = MAX_STREAMS,
     .disturb = true},
    {.name = "host-disturbed",
     .meaning = "the same on the host",
     .host = true,
     .streams = MAX_STREAMS,
     .disturb = true},
};

const char st_default_ways[] = "host,cpu,gpu,unfused,disturbed";

void st_print_ways(FILE *to)
{
    for (size_t i = 0; i < sizeof all_ways / sizeof all_ways[0]; i++)
        (void)fprintf(to, "%-16s %s\n", all_ways[i].name, all_ways[i].meaning);
}

/* Contexts */

typedef struct opened {
    const named_way *named;
    st_way way;
    sinter_stream *streams[MAX_STREAMS];
    sinter_profile *profile; /* of a tuned way */
} opened;

typedef struct campaign {
    const st_campaign *options;
    opened reference; /* host, unfused */
    opened ways[MAX_WAYS];
    int way_count;
    int faults;
    bool f64;
} campaign;

static bool fail(const char *what)
{
    printf("FAILED: %s: %s\n", what, sinter_last_error());
    return false;
}

static void print_log(void *user, int level, const char *line)
{
    (void)user;
    (void)level;
    (void)fprintf(stderr, "%s\n", line);
}

typedef struct text {
    char data[16384];
    size_t bytes;
} text;

static void add_text(void *user, const char *from, size_t bytes)
{
    text *t = user;
    if (t->bytes + bytes < sizeof t->data)
        memcpy(t->data + t->bytes, from, bytes);
    t->bytes += bytes;
    t->data[t->bytes < sizeof t->data ? t->bytes : 0] = '\0';
}

/* Kernels of the other style. */
static bool turn_style(sinter_profile *p)
{
    text t = {.bytes = 0};
    if (sinter_profile_write(p, add_text, &t) != SINTER_OK || t.bytes >= sizeof t.data)
        return false;
    char *style = strstr(t.data, "style = \"");
    if (style == NULL)
        return false;
    style += strlen("style = \"");
    style[0] = style[0] == 'c' ? 'g' : 'c'; /* cpu, gpu */
    return sinter_profile_parse(p, t.data, t.bytes) == SINTER_OK;
}

/* Every number anything that it can be, small ones as likely as large ones. */
static bool set_at_random(sinter_profile *p, uint64_t seed)
{
    st_random r = {.state = seed};
    sinter_profile_number n = SINTER_PROFILE_NUMBER_INIT;
    if (sinter_profile_reset(p) != SINTER_OK || (st_below(&r, 2) == 0 && !turn_style(p)))
        return false;
    for (size_t i = 0; sinter_profile_get(p, i, &n) == SINTER_OK; i++) {
        uint32_t value = n.low;
        for (uint32_t steps = st_below(&r, 23); steps > 0 && value <= n.high; steps--)
            value = value == 0 ? 1 : value * 2;
        if (n.power_of_two == 0 && value > 1)
            value = value / 2 + st_below(&r, value / 2 + 1);
        value = value > n.high ? n.high : value;
        if (sinter_profile_set(p, i, value < n.low ? n.low : value) != SINTER_OK)
            return false;
    }
    return true;
}

static bool open_way(opened *o, const named_way *named, const char *device)
{
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.device = named->host ? "host" : device;
    options.style = named->style;
    options.lanes = named->lanes;
    options.switches = named->switches | SINTER_NO_CACHE; /* no two programs are alike */
    options.memory_mode = named->memory;
    options.max_pending_ops = named->limit > 0 ? named->limit : 4096;
    options.log_fn = print_log;
    options.profile = o->profile;
    o->named = named;
    if (sinter_context_create(&options, &o->way.ctx) != SINTER_OK)
        return fail(named->name);
    o->way.streams = o->streams;
    uint32_t devices = sinter_context_device_count(o->way.ctx);
    for (int i = 0; i < named->streams; i++) {
        sinter_stream_options on = SINTER_STREAM_OPTIONS_INIT;
        on.device = (uint32_t)i % devices;
        if (sinter_stream_create(o->way.ctx, &on, &o->streams[i]) != SINTER_OK)
            return fail(named->name);
        o->way.stream_count = i + 1;
    }
    return true;
}

static bool close_way(opened *o)
{
    bool fine = true;
    for (int i = 0; i < o->way.stream_count; i++)
        fine = sinter_stream_destroy(o->streams[i]) == SINTER_OK && fine;
    if (o->way.ctx != NULL)
        fine = sinter_context_destroy(o->way.ctx) == SINTER_OK && fine;
    o->way = (st_way){.ctx = NULL};
    sinter_profile_destroy(o->profile);
    o->profile = NULL;
    return fine;
}

/* A tuned way anew, with the schedules of `seed`. */
static bool retune_way(opened *o, const char *device, uint64_t seed)
{
    const named_way *named = o->named;
    if (!close_way(o))
        return fail(named->name);
    if (sinter_profile_open(device, &o->profile) != SINTER_OK || !set_at_random(o->profile, seed))
        return fail("the profile");
    return open_way(o, named, device);
}

/* A context keeps its programs, and a compiler up to 10 MB for each: all ways anew at times. */
static bool renew_ways(campaign *c)
{
    for (int i = 0; i < c->way_count; i++) {
        opened *o = &c->ways[i];
        if (o->named->tuned)
            continue;
        if (!close_way(o))
            return fail(o->named->name);
        if (!open_way(o, o->named, c->options->device))
            return false;
    }
    return true;
}

static const named_way *find_way(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof all_ways / sizeof all_ways[0]; i++) {
        if (strlen(all_ways[i].name) == length && memcmp(all_ways[i].name, name, length) == 0)
            return &all_ways[i];
    }
    return NULL;
}

/* TOOL_OK, or how the campaign ends. */
static int open_ways(campaign *c)
{
    static const named_way reference = {
        .name = "reference", .host = true, .switches = SINTER_NO_FUSE, .streams = 1};
    const char *at = c->options->ways != NULL ? c->options->ways : st_default_ways;
    if (!open_way(&c->reference, &reference, NULL))
        return TOOL_FAILED;
    c->f64 = true;
    do {
        size_t length = strcspn(at, ",");
        const named_way *named = find_way(at, length);
        if (named == NULL)
            return tool_usage("selftest", "--ways: there is no way '%.*s'", (int)length, at);
        if (c->way_count == MAX_WAYS)
            return tool_usage("selftest", "--ways: more than %d", MAX_WAYS);
        opened *o = &c->ways[c->way_count++];
        if (!open_way(o, named, c->options->device))
            return TOOL_FAILED;
        sinter_device_info info = SINTER_DEVICE_INFO_INIT;
        for (uint32_t i = 0; sinter_context_device_at(o->way.ctx, i, &info) == SINTER_OK; i++)
            c->f64 = c->f64 && info.has_f64 != 0;
        at += length + (at[length] == ',');
    } while (*at != '\0');
    return TOOL_OK;
}

/* Comparing */

/* The way as programs that begin with `seed` take it. */
static st_way way_for(const opened *o, uint64_t seed)
{
    st_way way = o->way;
    way.disturb = o->named->disturb ? seed + 1 : 0;
    if (way.stream_count > 1)
        way.stream_count = 2 + (int)(seed % (MAX_STREAMS - 1));
    return way;
}

/* What is wrong with a program run in one way. */
typedef struct fault {
    campaign *c;
    opened *way;
} fault;

static bool shows(void *user, const st_program *p)
{
    const fault *f = user;
    st_results expected = {.count = 0};
    st_results got = {.count = 0};
    int output;
    size_t element;
    bool is_wrong = false;
    st_way way = way_for(f->way, p->seed);
    if (st_run(p, 1, &f->c->reference.way, &expected) == SINTER_OK)
        is_wrong =
            st_run(p, 1, &way, &got) != SINTER_OK || st_differ(&expected, &got, &output, &element);
    st_results_free(&expected);
    st_results_free(&got);
    return is_wrong;
}

static void print_element(const st_results *r, int output, size_t element)
{
    size_t size = sinter_dtype_bytes(r->dtype[output]);
    uint64_t bits = 0;
    if ((element + 1) * size <= r->bytes[output])
        memcpy(&bits, (const char *)r->data[output] + element * size, size);
    printf("%#llx", (unsigned long long)bits);
}

/* The environment under which `sinter eval` runs a program in that way. */
static void print_settings(const named_way *w)
{
    static const struct {
        uint32_t bit;
        const char *name;
    } switches[] = {{SINTER_NO_FUSE, "NO_FUSE"},
                    {SINTER_NO_REUSE, "NO_REUSE"},
                    {SINTER_FLUSH_EVERY_OP, "FLUSH_EVERY_OP"},
                    {SINTER_TINY_LIMITS, "TINY_LIMITS"},
                    {SINTER_OWN_ARITHMETIC, "OWN_ARITHMETIC"}};
    static const char *const styles[] = {NULL, "cpu", "gpu"};
    static const char *const modes[] = {NULL, "pool", "separate", "poison", "red_zone"};
    for (size_t i = 0; i < sizeof switches / sizeof switches[0]; i++) {
        if ((w->switches & switches[i].bit) != 0)
            printf("SINTER_%s=1 ", switches[i].name);
    }
    if (w->style != SINTER_STYLE_AUTO)
        printf("SINTER_STYLE=%s ", styles[w->style]);
    if (w->lanes != 0)
        printf("SINTER_LANES=%u ", w->lanes);
    if (w->memory != SINTER_MEMORY_AUTO)
        printf("SINTER_MEMORY_MODE=%s ", modes[w->memory]);
}

static void write_text(void *user, const char *from, size_t bytes)
{
    (void)fwrite(from, 1, bytes, user);
}

/* The schedules of a tuned way beside the program. */
static void save_profile(const sinter_profile *p, const char *folder)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/selftest.profile", folder);
    FILE *file = fopen(path, "we");
    if (file == NULL)
        return;
    (void)sinter_profile_write(p, write_text, file);
    (void)fclose(file);
    printf("SINTER_PROFILE=");
    st_print_word(path, stdout);
    printf(" ");
}

/* Saves the program, and prints the commands that run it. */
static void save_fault(const campaign *c, const st_program *p, const opened *way)
{
    const st_campaign *o = c->options;
    const named_way *named = way->named;
    if (!st_save(p, o->save)) {
        printf("It could not be saved in %s.\n", o->save);
        return;
    }
    printf("Expected:\n  ");
    print_settings(c->reference.named);
    st_print_eval(p, o->save, "host", stdout);
    printf("Way %s%s:\n  ", named->name,
           named->disturb ? ", without what it does besides (see --list)" : "");
    if (way->profile != NULL)
        save_profile(way->profile, o->save);
    print_settings(named);
    st_print_eval(p, o->save, named->host ? "host" : o->device, stdout);
}

/* The command that meets the same fault again. */
static void print_again(const campaign *c, uint64_t seed, const opened *way, int count)
{
    const st_campaign *o = c->options;
    printf("The same again:\n  sinter selftest ");
    if (o->device != NULL) {
        printf("--device ");
        st_print_word(o->device, stdout);
        printf(" ");
    }
    printf("--seed %llu --count %d --batch %d --ways %s --steps %d --elements %lld\n",
           (unsigned long long)seed, count, count, way->named->name, o->limits.steps,
           (long long)o->limits.elements);
}

/* What differs when `p` runs alone, or that nothing does. */
static void print_difference(const campaign *c, const st_program *p, const opened *way)
{
    st_results expected = {.count = 0};
    st_results got = {.count = 0};
    int output = 0;
    size_t element = 0;
    st_way as = way_for(way, p->seed);
    (void)st_run(p, 1, &c->reference.way, &expected);
    sinter_status status = st_run(p, 1, &as, &got);
    if (status != SINTER_OK) {
        printf("%s: %s\n", sinter_status_name(status), got.reason);
    } else if (st_differ(&expected, &got, &output, &element)) {
        printf("output %d, element %zu: ", output, element);
        print_element(&expected, output, element);
        printf(" expected, ");
        print_element(&got, output, element);
        printf(" found\n");
    }
    st_results_free(&expected);
    st_results_free(&got);
}

/* Makes the program small, prints and saves it, and says how to run it. `batch` are the programs it
 * was run with. */
static void show_fault(campaign *c, const st_program *p, opened *way, const st_program *batch,
                       int count)
{
    fault f = {.c = c, .way = way};
    st_program small;
    c->faults++;
    tool_progress_end();
    printf("\nDIFFERENCE: seed %llu, way %s\n", (unsigned long long)p->seed, way->named->name);
    if (c->options->keeps_going) {
        print_again(c, batch[0].seed, way, count);
        return;
    }
    if (!st_copy(&small, p))
        return;
    bool alone = shows(&f, &small);
    if (alone)
        st_shrink(&small, shows, &f, &c->reference.way);
    else
        printf("(only together with the other programs of its batch)\n");
    print_difference(c, &small, way);
    st_print(&small, stdout);
    save_fault(c, &small, way);
    print_again(c, alone ? p->seed : batch[0].seed, way, alone ? 1 : count);
    st_free(&small);
}

static uint64_t fallbacks_of(const opened *way)
{
    sinter_stats stats = SINTER_STATS_INIT;
    (void)sinter_context_stats(way->way.ctx, &stats);
    return stats.fallbacks;
}

/* Groups were split because a kernel did not build or run: values are right then, but no kernel should. */
static void show_fallback(campaign *c, const st_program *batch, const opened *way, int count)
{
    c->faults++;
    tool_progress_end();
    printf("\nFALLBACK: seeds %llu to %llu, way %s: a kernel did not build or run\n",
           (unsigned long long)batch[0].seed, (unsigned long long)batch[count - 1].seed,
           way->named->name);
    print_again(c, batch[0].seed, way, count);
}

/* Runs a batch in one way; false when anything differs and that ends the campaign. */
static bool check_way(campaign *c, const st_program *programs, int count, opened *way,
                      const st_results *expected)
{
    st_results *got = calloc((size_t)count, sizeof *got);
    st_way as;
    bool fine = true;
    int output;
    size_t element;
    if (got == NULL)
        return false;
    if (way->named->tuned && !retune_way(way, c->options->device, programs[0].seed)) {
        free(got);
        return false;
    }
    as = way_for(way, programs[0].seed);
    uint64_t fallbacks = fallbacks_of(way);
    sinter_status status = st_run(programs, count, &as, got);
    if (status != SINTER_OK)
        printf("FAILED: seeds %llu to %llu, way %s: %s\n", (unsigned long long)programs[0].seed,
               (unsigned long long)programs[count - 1].seed, way->named->name, got[0].reason);
    for (int i = 0; i < count && fine; i++) {
        if (status != SINTER_OK || st_differ(&expected[i], &got[i], &output, &element)) {
            fine = c->options->keeps_going && status == SINTER_OK;
            show_fault(c, &programs[i], way, programs, count);
        }
    }
    if (fine && fallbacks_of(way) != fallbacks) {
        show_fallback(c, programs, way, count);
        fine = c->options->keeps_going;
    }
    for (int i = 0; i < count; i++)
        st_results_free(&got[i]);
    free(got);
    return fine;
}

static bool run_batch(campaign *c, uint64_t seed, int count)
{
    st_limits limits = c->options->limits;
    st_program *programs = calloc((size_t)count, sizeof *programs);
    st_results *expected = calloc((size_t)count, sizeof *expected);
    bool fine = programs != NULL && expected != NULL;
    int made = 0;
    limits.f64 = c->f64;
    for (int i = 0; i < count && fine; i++) {
        fine = st_generate(&programs[i], seed + (uint64_t)i, &limits, c->reference.streams[0],
                           c->reference.way.ctx);
        made = i + 1;
    }
    if (!fine)
        (void)fail("making a program");
    if (fine && st_run(programs, count, &c->reference.way, expected) != SINTER_OK)
        fine = fail("the reference");
    for (int w = 0; w < c->way_count && fine; w++)
        fine = check_way(c, programs, count, &c->ways[w], expected);
    for (int i = 0; i < made; i++) {
        st_free(&programs[i]);
        st_results_free(&expected[i]);
    }
    free(programs);
    free(expected);
    return fine;
}

static void print_verdict(const campaign *c, bool fine, int done)
{
    sinter_device_info info = SINTER_DEVICE_INFO_INIT;
    info.name[0] = '?';
    for (int w = 0; w < c->way_count; w++) {
        if (!c->ways[w].named->host)
            (void)sinter_context_device(c->ways[w].way.ctx, &info);
    }
    if (c->way_count > 0 && info.name[0] == '?')
        (void)sinter_context_device(c->ways[0].way.ctx, &info);
    char differ[32] = "see above";
    if (c->faults > 0)
        (void)snprintf(differ, sizeof differ, "%d faults", c->faults);
    printf("%s: %d programs in %d ways on %s (%s): %s\n", fine ? "OK" : "FAILED", done,
           c->way_count, info.name, info.platform, fine ? "the same bits every time" : differ);
}

int st_run_campaign(const st_campaign *options)
{
    campaign *c = calloc(1, sizeof *c);
    if (c == NULL)
        return 1;
    c->options = options;
    int opened_status = open_ways(c);
    bool is_open = opened_status == TOOL_OK;
    bool fine = is_open;
    int done = 0;
    while (fine && done < options->count) {
        int count = options->count - done < options->batch ? options->count - done : options->batch;
        if (done > 0 && done / options->batch % RENEW_BATCHES == 0)
            fine = renew_ways(c);
        fine = fine && run_batch(c, options->first_seed + (uint64_t)done, count);
        done += count;
        if (!options->quiet)
            tool_progress(done, options->count);
    }
    tool_progress_end();
    if (is_open)
        print_verdict(c, fine && c->faults == 0, done);
    for (int w = 0; w < c->way_count; w++)
        fine = close_way(&c->ways[w]) && fine;
    fine = close_way(&c->reference) && fine && c->faults == 0;
    free(c);
    if (!is_open)
        return opened_status;
    return fine ? TOOL_OK : TOOL_FAILED;
}
