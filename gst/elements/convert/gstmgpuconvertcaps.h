/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/frame/gstmgpudevicebase.h>

G_BEGIN_DECLS

/* Returns: (transfer full): the caps that one pad of mgpuconvert can have when the other pad, whose
 * direction is @direction, has @caps: any format, size and colours */
GstCaps * gst_mgpu_convert_caps_relax  (GstCaps * caps, GstPadDirection direction);

/* Fixates @others (transfer full), the caps to which frames may be converted; @in_caps are
 * the caps of the input frames. Chooses the pixel format that loses least, the display
 * aspect ratio and the colours of @in_caps, and the nearest size. @transposed says
 * whether frames are turned by 90 or 270 degrees, so that columns become rows. */
GstCaps * gst_mgpu_convert_caps_fixate (GstCaps * in_caps, GstCaps * others, gboolean transposed);

G_END_DECLS
