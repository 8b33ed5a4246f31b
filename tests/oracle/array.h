/* Arrays for the oracles of reductions and scans: elements in host memory, and a view of them on a
 * device. */
#ifndef SINTER_TESTS_ARRAY_H
#define SINTER_TESTS_ARRAY_H

#include "oracle/model.h"
#include "oracle/oracle.h"
#include "support/support.h"

typedef struct array {
    const test_device *d;
    sinter_dtype dtype;
    void *data; /* which element of it is where: m.index */
    model m;
    sinter_tensor t;
} array;

/* Row-major, packed; if `is_special`, every 50th element or so is. */
void array_make(array *a, const test_device *d, sinter_dtype dtype, int rank, const int64_t *shape,
                bool is_special, test_random *random);
void array_free(array *a);

void array_transpose(array *a, const int *axes);
/* Along every axis. */
void array_flip(array *a);

/* Asserts that element i of `got`, what operation `name` gave, is `want` rounded: the same bits. */
void array_assert_element(const char *name, sinter_dtype dtype, const void *got, int64_t i,
                          number want);

#endif /* SINTER_TESTS_ARRAY_H */
