/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpucontext.h"

G_BEGIN_DECLS

/* Several OpenCL contexts (lanes) of one device, among which the elements of one pipeline are
 * distributed: all elements of a stream share one lane. Some drivers hold a lock for each OpenCL
 * context, so that the elements of several streams would wait for each other in a single
 * context. */
typedef struct _GstMgpuLanes GstMgpuLanes;

/* Makes @context the first lane of a new GstMgpuLanes, if its device may have several contexts;
 * further lanes are made later. Call it before any other thread has @context. Each lane owns one
 * reference to its GstMgpuLanes; the GstMgpuLanes has only weak references to the lanes. */
G_GNUC_INTERNAL
void             gst_mgpu_lanes_allow   (GstMgpuContext * context);

/* Returns: (transfer none) (nullable): the GstMgpuLanes to which the context @context belongs */
G_GNUC_INTERNAL
GstMgpuLanes *   gst_mgpu_lanes_get     (GstMgpuContext * context);

/* Chooses the lane with the fewest command queues; of several, @hint if it is one of them. Makes
 * a new lane if each lane has a queue and the device may have one more context. Returns:
 * (transfer full): a lane; @hint itself if it is not a lane */
G_GNUC_INTERNAL
GstMgpuContext * gst_mgpu_lanes_choose  (GstMgpuContext * hint);

/* Begin and end the time in which @context loads or builds programs. Only one lane at a time does
 * so, so that the other lanes find the programs in the cache. The calls do nothing if @context is
 * not a lane. */
G_GNUC_INTERNAL
void             gst_mgpu_lanes_begin_build (GstMgpuContext * context);

G_GNUC_INTERNAL
void             gst_mgpu_lanes_end_build   (GstMgpuContext * context);

G_END_DECLS
