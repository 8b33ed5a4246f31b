/* Instances: making them, binding them. executor/run/instance_memory.c takes the memory of a run, executor/run/run.c
 * launches them. */
#include "executor/run/instance.h"

#include "executor/report/report.h"
#include "executor/run/recording.h"
#include "executor/run/share.h"
#include "fusion/cost/bytes.h"

#include <string.h>

#define NO_REQUEST UINT32_MAX

/* Making */

/* Most numbers that a binding of `g` has. */
static size_t number_limit(const sinter__graph *g)
{
    return g->tensor_count * (2 * SINTER_MAX_RANK + 1) + g->param_count;
}

/* A group's launches, as many as its nest may take. */
SINTER__COLD static sinter_status allocate_launches(sinter__instance *in, uint16_t group)
{
    const sinter__nest *nest = &in->compiled->plan.groups[group].nest;
    for (int k = 0; k < sinter__launch_limit(nest); k++) {
        sinter__launch *l = sinter__instance_launch(in, group, k);
        l->nest = nest;
        l->bound = &in->bound[group];
        l->group = group;
        l->index = k;
        l->class_.accesses =
            sinter__arena_array(&in->arena, nest->access_count, sizeof *l->class_.accesses);
        if (l->class_.accesses == NULL)
            return SINTER_ENOMEM;
    }
    return SINTER_OK;
}

SINTER__COLD static sinter_status allocate_products(sinter__instance *in)
{
    const sinter__plan *plan = &in->compiled->plan;
    const sinter__limits *limits = &in->compiled->limits; /* these never change */
    in->products = sinter__arena_array(&in->arena, plan->group_count, sizeof(sinter__product *));
    if (in->products == NULL)
        return SINTER_ENOMEM;
    if (limits->gemm_from_f32 == 0 && limits->gemm_from_f64 == 0)
        return SINTER_OK;
    for (uint16_t i = 0; i < plan->group_count; i++) {
        if (plan->groups[i].nest.form != SINTER__FORM_CONTRACT)
            continue;
        in->products[i] = sinter__arena_array(&in->arena, 1, sizeof *in->products[i]);
        if (in->products[i] == NULL)
            return SINTER_ENOMEM;
    }
    return SINTER_OK;
}

SINTER__COLD static sinter_status allocate_groups(sinter__instance *in)
{
    const sinter__plan *plan = &in->compiled->plan;
    sinter__arena *a = &in->arena;
    size_t groups = plan->group_count;
    in->bound = sinter__arena_array(a, groups, sizeof *in->bound);
    in->launch_counts = sinter__arena_array(a, groups, sizeof *in->launch_counts);
    in->first_launch = sinter__arena_array(a, groups + 1, sizeof *in->first_launch);
    in->broken = sinter__arena_array(a, groups, sizeof *in->broken);
    in->rows = sinter__arena_array(a, groups, sizeof *in->rows);
    in->runs_with = sinter__arena_array(a, groups, sizeof *in->runs_with);
    if (in->bound == NULL || in->launch_counts == NULL || in->first_launch == NULL ||
        in->broken == NULL || in->rows == NULL || in->runs_with == NULL)
        return SINTER_ENOMEM;
    for (size_t i = 0; i < groups; i++)
        in->first_launch[i + 1] =
            in->first_launch[i] + (uint32_t)sinter__launch_limit(&plan->groups[i].nest);
    in->launches = sinter__arena_array(a, in->first_launch[groups], sizeof *in->launches);
    in->wants = sinter__arena_array(a, in->first_launch[groups], sizeof *in->wants);
    if (in->launches == NULL || in->wants == NULL)
        return SINTER_ENOMEM;
    for (uint16_t i = 0; i < plan->group_count; i++) {
        const sinter__nest *nest = &plan->groups[i].nest;
        in->bound[i].accesses =
            sinter__arena_array(a, nest->access_count, sizeof(sinter__bound_access));
        if (in->bound[i].accesses == NULL)
            return SINTER_ENOMEM;
        SINTER_TRY(allocate_launches(in, i));
    }
    return allocate_products(in);
}

SINTER__COLD static sinter_status allocate(sinter__instance *in, const sinter__graph *g)
{
    const sinter__plan *plan = &in->compiled->plan;
    sinter__arena *a = &in->arena;
    size_t requests = (size_t)plan->stored_count + plan->group_count;
    size_t kept_bytes = sinter__workspace_kept_bytes(requests);
    void *kept = kept_bytes > 0 ? sinter__arena_alloc(a, kept_bytes) : NULL;
    in->numbers = sinter__arena_array(a, 2 * number_limit(g) + 1, sizeof *in->numbers);
    in->schema.requests = sinter__arena_array(a, requests, sizeof *in->schema.requests);
    in->request_of = sinter__arena_array(a, requests, sizeof *in->request_of);
    in->scratch = sinter__arena_alloc(a, sinter__workspace_scratch_bytes(requests));
    in->parts = sinter__arena_array(a, requests + 1, sizeof *in->parts);
    in->addresses = sinter__arena_array(a, g->tensor_count, sizeof *in->addresses);
    in->failures = sinter__arena_array(a, g->tensor_count, sizeof *in->failures);
    in->traced = sinter__arena_array(a, g->tensor_count, sizeof *in->traced);
    in->made = sinter__arena_array(a, plan->stored_count, sizeof *in->made);
    if (in->numbers == NULL || in->schema.requests == NULL || in->request_of == NULL ||
        in->scratch == NULL || in->parts == NULL || in->addresses == NULL || in->failures == NULL ||
        in->traced == NULL || in->made == NULL || (kept == NULL && kept_bytes > 0))
        return SINTER_ENOMEM;
    if (kept != NULL)
        sinter__workspace_keep(&in->schema, requests, kept);
    return allocate_groups(in);
}

static void drop_compiled(sinter_stream *s, sinter__compiled *compiled)
{
    sinter__store_release(s->on->store, &compiled->payload);
}

/* Where the list of the instances in `compiled`'s bucket begins; there are buckets. */
static sinter__instance **bucket_of(const sinter_stream *s, const sinter__compiled *compiled)
{
    return &s->instances.buckets[sinter__hash(0, (uint64_t)(uintptr_t)compiled) &
                                 (s->instances.bucket_count - 1)];
}

static sinter__instance *find_instance(const sinter_stream *s, const sinter__compiled *compiled)
{
    sinter__instance *in = s->instances.count > 0 ? *bucket_of(s, compiled) : NULL;
    while (in != NULL && in->compiled != compiled)
        in = in->next;
    return in;
}

static void link_instance(sinter_stream *s, sinter__instance *in)
{
    sinter__instance **bucket = bucket_of(s, in->compiled);
    in->next = *bucket;
    *bucket = in;
}

/* Room for one more in buckets of one each. */
SINTER__COLD static sinter_status reserve_instance(sinter_stream *s)
{
    sinter__allocator *a = &s->ctx->allocator;
    sinter__instance **old = s->instances.buckets;
    size_t old_count = s->instances.bucket_count;
    size_t count = SINTER__MAX(2 * old_count, (size_t)8);
    if (s->instances.count < old_count)
        return SINTER_OK;
    sinter__instance **fresh = sinter__alloc_array(a, count, sizeof(sinter__instance *));
    if (fresh == NULL)
        return SINTER_ENOMEM;
    s->instances.buckets = fresh;
    s->instances.bucket_count = count;
    for (size_t i = 0; i < old_count; i++) {
        while (old[i] != NULL) {
            sinter__instance *in = old[i];
            old[i] = in->next;
            link_instance(s, in);
        }
    }
    sinter__free(a, old, old_count * sizeof(sinter__instance *));
    return SINTER_OK;
}

sinter_status sinter__instance_get(sinter_stream *s, const sinter__graph *g,
                                   sinter__compiled *compiled, sinter__instance **out)
{
    sinter__allocator *a = &s->ctx->allocator;
    *out = find_instance(s, compiled);
    if (*out != NULL) {
        drop_compiled(s, compiled);
        return SINTER_OK;
    }
    sinter_status status = reserve_instance(s);
    sinter__instance *in = status == SINTER_OK ? sinter__alloc(a, sizeof *in) : NULL;
    if (in == NULL) {
        drop_compiled(s, compiled);
        return SINTER_ENOMEM;
    }
    in->compiled = compiled;
    sinter__arena_init(&in->arena, a);
    status = allocate(in, g);
    if (status != SINTER_OK) {
        sinter__arena_finish(&in->arena);
        drop_compiled(s, compiled);
        sinter__free(a, in, sizeof *in);
        return status;
    }
    link_instance(s, in);
    s->instances.count++;
    *out = in;
    return SINTER_OK;
}

SINTER__COLD static void drop_object(const sinter__opened *on, sinter__object *o)
{
    if (o->handle != NULL)
        on->backend->object_release(on->state, o->handle);
    if (o->of != NULL)
        sinter__free(on->allocator, o->sent, o->sent_bytes);
    *o = (sinter__object){0};
}

SINTER__COLD static void end_products(sinter_stream *s, sinter__instance *in)
{
    for (uint16_t i = 0; i < in->compiled->plan.group_count; i++) {
        sinter__product *p = in->products[i];
        if (p != NULL && p->kept != NULL)
            s->on->backend->gemm_end(s->on->state, p->kept);
        if (p != NULL)
            *p = (sinter__product){0};
    }
}

/* Why kernels could not be had: what did not build last time has a new chance. */
SINTER__COLD static void forget_broken(sinter_stream *s, sinter__instance *in)
{
    for (uint16_t i = 0; i < in->compiled->plan.group_count; i++) {
        sinter__failure_release(&s->ctx->allocator, in->broken[i]);
        in->broken[i] = NULL;
    }
}

SINTER__COLD static void free_instance(sinter_stream *s, sinter__instance *in)
{
    s->instances.count--;
    for (uint32_t i = 0; i < in->first_launch[in->compiled->plan.group_count]; i++) {
        drop_object(s->on, &in->launches[i].object);
        drop_object(s->on, &in->launches[i].other);
    }
    sinter__recording_drop(s->on, in);
    forget_broken(s, in);
    end_products(s, in);
    drop_compiled(s, in->compiled);
    sinter__arena_finish(&in->arena);
    sinter__free(&s->ctx->allocator, in, sizeof *in);
}

void sinter__instance_destroy(sinter_stream *s, sinter__instance *in)
{
    sinter__instance **link = bucket_of(s, in->compiled);
    while (*link != in)
        link = &(*link)->next;
    *link = in->next;
    free_instance(s, in);
}

/* Destroys instances: all, or those whose plan the store has dropped. */
static void sweep(sinter_stream *s, bool all)
{
    for (size_t i = 0; i < s->instances.bucket_count; i++) {
        sinter__instance **link = &s->instances.buckets[i];
        while (*link != NULL) {
            sinter__instance *in = *link;
            bool evicted =
                atomic_load_explicit(&in->compiled->payload.evicted, memory_order_relaxed);
            if (!all && !evicted) {
                link = &in->next;
                continue;
            }
            *link = in->next;
            free_instance(s, in);
        }
    }
}

void sinter__instances_visit(const sinter_stream *s,
                             void (*visit)(void *user, const sinter__instance *in), void *user)
{
    for (size_t i = 0; i < s->instances.bucket_count; i++) {
        for (const sinter__instance *in = s->instances.buckets[i]; in != NULL; in = in->next)
            visit(user, in);
    }
}

void sinter__instances_unrecord(sinter_stream *s)
{
    for (size_t i = 0; i < s->instances.bucket_count; i++) {
        for (sinter__instance *in = s->instances.buckets[i]; in != NULL; in = in->next)
            sinter__recording_drop(s->on, in);
    }
}

void sinter__instances_sweep(sinter_stream *s)
{
    sweep(s, false);
}

void sinter__instances_finish(sinter_stream *s)
{
    sweep(s, true);
    sinter__free(&s->ctx->allocator, s->instances.buckets,
                 s->instances.bucket_count * sizeof *s->instances.buckets);
    s->instances.buckets = NULL;
    s->instances.bucket_count = 0;
}

/* Binding */

/* The extents and strides of what enters, the extents that operations bring in themselves, the
 * parameters of views: everything that a binding depends on. */
static size_t list_numbers(const sinter__graph *g, int64_t *out)
{
    size_t n = 0;
    for (size_t t = 0; t < g->tensor_count; t++) {
        const sinter__gtensor *x = &g->tensors[t];
        bool entered = x->producer == SINTER__NO_NODE;
        if (!entered) {
            const sinter__op_info *info = sinter__op_info_of(g->nodes[x->producer].op);
            if (info->kind != SINTER__KIND_VIEW && info->arity > 0)
                continue;
        }
        for (int i = 0; i < x->view.rank; i++) {
            out[n++] = x->view.shape[i];
            if (entered)
                out[n++] = x->view.strides[i];
        }
        if (entered)
            out[n++] = x->view.offset;
    }
    for (size_t i = 0; i < g->param_count; i++)
        out[n++] = g->params[i];
    return n;
}

/* Whether the instance is bound to the numbers of `g`; if not, they become its own. */
static bool take_numbers(sinter__instance *in, const sinter__graph *g)
{
    int64_t *fresh = in->numbers + number_limit(g);
    size_t count = list_numbers(g, fresh);
    size_t bytes = count * sizeof *fresh;
    if (in->is_bound && count == in->number_count && memcmp(fresh, in->numbers, bytes) == 0)
        return true;
    memcpy(in->numbers, fresh, bytes);
    in->number_count = count;
    in->is_bound = false;
    return false;
}

SINTER__COLD void sinter__gemm_failed(sinter_stream *s, sinter_status status)
{
    bool lasts = status != SINTER_EUNSUPPORTED;
    if (lasts)
        atomic_store(&s->on->gemm_failed, true);
    sinter__report_line(s, lasts ? SINTER__LOG_WARNING : SINTER__LOG_REASON,
                        lasts ? "CLBlast failed, sinter's own kernels take its place: %s"
                              : "sinter's own kernels take the place of CLBlast: %s",
                        sinter_last_error());
    sinter__clear_error();
}

/* Who computes a product. What the library refuses is computed by a kernel of ours. */
SINTER__COLD static void bind_product(sinter_stream *s, sinter__instance *in, uint16_t group,
                                      const sinter__limits *limits)
{
    sinter__opened *on = s->on;
    sinter__product *p = in->products[group];
    if (p == NULL || in->launch_counts[group] == 0)
        return;
    p->verdict = (uint8_t)sinter__gemm_find(&in->compiled->plan.groups[group].nest,
                                            &in->bound[group], limits, &p->gemm);
    sinter_status status = SINTER_OK;
    if (p->verdict == SINTER__GEMM_TAKEN && !atomic_load(&on->gemm_failed))
        status = on->backend->gemm_scratch(on->state, s->queue, &p->gemm, &p->scratch_bytes);
    if (status != SINTER_OK)
        sinter__gemm_failed(s, status);
    if (p->verdict == SINTER__GEMM_TAKEN && atomic_load(&on->gemm_failed))
        p->verdict = SINTER__GEMM_OFF;
    if (p->verdict == SINTER__GEMM_TAKEN)
        in->launch_counts[group] = 0;
}

/* What the binding before has made of a list is over, also where the group has no elements now. */
static void forget_rows(sinter__launch *l)
{
    l->object.sent_any = l->object.sent_any && l->row_count == 0;
    l->row_count = 0;
}

static sinter_status bind_groups(sinter_stream *s, sinter__instance *in, const sinter__graph *g)
{
    const sinter__limits limits = sinter__compiled_limits(in->compiled);
    const sinter__plan *plan = &in->compiled->plan;
    end_products(s, in);
    for (uint16_t i = 0; i < plan->group_count; i++) {
        const sinter__nest *nest = &plan->groups[i].nest;
        SINTER_TRY(sinter__bind(g, nest, limits.narrow, &in->bound[i]));
        in->launch_counts[i] = (uint8_t)sinter__launch_count(nest, &in->bound[i], &limits);
        in->runs_with[i] = i;
        bind_product(s, in, i, &limits);
        forget_rows(sinter__instance_launch(in, i, 0));
        for (int k = 0; k < in->launch_counts[i]; k++) {
            sinter__launch *l = sinter__instance_launch(in, i, k);
            sinter__schedule(nest, &in->bound[i], &limits, k, &l->class_, &l->geometry);
            l->params_sent = false;
        }
    }
    sinter__launches_share(in, &limits);
    return SINTER_OK;
}

static void add_request(sinter__instance *in, size_t slot, uint32_t start, uint32_t end,
                        int64_t bytes)
{
    in->request_of[slot] = (uint32_t)in->schema.count;
    in->schema.requests[in->schema.count++] =
        (sinter_plan_request){.start = start, .end = end, .bytes = (uint64_t)bytes};
}

/* For stored tensor `i` and all that lie where it does before an update changes them in place. */
static void request_stored(sinter__instance *in, uint16_t i, int64_t bytes)
{
    const sinter__plan *plan = &in->compiled->plan;
    uint16_t first = plan->stored[i].first_group;
    uint16_t last = plan->stored[i].last_group;
    for (uint16_t k = 0; k < plan->stored_count && plan->stored[i].inherits; k++) {
        if (sinter__plan_keeper(plan, k) != i)
            continue;
        first = SINTER__MIN(first, plan->stored[k].first_group);
        last = SINTER__MAX(last, plan->stored[k].last_group);
    }
    add_request(in, i, plan->groups[first].list, sinter__list_end(plan, last), bytes);
}

SINTER__COLD static sinter_status plan_memory(sinter_stream *s, sinter__instance *in,
                                              const sinter__graph *g)
{
    const sinter__plan *plan = &in->compiled->plan;
    const sinter__limits limits = sinter__compiled_limits(in->compiled);
    in->schema.count = 0;
    in->rows_bytes = 0;
    in->schema.alignment_bytes = s->on->limits.alignment_bytes;
    in->schema.share = s->on->limits.reuse;
    for (uint16_t i = 0; i < plan->stored_count; i++) {
        const sinter__stored *x = &plan->stored[i];
        in->request_of[i] = NO_REQUEST;
        if (!x->live && x->heir == i && x->donor == SINTER__NO_TENSOR)
            request_stored(in, i, sinter__gtensor_bytes(&g->tensors[x->tensor]));
    }
    for (uint16_t i = 0; i < plan->group_count; i++) {
        size_t slot = (size_t)plan->stored_count + i;
        const sinter__product *product = sinter__instance_product(in, i);
        const sinter__nest *nest = &plan->groups[i].nest;
        int64_t bytes = product != NULL ? (int64_t)product->scratch_bytes
                                        : sinter__scratch_bytes(nest, &in->bound[i], &limits).bytes;
        size_t rows_bytes = s->on->backend->program_build != NULL
                                ? sinter__stored_rows_bytes(sinter__instance_launch(in, i, 0))
                                : 0;
        bytes += (int64_t)rows_bytes;
        in->rows_bytes = SINTER__MAX(in->rows_bytes, rows_bytes);
        in->request_of[slot] = NO_REQUEST;
        if (bytes > 0)
            add_request(in, slot, i, (uint32_t)i + 1, bytes);
    }
    SINTER_TRY(sinter__workspace_resolve(&in->schema, in->scratch));
#ifndef NDEBUG
    SINTER_TRY(sinter__workspace_validate(&in->schema, in->scratch));
#endif
    return SINTER_OK;
}

/* Bytes of entering tensor `tensor` that a group reads, at most once each. */
static int64_t bytes_read_of(const sinter__instance *in, uint16_t group, uint16_t tensor,
                             const sinter__graph *g)
{
    const sinter__nest *nest = &in->compiled->plan.groups[group].nest;
    int64_t elements = 0;
    for (uint16_t a = 0; a < nest->access_count; a++) {
        if (nest->accesses[a].role == SINTER__ROLE_READ && nest->accesses[a].tensor == tensor)
            elements = sinter__add_bytes(elements, in->bound[group].accesses[a].distinct);
    }
    const sinter__gtensor *t = &g->tensors[tensor];
    elements = SINTER__MIN(elements, sinter__view_distinct(&t->view));
    return elements * (int64_t)sinter_dtype_bytes((sinter_dtype)t->dtype);
}

/* Bytes of stored tensor `i` that are new: of one that was there before, what an update replaces. */
static int64_t bytes_written_to(const sinter__graph *g, const sinter__plan *plan, uint16_t i)
{
    const sinter__stored *x = &plan->stored[i];
    const sinter__gtensor *t = &g->tensors[x->tensor];
    const sinter__node *node = &g->nodes[t->producer];
    if (node->op != SINTER__OP_UPDATE || x->donor == SINTER__NO_TENSOR)
        return sinter__gtensor_bytes(t);
    return sinter__gtensor_bytes(&g->tensors[node->in[1]]);
}

/* What the segment moves, and the least that it could: each input once, each surviving output once.
 */
SINTER__COLD static void count_bytes(sinter__instance *in, const sinter__graph *g)
{
    const sinter__plan *plan = &in->compiled->plan;
    const sinter__limits limits = sinter__compiled_limits(in->compiled);
    in->bytes_moved = in->bytes_bound = 0;
    for (uint16_t i = 0; i < plan->group_count; i++) {
        sinter__bytes bytes = sinter__nest_bytes(g, &plan->groups[i].nest, &in->bound[i], &limits);
        in->bytes_moved = sinter__add_bytes(in->bytes_moved, bytes.read);
        in->bytes_moved = sinter__add_bytes(in->bytes_moved, bytes.written);
        in->bytes_moved = sinter__add_bytes(in->bytes_moved, bytes.scratch);
        const sinter__product *product = sinter__instance_product(in, i);
        if (product != NULL) /* what is copied there is read once */
            in->bytes_moved =
                sinter__add_bytes(in->bytes_moved, 2 * (int64_t)product->scratch_bytes);
        in->bytes_moved = sinter__add_bytes(in->bytes_moved, sinter__rows_moved_bytes(in, i));
    }
    for (uint16_t k = 0; k < plan->read_count; k++) {
        int64_t most = 0;
        for (uint16_t i = 0; i < plan->group_count; i++)
            most = SINTER__MAX(most, bytes_read_of(in, i, plan->read[k], g));
        in->bytes_bound = sinter__add_bytes(in->bytes_bound, most);
    }
    for (uint16_t i = 0; i < plan->stored_count; i++) {
        if (plan->stored[i].live)
            in->bytes_bound = sinter__add_bytes(in->bytes_bound, bytes_written_to(g, plan, i));
    }
}

/* Kernels */

/* Whether a launch has an object of its kernel: the last one, or the one before. */
static bool has_object(sinter__launch *l)
{
    if (l->other.of == l->kernel && l->other.handle != NULL) {
        sinter__object last = l->object;
        l->object = l->other;
        l->object.sent_any = l->object.sent_any && l->row_count == 0;
        l->other = last;
    }
    return l->object.of == l->kernel && l->object.handle != NULL;
}

/* The stream's own object of a launch's kernel. *too_large is set when the driver allows a smaller
 * work-group. */
SINTER__COLD static sinter_status make_object(sinter_stream *s, sinter__instance *in,
                                              sinter__launch *l, bool *too_large)
{
    sinter__opened *on = s->on;
    uint32_t max_group = UINT32_MAX;
    if (l->kernel == NULL || has_object(l))
        return SINTER_OK;
    drop_object(on, &l->other);
    l->other = l->object;
    size_t bytes = l->kernel->text.argument_count * 2 * sizeof(uint64_t) +
                   2 * sizeof(uint32_t) * l->kernel->text.packed_words; /* as sent, and anew */
    if (l->row_count > 0)
        bytes = sinter__rows_sent_bytes(l);
    l->object = (sinter__object){.sent = sinter__alloc(on->allocator, bytes), .sent_bytes = bytes};
    if (l->object.sent == NULL)
        return SINTER_ENOMEM;
    l->object.of = l->kernel;
    SINTER_TRY(on->backend->object_create(on->state, l->kernel->program->handle,
                                          l->kernel->text.name, &l->object.handle, &max_group));
    if (max_group < l->geometry.local[0] * l->geometry.local[1] && max_group > 0) {
        (void)pthread_mutex_lock(&in->compiled->lock);
        in->compiled->limits.max_group = SINTER__MIN(in->compiled->limits.max_group, max_group);
        (void)pthread_mutex_unlock(&in->compiled->lock);
        *too_large = true;
    }
    return SINTER_OK;
}

SINTER__COLD static size_t list_wants(sinter__instance *in)
{
    size_t count = 0;
    for (uint16_t i = 0; i < in->compiled->plan.group_count; i++) {
        for (uint8_t k = 0; k < in->launch_counts[i]; k++)
            in->wants[count++] = (sinter__want){
                .group = i, .launch = k, .for_launch = sinter__instance_launch(in, i, k)};
    }
    return count;
}

/* One by one, so that what does not build is known: its group is left broken. */
SINTER__COLD static sinter_status compile_singly(sinter_stream *s, sinter__instance *in,
                                                 size_t count, sinter__buffer *log, size_t *grown)
{
    for (size_t i = 0; i < count; i++) {
        size_t more = 0;
        sinter_status status = sinter__compiled_kernels(in->compiled, &in->wants[i], 1, log, &more);
        *grown += more;
        if (status != SINTER_OK && status != SINTER_EBUILD)
            return status;
        if (status != SINTER_OK) {
            sinter__failure_release(&s->ctx->allocator, in->broken[in->wants[i].group]);
            in->broken[in->wants[i].group] = sinter__failure_create(&s->ctx->allocator, status);
        }
    }
    return SINTER_OK;
}

SINTER__COLD static sinter_status compile(sinter_stream *s, sinter__instance *in)
{
    sinter__buffer log;
    size_t grown = 0;
    size_t count = list_wants(in);
    sinter__buffer_init(&log, &s->ctx->allocator);
    forget_broken(s, in);
    sinter_status status = sinter__compiled_kernels(in->compiled, in->wants, count, &log, &grown);
    if (status == SINTER_EBUILD && in->compiled->limits.max_group_nodes == 1 &&
        in->compiled->limits.shuffle == NULL)
        status = compile_singly(s, in, count, &log, &grown);
    if (log.bytes > 0)
        sinter__log_text(&s->ctx->log,
                         status == SINTER_OK ? SINTER__LOG_BUILD : SINTER__LOG_WARNING,
                         sinter__buffer_text(&log));
    sinter__buffer_finish(&log);
    s->is_cancelled |= status == SINTER_ECANCELLED;
    if (grown > 0)
        sinter__store_grow(s->on->store, &in->compiled->payload, grown);
    return status;
}

bool sinter__instance_is_broken(const sinter__instance *in)
{
    for (uint16_t i = 0; i < in->compiled->plan.group_count; i++) {
        if (in->broken[i] != NULL)
            return true;
    }
    return false;
}

SINTER__COLD static sinter_status make_objects(sinter_stream *s, sinter__instance *in,
                                               bool *too_large)
{
    for (uint16_t i = 0; i < in->compiled->plan.group_count; i++) {
        for (uint8_t k = 0; k < in->launch_counts[i]; k++)
            SINTER_TRY(make_object(s, in, sinter__instance_launch(in, i, k), too_large));
    }
    return SINTER_OK;
}

/* Whether what the plan takes for views are views in these shapes too: what a reshape folds into
 * depends on numbers that are not in the key. */
SINTER__COLD static sinter_status check_aliases(const sinter__instance *in, const sinter__graph *g)
{
    const sinter__plan *plan = &in->compiled->plan;
    for (uint16_t i = 0; i < plan->alias_count; i++) {
        uint16_t tensor = plan->aliases[i].tensor;
        uint16_t root = plan->aliases[i].root;
        sinter__view view;
        if (!sinter__view_from_root(g, tensor, root, &g->tensors[root].view, &view))
            return sinter__fail(SINTER_EINTERNAL, "tensor %u is no view of tensor %u",
                                (unsigned)tensor, (unsigned)root);
    }
    return SINTER_OK;
}

/* Whether it counts on the library of products, which has failed since it was bound. */
static bool has_failed_products(const sinter_stream *s, const sinter__instance *in)
{
    bool any = false;
    if (!atomic_load_explicit(&s->on->gemm_failed, memory_order_relaxed))
        return false;
    for (uint16_t i = 0; i < in->compiled->plan.group_count; i++)
        any |= sinter__instance_product(in, i) != NULL;
    return any;
}

uint64_t sinter__instance_output_bytes(const sinter__instance *in, const sinter__graph *g,
                                       uint16_t i)
{
    const sinter__stored *x = &in->compiled->plan.stored[i];
    if (!x->live || x->donor != SINTER__NO_TENSOR)
        return 0;
    return (uint64_t)SINTER__MAX(sinter__gtensor_bytes(&g->tensors[x->tensor]), (int64_t)1);
}

/* SINTER_EBUDGET, without a text, where the workspace and the results have no room however they lie. */
static sinter_status check_room(const sinter_stream *s, const sinter__instance *in,
                                const sinter__graph *g)
{
    uint64_t bytes = in->schema.total_bytes;
    for (uint16_t i = 0; i < in->compiled->plan.stored_count; i++)
        bytes += sinter__instance_output_bytes(in, g, i);
    return sinter__pool_may_hold(s->pool, bytes) ? SINTER_OK : SINTER_EBUDGET;
}

sinter_status sinter__instance_bind(sinter_stream *s, sinter__instance *in, const sinter__graph *g,
                                    bool must)
{
    if (take_numbers(in, g) && !has_failed_products(s, in))
        return must ? SINTER_OK : check_room(s, in, g);
    sinter__recording_drop(s->on, in);
    SINTER_TRY(check_aliases(in, g));
    bool too_large = true;
    while (too_large) {
        too_large = false;
        SINTER_TRY(bind_groups(s, in, g));
        SINTER_TRY(plan_memory(s, in, g));
        if (!must)
            SINTER_TRY(check_room(s, in, g)); /* before anything is compiled for it */
        if (s->on->backend->program_build != NULL) {
            SINTER_TRY(compile(s, in));
            SINTER_TRY(make_objects(s, in, &too_large));
        }
    }
    count_bytes(in, g);
    in->is_bound = !sinter__instance_is_broken(in);
    return SINTER_OK;
}
