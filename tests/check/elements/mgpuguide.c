/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The second input of mgpubilateral. */
#include "reference.h"

#include <math.h>

#define WIDTH 31
#define HEIGHT 22

/* A filter with two inputs, on one harness each. */
typedef struct
{
  GstElement *filter;
  GstHarness *frames, *guides;
  GstVideoInfo info, guide_info;
} Two;

static void
two_init_sized (Two * two, const gchar * launch, GstVideoFormat format,
    GstVideoFormat guide, gint guide_width)
{
  GstCaps *caps = caps_new (format, WIDTH, HEIGHT, FALSE);
  GstCaps *guide_caps = caps_new (guide, guide_width, HEIGHT, FALSE);

  two->filter = gst_parse_launch_full (launch, NULL,
      GST_PARSE_FLAG_NO_SINGLE_ELEMENT_BINS, NULL);
  fail_unless (two->filter != NULL);
  fail_unless (gst_video_info_from_caps (&two->info, caps));
  fail_unless (gst_video_info_from_caps (&two->guide_info, guide_caps));
  two->guides = gst_harness_new_with_element (two->filter, "guide", NULL);
  two->frames = gst_harness_new_with_element (two->filter, "sink", "src");
  gst_harness_set_sink_caps_str (two->frames, "ANY");
  gst_harness_set_src_caps (two->frames, caps);
  gst_harness_set_src_caps (two->guides, guide_caps);
}

static void
two_init (Two * two, const gchar * launch, GstVideoFormat format,
    GstVideoFormat guide)
{
  two_init_sized (two, launch, format, guide, WIDTH);
}

static void
two_clear (Two * two)
{
  gst_harness_teardown (two->guides);
  gst_harness_teardown (two->frames);
  gst_object_unref (two->filter);
}

static GstBuffer *
frame_at (const GstVideoInfo * info, guint seed, guint ms, guint duration)
{
  GstBuffer *buffer = frame_new (info, LAYOUT_PADDED, seed);

  GST_BUFFER_PTS (buffer) = ms * GST_MSECOND;
  GST_BUFFER_DURATION (buffer) =
      duration > 0 ? duration * GST_MSECOND : GST_CLOCK_TIME_NONE;
  return buffer;
}

static void
push_guide (Two * two, guint seed, guint ms, guint duration)
{
  fail_unless_equals_int (gst_harness_push (two->guides,
          frame_at (&two->guide_info, seed, ms, duration)), GST_FLOW_OK);
}

/* method: as the element has it. */
static void
guided_reference (const Two * two, GstVideoFrame * in, GstVideoFrame * guide,
    GstVideoFrame * out, gint method, gboolean all_planes)
{
  gboolean rgb = GST_VIDEO_INFO_IS_RGB (&in->info);
  gint n_guide = GST_VIDEO_INFO_IS_RGB (&guide->info) ? 3 : 1;
  RefPlane from[3], to[3], by[3];

  for (gint i = 0; i < n_guide; i++)
    by[i] = ref_plane (guide, i);
  for (guint c = 0; c < (all_planes ? 3 : 1); c++) {
    gint x_shift = in->info.finfo->w_sub[c], y_shift = in->info.finfo->h_sub[c];
    gdouble sigma_space = 4.0 / (1 << x_shift);
    const RefBilateralGrid params = {
      .method = method == 1 ? REF_BILATERAL_GRID : REF_BILATERAL_CONSTANT_TIME,
      .sigma_color = 40,
      .sigma_space = sigma_space,
      .levels = 16,
      .guide = by,
      .n_guide = n_guide,
      .guide_x_shift = x_shift,
      .guide_y_shift = y_shift
    };
    gint n = rgb ? 3 : 1;

    for (gint i = 0; i < n; i++) {
      from[i] = ref_plane (in, c + i);
      to[i] = ref_plane (out, c + i);
    }
    if (method == 0)
      ref_bilateral_guided (from, to, n, by, n_guide, x_shift, y_shift, 40,
          sigma_space, rint (1.5 * sigma_space));
    else
      ref_bilateral_grid (from, to, n, &params);
  }
}

/* Pushes the frame of seed at ms. What comes out has to be what the guide of
 * guide_seed makes of it. */
static void
check_frame (Two * two, guint seed, guint ms, guint guide_seed, gint method,
    gboolean all_planes)
{
  GstBuffer *from = frame_at (&two->info, seed, ms, 40);
  GstBuffer *guide = frame_at (&two->guide_info, guide_seed, 0, 0);
  GstBuffer *expected = gst_buffer_copy_deep (from), *to;
  GstVideoFrame in, by, out;

  to = harness_push_pull (two->frames, gst_buffer_ref (from));
  fail_unless (gst_video_frame_map (&in, &two->info, from, GST_MAP_READ));
  fail_unless (gst_video_frame_map (&by, &two->guide_info, guide,
          GST_MAP_READ));
  fail_unless (gst_video_frame_map (&out, &two->info, expected,
          GST_MAP_WRITE));
  guided_reference (two, &in, &by, &out, method, all_planes);
  gst_video_frame_unmap (&out);
  gst_video_frame_unmap (&by);
  gst_video_frame_unmap (&in);
  fail_unless_same_frame (&two->info, to, expected);
  gst_buffer_unref (to);
  gst_buffer_unref (expected);
  gst_buffer_unref (guide);
  gst_buffer_unref (from);
}

#define FILTER "mgpubilateral name=f sigma-color=40 sigma-space=4 "

/* Frames of all formats; guides of 8 and 16 bits and of three channels; all
 * methods. kernelcheck has more of their pairs. */
GST_START_TEST (test_formats)
{
  static const gchar *const methods[] = {
    FILTER "method=exact", FILTER "method=grid", FILTER "method=constant-time"
  };
  static const GstVideoFormat guides[] = {
    GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_RGB, GST_VIDEO_FORMAT_GRAY16_LE
  };
  gint method = __i__ % 3;
  Two two;

  two_init (&two, methods[method], all_formats[__i__], guides[__i__ / 3 % 3]);
  push_guide (&two, 5, 0, 40);
  check_frame (&two, 1, 0, 5, method, FALSE);
  two_clear (&two);
}

GST_END_TEST;

/* Chroma takes the guide where it lies. */
GST_START_TEST (test_planes)
{
  static const gchar *const methods[] = {
    FILTER "planes=all method=exact", FILTER "planes=all method=grid",
    FILTER "planes=all method=constant-time"
  };
  Two two;

  for (gint method = 0; method < 3; method++) {
    two_init (&two, methods[method], GST_VIDEO_FORMAT_I420,
        GST_VIDEO_FORMAT_GRAY8);
    push_guide (&two, 5, 0, 40);
    check_frame (&two, 1, 0, 5, method, TRUE);
    two_clear (&two);
  }
}

GST_END_TEST;

/* The newest guide that is not later, whatever its rate; the oldest for what
 * is before all; the last one after the end. */
GST_START_TEST (test_times)
{
  Two two;

  two_init (&two, FILTER, GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_GRAY8);
  push_guide (&two, 10, 100, 0);
  check_frame (&two, 1, 0, 10, 0, FALSE);
  check_frame (&two, 2, 100, 10, 0, FALSE);
  push_guide (&two, 11, 110, 0);
  push_guide (&two, 12, 120, 0);
  push_guide (&two, 13, 200, 100);
  check_frame (&two, 3, 140, 12, 0, FALSE);
  check_frame (&two, 4, 180, 12, 0, FALSE);
  check_frame (&two, 5, 200, 13, 0, FALSE);
  check_frame (&two, 6, 299, 13, 0, FALSE);
  fail_unless (gst_harness_push_event (two.guides, gst_event_new_gap (300 *
              GST_MSECOND, 60 * GST_MSECOND)));
  check_frame (&two, 7, 340, 13, 0, FALSE);
  fail_unless (gst_harness_push_event (two.guides, gst_event_new_eos ()));
  check_frame (&two, 8, 5000, 13, 0, FALSE);
  two_clear (&two);
}

GST_END_TEST;

/* Another format of the guide, no guide any more, and one again. */
GST_START_TEST (test_changes)
{
  Two two;
  GstCaps *caps = caps_new (GST_VIDEO_FORMAT_BGRx, WIDTH, HEIGHT, FALSE);
  GstPad *pad;

  two_init (&two, FILTER, GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_GRAY8);
  push_guide (&two, 10, 0, 40);
  check_frame (&two, 1, 0, 10, 0, FALSE);
  fail_unless (gst_video_info_from_caps (&two.guide_info, caps));
  gst_harness_set_src_caps (two.guides, caps);
  push_guide (&two, 11, 40, 40);
  check_frame (&two, 2, 40, 11, 0, FALSE);

  /* There is one already. */
  fail_unless (gst_element_request_pad (two.filter,
          gst_element_get_pad_template (two.filter, "guide"), NULL, NULL)
      == NULL);
  pad = gst_element_get_static_pad (two.filter, "guide");
  gst_pad_unlink (two.guides->srcpad, pad);
  gst_element_release_request_pad (two.filter, pad);
  gst_object_unref (pad);
  {
    GstBuffer *from = frame_at (&two.info, 3, 80, 40);
    GstBuffer *expected = gst_buffer_copy_deep (from), *to;
    GstVideoFrame in, out;
    RefPlane a, b;

    to = harness_push_pull (two.frames, gst_buffer_ref (from));
    fail_unless (gst_video_frame_map (&in, &two.info, from, GST_MAP_READ));
    fail_unless (gst_video_frame_map (&out, &two.info, expected,
            GST_MAP_WRITE));
    a = ref_plane (&in, 0);
    b = ref_plane (&out, 0);
    ref_bilateral (&a, &b, 1, 40, 4, 6);
    gst_video_frame_unmap (&out);
    gst_video_frame_unmap (&in);
    fail_unless_same_frame (&two.info, to, expected);
    gst_buffer_unref (to);
    gst_buffer_unref (expected);
    gst_buffer_unref (from);
  }

  pad = gst_element_request_pad_simple (two.filter, "guide");
  fail_unless (pad != NULL);
  fail_unless_equals_int (gst_pad_link (two.guides->srcpad, pad),
      GST_PAD_LINK_OK);
  gst_object_unref (pad);
  push_guide (&two, 12, 120, 40);
  check_frame (&two, 4, 120, 12, 0, FALSE);
  two_clear (&two);
}

GST_END_TEST;

/* A filter that is not enabled takes guides as others do, so that theirs is not the
 * stream that waits, and the right one is there when it is enabled again. */
GST_START_TEST (test_enabled)
{
  GstBuffer *from, *to;
  Two two;

  two_init (&two, FILTER " enabled=false", GST_VIDEO_FORMAT_GRAY8,
      GST_VIDEO_FORMAT_GRAY8);
  for (guint i = 0; i < 6; i++) {
    push_guide (&two, 10 + i, 40 * i, 40);
    from = frame_at (&two.info, i, 40 * i, 40);
    to = harness_push_pull (two.frames, gst_buffer_ref (from));
    fail_unless_same_frame (&two.info, from, to);
    gst_buffer_unref (to);
    gst_buffer_unref (from);
  }
  g_object_set (two.filter, "enabled", TRUE, NULL);
  push_guide (&two, 20, 240, 40);
  check_frame (&two, 6, 240, 20, 0, FALSE);
  two_clear (&two);
}

GST_END_TEST;

static void
check_error (GstBus * bus, const gchar * word1, const gchar * word2)
{
  GstMessage *message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  GError *error = NULL;

  fail_unless (message != NULL);
  gst_message_parse_error (message, &error, NULL);
  fail_unless (g_str_has_prefix (error->message, "f: "), "%s", error->message);
  fail_unless (strstr (error->message, word1) != NULL, "%s", error->message);
  fail_unless (strstr (error->message, word2) != NULL, "%s", error->message);
  g_error_free (error);
  gst_message_unref (message);
  fail_if (gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR));
}

GST_START_TEST (test_errors)
{
  GstBus *bus = gst_bus_new ();
  Two two;

  two_init_sized (&two, FILTER, GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_GRAY8,
      WIDTH + 1);
  gst_element_set_bus (two.filter, bus);
  push_guide (&two, 1, 0, 40);
  fail_unless_equals_int (gst_harness_push (two.frames, frame_at (&two.info, 1,
              0, 40)), GST_FLOW_ERROR);
  check_error (bus, "\"guide\" has 32x22", "width=31,height=22");
  gst_element_set_bus (two.filter, NULL);
  two_clear (&two);

  two_init (&two, FILTER, GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_GRAY8);
  gst_element_set_bus (two.filter, bus);
  fail_unless (gst_harness_push_event (two.guides, gst_event_new_eos ()));
  fail_unless_equals_int (gst_harness_push (two.frames, frame_at (&two.info, 1,
              0, 40)), GST_FLOW_ERROR);
  check_error (bus, "no frame came to the pad \"guide\"", "queue");
  gst_element_set_bus (two.filter, NULL);
  two_clear (&two);
  gst_object_unref (bus);
}

GST_END_TEST;

/* --- Waits --- */

typedef struct
{
  GstHarness *harness;
  GstBuffer *buffer;
} Push;

static gpointer
push_thread (gpointer data)
{
  Push *push = data;

  return GINT_TO_POINTER (gst_harness_push (push->harness, push->buffer));
}

/* Starts to push where it has to wait. */
static GThread *
push_waiting (Push * push)
{
  GThread *thread = g_thread_new ("push", push_thread, push);

  g_usleep (G_USEC_PER_SEC / 20);
  return thread;
}

#define JOIN(thread) GPOINTER_TO_INT (g_thread_join (thread))

/* A frame waits for its guide; a guide, a flush and the end of the run end the
 * wait. */
GST_START_TEST (test_frame_waits)
{
  Two two;
  Push push;
  GThread *thread;
  GstSegment segment;
  gint64 start = g_get_monotonic_time ();

  two_init (&two, FILTER, GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_GRAY8);
  push = (Push) { two.frames, frame_at (&two.info, 1, 0, 40) };
  thread = push_waiting (&push);
  fail_unless_equals_int (gst_harness_buffers_received (two.frames), 0);
  push_guide (&two, 5, 0, 40);
  fail_unless_equals_int (JOIN (thread), GST_FLOW_OK);
  fail_unless_equals_int (gst_harness_buffers_received (two.frames), 1);

  push.buffer = frame_at (&two.info, 1, 40, 40);
  thread = push_waiting (&push);
  fail_unless (gst_harness_push_event (two.frames,
          gst_event_new_flush_start ()));
  fail_unless_equals_int (JOIN (thread), GST_FLOW_FLUSHING);
  fail_unless (gst_harness_push_event (two.frames,
          gst_event_new_flush_stop (TRUE)));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  fail_unless (gst_harness_push_event (two.frames,
          gst_event_new_segment (&segment)));

  push.buffer = frame_at (&two.info, 1, 80, 40);
  thread = push_waiting (&push);
  gst_element_set_state (two.filter, GST_STATE_NULL);
  fail_unless_equals_int (JOIN (thread), GST_FLOW_FLUSHING);
  two_clear (&two);
  fail_unless (g_get_monotonic_time () - start < 4 * G_USEC_PER_SEC);
}

GST_END_TEST;

/* Guides wait when there are many; a frame, the end of the frames, a flush and
 * the end of the run end the wait. */
GST_START_TEST (test_guide_waits)
{
  Two two;
  Push push;
  GThread *thread;
  guint ms;

  two_init (&two, FILTER, GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_GRAY8);
  for (ms = 0; ms < 160; ms += 40)
    push_guide (&two, ms, ms, 40);
  push = (Push) { two.guides, frame_at (&two.guide_info, ms, ms, 40) };
  thread = push_waiting (&push);
  check_frame (&two, 1, 79, 40, 0, FALSE);
  fail_unless_equals_int (JOIN (thread), GST_FLOW_OK);
  check_frame (&two, 1, 199, 160, 0, FALSE);

  for (ms = 200; ms < 320; ms += 40)
    push_guide (&two, ms, ms, 40);
  push.buffer = frame_at (&two.guide_info, ms, ms, 40);
  thread = push_waiting (&push);
  fail_unless (gst_harness_push_event (two.guides,
          gst_event_new_flush_start ()));
  fail_unless_equals_int (JOIN (thread), GST_FLOW_FLUSHING);
  two_clear (&two);

  two_init (&two, FILTER, GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_GRAY8);
  for (ms = 0; ms < 160; ms += 40)
    push_guide (&two, ms, ms, 40);
  push = (Push) { two.guides, frame_at (&two.guide_info, ms, ms, 40) };
  thread = push_waiting (&push);
  fail_unless (gst_harness_push_event (two.frames, gst_event_new_eos ()));
  fail_unless_equals_int (JOIN (thread), GST_FLOW_EOS);
  two_clear (&two);

  two_init (&two, FILTER, GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_GRAY8);
  for (ms = 0; ms < 160; ms += 40)
    push_guide (&two, ms, ms, 40);
  push = (Push) { two.guides, frame_at (&two.guide_info, ms, ms, 40) };
  thread = push_waiting (&push);
  gst_element_set_state (two.filter, GST_STATE_NULL);
  fail_unless_equals_int (JOIN (thread), GST_FLOW_FLUSHING);
  two_clear (&two);
}

GST_END_TEST;

static gboolean
refuse_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  gst_event_unref (event);
  return FALSE;
}

/* Frames of a stream that cannot be seeked stay where the filter is seeked, and
 * those to come wait while its input is flushed. */
GST_START_TEST (test_seek_without_guide)
{
  Two two;
  Push push;
  GThread *thread;
  GstSegment segment;

  two_init (&two, FILTER, GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_GRAY8);
  push_guide (&two, 5, 0, 40);
  push_guide (&two, 6, 40, 40);
  check_frame (&two, 1, 40, 6, 0, FALSE);

  gst_pad_set_event_function (two.guides->srcpad, refuse_event);
  gst_harness_push_upstream_event (two.frames, gst_event_new_seek (1.0,
          GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, GST_SEEK_TYPE_SET, 0,
          GST_SEEK_TYPE_NONE, 0));
  fail_unless (gst_harness_push_event (two.frames,
          gst_event_new_flush_start ()));
  push = (Push) { two.guides, frame_at (&two.guide_info, 7, 80, 40) };
  thread = push_waiting (&push);
  fail_unless (gst_harness_push_event (two.frames,
          gst_event_new_flush_stop (TRUE)));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  fail_unless (gst_harness_push_event (two.frames,
          gst_event_new_segment (&segment)));
  fail_unless_equals_int (JOIN (thread), GST_FLOW_OK);

  check_frame (&two, 2, 0, 6, 0, FALSE);
  check_frame (&two, 3, 80, 7, 0, FALSE);
  two_clear (&two);
}

GST_END_TEST;

/* Both inputs from one source, with a seek, again and again. */
GST_START_TEST (test_pipeline)
{
  GstElement *pipeline = gst_parse_launch ("videotestsrc num-buffers=40 "
      "! video/x-raw,format=I420,width=64,height=48 ! tee name=t "
      "! queue ! mgpubilateral name=f method=grid ! fakesink sync=false "
      "t. ! queue ! videoconvert ! video/x-raw,format=GRAY8 ! f.guide", NULL);

  fail_unless (pipeline != NULL);
  for (guint i = 0; i < 5; i++) {
    gst_element_set_state (pipeline, GST_STATE_PAUSED);
    fail_unless_equals_int (gst_element_get_state (pipeline, NULL, NULL,
            10 * GST_SECOND), GST_STATE_CHANGE_SUCCESS);
    fail_unless (gst_element_seek_simple (pipeline, GST_FORMAT_TIME,
            GST_SEEK_FLAG_FLUSH, 0));
    fail_unless_no_error (run_to_end (pipeline));
    gst_element_set_state (pipeline, GST_STATE_NULL);
  }
  gst_object_unref (pipeline);
}

GST_END_TEST;

static Suite *
mgpuguide_suite (void)
{
  Suite *s = suite_create ("mgpuguide");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_loop_test (tc, test_formats, 0, G_N_ELEMENTS (all_formats));
  tcase_add_test (tc, test_planes);
  tcase_add_test (tc, test_times);
  tcase_add_test (tc, test_changes);
  tcase_add_test (tc, test_enabled);
  tcase_add_test (tc, test_errors);
  tcase_add_test (tc, test_frame_waits);
  tcase_add_test (tc, test_guide_waits);
  tcase_add_test (tc, test_seek_without_guide);
  tcase_add_test (tc, test_pipeline);
  return s;
}

GST_CHECK_MAIN (mgpuguide);
