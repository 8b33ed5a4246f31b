/* A device profile's text: what is taken is written as what is taken as the same, and a context with it gives the same
 * numbers as any other; what is refused changes nothing. */
#include "api_recorder.h"

#include <sinter/sinter.h>

#include <stdlib.h>
#include <string.h>

typedef struct text {
    char data[1 << 16];
    size_t bytes;
} text;

static void check(bool holds)
{
    if (!holds)
        abort();
}

static void add(void *user, const char *piece, size_t bytes)
{
    text *t = user;
    check(bytes <= sizeof t->data - t->bytes);
    memcpy(t->data + t->bytes, piece, bytes);
    t->bytes += bytes;
}

static void write_to(const sinter_profile *p, text *t)
{
    t->bytes = 0;
    check(sinter_profile_write(p, add, t) == SINTER_OK);
}

/* Sums of rows, of columns and of products: of whole numbers, so that every order gives the same. */
static void run(const sinter_profile *p, uint8_t lanes)
{
    sinter_context *ctx;
    sinter_stream *s = NULL;
    sinter_tensor t[8];
    float rows[18];
    float columns[20];
    float product[400];
    sinter_context_options o = SINTER_CONTEXT_OPTIONS_INIT;
    o.device = "host";
    o.switches = SINTER_NO_CACHE;
    o.profile = p;
    o.mode = (sinter_mode)(1 + lanes / 2 % 3);
    o.style = lanes % 2 == 0 ? SINTER_STYLE_CPU : SINTER_STYLE_GPU;
    o.realloc_fn = recorder_realloc;
    size_t before = recorder_live();
    check(sinter_context_create(&o, &ctx) == SINTER_OK &&
          sinter_stream_create(ctx, NULL, &s) == SINTER_OK);
    check(sinter_arange(s, SINTER_F32, 360, sinter_scalar_int(0), sinter_scalar_int(1), &t[0]) ==
          SINTER_OK);
    check(sinter_reshape(s, t[0], 2, (int64_t[]){18, 20}, &t[1]) == SINTER_OK);
    check(sinter_sum(s, t[1], 1, (int[]){1}, false, &t[2]) == SINTER_OK);
    check(sinter_sum(s, t[1], 1, (int[]){0}, false, &t[3]) == SINTER_OK);
    check(sinter_transpose(s, t[1], NULL, &t[4]) == SINTER_OK &&
          sinter_matmul(s, t[4], t[1], &t[5]) == SINTER_OK);
    check(sinter_softmax(s, t[1], 1, (int[]){1}, &t[6]) == SINTER_OK &&
          sinter_cumsum(s, t[6], 1, &t[7]) == SINTER_OK);
    check(sinter_tensor_read(s, t[2], rows, sizeof rows) == SINTER_OK);
    check(sinter_tensor_read(s, t[3], columns, sizeof columns) == SINTER_OK);
    check(sinter_tensor_read(s, t[5], product, sizeof product) == SINTER_OK);
    for (int i = 0; i < 18; i++)
        check(rows[i] == (float)(400 * i + 190));
    for (int i = 0; i < 20; i++)
        check(columns[i] == (float)(3060 + 18 * i));
    for (int i = 0; i < 400; i++) { /* the sum of (20 k + r) (20 k + c) over k below 18 */
        int r = i / 20;
        int c = i % 20;
        check(product[i] == (float)(714000 + 3060 * (r + c) + 18 * r * c));
    }
    check(sinter_stream_destroy(s) == SINTER_OK && sinter_context_destroy(ctx) == SINTER_OK);
    check(recorder_live() == before);
}

/* NOLINTBEGIN(readability-identifier-naming): the name is libFuzzer's */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static text first;
    static text second;
    static sinter_profile *p;
    if (p == NULL)
        check(sinter_profile_open("host", &p) == SINTER_OK);
    check(sinter_profile_reset(p) == SINTER_OK);
    write_to(p, &first);
    sinter_status status = sinter_profile_parse(p, (const char *)data, bytes);
    if (status != SINTER_OK) {
        write_to(p, &second);
        check(first.bytes == second.bytes && memcmp(first.data, second.data, first.bytes) == 0);
        return 0;
    }
    write_to(p, &first);
    check(sinter_profile_parse(p, first.data, first.bytes) == SINTER_OK);
    write_to(p, &second);
    check(first.bytes == second.bytes && memcmp(first.data, second.data, first.bytes) == 0);
    run(p, bytes > 0 ? data[bytes - 1] : 0);
    return 0;
}
/* NOLINTEND(readability-identifier-naming) */
