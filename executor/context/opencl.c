/* Sharing with a caller that uses OpenCL itself. What a handle is, the backend knows. */
#include "sinter/opencl.h"

#include "core/sized.h"
#include "executor/context/context.h"

SINTER__COLD sinter_status sinter_context_from_cl(struct _cl_context *context,
                                                  struct _cl_device_id *device,
                                                  const sinter_context_options *options,
                                                  sinter_context **out)
{
    const sinter__their_context theirs = {.context = context, .device = device};
    sinter__clear_error();
    if (out != NULL)
        *out = NULL;
    if (context == NULL || device == NULL || out == NULL)
        return sinter__fail(SINTER_EINVAL, "context_from_cl: an argument is NULL");
    sinter_status status = sinter__context_open(options, &theirs, out);
    return status == SINTER_OK ? status : sinter__fail_in(status, "context_from_cl");
}

static sinter_status check_device(const sinter__opened *on)
{
    if (on->backend->queue_adopt == NULL)
        return sinter__fail(SINTER_EUNSUPPORTED, "the device %.80s is none of OpenCL",
                            on->device.info.name);
    return SINTER_OK;
}

SINTER__COLD sinter_status sinter_stream_from_cl(sinter_context *ctx,
                                                 struct _cl_command_queue *queue,
                                                 const sinter_stream_options *options,
                                                 sinter_stream **out)
{
    sinter__clear_error();
    if (out != NULL)
        *out = NULL;
    if (ctx == NULL || queue == NULL || out == NULL)
        return sinter__fail(SINTER_EINVAL, "stream_from_cl: an argument is NULL");
    sinter_status status = sinter__stream_open(ctx, options, queue, out);
    return status == SINTER_OK ? status : sinter__fail_in(status, "stream_from_cl");
}

/* Everything but the buffer itself. */
static sinter_status check_tensor(const sinter_stream *s, const sinter_cl_memory *m,
                                  sinter_dtype dtype, int rank, const int64_t *shape)
{
    SINTER_TRY(check_device(s->on));
    if (!sinter__dtype_valid(dtype))
        return sinter__fail(SINTER_EDTYPE, "%d is no dtype", (int)dtype);
    if (dtype == SINTER_F64 && !s->on->limits.has_f64)
        return sinter__fail(SINTER_EDTYPE, "the device %.80s has no f64", s->on->device.info.name);
    SINTER_TRY(sinter__check_shape("the tensor", dtype, rank, shape));
    if (m->buffer == NULL)
        return sinter__fail(SINTER_EINVAL, "the buffer is NULL");
    if (m->access != SINTER_MAP_READ && m->access != SINTER_MAP_WRITE)
        return sinter__fail(SINTER_EINVAL, "%d is no access", (int)m->access);
    if (m->offset_bytes % sinter_dtype_bytes(dtype) != 0)
        return sinter__fail(SINTER_EINVAL, "offset %llu is no multiple of the %zu bytes of %s",
                            (unsigned long long)m->offset_bytes, sinter_dtype_bytes(dtype),
                            sinter_dtype_name(dtype));
    return SINTER_OK;
}

/* The wait for the event comes last: it cannot be undone. */
static sinter_status adopt_tensor(sinter_stream *s, const sinter_cl_memory *m, sinter_dtype dtype,
                                  const sinter__view *view, sinter_tensor *out)
{
    sinter__slot *slot;
    sinter__storage *storage;
    sinter_tensor handle;
    int64_t bytes = sinter__elements(view->rank, view->shape) * (int64_t)sinter_dtype_bytes(dtype);
    sinter__their_memory theirs = {.buffer = m->buffer,
                                   .offset_bytes = m->offset_bytes,
                                   .bytes = (uint64_t)bytes,
                                   .is_writable = m->access == SINTER_MAP_WRITE};
    if (s->mapped != NULL)
        return sinter__stream_busy(s, "the stream");
    SINTER_TRY(sinter__storage_adopt(s->pool, &theirs, &storage));
    sinter_status status = sinter__slot_open(s, &slot, &handle);
    if (status != SINTER_OK) {
        sinter__storage_release(storage);
        return status;
    }
    slot->dtype = (uint8_t)dtype;
    slot->view = *view;
    slot->storage = storage;
    if (m->after != NULL)
        status = s->on->backend->await(s->on->state, s->queue, m->after);
    if (status != SINTER_OK) {
        sinter__slot_destroy(s->ctx, s, slot);
        return status;
    }
    /* Others wait for it as for a launch, and for what the caller has put into its queue before. */
    if (m->after != NULL || s->their_queue != NULL)
        storage->written = ++s->progress.launched;
    *out = handle;
    return SINTER_OK;
}

SINTER__COLD sinter_status sinter_tensor_from_cl(sinter_stream *s, const sinter_cl_memory *memory,
                                                 sinter_dtype dtype, int rank, const int64_t *shape,
                                                 sinter_tensor *out)
{
    sinter_cl_memory m = SINTER_CL_MEMORY_INIT;
    sinter__clear_error();
    if (out != NULL)
        out->id = 0;
    if (s == NULL || memory == NULL || out == NULL)
        return sinter__fail(SINTER_EINVAL, "tensor_from_cl: an argument is NULL");
    SINTER_TRY(sinter__sized_take("tensor_from_cl: the memory", &m, sizeof m, memory));
    sinter_status status = check_tensor(s, &m, dtype, rank, shape);
    if (status == SINTER_OK) {
        sinter__view view = sinter__view_packed(rank, shape);
        SINTER_TRY(sinter__call_begin(s, "tensor_from_cl"));
        status = adopt_tensor(s, &m, dtype, &view, out);
        sinter__call_end(s);
    }
    return status == SINTER_OK ? status : sinter__fail_in(status, "tensor_from_cl");
}

static sinter_status hand_over(sinter_stream *s, sinter_tensor t, sinter_map_access access,
                               sinter_cl_place *place, struct _cl_event **event)
{
    sinter__address at;
    sinter__handed handed;
    sinter_cl_place full = SINTER_CL_PLACE_INIT;
    SINTER_TRY(check_device(s->on));
    if (access != SINTER_MAP_READ && access != SINTER_MAP_WRITE)
        return sinter__fail(SINTER_EINVAL, "%d is no access", (int)access);
    SINTER_TRY(sinter__sized_check("the place", place->size));
    SINTER_TRY(sinter__call_begin(s, "cl_release"));
    sinter_status status =
        sinter__mapping_hand_over(s, t, access, event != NULL, &at, &full.bytes, &handed);
    sinter__call_end(s);
    if (status != SINTER_OK)
        return status;
    full.buffer = handed.buffer;
    full.offset_bytes = at.offset_bytes;
    full.queue = handed.queue;
    if (event != NULL)
        *event = handed.event;
    sinter__sized_give(place, place->size, &full, sizeof full);
    return SINTER_OK;
}

SINTER__COLD sinter_status sinter_cl_release(sinter_stream *s, sinter_tensor t,
                                             sinter_map_access access, sinter_cl_place *place,
                                             struct _cl_event **event)
{
    sinter__clear_error();
    if (event != NULL)
        *event = NULL;
    if (s == NULL || place == NULL)
        return sinter__fail(SINTER_EINVAL, "cl_release: an argument is NULL");
    sinter_status status = hand_over(s, t, access, place, event);
    if (status != SINTER_OK)
        return sinter__fail_in(status, "cl_release");
    sinter__clear_error(); /* a cut may have failed: its results say so */
    return SINTER_OK;
}

SINTER__COLD sinter_status sinter_cl_acquire(sinter_stream *s, sinter_tensor t,
                                             struct _cl_event *event)
{
    sinter__clear_error();
    if (s == NULL)
        return sinter__fail(SINTER_EINVAL, "cl_acquire: the stream is NULL");
    SINTER_TRY(sinter__call_begin(s, "cl_acquire"));
    sinter_status status = sinter__mapping_take_back(s, t, event);
    sinter__call_end(s);
    return status == SINTER_OK ? status : sinter__fail_in(status, "cl_acquire");
}
