/* Operations that come as they came before the last cut. */
#ifndef SINTER_EXECUTOR_REPEAT_H
#define SINTER_EXECUTOR_REPEAT_H

#include "executor/apply.h"

/* With the lock held: queues the operation if it is what stood in its place before the last cut, on tensors of
 * the stream's own. False: nothing has happened, and it is to be queued as any other. */
bool sinter__repeat(sinter_stream *s, sinter__op op, int count, const sinter__operand *operands,
                    const sinter__attrs *attrs, sinter_tensor *out);

/* With the lock held: the operations from `first` on have been appended in another way, or were left by a cut. Notes
 * which of them repeat what was there before. */
void sinter__repeat_check(sinter_stream *s, uint32_t first);

#endif /* SINTER_EXECUTOR_REPEAT_H */
