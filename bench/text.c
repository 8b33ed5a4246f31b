#include "bench/text.h"

#include <stdlib.h>
#include <string.h>

void bench_text_add(void *user, const char *piece, size_t bytes)
{
    bench_text *t = user;
    char *data = realloc(t->data, t->bytes + bytes + 1);
    if (data == NULL)
        return;
    memcpy(data + t->bytes, piece, bytes);
    data[t->bytes + bytes] = '\0';
    t->data = data;
    t->bytes += bytes;
}
