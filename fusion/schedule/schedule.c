#include "fusion/schedule/schedule.h"

#include "fusion/library/library.h"
#include "fusion/nest/larger.h"
#include "fusion/nest/phase.h"
#include "fusion/nest/state.h"
#include "fusion/nest/tree.h"
#include "fusion/schedule/hold.h"
#include "fusion/schedule/items.h"
#include "fusion/schedule/past_caches.h"
#include "fusion/schedule/scans.h"
#include "fusion/schedule/tiles.h"

#include <stdlib.h>

/* Operands that a kernel turns round, at most: each takes a block of memory of its own. */
#define TURNED_MAX 8

/* Operands in tables, at most: each is private memory of every work-item. */
#define TABLES_MAX 8

/* Work-items along a row of which a group of a GPU is not made smaller, however short the row is. */
#define ROW_GROUP_LEAST 64

/* Results side by side that a group of a GPU combines: what a memory moves at once. */
#define COMBINE_COLUMNS 8

typedef sinter__target target;

static uint32_t stride_kinds(const sinter__bound_nest *bound, const sinter__bound_access *access,
                             int vector_axis)
{
    uint32_t kinds = 0;
    for (int i = 0; i < bound->parallel_rank + bound->reduced_rank; i++) {
        sinter__stride kind = SINTER__STRIDE_ANY;
        if (access->stride[i] == 0)
            kind = SINTER__STRIDE_ZERO;
        else if (access->stride[i] == 1 && i == vector_axis)
            kind = SINTER__STRIDE_UNIT;
        else if (access->stride[i] == -1 && i == vector_axis)
            kind = SINTER__STRIDE_BACK;
        kinds |= (uint32_t)kind << (2 * i);
    }
    return kinds;
}

/* The key of tuned kernels */

/* How often `value` can be halved: sizes between two powers of two are one to a tuned kernel. */
static uint64_t size_class(int64_t value)
{
    uint64_t bits = 0;
    for (; value > 1; value /= 2)
        bits++;
    return bits;
}

uint64_t sinter__schedule_key(const sinter__nest *nest, const sinter__bound_nest *bound)
{
    int rank = bound->parallel_rank + bound->reduced_rank;
    uint64_t hash = sinter__hash(nest->form, (uint64_t)bound->last_reduced << 1 | bound->wide);
    hash = sinter__hash(hash, (uint64_t)bound->parallel_rank << 8 | (uint64_t)bound->reduced_rank);
    for (int i = 0; i < rank; i++)
        hash = sinter__hash(hash, size_class(bound->extent[i]));
    for (uint16_t i = 0; i < nest->value_count; i++) {
        const sinter__value *v = &nest->values[i];
        hash = sinter__hash(hash, (uint64_t)v->kind << 24 | (uint64_t)v->op << 16 |
                                      (uint64_t)v->dtype << 8 | v->work);
        hash = sinter__hash(hash, v->access);
        for (int k = 0; k < v->source_count; k++)
            hash = sinter__hash(hash, v->source[k]);
    }
    for (uint16_t a = 0; a < nest->access_count; a++) {
        hash = sinter__hash(hash, (uint64_t)nest->accesses[a].dtype << 8 | nest->accesses[a].role);
        hash = sinter__hash(hash, stride_kinds(bound, &bound->accesses[a], rank - 1));
    }
    return hash;
}

/* The numbers of the nest's own, else the device's. */
static const sinter__tuning *find_tuning(const sinter__nest *nest, const sinter__bound_nest *bound,
                                         const sinter__limits *limits)
{
    const sinter__tuned *own = NULL;
    if (limits->tuned.count > 0)
        own = sinter__tuned_find(&limits->tuned, sinter__schedule_key(nest, bound));
    return own != NULL ? &own->tuning : &limits->tuning;
}

/* Reductions: how many units, and how many launches */

/* Of a row or column: chunks or runs that are reduced, stretches that are scanned. Other nests have none to split. */
static int64_t parts_of(const sinter__nest *nest, const sinter__bound_nest *bound)
{
    if (nest->form == SINTER__FORM_SCAN)
        return sinter__div_up(bound->reduced, (int64_t)SINTER__SCAN_STRETCH);
    if (nest->form == SINTER__FORM_REDUCE)
        return sinter__tree_parts(bound->reduced, bound->last_reduced);
    return 1;
}

/* Parts of one reduction or scan, each of a word at most, in whole cache lines. */
static int64_t region_bytes(const sinter__bound_nest *bound, int64_t parts)
{
    uint64_t words = (uint64_t)(bound->parallel * parts);
    return (int64_t)sinter__align_up(words * sizeof(uint64_t), SINTER__LINE_BYTES);
}

/* Whether one work-item may not go through all parts of a row: each phase goes through them, twice where
 * a state wants it. */
static bool is_too_long(const sinter__nest *nest, const sinter__bound_nest *bound, target t)
{
    int64_t lanes = bound->last_reduced ? (int64_t)t.tuning->chunk_lanes : 1;
    int64_t passes = 2 * ((int64_t)nest->phases + 1);
    return t.limits->most_iterations != 0 &&
           sinter__div_up(bound->reduced, lanes) > t.limits->most_iterations / passes;
}

/* Whether a launch with every phase goes through its columns once. */
static bool goes_once(const sinter__nest *nest, const sinter__bound_nest *bound)
{
    return nest->form == SINTER__FORM_REDUCE && nest->phases == 1 &&
           !sinter__ends_with_row(nest, bound);
}

/* Times `items_per_unit` rows that each compute unit of a GPU should have before a group goes
 * through all chunks of one. */
#define ROW_GROUPS 4

/* Launches of a REDUCE or SCAN whose rows are split. */
static int split_launches(const sinter__nest *nest, bool ends_with_row)
{
    return nest->form == SINTER__FORM_SCAN ? 3 : 2 * nest->phases + ends_with_row;
}

/* What of a scan all units do together where it is split, once for the totals and again with the carries. */
#define SCANNED_TWICE 1.5

/* Whether what is idle of a CPU while `units` of rows are gone through would save less than the launches that splitting
 * takes more cost (docs/decisions/splits.md). */
static bool saves_little(const sinter__nest *nest, const sinter__bound_nest *bound, int64_t units,
                         target t)
{
    int64_t most = t.limits->compute_units;
    double whole = (double)sinter__div_up(units, most) / (double)units;
    double split = (nest->form == SINTER__FORM_SCAN ? SCANNED_TWICE : 1) / (double)most;
    int launches = split_launches(nest, sinter__ends_with_row(nest, bound));
    double more = (double)t.tuning->split_work * (launches - 1);
    return t.limits->style == SINTER_STYLE_CPU && t.tuning->split_work > 0 &&
           sinter__thread_work(nest, bound) * (whole - split) <= more;
}

/* Of an element that is reduced: bytes of what differs from the next one's, whatever is read and
 * written, or only read. */
static int64_t varying_bytes(const sinter__nest *nest, const sinter__bound_nest *bound, bool read)
{
    int64_t bytes = 0;
    for (uint16_t a = 0; a < nest->access_count; a++) {
        const sinter__access *access = &nest->accesses[a];
        bool counts = read ? access->role == SINTER__ROLE_READ : access->role != SINTER__ROLE_INDEX;
        if (counts && sinter__bound_varies(bound, a))
            bytes += (int64_t)sinter_dtype_bytes((sinter_dtype)access->dtype);
    }
    return bytes;
}

/* Lanes of a vector of columns: no more than a power of two that there are columns for. */
static uint16_t column_lanes(const sinter__bound_nest *bound, uint32_t lanes)
{
    while (lanes > 2 && (int64_t)lanes / 2 >= bound->extent[bound->parallel_rank - 1])
        lanes /= 2;
    return (uint16_t)lanes;
}

/* Columns side by side in a vector; 1 along rows. */
static int64_t vector_columns(const sinter__bound_nest *bound, const sinter__tuning *tuning)
{
    if (bound->last_reduced)
        return 1;
    return SINTER__MIN(bound->extent[bound->parallel_rank - 1], (int64_t)tuning->run_lanes);
}

int64_t sinter__row_bytes(const sinter__nest *nest, const sinter__bound_nest *bound,
                          const sinter__tuning *tuning, int64_t reduced)
{
    return varying_bytes(nest, bound, false) * vector_columns(bound, tuning) * reduced;
}

/* Times what the caches of all units hold of columns from which each launch over them is worth what it costs. */
#define MANY_CACHES 4

/* Whether columns of several parts that are gone through again would be so in narrow bands, as that is all that the row
 * cache holds of them: what comes in short pieces of many rows takes longer than whole rows several times. */
static bool is_narrow(const sinter__nest *nest, const sinter__bound_nest *bound, target t)
{
    if (t.limits->style != SINTER_STYLE_CPU || nest->form != SINTER__FORM_REDUCE ||
        bound->last_reduced || goes_once(nest, bound))
        return false;
    int64_t bytes = varying_bytes(nest, bound, true) * vector_columns(bound, t.tuning);
    if (bytes == 0)
        return false;
    int64_t held = t.tuning->row_cache / bytes / bound->reduced;
    int64_t many = held * (int64_t)t.limits->compute_units * MANY_CACHES;
    return held < (int64_t)t.tuning->run_narrow && sinter__row_units(bound, 1, t) > many;
}

/* Whether the rows, each of several parts, are too few to go to a unit each, too long, or columns in narrow bands. */
static bool is_split(const sinter__nest *nest, const sinter__bound_nest *bound, target t)
{
    if (parts_of(nest, bound) <= 1) /* 0: of nothing */
        return false;
    int64_t enough = sinter__enough_units(t);
    if (t.limits->style == SINTER_STYLE_GPU && !bound->last_reduced)
        enough *= t.tuning->column_group;
    if (t.limits->style == SINTER_STYLE_GPU && bound->last_reduced &&
        nest->form == SINTER__FORM_REDUCE)
        enough *= ROW_GROUPS;
    int64_t vectors = goes_once(nest, bound) ? sinter__most_vectors(t) : 1;
    int64_t units = sinter__row_units(bound, vectors, t);
    bool few =
        units < enough && !sinter__is_lone(nest, bound, t) && !saves_little(nest, bound, units, t);
    return few || is_narrow(nest, bound, t) || is_too_long(nest, bound, t);
}

int sinter__launch_limit(const sinter__nest *nest)
{
    bool splits = nest->form == SINTER__FORM_SCAN || nest->form == SINTER__FORM_REDUCE;
    return splits ? split_launches(nest, true) : 1;
}

int sinter__launch_count(const sinter__nest *nest, const sinter__bound_nest *bound,
                         const sinter__limits *limits)
{
    const target t = {limits, find_tuning(nest, bound, limits)};
    if (bound->parallel == 0)
        return 0;
    if (!is_split(nest, bound, t))
        return 1;
    return split_launches(nest, sinter__ends_with_row(nest, bound));
}

sinter__scratch_need sinter__scratch_bytes(const sinter__nest *nest,
                                           const sinter__bound_nest *bound,
                                           const sinter__limits *limits)
{
    sinter__scratch_need need = {0};
    bool scans = nest->form == SINTER__FORM_SCAN;
    int64_t parts = parts_of(nest, bound);
    int64_t times = scans ? 4 : 2; /* a total is written and read, and then its carry */
    if (bound->parallel == 0 || parts == 1 ||
        (scans && sinter__launch_count(nest, bound, limits) == 1))
        return need;
    for (uint16_t i = 0; i < nest->value_count; i++) {
        const sinter__value *v = &nest->values[i];
        if (v->kind != SINTER__VALUE_REDUCE && v->kind != SINTER__VALUE_SCAN)
            continue;
        sinter__state state = sinter__state_of(v);
        for (int k = 0; k < state.count; k++) {
            int64_t bytes = (int64_t)sinter_dtype_bytes((sinter_dtype)state.dtype[k]);
            need.moved = sinter__add_bytes(need.moved, times * bytes * bound->parallel * parts);
            need.bytes += region_bytes(bound, parts);
        }
    }
    return need;
}

/* For work-items of a CPU that should go through `item` elements, of units of `per_unit` each. */
static void set_item_units(const sinter__nest *nest, const sinter__bound_nest *bound, target t,
                           int64_t units, int64_t per_unit, int64_t item, sinter__geometry *out)
{
    item = sinter__whole_item(nest, bound, t, units * per_unit, item);
    sinter__set_units(out, units, item / per_unit, 1);
}

typedef enum course {
    COURSE_ALONG, /* as the memory lies, or nearly */
    COURSE_ACROSS, /* far apart along the line, closer together along the axis, as a transposed one */
    COURSE_TURNED, /* that, and neighbours lie along the axis, and blocks are filled */
} course;

size_t sinter__register_bytes(uint8_t dtype)
{
    bool wide = sinter__is_wide(sinter__class_of(dtype));
    return wide ? sizeof(uint64_t) : sizeof(uint32_t);
}

/* Local memory of an operand that is turned; on a CPU that happens between registers. */
static uint64_t block_bytes(const sinter__nest *nest, uint16_t access, target t)
{
    if (t.limits->style == SINTER_STYLE_CPU)
        return 0;
    return sinter__block_elements(t.tuning->block_side) *
           sinter__register_bytes(nest->accesses[access].dtype);
}

/* How an operand goes through blocks of the line and `axis`, which are worth it from `least` elements of both on. */
static course course_of(const sinter__nest *nest, const sinter__bound_nest *bound, uint16_t access,
                        int axis, int64_t least, target t)
{
    int line = bound->parallel_rank - 1;
    int64_t apart = llabs(bound->accesses[access].stride[line]);
    int64_t near = bound->accesses[access].stride[axis];
    if (nest->accesses[access].role != SINTER__ROLE_READ || near == 0 || llabs(near) >= apart ||
        apart < t.tuning->line_elements)
        return COURSE_ALONG;
    bool filled = least > 1 && SINTER__MIN(bound->extent[axis], bound->extent[line]) >= least;
    bool fits = block_bytes(nest, access, t) <= t.limits->local_bytes;
    return near == 1 && filled && fits ? COURSE_TURNED : COURSE_ACROSS;
}

/* The axis along which most operands are turned, or else run across, the innermost of several; -1: none
 * does. A short line is worth it for the former only. */
static int find_block_axis(const sinter__nest *nest, const sinter__bound_nest *bound, int64_t least,
                           bool flat, target t)
{
    const int weights[] = {0, !flat, SINTER__NEST_VALUES};
    int most = 0;
    int found = -1;
    for (int axis = bound->parallel_rank - 2; axis >= 0; axis--) {
        int weight = 0;
        for (uint16_t a = 0; a < nest->access_count; a++)
            weight += weights[course_of(nest, bound, a, axis, least, t)];
        if (weight > most) {
            most = weight;
            found = axis;
        }
    }
    return found;
}

/* Rows that a unit goes down along `axis`. An operand that is turned has its lines used up by a
 * block. Where they come from memory, it is read by more lines in a row than one: a memory opens a
 * row of its own for each that lies apart. Where they come from the next cache, by two: the second
 * is fetched with the first. */
static int64_t rows_down(const sinter__nest *nest, const sinter__bound_nest *bound, int axis,
                         target t, int64_t lanes)
{
    bool turned = false;
    for (uint16_t a = 0; a < nest->access_count; a++)
        turned |= course_of(nest, bound, a, axis, lanes, t) == COURSE_TURNED;
    uint32_t rows = turned ? t.tuning->turn_rows : t.tuning->band_rows;
    if (turned && sinter__turns_past_caches(nest, bound, t.tuning, lanes))
        rows = t.tuning->turn_far_rows;
    else if (turned && sinter__is_near(nest, bound, t.tuning))
        rows = t.tuning->turn_near_rows;
    return (int64_t)sinter__align_up(rows, (uint64_t)lanes);
}

/* Where operands run across, units are one vector wide and go down a band of rows, so that the cache
 * lines that a vector touches are used up while they are there; in square blocks, with a vector as
 * their side, for those that are turned. */
static bool schedule_block_cpu(const sinter__nest *nest, const sinter__bound_nest *bound, target t,
                               bool flat, sinter__class_key *key, sinter__geometry *out)
{
    int axis = find_block_axis(nest, bound, key->lanes, flat, t);
    if (axis < 0)
        return false;
    int64_t inner = bound->extent[bound->parallel_rank - 1];
    int64_t rows = bound->extent[axis];
    int64_t band = rows_down(nest, bound, axis, t, key->lanes);
    key->loops = SINTER__LOOPS_BLOCK;
    key->block_axis = (uint16_t)axis;
    key->rows = (uint16_t)band;
    out->segment = key->lanes;
    out->segments = sinter__div_up(inner, out->segment);
    out->parts = sinter__div_up(rows, band);
    int64_t bands = bound->parallel / inner / rows * out->parts;
    set_item_units(nest, bound, t, bands * out->segments, band * out->segment,
                   sinter__item(t, bound->parallel), out);
    return true;
}

/* A block of a GPU is worth it where it is half full. */
static int64_t least_side(uint32_t side)
{
    return side / 2;
}

/* A work-group to a square block, turned in local memory; only for operands that are. */
static bool schedule_block_gpu(const sinter__nest *nest, const sinter__bound_nest *bound, target t,
                               sinter__class_key *key, sinter__geometry *out)
{
    uint32_t side = t.tuning->block_side;
    uint32_t lanes = SINTER__MIN((uint32_t)key->lanes, side);
    size_t items =
        SINTER__MIN(sinter__power_group(t, t.tuning->block_items), (size_t)side * side / lanes);
    int axis = find_block_axis(nest, bound, least_side(side), true, t);
    if (axis < 0 || items < side / lanes) /* a row of a block is a work-group's at once */
        return false;
    int64_t inner = bound->extent[bound->parallel_rank - 1];
    int64_t rows = bound->extent[axis];
    key->loops = SINTER__LOOPS_BLOCK;
    key->block_axis = (uint16_t)axis;
    key->rows = (uint16_t)side;
    key->lanes = (uint16_t)lanes;
    out->segment = side;
    out->segments = sinter__div_up(inner, side);
    out->parts = sinter__div_up(rows, side);
    sinter__set_group_units(out, bound->parallel / inner / rows * out->parts * out->segments,
                            items);
    return true;
}

static void schedule_row_cpu(const sinter__nest *nest, const sinter__bound_nest *bound, target t,
                             sinter__geometry *out)
{
    int64_t inner = bound->extent[bound->parallel_rank - 1];
    int64_t item = sinter__short_item(t, bound->parallel, sinter__thread_work(nest, bound));
    item = sinter__whole_item(nest, bound, t, bound->parallel, item);
    out->segment = SINTER__MIN(inner, item);
    if (out->segment < inner)
        out->segment = (int64_t)sinter__align_up((uint64_t)out->segment, SINTER__TREE_LANES);
    out->segments = sinter__div_up(inner, out->segment);
    sinter__set_units(out, bound->parallel / inner * out->segments, item / out->segment, 1);
}

/* The axis from which on `access` moves, if the elements from there on are few; 0: they are not. */
static uint32_t period_axis(const sinter__bound_nest *bound, const sinter__bound_access *access)
{
    int axis = 0;
    int64_t period = 1;
    while (axis < bound->parallel_rank && access->stride[axis] == 0)
        axis++;
    for (int i = axis; i < bound->parallel_rank && period <= SINTER__PERIOD_MAX; i++)
        period *= bound->extent[i];
    bool is_short = axis < bound->parallel_rank && period <= SINTER__PERIOD_MAX;
    return is_short ? (uint32_t)axis : 0;
}

/* Whether a flat loop finds the places in memory of some operand or result by division. */
static bool divides_places(const sinter__nest *nest, const sinter__bound_nest *bound)
{
    bool any = false;
    for (uint16_t a = 0; a < nest->access_count; a++) {
        const sinter__bound_access *access = &bound->accesses[a];
        bool is_tabled =
            nest->accesses[a].role == SINTER__ROLE_READ && period_axis(bound, access) != 0;
        bool is_memory = nest->accesses[a].role != SINTER__ROLE_INDEX;
        any |= is_memory && !access->linear && !is_tabled;
    }
    return any;
}

/* Whether elements are gone through by their row-major index. */
static bool is_flat(const sinter__bound_nest *bound, target t, int64_t lanes)
{
    return bound->parallel_rank > 1 &&
           bound->extent[bound->parallel_rank - 1] < lanes * t.tuning->row_vectors;
}

/* Vectors of a row from which one that is not full is little of it, and the fewest lanes of half a vector. */
#define SHORT_ROW 8
#define HALF_LEAST 8

/* Lanes of a CPU's elementwise vectors: half as many where these fill short rows, so that none has a tail or lies in
 * two rows. */
static uint16_t row_lanes(const sinter__nest *nest, const sinter__bound_nest *bound, target t)
{
    const int64_t inner = bound->extent[bound->parallel_rank - 1];
    const int64_t lanes = (int64_t)t.tuning->map_lanes;
    if (bound->parallel_rank < 2 || lanes / 2 < HALF_LEAST)
        return (uint16_t)lanes;
    bool fills = inner < SHORT_ROW * lanes && inner % lanes != 0 && inner % (lanes / 2) == 0;
    bool halves = fills && (!is_flat(bound, t, lanes) || divides_places(nest, bound));
    return (uint16_t)(halves ? lanes / 2 : lanes);
}

static void schedule_map(const sinter__nest *nest, const sinter__bound_nest *bound, target t,
                         sinter__class_key *key, sinter__geometry *out)
{
    int64_t inner = bound->extent[bound->parallel_rank - 1];
    const bool is_cpu = t.limits->style == SINTER_STYLE_CPU;
    key->lanes = (uint16_t)t.tuning->map_lanes;
    if (is_cpu ? schedule_block_cpu(nest, bound, t, is_flat(bound, t, key->lanes), key, out)
               : schedule_block_gpu(nest, bound, t, key, out))
        return;
    if (is_cpu)
        key->lanes = row_lanes(nest, bound, t);
    bool flat = is_flat(bound, t, key->lanes);
    key->loops = flat ? SINTER__LOOPS_FLAT : SINTER__LOOPS_ROW;
    if (is_cpu) {
        sinter__bound_nest whole = *bound;
        if (flat) {
            whole.parallel_rank = 1;
            whole.extent[0] = bound->parallel;
        }
        schedule_row_cpu(nest, &whole, t, out);
        return;
    }
    bool one_axis = flat || bound->parallel_rank == 1;
    size_t local = sinter__gpu_group(t, one_axis ? t.tuning->flat_group : t.tuning->row_group);
    int64_t items = sinter__div_up(one_axis ? bound->parallel : inner, key->lanes);
    while (!one_axis && local > ROW_GROUP_LEAST && (int64_t)(local / 2) >= items)
        local /= 2;
    sinter__set_units(out, items, 1, local);
    out->global[1] = one_axis ? 1 : (size_t)(bound->parallel / inner);
}

/* Work-items of a group that holds a row, at most. */
#define MOST_RELAYED 1024

/* Trees over a group that are done at once are a kernel's, at most. */
#define MOST_TREES (SINTER__MAX_REDUCTIONS * SINTER__STATE_TERMS)

/* Local memory of a lane in the trees over a group: of each type of register that has any. */
static size_t tree_bytes(const sinter__nest *nest)
{
    bool has[SINTER__LIBRARY_WIDTH] = {false};
    size_t bytes = 0;
    for (uint16_t i = 0; i < nest->value_count; i++) {
        if (nest->values[i].kind != SINTER__VALUE_REDUCE)
            continue;
        sinter__state state = sinter__state_of(&nest->values[i]);
        const uint8_t dtypes[] = {state.dtype[0], state.term_dtype};
        for (int k = 0; k < (state.terms > 0 ? 2 : 1); k++) {
            sinter__class c = sinter__class_of(dtypes[k]);
            bool *counted = &has[sinter__library_class_of(c)];
            if (!*counted)
                bytes += sinter__register_bytes(dtypes[k]);
            *counted = true;
        }
    }
    return SINTER__MAX(bytes, sizeof(uint32_t)); /* there is one, at least */
}

/* Work-items of a group that relays a row, at most: as many as there is local memory for the trees of. */
static size_t most_relayed(const sinter__nest *nest, target t)
{
    size_t most = SINTER__MIN(sinter__power_group(t, t.limits->max_group), (size_t)MOST_RELAYED);
    while (most > 1 &&
           most * (tree_bytes(nest) + sinter__relay_bytes(nest)) > t.limits->local_bytes)
        most /= 2;
    return most;
}

/* The sub-group in which the work-items of a row are side by side; 0: there is none. */
static uint16_t row_sub_group(target t, size_t items, size_t group)
{
    size_t most = t.tuning->shuffles != 0 && t.limits->shuffle != NULL ? t.limits->sub_group : 0;
    return items > 1 && items <= most && most <= group ? (uint16_t)most : 0;
}

/* Elements of a work-item that reduces: a launch for each phase does a part of all work. */
static int64_t reduced_item(const sinter__nest *nest, const sinter__bound_nest *bound, target t,
                            const sinter__class_key *key)
{
    int launches = key->phase == SINTER__PHASE_ALL ? 1 : nest->phases + 1;
    return sinter__short_item(t, bound->parallel * SINTER__MAX(bound->reduced, (int64_t)1),
                              sinter__thread_work(nest, bound) / launches);
}

/* The partials of a row: on a CPU held by one work-item, on a GPU by as many as have a vector of them
 * each. Rows that need fewer work-items than a group has share it. A single row, as a whole
 * tensor is, gains nothing, and its length changes with the batch, for which nothing is compiled. */
static void schedule_chunk(const sinter__nest *nest, const sinter__bound_nest *bound, target t,
                           sinter__class_key *key, sinter__geometry *out)
{
    key->loops = SINTER__LOOPS_CHUNK;
    int64_t split = key->phase == SINTER__PHASE_ALL ? 1 : out->parts;
    int64_t units = bound->parallel * split;
    key->partials = SINTER__TREE_LANES;
    while (bound->parallel > 1 && key->partials > 1 && key->partials / 2 >= bound->reduced)
        key->partials = (uint16_t)(key->partials / 2);
    key->lanes = SINTER__MIN(key->lanes, key->partials);
    bool holds = t.limits->max_group >= SINTER__TREE_LANES / 16; /* a group can, the partials */
    key->style = t.tuning->chunk_group != 0 && holds ? SINTER_STYLE_GPU : SINTER_STYLE_CPU;
    if (t.limits->style == SINTER_STYLE_CPU && key->style == SINTER_STYLE_CPU) {
        int64_t per_unit = SINTER__MAX(bound->reduced / split, (int64_t)1);
        int64_t item = reduced_item(nest, bound, t, key);
        set_item_units(nest, bound, t, units, per_unit, item, out);
        return;
    }
    size_t group = sinter__power_group(t, t.tuning->chunk_items);
    if (key->style == SINTER_STYLE_CPU) {
        sinter__set_units(out, units, 1, group);
        return;
    }
    while ((size_t)(key->partials / key->lanes) > sinter__power_group(t, t.limits->max_group))
        key->lanes = (uint8_t)(key->lanes * 2);
    size_t items = SINTER__MAX((size_t)key->partials / key->lanes, (size_t)1);
    size_t local = (size_t)key->lanes * tree_bytes(nest);
    key->sub_group = row_sub_group(t, items, SINTER__MAX(group, items));
    if (key->sub_group == 0 && items * local > t.limits->local_bytes) { /* no group holds a row */
        key->style = SINTER_STYLE_CPU;
        sinter__set_units(out, units, 1, group);
        return;
    }
    group = SINTER__MAX(group, items);
    while (key->sub_group == 0 && group > items && group * local > t.limits->local_bytes)
        group /= 2;
    bool again = !goes_once(nest, bound);
    sinter__hold_row(nest, bound, t.tuning, again, key);
    uint64_t room = t.limits->local_bytes;
    if (key->held == 0 &&
        sinter__hold_relayed(nest, bound, t.tuning, again, most_relayed(nest, t), key)) {
        items = group = (size_t)key->blocks * SINTER__TREE_LANES;
        local = tree_bytes(nest);
        room -= group * sinter__relay_bytes(nest);
    }
    uint64_t trees = room / (group * local);
    key->trees = (uint16_t)SINTER__MIN(trees, (uint64_t)MOST_TREES);
    sinter__set_units(out, units, 1, 1);
    out->global[0] = sinter__round_up(units, group / items) * items;
    out->local[0] = group;
}

/* Loops of the nest that a launch runs: [first, last]. */
static uint8_t first_loop(const sinter__class_key *key)
{
    return key->phase == SINTER__PHASE_ALL ? 0 : (uint8_t)key->phase;
}

static uint8_t last_loop(const sinter__nest *nest, const sinter__class_key *key)
{
    return key->phase == SINTER__PHASE_ALL ? nest->phases : (uint8_t)key->phase;
}

/* Whether the launch goes through each run of the columns twice, for what takes two passes (fusion/nest/state.h). */
static bool has_two_passes(const sinter__nest *nest, const sinter__class_key *key)
{
    return sinter__has_states(nest, first_loop(key), last_loop(nest, key));
}

/* The vectors of columns of a unit, as many as leave enough units. What the launch goes through again, runs or all of
 * the columns, is then still in the cache, where one vector of it would be. */
static int64_t unit_vectors(const sinter__nest *nest, const sinter__bound_nest *bound, target t,
                            const sinter__class_key *key, int64_t split)
{
    int64_t inner = bound->extent[bound->parallel_rank - 1];
    int64_t vectors =
        SINTER__MIN(sinter__div_up(inner, (int64_t)t.tuning->run_lanes), sinter__most_vectors(t));
    if (!sinter__is_lone(nest, bound, t))
        vectors =
            SINTER__MIN(sinter__row_units(bound, 1, t) * split / sinter__enough_units(t), vectors);
    int64_t again[] = {
        has_two_passes(nest, key) ? SINTER__MIN(bound->reduced, (int64_t)SINTER__TREE_RUN) : 0,
        split > 1 || goes_once(nest, bound) ? 0 : bound->reduced};
    for (size_t i = 0; i < SINTER__COUNT(again); i++) {
        int64_t bytes = sinter__row_bytes(nest, bound, t.tuning, again[i]);
        int64_t held = t.tuning->row_cache / SINTER__MAX(bytes, (int64_t)1);
        if (again[i] > 0 && held > 0)
            vectors = SINTER__MIN(vectors, held);
    }
    return SINTER__MAX(vectors, (int64_t)1);
}

/* Rows that each vector goes down at a time in loops that store elements, where one does. A unit that has whole rows, and
 * goes through them once, takes them one after the other: all of it is one stream. Otherwise half as many as in
 * other loops: rows lie a multiple of a page apart often, and so do the results, so that a line that is loaded looks
 * like the one that was stored a row before. */
static uint32_t stored_rows(const sinter__nest *nest, const sinter__bound_nest *bound,
                            const sinter__class_key *key, bool are_whole)
{
    bool per_row[SINTER__NEST_VALUES];
    bool writes = false;
    sinter__bound_per_row(nest, bound, per_row);
    for (uint8_t loop = first_loop(key); loop <= last_loop(nest, key); loop++)
        writes |= sinter__writes_elements(nest, per_row, loop);
    if (!writes)
        return 0;
    bool is_stream = are_whole && key->phase != SINTER__PHASE_ALL && !has_two_passes(nest, key);
    return is_stream ? 1 : (key->rows + 1u) / 2;
}

static void schedule_run(const sinter__nest *nest, const sinter__bound_nest *bound, target t,
                         sinter__class_key *key, sinter__geometry *out)
{
    key->loops = SINTER__LOOPS_RUN;
    key->vectors = (uint16_t)sinter__most_vectors(t);
    key->rows = (uint16_t)(key->vectors > 1 ? t.tuning->run_rows : 0);
    int64_t inner = bound->extent[bound->parallel_rank - 1];
    int64_t split = key->phase == SINTER__PHASE_ALL ? 1 : out->parts;
    int64_t vectors = unit_vectors(nest, bound, t, key, split);
    out->segment = vectors * key->lanes;
    out->segments = sinter__div_up(inner, out->segment);
    if (key->vectors > 1)
        key->stored_rows = (uint16_t)stored_rows(nest, bound, key, out->segments == 1);
    int64_t units = sinter__row_units(bound, vectors, t) * split;
    int64_t per_unit = SINTER__MAX(bound->reduced / split, (int64_t)1) * out->segment;
    if (t.limits->style == SINTER_STYLE_CPU)
        set_item_units(nest, bound, t, units, per_unit, reduced_item(nest, bound, t, key), out);
    else
        sinter__set_units(out, units, 1, sinter__gpu_group(t, t.tuning->column_group));
}

#define COMBINED_PARTS ((int64_t)1 << 30) /* as a group counts them in an int */

/* Where results have many parts and do not fill the device themselves, a group of a GPU goes
 * through those of one or more together: as many columns as lie side by side, as far as that leaves
 * none over, since every work-item goes along to the barriers. */
static bool combine_together(const sinter__bound_nest *bound, target t, sinter__class_key *key,
                             sinter__geometry *out)
{
    size_t group = sinter__power_group(t, t.tuning->combine_items);
    size_t workers = 1;
    size_t columns = 1;
    size_t most = bound->last_reduced ? 1 : COMBINE_COLUMNS;
    while (columns < most && bound->parallel % (int64_t)(columns * 2) == 0)
        columns *= 2;
    while (workers * columns < group && sinter__is_group(t, columns, workers * 2) &&
           (int64_t)workers * 4 <= out->parts)
        workers *= 2;
    if (workers == 1 || out->parts > COMBINED_PARTS ||
        bound->parallel >= (int64_t)t.limits->compute_units * t.tuning->column_group)
        return false;
    while ((int64_t)1 << key->levels < out->parts)
        key->levels++;
    sinter__set_units(out, bound->parallel, 1, columns);
    out->global[1] = out->local[1] = workers;
    return true;
}

/* Results, on a CPU in vectors where they lie side by side. */
static void schedule_combine(const sinter__nest *nest, const sinter__bound_nest *bound, target t,
                             sinter__class_key *key, sinter__geometry *out)
{
    key->loops = SINTER__LOOPS_COMBINE;
    int64_t inner = bound->extent[bound->parallel_rank - 1];
    out->segment = bound->last_reduced ? 1 : inner;
    if (t.limits->style != SINTER_STYLE_CPU) {
        if (!combine_together(bound, t, key, out))
            sinter__set_units(out, bound->parallel, 1,
                              sinter__gpu_group(t, t.tuning->column_group));
        return;
    }
    key->lanes = (uint16_t)(bound->last_reduced ? 1 : column_lanes(bound, t.tuning->run_lanes));
    out->segments = sinter__div_up(inner, (int64_t)key->lanes);
    const int64_t parts = bound->parallel * out->parts;
    int64_t item = sinter__short_item(t, parts, 3.0 * (double)parts); /* each is loaded and added */
    set_item_units(nest, bound, t, sinter__row_units(bound, 1, t), out->parts * key->lanes, item,
                   out);
}

/* Whole or in stretches. Returns the axis of the vectors. */
static int schedule_scan(const sinter__nest *nest, const sinter__bound_nest *bound, target t,
                         int launch, sinter__class_key *key, sinter__geometry *out)
{
    out->parts = parts_of(nest, bound);
    out->region = region_bytes(bound, out->parts);
    key->phase = (uint8_t)(is_split(nest, bound, t) ? launch : SINTER__SCAN_ALL);
    return sinter__schedule_scans(nest, bound, t, key, out);
}

/* Returns the axis of the vectors. */
static int schedule_reduce(const sinter__nest *nest, const sinter__bound_nest *bound, target t,
                           int launch, sinter__class_key *key, sinter__geometry *out)
{
    bool split = is_split(nest, bound, t);
    out->parts = parts_of(nest, bound);
    out->region = region_bytes(bound, out->parts);
    key->phase = (uint8_t)(split ? launch / 2 : SINTER__PHASE_ALL);
    key->in_parts = out->parts > 1;
    if (split && launch % 2 == 1) {
        schedule_combine(nest, bound, t, key, out);
        return key->lanes > 1 ? bound->parallel_rank - 1 : -1;
    }
    key->anew = t.limits->style == SINTER_STYLE_GPU && sinter__is_anew(nest, bound, t.tuning, key);
    if (!bound->last_reduced) {
        key->lanes = column_lanes(bound, t.tuning->run_lanes);
        schedule_run(nest, bound, t, key, out);
        return bound->parallel_rank - 1;
    }
    key->lanes = (uint8_t)t.tuning->chunk_lanes;
    schedule_chunk(nest, bound, t, key, out);
    return bound->parallel_rank + bound->reduced_rank - 1;
}

void sinter__schedule_rows(const sinter__nest *nest, const sinter__bound_nest *bound,
                           const sinter__limits *limits, int launch, sinter__class_key *key)
{
    const target t = {limits, find_tuning(nest, bound, limits)};
    sinter__geometry geometry = {.segment = 1, .segments = 1, .parts = 1};
    *key = (sinter__class_key){.style = (uint8_t)limits->style, .lanes = 1};
    (void)schedule_reduce(nest, bound, t, launch, key, &geometry);
}

bool sinter__class_turns(const sinter__kernel_class *c, uint16_t access)
{
    return c->key.loops == SINTER__LOOPS_BLOCK &&
           sinter__class_stride(c, access, c->key.block_axis) == SINTER__STRIDE_UNIT;
}

bool sinter__class_turns_any(const sinter__kernel_class *c)
{
    bool any = false;
    for (uint16_t a = 0; a < c->key.access_count; a++)
        any |= sinter__class_turns(c, a);
    return any;
}

/* Operands that repeat along a flat line go into tables. On a GPU they are gathered: its work-items
 * have a few elements each, and neighbours find theirs in the cache. */
static void set_tables(const sinter__nest *nest, const sinter__bound_nest *bound,
                       sinter__kernel_class *out)
{
    sinter__class_key *key = &out->key;
    bool holds = key->loops == SINTER__LOOPS_FLAT && key->style == SINTER_STYLE_CPU;
    for (uint16_t a = 0; a < nest->access_count; a++) {
        out->accesses[a].period_axis = 0;
        if (!holds || key->lanes == 1 || key->tables == TABLES_MAX ||
            nest->accesses[a].role != SINTER__ROLE_READ)
            continue;
        out->accesses[a].period_axis = period_axis(bound, &bound->accesses[a]);
        if (out->accesses[a].period_axis != 0)
            key->tables++;
    }
}

static void set_stride(sinter__class_access *access, int axis, sinter__stride kind)
{
    access->strides &= ~(3u << (2 * axis));
    access->strides |= (uint32_t)kind << (2 * axis);
}

static void set_accesses(const sinter__nest *nest, const sinter__bound_nest *bound, int vector_axis,
                         target t, sinter__kernel_class *out)
{
    const sinter__class_key *key = &out->key;
    bool cpu = key->style == SINTER_STYLE_CPU;
    int64_t least = cpu ? key->lanes : least_side(key->rows);
    uint64_t bytes = 0;
    int turned = 0;
    for (uint16_t a = 0; a < nest->access_count; a++) {
        sinter__class_access *access = &out->accesses[a];
        access->strides = stride_kinds(bound, &bound->accesses[a], vector_axis);
        access->linear = bound->accesses[a].linear;
        access->streams = false;
        if (key->loops == SINTER__LOOPS_BLOCK && turned < TURNED_MAX &&
            bytes + block_bytes(nest, a, t) <= t.limits->local_bytes &&
            course_of(nest, bound, a, key->block_axis, least, t) == COURSE_TURNED) {
            turned++;
            bytes += block_bytes(nest, a, t);
            set_stride(access, key->block_axis, SINTER__STRIDE_UNIT);
        }
    }
    if (key->steps > 0) {
        uint16_t left = nest->values[SINTER__VALUE_LEFT].access;
        const int64_t *stride = bound->accesses[left].stride;
        int row = bound->parallel_rank - 2;
        if (stride[row] == 1 && stride[row + 2] != 1)
            set_stride(&out->accesses[left], row, SINTER__STRIDE_UNIT);
    }
}

/* What goes past the caches, what then waits beside it, rows of row_beside bytes together, what is asked for ahead, and
 * whether the caches hold all of what is scanned. */
static void set_streams(const sinter__nest *nest, const sinter__bound_nest *bound, target t,
                        sinter__kernel_class *out)
{
    bool past = sinter__goes_past_caches(nest, bound, t.tuning, out);
    bool parts = !past && t.limits->splits_vectors &&
                 sinter__stores_in_parts(nest, bound, t.tuning, &out->key);
    bool asks = t.limits->prefetches && sinter__asks_ahead(nest, bound, t.tuning, &out->key);
    int64_t left = past ? (int64_t)t.tuning->row_beside : -1; /* not even rows of none */
    for (uint16_t a = 0; a < nest->access_count; a++) {
        uint32_t vectors = sinter__vectors_beside(nest, bound, t.tuning, out, a, left);
        if (vectors > 0)
            left -= bound->reduced * (int64_t)sinter__register_bytes(nest->accesses[a].dtype);
        out->accesses[a].beside = vectors;
        out->accesses[a].ahead = asks ? sinter__ahead_bytes(nest, bound, t.tuning, a) : 0;
        out->accesses[a].streams = vectors > 0 || (past && sinter__may_stream(nest, a));
        out->accesses[a].parts = parts && sinter__may_part(nest, bound, out->key.lanes, a);
    }
    if (out->key.style == SINTER_STYLE_CPU && out->key.loops == SINTER__LOOPS_SCAN_ROWS)
        out->key.near = out->key.rows > 0 && sinter__scans_near(nest, bound, t.tuning, out);
}

/* Elements that are reduced, and those of a flat loop, are a line along several axes. */
static sinter__runs runs_of(const sinter__bound_nest *bound, const sinter__class_key *key)
{
    bool flat = key->loops == SINTER__LOOPS_FLAT;
    int rank = flat ? bound->parallel_rank : bound->reduced_rank;
    if ((!flat && key->loops != SINTER__LOOPS_CHUNK) || rank < 2)
        return SINTER__RUNS_ANY;
    int64_t run = bound->extent[flat ? rank - 1 : bound->parallel_rank + rank - 1];
    if (!flat && run % SINTER__TREE_LANES == 0)
        return SINTER__RUNS_BLOCK;
    if (run % key->lanes == 0)
        return SINTER__RUNS_WHOLE;
    return run > key->lanes ? SINTER__RUNS_LONG : SINTER__RUNS_ANY;
}

/* Vectors from which a line is long: what its tail takes is little then. */
#define LONG_LINE 64

/* Whether a vector that is not full is as frequent as others, and its array slow: a compiler that takes vectors apart
 * keeps that in memory. Elementwise kernels gain nothing by the other way (docs/decisions/tails.md). */
static bool has_tails(const sinter__bound_nest *bound, target t, const sinter__class_key *key)
{
    bool chunk = key->loops == SINTER__LOOPS_CHUNK;
    int64_t line = chunk ? bound->reduced : bound->extent[bound->parallel_rank - 1];
    if (key->style != SINTER_STYLE_CPU || !t.limits->splits_vectors ||
        !(chunk || key->loops == SINTER__LOOPS_RUN))
        return false;
    return line < (int64_t)LONG_LINE * key->lanes && line % key->lanes != 0;
}

void sinter__schedule(const sinter__nest *nest, const sinter__bound_nest *bound,
                      const sinter__limits *limits, int launch, sinter__kernel_class *out,
                      sinter__geometry *geometry)
{
    const target t = {limits, find_tuning(nest, bound, limits)};
    *geometry = (sinter__geometry){.segment = 1, .segments = 1, .parts = 1};
    if (limits->style == SINTER_STYLE_CPU && (limits->runs_at_once || t.tuning->poll_work > 0))
        geometry->work = sinter__thread_work(nest, bound);
    sinter__class_key *key = &out->key;
    *key = (sinter__class_key){.style = (uint8_t)limits->style, .lanes = 1};
    int vector_axis = bound->parallel_rank - 1;
    if (nest->form == SINTER__FORM_MAP) {
        schedule_map(nest, bound, t, key, geometry);
    } else if (nest->form == SINTER__FORM_CONTRACT) {
        uint8_t dtype = nest->values[SINTER__VALUE_PRODUCT].dtype;
        size_t element = sinter__register_bytes(dtype);
        key->lanes = (uint8_t)t.tuning->tile_lanes;
        if (element > sizeof(uint32_t) && key->lanes > 1) /* half as many fit a register */
            key->lanes /= 2;
        if (limits->style == SINTER_STYLE_CPU && bound->extent[vector_axis] > 1)
            key->lanes = column_lanes(bound, key->lanes);
        sinter__schedule_tiles(bound, t, (int64_t)element, key, geometry);
    } else if (nest->form == SINTER__FORM_SCAN) {
        vector_axis = schedule_scan(nest, bound, t, launch, key, geometry);
    } else {
        vector_axis = schedule_reduce(nest, bound, t, launch, key, geometry);
    }
    if (limits->relaxed)
        key->relaxed = limits->has_fma ? SINTER__RELAXED_CONTRACTED : SINTER__RELAXED_HELD;
    key->wide = bound->wide;
    key->parallel_rank = (uint8_t)bound->parallel_rank;
    key->reduced_rank = (uint8_t)bound->reduced_rank;
    key->empty = bound->reduced == 0;
    key->larger = nest->form == SINTER__FORM_REDUCE && sinter__takes_larger(nest);
    key->group[0] = (uint16_t)geometry->local[0];
    key->group[1] = (uint16_t)geometry->local[1];
    key->access_count = nest->access_count;
    key->runs = (uint16_t)runs_of(bound, key);
    key->tails = has_tails(bound, t, key);
    set_accesses(nest, bound, vector_axis, t, out);
    set_tables(nest, bound, out);
    set_streams(nest, bound, t, out);
}
