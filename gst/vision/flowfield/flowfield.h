/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/flow/flow.h>

G_BEGIN_DECLS

/* Makes the fields of frames from those of a part of each frame. An object of mgpu_object_new()
 * has no parameters. */
extern const MgpuAlgorithm mgpu_flow_place;

/* Sets @field to memory of the object with room for a field of @size, which
 * mgpu_flow_enqueue() may write. @i: index of the field. Returns: FALSE after an error, which is in
 * @job */
gboolean mgpu_flow_place_get (gpointer self, GstMgpuJob * job, guint i, const MgpuFlowSize * size,
    MgpuFlowField * field);

/* Enqueues the kernel that writes @whole, the field of a frame, of size @whole_size, from @part, that of
 * a part of the frame. @box: columns and rows of @part in @whole. Elsewhere the flow is
 * unknown. */
void mgpu_flow_place_enqueue (gpointer self, GstMgpuJob * job, const MgpuFlowField * part, const MgpuRect * box,
    const MgpuFlowField * whole, const MgpuFlowSize * whole_size);

/* Draws fields as colors. An object of mgpu_object_new() draws frames of the format and size of its
 * input image, and has no parameters. */
extern const MgpuAlgorithm mgpu_flow_wheel;

/* Enqueues the kernels that draw @flow, the memory of a field, to the frame @out. Alpha and unused
 * bytes are those of the frame @in.
 * @flow: (nullable): NULL if all flow is unknown.
 * @is_to_previous: whether the field points to the previous position, and its reverse is drawn.
 * @range: length of the motion that has the full color, in pixels. */
void mgpu_flow_wheel_enqueue (gpointer self, GstMgpuJob * job, GstMgpuMemory * flow, const MgpuFlowSize * size,
    gboolean is_to_previous, gdouble range, const MgpuImage * in, const MgpuImage * out);

G_END_DECLS
