/* The thread's last error. The text lives in a fixed buffer per thread: reporting never allocates,
 * so that running out of memory can be reported like anything else. */
#include "core/base.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char message[SINTER__MESSAGE_BYTES];

atomic_uint sinter__messages;

/* The thread has a message now, or none, where it had one. */
static void count(bool had)
{
    bool has = message[0] != '\0';
    if (has && !had)
        (void)atomic_fetch_add_explicit(&sinter__messages, 1, memory_order_relaxed);
    else if (had && !has)
        (void)atomic_fetch_sub_explicit(&sinter__messages, 1, memory_order_relaxed);
}

const char *sinter_status_name(sinter_status status)
{
    switch (status) {
#define NAME_CASE(name, number, text)                                                              \
    case SINTER_##name:                                                                            \
        return #name;
        SINTER_STATUS_MAP(NAME_CASE)
#undef NAME_CASE
    }
    return "unknown";
}

const char *sinter_last_error(void)
{
    return message;
}

/* Messages are one line: what a driver or a file name brings in must not break it. */
static void flatten(char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '\n' || *text == '\r' || *text == '\t')
            *text = ' ';
    }
}

sinter_status sinter__fail(sinter_status status, const char *format, ...)
{
    bool had = message[0] != '\0';
    va_list args;
    va_start(args, format);
    (void)vsnprintf(message, sizeof message, format, args);
    va_end(args);
    flatten(message);
    count(had);
    return status;
}

sinter_status sinter__fail_in(sinter_status status, const char *where)
{
    char old[SINTER__MESSAGE_BYTES];
    memcpy(old, message, sizeof old);
    old[sizeof old - 1] = '\0';
    int used = snprintf(message, sizeof message, "%s: ", where);
    size_t at = used < 0 ? 0 : (size_t)used;
    if (at < sizeof message - 1) {
        size_t room = sizeof message - 1 - at;
        size_t bytes = strlen(old) < room ? strlen(old) : room;
        memcpy(message + at, old, bytes);
        message[at + bytes] = '\0';
    }
    count(old[0] != '\0');
    return status;
}

void sinter__message_keep(sinter__message *out)
{
    memcpy(out->text, message, sizeof out->text);
}

void sinter__message_give_back(const sinter__message *kept)
{
    bool had = message[0] != '\0';
    memcpy(message, kept->text, sizeof message);
    count(had);
}

void sinter__drop_message(void)
{
    bool had = message[0] != '\0';
    message[0] = '\0';
    count(had);
}
