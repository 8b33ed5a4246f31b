#include "bench/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define WIDTH_OF_TEXT 24

/* Three digits that matter, with a unit: "1.52 ms". */
static const char *time_text(double seconds, char text[WIDTH_OF_TEXT])
{
    double x = seconds * 1e6;
    const char *unit = "us";
    if (x >= 1e6) {
        x *= 1e-6;
        unit = "s ";
    } else if (x >= 1e3) {
        x *= 1e-3;
        unit = "ms";
    }
    (void)snprintf(text, WIDTH_OF_TEXT, "%.*f %s", x < 10 ? 2 : x < 100 ? 1 : 0, x, unit);
    return text;
}

static const char *bytes_text(uint64_t bytes, char text[WIDTH_OF_TEXT])
{
    static const char *const units[] = {"B", "KB", "MB", "GB", "TB"};
    double x = (double)bytes;
    size_t unit = 0;
    for (; x >= 1000 && unit < 4; unit++)
        x /= 1000;
    (void)snprintf(text, WIDTH_OF_TEXT, "%.*f %s",
                   unit == 0 || x >= 100 ? 0
                   : x < 10              ? 2
                                         : 1,
                   x, units[unit]);
    return text;
}

static double gb_per_s(const bench_result *r, const bench_row *row)
{
    return row->times.median > 0 ? 1e-9 * (double)r->bytes_bound / row->times.median : 0;
}

static void print_options(const bench_options *o)
{
    (void)printf("options  %.3g s and at least %zu repetitions of a variant per workload%s%s",
                 o->seconds, o->least, o->quick ? ", quick" : "",
                 o->style == SINTER_STYLE_CPU   ? ", style cpu"
                 : o->style == SINTER_STYLE_GPU ? ", style gpu"
                                                : "");
    static const char *const modes[] = {"", "", ", mode native", ", mode relaxed"};
    (void)printf("%s", modes[o->mode]);
    for (size_t i = 0; i < o->filter_count; i++)
        (void)printf(", filter %s", o->filters[i]);
    (void)printf("\n");
}

static void print_date(void)
{
    char text[64];
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc) == NULL || strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &utc) == 0)
        return;
    (void)printf("date     %s UTC\n", text);
}

static void print_bandwidth(const char *name, const bench_bandwidth *b)
{
    (void)printf("%s     %.1f GB/s out of cache (%s), %.1f GB/s in cache\n", name, b->out_of_cache,
                 b->how, b->in_cache);
}

void bench_print_header(const bench_options *o, const sinter_device_info *device,
                        const bench_bandwidth *copy, const bench_bandwidth *read, bool has_hand)
{
    (void)printf("sinter bench %d.%d.%d\n", SINTER_VERSION_MAJOR, SINTER_VERSION_MINOR,
                 SINTER_VERSION_PATCH);
    (void)printf("device   %s (%s), %u compute units\n", device->name, device->selector,
                 device->compute_units);
    (void)printf("driver   %s %s\n", device->platform, device->driver_version);
    (void)printf("host     %ld cores, clock %s\n", sysconf(_SC_NPROCESSORS_ONLN),
                 bench_clock_text());
    print_options(o);
    print_date();
    print_bandwidth("copy", copy);
    print_bandwidth("read", read);
    if (!has_hand)
        (void)printf("         no OpenCL here: nothing written by hand to compare with\n");
    (void)printf("\n%-24s%-11s %8s %8s %6s %8s %8s %8s %6s %5s %5s %8s  %s\n", "workload",
                 "variant", "launches", "moved", "/bound", "median", "p10", "p90", "GB/s", "copy",
                 "read", "compile", "fused is");
    (void)fflush(stdout);
}

/* What the fused variant is against another: "faster x4.12", or that there is no telling. */
static const char *verdict_text(const bench_row *fused, const bench_row *other,
                                char text[WIDTH_OF_TEXT])
{
    int order = bench_compare(&fused->times, &other->times);
    double ratio = other->times.median / fused->times.median;
    if (fused == other)
        return "";
    if (order == 0)
        return "no difference";
    (void)snprintf(text, WIDTH_OF_TEXT, "%s x%.2f", order > 0 ? "faster" : "slower",
                   order > 0 ? ratio : 1.0 / ratio);
    return text;
}

/* A time of moving bytes in percent of a variant's. */
static const char *percent_text(double seconds, const bench_row *row, char text[WIDTH_OF_TEXT])
{
    if (!(seconds > 0 && row->times.median > 0))
        return "-";
    (void)snprintf(text, WIDTH_OF_TEXT, "%.0f%%", 100 * seconds / row->times.median);
    return text;
}

static void print_row(const bench_result *r, const bench_row *row, const char *label)
{
    char text[8][WIDTH_OF_TEXT];
    double found = gb_per_s(r, row);
    (void)printf(
        "%-24s%-11s %8" PRIu64 " %8s %6.2f %8s %8s %8s %6.1f %5s %5s %8s  %s\n", label,
        row->variant, row->launches, bytes_text(row->bytes_moved, text[0]),
        r->bytes_bound > 0 ? (double)row->bytes_moved / (double)r->bytes_bound : 0,
        time_text(row->times.median, text[1]), time_text(row->times.p10, text[2]),
        time_text(row->times.p90, text[3]), found, percent_text(r->copy_seconds, row, text[6]),
        percent_text(r->read_seconds, row, text[7]), time_text(row->compile_ms * 1e-3, text[4]),
        verdict_text(&r->rows[0], row, text[5]));
}

void bench_print_result(const bench_result *r)
{
    char label[BENCH_LABEL];
    bench_label(r->workload, r->size, label);
    for (size_t i = 0; i < r->row_count; i++) {
        char detail[BENCH_LABEL];
        (void)snprintf(detail, sizeof detail, "  %s", r->rows[i].detail);
        print_row(r, &r->rows[i], i == 0 ? label : detail);
    }
    (void)fflush(stdout);
}

void bench_print_footer(void)
{
    (void)printf(
        "\nmoved    bytes that the launches read and write; /bound: against each input "
        "and output once\n"
        "GB/s     the bound over the median; copy: that against a copy of as many bytes, in turns; "
        "read: where little\n"
        "         is written, against reading as many\n"
        "same     by hand with the meaning that fused has, bit for bit; handwritten may mean "
        "less\n"
        "compile  first run minus median, with whatever the driver has cached\n"
        "fused is faster or slower only where the intervals p10 to p90 do not overlap\n");
}

/* Names of devices may hold anything. */
static void print_json_text(const char *key, const char *text)
{
    (void)printf("\"%s\": \"", key);
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\')
            (void)putchar('\\');
        if (*c >= 0x20)
            (void)putchar(*c);
    }
    (void)printf("\", ");
}

void bench_print_json(const bench_result *r, const sinter_device_info *device)
{
    static const char *const modes[] = {"", "reproducible", "native", "relaxed"};
    double copy = r->copy_seconds > 0 ? 1e-9 * (double)r->bytes_bound / r->copy_seconds : 0;
    char read[WIDTH_OF_TEXT] = "null";
    if (r->read_seconds > 0)
        (void)snprintf(read, sizeof read, "%.4f", 1e-9 * (double)r->bytes_bound / r->read_seconds);
    for (size_t i = 0; i < r->row_count; i++) {
        const bench_row *row = &r->rows[i];
        (void)printf("{");
        print_json_text("workload", r->workload->name);
        print_json_text("size", r->size->label);
        print_json_text("variant", row->variant);
        print_json_text("detail", row->detail);
        print_json_text("device", device->name);
        print_json_text("mode", modes[r->mode]);
        (void)printf("\"elements\": %" PRId64 ", \"launches\": %" PRIu64
                     ", \"bytes_moved\": %" PRIu64 ", \"bytes_bound\": %" PRIu64 ", ",
                     r->elements, row->launches, row->bytes_moved, r->bytes_bound);
        (void)printf("\"median_ms\": %.6f, \"p10_ms\": %.6f, \"p90_ms\": %.6f, "
                     "\"gb_per_s\": %.4f, \"copy_gb_per_s\": %.4f, \"read_gb_per_s\": %s, "
                     "\"compile_ms\": %.3f, \"repetitions\": %zu}\n",
                     row->times.median * 1e3, row->times.p10 * 1e3, row->times.p90 * 1e3,
                     gb_per_s(r, row), copy, read, row->compile_ms, row->times.repetitions);
    }
    (void)fflush(stdout);
}

/* Progress */

#define BAR 30

void bench_progress_tick(void *progress, double done)
{
    bench_progress *p = progress;
    if (!p->is_on || p->count == 0)
        return;
    int steps = (int)(BAR * ((double)p->index + done) / (double)p->count);
    if (steps == p->last && done > 0)
        return;
    p->last = steps;
    (void)fprintf(stderr, "\r[");
    for (int i = 0; i < BAR; i++)
        (void)fputc(i < steps ? '#' : '.', stderr);
    (void)fprintf(stderr, "] %zu/%zu %-32.32s", p->index + 1, p->count, p->label);
    (void)fflush(stderr);
}

void bench_progress_clear(const bench_progress *p)
{
    if (p->is_on)
        (void)fprintf(stderr, "\r%78s\r", "");
}
