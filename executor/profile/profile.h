/* The device profile from the inside: what is known of one device beside what it reports. */
#ifndef SINTER_EXECUTOR_PROFILE_H
#define SINTER_EXECUTOR_PROFILE_H

#include "core/buffer.h"
#include "core/log.h"
#include "executor/cache/cache_folder.h"
#include "executor/opencl/device.h"
#include "fusion/cost/rates.h"
#include "sinter/profile.h"

/* Changes when a name or its meaning does: a file of another format is passed over. */
#define SINTER__PROFILE_FORMAT 1
#define SINTER__PROFILE_ORIGIN 768
#define SINTER__PROFILE_LABEL 96

#define SINTER__VOID_ALL                                                                           \
    (SINTER_VOID_DENORMALS | SINTER_VOID_FMA | SINTER_VOID_ROUNDING | SINTER_VOID_DIVIDE)

/* Whether something holds. */
typedef enum sinter__fact {
    SINTER__FACT_NO,
    SINTER__FACT_YES,
    SINTER__FACT_UNKNOWN, /* nobody has looked */
} sinter__fact;

/* A kernel with numbers of its own, and what it is called in the file's comments. */
typedef struct sinter__profile_kernel {
    sinter__tuned tuned;
    char label[SINTER__PROFILE_LABEL];
} sinter__profile_kernel;

/* What a file says. */
typedef struct sinter__profile_values {
    sinter_style style;
    uint32_t exact_fma;    /* sinter__fact: the device's own */
    uint32_t exact_divide; /* and its division and square root */
    uint32_t exact_half;   /* and its rounding to half */
    uint32_t void_clauses; /* SINTER_VOID_*: what does not hold even with sinter's own */
    bool is_shipped;       /* the rates are of another device of its kind, not of this one */
    sinter__rates rates;
    sinter__tuning tuning;
    sinter__profile_kernel *kernels; /* sorted by key */
    size_t kernel_count, kernel_capacity;
} sinter__profile_values;

struct sinter_profile {
    sinter__allocator *allocator;
    sinter__allocator own; /* that of profiles that the caller holds */
    sinter__device device;
    sinter__profile_values values;
    char origin[SINTER__PROFILE_ORIGIN];
    bool passed_over; /* what there was for the device could not be used; the origin says why */
};

/* Defaults for the device. */
void sinter__profile_init(sinter_profile *p, sinter__allocator *a, const sinter__device *d);
void sinter__profile_finish(sinter_profile *p);

/* The profile that a context takes which is given none; what is passed over is in the origin.
 * Nothing fails but memory: SINTER_ENOMEM. The caller finishes it whatever is returned. */
sinter_status sinter__profile_find(sinter_profile *p, sinter__allocator *a, const sinter__device *d,
                                   const sinter_context_options *o);

/* Name of the device's file in the user's folder. */
void sinter__profile_file(const sinter__device *d, char out[SINTER__CACHE_NAME]);

/* Whether it was measured on such a device, with the same driver. */
bool sinter__profile_is_of(const sinter_profile *p, const sinter_device_info *info);

/* A copy. The caller finishes it whatever is returned. */
sinter_status sinter__profile_copy(sinter_profile *out, sinter__allocator *a,
                                   const sinter_profile *from);

/* The kernel of that key; NULL: there is none. */
sinter__profile_kernel *sinter__profile_kernel_find(const sinter__profile_values *v, uint64_t key);

/* The same, made with the device's numbers when there is none. NULL: no memory. */
sinter__profile_kernel *sinter__profile_kernel_add(sinter__profile_values *v, sinter__allocator *a,
                                                   uint64_t key);
void sinter__profile_kernel_remove(sinter__profile_values *v, uint64_t key);

/* What a context on the device then runs by: the style and the lanes that the caller wants win.
 * `*tuned` is to be freed as an array of as many kernels as the values have. */
sinter_status sinter__profile_apply(const sinter_profile *p, const sinter_context_options *o,
                                    sinter__allocator *a, sinter__device *d, sinter__tuned **tuned);

/* Text (executor/profile/profile_text.c). Parsing changes nothing when it fails. One that is shipped may be of
 * another device and driver, and says nothing of what this one computes exactly. */
sinter_status sinter__profile_parse(sinter_profile *p, const char *text, size_t bytes,
                                    bool is_shipped);
void sinter__profile_print(const sinter_profile *p, sinter__buffer *out);

/* A name as it stands in a file: without what would end a string or a line. */
void sinter__profile_name(const char *name, char *out, size_t bytes);

#endif /* SINTER_EXECUTOR_PROFILE_H */
