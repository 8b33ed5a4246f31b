#include "executor/report.h"

#include "core/print.h"
#include "fusion/bytes.h"

#include <string.h>

struct sinter__report {
    sinter__buffer text;
    sinter__buffer kernels;
    uint64_t *seen; /* hashes of the kernels in it */
    size_t seen_count, seen_capacity;
    uint32_t segments;
};

/* Operations of a group in order: "mul, add, gelu". */
static void print_operations(sinter__buffer *b, const sinter__graph *g, const sinter__group *group)
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
        bytes += sinter__gtensor_bytes(&g->tensors[node->out]);
        for (int k = 0; k < node->in_count; k++) {
            if ((node->scalar_mask >> k & 1) == 0) {
                const sinter__gtensor *t = &g->tensors[node->in[k]];
                bytes += sinter__view_distinct(&t->view) *
                         (int64_t)sinter_dtype_bytes((sinter_dtype)t->dtype);
            }
        }
    }
    return bytes;
}

static void print_group(sinter__buffer *b, const sinter__graph *g, const sinter__instance *in,
                        uint16_t i)
{
    const sinter__plan *plan = &in->compiled->plan;
    const sinter__group *group = &plan->groups[i];
    const sinter__limits limits = sinter__compiled_limits(in->compiled);
    sinter__bytes bytes = sinter__nest_bytes(g, &group->nest, &in->bound[i], &limits);
    sinter__buffer_printf(b, "  group %u: %u operation%s (", i + 1, group->node_count,
                          group->node_count == 1 ? "" : "s");
    print_operations(b, g, group);
    sinter__buffer_printf(b, ")\n    ended: %s\n",
                          sinter__rule_text((sinter__rule_ended)group->ended));
    int64_t saved = unfused_bytes(g, group) - bytes.read - bytes.written;
    if (in->runs_with[i] == i)
        sinter__buffer_printf(b, "    launches %u, ", in->launch_counts[i]);
    else
        sinter__buffer_printf(b, "    in the launch of group %u, ", in->runs_with[i] + 1u);
    sinter__buffer_printf(b, "read %lld bytes, written %lld bytes, saved %lld bytes\n",
                          (long long)bytes.read, (long long)bytes.written,
                          (long long)SINTER__MAX(saved, (int64_t)0));
    if (bytes.passes > 1)
        sinter__buffer_printf(b, "    %d passes: a row is larger than the cache\n", bytes.passes);
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
        const sinter__request *r = &in->schema.requests[in->request_of[i]];
        if (i < plan->stored_count)
            sinter__buffer_printf(b, "    t%u:", plan->stored[i].tensor);
        else
            sinter__buffer_printf(b, "    scratch of group %zu:", i - plan->stored_count + 1);
        sinter__buffer_printf(b, " steps %u to %u, %llu bytes at %llu\n", r->start + 1, r->end,
                              (unsigned long long)r->bytes, (unsigned long long)r->offset_bytes);
    }
}

static void print_segment(sinter__buffer *b, uint32_t number, const sinter__graph *g,
                          const sinter__instance *in, sinter__cut why, bool hit)
{
    const sinter__plan *plan = &in->compiled->plan;
    uint32_t launches = 0;
    for (uint16_t i = 0; i < plan->group_count; i++)
        launches += in->launch_counts[i];
    sinter__buffer_printf(b, "segment %u: %zu operation%s, cut because: %s; %s\n", number,
                          g->node_count, g->node_count == 1 ? "" : "s", sinter__cut_text(why),
                          hit ? "replayed from the plan store" : "planned");
    if (in->compiled->split)
        sinter__buffer_printf(
            b, "  fallback: a kernel did not build; groups of at most %u operations\n",
            in->compiled->limits.max_group_nodes);
    sinter__buffer_printf(b, "  launches %u, bytes moved %lld, lower bound %lld\n", launches,
                          (long long)in->bytes_moved, (long long)in->bytes_bound);
    for (uint16_t i = 0; i < plan->group_count; i++)
        print_group(b, g, in, i);
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
static void log_segment(sinter_stream *s, const sinter__graph *g, const sinter__instance *in,
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
    print_segment(&b, ++s->logged, g, in, why, hit);
    sinter__log_text(log, SINTER__LOG_REASON, sinter__buffer_text(&b));
    sinter__buffer_clear(&b);
    print_memory(&b, in);
    sinter__log_text(log, SINTER__LOG_MEMORY, sinter__buffer_text(&b));
    sinter__buffer_finish(&b);
}

void sinter__report_segment(sinter_stream *s, const sinter__graph *g, const sinter__instance *in,
                            sinter__cut why, bool hit)
{
    const sinter__log *log = &s->ctx->log;
    bool logs = sinter__logs(log, SINTER__LOG_REASON);
    if (s->report == NULL && !logs)
        return;
    if (s->report != NULL) {
        print_segment(&s->report->text, ++s->report->segments, g, in, why, hit);
        print_memory(&s->report->text, in);
        add_kernels(s, s->report, in);
    }
    if (logs)
        log_segment(s, g, in, why, hit);
    sinter__clear_error();
}

/* Public */

void sinter__report_destroy(sinter_stream *s)
{
    sinter__allocator *a = &s->ctx->allocator;
    if (s->report == NULL)
        return;
    sinter__buffer_finish(&s->report->text);
    sinter__buffer_finish(&s->report->kernels);
    sinter__free(a, s->report->seen, s->report->seen_capacity * sizeof *s->report->seen);
    sinter__free(a, s->report, sizeof *s->report);
    s->report = NULL;
}

sinter_status sinter_report_begin(sinter_stream *s)
{
    sinter__clear_error();
    if (s == NULL)
        return sinter__fail(SINTER_EINVAL, "report_begin: the stream is NULL");
    (void)pthread_mutex_lock(&s->lock);
    sinter__report_destroy(s);
    s->report = sinter__alloc(&s->ctx->allocator, sizeof *s->report);
    sinter_status status = s->report != NULL ? SINTER_OK : SINTER_ENOMEM;
    if (status == SINTER_OK) {
        sinter__buffer_init(&s->report->text, &s->ctx->allocator);
        sinter__buffer_init(&s->report->kernels, &s->ctx->allocator);
    }
    (void)pthread_mutex_unlock(&s->lock);
    return status;
}

static sinter_status write_report(sinter_stream *s, sinter_write_fn write, void *user, bool kernels)
{
    sinter__clear_error();
    if (s == NULL || write == NULL)
        return sinter__fail(SINTER_EINVAL, "report_write: an argument is NULL");
    (void)pthread_mutex_lock(&s->lock);
    sinter_status status = SINTER_OK;
    if (s->report == NULL) {
        status = sinter__fail(SINTER_EINVAL, "report_write: no report was begun");
    } else {
        const sinter__buffer *b = kernels ? &s->report->kernels : &s->report->text;
        status = sinter__buffer_status(b);
        if (status == SINTER_OK && b->bytes > 0)
            write(user, b->text, b->bytes);
    }
    (void)pthread_mutex_unlock(&s->lock);
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
