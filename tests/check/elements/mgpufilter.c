/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests what all elements share: caps, formats, events, metas and properties. */
#include "common.h"

/* Names of the elements that are subclasses of GstMgpuFilter */
static gchar **elements;

/* --- Caps and formats --- */

static gboolean
caps_have (GstCaps * caps, GstVideoFormat format, gboolean device)
{
  g_autoptr (GstCaps) wanted = caps_new (format, 320, 240, device);
  gboolean have = gst_caps_is_subset (wanted, caps);

  return have;
}

static void
check_caps (const gchar * name)
{
  g_autoptr (GstElement) element = gst_element_factory_make (name, NULL);
  g_autoptr (GstPad) sink = gst_element_get_static_pad (element, "sink");
  g_autoptr (GstPad) src = gst_element_get_static_pad (element, "src");
  g_autoptr (GstCaps) in = gst_pad_query_caps (sink, NULL);
  g_autoptr (GstCaps) out = gst_pad_query_caps (src, NULL);
  g_autoptr (GstCaps) filter = NULL, filtered = NULL;

  for (guint i = 0; i < N_ALL_FORMATS; i++) {
    fail_unless (caps_have (in, all_formats[i], TRUE));
    fail_unless (caps_have (in, all_formats[i], FALSE));
    fail_unless_equals_int (caps_have (out, all_formats[i], TRUE),
        g_strcmp0 (name, "mgpudownload") != 0);
    fail_unless_equals_int (caps_have (out, all_formats[i], FALSE),
        g_strcmp0 (name, "mgpuupload") != 0);
  }
  fail_if (caps_have (in, GST_VIDEO_FORMAT_RGB8P, TRUE));
  fail_if (caps_have (in, GST_VIDEO_FORMAT_IYU1, FALSE));

  /* Checks that frames in device memory are offered first. */
  fail_unless (gst_caps_features_contains (gst_caps_get_features (in, 0),
          GST_CAPS_FEATURE_MEMORY_OPENCL));
  filter = gst_caps_from_string ("video/x-raw,width=77,format=I420");
  filtered = gst_pad_query_caps (sink, filter);
  fail_unless_equals_int (gst_caps_get_size (filtered), 1);
  fail_unless (gst_caps_is_subset (filtered, filter));
}

GST_START_TEST (test_caps)
{
  for (guint i = 0; elements[i] != NULL; i++)
    check_caps (elements[i]);
}

GST_END_TEST;

/* Tests that input and output caps are equal except for the memory, and that device memory is
 * preferred. */
GST_START_TEST (test_caps_kept)
{
  const gchar *rest = "format=NV12,width=34,height=22,interlace-mode=mixed,"
      "pixel-aspect-ratio=8/9,chroma-site=mpeg2,colorimetry=bt709,"
      "framerate=30000/1001";
  g_autofree gchar *host = g_strdup_printf ("video/x-raw,%s", rest);
  g_autofree gchar *device =
      g_strdup_printf ("video/x-raw(memory:OpenCLMemory),%s", rest);
  const struct
  {
    const gchar *in, *accepted, *out;
  } cases[] = {
    {host, "ANY", device},
    {device, "ANY", device},
    {host, "video/x-raw", host},
    {device, "video/x-raw", host},
    {host, "video/x-raw(memory:OpenCLMemory);video/x-raw", device},
    {host, "video/x-raw;video/x-raw(memory:OpenCLMemory)", device},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GstHarness) h = gst_harness_new_parse (IDENTITY);
    g_autoptr (GstCaps) expected = gst_caps_from_string (cases[i].out);
    g_autoptr (GstCaps) out = NULL;

    gst_harness_set_sink_caps_str (h, cases[i].accepted);
    gst_harness_set_src_caps_str (h, cases[i].in);
    out = gst_pad_get_current_caps (h->sinkpad);
    fail_unless (out != NULL && gst_caps_is_equal (out, expected),
        "case %u: got %s", i, out ? gst_caps_to_string (out) : "nothing");
  }
}

GST_END_TEST;

/* Tests that a field that is missing in the input caps keeps its default, whatever downstream
 * accepts; only elements that scale may choose another pixel aspect ratio. */
GST_START_TEST (test_caps_open)
{
  const gchar *in =
      "video/x-raw,format=GRAY8,width=32,height=24,framerate=25/1";
  static const struct
  {
    const gchar *elements, *accepted, *added;
  } cases[] = {
    {"mgpuoverlay", "ANY", ""},
    {"mgpuoverlay", "video/x-raw(memory:OpenCLMemory),"
          "pixel-aspect-ratio=[1/2147483647,2147483647/1]",
        "pixel-aspect-ratio=1/1"},
    {"mgpuoverlay", "video/x-raw(memory:OpenCLMemory),pixel-aspect-ratio=4/3",
        "pixel-aspect-ratio=4/3"},
    {"mgpuoverlay", "video/x-raw(memory:OpenCLMemory),"
          "interlace-mode={interleaved,progressive}",
        "interlace-mode=progressive"},
    {"mgpuupload ! mgpuconvert", "video/x-raw(memory:OpenCLMemory),width=32,"
          "pixel-aspect-ratio=4/3", "height=32,pixel-aspect-ratio=4/3"},
    {"mgpuoverlay ! mgpuconvert", "video/x-raw(memory:OpenCLMemory),width=32,"
          "pixel-aspect-ratio=4/3", "height=32,pixel-aspect-ratio=4/3"},
    /* Uses another element, videocrop, that puts no pixel aspect ratio into caps. */
    {"videocrop ! mgpuconvert", "video/x-raw(memory:OpenCLMemory),width=16,"
          "pixel-aspect-ratio=4/3",
        "width=16,height=16,pixel-aspect-ratio=4/3"},
    /* The caps name the width because videoscale of GStreamer 1.26 would choose a wrong width. */
    {"mgpuoverlay ! videoscale ! mgpuupload",
          "video/x-raw(memory:OpenCLMemory),"
          "width=86,height=32,pixel-aspect-ratio=1/2",
        "width=86,height=32,pixel-aspect-ratio=1/2"},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GstHarness) h = gst_harness_new_parse (cases[i].elements);
    g_autofree gchar *text =
        g_strdup_printf ("add%s%s", cases[i].added[0] ? "," : "",
        cases[i].added), *got = NULL;
    g_autoptr (GstStructure) added = gst_structure_from_string (text, NULL);
    g_autoptr (GstCaps) expected = gst_caps_from_string (in), out = NULL;

    for (gint j = 0; j < gst_structure_n_fields (added); j++) {
      const gchar *field = gst_structure_nth_field_name (added, j);

      gst_caps_set_value (expected, field, gst_structure_get_value (added,
              field));
    }
    gst_caps_set_features_simple (expected,
        gst_caps_features_new (GST_CAPS_FEATURE_MEMORY_OPENCL, NULL));
    gst_harness_set_sink_caps_str (h, cases[i].accepted);
    gst_harness_set_src_caps_str (h, in);
    out = gst_pad_get_current_caps (h->sinkpad);
    fail_unless (out != NULL, "case %u: no caps", i);
    got = gst_caps_to_string (out);
    fail_unless (gst_caps_is_equal (out, expected), "case %u: got %s", i, got);
  }
}

GST_END_TEST;

static void
check_format (GstVideoFormat format, gint width, gint height, gboolean in,
    gboolean out)
{
  g_autoptr (GstHarness) h = gst_harness_new_parse (IDENTITY);
  GstCaps *in_caps = caps_new (format, width, height, in);
  g_autoptr (GstBuffer) from = NULL, to = NULL;
  GstVideoInfo info;

  GST_INFO ("%s %dx%d %d to %d", gst_video_format_to_string (format), width,
      height, in, out);
  fail_unless (gst_video_info_from_caps (&info, in_caps));
  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  gst_harness_set_caps (h, in_caps, caps_new (format, width, height, out));
  if (in) {
    g_autoptr (GstMgpuContext) context = harness_context (h);

    from = device_frame_new (context, &info, width);
  } else {
    from = frame_new (&info, LAYOUT_DEFAULT, width);
  }
  to = harness_push_pull (h, gst_buffer_ref (from));
  frame_memory (to);
  fail_unless (gst_buffer_get_video_meta (to) != NULL);
  fail_unless_same_frame (&info, from, to);
  fail_unless_equals_uint64 (harness_stat (h, "frames"), 1);
}

GST_START_TEST (test_formats)
{
  GstVideoFormat format = all_formats[__i__];

  check_format (format, 321, 241, FALSE, FALSE);
  check_format (format, 1, 1, FALSE, TRUE);
  check_format (format, 2, 1, TRUE, FALSE);
  check_format (format, 1, 3, FALSE, FALSE);
  check_format (format, 64, 48, TRUE, TRUE);
}

GST_END_TEST;

/* Tests changes of format, size and memory in the caps between frames. */
GST_START_TEST (test_caps_change)
{
  g_autoptr (GstHarness) h = gst_harness_new_parse (IDENTITY);

  gst_harness_set_sink_caps_str (h, "ANY");
  for (guint i = 0; i < 2 * N_ALL_FORMATS; i++) {
    GstVideoFormat format = all_formats[i % N_ALL_FORMATS];
    GstCaps *caps = caps_new (format, 16 + 7 * i, 40 - i / 2, FALSE);
    g_autoptr (GstBuffer) from = NULL, to = NULL;
    GstVideoInfo info, got;
    g_autoptr (GstCaps) out = NULL;

    fail_unless (gst_video_info_from_caps (&info, caps));
    gst_harness_set_src_caps (h, caps);
    from = frame_new (&info, i % 2 ? LAYOUT_DEFAULT : LAYOUT_SHIFTED, i);
    to = harness_push_pull (h, gst_buffer_ref (from));
    out = gst_pad_get_current_caps (h->sinkpad);
    fail_unless (gst_video_info_from_caps (&got, out));
    fail_unless_equals_int (GST_VIDEO_INFO_FORMAT (&got), format);
    fail_unless_equals_int (GST_VIDEO_INFO_WIDTH (&got), 16 + 7 * i);
    fail_unless_same_frame (&info, from, to);
  }
}

GST_END_TEST;

/* --- Events --- */

GST_START_TEST (test_flush)
{
  GstVideoInfo info = info_from_string (HOST_CAPS ("I420", 33, 21));
  g_autoptr (GstHarness) h = harness_new (IDENTITY, HOST_CAPS ("I420", 33, 21),
      HOST_CAPS ("I420", 33, 21));
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  for (guint i = 0; i < 20; i++) {
    GstBuffer *from = frame_new (&info, LAYOUT_DEFAULT, i);
    GstBuffer *to = harness_push_pull (h, gst_buffer_ref (from));

    fail_unless_same_frame (&info, from, to);
    gst_buffer_unref (to);
    fail_unless (gst_harness_push_event (h, gst_event_new_flush_start ()));
    fail_unless_equals_int (gst_harness_push (h, from), GST_FLOW_FLUSHING);
    fail_unless (gst_harness_push_event (h, gst_event_new_flush_stop (TRUE)));
    fail_unless (gst_harness_push_event (h, gst_event_new_segment (&segment)));
  }
  fail_unless_equals_uint64 (harness_stat (h, "frames"), 20);
}

GST_END_TEST;

GST_START_TEST (test_seek)
{
  g_autoptr (GstElement) pipeline = gst_parse_launch ("videotestsrc ! "
      HOST_CAPS ("NV12", 64, 48) " ! mgpubilateral ! mgpuhisteq ! "
      "fakesink name=sink", NULL);
  g_autoptr (GstElement) sink =
      gst_bin_get_by_name (GST_BIN (pipeline), "sink");

  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  for (guint i = 0; i < 20; i++) {
    GstClockTime to = (i * 7 % 20) * GST_SECOND;
    g_autoptr (GstSample) sample = NULL;

    fail_unless_equals_int (gst_element_get_state (pipeline, NULL, NULL,
            20 * GST_SECOND), GST_STATE_CHANGE_SUCCESS);
    fail_unless (gst_element_seek_simple (pipeline, GST_FORMAT_TIME,
            GST_SEEK_FLAG_FLUSH | GST_SEEK_FLAG_ACCURATE, to));
    fail_unless_equals_int (gst_element_get_state (pipeline, NULL, NULL,
            20 * GST_SECOND), GST_STATE_CHANGE_SUCCESS);
    g_object_get (sink, "last-sample", &sample, NULL);
    fail_unless_equals_clocktime (GST_BUFFER_PTS (gst_sample_get_buffer
            (sample)), to);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

GST_END_TEST;

GST_START_TEST (test_eos)
{
  GstVideoInfo info = info_from_string (HOST_CAPS ("RGB", 20, 10));

  for (guint i = 0; elements[i] != NULL; i++) {
    g_autoptr (GstHarness) h = harness_new_complete (elements[i]);
    GstEvent *event;

    gst_harness_set_sink_caps_str (h, "ANY");
    gst_harness_set_src_caps_str (h, HOST_CAPS ("RGB", 20, 10));
    fail_unless_equals_int (gst_harness_push (h, frame_new (&info,
                LAYOUT_DEFAULT, 1)), GST_FLOW_OK);
    fail_unless_equals_int (gst_harness_push (h, frame_new (&info,
                LAYOUT_PADDED, 2)), GST_FLOW_OK);
    fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
    fail_unless_equals_int (gst_harness_buffers_received (h), 2);
    while ((event = gst_harness_pull_event (h)) != NULL
        && GST_EVENT_TYPE (event) != GST_EVENT_EOS)
      gst_event_unref (event);
    fail_unless (event != NULL);
    gst_event_unref (event);
    fail_unless_equals_int (gst_harness_push (h, frame_new (&info,
                LAYOUT_DEFAULT, 3)), GST_FLOW_EOS);
    fail_unless_equals_uint64 (get_stat (h->element, "frames"), 2);
  }
}

GST_END_TEST;

/* Tests that filters skip frames when the sink reports in a QoS event that it is late. */
GST_START_TEST (test_qos)
{
  GstVideoInfo info = info_from_string (HOST_CAPS ("GRAY8", 16, 16));
  g_autoptr (GstHarness) h = harness_new (IDENTITY, HOST_CAPS ("GRAY8", 16, 16),
      HOST_CAPS ("GRAY8", 16, 16));
  GstBuffer *buffer = frame_new (&info, LAYOUT_DEFAULT, 1);

  gst_harness_push_upstream_event (h, gst_event_new_qos (GST_QOS_TYPE_UNDERFLOW,
          2.0, GST_SECOND, 0));
  fail_unless_equals_int (gst_harness_push (h, buffer), GST_FLOW_OK);
  fail_unless (gst_harness_try_pull (h) == NULL);

  buffer = frame_new (&info, LAYOUT_DEFAULT, 2);
  GST_BUFFER_PTS (buffer) = 5 * GST_SECOND;
  buffer = harness_push_pull (h, buffer);
  fail_unless (GST_BUFFER_IS_DISCONT (buffer));
  gst_buffer_unref (buffer);
  fail_unless_equals_uint64 (harness_stat (h, "frames"), 1);
}

GST_END_TEST;

GST_START_TEST (test_latency)
{
  g_autoptr (GstHarness) h =
      harness_new (IDENTITY " max-in-flight=1", HOST_CAPS ("GRAY8", 16, 16),
      HOST_CAPS ("GRAY8", 16, 16));

  /* Sets a latency, so that each frame is pushed before the next frame arrives. */
  gst_harness_set_upstream_latency (h, 40 * GST_MSECOND);
  fail_unless_equals_clocktime (gst_harness_query_latency (h),
      40 * GST_MSECOND);
}

GST_END_TEST;

/* --- Metas --- */

static GType
remark_api_get_type (void)
{
  /* Declares that a meta depends on size and orientation; no element knows this meta. */
  static const gchar *tags[] = { GST_META_TAG_VIDEO_STR,
    GST_META_TAG_VIDEO_SIZE_STR, GST_META_TAG_VIDEO_ORIENTATION_STR, NULL
  };
  static gsize type = 0;

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, gst_meta_api_type_register ("RemarkMetaAPI",
            tags));
  return type;
}

static gboolean
remark_init (GstMeta * meta, gpointer params, GstBuffer * buffer)
{
  return TRUE;
}

static gboolean
remark_transform (GstBuffer * to, GstMeta * meta, GstBuffer * from, GQuark type,
    gpointer data);

static const GstMetaInfo *
remark_get_info (void)
{
  static const GstMetaInfo *info = NULL;

  if (info == NULL)
    info = gst_meta_register (remark_api_get_type (), "RemarkMeta",
        sizeof (GstMeta), remark_init, NULL, remark_transform);
  return info;
}

static gboolean
remark_transform (GstBuffer * to, GstMeta * meta, GstBuffer * from, GQuark type,
    gpointer data)
{
  return GST_META_TRANSFORM_IS_COPY (type)
      && gst_buffer_add_meta (to, remark_get_info (), NULL) != NULL;
}

/* Checks that unknown metas, flags and timestamps are kept. */
static void
check_metas (const gchar * name, Layout layout)
{
  GstVideoInfo info = info_from_string (HOST_CAPS ("NV12", 64, 48));
  g_autoptr (GstHarness) h = harness_new_complete (name);
  g_autoptr (GstBuffer) buffer = frame_new (&info, layout, 1);
  g_autoptr (GstBuffer) parent = gst_buffer_new ();
  g_autoptr (GstCaps) reference =
      gst_caps_new_empty_simple ("timestamp/x-test");
  GstVideoRegionOfInterestMeta *roi;
  GstVideoMeta *video;
  GstVideoCropMeta *crop;

  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  gst_harness_set_sink_caps_str (h, "ANY");
  gst_harness_set_src_caps_str (h, HOST_CAPS ("NV12", 64, 48));

  gst_buffer_add_video_region_of_interest_meta (buffer, "face", 1, 2, 3, 4);
  crop = gst_buffer_add_video_crop_meta (buffer);
  crop->x = 5;
  crop->width = 20;
  gst_buffer_add_reference_timestamp_meta (buffer, reference, 42, 43);
  gst_buffer_add_meta (buffer, remark_get_info (), NULL);
  gst_buffer_add_parent_buffer_meta (buffer, parent);
  GST_BUFFER_PTS (buffer) = 17;
  GST_BUFFER_OFFSET (buffer) = 19;
  GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_MARKER);

  buffer = harness_push_pull (h, buffer);
  fail_unless_equals_uint64 (GST_BUFFER_PTS (buffer), 17);
  fail_unless_equals_uint64 (GST_BUFFER_DURATION (buffer), GST_SECOND / 25);
  fail_unless_equals_uint64 (GST_BUFFER_OFFSET (buffer), 19);
  fail_unless (GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_MARKER));

  roi = (GstVideoRegionOfInterestMeta *) gst_buffer_get_meta (buffer,
      GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE);
  fail_unless (roi != NULL);
  fail_unless_equals_int (roi->y, 2);
  fail_unless_equals_int (roi->h, 4);
  crop = gst_buffer_get_video_crop_meta (buffer);
  fail_unless (crop != NULL);
  fail_unless_equals_int (crop->width, 20);
  fail_unless (gst_buffer_get_reference_timestamp_meta (buffer, reference));
  fail_unless (gst_buffer_get_meta (buffer, remark_api_get_type ()));

  /* Checks that metas that describe a frame's memory are replaced by metas of the new memory. */
  fail_unless (gst_buffer_get_n_meta (buffer, GST_VIDEO_META_API_TYPE) <= 1);
  video = gst_buffer_get_video_meta (buffer);
  if (g_strcmp0 (name, "mgpubilateral") == 0) {
    fail_unless (video != NULL);
    fail_unless_equals_int (video->stride[0], 64);
    fail_if (gst_buffer_get_parent_buffer_meta (buffer));
  }
}

GST_START_TEST (test_metas)
{
  /* Lists elements that move the content of frames, which have separate tests. */
  static const gchar *const movers[] = {
    "mgpuconvert", "mgpuremap", "mgpustabilize", NULL
  };

  for (guint i = 0; elements[i] != NULL; i++)
    for (guint layout = 0; layout < N_LAYOUTS; layout++)
      if (!g_strv_contains (movers, elements[i]))
        check_metas (elements[i], layout);
}

GST_END_TEST;

/* --- Properties --- */

static guint
count_tables (GstBuffer * buffer)
{
  return gst_buffer_get_n_meta (buffer, GST_MGPU_KEYPOINT_META_API_TYPE)
      + gst_buffer_get_n_meta (buffer, GST_MGPU_INTEGRAL_META_API_TYPE);
}

/* Returns a frame with a region of interest, which mgpuoverlay draws. */
static GstBuffer *
marked_frame_new (const GstVideoInfo * info, guint seed)
{
  GstBuffer *frame = frame_new (info, LAYOUT_DEFAULT, seed);

  gst_buffer_add_video_region_of_interest_meta_id (frame, 0, 5, 6, 20, 15);
  return frame;
}

/* Checks that @frame passes the harness @h unchanged. */
static void
check_disabled (GstHarness * h, const GstVideoInfo * info, GstBuffer * frame)
{
  g_autoptr (GstBuffer) out = harness_push_pull (h, gst_buffer_ref (frame));

  fail_unless_same_frame (info, frame, out);
  fail_unless_equals_int (count_tables (out), 0);
}

/* Lists elements that change frames or attach a table of results, in addition to the elements with
 * cases. */
static const gchar *const working[] = {
  "mgpuinpaint mode=temporal rectangle=20,15,4,4 name=f", "mgpuoverlay name=f",
  "mgpusift name=f", "mgpuintegral name=f"
};

#define N_WORKING ((gint) G_N_ELEMENTS (working))

/* Tests that frames pass a disabled element unchanged, and that the element has forgotten all
 * earlier frames when it is enabled again. */
GST_START_TEST (test_enabled)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 48, 40);
  GstVideoInfo info = info_from_string (caps);
  const TestCases *cases = test_cases[MAX (__i__ - N_WORKING, 0)];
  g_autofree gchar *launch = __i__ < N_WORKING ? g_strdup (working[__i__])
      : g_strdup_printf ("mgpu%s %s name=f", cases->name,
      cases->memory != NULL ? cases->memory : "");
  g_autoptr (GstHarness) h = harness_new (launch, caps, caps);
  g_autoptr (GstHarness) fresh = harness_new (launch, caps, caps);
  g_autoptr (GstElement) filter = harness_filter (h);
  g_autoptr (GstBuffer) first = marked_frame_new (&info, 1), last = NULL, out =
      NULL;
  g_autoptr (GstBuffer) expected = NULL;
  guint n_tables;

  g_object_set (filter, "enabled", FALSE, NULL);
  check_disabled (h, &info, first);
  /* Compares at once: later, the time of frames that the device still processes would be added. */
  fail_unless_equals_uint64 (harness_stat (h, "device-time"), 0);

  g_object_set (filter, "enabled", TRUE, NULL);
  out = harness_push_pull (h, gst_buffer_ref (first));
  n_tables = count_tables (out);
  fail_unless (n_tables == 1 || count_differences (&info, first, out) > 5);
  gst_buffer_unref (out);

  g_object_set (filter, "enabled", FALSE, NULL);
  check_disabled (h, &info, first);
  fail_unless_equals_uint64 (harness_stat (h, "frames"), 3);

  g_object_set (filter, "enabled", TRUE, NULL);
  last = marked_frame_new (&info, 2);
  out = harness_push_pull (h, gst_buffer_ref (last));
  expected = harness_push_pull (fresh, gst_buffer_ref (last));
  fail_unless_same_frame (&info, expected, out);
  fail_unless_equals_int (count_tables (out), n_tables);
}

GST_END_TEST;

/* Tests that mgpuconvert also converts to the output caps while it is disabled. */
GST_START_TEST (test_always_enabled)
{
  g_autoptr (GstHarness) h = harness_new ("mgpuconvert name=f enabled=false",
      HOST_CAPS ("GRAY8", 16, 16), HOST_CAPS ("RGB", 8, 8));
  GstVideoInfo info = info_from_string (HOST_CAPS ("GRAY8", 16, 16));
  g_autoptr (GstBuffer) out =
      harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT, 1));

  fail_unless_equals_uint64 (gst_buffer_get_size (out), 8 * 8 * 3);
}

GST_END_TEST;

/* Tests that every property can be changed in PLAYING, except properties that are only read at the
 * start, such as files and the device. */
GST_START_TEST (test_property_flags)
{
  for (guint i = 0; elements[i] != NULL; i++) {
    g_autoptr (GstElement) element =
        gst_element_factory_make (elements[i], NULL);
    GType base = g_type_from_name ("GstMgpuFilter");
    GParamSpec **specs;
    g_autofree gchar *device = NULL;
    guint n;

    fail_unless (base != 0 && g_type_is_a (G_OBJECT_TYPE (element), base));
    specs = g_object_class_list_properties (G_OBJECT_GET_CLASS (element), &n);
    for (guint j = 0; j < n; j++) {
      if (specs[j]->owner_type == base
          || !g_type_is_a (specs[j]->owner_type, base)
          || (specs[j]->flags & GST_PARAM_MUTABLE_READY)
          || !(specs[j]->flags & G_PARAM_WRITABLE))
        continue;
      /* Checks that properties that are structures are not controllable. */
      fail_unless ((specs[j]->flags & GST_PARAM_CONTROLLABLE)
          || G_IS_PARAM_SPEC_BOXED (specs[j]));
      fail_unless (specs[j]->flags & GST_PARAM_MUTABLE_PLAYING);
      fail_unless (strlen (g_param_spec_get_blurb (specs[j])) > 20);
    }
    g_free (specs);

    g_object_set (element, "device", "", NULL);
    g_object_get (element, "device", &device, NULL);
    fail_unless (device == NULL);
    g_object_set (element, "device", ":cpu:", NULL);
    g_object_get (element, "device", &device, NULL);
    fail_unless_equals_string (device, ":cpu:");
  }
}

GST_END_TEST;

/* --- States --- */

/* Returns the number of launches of @kernel in the statistics of @element; 0 if @kernel is not
 * listed. */
static guint64
launches_of (GstElement * element, const gchar * kernel)
{
  GstStructure *stats, *kernels = NULL, *times = NULL;
  guint64 launches = 0, time = 0, all = 0;

  g_object_get (element, "stats", &stats, NULL);
  fail_unless (gst_structure_get_uint64 (stats, "device-time", &all));
  if (gst_structure_get (stats, "kernels", GST_TYPE_STRUCTURE, &kernels, NULL)) {
    if (gst_structure_get (kernels, kernel, GST_TYPE_STRUCTURE, &times, NULL)) {
      fail_unless (gst_structure_get (times, "launches", G_TYPE_UINT64,
              &launches, "device-time", G_TYPE_UINT64, &time, NULL));
      fail_unless (time > 0 && time <= all);
      gst_structure_free (times);
    }
    gst_structure_free (kernels);
  }
  gst_structure_free (stats);
  return launches;
}

/* Tests that kernels and copies are counted while "profile" is set, and that counts start from zero
 * after a restart. */
GST_START_TEST (test_profile)
{
  g_autoptr (GstHarness) h = gst_harness_new ("mgpuhisteq");

  gst_harness_set_caps_str (h, HOST_CAPS ("NV12", 64, 48), HOST_CAPS ("NV12",
          64, 48));
  for (guint i = 0; i < 6; i++) {
    GstBuffer *buffer;
    GstMapInfo map;

    g_object_set (h->element, "profile", i >= 2 && i < 5, NULL);
    buffer = gst_harness_push_and_pull (h, gst_harness_create_buffer (h,
            64 * 48 * 3 / 2));
    fail_unless (gst_buffer_map (buffer, &map, GST_MAP_READ));
    gst_buffer_unmap (buffer, &map);
    gst_buffer_unref (buffer);
    if (i < 2)
      fail_unless_equals_uint64 (launches_of (h->element, "histeq_apply"), 0);
  }
  fail_unless_equals_uint64 (launches_of (h->element, "histeq_apply"), 3);
  fail_unless_equals_uint64 (launches_of (h->element, "copy"), 3);

  gst_element_set_state (h->element, GST_STATE_NULL);
  gst_element_set_state (h->element, GST_STATE_PLAYING);
  fail_unless_equals_uint64 (launches_of (h->element, "histeq_apply"), 0);
}

GST_END_TEST;

GST_START_TEST (test_states)
{
  GstElement *pipeline = gst_parse_launch ("videotestsrc num-buffers=2 ! "
      HOST_CAPS ("NV12", 64, 48) " ! mgpuupload ! mgpubilateral ! mgpuhisteq "
      "name=f ! mgpudownload ! fakesink", NULL);
  GstElement *filter = gst_bin_get_by_name (GST_BIN (pipeline), "f");
  GError *error = NULL;
  g_autoptr (GstMgpuContext) context = gst_mgpu_context_new (NULL, &error);
  GstContext *carrier = gst_context_new_mgpu_context (context);

  gst_element_set_context (pipeline, carrier);
  for (guint i = 0; i < 100; i++) {
    fail_unless_no_error (run_to_end (pipeline));
    /* Checks that the counters are zero after each start. */
    fail_unless_equals_uint64 (get_stat (filter, "frames"), 2);
    gst_element_set_state (pipeline, GST_STATE_NULL);
    /* Checks the number of references to the context. Every memory, queue, pool and program held a
     * reference; only the references of the test and of the carrier remain. */
    fail_unless (comes_to_refs (context, 2));
  }
  gst_context_unref (carrier);
  gst_object_unref (filter);
  gst_object_unref (pipeline);
  fail_unless (comes_to_refs (context, 1));
}

GST_END_TEST;

/* Describes an element to be replaced, and the element that replaces it. */
typedef struct
{
  GstElement *pipeline;
  const gchar *line, *caps;
} Exchange;

/* Replaces the element "f" while its input is blocked, changes the caps of later frames, and posts
 * a message about it. The source negotiates in this thread, because a capsfilter whose caps are
 * changed by another thread meanwhile may give it no caps. */
static GstPadProbeReturn
replace (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  const Exchange *exchange = data;
  g_autoptr (GstElement) last =
      gst_bin_get_by_name (GST_BIN (exchange->pipeline), "f");
  g_autoptr (GstPad) src = gst_element_get_static_pad (last, "src");
  g_autoptr (GstPad) peer = gst_pad_get_peer (src);
  g_autoptr (GstPad) new_sink = NULL, new_src = NULL;
  GstElement *next = gst_parse_launch (exchange->line, NULL);

  gst_element_set_state (last, GST_STATE_NULL);
  gst_bin_remove (GST_BIN (exchange->pipeline), last);
  gst_element_set_name (next, "f");
  gst_bin_add (GST_BIN (exchange->pipeline), next);
  new_sink = gst_element_get_static_pad (next, "sink");
  new_src = gst_element_get_static_pad (next, "src");
  fail_unless_equals_int (gst_pad_link (new_src, peer), GST_PAD_LINK_OK);
  fail_unless_equals_int (gst_pad_link (pad, new_sink), GST_PAD_LINK_OK);
  fail_unless (gst_element_sync_state_with_parent (next));
  gst_util_set_object_arg (G_OBJECT (GST_PAD_PARENT (pad)), "caps",
      exchange->caps);
  gst_element_post_message (exchange->pipeline, gst_message_new_application
      (GST_OBJECT (exchange->pipeline), gst_structure_new_empty ("replaced")));
  return GST_PAD_PROBE_REMOVE;
}

/* Tests that elements can be replaced while the stream plays and its caps change. */
GST_START_TEST (test_replaced)
{
  static const gchar *const caps[] = {
    "video/x-raw,format=I420,width=64,height=48",
    "video/x-raw,format=GRAY8,width=33,height=17",
    "video/x-raw,format=NV12,width=64,height=48"
  };
  static const gchar *const lines[] = { "mgpublur sigma=2",
    "mgpuremap input=fisheye fov=90", "mgpuremap input=fisheye projection=same",
    "mgpukernel source=\"SAMPLE (f) { return MAX - LOAD (x, y); }\""
  };
  g_autoptr (GstElement) pipeline = gst_parse_launch ("videotestsrc ! "
      "capsfilter name=c caps=video/x-raw,format=RGB,width=20,height=20 ! "
      "identity name=f ! queue ! fakesink", NULL);
  g_autoptr (GstElement) filter = gst_bin_get_by_name (GST_BIN (pipeline), "c");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (filter, "src");
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  fail_unless_equals_int (gst_element_get_state (pipeline, NULL, NULL,
          GST_CLOCK_TIME_NONE), GST_STATE_CHANGE_SUCCESS);
  for (guint i = 0; i < 3 * G_N_ELEMENTS (lines); i++) {
    Exchange exchange = { pipeline, lines[i % G_N_ELEMENTS (lines)],
      caps[i % 3]
    };
    g_autoptr (GstMessage) message = NULL;

    gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BLOCK
        | GST_PAD_PROBE_TYPE_BUFFER, replace, &exchange, NULL);
    message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE,
        GST_MESSAGE_ERROR | GST_MESSAGE_APPLICATION);
    fail_unless (GST_MESSAGE_TYPE (message) == GST_MESSAGE_APPLICATION,
        "%s: %" GST_PTR_FORMAT, exchange.line, message);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

GST_END_TEST;

CHECK_TESTS (mgpufilter)
{
  gint n_cases = 0;

  elements = elements_list ("GstMgpuFilter");
  while (test_cases[n_cases] != NULL)
    n_cases++;
  tcase_add_test (tc, test_caps);
  tcase_add_test (tc, test_caps_kept);
  tcase_add_test (tc, test_caps_open);
  tcase_add_loop_test (tc, test_formats, 0, N_ALL_FORMATS);
  tcase_add_test (tc, test_caps_change);
  tcase_add_test (tc, test_flush);
  tcase_add_test (tc, test_seek);
  tcase_add_test (tc, test_eos);
  tcase_add_test (tc, test_qos);
  tcase_add_test (tc, test_latency);
  tcase_add_test (tc, test_metas);
  tcase_add_loop_test (tc, test_enabled, 0, N_WORKING + n_cases);
  tcase_add_test (tc, test_always_enabled);
  tcase_add_test (tc, test_property_flags);
  tcase_add_test (tc, test_profile);
  tcase_add_test (tc, test_states);
  tcase_add_test (tc, test_replaced);
}
