#include "core/sized.h"

#include <string.h>

sinter_status sinter__sized_check(const char *what, uint32_t size)
{
    /* Every version ends where a field of the widest type could. */
    if (size < 2 * sizeof size || size % sizeof(void *) != 0)
        return sinter__fail(SINTER_EINVAL, "%s of %u bytes: begin with its _INIT", what, size);
    return SINTER_OK;
}

sinter_status sinter__sized_take(const char *what, void *out, uint32_t known, const void *options)
{
    uint32_t size;
    memcpy(&size, options, sizeof size);
    SINTER_TRY(sinter__sized_check(what, size));
    if (size > known)
        return sinter__fail(SINTER_EINVAL, "%s of %u bytes: this library knows %u", what, size,
                            known);
    memcpy(out, options, size);
    memcpy(out, &known, sizeof known);
    return SINTER_OK;
}

void sinter__sized_give(void *out, uint32_t size, const void *full, uint32_t known)
{
    size = SINTER__MIN(size, known);
    memcpy(out, full, size);
    memcpy(out, &size, sizeof size);
}
