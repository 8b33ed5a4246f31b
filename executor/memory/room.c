#define _GNU_SOURCE /* madvise */
#include "executor/memory/room.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PATH_ROOM 4096
#define TEXT_ROOM 8192 /* of a file: what is asked for lies in its beginning */
#define UNLIMITED (UINT64_MAX / 4)

/* How a version of control groups names its files. */
typedef struct version {
    const char *folder;
    const char *limit, *usage;
    const char
        *files[2]; /* numbers of memory.stat: bytes that are given back when they are wanted */
} version;

static const version version_1 = {.folder = "/sys/fs/cgroup/memory",
                                  .limit = "memory.limit_in_bytes",
                                  .usage = "memory.usage_in_bytes",
                                  .files = {"total_inactive_file ", "total_active_file "}};
static const version version_2 = {.folder = "/sys/fs/cgroup",
                                  .limit = "memory.max",
                                  .usage = "memory.current",
                                  .files = {"inactive_file ", "active_file "}};

/* The beginning of a file, whose path is printed, as a text; false when it cannot be read. */
SINTER__PRINTF(2, 3) static bool read_text(char text[TEXT_ROOM], const char *format, ...)
{
    char path[PATH_ROOM];
    size_t used = 0;
    ssize_t got = 1;
    va_list args;
    va_start(args, format);
    int length = vsnprintf(path, sizeof path, format, args);
    va_end(args);
    if (length <= 0 || (size_t)length >= sizeof path)
        return false;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    while (got > 0 && used < TEXT_ROOM - 1) {
        got = read(fd, text + used, TEXT_ROOM - 1 - used);
        used += got > 0 ? (size_t)got : 0;
    }
    (void)close(fd);
    text[used] = '\0';
    return got >= 0;
}

/* The number behind `name`, which begins a line; false when there is none. */
static bool find_number(const char *text, const char *name, uint64_t *out)
{
    size_t length = strlen(name);
    for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, name, length) != 0)
            continue;
        char *end;
        *out = strtoull(line + length, &end, 10);
        return end != line + length;
    }
    return false;
}

static bool read_number(const char *root, const char *folder, const char *group, const char *file,
                        uint64_t *out)
{
    char text[TEXT_ROOM];
    return read_text(text, "%s%s%s/%s", root, folder, group, file) &&
           find_number(text, "", out); /* "max" is none */
}

/* What the system keeps of files for the group. */
static uint64_t kept_files(const char *root, const version *v, const char *group)
{
    char text[TEXT_ROOM];
    uint64_t sum = 0;
    if (!read_text(text, "%s%s%s/memory.stat", root, v->folder, group))
        return 0;
    for (int i = 0; i < 2; i++) {
        uint64_t bytes = 0;
        if (find_number(text, v->files[i], &bytes) && bytes < UNLIMITED)
            sum += bytes;
    }
    return sum;
}

static sinter_status check_group(const char *root, const version *v, const char *group,
                                 uint64_t bytes)
{
    uint64_t limit;
    uint64_t usage;
    if (!read_number(root, v->folder, group, v->limit, &limit) || limit >= UNLIMITED ||
        !read_number(root, v->folder, group, v->usage, &usage))
        return SINTER_OK;
    uint64_t files = kept_files(root, v, group);
    usage -= SINTER__MIN(usage, files);
    uint64_t room = limit - SINTER__MIN(limit, usage);
    if (bytes <= room)
        return SINTER_OK;
    return sinter__fail(SINTER_EDEVMEM,
                        "%llu bytes of memory shared with the host are over the %llu that control "
                        "group %.120s leaves of its %llu",
                        (unsigned long long)bytes, (unsigned long long)room,
                        group[0] != '\0' ? group : "/", (unsigned long long)limit);
}

/* The group and all around it. `group` is "/a/b", and is cut short. */
static sinter_status check_groups(const char *root, const version *v, char *group, uint64_t bytes)
{
    for (;;) {
        char *last = strrchr(group, '/');
        if (last != NULL && last[1] == '\0') { /* "/" is "" */
            *last = '\0';
            continue;
        }
        SINTER_TRY(check_group(root, v, group, bytes));
        if (last == NULL)
            return SINTER_OK;
        *last = '\0';
    }
}

/* Whether `list`, which ends before a colon, has `name` between its commas. */
static bool lists(const char *list, const char *name)
{
    size_t length = strlen(name);
    while (*list != ':' && *list != '\0') {
        size_t item = strcspn(list, ",:");
        if (item == length && strncmp(list, name, length) == 0)
            return true;
        list += item + (list[item] == ',' ? 1 : 0);
    }
    return false;
}

/* Lines of /proc/self/cgroup are "number:controllers:group"; version 2 has the number 0 and no
 * controllers. */
static sinter_status check_all_groups(const char *root, uint64_t bytes)
{
    char text[TEXT_ROOM];
    char *rest = NULL;
    if (!read_text(text, "%s/proc/self/cgroup", root))
        return SINTER_OK;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        const char *controllers = strchr(line, ':');
        char *group = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
        if (group == NULL)
            continue;
        if (strncmp(line, "0::", 3) == 0)
            SINTER_TRY(check_groups(root, &version_2, group + 1, bytes));
        else if (lists(controllers + 1, "memory"))
            SINTER_TRY(check_groups(root, &version_1, group + 1, bytes));
    }
    return SINTER_OK;
}

SINTER__COLD sinter_status sinter__room_check(const char *root, uint64_t bytes)
{
    char text[TEXT_ROOM];
    uint64_t kib = 0;
    if (read_text(text, "%s/proc/meminfo", root) && find_number(text, "MemAvailable:", &kib) &&
        bytes / 1024 > kib) {
        return sinter__fail(SINTER_EDEVMEM,
                            "%llu bytes of memory shared with the host are over the %llu that the "
                            "machine has free",
                            (unsigned long long)bytes, (unsigned long long)kib * 1024);
    }
    return check_all_groups(root, bytes);
}

SINTER__COLD uint64_t sinter__room_cache(const char *root)
{
    char text[TEXT_ROOM];
    uint64_t bytes = 0;
    for (int i = 0; /* from the nearest on */
         i < 10 && read_text(text, "%s/sys/devices/system/cpu/cpu0/cache/index%d/size", root, i);
         i++) {
        char *unit;
        uint64_t number = strtoull(text, &unit, 10);
        bytes = number > UINT32_MAX ? 0 : number << (*unit == 'M' ? 20 : *unit == 'K' ? 10 : 0);
    }
    return bytes;
}

SINTER__COLD void sinter__room_large_pages(void *data, uint64_t bytes)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = ((uintptr_t)data + page - 1) / page * page;
    uintptr_t end = ((uintptr_t)data + bytes) / page * page;
    if (first < end) /* where they are not offered, the others serve */
        (void)madvise((unsigned char *)data + (first - (uintptr_t)data), end - first,
                      MADV_HUGEPAGE);
}
