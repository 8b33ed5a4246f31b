/* Failures as values (executor/memory/pool.h). */
#include "executor/memory/pool.h"

#include <stdio.h>
#include <string.h>

static sinter__failure out_of_memory = {.status = SINTER_ENOMEM, .text = "out of host memory"};

sinter__failure *sinter__failure_create(sinter__allocator *a, sinter_status status)
{
    char text[sizeof out_of_memory.text];
    (void)snprintf(text, sizeof text, "%s", sinter_last_error());
    sinter__failure *f = sinter__alloc(a, sizeof *f);
    if (f == NULL)
        return &out_of_memory;
    atomic_init(&f->references, 1);
    f->status = status;
    memcpy(f->text, text, sizeof text);
    return f;
}

void sinter__failure_retain(sinter__failure *f)
{
    if (f != NULL && f != &out_of_memory)
        atomic_fetch_add_explicit(&f->references, 1, memory_order_relaxed);
}

void sinter__failure_release(sinter__allocator *a, sinter__failure *f)
{
    if (f == NULL || f == &out_of_memory)
        return;
    if (atomic_fetch_sub_explicit(&f->references, 1, memory_order_acq_rel) == 1)
        sinter__free(a, f, sizeof *f);
}

sinter_status sinter__failure_report(const sinter__failure *f)
{
    return sinter__fail(f->status, "%s", f->text);
}
