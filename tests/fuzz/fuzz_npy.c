/* A .npy file: what is read has the bytes that its dtype and shape say, all of them there; what is
 * not read has one line that says why. */
#define _GNU_SOURCE /* NOLINT: memfd_create */

#include "npy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void check(bool holds)
{
    if (!holds)
        abort();
}

/* NOLINTBEGIN(readability-identifier-naming): the name is libFuzzer's */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char path[64];
    char error[NPY_ERROR] = "";
    npy_array a;
    static int file = -1;
    if (file < 0)
        file = memfd_create("npy", 0);
    check(file >= 0 && ftruncate(file, 0) == 0 && pwrite(file, data, bytes, 0) == (ssize_t)bytes);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (!npy_read(path, &a, error)) {
        check(error[0] != '\0' && strchr(error, '\n') == NULL);
        return 0;
    }
    size_t wanted = sinter_dtype_bytes(a.dtype);
    check(wanted > 0 && a.rank >= 0 && a.rank <= SINTER_MAX_RANK);
    for (int i = 0; i < a.rank; i++)
        wanted *= (size_t)a.shape[i];
    check(a.data != NULL && a.bytes == wanted && wanted <= bytes);
    unsigned sum = 0;
    for (size_t i = 0; i < a.bytes; i++)
        sum += ((const unsigned char *)a.data)[i];
    check(sum <= 255 * wanted);
    npy_free(&a);
    return 0;
}
/* NOLINTEND(readability-identifier-naming) */
