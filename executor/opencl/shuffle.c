#include "executor/opencl/shuffle.h"

#include "fusion/nest/tree.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* Groups of several sub-groups, and several of them: numbers of work-items as in the kernels. */
#define GROUP SINTER__TREE_LANES
#define ITEMS ((size_t)2 * GROUP)
#define TYPES ((size_t)4)
#define STEPS 6
#define NUMBERS (TYPES * STEPS * ITEMS)
#define SOURCE_BYTES 4096
#define MAX_KEPT 16

/* A value of each type: from the number of a work-item, with bits of it in both halves. */
static const struct {
    const char *type;
    uint64_t times;
} types[TYPES] = {
    {"uint", 0x10001}, {"float", 0x10001}, {"ulong", 0x100000001}, {"double", 0x100000001}};

static size_t type_count(const sinter__device *d)
{
    return d->limits.has_f64 ? TYPES : TYPES - 1;
}

/* One number for each type, step and work-item. */
static void print_source(const sinter__device *d, char *out)
{
    const uint32_t size = d->limits.sub_group;
    size_t at = (size_t)snprintf(
        out, SOURCE_BYTES,
        "%s__kernel __attribute__((reqd_work_group_size(%d, 1, 1)))\n" SINTER__SUB_GROUP_ATTRIBUTE
        "void probe(__global ulong *out)\n{\n"
        "    out += get_global_id(0);\n    ulong id = get_local_id(0);\n"
        "    for (uint bit = 1; bit < %u; bit *= 2) {\n",
        d->limits.has_f64 ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" : "", GROUP, size,
        size);
    for (size_t t = 0; t < type_count(d); t++) {
        at += (size_t)snprintf(
            out + at, SOURCE_BYTES - at, "        out[%zu] = (ulong)%s((%s)(id * 0x%lxul), bit);\n",
            t * STEPS * ITEMS, d->limits.shuffle, types[t].type, (unsigned long)types[t].times);
    }
    (void)snprintf(out + at, SOURCE_BYTES - at, "        out += %zu;\n    }\n}\n", ITEMS);
}

static bool is_right(const sinter__device *d, const uint64_t *found)
{
    for (size_t t = 0; t < type_count(d); t++) {
        for (uint32_t k = 0; k < STEPS && 1u << k < d->limits.sub_group; k++) {
            for (uint32_t i = 0; i < ITEMS; i++) {
                if (found[(t * STEPS + k) * ITEMS + i] !=
                    ((i % GROUP) ^ (1u << k)) * types[t].times)
                    return false;
            }
        }
    }
    return true;
}

/* What a run of it needs, each NULL until it is there. */
typedef struct run {
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    cl_mem memory;
} run;

static cl_int make(const sinter__device *d, const char *source, run *r)
{
    const sinter__cl *cl = d->cl;
    cl_int error = CL_SUCCESS;
    r->context = cl->clCreateContext(NULL, 1, &d->id, NULL, NULL, &error);
    if (error == CL_SUCCESS)
        r->queue = cl->clCreateCommandQueue(r->context, d->id, 0, &error);
    if (error == CL_SUCCESS)
        r->memory = cl->clCreateBuffer(r->context, CL_MEM_READ_WRITE, NUMBERS * sizeof(uint64_t),
                                       NULL, &error);
    if (error == CL_SUCCESS)
        r->program = cl->clCreateProgramWithSource(r->context, 1, &source, NULL, &error);
    if (error == CL_SUCCESS)
        error = cl->clBuildProgram(r->program, 1, &d->id, d->build_options, NULL, NULL);
    if (error == CL_SUCCESS)
        r->kernel = cl->clCreateKernel(r->program, "probe", &error);
    return error;
}

static cl_int compute(const sinter__device *d, const run *r, uint64_t *found)
{
    const sinter__cl *cl = d->cl;
    const size_t global = ITEMS;
    const size_t local = GROUP;
    cl_int error = cl->clSetKernelArg(r->kernel, 0, sizeof r->memory, &r->memory);
    if (error == CL_SUCCESS)
        error = cl->clEnqueueNDRangeKernel(r->queue, r->kernel, 1, NULL, &global, &local, 0, NULL,
                                           NULL);
    if (error == CL_SUCCESS)
        error = cl->clEnqueueReadBuffer(r->queue, r->memory, CL_TRUE, 0, NUMBERS * sizeof *found,
                                        found, 0, NULL, NULL);
    return error;
}

static void release(const sinter__cl *cl, run *r)
{
    if (r->queue != NULL)
        (void)cl->clFinish(r->queue); /* a launch whose result could not be read runs still */
    if (r->kernel != NULL)
        (void)cl->clReleaseKernel(r->kernel);
    if (r->program != NULL)
        (void)cl->clReleaseProgram(r->program);
    if (r->memory != NULL)
        (void)cl->clReleaseMemObject(r->memory);
    if (r->queue != NULL)
        (void)cl->clReleaseCommandQueue(r->queue);
    if (r->context != NULL)
        (void)cl->clReleaseContext(r->context);
}

/* *right: what it gave. An error that says nothing of shuffles is returned. */
static cl_int probe(const sinter__device *d, bool *right)
{
    char source[SOURCE_BYTES];
    uint64_t found[NUMBERS];
    run r = {0};
    memset(found, 0, sizeof found);
    print_source(d, source);
    cl_int error = make(d, source, &r);
    if (error == CL_SUCCESS)
        error = compute(d, &r, found);
    *right = error == CL_SUCCESS && is_right(d, found);
    release(d->cl, &r);
    return error == CL_BUILD_PROGRAM_FAILURE ? CL_SUCCESS : error;
}

/* Devices that have answered. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    cl_device_id id;
    const char *shuffle; /* the very string that it was asked with */
    bool right;
} kept[MAX_KEPT];
static size_t kept_count;

bool sinter__shuffles_hold(const sinter__device *d)
{
    bool right = false;
    if (d->limits.shuffle == NULL || d->info.max_work_group < GROUP)
        return false;
    (void)pthread_mutex_lock(&lock);
    size_t i = 0;
    while (i < kept_count && (kept[i].id != d->id || kept[i].shuffle != d->limits.shuffle))
        i++;
    if (i < kept_count) {
        right = kept[i].right;
    } else if (probe(d, &right) == CL_SUCCESS && kept_count < MAX_KEPT) {
        kept[kept_count].id = d->id;
        kept[kept_count].shuffle = d->limits.shuffle;
        kept[kept_count++].right = right;
    }
    (void)pthread_mutex_unlock(&lock);
    return right;
}
