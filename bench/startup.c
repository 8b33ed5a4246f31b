/* Each start is a child that reports through a pipe what it took: sinter with an empty cache, sinter with the cache
 * that the first has left, and the least that an OpenCL program can do, with a binary that was made before. */
#include "bench/startup.h"

#include "bench/opencl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TURNS 11
#define ELEMENTS 4096
#define MAX_BINARY ((size_t)1 << 20)

typedef struct start {
    double context_ms; /* until there is a context, OpenCL's loading and the device's included */
    double first_ms;   /* until the first result, the former included */
    uint64_t compiles, hits;
    char selector[32];
    char name[128];
    bool is_host, fine;
} start;

typedef struct plan {
    const bench_options *o;
    char folder[64];
    char selector[32];
    unsigned char *binary; /* of the bare program */
    size_t binary_bytes;
} plan;

static double now_ms(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* sinter */

static sinter_status first_result(sinter_stream *s)
{
    static float data[ELEMENTS];
    const int64_t shape[] = {ELEMENTS};
    float sum;
    sinter_tensor x;
    sinter_tensor t;
    sinter_tensor y;
    sinter_tensor z;
    sinter_status status = sinter_tensor_from_host(s, SINTER_F32, 1, shape, data, &x);
    if (status == SINTER_OK)
        status = sinter_add_scalar(s, x, 1.0, &t);
    if (status == SINTER_OK)
        status = sinter_gelu(s, t, &y);
    if (status == SINTER_OK)
        status = sinter_sum(s, y, 0, NULL, false, &z);
    return status == SINTER_OK ? sinter_tensor_read(s, z, &sum, sizeof sum) : status;
}

static void describe(sinter_context *ctx, start *out)
{
    sinter_device_info info = SINTER_DEVICE_INFO_INIT;
    sinter_stats stats = SINTER_STATS_INIT;
    if (sinter_context_device(ctx, &info) != SINTER_OK ||
        sinter_context_stats(ctx, &stats) != SINTER_OK)
        return;
    memcpy(out->selector, info.selector, sizeof out->selector);
    memcpy(out->name, info.name, sizeof out->name);
    out->is_host = info.kind == SINTER_DEVICE_HOST;
    out->compiles = stats.compiles;
    out->hits = stats.cache_hits;
    out->fine = true;
}

static void start_sinter(const plan *p, start *out)
{
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    sinter_context *ctx = NULL;
    sinter_stream *s = NULL;
    options.device = p->o->device;
    options.style = p->o->style;
    options.cache_folder = p->folder;
    double begin = now_ms();
    sinter_status status = sinter_context_create(&options, &ctx);
    out->context_ms = now_ms() - begin;
    if (status == SINTER_OK)
        status = sinter_stream_create(ctx, NULL, &s);
    if (status == SINTER_OK)
        status = first_result(s);
    out->first_ms = now_ms() - begin;
    if (status == SINTER_OK)
        describe(ctx, out);
    else
        (void)fprintf(stderr, "sinter bench: %s\n", sinter_last_error());
    (void)sinter_stream_destroy(s);
    (void)sinter_context_destroy(ctx);
}

/* The least that OpenCL takes */

static const char bare_text[] =
    "__kernel void twice(__global float *x) { x[get_global_id(0)] *= 2.0f; }";

static bool launch_bare(bench_cl *cl, cl_program program)
{
    static float data[ELEMENTS];
    const size_t elements = ELEMENTS;
    const size_t group = 1;
    cl_int error = CL_SUCCESS;
    cl_mem memory = NULL;
    cl_kernel kernel = cl->call.clCreateKernel(program, "twice", &error);
    if (error != CL_SUCCESS)
        return bench_cl_fail(cl, "clCreateKernel", error);
    bool fine =
        bench_cl_buffer(cl, sizeof data, &memory) && bench_cl_write(cl, memory, sizeof data, data);
    if (fine)
        error = cl->call.clSetKernelArg(kernel, 0, sizeof memory, (void *)&memory);
    if (fine && error == CL_SUCCESS)
        error = cl->call.clEnqueueNDRangeKernel(cl->queue, kernel, 1, NULL, &elements, &group, 0,
                                                NULL, NULL);
    if (error != CL_SUCCESS)
        fine = bench_cl_fail(cl, "clEnqueueNDRangeKernel", error);
    fine = fine && bench_cl_read(cl, memory, sizeof data, data);
    if (memory != NULL)
        (void)cl->call.clReleaseMemObject(memory);
    (void)cl->call.clReleaseKernel(kernel);
    return fine;
}

static bool take_binary(bench_cl *cl, cl_program program, plan *p)
{
    size_t bytes = 0;
    cl_int error =
        cl->call.clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL);
    if (error == CL_SUCCESS && bytes <= MAX_BINARY)
        error = cl->call.clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof p->binary,
                                          (void *)&p->binary, NULL);
    p->binary_bytes = bytes;
    return (error == CL_SUCCESS && bytes <= MAX_BINARY) ||
           bench_cl_fail(cl, "clGetProgramInfo", error);
}

static bool load_binary(bench_cl *cl, const plan *p, cl_program *out)
{
    const unsigned char *binary = p->binary;
    cl_int error = CL_SUCCESS;
    *out = cl->call.clCreateProgramWithBinary(cl->context, 1, &cl->device, &p->binary_bytes,
                                              &binary, NULL, &error);
    if (error == CL_SUCCESS)
        error = cl->call.clBuildProgram(*out, 1, &cl->device, NULL, NULL, NULL);
    return error == CL_SUCCESS || bench_cl_fail(cl, "clCreateProgramWithBinary", error);
}

/* With no binary yet: from source, and the binary is left in the plan. */
static void start_bare(plan *p, start *out)
{
    const char *const text = bare_text;
    bench_cl cl;
    cl_program program = NULL;
    double begin = now_ms();
    bool fine = bench_cl_open(&cl, p->selector);
    out->context_ms = now_ms() - begin;
    bool first = p->binary_bytes == 0;
    fine = fine &&
           (first ? bench_cl_build(&cl, &text, 1, NULL, &program) : load_binary(&cl, p, &program));
    fine = fine && launch_bare(&cl, program);
    out->first_ms = now_ms() - begin;
    out->fine = fine && (!first || take_binary(&cl, program, p));
    if (!out->fine)
        (void)fprintf(stderr, "sinter bench: %s\n", cl.why);
    if (program != NULL)
        (void)cl.call.clReleaseProgram(program);
    bench_cl_close(&cl);
}

/* Children */

static void write_all(int fd, const void *data, size_t bytes)
{
    const char *p = data;
    while (bytes > 0) {
        ssize_t put = write(fd, p, bytes);
        if (put <= 0)
            return;
        p += put;
        bytes -= (size_t)put;
    }
}

static bool read_all(int fd, void *data, size_t bytes)
{
    char *p = data;
    while (bytes > 0) {
        ssize_t got = read(fd, p, bytes);
        if (got <= 0)
            return false;
        p += got;
        bytes -= (size_t)got;
    }
    return true;
}

static void run_child(plan *p, bool bare, int fd)
{
    start s = {0};
    bool first = bare && p->binary_bytes == 0;
    if (bare)
        start_bare(p, &s);
    else
        start_sinter(p, &s);
    write_all(fd, &s, sizeof s);
    if (first) {
        write_all(fd, &p->binary_bytes, sizeof p->binary_bytes);
        write_all(fd, p->binary, p->binary_bytes);
    }
    _exit(0);
}

static bool in_child(plan *p, bool bare, start *out)
{
    int ends[2];
    bool first = bare && p->binary_bytes == 0;
    out->fine = false;
    if (pipe(ends) != 0)
        return false;
    (void)fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        run_child(p, bare, ends[1]);
    (void)close(ends[1]);
    bool fine = child > 0 && read_all(ends[0], out, sizeof *out);
    if (fine && first)
        fine = read_all(ends[0], &p->binary_bytes, sizeof p->binary_bytes) &&
               p->binary_bytes <= MAX_BINARY && read_all(ends[0], p->binary, p->binary_bytes);
    (void)close(ends[0]);
    if (child > 0)
        (void)waitpid(child, NULL, 0);
    return fine && out->fine;
}

/* The report */

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_of(const start *starts, bool first)
{
    double values[TURNS];
    for (int i = 0; i < TURNS; i++)
        values[i] = first ? starts[i].first_ms : starts[i].context_ms;
    qsort(values, TURNS, sizeof values[0], compare);
    return values[TURNS / 2];
}

static void print_start(const char *what, double context_ms, double first_ms, const start *s)
{
    (void)printf("%-32s%10.1f%14.1f%8llu%8llu\n", what, context_ms, first_ms,
                 (unsigned long long)s->compiles, (unsigned long long)s->hits);
}

static bool measure(plan *p)
{
    start cold;
    start first;
    start warm[TURNS];
    start bare[TURNS];
    if (!in_child(p, false, &cold))
        return false;
    if (cold.is_host) {
        (void)fprintf(stderr, "sinter bench: the host reference device compiles nothing\n");
        return false;
    }
    memcpy(p->selector, cold.selector, sizeof p->selector);
    if (!in_child(p, true, &first))
        return false;
    for (int i = 0; i < TURNS; i++) {
        if (!in_child(p, false, &warm[i]) || !in_child(p, true, &bare[i]))
            return false;
        if (warm[i].compiles > 0) {
            (void)fprintf(stderr, "sinter bench: programs are not kept: %s\n",
                          getenv("SINTER_NO_CACHE") != NULL ? "SINTER_NO_CACHE is set"
                                                            : "the driver gives or takes none");
            return false;
        }
    }
    (void)printf(
        "start of a process on %s, ms from nothing (medians of %d, the first line of one)\n\n"
        "%-32s%10s%14s%8s%8s\n",
        cold.name, TURNS, "", "context", "first result", "built", "kept");
    print_start("sinter, nothing kept", cold.context_ms, cold.first_ms, &cold);
    print_start("sinter, after that", median_of(warm, false), median_of(warm, true), &warm[0]);
    print_start("OpenCL alone, a kept binary", median_of(bare, false), median_of(bare, true),
                &bare[0]);
    (void)printf("\nsinter adds %.1f ms to the driver's own start\n",
                 median_of(warm, true) - median_of(bare, true));
    return true;
}

bool bench_startup_run(const bench_options *o)
{
    const char *place = getenv("TMPDIR");
    plan p = {.o = o, .binary = malloc(MAX_BINARY)};
    (void)snprintf(p.folder, sizeof p.folder, "%.40s/sinter.XXXXXX",
                   place != NULL ? place : "/tmp");
    bool fine = p.binary != NULL && mkdtemp(p.folder) != NULL;
    if (!fine)
        (void)fprintf(stderr, "sinter bench: no folder for the cache: %s\n", p.folder);
    fine = fine && measure(&p);
    (void)sinter_cache_clear(p.folder);
    (void)rmdir(p.folder);
    free(p.binary);
    return fine;
}
