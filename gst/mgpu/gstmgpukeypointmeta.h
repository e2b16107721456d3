/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpu_fwd.h>

G_BEGIN_DECLS

/**
 * GstMgpuKeypointTables:
 *
 * The keypoints and descriptors of a #GstMgpuKeypointMeta. All copies of the meta share them.
 *
 * Since: 1.0
 */
typedef struct _GstMgpuKeypoints GstMgpuKeypointTables;
typedef struct _GstMgpuKeypoint GstMgpuKeypoint;
typedef struct _GstMgpuKeypointHeader GstMgpuKeypointHeader;
typedef struct _GstMgpuKeypointMatch GstMgpuKeypointMatch;
typedef struct _GstMgpuKeypointMeta GstMgpuKeypointMeta;

/**
 * GstMgpuDescriptorType:
 * @GST_MGPU_DESCRIPTOR_TYPE_NONE: no descriptors
 * @GST_MGPU_DESCRIPTOR_TYPE_SIFT: histograms of gradients, compared by
 *   Euclidean distance
 * @GST_MGPU_DESCRIPTOR_TYPE_ROOTSIFT: SIFT descriptors that are normalized so that their
 *   Euclidean distance equals the Hellinger distance of the histograms. They match more reliably
 *   than SIFT descriptors
 *
 * Types of descriptors: the meaning of the 128 bytes of a keypoint's descriptor.
 *
 * Since: 1.0
 */
typedef enum
{
  GST_MGPU_DESCRIPTOR_TYPE_NONE,
  GST_MGPU_DESCRIPTOR_TYPE_SIFT,
  GST_MGPU_DESCRIPTOR_TYPE_ROOTSIFT
} GstMgpuDescriptorType;

#define GST_TYPE_MGPU_DESCRIPTOR_TYPE (gst_mgpu_descriptor_type_get_type ())

GST_MGPU_API
GType                     gst_mgpu_descriptor_type_get_type       (void);

/**
 * GST_MGPU_DESCRIPTOR_SIZE:
 *
 * The size of a descriptor, in bytes.
 *
 * Since: 1.0
 */
#define GST_MGPU_DESCRIPTOR_SIZE 128

/**
 * GstMgpuKeypoint:
 * @x: horizontal position in the frame, in pixels; a whole number is the center of a pixel
 * @y: vertical position in the frame, in pixels; a whole number is the center of a pixel
 * @size: diameter of the area that the keypoint describes, in pixels
 * @angle: direction of the keypoint in degrees, from 0 to less than 360, clockwise
 *   from the right; -1 when it has no direction
 * @response: strength of the keypoint: its contrast, for pixel values that are scaled to the
 *   range from 0 to 1
 * @octave: the octave in which the keypoint was found; octave 0 has the size of the frame, octave 1
 *   half that size, octave -1 twice that size
 * @layer: the layer of the octave in which the keypoint was found
 *
 * A point that can be found again in other images of the same object. The structure is 28 bytes
 * long, without padding; its numbers are little endian.
 *
 * Since: 1.0
 */
struct _GstMgpuKeypoint
{
  gfloat x;
  gfloat y;
  gfloat size;
  gfloat angle;
  gfloat response;
  gint32 octave;
  gint32 layer;
};

#define GST_TYPE_MGPU_KEYPOINT (gst_mgpu_keypoint_get_type ())

GST_MGPU_API
GType                     gst_mgpu_keypoint_get_type              (void);

/**
 * GstMgpuKeypointHeader:
 * @n: number of keypoints that follow
 * @dropped: number of keypoints that were discarded because the table was full
 *
 * The header of a table of keypoints on the device. The table's #GstMgpuKeypoint structures
 * follow the header without padding.
 *
 * Since: 1.0
 */
struct _GstMgpuKeypointHeader
{
  guint32 n;
  guint32 dropped;

  /*< private >*/
  guint32 reserved[2];
};

/**
 * GstMgpuKeypointMatch:
 * @query: index of a keypoint of the first frame
 * @train: index of the keypoint of the second frame whose descriptor is nearest
 * @distance: square of the Euclidean distance between the two descriptors, at most 8323200
 *
 * A pair of keypoints that seem to show the same point of the same object. The structure is 12
 * bytes long, without padding; its numbers are in the host's byte order.
 *
 * Since: 1.0
 */
struct _GstMgpuKeypointMatch
{
  guint32 query;
  guint32 train;
  guint32 distance;
};

#define GST_TYPE_MGPU_KEYPOINT_MATCH (gst_mgpu_keypoint_match_get_type ())

GST_MGPU_API
GType                     gst_mgpu_keypoint_match_get_type        (void);

/**
 * GstMgpuKeypointMeta:
 * @meta: the parent
 *
 * Keypoints of a frame, made by mgpusift, and their descriptors; or tracks, made by mgpuflow. The
 * device may still be computing them; the first function that reads them waits for the device.
 *
 * mgpuconvert transforms the positions of the keypoints when it crops, rotates or scales the
 * frame; so does any element, such as videoscale, that scales the frame and calls the meta's
 * transform function. Keypoints outside the new frame are removed. Elements that move the content
 * of the frame in other ways drop the meta.
 *
 * Since: 1.0
 */
struct _GstMgpuKeypointMeta
{
  GstMeta meta;

  /*< private >*/
  GstMgpuKeypointTables *tables;
  /* for a copy made by g_boxed_copy(): the buffer to which the copy is attached, and which keeps
   * it alive; NULL for the meta of a frame */
  GstBuffer *holder;
};

/**
 * GST_TYPE_MGPU_KEYPOINT_META:
 *
 * The boxed type of #GstMgpuKeypointMeta. A copy made by g_boxed_copy() shares the keypoints with
 * the original and stays valid after the buffer of the original is freed; g_boxed_free() frees the
 * copy. Language bindings copy each meta that they return to a script.
 *
 * Since: 1.0
 */
#define GST_TYPE_MGPU_KEYPOINT_META (gst_mgpu_keypoint_meta_get_type ())

GST_MGPU_API
GType                     gst_mgpu_keypoint_meta_get_type         (void);

GST_MGPU_API
GType                     gst_mgpu_keypoint_meta_api_get_type     (void);

/**
 * GST_MGPU_KEYPOINT_META_API_TYPE:
 *
 * The API type of #GstMgpuKeypointMeta, for gst_buffer_get_meta().
 *
 * Since: 1.0
 */
#define GST_MGPU_KEYPOINT_META_API_TYPE (gst_mgpu_keypoint_meta_api_get_type ())

GST_MGPU_API
const GstMetaInfo *       gst_mgpu_keypoint_meta_get_info         (void);

GST_MGPU_API
GstMgpuKeypointMeta *     gst_buffer_add_mgpu_keypoint_meta       (GstBuffer             * buffer,
                                                                   GstBuffer             * keypoints,
                                                                   GstMgpuDescriptorType   type,
                                                                   GstBuffer             * descriptors);

GST_MGPU_API
GstMgpuKeypointMeta *     gst_buffer_add_mgpu_keypoint_meta_points
                                                                  (GstBuffer             * buffer,
                                                                   GBytes                * bytes);

GST_MGPU_API
GstMgpuKeypointMeta *     gst_buffer_get_mgpu_keypoint_meta       (GstBuffer             * buffer);

GST_MGPU_API
guint                     gst_mgpu_keypoint_meta_get_n_keypoints  (GstMgpuKeypointMeta   * meta);

GST_MGPU_API
guint                     gst_mgpu_keypoint_meta_get_n_dropped    (GstMgpuKeypointMeta   * meta);

GST_MGPU_API
gboolean                  gst_mgpu_keypoint_meta_get_keypoint     (GstMgpuKeypointMeta   * meta,
                                                                   guint                   i,
                                                                   GstMgpuKeypoint       * keypoint);

GST_MGPU_API
GBytes *                  gst_mgpu_keypoint_meta_get_keypoints    (GstMgpuKeypointMeta   * meta);

GST_MGPU_API
GstMgpuDescriptorType     gst_mgpu_keypoint_meta_get_descriptor_type
                                                                  (GstMgpuKeypointMeta   * meta);

GST_MGPU_API
GBytes *                  gst_mgpu_keypoint_meta_get_descriptors  (GstMgpuKeypointMeta   * meta);

GST_MGPU_API
void                      gst_mgpu_keypoint_meta_set_tracks       (GstMgpuKeypointMeta   * meta,
                                                                   GstBuffer             * ids,
                                                                   GstBuffer             * motions);

GST_MGPU_API
gboolean                  gst_mgpu_keypoint_meta_has_tracks       (GstMgpuKeypointMeta   * meta);

GST_MGPU_API
GBytes *                  gst_mgpu_keypoint_meta_get_ids          (GstMgpuKeypointMeta   * meta);

GST_MGPU_API
GBytes *                  gst_mgpu_keypoint_meta_get_motions      (GstMgpuKeypointMeta   * meta);

GST_MGPU_API
const gdouble *           gst_mgpu_keypoint_meta_get_matrix       (GstMgpuKeypointMeta   * meta);

GST_MGPU_API
GstMemory *               gst_mgpu_keypoint_meta_get_keypoint_memory
                                                                  (GstMgpuKeypointMeta   * meta);

GST_MGPU_API
GstMemory *               gst_mgpu_keypoint_meta_get_descriptor_memory
                                                                  (GstMgpuKeypointMeta   * meta);

GST_MGPU_API
GBytes *                  gst_mgpu_keypoint_meta_match            (GstMgpuKeypointMeta   * meta,
                                                                   GstMgpuKeypointMeta   * trains,
                                                                   gdouble                 ratio,
                                                                   gboolean                mutual,
                                                                   GError               ** error);

G_END_DECLS
