#include "executor/profile/shipped.h"

#include "executor/opencl/device.h"

#include <string.h>

static const struct {
    const char *file, *platform, *device, *driver;
    sinter_device_kind kind;
} rows[] = {
#define SINTER_SHIPPED(file_, platform_, kind_, device_, driver_)                                  \
    {.file = (file_),                                                                              \
     .platform = (platform_),                                                                      \
     .device = (device_),                                                                          \
     .driver = (driver_),                                                                          \
     .kind = (kind_)},
#include "profiles/shipped.def"
};

const sinter__shipped_text *sinter__shipped_find(const sinter_device_info *device)
{
    const char *file = NULL;
    for (size_t i = 0; i < SINTER__COUNT(rows) && file == NULL; i++) {
        if (device->kind == rows[i].kind && sinter__contains(device->platform, rows[i].platform) &&
            sinter__contains(device->name, rows[i].device) &&
            strncmp(device->driver_version, rows[i].driver, strlen(rows[i].driver)) == 0)
            file = rows[i].file;
    }
    for (size_t i = 0; i < sinter__shipped_text_count && file != NULL; i++) {
        if (strcmp(sinter__shipped_texts[i].name, file) == 0)
            return &sinter__shipped_texts[i];
    }
    return NULL;
}
