/* What a profile chooses by measuring both ways. */
#ifndef SINTER_EXECUTOR_CHOICES_H
#define SINTER_EXECUTOR_CHOICES_H

#include "executor/profile/profile.h"
#include "executor/profile/watch.h"

/* How launches are waited for and recorded, which results are stored past the caches, which operands asked for ahead,
 * how rows are stored and turned. What there is no time for stays as it is. Fails only for lack of memory. */
sinter_status sinter__measure_choices(sinter_profile *p, sinter__watch *w);

/* From which size on products are CLBlast's. Fails only for lack of memory. */
sinter_status sinter__measure_products(sinter_profile *p, sinter__watch *w);

#endif /* SINTER_EXECUTOR_CHOICES_H */
