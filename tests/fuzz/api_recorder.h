/* The host reference device with a compiler in front of it: kernels are written as for a device, and counted, and the
 * host's interpreter runs them. Allocations, builds and launches fail where they are told to. */
#ifndef SINTER_TESTS_FUZZ_API_RECORDER_H
#define SINTER_TESTS_FUZZ_API_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes that say what a device is: recorder_plan. */
#define RECORDER_DEVICE 7

/* What fails from the call of its kind on; 0: nothing. */
typedef struct recorder_plan {
    uint32_t allocation;
    uint32_t build;
    uint32_t launch;
    bool goes_on; /* all later ones too */
    bool is_idle; /* launches do nothing: whatever is asked for takes no time */
    /* What is planned for and written, in place of what the host is: RECORDER_DEVICE bytes; NULL: the host. Only where
     * launches do nothing. */
    const uint8_t *device;
} recorder_plan;

/* Begins to count anew. */
void recorder_start(recorder_plan plan);

/* Of the allocator below and of programs and kernels. */
size_t recorder_live(void);

/* The allocator hook of a context: knows each block's size, and gives no more than 16 MiB at once. */
void *recorder_realloc(void *user, void *ptr, size_t old_bytes, size_t new_bytes);

#endif /* SINTER_TESTS_FUZZ_API_RECORDER_H */
