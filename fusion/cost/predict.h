/* How long a launch should take, by what was measured of the device.
 *
 * Its bytes at the bandwidth of the memory, or, where that is longer, at the bandwidth of the caches
 * with the arithmetic on top, which is how arithmetic was measured. Exact for what was measured and
 * an estimate for all else: it decides nothing. */
#ifndef SINTER_FUSION_COST_PREDICT_H
#define SINTER_FUSION_COST_PREDICT_H

#include "fusion/cost/bytes.h"
#include "fusion/cost/rates.h"

typedef struct sinter__prediction {
    double transfer_ns; /* moving the bytes and nothing else; 0: no bandwidth was measured */
    double work_ns;     /* that and the arithmetic; 0: something of it was not measured */
} sinter__prediction;

/* Of a nest in kernels of so many lanes, without what starting them takes. */
sinter__prediction sinter__predict(const sinter__rates *rates, const sinter__limits *limits,
                                   const sinter__nest *nest, const sinter__bound_nest *bound,
                                   const sinter__bytes *bytes, uint32_t lanes);

#endif /* SINTER_FUSION_COST_PREDICT_H */
