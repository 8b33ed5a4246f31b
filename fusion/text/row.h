/* Rows: the arguments of a launch that runs several groups of a list, a row for each.
 *
 * Its kernel takes the memories (cl_mem) that the operands lie in, and then the rows, in words of 32 bits.
 * A row is: the work-item that it begins with; then every argument, 64-bit ones low word first; then
 * words that are not used. A BUFFER argument is an offset, with the number of its memory in the top bits.
 *
 * Where rows are divided, every work-item goes through its part of each. A row begins with a number
 * that is added to the work-item's, modulo their count, and gives its part: rows that are too short
 * for all begin where the one before has ended.
 *
 * As many as fit a kernel's arguments are given by value, which nobody has to write or wait for: the class
 * says how many, and a row that is not there begins with INT32_MAX. More than that lie in scratch memory, in
 * the order of their work-items, and one kernel serves any number of them. */
#ifndef SINTER_FUSION_TEXT_ROW_H
#define SINTER_FUSION_TEXT_ROW_H

#include "fusion/text/text.h"

#define SINTER__ROW_ABSENT INT32_MAX

/* In the place of their number, in the class of a launch: they lie in scratch memory. */
#define SINTER__ROWS_STORED UINT16_MAX

static inline bool sinter__has_stored_rows(const sinter__kernel_class *c)
{
    return c->key.list == SINTER__ROWS_STORED;
}

/* Where the number of a memory begins in the word of a BUFFER argument. */
#define SINTER__ROW_MEMORY_SHIFT 56

/* Most memories that any launch of a list takes. */
#define SINTER__ROW_MEMORIES_MAX 32

/* Words of a row. */
uint32_t sinter__row_words(const sinter__nest *nest, const sinter__kernel_class *c);

/* Memories that a launch takes: as many as a row has buffers, which may all lie apart, and no fewer than
 * tensors that came one after the other lie in. */
uint32_t sinter__row_memories(const sinter__nest *nest);

/* Whether launches of class `c` can have rows. */
bool sinter__may_have_rows(const sinter__nest *nest, const sinter__kernel_class *c,
                           const sinter__limits *limits);

/* Most rows that such a launch can have by value. */
uint32_t sinter__row_limit(const sinter__nest *nest, const sinter__kernel_class *c,
                           const sinter__limits *limits);

/* What an integer argument is in OpenCL C; and how many words an argument takes, a buffer's being its offset. */
const char *sinter__param_type(const sinter__param *param, const sinter__kernel_class *c);
uint32_t sinter__argument_words(const sinter__argument *x, const sinter__kernel_class *c,
                                const sinter__param *params);

/* The type of all rows of a launch by value, in front of the kernel. */
void sinter__row_type_print(const sinter__kernel_class *c, const sinter__kernel_text *text,
                            sinter__buffer *b);

/* The parameters of a list, and what its body begins with: each argument as a constant of the name that it would have.
 * Of rows that are divided that opens a loop. */
void sinter__row_parameters_print(const sinter__kernel_class *c, const sinter__kernel_text *text,
                                  sinter__buffer *b);
void sinter__row_values_print(const sinter__nest *nest, const sinter__kernel_class *c,
                              const sinter__code *code, const sinter__kernel_text *text,
                              sinter__buffer *b);

/* Where a driver keeps a copy of each argument of each launch, those of a kernel without rows that are no memories are
 * packed in the words of a row and their order, SINTER__PACK to an argument (docs/decisions/kernel-arguments.md): the
 * words of these arguments, and what the body begins with. */
#define SINTER__PACK 4

uint32_t sinter__packed_words(const sinter__kernel_class *c, const sinter__code *code,
                              const sinter__kernel_text *text);
void sinter__packed_values_print(const sinter__kernel_class *c, const sinter__code *code,
                                 const sinter__kernel_text *text, sinter__buffer *b);

#endif /* SINTER_FUSION_TEXT_ROW_H */
