/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Implements GstMgpuHogMeta, the HOG feature pyramid of a frame. */
#include <gst/mgpu/gstmgpuhogmeta.h>

#include "gstmgpumeta-private.h"

/* The feature pyramid of a frame. All copies of a GstMgpuHogMeta share it. */
struct _GstMgpuHogTables
{
  GstMiniObject parent;
  GstBuffer *features;
  guint n_levels, n_features;
  GstMgpuHogLevel levels[];
};

static void
tables_free (GstMiniObject * object)
{
  g_autofree GstMgpuHogTables *tables = (GstMgpuHogTables *) object;

  gst_buffer_unref (tables->features);
}

/**
 * gst_mgpu_hog_meta_api_get_type:
 *
 * Registers the API of #GstMgpuHogMeta on the first call.
 *
 * Returns: the type that #GST_MGPU_HOG_META_API_TYPE stands for
 *
 * Since: 1.0
 */
/**
 * gst_mgpu_hog_meta_get_info: (skip)
 *
 * Registers #GstMgpuHogMeta on the first call.
 *
 * Returns: (transfer none): the #GstMetaInfo that this kind of meta is registered with
 *
 * Since: 1.0
 */
GST_MGPU_DEFINE_META (GstMgpuHogMeta, gst_mgpu_hog_meta, gst_mgpu_meta_pass_on,
    GST_META_TAG_VIDEO_STR, GST_META_TAG_VIDEO_SIZE_STR,
    GST_META_TAG_VIDEO_ORIENTATION_STR, GST_META_TAG_VIDEO_COLORSPACE_STR);

/**
 * gst_buffer_add_mgpu_hog_meta: (skip)
 * @buffer: (transfer none): a writable frame
 * @features: (transfer full): @n_features #gfloat for each cell, in one
 *   #GstMgpuMemory; the device may still be computing them
 * @levels: (array length=n_levels): size of each level and its offset in @features.
 *   @features contains the cells of a level row by row, without padding
 * @n_levels: number of levels; 0 for a frame that is too small
 * @n_features: number of features of a cell: #GST_MGPU_HOG_FEATURES, or 36 when
 *   mgpuhog has features=dalal-triggs
 *
 * Attaches a feature pyramid to a frame, instead of an earlier one.
 *
 * Returns: (transfer none): the new meta
 *
 * Since: 1.0
 */
GstMgpuHogMeta *
gst_buffer_add_mgpu_hog_meta (GstBuffer * buffer, GstBuffer * features,
    const GstMgpuHogLevel * levels, guint n_levels, guint n_features)
{
  GstMgpuHogTables *tables;

  g_return_val_if_fail (gst_buffer_is_writable (buffer), NULL);

  tables = gst_mgpu_tables_new (sizeof (GstMgpuHogTables)
      + n_levels * sizeof (GstMgpuHogLevel), tables_free);
  tables->features = features;
  tables->n_levels = n_levels;
  tables->n_features = n_features;
  for (guint i = 0; i < n_levels; i++)
    tables->levels[i] = levels[i];
  return gst_mgpu_meta_add (buffer, gst_mgpu_hog_meta_get_info (), tables);
}

/**
 * gst_buffer_get_mgpu_hog_meta:
 * @buffer: a frame
 *
 * Finds the feature pyramid of a frame.
 *
 * Returns: (transfer none) (nullable): the meta with the feature pyramid of @buffer
 *
 * Since: 1.0
 */
GstMgpuHogMeta *
gst_buffer_get_mgpu_hog_meta (GstBuffer * buffer)
{
  return (GstMgpuHogMeta *) gst_buffer_get_meta (buffer,
      GST_MGPU_HOG_META_API_TYPE);
}

/**
 * gst_mgpu_hog_meta_get_n_levels:
 * @meta: a #GstMgpuHogMeta
 *
 * Counts the levels of a feature pyramid.
 *
 * Returns: the number of levels; 0 when the frame is too small. The first level is the
 *   finest
 *
 * Since: 1.0
 */
guint
gst_mgpu_hog_meta_get_n_levels (GstMgpuHogMeta * meta)
{
  return meta->tables->n_levels;
}

/**
 * gst_mgpu_hog_meta_get_n_features:
 * @meta: a #GstMgpuHogMeta
 *
 * Counts the features of a cell.
 *
 * Returns: the number of features of a cell, each a #gfloat: #GST_MGPU_HOG_FEATURES,
 *   or 36 when mgpuhog has features=dalal-triggs
 *
 * Since: 1.0
 */
guint
gst_mgpu_hog_meta_get_n_features (GstMgpuHogMeta * meta)
{
  return meta->tables->n_features;
}

/**
 * gst_mgpu_hog_meta_get_level:
 * @meta: a #GstMgpuHogMeta
 * @level: index of a level, from 0
 * @columns: (out) (optional): number of cells in a row
 * @rows: (out) (optional): number of rows of cells
 * @scale: (out) (optional): width of the frame scaled for this level, divided by the
 *   width of the frame
 * @cell_size: (out) (optional): width and height of a cell, in pixels of the scaled
 *   frame
 *
 * Gets the size and the scale of a level.
 *
 * Returns: %FALSE when there is no such level
 *
 * Since: 1.0
 */
gboolean
gst_mgpu_hog_meta_get_level (GstMgpuHogMeta * meta, guint level,
    guint * columns, guint * rows, gdouble * scale, guint * cell_size)
{
  const GstMgpuHogLevel *l;

  if (level >= meta->tables->n_levels)
    return FALSE;
  l = &meta->tables->levels[level];
  if (columns != NULL)
    *columns = l->columns;
  if (rows != NULL)
    *rows = l->rows;
  if (scale != NULL)
    *scale = l->scale;
  if (cell_size != NULL)
    *cell_size = l->cell_size;
  return TRUE;
}

/**
 * gst_mgpu_hog_meta_get_features:
 * @meta: a #GstMgpuHogMeta
 * @level: index of a level, from 0
 *
 * Reads the features of a level. Blocks until the device has computed them.
 *
 * Returns: (transfer full) (nullable): rows x columns x
 *   gst_mgpu_hog_meta_get_n_features() #gfloat; %NULL when there is no such
 *   level or it cannot be read
 *
 * Since: 1.0
 */
GBytes *
gst_mgpu_hog_meta_get_features (GstMgpuHogMeta * meta, guint level)
{
  const GstMgpuHogLevel *l;
  gsize of_cell = meta->tables->n_features * sizeof (gfloat);

  if (level >= meta->tables->n_levels)
    return NULL;
  l = &meta->tables->levels[level];
  return gst_mgpu_bytes_from_part (meta->tables->features, l->offset * of_cell,
      (gsize) l->columns * l->rows * of_cell);
}

/**
 * gst_mgpu_hog_meta_get_levels: (skip)
 * @meta: a #GstMgpuHogMeta
 *
 * Tells kernels where the cells of each level lie in gst_mgpu_hog_meta_get_memory().
 *
 * Returns: (transfer none): an array of gst_mgpu_hog_meta_get_n_levels() levels
 *
 * Since: 1.0
 */
const GstMgpuHogLevel *
gst_mgpu_hog_meta_get_levels (GstMgpuHogMeta * meta)
{
  return meta->tables->levels;
}

/**
 * gst_mgpu_hog_meta_get_memory:
 * @meta: a #GstMgpuHogMeta
 *
 * Gets the memory of the features, for kernels that read them.
 *
 * Returns: (transfer none): the #GstMgpuMemory of the features of all levels
 *
 * Since: 1.0
 */
GstMemory *
gst_mgpu_hog_meta_get_memory (GstMgpuHogMeta * meta)
{
  return gst_mgpu_memory_of_buffer (meta->tables->features);
}
