/* The public functions about the program cache's folder. */
#include "executor/cache/cache.h"
#include "executor/context/env.h"
#include "sinter/cache.h"

#include <stdio.h>
#include <string.h>

/* The folder without making it; *there is false when it does not exist. */
static sinter_status open_folder(const char *chosen, sinter__cache_folder *folder, char *path,
                                 bool *there)
{
    *folder = (sinter__cache_folder){.fd = -1, .max_bytes = UINT64_MAX};
    *there = false;
    if (!sinter__env_cache_folder(chosen, path))
        return sinter__fail(SINTER_EINVAL,
                            "the program cache has no folder: no HOME, or too long a path");
    sinter__cache_why why = sinter__cache_folder_open(folder, path, false);
    *there = why == SINTER__CACHE_FINE;
    if (*there || why == SINTER__CACHE_MISSING)
        return SINTER_OK;
    return sinter__fail(SINTER_EINVAL, "the program cache's folder %.200s is not used: %s", path,
                        sinter__cache_why_text(why));
}

typedef struct visitor {
    const sinter__cache_folder *folder;
    sinter__allocator allocator;
    sinter_cache_visit_fn visit;
    void *user;
} visitor;

static void verify(visitor *v, sinter_cache_entry *entry)
{
    uint8_t *memory;
    size_t bytes;
    sinter__cache_header header;
    entry->state = SINTER_CACHE_DAMAGED;
    if (sinter__cache_folder_read(v->folder, entry->name, false, &v->allocator, &memory, &bytes) !=
        SINTER__CACHE_FINE)
        return;
    if (sinter__cache_is_whole(memory, bytes, entry->name)) {
        entry->state = SINTER_CACHE_WHOLE;
        memcpy(&header, memory, sizeof header);
        memcpy(entry->label, header.label, sizeof entry->label - 1);
    }
    sinter__free(&v->allocator, memory, SINTER__MAX(bytes, (size_t)1));
}

static void visit_file(void *user, const sinter__cache_file *file)
{
    visitor *v = user;
    sinter_cache_entry entry = {
        .size = sizeof entry, .bytes = file->bytes, .used_time_ns = file->used_ns};
    sinter__cache_kind kind = sinter__cache_file_kind(file->name);
    if (kind == SINTER__CACHE_OTHER || strlen(file->name) >= sizeof entry.name)
        return;
    memcpy(entry.name, file->name, strlen(file->name));
    if (kind == SINTER__CACHE_ENTRY)
        verify(v, &entry);
    else
        entry.state = kind == SINTER__CACHE_MARK ? SINTER_CACHE_IN_USE : SINTER_CACHE_LEFT;
    v->visit(v->user, &entry);
}

sinter_status sinter_cache_visit(const char *folder, sinter_cache_visit_fn visit, void *user,
                                 char *path, size_t path_bytes)
{
    char name[SINTER__ENV_PATH];
    sinter__cache_folder opened;
    bool there;
    sinter__clear_error();
    if (visit == NULL)
        return sinter__fail(SINTER_EINVAL, "cache_visit: an argument is NULL");
    SINTER_TRY(open_folder(folder, &opened, name, &there));
    if (path != NULL && path_bytes > 0)
        (void)snprintf(path, path_bytes, "%s", name);
    if (!there)
        return SINTER_OK;
    visitor v = {.folder = &opened, .visit = visit, .user = user};
    sinter__allocator_init(&v.allocator, NULL, NULL);
    (void)sinter__cache_folder_visit(&opened, visit_file, &v);
    sinter__cache_folder_close(&opened);
    sinter__clear_error(); /* a file for which there was no memory counts as damaged */
    return SINTER_OK;
}

typedef struct clearing {
    const sinter__cache_folder *folder;
    size_t left; /* files that cannot be removed */
} clearing;

static void remove_file(void *user, const sinter__cache_file *file)
{
    clearing *c = user;
    if (sinter__cache_file_kind(file->name) != SINTER__CACHE_OTHER &&
        !sinter__cache_folder_remove(c->folder, file->name))
        c->left++;
}

sinter_status sinter_cache_clear(const char *folder)
{
    char name[SINTER__ENV_PATH];
    sinter__cache_folder opened;
    bool there;
    sinter__clear_error();
    SINTER_TRY(open_folder(folder, &opened, name, &there));
    clearing c = {.folder = &opened};
    if (there)
        (void)sinter__cache_folder_visit(&opened, remove_file, &c);
    sinter__cache_folder_close(&opened);
    return c.left == 0
               ? SINTER_OK
               : sinter__fail(SINTER_EIO, "cache_clear: %.300s: %zu files cannot be removed", name,
                              c.left);
}
