/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes a checksum of a frame and its metas. */
#include "faults.h"

#include <gst/mgpu/mgpu.h>
#include <gst/video/video.h>

/* Adds bytes to a hash (FNV-1a). */
static guint64
sum_bytes (const guint8 * bytes, gsize n, guint64 sum)
{
  for (gsize i = 0; i < n; i++)
    sum = (sum ^ bytes[i]) * G_GUINT64_CONSTANT (0x100000001b3);
  return sum;
}

/* Adds @bytes to the sum, and frees them. Returns FALSE if @bytes is NULL. */
static gboolean
sum_read (GBytes * bytes, guint64 * sum)
{
  gconstpointer data;
  gsize size;

  if (bytes == NULL)
    return FALSE;
  data = g_bytes_get_data (bytes, &size);
  *sum = sum_bytes (data, size, *sum);
  g_bytes_unref (bytes);
  return TRUE;
}

static gboolean
sum_planes (const GstVideoInfo * info, GstBuffer * buffer, guint64 * sum)
{
  GstVideoFrame frame;

  if (!gst_video_frame_map (&frame, info, buffer, GST_MAP_READ))
    return FALSE;
  for (guint i = 0; i < GST_VIDEO_FRAME_N_PLANES (&frame); i++) {
    gint comp[GST_VIDEO_MAX_COMPONENTS];
    const guint8 *row = GST_VIDEO_FRAME_PLANE_DATA (&frame, i);

    gst_video_format_info_component (info->finfo, i, comp);
    for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (&frame, comp[0]); y++) {
      *sum = sum_bytes (row, (gsize) GST_VIDEO_FRAME_COMP_WIDTH (&frame,
              comp[0]) * GST_VIDEO_FRAME_COMP_PSTRIDE (&frame, comp[0]), *sum);
      row += GST_VIDEO_FRAME_PLANE_STRIDE (&frame, i);
    }
  }
  gst_video_frame_unmap (&frame);
  return TRUE;
}

/* Adds all keypoints, and the result of matching them with themselves, to @sum. */
static gboolean
sum_keypoints (GstMgpuKeypointMeta * meta, guint64 * sum)
{
  g_autoptr (GError) error = NULL;
  gboolean ok;

  /* 0 keypoints means that they could not be read, because the frames of all pipelines have
   * keypoints. */
  if (gst_mgpu_keypoint_meta_get_n_keypoints (meta) == 0)
    return FALSE;
  ok = sum_read (gst_mgpu_keypoint_meta_get_keypoints (meta), sum);
  if (gst_mgpu_keypoint_meta_has_tracks (meta))
    ok &= sum_read (gst_mgpu_keypoint_meta_get_ids (meta), sum)
        && sum_read (gst_mgpu_keypoint_meta_get_motions (meta), sum);
  if (gst_mgpu_keypoint_meta_get_descriptor_type (meta)
      == GST_MGPU_DESCRIPTOR_TYPE_NONE)
    return ok;
  ok &= sum_read (gst_mgpu_keypoint_meta_get_descriptors (meta), sum);
  ok &= sum_read (gst_mgpu_keypoint_meta_match (meta, meta, 0.9, TRUE, &error),
      sum);
  return ok;
}

static gboolean
sum_integral (GstMgpuIntegralMeta * meta, guint64 * sum)
{
  gboolean ok = sum_read (gst_mgpu_integral_meta_get_sum (meta), sum);

  if (gst_mgpu_integral_meta_get_squared_sum_memory (meta) != NULL)
    ok &= sum_read (gst_mgpu_integral_meta_get_squared_sum (meta), sum);
  return ok;
}

static gboolean
sum_features (GstMgpuHogMeta * meta, guint64 * sum)
{
  gboolean ok = TRUE;

  for (guint i = 0; i < gst_mgpu_hog_meta_get_n_levels (meta); i++)
    ok &= sum_read (gst_mgpu_hog_meta_get_features (meta, i), sum);
  return ok;
}

static gboolean
sum_flow (GstMgpuFlowMeta * meta, guint64 * sum)
{
  gboolean ok = TRUE;

  for (guint i = GST_MGPU_FLOW_FIELD_TO_PREVIOUS;
      i <= GST_MGPU_FLOW_FIELD_FROM_PREVIOUS; i++) {
    GstMgpuFlowField field = (GstMgpuFlowField) i;

    if (gst_mgpu_flow_meta_get_field (meta, field, NULL, NULL, NULL))
      ok &= sum_read (gst_mgpu_flow_meta_get_bytes (meta, field), sum)
          && sum_read (gst_mgpu_flow_meta_get_confidence (meta, field), sum);
  }
  return ok;
}

static gboolean
sum_moving (GstMgpuMovingMeta * meta, guint64 * sum)
{
  return sum_read (gst_mgpu_moving_meta_get_mask (meta, NULL, NULL), sum)
      && sum_read (gst_mgpu_moving_meta_get_heat (meta, NULL, NULL, NULL), sum);
}

/* Adds the frame that is rebuilt from the details of a Laplacian pyramid to @sum. The padding
 * between rows may have any value. */
static gboolean
sum_pyramid (GstMgpuPyramidMeta * meta, const GstVideoInfo * info,
    guint64 * sum)
{
  g_autoptr (GError) error = NULL;
  guint64 ignored = 0;
  GstBuffer *frame;
  gboolean ok = TRUE;

  if (gst_mgpu_pyramid_meta_get_detail_memory (meta, 0) == NULL)
    return TRUE;
  for (guint i = 0; i + 1 < gst_mgpu_pyramid_meta_get_n_levels (meta); i++)
    ok &= sum_read (gst_mgpu_pyramid_meta_get_detail (meta, i), &ignored);
  frame = gst_mgpu_pyramid_meta_collapse (meta, &error);
  ok &= frame != NULL && sum_planes (info, frame, sum);
  gst_clear_buffer (&frame);
  return ok;
}

static gboolean
sum_region (GstBuffer * buffer, GstMeta ** meta, gpointer sum)
{
  const GstVideoRegionOfInterestMeta *roi =
      (GstVideoRegionOfInterestMeta *) * meta;
  const guint numbers[] = { roi->x, roi->y, roi->w, roi->h };

  if ((*meta)->info->api == GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)
    *(guint64 *) sum = sum_bytes ((const guint8 *) numbers, sizeof (numbers),
        *(guint64 *) sum);
  return TRUE;
}

gboolean
faults_sum_frame (GstCaps * caps, GstBuffer * buffer, guint64 * sum)
{
  GstMgpuKeypointMeta *keypoints = gst_buffer_get_mgpu_keypoint_meta (buffer);
  GstMgpuIntegralMeta *integral = gst_buffer_get_mgpu_integral_meta (buffer);
  GstMgpuHogMeta *features = gst_buffer_get_mgpu_hog_meta (buffer);
  GstMgpuPyramidMeta *pyramid = gst_buffer_get_mgpu_pyramid_meta (buffer);
  GstMgpuFlowMeta *flow = gst_buffer_get_mgpu_flow_meta (buffer);
  GstMgpuMovingMeta *moving = gst_buffer_get_mgpu_moving_meta (buffer);
  GstVideoInfo info;
  gboolean ok;

  gst_video_info_from_caps (&info, caps);
  *sum = G_GUINT64_CONSTANT (0xcbf29ce484222325);
  ok = sum_planes (&info, buffer, sum);
  gst_buffer_foreach_meta (buffer, sum_region, sum);
  if (keypoints != NULL)
    ok &= sum_keypoints (keypoints, sum);
  if (integral != NULL)
    ok &= sum_integral (integral, sum);
  if (flow != NULL)
    ok &= sum_flow (flow, sum);
  if (moving != NULL)
    ok &= sum_moving (moving, sum);
  if (features != NULL)
    ok &= sum_features (features, sum);
  if (pyramid != NULL)
    ok &= sum_pyramid (pyramid, &info, sum);
  return ok;
}
