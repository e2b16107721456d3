/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpu_fwd.h>

G_BEGIN_DECLS

/**
 * GstMgpuTagTables:
 *
 * The tags that were found in a frame. All copies of a #GstMgpuTagMeta share them.
 *
 * Since: 1.1
 */
typedef struct _GstMgpuTagTables GstMgpuTagTables;
typedef struct _GstMgpuTag GstMgpuTag;
typedef struct _GstMgpuTagPose GstMgpuTagPose;
typedef struct _GstMgpuTagMeta GstMgpuTagMeta;

/**
 * GstMgpuTagPose:
 *
 * A position and orientation of a tag or a board. Read it by functions of #GstMgpuTagMeta.
 *
 * Since: 1.1
 */
struct _GstMgpuTagPose
{
  /*< private >*/
  gdouble rotation[9];
  gdouble position[3];
  gdouble error;
};

/**
 * GstMgpuTag:
 * @family: name of the tag's family, such as "tag36h11", which is interned and never freed
 * @id: number of the tag's code in its family
 * @hamming: number of bits that differ from this code (Hamming distance)
 * @ring_errors: number of cells along the edge of the border, on either side, that have the wrong
 * color
 * @margin: distance of bits from the threshold between black and white, relative to half of the
 *   contrast; the smaller of two means: over the white cells, and over the black cells. Usually 0
 *   to 1
 * @evidence: how unlikely it is, in bits, that a square that is not a tag is read as this tag
 * @roi_id: the id of the #GstVideoRegionOfInterestMeta that shows where the tag is; -1 if there is
 * none
 * @size: length of a side of the border, in meters; 0 if it is not known
 *
 * A tag (fiducial marker of AprilTag or ArUco) that was found in a frame.
 *
 * Since: 1.1
 */
struct _GstMgpuTag
{
  const gchar *family;
  guint id;
  guint hamming;
  guint ring_errors;
  gdouble margin;
  gdouble evidence;
  gint roi_id;
  gdouble size;

  /*< private >*/
  gdouble corners[8];
  guint n_poses;
  GstMgpuTagPose poses[2];
  gdouble covariance[36];
  /* number of the mgputags that found the tag, from 1; unique in the process */
  guint finder;
  gpointer reserved[3];
};

#define GST_TYPE_MGPU_TAG (gst_mgpu_tag_get_type ())

GST_MGPU_API
GType             gst_mgpu_tag_get_type                (void);

/**
 * GstMgpuTagMeta:
 * @meta: the parent
 *
 * Tags (fiducial markers of AprilTag or ArUco) that were found in a frame. mgpuconvert transforms
 * the corners of the tags when it crops, rotates or scales the frame; so does any element that
 * scales the frame and calls the meta's transform function. Poses are dropped then, because they
 * belong to the camera of the old frame. Elements that move the content of the frame in other ways
 * drop the meta.
 *
 * A position in a frame is in pixels from its upper left corner, so the center of the first pixel
 * is (0.5, 0.5).
 *
 * Poses use the coordinates of the camera: x points to the right, y down and z away from the
 * camera, in meters. The origin of a tag's coordinates is its center: x points to its right, y
 * down, z into it. The coordinates of a board are those of its file.
 *
 * Since: 1.1
 */
struct _GstMgpuTagMeta
{
  GstMeta meta;

  /*< private >*/
  GstMgpuTagTables *tables;
  /* for a copy made by g_boxed_copy(): the buffer to which the copy is attached, and which keeps
   * it alive; NULL for the meta of a frame */
  GstBuffer *holder;
};

/**
 * GST_TYPE_MGPU_TAG_META:
 *
 * The boxed type of #GstMgpuTagMeta. A copy made by g_boxed_copy() stays valid after the buffer
 * of the original is freed; g_boxed_free() frees the copy. Language bindings copy each meta that
 * they return to a script.
 *
 * Since: 1.1
 */
#define GST_TYPE_MGPU_TAG_META (gst_mgpu_tag_meta_get_type ())

GST_MGPU_API
GType             gst_mgpu_tag_meta_get_type           (void);

GST_MGPU_API
GType             gst_mgpu_tag_meta_api_get_type       (void);

/**
 * GST_MGPU_TAG_META_API_TYPE:
 *
 * The API type of #GstMgpuTagMeta, for gst_buffer_get_meta().
 *
 * Since: 1.1
 */
#define GST_MGPU_TAG_META_API_TYPE (gst_mgpu_tag_meta_api_get_type ())

GST_MGPU_API
const GstMetaInfo * gst_mgpu_tag_meta_get_info         (void);

GST_MGPU_API
GstMgpuTagMeta *  gst_buffer_add_mgpu_tag_meta         (GstBuffer            * buffer,
                                                        const GstMgpuTag     * tags,
                                                        guint                  n,
                                                        const GstMgpuTagPose * board);

GST_MGPU_API
GstMgpuTagMeta *  gst_buffer_get_mgpu_tag_meta         (GstBuffer            * buffer);

GST_MGPU_API
guint             gst_mgpu_tag_meta_get_n_tags         (GstMgpuTagMeta       * meta);

GST_MGPU_API
gboolean          gst_mgpu_tag_meta_get_tag            (GstMgpuTagMeta       * meta,
                                                        guint                  i,
                                                        GstMgpuTag           * tag);

GST_MGPU_API
const gdouble *   gst_mgpu_tag_meta_get_corners        (GstMgpuTagMeta       * meta,
                                                        guint                  i);

GST_MGPU_API
const gdouble *   gst_mgpu_tag_meta_get_matrix         (GstMgpuTagMeta       * meta,
                                                        guint                  i);

GST_MGPU_API
guint             gst_mgpu_tag_meta_get_n_poses        (GstMgpuTagMeta       * meta,
                                                        guint                  i);

GST_MGPU_API
const gdouble *   gst_mgpu_tag_meta_get_rotation       (GstMgpuTagMeta       * meta,
                                                        guint                  i,
                                                        guint                  pose);

GST_MGPU_API
const gdouble *   gst_mgpu_tag_meta_get_position       (GstMgpuTagMeta       * meta,
                                                        guint                  i,
                                                        guint                  pose);

GST_MGPU_API
gdouble           gst_mgpu_tag_meta_get_error          (GstMgpuTagMeta       * meta,
                                                        guint                  i,
                                                        guint                  pose);

GST_MGPU_API
gdouble           gst_mgpu_tag_meta_get_ambiguity      (GstMgpuTagMeta       * meta,
                                                        guint                  i);

GST_MGPU_API
const gdouble *   gst_mgpu_tag_meta_get_covariance     (GstMgpuTagMeta       * meta,
                                                        guint                  i);

GST_MGPU_API
const gdouble *   gst_mgpu_tag_meta_get_board_rotation (GstMgpuTagMeta       * meta);

GST_MGPU_API
const gdouble *   gst_mgpu_tag_meta_get_board_position (GstMgpuTagMeta       * meta);

GST_MGPU_API
gdouble           gst_mgpu_tag_meta_get_board_error    (GstMgpuTagMeta       * meta);

G_END_DECLS
