/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/flow/flow.h>

G_BEGIN_DECLS

/* Copies the flow field of a part of a frame into a flow field of the whole frame. An object of
 * mgpu_object_new() has no parameters. */
extern const MgpuAlgorithm mgpu_flow_place;

/* Sets @field to memory of the object that has room for a field of @size samples;
 * mgpu_flow_enqueue() may write this memory. @i: index of the field. Returns: FALSE after an error,
 * which is in @job */
gboolean mgpu_flow_place_get (gpointer self, GstMgpuJob * job, guint i, const MgpuFlowSize * size,
    MgpuFlowField * field);

/* Enqueues the kernel that writes @whole, the field of a frame, of size @whole_size, from @part,
 * the field of a part of the frame. @box: columns and rows of @part in @whole. Outside @box, the
 * flow is unknown. */
void mgpu_flow_place_enqueue (gpointer self, GstMgpuJob * job, const MgpuFlowField * part, const MgpuRect * box,
    const MgpuFlowField * whole, const MgpuFlowSize * whole_size);

/* Draws flow fields as colors. An object of mgpu_object_new() draws frames of the format and size
 * of its input image, and has no parameters. */
extern const MgpuAlgorithm mgpu_flow_wheel;

/* Enqueues the kernels that draw @flow, the memory of a field, to the frame @out. Alpha and unused
 * bytes are copied from the frame @in.
 * @flow: (nullable): NULL if all flow is unknown.
 * @is_to_previous: whether the field leads to the previous positions; the opposite motion is drawn
 * then.
 * @range: length of the motion that is drawn in the full color, in pixels. */
void mgpu_flow_wheel_enqueue (gpointer self, GstMgpuJob * job, GstMgpuMemory * flow, const MgpuFlowSize * size,
    gboolean is_to_previous, gdouble range, const MgpuImage * in, const MgpuImage * out);

G_END_DECLS
