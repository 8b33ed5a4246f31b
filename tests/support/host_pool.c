#include "support/host_pool.h"

#include "support/support.h"

void host_pool_open(host_pool *p, sinter_memory_mode mode, const char *host_root)
{
    sinter__allocator_init(&p->allocator, NULL, NULL);
    p->counts = (sinter__backend_counts){0};
    OK(sinter__backend_host_open(NULL, &p->allocator, &p->counts, &p->backend, &p->device));
    OK(p->backend->queue_create(p->device, false, NULL, &p->queue));
    p->memory = (sinter__memory_shared){.allocator = &p->allocator,
                                        .backend = p->backend,
                                        .state = p->device,
                                        .counts = &p->counts,
                                        .max_slab_bytes = (uint64_t)64 << 20,
                                        .alignment_bytes = HOST_POOL_ALIGNMENT,
                                        .mode = mode,
                                        .host_root = host_root};
    OK(sinter__memory_shared_init(&p->memory));
    OK(sinter__pool_create(&p->memory, p->queue, &p->pool));
}

void host_pool_close(host_pool *p)
{
    sinter__pool_orphan(p->pool);
    sinter__memory_shared_finish(&p->memory);
    p->backend->queue_release(p->device, p->queue);
    p->backend->close(p->device);
    assert_int_equal(atomic_load(&p->allocator.live_bytes), 0);
}
