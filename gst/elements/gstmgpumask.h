/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Pixels below this value are not set. JPEG leaves specks around black and white. */
#define GST_MGPU_MASK_THRESHOLD 128

/* Holds a mask from an image file: width x height bytes of grey without gaps. */
typedef struct
{
  gint width, height;
  guint8 *data;
} GstMgpuMask;

/* Reads a file that gdk-pixbuf can read: PNG, JPEG, PGM and more, of any colour type. Transparent pixels are black.
 * The picture has width x height pixels, or is scaled to them with scale, from the nearest pixels. property: the
 * property that has location, for the error, whose domain is GST_RESOURCE_ERROR. */
GstMgpuMask * gst_mgpu_mask_load (const gchar * location, gint width, gint height, gboolean scale,
                                  const gchar * property, GError ** error);

void          gst_mgpu_mask_free (GstMgpuMask * mask);

G_END_DECLS
