#include "oracle/model.h"

#include "support/support.h"

#include <stdlib.h>
#include <string.h>

int64_t model_elements(int rank, const int64_t *shape)
{
    int64_t n = 1;
    for (int i = 0; i < rank; i++)
        n *= shape[i];
    return n;
}

static model allocate(int rank, const int64_t *shape)
{
    model m = {.rank = rank, .count = model_elements(rank, shape)};
    for (int i = 0; i < rank; i++)
        m.shape[i] = shape[i];
    m.index = calloc((size_t)m.count + 1, sizeof *m.index);
    assert_non_null(m.index);
    return m;
}

model model_packed(int rank, const int64_t *shape)
{
    model m = allocate(rank, shape);
    for (int64_t i = 0; i < m.count; i++)
        m.index[i] = i;
    return m;
}

void model_free(model *m)
{
    free(m->index);
    *m = (model){0};
}

static void replace(model *m, model by)
{
    free(m->index);
    *m = by;
}

/* Coordinates of element `i`, and back. */
static void coordinates(const model *m, int64_t i, int64_t at[SINTER_MAX_RANK])
{
    for (int k = m->rank - 1; k >= 0; k--) {
        at[k] = i % m->shape[k];
        i /= m->shape[k];
    }
}

static int64_t element(const model *m, const int64_t at[SINTER_MAX_RANK])
{
    int64_t i = 0;
    for (int k = 0; k < m->rank; k++)
        i = i * m->shape[k] + at[k];
    return m->index[i];
}

void model_reshape(model *m, int rank, const int64_t *shape)
{
    model out = allocate(rank, shape);
    assert_int_equal(out.count, m->count);
    for (int64_t i = 0; i < out.count; i++)
        out.index[i] = m->index[i];
    replace(m, out);
}

void model_transpose(model *m, const int *axes)
{
    int64_t shape[SINTER_MAX_RANK];
    for (int k = 0; k < m->rank; k++)
        shape[k] = m->shape[axes[k]];
    model out = allocate(m->rank, shape);
    for (int64_t i = 0; i < out.count; i++) {
        int64_t at[SINTER_MAX_RANK] = {0};
        int64_t from[SINTER_MAX_RANK];
        coordinates(&out, i, at);
        for (int k = 0; k < m->rank; k++)
            from[axes[k]] = at[k];
        out.index[i] = element(m, from);
    }
    replace(m, out);
}

static int64_t clip(int64_t x, int64_t low, int64_t high)
{
    return x < low ? low : x > high ? high : x;
}

/* The positions that a Python slice of a list of `extent` elements visits. */
static int64_t positions(int64_t extent, int64_t start, int64_t stop, int64_t step, int64_t *out)
{
    int64_t n = 0;
    int64_t low = step > 0 ? 0 : -1;
    int64_t high = step > 0 ? extent : extent - 1;
    int64_t first = step > 0 ? low : high;
    int64_t end = step > 0 ? high : low;
    if (start != SINTER_OPEN)
        first = clip(start < 0 ? start + extent : start, low, high);
    if (stop != SINTER_OPEN)
        end = clip(stop < 0 ? stop + extent : stop, low, high);
    for (int64_t p = first; step > 0 ? p < end : p > end; p += step)
        out[n++] = p;
    return n;
}

void model_slice(model *m, int axis, int64_t start, int64_t stop, int64_t step)
{
    int64_t shape[SINTER_MAX_RANK];
    int64_t *visited = calloc((size_t)m->shape[axis] + 1, sizeof *visited);
    assert_non_null(visited);
    memcpy(shape, m->shape, sizeof shape);
    shape[axis] = positions(m->shape[axis], start, stop, step, visited);
    model out = allocate(m->rank, shape);
    for (int64_t i = 0; i < out.count; i++) {
        int64_t at[SINTER_MAX_RANK] = {0};
        coordinates(&out, i, at);
        at[axis] = visited[at[axis]];
        out.index[i] = element(m, at);
    }
    free(visited);
    replace(m, out);
}

void model_expand(model *m, int rank, const int64_t *shape)
{
    model out = allocate(rank, shape);
    for (int64_t i = 0; i < out.count; i++) {
        int64_t at[SINTER_MAX_RANK] = {0};
        int64_t from[SINTER_MAX_RANK];
        coordinates(&out, i, at);
        for (int k = 0; k < m->rank; k++)
            from[k] = m->shape[k] == 1 ? 0 : at[k + rank - m->rank];
        out.index[i] = element(m, from);
    }
    replace(m, out);
}

void model_flip(model *m, uint32_t axes)
{
    model out = allocate(m->rank, m->shape);
    for (int64_t i = 0; i < out.count; i++) {
        int64_t at[SINTER_MAX_RANK] = {0};
        coordinates(&out, i, at);
        for (int k = 0; k < m->rank; k++)
            at[k] = (axes >> k & 1) != 0 ? m->shape[k] - 1 - at[k] : at[k];
        out.index[i] = element(m, at);
    }
    replace(m, out);
}

bool model_is_strided(const model *m)
{
    int64_t stride[SINTER_MAX_RANK] = {0};
    for (int k = 0; k < m->rank && m->count > 0; k++) {
        int64_t at[SINTER_MAX_RANK] = {0};
        at[k] = m->shape[k] > 1 ? 1 : 0;
        stride[k] = element(m, at) - m->index[0];
    }
    for (int64_t i = 0; i < m->count; i++) {
        int64_t at[SINTER_MAX_RANK] = {0};
        int64_t expected = m->index[0];
        coordinates(m, i, at);
        for (int k = 0; k < m->rank; k++)
            expected += at[k] * stride[k];
        if (m->index[i] != expected)
            return false;
    }
    return true;
}

bool model_is_packed(const model *m)
{
    for (int64_t i = 0; i < m->count; i++) {
        if (m->index[i] != m->index[0] + i)
            return false;
    }
    return true;
}
