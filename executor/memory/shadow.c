#include "executor/memory/shadow.h"

#include <valgrind/memcheck.h>

void sinter__shadow_bytes(const sinter__memory_shared *m, void *queue, sinter__address at,
                          uint64_t bytes, sinter__shadow shadow)
{
    void *data;
    /* Red zones are read and written by the pool, outside of what they surround. */
    if (queue == NULL || bytes == 0 || m->host_root == NULL || m->backend->map == NULL ||
        m->mode == SINTER_MEMORY_RED_ZONE || m->mode == SINTER_MEMORY_SEPARATE)
        return;
    if (m->backend->map(m->state, queue, at, bytes, true, &data) != SINTER_OK)
        return;
    if (shadow == SINTER__SHADOW_CLOSED)
        (void)VALGRIND_MAKE_MEM_NOACCESS(data, bytes);
    else
        (void)VALGRIND_MAKE_MEM_UNDEFINED(data, bytes);
    (void)m->backend->unmap(m->state, queue, at, data);
}
