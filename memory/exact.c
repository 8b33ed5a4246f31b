/* The exact search: depth first over plans in which every item lies as low as those below it allow.
 *
 * Any plan can be pushed down into such a form, and its items be taken in the order of (offset, rank),
 * so the search takes them in that order only: an item that it passes over has to be lifted by one
 * that comes later. That, the cuts by what still has to lie above a section's lowest free place, the
 * rule that nothing is placed where another one would fit below it whole, and the independent
 * stretches of time are those of MiniMalloc (Moffitt, "MiniMalloc: A Lightweight Memory Allocator for
 * Hardware-Accelerated Machine Learning", ASPLOS 2023), as are the ranks that take turns with growing
 * budgets. What is added here: an item that was passed over lies at least on top of the lowest of its
 * neighbours that are still to come; one that is too high to be the next in one of its sections lies on
 * one that is not (as in scheduling a machine, Carlier and Pinson, 1989); and with these heights the
 * items of a section, from the highest down, show whether all of them still fit.
 *
 * An item that is fixed has its turn where it lies, and those that its bytes are in the way of lie on it.
 *
 * Nothing recurses: the path is an array of frames, and what a placement raised lies on a log. */
#include "memory/place.h"

#include <string.h>

#define MOST_NODES 300000u   /* where no budget is given */
#define MOST_WORK 120000000u /* items looked at, where no budget is given */
#define FIRST_NODES 1500u    /* of the first turn of each rank; the next have 8 times as many */
#define RANKS 3
#define PASSES 2 /* over the sections of a stretch: what one raises may be too high in another */

typedef enum verdict { FOUND, IMPOSSIBLE, UNDECIDED } verdict;

/* An item. Boxes are sorted by their first section, so that those of a stretch lie side by side. */
typedef struct box {
    uint64_t bytes;
    uint64_t lowest; /* where it may lie at the earliest, by what is placed */
    int64_t height;  /* the same, by what is still to come as well; -1: it is placed */
    uint32_t first, end;
    uint32_t item;
    uint32_t rank;
    bool is_placed;
    bool is_fixed;
} box;

/* A node of the path: a stretch of time that no open item leaves, and which of its items is placed
 * lowest. What is placed then may cut the stretch into several, each searched by itself below this
 * frame; when one has no plan, the other candidates of this frame are next. */
typedef struct frame {
    uint64_t offset;     /* of the candidate that is placed, or was tried last */
    uint64_t limit;      /* candidates above it are of no use */
    uint32_t tried;      /* that candidate's rank and 1; 0: none yet */
    uint32_t box;        /* that candidate */
    uint32_t first, end; /* sections of the stretch */
    uint32_t parent;     /* frame */
    uint32_t raised;     /* length of the log before it was placed */
    bool is_last;        /* no other candidate makes sense */
} frame;

typedef struct raise {
    uint64_t lowest;
    uint32_t box;
} raise;

typedef struct search {
    sinter__problem *p;
    box *boxes;
    uint32_t count;
    uint32_t *box_at;   /* by section: the first box that starts there or later */
    uint32_t *crossing; /* by section: open items alive in it and in the one before */
    uint64_t *left;     /* by section: bytes of open items */
    uint32_t *alive_at; /* by section: where those alive in it begin in `alive` */
    uint32_t *alive;    /* boxes, the highest first when they were last looked at */
    frame *frames;
    raise *log;
    uint32_t log_count;
    uint64_t capacity;
    uint64_t nodes; /* visited: of this turn at most, and in all */
    uint64_t most_nodes;
    uint64_t budget;
    uint64_t work; /* items looked at: for this capacity at most, and in all */
    uint64_t most_work;
    uint64_t work_budget;
} search;

/* Bytes of it all. */
static size_t lay_out(search *s, char *base, size_t n)
{
    size_t used = 0;
    s->boxes = sinter__carve(base, &used, n, sizeof *s->boxes);
    s->box_at = sinter__carve(base, &used, n + 1, sizeof *s->box_at);
    s->crossing = sinter__carve(base, &used, n + 1, sizeof *s->crossing);
    s->left = sinter__carve(base, &used, n + 1, sizeof *s->left);
    s->alive_at = sinter__carve(base, &used, n + 1, sizeof *s->alive_at);
    s->alive = sinter__carve(base, &used, n * n, sizeof *s->alive);
    s->frames = sinter__carve(base, &used, n + 1, sizeof *s->frames);
    s->log =
        sinter__carve(base, &used, n * (n - 1) / 2, sizeof *s->log); /* each pair once on a path */
    return used;
}

size_t sinter__exact_bytes(size_t count)
{
    search s;
    static char base[1];
    return count > 0 && count <= SINTER_PLAN_EXACT_MOST ? lay_out(&s, base, count) : 0;
}

/* The lowest place at or above `at` where the box may lie: in no box that is fixed and alive with it. */
static uint64_t place_at(const search *s, const box *b, uint64_t at)
{
    const sinter__problem *p = s->p;
    if (b->is_fixed)
        return at;
    at = sinter__place_at(p, &p->items[b->item], at);
    for (uint32_t i = 0; p->has_fixed && i < s->box_at[b->end]; i++) {
        const box *other = &s->boxes[i];
        uint64_t bottom = p->offsets[other->item];
        if (other->is_fixed && other->end > b->first && bottom < at + b->bytes &&
            at < bottom + other->bytes) {
            at = sinter__place_at(p, &p->items[b->item], bottom + other->bytes);
            i = UINT32_MAX; /* from the first again: it may lie in one of them now */
        }
    }
    return at;
}

static void place(search *s, frame *f)
{
    box *b = &s->boxes[f->box];
    uint64_t top = f->offset + b->bytes;
    f->raised = s->log_count;
    b->is_placed = true;
    b->height = -1;
    s->p->offsets[b->item] = f->offset;
    for (uint32_t t = b->first; t < b->end; t++) {
        s->left[t] -= b->bytes;
        s->crossing[t] -= t > b->first;
    }
    s->work += s->box_at[b->end] - s->box_at[f->first];
    for (uint32_t i = s->box_at[f->first]; i < s->box_at[b->end]; i++) {
        box *other = &s->boxes[i];
        if (other->is_placed || other->end <= b->first || other->lowest >= top)
            continue;
        s->log[s->log_count++] = (raise){other->lowest, i};
        other->lowest = place_at(s, other, top);
    }
}

static void take_back(search *s, const frame *f)
{
    box *b = &s->boxes[f->box];
    while (s->log_count > f->raised) {
        const raise *r = &s->log[--s->log_count];
        s->boxes[r->box].lowest = r->lowest;
    }
    for (uint32_t t = b->first; t < b->end; t++) {
        s->left[t] += b->bytes;
        s->crossing[t] += t > b->first;
    }
    b->is_placed = false;
}

/* Whether a box where it may lie comes after what frame `f` placed or tried. */
static bool comes_after(const box *b, const frame *f)
{
    return b->lowest > f->offset || (b->lowest == f->offset && b->rank >= f->tried);
}

/* Where an open item that was passed over lies at the earliest: on one of those to come. */
static uint64_t lifted(const search *s, const frame *f, const box *b)
{
    uint64_t lowest = UINT64_MAX;
    for (uint32_t i = s->box_at[f->first]; i < s->box_at[b->end]; i++) {
        const box *other = &s->boxes[i];
        uint64_t top = SINTER__MAX(other->lowest, f->offset) + other->bytes;
        if (top < lowest && !other->is_placed && other->end > b->first && other != b)
            lowest = top;
    }
    return lowest;
}

/* How high each open item of the stretch lies at least, one by one, and the highest of them; and up to
 * where the next item may lie. false when one cannot lie anywhere. */
static bool find_heights(search *s, const frame *f, uint64_t *limit, uint64_t *highest)
{
    *limit = UINT64_MAX;
    *highest = 0;
    for (uint32_t i = s->box_at[f->first]; i < s->box_at[f->end]; i++) {
        box *b = &s->boxes[i];
        if (b->is_placed)
            continue;
        bool is_to_come = comes_after(b, f);
        uint64_t height = is_to_come ? b->lowest : lifted(s, f, b);
        if (height > s->capacity || (b->is_fixed && !is_to_come))
            return false;
        b->height = (int64_t)height;
        *highest = SINTER__MAX(*highest, height);
        *limit = SINTER__MIN(*limit, b->lowest + b->bytes - 1); /* else it would fit below whole */
    }
    return true;
}

/* The highest first, and those that are placed last. They are nearly so from the last time. */
static void sort_alive(const search *s, uint32_t *alive, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        uint32_t moved = alive[i];
        int64_t height = s->boxes[moved].height;
        uint32_t k = i;
        for (; k > 0 && s->boxes[alive[k - 1]].height < height; k--)
            alive[k] = alive[k - 1];
        alive[k] = moved;
    }
}

/* Whether what is open in section `t` fits above its heights. Raises those that cannot be the next, and
 * `highest` with them. */
static bool section_fits(search *s, uint32_t t, uint64_t *highest)
{
    uint32_t *alive = s->alive + s->alive_at[t];
    uint32_t count = s->alive_at[t + 1] - s->alive_at[t];
    uint64_t last = s->capacity - s->left[t]; /* where the next may lie */
    uint64_t sum = 0;
    uint64_t top = UINT64_MAX; /* of those that may be the next, the lowest */
    sort_alive(s, alive, count);
    s->work += count;
    for (uint32_t i = 0; i < count; i++) {
        const box *b = &s->boxes[alive[i]];
        uint64_t height = (uint64_t)b->height;
        if (b->height < 0)
            break;
        sum += b->bytes;
        if (height + sum > s->capacity)
            return false;
        if (height <= last)
            top = SINTER__MIN(top, height + b->bytes);
    }
    for (uint32_t i = 0; i < count && s->boxes[alive[i]].height > (int64_t)last; i++) {
        box *b = &s->boxes[alive[i]];
        b->height = SINTER__MAX(b->height, (int64_t)top);
        *highest = SINTER__MAX(*highest, (uint64_t)b->height);
    }
    return true;
}

/* Whether all that is open in the stretch of `f` can still fit; and up to where the next item may
 * lie. */
static bool can_fit(search *s, const frame *f, uint64_t *limit)
{
    uint64_t highest;
    if (!find_heights(s, f, limit, &highest))
        return false;
    for (uint32_t pass = 0; pass < PASSES; pass++) {
        for (uint32_t i = f->first; i < f->end; i++) {
            uint32_t t = pass % 2 == 0 ? i : f->end - 1 - (i - f->first);
            if (s->left[t] == 0)
                continue;
            *limit = SINTER__MIN(*limit, s->capacity - s->left[t]);
            if (s->left[t] + highest > s->capacity && !section_fits(s, t, &highest))
                return false;
        }
    }
    return true;
}

/* Makes the next candidate after the one tried that of the frame. */
static bool choose(const search *s, frame *f)
{
    const box *best = NULL;
    for (uint32_t i = s->box_at[f->first]; i < s->box_at[f->end]; i++) {
        const box *b = &s->boxes[i];
        if (!b->is_placed && b->lowest <= f->limit && comes_after(b, f) &&
            (best == NULL || b->lowest < best->lowest ||
             (b->lowest == best->lowest && b->rank < best->rank)))
            best = b;
    }
    if (best == NULL)
        return false;
    f->offset = best->lowest;
    f->tried = best->rank + 1;
    f->box = (uint32_t)(best - s->boxes);
    return true;
}

/* Whether nothing that is open is alive with the frame's candidate: nothing could lift it later. */
static bool is_alone(const search *s, const frame *f)
{
    const box *b = &s->boxes[f->box];
    for (uint32_t t = b->first; t < b->end; t++) {
        if (s->left[t] != b->bytes)
            return false;
    }
    return true;
}

/* The first stretch with open items that frame `parent` has left at or behind section `from`. */
static bool find_stretch(const search *s, uint32_t parent, uint32_t from, frame *out)
{
    const frame *f = &s->frames[parent];
    while (from < f->end && s->left[from] == 0)
        from++;
    if (from == f->end)
        return false;
    uint32_t end = from + 1;
    while (end < f->end && s->crossing[end] > 0)
        end++;
    *out = (frame){
        .offset = f->offset, .tried = f->tried, .first = from, .end = end, .parent = parent};
    return true;
}

/* The stretch to go on with, of those that frame `parent` has left, or its own parents: the shortest,
 * which is the soonest found to have no plan. false when all is placed. */
static bool next_stretch(const search *s, uint32_t parent, frame *out)
{
    frame other;
    for (;; parent = s->frames[parent].parent) {
        if (find_stretch(s, parent, s->frames[parent].first, out)) {
            for (uint32_t from = out->end; find_stretch(s, parent, from, &other);
                 from = other.end) {
                if (other.end - other.first < out->end - out->first)
                    *out = other;
            }
            return true;
        }
        if (parent == 0) /* and where all is placed, `out` is beyond the frames that there are */
            return false;
    }
}

/* Whether each of the stretches that a placement left can still fit. `last` is the last of them. */
static bool children_fit(search *s, uint32_t depth, frame *last)
{
    *last = (frame){.end = s->frames[depth].first, .parent = UINT32_MAX};
    while (find_stretch(s, depth, last->end, last)) {
        if (!can_fit(s, last, &last->limit))
            return false;
    }
    return true;
}

/* The limit of frame `f`, of whose stretch it is known that all can fit. */
static void set_limit(search *s, frame *f, const frame *last)
{
    if (f->parent == last->parent && f->first == last->first)
        f->limit = last->limit;
    else
        (void)can_fit(s, f, &f->limit);
}

/* Undoes the placements below frame `depth`, and its own. */
static void take_back_to(search *s, uint32_t from, uint32_t depth)
{
    for (uint32_t d = from; d > depth; d--)
        take_back(s, &s->frames[d - 1]);
}

/* From the state where nothing is placed, and back to it unless a plan was found. Frame 0 places
 * nothing: its stretch is all of time. */
static verdict descend(search *s)
{
    uint32_t depth = 1;
    frame last;
    s->frames[0] = (frame){.end = s->p->section_count};
    if (!next_stretch(s, 0, &s->frames[1]))
        return FOUND;
    if (!children_fit(s, 0, &last))
        return IMPOSSIBLE;
    set_limit(s, &s->frames[1], &last);
    for (;;) {
        frame *f = &s->frames[depth];
        if (s->nodes >= s->most_nodes || s->work >= s->most_work) {
            take_back_to(s, depth, 1);
            return UNDECIDED;
        }
        if (f->is_last || !choose(s, f)) {
            take_back_to(s, depth, SINTER__MAX(f->parent, 1u));
            if (f->parent == 0)
                return IMPOSSIBLE;
            depth = f->parent;
            continue;
        }
        f->is_last = is_alone(s, f);
        place(s, f);
        s->nodes++;
        if (!children_fit(s, depth, &last)) {
            take_back(s, f);
        } else if (!next_stretch(s, depth, &s->frames[depth + 1])) {
            return FOUND;
        } else {
            depth++;
            set_limit(s, &s->frames[depth], &last);
        }
    }
}

/* Ranks. What is hard to place goes first: what takes most bytes for most steps; in the fullest
 * sections what lives longest; there what is largest over its sections. */

static const char *const rank_names[RANKS] = {"area", "fullest, length", "fullest, sections"};

/* 2^20 times part / whole, and part is at most whole. */
static uint64_t share(uint64_t part, uint64_t whole)
{
    return whole < (uint64_t)1 << 43 ? (part << 20) / whole : part / (whole >> 20);
}

static sinter__key rank_key(const sinter__problem *p, uint32_t ranks, uint32_t index, uint32_t item,
                            uint64_t longest)
{
    const sinter__item *i = &p->items[item];
    uint64_t size = share(i->bytes, p->bound);
    uint64_t length = share(i->steps, longest);
    sinter__key key = {.major = ~(size * length), .index = index};
    if (ranks > 0) {
        key.major = ~sinter__place_fullest(p, i);
        key.minor =
            ranks == 1 ? ~(length << 21 | size) : ~(size * (i->end - i->first) << 21 | length);
    }
    return key;
}

static void rank(search *s, uint32_t ranks)
{
    sinter__problem *p = s->p;
    uint64_t longest = 1;
    for (uint32_t i = 0; i < s->count; i++)
        longest = SINTER__MAX(longest, p->items[s->boxes[i].item].steps);
    for (uint32_t i = 0; i < s->count; i++)
        p->keys[i] = rank_key(p, ranks, i, s->boxes[i].item, longest);
    sinter__sort_keys(p->keys, s->count);
    for (uint32_t r = 0; r < s->count; r++)
        s->boxes[p->keys[r].index].rank = r;
}

/* The boxes by section. */
static void list_alive(search *s)
{
    uint32_t n = 0;
    for (uint32_t t = 0; t < s->p->section_count; t++) {
        s->alive_at[t] = n;
        for (uint32_t i = 0; i < s->box_at[t + 1]; i++) {
            s->alive[n] = i;
            n += s->boxes[i].end > t;
        }
    }
    s->alive_at[s->p->section_count] = n;
}

/* Nothing placed. */
static void set_up(search *s)
{
    sinter__problem *p = s->p;
    uint32_t n = 0;
    memset(s->crossing, 0, p->section_count * sizeof *s->crossing);
    memcpy(s->left, p->load, p->section_count * sizeof *s->left);
    for (uint32_t i = 0; i < p->count; i++) {
        if (p->items[i].bytes > 0)
            p->keys[n++] = (sinter__key){p->items[i].first, 0, i};
    }
    sinter__sort_keys(p->keys, n);
    uint32_t section = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t index = p->keys[i].index;
        const sinter__item *item = &p->items[index];
        s->boxes[i] = (box){.bytes = item->bytes,
                            .first = item->first,
                            .end = item->end,
                            .item = index,
                            .is_fixed = item->is_fixed};
        for (; section <= item->first; section++)
            s->box_at[section] = i;
        for (uint32_t t = item->first + 1; t < item->end; t++)
            s->crossing[t]++;
    }
    for (; section <= p->section_count; section++)
        s->box_at[section] = n;
    s->count = n;
    s->log_count = 0;
    list_alive(s);
    for (uint32_t i = 0; i < n; i++)
        s->boxes[i].lowest =
            s->boxes[i].is_fixed ? p->offsets[s->boxes[i].item] : place_at(s, &s->boxes[i], 0);
}

/* A plan within `capacity`: the ranks in turns, with ever larger parts of the given share of what is
 * left of the budget. */
static verdict search_within(search *s, uint64_t capacity, uint64_t share_of)
{
    sinter__problem *p = s->p;
    uint64_t end = s->nodes + (s->budget - s->nodes - 1) / share_of + 1;
    verdict v = UNDECIDED;
    s->most_work = s->work + (s->work_budget - s->work - 1) / share_of + 1;
    s->capacity = capacity;
    set_up(s);
    for (uint32_t turn = 0; v == UNDECIDED && s->nodes < end && s->work < s->most_work; turn++) {
        uint32_t ranks = turn % RANKS;
        uint64_t nodes = (uint64_t)FIRST_NODES << SINTER__MIN(3 * (turn / RANKS), 40u);
        s->most_nodes = s->nodes + SINTER__MIN(nodes, end - s->nodes);
        rank(s, ranks);
        v = descend(s);
        if (v == FOUND) {
            uint64_t total = 0;
            for (uint32_t i = 0; i < s->count; i++)
                total = SINTER__MAX(total, p->offsets[s->boxes[i].item] + s->boxes[i].bytes);
            sinter__place_offer(p, total, SINTER_PLAN_EXACT, rank_names[ranks]);
        }
    }
    return v;
}

static bool has_budget(const search *s)
{
    return s->nodes < s->budget && s->work < s->work_budget;
}

/* A plan within the goal; when that is not found, the smallest one between the bound and the best
 * that there is: a capacity is given a share of the budget, and one that was not decided counts as
 * too small. */
void sinter__place_exact(sinter__problem *p)
{
    const sinter_plan_options *o = p->options;
    search s = {.p = p,
                .budget = o->node_budget != 0 ? o->node_budget : MOST_NODES,
                .work_budget = o->node_budget != 0 ? UINT64_MAX : MOST_WORK};
    if (p->count > SINTER_PLAN_EXACT_MOST)
        return;
    (void)lay_out(&s, p->search, p->count);
    uint64_t goal = sinter__place_goal(p);
    verdict v = search_within(&s, goal, o->capacity_bytes != 0 ? 1 : 2);
    uint64_t impossible = v == IMPOSSIBLE ? goal : 0; /* up to here */
    uint64_t low = goal;
    while (v != FOUND && low + 1 < p->best_total && has_budget(&s)) {
        uint64_t middle = low + (p->best_total - low) / 2;
        verdict w = search_within(&s, middle, 4);
        if (w == FOUND)
            continue;
        impossible = w == IMPOSSIBLE ? middle : impossible;
        low = middle;
    }
    p->proven = impossible + 1 == p->best_total;
    p->nodes = s.nodes;
}
