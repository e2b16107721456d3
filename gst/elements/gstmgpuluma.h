/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Provides the luma of frames for elements that analyze frames. It is the first color
 * component of a frame, or, for an RGB frame, luma that a kernel computes. */
#pragma once

#include <gst/vision/colour/colour.h>

#include <gst/frame/gstmgpuinput.h>

G_BEGIN_DECLS

/**
 * GstMgpuLuma:
 * @info: the format of the image whose first component is luma. The image is the frame
 *   itself, or the computed luma of an RGB frame
 *
 * The kernel that computes the luma of RGB frames, and its result. Zero the struct before
 * its first use.
 */
typedef struct
{
  GstVideoInfo info;

  MgpuColourLuma *colour;       /* object with the kernel that computes luma; NULL unless
                                 * frames are RGB */
  GstMemory *frame;             /* memory with the luma that @converter computed */
} GstMgpuLuma;

/* Prepares @self for frames that arrive at @input. Call gst_mgpu_luma_clear() afterwards,
 * even on failure. */
gboolean          gst_mgpu_luma_prepare (GstMgpuLuma * self, GstMgpuInput * input, GError ** error);
void              gst_mgpu_luma_clear   (GstMgpuLuma * self);
/* Returns: whether a kernel has to compute luma, because frames are RGB */
gboolean          gst_mgpu_luma_is_made (const GstMgpuLuma * self);
/* If the frame @in is RGB, enqueues the computation of its luma, and sets *@made to the
 * result. Returns: an image whose first component is the luma of @in: @in itself or @made */
const MgpuImage * gst_mgpu_luma_enqueue (GstMgpuLuma * self, GstMgpuJob * job, const MgpuImage * in, MgpuImage * made);

G_END_DECLS
