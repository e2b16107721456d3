/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Prepares frames for the checks of algorithms that move pixels. */
#include "warp-planes.h"

#include <gst/vision/colour/colour.h>

void
kc_warp_prepare (GstVideoChromaSite site, gint percent, GstVideoInfo * in,
    GstVideoInfo * out)
{
  if (percent < 100)
    gst_video_info_set_format (out, GST_VIDEO_INFO_FORMAT (out),
        GST_ROUND_UP_2 (out->width * percent / 100 + 1),
        GST_ROUND_UP_2 (out->height * percent / 100 + 1));
  in->chroma_site = out->chroma_site = site;
  out->colorimetry = in->colorimetry;
}

/* Returns: the unused byte of each pixel of RGBx and similar formats, as a component */
static RefPlane
get_padding (const KcPicture * picture)
{
  RefPlane plane = kc_picture_plane (picture, 0);
  gint at = 6;

  for (guint i = 0; i < 3; i++)
    at -= GST_VIDEO_INFO_COMP_POFFSET (&picture->info, i);
  plane.data += at - (gint) GST_VIDEO_INFO_COMP_POFFSET (&picture->info, 0);
  return plane;
}

guint
kc_warp_planes (const KcPicture * in, KcPicture * out,
    RefWarpPlane from[KC_WARP_PLANES], RefPlane to[KC_WARP_PLANES])
{
  const GstVideoInfo *info = &in->info;
  guint n = GST_VIDEO_INFO_N_COMPONENTS (info);
  gboolean is_padded = GST_VIDEO_INFO_IS_RGB (info) && n == 3
      && GST_VIDEO_INFO_COMP_PSTRIDE (info, 0) == 4;

  if (info->width == out->info.width && info->height == out->info.height)
    kc_picture_copy_planes (in, out, ~0u);
  for (guint i = 0; i < n + is_padded; i++) {
    from[i] = (RefWarpPlane) {
    .plane = i < n ? kc_picture_plane (in, i) : get_padding (in),.x_shift =
          info->finfo->w_sub[i],.y_shift = info->finfo->h_sub[i],.x_cosited =
          (info->chroma_site & GST_VIDEO_CHROMA_SITE_H_COSITED) !=
          0,.y_cosited =
          (info->chroma_site & GST_VIDEO_CHROMA_SITE_V_COSITED) != 0,.black =
          i < n ? mgpu_colour_black (info, i) : 255};
    to[i] = i < n ? kc_picture_plane (out, i) : get_padding (out);
  }
  return n + is_padded;
}
