/* `sinter devices`: what there is to run on, and why something gives nothing. */
#include "common.h"

#include <stdlib.h>
#include <string.h>

#define ROOM 64 /* devices at first; more are asked for when there are more */

static const char *kind_text(sinter_device_kind kind)
{
    static const char *const texts[] = {"host", "cpu", "gpu", "other", "none"};
    return (unsigned)kind < 5 ? texts[kind] : "?";
}

/* "120 MiB" */
static const char *size_text(uint64_t bytes, char text[32])
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    int unit = 0;
    double value = (double)bytes;
    for (; value >= 1024 && unit < 4; unit++)
        value /= 1024;
    (void)snprintf(text, 32, "%.*f %s", unit > 0 && value < 10 ? 1 : 0, value, units[unit]);
    return text;
}

static const char *yes(unsigned flag)
{
    return flag != 0 ? "yes" : "no";
}

void tool_print_clauses(uint32_t clauses)
{
    static const char *const texts[] = {"it flushes denormals", "its fma is not exact",
                                        "it does not round to nearest",
                                        "it does not divide correctly"};
    for (unsigned i = 0; i < 4; i++) {
        if ((clauses >> i & 1) != 0)
            printf("      not kept: %s, so its results can differ from other devices'\n", texts[i]);
    }
}

/* Where the numbers are from that a context on the device would run by. */
static void print_profile(const sinter_device_info *d)
{
    sinter_profile *p = NULL;
    if (sinter_profile_open(d->selector, &p) == SINTER_OK)
        printf("      profile %s\n", sinter_profile_origin(p));
    sinter_profile_destroy(p);
}

static void print_device(size_t index, const sinter_device_info *d)
{
    char global[32];
    char one[32];
    char local[32];
    char cache[32];
    printf("%zu  %s  %s  [%s]\n", index, d->selector, d->name, kind_text(d->kind));
    printf("      platform %s, driver %s, %s\n", d->platform,
           d->driver_version[0] != '\0' ? d->driver_version : "none",
           d->opencl_c_version[0] != '\0' ? d->opencl_c_version : "no OpenCL");
    printf("      memory %s, one allocation %s, local %s, shared with the host: %s\n",
           size_text(d->global_memory_bytes, global), size_text(d->max_allocation_bytes, one),
           size_text(d->local_memory_bytes, local), yes(d->unified_memory));
    printf("      %u compute units, work-groups up to %u, arguments up to %u bytes, alignment %u "
           "bytes, "
           "%u f32 lanes, last cache %s\n",
           d->compute_units, d->max_work_group, d->max_parameter_bytes, d->alignment_bytes,
           d->native_lanes,
           d->last_cache_bytes > 0 ? size_text(d->last_cache_bytes, cache) : "unknown");
    printf("      f64: %s, f16 arithmetic: %s, division and root correctly rounded: %s\n",
           yes(d->has_f64), yes(d->has_f16),
           d->correctly_rounded != 0 ? "by the device" : "by sinter");
    printf("      priorities of streams: %s\n", yes(d->has_priority_hints));
    printf("      short launches by the calling thread: %s\n", yes(d->runs_at_once));
    printf("      launches recorded as one: %s\n", yes(d->records_launches));
    if (d->quirks[0] != '\0')
        printf("      quirks: %s\n", d->quirks);
    print_profile(d);
    tool_print_clauses(d->void_clauses);
}

void tool_print_devices(const sinter_device_info *list, size_t count)
{
    size_t index = 0; /* what --device takes counts devices only */
    for (size_t i = 0; i < count; i++) {
        if (list[i].kind != SINTER_DEVICE_NONE) {
            print_device(index++, &list[i]);
        } else {
            printf("-  %s: %s\n", list[i].platform, list[i].note);
        }
    }
}

static void json_text(const char *name, const char *text)
{
    printf(", \"%s\": ", name);
    tool_json_string(stdout, text);
}

static void json_number(const char *name, uint64_t value)
{
    printf(", \"%s\": %llu", name, (unsigned long long)value);
}

static void json_flag(const char *name, bool value)
{
    printf(", \"%s\": %s", name, value ? "true" : "false");
}

static void json_profile(const sinter_device_info *d)
{
    sinter_profile *p = NULL;
    if (sinter_profile_open(d->selector, &p) == SINTER_OK)
        json_text("profile", sinter_profile_origin(p));
    sinter_profile_destroy(p);
}

static void json_device(const sinter_device_info *d)
{
    printf("{\"kind\": \"%s\"", kind_text(d->kind));
    json_text("platform", d->platform);
    if (d->kind == SINTER_DEVICE_NONE) {
        json_text("note", d->note);
        printf("}");
        return;
    }
    json_text("selector", d->selector);
    json_text("name", d->name);
    json_text("driver_version", d->driver_version);
    json_text("opencl_c_version", d->opencl_c_version);
    json_text("quirks", d->quirks);
    json_profile(d);
    json_number("global_memory_bytes", d->global_memory_bytes);
    json_number("max_allocation_bytes", d->max_allocation_bytes);
    json_number("local_memory_bytes", d->local_memory_bytes);
    json_number("compute_units", d->compute_units);
    json_number("max_work_group", d->max_work_group);
    json_number("max_parameter_bytes", d->max_parameter_bytes);
    json_number("alignment_bytes", d->alignment_bytes);
    json_number("native_lanes", d->native_lanes);
    json_number("last_cache_bytes", d->last_cache_bytes);
    json_flag("has_f16", d->has_f16 != 0);
    json_flag("has_f64", d->has_f64 != 0);
    json_flag("unified_memory", d->unified_memory != 0);
    json_flag("correctly_rounded", d->correctly_rounded != 0);
    json_flag("has_priority_hints", d->has_priority_hints != 0);
    json_flag("runs_at_once", d->runs_at_once != 0);
    json_flag("records_launches", d->records_launches != 0);
    json_flag("keeps_denormals", (d->void_clauses & SINTER_VOID_DENORMALS) == 0);
    json_flag("exact_fma", (d->void_clauses & SINTER_VOID_FMA) == 0);
    json_flag("rounds_to_nearest", (d->void_clauses & SINTER_VOID_ROUNDING) == 0);
    json_flag("divides_correctly", (d->void_clauses & SINTER_VOID_DIVIDE) == 0);
    printf("}");
}

void tool_print_devices_json(const sinter_device_info *list, size_t count)
{
    printf("[");
    for (size_t i = 0; i < count; i++) {
        printf(i > 0 ? ",\n " : "");
        json_device(&list[i]);
    }
    printf("]");
}

sinter_device_info *tool_list_devices(size_t *count)
{
    size_t room = ROOM;
    sinter_device_info *list = calloc(room, sizeof *list);
    sinter_status status = SINTER_OK;
    if (list != NULL) {
        list->size = sizeof *list;
        status = sinter_device_list(list, room, count);
    }
    if (list != NULL && status == SINTER_OK && *count > room) {
        free(list);
        room = *count;
        list = calloc(room, sizeof *list);
        if (list != NULL) {
            list->size = sizeof *list;
            status = sinter_device_list(list, room, count);
        }
    }
    if (list == NULL)
        (void)tool_failed("no memory for %zu devices", room);
    if (status != SINTER_OK) {
        (void)tool_library_failed("devices");
        free(list);
        return NULL;
    }
    *count = *count < room ? *count : room;
    return list;
}

int tool_devices(int argc, char **argv)
{
    bool json = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0) {
            json = true;
        } else if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            printf("usage: sinter devices [--json]\n\nLists every device of every OpenCL platform "
                   "and the "
                   "host reference device, with what\nmatters for kernels, and why a platform or a "
                   "driver "
                   "gave none. The number, the pair\nof numbers and any part of the name choose "
                   "the device: "
                   "--device, SINTER_DEVICE.\n");
            return tool_flush();
        } else {
            return tool_usage("devices", "'%s' is no option", argv[i]);
        }
    }
    size_t count = 0;
    sinter_device_info *list = tool_list_devices(&count);
    if (list == NULL)
        return TOOL_FAILED;
    if (json) {
        tool_print_devices_json(list, count);
        printf("\n");
    } else {
        tool_print_devices(list, count);
    }
    free(list);
    return tool_flush();
}
