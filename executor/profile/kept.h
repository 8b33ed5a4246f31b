/* Programs that contexts of one measurement have compiled, in memory until it ends: the next context wants them again,
 * to time the same once more in other memory or beside another number. Building them anew took half of what
 * `sinter doctor` may take. */
#ifndef SINTER_EXECUTOR_KEPT_H
#define SINTER_EXECUTOR_KEPT_H

#include "core/alloc.h"

typedef struct sinter__kept_program sinter__kept_program;

typedef struct sinter__kept {
    sinter__allocator *allocator;
    sinter__kept_program *first;
    size_t bytes; /* of all */
} sinter__kept;

/* Makes a context of one thread look there and keep there; the folder of the user's has no part in it. */
void sinter__kept_hooks(sinter__kept *k, sinter_context_options *o);

void sinter__kept_finish(sinter__kept *k);

#endif /* SINTER_EXECUTOR_KEPT_H */
