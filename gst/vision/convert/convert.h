/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/**
 * MgpuConvertMethod:
 * @MGPU_CONVERT_NEAREST: copies the sample whose pixel contains the center of the new pixel
 * @MGPU_CONVERT_BILINEAR: interpolates like OpenCV's INTER_LINEAR, with identical bytes for 8
 *   bits
 * @MGPU_CONVERT_AREA: computes the exact mean over the area of the new pixel
 * @MGPU_CONVERT_BICUBIC: interpolates by Catmull and Rom's cubic, from 4x4 samples
 * @MGPU_CONVERT_LANCZOS: interpolates by Lanczos' window with 3 lobes, from 6x6 samples
 *
 * How samples are scaled if two frames, or their chroma, have different sizes. If the last two
 * methods reduce the size, their windows are wider by the same factor.
 */
typedef enum
{
  MGPU_CONVERT_NEAREST,
  MGPU_CONVERT_BILINEAR,
  MGPU_CONVERT_AREA,
  MGPU_CONVERT_BICUBIC,
  MGPU_CONVERT_LANCZOS
} MgpuConvertMethod;

/* A rectangular part of a frame, in pixels. Parts of the rectangle outside the frame are cut
 * off. An empty rectangle means the whole frame. */
typedef struct
{
  gint x, y;
  gint width, height;
} MgpuRectangle;

/**
 * MgpuConvertParams:
 * @method: method of scaling
 * @orientation: rotation or mirroring of @source before it is scaled; automatic and custom
 *   orientations are treated as identity
 * @source: part of the input that is shown; the rest is cropped
 * @destination: part of the output that shows @source; the rest is black. Its x and y are
 *   rounded down to whole chroma samples.
 * @own_kernel: whether a kernel is built for this conversion even if the frames are small.
 *   Otherwise all frames of up to 64 x 64 pixels share one kernel, which is slower. Only
 *   mgpu_object_new() reads this member.
 */
typedef struct
{
  MgpuConvertMethod method;
  GstVideoOrientationMethod orientation;
  MgpuRectangle source;
  MgpuRectangle destination;
  gboolean own_kernel;
} MgpuConvertParams;

/* Converts, scales, crops, rotates, mirrors and pads frames in one launch, from and to every
 * format that the elements support. The images @in and @out may differ in size, format,
 * colorimetry and chroma site, and must have different memories. If a colorimetry is unknown,
 * GStreamer's default for the format and size is used. The image @in may be any plane of a
 * frame if its format is GRAY8 or GRAY16_LE. Parameters may change from frame to frame. */
extern const MgpuAlgorithm mgpu_convert;

/* Computes the affine matrix that maps points of the input frame to points of the output frame.
 * Both are in pixels, relative to the upper left corner. Row 0 of @matrix times (x, y, 1) is
 * the new x, row 1 times (x, y, 1) is the new y. */
void mgpu_convert_get_matrix (const GstVideoInfo * in, const GstVideoInfo * out, const MgpuConvertParams * params,
    gdouble matrix[2][3]);

G_END_DECLS
