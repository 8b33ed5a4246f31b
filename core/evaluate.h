/* Runs a parsed program over the builder interface: nothing here knows what an operation costs or
 * where it runs. */
#ifndef SINTER_CORE_EVALUATE_H
#define SINTER_CORE_EVALUATE_H

#include "core/builder.h"
#include "core/program.h"

/* Appends the program's operations. `inputs` (one per input) stay the caller's; `results` (one per
 * result) become the caller's. On failure every result is the null handle, nothing is held, and
 * *offset is where in the text. */
sinter_status sinter__evaluate(const sinter_program *p, const sinter__builder *b,
                               const sinter_tensor *inputs, sinter_tensor *results, size_t *offset);

#endif /* SINTER_CORE_EVALUATE_H */
