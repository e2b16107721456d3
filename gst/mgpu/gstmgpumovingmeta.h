/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpu_fwd.h>

G_BEGIN_DECLS

/**
 * GstMgpuMovingTables:
 *
 * The results of a #GstMgpuMovingMeta, which copies of the meta share.
 *
 * Since: 1.1
 */
typedef struct _GstMgpuMovingTables GstMgpuMovingTables;
typedef struct _GstMgpuMovingMeta GstMgpuMovingMeta;
typedef struct _GstMgpuMovingRegion GstMgpuMovingRegion;

/**
 * GstMgpuMovingRegion:
 * @id: number of the moving object, from 1; the same in every frame
 * @x: left edge of the box, in pixels of the frame
 * @y: upper edge of the box
 * @width: width of the box, in pixels
 * @height: height of the box
 * @age: number of frames since the object was first seen
 * @share: moving pixels of the region, as a fraction of the frame in which they were found
 * @confidence: how much the region differs from the background, from 0 to 1
 * @dx: mean motion of the box to the right, in pixels a frame
 * @dy: mean motion of the box down
 *
 * An object that moves in a frame.
 *
 * Since: 1.1
 */
struct _GstMgpuMovingRegion
{
  guint64 id;
  gint x, y;
  gint width, height;
  guint age;
  gdouble share;
  gdouble confidence;
  gdouble dx, dy;
};

#define GST_TYPE_MGPU_MOVING_REGION (gst_mgpu_moving_region_get_type ())

GST_MGPU_API
GType              gst_mgpu_moving_region_get_type   (void);

/**
 * GstMgpuMovingMeta:
 * @meta: the parent
 *
 * The moving objects in a frame of a fixed camera, found by mgpumotion: regions with ids, a mask of
 * the moving pixels, a heat map of the cells in which something moved lately, and the change of
 * brightness relative to the background.
 *
 * Elements that crop, rotate or scale a frame transform the regions accordingly. The mask and the
 * map keep their size; gst_mgpu_moving_meta_get_matrix() maps their samples to positions in the
 * frame.
 *
 * Since: 1.1
 */
struct _GstMgpuMovingMeta
{
  GstMeta meta;

  /*< private >*/
  GstMgpuMovingTables *tables;
  /* buffer that keeps this meta alive when the meta is a copy that g_boxed_copy() made;
   * NULL in the meta of a frame */
  GstBuffer *holder;
};

/**
 * GST_TYPE_MGPU_MOVING_META:
 *
 * The boxed type of #GstMgpuMovingMeta. A copy made by g_boxed_copy() shares the results with the
 * original and stays valid after the buffer of the original is freed; g_boxed_free() frees the
 * copy. Language bindings copy each meta that they return to a script.
 *
 * Since: 1.1
 */
#define GST_TYPE_MGPU_MOVING_META (gst_mgpu_moving_meta_get_type ())

GST_MGPU_API
GType              gst_mgpu_moving_meta_get_type     (void);

GST_MGPU_API
GType              gst_mgpu_moving_meta_api_get_type (void);

/**
 * GST_MGPU_MOVING_META_API_TYPE:
 *
 * The #GType of the API of #GstMgpuMovingMeta, for gst_buffer_get_meta().
 *
 * Since: 1.1
 */
#define GST_MGPU_MOVING_META_API_TYPE (gst_mgpu_moving_meta_api_get_type ())

GST_MGPU_API
const GstMetaInfo * gst_mgpu_moving_meta_get_info    (void);

GST_MGPU_API
GstMgpuMovingMeta * gst_buffer_add_mgpu_moving_meta  (GstBuffer                 * buffer,
                                                      const GstMgpuMovingRegion * regions,
                                                      guint                       n_regions,
                                                      gboolean                    active,
                                                      guint                       late);

GST_MGPU_API
void               gst_mgpu_moving_meta_set_mask     (GstMgpuMovingMeta * meta,
                                                      GstBuffer         * mask,
                                                      guint               width,
                                                      guint               height,
                                                      guint               step);

GST_MGPU_API
void               gst_mgpu_moving_meta_set_heat     (GstMgpuMovingMeta * meta,
                                                      GstBuffer         * heat,
                                                      guint               width,
                                                      guint               height,
                                                      guint               step);

GST_MGPU_API
void               gst_mgpu_moving_meta_set_light    (GstMgpuMovingMeta * meta,
                                                      gint                light,
                                                      gdouble             survive,
                                                      gdouble             energy,
                                                      const gchar       * tamper);

GST_MGPU_API
void               gst_mgpu_moving_meta_set_light_field (GstMgpuMovingMeta * meta,
                                                      GstBuffer         * field,
                                                      guint               offset,
                                                      guint               stride,
                                                      guint               number);

GST_MGPU_API
GstMgpuMovingMeta * gst_buffer_get_mgpu_moving_meta  (GstBuffer         * buffer);

GST_MGPU_API
gboolean           gst_mgpu_moving_meta_is_active    (GstMgpuMovingMeta * meta);

GST_MGPU_API
guint              gst_mgpu_moving_meta_get_late     (GstMgpuMovingMeta * meta);

GST_MGPU_API
guint              gst_mgpu_moving_meta_get_n_regions (GstMgpuMovingMeta * meta);

GST_MGPU_API
gboolean           gst_mgpu_moving_meta_get_region   (GstMgpuMovingMeta   * meta,
                                                      guint                 i,
                                                      GstMgpuMovingRegion * region);

GST_MGPU_API
GBytes *           gst_mgpu_moving_meta_get_mask     (GstMgpuMovingMeta * meta,
                                                      guint             * width,
                                                      guint             * height);

GST_MGPU_API
GstMemory *        gst_mgpu_moving_meta_get_mask_memory (GstMgpuMovingMeta * meta);

GST_MGPU_API
GBytes *           gst_mgpu_moving_meta_get_heat     (GstMgpuMovingMeta * meta,
                                                      guint             * width,
                                                      guint             * height,
                                                      guint             * step);

GST_MGPU_API
gint               gst_mgpu_moving_meta_get_light    (GstMgpuMovingMeta * meta,
                                                      gdouble           * survive,
                                                      gdouble           * energy);

GST_MGPU_API
GstMemory *        gst_mgpu_moving_meta_get_light_memory (GstMgpuMovingMeta * meta,
                                                      guint             * offset,
                                                      guint             * stride,
                                                      guint             * number);

GST_MGPU_API
const gchar *      gst_mgpu_moving_meta_get_tamper   (GstMgpuMovingMeta * meta);

GST_MGPU_API
void               gst_mgpu_moving_meta_get_matrix   (GstMgpuMovingMeta * meta,
                                                      gdouble             matrix[6]);

G_END_DECLS
