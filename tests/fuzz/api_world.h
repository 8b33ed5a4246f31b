/* What fuzz_api.c has made so far, as the library should have it: streams, scopes, tensors with their references and
 * elements; and the judgement of what a call gave. */
#ifndef SINTER_TESTS_FUZZ_API_WORLD_H
#define SINTER_TESTS_FUZZ_API_WORLD_H

#include "api_model.h"

#include <sinter/sinter.h>

#define WORLD_HELD 16
#define WORLD_STREAMS 3
#define WORLD_DEPTH 4     /* of scopes */
#define WORLD_SCOPED 2048 /* tensors made in a stream's open scopes */
#define WORLD_LARGEST                                                                              \
    20000 /* elements of a tensor that is held: more than a chunk of a reduction */

/* A tensor that is held. */
typedef struct tensor {
    sinter_tensor handle;
    uint32_t references;
    int home; /* stream, or -1: it is gone */
    bool mapped;
    uint8_t *bits; /* what a read gave of elements that are not known; NULL: none yet */
    model is;
} tensor;

typedef struct stream {
    sinter_stream *s; /* NULL: it is gone */
    int depth;
    size_t begins[WORLD_DEPTH];
    size_t scoped_count;
    sinter_tensor scoped[WORLD_SCOPED];
} stream;

typedef struct world {
    const uint8_t *data; /* what is left of the bytes; 0 behind them */
    size_t bytes;
    sinter_context *ctx;
    uint64_t budget;
    /* of the host, or of the device: allocations fail on purpose, or a tensor was huge */
    bool may_lack_memory;
    bool may_not_build;
    bool may_fail; /* launches */
    stream streams[WORLD_STREAMS];
    size_t held;
    tensor tensors[WORLD_HELD];
    sinter_tensor dead[8]; /* the last handles that died */
    uint32_t died;
    sinter_tensor foreign; /* of another context */
} world;

extern world now; /* that of the input at hand */

/* A stream that lives, most of the time: the first. */
int take_stream(void);

/* Prints and aborts: the library has done something else than it should. */
void world_refute(const char *what, sinter_status got) __attribute__((noreturn));

uint8_t take(world *w);
uint32_t take_below(world *w, uint32_t limit);

/* An argument: a tensor that is held (`t`), or a handle that is none (`t` NULL). */
typedef struct operand {
    sinter_tensor handle;
    tensor *t;
} operand;
operand take_operand(world *w);

/* What the arguments of a call make of it. */
typedef struct standing {
    bool dead;  /* a handle is none */
    bool rests; /* a stream has a mapped tensor */
} standing;
bool world_rests(const world *w, int stream);
standing world_standing(const world *w, int stream, const operand *operands, int count);

/* A failure that this world brings with it. */
bool world_excuses(const world *w, sinter_status status);
/* A failure of arguments. */
bool is_refusal(sinter_status status);

/* Refutes a status that the call may not give. */
void world_judge(const world *w, const char *call, sinter_status got, model_verdict verdict,
                 standing of);

/* After a call that makes a tensor on a stream: judges it, and holds the tensor. `result` is what it should be. */
void world_made(world *w, int stream, const char *call, sinter_status got, model_verdict verdict,
                standing of, sinter_tensor handle, const model *result);
/* The same without the judgement, for a tensor of which nothing is known. */
void world_hold(world *w, int stream, sinter_tensor handle);

/* One reference less, of a handle that may be none any more. */
void world_forget(world *w, sinter_tensor handle);
tensor *world_find(world *w, sinter_tensor handle);

/* Compares what the library gave for the elements. */
void world_compare(tensor *t, const void *data, size_t bytes);
size_t world_bytes_of(const tensor *t);

sinter_stats world_stats(const world *w);

#endif /* SINTER_TESTS_FUZZ_API_WORLD_H */
