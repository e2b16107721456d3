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
 * @regions: the mask that says where the current frame changes
 *
 * Blends frames with the results of a filter, weighted by a mask.
 */
typedef struct
{
  GstMgpuRegions regions;

  gpointer blend;               /* object of the algorithm mgpu_blend; NULL until needed */
  GArray *parts;                /* array of MgpuRect: the boxes of the frame for which the
                                 * device has the grey values of the mask */
  guint serial;                 /* serial number of the mask that is on the device; 0:
                                 * none */
} GstMgpuBlend;

/* Type of a function that enqueues in @job the work of a filter on a frame, which
 * computes work->out from work->in and work->guide. @data is the pointer that was passed
 * to gst_mgpu_blend_enqueue(). */
typedef void (*GstMgpuBlendWork) (gpointer data, GstMgpuJob * job, const MgpuWork * work);

void     gst_mgpu_blend_init      (GstMgpuBlend * self);
void     gst_mgpu_blend_clear     (GstMgpuBlend * self);
/* Frees the kernels and device memories of @self; call it before the OpenCL context or
 * the frame format changes. */
void     gst_mgpu_blend_unprepare (GstMgpuBlend * self);

/**
 * GstMgpuBlendNeeds:
 * @reach: largest distance in pixels between an output pixel and an input pixel that
 *   it is computed from; below 0: only the whole frame can be computed
 * @step: alignment in pixels: parts whose left and top edges are multiples of @step give the same
 *   result as the whole frame
 * @survey: whether the work is first enqueued on the whole frame, with %NULL as
 *   work->out
 *
 * Describes what the work of a filter needs so that it can be done on a part of a frame.
 */
typedef struct
{
  gint reach, step;
  gboolean survey;
} GstMgpuBlendNeeds;

/* Enqueues the work of a filter on those parts of a frame that change, and blends the results into
 * work->out, which is either work->in or set to a copy of work->in. Blends nothing if work->out is
 * NULL. Errors stay in @job. */
void     gst_mgpu_blend_enqueue   (GstMgpuBlend * self, GstMgpuJob * job, GstMgpuContext * context,
                                 const MgpuWork * work, const GstMgpuBlendNeeds * needs,
                                 GstMgpuBlendWork enqueue, gpointer data);

/* Blends the input frame @in into @out, the filter's result for all pixels that the mask marks: the
 * smaller the mask value, the larger the weight of @in. Errors stay in @job. */
void     gst_mgpu_blend_restore   (GstMgpuBlend * self, GstMgpuJob * job, GstMgpuContext * context,
                                 const MgpuImage * in, const MgpuImage * out);

G_END_DECLS
