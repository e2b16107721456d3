/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests the keypoints, regions and trails that mgpuoverlay draws; mgpuoverlaytext tests text. */
#include "overlay.h"

#include <math.h>

/* Draws nothing but keypoints and the outlines of regions. */
#define PLAIN "mgpuoverlay name=f draw=keypoints+regions"

/* Pushes @from (transfer full), and compares the output with the reference. */
static void
check_drawn (GstHarness * h, const GstVideoInfo * info, GstBuffer * from,
    const Style * style, gboolean keypoints, gboolean regions)
{
  g_autoptr (GstBuffer) expected = gst_buffer_copy_deep (from), before =
      NULL, to = NULL;
  guint n;

  before = gst_buffer_copy_deep (from);
  reference (expected, info, style, keypoints, regions);
  to = harness_push_pull (h, gst_buffer_ref (from));
  n = count_differences (info, to, expected);
  fail_unless (n == 0, "%u samples of %s differ", n,
      GST_VIDEO_INFO_NAME (info));
  /* Checks that the frame to which somebody else holds a reference did not change. */
  fail_unless_same_frame (info, from, before);
  gst_buffer_unref (from);
}

static void
check_format (GstVideoFormat format, gint width, gint height, Layout layout,
    gboolean device)
{
  g_autoptr (GstHarness) h = gst_harness_new_parse (PLAIN);
  GstCaps *caps = caps_new (format, width, height, FALSE);
  GstVideoInfo info;
  GstBuffer *from;

  fail_unless (gst_video_info_from_caps (&info, caps));
  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  gst_harness_set_caps (h, caps, caps_new (format, width, height, device));
  from = frame_new (&info, layout, width);
  add_keypoints (from, usual, G_N_ELEMENTS (usual));
  add_region (from, 5, 7, 30, 20);
  add_region (from, -4, -4, 12, 30);
  check_drawn (h, &info, from, &defaults, TRUE, TRUE);
}

GST_START_TEST (test_formats)
{
  GstVideoFormat format = all_formats[__i__];

  check_format (format, 67, 45, LAYOUT_PADDED, FALSE);
  check_format (format, 64, 48, LAYOUT_DEFAULT, TRUE);
  check_format (format, 1, 1, LAYOUT_DEFAULT, FALSE);
}

GST_END_TEST;

/* Tests a frame in device memory to which somebody else holds a reference. */
GST_START_TEST (test_device_frame)
{
  g_autoptr (GstHarness) h = harness_new (PLAIN, DEVICE_CAPS ("NV12", 64, 48),
      DEVICE_CAPS ("NV12", 64, 48));
  GstVideoInfo info = info_from_string (HOST_CAPS ("NV12", 64, 48));
  g_autoptr (GstMgpuContext) context = harness_context (h);

  for (guint i = 0; i < 3; i++) {
    GstBuffer *from = device_frame_new (context, &info, i);

    add_keypoints (from, usual, G_N_ELEMENTS (usual));
    check_drawn (h, &info, from, &defaults, TRUE, TRUE);
  }
}

GST_END_TEST;

static void
check_passes (GstHarness * h, GstBuffer * from)
{
  g_autoptr (GstBuffer) to = NULL;

  fail_unless_equals_int (gst_harness_push (h, from), GST_FLOW_OK);
  to = harness_pull (h);
  fail_unless (to == from);
}

/* Tests that the same buffer is output if nothing would be drawn. */
GST_START_TEST (test_passes)
{
  static const GstMgpuKeypoint far[] = {
    {-30, 5, 10, 0, 0, 0, 0}, {NAN, 5, 10, 0, 0, 0, 0}
  };
  const gchar *caps = HOST_CAPS ("RGB", 64, 48);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = harness_new ("mgpuoverlay name=f", caps, caps);
  g_autoptr (GstElement) filter = harness_filter (h);
  GstBuffer *from;

  check_passes (h, frame_new (&info, LAYOUT_DEFAULT, 1));

  g_object_set (filter, "draw", 3, NULL);
  from = frame_new (&info, LAYOUT_DEFAULT, 2);
  add_keypoints (from, far, G_N_ELEMENTS (far));
  add_region (from, 64, 0, 10, 10);
  add_region (from, 10, 10, 0, 10);
  check_passes (h, from);

  from = frame_new (&info, LAYOUT_DEFAULT, 3);
  add_keypoints (from, usual, G_N_ELEMENTS (usual));
  g_object_set (filter, "draw", 0, NULL);
  check_passes (h, from);

  /* Uses colors that are fully transparent. */
  from = frame_new (&info, LAYOUT_DEFAULT, 4);
  add_keypoints (from, usual, G_N_ELEMENTS (usual));
  add_region (from, 1, 1, 10, 10);
  g_object_set (filter, "draw", 7, "keypoint-color", 0x00ffffff,
      "region-color", 0x00ffffff, "text-color", 0x00ffffff, NULL);
  check_passes (h, from);
  fail_unless_equals_uint64 (get_stat (filter, "frames"), 4);
}

GST_END_TEST;

/* Tests that a property change while frames arrive is visible in the next frame. */
GST_START_TEST (test_live)
{
  static const struct
  {
    guint draw;
    Style style;
  } steps[] = {
    {3, {GREEN, AMBER, 1.5}}, {1, {GREEN, AMBER, 1.5}}, {2, {GREEN, AMBER, 4}},
    {3, {0x80ff0000, 0x40123456, 2.25}}, {0, {GREEN, AMBER, 1}},
    {3, {0xffffffff, 0xff000000, 16}}, {3, {GREEN, AMBER, 1}}
  };
  const gchar *caps = HOST_CAPS ("I420", 61, 47);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = harness_new (PLAIN, caps, caps);
  g_autoptr (GstElement) filter = harness_filter (h);

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    GstBuffer *from = frame_new (&info, LAYOUT_DEFAULT, i);

    add_keypoints (from, usual, 1 + i % G_N_ELEMENTS (usual));
    add_region (from, i, i, 30, 25);
    g_object_set (filter, "draw", steps[i].draw,
        "keypoint-color", steps[i].style.keypoint_color,
        "region-color", steps[i].style.region_color,
        "line-width", steps[i].style.line_width, NULL);
    check_drawn (h, &info, from, &steps[i].style, (steps[i].draw & 1) != 0,
        (steps[i].draw & 2) != 0);
  }
}

GST_END_TEST;

/* Tests numbers that are far out of range for any frame. */
GST_START_TEST (test_out_of_range)
{
  static const gint sizes[][2] = { {40, 30}, {1, 1}, {3, 70} };
  static const GstMgpuKeypoint bad[] = {
    {NAN, NAN, NAN, NAN, NAN, G_MININT, G_MAXINT}, {5, 5, INFINITY, 30, 0, 0,
        0},
    {INFINITY, 5, 5, 5, 0, 0, 0}, {5, -INFINITY, 5, 5, 0, 0, 0},
    {5, 5, -5, 5, 0, 0, 0}, {1e38f, -1e38f, 1e38f, 1e38f, 0, 0, 0},
    {-2030, 9, 4094, 0, 0, 0, 0}, {9, 2040, 8000, 90, 0, 0, 0},
    {8, 8, 0, INFINITY, 0, 0, 0}, {4, 3, 1e-40f, -1e-40f, 0, 0, 0}
  };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    g_autoptr (GstHarness) h = gst_harness_new_parse (PLAIN);
    GstCaps *caps = caps_new (GST_VIDEO_FORMAT_NV12, sizes[i][0], sizes[i][1],
        FALSE);
    GstVideoInfo info;
    GstBuffer *from;

    fail_unless (gst_video_info_from_caps (&info, caps));
    gst_harness_set_caps (h, gst_caps_ref (caps), caps);
    from = frame_new (&info, LAYOUT_DEFAULT, i);
    add_keypoints (from, bad, G_N_ELEMENTS (bad));
    add_region (from, G_MININT, 3, G_MAXUINT, 9);
    add_region (from, -7, -G_MAXINT, 20, G_MAXINT);
    add_region (from, G_MAXINT, G_MAXINT, G_MAXUINT, G_MAXUINT);
    add_region (from, 0, 0, G_MAXUINT, G_MAXUINT);
    add_region (from, 2, 2, 1, 1);
    add_region (from, 3, 3, 0, 0);
    check_drawn (h, &info, from, &defaults, TRUE, TRUE);
  }
}

GST_END_TEST;

GST_START_TEST (test_many_keypoints)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 64, 48);
  const guint n = 10000;
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h =
      harness_new (PLAIN " keypoint-color=0x30ffffff", caps, caps);
  g_autofree GstMgpuKeypoint *keypoints = g_new0 (GstMgpuKeypoint, n);
  const Style style = { 0x30ffffff, AMBER, 1.5 };
  GstBuffer *from = frame_new (&info, LAYOUT_DEFAULT, 1);

  for (guint i = 0; i < n; i++) {
    keypoints[i].x = i * 37 % 640 / 10.f;
    keypoints[i].y = i * 61 % 480 / 10.f;
    keypoints[i].size = i % 23;
    keypoints[i].angle = i % 360;
  }
  add_keypoints (from, keypoints, n);
  check_drawn (h, &info, from, &style, TRUE, TRUE);
}

GST_END_TEST;

GST_START_TEST (test_bad_values)
{
  g_autoptr (GstElement) element =
      gst_element_factory_make ("mgpuoverlay", NULL);
  const gdouble values[] = { NAN, 0.5, 17, -INFINITY, INFINITY };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    set_badly (element, "line-width", values[i]);
}

GST_END_TEST;

/* Pushes a frame with one object with the id 23, or without an object if @x is negative. Compares
 * the output with a drawing whose trail goes through the @n positions, the last of which is the
 * object's position. */
static void
check_trail (GstHarness * h, const GstVideoInfo * info, gint x,
    const gint * places, guint n)
{
  const Style style = { GREEN, 0xffff0000, 2 };
  g_autoptr (GstBuffer) want = NULL, to = NULL;
  GstBuffer *from = frame_new (info, LAYOUT_DEFAULT, 3);
  RefOverlayColour colours[2], colour;
  GstVideoFrame mapped;
  RefOverlay frame;

  want = gst_buffer_copy_deep (from);
  if (x >= 0)
    gst_video_region_of_interest_meta_add_param
        (gst_buffer_add_video_region_of_interest_meta (from, NULL, x, 10, 20,
            31), gst_structure_new ("object_id", "id", G_TYPE_INT, 23, NULL));
  fail_unless (gst_video_frame_map (&mapped, info, want, GST_MAP_READWRITE));
  frame = ref_overlay (&mapped, &style, colours);
  ref_overlay_colour (0xff000000 | ref_overlay_id_colours[23 % 12], &(RefColour) {
      .rgb = 1,.full_range = 1,.max = 255}
      , &colour);
  for (guint i = 0; i + 1 < n; i++)
    ref_overlay_line (&frame, &colour, 2, places[i] + 10, 41,
        places[i + 1] + 10, 41);
  if (x >= 0)
    ref_overlay_region (&frame, &colour, 2, x, 10, 20, 31);
  gst_video_frame_unmap (&mapped);
  to = harness_push_pull (h, from);
  fail_unless_same_frame (info, to, want);
}

/* Tests that an object with an id has its own color, and a trail over the last frames. A flush ends
 * the trail, and so does disabling the element. */
GST_START_TEST (test_trail)
{
  const gchar *caps = HOST_CAPS ("RGB", 128, 64);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h =
      harness_new ("mgpuoverlay name=f draw=regions text-color=0 "
      "line-width=2 trail-length=3", caps, caps);
  g_autoptr (GstElement) filter = harness_filter (h);
  static const gint places[] = { 10, 13, 20, 20, 28, 40, 52, 60 };

  for (guint round = 0; round < 2; round++) {
    for (guint i = 0; i < 6; i++) {
      guint first = i > 3 ? i - 3 : 0;

      check_trail (h, &info, places[i], places + first, i + 1 - first);
    }
    /* Removes the object, so that its trail becomes shorter. */
    for (guint i = 6; i < 9; i++)
      check_trail (h, &info, -1, places + i - 3, MIN (9 - i, 6 - (i - 3)));
    check_trail (h, &info, -1, NULL, 0);
    check_trail (h, &info, places[0], places, 1);
    check_trail (h, &info, places[1], places, 2);
    if (round == 0) {
      flush (h);
    } else {
      g_object_set (filter, "enabled", FALSE, NULL);
      check_passes (h, frame_new (&info, LAYOUT_DEFAULT, 3));
      g_object_set (filter, "enabled", TRUE, NULL);
    }
  }
  check_trail (h, &info, places[1], places + 1, 1);
  g_object_set (filter, "trail-length", 0, NULL);
  check_trail (h, &info, places[2], places + 2, 1);
  check_trail (h, &info, places[4], places + 4, 1);
}

GST_END_TEST;

/* Tests more objects than the maximum number of trails, and ids of any size. */
GST_START_TEST (test_many_trails)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 128, 64);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h =
      harness_new ("mgpuoverlay name=f draw=regions", caps, caps);

  for (guint i = 0; i < 4; i++) {
    GstBuffer *from = frame_new (&info, LAYOUT_DEFAULT, i);

    for (guint j = 0; j < 1500; j++)
      gst_video_region_of_interest_meta_add_param
          (gst_buffer_add_video_region_of_interest_meta (from, "a", j % 100 + i,
              j % 40, 5, 5), gst_structure_new ("tracking", "id", G_TYPE_UINT64,
              j == 7 ? (guint64) G_MAXINT64 : j, NULL));
    gst_buffer_unref (harness_push_pull (h, from));
  }
}

GST_END_TEST;

GST_START_TEST (test_caps_change)
{
  static const gint sizes[][2] = { {64, 48}, {20, 90}, {1, 1}, {130, 17} };
  g_autoptr (GstHarness) h = gst_harness_new_parse (PLAIN);

  gst_harness_set_sink_caps_str (h, "ANY");
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    GstCaps *caps = caps_new (i % 2 ? GST_VIDEO_FORMAT_BGRx
        : GST_VIDEO_FORMAT_I420, sizes[i][0], sizes[i][1], FALSE);
    GstVideoInfo info;
    GstBuffer *from;

    fail_unless (gst_video_info_from_caps (&info, caps));
    gst_harness_set_src_caps (h, caps);
    from = frame_new (&info, LAYOUT_DEFAULT, i);
    add_keypoints (from, usual, G_N_ELEMENTS (usual));
    check_drawn (h, &info, from, &defaults, TRUE, TRUE);
  }
}

GST_END_TEST;

/* Tests that the host does not copy a frame between mgpusift, which finds keypoints, and
 * mgpuoverlay, which draws them. The other branch of a tee gets the frame without the drawing. */
GST_START_TEST (test_chain)
{
  g_autoptr (GstElement) pipeline =
      gst_parse_launch ("videotestsrc num-buffers=3 " "pattern=snow ! "
      HOST_CAPS ("NV12", 97,
          66) " ! mgpusift ! tee name=t  "
      "t. ! queue ! mgpuoverlay name=f draw=keypoints ! fakesink name=a  "
      "t. ! queue ! fakesink name=b", NULL);
  GstVideoInfo info = info_from_string (HOST_CAPS ("NV12", 97, 66));
  g_autoptr (GstElement) filter = gst_bin_get_by_name (GST_BIN (pipeline), "f");
  GstBuffer *frames[2];

  fail_unless_no_error (run_to_end (pipeline));
  for (guint i = 0; i < 2; i++) {
    g_autoptr (GstElement) sink =
        gst_bin_get_by_name (GST_BIN (pipeline), i ? "b" : "a");
    g_autoptr (GstSample) sample = NULL;

    g_object_get (sink, "last-sample", &sample, NULL);
    frames[i] = gst_buffer_copy_deep (gst_sample_get_buffer (sample));
  }
  fail_unless (count_differences (&info, frames[0], frames[1]) > 100);
  reference (frames[1], &info, &defaults, TRUE, TRUE);
  fail_unless_same_frame (&info, frames[0], frames[1]);
  fail_unless_equals_uint64 (get_stat (filter, "frames"), 3);
  if (device_is_unified ())
    fail_unless_equals_uint64 (get_stat (filter, "uploads"), 0);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_buffer_unref (frames[0]);
  gst_buffer_unref (frames[1]);
}

GST_END_TEST;

/* Returns: red, green and blue, in this order, of the pixel at (x, y), each 0 or 1 */
static guint
get_rgb (const GstMapInfo * map, guint x, guint y)
{
  const guint8 *p = map->data + (y * 64 + x) * 4;

  return (p[0] > 127) << 2 | (p[1] > 127) << 1 | (p[2] > 127);
}

/* Tests the drawing of a tag that is rotated about its x axis: outline, a line across its upper
 * left corner, and axes. The camera has a focal length of 100 pixels and looks at (32, 24). */
GST_START_TEST (test_tags)
{
  g_autoptr (GstHarness) h = harness_new (__i__ == 0 ? "mgpuoverlay name=f"
      : "mgpuoverlay name=f draw=keypoints+regions+text+pictures",
      HOST_CAPS ("RGBA", 64, 48), HOST_CAPS ("RGBA", 64, 48));
  GstMgpuTag tag = {.family = "tag16h5",.roi_id = -1,.size = 0.5,.n_poses = 1,
    .poses = {{{1, 0, 0, 0, 0.8, -0.6, 0, 0.6, 0.8}, {0, 0, 1.6}, 0}
        }
  };
  static const gint signs[4][2] = { {-1, -1}, {1, -1}, {1, 1}, {-1, 1} };
  GstBuffer *in = gst_buffer_new_allocate (NULL, 64 * 48 * 4, NULL);
  g_autoptr (GstBuffer) out = NULL;
  GstMapInfo map;

  for (guint i = 0; i < 4; i++) {
    gdouble z = 1.6 + 0.25 * 0.6 * signs[i][1];

    tag.corners[2 * i] = 32 + 100 * 0.25 * signs[i][0] / z;
    tag.corners[2 * i + 1] = 24 + 100 * 0.25 * 0.8 * signs[i][1] / z;
  }
  gst_buffer_memset (in, 0, 0, -1);
  gst_buffer_add_mgpu_tag_meta (in, &tag, 1, NULL);
  out = harness_push_pull (h, in);
  fail_unless (gst_buffer_map (out, &map, GST_MAP_READ));
  if (__i__ > 0) {
    for (gsize i = 0; i < map.size; i++)
      fail_unless (map.data[i] == 0);
  } else {
    /* Upper and lower side of the tag, in yellow */
    fail_unless_equals_int (get_rgb (&map, 32, 10), 6);
    fail_unless_equals_int (get_rgb (&map, 32, 35), 6);
    /* The x axis in red, the y axis in green, and nothing at the same distance to the left */
    fail_unless_equals_int (get_rgb (&map, 40, 24), 4);
    fail_unless_equals_int (get_rgb (&map, 32, 30), 2);
    fail_unless_equals_int (get_rgb (&map, 24, 24), 0);
    /* The z axis ends at y = 24 - 100 * 0.15 / 1.8. */
    fail_unless_equals_int (get_rgb (&map, 32, 18) & 3, 1 | (get_rgb (&map, 32,
                18) & 2));
    fail_unless_equals_int (get_rgb (&map, 32, 13), 0);
  }
  gst_buffer_unmap (out, &map);
}

GST_END_TEST;

/* Tests tags at positions that no camera can show: nothing is drawn, and nothing fails. */
GST_START_TEST (test_bad_tags)
{
  static const gdouble corners[][8] = {
    {1, 1, 2, 1, 3, 1, 4, 1}, {NAN, 0, 1, 0, 1, 1, 0, 1},
    {-1e300, -1e300, 1e300, -1e300, 1e300, 1e300, -1e300, 1e300},
    {-90000, 5, -89990, 5, -89990, 15, -90000, 15}
  };
  g_autoptr (GstHarness) h = harness_new ("mgpuoverlay name=f",
      HOST_CAPS ("GRAY8", 64, 48), HOST_CAPS ("GRAY8", 64, 48));
  GstMgpuTag tags[G_N_ELEMENTS (corners)] = { {0} };
  GstBuffer *in = gst_buffer_new_allocate (NULL, 64 * 48, NULL);
  g_autoptr (GstBuffer) out = NULL;
  GstMapInfo map;

  for (guint i = 0; i < G_N_ELEMENTS (corners); i++) {
    tags[i] = (GstMgpuTag) {
    .family = "tag16h5",.roi_id = -1,.size = 0.1,.n_poses = 1};
    memcpy (tags[i].corners, corners[i], sizeof (corners[i]));
  }
  gst_buffer_memset (in, 0, 0, -1);
  gst_buffer_add_mgpu_tag_meta (in, tags, G_N_ELEMENTS (corners), NULL);
  out = harness_push_pull (h, in);
  fail_unless (gst_buffer_map (out, &map, GST_MAP_READ));
  for (gsize i = 0; i < map.size; i++)
    fail_unless (map.data[i] == 0);
  gst_buffer_unmap (out, &map);
}

GST_END_TEST;

/* Tests that lines, polygons and circles of mgputrack are drawn, also in frames without objects. */
GST_START_TEST (test_places)
{
  static const gint on[][2] = { {5, 24}, {60, 24}, {32, 12}, {32, 36}, {20, 24},
  {8, 3}, {3, 6}
  };
  static const gint off[][2] = { {32, 18}, {10, 40}, {60, 5}, {8, 10} };
  g_autoptr (GstHarness) h = harness_new ("mgputrack lines=door:0,0.5,1,0.5 "
      "circles=table:0.5,0.5,0.25 zones=corner:0.05,0.0625,0.2,0.0625,0.2,0.3,0.05,0.3 "
      "! mgpuoverlay draw=places line-width=2", HOST_CAPS ("RGB", 64, 48),
      "video/x-raw");
  GstBuffer *in = gst_buffer_new_allocate (NULL, 64 * 48 * 3, NULL);
  g_autoptr (GstBuffer) out = NULL;
  guint8 pixel[3];

  gst_buffer_memset (in, 0, 0, 64 * 48 * 3);
  out = harness_push_pull (h, in);
  for (guint i = 0; i < G_N_ELEMENTS (on); i++) {
    gst_buffer_extract (out, 3 * (on[i][1] * 64 + on[i][0]), pixel, 3);
    fail_unless (pixel[0] + pixel[1] + pixel[2] > 100, "%d,%d", on[i][0],
        on[i][1]);
  }
  for (guint i = 0; i < G_N_ELEMENTS (off); i++) {
    gst_buffer_extract (out, 3 * (off[i][1] * 64 + off[i][0]), pixel, 3);
    fail_unless (pixel[0] + pixel[1] + pixel[2] == 0, "%d,%d", off[i][0],
        off[i][1]);
  }
}

GST_END_TEST;

/* Attaches a flow field with one sample per pixel to the frame @in of 64x48 pixels. Nothing moves
 * except the samples at (24, 8), with full confidence, at (40, 24), with low confidence, and at (8,
 * 40), whose motion is unknown. */
static void
add_flow (GstBuffer * in, GstMgpuFlowField field)
{
  GstMgpuFlowMeta *meta =
      gst_buffer_add_mgpu_flow_meta (in, 64, 48, 0, GST_BUFFER_OFFSET_NONE);
  gint16 samples[48][64][2] = { 0 };
  guint8 confidence[48][64];

  memset (confidence, 255, sizeof (confidence));
  samples[8][24][0] = 32 * 10;
  samples[8][24][1] = 32 * 5;
  samples[24][40][0] = 32 * 9;
  confidence[24][40] = 127;
  samples[40][8][0] = samples[40][8][1] = GST_MGPU_FLOW_NONE;
  gst_mgpu_flow_meta_set_field (meta, field,
      gst_buffer_new_memdup (samples, sizeof (samples)),
      gst_buffer_new_memdup (confidence, sizeof (confidence)));
}

/* Tests that flow arrows point from the previous position of a pixel to its position in the frame;
 * there is no arrow where the flow is short, unsure or unknown. */
GST_START_TEST (test_flow)
{
  /* Points of the arrow: both ends, and one of its head */
  static const gint on[2][3][2] = {
    {{24, 8}, {34, 13}, {27, 7}}, {{24, 8}, {34, 13}, {32, 14}}
  };
  static const gint off[][2] =
      { {40, 24}, {45, 24}, {8, 40}, {8, 8}, {56, 40} };
  g_autoptr (GstHarness) h =
      harness_new ("mgpuoverlay draw=flow line-width=2", HOST_CAPS ("GRAY8", 64,
          48), "video/x-raw");
  GstBuffer *in = gst_buffer_new_allocate (NULL, 64 * 48, NULL);
  g_autoptr (GstBuffer) out = NULL;
  guint8 pixel;

  gst_buffer_memset (in, 0, 0, -1);
  add_flow (in, (GstMgpuFlowField) __i__);
  out = harness_push_pull (h, in);
  for (guint i = 0; i < 3; i++) {
    gst_buffer_extract (out, on[__i__][i][1] * 64 + on[__i__][i][0], &pixel, 1);
    fail_unless (pixel > 40, "%d,%d", on[__i__][i][0], on[__i__][i][1]);
  }
  for (guint i = 0; i < G_N_ELEMENTS (off); i++) {
    gst_buffer_extract (out, off[i][1] * 64 + off[i][0], &pixel, 1);
    fail_unless (pixel == 0, "%d,%d", off[i][0], off[i][1]);
  }
  /* Checks that the arrow has no head at the other end. */
  gst_buffer_extract (out, on[!__i__][2][1] * 64 + on[!__i__][2][0], &pixel, 1);
  fail_unless (pixel == 0);
}

GST_END_TEST;

CHECK_TESTS (mgpuoverlay)
{
  tcase_add_loop_test (tc, test_flow, 0, 2);
  tcase_add_loop_test (tc, test_formats, 0, N_ALL_FORMATS);
  tcase_add_test (tc, test_device_frame);
  tcase_add_loop_test (tc, test_tags, 0, 2);
  tcase_add_test (tc, test_bad_tags);
  tcase_add_test (tc, test_passes);
  tcase_add_test (tc, test_live);
  tcase_add_test (tc, test_out_of_range);
  tcase_add_test (tc, test_many_keypoints);
  tcase_add_test (tc, test_bad_values);
  tcase_add_test (tc, test_trail);
  tcase_add_test (tc, test_many_trails);
  tcase_add_test (tc, test_caps_change);
  tcase_add_test (tc, test_chain);
  tcase_add_test (tc, test_places);
}
