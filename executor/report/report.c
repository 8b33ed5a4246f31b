/* The one hard idea: the text of a segment is there before it runs, how long its launches took only
 * after the next wait. So the text remembers where the times of each launch belong, and they are put
 * there when it is written. */
#include "executor/report/report.h"

#include "core/print.h"
#include "core/sized.h"
#include "executor/report/memory_map.h"
#include "executor/run/recording.h"
#include "executor/run/share.h"
#include "fusion/cost/bytes.h"
#include "fusion/cost/predict.h"
#include "fusion/library/library.h"
#include "fusion/schedule/describe.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* How long a group took, with those that share its launch. */
typedef struct timing {
    size_t text_at; /* where the text says it */
    uint64_t bytes; /* moved */
    double transfer_ns;
    uint64_t time_ns;
    uint32_t launches, known; /* whose times are wanted, and found */
} timing;

/* A launch whose times are not known yet. */
typedef struct pending {
    void *event;
    size_t timing; /* which it belongs to */
} pending;

struct sinter__report {
    sinter__buffer text;
    sinter__buffer kernels;
    uint64_t *seen; /* hashes of the kernels in it */
    size_t seen_count, seen_capacity;
    uint32_t segments;
    timing *timings; /* by group of all segments */
    size_t timing_count, timing_capacity;
    size_t first;                 /* of the segment that runs */
    const sinter__instance *runs; /* that segment; NULL: its times are not wanted */
    pending *pending;
    size_t pending_count, pending_capacity;
    sinter__memory_map map;
};

void sinter__report_operations(sinter__buffer *b, const sinter__graph *g,
                               const sinter__group *group)
{
    for (uint16_t i = 0; i < group->node_count; i++) {
        const char *name = sinter__op_info_of(g->nodes[group->nodes[i]].op)->name;
        sinter__buffer_printf(b, i > 0 ? ", %s" : "%s", name);
    }
}

/* Bytes that each operation of the group would move on its own: operands in, result out. */
static int64_t unfused_bytes(const sinter__graph *g, const sinter__group *group)
{
    int64_t bytes = 0;
    for (uint16_t i = 0; i < group->node_count; i++) {
        const sinter__node *node = &g->nodes[group->nodes[i]];
        bytes = sinter__add_bytes(bytes, sinter__gtensor_bytes(&g->tensors[node->out]));
        for (int k = 0; k < sinter__node_operands(node); k++) {
            if ((node->scalar_mask >> k & 1) == 0) {
                const sinter__gtensor *t = &g->tensors[node->in[k]];
                int64_t read = sinter__view_distinct(&t->view) *
                               (int64_t)sinter_dtype_bytes((sinter_dtype)t->dtype);
                bytes = sinter__add_bytes(bytes, read);
            }
        }
    }
    return bytes;
}

/* "35.1 us" */
static void print_time(sinter__buffer *b, double time_ns)
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    size_t unit = 0;
    for (; time_ns >= 1000 && unit + 1 < SINTER__COUNT(units); unit++)
        time_ns /= 1000;
    unsigned tenths = (unsigned)(time_ns * 10 + 0.5);
    sinter__buffer_printf(b, "%u.%u %s", tenths / 10, tenths % 10, units[unit]);
}

/* What the launches of a group should take, with those that share them, by the profile; *bytes: what
 * they move. */
static sinter__prediction predict_group(const sinter__opened *on, const sinter__graph *g,
                                        const sinter__instance *in, uint16_t group,
                                        sinter__bytes *bytes)
{
    const sinter__limits limits = sinter__compiled_limits(in->compiled);
    const sinter__launch *l = sinter__instance_launch(in, group, 0);
    sinter__prediction sum = {0};
    bool known = true;
    *bytes = (sinter__bytes){0};
    for (int i = 0; i < SINTER__MAX((int)l->row_count, 1); i++) {
        const sinter__launch *row = l->row_count > 0 ? l->rows[i] : l;
        sinter__bytes moved = sinter__nest_bytes(g, row->nest, row->bound, &limits);
        sinter__prediction one = sinter__predict(&on->rates, &limits, row->nest, row->bound, &moved,
                                                 l->class_.key.lanes);
        bytes->read += moved.read;
        bytes->written += moved.written;
        bytes->scratch += moved.scratch;
        sum.transfer_ns += one.transfer_ns;
        sum.work_ns += one.work_ns;
        known &= one.work_ns > 0;
    }
    bytes->scratch += sinter__rows_moved_bytes(in, group);
    uint32_t launch_ns = on->rates.figures[SINTER__FIGURE_launch];
    sum.work_ns += (double)launch_ns * in->launch_counts[group];
    if (!known || launch_ns == 0)
        sum.work_ns = 0;
    return sum;
}

/* Of each launch: how it runs, and how long that should take. */
static void print_schedule(sinter__buffer *b, const sinter__opened *on, const sinter__graph *g,
                           const sinter__instance *in, uint16_t group, timing *taken)
{
    sinter__bytes bytes;
    sinter__prediction p = predict_group(on, g, in, group, &bytes);
    for (int k = 0; k < in->launch_counts[group]; k++) {
        const sinter__launch *l = sinter__instance_launch(in, group, k);
        const sinter__row_range rows = {.count = l->row_count};
        sinter__buffer_puts(b, k == 0 ? "    schedule: " : "    then: ");
        if (l->kernel != NULL)
            sinter__schedule_describe(&l->class_.key, &l->geometry, b);
        else
            sinter__buffer_puts(b, "interpreted, an element at a time");
        bool is_at_once = sinter__is_at_once(&on->limits, sinter__launch_work(l, rows));
        sinter__buffer_puts(b, is_at_once ? ", may be run at once\n" : "\n");
    }
    if (p.work_ns > 0) {
        sinter__buffer_puts(b, "    predicted ");
        print_time(b, p.work_ns);
        sinter__buffer_puts(b, "\n");
    }
    if (taken == NULL)
        return;
    taken->text_at = b->bytes;
    taken->bytes = (uint64_t)(bytes.read + bytes.written + bytes.scratch);
    taken->transfer_ns = p.transfer_ns;
}

/* Who computes a product, where there is a choice. */
static void print_product(sinter__buffer *b, const sinter__instance *in, uint16_t i,
                          sinter__bytes bytes, timing *taken)
{
    const sinter__product *p = in->products[i];
    if (p == NULL)
        return;
    const sinter__gemm *x = &p->gemm;
    sinter__gemm_verdict verdict = (sinter__gemm_verdict)p->verdict;
    sinter__buffer_printf(b, "    by %s: %lld x %lld x %lld, %s",
                          verdict == SINTER__GEMM_TAKEN ? "CLBlast" : "a kernel of sinter's",
                          (long long)x->m, (long long)x->n, (long long)x->k,
                          sinter__gemm_text(verdict));
    if (x->from > 0)
        sinter__buffer_printf(b, "; CLBlast is faster from %lld on", (long long)x->from);
    sinter__buffer_puts(b, "\n");
    if (taken == NULL)
        return;
    taken->text_at = b->bytes;
    taken->bytes = (uint64_t)(bytes.read + bytes.written);
}

/* What counts as launches: kernels, or products by a library. */
static long long launch_count(const sinter__instance *in, uint16_t group)
{
    const sinter__product *p = sinter__instance_product(in, group);
    return p != NULL ? (long long)p->gemm.items : in->launch_counts[group];
}

/* What the updates of a group change, and why a copy of it where it is one. */
static void print_updates(sinter__buffer *b, const sinter__graph *g, const sinter__plan *plan,
                          uint16_t group)
{
    for (uint16_t k = 0; k < plan->update_count; k++) {
        const sinter__update *u = &plan->updates[k];
        const sinter__node *node = &g->nodes[u->node];
        const char *why = sinter__update_text((sinter__update_verdict)u->verdict);
        if (u->group != group)
            continue;
        if (u->verdict == SINTER__UPDATE_IN_PLACE)
            sinter__buffer_printf(b, "    update t%u: %s of t%u\n", node->out, why, u->base);
        else
            sinter__buffer_printf(b, "    update t%u: copied from t%u, because: %s\n", node->out,
                                  node->in[0], why);
    }
}

/* `taken` (may be NULL) is told what its time is compared with. */
static void print_group(sinter__buffer *b, const sinter__opened *on, const sinter__graph *g,
                        const sinter__instance *in, uint16_t i, timing *taken)
{
    const sinter__plan *plan = &in->compiled->plan;
    const sinter__group *group = &plan->groups[i];
    const sinter__limits limits = sinter__compiled_limits(in->compiled);
    sinter__bytes bytes = sinter__nest_bytes(g, &group->nest, &in->bound[i], &limits);
    if (group->copies != SINTER__NO_NODE) {
        sinter__buffer_printf(b, "  group %u: a copy of t%u for an update\n", i + 1,
                              g->nodes[group->copies].in[0]);
    } else {
        sinter__buffer_printf(b, "  group %u: %u operation%s (", i + 1, group->node_count,
                              group->node_count == 1 ? "" : "s");
        sinter__report_operations(b, g, group);
        sinter__buffer_printf(b, ")\n    ended: %s\n",
                              sinter__rule_text((sinter__rule_ended)group->ended));
    }
    int64_t saved = unfused_bytes(g, group) - bytes.read - bytes.written;
    if (in->runs_with[i] == i)
        sinter__buffer_printf(b, "    launches %lld, ", launch_count(in, i));
    else
        sinter__buffer_printf(b, "    in the launch of group %u, ", in->runs_with[i] + 1u);
    sinter__buffer_printf(b, "read %lld bytes, written %lld bytes, saved %lld bytes\n",
                          (long long)bytes.read, (long long)bytes.written,
                          (long long)SINTER__MAX(saved, (int64_t)0));
    print_product(b, in, i, bytes, taken);
    if (bytes.passes > 1)
        sinter__buffer_printf(b, "    %d passes: a row is larger than the cache\n", bytes.passes);
    if (in->runs_with[i] == i && in->launch_counts[i] > 0)
        print_schedule(b, on, g, in, i, taken);
    print_updates(b, g, plan, i);
    for (uint16_t k = 0; k < plan->stored_count; k++) {
        if (plan->stored[k].group == i && plan->stored[k].donor != SINTER__NO_TENSOR)
            sinter__buffer_printf(b, "    t%u takes the storage of t%u, which dies\n",
                                  plan->stored[k].tensor, plan->stored[k].donor);
    }
}

/* The workspace by request: steps alive, bytes, offset. */
static void print_memory(sinter__buffer *b, const sinter__instance *in)
{
    const sinter__plan *plan = &in->compiled->plan;
    if (in->schema.count == 0)
        return;
    sinter__buffer_printf(b, "  workspace: %llu bytes, lower bound %llu\n",
                          (unsigned long long)in->schema.total_bytes,
                          (unsigned long long)in->schema.bound_bytes);
    for (size_t i = 0; i < (size_t)plan->stored_count + plan->group_count; i++) {
        if (in->request_of[i] == UINT32_MAX)
            continue;
        const sinter_plan_request *r = &in->schema.requests[in->request_of[i]];
        if (i < plan->stored_count)
            sinter__buffer_printf(b, "    t%u:", plan->stored[i].tensor);
        else
            sinter__buffer_printf(b, "    scratch of group %zu:", i - plan->stored_count + 1);
        sinter__buffer_printf(b, " steps %lld to %lld, %llu bytes at %llu\n",
                              (long long)r->start + 1, (long long)r->end,
                              (unsigned long long)r->bytes, (unsigned long long)r->offset_bytes);
    }
}

/* `taken` (may be NULL) has one for each group. */
static void print_segment(sinter__buffer *b, uint32_t number, const sinter__opened *on,
                          const sinter__graph *g, sinter__instance *in, sinter__cut why, bool hit,
                          timing *taken)
{
    const size_t recorded = sinter__recording_count(on, in);
    const sinter__plan *plan = &in->compiled->plan;
    long long launches = 0;
    for (uint16_t i = 0; i < plan->group_count; i++)
        launches += launch_count(in, i);
    sinter__buffer_printf(b, "segment %u: %zu operation%s, cut because: %s; %s\n", number,
                          g->node_count, g->node_count == 1 ? "" : "s", sinter__cut_text(why),
                          hit ? "replayed from the plan store" : "planned");
    if (in->compiled->split)
        sinter__buffer_printf(
            b, "  fallback: a kernel did not build; groups of at most %u operations\n",
            in->compiled->limits.max_group_nodes);
    sinter__buffer_printf(b, "  launches %lld, bytes moved %lld, lower bound %lld\n", launches,
                          (long long)in->bytes_moved, (long long)in->bytes_bound);
    if (recorded > 0)
        sinter__buffer_printf(
            b, "  replayed as one where %u runs had the same arguments: %zu launches\n",
            on->limits.tuning.record_after, recorded);
    for (uint16_t i = 0; i < plan->group_count; i++)
        print_group(b, on, g, in, i, taken != NULL ? &taken[i] : NULL);
    if (plan->alias_count > 0)
        sinter__buffer_printf(b, "  views without a copy: %u\n", plan->alias_count);
}

/* Kernels */

static bool note_seen(sinter__report *r, sinter__allocator *a, uint64_t hash)
{
    for (size_t i = 0; i < r->seen_count; i++) {
        if (r->seen[i] == hash)
            return false;
    }
    void *seen = r->seen;
    if (sinter__grow(a, &seen, &r->seen_capacity, r->seen_count + 1, sizeof *r->seen) != SINTER_OK)
        return false;
    r->seen = seen;
    r->seen[r->seen_count++] = hash;
    return true;
}

/* Each kernel as a program of its own; on the host reference device, those that the default
 * schedule would have. */
static void add_kernels(sinter_stream *s, sinter__report *r, const sinter__instance *in)
{
    sinter__allocator *a = &s->ctx->allocator;
    const sinter__limits limits = sinter__compiled_limits(in->compiled);
    for (uint16_t i = 0; i < in->compiled->plan.group_count; i++) {
        for (int k = 0; k < in->launch_counts[i]; k++) {
            sinter__kernel_text text;
            const sinter__launch *l = sinter__instance_launch(in, i, k);
            if (sinter__launch_text(a, l, &limits, &text) == SINTER_OK &&
                note_seen(r, a, text.hash)) {
                (void)sinter__program_print(sinter__buffer_text(&text.needs),
                                            sinter__buffer_text(&text.source), &limits,
                                            &r->kernels);
                sinter__buffer_puts(&r->kernels, "\n");
            }
            sinter__kernel_text_finish(a, &text);
        }
    }
}

/* The queue as it was cut, why the groups ended, where the intermediates lie: a level of the log
 * each. */
static void log_segment(sinter_stream *s, const sinter__graph *g, sinter__instance *in,
                        sinter__cut why, bool hit)
{
    const sinter__log *log = &s->ctx->log;
    sinter__buffer b;
    sinter__buffer_init(&b, &s->ctx->allocator);
    if (sinter__logs(log, SINTER__LOG_QUEUE)) {
        sinter__graph_print(g, &b);
        sinter__log_text(log, SINTER__LOG_QUEUE, sinter__buffer_text(&b));
        sinter__buffer_clear(&b);
    }
    print_segment(&b, ++s->logged, s->on, g, in, why, hit, NULL);
    sinter__log_text(log, SINTER__LOG_REASON, sinter__buffer_text(&b));
    sinter__buffer_clear(&b);
    print_memory(&b, in);
    if (sinter__logs(log, SINTER__LOG_MEMORY))
        sinter__memory_map_profile(NULL, 0, s, g, in, &b);
    sinter__log_text(log, SINTER__LOG_MEMORY, sinter__buffer_text(&b));
    sinter__buffer_finish(&b);
}

/* Times */

/* One for each group of the segment that is about to run; NULL: no groups, or no memory and no times. */
static timing *add_timings(sinter_stream *s, sinter__report *r, const sinter__instance *in)
{
    size_t groups = in->compiled->plan.group_count;
    void *all = r->timings;
    sinter_status status = sinter__grow(&s->ctx->allocator, &all, &r->timing_capacity,
                                        r->timing_count + groups, sizeof *r->timings);
    r->timings = all;
    r->runs = status == SINTER_OK ? in : NULL;
    if (status != SINTER_OK)
        return NULL;
    r->first = r->timing_count;
    if (groups == 0)
        return NULL;
    memset(r->timings + r->first, 0, groups * sizeof *r->timings);
    r->timing_count += groups;
    return r->timings + r->first;
}

bool sinter__report_times(const sinter_stream *s, const sinter__instance *in)
{
    return s->report->runs == in;
}

/* The event's times, which are known when it is done. No kernel is done in a nanosecond: a driver that
 * says so, as one on llvmpipe does of each, has none. */
static void end_event(sinter_stream *s, sinter__report *r, const pending *p)
{
    sinter__event_times times;
    if (!s->on->backend->event_end(s->on->state, p->event, &times) ||
        times.end_ns - times.start_ns < 2)
        return;
    r->timings[p->timing].time_ns += times.end_ns - times.start_ns;
    r->timings[p->timing].known++;
}

void sinter__report_launched(sinter_stream *s, uint16_t group, void *event, uint64_t start_ns)
{
    sinter__report *r = s->report;
    const pending p = {.event = event, .timing = r->first + group};
    timing *taken = &r->timings[p.timing];
    void *all = r->pending;
    taken->launches++;
    if (event == NULL) {
        taken->time_ns += sinter__now_ns() - start_ns;
        taken->known++;
        return;
    }
    sinter_status status = sinter__grow(&s->ctx->allocator, &all, &r->pending_capacity,
                                        r->pending_count + 1, sizeof *r->pending);
    r->pending = all;
    if (status == SINTER_OK)
        r->pending[r->pending_count++] = p;
    else
        end_event(s, r, &p);
    sinter__clear_error();
}

void sinter__report_settle(sinter_stream *s)
{
    sinter__report *r = s->report;
    for (size_t i = 0; i < r->pending_count; i++)
        end_event(s, r, &r->pending[i]);
    r->pending_count = 0;
}

/* How long it took, how fast that moves its bytes, and what part of that is the moving alone, at the
 * bandwidth that was measured. */
static void print_taken(sinter__buffer *b, const timing *t, bool is_shipped)
{
    if (t->launches == 0)
        return;
    if (t->known < t->launches || t->time_ns == 0) {
        sinter__buffer_puts(b, "    not measured: the driver has no times\n");
        return;
    }
    uint64_t hundredths = t->bytes * 100 / t->time_ns; /* of bytes in a nanosecond */
    sinter__buffer_puts(b, "    measured ");
    print_time(b, (double)t->time_ns);
    sinter__buffer_printf(b, ", %llu.%02llu GB/s", (unsigned long long)hundredths / 100,
                          (unsigned long long)hundredths % 100);
    if (t->transfer_ns > 0)
        sinter__buffer_printf(b, ", %llu %% of the %s bandwidth",
                              (unsigned long long)(100 * t->transfer_ns / (double)t->time_ns + 0.5),
                              is_shipped ? "shipped profile's" : "measured");
    sinter__buffer_puts(b, "\n");
}

void sinter__report_segment(sinter_stream *s, const sinter__graph *g, sinter__instance *in,
                            sinter__cut why, bool hit)
{
    const sinter__log *log = &s->ctx->log;
    bool logs = sinter__logs(log, SINTER__LOG_REASON);
    if (s->report == NULL && !logs)
        return;
    if (s->report != NULL) {
        sinter__report *r = s->report;
        timing *taken = add_timings(s, r, in);
        print_segment(&r->text, ++r->segments, s->on, g, in, why, hit, taken);
        print_memory(&r->text, in);
        sinter__memory_map_profile(&r->map, r->segments, s, g, in, &r->text);
        add_kernels(s, r, in);
    }
    if (logs)
        log_segment(s, g, in, why, hit);
    sinter__clear_error();
}

void sinter__report_places(sinter_stream *s, const sinter__graph *g, const sinter__instance *in)
{
    if (s->report != NULL)
        sinter__memory_map_places(&s->report->map, s->report->segments, s, g, in);
}

void sinter__report_line(sinter_stream *s, sinter__log_level level, const char *format, ...)
{
    char line[400];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(line, sizeof line, format, args);
    va_end(args);
    sinter__log_line(&s->ctx->log, level, "%s", line);
    if (s->report != NULL)
        sinter__buffer_printf(&s->report->text, "%s\n", line);
}

/* Public */

void sinter__report_destroy(sinter_stream *s)
{
    sinter__allocator *a = &s->ctx->allocator;
    if (s->report == NULL)
        return;
    sinter__report_settle(s);
    sinter__buffer_finish(&s->report->text);
    sinter__buffer_finish(&s->report->kernels);
    sinter__memory_map_finish(&s->report->map);
    sinter__free(a, s->report->timings, s->report->timing_capacity * sizeof *s->report->timings);
    sinter__free(a, s->report->pending, s->report->pending_capacity * sizeof *s->report->pending);
    sinter__free(a, s->report->seen, s->report->seen_capacity * sizeof *s->report->seen);
    sinter__free(a, s->report, sizeof *s->report);
    s->report = NULL;
}

sinter_status sinter_report_begin(sinter_stream *s)
{
    sinter__clear_error();
    if (s == NULL)
        return sinter__fail(SINTER_EINVAL, "report_begin: the stream is NULL");
    SINTER_TRY(sinter__call_begin(s, "report_begin"));
    sinter__report_destroy(s);
    sinter_status status = sinter__stream_time(s);
    if (status == SINTER_OK) {
        s->report = sinter__alloc(&s->ctx->allocator, sizeof *s->report);
        status = s->report != NULL ? SINTER_OK : SINTER_ENOMEM;
    }
    if (status == SINTER_OK) {
        sinter__buffer_init(&s->report->text, &s->ctx->allocator);
        sinter__buffer_init(&s->report->kernels, &s->ctx->allocator);
        sinter__memory_map_init(&s->report->map, &s->ctx->allocator);
    }
    sinter__call_end(s);
    return status;
}

/* Of a stream that was to have one. */
static void print_priority(sinter__buffer *b, const sinter_stream *s)
{
    if (s->priority != SINTER_PRIORITY_DEFAULT)
        sinter__buffer_printf(b, "stream %u: priority %s%s\n", s->number,
                              s->priority == SINTER_PRIORITY_HIGH ? "high" : "low",
                              s->told == s->priority ? "" : ", of which the device was not told");
}

/* The text with the times in it. */
static sinter_status write_text(sinter_stream *s, sinter_write_fn write, void *user)
{
    const sinter__report *r = s->report;
    sinter__buffer b;
    size_t at = 0;
    if (r->pending_count > 0)
        (void)sinter__stream_finish(s); /* what fails is met at the next sync */
    SINTER_TRY(sinter__buffer_status(&r->text));
    sinter__buffer_init(&b, &s->ctx->allocator);
    print_priority(&b, s);
    for (size_t i = 0; i < r->timing_count; i++) {
        if (r->timings[i].launches == 0)
            continue;
        sinter__buffer_add(&b, r->text.text + at, r->timings[i].text_at - at);
        at = r->timings[i].text_at;
        print_taken(&b, &r->timings[i], s->on->has_shipped_rates);
    }
    sinter__buffer_puts(&b, sinter__buffer_text(&r->text) + at);
    sinter_status status = sinter__buffer_status(&b);
    if (status == SINTER_OK && b.bytes > 0)
        write(user, b.text, b.bytes);
    sinter__buffer_finish(&b);
    return status;
}

static sinter_status write_kernels(sinter_stream *s, sinter_write_fn write, void *user)
{
    const sinter__buffer *b = &s->report->kernels;
    sinter_status status = sinter__buffer_status(b);
    if (status == SINTER_OK && b->bytes > 0)
        write(user, b->text, b->bytes);
    return status;
}

static sinter_status write_report(sinter_stream *s, sinter_write_fn write, void *user, bool kernels)
{
    sinter__clear_error();
    if (s == NULL || write == NULL)
        return sinter__fail(SINTER_EINVAL, "report_write: an argument is NULL");
    SINTER_TRY(sinter__call_begin(s, "report_write"));
    sinter_status status = SINTER_OK;
    if (s->report == NULL)
        status = sinter__fail(SINTER_EINVAL, "report_write: no report was begun");
    else
        status = kernels ? write_kernels(s, write, user) : write_text(s, write, user);
    sinter__call_end(s);
    return status;
}

sinter_status sinter_report_write(sinter_stream *s, sinter_write_fn write, void *user)
{
    return write_report(s, write, user, false);
}

sinter_status sinter_kernels_write(sinter_stream *s, sinter_write_fn write, void *user)
{
    return write_report(s, write, user, true);
}

sinter_status sinter_report_memory(sinter_stream *s, const sinter_memory_visitor *visitor,
                                   void *user)
{
    sinter_memory_visitor v = SINTER_MEMORY_VISITOR_INIT;
    sinter__clear_error();
    if (s == NULL || visitor == NULL)
        return sinter__fail(SINTER_EINVAL, "report_memory: no stream, or no visitor");
    SINTER_TRY(sinter__sized_take("report_memory: a visitor", &v, sizeof v, visitor));
    SINTER_TRY(sinter__call_begin(s, "report_memory"));
    sinter_status status = SINTER_OK;
    if (s->report == NULL)
        status = sinter__fail(SINTER_EINVAL, "report_memory: no report was begun");
    else
        status = sinter__memory_map_visit(&s->report->map, &v, user);
    sinter__call_end(s);
    return status;
}
