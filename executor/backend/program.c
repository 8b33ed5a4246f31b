#include "executor/backend/program.h"
#include "fusion/library/library.h"

#include <string.h>

sinter_status sinter__programs_init(sinter__programs *p)
{
    atomic_init(&p->compiles, 0);
    atomic_init(&p->unsettled_count, 0);
    (void)pthread_mutex_init(&p->building, NULL);
    if (pthread_mutex_init(&p->lock, NULL) != 0)
        return sinter__fail(SINTER_ENOMEM, "no memory for a lock");
    return SINTER_OK;
}

static void trim(sinter__programs *p, size_t max_idle_bytes);

void sinter__programs_finish(sinter__programs *p)
{
    trim(p, 0);
    (void)pthread_mutex_destroy(&p->lock);
    (void)pthread_mutex_destroy(&p->building);
}

static sinter__kernel **slot_of(sinter__programs *p, uint64_t hash)
{
    return &p->buckets[hash % SINTER__PROGRAM_BUCKETS];
}

static bool same_text(const sinter__kernel_text *a, const sinter__kernel_text *b)
{
    return a->hash == b->hash && a->source.bytes == b->source.bytes &&
           memcmp(a->source.text, b->source.text, a->source.bytes) == 0;
}

static sinter__kernel *find_kernel(sinter__programs *p, const sinter__kernel_text *text)
{
    sinter__kernel *k = *slot_of(p, text->hash);
    while (k != NULL && !same_text(&k->text, text))
        k = k->next;
    return k;
}

static void unlink_kernel(sinter__programs *p, sinter__kernel *kernel)
{
    sinter__kernel **slot = slot_of(p, kernel->text.hash);
    while (*slot != kernel)
        slot = &(*slot)->next;
    *slot = kernel->next;
}

/* Programs and the cache */

static bool is_cached(const sinter__programs *p)
{
    return p->cache != NULL && (sinter__cache_loads(p->cache) || sinter__cache_stores(p->cache));
}

/* With the lock held. */
static void unlink_unsettled(sinter__programs *p, const sinter__program *program)
{
    sinter__program **at = &p->unsettled;
    while (*at != NULL && *at != program)
        at = &(*at)->next_unsettled;
    if (*at == NULL)
        return;
    *at = program->next_unsettled;
    atomic_fetch_sub_explicit(&p->unsettled_count, 1, memory_order_relaxed);
}

static void free_program(sinter__programs *p, sinter__program *program)
{
    unlink_unsettled(p, program);
    if (program->mark >= 0)
        sinter__cache_unmark(p->cache, &program->key, program->mark);
    p->backend->program_release(p->state, program->handle);
    sinter__free(p->allocator, program, sizeof *program);
}

static bool load_program(sinter__programs *p, sinter__program *program)
{
    sinter__cache_entry entry;
    if (!is_cached(p) || !sinter__cache_load(p->cache, &program->key, &entry))
        return false;
    program->from_cache =
        p->backend->program_load(p->state, entry.payload, entry.payload_bytes, &program->handle);
    program->mark = entry.mark;
    sinter__cache_free(p->cache, &entry);
    if (program->from_cache)
        return true;
    sinter__cache_unmark(p->cache, &program->key, program->mark);
    program->mark = SINTER__MARK_NONE;
    sinter__cache_refused(p->cache, &program->key);
    return false;
}

/* From the cache, else from source. */
static sinter_status make_program(sinter__programs *p, const sinter__buffer *source,
                                  sinter__program **out, sinter__buffer *log)
{
    sinter_status status = SINTER_OK;
    sinter__program *program = sinter__alloc(p->allocator, sizeof *program);
    if (program == NULL)
        return SINTER_ENOMEM;
    program->mark = SINTER__MARK_NONE;
    if (is_cached(p))
        sinter__cache_key_of(p->cache, "program", sinter__buffer_text(source), source->bytes,
                             &program->key);
    if (!load_program(p, program)) {
        sinter__log_text(p->log, SINTER__LOG_SOURCE, sinter__buffer_text(source));
        status =
            p->backend->program_build(p->state, sinter__buffer_text(source), &program->handle, log);
        if (status == SINTER_OK)
            atomic_fetch_add_explicit(&p->compiles, 1, memory_order_relaxed);
    }
    if (status != SINTER_OK) {
        sinter__free(p->allocator, program, sizeof *program);
        return status;
    }
    *out = program;
    return SINTER_OK;
}

/* With the lock held: whether something is left to do when the program has run. */
static void note_unsettled(sinter__programs *p, sinter__program *program)
{
    if (program->from_cache ? program->mark < 0 : !is_cached(p) || !sinter__cache_stores(p->cache))
        return;
    program->next_unsettled = p->unsettled;
    p->unsettled = program;
    atomic_fetch_add_explicit(&p->unsettled_count, 1, memory_order_relaxed);
}

/* A program to settle, held so that it is not freed meanwhile; NULL when there is none. */
static sinter__program *take_unsettled(sinter__programs *p, bool last)
{
    (void)pthread_mutex_lock(&p->lock);
    sinter__program *program = p->unsettled;
    while (program != NULL && !(atomic_load_explicit(&program->launched, memory_order_relaxed) &&
                                (program->from_cache || last || !p->late_binaries)))
        program = program->next_unsettled;
    if (program != NULL) {
        unlink_unsettled(p, program);
        program->kernels++;
    }
    (void)pthread_mutex_unlock(&p->lock);
    return program;
}

static void store_program(sinter__programs *p, sinter__program *program)
{
    uint8_t *memory;
    size_t bytes;
    if (!p->backend->program_binary(p->state, program->handle, sizeof(sinter__cache_header),
                                    &memory, &bytes))
        return;
    sinter__cache_store(p->cache, &program->key, memory, bytes);
    sinter__free(p->allocator, memory, bytes);
}

SINTER__COLD static void settle_all(sinter__programs *p, bool last)
{
    sinter__program *program;
    while ((program = take_unsettled(p, last)) != NULL) {
        if (program->from_cache)
            sinter__cache_unmark(p->cache, &program->key, program->mark);
        else
            store_program(p, program);
        (void)pthread_mutex_lock(&p->lock);
        program->mark = SINTER__MARK_NONE;
        if (--program->kernels == 0)
            free_program(p, program);
        (void)pthread_mutex_unlock(&p->lock);
    }
}

void sinter__programs_settle(sinter__programs *p, bool last)
{
    if (atomic_load_explicit(&p->unsettled_count, memory_order_relaxed) > 0)
        settle_all(p, last);
}

/* Kernels that nobody holds; all with the lock held. */

static size_t idle_bytes(const sinter__kernel *kernel)
{
    const sinter__kernel_text *text = &kernel->text;
    return sizeof *kernel + text->source.capacity + text->needs.capacity +
           text->argument_capacity * sizeof *text->arguments;
}

static void make_idle(sinter__programs *p, sinter__kernel *kernel)
{
    kernel->newer = NULL;
    kernel->older = p->newest;
    *(p->newest != NULL ? &p->newest->newer : &p->oldest) = kernel;
    p->newest = kernel;
    p->idle_bytes += idle_bytes(kernel);
}

static void end_idle(sinter__programs *p, sinter__kernel *kernel)
{
    *(kernel->newer != NULL ? &kernel->newer->older : &p->newest) = kernel->older;
    *(kernel->older != NULL ? &kernel->older->newer : &p->oldest) = kernel->newer;
    p->idle_bytes -= idle_bytes(kernel);
}

static void free_kernel(sinter__programs *p, sinter__kernel *kernel)
{
    unlink_kernel(p, kernel);
    if (--kernel->program->kernels == 0)
        free_program(p, kernel->program);
    sinter__kernel_text_finish(p->allocator, &kernel->text);
    sinter__free(p->allocator, kernel, sizeof *kernel);
}

static void trim(sinter__programs *p, size_t max_idle_bytes)
{
    while (p->oldest != NULL && p->idle_bytes > max_idle_bytes) {
        sinter__kernel *kernel = p->oldest;
        end_idle(p, kernel);
        free_kernel(p, kernel);
    }
}

static void hold_kernel(sinter__programs *p, sinter__kernel *kernel)
{
    if (kernel->references++ == 0)
        end_idle(p, kernel);
}

static void drop_kernel(sinter__programs *p, sinter__kernel *kernel)
{
    if (--kernel->references > 0)
        return;
    make_idle(p, kernel);
    trim(p, p->max_idle_bytes);
}

void sinter__kernel_release(sinter__programs *p, sinter__kernel *kernel)
{
    if (kernel == NULL)
        return;
    (void)pthread_mutex_lock(&p->lock);
    drop_kernel(p, kernel);
    (void)pthread_mutex_unlock(&p->lock);
}

/* The source of one program of all texts without a kernel; *missing is how many there are. */
static sinter_status print_program(const sinter__limits *limits, const sinter__kernel_text *texts,
                                   size_t count, sinter__kernel *const *have,
                                   sinter__buffer *source, size_t *missing)
{
    sinter__allocator *a = source->allocator;
    sinter__buffer needs;
    sinter__buffer kernels;
    sinter__buffer_init(&needs, a);
    sinter__buffer_init(&kernels, a);
    *missing = 0;
    for (size_t i = 0; i < count; i++) {
        if (have[i] != NULL)
            continue;
        (*missing)++;
        sinter__buffer_puts(&needs, sinter__buffer_text(&texts[i].needs));
        sinter__buffer_puts(&kernels, "\n");
        sinter__buffer_puts(&kernels, sinter__buffer_text(&texts[i].source));
    }
    sinter_status status = sinter__buffer_status(&needs);
    if (status == SINTER_OK)
        status = sinter__buffer_status(&kernels);
    if (status == SINTER_OK && *missing > 0)
        status = sinter__program_print(sinter__buffer_text(&needs), sinter__buffer_text(&kernels),
                                       limits, source);
    sinter__buffer_finish(&needs);
    sinter__buffer_finish(&kernels);
    return status;
}

static sinter__kernel *add_kernel(sinter__programs *p, sinter__program *program,
                                  sinter__kernel_text *text)
{
    sinter__kernel *k = sinter__alloc(p->allocator, sizeof *k);
    if (k == NULL)
        return NULL;
    sinter__kernel **slot = slot_of(p, text->hash);
    k->text = *text;
    k->program = program;
    k->references = 1;
    k->next = *slot;
    *slot = k;
    program->kernels++;
    *text = (sinter__kernel_text){.source = {.allocator = p->allocator},
                                  .needs = {.allocator = p->allocator}};
    return k;
}

/* Builds the missing kernels as one program, without the lock until they are put in. A text that
 * stands twice in the list is one kernel. */
static sinter_status build_missing(sinter__programs *p, const sinter__limits *limits,
                                   sinter__kernel_text *texts, size_t count, sinter__kernel **out,
                                   sinter__buffer *log)
{
    sinter__buffer source;
    size_t missing;
    sinter__program *program = NULL;
    sinter__buffer_init(&source, p->allocator);
    sinter_status status = print_program(limits, texts, count, out, &source, &missing);
    if (status == SINTER_OK && missing > 0)
        status = make_program(p, &source, &program, log);
    sinter__buffer_finish(&source);
    if (status != SINTER_OK || missing == 0)
        return status;
    (void)pthread_mutex_lock(&p->lock);
    note_unsettled(p, program);
    program->kernels = 1; /* held here until every kernel is in */
    for (size_t i = 0; i < count && status == SINTER_OK; i++) {
        if (out[i] == NULL) {
            out[i] = add_kernel(p, program, &texts[i]);
            status = out[i] != NULL ? SINTER_OK : SINTER_ENOMEM;
        }
    }
    if (--program->kernels == 0)
        free_program(p, program);
    (void)pthread_mutex_unlock(&p->lock);
    return status;
}

/* Texts that stand twice: only the first is built, and the others take its kernel. */
static size_t first_like(const sinter__kernel_text *texts, size_t i)
{
    size_t k = 0;
    while (k < i && !same_text(&texts[k], &texts[i]))
        k++;
    return k;
}

/* Holds the place of a kernel that another of the same text will take; nothing else of it is used.
 */
static sinter__kernel standing_in;

/* Takes the kernels that are there; returns whether any has to be built. */
static bool take_known(sinter__programs *p, const sinter__kernel_text *texts, size_t count,
                       sinter__kernel **out, const size_t *like)
{
    bool missing = false;
    (void)pthread_mutex_lock(&p->lock);
    for (size_t i = 0; i < count; i++) {
        if (out[i] == NULL || out[i] == &standing_in) {
            out[i] = find_kernel(p, &texts[i]);
            missing |= out[i] == NULL;
            if (out[i] != NULL)
                hold_kernel(p, out[i]);
            else if (like[i] != i)
                out[i] = &standing_in;
        }
    }
    (void)pthread_mutex_unlock(&p->lock);
    return missing;
}

/* Gives the texts that stand twice their kernels, or everything back. */
static void settle(sinter__programs *p, sinter_status status, size_t count, sinter__kernel **out,
                   const size_t *like)
{
    (void)pthread_mutex_lock(&p->lock);
    for (size_t i = 0; i < count; i++) {
        if (out[i] != &standing_in)
            continue;
        out[i] = status == SINTER_OK ? out[like[i]] : NULL;
        if (out[i] != NULL)
            hold_kernel(p, out[i]);
    }
    for (size_t i = 0; i < count && status != SINTER_OK; i++) {
        if (out[i] != NULL)
            drop_kernel(p, out[i]);
        out[i] = NULL;
    }
    (void)pthread_mutex_unlock(&p->lock);
}

/* Whether the caller goes on to a build. No lock of the programs is held. */
static sinter_status ask_to_build(const sinter__programs *p, size_t count,
                                  sinter__kernel *const *have)
{
    uint32_t missing = 0;
    for (size_t i = 0; i < count; i++)
        missing += have[i] == NULL;
    if (p->options == NULL || sinter__hooks_go_on(p->options, SINTER_PROGRESS_BUILD, 0, missing))
        return SINTER_OK;
    return sinter__fail(SINTER_ECANCELLED, "cancelled before %u kernels were built", missing);
}

sinter_status sinter__programs_get(sinter__programs *p, const sinter__limits *limits,
                                   sinter__kernel_text *texts, size_t count, sinter__kernel **out,
                                   sinter__buffer *log)
{
    size_t *like = sinter__alloc_array(p->allocator, count, sizeof *like);
    if (like == NULL)
        return SINTER_ENOMEM;
    for (size_t i = 0; i < count; i++) {
        out[i] = NULL;
        like[i] = first_like(texts, i);
    }
    sinter_status status = SINTER_OK;
    if (take_known(p, texts, count, out, like)) {
        status = ask_to_build(p, count, out);
        if (status == SINTER_OK) {
            (void)pthread_mutex_lock(&p->building);
            /* whoever built before may have built the same */
            if (take_known(p, texts, count, out, like))
                status = build_missing(p, limits, texts, count, out, log);
            (void)pthread_mutex_unlock(&p->building);
        }
        settle(p, status, count, out, like);
    }
    sinter__free(p->allocator, like, SINTER__MAX(count * sizeof *like, (size_t)1));
    return status;
}
