/* Matrix products in every form that a GPU's schedules can give them: the bits of the host, whatever is
 * left over at the edges and however the operands lie. */
#include "support/support.h"

#include <string.h>

enum { ELEMENTS = 1 << 15, ROOM = 1 << 14, SIDE = 64, INSIDE = 37 };

/* x is [32768]; z is [64,64], infinite outside of its first 37 rows and columns. */
static const char *const programs[] = {
    /* rows, columns and steps that are left over, and work on the result */
    "y = relu(reshape(x[:2046], (62, 33)) @ reshape(x[5000:6980], (33, 60)) + x[:60])",
    /* the left operand lies along the rows, the right one along the steps, both from an offset */
    "y = transpose(reshape(x[3:2313], (33, 70))) @ transpose(reshape(x[5001:6651], (50, 33)))",
    "y = transpose(reshape(x[:4096], (64, 64)))[1:62, 3:] @ reshape(x[7:4103], (64, 64))[3:, ::-2]",
    /* what lies beside the operands is not read */
    "y = z[:37, :37] @ z[:37, :37]; w = transpose(z[:37, :36]) @ transpose(z[:35, :37])",
    /* a batch; one right operand for all; one left row for all */
    "y = reshape(x[:1230], (3, 10, 41)) @ reshape(x[9:1239], (3, 41, 10)); "
    "w = reshape(x[:1230], (3, 10, 41)) @ reshape(x[9:460], (41, 11))",
    /* few rows; several chunks, one of them in part; as many slices as chunks, and fewer */
    "y = reshape(x[:2600], (5, 520)) @ reshape(x[:19240], (520, 37))",
    "y = x[:600] @ reshape(x[:5400], (600, 9)); w = reshape(x[:5400], (9, 600)) @ x[:600]",
    "y = reshape(x[:3080], (11, 280)) @ transpose(reshape(x[1:3361], (12, 280)))",
    /* one of everything */
    "y = reshape(x[:1], (1, 1)) @ reshape(x[1:2], (1, 1)); w = reshape(x[:9], (9, 1)) @ "
    "reshape(x[:9], (1, 9))",
    /* other types of numbers */
    "y = cast(cast(reshape(x[:1419], (33, 43)), 'f16') @ cast(reshape(x[:1591], (43, 37)), 'f16'), "
    "'f32')",
    "y = cast(cast(reshape(x[:3600], (12, 300)), 'i64') @ cast(reshape(x[:3900], (300, 13)), "
    "'i64'), "
    "'f32'); w = cast(cast(reshape(x[:370], (10, 37)) > 6, 'bool') @ cast(reshape(x[:370], (37, "
    "10)) > "
    "6, 'bool'), 'f32')",
    "y = cast(transpose(cast(reshape(x[:370], (37, 10)), 'u8')) @ cast(reshape(x[:370], (37, 10)), "
    "'u8'), 'f32')",
};

enum { PROGRAMS = sizeof programs / sizeof programs[0] };

/* Whole tiles of large groups, as these programs can have them; half of them in the same; in slices
 * of small ones; 8 steps and few work-items; operands read where they lie. How many of the
 * programs: compilers and the simulator take their time, and other numbers are other numbers in one
 * form as in another. */
static const struct {
    uint32_t rows, vectors, group, large, steps, slices, fill;
    size_t programs;
    const char *first; /* that of the first one, where the device has room for it */
} forms[] = {
    {8, 2, 2, 4, 16, 4, 0, 4, "tiles of 8 x 8 in blocks of 32 x 32 x 16,"},
    {8, 2, 2, 16, 16, 4, 0, 4, "tiles of 4 x 4 in blocks of 64 x 64 x 16,"},
    {8, 2, 4, 16, 16, 4, 64, PROGRAMS, "tiles of 4 x 4 in blocks of 16 x 16 x 16,"},
    {3, 1, 2, 2, 8, 16, 64, PROGRAMS, "tiles of 2 x 4 in blocks of 4 x 8 x 8,"},
    {4, 1, 8, 8, 0, 1, 0, 1, "tiles of 4 x 4, "},
};

/* A profile for a GPU, with that form. */
static sinter_profile *open_form(const char *device, size_t form)
{
    sinter_profile *p = test_profile(device, "gpu");
    test_profile_set(p, "tile_lanes", 4);
    test_profile_set(p, "tile_rows", forms[form].rows);
    test_profile_set(p, "tile_vectors", forms[form].vectors);
    test_profile_set(p, "tile_group", forms[form].group);
    test_profile_set(p, "tile_large_group", forms[form].large);
    test_profile_set(p, "tile_steps", forms[form].steps);
    test_profile_set(p, "tile_slices", forms[form].slices);
    test_profile_set(p, "tile_fill", forms[form].fill);
    return p;
}

static sinter_tensor make_input(const test_device *d, const char *name)
{
    static float data[ELEMENTS];
    const int64_t all = ELEMENTS;
    const int64_t square[] = {SIDE, SIDE};
    for (int i = 0; i < ELEMENTS; i++) {
        bool inside = i % SIDE < INSIDE && i / SIDE < INSIDE;
        data[i] = (float)(i * 7919 % 1009) / 64.0F - 7.0F;
        if (name[0] == 'z' && !inside)
            data[i] = 1.0F / 0.0F;
    }
    return name[0] == 'z' ? test_floats(d, 2, square, data) : test_floats(d, 1, &all, data);
}

static size_t run(const test_device *d, const char *text, float *out)
{
    sinter_program *p;
    sinter_tensor in[2];
    sinter_tensor results[2];
    size_t read = 0;
    OK(sinter_program_parse(text, strlen(text), &p, NULL));
    size_t in_count = sinter_program_input_count(p);
    size_t count = sinter_program_result_count(p);
    for (size_t i = 0; i < in_count; i++)
        in[i] = make_input(d, sinter_program_input_name(p, i));
    OK(sinter_program_run(p, d->s, in, results, NULL));
    for (size_t i = 0; i < count; i++) {
        read += test_read_numbers(d, results[i], out + read, ROOM - read);
        test_release(d, results[i]);
    }
    for (size_t i = 0; i < in_count; i++)
        test_release(d, in[i]);
    sinter_program_destroy(p);
    return read;
}

static void check_form(const test_device *d, size_t f)
{
    sinter_device_info info = SINTER_DEVICE_INFO_INIT;
    OK(sinter_context_device(d->ctx, &info));
    bool has_room = info.kind != SINTER_DEVICE_HOST && info.max_work_group >= 256 &&
                    info.local_memory_bytes >= 16384; /* and it is not interpreted */
    if (has_room && test_is_plain() && strstr(test_report(d), forms[f].first) == NULL)
        fail_msg("form %zu, not %s:\n%s", f, forms[f].first, test_report(d));
}

static void every_form_has_the_bits_of_the_host(void **state)
{
    (void)state;
    static float expected[ROOM];
    static float found[ROOM];
    sinter_context_options on_host = SINTER_CONTEXT_OPTIONS_INIT;
    on_host.device = "host";
    on_host.switches = SINTER_NO_FUSE;
    test_device host = test_open(&on_host);
    for (size_t f = 0; f < sizeof forms / sizeof forms[0]; f++) {
        sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
        sinter_profile *profile = open_form(NULL, f);
        options.log_fn = test_log;
        options.style = SINTER_STYLE_GPU;
        options.profile = profile;
        test_device d = test_open(&options);
        for (size_t i = 0; i < forms[f].programs; i++) {
            memset(found, 0, sizeof found);
            size_t count = run(&host, programs[i], expected);
            test_report_begin(&d);
            assert_int_equal(run(&d, programs[i], found), count);
            if (i == 0)
                check_form(&d, f);
            if (memcmp(found, expected, count * sizeof *found) != 0)
                fail_msg("form %zu, %s: other bits", f, programs[i]);
        }
        test_close(&d);
        sinter_profile_destroy(profile);
    }
    test_close(&host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_has_the_bits_of_the_host),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
