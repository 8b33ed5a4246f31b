#include "core/buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void sinter__buffer_init(sinter__buffer *b, sinter__allocator *a)
{
    *b = (sinter__buffer){.allocator = a};
}

void sinter__buffer_finish(sinter__buffer *b)
{
    sinter__free(b->allocator, b->text, b->capacity);
    *b = (sinter__buffer){.allocator = b->allocator};
}

void sinter__buffer_clear(sinter__buffer *b)
{
    b->bytes = 0;
    b->failed = false;
    if (b->text != NULL)
        b->text[0] = '\0';
}

static bool reserve(sinter__buffer *b, size_t more)
{
    void *text = b->text;
    if (b->failed ||
        sinter__grow(b->allocator, &text, &b->capacity, b->bytes + more + 1, 1) != SINTER_OK) {
        b->failed = true;
        return false;
    }
    b->text = text;
    return true;
}

void sinter__buffer_add(sinter__buffer *b, const char *text, size_t bytes)
{
    if (!reserve(b, bytes))
        return;
    memcpy(b->text + b->bytes, text, bytes);
    b->bytes += bytes;
    b->text[b->bytes] = '\0';
}

void sinter__buffer_puts(sinter__buffer *b, const char *text)
{
    sinter__buffer_add(b, text, strlen(text));
}

void sinter__buffer_printf(sinter__buffer *b, const char *format, ...)
{
    char line[512];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (length < 0) {
        b->failed = true;
        return;
    }
    if ((size_t)length < sizeof line) {
        sinter__buffer_add(b, line, (size_t)length);
        return;
    }
    if (!reserve(b, (size_t)length))
        return;
    va_start(args, format);
    (void)vsnprintf(b->text + b->bytes, (size_t)length + 1, format, args);
    va_end(args);
    b->bytes += (size_t)length;
}

sinter_status sinter__buffer_status(const sinter__buffer *b)
{
    return b->failed ? sinter__fail(SINTER_ENOMEM, "no host memory for %zu bytes of text", b->bytes)
                     : SINTER_OK;
}

const char *sinter__buffer_text(const sinter__buffer *b)
{
    return b->text != NULL ? b->text : "";
}
