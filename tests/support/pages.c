#include "support/pages.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool test_large_pages_are(void)
{
    return access("/sys/kernel/mm/transparent_hugepage/enabled", R_OK) == 0 &&
           access("/proc/self/smaps", R_OK) == 0;
}

/* A line "first-end ..." begins what is said of a range; one of its lines is "VmFlags: rd wr ... hg ...". */
bool test_large_pages_at(const void *at)
{
    char line[512];
    bool inside = false;
    bool asked = false;
    FILE *f = fopen("/proc/self/smaps", "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        uintptr_t first;
        uintptr_t end;
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &first, &end) == 2)
            inside = first <= (uintptr_t)at && (uintptr_t)at < end;
        else if (inside && strncmp(line, "VmFlags:", 8) == 0)
            asked = strstr(line, " hg") != NULL;
    }
    if (f != NULL)
        (void)fclose(f);
    return asked;
}
