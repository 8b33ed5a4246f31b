/* A text that grows, for what sinter writes piece by piece. */
#ifndef SINTER_BENCH_TEXT_H
#define SINTER_BENCH_TEXT_H

#include <stddef.h>

typedef struct bench_text {
    char *data; /* ends with 0; NULL: nothing yet. free() */
    size_t bytes;
} bench_text;

/* A sinter_write_fn; `user` is a bench_text. Without memory the piece is lost. */
void bench_text_add(void *user, const char *piece, size_t bytes);

#endif /* SINTER_BENCH_TEXT_H */
