/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests the tracks, lines and zones of mgputrack. */
#include "track.h"

#include <math.h>

/* --- Ids --- */

/* Tests that an object gets an id in its second frame and keeps it, and that the region has the
 * other fields of the track. */
GST_START_TEST (test_id)
{
  g_autoptr (GstHarness) h = track_new (NULL, NULL);
  GstVideoRegionOfInterestMeta *roi;
  g_autoptr (GstBuffer) buffer = NULL;
  GstStructure *s;
  guint64 id;
  guint age;
  GstClockTime first_seen;
  gboolean predicted;
  gdouble dx, dy;
  gint object_id;

  fail_unless_equals_int64 (push_person (h, 0, 100, 100), -1);
  for (guint i = 1; i < 20; i++)
    fail_unless_equals_int64 (push_person (h, i, 100 + 5 * i, 100), 1);
  buffer = frame_new (20);
  add_region (buffer, "person", 200, 100, 0.9);
  buffer = gst_harness_push_and_pull (h, buffer);
  roi = gst_buffer_get_video_region_of_interest_meta_id (buffer, 0);
  s = gst_video_region_of_interest_meta_get_param (roi, "tracking");
  fail_unless (gst_structure_get (s, "id", G_TYPE_UINT64, &id, "age",
          G_TYPE_UINT, &age, "first-seen", GST_TYPE_CLOCK_TIME, &first_seen,
          "predicted", G_TYPE_BOOLEAN, &predicted, "dx", G_TYPE_DOUBLE, &dx,
          "dy", G_TYPE_DOUBLE, &dy, NULL));
  fail_unless_equals_int64 (id, 1);
  fail_unless_equals_int (age, 20);
  fail_unless_equals_int64 (first_seen, 0);
  fail_if (predicted);
  fail_unless (dx > 4 && dx < 6);
  fail_unless (dy > -0.1 && dy < 0.1);
  s = gst_video_region_of_interest_meta_get_param (roi, "object_id");
  fail_unless (gst_structure_get_int (s, "id", &object_id));
  fail_unless_equals_int (object_id, 1);
}

GST_END_TEST;

/* Tests that an object that is not detected is predicted for "coast" frames, and gets its id back
 * if it is detected within "max-lost" frames at its expected position. */
GST_START_TEST (test_occlusion)
{
  g_autoptr (GstHarness) h = track_new ("coast", 2, "max-lost", 10, NULL);
  GstBus *bus = harness_bus (h);
  guint i;

  for (i = 0; i < 20; i++)
    push_person (h, i, 100 + 5 * i, 100);
  check_events (bus, "appeared 1");
  for (; i < 22; i++)
    fail_unless_equals_int64 (push_person (h, i, -1, 0), 1);
  for (; i < 30; i++)
    fail_unless_equals_int64 (push_person (h, i, -1, 0), -2);
  fail_unless_equals_int64 (push_person (h, i, 100 + 5 * i, 100), 1);
  check_events (bus, "");

  for (i++; i < 43; i++)
    push_person (h, i, -1, 0);
  check_events (bus, "lost 1");
  fail_unless_equals_int64 (push_person (h, i, 300, 100), -1);
  fail_unless_equals_int64 (push_person (h, i + 1, 300, 100), 2);
  check_events (bus, "appeared 2");
  fail_unless_equals_int64 (get_count (h, "total"), 2);
}

GST_END_TEST;

/* Tests that unless "coast" is set, an object that was detected N times is predicted for N / 8
 * frames, at most 3. With "interval", frames between detections also count. */
GST_START_TEST (test_earned_coast)
{
  static const guint found[] = { 2, 7, 8, 15, 16, 24, 60 };
  static const guint predicted[2][G_N_ELEMENTS (found)] = {
    {0, 0, 1, 1, 2, 3, 3}, {1, 3, 3, 3, 3, 3, 3}
  };
  guint interval = __i__ == 0 ? 1 : 4;

  for (guint k = 0; k < G_N_ELEMENTS (found); k++) {
    g_autoptr (GstHarness) h = track_new ("interval", interval, NULL);
    guint i, n = 0;

    for (i = 0; i < found[k] * interval; i++)
      push_person (h, i, i % interval == 0 ? 100 : -1, 100);
    while (push_person (h, i++, -1, 0) == 1)
      n++;
    fail_unless_equals_int (n, predicted[__i__][k]);
  }
}

GST_END_TEST;

/* Tests that regions that are added for predicted objects have their own region ids. */
GST_START_TEST (test_region_ids)
{
  g_autoptr (GstHarness) h = track_new ("coast", 3, NULL);
  GstVideoRegionOfInterestMeta *roi;

  for (guint i = 0; i < 6; i++) {
    g_autoptr (GstBuffer) buffer = frame_new (i);

    for (gint j = 0; j < (i < 5 ? 3 : 1); j++)
      add_region (buffer, "person", 100 * j, 100, 0.9)->id = 7 + j;
    buffer = gst_harness_push_and_pull (h, buffer);
    for (gint id = 7; id < 10; id++) {
      roi = gst_buffer_get_video_region_of_interest_meta_id (buffer, id);
      fail_unless (roi != NULL, "no region %d in frame %u", id, i);
      fail_unless_equals_int (roi->x, 100 * (id - 7));
    }
  }
}

GST_END_TEST;

/* Tests that a type that is not UTF-8 is kept on regions, and is readable in messages. */
GST_START_TEST (test_bytes)
{
  g_autoptr (GstHarness) h = track_new ("min-frames", 1, NULL);
  GstBus *bus = harness_bus (h);
  GstBuffer *buffer = frame_new (0);
  g_autoptr (GstMessage) message = NULL;
  GPtrArray *list;

  add_region (buffer, "caf\xe9", 100, 100, 0.9);
  list = push (h, buffer);
  fail_unless_equals_string (((GstMgpuDetection *) list->pdata[0])->label,
      "caf\xe9");
  g_ptr_array_unref (list);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ELEMENT);
  fail_unless (message != NULL);
  fail_unless_equals_string (gst_structure_get_string (gst_message_get_structure
          (message), "type"), "caf\357\277\275");
}

GST_END_TEST;

/* Tests that two people who pass each other keep their ids, whatever the order of regions, and that
 * objects of different types are not mixed up. */
GST_START_TEST (test_crossing)
{
  g_autoptr (GstHarness) h = track_new (NULL, NULL);

  for (guint i = 0; i < 40; i++) {
    GstBuffer *buffer = frame_new (i);
    g_autoptr (GPtrArray) list = NULL;

    for (guint j = 0; j < 3; j++)
      switch ((i + j) % 3) {
        case 0:
          add_region (buffer, "person", 100 + 5 * i, 100, 0.9);
          break;
        case 1:
          add_region (buffer, "person", 300 - 5 * i, 110, 0.9);
          break;
        default:
          add_region (buffer, "car", 200, 100, 0.9);
          break;
      }
    list = push (h, buffer);
    fail_unless_equals_int (list->len, 3);
    for (guint j = 0; j < 3 && i > 0; j++) {
      const GstMgpuDetection *d = list->pdata[j];

      fail_unless_equals_int64 (d->tracking_id, d->x == 100 + 5 * (gint) i
          && d->y == 100 && g_str_equal (d->label, "person") ? 1
          : g_str_equal (d->label, "person") ? 2 : 3);
    }
  }
}

GST_END_TEST;

/* Tests that a region of low confidence continues a track but starts none. Regions of types that
 * are not tracked keep the ids that other elements gave them. */
GST_START_TEST (test_confidence)
{
  g_autoptr (GstHarness) h = track_new ("types", "person, dog", NULL);

  for (guint i = 0; i < 10; i++) {
    GstBuffer *buffer = frame_new (i);
    g_autoptr (GPtrArray) list = NULL;

    add_region (buffer, "person", 100, 100, i < 5 ? 0.9 : 0.2);
    add_region (buffer, "person", 300, 100, 0.3);
    add_region (buffer, "person", 500, 100, 0.05);
    gst_video_region_of_interest_meta_add_param (add_region (buffer, "car", 100,
            300, 0.9), gst_structure_new ("tracking", "id", G_TYPE_UINT64,
            G_GUINT64_CONSTANT (77), NULL));
    gst_video_region_of_interest_meta_add_param (add_region (buffer, "dog", 300,
            300, -1), gst_structure_new ("object_id", "id", G_TYPE_INT, 99,
            NULL));
    list = push (h, buffer);
    fail_unless_equals_int (list->len, 5);
    for (guint j = 0; j < 5; j++)
      fail_unless_equals_int64 (((GstMgpuDetection *)
              list->pdata[j])->tracking_id, i == 0 && j != 3 ? -1
          : j == 0 ? 1 : j == 3 ? 77 : j == 4 ? 2 : -1);
  }
}

GST_END_TEST;

/* Tests that a lost object gets its id back from a region of low confidence that overlaps its
 * expected box by half, and not from a region elsewhere. */
GST_START_TEST (test_low_return)
{
  g_autoptr (GstHarness) h = track_new (NULL, NULL);

  for (guint i = 0; i < 20; i++) {
    GstBuffer *buffer = frame_new (i);
    g_autoptr (GPtrArray) list = NULL;
    gint64 id;

    if (i < 5 || i >= 12)
      add_region (buffer, "person", i < 15 ? 100 : 128, 100, i < 5 ? 0.9 : 0.2);
    list = push (h, buffer);
    if (i >= 12 || i < 5) {
      id = ((GstMgpuDetection *) list->pdata[0])->tracking_id;
      fail_unless_equals_int64 (id, i == 0 || i >= 15 ? -1 : 1);
    }
  }
}

GST_END_TEST;

/* Tests that regions are predicted for the frames between those that a detector analyzes. */
GST_START_TEST (test_interval)
{
  g_autoptr (GstHarness) h =
      track_new ("interval", 5, "coast", 0, "max-lost", 5, NULL);
  GstBus *bus = harness_bus (h);

  for (guint i = 0; i < 60; i++) {
    gint64 id = push_person (h, i, i % 5 == 0 ? (gint) (100 + 2 * i) : -1, 100);

    fail_unless_equals_int64 (id, i == 0 ? -1 : i < 5 ? -2 : 1);
  }
  check_events (bus, "appeared 1");
  for (guint i = 60; i < 66; i++)
    fail_unless_equals_int64 (push_person (h, i, -1, 0), -2);
  check_events (bus, "lost 1");
}

GST_END_TEST;

/* Tests that a flush, another frame size and the end of the stream end tracks, while ids continue.
 * After "reset" and READY ids begin with 1. */
GST_START_TEST (test_ends)
{
  g_autoptr (GstHarness) h = track_new (NULL, NULL);
  GstBus *bus = harness_bus (h);
  guint i = 0;

  push_person (h, i++, 100, 100);
  fail_unless_equals_int64 (push_person (h, i++, 100, 100), 1);
  fail_unless (gst_harness_push_event (h, gst_event_new_flush_start ()));
  fail_unless (gst_harness_push_event (h, gst_event_new_flush_stop (TRUE)));
  check_events (bus, "appeared 1, lost 1");
  {
    GstSegment segment;

    gst_segment_init (&segment, GST_FORMAT_TIME);
    fail_unless (gst_harness_push_event (h, gst_event_new_segment (&segment)));
  }
  fail_unless_equals_int64 (push_person (h, i++, 100, 100), -1);
  fail_unless_equals_int64 (push_person (h, i++, 100, 100), 2);
  gst_harness_set_src_caps_str (h, "video/x-raw,format=RGB,width=640,"
      "height=480,framerate=25/1");
  fail_unless_equals_int64 (push_person (h, i++, 100, 100), 2);
  check_events (bus, "appeared 2");
  gst_harness_set_src_caps_str (h, "video/x-raw,format=RGB,width=320,"
      "height=240,framerate=25/1");
  fail_unless_equals_int64 (push_person (h, i++, 100, 100), -1);
  fail_unless_equals_int64 (push_person (h, i++, 100, 100), 3);
  check_events (bus, "lost 2, appeared 3");

  g_object_set (h->element, "enabled", FALSE, NULL);
  fail_unless_equals_int64 (push_person (h, i++, 100, 100), -1);
  g_object_set (h->element, "enabled", TRUE, NULL);
  push_person (h, i++, 100, 100);
  fail_unless_equals_int64 (push_person (h, i++, 100, 100), 4);
  check_events (bus, "lost 3, appeared 4");

  g_signal_emit_by_name (h->element, "reset");
  push_person (h, i++, 100, 100);
  check_events (bus, "lost 4");
  fail_unless_equals_int64 (push_person (h, i++, 100, 100), 1);
  fail_unless_equals_int64 (get_count (h, "total"), 1);
  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
  check_events (bus, "appeared 1, lost 1");
}

GST_END_TEST;

/* Tests that objects are expected at the positions to which the motion of the camera, corrected or
 * not, moves them, and that tracks end at a scene cut. */
GST_START_TEST (test_camera)
{
  /* The camera turns to the left by 60 pixels per frame, and moves closer. */
  static const gdouble motion[9] = { 1.1, 0, 60, 0, 1.1, 0, 0, 0, 1 };
  /* Tests frames without a correction, frames that are moved by a correction, and an element that
   * ignores the motion meta. */
  gint mode = __i__;
  g_autoptr (GstHarness) h = track_new ("camera-motion", mode != 2, NULL);
  gdouble x = 20, y = 20, w = 40, height = 80;

  for (guint i = 0; i < 9; i++) {
    gdouble correction[9] = { 1, 0, mode == 1 && i % 2 ? 100 : 0, 0, 1, 0, 0, 0,
      1
    };
    GstBuffer *buffer = frame_new (i);
    gdouble left = x + correction[2];
    GPtrArray *list;
    gboolean is_cut = i == 8;

    /* Scales the homography by any factor, also a negative one. */
    for (guint j = 0; j < 9; j++)
      correction[j] *= i % 2 ? -3 : 2;
    gst_buffer_add_mgpu_motion_meta (buffer, i > 0 ? motion : NULL, correction,
        is_cut ? GST_MGPU_MOTION_STATE_CUT : GST_MGPU_MOTION_STATE_MEASURED, 0);
    gst_buffer_add_video_region_of_interest_meta (buffer, "person",
        (guint) (left + 0.5), (guint) (y + 0.5), (guint) (w + 0.5),
        (guint) (height + 0.5));
    list = push (h, buffer);
    fail_unless_equals_int (list->len, 1);
    fail_unless_equals_int64 (((GstMgpuDetection *)
            list->pdata[0])->tracking_id, mode == 2 || i == 0
        || is_cut ? -1 : 1);
    g_ptr_array_unref (list);
    x = 1.1 * x + 60;
    y *= 1.1;
    w *= 1.1;
    height *= 1.1;
  }
}

GST_END_TEST;

/* Tests that invalid motions in the motion meta change nothing. */
GST_START_TEST (test_bad_motion)
{
  static const gdouble motions[][9] = {
    {0}, {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN},
    {-1, 0, 0, 0, 1, 0, 0, 0, 1}, {1, 0, 0, 0, 1, 0, -1, -1, 1},
    {INFINITY, 0, 0, 0, 1, 0, 0, 0, 1}, {1, 0, 0, 0, 1, 0, 0, 0, 0}
  };
  g_autoptr (GstHarness) h = track_new (NULL, NULL);

  for (guint i = 0; i < 12; i++) {
    GstBuffer *buffer = frame_new (i);
    g_autoptr (GPtrArray) list = NULL;

    gst_buffer_add_mgpu_motion_meta (buffer, motions[i % 6], NULL,
        GST_MGPU_MOTION_STATE_MEASURED, 0);
    add_region (buffer, "person", 100, 100, 0.9);
    list = push (h, buffer);
    fail_unless_equals_int64 (((GstMgpuDetection *)
            list->pdata[0])->tracking_id, i == 0 ? -1 : 1);
  }
}

GST_END_TEST;

/* Tests that frames in foreign memory and of unknown caps features pass unchanged, without a
 * copy. */
GST_START_TEST (test_passes)
{
  g_autoptr (GstHarness) h = track_new (NULL, NULL);
  GstBuffer *in = gst_buffer_new_allocate (NULL, 640 * 480, NULL), *out;
  GstMemory *memory = gst_buffer_peek_memory (in, 0);
  g_autoptr (GPtrArray) list = NULL;

  gst_harness_set_src_caps_str (h, "video/x-raw(memory:Anything),"
      "format=NONSENSE,width=640,height=480,framerate=25/1");
  add_region (in, "person", 100, 100, 0.9);
  /* Keeps another reference, so that the buffer is not writable. */
  gst_buffer_ref (in);
  out = gst_harness_push_and_pull (h, in);
  fail_unless (gst_buffer_peek_memory (out, 0) == memory);
  gst_buffer_unref (out);
  out = gst_harness_push_and_pull (h, gst_buffer_ref (in));
  list = gst_mgpu_buffer_get_detections (out);
  fail_unless_equals_int64 (((GstMgpuDetection *) list->pdata[0])->tracking_id,
      1);
  g_ptr_array_unref (list);
  gst_buffer_unref (out);
  /* Checks that the buffer to which another owner holds a reference has no id. */
  list = gst_mgpu_buffer_get_detections (in);
  fail_unless_equals_int64 (((GstMgpuDetection *) list->pdata[0])->tracking_id,
      -1);
  gst_buffer_unref (in);
}

GST_END_TEST;

/* Tests that invalid regions cause no harm, whether they get an id or not. */
GST_START_TEST (test_bad_regions)
{
  static const gint boxes[][4] = {
    {-50, -50, 40, 80}, {5000, 5000, 40, 80}, {G_MININT, G_MININT, 1, 1},
    {G_MAXINT, G_MAXINT, G_MAXINT, G_MAXINT}, {0, 0, -1, -1}, {10, 10, 0, 10},
    {10, 10, 10, 0}, {G_MININT, 0, G_MAXINT, G_MAXINT}
  };
  static const gdouble confidences[] = { 0, NAN, INFINITY, -INFINITY, 1e300 };
  g_autoptr (GstHarness) h =
      track_new ("lines", "a:0,0,1,1", "coast", 1000, NULL);
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);

  for (guint i = 0; i < 50; i++) {
    GstBuffer *buffer = frame_new (i);
    g_autoptr (GPtrArray) list = NULL;

    for (guint j = 0; j < G_N_ELEMENTS (boxes); j++)
      for (guint k = 0; k < G_N_ELEMENTS (confidences); k++)
        gst_video_region_of_interest_meta_add_param
            (gst_buffer_add_video_region_of_interest_meta (buffer, "person",
                boxes[j][0], boxes[j][1], boxes[j][2], boxes[j][3]),
            gst_structure_new ("detection", "confidence", G_TYPE_DOUBLE,
                confidences[k], NULL));
    gst_buffer_add_video_region_of_interest_meta_id (buffer, 0, 10, 10, 20, 20);
    add_region (buffer, "person", g_rand_int (rand), g_rand_int (rand), 0.9);
    list = push (h, buffer);
    for (guint j = 0; j < list->len; j++) {
      const GstMgpuDetection *d = list->pdata[j];

      if (d->width <= 0 || d->height <= 0)
        fail_unless_equals_int64 (d->tracking_id, -1);
    }
  }
}

GST_END_TEST;

/* Tests that thousands of regions, apart or overlapping, are processed within the time limit of a
 * test. */
GST_START_TEST (test_many_regions)
{
  g_autoptr (GstHarness) h = track_new (NULL, NULL);

  for (guint i = 0; i < 6; i++) {
    GstBuffer *buffer = frame_new (i);

    for (guint j = 0; j < 3000; j++)
      add_region (buffer, "person", i < 3 ? j % 600 : 50 * (j % 60),
          i < 3 ? j / 600 : 90 * (j / 60), 0.9);
    g_ptr_array_unref (push (h, buffer));
  }
  fail_unless (get_count (h, "total") > 4000 && get_count (h, "total") <= 4096);
}

GST_END_TEST;

/* Pushes a frame with a region of @w x @h pixels at each of @n positions. Returns: the
 * detections */
static GPtrArray *
push_boxes (GstHarness * h, guint i, const gint (*at)[2], guint n, guint width,
    guint height)
{
  GstBuffer *buffer = frame_new (i);

  for (guint j = 0; j < n; j++)
    gst_buffer_add_video_region_of_interest_meta (buffer, "person", at[j][0],
        at[j][1], width, height);
  return push (h, buffer);
}

static gint64
get_id (const GPtrArray * list, guint i)
{
  return ((const GstMgpuDetection *) list->pdata[i])->tracking_id;
}

/* Tests that of more than 64 regions that overlap a track only the 64 horizontally nearest are
 * considered: a better region farther away is not. */
GST_START_TEST (test_crowd)
{
  const guint n = __i__ ? 65 : 64;
  g_autoptr (GstHarness) h = track_new ("min-frames", 1, NULL);
  gint at[65][2];
  g_autoptr (GPtrArray) list = NULL;

  at[0][0] = at[0][1] = 100;
  list = push_boxes (h, 0, at, 1, 200, 200);
  fail_unless_equals_int64 (get_id (list, 0), 1);
  g_ptr_array_unref (list);
  /* These regions overlap the track's box by about a third, the last one by nine tenths. */
  for (guint j = 0; j < n; j++) {
    at[j][0] = 100;
    at[j][1] = 190 + j % 7;
  }
  at[n - 1][0] = 108;
  at[n - 1][1] = 100;
  list = push_boxes (h, 1, at, n, 200, 200);
  fail_unless_equals_int (get_id (list, n - 1) == 1, n == 64);
  fail_unless_equals_uint64 (get_count (h, "total"), n);
}

GST_END_TEST;

/* Tests that thousands of regions at one position all get ids. Two nearby objects elsewhere keep
 * their ids, because the assignment with the best sum is chosen. */
GST_START_TEST (test_upon_each_other)
{
  static const gint pair[][2][2] = { {{0, 0}, {50, 0}}, {{-30, 0}, {20, 0}} };
  const guint n = 1000;
  g_autoptr (GstHarness) h = track_new (NULL, NULL);

  for (guint i = 0; i < 4; i++) {
    gint (*at)[2] = g_malloc ((n + 2) * sizeof (pair[0][0]));
    g_autoptr (GPtrArray) list = NULL;

    for (guint j = 0; j < n; j++) {
      at[j][0] = 300;
      at[j][1] = 200;
    }
    memcpy (at[n], pair[i == 3], sizeof (pair[0]));
    list = push_boxes (h, i, at, n + 2, 100, 100);
    for (guint j = 0; j < n + 2 && i > 0; j++)
      fail_unless_equals_int64 (get_id (list, j), j + 1);
    g_free (at);
  }
  fail_unless_equals_uint64 (get_count (h, "total"), n + 2);
}

GST_END_TEST;

/* --- Lines and zones --- */

/* The middle of the object's lower edge is at (x + 20, y + 80). */
GST_START_TEST (test_line)
{
  /* A counting line from left to right at y = 240, from x = 160 to x = 480 */
  g_autoptr (GstHarness) h =
      track_new ("lines", " door : 0.25, 0.5, 0.75, 0.5 ;", "post-messages",
      TRUE, NULL);
  GstBus *bus = harness_bus (h);
  guint i = 0;

  for (gint y = 100; y < 220; y += 4)
    push_person (h, i++, 300, y);
  check_events (bus, "appeared 1, crossed 1 door in 1:0");
  for (gint y = 220; y > 100; y -= 4)
    push_person (h, i++, 300, y);
  check_events (bus, "crossed 1 door out 1:1");
  /* A single frame on the other side of the line does not count as a crossing. */
  for (gint y = 100; y < 160; y += 4)
    push_person (h, i++, 300, y);
  push_person (h, i++, 300, 164);
  push_person (h, i++, 300, 155);
  check_events (bus, "");
  /* Walks past the end of the line, and back across it. */
  for (gint x = 300; x > 20; x -= 8)
    push_person (h, i++, x, 140);
  for (gint y = 140; y < 220; y += 4)
    push_person (h, i++, 20, y);
  for (gint x = 20; x < 300; x += 8)
    push_person (h, i++, x, 220);
  check_events (bus, "");
  for (gint y = 220; y > 100; y -= 4)
    push_person (h, i++, 300, y);
  check_events (bus, "crossed 1 door out 1:2");
  fail_unless_equals_int64 (get_count (h, "door-in"), 1);
  fail_unless_equals_int64 (get_count (h, "door-out"), 2);
}

GST_END_TEST;

GST_START_TEST (test_zone)
{
  /* A zone: the left half of the frame, without its lower part */
  g_autoptr (GstHarness) h = track_new ("zones", "left:0,0,0.5,0,0.5,0.8,0,0.8",
      "anchor", 1, "max-lost", 5, "side-frames", 3, NULL);
  GstBus *bus = harness_bus (h);
  guint i = 0;

  for (gint x = 500; x > 200; x -= 5)
    push_person (h, i++, x, 100);
  check_events (bus, "appeared 1, entered 1 left 1:0");
  fail_unless_equals_int64 (get_count (h, "left-inside"), 1);
  for (gint y = 100; y < 390; y += 5)
    push_person (h, i++, 200, y);
  check_events (bus, "left 1 left 1:1");
  for (gint y = 390; y > 100; y -= 5)
    push_person (h, i++, 200, y);
  check_events (bus, "entered 1 left 2:1");
  /* An object that is lost inside of the zone has left the zone. */
  for (guint j = 0; j < 6; j++)
    push_person (h, i++, -1, 0);
  check_events (bus, "left 1 left 2:2, lost 1");
  fail_unless_equals_int64 (get_count (h, "left-inside"), 0);

  /* New zones count from zero. */
  g_object_set (h->element, "zones", "all:0,0,1,0,1,1,0,1", NULL);
  for (guint j = 0; j < 4; j++)
    push_person (h, i++, 200, 100);
  check_events (bus, "appeared 2, entered 2 all 1:0");
  g_object_set (h->element, "post-messages", FALSE, NULL);
  g_signal_emit_by_name (h->element, "reset");
  push_person (h, i++, 200, 100);
  check_events (bus, "");
  fail_unless_equals_int64 (get_count (h, "all-in"), 0);
}

GST_END_TEST;

/* Tests a circular zone with a radius of 96 pixels around (320, 240). The time that an object stays
 * in it is reported after a second, and when the object leaves. */
GST_START_TEST (test_dwell)
{
  g_autoptr (GstHarness) h = track_new ("circles", "table:0.5,0.5,0.2",
      "anchor", 1, "side-frames", 1, "dwell-time", 1.0, NULL);
  GstBus *bus = harness_bus (h);
  guint64 dwell, most = 0, inside = 9;
  guint i = 0, n_stayed = 0;
  GstMessage *message;
  gdouble dx;

  for (gint x = 100; x < 540; x += 4) {
    GstBuffer *buffer = frame_new (i++);
    GstVideoRegionOfInterestMeta *roi;
    const GstStructure *zones;

    add_region (buffer, "person", x, 200, 0.9);
    buffer = gst_harness_push_and_pull (h, buffer);
    roi = gst_buffer_get_video_region_of_interest_meta_id (buffer, 0);
    zones = gst_video_region_of_interest_meta_get_param (roi, "zones");
    /* The middle of the object is at (x + 20, 240). */
    fail_unless_equals_int (zones != NULL, ABS (x + 20 - 320) <= 96);
    if (zones != NULL) {
      fail_unless (gst_structure_get_clock_time (zones, "table", &dwell));
      fail_unless (dwell == 0 || dwell > most);
      most = dwell;
    }
    gst_buffer_unref (buffer);
  }
  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_ELEMENT)) != NULL) {
    const GstStructure *s = gst_message_get_structure (message);
    const gchar *event = gst_structure_get_string (s, "event");

    if (g_strcmp0 (event, "stayed") == 0) {
      fail_unless (gst_structure_get_uint64 (s, "dwell", &dwell));
      fail_unless (dwell >= GST_SECOND && dwell < 1.1 * GST_SECOND);
      fail_unless (gst_structure_get_double (s, "dx", &dx));
      fail_unless (ABS (dx - 4) < 0.5, "%f", dx);
      n_stayed++;
    } else if (g_strcmp0 (event, "left") == 0) {
      fail_unless (gst_structure_get_uint64 (s, "dwell", &dwell));
      fail_unless (gst_structure_get_uint64 (s, "inside", &inside));
      fail_unless (dwell > most, "%" G_GUINT64_FORMAT, dwell);
    }
    gst_message_unref (message);
  }
  fail_unless_equals_int (n_stayed, 1);
  fail_unless_equals_uint64 (inside, 0);
  fail_unless_equals_int64 (get_count (h, "table-in"), 1);
}

GST_END_TEST;

/* Tests that texts of lines and zones that cannot be parsed cause errors that name element,
 * property and remedy. */
GST_START_TEST (test_bad_places)
{
  static const struct
  {
    const gchar *property, *text, *word;
  } bad[] = {
    {"lines", "0,0,1,1", "no colon"},
    {"lines", "door:0,0,1", "four numbers"},
    {"lines", "door:0,0,1,1,1,1", "four numbers"},
    {"lines", "door:0,0,1,x", "not a number"},
    {"lines", "door:0,0,,1", "not a number"},
    {"lines", "door:0,0,640,480", "not in pixels"},
    {"lines", "door:0,0,nan,1", "outside 0 to 1"},
    {"lines", "door:0.5,0.5,0.5,0.5", "ends where it begins"},
    {"lines", "door:0,0,1,1;door:0,0,1,0", "the same name"},
    {"lines", "1door:0,0,1,1", "no valid name"},
    {"lines", ":0,0,1,1", "no valid name"},
    {"zones", "a:0,0,1,1,1,0;a:0,0,1,1,1,0", "the same name"},
    {"zones", "yard:0,0,1,1", "six numbers"},
    {"zones", "yard:0,0,1,1,1,0,1", "six numbers"},
    {"circles", "table:0,0", "three numbers"},
    {"circles", "table:0,0,0", "above 0"},
    {"circles", "table:0,0,2", "outside 0 to 1"}
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad) * 2; i++) {
    g_autoptr (GstElement) element =
        gst_element_factory_make ("mgputrack", "f");
    g_autoptr (GstHarness) h = NULL;
    GstBus *bus;

    if (i % 2 == 0) {
      g_object_set (element, bad[i / 2].property, bad[i / 2].text, NULL);
      check_no_start (element, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
          bad[i / 2].word, bad[i / 2].property);
      continue;
    }
    /* Sets the same texts in PLAYING. */
    h = gst_harness_new_with_element (element, "sink", "src");
    gst_harness_set_src_caps_str (h, CAPS);
    bus = harness_bus (h);
    g_object_set (element, bad[i / 2].property, bad[i / 2].text, NULL);
    fail_unless_equals_int (gst_harness_push (h, frame_new (0)),
        GST_FLOW_ERROR);
    check_code (bus, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        bad[i / 2].word, bad[i / 2].property);
  }
}

GST_END_TEST;

CHECK_TESTS (mgputrack)
{
  tcase_add_test (tc, test_id);
  tcase_add_test (tc, test_occlusion);
  tcase_add_loop_test (tc, test_earned_coast, 0, 2);
  tcase_add_test (tc, test_region_ids);
  tcase_add_test (tc, test_bytes);
  tcase_add_test (tc, test_crossing);
  tcase_add_test (tc, test_confidence);
  tcase_add_test (tc, test_low_return);
  tcase_add_test (tc, test_interval);
  tcase_add_test (tc, test_ends);
  tcase_add_loop_test (tc, test_camera, 0, 3);
  tcase_add_test (tc, test_bad_motion);
  tcase_add_test (tc, test_passes);
  tcase_add_test (tc, test_bad_regions);
  tcase_add_test (tc, test_many_regions);
  tcase_add_loop_test (tc, test_crowd, 0, 2);
  tcase_add_test (tc, test_upon_each_other);
  tcase_add_test (tc, test_line);
  tcase_add_test (tc, test_zone);
  tcase_add_test (tc, test_dwell);
  tcase_add_test (tc, test_bad_places);
}
