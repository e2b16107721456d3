/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests mgputrack with objects that are lost, and with gaps and changes of the stream. */
#include "track.h"

#include <math.h>
#include <string.h>

/* Tests that timestamps that jump, stand still or are missing make no difference, because mgputrack
 * counts frames. */
GST_START_TEST (test_times)
{
  static const GstClockTime times[] = { 0, 0, 0, 3600 * GST_SECOND, 5,
    GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE, G_MAXINT64, 7
  };
  g_autoptr (GstHarness) h = track_new (NULL, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (times); i++) {
    GstBuffer *buffer = frame_new (i);
    g_autoptr (GPtrArray) list = NULL;

    GST_BUFFER_PTS (buffer) = times[i];
    GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_DISCONT);
    add_region (buffer, "person", 100 + i, 100, 0.9);
    list = push (h, buffer);
    fail_unless_equals_int64 (((GstMgpuDetection *)
            list->pdata[0])->tracking_id, i == 0 ? -1 : 1);
  }
}

GST_END_TEST;

/* Tests that a lost object continues at its last speed, keeps its size, and is clipped at the edge
 * of the frame, beyond which it has no region. When it is detected again it gets its id back. */
GST_START_TEST (test_lost)
{
  g_autoptr (GstHarness) h = track_new ("coast", 40, "max-lost", 60, NULL);
  gint width = 0, height = 0, x = 0;
  guint i;

  for (i = 0; i < 30; i++) {
    GstBuffer *buffer = frame_new (i);

    gst_buffer_add_video_region_of_interest_meta (buffer, "person",
        300 + 8 * i - i / 2, 100 - i, 40 + i, 80 + 2 * i);
    g_ptr_array_unref (push (h, buffer));
  }
  for (; i < 60; i++) {
    g_autoptr (GPtrArray) list = push (h, frame_new (i));
    const GstMgpuDetection *d = list->len > 0 ? list->pdata[0] : NULL;

    if (d == NULL) {
      fail_unless (x > 600);
    } else if (width == 0) {
      width = d->width;
      height = d->height;
      fail_unless (width > 60 && width < 75 && height > 130 && height < 150);
    } else if (d->x + d->width < 640) {
      fail_unless (ABS (d->width - width) <= 1);
      fail_unless (ABS (d->height - height) <= 1);
      fail_unless (d->x - x >= 7 && d->x - x <= 9, "%d", d->x - x);
    } else {
      fail_unless_equals_int (d->x + d->width, 640);
    }
    if (d != NULL) {
      fail_unless_equals_int64 (d->tracking_id, 1);
      x = d->x;
    }
  }
  fail_unless (x > 600);
}

GST_END_TEST;

/* Tests that an object that moves by its width between two detections gets an id at the third
 * detection, and is predicted from then on. If the detector analyzes each frame, it counts as a new
 * object each time. */
GST_START_TEST (test_far)
{
  const gint step = __i__ ? -40 : 40;
  g_autoptr (GstHarness) h = track_new ("interval", 10, NULL);
  guint i;

  for (i = 0; i < 60; i++) {
    gint64 id = push_person (h, i, i % 10 == 0 ? 300 + step * (gint) i / 10
        : -1, 100);

    fail_unless_equals_int64 (id, i >= 20 ? 1 : i % 10 == 0 ? -1 : -2);
  }
  gst_harness_teardown (h);

  h = track_new (NULL, NULL);
  for (i = 0; i < 6; i++)
    fail_unless_equals_int64 (push_person (h, i, 300 + step * (gint) i, 100),
        -1);
}

GST_END_TEST;

/* Tests that two distant regions are treated as one object only if no other pair fits, and only if
 * the object continues in the same direction. */
GST_START_TEST (test_far_unclear)
{
  /* x of two regions in three detections; negative: no region */
  static const gint runs[][3][2] = {
    /* The region of the second detection may belong to either of the two objects. */
    {{100, 180}, {140, -1}, {180, -1}},
    /* Either region of the second detection may be the object. */
    {{140, -1}, {100, 180}, {60, 220}},
    /* Too far */
    {{100, -1}, {260, -1}, {420, -1}},
    /* An object that does not continue in its direction */
    {{100, -1}, {140, -1}, {100, -1}}
  };
  g_autoptr (GstHarness) h = track_new ("interval", 10, NULL);

  for (guint i = 0; i <= 20; i++) {
    GstBuffer *buffer = frame_new (i);
    g_autoptr (GPtrArray) list = NULL;

    for (guint j = 0; j < 2 && i % 10 == 0; j++)
      if (runs[__i__][i / 10][j] >= 0)
        add_region (buffer, "person", runs[__i__][i / 10][j], 100, 0.9);
    list = push (h, buffer);
    for (guint j = 0; j < list->len; j++)
      fail_unless_equals_int64 (((GstMgpuDetection *)
              list->pdata[j])->tracking_id, -1);
  }
  fail_unless_equals_uint64 (get_count (h, "total"), 0);
}

GST_END_TEST;

/* Tests that duplicated and dropped frames, such as videorate makes, do not change ids and counts,
 * at any frame rate. */
GST_START_TEST (test_duplicates)
{
  static const guint frames[] = {
    0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 9, 10, 11, 11, 11, 12,
    14, 16, 18, 20, 22, 24, 24, 25, 26, 26, 30, 30
  };
  g_autoptr (GstHarness) h = track_new ("lines", "l:0.4,1,0.4,0", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (frames); i++) {
    gint64 id = push_person (h, frames[i], 100 + 6 * frames[i], 100);

    fail_unless_equals_int64 (id, i == 0 ? -1 : 1);
  }
  fail_unless_equals_uint64 (get_count (h, "total"), 1);
  fail_unless_equals_uint64 (get_count (h, "l-in") + get_count (h, "l-out"), 1);
}

GST_END_TEST;

/* Tests that after a seek the same frames give the same boxes with new ids. */
GST_START_TEST (test_seek)
{
  g_autoptr (GstHarness) h = track_new (NULL, NULL);
  GstBus *bus = harness_bus (h);

  for (guint round = 0; round < 3; round++) {
    GstSegment segment;

    for (guint i = 0; i < 5; i++)
      fail_unless_equals_int64 (push_person (h, i, 100 + 6 * i, 100),
          i == 0 ? -1 : (gint64) round + 1);
    gst_segment_init (&segment, GST_FORMAT_TIME);
    segment.rate = round == 1 ? -1 : 1;
    segment.stop = GST_SECOND;
    fail_unless (gst_harness_push_event (h, gst_event_new_flush_start ()));
    fail_unless (gst_harness_push_event (h, gst_event_new_flush_stop (TRUE)));
    fail_unless (gst_harness_push_event (h, gst_event_new_segment (&segment)));
  }
  check_events (bus,
      "appeared 1, lost 1, appeared 2, lost 2, appeared 3, lost 3");
}

GST_END_TEST;

/* --- Tags --- */

static void
add_tag (GstBuffer * buffer, guint id, gint x, gdouble confidence)
{
  gst_video_region_of_interest_meta_add_param (add_region (buffer, "tag", x,
          100, confidence), gst_structure_new ("tag", "family", G_TYPE_STRING,
          "tag36h11", "id", G_TYPE_UINT, id, NULL));
}

/* Tests that a region with a tag belongs to the track of the same tag, wherever it is and however
 * low its confidence is; tags that exchange positions keep their ids. */
GST_START_TEST (test_tags)
{
  static const gint places[][2] = {
    {100, 400}, {100, 400}, {400, 100}, {10, 590}, {590, 10}, {100, 110}
  };
  g_autoptr (GstHarness) h = track_new ("high-threshold", 2.0, "interval",
      __i__ == 0 ? 1 : 2, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (places); i++) {
    GstBuffer *buffer = frame_new (i * (__i__ + 1));
    g_autoptr (GPtrArray) list = NULL;

    if (__i__ == 1 && i > 0)
      gst_buffer_unref (gst_harness_push_and_pull (h, frame_new (2 * i - 1)));
    add_tag (buffer, 3, places[i][0], 0.05);
    add_tag (buffer, 4, places[i][1], -1);
    list = push (h, buffer);
    fail_unless_equals_int (list->len, 2);
    for (guint k = 0; k < 2; k++)
      fail_unless_equals_int64 (((GstMgpuDetection *)
              list->pdata[k])->tracking_id, i == 0 ? -1 : (gint64) k + 1);
  }
}

GST_END_TEST;

/* Tests that two copies of a tag are two tracks. A copy that is not detected is predicted, with its
 * name, and another tag at its position has another id. */
GST_START_TEST (test_copies_of_tags)
{
  g_autoptr (GstHarness) h = track_new ("coast", 3, NULL);
  g_autoptr (GstBuffer) out = NULL;
  g_autoptr (GPtrArray) list = NULL;
  GstVideoRegionOfInterestMeta *roi;
  gpointer state = NULL;

  for (guint i = 0; i < 4; i++) {
    GstBuffer *buffer = frame_new (i);

    add_tag (buffer, i < 3 ? 3 : 5, 100, 0.9);
    add_tag (buffer, 3, 400 + 60 * i, 0.9);
    out = gst_harness_push_and_pull (h, buffer);
    if (i < 3)
      gst_clear_buffer (&out);
  }
  list = gst_mgpu_buffer_get_detections (out);
  fail_unless_equals_int (list->len, 3);
  fail_unless_equals_int64 (((GstMgpuDetection *) list->pdata[0])->tracking_id,
      -1);
  fail_unless_equals_int64 (((GstMgpuDetection *) list->pdata[1])->tracking_id,
      2);
  fail_unless_equals_int64 (((GstMgpuDetection *) list->pdata[2])->tracking_id,
      1);
  for (guint i = 0; i < 3; i++)
    roi = (GstVideoRegionOfInterestMeta *) gst_buffer_iterate_meta_filtered
        (out, &state, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE);
  fail_unless_equals_string (gst_structure_get_string
      (gst_video_region_of_interest_meta_get_param (roi, "detection"),
          "label"), "tag36h11:3");
  fail_unless (ABS ((gint) roi->x - 100) < 3);
}

GST_END_TEST;

/* Attaches tag 3 with two poses, which are rotated about y by @angle and by -@angle. */
static void
add_poses (GstBuffer * buffer, gdouble angle, gdouble error)
{
  GstMgpuTag tag = {.family = "tag36h11",.id = 3,.roi_id = 0,.size = 1,
    .n_poses = 2,.corners = {0, 0, 9, 0, 9, 9, 0, 9}
  };

  for (guint i = 0; i < 2; i++) {
    gdouble a = i == 0 ? angle : -angle;
    const gdouble rotation[9] = { cos (a), 0, sin (a), 0, 1, 0, -sin (a), 0,
      cos (a)
    };

    memcpy (tag.poses[i].rotation, rotation, sizeof (rotation));
    tag.poses[i].error = i == 0 ? error : 1;
  }
  gst_buffer_add_mgpu_tag_meta (buffer, &tag, 1, &tag.poses[1]);
}

/* Tests that of two poses that explain the corners equally well, the pose that is nearer to the
 * last one comes first; a pose that explains them clearly better stays first. */
GST_START_TEST (test_poses_of_tags)
{
  /* Angle of the first pose in radians, its error divided by the error of the second pose, and the
   * expected angle */
  static const gdouble frames[][3] = {
    {0.3, 0.9, 0.3}, {0.3, 0.9, 0.3}, {-0.32, 0.95, 0.32}, {-0.34, 0.81, 0.34},
    {0.35, 0.9, 0.35}, {-0.35, 0.5, -0.35}, {0.35, 0.9, -0.35}
  };
  g_autoptr (GstHarness) h = track_new (NULL, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (frames); i++) {
    GstBuffer *buffer = frame_new (i);
    GstMgpuTagMeta *meta;

    add_tag (buffer, 3, 100, 0.9);
    add_poses (buffer, frames[i][0], frames[i][1]);
    buffer = gst_harness_push_and_pull (h, buffer);
    meta = gst_buffer_get_mgpu_tag_meta (buffer);
    fail_unless (meta != NULL && gst_mgpu_tag_meta_get_n_poses (meta, 0) == 2);
    for (guint k = 0; k < 2; k++)
      fail_unless (fabs (gst_mgpu_tag_meta_get_rotation (meta, 0, k)[2]
              - (k == 0 ? 1 : -1) * sin (frames[i][2])) < 1e-6, "frame %u", i);
    fail_unless (gst_mgpu_tag_meta_get_board_rotation (meta)[2]
        == sin (-frames[i][0]));
    gst_buffer_unref (buffer);
  }
}

GST_END_TEST;

CHECK_TESTS (mgputracktime)
{
  tcase_add_test (tc, test_times);
  tcase_add_test (tc, test_lost);
  tcase_add_loop_test (tc, test_far, 0, 2);
  tcase_add_loop_test (tc, test_far_unclear, 0, 4);
  tcase_add_test (tc, test_duplicates);
  tcase_add_test (tc, test_seek);
  tcase_add_loop_test (tc, test_tags, 0, 2);
  tcase_add_test (tc, test_copies_of_tags);
  tcase_add_test (tc, test_poses_of_tags);
}
