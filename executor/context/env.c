#define _GNU_SOURCE /* secure_getenv */
#include "executor/context/env.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[SINTER__ENV_COUNT] = {
#define SINTER_ENV(id, name, text) [SINTER__ENV_##id] = (name),
#include "executor/context/env.def"
#undef SINTER_ENV
};

const char *sinter__env_text(sinter__env variable)
{
    const char *text = secure_getenv(names[variable]);
    return text != NULL && text[0] != '\0' ? text : NULL;
}

bool sinter__env_cache_folder(const char *chosen, char out[SINTER__ENV_PATH])
{
    const char *own = chosen != NULL ? chosen : sinter__env_text(SINTER__ENV_CACHE_DIR);
    const char *caches = secure_getenv("XDG_CACHE_HOME"); /* counts only when it is absolute */
    const char *home = secure_getenv("HOME");
    int used = -1;
    if (own != NULL)
        used = snprintf(out, SINTER__ENV_PATH, "%s", own);
    else if (caches != NULL && caches[0] == '/')
        used = snprintf(out, SINTER__ENV_PATH, "%s/sinter", caches);
    else if (home != NULL && home[0] == '/')
        used = snprintf(out, SINTER__ENV_PATH, "%s/.cache/sinter", home);
    return used > 0 && used < SINTER__ENV_PATH;
}

static sinter_status bad_value(sinter__env variable, const char *text)
{
    return sinter__fail(SINTER_EINVAL, "%s=%.40s is not a value it can have", names[variable],
                        text);
}

static sinter_status read_number(sinter__env variable, long max, long *out)
{
    const char *text = sinter__env_text(variable);
    if (text == NULL)
        return SINTER_OK;
    char *end;
    long value = strtol(text, &end, 10);
    if (*end != '\0' || value < 0 || value > max)
        return bad_value(variable, text);
    *out = value;
    return SINTER_OK;
}

static sinter_status read_choice(sinter__env variable, const char *const *choices, int *out)
{
    const char *text = sinter__env_text(variable);
    if (text == NULL)
        return SINTER_OK;
    for (int i = 0; choices[i] != NULL; i++) {
        if (strcmp(text, choices[i]) == 0) {
            *out = i + 1;
            return SINTER_OK;
        }
    }
    return bad_value(variable, text);
}

static sinter_status read_switches(uint32_t *switches)
{
    static const struct {
        sinter__env variable;
        uint32_t bit;
    } all[] = {{SINTER__ENV_NO_FUSE, SINTER_NO_FUSE},
               {SINTER__ENV_NO_REUSE, SINTER_NO_REUSE},
               {SINTER__ENV_FLUSH_EVERY_OP, SINTER_FLUSH_EVERY_OP},
               {SINTER__ENV_TINY_LIMITS, SINTER_TINY_LIMITS},
               {SINTER__ENV_OWN_ARITHMETIC, SINTER_OWN_ARITHMETIC},
               {SINTER__ENV_NO_CACHE, SINTER_NO_CACHE},
               {SINTER__ENV_NO_CLBLAST, SINTER_NO_CLBLAST}};
    for (size_t i = 0; i < SINTER__COUNT(all); i++) {
        long value = 0;
        SINTER_TRY(read_number(all[i].variable, 1, &value));
        if (value == 1)
            *switches |= all[i].bit;
    }
    return SINTER_OK;
}

static sinter_status check_options(const sinter_context_options *o)
{
    const uint32_t known = SINTER_NO_FUSE | SINTER_NO_REUSE | SINTER_FLUSH_EVERY_OP |
                           SINTER_TINY_LIMITS | SINTER_OWN_ARITHMETIC | SINTER_NO_CACHE |
                           SINTER_NO_CLBLAST;
    if ((o->switches & ~known) != 0)
        return sinter__fail(SINTER_EINVAL, "context options: switches %#x", (unsigned)o->switches);
    if ((unsigned)o->style > SINTER_STYLE_GPU)
        return sinter__fail(SINTER_EINVAL, "context options: style %d", (int)o->style);
    if ((unsigned)o->mode > SINTER_MODE_RELAXED)
        return sinter__fail(SINTER_EINVAL, "context options: mode %d", (int)o->mode);
    if ((unsigned)o->memory_mode > SINTER_MEMORY_RED_ZONE)
        return sinter__fail(SINTER_EINVAL, "context options: memory mode %d", (int)o->memory_mode);
    if (o->lanes > 16 || (o->lanes & (o->lanes - 1)) != 0)
        return sinter__fail(SINTER_EINVAL, "context options: %u lanes are not 1, 2, 4, 8 or 16",
                            (unsigned)o->lanes);
    if (o->debug > 7)
        return sinter__fail(SINTER_EINVAL, "context options: debug level %d", (int)o->debug);
    if (o->max_pending_ops > 4096)
        return sinter__fail(SINTER_EINVAL, "context options: %u pending operations are over 4096",
                            (unsigned)o->max_pending_ops);
    return SINTER_OK;
}

sinter_status sinter__env_apply(sinter_context_options *o)
{
    static const char *const styles[] = {"cpu", "gpu", NULL};
    static const char *const memory_modes[] = {"pool", "separate", "poison", "red_zone", NULL};
    static const char *const modes[] = {"reproducible", "native", "relaxed", NULL};
    int style = SINTER_STYLE_AUTO;
    int memory_mode = SINTER_MEMORY_POOL;
    int mode = SINTER_MODE_REPRODUCIBLE;
    long lanes = 0;
    long debug = 0;
    SINTER_TRY(read_choice(SINTER__ENV_STYLE, styles, &style));
    SINTER_TRY(read_choice(SINTER__ENV_MEMORY_MODE, memory_modes, &memory_mode));
    SINTER_TRY(read_choice(SINTER__ENV_MODE, modes, &mode));
    SINTER_TRY(read_number(SINTER__ENV_LANES, 16, &lanes));
    SINTER_TRY(read_number(SINTER__ENV_DEBUG, 7, &debug));
    SINTER_TRY(read_switches(&o->switches));
    if (o->device == NULL)
        o->device = sinter__env_text(SINTER__ENV_DEVICE);
    if (o->style == SINTER_STYLE_AUTO)
        o->style = (sinter_style)style;
    if (o->memory_mode == SINTER_MEMORY_AUTO)
        o->memory_mode = (sinter_memory_mode)memory_mode;
    if (o->mode == SINTER_MODE_AUTO)
        o->mode = (sinter_mode)mode;
    if (o->lanes == 0)
        o->lanes = (uint32_t)lanes;
    if (o->debug < 0)
        o->debug = (int32_t)debug;
    return check_options(o);
}
