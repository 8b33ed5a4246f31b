#include "fusion/queue/queue.h"

#include <string.h>

/* A segment that is cut at a cap holds at least this many operations when the loop is shorter and
 * the cap leaves room for them. */
#define LOOP_OPERATIONS 64
/* Operations that must repeat before a loop is believed in. */
#define REPEAT_OPERATIONS 4

static const char *const cut_texts[SINTER__CUT_COUNT] = {
    [SINTER__CUT_NONE] = "not cut",
    [SINTER__CUT_READ] = "a result was read",
    [SINTER__CUT_SYNC] = "sync",
    [SINTER__CUT_FLUSH] = "flush",
    [SINTER__CUT_FOREIGN] = "another stream used a pending tensor",
    [SINTER__CUT_PLAN] = "a known plan was complete and another operation followed",
    [SINTER__CUT_OPERATIONS] = "limit: operations queued",
    [SINTER__CUT_BYTES] = "limit: bytes of pending results",
    [SINTER__CUT_BUDGET] = "limit: inputs that only the queue holds, under a budget",
    [SINTER__CUT_FIT] = "limit: with what follows it does not fit the budget",
    [SINTER__CUT_EVERY] = "every operation is run at once",
};

const char *sinter__cut_text(sinter__cut cut)
{
    return cut_texts[cut];
}

SINTER__COLD sinter_status sinter__queue_init(sinter__queue *q, sinter__allocator *a,
                                              sinter__store *store, uint32_t max_operations,
                                              uint64_t max_bytes)
{
    *q = (sinter__queue){.store = store, .max_operations = max_operations, .max_bytes = max_bytes};
    sinter__graph_init(&q->graph, a);
    return sinter__queue_reserve(q, 1, SINTER__OPERATION_TENSORS);
}

SINTER__COLD void sinter__queue_finish(sinter__queue *q)
{
    if (q->places != NULL)
        sinter__store_leave(q->store, q->places[q->held]);
    sinter__store_leave(q->store, q->guess.place);
    sinter__store_leave(q->store, q->kept);
    sinter__free(q->graph.allocator, q->taken, q->taken_capacity * sizeof *q->taken);
    sinter__free(q->graph.allocator, q->places, q->places_capacity * sizeof *q->places);
    sinter__free(q->graph.allocator, q->numbers, q->numbers_capacity * sizeof *q->numbers);
    sinter__graph_finish(&q->graph);
}

sinter_status sinter__queue_reserve_graph(sinter__graph *g, size_t operations, size_t tensors)
{
    return sinter__graph_reserve(g, operations - g->node_count, tensors - g->tensor_count,
                                 operations * SINTER__MAX_OPERANDS - g->scalar_count,
                                 operations * 2 * SINTER_MAX_RANK - g->param_count);
}

sinter_status sinter__queue_reserve(sinter__queue *q, size_t operations, size_t tensors)
{
    sinter__allocator *a = q->graph.allocator;
    void *places = q->places;
    void *numbers = q->numbers;
    void *taken = q->taken;
    sinter_status status =
        sinter__grow(a, &places, &q->places_capacity, operations + 1, sizeof *q->places);
    q->places = places;
    if (status == SINTER_OK)
        status = sinter__grow(a, &numbers, &q->numbers_capacity, tensors, sizeof *q->numbers);
    q->numbers = numbers;
    if (status == SINTER_OK)
        status = sinter__grow(a, &taken, &q->taken_capacity, operations, sizeof *q->taken);
    q->taken = taken;
    return status == SINTER_OK ? sinter__queue_reserve_graph(&q->graph, operations, tensors)
                               : status;
}

/* Loops */

typedef struct window {
    const sinter__graph *g;
    uint32_t length;           /* operations looked at */
    sinter__numbering *number; /* by tensor */
    uint16_t count;
} window;

static void window_start(window *w)
{
    memset(w->number, 0xff, w->g->tensor_count * sizeof *w->number);
    w->count = 0;
}

/* How many operations from `first` on are those of the beginning over again. */
static uint32_t repeated(window *w, uint32_t first)
{
    uint32_t left = w->length - first;
    uint16_t appeared = 0;
    window_start(w);
    for (uint32_t i = 0; i < left; i++) {
        sinter__relative begin;
        sinter__relative now;
        sinter__relative_of(w->g, (uint16_t)i, 0, NULL, NULL, appeared, &begin);
        sinter__relative_of(w->g, (uint16_t)(first + i), (uint16_t)first, w->number, &w->count, 0,
                            &now);
        if (memcmp(&begin, &now, sizeof now) != 0)
            return i;
        const sinter__node *node = &w->g->nodes[i];
        appeared = (uint16_t)(node->out + 1);
    }
    return left;
}

/* Whether a stored plan begins at `first`: its records are walked from the root. */
static bool begins_plan(window *w, sinter__store *store, uint32_t first)
{
    sinter__place place = SINTER__ROOT;
    window_start(w);
    for (uint32_t n = first; n < w->length; n++) {
        sinter__relative record;
        sinter__relative_of(w->g, (uint16_t)n, (uint16_t)first, w->number, &w->count, 0, &record);
        sinter__step step = sinter__store_peek(store, place, &record);
        if (step.place == SINTER__NOWHERE || !step.may_grow)
            return false;
        place = step.place;
    }
    return true;
}

/* Where to cut a queue that has reached a cap and is not a known segment. */
static uint32_t find_split(sinter__queue *q)
{
    uint32_t length = q->stepped;
    uint32_t split = length;
    if (q->mark > 0 && q->mark < length)
        return q->mark;
    window w = {.g = &q->graph, .length = length, .number = q->numbers};
    for (uint32_t period = 1; period < length && split == length; period++) {
        uint32_t same = repeated(&w, period);
        if (same == length - period && same >= SINTER__MIN(period, (uint32_t)REPEAT_OPERATIONS)) {
            split = period * (uint32_t)sinter__div_up(LOOP_OPERATIONS, period);
            split = split < length ? split : (length - 1) / period * period;
        }
    }
    for (uint32_t first = 1; first < length && split == length; first++) {
        if (begins_plan(&w, q->store, first))
            split = first;
    }
    return split;
}

/* Steps */

/* Asks the store for the step of operation `n`, to which all places are held. */
static sinter__step take_step(sinter__queue *q, uint32_t n, const sinter__relative *record)
{
    sinter__taken *t = &q->taken[n];
    uint64_t version =
        sinter__store_version(q->store); /* of before, so never newer than the step */
    sinter__step step = sinter__store_step(q->store, q->places[n], record);
    if (step.place == SINTER__NOWHERE) {
        t->version = 0;
        return step;
    }
    *t = (sinter__taken){.record = *record, .from = q->places[n], .version = version, .step = step};
    q->held = n + 1;
    return step;
}

/* Whether the way ends where the segment before did, which is held since. */
static bool is_kept(sinter__queue *q)
{
    if (q->held > 0 || q->places[q->placed] != q->kept ||
        q->taken[q->placed - 1].version != sinter__store_version(q->store))
        return false;
    q->kept = SINTER__ROOT;
    return true;
}

/* Holds all places. If the store has changed since they were reached, they may have gone: the way is gone again. */
static void hold(sinter__queue *q)
{
    if (q->held == q->placed || is_kept(q) ||
        sinter__store_move(q->store, q->places[q->held], q->places[q->placed],
                           q->taken[q->placed - 1].version)) {
        q->held = q->placed;
        return;
    }
    for (uint32_t n = q->held; n < q->placed; n++) {
        const sinter__relative record = q->taken[n].record;
        q->places[n + 1] = take_step(q, n, &record).place;
        if (q->places[n + 1] != SINTER__NOWHERE)
            continue;
        q->placed = n; /* the store is full */
        for (uint32_t i = n + 1; i <= q->stepped; i++)
            q->places[i] = SINTER__NOWHERE;
    }
}

sinter__place sinter__queue_place(sinter__queue *q, uint32_t count)
{
    hold(q);
    return q->places[count];
}

#ifndef NDEBUG
atomic_uint sinter__queue_strays;

/* Operation `n`, of which the caller said that it is the same as in the last queue. */
static void check_known(const sinter__queue *q, uint32_t n)
{
    sinter__relative record;
    sinter__relative_of(&q->graph, (uint16_t)n, 0, NULL, NULL, sinter__queue_tensors(q, n),
                        &record);
    if (memcmp(&q->taken[n].record, &record, sizeof record) != 0)
        (void)atomic_fetch_add(&sinter__queue_strays, 1);
}
#else
static void check_known(const sinter__queue *q, uint32_t n)
{
    (void)q;
    (void)n;
}
#endif

/* The step of operation `n`: as it was taken last, if it is the same. */
static sinter__step next_step(sinter__queue *q, uint32_t n)
{
    sinter__taken *t = &q->taken[n];
    sinter__relative record;
    if (q->places[n] == SINTER__NOWHERE) {
        t->version = 0; /* its record is of another queue from now on */
        return (sinter__step){.place = SINTER__NOWHERE};
    }
    bool stands = t->from == q->places[n] && t->version == sinter__store_version(q->store);
    if (stands && n < q->same) {
        check_known(q, n);
        return t->step;
    }
    sinter__relative_of(&q->graph, (uint16_t)n, 0, NULL, NULL, sinter__queue_tensors(q, n),
                        &record);
    if (stands && memcmp(&t->record, &record, sizeof record) == 0)
        return t->step;
    hold(q);
    return take_step(q, n, &record);
}

/* One operation further. The bytes are those of the whole queue, so they are looked at once all of
 * it has been followed: what a cut leaves behind is not cut again at every operation. */
static uint32_t step(sinter__queue *q, sinter__cut *cut)
{
    uint32_t before = q->stepped;
    sinter__step s = next_step(q, before);
    q->places[before + 1] = s.place;
    q->stepped = before + 1;
    if (s.place != SINTER__NOWHERE)
        q->placed = q->stepped;
    if (s.ends && before > 0)
        q->armed = before;
    if (s.fires > 0)
        q->armed = SINTER__MAX(q->armed, s.fires);
    if (q->armed > 0 && !s.may_grow) {
        *cut = SINTER__CUT_PLAN;
        return q->armed;
    }
    if (q->stepped >= q->max_operations)
        *cut = SINTER__CUT_OPERATIONS;
    else if (q->stepped == q->graph.node_count && q->pending_bytes > q->max_bytes)
        *cut = SINTER__CUT_BYTES;
    if (*cut == SINTER__CUT_NONE)
        return 0;
    if (q->armed == 0 && s.known)
        return q->stepped;
    return q->armed > 0 ? q->armed : find_split(q);
}

/* Follows what the caller knows all at once, as far as no step on the way says anything; the last operation is left. */
static void follow_known(sinter__queue *q)
{
    uint64_t version = sinter__store_version(q->store);
    uint32_t end = SINTER__MIN(q->same, SINTER__MIN(sinter__queue_length(q), q->max_operations));
    uint32_t n = q->stepped;
    for (; n + 1 < end; n++) {
        const sinter__taken *t = &q->taken[n];
        if (t->version != version || t->from != q->places[n] || t->step.ends || t->step.fires > 0 ||
            !t->step.may_grow)
            break;
        check_known(q, n);
        q->places[n + 1] = t->step.place;
        q->placed = n + 1;
    }
    q->stepped = n;
}

uint32_t sinter__queue_advance(sinter__queue *q, sinter__cut *cut)
{
    *cut = SINTER__CUT_NONE;
    if (q->stepped + 1 < q->graph.node_count)
        follow_known(q);
    while (q->stepped < q->graph.node_count) {
        uint32_t count = step(q, cut);
        if (count > 0)
            return count;
    }
    return 0;
}

void sinter__queue_follow(sinter__queue *q, uint32_t count)
{
    sinter__cut cut = SINTER__CUT_NONE;
    while (q->stepped < count)
        (void)step(q, &cut);
}

/* A plan of `count` operations has fired. */
static void note_guess(sinter__queue *q, uint32_t count)
{
    if (q->guess.operations == 0) {
        q->guess.place = q->places[count];
        sinter__store_pin(q->store, q->guess.place);
    }
    q->guess.operations += SINTER__MIN(count, UINT32_MAX - q->guess.operations);
    q->guess.bytes += q->pending_bytes;
}

/* The caller has cut a queue of `count` operations. Had no plan fired, would no cap have cut
 * either? */
static void judge_guess(sinter__queue *q, uint32_t count)
{
    if (q->guess.operations > 0 && q->guess.operations + (uint64_t)count < q->max_operations &&
        q->guess.bytes + q->pending_bytes <= q->max_bytes)
        sinter__store_untrigger(q->store, q->guess.place);
    sinter__store_leave(q->store, q->guess.place);
    q->guess.place = SINTER__ROOT;
    q->guess.operations = 0;
    q->guess.bytes = 0;
}

void sinter__queue_judge(sinter__queue *q, uint32_t count, sinter__cut why)
{
    hold(q);
    if (why == SINTER__CUT_READ || why == SINTER__CUT_SYNC || why == SINTER__CUT_FLUSH)
        judge_guess(q, count);
    else if (why == SINTER__CUT_PLAN)
        note_guess(q, count);
    else if (why == SINTER__CUT_OPERATIONS || why == SINTER__CUT_BYTES)
        q->guess.operations = UINT32_MAX; /* right: here is the cap */
}

void sinter__queue_restart(sinter__queue *q, uint32_t count)
{
    hold(q);
    sinter__store_leave(q->store, q->kept);
    q->kept = q->places[q->held];
    q->stepped = 0;
    q->same = 0;
    q->placed = 0;
    q->held = 0;
    q->armed = 0;
    q->mark = q->mark > count ? q->mark - count : 0;
    q->places[0] = SINTER__ROOT;
}

void sinter__queue_mark(sinter__queue *q)
{
    q->mark = sinter__queue_length(q);
}
