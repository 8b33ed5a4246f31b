/* Any bytes as a file of `sinter plan`: they are read or refused, and what is read is planned by every
 * strategy; whatever comes of it is judged. Nothing crashes, and no plan is wrong.
 *
 *     fuzz_plan NEW_FOLDER tests/fuzz/plan -max_len=512 -close_fd_mask=2 */
#include "instance.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define MOST_REQUESTS 64

static const uint8_t *file;
static size_t file_bytes;

/* In place of those of tools/common.c, which want the whole library. */

int tool_failed(const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (text[0] == '\0')
        abort(); /* nothing is refused without a word */
    return 1;
}

char *tool_read_text(const char *path, size_t limit, size_t *bytes)
{
    char *text = file_bytes < limit ? malloc(file_bytes + 1) : NULL;
    (void)path;
    if (text == NULL)
        return NULL;
    memcpy(text, file, file_bytes);
    text[file_bytes] = '\0';
    *bytes = file_bytes;
    return text;
}

static void plan(const tool_instance *in, sinter_plan_options *o)
{
    sinter_plan_result res = {.size = sizeof res};
    size_t bytes = 0;
    if (sinter_plan_scratch_bytes(in->count, o, &bytes) != SINTER_OK)
        abort();
    bytes += 44 * in->count + 1;
    void *scratch = malloc(bytes);
    if (scratch == NULL)
        return;
    sinter_status status = sinter_plan_memory(in->requests, in->count, o, scratch, bytes, &res);
    if (status == SINTER_OK &&
        sinter_plan_check(in->requests, in->count, o, res.total_bytes, scratch, bytes) != SINTER_OK)
        abort();
    if (status == SINTER_OK && res.total_bytes < res.bound_bytes)
        abort();
    if (status != SINTER_OK && sinter_last_error()[0] == '\0')
        abort();
    free(scratch);
}

/* NOLINTBEGIN(readability-identifier-naming): the name is libFuzzer's */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The first two bytes are options: how ids, alignment and slabs are. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tool_instance in;
    if (size < 2)
        return 0;
    file = data + 2;
    file_bytes = size - 2;
    if (!tool_instance_read("fuzz", data[0] % 2 == 1, &in))
        return 0;
    for (int strategy = 0; in.count <= MOST_REQUESTS && strategy <= SINTER_PLAN_REFIT; strategy++) {
        sinter_plan_options o = SINTER_PLAN_OPTIONS_INIT;
        o.strategy = (sinter_plan_strategy)strategy;
        o.node_budget = 200;
        o.alignment_bytes = (uint64_t)1 << (data[0] / 2 % 8);
        o.slab_bytes = (uint64_t)data[1] * 64;
        o.aliases = in.aliases;
        plan(&in, &o);
    }
    tool_instance_free(&in);
    return 0;
}
/* NOLINTEND(readability-identifier-naming) */
