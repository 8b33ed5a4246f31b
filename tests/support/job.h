/* Programs in the language of `sinter eval`, run once with inputs of every dtype. */
#ifndef SINTER_TESTS_JOB_H
#define SINTER_TESTS_JOB_H

#include "support/support.h"

#define JOB_RESULTS 64
#define JOB_INPUTS 18
#define JOB_PROGRAMS 23

/* Inputs that programs may name: a dtype and a shape each, no two alike. */
typedef struct job_known {
    const char *name;
    sinter_dtype dtype;
    int rank;
    int64_t shape[3];
} job_known;
extern const job_known job_inputs[JOB_INPUTS];

/* Programs over them that together have every form of statement. */
extern const char *const job_programs[JOB_PROGRAMS];

sinter_tensor job_input(const test_device *d, size_t which);
size_t job_find_input(const char *name);

/* Parses what has no error. */
sinter_program *job_parse(const char *text);

/* A program with its inputs and results. */
typedef struct job {
    sinter_program *p;
    sinter_tensor inputs[JOB_INPUTS];
    sinter_tensor results[JOB_RESULTS];
    size_t count; /* of results */
    sinter_program_place place;
} job;

sinter_status job_start(const test_device *d, const char *text, job *j);
void job_finish(const test_device *d, job *j);

sinter_tensor_desc job_describe(const test_device *d, sinter_tensor t);

/* Reads any tensor; to be freed. */
unsigned char *job_read(const test_device *d, sinter_tensor t, size_t *bytes);

#endif /* SINTER_TESTS_JOB_H */
