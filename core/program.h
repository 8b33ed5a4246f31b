/* Programs of `sinter eval`, parsed: docs/language.md has the grammar.
 *
 * The one hard idea: a program is kept in postfix order, a flat array of instructions for a machine
 * with a stack. So only the parser ever recurses, to a bounded depth, and the longest program is
 * run by a loop. */
#ifndef SINTER_CORE_PROGRAM_H
#define SINTER_CORE_PROGRAM_H

#include "core/alloc.h"
#include "core/lexer.h"
#include "sinter/program.h"

#define SINTER__PROGRAM_BYTES ((size_t)4 << 20) /* most text of a program */
#define SINTER__PROGRAM_DEPTH 64      /* most brackets, signs and powers inside each other */
#define SINTER__PROGRAM_NAME 63       /* most bytes of a name */
#define SINTER__PROGRAM_NAMES 65536   /* most names */
#define SINTER__PROGRAM_SUBSCRIPTS 32 /* most subscripts of an index */

typedef enum sinter__opcode {
    SINTER__OPCODE_NUMBER,   /* push numbers[arg] */
    SINTER__OPCODE_NAME,     /* push what names[arg] holds */
    SINTER__OPCODE_DTYPE,    /* push dtype arg */
    SINTER__OPCODE_NONE,     /* push None */
    SINTER__OPCODE_ELLIPSIS, /* push ... */
    SINTER__OPCODE_TUPLE,    /* pop `count` numbers, push the tuple */
    SINTER__OPCODE_RANGE,  /* pop those of start, stop, step that bits 0, 1, 2 of arg name; push the
                              slice */
    SINTER__OPCODE_UNARY,  /* pop one, push `op` of it (OP_NONE: unary plus) */
    SINTER__OPCODE_BINARY, /* pop two, push `op` of them */
    SINTER__OPCODE_CALL,   /* pop `count` arguments for the parameters slots[arg] ..., push `op` of
                              them */
    SINTER__OPCODE_INDEX,  /* pop `count` subscripts and what they index */
    SINTER__OPCODE_STORE,  /* pop into names[arg] */
    SINTER__OPCODE_RELEASE, /* names[arg] holds nothing any more */
    SINTER__OPCODE_INPUT,   /* check inputs[arg] against its declaration */
    SINTER__OPCODE_CUT,     /* end the segment here */
} sinter__opcode;

typedef struct sinter__instruction {
    uint8_t code;
    uint8_t op;
    uint16_t count;
    uint32_t arg;
    uint32_t offset; /* in the text, for messages */
} sinter__instruction;

typedef enum sinter__name_state {
    SINTER__NAME_INPUT,
    SINTER__NAME_ASSIGNED,
    SINTER__NAME_RELEASED,
} sinter__name_state;

/* A name, and what is known of it where the text ends. */
typedef struct sinter__name {
    uint32_t text;  /* where it begins in `chars`, terminated */
    uint32_t next;  /* in its bucket, plus one; 0: the last */
    uint32_t input; /* which input it is, plus one; 0: none */
    uint8_t state;  /* sinter__name_state */
    bool is_listed; /* among the results */
    bool is_read;   /* since it was last assigned */
} sinter__name;

typedef struct sinter__input {
    uint32_t name;
    bool is_declared;
    bool is_released;
    sinter_tensor_desc desc; /* when it is declared */
} sinter__input;

struct sinter_program {
    sinter__allocator *allocator;
    char *text;
    size_t bytes;
    sinter__instruction *code;
    size_t code_count, code_capacity;
    sinter__number *numbers;
    size_t number_count, number_capacity;
    uint8_t *slots;
    size_t slot_count, slot_capacity;
    char *chars;
    size_t char_count, char_capacity;
    sinter__name *names;
    size_t name_count, name_capacity;
    sinter__input *inputs;
    size_t input_count, input_capacity;
    uint32_t *results; /* names that are assigned at the end, in order of first assignment */
    size_t result_count, result_capacity;
    uint32_t stack;     /* most values that are on the stack at once */
    bool cuts;          /* somewhere: there is an OPCODE_CUT */
    uint64_t digest[3]; /* of the text: what tells the program from others */
};

/* Parses a text into *p, which the caller finishes whatever is returned. On failure *offset is
 * where. */
sinter_status sinter__program_parse(sinter_program *p, sinter__allocator *a, const char *text,
                                    size_t bytes, size_t *offset);
void sinter__program_finish(sinter_program *p);

static inline const char *sinter__program_name(const sinter_program *p, uint32_t name)
{
    return p->chars + p->names[name].text;
}

/* Parameters of an operation by name, in order; the language's calls are bound to them. */
#define SINTER__MAX_PARAMETERS 7

typedef struct sinter__signature {
    const char *names[SINTER__MAX_PARAMETERS]; /* NULL: by position only */
    uint8_t count;
    uint8_t required; /* the first so many must be given */
    double otherwise; /* a number that is not given, where there is one */
} sinter__signature;

sinter__signature sinter__signature_of(sinter__op op);

#endif /* SINTER_CORE_PROGRAM_H */
