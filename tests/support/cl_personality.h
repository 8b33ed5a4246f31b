/* Devices that the OpenCL library for tests plays (cl_layer.c): what they say of themselves, and what they refuse as
 * a driver of such a device would. */
#ifndef SINTER_TESTS_CL_PERSONALITY_H
#define SINTER_TESTS_CL_PERSONALITY_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 0 or false: as the real device. */
typedef struct cl_personality {
    const char *name;
    uint32_t group; /* most work-items in a group */
    bool flat;      /* groups extend in one dimension */
    uint32_t local_bytes;
    bool no_local;
    uint32_t align_bytes;    /* of sub-buffers */
    uint64_t buffer_bytes;   /* most in one buffer */
    uint64_t device_bytes;   /* most in all buffers */
    uint32_t argument_bytes; /* most that a kernel takes */
    bool embedded;
    bool no_long; /* the embedded profile may do without 64-bit integers */
    bool no_double, no_half;
    bool in_order;
    bool priorities; /* of queues */
    bool at_once;    /* queues whose commands the calling thread runs */
    bool records;    /* launches, several as one */
    bool queued;     /* none of these queues */
    bool graphics;   /* a GPU of NVIDIA, whose sub-buffers must not overlap */
} cl_personality;

/* That of this name; NULL: there is none. */
const cl_personality *cl_personality_find(const char *name);

/* Changes what a device answered: `error` is what it returned, and the result what it shall return. `value`
 * and `size` may be NULL, `bytes` is the room behind `value`. */
cl_int cl_personality_answer(const cl_personality *p, cl_int error, cl_device_info what,
                             size_t bytes, void *value, size_t *size);

/* The same of its platform's name. */
void cl_personality_platform(const cl_personality *p, size_t bytes, char *value, size_t *size);

/* Each returns the error of a device that cannot, or CL_SUCCESS. */
cl_int cl_personality_queue(const cl_personality *p, cl_command_queue_properties properties);
cl_int cl_personality_buffer(const cl_personality *p, uint64_t bytes, uint64_t held_bytes);
cl_int cl_personality_sub_buffer(const cl_personality *p, uint64_t offset_bytes, bool overlaps);
cl_int cl_personality_launch(const cl_personality *p, cl_uint dimensions, const size_t *local,
                             uint64_t local_bytes, uint64_t argument_bytes);

/* Whether a program of this source uses what the device has not. */
bool cl_personality_source(const cl_personality *p, const char *source);

#endif /* SINTER_TESTS_CL_PERSONALITY_H */
