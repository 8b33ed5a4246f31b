/* How rows are split over streams, with times that the test plants. */
#include "support/support.h"

#include "executor/shard/balance.h"
#include "executor/shard/worth.h"

#define MOST 6 /* streams */

#include <stdlib.h>
#include <string.h>

/* Streams that do so many rows in a second. */
static sinter__balance make(size_t count, const double *guesses)
{
    sinter__balance b = {.count = count};
    for (size_t i = 0; i < MOST; i++)
        b.shares[i].guess = guesses[i];
    return b;
}

static void assert_rows(const sinter__balance *b, const int64_t *rows)
{
    for (size_t i = 0; i < MOST; i++)
        assert_int_equal(b->shares[i].rows, rows[i]);
}

/* One run: each stream takes what its speed says. */
static void run(sinter__balance *b, const double *speeds, int64_t total, int64_t granule)
{
    sinter__balance_split(b, total, granule);
    for (size_t i = 0; i < MOST; i++) {
        if (b->shares[i].rows > 0)
            sinter__balance_correct(b, i, b->shares[i].rows,
                                    (uint64_t)((double)b->shares[i].rows * 1e9 / speeds[i]));
    }
}

static double longest(const int64_t *rows, const double *speeds)
{
    double most = 0;
    for (size_t i = 0; i < MOST && speeds[i] > 0; i++) {
        double time = (double)rows[i] / speeds[i];
        most = time > most ? time : most;
    }
    return most;
}

static void rows_come_to_the_whole(void **state)
{
    (void)state;
    test_random r = {.state = 5};
    for (int i = 0; i < 20000; i++) {
        double guesses[MOST] = {0};
        int64_t total = test_below(&r, 3000);
        int64_t granule = 1 + test_below(&r, 300);
        int64_t at = 0;
        for (int k = 0; k < 6; k++)
            guesses[k] = test_below(&r, 3) == 0 ? 0 : 1 + test_below(&r, 1000);
        guesses[test_below(&r, 6)] = 7;
        sinter__balance b = make(6, guesses);
        b.is_fixed = true;
        sinter__balance_split(&b, total, granule);
        for (int k = 0; k < 6; k++) {
            assert_true(b.shares[k].rows >= 0);
            assert_true(b.shares[k].rows == 0 || guesses[k] > 0);
            assert_true(b.shares[k].rows == 0 || at % granule == 0);
            at += b.shares[k].rows;
        }
        assert_int_equal(at, total);
    }
}

static void exact_shares_give_exact_rows(void **state)
{
    (void)state;
    const double guesses[MOST] = {7, 0, 1, 256, 1236};
    const int64_t rows[MOST] = {7, 0, 1, 256, 1236};
    const int64_t half[MOST] = {4, 0, 0, 128, 618};
    const int64_t few[MOST] = {0, 0, 0, 0, 2};
    sinter__balance b = make(5, guesses);
    b.is_fixed = true;
    sinter__balance_split(&b, 1500, 1);
    assert_rows(&b, rows);
    assert_string_equal(b.why, "fixed by the options");
    sinter__balance_correct(&b, 0, 7, 1000000);
    sinter__balance_correct(&b, 0, 7, 1000000);
    sinter__balance_split(&b, 750, 1);
    assert_rows(&b, half);
    sinter__balance_split(&b, 2, 1);
    assert_rows(&b, few);
}

/* The first times are let go, the second ones count, and the split stays from then on. */
static void it_comes_to_the_measured_rates(void **state)
{
    (void)state;
    const double guesses[MOST] = {1, 1, 2};
    const double speeds[MOST] = {1e6, 3e6, 4e6};
    const int64_t first[MOST] = {2000, 2000, 4000};
    const int64_t best[MOST] = {1000, 3000, 4000};
    sinter__balance b = make(3, guesses);
    for (int i = 0; i < 2; i++) {
        run(&b, speeds, 8000, 1);
        assert_rows(&b, first);
    }
    assert_true(strstr(b.why, "nothing is measured yet") == NULL);
    run(&b, speeds, 8000, 1);
    assert_rows(&b, best);
    assert_true(strstr(b.why, "changed: ") == b.why);
    for (int i = 0; i < 10; i++) {
        run(&b, speeds, 8000, 1);
        assert_rows(&b, best);
        assert_true(strstr(b.why, "kept: ") == b.why);
    }
}

/* Where only one is measured, the guesses of the others are in its unit. */
static void guesses_are_scaled_to_what_is_measured(void **state)
{
    (void)state;
    const double guesses[MOST] = {1, 3};
    const int64_t rows[MOST] = {250, 750};
    sinter__balance b = make(2, guesses);
    sinter__balance_split(&b, 1000, 1);
    for (int i = 0; i < 3; i++)
        sinter__balance_correct(&b, 1, 750, 1000);
    sinter__balance_split(&b, 1000, 1);
    assert_rows(&b, rows);
}

/* Times that are off by a few percent, and one that is far off, change nothing; a device that is slower from
 * now on does. */
static void it_does_not_flap(void **state)
{
    (void)state;
    const double guesses[MOST] = {1, 1};
    const int64_t even[MOST] = {5000, 5000};
    const int64_t slower[MOST] = {3333, 6667};
    test_random r = {.state = 9};
    sinter__balance b = make(2, guesses);
    for (int i = 0; i < 200; i++) {
        double speeds[MOST] = {0};
        for (int k = 0; k < 2; k++)
            speeds[k] = 1e6 * (0.975 + 0.0005 * test_below(&r, 100));
        if (i % 5 == 4)
            speeds[i / 5 % 2] /= 50;
        run(&b, speeds, 10000, 1);
        assert_rows(&b, even);
    }
    const double changed[MOST] = {1e6, 2e6};
    for (int i = 0; i < 10; i++)
        run(&b, changed, 10000, 1);
    assert_true(llabs((long long)(b.shares[0].rows - slower[0])) < 250);
}

/* On a busy machine, where a rate is off by a third: the split changes in few of a thousand runs. */
static void it_stays_on_a_busy_machine(void **state)
{
    (void)state;
    const double guesses[MOST] = {1, 1};
    test_random r = {.state = 21};
    sinter__balance b = make(2, guesses);
    int changes = 0;
    for (int i = 0; i < 1000; i++) {
        double speeds[MOST] = {0};
        int64_t before = b.shares[0].rows;
        for (int k = 0; k < 2; k++)
            speeds[k] = 1e6 * (0.75 + 0.005 * test_below(&r, 100));
        run(&b, speeds, 10000, 1);
        changes += i >= 10 && b.shares[0].rows != before;
    }
    assert_true(changes <= 40); /* by medians alone it is 168 */
}

/* Whatever the speeds: a tenth from the best split, in ten runs. */
static void it_is_near_the_best(void **state)
{
    (void)state;
    test_random r = {.state = 3};
    for (int i = 0; i < 500; i++) {
        double guesses[MOST] = {0};
        double speeds[MOST] = {0};
        double sum = 0;
        int64_t rows[MOST] = {0};
        for (int k = 0; k < 4; k++) {
            guesses[k] = 1 + test_below(&r, 20);
            speeds[k] = 1e5 * (1 + test_below(&r, 20));
            sum += speeds[k];
        }
        sinter__balance b = make(4, guesses);
        for (int k = 0; k < 10; k++)
            run(&b, speeds, 100000, 1);
        for (int k = 0; k < 4; k++)
            rows[k] = b.shares[k].rows;
        assert_true(longest(rows, speeds) < 1.1 * 100000 / sum);
    }
}

/* It gets no rows any more, even if that saves nothing. */
static void what_is_far_too_slow_goes(void **state)
{
    (void)state;
    const double guesses[MOST] = {1, 60};
    const double speeds[MOST] = {1e4, 6e5};
    const int64_t alone[MOST] = {0, 10000};
    sinter__balance b = make(2, guesses);
    run(&b, speeds, 10000, 1);
    assert_true(b.shares[0].rows > 0);
    for (int i = 0; i < 3; i++)
        run(&b, speeds, 10000, 1);
    assert_rows(&b, alone);
}

/* The shares in use hold for another number of rows. */
static void another_total_keeps_the_shares(void **state)
{
    (void)state;
    const double guesses[MOST] = {1, 1};
    const double speeds[MOST] = {1e6, 1.04e6};
    const int64_t few[MOST] = {50, 50};
    sinter__balance b = make(2, guesses);
    for (int i = 0; i < 10; i++)
        run(&b, speeds, 1000, 1);
    run(&b, speeds, 100, 1);
    assert_rows(&b, few);
    run(&b, speeds, 0, 1);
    assert_int_equal(b.shares[0].rows + b.shares[1].rows, 0);
}

/* Runs, of which those tried again are counted; each stream takes what its speed says. */
static int count_probes(sinter__balance *b, const double *speeds, int64_t total, int64_t granule,
                        int runs)
{
    int probes = 0;
    for (int i = 0; i < runs; i++) {
        int64_t at = 0;
        sinter__balance_split(b, total, granule);
        sinter__balance_probe(b, total, granule);
        probes += strstr(b->why, "is tried again") != NULL;
        for (size_t k = 0; k < b->count; k++) {
            int64_t rows = b->shares[k].rows;
            assert_true(rows >= 0 && (rows == 0 || at % granule == 0));
            at += rows;
            if (rows > 0)
                sinter__balance_correct(b, k, rows, (uint64_t)((double)rows * 1e9 / speeds[k]));
        }
        assert_int_equal(at, total);
    }
    return probes;
}

/* What was too slow is tried again, by the count of runs; when it is faster by then it comes back. */
static void what_had_no_rows_is_tried_again(void **state)
{
    (void)state;
    const double guesses[MOST] = {30, 1, 30};
    const double slow[MOST] = {6e5, 1e3, 6e5};
    const double fast[MOST] = {6e5, 6e5, 6e5};
    for (int64_t granule = 1; granule <= 700; granule += 699) {
        sinter__balance b = make(3, guesses);
        (void)count_probes(&b, slow, 10007, granule, 4);
        assert_int_equal(b.shares[1].rows, 0);
        int probes = count_probes(&b, slow, 10007, granule, 3 * SINTER__BALANCE_IDLE_RUNS);
        assert_int_equal(probes, 3);
        assert_int_equal(count_probes(&b, fast, 10007, granule, SINTER__BALANCE_IDLE_RUNS + 3), 1);
        assert_true(b.shares[1].rows > 2000);
        b.is_fixed = true;
        b.shares[1].rows = 0;
        assert_int_equal(count_probes(&b, fast, 10007, granule, SINTER__BALANCE_IDLE_RUNS + 3), 0);
    }
}

/* Runs whose ways take so many ns of a row. How many went alone. */
static int count_alone(sinter__worth *w, double split_ns, double alone_ns, int runs)
{
    int alone = 0;
    for (int i = 0; i < runs; i++) {
        uint32_t way = sinter__worth_next(w);
        double late = i % 4 == 1 ? 30 : 0; /* by what else is on the machine */
        alone += way == SINTER__WAY_ALONE;
        sinter__worth_took(w, way, late + (way == SINTER__WAY_ALONE ? alone_ns : split_ns));
    }
    return alone;
}

#define ROUND (SINTER__WORTH_PAUSE + SINTER__WORTH_RUNS)

/* Where splitting loses, the rows stay in one place; it is tried less and less often, and comes back when it wins. */
static void splitting_is_left_where_it_loses(void **state)
{
    (void)state;
    sinter__worth w = {.way = SINTER__WAY_SPLIT};
    assert_int_equal(count_alone(&w, 10, 6, ROUND), SINTER__WORTH_RUNS);
    assert_int_equal(count_alone(&w, 10, 6, SINTER__WORTH_PAUSE), SINTER__WORTH_PAUSE);
    assert_int_equal(count_alone(&w, 10, 6, SINTER__WORTH_RUNS), 0);
    assert_int_equal(count_alone(&w, 10, 6, 2 * SINTER__WORTH_PAUSE), 2 * SINTER__WORTH_PAUSE);
    int alone = count_alone(&w, 10, 6, 10000);
    assert_true(alone > 9700 && alone < 10000);
    (void)count_alone(&w, 3, 6, SINTER__WORTH_LAST_PAUSE + ROUND);
    assert_int_equal(w.way, SINTER__WAY_SPLIT);
}

/* Less than 5 %, or times that are not known, change nothing. */
static void splitting_stays_where_it_does_not_lose(void **state)
{
    (void)state;
    sinter__worth w = {.way = SINTER__WAY_SPLIT};
    sinter__worth unknown = {.way = SINTER__WAY_SPLIT};
    assert_int_equal(count_alone(&w, 10, 9.6, ROUND), SINTER__WORTH_RUNS);
    assert_int_equal(count_alone(&w, 10, 9.6, 2 * SINTER__WORTH_PAUSE), 0);
    assert_int_equal(w.way, SINTER__WAY_SPLIT);
    for (int i = 0; i < 2 * ROUND; i++) {
        uint32_t way = sinter__worth_next(&unknown);
        if (way == SINTER__WAY_SPLIT)
            sinter__worth_took(&unknown, way, 10);
        sinter__worth_resplit(&unknown);
    }
    assert_int_equal(unknown.way, SINTER__WAY_SPLIT);
    assert_true(sinter__worth_time(&unknown, SINTER__WAY_SPLIT) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_come_to_the_whole),
        cmocka_unit_test(exact_shares_give_exact_rows),
        cmocka_unit_test(it_comes_to_the_measured_rates),
        cmocka_unit_test(guesses_are_scaled_to_what_is_measured),
        cmocka_unit_test(it_does_not_flap),
        cmocka_unit_test(it_stays_on_a_busy_machine),
        cmocka_unit_test(it_is_near_the_best),
        cmocka_unit_test(what_is_far_too_slow_goes),
        cmocka_unit_test(another_total_keeps_the_shares),
        cmocka_unit_test(what_had_no_rows_is_tried_again),
        cmocka_unit_test(splitting_is_left_where_it_loses),
        cmocka_unit_test(splitting_stays_where_it_does_not_lose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
