/* `sinter cache`: what is kept of compiled programs. */
#include "common.h"

#include <string.h>
#include <time.h>

typedef struct listing {
    bool only_damaged;
    uint64_t bytes;
    size_t count, damaged;
} listing;

static void print_entry(void *user, const sinter_cache_entry *e)
{
    static const char *const states[] = {"whole", "damaged", "in use", "left over"};
    listing *l = user;
    char when[32] = "?";
    time_t seconds = (time_t)(e->used_time_ns / 1000000000);
    struct tm local;
    l->count++;
    l->bytes += e->bytes;
    l->damaged += e->state == SINTER_CACHE_DAMAGED;
    if (l->only_damaged && e->state != SINTER_CACHE_DAMAGED)
        return;
    if (localtime_r(&seconds, &local) != NULL)
        (void)strftime(when, sizeof when, "%Y-%m-%d %H:%M", &local);
    printf("%.24s  %-9s  %9llu bytes  used %s  %s\n", e->name, states[e->state],
           (unsigned long long)e->bytes, when, e->label);
}

static int list(bool only_damaged)
{
    char path[4096] = "";
    listing l = {.only_damaged = only_damaged};
    if (sinter_cache_visit(NULL, print_entry, &l, path, sizeof path) != SINTER_OK)
        return tool_library_failed("cache");
    printf("%s: %zu files, %llu bytes, %zu damaged\n", path, l.count, (unsigned long long)l.bytes,
           l.damaged);
    int flushed = tool_flush();
    return only_damaged && l.damaged > 0 ? TOOL_FAILED : flushed;
}

int tool_cache(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "list";
    if (argc > 2)
        return tool_usage("cache", "'%s' is one argument too many", argv[2]);
    if (strcmp(what, "list") == 0)
        return list(false);
    if (strcmp(what, "verify") == 0)
        return list(true);
    if (strcmp(what, "clear") == 0)
        return sinter_cache_clear(NULL) == SINTER_OK ? TOOL_OK : tool_library_failed("cache");
    if (strcmp(what, "--help") != 0 && strcmp(what, "-h") != 0)
        return tool_usage("cache", "'%s' is not list, verify or clear", what);
    printf("usage: sinter cache [list | verify | clear]\n\n"
           "Compiled programs are kept in a folder, so that the next process need not compile "
           "them:\nSINTER_CACHE_DIR, else sinter in XDG_CACHE_HOME, else ~/.cache/sinter.\n\n"
           "  list    every file, with what it was made for\n"
           "  verify  the damaged ones; exits with 1 when there are any\n"
           "  clear   removes them all\n");
    return tool_flush();
}
