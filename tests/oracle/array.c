#include "oracle/array.h"

#include "oracle/samples.h"

#include <stdlib.h>

void array_make(array *a, const test_device *d, sinter_dtype dtype, int rank, const int64_t *shape,
                bool is_special, test_random *random)
{
    *a = (array){.d = d, .dtype = dtype, .m = model_packed(rank, shape)};
    uint64_t special[SAMPLES_SPECIAL];
    uint32_t count = (uint32_t)samples_special(dtype, special);
    void *data = calloc((size_t)a->m.count + 1, 8);
    assert_non_null(data);
    for (int64_t i = 0; i < a->m.count; i++) {
        bool here = is_special && test_below(random, 50) == 0;
        store_bits(dtype,
                   here ? special[test_below(random, count)] : samples_moderate(dtype, random),
                   data, (size_t)i);
    }
    OK(sinter_tensor_from_host(d->s, dtype, rank, shape, data, &a->t));
    a->data = data;
}

void array_free(array *a)
{
    test_release(a->d, a->t);
    model_free(&a->m);
    free(a->data);
}

static void replace(array *a, sinter_tensor next)
{
    test_release(a->d, a->t);
    a->t = next;
}

void array_transpose(array *a, const int *axes)
{
    sinter_tensor next;
    OK(sinter_transpose(a->d->s, a->t, axes, &next));
    model_transpose(&a->m, axes);
    replace(a, next);
}

void array_flip(array *a)
{
    sinter_tensor next;
    OK(sinter_flip(a->d->s, a->t, 0, NULL, &next));
    model_flip(&a->m, 0xff);
    replace(a, next);
}

void array_assert_element(const char *name, sinter_dtype dtype, const void *got, int64_t i,
                          number want)
{
    uint64_t bits = 0;
    want.f = rounded(register_of(dtype), want.f);
    store(dtype, want, &bits, 0);
    if (load_bits(dtype, got, (size_t)i) != bits) {
        print_error("%s of %s: element %lld is %#llx\n", name, sinter_dtype_name(dtype),
                    (long long)i, (unsigned long long)load_bits(dtype, got, (size_t)i));
    }
    assert_int_equal(load_bits(dtype, got, (size_t)i), bits);
}
