/* What a kernel is given: the arguments of a launch, of which those are set that the kernel does not have. */
#ifndef SINTER_EXECUTOR_ARGUMENTS_H
#define SINTER_EXECUTOR_ARGUMENTS_H

#include "executor/backend/backend.h"

/* A buffer, and a number that no other buffer ever has: a driver may give a new one the handle of an
 * old one. */
typedef struct sinter__cl_memory {
    cl_mem buffer;
    uint64_t serial;
    bool is_read_only;             /* the caller's, and so are sub-buffers of it */
    struct sinter__cl_part *parts; /* sub-buffers of it that products keep */
} sinter__cl_memory;

/* Everything that the kernel of a plain launch takes, except what it has. */
cl_int sinter__cl_set_arguments(const sinter__cl *cl, const sinter__launch *l,
                                const sinter__operands *operands, bool sent_any, bool params_sent);

/* The same of a list: memories, and the rows or where they are stored. */
cl_int sinter__cl_set_list(const sinter__cl *cl, const sinter__launch *l, sinter__row_range rows,
                           const sinter__operands *operands, const sinter__memories *memories,
                           bool sent_any);

/* What changes of rows by value that the kernel has been given, whose operands lie where they lay then. */
cl_int sinter__cl_renew_list(const sinter__cl *cl, const sinter__launch *l, sinter__row_range rows,
                             const sinter__operands *operands);

/* What a plain launch would be given, as words that are equal where that is the same; and how many. */
void sinter__cl_arguments(const sinter__launch *l, const sinter__operands *operands,
                          uint64_t *words);
size_t sinter__cl_argument_words(const sinter__launch *l);

/* How many dimensions its work-items have. */
static inline cl_uint sinter__cl_dimensions(const sinter__geometry *g)
{
    return g->global[2] > 1 ? 3 : g->global[1] > 1 ? 2 : 1;
}

#endif /* SINTER_EXECUTOR_ARGUMENTS_H */
