/* Grades a photograph, in one launch of one kernel:
 *
 *   photo [--device D] [--report] [--scene PATH] OUT.png         a painted scene, kept in PATH
 *   photo [--device D] [--report] IN.png OUT.png
 *
 * exposure and white balance, saturation, vignette, tone curve, and dither back to 8 bits. Every step
 * is an ordinary call on the whole picture; sinter makes one loop of them that reads each byte of the
 * picture once and writes each byte once. A step that computes one value per pixel, as the luminance,
 * is broadcast to the three channels before its arithmetic and not after it: so every value belongs
 * to the element where it is used, and nothing has to be stored on the way. The exit status is 0
 * only if it was one launch. */
#include "scene.h"

#include <sinter/sinter.h>

#include <png.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The look. */
static const double black = 0.095;                          /* what the camera stores as black */
static const double gain[] = {1.10 * 4.2, 4.2, 0.94 * 4.2}; /* exposure, and a warmer white */
static const double weight[] = {0.2126, 0.7152, 0.0722};    /* of the channels, in the luminance */
static const double saturation = 1.60;
static const double vignette = 0.40;
static const double contrast = 0.80;

typedef struct picture {
    int width, height;
    unsigned char *rgb; /* rows from the top, three bytes per pixel */
} picture;

/* Leaves the function with the status of a call that fails. */
#define TRY(call)                                                                                  \
    do {                                                                                           \
        sinter_status status_ = (call);                                                            \
        if (status_ != SINTER_OK)                                                                  \
            return status_;                                                                        \
    } while (0)

/* Bytes as linear light. A gamma of 2, a square here and a square root at the end, is close to what
 * pictures are stored with, and cheap. */
static sinter_status decode(sinter_stream *s, sinter_tensor bytes, sinter_tensor *out)
{
    sinter_tensor whole, unit, lifted, stored;
    TRY(sinter_cast(s, bytes, SINTER_F32, &whole));
    TRY(sinter_mul_scalar(s, whole, 1.0 / 255.0, &unit));
    TRY(sinter_sub_scalar(s, unit, black, &lifted));
    TRY(sinter_maximum_scalar(s, lifted, 0.0, &stored));
    return sinter_square(s, stored, out);
}

/* What channel `c` gives to the luminance of its pixel, in all three places of the pixel. */
static sinter_status share(sinter_stream *s, sinter_tensor bytes, const int64_t *shape, int c,
                           sinter_tensor *out)
{
    sinter_tensor channel, everywhere, light;
    TRY(sinter_slice(s, bytes, 2, c, c + 1, 1, &channel));
    TRY(sinter_expand(s, channel, 3, shape, &everywhere));
    TRY(decode(s, everywhere, &light));
    return sinter_mul_scalar(s, light, weight[c] * gain[c], out);
}

static sinter_status luminance(sinter_stream *s, sinter_tensor bytes, const int64_t *shape,
                               sinter_tensor *out)
{
    sinter_tensor red, green, blue, yellow;
    TRY(share(s, bytes, shape, 0, &red));
    TRY(share(s, bytes, shape, 1, &green));
    TRY(share(s, bytes, shape, 2, &blue));
    TRY(sinter_add(s, red, green, &yellow));
    return sinter_add(s, yellow, blue, out);
}

/* The squared distance from the centre along one axis, 1 at the edges, in every element. */
static sinter_status from_centre(sinter_stream *s, int axis, const int64_t *shape,
                                 sinter_tensor *out)
{
    int64_t n = shape[axis];
    const int64_t along[] = {axis == 0 ? n : 1, axis == 1 ? n : 1, 1};
    sinter_tensor ramp, line, everywhere;
    TRY(sinter_arange(s, SINTER_F32, n, sinter_scalar_float(1.0 / (double)n - 1.0),
                      sinter_scalar_float(2.0 / (double)n), &ramp));
    TRY(sinter_reshape(s, ramp, 3, along, &line));
    TRY(sinter_expand(s, line, 3, shape, &everywhere));
    return sinter_square(s, everywhere, out);
}

/* light / (1 + vignette * distance^2): less of it towards the corners. */
static sinter_status darken_corners(sinter_stream *s, sinter_tensor light, const int64_t *shape,
                                    sinter_tensor *out)
{
    sinter_tensor y, x, distance, scaled, divisor;
    TRY(from_centre(s, 0, shape, &y));
    TRY(from_centre(s, 1, shape, &x));
    TRY(sinter_add(s, y, x, &distance));
    TRY(sinter_mul_scalar(s, distance, vignette, &scaled));
    TRY(sinter_add_scalar(s, scaled, 1.0, &divisor));
    return sinter_div(s, light, divisor, out);
}

/* Grey + (light - grey) * saturation, no channel below black. */
static sinter_status saturate(sinter_stream *s, sinter_tensor light, sinter_tensor grey,
                              sinter_tensor *out)
{
    sinter_tensor colour, more, mixed;
    TRY(sinter_sub(s, light, grey, &colour));
    TRY(sinter_mul_scalar(s, colour, saturation, &more));
    TRY(sinter_add(s, grey, more, &mixed));
    return sinter_maximum_scalar(s, mixed, 0.0, out);
}

/* Light to what is stored, in [0, 1]: highlights roll off as on film, 1 - exp(-light), then the
 * gamma. */
static sinter_status expose(sinter_stream *s, sinter_tensor light, sinter_tensor *out)
{
    sinter_tensor negative, rest, film;
    TRY(sinter_neg(s, light, &negative));
    TRY(sinter_expm1(s, negative, &rest));
    TRY(sinter_neg(s, rest, &film));
    return sinter_sqrt(s, film, out);
}

/* Part of an S: v + contrast * (v * v * (3 - 2 v) - v). */
static sinter_status bend(sinter_stream *s, sinter_tensor v, sinter_tensor *out)
{
    sinter_tensor falling, slope, square, curve, difference, part;
    TRY(sinter_mul_scalar(s, v, -2.0, &falling));
    TRY(sinter_add_scalar(s, falling, 3.0, &slope));
    TRY(sinter_square(s, v, &square));
    TRY(sinter_mul(s, square, slope, &curve));
    TRY(sinter_sub(s, curve, v, &difference));
    TRY(sinter_mul_scalar(s, difference, contrast, &part));
    return sinter_add(s, v, part, out);
}

/* To bytes: what lies between two of them becomes the upper one as often as it is near to it. The
 * cast cuts off and saturates. */
static sinter_status dither(sinter_stream *s, sinter_tensor v, const int64_t *shape,
                            sinter_tensor *out)
{
    sinter_tensor scaled, chance, raised;
    TRY(sinter_mul_scalar(s, v, 255.0, &scaled));
    TRY(sinter_random_uniform(s, SINTER_F32, 3, shape, 2024, 0, &chance));
    TRY(sinter_add(s, scaled, chance, &raised));
    return sinter_cast(s, raised, SINTER_U8, out);
}

/* Linear light, each channel times its gain. */
static sinter_status lighten(sinter_stream *s, sinter_tensor bytes, sinter_tensor *out)
{
    const float gains[] = {(float)gain[0], (float)gain[1], (float)gain[2]};
    sinter_tensor light, gain_of;
    TRY(decode(s, bytes, &light));
    TRY(sinter_tensor_from_host(s, SINTER_F32, 1, (const int64_t[]){3}, gains, &gain_of));
    return sinter_mul(s, light, gain_of, out);
}

static sinter_status queue_grade(sinter_stream *s, sinter_tensor bytes, const int64_t *shape,
                                 sinter_tensor *out)
{
    sinter_tensor light, grey, coloured, darkened, exposed, toned;
    TRY(lighten(s, bytes, &light));
    TRY(luminance(s, bytes, shape, &grey));
    TRY(saturate(s, light, grey, &coloured));
    TRY(darken_corners(s, coloured, shape, &darkened));
    TRY(expose(s, darkened, &exposed));
    TRY(bend(s, exposed, &toned));
    return dither(s, toned, shape, out);
}

/* Grades the picture in place. A scope holds every tensor, so that nothing is released by hand. */
static sinter_status grade(sinter_stream *s, picture *p)
{
    const int64_t shape[] = {p->height, p->width, 3};
    size_t bytes = (size_t)p->height * (size_t)p->width * 3;
    sinter_tensor before, after;
    TRY(sinter_scope_open(s));
    TRY(sinter_tensor_from_host(s, SINTER_U8, 3, shape, p->rgb, &before));
    TRY(sinter_scope_open(s));
    TRY(queue_grade(s, before, shape, &after));
    TRY(sinter_scope_close(s, 1, &after)); /* the steps between are gone before anything runs */
    TRY(sinter_tensor_read(s, after, p->rgb, bytes));
    return sinter_scope_close(s, 0, NULL);
}

static void print(void *user, const char *text, size_t bytes)
{
    (void)fwrite(text, 1, bytes, user);
}

/* Grades on `device`; NULL: the default one. */
static sinter_status run(const char *device, bool report, picture *p, sinter_stats *stats)
{
    sinter_context_options options = SINTER_CONTEXT_OPTIONS_INIT;
    sinter_context *ctx = NULL;
    sinter_stream *s = NULL;
    options.device = device;
    sinter_status status = sinter_context_create(&options, &ctx);
    if (status == SINTER_OK)
        status = sinter_stream_create(ctx, NULL, &s);
    if (status == SINTER_OK)
        status = sinter_report_begin(s);
    if (status == SINTER_OK)
        status = grade(s, p);
    if (status == SINTER_OK && report)
        status = sinter_report_write(s, print, stdout);
    if (status == SINTER_OK)
        status = sinter_context_stats(ctx, stats);
    if (status != SINTER_OK)
        (void)fprintf(stderr, "photo: %s: %s\n", sinter_status_name(status), sinter_last_error());
    (void)sinter_stream_destroy(s);
    (void)sinter_context_destroy(ctx);
    return status;
}

static bool allocate(picture *p, unsigned width, unsigned height)
{
    p->width = (int)width;
    p->height = (int)height;
    p->rgb = malloc((size_t)width * height * 3);
    return p->rgb != NULL;
}

static bool read_png(const char *path, picture *p)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&image, path)) {
        (void)fprintf(stderr, "photo: %s: %s\n", path, image.message);
        return false;
    }
    image.format = PNG_FORMAT_RGB;
    bool ok = allocate(p, image.width, image.height) &&
              png_image_finish_read(&image, NULL, p->rgb, 0, NULL);
    if (!ok)
        (void)fprintf(stderr, "photo: %s: %s\n", path, image.message);
    png_image_free(&image);
    return ok;
}

static bool write_png(const char *path, const picture *p)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)p->width,
                       .height = (png_uint_32)p->height,
                       .format = PNG_FORMAT_RGB};
    if (png_image_write_to_file(&image, path, 0, p->rgb, 0, NULL))
        return true;
    (void)fprintf(stderr, "photo: %s: %s\n", path, image.message);
    return false;
}

/* The picture at `path`; NULL: the painted one, kept in `scene` where that is not NULL. */
static bool get_picture(const char *path, const char *scene, picture *p)
{
    if (path != NULL)
        return read_png(path, p);
    if (!allocate(p, 480, 320))
        return false;
    scene_paint(p->rgb, p->width, p->height);
    return scene == NULL || write_png(scene, p);
}

typedef struct arguments {
    const char *device, *scene, *in, *out;
    bool report;
} arguments;

static bool parse(int argc, char **argv, arguments *a)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--report") == 0) {
            a->report = true;
        } else if (strcmp(argv[i], "--device") == 0 && i + 1 < argc) {
            a->device = argv[++i];
        } else if (strcmp(argv[i], "--scene") == 0 && i + 1 < argc) {
            a->scene = argv[++i];
        } else if (argv[i][0] == '-' || a->in != NULL) {
            return false;
        } else {
            a->in = a->out;
            a->out = argv[i];
        }
    }
    return a->out != NULL && (a->in == NULL || a->scene == NULL);
}

int main(int argc, char **argv)
{
    arguments a = {0};
    picture p = {0};
    sinter_stats stats = SINTER_STATS_INIT;
    if (!parse(argc, argv, &a)) {
        (void)fputs("usage: photo [--device D] [--report] [--scene PATH | IN.png] OUT.png\n",
                    stderr);
        return 2;
    }
    bool ok = get_picture(a.in, a.scene, &p) && run(a.device, a.report, &p, &stats) == SINTER_OK &&
              write_png(a.out, &p);
    if (ok) {
        printf("%d x %d pixels, %d operations, launches: %d, %.0f KB moved\n", p.width, p.height,
               (int)stats.ops, (int)stats.launches, (double)stats.bytes_moved / 1000.0);
        ok = stats.launches == 1;
    }
    free(p.rgb);
    return ok ? 0 : 1;
}
