/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests several mgpumatch elements in one process, on a device that finishes no command. */
#include "inflight.h"
#include "match.h"

#define N_STREAMS 8
#define N_FRAMES 3

static GstBuffer *scene, *blank;

/* Returns: whether frame @i of stream @stream shows the reference image */
static gboolean
has_picture (guint stream, guint i)
{
  return (stream + i) % 2 == 0;
}

static void
push_own (GstHarness * h, guint stream, guint i)
{
  GstBuffer *frame = gst_buffer_copy (has_picture (stream, i) ? scene : blank);

  GST_BUFFER_PTS (frame) = i * FRAME;
  fail_unless_equals_int (gst_harness_push (h, frame), GST_FLOW_OK);
}

/* Pulls frame @i of a stream, and checks the corners of the reference image. @corners: the expected
 * corners; if NAN, set to those of this frame */
static void
pull_own (GstHarness * h, guint stream, guint i, gdouble corners[8])
{
  g_autoptr (GstBuffer) out = harness_pull (h);
  GstMgpuPictureMeta *meta = gst_buffer_get_mgpu_picture_meta (out);
  GstMgpuPicture picture;

  fail_unless_equals_clocktime (GST_BUFFER_PTS (out), i * FRAME);
  fail_unless ((meta != NULL) == has_picture (stream, i));
  if (meta == NULL)
    return;
  fail_unless (gst_mgpu_picture_meta_get_picture (meta, 0, &picture));
  if (isnan (corners[0]))
    memcpy (corners, picture.corners, sizeof (picture.corners));
  fail_unless (memcmp (corners, picture.corners, sizeof (picture.corners))
      == 0);
}

static GstHarness *
stream_new (GstContext * carrier, const gchar * caps)
{
  g_autofree gchar *launch = g_strdup_printf ("mgpusift max-features=500 "
      "max-in-flight=%u ! mgpumatch max-in-flight=%u pictures=" DATA "box.png",
      N_FRAMES + 1, N_FRAMES + 1);
  GstElement *bin = gst_parse_bin_from_description (launch, TRUE, NULL);
  GstHarness *h;

  gst_element_set_context (bin, carrier);
  h = gst_harness_new_with_element (bin, "sink", "src");
  gst_object_unref (bin);
  gst_harness_set_sink_caps_str (h, "video/x-raw");
  gst_harness_set_src_caps_str (h, caps);
  return h;
}

/* Tests that the thread that pushes the frames of all streams never waits for the device, and that
 * each frame gets its own reference images, in order. */
GST_START_TEST (test_streams)
{
  GstContext *carrier = discrete_carrier ();
  g_autofree gchar *caps = NULL;
  gdouble corners[8] = { NAN };
  GstHarness *streams[N_STREAMS];

  scene = photograph_new ("box_in_scene.png", &caps);
  blank = blank_new (caps);
  for (guint s = 0; s < N_STREAMS; s++) {
    streams[s] = stream_new (carrier, caps);
    push_own (streams[s], s, s);
    pull_own (streams[s], s, s, corners);
  }
  gst_context_unref (carrier);

  bringer = g_thread_self ();
  g_atomic_int_set (&holds, TRUE);
  g_atomic_int_set (&closed, TRUE);
  for (guint i = 0; i < N_FRAMES; i++)
    for (guint s = 0; s < N_STREAMS; s++)
      push_own (streams[s], s, i);
  for (guint s = 0; s < N_STREAMS; s++)
    fail_unless_equals_int (gst_harness_buffers_received (streams[s]), 1);
  fail_unless_equals_int (g_atomic_int_get (&n_waits), 0);
  let_through ();
  for (guint s = 0; s < N_STREAMS; s++) {
    for (guint i = 0; i < N_FRAMES; i++)
      pull_own (streams[s], s, i, corners);
    gst_harness_teardown (streams[s]);
  }
  bringer = NULL;
  gst_buffer_unref (scene);
  gst_buffer_unref (blank);
}

GST_END_TEST;

CHECK_TESTS (mgpumatchstreams)
{
  tcase_add_checked_fixture (tc, NULL, let_through);
  tcase_add_test (tc, test_streams);
}
