/* Control of the OpenCL library for tests (cl_layer.c), for a test that runs on top of it. */
#ifndef SINTER_TESTS_CL_LAYER_H
#define SINTER_TESTS_CL_LAYER_H

#include <stdint.h>

/* What the layer exports besides OpenCL. */
typedef struct cl_layer {
    /* Makes call number `nth` from now on (0: the next) return `error`, and with `persistent` all
     * later ones. Calls that release are never counted. error 0: nothing fails any more. */
    void (*arm)(uint64_t nth, int error, int persistent);
    uint64_t (*calls)(void);    /* calls that can fail, so far */
    uint64_t (*failed)(void);   /* of them made to fail since arm() */
    const char *(*last)(void);  /* name of the last one made to fail */
    uint64_t (*live)(void);     /* objects created and not released */
    uint64_t (*mistakes)(void); /* releases of nothing, launches past a limit of the small device */
} cl_layer;

#endif /* SINTER_TESTS_CL_LAYER_H */
