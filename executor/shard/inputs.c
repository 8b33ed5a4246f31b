/* What the streams of a shard get of its inputs. All slices come first and are run together, so that a copy to
 * another device waits for nothing that this run launches. */
#include "executor/shard/shard.h"

#include "sinter/array.h"
#include "sinter/stream.h"
#include "sinter/tensor.h"

sinter_status sinter__shard_axis(const char *what, size_t index, int32_t axis, int rank, int *out)
{
    *out = axis < 0 ? axis + rank : axis;
    if (*out >= 0 && *out < rank)
        return SINTER_OK;
    return sinter__fail(SINTER_ERANGE, "%s %zu: axis %d of a tensor with %d", what, index,
                        (int)axis, rank);
}

sinter_status sinter__shard_rows(const sinter__shard_run *r, int64_t *out)
{
    size_t by = r->input_count; /* the first input that is split */
    for (size_t i = 0; i < r->input_count; i++) {
        const sinter_shard_input *in = &r->inputs[i];
        sinter_tensor_desc desc;
        int axis;
        SINTER_TRY(sinter_tensor_describe(r->shard->ctx, in->tensor, &desc));
        if ((in->flags & ~SINTER_SHARD_KEEP) != 0)
            return sinter__fail(SINTER_EINVAL, "input %zu: flags %#x", i, (unsigned)in->flags);
        if (in->axis == SINTER_SHARD_WHOLE)
            continue;
        SINTER_TRY(sinter__shard_axis("input", i, in->axis, desc.rank, &axis));
        if (by == r->input_count) {
            by = i;
            *out = desc.shape[axis];
        }
        if (desc.shape[axis] != *out)
            return sinter__fail(SINTER_ESHAPE, "input %zu has %lld rows, input %zu has %lld", i,
                                (long long)desc.shape[axis], by, (long long)*out);
    }
    if (by == r->input_count)
        return sinter__fail(SINTER_EINVAL, "none of the %zu inputs is split", r->input_count);
    return SINTER_OK;
}

/* The device that has the tensor, or will have it. */
static sinter_status find_device(sinter_shard *shard, sinter_tensor t, const sinter__opened **out)
{
    sinter__slot *slot;
    sinter_stream *home;
    SINTER_TRY(sinter__home_lock(shard->ctx, t, &slot, &home));
    *out = shard->streams[shard->root]->on;
    if (home != NULL)
        *out = home->on;
    else if (slot->storage != NULL)
        *out = sinter__device_of(shard->streams[shard->root], slot->storage);
    sinter__home_unlock(shard->ctx, home);
    return SINTER_OK;
}

/* The stream with which the tensor is sliced: of its device, the root or the first; the root when none is. */
static sinter_status find_slicer(sinter_shard *shard, sinter_tensor t, size_t *out)
{
    const sinter__opened *on;
    SINTER_TRY(find_device(shard, t, &on));
    *out = shard->root;
    for (size_t k = 0; k < shard->count && shard->streams[*out]->on != on; k++) {
        if (shard->streams[k]->on == on)
            *out = k;
    }
    return SINTER_OK;
}

static sinter__kept *kept_of(const sinter__shard_run *r, size_t i, size_t k)
{
    return &r->shard->kept[i * r->shard->count + k];
}

static sinter_tensor *part_of(const sinter__shard_run *r, size_t i, size_t k)
{
    return &r->parts[k * r->input_count + i];
}

/* Whether a part that was kept has no value: then it is brought anew. */
static bool has_failed(const sinter_shard *shard, sinter_tensor part)
{
    sinter__slot *slot;
    sinter_stream *home;
    if (sinter__home_lock(shard->ctx, part, &slot, &home) != SINTER_OK)
        return true;
    bool failed = slot->failure != NULL;
    sinter__home_unlock(shard->ctx, home);
    return failed;
}

/* One axis has one number, however the caller counts it. */
static int32_t axis_of(const sinter__shard_run *r, size_t i)
{
    const sinter_shard_input *in = &r->inputs[i];
    sinter_tensor_desc desc;
    bool is_plain = in->axis >= 0 || in->axis == SINTER_SHARD_WHOLE;
    if (is_plain || sinter_tensor_describe(r->shard->ctx, in->tensor, &desc) != SINTER_OK)
        return in->axis;
    return in->axis + desc.rank;
}

static bool is_kept(const sinter__shard_run *r, size_t i, size_t k)
{
    const sinter__kept *kept = kept_of(r, i, k);
    bool whole = r->inputs[i].axis == SINTER_SHARD_WHOLE;
    return kept->part.id != 0 && kept->source.id == r->inputs[i].tensor.id &&
           (r->inputs[i].flags & SINTER_SHARD_KEEP) != 0 && kept->axis == axis_of(r, i) &&
           kept->first == (whole ? 0 : r->first[k]) && kept->rows == (whole ? -1 : r->rows[k]) &&
           !has_failed(r->shard, kept->part);
}

static void forget(sinter_shard *shard, sinter__kept *kept)
{
    sinter__release_quietly(shard->streams[shard->root], kept->part);
    kept->part.id = 0;
}

void sinter__shard_forget(sinter_shard *shard)
{
    size_t count = shard->kept_inputs * shard->count;
    for (size_t i = 0; i < count; i++)
        forget(shard, &shard->kept[i]);
    sinter__free(&shard->ctx->allocator, shard->kept, count * sizeof *shard->kept);
    shard->kept = NULL;
    shard->kept_inputs = 0;
}

static sinter_status take_places(sinter__shard_run *r)
{
    sinter_shard *shard = r->shard;
    if (shard->kept_inputs == r->input_count)
        return SINTER_OK;
    sinter__shard_forget(shard);
    shard->kept =
        sinter__alloc(&shard->ctx->allocator, r->input_count * shard->count * sizeof *shard->kept);
    if (shard->kept == NULL)
        return SINTER_ENOMEM;
    shard->kept_inputs = r->input_count;
    return SINTER_OK;
}

/* What is kept, or a reference to the input, or the part of it on the slicer's stream. */
static sinter_status slice(sinter__shard_run *r, size_t i, size_t k, size_t slicer)
{
    sinter_shard *shard = r->shard;
    const sinter_shard_input *in = &r->inputs[i];
    sinter_tensor *part = part_of(r, i, k);
    bool is_there = is_kept(r, i, k);
    if (!is_there)
        forget(shard, kept_of(r, i, k));
    if (is_there || in->axis == SINTER_SHARD_WHOLE) {
        sinter_tensor t = is_there ? kept_of(r, i, k)->part : in->tensor;
        SINTER_TRY(sinter_tensor_retain(shard->ctx, t));
        *part = t;
        return SINTER_OK;
    }
    return sinter_slice(shard->streams[slicer], in->tensor, in->axis, r->first[k],
                        r->first[k] + r->rows[k], 1, part);
}

/* The part comes to the stream's own device; the whole, once to each device. */
static sinter_status bring(sinter__shard_run *r, size_t i, size_t k)
{
    sinter_shard *shard = r->shard;
    sinter_tensor *part = part_of(r, i, k);
    const sinter__opened *on;
    if (is_kept(r, i, k))
        return SINTER_OK;
    SINTER_TRY(find_device(shard, *part, &on));
    if (on == shard->streams[k]->on)
        return SINTER_OK;
    sinter_tensor there = {0};
    for (size_t j = 0; j < k && there.id == 0; j++) {
        bool same = r->inputs[i].axis == SINTER_SHARD_WHOLE && sinter__shard_has(r, j) &&
                    shard->streams[j]->on == shard->streams[k]->on;
        if (same)
            there = *part_of(r, i, j);
    }
    if (there.id != 0)
        SINTER_TRY(sinter_tensor_retain(shard->ctx, there));
    else
        SINTER_TRY(sinter_tensor_to(shard->streams[k], *part, &there));
    sinter__release_quietly(shard->streams[shard->root], *part);
    *part = there;
    return SINTER_OK;
}

static sinter_status keep(sinter__shard_run *r, size_t i, size_t k)
{
    const sinter_shard_input *in = &r->inputs[i];
    bool whole = in->axis == SINTER_SHARD_WHOLE;
    sinter_tensor part = *part_of(r, i, k);
    if ((in->flags & SINTER_SHARD_KEEP) == 0 || is_kept(r, i, k) || part.id == in->tensor.id)
        return SINTER_OK;
    SINTER_TRY(sinter_tensor_retain(r->shard->ctx, part));
    *kept_of(r, i, k) = (sinter__kept){.source = in->tensor,
                                       .axis = axis_of(r, i),
                                       .first = whole ? 0 : r->first[k],
                                       .rows = whole ? -1 : r->rows[k],
                                       .part = part};
    return SINTER_OK;
}

static sinter_status deal(sinter__shard_run *r)
{
    sinter_shard *shard = r->shard;
    bool slices[SINTER_MAX_SHARDS] = {false};
    for (size_t i = 0; i < r->input_count; i++) {
        size_t slicer;
        SINTER_TRY(find_slicer(shard, r->inputs[i].tensor, &slicer));
        for (size_t k = 0; k < shard->count; k++) {
            if (!sinter__shard_has(r, k))
                continue;
            slices[slicer] |= k != slicer;
            SINTER_TRY(slice(r, i, k, slicer));
        }
    }
    for (size_t k = 0; k < shard->count; k++) {
        if (slices[k])
            SINTER_TRY(sinter_stream_flush(shard->streams[k]));
    }
    for (size_t i = 0; i < r->input_count; i++) {
        for (size_t k = 0; k < shard->count; k++) {
            if (sinter__shard_has(r, k))
                SINTER_TRY(bring(r, i, k));
        }
        for (size_t k = 0; k < shard->count; k++) {
            if (sinter__shard_has(r, k))
                SINTER_TRY(keep(r, i, k));
        }
    }
    return SINTER_OK;
}

/* What is made here is in no scope of the caller's: it may be kept for longer. */
sinter_status sinter__shard_deal(sinter__shard_run *r)
{
    sinter_shard *shard = r->shard;
    size_t scopes[SINTER_MAX_SHARDS] = {0};
    SINTER_TRY(take_places(r));
    for (size_t k = 0; k < shard->count; k++) {
        scopes[k] = shard->streams[k]->scopes.depth;
        shard->streams[k]->scopes.depth = 0;
    }
    sinter_status status = deal(r);
    for (size_t k = 0; k < shard->count; k++)
        shard->streams[k]->scopes.depth = scopes[k];
    return status;
}
