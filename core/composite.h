/* Operations that are queued as a formula of others: kind COMPOSITE of the op table. */
#ifndef SINTER_CORE_COMPOSITE_H
#define SINTER_CORE_COMPOSITE_H

#include "core/builder.h"

/* Appends the operations of `op`, which is a COMPOSITE. `operands` are as many as its row says:
 * tensors first, of which all but the first may be missing (the null handle), then numbers. */
sinter_status sinter__compose(const sinter__builder *b, sinter__op op,
                              const sinter__builder_operand *operands, const sinter__attrs *attrs,
                              sinter_tensor *out);

#endif /* SINTER_CORE_COMPOSITE_H */
