/* SHA-256 (FIPS 180-4): the hash by which the program cache knows its entries, and knows that they
 * are whole. */
#ifndef SINTER_CORE_SHA256_H
#define SINTER_CORE_SHA256_H

#include "core/base.h"

#define SINTER__SHA256_BYTES 32

typedef struct sinter__sha256 {
    uint32_t state[8];
    uint64_t bytes;    /* hashed so far */
    uint8_t block[64]; /* the last of them, while they are no whole block */
} sinter__sha256;

void sinter__sha256_init(sinter__sha256 *h);
void sinter__sha256_add(sinter__sha256 *h, const void *data, size_t bytes);

/* Ends the hash; `h` is used up. */
void sinter__sha256_end(sinter__sha256 *h, uint8_t out[SINTER__SHA256_BYTES]);

#endif /* SINTER_CORE_SHA256_H */
