/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpu_fwd.h>

G_BEGIN_DECLS

/**
 * GstMgpuMotionTables:
 *
 * The motion of a camera. All copies of a #GstMgpuMotionMeta share it.
 *
 * Since: 1.0
 */
typedef struct _GstMgpuMotion GstMgpuMotionTables;
typedef struct _GstMgpuMotionMeta GstMgpuMotionMeta;

/**
 * GstMgpuMotionState:
 * @GST_MGPU_MOTION_STATE_MEASURED: the motion since the previous frame was measured
 * @GST_MGPU_MOTION_STATE_BRIDGED: the motion was measured across frames whose state is lost
 * @GST_MGPU_MOTION_STATE_LOST: the motion is unknown, because too few points of the frame could
 *   be tracked
 * @GST_MGPU_MOTION_STATE_CUT: scene cut: the frame shows a different scene than the previous
 * frame
 *
 * Says how well the motion of the camera is known.
 *
 * Since: 1.0
 */
typedef enum
{
  GST_MGPU_MOTION_STATE_MEASURED,
  GST_MGPU_MOTION_STATE_BRIDGED,
  GST_MGPU_MOTION_STATE_LOST,
  GST_MGPU_MOTION_STATE_CUT
} GstMgpuMotionState;

#define GST_TYPE_MGPU_MOTION_STATE (gst_mgpu_motion_state_get_type ())

GST_MGPU_API
GType                gst_mgpu_motion_state_get_type     (void);

/**
 * GstMgpuMotionMeta:
 * @meta: the parent
 *
 * Describes how the camera moved since the previous frame, or tells that there was a scene cut.
 * The motion is in pixels of this frame. Elements that crop, rotate or scale the frame drop the
 * meta.
 *
 * Since: 1.0
 */
struct _GstMgpuMotionMeta
{
  GstMeta meta;

  /*< private >*/
  GstMgpuMotionTables *tables;
  /* for a copy made by g_boxed_copy(): the buffer to which the copy is attached, and which keeps
   * it alive; NULL for the meta of a frame */
  GstBuffer *holder;
};

/**
 * GST_TYPE_MGPU_MOTION_META:
 *
 * The boxed type of #GstMgpuMotionMeta. A copy made by g_boxed_copy() stays valid after the buffer
 * of the original is freed; g_boxed_free() frees the copy. Language bindings copy each meta that
 * they return to a script.
 *
 * Since: 1.0
 */
#define GST_TYPE_MGPU_MOTION_META (gst_mgpu_motion_meta_get_type ())

GST_MGPU_API
GType                gst_mgpu_motion_meta_get_type      (void);

GST_MGPU_API
GType                gst_mgpu_motion_meta_api_get_type  (void);

/**
 * GST_MGPU_MOTION_META_API_TYPE:
 *
 * The API type of #GstMgpuMotionMeta, for gst_buffer_get_meta().
 *
 * Since: 1.0
 */
#define GST_MGPU_MOTION_META_API_TYPE (gst_mgpu_motion_meta_api_get_type ())

GST_MGPU_API
const GstMetaInfo *  gst_mgpu_motion_meta_get_info      (void);

GST_MGPU_API
GstMgpuMotionMeta *  gst_buffer_add_mgpu_motion_meta    (GstBuffer          * buffer,
                                                         const gdouble      * motion,
                                                         const gdouble      * correction,
                                                         GstMgpuMotionState   state,
                                                         guint                n_inliers);

GST_MGPU_API
GstMgpuMotionMeta *  gst_buffer_get_mgpu_motion_meta    (GstBuffer          * buffer);

GST_MGPU_API
const gdouble *      gst_mgpu_motion_meta_get_motion    (GstMgpuMotionMeta  * meta);

GST_MGPU_API
const gdouble *      gst_mgpu_motion_meta_get_correction
                                                        (GstMgpuMotionMeta  * meta);

GST_MGPU_API
GstMgpuMotionState   gst_mgpu_motion_meta_get_state     (GstMgpuMotionMeta  * meta);

GST_MGPU_API
guint                gst_mgpu_motion_meta_get_n_inliers (GstMgpuMotionMeta  * meta);

G_END_DECLS
