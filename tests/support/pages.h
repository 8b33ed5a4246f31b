/* What Linux says of the memory at an address. */
#ifndef SINTER_TESTS_PAGES_H
#define SINTER_TESTS_PAGES_H

#include <stdbool.h>

/* Whether the system has large pages for those who ask, and says who did. */
bool test_large_pages_are(void);

/* Whether it was asked for large pages there. */
bool test_large_pages_at(const void *at);

#endif /* SINTER_TESTS_PAGES_H */
