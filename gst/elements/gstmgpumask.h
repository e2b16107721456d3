/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Pixels below this are not set. JPEG leaves specks around black and white. */
#define GST_MGPU_MASK_THRESHOLD 128

/* A mask from an image file: grey, width x height bytes without gaps. */
typedef struct
{
  gint width, height;
  guint8 *data;
} GstMgpuMask;

/* Reads what gdk-pixbuf reads: PNG, JPEG, PGM and more, of any colour type; what is transparent is black. It has
 * to be as large as frames are, or is made so when scale says so, from the nearest pixels.
 * property: whose value location is, for the error, whose domain is GST_RESOURCE_ERROR. */
GstMgpuMask * gst_mgpu_mask_load (const gchar * location, gint width, gint height, gboolean scale,
                                  const gchar * property, GError ** error);

void          gst_mgpu_mask_free (GstMgpuMask * mask);

G_END_DECLS
