/* Updates against lists of elements: random parts of tensors in every layout replaced by values of any dtype that
 * broadcast to them, of what is held, of what dies, and one after the other. */
#include "oracle/array.h"
#include "oracle/check.h"

#include <stdlib.h>
#include <string.h>

typedef struct scene {
    const test_device *d;
    test_random *random;
    array x;
    char *want;   /* the elements that the result has to have, row-major */
    model region; /* which of them are replaced */
    sinter_range ranges[SINTER_MAX_RANK];
    int range_count;
} scene;

static int pick(scene *s, int limit)
{
    return (int)test_below(s->random, (uint32_t)limit);
}

static sinter_dtype pick_dtype(scene *s)
{
    sinter_dtype dtype = (sinter_dtype)pick(s, SINTER_DTYPE_COUNT);
    return dtype == SINTER_F64 && !check_has_f64(s->d) ? SINTER_F32 : dtype;
}

static void make_x(scene *s)
{
    int64_t shape[SINTER_MAX_RANK];
    int axes[SINTER_MAX_RANK];
    int rank = pick(s, 5);
    for (int i = 0; i < rank; i++) {
        shape[i] = pick(s, 30) == 0 ? 0 : 1 + pick(s, rank > 2 ? 5 : 20);
        axes[i] = (i + 1) % rank;
    }
    array_make(&s->x, s->d, pick_dtype(s), rank, shape, true, s->random);
    if (pick(s, 4) == 0)
        array_transpose(&s->x, axes);
    if (pick(s, 4) == 0)
        array_flip(&s->x);
    s->want = calloc((size_t)s->x.m.count + 1, 8);
    assert_non_null(s->want);
    for (int64_t i = 0; i < s->x.m.count; i++) {
        uint64_t bits = load_bits(s->x.dtype, s->x.data, (size_t)s->x.m.index[i]);
        store_bits(s->x.dtype, bits, s->want, (size_t)i);
    }
}

static int64_t pick_bound(scene *s, int64_t extent)
{
    return pick(s, 3) == 0 ? SINTER_OPEN : pick(s, (int)(2 * extent) + 1) - extent;
}

/* Ranges along some of the axes, in any order. */
static void make_region(scene *s)
{
    static const int64_t steps[] = {1, 1, 1, 2, 3, -1, -2, 100};
    const model *m = &s->x.m;
    int first = m->rank > 0 ? pick(s, m->rank) : 0;
    s->region = model_packed(m->rank, m->shape);
    s->range_count = 0;
    for (int k = 0; k < m->rank; k++) {
        int axis = (first + k) % m->rank;
        if (pick(s, 3) == 0)
            continue;
        sinter_range r = {axis - pick(s, 2) * m->rank, pick_bound(s, m->shape[axis]),
                          pick_bound(s, m->shape[axis]), steps[pick(s, 8)]};
        model_slice(&s->region, axis, r.start, r.stop, r.step);
        s->ranges[s->range_count++] = r;
    }
}

/* A shape that broadcasts to the region's. */
static int value_shape(scene *s, int64_t *shape)
{
    int lead = s->region.rank > 0 ? pick(s, 2) * pick(s, s->region.rank) : 0;
    for (int i = lead; i < s->region.rank; i++)
        shape[i - lead] = pick(s, 4) == 0 ? 1 : s->region.shape[i];
    return s->region.rank - lead;
}

static void replace(const scene *s, const array *value)
{
    model v = model_packed(value->m.rank, value->m.shape);
    model_expand(&v, s->region.rank, s->region.shape);
    assert_int_equal(v.count, s->region.count);
    for (int64_t k = 0; k < v.count; k++) {
        number n = load(value->dtype, value->data, (size_t)v.index[k]);
        store(s->x.dtype, converted(value->dtype, n, s->x.dtype), s->want,
              (size_t)s->region.index[k]);
    }
    model_free(&v);
}

/* One function for each row of the kind: a row without one does not compile. Gives t changed. */
static sinter_tensor update_UPDATE(scene *s, sinter_tensor t)
{
    int64_t shape[SINTER_MAX_RANK];
    array value;
    sinter_tensor out;
    make_region(s);
    int rank = value_shape(s, shape);
    array_make(&value, s->d, pick_dtype(s), rank, shape, true, s->random);
    OK(sinter_update(s->d->s, t, s->range_count, s->ranges, value.t, &out));
    replace(s, &value);
    array_free(&value);
    model_free(&s->region);
    return out;
}

#define UPDATE_MAP(id)
#define UPDATE_COMPARE(id)
#define UPDATE_CAST(id)
#define UPDATE_FILL(id)
#define UPDATE_GENERATE(id)
#define UPDATE_RANDOM(id)
#define UPDATE_VIEW(id)
#define UPDATE_REDUCE(id)
#define UPDATE_SCAN(id)
#define UPDATE_STATE(id)
#define UPDATE_CONTRACT(id)
#define UPDATE_COMPOSITE(id)
#define UPDATE_UPDATE(id) update_##id,

static sinter_tensor (*const updates[])(scene *s, sinter_tensor t) = {
#define SINTER_OP(id, code, name, kind, ...) UPDATE_##kind(id)
#include "core/ops.def"
#undef SINTER_OP
};

static void assert_elements(const scene *s, sinter_tensor t)
{
    size_t bytes = (size_t)s->x.m.count * sinter_dtype_bytes(s->x.dtype);
    char *got = malloc(bytes + 1);
    assert_non_null(got);
    OK(sinter_tensor_read(s->d->s, t, got, bytes));
    for (size_t i = 0; i < (size_t)s->x.m.count; i++)
        assert_int_equal(load_bits(s->x.dtype, got, i), load_bits(s->x.dtype, s->want, i));
    free(got);
}

/* x itself keeps its elements. */
static void assert_kept(const scene *s)
{
    size_t bytes = (size_t)s->x.m.count * sinter_dtype_bytes(s->x.dtype);
    char *got = malloc(bytes + 1);
    assert_non_null(got);
    OK(sinter_tensor_read(s->d->s, s->x.t, got, bytes));
    for (size_t i = 0; i < (size_t)s->x.m.count; i++)
        assert_int_equal(load_bits(s->x.dtype, got, i),
                         load_bits(s->x.dtype, s->x.data, (size_t)s->x.m.index[i]));
    free(got);
}

/* `count` updates one after the other, each of the result before, which dies. */
static void check_scene(const test_device *d, test_random *random, int count)
{
    scene s = {.d = d, .random = random};
    make_x(&s);
    bool holds = pick(&s, 2) == 0;
    sinter_tensor y = s.x.t;
    for (int i = 0; i < count; i++) {
        sinter_tensor next = updates[0](&s, y);
        if (i > 0 || !holds)
            test_release(d, y);
        if (pick(&s, 3) == 0)
            OK(sinter_stream_flush(d->s));
        y = next;
    }
    assert_elements(&s, y);
    test_release(d, y);
    if (holds)
        assert_kept(&s);
    else
        s.x.t.id = 0;
    array_free(&s.x);
    free(s.want);
}

static void parts_are_replaced(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    test_random random = {71};
    int rounds = check_is_thorough() ? 2000 : 25;
    for (int i = 0; i < rounds; i++)
        check_scene(&d, &random, 1 + i % 3);
    test_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
