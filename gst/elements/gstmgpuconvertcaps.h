/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/frame/gstmgpudeviceuser.h>

G_BEGIN_DECLS

/* Finds the caps that one pad can have when the other pad, that of @direction,
 * has @caps: any format, size and colours. Returns: (transfer full): these
 * caps */
GstCaps * gst_mgpu_convert_caps_relax  (GstCaps * caps, GstPadDirection direction);

/* Fixes @others, (transfer full), the caps to which frames may be converted;
 * @in_caps are the caps of these frames. Chooses the format that loses least,
 * the display aspect ratio and the colours of @in_caps, and the nearest size.
 * The parameter @transposed says whether columns become rows. */
GstCaps * gst_mgpu_convert_caps_fixate (GstCaps * in_caps, GstCaps * others, gboolean transposed);

G_END_DECLS
