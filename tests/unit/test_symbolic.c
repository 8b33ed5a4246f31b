/* Memory schemas: programs to requests, partitions, values under a binding and text, against rules that
 * are written a second time here.
 *
 *     test_symbolic [--long]    100,000 random programs in place of 2,000
 */
#include "support/support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 64

static uint64_t random_programs = 2000;

/* A program in the making. */
typedef struct program {
    sinter_schema_node nodes[MOST];
    uint32_t inputs[MOST][8];
    sinter_schema_value values[MOST];
    char names[MOST][16];
    sinter_schema_program p;
} program;

static void begin(program *b)
{
    memset(b, 0, sizeof *b);
    b->p = (sinter_schema_program){.nodes = b->nodes, .values = b->values};
}

/* A node that reads `count` values. */
static uint32_t node(program *b, uint32_t count, const uint32_t *inputs)
{
    uint32_t n = b->p.node_count++;
    assert_true(n < MOST && count <= 8);
    for (uint32_t i = 0; i < count; i++)
        b->inputs[n][i] = inputs[i];
    b->nodes[n] = (sinter_schema_node){.inputs = b->inputs[n], .input_count = count};
    return n;
}

static uint32_t value(program *b, uint32_t from, const char *size, uint32_t flags)
{
    uint32_t v = b->p.value_count++;
    assert_true(v < MOST);
    (void)snprintf(b->names[v], sizeof b->names[v], "v%u", v);
    b->values[v] = (sinter_schema_value){.name = b->names[v],
                                         .size = size,
                                         .node = from,
                                         .view_of = SINTER_NO_INDEX,
                                         .flags = flags};
    return v;
}

/* A node of one input and one output. */
static uint32_t step(program *b, uint32_t input, const char *size, uint32_t flags)
{
    return value(b, node(b, 1, &input), size, flags);
}

static uint32_t view(program *b, uint32_t of, uint32_t flags)
{
    uint32_t v = value(b, node(b, 1, &of), NULL, flags);
    b->values[v].view_of = of;
    return v;
}

static sinter_schema *create(const program *b)
{
    sinter_schema *s;
    OK(sinter_schema_create(&b->p, NULL, &s));
    return s;
}

static sinter_value_place place_of(const sinter_schema *s, uint32_t v)
{
    sinter_value_place place;
    OK(sinter_schema_find(s, v, &place, NULL));
    return place;
}

/* Value `v` is in the workspace in [start, end). */
static void assert_alive(const sinter_schema *s, uint32_t v, int64_t start, int64_t end)
{
    sinter_value_place place;
    uint32_t request = 0;
    sinter_schema_request r = {0};
    OK(sinter_schema_find(s, v, &place, &request));
    assert_int_equal(place, SINTER_PLACE_WORKSPACE);
    OK(sinter_schema_get(s, request, &r));
    if (r.start != start || r.end != end)
        fail_msg("value %u is alive in [%" PRId64 ", %" PRId64 ")", v, r.start, r.end);
}

static sinter_schema_result resolve(const sinter_schema *s, const sinter_symbol_value *binding,
                                    size_t count, uint64_t *offsets, uint64_t *partitions)
{
    sinter_schema_result r = {.size = sizeof r};
    OK(sinter_schema_resolve(s, binding, count, offsets, partitions, &r));
    return r;
}

/* Two layers of attention, 32 heads of 64, one token with 8 before it: the figures that tract's own test of
 * this model has, and the members by its rules. */
static void attention_has_the_known_partitions(void **state)
{
    (void)state;
    static program b;
    uint64_t starts[2];
    uint64_t offsets[16];
    begin(&b);
    uint32_t v[10];
    uint32_t last = value(&b, SINTER_NO_INDEX, "8192", 0);
    for (uint32_t i = 0; i < 10; i++) {
        bool is_out = i % 5 == 4;
        v[i] = step(&b, last, is_out ? "4*S*32*64" : "4*32*S*(P+S)",
                    i == 9 ? SINTER_VALUE_TO_HOST : 0);
        last = v[i];
    }
    const sinter_symbol_value sp[] = {{"S", 1}, {"P", 8}};
    sinter_schema_options o = SINTER_SCHEMA_OPTIONS_INIT;
    sinter_schema *s;
    o.hint = sp;
    o.hint_count = 2;
    OK(sinter_schema_create(&b.p, &o, &s));
    assert_int_equal(sinter_schema_count(s), 9);
    assert_int_equal(sinter_schema_partition_count(s), 2);
    sinter_schema_result r = resolve(s, sp, 2, offsets, starts);
    assert_int_equal(r.partition_count, 2);
    assert_true(starts[0] == 0 && starts[1] == 8192);
    assert_int_equal(r.total_bytes, 9344);
    assert_int_equal(r.peak_bytes, 9344);
    assert_true(r.usage == 1.0);
    assert_int_equal(place_of(s, v[9]), SINTER_PLACE_OUTSIDE);
    assert_int_equal(place_of(s, 0), SINTER_PLACE_OUTSIDE);
    /* qk scale mask softmax out, qk scale mask softmax */
    static const uint32_t partition_of[9] = {0, 1, 0, 1, 0, 1, 0, 1, 0};
    for (uint32_t i = 0; i < 9; i++) {
        sinter_schema_request q = {0};
        OK(sinter_schema_get(s, i, &q));
        assert_int_equal(q.partition, partition_of[i]);
        assert_int_equal(offsets[i], starts[q.partition]);
        assert_alive(s, v[i], i, i + 2);
    }
    sinter_schema_destroy(s);
}

/* What nobody needs, transitively, and what makes something else as well. */
static void dead_results_go_with_their_nodes(void **state)
{
    (void)state;
    static program b;
    begin(&b);
    uint32_t x = step(&b, value(&b, SINTER_NO_INDEX, NULL, 0), "10", 0);
    uint32_t dead = step(&b, x, "20", 0);
    uint32_t deader = step(&b, dead, "30", SINTER_VALUE_UPLOAD);
    uint32_t half = value(&b, node(&b, 1, &x), "40", 0);
    uint32_t other = value(&b, 3, "50", 0);
    uint32_t kept = step(&b, other, "60", 0); /* its node prints something */
    b.nodes[4].has_effects = 1;
    uint32_t result = step(&b, x, "70", SINTER_VALUE_RESULT);
    sinter_schema *s = create(&b);
    assert_int_equal(place_of(s, dead), SINTER_PLACE_NOWHERE);
    assert_int_equal(place_of(s, deader), SINTER_PLACE_NOWHERE);
    assert_alive(s, x, 0, 6);
    assert_alive(s, half, 3, 4);
    assert_alive(s, other, 3, 5);
    assert_alive(s, kept, 4, 5);
    assert_alive(s, result, 5, 6);
    assert_int_equal(sinter_schema_count(s), 5);
    sinter_schema_destroy(s);
}

/* What lies outside does so for itself, and not for the other outputs of its node. */
static void flags_are_of_outputs(void **state)
{
    (void)state;
    static program b;
    begin(&b);
    uint32_t in = value(&b, SINTER_NO_INDEX, "8", 0);
    uint32_t n = node(&b, 1, &in);
    uint32_t to_host = value(&b, n, "16", SINTER_VALUE_TO_HOST);
    uint32_t beside = value(&b, n, "32", 0);
    uint32_t state_of = value(&b, n, "64", SINTER_VALUE_STATE);
    uint32_t upload = value(&b, node(&b, 0, NULL), "128", SINTER_VALUE_UPLOAD);
    uint32_t result =
        value(&b, node(&b, 2, (uint32_t[]){beside, upload}), "256", SINTER_VALUE_RESULT);
    (void)node(&b, 1, &result);
    sinter_schema *s = create(&b);
    assert_int_equal(place_of(s, to_host), SINTER_PLACE_OUTSIDE);
    assert_int_equal(place_of(s, state_of), SINTER_PLACE_OUTSIDE);
    assert_int_equal(place_of(s, upload), SINTER_PLACE_OUTSIDE);
    assert_alive(s, beside, 0, 3);
    assert_alive(s, result, 2, 4); /* to the end */
    assert_int_equal(sinter_schema_count(s), 2);
    sinter_schema_destroy(s);
}

/* x is a view of a view that for itself goes to the host. */
static void a_view_keeps_its_root_through_views_outside(void **state)
{
    (void)state;
    static program b;
    begin(&b);
    uint32_t root = value(&b, node(&b, 0, NULL), "64", 0);
    uint32_t middle = view(&b, root, SINTER_VALUE_TO_HOST);
    uint32_t x = view(&b, middle, 0);
    uint32_t y = step(&b, root, "8", 0);
    uint32_t z = step(&b, y, "8", 0);
    (void)value(&b, node(&b, 2, (uint32_t[]){x, z}), "8", SINTER_VALUE_TO_HOST);
    sinter_schema *s = create(&b);
    uint32_t of = 0;
    sinter_value_place place;
    assert_alive(s, root, 0, 6);
    assert_alive(s, y, 3, 5);
    assert_alive(s, z, 4, 6);
    OK(sinter_schema_find(s, x, &place, &of));
    assert_int_equal(place, SINTER_PLACE_VIEW);
    assert_int_equal(of, middle);
    sinter_schema_destroy(s);
    b.nodes[5].input_count =
        0; /* now x is not needed, and the middle goes to the host at the end */
    s = create(&b);
    assert_int_equal(place_of(s, x), SINTER_PLACE_NOWHERE);
    assert_int_equal(place_of(s, y), SINTER_PLACE_NOWHERE);
    assert_alive(s, root, 0, 6);
    sinter_schema_destroy(s);
}

static void a_result_that_is_a_view_lets_its_root_escape(void **state)
{
    (void)state;
    static program b;
    begin(&b);
    uint32_t root = value(&b, node(&b, 0, NULL), "64", 0);
    uint32_t middle = view(&b, root, 0);
    (void)view(&b, middle, SINTER_VALUE_RESULT);
    uint32_t other = step(&b, root, "8", SINTER_VALUE_RESULT);
    sinter_schema *s = create(&b);
    assert_int_equal(place_of(s, root), SINTER_PLACE_ESCAPED);
    assert_alive(s, other, 3, 4);
    assert_int_equal(sinter_schema_count(s), 1);
    sinter_schema_destroy(s);
}

static void bad_programs_are_named(void **state)
{
    (void)state;
    static program good;
    static program b;
    sinter_schema *s;
    begin(&good);
    uint32_t x = step(&good, value(&good, SINTER_NO_INDEX, "8", 0), "4*S", 0);
    (void)step(&good, view(&good, x, 0), "8", SINTER_VALUE_RESULT);
#define BAD(change, said)                                                                          \
    do {                                                                                           \
        b = good;                                                                                  \
        b.p.nodes = b.nodes;                                                                       \
        b.p.values = b.values;                                                                     \
        change;                                                                                    \
        FAILS(SINTER_EINVAL, sinter_schema_create(&b.p, NULL, &s));                                \
        assert_null(s);                                                                            \
        assert_string_equal(sinter_last_error(), said);                                            \
    } while (0)
    BAD((void)0, "under the hint: request 'v1': the symbol S is not bound");
    BAD(b.values[1].name = NULL, "value 1 '': it has no name");
    BAD(b.values[2].name = "v1", "value 2 'v1': an earlier value has this name");
    BAD(b.values[1].name = "a,b",
        "value 1 'a,b': 'a,b' is no id: some characters, no comma and no control character");
    BAD(b.values[1].node = 9, "value 1 'v1': there is no node 9 to make it");
    BAD(b.values[1].flags = 16, "value 1 'v1': unknown flags 0x10");
    BAD(b.values[2].view_of = 3, "value 2 'v2': a view of value 3, which is not before it");
    BAD(b.values[2].view_of = 2, "value 2 'v2': a view of value 2, which is not before it");
    BAD(b.values[1].node = 2, "value 2 'v2': a view of value 1, which is made later, by node 2");
    BAD(b.values[3].view_of = 0; b.values[3].node = 0;
        b.values[1].node = 1, "node 1 reads value 1, which node 1 makes");
    BAD(b.nodes[0].input_count = 1;
        b.nodes[0].inputs = (uint32_t[]){7}, "node 0 reads value 7, and there is none");
    BAD(b.nodes[0].inputs = NULL, "node 0 has no list of its 1 inputs");
    BAD(b.values[1].size = NULL, "value 1 'v1': it has no size");
    BAD(b.values[1].size = "S/0",
        "value 1 'v1': its size, column 3: a whole number from 1 is wanted in place of 0");
    BAD(b.values[1].size = "0-4", "under the hint: request 'v1': its size is -4, below 0");
#undef BAD
    FAILS(SINTER_EINVAL, sinter_schema_create(NULL, NULL, &s));
    FAILS(SINTER_EINVAL, sinter_schema_create(&good.p, NULL, NULL));
    sinter_schema_options o = SINTER_SCHEMA_OPTIONS_INIT;
    o.alignment_bytes = 24;
    FAILS(SINTER_EINVAL, sinter_schema_create(&good.p, &o, &s));
}

/* Text */

static sinter_schema *parse(const char *text, const sinter_schema_options *o)
{
    sinter_schema *s;
    sinter_program_place place;
    OK(sinter_schema_parse(text, strlen(text), o, &s, &place));
    return s;
}

static void bad_lines_have_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t line, column;
        const char *said;
    } cases[] = {
        {"", 1, 1, "the first line is not id,lower,upper,size"},
        {"\n\nid,lower,size\n", 3, 1, "the first line is not"},
        {"id,lower,upper,size\na,0,1\n", 2, 6, "a comma is missing"},
        {"id,lower,upper,size\r\n\r\na,-1,1,8\r\n", 3, 3, "negative: -1"},
        {"id,lower,upper,size\na,5,4,8\n", 2, 5, "a lifetime from 5 to 4 ends before it starts"},
        {"id,lower,upper,size\na,x,4,8\n", 2, 3, "no whole number: 'x'"},
        {"id,lower,upper,size\na,,4,8\n", 2, 3, "a number is missing"},
        {"id,lower,upper,size\na,0,99999999999999999999,8\n", 2, 5, "64 bits"},
        {"id,lower,upper,size\n,0,1,8\n", 2, 1, "no id"},
        {"id,lower,upper,size\na\tb,0,1,8\n", 2, 1, "no id"},
        {"id,lower,upper,size\na,0,1,8\nb,0,1,8\na,2,3,8\n", 4, 1,
         "an id that an earlier line has: 'a'"},
        {"id,lower,upper,size\na,0,1,\n", 2, 7, "is wanted where the text ends"},
        {"id,lower,upper,size\na,0,1,4*(S\n", 2, 11, "')' is wanted"},
        {"id,lower,upper,size\na,0,1,8,9\n", 2, 8, "an operator is wanted in place of ','"},
        {"id,lower,upper,size\na,0,1,8\nb,0,1,4*S*T\n", 3, 7,
         "under the hint: request 'b' of line 3: the symbol T is not bound"},
        {"id,lower,upper,size\na,0,1,S-9\n", 2, 7, "its size is -1, below 0"},
        {"id,lower,upper,size\na,0,1,S/3\n", 2, 7, "(S/3): 8 is no multiple of 3"},
        {"id,lower,upper,size\na,0,1,4611686018427387904*S\n", 2, 7,
         "4611686018427387904*S does not fit 64 bits"},
        {"id,lower,upper,size\na,0,1,4611686018427387904\nb,0,1,4611686018427387904\n", 1, 1,
         "4611686018427387904 + 4611686018427387904 does not fit 64 bits"},
        {"id,lower,upper,size\na,0,1,8\n\x01,0,1,8\n", 3, 1, "no id"},
    };
    const sinter_symbol_value hint[] = {{"S", 8}};
    sinter_schema_options o = SINTER_SCHEMA_OPTIONS_INIT;
    o.hint = hint;
    o.hint_count = 1;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sinter_schema *s;
        sinter_program_place at;
        sinter_status status =
            sinter_schema_parse(cases[i].text, strlen(cases[i].text), &o, &s, &at);
        if (status == SINTER_OK || s != NULL || at.line != cases[i].line ||
            at.column != cases[i].column || strstr(sinter_last_error(), cases[i].said) == NULL)
            fail_msg("case %zu: line %u, column %u: %s", i, at.line, at.column,
                     sinter_last_error());
    }
}

static void the_text_is_what_it_was(void **state)
{
    (void)state;
    static test_text text;
    static test_text again;
    const sinter_symbol_value hint[] = {{"S", 8}, {"P", 3}};
    sinter_schema_options o = SINTER_SCHEMA_OPTIONS_INIT;
    o.hint = hint;
    o.hint_count = 2;
    sinter_schema *s = parse("id,lower,upper,size\r\n\r\n a b ,0, 3 ,4*(S+P)\r\n"
                             "c,1,1,max(S, P)/4*2\r\n\"d\",2,9,align_up(S*P,64) \r\n",
                             &o);
    memset(&text, 0, sizeof text);
    memset(&again, 0, sizeof again);
    OK(sinter_schema_write(s, test_text_add, &text));
    assert_string_equal(text.data, "id,lower,upper,size\na b,0,3,4*P+4*S\nc,1,1,2*(max(P,S)/4)\n"
                                   "\"d\",2,9,align_up(P*S,64)\n");
    sinter_schema_destroy(s);
    s = parse(text.data, &o);
    OK(sinter_schema_write(s, test_text_add, &again));
    assert_string_equal(text.data, again.data);
    sinter_schema_destroy(s);
}

static void the_table_is_by_step(void **state)
{
    (void)state;
    static test_text text;
    const sinter_symbol_value hint[] = {{"S", 8}};
    sinter_schema_options o = {
        .size = sizeof o, .hint_count = 1, .alignment_bytes = 16, .hint = hint};
    sinter_schema *s = parse("id,lower,upper,size\nlong,2,5,4*S\nb,3,4,S\nc,5,6,8*S+1\n", &o);
    memset(&text, 0, sizeof text);
    OK(sinter_schema_table(s, test_text_add, &text));
    assert_string_equal(text.data, "step:       0-1 => |  *   | * |\n"
                                   "step:         2 => | long | * |\n"
                                   "step:         3 => | long | b |\n"
                                   "step:         4 => | long | * |\n"
                                   "step:         5 => |  c   | * |\n"
                                   "partition 0: 8*S+1\n"
                                   "partition 1: S\n"
                                   "memory_size: align_up(8*S+1,16)+align_up(S,16)\n");
    sinter_schema_result r = resolve(s, hint, 1, NULL, NULL);
    assert_true(r.total_bytes == 80 + 16 && r.peak_bytes == 65 && r.peak_step == 5);
    assert_true(r.usage == 65.0 / 96);
    sinter_schema_destroy(s);
}

static void nothing_uses_all_of_nothing(void **state)
{
    (void)state;
    static test_text text;
    sinter_schema *s = parse("id,lower,upper,size", NULL);
    sinter_schema_result r = resolve(s, NULL, 0, NULL, NULL);
    assert_true(r.total_bytes == 0 && r.peak_bytes == 0 && r.peak_step == 0 && r.usage == 1);
    memset(&text, 0, sizeof text);
    OK(sinter_schema_table(s, test_text_add, &text));
    assert_string_equal(text.data, "memory_size: 0\n");
    sinter_schema_destroy(s);
    s = parse("id,lower,upper,size\na,3,3,8\nb,2,5,0\n", NULL); /* never alive; and of no size */
    r = resolve(s, NULL, 0, NULL, NULL);
    assert_true(r.total_bytes == 8 && r.peak_bytes == 0);
    sinter_schema_destroy(s);
}

static void resolving_checks_the_binding(void **state)
{
    (void)state;
    const sinter_symbol_value hint[] = {{"S", 8}};
    const sinter_symbol_value large[] = {{"S", (int64_t)1 << 60}};
    const sinter_symbol_value other[] = {{"T", 1}};
    sinter_plan_request requests[3];
    sinter_schema_result r = {.size = sizeof r};
    sinter_schema_options o = {
        .size = sizeof o, .hint_count = 1, .alignment_bytes = 64, .hint = hint};
    sinter_schema *s = parse("id,lower,upper,size\na,0,2,4*S\nb,1,2,3*S\nc,1,4,S-1\n", &o);
    FAILS(SINTER_EINVAL, sinter_schema_resolve(s, other, 1, NULL, NULL, &r));
    assert_string_equal(sinter_last_error(), "request 'a' of line 2: the symbol S is not bound");
    FAILS(SINTER_ERANGE, sinter_schema_resolve(s, large, 1, NULL, NULL, &r));
    FAILS(SINTER_EINVAL, sinter_schema_evaluate(s, NULL, 1, requests));
    FAILS(SINTER_EINVAL, sinter_schema_evaluate(NULL, NULL, 0, requests));
    r.size--;
    FAILS(SINTER_EINVAL, sinter_schema_resolve(s, hint, 1, NULL, NULL, &r));
    OK(sinter_schema_evaluate(s, hint, 1, requests));
    assert_true(requests[1].bytes == 24 && requests[1].start == 1 && requests[1].end == 2);
    assert_true(sinter_schema_is_monotone(s, "S") && sinter_schema_is_monotone(s, "T"));
    assert_false(sinter_schema_is_monotone(NULL, "S"));
    sinter_schema_destroy(s);
}

/* Memory that runs out */

/* Everything that a schema does; the first failure ends it. */
static sinter_status use_schema(const program *b, const sinter_schema_options *o)
{
    static test_text text;
    static const char lines[] = "id,lower,upper,size\na,0,2,max(4*S,P/1)\nb,1,3,align_up(S,64)\n";
    sinter_schema *s = NULL;
    sinter_plan_request requests[MOST];
    sinter_schema_result r = {.size = sizeof r};
    text.bytes = 0;
    sinter_status status = sinter_schema_parse(lines, sizeof lines - 1, o, &s, NULL);
    sinter_schema_destroy(s);
    s = NULL;
    if (status == SINTER_OK)
        status = sinter_schema_create(&b->p, o, &s);
    if (status == SINTER_OK)
        status = sinter_schema_evaluate(s, o->hint, o->hint_count, requests);
    if (status == SINTER_OK)
        status = sinter_schema_resolve(s, o->hint, o->hint_count, NULL, NULL, &r);
    if (status == SINTER_OK)
        status = sinter_schema_write(s, test_text_add, &text);
    if (status == SINTER_OK)
        status = sinter_schema_table(s, test_text_add, &text);
    sinter_schema_destroy(s);
    return status;
}

static void each_allocation_may_fail(void **state)
{
    (void)state;
    static program b;
    test_memory m = {0};
    const sinter_symbol_value hint[] = {{"S", 8}, {"P", 3}};
    const sinter_schema_options o = {.size = sizeof o,
                                     .hint_count = 2,
                                     .hint = hint,
                                     .realloc_fn = test_count_memory,
                                     .realloc_user = &m};
    sinter_status status = SINTER_ENOMEM;
    uint64_t calls = 0;
    begin(&b);
    uint32_t x = step(&b, value(&b, SINTER_NO_INDEX, "8", 0), "align_up(4*S*(S+P),64)", 0);
    (void)step(&b, step(&b, x, "max(S*P,4*S)", 0), "8*S", SINTER_VALUE_RESULT);
    for (; status == SINTER_ENOMEM; calls++) {
        m = (test_memory){.nth = calls};
        status = use_schema(&b, &o);
        assert_int_equal(m.live_bytes, 0);
    }
    assert_int_equal(status, SINTER_OK);
    assert_true(calls > 20);
}

/* Random programs against the rules once more */

typedef struct model {
    int64_t start[MOST], end[MOST];
    uint32_t value[MOST];
    uint64_t bytes[MOST];
    uint32_t partition[MOST];
    uint64_t largest[MOST];
    uint32_t count, partitions;
} model;

static const char *const texts[] = {"1152",           "4*S*P", "max(8*S,64*P)", "256*(S+P)",
                                    "align_up(S,64)", "S*S*2", "(4*S+4*P)/2",   "S*S+S*P+max(S,P)"};

static uint64_t size_of(const char *text, uint64_t s, uint64_t p)
{
    const uint64_t sizes[] = {1152,
                              4 * s * p,
                              8 * s > 64 * p ? 8 * s : 64 * p,
                              256 * (s + p),
                              (s + 63) / 64 * 64,
                              s * s * 2,
                              2 * s + 2 * p,
                              s * s + s * p + (s > p ? s : p)};
    size_t k = 0;
    while (strcmp(texts[k], text) != 0)
        k++;
    return sizes[k];
}

static void random_program(test_random *r, program *b)
{
    begin(b);
    for (uint32_t i = test_below(r, 4); i > 0; i--)
        (void)value(b, SINTER_NO_INDEX, texts[test_below(r, 8)], 0);
    for (uint32_t n = test_below(r, 16); n > 0; n--) {
        uint32_t inputs[8];
        uint32_t before = b->p.value_count;
        uint32_t count = before > 0 ? test_below(r, 4) : 0;
        for (uint32_t i = 0; i < count; i++)
            inputs[i] = test_below(r, before);
        uint32_t from = node(b, count, inputs);
        b->nodes[from].has_effects = test_below(r, 12) == 0;
        for (uint32_t k = 1 + test_below(r, 3); k > 0; k--) {
            uint32_t flags = test_below(r, 3) == 0 ? 1u << test_below(r, 4) : 0;
            uint32_t v = value(b, from, texts[test_below(r, 8)], flags);
            if (v > 0 && test_below(r, 3) == 0)
                b->values[v].view_of = test_below(r, v);
        }
    }
}

static bool leaves(const sinter_schema_value *v)
{
    return (v->flags & (SINTER_VALUE_RESULT | SINTER_VALUE_TO_HOST | SINTER_VALUE_STATE)) != 0;
}

/* Again and again over all, until nothing changes. */
static void mark_needed(const program *b, bool *needed, bool *live)
{
    bool changes = true;
    memset(needed, 0, MOST * sizeof *needed);
    memset(live, 0, MOST * sizeof *live);
    while (changes) {
        bool old_needed[MOST];
        bool old_live[MOST];
        memcpy(old_needed, needed, sizeof old_needed);
        memcpy(old_live, live, sizeof old_live);
        for (uint32_t n = 0; n < b->p.node_count; n++) {
            live[n] |= b->nodes[n].has_effects != 0;
            for (uint32_t i = 0; live[n] && i < b->nodes[n].input_count; i++)
                needed[b->inputs[n][i]] = true;
        }
        for (uint32_t v = 0; v < b->p.value_count; v++) {
            const sinter_schema_value *x = &b->values[v];
            needed[v] |= leaves(x);
            if (needed[v] && x->node != SINTER_NO_INDEX) {
                live[x->node] = true;
                if (x->view_of != SINTER_NO_INDEX)
                    needed[x->view_of] = true;
            }
        }
        changes = memcmp(old_needed, needed, sizeof old_needed) != 0 ||
                  memcmp(old_live, live, sizeof old_live) != 0;
    }
}

/* A use of `v` at `at` is one of everything that it is a view of. */
static void use(const program *b, int64_t *last, uint32_t v, int64_t at)
{
    for (; v != SINTER_NO_INDEX; v = b->values[v].view_of)
        last[v] = last[v] > at ? last[v] : at;
}

/* By something that the program does not end. */
static bool is_viewed_beyond(const program *b, const bool *needed, uint32_t root)
{
    for (uint32_t v = 0; v < b->p.value_count; v++) {
        bool outlives =
            needed[v] && (b->values[v].flags & (SINTER_VALUE_RESULT | SINTER_VALUE_STATE)) != 0;
        uint32_t at = b->values[v].view_of;
        while (at != SINTER_NO_INDEX && at != root)
            at = b->values[at].view_of;
        if (outlives && at == root)
            return true;
    }
    return false;
}

static void model_lifetimes(const program *b, model *m)
{
    bool needed[MOST];
    bool live[MOST];
    int64_t last[MOST];
    mark_needed(b, needed, live);
    for (uint32_t v = 0; v < MOST; v++)
        last[v] = -1;
    for (uint32_t n = 0; n < b->p.node_count; n++) {
        for (uint32_t i = 0; live[n] && i < b->nodes[n].input_count; i++)
            use(b, last, b->inputs[n][i], n);
    }
    for (uint32_t v = b->p.value_count; v-- > 0;) {
        const sinter_schema_value *x = &b->values[v];
        if (needed[v] && x->node != SINTER_NO_INDEX)
            use(b, last, v, x->node);
        if ((x->flags & SINTER_VALUE_RESULT) != 0 || (x->view_of != SINTER_NO_INDEX && leaves(x)))
            use(b, last, v, (int64_t)b->p.node_count - 1);
    }
    m->count = 0;
    for (uint32_t v = 0; v < b->p.value_count; v++) {
        const sinter_schema_value *x = &b->values[v];
        if (x->node == SINTER_NO_INDEX || !live[x->node] || x->view_of != SINTER_NO_INDEX ||
            (x->flags & ~SINTER_VALUE_RESULT) != 0 || is_viewed_beyond(b, needed, v))
            continue;
        m->value[m->count] = v;
        m->start[m->count] = x->node;
        m->end[m->count++] = (last[v] > (int64_t)x->node ? last[v] : (int64_t)x->node) + 1;
    }
}

static void model_partitions(const program *b, model *m, uint64_t s, uint64_t p)
{
    bool placed[MOST] = {false};
    uint64_t sums[MOST] = {0};
    m->partitions = 0;
    for (uint32_t done = 0; done < m->count; done++) {
        uint32_t i = MOST; /* the largest that is left, the first of equals */
        for (uint32_t k = 0; k < m->count; k++) {
            m->bytes[k] = size_of(b->values[m->value[k]].size, s, p);
            if (!placed[k] && (i == MOST || m->bytes[k] > m->bytes[i]))
                i = k;
        }
        uint32_t best = m->partitions;
        for (uint32_t q = 0; q < m->partitions; q++) {
            bool is_free = true;
            for (uint32_t k = 0; k < m->count; k++)
                is_free &= !placed[k] || m->partition[k] != q || m->start[i] >= m->end[k] ||
                           m->start[k] >= m->end[i];
            if (is_free && (best == m->partitions || sums[q] > sums[best]))
                best = q;
        }
        m->partitions += best == m->partitions;
        m->partition[i] = best;
        sums[best] += m->bytes[i];
        placed[i] = true;
    }
}

/* Under a binding: sizes, offsets, total and peak, and the judge of plans. */
static void check_binding(const program *b, model *m, const sinter_schema *schema, uint64_t s,
                          uint64_t p, uint64_t unit)
{
    const sinter_symbol_value binding[] = {{"P", (int64_t)p}, {"unused", 3}, {"S", (int64_t)s}};
    static char scratch[MOST * 200];
    sinter_plan_request requests[MOST];
    uint64_t offsets[MOST];
    uint64_t starts[MOST];
    uint64_t total = 0;
    uint64_t peak = 0;
    sinter_plan_options o = SINTER_PLAN_OPTIONS_INIT;
    o.alignment_bytes = unit;
    OK(sinter_schema_evaluate(schema, binding, 3, requests));
    sinter_schema_result r = resolve(schema, binding, 3, offsets, starts);
    memset(m->largest, 0, sizeof m->largest);
    for (uint32_t i = 0; i < m->count; i++) {
        m->bytes[i] = size_of(b->values[m->value[i]].size, s, p);
        assert_true(requests[i].bytes == m->bytes[i]);
        if (m->bytes[i] > m->largest[m->partition[i]])
            m->largest[m->partition[i]] = m->bytes[i];
    }
    assert_int_equal(r.partition_count, m->partitions);
    for (uint32_t q = 0; q < m->partitions; q++) {
        assert_true(starts[q] == total);
        total += (m->largest[q] + unit - 1) / unit * unit;
    }
    assert_true(r.total_bytes == total);
    for (int64_t at = 0; at < b->p.node_count; at++) {
        uint64_t alive = 0;
        for (uint32_t i = 0; i < m->count; i++)
            alive += m->start[i] <= at && at < m->end[i] ? m->bytes[i] : 0;
        peak = alive > peak ? alive : peak;
    }
    assert_true(r.peak_bytes == peak);
    for (uint32_t i = 0; i < m->count; i++) {
        assert_true(offsets[i] == starts[m->partition[i]]);
        requests[i].offset_bytes = offsets[i];
    }
    OK(sinter_plan_check(requests, m->count, &o, total, scratch, sizeof scratch));
}

/* The same requests from their own text. */
static void check_text(const sinter_schema *schema, const sinter_schema_options *o)
{
    static test_text text;
    static test_text again;
    memset(text.data, 0, text.bytes);
    memset(again.data, 0, again.bytes);
    text.bytes = again.bytes = 0;
    OK(sinter_schema_write(schema, test_text_add, &text));
    sinter_schema *copy = parse(text.data, o);
    OK(sinter_schema_write(copy, test_text_add, &again));
    assert_string_equal(text.data, again.data);
    for (size_t i = 0; i < sinter_schema_count(schema); i++) {
        sinter_schema_request a = {0};
        sinter_schema_request c = {0};
        OK(sinter_schema_get(schema, i, &a));
        OK(sinter_schema_get(copy, i, &c));
        assert_true(a.start == c.start && a.end == c.end && a.partition == c.partition);
        assert_int_equal(c.line, i + 2);
    }
    sinter_schema_destroy(copy);
}

static void random_programs_follow_the_rules(void **state)
{
    (void)state;
    static program b;
    static model m;
    uint64_t requests = 0;
    for (uint64_t seed = 0; seed < random_programs; seed++) {
        test_random r = {seed};
        uint64_t hint_s = 2 * test_below(&r, 100);
        uint64_t hint_p = test_below(&r, 100);
        uint64_t unit = (uint64_t)1 << test_below(&r, 8);
        const sinter_symbol_value hint[] = {{"S", (int64_t)hint_s}, {"P", (int64_t)hint_p}};
        const sinter_schema_options o = {
            .size = sizeof o, .hint_count = 2, .alignment_bytes = unit, .hint = hint};
        sinter_schema *s;
        random_program(&r, &b);
        OK(sinter_schema_create(&b.p, &o, &s));
        model_lifetimes(&b, &m);
        model_partitions(&b, &m, hint_s, hint_p);
        assert_int_equal(sinter_schema_count(s), m.count);
        for (uint32_t i = 0; i < m.count; i++) {
            sinter_schema_request q = {0};
            OK(sinter_schema_get(s, i, &q));
            if (q.start != m.start[i] || q.end != m.end[i] || q.partition != m.partition[i])
                fail_msg("seed %" PRIu64 ": request %u, value %u: [%" PRId64 ", %" PRId64
                         ") in place of [%" PRId64 ", %" PRId64 ")",
                         seed, i, m.value[i], q.start, q.end, m.start[i], m.end[i]);
        }
        check_binding(&b, &m, s, hint_s, hint_p, unit);
        check_binding(&b, &m, s, test_below(&r, 4000), test_below(&r, 4000), unit);
        check_binding(&b, &m, s, 0, 0, unit);
        check_text(s, &o);
        requests += m.count;
        sinter_schema_destroy(s);
    }
    assert_true(requests > 3 * random_programs);
}

/* With sizes that are known it places what the planner's strategy of that name places. */
static void the_planner_has_the_same_partitions(void **state)
{
    (void)state;
    static program b;
    static char scratch[MOST * 200];
    for (uint64_t seed = 0; seed < 300; seed++) {
        test_random r = {seed};
        const sinter_symbol_value hint[] = {{"S", 64 + 2 * (int64_t)test_below(&r, 100)},
                                            {"P", 1 + (int64_t)test_below(&r, 100)}};
        sinter_schema_options o = {.size = sizeof o, .hint_count = 2, .hint = hint};
        sinter_plan_options plan = SINTER_PLAN_OPTIONS_INIT;
        sinter_plan_result found = {.size = sizeof found};
        sinter_plan_request requests[MOST];
        uint64_t offsets[MOST];
        sinter_schema *s;
        plan.strategy = SINTER_PLAN_PARTITION;
        random_program(&r, &b);
        OK(sinter_schema_create(&b.p, &o, &s));
        OK(sinter_schema_evaluate(s, hint, 2, requests));
        sinter_schema_result wanted = resolve(s, hint, 2, offsets, NULL);
        OK(sinter_plan_memory(requests, sinter_schema_count(s), &plan, scratch, sizeof scratch,
                              &found));
        assert_true(found.total_bytes == wanted.total_bytes);
        assert_true(found.bound_bytes == wanted.peak_bytes);
        for (size_t i = 0; i < sinter_schema_count(s); i++)
            assert_true(requests[i].offset_bytes == offsets[i]);
        sinter_schema_destroy(s);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attention_has_the_known_partitions),
        cmocka_unit_test(dead_results_go_with_their_nodes),
        cmocka_unit_test(flags_are_of_outputs),
        cmocka_unit_test(a_view_keeps_its_root_through_views_outside),
        cmocka_unit_test(a_result_that_is_a_view_lets_its_root_escape),
        cmocka_unit_test(bad_programs_are_named),
        cmocka_unit_test(bad_lines_have_their_place),
        cmocka_unit_test(the_text_is_what_it_was),
        cmocka_unit_test(the_table_is_by_step),
        cmocka_unit_test(nothing_uses_all_of_nothing),
        cmocka_unit_test(resolving_checks_the_binding),
        cmocka_unit_test(each_allocation_may_fail),
        cmocka_unit_test(random_programs_follow_the_rules),
        cmocka_unit_test(the_planner_has_the_same_partitions),
    };
    if (argc > 1 && strcmp(argv[1], "--long") == 0)
        random_programs = 100000;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
