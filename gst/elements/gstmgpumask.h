/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Least grey value of a pixel that a mask marks; it is not 1, because JPEG leaves specks
 * around black and white. */
#define GST_MGPU_MASK_THRESHOLD 128

/* Reads a file that gdk-pixbuf can read: PNG, JPEG, PGM and more, of any colour type.
 * Transparent pixels become black. The picture must have width x height pixels, or is
 * scaled to them, by nearest pixels, if scale is set. The error, in the domain
 * GST_RESOURCE_ERROR, names @property, the element's property with the value @location.
 * Returns: (transfer full) (nullable): width x height grey values, without gaps between
 * rows */
guint8 * gst_mgpu_mask_load (const gchar * location, gint width, gint height, gboolean scale,
                             const gchar * property, GError ** error);

G_END_DECLS
