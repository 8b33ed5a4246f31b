/* A CLBlast for tests: SINTER_CLBLAST_LIB names it. It computes products on the host, in f64, so it
 * is the same on every driver and has nothing to compile; counts them; makes them fail when a test
 * says so (clblast_fake.h); and writes over all of the scratch that it is given, so that whatever
 * else lies there shows.
 *
 *   SINTER_TEST_CLBLAST=stranger   is linked with an OpenCL that knows no platform
 *   SINTER_TEST_CLBLAST=idle       computes nothing, and so is fast */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "support/clblast_fake.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
#define TRANSPOSED 112
#define TILE 32

static struct {
    __typeof__(clGetPlatformIDs) *clGetPlatformIDs;
    __typeof__(clGetMemObjectInfo) *clGetMemObjectInfo;
    __typeof__(clEnqueueReadBuffer) *clEnqueueReadBuffer;
    __typeof__(clEnqueueWriteBuffer) *clEnqueueWriteBuffer;
} cl;

static struct {
    uint64_t until, products, copies, clears, mistakes;
    int error, scratch_error;
} fake;

static void find(void *library, const char *name, void *pointer)
{
    void *symbol = dlsym(library, name);
    memcpy(pointer, &symbol, sizeof symbol);
}

static void load(void)
{
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        (void)fprintf(stderr, "clblast_fake: %s\n", dlerror());
        exit(98);
    }
    find(library, "clGetPlatformIDs", &cl.clGetPlatformIDs);
    find(library, "clGetMemObjectInfo", &cl.clGetMemObjectInfo);
    find(library, "clEnqueueReadBuffer", &cl.clEnqueueReadBuffer);
    find(library, "clEnqueueWriteBuffer", &cl.clEnqueueWriteBuffer);
}

static bool is_mode(const char *name)
{
    const char *mode = getenv("SINTER_TEST_CLBLAST");
    return mode != NULL && strcmp(mode, name) == 0;
}

EXPORT cl_int clGetPlatformIDs(cl_uint n, cl_platform_id *platforms, cl_uint *count)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, load);
    if (!is_mode("stranger"))
        return cl.clGetPlatformIDs(n, platforms, count);
    *count = 0;
    return CL_SUCCESS;
}

/* A matrix on the host. */
typedef struct matrix {
    cl_mem buffer;
    size_t rows, columns;
    size_t offset, pitch;
    int transposed;
    size_t size; /* of an element */
    char *data;  /* the whole buffer */
    size_t bytes;
} matrix;

static char *at(const matrix *m, size_t row, size_t column)
{
    size_t element = m->transposed ? column * m->pitch + row : row * m->pitch + column;
    return m->data + (m->offset + element) * m->size;
}

static double get(const matrix *m, size_t row, size_t column)
{
    float narrow;
    double wide;
    const char *from = at(m, row, column);
    memcpy(&wide, from, m->size == sizeof wide ? sizeof wide : 0);
    memcpy(&narrow, from, sizeof narrow);
    return m->size == sizeof wide ? wide : (double)narrow;
}

static void put(const matrix *m, size_t row, size_t column, double value)
{
    float narrow = (float)value;
    if (m->size == sizeof value)
        memcpy(at(m, row, column), &value, sizeof value);
    else
        memcpy(at(m, row, column), &narrow, sizeof narrow);
}

static size_t buffer_bytes(cl_mem buffer)
{
    size_t bytes = 0;
    (void)cl.clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof bytes, &bytes, NULL);
    return bytes;
}

static bool fetch(cl_command_queue queue, matrix *m)
{
    m->bytes = buffer_bytes(m->buffer);
    m->data = calloc(m->bytes + 1, 1);
    if (m->data == NULL)
        return false;
    fake.copies += m->offset != 0;
    size_t end = (size_t)(at(m, m->rows - 1, m->columns - 1) - m->data) + m->size;
    fake.mistakes += end > m->bytes;
    return end <= m->bytes && cl.clEnqueueReadBuffer(queue, m->buffer, CL_TRUE, 0, m->bytes,
                                                     m->data, 0, NULL, NULL) == CL_SUCCESS;
}

static size_t scratch_bytes(size_t m, size_t n, size_t k, size_t offsets, size_t size)
{
    bool fits = m % TILE == 0 && n % TILE == 0 && k % TILE == 0 && offsets == 0;
    return fits ? 0 : (m * k + k * n + m * n) * size;
}

static bool fill_scratch(cl_command_queue queue, cl_mem scratch, size_t bytes)
{
    char junk[4096];
    memset(junk, 0xff, sizeof junk); /* NaN */
    bool fits = bytes == 0 || (scratch != NULL && buffer_bytes(scratch) >= bytes);
    fake.mistakes += !fits;
    for (size_t done = 0; fits && done < bytes; done += sizeof junk) {
        size_t part = bytes - done < sizeof junk ? bytes - done : sizeof junk;
        fits = cl.clEnqueueWriteBuffer(queue, scratch, CL_TRUE, done, part, junk, 0, NULL, NULL) ==
               CL_SUCCESS;
    }
    return fits;
}

static void multiply(const matrix *a, const matrix *b, const matrix *c)
{
    for (size_t i = 0; i < c->rows; i++) {
        for (size_t j = 0; j < c->columns; j++) {
            double sum = 0;
            for (size_t l = 0; l < a->columns; l++)
                sum += get(a, i, l) * get(b, l, j);
            put(c, i, j, sum);
        }
    }
}

static int product(matrix *a, matrix *b, matrix *c, cl_command_queue queue, cl_mem scratch)
{
    size_t bytes =
        scratch_bytes(a->rows, b->columns, b->rows, a->offset + b->offset + c->offset, a->size);
    if (fake.error != 0 && fake.until-- == 0)
        return fake.error;
    if (is_mode("idle"))
        return 0;
    bool done = fetch(queue, a) && fetch(queue, b) && fetch(queue, c) &&
                fill_scratch(queue, scratch, bytes);
    if (done)
        multiply(a, b, c);
    done = done && cl.clEnqueueWriteBuffer(queue, c->buffer, CL_TRUE, 0, c->bytes, c->data, 0, NULL,
                                           NULL) == CL_SUCCESS;
    free(a->data);
    free(b->data);
    free(c->data);
    fake.products++;
    return done ? 0 : CL_INVALID_VALUE;
}

/* The names and the parameters are CLBlast's. */
/* NOLINTBEGIN(readability-function-size,readability-identifier-naming) */
#define GEMM(name, type)                                                                           \
    EXPORT int name(int layout, int a_transpose, int b_transpose, size_t m, size_t n, size_t k,    \
                    type alpha, cl_mem a, size_t a_offset, size_t a_pitch, cl_mem b,               \
                    size_t b_offset, size_t b_pitch, type beta, cl_mem c, size_t c_offset,         \
                    size_t c_pitch, cl_command_queue *queue, cl_event *event, cl_mem scratch);     \
    EXPORT int name(int layout, int a_transpose, int b_transpose, size_t m, size_t n, size_t k,    \
                    type alpha, cl_mem a, size_t a_offset, size_t a_pitch, cl_mem b,               \
                    size_t b_offset, size_t b_pitch, type beta, cl_mem c, size_t c_offset,         \
                    size_t c_pitch, cl_command_queue *queue, cl_event *event, cl_mem scratch)      \
    {                                                                                              \
        matrix left = {a,    m, k, a_offset, a_pitch, a_transpose == TRANSPOSED, sizeof(type),     \
                       NULL, 0};                                                                   \
        matrix right = {b,    k, n, b_offset, b_pitch, b_transpose == TRANSPOSED, sizeof(type),    \
                        NULL, 0};                                                                  \
        matrix result = {c, m, n, c_offset, c_pitch, 0, sizeof(type), NULL, 0};                    \
        fake.mistakes += layout != 101 || alpha != 1 || beta != 0 || event != NULL;                \
        return product(&left, &right, &result, *queue, scratch);                                   \
    }
GEMM(CLBlastSgemmWithTempBuffer, float)
GEMM(CLBlastDgemmWithTempBuffer, double)

#define SCRATCH(name, type)                                                                        \
    EXPORT int name(int layout, int a_transpose, int b_transpose, size_t m, size_t n, size_t k,    \
                    size_t a_offset, size_t a_pitch, size_t b_offset, size_t b_pitch,              \
                    size_t c_offset, size_t c_pitch, cl_command_queue *queue, size_t *bytes);      \
    EXPORT int name(int layout, int a_transpose, int b_transpose, size_t m, size_t n, size_t k,    \
                    size_t a_offset, size_t a_pitch, size_t b_offset, size_t b_pitch,              \
                    size_t c_offset, size_t c_pitch, cl_command_queue *queue, size_t *bytes)       \
    {                                                                                              \
        (void)layout, (void)a_transpose, (void)b_transpose, (void)a_pitch, (void)b_pitch;          \
        (void)c_pitch, (void)queue;                                                                \
        *bytes = scratch_bytes(m, n, k, a_offset + b_offset + c_offset, sizeof(type));             \
        return fake.scratch_error;                                                                 \
    }
SCRATCH(CLBlastSGemmTempBufferSize, float)
SCRATCH(CLBlastDGemmTempBufferSize, double)

EXPORT int CLBlastClearCache(void);
EXPORT int CLBlastClearCache(void)
{
    fake.clears++;
    return 0;
}
/* NOLINTEND(readability-function-size,readability-identifier-naming) */

/* Control */

static void arm(uint64_t nth, int error, int scratch)
{
    fake.until = nth;
    fake.error = scratch ? 0 : error;
    fake.scratch_error = scratch ? error : 0;
}

static uint64_t products(void)
{
    return fake.products;
}

static uint64_t copies(void)
{
    return fake.copies;
}

static uint64_t clears(void)
{
    return fake.clears;
}

static uint64_t mistakes(void)
{
    return fake.mistakes;
}

EXPORT const clblast_fake sinter_test_clblast_fake;
const clblast_fake sinter_test_clblast_fake = {
    .arm = arm, .products = products, .copies = copies, .clears = clears, .mistakes = mistakes};
