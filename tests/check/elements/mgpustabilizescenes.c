/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests mgpustabilize with frames of little contrast, and with scenes that are interrupted. */
#include "stabilize.h"

/* Returns: @buffer (transfer full) with a twentieth of its contrast */
static GstBuffer *
fade (GstBuffer * buffer)
{
  GstMapInfo map;

  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_READWRITE));
  for (gsize i = 0; i < map.size; i++)
    map.data[i] = 40 + map.data[i] / 20;
  gst_buffer_unmap (buffer, &map);
  return buffer;
}

static void
check_motion (GstBuffer * frame, guint from, guint to, gdouble part)
{
  check_shift (gst_mgpu_motion_meta_get_motion (gst_buffer_get_mgpu_motion_meta
          (frame)), part * (shake[from][0] - shake[to][0]),
      part * (shake[from][1] - shake[to][1]), 0.3);
}

/* Tests that motion is measured in frames with little contrast: in whole streams of them, and in
 * single ones between other frames. */
GST_START_TEST (test_faint)
{
  g_autoptr (GstHarness) h = stabilizer_new ("mode=measure", NULL);
  g_autofree guint8 *picture = paint (3);

  for (guint i = 0; i < 10; i++) {
    GstBuffer *in = see_shaken (picture, i), *out;

    push (h, __i__ == 0 || (i > 2 && i < 6) ? fade (in) : in);
    out = pull (h, i);
    fail_unless_equals_int (get_state (out), i == 0
        ? GST_MGPU_MOTION_STATE_CUT : GST_MGPU_MOTION_STATE_MEASURED);
    if (i > 0)
      check_motion (out, i - 1, i, 1);
    gst_buffer_unref (out);
  }
}

GST_END_TEST;

/* Tests that a faint pattern that stands still for a few frames is not treated as a new scene, but
 * is bridged. */
GST_START_TEST (test_faint_pattern)
{
  g_autoptr (GstHarness) h = stabilizer_new ("smoothing=8 look-ahead=8", NULL);
  g_autofree guint8 *picture = paint (4), *other = paint (5);

  for (guint i = 0; i < 9; i++)
    push (h, i >= 3 && i < 6 ? fade (see (other, 0, 0, i))
        : see_shaken (picture, i));
  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
  for (guint i = 0; i < 9; i++) {
    g_autoptr (GstBuffer) out = pull (h, i);

    if (i >= 3 && i <= 6) {
      fail_unless_equals_int (get_state (out), GST_MGPU_MOTION_STATE_BRIDGED);
      check_motion (out, 2, 6, 0.25);
    } else {
      fail_unless_equals_int (get_state (out), i == 0
          ? GST_MGPU_MOTION_STATE_CUT : GST_MGPU_MOTION_STATE_MEASURED);
    }
  }
}

GST_END_TEST;

/* Takes messages from the bus. Returns: how many of them report a scene cut */
static guint
count_cuts (GstBus * bus)
{
  GstMessage *message;
  guint n = 0;

  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_ELEMENT)) != NULL) {
    n += gst_message_has_name (message, "mgpu-cut");
    gst_message_unref (message);
  }
  return n;
}

/* The first and the last frame of an interruption of 15 frames */
#define FIRST 5
#define LAST 19

/* Tests that with mode=tripod frames are aligned with the first frame also after an interruption:
 * by frames without content, faint frames, another scene, and five other scenes. */
GST_START_TEST (test_tripod_returns)
{
  static const guint cuts[] = { 0, 0, 2, 6 };
  GstBus *bus;
  g_autoptr (GstHarness) h =
      stabilizer_new ("mode=tripod zoom=1.15 post-messages=true", &bus);
  g_autofree guint8 *picture = paint (2);

  for (guint i = 0; i < 28; i++) {
    gboolean is_other = i >= FIRST && i <= LAST;
    g_autofree guint8 *shown = is_other && __i__ >= 2
        ? paint (__i__ == 2 ? 20 : 20 + i / 3) : NULL;
    GstBuffer *in = is_other && __i__ == 0 ? see_nothing (i)
        : see_shaken (shown != NULL ? shown : picture, i), *out;

    push (h, is_other && __i__ == 1 ? fade (in) : in);
    out = pull (h, i);
    /* A scene is reported with its second frame. */
    if (i < FIRST || i > LAST + (__i__ >= 2) || __i__ == 1)
      check_shift (gst_mgpu_motion_meta_get_correction
          (gst_buffer_get_mgpu_motion_meta (out)), 1.15 * shake[i % N][0],
          1.15 * shake[i % N][1], 0.4);
    if (i == LAST + 1)
      fail_unless_equals_int (get_state (out), __i__ == 0
          ? GST_MGPU_MOTION_STATE_BRIDGED : __i__ == 1
          ? GST_MGPU_MOTION_STATE_MEASURED : GST_MGPU_MOTION_STATE_LOST);
    gst_buffer_unref (out);
  }
  fail_unless_equals_int (count_cuts (bus), cuts[__i__]);
}

GST_END_TEST;

CHECK_TESTS (mgpustabilizescenes)
{
  tcase_add_loop_test (tc, test_faint, 0, 2);
  tcase_add_test (tc, test_faint_pattern);
  tcase_add_loop_test (tc, test_tripod_returns, 0, 4);
}
