/* Scenes: short programs that go through every part of the library, written so that any call in
 * them may fail at any time. The sweeps play each scene once as it is, and then again and again
 * with one more call or allocation made to fail.
 *
 * A scene stops at the first call that fails to queue; whatever happened, scene_play() then cleans
 * up, and every value that was read is compared with what the host reference device gave. */
#ifndef SINTER_TESTS_SCENE_H
#define SINTER_TESTS_SCENE_H

#include "support/cl_layer.h"
#include "support/support.h"

#define SCENE_TENSORS 128
#define SCENE_STREAMS 4
#define SCENE_TEXT 512

typedef struct scene scene;
typedef void (*scene_fn)(scene *x);

struct scene {
    sinter_context_options options;
    test_memory memory; /* of the host, while the scene plays */
    sinter_context *ctx;
    sinter_stream *s;                      /* streams[0] */
    sinter_stream *streams[SCENE_STREAMS]; /* that the scene has made */
    sinter_tensor held[SCENE_TENSORS];     /* that the scene holds */
    size_t held_count;
    uint64_t digest;     /* of all values read so far */
    size_t reads;        /* that succeeded */
    sinter_status first; /* the first failure, and its text */
    char message[SCENE_TEXT];
};

typedef struct scene_entry {
    const char *name;
    scene_fn play;
    uint64_t budget_bytes; /* of its context; 0: none */
} scene_entry;

extern const scene_entry scenes[];
extern const size_t scene_count;

/* A scene on the device `selector` (NULL: that of the environment). */
void scene_init(scene *x, const char *selector);

/* Opens context and stream, plays, and ends everything that the scene left. Returns whether every
 * call succeeded. A failure has a status of its own and one line of text. `after` (may be NULL) is
 * called before the stream ends, whatever has happened. */
bool scene_play(scene *x, scene_fn play, void (*after)(scene *x));

/* Checks one step: remembers the first failure and returns whether it succeeded. */
bool scene_did(scene *x, sinter_status status);

/* Uploads small numbers that depend on `seed` alone; false when that failed. */
bool scene_upload(scene *x, sinter_stream *s, int rank, const int64_t *shape, unsigned seed,
                  sinter_tensor *out);

/* Holds a tensor that the scene has made, to be released at its end. */
bool scene_hold(scene *x, sinter_status status, const sinter_tensor *t);

/* Releases a tensor before the end. */
void scene_drop(scene *x, sinter_stream *s, sinter_tensor t);

/* Reads `count` floats and takes them into the digest. */
bool scene_read(scene *x, sinter_stream *s, sinter_tensor t, size_t count);

/* The values of a whole clean play on the host reference device. */
uint64_t scene_truth(scene_fn play);

/* Plays the scene with its `nth` call failing, once or it and all later ones; whether it got as far. */
typedef bool scene_failing(const scene_entry *e, uint64_t nth, bool persistent, uint64_t truth);

/* Plays it with every `step`th call failing, both ways. */
void scene_sweep(const scene_entry *e, uint64_t step, scene_failing *play);

#endif /* SINTER_TESTS_SCENE_H */
