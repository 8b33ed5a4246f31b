/* The bytes that live at each step of a graph (sinter/memory.h).
 *
 * The one hard idea: every storage belongs to one node, and a profile is the sum over nodes of an interval
 * of entries. So one walk over the nodes finds the owner behind each view and the last use of each
 * owner; what lies in parts has the uses of the part and those of the whole, and nothing else is needed
 * to know when it dies. The rules are those of the estimator that PyTorch first had
 * (torch/_inductor/fx_passes/memory_estimator.py), and beside each that is unsound, a sound one. */
#include "core/sized.h"
#include "memory/place.h"
#include "sinter/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* What the walk knows of a node. Bits of storages are those of their owners. */
enum {
    FIXED = 1,        /* storage: may not be released */
    HELD = 2,         /* storage: put out by the last part */
    HELD_FORWARD = 4, /* storage: put out by the forward part, and a backward one follows */
    HANDED = 8,       /* storage: used by the backward part */
    PUT_OUT = 16,     /* node: put out by the forward part */
    STOOD_FOR = 32,   /* node: a backward placeholder stands for it */
};

typedef struct trail {
    uint32_t owner; /* of the storage */
    uint32_t whole; /* an owner that is a part: what it is a part of; else itself */
    uint32_t entry; /* at which the node runs */
    uint32_t end;   /* an owner: after the last use of its own; 0: there is none */
    uint32_t bits;
} trail;

typedef struct walk {
    sinter_memory_node *nodes;
    size_t count;
    size_t backward; /* count: there is no backward part */
    uint32_t rules;
    trail *trails;
    sinter__key *parts;
    size_t part_count;
    uint32_t next; /* entry */
    uint32_t backward_entry;
    uint64_t counted; /* bytes so far */
} walk;

/* Where everything lies in the block at `base`, and how many bytes it takes; nothing is touched. */
static size_t lay_out(walk *w, char *base, size_t count)
{
    size_t used = 0;
    w->trails = sinter__carve(base, &used, count, sizeof *w->trails);
    w->parts = sinter__carve(base, &used, count, sizeof *w->parts);
    return used;
}

/* Fails with a message that begins with the node. */
SINTER__COLD SINTER__PRINTF(4, 5) static sinter_status
    wrong(const walk *w, sinter_status status, size_t i, const char *format, ...)
{
    const char *name = w->nodes[i].name;
    char text[200];
    char where[100];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    (void)snprintf(where, sizeof where, name != NULL ? "node %zu (%.60s)" : "node %zu", i, name);
    (void)sinter__fail(status, "%s", text);
    return sinter__fail_in(status, where);
}

static bool is_view(const sinter_memory_node *n)
{
    return n->kind == SINTER_MEMORY_VIEW || n->kind == SINTER_MEMORY_PART;
}

static sinter_status size_of(const walk *w, size_t i, uint64_t *bytes)
{
    *bytes = w->nodes[i].bytes;
    if (*bytes != SINTER_MEMORY_UNKNOWN)
        return SINTER_OK;
    *bytes = 0;
    if ((w->rules & SINTER_MEMORY_UNKNOWN_IS_0) == 0)
        return wrong(w, SINTER_EINVAL, i, "its size is not known");
    return SINTER_OK;
}

/* The sum over all nodes is checked, so that no sum of some of them can overflow. */
static sinter_status count_bytes(walk *w, size_t i, uint64_t *bytes)
{
    SINTER_TRY(size_of(w, i, bytes));
    if (!sinter__add_u64(w->counted, *bytes, &w->counted))
        return wrong(w, SINTER_ERANGE, i, "%llu bytes overflow what has been counted",
                     (unsigned long long)*bytes);
    return SINTER_OK;
}

/* Inputs */

/* Input `at` of view `i` is no earlier node: whether that closes a circle. */
SINTER__COLD static bool closes_circle(const walk *w, size_t i, uint32_t at)
{
    for (size_t steps = 0; steps < w->count && at != i; steps++) {
        const sinter_memory_node *n = at < w->count ? &w->nodes[at] : NULL;
        if (n == NULL || !is_view(n) || n->input_count == 0 || n->inputs == NULL)
            return false;
        at = n->inputs[0];
    }
    return true;
}

static sinter_status check_inputs(const walk *w, size_t i)
{
    const sinter_memory_node *n = &w->nodes[i];
    if (n->input_count > 0 && n->inputs == NULL)
        return wrong(w, SINTER_EINVAL, i, "its inputs are NULL");
    for (uint32_t k = 0; k < n->input_count; k++) {
        uint32_t at = n->inputs[k];
        if (at >= w->count)
            return wrong(w, SINTER_EINVAL, i, "input %u is node %u of %zu", k, at, w->count);
        if (at >= i && is_view(n) && k == 0 && closes_circle(w, i, at))
            return wrong(w, SINTER_EINVAL, i, "a cycle of views leads through it");
        if (at >= i)
            return wrong(w, SINTER_EINVAL, i, "input %u is node %u, which comes later", k, at);
        if (w->nodes[at].kind == SINTER_MEMORY_OUTPUT)
            return wrong(w, SINTER_EINVAL, i, "input %u is node %u, an output", k, at);
        if (n->kind != SINTER_MEMORY_PLACEHOLDER && i >= w->backward && at < w->backward &&
            (w->rules & SINTER_MEMORY_TWO_GRAPHS) != 0)
            return wrong(w, SINTER_EINVAL, i,
                         "input %u is node %u of the forward part, without a placeholder", k, at);
    }
    return SINTER_OK;
}

/* Whether its kind can have these inputs, which are earlier nodes. */
static sinter_status check_kind(const walk *w, size_t i)
{
    const sinter_memory_node *n = &w->nodes[i];
    bool is_backward = i >= w->backward;
    bool wants = is_view(n) || n->kind == SINTER_MEMORY_RESULT;
    uint32_t most = UINT32_MAX;
    if (n->kind == SINTER_MEMORY_PLACEHOLDER)
        most = is_backward;
    else if (n->kind == SINTER_MEMORY_CONSTANT)
        most = 0;
    else if (n->kind == SINTER_MEMORY_RESULT)
        most = 1;
    else if ((unsigned)n->kind > SINTER_MEMORY_OUTPUT)
        return wrong(w, SINTER_EINVAL, i, "there is no kind %u", (unsigned)n->kind);
    if (n->input_count > most || (wants && n->input_count == 0))
        return wrong(w, SINTER_EINVAL, i, "%u inputs, which its kind cannot have", n->input_count);
    if (n->kind == SINTER_MEMORY_PLACEHOLDER && n->input_count > 0 && n->inputs[0] >= w->backward)
        return wrong(w, SINTER_EINVAL, i, "it stands for node %u, of its own part", n->inputs[0]);
    if (n->kind == SINTER_MEMORY_RESULT && (w->nodes[n->inputs[0]].kind != SINTER_MEMORY_CALL ||
                                            is_backward != (n->inputs[0] >= w->backward)))
        return wrong(w, SINTER_EINVAL, i, "node %u is no call that it can be a result of",
                     n->inputs[0]);
    return SINTER_OK;
}

/* The walk */

/* A use of the storage that node `at` lies in, by node `i`. */
static void use(walk *w, size_t i, uint32_t at)
{
    trail *owner = &w->trails[w->trails[at].owner];
    owner->end = w->trails[i].entry + 1;
    if (i >= w->backward)
        owner->bits |= HANDED;
}

static void put_out(walk *w, size_t i)
{
    const sinter_memory_node *n = &w->nodes[i];
    bool ends = i >= w->backward || w->backward == w->count;
    for (uint32_t k = 0; k < n->input_count; k++) {
        uint32_t at = n->inputs[k];
        w->trails[w->trails[at].owner].bits |= ends ? HELD : HELD_FORWARD;
        if (i >= w->backward)
            w->trails[w->trails[at].owner].bits |= HANDED;
        else
            w->trails[at].bits |= PUT_OUT;
    }
}

/* Two graphs: a placeholder that is no forward output, or by its name a view of what may not be
 * released, is not released either. */
static sinter_status place_again(walk *w, size_t i)
{
    const sinter_memory_node *n = &w->nodes[i];
    const uint32_t *of = n->input_count > 0 ? &n->inputs[0] : NULL;
    bool is_output = of != NULL && (w->trails[*of].bits & PUT_OUT) != 0;
    if (of != NULL)
        w->trails[*of].bits |= STOOD_FOR;
    if (!is_output)
        w->trails[i].bits |= FIXED;
    if (n->name == NULL || strncmp(n->name, "view", 4) != 0)
        return SINTER_OK;
    if (!is_output)
        return wrong(w, SINTER_EINVAL, i, "a view by its name, which is no forward output");
    const sinter_memory_node *source = &w->nodes[*of];
    if (source->kind != SINTER_MEMORY_VIEW)
        return SINTER_OK;
    source = &w->nodes[source->inputs[0]];
    if (source->kind == SINTER_MEMORY_PLACEHOLDER && !source->is_releasable)
        w->trails[i].bits |= FIXED;
    return SINTER_OK;
}

static sinter_status take_placeholder(walk *w, size_t i)
{
    const sinter_memory_node *n = &w->nodes[i];
    trail *t = &w->trails[i];
    t->entry = i >= w->backward ? w->backward_entry : 0;
    if (i < w->backward)
        return SINTER_OK;
    if ((w->rules & SINTER_MEMORY_TWO_GRAPHS) != 0)
        return place_again(w, i);
    if (n->input_count == 0)
        return SINTER_OK;
    t->owner = w->trails[n->inputs[0]].owner;
    w->trails[t->owner].bits |= HANDED | (n->is_releasable ? 0 : FIXED);
    return SINTER_OK;
}

/* A part of a storage owns its bytes; a part of a view is a view. */
static sinter_status take_view(walk *w, size_t i)
{
    const sinter_memory_node *n = &w->nodes[i];
    uint32_t source = n->inputs[0];
    uint32_t owner = w->trails[source].owner;
    trail *t = &w->trails[i];
    t->owner = owner;
    if (n->kind == SINTER_MEMORY_VIEW || owner != source)
        return SINTER_OK;
    if (w->nodes[source].kind == SINTER_MEMORY_PART)
        return wrong(w, SINTER_EINVAL, i, "a part of node %u, which is a part", source);
    t->owner = (uint32_t)i;
    t->whole = source;
    w->parts[w->part_count++] = (sinter__key){source, n->key, (uint32_t)i};
    return SINTER_OK;
}

static sinter_status take_node(walk *w, size_t i)
{
    const sinter_memory_node *n = &w->nodes[i];
    trail *t = &w->trails[i];
    if (i == w->backward)
        w->backward_entry = w->next++;
    SINTER_TRY(check_inputs(w, i));
    SINTER_TRY(check_kind(w, i));
    *t = (trail){.owner = (uint32_t)i, .whole = (uint32_t)i, .entry = w->next};
    t->bits = n->is_releasable || is_view(n) ? 0 : FIXED;
    if (n->kind == SINTER_MEMORY_OUTPUT)
        put_out(w, i);
    if (n->kind == SINTER_MEMORY_PLACEHOLDER)
        return take_placeholder(w, i);
    if (n->kind == SINTER_MEMORY_CONSTANT) {
        t->entry = i >= w->backward ? w->backward_entry : 0;
        t->bits |= FIXED;
    }
    if (n->kind == SINTER_MEMORY_RESULT)
        t->entry = w->trails[n->inputs[0]].entry;
    if (n->kind != SINTER_MEMORY_CALL && !is_view(n))
        return SINTER_OK;
    w->next += 2;
    for (uint32_t k = 0; k < n->input_count; k++)
        use(w, i, n->inputs[k]);
    return is_view(n) ? take_view(w, i) : SINTER_OK;
}

/* Storages */

static sinter_status own_bytes(walk *w)
{
    for (size_t i = 0; i < w->count; i++) {
        sinter_memory_node *n = &w->nodes[i];
        bool is_free =
            n->kind == SINTER_MEMORY_CONSTANT && (w->rules & SINTER_MEMORY_CONSTANTS_FREE) != 0;
        bool is_part = w->trails[i].whole != i;
        n->owned_bytes = 0;
        if (w->trails[i].owner != i || n->kind == SINTER_MEMORY_OUTPUT || is_free || is_part)
            continue;
        SINTER_TRY(count_bytes(w, i, &n->owned_bytes));
    }
    return SINTER_OK;
}

/* Parts take their bytes from the whole. */
static sinter_status claim_parts(walk *w)
{
    sinter__sort_keys(w->parts, w->part_count);
    for (size_t p = 0; p < w->part_count; p++) {
        uint32_t i = w->parts[p].index;
        uint32_t source = w->trails[i].whole;
        sinter_memory_node *whole = &w->nodes[source];
        uint64_t bytes;
        if (p > 0 && w->parts[p - 1].major == source && w->parts[p - 1].minor == w->parts[p].minor)
            return wrong(w, SINTER_EINVAL, i, "part %llu of node %u is node %u already",
                         (unsigned long long)w->parts[p].minor, source, w->parts[p - 1].index);
        if (whole->kind == SINTER_MEMORY_CONSTANT && (w->rules & SINTER_MEMORY_CONSTANTS_FREE) != 0)
            continue; /* it takes none, and so do its parts */
        SINTER_TRY(size_of(w, i, &bytes));
        if (bytes > whole->owned_bytes) {
            return wrong(w, SINTER_EINVAL, i,
                         "a part of %llu bytes; %llu of the %llu of node %u are left",
                         (unsigned long long)bytes, (unsigned long long)whole->owned_bytes,
                         (unsigned long long)whole->bytes, source);
        }
        whole->owned_bytes -= bytes;
        w->nodes[i].owned_bytes = bytes;
    }
    return SINTER_OK;
}

/* Of an owner: its own bits with those of what it is a part of. */
static uint32_t bits_of(const walk *w, size_t i)
{
    const trail *t = &w->trails[i];
    return t->bits | w->trails[t->whole].bits;
}

static bool is_held(uint32_t bits)
{
    return (bits & HELD) != 0 || (bits & (HELD_FORWARD | HANDED)) == HELD_FORWARD;
}

/* The entry at which the storage of owner `i` lives no more. */
static uint32_t end_of(const walk *w, size_t i)
{
    const trail *t = &w->trails[i];
    bool apart = (w->rules & SINTER_MEMORY_TWO_GRAPHS) != 0;
    uint32_t never = apart && i < w->backward ? w->backward_entry : w->next;
    uint32_t bits = bits_of(w, i);
    uint32_t end = SINTER__MAX(t->end, w->trails[t->whole].end);
    bool is_made =
        w->nodes[i].kind == SINTER_MEMORY_CALL || w->nodes[i].kind == SINTER_MEMORY_RESULT;
    bool releasable =
        apart ? (bits & (FIXED | HELD | HELD_FORWARD)) == 0 : (bits & FIXED) == 0 && !is_held(bits);
    if (!releasable)
        return never;
    if (end == 0 && is_made && (w->rules & SINTER_MEMORY_KEEP_DEAD) == 0)
        return t->entry + 1;
    return end == 0 ? never : end;
}

/* Bytes of nodes that a forward part put out and no placeholder stands for. */
static sinter_status baseline_apart(walk *w, uint64_t *bytes)
{
    for (size_t i = 0; i < w->backward; i++) {
        uint64_t more;
        if ((w->trails[i].bits & (PUT_OUT | STOOD_FOR)) != PUT_OUT)
            continue;
        SINTER_TRY(count_bytes(w, i, &more));
        *bytes += more;
    }
    return SINTER_OK;
}

/* Sums */

static sinter_status settle(walk *w, uint64_t *baseline)
{
    bool apart = (w->rules & SINTER_MEMORY_TWO_GRAPHS) != 0;
    SINTER_TRY(own_bytes(w));
    SINTER_TRY(claim_parts(w));
    for (size_t i = 0; i < w->count; i++) {
        const trail *t = &w->trails[i];
        sinter_memory_node *n = &w->nodes[i];
        bool owns = t->owner == i && n->kind != SINTER_MEMORY_OUTPUT;
        uint32_t bits = bits_of(w, t->owner);
        n->first_entry = owns ? w->trails[t->whole].entry : 0;
        n->end_entry = owns ? end_of(w, i) : 0;
        n->is_kept =
            n->kind != SINTER_MEMORY_OUTPUT && ((bits & FIXED) != 0 || (!apart && is_held(bits)));
        if (!apart && i < w->backward && n->end_entry > w->backward_entry && (bits & HANDED) == 0)
            *baseline += n->owned_bytes;
    }
    return apart && w->backward < w->count ? baseline_apart(w, baseline) : SINTER_OK;
}

/* What lives at each entry: first the changes, modulo 2^64, then their sums. */
static void add_up(const walk *w, uint64_t *entries)
{
    memset(entries, 0, (size_t)w->next * sizeof *entries);
    for (size_t i = 0; i < w->count; i++) {
        const sinter_memory_node *n = &w->nodes[i];
        entries[n->first_entry] += n->owned_bytes;
        if (n->end_entry < w->next)
            entries[n->end_entry] -= n->owned_bytes;
    }
    for (size_t k = 1; k < w->next; k++)
        entries[k] += entries[k - 1];
}

static void summarise(const walk *w, const uint64_t *entries, uint64_t baseline,
                      sinter_memory_summary *out)
{
    bool apart = (w->rules & SINTER_MEMORY_TWO_GRAPHS) != 0;
    *out = (sinter_memory_summary){.size = sizeof *out,
                                   .entry_count = w->next,
                                   .backward_entry = w->backward_entry,
                                   .baseline_bytes = baseline};
    for (uint32_t k = 0; k < w->next; k++) {
        bool later = k >= w->backward_entry;
        uint64_t bytes = entries[k] + (later && apart ? baseline : 0);
        uint64_t *peak = later ? &out->backward_peak_bytes : &out->forward_peak_bytes;
        *peak = SINTER__MAX(*peak, bytes);
        if (bytes > out->peak_bytes) {
            out->peak_bytes = bytes;
            out->peak_entry = k;
        }
    }
}

/* Public */

sinter_status sinter_memory_scratch_bytes(size_t count, size_t *bytes)
{
    static char base[1];
    walk w;
    sinter__clear_error();
    if (bytes == NULL)
        return sinter__fail(SINTER_EINVAL, "memory_scratch_bytes: an argument is NULL");
    if (count > SINTER__MOST_REQUESTS)
        return sinter__fail(SINTER_ERANGE, "memory_scratch_bytes: %zu nodes of at most %u", count,
                            SINTER__MOST_REQUESTS);
    *bytes = lay_out(&w, base, count);
    return SINTER_OK;
}

sinter_status sinter_memory_profile(const sinter_memory_graph *graph, uint64_t *entries,
                                    void *scratch, size_t scratch_bytes,
                                    sinter_memory_summary *summary)
{
    size_t wanted = 0;
    uint64_t baseline = 0;
    sinter_memory_graph g = SINTER_MEMORY_GRAPH_INIT;
    sinter_memory_summary full = SINTER_MEMORY_SUMMARY_INIT;
    sinter__clear_error();
    if (graph == NULL || entries == NULL || summary == NULL)
        return sinter__fail(SINTER_EINVAL, "memory_profile: an argument is NULL");
    SINTER_TRY(sinter__sized_take("memory_profile: a graph", &g, sizeof g, graph));
    SINTER_TRY(sinter__sized_check("memory_profile: a summary", summary->size));
    if (g.nodes == NULL && g.count > 0)
        return sinter__fail(SINTER_EINVAL, "memory_profile: %zu nodes, and none is given", g.count);
    SINTER_TRY(sinter_memory_scratch_bytes(g.count, &wanted));
    if (scratch == NULL || scratch_bytes < wanted)
        return sinter__fail(SINTER_EINVAL, "memory_profile: %zu bytes of scratch in place of %zu",
                            scratch != NULL ? scratch_bytes : 0, wanted);
    if (g.backward > g.count || (g.rules & ~(uint32_t)SINTER_MEMORY_INDUCTOR) != 0) {
        return sinter__fail(SINTER_EINVAL,
                            "memory_profile: backward begins at node %zu of %zu, rules %u",
                            g.backward, g.count, g.rules);
    }
    walk w = {.nodes = g.nodes,
              .count = g.count,
              .backward = g.backward > 0 ? g.backward : g.count,
              .rules = g.rules,
              .next = 1};
    (void)lay_out(&w, scratch, g.count);
    for (size_t i = 0; i < w.count; i++)
        SINTER_TRY(take_node(&w, i));
    if (w.backward == w.count)
        w.backward_entry = w.next;
    SINTER_TRY(settle(&w, &baseline));
    add_up(&w, entries);
    summarise(&w, entries, baseline, &full);
    sinter__sized_give(summary, summary->size, &full, sizeof full);
    return SINTER_OK;
}
