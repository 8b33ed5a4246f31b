/* What was measured of a device: plain numbers, by which a kernel's time is predicted
 * (fusion/cost/predict.h). */
#ifndef SINTER_FUSION_COST_RATES_H
#define SINTER_FUSION_COST_RATES_H

#include "fusion/library/native.h"

#define SINTER__RATE_WIDTHS 5 /* vectors of 1, 2, 4, 8, 16 lanes */

/* Elements of f32 that the figures "in the caches" and "in the memory" are of. */
#define SINTER__RATE_NEAR ((int64_t)1 << 16)
#define SINTER__RATE_FAR ((int64_t)1 << 24)

enum {
#define SINTER_FIGURE(name, unit, text) SINTER__FIGURE_##name,
#include "fusion/cost/rates.def"
    SINTER__FIGURE_COUNT
};
enum {
#define SINTER_COST(name, inputs, steps, program, text) SINTER__COST_##name,
#include "fusion/cost/rates.def"
    SINTER__COST_COUNT
};

typedef struct sinter__rates {
    uint32_t figures[SINTER__FIGURE_COUNT];                  /* 0: not measured */
    uint32_t costs[SINTER__COST_COUNT][SINTER__RATE_WIDTHS]; /* ps per element; 0: not measured */
    uint32_t driver[SINTER__NATIVE_COUNT]; /* ps per element of the driver's own; 0: not measured */
} sinter__rates;

/* What a row of the costs is called. */
const char *sinter__cost_name(size_t index);

/* The row called by these bytes; SINTER__COST_COUNT: none is. */
size_t sinter__cost_find(const char *name, size_t bytes);

/* Which of the widths vectors of so many lanes have. */
size_t sinter__rate_width(uint32_t lanes);

#endif /* SINTER_FUSION_COST_RATES_H */
