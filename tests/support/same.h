/* Programs that make their own data: on the device under test they give the bits of the host reference device, where
 * nothing is fused. */
#ifndef SINTER_TESTS_SUPPORT_SAME_H
#define SINTER_TESTS_SUPPORT_SAME_H

/* Runs the program on both and compares its last results; nothing falls back. */
void test_same_as_host(const char *text);

#endif /* SINTER_TESTS_SUPPORT_SAME_H */
