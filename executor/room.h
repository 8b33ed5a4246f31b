/* How much of the host's memory may still be taken, for devices that share it. A system that overcommits
 * hands out what it does not have, and ends the process when it is written: so it is asked first. */
#ifndef SINTER_EXECUTOR_ROOM_H
#define SINTER_EXECUTOR_ROOM_H

#include "core/base.h"

/* SINTER_EDEVMEM, with the numbers, when `bytes` are more than the machine has free, or than a control
 * group (version 1 or 2) that the process is in, or one around it, leaves; what the system keeps of
 * files counts as free. What cannot be read bounds nothing. `root` is put before every path: "" but for
 * tests. */
sinter_status sinter__room_check(const char *root, uint64_t bytes);

#endif /* SINTER_EXECUTOR_ROOM_H */
