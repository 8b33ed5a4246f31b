/* Results of operations compared with the oracle, and what was found kept for the table. */
#ifndef SINTER_TESTS_CHECK_H
#define SINTER_TESTS_CHECK_H

#include "oracle/calls.h"
#include "oracle/samples.h"

/* Whether this is the run on the host reference device, where everything is tried; on a driver the
 * same code runs on fewer values, as what gives the same bits everywhere is tested elsewhere. */
bool check_is_thorough(void);

/* Whether the device has f64. */
bool check_has_f64(const test_device *d);

/* Operands of one dtype each: `count` elements in host memory, row-major. */
typedef struct check_operands {
    size_t count;
    sinter_dtype dtype[3];
    void *data[3];
    double parameters[2];
} check_operands;

/* Room for `count` elements of up to 8 bytes for each of three operands. */
check_operands check_make(sinter_dtype dtype, size_t count);
void check_free(check_operands *x);

/* Operands on a device, perhaps as views. */
typedef struct check_run {
    const test_device *d;
    const check_operands *x;
    sinter_tensor t[3];
    const int64_t *index[3]; /* which element of operand k an element of the result needs; NULL: its
                                own */
    int rank;                /* of the result */
    int64_t shape[SINTER_MAX_RANK];
    bool (*is_left_out)(const oracle_row *row, sinter_dtype dtype); /* NULL: none */
} check_run;

/* The operands as they lie in host memory, one-dimensional, for operations of `arity` operands. */
check_run check_upload(const test_device *d, const check_operands *x, int arity);
void check_release(const check_run *run, int arity);

#define CHECK_ANY (-1)

/* Queues every operation of `arity` operands and `params` parameters (CHECK_ANY: of any) that takes
 * their dtypes, sees the others refused, then reads the results: on a driver they share a few
 * programs. Returns how many elements are wrong. */
size_t check_all(const check_run *run, int arity, int params);

/* The same for one operation's result, already queued. */
size_t check_one(const check_run *run, const oracle_row *row, sinter_tensor result);

/* Compares `got`, `row` over the operands, with the oracle element by element. `index` is
 * that of a run. Prints the first
 * differences and returns how many there are. */
size_t check_result(const oracle_row *row, const check_operands *x, const int64_t *const index[3],
                    size_t count, sinter_dtype dtype, const void *got);

/* Dtype worked in when `row` is applied to the operands; false when it is refused. */
bool check_work(const oracle_row *row, const check_operands *x, sinter_dtype *work);

/* Prints the worst error of each operation on f32 that check_result has met, one row of a Markdown
 * table each. */
void check_print_table(void);

#endif /* SINTER_TESTS_CHECK_H */
