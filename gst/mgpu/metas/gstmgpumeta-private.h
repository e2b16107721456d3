/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpukeypointmeta.h>
#include <gst/mgpu/gstmgpumetatransform.h>

G_BEGIN_DECLS

/* The members that every meta of this library begins with. @tables is the data of the meta, which
 * all copies of the meta share. The struct of the data begins with a GstMiniObject. */
typedef struct
{
  GstMeta meta;
  gpointer tables;
  /* for a copy made by g_boxed_copy(): the buffer to which the copy is attached, and which keeps
   * it alive; NULL for the meta of a frame */
  GstBuffer *holder;
} GstMgpuMeta;

/* Returns: (transfer full): a struct of @size bytes for the data of a meta, all 0 except
 * the GstMiniObject at its beginning. The function @free is called with the struct when
 * the last reference is dropped */
G_GNUC_INTERNAL
gpointer    gst_mgpu_tables_new        (gsize size, GstMiniObjectFreeFunction free);

/* Adds a meta with the data @tables (transfer full) to @buffer. Removes any earlier meta of this
 * kind, because readers would get the earlier one. */
G_GNUC_INTERNAL
gpointer    gst_mgpu_meta_add          (GstBuffer * buffer, const GstMetaInfo * info, gpointer tables);

/* Copies the meta to @dest if @dest is a copy of the whole frame. Otherwise drops the meta,
 * because it describes exactly the pixels of the original frame. */
G_GNUC_INTERNAL
gboolean    gst_mgpu_meta_pass_on      (GstBuffer * dest, GstMeta * meta, GstBuffer * buffer,
                                        GQuark type, gpointer data);

/* Waits until the device has written the single memory of @buffer, and maps this memory for
 * reading. The memory stays mapped until the last reference to the returned bytes is dropped.
 * Returns: (transfer full) (nullable): the bytes; NULL if they cannot be read or if
 * @buffer is NULL */
G_GNUC_INTERNAL
GBytes *    gst_mgpu_bytes_from_buffer (GstBuffer * buffer);

/* Does the same as gst_mgpu_bytes_from_buffer(), for the @size bytes that begin at byte @offset.
 * Returns: (transfer full) (nullable): these bytes; NULL also if the memory is shorter */
G_GNUC_INTERNAL
GBytes *    gst_mgpu_bytes_from_part   (GstBuffer * buffer, gsize offset, gsize size);

/* Returns: (transfer none) (nullable): the single memory of @buffer; NULL if @buffer is NULL */
G_GNUC_INTERNAL
GstMemory * gst_mgpu_memory_of_buffer  (GstBuffer * buffer);

/* Converts the data of a frame transform to @self. Three types of transforms are known:
 * GstMgpuMetaTransform, GStreamer's "gst-video-scale", and GStreamer's "gst-video-matrix" if its
 * matrix is affine. Returns: FALSE for other types */
G_GNUC_INTERNAL
gboolean    gst_mgpu_meta_transform_parse (GstMgpuMetaTransform * self, GQuark type,
                                        gconstpointer data);

/* Moves four points by @map. @shift: distance, in pixels, from the upper left corner of the frame
 * to the origin of @corners: 0.5 if whole numbers are the centers of pixels. Returns: FALSE if the
 * new frame does not show all of them */
G_GNUC_INTERNAL
gboolean    gst_mgpu_meta_map_move_corners (const GstMgpuMetaMap * map, gdouble shift,
                                        gdouble corners[8]);

/* Sets @matrix to the derivative of @map at (@x, @y), computed from positions half a pixel away.
 * Returns: FALSE if the new frame does not show all of these */
G_GNUC_INTERNAL
gboolean    gst_mgpu_meta_map_linearize (const GstMgpuMetaMap * map, gdouble x, gdouble y,
                                        gdouble matrix[2][2]);

/* Sets @matrix to the homography that maps (0, 0), (1, 0), (1, 1) and (0, 1) to four corners;
 * Returns: FALSE if three corners are on a line; @matrix is then set to zeros */
G_GNUC_INTERNAL
gboolean    gst_mgpu_meta_find_square  (const gdouble corners[8], gdouble matrix[9]);

/* Waits until the device has found the keypoints of the meta, and counts them. Sets *@is_complete
 * to TRUE if all keypoints in the device memory lie inside the current frame; descriptor i in the
 * device memory then belongs to keypoint i. Returns: FALSE if the keypoints cannot be read */
G_GNUC_INTERNAL
gboolean    gst_mgpu_keypoint_meta_count (GstMgpuKeypointMeta * meta, guint * n,
                                        gboolean * is_complete);

/* Register a meta, copy a meta and free a copy. Only the code that the macro
 * GST_MGPU_DEFINE_META() generates calls these functions. */
G_GNUC_INTERNAL
const GstMetaInfo * gst_mgpu_meta_register (GType api, const gchar * name,
    GstMetaTransformFunction transform);
G_GNUC_INTERNAL
gpointer    gst_mgpu_meta_boxed_copy   (gpointer meta);
G_GNUC_INTERNAL
void        gst_mgpu_meta_boxed_free   (gpointer meta);

/* Defines the functions PREFIX_api_get_type(), PREFIX_get_info() and PREFIX_get_type() of a meta.
 * @Type is the struct of the meta, which has the same members as GstMgpuMeta; @transform is the
 * GstMetaTransformFunction of the meta; the other arguments are its tags.
 *
 * GStreamer's core registers a GType with the name of the meta's implementation. This name ends
 * in Impl, because the boxed type has the name without Impl. */
#define GST_MGPU_DEFINE_META(Type, prefix, transform, ...) \
G_STATIC_ASSERT (sizeof (Type) == sizeof (GstMgpuMeta)); \
GType \
prefix##_api_get_type (void) \
{ \
  static const gchar *tags[] = { __VA_ARGS__, NULL }; \
  static gsize type = 0; \
\
  if (g_once_init_enter (&type)) \
    g_once_init_leave (&type, gst_meta_api_type_register (#Type "API", tags)); \
  return type; \
} \
\
const GstMetaInfo * \
prefix##_get_info (void) \
{ \
  static gsize info = 0; \
\
  if (g_once_init_enter (&info)) \
    g_once_init_leave (&info, (gsize) gst_mgpu_meta_register \
        (prefix##_api_get_type (), #Type "Impl", transform)); \
  return (const GstMetaInfo *) info; \
} \
\
G_DEFINE_BOXED_TYPE (Type, prefix, gst_mgpu_meta_boxed_copy, \
    gst_mgpu_meta_boxed_free)

G_END_DECLS
