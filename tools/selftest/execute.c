/* Running programs in a stated way, and comparing what comes out. */
#include "selftest/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void st_results_free(st_results *r)
{
    for (int i = 0; i < r->count; i++)
        free(r->data[i]);
    r->count = 0;
}

bool st_is_nan(sinter_dtype dtype, const void *element)
{
    uint16_t half;
    float single;
    double wide;
    switch (dtype) {
    case SINTER_F16:
        memcpy(&half, element, sizeof half);
        return (half & 0x7fffu) > 0x7c00u;
    case SINTER_BF16:
        memcpy(&half, element, sizeof half);
        return (half & 0x7fffu) > 0x7f80u;
    case SINTER_F32:
        memcpy(&single, element, sizeof single);
        return single != single;
    case SINTER_F64:
        memcpy(&wide, element, sizeof wide);
        return wide != wide;
    default:
        return false;
    }
}

bool st_differ(const st_results *a, const st_results *b, int *output, size_t *element)
{
    for (int i = 0; i < a->count || i < b->count; i++) {
        *output = i;
        *element = 0;
        if (i >= a->count || i >= b->count || a->bytes[i] != b->bytes[i] ||
            a->dtype[i] != b->dtype[i])
            return true;
        size_t size = sinter_dtype_bytes(a->dtype[i]);
        for (size_t at = 0; at < a->bytes[i]; at += size) {
            const char *x = (const char *)a->data[i] + at;
            const char *y = (const char *)b->data[i] + at;
            *element = at / size;
            if (memcmp(x, y, size) != 0 &&
                !(st_is_nan(a->dtype[i], x) && st_is_nan(a->dtype[i], y)))
                return true;
        }
    }
    return false;
}

/* One program under way. */
typedef struct running {
    const st_program *p;
    sinter_tensor values[ST_MAX_VALUES];
    int last_use[ST_MAX_VALUES]; /* position in `order`; ST_MAX_STEPS: it is an output */
    int order[ST_MAX_STEPS];
    st_random r;
} running;

static sinter_stream *stream_for(const st_way *way, running *x)
{
    if (way->stream_count == 1)
        return way->streams[0];
    return way->streams[st_below(&x->r, (uint32_t)way->stream_count)];
}

/* Another order in which no step comes before its operands. */
static void shuffle(running *x)
{
    bool done[ST_MAX_VALUES] = {false};
    int inputs = x->p->input_count;
    for (int i = 0; i < inputs; i++)
        done[i] = true;
    for (int at = 0; at < x->p->step_count; at++) {
        int ready[ST_MAX_STEPS] = {0};
        int count = 0;
        for (int i = 0; i < x->p->step_count; i++) {
            const int *o = x->p->steps[i].operand;
            bool is_ready = !done[inputs + i];
            for (int k = 0; k < 3; k++)
                is_ready = is_ready && (o[k] < 0 || done[o[k]]);
            if (is_ready)
                ready[count++] = i;
        }
        x->order[at] = ready[st_below(&x->r, (uint32_t)count)];
        done[inputs + x->order[at]] = true;
    }
}

static void find_last_uses(running *x)
{
    for (int i = 0; i < ST_MAX_VALUES; i++)
        x->last_use[i] = -1;
    for (int at = 0; at < x->p->step_count; at++) {
        const st_step *t = &x->p->steps[x->order[at]];
        for (int k = 0; k < 3; k++) {
            if (t->operand[k] >= 0)
                x->last_use[t->operand[k]] = at;
        }
    }
    for (int i = 0; i < x->p->step_count; i++) {
        if (x->p->steps[i].is_output)
            x->last_use[x->p->input_count + i] = ST_MAX_STEPS;
    }
}

static sinter_status upload(running *x, const st_way *way)
{
    for (int i = 0; i < x->p->input_count; i++) {
        const st_input *in = &x->p->inputs[i];
        sinter_status status = sinter_tensor_from_host(stream_for(way, x), in->dtype, in->rank,
                                                       in->shape, in->data, &x->values[i]);
        if (status != SINTER_OK)
            return status;
    }
    return SINTER_OK;
}

static size_t bytes_of(const sinter_tensor_desc *d)
{
    size_t bytes = sinter_dtype_bytes(d->dtype);
    for (int i = 0; i < d->rank; i++)
        bytes *= (size_t)d->shape[i];
    return bytes;
}

static sinter_status read_and_forget(sinter_context *ctx, sinter_stream *s, sinter_tensor t)
{
    sinter_tensor_desc d;
    sinter_status status = sinter_tensor_describe(ctx, t, &d);
    if (status != SINTER_OK)
        return status;
    size_t bytes = bytes_of(&d);
    void *data = malloc(bytes + 1);
    if (data == NULL)
        return SINTER_ENOMEM;
    status = sinter_tensor_read(s, t, data, bytes);
    free(data);
    return status;
}

/* The value again: as a copy, or as a view that turns every axis round twice. */
static sinter_status identity(running *x, sinter_context *ctx, sinter_stream *s, int value)
{
    sinter_tensor same;
    sinter_tensor_desc d;
    sinter_status status = sinter_tensor_describe(ctx, x->values[value], &d);
    if (status != SINTER_OK)
        return status;
    if (d.rank == 0 || st_below(&x->r, 2) == 0) {
        status = sinter_copy(s, x->values[value], &same);
    } else {
        sinter_tensor flipped;
        const int axis = (int)st_below(&x->r, (uint32_t)d.rank);
        status = sinter_flip(s, x->values[value], 1, &axis, &flipped);
        if (status == SINTER_OK) {
            status = sinter_flip(s, flipped, 1, &axis, &same);
            (void)sinter_tensor_release(s, flipped);
        }
    }
    if (status != SINTER_OK)
        return status;
    (void)sinter_tensor_release(s, x->values[value]);
    x->values[value] = same;
    return SINTER_OK;
}

/* An operation whose result nobody uses. */
static sinter_status dead(running *x, sinter_stream *s, int value)
{
    sinter_tensor unused;
    sinter_tensor t = x->values[value];
    sinter_status status = st_below(&x->r, 2) == 0 ? sinter_copy(s, t, &unused)
                                                   : sinter_sum(s, t, 0, NULL, false, &unused);
    return status == SINTER_OK ? sinter_tensor_release(s, unused) : status;
}

/* Things that must not change a result. */
static sinter_status disturb(running *x, const st_way *way, int value)
{
    sinter_stream *s = stream_for(way, x);
    switch (st_below(&x->r, 12)) {
    case 0:
        return sinter_stream_flush(s);
    case 1:
        return sinter_stream_mark(s);
    case 2:
        return dead(x, s, value);
    case 3:
        return read_and_forget(way->ctx, s, x->values[value]);
    case 4:
        return identity(x, way->ctx, s, value);
    case 5: /* held once more for a moment */
        (void)sinter_tensor_retain(way->ctx, x->values[value]);
        return sinter_tensor_release(s, x->values[value]);
    default:
        return SINTER_OK;
    }
}

static void release_dead(running *x, const st_way *way, int at)
{
    for (int v = 0; v < x->p->input_count + x->p->step_count; v++) {
        if (x->last_use[v] == at && x->values[v].id != 0) {
            (void)sinter_tensor_release(stream_for(way, x), x->values[v]);
            x->values[v].id = 0;
        }
    }
}

static sinter_status queue(running *x, const st_way *way)
{
    sinter_status status = upload(x, way);
    for (int at = 0; at < x->p->step_count && status == SINTER_OK; at++) {
        int i = x->order[at];
        int value = x->p->input_count + i;
        status = st_queue_step(x->p, i, stream_for(way, x), x->values, &x->values[value]);
        if (status == SINTER_OK && way->disturb != 0)
            status = disturb(x, way, value);
        release_dead(x, way, at);
    }
    return status;
}

static sinter_status read_outputs(running *x, const st_way *way, st_results *out)
{
    for (int i = 0; i < x->p->step_count; i++) {
        if (!x->p->steps[i].is_output)
            continue;
        sinter_tensor t = x->values[x->p->input_count + i];
        sinter_tensor_desc d;
        sinter_status status = sinter_tensor_describe(way->ctx, t, &d);
        if (status != SINTER_OK)
            return status;
        size_t bytes = bytes_of(&d);
        void *data = malloc(bytes + 1);
        if (data == NULL)
            return SINTER_ENOMEM;
        out->data[out->count] = data;
        out->bytes[out->count] = bytes;
        out->dtype[out->count++] = d.dtype;
        status = sinter_tensor_read(stream_for(way, x), t, data, bytes);
        if (status != SINTER_OK)
            return status;
    }
    return SINTER_OK;
}

sinter_status st_run(const st_program *programs, int count, const st_way *way, st_results *results)
{
    sinter_status status = SINTER_OK;
    running *all = calloc((size_t)count, sizeof *all);
    if (all == NULL)
        return SINTER_ENOMEM;
    for (int i = 0; i < count; i++) {
        running *x = &all[i];
        x->p = &programs[i];
        x->r.state = way->disturb + (uint64_t)i;
        results[i].count = 0;
        for (int k = 0; k < x->p->step_count; k++)
            x->order[k] = k;
        if (way->disturb != 0)
            shuffle(x);
        find_last_uses(x);
        if (status == SINTER_OK)
            status = queue(x, way);
    }
    for (int i = 0; i < count && status == SINTER_OK; i++)
        status = read_outputs(&all[i], way, &results[i]);
    /* before what is called below clears it */
    (void)snprintf(results[0].reason, sizeof results[0].reason, "%s",
                   status != SINTER_OK ? sinter_last_error() : "");
    for (int i = 0; i < count; i++) {
        for (int v = 0; v < ST_MAX_VALUES; v++) {
            if (all[i].values[v].id != 0)
                (void)sinter_tensor_release(NULL, all[i].values[v]);
        }
    }
    free(all);
    return status;
}
