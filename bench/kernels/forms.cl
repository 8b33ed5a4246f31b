/* In front of every hand-written kernel: the types of a kernel that works on WIDTH elements at a time, and the walk
 * of a work-item over its PER_ITEM elements. The kernels are written for the sizes of the benchmark: every number of
 * elements is a multiple of WIDTH. */
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

#if WIDTH == 1
typedef float F;
typedef int I;
typedef uint U;
#    define LOAD(p, i) ((p)[i])
#    define STORE(v, p, i) ((p)[i] = (v))
#    define LOAD_HALF(p, i) vload_half(i, p)
#    define STORE_HALF(v, p, i) vstore_half(v, i, p)
#    define AS_F(x) as_float(x)
#    define AS_U(x) as_uint(x)
#    define AS_I(x) as_int(x)
#    define TO_F(x) convert_float(x)
#else
typedef JOIN(float, WIDTH) F;
typedef JOIN(int, WIDTH) I;
typedef JOIN(uint, WIDTH) U;
/* By pointers to vectors that are aligned as their elements are: PoCL takes a vload and a vstore apart, into pairs where
 * the processor has no AVX-512. */
typedef JOIN(float, WIDTH) AT __attribute__((aligned(4)));
#    define OVERLOADED __attribute__((overloadable, always_inline))
OVERLOADED F load_at(__global const float *p)
{
    return *(__global const AT *)p;
}
OVERLOADED F load_at(const float *p)
{
    return *(const AT *)p;
}
OVERLOADED void store_at(F v, __global float *p)
{
    *(__global AT *)p = v;
}
OVERLOADED void store_at(F v, float *p)
{
    *(AT *)p = v;
}
#    define LOAD(p, i) load_at((p) + (i))
#    define STORE(v, p, i) store_at(v, (p) + (i))
#    define LOAD_HALF(p, i) JOIN(vload_half, WIDTH)(0, (p) + (i))
#    define STORE_HALF(v, p, i) JOIN(vstore_half, WIDTH)(v, 0, (p) + (i))
#    define AS_F(x) JOIN(as_float, WIDTH)(x)
#    define AS_U(x) JOIN(as_uint, WIDTH)(x)
#    define AS_I(x) JOIN(as_int, WIDTH)(x)
#    define TO_F(x) JOIN(convert_float, WIDTH)(x)
#endif

/* What nobody reads soon, past the caches (-DSTREAM): buffers are aligned, and sizes multiples of a vector. */
#define STORE_LAST(v, p, i) STORE(v, p, i)
#if defined(STREAM) && defined(__has_builtin)
#    if __has_builtin(__builtin_nontemporal_store)
#        undef STORE_LAST
#        define STORE_LAST(v, p, i) __builtin_nontemporal_store(v, (__global F *)((p) + (i)))
#    endif
#endif

#define EXTENTS int a, int b, int c, int d

/* The elements [0, n) that are this work-item's. */
#define EACH_PLAIN(i, n)                                                                           \
    for (int i = (int)get_global_id(0) * PER_ITEM, end_##i = min(i + PER_ITEM, (n)); i < end_##i;  \
         i += WIDTH)

/* The rows [0, n) that are this work-item's. */
#define EACH_ROW(row, n)                                                                           \
    for (int row = (int)get_global_id(0) * PER_ITEM, end_##row = min(row + PER_ITEM, (n));         \
         row < end_##row; row++)

/* Vectors in flight at a time (-DUNROLL=2): one long chain of operations waits for itself. */
#ifdef UNROLL
#    define PRAGMA_(text) _Pragma(#text)
#    define PRAGMA(text) PRAGMA_(text)
#    define EACH(i, n) PRAGMA(unroll UNROLL) EACH_PLAIN(i, n)
#else
#    define EACH(i, n) EACH_PLAIN(i, n)
#endif
