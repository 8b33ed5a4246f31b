/* A device that the OpenCL library for tests plays: sinter is told its limits, and what goes past one is refused.
 *   test_personality NAME    as in SINTER_TEST_CL */
#define CL_TARGET_OPENCL_VERSION 120
#include "support/support.h"

#include <CL/cl.h>

#include "support/cl_layer.h"

#include "executor/memory/room.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#define CALLS(DO)                                                                                  \
    DO(clGetPlatformIDs)                                                                           \
    DO(clGetDeviceIDs)                                                                             \
    DO(clCreateContext)                                                                            \
    DO(clReleaseContext)                                                                           \
    DO(clCreateCommandQueue)                                                                       \
    DO(clReleaseCommandQueue)                                                                      \
    DO(clCreateBuffer)                                                                             \
    DO(clCreateSubBuffer)                                                                          \
    DO(clReleaseMemObject)                                                                         \
    DO(clCreateProgramWithSource)                                                                  \
    DO(clBuildProgram)                                                                             \
    DO(clReleaseProgram)                                                                           \
    DO(clCreateKernel)                                                                             \
    DO(clReleaseKernel)                                                                            \
    DO(clSetKernelArg)                                                                             \
    DO(clEnqueueNDRangeKernel)                                                                     \
    DO(clFinish)

#define DECLARE(name) static __typeof__(name) *name##_;
CALLS(DECLARE)

static struct {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
} at;

/* What a device may refuse. */
enum {
    GROUP,
    GROUP_2D,
    LOCAL,
    ARGUMENTS,
    BUFFER,
    MEMORY,
    OFFSET,
    OVERLAP,
    DOUBLE,
    LONG,
    QUEUE,
    TRIES
};

typedef struct expected {
    const char *name;
    cl_int errors[TRIES]; /* CL_SUCCESS: it does not */
    /* What sinter is told; 0: what it may be. */
    uint64_t group, local, no_local, align, buffer, memory, arguments, no_double, gpu;
} expected;

static const expected all[] = {
    {.name = "lone",
     .errors = {[GROUP] = CL_INVALID_WORK_GROUP_SIZE,
                [GROUP_2D] = CL_INVALID_WORK_GROUP_SIZE,
                [QUEUE] = CL_INVALID_QUEUE_PROPERTIES},
     .group = 1,
     .align = 128},
    {.name = "tiny-groups",
     .errors = {[GROUP] = CL_INVALID_WORK_GROUP_SIZE,
                [OFFSET] = CL_MISALIGNED_SUB_BUFFER_OFFSET,
                [QUEUE] = CL_INVALID_QUEUE_PROPERTIES},
     .group = 16,
     .align = 512},
    {.name = "flat-groups",
     .errors = {[GROUP] = CL_INVALID_WORK_GROUP_SIZE,
                [GROUP_2D] = CL_INVALID_WORK_ITEM_SIZE,
                [QUEUE] = CL_INVALID_QUEUE_PROPERTIES},
     .group = 32},
    {.name = "no-local",
     .errors = {[GROUP] = CL_INVALID_WORK_GROUP_SIZE,
                [LOCAL] = CL_OUT_OF_RESOURCES,
                [QUEUE] = CL_INVALID_QUEUE_PROPERTIES},
     .group = 32,
     .no_local = 1},
    {.name = "small-local",
     .errors = {[LOCAL] = CL_OUT_OF_RESOURCES,
                [OFFSET] = CL_MISALIGNED_SUB_BUFFER_OFFSET,
                [QUEUE] = CL_INVALID_QUEUE_PROPERTIES},
     .local = 4096,
     .align = 4096},
    {.name = "small-buffers",
     .errors = {[BUFFER] = CL_INVALID_BUFFER_SIZE,
                [OFFSET] = CL_MISALIGNED_SUB_BUFFER_OFFSET,
                [QUEUE] = CL_INVALID_QUEUE_PROPERTIES},
     .align = 4096,
     .buffer = 1 << 20},
    {.name = "small-memory",
     .errors = {[BUFFER] = CL_INVALID_BUFFER_SIZE,
                [MEMORY] = CL_MEM_OBJECT_ALLOCATION_FAILURE,
                [QUEUE] = CL_INVALID_QUEUE_PROPERTIES},
     .buffer = 1 << 20,
     .memory = 4 << 20},
    {.name = "embedded",
     .errors = {[GROUP] = CL_INVALID_WORK_GROUP_SIZE,
                [LOCAL] = CL_OUT_OF_RESOURCES,
                [ARGUMENTS] = CL_OUT_OF_RESOURCES,
                [DOUBLE] = CL_BUILD_PROGRAM_FAILURE,
                [QUEUE] = CL_INVALID_QUEUE_PROPERTIES},
     .group = 32,
     .local = 1024,
     .arguments = 256,
     .no_double = 1},
    {.name = "graphics", .errors = {[OVERLAP] = CL_INVALID_VALUE}, .gpu = 1},
    {.name = "no-long",
     .errors = {[DOUBLE] = CL_BUILD_PROGRAM_FAILURE, [LONG] = CL_BUILD_PROGRAM_FAILURE}},
};

static const expected *wanted;

/* What goes past a limit */

static cl_int try_program(const char *source, cl_program *out)
{
    cl_int error;
    *out = clCreateProgramWithSource_(at.context, 1, &source, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    error = clBuildProgram_(*out, 1, &at.device, "", NULL, NULL);
    return error;
}

static cl_int try_source(const char *source)
{
    cl_program program;
    cl_int error = try_program(source, &program);
    assert_int_equal(clReleaseProgram_(program), CL_SUCCESS);
    return error;
}

/* A launch of one group. `vectors`: arguments of 64 bytes that the kernel takes beside a buffer. */
static cl_int try_launch(const char *source, cl_uint dimensions, size_t side, cl_uint vectors)
{
    const size_t size[] = {side, side};
    const cl_int vector[16] = {0};
    cl_program program;
    cl_int error;
    assert_int_equal(try_program(source, &program), CL_SUCCESS);
    cl_kernel kernel = clCreateKernel_(program, "k", &error);
    cl_mem memory = clCreateBuffer_(at.context, CL_MEM_READ_WRITE, 4096, NULL, &error);
    assert_int_equal(clSetKernelArg_(kernel, 0, sizeof memory, &memory), CL_SUCCESS);
    for (cl_uint i = 0; i < vectors; i++)
        assert_int_equal(clSetKernelArg_(kernel, i + 1, sizeof vector, vector), CL_SUCCESS);
    error = clEnqueueNDRangeKernel_(at.queue, kernel, dimensions, NULL, size, size, 0, NULL, NULL);
    assert_int_equal(clFinish_(at.queue), CL_SUCCESS);
    assert_int_equal(clReleaseKernel_(kernel), CL_SUCCESS);
    assert_int_equal(clReleaseProgram_(program), CL_SUCCESS);
    assert_int_equal(clReleaseMemObject_(memory), CL_SUCCESS);
    return error;
}

/* Buffers of `bytes`, `count` of them at once. */
static cl_int try_buffers(size_t bytes, int count)
{
    cl_mem made[5] = {NULL};
    cl_int error = CL_SUCCESS;
    for (int i = 0; i < count && error == CL_SUCCESS; i++)
        made[i] = clCreateBuffer_(at.context, CL_MEM_READ_WRITE, bytes, NULL, &error);
    for (int i = 0; i < count && made[i] != NULL; i++)
        assert_int_equal(clReleaseMemObject_(made[i]), CL_SUCCESS);
    return error;
}

static cl_int try_offset(void)
{
    const cl_buffer_region region = {128, 128};
    cl_int error;
    cl_mem whole = clCreateBuffer_(at.context, CL_MEM_READ_WRITE, 4096, NULL, &error);
    cl_mem part =
        clCreateSubBuffer_(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    if (part != NULL)
        assert_int_equal(clReleaseMemObject_(part), CL_SUCCESS);
    assert_int_equal(clReleaseMemObject_(whole), CL_SUCCESS);
    return error;
}

/* Two sub-buffers with bytes in common; two of the same bytes may be. */
static cl_int try_overlap(void)
{
    const cl_buffer_region regions[] = {{0, 8192}, {0, 8192}, {4096, 8192}};
    cl_mem parts[3];
    cl_int errors[3];
    cl_mem whole = clCreateBuffer_(at.context, CL_MEM_READ_WRITE, 16384, NULL, &errors[0]);
    for (int i = 0; i < 3; i++)
        parts[i] = clCreateSubBuffer_(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                                      &regions[i], &errors[i]);
    assert_int_equal(errors[0], CL_SUCCESS);
    assert_int_equal(errors[1], CL_SUCCESS);
    for (int i = 0; i < 3; i++) {
        if (parts[i] != NULL)
            assert_int_equal(clReleaseMemObject_(parts[i]), CL_SUCCESS);
    }
    assert_int_equal(clReleaseMemObject_(whole), CL_SUCCESS);
    return errors[2];
}

static cl_int try_queue(void)
{
    cl_int error;
    cl_command_queue queue = clCreateCommandQueue_(at.context, at.device,
                                                   CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &error);
    if (queue != NULL)
        assert_int_equal(clReleaseCommandQueue_(queue), CL_SUCCESS);
    return error;
}

static void what_goes_past_a_limit_is_refused(void **state)
{
    static const char plain[] = "__kernel void k(__global int *x) { x[get_local_id(0)] = 1; }";
    static const char local[] =
        "__kernel void k(__global int *x) { __local int t[1280]; t[get_global_id(0)] = 1;"
        " barrier(CLK_LOCAL_MEM_FENCE); x[0] = t[get_global_id(0) / 2]; }";
    static const char large[] =
        "__kernel void k(__global int *x, int16 a, int16 b, int16 c, int16 d)"
        "{ x[0] = a.s0 + b.s1 + c.s2 + d.s3; }";
    const cl_layer *layer = test_cl_layer();
    (void)state;
    assert_non_null(layer);
    const cl_int errors[TRIES] = {
        [GROUP] = try_launch(plain, 1, 64, 0),
        [GROUP_2D] = try_launch(plain, 2, 2, 0),
        [LOCAL] = try_launch(local, 1, 1, 0),
        [ARGUMENTS] = try_launch(large, 1, 1, 4),
        [BUFFER] = try_buffers((1 << 20) + 1, 1),
        [MEMORY] = try_buffers(1 << 20, 5),
        [OFFSET] = try_offset(),
        [OVERLAP] = try_overlap(),
        [DOUBLE] = try_source("__kernel void k(__global double *x) { x[0] = 1; }"),
        [LONG] = try_source("__kernel void k(__global long *x) { x[0] = 1; }"),
        [QUEUE] = try_queue(),
    };
    uint64_t mistakes = 0;
    for (int i = 0; i < TRIES; i++) {
        if (errors[i] != wanted->errors[i])
            print_error("%s: try %d gives %d\n", wanted->name, i, errors[i]);
        assert_int_equal(errors[i], wanted->errors[i]);
        mistakes += errors[i] != CL_SUCCESS && errors[i] != CL_MEM_OBJECT_ALLOCATION_FAILURE;
    }
    assert_int_equal(layer->mistakes(), mistakes);
    layer->forgive();
}

/* What sinter is told */

static void sinter_knows_the_limits(void **state)
{
    sinter_device_info info = SINTER_DEVICE_INFO_INIT;
    sinter_context *ctx = NULL;
    (void)state;
    if (wanted->errors[LONG] != CL_SUCCESS) {
        FAILS(SINTER_ENODEVICE, sinter_context_create(NULL, &ctx));
        assert_non_null(strstr(sinter_last_error(), "64-bit integers"));
        return;
    }
    OK(sinter_context_create(NULL, &ctx));
    OK(sinter_context_device(ctx, &info));
    OK(sinter_context_destroy(ctx));
    if (wanted->group != 0)
        assert_int_equal(info.max_work_group, wanted->group);
    if (wanted->local != 0 || wanted->no_local != 0)
        assert_int_equal(info.local_memory_bytes, wanted->local);
    if (wanted->align != 0)
        assert_int_equal(info.alignment_bytes, wanted->align);
    if (wanted->buffer != 0)
        assert_int_equal(info.max_allocation_bytes, wanted->buffer);
    if (wanted->memory != 0)
        assert_int_equal(info.global_memory_bytes, wanted->memory);
    if (wanted->arguments != 0)
        assert_int_equal(info.max_parameter_bytes, wanted->arguments);
    if (wanted->gpu != 0) {
        assert_int_equal(info.kind, SINTER_DEVICE_GPU);
        assert_int_equal(info.has_f16, 0);
        assert_non_null(strstr(info.quirks, "sub-buffers that overlap"));
    }
    if (wanted->no_double != 0) { /* nor does it say what its cache is */
        assert_int_equal(info.has_f64 | info.has_f16, 0);
        assert_int_equal(info.last_cache_bytes,
                         info.kind == SINTER_DEVICE_CPU ? sinter__room_cache("") : 0);
    }
}

static int open_device(void **state)
{
    const char *path = getenv("SINTER_OPENCL_LIB");
    void *library = path != NULL ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    cl_platform_id platform;
    (void)state;
    assert_non_null(library);
#define FIND(name)                                                                                 \
    {                                                                                              \
        void *symbol = dlsym(library, #name);                                                      \
        memcpy(&name##_, &symbol, sizeof symbol);                                                  \
    }
    CALLS(FIND)
    assert_int_equal(clGetPlatformIDs_(1, &platform, NULL), CL_SUCCESS);
    assert_int_equal(clGetDeviceIDs_(platform, CL_DEVICE_TYPE_ALL, 1, &at.device, NULL),
                     CL_SUCCESS);
    at.context = clCreateContext_(NULL, 1, &at.device, NULL, NULL, NULL);
    at.queue = clCreateCommandQueue_(at.context, at.device, 0, NULL);
    assert_non_null(at.queue);
    return 0;
}

static int close_device(void **state)
{
    (void)state;
    (void)clReleaseCommandQueue_(at.queue);
    (void)clReleaseContext_(at.context);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_goes_past_a_limit_is_refused),
        cmocka_unit_test(sinter_knows_the_limits),
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (argc == 2 && strcmp(all[i].name, argv[1]) == 0)
            wanted = &all[i];
    }
    if (wanted == NULL)
        return 1;
    (void)setenv("SINTER_TEST_CL", wanted->name, 1);
    return cmocka_run_group_tests(tests, open_device, close_device);
}
