/* Programs with matrix products, run in modes that let a library compute them. */
#ifndef SINTER_TESTS_PRODUCTS_H
#define SINTER_TESTS_PRODUCTS_H

#include "support/support.h"

#define PRODUCTS_ROOM 40000
#define PRODUCTS_REPORT 8192

/* What a program gave. */
typedef struct products_outcome {
    float values[PRODUCTS_ROOM];
    size_t count;
    sinter_stats stats; /* before anything is released */
    char report[PRODUCTS_REPORT];
} products_outcome;

/* Options with the device's profile, in which CLBlast is faster from `from` multiply-adds on (0: not
 * measured). The caller destroys the profile. */
sinter_context_options products_options(sinter_mode mode, uint32_t from);

/* The device has that dtype, and a library computes it. */
bool products_has_f64(void);

/* A context and a stream, and the inputs of `program`, by the first letter of their name:
 *   a [96,128]   b [128,64]   e [3,64,96]   g [3,96,64]   n [144,80]   p [80,80] */
typedef struct products_run {
    test_device d;
    sinter_program *program;
    sinter_tensor inputs[8];
    sinter_tensor results[8];
    size_t input_count, result_count;
} products_run;

products_run products_open(const char *program, const sinter_context_options *options);
/* Runs the program once more; what it gave before is released. */
void products_again(products_run *run);
/* The results as f32, one after the other. */
void products_read(products_run *run, products_outcome *out);
void products_close(products_run *run);

/* All of it, once. */
void products_once(const char *program, const sinter_context_options *options,
                   products_outcome *out);

/* Asserts that two outcomes are the same bits; that they differ by at most `tolerance`. */
void products_assert_same(const products_outcome *a, const products_outcome *b);
void products_assert_near(const products_outcome *a, const products_outcome *b, float tolerance);

#endif /* SINTER_TESTS_PRODUCTS_H */
