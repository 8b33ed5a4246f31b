#include "fusion/schedule.h"

#include "fusion/library.h"
#include "fusion/state.h"
#include "fusion/tree.h"

#include <stdlib.h>

/* Operands that a kernel turns round, at most: each takes a block of memory of its own. */
#define TURNED_MAX 8

/* Matrix products of fewer rows take them one by one. */
#define TILE_MIN_ROWS 4

/* Regions of scratch memory are whole cache lines. */
#define LINE_BYTES 64

/* What the schedules below are made for: the device, and the numbers that fit the nest. */
typedef struct target {
    const sinter__limits *limits;
    const sinter__tuning *tuning;
} target;

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

static int64_t parts_of(const sinter__bound_nest *bound)
{
    return sinter__tree_parts(bound->reduced, bound->last_reduced);
}

/* Parts of one reduction or scan, each of a word at most, in whole cache lines. */
static int64_t region_bytes(const sinter__bound_nest *bound, int64_t parts)
{
    uint64_t words = (uint64_t)(bound->parallel * parts);
    return (int64_t)sinter__align_up(words * sizeof(uint64_t), LINE_BYTES);
}

/* Units of a REDUCE that is not split: rows, or vectors of columns. */
static int64_t row_units(const sinter__bound_nest *bound, target t)
{
    int64_t inner = bound->extent[bound->parallel_rank - 1];
    if (bound->last_reduced)
        return bound->parallel;
    return bound->parallel / inner * sinter__div_up(inner, (int64_t)t.tuning->run_lanes);
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

/* Whether the rows, each of several parts, are too few to go to a unit each, or too long. */
static bool is_split(const sinter__nest *nest, const sinter__bound_nest *bound, int64_t parts,
                     target t)
{
    int64_t enough = (int64_t)t.limits->compute_units * t.tuning->items_per_unit;
    if (t.limits->style == SINTER_STYLE_GPU && !bound->last_reduced)
        enough *= t.tuning->column_group;
    return parts > 1 && (row_units(bound, t) < enough || is_too_long(nest, bound, t));
}

static int64_t stretches_of(const sinter__bound_nest *bound)
{
    return sinter__div_up(bound->reduced, (int64_t)SINTER__SCAN_STRETCH);
}

int sinter__launch_limit(const sinter__nest *nest)
{
    if (nest->form == SINTER__FORM_SCAN)
        return 3;
    return nest->form == SINTER__FORM_REDUCE ? 2 * nest->phases + 1 : 1;
}

/* Whether something is stored over the domain after the last reduction. */
static bool ends_with_row(const sinter__nest *nest, const sinter__bound_nest *bound)
{
    for (uint16_t i = 0; i < nest->value_count; i++) {
        const sinter__value *v = &nest->values[i];
        if (v->kind == SINTER__VALUE_STORE && v->phase == nest->phases &&
            sinter__bound_varies(bound, v->access))
            return true;
    }
    return false;
}

int sinter__launch_count(const sinter__nest *nest, const sinter__bound_nest *bound,
                         const sinter__limits *limits)
{
    const target t = {limits, find_tuning(nest, bound, limits)};
    if (bound->parallel == 0)
        return 0;
    if (nest->form == SINTER__FORM_SCAN)
        return is_split(nest, bound, stretches_of(bound), t) ? 3 : 1;
    if (nest->form != SINTER__FORM_REDUCE || !is_split(nest, bound, parts_of(bound), t))
        return 1;
    return 2 * nest->phases + ends_with_row(nest, bound);
}

sinter__scratch_need sinter__scratch_bytes(const sinter__nest *nest,
                                           const sinter__bound_nest *bound,
                                           const sinter__limits *limits)
{
    sinter__scratch_need need = {0};
    bool scans = nest->form == SINTER__FORM_SCAN;
    int64_t parts = scans ? stretches_of(bound) : parts_of(bound);
    int64_t times = scans ? 4 : 2; /* a total is written and read, and then its carry */
    if ((!scans && nest->form != SINTER__FORM_REDUCE) || bound->parallel == 0 || parts == 1 ||
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

static size_t round_up(int64_t value, size_t unit)
{
    return ((size_t)value + unit - 1) / unit * unit;
}

/* Elements per work-item so that every compute unit gets several. */
static int64_t cpu_item(target t, int64_t elements)
{
    int64_t items = (int64_t)t.limits->compute_units * t.tuning->items_per_unit;
    int64_t share = sinter__div_up(elements, items);
    share = (int64_t)sinter__align_up((uint64_t)share, SINTER__TREE_LANES);
    share = SINTER__MAX(share, (int64_t)t.tuning->item_min);
    if (t.limits->most_iterations != 0) /* an element is in a few loops, at most */
        share = SINTER__MIN(share, (int64_t)t.limits->most_iterations / 4);
    return SINTER__MIN(share, (int64_t)t.tuning->item_max);
}

/* Work-items of a work-group of a GPU. */
static size_t gpu_group(target t, uint32_t wanted)
{
    return SINTER__MIN((size_t)wanted, (size_t)t.limits->max_group);
}

/* The same as a power of two. */
static size_t power_group(target t, uint32_t wanted)
{
    size_t most = gpu_group(t, wanted);
    size_t group = 1;
    while (group * 2 <= most)
        group *= 2;
    return group;
}

static void set_units(sinter__geometry *out, int64_t units, int64_t per_item, size_t local)
{
    out->units = units;
    out->units_per_item = SINTER__MAX(per_item, (int64_t)1);
    out->global[0] = round_up(sinter__div_up(units, out->units_per_item), local);
    out->global[1] = out->global[2] = 1;
    out->local[0] = local;
    out->local[1] = out->local[2] = 1;
}

typedef enum course {
    COURSE_ALONG, /* as the memory lies, or nearly */
    COURSE_ACROSS, /* far apart along the line, closer together along the axis, as a transposed one */
    COURSE_TURNED, /* that, and neighbours lie along the axis, and blocks are filled */
} course;

/* How an operand goes through blocks of the line and `axis`. */
static course course_of(const sinter__nest *nest, const sinter__bound_nest *bound, uint16_t access,
                        int axis, int64_t lanes, target t)
{
    int line = bound->parallel_rank - 1;
    int64_t apart = llabs(bound->accesses[access].stride[line]);
    int64_t near = bound->accesses[access].stride[axis];
    if (nest->accesses[access].role != SINTER__ROLE_READ || near == 0 || llabs(near) >= apart ||
        apart < t.tuning->line_elements)
        return COURSE_ALONG;
    bool filled = lanes > 1 && SINTER__MIN(bound->extent[axis], bound->extent[line]) >= lanes;
    return near == 1 && filled ? COURSE_TURNED : COURSE_ACROSS;
}

/* The axis along which most operands are turned, or else run across, the innermost of several; -1: none
 * does. A short line is worth it for the former only. */
static int find_block_axis(const sinter__nest *nest, const sinter__bound_nest *bound, int64_t lanes,
                           bool flat, target t)
{
    const int weights[] = {0, !flat, SINTER__NEST_VALUES};
    int most = 0;
    int found = -1;
    for (int axis = bound->parallel_rank - 2; axis >= 0; axis--) {
        int weight = 0;
        for (uint16_t a = 0; a < nest->access_count; a++)
            weight += weights[course_of(nest, bound, a, axis, lanes, t)];
        if (weight > most) {
            most = weight;
            found = axis;
        }
    }
    return found;
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
    int64_t band = (int64_t)sinter__align_up(t.tuning->band_rows, key->lanes);
    key->loops = SINTER__LOOPS_BLOCK;
    key->block_axis = (uint16_t)axis;
    key->rows = (uint16_t)band;
    out->segment = key->lanes;
    out->segments = sinter__div_up(inner, out->segment);
    out->parts = sinter__div_up(rows, band);
    int64_t bands = bound->parallel / inner / rows * out->parts;
    set_units(out, bands * out->segments, cpu_item(t, bound->parallel) / (band * out->segment), 1);
    return true;
}

static void schedule_row_cpu(const sinter__bound_nest *bound, target t, sinter__geometry *out)
{
    int64_t inner = bound->extent[bound->parallel_rank - 1];
    int64_t item = cpu_item(t, bound->parallel);
    out->segment = SINTER__MIN(inner, item);
    if (out->segment < inner)
        out->segment = (int64_t)sinter__align_up((uint64_t)out->segment, SINTER__TREE_LANES);
    out->segments = sinter__div_up(inner, out->segment);
    set_units(out, bound->parallel / inner * out->segments, item / out->segment, 1);
}

static void schedule_map(const sinter__nest *nest, const sinter__bound_nest *bound, target t,
                         sinter__class_key *key, sinter__geometry *out)
{
    int64_t inner = bound->extent[bound->parallel_rank - 1];
    int64_t vector = key->lanes;
    bool flat = bound->parallel_rank > 1 && inner < vector * t.tuning->row_vectors;
    key->loops = flat ? SINTER__LOOPS_FLAT : SINTER__LOOPS_ROW;
    if (t.limits->style == SINTER_STYLE_CPU) {
        if (schedule_block_cpu(nest, bound, t, flat, key, out))
            return;
        sinter__bound_nest whole = *bound;
        if (flat) {
            whole.parallel_rank = 1;
            whole.extent[0] = bound->parallel;
        }
        schedule_row_cpu(&whole, t, out);
        return;
    }
    bool one_axis = flat || bound->parallel_rank == 1;
    size_t local = gpu_group(t, one_axis ? t.tuning->flat_group : t.tuning->row_group);
    int64_t length = one_axis ? bound->parallel : inner;
    set_units(out, sinter__div_up(length, vector), 1, local);
    out->global[1] = one_axis ? 1 : (size_t)(bound->parallel / inner);
}

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
            sinter__class c = (sinter__class)sinter__dtype((sinter_dtype)dtypes[k])->class_;
            bool *counted = &has[sinter__library_class_of(c)];
            if (!*counted)
                bytes += sinter__is_wide(c) ? sizeof(uint64_t) : sizeof(uint32_t);
            *counted = true;
        }
    }
    return SINTER__MAX(bytes, sizeof(uint32_t)); /* there is one, at least */
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
        int64_t item = cpu_item(t, bound->parallel * SINTER__MAX(bound->reduced, (int64_t)1));
        set_units(out, units, item / per_unit, 1);
        return;
    }
    size_t group = power_group(t, t.tuning->chunk_items);
    if (key->style == SINTER_STYLE_CPU) {
        set_units(out, units, 1, group);
        return;
    }
    while ((size_t)(key->partials / key->lanes) > power_group(t, t.limits->max_group))
        key->lanes = (uint8_t)(key->lanes * 2);
    size_t items = SINTER__MAX((size_t)key->partials / key->lanes, (size_t)1);
    size_t local = (size_t)key->lanes * tree_bytes(nest);
    if (items * local > t.limits->local_bytes) { /* no group holds a row */
        key->style = SINTER_STYLE_CPU;
        set_units(out, units, 1, group);
        return;
    }
    group = SINTER__MAX(group, items);
    while (group > items && group * local > t.limits->local_bytes)
        group /= 2;
    uint64_t trees = t.limits->local_bytes / (group * local);
    key->trees = (uint16_t)SINTER__MIN(trees, (uint64_t)MOST_TREES);
    set_units(out, units, 1, 1);
    out->global[0] = round_up(units, group / items) * items;
    out->local[0] = group;
}

static void schedule_run(const sinter__bound_nest *bound, target t, sinter__class_key *key,
                         sinter__geometry *out)
{
    key->loops = SINTER__LOOPS_RUN;
    int64_t inner = bound->extent[bound->parallel_rank - 1];
    int64_t split = key->phase == SINTER__PHASE_ALL ? 1 : out->parts;
    out->segment = key->lanes;
    out->segments = sinter__div_up(inner, out->segment);
    int64_t units = row_units(bound, t) * split;
    int64_t per_unit = SINTER__MAX(bound->reduced / split, (int64_t)1) * out->segment;
    int64_t item = cpu_item(t, bound->parallel * SINTER__MAX(bound->reduced, (int64_t)1));
    if (t.limits->style == SINTER_STYLE_CPU)
        set_units(out, units, item / per_unit, 1);
    else
        set_units(out, units, 1, gpu_group(t, t.tuning->column_group));
}

static void schedule_combine(const sinter__bound_nest *bound, target t, sinter__class_key *key,
                             sinter__geometry *out)
{
    key->loops = SINTER__LOOPS_COMBINE;
    out->segment = bound->last_reduced ? 1 : bound->extent[bound->parallel_rank - 1];
    bool cpu = t.limits->style == SINTER_STYLE_CPU;
    set_units(out, bound->parallel, cpu ? cpu_item(t, bound->parallel) / out->parts : 1,
              cpu ? 1 : gpu_group(t, t.tuning->column_group));
}

/* Tiles one below the other for a work-item, so that every compute unit gets several such bands. */
static int64_t band_of(target t, int64_t tiles, int64_t beside, uint16_t most)
{
    int64_t items = (int64_t)t.limits->compute_units * t.tuning->items_per_unit;
    int64_t share = sinter__div_up(tiles * beside, items);
    return SINTER__MIN(SINTER__MAX(share, (int64_t)1), SINTER__MIN(tiles, (int64_t)most));
}

static void schedule_tile(const sinter__bound_nest *bound, target t, sinter__class_key *key,
                          sinter__geometry *out)
{
    int64_t m = bound->extent[bound->parallel_rank - 2];
    int64_t n = bound->extent[bound->parallel_rank - 1];
    key->loops = SINTER__LOOPS_TILE;
    key->vectors = (uint8_t)SINTER__MIN(sinter__div_up(SINTER__MAX(n, (int64_t)1), key->lanes),
                                        (int64_t)t.tuning->tile_vectors);
    key->rows = m < TILE_MIN_ROWS ? 1 : (uint8_t)t.tuning->tile_rows;
    size_t columns = (size_t)key->lanes * key->vectors;
    size_t group = SINTER__MAX(gpu_group(t, t.tuning->tile_group), (size_t)1);
    while (group > 1 && group * group > t.limits->max_group)
        group /= 2;
    int64_t tiles = sinter__div_up(SINTER__MAX(m, (int64_t)1), key->rows);
    int64_t panels = sinter__div_up(SINTER__MAX(n, (int64_t)1), (int64_t)columns);
    int64_t batch = bound->parallel / SINTER__MAX(m * n, (int64_t)1);
    /* what a band lays out is private: a driver that runs a work-group as a loop holds it for each item */
    key->band = (uint16_t)(key->rows > 1 && group == 1 ? t.tuning->tile_band : 1);
    *out = (sinter__geometry){.units = 1, .units_per_item = 1};
    if (key->band > 1)
        out->units_per_item = band_of(t, tiles, panels * batch, key->band);
    out->local[0] = out->local[1] = group;
    out->local[2] = 1;
    out->global[0] = round_up(panels, group);
    out->global[1] = round_up(sinter__div_up(tiles, out->units_per_item), group);
    out->global[2] = (size_t)batch;
}

/* Lines or vectors of columns, whole or in stretches. Returns the axis of the vectors. */
static int schedule_scan(const sinter__nest *nest, const sinter__bound_nest *bound, target t,
                         int launch, sinter__class_key *key, sinter__geometry *out)
{
    bool cpu = t.limits->style == SINTER_STYLE_CPU;
    bool rows = bound->last_reduced;
    size_t local = cpu ? 1 : gpu_group(t, t.tuning->column_group);
    int64_t inner = bound->extent[bound->parallel_rank - 1];
    out->parts = stretches_of(bound);
    out->region = region_bytes(bound, out->parts);
    bool split = is_split(nest, bound, out->parts, t);
    key->phase = (uint8_t)(split ? launch : SINTER__SCAN_ALL);
    if (split && launch == SINTER__SCAN_CARRIES) {
        key->loops = SINTER__LOOPS_SCAN_CARRIES;
        out->segment = rows ? 1 : inner;
        set_units(out, bound->parallel, cpu ? cpu_item(t, bound->parallel) / out->parts : 1, local);
        return -1;
    }
    key->loops = rows ? SINTER__LOOPS_SCAN_ROWS : SINTER__LOOPS_SCAN_COLUMNS;
    key->lanes = (uint8_t)(rows ? t.tuning->chunk_lanes : t.tuning->run_lanes);
    while (rows && key->lanes > 1 && key->lanes / 2 >= bound->reduced)
        key->lanes = (uint8_t)(key->lanes / 2); /* the row is shorter than a vector */
    out->segment = rows ? 1 : key->lanes;
    out->segments = rows ? 1 : sinter__div_up(inner, out->segment);
    int64_t length = split ? (int64_t)SINTER__SCAN_STRETCH : bound->reduced;
    int64_t units = row_units(bound, t) * (split ? out->parts : 1);
    int64_t item = cpu_item(t, bound->parallel * bound->reduced);
    set_units(out, units, cpu ? item / (length * out->segment) : 1, local);
    return rows ? bound->parallel_rank : bound->parallel_rank - 1;
}

/* Returns the axis of the vectors. */
static int schedule_reduce(const sinter__nest *nest, const sinter__bound_nest *bound, target t,
                           int launch, sinter__class_key *key, sinter__geometry *out)
{
    bool split = is_split(nest, bound, parts_of(bound), t);
    out->parts = parts_of(bound);
    out->region = region_bytes(bound, out->parts);
    key->phase = (uint8_t)(split ? launch / 2 : SINTER__PHASE_ALL);
    key->in_parts = out->parts > 1;
    if (split && launch % 2 == 1) {
        schedule_combine(bound, t, key, out);
        return -1;
    }
    if (!bound->last_reduced) {
        key->lanes = (uint8_t)t.tuning->run_lanes;
        schedule_run(bound, t, key, out);
        return bound->parallel_rank - 1;
    }
    key->lanes = (uint8_t)t.tuning->chunk_lanes;
    schedule_chunk(nest, bound, t, key, out);
    return bound->parallel_rank + bound->reduced_rank - 1;
}

bool sinter__class_turns(const sinter__kernel_class *c, uint16_t access)
{
    return c->key.loops == SINTER__LOOPS_BLOCK &&
           sinter__class_stride(c, access, c->key.block_axis) == SINTER__STRIDE_UNIT;
}

static void set_accesses(const sinter__nest *nest, const sinter__bound_nest *bound, int vector_axis,
                         target t, sinter__kernel_class *out)
{
    const sinter__class_key *key = &out->key;
    int turned = 0;
    for (uint16_t a = 0; a < nest->access_count; a++) {
        sinter__class_access *access = &out->accesses[a];
        access->strides = stride_kinds(bound, &bound->accesses[a], vector_axis);
        access->linear = bound->accesses[a].linear;
        if (key->loops == SINTER__LOOPS_BLOCK && turned < TURNED_MAX &&
            course_of(nest, bound, a, key->block_axis, key->lanes, t) == COURSE_TURNED) {
            turned++;
            access->strides &= ~(3u << (2 * key->block_axis));
            access->strides |= (uint32_t)SINTER__STRIDE_UNIT << (2 * key->block_axis);
        }
    }
}

void sinter__schedule(const sinter__nest *nest, const sinter__bound_nest *bound,
                      const sinter__limits *limits, int launch, sinter__kernel_class *out,
                      sinter__geometry *geometry)
{
    const target t = {limits, find_tuning(nest, bound, limits)};
    *geometry = (sinter__geometry){.segment = 1, .segments = 1, .parts = 1};
    sinter__class_key *key = &out->key;
    *key = (sinter__class_key){.style = (uint8_t)limits->style, .lanes = 1};
    int vector_axis = bound->parallel_rank - 1;
    if (nest->form == SINTER__FORM_MAP) {
        key->lanes = (uint8_t)t.tuning->map_lanes;
        schedule_map(nest, bound, t, key, geometry);
    } else if (nest->form == SINTER__FORM_CONTRACT) {
        uint8_t dtype = nest->values[SINTER__VALUE_PRODUCT].dtype;
        bool wide = sinter__is_wide((sinter__class)sinter__dtype((sinter_dtype)dtype)->class_);
        key->lanes = (uint8_t)t.tuning->tile_lanes;
        if (wide && key->lanes > 1) /* of 64 bits half as many fit a register */
            key->lanes /= 2;
        schedule_tile(bound, t, key, geometry);
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
    key->group[0] = (uint16_t)geometry->local[0];
    key->group[1] = (uint16_t)geometry->local[1];
    key->access_count = nest->access_count;
    set_accesses(nest, bound, vector_axis, t, out);
}
