/* A graph as a program in the language of `sinter eval`: a bug report that is a test file. */
#ifndef SINTER_CORE_PRINT_H
#define SINTER_CORE_PRINT_H

#include "core/buffer.h"
#include "core/graph.h"

/* Appends the program. It parses back to the same operations with the same scalars bit for bit;
 * tensors are called t0, t1, ... by their number in the graph. What went wrong is in the buffer's
 * status. */
void sinter__graph_print(const sinter__graph *g, sinter__buffer *out);

#endif /* SINTER_CORE_PRINT_H */
