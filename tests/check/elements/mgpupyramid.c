/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "reference.h"

#include <gst/vision/pyramid.h>

#include "../../reference/pyramid.h"

#define MAX_PADS 5

/* An element with a harness for each of its first n source pads. */
typedef struct
{
  GstElement *element;
  GstHarness *h[MAX_PADS];
  guint n;
} Pyramid;

static void
pyramid_init (Pyramid * self, guint n, const gchar * name, ...)
{
  va_list args;

  self->element = gst_element_factory_make ("mgpupyramid", NULL);
  va_start (args, name);
  g_object_set_valist (G_OBJECT (self->element), name, args);
  va_end (args);
  self->n = n;
  for (guint i = 0; i < n; i++) {
    gchar *pad = g_strdup_printf ("src_%u", i);

    self->h[i] = gst_harness_new_with_element (self->element,
        i == 0 ? "sink" : NULL, pad);
    g_free (pad);
  }
}

static void
pyramid_clear (Pyramid * self)
{
  for (guint i = self->n; i > 0; i--)
    gst_harness_teardown (self->h[i - 1]);
  gst_object_unref (self->element);
}

static GstVideoInfo
pad_info (GstHarness * h)
{
  GstCaps *caps = gst_pad_get_current_caps (h->sinkpad);
  GstVideoInfo info;

  fail_unless (caps != NULL && gst_video_info_from_caps (&info, caps));
  gst_caps_unref (caps);
  return info;
}

/* Makes level from below; both are frames of the same format. */
static GstBuffer *
reference_level (const GstVideoInfo * below_info, GstBuffer * below,
    GstVideoInfo * info)
{
  GstVideoFrame in, out;
  GstBuffer *level;

  gst_video_info_set_format (info, GST_VIDEO_INFO_FORMAT (below_info),
      (GST_VIDEO_INFO_WIDTH (below_info) + 1) / 2,
      (GST_VIDEO_INFO_HEIGHT (below_info) + 1) / 2);
  level = gst_buffer_new_allocate (NULL, GST_VIDEO_INFO_SIZE (info), NULL);
  gst_buffer_memset (level, 0, 0, -1);
  fail_unless (gst_video_frame_map (&in, below_info, below, GST_MAP_READ));
  fail_unless (gst_video_frame_map (&out, info, level, GST_MAP_WRITE));
  for (guint i = 0; i < GST_VIDEO_FRAME_N_COMPONENTS (&in); i++) {
    RefPlane from = ref_plane (&in, i), to = ref_plane (&out, i);

    ref_pyramid_down (&from, &to);
  }
  gst_video_frame_unmap (&out);
  gst_video_frame_unmap (&in);
  return level;
}

/* The frame that shows what level has beyond coarse. */
static GstBuffer *
reference_show (const GstVideoInfo * info, GstBuffer * level,
    const GstVideoInfo * coarse_info, GstBuffer * coarse)
{
  GstBuffer *show = gst_buffer_copy_deep (level);
  GstVideoFrame in, up, out;

  fail_unless (gst_video_frame_map (&in, info, level, GST_MAP_READ));
  fail_unless (gst_video_frame_map (&up, coarse_info, coarse, GST_MAP_READ));
  fail_unless (gst_video_frame_map (&out, info, show, GST_MAP_WRITE));
  for (guint i = 0; i < GST_VIDEO_FRAME_N_COMPONENTS (&in); i++) {
    RefPlane fine = ref_plane (&in, i), above = ref_plane (&up, i);
    RefPlane to = ref_plane (&out, i);

    ref_pyramid_show (&fine, &above, &to);
  }
  gst_video_frame_unmap (&out);
  gst_video_frame_unmap (&up);
  gst_video_frame_unmap (&in);
  return show;
}

/* Rebuilds the frame from the meta's detail, on the device. */
static GstBuffer *
collapse (const GstVideoInfo * info, GstMgpuPyramidMeta * meta)
{
  guint n = gst_mgpu_pyramid_meta_get_n_levels (meta);
  GstBuffer *last = gst_mgpu_pyramid_meta_get_level (meta, n - 1), *result;
  GstMgpuContext *context = frame_memory (last)->context;
  GstMgpuMemory *details[MGPU_PYRAMID_MAX_LEVELS];
  GError *error = NULL;
  MgpuPyramid *pyramid = mgpu_pyramid_new (context, info, n,
      MGPU_PYRAMID_LAPLACIAN, &error);
  GstMgpuQueue *queue = gst_mgpu_queue_new (context, NULL);
  MgpuImage last_image, out_image;
  GstMgpuJob job;

  fail_unless (pyramid != NULL, "%s", error ? error->message : "");
  result = gst_buffer_new ();
  gst_buffer_append_memory (result, gst_mgpu_memory_new (queue,
          GST_VIDEO_INFO_SIZE (info), NULL, NULL));
  fail_unless (mgpu_image_from_buffer (&last_image, last,
          mgpu_pyramid_get_info (pyramid, n - 1)));
  fail_unless (mgpu_image_from_buffer (&out_image, result, info));
  for (guint i = 0; i + 1 < n; i++) {
    GstMgpuPyramidPlane plane;
    MgpuComponent c;

    details[i] = (GstMgpuMemory *)
        gst_mgpu_pyramid_meta_get_detail_memory (meta, i);
    fail_unless (details[i] != NULL);
    fail_unless (gst_mgpu_pyramid_meta_get_level (meta, i) == NULL);
    fail_unless_equals_int (gst_mgpu_pyramid_meta_get_n_components (meta, i),
        mgpu_pyramid_get_n_components (pyramid));
    fail_unless (gst_mgpu_pyramid_meta_get_plane (meta, i, 0, &plane));
    mgpu_pyramid_get_detail (pyramid, i, 0, &c);
    fail_unless_equals_int (plane.width, c.width);
    fail_unless_equals_int (plane.height, c.height);
    fail_unless_equals_int (plane.stride, c.stride);
    fail_unless_equals_int (plane.sample_bytes, c.bytes);
  }
  gst_mgpu_job_begin (&job, queue, NULL);
  mgpu_pyramid_enqueue_collapse (pyramid, &job, details, &last_image,
      &out_image);
  fail_unless (gst_mgpu_job_end (&job, &error), "%s",
      error ? error->message : "");
  fail_unless (gst_mgpu_memory_wait (out_image.memory, NULL));
  mgpu_pyramid_free (pyramid);
  gst_object_unref (queue);
  return result;
}

static void
check_gaussian (GstVideoFormat format, gint width, gint height, Layout layout)
{
  GstCaps *caps = caps_new (format, width, height, FALSE);
  GstMgpuPyramidMeta *meta;
  GstBuffer *from, *level, *out;
  GstVideoInfo info;
  guint n_levels;
  Pyramid p;

  GST_INFO ("%s %dx%d, layout %d", gst_video_format_to_string (format), width,
      height, layout);
  fail_unless (gst_video_info_from_caps (&info, caps));
  n_levels = MIN (mgpu_pyramid_get_max_levels (width, height), 4);
  pyramid_init (&p, 4, "levels", 4, NULL);
  gst_harness_set_src_caps (p.h[0], caps);
  from = frame_new (&info, layout, width);
  fail_unless_equals_int (gst_harness_push (p.h[0], gst_buffer_ref (from)),
      GST_FLOW_OK);
  out = gst_harness_pull (p.h[0]);
  fail_unless_same_frame (&info, from, out);
  meta = gst_buffer_get_mgpu_pyramid_meta (out);
  fail_unless (meta != NULL);
  fail_unless_equals_int (gst_mgpu_pyramid_meta_get_n_levels (meta), n_levels);
  fail_unless_same_frame (&info, from,
      gst_mgpu_pyramid_meta_get_level (meta, 0));

  level = gst_buffer_ref (from);
  for (guint i = 1; i < 4; i++) {
    GstBuffer *got = gst_harness_pull (p.h[i]);
    GstVideoInfo got_info = pad_info (p.h[i]);

    /* Beyond the last level is the last again. */
    if (i < n_levels) {
      GstVideoInfo next_info;
      GstBuffer *next = reference_level (&info, level, &next_info);

      gst_buffer_unref (level);
      level = next;
      info = next_info;
      fail_unless_same_frame (&info, level,
          gst_mgpu_pyramid_meta_get_level (meta, i));
    }
    fail_unless_equals_int (GST_VIDEO_INFO_WIDTH (&got_info),
        GST_VIDEO_INFO_WIDTH (&info));
    fail_unless_equals_int (GST_VIDEO_INFO_HEIGHT (&got_info),
        GST_VIDEO_INFO_HEIGHT (&info));
    fail_unless_same_frame (&info, level, got);
    fail_unless_equals_uint64 (GST_BUFFER_PTS (got), GST_BUFFER_PTS (from));
    gst_buffer_unref (got);
  }
  gst_buffer_unref (level);
  gst_buffer_unref (from);
  gst_buffer_unref (out);
  pyramid_clear (&p);
}

GST_START_TEST (test_gaussian)
{
  GstVideoFormat format = all_formats[__i__];

  check_gaussian (format, 53, 38, LAYOUT_PADDED);
  check_gaussian (format, 64, 48, LAYOUT_DEFAULT);
  check_gaussian (format, 1, 1, LAYOUT_DEFAULT);
  check_gaussian (format, 3, 2, LAYOUT_PLANES);
}

GST_END_TEST;

static void
check_laplacian (GstVideoFormat format, gint width, gint height)
{
  GstCaps *caps = caps_new (format, width, height, FALSE);
  GstBuffer *levels[3], *outs[3], *rebuilt;
  GstVideoInfo infos[3];
  guint n = MIN (mgpu_pyramid_get_max_levels (width, height), 3);
  Pyramid p;

  GST_INFO ("%s %dx%d", gst_video_format_to_string (format), width, height);
  fail_unless (gst_video_info_from_caps (&infos[0], caps));
  pyramid_init (&p, 3, "levels", 3, "type", MGPU_PYRAMID_LAPLACIAN, NULL);
  gst_harness_set_src_caps (p.h[0], caps);
  levels[0] = frame_new (&infos[0], LAYOUT_PADDED, width);
  for (guint i = 1; i < n; i++)
    levels[i] = reference_level (&infos[i - 1], levels[i - 1], &infos[i]);
  fail_unless_equals_int (gst_harness_push (p.h[0], gst_buffer_ref (levels[0])),
      GST_FLOW_OK);
  for (guint i = 0; i < 3; i++)
    outs[i] = gst_harness_pull (p.h[i]);

  for (guint i = 0; i < n; i++) {
    GstBuffer *expected = i + 1 < n ? reference_show (&infos[i], levels[i],
        &infos[i + 1], levels[i + 1]) : gst_buffer_ref (levels[i]);

    fail_unless_same_frame (&infos[i], expected, outs[i]);
    gst_buffer_unref (expected);
  }
  rebuilt = collapse (&infos[0], gst_buffer_get_mgpu_pyramid_meta (outs[0]));
  fail_unless_same_frame (&infos[0], levels[0], rebuilt);
  gst_buffer_unref (rebuilt);
  for (guint i = 0; i < n; i++)
    gst_buffer_unref (levels[i]);
  for (guint i = 0; i < 3; i++)
    gst_buffer_unref (outs[i]);
  pyramid_clear (&p);
}

GST_START_TEST (test_laplacian)
{
  GstVideoFormat format = all_formats[__i__];

  check_laplacian (format, 53, 38);
  check_laplacian (format, 2, 5);
  check_laplacian (format, 1, 1);
}

GST_END_TEST;

/* A frame that nobody else has passes as the same buffer; on a device that
 * shares memory nothing is copied. */
GST_START_TEST (test_passes)
{
  GstVideoInfo info = info_from_string (HOST_CAPS ("NV12", 64, 48));
  GstBuffer *from, *out;
  Pyramid p;

  pyramid_init (&p, 2, "levels", 3, NULL);
  gst_harness_set_sink_caps_str (p.h[0], HOST_CAPS ("NV12", 64, 48));
  gst_harness_set_src_caps_str (p.h[0], HOST_CAPS ("NV12", 64, 48));
  from = frame_new (&info, LAYOUT_DEFAULT, 1);
  out = harness_push_pull (p.h[0], gst_buffer_ref (from));
  fail_unless (out != from);
  fail_unless (gst_buffer_peek_memory (out, 0) ==
      gst_buffer_peek_memory (from, 0));
  fail_unless (gst_buffer_get_mgpu_pyramid_meta (from) == NULL);
  fail_unless_equals_int (gst_mgpu_pyramid_meta_get_n_levels
      (gst_buffer_get_mgpu_pyramid_meta (out)), 3);
  fail_unless_equals_uint64 (get_stat (p.element, "frames"), 1);
  fail_unless_equals_uint64 (get_stat (p.element, "uploads"),
      device_is_unified () ? 0 : 1);
  gst_buffer_unref (out);
  /* Neither meta nor element hold it. */
  fail_unless_equals_int (GST_MINI_OBJECT_REFCOUNT_VALUE (from), 1);
  gst_buffer_unref (from);
  pyramid_clear (&p);
}

GST_END_TEST;

/* --- Pads --- */

GST_START_TEST (test_request)
{
  GstElement *element = gst_element_factory_make ("mgpupyramid", "p");
  GstBus *bus = gst_bus_new ();
  GstPad *pads[3];
  GstMessage *message;
  GError *error;

  gst_element_set_bus (element, bus);
  g_object_set (element, "levels", 3, NULL);
  pads[1] = gst_element_request_pad_simple (element, "src_1");
  pads[0] = gst_element_request_pad_simple (element, "src_%u");
  pads[2] = gst_element_request_pad_simple (element, "src_%u");
  for (guint i = 0; i < 3; i++) {
    gchar *name = g_strdup_printf ("src_%u", i);

    fail_unless_equals_string (GST_PAD_NAME (pads[i]), name);
    g_free (name);
  }
  fail_if (gst_bus_pop (bus));

  /* Neither a level that does not exist nor a fourth. */
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
  gst_object_unref (bus);
  gst_object_unref (element);
}

GST_END_TEST;

/* A pad that comes while frames flow gets all events, in order; one that goes
 * does not disturb the others. */
GST_START_TEST (test_pads_while_playing)
{
  GstVideoInfo info = info_from_string (HOST_CAPS ("I420", 40, 30));
  GstEventType expected[] = { GST_EVENT_STREAM_START, GST_EVENT_CAPS,
    GST_EVENT_SEGMENT, GST_EVENT_TAG
  };
  GstHarness *late;
  Pyramid p;

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
      GstEvent *event = gst_harness_pull_event (late);

      while (GST_EVENT_TYPE (event) == GST_EVENT_RECONFIGURE) {
        gst_event_unref (event);
        event = gst_harness_pull_event (late);
      }
      fail_unless_equals_string (GST_EVENT_TYPE_NAME (event),
          gst_event_type_get_name (expected[j]));
      gst_event_unref (event);
    }
    fail_unless_equals_int (pad_info (late).width, 5);
    gst_harness_teardown (late);
    fail_unless_equals_int (p.element->numsrcpads, 2);
    fail_unless_equals_int (gst_harness_push (p.h[0], frame_new (&info,
                LAYOUT_DEFAULT, 3)), GST_FLOW_OK);
  }
  fail_unless_equals_int (gst_harness_buffers_received (p.h[1]), 21);
  pyramid_clear (&p);
}

GST_END_TEST;

/* Pads come and go in one thread while another pushes frames. */
GST_START_TEST (test_pads_race)
{
  GstElement *pipeline = gst_parse_launch ("videotestsrc ! "
      HOST_CAPS ("NV12", 64, 48) " ! mgpupyramid name=p p.src_0 ! "
      "fakesink name=sink async=false", NULL);
  GstElement *p = gst_bin_get_by_name (GST_BIN (pipeline), "p");
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message;

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
    gst_element_release_request_pad (p, src);
    gst_object_unref (src);
    gst_object_unref (pad);
    gst_element_set_state (sink, GST_STATE_NULL);
    gst_bin_remove (GST_BIN (pipeline), sink);
  }
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  fail_unless_no_error (message);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (bus);
  gst_object_unref (p);
  gst_object_unref (pipeline);
}

GST_END_TEST;

/* Two pads for a single pixel, the farther one first. */
GST_START_TEST (test_order)
{
  GstVideoInfo info = info_from_string (HOST_CAPS ("GRAY8", 2, 2));
  GstBuffer *out;
  Pyramid p;

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

      out = gst_harness_pull (p.h[i]);
      fail_unless (gst_buffer_memcmp (out, 0, &pixel, 1) == 0);
      gst_buffer_unref (out);
    }
  }
  pyramid_clear (&p);
}

GST_END_TEST;

/* The stream ends when all have ended; a pad without a peer does not count. */
GST_START_TEST (test_flow)
{
  GstVideoInfo info = info_from_string (HOST_CAPS ("GRAY8", 16, 16));
  GstBuffer *frame = frame_new (&info, LAYOUT_DEFAULT, 1);
  GstPad *unlinked;
  Pyramid p;

  pyramid_init (&p, 2, "levels", 3, NULL);
  unlinked = gst_element_request_pad_simple (p.element, "src_2");
  gst_harness_set_src_caps_str (p.h[0], HOST_CAPS ("GRAY8", 16, 16));
  fail_unless_equals_int (gst_harness_push (p.h[0], gst_buffer_ref (frame)),
      GST_FLOW_OK);
  gst_pad_set_active (p.h[1]->sinkpad, FALSE);
  fail_unless_equals_int (gst_harness_push (p.h[0], gst_buffer_ref (frame)),
      GST_FLOW_FLUSHING);
  gst_pad_set_active (p.h[1]->sinkpad, TRUE);
  gst_element_release_request_pad (p.element, unlinked);
  gst_object_unref (unlinked);
  gst_buffer_unref (frame);
  pyramid_clear (&p);

  /* Nobody listens. */
  p.element = gst_element_factory_make ("mgpupyramid", NULL);
  p.h[0] = gst_harness_new_with_element (p.element, "sink", NULL);
  gst_harness_set_src_caps_str (p.h[0], HOST_CAPS ("GRAY8", 16, 16));
  fail_unless_equals_int (gst_harness_push (p.h[0], frame_new (&info,
              LAYOUT_DEFAULT, 1)), GST_FLOW_NOT_LINKED);
  gst_harness_teardown (p.h[0]);
  gst_object_unref (p.element);
}

GST_END_TEST;

/* --- Events --- */

GST_START_TEST (test_caps_change)
{
  const gint sizes[][2] = { {64, 48}, {3, 2}, {1, 1}, {200, 100}, {5, 5} };
  Pyramid p;

  pyramid_init (&p, 5, "levels", 5, NULL);
  for (guint i = 0; i < 2 * G_N_ELEMENTS (sizes); i++) {
    const gint *size = sizes[i % G_N_ELEMENTS (sizes)];
    GstCaps *caps = caps_new (all_formats[i], size[0], size[1], FALSE);
    gint width = size[0], height = size[1];
    GstVideoInfo info;

    fail_unless (gst_video_info_from_caps (&info, caps));
    gst_harness_set_src_caps (p.h[0], caps);
    fail_unless_equals_int (gst_harness_push (p.h[0], frame_new (&info,
                LAYOUT_DEFAULT, i)), GST_FLOW_OK);
    for (guint j = 0; j < 5; j++) {
      GstVideoInfo got = pad_info (p.h[j]);

      fail_unless_equals_int (GST_VIDEO_INFO_WIDTH (&got), width);
      fail_unless_equals_int (GST_VIDEO_INFO_HEIGHT (&got), height);
      fail_unless_equals_int (GST_VIDEO_INFO_FPS_N (&got), 25);
      gst_buffer_unref (gst_harness_pull (p.h[j]));
      width = (width + 1) / 2;
      height = (height + 1) / 2;
    }
  }
  pyramid_clear (&p);
}

GST_END_TEST;

/* Caps that say nothing of pixels mean square ones, whatever is behind takes. */
GST_START_TEST (test_caps_open)
{
  GstVideoInfo info;
  Pyramid p;

  pyramid_init (&p, 1, "levels", 2, NULL);
  gst_harness_set_sink_caps_str (p.h[0], "video/x-raw(ANY),"
      "pixel-aspect-ratio=[1/2147483647,2147483647/1]");
  gst_harness_set_src_caps_str (p.h[0], HOST_CAPS ("GRAY8", 32, 24));
  info = pad_info (p.h[0]);
  fail_unless_equals_int (GST_VIDEO_INFO_PAR_N (&info), 1);
  fail_unless_equals_int (GST_VIDEO_INFO_PAR_D (&info), 1);
  pyramid_clear (&p);
}

GST_END_TEST;

GST_START_TEST (test_events)
{
  GstVideoInfo info = info_from_string (HOST_CAPS ("GRAY8", 16, 16));
  GstSegment segment;
  gchar *ids[2];
  GstEvent *event;
  Pyramid p;

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
  pyramid_clear (&p);
}

GST_END_TEST;

/* Regions shrink with the frame. */
GST_START_TEST (test_metas)
{
  GstVideoInfo info = info_from_string (HOST_CAPS ("GRAY8", 64, 48));
  GstBuffer *frame = frame_new (&info, LAYOUT_DEFAULT, 1);
  GstVideoRegionOfInterestMeta *roi;
  Pyramid p;

  pyramid_init (&p, 3, "levels", 3, NULL);
  gst_harness_set_src_caps_str (p.h[0], HOST_CAPS ("GRAY8", 64, 48));
  gst_buffer_add_video_region_of_interest_meta (frame, "face", 8, 4, 16, 12);
  fail_unless_equals_int (gst_harness_push (p.h[0], frame), GST_FLOW_OK);
  for (guint i = 0; i < 3; i++) {
    GstBuffer *out = gst_harness_pull (p.h[i]);

    roi = (GstVideoRegionOfInterestMeta *) gst_buffer_get_meta (out,
        GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE);
    fail_unless (roi != NULL);
    fail_unless_equals_int (roi->x, 8 >> i);
    fail_unless_equals_int (roi->h, 12 >> i);
    fail_unless (gst_buffer_get_n_meta (out, GST_VIDEO_META_API_TYPE) <= 1);
    fail_unless_equals_int (gst_buffer_get_mgpu_pyramid_meta (out) != NULL,
        i == 0);
    gst_buffer_unref (out);
  }
  pyramid_clear (&p);
}

GST_END_TEST;

/* All levels of a large frame, in detail, with every stream. */
GST_START_TEST (test_many_levels)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 7680, 4320);
  GstVideoInfo info = info_from_string (caps);
  GstBuffer *from = gst_buffer_new_allocate (NULL, info.size, NULL), *out;
  Pyramid p;

  gst_buffer_memset (from, 0, 77, info.size);
  pyramid_init (&p, 5, "levels", 16, "type", MGPU_PYRAMID_LAPLACIAN, NULL);
  gst_harness_set_src_caps_str (p.h[0], caps);
  out = harness_push_pull (p.h[0], from);
  fail_unless_equals_int (gst_mgpu_pyramid_meta_get_n_levels
      (gst_buffer_get_mgpu_pyramid_meta (out)), 14);
  gst_buffer_unref (out);
  pyramid_clear (&p);
}

GST_END_TEST;

GST_START_TEST (test_states)
{
  GstElement *pipeline = gst_parse_launch ("videotestsrc num-buffers=2 ! "
      HOST_CAPS ("NV12", 64, 48) " ! mgpupyramid name=p p.src_0 ! queue ! "
      "fakesink p.src_2 ! queue ! mgpuhisteq ! fakesink", NULL);
  GError *error = NULL;
  GstMgpuContext *context = gst_mgpu_context_new (NULL, &error);
  GstContext *carrier = gst_context_new_mgpu_context (context);

  gst_element_set_context (pipeline, carrier);
  for (guint i = 0; i < 20; i++) {
    fail_unless_no_error (run_to_end (pipeline));
    gst_element_set_state (pipeline, GST_STATE_NULL);
    /* What is left is ours and the carrier's. */
    fail_unless (comes_to_refs (context, 2));
  }
  gst_context_unref (carrier);
  gst_object_unref (pipeline);
  fail_unless (comes_to_refs (context, 1));
  gst_object_unref (context);
}

GST_END_TEST;

static Suite *
mgpupyramid_suite (void)
{
  Suite *s = suite_create ("mgpupyramid");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_loop_test (tc, test_gaussian, 0, G_N_ELEMENTS (all_formats));
  tcase_add_loop_test (tc, test_laplacian, 0, G_N_ELEMENTS (all_formats));
  tcase_add_test (tc, test_passes);
  tcase_add_test (tc, test_request);
  tcase_add_test (tc, test_pads_while_playing);
  tcase_add_test (tc, test_pads_race);
  tcase_add_test (tc, test_order);
  tcase_add_test (tc, test_flow);
  tcase_add_test (tc, test_caps_change);
  tcase_add_test (tc, test_caps_open);
  tcase_add_test (tc, test_events);
  tcase_add_test (tc, test_metas);
  tcase_add_test (tc, test_many_levels);
  tcase_add_test (tc, test_states);
  return s;
}

GST_CHECK_MAIN (mgpupyramid);
