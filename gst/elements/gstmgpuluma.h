/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Gives elements that analyse frames the luma of a frame: its first colour component, or,
 * for an RGB frame, luma that a kernel computes. */
#pragma once

#include <gst/vision/colour/colour.h>

#include <gst/frame/gstmgpuinput.h>

G_BEGIN_DECLS

/**
 * GstMgpuLuma:
 * @info: the format of the image whose first component is luma: the frame itself, or
 *   the computed luma of an RGB frame
 *
 * Holds the kernel that computes the luma of RGB frames, and its result. The struct has
 * to be zeroed before its first use.
 */
typedef struct
{
  GstVideoInfo info;

  MgpuColourLuma *colour;       /* object with the kernel that computes luma; NULL unless
                                 * frames are RGB */
  GstMemory *frame;             /* memory with the luma that the kernel computed; NULL
                                 * unless frames are RGB */
} GstMgpuLuma;

/* Prepares @self for frames that arrive at @input. Call gst_mgpu_luma_clear() in the end,
 * even after a failure. */
gboolean          gst_mgpu_luma_prepare (GstMgpuLuma * self, GstMgpuInput * input, GError ** error);
void              gst_mgpu_luma_clear   (GstMgpuLuma * self);
/* Returns: whether luma has to be computed by a kernel, because frames are RGB */
gboolean          gst_mgpu_luma_is_made (const GstMgpuLuma * self);
/* If the frame @in is RGB, enqueues the computation of its luma. Returns: an image whose
 * first component is the luma of @in: @in itself, or *@made, which is set to the computed
 * luma */
const MgpuImage * gst_mgpu_luma_enqueue (GstMgpuLuma * self, GstMgpuJob * job, const MgpuImage * in, MgpuImage * made);

G_END_DECLS
