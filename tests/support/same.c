#include "support/same.h"

#include "support/support.h"

#include <string.h>

enum { MAX_RESULTS = 16, MAX_BYTES = 1 << 16 };

typedef struct results {
    int count;
    size_t bytes[MAX_RESULTS];
    char data[MAX_RESULTS][MAX_BYTES];
} results;

static void run(const test_device *d, const char *text, results *out)
{
    sinter_program *program;
    sinter_program_place place;
    sinter_tensor made[MAX_RESULTS];
    OK(sinter_program_parse(text, strlen(text), &program, &place));
    out->count = (int)sinter_program_result_count(program);
    assert_true(out->count <= MAX_RESULTS);
    OK(sinter_program_run(program, d->s, NULL, made, &place));
    for (int i = 0; i < out->count; i++) {
        sinter_tensor_desc desc;
        OK(sinter_tensor_describe(d->ctx, made[i], &desc));
        out->bytes[i] = sinter_dtype_bytes(desc.dtype);
        for (int k = 0; k < desc.rank; k++)
            out->bytes[i] *= (size_t)desc.shape[k];
        assert_true(out->bytes[i] <= MAX_BYTES);
        if (sinter_program_result_is_last(program, (size_t)i))
            OK(sinter_tensor_read(d->s, made[i], out->data[i], out->bytes[i]));
        test_release(d, made[i]);
    }
    sinter_program_destroy(program);
}

void test_same_as_host(const char *text)
{
    static results expected;
    static results got;
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.device = "host";
    options.switches = SINTER_NO_FUSE;
    test_device host = test_open(&options);
    test_device device = test_open(NULL);
    run(&host, text, &expected);
    run(&device, text, &got);
    assert_int_equal(test_stats(&device).fallbacks, 0);
    assert_int_equal(expected.count, got.count);
    for (int i = 0; i < got.count; i++) {
        assert_int_equal(expected.bytes[i], got.bytes[i]);
        assert_memory_equal(expected.data[i], got.data[i], got.bytes[i]);
    }
    test_close(&host);
    test_close(&device);
}
