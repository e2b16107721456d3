/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpucontext.h"

G_BEGIN_DECLS

/* The OpenCL contexts of one device over which the chains of one pipeline are spread. Some
 * drivers hold a lock for each OpenCL context, so that elements of several streams wait for
 * each other in one context. A context of a GstMgpuLanes is called a lane. */
typedef struct _GstMgpuLanes GstMgpuLanes;

/* Lets further contexts of the device of @context be made beside it, if the device may have
 * several. Call it before any other thread has @context. Each lane owns one reference to its
 * GstMgpuLanes; the GstMgpuLanes has only weak references to the lanes. */
G_GNUC_INTERNAL
void             gst_mgpu_lanes_allow   (GstMgpuContext * context);

/* Returns: (transfer none) (nullable): the lanes of which @context is one */
G_GNUC_INTERNAL
GstMgpuLanes *   gst_mgpu_lanes_get     (GstMgpuContext * context);

/* Chooses the lane with the fewest command queues, @hint among equal ones. Makes a new lane
 * if all have queues and the device may have one more. Returns: (transfer full): a lane;
 * @hint itself if it is no lane */
G_GNUC_INTERNAL
GstMgpuContext * gst_mgpu_lanes_choose  (GstMgpuContext * hint);

/* One lane at a time loads or builds programs, between these two calls, so that the others
 * find in the cache what the first one built. The calls do nothing if @context is no lane. */
G_GNUC_INTERNAL
void             gst_mgpu_lanes_begin_build (GstMgpuContext * context);

G_GNUC_INTERNAL
void             gst_mgpu_lanes_end_build   (GstMgpuContext * context);

G_END_DECLS
