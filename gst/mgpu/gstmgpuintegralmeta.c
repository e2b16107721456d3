/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:gstmgpuintegralmeta
 * @title: GstMgpuIntegralMeta
 * @short_description: integral images of a frame
 */
#include "gstmgpuintegralmeta.h"

#include "gstmgpubytes-private.h"

/* Holds the data that all copies of a meta share. */
struct _GstMgpuIntegral
{
  gatomicrefcount refs;
  guint width, height;
  guint sum_bytes;
  GstBuffer *sum;
  GstBuffer *squared_sum;       /* sums of squares; NULL if not asked for */
};

static GstMgpuIntegralTables *
tables_ref (GstMgpuIntegralTables * tables)
{
  g_atomic_ref_count_inc (&tables->refs);
  return tables;
}

static void
tables_unref (GstMgpuIntegralTables * tables)
{
  if (!g_atomic_ref_count_dec (&tables->refs))
    return;
  gst_buffer_unref (tables->sum);
  gst_clear_buffer (&tables->squared_sum);
  g_free (tables);
}

GType
gst_mgpu_integral_meta_api_get_type (void)
{
  static GType type = 0;
  static const gchar *tags[] = { GST_META_TAG_VIDEO_STR,
    GST_META_TAG_VIDEO_SIZE_STR, GST_META_TAG_VIDEO_ORIENTATION_STR,
    GST_META_TAG_VIDEO_COLORSPACE_STR, NULL
  };

  if (g_once_init_enter (&type)) {
    GType registered =
        gst_meta_api_type_register ("GstMgpuIntegralMetaAPI", tags);

    g_once_init_leave (&type, registered);
  }
  return type;
}

static gboolean
integral_meta_init (GstMeta * meta, gpointer params, GstBuffer * buffer)
{
  GstMgpuIntegralMeta *self = (GstMgpuIntegralMeta *) meta;

  self->tables = NULL;
  self->holder = NULL;
  return TRUE;
}

static void
integral_meta_free (GstMeta * meta, GstBuffer * buffer)
{
  g_clear_pointer (&((GstMgpuIntegralMeta *) meta)->tables, tables_unref);
}

/* Adds a meta to buffer. Takes over the caller's reference to tables. */
static GstMgpuIntegralMeta *
add_meta (GstBuffer * buffer, GstMgpuIntegralTables * tables)
{
  GstMgpuIntegralMeta *meta;

  meta = (GstMgpuIntegralMeta *) gst_buffer_add_meta (buffer,
      gst_mgpu_integral_meta_get_info (), NULL);
  meta->tables = tables;
  return meta;
}

/* Copies the meta to dest when dest is a copy of the whole frame. Drops it in all other
 * cases, because it describes exactly these pixels. */
static gboolean
integral_meta_transform (GstBuffer * dest, GstMeta * meta, GstBuffer * buffer,
    GQuark type, gpointer data)
{
  if (!GST_META_TRANSFORM_IS_COPY (type)
      || ((GstMetaTransformCopy *) data)->region)
    return FALSE;
  add_meta (dest, tables_ref (((GstMgpuIntegralMeta *) meta)->tables));
  return TRUE;
}

/**
 * gst_mgpu_integral_meta_get_info: (skip)
 *
 * Returns: (transfer none): the #GstMetaInfo that this kind of meta is registered with
 *
 * Since: 0.1
 */
const GstMetaInfo *
gst_mgpu_integral_meta_get_info (void)
{
  static const GstMetaInfo *info = NULL;

  /* GStreamer's core registers this name as a GType. It ends in Impl, because the name
   * without Impl is that of the boxed type. */
  if (g_once_init_enter ((GstMetaInfo **) & info)) {
    const GstMetaInfo *registered =
        gst_meta_register (GST_MGPU_INTEGRAL_META_API_TYPE,
        "GstMgpuIntegralMetaImpl", sizeof (GstMgpuIntegralMeta),
        integral_meta_init, integral_meta_free, integral_meta_transform);

    g_once_init_leave ((GstMetaInfo **) & info, (GstMetaInfo *) registered);
  }
  return info;
}

/* Copies the meta for g_boxed_copy(). Attaches the copy to a new, empty buffer, because
 * GStreamer's core expects each meta to belong to a buffer. */
static GstMgpuIntegralMeta *
boxed_copy (GstMgpuIntegralMeta * meta)
{
  GstBuffer *holder = gst_buffer_new ();
  GstMgpuIntegralMeta *copy = add_meta (holder, tables_ref (meta->tables));

  copy->holder = holder;
  return copy;
}

/* Frees this copy of the meta by freeing its holder, the buffer that it is attached to. */
static void
boxed_free (GstMgpuIntegralMeta * meta)
{
  gst_buffer_unref (meta->holder);
}

G_DEFINE_BOXED_TYPE (GstMgpuIntegralMeta, gst_mgpu_integral_meta, boxed_copy,
    boxed_free);

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
 * Returns: (transfer none): the new meta
 *
 * Since: 0.1
 */
GstMgpuIntegralMeta *
gst_buffer_add_mgpu_integral_meta (GstBuffer * buffer, guint width,
    guint height, guint sum_bytes, GstBuffer * sum, GstBuffer * squared_sum)
{
  GstMgpuIntegralTables *tables;

  g_return_val_if_fail (gst_buffer_is_writable (buffer), NULL);
  g_return_val_if_fail (sum_bytes == 4 || sum_bytes == 8, NULL);

  tables = g_new0 (GstMgpuIntegralTables, 1);
  g_atomic_ref_count_init (&tables->refs);
  tables->width = width;
  tables->height = height;
  tables->sum_bytes = sum_bytes;
  tables->sum = sum;
  tables->squared_sum = squared_sum;
  return add_meta (buffer, tables);
}

/**
 * gst_buffer_get_mgpu_integral_meta:
 * @buffer: a frame
 *
 * Returns: (transfer none) (nullable): the meta with the integral images of @buffer
 *
 * Since: 0.1
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
 * Gets the size of the tables.
 *
 * Since: 0.1
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
 * Reads the sums. Blocks until the device has computed them.
 *
 * Returns: (transfer full) (nullable): the sums, columns x rows #guint32 or
 *   #guint64; %NULL when they cannot be read
 *
 * Since: 0.1
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
 * Reads the sums of squares. Blocks until the device has computed them.
 *
 * Returns: (transfer full) (nullable): the sums of squares, columns x rows
 *   #guint64; %NULL when they were not asked for or cannot be read
 *
 * Since: 0.1
 */
GBytes *
gst_mgpu_integral_meta_get_squared_sum (GstMgpuIntegralMeta * meta)
{
  return meta->tables->squared_sum != NULL
      ? gst_mgpu_bytes_from_buffer (meta->tables->squared_sum) : NULL;
}

/**
 * gst_mgpu_integral_meta_get_sum_memory:
 * @meta: a #GstMgpuIntegralMeta
 *
 * Lets kernels read the sums on the device.
 *
 * Returns: (transfer none): the #GstMgpuMemory of the sums
 *
 * Since: 0.1
 */
GstMemory *
gst_mgpu_integral_meta_get_sum_memory (GstMgpuIntegralMeta * meta)
{
  return gst_buffer_peek_memory (meta->tables->sum, 0);
}

/**
 * gst_mgpu_integral_meta_get_squared_sum_memory:
 * @meta: a #GstMgpuIntegralMeta
 *
 * Lets kernels read the sums of squares on the device.
 *
 * Returns: (transfer none) (nullable): the #GstMgpuMemory of the sums of
 *   squares; %NULL when they were not asked for
 *
 * Since: 0.1
 */
GstMemory *
gst_mgpu_integral_meta_get_squared_sum_memory (GstMgpuIntegralMeta * meta)
{
  return meta->tables->squared_sum != NULL
      ? gst_buffer_peek_memory (meta->tables->squared_sum, 0) : NULL;
}
