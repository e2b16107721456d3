/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>

G_BEGIN_DECLS

/* Describes a frame in the memory of a device. @info holds its format, size and
 * colorimetry, and the strides and offsets of its planes in this memory. The struct does
 * not own @memory. */
typedef struct
{
  GstMgpuMemory *memory;
  GstVideoInfo info;
} MgpuImage;

/* Describes one colour component of a frame (Y, U, V or R, G, B, A): @width x @height
 * samples of @bytes bytes. Sample (x, y) is the 8 or 16 bit little-endian word at byte
 * @offset + y * @stride + x * @pixel_stride of the memory; its value is word >> @shift,
 * from 0 to @max. @lo and @hi are the values of black and white, or the ends of the range
 * of chroma: see mgpu_get_range(). @position is the offset, in bytes, of a sample from
 * the start of its pixel. */
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
  gint lo, hi;
} MgpuComponent;

/* Fills the struct @image with a description of the frame in @buffer. The buffer must
 * have a single memory, which is a GstMgpuMemory. Strides and offsets come from the
 * buffer's GstVideoMeta, if it has one, otherwise from @info. Returns: FALSE when the
 * buffer is not such a frame */
gboolean mgpu_image_from_buffer (MgpuImage * image, GstBuffer * buffer, const GstVideoInfo * info);

/* Returns: whether samples have limited range according to the colorimetry of @info: luma, grey
 * and RGB from 16 to 235, chroma from 16 to 240, times 2^(n - 8) with n bits. If @info names no
 * colorimetry, samples have GStreamer's default: YUV is limited, and RGB and grey are not. */
gboolean mgpu_is_limited (const GstVideoInfo * info);

/* Sets @lo and @hi to the ends of the nominal range of colour component @number of images with the
 * format and colorimetry of @info: the limits of the limited range, or 0 and the maximum value of a
 * sample. Samples may lie outside this range. */
void mgpu_get_range (const GstVideoInfo * info, guint number, gint * lo, gint * hi);

/* Returns: the size of the nominal range of @component, from its member @lo to @hi,
 * divided by the size of the full range of its samples: 1 with full range, 219 / 255 for
 * limited luma of 8 bits. Callers multiply parameters that are in 8-bit steps (1/255 of
 * the full range) by this ratio to get 8-bit steps of the nominal range. */
gdouble mgpu_get_steps (const MgpuComponent * component);

/* Returns: the memory layout of a colour component of images like @info. @number is an
 * index as in GST_VIDEO_INFO_COMP_OFFSET: 0 is luma, grey or red. */
MgpuComponent mgpu_get_component (const GstVideoInfo * info, guint number);

/* Holds the rectangle, in pixels, that a part of an image covers. */
typedef struct
{
  gint x, y, width, height;
} MgpuRect;

/* Holds position and size, in samples, of a part of a colour component: its first column
 * and row within the component, and its number of columns and rows. */
typedef struct
{
  gint x, y, width, height;
} MgpuPlace;

/* Returns: position and size of the samples of colour component @number, of images like
 * @info, that lie in the rectangle @rect; of all samples if @rect is NULL */
MgpuPlace mgpu_get_place (const GstVideoInfo * info, guint number, const MgpuRect * rect);

/* Returns: the part @rect of @image, as an image in the same memory. x and y of @rect
 * must be even, so that the part begins with a whole sample also in subsampled planes. */
MgpuImage mgpu_image_crop (const MgpuImage * image, const MgpuRect * rect);

/* Appends to the compiler options the -D definitions with which kernels/base/samples.h
 * reads and writes samples of @component. */
void mgpu_define_samples (GString * options, const MgpuComponent * component);

/* Macros for gst_mgpu_job_set_args(): types and values of the three arguments that describe a plane
 * to a kernel: memory, offset and stride. The plane is selected by @c, a MgpuComponent of @image,
 * or by @plane, the index of a plane. */
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

/* Macros like MGPU_PLANE for kernels that read the samples of any format, with the functions of
 * kernels/base/any-samples.h: types and values of the nine arguments that describe the component
 * with the index @component of @image; @c is this component. */
#define MGPU_SAMPLES MGPU_PLANE "iiiiii"
#define MGPU_READ_SAMPLES(job, image, component, c) \
    MGPU_READ (job, image, c), (c).pixel_stride, (c).bytes, (c).shift, \
    (c).max, (image)->info.finfo->w_sub[component], \
    (image)->info.finfo->h_sub[component]

/* Enqueues copies, byte for byte, of planes of the frame @in to the frame @out: plane i
 * is copied when bit i of @planes is set. */
void mgpu_image_copy_planes (GstMgpuJob * job, const MgpuImage * in, const MgpuImage * out, guint planes);

G_END_DECLS
