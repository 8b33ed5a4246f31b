/* A driver that takes a vload and a vstore apart moves vectors by pointers that are aligned as their elements are: which of
 * the two the kernels have, and that nothing of it shows in the bits. */
#include "support/support.h"

#include "executor/opencl/device.h"
#include "executor/run/instance.h"

static test_device open_on(const char *device, bool splits_vectors)
{
    test_device d = test_open_on(device);
    d.ctx->devices[0].limits.splits_vectors = splits_vectors;
    return d;
}

/* Whole vectors and what is left of a row, rows that begin anywhere, every other element, turned ones, columns. */
static const char *const texts[] = {
    "a = gelu(x) * w",
    "a = exp(x[1:, 3:] + w[3:])",
    "a = x[:, ::2] * 2; b = x[:, ::-2] + 1",
    "a = transpose(x, (1, 0)) + 1",
    "a = x / sum(x, axis=1, keepdims=True)",
    "a = softmax(x, axis=0)",
    "a = cast(x * w, 'f16'); b = cast(x - w, 'i8'); c = x > w",
};

static void compare(bool splits_vectors)
{
    for (size_t i = 0; i < SINTER__COUNT(texts); i++) {
        test_device host = open_on("host", false);
        test_device d = open_on(NULL, splits_vectors);
        const sinter__limits *limits = &d.ctx->devices[0].limits;
        bool has_vectors = limits->style == SINTER_STYLE_CPU;
        test_report_begin(&d);
        test_same_filled(&d, &host, texts[i], 37, 100);
        size_t loads = test_kernels_have(&d, "(p) (*(__global const at_f32x");
        size_t stores = test_kernels_have(&d, "(p) = (");
        size_t calls = test_kernels_have(&d, "(p) vload") - test_kernels_have(&d, "(p) vload_half");
        if (has_vectors) {
            DECIDES(loads > 0, splits_vectors);
            DECIDES(stores > 0, splits_vectors);
            DECIDES(calls > 0, !splits_vectors);
        }
        test_close(&d);
        test_close(&host);
    }
}

static void vectors_are_moved_by_pointers(void **state)
{
    (void)state;
    compare(true);
}

static void or_by_calls(void **state)
{
    (void)state;
    compare(false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_are_moved_by_pointers),
        cmocka_unit_test(or_by_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
