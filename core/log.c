#include "core/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void sinter__log_line(const sinter__log *log, sinter__log_level level, const char *format, ...)
{
    if (!sinter__logs(log, level))
        return;
    char line[1280]; /* the quirks of a device are the longest */
    va_list args;
    va_start(args, format);
    (void)vsnprintf(line, sizeof line, format, args);
    va_end(args);
    log->fn(log->user, (int)level, line);
}

void sinter__log_text(const sinter__log *log, sinter__log_level level, const char *text)
{
    if (!sinter__logs(log, level))
        return;
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        sinter__log_line(log, level, "%.*s", (int)SINTER__MIN(length, (size_t)500), text);
        text += length + (text[length] == '\n');
    }
}
