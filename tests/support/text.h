/* Programs in the language of `sinter eval`, run with inputs whose shapes their names tell. */
#ifndef SINTER_TESTS_TEXT_H
#define SINTER_TESTS_TEXT_H

#include "support/support.h"

#define TEXT_MOST 80 /* inputs, and results */

/* A program that has been queued once or more. */
typedef struct text_run {
    sinter_program *program;
    sinter_tensor inputs[TEXT_MOST];
    sinter_tensor results[TEXT_MOST];
    size_t input_count;
    size_t result_count;
} text_run;

/* Inputs are f32, by the first letter of their name:
 *   x [12,20]   t [20,12]   r [20]   c [12,1]   m [20,8]   s []   o [9,5]   h [6,20] */
text_run text_open(const test_device *d, const char *text);

/* Queues the program; the results are held until the next call or the end. */
void text_queue(const test_device *d, text_run *run);

/* Reads every result, which are f32, one after the other into `out`; returns how many numbers. */
size_t text_read(const test_device *d, const text_run *run, float *out, size_t room);

void text_close(const test_device *d, text_run *run);

#endif /* SINTER_TESTS_TEXT_H */
