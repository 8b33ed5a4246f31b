/* The environment, read in one place. */
#ifndef SINTER_EXECUTOR_ENV_H
#define SINTER_EXECUTOR_ENV_H

#include "core/base.h"
#include "sinter/context.h"

typedef enum sinter__env {
#define SINTER_ENV(id, name, text) SINTER__ENV_##id,
#include "executor/context/env.def"
#undef SINTER_ENV
    SINTER__ENV_COUNT
} sinter__env;

/* Value of the variable; NULL when it is not set, is empty, or the process runs with raised
 * privileges. */
const char *sinter__env_text(sinter__env variable);

/* Where files of the user's are kept: `chosen`, else SINTER_CACHE_DIR, else the user's folder for
 * such things. False when there is none. */
#define SINTER__ENV_PATH 4000
bool sinter__env_cache_folder(const char *chosen, char out[SINTER__ENV_PATH]);

/* Fills what `options` leaves open from the environment, and checks every field. */
sinter_status sinter__env_apply(sinter_context_options *options);

#endif /* SINTER_EXECUTOR_ENV_H */
