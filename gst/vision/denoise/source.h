/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Provides the optical flow for noise reduction: from the metas of frames, or measured. */
#pragma once

#include <gst/vision/colour/colour.h>
#include <gst/vision/flow/flow.h>

G_BEGIN_DECLS
/* Number of slots (scratch buffers) of the owner that a source uses: for flow, for confidence, and
 * for the luma of RGB frames */
#define MGPU_DENOISE_SOURCE_N_SLOTS 3
/* A source of optical flow: reads the flow from the metas of frames, or measures it. Zero the
 * struct before its first use. */
    typedef struct
{
  /* Flow of the next frame, from its meta; NULL if the frame has no usable flow */
  GstMemory *given;
  MgpuFlowSize given_size;
  gboolean follows;             /* whether the last frame that was passed to
                                 * mgpu_denoise_source_look() was processed */
  guint64 offset;               /* buffer offset of the last frame that was passed to
                                 * mgpu_denoise_source_look() */

  /* Object that measures the flow of frames that have no usable flow; NULL if it was not needed so
   * far, or if frames are too small */
  MgpuFlow *flow;
  MgpuColourLuma *luma;         /* object that computes the luma of RGB frames for @flow, or NULL */
} MgpuDenoiseSource;

/* Reads the meta of the buffer @in of the next frame. Its flow is used if it is in memory of
 * @context and was measured to the last frame that was processed.
 * @uses_flow: whether flow is needed. @is_processed: whether the frame will be enqueued */
void mgpu_denoise_source_look (MgpuDenoiseSource * self,
    GstMgpuContext * context, GstBuffer * in, gboolean uses_flow,
    gboolean is_processed);

/* Makes the object that measures flow for frames of the MgpuObject @owner, unless it exists or
 * frames are too small. */
gboolean mgpu_denoise_source_make (MgpuDenoiseSource * self, gpointer owner,
    GError ** error);

/* Gets the flow from the frame @in to the last frame, and sets *@size to the size of the field. If
 * the frame has no flow, enqueues the kernels that measure it. @owner: the MgpuObject of the
 * caller, whose slots are used, starting at @slot. Returns: the field; NULL for the first frame,
 * and after an error, which is in @job */
GstMgpuMemory *mgpu_denoise_source_get (MgpuDenoiseSource * self,
    gpointer owner, guint slot, GstMgpuJob * job, const MgpuImage * in,
    MgpuFlowSize * size);

/* Forgets the last frame. */
void mgpu_denoise_source_forget (MgpuDenoiseSource * self);

/* Frees the object that measures flow. */
void mgpu_denoise_source_drop (MgpuDenoiseSource * self);

/* Frees all members of the source. */
void mgpu_denoise_source_clear (MgpuDenoiseSource * self);

G_END_DECLS
