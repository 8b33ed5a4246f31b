/* The one hard idea: the whole picture is a function of a point, colour = at(x, y), so that a pixel
 * is the mean of that function over a few points inside it and no edge is jagged. x runs from 0 to
 * the aspect ratio, y from 0 (top) to 1; colours are linear light. */
#include "scene.h"

#include <math.h>
#include <stdint.h>

#define LAYERS 5
#define SAMPLES 3 /* per pixel and direction */

typedef struct colour {
    float r, g, b;
} colour;

static const colour zenith = {0.07f, 0.15f, 0.36f};
static const colour middle = {0.42f, 0.33f, 0.44f};
static const colour horizon = {1.00f, 0.60f, 0.28f};
static const colour sunlight = {1.00f, 0.80f, 0.45f};
static const colour forest = {0.012f, 0.030f, 0.030f};
static const float sun_x = 0.98f;
static const float sun_y = 0.47f;

static colour mix(colour a, colour b, float t)
{
    return (colour){a.r + (b.r - a.r) * t, a.g + (b.g - a.g) * t, a.b + (b.b - a.b) * t};
}

static colour add(colour a, colour b, float amount)
{
    return (colour){a.r + b.r * amount, a.g + b.g * amount, a.b + b.b * amount};
}

/* 0 below `low`, 1 above `high`, a smooth step between them. */
static float step(float low, float high, float x)
{
    float t = fminf(fmaxf((x - low) / (high - low), 0.0f), 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

/* A number in [0, 1) that belongs to a place. */
static float hash(int x, int y)
{
    uint32_t h = (uint32_t)x * 0x9e3779b1u + (uint32_t)y * 0x85ebca77u;
    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    return (float)((h ^ h >> 15) >> 8) / 16777216.0f;
}

/* Smooth noise in [0, 1), one bump per unit. */
static float noise(float x, float y)
{
    float fx = floorf(x);
    float fy = floorf(y);
    int i = (int)fx;
    int j = (int)fy;
    float u = step(0.0f, 1.0f, x - fx);
    float v = step(0.0f, 1.0f, y - fy);
    float top = hash(i, j) + (hash(i + 1, j) - hash(i, j)) * u;
    float bottom = hash(i, j + 1) + (hash(i + 1, j + 1) - hash(i, j + 1)) * u;
    return top + (bottom - top) * v;
}

static float clouds(float x, float y)
{
    float sum = 0.0f;
    float weight = 0.5f;
    float scale = 1.0f;
    for (int octave = 0; octave < 5; octave++) {
        sum += weight * noise(x * 2.2f * scale + 7.0f, y * 11.0f * scale + 3.0f * scale);
        weight *= 0.5f;
        scale *= 2.1f;
    }
    return sum;
}

static colour sky(float x, float y)
{
    float height = 1.0f - y / 0.62f;
    colour c = height < 0.42f ? mix(horizon, middle, step(0.0f, 0.42f, height))
                              : mix(middle, zenith, step(0.42f, 1.0f, height));
    float distance = hypotf(x - sun_x, y - sun_y);
    float cover = step(0.47f, 0.78f, clouds(x, y)) * step(0.0f, 0.25f, height);
    colour lit = mix(middle, horizon, expf(-distance * 1.6f));
    c = mix(c, add(lit, sunlight, 0.25f * expf(-distance * 3.0f)), 0.75f * cover);
    c = add(c, sunlight, 0.55f * expf(-distance * 5.0f) + 0.6f * expf(-distance * 22.0f));
    return add(c, sunlight, 3.0f * (1.0f - step(0.040f, 0.044f, distance)));
}

/* How far a pine stands out over the ridge at x: one tree per cell, a cone with ragged sides. */
static float pine(float x, float y_over_ridge, int layer)
{
    float cell = layer == LAYERS - 1 ? 0.034f : 0.017f;
    float best = -1.0f;
    int here = (int)floorf(x / cell);
    for (int i = here - 1; i <= here + 1; i++) {
        float size = cell * (1.3f + 2.6f * hash(i, layer) * hash(i + 40, layer));
        float middle_x = cell * ((float)i + 0.2f + 0.6f * hash(i, layer + 9));
        float ragged = 0.75f + 0.5f * fabsf(sinf(y_over_ridge / size * 22.0f));
        float side = fabsf(x - middle_x) / (0.21f * ragged);
        best = fmaxf(best, size - side - y_over_ridge);
    }
    return best;
}

static float ridge(float x, int layer)
{
    float l = (float)layer;
    float y = 0.50f + 0.105f * l;
    y -= 0.055f * sinf(x * (2.3f + 0.7f * l) + 1.9f * l + 0.6f);
    y -= 0.022f * sinf(x * (6.1f + 1.3f * l) + 4.1f * l);
    return y - (0.030f - 0.004f * l) * (noise(x * (9.0f - l), l * 5.0f + 2.0f) - 0.5f);
}

/* Hills from the far to the near: each is nearer to the colour of the forest, and fades into the
 * mist of the valley before it. */
static colour at(float x, float y)
{
    colour c = sky(x, y);
    for (int layer = 0; layer < LAYERS; layer++) {
        float depth = (float)layer / (LAYERS - 1);
        float below = y - ridge(x, layer);
        float over = layer >= LAYERS - 2 ? pine(x, -below, layer) : below;
        if (below < 0.0f && over < 0.0f)
            continue;
        float glow = expf(-1.7f * hypotf(x - sun_x, y - sun_y));
        colour air = mix(middle, add(horizon, sunlight, 0.15f), glow);
        colour hill = mix(air, forest, 0.35f + 0.62f * sqrtf(depth));
        float mist = step(0.0f, 0.17f, below) * (0.55f - 0.45f * depth);
        c = mix(hill, air, mist);
    }
    return c;
}

/* Linear light as the flat picture stores it: black lifted, white held back. */
static unsigned char encode(float light)
{
    float v = 0.10f + 0.60f * sqrtf(light / (1.0f + 0.45f * light));
    return (unsigned char)(fminf(v, 1.0f) * 255.0f + 0.5f);
}

void scene_paint(unsigned char *rgb, int width, int height)
{
    float scale = 1.0f / (float)height;
    for (int row = 0; row < height; row++) {
        for (int column = 0; column < width; column++) {
            colour sum = {0.0f, 0.0f, 0.0f};
            for (int k = 0; k < SAMPLES * SAMPLES; k++) {
                int i = k % SAMPLES;
                int j = k / SAMPLES;
                float dx = ((float)i + 0.5f) / SAMPLES;
                float dy = ((float)j + 0.5f) / SAMPLES;
                sum = add(sum, at(((float)column + dx) * scale, ((float)row + dy) * scale),
                          1.0f / (SAMPLES * SAMPLES));
            }
            /* A flat picture has little colour, too. */
            float grey = 0.3f * sum.r + 0.6f * sum.g + 0.1f * sum.b;
            sum = mix((colour){grey, grey, grey}, sum, 0.8f);
            *rgb++ = encode(sum.r);
            *rgb++ = encode(sum.g);
            *rgb++ = encode(sum.b);
        }
    }
}
