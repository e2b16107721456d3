/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpu_fwd.h>

G_BEGIN_DECLS

/**
 * GstMgpuFlowTables:
 *
 * The fields of a #GstMgpuFlowMeta, which all copies of the meta share.
 *
 * Since: 1.1
 */
typedef struct _GstMgpuFlowTables GstMgpuFlowTables;
typedef struct _GstMgpuFlowMeta GstMgpuFlowMeta;

/**
 * GstMgpuFlowField:
 * @GST_MGPU_FLOW_FIELD_TO_PREVIOUS: for each pixel of this frame, its position in the previous
 *   frame
 * @GST_MGPU_FLOW_FIELD_FROM_PREVIOUS: for each pixel of the previous frame, its position in this
 *   frame
 *
 * Names a field of optical flow.
 *
 * Since: 1.1
 */
typedef enum
{
  GST_MGPU_FLOW_FIELD_TO_PREVIOUS,
  GST_MGPU_FLOW_FIELD_FROM_PREVIOUS
} GstMgpuFlowField;

/**
 * GstMgpuFlowPreset:
 * @GST_MGPU_FLOW_PRESET_ULTRAFAST: a sample for 4x4 pixels, coarse search
 * @GST_MGPU_FLOW_PRESET_FAST: a sample for 4x4 pixels
 * @GST_MGPU_FLOW_PRESET_MEDIUM: a sample for 2x2 pixels
 * @GST_MGPU_FLOW_PRESET_FINE: a sample for each pixel
 *
 * Speed and precision of optical flow.
 *
 * Since: 1.1
 */
typedef enum
{
  GST_MGPU_FLOW_PRESET_ULTRAFAST,
  GST_MGPU_FLOW_PRESET_FAST,
  GST_MGPU_FLOW_PRESET_MEDIUM,
  GST_MGPU_FLOW_PRESET_FINE
} GstMgpuFlowPreset;

#define GST_TYPE_MGPU_FLOW_PRESET (gst_mgpu_flow_preset_get_type ())

GST_MGPU_API
GType              gst_mgpu_flow_preset_get_type   (void);

#define GST_TYPE_MGPU_FLOW_FIELD (gst_mgpu_flow_field_get_type ())

GST_MGPU_API
GType              gst_mgpu_flow_field_get_type    (void);

/**
 * GST_MGPU_FLOW_NONE:
 *
 * The value of both numbers of a sample for which the flow is unknown.
 *
 * Since: 1.1
 */
#define GST_MGPU_FLOW_NONE (-32768)

/**
 * GstMgpuFlowMeta:
 * @meta: the parent
 *
 * Dense optical flow between a frame and the previous frame, measured by mgpuflow. A field has a
 * sample for each square of 2^shift x 2^shift pixels: two #gint16, the motion of its content to the
 * right and down in units of 1/32 pixel, or %GST_MGPU_FLOW_NONE; and a byte, the confidence: 0 if
 * the content is hidden in the other frame or outside it, 255 if it looks the same there.
 *
 * Elements that change only the values of pixels keep the meta; elements that rotate or scale the
 * frame drop it. Elements that crop the frame keep the part of the fields that is left, if the crop
 * begins at a sample.
 *
 * Since: 1.1
 */
struct _GstMgpuFlowMeta
{
  GstMeta meta;

  /*< private >*/
  GstMgpuFlowTables *tables;
  /* buffer that keeps this meta alive when the meta is a copy that g_boxed_copy() made;
   * NULL in the meta of a frame */
  GstBuffer *holder;
};

/**
 * GST_TYPE_MGPU_FLOW_META:
 *
 * The boxed type of #GstMgpuFlowMeta. A copy made by g_boxed_copy() shares the fields with the
 * original and stays valid after the buffer of the original is freed; g_boxed_free() frees the
 * copy. Language bindings copy each meta that they return to a script.
 *
 * Since: 1.1
 */
#define GST_TYPE_MGPU_FLOW_META (gst_mgpu_flow_meta_get_type ())

GST_MGPU_API
GType              gst_mgpu_flow_meta_get_type     (void);

GST_MGPU_API
GType              gst_mgpu_flow_meta_api_get_type (void);

/**
 * GST_MGPU_FLOW_META_API_TYPE:
 *
 * The API type of #GstMgpuFlowMeta, for gst_buffer_get_meta().
 *
 * Since: 1.1
 */
#define GST_MGPU_FLOW_META_API_TYPE (gst_mgpu_flow_meta_api_get_type ())

GST_MGPU_API
const GstMetaInfo *  gst_mgpu_flow_meta_get_info   (void);

GST_MGPU_API
GstMgpuFlowMeta *  gst_buffer_add_mgpu_flow_meta   (GstBuffer         * buffer,
                                                    guint               width,
                                                    guint               height,
                                                    guint               shift,
                                                    guint64             previous_offset);

GST_MGPU_API
void               gst_mgpu_flow_meta_set_field    (GstMgpuFlowMeta   * meta,
                                                    GstMgpuFlowField    field,
                                                    GstBuffer         * flow,
                                                    GstBuffer         * confidence);

GST_MGPU_API
GstMgpuFlowMeta *  gst_buffer_get_mgpu_flow_meta   (GstBuffer         * buffer);

GST_MGPU_API
gboolean           gst_mgpu_flow_meta_get_field    (GstMgpuFlowMeta   * meta,
                                                    GstMgpuFlowField    field,
                                                    guint             * width,
                                                    guint             * height,
                                                    guint             * shift);

GST_MGPU_API
guint64            gst_mgpu_flow_meta_get_previous_offset
                                                   (GstMgpuFlowMeta   * meta);

GST_MGPU_API
GBytes *           gst_mgpu_flow_meta_get_bytes    (GstMgpuFlowMeta   * meta,
                                                    GstMgpuFlowField    field);

GST_MGPU_API
GBytes *           gst_mgpu_flow_meta_get_confidence
                                                   (GstMgpuFlowMeta   * meta,
                                                    GstMgpuFlowField    field);

GST_MGPU_API
GstMemory *        gst_mgpu_flow_meta_get_memory   (GstMgpuFlowMeta   * meta,
                                                    GstMgpuFlowField    field);

GST_MGPU_API
GstMemory *        gst_mgpu_flow_meta_get_confidence_memory
                                                   (GstMgpuFlowMeta   * meta,
                                                    GstMgpuFlowField    field);

GST_MGPU_API
gboolean           gst_mgpu_flow_meta_get_flow     (GstMgpuFlowMeta   * meta,
                                                    GstMgpuFlowField    field,
                                                    guint               x,
                                                    guint               y,
                                                    gfloat            * dx,
                                                    gfloat            * dy);

GST_MGPU_API
gboolean           gst_mgpu_flow_meta_median_in_box
                                                   (GstMgpuFlowMeta   * meta,
                                                    GstMgpuFlowField    field,
                                                    gint                x,
                                                    gint                y,
                                                    guint               width,
                                                    guint               height,
                                                    gfloat            * dx,
                                                    gfloat            * dy,
                                                    gfloat            * share);

GST_MGPU_API
GstMgpuFlowMeta *  gst_mgpu_flow_images            (GstMgpuContext    * context,
                                                    GstBuffer         * from,
                                                    GstBuffer         * to,
                                                    GstCaps           * caps,
                                                    GstMgpuFlowPreset   preset,
                                                    gboolean            lighting_changes,
                                                    gboolean            both,
                                                    GError           ** error);

G_END_DECLS
