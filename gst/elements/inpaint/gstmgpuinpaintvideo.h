/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Fills the masks of mgpuinpaint with mode=video. */
#pragma once

#include <gst/frame/gstmgpufilter.h>
#include <gst/vision/layers/layers.h>

#include "gstmgpuinpaintparams.h"

G_BEGIN_DECLS

/* The frames of a stream that mode=video remembers. Used by the streaming thread; the object lock
 * of the element guards @counts and @n_before. */
typedef struct
{
  MgpuLayers *layers;           /* NULL before the first frame with mode=video */
  MgpuRect part;                /* part of the frames that @layers remembers; empty: none yet */
  MgpuLayersParams params;      /* parameters at the time when @layers was made */
  GstBufferPool *pool;          /* pool of tables of LAYERS_N_COUNTS counts */
  GstBuffer *counts;            /* table with the counts of the last frame and of all frames
                                 * since @layers was made; NULL: none */
  guint64 n_before[LAYERS_N_COUNTS];    /* sums of the counts of earlier objects that were stored in
                                         * @layers */
} GstMgpuInpaintVideo;

/* Makes the object that fills masks, with its kernels, unless it exists. */
gboolean gst_mgpu_inpaint_video_prepare (GstMgpuInpaintVideo * self, GstMgpuContext * context,
                                         const GstVideoInfo * info, GError ** error);

/* Frees all memory on the device. The counts remain. */
void     gst_mgpu_inpaint_video_unprepare (GstMgpuInpaintVideo * self, GstMgpuFilter * filter);

/* Sets all counts to 0. */
void     gst_mgpu_inpaint_video_reset   (GstMgpuInpaintVideo * self, GstMgpuFilter * filter);

/* Returns: whether frames with the mask @unknown and the parameters @params can be added to the
 * frames that are already remembered; otherwise gst_mgpu_inpaint_video_begin() has to be called */
gboolean gst_mgpu_inpaint_video_fits    (GstMgpuInpaintVideo * self, const GstVideoInfo * info,
                                         const GstMgpuInpaintParams * params, const guint8 * unknown);

/* Forgets all frames, and chooses the part of the frames that is remembered from now on. */
gboolean gst_mgpu_inpaint_video_begin   (GstMgpuInpaintVideo * self, GstMgpuFilter * filter,
                                         const GstMgpuInpaintParams * params, const guint8 * unknown,
                                         GError ** error);

/* Returns: whether frames may be remembered */
gboolean gst_mgpu_inpaint_video_has_frames (const GstMgpuInpaintVideo * self);

/* Forgets all frames. */
void     gst_mgpu_inpaint_video_forget  (GstMgpuInpaintVideo * self);

/* Remembers the frame @image with the mask @unknown. Errors stay in @job. */
void     gst_mgpu_inpaint_video_look    (GstMgpuInpaintVideo * self, GstMgpuJob * job,
                                         const MgpuImage * image, const guint8 * unknown);

/* Fills the mask @unknown (nullable: none) of a frame that was remembered. Errors stay in @job. */
void     gst_mgpu_inpaint_video_fill    (GstMgpuInpaintVideo * self, GstMgpuFilter * filter,
                                         GstMgpuJob * job, const MgpuWork * work, const guint8 * unknown);

/* Reads the counts since the element started. Waits for the device. Call it without a lock. */
void     gst_mgpu_inpaint_video_count   (GstMgpuInpaintVideo * self, GstMgpuFilter * filter,
                                         guint64 counts[LAYERS_N_COUNTS]);

G_END_DECLS
