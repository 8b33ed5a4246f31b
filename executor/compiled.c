#include "executor/compiled.h"

#include <string.h>

sinter_status sinter__compiled_create(sinter__allocator *a, sinter__programs *programs,
                                      const sinter__graph *g, const sinter__limits *limits,
                                      sinter__compiled **out)
{
    sinter__compiled *c = sinter__alloc(a, sizeof *c);
    *out = NULL;
    if (c == NULL)
        return SINTER_ENOMEM;
    c->payload.references = 1;
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

/* Compiles what is missing: texts for all, then one program. */
static sinter_status compile_wants(sinter__compiled *c, const sinter__want *wants, size_t count,
                                   sinter__kernel_text *texts, sinter__kernel **kernels,
                                   sinter__buffer *log, size_t *grown_bytes)
{
    size_t missing = 0;
    sinter_status status = SINTER_OK;
    for (size_t i = 0; i < count && status == SINTER_OK; i++) {
        if (wants[i].for_launch->kernel == NULL)
            status = sinter__launch_text(c->allocator, wants[i].for_launch, &c->limits,
                                         &texts[missing++]);
    }
    if (status == SINTER_OK && missing > 0)
        status = sinter__programs_get(c->programs, &c->limits, texts, missing, kernels, log);
    size_t k = 0;
    for (size_t i = 0; i < count && status == SINTER_OK; i++) {
        if (wants[i].for_launch->kernel != NULL)
            continue;
        status = add_variant(c, &wants[i], kernels[k], grown_bytes);
        if (status == SINTER_OK)
            wants[i].for_launch->kernel = kernels[k++];
    }
    for (; k < missing; k++)
        sinter__kernel_release(c->programs, kernels[k]);
    for (size_t i = 0; i < missing; i++)
        sinter__kernel_text_finish(c->allocator, &texts[i]);
    return status;
}

sinter_status sinter__compiled_kernels(sinter__compiled *c, const sinter__want *wants, size_t count,
                                       sinter__buffer *log, size_t *grown_bytes)
{
    sinter_status status = SINTER_OK;
    size_t missing = 0;
    *grown_bytes = 0;
    (void)pthread_mutex_lock(&c->lock);
    for (size_t i = 0; i < count; i++) {
        sinter__variant *v = find_variant(c, &wants[i]);
        wants[i].for_launch->kernel = v != NULL ? v->kernel : NULL;
        missing += v == NULL;
    }
    if (missing > 0) {
        size_t text_bytes = missing * sizeof(sinter__kernel_text);
        size_t kernel_bytes = missing * sizeof(sinter__kernel *);
        sinter__kernel_text *texts = sinter__alloc(c->allocator, text_bytes);
        sinter__kernel **kernels = sinter__alloc(c->allocator, kernel_bytes);
        status = texts != NULL && kernels != NULL
                     ? compile_wants(c, wants, count, texts, kernels, log, grown_bytes)
                     : SINTER_ENOMEM;
        sinter__free(c->allocator, texts, text_bytes);
        sinter__free(c->allocator, kernels, kernel_bytes);
    }
    (void)pthread_mutex_unlock(&c->lock);
    return status;
}
