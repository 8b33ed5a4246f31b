/* A plan as a picture: a rectangle is alive from left to right and lies from top to bottom. */
#include "instance.h"
#include "svg.h"

#include <stdlib.h>
#include <string.h>

#define LEFT 70.0
#define WIDTH 1000.0
#define CURVE_TOP 30.0
#define CURVE_HEIGHT 80.0
#define MAP_TOP 140.0
#define MAP_HEIGHT 560.0

typedef struct drawing {
    FILE *to;
    const tool_instance *in;
    int64_t first, end; /* steps */
    double x_unit;      /* pixels a step */
    double total;       /* bytes that the map's height stands for */
} drawing;

static double x_of(const drawing *d, int64_t step)
{
    return LEFT + (double)(step - d->first) * d->x_unit;
}

static void draw_request(const drawing *d, size_t i)
{
    const sinter_plan_request *q = &d->in->requests[i];
    const char *id = d->in->ids[i];
    double x = x_of(d, q->start);
    double width = x_of(d, q->end) - x;
    double y = MAP_TOP + (double)q->offset_bytes / d->total * MAP_HEIGHT;
    double height = (double)q->bytes / d->total * MAP_HEIGHT;
    (void)fprintf(d->to,
                  "<g><rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" "
                  "fill=\"hsl(%zu,55%%,72%%)\" stroke=\"#333\" stroke-width=\"0.5\"/><title>",
                  x, y, width, height, i * 137 % 360);
    svg_text(d->to, id, SIZE_MAX);
    (void)fprintf(d->to, ": steps %lld to %lld, %llu bytes at %llu</title>", (long long)q->start,
                  (long long)q->end, (unsigned long long)q->bytes,
                  (unsigned long long)q->offset_bytes);
    if (height >= 9.0 && width >= 6.0 * (double)strlen(id) + 2.0) {
        (void)fprintf(d->to, "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"middle\">", x + width / 2,
                      y + height / 2 + 3);
        svg_text(d->to, id, SIZE_MAX);
        (void)fputs("</text>", d->to);
    }
    (void)fputs("</g>\n", d->to);
}

typedef struct change {
    int64_t step;
    double bytes;
} change;

static int compare_changes(const void *a, const void *b)
{
    const change *x = a;
    const change *y = b;
    return (x->step > y->step) - (x->step < y->step);
}

/* The bytes alive, as stairs. */
static bool draw_curve(const drawing *d)
{
    size_t count = 0;
    double alive = 0.0;
    change *changes = calloc(2 * d->in->count + 1, sizeof *changes);
    if (changes == NULL)
        return false;
    for (size_t i = 0; i < d->in->count; i++) {
        const sinter_plan_request *q = &d->in->requests[i];
        changes[count++] = (change){q->start, (double)q->bytes};
        changes[count++] = (change){q->end, -(double)q->bytes};
    }
    qsort(changes, count, sizeof *changes, compare_changes);
    (void)fprintf(d->to, "<path fill=\"#cde\" stroke=\"#357\" d=\"M%.2f %.2f", LEFT,
                  CURVE_TOP + CURVE_HEIGHT);
    for (size_t i = 0; i < count;) {
        int64_t step = changes[i].step;
        for (; i < count && changes[i].step == step; i++)
            alive += changes[i].bytes;
        (void)fprintf(d->to, "H%.2fV%.2f", x_of(d, step),
                      CURVE_TOP + CURVE_HEIGHT * (1.0 - alive / d->total));
    }
    (void)fputs("Z\"/>\n", d->to);
    free(changes);
    return true;
}

static bool draw(const drawing *d, const sinter_plan_result *plan)
{
    (void)fprintf(d->to,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" "
                  "font-family=\"sans-serif\" font-size=\"9\">\n"
                  "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
                  "<text x=\"%.0f\" y=\"18\" font-size=\"13\">%llu bytes, lower bound %llu</text>\n"
                  "<text x=\"4\" y=\"%.0f\">bytes alive</text>\n"
                  "<text x=\"4\" y=\"%.0f\">offset 0</text>\n"
                  "<text x=\"4\" y=\"%.0f\">%llu</text>\n"
                  "<text x=\"%.0f\" y=\"%.0f\">step %lld</text>\n"
                  "<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"end\">step %lld</text>\n",
                  LEFT + WIDTH + 20.0, MAP_TOP + MAP_HEIGHT + 30.0, LEFT,
                  (unsigned long long)plan->total_bytes, (unsigned long long)plan->bound_bytes,
                  CURVE_TOP + 9.0, MAP_TOP + 9.0, MAP_TOP + MAP_HEIGHT,
                  (unsigned long long)plan->total_bytes, LEFT, MAP_TOP + MAP_HEIGHT + 16.0,
                  (long long)d->first, LEFT + WIDTH, MAP_TOP + MAP_HEIGHT + 16.0,
                  (long long)d->end);
    if (!draw_curve(d))
        return false;
    (void)fprintf(d->to,
                  "<rect x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" height=\"%.0f\" fill=\"none\" "
                  "stroke=\"#333\"/>\n",
                  LEFT, MAP_TOP, WIDTH, MAP_HEIGHT);
    for (size_t i = 0; i < d->in->count; i++) {
        if (d->in->requests[i].bytes > 0 && d->in->requests[i].start < d->in->requests[i].end)
            draw_request(d, i);
    }
    (void)fputs("</svg>\n", d->to);
    return true;
}

bool tool_instance_draw(const char *path, const tool_instance *instance,
                        const sinter_plan_result *plan)
{
    drawing d = {.in = instance, .first = INT64_MAX, .total = (double)plan->total_bytes};
    for (size_t i = 0; i < instance->count; i++) {
        const sinter_plan_request *q = &instance->requests[i];
        d.first = q->start < d.first ? q->start : d.first;
        d.end = q->end > d.end ? q->end : d.end;
    }
    d.first = d.first < d.end ? d.first : d.end;
    d.x_unit = WIDTH / (double)(d.end > d.first ? d.end - d.first : 1);
    d.total = d.total > 0.0 ? d.total : 1.0;
    d.to = svg_open(path);
    return d.to != NULL && svg_close(d.to, path, draw(&d, plan));
}
