/* A failing program as files that `sinter eval` runs: the text, and an .npy per input. */
#include "npy.h"
#include "selftest/program.h"

#include <string.h>

#define PATH 1024

static void path_of(const st_program *p, const char *folder, int input, char path[PATH])
{
    char name[64];
    if (input < 0)
        (void)snprintf(name, sizeof name, "seed-%llu.snt", (unsigned long long)p->seed);
    else
        (void)snprintf(name, sizeof name, "seed-%llu-x%d.npy", (unsigned long long)p->seed, input);
    (void)snprintf(path, PATH, "%s/%s", folder, name);
}

static bool save_text(const st_program *p, const char *folder)
{
    char path[PATH];
    path_of(p, folder, -1, path);
    FILE *file = fopen(path, "we");
    if (file == NULL)
        return false;
    st_print(p, file);
    bool fine = ferror(file) == 0;
    return fclose(file) == 0 && fine;
}

bool st_save(const st_program *p, const char *folder)
{
    char error[NPY_ERROR];
    char path[PATH];
    bool fine = save_text(p, folder);
    for (int i = 0; i < p->input_count && fine; i++) {
        const st_input *in = &p->inputs[i];
        npy_array a = {.dtype = in->dtype, .rank = in->rank, .bytes = in->bytes, .data = in->data};
        memcpy(a.shape, in->shape, sizeof a.shape);
        path_of(p, folder, i, path);
        fine = npy_write(path, &a, error);
    }
    return fine;
}

void st_print_word(const char *word, FILE *to)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+.,:/@%";
    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        (void)fputs(word, to);
        return;
    }
    (void)fputc('\'', to);
    for (; *word != '\0'; word++) {
        if (*word == '\'')
            (void)fputs("'\\''", to);
        else
            (void)fputc(*word, to);
    }
    (void)fputc('\'', to);
}

void st_print_eval(const st_program *p, const char *folder, const char *device, FILE *to)
{
    char path[PATH];
    (void)fputs("sinter eval", to);
    if (device != NULL) {
        (void)fputs(" --device ", to);
        st_print_word(device, to);
    }
    (void)fputs(" --file ", to);
    path_of(p, folder, -1, path);
    st_print_word(path, to);
    for (int i = 0; i < p->input_count; i++) {
        (void)fprintf(to, " x%d=", i);
        path_of(p, folder, i, path);
        st_print_word(path, to);
    }
    (void)fputc('\n', to);
}
