/* What kernels have been given: for a device that is played, which refuses too many bytes of arguments, and records
 * launches with what they have. */
#ifndef SINTER_TESTS_CL_KERNELS_H
#define SINTER_TESTS_CL_KERNELS_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdint.h>

void cl_kernels_note(cl_kernel kernel, cl_program program, const char *name);
void cl_kernels_forget(cl_kernel kernel);

/* Argument `index` of the kernel is these bytes from now on. */
void cl_kernels_give(cl_kernel kernel, cl_uint index, size_t bytes, const void *value);

/* What its arguments take, all of them. */
uint64_t cl_kernels_bytes(cl_kernel kernel);

typedef cl_int set_argument_fn(cl_kernel kernel, cl_uint index, size_t bytes, const void *value);

/* Another kernel with what it has, made by the driver's own functions; NULL: an argument is too large. */
cl_kernel cl_kernels_copy(cl_kernel kernel,
                          cl_kernel (*create)(cl_program program, const char *name, cl_int *error),
                          set_argument_fn *set);

#endif /* SINTER_TESTS_CL_KERNELS_H */
