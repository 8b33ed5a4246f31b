/* Random programs over the public API: made from a seed, run in many ways, compared bit for bit,
 * and shrunk to a small one that shows the same fault. `sinter selftest` runs some on the user's
 * device; the test campaigns run many. Public headers only. */
#ifndef SINTER_TOOLS_SELFTEST_PROGRAM_H
#define SINTER_TOOLS_SELFTEST_PROGRAM_H

#include <sinter/sinter.h>

#include <stdio.h>

#define ST_MAX_STEPS 64
#define ST_MAX_INPUTS 24
#define ST_MAX_VALUES (ST_MAX_INPUTS + ST_MAX_STEPS)

/* What a step calls. */
typedef enum st_call {
    ST_UNARY,
    ST_BINARY,  /* of two values, or of one and number[0] in the place of the operand that is -1 */
    ST_TERNARY, /* fma, where */
    ST_CAST,
    ST_CLAMP,      /* number[0], number[1] */
    ST_LEAKY_RELU, /* number[0] */
    ST_ELU,        /* number[0] */
    ST_FULL,       /* number[0] */
    ST_ARANGE,     /* number[0], number[1]; extent shape[0] */
    ST_UNIFORM,    /* seed */
    ST_NORMAL,
    ST_RESHAPE,
    ST_TRANSPOSE, /* axes */
    ST_SLICE,     /* axes[0], slice */
    ST_EXPAND,
    ST_FLIP,      /* axes[0] */
    ST_SCAN,      /* axes[0] */
    ST_SQUEEZE,   /* axes, each of extent 1 */
    ST_UNSQUEEZE, /* axes[0] */
    ST_REDUCE,    /* axes, keepdims */
    ST_ALONG,     /* axes */
    ST_VAR,       /* number[0]; axes, keepdims */
    ST_STD,       /* the same */
    ST_NORM,      /* number[0]; axes, keepdims */
    ST_LAYER,     /* of one to three values, number[0]; axes */
    ST_RMS,       /* of one or two values, number[0]; axes */
    ST_DROPOUT,   /* number[0], seed */
    ST_MATMUL,
    ST_UPDATE, /* of two values; axes[0] where there is one, slice */
} st_call;

typedef sinter_status (*st_unary_fn)(sinter_stream *, sinter_tensor, sinter_tensor *);
typedef sinter_status (*st_binary_fn)(sinter_stream *, sinter_tensor, sinter_tensor,
                                      sinter_tensor *);
typedef sinter_status (*st_right_fn)(sinter_stream *, sinter_tensor, double, sinter_tensor *);
typedef sinter_status (*st_left_fn)(sinter_stream *, double, sinter_tensor, sinter_tensor *);
typedef sinter_status (*st_ternary_fn)(sinter_stream *, sinter_tensor, sinter_tensor, sinter_tensor,
                                       sinter_tensor *);
typedef sinter_status (*st_reduce_fn)(sinter_stream *, sinter_tensor, int, const int *, bool,
                                      sinter_tensor *);

typedef sinter_status (*st_scan_fn)(sinter_stream *, sinter_tensor, int, sinter_tensor *);
typedef sinter_status (*st_along_fn)(sinter_stream *, sinter_tensor, int, const int *,
                                     sinter_tensor *);

/* An operation that random programs use. */
typedef struct st_op {
    const char *name;
    const char *infix; /* of the program language; NULL: a call */
    st_call call;
    st_unary_fn unary;
    st_binary_fn binary;
    st_right_fn right;
    st_left_fn left;
    st_ternary_fn ternary;
    st_reduce_fn reduce;
    st_along_fn along;
    st_scan_fn scan;
    unsigned classes; /* ST_FLOATS and others, or-ed: which operands it is given */
} st_op;

#define ST_FLOATS (1u << 0) /* f16, bf16, f32 */
#define ST_F64 (1u << 1)
#define ST_INTS (1u << 2)
#define ST_BOOLS (1u << 3)

extern const st_op st_ops[];
extern const size_t st_op_count;

typedef struct st_step {
    const st_op *op;
    int operand[3]; /* values: inputs first, then steps */
    double number[2];
    sinter_dtype dtype;
    int rank;
    int64_t shape[SINTER_MAX_RANK];
    int axis_count;
    int axes[SINTER_MAX_RANK];
    int64_t slice[3];
    uint64_t seed;
    bool keepdims;
    bool is_output;
} st_step;

typedef struct st_input {
    sinter_dtype dtype;
    int rank;
    int64_t shape[SINTER_MAX_RANK];
    void *data;
    size_t bytes;
} st_input;

typedef struct st_program {
    uint64_t seed;
    st_input inputs[ST_MAX_INPUTS];
    int input_count;
    st_step steps[ST_MAX_STEPS];
    sinter_tensor_desc results[ST_MAX_STEPS]; /* of the steps */
    int step_count;
} st_program;

/* What may be in a program. */
typedef struct st_limits {
    bool f64;
    int steps;        /* about that many */
    int64_t elements; /* of a tensor, at most */
} st_limits;

/* Random numbers: splitmix64. */
typedef struct st_random {
    uint64_t state;
} st_random;
uint64_t st_next(st_random *r);
uint32_t st_below(st_random *r, uint32_t limit);

/* Makes the program of `seed`; the shapes of steps come from `host`, a stream of a context on the
 * host reference device, which runs nothing. False when there is no memory. */
bool st_generate(st_program *p, uint64_t seed, const st_limits *limits, sinter_stream *host,
                 sinter_context *ctx);
void st_free(st_program *p);
/* A copy that is freed on its own. */
bool st_copy(st_program *to, const st_program *from);

/* Queues step `i` on `s`; `values` holds the handles of inputs and steps so far. */
sinter_status st_queue_step(const st_program *p, int i, sinter_stream *s,
                            const sinter_tensor *values, sinter_tensor *out);

/* The program in the language of `sinter eval`, with an `input` line per input. */
void st_print(const st_program *p, FILE *to);

/* Saves the program as FOLDER/seed-N.snt with its inputs beside it. */
bool st_save(const st_program *p, const char *folder);

/* The command line that runs the saved program; `device` NULL: the one of SINTER_DEVICE. */
void st_print_eval(const st_program *p, const char *folder, const char *device, FILE *to);

/* A word of a command line, in quotes where the shell needs them. */
void st_print_word(const char *word, FILE *to);

/* Results: raw bytes of each output, in order. */
typedef struct st_results {
    void *data[ST_MAX_STEPS];
    size_t bytes[ST_MAX_STEPS];
    sinter_dtype dtype[ST_MAX_STEPS];
    int count;
    char reason[256]; /* of the first of those that ran together: why they failed */
} st_results;
void st_results_free(st_results *r);

/* The first output and element in which two results differ, NaNs being equal; false when they are
 * the same. */
bool st_differ(const st_results *a, const st_results *b, int *output, size_t *element);

/* Ways to run a program that must not change a bit. */
typedef struct st_way {
    sinter_context *ctx;
    sinter_stream **streams; /* steps are spread over them */
    int stream_count;
    /* 0: none; else the seed of what must not change a bit: flushes, marks, reads, dead and
     * identity operations, and another order of independent steps */
    uint64_t disturb;
} st_way;

/* Runs `count` programs together, so that they are planned and built as one; results[i] belongs to
 * programs[i]. */
sinter_status st_run(const st_program *programs, int count, const st_way *way, st_results *results);

/* Shrinks `p` while `shows` says that the fault is still there. */
void st_shrink(st_program *p, bool (*shows)(void *user, const st_program *p), void *user,
               const st_way *reference);

/* Whether an element of `dtype` at `bits` is NaN. */
bool st_is_nan(sinter_dtype dtype, const void *element);

#endif /* SINTER_TOOLS_SELFTEST_PROGRAM_H */
