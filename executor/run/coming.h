/* What a segment reads that lies on another device: its memory before the first launch, its bytes before the
 * first launch that reads them. */
#ifndef SINTER_EXECUTOR_COMING_H
#define SINTER_EXECUTOR_COMING_H

#include "executor/run/instance.h"

/* Memory for all that the segment reads, before it takes its own; in a rehearsal as well. What there is no room
 * for has no value from now on if it `must` run; else that is SINTER_EBUDGET. */
sinter_status sinter__coming_place(sinter_stream *s, sinter__instance *in, const sinter__graph *g,
                                   sinter__entered *entered, bool must);

/* Gives that memory back where nothing has come. */
void sinter__coming_unplace(const sinter__instance *in, const sinter__entered *entered);

/* In a rehearsal, in the place of a run: all has come. */
void sinter__coming_pretend(const sinter__instance *in, const sinter__entered *entered);

/* The bytes that the launch of `group` reads. What cannot be copied has no value from now on. */
void sinter__coming_bring(sinter_stream *s, sinter__instance *in, const sinter__graph *g,
                          sinter__entered *entered, uint16_t group);

/* The bytes of which views outlive the segment, after its last launch. */
void sinter__coming_keep(sinter_stream *s, sinter__instance *in, const sinter__graph *g,
                         sinter__entered *entered);

#endif /* SINTER_EXECUTOR_COMING_H */
