/* The one hard idea: a recording holds the arguments of its launches, and a segment's results lie
 * now here, now there: where the pool has room. So an instance has several, each with the words of
 * what its kernels were given, and one is good when they are what they would be given now. Making
 * one takes as long as a few dozen launches, so that a run must have come often with the same words
 * before there is one (docs/decisions/command-buffers.md). */
#include "executor/run/recording.h"

#include "executor/report/report.h"

#include <string.h>

/* Results that alternate between two places, and inputs that do, make four. */
#define KEPT 4

/* Runs in a row with words that none before had, after which nobody looks any more. */
#define MOST_NEW 64

typedef struct kept {
    void *handle;    /* the backend's; NULL: there is none yet */
    uint64_t *words; /* of what the kernels are given */
    uint32_t seen;   /* runs that had them; 0: it is not in use */
    uint64_t last;   /* number of the last of them */
} kept;

/* A launch, and the group with which it runs: that of an update has the copies that it waits for. */
typedef struct entry {
    sinter__launch *launch;
    uint16_t runs_with;
} entry;

struct sinter__recordings {
    size_t bytes; /* of all this */
    bool is_given_up;
    size_t word_count;
    uint64_t *words; /* of the run that is looked for */
    kept all[KEPT];
    kept *now; /* what has them; NULL: nobody looked */
    uint64_t runs;
    uint32_t new_in_a_row;
    size_t count;
    entry entries[]; /* in the order in which they run */
};

/* Launches of group `of` at the end of the list; without one they are counted. */
static void list(sinter__recordings *r, size_t *count, const sinter__instance *in, uint16_t of,
                 uint16_t runs_with)
{
    for (int k = 0; k < in->launch_counts[of]; k++, (*count)++) {
        if (r != NULL)
            r->entries[*count] = (entry){sinter__instance_launch(in, of, k), runs_with};
    }
}

static size_t list_all(sinter__recordings *r, const sinter__instance *in)
{
    const sinter__plan *plan = &in->compiled->plan;
    size_t count = 0;
    for (uint16_t i = 0; i < plan->group_count; i++) {
        if (plan->groups[i].copies != SINTER__NO_NODE)
            continue;
        for (uint16_t u = 0; u < plan->update_count; u++) {
            if (plan->updates[u].group == i && plan->updates[u].copy != SINTER__NO_GROUP)
                list(r, &count, in, plan->updates[u].copy, i);
        }
        list(r, &count, in, i, i);
    }
    return count;
}

/* Whether all launches of the instance are ones that can be recorded: kernels of ours, none of which runs a list. */
static bool is_plain(const sinter__instance *in)
{
    for (uint16_t i = 0; i < in->compiled->plan.group_count; i++) {
        if (in->broken[i] != NULL || sinter__instance_product(in, i) != NULL ||
            in->runs_with[i] != i || sinter__instance_launch(in, i, 0)->row_count > 0)
            return false;
    }
    return true;
}

/* Those that are recorded: what the calling thread may run at once at the beginning stays out, by whole groups. */
static void list_recorded(sinter__recordings *r, const sinter__instance *in,
                          const sinter__limits *limits)
{
    const sinter__row_range one = {.count = 1};
    size_t first = 0;
    r->count = list_all(r, in);
    while (first < r->count &&
           sinter__is_at_once(limits, sinter__launch_work(r->entries[first].launch, one)))
        first++;
    while (first > 0 && first < r->count &&
           r->entries[first - 1].runs_with == r->entries[first].runs_with)
        first--;
    r->count -= first;
    memmove(r->entries, &r->entries[first], r->count * sizeof *r->entries);
}

static size_t count_words(const sinter__recordings *r, const sinter__backend *backend)
{
    size_t words = 0;
    for (size_t i = 0; i < r->count; i++)
        words += backend->argument_words(r->entries[i].launch);
    return words;
}

static void forget(const sinter__opened *on, kept *k)
{
    if (k->handle != NULL)
        on->backend->recording_release(on->state, k->handle);
    k->handle = NULL;
    k->seen = 0;
}

void sinter__recording_drop(const sinter__opened *on, sinter__instance *in)
{
    sinter__recordings *r = in->recordings;
    in->recordings = NULL;
    in->has_decided_recordings = false;
    if (r == NULL)
        return;
    for (int i = 0; i < KEPT; i++)
        forget(on, &r->all[i]);
    sinter__free(on->allocator, r->words, (KEPT + 1) * r->word_count * sizeof *r->words);
    sinter__free(on->allocator, r, r->bytes);
}

/* What a binding has recorded. Nothing where host memory is short. */
SINTER__COLD static void decide(const sinter__opened *on, sinter__instance *in)
{
    const size_t most = is_plain(in) ? list_all(NULL, in) : 0;
    const size_t bytes = sizeof(sinter__recordings) + most * sizeof(entry);
    const size_t from = on->limits.tuning.record_from;
    sinter__recordings *r = NULL;
    if (from > 0 && most >= from)
        r = sinter__alloc(on->allocator, bytes);
    if (r != NULL) {
        r->bytes = bytes;
        list_recorded(r, in, &on->limits);
        r->word_count = count_words(r, on->backend);
        r->words = sinter__alloc_array(on->allocator, (KEPT + 1) * r->word_count, sizeof *r->words);
        for (int i = 0; i < KEPT && r->words != NULL; i++)
            r->all[i].words = r->words + (size_t)(i + 1) * r->word_count;
        in->recordings = r;
        if (r->words == NULL || r->count < from)
            sinter__recording_drop(on, in);
    }
    in->has_decided_recordings = true;
}

size_t sinter__recording_count(const sinter__opened *on, sinter__instance *in)
{
    if (!in->has_decided_recordings)
        decide(on, in);
    return in->recordings != NULL ? in->recordings->count : 0;
}

/* Whether this run is one that may be recorded: whoever asks for single launches gets them. */
static bool is_asked_for(const sinter_stream *s, const sinter__instance *in)
{
    const sinter__opened *on = s->on;
    const sinter_context_options *o = &s->ctx->options;
    return on->limits.tuning.record_from > 0 && on->backend->record != NULL && !in->is_poisoned &&
           !s->has_coming && s->span == NULL && o->progress_fn == NULL && o->cancel_fn == NULL &&
           o->batch_launches == 0 && o->batch_bytes == 0 &&
           !sinter__logs(on->log, SINTER__LOG_LAUNCH) &&
           (s->report == NULL || !sinter__report_times(s, in));
}

static void write_words(const sinter__opened *on, const sinter__instance *in,
                        const sinter__graph *g, sinter__recordings *r)
{
    uint64_t *words = r->words;
    for (size_t i = 0; i < r->count; i++) {
        const sinter__launch *l = r->entries[i].launch;
        const sinter__operands operands = sinter__instance_operands(in, g, l->group);
        on->backend->arguments(l, &operands, words);
        words += on->backend->argument_words(l);
    }
}

static void give_up(const sinter__opened *on, sinter__recordings *r)
{
    for (int i = 0; i < KEPT; i++)
        forget(on, &r->all[i]);
    r->now = NULL;
    r->is_given_up = true;
}

/* What has the words of this run, in the place of the least recently used where none does. */
static kept *look_up(const sinter__opened *on, sinter__recordings *r)
{
    kept *oldest = &r->all[0];
    for (kept *k = r->all; k < r->all + KEPT; k++) {
        if (k->seen > 0 && memcmp(k->words, r->words, r->word_count * sizeof *r->words) == 0) {
            r->new_in_a_row = 0;
            return k;
        }
        oldest = k->last < oldest->last ? k : oldest;
    }
    forget(on, oldest);
    memcpy(oldest->words, r->words, r->word_count * sizeof *r->words);
    r->new_in_a_row++;
    return oldest;
}

bool sinter__recording_find(sinter_stream *s, sinter__instance *in, const sinter__graph *g,
                            uint16_t *first)
{
    if (!is_asked_for(s, in) || sinter__recording_count(s->on, in) == 0)
        return false;
    sinter__recordings *r = in->recordings;
    if (r->is_given_up)
        return false;
    write_words(s->on, in, g, r);
    r->now = look_up(s->on, r);
    r->now->last = ++r->runs;
    r->now->seen++;
    *first = r->entries[0].runs_with;
    bool is_recorded = r->now->handle != NULL;
    if (r->new_in_a_row > MOST_NEW)
        give_up(s->on, r);
    return is_recorded;
}

SINTER__COLD static void fail(const sinter_stream *s, sinter__recordings *r)
{
    sinter__log_line(&s->ctx->log, SINTER__LOG_WARNING,
                     "%zu launches are enqueued one by one, a recording of them failed: %s",
                     r->count, sinter_last_error());
    sinter__clear_error();
    give_up(s->on, r);
}

bool sinter__recording_replay(sinter_stream *s, sinter__instance *in)
{
    const sinter__opened *on = s->on;
    sinter__recordings *r = in->recordings;
    kept *k = r->now;
    r->now = NULL;
    if (in->is_poisoned) /* by what ran before them */
        return false;
    if (on->backend->replay(on->state, s->queue, k->handle, r->count) != SINTER_OK) {
        fail(s, r);
        return false;
    }
    s->progress.launched += r->count;
    sinter__count(&s->counts.launches, r->count);
    return true;
}

/* Whether the kernels have been given these words. */
static bool were_given(const sinter__backend *backend, const sinter__recordings *r,
                       const uint64_t *words)
{
    for (size_t i = 0; i < r->count; i++) {
        const sinter__object *o = &r->entries[i].launch->object;
        size_t count = backend->argument_words(r->entries[i].launch);
        if (!o->sent_any || memcmp(o->sent, words, count * sizeof *words) != 0)
            return false;
        words += count;
    }
    return true;
}

SINTER__COLD static void make(const sinter_stream *s, sinter__recordings *r, kept *k)
{
    const sinter__opened *on = s->on;
    sinter__launch **launches = sinter__alloc_array(on->allocator, r->count, sizeof(*launches));
    sinter_status status = launches != NULL ? SINTER_OK : SINTER_ENOMEM;
    for (size_t i = 0; i < r->count && launches != NULL; i++)
        launches[i] = r->entries[i].launch;
    if (status == SINTER_OK)
        status = on->backend->record(on->state, s->queue, launches, r->count, &k->handle);
    sinter__free(on->allocator, launches, r->count * sizeof(*launches));
    if (status != SINTER_OK) {
        fail(s, r);
        return;
    }
    sinter__log_line(&s->ctx->log, SINTER__LOG_REASON,
                     "%zu launches came %u times with the same arguments: recorded as one",
                     r->count, (unsigned)k->seen);
}

void sinter__recording_note(sinter_stream *s, sinter__instance *in)
{
    sinter__recordings *r = in->recordings;
    kept *k = r != NULL ? r->now : NULL;
    if (k == NULL)
        return;
    r->now = NULL;
    if (k->seen >= s->on->limits.tuning.record_after && !in->is_poisoned &&
        were_given(s->on->backend, r, k->words))
        make(s, r, k);
}
