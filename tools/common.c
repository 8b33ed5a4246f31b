#include "common.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int tool_failed(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)fputs("sinter: ", stderr);
    (void)vfprintf(stderr, format, args);
    (void)fputc('\n', stderr);
    va_end(args);
    return TOOL_FAILED;
}

int tool_usage(const char *command, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)fprintf(stderr, "sinter %s: ", command);
    (void)vfprintf(stderr, format, args);
    (void)fprintf(stderr, "\nTry 'sinter %s --help'.\n", command);
    va_end(args);
    return TOOL_USAGE;
}

int tool_library_failed(const char *doing)
{
    return tool_failed("%s: %s", doing, sinter_last_error());
}

void tool_log(void *user, int level, const char *message)
{
    (void)user;
    (void)fprintf(stderr, level == 0 ? "sinter: warning: %s\n" : "sinter: %s\n", message);
}

static char *read_text(int file, const char *path, size_t limit, size_t *bytes)
{
    struct stat info;
    if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode)) {
        (void)tool_failed("%s: not a regular file", path);
        return NULL;
    }
    if ((uintmax_t)info.st_size > limit) {
        (void)tool_failed("%s: %ju bytes, more than %zu", path, (uintmax_t)info.st_size, limit);
        return NULL;
    }
    size_t size = (size_t)info.st_size;
    char *text = malloc(size + 1);
    *bytes = 0;
    while (text != NULL && *bytes < size) {
        ssize_t got = read(file, text + *bytes, size - *bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        *bytes += (size_t)got;
    }
    if (text == NULL) {
        (void)tool_failed("%s: no memory for %zu bytes", path, size);
    } else {
        text[*bytes] = '\0';
    }
    return text;
}

char *tool_read_text(const char *path, size_t limit, size_t *bytes)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a FIFO must not hang us */
    if (file < 0) {
        (void)tool_failed("%s: %s", path, strerror(errno));
        return NULL;
    }
    char *text = read_text(file, path, limit, bytes);
    (void)close(file);
    return text;
}

bool tool_number(const char *text, long low, long high, long *out)
{
    char *end;
    errno = 0;
    *out = strtol(text, &end, 10);
    return end != text && *end == '\0' && errno == 0 && *out >= low && *out <= high;
}

bool tool_seconds(const char *text, double *out)
{
    char *end;
    errno = 0;
    *out = strtod(text, &end);
    return end != text && *end == '\0' && errno == 0 && *out >= 0 && *out <= 1e6;
}

bool tool_style(const char *word, sinter_style *out)
{
    static const char *const words[] = {"auto", "cpu", "gpu"};
    for (int i = 0; i < 3; i++) {
        if (strcmp(word, words[i]) == 0) {
            *out = (sinter_style)i;
            return true;
        }
    }
    return false;
}

bool tool_mode(const char *word, sinter_mode *out)
{
    static const char *const words[] = {"auto", "reproducible", "native", "relaxed"};
    for (int i = 0; i < 4; i++) {
        if (strcmp(word, words[i]) == 0) {
            *out = (sinter_mode)i;
            return true;
        }
    }
    return false;
}

bool tool_memory_mode(const char *word, sinter_memory_mode *out)
{
    static const char *const words[] = {"auto", "pool", "separate", "poison", "red_zone"};
    for (int i = 0; i < 5; i++) {
        if (strcmp(word, words[i]) == 0) {
            *out = (sinter_memory_mode)i;
            return true;
        }
    }
    return false;
}

void tool_json_string(FILE *to, const char *text)
{
    (void)fputc('"', to);
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') {
            (void)fprintf(to, "\\%c", c);
        } else if (c < 32 || c == 127) {
            (void)fprintf(to, "\\u%04x", c);
        } else {
            (void)fputc(c, to);
        }
    }
    (void)fputc('"', to);
}

void tool_progress(long done, long count)
{
    enum { WIDTH = 30 };
    if (isatty(STDERR_FILENO) != 1 || count < 1)
        return;
    (void)fputs("\r[", stderr);
    for (long i = 0; i < WIDTH; i++)
        (void)fputc(i < WIDTH * done / count ? '#' : '.', stderr);
    (void)fprintf(stderr, "] %ld/%ld", done, count);
    (void)fflush(stderr);
}

void tool_progress_of(double done, const char *what)
{
    enum { WIDTH = 30 };
    if (isatty(STDERR_FILENO) != 1)
        return;
    (void)fputs("\r[", stderr);
    for (int i = 0; i < WIDTH; i++)
        (void)fputc(i < (int)(WIDTH * done) ? '#' : '.', stderr);
    (void)fprintf(stderr, "] %3.0f %% %-30.30s", 100 * done, what);
    (void)fflush(stderr);
}

void tool_progress_end(void)
{
    if (isatty(STDERR_FILENO) == 1)
        (void)fprintf(stderr, "\r%72s\r", "");
}

int tool_flush(void)
{
    if (fflush(stdout) == 0 && ferror(stdout) == 0)
        return TOOL_OK;
    return tool_failed("standard output: %s", strerror(errno));
}

/* Profiles */

typedef struct text {
    char *data;
    size_t bytes;
} text;

static void add_text(void *user, const char *from, size_t bytes)
{
    text *t = user;
    char *data = realloc(t->data, t->bytes + bytes + 1);
    if (data == NULL)
        return;
    memcpy(data + t->bytes, from, bytes);
    t->data = data;
    t->bytes += bytes;
    t->data[t->bytes] = '\0';
}

/* `name = value  # comment` as `"name": value`; several values are an array. */
static void print_member(const char *line, size_t bytes, bool first)
{
    const char *equals = memchr(line, '=', bytes);
    if (equals == NULL)
        return;
    size_t name = (size_t)(equals - line) - 1;
    const char *value = equals + 2;
    size_t value_bytes = bytes - (size_t)(value - line);
    const char *comment = value[0] == '"' ? NULL : memchr(value, '#', value_bytes);
    if (comment != NULL)
        value_bytes = (size_t)(comment - value);
    if (value[0] == '"')
        value_bytes = 2 + strcspn(value + 1, "\"");
    while (value_bytes > 0 && value[value_bytes - 1] == ' ')
        value_bytes--;
    bool several = value[0] != '"' && memchr(value, ',', value_bytes) != NULL;
    printf("%s\"%.*s\": ", first ? "" : ", ", (int)name, line);
    if (value[0] == '"') {
        char copy[512];
        (void)snprintf(copy, sizeof copy, "%.*s", (int)(value_bytes - 2), value + 1);
        tool_json_string(stdout, copy);
    } else {
        printf(several ? "[%.*s]" : "%.*s", (int)value_bytes, value);
    }
}

static bool is_number(const sinter_profile *p, const char *name, size_t bytes)
{
    sinter_profile_number n = SINTER_PROFILE_NUMBER_INIT;
    for (size_t i = 0; sinter_profile_get(p, i, &n) == SINTER_OK; i++) {
        if (strlen(n.name) == bytes && memcmp(n.name, name, bytes) == 0)
            return true;
    }
    return false;
}

/* The lines of the text, and every number, also those that are defaults. */
bool tool_print_profile_json(const sinter_profile *p)
{
    text t = {NULL, 0};
    sinter_profile_number n = SINTER_PROFILE_NUMBER_INIT;
    if (sinter_profile_write(p, add_text, &t) != SINTER_OK || t.data == NULL) {
        free(t.data);
        return false;
    }
    bool first = true;
    printf("{");
    for (const char *line = t.data; *line != '\0' && *line != '[';) {
        size_t bytes = strcspn(line, "\n");
        if (bytes > 0 && *line != '#' && !is_number(p, line, strcspn(line, " "))) {
            print_member(line, bytes, first);
            first = false;
        }
        line += bytes + 1;
    }
    for (size_t i = 0; sinter_profile_get(p, i, &n) == SINTER_OK; i++)
        printf(", \"%s\": %u", n.name, (unsigned)n.value);
    printf("}");
    free(t.data);
    return true;
}

/* Interrupts */

static volatile sig_atomic_t interrupted;

static void note_interrupt(int signal_number)
{
    (void)signal_number;
    interrupted = 1;
}

void tool_catch_interrupt(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = note_interrupt;
    action.sa_flags = (int)(SA_RESTART | SA_RESETHAND);
    (void)sigaction(SIGINT, &action, NULL);
}

bool tool_is_interrupted(void)
{
    return interrupted != 0;
}

void tool_unset_switches(const char *command)
{
    static const char *const names[] = {
        "SINTER_STYLE",    "SINTER_LANES",          "SINTER_MEMORY_MODE", "SINTER_NO_FUSE",
        "SINTER_NO_REUSE", "SINTER_FLUSH_EVERY_OP", "SINTER_TINY_LIMITS", "SINTER_OWN_ARITHMETIC"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (getenv(names[i]) == NULL || unsetenv(names[i]) != 0)
            continue;
        (void)fprintf(stderr, "sinter %s: %s is not looked at: what is measured holds without it\n",
                      command, names[i]);
    }
}

void tool_say_origin(const char *command, const sinter_profile *p)
{
    const char *origin = sinter_profile_origin(p);
    if (strstr(origin, ": not used: ") != NULL)
        (void)fprintf(stderr, "sinter %s: the profile was passed over: %s\n", command, origin);
}
