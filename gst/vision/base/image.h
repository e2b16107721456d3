/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>

G_BEGIN_DECLS

/* What an algorithm sees of a frame. info holds format, size, colorimetry and
 * the strides and offsets as they are in this memory. Nothing is owned. */
typedef struct
{
  GstMgpuMemory *memory;
  GstVideoInfo info;
} MgpuImage;

/* One component of a frame (Y, U, V or R, G, B, A): sample (x, y) is the 8 or
 * 16 bit little-endian word at offset + y * stride + x * pixel_stride bytes,
 * and its value is word >> shift, from 0 to max. Its pixel begins position
 * bytes before it. */
typedef struct
{
  gint width, height;
  gint offset;
  gint stride;
  gint pixel_stride;
  gint position;
  gint bytes;
  gint shift;
  gint max;
} MgpuComponent;

/* Takes the first memory of buffer, which must be a GstMgpuMemory and hold the
 * whole frame, with the strides of the buffer's GstVideoMeta where it has one.
 * FALSE when buffer is no such frame. */
gboolean mgpu_image_from_buffer (MgpuImage * image, GstBuffer * buffer, const GstVideoInfo * info);

/* component: index as in GST_VIDEO_INFO_COMP_OFFSET: 0 is luma, grey or red */
void mgpu_image_get_component (const MgpuImage * image, guint component, MgpuComponent * result);

/* Enqueues copies, byte for byte, of all planes whose bit is set in planes. */
void mgpu_image_copy_planes (GstMgpuJob * job, const MgpuImage * in, const MgpuImage * out, guint planes);

G_END_DECLS
