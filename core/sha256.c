/* Written from the text of FIPS 180-4, sections 4.1.2, 4.2.2, 5.1.1, 5.3.3 and 6.2. */
#include "core/sha256.h"

#include <string.h>

#define BLOCK sizeof(((sinter__sha256 *)0)->block)

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t x, unsigned bits)
{
    return x >> bits | x << (32 - bits);
}

/* The words of a block are big-endian. */
static uint32_t load(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* Word `i` of round `shift`: the words move up by one from round to round; here they stay, and their
 * names move down. */
#define WORD(i) v[((i)-shift) & 7]

static inline void add_round(uint32_t v[8], unsigned shift, uint32_t word)
{
    uint32_t a = WORD(0);
    uint32_t e = WORD(4);
    uint32_t first = WORD(7) + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
                     (WORD(6) ^ (e & (WORD(5) ^ WORD(6)))) + word;
    WORD(3) += first;
    WORD(7) = first + (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) +
              ((a & WORD(1)) | (WORD(2) & (a | WORD(1))));
}

static void add_block(uint32_t state[8], const uint8_t *block)
{
    uint32_t w[64];
    uint32_t v[8];
    for (size_t i = 0; i < 16; i++)
        w[i] = load(block + 4 * i);
    for (size_t i = 16; i < 64; i++) {
        uint32_t early = w[i - 15];
        uint32_t late = w[i - 2];
        w[i] = w[i - 16] + (rotate(early, 7) ^ rotate(early, 18) ^ early >> 3) + w[i - 7] +
               (rotate(late, 17) ^ rotate(late, 19) ^ late >> 10);
    }
    memcpy(v, state, sizeof v);
    for (size_t i = 0; i < 64; i += 8) { /* by eights: then every name is a register */
        add_round(v, 0, w[i] + constants[i]);
        add_round(v, 1, w[i + 1] + constants[i + 1]);
        add_round(v, 2, w[i + 2] + constants[i + 2]);
        add_round(v, 3, w[i + 3] + constants[i + 3]);
        add_round(v, 4, w[i + 4] + constants[i + 4]);
        add_round(v, 5, w[i + 5] + constants[i + 5]);
        add_round(v, 6, w[i + 6] + constants[i + 6]);
        add_round(v, 7, w[i + 7] + constants[i + 7]);
    }
    for (size_t i = 0; i < 8; i++)
        state[i] += v[i];
}

void sinter__sha256_init(sinter__sha256 *h)
{
    /* The first 32 bits of the fractional parts of the square roots of the first 8 primes. */
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(h->state, start, sizeof h->state);
    h->bytes = 0;
}

void sinter__sha256_add(sinter__sha256 *h, const void *data, size_t bytes)
{
    const uint8_t *p = data;
    size_t held = (size_t)(h->bytes % BLOCK);
    h->bytes += bytes;
    if (held > 0) {
        size_t part = SINTER__MIN(BLOCK - held, bytes);
        memcpy(h->block + held, p, part);
        if (held + part < BLOCK)
            return;
        add_block(h->state, h->block);
        p += part;
        bytes -= part;
    }
    for (; bytes >= BLOCK; p += BLOCK, bytes -= BLOCK)
        add_block(h->state, p);
    if (bytes > 0)
        memcpy(h->block, p, bytes);
}

void sinter__sha256_end(sinter__sha256 *h, uint8_t out[SINTER__SHA256_BYTES])
{
    static const uint8_t padding[BLOCK] = {0x80};
    uint64_t bits = h->bytes * 8;
    uint8_t length[8];
    for (size_t i = 0; i < 8; i++)
        length[i] = (uint8_t)(bits >> (56 - 8 * i));
    sinter__sha256_add(h, padding, 1 + (size_t)((2 * BLOCK - 9 - h->bytes % BLOCK) % BLOCK));
    sinter__sha256_add(h, length, sizeof length);
    for (size_t i = 0; i < SINTER__SHA256_BYTES; i++)
        out[i] = (uint8_t)(h->state[i / 4] >> (24 - 8 * (i % 4)));
}
