#include "executor/profile/search.h"

#include "core/sized.h"
#include "executor/run/instance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 9       /* samples of each of two schedules that are compared */
#define LAST_ROUNDS 21 /* when all that was found is compared once more */
#define LAST_PART 3    /* of the time, one of so many is the most that this has */
#define MOST_KERNELS 64

/* Climbing */

static sinter_status open_trial(const sinter__search *s, sinter__trial *t, const sinter_profile *p)
{
    return sinter__trial_open(t, p, s->watch, s->job, 0, SINTER_MODE_REPRODUCIBLE);
}

sinter_status sinter__search_start(sinter__search *s, sinter_profile *p, const sinter_job *job,
                                   sinter__watch *watch)
{
    *s = (sinter__search){.p = p, .job = job, .watch = watch, .deadline_ns = watch->deadline_ns};
    s->what = job->name;
    return open_trial(s, &s->best, p);
}

void sinter__search_finish(sinter__search *s)
{
    sinter__trial_close(&s->best);
}

/* The numbers that are searched, in `p`; NULL: no memory. */
static sinter__tuning *numbers_of(const sinter__search *s, sinter_profile *p)
{
    if (!s->of_kernel)
        return &p->values.tuning;
    sinter__profile_kernel *k = sinter__profile_kernel_add(&p->values, p->allocator, s->key);
    return k != NULL ? &k->tuned.tuning : NULL;
}

static bool is_over(sinter__search *s)
{
    return !sinter__watch_goes_on(s->watch, s->what) || sinter__now_ns() >= s->deadline_ns;
}

/* Whether the driver takes the schedule and the bits are the same. */
static bool is_fit(sinter__search *s, sinter__trial *t, sinter_status status, size_t index,
                   uint32_t value)
{
    const char *name = sinter__tuning_row(index)->name;
    s->result.tried++;
    if (status != SINTER_OK || sinter__trial_fell_back(t)) {
        s->result.refused++;
        sinter__watch_note(s->watch, "%s: %s = %u is refused: %s", s->what, name, (unsigned)value,
                           status != SINTER_OK ? sinter_last_error() : "a kernel did not run");
        return false;
    }
    if (sinter__trial_same(t, &s->best))
        return true;
    s->result.wrong++;
    sinter__watch_note(s->watch, "%s: %s = %u gives other bits", s->what, name, (unsigned)value);
    return false;
}

static uint64_t hash_bytes(uint64_t hash, const void *from, size_t bytes)
{
    const unsigned char *at = from;
    for (size_t i = 0; i < bytes; i++)
        hash = sinter__hash(hash, at[i]);
    return hash;
}

static void add_launches(void *user, const sinter__instance *in)
{
    uint64_t *sum = user;
    for (size_t g = 0; in->is_bound && g < in->compiled->plan.group_count; g++) {
        for (size_t k = 0; k < in->launch_counts[g]; k++) {
            const sinter__launch *l = sinter__instance_launch(in, (uint16_t)g, (int)k);
            const sinter__kernel_class *c = &l->class_;
            uint64_t hash = hash_bytes(2 * g + k, &c->key, sizeof c->key);
            hash = hash_bytes(hash, c->accesses, c->key.access_count * sizeof *c->accesses);
            hash = sinter__hash(hash, sinter__schedule_key(l->nest, l->bound));
            *sum += hash_bytes(hash, &l->geometry, sizeof l->geometry);
        }
    }
}

/* Of all that a schedule decided in a trial: numbers that change none of it cannot be faster. */
static uint64_t schedule_hash(const sinter__trial *t)
{
    uint64_t sum = 0;
    sinter__instances_visit(t->s, add_launches, &sum);
    return sum;
}

static void swap_trials(sinter__trial *a, sinter__trial *b)
{
    sinter__trial held = *a;
    *a = *b;
    *b = held;
}

/* The job once more in other memory. False: it could not be, and has been said. */
static bool renew(const sinter__search *s, sinter__trial *t)
{
    sinter_status status = sinter__trial_reopen(t, s->job);
    if (status == SINTER_OK && sinter__trial_fell_back(t))
        status = sinter__fail(SINTER_EUNSUPPORTED, "a kernel that ran before did not");
    if (status != SINTER_OK)
        sinter__watch_note(s->watch, "%s: what was faster is not timed again: %s", s->what,
                           sinter_last_error());
    return status == SINTER_OK;
}

static bool beats_best(sinter__search *s, sinter__trial *t)
{
    sinter__trial *both[] = {&s->best, t};
    return sinter__trial_time(both, 2, ROUNDS, s->deadline_ns, s->watch) == SINTER_OK &&
           sinter__trial_beats(t, &s->best);
}

/* Whether it is faster twice, the second time in other memory: data about as large as a cache lie in it well or badly
 * by the pages that they were given, which no schedule is to win by. */
static bool is_faster(sinter__search *s, sinter__trial *t)
{
    return schedule_hash(t) != schedule_hash(&s->best) && beats_best(s, t) && !is_over(s) &&
           renew(s, &s->best) && !is_over(s) && renew(s, t) && beats_best(s, t);
}

/* What is the best runs, also where it could not be opened once more. */
static sinter_status keep_best(sinter__search *s)
{
    if (s->best.is_ready)
        return SINTER_OK;
    sinter__trial_close(&s->best);
    return open_trial(s, &s->best, s->p);
}

/* Tries one value; *won: it is the best now. */
static sinter_status try_value(sinter__search *s, size_t index, uint32_t value, bool *won)
{
    sinter_profile candidate;
    sinter__trial t = {0};
    *won = false;
    sinter_status status = sinter__profile_copy(&candidate, s->p->allocator, s->p);
    sinter__tuning *numbers = status == SINTER_OK ? numbers_of(s, &candidate) : NULL;
    if (numbers == NULL) {
        sinter__profile_finish(&candidate);
        return SINTER_ENOMEM;
    }
    if (sinter__tuning_set(numbers, index, value)) {
        status = open_trial(s, &t, &candidate);
        *won = is_fit(s, &t, status, index, value) && is_faster(s, &t);
    }
    sinter__clear_error();
    if (*won) {
        swap_trials(&s->best, &t);
        sinter__profile_finish(s->p);
        s->p->values = candidate.values;
        candidate.values.kernels = NULL;
        candidate.values.kernel_capacity = 0;
    }
    sinter__trial_close(&t);
    sinter__profile_finish(&candidate);
    return keep_best(s);
}

static sinter_status climb(sinter__search *s, size_t index, bool up, bool *moved)
{
    bool won = true;
    *moved = false;
    while (won && !is_over(s)) {
        uint32_t value = 0;
        const sinter__tuning *now = numbers_of(s, s->p);
        if (now == NULL)
            return SINTER_ENOMEM;
        if (!sinter__tuning_next(now, index, up, &value))
            break;
        SINTER_TRY(try_value(s, index, value, &won));
        *moved |= won;
    }
    return SINTER_OK;
}

/* Lanes are no slope: a compiler may like 1 and 16 and nothing in between. Widest first, but not wider than a driver is
 * good for: rusticl was 17 s at compiling 16. */
static sinter_status try_lanes(sinter__search *s, size_t index)
{
    const uint32_t quirk = s->p->device.quirk_lanes;
    const uint32_t most = quirk > 0 ? quirk : sinter__tuning_row(index)->high;
    for (uint32_t lanes = most; lanes > 0; lanes /= 2) {
        bool won = false;
        const sinter__tuning *now = numbers_of(s, s->p);
        if (now == NULL)
            return SINTER_ENOMEM;
        if (is_over(s))
            break;
        if (sinter__tuning_get(now, index) != lanes)
            SINTER_TRY(try_value(s, index, lanes, &won));
    }
    return SINTER_OK;
}

sinter_status sinter__search_climb(sinter__search *s)
{
    for (size_t i = 0; i < SINTER__TUNING_COUNT && !is_over(s); i++) {
        bool moved = false;
        const sinter__tuning_info *row = sinter__tuning_row(i);
        if ((row->loops & s->loops) == 0 || (row->loops & s->settled) != 0 ||
            !sinter__tuning_matters(i, s->p->values.style))
            continue;
        if (row->kind == SINTER__TUNING_LANES) {
            SINTER_TRY(try_lanes(s, i));
            continue;
        }
        SINTER_TRY(climb(s, i, true, &moved));
        if (!moved)
            SINTER_TRY(climb(s, i, false, &moved));
    }
    return SINTER_OK;
}

/* Kernels of a job */

typedef struct kernel_seen {
    uint64_t key;
    int64_t elements;
    uint16_t loops;
    char label[SINTER__PROFILE_LABEL];
} kernel_seen;

typedef struct kernels_seen {
    kernel_seen all[MOST_KERNELS];
    size_t count;
} kernels_seen;

/* "mul_add_gelu_e329f8f1f972b9bd" without the hash of the text, which says nothing to people. */
static void set_label(kernel_seen *k, const char *name)
{
    const char *hash = strrchr(name, '_');
    size_t bytes = hash != NULL ? (size_t)(hash - name) : strlen(name);
    (void)snprintf(k->label, sizeof k->label, "%.*s, %lld elements",
                   (int)SINTER__MIN(bytes, (size_t)60), name, (long long)k->elements);
}

static void see_group(kernels_seen *seen, const sinter__instance *in, size_t g)
{
    const sinter__launch *l = sinter__instance_launch(in, (uint16_t)g, 0);
    if (in->launch_counts[g] == 0 || l->kernel == NULL || seen->count == MOST_KERNELS)
        return;
    kernel_seen k = {.key = sinter__schedule_key(l->nest, l->bound)};
    for (size_t i = 0; i < seen->count; i++) {
        if (seen->all[i].key == k.key)
            return;
    }
    k.elements = l->bound->parallel * SINTER__MAX(l->bound->reduced, (int64_t)1);
    k.loops = (uint16_t)(1 << l->class_.key.loops);
    if (in->launch_counts[g] == 2)
        k.loops |= 1 << SINTER__LOOPS_COMBINE;
    set_label(&k, l->kernel->text.name);
    seen->all[seen->count++] = k;
}

static void see_instance(void *user, const sinter__instance *in)
{
    for (size_t g = 0; in->is_bound && g < in->compiled->plan.group_count; g++)
        see_group(user, in, g);
}

/* The largest first. */
static int compare_kernels(const void *a, const void *b)
{
    const kernel_seen *x = a;
    const kernel_seen *y = b;
    int size = (x->elements < y->elements) - (x->elements > y->elements);
    return size != 0 ? size : (x->key > y->key) - (x->key < y->key);
}

static void see_kernels(const sinter__trial *t, kernels_seen *seen)
{
    seen->count = 0;
    sinter__instances_visit(t->s, see_instance, seen);
    qsort(seen->all, seen->count, sizeof *seen->all, compare_kernels);
}

/* The public function */

static bool differs(const sinter__tuning *a, const sinter__tuning *b)
{
    return memcmp(a, b, sizeof *a) != 0;
}

/* Each kernel in turn, with an equal share of the time that is left. */
static sinter_status climb_kernels(sinter__search *s, const kernel_seen *kernels, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t now = sinter__now_ns();
        s->deadline_ns = now < s->end_ns ? now + (s->end_ns - now) / (count - i) : now;
        s->of_kernel = true;
        s->key = kernels[i].key;
        s->loops = kernels[i].loops;
        s->what = kernels[i].label;
        sinter__profile_kernel *k =
            sinter__profile_kernel_add(&s->p->values, s->p->allocator, s->key);
        if (k == NULL)
            return SINTER_ENOMEM;
        memcpy(k->label, kernels[i].label, sizeof k->label);
        SINTER_TRY(sinter__search_climb(s));
        k = sinter__profile_kernel_find(&s->p->values, s->key);
        if (k != NULL && !differs(&k->tuned.tuning, &s->p->values.tuning))
            sinter__profile_kernel_remove(&s->p->values, s->key);
    }
    return SINTER_OK;
}

/* Which operations run together, in the device's own numbers: what a kernel is depends on it, so it
 * comes first. It has as long as each kernel then has. */
static sinter_status climb_groups(sinter__search *s, size_t kernels)
{
    uint64_t now = sinter__now_ns();
    s->deadline_ns = now < s->end_ns ? now + (s->end_ns - now) / (kernels + 1) : now;
    s->of_kernel = false;
    s->loops = SINTER__TUNING_GROUPING;
    s->what = "groups";
    return sinter__search_climb(s);
}

/* How many numbers of the groups differ. */
static uint32_t count_regrouped(const sinter__tuning *a, const sinter__tuning *b)
{
    uint32_t count = 0;
    for (size_t i = 0; i < SINTER__TUNING_COUNT; i++)
        count += (sinter__tuning_row(i)->loops & SINTER__TUNING_GROUPING) != 0 &&
                 sinter__tuning_get(a, i) != sinter__tuning_get(b, i);
    return count;
}

/* Of how many of the job's kernels the own numbers differ. */
static uint32_t count_tuned(const sinter__profile_values *a, const sinter__profile_values *b,
                            const kernels_seen *seen)
{
    uint32_t count = 0;
    for (size_t i = 0; i < seen->count; i++) {
        const sinter__profile_kernel *x = sinter__profile_kernel_find(a, seen->all[i].key);
        const sinter__profile_kernel *y = sinter__profile_kernel_find(b, seen->all[i].key);
        if (x == NULL || y == NULL)
            count += x != y;
        else
            count += differs(&x->tuned.tuning, &y->tuned.tuning);
    }
    return count;
}

/* What comparing all of it once more takes, if that is not more than its part of the time. */
static uint64_t settling_ns(const sinter__search *s)
{
    uint64_t most = (s->watch->deadline_ns - s->watch->start_ns) / LAST_PART;
    return SINTER__MIN(sinter__trial_turn_ns(&s->best) * 2 * LAST_ROUNDS, most);
}

/* Times what was found against what was there; nothing found: that alone. *kept: it is faster still,
 * or the caller wants no more before there are turns enough to tell, and each number of it has won
 * twice by then. */
static sinter_status compare_last(sinter__search *s, const sinter_profile *before, bool found,
                                  bool *kept)
{
    sinter__trial first = {0};
    sinter__trial *both[] = {&s->best, &first};
    sinter_status status = SINTER_OK;
    if (found)
        status = open_trial(s, &first, before);
    /* all of its part of the time, also where what the search had begun took longer */
    uint64_t end_ns = sinter__now_ns() + (s->watch->deadline_ns - s->end_ns);
    end_ns = SINTER__MAX(end_ns, s->watch->deadline_ns);
    if (status == SINTER_OK)
        status = sinter__trial_time(both, found ? 2 : 1, LAST_ROUNDS, end_ns, s->watch);
    bool told = first.sample_count >= SINTER__TRIAL_LEAST_TURNS || !s->watch->stopped;
    if (told || !found) {
        s->result.tuned_ns = sinter__trial_median_ns(&s->best);
        s->result.default_ns = sinter__trial_median_ns(found ? &first : &s->best);
    }
    *kept =
        status == SINTER_OK && found &&
        (!told || (sinter__trial_beats(&s->best, &first) && sinter__trial_same(&s->best, &first)));
    sinter__trial_close(&first);
    return status;
}

/* Keeps what was found, or puts back what was there. */
static sinter_status settle(sinter__search *s, sinter_profile *before, const kernels_seen *seen)
{
    uint32_t tuned = count_tuned(&s->p->values, &before->values, seen);
    uint32_t regrouped = count_regrouped(&s->p->values.tuning, &before->values.tuning);
    bool found = tuned + regrouped > 0;
    bool kept = found;
    sinter_status status = SINTER_OK;
    (void)sinter__watch_goes_on(s->watch, "what was found");
    if (!s->watch->stopped)
        status = compare_last(s, before, found, &kept);
    if (kept) {
        s->result.tuned = tuned;
        s->result.regrouped = regrouped;
        return status;
    }
    sinter__profile_values swap = s->p->values;
    s->p->values = before->values;
    before->values = swap;
    s->result.tuned_ns = s->result.default_ns;
    return status;
}

static sinter_status tune(sinter_profile *p, const sinter_job *job, sinter__watch *watch,
                          sinter_tune_result *out)
{
    sinter__search s;
    sinter_profile before;
    kernels_seen seen;
    sinter_status status = sinter__profile_copy(&before, p->allocator, p);
    if (status == SINTER_OK)
        status = sinter__search_start(&s, p, job, watch);
    else
        s = (sinter__search){0};
    if (status == SINTER_OK) {
        s.end_ns = watch->deadline_ns - settling_ns(&s);
        see_kernels(&s.best, &seen);
        if (seen.count > 0) { /* the host reference device has none */
            status = climb_groups(&s, seen.count);
            if (status == SINTER_OK)
                see_kernels(&s.best, &seen);
        }
    }
    if (status == SINTER_OK) {
        s.result.kernels = (uint32_t)seen.count;
        status = climb_kernels(&s, seen.all, seen.count);
        if (status == SINTER_OK)
            status = settle(&s, &before, &seen);
    }
    *out = s.result;
    sinter__search_finish(&s);
    sinter__profile_finish(&before);
    return status;
}

sinter_status sinter_profile_tune(sinter_profile *profile, const sinter_job *job,
                                  const sinter_measure_options *options, sinter_tune_result *out)
{
    sinter__clear_error();
    if (profile == NULL || job == NULL || job->run == NULL || out == NULL)
        return sinter__fail(SINTER_EINVAL, "profile_tune: an argument is NULL");
    SINTER_TRY(sinter__sized_check("profile_tune: a result", out->size));
    sinter_tune_result result = SINTER_TUNE_RESULT_INIT;
    sinter_job whole = {0};
    sinter__watch watch = {.stopped = false};
    sinter_status status = sinter__sized_take("job", &whole, sizeof whole, job);
    if (status == SINTER_OK)
        status = sinter__watch_start(&watch, profile, options);
    if (status == SINTER_OK)
        status = tune(profile, &whole, &watch, &result);
    sinter__watch_finish(&watch);
    sinter__sized_give(out, out->size, &result, sizeof result);
    return status == SINTER_OK ? status : sinter__fail_in(status, "profile_tune");
}
