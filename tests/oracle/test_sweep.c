/* Every one of the 2^32 inputs of each function of one f32 operand, on the host, against C's library in
 * double; prints a row for each, which tests/docs/accuracy.py puts into docs/accuracy.md, and fails
 * where a bound of core/ops.def is passed.
 *
 *   test_sweep [--part N] [FUNCTION ...]
 *
 * --part: all of 2^-12 <= |x| < 2^7, where functions have their shapes, and of the others one block of
 * 4,096 neighbours in N.
 *
 * The hard idea: the reference is what takes the time, so it is computed many at a time by functions
 * that may be wrong at special values. An error beyond the worst one so far is believed only when the
 * scalar function says the same. */
#include "executor/host/host_kernels.h"

#include "oracle/oracle.h"
#include "oracle/real.h"
#include "oracle/sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct sweep {
    const char *name;
    void (*ours)(const float *in, float *out);
    void (*reference)(const float *in, double *out);
    double (*exact)(double x);
} sweep;

#define SWEEP(name, value)                                                                         \
    static void ours_##name(const float *in, float *out)                                           \
    {                                                                                              \
        for (int i = 0; i < SWEEP_BLOCK; i++)                                                      \
            out[i] = sn_##name##_f32x1(in[i]);                                                     \
    }                                                                                              \
    static double exact_##name(double x)                                                           \
    {                                                                                              \
        return (value);                                                                            \
    }
#include "oracle/sweep.def"
#undef SWEEP

static const sweep sweeps[] = {
#define SWEEP(name, value) {#name, ours_##name, sweep_reference_##name, exact_##name},
#include "oracle/sweep.def"
#undef SWEEP
};

/* |got - want| in ulps of f32, as ulps_between() has it, but in a form that is vectorised: 0 where both are NaN,
 * huge where a zero has the wrong sign, NaN where one is NaN. */
static void errors(const float *restrict got, const double *restrict want, double *restrict out)
{
    for (int i = 0; i < SWEEP_BLOCK; i++) {
        double g = (double)got[i];
        double w = want[i] > 0x1p128 ? 0x1p128 : want[i];
        w = w < -0x1p128 ? -0x1p128 : w;
        g = g > 0x1p128 ? 0x1p128 : g;
        g = g < -0x1p128 ? -0x1p128 : g;
        double size = w < 0 ? -w : w;
        size = size < 0x1p-126 ? 0x1p-126 : size;
        uint64_t unit = sn_u64_of_f64(size) & UINT64_C(0x7ff0000000000000);
        double off = g < w ? w - g : g - w;
        off = off * sn_f64_of_u64(UINT64_C(0x7fe0000000000000) - unit) * 0x1p23;
        uint64_t signs = sn_u64_of_f64(g) ^ sn_u64_of_f64(w);
        off = off + (g == 0 ? sn_f64_of_u64(signs >> 63 << 61) : 0);
        double nan = g != g ? 0 : off;
        out[i] = w != w ? nan : off;
    }
}

/* The worst error of the row, above and below 0; whether they are within its bound. */
static bool run(const sweep *s, const oracle_row *row, uint64_t part)
{
    static float in[SWEEP_BLOCK];
    static float got[SWEEP_BLOCK];
    static double want[SWEEP_BLOCK];
    static double off[SWEEP_BLOCK];
    double worst = 0;
    float at = 0;
    for (uint64_t block = 0; block < (UINT64_C(1) << 32) / SWEEP_BLOCK; block++) {
        uint64_t start = block * SWEEP_BLOCK;
        float first = fabs(sn_f32_of_u32((uint32_t)start));
        if (!(first >= 0x1p-12f && first < 0x1p7f) && block % part != 0)
            continue;
        for (uint32_t i = 0; i < SWEEP_BLOCK; i++)
            in[i] = sn_f32_of_u32((uint32_t)start + i);
        s->ours(in, got);
        s->reference(in, want);
        errors(got, want, off);
        int beyond = 0;
        for (int i = 0; i < SWEEP_BLOCK; i++)
            beyond += off[i] <= worst ? 0 : 1;
        for (int i = 0; i < SWEEP_BLOCK && beyond > 0; i++) {
            if (off[i] <= worst)
                continue;
            double sure = oracle_ulps(row, SINTER_F32, (quad)got[i], (quad)s->exact((double)in[i]));
            at = sure > worst ? in[i] : at;
            worst = sure > worst ? sure : worst;
        }
    }
    printf("| `%s` | f32 | %g | %.4f | %.9g (%a) | %s |\n", s->name, row->error, worst, (double)at,
           (double)at, part == 1 ? "all" : "in part");
    (void)fflush(stdout);
    return worst <= row->error;
}

static bool is_wanted(const char *name, int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], name) == 0)
            return true;
    }
    return argc == 0;
}

int main(int argc, char **argv)
{
    int failures = 0;
    bool is_part = argc > 2 && strcmp(argv[1], "--part") == 0;
    uint64_t part = is_part ? strtoull(argv[2], NULL, 10) : 1;
    part = part > 0 ? part : 1;
    int first = is_part ? 3 : 1;
    printf("| function | dtype | bound | largest error met | at | inputs |\n"
           "| --- | --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < sizeof sweeps / sizeof sweeps[0]; i++) {
        const oracle_row *row = NULL;
        for (int op = 0; op < SINTER__OP_END; op++) {
            if (oracle_rows[op].name != NULL && strcmp(oracle_rows[op].name, sweeps[i].name) == 0)
                row = &oracle_rows[op];
        }
        if (row != NULL && is_wanted(sweeps[i].name, argc - first, argv + first))
            failures += !run(&sweeps[i], row, part);
    }
    return failures > 0;
}
