/* A program's functions: each once, callees first, however many there are. */
#include "support/support.h"

#include "executor/context/context.h"
#include "fusion/library/library.h"

#include <stdio.h>
#include <string.h>

/* Twice, for every dtype and number of lanes. What these call comes on top: by far more than kernels of a batch
 * want. */
static const char *const functions[] = {"load_tail",    "store_tail", "load_strided", "load_pieces",
                                        "store_pieces", "load_back",  "merge"};

static void list_needs(sinter__buffer *needs)
{
    for (unsigned class_ = SINTER__LIBRARY_MEMORY; class_ < SINTER__LIBRARY_MEMORY_WIDE; class_++) {
        for (unsigned lanes = 2; lanes <= 16; lanes *= 2) {
            for (size_t f = 0; f < SINTER__COUNT(functions); f++)
                sinter__buffer_printf(needs, "%u:%u:%s\n", class_, lanes, functions[f]);
        }
    }
}

static void any_number_of_functions(void **state)
{
    (void)state;
    test_device d = test_open_on("host");
    sinter__buffer needs;
    sinter__buffer text;
    sinter__buffer_init(&needs, &d.ctx->allocator);
    sinter__buffer_init(&text, &d.ctx->allocator);
    list_needs(&needs);
    list_needs(&needs);
    OK(sinter__program_print(sinter__buffer_text(&needs), "kernels", &d.ctx->devices[0].limits,
                             &text));
    for (unsigned class_ = SINTER__LIBRARY_MEMORY; class_ < SINTER__LIBRARY_MEMORY_WIDE; class_++) {
        for (unsigned lanes = 2; lanes <= 16; lanes *= 2) {
            char own[SINTER__LIBRARY_NAME];
            char called[SINTER__LIBRARY_NAME];
            char line[SINTER__LIBRARY_NAME + 32];
            sinter__library_name(own, (sinter__library_class)class_, lanes, "load_tail", 9);
            sinter__library_name(called, (sinter__library_class)class_, lanes, "load_rest", 9);
            (void)snprintf(line, sizeof line, " %s(__global", own);
            assert_int_equal(test_occurrences(text.text, line), 1);
            (void)snprintf(line, sizeof line, " %s(__global", called);
            assert_int_equal(test_occurrences(text.text, line), 1);
            assert_true(strstr(text.text, line) < strstr(text.text, own));
        }
    }
    assert_string_equal(strstr(text.text, "kernels"), "kernels");
    sinter__buffer_finish(&needs);
    sinter__buffer_finish(&text);
    test_close(&d);
}

static void what_there_is_not_is_named(void **state)
{
    (void)state;
    test_device d = test_open_on("host");
    sinter__buffer text;
    sinter__buffer_init(&text, &d.ctx->allocator);
    FAILS(SINTER_EINTERNAL,
          sinter__program_print("0:1:no_such_one\n", "", &d.ctx->devices[0].limits, &text));
    assert_non_null(strstr(sinter_last_error(), "no_such_one"));
    sinter__buffer_finish(&text);
    test_close(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_functions),
        cmocka_unit_test(what_there_is_not_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
