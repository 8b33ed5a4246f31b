#include "fusion/plan/gemm.h"

static const char *const texts[] = {
    [SINTER__GEMM_TAKEN] = "it has enough multiply-adds",
    [SINTER__GEMM_SMALL] = "it has fewer multiply-adds",
    [SINTER__GEMM_THIN] = "a side is shorter than 64",
    [SINTER__GEMM_DTYPE] = "its dtype is not the library's",
    [SINTER__GEMM_LAYOUT] = "an operand lies neither by rows nor by columns",
    [SINTER__GEMM_BATCH] = "the batch has over 1024 products",
    [SINTER__GEMM_OFF] = "the library has failed",
};

const char *sinter__gemm_text(sinter__gemm_verdict verdict)
{
    return texts[verdict];
}

/* Where the product is stored; its kernel stores nothing else where a library may take its place. */
static uint16_t result_access(const sinter__nest *nest)
{
    uint16_t a = 0;
    while (a + 1 < nest->access_count && nest->accesses[a].role != SINTER__ROLE_WRITE)
        a++;
    return a;
}

/* False when neither the axis of the rows nor that of the columns has its elements side by side. */
static bool find_matrix(const sinter__bound_nest *bound, uint16_t access, int row_axis,
                        int column_axis, sinter__gemm_matrix *out)
{
    int64_t down = bound->accesses[access].stride[row_axis];
    int64_t along = bound->accesses[access].stride[column_axis];
    int64_t rows = bound->extent[row_axis];
    int64_t columns = bound->extent[column_axis];
    out->access = access;
    out->transposed = along != 1;
    out->pitch = out->transposed ? along : down;
    out->rows = out->transposed ? columns : rows;
    out->width = out->transposed ? rows : columns;
    return (along == 1 || down == 1) && out->pitch >= out->width;
}

int64_t sinter__gemm_from(const sinter__limits *limits, sinter_dtype dtype)
{
    return dtype == SINTER_F32   ? limits->gemm_from_f32
           : dtype == SINTER_F64 ? limits->gemm_from_f64
                                 : 0;
}

/* a * b, at most INT64_MAX; neither is negative. */
static int64_t times(int64_t a, int64_t b)
{
    int64_t product;
    return sinter__mul_i64(a, b, &product) ? product : INT64_MAX;
}

int64_t sinter__gemm_work(const sinter__gemm *x)
{
    return times(times(x->m, x->n), x->k);
}

sinter__gemm_verdict sinter__gemm_find(const sinter__nest *nest, const sinter__bound_nest *bound,
                                       const sinter__limits *limits, sinter__gemm *out)
{
    const int m = bound->parallel_rank - 2;
    const int n = m + 1;
    const int k = m + 2;
    const uint16_t result = result_access(nest);
    *out = (sinter__gemm){.nest = nest,
                          .bound = bound,
                          .dtype = (sinter_dtype)nest->values[SINTER__VALUE_PRODUCT].dtype,
                          .m = bound->extent[m],
                          .n = bound->extent[n],
                          .k = bound->extent[k],
                          .items = 1};
    for (int i = 0; i < m; i++)
        out->items = times(out->items, bound->extent[i]);
    bool by_rows =
        find_matrix(bound, nest->values[SINTER__VALUE_LEFT].access, m, k, &out->matrix[0]);
    by_rows &= find_matrix(bound, nest->values[SINTER__VALUE_RIGHT].access, k, n, &out->matrix[1]);
    by_rows &= find_matrix(bound, result, m, n, &out->matrix[2]);
    out->from = sinter__gemm_from(limits, out->dtype);
    if (out->from == 0)
        return SINTER__GEMM_DTYPE;
    if (sinter__gemm_work(out) < out->from || out->items == 0)
        return SINTER__GEMM_SMALL;
    if (SINTER__MIN(SINTER__MIN(out->m, out->n), out->k) < SINTER__GEMM_SIDE)
        return SINTER__GEMM_THIN;
    if (!by_rows)
        return SINTER__GEMM_LAYOUT;
    return out->items > SINTER__GEMM_ITEMS ? SINTER__GEMM_BATCH : SINTER__GEMM_TAKEN;
}

int64_t sinter__gemm_offset(const sinter__gemm *x, int matrix, int64_t item)
{
    const sinter__bound_access *a = &x->bound->accesses[x->matrix[matrix].access];
    int64_t offset = a->offset;
    for (int i = x->bound->parallel_rank - 3; i >= 0; i--) {
        offset += item % x->bound->extent[i] * a->stride[i];
        item /= x->bound->extent[i];
    }
    return offset;
}

int64_t sinter__gemm_span(const sinter__gemm_matrix *matrix)
{
    return (matrix->rows - 1) * matrix->pitch + matrix->width;
}
