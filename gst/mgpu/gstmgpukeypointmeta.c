/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:gstmgpukeypointmeta
 * @title: GstMgpuKeypointMeta
 * @short_description: keypoints of a frame
 */
#include "gstmgpukeypointmeta.h"

#include <math.h>
#include <string.h>

#include "gstmgpubytes-private.h"

G_STATIC_ASSERT (sizeof (GstMgpuKeypoint) == 28);
G_STATIC_ASSERT (sizeof (GstMgpuKeypointHeader) == 16);

/* What all copies of a meta share. */
struct _GstMgpuKeypoints
{
  gatomicrefcount refs;
  GstBuffer *keypoints;
  GstMgpuDescriptorType type;
  GstBuffer *descriptors;       /* or NULL */

  GMutex lock;                  /* for what follows */
  gboolean resolved;
  guint n, dropped;
  GBytes *points;               /* of the frame that they were found in */
};

static GstMgpuKeypointTables *
tables_ref (GstMgpuKeypointTables * tables)
{
  g_atomic_ref_count_inc (&tables->refs);
  return tables;
}

static void
tables_unref (GstMgpuKeypointTables * tables)
{
  if (!g_atomic_ref_count_dec (&tables->refs))
    return;
  gst_buffer_unref (tables->keypoints);
  gst_clear_buffer (&tables->descriptors);
  g_clear_pointer (&tables->points, g_bytes_unref);
  g_mutex_clear (&tables->lock);
  g_free (tables);
}

/* Fetches the keypoints, once. What cannot be read counts as none. */
static void
tables_resolve (GstMgpuKeypointTables * tables)
{
  GstMapInfo map;
  const guint8 *points = NULL;

  g_mutex_lock (&tables->lock);
  if (!tables->resolved) {
    gboolean mapped = gst_buffer_map (tables->keypoints, &map, GST_MAP_READ);

    if (mapped && map.size >= sizeof (GstMgpuKeypointHeader)) {
      GstMgpuKeypointHeader header;

      memcpy (&header, map.data, sizeof (header));
      points = map.data + sizeof (header);
      tables->n = MIN (header.n, (map.size - sizeof (header))
          / sizeof (GstMgpuKeypoint));
      tables->dropped = header.dropped;
    }
    tables->points = g_bytes_new (points, tables->n * sizeof (GstMgpuKeypoint));
    tables->resolved = TRUE;
    if (mapped)
      gst_buffer_unmap (tables->keypoints, &map);
  }
  g_mutex_unlock (&tables->lock);
}

GType
gst_mgpu_descriptor_type_get_type (void)
{
  static GType type = 0;
  static const GEnumValue values[] = {
    {GST_MGPU_DESCRIPTOR_TYPE_NONE, "None", "none"},
    {GST_MGPU_DESCRIPTOR_TYPE_SIFT, "SIFT", "sift"},
    {GST_MGPU_DESCRIPTOR_TYPE_ROOTSIFT, "RootSIFT", "rootsift"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type)) {
    GType registered =
        g_enum_register_static ("GstMgpuDescriptorType", values);

    g_once_init_leave (&type, registered);
  }
  return type;
}

static GstMgpuKeypoint *
keypoint_copy (const GstMgpuKeypoint * keypoint)
{
  GstMgpuKeypoint *copy = g_new (GstMgpuKeypoint, 1);

  *copy = *keypoint;
  return copy;
}

G_DEFINE_BOXED_TYPE (GstMgpuKeypoint, gst_mgpu_keypoint, keypoint_copy, g_free);

GType
gst_mgpu_keypoint_meta_api_get_type (void)
{
  static GType type = 0;
  static const gchar *tags[] = { GST_META_TAG_VIDEO_STR,
    GST_META_TAG_VIDEO_SIZE_STR, GST_META_TAG_VIDEO_ORIENTATION_STR, NULL
  };

  if (g_once_init_enter (&type)) {
    GType registered =
        gst_meta_api_type_register ("GstMgpuKeypointMetaAPI", tags);

    g_once_init_leave (&type, registered);
  }
  return type;
}

static gboolean
keypoint_meta_init (GstMeta * meta, gpointer params, GstBuffer * buffer)
{
  GstMgpuKeypointMeta *self = (GstMgpuKeypointMeta *) meta;

  self->tables = NULL;
  self->scale_x = self->scale_y = 1;
  return TRUE;
}

static void
keypoint_meta_free (GstMeta * meta, GstBuffer * buffer)
{
  g_clear_pointer (&((GstMgpuKeypointMeta *) meta)->tables, tables_unref);
}

/* A copy of the whole frame keeps the keypoints, and so does one of another
 * size; anything else would leave them in wrong places. */
static gboolean
keypoint_meta_transform (GstBuffer * dest, GstMeta * meta, GstBuffer * buffer,
    GQuark type, gpointer data)
{
  GstMgpuKeypointMeta *self = (GstMgpuKeypointMeta *) meta, *copy;
  gdouble scale_x = self->scale_x, scale_y = self->scale_y;

  if (GST_META_TRANSFORM_IS_COPY (type)) {
    if (((GstMetaTransformCopy *) data)->region)
      return FALSE;
  } else if (GST_VIDEO_META_TRANSFORM_IS_SCALE (type)) {
    const GstVideoMetaTransform *scaled = data;

    scale_x *= (gdouble) GST_VIDEO_INFO_WIDTH (scaled->out_info)
        / GST_VIDEO_INFO_WIDTH (scaled->in_info);
    scale_y *= (gdouble) GST_VIDEO_INFO_HEIGHT (scaled->out_info)
        / GST_VIDEO_INFO_HEIGHT (scaled->in_info);
  } else {
    return FALSE;
  }
  copy = (GstMgpuKeypointMeta *) gst_buffer_add_meta (dest,
      gst_mgpu_keypoint_meta_get_info (), NULL);
  copy->tables = tables_ref (self->tables);
  copy->scale_x = scale_x;
  copy->scale_y = scale_y;
  return TRUE;
}

/**
 * gst_mgpu_keypoint_meta_get_info: (skip)
 *
 * Returns: (transfer none): what the core knows of this meta
 *
 * Since: 0.1
 */
const GstMetaInfo *
gst_mgpu_keypoint_meta_get_info (void)
{
  static const GstMetaInfo *info = NULL;

  if (g_once_init_enter ((GstMetaInfo **) & info)) {
    const GstMetaInfo *registered =
        gst_meta_register (GST_MGPU_KEYPOINT_META_API_TYPE,
        "GstMgpuKeypointMeta", sizeof (GstMgpuKeypointMeta),
        keypoint_meta_init, keypoint_meta_free, keypoint_meta_transform);

    g_once_init_leave ((GstMetaInfo **) & info, (GstMetaInfo *) registered);
  }
  return info;
}

/**
 * gst_buffer_add_mgpu_keypoint_meta: (skip)
 * @buffer: (transfer none): a writable frame
 * @keypoints: (transfer full): a #GstMgpuKeypointHeader and the keypoints that
 *   it counts, in one #GstMgpuMemory; the device may still be at work on them
 * @type: what @descriptors are
 * @descriptors: (transfer full) (nullable): likewise the descriptors, one for
 *   each keypoint, #GST_MGPU_DESCRIPTOR_SIZE bytes each; %NULL for
 *   %GST_MGPU_DESCRIPTOR_TYPE_NONE
 *
 * Returns: (transfer none): the new meta
 *
 * Since: 0.1
 */
GstMgpuKeypointMeta *
gst_buffer_add_mgpu_keypoint_meta (GstBuffer * buffer, GstBuffer * keypoints,
    GstMgpuDescriptorType type, GstBuffer * descriptors)
{
  GstMgpuKeypointMeta *meta;
  GstMgpuKeypointTables *tables;

  g_return_val_if_fail (gst_buffer_is_writable (buffer), NULL);
  g_return_val_if_fail ((descriptors == NULL) ==
      (type == GST_MGPU_DESCRIPTOR_TYPE_NONE), NULL);

  tables = g_new0 (GstMgpuKeypointTables, 1);
  g_atomic_ref_count_init (&tables->refs);
  g_mutex_init (&tables->lock);
  tables->keypoints = keypoints;
  tables->type = type;
  tables->descriptors = descriptors;
  meta = (GstMgpuKeypointMeta *) gst_buffer_add_meta (buffer,
      gst_mgpu_keypoint_meta_get_info (), NULL);
  meta->tables = tables;
  return meta;
}

/**
 * gst_buffer_get_mgpu_keypoint_meta:
 * @buffer: a frame
 *
 * Returns: (transfer none) (nullable): the keypoints of @buffer
 *
 * Since: 0.1
 */
GstMgpuKeypointMeta *
gst_buffer_get_mgpu_keypoint_meta (GstBuffer * buffer)
{
  return (GstMgpuKeypointMeta *) gst_buffer_get_meta (buffer,
      GST_MGPU_KEYPOINT_META_API_TYPE);
}

/**
 * gst_mgpu_keypoint_meta_get_n_keypoints:
 * @meta: a #GstMgpuKeypointMeta
 *
 * Waits for the device.
 *
 * Returns: how many keypoints there are
 *
 * Since: 0.1
 */
guint
gst_mgpu_keypoint_meta_get_n_keypoints (GstMgpuKeypointMeta * meta)
{
  tables_resolve (meta->tables);
  return meta->tables->n;
}

/**
 * gst_mgpu_keypoint_meta_get_n_dropped:
 * @meta: a #GstMgpuKeypointMeta
 *
 * Waits for the device.
 *
 * Returns: how many more there were before the memory for them was full; those
 *   with the weakest response are lost. 0 unless the frame is close to noise.
 *
 * Since: 0.1
 */
guint
gst_mgpu_keypoint_meta_get_n_dropped (GstMgpuKeypointMeta * meta)
{
  tables_resolve (meta->tables);
  return meta->tables->dropped;
}

static gboolean
is_scaled (const GstMgpuKeypointMeta * meta)
{
  return meta->scale_x != 1 || meta->scale_y != 1;
}

/* In the frame as it is now. */
static void
scale_keypoint (const GstMgpuKeypointMeta * meta, GstMgpuKeypoint * k)
{
  k->x = (k->x + 0.5) * meta->scale_x - 0.5;
  k->y = (k->y + 0.5) * meta->scale_y - 0.5;
  k->size *= sqrt (meta->scale_x * meta->scale_y);
  if (k->angle >= 0 && meta->scale_x != meta->scale_y) {
    gdouble radians = k->angle * (G_PI / 180);
    gfloat angle = atan2 (sin (radians) * meta->scale_y,
        cos (radians) * meta->scale_x) * (180 / G_PI);

    k->angle = angle < 0 ? angle + 360 : angle;
    if (k->angle >= 360)
      k->angle = 0;
  }
}

/**
 * gst_mgpu_keypoint_meta_get_keypoint:
 * @meta: a #GstMgpuKeypointMeta
 * @i: which, from 0
 * @keypoint: (out caller-allocates): the keypoint
 *
 * Waits for the device.
 *
 * Returns: %FALSE when there is no such keypoint
 *
 * Since: 0.1
 */
gboolean
gst_mgpu_keypoint_meta_get_keypoint (GstMgpuKeypointMeta * meta, guint i,
    GstMgpuKeypoint * keypoint)
{
  const GstMgpuKeypoint *points;

  tables_resolve (meta->tables);
  if (i >= meta->tables->n)
    return FALSE;
  points = g_bytes_get_data (meta->tables->points, NULL);
  *keypoint = points[i];
  if (is_scaled (meta))
    scale_keypoint (meta, keypoint);
  return TRUE;
}

/**
 * gst_mgpu_keypoint_meta_get_keypoints:
 * @meta: a #GstMgpuKeypointMeta
 *
 * Waits for the device.
 *
 * Returns: (transfer full): all keypoints: one #GstMgpuKeypoint after the
 *   other, 28 bytes each
 *
 * Since: 0.1
 */
GBytes *
gst_mgpu_keypoint_meta_get_keypoints (GstMgpuKeypointMeta * meta)
{
  GstMgpuKeypoint *points;
  gsize size;

  tables_resolve (meta->tables);
  if (!is_scaled (meta) || meta->tables->n == 0)
    return g_bytes_ref (meta->tables->points);

  size = g_bytes_get_size (meta->tables->points);
  points = g_malloc (size);
  memcpy (points, g_bytes_get_data (meta->tables->points, NULL), size);
  for (guint i = 0; i < meta->tables->n; i++)
    scale_keypoint (meta, &points[i]);
  return g_bytes_new_take (points, size);
}

/**
 * gst_mgpu_keypoint_meta_get_descriptor_type:
 * @meta: a #GstMgpuKeypointMeta
 *
 * Returns: what gst_mgpu_keypoint_meta_get_descriptors() gives
 *
 * Since: 0.1
 */
GstMgpuDescriptorType
gst_mgpu_keypoint_meta_get_descriptor_type (GstMgpuKeypointMeta * meta)
{
  return meta->tables->type;
}

/**
 * gst_mgpu_keypoint_meta_get_descriptors:
 * @meta: a #GstMgpuKeypointMeta
 *
 * Waits for the device.
 *
 * Returns: (transfer full) (nullable): the descriptors in the order of the
 *   keypoints, 128 bytes each; %NULL when there are none or they cannot be read
 *
 * Since: 0.1
 */
GBytes *
gst_mgpu_keypoint_meta_get_descriptors (GstMgpuKeypointMeta * meta)
{
  GBytes *all, *result = NULL;
  gsize size;

  if (meta->tables->descriptors == NULL)
    return NULL;
  tables_resolve (meta->tables);
  size = (gsize) meta->tables->n * GST_MGPU_DESCRIPTOR_SIZE;
  if (size == 0)
    return g_bytes_new (NULL, 0);
  all = gst_mgpu_bytes_from_buffer (meta->tables->descriptors);
  if (all == NULL)
    return NULL;
  if (size <= g_bytes_get_size (all))
    result = g_bytes_new_from_bytes (all, 0, size);
  g_bytes_unref (all);
  return result;
}

/**
 * gst_mgpu_keypoint_meta_get_scale:
 * @meta: a #GstMgpuKeypointMeta
 * @scale_x: (out) (optional): columns of the frame as it is now for each that
 *   it had when the keypoints were found
 * @scale_y: (out) (optional): the same of rows
 *
 * For what reads gst_mgpu_keypoint_meta_get_keypoint_memory(); the other
 * functions have applied it: x becomes (x + 0.5) * @scale_x - 0.5.
 *
 * Since: 0.1
 */
void
gst_mgpu_keypoint_meta_get_scale (GstMgpuKeypointMeta * meta,
    gdouble * scale_x, gdouble * scale_y)
{
  if (scale_x != NULL)
    *scale_x = meta->scale_x;
  if (scale_y != NULL)
    *scale_y = meta->scale_y;
}

/**
 * gst_mgpu_keypoint_meta_get_keypoint_memory:
 * @meta: a #GstMgpuKeypointMeta
 *
 * For work that follows on the device. The memory has room for more keypoints
 * than there are.
 *
 * Returns: (transfer none): the #GstMgpuMemory of the #GstMgpuKeypointHeader
 *   and the keypoints, as they were found
 *
 * Since: 0.1
 */
GstMemory *
gst_mgpu_keypoint_meta_get_keypoint_memory (GstMgpuKeypointMeta * meta)
{
  return gst_buffer_peek_memory (meta->tables->keypoints, 0);
}

/**
 * gst_mgpu_keypoint_meta_get_descriptor_memory:
 * @meta: a #GstMgpuKeypointMeta
 *
 * For work that follows on the device.
 *
 * Returns: (transfer none) (nullable): the #GstMgpuMemory of the descriptors;
 *   %NULL when there are none
 *
 * Since: 0.1
 */
GstMemory *
gst_mgpu_keypoint_meta_get_descriptor_memory (GstMgpuKeypointMeta * meta)
{
  return meta->tables->descriptors != NULL
      ? gst_buffer_peek_memory (meta->tables->descriptors, 0) : NULL;
}
