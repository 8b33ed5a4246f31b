/* Replacing the words of cl_kernels/README.md and of the op table by plain OpenCL C. */
#ifndef SINTER_FUSION_LIBRARY_WORDS_H
#define SINTER_FUSION_LIBRARY_WORDS_H

#include "fusion/library/library.h"

typedef struct sinter__words {
    sinter__library_class class_;
    uint32_t lanes;
    const sinter__limits *limits;
    const char *operand[3]; /* text for the words a, b, c; NULL: they stay */
    bool shares;            /* b and c are the same in every lane, */
    bool below;             /* a is not above 0, or NaN */
    bool asked;             /* and the kernel has `rare`: whether one of them is 0 or NaN */
    sinter__op op;          /* what COMBINE stands for */
    bool larger;            /* of a maximum by fusion/nest/larger.h */
    const char *own;        /* name of the function whose text this is, "tree@sum"; NULL: none */
    size_t own_bytes;
} sinter__words;

/* Appends `text` with its words replaced. The arguments of COMBINE and COMBINE1 hold no words. */
void sinter__words_print(const sinter__words *words, const char *text, size_t bytes,
                         sinter__buffer *out);

typedef void (*sinter__callee_fn)(void *user, sinter__library_class class_, uint32_t lanes,
                                  const char *name, size_t bytes);

/* Calls `found` for each function of cl_kernels/ that `text` calls. */
void sinter__words_callees(const sinter__words *words, const char *text, size_t bytes,
                           sinter__callee_fn found, void *user);

/* The type of an element of `dtype` in memory. */
const char *sinter__memory_type(sinter_dtype dtype);

#endif /* SINTER_FUSION_LIBRARY_WORDS_H */
