/* The real CLBlast: values within what theory allows, and one meaning on one device. */
#include "support/products.h"

#include <dlfcn.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIDE 200 /* no multiple of its tiles: operands are copied to be filled up */
#define INNER 260

static const char multiply[] = "y = a @ b";

static void free_profile(sinter_context_options *o)
{
    sinter_profile *p = NULL;
    memcpy(&p, &o->profile, sizeof p);
    sinter_profile_destroy(p);
}

static products_outcome one;
static products_outcome other;

/* Element (i, j) of what is multiplied, exact in f32. */
static double element(size_t i, size_t j, size_t columns)
{
    return (double)((i * columns + j) * 7919 % 2003) / 1024.0 - 1;
}

/* A sum of INNER products in any order is off by at most g times the sum of their sizes, with g =
 * INNER u / (1 - INNER u) (Higham, 2002, section 3.1). */
static double bound_of(double sizes, double unit)
{
    return INNER * unit / (1 - INNER * unit) * sizes;
}

static sinter_tensor make(const test_device *d, sinter_dtype dtype, size_t rows, size_t columns)
{
    static double wide[SIDE * INNER];
    static float narrow[SIDE * INNER];
    const int64_t shape[] = {(int64_t)rows, (int64_t)columns};
    sinter_tensor t;
    for (size_t i = 0; i < rows * columns; i++)
        narrow[i] = (float)(wide[i] = element(0, i, columns));
    OK(sinter_tensor_from_host(d->s, dtype, 2, shape,
                               dtype == SINTER_F64 ? (const void *)wide : (const void *)narrow,
                               &t));
    return t;
}

static void assert_product(sinter_dtype dtype, const void *data)
{
    for (size_t i = 0; i < SIDE; i++) {
        for (size_t j = 0; j < SIDE; j++) {
            double sum = 0;
            double sizes = 0;
            for (size_t k = 0; k < INNER; k++) {
                double term = element(i, k, INNER) * element(k, j, SIDE);
                sum += term;
                sizes += fabs(term);
            }
            bool wide = dtype == SINTER_F64;
            double got = wide ? ((const double *)data)[i * SIDE + j]
                              : (double)((const float *)data)[i * SIDE + j];
            /* the sum here is off as well */
            double bound = bound_of(sizes, wide ? DBL_EPSILON / 2 : FLT_EPSILON / 2) +
                           bound_of(sizes, DBL_EPSILON / 2);
            assert_true(fabs(got - sum) <= bound);
        }
    }
}

static void values_of(sinter_dtype dtype)
{
    static double data[SIDE * SIDE];
    sinter_context_options o = products_options(SINTER_MODE_NATIVE, 1);
    test_device d = test_open(&o);
    sinter_tensor y;
    sinter_tensor a = make(&d, dtype, SIDE, INNER);
    sinter_tensor b = make(&d, dtype, INNER, SIDE);
    test_report_begin(&d);
    OK(sinter_matmul(d.s, a, b, &y));
    OK(sinter_tensor_read(d.s, y, data, SIDE * SIDE * sinter_dtype_bytes(dtype)));
    assert_non_null(strstr(test_report(&d), "by CLBlast"));
    assert_non_null(strstr(test_report(&d), "    measured "));
    assert_null(strstr(test_report(&d), "CLBlast failed"));
    assert_product(dtype, data);
    test_release(&d, a);
    test_release(&d, b);
    test_release(&d, y);
    test_close(&d);
    free_profile(&o);
}

static void values_of_f32(void **state)
{
    (void)state;
    values_of(SINTER_F32);
}

static void values_of_f64(void **state)
{
    (void)state;
    if (!products_has_f64())
        skip();
    values_of(SINTER_F64);
}

/* By rows and by columns, views before and after, batches, with and without scratch. */
static void native_has_one_meaning_on_a_device(void **state)
{
    (void)state;
    static const char *const programs[] = {
        "t = (a + 1) @ b; u = relu(t) * 2; y = transpose(u) @ (u - 1); release t; release u",
        "t = (n * 2) @ p; y = reshape(transpose(t), (80, 144)) @ (n + 1); release t",
        "y = (e + 1) @ g; z = sum(e @ b[0:96], axis=0)",
    };
    static const uint32_t switches[] = {SINTER_NO_FUSE, SINTER_FLUSH_EVERY_OP, SINTER_NO_REUSE};
    sinter_context_options o = products_options(SINTER_MODE_NATIVE, 1);
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        o.switches = 0;
        products_once(programs[i], &o, &one);
        assert_non_null(strstr(one.report, "by CLBlast"));
        for (size_t k = 0; k < sizeof switches / sizeof switches[0]; k++) {
            o.switches = switches[k];
            products_once(programs[i], &o, &other);
            products_assert_same(&one, &other);
        }
    }
    free_profile(&o);
}

/* The next context's products do not meet what was kept for the last one's. */
static void contexts_come_and_go(void **state)
{
    (void)state;
    sinter_context_options o = products_options(SINTER_MODE_NATIVE, 1);
    products_run stays = products_open(multiply, &o);
    products_again(&stays);
    products_read(&stays, &one);
    for (int i = 0; i < 2; i++) {
        products_once(multiply, &o, &other);
        products_assert_same(&one, &other);
    }
    products_again(&stays);
    products_read(&stays, &other);
    products_assert_same(&one, &other);
    products_close(&stays);
    free_profile(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_f32),
        cmocka_unit_test(values_of_f64),
        cmocka_unit_test(native_has_one_meaning_on_a_device),
        cmocka_unit_test(contexts_come_and_go),
    };
    if (dlopen("libclblast.so.1", RTLD_NOW | RTLD_LOCAL) == NULL) {
        print_message("libclblast.so.1 is not installed\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
