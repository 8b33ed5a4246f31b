/* An expression: what parses prints as what parses to the same size, and prints so again. */
#include "core/size.h"

#include <stdlib.h>
#include <string.h>

#define ATOMS 512

static const sinter_symbol_value binding[] = {{"S", 8}, {"P", 3}, {"a", 0}, {"b", 1}};

static void evaluate(const sinter__sizes *pool, sinter__size a, sinter__size b)
{
    static sinter__size_value values[ATOMS];
    int64_t x = 0;
    int64_t y = 0;
    if (pool->count > ATOMS)
        return;
    if (sinter__sizes_bind(pool, binding, SINTER__COUNT(binding), values) != SINTER_OK)
        abort();
    sinter_status status = sinter__size_evaluate(pool, a, values, &x);
    if (sinter__size_evaluate(pool, b, values, &y) != status || (status == SINTER_OK && x != y))
        abort();
}

/* NOLINTBEGIN(readability-identifier-naming): the name is libFuzzer's */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    sinter__allocator allocator;
    sinter__sizes pool;
    sinter__size a;
    sinter__size b;
    sinter__buffer first;
    sinter__buffer second;
    size_t offset;
    sinter__allocator_init(&allocator, NULL, NULL);
    sinter__sizes_init(&pool, &allocator);
    sinter__buffer_init(&first, &allocator);
    sinter__buffer_init(&second, &allocator);
    sinter_status status = sinter__size_parse(&pool, (const char *)data, bytes, &a, &offset);
    if (offset > bytes || (status != SINTER_OK && sinter_last_error()[0] == '\0'))
        abort();
    if (status == SINTER_OK) {
        sinter__size_print(a, &first);
        status = sinter__size_parse(&pool, sinter__buffer_text(&first), first.bytes, &b, &offset);
        if (status != SINTER_OK || !sinter__size_equal(a, b))
            abort();
        sinter__size_print(b, &second);
        if (strcmp(sinter__buffer_text(&first), sinter__buffer_text(&second)) != 0)
            abort();
        evaluate(&pool, a, b);
    }
    sinter__buffer_finish(&first);
    sinter__buffer_finish(&second);
    sinter__sizes_finish(&pool);
    if (atomic_load(&allocator.live_bytes) != 0)
        abort();
    return 0;
}
/* NOLINTEND(readability-identifier-naming) */
