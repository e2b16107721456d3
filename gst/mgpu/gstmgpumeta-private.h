/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpukeypointmeta.h"
#include "gstmgpumetatransform.h"

G_BEGIN_DECLS

/* Holds the members that every meta of this library has. All copies of a meta
 * share its tables, which hold the data. The struct of the tables begins with a
 * GstMiniObject. */
typedef struct
{
  GstMeta meta;
  gpointer tables;
  /* buffer that keeps this meta alive when the meta is a copy that g_boxed_copy() made;
   * NULL in the meta of a frame */
  GstBuffer *holder;
} GstMgpuMeta;

/* Returns: (transfer full): tables of size bytes, all 0 but the GstMiniObject.
 * The function @free is called with the tables when the last reference is
 * dropped. */
G_GNUC_INTERNAL
gpointer    gst_mgpu_tables_new        (gsize size, GstMiniObjectFreeFunction free);

/* Adds a meta to @buffer. Takes over the caller's reference to @tables. */
G_GNUC_INTERNAL
gpointer    gst_mgpu_meta_add          (GstBuffer * buffer, const GstMetaInfo * info, gpointer tables);

/* Copies the meta to @dest when @dest is a copy of the whole frame. Drops the
 * meta in all other cases, because it describes exactly the pixels of its
 * frame. */
G_GNUC_INTERNAL
gboolean    gst_mgpu_meta_pass_on      (GstBuffer * dest, GstMeta * meta, GstBuffer * buffer,
                                        GQuark type, gpointer data);

/* Maps the only memory of @buffer for reading, after waiting for the device to
 * write it. The memory stays mapped until the last reference to the returned
 * bytes is dropped. Returns: (transfer full) (nullable): the bytes; NULL when
 * they cannot be read or when @buffer is NULL */
G_GNUC_INTERNAL
GBytes *    gst_mgpu_bytes_from_buffer (GstBuffer * buffer);

/* Returns: (transfer none) (nullable): the memory of @buffer; NULL when @buffer
 * is NULL */
G_GNUC_INTERNAL
GstMemory * gst_mgpu_memory_of_buffer  (GstBuffer * buffer);

/* Fills @self with a description of how a transform of the given type moves the
 * frame. Knows three types: the type of GstMgpuMetaTransform, GStreamer's
 * "gst-video-scale", and GStreamer's "gst-video-matrix" if its matrix is
 * affine. Returns FALSE for other types. */
G_GNUC_INTERNAL
gboolean    gst_mgpu_meta_transform_parse (GstMgpuMetaTransform * self, GQuark type,
                                        gconstpointer data);

/* Counts the keypoints, after waiting for the device to find them. Sets *is_complete to
 * whether all keypoints in memory are seen in the current frame, so that the descriptor
 * of keypoint i is the i-th one in memory. Returns FALSE when the keypoints cannot be
 * read. */
G_GNUC_INTERNAL
gboolean    gst_mgpu_keypoint_meta_count (GstMgpuKeypointMeta * meta, guint * n,
                                        gboolean * is_complete);

/* Functions that the code made by GST_MGPU_DEFINE_META() calls. */
G_GNUC_INTERNAL
const GstMetaInfo * gst_mgpu_meta_register (GType api, const gchar * name,
    GstMetaTransformFunction transform);
G_GNUC_INTERNAL
gpointer    gst_mgpu_meta_boxed_copy   (gpointer meta);
G_GNUC_INTERNAL
void        gst_mgpu_meta_boxed_free   (gpointer meta);

/* Defines PREFIX_api_get_type(), PREFIX_get_info() and PREFIX_get_type() for the struct
 * Type of a meta, whose members are those of GstMgpuMeta. The parameter transform is its
 * GstMetaTransformFunction; the other parameters are its tags.
 *
 * GStreamer's core registers the name of the implementation as a GType. That name ends in
 * Impl, because the name without Impl is that of the boxed type. */
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
