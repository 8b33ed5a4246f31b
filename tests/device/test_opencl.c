/* Beside a program that calls OpenCL itself: its context, queue and buffers in sinter's hands, sinter's tensors
 * in the hands of its kernels. On the OpenCL library for tests, which counts what is made and released. */
#include "support/support.h"

#include "executor/opencl/cl.h"
#include "support/cl_layer.h"
#include <sinter/opencl.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT 48
#define BYTES (COUNT * sizeof(float))
#define OFFSET 16 /* elements before a tensor in a buffer, and as many behind it */
#define WHOLE (COUNT + 2 * OFFSET)

static const int64_t shape[] = {COUNT};
static const char source[] =
    "__kernel void twice(__global float *x, uint first) { x[first + get_global_id(0)] *= 2.0f; }";

/* The other program. */
typedef struct program {
    const sinter__cl *cl;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue, other; /* both in order */
    cl_program built;
    cl_kernel twice;
} program;

static program p;

#define CL(call) assert_int_equal((call), CL_SUCCESS)

static int start(void **state)
{
    (void)state;
    cl_platform_id platform;
    cl_int error;
    const char *text = source;
    p.cl = sinter__cl_load(NULL);
    if (p.cl == NULL)
        return 0;
    CL(p.cl->clGetPlatformIDs(1, &platform, NULL));
    CL(p.cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &p.device, NULL));
    p.context = p.cl->clCreateContext(NULL, 1, &p.device, NULL, NULL, &error);
    CL(error);
    p.queue = p.cl->clCreateCommandQueue(p.context, p.device, 0, &error);
    CL(error);
    p.other = p.cl->clCreateCommandQueue(p.context, p.device, 0, &error);
    CL(error);
    p.built = p.cl->clCreateProgramWithSource(p.context, 1, &text, NULL, &error);
    CL(error);
    CL(p.cl->clBuildProgram(p.built, 1, &p.device, "", NULL, NULL));
    p.twice = p.cl->clCreateKernel(p.built, "twice", &error);
    CL(error);
    return 0;
}

static void release_queue(cl_command_queue queue)
{
    CL(p.cl->clFinish(queue));
    CL(p.cl->clReleaseCommandQueue(queue));
}

/* Each of its objects is there still, once. */
static int end(void **state)
{
    (void)state;
    if (p.cl == NULL)
        return 0;
    assert_int_equal(test_cl_layer()->live(), 5);
    CL(p.cl->clReleaseKernel(p.twice));
    CL(p.cl->clReleaseProgram(p.built));
    release_queue(p.queue);
    release_queue(p.other);
    CL(p.cl->clReleaseContext(p.context));
    assert_int_equal(test_cl_layer()->mistakes(), 0);
    return 0;
}

static void values(float *out, float first)
{
    for (int i = 0; i < WHOLE; i++)
        out[i] = first + (float)i;
}

static cl_mem make_buffer(cl_context context, cl_mem_flags flags)
{
    float data[WHOLE];
    cl_int error;
    cl_mem buffer = p.cl->clCreateBuffer(context, flags, sizeof data, NULL, &error);
    CL(error);
    values(data, 0.0f);
    CL(p.cl->clEnqueueWriteBuffer(p.queue, buffer, CL_TRUE, 0, sizeof data, data, 0, NULL, NULL));
    CL(p.cl->clFinish(
        p.queue)); /* without it the data are copied, and not yet there for other queues */
    return buffer;
}

static void assert_holds(cl_command_queue queue, cl_mem buffer, uint64_t offset_bytes,
                         const float *wanted, size_t count, const cl_event *after)
{
    float data[WHOLE];
    CL(p.cl->clEnqueueReadBuffer(queue, buffer, CL_TRUE, (size_t)offset_bytes, count * sizeof *data,
                                 data, after != NULL ? 1 : 0, after, NULL));
    for (size_t i = 0; i < count; i++)
        assert_true(data[i] == wanted[i]);
}

/* Its kernel, on what sinter has lent. */
static void launch_twice(cl_command_queue queue, const sinter_cl_place *place,
                         const cl_event *after, cl_event *event)
{
    const size_t global = COUNT;
    const size_t local = 1;
    const cl_uint first = (cl_uint)(place->offset_bytes / sizeof(float));
    assert_int_equal(place->bytes, BYTES);
    assert_int_equal(place->offset_bytes % sizeof(float), 0);
    CL(p.cl->clSetKernelArg(p.twice, 0, sizeof place->buffer, &place->buffer));
    CL(p.cl->clSetKernelArg(p.twice, 1, sizeof first, &first));
    CL(p.cl->clEnqueueNDRangeKernel(queue, p.twice, 1, NULL, &global, &local, after != NULL ? 1 : 0,
                                    after, event));
}

static void count_event(void *user, const sinter_trace_event *event)
{
    assert_int_equal(event->size, sizeof *event);
    ++*(uint64_t *)user;
}

static uint64_t traced; /* events */

/* Over its context, and over its queue. */
static test_device open_as(bool over_queue, bool is_traced)
{
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    test_device d = {0};
    options.log_fn = test_log;
    options.trace_fn = is_traced ? count_event : NULL;
    options.trace_user = &traced;
    OK(sinter_context_from_cl(p.context, p.device, &options, &d.ctx));
    OK(over_queue ? sinter_stream_from_cl(d.ctx, p.queue, NULL, &d.s)
                  : sinter_stream_create(d.ctx, NULL, &d.s));
    return d;
}

static test_device open_over(bool over_queue)
{
    return open_as(over_queue, false);
}

static sinter_cl_memory part_of(cl_mem buffer, sinter_map_access access)
{
    sinter_cl_memory m = SINTER_CL_MEMORY_INIT;
    m.buffer = buffer;
    m.access = access;
    m.offset_bytes = OFFSET * sizeof(float);
    return m;
}

static sinter_tensor take(const test_device *d, cl_mem buffer, sinter_map_access access)
{
    const sinter_cl_memory m = part_of(buffer, access);
    sinter_tensor t;
    OK(sinter_tensor_from_cl(d->s, &m, SINTER_F32, 1, shape, &t));
    return t;
}

#define NEEDS_OPENCL                                                                               \
    if (p.cl == NULL) {                                                                            \
        print_message("skipped: the device is none of OpenCL\n");                                  \
        skip();                                                                                    \
    }

static void what_is_theirs_stays_theirs(void **state)
{
    (void)state;
    NEEDS_OPENCL
    for (int over_queue = 0; over_queue < 2; over_queue++) {
        uint64_t before = test_cl_layer()->live();
        test_device d = open_over(over_queue != 0);
        sinter_tensor x = test_floats(&d, 1, shape, NULL);
        sinter_tensor y;
        float out[COUNT];
        OK(sinter_report_begin(d.s)); /* wants a queue that measures: not in the place of theirs */
        OK(sinter_neg(d.s, x, &y));
        test_read(&d, y, out, COUNT);
        assert_true(out[0] == 2.0f);
        assert_non_null(strstr(test_report(&d), "launches 1"));
        test_release(&d, x);
        test_release(&d, y);
        test_close(&d);
        assert_int_equal(test_cl_layer()->live(), before);
    }
}

/* A queue is for one stream at a time. */
static void a_queue_is_for_one_stream(void **state)
{
    (void)state;
    NEEDS_OPENCL
    sinter_stream *s;
    sinter_stream *beside;
    uint64_t before = test_cl_layer()->live();
    test_device d = open_over(true);
    FAILS(SINTER_EBUSY, sinter_stream_from_cl(d.ctx, p.queue, NULL, &s));
    assert_string_equal(sinter_last_error(), "stream_from_cl: stream 1 has the queue");
    assert_null(s);
    OK(sinter_stream_from_cl(d.ctx, p.other, NULL, &beside));
    OK(sinter_stream_create(d.ctx, NULL, &s));
    OK(sinter_stream_destroy(d.s));
    OK(sinter_stream_from_cl(d.ctx, p.queue, NULL, &d.s));
    OK(sinter_stream_destroy(s));
    OK(sinter_stream_destroy(beside));
    test_close(&d);
    assert_int_equal(test_cl_layer()->live(), before);
}

/* Read where it lies, counted as theirs, and not written. */
static void a_tensor_in_their_buffer(void **state)
{
    (void)state;
    NEEDS_OPENCL
    float whole[WHOLE];
    float out[COUNT];
    sinter_tensor y;
    sinter_memory_need need = SINTER_MEMORY_NEED_INIT;
    cl_mem buffer = make_buffer(p.context, CL_MEM_READ_ONLY);
    test_device d = open_over(false);
    sinter_tensor x = take(&d, buffer, SINTER_MAP_READ);
    sinter_stats stats = test_stats(&d);
    assert_int_equal(stats.caller_bytes, BYTES);
    assert_int_equal(stats.pool_bytes, 0);
    assert_int_equal(stats.cl_allocated_bytes, 0);
    test_read(&d, x, out, COUNT);
    assert_true(out[0] == (float)OFFSET && out[COUNT - 1] == (float)(OFFSET + COUNT - 1));
    OK(sinter_neg(d.s, x, &y));
    test_release(&d,
                 x); /* dead after the launch: its memory may not be the result's all the same */
    OK(sinter_stream_memory_need(d.s, &need));
    assert_int_equal(need.held_bytes, 0);
    assert_int_equal(need.result_bytes, BYTES);
    test_read(&d, y, out, COUNT);
    assert_true(out[0] == -(float)OFFSET);
    assert_int_equal(test_stats(&d).donations, 0);
    assert_int_equal(test_stats(&d).caller_bytes, 0);
    values(whole, 0.0f);
    assert_holds(p.queue, buffer, 0, whole, WHOLE, NULL);
    test_release(&d, y);
    test_close(&d);
    CL(p.cl->clReleaseMemObject(buffer));
}

/* A state of theirs is changed in place where they allow it, copied where not. */
static void in_place_where_allowed(void **state)
{
    (void)state;
    NEEDS_OPENCL
    for (int allowed = 0; allowed < 2; allowed++) {
        float whole[WHOLE];
        sinter_tensor y;
        sinter_cl_place place = SINTER_CL_PLACE_INIT;
        const sinter_range range = {.axis = 0, .start = 0, .stop = 2, .step = 1};
        cl_mem buffer = make_buffer(p.context, CL_MEM_READ_WRITE);
        test_device d = open_over(true);
        sinter_tensor x = take(&d, buffer, allowed ? SINTER_MAP_WRITE : SINTER_MAP_READ);
        sinter_tensor value = test_floats(&d, 1, (int64_t[]){2}, (float[]){-1, -2});
        OK(sinter_update(d.s, x, 1, &range, value, &y));
        test_release(&d, x);
        OK(sinter_cl_release(d.s, y, SINTER_MAP_READ, &place, NULL));
        bool in_place = allowed && test_reuses();
        assert_true((place.buffer == buffer) == in_place);
        values(whole, 0.0f);
        if (in_place) {
            whole[OFFSET] = -1;
            whole[OFFSET + 1] = -2;
        }
        assert_holds(p.queue, buffer, 0, whole, WHOLE, NULL);
        OK(sinter_cl_acquire(d.s, y, NULL));
        test_release(&d, value);
        test_release(&d, y);
        test_close(&d);
        CL(p.cl->clReleaseMemObject(buffer));
    }
}

/* Its kernels change a tensor between operations, in the stream's queue or beside it; the host waits for
 * nothing. */
static void their_kernels_in_between(void **state)
{
    (void)state;
    NEEDS_OPENCL
    for (int kind = 0; kind < 8; kind++) {
        bool theirs = (kind & 1) != 0; /* the memory */
        bool beside = (kind & 2) != 0; /* the kernel's queue */
        uint64_t events = traced;
        float out[COUNT];
        sinter_tensor y;
        sinter_tensor z;
        cl_event before = NULL;
        cl_event after = NULL;
        sinter_cl_place place = SINTER_CL_PLACE_INIT;
        cl_mem buffer = make_buffer(p.context, CL_MEM_READ_WRITE);
        test_device d = open_as(!beside, (kind & 4) != 0);
        sinter_tensor x =
            theirs ? take(&d, buffer, SINTER_MAP_WRITE) : test_floats(&d, 1, shape, NULL);
        test_read(&d, x, out, COUNT);
        float x7 = out[7];
        uint64_t waits = test_stats(&d).host_waits;
        OK(sinter_add_scalar(d.s, x, 1.0, &y));
        OK(sinter_cl_release(d.s, x, SINTER_MAP_WRITE, &place, beside ? &before : NULL));
        assert_true((place.buffer == buffer) == theirs);
        assert_true((place.queue == p.queue) == !beside);
        launch_twice(beside ? p.other : place.queue, &place, beside ? &before : NULL,
                     beside ? &after : NULL);
        if (beside)
            CL(p.cl->clFlush(p.other));
        OK(sinter_cl_acquire(d.s, x, after));
        OK(sinter_add_scalar(d.s, x, 100.0, &z));
        if (!beside) /* a slab is made for y: one wait; some drivers may not be flushed */
            assert_true(test_stats(&d).host_waits - waits <= 1);
        test_read(&d, y, out, COUNT);
        assert_true(out[7] == x7 + 1.0f);
        test_read(&d, z, out, COUNT);
        assert_true(out[7] == 2.0f * x7 + 100.0f);
        test_release(&d, x);
        test_release(&d, y);
        test_release(&d, z);
        test_close(&d);
        assert_true((traced > events) == ((kind & 4) != 0));
        if (beside) {
            CL(p.cl->clReleaseEvent(before));
            CL(p.cl->clReleaseEvent(after));
        }
        CL(p.cl->clReleaseMemObject(buffer));
    }
}

/* What comes after an event of theirs. */
static void after_their_event(void **state)
{
    (void)state;
    NEEDS_OPENCL
    static float data[WHOLE];
    float out[COUNT];
    cl_event written;
    sinter_tensor x;
    sinter_tensor y;
    cl_mem buffer = make_buffer(p.context, CL_MEM_READ_WRITE);
    test_device d = open_over(false);
    sinter_cl_memory m = part_of(buffer, SINTER_MAP_READ);
    values(data, 500.0f);
    CL(p.cl->clEnqueueWriteBuffer(p.other, buffer, CL_FALSE, 0, sizeof data, data, 0, NULL,
                                  &written));
    CL(p.cl->clFlush(p.other));
    m.after = written;
    OK(sinter_tensor_from_cl(d.s, &m, SINTER_F32, 1, shape, &x));
    OK(sinter_neg(d.s, x, &y));
    test_read(&d, y, out, COUNT);
    assert_true(out[0] == -500.0f - (float)OFFSET);
    test_release(&d, x);
    test_release(&d, y);
    test_close(&d);
    CL(p.cl->clReleaseEvent(written));
    CL(p.cl->clReleaseMemObject(buffer));
}

/* While they have it nobody else does; with their own buffer the rest goes on. */
static void away_is_away(void **state)
{
    (void)state;
    NEEDS_OPENCL
    for (int theirs = 0; theirs < 2; theirs++) {
        float out[COUNT];
        void *data;
        size_t bytes;
        sinter_stream *other;
        sinter_tensor y;
        sinter_tensor z = {0};
        sinter_cl_place place = SINTER_CL_PLACE_INIT;
        cl_mem buffer = make_buffer(p.context, CL_MEM_READ_WRITE);
        test_device d = open_over(true);
        OK(sinter_stream_create(d.ctx, NULL, &other));
        sinter_tensor x =
            theirs ? take(&d, buffer, SINTER_MAP_WRITE) : test_floats(&d, 1, shape, NULL);
        y = test_floats(&d, 1, shape, NULL);
        OK(sinter_cl_release(d.s, x, SINTER_MAP_WRITE, &place, NULL));
        FAILS(SINTER_EBUSY, sinter_cl_release(d.s, x, SINTER_MAP_READ, &place, NULL));
        FAILS(SINTER_EBUSY, sinter_neg(d.s, x, &z));
        FAILS(SINTER_EBUSY, sinter_neg(other, x, &z));
        FAILS(SINTER_EBUSY, sinter_tensor_read(d.s, x, out, sizeof out));
        FAILS(SINTER_EBUSY, sinter_tensor_map(d.s, x, SINTER_MAP_READ, &data, &bytes));
        FAILS(SINTER_EINVAL, sinter_cl_acquire(d.s, y, NULL));
        FAILS(SINTER_EINVAL, sinter_tensor_unmap(d.s, x));
        if (theirs) {
            OK(sinter_neg(d.s, y, &z));
            test_read(&d, z, out, COUNT);
            test_release(&d, z);
        } else {
            FAILS(SINTER_EBUSY, sinter_neg(d.s, y, &z));
            FAILS(SINTER_EBUSY, sinter_tensor_release(d.s, x));
        }
        OK(sinter_cl_acquire(d.s, x, NULL));
        FAILS(SINTER_EINVAL, sinter_cl_acquire(d.s, x, NULL));
        OK(sinter_neg(other, x, &z));
        OK(sinter_tensor_read(other, z, out, sizeof out));
        test_release(&d, z);
        OK(sinter_stream_destroy(other));
        test_release(&d, x);
        test_release(&d, y);
        FAILS(SINTER_EHANDLE, sinter_tensor_release(d.s, x));
        test_close(&d);
        CL(p.cl->clReleaseMemObject(buffer));
    }
}

/* The stream is destroyed while they have a tensor: it is usable on another one. */
static void a_stream_ends_meanwhile(void **state)
{
    (void)state;
    NEEDS_OPENCL
    float out[COUNT];
    sinter_stream *other;
    sinter_tensor y;
    sinter_cl_place place = SINTER_CL_PLACE_INIT;
    cl_mem buffer = make_buffer(p.context, CL_MEM_READ_WRITE);
    test_device d = open_over(false);
    OK(sinter_stream_create(d.ctx, NULL, &other));
    sinter_tensor x = take(&d, buffer, SINTER_MAP_WRITE);
    sinter_tensor z = test_floats(&d, 1, shape, NULL);
    OK(sinter_cl_release(d.s, x, SINTER_MAP_WRITE, &place, NULL));
    OK(sinter_cl_release(d.s, z, SINTER_MAP_WRITE, &place, NULL));
    OK(sinter_stream_destroy(d.s));
    d.s = other;
    OK(sinter_add(d.s, x, z, &y));
    test_read(&d, y, out, COUNT);
    test_release(&d, x);
    test_release(&d, y);
    test_release(&d, z);
    test_close(&d);
    CL(p.cl->clReleaseMemObject(buffer));
}

#define SAYS(part) assert_non_null(strstr(sinter_last_error(), part))

/* A tensor, an alias of it on a second stream, and what sinter says of the first: its handle as text. */
typedef struct pair {
    test_device d;
    cl_mem buffer;
    sinter_stream *second;
    sinter_tensor x, alias;
    char name[32];
} pair;

static pair open_pair(bool theirs)
{
    pair a = {.d = open_over(false), .buffer = make_buffer(p.context, CL_MEM_READ_WRITE)};
    OK(sinter_stream_create(a.d.ctx, NULL, &a.second));
    a.x = theirs ? take(&a.d, a.buffer, SINTER_MAP_READ) : test_floats(&a.d, 1, shape, NULL);
    OK(sinter_tensor_to(a.second, a.x, &a.alias));
    OK(sinter_stream_sync(a.second));
    (void)snprintf(a.name, sizeof a.name, "handle %#llx", (unsigned long long)a.x.id);
    return a;
}

static void close_pair(pair *a)
{
    OK(sinter_tensor_release(a->second, a->alias));
    OK(sinter_stream_destroy(a->second));
    test_close(&a->d);
    CL(p.cl->clReleaseMemObject(a->buffer));
}

/* Only the handle and the stream that handed the memory over take it back: what is queued there from then on has
 * to come after the caller's commands. */
static void who_handed_it_over_takes_it_back(void **state)
{
    (void)state;
    NEEDS_OPENCL
    sinter_tensor view;
    sinter_cl_place place = SINTER_CL_PLACE_INIT;
    pair a = open_pair(true);
    OK(sinter_reshape(a.d.s, a.x, 1, shape, &view));
    OK(sinter_cl_release(a.d.s, a.x, SINTER_MAP_READ, &place, NULL));
    FAILS(SINTER_EINVAL, sinter_cl_acquire(a.second, a.alias, NULL));
    SAYS(a.name);
    FAILS(SINTER_EINVAL, sinter_cl_acquire(a.d.s, view, NULL));
    SAYS(a.name);
    FAILS(SINTER_EINVAL, sinter_cl_acquire(a.second, a.x, NULL));
    SAYS(a.name);
    OK(sinter_cl_acquire(a.d.s, a.x, NULL));
    FAILS(SINTER_EINVAL, sinter_cl_acquire(a.d.s, a.x, NULL));
    SAYS(a.name);
    test_release(&a.d, view);
    test_release(&a.d, a.x);
    close_pair(&a);
}

/* With the last handle the memory would never come back: it stays, whoever gives it up. */
static void the_last_handle_stays(void **state)
{
    (void)state;
    NEEDS_OPENCL
    for (int theirs = 0; theirs < 2; theirs++) {
        float out[COUNT];
        sinter_tensor y;
        sinter_tensor scoped;
        sinter_cl_place place = SINTER_CL_PLACE_INIT;
        pair a = open_pair(theirs != 0);
        OK(sinter_scope_open(a.d.s));
        scoped = theirs ? take(&a.d, a.buffer, SINTER_MAP_READ) : test_floats(&a.d, 1, shape, NULL);
        OK(sinter_cl_release(a.d.s, scoped, SINTER_MAP_READ, &place, NULL));
        FAILS(SINTER_EBUSY, sinter_scope_close(a.d.s, 0, NULL));
        SAYS("is handed over");
        OK(sinter_cl_acquire(a.d.s, scoped, NULL));
        OK(sinter_scope_close(a.d.s, 0, NULL));
        FAILS(SINTER_EHANDLE, sinter_cl_acquire(a.d.s, scoped, NULL));
        OK(sinter_neg(a.d.s, a.x, &y));
        OK(sinter_cl_release(a.d.s, a.x, SINTER_MAP_READ, &place, NULL));
        OK(sinter_tensor_retain(a.d.ctx, a.x));
        OK(sinter_tensor_release(a.d.s, a.x));
        FAILS(SINTER_EBUSY, sinter_tensor_release(a.d.s, a.x));
        SAYS(a.name);
        FAILS(SINTER_EBUSY, sinter_tensor_release(a.second, a.x));
        FAILS(SINTER_EBUSY, sinter_tensor_release(NULL, a.x));
        test_release(&a.d, y); /* it is in nobody's way */
        OK(sinter_cl_acquire(a.d.s, a.x, NULL));
        OK(sinter_cl_release(a.d.s, a.x, SINTER_MAP_READ, &place, NULL));
        OK(sinter_stream_destroy(a.d.s)); /* takes it back */
        a.d.s = a.second;
        OK(sinter_stream_create(a.d.ctx, NULL, &a.second));
        test_release(&a.d, a.x);
        OK(sinter_tensor_read(a.d.s, a.alias, out, sizeof out));
        close_pair(&a);
    }
}

/* Which call, which handle, and that it is handed over: the line of every refusal says it. */
static void assert_line(const pair *a, const char *call)
{
    SAYS(a->name);
    SAYS("handed over");
    assert_true(strncmp(sinter_last_error(), call, strlen(call)) == 0);
    assert_null(strstr(sinter_last_error() + 1, call)); /* once */
}

static void a_refusal_names_the_handle(void **state)
{
    (void)state;
    NEEDS_OPENCL
    for (int theirs = 0; theirs < 2; theirs++) {
        float out[COUNT] = {0};
        void *data;
        size_t bytes;
        sinter_tensor y;
        sinter_cl_place place = SINTER_CL_PLACE_INIT;
        pair a = open_pair(theirs != 0);
        sinter_stream *s = a.d.s;
        OK(sinter_cl_release(s, a.x, SINTER_MAP_READ, &place, NULL));
        FAILS(SINTER_EBUSY, sinter_tensor_read(s, a.x, out, sizeof out));
        assert_line(&a, "tensor_read: ");
        FAILS(SINTER_EBUSY, sinter_tensor_read(a.second, a.x, out, sizeof out));
        assert_line(&a, "tensor_read: ");
        FAILS(SINTER_EBUSY, sinter_tensor_map(s, a.x, SINTER_MAP_READ, &data, &bytes));
        assert_line(&a, "tensor_map: ");
        FAILS(SINTER_EBUSY, sinter_cl_release(s, a.x, SINTER_MAP_READ, &place, NULL));
        assert_line(&a, "cl_release: ");
        FAILS(SINTER_EBUSY, sinter_neg(s, a.x, &y));
        assert_line(&a, "neg: ");
        FAILS(SINTER_EBUSY, sinter_neg(a.second, a.x, &y));
        assert_line(&a, "neg: ");
        if (theirs) {
            FAILS(SINTER_EBUSY, sinter_tensor_read(a.second, a.alias, out, sizeof out));
            assert_line(&a, "tensor_read: ");
            FAILS(SINTER_EBUSY,
                  sinter_tensor_map(a.second, a.alias, SINTER_MAP_READ, &data, &bytes));
            assert_line(&a, "tensor_map: ");
        } else {
            FAILS(SINTER_EBUSY, sinter_stream_sync(s));
            assert_line(&a, "stream_sync: ");
            FAILS(SINTER_EBUSY, sinter_tensor_from_host(s, SINTER_F32, 1, shape, out, &y));
            assert_line(&a, "tensor_from_host: ");
        }
        OK(sinter_cl_acquire(s, a.x, NULL));
        if (!theirs) {
            OK(sinter_tensor_map(s, a.x, SINTER_MAP_READ, &data, &bytes));
            FAILS(SINTER_EBUSY, sinter_stream_sync(s));
            SAYS("of stream 1 is mapped");
            OK(sinter_tensor_unmap(s, a.x));
        }
        test_release(&a.d, a.x);
        close_pair(&a);
    }
}

static void wrong_memory(const test_device *d, cl_context foreign)
{
    sinter_tensor t;
    cl_mem buffer = make_buffer(p.context, CL_MEM_READ_WRITE);
    cl_int error;
    cl_mem stranger =
        p.cl->clCreateBuffer(foreign, CL_MEM_READ_WRITE, WHOLE * sizeof(float), NULL, &error);
    CL(error);
    cl_mem read_only = make_buffer(p.context, CL_MEM_READ_ONLY);
    cl_mem hidden =
        p.cl->clCreateBuffer(p.context, CL_MEM_HOST_NO_ACCESS, WHOLE * sizeof(float), NULL, &error);
    CL(error);
    sinter_cl_memory m = part_of(stranger, SINTER_MAP_READ);
    FAILS(SINTER_EINVAL, sinter_tensor_from_cl(d->s, &m, SINTER_F32, 1, shape, &t));
    SAYS("tensor_from_cl: the buffer is of another OpenCL context");
    assert_int_equal(t.id, 0);
    m = part_of(buffer, SINTER_MAP_READ);
    m.offset_bytes = 6;
    FAILS(SINTER_EINVAL, sinter_tensor_from_cl(d->s, &m, SINTER_F32, 1, shape, &t));
    SAYS("offset 6 is no multiple of the 4 bytes of f32");
    m.offset_bytes = (2 * OFFSET + 1) * sizeof(float);
    FAILS(SINTER_ERANGE, sinter_tensor_from_cl(d->s, &m, SINTER_F32, 1, shape, &t));
    SAYS("192 bytes from byte 132 on are not in a buffer of 320");
    m.offset_bytes = UINT64_MAX - 3;
    FAILS(SINTER_ERANGE, sinter_tensor_from_cl(d->s, &m, SINTER_F32, 1, shape, &t));
    m = part_of(read_only, SINTER_MAP_WRITE);
    FAILS(SINTER_EINVAL, sinter_tensor_from_cl(d->s, &m, SINTER_F32, 1, shape, &t));
    SAYS("no kernel may write the buffer (flags 0x4)");
    m = part_of(hidden, SINTER_MAP_READ);
    FAILS(SINTER_EINVAL, sinter_tensor_from_cl(d->s, &m, SINTER_F32, 1, shape, &t));
    SAYS("the host may not");
    m = part_of(NULL, SINTER_MAP_READ);
    FAILS(SINTER_EINVAL, sinter_tensor_from_cl(d->s, &m, SINTER_F32, 1, shape, &t));
    m = part_of(buffer, (sinter_map_access)3);
    FAILS(SINTER_EINVAL, sinter_tensor_from_cl(d->s, &m, SINTER_F32, 1, shape, &t));
    m.size = 3;
    FAILS(SINTER_EINVAL, sinter_tensor_from_cl(d->s, &m, SINTER_F32, 1, shape, &t));
    m = part_of(buffer, SINTER_MAP_READ);
    FAILS(SINTER_ERANGE, sinter_tensor_from_cl(d->s, &m, SINTER_F32, 1, (int64_t[]){-1}, &t));
    FAILS(SINTER_EDTYPE, sinter_tensor_from_cl(d->s, &m, (sinter_dtype)99, 1, shape, &t));
    CL(p.cl->clReleaseMemObject(buffer));
    CL(p.cl->clReleaseMemObject(stranger));
    CL(p.cl->clReleaseMemObject(read_only));
    CL(p.cl->clReleaseMemObject(hidden));
}

/* Bytes in two tensors, one of which may be written; read only they may be. And no bytes at all. */
static void shared_bytes(const test_device *d)
{
    sinter_tensor t;
    sinter_tensor u;
    cl_mem buffer = make_buffer(p.context, CL_MEM_READ_WRITE);
    sinter_cl_memory m;
    t = take(d, buffer, SINTER_MAP_READ);
    u = take(d, buffer, SINTER_MAP_READ);
    m = part_of(buffer, SINTER_MAP_WRITE);
    m.offset_bytes = 0;
    sinter_tensor v;
    FAILS(SINTER_EBUSY, sinter_tensor_from_cl(d->s, &m, SINTER_F32, 1, shape, &v));
    SAYS("bytes 64 to 256 of the whole buffer are in a tensor already");
    m.offset_bytes = (OFFSET + 1) * sizeof(float);
    OK(sinter_tensor_from_cl(d->s, &m, SINTER_F32, 1, (int64_t[]){0}, &v)); /* has none of them */
    test_release(d, v);
    m.offset_bytes = 0;
    OK(sinter_tensor_from_cl(d->s, &m, SINTER_F32, 1, (int64_t[]){OFFSET}, &v)); /* up to there */
    sinter_cl_place place = SINTER_CL_PLACE_INIT;
    FAILS(SINTER_EINVAL, sinter_cl_release(d->s, t, SINTER_MAP_WRITE, &place, NULL));
    SAYS("read only");
    test_release(d, t);
    test_release(d, u);
    test_release(d, v);
    m.offset_bytes = WHOLE * sizeof(float);
    OK(sinter_tensor_from_cl(d->s, &m, SINTER_F32, 1, (int64_t[]){0}, &t));
    OK(sinter_cl_release(d->s, t, SINTER_MAP_READ, &place, NULL));
    assert_int_equal(place.bytes, 0);
    OK(sinter_cl_acquire(d->s, t, NULL));
    test_release(d, t);
    CL(p.cl->clReleaseMemObject(buffer));
}

/* Two parts of one buffer, and the whole: bytes are the same whichever of them they are given as. */
static void sub_buffers_of_one(const test_device *d)
{
    const size_t part = 8192;
    const cl_buffer_region regions[] = {{0, 2 * part}, {part, 2 * part}};
    cl_int error;
    cl_mem parts[2];
    sinter_tensor t;
    sinter_tensor u;
    cl_mem whole = p.cl->clCreateBuffer(p.context, CL_MEM_READ_WRITE, 4 * part, NULL, &error);
    CL(error);
    for (int i = 0; i < 2; i++) {
        parts[i] = p.cl->clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                                           &regions[i], &error);
        CL(error);
    }
    t = take(d, parts[1], SINTER_MAP_WRITE);
    sinter_cl_memory m = part_of(whole, SINTER_MAP_READ);
    m.offset_bytes = part + OFFSET * sizeof(float);
    FAILS(SINTER_EBUSY, sinter_tensor_from_cl(d->s, &m, SINTER_F32, 1, shape, &u));
    SAYS("bytes 8256 to 8448 of the whole buffer are in a tensor already");
    m.buffer = parts[0];
    FAILS(SINTER_EBUSY, sinter_tensor_from_cl(d->s, &m, SINTER_F32, 1, shape, &u));
    u = take(d, parts[0], SINTER_MAP_WRITE);
    test_release(d, t);
    OK(sinter_tensor_from_cl(d->s, &m, SINTER_F32, 1, shape, &t));
    test_release(d, t);
    test_release(d, u);
    for (int i = 0; i < 2; i++)
        CL(p.cl->clReleaseMemObject(parts[i]));
    CL(p.cl->clReleaseMemObject(whole));
}

static void what_does_not_fit(void **state)
{
    (void)state;
    NEEDS_OPENCL
    cl_int error;
    sinter_context *ctx;
    sinter_stream *s;
    uint64_t before = test_cl_layer()->live();
    cl_context foreign = p.cl->clCreateContext(NULL, 1, &p.device, NULL, NULL, &error);
    CL(error);
    cl_command_queue stranger = p.cl->clCreateCommandQueue(foreign, p.device, 0, &error);
    CL(error);
    test_device d = open_over(false);
    FAILS(SINTER_EINVAL, sinter_stream_from_cl(d.ctx, stranger, NULL, &s));
    SAYS("stream_from_cl: the queue is of another OpenCL context");
    assert_null(s);
    cl_command_queue unordered = p.cl->clCreateCommandQueue(
        p.context, p.device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &error);
    if (error == CL_SUCCESS) {
        FAILS(SINTER_EINVAL, sinter_stream_from_cl(d.ctx, unordered, NULL, &s));
        SAYS("the queue is out of order (properties 0x1)");
        CL(p.cl->clReleaseCommandQueue(unordered));
    }
    FAILS(SINTER_EINVAL, sinter_stream_from_cl(d.ctx, NULL, NULL, &s));
    FAILS(SINTER_EINVAL, sinter_context_from_cl(NULL, p.device, NULL, &ctx));
    FAILS(SINTER_EINVAL, sinter_context_from_cl(p.context, NULL, NULL, &ctx));
    wrong_memory(&d, foreign);
    shared_bytes(&d);
    sub_buffers_of_one(&d);
    cl_event event; /* of another context */
    cl_mem buffer = make_buffer(p.context, CL_MEM_READ_WRITE);
    sinter_cl_place place = SINTER_CL_PLACE_INIT;
    sinter_tensor t;
    CL(p.cl->clEnqueueMarkerWithWaitList(stranger, 0, NULL, &event));
    sinter_cl_memory m = part_of(buffer, SINTER_MAP_READ);
    m.after = event;
    FAILS(SINTER_EINVAL, sinter_tensor_from_cl(d.s, &m, SINTER_F32, 1, shape, &t));
    SAYS("the event is of another OpenCL context");
    t = take(&d, buffer, SINTER_MAP_READ);
    OK(sinter_cl_release(d.s, t, SINTER_MAP_READ, &place, NULL));
    FAILS(SINTER_EINVAL, sinter_cl_acquire(d.s, t, event));
    OK(sinter_cl_acquire(d.s, t, NULL)); /* they had it still */
    test_release(&d, t);
    test_close(&d);
    CL(p.cl->clFinish(stranger));
    CL(p.cl->clReleaseEvent(event));
    CL(p.cl->clReleaseMemObject(buffer));
    CL(p.cl->clReleaseCommandQueue(stranger));
    CL(p.cl->clReleaseContext(foreign));
    assert_int_equal(test_cl_layer()->live(), before);
}

typedef cl_int create_sub_devices(cl_device_id, const cl_device_partition_property *, cl_uint,
                                  cl_device_id *, cl_uint *);

/* A part of a device, beside the whole. */
static void sub_devices(void **state)
{
    (void)state;
    NEEDS_OPENCL
    const cl_device_partition_property by_one[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    cl_device_id devices[64];
    cl_uint count = 0;
    cl_int error;
    float out[COUNT];
    test_device d = {0};
    sinter_stream *s;
    sinter_tensor y;
    create_sub_devices *create = NULL;
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    void *symbol = dlsym(library, "clCreateSubDevices");
    memcpy(&create, &symbol, sizeof symbol);
    CL(p.cl->clGetDeviceInfo(p.device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES, sizeof count, &count,
                             NULL));
    if (count < 2) {
        (void)dlclose(library);
        print_message("skipped: the device has no parts\n");
        skip();
    }
    CL(create(p.device, by_one, 64, devices, &count));
    cl_context parts = p.cl->clCreateContext(NULL, 1, devices, NULL, NULL, &error);
    CL(error);
    cl_command_queue queue = p.cl->clCreateCommandQueue(parts, devices[0], 0, &error);
    CL(error);
    OK(sinter_context_from_cl(parts, devices[0], NULL, &d.ctx));
    OK(sinter_stream_from_cl(d.ctx, queue, NULL, &d.s));
    sinter_device_info info = SINTER_DEVICE_INFO_INIT;
    OK(sinter_context_device(d.ctx, &info));
    assert_string_equal(info.selector, "given");
    assert_int_equal(info.compute_units, 1);
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    OK(sinter_neg(d.s, x, &y));
    test_read(&d, y, out, COUNT);
    assert_true(out[0] == 2.0f);
    cl_command_queue beside = p.cl->clCreateCommandQueue(parts, devices[1], 0, &error);
    if (error == CL_SUCCESS) { /* a driver may say that the context has the whole */
        FAILS(SINTER_EINVAL, sinter_stream_from_cl(d.ctx, beside, NULL, &s));
        SAYS("the queue is of another device");
        CL(p.cl->clReleaseCommandQueue(beside));
    }
    test_release(&d, x);
    test_release(&d, y);
    test_close(&d);
    release_queue(queue);
    CL(p.cl->clReleaseContext(parts));
    (void)dlclose(library);
}

/* Everything once; true when nothing failed. */
static bool scene(cl_mem buffer)
{
    float out[COUNT];
    test_device d = {0};
    sinter_tensor x = {0};
    sinter_tensor y = {0};
    cl_event event = NULL;
    sinter_cl_place place = SINTER_CL_PLACE_INIT;
    const sinter_cl_memory m = part_of(buffer, SINTER_MAP_WRITE);
    bool went = sinter_context_from_cl(p.context, p.device, NULL, &d.ctx) == SINTER_OK;
    went = went && sinter_stream_from_cl(d.ctx, p.queue, NULL, &d.s) == SINTER_OK;
    went = went && sinter_tensor_from_cl(d.s, &m, SINTER_F32, 1, shape, &x) == SINTER_OK;
    went = went && sinter_add_scalar(d.s, x, 1.0, &y) == SINTER_OK;
    if (went && sinter_cl_release(d.s, x, SINTER_MAP_WRITE, &place, &event) == SINTER_OK)
        went = sinter_cl_acquire(d.s, x, event) == SINTER_OK;
    else
        went = false;
    went = went && sinter_tensor_read(d.s, y, out, sizeof out) == SINTER_OK;
    if (event != NULL)
        CL(p.cl->clReleaseEvent(event));
    (void)sinter_tensor_release(d.s, y);
    (void)sinter_stream_destroy(d.s);
    (void)sinter_tensor_release(NULL,
                                x); /* which was with them until then, if it was not taken back */
    OK(sinter_context_destroy(d.ctx));
    return went;
}

/* Each OpenCL call fails in turn: nothing of either side is lost. */
static void each_call_fails(void **state)
{
    (void)state;
    NEEDS_OPENCL
    const cl_layer *layer = test_cl_layer();
    cl_mem buffer = make_buffer(p.context, CL_MEM_READ_WRITE);
    uint64_t before = layer->live();
    uint64_t failures = 0;
    assert_true(scene(buffer));
    for (uint64_t k = 0;; k++) {
        layer->arm(k, CL_OUT_OF_RESOURCES, 0);
        bool went = scene(buffer);
        bool reached = layer->failed() > 0;
        layer->arm(0, 0, 0);
        if (layer->live() != before || layer->mistakes() > 0)
            print_error("call %llu: %llu objects, not %llu\n", (unsigned long long)k,
                        (unsigned long long)layer->live(), (unsigned long long)before);
        assert_int_equal(layer->live(), before);
        assert_int_equal(layer->mistakes(), 0);
        failures += !went;
        if (!reached)
            break;
    }
    assert_true(failures > 10);
    CL(p.cl->clReleaseMemObject(buffer));
}

/* Where there is no OpenCL the calls say so, and look at nothing. */
/* What the caller writes through a tensor that lies in another stream's slab is followed. */
static void their_write_is_followed(void **state)
{
    (void)state;
    NEEDS_OPENCL
    sinter_cl_place place = SINTER_CL_PLACE_INIT;
    sinter_stream_options on_host = SINTER_STREAM_OPTIONS_INIT;
    sinter_stream *h;
    sinter_stream *c;
    sinter_tensor v;
    sinter_tensor z;
    test_device d = open_over(false);
    OK(sinter_stream_create(d.ctx, NULL, &h));
    OK(sinter_stream_create(d.ctx, NULL, &c));
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    OK(sinter_stream_sync(d.s));
    OK(sinter_tensor_to(h, x, &v));
    OK(sinter_stream_flush(h));
    test_release(&d, x);
    OK(sinter_stream_sync(d.s));
    OK(sinter_stream_sync(h));
    OK(sinter_cl_release(h, v, SINTER_MAP_WRITE, &place, NULL));
    OK(sinter_cl_acquire(h, v, NULL));
    test_cl_layer()->arm_named("clEnqueueBarrierWithWaitList", CL_OUT_OF_RESOURCES);
    FAILS(SINTER_EDEVICE, sinter_neg(c, v, &z));
    test_cl_layer()->arm(0, 0, 0);
    OK(sinter_tensor_release(h, v));
    OK(sinter_stream_destroy(c));
    OK(sinter_stream_destroy(h));
    /* A queue of theirs is of no use to a device that is none of OpenCL. */
    on_host.device = 1;
    FAILS(SINTER_EINVAL, sinter_stream_from_cl(d.ctx, p.queue, &on_host, &h));
    test_close(&d);
    sinter_context_options both = SINTER_CONTEXT_OPTIONS_INIT;
    sinter_context *ctx;
    both.device = "0:0,host";
    OK(sinter_context_create(&both, &ctx));
    FAILS(SINTER_EUNSUPPORTED, sinter_stream_from_cl(ctx, p.queue, &on_host, &h));
    OK(sinter_context_destroy(ctx));
}

static void without_opencl(void **state)
{
    (void)state;
    static char something;
    void *any = &something;
    sinter_context *ctx;
    sinter_stream *s;
    sinter_tensor t;
    sinter_tensor none;
    sinter_cl_place place = SINTER_CL_PLACE_INIT;
    sinter_cl_memory m = SINTER_CL_MEMORY_INIT;
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.device = "host";
    m.buffer = any;
    test_device d = test_open(&options);
    FAILS(SINTER_EUNSUPPORTED, sinter_stream_from_cl(d.ctx, any, NULL, &s));
    SAYS("host reference device");
    FAILS(SINTER_EUNSUPPORTED, sinter_tensor_from_cl(d.s, &m, SINTER_F32, 1, shape, &none));
    t = test_floats(&d, 1, shape, NULL);
    FAILS(SINTER_EUNSUPPORTED, sinter_cl_release(d.s, t, SINTER_MAP_READ, &place, NULL));
    FAILS(SINTER_EINVAL, sinter_cl_acquire(d.s, t, NULL));
    FAILS(SINTER_EINVAL, sinter_cl_acquire(NULL, t, NULL));
    FAILS(SINTER_EINVAL, sinter_cl_release(d.s, t, SINTER_MAP_READ, NULL, NULL));
    FAILS(SINTER_EINVAL, sinter_tensor_from_cl(d.s, NULL, SINTER_F32, 1, shape, &none));
    FAILS(SINTER_EINVAL, sinter_context_from_cl(any, any, NULL, NULL));
    if (p.cl == NULL)
        FAILS(SINTER_ENODEVICE, sinter_context_from_cl(any, any, NULL, &ctx));
    OK(sinter_stream_sync(d.s));
    test_release(&d, t);
    test_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_theirs_stays_theirs),
        cmocka_unit_test(a_queue_is_for_one_stream),
        cmocka_unit_test(a_tensor_in_their_buffer),
        cmocka_unit_test(in_place_where_allowed),
        cmocka_unit_test(their_kernels_in_between),
        cmocka_unit_test(after_their_event),
        cmocka_unit_test(away_is_away),
        cmocka_unit_test(a_stream_ends_meanwhile),
        cmocka_unit_test(who_handed_it_over_takes_it_back),
        cmocka_unit_test(the_last_handle_stays),
        cmocka_unit_test(a_refusal_names_the_handle),
        cmocka_unit_test(what_does_not_fit),
        cmocka_unit_test(sub_devices),
        cmocka_unit_test(each_call_fails),
        cmocka_unit_test(their_write_is_followed),
        cmocka_unit_test(without_opencl),
    };
    return cmocka_run_group_tests(tests, start, end);
}
