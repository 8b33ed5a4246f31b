#include "executor/backend/hooks.h"

bool sinter__hooks_go_on(const sinter_context_options *o, sinter_progress_kind kind, uint32_t done,
                         uint32_t total)
{
    const sinter_progress next = {.size = sizeof next, .kind = kind, .done = done, .total = total};
    if (o->progress_fn != NULL)
        o->progress_fn(o->progress_user, &next);
    return o->cancel_fn == NULL || o->cancel_fn(o->progress_user) == 0;
}
