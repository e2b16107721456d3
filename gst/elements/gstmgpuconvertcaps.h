/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/frame/gstmgpudeviceuser.h>

G_BEGIN_DECLS

/* Finds the caps that the opposite pad can have, where @caps are those of the pad of
 * @direction: any format, size and colours. Returns: (transfer full): these caps */
GstCaps * gst_mgpu_convert_caps_relax  (GstCaps * caps, GstPadDirection direction);

/* Fixes @others, (transfer full), the caps that frames may be converted to; @in_caps are those
 * of these frames. Chooses the format that loses least, the display aspect ratio and the
 * colours of @in_caps, and the nearest size. The parameter @transposed says whether columns
 * become rows. */
GstCaps * gst_mgpu_convert_caps_fixate (GstCaps * in_caps, GstCaps * others, gboolean transposed);

G_END_DECLS
