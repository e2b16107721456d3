/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests many mgpuflow in one process, on a device that finishes no command. */
#include "inflight.h"

#include "../../reference/flow.h"

#define N_STREAMS 16
#define N_FRAMES 4
#define SIZE 48

#define SMALL_CAPS HOST_CAPS ("GRAY8", 48, 48)

/* Returns: (transfer full): frame @i of stream @stream, a texture that has moved by @i pixels */
static GstBuffer *
stream_frame (guint stream, guint i)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, SIZE * SIZE, NULL);
  GstMapInfo map;

  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  for (guint p = 0; p < SIZE * SIZE; p++) {
    guint x = (p % SIZE + (stream % 3) * i) / 5, y = (p / SIZE + i) / 4;

    map.data[p] = ((x * 40503u ^ (y + 97 * stream) * 9176u) * 2654435761u)
        >> 24;
  }
  gst_buffer_unmap (buffer, &map);
  GST_BUFFER_OFFSET (buffer) = i;
  GST_BUFFER_PTS (buffer) = i * FRAME;
  return buffer;
}

/* Pulls frame @i of a stream, and checks that its flow belongs to this stream. @past: the flow of
 * the previous frame, without samples if it had none; becomes the flow of this frame */
static void
pull_own (GstHarness * h, guint stream, guint i, RefFlow * past)
{
  const RefFlowParams params = { REF_FLOW_ULTRAFAST, FALSE };
  g_autoptr (GstBuffer) out = harness_pull (h);
  GstMgpuFlowMeta *meta = gst_buffer_get_mgpu_flow_meta (out);
  g_autoptr (GBytes) bytes = NULL;
  RefPlane planes[2];
  GstMapInfo maps[2];
  GstBuffer *frames[2];
  RefFlow field = { 0 };

  fail_unless_equals_clocktime (GST_BUFFER_PTS (out), i * FRAME);
  fail_unless ((meta != NULL) == (i > 0));
  if (i == 0)
    return;
  fail_unless_equals_uint64 (gst_mgpu_flow_meta_get_previous_offset (meta),
      i - 1);
  for (guint k = 0; k < 2; k++) {
    frames[k] = stream_frame (stream, i - k);
    fail_unless (gst_buffer_map (frames[k], &maps[k], GST_MAP_READ));
    planes[k] = (RefPlane) {
    .data = maps[k].data,.stride = SIZE,.pixel_stride = 1,.width =
          SIZE,.height = SIZE,.bytes = 1,.max = 255,.hi = 255};
  }
  ref_flow_size (&params, SIZE, SIZE, &field);
  field.flow = g_new (gint16, 2 * field.width * field.height);
  field.confidence = g_new (guint8, field.width * field.height);
  fail_unless (ref_flow (&params, &planes[0], &planes[1], past->flow != NULL
          ? past : NULL, &field));
  bytes = gst_mgpu_flow_meta_get_bytes (meta, GST_MGPU_FLOW_FIELD_TO_PREVIOUS);
  fail_unless_equals_int (g_bytes_get_size (bytes),
      4 * field.width * field.height);
  fail_unless (memcmp (g_bytes_get_data (bytes, NULL), field.flow,
          g_bytes_get_size (bytes)) == 0);
  g_free (past->flow);
  g_free (past->confidence);
  *past = field;
  for (guint k = 0; k < 2; k++) {
    gst_buffer_unmap (frames[k], &maps[k]);
    gst_buffer_unref (frames[k]);
  }
}

/* Tests that one thread pushes the frames of all streams while the device finishes no command: each
 * frame is pushed at once, with a meta, and no call waits. Each meta has the flow of the stream to
 * which its frame belongs. */
GST_START_TEST (test_streams)
{
  GstContext *carrier = discrete_carrier ();
  GstHarness *streams[N_STREAMS];
  RefFlow past[N_STREAMS] = { {0,}
  };

  for (guint s = 0; s < N_STREAMS; s++) {
    GstElement *element = gst_element_factory_make ("mgpuflow", NULL);

    gst_element_set_context (element, carrier);
    g_object_set (element, "max-in-flight", N_FRAMES + 1, "preset",
        REF_FLOW_ULTRAFAST, NULL);
    streams[s] = gst_harness_new_with_element (element, "sink", "src");
    gst_object_unref (element);
    gst_harness_set_sink_caps_str (streams[s], SMALL_CAPS);
    gst_harness_set_src_caps_str (streams[s], SMALL_CAPS);
    fail_unless_equals_int (gst_harness_push (streams[s], stream_frame (s, 0)),
        GST_FLOW_OK);
    pull_own (streams[s], s, 0, &past[s]);
  }
  gst_context_unref (carrier);

  g_atomic_int_set (&closed, TRUE);
  for (guint i = 1; i < N_FRAMES; i++)
    for (guint s = 0; s < N_STREAMS; s++)
      fail_unless_equals_int (gst_harness_push (streams[s],
              stream_frame (s, i)), GST_FLOW_OK);
  for (guint s = 0; s < N_STREAMS; s++)
    fail_unless_equals_int (gst_harness_buffers_in_queue (streams[s]),
        N_FRAMES - 1);
  let_through ();
  for (guint s = 0; s < N_STREAMS; s++) {
    for (guint i = 1; i < N_FRAMES; i++)
      pull_own (streams[s], s, i, &past[s]);
    gst_harness_teardown (streams[s]);
    g_free (past[s].flow);
    g_free (past[s].confidence);
  }
}

GST_END_TEST;

CHECK_TESTS (mgpuflowstreams)
{
  tcase_add_checked_fixture (tc, NULL, let_through);
  tcase_add_test (tc, test_streams);
}
