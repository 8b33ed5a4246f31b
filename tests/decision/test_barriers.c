/* The barriers of kernels in which a work-group has a row: as many for several reductions of one phase as
 * for one, as long as their partials fit the local memory that a group has; and the same bits whichever
 * are done together. */
#include "support/text.h"

#include <string.h>

#define ROOM 4000

typedef struct group_case {
    const char *text;
    size_t barriers; /* in its kernel, where a group has 32,768 bytes of local memory */
} group_case;

/* Rows of 20 with vectors of 8 lanes: four work-items to a row, 64 to a group, and a tree of f32 takes
 * 2,048 bytes. Trees of another type count for each of them: with i64, five fit. */
static const group_case cases[] = {
    {"a = sum(x, axis=1)", 2},
    {"a = sum(x, axis=1); b = max(x, axis=1); d = prod(x + 1, axis=1)", 2},
    {"a = sum(x, axis=1); b = max(x, axis=1); d = prod(x, axis=1); e = sum(x * x, axis=1); "
     "f = min(x, axis=1); g = mean(x, axis=1); h = max(x * x, axis=1); i = min(x * x, axis=1); "
     "j = sum(x * x * x, axis=1)",
     2},
    {"a = sum(x, axis=1); b = cast(sum(cast(x * 8, 'i64'), axis=1), 'f32'); d = max(x, axis=1); "
     "e = min(x, axis=1); f = prod(x, axis=1)",
     2},
    {"a = sum(x, axis=1); b = cast(sum(cast(x * 8, 'i64'), axis=1), 'f32'); d = max(x, axis=1); "
     "e = min(x, axis=1); f = prod(x, axis=1); g = mean(x, axis=1)",
     4},
    {"e = exp(x - max(x, axis=1, keepdims=True)); z = e / sum(e, axis=1, keepdims=True)", 4},
    {"p = var(x, axis=1); q = sum(x, axis=1); r = cast(argmax(x, axis=1), 'f32')", 4},
};

/* Compilers take their time: of those on a driver. */
#define DRIVERS_FROM 4

static size_t values_of(const char *text, uint32_t switches, test_text *kernels,
                        sinter_stats *stats, float *out)
{
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.log_fn = test_log;
    options.style = SINTER_STYLE_GPU;
    options.lanes = 8;
    options.switches = switches;
    test_device d = test_open(&options);
    text_run run = text_open(&d, text);
    OK(sinter_report_begin(d.s));
    text_queue(&d, &run);
    OK(sinter_stream_sync(d.s));
    OK(sinter_kernels_write(d.s, test_text_add, kernels));
    *stats = test_stats(&d);
    size_t count = text_read(&d, &run, out, ROOM);
    text_close(&d, &run);
    test_close(&d);
    return count;
}

static bool is_host(void)
{
    sinter_device_info info = SINTER_DEVICE_INFO_INIT;
    test_device d = test_open(NULL);
    OK(sinter_context_device(d.ctx, &info));
    test_close(&d);
    return info.kind == SINTER_DEVICE_HOST;
}

static void reductions_of_a_phase_share_their_barriers(void **state)
{
    (void)state;
    static test_text kernels;
    static float together[ROOM];
    static float apart[ROOM];
    bool host = is_host();
    for (size_t i = host ? 0 : DRIVERS_FROM; i < sizeof cases / sizeof cases[0]; i++) {
        sinter_stats stats;
        kernels.bytes = 0;
        size_t count = values_of(cases[i].text, 0, &kernels, &stats, together);
        size_t barriers = test_occurrences(kernels.data, "barrier(CLK_LOCAL_MEM_FENCE)");
        assert_int_equal(stats.launches, 1);
        if (host && barriers != cases[i].barriers)
            fail_msg("%s: %zu barriers", cases[i].text, barriers);
        kernels.bytes = 0;
        assert_int_equal(values_of(cases[i].text, SINTER_NO_FUSE, &kernels, &stats, apart), count);
        assert_memory_equal(together, apart, count * sizeof *apart);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reductions_of_a_phase_share_their_barriers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
