/* Whether the full vectors of a result that goes past the caches are aligned, asked once for a kernel. */
#ifndef SINTER_FUSION_TEXT_WHOLE_H
#define SINTER_FUSION_TEXT_WHOLE_H

#include "fusion/text/statement.h"

/* The access that it stores vectors through; NULL: it does not, or in scratch. */
const sinter__class_access *sinter__vectors_stored(const printer *p, const sinter__statement *s);

/* Whether it stores vectors past the caches. */
bool sinter__stores_past(const printer *p, const sinter__statement *s);

/* Prints `whole`, 1 or 0, for each access of which that can be told, and notes which in p->whole. */
void sinter__print_whole(printer *p);

/* Whether it stores full vectors of which that has been printed. */
bool sinter__has_whole(const printer *p, const sinter__statement *s);

/* Where a short loop ends that stores such vectors and has no loop inside. 0: statement `begin` is none. */
size_t sinter__whole_loop(const printer *p, size_t begin);

/* Prints it twice: for vectors that are aligned, and for those of which each is asked. */
void sinter__print_whole_loop(printer *p, size_t begin, size_t end);

#endif /* SINTER_FUSION_TEXT_WHOLE_H */
