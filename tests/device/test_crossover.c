/* From where on a product is CLBlast's is measured: the one for tests, which computes nothing, is
 * faster at the smallest product that is tried. */
#include "support/products.h"

#include <string.h>

static test_text text;

/* The costs come after the products, and are not wanted. */
static bool ends_with_products(void *user, double done, const char *what)
{
    (void)user, (void)done;
    return strncmp(what, "costs", 5) != 0;
}

static void the_smallest_that_is_faster(void **state)
{
    (void)state;
    sinter_profile *p = NULL;
    sinter_measure_options o = SINTER_MEASURE_OPTIONS_INIT;
    o.seconds = 60; /* CLBlast may build its kernels for a while: not with less */
    o.tick = ends_with_products;
    OK(sinter_profile_open(NULL, &p));
    OK(sinter_profile_reset(p));
    OK(sinter_profile_measure(p, &o));
    OK(sinter_profile_write(p, test_text_add, &text));
    assert_non_null(strstr(text.data, "clblast_f32 = 16777216 "));
    sinter_profile_destroy(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_smallest_that_is_faster)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
