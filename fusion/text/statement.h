/* Printing the statements of one kernel. */
#ifndef SINTER_FUSION_TEXT_STATEMENT_H
#define SINTER_FUSION_TEXT_STATEMENT_H

#include "fusion/text/text.h"

/* What is known of `whole` at the place that is being printed. */
typedef enum sinter__whole_is {
    SINTER__WHOLE_UNKNOWN, /* nothing: it is part of what each vector asks */
    SINTER__WHOLE_SO,      /* it is 1 */
    SINTER__WHOLE_NOT,     /* one of those of the loop is 0, and each vector is asked */
} sinter__whole_is;

/* A kernel that is being printed. */
typedef struct printer {
    const sinter__nest *nest;
    const sinter__kernel_class *c;
    const sinter__code *code;
    const sinter__limits *limits;
    sinter__kernel_text *out;
    sinter__buffer *b;
    int depth;
    const char *ix_type;       /* int or long */
    bool asks_once;            /* `rare` is printed: sinter__print_rare */
    uint64_t whole;            /* accesses of which `whole` is: sinter__print_whole */
    sinter__whole_is whole_is; /* in sinter__print_whole_loop */
} printer;

/* The margin of a line of the body. */
void sinter__print_indent(printer *p);

void sinter__print_statement(printer *p, const sinter__statement *s);

/* Where the loop ends that statement `begin` begins and that has no loop inside. 0: it is none. */
size_t sinter__innermost_end(const printer *p, size_t begin);

/* Where many numbers of the program are bounds of minima and maxima: `rare`, whether one of them is
 * 0 or NaN. A compiler makes the loop twice for one answer; of many it keeps each in a register and
 * looks at it in each turn. */
void sinter__print_rare(printer *p);

/* Lanes of a slot in local memory: a vector of each work-item of the group. */
int sinter__slot_lanes(const printer *p);

#endif /* SINTER_FUSION_TEXT_STATEMENT_H */
