/* Elements as text: integers as they are, floats with the fewest digits that give the same value
 * back. */
#include "show.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER 40
#define MANY 64 /* elements; more are shown in part */

static double f16_value(uint16_t bits)
{
    int exponent = (bits >> 10) & 31;
    int mantissa = bits & 1023;
    double size =
        ldexp(exponent == 0 ? mantissa : mantissa + 1024, (exponent == 0 ? 1 : exponent) - 25);
    if (exponent == 31)
        size = mantissa != 0 ? NAN : INFINITY;
    return (bits & 0x8000) != 0 ? -size : size;
}

static double bf16_value(uint16_t bits)
{
    uint32_t wide = (uint32_t)bits << 16;
    float value;
    memcpy(&value, &wide, sizeof value);
    return value;
}

static double narrow_value(sinter_dtype dtype, uint16_t bits)
{
    return dtype == SINTER_F16 ? f16_value(bits) : bf16_value(bits);
}

/* Whether `text` is nearer to the value of these bits than half way to a neighbour's. */
static bool narrow_is(sinter_dtype dtype, uint16_t bits, const char *text)
{
    double value = narrow_value(dtype, bits);
    double read = strtod(text, NULL);
    double up = narrow_value(dtype, (uint16_t)(bits + 1));
    double down = (bits & 0x7fff) != 0 ? narrow_value(dtype, (uint16_t)(bits - 1)) : -up;
    double gap = fabs(value - down);
    return fabs(read - value) < gap / 2 && (isinf(up) || fabs(read - value) < fabs(up - value) / 2);
}

/* Whether `text` reads back as the element. */
static bool reads_back(sinter_dtype dtype, const void *element, const char *text)
{
    float narrow;
    double wide;
    uint16_t bits;
    switch (dtype) {
    case SINTER_F64:
        memcpy(&wide, element, sizeof wide);
        return strtod(text, NULL) == wide;
    case SINTER_F32:
        memcpy(&narrow, element, sizeof narrow);
        return strtof(text, NULL) == narrow;
    default:
        memcpy(&bits, element, sizeof bits);
        return narrow_is(dtype, bits, text);
    }
}

static double float_value(sinter_dtype dtype, const void *element)
{
    float narrow;
    double wide;
    uint16_t bits;
    if (dtype == SINTER_F64) {
        memcpy(&wide, element, sizeof wide);
        return wide;
    }
    if (dtype == SINTER_F32) {
        memcpy(&narrow, element, sizeof narrow);
        return narrow;
    }
    memcpy(&bits, element, sizeof bits);
    return narrow_value(dtype, bits);
}

static void float_text(sinter_dtype dtype, const void *element, char out[NUMBER])
{
    double value = float_value(dtype, element);
    if (!isfinite(value)) {
        (void)snprintf(out, NUMBER, "%s", isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
        return;
    }
    for (int digits = 1; digits <= 17; digits++) {
        (void)snprintf(out, NUMBER, "%.*g", digits, value);
        if (reads_back(dtype, element, out))
            break;
    }
    if (strpbrk(out, ".e") == NULL)
        (void)strncat(out, ".0", NUMBER - strlen(out) - 1);
}

#define INTEGER_CASE(id, type, format, wide)                                                       \
    case SINTER_##id: {                                                                            \
        type value;                                                                                \
        memcpy(&value, element, sizeof value);                                                     \
        (void)snprintf(out, NUMBER, format, (wide)value);                                          \
        break;                                                                                     \
    }

static void element_text(sinter_dtype dtype, const void *element, char out[NUMBER])
{
    switch (dtype) {
        INTEGER_CASE(I8, int8_t, "%d", int)
        INTEGER_CASE(U8, uint8_t, "%d", int)
        INTEGER_CASE(I16, int16_t, "%d", int)
        INTEGER_CASE(U16, uint16_t, "%d", int)
        INTEGER_CASE(I32, int32_t, "%lld", long long)
        INTEGER_CASE(U32, uint32_t, "%lld", long long)
        INTEGER_CASE(I64, int64_t, "%lld", long long)
        INTEGER_CASE(U64, uint64_t, "%llu", unsigned long long)
    case SINTER_BOOL:
        (void)snprintf(out, NUMBER, "%s", *(const char *)element != 0 ? "True" : "False");
        break;
    default:
        float_text(dtype, element, out);
        break;
    }
}

/* A walk over the elements that are shown; with `to` NULL it only measures. */
typedef struct walk {
    FILE *to;
    const npy_array *a;
    int edge;  /* elements shown at each end of a long axis; 0: all */
    int width; /* of the widest */
} walk;

static void indent(const walk *w, int axis)
{
    (void)fputc('\n', w->to);
    for (int i = 0; i <= axis; i++)
        (void)fputc(' ', w->to);
}

static void walk_element(walk *w, size_t offset)
{
    char text[NUMBER];
    element_text(w->a->dtype, (const char *)w->a->data + offset, text);
    int length = (int)strlen(text);
    if (w->to != NULL) {
        (void)fprintf(w->to, "%*s", w->width, text);
    } else if (length > w->width) {
        w->width = length;
    }
}

/* `bytes` is what the rest of the axes spans. */
static void walk_axis(walk *w, int axis, size_t offset, size_t bytes)
{
    if (axis == w->a->rank) {
        walk_element(w, offset);
        return;
    }
    int64_t extent = w->a->shape[axis];
    size_t stride = extent > 0 ? bytes / (size_t)extent : 0;
    bool innermost = axis == w->a->rank - 1;
    bool cut = w->edge > 0 && extent > 2 * (int64_t)w->edge;
    if (w->to != NULL)
        (void)fputc('[', w->to);
    for (int64_t i = 0; i < extent; i++) {
        if (i > 0 && w->to != NULL && !innermost) {
            indent(w, axis);
        } else if (i > 0 && w->to != NULL) {
            (void)fputc(' ', w->to);
        }
        if (cut && i == w->edge) {
            if (w->to != NULL)
                (void)fputs("...", w->to);
            i = extent - w->edge - 1;
            continue;
        }
        walk_axis(w, axis + 1, offset + (size_t)i * stride, stride);
    }
    if (w->to != NULL)
        (void)fputc(']', w->to);
}

void show_array(FILE *to, const char *name, const npy_array *a)
{
    static const int edges[SINTER_MAX_RANK + 1] = {3, 3, 3, 2, 2, 1, 1, 1, 1};
    bool many = a->bytes / sinter_dtype_bytes(a->dtype) > MANY;
    walk w = {.a = a, .edge = many ? edges[a->rank] : 0};
    (void)fprintf(to, "%s %s[", name, sinter_dtype_name(a->dtype));
    for (int i = 0; i < a->rank; i++)
        (void)fprintf(to, i > 0 ? ",%lld" : "%lld", (long long)a->shape[i]);
    (void)fputs("]\n", to);
    if (a->bytes == 0) {
        (void)fputs("[]\n", to);
        return;
    }
    walk_axis(&w, 0, 0, a->bytes);
    w.to = to;
    walk_axis(&w, 0, 0, a->bytes);
    (void)fputc('\n', to);
}
