/* Programs from source. The one hard idea: a driver that reads the declarations of all built-in
 * functions in front of every program takes most of a build for that. Its header keeps itself from
 * being read twice, and so it is told that it has been read, and given the few declarations that
 * kernels want (docs/decisions/declarations.md). */
#include "executor/opencl/build.h"

#include <stdio.h>
#include <string.h>

/* What the header defines, clang's opencl-c.h. */
#define HAS_BEEN_READ " -D_OPENCL_H_"

void sinter__cl_builder_init(sinter__cl_builder *b, const sinter__device *device,
                             sinter__allocator *a, cl_context context)
{
    b->cl = device->cl;
    b->allocator = a;
    b->context = context;
    b->device = device->id;
    b->options = device->build_options;
    atomic_init(&b->declares, device->reads_header);
}

static void get_log(const sinter__cl_builder *b, cl_program program, sinter__buffer *log)
{
    size_t bytes = 0;
    if (b->cl->clGetProgramBuildInfo(program, b->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes) !=
            CL_SUCCESS ||
        bytes < 2)
        return;
    char *text = sinter__alloc(b->allocator, bytes);
    if (text != NULL && b->cl->clGetProgramBuildInfo(program, b->device, CL_PROGRAM_BUILD_LOG,
                                                     bytes, text, NULL) == CL_SUCCESS)
        sinter__buffer_add(log, text, strnlen(text, bytes));
    sinter__free(b->allocator, text, bytes);
}

static sinter_status attempt(const sinter__cl_builder *b, const char *source, bool declares,
                             cl_program *out, sinter__buffer *log)
{
    const char *texts[] = {sinter__declared_files[0].text, source};
    char options[128];
    char text[SINTER__CL_ERROR_TEXT];
    cl_int error = CL_SUCCESS;
    *out = NULL;
    cl_program program = b->cl->clCreateProgramWithSource(
        b->context, declares ? 2 : 1, declares ? texts : texts + 1, NULL, &error);
    if (error != CL_SUCCESS || program == NULL)
        return sinter__cl_fail("clCreateProgramWithSource", error);
    (void)snprintf(options, sizeof options, "%s%s", b->options, declares ? HAS_BEEN_READ : "");
    error = b->cl->clBuildProgram(program, 1, &b->device, options, NULL, NULL);
    get_log(b, program, log);
    if (error == CL_SUCCESS) {
        *out = program;
        return SINTER_OK;
    }
    (void)b->cl->clReleaseProgram(program);
    if (error == CL_OUT_OF_HOST_MEMORY || error == CL_DEVICE_NOT_AVAILABLE)
        return sinter__cl_fail("clBuildProgram", error);
    return sinter__fail(SINTER_EBUILD, "a kernel does not build: clBuildProgram: %s: %.200s",
                        sinter__cl_error_text(error, text), sinter__buffer_text(log));
}

sinter_status sinter__cl_build(sinter__cl_builder *b, const char *source, cl_program *out,
                               sinter__buffer *log)
{
    bool declares = atomic_load_explicit(&b->declares, memory_order_relaxed);
    sinter_status status = attempt(b, source, declares, out, log);
    if (status != SINTER_EBUILD || !declares)
        return status;
    /* A header that is another one, or not read in such a way: then ours may be what does not build. */
    status = attempt(b, source, false, out, log);
    if (status == SINTER_OK)
        atomic_store_explicit(&b->declares, false, memory_order_relaxed);
    return status;
}
