/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpu_fwd.h>

G_BEGIN_DECLS

/**
 * GstMgpuPyramidLevels:
 *
 * The levels of a #GstMgpuPyramidMeta. All copies of the meta share them.
 *
 * Since: 1.0
 */
typedef struct _GstMgpuPyramidLevels GstMgpuPyramidLevels;
typedef struct _GstMgpuPyramidMeta GstMgpuPyramidMeta;

/**
 * GST_MGPU_PYRAMID_META_MAX_COMPONENTS:
 *
 * Maximum number of detail planes in a pyramid level: one plane for each component of the frame's
 * format.
 *
 * Since: 1.0
 */
#define GST_MGPU_PYRAMID_META_MAX_COMPONENTS 4

/**
 * GstMgpuPyramidPlane:
 * @width: number of samples in a row
 * @height: number of rows
 * @offset: offset of the first sample in memory, in bytes
 * @stride: distance from one row to the next, in bytes
 * @sample_bytes: size of a sample in bytes: 2 for #gint16, 4 for #gint32
 *
 * Describes where the detail of one color component of a pyramid level lies in memory.
 *
 * Since: 1.0
 */
typedef struct
{
  guint width;
  guint height;
  gsize offset;
  guint stride;
  guint sample_bytes;
} GstMgpuPyramidPlane;

/**
 * GstMgpuPyramidMeta:
 * @meta: the parent
 *
 * The pyramid of a frame, made by mgpupyramid. Level 0 has the size of the frame; each
 * further level has half the size of the level before it, rounded up.
 *
 * Each level of a Gaussian pyramid is a frame. The last level of a Laplacian pyramid is a frame;
 * each other level is a detail image. The detail image of a level is the Gaussian level minus the
 * expanded next Gaussian level. It has one plane of signed samples for each component of the
 * format. The unused fourth byte of formats such as RGBx also counts as a component. All levels
 * stay on the device until the host reads them.
 *
 * The meta describes the frame that mgpupyramid received. A later element that changes only the
 * values of pixels keeps the meta; the pyramid may then no longer match the frame.
 *
 * Since: 1.0
 */
struct _GstMgpuPyramidMeta
{
  GstMeta meta;

  /*< private >*/
  GstMgpuPyramidLevels *levels;
  /* for a copy made by g_boxed_copy(): the buffer to which the copy is attached, and which keeps
   * it alive; NULL for the meta of a frame */
  GstBuffer *holder;
};

/**
 * GST_TYPE_MGPU_PYRAMID_META:
 *
 * The boxed type of #GstMgpuPyramidMeta. A copy made by g_boxed_copy() shares the levels with the
 * original and stays valid after the buffer of the original is freed; g_boxed_free() frees the
 * copy. Language bindings copy each meta that they return to a script.
 *
 * Since: 1.0
 */
#define GST_TYPE_MGPU_PYRAMID_META (gst_mgpu_pyramid_meta_get_type ())

GST_MGPU_API
GType                gst_mgpu_pyramid_meta_get_type          (void);

GST_MGPU_API
GType                gst_mgpu_pyramid_meta_api_get_type      (void);

/**
 * GST_MGPU_PYRAMID_META_API_TYPE:
 *
 * The API type of #GstMgpuPyramidMeta, for gst_buffer_get_meta().
 *
 * Since: 1.0
 */
#define GST_MGPU_PYRAMID_META_API_TYPE (gst_mgpu_pyramid_meta_api_get_type ())

GST_MGPU_API
const GstMetaInfo *  gst_mgpu_pyramid_meta_get_info          (void);

GST_MGPU_API
GstMgpuPyramidMeta * gst_buffer_add_mgpu_pyramid_meta        (GstBuffer                 * buffer,
                                                              guint                       n_levels);

GST_MGPU_API
void                 gst_mgpu_pyramid_meta_set_level         (GstMgpuPyramidMeta        * meta,
                                                              guint                       level,
                                                              GstBuffer                 * frame);

GST_MGPU_API
void                 gst_mgpu_pyramid_meta_set_detail        (GstMgpuPyramidMeta        * meta,
                                                              guint                       level,
                                                              GstBuffer                 * detail,
                                                              guint                       n_components,
                                                              const GstMgpuPyramidPlane * planes);

GST_MGPU_API
GstMgpuPyramidMeta * gst_buffer_get_mgpu_pyramid_meta        (GstBuffer                 * buffer);

GST_MGPU_API
guint                gst_mgpu_pyramid_meta_get_n_levels      (GstMgpuPyramidMeta        * meta);

GST_MGPU_API
GstBuffer *          gst_mgpu_pyramid_meta_get_level         (GstMgpuPyramidMeta        * meta,
                                                              guint                       level);

GST_MGPU_API
guint                gst_mgpu_pyramid_meta_get_n_components  (GstMgpuPyramidMeta        * meta,
                                                              guint                       level);

GST_MGPU_API
gboolean             gst_mgpu_pyramid_meta_get_plane         (GstMgpuPyramidMeta        * meta,
                                                              guint                       level,
                                                              guint                       component,
                                                              GstMgpuPyramidPlane       * plane);

GST_MGPU_API
GBytes *             gst_mgpu_pyramid_meta_get_detail        (GstMgpuPyramidMeta        * meta,
                                                              guint                       level);

GST_MGPU_API
GstMemory *          gst_mgpu_pyramid_meta_get_detail_memory (GstMgpuPyramidMeta        * meta,
                                                              guint                       level);

GST_MGPU_API
GstBuffer *          gst_mgpu_pyramid_meta_collapse          (GstMgpuPyramidMeta        * meta,
                                                              GError                   ** error);

G_END_DECLS
