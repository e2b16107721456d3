/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes the expected keypoints of frames. */
#pragma once

#include "convert.h"

#include "../../reference/sift.h"

static const RefSiftParams defaults = {
  .upsample = 1,.scales = 3,.sigma = 1.6,.contrast = 0.04f,.edge = 10,
  .max_orientations = 4,.capacity = G_MAXINT,.descriptor = 1
};

static inline GstMgpuKeypointMeta *
get_meta (GstBuffer * buffer)
{
  GstMgpuKeypointMeta *meta = gst_buffer_get_mgpu_keypoint_meta (buffer);

  fail_unless (meta != NULL);
  fail_unless_equals_int (gst_buffer_get_n_meta (buffer,
          GST_MGPU_KEYPOINT_META_API_TYPE), 1);
  return meta;
}

static inline RefSiftResult
sift_of (const GstVideoInfo * info, const RefSiftParams * params,
    const guint8 * mask, GstBuffer * from)
{
  GstVideoFrame frame;
  RefSiftResult want;
  RefPlane plane;
  guint8 *luma;

  fail_unless (gst_video_frame_map (&frame, info, from, GST_MAP_READ));
  plane = ref_luma (&frame, &luma);
  fail_unless (ref_sift (&plane, params, mask, &want));
  g_free (luma);
  gst_video_frame_unmap (&frame);
  return want;
}

/* Checks that @out has the keypoints of @from at which @mask, unless it is NULL, is not 0. Returns:
 * their number */
static inline guint
check_masked (const GstVideoInfo * info, const RefSiftParams * params,
    const guint8 * mask, GstBuffer * from, GstBuffer * out)
{
  GstMgpuKeypointMeta *meta = get_meta (out);
  RefSiftResult want = sift_of (info, params, mask, from);
  guint n = want.n;

  fail_unless_equals_int (gst_mgpu_keypoint_meta_get_n_keypoints (meta), n);
  fail_unless_equals_int (gst_mgpu_keypoint_meta_get_n_dropped (meta),
      want.dropped);
  check_bytes (gst_mgpu_keypoint_meta_get_keypoints (meta), want.keypoints,
      n * sizeof (GstMgpuKeypoint));
  fail_unless_equals_int (gst_mgpu_keypoint_meta_get_descriptor_type (meta),
      params->descriptor);
  if (params->descriptor != 0)
    check_bytes (gst_mgpu_keypoint_meta_get_descriptors (meta),
        want.descriptors, (gsize) n * GST_MGPU_DESCRIPTOR_SIZE);
  else
    fail_unless (gst_mgpu_keypoint_meta_get_descriptors (meta) == NULL);
  ref_sift_clear (&want);
  return n;
}

static inline guint
check_meta (const GstVideoInfo * info, const RefSiftParams * params,
    GstBuffer * from, GstBuffer * out)
{
  return check_masked (info, params, NULL, from, out);
}
