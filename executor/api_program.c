/* The public functions of include/sinter/program.h, and the pending queue as text. */
#include "sinter/program.h"

#include "core/evaluate.h"
#include "core/place.h"
#include "core/print.h"
#include "executor/apply.h"
#include "sinter/stream.h"
#include "sinter/tensor.h"

/* A program that the caller made has its own allocator, so that it needs no context. */
typedef struct made {
    sinter__allocator allocator; /* first: the program points to it */
    sinter_program program;
} made;

/* Public */

sinter_status sinter_program_parse(const char *text, size_t bytes, sinter_program **out,
                                   sinter_program_place *place)
{
    sinter__clear_error();
    if (out != NULL)
        *out = NULL;
    if (place != NULL)
        *place = (sinter_program_place){1, 1};
    if (out == NULL || (text == NULL && bytes > 0))
        return sinter__fail(SINTER_EINVAL, "program_parse: an argument is NULL");
    sinter__allocator a;
    sinter__allocator_init(&a, NULL, NULL);
    made *m = sinter__alloc(&a, sizeof *m);
    if (m == NULL)
        return SINTER_ENOMEM;
    sinter__allocator_init(&m->allocator, NULL, NULL);
    size_t offset;
    sinter_status status = sinter__program_parse(&m->program, &m->allocator, text, bytes, &offset);
    if (status == SINTER_OK) {
        *out = &m->program;
        return SINTER_OK;
    }
    sinter_program_destroy(&m->program);
    return sinter__fail_at(status, text, bytes, offset, place);
}

void sinter_program_destroy(sinter_program *program)
{
    if (program == NULL)
        return;
    made *m = (made *)(void *)program->allocator;
    sinter__allocator a;
    sinter__program_finish(program);
    sinter__allocator_init(&a, NULL, NULL);
    sinter__free(&a, m, sizeof *m);
}

size_t sinter_program_input_count(const sinter_program *program)
{
    return program != NULL ? program->input_count : 0;
}

const char *sinter_program_input_name(const sinter_program *program, size_t index)
{
    if (index >= sinter_program_input_count(program))
        return NULL;
    return sinter__program_name(program, program->inputs[index].name);
}

bool sinter_program_input_is_released(const sinter_program *program, size_t index)
{
    return index < sinter_program_input_count(program) && program->inputs[index].is_released;
}

size_t sinter_program_result_count(const sinter_program *program)
{
    return program != NULL ? program->result_count : 0;
}

const char *sinter_program_result_name(const sinter_program *program, size_t index)
{
    if (index >= sinter_program_result_count(program))
        return NULL;
    return sinter__program_name(program, program->results[index]);
}

bool sinter_program_result_is_last(const sinter_program *program, size_t index)
{
    return index < sinter_program_result_count(program) &&
           !program->names[program->results[index]].is_read;
}

sinter_status sinter_program_run(const sinter_program *program, sinter_stream *stream,
                                 const sinter_tensor *inputs, sinter_tensor *results,
                                 sinter_program_place *place)
{
    sinter__clear_error();
    if (place != NULL)
        *place = (sinter_program_place){1, 1};
    for (size_t i = 0; i < sinter_program_result_count(program) && results != NULL; i++)
        results[i] = (sinter_tensor){0};
    if (program == NULL || stream == NULL || (inputs == NULL && program->input_count > 0) ||
        (results == NULL && program->result_count > 0))
        return sinter__fail(SINTER_EINVAL, "program_run: an argument is NULL");
    const sinter__builder builder = sinter__builder_over(stream);
    size_t offset;
    sinter_status status = sinter__evaluate(program, &builder, inputs, results, &offset);
    if (status != SINTER_OK)
        return sinter__fail_at(status, program->text, program->bytes, offset, place);
    sinter__clear_error();
    return SINTER_OK;
}

sinter_status sinter_queue_write(sinter_stream *s, sinter_write_fn write, void *user)
{
    sinter__clear_error();
    if (s == NULL || write == NULL)
        return sinter__fail(SINTER_EINVAL, "queue_write: an argument is NULL");
    sinter__buffer text;
    sinter__buffer_init(&text, &s->ctx->allocator);
    SINTER_TRY(sinter__call_begin(s, "queue_write"));
    sinter__graph_print(&s->q.graph, &text);
    sinter__call_end(s);
    sinter_status status = sinter__buffer_status(&text);
    if (status == SINTER_OK && text.bytes > 0)
        write(user, text.text, text.bytes);
    sinter__buffer_finish(&text);
    return status;
}
