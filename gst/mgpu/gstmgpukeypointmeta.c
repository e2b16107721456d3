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
#include "gstmgpukeypointmeta-private.h"
#include "gstmgpumetatransform-private.h"

G_STATIC_ASSERT (sizeof (GstMgpuKeypoint) == 28);
G_STATIC_ASSERT (sizeof (GstMgpuKeypointHeader) == 16);

/* What all copies of a meta share. One of a frame that was cropped, turned or
 * scaled has the same memory, but another view of it. */
struct _GstMgpuKeypoints
{
  gatomicrefcount refs;
  GstBuffer *keypoints;
  GstMgpuDescriptorType type;
  GstBuffer *descriptors;       /* or NULL */
  gboolean moved;
  gdouble matrix[2][3];         /* from the frame that they were found in */
  gdouble left, top, right, bottom;     /* what is seen of it */

  GMutex lock;                  /* for what follows */
  gboolean resolved;
  guint n, dropped;
  GBytes *points;               /* of the frame as it is now */
  GArray *places;               /* theirs in memory, NULL if all are seen */
};

/* Farther away than anything; still finite, because it is multiplied by 0. */
#define FAR 1e30

/* Takes the buffers. */
static GstMgpuKeypointTables *
tables_new (GstBuffer * keypoints, GstMgpuDescriptorType type,
    GstBuffer * descriptors)
{
  GstMgpuKeypointTables *tables = g_new0 (GstMgpuKeypointTables, 1);

  g_atomic_ref_count_init (&tables->refs);
  g_mutex_init (&tables->lock);
  tables->keypoints = keypoints;
  tables->type = type;
  tables->descriptors = descriptors;
  tables->matrix[0][0] = tables->matrix[1][1] = 1;
  tables->left = tables->top = -FAR;
  tables->right = tables->bottom = FAR;
  return tables;
}

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
  g_clear_pointer (&tables->places, g_array_unref);
  g_mutex_clear (&tables->lock);
  g_free (tables);
}

static void
move_point (const gdouble matrix[2][3], gdouble * x, gdouble * y)
{
  gdouble from[2] = { *x, *y };

  *x = matrix[0][0] * from[0] + matrix[0][1] * from[1] + matrix[0][2];
  *y = matrix[1][0] * from[0] + matrix[1][1] * from[1] + matrix[1][2];
}

/* The same tables, seen in a frame that was moved once more. */
static GstMgpuKeypointTables *
tables_move (const GstMgpuKeypointTables * from, const GstMgpuMetaTransform * t)
{
  GstMgpuKeypointTables *to = tables_new (gst_buffer_ref (from->keypoints),
      from->type, from->descriptors != NULL ? gst_buffer_ref (from->descriptors)
      : NULL);
  gdouble x[2] = { from->left, from->right };
  gdouble y[2] = { from->top, from->bottom };

  for (guint i = 0; i < 2; i++) {
    for (guint j = 0; j < 3; j++)
      to->matrix[i][j] = t->matrix[i][0] * from->matrix[0][j]
          + t->matrix[i][1] * from->matrix[1][j]
          + (j == 2 ? t->matrix[i][2] : 0);
    move_point (t->matrix, &x[i], &y[i]);
  }
  to->left = MAX (MIN (x[0], x[1]), t->x);
  to->right = MIN (MAX (x[0], x[1]), t->x + t->width);
  to->top = MAX (MIN (y[0], y[1]), t->y);
  to->bottom = MIN (MAX (y[0], y[1]), t->y + t->height);
  to->moved = TRUE;
  return to;
}

/* Moves a keypoint to where it is now. Returns whether it is seen. */
static gboolean
move_keypoint (const GstMgpuKeypointTables * tables, GstMgpuKeypoint * k)
{
  const gdouble (*m)[3] = tables->matrix;
  gdouble x = k->x + 0.5, y = k->y + 0.5;

  move_point (m, &x, &y);
  k->x = x - 0.5;
  k->y = y - 0.5;
  k->size *= sqrt (fabs (m[0][0] * m[1][1] - m[0][1] * m[1][0]));
  if (k->angle >= 0) {
    gdouble radians = k->angle * (G_PI / 180);
    gdouble c = cos (radians), s = sin (radians);
    gfloat angle = atan2 (m[1][0] * c + m[1][1] * s, m[0][0] * c + m[0][1] * s)
        * (180 / G_PI);

    /* What is 0 but for rounding must not become 360. */
    k->angle = angle < 0 ? angle + 360 : angle;
    if (k->angle >= 360)
      k->angle = 0;
  }
  return x >= tables->left && x < tables->right && y >= tables->top
      && y < tables->bottom;
}

/* points are those in memory, not aligned. */
static void
tables_fill (GstMgpuKeypointTables * tables, const guint8 * points, guint n)
{
  GstMgpuKeypoint *copy = g_new (GstMgpuKeypoint, n);
  GArray *places = g_array_new (FALSE, FALSE, sizeof (guint));

  if (n > 0)
    memcpy (copy, points, n * sizeof (GstMgpuKeypoint));
  for (guint i = 0; i < n && tables->moved; i++) {
    GstMgpuKeypoint k = copy[i];

    if (!move_keypoint (tables, &k))
      continue;
    copy[places->len] = k;
    g_array_append_val (places, i);
  }
  if (tables->moved && places->len < n) {
    n = places->len;
    tables->places = g_array_ref (places);
  }
  g_array_unref (places);
  tables->n = n;
  tables->points = g_bytes_new_take (copy, n * sizeof (GstMgpuKeypoint));
}

/* Reads the header and the keypoints, of which there are no more than the memory
 * holds. Returns FALSE when it holds no header. */
static gboolean
tables_parse (GstMgpuKeypointTables * tables, GBytes * bytes)
{
  GstMgpuKeypointHeader header;
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);

  if (size < sizeof (header))
    return FALSE;
  memcpy (&header, data, sizeof (header));
  tables->dropped = header.dropped;
  tables_fill (tables, data + sizeof (header), MIN (header.n,
          (size - sizeof (header)) / sizeof (GstMgpuKeypoint)));
  return TRUE;
}

/* Fetches the keypoints, once. Returns FALSE when they cannot be read; the next
 * call tries again. After TRUE nobody changes the tables any more, so that they
 * are read without the lock. */
static gboolean
tables_resolve (GstMgpuKeypointTables * tables)
{
  GBytes *bytes = NULL;
  gboolean resolved;

  g_mutex_lock (&tables->lock);
  if (!tables->resolved)
    bytes = gst_mgpu_bytes_from_buffer (tables->keypoints);
  if (bytes != NULL) {
    tables->resolved = tables_parse (tables, bytes);
    g_bytes_unref (bytes);
  }
  resolved = tables->resolved;
  g_mutex_unlock (&tables->lock);
  return resolved;
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
  self->holder = NULL;
  return TRUE;
}

static void
keypoint_meta_free (GstMeta * meta, GstBuffer * buffer)
{
  g_clear_pointer (&((GstMgpuKeypointMeta *) meta)->tables, tables_unref);
}

/* Takes tables. */
static GstMgpuKeypointMeta *
add_meta (GstBuffer * buffer, GstMgpuKeypointTables * tables)
{
  GstMgpuKeypointMeta *meta;

  meta = (GstMgpuKeypointMeta *) gst_buffer_add_meta (buffer,
      gst_mgpu_keypoint_meta_get_info (), NULL);
  meta->tables = tables;
  return meta;
}

/* Keypoints stay with the whole frame and follow it where it is known to go;
 * anything else would leave them in wrong places. */
static gboolean
keypoint_meta_transform (GstBuffer * dest, GstMeta * meta, GstBuffer * buffer,
    GQuark type, gpointer data)
{
  GstMgpuKeypointMeta *self = (GstMgpuKeypointMeta *) meta;
  GstMgpuKeypointTables *tables;
  GstMgpuMetaTransform moved;

  if (GST_META_TRANSFORM_IS_COPY (type)) {
    if (((GstMetaTransformCopy *) data)->region)
      return FALSE;
    tables = tables_ref (self->tables);
  } else if (gst_mgpu_meta_transform_parse (&moved, type, data)) {
    tables = tables_move (self->tables, &moved);
  } else {
    return FALSE;
  }
  add_meta (dest, tables);
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

  /* The core registers the name as a type. The name without Impl is that of the
   * boxed type. */
  if (g_once_init_enter ((GstMetaInfo **) & info)) {
    const GstMetaInfo *registered =
        gst_meta_register (GST_MGPU_KEYPOINT_META_API_TYPE,
        "GstMgpuKeypointMetaImpl", sizeof (GstMgpuKeypointMeta),
        keypoint_meta_init, keypoint_meta_free, keypoint_meta_transform);

    g_once_init_leave ((GstMetaInfo **) & info, (GstMetaInfo *) registered);
  }
  return info;
}

/* The copy lies on an empty buffer, because the core takes each meta for a part
 * of a buffer. */
static GstMgpuKeypointMeta *
boxed_copy (GstMgpuKeypointMeta * meta)
{
  GstBuffer *holder = gst_buffer_new ();
  GstMgpuKeypointMeta *copy = add_meta (holder, tables_ref (meta->tables));

  copy->holder = holder;
  return copy;
}

/* Frees the copy with its buffer. */
static void
boxed_free (GstMgpuKeypointMeta * meta)
{
  gst_buffer_unref (meta->holder);
}

G_DEFINE_BOXED_TYPE (GstMgpuKeypointMeta, gst_mgpu_keypoint_meta, boxed_copy,
    boxed_free);

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
  g_return_val_if_fail (gst_buffer_is_writable (buffer), NULL);
  g_return_val_if_fail ((descriptors == NULL) ==
      (type == GST_MGPU_DESCRIPTOR_TYPE_NONE), NULL);

  return add_meta (buffer, tables_new (keypoints, type, descriptors));
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
 * Returns: how many keypoints there are; 0 also when they cannot be read
 *
 * Since: 0.1
 */
guint
gst_mgpu_keypoint_meta_get_n_keypoints (GstMgpuKeypointMeta * meta)
{
  return tables_resolve (meta->tables) ? meta->tables->n : 0;
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
  return tables_resolve (meta->tables) ? meta->tables->dropped : 0;
}

/**
 * gst_mgpu_keypoint_meta_get_keypoint:
 * @meta: a #GstMgpuKeypointMeta
 * @i: which, from 0
 * @keypoint: (out caller-allocates): the keypoint
 *
 * Waits for the device.
 *
 * Returns: %FALSE when there is no such keypoint or it cannot be read
 *
 * Since: 0.1
 */
gboolean
gst_mgpu_keypoint_meta_get_keypoint (GstMgpuKeypointMeta * meta, guint i,
    GstMgpuKeypoint * keypoint)
{
  const GstMgpuKeypoint *points;

  if (!tables_resolve (meta->tables) || i >= meta->tables->n)
    return FALSE;
  points = g_bytes_get_data (meta->tables->points, NULL);
  *keypoint = points[i];
  return TRUE;
}

/**
 * gst_mgpu_keypoint_meta_get_keypoints:
 * @meta: a #GstMgpuKeypointMeta
 *
 * Waits for the device.
 *
 * Returns: (transfer full) (nullable): all keypoints: one #GstMgpuKeypoint
 *   after the other, 28 bytes each; %NULL when they cannot be read
 *
 * Since: 0.1
 */
GBytes *
gst_mgpu_keypoint_meta_get_keypoints (GstMgpuKeypointMeta * meta)
{
  return tables_resolve (meta->tables) ? g_bytes_ref (meta->tables->points)
      : NULL;
}

/* The descriptors at places, of all. */
static GBytes *
gather (GBytes * all, const GArray * places)
{
  const guint8 *from = g_bytes_get_data (all, NULL);
  guint8 *to = g_malloc ((gsize) places->len * GST_MGPU_DESCRIPTOR_SIZE);

  for (guint i = 0; i < places->len; i++)
    memcpy (to + (gsize) i * GST_MGPU_DESCRIPTOR_SIZE,
        from + (gsize) g_array_index (places, guint, i)
        * GST_MGPU_DESCRIPTOR_SIZE, GST_MGPU_DESCRIPTOR_SIZE);
  return g_bytes_new_take (to, (gsize) places->len * GST_MGPU_DESCRIPTOR_SIZE);
}

gboolean
gst_mgpu_keypoint_meta_count (GstMgpuKeypointMeta * meta, guint * n,
    gboolean * is_complete)
{
  if (!tables_resolve (meta->tables))
    return FALSE;
  *n = meta->tables->n;
  *is_complete = meta->tables->places == NULL;
  return TRUE;
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
  GstMgpuKeypointTables *tables = meta->tables;
  GBytes *all, *result = NULL;
  guint n;

  if (tables->descriptors == NULL || !tables_resolve (tables))
    return NULL;
  if (tables->n == 0)
    return g_bytes_new (NULL, 0);
  all = gst_mgpu_bytes_from_buffer (tables->descriptors);
  if (all == NULL)
    return NULL;
  n = tables->places != NULL
      ? g_array_index (tables->places, guint, tables->n - 1) + 1 : tables->n;
  if ((gsize) n * GST_MGPU_DESCRIPTOR_SIZE <= g_bytes_get_size (all))
    result = tables->places != NULL ? gather (all, tables->places)
        : g_bytes_new_from_bytes (all, 0, (gsize) n * GST_MGPU_DESCRIPTOR_SIZE);
  g_bytes_unref (all);
  return result;
}

/**
 * gst_mgpu_keypoint_meta_get_matrix:
 * @meta: a #GstMgpuKeypointMeta
 *
 * For what reads gst_mgpu_keypoint_meta_get_keypoint_memory(): where a point of
 * the frame that the keypoints were found in is in the frame as it is now,
 * (x, y, 1) times each row, in pixels from the upper left corner of the frame;
 * x and y of a keypoint are 0.5 less. The other functions have applied it, and
 * have left out what is not seen any more.
 *
 * Returns: (transfer none) (array fixed-size=6): two rows of three, which live
 *   as long as @meta
 *
 * Since: 0.1
 */
const gdouble *
gst_mgpu_keypoint_meta_get_matrix (GstMgpuKeypointMeta * meta)
{
  return meta->tables->matrix[0];
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
 * Returns: (transfer none) (nullable): the #GstMgpuMemory of the descriptors,
 *   also of keypoints that are not seen any more; %NULL when there are none
 *
 * Since: 0.1
 */
GstMemory *
gst_mgpu_keypoint_meta_get_descriptor_memory (GstMgpuKeypointMeta * meta)
{
  return meta->tables->descriptors != NULL
      ? gst_buffer_peek_memory (meta->tables->descriptors, 0) : NULL;
}
