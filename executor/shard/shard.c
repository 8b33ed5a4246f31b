/* One program over several streams: the public functions of include/sinter/shard.h. */
#include "executor/shard/shard.h"

#include "core/sized.h"
#include "fusion/nest/tree.h"
#include "sinter/stream.h"

#include <math.h>
#include <stdio.h>

#define MOST 65536 /* inputs, outputs */
#define FIRST_PAUSE_NS ((uint64_t)20000)
#define LAST_PAUSE_NS ((uint64_t)1000000)
#define MANY_GRANULES 8 /* for each stream: with fewer, parts would differ too much in size */

/* MB/s of a device of which none is known, by its kind (sinter_device_kind). */
static const uint32_t bandwidths[] = {20, 10000, 200000, 20000};

/* Making and ending */

static sinter_status check_streams(size_t count, sinter_stream *const *streams)
{
    if (count == 0 || count > SINTER_MAX_SHARDS)
        return sinter__fail(SINTER_EINVAL, "%zu streams of 1 to %d", count, SINTER_MAX_SHARDS);
    for (size_t k = 0; k < count; k++) {
        if (streams[k] == NULL)
            return sinter__fail(SINTER_EINVAL, "stream %zu is NULL", k);
        if (streams[k]->ctx != streams[0]->ctx)
            return sinter__fail(SINTER_EINVAL, "streams 0 and %zu are of two contexts", k);
        for (size_t j = 0; j < k; j++) {
            if (streams[j] == streams[k])
                return sinter__fail(SINTER_EINVAL, "streams %zu and %zu are one", j, k);
        }
    }
    return SINTER_OK;
}

static sinter_status take_options(sinter_shard *shard, const sinter_shard_options *o)
{
    double sum = 0;
    if (o->root >= shard->count)
        return sinter__fail(SINTER_EINVAL, "options: root %u of %zu", o->root, shard->count);
    if (o->granule_rows < 0)
        return sinter__fail(SINTER_EINVAL, "options: granule_rows is %lld",
                            (long long)o->granule_rows);
    shard->root = o->root;
    shard->granule = o->granule_rows;
    shard->balance.is_fixed = o->shares != NULL;
    for (size_t k = 0; k < shard->count && o->shares != NULL; k++) {
        if (!(o->shares[k] >= 0))
            return sinter__fail(SINTER_EINVAL, "options: share %zu is %g", k, o->shares[k]);
        shard->balance.shares[k].guess = o->shares[k];
        sum += o->shares[k];
    }
    if (o->shares != NULL && (!(sum > 0) || !isfinite(sum)))
        return sinter__fail(SINTER_EINVAL, "options: the shares come to %g", sum);
    return SINTER_OK;
}

/* Before anything is measured: by the device's bandwidth, which its streams share. */
static void guess(sinter_shard *shard)
{
    for (size_t k = 0; k < shard->count; k++) {
        const sinter__opened *on = shard->streams[k]->on;
        uint32_t bandwidth = on->rates.figures[SINTER__FIGURE_copy_far];
        uint32_t streams = 0;
        for (size_t j = 0; j < shard->count; j++)
            streams += shard->streams[j]->on == on;
        if (bandwidth == 0)
            bandwidth = bandwidths[on->device.info.kind];
        shard->balance.shares[k].guess = (double)bandwidth / streams;
    }
}

/* The stream measures its launches, and is not destroyed before the shard. */
static sinter_status join_stream(sinter_stream *s)
{
    SINTER_TRY(sinter__call_begin(s, "shard_create"));
    sinter_status status = sinter__stream_time(s);
    s->shards += status == SINTER_OK;
    sinter__call_end(s);
    return status;
}

SINTER__COLD static sinter_status create(size_t count, sinter_stream *const *streams,
                                         const sinter_shard_options *options, sinter_shard **out)
{
    sinter_shard_options o = SINTER_SHARD_OPTIONS_INIT;
    if (options != NULL)
        SINTER_TRY(sinter__sized_take("options", &o, sizeof o, options));
    SINTER_TRY(check_streams(count, streams));
    sinter_shard *shard = sinter__alloc(&streams[0]->ctx->allocator, sizeof *shard);
    if (shard == NULL)
        return SINTER_ENOMEM;
    shard->ctx = streams[0]->ctx;
    shard->balance.count = count;
    shard->count = count;
    sinter_status status = take_options(shard, &o);
    shard->count = 0; /* that have joined */
    for (; shard->count < count && status == SINTER_OK; shard->count += status == SINTER_OK) {
        shard->streams[shard->count] = streams[shard->count];
        status = join_stream(streams[shard->count]);
    }
    if (status != SINTER_OK) {
        sinter_shard_destroy(shard);
        return status;
    }
    if (!shard->balance.is_fixed)
        guess(shard);
    *out = shard;
    return SINTER_OK;
}

SINTER__COLD sinter_status sinter_shard_create(size_t count, sinter_stream *const *streams,
                                               const sinter_shard_options *options,
                                               sinter_shard **out)
{
    sinter__clear_error();
    if (out != NULL)
        *out = NULL;
    if (streams == NULL || out == NULL)
        return sinter__fail(SINTER_EINVAL, "shard_create: an argument is NULL");
    sinter_status status = create(count, streams, options, out);
    return status == SINTER_OK ? status : sinter__fail_in(status, "shard_create");
}

SINTER__COLD void sinter_shard_destroy(sinter_shard *shard)
{
    if (shard == NULL)
        return;
    if (shard->count > 0)
        sinter__shard_forget(shard);
    for (size_t k = 0; k < shard->count; k++) {
        sinter_stream *s = shard->streams[k];
        (void)pthread_mutex_lock(&s->lock);
        sinter__span_drop(s, &shard->spans[k]);
        s->shards--;
        (void)pthread_mutex_unlock(&s->lock);
    }
    sinter__free(&shard->ctx->allocator, shard, sizeof *shard);
}

/* Measuring */

/* The time from one run to the next, where both go the same way. */
static void note_start(sinter_shard *shard, uint64_t start_ns)
{
    const sinter__begun *last = &shard->begun;
    sinter__begun now = shard->timed;
    now.start_ns = start_ns;
    if (last->start_ns != 0 && start_ns > last->start_ns && last->run >= now.since)
        sinter__worth_took(&shard->worth, now.way,
                           (double)(start_ns - last->start_ns) / (double)(now.run - last->run) /
                               (double)now.total);
    shard->begun = now;
}

/* Of stream `k`. What it does with all rows says nothing of a part, as streams may share what they need. */
static void note_time(sinter_shard *shard, size_t k, uint64_t time_ns, bool is_alone)
{
    sinter__share *share = &shard->balance.shares[k];
    if (!is_alone) {
        sinter__balance_correct(&shard->balance, k, shard->timed_rows[k], time_ns);
        return;
    }
    share->timed_rows = shard->timed_rows[k];
    share->time_ns = time_ns;
}

/* What is known of the last parts by now. */
static sinter_status settle(sinter_shard *shard, const char *where)
{
    for (size_t k = 0; k < shard->count; k++) {
        sinter_stream *s = shard->streams[k];
        uint64_t time_ns = 0;
        uint64_t start_ns = 0;
        if (!shard->spans[k].is_open)
            continue;
        SINTER_TRY(sinter__call_begin(s, where));
        bool done = sinter__span_settle(s, &shard->spans[k], &time_ns, &start_ns);
        sinter__call_end(s);
        shard->is_timeless[k] |= done && time_ns == 0;
        if (done && k == shard->root)
            note_start(shard, start_ns);
        if (done && time_ns > 0)
            note_time(shard, k, time_ns, k == shard->root && shard->timed.way == SINTER__WAY_ALONE);
    }
    return SINTER_OK;
}

static bool is_on_the_way(sinter_shard *shard, size_t k)
{
    sinter_stream *s = shard->streams[k];
    if (!shard->is_timeless[k] || !shard->spans[k].is_open)
        return false;
    (void)pthread_mutex_lock(&s->lock);
    bool done = sinter__span_poll(s, &shard->spans[k]);
    (void)pthread_mutex_unlock(&s->lock);
    return !done;
}

/* Where parts of other devices are waited for anyway: those of devices without times are looked at until they are
 * done, so that the host's clock tells what they take. */
static void watch(const sinter__shard_run *r)
{
    sinter_shard *shard = r->shard;
    uint64_t start_ns = sinter__now_ns();
    bool is_waited_for = false;
    bool goes_on = true;
    for (size_t k = 0; k < shard->count; k++)
        is_waited_for |= r->rows[k] > 0 && shard->streams[k]->on != shard->streams[shard->root]->on;
    while (is_waited_for && goes_on) {
        goes_on = false;
        for (size_t k = 0; k < shard->count; k++)
            goes_on |= is_on_the_way(shard, k);
        uint64_t passed_ns = sinter__now_ns() - start_ns;
        if (goes_on)
            sinter__pause(SINTER__MIN(SINTER__MAX(passed_ns / 32, FIRST_PAUSE_NS), LAST_PAUSE_NS));
    }
}

/* The launches of a part are timed, if those of an earlier one are not still on their way. */
static sinter_status begin_timing(sinter_shard *shard, size_t k, int64_t rows)
{
    sinter_stream *s = shard->streams[k];
    if (rows == 0 || shard->spans[k].is_open)
        return SINTER_OK;
    SINTER_TRY(sinter__call_begin(s, "shard_run"));
    sinter__span_begin(s, &shard->spans[k]);
    shard->timed_rows[k] = rows;
    if (k == shard->root)
        shard->timed = shard->current;
    sinter__call_end(s);
    return SINTER_OK;
}

static void end_timing(sinter_stream *s)
{
    (void)pthread_mutex_lock(&s->lock);
    sinter__span_end(s);
    (void)pthread_mutex_unlock(&s->lock);
}

/* Splitting */

/* So that sums need not have all rows in one place, parts begin where a run of the canonical order does; but not
 * where that would leave few. */
static int64_t find_granule(const sinter__shard_run *r)
{
    const sinter_shard *shard = r->shard;
    bool sums = false;
    if (shard->granule > 0)
        return shard->granule;
    for (size_t o = 0; o < r->output_count; o++)
        sums |= r->outputs[o].join == SINTER_SHARD_SUM || r->outputs[o].join == SINTER_SHARD_PROD;
    int64_t run = SINTER__MAX(shard->run, (int64_t)SINTER__TREE_RUN);
    return sums && r->total / run >= MANY_GRANULES * (int64_t)shard->count ? run : 1;
}

/* Whether the root could do alone what it does with others. */
static bool has_choice(const sinter__shard_run *r)
{
    const sinter_shard *shard = r->shard;
    int64_t rows = shard->balance.shares[shard->root].rows;
    return !shard->balance.is_fixed && rows > 0 && rows < r->total;
}

/* All rows for the root. */
static void gather(sinter_shard *shard, int64_t total)
{
    const sinter__worth *w = &shard->worth;
    for (size_t k = 0; k < shard->count; k++)
        shard->balance.shares[k].rows = k == shard->root ? total : 0;
    if (w->tries) {
        (void)snprintf(shard->balance.why, sizeof shard->balance.why,
                       "all rows on the root stream: tried, to see whether splitting them pays");
    } else {
        (void)snprintf(shard->balance.why, sizeof shard->balance.why,
                       "all rows on the root stream: it takes %.3g ns a row, with the joining of "
                       "parts %.3g; that is tried again in %u runs",
                       sinter__worth_time(w, SINTER__WAY_ALONE),
                       sinter__worth_time(w, SINTER__WAY_SPLIT), (unsigned)w->left);
    }
}

/* Where the next run differs from the last one, the time between them is of no use. */
static void begin_run(sinter_shard *shard, uint32_t way, int64_t total)
{
    sinter__begun *c = &shard->current;
    int64_t rows = shard->balance.shares[shard->root].rows;
    bool differs = c->way != way || c->total != total || c->rows != rows;
    if (differs && c->way == way && c->total == total && way == SINTER__WAY_SPLIT)
        sinter__worth_resplit(&shard->worth);
    c->run++;
    if (differs)
        *c = (sinter__begun){
            .run = c->run, .since = c->run, .way = way, .total = total, .rows = rows};
}

/* The rows of each stream, by the balance, or as it is tried. */
static void choose(sinter__shard_run *r)
{
    sinter_shard *shard = r->shard;
    int64_t granule = find_granule(r);
    uint32_t way = SINTER__WAY_SPLIT;
    sinter__balance_split(&shard->balance, r->total, granule);
    if (has_choice(r))
        way = sinter__worth_next(&shard->worth);
    if (way == SINTER__WAY_ALONE)
        gather(shard, r->total);
    else if (!shard->worth.tries)
        sinter__balance_probe(&shard->balance, r->total, granule);
    begin_run(shard, way, r->total);
}

static void split(sinter__shard_run *r)
{
    sinter_shard *shard = r->shard;
    int64_t first = 0;
    choose(r);
    r->last = shard->root;
    for (size_t k = 0; k < shard->count; k++) {
        r->first[k] = first;
        r->rows[k] = shard->balance.shares[k].rows;
        first += r->rows[k];
        if (r->rows[k] > 0)
            r->last = k;
    }
}

/* Running */

/* Queues the program for part `k`, in a scope of its own. */
static sinter_status call(sinter__shard_run *r, size_t k, sinter_shard_fn program, void *user)
{
    const sinter_shard_part part = {.size = sizeof part,
                                    .index = (uint32_t)k,
                                    .first = r->first[k],
                                    .rows = r->rows[k],
                                    .total_rows = r->total};
    sinter_tensor *made = &r->made[k * r->output_count];
    sinter_status status =
        program(user, r->shard->streams[k], &part, &r->parts[k * r->input_count], made);
    if (status != SINTER_OK)
        return sinter__fail_in(status, "the program");
    if (r->shard->streams[k]->mapped != NULL) /* its scope takes that back */
        return sinter__fail(SINTER_EINVAL, "the program leaves a tensor mapped");
    for (size_t o = 0; o < r->output_count; o++) {
        if (made[o].id == 0)
            return sinter__fail(SINTER_EINVAL, "output %zu was not made", o);
    }
    return sinter__shard_reduce(r, k);
}

/* Ends the scopes that were opened since there were `depth`, which releases what was made in them. The thread's
 * message stays. */
static void end_scopes(sinter_stream *s, size_t depth)
{
    sinter__message why;
    sinter__message_keep(&why);
    while (s->scopes.depth > depth && sinter_scope_close(s, 0, NULL) == SINTER_OK) {
    }
    sinter__message_give_back(&why);
}

/* Ends the scope of part `k`; what was made for the outputs stays, if all has gone well. */
static sinter_status leave_scope(sinter__shard_run *r, size_t k, size_t depth, sinter_status status)
{
    sinter_stream *s = r->shard->streams[k];
    sinter_tensor *made = &r->made[k * r->output_count];
    size_t count = 0;
    for (size_t o = 0; o < r->output_count; o++) {
        r->keep[count++] = made[o];
        if (r->tails[o].id != 0)
            r->keep[count++] = r->tails[o];
    }
    if (status == SINTER_OK && s->scopes.depth != depth + 1)
        status = sinter__fail(SINTER_EINVAL, "the program closes other scopes than it opens");
    if (status == SINTER_OK)
        status = sinter_scope_close(s, count, r->keep);
    if (status == SINTER_OK)
        return status;
    for (size_t o = 0; o < r->output_count; o++)
        made[o].id = r->tails[o].id = 0;
    end_scopes(s, depth);
    return status;
}

static sinter_status run_part(sinter__shard_run *r, size_t k, sinter_shard_fn program, void *user)
{
    sinter_stream *s = r->shard->streams[k];
    size_t depth = s->scopes.depth;
    SINTER_TRY(begin_timing(r->shard, k, r->rows[k]));
    sinter_status status = sinter_scope_open(s);
    if (status == SINTER_OK)
        status = leave_scope(r, k, depth, call(r, k, program, user));
    if (status == SINTER_OK)
        status = sinter_stream_flush(s);
    end_timing(s);
    return status;
}

static void release_all(const sinter__shard_run *r, sinter_tensor *handles, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        sinter__release_quietly(r->shard->streams[r->shard->root], handles[i]);
        handles[i].id = 0;
    }
}

/* The parts of the inputs go when all have been queued: before that a stream may be cut by what another needs. */
static sinter_status run_parts(sinter__shard_run *r, sinter_shard_fn program, void *user)
{
    sinter_shard *shard = r->shard;
    SINTER_TRY(sinter__shard_deal(r));
    for (size_t k = 0; k < shard->count; k++) {
        if (!sinter__shard_has(r, k))
            continue;
        sinter_status status = run_part(r, k, program, user);
        if (status != SINTER_OK) {
            char where[48];
            (void)snprintf(where, sizeof where, "part %zu of %zu", k, shard->count);
            return sinter__fail_in(status, where);
        }
        for (size_t i = 0; i < r->input_count; i++) {
            sinter__release_quietly(shard->streams[k], r->parts[k * r->input_count + i]);
            r->parts[k * r->input_count + i].id = 0;
        }
    }
    return SINTER_OK;
}

static sinter_status run(sinter__shard_run *r, sinter_shard_fn program, void *user,
                         sinter_tensor *results)
{
    SINTER_TRY(settle(r->shard, "shard_run"));
    SINTER_TRY(sinter__shard_rows(r, &r->total));
    split(r);
    r->shard->run = 0;
    SINTER_TRY(run_parts(r, program, user));
    watch(r);
    for (size_t o = 0; o < r->output_count; o++)
        SINTER_TRY(sinter__shard_join(r, o, &results[o]));
    return SINTER_OK;
}

static sinter_status check_outputs(const sinter__shard_run *r)
{
    for (size_t o = 0; o < r->output_count; o++) {
        if ((unsigned)r->outputs[o].join > SINTER_SHARD_MIN)
            return sinter__fail(SINTER_EINVAL, "output %zu: join %d", o, (int)r->outputs[o].join);
    }
    return SINTER_OK;
}

/* With room for all handles. */
static sinter_status run_in(sinter__shard_run *r, sinter_shard_fn program, void *user,
                            sinter_tensor *results)
{
    sinter__allocator *a = &r->shard->ctx->allocator;
    size_t inputs = r->shard->count * r->input_count;
    size_t outputs =
        (r->shard->count + 3) * r->output_count; /* the tails, and twice what is kept */
    size_t bytes = (inputs + outputs) * sizeof *r->parts + r->output_count * sizeof *r->descs;
    r->descs = sinter__alloc(a, bytes);
    if (r->descs == NULL)
        return SINTER_ENOMEM;
    r->parts = (sinter_tensor *)(void *)(r->descs + r->output_count);
    r->made = r->parts + inputs;
    r->tails = r->made + r->shard->count * r->output_count;
    r->keep = r->tails + r->output_count;
    sinter_status status = run(r, program, user, results);
    release_all(r, r->parts, inputs);
    release_all(r, r->made, r->shard->count * r->output_count);
    release_all(r, r->tails, r->output_count);
    if (status != SINTER_OK)
        release_all(r, results, r->output_count);
    sinter__free(a, r->descs, bytes);
    return status;
}

sinter_status sinter_shard_run(sinter_shard *shard, sinter_shard_fn program, void *user,
                               size_t input_count, const sinter_shard_input *inputs,
                               size_t output_count, const sinter_shard_output *outputs,
                               sinter_tensor *results)
{
    sinter__clear_error();
    for (size_t o = 0; o < output_count && results != NULL; o++)
        results[o] = (sinter_tensor){0};
    if (shard == NULL || program == NULL || inputs == NULL ||
        ((outputs == NULL || results == NULL) && output_count > 0))
        return sinter__fail(SINTER_EINVAL, "shard_run: an argument is NULL");
    if (input_count > MOST || output_count > MOST)
        return sinter__fail(SINTER_ERANGE, "shard_run: %zu inputs and %zu outputs of at most %d",
                            input_count, output_count, MOST);
    sinter__shard_run r = {.shard = shard,
                           .input_count = input_count,
                           .output_count = output_count,
                           .inputs = inputs,
                           .outputs = outputs};
    sinter_status status = check_outputs(&r);
    if (status == SINTER_OK)
        status = run_in(&r, program, user, results);
    if (status != SINTER_OK)
        return sinter__fail_in(status, "shard_run");
    sinter__clear_error(); /* of what was tried first */
    return status;
}

SINTER__COLD sinter_status sinter_shard_report(sinter_shard *shard, size_t index,
                                               sinter_shard_state *out)
{
    sinter__clear_error();
    if (shard == NULL || out == NULL)
        return sinter__fail(SINTER_EINVAL, "shard_report: an argument is NULL");
    if (index >= shard->count)
        return sinter__fail(SINTER_EINVAL, "shard_report: stream %zu of %zu", index, shard->count);
    SINTER_TRY(sinter__sized_check("shard_report: a result", out->size));
    SINTER_TRY(settle(shard, "shard_report"));
    const sinter__share *share = &shard->balance.shares[index];
    bool is_alone = shard->current.way == SINTER__WAY_ALONE;
    const sinter_shard_state state = {
        .device = (uint32_t)(shard->streams[index]->on - shard->ctx->devices),
        .share = is_alone ? index == shard->root : share->used,
        .rows = share->rows,
        .rows_per_second = share->rate,
        .timed_rows = share->timed_rows,
        .time_ns = share->time_ns,
        .timed_runs = share->runs,
        .why = shard->balance.why};
    sinter__sized_give(out, out->size, &state, sizeof state);
    return SINTER_OK;
}
