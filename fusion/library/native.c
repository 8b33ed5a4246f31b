/* The driver's functions in place of ours.
 *
 * The one hard idea: a driver's function may give other bits in vectors of another width (PoCL's do),
 * and a value is computed in several: as a vector, in a loop's tail, once for a whole row. So the
 * driver's is called at one width, whatever the width of the value: shorter ones are filled up, longer
 * ones are cut. Then fused and unfused, and every schedule, still give the same bits on one device. */
#include "fusion/library/native.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    int operands;
} functions[] = {
#define SINTER_NATIVE(name, operands) {#name, operands},
#include "fusion/library/native.def"
};

const char *sinter__native_name(size_t index)
{
    return functions[index].name;
}

bool sinter__native_find(const sinter__limits *limits, sinter__library_class class_,
                         const char *name, size_t bytes, size_t *index)
{
    if (limits->native == 0 || (class_ != SINTER__LIBRARY_F32 && class_ != SINTER__LIBRARY_F64))
        return false;
    for (size_t i = 0; i < SINTER__COUNT(functions); i++) {
        if ((limits->native >> i & 1) != 0 && strlen(functions[i].name) == bytes &&
            memcmp(functions[i].name, name, bytes) == 0) {
            *index = i;
            return true;
        }
    }
    return false;
}

/* "x.s4567": lanes [first, first + count) of a vector. */
static void print_part(sinter__buffer *out, const char *vector, uint32_t first, uint32_t count)
{
    sinter__buffer_printf(out, "%s.s", vector);
    for (uint32_t i = 0; i < count; i++)
        sinter__buffer_printf(out, "%x", (unsigned)(first + i));
}

/* The body where the value is narrower: its operands fill the low lanes of vectors. 1 is harmless to
 * every function. */
static void print_filled(sinter__buffer *out, const char *wide, uint32_t lanes, size_t index)
{
    for (int k = 0; k < functions[index].operands; k++) {
        char operand = (char)('x' + k);
        char name[2] = {operand, '\0'};
        sinter__buffer_printf(out, "    %s %c = (%s)(1);\n    ", wide, operand, wide);
        print_part(out, name, 0, lanes);
        sinter__buffer_printf(out, " = %c;\n", (char)('a' + k));
    }
    sinter__buffer_printf(out, "    %s z = %s(x%s);\n    return ", wide, functions[index].name,
                          functions[index].operands == 2 ? ", y" : "");
    print_part(out, "z", 0, lanes);
    sinter__buffer_puts(out, ";\n");
}

/* The body where the value is wider: the driver's is called part by part. */
static void print_cut(sinter__buffer *out, const char *type, uint32_t lanes, uint32_t width,
                      size_t index)
{
    sinter__buffer_printf(out, "    return (%s)(", type);
    for (uint32_t first = 0; first < lanes; first += width) {
        sinter__buffer_printf(out, first > 0 ? ", %s(" : "%s(", functions[index].name);
        print_part(out, "a", first, width);
        if (functions[index].operands == 2) {
            sinter__buffer_puts(out, ", ");
            print_part(out, "b", first, width);
        }
        sinter__buffer_puts(out, ")");
    }
    sinter__buffer_puts(out, ");\n");
}

void sinter__native_print(const sinter__limits *limits, sinter__library_class class_,
                          uint32_t lanes, size_t index, sinter__buffer *out)
{
    const char *scalar = class_ == SINTER__LIBRARY_F64 ? "double" : "float";
    const char *function = functions[index].name;
    bool two = functions[index].operands == 2;
    uint32_t width = limits->native_width;
    char type[SINTER__LIBRARY_NAME];
    char wide[SINTER__LIBRARY_NAME];
    char name[SINTER__LIBRARY_NAME];
    sinter__vector_type(type, scalar, lanes);
    sinter__vector_type(wide, scalar, width);
    sinter__library_name(name, class_, lanes, function, strlen(function));
    sinter__buffer_printf(out, "%s %s(%s a", type, name, type);
    if (two)
        sinter__buffer_printf(out, ", %s b", type);
    sinter__buffer_puts(out, ")\n{\n");
    if (lanes < width)
        print_filled(out, wide, lanes, index);
    else if (lanes > width)
        print_cut(out, type, lanes, width, index);
    else
        sinter__buffer_printf(out, two ? "    return %s(a, b);\n" : "    return %s(a);\n",
                              function);
    sinter__buffer_puts(out, "}\n");
}
