/* Programs from source, with an OpenCL that is played: which texts and options a compiler sees, and what becomes of a
 * program that does not build behind sinter's own declarations. */
#include "support/support.h"

#include "executor/opencl/build.h"

#include <stdio.h>
#include <string.h>

#define DECLARES "-D_OPENCL_H_"

static struct {
    cl_uint texts;     /* of the last program */
    const char *first; /* of them */
    char options[128]; /* of the last build */
    int built, living; /* programs */
    bool refuses_declared, refuses_all;
    cl_int refusal;
} played;

static cl_program CL_API_CALL create(cl_context context, cl_uint n, const char **texts,
                                     const size_t *lengths, cl_int *error)
{
    (void)context;
    assert_null(lengths);
    played.texts = n;
    played.first = texts[0];
    played.living++;
    *error = CL_SUCCESS;
    return (cl_program)&played;
}

static cl_int CL_API_CALL build(cl_program program, cl_uint n, const cl_device_id *devices,
                                const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
                                void *user)
{
    (void)program;
    (void)devices;
    (void)user;
    assert_int_equal(n, 1);
    assert_null(notify);
    played.built++;
    (void)snprintf(played.options, sizeof played.options, "%s", options);
    bool refuses =
        played.refuses_all || (played.refuses_declared && strstr(played.options, DECLARES) != NULL);
    return refuses ? played.refusal : CL_SUCCESS;
}

static cl_int CL_API_CALL say(cl_program program, cl_device_id device, cl_program_build_info what,
                              size_t bytes, void *value, size_t *size)
{
    static const char text[] = "no such function";
    (void)program;
    (void)device;
    assert_int_equal(what, CL_PROGRAM_BUILD_LOG);
    if (value != NULL) {
        assert_int_equal(bytes, sizeof text);
        memcpy(value, text, sizeof text);
    }
    if (size != NULL)
        *size = sizeof text;
    return CL_SUCCESS;
}

static cl_int CL_API_CALL release(cl_program program)
{
    (void)program;
    played.living--;
    return CL_SUCCESS;
}

static const sinter__cl table = {.clCreateProgramWithSource = create,
                                 .clBuildProgram = build,
                                 .clGetProgramBuildInfo = say,
                                 .clReleaseProgram = release};

static sinter__allocator allocator;
static sinter__cl_builder builder;

static void begin(bool reads_header)
{
    const sinter__device device = {
        .cl = &table, .reads_header = reads_header, .build_options = "-w"};
    memset(&played, 0, sizeof played);
    played.refusal = CL_BUILD_PROGRAM_FAILURE;
    sinter__allocator_init(&allocator, NULL, NULL);
    sinter__cl_builder_init(&builder, &device, &allocator, NULL);
}

static sinter_status try_one(void)
{
    cl_program program = NULL;
    sinter__buffer log;
    sinter__buffer_init(&log, &allocator);
    sinter_status status = sinter__cl_build(&builder, "kernel", &program, &log);
    assert_true((program != NULL) == (status == SINTER_OK));
    assert_non_null(strstr(sinter__buffer_text(&log), "no such function"));
    sinter__buffer_finish(&log);
    if (status == SINTER_OK)
        (void)release(program);
    assert_int_equal(played.living, 0);
    return status;
}

static void declarations_stand_before_the_kernels(void **state)
{
    (void)state;
    begin(true);
    OK(try_one());
    assert_int_equal(played.built, 1);
    assert_int_equal(played.texts, 2);
    assert_non_null(strstr(played.first, "vload_half"));
    assert_string_equal(played.options, "-w " DECLARES);
}

static void other_drivers_see_the_kernels_alone(void **state)
{
    (void)state;
    begin(false);
    OK(try_one());
    assert_int_equal(played.built, 1);
    assert_int_equal(played.texts, 1);
    assert_string_equal(played.first, "kernel");
    assert_string_equal(played.options, "-w");
}

/* Once a program has built without them, none is tried with them again. */
static void a_driver_that_refuses_them_is_given_none(void **state)
{
    (void)state;
    begin(true);
    played.refuses_declared = true;
    OK(try_one());
    assert_int_equal(played.built, 2);
    assert_int_equal(played.texts, 1);
    OK(try_one());
    assert_int_equal(played.built, 3);
    assert_string_equal(played.options, "-w");
}

/* A kernel that builds in neither way says nothing about declarations. */
static void a_kernel_that_is_refused_changes_nothing(void **state)
{
    (void)state;
    begin(true);
    played.refuses_all = true;
    FAILS(SINTER_EBUILD, try_one());
    assert_int_equal(played.built, 2);
    played.refuses_all = false;
    OK(try_one());
    assert_int_equal(played.built, 3);
    assert_string_equal(played.options, "-w " DECLARES);
}

/* Nor does a lack of memory, after which nothing is tried. */
static void lack_of_memory_is_no_refusal(void **state)
{
    (void)state;
    begin(true);
    played.refuses_all = true;
    played.refusal = CL_OUT_OF_HOST_MEMORY;
    FAILS(SINTER_ENOMEM, try_one());
    assert_int_equal(played.built, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(declarations_stand_before_the_kernels),
        cmocka_unit_test(other_drivers_see_the_kernels_alone),
        cmocka_unit_test(a_driver_that_refuses_them_is_given_none),
        cmocka_unit_test(a_kernel_that_is_refused_changes_nothing),
        cmocka_unit_test(lack_of_memory_is_no_refusal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
