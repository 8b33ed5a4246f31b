/* What room the host has, for devices that share it: memory that may still be taken, its pages and its last cache. A
 * system that overcommits hands out what it does not have, and ends the process when it is written: so it is asked
 * first. */
#ifndef SINTER_EXECUTOR_ROOM_H
#define SINTER_EXECUTOR_ROOM_H

#include "core/base.h"

/* SINTER_EDEVMEM, with the numbers, when `bytes` are more than the machine has free, or than a control
 * group (version 1 or 2) that the process is in, or one around it, leaves; what the system keeps of
 * files counts as free. What cannot be read bounds nothing. `root` is put before every path: "" but for
 * tests. */
sinter_status sinter__room_check(const char *root, uint64_t bytes);

/* Bytes of its first processor's last cache, as Linux says; 0: it does not. Those of other processors hold what these
 * have at hand, and which processor has what next is the driver's choice. */
uint64_t sinter__room_cache(const char *root);

/* Asks Linux for large pages, for all whole pages of the bytes, which are the caller's: what is written there for the
 * first time lies in them as far as there are any. */
void sinter__room_large_pages(void *data, uint64_t bytes);

#endif /* SINTER_EXECUTOR_ROOM_H */
