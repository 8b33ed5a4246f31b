#include "bench/bare.h"

#include <stdio.h>
#include <string.h>

/* Offsets in a buffer are multiples of this. */
#define ALIGNMENT_BYTES 256
#define NAME_BYTES 128

void bench_bare_release(bench_cl *cl, bench_bare *b)
{
    for (size_t i = 0; i < b->count; i++)
        (void)cl->call.clReleaseKernel(b->kernels[i]);
    if (b->memory != NULL)
        (void)cl->call.clReleaseMemObject(b->memory);
    if (b->program != NULL)
        (void)cl->call.clReleaseProgram(b->program);
    memset(b, 0, sizeof *b);
}

/* The name of the text's kernel: the word behind the last "void ". */
static bool find_name(bench_cl *cl, const char *text, char name[NAME_BYTES])
{
    const char *at = NULL;
    for (const char *next = strstr(text, "\nvoid "); next != NULL;
         next = strstr(next + 1, "\nvoid "))
        at = next + 6;
    size_t bytes = at != NULL ? strcspn(at, "(") : 0;
    if (bytes == 0 || bytes >= NAME_BYTES)
        return bench_cl_fail(cl, "the text of a kernel has no name", 0);
    memcpy(name, at, bytes);
    name[bytes] = '\0';
    return true;
}

#define PACKED_ARGUMENTS 4
#define ARGUMENTS 7
#define PACK_BYTES 16

typedef struct numbers {
    cl_ulong from, to;
    cl_int count, segment;
    cl_float factor, none;
} numbers;

typedef struct argument {
    size_t bytes;
    const void *value;
} argument;

static bool set_all(bench_cl *cl, cl_kernel kernel, const argument *all, cl_uint count)
{
    cl_int error = CL_SUCCESS;
    for (cl_uint k = 0; k < count && error == CL_SUCCESS; k++)
        error = cl->call.clSetKernelArg(kernel, k, all[k].bytes, all[k].value);
    return error == CL_SUCCESS || bench_cl_fail(cl, "clSetKernelArg", error);
}

/* Launch `i` reads slot `i` modulo 2 of the memory and writes the other. Packed, four words are an argument. */
static bool set_arguments(bench_cl *cl, const bench_bare *b, size_t i, size_t slot_bytes,
                          size_t elements)
{
    const numbers n = {
        i % 2 * slot_bytes, (i + 1) % 2 * slot_bytes, (cl_int)elements, (cl_int)elements, 0.5f, 0};
    const argument memory = {sizeof b->memory, &b->memory};
    const argument packed[PACKED_ARGUMENTS] = {
        memory, memory, {PACK_BYTES, &n}, {PACK_BYTES, &n.count}};
    const argument apart[ARGUMENTS] = {
        memory,
        {sizeof n.from, &n.from},
        memory,
        {sizeof n.to, &n.to},
        {sizeof n.count, &n.count},
        {sizeof n.segment, &n.segment},
        {sizeof n.factor, &n.factor},
    };
    return b->packed ? set_all(cl, b->kernels[i], packed, PACKED_ARGUMENTS)
                     : set_all(cl, b->kernels[i], apart, ARGUMENTS);
}

bool bench_bare_create(bench_cl *cl, const char *text, size_t elements, bench_bare *out)
{
    char name[NAME_BYTES];
    size_t slot_bytes =
        (elements * sizeof(float) + ALIGNMENT_BYTES - 1) & ~(size_t)(ALIGNMENT_BYTES - 1);
    memset(out, 0, sizeof *out);
    out->packed = strstr(text, "uint4 pack0") != NULL;
    bool fine = find_name(cl, text, name) &&
                bench_cl_build(cl, &text, 1, "-cl-std=CL1.2", &out->program) &&
                bench_cl_buffer(cl, 2 * slot_bytes, &out->memory);
    while (fine && out->count < BENCH_BARE_LAUNCHES) {
        cl_int error = CL_SUCCESS;
        size_t i = out->count;
        out->kernels[i] = cl->call.clCreateKernel(out->program, name, &error);
        fine = error == CL_SUCCESS || bench_cl_fail(cl, "clCreateKernel", error);
        out->count += fine;
        fine = fine && set_arguments(cl, out, i, slot_bytes, elements);
    }
    if (!fine)
        bench_bare_release(cl, out);
    return fine;
}

bool bench_bare_run(bench_cl *cl, const bench_bare *b)
{
    const size_t one = 1;
    for (size_t i = 0; i < b->count; i++) {
        cl_int error = cl->call.clEnqueueNDRangeKernel(cl->queue, b->kernels[i], 1, NULL, &one,
                                                       &one, 0, NULL, NULL);
        if (error != CL_SUCCESS)
            return bench_cl_fail(cl, "clEnqueueNDRangeKernel", error);
    }
    return bench_cl_finish(cl);
}
