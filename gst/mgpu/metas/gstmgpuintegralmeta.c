/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Implements GstMgpuIntegralMeta, the integral images of a frame. */
#include <gst/mgpu/gstmgpuintegralmeta.h>

#include "gstmgpumeta-private.h"

/* The integral images of a frame. All copies of a GstMgpuIntegralMeta share them. */
struct _GstMgpuIntegral
{
  GstMiniObject parent;
  guint width, height;
  guint sum_bytes;
  GstBuffer *sum;
  GstBuffer *squared_sum;       /* buffer with the integral image of squared luma; NULL if
                                 * it was not requested */
};

static void
tables_free (GstMiniObject * object)
{
  g_autofree GstMgpuIntegralTables *tables = (GstMgpuIntegralTables *) object;

  gst_buffer_unref (tables->sum);
  gst_clear_buffer (&tables->squared_sum);
}

/**
 * gst_mgpu_integral_meta_api_get_type:
 *
 * Registers the API of #GstMgpuIntegralMeta on the first call.
 *
 * Returns: the type that #GST_MGPU_INTEGRAL_META_API_TYPE stands for
 *
 * Since: 1.0
 */
/**
 * gst_mgpu_integral_meta_get_info: (skip)
 *
 * Registers #GstMgpuIntegralMeta on the first call.
 *
 * Returns: (transfer none): the #GstMetaInfo that this kind of meta is registered with
 *
 * Since: 1.0
 */
GST_MGPU_DEFINE_META (GstMgpuIntegralMeta, gst_mgpu_integral_meta,
    gst_mgpu_meta_pass_on, GST_META_TAG_VIDEO_STR, GST_META_TAG_VIDEO_SIZE_STR,
    GST_META_TAG_VIDEO_ORIENTATION_STR, GST_META_TAG_VIDEO_COLORSPACE_STR);

/**
 * gst_buffer_add_mgpu_integral_meta: (skip)
 * @buffer: (transfer none): a writable frame
 * @width: width of the frame, in pixels
 * @height: height of the frame, in pixels
 * @sum_bytes: size of an entry of @sum in bytes, 4 or 8
 * @sum: (transfer full): the sums, in one #GstMgpuMemory; the device may still
 *   be computing them
 * @squared_sum: (transfer full) (nullable): the sums of squares, in one
 *   #GstMgpuMemory; the device may still be computing them
 *
 * Attaches integral images to a frame, instead of earlier ones.
 *
 * Returns: (transfer none): the new meta
 *
 * Since: 1.0
 */
GstMgpuIntegralMeta *
gst_buffer_add_mgpu_integral_meta (GstBuffer * buffer, guint width,
    guint height, guint sum_bytes, GstBuffer * sum, GstBuffer * squared_sum)
{
  GstMgpuIntegralTables *tables;

  g_return_val_if_fail (gst_buffer_is_writable (buffer), NULL);
  g_return_val_if_fail (sum_bytes == 4 || sum_bytes == 8, NULL);

  tables = gst_mgpu_tables_new (sizeof (*tables), tables_free);
  tables->width = width;
  tables->height = height;
  tables->sum_bytes = sum_bytes;
  tables->sum = sum;
  tables->squared_sum = squared_sum;
  return gst_mgpu_meta_add (buffer, gst_mgpu_integral_meta_get_info (), tables);
}

/**
 * gst_buffer_get_mgpu_integral_meta:
 * @buffer: a frame
 *
 * Finds the integral images of a frame.
 *
 * Returns: (transfer none) (nullable): the meta with the integral images of @buffer
 *
 * Since: 1.0
 */
GstMgpuIntegralMeta *
gst_buffer_get_mgpu_integral_meta (GstBuffer * buffer)
{
  return (GstMgpuIntegralMeta *) gst_buffer_get_meta (buffer,
      GST_MGPU_INTEGRAL_META_API_TYPE);
}

/**
 * gst_mgpu_integral_meta_get_size:
 * @meta: a #GstMgpuIntegralMeta
 * @columns: (out) (optional): number of entries in a row, the width of the frame + 1
 * @rows: (out) (optional): number of rows, the height of the frame + 1
 * @sum_bytes: (out) (optional): size of an entry of the sums in bytes, 4 or 8
 *
 * Gets the size of the integral images.
 *
 * Since: 1.0
 */
void
gst_mgpu_integral_meta_get_size (GstMgpuIntegralMeta * meta, guint * columns,
    guint * rows, guint * sum_bytes)
{
  if (columns != NULL)
    *columns = meta->tables->width + 1;
  if (rows != NULL)
    *rows = meta->tables->height + 1;
  if (sum_bytes != NULL)
    *sum_bytes = meta->tables->sum_bytes;
}

/**
 * gst_mgpu_integral_meta_get_sum:
 * @meta: a #GstMgpuIntegralMeta
 *
 * Reads the integral image of luma. Blocks until the device has computed it.
 *
 * Returns: (transfer full) (nullable): the sums, columns x rows #guint32 or
 *   #guint64; %NULL when they cannot be read
 *
 * Since: 1.0
 */
GBytes *
gst_mgpu_integral_meta_get_sum (GstMgpuIntegralMeta * meta)
{
  return gst_mgpu_bytes_from_buffer (meta->tables->sum);
}

/**
 * gst_mgpu_integral_meta_get_squared_sum:
 * @meta: a #GstMgpuIntegralMeta
 *
 * Reads the integral image of squared luma. Blocks until the device has computed it.
 *
 * Returns: (transfer full) (nullable): the sums of squares, columns x rows #guint64;
 * %NULL when they were not requested or cannot be read
 *
 * Since: 1.0
 */
GBytes *
gst_mgpu_integral_meta_get_squared_sum (GstMgpuIntegralMeta * meta)
{
  return gst_mgpu_bytes_from_buffer (meta->tables->squared_sum);
}

/**
 * gst_mgpu_integral_meta_get_sum_memory:
 * @meta: a #GstMgpuIntegralMeta
 *
 * Gets the memory of the integral image of luma, for kernels that read it.
 *
 * Returns: (transfer none): the #GstMgpuMemory of the sums
 *
 * Since: 1.0
 */
GstMemory *
gst_mgpu_integral_meta_get_sum_memory (GstMgpuIntegralMeta * meta)
{
  return gst_mgpu_memory_of_buffer (meta->tables->sum);
}

/**
 * gst_mgpu_integral_meta_get_squared_sum_memory:
 * @meta: a #GstMgpuIntegralMeta
 *
 * Gets the memory of the integral image of squared luma, for kernels that read it.
 *
 * Returns: (transfer none) (nullable): the #GstMgpuMemory of the sums of squares; %NULL
 *   when they were not requested
 *
 * Since: 1.0
 */
GstMemory *
gst_mgpu_integral_meta_get_squared_sum_memory (GstMgpuIntegralMeta * meta)
{
  return gst_mgpu_memory_of_buffer (meta->tables->squared_sum);
}
