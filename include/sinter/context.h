/* A context: its devices, and of each the memory, the plans and the compiled kernels. */
#ifndef SINTER_CONTEXT_H
#define SINTER_CONTEXT_H

#include "sinter/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How kernels are shaped. AUTO takes the form that suits the device's type; the bits are the
 *  same. */
typedef enum sinter_style {
    SINTER_STYLE_AUTO = 0,
    SINTER_STYLE_CPU = 1, /* a work-item loops over a long run of elements, in wide vectors */
    SINTER_STYLE_GPU = 2, /* many work-items with a few neighbouring elements each */
} sinter_style;

/** What a result means. REPRODUCIBLE: the same bits on every device, with every schedule. NATIVE:
 *  the driver's functions where the device's profile says that they are faster; the same bits with
 *  every schedule on one device. RELAXED: that, and products and sums contracted, divisions and
 *  roots as fast as the driver has them, f16 and bf16 held as f32 inside a kernel: results depend on
 *  what is fused. */
typedef enum sinter_mode {
    SINTER_MODE_AUTO = 0, /* SINTER_MODE from the environment, else REPRODUCIBLE */
    SINTER_MODE_REPRODUCIBLE = 1,
    SINTER_MODE_NATIVE = 2,
    SINTER_MODE_RELAXED = 3,
} sinter_mode;

/** Where tensors live. SEPARATE, POISON and RED_ZONE are for finding faults: they cost time and memory,
 *  never bits. */
typedef enum sinter_memory_mode {
    SINTER_MEMORY_AUTO = 0,     /* SINTER_MEMORY_MODE from the environment, else POOL */
    SINTER_MEMORY_POOL = 1,     /* offsets inside one pool */
    SINTER_MEMORY_SEPARATE = 2, /* a buffer for each tensor, so that a checker sees every one */
    SINTER_MEMORY_POISON =
        3, /* the pool, filled with NaN where a tensor is born and where it dies */
    SINTER_MEMORY_RED_ZONE =
        4, /* the pool, with a pattern around each tensor, looked at after each launch */
} sinter_memory_mode;

/* Switches that force the slow way; in the mode reproducible results never change. */
#define SINTER_NO_FUSE (1u << 0)        /* one kernel per operation */
#define SINTER_NO_REUSE (1u << 1)       /* no offset shared by two tensors, no donation */
#define SINTER_FLUSH_EVERY_OP (1u << 2) /* run each operation as it is queued */
#define SINTER_TINY_LIMITS (1u << 3)    /* groups of 2, 8 queued, 64-bit indices from 64 */
#define SINTER_OWN_ARITHMETIC (1u << 4) /* division, root, fma, f16: not the device's own */
#define SINTER_NO_CACHE (1u << 5)       /* compiled programs are neither looked up nor kept */
#define SINTER_NO_CLBLAST (1u << 6)     /* matrix products by sinter's own kernels alone */

/** One function for all host memory, as Lua's: grows, shrinks, frees (new_bytes 0) or allocates
 *  (ptr NULL). It may be called from any thread that uses the context, with locks of the library
 *  held: it must not call the library. */
typedef void *(*sinter_realloc_fn)(void *user, void *ptr, size_t old_bytes, size_t new_bytes);

/** Receives one line, without a newline. Level: see docs/environment.md, SINTER_DEBUG; 0 is a
 *  warning. Called with locks of the library held: it must not call the library. */
typedef void (*sinter_log_fn)(void *user, int level, const char *message);

/** What is known of a device: sinter/profile.h. */
typedef struct sinter_profile sinter_profile;

/** Looks up what an earlier process has kept under `key`, and copies it to `bytes` if it is no more
 *  than `capacity` bytes; returns its size, 0 when there is none. What is returned is verified
 *  against damage, not against somebody who makes it up: it ends as code that the driver runs.
 *  Called while a program is compiled, by one thread at a time, and for the device's profile (sinter_profile_keep)
 *  when a context is created: it must not call the library. */
typedef size_t (*sinter_cache_load_fn)(void *user, const char *key, void *bytes, size_t capacity);

/** Keeps `size` bytes under `key`, a text of at most 95 characters ("program-" and a hash) that may
 *  be a file's name; returns whether it has. What was kept under the key before is replaced. Called
 *  from any thread that uses the context, with locks of the library held: it must not call the
 *  library. */
typedef int (*sinter_cache_store_fn)(void *user, const char *key, const void *bytes, size_t size);

/** What an event of a trace is about. */
typedef enum sinter_trace_kind {
    SINTER_TRACE_CALL = 1, /* an operation was queued */
    SINTER_TRACE_CUT = 2,  /* a segment, from its cut until its last launch is enqueued */
    SINTER_TRACE_PLAN = 3, /* a segment was planned; its builds lie within */
    SINTER_TRACE_BUILD =
        4, /* a program was built from source, or taken from the cache of programs */
    SINTER_TRACE_LAUNCH = 5, /* a kernel ran */
    SINTER_TRACE_WAIT = 6,   /* the host waited for the device, or moved bytes to or from it */
    SINTER_TRACE_COPY = 7,   /* a tensor came from another device, until all of it was read there */
} sinter_trace_kind;

/** A stretch of time, in nanoseconds of CLOCK_MONOTONIC. The texts live as long as the call. */
typedef struct sinter_trace_event {
    uint32_t size; /* bytes of this struct that are filled */
    sinter_trace_kind kind;
    const char
        *name; /* of the operation or the kernel; "cut", "plan", "build", "read", "copy", ... */
    const char *
        detail; /* why it was cut, hit or miss of the cache, sizes of the launch, the two devices; may be "" */
    uint32_t stream; /* of the context's streams, from 1 in the order of their making; 0: none's */
    uint32_t reserved;
    uint64_t start_ns;
    uint64_t end_ns; /* not before start_ns */
    uint64_t bytes;  /* moved by the segment, the launch or the transfer; of the program's source */
} sinter_trace_event;

/** Receives an event when it has ended; a launch with the times of the device, which are known at
 *  the next wait. Called by the thread that does the work, with locks of the library held, that of
 *  the event's stream and of no other stream among them: it must not call the library. Threads that
 *  use different streams may call it at once. */
typedef void (*sinter_trace_fn)(void *user, const sinter_trace_event *event);

/** What comes next on a stream. */
typedef enum sinter_progress_kind {
    SINTER_PROGRESS_BUILD = 1,  /* a program is built, or looked up in the cache of programs */
    SINTER_PROGRESS_LAUNCH = 2, /* a kernel is launched */
} sinter_progress_kind;

/** How far a segment has come. */
typedef struct sinter_progress {
    uint32_t size; /* bytes of this struct that are filled */
    sinter_progress_kind kind;
    uint32_t done;  /* LAUNCH: steps of the segment that are launched; BUILD: 0 */
    uint32_t total; /* LAUNCH: steps of the segment; BUILD: kernels of the program */
} sinter_progress;

/** Called before each launch and before each build, by the thread that does the work, with its
 *  stream's lock held and no other. It may call sinter_context_stats of its context, and everything of
 *  other contexts; no function of a stream or of a tensor of its own. Threads that use different
 *  streams may call it at once. */
typedef void (*sinter_progress_fn)(void *user, const sinter_progress *progress);

/** Called after sinter_progress_fn, under the same rules. Not 0: what comes next and the rest of the
 *  segment do not happen. What has not run has no value (SINTER_ECANCELLED), what was launched before
 *  keeps its own, and the stream goes on with the next segment, before which it is asked again. */
typedef int (*sinter_cancel_fn)(void *user);

typedef struct sinter_context_options {
    uint32_t size;     /* sizeof of this struct in the caller's header; fields past it are 0 */
    uint32_t switches; /* SINTER_NO_FUSE and the others, or-ed */
    const char
        *device; /* "0", "1:0", "cpu", "gpu", "host", part of a name; several with commas, and
                         * "1:0/2" for two halves: docs/devices.md. NULL: SINTER_DEVICE */
    sinter_style style; /* form of the kernels */
    uint32_t lanes;     /* vector lanes of a kernel: 1, 2, 4, 8, 16; 0: from the device */
    sinter_memory_mode memory_mode; /* where tensors live */
    int32_t debug;                  /* how much the log hook gets, 0 to 7; -1: SINTER_DEBUG */
    uint64_t budget_bytes;          /* most bytes of memory of each device; 0: its own limit */
    uint64_t plan_store_bytes;  /* most host bytes of stored plans, and of idle kernels; 0: 8 MiB */
    uint64_t max_pending_bytes; /* bytes of pending results that force a cut; 0: a quarter of the
                                   device's memory, or 256 MiB where that is more */
    uint32_t max_pending_ops;   /* operations queued that force a cut, at most 4096; 0: 4096 */
    sinter_mode mode;           /* what a result means */
    sinter_realloc_fn realloc_fn; /* NULL: the C library's */
    void *realloc_user;
    sinter_log_fn log_fn; /* NULL: silent */
    void *log_user;
    const sinter_profile *profile; /* of a device; NULL: SINTER_PROFILE, else as profile.h says */
    const char *cache_folder; /* of compiled programs; NULL: SINTER_CACHE_DIR, else the user's */
    uint64_t cache_bytes;     /* most bytes of that folder's files; 0: 256 MiB */
    sinter_cache_load_fn cache_load_fn; /* in the place of the folder, when one of the two is set */
    sinter_cache_store_fn cache_store_fn; /* NULL: nothing is kept */
    void *cache_user;
    sinter_trace_fn trace_fn; /* NULL: no trace. With one, queues measure the times of launches */
    void *trace_user;
    sinter_progress_fn progress_fn; /* NULL: nobody is told */
    sinter_cancel_fn cancel_fn;     /* NULL: nobody is asked */
    void *progress_user;            /* of both */
    uint64_t batch_launches; /* of a stream that the device may have at once; 0: any number */
    uint64_t batch_bytes;    /* that those may move, if it is not one launch alone; 0: any number */
} sinter_context_options;

/* Every default: size set, debug from the environment, the rest zero. */
/* clang-format off */
#define SINTER_CONTEXT_OPTIONS_INIT                                                                \
    { sizeof(sinter_context_options), 0, NULL, SINTER_STYLE_AUTO, 0, SINTER_MEMORY_AUTO, -1,       \
      0, 0, 0, 0, SINTER_MODE_AUTO, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL,     \
      NULL, NULL, NULL, NULL, NULL, 0, 0 }
/* clang-format on */

/** Opens devices and everything around them. Results are the same bits on every device.
 *  units    *_bytes in bytes.
 *  owns     *out is the caller's: sinter_context_destroy. `options` (NULL: defaults) is copied.
 *  errors   SINTER_ENODEVICE (no device of that name; the text lists what there is),
 *           SINTER_ENOMEM, SINTER_EDEVICE, SINTER_EINVAL for an option or an environment variable
 *           out of range, a switch that the library does not know, options larger than it knows,
 *           a profile of another device, more than 16 devices; SINTER_EUNSUPPORTED for a part of a
 *           device that has no parts. *out is NULL then.
 *  thread   any; a context may be shared by threads. */
SINTER_API sinter_status sinter_context_create(const sinter_context_options *options,
                                               sinter_context **out);

/** Closes a context and frees what it holds, tensors still held by the caller included: a warning to the
 *  log hook says how many, and names the first (sinter_context_held). Before a process ends,
 *  contexts want to be closed, or their streams at least synced: a driver's threads that are at
 *  work while exit() runs may end in a fault of theirs.
 *  owns     `ctx` is gone but for SINTER_EBUSY; NULL is accepted.
 *  errors   SINTER_EBUSY while one of its streams lives. A debug build of the library looks whether it has
 *           left objects on a device, and gives SINTER_EINTERNAL.
 *  thread   no other thread may be using the context. */
SINTER_API sinter_status sinter_context_destroy(sinter_context *ctx);

/** What a context has done since it was created. All are exact counts. */
typedef struct sinter_stats {
    uint32_t
        size; /* in: sizeof of this struct in the caller's header; out: bytes that are filled */
    uint32_t reserved;
    uint64_t ops;         /* operations queued */
    uint64_t launches;    /* kernels run; a matrix product by CLBlast is one */
    uint64_t bytes_moved; /* bytes read and written by kernels: each distinct byte once per launch
                             and direction; of a segment that was cancelled or failed, as if it had not */
    uint64_t
        bytes_bound; /* the lower bound: each input once, each surviving output once, per segment */
    uint64_t compiles;         /* programs built from source; what does not build is not counted */
    uint64_t plan_hits;        /* segments replayed from a stored plan */
    uint64_t plan_misses;      /* segments planned */
    uint64_t plan_evictions;   /* plans dropped to keep the store under its budget */
    uint64_t plan_store_bytes; /* host bytes of stored plans, now */
    uint64_t plan_count;       /* stored plans, now */
    uint64_t host_allocations; /* calls of the allocator that got memory */
    uint64_t host_bytes;       /* host bytes held, now */
    uint64_t cl_objects_created;  /* OpenCL objects created, but events to wait for */
    uint64_t cl_objects_live;     /* OpenCL objects held, now */
    uint64_t pool_bytes;          /* bytes of the pool in use, now */
    uint64_t pool_peak_bytes;     /* most bytes of the pool ever in use */
    uint64_t cl_allocated_bytes;  /* bytes of device memory held, now */
    uint64_t donations;           /* outputs written over an input that died */
    uint64_t aliases;             /* views that cost no copy */
    uint64_t fallbacks;           /* groups split because a kernel did not build or run */
    uint64_t host_waits;          /* times the host waited for the device */
    uint64_t cuts;                /* segments cut */
    uint64_t live_tensors;        /* tensors held by the caller, now */
    uint64_t cache_hits;          /* programs taken from the program cache */
    uint64_t cache_rejects;       /* entries of the cache that were there and could not be used */
    uint64_t cache_stores;        /* programs put into the cache */
    uint64_t cache_read_bytes;    /* bytes of the entries taken */
    uint64_t cache_written_bytes; /* bytes of the entries put */
    uint64_t cl_allocated_peak_bytes; /* most bytes of device memory ever held */
    uint64_t pool_slabs;              /* slabs of all streams' pools, now */
    uint64_t pool_free_bytes;         /* bytes of them in which nothing lies, now */
    uint64_t pool_largest_free_bytes; /* most of those in one piece, now */
    uint64_t mapped_bytes;            /* handed out by sinter_tensor_map */
    uint64_t map_copied_bytes; /* of them copied to the host; the others are the device's own */
    uint64_t caller_bytes; /* of the caller's buffers that tensors lie in, now: in no other count */
    uint64_t device_copies;       /* of tensors, from one device to another */
    uint64_t device_copied_bytes; /* by them */
    uint64_t repeated_ops;        /* of the operations, those that came as before the last cut */
    uint64_t at_once_launches;    /* of the launches, those that the calling thread ran itself */
    uint64_t repeated_calls;    /* of formulas and programs, those that came as before as a whole */
    uint64_t recorded_launches; /* of the launches, those that were replayed as one with others */
} sinter_stats;

/* clang-format off */
#define SINTER_STATS_INIT                                                                          \
    { sizeof(sinter_stats), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, \
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }
/* clang-format on */

/** Copies the context's counters: sums over its devices, but for pool_largest_free_bytes. *out begins as
 *  SINTER_STATS_INIT.
 *  units    *_bytes in bytes; counts otherwise.
 *  owns     nothing.
 *  errors   SINTER_EINVAL when an argument is NULL or out->size is not set.
 *  thread   any; counters of a busy context are each right, not mutually in step. */
SINTER_API sinter_status sinter_context_stats(sinter_context *ctx, sinter_stats *out);

/** The same of one device alone; tensors and host memory are the context's. A copy between devices
 *  counts where it goes.
 *  units    *_bytes in bytes; counts otherwise.
 *  owns     nothing.
 *  errors   SINTER_EINVAL when an argument is NULL, out->size is not set or the context has no device
 *           `index`.
 *  thread   any; as sinter_context_stats. */
SINTER_API sinter_status sinter_context_device_stats(sinter_context *ctx, uint32_t index,
                                                     sinter_stats *out);

/** Promises of the `reproducible` mode that the device cannot keep, as or-ed bits; 0: all are
 *  kept. */
#define SINTER_VOID_DENORMALS (1u << 0) /* the device flushes denormals */
#define SINTER_VOID_FMA (1u << 1)       /* fma is not exact */
#define SINTER_VOID_ROUNDING (1u << 2)  /* no round to nearest */
#define SINTER_VOID_DIVIDE (1u << 3)    /* division or square root is not correctly rounded */

/** Which clauses of the same-bits promise a device of the context cannot keep.
 *  owns     nothing.
 *  errors   none; 0 for NULL.
 *  thread   any. */
SINTER_API uint32_t sinter_context_void_clauses(const sinter_context *ctx);

#ifdef __cplusplus
}
#endif

#endif /* SINTER_CONTEXT_H */
