/* What the subcommands of `sinter` share: messages, files, words of options. */
#ifndef SINTER_TOOLS_COMMON_H
#define SINTER_TOOLS_COMMON_H

#include <sinter/sinter.h>

#include <stdio.h>

/* Exit statuses. */
#define TOOL_OK 0
#define TOOL_FAILED 1
#define TOOL_USAGE 2
#define TOOL_INTERRUPTED 130 /* what was found before is kept */

#define TOOL_PRINTF(text, first) __attribute__((format(printf, text, first)))

/* "sinter: ..." on stderr; returns TOOL_FAILED. */
int tool_failed(const char *format, ...) TOOL_PRINTF(1, 2);

/* The same with a hint at --help; returns TOOL_USAGE. */
int tool_usage(const char *command, const char *format, ...) TOOL_PRINTF(2, 3);

/* The library's last error on stderr, after what was being done; returns TOOL_FAILED. */
int tool_library_failed(const char *doing);

/* The log hook: lines on stderr. */
void tool_log(void *user, int level, const char *message);

/* Of a file with requests or a schema; the library reads no longer schema. */
#define TOOL_MOST_TEXT_BYTES ((size_t)1 << 28)

/* A regular file's whole text with a terminator behind it, to be freed; NULL after a message on
 * stderr. */
char *tool_read_text(const char *path, size_t limit, size_t *bytes);

/* A whole number from `low` to `high`. */
bool tool_number(const char *text, long low, long high, long *out);

/* Seconds, from 0 to a million. */
bool tool_seconds(const char *text, double *out);

bool tool_style(const char *word, sinter_style *out);
bool tool_memory_mode(const char *word, sinter_memory_mode *out);
bool tool_mode(const char *word, sinter_mode *out);

/* A string in quotes, escaped. */
void tool_json_string(FILE *to, const char *text);

/* Every device and every reason why there is none, to be freed; NULL after a message. */
sinter_device_info *tool_list_devices(size_t *count);
void tool_print_devices(const sinter_device_info *list, size_t count);
void tool_print_devices_json(const sinter_device_info *list, size_t count);
/* A line for each clause of the same-bits promise that does not hold: SINTER_VOID_*. */
void tool_print_clauses(uint32_t clauses);

/* What the profile says of the device, and every number of its schedules, as the members of a JSON object. */
bool tool_print_profile_json(const sinter_profile *p);

/* Variables that change how kernels run are for finding faults: measured with one, all that comes
 * later would run by figures that hold with it alone. Takes them out of the environment, with a
 * line on stderr for each. */
void tool_unset_switches(const char *command);

/* A line on stderr, if a profile was there and could not be used. */
void tool_say_origin(const char *command, const sinter_profile *p);

/* Ctrl-C from now on makes tool_is_interrupted true; a second one ends the program. */
void tool_catch_interrupt(void);
bool tool_is_interrupted(void);

/* A bar on stderr, when that is a terminal: `done` of `count`; and taken off again. */
void tool_progress(long done, long count);
void tool_progress_of(double done, const char *what);
void tool_progress_end(void);

/* TOOL_OK, or TOOL_FAILED after a message when stdout could not be written. */
int tool_flush(void);

/* Subcommands: main's arguments from the subcommand's name on; the result is the exit status. */
int tool_eval(int argc, char **argv);
int tool_cache(int argc, char **argv);
int tool_devices(int argc, char **argv);
int tool_doctor(int argc, char **argv);
int tool_plan(int argc, char **argv);
int tool_tune(int argc, char **argv);
int tool_selftest(int argc, char **argv);

#endif /* SINTER_TOOLS_COMMON_H */
