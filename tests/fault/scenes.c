/* The scenes. Each is small, because the sweeps play it hundreds of times, and differs from the
 * others in the part of the library that it goes through. */
#include "fault/scene.h"

#define HOLD(call) scene_hold(x, (call), &out)
static const int64_t row[] = {40};
static const int64_t table[] = {6, 40};

static void round_trip(scene *x)
{
    sinter_tensor a;
    sinter_tensor b;
    sinter_tensor none;
    const int64_t empty[] = {0, 3};
    if (!scene_upload(x, x->s, 2, table, 1, &a) || !scene_upload(x, x->s, 0, NULL, 2, &b) ||
        !scene_upload(x, x->s, 2, empty, 3, &none))
        return;
    (void)scene_read(x, x->s, a, 240);
    (void)scene_read(x, x->s, b, 1);
    (void)scene_read(x, x->s, none, 0);
}

static void chain(scene *x)
{
    sinter_tensor a;
    sinter_tensor b;
    sinter_tensor out;
    if (!scene_upload(x, x->s, 2, table, 1, &a) || !scene_upload(x, x->s, 1, row, 2, &b))
        return;
    if (!HOLD(sinter_mul_scalar(x->s, a, 1.5, &out)) || !HOLD(sinter_add(x->s, out, b, &out)) ||
        !HOLD(sinter_sigmoid(x->s, out, &out)) || !HOLD(sinter_sub(x->s, out, a, &out)))
        return;
    (void)scene_read(x, x->s, out, 240);
    (void)scene_read(x, x->s, a, 240);
}

static void reduction(scene *x)
{
    sinter_tensor a;
    sinter_tensor out;
    const int64_t tall[] = {7000};
    const int axis[] = {0};
    if (!scene_upload(x, x->s, 1, tall, 1, &a) || !HOLD(sinter_square(x->s, a, &out)) ||
        !HOLD(sinter_sum(x->s, out, 0, NULL, false, &out)) || !HOLD(sinter_sqrt(x->s, out, &out)))
        return;
    (void)scene_read(x, x->s, out, 1);
    if (!scene_upload(x, x->s, 2, table, 2, &a) ||
        !HOLD(sinter_max(x->s, a, 1, axis, true, &out)) || !HOLD(sinter_sub(x->s, a, out, &out)) ||
        !HOLD(sinter_mean(x->s, out, 1, axis, false, &out)))
        return;
    (void)scene_read(x, x->s, out, 40);
}

/* A formula gives back what it has made, wherever it ends. */
static void composition(scene *x)
{
    sinter_tensor a;
    sinter_tensor out;
    sinter_tensor place;
    const int axis[] = {1};
    if (!scene_upload(x, x->s, 2, table, 1, &a) || !HOLD(sinter_softmax(x->s, a, 1, axis, &out)) ||
        !scene_hold(x, sinter_argmax(x->s, out, 1, axis, false, &place), &place))
        return;
    (void)scene_read(x, x->s, out, 240);
}

static void product(scene *x)
{
    sinter_tensor a;
    sinter_tensor b;
    sinter_tensor out;
    const int64_t left[] = {5, 9};
    const int64_t right[] = {9, 7};
    if (!scene_upload(x, x->s, 2, left, 1, &a) || !scene_upload(x, x->s, 2, right, 2, &b) ||
        !HOLD(sinter_matmul(x->s, a, b, &out)) || !HOLD(sinter_relu(x->s, out, &out)))
        return;
    (void)scene_read(x, x->s, out, 35);
}

/* A tensor is used, read and released on streams that are not its own; one outlives its stream. */
static void streams(scene *x)
{
    sinter_tensor a;
    sinter_tensor b;
    sinter_tensor out;
    for (int i = 1; i < 3; i++) {
        if (!scene_did(x, sinter_stream_create(x->ctx, NULL, &x->streams[i])))
            return;
    }
    if (!scene_upload(x, x->s, 1, row, 1, &a) || !HOLD(sinter_neg(x->s, a, &out)))
        return;
    b = out;
    if (!HOLD(sinter_add(x->streams[1], a, b, &out)) ||
        !HOLD(sinter_mul(x->streams[2], out, b, &out)))
        return;
    scene_drop(x, x->streams[2], a);
    (void)scene_did(x, sinter_stream_destroy(x->streams[2]));
    x->streams[2] = NULL;
    (void)scene_read(x, x->streams[1], out, 40);
    scene_drop(x, NULL, b);
    (void)scene_did(x, sinter_stream_sync(x->s));
}

static void scopes(scene *x)
{
    sinter_tensor a;
    sinter_tensor b;
    sinter_tensor out;
    if (!scene_upload(x, x->s, 1, row, 1, &a))
        return;
    for (int i = 0; i < 3; i++) {
        if (!scene_did(x, sinter_scope_open(x->s)))
            return;
        out = (sinter_tensor){0};
        bool made = scene_did(x, sinter_exp(x->s, a, &b)) &&
                    scene_did(x, sinter_add(x->s, b, a, &b)) &&
                    scene_did(x, sinter_log1p(x->s, b, &out));
        OK(sinter_scope_close(x->s, made ? 1 : 0, &out));
        if (!made)
            return;
        x->held[x->held_count++] = out;
    }
    (void)scene_read(x, x->s, out, 40);
}

/* A step that takes the place of its own input, over and over: planned, stored, replayed. */
static void replay(scene *x)
{
    sinter_tensor a;
    sinter_tensor w;
    sinter_tensor out;
    if (!scene_upload(x, x->s, 2, table, 1, &a) || !scene_upload(x, x->s, 1, row, 2, &w))
        return;
    for (int i = 0; i < 6; i++) {
        sinter_tensor product;
        if (!scene_hold(x, sinter_mul(x->s, a, w, &product), &product) ||
            !HOLD(sinter_add_scalar(x->s, product, 0.25, &out)))
            return;
        scene_drop(x, x->s, product);
        scene_drop(x, x->s, a);
        a = out;
        if (i % 2 == 1)
            (void)scene_read(x, x->s, a, 240);
        else
            (void)scene_did(x, sinter_stream_flush(x->s));
    }
}

static void views(scene *x)
{
    sinter_tensor a;
    sinter_tensor out;
    const int64_t flat[] = {120};
    if (!scene_upload(x, x->s, 2, table, 1, &a) || !HOLD(sinter_transpose(x->s, a, NULL, &out)) ||
        !HOLD(sinter_slice(x->s, out, 0, SINTER_OPEN, SINTER_OPEN, -2, &out)) ||
        !HOLD(sinter_reshape(x->s, out, 1, flat, &out)) || !HOLD(sinter_floor(x->s, out, &out)))
        return;
    (void)scene_read(x, x->s, out, 120);
    if (!HOLD(sinter_flip(x->s, a, 0, NULL, &out)))
        return;
    (void)scene_read(x, x->s, out, 240);
}

/* More memory than the first slab holds. */
static void large(scene *x)
{
    sinter_tensor a;
    sinter_tensor out;
    const int64_t many[] = {600, 600};
    const int axis[] = {1};
    if (!HOLD(sinter_full(x->s, SINTER_F32, 2, many, sinter_scalar_float(0.5), &out)))
        return;
    a = out;
    if (!scene_did(x, sinter_stream_flush(x->s)) ||
        !HOLD(sinter_mean(x->s, a, 1, axis, false, &out)))
        return;
    (void)scene_read(x, x->s, out, 600);
}

/* Products that do not fit its budget at once: cut where they do. It has room for three of them at any alignment up to
 * 512 bytes. */
static void tight(scene *x)
{
    const int64_t side[] = {40, 40};
    sinter_memory_need need = SINTER_MEMORY_NEED_INIT;
    sinter_tensor a;
    sinter_tensor last;
    sinter_tensor out;
    if (!scene_upload(x, x->s, 2, side, 1, &a) || !HOLD(sinter_matmul(x->s, a, a, &out)))
        return;
    for (int i = 0; i < 3; i++) {
        last = out;
        if (!HOLD(sinter_matmul(x->s, last, a, &out)))
            return;
        scene_drop(x, x->s, last);
    }
    if (scene_did(x, sinter_stream_memory_need(x->s, &need)) && test_is_plain())
        assert_true(need.segments > 1);
    (void)scene_read(x, x->s, out, 1600);
}

/* Several results, some of them never read; work that is pending when the stream ends. */
static void pending(scene *x)
{
    sinter_tensor a;
    sinter_tensor b;
    sinter_tensor out;
    if (!scene_upload(x, x->s, 1, row, 1, &a) || !HOLD(sinter_sin(x->s, a, &out)))
        return;
    b = out;
    if (!HOLD(sinter_cos(x->s, a, &out)))
        return;
    (void)scene_read(x, x->s, b, 40);
    if (!HOLD(sinter_tanh(x->s, out, &out)) || !HOLD(sinter_maximum(x->s, out, b, &out)))
        return;
}

/* Integers, halves and bytes; a conversion that is read through another dtype. */
static void dtypes(scene *x)
{
    sinter_tensor a;
    sinter_tensor out;
    if (!scene_upload(x, x->s, 1, row, 1, &a) || !HOLD(sinter_cast(x->s, a, SINTER_F16, &out)) ||
        !HOLD(sinter_mul_scalar(x->s, out, 100.0, &out)) ||
        !HOLD(sinter_cast(x->s, out, SINTER_I16, &out)) || !HOLD(sinter_abs(x->s, out, &out)) ||
        !HOLD(sinter_cast(x->s, out, SINTER_F32, &out)))
        return;
    (void)scene_read(x, x->s, out, 40);
}

/* More operations than a queue of eight holds, and no read in between. */
static void long_queue(scene *x)
{
    sinter_tensor a;
    sinter_tensor out;
    if (!scene_upload(x, x->s, 1, row, 1, &a))
        return;
    out = a;
    for (int i = 0; i < 20; i++) {
        sinter_tensor before = out;
        if (!HOLD(sinter_mul_scalar(x->s, before, i % 2 == 0 ? 0.5 : 2.0, &out)))
            return;
        if (i > 0)
            scene_drop(x, x->s, before);
    }
    (void)scene_read(x, x->s, out, 40);
}

/* Everything that tells what happened. */
/* Two sizes that share a launch; each result takes over the storage of its input. */
static void list(scene *x)
{
    sinter_tensor in[2];
    sinter_tensor out[2];
    const int64_t *const shapes[] = {row, table};
    const size_t counts[] = {40, 240};
    for (int i = 0; i < 2; i++) {
        if (!scene_upload(x, x->s, i + 1, shapes[i], (unsigned)i + 1, &in[i]))
            return;
    }
    for (int i = 0; i < 2; i++) {
        sinter_tensor twice;
        if (!scene_hold(x, sinter_mul_scalar(x->s, in[i], 2.0, &twice), &twice) ||
            !scene_hold(x, sinter_exp(x->s, twice, &out[i]), &out[i]))
            return;
        scene_drop(x, x->s, twice);
        scene_drop(x, x->s, in[i]);
    }
    for (int i = 0; i < 2; i++)
        (void)scene_read(x, x->s, out[i], counts[i]);
}

/* More sizes than arguments are for: the rows are written for the launch. */
static void long_list(scene *x)
{
    enum { ROWS = 66 };
    sinter_tensor in;
    sinter_tensor out[ROWS];
    const int64_t tall[] = {200};
    if (!scene_upload(x, x->s, 1, tall, 1, &in))
        return;
    for (int i = 0; i < ROWS; i++) {
        sinter_tensor part;
        if (!scene_hold(x, sinter_slice(x->s, in, 0, i, 200, 1, &part), &part) ||
            !scene_hold(x, sinter_mul_scalar(x->s, part, 2.0, &out[i]), &out[i]))
            return;
        scene_drop(x, x->s, part);
    }
    for (int i = 0; i < ROWS; i += ROWS - 1)
        (void)scene_read(x, x->s, out[i], 200 - (size_t)i);
}

/* x with four elements from `start` on replaced by v. */
static bool change(scene *x, sinter_tensor t, int64_t start, sinter_tensor v, sinter_tensor *out)
{
    const sinter_range range = {.axis = 0, .start = start, .stop = start + 4, .step = 1};
    return scene_hold(x, sinter_update(x->s, t, 1, &range, v, out), out);
}

/* State that is changed where it lies, twice in a segment, and a copy of what is held. */
static void updates(scene *x)
{
    sinter_tensor state;
    sinter_tensor v;
    sinter_tensor twice;
    sinter_tensor first;
    sinter_tensor second;
    sinter_tensor copy;
    sinter_tensor sum;
    const int64_t four[] = {4};
    if (!scene_upload(x, x->s, 1, row, 1, &state) || !scene_upload(x, x->s, 1, four, 2, &v))
        return;
    for (int i = 0; i < 2; i++) {
        if (!scene_hold(x, sinter_mul_scalar(x->s, v, 2.0, &twice), &twice) ||
            !change(x, state, 3 + i, twice, &first) ||
            !scene_hold(x, sinter_sum(x->s, first, 0, NULL, false, &sum), &sum) ||
            !change(x, first, 20, v, &second) || !change(x, second, 5, v, &copy))
            return;
        scene_drop(x, x->s, twice);
        scene_drop(x, x->s, state);
        scene_drop(x, x->s, first);
        (void)scene_read(x, x->s, copy, 40);
        (void)scene_read(x, x->s, sum, 1);
        (void)scene_read(x, x->s, second, 40);
        state = second;
    }
}

/* Mapped, written, unmapped, and what was written computed with. */
static void mapping(scene *x)
{
    sinter_tensor a;
    sinter_tensor out;
    void *data;
    size_t bytes;
    if (!scene_hold(x, sinter_full(x->s, SINTER_F32, 1, row, sinter_scalar_float(2.0), &a), &a) ||
        !scene_did(x, sinter_tensor_map(x->s, a, SINTER_MAP_WRITE, &data, &bytes)))
        return;
    ((float *)data)[3] = 7.0f;
    if (!scene_did(x, sinter_tensor_unmap(x->s, a)) || !HOLD(sinter_exp(x->s, a, &out)))
        return;
    (void)scene_read(x, x->s, out, 40);
}

static void swallow(void *user, const char *text, size_t bytes)
{
    size_t *total = user;
    assert_non_null(text);
    *total += bytes;
}

static void swallow_step(void *user, const sinter_step_memory *step)
{
    swallow(user, step->text, 1);
}

static void swallow_tensor(void *user, const sinter_tensor_memory *tensor)
{
    size_t *total = user;
    *total += tensor->bytes;
}

static void reports(scene *x)
{
    sinter_tensor a;
    sinter_tensor out;
    size_t bytes = 0;
    const sinter_memory_visitor visitor = {
        .size = sizeof visitor, .step = swallow_step, .tensor = swallow_tensor};
    if (!scene_did(x, sinter_report_begin(x->s)) || !scene_upload(x, x->s, 1, row, 1, &a) ||
        !HOLD(sinter_square(x->s, a, &out)) || !HOLD(sinter_sum(x->s, out, 0, NULL, false, &out)))
        return;
    (void)scene_did(x, sinter_queue_write(x->s, swallow, &bytes));
    (void)scene_read(x, x->s, out, 1);
    (void)scene_did(x, sinter_report_write(x->s, swallow, &bytes));
    (void)scene_did(x, sinter_kernels_write(x->s, swallow, &bytes));
    (void)scene_did(x, sinter_report_memory(x->s, &visitor, &bytes));
}

/* clang-format off */
#define NO_BUDGET(name) {#name, name, 0}
const scene_entry scenes[] = {
    NO_BUDGET(round_trip),  NO_BUDGET(chain),   NO_BUDGET(reduction),
    NO_BUDGET(composition), NO_BUDGET(product), NO_BUDGET(streams),
    NO_BUDGET(scopes),      NO_BUDGET(replay),  NO_BUDGET(views),
    NO_BUDGET(large),       NO_BUDGET(pending), NO_BUDGET(dtypes),
    NO_BUDGET(long_queue),  NO_BUDGET(mapping), NO_BUDGET(reports),
    NO_BUDGET(list),        NO_BUDGET(updates), NO_BUDGET(long_list),
    {"tight", tight, 3 * 6656 + 512},
};
/* clang-format on */
const size_t scene_count = sizeof scenes / sizeof scenes[0];
