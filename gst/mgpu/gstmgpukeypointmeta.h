/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpu_fwd.h>

G_BEGIN_DECLS

typedef struct _GstMgpuKeypoint GstMgpuKeypoint;
typedef struct _GstMgpuKeypointHeader GstMgpuKeypointHeader;
typedef struct _GstMgpuKeypointMatch GstMgpuKeypointMatch;
typedef struct _GstMgpuKeypointMeta GstMgpuKeypointMeta;
typedef struct _GstMgpuKeypoints GstMgpuKeypointTables;

/**
 * GstMgpuDescriptorType:
 * @GST_MGPU_DESCRIPTOR_TYPE_NONE: no descriptors
 * @GST_MGPU_DESCRIPTOR_TYPE_SIFT: histograms of gradients, compared by
 *   Euclidean distance
 * @GST_MGPU_DESCRIPTOR_TYPE_ROOTSIFT: the same normalised so that Euclidean
 *   distance is Hellinger's, which matches better
 *
 * What the 128 bytes of a keypoint's descriptor are.
 *
 * Since: 0.1
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
 * Bytes of a descriptor.
 *
 * Since: 0.1
 */
#define GST_MGPU_DESCRIPTOR_SIZE 128

/**
 * GstMgpuKeypoint:
 * @x: column in pixels of the frame; whole numbers are the middles of pixels
 * @y: row likewise
 * @size: diameter of what the keypoint covers, in pixels
 * @angle: its direction in degrees from 0 up to but without 360, clockwise from
 *   the right; -1 when it has none
 * @response: how much it stands out: its contrast, for values from 0 to 1
 * @octave: the octave it was found in; 0 has the size of the frame, 1 half of
 *   it, -1 double
 * @layer: its layer within the octave
 *
 * A point that is found again in other pictures of the same thing. Packed: 28
 * bytes, little endian.
 *
 * Since: 0.1
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
 * @n: keypoints that follow
 * @dropped: how many more there were, before the memory for them was full
 *
 * How a table of keypoints begins on the device; the #GstMgpuKeypoint follow
 * without a gap.
 *
 * Since: 0.1
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
 * @query: number of a keypoint of the one frame
 * @train: number of the keypoint of the other frame whose descriptor is nearest
 * @distance: square of the Euclidean distance of the two descriptors, at most
 *   8323200
 *
 * Two keypoints that seem to be the same point of the same thing. Packed: 12
 * bytes, in the byte order of the machine.
 *
 * Since: 0.1
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
 * Keypoints of a frame, made by mgpusift, and their descriptors. The device may
 * still be at work on them; what reads them here waits for it, once.
 *
 * They follow the frame where mgpuconvert crops, turns and scales it, and where
 * other elements scale it and say so (videoscale): those that are not seen any
 * more are left out. Other changes of where things are drop the meta.
 *
 * Since: 0.1
 */
struct _GstMgpuKeypointMeta
{
  GstMeta meta;

  /*< private >*/
  GstMgpuKeypointTables *tables;
  GstBuffer *holder;            /* keeps a copy by g_boxed_copy(), or NULL */
};

/**
 * GST_TYPE_MGPU_KEYPOINT_META:
 *
 * The boxed type of #GstMgpuKeypointMeta. A copy by g_boxed_copy() shares what the
 * device made and outlives the buffer of the meta; g_boxed_free() frees it.
 * Language bindings copy each meta that they hand to a script.
 *
 * Since: 0.1
 */
#define GST_TYPE_MGPU_KEYPOINT_META (gst_mgpu_keypoint_meta_get_type ())

GST_MGPU_API
GType                     gst_mgpu_keypoint_meta_get_type         (void);

GST_MGPU_API
GType                     gst_mgpu_keypoint_meta_api_get_type     (void);

/**
 * GST_MGPU_KEYPOINT_META_API_TYPE:
 *
 * Since: 0.1
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
