/* Sizes: the canonical form, the text and its faults, values against an evaluator written here over
 * random expressions.
 *
 *     test_size [--long]    1,000,000 random expressions in place of 20,000
 */
#include "core/size.h"
#include "support/support.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static uint64_t random_sizes = 20000;
static sinter__allocator allocator;

/* The size of a text, which is well-formed. */
static sinter__size parsed(sinter__sizes *pool, const char *text)
{
    sinter__size a;
    size_t offset;
    OK(sinter__size_parse(pool, text, strlen(text), &a, &offset));
    assert_int_equal(offset, strlen(text));
    return a;
}

/* Its canonical text, in `out`. */
static void print(sinter__size a, char *out, size_t room)
{
    sinter__buffer b;
    sinter__buffer_init(&b, &allocator);
    sinter__size_print(a, &b);
    assert_int_equal(sinter__buffer_status(&b), SINTER_OK);
    (void)snprintf(out, room, "%s", sinter__buffer_text(&b));
    sinter__buffer_finish(&b);
}

/* What `text` prints as, in a pool of its own. */
static void canonical(const char *text, const char *wanted)
{
    char found[1024];
    sinter__sizes pool;
    sinter__sizes_init(&pool, &allocator);
    print(parsed(&pool, text), found, sizeof found);
    assert_string_equal(found, wanted);
    print(parsed(&pool, found), found, sizeof found); /* and that parses back */
    assert_string_equal(found, wanted);
    sinter__sizes_finish(&pool);
}

static void equal_sizes_print_equal(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"0", "0"},
        {"S - S", "0"},
        {"007", "7"},
        {"4*(S+P)", "4*P+4*S"},
        {"4*S + P*4", "4*P+4*S"},
        {"-(S - 4)", "-S+4"},
        {"-3*S-2", "-3*S-2"},
        {"S*P*S", "P*S*S"},
        {"(S+1)*(S-1)", "S*S-1"},
        {"(S+P)*(S+P)", "P*P+2*P*S+S*S"},
        {"max(S)", "S"},
        {"max(3, 8, 5)", "8"},
        {"max(S, P, S)", "max(P,S)"},
        {"max(P, max(S, P))", "max(P,S)"},
        {"max(24*S*S, 32*S*S+S, 40*S*S, 32*S*S)", "max(32*S*S+S,40*S*S)"},
        {"max(S*P + 4, S*P, 3)", "P*S+4"},
        {"max(2*S, S)", "2*S"},
        {"max(S-P, S)", "S"},
        {"(S*16)/4", "4*S"},
        {"S/1", "S"},
        {"6*S/4", "(S/2)+S"},
        {"2*(S/4)", "2*(S/4)"},
        {"2*S/4", "(S/2)"},
        {"(S+P)/2", "((P+S)/2)"},
        {"(S+4*P)/4", "(S/4)+P"},
        {"(P-S)/4", "((P+3*S)/4)-S"},
        {"S/2/3", "(S/6)"},
        {"(S/2)*P/3", "((S/2)*P/3)"},
        {"-S/4", "-(S/4)"},
        {"align_up(S, 1)", "S"},
        {"align_up(17, 16)", "32"},
        {"align_up(64*S, 16)", "64*S"},
        {"align_up(64*S + P, 64)", "64*S+align_up(P,64)"},
        {"align_up(20*S + 17, 16)", "16*S+align_up(4*S+1,16)+16"},
        {"align_up(align_up(S, 16), 64)", "align_up(S,64)"},
        {"align_up(align_up(S, 64), 16)", "align_up(S,64)"},
        {"align_up(4*align_up(S, 16), 64)", "4*align_up(S,16)"},
        {"align_up(align_up(S, 16), 24)", "align_up(align_up(S,16),24)"},
        {"align_up(P + align_up(S, 48), 16)", "align_up(P,16)+align_up(S,48)"},
        {"\tmax ( 1 , _a1 ) ", "max(1,_a1)"},
    };
    for (size_t i = 0; i < SINTER__COUNT(cases); i++)
        canonical(cases[i][0], cases[i][1]);
}

/* A pool that has met the symbols in another order gives the same texts. */
static void the_form_does_not_depend_on_the_pool(void **state)
{
    (void)state;
    char found[1024];
    sinter__sizes pool;
    sinter__sizes_init(&pool, &allocator);
    sinter__size a = parsed(&pool, "Z + Y + X");
    sinter__size b = parsed(&pool, "max(align_up(Z,8), Y)*X + (X/2)*Z");
    print(b, found, sizeof found);
    canonical("(X/2)*Z + X*max(Y, align_up(Z, 8))", found);
    assert_true(sinter__size_equal(a, parsed(&pool, "X + Z + Y")));
    assert_false(sinter__size_equal(a, parsed(&pool, "X + Z")));
    assert_false(sinter__size_equal(a, parsed(&pool, "X + Z + 2*Y")));
    assert_false(sinter__size_equal(a, b));
    sinter__sizes_finish(&pool);
}

static void faults_have_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t offset;
        sinter_status status;
        const char *said;
    } cases[] = {
        {"", 0, SINTER_ESYNTAX, "is wanted where the text ends"},
        {"S +", 3, SINTER_ESYNTAX, "a number, a symbol or '(' is wanted where the text ends"},
        {"S P", 2, SINTER_ESYNTAX, "an operator is wanted in place of 'P'"},
        {"4S", 1, SINTER_ESYNTAX, "an operator is wanted in place of 'S'"},
        {"S ** 2", 3, SINTER_ESYNTAX, "in place of '*'"},
        {"(S", 2, SINTER_ESYNTAX, "')' is wanted where"},
        {"S)", 1, SINTER_ESYNTAX, "in place of ')'"},
        {"S/0", 2, SINTER_EINVAL, "in place of 0"},
        {"S/P", 2, SINTER_ESYNTAX, "a whole number from 1 is wanted in place of 'P'"},
        {"7/2", 3, SINTER_EINVAL, "1/2 is no whole number"},
        {"max", 3, SINTER_ESYNTAX, "'(' is wanted"},
        {"max()", 4, SINTER_ESYNTAX, "in place of ')'"},
        {"max(S,)", 6, SINTER_ESYNTAX, "in place of ')'"},
        {"align_up(S)", 10, SINTER_ESYNTAX, "',' is wanted"},
        {"align_up(S,-4)", 11, SINTER_ESYNTAX, "in place of '-'"},
        {"S + \x01", 4, SINTER_ESYNTAX, "the byte 0x01"},
        {"S + \xc3", 4, SINTER_ESYNTAX, "the byte 0xc3"},
        {"1 + 9223372036854775808", 4, SINTER_ERANGE, "does not fit 64 bits"},
        {"9223372036854775807 + 1", 23, SINTER_ERANGE, "9223372036854775807 + 1 does not fit"},
        {"4294967296*4294967296*S", 21, SINTER_ERANGE, "4294967296 times 4294967296"},
        {"0-9223372036854775807-1", 23, SINTER_ERANGE, "does not fit 64 bits"},
    };
    for (size_t i = 0; i < SINTER__COUNT(cases); i++) {
        sinter__sizes pool;
        sinter__size a;
        size_t offset = 0;
        sinter__sizes_init(&pool, &allocator);
        FAILS(cases[i].status,
              sinter__size_parse(&pool, cases[i].text, strlen(cases[i].text), &a, &offset));
        if (strstr(sinter_last_error(), cases[i].said) == NULL || offset != cases[i].offset)
            fail_msg("'%s': at %zu: %s", cases[i].text, offset, sinter_last_error());
        sinter__sizes_finish(&pool);
    }
}

static void limits_are_errors(void **state)
{
    (void)state;
    char text[4096];
    size_t offset;
    sinter__size a;
    sinter__sizes pool;
    sinter__sizes_init(&pool, &allocator);
    memset(text, '(', 100);
    FAILS(SINTER_ERANGE, sinter__size_parse(&pool, text, 100, &a, &offset));
    assert_int_equal(offset, SINTER__SIZE_NESTED);
    a = parsed(&pool, "S"); /* without brackets, and yet too many of them when it is printed */
    sinter_status nested = SINTER_OK;
    for (int i = 0; i <= SINTER__SIZE_NESTED && nested == SINTER_OK; i++) {
        nested = sinter__size_add(&pool, a, parsed(&pool, "P"), &a);
        if (nested == SINTER_OK)
            nested = sinter__size_align(&pool, a, i % 2 == 0 ? 3 : 5, &a);
    }
    assert_int_equal(nested, SINTER_ERANGE);
    assert_string_equal(sinter_last_error(), "brackets nested more than 32 deep");
    a = parsed(&pool, "S");
    a = parsed(&pool, "S");
    for (int i = 1; i < SINTER__SIZE_DEGREE; i++)
        OK(sinter__size_multiply(&pool, a, parsed(&pool, "S"), &a));
    FAILS(SINTER_ERANGE, sinter__size_multiply(&pool, a, parsed(&pool, "S"), &a));
    sinter__sizes_finish(&pool);

    sinter__sizes_init(&pool, &allocator);
    for (int i = 0; i < SINTER__SIZE_SYMBOLS; i++) {
        int bytes = snprintf(text, sizeof text, "s%d", i);
        OK(sinter__size_symbol(&pool, text, (size_t)bytes, &a));
    }
    FAILS(SINTER_ERANGE, sinter__size_symbol(&pool, "one", 3, &a));
    OK(sinter__size_symbol(&pool, "s0", 2, &a));
    sinter__sizes_finish(&pool);

    /* Sums to a power have ever more terms. */
    sinter__sizes_init(&pool, &allocator);
    a = parsed(&pool, "a+b+c+d+e+f+g+h+i+j+k+l+m+n+o+p");
    sinter_status status = SINTER_OK;
    for (int i = 0; i < 8 && status == SINTER_OK; i++)
        status = sinter__size_multiply(&pool, a, a, &a);
    assert_int_equal(status, SINTER_ERANGE);
    sinter__sizes_finish(&pool);
    assert_int_equal(atomic_load(&allocator.live_bytes), 0);
}

static sinter_status evaluate(const char *text, const sinter_symbol_value *binding, size_t count,
                              int64_t *out)
{
    sinter__size_value values[64];
    sinter__sizes pool;
    sinter__sizes_init(&pool, &allocator);
    sinter__size a = parsed(&pool, text);
    assert_true(pool.count <= SINTER__COUNT(values));
    sinter_status status = sinter__sizes_bind(&pool, binding, count, values);
    if (status == SINTER_OK)
        status = sinter__size_evaluate(&pool, a, values, out);
    sinter__sizes_finish(&pool);
    return status;
}

static void values_and_their_faults(void **state)
{
    (void)state;
    const int64_t big = (int64_t)1 << 40;
    const sinter_symbol_value b[] = {{"S", 6}, {"P", 5}, {"zero", 0}, {"big", big}};
    static const struct {
        const char *text;
        int64_t value; /* -1: an error */
        const char *said;
    } cases[] = {
        {"4*S*P+1", 121, NULL},
        {"S/3", 2, NULL},
        {"P-S", -1, NULL},
        {"max(P, S) * align_up(P, 4)", 48, NULL},
        {"align_up(P-S, 4)", 0, NULL},
        {"big*big*zero", 0, NULL},
        {"big*big*big*zero*big", 0, NULL},
        {"big*8388607", ((int64_t)1 << 40) * 8388607, NULL},
        {"8388607*big+8388607*big-8388607*big", ((int64_t)1 << 40) * 8388607, NULL},
        {"S*T", -2, "the symbol T is not bound"},
        {"max(S, align_up(T*S,3))", -2, "the symbol T is not bound"},
        {"zero*T", -2, "the symbol T is not bound"},
        {"P/2", -2, "(P/2): 5 is no multiple of 2"},
        {"max(S, (P+S)/3+1)", -2, "((P+S)/3): 11 is no multiple of 3"},
        {"4*big*big", -2, "4*big*big does not fit 64 bits"},
        {"8388607*big+8388607*big+P*S*P", -2, "16777214*big does not fit 64 bits"},
        {"align_up(big*8388607+P*S*zero+274877906944*S*S, 4611686018427387904)", -2,
         "does not fit"},
        {"9223372036854775807 + S", -2, "the sum of its terms does not fit 64 bits"},
    };
    for (size_t i = 0; i < SINTER__COUNT(cases); i++) {
        int64_t found = 0;
        sinter_status status = evaluate(cases[i].text, b, SINTER__COUNT(b), &found);
        if (cases[i].said != NULL) {
            assert_true(status != SINTER_OK);
            assert_non_null(strstr(sinter_last_error(), cases[i].said));
        } else if (status != SINTER_OK || found != cases[i].value) {
            fail_msg("%s: %" PRId64 " %s", cases[i].text, found, sinter_last_error());
        }
    }
}

static void bindings_are_checked(void **state)
{
    (void)state;
    int64_t found = 0;
    const sinter_symbol_value twice[] = {{"S", 6}, {"P", 1}, {"S", 7}};
    const sinter_symbol_value negative[] = {{"P", -1}};
    const sinter_symbol_value nameless[] = {{NULL, 1}};
    FAILS(SINTER_EINVAL, evaluate("S", twice, 3, &found));
    assert_string_equal(sinter_last_error(), "the symbol S is bound to 6 and to 7");
    FAILS(SINTER_EINVAL, evaluate("1", negative, 1, &found));
    FAILS(SINTER_EINVAL, evaluate("1", nameless, 1, &found));
    OK(evaluate("5", NULL, 0, &found));
    assert_int_equal(found, 5);
}

static void monotone_is_known_by_symbol(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool s, p;
    } cases[] = {
        {"4*S*P", true, true},
        {"S-4", true, true},
        {"S-P", true, false},
        {"S*P-P", true, false}, /* it is for S from 1 on, which its form does not show */
        {"max(S-P,S)", true, true},
        {"max(S-P,7)", true, false},
        {"S*max(4,S-P)", true, false},
        {"align_up(S-P,4)*S", false, false},
        {"S*max(S-2*P,P-5)", false, false}, /* both are below 0 for S = P = 1 */
        {"align_up(S,4)*(P/2)", true, true},
        {"5", true, true},
    };
    for (size_t i = 0; i < SINTER__COUNT(cases); i++) {
        sinter__sizes pool;
        sinter__sizes_init(&pool, &allocator);
        sinter__size a = parsed(&pool, cases[i].text);
        if (sinter__size_is_monotone(&pool, a, "S") != cases[i].s ||
            sinter__size_is_monotone(&pool, a, "P") != cases[i].p)
            fail_msg("%s", cases[i].text);
        assert_true(sinter__size_is_monotone(&pool, a, "other"));
        sinter__sizes_finish(&pool);
    }
}

/* Random expressions: their text, and their value by arithmetic that knows no form. */

__extension__ typedef __int128 wide;

typedef struct made {
    char text[1 << 14];
    wide value;
    bool is_exact;
} made;

static const sinter_symbol_value binding[] = {{"A", 3}, {"B", 8}, {"C", 0}, {"D", 17}};

static void leaf(test_random *r, made *out)
{
    uint32_t k = test_below(r, 5);
    out->is_exact = true;
    out->value = k < 4 ? binding[k].value : (int64_t)test_below(r, 100);
    if (k < 4)
        (void)snprintf(out->text, sizeof out->text, "%s", binding[k].name);
    else
        (void)snprintf(out->text, sizeof out->text, "%d", (int)out->value);
}

static wide round_up(wide value, int unit)
{
    wide rest = value % unit;
    return rest == 0 ? value : value - rest + (rest > 0 ? unit : 0);
}

/* a op b, in the place of a. */
static void combine(test_random *r, made *a, const made *b)
{
    static char text[sizeof a->text];
    int n = 1 + (int)test_below(r, 12);
    int written = 0;
    a->is_exact &= b->is_exact;
    switch (test_below(r, 6)) {
    case 0:
        a->value += b->value;
        written = snprintf(text, sizeof text, "(%s)+%s", a->text, b->text);
        break;
    case 1:
        a->value -= b->value;
        written = snprintf(text, sizeof text, "%s - (%s)", a->text, b->text);
        break;
    case 2:
        a->value *= b->value;
        written = snprintf(text, sizeof text, "(%s)*(%s)", a->text, b->text);
        break;
    case 3:
        a->value = SINTER__MAX(a->value, b->value);
        written = snprintf(text, sizeof text, "max(%s,%s)", a->text, b->text);
        break;
    case 4:
        a->value = round_up(a->value + b->value, n);
        written = snprintf(text, sizeof text, "align_up((%s)+(%s), %d)", a->text, b->text, n);
        break;
    default:
        a->value = a->value + b->value * n;
        a->is_exact &= a->value % n == 0;
        a->value /= n;
        written = snprintf(text, sizeof text, "(%s+%d*(%s))/%d", a->text, n, b->text, n);
        break;
    }
    assert_true(written > 0 && (size_t)written < sizeof text);
    memcpy(a->text, text, (size_t)written + 1);
}

static bool fits(const made *m)
{
    return m->value < INT64_MAX / 4 && m->value > -(INT64_MAX / 4);
}

/* Print, parse, and the same size and text again. */
static void check_text(sinter__sizes *pool, sinter__size a)
{
    static char text[1 << 16];
    static char again[1 << 16];
    print(a, text, sizeof text);
    assert_true(strlen(text) + 1 < sizeof text);
    sinter__size b = parsed(pool, text);
    assert_true(sinter__size_equal(a, b));
    print(b, again, sizeof again);
    assert_string_equal(text, again);
}

static void random_expressions(void **state)
{
    (void)state;
    static made parts[4];
    uint64_t evaluated = 0;
    for (uint64_t seed = 0; seed < random_sizes; seed++) {
        test_random r = {seed};
        sinter__sizes pool;
        sinter__size a;
        size_t offset;
        sinter__size_value values[256];
        int64_t value;
        for (int i = 0; i < 4; i++)
            leaf(&r, &parts[i]);
        for (uint32_t i = test_below(&r, 9); i > 0; i--) {
            uint32_t to = test_below(&r, 4);
            const made *other = &parts[(to + 1 + test_below(&r, 3)) % 4];
            if (fits(&parts[to]) && fits(other) && strlen(parts[to].text) < 3000)
                combine(&r, &parts[to], other);
        }
        sinter__sizes_init(&pool, &allocator);
        sinter_status status =
            sinter__size_parse(&pool, parts[0].text, strlen(parts[0].text), &a, &offset);
        if (status == SINTER_OK) {
            check_text(&pool, a);
            assert_true(pool.count <= SINTER__COUNT(values));
            OK(sinter__sizes_bind(&pool, binding, SINTER__COUNT(binding), values));
            status = sinter__size_evaluate(&pool, a, values, &value);
        }
        if (status == SINTER_OK) {
            evaluated++;
            /* Quotients that are not exact may be gone from it: S/2 - S/2. */
            if (parts[0].is_exact && value != parts[0].value)
                fail_msg("seed %" PRIu64 ": %s is %" PRId64, seed, parts[0].text, value);
        } else if (parts[0].is_exact) { /* a coefficient that overflows, where a symbol is 0 */
            assert_int_equal(status, SINTER_ERANGE);
        }
        sinter__sizes_finish(&pool);
    }
    assert_true(evaluated > random_sizes / 2);
    assert_int_equal(atomic_load(&allocator.live_bytes), 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_sizes_print_equal),
        cmocka_unit_test(the_form_does_not_depend_on_the_pool),
        cmocka_unit_test(faults_have_their_place),
        cmocka_unit_test(limits_are_errors),
        cmocka_unit_test(values_and_their_faults),
        cmocka_unit_test(bindings_are_checked),
        cmocka_unit_test(monotone_is_known_by_symbol),
        cmocka_unit_test(random_expressions),
    };
    if (argc > 1 && strcmp(argv[1], "--long") == 0)
        random_sizes = 1000000;
    sinter__allocator_init(&allocator, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
