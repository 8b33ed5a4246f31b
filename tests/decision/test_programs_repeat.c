/* A program that is run where it was run before the last cut, on the same tensors, is queued as a whole; nothing else
 * is taken for it. Every run has the bits of a stream that runs each operation at once. */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

#define ROWS 6
#define COLUMNS 8
#define ELEMENTS ((size_t)ROWS * COLUMNS)
#define RESULTS 4
#define INPUTS 3
#define TURNS 6

static test_device device;
static test_device eager; /* runs every operation at once */

static int open_both(void **state)
{
    (void)state;
    device = test_open(NULL);
    eager = test_open_eager();
    return 0;
}

static int close_both(void **state)
{
    (void)state;
    test_close(&eager);
    test_close(&device);
    return 0;
}

static sinter_program *parse(const char *text)
{
    sinter_program *p;
    OK(sinter_program_parse(text, strlen(text), &p, NULL));
    assert_true(sinter_program_result_count(p) <= RESULTS);
    assert_true(sinter_program_input_count(p) <= INPUTS);
    return p;
}

/* Inputs of ROWS x COLUMNS; `factor` tells those of one turn from others'. */
static void make_inputs(const test_device *d, float factor, sinter_tensor *in)
{
    static const int64_t shape[] = {ROWS, COLUMNS};
    float data[ELEMENTS];
    for (size_t i = 0; i < INPUTS; i++) {
        for (size_t k = 0; k < ELEMENTS; k++)
            data[k] = factor * (float)((k * 7 + i * 5) % 11) - 1.5f;
        in[i] = test_floats(d, 2, shape, data);
    }
}

static void release_all(const test_device *d, const sinter_tensor *t, size_t count)
{
    for (size_t i = 0; i < count; i++)
        test_release(d, t[i]);
}

#define ROOM (RESULTS * 2 * ELEMENTS * sizeof(double))

/* Runs it on both; true: as a whole. */
static bool runs_as_a_whole(const sinter_program *p, const sinter_tensor *x, const sinter_tensor *y)
{
    static uint8_t found[ROOM];
    static uint8_t expected[ROOM];
    sinter_tensor results[RESULTS];
    uint64_t before = test_stats(&device).repeated_calls;
    OK(sinter_program_run(p, device.s, x, results, NULL));
    bool whole = test_stats(&device).repeated_calls > before;
    size_t bytes = test_take_results(&device, p, results, found);
    OK(sinter_program_run(p, eager.s, y, results, NULL));
    assert_int_equal(test_take_results(&eager, p, results, expected), bytes);
    assert_memory_equal(found, expected, bytes);
    return whole;
}

typedef struct row {
    const char *text;
    bool is_whole; /* from the third turn on */
} row;

/* Each in turns of its own, on the same tensors and then on others. */
static void check(const row *r)
{
    sinter_tensor x[INPUTS];
    sinter_tensor y[INPUTS];
    sinter_program *p = parse(r->text);
    for (int round = 0; round < 2; round++) {
        make_inputs(&device, 0.25f + (float)round, x);
        make_inputs(&eager, 0.25f + (float)round, y);
        for (int turn = 0; turn < TURNS; turn++) {
            bool whole = runs_as_a_whole(p, x, y);
            if (turn >= 2 && test_is_plain() && whole != r->is_whole)
                fail_msg("%s: turn %d: %s", r->text, turn, whole ? "whole" : "not");
        }
        release_all(&device, x, INPUTS);
        release_all(&eager, y, INPUTS);
    }
    sinter_program_destroy(p);
}

static void programs_are_repeated_as_a_whole(void **state)
{
    (void)state;
    static const row rows[] = {
        {"t = x + y; z = tanh(t * 0.5) - w; release t", true},
        {"t = x + y; z = tanh(t * 0.5) - w", true}, /* both are results */
        {"s = sum(x, axis=1, keepdims=True); z = x / s; v = max(z, axis=0); release s", true},
        {"z = softmax(x @ transpose(y)); release y", true},
        {"z = transpose(x)[1:5:2]; v = cumsum(z, 1)", true}, /* views that are held */
        {"z = x[::-1, ::2]; v = z * 2; u = reshape(x, (8, 6))", true},
        {"z = where(x > 0, y, 0.5 * w)", true},
        {"z = random_uniform((3, 4), 7) + x[:3, :4]", true},
        {"z = cast(x, \"f16\") * 3; v = cast(z, \"f32\")", true},
        {"z = update(x, y[:, :2], 1, 0, 2); v = z * 2", true},
        {"t = x * 1; z = update(t, t[1] * 2, 0, 1, 2); release t", true},
        {"z = x + 1; z = z * z; v = full((2, 2), 3) + z[:2, :2]", true},
        {"z = x * 2; v = z", false},          /* one tensor, two results */
        {"z = x; v = z + 1", false},          /* an input */
        {"z = x + 1; cut; v = z * 2", false}, /* two segments */
        {"v = 3; z = x * v", true},           /* a number becomes a tensor */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        check(&rows[i]);
}

/* Two texts of the same operations differ in a number. */
static void a_program_is_known_by_its_text(void **state)
{
    (void)state;
    sinter_tensor x[INPUTS];
    sinter_tensor y[INPUTS];
    sinter_program *one = parse("z = x * 2 + y");
    sinter_program *other = parse("z = x * 3 + y");
    sinter_program *same = parse("z = x * 2 + y");
    make_inputs(&device, 1, x);
    make_inputs(&eager, 1, y);
    for (int turn = 0; turn < TURNS; turn++)
        (void)runs_as_a_whole(one, x, y);
    DECIDES(runs_as_a_whole(other, x, y), false);
    DECIDES(runs_as_a_whole(one, x, y), false);
    DECIDES(runs_as_a_whole(one, x, y), true);
    DECIDES(runs_as_a_whole(same, x, y), true);
    release_all(&device, x, INPUTS);
    release_all(&eager, y, INPUTS);
    sinter_program_destroy(one);
    sinter_program_destroy(other);
    sinter_program_destroy(same);
}

/* Several in a segment, with operations of the caller's in between, and one that is left out now and then. */
static void programs_stand_among_others(void **state)
{
    (void)state;
    static float found[ELEMENTS];
    static float expected[ELEMENTS];
    sinter_program *first = parse("t = x * y; z = t + 1; release t");
    sinter_program *second = parse("z = tanh(x) - mean(x)");
    uint64_t before = test_stats(&device).repeated_calls;
    for (int turn = 0; turn < 3 * TURNS; turn++) {
        for (int side = 0; side < 2; side++) {
            const test_device *d = side == 0 ? &device : &eager;
            sinter_tensor x[INPUTS];
            sinter_tensor made[4];
            make_inputs(d, 0.5f + (float)turn, x);
            OK(sinter_program_run(first, d->s, x, &made[0], NULL));
            OK(sinter_neg(d->s, made[0], &made[1]));
            OK(sinter_program_run(turn % 5 == 4 ? first : second, d->s,
                                  (sinter_tensor[]){made[1], x[2]}, &made[2], NULL));
            OK(sinter_program_run(first, d->s, (sinter_tensor[]){made[2], made[2]}, &made[3],
                                  NULL));
            test_read(d, made[3], side == 0 ? found : expected, ELEMENTS);
            release_all(d, made, 4);
            release_all(d, x, INPUTS);
        }
        assert_memory_equal(found, expected, sizeof found);
    }
    if (test_is_plain())
        assert_true(test_stats(&device).repeated_calls - before > 2 * TURNS);
    sinter_program_destroy(first);
    sinter_program_destroy(second);
}

/* State that a program replaces: the old one is released when the new one is there. */
static void state_goes_on(void **state)
{
    (void)state;
    sinter_program *p = parse("m = 0.9 * x + 0.1 * y; v = x - m * w");
    float values[2][ELEMENTS];
    uint64_t before = test_stats(&device).repeated_calls;
    for (int side = 0; side < 2; side++) {
        const test_device *d = side == 0 ? &device : &eager;
        sinter_tensor x[INPUTS];
        make_inputs(d, 0.5f, x);
        for (int turn = 0; turn < 2 * TURNS; turn++) {
            sinter_tensor made[2];
            OK(sinter_program_run(p, d->s, x, made, NULL));
            test_release(d, x[0]);
            test_release(d, x[1]);
            x[0] = made[0];
            x[1] = made[1];
            OK(turn % 3 == 0 ? sinter_stream_sync(d->s) : sinter_stream_flush(d->s));
        }
        test_read(d, x[1], values[side], ELEMENTS);
        release_all(d, x, INPUTS);
    }
    assert_memory_equal(values[0], values[1], sizeof values[0]);
    DECIDES(test_stats(&device).repeated_calls - before > TURNS, true);
    sinter_program_destroy(p);
}

/* A view that is held lies where its operand does, as long as that is stored; the next turn holds others. */
static void what_is_held_of_views_changes(void **state)
{
    (void)state;
    sinter_program *p = parse("t = tanh(x); v = transpose(t); z = v[:, 1:]");
    uint64_t before = test_stats(&device).repeated_calls;
    sinter_tensor x[2][INPUTS];
    make_inputs(&device, 0.5f, x[0]);
    make_inputs(&eager, 0.5f, x[1]);
    for (uint32_t turn = 0; turn < 32; turn++) {
        float values[2][2][ELEMENTS] = {{{0}}};
        for (int side = 0; side < 2; side++) {
            const test_device *d = side == 0 ? &device : &eager;
            sinter_tensor made[3];
            sinter_tensor sum;
            OK(sinter_program_run(p, d->s, x[side], made, NULL));
            for (uint32_t k = 0; k < 3; k += 2) {
                if (((turn ^ turn >> 1) >> k & 1) != 0)
                    test_release(d, made[k]);
            }
            OK(sinter_add(d->s, made[1], made[1], &sum));
            test_read(d, sum, values[side][0], ELEMENTS);
            test_read(d, made[1], values[side][1], ELEMENTS);
            test_release(d, sum);
            test_release(d, made[1]);
            for (uint32_t k = 0; k < 3; k += 2) {
                if (((turn ^ turn >> 1) >> k & 1) == 0)
                    test_release(d, made[k]);
            }
        }
        assert_memory_equal(values[0], values[1], sizeof values[0]);
    }
    if (test_is_plain())
        assert_true(test_stats(&device).repeated_calls - before > 24);
    release_all(&device, x[0], INPUTS);
    release_all(&eager, x[1], INPUTS);
    sinter_program_destroy(p);
}

/* Another shape, and tensors of another stream, are not what stood there. */
static void other_tensors_are_not(void **state)
{
    (void)state;
    static const int64_t wide[] = {2, 3 * COLUMNS};
    sinter_program *p = parse("z = x * 2 + y");
    sinter_tensor x[INPUTS];
    sinter_tensor y[INPUTS];
    test_device far = {.ctx = device.ctx};
    OK(sinter_stream_create(device.ctx, NULL, &far.s));
    make_inputs(&device, 1, x);
    make_inputs(&eager, 1, y);
    for (int turn = 0; turn < TURNS; turn++)
        (void)runs_as_a_whole(p, x, y);
    const sinter_tensor both[2][2] = {
        {test_floats(&device, 2, wide, NULL), test_floats(&device, 2, wide, NULL)},
        {test_floats(&eager, 2, wide, NULL), test_floats(&eager, 2, wide, NULL)}};
    DECIDES(runs_as_a_whole(p, both[0], both[1]), false);
    (void)runs_as_a_whole(p, x, y);
    (void)runs_as_a_whole(p, x, y);
    const sinter_tensor foreign = test_floats(&far, 2, (int64_t[]){ROWS, COLUMNS}, NULL);
    const sinter_tensor own = test_floats(&eager, 2, (int64_t[]){ROWS, COLUMNS}, NULL);
    for (int turn = 0; turn < 3; turn++)
        DECIDES(runs_as_a_whole(p, (sinter_tensor[]){x[0], foreign}, (sinter_tensor[]){y[0], own}),
                false);
    release_all(&device, both[0], 2);
    release_all(&eager, both[1], 2);
    test_release(&far, foreign);
    test_release(&eager, own);
    release_all(&device, x, INPUTS);
    release_all(&eager, y, INPUTS);
    OK(sinter_stream_destroy(far.s));
    sinter_program_destroy(p);
}

/* One with more inputs than a formula has is queued operation by operation, and right. */
static void long_lists_of_inputs_go_the_other_way(void **state)
{
    (void)state;
    enum { MANY = 40 };
    char text[1024] = "z = a0";
    sinter_tensor x[MANY];
    sinter_tensor z;
    for (int i = 1; i < MANY; i++)
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), " + a%d", i);
    sinter_program *p = NULL;
    OK(sinter_program_parse(text, strlen(text), &p, NULL));
    for (int i = 0; i < MANY; i++)
        x[i] = test_floats(&device, 1, (int64_t[]){1}, (float[]){(float)i});
    uint64_t before = test_stats(&device).repeated_calls;
    for (int turn = 0; turn < TURNS; turn++) {
        float sum = 0;
        OK(sinter_program_run(p, device.s, x, &z, NULL));
        test_read(&device, z, &sum, 1);
        assert_true(sum * 2 == MANY * (MANY - 1));
        test_release(&device, z);
    }
    assert_int_equal(test_stats(&device).repeated_calls, before);
    release_all(&device, x, MANY);
    sinter_program_destroy(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_are_repeated_as_a_whole),
        cmocka_unit_test(a_program_is_known_by_its_text),
        cmocka_unit_test(programs_stand_among_others),
        cmocka_unit_test(state_goes_on),
        cmocka_unit_test(what_is_held_of_views_changes),
        cmocka_unit_test(other_tensors_are_not),
        cmocka_unit_test(long_lists_of_inputs_go_the_other_way),
    };
    return cmocka_run_group_tests(tests, open_both, close_both);
}
