/* The planner's independent judge: it shares no code with it and looks at every pair. */
#include "memory/schema.h"

sinter_status sinter__schema_validate(const sinter__schema *schema)
{
    for (size_t i = 0; i < schema->count; i++) {
        const sinter__request *a = schema->requests + i;
        if (a->offset_bytes % schema->alignment_bytes != 0 ||
            a->offset_bytes + a->bytes > schema->total_bytes)
            return sinter__fail(
                SINTER_EINTERNAL, "request %zu of %llu bytes at %llu is misaligned or past the end",
                i, (unsigned long long)a->bytes, (unsigned long long)a->offset_bytes);
        for (size_t k = 0; k < i; k++) {
            const sinter__request *b = schema->requests + k;
            bool apart_in_time = a->end <= b->start || b->end <= a->start;
            bool apart_in_space = a->bytes == 0 || b->bytes == 0 ||
                                  a->offset_bytes + a->bytes <= b->offset_bytes ||
                                  b->offset_bytes + b->bytes <= a->offset_bytes;
            if (!apart_in_space && (!apart_in_time || !schema->share))
                return sinter__fail(SINTER_EINTERNAL, "requests %zu and %zu overlap", k, i);
        }
    }
    return SINTER_OK;
}
