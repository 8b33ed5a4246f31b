/* The device profile: what was measured of a device, and the schedules that suit it.
 *
 * A context takes the profile of its device by itself, in this order: the one that the options or
 * SINTER_PROFILE name, the user's (sinter_profile_save; sinter_profile_keep where the context has hooks for
 * what is kept), one that comes with the library for devices of its kind, sound defaults for a CPU or a GPU.
 * Nothing is measured unless it is asked for here. A profile decides speed; in the modes native and relaxed
 * also which functions and products are the driver's. */
#ifndef SINTER_PROFILE_H
#define SINTER_PROFILE_H

#include "sinter/context.h"
#include "sinter/inspect.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The profile that a context on that device would take.
 *  owns     *out is the caller's: sinter_profile_destroy. `device` as in sinter_context_options, one
 *           alone, which may be a part ("0:0/2.1"); NULL: SINTER_DEVICE.
 *  errors   SINTER_ENODEVICE, SINTER_ENOMEM, SINTER_EINVAL when `out` is NULL and for several devices,
 *           SINTER_EUNSUPPORTED for a part of a device that has none; *out is NULL then. A
 *           file that is damaged or of another device is passed over: sinter_profile_origin says so.
 *  thread   any. */
SINTER_API sinter_status sinter_profile_open(const char *device, sinter_profile **out);

/** Frees a profile; NULL is accepted. A context that was created with it has a copy.
 *  owns     `profile` is gone.
 *  errors   none.
 *  thread   no other thread may be using it. */
SINTER_API void sinter_profile_destroy(sinter_profile *profile);

/** Where the profile's values are from: a path, "shipped: " and a name, or "defaults", and after a
 *  colon why a file was passed over.
 *  owns     the profile's, valid until it changes or is destroyed.
 *  errors   none; "" for NULL.
 *  thread   one at a time. */
SINTER_API const char *sinter_profile_origin(const sinter_profile *profile);

/** Sets everything back to the defaults for the device.
 *  owns     nothing.
 *  errors   SINTER_EINVAL for NULL.
 *  thread   one at a time. */
SINTER_API sinter_status sinter_profile_reset(sinter_profile *profile);

/** Replaces the profile's values by those of a text, of the form that sinter_profile_write gives.
 *  owns     nothing; `text` is copied, `bytes` without a terminator.
 *  errors   SINTER_ESYNTAX with the line, SINTER_EDEVICE for a text of another device, driver or format,
 *           SINTER_ENOMEM, SINTER_EINVAL for NULL; the profile is as it was then.
 *  thread   one at a time. */
SINTER_API sinter_status sinter_profile_parse(sinter_profile *profile, const char *text,
                                              size_t bytes);

/** Writes the profile as text that people can read and change. A number that is the device's default is
 *  written as a comment: where the text is read again, the default of that version and device holds.
 *  owns     nothing; `write` gets text that is valid during the call.
 *  errors   SINTER_EINVAL for NULL, SINTER_ENOMEM.
 *  thread   one at a time. */
SINTER_API sinter_status sinter_profile_write(const sinter_profile *profile, sinter_write_fn write,
                                              void *user);

/** Writes the profile where contexts look for the user's, and makes that its origin.
 *  owns     nothing.
 *  errors   SINTER_EIO with the path when it cannot be written, SINTER_ENOMEM, SINTER_EINVAL for
 *           NULL.
 *  thread   one at a time. */
SINTER_API sinter_status sinter_profile_save(sinter_profile *profile);

/** Gives the profile to a hook (sinter_context_options) under the key under which contexts with the load hook beside
 *  it look for that of their device, and makes that its origin: measured and tuned schedules for
 *  where there is no folder.
 *  owns     nothing.
 *  errors   SINTER_EIO when the hook keeps it not, SINTER_ENOMEM, SINTER_EINVAL for NULL.
 *  thread   one at a time; the hook is called by it. */
SINTER_API sinter_status sinter_profile_keep(sinter_profile *profile, sinter_cache_store_fn store,
                                             void *user);

/** A number of the schedules. */
typedef struct sinter_profile_number {
    uint32_t
        size; /* in: sizeof of this struct in the caller's header; out: bytes that are filled */
    uint32_t value;
    uint32_t low, high;    /* what it can be */
    uint32_t power_of_two; /* 1: only powers of two */
    uint32_t reserved;     /* 0 */
    const char *name;
    const char *meaning;
} sinter_profile_number;

/* clang-format off */
#define SINTER_PROFILE_NUMBER_INIT                                                                 \
    { sizeof(sinter_profile_number), 0, 0, 0, 0, 0, NULL, NULL }
/* clang-format on */

/** Number `index` of the schedules.
 *  owns     fills *out, which begins as SINTER_PROFILE_NUMBER_INIT; its texts are static.
 *  errors   SINTER_EINVAL for NULL, SINTER_ERANGE when there is no such number.
 *  thread   one at a time. */
SINTER_API sinter_status sinter_profile_get(const sinter_profile *profile, size_t index,
                                            sinter_profile_number *out);

/** Sets number `index` of the schedules. Results stay the same bits.
 *  owns     nothing.
 *  errors   SINTER_EINVAL for NULL, SINTER_ERANGE for a value that it cannot have or when there is
 *           no such number.
 *  thread   one at a time. */
SINTER_API sinter_status sinter_profile_set(sinter_profile *profile, size_t index, uint32_t value);

/** How something is measured. */
typedef struct sinter_measure_options {
    uint32_t size;     /* sizeof of this struct in the caller's header; fields past it are 0 */
    uint32_t reserved; /* 0 */
    double seconds;    /* most that it may take, to within what is under way; 0: 10 */
    /* Told how far it is, 0 to 1, and what is being measured; false: to end it with what is there. NULL: nobody. */
    bool (*tick)(void *user, double done, const char *what);
    void (*note)(void *user, const char *line); /* told what was found or refused. NULL: nobody */
    void *user;
} sinter_measure_options;

/* clang-format off */
#define SINTER_MEASURE_OPTIONS_INIT                                                                \
    { sizeof(sinter_measure_options), 0, 0, NULL, NULL, NULL }
/* clang-format on */

/** Measures the profile's device: what it computes exactly, bandwidths, costs of launches and of
 *  operations, and which schedules suit it. What there is no time for keeps its value.
 *  units    seconds, as a double.
 *  owns     nothing; `options` NULL: the defaults.
 *  errors   SINTER_EINVAL for NULL, SINTER_ERANGE (seconds below 0 or over a million), SINTER_EDEVICE and
 *           SINTER_ENOMEM; what was measured before is kept.
 *  thread   one at a time; it opens contexts of its own. */
SINTER_API sinter_status sinter_profile_measure(sinter_profile *profile,
                                                const sinter_measure_options *options);

/** A program that can be run again and again, in contexts that are not the caller's. */
typedef struct sinter_job {
    uint32_t size;     /* sizeof of this struct in the caller's header */
    uint32_t reserved; /* 0 */
    const char *name;
    /* Makes what the program starts from; NULL: nothing. `close` is called even when it fails. */
    sinter_status (*open)(void *user, sinter_context *ctx, sinter_stream *stream, void **state);
    /* Queues one repetition of the same work. The results are given away: at most `room` of them. */
    sinter_status (*run)(void *user, void *state, sinter_stream *stream, sinter_tensor *results,
                         size_t room, size_t *count);
    void (*close)(void *user, void *state, sinter_stream *stream); /* NULL: nothing to do */
    void *user;
} sinter_job;

/* clang-format off */
#define SINTER_JOB_INIT \
    {sizeof(sinter_job), 0, NULL, NULL, NULL, NULL, NULL}
/* clang-format on */

/** What sinter_profile_tune did. */
typedef struct sinter_tune_result {
    uint32_t
        size; /* in: sizeof of this struct in the caller's header; out: bytes that are filled */
    uint32_t kernels;    /* that the job runs */
    uint32_t tuned;      /* of them that got schedules of their own */
    uint32_t tried;      /* schedules */
    uint32_t refused;    /* of them that the driver did not build or run */
    uint32_t wrong;      /* of them that gave other bits, which no driver should; none is taken */
    uint64_t default_ns; /* a run of the job with the profile as it was, median; 0: not timed */
    uint64_t tuned_ns;   /* and with what was found */
    uint32_t regrouped;  /* numbers of the device's that say what runs together, and were changed */
    uint32_t reserved;
} sinter_tune_result;

/* clang-format off */
#define SINTER_TUNE_RESULT_INIT                                                                    \
    { sizeof(sinter_tune_result), 0, 0, 0, 0, 0, 0, 0, 0, 0 }
/* clang-format on */

/** Searches the schedules of a job's kernels, and before them which operations run together: that is a
 *  matter of the device's own numbers, which hold for all jobs. A schedule or a number is taken only if
 *  it is faster beyond what chance explains, twice, and gives the same bits. All that was taken has to
 *  be so once more, for which up to a third of the time is set aside: where that is too short for five
 *  runs of each, nothing is taken.
 *  units    times in nanoseconds.
 *  owns     nothing; fills *out, which begins as SINTER_TUNE_RESULT_INIT. `options` NULL: the
 *           defaults.
 *  errors   SINTER_EINVAL for NULL, SINTER_ERANGE (seconds, results); those of the job, as the profile is.
 *           What was found before is kept, also when `tick` ends it: with what is under way, and
 *           nothing is timed any more.
 *  thread   one at a time; it opens contexts of its own and calls the job from this thread. */
SINTER_API sinter_status sinter_profile_tune(sinter_profile *profile, const sinter_job *job,
                                             const sinter_measure_options *options,
                                             sinter_tune_result *out);

#ifdef __cplusplus
}
#endif

#endif /* SINTER_PROFILE_H */
