#include "fusion/cost/rates.h"

#include <string.h>

/* In place: pointers to them would take more room than they do. */
static const char cost_names[][12] = {
#define SINTER_COST(name, inputs, steps, program, text) #name,
#include "fusion/cost/rates.def"
};

const char *sinter__cost_name(size_t index)
{
    return cost_names[index];
}

size_t sinter__cost_find(const char *name, size_t bytes)
{
    size_t i = 0;
    while (i < SINTER__COST_COUNT &&
           (strlen(cost_names[i]) != bytes || memcmp(cost_names[i], name, bytes) != 0))
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
