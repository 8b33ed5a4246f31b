/* The pool of a run as a picture: launches from left to right, offsets from top to bottom, and above them
 * the bytes that live. Every launch is a column; of each rectangle the attributes have the exact numbers.
 */
#include "memory_map.h"

#include "svg.h"

#include <stdlib.h>
#include <string.h>

/* Pixels. */
#define PAGE 1400.0
#define LEFT 100.0
#define WIDTH 1260.0
#define CURVE_TOP 120.0
#define CURVE_HEIGHT 210.0
#define MAP_TOP 420.0
#define MAP_HEIGHT 500.0
#define SLAB_GAP 24.0
#define SLAB_LEAST 24.0 /* of a slab in which little lies */
#define TICKS 6
#define LETTER 6.4 /* a letter's width, at most, in 11 pixels */

#define MOST_SLABS 10
#define MOST_CHARACTERS 90 /* of the title */

typedef struct map {
    FILE *to;
    const char *title;
    const tool_tensor_name *names;
    size_t name_count;
    sinter_step_memory *steps; /* of launches and of operations */
    size_t step_count, step_capacity;
    sinter_tensor_memory *tensors;
    size_t tensor_count, tensor_capacity;
    bool failed;     /* no memory */
    uint32_t *first; /* by segment, from 1: columns before it */
    uint32_t segments, columns;
    double top[MOST_SLABS], height[MOST_SLABS]; /* by slab: pixels */
    double extent[MOST_SLABS];                  /* by slab: bytes as far as anything lies in it */
    uint32_t slabs;
    double peak; /* bytes that the curve's height stands for */
} map;

/* What the report gives */

static void *grow(map *m, void *list, size_t count, size_t *capacity, size_t bytes)
{
    if (count < *capacity)
        return list;
    size_t more = *capacity > 0 ? 2 * *capacity : 64;
    void *grown = realloc(list, more * bytes);
    if (grown == NULL) {
        m->failed = true;
        return list;
    }
    *capacity = more;
    return grown;
}

static void add_step(void *user, const sinter_step_memory *step)
{
    map *m = user;
    m->steps = grow(m, m->steps, m->step_count, &m->step_capacity, sizeof *step);
    if (!m->failed)
        m->steps[m->step_count++] = *step;
}

static void add_tensor(void *user, const sinter_tensor_memory *tensor)
{
    map *m = user;
    m->tensors = grow(m, m->tensors, m->tensor_count, &m->tensor_capacity, sizeof *tensor);
    if (!m->failed)
        m->tensors[m->tensor_count++] = *tensor;
}

/* Layout */

/* A column for each launch, segment by segment. */
static bool find_columns(map *m)
{
    for (size_t i = 0; i < m->step_count; i++)
        m->segments = m->steps[i].segment > m->segments ? m->steps[i].segment : m->segments;
    for (size_t i = 0; i < m->tensor_count; i++) /* a segment may have tensors and no launch */
        m->segments = m->tensors[i].segment > m->segments ? m->tensors[i].segment : m->segments;
    m->first = calloc((size_t)m->segments + 2, sizeof *m->first);
    if (m->first == NULL)
        return false;
    for (size_t i = 0; i < m->step_count; i++) {
        const sinter_step_memory *s = &m->steps[i];
        if (s->is_launch) {
            m->first[s->segment + 1] = s->number;
            m->columns++;
        }
        m->peak = (double)s->during_bytes > m->peak ? (double)s->during_bytes : m->peak;
    }
    for (uint32_t k = 1; k <= m->segments + 1; k++)
        m->first[k] += m->first[k - 1];
    return true;
}

/* Slabs one below the other, as far down as anything lies in them; each has a scale of its own, so that
 * one in which little lies can be read too. */
static int place_slabs(map *m)
{
    double sum = 0.0;
    uint32_t used = 0;
    double at = MAP_TOP;
    for (size_t i = 0; i < m->tensor_count; i++) {
        const sinter_tensor_memory *t = &m->tensors[i];
        if (t->slab >= MOST_SLABS)
            return tool_failed("--memory-map: the tensors lie in %s",
                               t->slab == UINT32_MAX ? "memories of their own: there is no pool"
                                                     : "too many slabs to draw");
        double end = (double)(t->offset_bytes + t->bytes);
        m->extent[t->slab] = end > m->extent[t->slab] ? end : m->extent[t->slab];
        m->slabs = t->slab >= m->slabs ? t->slab + 1 : m->slabs;
    }
    for (uint32_t k = 0; k < m->slabs; k++) {
        sum += m->extent[k];
        used += m->extent[k] > 0.0;
    }
    double shared = MAP_HEIGHT - used * (SLAB_GAP + SLAB_LEAST);
    for (uint32_t k = 0; k < m->slabs; k++) {
        m->top[k] = at;
        m->height[k] = m->extent[k] > 0.0 ? SLAB_LEAST + m->extent[k] / sum * shared : 0.0;
        at += m->extent[k] > 0.0 ? m->height[k] + SLAB_GAP : 0.0;
    }
    return TOOL_OK;
}

static double column_width(const map *m)
{
    return WIDTH / (m->columns > 0 ? m->columns : 1);
}

/* Where group `group`, from 1, of a segment begins. */
static double x_of(const map *m, uint32_t segment, uint32_t group)
{
    return LEFT + (m->first[segment] + group - 1) * column_width(m);
}

static double curve_y(const map *m, uint64_t bytes)
{
    return CURVE_TOP + CURVE_HEIGHT * (1.0 - (m->peak > 0.0 ? (double)bytes / m->peak : 0.0));
}

/* Texts */

/* "4.5 MiB", "256 KiB" */
static const char *human(double bytes, char out[32])
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    size_t unit = 0;
    for (; bytes >= 1024.0 && unit < 4; unit++)
        bytes /= 1024.0;
    (void)snprintf(out, 32, bytes == (double)(long long)bytes ? "%.0f %s" : "%.1f %s", bytes,
                   units[unit]);
    return out;
}

static const char *role_text(const sinter_tensor_memory *t)
{
    static const char *const texts[] = {"input", "held, not used", "result", "intermediate",
                                        "scratch"};
    return texts[t->role];
}

static const char *role_class(const sinter_tensor_memory *t)
{
    static const char *const classes[] = {"e", "h", "m", "w", "s"};
    return classes[t->role];
}

/* Of what lay there before the segment: the same storage in the segment before; else itself. */
static const sinter_tensor_memory *first_of(const map *m, const sinter_tensor_memory *t)
{
    for (const sinter_tensor_memory *b = t; b-- > m->tensors && t->made_group == 0;) {
        if (b->segment + 1 == t->segment && b->slab == t->slab && b->bytes == t->bytes &&
            b->offset_bytes == t->offset_bytes && b->role <= SINTER_MEMORY_MADE)
            t = b;
    }
    return t;
}

/* The name in the program, else the number and the operation. */
static void name_of(const map *m, const sinter_tensor_memory *t, char *out, size_t bytes)
{
    for (size_t i = 0; i < m->name_count; i++) {
        if (m->names[i].id != 0 && m->names[i].id == t->tensor.id) {
            (void)snprintf(out, bytes, "%s", m->names[i].name);
            return;
        }
    }
    t = first_of(m, t);
    if (t->role == SINTER_MEMORY_SCRATCH)
        (void)snprintf(out, bytes, "scratch");
    else if (t->role == SINTER_MEMORY_HELD)
        (void)snprintf(out, bytes, "held");
    else if (t->text != NULL)
        (void)snprintf(out, bytes, "t%u %s", t->number, t->text);
    else
        (void)snprintf(out, bytes, "t%u", t->number);
}

/* The map */

static void draw_label(const map *m, const char *name, double bytes, const double box[4])
{
    char size[32];
    double x = box[0] + box[2] / 2;
    double y = box[1] + box[3] / 2;
    size_t fits = (size_t)((box[2] - 6.0) / LETTER);
    if (box[3] < 13.0 || fits < 2)
        return;
    bool both = box[3] >= 30.0 && strlen(human(bytes, size)) <= fits;
    (void)fprintf(m->to, "<text x=\"%.2f\" y=\"%.2f\" class=\"c b\">", x, both ? y - 2 : y + 4);
    svg_text(m->to, name, fits);
    (void)fputs("</text>", m->to);
    if (both)
        (void)fprintf(m->to, "<text x=\"%.2f\" y=\"%.2f\" class=\"c\">%s</text>", x, y + 12, size);
}

/* A result has its place from the first launch on and is written later: until then it is pale. */
static void draw_tensor(const map *m, const sinter_tensor_memory *t)
{
    char name[100];
    char size[32];
    double x = x_of(m, t->segment, t->first_group);
    double scale = m->extent[t->slab] > 0.0 ? m->height[t->slab] / m->extent[t->slab] : 0.0;
    double y = m->top[t->slab] + (double)t->offset_bytes * scale;
    double box[4] = {x, y, x_of(m, t->segment, t->end_group) - x, (double)t->bytes * scale};
    uint32_t made = t->made_group > t->first_group ? t->made_group : t->first_group;
    double pale = x_of(m, t->segment, made) - x;
    name_of(m, t, name, sizeof name);
    (void)fprintf(m->to,
                  "<g class=\"%s\"><rect x=\"%.3f\" y=\"%.3f\" width=\"%.3f\" height=\"%.3f\" "
                  "data-segment=\"%u\" data-slab=\"%u\" data-offset=\"%llu\" data-bytes=\"%llu\" "
                  "data-first=\"%u\" data-end=\"%u\"/>",
                  role_class(t), box[0], box[1], box[2], box[3], t->segment, t->slab,
                  (unsigned long long)t->offset_bytes, (unsigned long long)t->bytes, t->first_group,
                  t->end_group);
    if (pale > 0.0)
        (void)fprintf(m->to, "<path class=\"pale\" d=\"M%.2f %.2fh%.2fv%.2fh%.2fz\"/>", x, y, pale,
                      box[3], -pale);
    (void)fputs("<title>", m->to);
    svg_text(m->to, name, SIZE_MAX);
    (void)fprintf(m->to, ": %s, %llu bytes (%s) at %llu of slab %u, launches %u to %u</title>",
                  role_text(t), (unsigned long long)t->bytes, human((double)t->bytes, size),
                  (unsigned long long)t->offset_bytes, t->slab, t->first_group, t->end_group - 1);
    if (pale > 0.0 && box[2] - pale >= 30.0) {
        box[0] += pale;
        box[2] -= pale;
    }
    draw_label(m, name, (double)t->bytes, box);
    (void)fputs("</g>\n", m->to);
}

/* A scale of bytes at the left, from `low` at one height to 0 or from 0 to `high`: lines at multiples of a
 * power of two, and the end. */
static void draw_scale(const map *m, double zero, double end, double bytes)
{
    char size[32];
    double step = 1.0;
    double pixels = end > zero ? end - zero : zero - end;
    while (bytes / step > TICKS || (step / bytes * pixels < 18.0 && step < bytes))
        step *= 2.0;
    for (double at = 0.0; at <= bytes && bytes > 0.0;
         at = at < bytes && at + step > bytes ? bytes : at + step) {
        double y = zero + (end - zero) * at / bytes;
        bool is_near = at < bytes && (bytes - at) / bytes * pixels < 12.0;
        (void)fprintf(m->to, "<path class=\"grid\" d=\"M%.0f %.2fh%.0f\"/>", LEFT, y, WIDTH);
        if (!is_near)
            (void)fprintf(m->to, "<text x=\"%.0f\" y=\"%.2f\" class=\"r\">%s</text>\n", LEFT - 8,
                          y + 4, human(at, size));
    }
}

static void draw_map(const map *m)
{
    (void)fprintf(m->to,
                  "<text x=\"%.0f\" y=\"%.0f\" class=\"h2\">Where tensors lie: offset in the pool, "
                  "launch by launch</text>\n",
                  LEFT, MAP_TOP - 26);
    for (uint32_t k = 0; k < m->slabs; k++) {
        if (m->extent[k] <= 0.0)
            continue;
        draw_scale(m, m->top[k], m->top[k] + m->height[k], m->extent[k]);
        (void)fprintf(m->to,
                      "<rect x=\"%.0f\" y=\"%.2f\" width=\"%.0f\" height=\"%.2f\" class=\"slab\"/>",
                      LEFT, m->top[k], WIDTH, m->height[k]);
        (void)fprintf(m->to, "<text x=\"%.0f\" y=\"%.2f\" class=\"r\">slab %u</text>\n",
                      LEFT + WIDTH, m->top[k] - 5, k);
    }
    for (size_t i = 0; i < m->tensor_count; i++)
        draw_tensor(m, &m->tensors[i]);
}

/* The curve */

/* Stairs: while a launch runs, and after it. */
static void draw_stairs(const map *m)
{
    double width = column_width(m);
    (void)fprintf(m->to, "<path class=\"curve\" d=\"M%.2f %.2f", LEFT, CURVE_TOP + CURVE_HEIGHT);
    for (size_t i = 0; i < m->step_count; i++) {
        const sinter_step_memory *s = &m->steps[i];
        double x = x_of(m, s->segment, s->number);
        if (!s->is_launch)
            continue;
        (void)fprintf(m->to, "V%.2fH%.2fV%.2fH%.2fV%.2fH%.2f", curve_y(m, s->before_bytes),
                      x + 0.1 * width, curve_y(m, s->during_bytes), x + 0.9 * width,
                      curve_y(m, s->after_bytes), x + width);
    }
    (void)fprintf(m->to, "V%.2fZ\"/>\n", CURVE_TOP + CURVE_HEIGHT);
}

/* The step at which most bytes live, over all segments. */
static const sinter_step_memory *find_peak(const map *m, bool of_launches, uint32_t segment)
{
    const sinter_step_memory *most = NULL;
    for (size_t i = 0; i < m->step_count; i++) {
        const sinter_step_memory *s = &m->steps[i];
        if ((s->is_launch != 0) != of_launches || (segment != 0 && s->segment != segment))
            continue;
        if (most == NULL || s->during_bytes > most->during_bytes)
            most = s;
    }
    return most;
}

/* What the segments would need if every operation were a launch. */
static void draw_unfused(const map *m)
{
    for (uint32_t k = 1; k <= m->segments; k++) {
        const sinter_step_memory *s = find_peak(m, false, k);
        double from = LEFT + m->first[k] * column_width(m);
        double to = LEFT + m->first[k + 1] * column_width(m);
        if (s != NULL && to > from)
            (void)fprintf(m->to, "<path class=\"unfused\" d=\"M%.2f %.2fH%.2f\"/>\n", from,
                          curve_y(m, s->during_bytes), to);
    }
}

static void draw_peak(const map *m)
{
    char size[32];
    const sinter_step_memory *s = find_peak(m, true, 0);
    if (s == NULL)
        return;
    double x = x_of(m, s->segment, s->number) + column_width(m) / 2;
    double y = curve_y(m, s->during_bytes);
    const char *anchor = x > PAGE - 220 ? "end" : x < 220 ? "start" : "middle";
    (void)fprintf(m->to,
                  "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"5\" class=\"peak\"/><text x=\"%.2f\" "
                  "y=\"%.2f\" class=\"b halo\" text-anchor=\"%s\">peak %s, launch %u: ",
                  x, y, x, y + 21, anchor, human((double)s->during_bytes, size),
                  m->first[s->segment] + s->number);
    svg_text(m->to, s->text, 60);
    (void)fputs("</text>\n", m->to);
}

/* Numbers under the columns, the operations as far as they fit, a line between segments. */
static void draw_columns(const map *m)
{
    double width = column_width(m);
    double y = CURVE_TOP + CURVE_HEIGHT;
    uint32_t every = 1;
    while (width * every < 24.0)
        every *= 2;
    for (size_t i = 0; i < m->step_count; i++) {
        const sinter_step_memory *s = &m->steps[i];
        double x = x_of(m, s->segment, s->number);
        uint32_t number = m->first[s->segment] + s->number;
        size_t fits = (size_t)(width / LETTER);
        if (!s->is_launch)
            continue;
        if (s->number == 1 && s->segment > 1)
            (void)fprintf(m->to, "<path class=\"cut\" d=\"M%.2f %.0fV%.0f\"/>", x, CURVE_TOP,
                          MAP_TOP + MAP_HEIGHT);
        if ((number - 1) % every == 0)
            (void)fprintf(m->to, "<text x=\"%.2f\" y=\"%.0f\" class=\"c b\">%u</text>\n",
                          x + width / 2, y + 16, number);
        if (fits < 4)
            continue;
        (void)fprintf(m->to, "<text x=\"%.2f\" y=\"%.0f\" class=\"c\">", x + width / 2, y + 30);
        svg_text(m->to, s->text, fits);
        (void)fputs("</text>\n", m->to);
    }
}

static void draw_curve(const map *m)
{
    (void)fprintf(m->to,
                  "<text x=\"%.0f\" y=\"%.0f\" class=\"h2\">Bytes that live before, during and "
                  "after each launch</text>\n",
                  LEFT, CURVE_TOP - 14);
    draw_scale(m, CURVE_TOP + CURVE_HEIGHT, CURVE_TOP, m->peak);
    draw_stairs(m);
    draw_unfused(m);
    draw_columns(m);
    draw_peak(m);
}

/* The page */

static const char style[] =
    "<style>text{fill:#1c2733}.h1{font-size:22px;font-weight:bold}.h2{font-size:14px;font-weight:"
    "bold}"
    ".b{font-weight:bold}.c{text-anchor:middle}.r{text-anchor:end;fill:#5b6773}"
    ".grid{stroke:#dde3e8;fill:none}.slab{fill:#f4f6f8;stroke:#b9c2ca}"
    ".curve{fill:#9cc3e6;fill-opacity:.75;stroke:#1f5f99;stroke-width:1.5}"
    ".unfused{stroke:#c0392b;stroke-width:2;stroke-dasharray:7 5;fill:none}"
    ".peak{fill:#c0392b;stroke:white;stroke-width:1.5}"
    ".halo{font-size:13px;paint-order:stroke;stroke:white;stroke-width:4px;stroke-linejoin:round}"
    ".cut{stroke:#5b6773;stroke-dasharray:2 4;fill:none}"
    "g rect,.key{stroke:white;stroke-width:1}.pale{fill:white;fill-opacity:.6}"
    ".e rect,.key.e{fill:#7fb2dd}.h rect,.key.h{fill:#c8ced4}.m rect,.key.m{fill:#8fcf9f}"
    ".w rect,.key.w{fill:#f6c177}.s rect,.key.s{fill:#c7a6dd}</style>\n";

static void draw_head(const map *m)
{
    char fused[32];
    char unfused[32];
    const sinter_step_memory *by_launch = find_peak(m, true, 0);
    const sinter_step_memory *by_operation = find_peak(m, false, 0);
    (void)fprintf(m->to,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" "
                  "width=\"%.0f\" height=\"%.0f\" font-family=\"Helvetica,Arial,sans-serif\" "
                  "font-size=\"11px\">\n%s<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
                  "<text x=\"%.0f\" y=\"38\" class=\"h1\">",
                  PAGE, MAP_TOP + MAP_HEIGHT + 70, PAGE, MAP_TOP + MAP_HEIGHT + 70, style, LEFT);
    svg_text(m->to, m->title, MOST_CHARACTERS);
    (void)fprintf(m->to, "</text>\n<text x=\"%.0f\" y=\"64\" font-size=\"14px\">", LEFT);
    if (by_launch == NULL || by_operation == NULL) {
        (void)fputs("nothing was launched", m->to);
    } else {
        (void)fprintf(
            m->to, "%u launch%s, at most %s live; with a launch for each operation it would be %s",
            m->columns, m->columns == 1 ? "" : "es", human((double)by_launch->during_bytes, fused),
            human((double)by_operation->during_bytes, unfused));
    }
    (void)fputs("</text>\n", m->to);
}

static void draw_legend(const map *m)
{
    static const struct {
        const char *key, *text;
    } rows[] = {{"e", "input"},
                {"m", "result (pale: not written yet)"},
                {"w", "intermediate"},
                {"s", "scratch"},
                {"h", "held, not used"}};
    double x = LEFT;
    double y = MAP_TOP + MAP_HEIGHT + 40;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        (void)fprintf(m->to,
                      "<path class=\"key %s\" d=\"M%.0f %.0fh18v12h-18z\"/>"
                      "<text x=\"%.0f\" y=\"%.0f\">%s</text>\n",
                      rows[i].key, x, y - 10, x + 24, y, rows[i].text);
        x += 60 + LETTER * (double)strlen(rows[i].text);
    }
    (void)fprintf(
        m->to,
        "<path class=\"unfused\" d=\"M%.0f %.0fh30\"/><text x=\"%.0f\" y=\"%.0f\">most bytes "
        "with a launch for each operation</text>\n",
        x, y - 4, x + 38, y);
}

bool tool_memory_map_draw(const char *path, sinter_stream *stream, const char *title,
                          const tool_tensor_name *names, size_t name_count)
{
    map m = {.title = title, .names = names, .name_count = name_count};
    const sinter_memory_visitor visitor = {
        .size = sizeof visitor, .step = add_step, .tensor = add_tensor};
    bool fine = false;
    if (sinter_report_memory(stream, &visitor, &m) != SINTER_OK)
        (void)tool_library_failed("memory map");
    else if (m.failed || !find_columns(&m))
        (void)tool_failed("no memory for %zu tensors", m.tensor_count);
    else
        fine = place_slabs(&m) == TOOL_OK && (m.to = svg_open(path)) != NULL;
    if (fine) {
        draw_head(&m);
        draw_curve(&m);
        draw_map(&m);
        draw_legend(&m);
        (void)fputs("</svg>\n", m.to);
        fine = svg_close(m.to, path, true);
    }
    free(m.steps);
    free(m.tensors);
    free(m.first);
    return fine;
}
