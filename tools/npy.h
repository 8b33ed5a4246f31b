/* NumPy's .npy files: format versions 1 to 3, C and Fortran order, both byte orders, every dtype of
 * sinter. bf16, which NumPy has no code for, is the two-byte void '<V2', as ml_dtypes writes it. */
#ifndef SINTER_TOOLS_NPY_H
#define SINTER_TOOLS_NPY_H

#include <sinter/types.h>

/* An array in memory: row-major, packed, the host's byte order. */
typedef struct npy_array {
    sinter_dtype dtype;
    int rank;
    int64_t shape[SINTER_MAX_RANK];
    size_t bytes;
    void *data; /* to be freed with npy_free; never NULL after npy_read */
} npy_array;

#define NPY_ERROR 512

/* Reads a file. False with one line in `error`, which names the file and says why. */
bool npy_read(const char *path, npy_array *out, char error[NPY_ERROR]);

/* Writes a file of format version 1.0, little-endian. What was there stays whole until the new file
 * is: it is written beside and renamed. A device or a FIFO is written into. */
bool npy_write(const char *path, const npy_array *a, char error[NPY_ERROR]);

void npy_free(npy_array *a);

#endif /* SINTER_TOOLS_NPY_H */
