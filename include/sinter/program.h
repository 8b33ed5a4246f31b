/* Programs as text: the language of `sinter eval`, docs/language.md. */
#ifndef SINTER_PROGRAM_H
#define SINTER_PROGRAM_H

#include "sinter/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinter_program sinter_program;

/** Where a program's text is wrong: 1-based line and column (in bytes). */
typedef struct sinter_program_place {
    uint32_t line;
    uint32_t column;
} sinter_program_place;

/** Parses a program: statements `name = expression` separated by `;` or newlines.
 *  units    `bytes` of the text, without a terminator; at most 4 MiB.
 *  owns     *out is the caller's: sinter_program_destroy. `text` is copied. `place` may be NULL.
 *  errors   SINTER_ESYNTAX with the place, SINTER_ENOMEM, SINTER_EINVAL for NULL; *out is NULL
 *           then.
 *  thread   any. */
SINTER_API sinter_status sinter_program_parse(const char *text, size_t bytes, sinter_program **out,
                                              sinter_program_place *place);

/** Frees a program; NULL is accepted.
 *  owns     `program` is gone.
 *  errors   none.
 *  thread   any. */
SINTER_API void sinter_program_destroy(sinter_program *program);

/** Number of names that the program reads without having assigned them: its inputs.
 *  owns     nothing.
 *  errors   none; 0 for NULL.
 *  thread   any. */
SINTER_API size_t sinter_program_input_count(const sinter_program *program);

/** Name of input `index`, in order of first use; NULL when there is none.
 *  owns     the program's, valid until it is destroyed.
 *  errors   none.
 *  thread   any. */
SINTER_API const char *sinter_program_input_name(const sinter_program *program, size_t index);

/** Whether the program releases input `index` (`release NAME`): whoever runs it needs not hold
 *  that tensor any longer once the program is queued.
 *  owns     nothing.
 *  errors   none; false when there is none.
 *  thread   any. */
SINTER_API bool sinter_program_input_is_released(const sinter_program *program, size_t index);

/** Number of names that the program assigns: its results. A name that it releases at the end is
 *  none.
 *  owns     nothing.
 *  errors   none; 0 for NULL.
 *  thread   any. */
SINTER_API size_t sinter_program_result_count(const sinter_program *program);

/** Name of result `index`, in order of first assignment; NULL when there is none.
 *  owns     the program's, valid until it is destroyed.
 *  errors   none.
 *  thread   any. */
SINTER_API const char *sinter_program_result_name(const sinter_program *program, size_t index);

/** Whether result `index` is never read later in the program: what `sinter eval` prints by
 *  default.
 *  owns     nothing.
 *  errors   none.
 *  thread   any. */
SINTER_API bool sinter_program_result_is_last(const sinter_program *program, size_t index);

/** Queues the program's operations on `stream`; nothing runs until a read, as for any operation,
 *  except what stands before a `cut`. Run over and over on tensors of the same kinds it is queued as a whole, at a
 *  fraction of what its operations take one by one.
 *  shapes   NumPy's rules.
 *  dtype    NumPy 2's rules with f32 as the default float, docs/numpy.md.
 *  owns     `inputs` (one per input, in order) stay the caller's; each handle of `results` (one
 *           per result, in order) is the caller's. On failure every result is the null handle and
 *           nothing is held.
 *  errors   SINTER_EINVAL for NULL; SINTER_ESHAPE, SINTER_EDTYPE, SINTER_ERANGE and the others of
 *           the operations, and `place` (may be NULL) tells where in the text.
 *  thread   the stream's; running does not change a program, so threads may share it. */
SINTER_API sinter_status sinter_program_run(const sinter_program *program, sinter_stream *stream,
                                            const sinter_tensor *inputs, sinter_tensor *results,
                                            sinter_program_place *place);

#ifdef __cplusplus
}
#endif

#endif /* SINTER_PROGRAM_H */
