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

/* A connected component of a binary image */
typedef struct
{
  int x, y;                     /* first pixel of the component: the leftmost pixel of its first
                                 * row */
  int is_white;
  int parent;                   /* number of the component that surrounds this one; -1: this
                                 * component has pixels in the first row, and no parent */
  int is_edge;                  /* whether the component touches the edge of the image */
  int pixels;
  int cracks;                   /* number of pixel edges (cracks) between the component and its
                                 * parent */
  int area;                     /* number of its pixels, and of the pixels of all components inside
                                 * of it */
} RefComponent;

typedef struct
{
  int width, height;
  uint8_t *bits;                /* the binary image, in which rows with too many runs are black */
  int *numbers;                 /* number of the component of each pixel */
  int n;
  RefComponent *components;     /* components in the order of their first pixels */
} RefComponents;

/* Finds the connected components of a binary image, 0 or 1 for each pixel. Bit 0 of @eight: pixels
 * of black components are also connected at their corners; bit 1: the same for white ones. A row
 * with more than @most_runs runs of equal values counts as black. */
void ref_components (const uint8_t * bits, int width, int height, int eight, int most_runs,
    RefComponents * found);

void ref_components_clear (RefComponents * found);

/* Returns: the size class of a component in the list */
int ref_components_size (int cracks);

#ifdef __cplusplus
}
#endif
