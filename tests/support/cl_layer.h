/* Control of the OpenCL library for tests (cl_layer.c), for a test that runs on top of it. */
#ifndef SINTER_TESTS_CL_LAYER_H
#define SINTER_TESTS_CL_LAYER_H

#include <stdint.h>

/* What the layer exports besides OpenCL. */
typedef struct cl_layer {
    /* Makes call number `nth` from now on (0: the next) return `error`, and with `persistent` all
     * later ones. Calls that release are never counted. error 0: nothing fails any more. */
    void (*arm)(uint64_t nth, int error, int persistent);
    /* Makes every call of functions whose name begins with `name` return `error`; arm() ends it. */
    void (*arm_named)(const char *name, int error);
    /* The next `count` of those do not. */
    void (*spare)(uint64_t count);
    /* Programs whose source contains both texts do not build, beside what is armed; arm() ends it. */
    void (*refuse)(const char *one, const char *other);
    /* While on, no event is ever complete: clGetEventInfo says that it was submitted. */
    void (*hold)(int on);
    /* Whether a call or a program is to fail. */
    int (*armed)(void);
    /* Right after the next launch, byte `offset` of the buffer made last is written. */
    void (*scribble)(uint64_t offset);
    /* Makes every call for queue or memory of the `nth` of the contexts alive, in the order of their
     * making, return `error`; arm() ends it. */
    void (*lose)(uint32_t nth, int error);
    uint64_t (*calls)(void);             /* calls that can fail, so far */
    uint64_t (*failed)(void);            /* of them made to fail since arm() */
    const char *(*first)(void);          /* name of the first one made to fail since arm() */
    uint64_t (*buffer_bytes)(void);      /* that clCreateBuffer has given and not got back */
    uint64_t (*buffer_peak_bytes)(void); /* most of them at once since the last call of this */
    uint64_t (*live)(void);              /* objects created and not released */
    uint64_t (*contexts)(void);          /* of them contexts */
    void (*forgive)(void);               /* the mistakes so far */
    uint64_t (*mistakes)(
        void); /* releases of nothing, calls past a limit of the device that is played */
    uint64_t (*binaries)(void);     /* programs that were to be made of a binary */
    uint64_t (*binary_bytes)(void); /* bytes of those */
    uint64_t (*undeclared)(void);   /* programs that did not build with sinter's own declarations */
    const char *(*options)(void);   /* of the last program that was built */
    uint64_t (*at_once)(void);      /* commands that a queue ran in the calling thread */
    uint64_t (*priority)(void); /* that the last queue was made with, as OpenCL has it; 0: none */
} cl_layer;

/* The control of the OpenCL library for tests; NULL when the test does not run on it. */
const cl_layer *test_cl_layer(void);

#endif /* SINTER_TESTS_CL_LAYER_H */
