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

/* Compares `got`, `row` over the operands, with the oracle element by element. `index[k]`, if not
 * NULL, says which element of operand k belongs to each element of the result. Prints the first
 * differences and returns how many there are. */
size_t check_result(const oracle_row *row, const check_operands *x, const int64_t *const index[3],
                    size_t count, sinter_dtype dtype, const void *got);

/* Dtype worked in when `row` is applied to the operands; false when it is refused. */
bool check_work(const oracle_row *row, const check_operands *x, sinter_dtype *work);

/* Prints the worst error of each operation on f32 that check_result has met, one row of a Markdown
 * table each. */
void check_print_table(void);

#endif /* SINTER_TESTS_CHECK_H */
