/* Text that grows: messages, kernel sources, reports. An allocation that fails is remembered, so
 * that a writer checks once, at the end. */
#ifndef SINTER_CORE_BUFFER_H
#define SINTER_CORE_BUFFER_H

#include "core/alloc.h"

typedef struct sinter__buffer {
    sinter__allocator *allocator;
    char *text; /* terminated; NULL while empty */
    size_t bytes;
    size_t capacity;
    bool failed;
} sinter__buffer;

void sinter__buffer_init(sinter__buffer *b, sinter__allocator *a);
void sinter__buffer_finish(sinter__buffer *b);

/* Empties it and keeps the memory. */
void sinter__buffer_clear(sinter__buffer *b);

void sinter__buffer_add(sinter__buffer *b, const char *text, size_t bytes);
void sinter__buffer_puts(sinter__buffer *b, const char *text);

/* Never depends on the locale: print integers and strings, not floats. */
void sinter__buffer_printf(sinter__buffer *b, const char *format, ...) SINTER__PRINTF(2, 3);

/* SINTER_ENOMEM when anything that was added got lost. */
sinter_status sinter__buffer_status(const sinter__buffer *b);

/* The text; "" while empty. */
const char *sinter__buffer_text(const sinter__buffer *b);

#endif /* SINTER_CORE_BUFFER_H */
