/* What tests share: cmocka with its headers in order, contexts on the device under test, asserts on
 * statuses. */
#ifndef SINTER_TESTS_SUPPORT_H
#define SINTER_TESTS_SUPPORT_H

/* cmocka wants these before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sinter/sinter.h>

/* The call succeeds; else the test fails with the library's message. */
#define OK(call) test_ok((call), #call, __FILE__, __LINE__)

/* The call fails with `status`, and leaves a message. */
#define FAILS(status, call) test_fails((call), (status), #call, __FILE__, __LINE__)

void test_ok(sinter_status status, const char *call, const char *file, int line);
void test_fails(sinter_status status, sinter_status wanted, const char *call, const char *file,
                int line);

/* A context and a stream on the device of SINTER_DEVICE. */
typedef struct test_device {
    sinter_context *ctx;
    sinter_stream *s;
} test_device;

/* `options` NULL: the defaults, with warnings of the library on stderr. */
test_device test_open(const sinter_context_options *options);

/* The same with defaults on a device by its name; NULL: that of SINTER_DEVICE. */
test_device test_open_on(const char *device);

/* The same with defaults, but each operation runs when it is called: nothing is fused and nothing repeated. */
test_device test_open_eager(void);

/* Ends both, and asserts that no tensor, no device memory and no OpenCL object was left behind. */
void test_close(test_device *d);

sinter_stats test_stats(const test_device *d);

/* Whether tensors share a pool, as they do by default: only then is a replay free of allocations.
 */
bool test_is_pooled(void);

/* Whether the device is the small one of those that the OpenCL library for tests plays. */
bool test_is_small(void);

/* Whether the device interprets kernels, thousands of times slower than one that runs them: what is large or many for
 * the sake of speed or of what runs at once is less on it. */
bool test_is_simulated(const test_device *d);

/* Whether it is one of them whose kernels take 256 bytes of arguments. */
bool test_takes_few_arguments(void);

/* Whether nothing in the environment changes where operations are grouped and cut: only then are
 * groups, launches and bytes those that a test of decisions expects. Values hold either way. */
bool test_is_plain(void);

/* No device runs anything at once, in the calling thread: for tests of what is still on its way, or
 * of kernels of several launches. Before the first call of the library. */
void test_nothing_at_once(void);

/* Whether storage may be taken over, as it may by default. */
bool test_reuses(void);

/* For a test of decisions alone: 0, or 77 after saying which variable changes them. */
int test_skips_unless_plain(void);

/* Asserts a count that a switch may change on purpose. */
#define DECIDES(found, wanted)                                                                     \
    do {                                                                                           \
        if (test_is_plain())                                                                       \
            assert_int_equal(found, wanted);                                                       \
    } while (0)

/* The report of what the stream has run since test_report_begin, valid until the next call. */
void test_report_begin(const test_device *d);
const char *test_report(const test_device *d);

/* Queues a program of x [rows,columns] and w [columns], both of `data`, and returns it; what went in and came out is
 * the caller's to release. */
sinter_program *test_program_of_rows(const test_device *d, const char *text, const int64_t shape[2],
                                     const float *data, sinter_tensor in[2],
                                     sinter_tensor *results);

/* Reads the program's results as bytes, one behind the other, and releases them; returns how many bytes they are. */
size_t test_take_results(const test_device *d, const sinter_program *p, sinter_tensor *results,
                         uint8_t *out);

/* Both: runs a program of rows with up to 8 results and reads them. With `gives`, what goes in is
 * released before it runs. */
size_t test_run_rows(const test_device *d, const char *text, int64_t rows, int64_t columns,
                     const float *data, bool gives, uint8_t *out);

/* The same of at most TEST_FILLED elements that test_fill makes. */
#define TEST_FILLED 8192
size_t test_run_filled(const test_device *d, const char *text, int64_t rows, int64_t columns,
                       bool gives, uint8_t *out);

/* Fails where the two devices do not give the same bytes of it. */
void test_same_filled(const test_device *d, const test_device *other, const char *text,
                      int64_t rows, int64_t columns);

/* The host's memory as a context has it: what it holds, and which allocation fails. */
typedef struct test_memory {
    uint64_t calls;      /* allocations asked for */
    uint64_t live_bytes; /* held */
    uint64_t nth;        /* this allocation fails; UINT64_MAX: none */
    bool persistent;     /* and so do all after it */
    uint64_t failed;
} test_memory;

/* A sinter_realloc_fn over a test_memory. A block has to be given back as it was taken. */
void *test_count_memory(void *memory, void *ptr, size_t old_bytes, size_t new_bytes);

/* A text that a function of the library gives in pieces: pass test_text_add and a text that begins
 * as all zeros. */
typedef struct test_text {
    char data[1 << 18];
    size_t bytes;
} test_text;
void test_text_add(void *text, const char *piece, size_t bytes);

/* A profile of a device (NULL: the one under test), as if of `style`, "cpu" or "gpu"; NULL: its own. */
sinter_profile *test_profile(const char *device, const char *style);
uint32_t test_profile_number(const sinter_profile *p, const char *name);
void test_profile_set(sinter_profile *p, const char *name, uint32_t value);

/* Whether the environment asks for the style of a GPU. */
bool test_is_gpu_style(void);

/* How often `part` is in `text`; and in the kernels of what has run since the report began. */
size_t test_occurrences(const char *text, const char *part);
size_t test_kernels_have(const test_device *d, const char *part);

/* Numbers in [-6.25, 9.5], of which 1,009 that follow each other differ. */
void test_fill(float *out, int count);

/* A tensor of floats; `data` NULL: 0, 1, 2, ... scaled into [-2, 2]. */
sinter_tensor test_floats(const test_device *d, int rank, const int64_t *shape, const float *data);

void test_release(const test_device *d, sinter_tensor t);

/* From now on nothing is asked before what is pending runs (promise.c): for tests that count calls until one
 * fails, and for threads, which take memory at the same time. */
void test_promise_pause(void);

/* What keeps a context from ending as it should, in a line; NULL: nothing (leaks.c). Every context of every test that
 * is destroyed is asked. */
const char *test_leaks(sinter_context *ctx);

/* The next one that is destroyed may hold tensors. */
void test_leaves_tensors(void);

/* Reads a tensor of f32 into `out`. */
void test_read(const test_device *d, sinter_tensor t, float *out, size_t count);

/* Bytes of all its elements; and they, which are to fit `room`: how many bytes those are. */
size_t test_bytes(const test_device *d, sinter_tensor t);
size_t test_read_whole(const test_device *d, sinter_tensor t, void *out, size_t room);

/* The same of a tensor of f32, in numbers. */
size_t test_read_numbers(const test_device *d, sinter_tensor t, float *out, size_t room);

/* A stderr logger for context options. */
void test_log(void *user, int level, const char *message);

/* Random numbers with a stated seed: splitmix64. */
typedef struct test_random {
    uint64_t state;
} test_random;

uint64_t test_next(test_random *r);
/* 0 .. limit - 1 */
uint32_t test_below(test_random *r, uint32_t limit);

/* An operation at random on any of `count` tensors of one shape and on the last of them. `views`: it may be a view. */
sinter_tensor test_step(const test_device *d, test_random *r, const sinter_tensor *t,
                        uint32_t count, bool views);

#endif /* SINTER_TESTS_SUPPORT_H */
