/* Bytes that a bound nest moves: exact, and known before it runs. */
#ifndef SINTER_FUSION_COST_BYTES_H
#define SINTER_FUSION_COST_BYTES_H

#include "fusion/schedule/schedule.h"

typedef struct sinter__bytes {
    int64_t read, written; /* each distinct byte once per direction; a row that is larger than the
                              cache counts again in each phase that reads it */
    int64_t scratch;       /* moved there and back */
    int passes;            /* phases that read the row; 0 where it is read once */
} sinter__bytes;

sinter__bytes sinter__nest_bytes(const sinter__graph *g, const sinter__nest *nest,
                                 const sinter__bound_nest *bound, const sinter__limits *limits);

#endif /* SINTER_FUSION_COST_BYTES_H */
