/* The one hard idea: CLBlast keeps what it builds for the whole process, by the addresses of contexts,
 * in tables that versions before 1.6.1 do not guard. So one lock is held over every call, and whoever
 * destroys a context has everything dropped: what other contexts had is built again. */
#include "executor/opencl/clblast.h"

#include "executor/context/env.h"
#include "executor/opencl/dynamic.h"

#include <pthread.h>

/* As in clblast_c.h. */
#define ROW_MAJOR 101
#define AS_IT_LIES 111
#define TRANSPOSED 112
#define MAX_PLATFORMS 32

#define GEMM(type)                                                                                 \
    int (*)(int layout, int a_transpose, int b_transpose, size_t m, size_t n, size_t k,            \
            type alpha, cl_mem a, size_t a_offset, size_t a_pitch, cl_mem b, size_t b_offset,      \
            size_t b_pitch, type beta, cl_mem c, size_t c_offset, size_t c_pitch,                  \
            cl_command_queue *queue, cl_event *event, cl_mem scratch)
#define SCRATCH                                                                                    \
    int (*)(int layout, int a_transpose, int b_transpose, size_t m, size_t n, size_t k,            \
            size_t a_offset, size_t a_pitch, size_t b_offset, size_t b_pitch, size_t c_offset,     \
            size_t c_pitch, cl_command_queue *queue, size_t *bytes)

static struct {
    __typeof__(GEMM(float)) CLBlastSgemmWithTempBuffer;
    __typeof__(GEMM(double)) CLBlastDgemmWithTempBuffer;
    __typeof__(SCRATCH) CLBlastSGemmTempBufferSize;
    __typeof__(SCRATCH) CLBlastDGemmTempBufferSize;
    int (*CLBlastClearCache)(void);
    __typeof__(clGetPlatformIDs) *clGetPlatformIDs; /* of the OpenCL that it calls */
} table;
static sinter__dynamic dynamic = {.what = "CLBlast"};
static bool loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t generation = 1; /* of what CLBlast has built: dropped so many times, and 1 */

/* A symbol is looked for in what the library is linked with too. */
static bool fill_table(void)
{
#define FIND(name) sinter__dynamic_find(&dynamic, #name, &table.name)
    return FIND(CLBlastSgemmWithTempBuffer) && FIND(CLBlastDgemmWithTempBuffer) &&
           FIND(CLBlastSGemmTempBufferSize) && FIND(CLBlastDGemmTempBufferSize) &&
           FIND(CLBlastClearCache) && FIND(clGetPlatformIDs);
#undef FIND
}

static void load(void)
{
    static const char *const name = "libclblast.so.1";
    loaded = sinter__dynamic_load(&dynamic, sinter__env_text(SINTER__ENV_CLBLAST_LIB), &name, 1) &&
             fill_table();
}

/* sinter may have been given a driver itself in the place of the loader of drivers. */
static bool knows_platform(cl_platform_id platform)
{
    cl_platform_id all[MAX_PLATFORMS];
    cl_uint count = 0;
    if (table.clGetPlatformIDs(MAX_PLATFORMS, all, &count) != CL_SUCCESS)
        return false;
    for (cl_uint i = 0; i < SINTER__MIN(count, (cl_uint)MAX_PLATFORMS); i++) {
        if (all[i] == platform)
            return true;
    }
    return false;
}

bool sinter__clblast_load(cl_platform_id platform, const char **why)
{
    (void)pthread_once(&once, load);
    *why = dynamic.reason;
    if (!loaded || knows_platform(platform))
        return loaded;
    *why = "the OpenCL that CLBlast is linked with does not know the device";
    return false;
}

/* Numbers below -1024 are CLBlast's own. */
static sinter_status fail(const char *call, int error)
{
    if (error > -1024)
        return sinter__cl_fail(call, error);
    return sinter__fail(SINTER_EDEVICE, "%s: error %d", call, error);
}

static int transposition(const sinter__gemm *x, int matrix)
{
    return x->matrix[matrix].transposed ? TRANSPOSED : AS_IT_LIES;
}

sinter_status sinter__clblast_scratch(cl_command_queue queue, const sinter__gemm *x,
                                      const sinter__clblast_matrix matrices[3], uint64_t *bytes)
{
    bool wide = x->dtype == SINTER_F64;
    size_t size = 0;
    (void)pthread_mutex_lock(&lock);
    int error = (wide ? table.CLBlastDGemmTempBufferSize : table.CLBlastSGemmTempBufferSize)(
        ROW_MAJOR, transposition(x, 0), transposition(x, 1), (size_t)x->m, (size_t)x->n,
        (size_t)x->k, matrices[0].offset, (size_t)x->matrix[0].pitch, matrices[1].offset,
        (size_t)x->matrix[1].pitch, matrices[2].offset, (size_t)x->matrix[2].pitch, &queue, &size);
    (void)pthread_mutex_unlock(&lock);
    *bytes = size;
    return error == 0 ? SINTER_OK : fail("CLBlastGemmTempBufferSize", error);
}

/* The result is alpha times the product and beta times what was there, which is not read for 0. */
#define CALL(function)                                                                             \
    function(ROW_MAJOR, transposition(x, 0), transposition(x, 1), (size_t)x->m, (size_t)x->n,      \
             (size_t)x->k, 1, matrices[0].buffer, matrices[0].offset, (size_t)x->matrix[0].pitch,  \
             matrices[1].buffer, matrices[1].offset, (size_t)x->matrix[1].pitch, 0,                \
             matrices[2].buffer, matrices[2].offset, (size_t)x->matrix[2].pitch, &queue, NULL,     \
             scratch)

sinter_status sinter__clblast_gemm(cl_command_queue queue, const sinter__gemm *x,
                                   const sinter__clblast_matrix matrices[3], cl_mem scratch,
                                   uint64_t warm[2], bool *built)
{
    bool wide = x->dtype == SINTER_F64;
    (void)pthread_mutex_lock(&lock);
    int error =
        wide ? CALL(table.CLBlastDgemmWithTempBuffer) : CALL(table.CLBlastSgemmWithTempBuffer);
    *built = warm[wide] != generation;
    warm[wide] = generation;
    (void)pthread_mutex_unlock(&lock);
    return error == 0 ? SINTER_OK : fail(wide ? "CLBlastDgemm" : "CLBlastSgemm", error);
}

void sinter__clblast_forget(void)
{
    (void)pthread_mutex_lock(&lock);
    (void)table.CLBlastClearCache();
    generation++;
    (void)pthread_mutex_unlock(&lock);
}
