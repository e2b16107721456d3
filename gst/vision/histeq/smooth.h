/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/bins.h>

G_BEGIN_DECLS

/* Tables that change slowly from frame to frame, but at once where a new scene
 * begins. */
typedef struct _MgpuSmooth MgpuSmooth;

MgpuSmooth * mgpu_smooth_new (GstMgpuContext * context, const MgpuBins * bins, GError ** error);

/* The next frame is the first: others have to do with it no longer. */
void mgpu_smooth_reset (MgpuSmooth * self);

/* Where the n_tables tables of this frame are to be written. NULL after an
 * error, which is in job. */
GstMemory * mgpu_smooth_get_tables (MgpuSmooth * self, GstMgpuJob * job, guint n_tables);

/* Makes smooth ones of them. smoothing: 0 to 1, what the past weighs. Where the
 * tables differ from those of the frame before by more than this part of their
 * range, 1 / new_scene, in the mean, it weighs nothing. */
void mgpu_smooth_enqueue (MgpuSmooth * self, GstMgpuJob * job, gdouble smoothing,
    guint new_scene, GstMemory * result);

void mgpu_smooth_free (MgpuSmooth * self);

G_END_DECLS
