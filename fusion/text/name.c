/* What is called how in the text: integer arguments, and kernels, by their operations and a hash. */
#include "fusion/text/name.h"

#include <stdio.h>
#include <string.h>

#define HASH_DIGITS "0123456789abcdef"

void sinter__param_name(const sinter__param *param, char out[SINTER__PARAM_NAME])
{
    static const char *const names[] = {
        [SINTER__PARAM_EXTENT] = "n",
        [SINTER__PARAM_STRIDE] = "s",
        [SINTER__PARAM_OFFSET] = "f",
        [SINTER__PARAM_MAGIC] = "magic",
        [SINTER__PARAM_SHIFT] = "shift",
        [SINTER__PARAM_REDUCED] = "reduced",
        [SINTER__PARAM_PARALLEL] = "elements",
        [SINTER__PARAM_SEGMENT] = "segment",
        [SINTER__PARAM_SEGMENTS] = "segments",
        [SINTER__PARAM_UNITS] = "units",
        [SINTER__PARAM_UNITS_PER_ITEM] = "each",
        [SINTER__PARAM_PARTS] = "parts",
        [SINTER__PARAM_REGION] = "region",
    };
    const char *name = names[param->kind];
    switch ((sinter__param_kind)param->kind) {
    case SINTER__PARAM_EXTENT:
    case SINTER__PARAM_MAGIC:
    case SINTER__PARAM_SHIFT:
        (void)snprintf(out, SINTER__PARAM_NAME, "%s%u", name, param->axis);
        break;
    case SINTER__PARAM_STRIDE:
        (void)snprintf(out, SINTER__PARAM_NAME, "%s%u_%u", name, param->access, param->axis);
        break;
    case SINTER__PARAM_OFFSET:
        (void)snprintf(out, SINTER__PARAM_NAME, "%s%u", name, param->access);
        break;
    default:
        (void)snprintf(out, SINTER__PARAM_NAME, "%s", name);
        break;
    }
}

void sinter__kernel_name(const sinter__nest *nest, char name[SINTER__KERNEL_NAME])
{
    const size_t room = SINTER__KERNEL_NAME - sizeof HASH_DIGITS - 1;
    size_t at = 0;
    for (uint16_t i = 0; i < nest->value_count; i++) {
        const sinter__value *v = &nest->values[i];
        if (v->kind != SINTER__VALUE_MAP && v->kind != SINTER__VALUE_REDUCE &&
            v->kind != SINTER__VALUE_SCAN)
            continue;
        const char *op = sinter__op_info_of(v->op)->name;
        if (at + strlen(op) + 1 > room)
            break;
        at += (size_t)snprintf(name + at, SINTER__KERNEL_NAME - at, "%s_", op);
    }
    if (at == 0)
        at = (size_t)snprintf(name, SINTER__KERNEL_NAME, "copy_");
    (void)snprintf(name + at, SINTER__KERNEL_NAME - at, "%s", HASH_DIGITS);
}

static uint64_t hash_text(const char *text, size_t bytes)
{
    uint64_t hash = bytes;
    uint64_t word;
    size_t i = 0;
    for (; i + sizeof word <= bytes; i += sizeof word) {
        memcpy(&word, text + i, sizeof word);
        hash = sinter__hash(hash, word);
    }
    word = 0;
    memcpy(&word, text + i, bytes - i);
    return sinter__hash(hash, word);
}

void sinter__kernel_seal(sinter__kernel_text *out)
{
    enum { DIGITS = sizeof HASH_DIGITS - 1 };
    char digits[DIGITS + 1];
    out->hash = hash_text(out->source.text, out->source.bytes);
    (void)snprintf(digits, sizeof digits, "%016llx", (unsigned long long)out->hash);
    memcpy(out->name + strlen(out->name) - DIGITS, digits, DIGITS);
    char *place = strstr(out->source.text, HASH_DIGITS);
    if (place != NULL)
        memcpy(place, digits, DIGITS);
}
