/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:gstmgpumotionmeta
 * @title: GstMgpuMotionMeta
 * @short_description: how the camera moved since the frame before
 */
#include "gstmgpumotionmeta.h"

#include <string.h>

static const gdouble identity[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };

GType
gst_mgpu_motion_state_get_type (void)
{
  static GType type = 0;
  static const GEnumValue values[] = {
    {GST_MGPU_MOTION_STATE_MEASURED, "Measured", "measured"},
    {GST_MGPU_MOTION_STATE_BRIDGED, "Bridged", "bridged"},
    {GST_MGPU_MOTION_STATE_LOST, "Lost", "lost"},
    {GST_MGPU_MOTION_STATE_CUT, "Cut", "cut"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type)) {
    GType registered = g_enum_register_static ("GstMgpuMotionState", values);

    g_once_init_leave (&type, registered);
  }
  return type;
}

GType
gst_mgpu_motion_meta_api_get_type (void)
{
  static GType type = 0;
  static const gchar *tags[] = { GST_META_TAG_VIDEO_STR,
    GST_META_TAG_VIDEO_SIZE_STR, GST_META_TAG_VIDEO_ORIENTATION_STR, NULL
  };

  if (g_once_init_enter (&type)) {
    GType registered = gst_meta_api_type_register ("GstMgpuMotionMetaAPI",
        tags);

    g_once_init_leave (&type, registered);
  }
  return type;
}

static gboolean
motion_meta_init (GstMeta * meta, gpointer params, GstBuffer * buffer)
{
  ((GstMgpuMotionMeta *) meta)->holder = NULL;
  return TRUE;
}

static GstMgpuMotionMeta *
copy_meta (GstBuffer * buffer, const GstMgpuMotionMeta * meta)
{
  return gst_buffer_add_mgpu_motion_meta (buffer, meta->motion,
      meta->correction, meta->state, meta->n_inliers);
}

/* Copies the meta to dest when dest is a copy of the whole frame. Drops it in all other
 * cases, because it holds places in a frame of this size. */
static gboolean
motion_meta_transform (GstBuffer * dest, GstMeta * meta, GstBuffer * buffer,
    GQuark type, gpointer data)
{
  if (!GST_META_TRANSFORM_IS_COPY (type)
      || ((GstMetaTransformCopy *) data)->region)
    return FALSE;
  copy_meta (dest, (GstMgpuMotionMeta *) meta);
  return TRUE;
}

/**
 * gst_mgpu_motion_meta_get_info: (skip)
 *
 * Returns: (transfer none): the #GstMetaInfo that this kind of meta is registered with
 *
 * Since: 0.1
 */
const GstMetaInfo *
gst_mgpu_motion_meta_get_info (void)
{
  static const GstMetaInfo *info = NULL;

  /* GStreamer's core registers this name as a GType. It ends in Impl, because the name
   * without Impl is that of the boxed type. */
  if (g_once_init_enter ((GstMetaInfo **) & info)) {
    const GstMetaInfo *registered =
        gst_meta_register (GST_MGPU_MOTION_META_API_TYPE,
        "GstMgpuMotionMetaImpl", sizeof (GstMgpuMotionMeta), motion_meta_init,
        NULL, motion_meta_transform);

    g_once_init_leave ((GstMetaInfo **) & info, (GstMetaInfo *) registered);
  }
  return info;
}

/* Copies the meta for g_boxed_copy(). Attaches the copy to a new, empty buffer, because
 * GStreamer's core expects each meta to belong to a buffer. */
static GstMgpuMotionMeta *
boxed_copy (GstMgpuMotionMeta * meta)
{
  GstBuffer *holder = gst_buffer_new ();
  GstMgpuMotionMeta *copy = copy_meta (holder, meta);

  copy->holder = holder;
  return copy;
}

/* Frees this copy of the meta by freeing its holder, the buffer that it is attached to. */
static void
boxed_free (GstMgpuMotionMeta * meta)
{
  gst_buffer_unref (meta->holder);
}

G_DEFINE_BOXED_TYPE (GstMgpuMotionMeta, gst_mgpu_motion_meta, boxed_copy,
    boxed_free);

/**
 * gst_buffer_add_mgpu_motion_meta:
 * @buffer: (transfer none): a writable frame
 * @motion: (array fixed-size=9) (nullable): moves a place in the frame before, as the
 *   camera gave it, to where the same thing is in this frame, as the camera gave it: the
 *   rows of a homography, in pixels from the upper left corner. %NULL: nothing moved
 * @correction: (array fixed-size=9) (nullable): moves a place in this frame, as the
 *   camera gave it, to its place in @buffer. %NULL: it is the same place
 * @state: how well @motion is known
 * @n_inliers: number of points that moved by @motion; 0 when nobody counted
 *
 * Tells the elements downstream how the camera moved.
 *
 * Returns: (transfer none): the new meta
 *
 * Since: 0.1
 */
GstMgpuMotionMeta *
gst_buffer_add_mgpu_motion_meta (GstBuffer * buffer, const gdouble * motion,
    const gdouble * correction, GstMgpuMotionState state, guint n_inliers)
{
  GstMgpuMotionMeta *meta;

  g_return_val_if_fail (gst_buffer_is_writable (buffer), NULL);

  meta = (GstMgpuMotionMeta *) gst_buffer_add_meta (buffer,
      gst_mgpu_motion_meta_get_info (), NULL);
  memcpy (meta->motion, motion != NULL ? motion : identity,
      sizeof (meta->motion));
  memcpy (meta->correction, correction != NULL ? correction : identity,
      sizeof (meta->correction));
  meta->state = state;
  meta->n_inliers = n_inliers;
  return meta;
}

/**
 * gst_buffer_get_mgpu_motion_meta:
 * @buffer: a frame
 *
 * Returns: (transfer none) (nullable): the meta with the motion of the camera
 *
 * Since: 0.1
 */
GstMgpuMotionMeta *
gst_buffer_get_mgpu_motion_meta (GstBuffer * buffer)
{
  return (GstMgpuMotionMeta *) gst_buffer_get_meta (buffer,
      GST_MGPU_MOTION_META_API_TYPE);
}

/**
 * gst_mgpu_motion_meta_get_motion:
 * @meta: a #GstMgpuMotionMeta
 *
 * Gets the homography that moves a place in the frame before, as the camera gave it, to
 * where the same thing is in this frame, as the camera gave it. It is the identity where
 * the motion is not known.
 *
 * Returns: (transfer none) (array fixed-size=9): three rows of three numbers, in pixels
 *   from the upper left corner of the frame, which live as long as @meta
 *
 * Since: 0.1
 */
const gdouble *
gst_mgpu_motion_meta_get_motion (GstMgpuMotionMeta * meta)
{
  return meta->motion;
}

/**
 * gst_mgpu_motion_meta_get_correction:
 * @meta: a #GstMgpuMotionMeta
 *
 * Gets the homography that moves a place in this frame, as the camera gave it, to its
 * place in the frame that has the meta.
 *
 * Returns: (transfer none) (array fixed-size=9): three rows of three numbers, in pixels
 *   from the upper left corner of the frame, which live as long as @meta
 *
 * Since: 0.1
 */
const gdouble *
gst_mgpu_motion_meta_get_correction (GstMgpuMotionMeta * meta)
{
  return meta->correction;
}

/**
 * gst_mgpu_motion_meta_get_state:
 * @meta: a #GstMgpuMotionMeta
 *
 * Returns: how well the motion is known
 *
 * Since: 0.1
 */
GstMgpuMotionState
gst_mgpu_motion_meta_get_state (GstMgpuMotionMeta * meta)
{
  return meta->state;
}

/**
 * gst_mgpu_motion_meta_get_n_inliers:
 * @meta: a #GstMgpuMotionMeta
 *
 * Returns: number of points that moved by the motion of the camera; 0 when nobody
 *   counted
 *
 * Since: 0.1
 */
guint
gst_mgpu_motion_meta_get_n_inliers (GstMgpuMotionMeta * meta)
{
  return meta->n_inliers;
}
