/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:gstmgpuhogmeta
 * @title: GstMgpuHogMeta
 * @short_description: histograms of oriented gradients of a frame
 */
#include "gstmgpuhogmeta.h"

#include "gstmgpubytes-private.h"

/* Holds the data that all copies of a meta share. */
struct _GstMgpuHogTables
{
  gatomicrefcount refs;
  GstBuffer *features;
  guint n_levels, n_features;
  GstMgpuHogLevel levels[];
};

static GstMgpuHogTables *
tables_ref (GstMgpuHogTables * tables)
{
  g_atomic_ref_count_inc (&tables->refs);
  return tables;
}

static void
tables_unref (GstMgpuHogTables * tables)
{
  if (!g_atomic_ref_count_dec (&tables->refs))
    return;
  gst_buffer_unref (tables->features);
  g_free (tables);
}

GType
gst_mgpu_hog_meta_api_get_type (void)
{
  static GType type = 0;
  static const gchar *tags[] = { GST_META_TAG_VIDEO_STR,
    GST_META_TAG_VIDEO_SIZE_STR, GST_META_TAG_VIDEO_ORIENTATION_STR,
    GST_META_TAG_VIDEO_COLORSPACE_STR, NULL
  };

  if (g_once_init_enter (&type)) {
    GType registered = gst_meta_api_type_register ("GstMgpuHogMetaAPI", tags);

    g_once_init_leave (&type, registered);
  }
  return type;
}

static gboolean
hog_meta_init (GstMeta * meta, gpointer params, GstBuffer * buffer)
{
  GstMgpuHogMeta *self = (GstMgpuHogMeta *) meta;

  self->tables = NULL;
  self->holder = NULL;
  return TRUE;
}

static void
hog_meta_free (GstMeta * meta, GstBuffer * buffer)
{
  g_clear_pointer (&((GstMgpuHogMeta *) meta)->tables, tables_unref);
}

/* Adds a meta to buffer. Takes over the caller's reference to tables. */
static GstMgpuHogMeta *
add_meta (GstBuffer * buffer, GstMgpuHogTables * tables)
{
  GstMgpuHogMeta *meta;

  meta = (GstMgpuHogMeta *) gst_buffer_add_meta (buffer,
      gst_mgpu_hog_meta_get_info (), NULL);
  meta->tables = tables;
  return meta;
}

/* Copies the meta to dest when dest is a copy of the whole frame. Drops it in all other
 * cases, because it describes exactly these pixels. */
static gboolean
hog_meta_transform (GstBuffer * dest, GstMeta * meta, GstBuffer * buffer,
    GQuark type, gpointer data)
{
  if (!GST_META_TRANSFORM_IS_COPY (type)
      || ((GstMetaTransformCopy *) data)->region)
    return FALSE;
  add_meta (dest, tables_ref (((GstMgpuHogMeta *) meta)->tables));
  return TRUE;
}

/**
 * gst_mgpu_hog_meta_get_info: (skip)
 *
 * Returns: (transfer none): the #GstMetaInfo that this kind of meta is registered with
 *
 * Since: 0.1
 */
const GstMetaInfo *
gst_mgpu_hog_meta_get_info (void)
{
  static const GstMetaInfo *info = NULL;

  /* GStreamer's core registers this name as a GType. It ends in Impl, because the name
   * without Impl is that of the boxed type. */
  if (g_once_init_enter ((GstMetaInfo **) & info)) {
    const GstMetaInfo *registered =
        gst_meta_register (GST_MGPU_HOG_META_API_TYPE, "GstMgpuHogMetaImpl",
        sizeof (GstMgpuHogMeta), hog_meta_init, hog_meta_free,
        hog_meta_transform);

    g_once_init_leave ((GstMetaInfo **) & info, (GstMetaInfo *) registered);
  }
  return info;
}

/* Copies the meta for g_boxed_copy(). Attaches the copy to a new, empty buffer, because
 * GStreamer's core expects each meta to belong to a buffer. */
static GstMgpuHogMeta *
boxed_copy (GstMgpuHogMeta * meta)
{
  GstBuffer *holder = gst_buffer_new ();
  GstMgpuHogMeta *copy = add_meta (holder, tables_ref (meta->tables));

  copy->holder = holder;
  return copy;
}

/* Frees this copy of the meta by freeing its holder, the buffer that it is attached to. */
static void
boxed_free (GstMgpuHogMeta * meta)
{
  gst_buffer_unref (meta->holder);
}

G_DEFINE_BOXED_TYPE (GstMgpuHogMeta, gst_mgpu_hog_meta, boxed_copy,
    boxed_free);

/**
 * gst_buffer_add_mgpu_hog_meta: (skip)
 * @buffer: (transfer none): a writable frame
 * @features: (transfer full): @n_features #gfloat for each cell, in one
 *   #GstMgpuMemory; the device may still be computing them
 * @levels: (array length=n_levels): size and place of each level; the cells of a
 *   level lie row after row in @features, without gaps
 * @n_levels: number of levels, 0 for a frame that is too small
 * @n_features: number of features of a cell: #GST_MGPU_HOG_FEATURES, or 36 when
 *   mgpuhog has features=dalal-triggs
 *
 * Returns: (transfer none): the new meta
 *
 * Since: 0.1
 */
GstMgpuHogMeta *
gst_buffer_add_mgpu_hog_meta (GstBuffer * buffer, GstBuffer * features,
    const GstMgpuHogLevel * levels, guint n_levels, guint n_features)
{
  GstMgpuHogTables *tables;

  g_return_val_if_fail (gst_buffer_is_writable (buffer), NULL);

  tables = g_malloc0 (sizeof (GstMgpuHogTables)
      + n_levels * sizeof (GstMgpuHogLevel));
  g_atomic_ref_count_init (&tables->refs);
  tables->features = features;
  tables->n_levels = n_levels;
  tables->n_features = n_features;
  for (guint i = 0; i < n_levels; i++)
    tables->levels[i] = levels[i];
  return add_meta (buffer, tables);
}

/**
 * gst_buffer_get_mgpu_hog_meta:
 * @buffer: a frame
 *
 * Returns: (transfer none) (nullable): the meta with the feature pyramid of @buffer
 *
 * Since: 0.1
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
 * Returns: the number of levels, of which the first is the finest; 0 when the frame
 *   is too small
 *
 * Since: 0.1
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
 * Returns: the number of features of a cell, each a #gfloat: #GST_MGPU_HOG_FEATURES,
 *   or 36 when mgpuhog has features=dalal-triggs
 *
 * Since: 0.1
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
 * @scale: (out) (optional): size of the frame scaled for this level, divided by the
 *   size of the frame
 * @cell_size: (out) (optional): width and height of a cell, in pixels of the scaled
 *   frame
 *
 * Returns: %FALSE when there is no such level
 *
 * Since: 0.1
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
 * Since: 0.1
 */
GBytes *
gst_mgpu_hog_meta_get_features (GstMgpuHogMeta * meta, guint level)
{
  const GstMgpuHogLevel *l;
  gsize of_cell = meta->tables->n_features * sizeof (gfloat), begin, size;
  GBytes *all, *result = NULL;

  if (level >= meta->tables->n_levels)
    return NULL;
  all = gst_mgpu_bytes_from_buffer (meta->tables->features);
  if (all == NULL)
    return NULL;
  l = &meta->tables->levels[level];
  begin = l->offset * of_cell;
  size = (gsize) l->columns * l->rows * of_cell;
  if (begin + size <= g_bytes_get_size (all))
    result = g_bytes_new_from_bytes (all, begin, size);
  g_bytes_unref (all);
  return result;
}

/**
 * gst_mgpu_hog_meta_get_levels: (skip)
 * @meta: a #GstMgpuHogMeta
 *
 * Says where the cells of each level lie in gst_mgpu_hog_meta_get_memory(), for
 * kernels that read them.
 *
 * Returns: (transfer none): an array of gst_mgpu_hog_meta_get_n_levels() levels
 *
 * Since: 0.1
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
 * Lets kernels read the features on the device.
 *
 * Returns: (transfer none): the #GstMgpuMemory of the features of all levels
 *
 * Since: 0.1
 */
GstMemory *
gst_mgpu_hog_meta_get_memory (GstMgpuHogMeta * meta)
{
  return gst_buffer_peek_memory (meta->tables->features, 0);
}
