/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Calls VLFeat's SIFT, a peer of the function sift. */
#include "peers.h"

#include <vl/sift.h>

gdouble
kc_vlfeat_sift (const KcPicture * in, gboolean describes)
{
  const GstVideoInfo *info = &in->info;
  gint width = GST_VIDEO_INFO_WIDTH (info);
  gint height = GST_VIDEO_INFO_HEIGHT (info);
  VlSiftFilt *sift = vl_sift_new (width, height, -1, 3, -1);
  gfloat *pixels = g_new (gfloat, (gsize) width * height), descriptor[128];
  gint ret;

  for (gint y = 0; y < height; y++)
    for (gint x = 0; x < width; x++)
      pixels[y * width + x] = in->data[info->offset[0]
          + (gsize) y * info->stride[0] + x];
  vl_sift_set_peak_thresh (sift, 255 * 0.04 / 3);
  vl_sift_set_edge_thresh (sift, 10);
  for (ret = vl_sift_process_first_octave (sift, pixels); ret == VL_ERR_OK;
      ret = vl_sift_process_next_octave (sift)) {
    vl_sift_detect (sift);
    for (gint i = 0; i < vl_sift_get_nkeypoints (sift); i++) {
      const VlSiftKeypoint *k = vl_sift_get_keypoints (sift) + i;
      gdouble angles[4];
      gint n = vl_sift_calc_keypoint_orientations (sift, angles, k);

      for (gint j = 0; describes && j < n; j++)
        vl_sift_calc_keypoint_descriptor (sift, descriptor, k, angles[j]);
    }
  }
  vl_sift_delete (sift);
  g_free (pixels);
  return -1;
}
