/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests pads of mgpupyramid that are requested and released, and that return EOS. */
#include "pyramid.h"

#include <gst/video/navigation.h>

/* --- Pads --- */

GST_START_TEST (test_request)
{
  g_autoptr (GstElement) element =
      gst_element_factory_make ("mgpupyramid", "p");
  g_autoptr (GstBus) bus = gst_bus_new ();
  GstPad *pads[3];
  GstMessage *message;
  GError *error;

  gst_element_set_bus (element, bus);
  g_object_set (element, "levels", 3, NULL);
  pads[1] = gst_element_request_pad_simple (element, "src_1");
  pads[0] = gst_element_request_pad_simple (element, "src_%u");
  pads[2] = gst_element_request_pad_simple (element, "src_%u");
  for (guint i = 0; i < 3; i++) {
    g_autofree gchar *name = g_strdup_printf ("src_%u", i);

    fail_unless_equals_string (GST_PAD_NAME (pads[i]), name);
  }
  fail_if (gst_bus_pop (bus));

  /* Requests a level that does not exist, and a fourth pad. */
  fail_unless (gst_element_request_pad_simple (element, "src_3") == NULL);
  fail_unless (gst_element_request_pad_simple (element, "src_%u") == NULL);
  for (guint i = 0; i < 2; i++) {
    message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING);
    fail_unless (message != NULL);
    gst_message_parse_warning (message, &error, NULL);
    fail_unless (strstr (error->message, "src_3") != NULL);
    fail_unless (strstr (error->message, "levels") != NULL);
    g_error_free (error);
    gst_message_unref (message);
  }

  for (guint i = 0; i < 3; i++) {
    gst_element_release_request_pad (element, pads[i]);
    gst_object_unref (pads[i]);
  }
  fail_unless_equals_int (element->numsrcpads, 0);
  gst_element_set_bus (element, NULL);
}

GST_END_TEST;

/* Requests another pad, as another thread may do, while the element @data logs that it adds its
 * first pad, which is not in its list yet; a log function. The pad is not removed here, because
 * GStreamer 1.26 holds a lock while it calls a log function, and takes the same lock to remove a
 * log function. */
static void
request_one_more (GstDebugCategory * category, GstDebugLevel level,
    const gchar * file, const gchar * function, gint line, GObject * object,
    GstDebugMessage * message, gpointer data)
{
  static gboolean is_done = FALSE;

  if (object == data && !is_done
      && g_str_has_prefix (gst_debug_message_get (message), "adding pad")) {
    GstPad *pad;

    is_done = TRUE;
    pad = gst_element_request_pad_simple (data, "src_%u");
    fail_unless (pad != NULL);
    fail_unless_equals_string (GST_PAD_NAME (pad), "src_1");
    fail_unless (gst_element_request_pad_simple (data, "src_0") == NULL);
    gst_object_unref (pad);
  }
}

/* Tests that a pad has its number before it is in the element's list of pads, and until it is
 * removed from it. */
GST_START_TEST (test_request_in_request)
{
  g_autoptr (GstElement) element =
      gst_element_factory_make ("mgpupyramid", NULL);
  GstPad *pad;

  gst_debug_set_threshold_for_name ("GST_ELEMENT_PADS", GST_LEVEL_INFO);
  gst_debug_remove_log_function (gst_debug_log_default);
  gst_debug_add_log_function (request_one_more, element, NULL);
  for (guint i = 0; i < 2; i++) {
    pad = gst_element_request_pad_simple (element, "src_%u");
    fail_unless (pad != NULL);
    fail_unless_equals_string (GST_PAD_NAME (pad), "src_0");
    fail_unless_equals_int (element->numsrcpads, 2);
    /* Removes a pad in the application, without the element. */
    if (i == 0)
      gst_element_remove_pad (element, pad);
    else
      gst_element_release_request_pad (element, pad);
    gst_object_unref (pad);
  }
  fail_unless_equals_int (element->numsrcpads, 1);
  gst_debug_unset_threshold_for_name ("GST_ELEMENT_PADS");
  gst_debug_remove_log_function (request_one_more);
  gst_debug_add_log_function (gst_debug_log_default, NULL, NULL);
}

GST_END_TEST;

/* Tests that a pad that is added while frames arrive gets all events in order, and that removing a
 * pad does not disturb the others. */
GST_START_TEST (test_pads_while_playing)
{
  GstVideoInfo info = info_from_string (HOST_CAPS ("I420", 40, 30));
  GstEventType expected[] = { GST_EVENT_STREAM_START, GST_EVENT_CAPS,
    GST_EVENT_SEGMENT, GST_EVENT_TAG
  };
  GstHarness *late;
  g_auto (Pyramid) p = { NULL };

  pyramid_init (&p, 2, "levels", 4, NULL);
  gst_harness_set_src_caps_str (p.h[0], HOST_CAPS ("I420", 40, 30));
  fail_unless (gst_harness_push_event (p.h[0], gst_event_new_tag
          (gst_tag_list_new (GST_TAG_TITLE, "people", NULL))));
  gst_buffer_unref (harness_push_pull (p.h[0], frame_new (&info,
              LAYOUT_DEFAULT, 1)));

  for (guint i = 0; i < 10; i++) {
    late = gst_harness_new_with_element (p.element, NULL, "src_3");
    fail_unless_equals_int (gst_harness_push (p.h[0], frame_new (&info,
                LAYOUT_DEFAULT, 2)), GST_FLOW_OK);
    fail_unless_equals_int (gst_harness_buffers_received (late), 1);
    for (guint j = 0; j < G_N_ELEMENTS (expected); j++) {
      g_autoptr (GstEvent) event = NULL;

      do {
        gst_clear_event (&event);
        event = gst_harness_pull_event (late);
        fail_unless (event != NULL, "no event %u from src_3", j);
      } while (GST_EVENT_TYPE (event) == GST_EVENT_RECONFIGURE);
      fail_unless_equals_string (GST_EVENT_TYPE_NAME (event),
          gst_event_type_get_name (expected[j]));
    }
    fail_unless_equals_int (harness_out_info (late).width, 5);
    gst_harness_teardown (late);
    fail_unless_equals_int (p.element->numsrcpads, 2);
    fail_unless_equals_int (gst_harness_push (p.h[0], frame_new (&info,
                LAYOUT_DEFAULT, 3)), GST_FLOW_OK);
  }
  fail_unless_equals_int (gst_harness_buffers_received (p.h[1]), 21);
}

GST_END_TEST;

/* Tests that one thread adds and removes pads while another thread pushes frames without a
 * pause. */
GST_START_TEST (test_pads_race)
{
  g_autoptr (GstElement) pipeline = gst_parse_launch ("videotestsrc ! "
      HOST_CAPS ("NV12", 64, 48) " ! mgpupyramid name=p p.src_0 ! "
      "fakesink name=sink async=false", NULL);
  g_autoptr (GstElement) p = gst_bin_get_by_name (GST_BIN (pipeline), "p");
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  GstMessage *message;
  guint64 frames;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  fail_unless_equals_int (gst_element_get_state (pipeline, NULL, NULL,
          20 * GST_SECOND), GST_STATE_CHANGE_SUCCESS);
  for (guint i = 0; i < 30; i++) {
    GstElement *sink = gst_element_factory_make ("fakesink", NULL);
    GstPad *src = gst_element_request_pad_simple (p, i % 2 ? "src_1" : "src_3");
    GstPad *pad = gst_element_get_static_pad (sink, "sink");

    g_object_set (sink, "async", FALSE, "sync", FALSE, NULL);
    gst_bin_add (GST_BIN (pipeline), sink);
    gst_element_sync_state_with_parent (sink);
    fail_unless_equals_int (gst_pad_link (src, pad), GST_PAD_LINK_OK);
    g_usleep (i % 3 * 2000);
    fail_unless (gst_pad_unlink (src, pad));
    fail_unless_equals_int (gst_pad_link (src, pad), GST_PAD_LINK_OK);
    g_usleep (i % 2 * 2000);
    gst_element_release_request_pad (p, src);
    gst_object_unref (src);
    gst_object_unref (pad);
    gst_element_set_state (sink, GST_STATE_NULL);
    gst_bin_remove (GST_BIN (pipeline), sink);
  }
  frames = get_stat (p, "frames");
  for (guint i = 0; i < 10000 && get_stat (p, "frames") < frames + 2; i++)
    g_usleep (1000);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  fail_unless_no_error (message);
  fail_unless (get_stat (p, "frames") >= frames + 2);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

GST_END_TEST;

/* Tests two pads for frames of a single pixel, where the pad of the higher level is requested
 * first. */
GST_START_TEST (test_order)
{
  GstVideoInfo info = info_from_string (HOST_CAPS ("GRAY8", 2, 2));
  GstBuffer *out;
  g_auto (Pyramid) p = { NULL };

  pyramid_init (&p, 1, "levels", 4, NULL);
  for (guint i = 1; i < 3; i++)
    p.h[i] = gst_harness_new_with_element (p.element, NULL,
        i == 1 ? "src_3" : "src_1");
  p.n = 3;
  gst_harness_set_src_caps_str (p.h[0], HOST_CAPS ("GRAY8", 2, 2));
  for (guint j = 0; j < 3; j++) {
    out = gst_buffer_new_allocate (NULL, info.size, NULL);
    gst_buffer_memset (out, 0, 50 + j, -1);
    gst_buffer_unref (harness_push_pull (p.h[0], out));
    for (guint i = 1; i < 3; i++) {
      const guint8 pixel = 50 + j;

      out = harness_pull (p.h[i]);
      fail_unless (gst_buffer_memcmp (out, 0, &pixel, 1) == 0);
      gst_buffer_unref (out);
    }
  }
}

GST_END_TEST;

/* --- Events --- */

GST_START_TEST (test_events)
{
  GstVideoInfo info = info_from_string (HOST_CAPS ("GRAY8", 16, 16));
  GstSegment segment;
  gchar *ids[2];
  GstEvent *event;
  g_auto (Pyramid) p = { NULL };

  pyramid_init (&p, 2, "levels", 2, NULL);
  gst_harness_set_src_caps_str (p.h[0], HOST_CAPS ("GRAY8", 16, 16));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  for (guint i = 0; i < 5; i++) {
    fail_unless_equals_int (gst_harness_push (p.h[0], frame_new (&info,
                LAYOUT_DEFAULT, i)), GST_FLOW_OK);
    fail_unless (gst_harness_push_event (p.h[0], gst_event_new_flush_start ()));
    fail_unless_equals_int (gst_harness_push (p.h[0], frame_new (&info,
                LAYOUT_DEFAULT, i)), GST_FLOW_FLUSHING);
    fail_unless (gst_harness_push_event (p.h[0],
            gst_event_new_flush_stop (TRUE)));
    fail_unless (gst_harness_push_event (p.h[0],
            gst_event_new_segment (&segment)));
  }
  fail_unless_equals_uint64 (get_stat (p.element, "frames"), 5);
  fail_unless (gst_harness_push_event (p.h[0], gst_event_new_gap (0, 1)));
  fail_unless (gst_harness_push_event (p.h[0], gst_event_new_eos ()));
  for (guint i = 0; i < 2; i++) {
    gboolean gap = FALSE, eos = FALSE;

    ids[i] = gst_pad_get_stream_id (p.h[i]->sinkpad);
    fail_unless_equals_int (gst_harness_buffers_received (p.h[i]), 5);
    while ((event = gst_harness_try_pull_event (p.h[i])) != NULL) {
      gap |= GST_EVENT_TYPE (event) == GST_EVENT_GAP;
      eos |= GST_EVENT_TYPE (event) == GST_EVENT_EOS;
      gst_event_unref (event);
    }
    fail_unless (gap && eos);
  }
  fail_unless (g_strcmp0 (ids[0], ids[1]) != 0);
  g_free (ids[0]);
  g_free (ids[1]);
  gst_harness_set_upstream_latency (p.h[0], 40 * GST_MSECOND);
  fail_unless_equals_clocktime (gst_harness_query_latency (p.h[0]),
      40 * GST_MSECOND);
}

GST_END_TEST;

/* Tests a second stream after the end of the first stream. */
GST_START_TEST (test_eos)
{
  const gchar *caps[] = { HOST_CAPS ("GRAY8", 16, 16),
    HOST_CAPS ("NV12", 40, 30)
  };
  g_auto (Pyramid) p = { NULL };

  pyramid_init (&p, 3, "levels", 3, NULL);
  for (guint i = 0; i < 4; i++) {
    GstVideoInfo info = info_from_string (caps[i % 2]);
    GstSegment segment;
    g_autofree gchar *id = g_strdup_printf ("stream %u", i);

    fail_unless (gst_harness_push_event (p.h[0],
            gst_event_new_stream_start (id)));
    gst_segment_init (&segment, GST_FORMAT_TIME);
    fail_unless (gst_harness_push_event (p.h[0],
            gst_event_new_caps (gst_video_info_to_caps (&info))));
    fail_unless (gst_harness_push_event (p.h[0],
            gst_event_new_segment (&segment)));
    fail_unless_equals_int (gst_harness_push (p.h[0], frame_new (&info,
                LAYOUT_DEFAULT, i)), GST_FLOW_OK);
    fail_unless (gst_harness_push_event (p.h[0], gst_event_new_eos ()));
    fail_unless_equals_int (gst_harness_push (p.h[0], frame_new (&info,
                LAYOUT_DEFAULT, i)), GST_FLOW_EOS);
    for (guint j = 0; j < 3; j++) {
      gchar *pad_id = gst_pad_get_stream_id (p.h[j]->sinkpad);

      fail_unless (g_str_has_prefix (pad_id, id));
      g_free (pad_id);
      fail_unless_equals_int (gst_harness_buffers_received (p.h[j]), i + 1);
      fail_unless (GST_PAD_IS_EOS (p.h[j]->sinkpad));
      fail_unless_equals_int (harness_out_info (p.h[j]).width,
          GST_VIDEO_INFO_WIDTH (&info) >> j);
    }
  }
}

GST_END_TEST;

/* Tests that QoS events from each branch arrive upstream. */
GST_START_TEST (test_qos)
{
  GstVideoInfo info = info_from_string (HOST_CAPS ("GRAY8", 16, 16));
  g_auto (Pyramid) p = { NULL };

  pyramid_init (&p, 3, "levels", 3, NULL);
  gst_harness_set_src_caps_str (p.h[0], HOST_CAPS ("GRAY8", 16, 16));
  fail_unless_equals_int (gst_harness_push (p.h[0], frame_new (&info,
              LAYOUT_DEFAULT, 1)), GST_FLOW_OK);
  for (guint i = 0; i < 3; i++) {
    GstEvent *event;
    GstClockTimeDiff late = 0;

    fail_unless (gst_harness_push_upstream_event (p.h[i], gst_event_new_qos
            (GST_QOS_TYPE_UNDERFLOW, 1.5, 1000 + i, 40)));
    while ((event = gst_harness_try_pull_upstream_event (p.h[0])) != NULL) {
      if (GST_EVENT_TYPE (event) == GST_EVENT_QOS)
        gst_event_parse_qos (event, NULL, NULL, &late, NULL);
      gst_event_unref (event);
    }
    fail_unless_equals_int64 (late, 1000 + i);
  }
}

GST_END_TEST;

/* Tests that navigation events are converted, because each level has its own coordinates. */
GST_START_TEST (test_navigation)
{
  GstVideoInfo info = info_from_string (HOST_CAPS ("GRAY8", 17, 24));
  g_auto (Pyramid) p = { NULL };

  pyramid_init (&p, 3, "levels", 3, NULL);
  gst_harness_set_src_caps_str (p.h[0], HOST_CAPS ("GRAY8", 17, 24));
  fail_unless_equals_int (gst_harness_push (p.h[0], frame_new (&info,
              LAYOUT_DEFAULT, 1)), GST_FLOW_OK);
  for (guint i = 0; i < 3; i++) {
    static const gint widths[] = { 17, 9, 5 };
    g_autoptr (GstEvent) event = NULL;
    gdouble x = 0, y = 0;

    fail_unless (gst_harness_push_upstream_event (p.h[i],
            gst_navigation_event_new_mouse_move (4, 3,
                GST_NAVIGATION_MODIFIER_NONE)));
    while ((event = gst_harness_pull_upstream_event (p.h[0])) != NULL
        && GST_EVENT_TYPE (event) != GST_EVENT_NAVIGATION)
      gst_event_unref (event);
    fail_unless (event != NULL);
    fail_unless (gst_navigation_event_get_coordinates (event, &x, &y));
    fail_unless_equals_float (x, 4. * 17 / widths[i]);
    fail_unless_equals_float (y, 3 << i);
  }
}

GST_END_TEST;

/* Tests flushing seeks while three branches play; the last seek has a stop position, at which the
 * stream ends. */
GST_START_TEST (test_seek)
{
  g_autoptr (GstElement) pipeline = gst_parse_launch ("videotestsrc ! "
      HOST_CAPS ("NV12", 64, 48) " ! mgpupyramid name=p p.src_0 ! queue ! "
      "fakesink name=s0 p.src_1 ! queue ! fakesink name=s1 p.src_3 ! queue "
      "max-size-buffers=1 ! fakesink name=s2", NULL);
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  for (guint i = 0; i < 20; i++) {
    gint64 stop = i == 19 ? 11 * GST_SECOND : GST_CLOCK_TIME_NONE;

    fail_unless_equals_int (gst_element_get_state (pipeline, NULL, NULL,
            20 * GST_SECOND), GST_STATE_CHANGE_SUCCESS);
    g_usleep (i % 3 * 1000);
    fail_unless (gst_element_seek (pipeline, 1.0, GST_FORMAT_TIME,
            GST_SEEK_FLAG_FLUSH, GST_SEEK_TYPE_SET, (i % 5) * GST_SECOND +
            (i == 19 ? 6 * GST_SECOND : 0), GST_SEEK_TYPE_SET, stop));
  }
  fail_unless_no_error (run_to_end (pipeline));
  fail_if (gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR));
  for (guint i = 0; i < 3; i++) {
    g_autofree gchar *name = g_strdup_printf ("s%u", i);
    g_autoptr (GstElement) sink =
        gst_bin_get_by_name (GST_BIN (pipeline), name);
    g_autoptr (GstSample) last = NULL;

    g_object_get (sink, "last-sample", &last, NULL);
    fail_unless_equals_clocktime (GST_BUFFER_PTS (gst_sample_get_buffer
            (last)), 10960 * GST_MSECOND);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

GST_END_TEST;

/* --- Frames and contexts of other owners --- */

static void
overwrite (GstBuffer ** buffer)
{
  *buffer = gst_buffer_make_writable (*buffer);
  fail_unless (gst_buffer_memset (*buffer, 0, 0xee, -1) > 0);
}

/* Tests that an element that gets a frame may write to it: the change is not visible to other
 * owners of the frame, nor in the pyramid of the meta. */
GST_START_TEST (test_shared_frames)
{
  GstVideoInfo infos[3];
  GstBuffer *levels[3], *outs[3];
  g_auto (Pyramid) p = { NULL };

  infos[0] = info_from_string (HOST_CAPS ("NV12", 64, 48));
  levels[0] = frame_new (&infos[0], LAYOUT_DEFAULT, 5);
  for (guint i = 1; i < 3; i++)
    levels[i] = reference_level (&infos[i - 1], levels[i - 1], &infos[i]);
  pyramid_init (&p, 3, "levels", 3, NULL);
  gst_harness_set_src_caps_str (p.h[0], HOST_CAPS ("NV12", 64, 48));
  for (guint turn = 0; turn < 2; turn++) {
    /* Tests a frame that a tee also pushes to another branch, and a frame with a single owner. */
    g_autoptr (GstBuffer) from = gst_buffer_copy_deep (levels[0]);
    GstMgpuPyramidMeta *meta;

    fail_unless_equals_int (gst_harness_push (p.h[0],
            turn == 0 ? gst_buffer_ref (from) : gst_buffer_copy (from)),
        GST_FLOW_OK);
    for (guint i = 0; i < 3; i++)
      outs[i] = harness_pull (p.h[i]);
    meta = gst_buffer_get_mgpu_pyramid_meta (outs[0]);
    overwrite (&outs[1]);
    overwrite (&outs[2]);
    for (guint i = 0; i < 3; i++)
      fail_unless_same_frame (&infos[i], levels[i],
          gst_mgpu_pyramid_meta_get_level (meta, i));
    overwrite (&outs[0]);
    meta = gst_buffer_get_mgpu_pyramid_meta (outs[0]);
    fail_unless_same_frame (&infos[0], levels[0],
        gst_mgpu_pyramid_meta_get_level (meta, 0));
    fail_unless_same_frame (&infos[0], levels[0], from);
    for (guint i = 0; i < 3; i++)
      gst_buffer_unref (outs[i]);
  }
  for (guint i = 0; i < 3; i++)
    gst_buffer_unref (levels[i]);
}

GST_END_TEST;

/* Returns a context around an OpenCL context that the application has created. */
static GstMgpuContext *
wrapped_context_new (cl_context * made)
{
  GError *error = NULL;
  GstMgpuContext *like = gst_mgpu_context_new (NULL, &error), *context;
  cl_device_id device;
  cl_int ret;

  fail_unless (like != NULL, "%s", error != NULL ? error->message : "");
  device = gst_mgpu_context_get_cl_device (like);
  *made = clCreateContext (NULL, 1, &device, NULL, NULL, &ret);
  fail_unless_equals_int (ret, CL_SUCCESS);
  context = gst_mgpu_context_new_wrapped (*made, device, &error);
  fail_unless (context != NULL, "%s", error != NULL ? error->message : "");
  gst_object_unref (like);
  return context;
}

/* Checks that the pyramid of @out is in memory of @context. */
static void
check_meta_context (GstBuffer * out, GstMgpuContext * context)
{
  GstMgpuPyramidMeta *meta = gst_buffer_get_mgpu_pyramid_meta (out);

  for (guint i = 0; i < gst_mgpu_pyramid_meta_get_n_levels (meta); i++) {
    GstMemory *memory = gst_mgpu_pyramid_meta_get_detail_memory (meta, i);

    if (memory == NULL)
      memory = gst_buffer_peek_memory (gst_mgpu_pyramid_meta_get_level (meta,
              i), 0);
    fail_unless (((GstMgpuMemory *) memory)->context == context);
  }
}

/* Returns whether nobody else holds a reference to @context any more. A driver releases resources
 * after its last command in a separate thread. */
static gboolean
comes_to_be_alone (cl_context context)
{
  cl_uint refs = 0;

  for (guint i = 0; i < 1000 && refs != 1; i++) {
    if (i > 0)
      g_usleep (10000);
    clGetContextInfo (context, CL_CONTEXT_REFERENCE_COUNT, sizeof (refs), &refs,
        NULL);
  }
  return refs == 1;
}

/* Pushes frames in the application's own context: the element switches to this context and copies
 * nothing. If @bound is set, "device" is set, so that the element keeps its context, and copies the
 * frames. */
static void
check_foreign (MgpuPyramidType type, gboolean bound)
{
  const gchar *caps = DEVICE_CAPS ("I420", 53, 38);
  GstMgpuContext *own, *contexts[4];
  GstVideoInfo infos[3];
  cl_context made[2];
  gchar *device;
  Pyramid p;

  contexts[1] = contexts[2] = wrapped_context_new (&made[0]);
  contexts[3] = wrapped_context_new (&made[1]);
  device = g_strdup_printf ("::%s",
      gst_mgpu_context_get_device_name (contexts[1]));
  pyramid_init (&p, 3, "levels", 3, "type", type, "device",
      bound ? device : NULL, NULL);
  contexts[0] = own = harness_context (p.h[0]);
  gst_harness_set_src_caps_str (p.h[0], caps);
  infos[0] = info_from_string (caps);
  for (guint i = 0; i < G_N_ELEMENTS (contexts); i++) {
    GstBuffer *levels[3];

    levels[0] = device_frame_new (contexts[i], &infos[0], i);
    for (guint j = 1; j < 3; j++)
      levels[j] = reference_level (&infos[j - 1], levels[j - 1], &infos[j]);
    fail_unless_equals_int (gst_harness_push (p.h[0],
            gst_buffer_ref (levels[0])), GST_FLOW_OK);
    for (guint j = 0; j < 3; j++) {
      g_autoptr (GstBuffer) out = harness_pull (p.h[j]);

      fail_unless (frame_memory (out)->context == (bound ? own : contexts[i]));
      if (j == 0)
        check_meta_context (out, bound ? own : contexts[i]);
      if (j == 2 || type == MGPU_PYRAMID_GAUSSIAN)
        fail_unless_same_frame (&infos[j], levels[j], out);
      gst_buffer_unref (levels[j]);
    }
  }
  if (bound || device_is_unified ())
    fail_unless_equals_uint64 (get_stat (p.element, "uploads"), bound ? 3 : 0);
  pyramid_clear (&p);
  g_free (device);
  gst_object_unref (own);
  for (guint i = 0; i < 2; i++) {
    fail_unless (comes_to_refs (contexts[2 + i], 1));
    gst_object_unref (contexts[2 + i]);
    fail_unless (comes_to_be_alone (made[i]));
    clReleaseContext (made[i]);
  }
}

GST_START_TEST (test_foreign)
{
  check_foreign (MGPU_PYRAMID_GAUSSIAN, FALSE);
  check_foreign (MGPU_PYRAMID_LAPLACIAN, FALSE);
  check_foreign (MGPU_PYRAMID_GAUSSIAN, TRUE);
}

GST_END_TEST;

typedef struct
{
  GstPad *pad;
  GstCaps *caps;
  gint stop;
} Asker;

/* Requests pools repeatedly, as a source does whose thread starts or renegotiates while the
 * elements after it stop. */
static gpointer
ask_for_pools (gpointer data)
{
  Asker *asker = data;

  while (!g_atomic_int_get (&asker->stop)) {
    g_autoptr (GstQuery) query = gst_query_new_allocation (asker->caps, TRUE);
    GstBufferPool *pool = NULL;

    if (gst_pad_query (asker->pad, query)
        && gst_query_get_n_allocation_pools (query) > 0)
      gst_query_parse_nth_allocation_pool (query, 0, &pool, NULL, NULL, NULL);
    gst_clear_object (&pool);
  }
  return NULL;
}

GST_START_TEST (test_ask_while_stopping)
{
  g_autoptr (GstElement) element =
      gst_element_factory_make ("mgpupyramid", NULL);
  Asker asker = { gst_element_get_static_pad (element, "sink"),
    caps_new (GST_VIDEO_FORMAT_NV12, 64, 48, FALSE), FALSE
  };
  GThread *thread = g_thread_new ("ask", ask_for_pools, &asker);

  for (guint i = 0; i < 500; i++) {
    fail_unless_equals_int (gst_element_set_state (element, GST_STATE_PAUSED),
        GST_STATE_CHANGE_SUCCESS);
    fail_unless_equals_int (gst_element_set_state (element, GST_STATE_READY),
        GST_STATE_CHANGE_SUCCESS);
  }
  g_atomic_int_set (&asker.stop, TRUE);
  g_thread_join (thread);
  gst_element_set_state (element, GST_STATE_NULL);
  gst_object_unref (asker.pad);
  gst_caps_unref (asker.caps);
}

GST_END_TEST;

GST_START_TEST (test_states)
{
  GstElement *pipeline = gst_parse_launch ("videotestsrc num-buffers=2 ! "
      HOST_CAPS ("NV12", 64, 48) " ! mgpupyramid name=p p.src_0 ! queue ! "
      "fakesink p.src_2 ! queue ! mgpuhisteq ! fakesink", NULL);
  GError *error = NULL;
  g_autoptr (GstMgpuContext) context = gst_mgpu_context_new (NULL, &error);
  GstContext *carrier = gst_context_new_mgpu_context (context);

  gst_element_set_context (pipeline, carrier);
  for (guint i = 0; i < 20; i++) {
    fail_unless_no_error (run_to_end (pipeline));
    gst_element_set_state (pipeline, GST_STATE_NULL);
    /* Checks that two references remain: the carrier's and the test's. */
    fail_unless (comes_to_refs (context, 2));
  }
  gst_context_unref (carrier);
  gst_object_unref (pipeline);
  fail_unless (comes_to_refs (context, 1));
}

GST_END_TEST;

CHECK_TESTS (mgpupyramidpads)
{
  tcase_add_test (tc, test_request);
  tcase_add_test (tc, test_request_in_request);
  tcase_add_test (tc, test_pads_while_playing);
  tcase_add_test (tc, test_pads_race);
  tcase_add_test (tc, test_order);
  tcase_add_test (tc, test_events);
  tcase_add_test (tc, test_eos);
  tcase_add_test (tc, test_qos);
  tcase_add_test (tc, test_navigation);
  tcase_add_test (tc, test_seek);
  tcase_add_test (tc, test_shared_frames);
  tcase_add_test (tc, test_foreign);
  tcase_add_test (tc, test_ask_while_stopping);
  tcase_add_test (tc, test_states);
}
