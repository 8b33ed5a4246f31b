#include "fusion/plan/reach.h"

#include <string.h>

static uint64_t *row(const sinter__reach *r, uint64_t *rows, size_t d)
{
    return rows + d * r->words;
}

static void set(uint64_t *bits, uint16_t d)
{
    bits[d / 64] |= (uint64_t)1 << (d % 64);
}

static void clear(uint64_t *bits, uint16_t d)
{
    bits[d / 64] &= ~((uint64_t)1 << (d % 64));
}

static void unite(uint64_t *to, const uint64_t *from, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++)
        to[i] |= from[i];
}

/* `what` into the row of every draft of `drafts` but those of `known`, which have it: the rows are closed. What is
 * new is often a single draft, or a few beside each other. */
static void spread(const sinter__reach *r, uint64_t *rows, const uint64_t *drafts,
                   const uint64_t *known, const uint64_t *what)
{
    size_t first = 0;
    size_t end = r->words;
    while (first < end && what[first] == 0)
        first++;
    while (end > first && what[end - 1] == 0)
        end--;
    for (size_t i = 0; i < r->words; i++) {
        for (uint64_t left = drafts[i] & ~known[i]; left != 0; left &= left - 1)
            unite(row(r, rows, i * 64 + (size_t)__builtin_ctzll(left)), what, first, end);
    }
}

/* Two rows behind those of drafts. */
static uint64_t *scratch(const sinter__reach *r, uint64_t *rows, int i)
{
    return row(r, rows, r->words * 64 + (size_t)i);
}

static uint64_t *copy(const sinter__reach *r, uint64_t *rows, int i, const uint64_t *from)
{
    return memcpy(scratch(r, rows, i), from, r->words * sizeof *from);
}

sinter_status sinter__reach_init(sinter__reach *r, sinter__arena *arena, size_t count)
{
    r->words = count / 64 + 1;
    size_t rows = r->words * 64 + 2;
    r->after = sinter__arena_array(arena, rows * r->words, sizeof *r->after);
    r->before = sinter__arena_array(arena, rows * r->words, sizeof *r->before);
    return r->after != NULL && r->before != NULL ? SINTER_OK : SINTER_ENOMEM;
}

void sinter__reach_add(sinter__reach *r, uint16_t from, uint16_t to)
{
    if (from == to || sinter__reaches(r, from, to))
        return;
    uint64_t *behind = copy(r, r->after, 0, row(r, r->after, to));
    uint64_t *ahead = copy(r, r->before, 0, row(r, r->before, from));
    uint64_t *knows_to = copy(r, r->before, 1, row(r, r->before, to));
    uint64_t *known_from = copy(r, r->after, 1, row(r, r->after, from));
    set(behind, to);
    set(ahead, from);
    spread(r, r->after, ahead, knows_to, behind);
    spread(r, r->before, behind, known_from, ahead);
}

/* What is in `other` as well into `of_both`, what is in either into `either`. */
static void widen(const sinter__reach *r, uint64_t *either, uint64_t *of_both,
                  const uint64_t *other)
{
    for (size_t i = 0; i < r->words; i++) {
        of_both[i] = either[i] & other[i];
        either[i] |= other[i];
    }
}

void sinter__reach_together(sinter__reach *r, uint16_t a, uint16_t b)
{
    uint64_t *ahead = copy(r, r->before, 0, row(r, r->before, a));
    uint64_t *behind = copy(r, r->after, 0, row(r, r->after, a));
    uint64_t *ahead_of_both = scratch(r, r->before, 1);
    uint64_t *behind_both = scratch(r, r->after, 1);
    widen(r, ahead, ahead_of_both, row(r, r->before, b));
    widen(r, behind, behind_both, row(r, r->after, b));
    set(ahead, a);
    set(ahead, b);
    set(behind, a);
    set(behind, b);
    spread(r, r->after, ahead, ahead_of_both, behind);
    spread(r, r->before, behind, behind_both, ahead);
    const uint16_t both[] = {a, b};
    for (int i = 0; i < 2; i++) { /* nor do they wait for each other any more */
        clear(row(r, r->after, both[i]), a);
        clear(row(r, r->after, both[i]), b);
        clear(row(r, r->before, both[i]), a);
        clear(row(r, r->before, both[i]), b);
    }
}

void sinter__reach_drop(sinter__reach *r, uint16_t d)
{
    uint64_t *behind = row(r, r->after, d);
    uint64_t *ahead = row(r, r->before, d);
    for (size_t i = 0; i < r->words; i++) {
        for (uint64_t left = behind[i]; left != 0; left &= left - 1)
            clear(row(r, r->before, i * 64 + (size_t)__builtin_ctzll(left)), d);
        for (uint64_t left = ahead[i]; left != 0; left &= left - 1)
            clear(row(r, r->after, i * 64 + (size_t)__builtin_ctzll(left)), d);
    }
    memset(behind, 0, r->words * sizeof *behind);
    memset(ahead, 0, r->words * sizeof *ahead);
}

bool sinter__reach_between(const sinter__reach *r, uint16_t from, uint16_t to)
{
    const uint64_t *behind = row(r, r->after, from);
    const uint64_t *ahead = row(r, r->before, to);
    /* From the word of `to` on: what is between was mostly made then. */
    for (size_t k = 0; k < r->words; k++) {
        size_t i = (to / 64 + k) % r->words;
        if ((behind[i] & ahead[i]) != 0)
            return true;
    }
    return false;
}
