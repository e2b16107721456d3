/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:gstmgpupicturemeta
 * @title: GstMgpuPictureMeta
 * @short_description: known pictures that were found in a frame
 */
#include <gst/mgpu/gstmgpupicturemeta.h>

#include "gstmgpumeta-private.h"
#include <gst/mgpu/gstmgpulog-private.h>

#include <string.h>

#define GST_CAT_DEFAULT gst_mgpu_meta_debug

/* The known pictures that were found in a frame. All copies of a GstMgpuPictureMeta share
 * them. */
struct _GstMgpuPictures
{
  GstMiniObject parent;
  guint n;
  GstMgpuPicture *pictures;
};

static GstMgpuPicture *
picture_copy (const GstMgpuPicture * picture)
{
  return g_memdup2 (picture, sizeof (*picture));
}

G_DEFINE_BOXED_TYPE (GstMgpuPicture, gst_mgpu_picture, picture_copy, g_free);

static void
tables_free (GstMiniObject * object)
{
  g_free (((GstMgpuPictureTables *) object)->pictures);
  g_free (object);
}

static GstMgpuPictureTables *
tables_new (const GstMgpuPicture * pictures, guint n)
{
  GstMgpuPictureTables *tables =
      gst_mgpu_tables_new (sizeof (*tables), tables_free);

  tables->n = n;
  tables->pictures = g_memdup2 (pictures, n * sizeof (*pictures));
  return tables;
}

/* Applies the frame transform @t to the position of @picture, a known picture that was
 * found in the frame. The position is in the coordinates of keypoints, where whole numbers
 * are the centers of pixels; in @t, whole numbers are the corners of pixels. */
static void
move_picture (GstMgpuPicture * picture, const GstMgpuMetaTransform * t)
{
  gdouble move[2][3], *m = picture->matrix;

  for (guint r = 0; r < 2; r++) {
    move[r][0] = t->matrix[r][0];
    move[r][1] = t->matrix[r][1];
    move[r][2] = t->matrix[r][2] + 0.5 * (move[r][0] + move[r][1]) - 0.5;
  }
  for (guint c = 0; c < 3; c++) {
    gdouble x = m[c], y = m[3 + c], w = m[6 + c];

    m[c] = move[0][0] * x + move[0][1] * y + move[0][2] * w;
    m[3 + c] = move[1][0] * x + move[1][1] * y + move[1][2] * w;
  }
  for (guint i = 0; i < 8; i += 2) {
    gdouble x = picture->corners[i], y = picture->corners[i + 1];

    for (guint r = 0; r < 2; r++)
      picture->corners[i + r] = move[r][0] * x + move[r][1] * y + move[r][2];
  }
}

/* Sets the product of the matrices @a and @b, which may be @product. */
static void
multiply (const gdouble a[9], const gdouble b[9], gdouble product[9])
{
  gdouble result[9] = { 0 };

  for (guint i = 0; i < 27; i++)
    result[i / 3] += a[i / 9 * 3 + i % 3] * b[i % 3 * 3 + i / 3 % 3];
  memcpy (product, result, sizeof (result));
}

/* Sets @to to the inverse of @m, up to a scale factor. */
static void
invert (const gdouble m[9], gdouble to[9])
{
  for (guint i = 0; i < 9; i++) {
    guint j = (i % 3 + 1) % 3, k = (i % 3 + 2) % 3;
    guint c = (i / 3 + 1) % 3, d = (i / 3 + 2) % 3;

    to[i] = m[3 * j + c] * m[3 * k + d] - m[3 * j + d] * m[3 * k + c];
  }
}

/* Moves the corners of @picture by @map; the matrix becomes the homography to the new corners.
 * Returns: FALSE if the new frame does not show all corners */
static gboolean
move_picture_by_map (GstMgpuPicture * picture, const GstMgpuMetaMap * map)
{
  gdouble old[9], now[9], back[9], *m = picture->matrix;

  if (!gst_mgpu_meta_find_square (picture->corners, old)
      || !gst_mgpu_meta_map_move_corners (map, 0.5, picture->corners)
      || !gst_mgpu_meta_find_square (picture->corners, now))
    return FALSE;
  invert (old, back);
  multiply (back, m, m);
  multiply (now, m, m);
  if (m[8] == 0)
    return FALSE;
  for (guint i = 0; i < 9; i++)
    back[i] = m[i] / m[8];
  memcpy (m, back, sizeof (back));
  return TRUE;
}

/* Applies the frame transform to the positions of the known pictures, if the type of the
 * transform is known. Otherwise copies the meta if the whole frame was copied, and drops it
 * if not. */
static gboolean
picture_meta_transform (GstBuffer * dest, GstMeta * meta, GstBuffer * buffer,
    GQuark type, gpointer data)
{
  const GstMgpuPictureTables *from = ((GstMgpuPictureMeta *) meta)->tables;
  gboolean is_map = GST_MGPU_META_TRANSFORM_IS_MAP (type);
  GstMgpuPictureTables *to;
  GstMgpuMetaTransform moved;
  guint n = 0;

  if (!is_map && !gst_mgpu_meta_transform_parse (&moved, type, data))
    return gst_mgpu_meta_pass_on (dest, meta, buffer, type, data);
  to = tables_new (from->pictures, from->n);
  for (guint i = 0; i < to->n; i++) {
    to->pictures[n] = from->pictures[i];
    if (!is_map)
      move_picture (&to->pictures[n], &moved);
    n += !is_map || move_picture_by_map (&to->pictures[n], data);
  }
  to->n = n;
  GST_LOG ("the transformed frame shows %u of %u reference images", n, from->n);
  gst_mgpu_meta_add (dest, meta->info, to);
  return TRUE;
}

/**
 * gst_mgpu_picture_meta_api_get_type:
 *
 * Registers the API of #GstMgpuPictureMeta on the first call.
 *
 * Returns: the type that #GST_MGPU_PICTURE_META_API_TYPE stands for
 *
 * Since: 1.0
 */
/**
 * gst_mgpu_picture_meta_get_info: (skip)
 *
 * Registers #GstMgpuPictureMeta on the first call.
 *
 * Returns: (transfer none): the #GstMetaInfo that this kind of meta is registered with
 *
 * Since: 1.0
 */
GST_MGPU_DEFINE_META (GstMgpuPictureMeta, gst_mgpu_picture_meta,
    picture_meta_transform, GST_META_TAG_VIDEO_STR,
    GST_META_TAG_VIDEO_SIZE_STR, GST_META_TAG_VIDEO_ORIENTATION_STR);

/**
 * gst_buffer_add_mgpu_picture_meta: (skip)
 * @buffer: (transfer none): a writable frame
 * @pictures: (array length=n): the pictures, with all members set; they are copied
 * @n: number of the pictures
 *
 * Attaches the known pictures that were found in a frame, instead of earlier ones.
 *
 * Returns: (transfer none): the new meta
 *
 * Since: 1.0
 */
GstMgpuPictureMeta *
gst_buffer_add_mgpu_picture_meta (GstBuffer * buffer,
    const GstMgpuPicture * pictures, guint n)
{
  g_return_val_if_fail (gst_buffer_is_writable (buffer), NULL);

  return gst_mgpu_meta_add (buffer, gst_mgpu_picture_meta_get_info (),
      tables_new (pictures, n));
}

/**
 * gst_buffer_get_mgpu_picture_meta:
 * @buffer: a frame
 *
 * Finds the meta with the known pictures that were found in a frame.
 *
 * Returns: (transfer none) (nullable): the meta with the pictures of @buffer
 *
 * Since: 1.0
 */
GstMgpuPictureMeta *
gst_buffer_get_mgpu_picture_meta (GstBuffer * buffer)
{
  return (GstMgpuPictureMeta *) gst_buffer_get_meta (buffer,
      GST_MGPU_PICTURE_META_API_TYPE);
}

/**
 * gst_mgpu_picture_meta_get_n_pictures:
 * @meta: a #GstMgpuPictureMeta
 *
 * Counts the known pictures that were found in a frame.
 *
 * Returns: the number of pictures that were found in the frame
 *
 * Since: 1.0
 */
guint
gst_mgpu_picture_meta_get_n_pictures (GstMgpuPictureMeta * meta)
{
  return meta->tables->n;
}

/**
 * gst_mgpu_picture_meta_get_picture:
 * @meta: a #GstMgpuPictureMeta
 * @i: index of a picture, from 0
 * @picture: (out caller-allocates): the picture
 *
 * Gets a known picture that was found in a frame.
 *
 * Returns: %FALSE when there is no such picture
 *
 * Since: 1.0
 */
gboolean
gst_mgpu_picture_meta_get_picture (GstMgpuPictureMeta * meta, guint i,
    GstMgpuPicture * picture)
{
  if (i >= meta->tables->n)
    return FALSE;
  *picture = meta->tables->pictures[i];
  return TRUE;
}

/**
 * gst_mgpu_picture_meta_get_matrix:
 * @meta: a #GstMgpuPictureMeta
 * @i: index of a picture, from 0
 *
 * Gets the homography that maps a point of a known picture to its position in the frame.
 * Coordinates are in pixels; whole numbers are the centers of pixels: see
 * gst_mgpu_fit_get_matrix().
 *
 * Returns: (transfer none) (nullable) (array fixed-size=9): three rows of three numbers,
 *   which live as long as @meta; %NULL when there is no such picture
 *
 * Since: 1.0
 */
const gdouble *
gst_mgpu_picture_meta_get_matrix (GstMgpuPictureMeta * meta, guint i)
{
  return i < meta->tables->n ? meta->tables->pictures[i].matrix : NULL;
}

/**
 * gst_mgpu_picture_meta_get_corners:
 * @meta: a #GstMgpuPictureMeta
 * @i: index of a picture, from 0
 *
 * Gets the corners of a known picture, as positions in the frame.
 *
 * Returns: (transfer none) (nullable) (array fixed-size=8): x and y of the four corners,
 *   clockwise from the upper left corner of the picture, in pixels; whole numbers are the
 *   centers of pixels. The array lives as long as @meta. %NULL when there is no such
 *   picture
 *
 * Since: 1.0
 */
const gdouble *
gst_mgpu_picture_meta_get_corners (GstMgpuPictureMeta * meta, guint i)
{
  return i < meta->tables->n ? meta->tables->pictures[i].corners : NULL;
}
