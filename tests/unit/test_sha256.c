/* SHA-256 against the examples that NIST publishes with FIPS 180, in pieces of every size. */
#include "support/support.h"

#include "core/sha256.h"

#include <stdio.h>
#include <string.h>

static void hash_in_pieces(const char *text, size_t repeats, size_t piece, char out[65])
{
    uint8_t hash[SINTER__SHA256_BYTES];
    sinter__sha256 h;
    sinter__sha256_init(&h);
    for (size_t r = 0; r < repeats; r++) {
        for (size_t at = 0; at < strlen(text); at += piece)
            sinter__sha256_add(&h, text + at, SINTER__MIN(piece, strlen(text) - at));
    }
    sinter__sha256_end(&h, hash);
    for (size_t i = 0; i < sizeof hash; i++)
        (void)snprintf(out + 2 * i, 3, "%02x", hash[i]);
}

static void published_examples(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t repeats;
        const char *hash;
    } rows[] = {
        {"", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqr"
         "lmnopqrsmnopqrstnopqrstu",
         1, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
        {"aaaaaaaaaa", 100000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (size_t piece = 1; piece <= 70; piece++) {
            char found[65];
            if (rows[i].repeats > 1 && piece > 1 && piece != 7)
                continue;
            hash_in_pieces(rows[i].text, rows[i].repeats, piece, found);
            assert_string_equal(found, rows[i].hash);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(published_examples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
