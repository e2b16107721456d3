/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpucontext.h"

G_BEGIN_DECLS

/* Several OpenCL contexts (lanes) of one device. The elements of one pipeline are distributed
 * among the lanes; all elements of a stream share one lane. The reason is that some drivers hold
 * a lock for each OpenCL context: in a single context, the elements of several streams would wait
 * for each other. */
typedef struct _GstMgpuLanes GstMgpuLanes;

/* Makes @context the first lane of a new GstMgpuLanes if its device may have several contexts.
 * gst_mgpu_lanes_choose() makes further lanes on demand. Call this function before another thread
 * can use @context. Each lane owns one reference to its GstMgpuLanes; the GstMgpuLanes has only
 * weak references to the lanes. */
G_GNUC_INTERNAL
void             gst_mgpu_lanes_allow   (GstMgpuContext * context);

/* Returns: (transfer none) (nullable): the GstMgpuLanes of which @context is a lane; NULL if
 * @context is not a lane */
G_GNUC_INTERNAL
GstMgpuLanes *   gst_mgpu_lanes_get     (GstMgpuContext * context);

/* Chooses the lane with the fewest command queues. If several lanes have the same smallest number
 * of queues, and @hint is one of them, chooses @hint. Makes a new lane if each lane has a queue and
 * the device may have one more context. Returns: (transfer full): a lane; @hint itself if it is not
 * a lane */
G_GNUC_INTERNAL
GstMgpuContext * gst_mgpu_lanes_choose  (GstMgpuContext * hint);

/* Call these functions before and after @context loads or builds programs. Only one lane does so
 * at a time; the other lanes wait, and then find the programs in the cache. The functions do
 * nothing if @context is not a lane. */
G_GNUC_INTERNAL
void             gst_mgpu_lanes_begin_build (GstMgpuContext * context);

G_GNUC_INTERNAL
void             gst_mgpu_lanes_end_build   (GstMgpuContext * context);

G_END_DECLS
