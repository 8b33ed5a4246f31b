/* An array as text, as NumPy shows it. */
#ifndef SINTER_TOOLS_SHOW_H
#define SINTER_TOOLS_SHOW_H

#include "npy.h"

#include <stdio.h>

/* "name f32[2,3]", and below it the elements, those in the middle left out where there are many. */
void show_array(FILE *to, const char *name, const npy_array *a);

#endif /* SINTER_TOOLS_SHOW_H */
