/* No CLBlast that can be used: the log says why, and sinter's own kernels compute. The argument is
 * what the reason has to have in it. */
#include "support/products.h"

#include <string.h>

static const char *wanted;
static int told;

static void note(void *user, int level, const char *message)
{
    (void)user;
    if (strstr(message, "CLBlast: not used: ") == NULL)
        return;
    assert_int_equal(level, 1);
    assert_non_null(strstr(message, wanted));
    told++;
}

static void ours_compute(void **state)
{
    (void)state;
    static products_outcome one;
    static products_outcome other;
    sinter_context_options o = products_options(SINTER_MODE_REPRODUCIBLE, 1);
    sinter_profile *p = NULL;
    o.log_fn = note;
    o.debug = 1;
    products_once("y = a @ b", &o, &one);
    assert_int_equal(told, 0);
    o.mode = SINTER_MODE_NATIVE;
    products_once("y = a @ b", &o, &other);
    assert_int_equal(told, 1);
    assert_null(strstr(other.report, "CLBlast"));
    products_assert_same(&one, &other);
    memcpy(&p, &o.profile, sizeof p);
    sinter_profile_destroy(p);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ours_compute)};
    wanted = argc > 1 ? argv[1] : "";
    return cmocka_run_group_tests(tests, NULL, NULL);
}
