/* Handles: who holds a tensor, for how long, and that a wrong handle is an error with a message. */
#include "support/support.h"

#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#define COUNT 6

static const int64_t shape[] = {COUNT};

static sinter_tensor plus(const test_device *d, sinter_tensor x, double value)
{
    sinter_tensor y;
    OK(sinter_add_scalar(d->s, x, value, &y));
    return y;
}

/* Counting */

static void each_retain_wants_one_release(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    float out[COUNT];
    assert_int_equal(test_stats(&d).live_tensors, 1);
    OK(sinter_tensor_retain(d.ctx, x));
    OK(sinter_tensor_retain(d.ctx, x));
    test_release(&d, x);
    test_release(&d, x);
    test_read(&d, x, out, COUNT); /* one left */
    assert_int_equal(test_stats(&d).live_tensors, 1);
    test_release(&d, x);
    assert_int_equal(test_stats(&d).live_tensors, 0);
    assert_int_equal(test_stats(&d).pool_bytes, 0);
    FAILS(SINTER_EHANDLE, sinter_tensor_release(d.s, x));
    test_close(&d);
}

/* What is queued needs no handle any more. */
static void a_pending_operation_keeps_its_operands(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    float in[COUNT];
    float out[COUNT];
    test_read(&d, x, in, COUNT);
    sinter_tensor y = plus(&d, x, 1.0);
    sinter_tensor z = plus(&d, y, 2.0);
    test_release(&d, x);
    test_release(&d, y);
    test_read(&d, z, out, COUNT);
    for (int i = 0; i < COUNT; i++) {
        float once = in[i] + 1.0f;
        assert_true(out[i] == once + 2.0f);
    }
    test_release(&d, z);
    test_close(&d);
}

static void the_null_handle_is_released_by_nobody(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    const sinter_tensor none = {0};
    OK(sinter_tensor_release(d.s, none));
    OK(sinter_tensor_release(NULL, none));
    OK(sinter_stream_destroy(NULL));
    OK(sinter_context_destroy(NULL));
    test_close(&d);
}

static void a_release_needs_no_stream(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    OK(sinter_tensor_release(NULL, x));
    assert_int_equal(test_stats(&d).live_tensors, 0);
    FAILS(SINTER_EHANDLE, sinter_tensor_release(NULL, x));
    test_close(&d);
}

/* Wrong handles */

static void assert_text(const char *part)
{
    if (strstr(sinter_last_error(), part) == NULL)
        print_error("'%s' is not in '%s'\n", part, sinter_last_error());
    assert_non_null(strstr(sinter_last_error(), part));
}

/* The message says which handle it is about. */
static void assert_named(sinter_tensor bad)
{
    char name[32];
    (void)snprintf(name, sizeof name, "handle %#llx ", (unsigned long long)bad.id);
    assert_text(bad.id == 0 ? "the null handle " : name);
}

/* Every call that takes a handle refuses this one. */
static void assert_refused(const test_device *d, sinter_tensor bad, sinter_tensor good,
                           const char *text)
{
    sinter_tensor y = {1};
    sinter_tensor_desc desc;
    float out[COUNT];
    FAILS(SINTER_EHANDLE, sinter_add(d->s, bad, good, &y));
    assert_text(text);
    assert_text("add: ");
    assert_named(bad);
    assert_true(y.id == 0);
    y.id = 1;
    FAILS(SINTER_EHANDLE, sinter_where(d->s, good, good, bad, &y));
    assert_named(bad);
    assert_true(y.id == 0);
    FAILS(SINTER_EHANDLE, sinter_sum(d->s, bad, 0, NULL, false, &y));
    assert_named(bad);
    FAILS(SINTER_EHANDLE, sinter_tensor_read(d->s, bad, out, sizeof out));
    assert_text(text);
    assert_named(bad);
    FAILS(SINTER_EHANDLE, sinter_tensor_retain(d->ctx, bad));
    assert_named(bad);
    FAILS(SINTER_EHANDLE, sinter_tensor_describe(d->ctx, bad, &desc));
    assert_named(bad);
    if (bad.id == 0)
        return;
    FAILS(SINTER_EHANDLE, sinter_tensor_release(d->s, bad)); /* once more than it was held */
    assert_named(bad);
}

static void wrong_handles_are_refused_everywhere(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    test_device other = test_open(NULL);
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    sinter_tensor stale = test_floats(&d, 1, shape, NULL);
    sinter_tensor foreign = test_floats(&other, 1, shape, NULL);
    test_release(&d, stale);
    assert_refused(&d, (sinter_tensor){0}, x, "the null handle is no tensor");
    assert_refused(&d, stale, x, "its tensor was released");
    assert_refused(&d, foreign, x, "is of another context");
    assert_refused(&d, (sinter_tensor){x.id ^ (1u << 5)}, x, "released"); /* another generation */
    assert_refused(&d, (sinter_tensor){x.id ^ (uint64_t)1 << 40}, x, "released"); /* no such slot */
    assert_int_equal(test_stats(&d).live_tensors, 1);
    test_release(&d, x);
    test_release(&other, foreign);
    test_close(&other);
    test_close(&d);
}

/* The slot is used again at once; the old handle does not come to mean the new tensor. */
static void a_slot_used_again_has_another_handle(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    sinter_tensor old[1000];
    float out[COUNT];
    for (int i = 0; i < 1000; i++) {
        old[i] = test_floats(&d, 1, shape, NULL);
        test_release(&d, old[i]);
    }
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    for (int i = 0; i < 1000; i++) {
        assert_true(old[i].id != x.id);
        FAILS(SINTER_EHANDLE, sinter_tensor_read(d.s, old[i], out, sizeof out));
    }
    test_release(&d, x);
    test_close(&d);
}

static void many_tensors_have_many_handles(void **state)
{
    (void)state;
    enum { MANY = 20000 };
    test_device d = test_open(NULL);
    sinter_tensor *t = malloc(MANY * sizeof *t);
    assert_non_null(t);
    for (int i = 0; i < MANY; i++) {
        const float value = (float)i;
        t[i] = test_floats(&d, 0, NULL, &value);
    }
    assert_int_equal(test_stats(&d).live_tensors, MANY);
    for (int i = 0; i < MANY; i += 997) {
        float out;
        test_read(&d, t[i], &out, 1);
        assert_true(out == (float)i);
    }
    for (int i = 0; i < MANY; i++)
        test_release(&d, t[i]);
    free(t);
    test_close(&d);
}

static void a_handle_of_a_context_that_is_gone_is_refused(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    test_release(&d, x);
    test_close(&d);
    FAILS(SINTER_EHANDLE, sinter_tensor_release(NULL, x));
    assert_text("no live context");
    assert_named(x);
}

/* A tensor that is still held goes with its context. */
static void a_context_frees_what_is_still_held(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    sinter_tensor y = plus(&d, x, 1.0);
    (void)y;
    OK(sinter_stream_destroy(d.s));
    assert_int_equal(test_stats(&d).live_tensors, 2);
    test_leaves_tensors();
    OK(sinter_context_destroy(d.ctx));
    FAILS(SINTER_EHANDLE, sinter_tensor_release(NULL, x));
}

/* Places of results */

/* The operands are taken by value: a result may be written over the handle of an operand, whose
 * reference the caller then has nowhere else. */
static void a_result_may_replace_an_operands_handle(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    sinter_tensor kept = x;
    float in[COUNT];
    float out[COUNT];
    test_read(&d, x, in, COUNT);
    OK(sinter_mul(d.s, x, x, &x));
    test_read(&d, x, out, COUNT);
    for (int i = 0; i < COUNT; i++)
        assert_true(out[i] == in[i] * in[i]);
    test_release(&d, x);
    test_release(&d, kept);
    test_close(&d);
}

static void missing_arguments_are_named(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    sinter_tensor y = {1};
    FAILS(SINTER_EINVAL, sinter_add(d.s, x, x, NULL));
    assert_text("the place of the result is NULL");
    FAILS(SINTER_EINVAL, sinter_add(NULL, x, x, &y));
    assert_text("the stream is NULL");
    assert_true(y.id == 0);
    FAILS(SINTER_EINVAL, sinter_tensor_read(d.s, x, NULL, sizeof(float)));
    FAILS(SINTER_EINVAL, sinter_tensor_from_host(d.s, SINTER_F32, 1, shape, NULL, &y));
    sinter_stream *none = d.s;
    FAILS(SINTER_EINVAL, sinter_stream_create(NULL, NULL, &none));
    assert_null(none);
    FAILS(SINTER_EINVAL, sinter_stream_sync(NULL));
    FAILS(SINTER_EINVAL, sinter_stream_flush(NULL));
    FAILS(SINTER_EINVAL, sinter_stream_mark(NULL));
    FAILS(SINTER_EINVAL, sinter_scope_open(NULL));
    FAILS(SINTER_EINVAL, sinter_scope_close(NULL, 0, NULL));
    FAILS(SINTER_EINVAL, sinter_tensor_retain(NULL, x));
    const float data[COUNT] = {0};
    sinter_tensor_desc desc;
    y.id = 1;
    FAILS(SINTER_EINVAL, sinter_tensor_from_host(NULL, SINTER_F32, 1, shape, data, &y));
    assert_true(y.id == 0);
    FAILS(SINTER_EINVAL, sinter_tensor_from_host(d.s, SINTER_F32, 1, shape, data, NULL));
    FAILS(SINTER_EINVAL, sinter_tensor_describe(NULL, x, &desc));
    FAILS(SINTER_EINVAL, sinter_tensor_describe(d.ctx, x, NULL));
    FAILS(SINTER_EINVAL, sinter_tensor_read(NULL, x, &desc, sizeof(float)));
    test_release(&d, x);
    test_close(&d);
}

static void a_read_wants_the_tensors_size(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    float out[COUNT + 1];
    FAILS(SINTER_ERANGE, sinter_tensor_read(d.s, x, out, sizeof out));
    assert_text("the tensor has 24 bytes, the place 28");
    FAILS(SINTER_ERANGE, sinter_tensor_read(d.s, x, out, 0));
    test_release(&d, x);
    test_close(&d);
}

/* A good call leaves no message of an earlier one. */
static void a_call_that_succeeds_clears_the_message(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    FAILS(SINTER_EINVAL, sinter_add(d.s, x, x, NULL));
    sinter_tensor y = plus(&d, x, 1.0);
    assert_string_equal(sinter_last_error(), "");
    test_release(&d, y);
    test_release(&d, x);
    test_close(&d);
}

/* Streams and contexts */

static void a_context_with_streams_is_busy(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    sinter_stream *second;
    OK(sinter_stream_create(d.ctx, NULL, &second));
    FAILS(SINTER_EBUSY, sinter_context_destroy(d.ctx));
    assert_text("2 streams are alive");
    OK(sinter_stream_destroy(second));
    FAILS(SINTER_EBUSY, sinter_context_destroy(d.ctx));
    sinter_tensor x = test_floats(&d, 1, shape, NULL); /* and all goes on */
    test_release(&d, x);
    test_close(&d);
}

/* Scopes */

static void a_scope_releases_what_was_made_in_it(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    float in[COUNT];
    float out[COUNT];
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    test_read(&d, x, in, COUNT);
    OK(sinter_scope_open(d.s));
    sinter_tensor a = plus(&d, x, 1.0);
    sinter_tensor b = plus(&d, a, 2.0);
    sinter_tensor uploaded = test_floats(&d, 1, shape, NULL);
    sinter_tensor early = plus(&d, b, 3.0);
    test_release(&d, early); /* passed over at the end */
    assert_int_equal(test_stats(&d).live_tensors, 4);
    OK(sinter_scope_close(d.s, 1, &b));
    assert_int_equal(test_stats(&d).live_tensors, 2);
    FAILS(SINTER_EHANDLE, sinter_tensor_release(d.s, a));
    FAILS(SINTER_EHANDLE, sinter_tensor_release(d.s, uploaded));
    test_read(&d, b, out, COUNT);
    for (int i = 0; i < COUNT; i++) {
        float once = in[i] + 1.0f;
        assert_true(out[i] == once + 2.0f);
    }
    test_release(&d, b);
    test_release(&d, x);
    test_close(&d);
}

static void scopes_nest_and_kept_tensors_move_outwards(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    OK(sinter_scope_open(d.s));
    sinter_tensor a = plus(&d, x, 1.0);
    OK(sinter_scope_open(d.s));
    sinter_tensor b = plus(&d, a, 1.0);
    sinter_tensor c = plus(&d, b, 1.0);
    FAILS(SINTER_EHANDLE, sinter_scope_close(d.s, 1, &a)); /* of the outer one */
    assert_text("is not of the scope");
    OK(sinter_scope_close(d.s, 1, &c));
    assert_int_equal(test_stats(&d).live_tensors, 3); /* x, a, c */
    OK(sinter_scope_close(d.s, 0, NULL));
    assert_int_equal(test_stats(&d).live_tensors, 1);
    FAILS(SINTER_EINVAL, sinter_scope_close(d.s, 0, NULL));
    assert_text("no scope is open");
    test_release(&d, x);
    test_close(&d);
}

/* A reference taken by hand outlives the scope. */
static void a_retained_tensor_outlives_its_scope(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    sinter_tensor x = test_floats(&d, 1, shape, NULL);
    float out[COUNT];
    OK(sinter_scope_open(d.s));
    sinter_tensor a = plus(&d, x, 1.0);
    OK(sinter_tensor_retain(d.ctx, a));
    OK(sinter_scope_close(d.s, 0, NULL));
    test_read(&d, a, out, COUNT);
    test_release(&d, a);
    test_release(&d, x);
    test_close(&d);
}

/* Open scopes of a stream go with it; their tensors are the caller's then. */
static void a_stream_may_end_with_a_scope_open(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    sinter_stream *second;
    OK(sinter_stream_create(d.ctx, NULL, &second));
    test_device e = {.ctx = d.ctx, .s = second};
    OK(sinter_scope_open(second));
    sinter_tensor x = test_floats(&e, 1, shape, NULL);
    float out[COUNT];
    OK(sinter_stream_destroy(second));
    test_read(&d, x, out, COUNT);
    test_release(&d, x);
    test_close(&d);
}

/* Room in a scope is for what lives, whatever was made and released in it. */
static void a_scope_forgets_what_is_dead(void **state)
{
    (void)state;
    test_device d = test_open(NULL);
    sinter_tensor kept[3];
    kept[0] = test_floats(&d, 1, shape, NULL);
    OK(sinter_scope_open(d.s));
    kept[1] = test_floats(&d, 1, shape, NULL);
    OK(sinter_scope_open(d.s));
    kept[2] = test_floats(&d, 1, shape, NULL);
    uint64_t bytes = 0;
    for (int i = 0; i < 1000; i++) {
        test_release(&d, test_floats(&d, 1, shape, NULL));
        if (i == 100)
            bytes = test_stats(&d).host_bytes;
    }
    assert_int_equal(test_stats(&d).host_bytes, bytes);
    OK(sinter_scope_close(d.s, 0, NULL));
    FAILS(SINTER_EHANDLE, sinter_tensor_release(d.s, kept[2]));
    OK(sinter_scope_close(d.s, 0, NULL));
    FAILS(SINTER_EHANDLE, sinter_tensor_release(d.s, kept[1]));
    test_release(&d, kept[0]);
    test_close(&d);
}

/* Tags come round again, generations do not. */
static void a_handle_stays_dead_when_its_tag_comes_again(void **state)
{
    (void)state;
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    options.device = "host";
    test_device d = test_open(&options);
    sinter_tensor old = test_floats(&d, 1, shape, NULL);
    test_release(&d, old);
    test_close(&d);
    bool again = false;
    for (int i = 0; i < 4096; i++) {
        d = test_open(&options);
        sinter_tensor x = test_floats(&d, 1, shape, NULL);
        assert_true(x.id != old.id);
        again = again || x.id >> 28 == old.id >> 28; /* tag and slot */
        test_release(&d, x);
        test_close(&d);
    }
    assert_true(again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_retain_wants_one_release),
        cmocka_unit_test(a_pending_operation_keeps_its_operands),
        cmocka_unit_test(the_null_handle_is_released_by_nobody),
        cmocka_unit_test(a_release_needs_no_stream),
        cmocka_unit_test(wrong_handles_are_refused_everywhere),
        cmocka_unit_test(a_slot_used_again_has_another_handle),
        cmocka_unit_test(many_tensors_have_many_handles),
        cmocka_unit_test(a_handle_of_a_context_that_is_gone_is_refused),
        cmocka_unit_test(a_context_frees_what_is_still_held),
        cmocka_unit_test(a_result_may_replace_an_operands_handle),
        cmocka_unit_test(missing_arguments_are_named),
        cmocka_unit_test(a_read_wants_the_tensors_size),
        cmocka_unit_test(a_call_that_succeeds_clears_the_message),
        cmocka_unit_test(a_context_with_streams_is_busy),
        cmocka_unit_test(a_scope_releases_what_was_made_in_it),
        cmocka_unit_test(scopes_nest_and_kept_tensors_move_outwards),
        cmocka_unit_test(a_retained_tensor_outlives_its_scope),
        cmocka_unit_test(a_stream_may_end_with_a_scope_open),
        cmocka_unit_test(a_scope_forgets_what_is_dead),
        cmocka_unit_test(a_handle_stays_dead_when_its_tag_comes_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
