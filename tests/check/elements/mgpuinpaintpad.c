/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests masks that mgpuinpaint receives as a stream at its mask pad. */
#include "inpaint.h"

#define WIDTH 40
#define HEIGHT 30

typedef struct
{
  GstElement *filter;
  GstHarness *frames, *masks;
  GstVideoInfo info, mask_info;
  GstBus *bus;
} Two;

static void
two_init (Two * two, const gchar * launch, gint mask_width)
{
  GstCaps *caps = caps_new (GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT, FALSE);
  GstCaps *mask_caps = caps_new (GST_VIDEO_FORMAT_GRAY8, mask_width, HEIGHT,
      FALSE);

  two->filter = gst_parse_launch_full (launch, NULL,
      GST_PARSE_FLAG_NO_SINGLE_ELEMENT_BINS, NULL);
  fail_unless (two->filter != NULL);
  fail_unless (gst_video_info_from_caps (&two->info, caps));
  fail_unless (gst_video_info_from_caps (&two->mask_info, mask_caps));
  two->masks = gst_harness_new_with_element (two->filter, "mask_sink", NULL);
  two->frames = gst_harness_new_with_element (two->filter, "sink", "src");
  gst_harness_set_sink_caps_str (two->frames, "ANY");
  gst_harness_set_src_caps (two->frames, caps);
  gst_harness_set_src_caps (two->masks, mask_caps);
  two->bus = gst_bus_new ();
  gst_element_set_bus (two->filter, two->bus);
}

static void
two_clear (Two * two)
{
  gst_element_set_bus (two->filter, NULL);
  gst_object_unref (two->bus);
  gst_harness_teardown (two->masks);
  gst_harness_teardown (two->frames);
  gst_object_unref (two->filter);
}

/* Pushes a mask with a square of 6 pixels at (@x, 8): 128 in the square, 127 elsewhere. */
static void
push_mask (Two * two, gint x, guint ms, guint duration)
{
  GstBuffer *buffer = frame_new (&two->mask_info, LAYOUT_PADDED, 1);
  GstVideoFrame frame;

  fail_unless (gst_video_frame_map (&frame, &two->mask_info, buffer,
          GST_MAP_WRITE));
  for (gint v = 0; v < HEIGHT; v++) {
    guint8 *row = comp_data (&frame, 0)
        + v * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0);

    for (gint u = 0; u < GST_VIDEO_FRAME_WIDTH (&frame); u++)
      row[u] = u >= x && u < x + 6 && v >= 8 && v < 14 ? 128 : 127;
  }
  gst_video_frame_unmap (&frame);
  GST_BUFFER_PTS (buffer) = ms * GST_MSECOND;
  GST_BUFFER_DURATION (buffer) = duration > 0 ? duration * GST_MSECOND
      : GST_CLOCK_TIME_NONE;
  fail_unless_equals_int (gst_harness_push (two->masks, buffer), GST_FLOW_OK);
}

static GstBuffer *
frame_at (Two * two, guint ms)
{
  GstBuffer *buffer = frame_new (&two->info, LAYOUT_DEFAULT, ms);

  GST_BUFFER_PTS (buffer) = ms * GST_MSECOND;
  return buffer;
}

/* Checks that the frame at @ms is filled in the square at @x, or nowhere if @x is -1. */
static void
check_frame (Two * two, guint ms, gint x)
{
  Removal r = { 5, 0, 1, x, 8, x < 0 ? 0 : 6, 6, NULL, NULL, FALSE };

  push_and_compare (two->frames, &two->info, frame_at (two, ms), &r);
}

static void
check_refused (Two * two, guint ms, const gchar * word1, const gchar * word2)
{
  fail_unless_equals_int (gst_harness_push (two->frames, frame_at (two, ms)),
      GST_FLOW_ERROR);
  check_error (two->bus, word1, word2);
}

#define FILTER "mgpuinpaint " PLAIN "name=f patch-size=5 mask-source=pad"

/* Tests a mask stream with fewer masks than frames, then more masks, then a gap, then EOS; after
 * EOS the last mask stays in use. */
GST_START_TEST (test_times)
{
  Two two;

  two_init (&two, FILTER, WIDTH);
  push_mask (&two, 10, 100, 0);
  check_frame (&two, 0, 10);
  check_frame (&two, 100, 10);
  push_mask (&two, 11, 110, 0);
  push_mask (&two, 12, 120, 0);
  push_mask (&two, 20, 200, 100);
  check_frame (&two, 140, 12);
  check_frame (&two, 200, 20);
  check_frame (&two, 299, 20);
  fail_unless (gst_harness_push_event (two.masks, gst_event_new_gap (300 *
              GST_MSECOND, 60 * GST_MSECOND)));
  check_frame (&two, 340, 20);
  fail_unless (gst_harness_push_event (two.masks, gst_event_new_eos ()));
  check_frame (&two, 5000, 20);
  two_clear (&two);
}

GST_END_TEST;

/* Tests that black in the mask's color range fills nothing, and that white fills a pixel
 * completely. The mask has no gray levels, so that a soft mask fills the same pixels as a hard
 * mask. */
GST_START_TEST (test_range)
{
  gboolean is_limited = __i__;
  guint8 black = is_limited ? 16 : 0, white = is_limited ? 235 : 255;
  GstCaps *caps;
  GstBuffer *buffer;
  Two two;

  two_init (&two, FILTER " mask-soft=true", WIDTH);
  two.mask_info.colorimetry.range = is_limited
      ? GST_VIDEO_COLOR_RANGE_16_235 : GST_VIDEO_COLOR_RANGE_0_255;
  caps = gst_video_info_to_caps (&two.mask_info);
  gst_harness_set_src_caps (two.masks, caps);
  buffer = gst_buffer_new_allocate (NULL, two.mask_info.size, NULL);
  gst_buffer_memset (buffer, 0, black, two.mask_info.size);
  for (gint y = 8; y < 14; y++)
    gst_buffer_memset (buffer,
        y * GST_VIDEO_INFO_PLANE_STRIDE (&two.mask_info, 0) + 10, white, 6);
  GST_BUFFER_PTS (buffer) = 0;
  GST_BUFFER_DURATION (buffer) = 60 * GST_SECOND;
  fail_unless_equals_int (gst_harness_push (two.masks, buffer), GST_FLOW_OK);
  check_frame (&two, 0, 10);
  two_clear (&two);
}

GST_END_TEST;

/* Tests that the mask stream is only used with mask-source=pad; with another source the mask stream
 * is not blocked. */
GST_START_TEST (test_other_source)
{
  Removal r = { 5, 0, 1, 3, 4, 5, 6, NULL, NULL, FALSE };
  Two two;

  two_init (&two, FILTER " mask-source=property rectangle=3,4,5,6", WIDTH);
  for (guint i = 0; i < 8; i++) {
    push_mask (&two, 10 + i, 40 * i, 40);
    push_and_compare (two.frames, &two.info, frame_at (&two, 40 * i), &r);
  }
  gst_util_set_object_arg (G_OBJECT (two.filter), "mask-source", "pad");
  check_frame (&two, 290, 17);
  two_clear (&two);
}

GST_END_TEST;

GST_START_TEST (test_errors)
{
  gsize offset[GST_VIDEO_MAX_PLANES] = { 0 };
  gint stride[GST_VIDEO_MAX_PLANES] = { 100000000 };
  GstBuffer *buffer;
  GstPad *pad;
  Two two;

  two_init (&two, FILTER, WIDTH + 1);
  push_mask (&two, 10, 0, 40);
  check_refused (&two, 0, "\"mask_sink\" have 41x30", "width=40,height=30");
  two_clear (&two);

  two_init (&two, FILTER, WIDTH);
  fail_unless (gst_harness_push_event (two.masks, gst_event_new_eos ()));
  check_refused (&two, 0, "no frame arrived at the pad \"mask_sink\"", "queue");
  two_clear (&two);

  /* Tests a mask whose rows lie far beyond its bytes. */
  two_init (&two, FILTER, WIDTH);
  buffer = frame_new (&two.mask_info, LAYOUT_DEFAULT, 1);
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_FORMAT_GRAY8, WIDTH, HEIGHT, 1, offset, stride);
  fail_unless_equals_int (gst_harness_push (two.masks, buffer), GST_FLOW_OK);
  check_refused (&two, 0, "\"mask_sink\": a buffer of 1200 bytes does not hold "
      "the frame of 40x30 GRAY8", "look at the element before this one");
  two_clear (&two);

  /* Tests that the mask pad is removed in PLAYING. */
  two_init (&two, FILTER, WIDTH);
  push_mask (&two, 10, 0, 40);
  check_frame (&two, 0, 10);
  pad = gst_element_get_static_pad (two.filter, "mask_sink");
  gst_pad_unlink (two.masks->srcpad, pad);
  gst_element_release_request_pad (two.filter, pad);
  gst_object_unref (pad);
  check_refused (&two, 40, "no pad \"mask_sink\"", "GRAY8");
  two_clear (&two);
}

GST_END_TEST;

static gpointer
push_frame_thread (gpointer data)
{
  Two *two = data;

  return GINT_TO_POINTER (gst_harness_push (two->frames, frame_at (two, 0)));
}

/* Tests that a flush ends the wait of a frame for its mask. */
GST_START_TEST (test_flush)
{
  GstSegment segment;
  GThread *thread;
  Two two;

  two_init (&two, FILTER, WIDTH);
  thread = g_thread_new ("push", push_frame_thread, &two);
  fail_unless (gst_harness_push_event (two.frames,
          gst_event_new_flush_start ()));
  fail_unless_equals_int (GPOINTER_TO_INT (g_thread_join (thread)),
      GST_FLOW_FLUSHING);
  fail_unless (gst_harness_push_event (two.frames,
          gst_event_new_flush_stop (TRUE)));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  fail_unless (gst_harness_push_event (two.frames,
          gst_event_new_segment (&segment)));
  push_mask (&two, 10, 0, 40);
  check_frame (&two, 0, 10);
  two_clear (&two);
}

GST_END_TEST;

static GThread *mask_thread;
static Two *seeked;

static gpointer
push_mask_thread (gpointer data)
{
  push_mask (seeked, 10, 0, 40);
  return NULL;
}

/* Makes a mask arrive while the frame stream is seeked. */
static gboolean
seek_frames (GstPad * pad, GstObject * parent, GstEvent * event)
{
  gst_event_unref (event);
  mask_thread = g_thread_new ("push", push_mask_thread, NULL);
  g_usleep (G_USEC_PER_SEC / 20);
  return TRUE;
}

static gboolean
refuse_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  gst_event_unref (event);
  return FALSE;
}

/* Tests that a seek does not drop the only mask of a mask stream that does not support seeking. */
GST_START_TEST (test_seek)
{
  Two two;

  two_init (&two, FILTER, WIDTH);
  seeked = &two;
  gst_pad_set_event_function (two.frames->srcpad, seek_frames);
  gst_pad_set_event_function (two.masks->srcpad, refuse_event);
  fail_unless (gst_pad_push_event (two.frames->sinkpad, gst_event_new_seek (1.0,
              GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH, GST_SEEK_TYPE_SET, 0,
              GST_SEEK_TYPE_NONE, 0)));
  g_thread_join (mask_thread);
  check_frame (&two, 0, 10);
  two_clear (&two);
}

GST_END_TEST;

CHECK_TESTS (mgpuinpaintpad)
{
  tcase_add_test (tc, test_times);
  tcase_add_loop_test (tc, test_range, 0, 2);
  tcase_add_test (tc, test_other_source);
  tcase_add_test (tc, test_errors);
  tcase_add_test (tc, test_flush);
  tcase_add_test (tc, test_seek);
}
