/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds the pixels of a frame that move, and the groups (parts) that they form. */
#pragma once

#include <gst/vision/inpaint/masks.h>

G_BEGIN_DECLS

/* A part: a connected group of moving pixels */
typedef struct
{
  MgpuBox box;                  /* box around the moving pixels of the part */
  gint n;                       /* number of moving pixels in the part */
  gint n_owners;                /* number of tracks (moving objects that are followed) that
                                 * contain pixels of the part */
  gboolean touches;             /* whether the part touches hidden pixels: one is at most two
                                 * columns and rows away from it */
} MgpuInpaintPart;

/* Finds the pixels that move: a visible pixel moves if at least 4 of the 3x3 pixels around it
 * differ from the background. All arrays have @width x @height bytes.
 * @differs: 1 for pixels that differ from the background; 0 for other pixels and for hidden
 * ones.
 * @hidden: other than 0 for hidden pixels.
 * @moving: written; 1 for pixels that move, otherwise 0. */
void mgpu_inpaint_find_moving (const guint8 * differs, const guint8 * hidden, gint width, gint height,
    guint8 * moving);

/* Finds the parts (connected groups) of moving pixels, and cuts parts that look like two people
 * side by side. Writes a number for each pixel to @labels: the index of the pixel's part in the
 * result, starting at 1, or 0 if the pixel does not move.
 * Returns: (transfer full): array of MgpuInpaintPart; element 0 does not describe a part */
GArray * mgpu_inpaint_find_parts (const guint8 * moving, const guint8 * hidden, gint width, gint height,
    gint * labels);

/* Closes gaps in a shape: morphological closing, a dilation followed by an erosion, with a
 * square of 5x5 pixels. Pixels outside the frame are ignored. The array @shape has @width x
 * @height bytes; bytes outside @box must be 0.
 * Returns: a box that contains all pixels that are 1 after the call */
MgpuBox mgpu_inpaint_close (guint8 * shape, gint width, gint height, MgpuBox box);

G_END_DECLS
