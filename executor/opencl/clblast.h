/* CLBlast, a library of matrix products on OpenCL, loaded at run time through one table of function
 * pointers. Tests have it filled from a library of their own, which SINTER_CLBLAST_LIB names. */
#ifndef SINTER_EXECUTOR_CLBLAST_H
#define SINTER_EXECUTOR_CLBLAST_H

#include "executor/opencl/cl.h"
#include "fusion/plan/gemm.h"

/* A matrix of a product: its buffer, and where in it the matrix begins. */
typedef struct sinter__clblast_matrix {
    cl_mem buffer;
    size_t offset; /* in elements; CLBlast copies a matrix for which it is not 0 */
} sinter__clblast_matrix;

/* Loads the library. False when there is none, or when the OpenCL that it is linked with does not
 * know `platform`; then *why is the reason, a string that lives as long as the process. */
bool sinter__clblast_load(cl_platform_id platform, const char **why);

/* Bytes of scratch that the product needs with these matrices. */
sinter_status sinter__clblast_scratch(cl_command_queue queue, const sinter__gemm *x,
                                      const sinter__clblast_matrix matrices[3], uint64_t *bytes);

/* Enqueues the product. `scratch` NULL: it needs none. `warm` are two numbers of the caller's for
 * each context, 0 at first: by them *built says whether CLBlast had to build its kernels. */
sinter_status sinter__clblast_gemm(cl_command_queue queue, const sinter__gemm *x,
                                   const sinter__clblast_matrix matrices[3], cl_mem scratch,
                                   uint64_t warm[2], bool *built);

/* Before a context goes in which products were computed: CLBlast keeps what it has built, and with it
 * the context, until it is told to drop everything. */
void sinter__clblast_forget(void);

#endif /* SINTER_EXECUTOR_CLBLAST_H */
