/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpu_fwd.h>

G_BEGIN_DECLS

typedef struct _GstMgpuPyramidMeta GstMgpuPyramidMeta;
typedef struct _GstMgpuPyramidLevels GstMgpuPyramidLevels;

/**
 * GST_MGPU_PYRAMID_META_MAX_COMPONENTS:
 *
 * How many planes of detail a level has, at most.
 *
 * Since: 0.1
 */
#define GST_MGPU_PYRAMID_META_MAX_COMPONENTS 4

/**
 * GstMgpuPyramidPlane:
 * @width: samples of a row
 * @height: rows
 * @offset: bytes before the first sample
 * @stride: bytes from one row to the next
 * @sample_bytes: bytes of a sample: 2 are #gint16, 4 are #gint32
 *
 * Where the detail of one component of a level lies.
 *
 * Since: 0.1
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
 * The pyramid of a frame, made by mgpupyramid. Level 0 has the size of the
 * frame, each other half the size of the one before, rounded up.
 *
 * A Gaussian pyramid has a frame for each level. A Laplacian pyramid has detail
 * for each level but the last, which is a frame: detail is what that level has
 * beyond the next one enlarged, one plane of signed samples for each component
 * of the format. Where pixels have a fourth byte without meaning, that is a
 * component too. Everything is on the device until somebody looks.
 *
 * Size and values are those of the frame that mgpupyramid saw. Elements that
 * change no more than values, such as a filter behind it, keep the meta.
 *
 * Since: 0.1
 */
struct _GstMgpuPyramidMeta
{
  GstMeta meta;

  /*< private >*/
  GstMgpuPyramidLevels *levels;
  GstBuffer *holder;            /* keeps a copy by g_boxed_copy(), or NULL */
};

/**
 * GST_TYPE_MGPU_PYRAMID_META:
 *
 * The boxed type of #GstMgpuPyramidMeta. A copy by g_boxed_copy() shares what the
 * device made and outlives the buffer of the meta; g_boxed_free() frees it.
 * Language bindings copy each meta that they hand to a script.
 *
 * Since: 0.1
 */
#define GST_TYPE_MGPU_PYRAMID_META (gst_mgpu_pyramid_meta_get_type ())

GST_MGPU_API
GType                gst_mgpu_pyramid_meta_get_type          (void);

GST_MGPU_API
GType                gst_mgpu_pyramid_meta_api_get_type      (void);

/**
 * GST_MGPU_PYRAMID_META_API_TYPE:
 *
 * Since: 0.1
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
