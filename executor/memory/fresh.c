#include "executor/memory/fresh.h"

#include "executor/memory/room.h"

void sinter__raise_to(atomic_uint_fast64_t *most, uint64_t value)
{
    uint64_t found = atomic_load_explicit(most, memory_order_relaxed);
    while (value > found && !atomic_compare_exchange_weak_explicit(
                                most, &found, value, memory_order_relaxed, memory_order_relaxed)) {
    }
}

/* Counts the bytes before they are there: pools that ask at once may not each find the last room. */
static sinter_status reserve_bytes(sinter__memory_shared *m, uint64_t bytes)
{
    uint64_t held = atomic_load_explicit(&m->counts->memory_bytes, memory_order_relaxed);
    do {
        if (m->budget_bytes > 0 && held + bytes > m->budget_bytes) {
            atomic_store_explicit(&m->missing_bytes, held + bytes - m->budget_bytes,
                                  memory_order_relaxed);
            return sinter__fail(SINTER_EBUDGET,
                                "%llu bytes beside the %llu held are %llu over the budget of %llu",
                                (unsigned long long)bytes, (unsigned long long)held,
                                (unsigned long long)(held + bytes - m->budget_bytes),
                                (unsigned long long)m->budget_bytes);
        }
    } while (!atomic_compare_exchange_weak_explicit(&m->counts->memory_bytes, &held, held + bytes,
                                                    memory_order_relaxed, memory_order_relaxed));
    return SINTER_OK;
}

/* Before anything is written there: pages that are there stay as they are. That the device does not show the bytes is
 * no failure; that it does not take them back is one. */
static sinter_status ask_large_pages(const sinter__memory_shared *m, void *queue, void *memory,
                                     uint64_t bytes)
{
    const sinter__address start = {.memory = memory};
    void *data;
    if (m->host_root == NULL || m->backend->map == NULL || queue == NULL ||
        m->large_pages_from == 0 || bytes < m->large_pages_from)
        return SINTER_OK;
    if (m->backend->map(m->state, queue, start, bytes, true, &data) != SINTER_OK) {
        sinter__clear_error();
        return SINTER_OK;
    }
    sinter__room_large_pages(data, bytes);
    return m->backend->unmap(m->state, queue, start, data);
}

static sinter_status commit_memory(const sinter__memory_shared *m, void *queue, void *memory,
                                   uint64_t bytes)
{
    const sinter__address start = {.memory = memory};
    uint8_t byte = m->mode == SINTER_MEMORY_POISON ? SINTER__POISON_BYTE : 0;
    sinter_status status = m->backend->fill(m->state, queue, start, bytes, byte);
    if (status == SINTER_EDEVICE)
        status = SINTER_EDEVMEM;
    return status == SINTER_OK ? m->backend->finish(m->state, queue) : status;
}

sinter_status sinter__fresh_create(sinter__memory_shared *m, void *queue, uint64_t bytes,
                                   bool commit, void **memory)
{
    *memory = NULL;
    SINTER_TRY(reserve_bytes(m, bytes)); /* first: what is over the budget is so on any machine */
    sinter_status status = SINTER_OK;
    if (commit && m->host_root != NULL)
        status = sinter__room_check(m->host_root, bytes);
    if (status == SINTER_OK)
        status = m->backend->memory_create(m->state, bytes, memory);
    if (status == SINTER_OK) /* it was given, whether it can be written or not */
        sinter__raise_to(&m->counts->memory_peak_bytes,
                         atomic_load_explicit(&m->counts->memory_bytes, memory_order_relaxed));
    if (status == SINTER_OK)
        status = ask_large_pages(m, queue, *memory, bytes);
    if (status == SINTER_OK && commit)
        status = commit_memory(m, queue, *memory, bytes);
    if (status != SINTER_OK) {
        sinter__fresh_release(m, *memory, bytes);
        *memory = NULL;
    }
    return status;
}

void sinter__fresh_release(sinter__memory_shared *m, void *memory, uint64_t bytes)
{
    if (memory != NULL)
        m->backend->memory_release(m->state, memory);
    atomic_fetch_sub_explicit(&m->counts->memory_bytes, bytes, memory_order_relaxed);
}
