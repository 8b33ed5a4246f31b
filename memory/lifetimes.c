/* A program to requests: what is needed, how long it is alive, and what lies elsewhere.
 *
 * The one hard idea: a view has no memory, and whatever keeps it keeps what it is a view of. The
 * viewed value comes before the view in the list of values, so that one pass from the last to the
 * first carries every use to the roots, also through views that for themselves lie elsewhere. */
#include "memory/symbolic.h"

#include <stdio.h>
#include <string.h>

#define FLAGS                                                                                      \
    (SINTER_VALUE_RESULT | SINTER_VALUE_TO_HOST | SINTER_VALUE_STATE | SINTER_VALUE_UPLOAD)
#define LEAVES (SINTER_VALUE_RESULT | SINTER_VALUE_TO_HOST | SINTER_VALUE_STATE)
#define NEVER (-1)

typedef struct work {
    const sinter_schema_program *program;
    sinter__size *sizes; /* by value */
    int64_t *last;       /* by value: the last step that uses it, or a view of it */
    bool *is_needed;     /* by value */
    bool *is_escaped;    /* by value: a result is a view of it */
    bool *is_live;       /* by node */
    uint32_t *first;     /* by node: where its outputs begin in the list; then where they end */
    uint32_t *outputs;
} work;

/* "value 3 'x'" in front of the message. */
static sinter_status fail_value(const work *w, uint32_t v, sinter_status status)
{
    char where[160];
    const char *name = w->program->values[v].name;
    (void)snprintf(where, sizeof where, "value %u '%.100s'", v, name != NULL ? name : "");
    return sinter__fail_in(status, where);
}

/* Checks */

static sinter_status check_value(const work *w, uint32_t i)
{
    const sinter_schema_value *v = &w->program->values[i];
    if (v->name == NULL)
        return sinter__fail(SINTER_EINVAL, "it has no name");
    SINTER_TRY(sinter__schema_check_id(v->name, strlen(v->name)));
    if (v->node != SINTER_NO_INDEX && v->node >= w->program->node_count)
        return sinter__fail(SINTER_EINVAL, "there is no node %u to make it", v->node);
    if ((v->flags & ~FLAGS) != 0 || v->reserved != 0)
        return sinter__fail(SINTER_EINVAL, "unknown flags 0x%x", v->flags);
    if (v->view_of == SINTER_NO_INDEX)
        return SINTER_OK;
    if (v->view_of >= i)
        return sinter__fail(SINTER_EINVAL, "a view of value %u, which is not before it",
                            v->view_of);
    uint32_t from = w->program->values[v->view_of].node;
    if (from != SINTER_NO_INDEX && (v->node == SINTER_NO_INDEX || from > v->node))
        return sinter__fail(SINTER_EINVAL, "a view of value %u, which is made later, by node %u",
                            v->view_of, from);
    return SINTER_OK;
}

static sinter_status check_node(const work *w, uint32_t n)
{
    const sinter_schema_node *node = &w->program->nodes[n];
    if (node->inputs == NULL && node->input_count > 0)
        return sinter__fail(SINTER_EINVAL, "node %u has no list of its %u inputs", n,
                            node->input_count);
    for (uint32_t i = 0; i < node->input_count; i++) {
        uint32_t v = node->inputs[i];
        if (v >= w->program->value_count)
            return sinter__fail(SINTER_EINVAL, "node %u reads value %u, and there is none", n, v);
        uint32_t from = w->program->values[v].node;
        if (from != SINTER_NO_INDEX && from >= n)
            return sinter__fail(SINTER_EINVAL, "node %u reads value %u, which node %u makes", n, v,
                                from);
    }
    return SINTER_OK;
}

static sinter_status check_names(const work *w, sinter_schema *s)
{
    size_t twice = 0;
    size_t count = w->program->value_count;
    const char **names = sinter__arena_array(&s->sizes.arena, count, sizeof *names);
    if (names == NULL)
        return SINTER_ENOMEM;
    for (size_t i = 0; i < count; i++)
        names[i] = w->program->values[i].name;
    SINTER_TRY(sinter__schema_find_twice(&s->sizes, names, count, &twice));
    if (twice >= count)
        return SINTER_OK;
    return fail_value(w, (uint32_t)twice,
                      sinter__fail(SINTER_EINVAL, "an earlier value has this name"));
}

static sinter_status read_values(work *w, sinter_schema *s)
{
    for (uint32_t i = 0; i < w->program->value_count; i++) {
        const char *size = w->program->values[i].size;
        size_t offset = 0;
        sinter_status status = check_value(w, i);
        if (status == SINTER_OK && size != NULL)
            status = sinter__size_parse(&s->sizes, size, strlen(size), &w->sizes[i], &offset);
        if (status != SINTER_OK && offset > 0) {
            char where[48];
            (void)snprintf(where, sizeof where, "its size, column %zu", offset + 1);
            status = sinter__fail_in(status, where);
        }
        if (status != SINTER_OK)
            return fail_value(w, i, status);
    }
    for (uint32_t n = 0; n < w->program->node_count; n++)
        SINTER_TRY(check_node(w, n));
    return check_names(w, s);
}

/* Uses */

static void list_outputs(work *w)
{
    const sinter_schema_program *p = w->program;
    for (uint32_t v = 0; v < p->value_count; v++) {
        if (p->values[v].node != SINTER_NO_INDEX)
            w->first[p->values[v].node + 2]++;
    }
    for (uint32_t n = 2; n < p->node_count + 2; n++)
        w->first[n] += w->first[n - 1];
    for (uint32_t v = 0; v < p->value_count; v++) {
        if (p->values[v].node != SINTER_NO_INDEX)
            w->outputs[w->first[p->values[v].node + 1]++] = v;
    }
}

/* From the last node to the first: one stays if somebody needs what it makes. */
static void find_needed(work *w)
{
    const sinter_schema_program *p = w->program;
    for (uint32_t v = 0; v < p->value_count; v++)
        w->is_needed[v] = (p->values[v].flags & LEAVES) != 0;
    for (uint32_t n = p->node_count; n-- > 0;) {
        w->is_live[n] = p->nodes[n].has_effects != 0;
        for (uint32_t k = w->first[n + 1]; k-- > w->first[n];) { /* views before what they view */
            const sinter_schema_value *v = &p->values[w->outputs[k]];
            w->is_live[n] |= w->is_needed[w->outputs[k]];
            if (w->is_needed[w->outputs[k]] && v->view_of != SINTER_NO_INDEX)
                w->is_needed[v->view_of] = true;
        }
        for (uint32_t i = 0; w->is_live[n] && i < p->nodes[n].input_count; i++)
            w->is_needed[p->nodes[n].inputs[i]] = true;
    }
}

/* The last step that uses each value, in itself or through views. */
static void find_last(work *w)
{
    const sinter_schema_program *p = w->program;
    for (uint32_t v = 0; v < p->value_count; v++)
        w->last[v] = NEVER;
    for (uint32_t n = 0; n < p->node_count; n++) {
        for (uint32_t i = 0; w->is_live[n] && i < p->nodes[n].input_count; i++)
            w->last[p->nodes[n].inputs[i]] = n;
    }
    for (uint32_t v = p->value_count; v-- > 0;) {
        const sinter_schema_value *x = &p->values[v];
        bool is_result = (x->flags & SINTER_VALUE_RESULT) != 0;
        bool outlives = (x->flags & (SINTER_VALUE_RESULT | SINTER_VALUE_STATE)) != 0;
        uint32_t of = x->view_of;
        /* A view that leaves is read when all is done. */
        if (is_result || (of != SINTER_NO_INDEX && (x->flags & LEAVES) != 0))
            w->last[v] = (int64_t)p->node_count - 1;
        if (of == SINTER_NO_INDEX || !w->is_needed[v])
            continue;
        w->is_escaped[of] |= outlives || w->is_escaped[v];
        w->last[of] = SINTER__MAX(w->last[of], w->last[v]);
        if (x->node != SINTER_NO_INDEX)
            w->last[of] = SINTER__MAX(w->last[of], (int64_t)x->node);
    }
}

/* Requests */

static sinter_value_place place_of(const work *w, uint32_t v)
{
    const sinter_schema_value *x = &w->program->values[v];
    bool is_made = x->node != SINTER_NO_INDEX;
    if (is_made && !w->is_live[x->node])
        return SINTER_PLACE_NOWHERE;
    if (x->view_of != SINTER_NO_INDEX)
        return SINTER_PLACE_VIEW;
    if (!is_made || (x->flags & ~SINTER_VALUE_RESULT) != 0)
        return SINTER_PLACE_OUTSIDE;
    return w->is_escaped[v] ? SINTER_PLACE_ESCAPED : SINTER_PLACE_WORKSPACE;
}

static sinter_status add_requests(work *w, sinter_schema *s)
{
    for (uint32_t v = 0; v < s->value_count; v++) {
        const sinter_schema_value *x = &w->program->values[v];
        const sinter_value_place place = place_of(w, v);
        s->values[v] = (sinter__schema_value){place, SINTER_NO_INDEX};
        if (place == SINTER_PLACE_VIEW)
            s->values[v].request = x->view_of;
        if (place != SINTER_PLACE_WORKSPACE)
            continue;
        if (x->size == NULL)
            return fail_value(w, v, sinter__fail(SINTER_EINVAL, "it has no size"));
        const sinter__schema_request request = {
            .id = x->name,
            .start = x->node,
            .end = SINTER__MAX(w->last[v], (int64_t)x->node) + 1,
            .size = w->sizes[v],
        };
        s->values[v].request = (uint32_t)s->count;
        SINTER_TRY(sinter__schema_add(s, &request, strlen(x->name)));
    }
    return SINTER_OK;
}

static sinter_status allocate(work *w, sinter_schema *s)
{
    sinter__arena *a = &s->sizes.arena;
    size_t values = w->program->value_count;
    size_t nodes = w->program->node_count;
    w->sizes = sinter__arena_array(a, values, sizeof *w->sizes);
    w->last = sinter__arena_array(a, values, sizeof *w->last);
    w->is_needed = sinter__arena_array(a, values, sizeof *w->is_needed);
    w->is_escaped = sinter__arena_array(a, values, sizeof *w->is_escaped);
    w->is_live = sinter__arena_array(a, nodes, sizeof *w->is_live);
    w->first = sinter__arena_array(a, nodes + 2, sizeof *w->first);
    w->outputs = sinter__arena_array(a, values, sizeof *w->outputs);
    s->values = sinter__arena_array(a, values, sizeof *s->values);
    s->value_count = w->program->value_count;
    return w->sizes != NULL && w->last != NULL && w->is_needed != NULL && w->is_escaped != NULL &&
                   w->is_live != NULL && w->first != NULL && w->outputs != NULL && s->values != NULL
               ? SINTER_OK
               : SINTER_ENOMEM;
}

static sinter_status build(work *w, sinter_schema *s, const sinter_schema_options *options)
{
    size_t wrong;
    SINTER_TRY(allocate(w, s));
    SINTER_TRY(read_values(w, s));
    list_outputs(w);
    find_needed(w);
    find_last(w);
    SINTER_TRY(add_requests(w, s));
    return sinter__schema_close(s, options, &wrong);
}

sinter_status sinter_schema_create(const sinter_schema_program *program,
                                   const sinter_schema_options *options, sinter_schema **out)
{
    const sinter_schema_options defaults = SINTER_SCHEMA_OPTIONS_INIT;
    work w = {.program = program};
    sinter__clear_error();
    if (out != NULL)
        *out = NULL;
    if (out == NULL || program == NULL || (program->nodes == NULL && program->node_count > 0) ||
        (program->values == NULL && program->value_count > 0))
        return sinter__fail(SINTER_EINVAL, "schema: NULL for the program or for the result");
    if (program->node_count > 1u << 30 || program->value_count > 1u << 30)
        return sinter__fail(SINTER_EINVAL, "schema: %u nodes and %u values, more than 2^30",
                            program->node_count, program->value_count);
    options = options != NULL ? options : &defaults;
    sinter_schema *s;
    SINTER_TRY(sinter__schema_open(options, &s));
    sinter_status status = build(&w, s, options);
    if (status == SINTER_OK)
        *out = s;
    else
        sinter_schema_destroy(s);
    return status;
}
