#include "svg.h"

#include <errno.h>
#include <string.h>

FILE *svg_open(const char *path)
{
    FILE *to = fopen(path, "we");
    if (to == NULL)
        (void)tool_failed("%s: %s", path, strerror(errno));
    return to;
}

bool svg_close(FILE *to, const char *path, bool fine)
{
    fine = ferror(to) == 0 && fine;
    fine = fclose(to) == 0 && fine;
    if (!fine)
        (void)tool_failed("%s: cannot be written", path);
    return fine;
}

void svg_text(FILE *to, const char *text, size_t limit)
{
    bool cut = strlen(text) > limit;
    size_t count = !cut ? strlen(text) : limit > 1 ? limit - 1 : limit;
    /* the rest of a character of several bytes goes with its first */
    while (cut && count > 0 && ((unsigned char)text[count] & 0xc0) == 0x80)
        count--;
    for (size_t i = 0; i < count; i++) {
        if (strchr("<>&\"'", text[i]) != NULL || (unsigned char)text[i] < 32)
            (void)fprintf(to, "&#%d;", (unsigned char)text[i] < 32 ? ' ' : text[i]);
        else
            (void)fputc(text[i], to);
    }
    if (cut)
        (void)fputs("&#8230;", to);
}
