/* Control of the CLBlast for tests (clblast_fake.c), for a test that runs on top of it. */
#ifndef SINTER_TESTS_CLBLAST_FAKE_H
#define SINTER_TESTS_CLBLAST_FAKE_H

#include <stdint.h>

/* What it exports besides CLBlast. */
typedef struct clblast_fake {
    /* Makes product number `nth` from now on (0: the next) return `error`, and so every question for
     * scratch if `scratch`; error 0: nothing fails any more. */
    void (*arm)(uint64_t nth, int error, int scratch);
    uint64_t (*products)(void); /* computed so far */
    uint64_t (*copies)(void); /* matrices among theirs that do not begin where their buffer does */
    uint64_t (*clears)(void); /* times that everything kept was to be dropped */
    uint64_t (*mistakes)(
        void); /* matrices past the end of their buffer, scratch that is too small */
} clblast_fake;

/* NULL when the test does not run on it. */
const clblast_fake *test_clblast_fake(void);

#endif /* SINTER_TESTS_CLBLAST_FAKE_H */
