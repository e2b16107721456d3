/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests GstMgpuTagMeta. */
#include "../suite.h"

#include <gst/mgpu/mgpu.h>

#include <math.h>
#include <string.h>

/* Corners of the tag in a frame of 64x48 pixels */
static const gdouble corners[8] = { 10, 8, 31, 12, 28, 40, 8, 30 };

/* Returns: (transfer full): a frame with two tags, the second of which has no pose */
static GstBuffer *
frame_new (void)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, 64 * 48, NULL);
  GstMgpuTagPose board = { {1, 0, 0, 0, 1, 0, 0, 0, 1}, {4, 5, 6}, 0.5 };
  GstMgpuTag tags[2] = {
    {.family = "tag36h11",.id = 17,.hamming = 1,.ring_errors = 2,.margin = 0.75,
        .evidence = 20.5,.roi_id = 9,.size = 0.16,.n_poses = 2},
    {.family = "tag16h5",.id = 3,.roi_id = -1}
  };

  for (guint i = 0; i < 9; i++)
    tags[0].poses[0].rotation[i] = i;
  for (guint i = 0; i < 3; i++)
    tags[0].poses[1].position[i] = i + 1;
  tags[0].poses[0].error = 0.25;
  tags[0].poses[1].error = 1;
  tags[0].covariance[35] = 3;
  for (guint i = 0; i < 2; i++)
    memcpy (tags[i].corners, corners, sizeof (corners));
  gst_buffer_add_mgpu_tag_meta (buffer, tags, 2, &board);
  return buffer;
}

GST_START_TEST (access_tags)
{
  g_autoptr (GstBuffer) frame = frame_new ();
  GstMgpuTagMeta *meta = gst_buffer_get_mgpu_tag_meta (frame);
  GstMgpuTag tag;

  fail_unless_equals_int (gst_mgpu_tag_meta_get_n_tags (meta), 2);
  fail_unless (gst_mgpu_tag_meta_get_tag (meta, 0, &tag));
  fail_unless_equals_string (tag.family, "tag36h11");
  fail_unless (tag.id == 17 && tag.hamming == 1 && tag.ring_errors == 2
      && tag.margin == 0.75 && tag.evidence == 20.5 && tag.roi_id == 9
      && tag.size == 0.16);
  fail_unless (memcmp (gst_mgpu_tag_meta_get_corners (meta, 1), corners,
          sizeof (corners)) == 0);
  fail_unless_equals_int (gst_mgpu_tag_meta_get_n_poses (meta, 0), 2);
  fail_unless (gst_mgpu_tag_meta_get_rotation (meta, 0, 0)[8] == 8);
  fail_unless (gst_mgpu_tag_meta_get_position (meta, 0, 1)[2] == 3);
  fail_unless (gst_mgpu_tag_meta_get_error (meta, 0, 1) == 1);
  fail_unless (gst_mgpu_tag_meta_get_ambiguity (meta, 0) == 0.25);
  fail_unless (gst_mgpu_tag_meta_get_covariance (meta, 0)[35] == 3);
  fail_unless (gst_mgpu_tag_meta_get_board_rotation (meta)[0] == 1);
  fail_unless (gst_mgpu_tag_meta_get_board_position (meta)[2] == 6);
  fail_unless (gst_mgpu_tag_meta_get_board_error (meta) == 0.5);
}

GST_END_TEST;

/* Tests that the functions return NULL, 0 or -1 for tags that do not exist. */
GST_START_TEST (absent)
{
  g_autoptr (GstBuffer) frame = frame_new ();
  GstMgpuTagMeta *meta = gst_buffer_get_mgpu_tag_meta (frame);
  GstMgpuTag tag;

  fail_if (gst_mgpu_tag_meta_get_tag (meta, 2, &tag));
  fail_if (gst_mgpu_tag_meta_get_corners (meta, 2));
  fail_if (gst_mgpu_tag_meta_get_matrix (meta, 2));
  fail_if (gst_mgpu_tag_meta_get_n_poses (meta, 2));
  fail_if (gst_mgpu_tag_meta_get_covariance (meta, 2));
  for (guint i = 0; i < 3; i++) {
    guint pose = i == 0 ? 2 : 0;

    fail_if (gst_mgpu_tag_meta_get_rotation (meta, i, pose));
    fail_if (gst_mgpu_tag_meta_get_position (meta, i, pose));
    fail_unless (gst_mgpu_tag_meta_get_error (meta, i, pose) == -1);
  }
  fail_if (gst_mgpu_tag_meta_get_covariance (meta, 1));
  fail_unless (gst_mgpu_tag_meta_get_ambiguity (meta, 1) == 0);
  fail_unless (gst_mgpu_tag_meta_get_ambiguity (meta, 2) == 0);
  meta = gst_buffer_add_mgpu_tag_meta (frame, NULL, 0, NULL);
  fail_unless_equals_int (gst_buffer_get_n_meta (frame,
          GST_MGPU_TAG_META_API_TYPE), 1);
  fail_unless_equals_int (gst_mgpu_tag_meta_get_n_tags (meta), 0);
  fail_if (gst_mgpu_tag_meta_get_board_rotation (meta));
  fail_if (gst_mgpu_tag_meta_get_board_position (meta));
  fail_unless (gst_mgpu_tag_meta_get_board_error (meta) == -1);
}

GST_END_TEST;

/* Checks that the matrix of tag @i maps the corners of the unit square to the tag's corners. */
static void
check_matrix (GstMgpuTagMeta * meta, guint i)
{
  const gdouble *m = gst_mgpu_tag_meta_get_matrix (meta, i);
  const gdouble *c = gst_mgpu_tag_meta_get_corners (meta, i);
  static const gdouble unit[4][2] = { {0, 0}, {1, 0}, {1, 1}, {0, 1} };

  for (guint k = 0; k < 4; k++) {
    gdouble u = unit[k][0], v = unit[k][1], w = m[6] * u + m[7] * v + m[8];

    fail_unless (fabs ((m[0] * u + m[1] * v + m[2]) / w - c[2 * k]) < 1e-9);
    fail_unless (fabs ((m[3] * u + m[4] * v + m[5]) / w - c[2 * k + 1]) < 1e-9);
  }
}

GST_START_TEST (matrix)
{
  static const GstMgpuTag flat = {.family = "tag16h5",
    .corners = {1, 1, 2, 1, 3, 1, 4, 1}
  };
  g_autoptr (GstBuffer) frame = frame_new ();
  GstMgpuTagMeta *meta = gst_buffer_get_mgpu_tag_meta (frame);

  check_matrix (meta, 0);
  meta = gst_buffer_add_mgpu_tag_meta (frame, &flat, 1, NULL);
  for (guint i = 0; i < 9; i++)
    fail_unless (gst_mgpu_tag_meta_get_matrix (meta, 0)[i] == 0);
}

GST_END_TEST;

/* Returns: (transfer none): the tag meta of @to, to which the meta of @from was transformed */
static GstMgpuTagMeta *
transform (GstBuffer * to, GstBuffer * from, GQuark type, gpointer data)
{
  GstMeta *meta = (GstMeta *) gst_buffer_get_mgpu_tag_meta (from);

  meta->info->transform_func (to, meta, from, type, data);
  return gst_buffer_get_mgpu_tag_meta (to);
}

/* Tests a quarter turn and a scale: corners are transformed, poses and the board are dropped. */
GST_START_TEST (moved)
{
  g_autoptr (GstBuffer) frame = frame_new ();
  g_autoptr (GstBuffer) out = gst_buffer_new ();
  GstVideoInfo info;
  GstMgpuMetaTransform turn = { &info, &info, {{0, -2, 96}, {2, 0, 0}
      }, 0, 0,
  96, 128
  };
  GstMgpuTagMeta *meta;
  const gdouble *c;
  GstMgpuTag tag;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_GRAY8, 64, 48);
  meta = transform (out, frame, gst_mgpu_meta_transform_affine_get_quark (),
      &turn);
  c = gst_mgpu_tag_meta_get_corners (meta, 0);
  for (guint i = 0; i < 8; i += 2) {
    fail_unless (c[i] == 96 - 2 * corners[i + 1]);
    fail_unless (c[i + 1] == 2 * corners[i]);
  }
  check_matrix (meta, 0);
  fail_unless_equals_int (gst_mgpu_tag_meta_get_n_poses (meta, 0), 0);
  fail_if (gst_mgpu_tag_meta_get_board_rotation (meta));
  fail_unless (gst_mgpu_tag_meta_get_tag (meta, 0, &tag) && tag.id == 17);
  /* Checks that the original frame keeps its meta. */
  meta = gst_buffer_get_mgpu_tag_meta (frame);
  fail_unless_equals_int (gst_mgpu_tag_meta_get_n_poses (meta, 0), 2);
}

GST_END_TEST;

GST_START_TEST (scaled)
{
  g_autoptr (GstBuffer) frame = frame_new ();
  g_autoptr (GstBuffer) out = gst_buffer_new ();
  GstVideoInfo from, to;
  GstVideoMetaTransform scale = { &from, &to };
  const gdouble *c;

  gst_video_info_set_format (&from, GST_VIDEO_FORMAT_GRAY8, 64, 48);
  gst_video_info_set_format (&to, GST_VIDEO_FORMAT_GRAY8, 32, 96);
  c = gst_mgpu_tag_meta_get_corners (transform (out, frame,
          gst_video_meta_transform_scale_get_quark (), &scale), 0);
  for (guint i = 0; i < 8; i += 2)
    fail_unless (c[i] == corners[i] / 2 && c[i + 1] == corners[i + 1] * 2);
}

GST_END_TEST;

/* Tests that a copy of the whole frame shares the tags, and that a copy of a part has none. */
GST_START_TEST (copied)
{
  g_autoptr (GstBuffer) frame = frame_new ();
  g_autoptr (GstBuffer) whole = gst_buffer_copy_deep (frame);
  g_autoptr (GstBuffer) part = gst_buffer_copy_region (frame,
      GST_BUFFER_COPY_ALL, 0, 64);
  GstMgpuTagMeta *copy, *boxed;

  copy = gst_buffer_get_mgpu_tag_meta (whole);
  fail_unless_equals_int (gst_mgpu_tag_meta_get_n_poses (copy, 0), 2);
  fail_if (gst_buffer_get_mgpu_tag_meta (part));
  boxed = g_boxed_copy (GST_TYPE_MGPU_TAG_META, copy);
  gst_clear_buffer (&whole);
  gst_clear_buffer (&frame);
  fail_unless_equals_int (gst_mgpu_tag_meta_get_n_tags (boxed), 2);
  g_boxed_free (GST_TYPE_MGPU_TAG_META, boxed);
  {
    static const GstMgpuTag tag = {.family = "tag16h5",.id = 5 };
    GstMgpuTag *same = g_boxed_copy (GST_TYPE_MGPU_TAG, &tag);

    fail_unless (memcmp (same, &tag, sizeof (tag)) == 0);
    g_boxed_free (GST_TYPE_MGPU_TAG, same);
  }
}

GST_END_TEST;

CHECK_TESTS (mgputagmeta)
{
  tcase_add_test (tc, access_tags);
  tcase_add_test (tc, absent);
  tcase_add_test (tc, matrix);
  tcase_add_test (tc, moved);
  tcase_add_test (tc, scaled);
  tcase_add_test (tc, copied);
}
