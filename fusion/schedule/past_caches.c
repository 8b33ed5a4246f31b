/* The one hard idea: a store fetches its line first, and keeps it in the place of another. Where a
 * launch moves more than the caches hold, nobody finds either there again. */
#include "fusion/schedule/past_caches.h"

#include "fusion/library/library.h"
#include "fusion/nest/work.h"
#include "fusion/schedule/items.h"

typedef struct traffic {
    int64_t moved; /* bytes */
    int64_t written;
} traffic;

static int64_t bytes_of(const sinter__nest *nest, const sinter__bound_nest *bound, uint16_t access)
{
    return bound->accesses[access].distinct *
           (int64_t)sinter_dtype_bytes((sinter_dtype)nest->accesses[access].dtype);
}

static traffic traffic_of(const sinter__nest *nest, const sinter__bound_nest *bound)
{
    traffic sum = {0};
    for (uint16_t a = 0; a < nest->access_count; a++) {
        int64_t bytes = bytes_of(nest, bound, a);
        sum.moved = sinter__add_bytes(sum.moved, bytes);
        if (nest->accesses[a].role == SINTER__ROLE_WRITE)
            sum.written = sinter__add_bytes(sum.written, bytes);
    }
    return sum;
}

/* What waits there from phase to phase: other values than the result, the result itself. */
enum { WAITS_OTHER = 1, WAITS_RESULT = 2 };

static unsigned waits_at(const sinter__nest *nest, uint16_t access)
{
    unsigned found = 0;
    for (uint16_t i = 0; i < nest->value_count; i++) {
        const sinter__value *v = &nest->values[i];
        if (v->kind != SINTER__VALUE_MAP || v->kept == SINTER__NOT_KEPT)
            continue;
        const sinter__value *store = &nest->values[v->kept];
        if (store->access == access)
            found |= store->source[0] == i ? WAITS_RESULT : WAITS_OTHER;
    }
    return found;
}

/* Whether a vector of it can be stored so at all, and nothing is read there. */
static bool is_apart(const sinter__access *access)
{
    return access->role == SINTER__ROLE_WRITE && !access->in_place &&
           sinter__library_streams((sinter_dtype)access->dtype);
}

bool sinter__may_stream(const sinter__nest *nest, uint16_t access)
{
    return is_apart(&nest->accesses[access]) && waits_at(nest, access) == 0;
}

/* Whether every row of it begins where a vector may be stored past the caches, and lies in one piece. */
static bool has_whole_vectors(const sinter__bound_nest *bound, uint16_t access, int64_t lanes)
{
    const int64_t *stride = bound->accesses[access].stride;
    bool whole = lanes > 1 && bound->reduced_rank == 1 && stride[bound->parallel_rank] == 1;
    for (int i = 0; i < bound->parallel_rank; i++)
        whole &= stride[i] % lanes == 0;
    return whole;
}

uint32_t sinter__vectors_beside(const sinter__nest *nest, const sinter__bound_nest *bound,
                                const sinter__tuning *t, const sinter__kernel_class *c,
                                uint16_t access, int64_t left_bytes)
{
    int64_t lanes = c->key.lanes;
    int64_t element = (int64_t)sinter_dtype_bytes((sinter_dtype)nest->accesses[access].dtype);
    if (bound->reduced * element > left_bytes || waits_at(nest, access) != WAITS_OTHER ||
        !is_apart(&nest->accesses[access]) || !has_whole_vectors(bound, access, lanes))
        return 0;
    return (uint32_t)sinter__div_up((int64_t)t->row_beside, element * lanes);
}

/* Part of what a launch moves: what it writes of it, or reads, is little where it is less. */
#define STREAMED_PART 4

/* Where the next vector lies elsewhere, in another row of a block or in the next block of a row
 * that is scanned, one that is less than a line would be stored by itself. */
static bool is_line(sinter_dtype dtype, int64_t lanes)
{
    return lanes * (int64_t)sinter_dtype_bytes(dtype) >= SINTER__LINE_BYTES;
}

bool sinter__turns_past_caches(const sinter__nest *nest, const sinter__bound_nest *bound,
                               const sinter__tuning *t, int64_t lanes)
{
    const traffic bytes = traffic_of(nest, bound);
    int64_t from = t->turn_stream_from;
    bool any = false;
    for (uint16_t a = 0; a < nest->access_count; a++)
        any |= sinter__may_stream(nest, a) && is_line((sinter_dtype)nest->accesses[a].dtype, lanes);
    return any && from > 0 && bytes.moved >= 2 * from &&
           bytes.written >= bytes.moved / STREAMED_PART;
}

bool sinter__is_near(const sinter__nest *nest, const sinter__bound_nest *bound,
                     const sinter__tuning *t)
{
    return traffic_of(nest, bound).moved <= 2 * (int64_t)t->turn_near_to;
}

bool sinter__scans_near(const sinter__nest *nest, const sinter__bound_nest *bound,
                        const sinter__tuning *t, const sinter__kernel_class *c)
{
    bool lines = true;
    for (uint16_t a = 0; a < nest->access_count; a++)
        lines &= c->accesses[a].streams == 0 ||
                 is_line((sinter_dtype)nest->accesses[a].dtype, c->key.lanes);
    return lines && traffic_of(nest, bound).moved <= (int64_t)t->scan_near_to;
}

/* Bytes of a row from which each of them is another page, or nearly. */
#define WIDE_ROW_BYTES 2048

bool sinter__scans_wide(const sinter__nest *nest, const sinter__bound_nest *bound,
                        const sinter__tuning *t)
{
    int64_t columns = bound->extent[bound->parallel_rank - 1];
    int64_t from = t->scan_wide_from;
    bool wide = traffic_of(nest, bound).moved >= 2 * from;
    for (uint16_t a = 0; a < nest->access_count; a++)
        wide |= columns * (int64_t)sinter_dtype_bytes((sinter_dtype)nest->accesses[a].dtype) >=
                WIDE_ROW_BYTES;
    return from > 0 && wide;
}

/* Whether loops of this form store what they may store so, and do it in whole lines. */
static bool may_stream(const sinter__class_key *key)
{
    switch ((sinter__loops)key->loops) {
    case SINTER__LOOPS_ROW:
    case SINTER__LOOPS_FLAT:
        return true;
    case SINTER__LOOPS_CHUNK:
        return key->phase == SINTER__PHASE_ALL;
    case SINTER__LOOPS_SCAN_ROWS:
    case SINTER__LOOPS_SCAN_COLUMNS:
        return key->phase != SINTER__SCAN_TOTALS;
    default:
        return false;
    }
}

/* Whether its arithmetic takes longer than moving everything. */
static bool computes_longer(const sinter__nest *nest, const sinter__bound_nest *bound,
                            const sinter__tuning *t, int64_t moved)
{
    return sinter__nest_work(nest, bound, 0) > (double)moved * t->arithmetic_per_byte;
}

/* Whether all that it does takes longer, which hides what such stores take: its arithmetic; going
 * through rows for the third time; or as a scan that goes to several blocks of a row in turn.
 * docs/decisions/streaming-stores.md has how long they take. */
static bool is_heavy(const sinter__nest *nest, const sinter__bound_nest *bound,
                     const sinter__tuning *t, const sinter__class_key *key, int64_t moved)
{
    bool scans_blocks = key->loops == SINTER__LOOPS_SCAN_ROWS && key->rows > 0;
    return scans_blocks || nest->phases > 1 || computes_longer(nest, bound, t, moved);
}

/* Whether half of what is moved comes to this limit, which is 0 where there is none. */
static bool reaches(int64_t moved, uint32_t from)
{
    return from > 0 && moved >= 2 * (int64_t)from;
}

bool sinter__asks_ahead(const sinter__nest *nest, const sinter__bound_nest *bound,
                        const sinter__tuning *t, const sinter__class_key *key)
{
    bool along = key->loops == SINTER__LOOPS_ROW || key->loops == SINTER__LOOPS_FLAT ||
                 key->loops == SINTER__LOOPS_CHUNK;
    if (key->style != SINTER_STYLE_CPU || !along || key->lanes == 1)
        return false;
    int64_t moved = traffic_of(nest, bound).moved;
    return reaches(moved, t->ahead_from) ||
           (reaches(moved, t->heavy_ahead_from) && computes_longer(nest, bound, t, moved));
}

/* Times as far as is asked ahead, from which of a row most is asked for in time, whatever follows it in memory. */
#define LONG_ROW 4

uint32_t sinter__ahead_bytes(const sinter__nest *nest, const sinter__bound_nest *bound,
                             const sinter__tuning *t, uint16_t access)
{
    const int64_t *stride = bound->accesses[access].stride;
    int last = bound->parallel_rank + bound->reduced_rank - 1;
    int64_t row = bound->extent[last];
    int64_t pitch = last > 0 ? stride[last - 1] : row;
    int64_t bytes = row * (int64_t)sinter_dtype_bytes((sinter_dtype)nest->accesses[access].dtype);
    bool is_long = pitch > 0 && bytes >= LONG_ROW * (int64_t)t->ahead_bytes;
    bool is_read = nest->accesses[access].role == SINTER__ROLE_READ;
    return is_read && stride[last] == 1 && (pitch == row || is_long) ? t->ahead_bytes : 0;
}

/* Whether a loop of its own stores it, behind those that reduce its row. */
static bool stores_last_row(const sinter__nest *nest, const sinter__bound_nest *bound,
                            uint16_t access)
{
    for (uint16_t i = 0; i < nest->value_count; i++) {
        const sinter__value *v = &nest->values[i];
        if (v->access == access && sinter__is_last_row(nest, bound, v))
            return true;
    }
    return false;
}

bool sinter__stores_in_parts(const sinter__nest *nest, const sinter__bound_nest *bound,
                             const sinter__tuning *t, const sinter__class_key *key)
{
    return key->style == SINTER_STYLE_CPU && key->loops == SINTER__LOOPS_CHUNK &&
           key->phase == SINTER__PHASE_ALL && reaches(traffic_of(nest, bound).moved, t->parts_from);
}

bool sinter__may_part(const sinter__nest *nest, const sinter__bound_nest *bound, int64_t lanes,
                      uint16_t access)
{
    return sinter__may_stream(nest, access) && stores_last_row(nest, bound, access) &&
           is_line((sinter_dtype)nest->accesses[access].dtype, lanes);
}

/* Whether it reads next to nothing, beside which a processor may fetch no line that it writes anyway. */
static bool mostly_writes(traffic bytes)
{
    return bytes.moved - bytes.written <= bytes.moved / STREAMED_PART;
}

/* The limit of its kind. */
static uint32_t stream_from(const sinter__nest *nest, const sinter__bound_nest *bound,
                            const sinter__tuning *t, const sinter__class_key *key, traffic bytes)
{
    uint32_t own = 0;
    if (key->loops == SINTER__LOOPS_SCAN_COLUMNS)
        own = t->column_stream_from;
    else if (mostly_writes(bytes))
        own = t->write_stream_from;
    else if (is_heavy(nest, bound, t, key, bytes.moved))
        own = t->heavy_stream_from;
    return own > 0 ? own : t->stream_from;
}

/* Where a launch moves more than a cache holds, its results leave the cache to the operands, and
 * nothing is fetched for them. What lies there already, or is read there again, is better written
 * in place. A heavy launch may have a limit of its own, and so may one that mostly writes or that
 * goes down columns, whose every row is another page. */
bool sinter__goes_past_caches(const sinter__nest *nest, const sinter__bound_nest *bound,
                              const sinter__tuning *t, const sinter__kernel_class *c)
{
    const sinter__class_key *key = &c->key;
    if (key->style != SINTER_STYLE_CPU)
        return false;
    if (sinter__class_turns_any(c))
        return sinter__turns_past_caches(nest, bound, t, key->lanes);
    const traffic bytes = traffic_of(nest, bound);
    if (!may_stream(key) || t->stream_from == 0 || bytes.written < bytes.moved / STREAMED_PART)
        return false;
    return reaches(bytes.moved, stream_from(nest, bound, t, key, bytes));
}
