#include "oracle/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PRINTED 3

/* Of f32 and of f64. */
static struct worst {
    double ulps;
    double at[3];
    size_t tried;
} worst_errors[2][SINTER__OP_END];

bool check_is_thorough(void)
{
    const char *device = getenv("SINTER_DEVICE");
    return device != NULL && strcmp(device, "host") == 0;
}

bool check_has_f64(const test_device *d)
{
    double value = 1;
    sinter_tensor t;
    sinter_status status = sinter_tensor_from_host(d->s, SINTER_F64, 0, NULL, &value, &t);
    if (status == SINTER_OK) {
        test_release(d, t);
    } else {
        assert_int_equal(status, SINTER_EDTYPE);
    }
    return status == SINTER_OK;
}

check_operands check_make(sinter_dtype dtype, size_t count)
{
    check_operands x = {.count = count};
    for (int k = 0; k < 3; k++) {
        x.dtype[k] = dtype;
        x.data[k] = calloc(count + 1, sizeof(uint64_t));
        assert_non_null(x.data[k]);
    }
    return x;
}

void check_free(check_operands *x)
{
    for (int k = 0; k < 3; k++)
        free(x->data[k]);
}

static bool any_floating(const oracle_row *row, const check_operands *x)
{
    for (int k = 0; k < row->arity; k++) {
        if (is_floating(x->dtype[k]))
            return true;
    }
    return false;
}

bool check_work(const oracle_row *row, const check_operands *x, sinter_dtype *work)
{
    int first = row->accepts == ORACLE_SELECTED ? 1 : 0;
    sinter_dtype promoted = x->dtype[first];
    for (int k = first + 1; k < row->arity; k++)
        promoted = oracle_promote(promoted, x->dtype[k]);
    if (row->accepts == ORACLE_TESTS && is_floating(promoted) && !any_floating(row, x))
        return false; /* comparing 64-bit integers as f32 would make neighbours equal */
    return oracle_work(row, promoted, work);
}

/* Operand k of the element as the operation takes it. */
static number operand(const oracle_row *row, const check_operands *x, int k, size_t i,
                      sinter_dtype work)
{
    if (k >= row->arity) {
        number p = {(quad)x->parameters[k - row->arity], (whole)x->parameters[k - row->arity]};
        p.f = rounded(is_floating(work) ? work : SINTER_F64, p.f);
        return p;
    }
    bool is_condition = row->accepts == ORACLE_SELECTED && k == 0;
    return converted(x->dtype[k], load(x->dtype[k], x->data[k], i),
                     is_condition ? SINTER_BOOL : work);
}

static double shown(sinter_dtype dtype, number x)
{
    return is_floating(dtype) ? (double)x.f : (double)x.i;
}

static void print_difference(const oracle_row *row, const check_operands *x, sinter_dtype work,
                             const number in[3], sinter_dtype dtype, uint64_t got, number want)
{
    uint64_t bits = 0;
    store(dtype, want, &bits, 0);
    print_error("%s of %s, in %s:", row->name, sinter_dtype_name(x->dtype[0]),
                sinter_dtype_name(work));
    for (int k = 0; k < row->arity + row->params; k++)
        print_error(" %.17g", shown(work, in[k]));
    print_error(" is %.17g (%#llx), not %.17g (%#llx)\n", shown(dtype, load(dtype, &got, 0)),
                (unsigned long long)got, shown(dtype, want), (unsigned long long)bits);
}

static void note_error(const oracle_row *row, const number in[3], sinter_dtype dtype, quad got,
                       quad want)
{
    struct worst *w = &worst_errors[dtype == SINTER_F64][row->op];
    double ulps = oracle_ulps(row, dtype, got, want);
    w->tried++;
    if (ulps > w->ulps) {
        w->ulps = ulps;
        for (int k = 0; k < 3; k++)
            w->at[k] = (double)in[k].f;
    }
}

size_t check_result(const oracle_row *row, const check_operands *x, const int64_t *const index[3],
                    size_t count, sinter_dtype dtype, const void *got)
{
    size_t wrong = 0;
    sinter_dtype work = SINTER_F32;
    assert_true(check_work(row, x, &work));
    assert_int_equal(dtype, oracle_result_dtype(row, work));
    for (size_t i = 0; i < count; i++) {
        number in[3] = {{0, 0}};
        for (int k = 0; k < row->arity + row->params; k++) {
            bool mapped = k < row->arity && index[k] != NULL;
            in[k] = operand(row, x, k, mapped ? (size_t)index[k][i] : i, work);
        }
        number want = oracle_value(row, work, in);
        if (dtype == SINTER_F32 || dtype == SINTER_F64)
            note_error(row, in, dtype, load(dtype, got, i).f, want.f);
        if (oracle_agrees(row, dtype, got, i, want))
            continue;
        if (wrong++ < MOST_PRINTED)
            print_difference(row, x, work, in, dtype, load_bits(dtype, got, i), want);
    }
    return wrong;
}

check_run check_upload(const test_device *d, const check_operands *x, int arity)
{
    check_run run = {.d = d, .x = x, .rank = 1, .shape = {(int64_t)x->count}};
    for (int k = 0; k < arity; k++)
        OK(sinter_tensor_from_host(d->s, x->dtype[k], 1, run.shape, x->data[k], &run.t[k]));
    return run;
}

void check_release(const check_run *run, int arity)
{
    for (int k = 0; k < arity; k++)
        test_release(run->d, run->t[k]);
}

size_t check_one(const check_run *run, const oracle_row *row, sinter_tensor result)
{
    sinter_tensor_desc desc;
    size_t count = 1;
    OK(sinter_tensor_describe(run->d->ctx, result, &desc));
    assert_int_equal(desc.rank, run->rank);
    for (int i = 0; i < run->rank; i++) {
        assert_int_equal(desc.shape[i], run->shape[i]);
        count *= (size_t)desc.shape[i];
    }
    size_t bytes = count * sinter_dtype_bytes(desc.dtype);
    void *got = malloc(bytes + 1);
    assert_non_null(got);
    OK(sinter_tensor_read(run->d->s, result, got, bytes));
    size_t wrong = check_result(row, run->x, run->index, count, desc.dtype, got);
    free(got);
    return wrong;
}

static bool is_meant(const check_run *run, const oracle_row *row, int arity, int params)
{
    if (row->op == SINTER__OP_NONE || (arity != CHECK_ANY && row->arity != arity) ||
        (params != CHECK_ANY && row->params != params))
        return false;
    return run->is_left_out == NULL || !run->is_left_out(row, run->x->dtype[0]);
}

size_t check_all(const check_run *run, int arity, int params)
{
    sinter_tensor out[SINTER__OP_END] = {{0}};
    size_t wrong = 0;
    for (int op = 0; op < SINTER__OP_END; op++) {
        const oracle_row *row = &oracle_rows[op];
        const check_operands *x = run->x;
        sinter_dtype work;
        if (!is_meant(run, row, arity, params))
            continue;
        if (check_work(row, x, &work)) {
            OK(oracle_queue(row, run->d->s, run->t, x->parameters, &out[op]));
        } else {
            FAILS(SINTER_EDTYPE, oracle_queue(row, run->d->s, run->t, x->parameters, &out[op]));
        }
    }
    for (int op = 0; op < SINTER__OP_END; op++) {
        if (out[op].id != 0)
            wrong += check_one(run, &oracle_rows[op], out[op]);
        test_release(run->d, out[op]);
    }
    return wrong;
}

static void print_worst(const oracle_row *row, sinter_dtype dtype)
{
    const struct worst *w = &worst_errors[dtype == SINTER_F64][row->op];
    if (w->tried == 0 || row->error == ORACLE_STEPS)
        return; /* of steps, there is only one right result */
    printf("| `%s` | %s | %g | %.3f |", row->name, sinter_dtype_name(dtype),
           oracle_error(row, dtype), w->ulps);
    for (int k = 0; k < row->arity + row->params; k++)
        printf(" %.17g", w->at[k]);
    printf(" | %zu |\n", w->tried);
}

void check_print_table(void)
{
    printf("| operation | dtype | bound (ulp) | worst found | at | values |\n"
           "| --- | --- | --- | --- | --- | --- |\n");
    for (unsigned op = 0; op < SINTER__OP_END; op++) {
        print_worst(&oracle_rows[op], SINTER_F32);
        print_worst(&oracle_rows[op], SINTER_F64);
    }
}
