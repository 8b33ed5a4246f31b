/* Arguments of launches, the same for every device. */
#include "executor/backend/backend.h"

#include <string.h>

/* Multiplier and shift by which a number below 2^31 is divided by `divisor`, 2 or more: floor(n /
 * d) is (n * m >> 32) >> s with m = ceil(2^(31 + l) / d), s = l - 1 and l = ceil(log2 d) (Granlund
 * and Montgomery, 1994). A divisor of 0 is the extent of a reduction over nothing, which divides
 * nothing: then 0 and 0. */
static void find_magic(int64_t divisor, uint32_t *multiplier, uint32_t *shift)
{
    unsigned log2 = 0;
    *multiplier = *shift = 0;
    if (divisor == 0)
        return;
    while (((int64_t)1 << log2) < divisor)
        log2++;
    log2 = SINTER__MAX(log2, 1u);
    uint64_t power = (uint64_t)1 << (31 + log2);
    *multiplier = (uint32_t)((power + (uint64_t)divisor - 1) / (uint64_t)divisor);
    *shift = log2 - 1;
}

static int64_t param_value(const sinter__launch *l, const sinter__param *p)
{
    uint32_t multiplier;
    uint32_t shift;
    switch ((sinter__param_kind)p->kind) {
    case SINTER__PARAM_EXTENT:
        return l->bound->extent[p->axis];
    case SINTER__PARAM_STRIDE:
        return l->bound->accesses[p->access].stride[p->axis];
    case SINTER__PARAM_OFFSET:
        return l->bound->accesses[p->access].offset;
    case SINTER__PARAM_MAGIC:
        find_magic(l->bound->extent[p->axis], &multiplier, &shift);
        return multiplier;
    case SINTER__PARAM_SHIFT:
        find_magic(l->bound->extent[p->axis], &multiplier, &shift);
        return shift;
    case SINTER__PARAM_REDUCED:
        return l->bound->reduced;
    case SINTER__PARAM_PARALLEL:
        return l->bound->parallel;
    case SINTER__PARAM_SEGMENT:
        return l->geometry.segment;
    case SINTER__PARAM_SEGMENTS:
        return l->geometry.segments;
    case SINTER__PARAM_UNITS:
        return l->geometry.units;
    case SINTER__PARAM_UNITS_PER_ITEM:
        return l->geometry.units_per_item;
    case SINTER__PARAM_REGION:
        return l->geometry.region;
    default:
        return l->geometry.parts;
    }
}

sinter__argument_value sinter__launch_argument(const sinter__launch *l,
                                               const sinter__kernel_text *text, size_t index,
                                               const sinter__operands *operands)
{
    const sinter__argument *a = &text->arguments[index];
    sinter__argument_value v = {.bytes = sizeof(uint64_t)};
    if (a->kind == SINTER__ARGUMENT_BUFFER) {
        const sinter__access *access = &l->nest->accesses[a->index];
        const sinter__address *at = &operands->tensors[access->tensor];
        int64_t offset = l->bound->accesses[a->index].offset *
                         (int64_t)sinter_dtype_bytes((sinter_dtype)access->dtype);
        v.is_buffer = true;
        v.memory = at->memory;
        v.word = at->offset_bytes + (uint64_t)offset;
    } else if (a->kind == SINTER__ARGUMENT_SCRATCH) {
        v.is_buffer = true;
        v.memory = operands->scratch.memory;
        v.word = operands->scratch.offset_bytes;
    } else if (a->kind == SINTER__ARGUMENT_PARAM) {
        v.word = (uint64_t)param_value(l, &text->params[a->index]);
    } else {
        v.word = operands->scalars[l->nest->scalars[a->index]];
    }
    if (!v.is_buffer)
        v.bytes = sizeof(uint32_t) * sinter__argument_words(a, &l->class_, text->params);
    return v;
}

static uint32_t *put_words(uint32_t *out, uint64_t word, size_t words)
{
    *out++ = (uint32_t)word;
    if (words == 2)
        *out++ = (uint32_t)(word >> 32);
    return out;
}

void sinter__numbers_write(const sinter__launch *l, const uint64_t *sent, uint32_t *out)
{
    const sinter__kernel_text *text = &l->kernel->text;
    memset(out, 0, text->packed_words * sizeof *out);
    for (size_t i = 0; i < text->argument_count; i++)
        out = put_words(out, sent[2 * i],
                        sinter__argument_words(&text->arguments[i], &l->class_, text->params));
}

/* Rows */

/* Rows that are written for `rows`. */
static uint16_t written_rows(const sinter__launch *l, sinter__row_range rows)
{
    return sinter__has_stored_rows(&l->class_) ? rows.count : l->class_.key.list;
}

size_t sinter__rows_bytes(const sinter__launch *l, sinter__row_range rows)
{
    return (size_t)written_rows(l, rows) * l->kernel->text.row_words * sizeof(uint32_t);
}

size_t sinter__rows_sent_bytes(const sinter__launch *l)
{
    const sinter__row_range all = {.count = l->row_count};
    size_t memories = l->kernel->text.row_memories * sizeof(uint64_t);
    if (sinter__has_stored_rows(&l->class_)) /* where they lie, and their number */
        return memories + 3 * sizeof(uint64_t);
    /* where memories lie; rows, and room to write them anew */
    return 2 * memories + 2 * sinter__rows_bytes(l, all);
}

size_t sinter__rows_items(const sinter__launch *l, sinter__row_range rows)
{
    size_t items = 0;
    for (uint16_t i = 0; i < rows.count; i++) {
        size_t own = l->rows[rows.first + i]->geometry.global[0];
        items = l->class_.key.divided != 0 ? SINTER__MAX(items, own) : items + own;
    }
    return items;
}

double sinter__launch_work(const sinter__launch *l, sinter__row_range rows)
{
    double work = l->row_count > 0 ? 0 : l->geometry.work;
    for (uint16_t i = 0; l->row_count > 0 && i < rows.count; i++)
        work += l->rows[rows.first + i]->geometry.work;
    return work;
}

static uint32_t find_memory(const sinter__memories *x, const void *memory)
{
    uint32_t i = 0;
    while (i < x->count && x->all[i] != memory)
        i++;
    return i;
}

bool sinter__memories_add(sinter__memories *memories, const sinter__launch *row,
                          const sinter__address *tensors, uint32_t most)
{
    for (uint16_t a = 0; a < row->nest->access_count; a++) {
        const sinter__access *access = &row->nest->accesses[a];
        if (access->role == SINTER__ROLE_INDEX)
            continue;
        void *memory = tensors[access->tensor].memory;
        uint32_t i = find_memory(memories, memory);
        if (i == most)
            return false;
        memories->all[i] = memory;
        memories->count = SINTER__MAX(memories->count, i + 1);
    }
    return true;
}

static void write_row(const sinter__launch *row, const sinter__kernel_text *text,
                      const sinter__operands *operands, const sinter__memories *memories,
                      uint32_t *out)
{
    for (size_t i = 0; i < text->argument_count; i++) {
        sinter__argument_value v = sinter__launch_argument(row, text, i, operands);
        if (v.is_buffer)
            v.word |= (uint64_t)find_memory(memories, v.memory) << SINTER__ROW_MEMORY_SHIFT;
        out = put_words(out, v.word, v.bytes / sizeof *out);
    }
}

void sinter__rows_write(const sinter__launch *l, sinter__row_range rows,
                        const sinter__operands *operands, const sinter__memories *memories,
                        uint32_t *out)
{
    const sinter__kernel_text *text = &l->kernel->text;
    size_t start = 0;
    memset(out, 0, sinter__rows_bytes(l, rows));
    for (uint16_t i = 0; i < written_rows(l, rows); i++, out += text->row_words) {
        out[0] = SINTER__ROW_ABSENT;
        if (i >= rows.count)
            continue;
        const sinter__launch *row = l->rows[rows.first + i];
        const size_t end = start + row->geometry.global[0];
        out[0] = (uint32_t)(l->class_.key.divided != 0 ? end : start);
        write_row(row, text, operands, memories, out + 1);
        start = end;
    }
}

/* Whether that changes them. */
static bool renew_words(uint32_t *at, uint64_t word, size_t words)
{
    uint32_t changed = at[0] ^ (uint32_t)word;
    if (words == 2)
        changed |= at[1] ^ (uint32_t)(word >> 32);
    (void)put_words(at, word, words);
    return changed != 0;
}

bool sinter__rows_renew(const sinter__launch *l, sinter__row_range rows,
                        const sinter__operands *operands, uint32_t *written)
{
    const sinter__kernel_text *text = &l->kernel->text;
    bool changed = false;
    for (uint16_t i = 0; i < rows.count; i++, written += text->row_words) {
        const sinter__nest *nest = l->rows[rows.first + i]->nest;
        uint32_t *at = written + 1;
        for (size_t k = 0; k < text->argument_count; k++) {
            const sinter__argument *a = &text->arguments[k];
            size_t words = sinter__argument_words(a, &l->class_, text->params);
            if (a->kind == SINTER__ARGUMENT_SCALAR)
                changed |= renew_words(at, operands->scalars[nest->scalars[a->index]], words);
            at += words;
        }
    }
    return changed;
}
