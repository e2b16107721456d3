/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Gives analysers the luma of a frame: its first component, or, of an RGB frame, luma that
 * a kernel computes. */
#pragma once

#include <gst/vision/colour/colour.h>

#include <gst/frame/gstmgpuinput.h>

G_BEGIN_DECLS

/**
 * GstMgpuLuma:
 * @info: the format of the frame whose first component is luma
 *
 * Holds the kernel that computes the luma of RGB frames, and its result. The struct is
 * zeroed at first.
 */
typedef struct
{
  GstVideoInfo info;

  /*< private >*/
  MgpuColourLuma *colour;       /* kernel that computes luma; NULL unless frames are RGB */
  GstMemory *frame;             /* luma that the kernel computed; NULL unless RGB */
} GstMgpuLuma;

/* Prepares @self for frames that arrive at the element of @user. Call
 * gst_mgpu_luma_clear() even after a failure. */
gboolean          gst_mgpu_luma_prepare (GstMgpuLuma * self, GstMgpuInput * input, GError ** error);
void              gst_mgpu_luma_clear   (GstMgpuLuma * self);
/* Returns: whether a kernel computes luma, because frames are RGB */
gboolean          gst_mgpu_luma_is_made (const GstMgpuLuma * self);
/* Enqueues the computation of luma if the frame @in is RGB. Returns: an image whose first
 * component is the luma of @in: @in itself, or @made, which is set then */
const MgpuImage * gst_mgpu_luma_enqueue (GstMgpuLuma * self, GstMgpuJob * job, const MgpuImage * in, MgpuImage * made);

G_END_DECLS
