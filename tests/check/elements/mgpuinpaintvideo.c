/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests mgpuinpaint with mode=video: objects that pass behind a mask, cuts, seeks, moving masks,
 * and its messages. kernelcheck compares the bytes with a reference. */
#include "inpaint.h"

#include <math.h>

#define WIDTH 160
#define HEIGHT 96
#define SIZE (WIDTH * HEIGHT)

/* Hole, the same in all frames */
#define HOLE_X 76
#define HOLE_WIDTH 12
#define HOLE "76,0,12,96"

#define N_FRAMES 48

/* Scenes: two textured objects that pass each other (THINGS), an object that is there in the first
 * frame and leaves (LEAVES), a static scene (STILL), and another scene (OTHER) */
typedef enum
{
  THINGS,
  LEAVES,
  STILL,
  OTHER
} Scene;

static gint
get_level (Scene scene, gint frame, gint x, gint y)
{
  static const gint things[][3] =
      { {-30, 14, 24}, {170, 30, -20}, {30, 14, 24} };
  gint first = scene == LEAVES ? 2 : 0;
  gint end = scene == THINGS ? 2 : scene == LEAVES ? 3 : 0;
  gint level = scene == OTHER ? 220 - (x * 3 + y * 5) % 50
      : 80 + (x * 7 + y * 3 + x * y / 16) % 40;

  for (gint i = first; i < end; i++) {
    gint u = x - things[i][0] - things[i][2] * frame / 8, v = y - things[i][1];

    if (u >= 0 && u < 26 && v >= 0 && v < 56)
      level = 150 + 60 * (i % 2) + (u / 4 * 13 + v / 4 * 7) % 40;
  }
  return level;
}

static GstBuffer *
paint (Scene scene, gint frame)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, SIZE * 3 / 2, NULL);
  GstMapInfo map;

  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  memset (map.data, 128, map.size);
  for (gint y = 0; y < HEIGHT; y++)
    for (gint x = 0; x < WIDTH; x++)
      map.data[y * WIDTH + x] = get_level (scene, frame, x, y);
  gst_buffer_unmap (buffer, &map);
  GST_BUFFER_PTS (buffer) = frame * 40 * GST_MSECOND;
  GST_BUFFER_DURATION (buffer) = 40 * GST_MSECOND;
  return buffer;
}

static GstHarness *
start (const gchar * properties)
{
  g_autofree gchar *line = g_strconcat ("mgpuinpaint name=f mode=video ",
      properties, NULL);

  return harness_new (line, HOST_CAPS ("I420", 160, 96), HOST_CAPS ("I420",
          160, 96));
}

static void
push (GstHarness * h, GstBuffer * buffer)
{
  fail_unless_equals_int (gst_harness_push (h, buffer), GST_FLOW_OK);
}

/* Compares a frame with the expected frame @want (transfer full). */
static void
fail_unless_same (GstBuffer * got, GstBuffer * want, gint frame)
{
  GstMapInfo a, b;

  fail_unless (gst_buffer_map (got, &a, GST_MAP_READ));
  fail_unless (gst_buffer_map (want, &b, GST_MAP_READ));
  fail_unless (a.size == b.size && memcmp (a.data, b.data, a.size) == 0,
      "frame %d", frame);
  gst_buffer_unmap (got, &a);
  gst_buffer_unmap (want, &b);
  gst_buffer_unref (want);
}

/* Fills @n frames of a scene, beginning at frame @first. Returns: (transfer full): the output
 * frames */
static GPtrArray *
fill (const gchar * properties, Scene scene, gint n)
{
  GPtrArray *frames =
      g_ptr_array_new_with_free_func ((GDestroyNotify) gst_buffer_unref);
  g_autoptr (GstHarness) h = start (properties);
  GstBuffer *out;

  for (gint i = 0; i < n; i++)
    push (h, paint (scene, i));
  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
  while ((out = gst_harness_try_pull (h)) != NULL)
    g_ptr_array_add (frames, out);
  fail_unless_equals_int (frames->len, n);
  return frames;
}

static const gchar *const ways[] = {
  "rectangle=" HOLE, "rectangle=" HOLE " look-ahead=5"
};

/* Returns: the PSNR in the hole, over the frames in which an object is behind it */
static gdouble
measure (GPtrArray * frames)
{
  gdouble sum = 0;
  gint n = 0;

  for (gint i = 12; i < N_FRAMES; i++) {
    GstMapInfo map;

    fail_unless (gst_buffer_map (frames->pdata[i], &map, GST_MAP_READ));
    for (gint y = 0; y < HEIGHT; y++)
      for (gint x = 0; x < WIDTH; x++) {
        gint d = map.data[y * WIDTH + x] - get_level (THINGS, i, x, y);

        if (x < HOLE_X || x >= HOLE_X + HOLE_WIDTH) {
          fail_unless_equals_int (d, 0);
          continue;
        }
        sum += d * d;
        n++;
      }
    gst_buffer_unmap (frames->pdata[i], &map);
  }
  return 10 * log10 (65025.0 * n / MAX (sum, 1));
}

/* Tests that objects that pass behind the hole are filled better than without other frames. */
GST_START_TEST (test_truth)
{
  g_autoptr (GPtrArray) video = fill (ways[__i__], THINGS, N_FRAMES);
  g_autoptr (GPtrArray) exact = fill ("rectangle=" HOLE
      " mode=exact method=directional", THINGS, N_FRAMES);
  gdouble ours = measure (video), without = measure (exact);

  g_print ("%s: %.1f dB, method=directional %.1f dB\n", ways[__i__], ours,
      without);
  fail_unless (ours >= without + 1);
}

GST_END_TEST;

/* Tests that two runs give the same bytes. */
GST_START_TEST (test_twice)
{
  g_autoptr (GPtrArray) first = fill (ways[__i__], THINGS, N_FRAMES);
  g_autoptr (GPtrArray) second = fill (ways[__i__], THINGS, N_FRAMES);

  for (gint i = 0; i < N_FRAMES; i++)
    fail_unless_same (first->pdata[i], gst_buffer_ref (second->pdata[i]), i);
}

GST_END_TEST;

/* Tests that nothing changes in a static scene. */
GST_START_TEST (test_still)
{
  g_autoptr (GPtrArray) frames = fill (ways[__i__], STILL, 40);

  for (gint i = 1; i < 40; i++)
    fail_unless_same (frames->pdata[i], gst_buffer_ref (frames->pdata[0]), i);
}

GST_END_TEST;

/* Tests that after a cut, a flush, a new segment or a gap, frames are filled as at the start of a
 * stream. */
GST_START_TEST (test_start)
{
  const guint how = __i__ / G_N_ELEMENTS (ways);
  const gchar *properties = ways[__i__ % G_N_ELEMENTS (ways)];
  Scene scene = how == 0 ? OTHER : THINGS;
  g_autoptr (GPtrArray) fresh = fill (properties, scene, 20);
  g_autoptr (GstHarness) h = start (properties);
  gint n = how == 1 ? 0 : 22;
  GstSegment segment;
  GstBuffer *out;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  for (gint i = 0; i < 22; i++)
    push (h, paint (THINGS, i + 10));
  if (how == 1) {
    while ((out = gst_harness_try_pull (h)) != NULL)
      gst_buffer_unref (out);
    fail_unless (gst_harness_push_event (h, gst_event_new_flush_start ()));
    fail_unless (gst_harness_push_event (h, gst_event_new_flush_stop (TRUE)));
  }
  if (how == 1 || how == 2)
    fail_unless (gst_harness_push_event (h, gst_event_new_segment (&segment)));
  for (gint i = 0; i < 20; i++) {
    GstBuffer *in = paint (scene, i);

    if (how == 3 && i == 0)
      GST_BUFFER_FLAG_SET (in, GST_BUFFER_FLAG_DISCONT);
    push (h, in);
  }
  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
  for (gint i = 0; (out = gst_harness_try_pull (h)) != NULL; i++)
    if (i < n)
      gst_buffer_unref (out);
    else
      fail_unless_same (fresh->pdata[i - n], out, i - n);
}

GST_END_TEST;

/* Returns the number of pixels of @buffer (transfer full) that differ from frame @frame of @scene. */
static gint
count_wrong (GstBuffer * buffer, Scene scene, gint frame)
{
  GstMapInfo map;
  gint wrong = 0;

  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_READ));
  for (gint y = 0; y < HEIGHT; y++)
    for (gint x = 0; x < WIDTH; x++)
      wrong += map.data[y * WIDTH + x] != get_level (scene, frame, x, y);
  gst_buffer_unmap (buffer, &map);
  gst_buffer_unref (buffer);
  return wrong;
}

/* First frame that has a region, and its first column */
#define FIRST 10
#define REGION_X(frame) (10 + 3 * ((frame) - FIRST))

/* Tests moving regions of interest as a mask: the mask shows what was visible at a position
 * before. */
GST_START_TEST (test_moves)
{
  g_autoptr (GstHarness) h = start (__i__ == 0 ? "mask-source=roi"
      : "mask-source=roi look-ahead=3");
  g_autoptr (GstElement) f = harness_filter (h);
  GstBuffer *out;

  for (gint i = 0; i < 30; i++) {
    GstBuffer *in = paint (STILL, i);

    if (i >= FIRST)
      gst_buffer_add_video_region_of_interest_meta (in, "person", REGION_X (i),
          20, 20, 50);
    push (h, in);
  }
  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
  for (gint i = 0; (out = gst_harness_try_pull (h)) != NULL; i++)
    fail_unless_equals_int (count_wrong (out, STILL, i), 0);
  fail_unless (get_stat (f, "background-pixels") >= (30 - FIRST) * 20 * 50);
}

GST_END_TEST;

/* Tests a region of interest that covers, from frame 20 on, the position that the object has left.
 * The background there was visible for 10 frames, fewer than required to count as static over the
 * whole lag. The output still shows it. */
GST_START_TEST (test_left)
{
  g_autoptr (GstHarness) h = start (__i__ == 0 ? "mask-source=roi"
      : "mask-source=roi look-ahead=3");
  GstBuffer *out;

  for (gint i = 0; i < 32; i++) {
    GstBuffer *in = paint (LEAVES, i);

    if (i >= 20)
      gst_buffer_add_video_region_of_interest_meta (in, "person", 26, 10, 34,
          64);
    push (h, in);
  }
  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
  for (gint i = 0; (out = gst_harness_try_pull (h)) != NULL; i++) {
    gint wrong = count_wrong (out, LEAVES, i);

    fail_unless (i < 24 || wrong == 0, "frame %d: %d wrong", i, wrong);
  }
}

GST_END_TEST;

/* Tests that the pixel counts of the statistics add up to the number of hidden pixels of all
 * frames. */
GST_START_TEST (test_stats)
{
  g_autoptr (GstHarness) h = start ("rectangle=" HOLE);
  g_autoptr (GstElement) f = harness_filter (h);
  guint64 video, spatial, background;

  for (gint i = 0; i < N_FRAMES; i++)
    gst_buffer_unref (harness_push_pull (h, paint (THINGS, i)));
  video = get_stat (f, "video-pixels");
  spatial = get_stat (f, "spatial-pixels");
  background = get_stat (f, "background-pixels");
  g_print ("%" G_GUINT64_FORMAT " of other frames, %" G_GUINT64_FORMAT
      " along lines, %" G_GUINT64_FORMAT " of the background\n", video, spatial,
      background);
  fail_unless (video > 0 && spatial > 0 && background > 0);
  fail_unless_equals_uint64 (video + spatial + background,
      N_FRAMES * HOLE_WIDTH * HEIGHT);
  fail_unless_equals_uint64 (get_stat (f, "patch-pixels")
      + get_stat (f, "surface-pixels"), 0);
  /* Checks that new caps keep the counts, and that a restart resets them. */
  gst_harness_set_caps_str (h, HOST_CAPS ("GRAY8", 160, 96),
      HOST_CAPS ("GRAY8", 160, 96));
  gst_buffer_unref (harness_push_pull (h, gst_buffer_new_allocate (NULL, SIZE,
              NULL)));
  fail_unless_equals_uint64 (get_stat (f, "video-pixels")
      + get_stat (f, "spatial-pixels") + get_stat (f, "background-pixels"),
      (N_FRAMES + 1) * HOLE_WIDTH * HEIGHT);
}

GST_END_TEST;

/* Tests other modes before and after mode=video, and frames without a mask, in one stream. */
GST_START_TEST (test_changes)
{
  g_autoptr (GstHarness) h = start (ways[__i__]);
  g_autoptr (GstElement) f = harness_filter (h);
  gint n = 0;
  GstBuffer *out;

  for (gint i = 0; i < 40; i++) {
    if (i % 10 == 3)
      gst_util_set_object_arg (G_OBJECT (f), "mode", "exact");
    if (i % 10 == 6)
      gst_util_set_object_arg (G_OBJECT (f), "mode", "video");
    if (i == 17)
      g_object_set (f, "rectangle", "20,20,30,30", NULL);
    if (i == 28)
      g_object_set (f, "rectangle", NULL, NULL);
    if (i == 33)
      g_object_set (f, "rectangle", "0,0,160,96", NULL);
    if (i == 36)
      g_object_set (f, "rectangle", "10,0,4,96", "enabled", i % 2, NULL);
    if (i == 38)
      g_object_set (f, "enabled", TRUE, NULL);
    push (h, paint (THINGS, i));
  }
  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
  for (; (out = gst_harness_try_pull (h)) != NULL; n++) {
    fail_unless_equals_uint64 (GST_BUFFER_PTS (out), n * 40 * GST_MSECOND);
    gst_buffer_unref (out);
  }
  fail_unless_equals_int (n, 40);
}

GST_END_TEST;

/* Tests that background=true with mode=temporal posts one message, which recommends mode=video. */
GST_START_TEST (test_hint)
{
  g_autoptr (GstHarness) h =
      start ("mode=temporal background=true rectangle=" HOLE);
  g_autoptr (GstElement) f = harness_filter (h);
  g_autoptr (GstBus) bus = gst_bus_new ();
  GstMessage *message;
  guint n = 0;

  gst_element_set_bus (f, bus);
  for (gint i = 0; i < 3; i++)
    gst_buffer_unref (harness_push_pull (h, paint (THINGS, i)));
  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_INFO)) != NULL) {
    g_autoptr (GError) error = NULL;

    gst_message_parse_info (message, &error, NULL);
    n += strstr (error->message, "mode=video") != NULL;
    gst_message_unref (message);
  }
  fail_unless_equals_int (n, 1);
  gst_element_set_bus (f, NULL);
}

GST_END_TEST;

CHECK_TESTS (mgpuinpaintvideo)
{
  tcase_set_timeout (tc, 120);
  tcase_add_loop_test (tc, test_truth, 0, G_N_ELEMENTS (ways));
  tcase_add_loop_test (tc, test_twice, 0, G_N_ELEMENTS (ways));
  tcase_add_loop_test (tc, test_still, 0, G_N_ELEMENTS (ways));
  tcase_add_loop_test (tc, test_start, 0, 4 * G_N_ELEMENTS (ways));
  tcase_add_loop_test (tc, test_moves, 0, 2);
  tcase_add_loop_test (tc, test_left, 0, 2);
  tcase_add_test (tc, test_stats);
  tcase_add_loop_test (tc, test_changes, 0, G_N_ELEMENTS (ways));
  tcase_add_test (tc, test_hint);
}
