/* Memory schemas: how much memory a program wants, and where its tensors lie in it, before its extents
 * are known. Sizes are expressions over named symbols; a schema is built once and resolved for each
 * binding of the symbols to numbers. It needs no context and no device.
 *
 * An expression has whole numbers, symbols, + - * and brackets, max(a, b, ...), a / 4 (a whole number
 * as divisor, and the quotient has to be one) and align_up(a, 64) (rounded up to a multiple). A symbol
 * is an extent: at least 0. A schema has at most 64 of them. */
#ifndef SINTER_SCHEMA_H
#define SINTER_SCHEMA_H

#include "sinter/context.h"
#include "sinter/inspect.h"
#include "sinter/plan.h"
#include "sinter/program.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sinter_schema sinter_schema;

typedef struct sinter_schema_options {
    uint32_t size;       /* sizeof of this struct in the caller's header; fields past it are 0 */
    uint32_t hint_count; /* symbols in `hint` */
    uint64_t alignment_bytes;        /* of partitions and their sizes, a power of two; 0: 1 */
    const sinter_symbol_value *hint; /* sizes to group requests by; every symbol has one */
    sinter_realloc_fn realloc_fn;    /* of all host memory; NULL: the C library's */
    void *realloc_user;
} sinter_schema_options;

/* clang-format off */
#define SINTER_SCHEMA_OPTIONS_INIT                                                                 \
    {sizeof(sinter_schema_options), 0, 0, NULL, NULL, NULL}
/* clang-format on */

/* Flags of a value: what keeps it out of the workspace, or in it to the end. */
#define SINTER_VALUE_RESULT                                                                        \
    1u /* of the program: alive to the end; what it is a view of lies outside */
#define SINTER_VALUE_TO_HOST 2u /* goes to the host: outside */
#define SINTER_VALUE_STATE 4u   /* owned by something that outlives it: outside, as what it views */
#define SINTER_VALUE_UPLOAD 8u  /* comes from the host: outside */

#define SINTER_NO_INDEX UINT32_MAX

/** Something that a program computes, or is given. */
typedef struct sinter_schema_value {
    const char *name;  /* no two have the same; without commas and control characters */
    const char *size;  /* in bytes, an expression; of a view it may be NULL */
    uint32_t node;     /* that makes it, by index; SINTER_NO_INDEX: it is given */
    uint32_t view_of;  /* the earlier value whose memory it is; SINTER_NO_INDEX: its own */
    uint32_t flags;    /* SINTER_VALUE_ */
    uint32_t reserved; /* 0 */
} sinter_schema_value;

/** A step of a program. */
typedef struct sinter_schema_node {
    const uint32_t *inputs; /* values by index, made by earlier nodes or given */
    uint32_t input_count;
    uint32_t has_effects; /* not 0: it stays although nobody uses what it makes */
} sinter_schema_node;

/** Nodes in the order in which they run. */
typedef struct sinter_schema_program {
    const sinter_schema_node *nodes;
    const sinter_schema_value *values;
    uint32_t node_count;
    uint32_t value_count;
} sinter_schema_program;

/** Why a value of a program has no request, or that it has one. */
typedef enum sinter_value_place {
    SINTER_PLACE_WORKSPACE = 0, /* in the workspace: it has a request */
    SINTER_PLACE_VIEW = 1,      /* where the value lies that it is a view of */
    SINTER_PLACE_OUTSIDE = 2,   /* given, or by one of its flags */
    SINTER_PLACE_ESCAPED = 3,   /* outside, since a result of the program is a view of it */
    SINTER_PLACE_NOWHERE = 4,   /* nobody uses it: its node need not run */
} sinter_value_place;

typedef struct sinter_schema_request {
    const char *id;     /* of its line, or the value's name; valid as long as the schema */
    int64_t start, end; /* alive in [start, end) */
    uint32_t partition;
    uint32_t line; /* of the text; 0: it comes from a program */
} sinter_schema_request;

typedef struct sinter_schema_result {
    uint32_t
        size; /* in: sizeof of this struct in the caller's header; out: bytes that are filled */
    uint32_t partition_count;
    uint64_t total_bytes; /* of the partitions, each rounded up to the alignment */
    uint64_t peak_bytes;  /* most bytes alive at one step, not rounded */
    int64_t peak_step;    /* the first such step; 0 when nothing is alive */
    double usage;         /* peak_bytes / total_bytes; 1 for a schema of no bytes */
} sinter_schema_result;

/* clang-format off */
#define SINTER_SCHEMA_RESULT_INIT \
    {sizeof(sinter_schema_result), 0, 0, 0, 0, 0.0}
/* clang-format on */

/** Reads a schema: a first line `id,lower,upper,size`, then a line for each request, alive in
 *  [lower, upper), the size being an expression.
 *  units    `bytes` of the text, without a terminator; at most 256 MiB. Sizes are bytes.
 *  owns     *out is the caller's: sinter_schema_destroy. `text` and `options` (NULL: the defaults) are
 *           copied. `place` may be NULL.
 *  errors   SINTER_ESYNTAX, SINTER_EINVAL and SINTER_ERANGE with the place (a malformed line or
 *           expression, a lifetime that is negative or ends before it starts, an id for the second
 *           time, a symbol without a hint, sizes that overflow or are too long), SINTER_ENOMEM; *out is
 *           NULL then.
 *  thread   any. */
SINTER_API sinter_status sinter_schema_parse(const char *text, size_t bytes,
                                             const sinter_schema_options *options,
                                             sinter_schema **out, sinter_program_place *place);

/** Makes the schema of a program. What nobody uses is left out with its node, unless that has
 *  effects or makes something else that is used: then it is alive for that one step. Each other value
 *  is alive from its node to the last that reads it or a view of it, both included; one that a result
 *  is a view of lies outside.
 *  units    steps are indices of nodes.
 *  owns     *out is the caller's: sinter_schema_destroy. `program` and `options` (NULL: the defaults)
 *           are copied.
 *  errors   SINTER_EINVAL (NULL, an index out of range, a value that is read before it is made, a view
 *           of a later value, a name for the second time), SINTER_ESYNTAX and SINTER_ERANGE of a size,
 *           SINTER_ENOMEM; the text names the value or the node; *out is NULL then.
 *  thread   any. */
SINTER_API sinter_status sinter_schema_create(const sinter_schema_program *program,
                                              const sinter_schema_options *options,
                                              sinter_schema **out);

/** Frees a schema; NULL is accepted.
 *  owns     `schema` is gone.
 *  errors   none.
 *  thread   any. */
SINTER_API void sinter_schema_destroy(sinter_schema *schema);

/** Number of requests.
 *  owns     nothing.
 *  errors   none; 0 for NULL.
 *  thread   any. */
SINTER_API size_t sinter_schema_count(const sinter_schema *schema);

/** Request `index`, in the order of the lines or of the values.
 *  owns     fills *request; its text is the schema's.
 *  errors   SINTER_EINVAL for NULL or an index out of range.
 *  thread   any. */
SINTER_API sinter_status sinter_schema_get(const sinter_schema *schema, size_t index,
                                           sinter_schema_request *request);

/** Where value `value` of the program lies, and which request it has, or the value that it is a view
 *  of: SINTER_NO_INDEX when there is none.
 *  owns     fills *place and *request (may be NULL).
 *  errors   SINTER_EINVAL for NULL, or a value that the program does not have.
 *  thread   any. */
SINTER_API sinter_status sinter_schema_find(const sinter_schema *schema, uint32_t value,
                                            sinter_value_place *place, uint32_t *request);

/** Whether a larger value of `symbol` makes no request smaller: then a plan for a larger value holds
 *  for a smaller one.
 *  owns     nothing.
 *  errors   none; false for NULL, true for a symbol that no size has.
 *  thread   any. */
SINTER_API bool sinter_schema_is_monotone(const sinter_schema *schema, const char *symbol);

/** Evaluates the sizes for a binding: what sinter_plan_memory wants.
 *  units    steps and bytes.
 *  owns     fills `requests`, as many as the schema has: start, end and bytes; the rest is 0.
 *  errors   SINTER_EINVAL (NULL, a symbol that is not bound, bound twice or below 0, a size that is
 *           negative or a division that is not exact), SINTER_ERANGE (64 bits are too few); the text
 *           names the request and the line, SINTER_ENOMEM.
 *  thread   any; several may use a schema at once. */
SINTER_API sinter_status sinter_schema_evaluate(const sinter_schema *schema,
                                                const sinter_symbol_value *binding, size_t count,
                                                sinter_plan_request *requests);

/** Number of partitions: requests that share memory since they are never alive together.
 *  owns     nothing.
 *  errors   none; 0 for NULL.
 *  thread   any. */
SINTER_API size_t sinter_schema_partition_count(const sinter_schema *schema);

/** Resolves the schema for a binding by its partitions, which takes no planning: a request lies where
 *  its partition does, and the partitions follow each other.
 *  units    bytes. `offsets`: as many as the schema has requests; `partition_offsets`: as many as it has
 *           partitions; each may be NULL.
 *  owns     fills *result and the offsets.
 *  errors   as sinter_schema_evaluate, and SINTER_EINVAL for a size of the result that no version has.
 *  thread   any; several may use a schema at once. */
SINTER_API sinter_status sinter_schema_resolve(const sinter_schema *schema,
                                               const sinter_symbol_value *binding, size_t count,
                                               uint64_t *offsets, uint64_t *partition_offsets,
                                               sinter_schema_result *result);

/** Plans of a schema that are kept by the values of its symbols. */
typedef struct sinter_schema_plans sinter_schema_plans;

typedef struct sinter_schema_plans_options {
    uint32_t size;         /* sizeof of this struct in the caller's header; fields past it are 0 */
    uint32_t symbol_count; /* at most 64 */
    /* Each with the step that its values are rounded up to a multiple of, so that one which grows by
     * one each time meets a plan that is there; 1: they are taken as they are. */
    const sinter_symbol_value *symbols;
    uint32_t most; /* plans that are kept; 0: 16 */
    sinter_plan_strategy strategy;
    uint64_t node_budget; /* of sinter_plan_options */
} sinter_schema_plans_options;

/* clang-format off */
#define SINTER_SCHEMA_PLANS_OPTIONS_INIT                                                           \
    {sizeof(sinter_schema_plans_options), 0, NULL, 0, SINTER_PLAN_GREEDY, 0}
/* clang-format on */

/** Makes room for plans of `schema`, all the host memory that they will take. There are none yet.
 *  units    steps in the units of their symbols.
 *  owns     *out is the caller's: sinter_schema_plans_destroy. `schema` has to outlive it; `options` is
 *           copied.
 *  errors   SINTER_EINVAL (NULL, a size of the options that no version has, a step below 1, a step for a symbol in
 *           which the schema is not monotone, a symbol for the second time, SINTER_PLAN_REFIT),
 *           SINTER_ERANGE for more than 64 symbols or a block whose size overflows, SINTER_ENOMEM;
 *           *out is NULL then.
 *  thread   any. */
SINTER_API sinter_status sinter_schema_plans_create(const sinter_schema *schema,
                                                    const sinter_schema_plans_options *options,
                                                    sinter_schema_plans **out);

/** Frees the plans; NULL is accepted.
 *  owns     `plans` is gone.
 *  errors   none.
 *  thread   one at a time. */
SINTER_API void sinter_schema_plans_destroy(sinter_schema_plans *plans);

/** Finds the plan for `values`, one for each symbol of the options, or plans, in place of what was
 *  used longest ago when there is no more room.
 *  units    bytes, aligned as the schema is; of the values as they were rounded up.
 *  owns     fills *offsets, as many as the schema has requests and valid until the next call, and
 *           *result.
 *  errors   as sinter_schema_evaluate and sinter_plan_memory for the values rounded up (a division may be
 *           exact for a value and not for a larger one), and SINTER_ERANGE for a value that overflows
 *           when it is: what was kept stays.
 *  thread   one at a time. */
SINTER_API sinter_status sinter_schema_plans_find(sinter_schema_plans *plans, const int64_t *values,
                                                  const uint64_t **offsets,
                                                  sinter_plan_result *result);

/** How many times sinter_schema_plans_find had to plan.
 *  owns     nothing.
 *  errors   none; 0 for NULL.
 *  thread   one at a time. */
SINTER_API uint64_t sinter_schema_plans_made(const sinter_schema_plans *plans);

/** Writes the schema as the text that sinter_schema_parse reads.
 *  owns     nothing; `write` gets text that is valid during the call.
 *  errors   SINTER_EINVAL for NULL, SINTER_ENOMEM.
 *  thread   any. */
SINTER_API sinter_status sinter_schema_write(const sinter_schema *schema, sinter_write_fn write,
                                             void *user);

/** Writes a table: for each step what lies in each partition (`*`: nothing), steps that are alike in one
 *  line; the size of each partition and of all as expressions.
 *  owns     nothing; `write` gets text that is valid during the call.
 *  errors   SINTER_EINVAL for NULL, SINTER_ENOMEM.
 *  thread   any. */
SINTER_API sinter_status sinter_schema_table(const sinter_schema *schema, sinter_write_fn write,
                                             void *user);

#ifdef __cplusplus
}
#endif

#endif /* SINTER_SCHEMA_H */
