/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/frame/gstmgpudevicebase.h>

G_BEGIN_DECLS

/* Returns: (transfer full): the caps that are possible at one pad of mgpuconvert if the other
 * pad, whose direction is @direction, has @caps: any format, size and colours */
GstCaps * gst_mgpu_convert_caps_relax  (GstCaps * caps, GstPadDirection direction);

/* Fixates @others (transfer full), the caps to which frames may be converted. @in_caps are
 * the caps of the input frames. Chooses the pixel format that loses least, the nearest size,
 * and the display aspect ratio and colours of @in_caps. @transposed: whether rows and columns
 * are swapped, as in a rotation by 90 or 270 degrees. */
GstCaps * gst_mgpu_convert_caps_fixate (GstCaps * in_caps, GstCaps * others, gboolean transposed);

G_END_DECLS
