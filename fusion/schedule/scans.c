/* The one hard idea: the additions of a block wait for each other, while the blocks of a line wait for nothing but
 * their carries. So several blocks, or columns, are gone through side by side: as many as have room for what they have
 * come to, in lanes, local memory or a cache, and still leave every compute unit its own (docs/decisions/scans.md). */
#include "fusion/schedule/scans.h"

#include "fusion/nest/state.h"
#include "fusion/nest/tree.h"
#include "fusion/schedule/past_caches.h"

/* Lines that are scanned by a group have as many blocks, and it holds as many of them. */
#define SCAN_MIN_BLOCKS 4

/* A CPU's row of at most so many elements has segments of as many blocks. */
#define SCAN_SHORT_ROW 640
#define SCAN_FEW_BLOCKS 8

/* Elements of a line for each work-item of a group that scans it. */
#define SCAN_MIN_ELEMENTS 4

/* Vectors of columns side by side of a group that scans them: as many as are best read at once, and the fewest. */
#define SCAN_COLUMNS 32
#define SCAN_FEW_COLUMNS 8

/* The blocks of a work-item of a CPU take at most so many bytes, and what it has of vectors of columns. */
#define SCAN_OWN_BYTES (32u << 10)
#define SCAN_WIDE_BYTES (64u << 10)

typedef sinter__target target;

/* Bytes that the scans hold of each element: all of them, and the one that holds most. */
typedef struct scan_size {
    uint64_t all, largest;
} scan_size;

static scan_size size_of_scans(const sinter__nest *nest)
{
    scan_size size = {0};
    for (uint16_t i = 0; i < nest->value_count; i++) {
        sinter_dtype dtype = sinter__accumulator((sinter_dtype)nest->values[i].dtype);
        if (nest->values[i].kind != SINTER__VALUE_SCAN)
            continue;
        size.all += sinter__register_bytes((uint8_t)dtype);
        size.largest = SINTER__MAX(size.largest, (uint64_t)sinter__register_bytes((uint8_t)dtype));
    }
    return size;
}

/* Blocks of a row that a work-item of a CPU goes through at once: as many as the `lanes` of a vector, of those that a
 * register holds. 0: one after the other. Rows of less than half as many are sooner done so; of wider elements a block
 * of blocks fills no registers. */
static uint16_t blocks_beside(const sinter__nest *nest, const sinter__bound_nest *bound,
                              uint16_t lanes, target t)
{
    const scan_size size = size_of_scans(nest);
    uint16_t blocks = (uint16_t)SINTER__MIN((uint32_t)lanes, t.limits->register_lanes);
    if (blocks > SCAN_FEW_BLOCKS && bound->reduced <= SCAN_SHORT_ROW)
        blocks = SCAN_FEW_BLOCKS;
    bool fits = size.largest <= sizeof(float) && t.limits->most_iterations == 0 &&
                2 * bound->reduced >= (int64_t)blocks * SINTER__SCAN_BLOCK &&
                2 * size.all * blocks * SINTER__SCAN_BLOCK <= SCAN_OWN_BYTES;
    return fits && blocks >= SCAN_MIN_BLOCKS ? blocks : 0;
}

/* Blocks that a GPU's group holds in local memory at once of `columns` neighbouring lines, with their totals and
 * carries and, of a row, their elements. */
static uint16_t group_blocks(const sinter__nest *nest, const sinter__bound_nest *bound,
                             uint64_t columns, target t)
{
    const uint64_t bytes =
        columns * (bound->last_reduced ? SINTER__SCAN_PITCH + 2 : 2) * size_of_scans(nest).all;
    uint16_t blocks = SINTER__SCAN_BLOCK;
    while (blocks > 0 && blocks * bytes > t.limits->local_bytes)
        blocks /= 2;
    return blocks >= SCAN_MIN_BLOCKS ? blocks : 0;
}

/* Whether a line of `length` has blocks enough for a GPU's group. */
static bool is_long(int64_t length)
{
    return length >= (int64_t)SCAN_MIN_BLOCKS * SINTER__SCAN_BLOCK;
}

/* Blocks of a line of `length` that are gone through at once, by a work-item of a CPU or by a GPU's group; 0: one after
 * the other, by a work-item. */
static uint16_t scan_blocks(const sinter__nest *nest, const sinter__bound_nest *bound,
                            int64_t length, uint16_t lanes, target t)
{
    if (t.limits->style == SINTER_STYLE_CPU)
        return bound->last_reduced ? blocks_beside(nest, bound, lanes, t) : 0;
    bool worth = is_long(length) && sinter__power_group(t, t.tuning->scan_items) > 1;
    return worth && bound->last_reduced ? group_blocks(nest, bound, 1, t) : 0;
}

/* Work-items for lines of `length`, which wait for those of them that go through the blocks: half as many of a line
 * shorter than a stretch, and each with several elements (docs/decisions/scans.md). */
static size_t scan_group(int64_t length, target t)
{
    size_t items = sinter__power_group(t, t.tuning->scan_items);
    if (length < (int64_t)SINTER__SCAN_STRETCH)
        items = SINTER__MAX(items / 2, (size_t)1);
    while (items > 1 && (int64_t)items * SCAN_MIN_ELEMENTS > length)
        items /= 2;
    return items;
}

/* Units for groups that hold `blocks` of a line of `length` at once, or `each` for a work-item. */
static void set_scan_units(uint16_t blocks, int64_t length, int64_t units, int64_t each, target t,
                           sinter__class_key *key, sinter__geometry *out)
{
    bool cpu = t.limits->style == SINTER_STYLE_CPU;
    key->rows = blocks;
    if (blocks > 0 && !cpu)
        sinter__set_group_units(out, units, scan_group(length, t));
    else
        sinter__set_units(out, units, each, cpu ? 1 : sinter__gpu_group(t, t.tuning->column_group));
}

/* Blocks of a line of `length`, or of a stretch of it, as a power of two. */
static size_t most_blocks(int64_t length)
{
    size_t blocks = SINTER__SCAN_BLOCK;
    while (blocks > SCAN_MIN_BLOCKS && (int64_t)(blocks / 2) * SINTER__SCAN_BLOCK >= length)
        blocks /= 2;
    return blocks;
}

/* Columns of a GPU that go through a few blocks at once each, where by themselves they would leave it waiting for
 * memory: a group has `beside` vectors of columns, next to each other, and its second dimension their blocks. */
static bool scan_columns_together(const sinter__nest *nest, const sinter__bound_nest *bound,
                                  target t, int64_t units, sinter__class_key *key,
                                  sinter__geometry *out)
{
    const int64_t inner = bound->extent[bound->parallel_rank - 1];
    const int64_t vectors = sinter__div_up(inner, out->segment);
    const int64_t lines = units / vectors;
    const int64_t enough = sinter__enough_units(t);
    const size_t items = sinter__power_group(t, t.tuning->scan_items);
    size_t beside = 1;
    if (t.limits->style != SINTER_STYLE_GPU || !is_long(bound->reduced) ||
        units >= enough * (int64_t)items)
        return false;
    while (beside < SCAN_COLUMNS && 2 * beside <= items && (int64_t)beside * key->lanes < inner)
        beside *= 2;
    const size_t most = most_blocks(bound->reduced);
    while (beside > SCAN_FEW_COLUMNS && items / beside < most &&
           2 * lines * sinter__div_up(vectors, (int64_t)beside) < enough)
        beside /= 2; /* twice the groups, of twice the blocks */
    size_t workers = SINTER__MIN(items / beside, most);
    while (workers > 1 && !sinter__is_group(t, beside, workers))
        workers /= 2;
    uint16_t blocks = group_blocks(nest, bound, beside * key->lanes, t);
    blocks = SINTER__MIN(blocks, (uint16_t)workers);
    if (blocks < SCAN_MIN_BLOCKS)
        return false;
    out->segments = sinter__div_up(vectors, (int64_t)beside);
    key->rows = blocks;
    sinter__set_group_units(out, lines * out->segments, beside);
    out->local[1] = out->global[1] = blocks;
    return true;
}

/* Vectors of columns that a work-item of a CPU scans side by side: as many as leave each compute unit an item, two
 * where they are soon done, or a few in any case, and whose arrays are near. */
static int64_t scan_vectors(const sinter__nest *nest, const sinter__bound_nest *bound,
                            int64_t parts, target t, sinter__class_key *key)
{
    if (bound->last_reduced || t.limits->most_iterations != 0 || sinter__most_vectors(t) <= 1 ||
        !sinter__scans_wide(nest, bound, t.tuning))
        return 1;
    const int64_t line =
        sinter__div_up(bound->extent[bound->parallel_rank - 1], (int64_t)key->lanes);
    const int64_t units = sinter__is_lone(nest, bound, t) ? 1 : (int64_t)t.limits->compute_units;
    const bool near = sinter__is_near(nest, bound, t.tuning);
    const int64_t share = sinter__row_units(bound, 1, t) * parts / units;
    const int64_t held =
        SINTER__SCAN_NUMBERS + (key->phase == SINTER__SCAN_ALL ? 2 * SINTER__SCAN_LEVELS : 0);
    const uint64_t bytes = SINTER__MAX(size_of_scans(nest).all, (uint64_t)1) * key->lanes;
    const int64_t most =
        SINTER__MIN((int64_t)(SCAN_WIDE_BYTES / bytes) / held, sinter__most_vectors(t));
    int64_t vectors =
        SINTER__MAX(near ? share / 2 : share, SINTER__MIN(share, (int64_t)SCAN_FEW_COLUMNS));
    vectors = SINTER__MIN(SINTER__MIN(vectors, most), line);
    if (vectors <= 1)
        return 1;
    key->vectors = (uint16_t)most;
    return vectors;
}

int sinter__schedule_scans(const sinter__nest *nest, const sinter__bound_nest *bound, target t,
                           sinter__class_key *key, sinter__geometry *out)
{
    bool cpu = t.limits->style == SINTER_STYLE_CPU;
    bool rows = bound->last_reduced;
    int64_t inner = bound->extent[bound->parallel_rank - 1];
    bool split = key->phase != SINTER__SCAN_ALL;
    if (key->phase == SINTER__SCAN_CARRIES) {
        key->loops = SINTER__LOOPS_SCAN_CARRIES;
        out->segment = rows ? 1 : inner;
        set_scan_units(cpu ? 0 : scan_blocks(nest, bound, out->parts, 1, t), out->parts,
                       bound->parallel, cpu ? sinter__item(t, bound->parallel) / out->parts : 1, t,
                       key, out);
        return -1;
    }
    key->loops = rows ? SINTER__LOOPS_SCAN_ROWS : SINTER__LOOPS_SCAN_COLUMNS;
    key->lanes = (uint8_t)(rows ? t.tuning->chunk_lanes : t.tuning->run_lanes);
    while (rows && key->lanes > 1 && key->lanes / 2 >= bound->reduced)
        key->lanes = (uint8_t)(key->lanes / 2); /* the row is shorter than a vector */
    uint16_t blocks = scan_blocks(nest, bound, bound->reduced, key->lanes, t);
    if (cpu && blocks > 0)
        key->lanes = (uint8_t)blocks; /* a lane each */
    int64_t length = split ? (int64_t)SINTER__SCAN_STRETCH : bound->reduced;
    int64_t vectors = scan_vectors(nest, bound, split ? out->parts : 1, t, key);
    out->segment = rows ? 1 : vectors * key->lanes;
    out->segments = rows ? 1 : sinter__div_up(inner, out->segment);
    int64_t units = sinter__row_units(bound, vectors, t) * (split ? out->parts : 1);
    int64_t item = sinter__item(t, bound->parallel * bound->reduced);
    item = sinter__whole_item(nest, bound, t, units * length * out->segment, item);
    if (rows || !scan_columns_together(nest, bound, t, units, key, out))
        set_scan_units(blocks, length, units, cpu ? item / (length * out->segment) : 1, t, key,
                       out);
    return rows ? bound->parallel_rank : bound->parallel_rank - 1;
}
