#include "core/view.h"

#include <stdio.h>
#include <string.h>

sinter__view sinter__view_packed(int rank, const int64_t *shape)
{
    sinter__view v = {0};
    sinter__view_pack(&v, rank, shape);
    return v;
}

sinter__view sinter__view_transpose(const sinter__view *v, const int *perm)
{
    sinter__view out = *v;
    for (int i = 0; i < v->rank; i++) {
        out.shape[i] = v->shape[perm[i]];
        out.strides[i] = v->strides[perm[i]];
    }
    return out;
}

sinter__view sinter__view_slice(const sinter__view *v, int axis, int64_t start, int64_t step,
                                int64_t count)
{
    sinter__view out = *v;
    if (count > 0)
        out.offset += start * v->strides[axis];
    out.shape[axis] = count;
    out.strides[axis] =
        v->strides[axis] * (count > 1 ? step : 1); /* a step past all may overflow */
    return out;
}

sinter__view sinter__view_expand(const sinter__view *v, int rank, const int64_t *shape)
{
    sinter__view out = {.rank = rank, .offset = v->offset};
    int lead = rank - v->rank;
    for (int i = 0; i < rank; i++) {
        out.shape[i] = shape[i];
        bool kept = i >= lead && v->shape[i - lead] == shape[i];
        out.strides[i] = kept ? v->strides[i - lead] : 0;
    }
    return out;
}

int64_t sinter__view_distinct(const sinter__view *v)
{
    int64_t n = 1;
    for (int i = 0; i < v->rank; i++)
        n *= v->strides[i] == 0 ? SINTER__MIN(v->shape[i], (int64_t)1) : v->shape[i];
    return n;
}

void sinter__view_span(const sinter__view *v, int64_t *lowest, int64_t *highest)
{
    *lowest = *highest = 0;
    if (sinter__is_empty(v->rank, v->shape))
        return;
    *lowest = *highest = v->offset;
    for (int i = 0; i < v->rank; i++) {
        int64_t reach = (v->shape[i] - 1) * v->strides[i];
        if (reach < 0)
            *lowest += reach;
        else
            *highest += reach;
    }
}

bool sinter__view_is_packed(const sinter__view *v)
{
    int64_t stride = 1;
    if (sinter__is_empty(v->rank, v->shape))
        return true;
    for (int i = v->rank - 1; i >= 0; i--) {
        if (v->shape[i] != 1 && v->strides[i] != stride)
            return false;
        stride *= v->shape[i];
    }
    return true;
}

bool sinter__shape_equal(int rank_a, const int64_t *a, int rank_b, const int64_t *b)
{
    return rank_a == rank_b &&
           (rank_a == 0 || memcmp(a, b, (size_t)rank_a * sizeof *a) == 0); /* of rank 0: NULL */
}

bool sinter__broadcast(int rank_a, const int64_t *a, int rank_b, const int64_t *b, int *rank,
                       int64_t *shape, int *axis)
{
    *rank = SINTER__MAX(rank_a, rank_b);
    for (int i = 0; i < *rank; i++) {
        int ia = i - (*rank - rank_a);
        int ib = i - (*rank - rank_b);
        int64_t x = ia >= 0 ? a[ia] : 1;
        int64_t y = ib >= 0 ? b[ib] : 1;
        if (x != y && x != 1 && y != 1) {
            *axis = i;
            return false;
        }
        shape[i] = x == 1 ? y : x;
    }
    return true;
}

void sinter__reshape_blocks(int rank_in, const int64_t *in, int rank_out, const int64_t *out,
                            uint32_t *in_starts, uint32_t *out_starts)
{
    *in_starts = *out_starts = 1;
    if (sinter__is_empty(rank_in, in))
        return;
    int i = 0;
    int o = 0;
    while (i < rank_in || o < rank_out) {
        int64_t x = i < rank_in ? in[i++] : 1;
        int64_t y = o < rank_out ? out[o++] : 1;
        while (x != y) {
            if (x < y)
                x *= in[i++];
            else
                y *= out[o++];
        }
        while (i < rank_in && in[i] == 1)
            i++;
        while (o < rank_out && out[o] == 1)
            o++;
        if (i < rank_in)
            *in_starts |= 1u << i;
        if (o < rank_out)
            *out_starts |= 1u << o;
    }
}

/* Reads axes [first, last) of `v` as one axis: its stride is that of the innermost axis of more
 * than one element. False when the axes do not follow each other in memory. */
static bool merge_axes(const sinter__view *v, int first, int last, int64_t *stride)
{
    int64_t expected = 0;
    bool found = false;
    *stride = 0;
    for (int i = last - 1; i >= first; i--) {
        if (v->shape[i] == 1)
            continue;
        if (!found)
            *stride = v->strides[i];
        else if (v->strides[i] != expected)
            return false;
        found = true;
        expected = v->strides[i] * v->shape[i];
    }
    return true;
}

int sinter__block_end(uint32_t starts, int first, int rank)
{
    int i = first + 1;
    while (i < rank && (starts >> i & 1) == 0)
        i++;
    return SINTER__MIN(i, rank);
}

bool sinter__view_reshape(const sinter__view *v, int rank, const int64_t *shape, sinter__view *out)
{
    *out = sinter__view_packed(rank, shape);
    out->offset = v->offset;
    if (sinter__is_empty(rank, shape))
        return true;
    uint32_t in_starts;
    uint32_t out_starts;
    sinter__reshape_blocks(v->rank, v->shape, rank, shape, &in_starts, &out_starts);
    int i = 0;
    int o = 0;
    while (i < v->rank || o < rank) {
        int i_end = sinter__block_end(in_starts, i, v->rank);
        int o_end = sinter__block_end(out_starts, o, rank);
        int64_t stride;
        if (!merge_axes(v, i, i_end, &stride))
            return false;
        for (int k = o_end - 1; k >= o; k--) {
            out->strides[k] = stride;
            stride *= shape[k];
        }
        i = i_end;
        o = o_end;
    }
    return true;
}

const char *sinter__shape_text(int rank, const int64_t *shape, char text[SINTER__SHAPE_TEXT])
{
    int at = snprintf(text, SINTER__SHAPE_TEXT, "[");
    for (int i = 0; i < rank; i++)
        at += snprintf(text + at, SINTER__SHAPE_TEXT - (size_t)at, i > 0 ? ",%lld" : "%lld",
                       (long long)shape[i]);
    (void)snprintf(text + at, SINTER__SHAPE_TEXT - (size_t)at, "]");
    return text;
}
