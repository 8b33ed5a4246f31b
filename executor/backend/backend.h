/* What a device has to do: hold memory, move it, compile kernels, run them. Two implementations:
 * OpenCL (executor/opencl/) and the host reference device (executor/host/). Nothing above this line
 * calls OpenCL. */
#ifndef SINTER_EXECUTOR_BACKEND_H
#define SINTER_EXECUTOR_BACKEND_H

#include "executor/backend/theirs.h"
#include "executor/opencl/device.h"
#include "fusion/plan/gemm.h"
#include "fusion/text/row.h"
#include "sinter/stream.h"

#include <stdatomic.h>

typedef struct sinter__backend sinter__backend;

/* Where bytes lie: a memory of the backend, and an offset. */
typedef struct sinter__address {
    void *memory;
    uint64_t offset_bytes;
} sinter__address;

/* A kernel that is ready to run; made by compiling, kept by the program cache. */
typedef struct sinter__kernel sinter__kernel;

/* Rows [first, first + count) of a launch with a list, of which none is empty; their operands lie in no
 * more memories than its kernel takes. */
typedef struct sinter__row_range {
    uint16_t first;
    uint16_t count;
} sinter__row_range;

/* A stream's own object of a kernel. */
typedef struct sinter__object {
    const sinter__kernel *of; /* NULL: there is none */
    void *handle;
    /* What each argument was last set to, two words each; of a list as executor/opencl/arguments.c has it. */
    uint64_t *sent;
    size_t sent_bytes;
    bool sent_any;
    sinter__row_range rows; /* of a list: those that were sent last, */
    uint64_t placement;     /* and the placement of their operands then */
} sinter__object;

/* One launch of a nest, with the numbers of its binding. */
typedef struct sinter__launch {
    const sinter__nest *nest;
    const sinter__bound_nest *bound;
    sinter__kernel_class class_;
    sinter__geometry geometry;
    uint16_t group;         /* of the plan */
    int index;              /* of the nest's launches (fusion/schedule/schedule.h) */
    sinter__kernel *kernel; /* NULL on the host reference device, and when it does not build */
    sinter__object object;  /* of `kernel` */
    sinter__object other;   /* of the kernel before: two batch sizes in turn make none anew */
    bool params_sent;       /* of this binding: they stay until the next one */
    uint64_t moved_bytes;   /* for a trace; 0 without one */
    const struct sinter__launch *const
        *rows;          /* of the groups of a list that it runs, itself first */
    uint16_t row_count; /* 0: no list */
} sinter__launch;

/* What the launches of a segment read from. */
typedef struct sinter__operands {
    const sinter__address *tensors; /* by tensor of the graph */
    uint64_t placement;      /* as long as it is the same number, each of them lies where it lay */
    const uint64_t *scalars; /* by scalar of the graph */
    sinter__address scratch;
    uint64_t scratch_bytes;
    /* Room for stored rows on their way to the scratch memory: it stays until the next `finish`. Else NULL. */
    void *staged;
} sinter__operands;

/* Of a launch, by the device's clock. */
typedef struct sinter__event_times {
    uint64_t queued_ns;
    uint64_t start_ns;
    uint64_t end_ns;
} sinter__event_times;

struct sinter__backend {
    /* Memory of the device. */
    sinter_status (*memory_create)(void *state, uint64_t bytes, void **memory);
    void (*memory_release)(void *state, void *memory);

    /* In-order queues; timed: if it can. `priority` (NULL: the default) is a hint, and becomes what the
     * device was told. The end of a queue waits for what is in it. */
    sinter_status (*queue_create)(void *state, bool timed, sinter_priority *priority, void **queue);
    void (*queue_release)(void *state, void *queue);
    sinter_status (*write)(void *state, void *queue, sinter__address to, const void *data,
                           uint64_t bytes); /* has copied `data` when it returns */
    sinter_status (*write_later)(void *state, void *queue, sinter__address to, const void *data,
                                 uint64_t bytes); /* `data` stay until the next `finish` */
    sinter_status (*read)(void *state, void *queue, sinter__address from, void *data,
                          uint64_t bytes); /* waits */
    sinter_status (*fill)(void *state, void *queue, sinter__address to, uint64_t bytes,
                          uint8_t byte);
    /* A pointer to the bytes, where the device shares the host's memory; waits. */
    sinter_status (*map)(void *state, void *queue, sinter__address at, uint64_t bytes, bool writes,
                         void **data);
    sinter_status (*unmap)(void *state, void *queue, sinter__address at, void *data);
    sinter_status (*flush)(void *state, void *queue);
    sinter_status (*finish)(void *state, void *queue); /* waits */

    /* Marks (executor/context/edge.h): behind what the queue has so far, which is flushed. NULL functions: what a
     * queue has been given is done. */
    sinter_status (*mark)(void *state, void *queue, void **mark);
    /* What the queue gets from now on begins after the mark of another queue. */
    sinter_status (*follow)(void *state, void *queue, void *mark);
    /* Whether the device has come to the mark; what it failed with before. Does not wait. */
    sinter_status (*mark_done)(void *state, void *mark, bool *done);
    void (*mark_release)(void *state, void *mark);

    /* Programs. `log` (may be empty) gets the build log. NULL functions: nothing to compile. */
    sinter_status (*program_build)(void *state, const char *source, void **program,
                                   sinter__buffer *log);
    void (*program_release)(void *state, void *program);
    /* From what program_binary gave another process; false when the driver does not take it. */
    bool (*program_load)(void *state, const void *binary, size_t bytes, void **program);
    /* The program as bytes, behind `front` bytes that are left free; freed with *bytes, which counts
     * those too. False when the driver gives none. */
    bool (*program_binary)(void *state, void *program, size_t front, uint8_t **out, size_t *bytes);
    sinter_status (*object_create)(void *state, void *program, const char *name, void **object,
                                   uint32_t *max_group);
    void (*object_release)(void *state, void *object);

    /* `rows` counts only where the launch has a list. *event (NULL: not wanted) is by what its times
     * are found, NULL where the device has none. */
    sinter_status (*launch)(void *state, void *queue, sinter__launch *launch,
                            sinter__row_range rows, const sinter__operands *operands, void **event);
    /* Launches of no list as one, where the device records them (`records_launches` of its
     * information). The words of what a launch would be given are equal where that is the same, and
     * `argument_words` of them. A recording is of what the kernels have been given last, and
     * replayed on the queue that it was made for. */
    size_t (*argument_words)(const sinter__launch *launch);
    void (*arguments)(const sinter__launch *launch, const sinter__operands *operands,
                      uint64_t *words);
    sinter_status (*record)(void *state, void *queue, sinter__launch *const *launches, size_t count,
                            void **recording);
    sinter_status (*replay)(void *state, void *queue, void *recording, size_t count);
    void (*recording_release)(void *state, void *recording);
    /* Ends the event of a launch; false when its times are not known. */
    bool (*event_end)(void *state, void *event, sinter__event_times *times);

    /* Matrix products by a library, where the context has found one. */
    sinter_status (*gemm_scratch)(void *state, void *queue, const sinter__gemm *gemm,
                                  uint64_t *bytes);
    /* Product `item` of the batch. *kept is what is kept for the products from run to run: NULL at
     * first, ended by gemm_end. *built: the library had to build its kernels. */
    sinter_status (*gemm)(void *state, void *queue, const sinter__gemm *gemm, int64_t item,
                          const sinter__operands *operands, void **kept, bool *built);
    void (*gemm_end)(void *state, void *kept);

    /* For a caller that uses OpenCL too; NULL functions where there is none. Its queue, which is
     * checked, as one of ours; and a part of its buffer as a memory, whose offsets are those of the
     * buffer, and what that is a part of. */
    sinter_status (*queue_adopt)(void *state, void *theirs, void **queue);
    void (*queue_forget)(void *state, void *queue);
    sinter_status (*memory_adopt)(void *state, sinter__their_memory *theirs, void **memory);
    void (*memory_forget)(void *state, void *memory);
    /* What the caller's commands need to use a memory after what the queue has; does not wait. */
    sinter_status (*hand_over)(void *state, void *queue, void *memory, bool wants_event,
                               sinter__handed *out);
    /* What the queue gets from now on comes after an event of the caller's, which is checked. */
    sinter_status (*await)(void *state, void *queue, void *event);

    void (*close)(void *state);
};

/* Exact counts of what a backend holds and has made. */
typedef struct sinter__backend_counts {
    atomic_uint_fast64_t created;
    atomic_uint_fast64_t live;
    atomic_uint_fast64_t memory_bytes;      /* of device memory: the pools count it */
    atomic_uint_fast64_t memory_peak_bytes; /* most of it at once */
    atomic_uint_fast64_t waits;
    atomic_uint_fast64_t at_once;  /* launches that the calling thread ran */
    atomic_uint_fast64_t recorded; /* launches that a recording had */
} sinter__backend_counts;

/* The device stays where it is as long as the backend. */
sinter_status sinter__backend_cl_open(const sinter__device *device, sinter__allocator *a,
                                      sinter__backend_counts *counts,
                                      const sinter__backend **backend, void **out);
sinter_status sinter__backend_host_open(const sinter__device *device, sinter__allocator *a,
                                        sinter__backend_counts *counts,
                                        const sinter__backend **backend, void **out);

/* What argument `index` of a launch is, as the bytes that the kernel gets. */
typedef struct sinter__argument_value {
    bool is_buffer; /* or scratch: `word` is the offset in `memory` */
    void *memory;   /* NULL: the operand has no elements, and no memory */
    uint64_t word;
    size_t bytes;
} sinter__argument_value;

sinter__argument_value sinter__launch_argument(const sinter__launch *launch,
                                               const sinter__kernel_text *text, size_t index,
                                               const sinter__operands *operands);

/* The numbers of a plain launch as they are packed; `sent` is what its arguments were set to, two words each. */
void sinter__numbers_write(const sinter__launch *launch, const uint64_t *sent, uint32_t *out);

/* The memories that operands of rows lie in, each once. */
typedef struct sinter__memories {
    void *all[SINTER__ROW_MEMORIES_MAX];
    uint32_t count;
} sinter__memories;

/* Adds those of a row; false when that makes more than `most`, and then no further row can be added. */
bool sinter__memories_add(sinter__memories *memories, const sinter__launch *row,
                          const sinter__address *tensors, uint32_t most);

/* The rows of a launch with a list, as its kernel takes them (fusion/text/row.h): bytes of `rows`, by value with
 * those that are absent; these bytes; and the work-items of `rows`. */
size_t sinter__rows_bytes(const sinter__launch *launch, sinter__row_range rows);
void sinter__rows_write(const sinter__launch *launch, sinter__row_range rows,
                        const sinter__operands *operands, const sinter__memories *memories,
                        uint32_t *out);
size_t sinter__rows_items(const sinter__launch *launch, sinter__row_range rows);

/* Brings rows that were written with operands in the same places up to date; whether any has changed. */
bool sinter__rows_renew(const sinter__launch *launch, sinter__row_range rows,
                        const sinter__operands *operands, uint32_t *written);

/* Whether these rows were sent last, and their operands lie where they lay then: by value, the kernel has them but for
 * what is brought up to date. */
static inline bool sinter__rows_sent(const sinter__launch *l, sinter__row_range rows,
                                     uint64_t placement)
{
    const sinter__object *o = &l->object;
    return o->sent_any && o->placement == placement && o->rows.first == rows.first &&
           o->rows.count == rows.count;
}

/* What the launch, of a list `rows` together, takes one thread, in additions (fusion/schedule/schedule.h). */
double sinter__launch_work(const sinter__launch *launch, sinter__row_range rows);

/* Bytes of object.sent of a launch with a list. */
size_t sinter__rows_sent_bytes(const sinter__launch *launch);

struct sinter__kernel {
    sinter__kernel_text text;
    struct sinter__program *program;
    sinter__kernel *next;          /* in its bucket */
    sinter__kernel *newer, *older; /* among those that nobody holds */
    uint32_t references;
    atomic_size_t widest; /* most work-items of a launch so far, for drivers that mind */
};

#endif /* SINTER_EXECUTOR_BACKEND_H */
