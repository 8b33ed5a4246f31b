/* Integers are divided as doubles where a CPU has those in vectors: next to whole quotients, which rounding must not
 * reach, and with the largest and the smallest numbers, it is the host's integer division. */
#include "support/same.h"
#include "support/support.h"

/* q * d - 1, q * d and q * d + 1 by d, for products all over 32 bits. */
static void next_to_whole_numbers(void **state)
{
    (void)state;
    test_same_as_host(
        "i = cast(arange(4001), 'u32') * 1073807361; d = (i >> 16) | 1; q = i & 65535; "
        "w = q * d; a = w // d; b = (w - 1) // d; c = (w + 1) // d; e = (w - 1) % d; "
        "f = w % d");
    test_same_as_host(
        "i = cast(arange(4001), 'i32') * 1073807361; d = (i >> 16) | 1; q = (i & 65535) - 32768; "
        "w = q * d; a = w // d; b = (w - 1) // d; c = (w + 1) // d; e = (w - 1) % d; "
        "f = w % d");
}

static void the_largest_and_the_smallest(void **state)
{
    (void)state;
    test_same_as_host("u = cast(arange(33), 'u32') * 134217728 - 1; a = u[:, None] // u[None]; "
                      "b = u[:, None] % u[None]; c = u // 4294967295; d = u // 1; e = 4294967295 "
                      "// (u + 1); f = u // 0");
    test_same_as_host(
        "i = cast(arange(33), 'i32') * 134217728; a = i[:, None] // (i[None] - 1); "
        "b = i[:, None] % (i[None] - 1); c = i // -1; d = i % -1; e = (i - 1) // 2; f = i // 0");
    test_same_as_host(
        "u = cast(arange(256), 'u8'); v = cast(arange(256), 'i8'); a = u[:, None] // u[None, "
        "100:120]; "
        "b = v[:, None] // v[None, 120:140]; c = v[:, None] % v[None, 120:140]; "
        "d = cast(u, 'i64') * 4611686018427387 // 7; e = cast(u, 'u16') * 257 // 255");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(next_to_whole_numbers),
        cmocka_unit_test(the_largest_and_the_smallest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
