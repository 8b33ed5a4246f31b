/* The public interface, called in any order that bytes can say, against a model (api_model.h): what every call gives,
 * elements of whatever is read, which handles live; that memory keeps to the budget and to what was promised, and that
 * nothing is left at the end. */
#include "api_make.h"
#include "api_recorder.h"
#include "api_world.h"

#include <stdlib.h>

#define CALLS 400 /* most of an input */

static char place[WORLD_LARGEST * 8]; /* for elements */
static sinter_context *other;         /* whose handles are foreign */
static sinter_tensor of_other;

/* Calls on tensors */

static void read_tensor(int at)
{
    operand o = take_operand(&now);
    size_t bytes = o.t != NULL ? world_bytes_of(o.t) : 4;
    bool wrong = take_below(&now, 32) == 31;
    standing of = world_standing(&now, at, &o, 1);
    sinter_status status = sinter_tensor_read(now.streams[at].s, o.handle, place, bytes + wrong);
    world_judge(&now, "read", status, wrong ? MODEL_BAD : MODEL_SHAPED, of);
    if (status == SINTER_OK && o.t != NULL)
        world_compare(o.t, place, bytes);
}

static void release(int at)
{
    operand o = take_operand(&now);
    bool last = o.t != NULL && o.t->references == 1;
    sinter_stream *s = take_below(&now, 4) == 0 ? NULL : now.streams[at].s;
    sinter_status status = sinter_tensor_release(s, o.handle);
    sinter_status wanted = o.t != NULL        ? (last && o.t->mapped ? SINTER_EBUSY : SINTER_OK)
                           : o.handle.id == 0 ? SINTER_OK
                           : s == NULL && o.handle.id == of_other.id ? SINTER_OK
                                                                     : SINTER_EHANDLE;
    if (status != wanted)
        world_refute("release", status);
    if (o.t == NULL && wanted == SINTER_OK && o.handle.id != 0 &&
        sinter_tensor_retain(other, of_other) ==
            SINTER_OK) /* the other context has lost one of two */
        return;
    if (status == SINTER_OK)
        world_forget(&now, o.handle);
}

static void retain(void)
{
    operand o = take_operand(&now);
    if (o.t != NULL && o.t->references > 3)
        return;
    sinter_status status = sinter_tensor_retain(now.ctx, o.handle);
    if (status != (o.t != NULL ? SINTER_OK : SINTER_EHANDLE))
        world_refute("retain", status);
    if (status == SINTER_OK && o.t != NULL)
        o.t->references++;
}

static void map(int at)
{
    void *data;
    size_t bytes;
    size_t mapped = 0;
    operand o = take_operand(&now);
    bool writes = take_below(&now, 2) != 0;
    bool foreign = o.t != NULL && o.t->home != at;
    for (size_t i = 0; i < now.held; i++)
        mapped += now.tensors[i].mapped;
    if (mapped >= 4)
        return;
    sinter_map_access access = writes ? SINTER_MAP_WRITE : SINTER_MAP_READ;
    sinter_status status = sinter_tensor_map(now.streams[at].s, o.handle, access, &data, &bytes);
    if (o.t != NULL && !foreign &&
        ((status == SINTER_EBUSY && (mapped > 0 || writes)) || status == SINTER_EUNSUPPORTED))
        return;
    world_judge(&now, "map", status, foreign ? MODEL_BAD : MODEL_SHAPED,
                (standing){.dead = o.t == NULL});
    if (status != SINTER_OK || o.t == NULL)
        return;
    if (o.t->mapped || bytes != world_bytes_of(o.t) || (bytes == 0) != (data == NULL))
        world_refute("map", status);
    o.t->mapped = true;
    world_compare(o.t, data, bytes);
    if (writes && bytes > 0 && o.t->is.known) {
        o.t->is.at[0] = o.t->is.dtype == SINTER_BOOL ? !o.t->is.at[0] : 5;
        model_store(&o.t->is, data);
    }
}

static void unmap(int at)
{
    operand o = take_operand(&now);
    sinter_status status = sinter_tensor_unmap(now.streams[at].s, o.handle);
    bool mapped = o.t != NULL && o.t->mapped && o.t->home == at;
    world_judge(&now, "unmap", status, mapped ? MODEL_SHAPED : MODEL_BAD,
                (standing){.dead = o.t == NULL});
    if (mapped)
        o.t->mapped = false;
}

/* Calls on streams */

static void run(int at, bool waits)
{
    sinter_stream *s = now.streams[at].s;
    sinter_status status = waits ? sinter_stream_sync(s) : sinter_stream_flush(s);
    if (!waits && status != SINTER_OK && status != SINTER_EBUSY)
        world_refute("flush", status);
    world_judge(&now, "run", status, MODEL_SHAPED, world_standing(&now, at, NULL, 0));
}

/* What is promised is held. Where something fails on purpose there is no promise. */
static void need(int at)
{
    sinter_memory_need promise = SINTER_MEMORY_NEED_INIT;
    sinter_stats before = world_stats(&now);
    sinter_status status = sinter_stream_memory_need(now.streams[at].s, &promise);
    world_judge(&now, "need", status, MODEL_SHAPED, (standing){.dead = false});
    sinter_stats after = world_stats(&now);
    if (after.launches != before.launches ||
        after.cl_allocated_bytes != before.cl_allocated_bytes || after.cuts != before.cuts ||
        promise.held_bytes != before.cl_allocated_bytes)
        world_refute("a question that changes something", status);
    if (world_rests(&now, at) || now.may_lack_memory || now.may_fail || now.may_not_build)
        return;
    sinter_status ran = sinter_stream_sync(now.streams[at].s);
    after = world_stats(&now);
    if (status == SINTER_EBUDGET && (ran != SINTER_EBUDGET || promise.missing_bytes == 0))
        world_refute("a refusal that did not come", ran);
    if (status != SINTER_OK)
        return;
    uint64_t peak = before.cl_allocated_peak_bytes > promise.need_bytes
                        ? before.cl_allocated_peak_bytes
                        : promise.need_bytes;
    if (after.cl_allocated_peak_bytes != peak)
        world_refute("a promise that was not kept", ran);
}

static void scope_open(int at)
{
    stream *st = &now.streams[at];
    if (st->depth == WORLD_DEPTH)
        return;
    sinter_status status = sinter_scope_open(st->s);
    world_judge(&now, "scope_open", status, MODEL_SHAPED, (standing){.dead = false});
    if (status == SINTER_OK)
        st->begins[st->depth++] = st->scoped_count;
}

static bool is_among(const sinter_tensor *list, size_t count, sinter_tensor t)
{
    for (size_t i = 0; i < count; i++) {
        if (list[i].id == t.id)
            return true;
    }
    return false;
}

static void scope_close(int at)
{
    stream *st = &now.streams[at];
    sinter_tensor keep[2];
    size_t count = take_below(&now, 3);
    for (size_t i = 0; i < count; i++)
        keep[i] = take_operand(&now).handle;
    size_t first = st->depth > 0 ? st->begins[st->depth - 1] : 0;
    sinter_status wanted = st->depth > 0 ? SINTER_OK : SINTER_EINVAL;
    for (size_t i = 0; i < count && wanted == SINTER_OK; i++)
        wanted = is_among(st->scoped + first, st->scoped_count - first, keep[i]) ? SINTER_OK
                                                                                 : SINTER_EHANDLE;
    sinter_status status = sinter_scope_close(st->s, count, keep);
    /* A dead handle of the scope may have been forgotten by the stream. */
    bool forgotten = status == SINTER_EHANDLE && count > 0 && st->depth > 0;
    if (status != wanted && !forgotten)
        world_refute("scope_close", status);
    if (status != SINTER_OK)
        return;
    size_t kept = first;
    for (size_t i = first; i < st->scoped_count; i++) {
        sinter_tensor t = st->scoped[i];
        if (is_among(keep, count, t))
            st->scoped[kept++] = t;
        else
            world_forget(&now, t);
    }
    st->depth--;
    st->scoped_count = st->depth > 0 ? kept : 0;
}

static void end_stream(int at)
{
    stream *st = &now.streams[at];
    standing of = {.dead = false};
    sinter_status status = sinter_stream_destroy(st->s);
    world_judge(&now, "stream_destroy", status, MODEL_SHAPED, of);
    for (size_t i = 0; i < now.held; i++) {
        tensor *t = &now.tensors[i];
        t->mapped = t->mapped && t->home != at;
        t->home = t->home == at ? -1 : t->home;
    }
    st->s = NULL;
}

static void new_stream(int at)
{
    stream *st = &now.streams[at];
    st->depth = 0;
    st->scoped_count = 0;
    if (st->s != NULL)
        end_stream(at);
    sinter_status status = sinter_stream_create(now.ctx, NULL, &st->s);
    world_judge(&now, "stream_create", status, MODEL_SHAPED, (standing){.dead = false});
    if ((status == SINTER_OK) != (st->s != NULL))
        world_refute("stream_create", status);
}

static void count_bytes(void *user, const char *text, size_t bytes)
{
    (void)text;
    *(size_t *)user += bytes;
}

static void report(int at)
{
    size_t bytes = 0;
    sinter_stream *s = now.streams[at].s;
    uint32_t which = take_below(&now, 5);
    sinter_status status = which == 0   ? sinter_report_begin(s)
                           : which == 1 ? sinter_report_write(s, count_bytes, &bytes)
                           : which == 2 ? sinter_kernels_write(s, count_bytes, &bytes)
                           : which == 3 ? sinter_queue_write(s, count_bytes, &bytes)
                                        : sinter_stream_mark(s);
    world_judge(&now, "report", status, MODEL_OPEN, (standing){.dead = false});
}

/* The whole */

static void step(void)
{
    static void (*const others[])(int) = {read_tensor, read_tensor, read_tensor, release,   release,
                                          release,     release,     map,         unmap,     need,
                                          scope_open,  scope_close, report,      new_stream};
    uint32_t which = take_below(&now, 52);
    int at = take_stream();
    if (now.streams[at].s == NULL)
        new_stream(at);
    else if (which < API_MAKERS)
        api_make(which, at);
    else if (which < API_MAKERS + sizeof others / sizeof others[0])
        others[which - API_MAKERS](at);
    else if (which < 48)
        run(at, false);
    else if (which < 50)
        run(at, true);
    else if (which == 50)
        retain();
    else
        new_stream((int)take_below(&now, WORLD_STREAMS));
}

static sinter_context_options take_options(recorder_plan *faults)
{
    static const uint32_t lanes[] = {0, 1, 2, 4, 8, 16};
    sinter_context_options o = SINTER_CONTEXT_OPTIONS_INIT;
    uint8_t b = take(&now);
    *faults = (recorder_plan){0};
    o.device = "host";
    o.debug = 0;
    o.realloc_fn = recorder_realloc;
    o.switches = SINTER_NO_CACHE | SINTER_NO_CLBLAST;
    o.mode = SINTER_MODE_REPRODUCIBLE;
    o.style = (b & 1) != 0 ? SINTER_STYLE_GPU : SINTER_STYLE_CPU;
    if ((b & 2) != 0) {
        o.switches |= take(&now) & 31;
        o.lanes = lanes[take_below(&now, 6)];
        o.memory_mode = (sinter_memory_mode)(1 + take_below(&now, 4));
        o.mode = (sinter_mode)(1 + take_below(&now, 3));
    }
    if ((b & 4) != 0)
        o.budget_bytes = (uint64_t)256 << take_below(&now, 12);
    if ((b & 8) != 0) {
        o.plan_store_bytes = (uint64_t)1 << (8 + take_below(&now, 12));
        o.max_pending_ops = take_below(&now, 24);
        o.max_pending_bytes = (uint64_t)take(&now) * 16;
    }
    if ((b & 0xc0) == 0xc0) {
        uint32_t n = take(&now);
        n = (n < 128 ? n : (n - 127) * 16 + take(&now)) + 1;
        uint32_t kind = take_below(&now, 6);
        *faults = (recorder_plan){.allocation = kind < 4 ? n : 0,
                                  .build = kind == 4 ? n : 0,
                                  .launch = kind == 5 ? n : 0,
                                  .goes_on = (n & 1) != 0};
    }
    return o;
}

/* Schedules that nobody would choose; NULL: the defaults. */
static sinter_profile *take_profile(void)
{
    sinter_profile *p = NULL;
    if (take_below(&now, 4) != 0)
        return NULL;
    if (sinter_profile_open("host", &p) != SINTER_OK)
        world_refute("profile_open", SINTER_OK);
    for (uint32_t n = 1 + take_below(&now, 4); n > 0; n--) {
        sinter_profile_number number = SINTER_PROFILE_NUMBER_INIT;
        uint32_t index = take(&now);
        uint32_t at = take_below(&now, 16);
        if (sinter_profile_get(p, index % 24, &number) != SINTER_OK)
            continue;
        uint32_t value = number.power_of_two != 0 ? number.low << at : number.low + at;
        bool fits = value >= number.low && value <= number.high;
        sinter_status status = sinter_profile_set(p, index % 24, value);
        if (fits != (status == SINTER_OK) && number.power_of_two == 0)
            world_refute("profile_set", status);
    }
    return p;
}

/* Another context, with a tensor that has two references. */
static void open_other(void)
{
    sinter_stream *s;
    sinter_context_options o = SINTER_CONTEXT_OPTIONS_INIT;
    o.device = "host";
    o.switches = SINTER_NO_CACHE;
    if (sinter_context_create(&o, &other) != SINTER_OK ||
        sinter_stream_create(other, NULL, &s) != SINTER_OK ||
        sinter_full(s, SINTER_F32, 0, NULL, sinter_scalar_int(1), &of_other) != SINTER_OK ||
        sinter_tensor_retain(other, of_other) != SINTER_OK)
        abort();
}

/* Everything is let go, in an order that the bytes say; then nothing is left. */
static void close_world(bool streams_first, bool leaves)
{
    for (int at = 0; at < WORLD_STREAMS && streams_first; at++) {
        if (now.streams[at].s != NULL)
            end_stream(at);
    }
    for (int at = 0; at < WORLD_STREAMS && !streams_first; at++) {
        for (size_t i = 0; i < now.held; i++) {
            if (now.tensors[i].mapped && now.tensors[i].home == at)
                world_judge(&now, "unmap",
                            sinter_tensor_unmap(now.streams[at].s, now.tensors[i].handle),
                            MODEL_SHAPED, (standing){.dead = false});
        }
    }
    while (now.held > 0) {
        sinter_tensor handle = now.tensors[0].handle;
        if (!leaves && sinter_tensor_release(NULL, handle) != SINTER_OK)
            world_refute("the last release", SINTER_OK);
        world_forget(&now, handle);
    }
    for (int at = 0; at < WORLD_STREAMS; at++) {
        if (now.streams[at].s != NULL)
            end_stream(at);
    }
    sinter_stats stats = world_stats(&now);
    if (!leaves &&
        (stats.live_tensors != 0 || stats.pool_bytes != 0 || stats.cl_allocated_bytes != 0))
        world_refute("something is left", SINTER_OK);
    sinter_status status = sinter_context_destroy(now.ctx);
    if (status != SINTER_OK)
        world_refute("context_destroy", status);
}

/* NOLINTBEGIN(readability-identifier-naming): the name is libFuzzer's */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    recorder_plan faults;
    if (other == NULL)
        open_other();
    now.data = data;
    now.bytes = bytes;
    sinter_context_options options = take_options(&faults);
    now.budget = options.budget_bytes;
    now.may_lack_memory = faults.allocation > 0;
    now.may_not_build = faults.build > 0;
    now.may_fail = faults.launch > 0;
    now.held = now.died = 0;
    now.foreign = of_other;
    for (int at = 0; at < WORLD_STREAMS; at++)
        now.streams[at].s = NULL;
    uint8_t ending = take(&now);
    sinter_profile *profile = ending >= 128 ? take_profile() : NULL;
    options.profile = profile;
    size_t before = recorder_live();
    recorder_start(faults);
    sinter_status status = sinter_context_create(&options, &now.ctx);
    world_judge(&now, "context_create", status, MODEL_SHAPED, (standing){.dead = false});
    sinter_profile_destroy(profile);
    for (int i = 0; i < CALLS && now.bytes > 0 && status == SINTER_OK; i++)
        step();
    if (status == SINTER_OK)
        close_world((ending & 1) != 0, (ending & 2) != 0);
    recorder_start((recorder_plan){0});
    if (recorder_live() != before)
        world_refute("memory or kernels are left", SINTER_OK);
    return 0;
}
/* NOLINTEND(readability-identifier-naming) */
