/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The table of the elements of the plugin, from which plugin.c registers them. */
#include "elements.h"

#include <gst/vision/bilateral/bilateral.h>
#include <gst/vision/blur/blur.h>
#include <gst/vision/denoise/denoise.h>
#include <gst/vision/histeq/histeq.h>
#include <gst/vision/localcontrast/localcontrast.h>
#include <gst/vision/sharpen/sharpen.h>

const GstMgpuElement gst_mgpu_elements[] = {
  {"mgpuupload", .get_type = gst_mgpu_upload_get_type},
  {"mgpudownload", .get_type = gst_mgpu_download_get_type},
  {"mgpubilateral", "OpenCL bilateral filter", "Filter/Effect/Video",
        "Smooths areas and preserves edges (bilateral filter) on an OpenCL "
        "device", &mgpu_bilateral,
      .guide = "guide"},
  {"mgpublur", "OpenCL blur", "Filter/Effect/Video",
        "Blurs, pixelates or fills frames or parts of frames on an OpenCL "
        "device",
      &mgpu_blur},
  {"mgpuconvert", .get_type = gst_mgpu_convert_get_type},
  {"mgpudenoise", "OpenCL noise reduction", "Filter/Effect/Video",
        "Reduces noise on an OpenCL device: averages successive frames where "
        "nothing moves, and neighboring pixels elsewhere",
      &mgpu_denoise},
  {"mgpuflow", .get_type = gst_mgpu_flow_get_type},
  {"mgpuhisteq", "OpenCL histogram equalization", "Filter/Effect/Video",
        "Increases contrast on an OpenCL device: spreads the values of a frame "
        "over the whole range",
      &mgpu_histeq},
  {"mgpuhog", .get_type = gst_mgpu_hog_get_type},
  {"mgpuinpaint", .get_type = gst_mgpu_inpaint_get_type},
  {"mgpuintegral", .get_type = gst_mgpu_integral_get_type},
  {"mgpukernel", .get_type = gst_mgpu_kernel_get_type},
  {"mgpulocalcontrast", "OpenCL local contrast", "Filter/Effect/Video",
        "Strengthens detail, brightens shadows and darkens highlights, without "
        "halos, on an OpenCL device",
      &mgpu_localcontrast},
  {"mgpumatch", .get_type = gst_mgpu_match_get_type},
  {"mgpumetajson", .get_type = gst_mgpu_meta_json_get_type},
  {"mgpumotion", .get_type = gst_mgpu_motion_get_type},
  {"mgpuoverlay", .get_type = gst_mgpu_overlay_get_type},
  {"mgpupyramid", .get_type = gst_mgpu_pyramid_get_type},
  {"mgpuremap", .get_type = gst_mgpu_remap_get_type},
  {"mgpusift", .get_type = gst_mgpu_sift_get_type},
  {"mgpusharpen", "OpenCL unsharp mask", "Filter/Effect/Video",
      "Sharpens or blurs frames, on an OpenCL device", &mgpu_sharpen},
  {"mgpustabilize", .get_type = gst_mgpu_stabilize_get_type},
  {"mgputags", .get_type = gst_mgpu_tags_get_type},
  {"mgputrack", .get_type = gst_mgpu_track_get_type},
  {NULL}
};
