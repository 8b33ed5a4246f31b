/* The one hard idea: setting an argument costs more than looking whether the kernel has it, so what
 * each argument was last set to stays with the kernel's object, a buffer by a number that no other
 * buffer ever has. */
#include "executor/opencl/arguments.h"

#include <string.h>

/* `sent` is the number of the memory that the kernel has. */
static cl_int set_buffer(const sinter__cl *cl, cl_kernel kernel, cl_uint slot, const void *handle,
                         uint64_t *sent, bool sent_any)
{
    static const sinter__cl_memory none = {.buffer = NULL};
    const sinter__cl_memory *m = handle != NULL ? handle : &none;
    cl_int error = CL_SUCCESS;
    if (!sent_any || *sent != m->serial)
        error = cl->clSetKernelArg(kernel, slot, sizeof m->buffer, &m->buffer);
    *sent = error == CL_SUCCESS ? m->serial : 0;
    return error;
}

/* Sets one argument; a buffer takes two slots of the kernel. Of packed numbers only what they are is noted. */
static cl_int set_argument(const sinter__cl *cl, cl_kernel kernel, cl_uint *slot,
                           const sinter__argument_value *v, uint64_t *sent, bool sent_any,
                           bool packed)
{
    cl_int error = CL_SUCCESS;
    if (v->is_buffer)
        error = set_buffer(cl, kernel, (*slot)++, v->memory, &sent[1], sent_any);
    if (error == CL_SUCCESS && !packed && (!sent_any || sent[0] != v->word))
        error = cl->clSetKernelArg(kernel, *slot, v->bytes, &v->word);
    if (error == CL_SUCCESS)
        sent[0] = v->word;
    *slot += !packed;
    return error;
}

/* Whether the kernel has argument `a` already, as far as that is seen at a glance: a parameter of the same binding, a
 * scalar that is what was sent. */
static bool is_sent(const sinter__launch *l, const sinter__argument *a,
                    const sinter__operands *operands, const uint64_t *sent, bool params_sent)
{
    if (a->kind == SINTER__ARGUMENT_SCALAR)
        return *sent == operands->scalars[l->nest->scalars[a->index]];
    return params_sent && a->kind == SINTER__ARGUMENT_PARAM;
}

/* The numbers of a plain launch, several to an argument, from `slot` on: those that have changed. */
static cl_int set_packed(const sinter__cl *cl, const sinter__launch *l, cl_uint slot, bool sent_any)
{
    const sinter__kernel_text *text = &l->kernel->text;
    const size_t bytes = SINTER__PACK * sizeof(uint32_t);
    uint32_t *sent = (uint32_t *)(l->object.sent + 2 * text->argument_count);
    uint32_t *now = sent + text->packed_words;
    cl_int error = CL_SUCCESS;
    sinter__numbers_write(l, l->object.sent, now);
    for (uint32_t i = 0; i < text->packed_words && error == CL_SUCCESS; i += SINTER__PACK, slot++) {
        if (sent_any && memcmp(&sent[i], &now[i], bytes) == 0)
            continue;
        error = cl->clSetKernelArg(l->object.handle, slot, bytes, &now[i]);
        memcpy(&sent[i], &now[i], bytes);
    }
    return error;
}

cl_int sinter__cl_set_arguments(const sinter__cl *cl, const sinter__launch *l,
                                const sinter__operands *operands, bool sent_any, bool params_sent)
{
    const sinter__kernel_text *text = &l->kernel->text;
    bool packed = text->packed_words > 0;
    bool has_numbers = sent_any;
    cl_uint slot = 0;
    cl_int error = CL_SUCCESS;
    for (size_t i = 0; i < text->argument_count && error == CL_SUCCESS; i++) {
        uint64_t *sent = l->object.sent + 2 * i;
        if (sent_any && is_sent(l, &text->arguments[i], operands, sent, params_sent)) {
            slot += !packed;
            continue;
        }
        sinter__argument_value v = sinter__launch_argument(l, text, i, operands);
        has_numbers = has_numbers && sent[0] == v.word;
        error = set_argument(cl, l->object.handle, &slot, &v, sent, sent_any, packed);
    }
    if (packed && !has_numbers && error == CL_SUCCESS)
        error = set_packed(cl, l, slot, sent_any);
    return error;
}

/* What `sent` has of a list: the number of each memory that its kernel takes. Behind them, for stored rows, where these
 * lie and how many they are; for rows by value the place of each memory, the rows, and room to write them anew. */
static uint64_t *memory_places(const sinter__launch *l)
{
    return l->object.sent + l->kernel->text.row_memories;
}

static uint32_t *sent_rows(const sinter__launch *l)
{
    return (uint32_t *)(memory_places(l) + l->kernel->text.row_memories);
}

/* Rows by value, unless the kernel has them. */
static cl_int set_rows(const sinter__cl *cl, const sinter__launch *l, sinter__row_range rows,
                       const sinter__operands *operands, const sinter__memories *memories,
                       bool sent_any)
{
    const cl_uint slot = l->kernel->text.row_memories;
    size_t bytes = sinter__rows_bytes(l, rows);
    uint32_t *sent = sent_rows(l);
    uint32_t *anew = sent + bytes / sizeof *sent;
    for (cl_uint i = 0; i < slot; i++)
        memory_places(l)[i] = (uintptr_t)memories->all[i < memories->count ? i : 0];
    sinter__rows_write(l, rows, operands, memories, anew);
    if (sent_any && memcmp(sent, anew, bytes) == 0)
        return CL_SUCCESS;
    memcpy(sent, anew, bytes);
    return cl->clSetKernelArg(l->object.handle, slot, bytes, sent);
}

/* Where stored rows lie, and how many they are. */
static cl_int set_stored(const sinter__cl *cl, const sinter__launch *l, sinter__row_range rows,
                         const sinter__operands *operands, uint64_t *sent, bool sent_any)
{
    cl_uint slot = l->kernel->text.row_memories;
    const sinter__argument_value place = {.is_buffer = true,
                                          .memory = operands->scratch.memory,
                                          .word = operands->scratch.offset_bytes,
                                          .bytes = sizeof(uint64_t)};
    const sinter__argument_value count = {.word = rows.count, .bytes = sizeof(cl_int)};
    cl_int error = set_argument(cl, l->object.handle, &slot, &place, sent, sent_any, false);
    if (error == CL_SUCCESS)
        error = set_argument(cl, l->object.handle, &slot, &count, sent + 2, sent_any, false);
    return error;
}

cl_int sinter__cl_set_list(const sinter__cl *cl, const sinter__launch *l, sinter__row_range rows,
                           const sinter__operands *operands, const sinter__memories *memories,
                           bool sent_any)
{
    const cl_uint taken = l->kernel->text.row_memories;
    uint64_t *sent = l->object.sent;
    cl_int error = CL_SUCCESS;
    for (cl_uint slot = 0; slot < taken && error == CL_SUCCESS; slot++) {
        const void *handle = memories->all[slot < memories->count ? slot : 0];
        error = set_buffer(cl, l->object.handle, slot, handle, &sent[slot], sent_any);
    }
    if (error != CL_SUCCESS)
        return error;
    if (operands->staged != NULL)
        return set_stored(cl, l, rows, operands, sent + taken, sent_any);
    return set_rows(cl, l, rows, operands, memories, sent_any);
}

/* Memory that lies where another did may be another, so its number is looked at. */
cl_int sinter__cl_renew_list(const sinter__cl *cl, const sinter__launch *l, sinter__row_range rows,
                             const sinter__operands *operands)
{
    const cl_uint taken = l->kernel->text.row_memories;
    cl_int error = CL_SUCCESS;
    for (cl_uint slot = 0; slot < taken && error == CL_SUCCESS; slot++) {
        const void *handle = (const void *)(uintptr_t)memory_places(l)[slot];
        error = set_buffer(cl, l->object.handle, slot, handle, &l->object.sent[slot], true);
    }
    if (error == CL_SUCCESS && sinter__rows_renew(l, rows, operands, sent_rows(l)))
        error =
            cl->clSetKernelArg(l->object.handle, taken, sinter__rows_bytes(l, rows), sent_rows(l));
    return error;
}

size_t sinter__cl_argument_words(const sinter__launch *l)
{
    return 2 * l->kernel->text.argument_count;
}

void sinter__cl_arguments(const sinter__launch *l, const sinter__operands *operands,
                          uint64_t *words)
{
    const sinter__kernel_text *text = &l->kernel->text;
    for (size_t i = 0; i < text->argument_count; i++, words += 2) {
        const sinter__argument_value v = sinter__launch_argument(l, text, i, operands);
        const sinter__cl_memory *m = v.memory;
        words[0] = v.word;
        words[1] = m != NULL ? m->serial : 0;
    }
}
