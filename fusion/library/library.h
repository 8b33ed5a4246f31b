/* The functions of cl_kernels/ as text: instantiated for an element class and a number of lanes,
 * with what they call in front of them. */
#ifndef SINTER_FUSION_LIBRARY_LIBRARY_H
#define SINTER_FUSION_LIBRARY_LIBRARY_H

#include "core/buffer.h"
#include "core/op.h"
#include "fusion/device/limits.h"

/* Element classes of instantiations. Names end in the class and the lanes, "_w32x8"; of a width in
 * the lanes alone; of memory in the dtype instead. */
typedef enum sinter__library_class {
    SINTER__LIBRARY_F32,
    SINTER__LIBRARY_F64,
    SINTER__LIBRARY_W32, /* 32-bit integers */
    SINTER__LIBRARY_W64,
    SINTER__LIBRARY_WIDTH,  /* functions that depend on the number of lanes only */
    SINTER__LIBRARY_MEMORY, /* and above: + dtype, loads and stores with 32-bit offsets */
    SINTER__LIBRARY_MEMORY_WIDE =
        SINTER__LIBRARY_MEMORY + SINTER_DTYPE_COUNT, /* with 64-bit offsets */
    SINTER__LIBRARY_CLASSES = SINTER__LIBRARY_MEMORY_WIDE + SINTER_DTYPE_COUNT,
} sinter__library_class;

sinter__library_class sinter__library_class_of(sinter__class c);

/* Writes the name of an instantiation, "sn_exp_f32x16", to `out`. A function of cl_kernels/tree.cl
 * is named with its operation, "tree@sum": "sn_tree_sum_f32x16". */
#define SINTER__LIBRARY_NAME 64
void sinter__library_name(char out[SINTER__LIBRARY_NAME], sinter__library_class c, uint32_t lanes,
                          const char *function, size_t bytes);

/* The type of a vector of `lanes`: "float16"; scalar for 1. */
void sinter__vector_type(char out[SINTER__LIBRARY_NAME], const char *base, uint32_t lanes);

/* "float" for registers of class `c`. */
const char *sinter__register_type(sinter__class c);

/* Whether vectors of the dtype have `stream`, which stores past the caches. */
bool sinter__library_streams(sinter_dtype dtype);

/* Prints a program: the functions that `needs` lists ("class:lanes:name\n" each, of all its kernels
 * together, in any order, repeats allowed), each once, callees first; then `kernels`.
 * SINTER_EINTERNAL for a name that cl_kernels/ does not have. */
sinter_status sinter__program_print(const char *needs, const char *kernels,
                                    const sinter__limits *limits, sinter__buffer *out);

/* The embedded files of cl_kernels/, in order; generated at build time. */
typedef struct sinter__embedded_file {
    const char *name;
    const char *text; /* terminated */
    size_t bytes;
} sinter__embedded_file;

/* What the bytes 1 to 7 stand for in them. */
enum { SINTER__PHRASES = 8, SINTER__PHRASE = 20 };
extern const char sinter__embedded_phrases[SINTER__PHRASES][SINTER__PHRASE];

extern const sinter__embedded_file sinter__embedded_files[];
extern const size_t sinter__embedded_file_count;

#endif /* SINTER_FUSION_LIBRARY_LIBRARY_H */
