/* The texts of bench/kernels/, embedded when bench is built. */
#ifndef SINTER_BENCH_FILES_H
#define SINTER_BENCH_FILES_H

#include <stddef.h>

typedef struct bench_file {
    const char *name;
    const char *text; /* ends with '\0' */
    size_t bytes;
} bench_file;

extern const bench_file bench_files[];
extern const size_t bench_file_count;

#endif /* SINTER_BENCH_FILES_H */
