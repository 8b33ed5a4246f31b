/* What the pictures of `sinter` share: files of SVG, text in them. */
#ifndef SINTER_TOOLS_SVG_H
#define SINTER_TOOLS_SVG_H

#include "common.h"

/* A new file; NULL after a message. */
FILE *svg_open(const char *path);

/* False after a message when not all of it could be written, or `fine` is false. */
bool svg_close(FILE *to, const char *path, bool fine);

/* At most `limit` characters of a text, escaped; what is left out is three dots. */
void svg_text(FILE *to, const char *text, size_t limit);

#endif /* SINTER_TOOLS_SVG_H */
