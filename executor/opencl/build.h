/* Programs from source. */
#ifndef SINTER_EXECUTOR_OPENCL_BUILD_H
#define SINTER_EXECUTOR_OPENCL_BUILD_H

#include "core/buffer.h"
#include "executor/opencl/device.h"
#include "fusion/library/library.h"

#include <stdatomic.h>

/* cl_kernels/declared.cl */
extern const sinter__embedded_file sinter__declared_files[];
extern const size_t sinter__declared_file_count;

/* How programs are built for a device in a context. */
typedef struct sinter__cl_builder {
    const sinter__cl *cl;
    sinter__allocator *allocator;
    cl_context context;
    cl_device_id device;
    const char *options;
    atomic_bool declares; /* our declarations stand in for those that the driver would read */
} sinter__cl_builder;

void sinter__cl_builder_init(sinter__cl_builder *b, const sinter__device *device,
                             sinter__allocator *a, cl_context context);

/* Builds `source`; what the compiler says goes to `log`. SINTER_EBUILD: the compiler refuses it. From any thread. */
sinter_status sinter__cl_build(sinter__cl_builder *b, const char *source, cl_program *out,
                               sinter__buffer *log);

#endif /* SINTER_EXECUTOR_OPENCL_BUILD_H */
