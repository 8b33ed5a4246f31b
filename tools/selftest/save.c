/* A failing program as files that `sinter eval` runs: the text, and an .npy per input. */
#include "selftest/program.h"

void st_save(const st_program *p, const char *folder)
{
    char path[512];
    if (folder == NULL)
        return;
    (void)snprintf(path, sizeof path, "%s/seed-%llu.snt", folder, (unsigned long long)p->seed);
    FILE *file = fopen(path, "we");
    if (file == NULL)
        return;
    st_print(p, file);
    (void)fclose(file);
    printf("saved as %s\n", path);
}
