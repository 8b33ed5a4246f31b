/* The little of OpenCL that the hand-written kernels need, on the device that a sinter context
 * uses.
 *
 * bench links to no OpenCL library: it is loaded as sinter loads it. Every function returns false
 * on failure and leaves a line in `why`. */
#ifndef SINTER_BENCH_OPENCL_H
#define SINTER_BENCH_OPENCL_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct bench_cl_calls {
#define CL_CALL(name) __typeof__(name) *name; /* NOLINT(bugprone-macro-parentheses) */
#include "bench/opencl_calls.def"
#undef CL_CALL
} bench_cl_calls;

typedef struct bench_cl {
    bench_cl_calls call;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    size_t max_group;
    bool is_cpu;
    char why[1024];
} bench_cl;

/* Opens the device that sinter calls `selector`, "platform:device". */
bool bench_cl_open(bench_cl *cl, const char *selector);
void bench_cl_close(bench_cl *cl);

/* On a CPU a large one lies in large pages where Linux has them, as sinter's own memory does. */
bool bench_cl_buffer(bench_cl *cl, size_t bytes, cl_mem *out);
bool bench_cl_write(bench_cl *cl, cl_mem buffer, size_t bytes, const void *data);
bool bench_cl_read(bench_cl *cl, cl_mem buffer, size_t bytes, void *data);
bool bench_cl_build(bench_cl *cl, const char *const *texts, cl_uint count, const char *options,
                    cl_program *out);
bool bench_cl_finish(bench_cl *cl);

/* false, with the call and the error in cl->why. */
bool bench_cl_fail(bench_cl *cl, const char *call, cl_int error);

#endif /* SINTER_BENCH_OPENCL_H */
