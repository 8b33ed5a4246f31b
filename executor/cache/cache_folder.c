#include "executor/cache/cache_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MARK "mark."
#define TEMPORARY "tmp."
#define LONG_GONE_NS ((int64_t)3600 * 1000000000) /* no write takes that long */
#define MAX_PATH 4096
#define MOST_NAMES 1000

const char *sinter__cache_why_text(sinter__cache_why why)
{
    static const char *const texts[] = {
        [SINTER__CACHE_FINE] = "fine",
        [SINTER__CACHE_MISSING] = "it is not there",
        [SINTER__CACHE_UNREADABLE] = "it cannot be read",
        [SINTER__CACHE_WRONG_KIND] = "it is of the wrong kind, or a symbolic link",
        [SINTER__CACHE_FOREIGN] = "others own it or may use it",
        [SINTER__CACHE_TOO_LARGE] = "it is too large",
        [SINTER__CACHE_NO_MEMORY] = "there is no memory for it",
        [SINTER__CACHE_CHANGED] = "it has not as many bytes any more",
    };
    return texts[why];
}

sinter__cache_kind sinter__cache_file_kind(const char *name)
{
    if (strncmp(name, MARK, strlen(MARK)) == 0)
        return SINTER__CACHE_MARK;
    if (strncmp(name, TEMPORARY, strlen(TEMPORARY)) == 0)
        return SINTER__CACHE_TEMPORARY;
    const char *dash = strchr(name, '-');
    return dash != NULL && strspn(dash + 1, "0123456789abcdef") == 64 && dash[65] == '\0'
               ? SINTER__CACHE_ENTRY
               : SINTER__CACHE_OTHER;
}

/* The folder */

static void make_folders(char *path)
{
    for (char *p = path + 1; *p != '\0'; p++) {
        if (*p != '/')
            continue;
        *p = '\0';
        (void)mkdir(path, 0700);
        *p = '/';
    }
    (void)mkdir(path, 0700);
}

sinter__cache_why sinter__cache_folder_open(sinter__cache_folder *folder, const char *path,
                                            bool make)
{
    char copy[MAX_PATH];
    struct stat info;
    size_t bytes = strlen(path);
    folder->fd = -1;
    if (bytes == 0 || bytes >= sizeof copy)
        return SINTER__CACHE_MISSING;
    memcpy(copy, path, bytes + 1);
    while (bytes > 1 && copy[bytes - 1] == '/') /* with it, a symbolic link would be followed */
        copy[--bytes] = '\0';
    if (make)
        make_folders(copy);
    int fd = open(copy, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT                      ? SINTER__CACHE_MISSING
               : errno == ENOTDIR || errno == ELOOP ? SINTER__CACHE_WRONG_KIND
                                                    : SINTER__CACHE_UNREADABLE;
    if (fstat(fd, &info) != 0 || info.st_uid != geteuid() || (info.st_mode & 077) != 0) {
        (void)close(fd);
        return SINTER__CACHE_FOREIGN;
    }
    folder->fd = fd;
    return SINTER__CACHE_FINE;
}

void sinter__cache_folder_close(sinter__cache_folder *folder)
{
    if (folder->fd >= 0)
        (void)close(folder->fd);
    folder->fd = -1;
}

/* Reading */

static sinter__cache_why check_file(int fd, uint64_t max_bytes, size_t *bytes)
{
    struct stat info;
    if (fstat(fd, &info) != 0)
        return SINTER__CACHE_UNREADABLE;
    if (!S_ISREG(info.st_mode))
        return SINTER__CACHE_WRONG_KIND;
    if (info.st_uid != geteuid() || (info.st_mode & 022) != 0)
        return SINTER__CACHE_FOREIGN;
    *bytes = (size_t)info.st_size;
    return (uint64_t)info.st_size > max_bytes ? SINTER__CACHE_TOO_LARGE : SINTER__CACHE_FINE;
}

static bool read_all(int fd, uint8_t *data, size_t bytes)
{
    while (bytes > 0) {
        ssize_t got = read(fd, data, bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        data += got;
        bytes -= (size_t)got;
    }
    return true;
}

sinter__cache_why sinter__cache_folder_read(const sinter__cache_folder *folder, const char *name,
                                            bool used, sinter__allocator *a, uint8_t **out,
                                            size_t *bytes)
{
    /* O_NONBLOCK: a FIFO must not hang us */
    int fd = openat(folder->fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    *out = NULL;
    if (fd < 0)
        return errno == ENOENT  ? SINTER__CACHE_MISSING
               : errno == ELOOP ? SINTER__CACHE_WRONG_KIND
                                : SINTER__CACHE_UNREADABLE;
    sinter__cache_why why = check_file(fd, folder->max_bytes, bytes);
    if (why == SINTER__CACHE_FINE) {
        *out = sinter__alloc(a, SINTER__MAX(*bytes, (size_t)1));
        why = *out != NULL ? SINTER__CACHE_FINE : SINTER__CACHE_NO_MEMORY;
    }
    if (why == SINTER__CACHE_FINE && !read_all(fd, *out, *bytes)) {
        sinter__free(a, *out, SINTER__MAX(*bytes, (size_t)1));
        *out = NULL;
        why = SINTER__CACHE_UNREADABLE;
    }
    if (why == SINTER__CACHE_FINE && used)
        (void)futimens(fd, NULL);
    (void)close(fd);
    return why;
}

/* Writing */

typedef struct survey {
    const sinter__cache_folder *folder;
    uint64_t bytes;
    int64_t now_ns;
    int64_t oldest_ns;
    char oldest[SINTER__CACHE_NAME];
} survey;

static void look_at(void *user, const sinter__cache_file *file)
{
    survey *s = user;
    sinter__cache_kind kind = sinter__cache_file_kind(file->name);
    if (kind == SINTER__CACHE_OTHER || strlen(file->name) >= sizeof s->oldest)
        return;
    if (kind == SINTER__CACHE_TEMPORARY && file->used_ns < s->now_ns - LONG_GONE_NS) {
        sinter__cache_folder_remove(s->folder, file->name);
        return;
    }
    s->bytes += file->bytes;
    if (kind == SINTER__CACHE_ENTRY && file->used_ns < s->oldest_ns) {
        s->oldest_ns = file->used_ns;
        memcpy(s->oldest, file->name, strlen(file->name) + 1);
    }
}

static int64_t nanoseconds(const struct timespec *t)
{
    return (int64_t)t->tv_sec * 1000000000 + t->tv_nsec;
}

/* Looks again after each that is removed: other processes write and remove at the same time. */
static void make_room(const sinter__cache_folder *folder)
{
    struct timespec now = {0};
    survey s;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    do {
        s = (survey){.folder = folder, .now_ns = nanoseconds(&now), .oldest_ns = INT64_MAX};
        if (!sinter__cache_folder_visit(folder, look_at, &s) || s.bytes <= folder->max_bytes ||
            s.oldest[0] == '\0')
            return;
    } while (unlinkat(folder->fd, s.oldest, 0) == 0 || errno == ENOENT);
}

static bool write_all(int fd, const uint8_t *data, size_t bytes)
{
    while (bytes > 0) {
        ssize_t put = write(fd, data, bytes);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        data += put;
        bytes -= (size_t)put;
    }
    return true;
}

/* A new file of a name of its own. Where processes have few numbers, in a container, one that died
 * may have left a file of the name. */
static int create_temporary(const sinter__cache_folder *folder, char name[SINTER__CACHE_NAME])
{
    static atomic_uint counter;
    int fd = -1;
    for (int i = 0; i < MOST_NAMES && (i == 0 || (fd < 0 && errno == EEXIST)); i++) {
        (void)snprintf(name, SINTER__CACHE_NAME, TEMPORARY "%ld.%u", (long)getpid(),
                       atomic_fetch_add(&counter, 1));
        fd = openat(folder->fd, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    }
    return fd;
}

bool sinter__cache_folder_write(const sinter__cache_folder *folder, const char *name,
                                const void *data, size_t bytes)
{
    struct rlimit limit;
    char temporary[SINTER__CACHE_NAME];
    errno = EFBIG;
    /* past the limit of a file's size the process would get a signal */
    if (bytes > folder->max_bytes ||
        (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < bytes))
        return false;
    int fd = create_temporary(folder, temporary);
    if (fd < 0)
        return false;
    bool done = write_all(fd, data, bytes);
    done = close(fd) == 0 && done && renameat(folder->fd, temporary, folder->fd, name) == 0;
    int error = errno;
    if (!done)
        sinter__cache_folder_remove(folder, temporary);
    make_room(folder);
    errno = error;
    return done;
}

void sinter__cache_folder_put_aside(const sinter__cache_folder *folder, const char *name)
{
    char other[SINTER__CACHE_NAME + 4];
    (void)snprintf(other, sizeof other, "%s.bad", name);
    (void)renameat(folder->fd, name, folder->fd, other);
}

bool sinter__cache_folder_remove(const sinter__cache_folder *folder, const char *name)
{
    return unlinkat(folder->fd, name, 0) == 0 || errno == ENOENT;
}

/* Marks */

static void mark_name(const char *name, char out[SINTER__CACHE_NAME])
{
    (void)snprintf(out, SINTER__CACHE_NAME, MARK "%s", name);
}

#define MARK_GONE (-3) /* the process that had it is done */

/* A mark that was there already: a living process of the same program has it too, or a dead one had.
 */
static int join_mark(const sinter__cache_folder *folder, const char *name, const char *mark)
{
    struct stat info;
    int fd = openat(folder->fd, mark, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT ? MARK_GONE : SINTER__MARK_NONE;
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) || info.st_uid != geteuid()) {
        (void)close(fd);
        return SINTER__MARK_NONE;
    }
    if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK &&
        flock(fd, LOCK_SH | LOCK_NB) == 0)
        return fd;
    if (fstat(fd, &info) == 0 && info.st_nlink == 0) { /* it was done meanwhile */
        (void)close(fd);
        return MARK_GONE;
    }
    sinter__cache_folder_remove(folder, name);
    sinter__cache_folder_remove(folder, mark);
    (void)close(fd);
    return SINTER__MARK_CRASHED;
}

/* A mark that nobody has yet. It gets its name when it is locked: one that others see without a
 * lock is a dead process's. Where a file cannot have a second name (FAT), the two are one after the
 * other. */
static int make_mark(const sinter__cache_folder *folder, const char *mark)
{
    char temporary[SINTER__CACHE_NAME];
    int fd = create_temporary(folder, temporary);
    if (fd < 0)
        return SINTER__MARK_NONE;
    (void)flock(fd, LOCK_SH | LOCK_NB);
    bool named = linkat(folder->fd, temporary, folder->fd, mark, 0) == 0;
    int error = errno;
    sinter__cache_folder_remove(folder, temporary);
    if (named)
        return fd;
    (void)close(fd);
    errno = error;
    if (error != EPERM && error != ENOTSUP && error != EMLINK)
        return SINTER__MARK_NONE;
    fd = openat(folder->fd, mark, O_RDONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return SINTER__MARK_NONE;
    (void)flock(fd, LOCK_SH | LOCK_NB);
    return fd;
}

int sinter__cache_folder_mark(const sinter__cache_folder *folder, const char *name)
{
    char mark[SINTER__CACHE_NAME];
    int fd = MARK_GONE;
    mark_name(name, mark);
    for (int i = 0; i < MOST_NAMES && fd == MARK_GONE; i++) {
        fd = make_mark(folder, mark);
        if (fd == SINTER__MARK_NONE && errno == EEXIST)
            fd = join_mark(folder, name, mark);
    }
    return fd == MARK_GONE ? SINTER__MARK_NONE : fd;
}

void sinter__cache_folder_unmark(const sinter__cache_folder *folder, const char *name, int mark)
{
    char text[SINTER__CACHE_NAME];
    if (mark < 0)
        return;
    mark_name(name, text);
    sinter__cache_folder_remove(folder, text);
    (void)close(mark);
}

/* Listing */

bool sinter__cache_folder_visit(const sinter__cache_folder *folder,
                                void (*visit)(void *user, const sinter__cache_file *file),
                                void *user)
{
    int fd = openat(folder->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = fd >= 0 ? fdopendir(fd) : NULL;
    if (entries == NULL) {
        if (fd >= 0)
            (void)close(fd);
        return false;
    }
    for (struct dirent *e = readdir(entries); e != NULL; e = readdir(entries)) {
        struct stat info;
        if (fstatat(folder->fd, e->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(info.st_mode) || info.st_uid != geteuid())
            continue;
        sinter__cache_file file = {.name = e->d_name,
                                   .bytes = (uint64_t)info.st_size,
                                   .used_ns = nanoseconds(&info.st_mtim)};
        visit(user, &file);
    }
    (void)closedir(entries);
    return true;
}
