/* A workload as a job for sinter_profile_tune. */
#include "bench/bench.h"

#include "bench/case.h"
#include "bench/side.h"

#include <stdlib.h>
#include <string.h>

typedef struct job {
    const bench_workload *workload;
    const bench_size *size;
    void *data[BENCH_MAX_INPUTS];
} job;

static sinter_status open_side(void *user, sinter_context *ctx, sinter_stream *stream, void **state)
{
    const job *j = user;
    bench_side *side = calloc(1, sizeof *side);
    *state = side;
    if (side == NULL)
        return SINTER_ENOMEM;
    side->ctx = ctx;
    side->stream = stream;
    return bench_side_fill(side, j->workload, j->size->extents, j->data);
}

/* What replaces an input is held twice: by the side, and by whoever gets the results. */
static sinter_status run_side(void *user, void *state, sinter_stream *stream,
                              sinter_tensor *results, size_t room, size_t *count)
{
    bench_side *side = state;
    (void)user;
    (void)stream;
    (void)room; /* over BENCH_MAX_OUTPUTS */
    *count = 0;
    sinter_status status = bench_side_queue(side);
    for (int i = 0; i < BENCH_MAX_OUTPUTS && status == SINTER_OK; i++) {
        sinter_tensor output = side->outputs[i];
        side->outputs[i] = (sinter_tensor){0};
        if (output.id == 0)
            continue;
        results[(*count)++] = output;
        if (i < side->workload->updates) {
            side->inputs[i] = output;
            status = sinter_tensor_retain(side->ctx, output);
        }
    }
    return status;
}

static void close_side(void *user, void *state, sinter_stream *stream)
{
    bench_side *side = state;
    (void)user;
    (void)stream;
    if (side != NULL)
        bench_side_empty(side);
    free(side);
}

static const bench_size *find_size(const bench_workload *w, const char *label)
{
    char full[BENCH_LABEL];
    for (int i = 0; i < BENCH_MAX_SIZES && w->sizes[i].label != NULL; i++) {
        bench_label(w, &w->sizes[i], full);
        if (strcmp(full, label) == 0)
            return &w->sizes[i];
    }
    return strcmp(w->name, label) == 0 ? &w->sizes[w->quick] : NULL;
}

bool bench_job_open(const char *label, sinter_job *out)
{
    job *j = calloc(1, sizeof *j);
    for (size_t i = 0; i < bench_workload_count && j != NULL && j->size == NULL; i++) {
        j->workload = &bench_workloads[i];
        j->size = find_size(j->workload, label);
    }
    *out = (sinter_job){.size = sizeof *out,
                        .name = label,
                        .open = open_side,
                        .run = run_side,
                        .close = close_side,
                        .user = j};
    if (j != NULL && j->size != NULL && bench_data_make(j->workload, j->size->extents, j->data))
        return true;
    bench_job_close(out);
    return false;
}

void bench_job_close(sinter_job *out)
{
    job *j = out->user;
    if (j != NULL)
        bench_data_free(j->data);
    free(j);
    out->user = NULL;
}
