/* An OpenCL library for tests: SINTER_OPENCL_LIB names it, and it hands every call on to the real
 * one. On the way it counts objects, makes calls fail when a test says so (cl_layer.h), calls Oclgrind from
 * one thread at a time (cl_serial.h), and can pretend:
 *
 *   SINTER_TEST_CL=keep   buffers are not released before the process ends: Oclgrind gives a new
 *                         buffer the shadow memory of an old one at the same address, and then
 *                         reports reads as uninitialised
 *   SINTER_TEST_CL=apart  a device that does not share the host's memory
 *   SINTER_TEST_CL=NAME   a device of one of the personalities of cl_personality.c: it says what
 *                         such a device says, and refuses what goes past its limits; what sinter
 *                         could have known beforehand is a mistake
 *
 * and several of these with commas between. Objects that are left when the process ends, and mistakes, make
 * it exit with 99. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "support/cl_buffers.h"
#include "support/cl_inside.h"
#include "support/cl_kept.h"
#include "support/cl_kernels.h"
#include "support/cl_layer.h"
#include "support/cl_lent.h"
#include "support/cl_parts.h"
#include "support/cl_personality.h"
#include "support/cl_queues.h"
#include "support/cl_serial.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_CONTEXTS 64
#define MAX_OBJECTS 65536

static cl_real real;

static struct {
    pthread_mutex_t lock;
    int keep, apart;
    const cl_personality *plays; /* NULL: the real device */
    cl_device_id device;         /* of the last context */
    uint64_t calls, failed, mistakes, binaries, binary_bytes, undeclared, priority;
    cl_program broken; /* the last one that a test has refused */
    uint64_t until;    /* calls before one fails */
    int error, persistent;
    const char *first;
    const char *named; /* calls of this name fail */
    int named_error;
    uint64_t spared;                  /* of those calls that come first, so many do not fail */
    const char *refused[2];           /* programs that contain both do not build */
    const void *objects[MAX_OBJECTS]; /* alive */
    uint64_t live;
    int held; /* no event is complete */
    struct {
        cl_context context;
        cl_device_id device; /* for which it may be kept (cl_kept.h); NULL: it may not */
    } made[MAX_CONTEXTS];    /* alive, in the order of their making */
    uint64_t contexts;
    cl_context lost; /* calls for it fail with lost_error */
    int lost_error;
    int scribbles; /* after the next launch, at scribble_offset of the last buffer */
    uint64_t scribble_offset;
} layer = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* What the environment asks to pretend. */
static void pretend(void)
{
    char modes[128] = "";
    char *rest = NULL;
    const char *wanted = getenv("SINTER_TEST_CL");
    (void)snprintf(modes, sizeof modes, "%s", wanted != NULL ? wanted : "");
    for (char *mode = strtok_r(modes, ",", &rest); mode != NULL;
         mode = strtok_r(NULL, ",", &rest)) {
        const cl_personality *p = cl_personality_find(mode);
        if (strcmp(mode, "keep") == 0) {
            layer.keep = 1;
        } else if (strcmp(mode, "apart") == 0) {
            layer.apart = 1;
        } else if (p != NULL) {
            layer.plays = p;
        } else {
            (void)fprintf(stderr, "cl_layer: there is no SINTER_TEST_CL=%s\n", mode);
            exit(98);
        }
    }
}

static void load(void)
{
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        (void)fprintf(stderr, "cl_layer: %s\n", dlerror());
        exit(98);
    }
#define CL_CALL(name)                                                                              \
    {                                                                                              \
        void *symbol = dlsym(library, #name);                                                      \
        memcpy(&real.name, &symbol, sizeof symbol);                                                \
    }
#include "executor/opencl/cl_calls.def"
#undef CL_CALL
    {
        void *symbol = dlsym(library, "clGetExtensionFunctionAddressForPlatform");
        memcpy(&real.clGetExtensionFunctionAddressForPlatform, &symbol, sizeof symbol);
    }
    pretend();
}

static void ready(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, load);
}

/* The error that this call is to return, or 0. */
static int inject(const char *name)
{
    ready();
    (void)pthread_mutex_lock(&layer.lock);
    int error = 0;
    layer.calls++;
    if (layer.error != 0 && layer.until == 0) {
        error = layer.error;
        layer.error = layer.persistent ? layer.error : 0;
    } else if (layer.error != 0) {
        layer.until--;
    }
    if (layer.named != NULL && strncmp(layer.named, name, strlen(layer.named)) == 0) {
        error = layer.spared == 0 ? layer.named_error : error;
        layer.spared -= layer.spared > 0;
    }
    if (error != 0 && layer.failed++ == 0)
        layer.first = name;
    (void)pthread_mutex_unlock(&layer.lock);
    return error;
}

/* The same for a call that is about a context. */
static int inject_for(const char *name, cl_context context)
{
    int error = inject(name);
    (void)pthread_mutex_lock(&layer.lock);
    if (error == 0 && layer.lost != NULL && layer.lost == context) {
        error = layer.lost_error;
        layer.failed++;
    }
    (void)pthread_mutex_unlock(&layer.lock);
    return error;
}

static void remember_context(cl_context context, cl_device_id device)
{
    (void)pthread_mutex_lock(&layer.lock);
    if (context != NULL && layer.contexts < MAX_CONTEXTS) {
        layer.made[layer.contexts].context = context;
        layer.made[layer.contexts++].device = device;
    }
    (void)pthread_mutex_unlock(&layer.lock);
}

/* Returns the device for which it may be kept. */
static cl_device_id forget_context(cl_context context)
{
    cl_device_id device = NULL;
    (void)pthread_mutex_lock(&layer.lock);
    size_t left = 0;
    for (size_t i = 0; i < layer.contexts; i++) {
        if (layer.made[i].context == context)
            device = layer.made[i].device;
        else
            layer.made[left++] = layer.made[i];
    }
    layer.contexts = left;
    (void)pthread_mutex_unlock(&layer.lock);
    return device;
}

void cl_inside_created(const void *object)
{
    (void)pthread_mutex_lock(&layer.lock);
    if (object != NULL && layer.live < MAX_OBJECTS)
        layer.objects[layer.live++] = object;
    (void)pthread_mutex_unlock(&layer.lock);
}

/* Whether there is such an object to release; a driver would not survive it if there were not. */
int cl_inside_released(const void *object)
{
    (void)pthread_mutex_lock(&layer.lock);
    size_t i = layer.live;
    while (i > 0 && layer.objects[i - 1] != object)
        i--;
    if (i > 0)
        layer.objects[i - 1] = layer.objects[--layer.live];
    else
        layer.mistakes++;
    (void)pthread_mutex_unlock(&layer.lock);
    return i > 0;
}

static void note_binary(size_t bytes)
{
    (void)pthread_mutex_lock(&layer.lock);
    layer.binaries++;
    layer.binary_bytes += bytes;
    (void)pthread_mutex_unlock(&layer.lock);
}

static void note_mistake(const char *what, int error)
{
    (void)pthread_mutex_lock(&layer.lock);
    layer.mistakes++;
    (void)pthread_mutex_unlock(&layer.lock);
    (void)fprintf(stderr, "cl_layer: %s (error %d)\n", what, error);
}

/* The error of a call that is about a queue. */
int cl_inside_inject_at(const char *name, cl_command_queue queue)
{
    return inject_for(name, cl_queues_context(queue));
}

/* ... and gives it a command. */
int cl_inside_inject_on(const char *name, cl_command_queue queue)
{
    int error = cl_inside_inject_at(name, queue);
    if (cl_queues_give(queue))
        note_mistake("a command overtakes others of its stream", CL_INVALID_OPERATION);
    return error;
}

/* The queue is waited for: what it has read by then must be what it was given. */
static void settle(cl_command_queue queue)
{
    cl_queues_settle(queue);
    for (size_t changed = cl_lent_settle(queue); changed > 0; changed--)
        note_mistake("what a write reads has changed", CL_INVALID_HOST_PTR);
}

/* The rest of cl_inside.h */

const cl_real *cl_inside_real(void)
{
    ready();
    return &real;
}

const cl_personality *cl_inside_plays(void)
{
    return layer.plays;
}

/* Control */

static void arm(uint64_t nth, int error, int persistent)
{
    (void)pthread_mutex_lock(&layer.lock);
    layer.until = nth;
    layer.error = error;
    layer.persistent = persistent;
    layer.named = NULL;
    layer.spared = 0;
    layer.lost = NULL;
    layer.refused[0] = layer.refused[1] = NULL;
    layer.failed = 0;
    layer.first = "none";
    (void)pthread_mutex_unlock(&layer.lock);
}

static void arm_named(const char *name, int error)
{
    arm(0, 0, 0);
    (void)pthread_mutex_lock(&layer.lock);
    layer.named = name;
    layer.named_error = error;
    (void)pthread_mutex_unlock(&layer.lock);
}

static void lose(uint32_t nth, int error)
{
    arm(0, 0, 0);
    (void)pthread_mutex_lock(&layer.lock);
    layer.lost = nth < layer.contexts ? layer.made[nth].context : NULL;
    layer.lost_error = error;
    (void)pthread_mutex_unlock(&layer.lock);
}

static void refuse(const char *one, const char *other)
{
    (void)pthread_mutex_lock(&layer.lock);
    layer.refused[0] = one;
    layer.refused[1] = other;
    (void)pthread_mutex_unlock(&layer.lock);
}

#define SET(name, type, field)                                                                     \
    static void name(type value)                                                                   \
    {                                                                                              \
        (void)pthread_mutex_lock(&layer.lock);                                                     \
        layer.field = value;                                                                       \
        (void)pthread_mutex_unlock(&layer.lock);                                                   \
    }
SET(spare, uint64_t, spared)
SET(hold, int, held)

static int armed(void)
{
    (void)pthread_mutex_lock(&layer.lock);
    int any = layer.error != 0 || layer.named || layer.refused[0] || layer.lost;
    (void)pthread_mutex_unlock(&layer.lock);
    return any;
}

static void scribble(uint64_t offset)
{
    (void)pthread_mutex_lock(&layer.lock);
    layer.scribbles = 1;
    layer.scribble_offset = offset;
    (void)pthread_mutex_unlock(&layer.lock);
}

/* What has been counted or seen. */
#define SEEN(type, name)                                                                           \
    static type name(void)                                                                         \
    {                                                                                              \
        (void)pthread_mutex_lock(&layer.lock);                                                     \
        type value = layer.name;                                                                   \
        (void)pthread_mutex_unlock(&layer.lock);                                                   \
        return value;                                                                              \
    }
#define COUNTED(name) SEEN(uint64_t, name)
COUNTED(calls)
COUNTED(failed)
COUNTED(mistakes)
COUNTED(binaries)
COUNTED(binary_bytes)
COUNTED(undeclared)
COUNTED(priority)
COUNTED(live)
COUNTED(contexts)
SEEN(const char *, first)

static void forgive(void)
{
    (void)pthread_mutex_lock(&layer.lock);
    layer.mistakes = 0;
    (void)pthread_mutex_unlock(&layer.lock);
}

EXPORT const cl_layer sinter_test_cl_layer;
static char last_options[256];

static const char *options(void)
{
    return last_options;
}

const cl_layer sinter_test_cl_layer = {
    .arm = arm,
    .arm_named = arm_named,
    .spare = spare,
    .refuse = refuse,
    .hold = hold,
    .lose = lose,
    .armed = armed,
    .scribble = scribble,
    .calls = calls,
    .failed = failed,
    .first = first,
    .buffer_bytes = cl_buffers_bytes,
    .buffer_peak_bytes = cl_buffers_peak_bytes,
    .live = live,
    .contexts = contexts,
    .mistakes = mistakes,
    .forgive = forgive,
    .binaries = binaries,
    .binary_bytes = binary_bytes,
    .undeclared = undeclared,
    .options = options,
    .at_once = cl_queues_at_once,
    .priority = priority,
};

__attribute__((destructor)) static void report(void)
{
    if (layer.live == 0 && layer.mistakes == 0)
        return;
    (void)fprintf(stderr, "cl_layer: %llu OpenCL objects left, %llu mistakes\n",
                  (unsigned long long)layer.live, (unsigned long long)layer.mistakes);
    (void)fflush(NULL);
    _exit(99);
}

/* Platforms and devices */

EXPORT cl_int clGetPlatformIDs(cl_uint n, cl_platform_id *platforms, cl_uint *count)
{
    char name[32];
    cl_uint found = 0;
    int error = inject("clGetPlatformIDs");
    if (error == 0)
        error = real.clGetPlatformIDs(n, platforms, &found);
    if (error == 0 && count != NULL)
        *count = found;
    for (cl_uint i = 0; platforms != NULL && i < n && i < found; i++) {
        if (real.clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL) == 0) {
            cl_serial_meet(platforms[i], name);
            cl_kept_meet(platforms[i], name);
        }
    }
    return error;
}

EXPORT cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info what, size_t bytes,
                                void *value, size_t *size)
{
    CL_SERIAL(platform);
    int error = inject("clGetPlatformInfo");
    if (error == 0)
        error = real.clGetPlatformInfo(platform, what, bytes, value, size);
    if (error == 0 && layer.plays != NULL && what == CL_PLATFORM_NAME)
        cl_personality_platform(layer.plays, bytes, value, size);
    return error;
}

EXPORT cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint n,
                             cl_device_id *devices, cl_uint *count)
{
    CL_SERIAL(platform);
    int error = inject("clGetDeviceIDs");
    return error ? error : real.clGetDeviceIDs(platform, type, n, devices, count);
}

EXPORT cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t bytes, void *value,
                              size_t *size)
{
    CL_SERIAL(device);
    int error = inject("clGetDeviceInfo");
    if (error == 0)
        error = real.clGetDeviceInfo(device, what, bytes, value, size);
    if (layer.plays != NULL)
        error = cl_personality_answer(layer.plays, error, what, bytes, value, size);
    if (error == 0 && layer.apart && what == CL_DEVICE_HOST_UNIFIED_MEMORY && value != NULL)
        memset(value, 0, bytes);
    return error;
}

/* Not counted as objects: those of PoCL are left on purpose (executor/opencl/quirks.def). */
EXPORT cl_int clCreateSubDevices(cl_device_id device, const cl_device_partition_property *how,
                                 cl_uint n, cl_device_id *devices, cl_uint *count)
{
    CL_SERIAL(device);
    int error = inject("clCreateSubDevices");
    return error ? error : real.clCreateSubDevices(device, how, n, devices, count);
}

EXPORT cl_int clReleaseDevice(cl_device_id device)
{
    CL_SERIAL(device);
    ready();
    return real.clReleaseDevice(device);
}

/* Objects */

#define REFUSE_WITH(found)                                                                         \
    do {                                                                                           \
        int injected = (found);                                                                    \
        if (injected != 0) {                                                                       \
            if (error != NULL)                                                                     \
                *error = injected;                                                                 \
            return NULL;                                                                           \
        }                                                                                          \
    } while (0)
#define REFUSE(name) REFUSE_WITH(inject(#name))
#define REFUSE_FOR(name, context) REFUSE_WITH(inject_for(#name, context))

/* What the device that is played makes of a call: an error that the caller could have foreseen is a mistake. */
static cl_int judge(cl_int refused)
{
    if (refused != CL_SUCCESS && refused != CL_MEM_OBJECT_ALLOCATION_FAILURE)
        note_mistake("the device refuses a call", refused);
    return refused;
}

#define JUDGE(reason) REFUSE_WITH(judge(reason))

EXPORT cl_context clCreateContext(const cl_context_properties *properties, cl_uint n,
                                  const cl_device_id *devices,
                                  void(CL_CALLBACK *notify)(const char *, const void *, size_t,
                                                            void *),
                                  void *user, cl_int *error)
{
    CL_SERIAL(n > 0 ? devices[0] : NULL);
    REFUSE(clCreateContext);
    cl_device_id device = properties != NULL && n == 1 ? devices[0] : NULL;
    cl_context made = device != NULL ? cl_kept_take(device) : NULL;
    if (made == NULL)
        made = real.clCreateContext(properties, n, devices, notify, user, error);
    else if (error != NULL)
        *error = CL_SUCCESS;
    layer.device = n > 0 ? devices[0] : NULL;
    cl_inside_created(made);
    remember_context(made, device);
    return made;
}

EXPORT cl_int clReleaseContext(cl_context context)
{
    CL_SERIAL(context);
    cl_device_id device = forget_context(context);
    if (!cl_inside_released(context))
        return CL_INVALID_CONTEXT;
    cl_context gone = device != NULL ? cl_kept_keep(context, device) : context;
    return gone != NULL ? real.clReleaseContext(gone) : CL_SUCCESS;
}

EXPORT cl_int clGetContextInfo(cl_context context, cl_context_info what, size_t bytes, void *value,
                               size_t *size)
{
    CL_SERIAL(context);
    int error = inject("clGetContextInfo");
    return error ? error : real.clGetContextInfo(context, what, bytes, value, size);
}

/* `level` 0: no priority. */
static cl_command_queue make_queue(cl_context context, cl_device_id device,
                                   cl_command_queue_properties properties, cl_bitfield level,
                                   cl_int *error)
{
    CL_SERIAL(context);
    if (layer.plays != NULL)
        JUDGE(cl_personality_queue(layer.plays, properties));
    bool at_once = (properties & CL_QUEUE_THREAD_LOCAL_EXEC_ENABLE_INTEL) != 0;
    if (at_once && layer.plays != NULL && layer.plays->at_once)
        properties &= ~CL_QUEUE_THREAD_LOCAL_EXEC_ENABLE_INTEL;
    cl_command_queue made = real.clCreateCommandQueue(context, device, properties, error);
    cl_inside_created(made);
    cl_queues_note(made, context, at_once);
    (void)pthread_mutex_lock(&layer.lock);
    layer.priority = level;
    (void)pthread_mutex_unlock(&layer.lock);
    return made;
}

EXPORT cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device,
                                             cl_command_queue_properties properties, cl_int *error)
{
    REFUSE_FOR(clCreateCommandQueue, context);
    return make_queue(context, device, properties, 0, error);
}

/* Of OpenCL 2.0, in whose headers it would be; the real queue gets no priority, since no driver for tests has
 * any. */
/* NOLINTNEXTLINE(readability-identifier-naming): OpenCL's */
EXPORT cl_command_queue clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                                           const cl_bitfield *properties,
                                                           cl_int *error);
EXPORT cl_command_queue clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                                           const cl_bitfield *properties,
                                                           cl_int *error)
{
    cl_command_queue_properties plain = 0;
    cl_bitfield level = 0;
    REFUSE_FOR(clCreateCommandQueueWithProperties, context);
    for (; properties != NULL && *properties != 0; properties += 2) {
        if (properties[0] == CL_QUEUE_PROPERTIES)
            plain = properties[1];
        else if (properties[0] == CL_QUEUE_PRIORITY_KHR)
            level = properties[1];
    }
    if (level != 0 && (layer.plays == NULL || !layer.plays->priorities))
        JUDGE(CL_INVALID_QUEUE_PROPERTIES);
    return make_queue(context, device, plain, level, error);
}

EXPORT cl_int clReleaseCommandQueue(cl_command_queue queue)
{
    CL_SERIAL(queue);
    bool is_busy;
    if (cl_queues_forget(queue, &is_busy))
        note_mistake("a queue is released that nobody has waited for", CL_INVALID_COMMAND_QUEUE);
    if (is_busy) /* a wait that was made to fail */
        (void)real.clFinish(queue);
    cl_lent_forget(queue);
    return cl_inside_released(queue) ? real.clReleaseCommandQueue(queue) : CL_INVALID_COMMAND_QUEUE;
}

EXPORT cl_int clGetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info what,
                                    size_t bytes, void *value, size_t *size)
{
    CL_SERIAL(queue);
    int error = inject("clGetCommandQueueInfo");
    return error ? error : real.clGetCommandQueueInfo(queue, what, bytes, value, size);
}

EXPORT cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t bytes, void *host,
                             cl_int *error)
{
    CL_SERIAL(context);
    REFUSE_FOR(clCreateBuffer, context);
    if (layer.plays != NULL)
        JUDGE(cl_personality_buffer(layer.plays, bytes, cl_buffers_bytes()));
    cl_mem made = real.clCreateBuffer(context, flags, bytes, host, error);
    cl_inside_created(made);
    if (made != NULL)
        cl_buffers_note(made, bytes);
    return made;
}

EXPORT cl_mem clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type,
                                const void *info, cl_int *error)
{
    CL_SERIAL(buffer);
    REFUSE(clCreateSubBuffer);
    const cl_buffer_region *region = info;
    if (layer.plays != NULL)
        JUDGE(cl_personality_sub_buffer(layer.plays, region->origin,
                                        cl_parts_overlap(buffer, region->origin, region->size)));
    cl_mem made = real.clCreateSubBuffer(buffer, flags, type, info, error);
    cl_inside_created(made);
    cl_parts_note(made, buffer, region->origin, region->size);
    return made;
}

EXPORT cl_int clReleaseMemObject(cl_mem mem)
{
    CL_SERIAL(mem);
    if (!cl_inside_released(mem))
        return CL_INVALID_MEM_OBJECT;
    cl_buffers_forget(mem);
    cl_parts_forget(mem);
    return layer.keep ? CL_SUCCESS : real.clReleaseMemObject(mem);
}

EXPORT cl_int clGetMemObjectInfo(cl_mem mem, cl_mem_info what, size_t bytes, void *value,
                                 size_t *size)
{
    CL_SERIAL(mem);
    int error = inject("clGetMemObjectInfo");
    return error ? error : real.clGetMemObjectInfo(mem, what, bytes, value, size);
}

/* Programs and kernels */

/* Whether a test wants no program of this source to build. */
static int is_refused(const char *source)
{
    (void)pthread_mutex_lock(&layer.lock);
    int refused = layer.refused[0] != NULL && strstr(source, layer.refused[0]) != NULL &&
                  strstr(source, layer.refused[1]) != NULL;
    layer.failed += (uint64_t)refused;
    (void)pthread_mutex_unlock(&layer.lock);
    return refused;
}

EXPORT cl_program clCreateProgramWithSource(cl_context context, cl_uint n, const char **strings,
                                            const size_t *lengths, cl_int *error)
{
    CL_SERIAL(context);
    static const char *const broken = "__kernel void broken( { refused by the test }";
    REFUSE(clCreateProgramWithSource);
    const char *kernels = strings[n - 1]; /* declarations may stand before them */
    bool beyond = layer.plays != NULL && cl_personality_source(layer.plays, kernels);
    if (beyond)
        note_mistake("the device refuses a program", CL_BUILD_PROGRAM_FAILURE);
    bool breaks = beyond || is_refused(kernels);
    cl_program made =
        breaks ? real.clCreateProgramWithSource(context, 1, (const char **)&broken, NULL, error)
               : real.clCreateProgramWithSource(context, n, strings, lengths, error);
    (void)pthread_mutex_lock(&layer.lock);
    layer.broken = breaks ? made : layer.broken;
    (void)pthread_mutex_unlock(&layer.lock);
    cl_inside_created(made);
    return made;
}

EXPORT cl_program clCreateProgramWithBinary(cl_context context, cl_uint n,
                                            const cl_device_id *devices, const size_t *bytes,
                                            const unsigned char **binaries, cl_int *status,
                                            cl_int *error)
{
    CL_SERIAL(context);
    REFUSE(clCreateProgramWithBinary);
    note_binary(bytes[0]);
    cl_program made =
        real.clCreateProgramWithBinary(context, n, devices, bytes, binaries, status, error);
    cl_inside_created(made);
    return made;
}

EXPORT cl_int clGetProgramInfo(cl_program program, cl_program_info what, size_t bytes, void *value,
                               size_t *size)
{
    CL_SERIAL(program);
    int error = inject("clGetProgramInfo");
    return error ? error : real.clGetProgramInfo(program, what, bytes, value, size);
}

EXPORT cl_int clBuildProgram(cl_program program, cl_uint n, const cl_device_id *devices,
                             const char *given, void(CL_CALLBACK *notify)(cl_program, void *),
                             void *user)
{
    CL_SERIAL(program);
    (void)pthread_mutex_lock(&layer.lock);
    (void)snprintf(last_options, sizeof last_options, "%s", given != NULL ? given : "");
    (void)pthread_mutex_unlock(&layer.lock);
    int error = inject("clBuildProgram");
    if (error != 0)
        return error;
    error = real.clBuildProgram(program, n, devices, given, notify, user);
    (void)pthread_mutex_lock(&layer.lock);
    layer.undeclared += error != 0 && program != layer.broken && given != NULL &&
                        strstr(given, "_OPENCL_H_") != NULL;
    (void)pthread_mutex_unlock(&layer.lock);
    return error;
}

EXPORT cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device,
                                    cl_program_build_info what, size_t bytes, void *value,
                                    size_t *size)
{
    CL_SERIAL(program);
    int error = inject("clGetProgramBuildInfo");
    return error ? error : real.clGetProgramBuildInfo(program, device, what, bytes, value, size);
}

EXPORT cl_int clReleaseProgram(cl_program program)
{
    CL_SERIAL(program);
    return cl_inside_released(program) ? real.clReleaseProgram(program) : CL_INVALID_PROGRAM;
}

EXPORT cl_kernel clCreateKernel(cl_program program, const char *name, cl_int *error)
{
    CL_SERIAL(program);
    REFUSE(clCreateKernel);
    cl_kernel made = real.clCreateKernel(program, name, error);
    cl_inside_created(made);
    if (layer.plays != NULL)
        cl_kernels_note(made, program, name);
    return made;
}

EXPORT cl_int clReleaseKernel(cl_kernel kernel)
{
    CL_SERIAL(kernel);
    cl_kernels_forget(kernel);
    return cl_inside_released(kernel) ? real.clReleaseKernel(kernel) : CL_INVALID_KERNEL;
}

EXPORT cl_int clSetKernelArg(cl_kernel kernel, cl_uint index, size_t bytes, const void *value)
{
    CL_SERIAL(kernel);
    int error = inject("clSetKernelArg");
    if (error == 0)
        error = real.clSetKernelArg(kernel, index, bytes, value);
    if (error == 0 && layer.plays != NULL)
        cl_kernels_give(kernel, index, bytes, value);
    return error;
}

EXPORT cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                       cl_kernel_work_group_info what, size_t bytes, void *value,
                                       size_t *size)
{
    CL_SERIAL(kernel);
    int error = inject("clGetKernelWorkGroupInfo");
    if (error == 0)
        error = real.clGetKernelWorkGroupInfo(kernel, device, what, bytes, value, size);
    if (layer.plays != NULL && what == CL_KERNEL_WORK_GROUP_SIZE)
        error = cl_personality_answer(layer.plays, error, CL_DEVICE_MAX_WORK_GROUP_SIZE, bytes,
                                      value, size);
    return error;
}

/* Commands */

/* A command that the queue has been given, which the device that is played runs at once where the queue is such. */
static int given(cl_command_queue queue, int error)
{
    if (error == 0 && layer.plays != NULL && layer.plays->at_once && cl_queues_is_at_once(queue))
        error = real.clFinish(queue);
    return error;
}

/* What the device that is played says to a launch. */
static cl_int refuse_launch(cl_kernel kernel, cl_uint dimensions, const size_t *local)
{
    cl_ulong local_bytes = 0;
    (void)real.clGetKernelWorkGroupInfo(kernel, layer.device, CL_KERNEL_LOCAL_MEM_SIZE,
                                        sizeof local_bytes, &local_bytes, NULL);
    return cl_personality_launch(layer.plays, dimensions, local, local_bytes,
                                 cl_kernels_bytes(kernel));
}

/* What a kernel with a wrong index would do. */
static void scribble_now(cl_command_queue queue)
{
    const unsigned char byte = 0x42;
    (void)pthread_mutex_lock(&layer.lock);
    int wanted = layer.scribbles;
    layer.scribbles = 0;
    (void)pthread_mutex_unlock(&layer.lock);
    if (wanted)
        (void)real.clEnqueueWriteBuffer(queue, cl_buffers_last(), CL_TRUE,
                                        (size_t)layer.scribble_offset, 1, &byte, 0, NULL, NULL);
}

EXPORT cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                     const size_t *offset, const size_t *global,
                                     const size_t *local, cl_uint n, const cl_event *wait,
                                     cl_event *event)
{
    CL_SERIAL(queue);
    int error = cl_inside_inject_on("clEnqueueNDRangeKernel", queue);
    if (error == 0 && layer.plays != NULL)
        error = judge(refuse_launch(kernel, dimensions, local));
    if (error == 0)
        error = given(queue, real.clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global,
                                                         local, n, wait, event));
    if (error == 0 && event != NULL) {
        cl_inside_created(*event);
        cl_queues_mark(queue, *event);
    }
    if (error == 0)
        scribble_now(queue);
    return error;
}

EXPORT cl_int clGetEventProfilingInfo(cl_event event, cl_profiling_info what, size_t bytes,
                                      void *value, size_t *size)
{
    CL_SERIAL(event);
    int error = inject("clGetEventProfilingInfo");
    return error ? error : real.clGetEventProfilingInfo(event, what, bytes, value, size);
}

EXPORT cl_int clGetEventInfo(cl_event event, cl_event_info what, size_t bytes, void *value,
                             size_t *size)
{
    CL_SERIAL(event);
    int error = inject("clGetEventInfo");
    if (!error)
        error = real.clGetEventInfo(event, what, bytes, value, size);
    (void)pthread_mutex_lock(&layer.lock);
    if (!error && layer.held && what == CL_EVENT_COMMAND_EXECUTION_STATUS)
        *(cl_int *)value = CL_SUBMITTED;
    (void)pthread_mutex_unlock(&layer.lock);
    cl_command_queue queue = NULL;
    if (!error && what == CL_EVENT_COMMAND_EXECUTION_STATUS && *(cl_int *)value == CL_COMPLETE &&
        real.clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, NULL) == 0)
        cl_lent_forget(queue);
    return error;
}

EXPORT cl_int clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint n, const cl_event *wait,
                                          cl_event *event)
{
    CL_SERIAL(queue);
    int error = cl_inside_inject_on("clEnqueueMarkerWithWaitList", queue);
    if (!error)
        error = real.clEnqueueMarkerWithWaitList(queue, n, wait, event);
    if (!error && event != NULL)
        cl_inside_created(*event);
    return error;
}

EXPORT cl_int clEnqueueBarrierWithWaitList(cl_command_queue queue, cl_uint n, const cl_event *wait,
                                           cl_event *event)
{
    CL_SERIAL(queue);
    int error = cl_inside_inject_on("clEnqueueBarrierWithWaitList", queue);
    if (!error)
        error = real.clEnqueueBarrierWithWaitList(queue, n, wait, event);
    if (!error && event != NULL)
        cl_inside_created(*event);
    return error;
}

EXPORT cl_int clReleaseEvent(cl_event event)
{
    CL_SERIAL(event);
    return cl_inside_released(event) ? real.clReleaseEvent(event) : CL_INVALID_EVENT;
}

EXPORT cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking,
                                  size_t offset, size_t bytes, void *data, cl_uint n,
                                  const cl_event *wait, cl_event *event)
{
    CL_SERIAL(queue);
    int error = cl_inside_inject_on("clEnqueueReadBuffer", queue);
    if (error == 0 && blocking)
        settle(queue);
    return error ? error
                 : real.clEnqueueReadBuffer(queue, mem, blocking, offset, bytes, data, n, wait,
                                            event);
}

EXPORT cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking,
                                   size_t offset, size_t bytes, const void *data, cl_uint n,
                                   const cl_event *wait, cl_event *event)
{
    CL_SERIAL(queue);
    int error = cl_inside_inject_on("clEnqueueWriteBuffer", queue);
    if (error == 0)
        error = given(queue, real.clEnqueueWriteBuffer(queue, mem, blocking, offset, bytes, data, n,
                                                       wait, event));
    if (error == 0 && !blocking && !cl_queues_is_at_once(queue))
        cl_lent_note(queue, data, bytes);
    if (error == 0 && event != NULL)
        cl_inside_created(*event);
    return error;
}

EXPORT cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem mem, const void *pattern,
                                  size_t pattern_bytes, size_t offset, size_t bytes, cl_uint n,
                                  const cl_event *wait, cl_event *event)
{
    CL_SERIAL(queue);
    int error = cl_inside_inject_on("clEnqueueFillBuffer", queue);
    return error ? error
                 : real.clEnqueueFillBuffer(queue, mem, pattern, pattern_bytes, offset, bytes, n,
                                            wait, event);
}

/* NOLINTNEXTLINE(readability-function-size): OpenCL's */
EXPORT void *clEnqueueMapBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking,
                                cl_map_flags flags, size_t offset, size_t bytes, cl_uint n,
                                const cl_event *wait, cl_event *event, cl_int *error)
{
    CL_SERIAL(queue);
    REFUSE_WITH(cl_inside_inject_on("clEnqueueMapBuffer", queue));
    if (blocking)
        settle(queue);
    return real.clEnqueueMapBuffer(queue, mem, blocking, flags, offset, bytes, n, wait, event,
                                   error);
}

EXPORT cl_int clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem mem, void *data, cl_uint n,
                                      const cl_event *wait, cl_event *event)
{
    CL_SERIAL(queue);
    int error = cl_inside_inject_on("clEnqueueUnmapMemObject", queue);
    return error ? error
                 : given(queue, real.clEnqueueUnmapMemObject(queue, mem, data, n, wait, event));
}

EXPORT cl_int clFlush(cl_command_queue queue)
{
    CL_SERIAL(queue);
    int error = cl_inside_inject_at("clFlush", queue);
    return error ? error : real.clFlush(queue);
}

EXPORT cl_int clFinish(cl_command_queue queue)
{
    CL_SERIAL(queue);
    int error = cl_inside_inject_at("clFinish", queue);
    cl_queues_try(queue);
    if (error == 0)
        settle(queue);
    return error ? error : real.clFinish(queue);
}

/* Of an in-order queue: what its last command ends is the queue's. */
EXPORT cl_int clWaitForEvents(cl_uint count, const cl_event *events)
{
    CL_SERIAL(events[0]);
    cl_command_queue queue = cl_queues_ended_by(events[0]);
    int error = cl_inside_inject_at("clWaitForEvents", queue);
    cl_queues_try(queue);
    if (error == 0 && queue != NULL)
        settle(queue);
    return error ? error : real.clWaitForEvents(count, events);
}
