/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>

G_BEGIN_DECLS

/* Describes a frame in the memory of a device. info holds its format, size and
 * colorimetry, and the strides and offsets of its planes in this memory. The memory is
 * not owned. */
typedef struct
{
  GstMgpuMemory *memory;
  GstVideoInfo info;
} MgpuImage;

/* One component of a frame (Y, U, V or R, G, B, A): sample (x, y) is the 8 or
 * 16 bit little-endian word at offset + y * stride + x * pixel_stride bytes,
 * and its value is word >> shift, from 0 to max. The pixel that a sample is part of
 * begins position bytes before the sample. */
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

/* Fills image with the only memory of buffer, which must be a GstMgpuMemory and hold the
 * whole frame, and with the strides of the GstVideoMeta of buffer, if it has one.
 * Returns: FALSE when buffer is no such frame */
gboolean mgpu_image_from_buffer (MgpuImage * image, GstBuffer * buffer, const GstVideoInfo * info);

/* Returns: the layout of a component of images like info. The parameter number is an index
 * as in GST_VIDEO_INFO_COMP_OFFSET: 0 is luma, grey or red. */
MgpuComponent mgpu_get_component (const GstVideoInfo * info, guint number);

/* Appends to options the -D definitions of kernels/base/samples.h for a component. */
void mgpu_define_samples (GString * options, const MgpuComponent * component);

/* Types and values of the arguments that tell a kernel where it reads or writes a plane:
 * its memory, its offset and its bytes from row to row. The parameter c is a MgpuComponent
 * of image, plane the number of a plane. */
#define MGPU_PLANE "mii"
#define MGPU_READ(job, image, c) \
    gst_mgpu_job_read (job, (image)->memory), (c).offset, (c).stride
#define MGPU_WRITE(job, image, c) \
    gst_mgpu_job_write (job, (image)->memory), (c).offset, (c).stride
#define MGPU_AT_PLANE(image, plane) \
    (gint) (image)->info.offset[plane], (image)->info.stride[plane]
#define MGPU_READ_PLANE(job, image, plane) \
    gst_mgpu_job_read (job, (image)->memory), MGPU_AT_PLANE (image, plane)
#define MGPU_WRITE_PLANE(job, image, plane) \
    gst_mgpu_job_write (job, (image)->memory), MGPU_AT_PLANE (image, plane)

/* Enqueues copies, byte for byte, of planes from in to out: plane i is copied when bit i
 * of planes is set. */
void mgpu_image_copy_planes (GstMgpuJob * job, const MgpuImage * in, const MgpuImage * out, guint planes);

G_END_DECLS
