/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/video/video.h>

#include "../reference/convert.h"

/* Returns: a frame of the format @info for the reference of conversions, whose planes the caller
 * sets */
static inline RefFrame
describe_frame (const GstVideoInfo * info)
{
  RefFrame frame = {
    .n_components = GST_VIDEO_INFO_N_COMPONENTS (info),
    .rgb = GST_VIDEO_INFO_IS_RGB (info),
    .width = GST_VIDEO_INFO_WIDTH (info),
    .height = GST_VIDEO_INFO_HEIGHT (info),
    .x_sub = 1 << info->finfo->w_sub[1],
    .y_sub = 1 << info->finfo->h_sub[1],
    .x_cosited = (info->chroma_site & GST_VIDEO_CHROMA_SITE_H_COSITED) != 0,
    .y_cosited = (info->chroma_site & GST_VIDEO_CHROMA_SITE_V_COSITED) != 0,
    .full_range = info->colorimetry.range != GST_VIDEO_COLOR_RANGE_16_235
  };

  if (!gst_video_color_matrix_get_Kr_Kb (info->colorimetry.matrix, &frame.kr,
          &frame.kb)) {
    frame.kr = 0.299;
    frame.kb = 0.114;
  }
  return frame;
}
