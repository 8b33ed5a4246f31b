#include "support/job.h"

#include <stdlib.h>
#include <string.h>

const job_known job_inputs[JOB_INPUTS] = {
    {"f", SINTER_F32, 2, {2, 3}},    {"g", SINTER_F32, 1, {3}},     {"s", SINTER_F32, 0, {0}},
    {"k", SINTER_F32, 3, {2, 3, 4}}, {"w", SINTER_F32, 2, {3, 4}},  {"e", SINTER_F32, 2, {0, 3}},
    {"h", SINTER_F16, 2, {2, 3}},    {"b", SINTER_BF16, 1, {3}},    {"d", SINTER_F64, 2, {2, 3}},
    {"i", SINTER_I32, 2, {2, 3}},    {"u", SINTER_U8, 2, {2, 3}},   {"l", SINTER_I64, 1, {3}},
    {"v", SINTER_U64, 1, {3}},       {"m", SINTER_BOOL, 2, {2, 3}}, {"c", SINTER_I8, 2, {2, 3}},
    {"p", SINTER_U32, 1, {3}},       {"q", SINTER_I16, 1, {3}},     {"r", SINTER_U16, 1, {3}},
};

const char *const job_programs[JOB_PROGRAMS] = {
    "y = gelu(f * g + s); z = where(y > 0, y, exp(y) - 1)",
    "a = cast(f, 'f16'); b = cast(h, 'i8'); c = cast(i, 'bool'); e = a + h; q = b * c",
    "a = f[:, ::-1]; b = k[1, 0:3:2, -1]; c = f[None, ..., None]; e = flip(k); r = flip(f, axis=1)",
    "a = transpose(k, (2, 0, 1)); b = transpose(f); c = reshape(k, (4, -1)); e = reshape(a, 24)",
    "a = expand(g, (2, 3)); b = squeeze(a[:1], axis=0); c = unsqueeze(b, axis=(0, 2))",
    "a = sum(k, axis=(0, 2), keepdims=True); b = mean(i); c = max(h, axis=-1); e = min(c, axis=())",
    "a = cumsum(k, axis=1); b = cumprod(i, -1); c = cumsum(h, axis=0) * 2; e = cumsum(m, 0)",
    "a = f @ w; b = g @ w; c = f @ g; e = g @ g; r = transpose(f) @ h",
    "a = full((2, 3), 1.5, dtype='bf16'); b = full((), -3, dtype='i16'); c = full((2,), True)",
    ("a = arange(10, 0, -3); b = arange(5, 0, -1, dtype='u8'); c = arange(0, 1, 0.25); "
     "q = arange(0)"),
    ("a = random_uniform((2, 3), seed=7, offset=3); "
     "b = random_normal((5,), seed=18446744073709551615)"),
    "a = clamp(f, -0.5, inf); b = clamp(i, -3, 3); c = leaky_relu(f, slope=0.1); e = elu(f)",
    "a = u + 200; b = c - 100; e = l * -9223372036854775808; r = v | 18446744073709551615",
    "a = m & True; b = m ^ m; c = ~m; e = ~u; q = i << 3; r = q >> 1; t = l[:2] % 7; x = p // 0",
    "a = f * nan; b = f + inf; c = f - -inf; e = f * -0.0; q = d * 0.1; r = h * 0.1; x = b + 0.1",
    "a = f < 0.1; b = 3 < i; c = isnan(f); x = m == True; y = u != 255; t = d >= 0.1; q = h <= 0.1",
    "a = f ** 2; b = f ** 0.5; c = f ** -1; e = abs(f) ** 1.5; q = i ** 3; r = m ** 2",
    ("a = fma(f, 2, g); b = fma(1.5, f, 0); c = where(True, f, 0); e = where(m, 1, 0); "
     "q = where(f, i, 2)"),
    "a = e + 1; b = sum(e, axis=0); c = sum(e); q = reshape(e, (3, 0)); r = max(e, axis=1)",
    "t = f + 1; a = t * 2; release t; b = a + a; t = b; release t",
    "a = minimum(u, c); b = maximum(p, q); c = sqrt(i); e = logical_not(f); q = logical_and(f, 3)",
    ("a = copy(f); b = tanh(a); c = round(b * 10); q = sign(c); r = softplus(q); "
     "x = logical_or(m, 0)"),
    ("a = update(f, g * 2, 0, 1); b = update(k, 1.5, (2, 0), start=(3, 0), step=(-2, 1)); "
     "c = update(i, f); e = update(s, 2); q = update(f, f[:1] + 1, 0, 0, 1)"),
};

sinter_program *job_parse(const char *text)
{
    sinter_program *p;
    sinter_program_place place;
    sinter_status status = sinter_program_parse(text, strlen(text), &p, &place);
    if (status != SINTER_OK)
        print_error("%s\n%s\n", text, sinter_last_error());
    assert_int_equal(status, SINTER_OK);
    return p;
}

sinter_tensor job_input(const test_device *d, size_t which)
{
    unsigned char data[256];
    sinter_tensor t;
    sinter_dtype dtype = job_inputs[which].dtype;
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (unsigned char)(dtype == SINTER_BOOL ? i % 3 != 0 : i * 37 + which);
    for (size_t i = 0; i < 24 && dtype == SINTER_F32; i++)
        ((float *)(void *)data)[i] = (float)((int)i * 5 % 17 - 8) / 4;
    for (size_t i = 0; i < 6 && dtype == SINTER_F64; i++)
        ((double *)(void *)data)[i] = (double)i / 3 - 1;
    for (size_t i = 0; i < 6 && (dtype == SINTER_F16 || dtype == SINTER_BF16); i++)
        ((uint16_t *)(void *)data)[i] = (uint16_t)(0x3c00 + 0x123 * i);
    OK(sinter_tensor_from_host(d->s, dtype, job_inputs[which].rank, job_inputs[which].shape, data,
                               &t));
    return t;
}

size_t job_find_input(const char *name)
{
    for (size_t i = 0; i < JOB_INPUTS; i++) {
        if (strcmp(job_inputs[i].name, name) == 0)
            return i;
    }
    fail_msg("no input is called %s", name);
    return 0;
}

sinter_status job_start(const test_device *d, const char *text, job *j)
{
    *j = (job){.p = job_parse(text)};
    j->count = sinter_program_result_count(j->p);
    assert_true(j->count <= JOB_RESULTS);
    for (size_t i = 0; i < sinter_program_input_count(j->p); i++)
        j->inputs[i] = job_input(d, job_find_input(sinter_program_input_name(j->p, i)));
    return sinter_program_run(j->p, d->s, j->inputs, j->results, &j->place);
}

void job_finish(const test_device *d, job *j)
{
    for (size_t i = 0; i < j->count; i++)
        test_release(d, j->results[i]);
    for (size_t i = 0; i < sinter_program_input_count(j->p); i++)
        test_release(d, j->inputs[i]);
    sinter_program_destroy(j->p);
}

sinter_tensor_desc job_describe(const test_device *d, sinter_tensor t)
{
    sinter_tensor_desc desc;
    OK(sinter_tensor_describe(d->ctx, t, &desc));
    return desc;
}

unsigned char *job_read(const test_device *d, sinter_tensor t, size_t *bytes)
{
    *bytes = test_bytes(d, t);
    unsigned char *data = malloc(*bytes + 1);
    assert_non_null(data);
    OK(sinter_tensor_read(d->s, t, data, *bytes));
    return data;
}
