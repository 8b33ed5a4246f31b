/* The folder of the program cache: files under names, written whole or not at all.
 *
 * A binary is code that the driver runs, so whoever can write into the folder can run code as its
 * user. A checksum does not stop him, since he can make one; who owns what does: the folder and each
 * file belong to the user, nobody else may write to them, and no symbolic link is followed. */
#ifndef SINTER_EXECUTOR_CACHE_FOLDER_H
#define SINTER_EXECUTOR_CACHE_FOLDER_H

#include "core/alloc.h"

#define SINTER__CACHE_NAME 96 /* of an entry, with its terminator */

typedef struct sinter__cache_folder {
    int fd; /* -1: there is none */
    uint64_t max_bytes;
} sinter__cache_folder;

/* Why there is no folder, or no file. */
typedef enum sinter__cache_why {
    SINTER__CACHE_FINE,
    SINTER__CACHE_MISSING,
    SINTER__CACHE_UNREADABLE, /* it cannot be opened, or not read to its end */
    SINTER__CACHE_WRONG_KIND, /* no folder, no regular file, or a symbolic link */
    SINTER__CACHE_FOREIGN,    /* of another user, or others may write to it */
    SINTER__CACHE_TOO_LARGE,
    SINTER__CACHE_NO_MEMORY,
    SINTER__CACHE_CHANGED, /* while it was asked for */
} sinter__cache_why;

const char *sinter__cache_why_text(sinter__cache_why why);

/* Opens the folder; with `make` it and those above it are made, for the user alone. */
sinter__cache_why sinter__cache_folder_open(sinter__cache_folder *folder, const char *path,
                                            bool make);
void sinter__cache_folder_close(sinter__cache_folder *folder);

/* The whole file, to be freed with its size. `used` notes that it was of use. */
sinter__cache_why sinter__cache_folder_read(const sinter__cache_folder *folder, const char *name,
                                            bool used, sinter__allocator *a, uint8_t **out,
                                            size_t *bytes);

/* Writes the file under another name and gives it its own at the end; then removes those that have
 * not been used for the longest time until the folder is as small as it has to be. `errno` says why not. */
bool sinter__cache_folder_write(const sinter__cache_folder *folder, const char *name,
                                const void *data, size_t bytes);

/* Gives a file that is of no use, but may be somebody's work, another name: NAME.bad. */
void sinter__cache_folder_put_aside(const sinter__cache_folder *folder, const char *name);

/* Whether it is not there any more. */
bool sinter__cache_folder_remove(const sinter__cache_folder *folder, const char *name);

/* A mark says that a driver is at work on an entry. The process that set it holds a lock on it, so a
 * mark without one was left by a process that did not survive: -2, and entry and mark are removed.
 * -1: no mark can be set. */
#define SINTER__MARK_NONE (-1)
#define SINTER__MARK_CRASHED (-2)
int sinter__cache_folder_mark(const sinter__cache_folder *folder, const char *name);
void sinter__cache_folder_unmark(const sinter__cache_folder *folder, const char *name, int mark);

/* One file of the folder. */
typedef struct sinter__cache_file {
    const char *name;
    uint64_t bytes;
    int64_t used_ns; /* since 1970 */
} sinter__cache_file;

/* Calls `visit` for every regular file of the user's; false when the folder cannot be listed. */
bool sinter__cache_folder_visit(const sinter__cache_folder *folder,
                                void (*visit)(void *user, const sinter__cache_file *file),
                                void *user);

/* What a file is, by its name: SINTER__CACHE_OTHER is none of ours, and is left alone. */
typedef enum sinter__cache_kind {
    SINTER__CACHE_OTHER,
    SINTER__CACHE_ENTRY,
    SINTER__CACHE_MARK,
    SINTER__CACHE_TEMPORARY,
} sinter__cache_kind;

sinter__cache_kind sinter__cache_file_kind(const char *name);

#endif /* SINTER_EXECUTOR_CACHE_FOLDER_H */
