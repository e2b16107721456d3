/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Implements GstMgpuKeypointMeta, the keypoints and descriptors of a frame. */
#include <gst/mgpu/gstmgpukeypointmeta.h>

#include <math.h>
#include <string.h>

#include "gstmgpumeta-private.h"
#include <gst/mgpu/gstmgpuenum-private.h>
#include <gst/mgpu/gstmgpulog-private.h>
#define GST_CAT_DEFAULT gst_mgpu_meta_debug

G_STATIC_ASSERT (sizeof (GstMgpuKeypoint) == 28);
G_STATIC_ASSERT (sizeof (GstMgpuKeypointHeader) == 16);

/* The keypoints of a frame. All copies of a GstMgpuKeypointMeta share this struct. When a
 * frame is cropped, rotated or scaled, the meta of the new frame gets a new struct with the
 * same buffers and another matrix. */
struct _GstMgpuKeypoints
{
  GstMiniObject parent;
  GstBuffer *keypoints;
  GstMgpuDescriptorType type;
  GstBuffer *descriptors;       /* buffer with the descriptors of the keypoints; NULL if
                                 * they have none */
  GstBuffer *ids, *motions;     /* buffers with the ids and motions of tracks; NULL if the
                                 * keypoints are not tracks */
  gboolean moved;               /* whether the frame was cropped, rotated or scaled after the
                                 * keypoints were found */
  /* affine matrix that maps a point of the frame in which the keypoints were found to its
   * position in the current frame, in pixels */
  gdouble matrix[2][3];
  /* edges of the part of the current frame that shows the original frame, in pixels */
  gdouble left, top, right, bottom;

  GMutex lock;                  /* lock that guards the members declared after it */
  gboolean resolved;
  guint n, dropped;
  GBytes *points;               /* array of the keypoints inside the current frame, in pixels
                                 * of this frame */
  /* indices, in the device's table of keypoints, of the keypoints in @points; NULL if @points
   * contains all keypoints of the table */
  GArray *places;
};

/* A coordinate, in pixels, that lies outside every frame. It is finite, because infinity
 * times 0 is not a number. */
#define FAR 1e30

static void
tables_free (GstMiniObject * object)
{
  g_autofree GstMgpuKeypointTables *tables = (GstMgpuKeypointTables *) object;

  gst_buffer_unref (tables->keypoints);
  gst_clear_buffer (&tables->descriptors);
  gst_clear_buffer (&tables->ids);
  gst_clear_buffer (&tables->motions);
  g_clear_pointer (&tables->points, g_bytes_unref);
  g_clear_pointer (&tables->places, g_array_unref);
  g_mutex_clear (&tables->lock);
}

/* Makes the struct that holds keypoints. Takes over the caller's references to the
 * buffers. */
static GstMgpuKeypointTables *
tables_new (GstBuffer * keypoints, GstMgpuDescriptorType type,
    GstBuffer * descriptors)
{
  GstMgpuKeypointTables *tables =
      gst_mgpu_tables_new (sizeof (*tables), tables_free);

  g_mutex_init (&tables->lock);
  tables->keypoints = keypoints;
  tables->type = type;
  tables->descriptors = descriptors;
  tables->matrix[0][0] = tables->matrix[1][1] = 1;
  tables->left = tables->top = -FAR;
  tables->right = tables->bottom = FAR;
  return tables;
}

static void
move_point (const gdouble matrix[2][3], gdouble * x, gdouble * y)
{
  gdouble from[2] = { *x, *y };

  *x = matrix[0][0] * from[0] + matrix[0][1] * from[1] + matrix[0][2];
  *y = matrix[1][0] * from[0] + matrix[1][1] * from[1] + matrix[1][2];
}

/* Returns: (transfer full): a new struct with the keypoint buffers of @from, for the frame
 * that results from the transform @t */
static GstMgpuKeypointTables *
tables_move (const GstMgpuKeypointTables * from, const GstMgpuMetaTransform * t)
{
  GstMgpuKeypointTables *to = tables_new (gst_buffer_ref (from->keypoints),
      from->type, from->descriptors != NULL ? gst_buffer_ref (from->descriptors)
      : NULL);
  gdouble x[2] = { from->left, from->right };
  gdouble y[2] = { from->top, from->bottom };

  to->ids = from->ids != NULL ? gst_buffer_ref (from->ids) : NULL;
  to->motions = from->motions != NULL ? gst_buffer_ref (from->motions) : NULL;
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

/* Transforms the direction and the size of keypoint @k by the matrix [@a @b; @c @d]. */
static void
turn_keypoint (GstMgpuKeypoint * k, gdouble a, gdouble b, gdouble c, gdouble d)
{
  gdouble radians = k->angle * (G_PI / 180);
  gdouble x = cos (radians), y = sin (radians);
  gfloat angle = atan2 (c * x + d * y, a * x + b * y) * (180 / G_PI);

  k->size *= sqrt (fabs (a * d - b * c));
  if (k->angle < 0)
    return;
  /* Sets an angle of 360 degrees to 0: angles must be below 360, but adding 360 to a
   * tiny negative angle gives 360 by rounding. */
  k->angle = angle < 0 ? angle + 360 : angle;
  if (k->angle >= 360)
    k->angle = 0;
}

/* Moves keypoint @k to its position in the current frame. Returns: whether the keypoint lies
 * inside the current frame */
static gboolean
move_keypoint (const GstMgpuKeypointTables * tables, GstMgpuKeypoint * k)
{
  const gdouble (*m)[3] = tables->matrix;
  gdouble x = k->x + 0.5, y = k->y + 0.5;

  move_point (m, &x, &y);
  k->x = x - 0.5;
  k->y = y - 0.5;
  turn_keypoint (k, m[0][0], m[0][1], m[1][0], m[1][1]);
  return x >= tables->left && x < tables->right && y >= tables->top
      && y < tables->bottom;
}

/* Fills @tables with the keypoints that lie inside the current frame. @points is the address
 * of @n keypoints that were read from the device. It need not be aligned. */
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
    GST_LOG
        ("kept the %u of %u keypoints that are inside the transformed frame",
        places->len, n);
    n = places->len;
    tables->places = g_array_ref (places);
  }
  g_array_unref (places);
  tables->n = n;
  tables->points = g_bytes_new_take (copy, n * sizeof (GstMgpuKeypoint));
}

/* Fills @tables from @bytes, the keypoint table read from the device: a header and the
 * keypoints. Reads at most as many keypoints as @bytes can contain, even if the count in the
 * header is larger. Returns: FALSE if @bytes is too short for a header */
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
  GST_LOG ("the device found %u keypoints, and %u more that did not fit into "
      "memory", header.n, header.dropped);
  tables_fill (tables, data + sizeof (header), MIN (header.n,
          (size - sizeof (header)) / sizeof (GstMgpuKeypoint)));
  return TRUE;
}

/* Fetches the keypoints from the device, unless an earlier call has done so. After this
 * function has returned TRUE, @tables does not change any more and can be read without the
 * lock. Returns: FALSE if the keypoints cannot be read; the next call tries again */
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

static const GEnumValue descriptor_types[] = {
  {GST_MGPU_DESCRIPTOR_TYPE_NONE, "None", "none"},
  {GST_MGPU_DESCRIPTOR_TYPE_SIFT, "SIFT", "sift"},
  {GST_MGPU_DESCRIPTOR_TYPE_ROOTSIFT, "RootSIFT", "rootsift"},
  {0, NULL, NULL}
};

GST_MGPU_DEFINE_ENUM (GstMgpuDescriptorType, gst_mgpu_descriptor_type,
    descriptor_types);

static GstMgpuKeypoint *
keypoint_copy (const GstMgpuKeypoint * keypoint)
{
  return g_memdup2 (keypoint, sizeof (*keypoint));
}

G_DEFINE_BOXED_TYPE (GstMgpuKeypoint, gst_mgpu_keypoint, keypoint_copy, g_free);

/* Moves keypoint @k by @map. A keypoint that the new frame does not show gets a position outside
 * every frame. */
static void
move_keypoint_by_map (GstMgpuKeypoint * k, const GstMgpuMetaMap * map)
{
  gdouble m[2][2], x, y;

  if (!gst_mgpu_meta_map_move (map, k->x + 0.5, k->y + 0.5, &x, &y)) {
    k->x = k->y = -FAR;
    return;
  }
  if (gst_mgpu_meta_map_linearize (map, k->x + 0.5, k->y + 0.5, m))
    turn_keypoint (k, m[0][0], m[0][1], m[1][0], m[1][1]);
  k->x = x - 0.5;
  k->y = y - 0.5;
}

/* Returns: (transfer full) (nullable): the keypoints of @from, moved by @map, in system memory, in
 * the order of the descriptors. Ids and motions of tracks are dropped, because the motions would
 * belong to another frame. Waits until the device has found the keypoints. NULL if they cannot be
 * read */
static GstMgpuKeypointTables *
tables_map (const GstMgpuKeypointTables * from, const GstMgpuMetaMap * map)
{
  GBytes *bytes = gst_mgpu_bytes_from_buffer (from->keypoints);
  GstMgpuKeypointTables *to = NULL;
  gsize size = bytes != NULL ? g_bytes_get_size (bytes) : 0;
  GstMgpuKeypointHeader *header;
  GstMgpuKeypoint *points;

  if (size >= sizeof (*header)) {
    header = g_memdup2 (g_bytes_get_data (bytes, NULL), size);
    points = (GstMgpuKeypoint *) (header + 1);
    header->n = MIN (header->n, (size - sizeof (*header)) / sizeof (*points));
    for (guint i = 0; i < header->n; i++)
      if (move_keypoint (from, &points[i]))
        move_keypoint_by_map (&points[i], map);
      else
        points[i].x = points[i].y = -FAR;
    to = tables_new (gst_buffer_new_wrapped (header, size), from->type,
        from->descriptors != NULL ? gst_buffer_ref (from->descriptors) : NULL);
    to->left = to->top = 0;
    to->right = GST_VIDEO_INFO_WIDTH (map->out_info);
    to->bottom = GST_VIDEO_INFO_HEIGHT (map->out_info);
    to->moved = TRUE;
  }
  g_clear_pointer (&bytes, g_bytes_unref);
  return to;
}

/* Transforms the positions of the keypoints if the type of the transform is known. Otherwise
 * copies the meta if the whole frame was copied, and drops it if not, because the positions
 * would be wrong. */
static gboolean
keypoint_meta_transform (GstBuffer * dest, GstMeta * meta, GstBuffer * buffer,
    GQuark type, gpointer data)
{
  const GstMgpuKeypointTables *from = ((GstMgpuKeypointMeta *) meta)->tables;
  GstMgpuKeypointTables *to;
  GstMgpuMetaTransform moved;

  if (GST_MGPU_META_TRANSFORM_IS_MAP (type))
    to = tables_map (from, data);
  else if (gst_mgpu_meta_transform_parse (&moved, type, data))
    to = tables_move (from, &moved);
  else
    return gst_mgpu_meta_pass_on (dest, meta, buffer, type, data);
  if (to == NULL) {
    GST_WARNING ("dropping keypoints, because they cannot be read");
    return FALSE;
  }
  gst_mgpu_meta_add (dest, meta->info, to);
  return TRUE;
}

/**
 * gst_mgpu_keypoint_meta_api_get_type:
 *
 * Registers the API of #GstMgpuKeypointMeta on the first call.
 *
 * Returns: the type that #GST_MGPU_KEYPOINT_META_API_TYPE stands for
 *
 * Since: 1.0
 */
/**
 * gst_mgpu_keypoint_meta_get_info: (skip)
 *
 * Registers #GstMgpuKeypointMeta on the first call.
 *
 * Returns: (transfer none): the #GstMetaInfo that this kind of meta is registered with
 *
 * Since: 1.0
 */
GST_MGPU_DEFINE_META (GstMgpuKeypointMeta, gst_mgpu_keypoint_meta,
    keypoint_meta_transform, GST_META_TAG_VIDEO_STR,
    GST_META_TAG_VIDEO_SIZE_STR, GST_META_TAG_VIDEO_ORIENTATION_STR);

/**
 * gst_buffer_add_mgpu_keypoint_meta: (skip)
 * @buffer: (transfer none): a writable frame
 * @keypoints: (transfer full): a #GstMgpuKeypointHeader followed by its keypoints, in one
 *   #GstMgpuMemory; the device may still be computing them
 * @type: the type of @descriptors
 * @descriptors: (transfer full) (nullable): the descriptors, one for each keypoint,
 *   #GST_MGPU_DESCRIPTOR_SIZE bytes each, in one #GstMgpuMemory; %NULL for
 *   %GST_MGPU_DESCRIPTOR_TYPE_NONE
 *
 * Attaches keypoints to a frame, instead of earlier ones.
 *
 * Returns: (transfer none): the new meta
 *
 * Since: 1.0
 */
GstMgpuKeypointMeta *
gst_buffer_add_mgpu_keypoint_meta (GstBuffer * buffer, GstBuffer * keypoints,
    GstMgpuDescriptorType type, GstBuffer * descriptors)
{
  g_return_val_if_fail (gst_buffer_is_writable (buffer), NULL);
  g_return_val_if_fail ((descriptors == NULL) ==
      (type == GST_MGPU_DESCRIPTOR_TYPE_NONE), NULL);

  return gst_mgpu_meta_add (buffer, gst_mgpu_keypoint_meta_get_info (),
      tables_new (keypoints, type, descriptors));
}

/**
 * gst_buffer_add_mgpu_keypoint_meta_points:
 * @buffer: (transfer none): a writable frame
 * @bytes: the keypoints, one #GstMgpuKeypoint after the other, 28 bytes each
 *
 * Attaches keypoints without descriptors to a frame, instead of earlier keypoints. An
 * element mgpusift with points=given computes their descriptors, in the order of the
 * keypoints. If the angle of a keypoint is -1, mgpusift also computes the angle. If the
 * octave of a keypoint is %G_MININT, mgpusift derives octave and layer from the size of the
 * keypoint.
 *
 * These keypoints are stored in system memory; those of mgpusift are stored on the device. If
 * the size of @bytes is not a multiple of 28, the function logs a critical warning and
 * attaches nothing.
 *
 * Returns: (transfer none) (nullable): the new meta
 *
 * Since: 1.0
 */
GstMgpuKeypointMeta *
gst_buffer_add_mgpu_keypoint_meta_points (GstBuffer * buffer, GBytes * bytes)
{
  GstMgpuKeypointHeader header = { 0, };
  GstBuffer *table;
  gsize size;
  gconstpointer data;

  g_return_val_if_fail (gst_buffer_is_writable (buffer), NULL);
  g_return_val_if_fail (bytes != NULL, NULL);

  data = g_bytes_get_data (bytes, &size);
  if (size % sizeof (GstMgpuKeypoint) != 0
      || size / sizeof (GstMgpuKeypoint) > G_MAXINT32) {
    g_critical ("%s: %" G_GSIZE_FORMAT " bytes are not %" G_GSIZE_FORMAT
        " for each keypoint", G_STRFUNC, size, sizeof (GstMgpuKeypoint));
    return NULL;
  }
  header.n = size / sizeof (GstMgpuKeypoint);
  table = gst_buffer_new_allocate (NULL, sizeof (header) + size, NULL);
  gst_buffer_fill (table, 0, &header, sizeof (header));
  gst_buffer_fill (table, sizeof (header), data, size);
  return gst_buffer_add_mgpu_keypoint_meta (buffer, table,
      GST_MGPU_DESCRIPTOR_TYPE_NONE, NULL);
}

/**
 * gst_buffer_get_mgpu_keypoint_meta:
 * @buffer: a frame
 *
 * Finds the keypoints of a frame.
 *
 * Returns: (transfer none) (nullable): the meta with the keypoints of @buffer
 *
 * Since: 1.0
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
 * Counts the keypoints. Blocks until the device has found them.
 *
 * Returns: the number of keypoints; also 0 when they cannot be read
 *
 * Since: 1.0
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
 * Counts the keypoints that were dropped because the memory for keypoints was full. These are
 * the keypoints with the weakest response. Blocks until the device has found the keypoints.
 *
 * Returns: the number of dropped keypoints; 0 unless the frame is nearly pure noise
 *
 * Since: 1.0
 */
guint
gst_mgpu_keypoint_meta_get_n_dropped (GstMgpuKeypointMeta * meta)
{
  return tables_resolve (meta->tables) ? meta->tables->dropped : 0;
}

/**
 * gst_mgpu_keypoint_meta_get_keypoint:
 * @meta: a #GstMgpuKeypointMeta
 * @i: index of a keypoint, from 0
 * @keypoint: (out caller-allocates): the keypoint
 *
 * Reads a keypoint. Blocks until the device has found the keypoints.
 *
 * Returns: %FALSE when there is no such keypoint or it cannot be read
 *
 * Since: 1.0
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
 * Reads the keypoints. Blocks until the device has found them.
 *
 * Returns: (transfer full) (nullable): all keypoints: one #GstMgpuKeypoint
 *   after the other, 28 bytes each; %NULL when they cannot be read
 *
 * Since: 1.0
 */
GBytes *
gst_mgpu_keypoint_meta_get_keypoints (GstMgpuKeypointMeta * meta)
{
  return tables_resolve (meta->tables) ? g_bytes_ref (meta->tables->points)
      : NULL;
}

/* Returns: a copy of those entries of @all, of @size bytes each, whose indices are in the array
 * @places */
static GBytes *
gather (GBytes * all, const GArray * places, gsize size)
{
  const guint8 *from = g_bytes_get_data (all, NULL);
  guint8 *to = g_malloc (places->len * size);

  for (guint i = 0; i < places->len; i++)
    memcpy (to + i * size, from + g_array_index (places, guint, i) * size,
        size);
  return g_bytes_new_take (to, places->len * size);
}

/* Reads the table in @buffer, which has an entry of @size bytes for each keypoint on the device.
 * Blocks until the device has computed it. Returns: (transfer full) (nullable): the entries of the
 * keypoints inside the current frame; NULL without a table or if it cannot be read */
static GBytes *
read_entries (GstMgpuKeypointTables * tables, GstBuffer * buffer, gsize size)
{
  GBytes *all, *result = NULL;
  guint n;

  if (buffer == NULL || !tables_resolve (tables))
    return NULL;
  if (tables->n == 0)
    return g_bytes_new (NULL, 0);
  all = gst_mgpu_bytes_from_buffer (buffer);
  if (all == NULL)
    return NULL;
  n = tables->places != NULL
      ? g_array_index (tables->places, guint, tables->n - 1) + 1 : tables->n;
  if (n * size <= g_bytes_get_size (all))
    result = tables->places != NULL ? gather (all, tables->places, size)
        : g_bytes_new_from_bytes (all, 0, n * size);
  g_bytes_unref (all);
  return result;
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
 * Gets the type of the descriptors. Only descriptors of the same type can be matched.
 *
 * Returns: the type of the descriptors
 *
 * Since: 1.0
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
 * Reads the descriptors. Blocks until the device has computed them.
 *
 * Returns: (transfer full) (nullable): the descriptors in the order of the
 *   keypoints, 128 bytes each; %NULL when there are none or they cannot be read
 *
 * Since: 1.0
 */
GBytes *
gst_mgpu_keypoint_meta_get_descriptors (GstMgpuKeypointMeta * meta)
{
  return read_entries (meta->tables, meta->tables->descriptors,
      GST_MGPU_DESCRIPTOR_SIZE);
}

/**
 * gst_mgpu_keypoint_meta_set_tracks: (skip)
 * @meta: a #GstMgpuKeypointMeta that has just been added to a frame
 * @ids: (transfer full): a #guint32 for each keypoint, in one #GstMgpuMemory; the device may still
 *   be computing them
 * @motions: (transfer full): four #gfloat for each keypoint, in one #GstMgpuMemory
 *
 * Makes the keypoints tracks: points that are followed from frame to frame.
 *
 * Since: 1.1
 */
void
gst_mgpu_keypoint_meta_set_tracks (GstMgpuKeypointMeta * meta, GstBuffer * ids,
    GstBuffer * motions)
{
  gst_clear_buffer (&meta->tables->ids);
  gst_clear_buffer (&meta->tables->motions);
  meta->tables->ids = ids;
  meta->tables->motions = motions;
}

/**
 * gst_mgpu_keypoint_meta_has_tracks:
 * @meta: a #GstMgpuKeypointMeta
 *
 * Tells whether the keypoints are tracks: points that are followed from frame to frame. Does not
 * block.
 *
 * Returns: whether the keypoints have ids and motions
 *
 * Since: 1.1
 */
gboolean
gst_mgpu_keypoint_meta_has_tracks (GstMgpuKeypointMeta * meta)
{
  return meta->tables->ids != NULL;
}

/**
 * gst_mgpu_keypoint_meta_get_ids:
 * @meta: a #GstMgpuKeypointMeta
 *
 * Reads the ids of tracks, which mgpuflow makes: a point has the same id in all frames. Blocks
 * until the device has found the keypoints.
 *
 * Returns: (transfer full) (nullable): a #guint32 for each keypoint, in the order of the keypoints;
 *   %NULL when the keypoints are not tracks, or the ids cannot be read
 *
 * Since: 1.1
 */
GBytes *
gst_mgpu_keypoint_meta_get_ids (GstMgpuKeypointMeta * meta)
{
  return read_entries (meta->tables, meta->tables->ids, sizeof (guint32));
}

/* Converts positions in the previous frame, and motions, to pixels of the current frame, which was
 * cropped, rotated or scaled. */
static GBytes *
move_motions (const GstMgpuKeypointTables * tables, GBytes * bytes)
{
  const gdouble (*m)[3] = tables->matrix;
  gsize size;
  gconstpointer data = g_bytes_get_data (bytes, &size);
  gfloat *moved = g_memdup2 (data, size);

  for (gfloat * f = moved; f < moved + size / sizeof (gfloat); f += 4) {
    gdouble x = f[0] + 0.5, y = f[1] + 0.5, u = f[2], v = f[3];

    move_point (m, &x, &y);
    f[0] = x - 0.5;
    f[1] = y - 0.5;
    f[2] = m[0][0] * u + m[0][1] * v;
    f[3] = m[1][0] * u + m[1][1] * v;
  }
  g_bytes_unref (bytes);
  return g_bytes_new_take (moved, size);
}

/**
 * gst_mgpu_keypoint_meta_get_motions:
 * @meta: a #GstMgpuKeypointMeta
 *
 * Reads the motions of tracks, which mgpuflow makes: x and y of each point in the previous frame,
 * as in #GstMgpuKeypoint, and its motion from there to the right and down, in pixels. The motion of
 * a new point is 0. Blocks until the device has found the keypoints.
 *
 * Returns: (transfer full) (nullable): four #gfloat for each keypoint, in the order of the
 *   keypoints; %NULL when the keypoints are not tracks, or the motions cannot be read
 *
 * Since: 1.1
 */
GBytes *
gst_mgpu_keypoint_meta_get_motions (GstMgpuKeypointMeta * meta)
{
  GBytes *bytes = read_entries (meta->tables, meta->tables->motions,
      4 * sizeof (gfloat));

  return bytes != NULL && meta->tables->moved && meta->tables->n > 0
      ? move_motions (meta->tables, bytes) : bytes;
}

/**
 * gst_mgpu_keypoint_meta_get_matrix:
 * @meta: a #GstMgpuKeypointMeta
 *
 * Gets the affine matrix that maps a point of the frame in which the keypoints were found to
 * its position in the current frame. The new x is the first row times (x, y, 1), and the new
 * y is the second row times (x, y, 1). Positions are in pixels from the upper left corner of
 * the frame. The members x and y of a #GstMgpuKeypoint are smaller by 0.5, because they are
 * relative to the center of the first pixel.
 *
 * Only readers of gst_mgpu_keypoint_meta_get_keypoint_memory() need the matrix. The functions
 * that return keypoints apply it, and leave out keypoints outside the current frame.
 *
 * Returns: (transfer none) (array fixed-size=6): two rows of three numbers, which
 *   live as long as @meta
 *
 * Since: 1.0
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
 * Gets the memory of the keypoints, for kernels that read them. The memory may be larger than
 * the header and its keypoints.
 *
 * Returns: (transfer none): the #GstMgpuMemory with the #GstMgpuKeypointHeader followed by
 *   the keypoints. Their x and y are in pixels of the frame in which they were found. It is
 *   system memory if the keypoints are from gst_buffer_add_mgpu_keypoint_meta_points()
 *
 * Since: 1.0
 */
GstMemory *
gst_mgpu_keypoint_meta_get_keypoint_memory (GstMgpuKeypointMeta * meta)
{
  return gst_mgpu_memory_of_buffer (meta->tables->keypoints);
}

/**
 * gst_mgpu_keypoint_meta_get_descriptor_memory:
 * @meta: a #GstMgpuKeypointMeta
 *
 * Gets the memory of the descriptors, for kernels that read them.
 *
 * Returns: (transfer none) (nullable): the #GstMgpuMemory of the descriptors, including those
 *   of keypoints outside the current frame; %NULL when there are no descriptors
 *
 * Since: 1.0
 */
GstMemory *
gst_mgpu_keypoint_meta_get_descriptor_memory (GstMgpuKeypointMeta * meta)
{
  return gst_mgpu_memory_of_buffer (meta->tables->descriptors);
}
