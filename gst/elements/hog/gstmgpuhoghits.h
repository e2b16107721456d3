/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/frame/gstmgpuinput.h>

G_BEGIN_DECLS

/* Buffer pools for the two arrays that a search writes: the scores of all positions, and the
 * positions whose score is above the threshold (hits). */
typedef struct
{
  GstMgpuDeviceBase *base;
  GstBufferPool *scores, *hits;
} GstMgpuHogPools;

/* The arrays of one search. */
typedef struct
{
  GstBuffer *scores, *hits;     /* NULL without a search */
} GstMgpuHogHits;

/* Makes pools of arrays of @scores and @hits bytes. Free them with gst_mgpu_hog_pools_clear(), also
 * after an error. */
gboolean gst_mgpu_hog_pools_init (GstMgpuHogPools * self, GstMgpuDeviceBase * base, gsize scores, gsize hits,
    GError ** error);
void gst_mgpu_hog_pools_clear (GstMgpuHogPools * self);

/* Gets arrays for a search; an error stays in @job. Free them with gst_mgpu_hog_hits_clear(), also
 * after an error. */
gboolean gst_mgpu_hog_pools_acquire (GstMgpuHogPools * self, GstMgpuJob * job, GstMgpuHogHits * hits);
void gst_mgpu_hog_hits_clear (GstMgpuHogHits * self);

G_END_DECLS
