/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/bins.h>

G_BEGIN_DECLS

/* tiles_x, tiles_y: at least 1. clip_limit: 0 clips nothing; otherwise how many
 * times its share of a tile's samples a bin may count for. */
typedef struct
{
  guint tiles_x, tiles_y;
  gdouble clip_limit;
} MgpuClaheParams;

/* Contrast limited adaptive histogram equalization: a table for each tile of
 * the frame, between which samples are interpolated. */
typedef struct _MgpuClahe MgpuClahe;

MgpuClahe * mgpu_clahe_new (GstMgpuContext * context, const MgpuBins * bins, GError ** error);

/* tables: tiles_x x tiles_y times bins->n_counters samples. in: a frame like
 * that of bins. Errors stay in job. */
void mgpu_clahe_enqueue_tables (MgpuClahe * self, GstMgpuJob * job, const MgpuClaheParams * params,
    const MgpuImage * in, GstMemory * tables);

/* Looks all samples of in up. */
void mgpu_clahe_enqueue_apply (MgpuClahe * self, GstMgpuJob * job, const MgpuClaheParams * params,
    const MgpuImage * in, const MgpuImage * out, GstMemory * tables);

/* To be called when a job that this was part of has failed. */
void mgpu_clahe_forget (MgpuClahe * self);

void mgpu_clahe_free (MgpuClahe * self);

G_END_DECLS
