/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The luma that analysers look at: the first component of a frame, or what RGB
 * is turned into. */
#pragma once

#include <gst/vision/colour/colour.h>

#include <gst/frame/gstmgpupools.h>

G_BEGIN_DECLS

/**
 * GstMgpuLuma:
 * @info: of the frame whose first component is luma
 *
 * Zeros at first.
 */
typedef struct
{
  GstVideoInfo info;

  /*< private >*/
  MgpuColourLuma *colour;       /* for RGB */
  GstMemory *frame;
} GstMgpuLuma;

/* For frames like user's. What was made before a failure is to be cleared, too. */
gboolean          gst_mgpu_luma_prepare (GstMgpuLuma * self, GstMgpuDeviceUser * user, GError ** error);
void              gst_mgpu_luma_clear   (GstMgpuLuma * self);
/* Whether luma is not in the frame itself */
gboolean          gst_mgpu_luma_is_made (const GstMgpuLuma * self);
/* Returns: the luma of in, where it is or in *made */
const MgpuImage * gst_mgpu_luma_enqueue (GstMgpuLuma * self, GstMgpuJob * job, const MgpuImage * in, MgpuImage * made);

G_END_DECLS
