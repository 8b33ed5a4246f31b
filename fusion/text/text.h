/* OpenCL C text of lowered kernels, and of programs that hold several. The only place that knows
 * the language. */
#ifndef SINTER_FUSION_TEXT_TEXT_H
#define SINTER_FUSION_TEXT_TEXT_H

#include "core/buffer.h"
#include "fusion/device/limits.h"
#include "fusion/lower/lower.h"

typedef enum sinter__argument_kind {
    SINTER__ARGUMENT_BUFFER,  /* of access `index`: a cl_mem, then its offset in bytes as ulong */
    SINTER__ARGUMENT_SCRATCH, /* the same of the scratch memory */
    SINTER__ARGUMENT_PARAM,   /* params[index]: int, long when the class is wide, uint for magic
                                 numbers */
    SINTER__ARGUMENT_SCALAR,  /* the nest's scalar `index`, in the register type of `dtype` */
} sinter__argument_kind;

typedef struct sinter__argument {
    uint8_t kind;
    uint8_t dtype;
    uint16_t index;
} sinter__argument;

#define SINTER__KERNEL_NAME 64
#define SINTER__PARAM_NAME 24

/* One kernel. Its text calls functions of the library, which a program puts in front. */
typedef struct sinter__kernel_text {
    char name[SINTER__KERNEL_NAME]; /* the operations, and the hash of the text */
    sinter__buffer source;
    sinter__buffer needs; /* functions that it calls: "class:lanes:name\n" each */
    sinter__argument *arguments;
    size_t argument_count, argument_capacity;
    sinter__param *params;
    size_t param_count;
    uint32_t packed_words; /* of the arguments that have all numbers; 0: each is one */
    uint32_t row_words;    /* where it runs a list: fusion/text/row.h */
    uint32_t row_memories; /* there as well */
    uint64_t hash;         /* of the text */
} sinter__kernel_text;

/* Prints `code`, lowered from `nest` of class `c`. The caller finishes `out` whatever is returned.
 */
sinter_status sinter__kernel_print(sinter__allocator *a, const sinter__nest *nest,
                                   const sinter__kernel_class *c, const sinter__code *code,
                                   const sinter__limits *limits, sinter__kernel_text *out);

/* What an integer argument is called. */
void sinter__param_name(const sinter__param *param, char out[SINTER__PARAM_NAME]);

void sinter__kernel_text_finish(sinter__allocator *a, sinter__kernel_text *text);

#endif /* SINTER_FUSION_TEXT_TEXT_H */
