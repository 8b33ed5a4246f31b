/* The numbers by which schedules and groups fit a device, and those of single kernels.
 *
 * Whatever they are, the bits are the same: they come from defaults, from the device profile, or
 * from `sinter tune`, and a number that is out of its range is not taken. */
#ifndef SINTER_FUSION_DEVICE_TUNING_H
#define SINTER_FUSION_DEVICE_TUNING_H

#include "core/base.h"
#include "sinter/context.h"

typedef struct sinter__tuning {
#define SINTER_TUNING(name, cpu, gpu, low, high, kind, loops, text) uint32_t name;
#include "fusion/device/tuning.def"
#undef SINTER_TUNING
} sinter__tuning;

#define SINTER__TUNING_COUNT (sizeof(sinter__tuning) / sizeof(uint32_t))

typedef enum sinter__tuning_kind {
    SINTER__TUNING_POWER,
    SINTER__TUNING_COUNTED,
    SINTER__TUNING_LANES,
} sinter__tuning_kind;

/* A row of tuning.def. */
typedef struct sinter__tuning_info {
    const char *name;
    const char *meaning;
    uint32_t low, high;
    uint8_t kind;
    uint16_t loops; /* bits: 1 << sinter__loops, and those below */
} sinter__tuning_info;

#define SINTER__TUNING_GROUPING (1u << 15)
#define SINTER__TUNING_CPU (1u << 14)
#define SINTER__TUNING_GPU (1u << 13)

/* Rows in the order of the structure's fields. */
const sinter__tuning_info *sinter__tuning_row(size_t index);

/* The row called by these bytes; SINTER__TUNING_COUNT when there is none. */
size_t sinter__tuning_find(const char *name, size_t bytes);

/* Whether the number matters in kernels of that style. */
bool sinter__tuning_matters(size_t index, sinter_style style);

uint32_t sinter__tuning_get(const sinter__tuning *t, size_t index);

/* False, and nothing is changed, when `value` is none that the number can have. */
bool sinter__tuning_set(sinter__tuning *t, size_t index, uint32_t value);

/* The next value upwards or downwards that is worth trying; 0: there is none. */
bool sinter__tuning_next(const sinter__tuning *t, size_t index, bool up, uint32_t *value);

/* Sound choices where nothing has been measured. `lanes` of a vector are what the device or the
 * caller wants, `native_lanes` the f32 lanes of a register. */
void sinter__tuning_init(sinter__tuning *t, sinter_style style, uint32_t lanes,
                         uint32_t native_lanes);

/* Of a kernel by itself: what was found fastest for a nest of that key (sinter__schedule_key). */
typedef struct sinter__tuned {
    uint64_t key;
    sinter__tuning tuning;
} sinter__tuned;

/* Sorted by key, none twice. */
typedef struct sinter__tuned_list {
    const sinter__tuned *all;
    size_t count;
} sinter__tuned_list;

/* That of the key; NULL when the kernel has none of its own. */
const sinter__tuned *sinter__tuned_find(const sinter__tuned_list *list, uint64_t key);

#endif /* SINTER_FUSION_DEVICE_TUNING_H */
