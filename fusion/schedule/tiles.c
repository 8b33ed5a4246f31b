/* The one hard idea: of a product, larger blocks read less and smaller ones occupy more of a
 * device, so a launch has the largest that still fill it (docs/decisions/products.md). */
#include "fusion/schedule/tiles.h"

#include "fusion/nest/tree.h"

/* Matrix products of fewer rows take them one by one. */
#define TILE_MIN_ROWS 4
#define TILE_FILL_ITEMS 64 /* of tile_fill */

typedef sinter__target target;

/* Tiles one below the other for a work-item, so that every compute unit gets several such bands. */
static int64_t band_of(target t, int64_t tiles, int64_t beside, uint16_t most)
{
    int64_t share = sinter__div_up(tiles * beside, sinter__even_units(t));
    return SINTER__MIN(SINTER__MAX(share, (int64_t)1), SINTER__MIN(tiles, (int64_t)most));
}

/* Tiles of a product along its columns and its rows, and products beside each other. */
typedef struct tiles {
    int64_t m, n, batch;
} tiles;

/* Work-items along each side of a group, `wanted` if they may be. */
static size_t tile_side(target t, uint32_t wanted)
{
    size_t group = SINTER__MAX(sinter__gpu_group(t, wanted), (size_t)1);
    while (group > 1 && !sinter__is_group(t, group, group))
        group /= 2;
    return group;
}

static int64_t tiles_along(int64_t extent, int64_t width)
{
    return sinter__div_up(SINTER__MAX(extent, (int64_t)1), SINTER__MAX(width, (int64_t)1));
}

/* Local memory of a group with a block of `group` x `group` tiles. */
static int64_t tiles_bytes(const sinter__class_key *key, int group, int64_t element)
{
    int64_t pitches = (int64_t)sinter__block_pitch(key, group * key->rows) +
                      sinter__block_pitch(key, group * key->vectors * key->lanes);
    int64_t shown = key->slices > 1 ? (int64_t)group * group * key->rows * key->vectors : 0;
    return key->slices * (key->steps * pitches + shown) * key->lanes * element;
}

/* Columns of a block. */
static int64_t columns_of(const sinter__class_key *key, int group)
{
    return (int64_t)group * key->vectors * key->lanes;
}

/* Those of one product. */
static int64_t blocks_of(const sinter__class_key *key, const tiles *of, int group)
{
    return tiles_along(of->m, (int64_t)group * key->rows) *
           tiles_along(of->n, columns_of(key, group));
}

/* Work-items of all groups. */
static int64_t block_items(const sinter__class_key *key, const tiles *of, int group)
{
    return blocks_of(key, of, group) * of->batch * group * group;
}

/* Work-items that a GPU wants. */
static int64_t enough_items(target t)
{
    return (int64_t)t.limits->compute_units * t.tuning->tile_fill * TILE_FILL_ITEMS;
}

/* Slices, as many as there are chunks for, the device allows and its local memory, of `most` bytes, holds. */
static void set_slices(const sinter__bound_nest *bound, target t, int64_t element, int group,
                       int64_t most, sinter__class_key *key)
{
    int64_t chunks = sinter__div_up(bound->reduced, (int64_t)SINTER__PRODUCT_CHUNK);
    while (key->slices < t.tuning->tile_slices && (int64_t)key->slices * 2 <= chunks)
        key->slices = (uint16_t)(key->slices * 2);
    while (key->slices > 1 && (!sinter__is_group(t, (size_t)group, (size_t)group * key->slices) ||
                               tiles_bytes(key, group, element) > most))
        key->slices /= 2;
}

/* Blocks of whole tiles, or of tiles of half the side, for groups of `group` x `group`. Those that
 * are tried `last` have tiles of one row where a group has as many as the product, and slices of a
 * group that share the chunks where there are too few of them. False: no local memory holds it. */
static bool set_blocks(const sinter__bound_nest *bound, target t, const tiles *of, int64_t element,
                       int group, bool whole, bool last, sinter__class_key *key)
{
    int64_t most = (int64_t)SINTER__MIN(t.limits->local_bytes, (uint64_t)INT32_MAX);
    bool few = last && of->m <= group;
    key->rows = (uint16_t)t.tuning->tile_rows;
    key->steps = (uint16_t)t.tuning->tile_steps;
    key->band = key->slices = 1;
    if (!whole) {
        key->rows = (uint16_t)(few ? 1 : (key->rows + 1) / 2);
        key->vectors = (uint16_t)(few ? 1 : (key->vectors + 1) / 2);
    }
    if (last && block_items(key, of, group) < enough_items(t))
        set_slices(bound, t, element, group, most, key);
    while (key->steps > 1 && tiles_bytes(key, group, element) > most)
        key->steps /= 2;
    return tiles_bytes(key, group, element) <= most;
}

/* Whether such blocks fill the device, and are two thirds full themselves. Whole tiles take long: a few groups that are
 * left over, when every compute unit has had one, would be waited for. */
static bool fills(target t, const tiles *of, int group, bool whole, const sinter__class_key *key)
{
    int64_t elements = (int64_t)group * key->rows * columns_of(key, group);
    return 2 * blocks_of(key, of, group) * elements <= 3 * of->m * of->n &&
           2 * block_items(key, of, group) >= (whole ? 3 : 2) * enough_items(t);
}

/* Blocks of tiles: the largest that fill the device. False: there is no local memory for any, or they are not
 * wanted. */
static bool schedule_shared_tiles(const sinter__bound_nest *bound, target t, const tiles *of,
                                  int64_t element, sinter__class_key *key, sinter__geometry *out)
{
    int large = (int)tile_side(t, t.tuning->tile_large_group);
    int group = (int)tile_side(t, t.tuning->tile_group);
    if (t.limits->style != SINTER_STYLE_GPU || t.tuning->tile_steps == 0 || group < 2)
        return false;
    sinter__class_key try;
    bool found = false;
    for (int whole = 1; whole >= 0 && !found && large > 1; whole--) {
        try = *key;
        found = set_blocks(bound, t, of, element, large, whole, false, &try) &&
                fills(t, of, large, whole, &try);
    }
    if (!found) {
        try = *key;
        if (!set_blocks(bound, t, of, element, group, false, true, &try))
            return false;
    }
    group = found ? large : group;
    *key = try;
    out->local_bytes = tiles_bytes(key, group, element);
    out->local[0] = (size_t)group;
    out->local[1] = (size_t)group * key->slices;
    out->global[0] = (size_t)tiles_along(of->n, columns_of(key, group)) * out->local[0];
    out->global[1] = (size_t)tiles_along(of->m, (int64_t)group * key->rows) * out->local[1];
    return true;
}

void sinter__schedule_tiles(const sinter__bound_nest *bound, target t, int64_t element,
                            sinter__class_key *key, sinter__geometry *out)
{
    tiles of = {.m = bound->extent[bound->parallel_rank - 2],
                .n = bound->extent[bound->parallel_rank - 1]};
    of.batch = bound->parallel / SINTER__MAX(of.m * of.n, (int64_t)1);
    key->loops = SINTER__LOOPS_TILE;
    key->vectors =
        (uint16_t)SINTER__MIN(tiles_along(of.n, key->lanes), (int64_t)t.tuning->tile_vectors);
    *out = (sinter__geometry){.units = 1, .units_per_item = 1};
    out->local[2] = 1;
    out->global[2] = (size_t)of.batch;
    if (schedule_shared_tiles(bound, t, &of, element, key, out))
        return;
    out->local_bytes = 0;
    key->rows = of.m < TILE_MIN_ROWS ? 1 : (uint16_t)t.tuning->tile_rows;
    size_t group = tile_side(t, t.tuning->tile_group);
    int64_t rows = tiles_along(of.m, key->rows);
    int64_t panels = tiles_along(of.n, (int64_t)key->lanes * key->vectors);
    /* what a band lays out is private: a driver that runs a work-group as a loop holds it for each item */
    key->band = (uint16_t)(key->rows > 1 && group == 1 ? t.tuning->tile_band : 1);
    if (key->band > 1)
        out->units_per_item = band_of(t, rows, panels * of.batch, key->band);
    out->local[0] = out->local[1] = group;
    out->global[0] = sinter__round_up(panels, group);
    out->global[1] = sinter__round_up(sinter__div_up(rows, out->units_per_item), group);
}
