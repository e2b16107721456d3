/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Data that the host computes from a mask. */
#pragma once

#include "layers.h"

G_BEGIN_DECLS

/* A mask in the part of the frames that is remembered */
typedef struct
{
  guint8 *given;                /* the mask that was given, for the whole frame; NULL if there is
                                 * none yet */
  guint8 *mask;                 /* for each pixel of the part: 1 if it shares a sample of any
                                 * component with a pixel to be filled, otherwise 0 */
  GArray *order;                /* array of gint: indices of the pixels of @mask, row by row */
  GArray *depths;               /* array of guint8, for each pixel of @order: the largest distance
                                 * from a visible pixel within 4 pixels, from 2 to 8 */
  GArray *cells;                /* array of gint: indices of the cells that contain pixels to be
                                 * filled */
  guint serial;                 /* serial number of this content; no other mask has the same
                                 * number */
  gboolean is_uploaded, has_ends;       /* whether the data in this struct, and the ends of lines,
                                         * are on the device */
} MgpuLayersHole;

void mgpu_layers_hole_init (MgpuLayersHole * self);
void mgpu_layers_hole_clear (MgpuLayersHole * self);

/* Sets the mask to the part @part of @unknown. @serial: counter of masks
 * Returns: whether the mask has changed */
gboolean mgpu_layers_hole_set (MgpuLayersHole * self, const GstVideoInfo * info, const MgpuRect * part,
    const guint8 * unknown, guint * serial);

G_END_DECLS
