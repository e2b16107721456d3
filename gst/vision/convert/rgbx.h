/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "convert.h"

G_BEGIN_DECLS

/* Frames of any format as RGB with 4 bytes a pixel: all zero is for none. */
typedef struct
{
  gpointer convert;             /* of mgpu_convert; NULL for frames that are such */
  GstVideoInfo info;
  GstMemory *memory;
} MgpuRgbx;

/* info: of frames that come */
gboolean mgpu_rgbx_init (MgpuRgbx * self, GstMgpuContext * context, const GstVideoInfo * info, GError ** error);

/* out: in, or what it was converted to. FALSE: the error is in job. */
gboolean mgpu_rgbx_enqueue (MgpuRgbx * self, GstMgpuJob * job, const MgpuImage * in, MgpuImage * out);

void mgpu_rgbx_clear (MgpuRgbx * self);

G_END_DECLS
