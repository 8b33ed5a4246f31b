#include "executor/cl.h"

#include "executor/env.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const char *const library_names[] = {
    "libOpenCL.so.1",
    "libOpenCL.so",
    "libOpenCL-pixel.so",
    "libmali.so",
};

static sinter__cl table;
static bool loaded;
static char reason[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* A symbol as a function pointer, without a cast that ISO C leaves open. */
static void find_symbol(void *library, const char *name, void *pointer)
{
    void *symbol = dlsym(library, name);
    memcpy(pointer, &symbol, sizeof symbol);
}

static bool fill_table(void *library)
{
#define CL_CALL(name)                                                                              \
    find_symbol(library, #name, &table.name);                                                      \
    if (table.name == NULL) {                                                                      \
        (void)snprintf(reason, sizeof reason, "the OpenCL library has no " #name);                 \
        return false;                                                                              \
    }
#include "executor/cl_calls.def"
#undef CL_CALL
    return true;
}

/* The library stays loaded: drivers do not survive being taken out. */
static void load(void)
{
    const char *own = sinter__env_text(SINTER__ENV_OPENCL_LIB);
    void *library = own != NULL ? dlopen(own, RTLD_NOW | RTLD_LOCAL) : NULL;
    for (size_t i = 0; i < SINTER__COUNT(library_names) && library == NULL && own == NULL; i++)
        library = dlopen(library_names[i], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        const char *error = dlerror();
        (void)snprintf(reason, sizeof reason, "no OpenCL library: %s",
                       own != NULL && error != NULL ? error : "libOpenCL.so.1 is not installed");
        return;
    }
    loaded = fill_table(library);
}

const sinter__cl *sinter__cl_load(const char **why)
{
    (void)pthread_once(&once, load);
    if (why != NULL)
        *why = reason;
    return loaded ? &table : NULL;
}

#define ERROR_CASE(name)                                                                           \
    case name:                                                                                     \
        known = #name;                                                                             \
        break;

const char *sinter__cl_error_text(cl_int error, char text[SINTER__CL_ERROR_TEXT])
{
    const char *known = "OpenCL error";
    switch (error) {
        ERROR_CASE(CL_DEVICE_NOT_FOUND)
        ERROR_CASE(CL_DEVICE_NOT_AVAILABLE)
        ERROR_CASE(CL_COMPILER_NOT_AVAILABLE)
        ERROR_CASE(CL_MEM_OBJECT_ALLOCATION_FAILURE)
        ERROR_CASE(CL_OUT_OF_RESOURCES)
        ERROR_CASE(CL_OUT_OF_HOST_MEMORY)
        ERROR_CASE(CL_BUILD_PROGRAM_FAILURE)
        ERROR_CASE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
        ERROR_CASE(CL_INVALID_VALUE)
        ERROR_CASE(CL_INVALID_BUFFER_SIZE)
        ERROR_CASE(CL_INVALID_COMMAND_QUEUE)
        ERROR_CASE(CL_INVALID_MEM_OBJECT)
        ERROR_CASE(CL_INVALID_BINARY)
        ERROR_CASE(CL_INVALID_BUILD_OPTIONS)
        ERROR_CASE(CL_INVALID_KERNEL_NAME)
        ERROR_CASE(CL_INVALID_KERNEL)
        ERROR_CASE(CL_INVALID_KERNEL_ARGS)
        ERROR_CASE(CL_INVALID_WORK_GROUP_SIZE)
        ERROR_CASE(CL_INVALID_WORK_ITEM_SIZE)
        ERROR_CASE(CL_INVALID_GLOBAL_WORK_SIZE)
        ERROR_CASE(CL_INVALID_OPERATION)
    case -1001:
        known = "CL_PLATFORM_NOT_FOUND_KHR";
        break;
    default:
        break;
    }
    (void)snprintf(text, SINTER__CL_ERROR_TEXT, "%s (%d)", known, (int)error);
    return text;
}

sinter_status sinter__cl_fail(const char *call, cl_int error)
{
    char text[SINTER__CL_ERROR_TEXT];
    sinter_status status =
        error == CL_MEM_OBJECT_ALLOCATION_FAILURE || error == CL_INVALID_BUFFER_SIZE
            ? SINTER_EDEVMEM
        : error == CL_OUT_OF_HOST_MEMORY ? SINTER_ENOMEM
                                         : SINTER_EDEVICE;
    return sinter__fail(status, "%s: %s", call, sinter__cl_error_text(error, text));
}
