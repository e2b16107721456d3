/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/frame/gstmgpuplain.h>

G_BEGIN_DECLS

/* All elements of the plugin. The array ends with an entry whose name is NULL. */
extern const GstMgpuElement gst_mgpu_elements[];

GType gst_mgpu_upload_get_type (void);
GType gst_mgpu_download_get_type (void);
GType gst_mgpu_convert_get_type (void);
GType gst_mgpu_flow_get_type (void);
GType gst_mgpu_hog_get_type (void);
GType gst_mgpu_inpaint_get_type (void);
GType gst_mgpu_integral_get_type (void);
GType gst_mgpu_kernel_get_type (void);
GType gst_mgpu_match_get_type (void);
GType gst_mgpu_meta_json_get_type (void);
GType gst_mgpu_motion_get_type (void);
GType gst_mgpu_overlay_get_type (void);
GType gst_mgpu_pyramid_get_type (void);
GType gst_mgpu_remap_get_type (void);
GType gst_mgpu_sift_get_type (void);
GType gst_mgpu_stabilize_get_type (void);
GType gst_mgpu_tags_get_type (void);
GType gst_mgpu_track_get_type (void);

G_END_DECLS
