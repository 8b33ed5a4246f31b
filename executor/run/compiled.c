#include "executor/run/compiled.h"

#include <string.h>

sinter_status sinter__compiled_create(sinter__allocator *a, sinter__programs *programs,
                                      const sinter__graph *g, const sinter__limits *limits,
                                      sinter__compiled **out)
{
    sinter__compiled *c = sinter__alloc(a, sizeof *c);
    *out = NULL;
    if (c == NULL)
        return SINTER_ENOMEM;
    atomic_init(&c->payload.references, 1);
    c->allocator = a;
    c->programs = programs;
    c->limits = *limits;
    sinter_status status = sinter__plan_build(g, limits, &c->plan);
    if (status != SINTER_OK) {
        sinter__plan_finish(&c->plan);
        sinter__free(a, c, sizeof *c);
        return status;
    }
    (void)pthread_mutex_init(&c->lock, NULL);
    c->payload.bytes = sizeof *c + c->plan.arena.bytes;
    *out = c;
    return SINTER_OK;
}

static size_t access_bytes(const sinter__kernel_class *c)
{
    return c->key.access_count * sizeof *c->accesses;
}

static void free_variant(sinter__compiled *c, sinter__variant *v)
{
    sinter__kernel_release(c->programs, v->kernel);
    sinter__free(c->allocator, v->class_.accesses, access_bytes(&v->class_));
    sinter__free(c->allocator, v, sizeof *v);
}

sinter__limits sinter__compiled_limits(sinter__compiled *c)
{
    (void)pthread_mutex_lock(&c->lock);
    sinter__limits limits = c->limits;
    (void)pthread_mutex_unlock(&c->lock);
    return limits;
}

void sinter__compiled_free(sinter__compiled *c)
{
    while (c->variants != NULL) {
        sinter__variant *v = c->variants;
        c->variants = v->next;
        free_variant(c, v);
    }
    sinter__plan_finish(&c->plan);
    (void)pthread_mutex_destroy(&c->lock);
    sinter__free(c->allocator, c, sizeof *c);
}

bool sinter__same_class(const sinter__kernel_class *a, const sinter__kernel_class *b)
{
    return memcmp(&a->key, &b->key, sizeof a->key) == 0 &&
           memcmp(a->accesses, b->accesses, access_bytes(a)) == 0;
}

static sinter__variant *find_variant(const sinter__compiled *c, const sinter__want *want)
{
    for (sinter__variant *v = c->variants; v != NULL; v = v->next) {
        if (v->group == want->group && v->launch == want->launch &&
            sinter__same_class(&v->class_, &want->for_launch->class_))
            return v;
    }
    return NULL;
}

sinter_status sinter__launch_text(sinter__allocator *a, const sinter__launch *launch,
                                  const sinter__limits *limits, sinter__kernel_text *out)
{
    sinter__code code;
    *out = (sinter__kernel_text){.source = {.allocator = a}, .needs = {.allocator = a}};
    sinter_status status = sinter__lower(a, launch->nest, &launch->class_, &code);
    if (status == SINTER_OK)
        status = sinter__kernel_print(a, launch->nest, &launch->class_, &code, limits, out);
    sinter__code_finish(&code);
    return status;
}

static sinter_status add_variant(sinter__compiled *c, const sinter__want *want,
                                 sinter__kernel *kernel, size_t *grown_bytes)
{
    const sinter__kernel_class *class_ = &want->for_launch->class_;
    size_t bytes = access_bytes(class_);
    sinter__variant *v = sinter__alloc(c->allocator, sizeof *v);
    sinter__class_access *accesses = sinter__alloc(c->allocator, bytes);
    if (v == NULL || accesses == NULL) {
        sinter__free(c->allocator, v, sizeof *v);
        sinter__free(c->allocator, accesses, bytes);
        return SINTER_ENOMEM;
    }
    memcpy(accesses, class_->accesses, bytes);
    *v = (sinter__variant){.next = c->variants,
                           .group = want->group,
                           .launch = want->launch,
                           .class_ = {.key = class_->key, .accesses = accesses},
                           .kernel = kernel};
    c->variants = v;
    *grown_bytes += sizeof *v + bytes + kernel->text.source.bytes;
    return SINTER_OK;
}

/* What compiling needs and leaves, by launch whose kernel is missing. */
typedef struct missing {
    size_t count;
    sinter__kernel_text *texts;
    sinter__kernel **kernels;
} missing;

static sinter_status missing_init(sinter__compiled *c, size_t count, missing *m)
{
    m->count = count;
    m->texts = sinter__alloc_array(c->allocator, count, sizeof *m->texts);
    m->kernels = sinter__alloc_array(c->allocator, count, sizeof(sinter__kernel *));
    return m->texts != NULL && m->kernels != NULL ? SINTER_OK : SINTER_ENOMEM;
}

/* Kernels that no variant has taken go. */
static void missing_finish(sinter__compiled *c, missing *m)
{
    for (size_t i = 0; i < m->count && m->texts != NULL && m->kernels != NULL; i++) {
        sinter__kernel_release(c->programs, m->kernels[i]);
        sinter__kernel_text_finish(c->allocator, &m->texts[i]);
    }
    sinter__free(c->allocator, m->texts, m->count * sizeof *m->texts);
    sinter__free(c->allocator, m->kernels, m->count * sizeof(sinter__kernel *));
}

/* Texts for all, then one program. No lock is held: other streams run the plan meanwhile. */
static sinter_status compile_missing(sinter__compiled *c, const sinter__limits *limits,
                                     const sinter__want *wants, size_t count, missing *m,
                                     sinter__buffer *log)
{
    size_t k = 0;
    for (size_t i = 0; i < count; i++) {
        if (wants[i].for_launch->kernel == NULL)
            SINTER_TRY(
                sinter__launch_text(c->allocator, wants[i].for_launch, limits, &m->texts[k++]));
    }
    return sinter__programs_get(c->programs, limits, m->texts, m->count, m->kernels, log);
}

/* With the lock held: kernels that are there, and how many are not. */
static size_t find_kernels(const sinter__compiled *c, const sinter__want *wants, size_t count)
{
    size_t absent = 0;
    for (size_t i = 0; i < count; i++) {
        const sinter__variant *v = find_variant(c, &wants[i]);
        wants[i].for_launch->kernel = v != NULL ? v->kernel : NULL;
        absent += v == NULL;
    }
    return absent;
}

/* With the lock held: the kernels become variants, unless another stream was faster. */
static sinter_status adopt(sinter__compiled *c, const sinter__want *wants, size_t count, missing *m,
                           size_t *grown_bytes)
{
    size_t k = 0;
    for (size_t i = 0; i < count; i++) {
        sinter__launch *l = wants[i].for_launch;
        if (l->kernel != NULL)
            continue;
        const sinter__variant *v = find_variant(c, &wants[i]);
        if (v == NULL) {
            SINTER_TRY(add_variant(c, &wants[i], m->kernels[k], grown_bytes));
            l->kernel = m->kernels[k];
            m->kernels[k] = NULL;
        } else {
            l->kernel = v->kernel;
        }
        k++;
    }
    return SINTER_OK;
}

sinter_status sinter__compiled_kernels(sinter__compiled *c, const sinter__want *wants, size_t count,
                                       sinter__buffer *log, size_t *grown_bytes)
{
    missing m;
    *grown_bytes = 0;
    (void)pthread_mutex_lock(&c->lock);
    size_t absent = find_kernels(c, wants, count);
    sinter__limits limits = c->limits;
    (void)pthread_mutex_unlock(&c->lock);
    if (absent == 0)
        return SINTER_OK;
    sinter_status status = missing_init(c, absent, &m);
    if (status == SINTER_OK)
        status = compile_missing(c, &limits, wants, count, &m, log);
    if (status == SINTER_OK) {
        (void)pthread_mutex_lock(&c->lock);
        status = adopt(c, wants, count, &m, grown_bytes);
        (void)pthread_mutex_unlock(&c->lock);
    }
    missing_finish(c, &m);
    return status;
}
