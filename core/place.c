#include "core/place.h"

#include <stdio.h>

static sinter_program_place find(const char *text, size_t bytes, size_t offset)
{
    sinter_program_place place = {.line = 1, .column = 1};
    for (size_t i = 0; i < SINTER__MIN(offset, bytes); i++) {
        place.column++;
        if (text[i] == '\n') {
            place.line++;
            place.column = 1;
        }
    }
    return place;
}

sinter_status sinter__fail_at(sinter_status status, const char *text, size_t bytes, size_t offset,
                              sinter_program_place *place)
{
    char where[48];
    sinter_program_place found = find(text, bytes, offset);
    if (place != NULL)
        *place = found;
    (void)snprintf(where, sizeof where, "line %u, column %u", found.line, found.column);
    return sinter__fail_in(status, where);
}
