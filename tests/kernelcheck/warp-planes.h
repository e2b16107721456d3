/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "kernelcheck.h"

#include "../reference/stabilize.h"

G_BEGIN_DECLS

/* The components of a frame, and the unused byte of pixels of RGBx and similar formats */
#define KC_WARP_PLANES (GST_VIDEO_MAX_COMPONENTS + 1)

/* Sets the chroma site of frames, and the size of the new frame in percent of the old frame's
 * size. */
void kc_warp_prepare (GstVideoChromaSite site, gint percent, GstVideoInfo * in, GstVideoInfo * out);

/* Sets @from and @to to the planes of both pictures. If both pictures have the same size, the bytes
 * of @out are first set to those of @in. Returns: the number of planes */
guint kc_warp_planes (const KcPicture * in, KcPicture * out, RefWarpPlane from[KC_WARP_PLANES],
    RefPlane to[KC_WARP_PLANES]);

G_END_DECLS
