/* Plans kept by the values of their symbols, against a list that is searched from its end. */
#include "support/support.h"

#include "memory/bindings.h"

#include <stdlib.h>
#include <string.h>

#define SYMBOLS 2
#define MOST 5

typedef struct model {
    int64_t keys[4096][SYMBOLS];
    size_t count; /* of uses, the last one at the end */
} model;

/* Whether the key is one of the MOST that were used last. */
static bool is_kept(const model *m, const int64_t *key)
{
    size_t others = 0;
    for (size_t i = m->count; i > 0; i--) {
        bool is_first = true;
        if (memcmp(m->keys[i - 1], key, sizeof m->keys[0]) == 0)
            return others < MOST;
        for (size_t k = i; k < m->count; k++)
            is_first &= memcmp(m->keys[i - 1], m->keys[k], sizeof m->keys[0]) != 0;
        others += is_first;
    }
    return false;
}

static void the_least_recently_used_goes(void **state)
{
    (void)state;
    static model m;
    sinter__bindings b;
    size_t bytes = sinter__bindings_bytes(SYMBOLS, MOST, 16);
    unsigned char *block = malloc(bytes);
    assert_non_null(block);
    sinter__bindings_init(&b, SYMBOLS, MOST, 16, NULL, block);
    test_random r = {1};
    for (m.count = 0; m.count < 4096; m.count++) {
        int64_t key[SYMBOLS] = {test_below(&r, 3), (int64_t)test_below(&r, 3) << 40};
        int64_t *value = sinter__bindings_find(&b, key);
        assert_true((value != NULL) == is_kept(&m, key));
        if (value == NULL) {
            value = sinter__bindings_add(&b, key);
            memcpy(value, key, sizeof key);
        }
        assert_memory_equal(value, key, sizeof key);
        memcpy(m.keys[m.count], key, sizeof key);
    }
    assert_true(b.found > 1000 && b.missed > 1000);
    assert_int_equal(b.found + b.missed, 4096);
    free(block);
}

static void a_symbol_that_grows_meets_the_plan_of_its_bucket(void **state)
{
    (void)state;
    const int64_t steps[SYMBOLS] = {0, 64};
    sinter__bindings b;
    size_t bytes = sinter__bindings_bytes(SYMBOLS, MOST, 16);
    unsigned char *block = malloc(bytes);
    assert_non_null(block);
    uint32_t wrong = UINT32_MAX;
    sinter__bindings_init(&b, SYMBOLS, MOST, 16, steps, block);
    for (int64_t i = 0; i <= 256; i++) {
        int64_t key[SYMBOLS] = {7, i};
        assert_true(sinter__bindings_round(&b, key, &wrong));
        assert_true(key[0] == 7 && key[1] >= i && key[1] < i + 64 && key[1] % 64 == 0);
        if (sinter__bindings_find(&b, key) == NULL)
            (void)sinter__bindings_add(&b, key);
    }
    assert_int_equal(b.missed, 5); /* 0, 64, 128, 192, 256 */
    int64_t key[SYMBOLS] = {0, INT64_MAX};
    assert_false(sinter__bindings_round(&b, key, &wrong));
    assert_int_equal(wrong, 1);
    free(block);
    assert_int_equal(sinter__bindings_bytes(UINT32_MAX, UINT32_MAX, SIZE_MAX), 0);
    assert_int_equal(sinter__bindings_bytes(1, UINT32_MAX, SIZE_MAX / 8), 0);
}

/* With no symbols there is one binding. */
static void no_symbols(void **state)
{
    (void)state;
    max_align_t block[16];
    sinter__bindings b;
    int64_t nothing[1] = {0};
    assert_true(sinter__bindings_bytes(0, 1, 16) <= sizeof block);
    sinter__bindings_init(&b, 0, 1, 16, NULL, block);
    assert_null(sinter__bindings_find(&b, nothing));
    void *value = sinter__bindings_add(&b, nothing);
    assert_ptr_equal(sinter__bindings_find(&b, nothing), value);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_least_recently_used_goes),
        cmocka_unit_test(a_symbol_that_grows_meets_the_plan_of_its_bucket),
        cmocka_unit_test(no_symbols),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
