/* Devices: what there is, what it can do, and which one the caller means. */
#ifndef SINTER_EXECUTOR_DEVICE_H
#define SINTER_EXECUTOR_DEVICE_H

#include "core/alloc.h"
#include "executor/backend/theirs.h"
#include "executor/opencl/record.h"
#include "fusion/device/limits.h"
#include "sinter/device.h"

/* Options of the driver's compiler, and those that make division and roots correct. */
#define SINTER__BUILD_PLAIN "-w"
#define SINTER__BUILD_CORRECT "-w -cl-fp32-correctly-rounded-divide-sqrt"

typedef struct sinter__device {
    sinter_device_info info;
    const sinter__cl *cl; /* NULL: the host reference device */
    cl_platform_id platform;
    cl_context given; /* the caller's own, to be used; NULL: none */
    cl_device_id id;
    cl_int error;           /* the first that it gave when it was asked what it is */
    const char *missing;    /* what it is not, and has to be */
    sinter__limits limits;  /* by the device alone */
    uint32_t quirk_lanes;   /* 0: none */
    bool items_are_lanes;   /* of its vectors: the form of a GPU, also on a CPU */
    bool local_is_global;   /* a GPU whose local memory is a part of the other */
    bool is_part;           /* made by clCreateSubDevices, to be released */
    bool no_parts;          /* clCreateSubDevices must not be called */
    bool keeps_parts;       /* clReleaseDevice must not be called for a part that was used */
    bool sub_buffers_apart; /* those of a memory must not overlap, unless they are the same bytes */
    bool no_flush;          /* clFlush must not be called */
    bool widens_alone;  /* a wider launch of a kernel than before wants no other of it on its way */
    bool reads_header;  /* the declarations of all built-in functions, before each program */
    bool no_binaries;   /* programs are not kept as binaries */
    bool late_binaries; /* taking a binary compiles again: at the end, not in between */
    sinter__cl_recorder recorder; /* where info.records_launches */
    char platform_version[128];
    const char *build_options;
} sinter__device;

typedef struct sinter__device_list {
    sinter__allocator *allocator;
    sinter__device *devices;
    size_t count, capacity;
} sinter__device_list;

/* Every device, the host reference device last, and an entry of kind SINTER_DEVICE_NONE for
 * whatever failed to give one; with `reasons` also for drivers that the loader passes over. The
 * caller finishes the list whatever is returned. */
sinter_status sinter__devices_find(sinter__device_list *list, sinter__allocator *a, bool reasons);
/* The host reference device alone: no driver is loaded for it. */
sinter_status sinter__devices_host(sinter__device_list *list, sinter__allocator *a);
void sinter__devices_finish(sinter__device_list *list);

/* Sound numbers for kernels of that style where nothing has been measured; `lanes` of a vector, 0:
 * as many as suit the device. */
void sinter__device_tuning(const sinter__device *d, sinter_style style, uint32_t lanes,
                           sinter__tuning *out);

/* What one thread of a CPU has done before all would be done that are woken first (docs/decisions/at-once.md). */
uint32_t sinter__device_lone_work(const sinter__device *d);

/* The device that `selector` names: an index, "platform:device", a type, part of a name; NULL: the
 * first GPU, else the first other OpenCL device, else the host. SINTER_ENODEVICE lists what there
 * is. */
sinter_status sinter__devices_select(const sinter__device_list *list, const char *selector,
                                     const sinter__device **out);

/* How many equal parts of a device "0:0/4" asks for; 0: none, or one that it names ("0:0/4.1"). */
uint32_t sinter__device_parts(const char *text);

/* The device that `text` names, which may be a part of one, to be closed; on failure *out needs no
 * closing. As sinter__devices_select, and SINTER_EUNSUPPORTED for a device that has no such parts. */
sinter_status sinter__device_open(const sinter__device_list *list, const char *text,
                                  sinter__device *out);
void sinter__device_close(sinter__device *d);

/* That device, with the list of which it is one gone, to be closed too. SINTER_EINVAL for a text that names several. */
sinter_status sinter__device_find(const char *selector, sinter__allocator *a, sinter__device *out);

/* The caller's own device. */
sinter_status sinter__device_take(const sinter__their_context *theirs, sinter__device *out);

/* An OpenCL context for several contexts on that device, each opened over it as over a caller's own. Nothing in it where
 * there is none to be had: then each makes its own. It outlives them, and is given back. */
void sinter__device_share(const sinter__device *d, sinter__their_context *out);
void sinter__device_unshare(const sinter__device *d, sinter__their_context *shared);

/* Appends an entry for each installed driver that cannot be loaded (executor/opencl/icd.c). */
sinter_status sinter__icd_reasons(sinter__device_list *list);

/* Appends an entry that is no device. */
sinter_status sinter__devices_add_reason(sinter__device_list *list, const char *platform,
                                         const char *note);

/* Whether `part` stands in a name, in any case of letters. */
bool sinter__contains(const char *text, const char *part);

#endif /* SINTER_EXECUTOR_DEVICE_H */
