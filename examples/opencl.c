/* A program with kernels of its own beside sinter, in one queue: its first kernel fills a buffer, sinter computes a
 * softmax of the rows where they lie, its second kernel reads the result where that lies. Nothing is copied
 * and the host waits once, at the end. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <sinter/opencl.h>
#include <sinter/sinter.h>

#include <stdio.h>

enum { ROWS = 4, COLUMNS = 256 };

static const char *const source =
    "__kernel void fill(__global float *x, uint columns)\n"
    "{\n"
    "    uint row = get_global_id(0);\n"
    "    for (uint i = 0; i < columns; i++)\n"
    "        x[row * columns + i] = -0.01f * (float)((row + 1) * i);\n"
    "}\n"
    "__kernel void mean(__global const float *p, uint first, uint columns, __global float *out)\n"
    "{\n"
    "    uint row = get_global_id(0);\n"
    "    float sum = 0.0f;\n"
    "    for (uint i = 0; i < columns; i++)\n"
    "        sum += p[first + row * columns + i] * (float)i;\n"
    "    out[row] = sum;\n"
    "}\n";

/* The program's own objects, all released by itself. */
typedef struct own {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_mem x, means;
    cl_program program;
    cl_kernel fill, mean;
} own;

static int make_own(own *o)
{
    cl_platform_id platform;
    if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &o->device, NULL) != CL_SUCCESS)
        return 0;
    o->context = clCreateContext(NULL, 1, &o->device, NULL, NULL, NULL);
    o->queue = clCreateCommandQueue(o->context, o->device, 0, NULL);
    o->x =
        clCreateBuffer(o->context, CL_MEM_READ_WRITE, sizeof(float) * ROWS * COLUMNS, NULL, NULL);
    o->means = clCreateBuffer(o->context, CL_MEM_READ_WRITE, sizeof(float) * ROWS, NULL, NULL);
    o->program = clCreateProgramWithSource(o->context, 1, (const char **)&source, NULL, NULL);
    if (clBuildProgram(o->program, 1, &o->device, NULL, NULL, NULL) != CL_SUCCESS)
        return 0;
    o->fill = clCreateKernel(o->program, "fill", NULL);
    o->mean = clCreateKernel(o->program, "mean", NULL);
    return o->queue != NULL && o->x != NULL && o->means != NULL && o->fill != NULL &&
           o->mean != NULL;
}

static void release_own(const own *o)
{
    (void)clReleaseKernel(o->mean);
    (void)clReleaseKernel(o->fill);
    (void)clReleaseProgram(o->program);
    (void)clReleaseMemObject(o->means);
    (void)clReleaseMemObject(o->x);
    (void)clReleaseCommandQueue(o->queue);
    (void)clReleaseContext(o->context);
}

static int launch_fill(const own *o)
{
    const size_t rows = ROWS;
    const cl_uint columns = COLUMNS;
    return clSetKernelArg(o->fill, 0, sizeof o->x, &o->x) == CL_SUCCESS &&
           clSetKernelArg(o->fill, 1, sizeof columns, &columns) == CL_SUCCESS &&
           clEnqueueNDRangeKernel(o->queue, o->fill, 1, NULL, &rows, NULL, 0, NULL, NULL) ==
               CL_SUCCESS;
}

/* On a tensor that sinter has let go of. */
static int launch_mean(const own *o, const sinter_cl_place *p)
{
    const size_t rows = ROWS;
    const cl_uint columns = COLUMNS;
    const cl_uint first = (cl_uint)(p->offset_bytes / sizeof(float));
    return clSetKernelArg(o->mean, 0, sizeof p->buffer, &p->buffer) == CL_SUCCESS &&
           clSetKernelArg(o->mean, 1, sizeof first, &first) == CL_SUCCESS &&
           clSetKernelArg(o->mean, 2, sizeof columns, &columns) == CL_SUCCESS &&
           clSetKernelArg(o->mean, 3, sizeof o->means, &o->means) == CL_SUCCESS &&
           clEnqueueNDRangeKernel(o->queue, o->mean, 1, NULL, &rows, NULL, 0, NULL, NULL) ==
               CL_SUCCESS;
}

/* Between the two kernels: the place of the softmax, until `s` takes it back. */
static sinter_status softmax(sinter_stream *s, const own *o, sinter_tensor *y, sinter_cl_place *p)
{
    const int64_t shape[] = {ROWS, COLUMNS};
    sinter_cl_memory memory = SINTER_CL_MEMORY_INIT;
    sinter_tensor x;
    memory.buffer = o->x;
    sinter_status status = sinter_tensor_from_cl(s, &memory, SINTER_F32, 2, shape, &x);
    if (status == SINTER_OK)
        status = sinter_softmax(s, x, 1, (const int[]){1}, y);
    if (status == SINTER_OK)
        status = sinter_tensor_release(s, x); /* the buffer stays the program's */
    return status == SINTER_OK ? sinter_cl_release(s, *y, SINTER_MAP_READ, p, NULL) : status;
}

int main(void)
{
    own o = {0};
    float means[ROWS];
    sinter_context *ctx = NULL;
    sinter_stream *s = NULL;
    sinter_tensor y;
    sinter_cl_place place = SINTER_CL_PLACE_INIT;

    if (!make_own(&o)) {
        (void)fprintf(stderr, "opencl: no device of OpenCL that can be used\n");
        return 1;
    }
    if (sinter_context_from_cl(o.context, o.device, NULL, &ctx) != SINTER_OK ||
        sinter_stream_from_cl(ctx, o.queue, NULL, &s) != SINTER_OK || !launch_fill(&o) ||
        softmax(s, &o, &y, &place) != SINTER_OK || !launch_mean(&o, &place) ||
        sinter_cl_acquire(s, y, NULL) != SINTER_OK || /* what follows comes after the kernel */
        clEnqueueReadBuffer(o.queue, o.means, CL_TRUE, 0, sizeof means, means, 0, NULL, NULL) !=
            CL_SUCCESS) {
        (void)fprintf(stderr, "opencl: %s\n", sinter_last_error());
        return 1;
    }
    printf("%.2f %.2f %.2f %.2f\n", means[0], means[1], means[2], means[3]);
    (void)sinter_tensor_release(s, y);
    (void)sinter_stream_destroy(s);
    (void)sinter_context_destroy(ctx);
    release_own(&o);
    return 0;
}
