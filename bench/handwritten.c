#include "bench/handwritten.h"

#include "bench/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void release_buffer(bench_cl *cl, cl_mem *buffer)
{
    if (*buffer != NULL)
        (void)cl->call.clReleaseMemObject(*buffer);
    *buffer = NULL;
}

void bench_buffers_release(bench_cl *cl, bench_buffers *b)
{
    for (size_t i = 0; i < BENCH_MAX_INPUTS; i++)
        release_buffer(cl, &b->inputs[i]);
    for (size_t i = 0; i < BENCH_MAX_OUTPUTS; i++)
        release_buffer(cl, &b->outputs[i]);
    for (size_t i = 0; i < 2; i++)
        release_buffer(cl, &b->temporaries[i]);
}

static bool create_all(bench_cl *cl, const bench_operand *operands, size_t most,
                       const int64_t *extents, cl_mem *out)
{
    for (size_t i = 0; i < bench_operand_count(operands, most); i++) {
        if (!bench_cl_buffer(cl, bench_bytes(&operands[i], extents), &out[i]))
            return false;
    }
    return true;
}

bool bench_buffers_create(bench_cl *cl, const bench_workload *w, const int64_t *extents,
                          void *const *data, bench_buffers *out)
{
    memset(out, 0, sizeof *out);
    bool fine = create_all(cl, w->inputs, BENCH_MAX_INPUTS, extents, out->inputs) &&
                create_all(cl, w->outputs, BENCH_MAX_OUTPUTS, extents, out->outputs) &&
                create_all(cl, w->temporaries, 2, extents, out->temporaries);
    for (size_t i = 0; fine && i < bench_operand_count(w->inputs, BENCH_MAX_INPUTS); i++)
        fine = bench_cl_write(cl, out->inputs[i], bench_bytes(&w->inputs[i], extents), data[i]);
    if (!fine)
        bench_buffers_release(cl, out);
    return fine;
}

bool bench_buffers_reset(bench_cl *cl, const bench_workload *w, const int64_t *extents,
                         void *const *data, bench_buffers *b)
{
    for (int i = 0; i < w->updates; i++) {
        if (!bench_cl_write(cl, b->inputs[i], bench_bytes(&w->inputs[i], extents), data[i]))
            return false;
    }
    return true;
}

bool bench_buffers_read(bench_cl *cl, const bench_workload *w, const int64_t *extents,
                        const bench_buffers *b, size_t i, void *data)
{
    cl_mem buffer = i < (size_t)w->updates ? b->inputs[i] : b->outputs[i];
    return bench_cl_read(cl, buffer, bench_bytes(&w->outputs[i], extents), data);
}

static const char *find_text(const char *name)
{
    for (size_t i = 0; i < bench_file_count; i++) {
        if (strcmp(bench_files[i].name, name) == 0)
            return bench_files[i].text;
    }
    return "";
}

/* What a device that divides correctly only when it is asked to is asked with. */
static const char *division_option(const bench_cl *cl)
{
    cl_device_fp_config config = 0;
    cl_int error = cl->call.clGetDeviceInfo(cl->device, CL_DEVICE_SINGLE_FP_CONFIG, sizeof config,
                                            &config, NULL);
    bool asks = error == CL_SUCCESS && (config & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
    return asks ? " -cl-fp32-correctly-rounded-divide-sqrt" : "";
}

static bool build(bench_cl *cl, const bench_variant *v, cl_program *out)
{
    char options[256];
    const char *loose[] = {find_text("forms.cl"), find_text("fast.cl"), find_text(v->file)};
    const char *same[] = {find_text("forms.cl"),
                          find_text("same.cl"),
                          find_text("../../cl_kernels/float.cl"),
                          find_text("../../cl_kernels/math.cl"),
                          find_text("../../cl_kernels/activation.cl"),
                          find_text(v->file)};
    (void)snprintf(options, sizeof options, "%s -DPER_ITEM=%d%s%s", v->options,
                   v->launches[0].per_item[0], v->same ? " -DSAME" : "",
                   v->same ? division_option(cl) : "");
    return v->same ? bench_cl_build(cl, same, 6, options, out)
                   : bench_cl_build(cl, loose, 3, options, out);
}

/* The buffer that "i0" names, with what is moved through it. */
static cl_mem find_buffer(const bench_workload *w, const int64_t *extents, const bench_buffers *b,
                          const char *name, size_t *bytes)
{
    size_t i = strtoul(name + 1, NULL, 10);
    switch (name[0]) {
    case 'i':
        *bytes = bench_used_bytes(&w->inputs[i], extents);
        return b->inputs[i];
    case 'U':
        *bytes = 2 * bench_used_bytes(&w->inputs[i], extents);
        return b->inputs[i];
    case 'O':
        *bytes = bench_used_bytes(&w->outputs[i], extents);
        return b->outputs[i];
    default:
        *bytes = bench_used_bytes(&w->temporaries[i], extents);
        return b->temporaries[i];
    }
}

static bool set_arguments(bench_cl *cl, const bench_workload *w, const int64_t *extents,
                          const bench_launch *l, const bench_buffers *b, cl_kernel kernel,
                          size_t *bytes_moved)
{
    cl_int error = CL_SUCCESS;
    cl_uint slot = 0;
    for (const char *at = l->buffers; at != NULL; at = strchr(at, ' ')) {
        size_t bytes;
        at += *at == ' ';
        cl_mem buffer = find_buffer(w, extents, b, at, &bytes);
        *bytes_moved += bytes;
        if (error == CL_SUCCESS)
            error = cl->call.clSetKernelArg(kernel, slot++, sizeof(cl_mem), (const void *)&buffer);
    }
    for (int i = 0; i < BENCH_MAX_EXTENTS; i++) {
        cl_int extent = (cl_int)extents[i];
        if (error == CL_SUCCESS)
            error = cl->call.clSetKernelArg(kernel, slot++, sizeof extent, &extent);
    }
    return error == CL_SUCCESS || bench_cl_fail(cl, "clSetKernelArg", error);
}

static void set_geometry(const bench_launch *l, const int64_t *extents, size_t global[2],
                         size_t local[2])
{
    for (int i = 0; i < 2; i++) {
        size_t items = l->items[i] != NULL ? (size_t)bench_product(l->items[i], extents) : 1;
        size_t each = l->per_item[i] > 0 ? (size_t)l->per_item[i] : 1;
        size_t group = l->local[i] > 0 ? (size_t)l->local[i] : 1;
        items = (items + each - 1) / each;
        global[i] = (items + group - 1) / group * group;
        local[i] = group;
    }
}

void bench_hand_release(bench_cl *cl, bench_hand *h)
{
    for (int i = 0; i < BENCH_MAX_LAUNCHES; i++) {
        if (h->kernels[i] != NULL)
            (void)cl->call.clReleaseKernel(h->kernels[i]);
    }
    if (h->program != NULL)
        (void)cl->call.clReleaseProgram(h->program);
    memset(h, 0, sizeof *h);
}

static bool create_launch(bench_cl *cl, const int64_t *extents, bench_hand *h)
{
    const bench_launch *l = &h->variant->launches[h->launches];
    cl_int error = CL_SUCCESS;
    int i = h->launches;
    set_geometry(l, extents, h->global[i], h->local[i]);
    if (h->local[i][0] * h->local[i][1] > cl->max_group) {
        (void)snprintf(cl->why, sizeof cl->why, "work-groups of %zu are too large",
                       h->local[i][0] * h->local[i][1]);
        return false;
    }
    h->kernels[i] = cl->call.clCreateKernel(h->program, l->kernel, &error);
    if (error != CL_SUCCESS)
        return bench_cl_fail(cl, "clCreateKernel", error);
    h->launches++;
    return true;
}

bool bench_hand_bind(bench_cl *cl, const bench_workload *w, const int64_t *extents,
                     const bench_buffers *b, bench_hand *h)
{
    h->bytes_moved = 0;
    for (int i = 0; i < h->launches; i++) {
        if (!set_arguments(cl, w, extents, &h->variant->launches[i], b, h->kernels[i],
                           &h->bytes_moved))
            return false;
    }
    return true;
}

bool bench_hand_create(bench_cl *cl, const bench_workload *w, const int64_t *extents,
                       const bench_variant *variant, const bench_buffers *b, bench_hand *out)
{
    memset(out, 0, sizeof *out);
    out->variant = variant;
    bool fine = build(cl, variant, &out->program);
    for (int i = 0; fine && i < BENCH_MAX_LAUNCHES && variant->launches[i].kernel != NULL; i++)
        fine = create_launch(cl, extents, out);
    if (!fine || !bench_hand_bind(cl, w, extents, b, out)) {
        bench_hand_release(cl, out);
        return false;
    }
    return true;
}

bool bench_hand_run(bench_cl *cl, const bench_hand *h)
{
    for (int i = 0; i < h->launches; i++) {
        cl_uint dimensions = h->global[i][1] > 1 ? 2 : 1;
        cl_int error = cl->call.clEnqueueNDRangeKernel(cl->queue, h->kernels[i], dimensions, NULL,
                                                       h->global[i], h->local[i], 0, NULL, NULL);
        if (error != CL_SUCCESS)
            return bench_cl_fail(cl, "clEnqueueNDRangeKernel", error);
    }
    return bench_cl_finish(cl);
}
