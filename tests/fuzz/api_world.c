#include "api_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

world now;

void world_refute(const char *what, sinter_status got)
{
    (void)fprintf(stderr, "%s: %s (%d): %s\n", what, sinter_status_name(got), (int)got,
                  sinter_last_error());
    abort();
}

/* Bytes */

uint8_t take(world *w)
{
    if (w->bytes == 0)
        return 0;
    w->bytes--;
    return *w->data++;
}

uint32_t take_below(world *w, uint32_t limit)
{
    return take(w) % limit;
}

int take_stream(void)
{
    uint8_t b = take(&now);
    int at = b < 160 ? 0 : b % WORLD_STREAMS;
    return now.streams[at].s != NULL ? at : 0;
}

/* Nine of ten are held. */
operand take_operand(world *w)
{
    uint8_t which = take(w);
    if (which < 230 && w->held > 0) {
        tensor *t = &w->tensors[which % w->held];
        return (operand){.handle = t->handle, .t = t};
    }
    if (which % 3 == 0)
        return (operand){.handle = w->foreign};
    if (which % 3 == 1 && w->died > 0)
        return (operand){.handle = w->dead[which % (w->died < 8 ? w->died : 8)]};
    return (operand){.handle = {.id = which % 4 == 0 ? 0 : which * 0x9e3779b97f4a7c15u}};
}

/* Judging */

bool world_rests(const world *w, int stream)
{
    for (size_t i = 0; i < w->held; i++) {
        if (w->tensors[i].mapped && w->tensors[i].home == stream)
            return true;
    }
    return false;
}

standing world_standing(const world *w, int stream, const operand *operands, int count)
{
    standing of = {.rests = world_rests(w, stream)};
    for (int i = 0; i < count; i++) {
        of.dead |= operands[i].t == NULL;
        of.rests |= operands[i].t != NULL && operands[i].t->home >= 0 &&
                    world_rests(w, operands[i].t->home);
    }
    return of;
}

bool world_excuses(const world *w, sinter_status status)
{
    return (status == SINTER_ENOMEM && w->may_lack_memory) ||
           (status == SINTER_EDEVMEM && w->may_lack_memory) ||
           (status == SINTER_EBUDGET && w->budget > 0) ||
           (status == SINTER_EBUILD && w->may_not_build) ||
           (status == SINTER_EDEVICE && w->may_fail);
}

bool is_refusal(sinter_status status)
{
    return status == SINTER_EINVAL || status == SINTER_ESHAPE || status == SINTER_EDTYPE ||
           status == SINTER_ERANGE || status == SINTER_EUNSUPPORTED;
}

void world_judge(const world *w, const char *call, sinter_status got, model_verdict verdict,
                 standing of)
{
    if ((got != SINTER_OK) != (sinter_last_error()[0] != '\0'))
        world_refute(call, got);
    if (world_excuses(w, got) || (of.rests && got == SINTER_EBUSY) ||
        (of.dead && got == SINTER_EHANDLE))
        return;
    if ((verdict == MODEL_BAD || verdict == MODEL_OPEN || of.dead) && is_refusal(got))
        return;
    if (got != SINTER_OK || of.dead || of.rests || verdict == MODEL_BAD)
        world_refute(call, got);
}

/* Holding */

/* Makes room: one tensor less, which is not mapped. */
static void release_one(world *w)
{
    size_t i = 0;
    while (i + 1 < w->held && w->tensors[i].mapped)
        i++;
    sinter_tensor handle = w->tensors[i].handle;
    while (world_find(w, handle) != NULL) {
        sinter_status status = sinter_tensor_release(NULL, handle);
        if (status != SINTER_OK)
            world_refute("release", status);
        world_forget(w, handle);
    }
}

static int64_t describe(const world *w, sinter_tensor handle, sinter_tensor_desc *desc)
{
    sinter_status status = sinter_tensor_describe(w->ctx, handle, desc);
    int64_t count = model_count(desc->rank, desc->shape);
    if (status != SINTER_OK || desc->rank < 0 || desc->rank > SINTER_MAX_RANK ||
        desc->dtype >= SINTER_DTYPE_COUNT)
        world_refute("describe", status);
    return count;
}

static bool is_as_said(const model *x, const sinter_tensor_desc *desc)
{
    return x->dtype == desc->dtype && x->rank == desc->rank &&
           memcmp(x->shape, desc->shape, (size_t)x->rank * sizeof *x->shape) == 0;
}

static void hold(world *w, int at, sinter_tensor handle, const sinter_tensor_desc *desc,
                 const model *known)
{
    stream *home = &w->streams[at];
    tensor *t = world_find(w, handle);
    if (t != NULL) { /* a program's result that is its input */
        t->references++;
        return;
    }
    if (w->held == WORLD_HELD)
        release_one(w);
    t = &w->tensors[w->held++];
    t->handle = handle;
    t->references = 1;
    t->home = at;
    t->mapped = false;
    t->bits = NULL;
    if (known != NULL) {
        t->is = *known;
    } else {
        t->is = (model){.dtype = desc->dtype, .rank = desc->rank};
        memcpy(t->is.shape, desc->shape, sizeof t->is.shape);
    }
    if (home->depth > 0 && home->scoped_count < WORLD_SCOPED)
        home->scoped[home->scoped_count++] = handle;
}

/* Whether it is too large to be made here, when a cut wants it, or a mean of its axes that have
 * nothing is, which a composition has on its way to an empty result. */
static bool is_too_large(const sinter_tensor_desc *desc)
{
    int64_t shape[SINTER_MAX_RANK];
    for (int i = 0; i < desc->rank; i++)
        shape[i] = desc->shape[i] == 0 ? 1 : desc->shape[i];
    int64_t count = model_count(desc->rank, shape);
    return count < 0 || count > WORLD_LARGEST;
}

static void take_result(world *w, int at, sinter_tensor handle, const model *known)
{
    sinter_tensor_desc desc = {.rank = 0};
    int64_t count = describe(w, handle, &desc);
    if (known != NULL && !is_as_said(known, &desc)) {
        (void)fprintf(stderr, "%s of %d axes, not %s of %d\n", sinter_dtype_name(desc.dtype),
                      desc.rank, sinter_dtype_name(known->dtype), known->rank);
        world_refute("a result of another dtype or shape", SINTER_OK);
    }
    w->may_lack_memory |= is_too_large(&desc);
    if (count >= 0 && count <= WORLD_LARGEST) {
        hold(w, at, handle, &desc, known);
        return;
    }
    sinter_status status = sinter_tensor_release(NULL, handle);
    if (status != SINTER_OK)
        world_refute("release of a huge tensor", status);
}

void world_made(world *w, int at, const char *call, sinter_status got, model_verdict verdict,
                standing of, sinter_tensor handle, const model *result)
{
    world_judge(w, call, got, verdict, of);
    if ((got == SINTER_OK) != (handle.id != 0))
        world_refute(call, got);
    if (got == SINTER_OK)
        take_result(w, at, handle, verdict == MODEL_OPEN ? NULL : result);
}

void world_hold(world *w, int at, sinter_tensor handle)
{
    take_result(w, at, handle, NULL);
}

tensor *world_find(world *w, sinter_tensor handle)
{
    for (size_t i = 0; i < w->held; i++) {
        if (w->tensors[i].handle.id == handle.id)
            return &w->tensors[i];
    }
    return NULL;
}

void world_forget(world *w, sinter_tensor handle)
{
    tensor *t = world_find(w, handle);
    if (t == NULL || --t->references > 0)
        return;
    w->dead[w->died++ % 8] = handle;
    free(t->bits);
    *t = w->tensors[--w->held];
}

/* Elements */

size_t world_bytes_of(const tensor *t)
{
    return (size_t)model_count(t->is.rank, t->is.shape) * sinter_dtype_bytes(t->is.dtype);
}

void world_compare(tensor *t, const void *data, size_t bytes)
{
    if (bytes == 0)
        return;
    if (t->is.known && !model_is(&t->is, data, bytes))
        world_refute("other elements", SINTER_OK);
    if (t->is.known)
        return;
    if (t->bits != NULL && memcmp(t->bits, data, bytes) != 0)
        world_refute("elements that have changed", SINTER_OK);
    if (t->bits == NULL && (t->bits = malloc(bytes)) != NULL)
        memcpy(t->bits, data, bytes);
}

sinter_stats world_stats(const world *w)
{
    sinter_stats stats = SINTER_STATS_INIT;
    sinter_status status = sinter_context_stats(w->ctx, &stats);
    if (status != SINTER_OK)
        world_refute("stats", status);
    if (w->budget > 0 && stats.cl_allocated_peak_bytes > w->budget)
        world_refute("more bytes than the budget", SINTER_OK);
    return stats;
}
