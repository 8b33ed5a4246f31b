/* One program over several streams of a context, of any of its devices: rows are split in proportion to
 * what the devices are measured to do, the program is queued for each part, and the results are put
 * together. docs/sharding.md has an example. */
#ifndef SINTER_SHARD_H
#define SINTER_SHARD_H

#include "sinter/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Most streams that a program is split over. */
#define SINTER_MAX_SHARDS 32

typedef struct sinter_shard sinter_shard;

typedef struct sinter_shard_options {
    uint32_t size;        /* sizeof of this struct in the caller's header; fields past it are 0 */
    uint32_t root;        /* index of the stream that has the results */
    const double *shares; /* of each stream, in any unit: the split stays; NULL: by throughput */
    int64_t granule_rows; /* parts but the last have a multiple of it; 0: as suits the outputs */
} sinter_shard_options;

/* clang-format off */
#define SINTER_SHARD_OPTIONS_INIT                                                                  \
    { sizeof(sinter_shard_options), 0, NULL, 0 }
/* clang-format on */

/** In sinter_shard_input: each part gets all of the tensor. */
#define SINTER_SHARD_WHOLE INT32_MIN

/** In sinter_shard_input: what a stream was given of the tensor is kept for the next run, until this
 *  input is another handle or another part. For tensors whose memory nobody writes meanwhile. */
#define SINTER_SHARD_KEEP (1u << 0)

typedef struct sinter_shard_input {
    sinter_tensor tensor;
    int32_t axis; /* along which it is split; from the end if negative */
    uint32_t flags;
} sinter_shard_input;

/** What becomes of an output's parts. The same bits as sinter_sum and the others give of the joined
 *  parts, however they are split. */
typedef enum sinter_shard_join {
    SINTER_SHARD_CONCAT = 0, /* one after the other along the axis */
    SINTER_SHARD_SUM = 1,    /* the reduction over the axis, which goes */
    SINTER_SHARD_PROD = 2,
    SINTER_SHARD_MAX = 3,
    SINTER_SHARD_MIN = 4,
} sinter_shard_join;

typedef struct sinter_shard_output {
    sinter_shard_join join;
    int32_t axis; /* of the part's tensor; from the end if negative */
} sinter_shard_output;

/** The part that a program is queued for. */
typedef struct sinter_shard_part {
    uint32_t size;  /* bytes of this struct that are filled */
    uint32_t index; /* of the stream among the shard's */
    int64_t first;  /* row of the whole */
    int64_t rows;
    int64_t total_rows;
} sinter_shard_part;

/** Queues the program on `stream` for one part. `inputs` are the library's, split ones with
 *  part->rows along their axis; `outputs` are to be made on the stream in this call, and are given
 *  away, with part->rows along their axis. Whatever else it makes is released after it, and it leaves no tensor
 *  mapped. What is not SINTER_OK ends the run. It may not use the shard. */
typedef sinter_status (*sinter_shard_fn)(void *user, sinter_stream *stream,
                                         const sinter_shard_part *part, const sinter_tensor *inputs,
                                         sinter_tensor *outputs);

/** Makes a shard: streams, and what is known of their throughput for one program. Their launches are timed
 *  from now on, by events of the device where it has them; a stream that had none so far is waited for.
 *  shapes   `count` streams, each once, all of one context.
 *  owns     *out is the caller's: sinter_shard_destroy. The streams stay the caller's and cannot be
 *           destroyed before it. `options` (NULL: defaults) is copied, and so are its shares.
 *  errors   SINTER_EINVAL (NULL, no stream or more than SINTER_MAX_SHARDS, a stream twice or of another
 *           context, an option out of range), SINTER_ENOMEM, SINTER_EDEVICE; *out is NULL then.
 *  thread   that of all the streams. */
SINTER_API sinter_status sinter_shard_create(size_t count, sinter_stream *const *streams,
                                             const sinter_shard_options *options,
                                             sinter_shard **out);

/** Frees a shard and what it keeps of inputs; NULL is accepted. Waits for nothing.
 *  owns     `shard` is gone.
 *  errors   none.
 *  thread   that of all its streams. */
SINTER_API void sinter_shard_destroy(sinter_shard *shard);

/** Runs a program in parts: splits the inputs, calls `program` for each stream that has rows, in order, and
 *  flushes the stream; then queues the joining of the outputs on the root stream, which waits for parts
 *  of other devices. Without rows the program is called once, on the root stream.
 *  shapes   the extents that are split are equal. results: parts joined, or reduced.
 *  dtype    results: as sinter_sum and the others; else that of the parts.
 *  owns     `inputs` stay the caller's; each handle of `results` (one per output) is the caller's, and
 *           of the root stream. On failure every result is the null handle and nothing is held but what
 *           SINTER_SHARD_KEEP keeps.
 *  errors   SINTER_EINVAL (NULL, no input that is split, an output that was not made or a tensor
 *           left mapped, an unknown join), SINTER_ERANGE (an axis), SINTER_ESHAPE (extents that
 *           differ, an output without the part's rows, parts that do not fit together),
 *           SINTER_EDTYPE, SINTER_EHANDLE, SINTER_EDEVICE and the others of operations; what
 *           `program` returned. The text has the part's number. What fails while it runs is met by
 *           who reads the results, and other streams stay usable.
 *  thread   that of all the streams. */
SINTER_API sinter_status sinter_shard_run(sinter_shard *shard, sinter_shard_fn program, void *user,
                                          size_t input_count, const sinter_shard_input *inputs,
                                          size_t output_count, const sinter_shard_output *outputs,
                                          sinter_tensor *results);

/** What is known of one of the streams. */
typedef struct sinter_shard_state {
    uint32_t
        size; /* in: sizeof of this struct in the caller's header; out: bytes that are filled */
    uint32_t device;        /* of the stream */
    double share;           /* of the rows, by which they are split: 0 to 1 */
    int64_t rows;           /* in the last run */
    double rows_per_second; /* by what was measured; 0: nothing is */
    int64_t timed_rows;     /* of the last part that was measured */
    uint64_t time_ns; /* that it took, from its first launch to its last; 0: nothing is measured */
    uint64_t timed_runs; /* that were measured */
    const char *why;     /* the split is as it is: valid until the next call with the shard */
} sinter_shard_state;

/* clang-format off */
#define SINTER_SHARD_STATE_INIT                                                                    \
    { sizeof(sinter_shard_state), 0, 0, 0, 0, 0, 0, 0, NULL }
/* clang-format on */

/** Tells how the rows are split, and why. Waits for nothing: what the device has not done is not
 *  measured yet.
 *  units    *_ns in nanoseconds.
 *  owns     *out begins as SINTER_SHARD_STATE_INIT and is filled.
 *  errors   SINTER_EINVAL when an argument is NULL, out->size is not set or the shard has no stream `index`.
 *  thread   that of all the streams. */
SINTER_API sinter_status sinter_shard_report(sinter_shard *shard, size_t index,
                                             sinter_shard_state *out);

#ifdef __cplusplus
}
#endif

#endif /* SINTER_SHARD_H */
