#include "executor/profile/watch.h"

#include "core/sized.h"
#include "executor/backend/trace.h"

#include <stdarg.h>
#include <stdio.h>

#define DEFAULT_SECONDS 10.0
#define MOST_SECONDS 1e6

/* For which nobody misses an answer to an interrupt, or a progress bar that moves. */
#define WHILE_NS 100000000

sinter_status sinter__watch_start(sinter__watch *w, const sinter_profile *p,
                                  const sinter_measure_options *options)
{
    const sinter_measure_options defaults = SINTER_MEASURE_OPTIONS_INIT;
    *w = (sinter__watch){.options = defaults, .what = ""};
    if (options != NULL)
        SINTER_TRY(sinter__sized_take("measure options", &w->options, sizeof w->options, options));
    double seconds = w->options.seconds == 0 ? DEFAULT_SECONDS : w->options.seconds;
    if (!(seconds > 0 && seconds <= MOST_SECONDS))
        return sinter__fail(SINTER_ERANGE, "measure options: seconds are not from 0 to 1000000");
    w->start_ns = sinter__now_ns();
    w->deadline_ns = w->start_ns + (uint64_t)(seconds * 1e9);
    SINTER_TRY(sinter__device_find(p->device.info.selector, p->allocator, &w->device));
    sinter__device_share(&w->device, &w->shared);
    return SINTER_OK;
}

void sinter__watch_finish(sinter__watch *w)
{
    sinter__device_unshare(&w->device, &w->shared);
    sinter__device_close(&w->device);
}

bool sinter__watch_goes_on(sinter__watch *w, const char *what)
{
    uint64_t now = sinter__now_ns();
    double done = (double)(now - w->start_ns) / (double)(w->deadline_ns - w->start_ns);
    if (w->options.tick != NULL && !w->stopped)
        w->stopped = !w->options.tick(w->options.user, done < 1 ? done : 1.0, what);
    w->told_ns = now;
    w->what = what;
    return !w->stopped && now < w->deadline_ns;
}

uint64_t sinter__watch_left_ns(const sinter__watch *w)
{
    const uint64_t now_ns = sinter__now_ns();
    return w->deadline_ns - SINTER__MIN(now_ns, w->deadline_ns);
}

bool sinter__watch_is_stopped(sinter__watch *w)
{
    if (sinter__now_ns() - w->told_ns >= WHILE_NS)
        (void)sinter__watch_goes_on(w, w->what);
    return w->stopped;
}

sinter_status sinter__watch_pass_over(sinter__watch *w, sinter_status status, const char *what)
{
    if (status == SINTER_ENOMEM)
        return status;
    if (status != SINTER_OK)
        sinter__watch_note(w, "%s is not measured: %s", what, sinter_last_error());
    sinter__clear_error();
    return SINTER_OK;
}

void sinter__watch_note(sinter__watch *w, const char *format, ...)
{
    char line[400];
    va_list args;
    if (w->options.note == NULL)
        return;
    va_start(args, format);
    (void)vsnprintf(line, sizeof line, format, args);
    va_end(args);
    w->options.note(w->options.user, line);
}
