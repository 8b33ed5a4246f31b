/* Rows: the arguments of a launch that runs several groups of a list, a row for each.
 *
 * Its kernel takes the cl_mem of each BUFFER argument in order, and then all rows by value, in words of
 * 32 bits. A row is: the work-item that it begins with; then every argument but the cl_mem, 64-bit ones
 * low word first; then words that are not used. One that is not there begins with INT32_MAX. */
#ifndef SINTER_FUSION_ROW_H
#define SINTER_FUSION_ROW_H

#include "fusion/text.h"

#define SINTER__ROW_ABSENT INT32_MAX

/* Words of a row. */
uint32_t sinter__row_words(const sinter__nest *nest, const sinter__kernel_class *c);

/* Most rows that a launch of class `c` can have; below 2: the class is not one for lists. */
uint32_t sinter__row_limit(const sinter__nest *nest, const sinter__kernel_class *c,
                           const sinter__limits *limits);

/* The type of all rows of a launch, in front of the kernel; its last parameter; and what the body
 * begins with: each argument as a constant of the name that it would have. */
void sinter__row_type_print(uint32_t words, sinter__buffer *b);
void sinter__row_parameter_print(uint32_t words, sinter__buffer *b);
void sinter__row_values_print(const sinter__code *code, const sinter__kernel_class *c,
                              const sinter__kernel_text *text, sinter__buffer *b);

#endif /* SINTER_FUSION_ROW_H */
