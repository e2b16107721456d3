/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests mgpuflow: its metas, and when it forgets the previous frame. */
#include "flow.h"

#include "../../reference/tracks.h"

/* Tests that each frame except the first has the flow that the reference computes. */
GST_START_TEST (test_formats)
{
  Stream stream;

  stream_open (&stream, all_formats[__i__], WIDTH, HEIGHT);
  stream_set (&stream, REF_FLOW_FAST, N_FIELDS, TRUE, FALSE);
  for (guint i = 0; i < 3; i++)
    stream_push (&stream, i);
  stream_close (&stream);
}

GST_END_TEST;

GST_START_TEST (test_sizes)
{
  static const gint sizes[][2] = { {16, 16}, {17, 130}, {131, 19}, {64, 48} };
  Stream stream;

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    stream_open (&stream, GST_VIDEO_FORMAT_GRAY8, sizes[i][0], sizes[i][1]);
    for (guint j = 0; j < 3; j++)
      stream_push (&stream, j);
    stream_close (&stream);
  }
}

GST_END_TEST;

/* Tests that each property may change between two frames. After a change of the preset, and for a
 * direction that was not measured before, the search starts without the flow of the previous
 * frame. */
GST_START_TEST (test_live)
{
  static const struct
  {
    RefFlowPreset preset;
    guint direction;
    gboolean lighting_changes, temporal;
  } values[] = {
    {REF_FLOW_FAST, 0, FALSE, TRUE}, {REF_FLOW_FAST, 0, FALSE, TRUE},
    {REF_FLOW_FAST, 2, FALSE, TRUE}, {REF_FLOW_FAST, 2, TRUE, TRUE},
    {REF_FLOW_FAST, 1, TRUE, TRUE}, {REF_FLOW_FAST, 0, TRUE, TRUE},
    {REF_FLOW_FINE, 0, TRUE, TRUE}, {REF_FLOW_FINE, 2, FALSE, TRUE},
    {REF_FLOW_FINE, 2, FALSE, FALSE}, {REF_FLOW_ULTRAFAST, 2, FALSE, TRUE},
    {REF_FLOW_ULTRAFAST, 2, FALSE, TRUE}, {REF_FLOW_MEDIUM, 1, FALSE, TRUE}
  };
  Stream stream;

  stream_open (&stream, GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT);
  for (guint i = 0; i < G_N_ELEMENTS (values); i++) {
    stream_set (&stream, values[i].preset, values[i].direction,
        values[i].lighting_changes, values[i].temporal);
    stream_push (&stream, i);
  }
  stream_close (&stream);
}

GST_END_TEST;

/* Tests that mgpuflow forgets the previous frame if frames are missing after it. */
GST_START_TEST (test_forgets)
{
  GstBuffer *frame, *out;
  Stream stream;

  stream_open (&stream, GST_VIDEO_FORMAT_GRAY8, WIDTH, HEIGHT);
  stream_push (&stream, 1);
  stream_push (&stream, 2);

  frame = stream_frame (&stream, LAYOUT_DEFAULT, 3);
  GST_BUFFER_FLAG_SET (frame, GST_BUFFER_FLAG_DISCONT);
  stream_forget (&stream);
  out = harness_push_pull (stream.h, gst_buffer_ref (frame));
  stream_check (&stream, frame, out);
  gst_buffer_unref (frame);
  gst_buffer_unref (out);
  stream_push (&stream, 4);

  fail_unless (gst_harness_push_event (stream.h, gst_event_new_gap (0,
              GST_SECOND)));
  stream_forget (&stream);
  stream_push (&stream, 5);
  stream_push (&stream, 6);

  g_object_set (stream.h->element, "enabled", FALSE, NULL);
  stream_forget (&stream);
  stream_push (&stream, 7);
  stream_forget (&stream);
  g_object_set (stream.h->element, "enabled", TRUE, NULL);
  stream_push (&stream, 8);
  stream_push (&stream, 9);

  flush (stream.h);
  stream_forget (&stream);
  stream_push (&stream, 10);
  stream_push (&stream, 11);
  stream_close (&stream);
}

GST_END_TEST;

/* Tests that mgpuflow forgets the previous frame at new caps, also if the new frames are too
 * small. */
GST_START_TEST (test_caps)
{
  static const struct
  {
    GstVideoFormat format;
    gint width, height;
  } caps[] = {
    {GST_VIDEO_FORMAT_RGB, 40, 30}, {GST_VIDEO_FORMAT_RGB, 48, 30},
    {GST_VIDEO_FORMAT_GRAY16_LE, 48, 30}, {GST_VIDEO_FORMAT_GRAY16_LE, 48, 15},
    {GST_VIDEO_FORMAT_GRAY16_LE, 48, 30}
  };
  Stream stream;

  stream_open (&stream, GST_VIDEO_FORMAT_GRAY8, WIDTH, HEIGHT);
  for (guint i = 0; i < G_N_ELEMENTS (caps); i++) {
    GstCaps *next = caps_new (caps[i].format, caps[i].width, caps[i].height,
        FALSE);

    stream_push (&stream, 1);
    if (stream.info.height < 16)
      stream_forget (&stream);
    stream_push (&stream, 2);
    stream_forget (&stream);
    fail_unless (gst_video_info_from_caps (&stream.info, next));
    gst_harness_set_src_caps (stream.h, next);
  }
  stream_push (&stream, 3);
  stream_push (&stream, 4);
  stream_close (&stream);
}

GST_END_TEST;

/* Tests that frames that are too small pass without flow, with one warning. */
GST_START_TEST (test_small)
{
  static const gint sizes[][2][2] = {
    {{40, 15}, {42, 15}}, {{15, 40}, {15, 42}}, {{1, 1}, {2, 1}}
  };
  Stream stream;

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    GstBus *bus;

    stream_open (&stream, GST_VIDEO_FORMAT_GRAY8, WIDTH, HEIGHT);
    bus = harness_bus (stream.h);
    for (guint j = 0; j < 2; j++) {
      GstCaps *caps = caps_new (GST_VIDEO_FORMAT_GRAY8, sizes[i][j][0],
          sizes[i][j][1], FALSE);

      fail_unless (gst_video_info_from_caps (&stream.info, caps));
      gst_harness_set_src_caps (stream.h, caps);
      for (guint k = 0; k < 2; k++) {
        stream_forget (&stream);
        stream_push (&stream, k);
      }
    }
    check_warning (bus, "no flow", "scale the frames up");
    stream_close (&stream);
  }
}

GST_END_TEST;

/* Tests that a frame to which nobody else holds a reference is pushed in the same buffer. Otherwise
 * the arrived buffer gets no flow, and the pushed buffer shares its memory. */
GST_START_TEST (test_passes)
{
  GstBuffer *out;
  Stream stream;

  stream_open (&stream, GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT);
  for (guint i = 0; i < 4; i++) {
    GstBuffer *from = stream_frame (&stream, LAYOUT_DEFAULT, i);

    out = harness_push_pull (stream.h, i < 2 ? from : gst_buffer_ref (from));
    fail_unless ((out == from) == (i < 2));
    fail_unless (gst_buffer_peek_memory (out, 0) ==
        gst_buffer_peek_memory (from, 0));
    fail_unless ((gst_buffer_get_mgpu_flow_meta (out) != NULL) == (i > 0));
    if (i >= 2) {
      fail_unless (gst_buffer_get_mgpu_flow_meta (from) == NULL);
      gst_buffer_unref (from);
    }
    gst_buffer_unref (out);
  }
  fail_unless_equals_uint64 (harness_stat (stream.h, "downloads"), 0);
  stream_close (&stream);
}

GST_END_TEST;

/* Tests that, after late frames were dropped, the next flow leads to the last frame that was
 * processed. */
GST_START_TEST (test_qos)
{
  GstBuffer *late;
  Stream stream;

  stream_open (&stream, GST_VIDEO_FORMAT_GRAY8, WIDTH, HEIGHT);
  stream_push (&stream, 1);
  stream_push (&stream, 2);
  fail_unless (gst_harness_push_upstream_event (stream.h,
          gst_event_new_qos (GST_QOS_TYPE_UNDERFLOW, 1, GST_SECOND / 5, 0)));
  late = stream_frame (&stream, LAYOUT_DEFAULT, 4);
  fail_unless_equals_int (gst_harness_push (stream.h, late), GST_FLOW_OK);
  fail_unless (gst_harness_try_pull (stream.h) == NULL);
  stream_push (&stream, 20);
  fail_unless (stream.past[0].flow != NULL);
  stream_close (&stream);
}

GST_END_TEST;

/* Tests that the memory of flow fields is reused for later frames, and that metas outlive the
 * element. */
GST_START_TEST (test_recycling)
{
  GstMgpuFlowMeta *meta, *copy = NULL;
  GstMemory *seen = NULL;
  g_autoptr (GBytes) bytes = NULL, later = NULL;
  Stream stream;

  stream_open (&stream, GST_VIDEO_FORMAT_GRAY8, WIDTH, HEIGHT);
  for (guint i = 0; i < 5; i++) {
    g_autoptr (GstBuffer) out = harness_push_pull (stream.h,
        stream_frame (&stream, LAYOUT_DEFAULT, i));
    GstMemory *memory;

    if (i == 0)
      continue;
    meta = gst_buffer_get_mgpu_flow_meta (out);
    memory = gst_mgpu_flow_meta_get_memory (meta,
        GST_MGPU_FLOW_FIELD_TO_PREVIOUS);
    fail_unless (seen == NULL || seen == memory);
    fail_unless (gst_mgpu_flow_meta_get_memory (meta,
            GST_MGPU_FLOW_FIELD_FROM_PREVIOUS) == NULL);
    seen = memory;
    if (i == 4) {
      copy = g_boxed_copy (GST_TYPE_MGPU_FLOW_META, meta);
      bytes = gst_mgpu_flow_meta_get_bytes (copy,
          GST_MGPU_FLOW_FIELD_TO_PREVIOUS);
    }
  }
  stream_close (&stream);
  later = gst_mgpu_flow_meta_get_bytes (copy, GST_MGPU_FLOW_FIELD_TO_PREVIOUS);
  fail_unless (g_bytes_equal (bytes, later));
  g_boxed_free (GST_TYPE_MGPU_FLOW_META, copy);
}

GST_END_TEST;

/* ---- Tracks ------------------------------------------------------------------ */

#define MAX_TRACKS 60

static void
check_tracks (GstBuffer * out, const RefTracks * want)
{
  GstMgpuKeypointMeta *meta = gst_buffer_get_mgpu_keypoint_meta (out);
  GstMgpuKeypoint keypoints[MAX_TRACKS];
  guint32 ids[MAX_TRACKS];
  gfloat motions[MAX_TRACKS][4];

  fail_unless (meta != NULL);
  for (gint i = 0; i < want->n; i++) {
    const RefTrack *t = &want->tracks[i];

    keypoints[i] = (GstMgpuKeypoint) {
    t->x, t->y, 16, -1, t->score, G_MININT32, 0};
    ids[i] = t->id;
    motions[i][0] = t->old_x;
    motions[i][1] = t->old_y;
    motions[i][2] = t->u;
    motions[i][3] = t->v;
  }
  fail_unless_equals_int (gst_mgpu_keypoint_meta_get_n_keypoints (meta),
      want->n);
  check_bytes (gst_mgpu_keypoint_meta_get_keypoints (meta), keypoints,
      want->n * sizeof (keypoints[0]));
  check_bytes (gst_mgpu_keypoint_meta_get_ids (meta), ids,
      want->n * sizeof (ids[0]));
  check_bytes (gst_mgpu_keypoint_meta_get_motions (meta), motions,
      want->n * sizeof (motions[0]));
}

/* Pushes frame @t, and compares its tracks with the reference. *@before is the previous frame, or
 * NULL if the element has none; it becomes this frame. */
static void
push_tracked (GstHarness * h, const GstVideoInfo * info, gint t,
    gboolean discont, RefTracks * want, GstBuffer ** before)
{
  GstBuffer *now = rectangles_new (info, t), *out;
  GstBuffer *buffers[2] = { now, *before };
  GstVideoFrame frames[2];
  RefPlane planes[2];
  guint most, cell;

  g_object_get (h->element, "tracks", &most, "track-cell", &cell, NULL);
  if (discont)
    GST_BUFFER_FLAG_SET (now, GST_BUFFER_FLAG_DISCONT);
  out = harness_push_pull (h, gst_buffer_ref (now));
  for (guint i = 0; i < 2 && buffers[i] != NULL; i++) {
    fail_unless (gst_video_frame_map (&frames[i], info, buffers[i],
            GST_MAP_READ));
    planes[i] = ref_plane (&frames[i], 0);
  }
  fail_unless (ref_tracks (*before != NULL ? &planes[1] : NULL, &planes[0],
          cell, most, want));
  for (guint i = 0; i < 2 && buffers[i] != NULL; i++)
    gst_video_frame_unmap (&frames[i]);
  check_tracks (out, want);
  gst_buffer_unref (out);
  gst_clear_buffer (before);
  *before = now;
}

/* Tests that tracks keep their ids from frame to frame, until frames are missing, and that no id is
 * used twice. */
GST_START_TEST (test_tracks)
{
  GstCaps *caps = caps_new (GST_VIDEO_FORMAT_GRAY8, 80, 64, FALSE);
  g_autoptr (GstHarness) h = harness_new ("mgpuflow dense=false tracks=60 "
      "track-cell=13", HOST_CAPS ("GRAY8", 120, 90), "video/x-raw");
  GstVideoInfo info = info_from_string (HOST_CAPS ("GRAY8", 120, 90));
  RefTrack tracks[MAX_TRACKS];
  RefTracks want = { tracks };
  g_autoptr (GstBuffer) before = NULL, out = NULL;
  g_autoptr (GBytes) ids = NULL;

  for (gint t = 0; t < 8; t++) {
    if (t == 5)
      gst_clear_buffer (&before);
    g_object_set (h->element, "tracks", t == 3 ? 20 : MAX_TRACKS, NULL);
    push_tracked (h, &info, t, t == 5, &want, &before);
    fail_unless (want.n > 15);
    fail_unless_equals_int (tracks[0].u != 0, t != 0 && t != 5);
  }

  /* Turns tracks off for one frame, after which all tracks are forgotten. */
  g_object_set (h->element, "tracks", 0, NULL);
  out = harness_push_pull (h, rectangles_new (&info, 8));
  fail_unless (gst_buffer_get_mgpu_keypoint_meta (out) == NULL);
  fail_unless (gst_buffer_get_mgpu_flow_meta (out) == NULL);
  gst_clear_buffer (&before);
  g_object_set (h->element, "tracks", MAX_TRACKS, NULL);
  push_tracked (h, &info, 9, FALSE, &want, &before);

  /* Checks that the ids after new caps continue at a larger number. */
  fail_unless (gst_video_info_from_caps (&info, caps));
  gst_harness_set_src_caps (h, caps);
  gst_clear_buffer (&before);
  gst_clear_buffer (&out);
  out = harness_push_pull (h, rectangles_new (&info, 10));
  ids = gst_mgpu_keypoint_meta_get_ids (gst_buffer_get_mgpu_keypoint_meta
      (out));
  fail_unless (*(const guint32 *) g_bytes_get_data (ids, NULL) > want.last_id);
}

GST_END_TEST;

/* Tests that tracks and dense flow of the same frames do not depend on each other. */
GST_START_TEST (test_tracks_and_flow)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 120, 90);
  const gchar *launches[] = { "mgpuflow tracks=60", "mgpuflow",
    "mgpuflow dense=false tracks=60"
  };
  GstVideoInfo info = info_from_string (caps);
  GBytes *flow[3] = { NULL, }, *motions[3] = { NULL, };

  for (guint i = 0; i < 3; i++) {
    g_autoptr (GstHarness) h = harness_new (launches[i], caps, caps);

    for (gint t = 0; t < 3; t++) {
      g_autoptr (GstBuffer) out =
          harness_push_pull (h, rectangles_new (&info, t));
      GstMgpuFlowMeta *meta = gst_buffer_get_mgpu_flow_meta (out);
      GstMgpuKeypointMeta *tracks = gst_buffer_get_mgpu_keypoint_meta (out);

      fail_unless_equals_int (meta != NULL, i < 2 && t > 0);
      fail_unless_equals_int (tracks != NULL, i != 1);
      if (t == 2 && meta != NULL)
        flow[i] = gst_mgpu_flow_meta_get_bytes (meta,
            GST_MGPU_FLOW_FIELD_TO_PREVIOUS);
      if (t == 2 && tracks != NULL)
        motions[i] = gst_mgpu_keypoint_meta_get_motions (tracks);
    }
  }
  fail_unless (g_bytes_equal (flow[0], flow[1]));
  fail_unless (g_bytes_equal (motions[0], motions[2]));
  for (guint i = 0; i < 3; i++) {
    g_clear_pointer (&flow[i], g_bytes_unref);
    g_clear_pointer (&motions[i], g_bytes_unref);
  }
}

GST_END_TEST;

CHECK_TESTS (mgpuflow)
{
  tcase_add_loop_test (tc, test_formats, 0, N_ALL_FORMATS);
  tcase_add_test (tc, test_sizes);
  tcase_add_test (tc, test_live);
  tcase_add_test (tc, test_forgets);
  tcase_add_test (tc, test_caps);
  tcase_add_test (tc, test_small);
  tcase_add_test (tc, test_passes);
  tcase_add_test (tc, test_qos);
  tcase_add_test (tc, test_recycling);
  tcase_add_test (tc, test_tracks);
  tcase_add_test (tc, test_tracks_and_flow);
}
