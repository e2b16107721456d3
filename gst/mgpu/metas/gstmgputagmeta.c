/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:gstmgputagmeta
 * @title: GstMgpuTagMeta
 * @short_description: tags (fiducial markers) that were found in a frame
 */
#include <gst/mgpu/gstmgputagmeta.h>

#include "gstmgpumeta-private.h"
#include <gst/mgpu/gstmgpulog-private.h>

#include <string.h>

#define GST_CAT_DEFAULT gst_mgpu_meta_debug

/* A tag, and data that are computed from it */
typedef struct
{
  GstMgpuTag tag;
  gdouble matrix[9];            /* homography that maps the unit square to the frame */
} Entry;

/* The tags that were found in a frame. All copies of a GstMgpuTagMeta share them. */
struct _GstMgpuTagTables
{
  GstMiniObject parent;
  guint n;
  Entry *entries;
  gboolean has_board;
  GstMgpuTagPose board;
};

static GstMgpuTag *
tag_copy (const GstMgpuTag * tag)
{
  return g_memdup2 (tag, sizeof (*tag));
}

G_DEFINE_BOXED_TYPE (GstMgpuTag, gst_mgpu_tag, tag_copy, g_free);

static void
tables_free (GstMiniObject * object)
{
  g_free (((GstMgpuTagTables *) object)->entries);
  g_free (object);
}

/* Applies the frame transform @t to the corners of a tag, and drops its poses. */
static void
move_tag (Entry * entry, const GstMgpuMetaTransform * t)
{
  GstMgpuTag *tag = &entry->tag;

  for (guint i = 0; i < 8; i += 2) {
    gdouble x = tag->corners[i], y = tag->corners[i + 1];

    for (guint r = 0; r < 2; r++)
      tag->corners[i + r] = t->matrix[r][0] * x + t->matrix[r][1] * y
          + t->matrix[r][2];
  }
  tag->n_poses = 0;
  gst_mgpu_meta_find_square (tag->corners, entry->matrix);
}

/* Moves the corners of the tags by @map. Leaves out tags that are not completely visible in the new
 * frame. */
static void
move_tags_by_map (GstMgpuTagTables * tables, const GstMgpuMetaMap * map)
{
  guint n = 0;

  for (guint i = 0; i < tables->n; i++) {
    Entry *entry = &tables->entries[n];

    *entry = tables->entries[i];
    if (!gst_mgpu_meta_map_move_corners (map, 0, entry->tag.corners)
        || !gst_mgpu_meta_find_square (entry->tag.corners, entry->matrix))
      continue;
    entry->tag.n_poses = 0;
    n++;
  }
  GST_LOG ("keeping the %u of %u tags that the transformed frame shows, "
      "without their poses", n, tables->n);
  tables->n = n;
}

/* Applies the frame transform to the tags, if the type of the transform is known. Otherwise copies
 * the meta if the whole frame was copied, and drops it if not. */
static gboolean
tag_meta_transform (GstBuffer * dest, GstMeta * meta, GstBuffer * buffer,
    GQuark type, gpointer data)
{
  const GstMgpuTagTables *from = ((GstMgpuTagMeta *) meta)->tables;
  GstMgpuTagTables *to;
  gboolean is_map = GST_MGPU_META_TRANSFORM_IS_MAP (type);
  GstMgpuMetaTransform moved;

  if (!is_map && !gst_mgpu_meta_transform_parse (&moved, type, data))
    return gst_mgpu_meta_pass_on (dest, meta, buffer, type, data);
  to = gst_mgpu_tables_new (sizeof (*to), tables_free);
  to->n = from->n;
  to->entries = g_memdup2 (from->entries, from->n * sizeof (*from->entries));
  if (is_map)
    move_tags_by_map (to, data);
  for (guint i = 0; !is_map && i < to->n; i++)
    move_tag (&to->entries[i], &moved);
  gst_mgpu_meta_add (dest, meta->info, to);
  return TRUE;
}

/**
 * gst_mgpu_tag_meta_api_get_type:
 *
 * Registers the API of #GstMgpuTagMeta on the first call.
 *
 * Returns: the type that #GST_MGPU_TAG_META_API_TYPE stands for
 *
 * Since: 1.1
 */
/**
 * gst_mgpu_tag_meta_get_info: (skip)
 *
 * Registers #GstMgpuTagMeta on the first call.
 *
 * Returns: (transfer none): the #GstMetaInfo that this kind of meta is registered with
 *
 * Since: 1.1
 */
GST_MGPU_DEFINE_META (GstMgpuTagMeta, gst_mgpu_tag_meta, tag_meta_transform,
    GST_META_TAG_VIDEO_STR, GST_META_TAG_VIDEO_SIZE_STR,
    GST_META_TAG_VIDEO_ORIENTATION_STR);

/**
 * gst_buffer_add_mgpu_tag_meta: (skip)
 * @buffer: (transfer none): a writable frame
 * @tags: (array length=n): the tags, with all members set; they are copied
 * @n: number of the tags
 * @board: (nullable): pose of the board whose tags these are
 *
 * Attaches the tags that were found in a frame, instead of earlier ones.
 *
 * Returns: (transfer none): the new meta
 *
 * Since: 1.1
 */
GstMgpuTagMeta *
gst_buffer_add_mgpu_tag_meta (GstBuffer * buffer, const GstMgpuTag * tags,
    guint n, const GstMgpuTagPose * board)
{
  GstMgpuTagTables *tables;

  g_return_val_if_fail (gst_buffer_is_writable (buffer), NULL);

  tables = gst_mgpu_tables_new (sizeof (*tables), tables_free);
  tables->n = n;
  tables->entries = g_new0 (Entry, n);
  for (guint i = 0; i < n; i++) {
    tables->entries[i].tag = tags[i];
    gst_mgpu_meta_find_square (tables->entries[i].tag.corners,
        tables->entries[i].matrix);
  }
  tables->has_board = board != NULL;
  if (board != NULL)
    tables->board = *board;
  return gst_mgpu_meta_add (buffer, gst_mgpu_tag_meta_get_info (), tables);
}

/**
 * gst_buffer_get_mgpu_tag_meta:
 * @buffer: a frame
 *
 * Finds the meta with the tags that were found in a frame.
 *
 * Returns: (transfer none) (nullable): the meta with the tags of @buffer
 *
 * Since: 1.1
 */
GstMgpuTagMeta *
gst_buffer_get_mgpu_tag_meta (GstBuffer * buffer)
{
  return (GstMgpuTagMeta *) gst_buffer_get_meta (buffer,
      GST_MGPU_TAG_META_API_TYPE);
}

/**
 * gst_mgpu_tag_meta_get_n_tags:
 * @meta: a #GstMgpuTagMeta
 *
 * Counts the tags that were found in a frame.
 *
 * Returns: the number of tags
 *
 * Since: 1.1
 */
guint
gst_mgpu_tag_meta_get_n_tags (GstMgpuTagMeta * meta)
{
  return meta->tables->n;
}

/* Returns: (nullable): the tag @i; NULL when there is no such tag */
static const GstMgpuTag *
get_tag (GstMgpuTagMeta * meta, guint i)
{
  return i < meta->tables->n ? &meta->tables->entries[i].tag : NULL;
}

/* Returns: (nullable): the pose @pose of the tag @i; NULL when there is none */
static const GstMgpuTagPose *
get_pose (GstMgpuTagMeta * meta, guint i, guint pose)
{
  const GstMgpuTag *tag = get_tag (meta, i);

  return tag != NULL && pose < tag->n_poses ? &tag->poses[pose] : NULL;
}

/**
 * gst_mgpu_tag_meta_get_tag:
 * @meta: a #GstMgpuTagMeta
 * @i: index of a tag, from 0
 * @tag: (out caller-allocates): the tag
 *
 * Gets a tag that was found in a frame.
 *
 * Returns: %FALSE when there is no such tag
 *
 * Since: 1.1
 */
gboolean
gst_mgpu_tag_meta_get_tag (GstMgpuTagMeta * meta, guint i, GstMgpuTag * tag)
{
  if (i >= meta->tables->n)
    return FALSE;
  *tag = meta->tables->entries[i].tag;
  return TRUE;
}

/**
 * gst_mgpu_tag_meta_get_corners:
 * @meta: a #GstMgpuTagMeta
 * @i: index of a tag, from 0
 *
 * Gets the corners of a tag's border, as positions in the frame.
 *
 * Returns: (transfer none) (nullable) (array fixed-size=8): x and y of the four corners, from the
 *   upper left corner of the tag on, clockwise for a reader of the tag, in pixels. The array lives
 *   as long as @meta. %NULL when there is no such tag
 *
 * Since: 1.1
 */
const gdouble *
gst_mgpu_tag_meta_get_corners (GstMgpuTagMeta * meta, guint i)
{
  const GstMgpuTag *tag = get_tag (meta, i);

  return tag != NULL ? tag->corners : NULL;
}

/**
 * gst_mgpu_tag_meta_get_matrix:
 * @meta: a #GstMgpuTagMeta
 * @i: index of a tag, from 0
 *
 * Gets the homography that maps the unit square to a tag's border: (0, 0) to its upper left
 * corner, (1, 0) to its upper right one, (1, 1) to its lower right one.
 *
 * Returns: (transfer none) (nullable) (array fixed-size=9): three rows of three numbers, which
 *   live as long as @meta; %NULL when there is no such tag
 *
 * Since: 1.1
 */
const gdouble *
gst_mgpu_tag_meta_get_matrix (GstMgpuTagMeta * meta, guint i)
{
  return i < meta->tables->n ? meta->tables->entries[i].matrix : NULL;
}

/**
 * gst_mgpu_tag_meta_get_n_poses:
 * @meta: a #GstMgpuTagMeta
 * @i: index of a tag, from 0
 *
 * Counts the poses that explain the corners of a tag, because a small or distant tag looks nearly
 * the same in two poses. The pose with the smaller error is the first one.
 *
 * Returns: the number of poses: 0 if the camera or the size of the tag is not known, otherwise 1
 *   or 2
 *
 * Since: 1.1
 */
guint
gst_mgpu_tag_meta_get_n_poses (GstMgpuTagMeta * meta, guint i)
{
  const GstMgpuTag *tag = get_tag (meta, i);

  return tag != NULL ? tag->n_poses : 0;
}

/**
 * gst_mgpu_tag_meta_get_rotation:
 * @meta: a #GstMgpuTagMeta
 * @i: index of a tag, from 0
 * @pose: index of a pose, from 0
 *
 * Gets the rotation of a tag: a matrix that turns directions from the coordinates of the tag to
 * those of the camera.
 *
 * Returns: (transfer none) (nullable) (array fixed-size=9): three rows of three numbers, which
 *   live as long as @meta; %NULL when there is no such pose
 *
 * Since: 1.1
 */
const gdouble *
gst_mgpu_tag_meta_get_rotation (GstMgpuTagMeta * meta, guint i, guint pose)
{
  const GstMgpuTagPose *p = get_pose (meta, i, pose);

  return p != NULL ? p->rotation : NULL;
}

/**
 * gst_mgpu_tag_meta_get_position:
 * @meta: a #GstMgpuTagMeta
 * @i: index of a tag, from 0
 * @pose: index of a pose, from 0
 *
 * Gets the position of the center of a tag, in the coordinates of the camera.
 *
 * Returns: (transfer none) (nullable) (array fixed-size=3): x, y and z in meters, which live as
 *   long as @meta; %NULL when there is no such pose
 *
 * Since: 1.1
 */
const gdouble *
gst_mgpu_tag_meta_get_position (GstMgpuTagMeta * meta, guint i, guint pose)
{
  const GstMgpuTagPose *p = get_pose (meta, i, pose);

  return p != NULL ? p->position : NULL;
}

/**
 * gst_mgpu_tag_meta_get_error:
 * @meta: a #GstMgpuTagMeta
 * @i: index of a tag, from 0
 * @pose: index of a pose, from 0
 *
 * Gets the reprojection error of a pose: the root mean square of the distances between the corners
 * in the frame and the corners projected by the pose.
 *
 * Returns: the error in pixels; -1 when there is no such pose
 *
 * Since: 1.1
 */
gdouble
gst_mgpu_tag_meta_get_error (GstMgpuTagMeta * meta, guint i, guint pose)
{
  const GstMgpuTagPose *p = get_pose (meta, i, pose);

  return p != NULL ? p->error : -1;
}

/**
 * gst_mgpu_tag_meta_get_ambiguity:
 * @meta: a #GstMgpuTagMeta
 * @i: index of a tag, from 0
 *
 * Gets the error of the first pose divided by that of the second one. Above 0.8, the corners do not
 * show which of the poses is right.
 *
 * Returns: the ratio, 0 to 1; 0 if there are fewer than two poses
 *
 * Since: 1.1
 */
gdouble
gst_mgpu_tag_meta_get_ambiguity (GstMgpuTagMeta * meta, guint i)
{
  const GstMgpuTag *tag = get_tag (meta, i);

  if (tag == NULL || tag->n_poses < 2 || tag->poses[1].error <= 0)
    return 0;
  return CLAMP (tag->poses[0].error / tag->poses[1].error, 0, 1);
}

/**
 * gst_mgpu_tag_meta_get_covariance:
 * @meta: a #GstMgpuTagMeta
 * @i: index of a tag, from 0
 *
 * Gets the covariance of the first pose of a tag: of a small rotation about the x, y and z axes of
 * the camera, in radians, and of the position in meters.
 *
 * Returns: (transfer none) (nullable) (array fixed-size=36): six rows of six numbers, which live
 *   as long as @meta; %NULL when there is no pose
 *
 * Since: 1.1
 */
const gdouble *
gst_mgpu_tag_meta_get_covariance (GstMgpuTagMeta * meta, guint i)
{
  const GstMgpuTag *tag = get_tag (meta, i);

  return tag != NULL && tag->n_poses > 0 ? tag->covariance : NULL;
}

/**
 * gst_mgpu_tag_meta_get_board_rotation:
 * @meta: a #GstMgpuTagMeta
 *
 * Gets the rotation of the board to which the tags belong: a matrix that turns directions from
 * the coordinates of the board to those of the camera.
 *
 * Returns: (transfer none) (nullable) (array fixed-size=9): three rows of three numbers, which
 *   live as long as @meta; %NULL when the pose of a board is not known
 *
 * Since: 1.1
 */
const gdouble *
gst_mgpu_tag_meta_get_board_rotation (GstMgpuTagMeta * meta)
{
  return meta->tables->has_board ? meta->tables->board.rotation : NULL;
}

/**
 * gst_mgpu_tag_meta_get_board_position:
 * @meta: a #GstMgpuTagMeta
 *
 * Gets the position of the origin of the board to which the tags belong, in the coordinates of
 * the camera.
 *
 * Returns: (transfer none) (nullable) (array fixed-size=3): x, y and z in meters, which live as
 *   long as @meta; %NULL when the pose of a board is not known
 *
 * Since: 1.1
 */
const gdouble *
gst_mgpu_tag_meta_get_board_position (GstMgpuTagMeta * meta)
{
  return meta->tables->has_board ? meta->tables->board.position : NULL;
}

/**
 * gst_mgpu_tag_meta_get_board_error:
 * @meta: a #GstMgpuTagMeta
 *
 * Gets the reprojection error of the board's pose: the root mean square of the distances between
 * the corners of its tags in the frame and the corners projected by the pose.
 *
 * Returns: the error in pixels; -1 when the pose of a board is not known
 *
 * Since: 1.1
 */
gdouble
gst_mgpu_tag_meta_get_board_error (GstMgpuTagMeta * meta)
{
  return meta->tables->has_board ? meta->tables->board.error : -1;
}
