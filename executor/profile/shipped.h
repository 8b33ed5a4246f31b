/* Profiles that come with the library: the files of profiles/, and the rule by which each is of a
 * device. */
#ifndef SINTER_EXECUTOR_SHIPPED_H
#define SINTER_EXECUTOR_SHIPPED_H

#include "sinter/device.h"

/* A file, without its comments; made by cmake/embed.cmake. */
typedef struct sinter__shipped_text {
    const char *name;
    const char *text;
    size_t bytes;
} sinter__shipped_text;

extern const sinter__shipped_text sinter__shipped_texts[];
extern const size_t sinter__shipped_text_count;

/* That of the device; NULL: none is. */
const sinter__shipped_text *sinter__shipped_find(const sinter_device_info *device);

#endif /* SINTER_EXECUTOR_SHIPPED_H */
