/* The devices of this machine, and why a platform or driver gave none. */
#ifndef SINTER_DEVICE_H
#define SINTER_DEVICE_H

#include "sinter/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sinter_device_kind {
    SINTER_DEVICE_HOST = 0,  /* the host reference device: no OpenCL */
    SINTER_DEVICE_CPU = 1,   /* OpenCL, runs on the processor */
    SINTER_DEVICE_GPU = 2,   /* OpenCL, a GPU */
    SINTER_DEVICE_OTHER = 3, /* OpenCL, an accelerator or custom device */
    SINTER_DEVICE_NONE =
        4, /* not a device: `note` says why a platform, a driver or OpenCL itself gave none */
} sinter_device_kind;

typedef struct sinter_device_info {
    uint32_t
        size; /* in: sizeof of this struct in the caller's header; out: bytes that are filled */
    sinter_device_kind kind;
    char selector[32]; /* what --device takes: "0:0" is platform 0, device 0 */
    char name[128];
    char platform[128];
    char driver_version[128];
    char opencl_c_version[64];
    char quirks[1024]; /* quirks applied, with their reasons */
    char note[256];    /* for SINTER_DEVICE_NONE: why */
    uint64_t global_memory_bytes;
    uint64_t max_allocation_bytes;
    uint64_t local_memory_bytes;
    uint32_t compute_units;
    uint32_t max_work_group;
    uint32_t max_parameter_bytes;
    uint32_t alignment_bytes; /* of an offset inside a buffer */
    uint32_t native_lanes;    /* f32 lanes of the native vector */
    uint8_t has_f16;          /* arithmetic, not storage: storage works everywhere */
    uint8_t has_f64;
    uint8_t unified_memory; /* shares the host's memory */
    uint8_t
        correctly_rounded; /* division and square root by the device; else sinter corrects them */
    uint8_t has_fma;       /* f32, rounded once; else sinter computes it */
    uint8_t has_priority_hints; /* of streams; else they change nothing */
    uint8_t runs_at_once;       /* launches that are soon done, in the calling thread */
    uint8_t records_launches;   /* several as one: cl_khr_command_buffer, 0.9.8 or later */
    uint32_t void_clauses;      /* SINTER_VOID_*: promises the device cannot keep */
    uint64_t last_cache_bytes;  /* on a CPU what one processor sees; 0: not known */
} sinter_device_info;

/* clang-format off */
#define SINTER_DEVICE_INFO_INIT                                                                    \
    { sizeof(sinter_device_info), SINTER_DEVICE_HOST, "", "", "", "", "", "", "",                  \
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }
/* clang-format on */

/** Lists every device of every platform, the host reference device last, and in between an entry
 *  of kind SINTER_DEVICE_NONE for each platform or driver that gave none, with the reason.
 *  units    *_bytes in bytes.
 *  owns     fills at most `capacity` entries of the caller's array, infos[0].size bytes apart;
 *           *count is how many there are. infos[0] begins as SINTER_DEVICE_INFO_INIT.
 *  errors   SINTER_EINVAL when `count` is NULL or infos[0].size is not set, SINTER_ENOMEM.
 *  thread   any. */
SINTER_API sinter_status sinter_device_list(sinter_device_info *infos, size_t capacity,
                                            size_t *count);

/** What the context runs on: its first device.
 *  owns     fills *out, which begins as SINTER_DEVICE_INFO_INIT.
 *  errors   SINTER_EINVAL when an argument is NULL or out->size is not set.
 *  thread   any. */
SINTER_API sinter_status sinter_context_device(const sinter_context *ctx, sinter_device_info *out);

/** How many devices the context has opened.
 *  owns     nothing.
 *  errors   none; 0 for NULL.
 *  thread   any. */
SINTER_API uint32_t sinter_context_device_count(const sinter_context *ctx);

/** One of them, in the order in which they were named.
 *  owns     fills *out, which begins as SINTER_DEVICE_INFO_INIT.
 *  errors   SINTER_EINVAL when an argument is NULL, out->size is not set or the context has no device
 *           `index`.
 *  thread   any. */
SINTER_API sinter_status sinter_context_device_at(const sinter_context *ctx, uint32_t index,
                                                  sinter_device_info *out);

#ifdef __cplusplus
}
#endif

#endif /* SINTER_DEVICE_H */
