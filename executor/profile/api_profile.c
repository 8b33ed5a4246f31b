/* The public functions about profiles that a caller holds. */
#include "core/sized.h"
#include "executor/context/env.h"
#include "executor/profile/profile.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

sinter_status sinter_profile_open(const char *device, sinter_profile **out)
{
    sinter__clear_error();
    if (out == NULL)
        return sinter__fail(SINTER_EINVAL, "profile_open: the place of the result is NULL");
    *out = NULL;
    sinter__allocator a;
    sinter__allocator_init(&a, NULL, NULL);
    sinter_profile *p = sinter__alloc(&a, sizeof *p);
    if (p == NULL)
        return SINTER_ENOMEM;
    sinter__device d;
    p->allocator = &p->own;
    sinter__allocator_init(&p->own, NULL, NULL);
    sinter_status status =
        sinter__device_find(device != NULL ? device : sinter__env_text(SINTER__ENV_DEVICE), &a, &d);
    if (status == SINTER_OK) {
        status = sinter__profile_find(p, &p->own, &d, NULL);
        sinter__device_close(&d); /* what is measured is opened anew */
    }
    if (status != SINTER_OK) {
        sinter_profile_destroy(p);
        return sinter__fail_in(status, "profile_open");
    }
    *out = p;
    return SINTER_OK;
}

void sinter_profile_destroy(sinter_profile *profile)
{
    sinter__allocator a;
    sinter__allocator_init(&a, NULL, NULL);
    if (profile != NULL)
        sinter__profile_finish(profile);
    sinter__free(&a, profile, sizeof *profile);
}

const char *sinter_profile_origin(const sinter_profile *profile)
{
    return profile != NULL ? profile->origin : "";
}

sinter_status sinter_profile_reset(sinter_profile *profile)
{
    sinter__clear_error();
    if (profile == NULL)
        return sinter__fail(SINTER_EINVAL, "profile_reset: the profile is NULL");
    sinter__profile_finish(profile);
    const sinter__device d = profile->device;
    sinter__profile_init(profile, &profile->own, &d);
    return SINTER_OK;
}

sinter_status sinter_profile_parse(sinter_profile *profile, const char *text, size_t bytes)
{
    sinter__clear_error();
    if (profile == NULL || text == NULL)
        return sinter__fail(SINTER_EINVAL, "profile_parse: an argument is NULL");
    sinter_status status = sinter__profile_parse(profile, text, bytes, false);
    return status == SINTER_OK ? status : sinter__fail_in(status, "profile_parse");
}

static sinter_status print(const sinter_profile *p, sinter__buffer *text)
{
    sinter__buffer_init(text, p->allocator);
    sinter__profile_print(p, text);
    return sinter__buffer_status(text);
}

sinter_status sinter_profile_write(const sinter_profile *profile, sinter_write_fn write, void *user)
{
    sinter__clear_error();
    if (profile == NULL || write == NULL)
        return sinter__fail(SINTER_EINVAL, "profile_write: an argument is NULL");
    sinter__buffer text;
    sinter_status status = print(profile, &text);
    if (status == SINTER_OK)
        write(user, sinter__buffer_text(&text), text.bytes);
    sinter__buffer_finish(&text);
    return status;
}

/* Into the folder of the user's, by its rules. `refused`: what is there was passed over, and somebody may want it. */
static sinter_status write_file(const char *path, const char *name, const sinter__buffer *text,
                                bool refused)
{
    sinter__cache_folder folder = {.fd = -1, .max_bytes = UINT64_MAX};
    sinter__cache_why why = sinter__cache_folder_open(&folder, path, true);
    if (why != SINTER__CACHE_FINE)
        return sinter__fail(SINTER_EIO, "profile_save: %.300s: %s", path,
                            sinter__cache_why_text(why));
    if (refused)
        sinter__cache_folder_put_aside(&folder, name);
    bool done = sinter__cache_folder_write(&folder, name, sinter__buffer_text(text), text->bytes);
    sinter_status status =
        done ? SINTER_OK
             : sinter__fail(SINTER_EIO, "profile_save: %.300s/%s cannot be written: %s", path, name,
                            strerror(errno));
    sinter__cache_folder_close(&folder);
    return status;
}

/* Whether it is the file of that name which was passed over, and not another that the environment names. */
static bool was_refused(const sinter_profile *p, const char *name)
{
    const char *named = sinter__env_text(SINTER__ENV_PROFILE);
    return p->passed_over && (named == NULL || strstr(named, name) != NULL);
}

sinter_status sinter_profile_save(sinter_profile *profile)
{
    char path[SINTER__ENV_PATH];
    char name[SINTER__CACHE_NAME];
    sinter__clear_error();
    if (profile == NULL)
        return sinter__fail(SINTER_EINVAL, "profile_save: the profile is NULL");
    if (!sinter__env_cache_folder(NULL, path))
        return sinter__fail(SINTER_EIO,
                            "profile_save: there is no folder: no HOME, or too long a path");
    sinter__profile_file(&profile->device, name);
    sinter__buffer text;
    sinter_status status = print(profile, &text);
    if (status == SINTER_OK)
        status = write_file(path, name, &text, was_refused(profile, name));
    sinter__buffer_finish(&text);
    if (status == SINTER_OK)
        (void)snprintf(profile->origin, sizeof profile->origin, "%.600s/%s", path, name);
    profile->passed_over &= status != SINTER_OK;
    return status;
}

sinter_status sinter_profile_keep(sinter_profile *profile, sinter_cache_store_fn store, void *user)
{
    char name[SINTER__CACHE_NAME];
    sinter__clear_error();
    if (profile == NULL || store == NULL)
        return sinter__fail(SINTER_EINVAL, "profile_keep: an argument is NULL");
    sinter__profile_file(&profile->device, name);
    sinter__buffer text;
    sinter_status status = print(profile, &text);
    if (status == SINTER_OK && store(user, name, sinter__buffer_text(&text), text.bytes) == 0)
        status = sinter__fail(SINTER_EIO, "profile_keep: the hook did not keep %zu bytes of %s",
                              text.bytes, name);
    sinter__buffer_finish(&text);
    if (status == SINTER_OK)
        (void)snprintf(profile->origin, sizeof profile->origin, "cache_load_fn: %s", name);
    profile->passed_over &= status != SINTER_OK;
    return status;
}

sinter_status sinter_profile_get(const sinter_profile *profile, size_t index,
                                 sinter_profile_number *out)
{
    sinter__clear_error();
    if (profile == NULL || out == NULL)
        return sinter__fail(SINTER_EINVAL, "profile_get: an argument is NULL");
    SINTER_TRY(sinter__sized_check("profile_get: a result", out->size));
    if (index >= SINTER__TUNING_COUNT)
        return sinter__fail(SINTER_ERANGE, "profile_get: number %zu of %zu", index,
                            SINTER__TUNING_COUNT);
    const sinter__tuning_info *row = sinter__tuning_row(index);
    const sinter_profile_number number = {
        .value = sinter__tuning_get(&profile->values.tuning, index),
        .low = row->low,
        .high = row->high,
        .power_of_two = row->kind != SINTER__TUNING_COUNTED,
        .name = row->name,
        .meaning = row->meaning,
    };
    sinter__sized_give(out, out->size, &number, sizeof number);
    return SINTER_OK;
}

sinter_status sinter_profile_set(sinter_profile *profile, size_t index, uint32_t value)
{
    sinter__clear_error();
    if (profile == NULL)
        return sinter__fail(SINTER_EINVAL, "profile_set: the profile is NULL");
    if (index >= SINTER__TUNING_COUNT)
        return sinter__fail(SINTER_ERANGE, "profile_set: number %zu of %zu", index,
                            SINTER__TUNING_COUNT);
    if (!sinter__tuning_set(&profile->values.tuning, index, value))
        return sinter__fail(SINTER_ERANGE, "profile_set: %s cannot be %u",
                            sinter__tuning_row(index)->name, (unsigned)value);
    return SINTER_OK;
}
