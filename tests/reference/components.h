/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A connected component of a picture of two values */
typedef struct
{
  int x, y;                     /* its first pixel: the leftmost one of its first row */
  int is_white;
  int parent;                   /* number of the component that surrounds it; -1: it has pixels in
                                 * the first row, and no parent */
  int is_edge;                  /* whether it touches the edge of the picture */
  int pixels;
  int cracks;                   /* edges of pixels between it and its parent */
  int area;                     /* its pixels, and those of all components inside */
} RefComponent;

typedef struct
{
  int width, height;
  uint8_t *bits;                /* the picture: rows with too many runs are black */
  int *numbers;                 /* number of the component of each pixel */
  int n;
  RefComponent *components;     /* in the order of their first pixels */
} RefComponents;

/* Finds the components of a picture, 0 or 1 for each pixel. Bit 0 of @eight: pixels of black
 * components are also connected where their corners touch; bit 1: those of white ones. A row with
 * more than @most_runs runs of equal values counts as black. */
void ref_components (const uint8_t * bits, int width, int height, int eight, int most_runs,
    RefComponents * found);

void ref_components_clear (RefComponents * found);

/* Returns: the number of the size of a component of the list */
int ref_components_size (int cracks);

#ifdef __cplusplus
}
#endif
