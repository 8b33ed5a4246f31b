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

/* Launch `i` reads slot `i` modulo 2 of the memory and writes the other. */
static bool set_arguments(bench_cl *cl, const bench_bare *b, size_t i, size_t slot_bytes,
                          size_t elements)
{
    cl_ulong from = i % 2 * slot_bytes;
    cl_ulong to = slot_bytes - from;
    cl_int count = (cl_int)elements;
    cl_float factor = 0.5f;
    const struct {
        size_t bytes;
        const void *value;
    } arguments[] = {
        {sizeof b->memory, &b->memory}, {sizeof from, &from},
        {sizeof b->memory, &b->memory}, {sizeof to, &to},
        {sizeof count, &count},         {sizeof count, &count},
        {sizeof factor, &factor},
    };
    cl_int error = CL_SUCCESS;
    for (cl_uint k = 0; k < 7 && error == CL_SUCCESS; k++)
        error = cl->call.clSetKernelArg(b->kernels[i], k, arguments[k].bytes, arguments[k].value);
    return error == CL_SUCCESS || bench_cl_fail(cl, "clSetKernelArg", error);
}

bool bench_bare_create(bench_cl *cl, const char *text, size_t elements, bench_bare *out)
{
    char name[NAME_BYTES];
    size_t slot_bytes =
        (elements * sizeof(float) + ALIGNMENT_BYTES - 1) & ~(size_t)(ALIGNMENT_BYTES - 1);
    memset(out, 0, sizeof *out);
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
