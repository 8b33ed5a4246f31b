/* A library to preload: PoCL compiles for a processor that has AVX, but neither fma nor wider vectors.
 *
 * The one hard idea: valgrind plays a processor of its own, so what PoCL has compiled outside of it
 * would be compiled again inside, for some seconds each kernel. With this both compile for the same
 * processor, and the kernels are there already. Nor does valgrind meet the one instruction that it
 * computes wrongly, vfnmadd (3.19: the sign of 0). PoCL asks LLVM which processor there is by two
 * functions in C++, which these take the place of. */
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define NAME "_ZN4llvm3sys14getHostCPUNameEv"
#define FEATURES "_ZN4llvm3sys18getHostCPUFeaturesERNS_9StringMapIbNS_15MallocAllocatorEEE"

typedef struct string_ref {
    const char *data;
    size_t length;
} string_ref;

/* llvm::StringMap<bool>: a table of entries, NULL or TAKEN_OUT where there is none. */
#define TAKEN_OUT (-8)

typedef struct entry {
    size_t key_length;
    bool value;
    char padding[7];
    char key[];
} entry;

typedef struct string_map {
    entry **table;
    unsigned buckets, items, tombstones, item_size;
} string_map;

string_ref older_name(void) __asm__(NAME);
bool older_features(string_map *map) __asm__(FEATURES);

string_ref older_name(void)
{
    return (string_ref){"ivybridge", strlen("ivybridge")};
}

static bool is_newer(const entry *e)
{
    static const char *const names[] = {"avx2", "avx512", "fma", "xop",   "vaes", "vpclmul",
                                        "gfni", "bmi",    "adx", "lzcnt", "movbe"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strncmp(e->key, names[i], strlen(names[i])) == 0)
            return true;
    }
    return false;
}

bool older_features(string_map *map)
{
    void *llvm = dlopen("libLLVM-15.so.1", RTLD_LAZY | RTLD_LOCAL);
    bool (*real)(string_map *) = NULL;
    void *found = llvm != NULL ? dlsym(llvm, FEATURES) : NULL;
    memcpy(&real, &found, sizeof real);
    if (real == NULL || !real(map))
        return false;
    for (unsigned i = 0; i < map->buckets; i++) {
        entry *e = map->table[i];
        if (e != NULL && (intptr_t)e != TAKEN_OUT && is_newer(e))
            e->value = false;
    }
    return true;
}
