/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/convert.h>

G_BEGIN_DECLS

/* Memory of an algorithm for what lies between its kernels, written by job:
 * allocates *memory unless that was done before. */
cl_mem mgpu_scratch_write (GstMemory ** memory, GstMgpuJob * job, gsize size);

/* The same with words, gint or gfloat, which do not change from then on, to be
 * read. */
cl_mem mgpu_scratch_read_words (GstMemory ** memory, GstMgpuJob * job, const GArray * words);

/* Frames of any format as RGB with 4 bytes a pixel: all zero is for none. */
typedef struct
{
  MgpuConvert *convert;         /* NULL for frames that are such */
  GstVideoInfo info;
  GstMemory *memory;
} MgpuRgbx;

/* info: of frames that come */
gboolean mgpu_rgbx_init (MgpuRgbx * self, GstMgpuContext * context, const GstVideoInfo * info, GError ** error);

/* out: in, or what it was converted to. FALSE: the error is in job. */
gboolean mgpu_rgbx_enqueue (MgpuRgbx * self, GstMgpuJob * job, const MgpuImage * in, MgpuImage * out);

void mgpu_rgbx_clear (MgpuRgbx * self);

G_END_DECLS
