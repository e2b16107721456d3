/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>

G_BEGIN_DECLS

/* How a kernel that goes through a frame row by row is spread over a device:
 * work-item (x, y) takes every columns-th pixel, or group of pixels, from x on,
 * of every global[1]-th row from y on, or with one column, of the y-th of
 * global[1] parts of the frame: see kernels/base/rows.h. Kernels know columns as
 * COLUMNS. */
typedef struct
{
  gint columns;
  gsize global[2];
  gsize local[2];
} MgpuRows;

void mgpu_rows_init (MgpuRows * rows, const GstMgpuTraits * traits, gint height);

G_END_DECLS
