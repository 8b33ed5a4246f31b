/* Where in a text something is wrong. */
#ifndef SINTER_CORE_PLACE_H
#define SINTER_CORE_PLACE_H

#include "core/base.h"
#include "sinter/program.h"

/* Puts "line 3, column 7", the place of `offset`, in front of the thread's message, sets *place (may be
 * NULL), and returns `status`. */
sinter_status sinter__fail_at(sinter_status status, const char *text, size_t bytes, size_t offset,
                              sinter_program_place *place);

#endif /* SINTER_CORE_PLACE_H */
