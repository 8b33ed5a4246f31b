/* A shard from the inside. */
#ifndef SINTER_EXECUTOR_SHARD_H
#define SINTER_EXECUTOR_SHARD_H

#include "executor/queue/apply.h"
#include "executor/shard/balance.h"
#include "executor/shard/span.h"
#include "executor/shard/worth.h"

/* What a stream was given of an input, kept for the next run. */
typedef struct sinter__kept {
    sinter_tensor source;
    int32_t axis; /* from the start, or SINTER_SHARD_WHOLE */
    int64_t first, rows;
    sinter_tensor part; /* the null handle: nothing is kept */
} sinter__kept;

/* A run, by what decides how long it takes until the next one. */
typedef struct sinter__begun {
    uint64_t run;   /* runs before it */
    uint64_t since; /* the first run of those before it that went as it does */
    uint32_t way;
    int64_t total;
    int64_t rows;      /* of the root */
    uint64_t start_ns; /* of the root's first launch, by its device; 0: not known */
} sinter__begun;

struct sinter_shard {
    sinter_context *ctx;
    size_t count;
    uint32_t root;
    sinter_stream *streams[SINTER_MAX_SHARDS];
    sinter__span spans[SINTER_MAX_SHARDS];
    int64_t timed_rows[SINTER_MAX_SHARDS]; /* of an open span */
    bool is_timeless[SINTER_MAX_SHARDS];   /* the device said nothing of the last part's time */
    sinter__balance balance;
    sinter__worth worth;
    sinter__begun begun;   /* the last run of which it is known when the root began */
    sinter__begun current; /* the run that is queued */
    sinter__begun timed;   /* of the root's open span */
    int64_t granule;
    int64_t run;        /* elements that a sum of an output takes in sequence: of the last run */
    sinter__kept *kept; /* by input, then stream */
    size_t kept_inputs;
};

/* One run. */
typedef struct sinter__shard_run {
    sinter_shard *shard;
    size_t input_count, output_count;
    const sinter_shard_input *inputs;
    const sinter_shard_output *outputs;
    int64_t total;
    int64_t first[SINTER_MAX_SHARDS];
    int64_t rows[SINTER_MAX_SHARDS];
    size_t last;          /* that has rows, or the root */
    sinter_tensor *parts; /* of inputs: by stream, then input */
    sinter_tensor *made;  /* of outputs: by stream, then output */
    sinter_tensor *tails; /* of the last stream's, by output: what is behind its last whole run */
    sinter_tensor *keep;  /* room for what of those stays when a part's scope ends */
    sinter_tensor_desc *descs; /* of the first stream's outputs, as the program made them */
} sinter__shard_run;

/* Whether stream `k` has a part. */
static inline bool sinter__shard_has(const sinter__shard_run *r, size_t k)
{
    return r->rows[k] > 0 || (r->total == 0 && k == r->shard->root);
}

/* `axis` of a tensor of that rank, from its end if negative. */
sinter_status sinter__shard_axis(const char *what, size_t index, int32_t axis, int rank, int *out);

/* Inputs (executor/shard/inputs.c) */

/* The extent that is split. */
sinter_status sinter__shard_rows(const sinter__shard_run *r, int64_t *out);

/* Parts of all inputs on the streams that have rows. What is made is released by the caller, also on
 * failure. */
sinter_status sinter__shard_deal(sinter__shard_run *r);

/* Lets go of what is kept. */
void sinter__shard_forget(sinter_shard *shard);

/* Outputs (executor/shard/join.c) */

/* Looks at what stream `k` has made, and reduces it as far as that changes no bit: handles in `made` are
 * replaced then, and what they were stays in the scope that is open. */
sinter_status sinter__shard_reduce(sinter__shard_run *r, size_t k);

/* What has come of output `o`, on the root stream. */
sinter_status sinter__shard_join(sinter__shard_run *r, size_t o, sinter_tensor *out);

#endif /* SINTER_EXECUTOR_SHARD_H */
