/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/**
 * MgpuConvertMethod:
 * @MGPU_CONVERT_NEAREST: the sample whose pixel holds the center of the new one
 * @MGPU_CONVERT_BILINEAR: OpenCV's INTER_LINEAR, byte for byte with 8 bit
 * @MGPU_CONVERT_AREA: the exact mean over the area of the new pixel
 *
 * Where samples come from when sizes, or those of chroma, differ.
 */
typedef enum
{
  MGPU_CONVERT_NEAREST,
  MGPU_CONVERT_BILINEAR,
  MGPU_CONVERT_AREA
} MgpuConvertMethod;

/* In pixels. What lies outside the frame is left out; a rectangle with nothing
 * in it is the whole frame. */
typedef struct
{
  gint x, y;
  gint width, height;
} MgpuRectangle;

/**
 * MgpuConvertParams:
 * @method: how to scale
 * @orientation: what is done to @source before it is scaled; automatic and
 *   custom ones count as identity
 * @source: what of the input is shown, the rest is cropped
 * @destination: where in the output; around it is black. x and y are rounded
 *   down to whole chroma samples.
 * @own_kernel: builds a kernel for this conversion however small the frames are;
 *   otherwise all of up to 64 x 64 pixels share one, which is slower for each
 *   frame. Read when the object is made.
 */
typedef struct
{
  MgpuConvertMethod method;
  GstVideoOrientationMethod orientation;
  MgpuRectangle source;
  MgpuRectangle destination;
  gboolean own_kernel;
} MgpuConvertParams;

/* Converts frames in one launch, of and to any format that elements take. Sizes, formats,
 * colorimetry and chroma sites are those of in and out; what of colorimetry is unknown is
 * as GStreamer has it for the format and size. Parameters may change from frame to frame.
 * An in of GRAY8 or GRAY16_LE may be any plane of a frame; in and out are not the same
 * memory. */
extern const MgpuAlgorithm mgpu_convert;

/* Where a point of the input is in the output, in pixels from the upper left
 * corner: (x, y, 1) times each row. */
void mgpu_convert_get_matrix (const GstVideoInfo * in, const GstVideoInfo * out, const MgpuConvertParams * params,
    gdouble matrix[2][3]);

G_END_DECLS
