/* Why an installed OpenCL driver does not show up: the loader passes over one that it cannot load
 * without a word. */
#define _GNU_SOURCE /* secure_getenv */
#include "executor/opencl/device.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_VENDORS "/etc/OpenCL/vendors"

/* The library that an .icd file names: its first line. */
static bool read_icd(const char *path, char *library, size_t bytes)
{
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return false;
    bool found = fgets(library, (int)bytes, file) != NULL;
    (void)fclose(file);
    if (found)
        library[strcspn(library, "\r\n")] = '\0';
    return found && library[0] != '\0';
}

static sinter_status try_icd(sinter__device_list *list, const char *directory, const char *name)
{
    char path[512];
    char library[512];
    (void)snprintf(path, sizeof path, "%s/%s", directory, name);
    if (!read_icd(path, library, sizeof library))
        return sinter__devices_add_reason(list, name, "the file names no library");
    if (dlopen(library, RTLD_LAZY | RTLD_LOCAL) == NULL)
        return sinter__devices_add_reason(list, name, dlerror());
    return SINTER_OK; /* it stays open: drivers do not survive being taken out */
}

sinter_status sinter__icd_reasons(sinter__device_list *list)
{
    const char *directory = secure_getenv("OCL_ICD_VENDORS");
    if (directory == NULL)
        directory = DEFAULT_VENDORS;
    DIR *entries = opendir(directory);
    if (entries == NULL)
        return SINTER_OK;
    sinter_status status = SINTER_OK;
    for (struct dirent *e = readdir(entries); e != NULL && status == SINTER_OK;
         e = readdir(entries)) {
        size_t length = strlen(e->d_name);
        if (length > 4 && strcmp(e->d_name + length - 4, ".icd") == 0)
            status = try_icd(list, directory, e->d_name);
    }
    (void)closedir(entries);
    return status;
}
