/* Running an instance whose memory is taken: its kernels are told where everything lies, and launched; of a list,
 * as many groups at once as can be. A group that fails is tried again in smaller ones (executor/run/split.c), and what
 * still fails takes down exactly what depends on it. */
#include "executor/run/instance.h"

#include "executor/memory/shadow.h"
#include "executor/report/report.h"
#include "executor/run/coming.h"
#include "executor/run/pace.h"
#include "executor/run/recording.h"
#include "executor/run/red_zone.h"
#include "executor/run/share.h"
#include "executor/run/split.h"
#include "executor/shard/span.h"
#include "fusion/cost/bytes.h"

/* Where everything lies */

static sinter__address request_address(const sinter__instance *in, uint32_t request)
{
    if (in->lies_apart)
        return in->parts[request]->address;
    sinter__address at = in->parts[0] != NULL ? in->parts[0]->address : (sinter__address){0};
    at.offset_bytes += in->schema.requests[request].offset_bytes;
    return at;
}

sinter__operands sinter__instance_operands(const sinter__instance *in, const sinter__graph *g,
                                           uint16_t group)
{
    sinter__operands operands = {
        .tensors = in->addresses, .placement = in->placement, .scalars = g->scalars};
    uint32_t scratch = in->request_of[in->compiled->plan.stored_count + group];
    if (scratch != UINT32_MAX)
        operands.scratch = request_address(in, scratch);
    return operands;
}

/* What of the workspace is born in a step, or has died in it: SINTER__SHADOW_FRESH, SINTER__SHADOW_CLOSED. */
static void shadow_requests(const sinter_stream *s, const sinter__instance *in, int64_t step,
                            sinter__shadow shadow)
{
    for (size_t i = 0; i < in->schema.count && !in->lies_apart; i++) {
        const sinter_plan_request *r = &in->schema.requests[i];
        if ((shadow == SINTER__SHADOW_FRESH ? r->start : r->end - 1) == step)
            sinter__shadow_bytes(&s->on->memory, s->queue, request_address(in, (uint32_t)i),
                                 r->bytes, shadow);
    }
}

/* A workspace holds nothing before the first step. */
static void shadow_workspace(const sinter_stream *s, const sinter__instance *in)
{
    if (in->parts[0] != NULL && !in->lies_apart)
        sinter__shadow_bytes(&s->on->memory, s->queue, in->parts[0]->address, in->parts[0]->bytes,
                             SINTER__SHADOW_CLOSED);
}

static void set_addresses(sinter__instance *in, const sinter__graph *g,
                          const sinter__entered *entered)
{
    const sinter__plan *plan = &in->compiled->plan;
    for (size_t t = 0; t < g->tensor_count; t++) {
        /* What has no elements has no place either, and not that of an earlier run, which may be gone. */
        if (g->tensors[t].producer == SINTER__NO_NODE)
            sinter__instance_place(in, t,
                                   entered[t].storage != NULL ? entered[t].storage->address
                                                              : (sinter__address){.memory = NULL});
    }
    for (uint16_t i = 0; i < plan->stored_count; i++) {
        uint16_t keeper = sinter__plan_keeper(plan, i);
        if (in->request_of[keeper] != UINT32_MAX)
            sinter__instance_place(in, plan->stored[i].tensor,
                                   request_address(in, in->request_of[keeper]));
        else if (in->made[keeper] != NULL)
            sinter__instance_place(in, plan->stored[i].tensor, in->made[keeper]->address);
    }
}

/* Launching */

/* Everything that the group writes has failed, for the same reason. */
SINTER__COLD static void fail_group(sinter__instance *in, uint16_t group, sinter__failure *failure)
{
    for (uint16_t i = 0; i < in->compiled->plan.stored_count; i++) {
        const sinter__stored *x = &in->compiled->plan.stored[i];
        if (x->group != group || in->failures[x->tensor] != NULL)
            continue;
        sinter__failure_retain(failure);
        in->failures[x->tensor] = failure;
    }
}

/* It failed by itself: what depends on it fails with it, and the stream tells of it at its next sync. */
SINTER__COLD static void lose_group(sinter_stream *s, sinter__instance *in, uint16_t group,
                                    sinter_status status)
{
    sinter__failure *failure = sinter__failure_create(&s->ctx->allocator, status);
    fail_group(in, group, failure);
    in->is_poisoned = true;
    sinter__stream_fail(s, failure);
    sinter__failure_release(&s->ctx->allocator, failure);
}

/* Before each launch of step `group`: asks the caller, and waits where the device has enough. A segment
 * that is cancelled stays so. */
static sinter_status before_launch(sinter_stream *s, const sinter__instance *in, uint16_t group,
                                   uint64_t bytes)
{
    const uint16_t steps = in->compiled->plan.group_count;
    if (!s->is_cancelled)
        s->is_cancelled =
            !sinter__hooks_go_on(&s->ctx->options, SINTER_PROGRESS_LAUNCH, group, steps);
    if (s->is_cancelled)
        return sinter__fail(SINTER_ECANCELLED, "cancelled before step %u of %u", group + 1u,
                            (unsigned)steps);
    sinter__pace_launch(s, bytes);
    return SINTER_OK;
}

/* Whoever asks for the time of each launch gets it: the stream waits before and after. */
static uint64_t start_clock(sinter_stream *s)
{
    sinter__pace_wait(s);
    return sinter__now_ns();
}

SINTER__COLD static void log_product(sinter_stream *s, const sinter__product *p, int64_t bytes,
                                     uint64_t time_ns)
{
    sinter__log_line(&s->ctx->log, SINTER__LOG_LAUNCH,
                     "CLBlast: %lld products, %lld x %lld x %lld, %lld bytes, %llu ns, %.2f "
                     "GFLOP/s",
                     (long long)p->gemm.items, (long long)p->gemm.m, (long long)p->gemm.n,
                     (long long)p->gemm.k, (long long)bytes, (unsigned long long)time_ns,
                     2.0 * (double)sinter__gemm_work(&p->gemm) * (double)p->gemm.items /
                         (double)time_ns);
}

SINTER__COLD static void log_launch(sinter_stream *s, const sinter__instance *in,
                                    const sinter__graph *g, uint16_t group, uint64_t start_ns)
{
    const sinter__limits limits = sinter__compiled_limits(in->compiled);
    sinter__pace_wait(s);
    uint64_t time_ns = SINTER__MAX(sinter__now_ns() - start_ns, (uint64_t)1);
    const sinter__launch *l = sinter__instance_launch(in, group, 0);
    sinter__bytes moved =
        sinter__nest_bytes(g, &in->compiled->plan.groups[group].nest, &in->bound[group], &limits);
    int64_t bytes = moved.read + moved.written;
    const sinter__product *p = sinter__instance_product(in, group);
    if (p != NULL) {
        log_product(s, p, bytes, time_ns);
        return;
    }
    sinter__log_line(
        &s->ctx->log, SINTER__LOG_LAUNCH,
        "%s: %u launches, global %zu x %zu, local %zu x %zu, %lld bytes, %llu ns, %.2f GB/s",
        l->kernel != NULL ? l->kernel->text.name : "host", in->launch_counts[group],
        l->geometry.global[0], l->geometry.global[1], l->geometry.local[0], l->geometry.local[1],
        (long long)bytes, (unsigned long long)time_ns, (double)bytes / (double)time_ns);
}

/* For a trace, and for batches of bounded bytes: what the launch of a group moves, or of the rows of its list that
 * run now. */
SINTER__COLD static void note_bytes(const sinter__instance *in, const sinter__graph *g,
                                    uint16_t group, sinter__row_range rows)
{
    const sinter__limits limits = sinter__compiled_limits(in->compiled);
    sinter__launch *l = sinter__instance_launch(in, group, 0);
    int count = l->row_count > 0 ? rows.count : 1;
    bool is_stored = in->rows_bytes > 0 && sinter__stored_rows_bytes(l) > 0;
    l->moved_bytes = is_stored ? 2 * sinter__rows_bytes(l, rows) : 0;
    for (int i = 0; i < count; i++) {
        const sinter__launch *row = l->row_count > 0 ? l->rows[rows.first + i] : l;
        sinter__bytes moved = sinter__nest_bytes(g, row->nest, row->bound, &limits);
        l->moved_bytes += (uint64_t)(moved.read + moved.written + moved.scratch);
    }
}

/* The products of a batch, each by the library. */
SINTER__COLD static sinter_status launch_product(sinter_stream *s, const sinter__instance *in,
                                                 uint16_t group, const sinter__operands *operands)
{
    sinter__opened *on = s->on;
    sinter__product *p = in->products[group];
    const sinter__gemm *x = &p->gemm;
    const uint64_t bytes =
        sinter_dtype_bytes(x->dtype) * (uint64_t)(x->m * x->k + x->k * x->n + x->m * x->n);
    for (int64_t i = 0; i < p->gemm.items; i++) {
        bool built;
        SINTER_TRY(before_launch(s, in, group, bytes));
        uint64_t start_ns = sinter__now_ns();
        SINTER_TRY(on->backend->gemm(on->state, s->queue, &p->gemm, i, operands, &p->kept, &built));
        if (s->span != NULL)
            s->span->has_gaps = true;
        if (built) {
            sinter__report_line(s, SINTER__LOG_DEVICE,
                                "CLBlast: the first product of %s took %.3f ms to start: its "
                                "kernels were built",
                                sinter_dtype_name(p->gemm.dtype),
                                (double)(sinter__now_ns() - start_ns) / 1e6);
        }
        s->progress.launched++;
        sinter__count(&s->counts.launches, 1);
    }
    return SINTER_OK;
}

/* The library does not say when its kernels run: for a report the stream waits for them. */
SINTER__COLD static void end_product(sinter_stream *s, uint16_t group, uint64_t start_ns)
{
    sinter__pace_wait(s);
    sinter__report_launched(s, group, NULL, start_ns);
}

/* Launch `k` of a group, told of to whoever wants its times. */
static sinter_status launch_kernel(sinter_stream *s, sinter__instance *in, uint16_t group, int k,
                                   sinter__row_range rows, const sinter__operands *operands,
                                   bool reported)
{
    sinter__opened *on = s->on;
    sinter__launch *l = sinter__instance_launch(in, group, k);
    bool first = !l->object.sent_any;
    bool is_timed = reported || s->span != NULL;
    void *event = NULL;
    SINTER_TRY(before_launch(s, in, group, k == 0 ? l->moved_bytes : 0));
    uint64_t start_ns = is_timed ? sinter__now_ns() : 0;
    SINTER_TRY(
        on->backend->launch(on->state, s->queue, l, rows, operands, is_timed ? &event : NULL));
    if (reported)
        sinter__report_launched(s, group, event, start_ns);
    if (s->span != NULL)
        sinter__span_launched(s, reported ? NULL : event, start_ns);
    if (first && l->kernel != NULL)
        atomic_store_explicit(&l->kernel->program->launched, true, memory_order_relaxed);
    s->progress.launched++;
    sinter__count(&s->counts.launches, 1);
    return SINTER_OK;
}

/* Room for the rows that a launch stores, if it does. */
static sinter_status stage_rows(sinter_stream *s, const sinter__instance *in, uint16_t group,
                                sinter__row_range rows, sinter__operands *operands)
{
    const sinter__launch *l = sinter__instance_launch(in, group, 0);
    if (in->rows_bytes == 0 || sinter__stored_rows_bytes(l) == 0)
        return SINTER_OK;
    return sinter__pace_take(s, sinter__rows_bytes(l, rows), &operands->staged);
}

/* `rows` counts where the launch runs a list. */
static sinter_status launch_group(sinter_stream *s, sinter__instance *in, const sinter__graph *g,
                                  uint16_t group, sinter__row_range rows)
{
    sinter__opened *on = s->on;
    sinter__operands operands = sinter__instance_operands(in, g, group);
    if (in->broken[group] != NULL)
        return sinter__failure_report(in->broken[group]);
    SINTER_TRY(stage_rows(s, in, group, rows, &operands));
    if ((on->trace != NULL || s->ctx->options.batch_bytes > 0) && in->launch_counts[group] > 0)
        note_bytes(in, g, group, rows);
    bool timed = sinter__logs(on->log, SINTER__LOG_LAUNCH);
    bool reported = s->report != NULL && sinter__report_times(s, in);
    uint64_t start_ns = timed ? start_clock(s) : 0;
    if (sinter__instance_product(in, group) != NULL) {
        uint64_t product_ns = reported ? start_clock(s) : 0;
        operands.scratch_bytes = sinter__instance_product(in, group)->scratch_bytes;
        SINTER_TRY(launch_product(s, in, group, &operands));
        if (reported)
            end_product(s, group, product_ns);
    }
    for (int k = 0; k < in->launch_counts[group]; k++)
        SINTER_TRY(launch_kernel(s, in, group, k, rows, &operands, reported));
    if (timed)
        log_launch(s, in, g, group, start_ns);
    return SINTER_OK;
}

/* Launches what copies for the updates of a group. */
static sinter_status launch_copies(sinter_stream *s, sinter__instance *in, const sinter__graph *g,
                                   uint16_t group)
{
    const sinter__plan *plan = &in->compiled->plan;
    for (uint16_t k = 0; k < plan->update_count; k++) {
        const sinter__update *u = &plan->updates[k];
        if (u->group == group && u->copy != SINTER__NO_GROUP)
            SINTER_TRY(launch_group(s, in, g, u->copy, (sinter__row_range){.count = 1}));
    }
    return SINTER_OK;
}

/* Launches a group alone; of a list, row `row` of what runs it. */
static void run_alone(sinter_stream *s, sinter__instance *in, const sinter__graph *g,
                      uint16_t group, uint16_t row)
{
    if (in->is_poisoned && sinter__split_poisoned(s, in, g, group))
        return;
    sinter_status status = launch_copies(s, in, g, group);
    if (status == SINTER_OK)
        status = launch_group(s, in, g, in->runs_with[group],
                              (sinter__row_range){.first = row, .count = 1});
    if (status != SINTER_OK)
        status = sinter__split_failed(s, in, g, group, status);
    if (status != SINTER_OK)
        lose_group(s, in, group, status);
}

/* How many rows from `first` on one launch runs: as many as lie in the memories that it takes. The first
 * always does. */
static uint16_t count_rows(const sinter__instance *in, const sinter__launch *l, uint16_t first)
{
    sinter__memories memories = {.count = 0};
    const sinter__row_range all = {.count = l->row_count};
    uint32_t most = sinter__row_memories(l->nest);
    uint16_t count = 0;
    /* the memories are those of then, so they are few enough */
    if (first == 0 && sinter__rows_sent(l, all, in->placement))
        return l->row_count;
    while (first + count < l->row_count &&
           sinter__memories_add(&memories, l->rows[first + count], in->addresses, most))
        count++;
    return count;
}

/* Launches rows of a list at once, after the copies that they wait for. */
static sinter_status launch_rows(sinter_stream *s, sinter__instance *in, const sinter__graph *g,
                                 uint16_t group, sinter__row_range rows)
{
    const sinter__launch *l = sinter__instance_launch(in, group, 0);
    for (uint16_t i = 0; i < rows.count; i++)
        SINTER_TRY(launch_copies(s, in, g, l->rows[rows.first + i]->group));
    return launch_group(s, in, g, group, rows);
}

/* The groups that the launch of `group` runs: as many at once as can be, and one by one where a value is
 * missing or the launch fails. */
static void run_list(sinter_stream *s, sinter__instance *in, const sinter__graph *g, uint16_t group)
{
    const sinter__launch *l = sinter__instance_launch(in, group, 0);
    for (sinter__row_range rows = {0}; rows.first < l->row_count;
         rows.first = (uint16_t)(rows.first + rows.count)) {
        rows.count = in->is_poisoned ? 1 : count_rows(in, l, rows.first);
        if (rows.count > 1 && launch_rows(s, in, g, group, rows) == SINTER_OK)
            continue;
        for (uint16_t i = 0; i < rows.count; i++)
            run_alone(s, in, g, l->rows[rows.first + i]->group, (uint16_t)(rows.first + i));
    }
}

static void run_group(sinter_stream *s, sinter__instance *in, const sinter__graph *g,
                      uint16_t group)
{
    if (in->compiled->plan.groups[group].copies != SINTER__NO_NODE)
        return; /* it runs with the group that waits for it */
    if (sinter__instance_launch(in, group, 0)->row_count > 0)
        run_list(s, in, g, group);
    else if (in->runs_with[group] == group)
        run_alone(s, in, g, group, 0);
}

/* After the launch that ran `group`, and of a list what follows it there. */
SINTER__COLD static void check_zones(sinter_stream *s, sinter__instance *in, const sinter__graph *g,
                                     const sinter__entered *entered, uint16_t group)
{
    for (uint16_t i = group; i < sinter__list_end(&in->compiled->plan, group); i++) {
        if (in->runs_with[i] != group)
            continue;
        sinter_status status = sinter__red_zone_check(s, in, g, entered, i);
        if (status != SINTER_OK)
            lose_group(s, in, i, status);
    }
}

/* The device was found to have failed while group `last` was run: what the segment has launched has no value, and what
 * entered it may have lost its own. */
SINTER__COLD static void lose_made(sinter_stream *s, sinter__instance *in, const sinter__graph *g,
                                   const sinter__entered *entered, uint16_t last)
{
    for (uint16_t i = 0; i < in->compiled->plan.group_count; i++) {
        if (i <= last || in->runs_with[i] <= last)
            fail_group(in, i, s->failures.lost);
    }
    for (size_t t = 0; t < g->tensor_count; t++) {
        if (g->tensors[t].producer == SINTER__NO_NODE && in->failures[t] == NULL)
            in->failures[t] = entered[t].failure;
    }
    in->is_poisoned = true;
}

/* Results that took over a storage that entered. */
static uint64_t count_donations(const sinter__instance *in)
{
    uint64_t count = 0;
    for (uint16_t i = 0; i < in->compiled->plan.stored_count; i++) {
        const sinter__stored *x = &in->compiled->plan.stored[i];
        count += x->donor != SINTER__NO_TENSOR && in->made[i] != NULL;
    }
    return count;
}

void sinter__instance_run(sinter_stream *s, sinter__instance *in, const sinter__graph *g,
                          sinter__entered *entered)
{
    sinter__opened *on = s->on;
    uint64_t losses = s->failures.losses;
    bool has_coming = s->has_coming;
    uint16_t recorded_from;
    sinter__count(&s->counts.donations, count_donations(in));
    set_addresses(in, g, entered);
    if (SINTER__SHADOWS)
        shadow_workspace(s, in);
    bool is_recorded = sinter__recording_find(s, in, g, &recorded_from);
    for (uint16_t i = 0; i < in->compiled->plan.group_count; i++) {
        if (is_recorded && i == recorded_from && sinter__recording_replay(s, in))
            break;
        if (has_coming)
            sinter__coming_bring(s, in, g, entered, i);
        if (SINTER__SHADOWS)
            shadow_requests(s, in, i, SINTER__SHADOW_FRESH);
        run_group(s, in, g, i);
        if (SINTER__SHADOWS)
            shadow_requests(s, in, i, SINTER__SHADOW_CLOSED);
        if (s->failures.losses != losses) {
            lose_made(s, in, g, entered, i);
            losses = s->failures.losses;
        }
        if (on->memory.mode == SINTER_MEMORY_RED_ZONE)
            check_zones(s, in, g, entered, i);
    }
    sinter__recording_note(s, in);
    if (has_coming)
        sinter__coming_keep(s, in, g, entered);
    for (uint16_t i = 0; i < in->compiled->plan.stored_count; i++) {
        if (in->made[i] != NULL)
            in->made[i]->written = s->progress.launched;
    }
    sinter__count(&s->counts.bytes_moved, (uint64_t)in->bytes_moved);
    sinter__count(&s->counts.bytes_bound, (uint64_t)in->bytes_bound);
}
