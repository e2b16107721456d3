/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpuframe.h"
#include "gstmgpuregions.h"

G_BEGIN_DECLS

/**
 * GstMgpuMix:
 * @regions: where the current frame changes
 *
 * Blends frames with the results of a filter, where a mask says so.
 */
typedef struct
{
  GstMgpuRegions regions;

  /*< private >*/
  gpointer blend;               /* object of mgpu_blend; NULL until needed */
  GArray *parts;                /* array of MgpuRect: boxes in which the device has the
                                 * grey values of the mask */
  guint serial;                 /* serial number of the mask that the device
                                 * has; 0: none */
} GstMgpuMix;

/* Enqueues in @job the work of a filter on a frame, which computes work->out
 * from work->in and work->guide. The parameter data is that of
 * gst_mgpu_mix_enqueue(). */
typedef void (*GstMgpuMixWork) (gpointer data, GstMgpuJob * job, const MgpuWork * work);

void     gst_mgpu_mix_init      (GstMgpuMix * self);
void     gst_mgpu_mix_clear     (GstMgpuMix * self);
/* Frees the kernels and memories on the device; call it before the context or the format
 * changes. */
void     gst_mgpu_mix_unprepare (GstMgpuMix * self);

/**
 * GstMgpuMixNeeds:
 * @reach: largest distance in pixels between a pixel of the result and a pixel
 *   that it is computed from; below 0: the whole frame is computed
 * @step: number of pixels: a part of the frame that begins at a multiple of it
 *   gives the same result as the whole frame
 * @survey: whether the work is first enqueued on the whole frame, without out
 *
 * Says what the work on a part of a frame needs.
 */
typedef struct
{
  gint reach, step;
  gboolean survey;
} GstMgpuMixNeeds;

/* Enqueues the work on parts of a frame, and blends them into work->out, which
 * is work->in or becomes a copy of it; blends nothing where work->out is NULL.
 * Errors stay in job. */
void     gst_mgpu_mix_enqueue   (GstMgpuMix * self, GstMgpuJob * job, GstMgpuContext * context,
                                 const MgpuWork * work, const GstMgpuMixNeeds * needs,
                                 GstMgpuMixWork enqueue, gpointer data);

G_END_DECLS
