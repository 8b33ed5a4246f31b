/* How large an arena a program wants, before there is a tensor or a device: two layers of attention with 32
 * heads of 64, for S new tokens behind P old ones. The schema is built once and resolved for each pair. */
#include <sinter/sinter.h>

#include <stdio.h>

#define LAYERS 2
#define STEPS 5 /* of a layer: scores, scale, mask, softmax, and what it gives */
#define NODES (LAYERS * STEPS)

static const char *const names[NODES + 1] = {"x",     "scores0", "scale0",  "mask0",
                                             "soft0", "out0",    "scores1", "scale1",
                                             "mask1", "soft1",   "out1"};

/* Each node reads what the one before it made. */
static sinter_status create(sinter_schema **out)
{
    uint32_t inputs[NODES];
    sinter_schema_node nodes[NODES] = {{NULL, 0, 0}};
    sinter_schema_value values[NODES + 1];
    for (uint32_t v = 0; v <= NODES; v++) {
        const char *size = v % STEPS == 0 ? "4*32*64*S" : "4*32*S*(S+P)";
        values[v] = (sinter_schema_value){.name = names[v],
                                          .size = size,
                                          .node = v > 0 ? v - 1 : SINTER_NO_INDEX,
                                          .view_of = SINTER_NO_INDEX,
                                          .flags = v == NODES ? SINTER_VALUE_TO_HOST : 0};
    }
    for (uint32_t n = 0; n < NODES; n++) {
        inputs[n] = n;
        nodes[n].inputs = &inputs[n];
        nodes[n].input_count = 1;
    }
    const sinter_symbol_value hint[] = {{"S", 1024}, {"P", 0}};
    const sinter_schema_program program = {nodes, values, NODES, NODES + 1};
    sinter_schema_options options = SINTER_SCHEMA_OPTIONS_INIT;
    options.alignment_bytes = 128;
    options.hint = hint;
    options.hint_count = 2;
    return sinter_schema_create(&program, &options, out);
}

/* A token at a time behind 1 to 2,048 old ones: P is rounded up to 64, so one plan serves 64 tokens. */
static sinter_status generate(const sinter_schema *schema)
{
    const sinter_symbol_value steps[] = {{"S", 1}, {"P", 64}};
    sinter_schema_plans_options options = SINTER_SCHEMA_PLANS_OPTIONS_INIT;
    sinter_schema_plans *plans = NULL;
    sinter_plan_result plan = SINTER_PLAN_RESULT_INIT;
    options.symbols = steps;
    options.symbol_count = 2;
    sinter_status status = sinter_schema_plans_create(schema, &options, &plans);
    for (int64_t past = 1; past <= 2048 && status == SINTER_OK; past++) {
        const int64_t values[] = {1, past};
        const uint64_t *offsets; /* where a runtime would put the tensors */
        status = sinter_schema_plans_find(plans, values, &offsets, &plan);
    }
    printf("2048 tokens: %llu plans, the last of %llu bytes\n",
           (unsigned long long)sinter_schema_plans_made(plans),
           (unsigned long long)plan.total_bytes);
    sinter_schema_plans_destroy(plans);
    return status;
}

int main(void)
{
    static const int64_t pairs[][2] = {{1024, 0}, {128, 0}, {1, 8}, {1, 1024}};
    sinter_schema *schema;
    sinter_status status = create(&schema);
    for (size_t i = 0; status == SINTER_OK && i < sizeof pairs / sizeof pairs[0]; i++) {
        const sinter_symbol_value binding[] = {{"S", pairs[i][0]}, {"P", pairs[i][1]}};
        sinter_schema_result result = SINTER_SCHEMA_RESULT_INIT;
        status = sinter_schema_resolve(schema, binding, 2, NULL, NULL, &result);
        printf("S %4lld, P %4lld: %9llu bytes, of which %9llu are alive at step %lld\n",
               (long long)pairs[i][0], (long long)pairs[i][1],
               (unsigned long long)result.total_bytes, (unsigned long long)result.peak_bytes,
               (long long)result.peak_step);
    }
    if (status == SINTER_OK)
        status = generate(schema);
    if (status != SINTER_OK)
        (void)fprintf(stderr, "%s\n", sinter_last_error());
    sinter_schema_destroy(schema);
    return status == SINTER_OK ? 0 : 1;
}
