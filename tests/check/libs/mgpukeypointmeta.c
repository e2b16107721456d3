/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests GstMgpuKeypointMeta. */
#include "device.h"
#include <math.h>
#include <string.h>

/* Capacity of the memory in keypoints, and number of keypoints in it */
#define ROOM 5
#define N 3

static GstMgpuKeypoint
keypoint (guint i)
{
  GstMgpuKeypoint k = { 10 + i, 20.5f + i, 4, 45.0f * i, 0.25f, -1, 1 + i };

  return k;
}

static GstBuffer *
keypoints_new (guint n)
{
  struct
  {
    GstMgpuKeypointHeader header;
    GstMgpuKeypoint points[ROOM];
  } table = {.header = {.n = n,.dropped = 7} };

  for (guint i = 0; i < N; i++)
    table.points[i] = keypoint (i);
  return device_buffer_new (queue, &table, sizeof (table));
}

static GstBuffer *
descriptors_new (void)
{
  guint8 data[ROOM * GST_MGPU_DESCRIPTOR_SIZE];

  for (guint i = 0; i < sizeof (data); i++)
    data[i] = i * 3;
  return device_buffer_new (queue, data, sizeof (data));
}

static GstBuffer *
frame_new (guint n)
{
  GstBuffer *frame = gst_buffer_new_allocate (NULL, 16, NULL);

  gst_buffer_add_mgpu_keypoint_meta (frame, keypoints_new (n),
      GST_MGPU_DESCRIPTOR_TYPE_SIFT, descriptors_new ());
  return frame;
}

static void
check_meta (GstMgpuKeypointMeta * meta)
{
  GstMgpuKeypoint k, want;
  g_autoptr (GBytes) bytes = NULL;
  const guint8 *data;
  gsize size;

  fail_unless (meta != NULL);
  fail_unless_equals_int (gst_mgpu_keypoint_meta_get_n_keypoints (meta), N);
  fail_unless_equals_int (gst_mgpu_keypoint_meta_get_n_dropped (meta), 7);
  bytes = gst_mgpu_keypoint_meta_get_keypoints (meta);
  data = g_bytes_get_data (bytes, &size);
  fail_unless_equals_uint64 (size, N * sizeof (k));
  for (guint i = 0; i < N; i++) {
    want = keypoint (i);
    fail_unless (gst_mgpu_keypoint_meta_get_keypoint (meta, i, &k));
    fail_unless (memcmp (&k, &want, sizeof (k)) == 0);
    fail_unless (memcmp (data + i * sizeof (k), &want, sizeof (k)) == 0);
  }
  fail_if (gst_mgpu_keypoint_meta_get_keypoint (meta, N, &k));
  g_bytes_unref (bytes);

  fail_unless_equals_int (gst_mgpu_keypoint_meta_get_descriptor_type (meta),
      GST_MGPU_DESCRIPTOR_TYPE_SIFT);
  bytes = gst_mgpu_keypoint_meta_get_descriptors (meta);
  data = g_bytes_get_data (bytes, &size);
  fail_unless_equals_uint64 (size, N * GST_MGPU_DESCRIPTOR_SIZE);
  for (guint i = 0; i < size; i++)
    fail_unless_equals_int (data[i], (guint8) (i * 3));
}

GST_START_TEST (test_access)
{
  GstBuffer *frame = gst_buffer_new (), *table = keypoints_new (N);
  GstBuffer *descriptors = descriptors_new ();
  GstMgpuKeypointMeta *meta;
  g_autoptr (GBytes) bytes = NULL;

  fail_unless (gst_buffer_get_mgpu_keypoint_meta (frame) == NULL);
  meta = gst_buffer_add_mgpu_keypoint_meta (frame, table,
      GST_MGPU_DESCRIPTOR_TYPE_SIFT, descriptors);
  fail_unless (gst_buffer_get_mgpu_keypoint_meta (frame) == meta);
  fail_unless (gst_mgpu_keypoint_meta_get_keypoint_memory (meta) ==
      gst_buffer_peek_memory (table, 0));
  fail_unless (gst_mgpu_keypoint_meta_get_descriptor_memory (meta) ==
      gst_buffer_peek_memory (descriptors, 0));
  check_meta (meta);
  check_meta (meta);

  /* Bytes of the meta that were read remain valid after the frame is freed. */
  bytes = gst_mgpu_keypoint_meta_get_descriptors (meta);
  gst_buffer_unref (frame);
  fail_unless_equals_int (((const guint8 *) g_bytes_get_data (bytes, NULL))[5],
      15);
}

GST_END_TEST;

/* Tests a meta without keypoints, or without descriptors. A count above the capacity of the memory
 * is clamped to it. */
GST_START_TEST (test_odd)
{
  g_autoptr (GstBuffer) frame = frame_new (0);
  GstMgpuKeypointMeta *meta = gst_buffer_get_mgpu_keypoint_meta (frame);
  GBytes *bytes;

  fail_unless_equals_int (gst_mgpu_keypoint_meta_get_n_keypoints (meta), 0);
  bytes = gst_mgpu_keypoint_meta_get_keypoints (meta);
  fail_unless_equals_uint64 (g_bytes_get_size (bytes), 0);
  g_bytes_unref (bytes);
  bytes = gst_mgpu_keypoint_meta_get_descriptors (meta);
  fail_unless_equals_uint64 (g_bytes_get_size (bytes), 0);
  g_bytes_unref (bytes);
  gst_buffer_unref (frame);

  frame = gst_buffer_new ();
  meta = gst_buffer_add_mgpu_keypoint_meta (frame, keypoints_new (1000000),
      GST_MGPU_DESCRIPTOR_TYPE_NONE, NULL);
  fail_unless_equals_int (gst_mgpu_keypoint_meta_get_n_keypoints (meta), ROOM);
  fail_unless (gst_mgpu_keypoint_meta_get_descriptors (meta) == NULL);
  fail_unless (gst_mgpu_keypoint_meta_get_descriptor_memory (meta) == NULL);
}

GST_END_TEST;

static void
count_message (const gchar * domain, GLogLevelFlags level, const gchar * text,
    gpointer data)
{
  fail_unless (strstr (text, "83 bytes are not 28") != NULL, "%s", text);
  ++*(guint *) data;
}

/* Tests that an application's points become a meta without descriptors, which replaces the previous
 * meta. A size that is not a whole number of keypoints is refused. */
GST_START_TEST (test_points)
{
  g_autoptr (GstBuffer) frame = frame_new (N);
  GstMgpuKeypoint points[N], k;
  GstMgpuKeypointMeta *meta;
  guint n_messages = 0, handler;
  GBytes *bytes, *odd;

  for (guint i = 0; i < N; i++)
    points[i] = keypoint (i);
  bytes = g_bytes_new (points, sizeof (points));
  odd = g_bytes_new_from_bytes (bytes, 0, sizeof (points) - 1);
  handler = g_log_set_handler ("GStreamer-MGPU", G_LOG_LEVEL_CRITICAL,
      count_message, &n_messages);
  fail_unless (gst_buffer_add_mgpu_keypoint_meta_points (frame, odd) == NULL);
  g_log_remove_handler ("GStreamer-MGPU", handler);
  fail_unless_equals_int (n_messages, 1);
  check_meta (gst_buffer_get_mgpu_keypoint_meta (frame));
  meta = gst_buffer_add_mgpu_keypoint_meta_points (frame, bytes);
  fail_unless (gst_buffer_get_mgpu_keypoint_meta (frame) == meta);
  fail_unless_equals_int (gst_buffer_get_n_meta (frame,
          GST_MGPU_KEYPOINT_META_API_TYPE), 1);
  g_bytes_unref (odd);
  g_bytes_unref (bytes);
  fail_unless_equals_int (gst_mgpu_keypoint_meta_get_n_keypoints (meta), N);
  fail_unless (gst_mgpu_keypoint_meta_get_keypoint (meta, 2, &k)
      && memcmp (&k, &points[2], sizeof (k)) == 0);
  fail_unless (gst_mgpu_keypoint_meta_get_descriptors (meta) == NULL);
  bytes = g_bytes_new (NULL, 0);
  meta = gst_buffer_add_mgpu_keypoint_meta_points (frame, bytes);
  fail_unless_equals_int (gst_mgpu_keypoint_meta_get_n_keypoints (meta), 0);
  g_bytes_unref (bytes);
}

GST_END_TEST;

/* Tests that keypoints that cannot be read at first are read again later. */
GST_START_TEST (test_unreadable)
{
  g_autoptr (GstBuffer) frame = frame_new (N);
  GstMgpuKeypointMeta *meta = gst_buffer_get_mgpu_keypoint_meta (frame);
  GstMemory *memory = gst_mgpu_keypoint_meta_get_keypoint_memory (meta);
  GstMgpuKeypoint k;
  GstMapInfo map;

  /* Maps the memory for writing, so that nobody else can read it. */
  fail_unless (gst_memory_map (memory, &map, GST_MAP_WRITE));
  fail_unless (gst_mgpu_keypoint_meta_get_keypoints (meta) == NULL);
  fail_unless (gst_mgpu_keypoint_meta_get_descriptors (meta) == NULL);
  fail_unless_equals_int (gst_mgpu_keypoint_meta_get_n_keypoints (meta), 0);
  fail_unless_equals_int (gst_mgpu_keypoint_meta_get_n_dropped (meta), 0);
  fail_if (gst_mgpu_keypoint_meta_get_keypoint (meta, 0, &k));
  gst_memory_unmap (memory, &map);
  fail_unless (gst_mgpu_keypoint_meta_get_keypoint_memory (meta) == memory);
  check_meta (meta);

  memory = gst_mgpu_keypoint_meta_get_descriptor_memory (meta);
  fail_unless (gst_memory_map (memory, &map, GST_MAP_WRITE));
  fail_unless (gst_mgpu_keypoint_meta_get_descriptors (meta) == NULL);
  gst_memory_unmap (memory, &map);
  fail_unless (gst_mgpu_keypoint_meta_get_descriptor_memory (meta) == memory);
  check_meta (meta);
}

GST_END_TEST;

/* Tests that copies share the tables, and that a part of the frame has none. */
GST_START_TEST (test_copy)
{
  GstBuffer *frame = frame_new (N), *copy, *part;
  GstMgpuKeypointMeta *meta = gst_buffer_get_mgpu_keypoint_meta (frame);
  GstMemory *memory = gst_mgpu_keypoint_meta_get_keypoint_memory (meta);

  copy = gst_buffer_copy (frame);
  part = gst_buffer_copy_region (frame, GST_BUFFER_COPY_ALL, 4, 8);
  fail_unless (gst_buffer_get_mgpu_keypoint_meta (part) == NULL);
  gst_buffer_unref (part);
  gst_buffer_unref (frame);
  meta = gst_buffer_get_mgpu_keypoint_meta (copy);
  fail_unless (gst_mgpu_keypoint_meta_get_keypoint_memory (meta) == memory);
  check_meta (meta);
  gst_buffer_unref (copy);
}

GST_END_TEST;

/* Tests that a boxed copy of the meta, which language bindings use, outlives the frame, and can be
 * read like any meta. */
GST_START_TEST (test_boxed)
{
  GstBuffer *frame = frame_new (N);
  GstMgpuKeypointMeta *meta = gst_buffer_get_mgpu_keypoint_meta (frame);
  GstMgpuKeypointMeta *copy = g_boxed_copy (GST_TYPE_MGPU_KEYPOINT_META, meta);

  fail_unless (copy != meta);
  gst_buffer_unref (frame);
  fail_unless (gst_meta_get_seqnum (&copy->meta) > 0);
  check_meta (copy);
  g_boxed_free (GST_TYPE_MGPU_KEYPOINT_META, copy);
}

GST_END_TEST;

/* Returns: a buffer with the meta of @frame, scaled from 40x30 to @width x @height */
static GstBuffer *
scaled (GstBuffer * frame, gint width, gint height)
{
  GstMgpuKeypointMeta *meta = gst_buffer_get_mgpu_keypoint_meta (frame);
  GstBuffer *to = gst_buffer_new ();
  GstVideoInfo in, out;
  GstVideoMetaTransform data = { &in, &out };

  gst_video_info_set_format (&in, GST_VIDEO_FORMAT_GRAY8, 40, 30);
  gst_video_info_set_format (&out, GST_VIDEO_FORMAT_GRAY8, width, height);
  fail_unless (meta->meta.info->transform_func (to, &meta->meta, frame,
          gst_video_meta_transform_scale_get_quark (), &data));
  return to;
}

static void
check_keypoint (const GstMgpuKeypoint * k, GstMgpuKeypoint want)
{
  fail_unless (fabs (k->x - want.x) < 1e-4 && fabs (k->y - want.y) < 1e-4
      && fabs (k->size - want.size) < 1e-4
      && fabs (k->angle - want.angle) < 1e-4, "%g, %g, %g, %g but not %g, %g, "
      "%g, %g", k->x, k->y, k->size, k->angle, want.x, want.y, want.size,
      want.angle);
  fail_unless_equals_float (k->response, want.response);
  fail_unless_equals_int (k->octave, want.octave);
  fail_unless_equals_int (k->layer, want.layer);
}

GST_START_TEST (test_scale)
{
  g_autoptr (GstBuffer) frame = frame_new (N), half = scaled (frame, 20, 15);
  g_autoptr (GstBuffer) wide = scaled (frame, 80, 30), back = NULL, other =
      gst_buffer_new ();
  GstMgpuKeypointMeta *meta = gst_buffer_get_mgpu_keypoint_meta (half);
  GstMgpuKeypoint k;
  const gdouble *matrix;
  GBytes *bytes;

  fail_unless (gst_mgpu_keypoint_meta_get_keypoint (meta, 1, &k));
  fail_unless_equals_float (k.x, (11 + 0.5) * 0.5 - 0.5);
  fail_unless_equals_float (k.y, (21.5 + 0.5) * 0.5 - 0.5);
  fail_unless_equals_float (k.size, 2);
  fail_unless (fabs (k.angle - 45) < 1e-4);
  bytes = gst_mgpu_keypoint_meta_get_keypoints (meta);
  fail_unless_equals_uint64 (g_bytes_get_size (bytes), N * sizeof (k));
  fail_unless (memcmp (&k, (const GstMgpuKeypoint *) g_bytes_get_data (bytes,
              NULL) + 1, sizeof (k)) == 0);
  g_bytes_unref (bytes);
  matrix = gst_mgpu_keypoint_meta_get_matrix (meta);
  for (guint i = 0; i < 6; i++)
    fail_unless_equals_float (matrix[i], i % 4 == 0 ? 0.5 : 0);

  /* Angles are sheared. */
  meta = gst_buffer_get_mgpu_keypoint_meta (wide);
  fail_unless (gst_mgpu_keypoint_meta_get_keypoint (meta, 1, &k));
  fail_unless (fabs (k.angle - atan2 (1, 2) * 180 / G_PI) < 1e-4);
  fail_unless (gst_mgpu_keypoint_meta_get_keypoint (meta, 2, &k));
  fail_unless (fabs (k.angle - 90) < 1e-4);
  fail_unless (fabs (k.size - 4 * sqrt (2)) < 1e-4);

  /* Scales back to the original size. */
  back = gst_buffer_new ();
  {
    GstVideoInfo in, out;
    GstVideoMetaTransform data = { &in, &out };

    gst_video_info_set_format (&in, GST_VIDEO_FORMAT_GRAY8, 80, 30);
    gst_video_info_set_format (&out, GST_VIDEO_FORMAT_GRAY8, 40, 30);
    meta->meta.info->transform_func (back, &meta->meta, wide,
        gst_video_meta_transform_scale_get_quark (), &data);
    fail_if (meta->meta.info->transform_func (other, &meta->meta, wide,
            g_quark_from_static_string ("test-other"), &data));
  }
  meta = gst_buffer_get_mgpu_keypoint_meta (back);
  for (guint i = 0; gst_mgpu_keypoint_meta_get_keypoint (meta, i, &k); i++)
    check_keypoint (&k, keypoint (i));
  fail_unless_equals_int (gst_mgpu_keypoint_meta_get_n_keypoints (meta), N);
  fail_unless (gst_buffer_get_mgpu_keypoint_meta (other) == NULL);
}

GST_END_TEST;

/* Declares GstVideoMetaTransformMatrix of later GStreamer versions. */
typedef struct
{
  const GstVideoInfo *in_info;
  GstVideoRectangle in;
  const GstVideoInfo *out_info;
  GstVideoRectangle out;
  gfloat matrix[3][3];
} VideoMatrix;

/* Returns a frame with the meta of @frame, 40x30, of which the part of 20x10 at (11, 20) is rotated
 * to the right and scaled to 20x40, by this library's transform or GStreamer's. */
static GstBuffer *
turned (GstBuffer * frame, gboolean own)
{
  GstMgpuKeypointMeta *meta = gst_buffer_get_mgpu_keypoint_meta (frame);
  GstMetaTransformFunction transform = meta->meta.info->transform_func;
  GstBuffer *to = gst_buffer_new ();
  GstVideoInfo in, out;
  GstMgpuMetaTransform affine = { &in, &out, {{0, -2, 60}, {2, 0, -22}}, 0, 0,
  20, 40
  };
  VideoMatrix matrix = { &in, {11, 20, 20, 10}, &out, {0, 0, 20, 40},
  {{0, -2, 20}, {2, 0, 0}, {0, 0, 1}}
  };

  gst_video_info_set_format (&in, GST_VIDEO_FORMAT_GRAY8, 40, 30);
  gst_video_info_set_format (&out, GST_VIDEO_FORMAT_GRAY8, 20, 40);
  if (own)
    fail_unless (transform (to, &meta->meta, frame,
            gst_mgpu_meta_transform_affine_get_quark (), &affine));
  else
    fail_unless (transform (to, &meta->meta, frame,
            g_quark_from_static_string ("gst-video-matrix"), &matrix));

  /* A perspective transform has no single scale. */
  matrix.matrix[2][0] = 0.25f;
  fail_if (transform (to, &meta->meta, frame,
          g_quark_from_static_string ("gst-video-matrix"), &matrix));
  return to;
}

/* Tests a crop that removes the first keypoint, and with it its descriptor. */
GST_START_TEST (test_turn)
{
  GstBuffer *frame = frame_new (N), *to = turned (frame, __i__), *copy;
  GstMgpuKeypointMeta *meta;
  GstMgpuKeypoint k;
  const gdouble *matrix;
  GBytes *bytes;

  /* Makes a copy before anything of the meta was read. */
  copy = gst_buffer_copy (to);
  gst_buffer_unref (to);
  meta = gst_buffer_get_mgpu_keypoint_meta (copy);
  fail_unless_equals_int (gst_mgpu_keypoint_meta_get_n_keypoints (meta), N - 1);
  fail_unless_equals_int (gst_mgpu_keypoint_meta_get_n_dropped (meta), 7);
  for (guint i = 0; gst_mgpu_keypoint_meta_get_keypoint (meta, i, &k); i++) {
    GstMgpuKeypoint was = keypoint (i + 1), want = was;

    want.x = 60 - 2 * (was.y + 0.5f) - 0.5f;
    want.y = 2 * (was.x + 0.5f) - 22 - 0.5f;
    want.size = 8;
    want.angle = was.angle + 90;
    check_keypoint (&k, want);
  }
  bytes = gst_mgpu_keypoint_meta_get_keypoints (meta);
  fail_unless_equals_uint64 (g_bytes_get_size (bytes), (N - 1) * sizeof (k));
  g_bytes_unref (bytes);
  bytes = gst_mgpu_keypoint_meta_get_descriptors (meta);
  fail_unless_equals_uint64 (g_bytes_get_size (bytes),
      (N - 1) * GST_MGPU_DESCRIPTOR_SIZE);
  for (guint i = 0; i < g_bytes_get_size (bytes); i++)
    fail_unless_equals_int (((const guint8 *) g_bytes_get_data (bytes,
                NULL))[i], (guint8) ((i + GST_MGPU_DESCRIPTOR_SIZE) * 3));
  g_bytes_unref (bytes);
  matrix = gst_mgpu_keypoint_meta_get_matrix (meta);
  fail_unless (matrix[0] == 0 && matrix[1] == -2 && matrix[2] == 60
      && matrix[3] == 2 && matrix[4] == 0 && matrix[5] == -22);
  gst_buffer_unref (copy);

  /* Checks that the frame that was not transformed still has all keypoints. */
  check_meta (gst_buffer_get_mgpu_keypoint_meta (frame));
  gst_buffer_unref (frame);
}

GST_END_TEST;

/* Tests that a frame has one meta of each kind: a new meta replaces the old one. */
GST_START_TEST (test_replaced)
{
  static const gdouble move[9] = { 1, 0, 5, 0, 1, 6, 0, 0, 1 };
  GstMgpuPicture picture = { "a", 1 };
  g_autoptr (GstBuffer) frame = frame_new (N);
  GstMgpuMotionMeta *motion;

  gst_buffer_add_mgpu_keypoint_meta (frame, keypoints_new (1),
      GST_MGPU_DESCRIPTOR_TYPE_NONE, NULL);
  fail_unless_equals_int (gst_buffer_get_n_meta (frame,
          GST_MGPU_KEYPOINT_META_API_TYPE), 1);
  fail_unless_equals_int (gst_mgpu_keypoint_meta_get_n_keypoints
      (gst_buffer_get_mgpu_keypoint_meta (frame)), 1);
  for (guint i = 0; i < 3; i++) {
    gst_buffer_add_mgpu_motion_meta (frame, i == 1 ? NULL : move, NULL,
        GST_MGPU_MOTION_STATE_MEASURED, i);
    motion = gst_buffer_get_mgpu_motion_meta (frame);
    fail_unless_equals_int (gst_mgpu_motion_meta_get_n_inliers (motion), i);
    picture.number = 1 + i;
    gst_buffer_add_mgpu_picture_meta (frame, &picture, 1);
    fail_unless (gst_mgpu_picture_meta_get_picture
        (gst_buffer_get_mgpu_picture_meta (frame), 0, &picture));
    fail_unless_equals_int (picture.number, 1 + i);
  }
  fail_unless_equals_int (gst_buffer_get_n_meta (frame,
          GST_MGPU_MOTION_META_API_TYPE), 1);
  fail_unless_equals_int (gst_buffer_get_n_meta (frame,
          GST_MGPU_PICTURE_META_API_TYPE), 1);
}

GST_END_TEST;

/* Tests that ids and motions of tracks stay with their keypoints when a frame is scaled or
 * cropped. */
GST_START_TEST (test_tracks)
{
  const guint32 ids[ROOM] = { 7, 8, 9 };
  const gfloat motions[ROOM][4] = {
    {1, 2, 4, -6}, {0.5f, 7.5f, 0, 0}, {-0.5f, 3.5f, 1, 1}
  };
  const gfloat halves[N][4] = {
    {0.25f, 0.75f, 2, -3}, {0, 3.5f, 0, 0}, {-0.5f, 1.5f, 0.5f, 0.5f}
  };
  const gfloat cropped[N - 1][4] = {
    {-10.5f, 7.5f, 0, 0}, {-11.5f, 3.5f, 1, 1}
  };
  GstBuffer *frame = frame_new (N), *half, *crop = gst_buffer_new ();
  GstMgpuKeypointMeta *meta = gst_buffer_get_mgpu_keypoint_meta (frame);
  GstVideoInfo info;
  const GstMgpuMetaTransform t = { &info, &info, {{1, 0, -11}, {0, 1, 0}}, 0, 0,
  29, 30
  };

  fail_if (gst_mgpu_keypoint_meta_has_tracks (meta));
  fail_unless (gst_mgpu_keypoint_meta_get_ids (meta) == NULL);
  fail_unless (gst_mgpu_keypoint_meta_get_motions (meta) == NULL);
  gst_mgpu_keypoint_meta_set_tracks (meta, device_buffer_new (queue, ids,
          sizeof (ids)), device_buffer_new (queue, motions, sizeof (motions)));
  fail_unless (gst_mgpu_keypoint_meta_has_tracks (meta));
  check_bytes (gst_mgpu_keypoint_meta_get_ids (meta), ids, N * 4);
  check_bytes (gst_mgpu_keypoint_meta_get_motions (meta), motions, N * 16);

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_GRAY8, 40, 30);
  fail_unless (meta->meta.info->transform_func (crop, &meta->meta, frame,
          gst_mgpu_meta_transform_affine_get_quark (), (gpointer) & t));
  half = scaled (frame, 20, 15);
  gst_buffer_unref (frame);
  meta = gst_buffer_get_mgpu_keypoint_meta (half);
  check_bytes (gst_mgpu_keypoint_meta_get_ids (meta), ids, N * 4);
  check_bytes (gst_mgpu_keypoint_meta_get_motions (meta), halves, N * 16);
  gst_buffer_unref (half);

  meta = gst_buffer_get_mgpu_keypoint_meta (crop);
  fail_unless_equals_int (gst_mgpu_keypoint_meta_get_n_keypoints (meta), N - 1);
  check_bytes (gst_mgpu_keypoint_meta_get_ids (meta), ids + 1, (N - 1) * 4);
  check_bytes (gst_mgpu_keypoint_meta_get_motions (meta), cropped,
      (N - 1) * 16);
  gst_buffer_unref (crop);
}

GST_END_TEST;

CHECK_TESTS (mgpukeypointmeta)
{
  tcase_add_checked_fixture (tc, setup, teardown);
  tcase_add_test (tc, test_access);
  tcase_add_test (tc, test_odd);
  tcase_add_test (tc, test_points);
  tcase_add_test (tc, test_unreadable);
  tcase_add_test (tc, test_copy);
  tcase_add_test (tc, test_boxed);
  tcase_add_test (tc, test_replaced);
  tcase_add_test (tc, test_scale);
  tcase_add_loop_test (tc, test_turn, 0, 2);
  tcase_add_test (tc, test_tracks);
}
