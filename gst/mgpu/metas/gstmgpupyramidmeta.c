/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Implements GstMgpuPyramidMeta, the Gaussian or Laplacian pyramid of a frame. */
#include <gst/mgpu/gstmgpupyramidmeta.h>

#include "gstmgpumeta-private.h"

#include <string.h>

/* One level of an image pyramid: either a frame or a detail image; the other is NULL. */
typedef struct
{
  GstBuffer *frame;
  GstBuffer *detail;
  guint n_components;
  GstMgpuPyramidPlane planes[GST_MGPU_PYRAMID_META_MAX_COMPONENTS];
} Level;

/* The levels of an image pyramid. All copies of a GstMgpuPyramidMeta share them. */
struct _GstMgpuPyramidLevels
{
  GstMiniObject parent;
  guint n_levels;
  Level levels[];
};

static void
levels_free (GstMiniObject * object)
{
  g_autofree GstMgpuPyramidLevels *levels = (GstMgpuPyramidLevels *) object;

  for (guint i = 0; i < levels->n_levels; i++) {
    gst_clear_buffer (&levels->levels[i].frame);
    gst_clear_buffer (&levels->levels[i].detail);
  }
}

/* Returns: the pyramid level with the index @level; if there is none, a Level without
 * frame and detail image */
static const Level *
find_level (GstMgpuPyramidMeta * meta, guint level)
{
  static const Level none = { NULL, };

  return level < meta->levels->n_levels ? &meta->levels->levels[level] : &none;
}

/**
 * gst_mgpu_pyramid_meta_api_get_type:
 *
 * Registers the API of #GstMgpuPyramidMeta on the first call.
 *
 * Returns: the type that #GST_MGPU_PYRAMID_META_API_TYPE stands for
 *
 * Since: 1.0
 */
/**
 * gst_mgpu_pyramid_meta_get_info: (skip)
 *
 * Registers #GstMgpuPyramidMeta on the first call.
 *
 * Returns: (transfer none): the #GstMetaInfo that this kind of meta is registered with
 *
 * Since: 1.0
 */
GST_MGPU_DEFINE_META (GstMgpuPyramidMeta, gst_mgpu_pyramid_meta,
    gst_mgpu_meta_pass_on, GST_META_TAG_VIDEO_STR, GST_META_TAG_VIDEO_SIZE_STR,
    GST_META_TAG_VIDEO_ORIENTATION_STR, GST_META_TAG_VIDEO_COLORSPACE_STR);

/**
 * gst_buffer_add_mgpu_pyramid_meta: (skip)
 * @buffer: (transfer none): a writable frame
 * @n_levels: the number of levels, at least 1
 *
 * Attaches a pyramid to a frame, instead of an earlier one. Set the levels of the
 * pyramid before another thread uses @buffer.
 *
 * Returns: (transfer none): the new meta; the caller has to set its levels
 *
 * Since: 1.0
 */
GstMgpuPyramidMeta *
gst_buffer_add_mgpu_pyramid_meta (GstBuffer * buffer, guint n_levels)
{
  GstMgpuPyramidLevels *levels;

  g_return_val_if_fail (gst_buffer_is_writable (buffer), NULL);
  g_return_val_if_fail (n_levels > 0, NULL);

  levels = gst_mgpu_tables_new (sizeof (*levels) + n_levels * sizeof (Level),
      levels_free);
  levels->n_levels = n_levels;
  return gst_mgpu_meta_add (buffer, gst_mgpu_pyramid_meta_get_info (), levels);
}

/**
 * gst_mgpu_pyramid_meta_set_level: (skip)
 * @meta: a #GstMgpuPyramidMeta that only the calling thread knows yet
 * @level: index of a level
 * @frame: (transfer full): the frame of this level, with a #GstVideoMeta; it must not be
 *   the buffer to which @meta is attached, because a reference cycle would keep that
 *   buffer alive
 *
 * Sets the frame of a level.
 *
 * Since: 1.0
 */
void
gst_mgpu_pyramid_meta_set_level (GstMgpuPyramidMeta * meta, guint level,
    GstBuffer * frame)
{
  g_return_if_fail (level < meta->levels->n_levels);

  gst_clear_buffer (&meta->levels->levels[level].frame);
  meta->levels->levels[level].frame = frame;
}

/**
 * gst_mgpu_pyramid_meta_set_detail: (skip)
 * @meta: a #GstMgpuPyramidMeta that only the calling thread knows yet
 * @level: index of a level
 * @detail: (transfer full): the detail of this level, in one #GstMgpuMemory
 * @n_components: the number of planes of @detail
 * @planes: (array length=n_components): where each plane lies in @detail
 *
 * Sets the detail of a level.
 *
 * Since: 1.0
 */
void
gst_mgpu_pyramid_meta_set_detail (GstMgpuPyramidMeta * meta, guint level,
    GstBuffer * detail, guint n_components, const GstMgpuPyramidPlane * planes)
{
  Level *l;

  g_return_if_fail (level < meta->levels->n_levels);
  g_return_if_fail (n_components <= GST_MGPU_PYRAMID_META_MAX_COMPONENTS);

  l = &meta->levels->levels[level];
  gst_clear_buffer (&l->detail);
  l->detail = detail;
  l->n_components = n_components;
  memcpy (l->planes, planes, n_components * sizeof (*planes));
}

/**
 * gst_buffer_get_mgpu_pyramid_meta:
 * @buffer: a frame
 *
 * Finds the pyramid of a frame.
 *
 * Returns: (transfer none) (nullable): the meta with the pyramid of @buffer
 *
 * Since: 1.0
 */
GstMgpuPyramidMeta *
gst_buffer_get_mgpu_pyramid_meta (GstBuffer * buffer)
{
  return (GstMgpuPyramidMeta *) gst_buffer_get_meta (buffer,
      GST_MGPU_PYRAMID_META_API_TYPE);
}

/**
 * gst_mgpu_pyramid_meta_get_n_levels:
 * @meta: a #GstMgpuPyramidMeta
 *
 * Counts the levels of a pyramid.
 *
 * Returns: the number of levels, including level 0, which has the size of the frame
 *
 * Since: 1.0
 */
guint
gst_mgpu_pyramid_meta_get_n_levels (GstMgpuPyramidMeta * meta)
{
  return meta->levels->n_levels;
}

/**
 * gst_mgpu_pyramid_meta_get_level:
 * @meta: a #GstMgpuPyramidMeta
 * @level: index of a level
 *
 * Gets the frame of a level.
 *
 * Returns: (transfer none) (nullable): the frame of the level, with a #GstVideoMeta; %NULL when
 * there is no such level, or when the level has detail instead of a frame. In a Laplacian pyramid,
 * only the last level has a frame
 *
 * Since: 1.0
 */
GstBuffer *
gst_mgpu_pyramid_meta_get_level (GstMgpuPyramidMeta * meta, guint level)
{
  return find_level (meta, level)->frame;
}

/**
 * gst_mgpu_pyramid_meta_get_n_components:
 * @meta: a #GstMgpuPyramidMeta
 * @level: index of a level
 *
 * Counts the planes of detail of a level: one for each component of the frame's format.
 *
 * Returns: the number of planes of detail; 0 for a level without detail
 *
 * Since: 1.0
 */
guint
gst_mgpu_pyramid_meta_get_n_components (GstMgpuPyramidMeta * meta, guint level)
{
  return find_level (meta, level)->n_components;
}

/**
 * gst_mgpu_pyramid_meta_get_plane:
 * @meta: a #GstMgpuPyramidMeta
 * @level: index of a level
 * @component: index of a color component of the frame's format
 * @plane: (out caller-allocates): where the detail of this component lies
 *
 * Tells where the detail of a color component lies in the memory of a pyramid level.
 *
 * Returns: whether the level has detail of this component
 *
 * Since: 1.0
 */
gboolean
gst_mgpu_pyramid_meta_get_plane (GstMgpuPyramidMeta * meta, guint level,
    guint component, GstMgpuPyramidPlane * plane)
{
  const Level *l = find_level (meta, level);

  if (component >= l->n_components)
    return FALSE;
  *plane = l->planes[component];
  return TRUE;
}

/**
 * gst_mgpu_pyramid_meta_get_detail:
 * @meta: a #GstMgpuPyramidMeta
 * @level: index of a level
 *
 * Reads the detail of a level. Blocks until the device has computed it.
 *
 * Returns: (transfer full) (nullable): the detail of the level; %NULL when the level
 *   has no detail or when it cannot be read
 *
 * Since: 1.0
 */
GBytes *
gst_mgpu_pyramid_meta_get_detail (GstMgpuPyramidMeta * meta, guint level)
{
  return gst_mgpu_bytes_from_buffer (find_level (meta, level)->detail);
}

/**
 * gst_mgpu_pyramid_meta_get_detail_memory:
 * @meta: a #GstMgpuPyramidMeta
 * @level: index of a level
 *
 * Gets the memory of a level's detail, for kernels that read it.
 *
 * Returns: (transfer none) (nullable): the #GstMgpuMemory of the level's
 *   detail; %NULL when the level has no detail
 *
 * Since: 1.0
 */
GstMemory *
gst_mgpu_pyramid_meta_get_detail_memory (GstMgpuPyramidMeta * meta, guint level)
{
  return gst_mgpu_memory_of_buffer (find_level (meta, level)->detail);
}
