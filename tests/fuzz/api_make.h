/* Calls that make tensors. */
#ifndef SINTER_TESTS_FUZZ_API_MAKE_H
#define SINTER_TESTS_FUZZ_API_MAKE_H

#include <stdint.h>

#define API_MAKERS 31

/* Makes call `which` of them on a stream, with arguments from the bytes, and judges it. */
void api_make(uint32_t which, int at);

#endif /* SINTER_TESTS_FUZZ_API_MAKE_H */
