/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds the pixels of a frame that move, and the groups (parts) that they form. */
#pragma once

#include <gst/vision/inpaint/masks.h>

G_BEGIN_DECLS

/* Describes a part: a connected group of moving pixels */
typedef struct
{
  MgpuBox box;                  /* box around the moving pixels of the part */
  gint n;                       /* number of moving pixels in the part */
  gint n_owners;                /* number of tracks (moving objects that are followed) that are
                                 * seen in the part */
  gboolean touches;             /* whether a hidden pixel is at most two columns and rows away
                                 * from the part */
} MgpuInpaintPart;

/* Finds the pixels that move: visible pixels for which at least 4 pixels of the 3x3
 * neighbourhood differ from the background. All arrays have @width x @height bytes:
 * @differs is 1 for pixels that differ from the background, and 0 for hidden pixels;
 * @moving gets 1 for pixels that move, otherwise 0. */
void mgpu_inpaint_find_moving (const guint8 * differs, const guint8 * hidden, gint width, gint height,
    guint8 * moving);

/* Finds the parts (connected groups) of moving pixels, and cuts parts that look like two
 * people side by side. The array @labels has a number for each pixel; the number becomes
 * the index, from 1, of the pixel's part in the result, and 0 for pixels that do not
 * move.
 * Returns: (transfer full): array of MgpuInpaintPart; element 0 is not used */
GArray * mgpu_inpaint_find_parts (const guint8 * moving, const guint8 * hidden, gint width, gint height,
    gint * labels);

/* Closes gaps in a shape (morphological closing with a 5x5 square): a pixel becomes 1
 * when each pixel at most two columns and rows away has a 1 at most two columns and rows
 * away. Pixels outside of the frame do not count. The array @shape has @width x @height
 * bytes; bytes outside of @box are 0 before the call.
 * Returns: the box in which there may be a 1 now */
MgpuBox mgpu_inpaint_close (guint8 * shape, gint width, gint height, MgpuBox box);

G_END_DECLS
