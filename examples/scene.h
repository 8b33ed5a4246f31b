/* A picture to grade when there is none at hand: hills at dusk, as a camera records them that keeps
 * everything, flat and a little dark. */
#ifndef SINTER_EXAMPLES_SCENE_H
#define SINTER_EXAMPLES_SCENE_H

/* Paints width * height pixels of three bytes, rows from the top. */
void scene_paint(unsigned char *rgb, int width, int height);

#endif /* SINTER_EXAMPLES_SCENE_H */
