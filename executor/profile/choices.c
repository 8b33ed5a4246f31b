/* Choices that no size of a device tells: which of two ways it is faster by. In the order in which it pays. */
#include "executor/profile/choices.h"

#include "executor/context/context.h"
#include "executor/profile/crossover.h"

#include <math.h>
#include <stddef.h>

#define TINY 16

/* Of one size alone, where it wins by two answers of three; the rest is the caller's to say. */
static sinter__crossover at_size(const char *what, const char *text, int64_t size, double bytes)
{
    return (sinter__crossover){.what = what,
                               .text = text,
                               .mode = SINTER_MODE_REPRODUCIBLE,
                               .most = size,
                               .least = size,
                               .bytes = bytes,
                               .never = 1,
                               .wins_of_three = 2};
}

/* A number of the tuning as by default or, where `c` is faster with it, another; the others are as in `rest`
 * meanwhile. */
static sinter_status keep_or_take(sinter_profile *p, const sinter__tuning *rest, sinter__watch *w,
                                  const sinter__crossover *c, size_t number, uint32_t other)
{
    sinter__tuning own = *rest;
    sinter__tuning theirs = *rest;
    sinter__tuning usual;
    uint32_t found = 0;
    sinter__device_tuning(&p->device, p->values.style, 0, &usual);
    uint32_t by_default = sinter__tuning_get(&usual, number);
    if (by_default == other)
        return SINTER_OK;
    (void)sinter__tuning_set(&own, number, by_default);
    (void)sinter__tuning_set(&theirs, number, other);
    SINTER_TRY(sinter__crossover_between(p, &own, &theirs, w, c, &found));
    if (found > 0)
        (void)sinter__tuning_set(&p->values.tuning, number, found > c->never ? other : by_default);
    return SINTER_OK;
}

#define NUMBER(name) (offsetof(sinter__tuning, name) / sizeof(uint32_t))

#define WAIT_TURNS 21 /* of dozens of runs each */

/* Whether a launch is sooner known to be done by its event, or by the wait for all. None is run at once or asked for
 * meanwhile. */
static sinter_status measure_wait(sinter_profile *p, sinter__watch *w)
{
    sinter__tuning usual;
    sinter__crossover waits = at_size("waits for events", "y = a + 1", TINY, 2);
    waits.turns = WAIT_TURNS;
    sinter__tuning rest = p->values.tuning;
    rest.lone_work = rest.poll_work = 0;
    sinter__device_tuning(&p->device, p->values.style, 0, &usual);
    return keep_or_take(p, &rest, w, &waits, NUMBER(event_wait), usual.event_wait == 0);
}

#define SHORT_TURNS 61 /* of dozens of runs each: one takes 5 us or 70 */

/* Whether one item does a short launch sooner than several, of which all but the first wait for a thread to be woken:
 * a launch of three quarters of what it is to be enough for, a third of what it is where no thread is woken. By default
 * it is not taken for granted. */
static sinter_status measure_lone(sinter_profile *p, sinter__watch *w)
{
    const uint32_t work = sinter__device_lone_work(&p->device) / 3;
    const int64_t elements = (int64_t)(work / 8 / 1024) * 1024;
    sinter__crossover lone = at_size("short launches by one item", "y = a * 2 + 1", elements, 2);
    lone.turns = SHORT_TURNS;
    if (p->values.style != SINTER_STYLE_CPU || p->device.info.compute_units < 2 ||
        p->device.info.runs_at_once != 0)
        return SINTER_OK;
    return keep_or_take(p, &p->values.tuning, w, &lone, NUMBER(lone_work), work);
}

#define RECORDED 8 /* launches, products of small matrices, that it should be worth it for */
#define RECORDED_SIDE 16

/* Whether several launches cost much less as one that the driver has recorded, none of them run at
 * once: three times, each in memory taken anew. Not of a CPU, where it goes by whether the
 * driver's threads are asleep, which differs from process to process
 * (docs/decisions/command-buffers.md). */
static sinter_status measure_recordings(sinter_profile *p, sinter__watch *w)
{
    sinter__crossover recordings =
        at_size("launches recorded as one", "y = m @ m @ m @ m @ m @ m @ m @ m @ m", RECORDED_SIDE,
                2 * RECORDED);
    recordings.is_square = recordings.wants_much = true;
    recordings.wins_of_three = 3;
    sinter__tuning own = p->values.tuning;
    own.lone_work = own.record_from = 0;
    sinter__tuning theirs = own;
    theirs.record_from = RECORDED;
    theirs.record_after = 1;
    uint32_t found = 0;
    if (p->device.info.records_launches == 0 || p->device.info.kind == SINTER_DEVICE_CPU)
        return SINTER_OK;
    SINTER_TRY(sinter__crossover_between(p, &own, &theirs, w, &recordings, &found));
    if (found > 0)
        p->values.tuning.record_from = found > recordings.never ? RECORDED : 0;
    return SINTER_OK;
}

#define MOST_RESULT ((int64_t)16 << 20) /* elements: 64 MiB */
#define LEAST_RESULT ((int64_t)1 << 18)
#define ENOUGH_RESULT ((int64_t)1 << 20)

/* Results of 64 MiB down to an eighth of the last cache, but from 1 to 4, made of as many bytes: stored past the caches,
 * or as usual. Up to half of that cache, all that a launch moves has room there, for whoever reads it next: such a size
 * has to be faster, and not level, which a memory that is fast for the moment makes it. A cache that many processors
 * share may be no nearer to two of them than the memory is, whatever its size. *known: there was the time to see. */
static sinter_status measure_past_caches(sinter_profile *p, sinter__watch *w, bool *known)
{
    const uint32_t unknown = UINT32_MAX;
    uint32_t found = unknown;
    const int64_t fits = (int64_t)(p->device.info.last_cache_bytes / 2 / sizeof(float));
    const sinter__crossover results = {
        .what = "stores past the caches",
        .text = "y = a * 2; cut; release y",
        .mode = SINTER_MODE_REPRODUCIBLE,
        .takes_ties = true, /* they leave the caches to others */
        .wins_of_three = 2,
        .wins_to = SINTER__MIN(fits, MOST_RESULT - 1),
        .most = MOST_RESULT,
        .least = SINTER__MIN(SINTER__MAX(fits / 4, LEAST_RESULT), ENOUGH_RESULT),
        .bytes = 6};
    sinter__tuning own = p->values.tuning;
    sinter__tuning theirs = own;
    own.stream_from = 0;
    theirs.stream_from = 1;
    *known = false;
    if (p->values.style != SINTER_STYLE_CPU)
        return SINTER_OK;
    SINTER_TRY(sinter__crossover_between(p, &own, &theirs, w, &results, &found));
    *known = found != unknown;
    if (*known)
        p->values.tuning.stream_from = found;
    return SINTER_OK;
}

/* Limits are as good as the same where one is less than so many times the other. */
#define APART 1.5

#define KIND_COLUMNS 1024

/* Launches with a limit of their own: by default it is by the size of the last cache, or of those that it was measured
 * on. */
typedef struct launch_kind {
    const char *what, *text;
    size_t number; /* of the tuning: the limit */
    double moved;  /* bytes, by one of the result; of two launches the mean, as factors go, of which
                      neither is more than APART off */
    bool is_square;
    bool takes_ties; /* where both are level, it has the lower limit */
} launch_kind;

/* A launch between the limit that was found and its kind's own by default: whether it wins by the former too. */
static sinter_status lower_as_well(sinter_profile *p, sinter__watch *w, const launch_kind *kind)
{
    sinter__tuning usual;
    sinter__device_tuning(&p->device, p->values.style, 0, &usual);
    const uint32_t found = p->values.tuning.stream_from;
    const uint32_t own = sinter__tuning_get(&usual, kind->number);
    if (found == 0 || own <= APART * found) {
        (void)sinter__tuning_set(&p->values.tuning, kind->number, own);
        return SINTER_OK;
    }
    /* half of what is moved, by factors half way between both */
    double elements = 2 * sqrt((double)found * own) / kind->moved / sizeof(float);
    elements = SINTER__MIN(elements, (double)MOST_RESULT);
    int64_t size = kind->is_square ? (int64_t)sqrt(elements) / 64 * 64
                                   : (int64_t)elements / KIND_COLUMNS * KIND_COLUMNS;
    /* and operands to be made */
    sinter__crossover c = at_size(kind->what, kind->text, size, 2 + kind->moved);
    c.is_square = kind->is_square;
    c.columns = kind->is_square ? 0 : KIND_COLUMNS;
    c.takes_ties = kind->takes_ties;
    return keep_or_take(p, &p->values.tuning, w, &c, kind->number, found);
}

#define TURNED_SIDE 2048

/* How many rows are turned at a time where the results go past the caches: as many as a vector has lanes, or by default
 * far more, by which a memory has each of its own rows open for longer. Either costs some processor a third. */
static sinter_status measure_turned_rows(sinter_profile *p, sinter__watch *w)
{
    sinter__crossover turned = at_size("rows turned past the caches",
                                       "y = transpose(m) + n; cut; release y", TURNED_SIDE, 3);
    turned.is_square = turned.takes_ties = true; /* shorter bands keep fewer lines from others */
    sinter__tuning past = p->values.tuning;
    if (p->values.style != SINTER_STYLE_CPU || past.turn_stream_from == 0)
        return SINTER_OK;
    past.turn_stream_from = 1;
    return keep_or_take(p, &past, w, &turned, NUMBER(turn_far_rows), past.turn_rows);
}

static sinter_status measure_limits(sinter_profile *p, sinter__watch *w)
{
    /* By a tie: it is asked only where light launches win by far less than the cache has, which is no nearer then. */
    const launch_kind heavy = {
        .what = "heavy launches past the caches",
        .text = "y = gelu(m); cut; z = m * sigmoid(m) * n + m * n; cut; release y; release z",
        .number = NUMBER(heavy_stream_from),
        .moved = sqrt(2.0 * 3.0),
        .takes_ties = true};
    static const launch_kind columns = {.what = "scans of columns past the caches",
                                        .text = "y = cumsum(m, 0); cut; release y",
                                        .number = NUMBER(column_stream_from),
                                        .moved = 2};
    static const launch_kind written = {.what = "mere results past the caches",
                                        .text = "y = r + l; cut; release y",
                                        .number = NUMBER(write_stream_from),
                                        .moved = 1};
    static const launch_kind turned = {.what = "turned operands past the caches",
                                       .text = "y = transpose(m) + n; cut; release y",
                                       .number = NUMBER(turn_stream_from),
                                       .moved = 3,
                                       .is_square = true};
    bool known = false;
    SINTER_TRY(measure_past_caches(p, w, &known));
    if (!known)
        return SINTER_OK;
    SINTER_TRY(lower_as_well(p, w, &heavy));
    SINTER_TRY(lower_as_well(p, w, &columns));
    SINTER_TRY(lower_as_well(p, w, &written));
    SINTER_TRY(measure_turned_rows(p, w)); /* by which it may win or not */
    return lower_as_well(p, w, &turned);
}

/* Whether a launch that computes, of 16 MiB, is faster without asking ahead for operands, in each
 * of three turns; and one that mostly moves them and one that goes through rows twice faster with,
 * in two. */
static sinter_status measure_ahead(sinter_profile *p, sinter__watch *w)
{
    sinter__crossover unasked =
        at_size("operands not asked for", "y = tanh(a); cut; release y", (int64_t)4 << 20, 2);
    sinter__crossover asked =
        at_size("operands asked for",
                "y = m * 2 + 1; cut; v = var(m, axis=1); cut; release y; release v", 2048, 3);
    asked.is_square = true;
    unasked.wins_of_three = 3;
    const sinter__tuning *t = &p->values.tuning;
    SINTER_TRY(keep_or_take(p, t, w, &unasked, NUMBER(ahead_bytes), 0));
    return t->ahead_bytes == 0
               ? SINTER_OK
               : keep_or_take(p, t, w, &asked, NUMBER(ahead_from), t->heavy_ahead_from);
}

#define PARTS_COLUMNS 1024
#define PARTS_MOST ((uint64_t)64 << 20) /* bytes of a cache */
#define PARTS_TURNS 15                  /* one finds more of the caches its own than the next */

/* Whether rows are better stored in parts where a launch moves more than half of the last cache, by
 * one that moves as much as it holds. What goes past it is not in question, and a larger one than
 * PARTS_MOST takes too long to fill. */
static sinter_status measure_parts(sinter_profile *p, sinter__watch *w)
{
    const uint64_t cache = p->device.info.last_cache_bytes;
    const uint32_t from = (uint32_t)(cache / 4);
    const int64_t rows = (int64_t)(cache / (2 * sizeof(float) * PARTS_COLUMNS));
    sinter__crossover parts = at_size("rows stored in parts", "y = rms_norm(m, -1); cut; release y",
                                      rows * PARTS_COLUMNS, 2);
    parts.columns = PARTS_COLUMNS;
    parts.turns = PARTS_TURNS;
    sinter__tuning kept = p->values.tuning;
    kept.stream_from = 0;
    if (p->values.style != SINTER_STYLE_CPU || !p->device.limits.splits_vectors || rows == 0 ||
        cache > PARTS_MOST)
        return SINTER_OK;
    return keep_or_take(p, &kept, w, &parts, NUMBER(parts_from), from);
}

sinter_status sinter__measure_choices(sinter_profile *p, sinter__watch *w)
{
    SINTER_TRY(measure_wait(p, w));
    SINTER_TRY(measure_lone(p, w));
    SINTER_TRY(measure_recordings(p, w));
    SINTER_TRY(measure_limits(p, w));
    SINTER_TRY(measure_ahead(p, w));
    return measure_parts(p, w);
}

#define BUILD_NS 15000000000u /* that CLBlast may take to build its kernels */

/* By one copy of the profile CLBlast is faster always, by the other never. */
sinter_status sinter__measure_products(sinter_profile *p, sinter__watch *w)
{
    static const struct {
        uint8_t figure;
        const char *text;
    } products[] = {{SINTER__FIGURE_clblast_f32, "y = m @ n"},
                    {SINTER__FIGURE_clblast_f64, "y = cast(m, 'f64') @ cast(n, 'f64')"}};
    sinter__crossover c = {.what = "products by CLBlast",
                           .mode = SINTER_MODE_NATIVE,
                           .is_square = true,
                           .is_product = true,
                           .most = 1024,
                           .least = 256,
                           .bytes = 1,
                           .never = UINT32_MAX,
                           .wins_of_three = 2};
    sinter_profile own;
    sinter_profile theirs;
    sinter_status status = sinter__profile_copy_twice(&own, &theirs, p);
    for (size_t i = 0; i < SINTER__COUNT(products) && status == SINTER_OK; i++) {
        theirs.values.rates.figures[products[i].figure] = 1;
        own.values.rates.figures[products[i].figure] = UINT32_MAX;
    }
    for (size_t i = 0; i < SINTER__COUNT(products) && status == SINTER_OK; i++) {
        bool wide = products[i].figure == SINTER__FIGURE_clblast_f64;
        c.text = products[i].text;
        if ((!wide || p->device.limits.has_f64) && sinter__now_ns() + BUILD_NS < w->deadline_ns)
            status = sinter__crossover_find(&own, &theirs, w, &c,
                                            &p->values.rates.figures[products[i].figure]);
    }
    sinter__profile_finish(&own);
    sinter__profile_finish(&theirs);
    return status;
}
