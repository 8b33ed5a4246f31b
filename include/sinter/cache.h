/* The folder in which compiled programs are kept: what is in it, and emptying it. A context uses it
 * by itself (context.h). */
#ifndef SINTER_CACHE_H
#define SINTER_CACHE_H

#include "sinter/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sinter_cache_state {
    SINTER_CACHE_WHOLE = 0,   /* a driver may get it */
    SINTER_CACHE_DAMAGED = 1, /* no driver gets it: it is replaced when it is needed */
    SINTER_CACHE_IN_USE = 2,  /* a mark: a process is about to use an entry, or died with it */
    SINTER_CACHE_LEFT = 3,    /* the rest of a process that died while it wrote */
} sinter_cache_state;

/** One file. */
typedef struct sinter_cache_entry {
    uint32_t size; /* bytes of this struct that are filled */
    sinter_cache_state state;
    char name[96];
    char label[120]; /* platform, device and driver, where it says so */
    uint64_t bytes;
    int64_t used_time_ns; /* when it was last of use, since 1970 */
} sinter_cache_entry;

/** Gets one file; `entry` is valid during the call, which must not call the library. */
typedef void (*sinter_cache_visit_fn)(void *user, const sinter_cache_entry *entry);

/** Verifies every file of the folder and hands it to `visit`; `visit` is not called for what sinter
 *  has not made.
 *  owns     nothing. `folder` NULL: that of SINTER_CACHE_DIR, else the user's own. *path (may be
 *           NULL) gets at most `path_bytes` bytes of its name.
 *  errors   SINTER_EINVAL when `visit` is NULL, or there is no folder that belongs to the user alone:
 *           the text says why. A folder that is not there has no files.
 *  thread   any. */
SINTER_API sinter_status sinter_cache_visit(const char *folder, sinter_cache_visit_fn visit,
                                            void *user, char *path, size_t path_bytes);

/** Removes every file that sinter has made in the folder; processes that use it go on.
 *  owns     nothing. `folder` as of sinter_cache_visit.
 *  errors   SINTER_EINVAL as of sinter_cache_visit; SINTER_EIO where a file cannot be removed.
 *  thread   any. */
SINTER_API sinter_status sinter_cache_clear(const char *folder);

#ifdef __cplusplus
}
#endif

#endif /* SINTER_CACHE_H */
