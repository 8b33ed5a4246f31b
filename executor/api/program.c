/* The public functions of include/sinter/program.h, and the pending queue as text. */
#include "sinter/program.h"

#include "core/evaluate.h"
#include "core/place.h"
#include "core/print.h"
#include "executor/queue/formula.h"
#include "sinter/stream.h"
#include "sinter/tensor.h"

#include <string.h>

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

/* False: the program is queued operation by operation, whatever came before. */
static bool make_formula(const sinter_program *p, const sinter_tensor *inputs, sinter__formula *out)
{
    *out = (sinter__formula){.key.which = SINTER__FORMULA_PROGRAM,
                             .operand_count = (int)p->input_count,
                             .result_count = (int)p->result_count,
                             .operands = inputs};
    _Static_assert(sizeof out->key.numbers == sizeof p->digest, "a digest is the numbers of a key");
    memcpy(out->key.numbers, p->digest, sizeof out->key.numbers);
    return !p->cuts && p->input_count <= SINTER__FORMULA_OPERANDS && p->result_count > 0 &&
           p->result_count <= SINTER__FORMULA_RESULTS;
}

/* One that comes as before is queued as a whole (executor/queue/formula.h). */
static sinter_status run(const sinter_program *p, sinter_stream *s, const sinter_tensor *inputs,
                         sinter_tensor *results, size_t *offset)
{
    sinter__formula f;
    sinter__formula_start start = {.epoch = 0};
    bool is_formula = make_formula(p, inputs, &f);
    if (is_formula) {
        SINTER_TRY(sinter__call_begin(s, "program_run"));
        bool done = sinter__formula_again(s, &f, results);
        start = sinter__formula_begin(s);
        sinter__call_end(s);
        if (done)
            return SINTER_OK;
    }
    const sinter__builder builder = sinter__builder_over(s);
    SINTER_TRY(sinter__evaluate(p, &builder, inputs, results, offset));
    if (is_formula && sinter__call_begin(s, "program_run") == SINTER_OK) {
        sinter__formula_note(s, &f, &start, results);
        sinter__call_end(s);
    }
    return SINTER_OK;
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
    size_t offset = 0;
    sinter_status status = run(program, stream, inputs, results, &offset);
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
