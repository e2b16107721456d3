/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* For each pixel of a new frame, the position in the old frame that it shows. */
typedef struct
{
  gint width, height;           /* size of the new frame */
  gfloat *places;               /* x and y of each pixel, row by row from the top, in pixels; both
                                 * are NaN for a pixel that shows nothing of the old frame */
} MgpuPlaces;

/* Reads positions from a PFM file with 3 channels (x, y, and one that is not used), or from two
 * files with x and y, whose names are in @path with a colon between them: PFM files with one
 * channel, or PGM files of 16 bits. Positions that are not finite, or below -1e6, stand for pixels
 * that show nothing of the old frame.
 * Returns: (transfer full): the positions; NULL with an error that names the file */
MgpuPlaces * mgpu_places_load (const gchar * path, GError ** error);

/* Returns: whether the file @path, or the first one if @path names two, has the header of a file
 * of positions */
gboolean mgpu_places_is_file (const gchar * path);

void mgpu_places_free (MgpuPlaces * places);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MgpuPlaces, mgpu_places_free)

G_END_DECLS
