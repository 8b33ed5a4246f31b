/* An OpenCL driver that is wrong: the real one, but `= -v` of a kernel's text becomes `= +v`, so
 * that negation does nothing. SINTER_OPENCL_LIB names it. All other calls are found in the OpenCL
 * library that this one is linked with. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef __typeof__(clCreateProgramWithSource) create_program;

__attribute__((visibility("default"))) cl_program
clCreateProgramWithSource(cl_context context, cl_uint n, const char **strings,
                          const size_t *lengths, cl_int *error)
{
    create_program *real;
    void *symbol = dlsym(RTLD_NEXT, "clCreateProgramWithSource");
    const char *kernels = strings[n - 1]; /* declarations may stand before them */
    size_t bytes = strlen(kernels) + 1;
    char *text = malloc(bytes);
    memcpy(&real, &symbol, sizeof symbol);
    if (text == NULL || n > 2 || lengths != NULL)
        abort();
    memcpy(text, kernels, bytes);
    for (char *at = text; (at = strstr(at, "= -v")) != NULL; at += 4)
        at[2] = '+';
    const char *changed[] = {n > 1 ? strings[0] : "", text};
    cl_program made = real(context, 2, changed, NULL, error);
    free(text);
    return made;
}
