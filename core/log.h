/* Lines for the caller's log hook; silent without one. */
#ifndef SINTER_CORE_LOG_H
#define SINTER_CORE_LOG_H

#include "core/base.h"
#include "sinter/context.h"

/* What a line is about; a level includes those below it. */
typedef enum sinter__log_level {
    SINTER__LOG_WARNING = 0,
    SINTER__LOG_DEVICE = 1, /* devices and quirks */
    SINTER__LOG_LAUNCH = 2, /* each launch */
    SINTER__LOG_REASON = 3, /* why each group and each segment ended */
    SINTER__LOG_SOURCE = 4, /* generated source */
    SINTER__LOG_QUEUE = 5,  /* the queue before it is planned */
    SINTER__LOG_MEMORY = 6, /* the memory plan */
    SINTER__LOG_BUILD = 7,  /* build logs of programs that build */
} sinter__log_level;

typedef struct sinter__log {
    sinter_log_fn fn;
    void *user;
    int level;
} sinter__log;

static inline bool sinter__logs(const sinter__log *log, sinter__log_level level)
{
    return log->fn != NULL && (int)level <= log->level;
}

/* One line of at most a few hundred bytes. */
void sinter__log_line(const sinter__log *log, sinter__log_level level, const char *format, ...)
    SINTER__PRINTF(3, 4);

/* A text of several lines, one call per line. */
void sinter__log_text(const sinter__log *log, sinter__log_level level, const char *text);

#endif /* SINTER_CORE_LOG_H */
