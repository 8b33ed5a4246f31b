#include "fusion/rates.h"

#include <string.h>

static const char *const cost_names[] = {
#define SINTER_COST(name, inputs, steps, program, text) #name,
#include "fusion/rates.def"
};

size_t sinter__cost_find(const char *name)
{
    size_t i = 0;
    while (i < SINTER__COST_COUNT && strcmp(cost_names[i], name) != 0)
        i++;
    return i;
}

size_t sinter__rate_width(uint32_t lanes)
{
    size_t width = 0;
    while (width + 1 < SINTER__RATE_WIDTHS && (1u << width) < lanes)
        width++;
    return width;
}
