/* Matrix products against the canonical order: fma in sequence from +0 over chunks of 256 of the
 * inner dimension, the chunks' sums added in order from +0. The same bits, whatever the layout. */
#include "oracle/check.h"
#include "oracle/model.h"

#include <math.h>
#include <stdlib.h>

/* A row of kind CONTRACT without an oracle here does not compile. */
static number product_MATMUL(sinter_dtype work, const number *a, const number *b, int64_t count)
{
    const oracle_row *fused = &oracle_rows[SINTER__OP_FMA];
    sinter_dtype r = register_of(work);
    number total = {0, 0};
    for (int64_t begin = 0; begin < count; begin += 256) {
        number sum = {0, 0};
        for (int64_t k = begin; k < count && k < begin + 256; k++) {
            sum.f = rounded(r, fused->f(work, a[k].f, b[k].f, sum.f));
            sum.i = fused->i(work, a[k].i, b[k].i, sum.i);
        }
        total.f = rounded(r, total.f + sum.f);
        total.i = total.i + sum.i;
    }
    return total;
}

typedef number (*product_fn)(sinter_dtype work, const number *a, const number *b, int64_t count);

#define ROW_MAP(id)
#define ROW_COMPARE(id)
#define ROW_CAST(id)
#define ROW_FILL(id)
#define ROW_GENERATE(id)
#define ROW_RANDOM(id)
#define ROW_VIEW(id)
#define ROW_REDUCE(id)
#define ROW_SCAN(id)
#define ROW_STATE(id)
#define ROW_UPDATE(id)
#define ROW_COMPOSITE(id)
#define ROW_CONTRACT(id) [SINTER__OP_##id] = product_##id,

static const product_fn products[SINTER__OP_END] = {
#define SINTER_OP(id, code, name, kind, ...) ROW_##kind(id)
#include "core/ops.def"
#undef SINTER_OP
};

typedef struct operand {
    sinter_dtype dtype;
    void *data;
    model m;
    sinter_tensor t;
} operand;

/* How an operand lies in memory. */
typedef enum form { PACKED, TRANSPOSED, BACKWARDS, FORMS } form;

/* An operand of `shape`; a base of another shape that a view turns into it, if it is not PACKED. */
static operand make_operand(const test_device *d, sinter_dtype dtype, int rank,
                            const int64_t *shape, form f, test_random *random)
{
    int64_t base[SINTER_MAX_RANK] = {0};
    int axes[SINTER_MAX_RANK] = {0};
    operand x = {.dtype = dtype};
    sinter_tensor t;
    f = rank < 2 && f == TRANSPOSED ? PACKED : f;
    for (int k = 0; k < rank; k++) {
        axes[k] = k;
        base[k] = shape[k];
    }
    if (f == TRANSPOSED) {
        base[rank - 1] = shape[rank - 2];
        base[rank - 2] = shape[rank - 1];
        axes[rank - 1] = rank - 2;
        axes[rank - 2] = rank - 1;
    }
    x.m = model_packed(rank, base);
    x.data = calloc((size_t)x.m.count + 1, 8);
    assert_non_null(x.data);
    for (int64_t i = 0; i < x.m.count; i++)
        store_bits(dtype, samples_moderate(dtype, random), x.data, (size_t)i);
    OK(sinter_tensor_from_host(d->s, dtype, rank, base, x.data, &t));
    x.t = t;
    if (f == TRANSPOSED) {
        OK(sinter_transpose(d->s, t, axes, &x.t));
        model_transpose(&x.m, axes);
    } else if (f == BACKWARDS) {
        OK(sinter_slice(d->s, t, rank - 1, SINTER_OPEN, SINTER_OPEN, -1, &x.t));
        model_slice(&x.m, rank - 1, SINTER_OPEN, SINTER_OPEN, -1);
    }
    if (f != PACKED)
        test_release(d, t);
    return x;
}

static void free_operand(const test_device *d, operand *x)
{
    test_release(d, x->t);
    model_free(&x->m);
    free(x->data);
}

/* NumPy's rule: a vector is a row on the left and a column on the right, and what it lacked is
 * taken out of the result. */
typedef struct product_shape {
    int64_t rows, columns, inner, batch_count;
    model a, b; /* expanded: [batch, rows, inner] and [batch, inner, columns] */
    int rank;
    int64_t shape[SINTER_MAX_RANK];
} product_shape;

static model as_matrices(const model *m, int rank, const int64_t *shape, int batch_rank,
                         const int64_t *batch)
{
    int64_t whole_shape[SINTER_MAX_RANK];
    model out = model_packed(m->rank, m->shape);
    for (int64_t i = 0; i < m->count; i++)
        out.index[i] = m->index[i];
    model_reshape(&out, rank, shape);
    for (int k = 0; k < batch_rank; k++)
        whole_shape[k] = batch[k];
    whole_shape[batch_rank] = shape[rank - 2];
    whole_shape[batch_rank + 1] = shape[rank - 1];
    model_expand(&out, batch_rank + 2, whole_shape);
    return out;
}

static product_shape shape_of(const model *a, const model *b)
{
    product_shape p = {.batch_count = 1};
    int64_t sa[SINTER_MAX_RANK + 1] = {1, 1};
    int64_t sb[SINTER_MAX_RANK + 1] = {1, 1};
    int ra = 0;
    int rb = 0;
    if (a->rank == 1)
        sa[ra++] = 1;
    for (int k = 0; k < a->rank; k++)
        sa[ra++] = a->shape[k];
    for (int k = 0; k < b->rank; k++)
        sb[rb++] = b->shape[k];
    if (b->rank == 1)
        sb[rb++] = 1;
    int batch = (ra > rb ? ra : rb) - 2;
    for (int k = 0; k < batch; k++) {
        int64_t x = k - (batch - (ra - 2)) >= 0 ? sa[k - (batch - (ra - 2))] : 1;
        int64_t y = k - (batch - (rb - 2)) >= 0 ? sb[k - (batch - (rb - 2))] : 1;
        p.shape[p.rank++] = x == 1 ? y : x;
        p.batch_count *= p.shape[k];
    }
    p.a = as_matrices(a, ra, sa, batch, p.shape);
    p.b = as_matrices(b, rb, sb, batch, p.shape);
    p.rows = sa[ra - 2];
    p.inner = sa[ra - 1];
    p.columns = sb[rb - 1];
    if (a->rank > 1)
        p.shape[p.rank++] = p.rows;
    if (b->rank > 1)
        p.shape[p.rank++] = p.columns;
    return p;
}

static number wanted(const product_shape *p, const operand *a, const operand *b, sinter_dtype work,
                     int64_t i, number *x, number *y)
{
    int64_t column = i % p->columns;
    int64_t row = i / p->columns % p->rows;
    int64_t batch = i / p->columns / p->rows;
    for (int64_t k = 0; k < p->inner; k++) {
        int64_t ia = p->a.index[(batch * p->rows + row) * p->inner + k];
        int64_t ib = p->b.index[(batch * p->inner + k) * p->columns + column];
        x[k] = converted(a->dtype, load(a->dtype, a->data, (size_t)ia), work);
        y[k] = converted(b->dtype, load(b->dtype, b->data, (size_t)ib), work);
    }
    return products[SINTER__OP_MATMUL](work, x, y, p->inner);
}

static void check_product(const test_device *d, const operand *a, const operand *b)
{
    sinter_dtype work = oracle_promote(a->dtype, b->dtype);
    product_shape p = shape_of(&a->m, &b->m);
    int64_t count = p.batch_count * p.rows * p.columns;
    size_t bytes = (size_t)count * sinter_dtype_bytes(work);
    number *x = calloc((size_t)p.inner + 1, sizeof *x);
    number *y = calloc((size_t)p.inner + 1, sizeof *y);
    void *got = malloc(bytes + 1);
    sinter_tensor t;
    sinter_tensor_desc desc;
    assert_true(x != NULL && y != NULL && got != NULL);
    OK(sinter_matmul(d->s, a->t, b->t, &t));
    OK(sinter_tensor_describe(d->ctx, t, &desc));
    assert_int_equal(desc.dtype, work);
    assert_int_equal(desc.rank, p.rank);
    for (int k = 0; k < p.rank; k++)
        assert_int_equal(desc.shape[k], p.shape[k]);
    OK(sinter_tensor_read(d->s, t, got, bytes));
    for (int64_t i = 0; i < count; i++) {
        uint64_t bits = 0;
        number want = wanted(&p, a, b, work, i, x, y);
        want.f = rounded(register_of(work), want.f);
        store(work, want, &bits, 0);
        assert_int_equal(load_bits(work, got, (size_t)i), bits);
    }
    test_release(d, t);
    model_free(&p.a);
    model_free(&p.b);
    free(x);
    free(y);
    free(got);
}

typedef struct shapes {
    int rank_a, rank_b;
    int64_t a[SINTER_MAX_RANK], b[SINTER_MAX_RANK];
} shapes;

static void check_shapes(const test_device *d, const shapes *s, sinter_dtype da, sinter_dtype db,
                         form fa, form fb, test_random *random)
{
    operand a = make_operand(d, da, s->rank_a, s->a, fa, random);
    operand b = make_operand(d, db, s->rank_b, s->b, fb, random);
    check_product(d, &a, &b);
    free_operand(d, &a);
    free_operand(d, &b);
}

static const shapes cases[] = {
    {2, 2, {3, 5}, {5, 4}},
    {2, 2, {1, 1}, {1, 1}},
    {2, 2, {17, 33}, {33, 19}},
    {2, 2, {2, 255}, {255, 3}},
    {2, 2, {3, 256}, {256, 2}},
    {2, 2, {7, 257}, {257, 40}},
    {2, 2, {2, 700}, {700, 33}},
    {2, 2, {64, 8}, {8, 48}},
    {1, 2, {6}, {6, 7}},
    {2, 1, {7, 6}, {6}},
    {1, 1, {300}, {300}},
    {3, 3, {4, 3, 5}, {4, 5, 2}},
    {3, 2, {4, 3, 5}, {5, 2}},
    {2, 3, {3, 5}, {4, 5, 2}},
    {4, 3, {2, 1, 3, 5}, {4, 5, 2}},
    {4, 4, {2, 1, 3, 5}, {1, 3, 5, 2}},
    {1, 3, {5}, {4, 5, 2}},
    {3, 1, {4, 2, 5}, {5}},
    {8, 3, {1, 2, 1, 1, 2, 1, 3, 4}, {2, 4, 3}},
    {2, 2, {3, 0}, {0, 4}},
    {2, 2, {0, 3}, {3, 4}},
    {3, 3, {0, 2, 3}, {1, 3, 2}},
};

#define CASES (sizeof cases / sizeof cases[0])

static void products_follow_the_order_in_every_shape(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    test_random random = {41};
    for (size_t i = 0; i < CASES; i++) {
        for (int f = 0; f < FORMS; f++) {
            form other = (form)((f + 1) % FORMS);
            if (check_is_thorough() || f == (int)(i % FORMS))
                check_shapes(&d, &cases[i], SINTER_F32, SINTER_F32, (form)f, other, &random);
        }
        if (check_is_thorough())
            check_shapes(&d, &cases[i], SINTER_F32, SINTER_F32, PACKED, PACKED, &random);
    }
    test_close(&d);
}

static void products_take_every_dtype(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    test_random random = {42};
    bool has_f64 = check_has_f64(&d);
    for (int a = 0; a < SINTER_DTYPE_COUNT; a++) {
        for (int b = 0; b < SINTER_DTYPE_COUNT; b++) {
            bool f64 = a == SINTER_F64 || b == SINTER_F64;
            bool left_out = !check_is_thorough() && (a != b || a % 3 == 0);
            if (left_out || (f64 && !has_f64))
                continue;
            check_shapes(&d, &cases[2], (sinter_dtype)a, (sinter_dtype)b, PACKED, PACKED, &random);
            check_shapes(&d, &cases[11], (sinter_dtype)a, (sinter_dtype)b, TRANSPOSED, PACKED,
                         &random);
        }
    }
    test_close(&d);
}

/* A sum starts from +0: products that vanish below the smallest number leave -0 in a chunk, which
 * the total does not keep. */
static void products_of_special_values_follow_the_order(void **state)
{
    (void)state;
    static const float special[] = {0.0f,     -0.0f,    0x1p-149f, -0x1p-149f, 1.0f,
                                    0x1p127f, INFINITY, -INFINITY, NAN,        -1.0f};
    test_device d = test_open(NULL);
    enum { COUNT = sizeof special / sizeof special[0] };
    const shapes column = {2, 2, {COUNT, 1}, {1, COUNT}};
    const shapes pairs = {2, 2, {COUNT, 2}, {2, COUNT}};
    test_random random = {43};
    operand a = make_operand(&d, SINTER_F32, 2, column.a, PACKED, &random);
    operand b = make_operand(&d, SINTER_F32, 2, column.b, PACKED, &random);
    operand c = make_operand(&d, SINTER_F32, 2, pairs.a, PACKED, &random);
    operand e = make_operand(&d, SINTER_F32, 2, pairs.b, PACKED, &random);
    operand *all[] = {&a, &b, &c, &e};
    for (int k = 0; k < 4; k++) {
        operand *x = all[k];
        for (int64_t i = 0; i < x->m.count; i++)
            ((float *)x->data)[i] = special[(i * 3 + i / COUNT) % COUNT];
        test_release(&d, x->t);
        OK(sinter_tensor_from_host(d.s, SINTER_F32, 2, x->m.shape, x->data, &x->t));
    }
    check_product(&d, &a, &b);
    check_product(&d, &c, &e);
    for (int k = 0; k < 4; k++)
        free_operand(&d, all[k]);
    test_close(&d);
}

static void products_of_shapes_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    static const shapes bad[] = {
        {2, 2, {3, 4}, {5, 3}}, {2, 1, {3, 4}, {3}},          {1, 1, {3}, {4}},
        {0, 2, {0}, {3, 4}},    {3, 3, {2, 3, 4}, {3, 4, 5}}, {2, 0, {3, 4}, {0}},
    };
    test_device d = test_open(NULL);
    test_random random = {44};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        operand a = make_operand(&d, SINTER_F32, bad[i].rank_a, bad[i].a, PACKED, &random);
        operand b = make_operand(&d, SINTER_F32, bad[i].rank_b, bad[i].b, PACKED, &random);
        sinter_tensor t;
        FAILS(SINTER_ESHAPE, sinter_matmul(d.s, a.t, b.t, &t));
        free_operand(&d, &a);
        free_operand(&d, &b);
    }
    test_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_follow_the_order_in_every_shape),
        cmocka_unit_test(products_take_every_dtype),
        cmocka_unit_test(products_of_special_values_follow_the_order),
        cmocka_unit_test(products_of_shapes_that_do_not_fit_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
