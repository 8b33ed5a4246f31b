/* The driver's functions in place of ours. */
#ifndef SINTER_FUSION_LIBRARY_NATIVE_H
#define SINTER_FUSION_LIBRARY_NATIVE_H

#include "core/buffer.h"
#include "fusion/library/library.h"

enum {
#define SINTER_NATIVE(name, operands) SINTER__NATIVE_##name,
#include "fusion/library/native.def"
    SINTER__NATIVE_COUNT
};

const char *sinter__native_name(size_t index);

/* Whether the driver's stands in for function `name`, and which that is. */
bool sinter__native_find(const sinter__limits *limits, sinter__library_class class_,
                         const char *name, size_t bytes, size_t *index);

/* Prints a function of the library's name and type that calls the driver's. */
void sinter__native_print(const sinter__limits *limits, sinter__library_class class_,
                          uint32_t lanes, size_t index, sinter__buffer *out);

#endif /* SINTER_FUSION_LIBRARY_NATIVE_H */
