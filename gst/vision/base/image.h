/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>

G_BEGIN_DECLS

/* A frame in the memory of a device. @info holds its format, size and colorimetry, and the
 * strides and offsets of its planes in @memory. The struct does not own @memory. */
typedef struct
{
  GstMgpuMemory *memory;
  GstVideoInfo info;
} MgpuImage;

/* One color component of a frame (Y, U, V or R, G, B, A).
 * @width, @height: number of samples in a row and in a column.
 * @bytes: size of a sample, 1 or 2. Sample (x, y) is the little-endian word at byte @offset + y
 * * @stride + x * @pixel_stride of the memory.
 * @shift, @max: the value of a sample is word >> @shift, from 0 to @max.
 * @lo, @hi: values of black and white, or the ends of the range of chroma: see
 * mgpu_get_range().
 * @position: offset, in bytes, of a sample from the start of its pixel. */
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

/* Describes the frame in @buffer in the struct @image. The buffer must have a single memory,
 * and this must be a GstMgpuMemory. Strides and offsets come from the buffer's GstVideoMeta if
 * it has one, otherwise from @info. Returns: FALSE when the buffer is not such a frame */
gboolean mgpu_image_from_buffer (MgpuImage * image, GstBuffer * buffer, const GstVideoInfo * info);

/* Sets @lo and @hi to the ends of the nominal range of a color component. These are the limits
 * of the limited range, or 0 and the maximum value of a sample. @number is the index of the
 * component; @info has the format and colorimetry of the image. Samples may lie outside the
 * nominal range. */
void mgpu_get_range (const GstVideoInfo * info, guint number, gint * lo, gint * hi);

/* Computes the size of the nominal range of @component, from its member @lo to @hi, as a
 * fraction of the full range of its samples: 1 for full range, 219 / 255 for limited luma of 8
 * bits. Some parameters are in 8-bit steps (1/255 of the full range); a caller multiplies them
 * by this fraction to get 8-bit steps of the nominal range. Returns: the fraction */
gdouble mgpu_get_steps (const MgpuComponent * component);

/* Returns: the memory layout of a color component of images with the format and size of @info.
 * @number is the index of the component, as for GST_VIDEO_INFO_COMP_OFFSET: 0 is luma, gray or
 * red. */
MgpuComponent mgpu_get_component (const GstVideoInfo * info, guint number);

/* Returns: whether samples of the format have no words of their own: some share a word of 32 or 16
 * bits (v210, Y410, RGB16), lie in the upper bits of it (Y210), have their bytes in reverse order
 * (GRAY16_BE), or lie in tiles (NV12_4L4). mgpu_get_component() does not describe them. */
gboolean mgpu_is_packed (GstVideoFormat format);

/* The rows of bytes of a plane of a packed format. If samples lie in tiles, a row is a row of tiles.
 * @width: number of bytes of a row, without padding.
 * @stride: distance from row to row, in bytes.
 * @n: number of rows. */
typedef struct
{
  gint64 width, stride;
  gint n;
} MgpuByteRows;

/* Finds the rows of the plane @plane of a frame of the packed format @info. Returns: FALSE if they do
 * not fit into its stride */
gboolean mgpu_get_byte_rows (const GstVideoInfo * info, guint plane, MgpuByteRows * rows);

/* The rectangle, in pixels, that a part of an image covers. */
typedef struct
{
  gint x, y, width, height;
} MgpuRect;

/* Position and size, in samples, of a part of a color component: its first column and row
 * within the component, and its number of columns and rows. */
typedef struct
{
  gint x, y, width, height;
} MgpuPlace;

/* Finds the samples of a color component that lie in the rectangle @rect, or all samples if
 * @rect is NULL. @info describes the image; @number is the index of the component. Returns:
 * position and size of these samples */
MgpuPlace mgpu_get_place (const GstVideoInfo * info, guint number, const MgpuRect * rect);

/* Returns: the part @rect of @image, as an image in the same memory. x and y of @rect must be
 * even: the part then begins with a whole sample also in subsampled planes. */
MgpuImage mgpu_image_crop (const MgpuImage * image, const MgpuRect * rect);

/* Appends -D definitions that describe @component to the compiler options. The functions of
 * kernels/base/samples.h use these definitions to read and write samples. */
void mgpu_define_samples (GString * options, const MgpuComponent * component);

/* Macros for gst_mgpu_job_set_args(). They give the types and values of the three arguments
 * that describe a plane to a kernel: memory, offset and stride. Either @c, a MgpuComponent of
 * @image, selects the plane, or @plane, its index. */
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

/* Macros like MGPU_PLANE, for kernels that read the samples of any format with the functions of
 * kernels/base/any-samples.h. They give the types and values of the nine arguments that
 * describe a component of @image. @component is the index of the component, @c the
 * MgpuComponent itself. */
#define MGPU_SAMPLES MGPU_PLANE "iiiiii"
#define MGPU_READ_SAMPLES(job, image, component, c) \
    MGPU_READ (job, image, c), (c).pixel_stride, (c).bytes, (c).shift, \
    (c).max, (image)->info.finfo->w_sub[component], \
    (image)->info.finfo->h_sub[component]

/* Enqueues copies of planes from the frame @in to the frame @out, byte for byte. Plane i is
 * copied if bit i of @planes is set. */
void mgpu_image_copy_planes (GstMgpuJob * job, const MgpuImage * in, const MgpuImage * out, guint planes);

G_END_DECLS
