/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/frame/gstmgpudeviceuser.h>

G_BEGIN_DECLS

/* Returns: (transfer full): what frames of caps, which those of a pad of direction
 * have, can become, or be made of: any format, size, colours and memory, the
 * device's first */
GstCaps * gst_mgpu_convert_caps_relax  (GstCaps * caps, GstPadDirection direction);

/* Fixes others, (transfer full), what frames of in may become: the format that
 * loses least, the display aspect ratio of in, the nearest size, the colours of
 * in. transposed: whether columns become rows */
GstCaps * gst_mgpu_convert_caps_fixate (GstCaps * in, GstCaps * others, gboolean transposed);

G_END_DECLS
