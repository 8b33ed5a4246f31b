/* Names in the text of a kernel. Private to fusion/text/text.c; sinter__param_name is for all (text.h). */
#ifndef SINTER_FUSION_TEXT_NAME_H
#define SINTER_FUSION_TEXT_NAME_H

#include "fusion/text/text.h"

/* A kernel's operations, as far as they fit, and room for the hash. */
void sinter__kernel_name(const sinter__nest *nest, char name[SINTER__KERNEL_NAME]);

/* Puts the hash of the text into the name, here and in the text: equal kernels are called alike,
 * different ones are not. */
void sinter__kernel_seal(sinter__kernel_text *out);

#endif /* SINTER_FUSION_TEXT_NAME_H */
