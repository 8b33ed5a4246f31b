#include "fusion/cost/bytes.h"

#include "fusion/nest/phase.h"
#include "fusion/nest/tree.h"
#include "fusion/schedule/items.h"

/* How often each access is read or written: once, unless the row is too large to stay in the cache
 * from phase to phase, or a chunk or run of it from one pass of a state to the next. */
typedef struct counts {
    int64_t reads[SINTER__NEST_VALUES];
    int64_t writes[SINTER__NEST_VALUES];
    int most;
} counts;

static int64_t element_bytes(const sinter__nest *nest, uint16_t access)
{
    return (int64_t)sinter_dtype_bytes((sinter_dtype)nest->accesses[access].dtype);
}

static void count_loop(const sinter__nest *nest, uint8_t loop, const bool *wanted, bool puts,
                       counts *out)
{
    bool reads = false;
    for (uint16_t i = 0; i < nest->value_count; i++) {
        const sinter__value *v = &nest->values[i];
        if (!wanted[i])
            continue;
        if (puts && sinter__is_put_by(nest, i, loop))
            out->writes[nest->values[v->kept].access]++;
        if (v->kind == SINTER__VALUE_LOAD)
            out->reads[v->access]++;
        else if (sinter__is_kept_for(v, loop))
            out->reads[nest->values[v->kept].access]++;
        reads |= v->kind == SINTER__VALUE_LOAD || sinter__is_kept_for(v, loop);
    }
    out->most += reads;
}

/* Where a scan is split, what it scans is read for the totals and again for the results. */
static void count_split_scan(const sinter__nest *nest, counts *out)
{
    bool wanted[SINTER__NEST_VALUES] = {false};
    for (uint16_t i = nest->value_count; i-- > 0;) {
        const sinter__value *v = &nest->values[i];
        wanted[i] |= v->kind == SINTER__VALUE_SCAN;
        for (int k = 0; k < v->source_count && wanted[i]; k++)
            wanted[v->source[k]] = true;
        if (wanted[i] && v->kind == SINTER__VALUE_LOAD)
            out->reads[v->access] = 2;
    }
}

/* How the kernel of a launch has its rows: a CPU's holds nothing that counts. */
static sinter__class_key rows_of(const sinter__nest *nest, const sinter__bound_nest *bound,
                                 const sinter__limits *limits, int launch)
{
    sinter__class_key key = {.held = 0};
    if (limits->style == SINTER_STYLE_GPU)
        sinter__schedule_rows(nest, bound, limits, launch, &key);
    return key;
}

static int64_t held_by(const sinter__class_key *key)
{
    return (int64_t)key->held * SINTER__TREE_LANES * SINTER__MAX(key->blocks, 1);
}

/* Whether `length` elements of a row do not stay where the next loop finds them, beside those that are held. */
static bool is_lost(const sinter__nest *nest, const sinter__bound_nest *bound,
                    const sinter__limits *limits, int64_t length, int64_t held)
{
    length -= SINTER__MIN(held, length);
    return sinter__row_bytes(nest, bound, &limits->tuning, length) >
           (int64_t)limits->tuning.row_cache;
}

/* Whether all rows are gone through before a loop comes back to one, in a launch of its own, and
 * are too many to stay. */
static bool is_far(const sinter__nest *nest, const sinter__bound_nest *bound,
                   const sinter__limits *limits)
{
    if (sinter__launch_count(nest, bound, limits) <= 1)
        return false;
    int64_t rows = sinter__row_units(bound, 1, (sinter__target){limits, &limits->tuning});
    return sinter__row_bytes(nest, bound, &limits->tuning, bound->reduced) >
           (int64_t)limits->tuning.row_cache / SINTER__MAX(rows, (int64_t)1);
}

/* Counts the loops of rows that do not stay in the cache. */
static void count_loops(const sinter__nest *nest, const sinter__bound_nest *bound,
                        const sinter__limits *limits, counts *out)
{
    bool per_row[SINTER__NEST_VALUES];
    bool wanted[SINTER__NEST_VALUES];
    bool is_split = sinter__launch_count(nest, bound, limits) > 1;
    int64_t part = bound->last_reduced ? SINTER__TREE_CHUNK : SINTER__TREE_RUN;
    part = SINTER__MIN(part, bound->reduced);
    sinter__bound_per_row(nest, bound, per_row);
    for (uint8_t loop = 0; loop <= nest->phases; loop++) {
        (void)sinter__loop_values(nest, per_row, loop, wanted);
        count_loop(nest, loop, wanted, true, out);
        if (!sinter__first_pass_values(nest, per_row, loop, wanted))
            continue;
        const sinter__class_key key = rows_of(nest, bound, limits, is_split ? 2 * loop : 0);
        if (is_lost(nest, bound, limits, part, held_by(&key)))
            count_loop(nest, loop, wanted, false, out);
    }
}

/* The same, as its kernels have the nest. What is held of a chunk is over with it. */
static void count_rows(const sinter__nest *nest, const sinter__bound_nest *bound,
                       const sinter__limits *limits, counts *out)
{
    if (nest->phases == 0)
        return;
    bool far = is_far(nest, bound, limits);
    if (!far && !is_lost(nest, bound, limits, bound->reduced, 0))
        return;
    const sinter__class_key key = rows_of(nest, bound, limits, 0);
    int64_t held = key.in_parts != 0 ? 0 : held_by(&key);
    if (!far && !is_lost(nest, bound, limits, bound->reduced, held))
        return;
    if (key.anew == 0) {
        count_loops(nest, bound, limits, out);
        return;
    }
    sinter__value values[SINTER__NEST_VALUES];
    const sinter__nest anew = sinter__keep_none(nest, values);
    count_loops(&anew, bound, limits, out);
}

static void count_accesses(const sinter__nest *nest, const sinter__bound_nest *bound,
                           const sinter__limits *limits, counts *out)
{
    *out = (counts){0};
    if (nest->form == SINTER__FORM_REDUCE)
        count_rows(nest, bound, limits, out);
    if (nest->form == SINTER__FORM_SCAN && sinter__launch_count(nest, bound, limits) > 1)
        count_split_scan(nest, out);
    for (uint16_t a = 0; a < nest->access_count; a++) {
        bool writes = nest->accesses[a].role == SINTER__ROLE_WRITE;
        out->writes[a] += writes;
        if (nest->accesses[a].role == SINTER__ROLE_READ)
            out->reads[a] = SINTER__MAX(out->reads[a], (int64_t)1);
    }
}

/* Reads of one tensor through several views count at most the tensor once; tensors in one storage
 * at most the span that they touch. Each time that they are read. */
static int64_t storage_bytes_read(const sinter__graph *g, const sinter__nest *nest,
                                  const sinter__bound_nest *bound, const counts *times,
                                  uint16_t first)
{
    uint16_t storage = g->tensors[nest->accesses[first].tensor].storage;
    int64_t sum = 0;
    int64_t low = INT64_MAX;
    int64_t high = INT64_MIN;
    int64_t most = 1;
    for (uint16_t a = first; a < nest->access_count; a++) {
        const sinter__access *access = &nest->accesses[a];
        const sinter__gtensor *t = &g->tensors[access->tensor];
        if (access->role != SINTER__ROLE_READ || t->storage != storage)
            continue;
        int64_t bytes = element_bytes(nest, a);
        int64_t from;
        int64_t to;
        sinter__view_span(&t->view, &from, &to);
        sum = sinter__add_bytes(sum, bound->accesses[a].distinct * bytes);
        low = SINTER__MIN(low, from * bytes);
        high = SINTER__MAX(high, (to + 1) * bytes);
        most = SINTER__MAX(most, times->reads[a]);
    }
    return sinter__mul_bytes(SINTER__MIN(sum, high - low), most);
}

static bool seen_before(const sinter__graph *g, const sinter__nest *nest, uint16_t access)
{
    uint16_t storage = g->tensors[nest->accesses[access].tensor].storage;
    for (uint16_t a = 0; a < access; a++) {
        if (nest->accesses[a].role == SINTER__ROLE_READ &&
            g->tensors[nest->accesses[a].tensor].storage == storage)
            return true;
    }
    return false;
}

sinter__bytes sinter__nest_bytes(const sinter__graph *g, const sinter__nest *nest,
                                 const sinter__bound_nest *bound, const sinter__limits *limits)
{
    sinter__bytes out = {0};
    counts times;
    if (bound->parallel == 0)
        return out;
    count_accesses(nest, bound, limits, &times);
    for (uint16_t a = 0; a < nest->access_count; a++) {
        const sinter__access *access = &nest->accesses[a];
        int64_t bytes = bound->accesses[a].distinct * element_bytes(nest, a);
        if (access->role == SINTER__ROLE_WRITE) {
            out.written = sinter__add_bytes(out.written, sinter__mul_bytes(bytes, times.writes[a]));
            out.read = sinter__add_bytes(out.read, sinter__mul_bytes(bytes, times.reads[a]));
        } else if (access->role == SINTER__ROLE_READ && !seen_before(g, nest, a)) {
            out.read = sinter__add_bytes(out.read, storage_bytes_read(g, nest, bound, &times, a));
        }
    }
    out.passes = times.most;
    out.scratch = sinter__scratch_bytes(nest, bound, limits).moved;
    return out;
}
