/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpuframe.h"
#include "gstmgpuregions.h"

G_BEGIN_DECLS

/**
 * GstMgpuBlend:
 * @regions: the mask of the pixels that change in the current frame
 *
 * Blends frames with the results of a filter, weighted by a mask.
 */
typedef struct
{
  GstMgpuRegions regions;

  gpointer blend;               /* object of the algorithm mgpu_blend; NULL before it is needed */
  GArray *parts;                /* array of MgpuRect: the boxes of the frame whose mask values are
                                 * on the device */
  guint serial;                 /* serial number of the mask that is on the device; 0:
                                 * none */
} GstMgpuBlend;

/* Type of a function that enqueues the work of a filter on a frame in @job. The work reads
 * work->in and work->guide, and writes work->out. @data is the pointer that was passed to
 * gst_mgpu_blend_enqueue(). */
typedef void (*GstMgpuBlendWork) (gpointer data, GstMgpuJob * job, const MgpuWork * work);

void     gst_mgpu_blend_init      (GstMgpuBlend * self);
void     gst_mgpu_blend_clear     (GstMgpuBlend * self);
/* Makes the kernels for frames of the format @info, unless they exist already. They are otherwise
 * made for the first frame that needs them. */
gboolean gst_mgpu_blend_prepare   (GstMgpuBlend * self, GstMgpuContext * context, const GstVideoInfo * info,
                                 GError ** error);
/* Frees the kernels and device memories of @self; call it before the OpenCL context or
 * the frame format changes. */
void     gst_mgpu_blend_unprepare (GstMgpuBlend * self);

/**
 * GstMgpuBlendNeeds:
 * @reach: maximum distance in pixels between an output pixel and the input pixels from which it
 *   is computed; negative: only the whole frame can be computed
 * @step: alignment in pixels: the left and top edges of parts have to be multiples of @step,
 *   otherwise their results differ from those of the whole frame
 * @survey: whether the work is first enqueued for the whole frame, with work->out = %NULL, and
 *   then for the parts
 *
 * Describes what the work of a filter requires if it is done on parts of a frame.
 */
typedef struct
{
  gint reach, step;
  gboolean survey;
} GstMgpuBlendNeeds;

/* Enqueues the work of a filter on the parts of a frame that change, and blends the results into
 * work->out. work->out is work->in, or another image, to which work->in is copied first. If it is
 * NULL, nothing is blended. Errors stay in @job. */
void     gst_mgpu_blend_enqueue   (GstMgpuBlend * self, GstMgpuJob * job, GstMgpuContext * context,
                                 const MgpuWork * work, const GstMgpuBlendNeeds * needs,
                                 GstMgpuBlendWork enqueue, gpointer data);

/* Blends the input frame @in into @out, which contains the filter's result for all marked pixels.
 * The weight of @in is larger where the mask value is smaller. Errors stay in @job. */
void     gst_mgpu_blend_restore   (GstMgpuBlend * self, GstMgpuJob * job, GstMgpuContext * context,
                                 const MgpuImage * in, const MgpuImage * out);

G_END_DECLS
