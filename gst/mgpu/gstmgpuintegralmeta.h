/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpu_fwd.h>

G_BEGIN_DECLS

/**
 * GstMgpuIntegralTables:
 *
 * The integral images of a #GstMgpuIntegralMeta. All copies of the meta share them.
 *
 * Since: 1.0
 */
typedef struct _GstMgpuIntegral GstMgpuIntegralTables;
typedef struct _GstMgpuIntegralMeta GstMgpuIntegralMeta;

/**
 * GstMgpuIntegralMeta:
 * @meta: the parent
 *
 * Integral images of a frame's luma or gray values, made by mgpuintegral. A table has (height +
 * 1) rows of (width + 1) numbers without gaps; entry (x, y) is the sum of all pixels left of
 * column x and above row y. The first row and the first column are therefore 0. The sum of the
 * rectangle with x0 <= x < x1 and y0 <= y < y1 is t[y1][x1] - t[y0][x1] - t[y1][x0] + t[y0][x0].
 *
 * Sums are #guint32, or #guint64 where a #guint32 could overflow; sums of squares are
 * always #guint64. All numbers are little endian.
 *
 * The meta describes the frame that mgpuintegral received. Elements that change only the values
 * of pixels, such as a filter, keep the meta; the sums may then no longer match the frame.
 *
 * Since: 1.0
 */
struct _GstMgpuIntegralMeta
{
  GstMeta meta;

  /*< private >*/
  GstMgpuIntegralTables *tables;
  /* for a copy made by g_boxed_copy(): the buffer to which the copy is attached, and which keeps
   * it alive; NULL for the meta of a frame */
  GstBuffer *holder;
};

/**
 * GST_TYPE_MGPU_INTEGRAL_META:
 *
 * The boxed type of #GstMgpuIntegralMeta. A copy made by g_boxed_copy() shares the tables with the
 * original and stays valid after the buffer of the original is freed; g_boxed_free() frees the
 * copy. Language bindings copy each meta that they return to a script.
 *
 * Since: 1.0
 */
#define GST_TYPE_MGPU_INTEGRAL_META (gst_mgpu_integral_meta_get_type ())

GST_MGPU_API
GType                     gst_mgpu_integral_meta_get_type         (void);

GST_MGPU_API
GType                     gst_mgpu_integral_meta_api_get_type     (void);

/**
 * GST_MGPU_INTEGRAL_META_API_TYPE:
 *
 * The API type of #GstMgpuIntegralMeta, for gst_buffer_get_meta().
 *
 * Since: 1.0
 */
#define GST_MGPU_INTEGRAL_META_API_TYPE (gst_mgpu_integral_meta_api_get_type ())

GST_MGPU_API
const GstMetaInfo *       gst_mgpu_integral_meta_get_info         (void);

GST_MGPU_API
GstMgpuIntegralMeta *     gst_buffer_add_mgpu_integral_meta       (GstBuffer           * buffer,
                                                                   guint                 width,
                                                                   guint                 height,
                                                                   guint                 sum_bytes,
                                                                   GstBuffer           * sum,
                                                                   GstBuffer           * squared_sum);

GST_MGPU_API
GstMgpuIntegralMeta *     gst_buffer_get_mgpu_integral_meta       (GstBuffer           * buffer);

GST_MGPU_API
void                      gst_mgpu_integral_meta_get_size         (GstMgpuIntegralMeta * meta,
                                                                   guint               * columns,
                                                                   guint               * rows,
                                                                   guint               * sum_bytes);

GST_MGPU_API
GBytes *                  gst_mgpu_integral_meta_get_sum          (GstMgpuIntegralMeta * meta);

GST_MGPU_API
GBytes *                  gst_mgpu_integral_meta_get_squared_sum  (GstMgpuIntegralMeta * meta);

GST_MGPU_API
GstMemory *               gst_mgpu_integral_meta_get_sum_memory   (GstMgpuIntegralMeta * meta);

GST_MGPU_API
GstMemory *               gst_mgpu_integral_meta_get_squared_sum_memory
                                                                  (GstMgpuIntegralMeta * meta);

G_END_DECLS
