/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpu_fwd.h>

G_BEGIN_DECLS

/**
 * GstMgpuPictureTables:
 *
 * The known pictures (reference images) that were found in a frame. All copies of a
 * #GstMgpuPictureMeta share them.
 *
 * Since: 1.0
 */
typedef struct _GstMgpuPictures GstMgpuPictureTables;
typedef struct _GstMgpuPicture GstMgpuPicture;
typedef struct _GstMgpuPictureMeta GstMgpuPictureMeta;

/**
 * GstMgpuPicture:
 * @name: name of the picture, which is interned and never freed
 * @number: number of the picture, from 1. The mgpumatch that found the picture gives no other
 *   picture this number while it is running. Each mgpumatch numbers its own pictures
 * @roi_id: the id of the #GstVideoRegionOfInterestMeta that shows where the picture is
 * @width: width of the reference image, in pixels
 * @height: height of the reference image, in pixels
 * @n_inliers: number of the matched keypoints that agree on the picture's position in the frame
 * @n_matches: number of keypoints of the picture that were found in the frame
 *
 * A known picture (a reference image, such as a logo) that was found in a frame.
 *
 * Since: 1.0
 */
struct _GstMgpuPicture
{
  const gchar *name;
  guint number;
  gint roi_id;
  guint width;
  guint height;
  guint n_inliers;
  guint n_matches;

  /*< private >*/
  gdouble matrix[9];
  gdouble corners[8];
  /* number of the mgpumatch that found the picture, from 1; unique in the process */
  guint finder;
  gpointer reserved[3];
};

#define GST_TYPE_MGPU_PICTURE (gst_mgpu_picture_get_type ())

GST_MGPU_API
GType                 gst_mgpu_picture_get_type            (void);

/**
 * GstMgpuPictureMeta:
 * @meta: the parent
 *
 * Known pictures (reference images) that were found in a frame, attached by mgpumatch.
 * mgpuconvert transforms the positions of the pictures when it crops, rotates or scales the
 * frame; so does any element that scales the frame and calls the meta's transform function.
 * Elements that move the content of the frame in other ways drop the meta.
 *
 * Since: 1.0
 */
struct _GstMgpuPictureMeta
{
  GstMeta meta;

  /*< private >*/
  GstMgpuPictureTables *tables;
  /* for a copy made by g_boxed_copy(): the buffer to which the copy is attached, and which keeps
   * it alive; NULL for the meta of a frame */
  GstBuffer *holder;
};

/**
 * GST_TYPE_MGPU_PICTURE_META:
 *
 * The boxed type of #GstMgpuPictureMeta. A copy made by g_boxed_copy() stays valid after the buffer
 * of the original is freed; g_boxed_free() frees the copy. Language bindings copy each meta that
 * they return to a script.
 *
 * Since: 1.0
 */
#define GST_TYPE_MGPU_PICTURE_META (gst_mgpu_picture_meta_get_type ())

GST_MGPU_API
GType                 gst_mgpu_picture_meta_get_type       (void);

GST_MGPU_API
GType                 gst_mgpu_picture_meta_api_get_type   (void);

/**
 * GST_MGPU_PICTURE_META_API_TYPE:
 *
 * The API type of #GstMgpuPictureMeta, for gst_buffer_get_meta().
 *
 * Since: 1.0
 */
#define GST_MGPU_PICTURE_META_API_TYPE (gst_mgpu_picture_meta_api_get_type ())

GST_MGPU_API
const GstMetaInfo *   gst_mgpu_picture_meta_get_info       (void);

GST_MGPU_API
GstMgpuPictureMeta *  gst_buffer_add_mgpu_picture_meta     (GstBuffer            * buffer,
                                                            const GstMgpuPicture * pictures,
                                                            guint                  n);

GST_MGPU_API
GstMgpuPictureMeta *  gst_buffer_get_mgpu_picture_meta     (GstBuffer            * buffer);

GST_MGPU_API
guint                 gst_mgpu_picture_meta_get_n_pictures (GstMgpuPictureMeta   * meta);

GST_MGPU_API
gboolean              gst_mgpu_picture_meta_get_picture    (GstMgpuPictureMeta   * meta,
                                                            guint                  i,
                                                            GstMgpuPicture       * picture);

GST_MGPU_API
const gdouble *       gst_mgpu_picture_meta_get_matrix     (GstMgpuPictureMeta   * meta,
                                                            guint                  i);

GST_MGPU_API
const gdouble *       gst_mgpu_picture_meta_get_corners    (GstMgpuPictureMeta   * meta,
                                                            guint                  i);

G_END_DECLS
