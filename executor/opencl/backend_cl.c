/* The OpenCL backend: what a device has to do, in calls of OpenCL. */
#include "executor/opencl/arguments.h"
#include "executor/opencl/build.h"
#include "executor/opencl/clblast.h"
#include "executor/opencl/foreign.h"
#include "executor/opencl/queue.h"
#include "executor/opencl/record.h"
#include "executor/opencl/widening.h"

#include <pthread.h>
#include <string.h>

#ifdef __SSE__
#    include <xmmintrin.h>
#else
#    include <fenv.h>
#endif

typedef struct state {
    const sinter__cl *cl;
    sinter__allocator *allocator;
    sinter__backend_counts *counts;
    cl_device_id device;
    cl_context context;
    bool has_given_context; /* it is the caller's */
    sinter__cl_builder builder;
    bool sub_buffers_apart;
    sinter__cl_queue_maker queues;
    sinter__cl_recorder recorder; /* where the device has recordings */
    atomic_uint_fast64_t serials;
    uint64_t alignment_bytes; /* of sub-buffers */
    pthread_mutex_t parts;    /* the sub-buffers of every memory */
    uint64_t warm[2];         /* of sinter__clblast_gemm */
} state;

static void count_created(state *s)
{
    atomic_fetch_add_explicit(&s->counts->created, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&s->counts->live, 1, memory_order_relaxed);
}

static void count_released(state *s)
{
    atomic_fetch_sub_explicit(&s->counts->live, 1, memory_order_relaxed);
}

typedef sinter__cl_memory memory;

/* A sub-buffer, which parts of the same bytes share. It keeps the buffer itself alive, so it goes when the memory
 * is given back: what was counted as free is free. */
typedef struct sinter__cl_part {
    memory *of; /* NULL: none */
    cl_mem buffer;
    uint64_t offset_bytes, bytes;
    struct sinter__cl_part *next;  /* of the same memory */
    struct sinter__cl_part **link; /* what points here */
} part;

static bool is_same(const part *a, const part *b)
{
    return a->of == b->of && a->offset_bytes == b->offset_bytes && a->bytes == b->bytes;
}

/* The next three with the lock of the parts held. Another part of those bytes; NULL: there is none. */
static const part *find_part(const part *wanted)
{
    const part *p = wanted->of->parts;
    while (p != NULL && !is_same(p, wanted))
        p = p->next;
    return p;
}

static void drop_part(state *s, part *p)
{
    if (p->of == NULL)
        return;
    *p->link = p->next;
    if (p->next != NULL)
        p->next->link = p->link;
    if (find_part(p) == NULL) {
        (void)s->cl->clReleaseMemObject(p->buffer);
        count_released(s);
    }
    *p = (part){0};
}

/* Makes `p` the bytes that are wanted, which it mostly is. */
static sinter_status take_part(state *s, part *p, const part *wanted)
{
    memory *m = wanted->of;
    const cl_buffer_region region = {(size_t)wanted->offset_bytes, (size_t)wanted->bytes};
    cl_int error = CL_SUCCESS;
    if (is_same(p, wanted))
        return SINTER_OK;
    drop_part(s, p);
    const part *same = find_part(wanted);
    cl_mem buffer = same != NULL
                        ? same->buffer
                        : s->cl->clCreateSubBuffer(
                              m->buffer, m->is_read_only ? CL_MEM_READ_ONLY : CL_MEM_READ_WRITE,
                              CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    if (error != CL_SUCCESS || buffer == NULL)
        return sinter__cl_fail("clCreateSubBuffer", error);
    if (same == NULL)
        count_created(s);
    *p = (part){m, buffer, wanted->offset_bytes, wanted->bytes, m->parts, &m->parts};
    if (m->parts != NULL)
        m->parts->link = &p->next;
    m->parts = p;
    return SINTER_OK;
}

static uint64_t next_serial(state *s)
{
    return atomic_fetch_add_explicit(&s->serials, 1, memory_order_relaxed) + 1;
}

static sinter_status memory_create(void *user, uint64_t bytes, void **out)
{
    state *s = user;
    memory *m = sinter__alloc(s->allocator, sizeof *m);
    *out = NULL;
    if (m == NULL)
        return SINTER_ENOMEM;
    cl_int error = CL_SUCCESS;
    m->serial = next_serial(s);
    m->buffer = s->cl->clCreateBuffer(s->context, CL_MEM_READ_WRITE, (size_t)bytes, NULL, &error);
    if (error != CL_SUCCESS || m->buffer == NULL) {
        sinter__free(s->allocator, m, sizeof *m);
        return sinter__cl_fail("clCreateBuffer", error);
    }
    count_created(s);
    *out = m;
    return SINTER_OK;
}

static void memory_forget(void *user, void *handle)
{
    state *s = user;
    memory *m = handle;
    (void)pthread_mutex_lock(&s->parts);
    while (m->parts != NULL)
        drop_part(s, m->parts);
    (void)pthread_mutex_unlock(&s->parts);
    sinter__free(s->allocator, m, sizeof *m);
}

static void memory_release(void *user, void *handle)
{
    state *s = user;
    cl_mem buffer = ((memory *)handle)->buffer;
    memory_forget(s, handle);
    (void)s->cl->clReleaseMemObject(buffer);
    count_released(s);
}

static sinter_status queue_create(void *user, bool timed, sinter_priority *priority, void **out)
{
    state *s = user;
    sinter__cl_queue *q;
    sinter_status status = sinter__cl_queue_create(&s->queues, timed, priority, &q);
    *out = q;
    for (int i = 0; status == SINTER_OK && i < sinter__cl_queue_objects(q); i++)
        count_created(s);
    return status;
}

static void queue_release(void *user, void *queue)
{
    state *s = user;
    for (int i = 0; i < sinter__cl_queue_objects(queue); i++)
        count_released(s);
    sinter__cl_queue_release(queue);
}

static sinter_status check(const char *call, cl_int error)
{
    return error == CL_SUCCESS ? SINTER_OK : sinter__cl_fail(call, error);
}

static sinter_status enqueue_write(const state *s, void *queue, sinter__address to,
                                   const void *data, uint64_t bytes, cl_bool waits)
{
    const memory *m = to.memory;
    return check("clEnqueueWriteBuffer",
                 s->cl->clEnqueueWriteBuffer(sinter__cl_queue_copy(queue, bytes), m->buffer, waits,
                                             (size_t)to.offset_bytes, (size_t)bytes, data, 0, NULL,
                                             NULL));
}

static sinter_status write_later(void *user, void *queue, sinter__address to, const void *data,
                                 uint64_t bytes)
{
    return enqueue_write(user, queue, to, data, bytes, CL_FALSE);
}

static sinter_status write_bytes(void *user, void *queue, sinter__address to, const void *data,
                                 uint64_t bytes)
{
    state *s = user;
    atomic_fetch_add_explicit(&s->counts->waits, 1, memory_order_relaxed);
    return enqueue_write(s, queue, to, data, bytes, CL_TRUE);
}

static sinter_status read_bytes(void *user, void *queue, sinter__address from, void *data,
                                uint64_t bytes)
{
    state *s = user;
    const memory *m = from.memory;
    atomic_fetch_add_explicit(&s->counts->waits, 1, memory_order_relaxed);
    SINTER_TRY(check("clEnqueueReadBuffer",
                     s->cl->clEnqueueReadBuffer(sinter__cl_queue_copy(queue, bytes), m->buffer,
                                                CL_TRUE, (size_t)from.offset_bytes, (size_t)bytes,
                                                data, 0, NULL, NULL)));
    sinter__cl_queue_done(queue);
    return SINTER_OK;
}

static sinter_status fill_bytes(void *user, void *queue, sinter__address to, uint64_t bytes,
                                uint8_t byte)
{
    state *s = user;
    const memory *m = to.memory;
    return check("clEnqueueFillBuffer",
                 s->cl->clEnqueueFillBuffer(sinter__cl_queue_later(queue), m->buffer, &byte,
                                            sizeof byte, (size_t)to.offset_bytes, (size_t)bytes, 0,
                                            NULL, NULL));
}

static sinter_status map_bytes(void *user, void *queue, sinter__address at, uint64_t bytes,
                               bool writes, void **data)
{
    state *s = user;
    const memory *m = at.memory;
    cl_map_flags flags = writes ? CL_MAP_READ | CL_MAP_WRITE : CL_MAP_READ;
    cl_int error = CL_SUCCESS;
    atomic_fetch_add_explicit(&s->counts->waits, 1, memory_order_relaxed);
    *data =
        s->cl->clEnqueueMapBuffer(sinter__cl_queue_at_once(queue), m->buffer, CL_TRUE, flags,
                                  (size_t)at.offset_bytes, (size_t)bytes, 0, NULL, NULL, &error);
    if (error == CL_SUCCESS && *data == NULL)
        error = CL_MAP_FAILURE;
    if (error == CL_SUCCESS)
        sinter__cl_queue_done(queue);
    return check("clEnqueueMapBuffer", error);
}

static sinter_status unmap_bytes(void *user, void *queue, sinter__address at, void *data)
{
    state *s = user;
    const memory *m = at.memory;
    return check("clEnqueueUnmapMemObject",
                 s->cl->clEnqueueUnmapMemObject(sinter__cl_queue_at_once(queue), m->buffer, data, 0,
                                                NULL, NULL));
}

static sinter_status flush_queue(void *user, void *queue)
{
    state *s = user;
    const sinter__cl_queue *q = queue;
    return s->queues.no_flush || q->is_idle ? SINTER_OK
                                            : check("clFlush", s->cl->clFlush(q->queue));
}

static sinter_status finish_queue(void *user, void *queue)
{
    state *s = user;
    sinter__cl_queue *q = queue;
    if (q->is_idle)
        return SINTER_OK;
    atomic_fetch_add_explicit(&s->counts->waits, 1, memory_order_relaxed);
    return sinter__cl_queue_wait(q);
}

/* Marks */

static void mark_release(void *user, void *mark)
{
    state *s = user;
    (void)s->cl->clReleaseEvent(mark);
    count_released(s);
}

static sinter_status mark_queue(void *user, void *queue, void **out)
{
    state *s = user;
    cl_command_queue later = sinter__cl_queue_later(queue);
    cl_event event = NULL;
    *out = NULL;
    SINTER_TRY(check("clEnqueueMarkerWithWaitList",
                     s->cl->clEnqueueMarkerWithWaitList(later, 0, NULL, &event)));
    count_created(s);
    sinter_status status = check("clFlush", s->cl->clFlush(later));
    if (status == SINTER_OK)
        *out = event;
    else
        mark_release(s, event);
    return status;
}

static sinter_status follow_mark(void *user, void *queue, void *mark)
{
    state *s = user;
    cl_event event = mark;
    return check(
        "clEnqueueBarrierWithWaitList",
        s->cl->clEnqueueBarrierWithWaitList(sinter__cl_queue_later(queue), 1, &event, NULL));
}

static sinter_status mark_done(void *user, void *mark, bool *done)
{
    state *s = user;
    cl_int reached = CL_QUEUED;
    cl_int error = s->cl->clGetEventInfo(mark, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof reached,
                                         &reached, NULL);
    *done = error == CL_SUCCESS && reached == CL_COMPLETE;
    if (error != CL_SUCCESS)
        return sinter__cl_fail("clGetEventInfo", error);
    return reached < 0 ? sinter__cl_fail("a mark in a command queue", reached) : SINTER_OK;
}

static sinter_status program_build(void *user, const char *source, void **out, sinter__buffer *log)
{
    state *s = user;
    cl_program program = NULL;
    sinter_status status = sinter__cl_build(&s->builder, source, &program, log);
    *out = program;
    if (status == SINTER_OK)
        count_created(s);
    return status;
}

static bool program_load(void *user, const void *binary, size_t bytes, void **out)
{
    state *s = user;
    cl_int error = CL_SUCCESS;
    cl_int binary_error = CL_SUCCESS;
    const unsigned char *text = binary;
    cl_program program = s->cl->clCreateProgramWithBinary(s->context, 1, &s->device, &bytes, &text,
                                                          &binary_error, &error);
    if (error != CL_SUCCESS || program == NULL)
        return false;
    if (binary_error != CL_SUCCESS ||
        s->cl->clBuildProgram(program, 1, &s->device, s->builder.options, NULL, NULL) !=
            CL_SUCCESS) {
        (void)s->cl->clReleaseProgram(program);
        return false;
    }
    count_created(s);
    *out = program;
    return true;
}

static bool program_binary(void *user, void *program, size_t front, uint8_t **out, size_t *bytes)
{
    state *s = user;
    size_t size = 0;
    if (s->cl->clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL) !=
            CL_SUCCESS ||
        size == 0 || size > SIZE_MAX - front)
        return false;
    *bytes = front + size;
    *out = sinter__alloc(s->allocator, *bytes);
    if (*out == NULL)
        return false;
    unsigned char *binary = *out + front;
    if (s->cl->clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL) ==
        CL_SUCCESS)
        return true;
    sinter__free(s->allocator, *out, *bytes);
    return false;
}

static void program_release(void *user, void *program)
{
    state *s = user;
    (void)s->cl->clReleaseProgram(program);
    count_released(s);
}

static sinter_status object_create(void *user, void *program, const char *name, void **out,
                                   uint32_t *max_group)
{
    state *s = user;
    cl_int error = CL_SUCCESS;
    cl_kernel kernel = s->cl->clCreateKernel(program, name, &error);
    *out = NULL;
    if (error != CL_SUCCESS || kernel == NULL) {
        (void)sinter__cl_fail("clCreateKernel", error);
        return error == CL_OUT_OF_HOST_MEMORY ? SINTER_ENOMEM : SINTER_EBUILD;
    }
    count_created(s);
    size_t group = 0;
    error = s->cl->clGetKernelWorkGroupInfo(kernel, s->device, CL_KERNEL_WORK_GROUP_SIZE,
                                            sizeof group, &group, NULL);
    *max_group =
        error == CL_SUCCESS ? (uint32_t)SINTER__MIN(group, (size_t)UINT32_MAX) : UINT32_MAX;
    *out = kernel;
    return SINTER_OK;
}

static void object_release(void *user, void *object)
{
    state *s = user;
    (void)s->cl->clReleaseKernel(object);
    count_released(s);
}

/* Rows into scratch memory, where other steps write too. */
static sinter_status store_rows(state *s, void *queue, const sinter__launch *l,
                                sinter__row_range rows, const sinter__operands *operands,
                                const sinter__memories *memories)
{
    sinter__rows_write(l, rows, operands, memories, operands->staged);
    return enqueue_write(s, queue, operands->scratch, operands->staged, sinter__rows_bytes(l, rows),
                         CL_FALSE);
}

/* Everything that the kernel of a list takes, its rows stored first where they are many. */
static sinter_status set_list(state *s, void *queue, sinter__launch *l, sinter__row_range rows,
                              const sinter__operands *operands, bool sent_any)
{
    const cl_uint taken = l->kernel->text.row_memories;
    sinter__memories memories = {.count = 0};
    l->object.rows = rows;
    l->object.placement = operands->placement;
    for (uint16_t i = 0; i < rows.count; i++)
        (void)sinter__memories_add(&memories, l->rows[rows.first + i], operands->tensors, taken);
    if (operands->staged != NULL)
        SINTER_TRY(store_rows(s, queue, l, rows, operands, &memories));
    return check("clSetKernelArg",
                 sinter__cl_set_list(s->cl, l, rows, operands, &memories, sent_any));
}

/* What the calling thread traps of floating-point exceptions, and the flags of those that it has seen: a kernel that it
 * runs must find no traps, and leave no flags. x86 has them twice, and kernels use those of SSE, which take 20 ns to
 * change; all together take 200. */
#ifdef __SSE__
typedef unsigned traps;

static void hold_traps(traps *callers)
{
    *callers = _mm_getcsr();
    _mm_setcsr(*callers | _MM_MASK_MASK);
}

static void give_traps_back(const traps *callers)
{
    _mm_setcsr(*callers);
}
#else
typedef fenv_t traps;

static void hold_traps(traps *callers)
{
    (void)feholdexcept(callers);
}

static void give_traps_back(const traps *callers)
{
    (void)fesetenv(callers);
}
#endif

static cl_int enqueue(const state *s, sinter__cl_queue *q, double work, cl_kernel kernel,
                      cl_uint dimensions, const size_t *global, const size_t *local,
                      cl_event *event)
{
    traps callers = {0};
    cl_event *kept;
    cl_command_queue to = sinter__cl_queue_launch(q, work, &kept);
    event = event != NULL ? event : kept;
    if (to == q->at_once) {
        atomic_fetch_add_explicit(&s->counts->at_once, 1, memory_order_relaxed);
        hold_traps(&callers);
    }
    cl_int error =
        s->cl->clEnqueueNDRangeKernel(to, kernel, dimensions, NULL, global, local, 0, NULL, event);
    if (to == q->at_once)
        give_traps_back(&callers);
    return error;
}

static sinter_status launch(void *user, void *queue, sinter__launch *l, sinter__row_range rows,
                            const sinter__operands *operands, void **out)
{
    state *s = user;
    bool sent_any = l->object.sent_any;
    bool params_sent = sent_any && l->params_sent;
    bool renews = l->row_count > 0 && operands->staged == NULL &&
                  operands->scratch.memory == NULL &&
                  sinter__rows_sent(l, rows, operands->placement);
    l->object.sent_any = false; /* what the kernel holds is not known before all is set */
    if (renews)
        SINTER_TRY(check("clSetKernelArg", sinter__cl_renew_list(s->cl, l, rows, operands)));
    else if (l->row_count > 0)
        SINTER_TRY(set_list(s, queue, l, rows, operands, sent_any));
    else
        SINTER_TRY(check("clSetKernelArg",
                         sinter__cl_set_arguments(s->cl, l, operands, sent_any, params_sent)));
    l->object.sent_any = l->params_sent = true;
    const sinter__geometry *g = &l->geometry;
    size_t global[3] = {g->global[0], g->global[1], g->global[2]};
    if (l->row_count > 0)
        global[0] = sinter__rows_items(l, rows);
    cl_event event = NULL;
    bool wider = s->queues.widens_alone &&
                 sinter__widening_begin(queue, s->cl, &l->kernel->widest,
                                        SINTER__MAX(SINTER__MAX(global[0], global[1]), global[2]));
    cl_int error = enqueue(s, queue, sinter__launch_work(l, rows), l->object.handle,
                           sinter__cl_dimensions(g), global, g->local, out != NULL ? &event : NULL);
    if (s->queues.widens_alone)
        sinter__widening_end(queue, s->cl, wider);
    if (out != NULL)
        *out = event;
    if (event != NULL)
        count_created(s);
    return check("clEnqueueNDRangeKernel", error);
}

/* Recordings */

SINTER__COLD static void recording_release(void *user, void *recording)
{
    state *s = user;
    (void)s->recorder.release(recording);
    count_released(s);
}

SINTER__COLD static sinter_status record(void *user, void *queue, sinter__launch *const *launches,
                                         size_t count, void **out)
{
    state *s = user;
    const sinter__cl_queue *q = queue;
    SINTER_TRY(sinter__cl_record(&s->recorder, q->queue, launches, count, out));
    count_created(s);
    return SINTER_OK;
}

/* Without an event, which costs Intel's runtime 10 us: what comes behind a recording is waited for
 * as all of the queue. */
static sinter_status replay(void *user, void *queue, void *recording, size_t count)
{
    state *s = user;
    (void)sinter__cl_queue_later(queue);
    SINTER_TRY(
        check("clEnqueueCommandBufferKHR", s->recorder.enqueue(0, NULL, recording, 0, NULL, NULL)));
    atomic_fetch_add_explicit(&s->counts->recorded, count, memory_order_relaxed);
    return SINTER_OK;
}

SINTER__COLD static bool event_end(void *user, void *event, sinter__event_times *times)
{
    state *s = user;
    cl_ulong ns[3] = {0};
    static const cl_profiling_info what[3] = {CL_PROFILING_COMMAND_QUEUED,
                                              CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END};
    bool known = true;
    for (int i = 0; i < 3 && known; i++)
        known = s->cl->clGetEventProfilingInfo(event, what[i], sizeof ns[i], &ns[i], NULL) ==
                CL_SUCCESS;
    (void)s->cl->clReleaseEvent(event);
    count_released(s);
    *times = (sinter__event_times){.queued_ns = ns[0], .start_ns = ns[1], .end_ns = ns[2]};
    return known && ns[0] <= ns[1] && ns[1] <= ns[2];
}

/* Matrix products by CLBlast */

/* The sub-buffers of a batch: three for each product, and the scratch. */
typedef struct kept_parts {
    size_t count;
    part all[];
} kept_parts;

static size_t kept_bytes(size_t count)
{
    return sizeof(kept_parts) + count * sizeof(part);
}

/* How far a matrix begins behind the place where a sub-buffer of it can. */
static uint64_t bytes_behind(const state *s, uint64_t offset_bytes)
{
    return offset_bytes % s->alignment_bytes;
}

/* That of all products of the batch: a storage is aligned, a matrix in it may not be, and one that is
 * not takes scratch of its own. */
static sinter_status gemm_scratch(void *user, void *queue, const sinter__gemm *gemm,
                                  uint64_t *bytes)
{
    const state *s = user;
    const uint64_t size = sinter_dtype_bytes(gemm->dtype);
    sinter__clblast_matrix matrices[3] = {{0}};
    for (int i = 0; i < 3; i++) {
        for (int64_t item = 0; item < gemm->items && matrices[i].offset == 0; item++)
            matrices[i].offset =
                bytes_behind(s, (uint64_t)sinter__gemm_offset(gemm, i, item) * size) / size;
    }
    return sinter__clblast_scratch(((const sinter__cl_queue *)queue)->queue, gemm, matrices, bytes);
}

/* The bytes of a matrix as a sub-buffer, and how far it begins behind that one's begin. */
static part matrix_bytes(const state *s, const sinter__gemm *gemm, int index, int64_t item,
                         const sinter__operands *operands, size_t *offset)
{
    const sinter__gemm_matrix *matrix = &gemm->matrix[index];
    const sinter__address *at = &operands->tensors[gemm->nest->accesses[matrix->access].tensor];
    const uint64_t size = sinter_dtype_bytes(gemm->dtype);
    uint64_t begin = at->offset_bytes + (uint64_t)sinter__gemm_offset(gemm, index, item) * size;
    uint64_t behind = bytes_behind(s, begin);
    *offset = (size_t)(behind / size);
    return (part){.of = at->memory,
                  .offset_bytes = begin - behind,
                  .bytes = behind + (uint64_t)sinter__gemm_span(matrix) * size};
}

/* Whether two of them share some of their bytes, and not all. */
static bool any_overlap(const part *parts, int count)
{
    bool found = false;
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < i; k++) {
            const part *a = &parts[i];
            const part *b = &parts[k];
            found |= a->of == b->of && !is_same(a, b) &&
                     a->offset_bytes < b->offset_bytes + b->bytes &&
                     b->offset_bytes < a->offset_bytes + a->bytes;
        }
    }
    return found;
}

/* A product between its sub-buffers. Where sub-buffers must not overlap, none outlives its product:
 * they are let go when it is done, and no other thread's are there in the meantime. */
static sinter_status run_gemm(state *s, void *queue, const sinter__gemm *x, part *const parts[4],
                              const part wanted[4], int count, sinter__clblast_matrix matrices[3],
                              bool *built)
{
    sinter_status status = SINTER_OK;
    (void)pthread_mutex_lock(&s->parts);
    for (int i = 0; i < count && status == SINTER_OK; i++) {
        status = take_part(s, parts[i], &wanted[i]);
        if (i < 3)
            matrices[i].buffer = parts[i]->buffer;
    }
    cl_mem scratch = count > 3 ? parts[3]->buffer : NULL;
    if (!s->sub_buffers_apart)
        (void)pthread_mutex_unlock(&s->parts);
    if (status == SINTER_OK)
        status = sinter__clblast_gemm(sinter__cl_queue_later(queue), x, matrices, scratch, s->warm,
                                      built);
    if (!s->sub_buffers_apart)
        return status;
    sinter_status finished = finish_queue(s, queue);
    for (int i = 0; i < count; i++)
        drop_part(s, parts[i]);
    (void)pthread_mutex_unlock(&s->parts);
    return status == SINTER_OK ? finished : status;
}

SINTER__COLD static sinter_status gemm(void *user, void *queue, const sinter__gemm *x, int64_t item,
                                       const sinter__operands *operands, void **kept, bool *built)
{
    state *s = user;
    sinter__clblast_matrix matrices[3];
    part wanted[4];
    size_t count = 3 * (size_t)x->items + 1;
    *built = false;
    if (*kept == NULL)
        *kept = sinter__alloc(s->allocator, kept_bytes(count));
    kept_parts *k = *kept;
    if (k == NULL)
        return SINTER_ENOMEM;
    k->count = count;
    part *own = &k->all[3 * item + 1];
    part *const parts[] = {&own[0], &own[1], &own[2], &k->all[0]};
    for (int i = 0; i < 3; i++)
        wanted[i] = matrix_bytes(s, x, i, item, operands, &matrices[i].offset);
    const sinter__address *scratch = &operands->scratch;
    wanted[3] = (part){.of = scratch->memory,
                       .offset_bytes = scratch->offset_bytes,
                       .bytes = operands->scratch_bytes};
    int wants = operands->scratch_bytes > 0 ? 4 : 3;
    if (s->sub_buffers_apart && any_overlap(wanted, wants))
        return sinter__fail(SINTER_EUNSUPPORTED,
                            "its matrices overlap, and sub-buffers of this driver must not");
    return run_gemm(s, queue, x, parts, wanted, wants, matrices, built);
}

static void gemm_end(void *user, void *kept)
{
    state *s = user;
    kept_parts *k = kept;
    (void)pthread_mutex_lock(&s->parts);
    for (size_t i = 0; i < k->count; i++)
        drop_part(s, &k->all[i]);
    (void)pthread_mutex_unlock(&s->parts);
    sinter__free(s->allocator, k, kept_bytes(k->count));
}

/* The caller's own objects */

static sinter__foreign foreign(const state *s)
{
    return (sinter__foreign){.cl = s->cl, .context = s->context, .device = s->device};
}

static sinter_status memory_adopt(void *user, sinter__their_memory *theirs, void **out)
{
    state *s = user;
    const sinter__foreign of = foreign(s);
    *out = NULL;
    SINTER_TRY(sinter__foreign_memory(&of, theirs));
    memory *m = sinter__alloc(s->allocator, sizeof *m);
    if (m == NULL)
        return SINTER_ENOMEM;
    m->serial = next_serial(s);
    m->is_read_only = !theirs->is_writable;
    m->buffer = theirs->buffer;
    *out = m;
    return SINTER_OK;
}

static sinter_status queue_adopt(void *user, void *theirs, void **out)
{
    state *s = user;
    const sinter__foreign of = foreign(s);
    sinter__cl_queue *q;
    *out = NULL;
    SINTER_TRY(sinter__foreign_queue(&of, theirs));
    sinter_status status = sinter__cl_queue_adopt(&s->queues, theirs, &q);
    *out = q;
    return status;
}

static void queue_forget(void *user, void *queue)
{
    (void)user;
    sinter__cl_queue_forget(queue);
}

/* Another queue can wait for the event only when it is on its way to the device. The event is theirs to
 * release, and not counted. */
static sinter_status hand_over(void *user, void *queue, void *handle, bool wants_event,
                               sinter__handed *out)
{
    state *s = user;
    const memory *m = handle;
    cl_event event = NULL;
    cl_command_queue lent = sinter__cl_queue_lend(queue);
    *out = (sinter__handed){.buffer = m != NULL ? m->buffer : NULL, .queue = lent};
    if (!wants_event)
        return SINTER_OK;
    SINTER_TRY(check("clEnqueueMarkerWithWaitList",
                     s->cl->clEnqueueMarkerWithWaitList(lent, 0, NULL, &event)));
    sinter_status status = s->queues.no_flush ? finish_queue(s, queue) : flush_queue(s, queue);
    if (status != SINTER_OK)
        (void)s->cl->clReleaseEvent(event);
    else
        out->event = event;
    return status;
}

static sinter_status await(void *user, void *queue, void *theirs)
{
    const state *s = user;
    const sinter__foreign of = foreign(s);
    cl_event event = theirs;
    SINTER_TRY(sinter__foreign_event(&of, event));
    return check(
        "clEnqueueBarrierWithWaitList",
        s->cl->clEnqueueBarrierWithWaitList(sinter__cl_queue_later(queue), 1, &event, NULL));
}

static void close_state(void *user)
{
    state *s = user;
    if (s->warm[0] != 0 || s->warm[1] != 0)
        sinter__clblast_forget();
    (void)pthread_mutex_destroy(&s->parts);
    if (!s->has_given_context) {
        (void)s->cl->clReleaseContext(s->context);
        count_released(s);
    }
    sinter__free(s->allocator, s, sizeof *s);
}

static const sinter__backend backend_cl = {
    .memory_create = memory_create,
    .memory_release = memory_release,
    .queue_create = queue_create,
    .queue_release = queue_release,
    .write = write_bytes,
    .write_later = write_later,
    .read = read_bytes,
    .fill = fill_bytes,
    .map = map_bytes,
    .unmap = unmap_bytes,
    .flush = flush_queue,
    .finish = finish_queue,
    .mark = mark_queue,
    .follow = follow_mark,
    .mark_done = mark_done,
    .mark_release = mark_release,
    .program_build = program_build,
    .program_release = program_release,
    .program_load = program_load,
    .program_binary = program_binary,
    .object_create = object_create,
    .object_release = object_release,
    .launch = launch,
    .argument_words = sinter__cl_argument_words,
    .arguments = sinter__cl_arguments,
    .record = record,
    .replay = replay,
    .recording_release = recording_release,
    .event_end = event_end,
    .gemm_scratch = gemm_scratch,
    .gemm = gemm,
    .gemm_end = gemm_end,
    .queue_adopt = queue_adopt,
    .queue_forget = queue_forget,
    .memory_adopt = memory_adopt,
    .memory_forget = memory_forget,
    .hand_over = hand_over,
    .await = await,
    .close = close_state,
};

sinter_status sinter__backend_cl_open(const sinter__device *device, sinter__allocator *a,
                                      sinter__backend_counts *counts,
                                      const sinter__backend **backend, void **out)
{
    cl_int error = CL_SUCCESS;
    const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                                (cl_context_properties)device->platform, 0};
    *out = NULL;
    state *s = sinter__alloc(a, sizeof *s);
    if (s == NULL)
        return SINTER_ENOMEM;
    s->cl = device->cl;
    s->allocator = a;
    s->counts = counts;
    s->device = device->id;
    s->sub_buffers_apart = device->sub_buffers_apart;
    s->alignment_bytes = device->info.alignment_bytes;
    atomic_init(&s->serials, 0);
    s->has_given_context = device->given != NULL;
    s->context = device->given;
    if (!s->has_given_context)
        s->context = s->cl->clCreateContext(properties, 1, &device->id, NULL, NULL, &error);
    if (error != CL_SUCCESS || s->context == NULL) {
        sinter__free(a, s, sizeof *s);
        return sinter__cl_fail("clCreateContext", error);
    }
    sinter__cl_builder_init(&s->builder, device, a, s->context);
    s->queues = (sinter__cl_queue_maker){.cl = s->cl,
                                         .allocator = a,
                                         .context = s->context,
                                         .device = s->device,
                                         .takes_priorities = device->info.has_priority_hints != 0,
                                         .widens_alone = device->widens_alone,
                                         .no_flush = device->no_flush,
                                         .limits = &device->limits};
    s->recorder = device->recorder;
    (void)pthread_mutex_init(&s->parts, NULL);
    if (!s->has_given_context)
        count_created(s);
    *backend = &backend_cl;
    *out = s;
    return SINTER_OK;
}
