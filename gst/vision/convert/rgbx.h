/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "convert.h"

G_BEGIN_DECLS

/* Converts frames of any format to RGB with 4 bytes for each pixel. All bytes of the struct are
 * zero before mgpu_rgbx_init() and after mgpu_rgbx_clear(). */
typedef struct
{
  MgpuObject *convert;          /* object of mgpu_convert, owned; NULL if frames need no
                                 * conversion */
} MgpuRgbx;

/* Prepares @self, whose bytes are all zero, for frames with the format and size of @info.
 * Returns: FALSE with the error set */
gboolean mgpu_rgbx_init (MgpuRgbx * self, GstMgpuContext * context, const GstVideoInfo * info, GError ** error);

/* Enqueues the conversion of the frame @in to RGB with 4 bytes for each pixel, and describes
 * the result in @out. If the frame already has this format, it is not copied: @out describes
 * @in.
 * Returns: FALSE after an error, which is in @job */
gboolean mgpu_rgbx_enqueue (MgpuRgbx * self, GstMgpuJob * job, const MgpuImage * in, MgpuImage * out);

void mgpu_rgbx_clear (MgpuRgbx * self);

G_END_DECLS
