/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/remap/lens-map.h>

G_BEGIN_DECLS

/* Sets @place to the position in the old frame, in pixels, of the position (@x, @y) of the new frame, as
 * kernels interpolate it, without rounding. Returns: the margin, in radians; below 0 the camera
 * does not see the position */
gdouble mgpu_lens_map_find (const MgpuLensMap * map, gdouble x, gdouble y, gdouble place[2]);

/* Finds positions of an old frame in a new frame: the inverse of a map. */
typedef struct _MgpuLensIndex MgpuLensIndex;

/* Makes the inverse of @map, which has to outlive it. @width, @height: size of the new frame, in pixels
 * Returns: (transfer full): the inverse */
MgpuLensIndex * mgpu_lens_index_new (const MgpuLensMap * map, gint width, gint height);

/* Sets @at to the position in the new frame, in pixels, that shows the position @old of the old
 * frame; if there are several such positions, the first in the order of rows. Returns: FALSE if the
 * new frame does not show it */
gboolean mgpu_lens_index_find (const MgpuLensIndex * index, const gdouble old[2], gdouble at[2]);

void mgpu_lens_index_free (MgpuLensIndex * index);

G_END_DECLS
