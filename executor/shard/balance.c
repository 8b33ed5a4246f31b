#include "executor/shard/balance.h"

#include "core/base.h"

#include <stdio.h>

#define LEAST_RATE 0.02  /* of the fastest: a stream that is slower costs more than it does */
#define PROBE_SHARE 0.02 /* of the rows, for a stream that is tried again */
#define MOST_PROBED 0.25 /* with so few rows that a granule is more, it is not tried */

/* What each can be expected to do, and at best, in one unit: where something is measured of some, the guesses of the
 * others are scaled to it. */
static void expect(const sinter__balance *b, double *rates, double *best)
{
    double measured = 0;
    double guessed = 0;
    double fastest = 0;
    for (size_t i = 0; i < b->count; i++) {
        const sinter__share *s = &b->shares[i];
        measured += s->rate;
        guessed += s->rate > 0 ? s->guess : 0;
    }
    double scale = guessed > 0 ? measured / guessed : 1;
    for (size_t i = 0; i < b->count; i++) {
        const sinter__share *s = &b->shares[i];
        bool is_known = s->rate > 0 && !b->is_fixed;
        rates[i] = is_known ? s->rate : s->guess * scale;
        best[i] = is_known ? s->best_rate : rates[i];
        fastest = SINTER__MAX(fastest, s->rate);
    }
    for (size_t i = 0; i < b->count && !b->is_fixed; i++) {
        if (b->shares[i].rate > 0 && rates[i] < LEAST_RATE * fastest)
            rates[i] = 0;
    }
}

/* Rows by weights: each boundary is the nearest multiple of the granule. */
static void divide(size_t count, const double *weights, int64_t total, int64_t granule,
                   int64_t *rows)
{
    double sum = 0;
    double before = 0;
    int64_t from = 0;
    for (size_t i = 0; i < count; i++)
        sum += weights[i];
    for (size_t i = 0; i < count; i++) {
        before += weights[i];
        double granules = before / sum * (double)total / (double)granule;
        int64_t to = (int64_t)(granules + 0.5) * granule;
        if (before >= sum || to > total) /* the last that has any */
            to = total;
        rows[i] = to - from;
        from = to;
    }
}

/* Until the last one is done. */
static double predict(size_t count, const double *rates, const int64_t *rows)
{
    double longest = 0;
    for (size_t i = 0; i < count; i++) {
        double time = rows[i] > 0 ? (double)rows[i] / rates[i] : 0;
        longest = SINTER__MAX(longest, time);
    }
    return longest;
}

/* Whether the split of `rates` takes the place of the one that is used. */
static bool decide(sinter__balance *b, const double *rates, const double *best, int64_t total,
                   int64_t granule)
{
    int64_t fresh[SINTER_MAX_SHARDS] = {0};
    int64_t old[SINTER_MAX_SHARDS] = {0};
    double used[SINTER_MAX_SHARDS];
    const char *text = b->is_fixed ? "fixed by the options"
                                   : "by the profiles of the devices: nothing is measured yet";
    if (!b->is_split) {
        (void)snprintf(b->why, sizeof b->why, "%s", text);
        return true;
    }
    if (b->is_fixed)
        return false;
    for (size_t i = 0; i < b->count; i++)
        used[i] = b->shares[i].used;
    divide(b->count, rates, total, granule, fresh);
    divide(b->count, used, total, granule, old);
    bool changes = false; /* what is too slow goes, whatever that saves */
    for (size_t i = 0; i < b->count; i++)
        changes |= old[i] > 0 && rates[i] == 0;
    double before = predict(b->count, best, old);
    double gain = before > 0 ? 1 - predict(b->count, rates, fresh) / before : 0;
    changes |= gain >= SINTER__BALANCE_LEAST_GAIN;
    (void)snprintf(
        b->why, sizeof b->why,
        "%s: by what was measured another split saves %.1f %% of the time; it is changed "
        "for %.0f %%",
        changes ? "changed" : "kept", 100 * SINTER__MAX(gain, 0.0),
        100 * SINTER__BALANCE_LEAST_GAIN);
    return changes;
}

void sinter__balance_split(sinter__balance *b, int64_t total, int64_t granule)
{
    double rates[SINTER_MAX_SHARDS] = {0};
    double best[SINTER_MAX_SHARDS] = {0};
    double used[SINTER_MAX_SHARDS] = {0};
    int64_t rows[SINTER_MAX_SHARDS] = {0};
    double sum = 0;
    expect(b, rates, best);
    bool changes = decide(b, rates, best, total, granule);
    for (size_t i = 0; i < b->count; i++)
        sum += rates[i];
    for (size_t i = 0; i < b->count; i++) {
        if (changes)
            b->shares[i].used = rates[i] / sum;
        used[i] = b->shares[i].used;
    }
    b->is_split = true;
    divide(b->count, used, total, granule, rows);
    for (size_t i = 0; i < b->count; i++)
        b->shares[i].rows = rows[i];
}

/* The share of a stream that is tried: enough for one granule, whatever is rounded. */
static double probe_share(int64_t total, int64_t granule)
{
    return SINTER__MAX(PROBE_SHARE, 1.01 * (double)granule / (double)total);
}

/* The first that has had no rows for long; the count of streams: none. */
static size_t find_idle(sinter__balance *b)
{
    size_t found = b->count;
    for (size_t i = 0; i < b->count; i++) {
        sinter__share *s = &b->shares[i];
        s->idle = s->rows == 0 ? s->idle + 1 : 0;
        if (found == b->count && s->idle >= SINTER__BALANCE_IDLE_RUNS)
            found = i;
    }
    return found;
}

void sinter__balance_probe(sinter__balance *b, int64_t total, int64_t granule)
{
    double used[SINTER_MAX_SHARDS] = {0};
    int64_t rows[SINTER_MAX_SHARDS] = {0};
    if (b->is_fixed || total == 0 || probe_share(total, granule) > MOST_PROBED)
        return;
    size_t idle = find_idle(b);
    if (idle == b->count)
        return;
    for (size_t i = 0; i < b->count; i++)
        used[i] = b->shares[i].rows > 0 ? (double)b->shares[i].rows / (double)total : 0;
    used[idle] = probe_share(total, granule) / (1 - probe_share(total, granule));
    divide(b->count, used, total, granule, rows);
    for (size_t i = 0; i < b->count; i++)
        b->shares[i].rows = rows[i];
    b->shares[idle].idle = 0;
    b->shares[idle].runs = SINTER__MIN(b->shares[idle].runs, 1);
    (void)snprintf(b->why, sizeof b->why, "stream %zu is tried again: it had no rows in %d runs",
                   idle, SINTER__BALANCE_IDLE_RUNS);
}

void sinter__balance_sort(const double *values, size_t count, double *sorted)
{
    for (size_t i = 0; i < count; i++) {
        size_t at = i;
        for (; at > 0 && sorted[at - 1] > values[i]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = values[i];
    }
}

void sinter__balance_correct(sinter__balance *b, size_t index, int64_t rows, uint64_t time_ns)
{
    sinter__share *s = &b->shares[index];
    s->timed_rows = rows;
    s->time_ns = time_ns;
    if (s->runs++ == 0)
        return;
    uint64_t known = s->runs - 1;
    s->rates[(known - 1) % SINTER__BALANCE_RATES] = (double)rows * 1e9 / (double)time_ns;
    double sorted[SINTER__BALANCE_RATES] = {0};
    size_t count = (size_t)SINTER__MIN(known, (uint64_t)SINTER__BALANCE_RATES);
    sinter__balance_sort(s->rates, count, sorted);
    s->rate = sorted[(count - 1) / 2];
    s->best_rate = sorted[(3 * (count - 1) + 2) / 4];
}
