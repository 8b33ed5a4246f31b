/* Indices, their parameters and offsets in the text of a kernel. */
#ifndef SINTER_FUSION_TEXT_INDEX_H
#define SINTER_FUSION_TEXT_INDEX_H

#include "fusion/text/statement.h"

/* An index, as it stands in an expression. */
void sinter__print_ix(printer *p, sinter__ix ix);

/* " + a + b": an index that is added to a pointer, term by term. */
void sinter__print_offset(printer *p, sinter__ix ix);

/* The name of a parameter of the code. */
void sinter__print_param(printer *p, size_t index);

/* "(int16)(0, 1, 2, ...)" */
void sinter__print_lane_numbers(printer *p, const char *type);

#endif /* SINTER_FUSION_TEXT_INDEX_H */
