/* Shapes, sizes and data of a workload's operands. */
#include "bench/workload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const bench_workload *bench_workload_find(const char *name)
{
    for (size_t i = 0; i < bench_workload_count; i++) {
        if (strcmp(bench_workloads[i].name, name) == 0)
            return &bench_workloads[i];
    }
    return NULL;
}

size_t bench_operand_count(const bench_operand *operands, size_t most)
{
    size_t count = 0;
    while (count < most && operands[count].axes != NULL)
        count++;
    return count;
}

static int64_t extent_of(char axis, const int64_t *extents)
{
    if (axis >= 'a' && axis < 'a' + BENCH_MAX_EXTENTS)
        return extents[axis - 'a'];
    if (axis >= 'A' && axis < 'A' + BENCH_MAX_EXTENTS)
        return 2 * extents[axis - 'A'];
    return axis == '#' ? 256 : 1;
}

int bench_shape(const bench_operand *o, const int64_t *extents, int64_t shape[SINTER_MAX_RANK])
{
    int rank = 0;
    for (const char *axis = o->axes; *axis != '\0' && rank < SINTER_MAX_RANK; axis++)
        shape[rank++] = extent_of(*axis, extents);
    return rank;
}

int64_t bench_product(const char *axes, const int64_t *extents)
{
    int64_t product = 1;
    for (const char *axis = axes; *axis != '\0'; axis++)
        product *= extent_of(*axis, extents);
    return product;
}

size_t bench_bytes(const bench_operand *o, const int64_t *extents)
{
    return (size_t)bench_product(o->axes, extents) * sinter_dtype_bytes(o->dtype);
}

size_t bench_used_bytes(const bench_operand *o, const int64_t *extents)
{
    size_t bytes = bench_bytes(o, extents);
    for (const char *axis = o->axes; *axis != '\0'; axis++)
        bytes /= *axis >= 'A' && *axis < 'A' + BENCH_MAX_EXTENTS ? 2 : 1;
    return bytes;
}

size_t bench_bound(const bench_workload *w, const int64_t *extents)
{
    size_t bytes = 0;
    for (size_t i = 0; i < bench_operand_count(w->inputs, BENCH_MAX_INPUTS); i++)
        bytes += bench_used_bytes(&w->inputs[i], extents);
    for (size_t i = 0; i < bench_operand_count(w->outputs, BENCH_MAX_OUTPUTS); i++)
        bytes += bench_bytes(&w->outputs[i], extents);
    return bytes;
}

/* Half floats, without subnormal results: the data has none. */
static uint16_t half_of(float x)
{
    uint32_t u;
    memcpy(&u, &x, sizeof u);
    uint32_t sign = (u >> 16) & 0x8000u;
    u &= 0x7fffffffu;
    if (u < 0x38800000u)
        return (uint16_t)sign;
    u += 0xfffu + ((u >> 13) & 1u);
    return (uint16_t)(sign | ((u - 0x38000000u) >> 13));
}

static double double_of_half(uint16_t h)
{
    int exponent = (h >> 10) & 31;
    double fraction = (double)(h & 1023);
    double x = exponent == 31  ? (fraction > 0 ? (double)NAN : (double)INFINITY)
               : exponent == 0 ? ldexp(fraction, -24)
                               : ldexp(fraction + 1024.0, exponent - 25);
    return (h & 0x8000) != 0 ? -x : x;
}

void bench_fill(const bench_operand *o, uint64_t seed, int64_t elements, void *data)
{
    uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
    float *floats = data;
    uint16_t *halves = data;
    for (int64_t i = 0; i < elements; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        float unit = (float)(state >> 40) * 0x1p-24F;
        float x = o->low + (o->high - o->low) * unit;
        if (o->dtype == SINTER_F16) {
            halves[i] = half_of(x);
        } else {
            floats[i] = x;
        }
    }
}

bool bench_data_make(const bench_workload *w, const int64_t *extents, void *data[BENCH_MAX_INPUTS])
{
    memset(data, 0, BENCH_MAX_INPUTS * sizeof *data);
    for (size_t i = 0; i < bench_operand_count(w->inputs, BENCH_MAX_INPUTS); i++) {
        const bench_operand *o = &w->inputs[i];
        data[i] = malloc(bench_bytes(o, extents));
        if (data[i] == NULL)
            return false;
        bench_fill(o, i + 1, bench_product(o->axes, extents), data[i]);
    }
    return true;
}

void bench_data_free(void *data[BENCH_MAX_INPUTS])
{
    for (size_t i = 0; i < BENCH_MAX_INPUTS; i++) {
        free(data[i]);
        data[i] = NULL;
    }
}

double bench_element(sinter_dtype dtype, const void *data, int64_t i)
{
    if (dtype == SINTER_F16)
        return double_of_half(((const uint16_t *)data)[i]);
    return (double)((const float *)data)[i];
}
