#include "fusion/schedule.h"

#include "fusion/tree.h"

#include <stdlib.h>

/* Elements that a work-item of a CPU works through: enough to hide the cost of starting it, few
 * enough to share the work out. */
#define CPU_ITEM_MAX 16384
#define CPU_ITEM_MIN 1024
/* Work-items per compute unit that a CPU should have at least, for balance. */
#define CPU_ITEMS_PER_UNIT 4
/* Innermost axes shorter than this many vectors are worked through flat. */
#define ROW_MIN_VECTORS 4
/* A stride of so many elements leaves the cache line. */
#define LINE_ELEMENTS 16
/* Rows that a unit of a CPU goes down where the order of the rows is that of the memory. */
#define BAND_ROWS 64
#define GPU_GROUP 256
#define GPU_ROW_GROUP 64

int sinter__launch_count(const sinter__nest *nest, const sinter__bound_nest *bound)
{
    if (bound->parallel == 0)
        return 0;
    if (nest->form != SINTER__FORM_REDUCE)
        return 1;
    return sinter__tree_parts(bound->reduced, bound->last_reduced) > 1 ? 2 : 1;
}

int64_t sinter__scratch_elements(const sinter__nest *nest, const sinter__bound_nest *bound)
{
    if (sinter__launch_count(nest, bound) < 2)
        return 0;
    return bound->parallel * sinter__tree_parts(bound->reduced, bound->last_reduced);
}

sinter_dtype sinter__accumulator(sinter_dtype result)
{
    switch ((sinter__class)sinter__dtype(result)->class_) {
    case SINTER__CLASS_F32:
        return SINTER_F32;
    case SINTER__CLASS_S32:
        return SINTER_I32;
    case SINTER__CLASS_U32:
        return SINTER_U32;
    default:
        return result;
    }
}

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

static void set_accesses(const sinter__nest *nest, const sinter__bound_nest *bound, int vector_axis,
                         sinter__kernel_class *out)
{
    for (uint16_t a = 0; a < nest->access_count; a++) {
        out->accesses[a].strides = stride_kinds(bound, &bound->accesses[a], vector_axis);
        out->accesses[a].linear = bound->accesses[a].linear;
    }
}

static size_t round_up(int64_t value, size_t unit)
{
    return ((size_t)value + unit - 1) / unit * unit;
}

/* Elements per work-item so that every compute unit gets several. */
static int64_t cpu_item(const sinter__limits *limits, int64_t elements)
{
    int64_t items = (int64_t)limits->compute_units * CPU_ITEMS_PER_UNIT;
    int64_t share = sinter__div_up(elements, items);
    share = (int64_t)sinter__align_up((uint64_t)share, SINTER__TREE_LANES);
    return SINTER__MIN(SINTER__MAX(share, (int64_t)CPU_ITEM_MIN), (int64_t)CPU_ITEM_MAX);
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

/* Whether an access runs across the memory's order: far apart along the line, closer together along
 * an axis outside it, as a transposed operand does. */
static bool runs_across(const sinter__bound_nest *bound, const sinter__bound_access *access)
{
    int line = bound->parallel_rank - 1;
    int64_t along = llabs(access->stride[line]);
    for (int i = 0; i < line; i++) {
        int64_t outside = llabs(access->stride[i]);
        if (along >= LINE_ELEMENTS && outside > 0 && outside < along)
            return true;
    }
    return false;
}

/* Where an access runs across, units are one vector wide and go down a band of rows, so that the
 * cache lines that a vector touches are used up while they are there. */
static bool schedule_band_cpu(const sinter__nest *nest, const sinter__bound_nest *bound,
                              const sinter__limits *limits, sinter__class_key *key,
                              sinter__geometry *out)
{
    bool across = false;
    for (uint16_t a = 0; a < nest->access_count; a++)
        across |= runs_across(bound, &bound->accesses[a]);
    if (!across)
        return false;
    int64_t inner = bound->extent[bound->parallel_rank - 1];
    key->rows = BAND_ROWS;
    out->segment = key->lanes;
    out->segments = sinter__div_up(inner, out->segment);
    out->rows = bound->parallel / inner;
    int64_t item = cpu_item(limits, bound->parallel);
    set_units(out, sinter__div_up(out->rows, BAND_ROWS) * out->segments,
              item / (BAND_ROWS * out->segment), 1);
    return true;
}

static void schedule_row_cpu(const sinter__bound_nest *bound, const sinter__limits *limits,
                             sinter__geometry *out)
{
    int64_t inner = bound->extent[bound->parallel_rank - 1];
    int64_t item = cpu_item(limits, bound->parallel);
    out->segment = SINTER__MIN(inner, item);
    if (out->segment < inner)
        out->segment = (int64_t)sinter__align_up((uint64_t)out->segment, SINTER__TREE_LANES);
    out->segments = sinter__div_up(inner, out->segment);
    set_units(out, bound->parallel / inner * out->segments, item / out->segment, 1);
}

static void schedule_map(const sinter__nest *nest, const sinter__bound_nest *bound,
                         const sinter__limits *limits, sinter__class_key *key,
                         sinter__geometry *out)
{
    int64_t inner = bound->extent[bound->parallel_rank - 1];
    int64_t vector = key->lanes;
    bool flat = bound->parallel_rank > 1 && inner < vector * ROW_MIN_VECTORS;
    key->loops = flat ? SINTER__LOOPS_FLAT : SINTER__LOOPS_ROW;
    if (limits->style == SINTER_STYLE_CPU) {
        if (!flat && schedule_band_cpu(nest, bound, limits, key, out))
            return;
        sinter__bound_nest whole = *bound;
        if (flat) {
            whole.parallel_rank = 1;
            whole.extent[0] = bound->parallel;
        }
        schedule_row_cpu(&whole, limits, out);
        return;
    }
    bool one_axis = flat || bound->parallel_rank == 1;
    size_t local =
        SINTER__MIN((size_t)(one_axis ? GPU_GROUP : GPU_ROW_GROUP), (size_t)limits->max_group);
    int64_t length = one_axis ? bound->parallel : inner;
    set_units(out, sinter__div_up(length, vector), 1, local);
    out->global[1] = one_axis ? 1 : (size_t)(bound->parallel / inner);
}

/* 64 partials: on a CPU held by one work-item, on a GPU by a group of 64 / lanes. */
static void schedule_chunk(const sinter__bound_nest *bound, const sinter__limits *limits,
                           sinter__class_key *key, sinter__geometry *out)
{
    key->loops = SINTER__LOOPS_CHUNK;
    out->parts = sinter__tree_parts(bound->reduced, true);
    int64_t units = bound->parallel * out->parts;
    if (limits->max_group < SINTER__TREE_LANES / 16)
        key->style = SINTER_STYLE_CPU; /* no group can hold the partials */
    if (key->style == SINTER_STYLE_CPU) {
        int64_t per_unit = SINTER__MAX(bound->reduced / out->parts, (int64_t)1);
        int64_t item = cpu_item(limits, bound->parallel * SINTER__MAX(bound->reduced, (int64_t)1));
        set_units(out, units, item / per_unit, 1);
        return;
    }
    while (SINTER__TREE_LANES / key->lanes > (int)limits->max_group)
        key->lanes = (uint8_t)(key->lanes * 2);
    size_t local = (size_t)(SINTER__TREE_LANES / key->lanes);
    set_units(out, units, 1, 1);
    out->global[0] = (size_t)units * local;
    out->local[0] = local;
}

static void schedule_run(const sinter__bound_nest *bound, const sinter__limits *limits,
                         sinter__class_key *key, sinter__geometry *out)
{
    key->loops = SINTER__LOOPS_RUN;
    int64_t inner = bound->extent[bound->parallel_rank - 1];
    out->parts = sinter__tree_parts(bound->reduced, false);
    out->segment = key->lanes;
    out->segments = sinter__div_up(inner, out->segment);
    int64_t units = bound->parallel / inner * out->parts * out->segments;
    int64_t per_unit = SINTER__MAX(bound->reduced / out->parts, (int64_t)1) * out->segment;
    int64_t item = cpu_item(limits, bound->parallel * SINTER__MAX(bound->reduced, (int64_t)1));
    if (limits->style == SINTER_STYLE_CPU)
        set_units(out, units, item / per_unit, 1);
    else
        set_units(out, units, 1, SINTER__MIN((size_t)GPU_ROW_GROUP, (size_t)limits->max_group));
}

static void schedule_combine(const sinter__bound_nest *bound, const sinter__limits *limits,
                             sinter__class_key *key, sinter__geometry *out)
{
    key->loops = SINTER__LOOPS_COMBINE;
    key->lanes = 1;
    out->parts = sinter__tree_parts(bound->reduced, bound->last_reduced);
    out->segment = bound->last_reduced ? 1 : bound->extent[bound->parallel_rank - 1];
    bool cpu = limits->style == SINTER_STYLE_CPU;
    set_units(out, bound->parallel, cpu ? cpu_item(limits, bound->parallel) / out->parts : 1,
              cpu ? 1 : SINTER__MIN((size_t)GPU_ROW_GROUP, (size_t)limits->max_group));
}

/* Tiles by what the registers hold: on a CPU 6 x 2 vectors of 8 or 8 x 2 of 16, on a GPU 4 x 4. */
static void schedule_tile(const sinter__bound_nest *bound, const sinter__limits *limits,
                          sinter__class_key *key, sinter__geometry *out)
{
    bool cpu = limits->style == SINTER_STYLE_CPU;
    int64_t m = bound->extent[bound->parallel_rank - 2];
    int64_t n = bound->extent[bound->parallel_rank - 1];
    key->loops = SINTER__LOOPS_TILE;
    key->lanes = cpu ? (uint8_t)SINTER__MIN(limits->lanes, limits->native_lanes) : key->lanes;
    key->vectors = cpu && n > key->lanes ? 2 : 1;
    key->rows = !cpu ? 4 : limits->native_lanes >= 16 ? 8 : 6;
    if (m < 4)
        key->rows = 1;
    size_t columns = (size_t)key->lanes * key->vectors;
    size_t group = !cpu ? SINTER__MIN((size_t)8, (size_t)limits->max_group) : 1;
    while (group > 1 && group * group > limits->max_group)
        group /= 2;
    *out = (sinter__geometry){.units = 1, .units_per_item = 1};
    out->local[0] = out->local[1] = group;
    out->local[2] = 1;
    out->global[0] = round_up(sinter__div_up(n, (int64_t)columns), group);
    out->global[1] = round_up(sinter__div_up(m, key->rows), group);
    out->global[2] = (size_t)(bound->parallel / SINTER__MAX(m * n, (int64_t)1));
}

void sinter__schedule(const sinter__nest *nest, const sinter__bound_nest *bound,
                      const sinter__limits *limits, int launch, sinter__kernel_class *out,
                      sinter__geometry *geometry)
{
    *geometry = (sinter__geometry){.segment = 1, .segments = 1, .parts = 1};
    sinter__class_key *key = &out->key;
    *key = (sinter__class_key){.style = (uint8_t)limits->style, .lanes = (uint8_t)limits->lanes};
    int vector_axis = bound->parallel_rank - 1;
    if (nest->form == SINTER__FORM_MAP) {
        schedule_map(nest, bound, limits, key, geometry);
    } else if (nest->form == SINTER__FORM_CONTRACT) {
        schedule_tile(bound, limits, key, geometry);
    } else if (launch == 1) {
        schedule_combine(bound, limits, key, geometry);
        vector_axis = -1;
    } else if (bound->last_reduced) {
        schedule_chunk(bound, limits, key, geometry);
        vector_axis = bound->parallel_rank + bound->reduced_rank - 1;
    } else {
        schedule_run(bound, limits, key, geometry);
    }
    key->wide = bound->wide;
    key->parallel_rank = (uint8_t)bound->parallel_rank;
    key->reduced_rank = (uint8_t)bound->reduced_rank;
    key->partial = launch == 0 && sinter__launch_count(nest, bound) == 2;
    key->empty = bound->reduced == 0;
    key->group[0] = (uint16_t)geometry->local[0];
    key->group[1] = (uint16_t)geometry->local[1];
    key->access_count = nest->access_count;
    set_accesses(nest, bound, vector_axis, out);
}
