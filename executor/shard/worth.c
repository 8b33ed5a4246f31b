/* What a run costs is seen best from outside: by the time from the beginning of one to that of the
 * next, on the clock of the device that joins the parts. The copies between devices are in it, the
 * waits for them and the joining, and what the caller does between two runs, which is the same for
 * both ways. */
#include "executor/shard/worth.h"

#include "core/base.h"
#include "executor/shard/balance.h"

#define LEAST_TIMES 3 /* for a verdict */

double sinter__worth_time(const sinter__worth *t, uint32_t way)
{
    size_t count = (size_t)SINTER__MIN(t->known[way], (uint64_t)SINTER__WORTH_TIMES);
    double sorted[SINTER__WORTH_TIMES];
    if (count == 0)
        return 0;
    /* lower: the caller, or others on the machine, only add to it */
    sinter__balance_sort(t->times[way], count, sorted);
    return sorted[(count - 1) / 4];
}

void sinter__worth_took(sinter__worth *t, uint32_t way, double ns)
{
    t->times[way][t->known[way]++ % SINTER__WORTH_TIMES] = ns;
}

void sinter__worth_resplit(sinter__worth *t)
{
    t->known[SINTER__WAY_SPLIT] = 0;
}

/* Ends a trial. Without times of both nothing changes. */
static void judge(sinter__worth *t)
{
    uint32_t other = SINTER__WAY_ALONE - t->way;
    bool knows = t->known[t->way] >= LEAST_TIMES && t->known[other] >= LEAST_TIMES;
    bool wins = knows && sinter__worth_time(t, other) <
                             (1 - SINTER__BALANCE_LEAST_GAIN) * sinter__worth_time(t, t->way);
    t->tries = false;
    t->pause =
        wins ? SINTER__WORTH_PAUSE : SINTER__MIN(2 * t->pause, (uint32_t)SINTER__WORTH_LAST_PAUSE);
    t->left = t->pause;
    t->way = wins ? other : t->way;
}

uint32_t sinter__worth_next(sinter__worth *t)
{
    if (!t->is_there) {
        t->is_there = true;
        t->left = t->pause = SINTER__WORTH_PAUSE;
    }
    if (t->left == 0 && t->tries) {
        judge(t);
    } else if (t->left == 0) {
        t->tries = true;
        t->left = SINTER__WORTH_RUNS;
        t->known[SINTER__WAY_ALONE - t->way] = 0;
    }
    t->left--;
    return t->tries ? SINTER__WAY_ALONE - t->way : t->way;
}
