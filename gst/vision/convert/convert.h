/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/**
 * MgpuConvertMethod:
 * @MGPU_CONVERT_NEAREST: takes the sample whose pixel holds the center of the new pixel
 * @MGPU_CONVERT_BILINEAR: interpolates like OpenCV's INTER_LINEAR, byte for byte with 8 bits
 * @MGPU_CONVERT_AREA: computes the exact mean over the area of the new pixel
 *
 * Says how samples are scaled when the sizes of two frames, or of their chroma, differ.
 */
typedef enum
{
  MGPU_CONVERT_NEAREST,
  MGPU_CONVERT_BILINEAR,
  MGPU_CONVERT_AREA
} MgpuConvertMethod;

/* Holds a rectangular part of a frame, in pixels. Parts of the rectangle outside of the
 * frame are cut off; an empty rectangle stands for the whole frame. */
typedef struct
{
  gint x, y;
  gint width, height;
} MgpuRectangle;

/**
 * MgpuConvertParams:
 * @method: method of scaling
 * @orientation: rotation or mirroring of @source before it is scaled; automatic and
 *   custom orientations count as identity
 * @source: part of the input that is shown; the rest is cropped
 * @destination: part of the output that shows @source; the rest is black. Its x and y are
 *   rounded down to whole chroma samples.
 * @own_kernel: whether a kernel is built for this conversion even if the frames are small;
 *   otherwise all frames of up to 64 x 64 pixels share one kernel, which is slower. Only
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

/* Converts, scales, crops, turns and pads frames in one launch, from and to every format
 * that the elements take. The images @in and @out have sizes, formats, colorimetry and
 * chroma sites of their own; if a colorimetry is unknown, the default of GStreamer for
 * the format and size is used. Parameters may change from frame to frame. The image @in
 * may be any plane of a frame if its format is GRAY8 or GRAY16_LE. The images @in and
 * @out have different memories. */
extern const MgpuAlgorithm mgpu_convert;

/* Computes the affine matrix that maps points of the input frame to points of the output
 * frame, both in pixels from the upper left corner: row 0 times (x, y, 1) is the new x,
 * row 1 times (x, y, 1) the new y. */
void mgpu_convert_get_matrix (const GstVideoInfo * in, const GstVideoInfo * out, const MgpuConvertParams * params,
    gdouble matrix[2][3]);

G_END_DECLS
