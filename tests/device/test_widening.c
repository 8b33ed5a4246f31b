/* One kernel on several streams at once, over more and more elements: PoCL 3 ended the process
 * (docs/decisions/widening.md). And that nobody waits for a queue which waits for the caller. */
#include "support/support.h"

#include "executor/opencl/cl.h"
#include <sinter/opencl.h>

#include <dlfcn.h>

#define STREAMS 6
#define ROUNDS 8
#define FIRST 32768 /* elements; each stream has twice as many as the one before */
#define LENGTH 6    /* operations of a program, beside the first */

/* Program number `round`: no two have the same kernel. */
static sinter_tensor queue_program(sinter_stream *s, sinter_tensor x, int round)
{
    sinter_tensor t;
    OK(sinter_exp(s, x, &t));
    for (int i = 0; i < LENGTH; i++) {
        sinter_tensor next;
        if ((round >> i & 1) != 0)
            OK(sinter_tanh(s, t, &next));
        else
            OK(sinter_sin(s, t, &next));
        OK(sinter_tensor_release(s, t));
        t = next;
    }
    return t;
}

static sinter_tensor make_input(sinter_stream *s, int number)
{
    sinter_tensor x;
    OK(sinter_full(s, SINTER_F32, 1, (int64_t[]){(int64_t)FIRST << number},
                   sinter_scalar_float(0.25), &x));
    return x;
}

/* The first and the last element are what they are in `right`, 0 for not known. */
static void check_ends(sinter_stream *s, sinter_tensor t, int number, uint32_t *right)
{
    static uint32_t bits[FIRST << STREAMS];
    size_t count = (size_t)FIRST << number;
    OK(sinter_tensor_read(s, t, bits, count * sizeof *bits));
    *right = *right == 0 ? bits[0] : *right;
    assert_int_equal(bits[0], *right);
    assert_int_equal(bits[count - 1], *right);
}

static void streams_widen_one_kernel(void **state)
{
    (void)state;
    sinter_stream *s[STREAMS];
    sinter_tensor x[STREAMS];
    test_device d = test_open(NULL);
    for (int i = 0; i < STREAMS; i++) {
        OK(sinter_stream_create(d.ctx, NULL, &s[i]));
        x[i] = make_input(s[i], i);
        OK(sinter_stream_sync(s[i]));
    }
    for (int round = 0; round < ROUNDS; round++) {
        sinter_tensor y[STREAMS];
        uint32_t right = 0;
        for (int i = 0; i < STREAMS; i++)
            y[i] = queue_program(s[i], x[i], round);
        for (int i = 0; i < STREAMS; i++)
            OK(sinter_stream_flush(s[i]));
        for (int i = 0; i < STREAMS; i++) {
            check_ends(s[i], y[i], i, &right);
            OK(sinter_tensor_release(s[i], y[i]));
        }
    }
    for (int i = 0; i < STREAMS; i++) {
        OK(sinter_tensor_release(s[i], x[i]));
        OK(sinter_stream_destroy(s[i]));
    }
    test_close(&d);
}

/* OpenCL's own functions: the caller's event is nothing that the OpenCL library for tests has made. */
typedef struct events {
    cl_event (*create)(cl_context, cl_int *);
    cl_int (*end)(cl_event, cl_int);
    cl_int (*release)(cl_event);
    cl_int (*barrier)(cl_command_queue, cl_uint, const cl_event *, cl_event *);
    cl_int (*queue_info)(cl_command_queue, cl_command_queue_info, size_t, void *, size_t *);
} events;

static bool find_events(events *e)
{
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW);
    if (library == NULL || sinter__cl_load(NULL) == NULL)
        return false;
    *(void **)&e->create = dlsym(library, "clCreateUserEvent");
    *(void **)&e->end = dlsym(library, "clSetUserEventStatus");
    *(void **)&e->release = dlsym(library, "clReleaseEvent");
    *(void **)&e->barrier = dlsym(library, "clEnqueueBarrierWithWaitList");
    *(void **)&e->queue_info = dlsym(library, "clGetCommandQueueInfo");
    return true;
}

#define CL(call) assert_int_equal((call), CL_SUCCESS)

/* An event that a command in the queue waits for until it is ended. */
static cl_event put_gate(const events *e, cl_command_queue queue)
{
    cl_context context = NULL;
    cl_int error;
    CL(e->queue_info(queue, CL_QUEUE_CONTEXT, sizeof(cl_context), &context, NULL));
    cl_event gate = e->create(context, &error);
    CL(error);
    CL(e->barrier(queue, 1, &gate, NULL));
    return gate;
}

/* The caller has put a command into a stream's queue that waits for it: wider launches on another stream go ahead. */
static void nobody_waits_for_the_caller(void **state)
{
    (void)state;
    events e;
    sinter_cl_place place = SINTER_CL_PLACE_INIT;
    if (!find_events(&e))
        return;
    test_device d = test_open(NULL);
    sinter_stream *other;
    uint32_t right = 0;
    OK(sinter_stream_create(d.ctx, NULL, &other));
    sinter_tensor x = make_input(d.s, 0);
    sinter_tensor wide = make_input(other, 3);
    OK(sinter_stream_sync(d.s));
    OK(sinter_cl_release(d.s, x, SINTER_MAP_READ, &place, NULL));
    cl_event gate = put_gate(&e, place.queue);
    OK(sinter_cl_acquire(d.s, x, NULL));
    sinter_tensor y = queue_program(other, wide, 63);
    check_ends(other, y, 3, &right);
    CL(e.end(gate, CL_COMPLETE));
    CL(e.release(gate));
    OK(sinter_stream_sync(d.s));
    OK(sinter_tensor_release(other, y));
    OK(sinter_tensor_release(other, wide));
    OK(sinter_stream_destroy(other));
    test_release(&d, x);
    test_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_widen_one_kernel),
        cmocka_unit_test(nobody_waits_for_the_caller),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
