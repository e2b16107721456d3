/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests mgpuremap: frames compared with the reference, files, caps, changes in PLAYING, errors. */
#include <gst/controller/controller.h>

#include "remapfile.h"

static void
push_and_check (GstHarness * h, const GstVideoInfo * info, Layout layout,
    const RemapCase * c)
{
  g_autoptr (GstBuffer) from = frame_new (info, layout, 3), to = NULL;
  GstVideoInfo made;

  to = harness_push_pull (h, gst_buffer_ref (from));
  made = harness_out_info (h);
  fail_unless_remapped (info, from, &made, to, c);
}

/* ---- Frames --------------------------------------------------------------------------- */

GST_START_TEST (test_formats)
{
  static const RemapCase c = { "input=perspective input-fov=60 fov=75 pan=10 "
        "tilt=-5 roll=20", REF_LENS_BROWN, 60, {0}, REF_VIEW_PERSPECTIVE, 75,
  10, -5, 20
  };
  static const gint sizes[][2] = { {37, 23}, {1, 1}, {2, 3} };
  g_autoptr (GstHarness) h = remap_open (path, c.properties);

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    GstCaps *caps = caps_new (all_formats[__i__], sizes[i][0], sizes[i][1],
        FALSE);
    GstVideoInfo info;

    fail_unless (gst_video_info_from_caps (&info, caps));
    gst_harness_set_src_caps (h, caps);
    push_and_check (h, &info, i == 0 ? LAYOUT_ODD : LAYOUT_DEFAULT, &c);
  }
}

GST_END_TEST;

/* One case for each projection of input and output, each interpolation and each kind of edges */
static const RemapCase cases[] = {
  {"input=fisheye projection=perspective fov=90 pan=-20 edges=repeat "
        "interpolation=cubic", REF_LENS_FISHEYE, 180, {0}, REF_VIEW_PERSPECTIVE,
      90, -20, 0, 0, REF_EDGES_REPEAT, REF_CUBIC},
  {"input=fisheye input-fov=200 projection=equirect fov=360 edges=color "
        "color=0xff30a0f0", REF_LENS_FISHEYE, 200, {0}, REF_VIEW_EQUIRECT, 360,
      .colour = {0x30, 0xa0, 0xf0},.has_colour = TRUE},
  {"input=equirect projection=perspective fov=80 tilt=80 pan=170 "
        "interpolation=lanczos", REF_LENS_EQUIRECT, 360, {0},
      REF_VIEW_PERSPECTIVE, 80, 170, 80,.interpolation = REF_LANCZOS},
  {"input=equirect projection=fisheye fov=220 samples=2 edges=mirror "
        "color=0xff0000ff", REF_LENS_EQUIRECT, 360, {0}, REF_VIEW_FISHEYE, 220,
      .samples = 2,.edges = REF_EDGES_MIRROR,.colour = {0, 0, 255},.has_colour =
      TRUE},
  {"input=equirect projection=stereographic fov=250 tilt=-90 samples=4",
        REF_LENS_EQUIRECT, 360, {0}, REF_VIEW_STEREOGRAPHIC, 250, 0, -90,
      .samples = 4},
  {"input=perspective input-fov=100 projection=cylinder fov=150 roll=90",
      REF_LENS_BROWN, 100, {0}, REF_VIEW_CYLINDER, 150,.roll = 90},
  {"location=FILE alpha=-1 edges=mirror", REF_LENS_BROWN, 0, CAMERA,
      REF_VIEW_PERSPECTIVE, 0,.edges = REF_EDGES_MIRROR},
  {"location=FILE camera=1 fov=40 pan=3", REF_LENS_BROWN, 0, CAMERA,
      REF_VIEW_PERSPECTIVE, 40, 3},
  {"location=FILE camera=M2 fov=60 tilt=9", REF_LENS_BROWN, 0, {.lens =
              REF_LENS_BROWN,.focal = {70, 70},.centre = {32, 24},.beta =
          1,.width = 64,.height = 48}, REF_VIEW_PERSPECTIVE, 60, 0, 9}
};

GST_START_TEST (test_projections)
{
  const RemapCase *c = &cases[__i__];
  g_autoptr (GstHarness) h = remap_open (path, c->properties);
  const gchar *caps = HOST_CAPS ("RGB", 64, 48);
  GstVideoInfo info = info_from_string (caps);

  gst_harness_set_src_caps_str (h, caps);
  push_and_check (h, &info, LAYOUT_PADDED, c);
}

GST_END_TEST;

/* Tests that "color" is converted to the frame's format, and that edges=black is black whatever
 * "color" is. */
GST_START_TEST (test_color)
{
  static const struct
  {
    const gchar *properties, *format;
    gint colour[4];
  } colours[] = {
    {"edges=color color=0xffff0000", "RGBA", {255, 0, 0, 255}},
    {"edges=color color=0x80ff0000", "RGBA", {255, 0, 0, 128}},
    {"edges=color color=0x80ff0000", "GRAY8", {76}},
    {"edges=color color=0xffff0000", "Y444", {81, 90, 240}},
    {"edges=mirror color=0xffff0000", "GRAY8", {76}},
    {"edges=black color=0xffff0000", "GRAY8", {0}},
    {"edges=black color=0xffff0000", "Y444", {16, 128, 128}}
  };

  for (guint i = 0; i < G_N_ELEMENTS (colours); i++) {
    g_autofree gchar *properties = g_strconcat
        ("input=fisheye projection=fisheye fov=359 ", colours[i].properties,
        NULL);
    g_autofree gchar *caps = g_strdup_printf ("video/x-raw,format=%s,width=32,"
        "height=32,framerate=25/1,colorimetry=%s", colours[i].format,
        strstr (colours[i].format, "Y4") ? "bt601" : "1:1:5:1");
    GstVideoInfo info = info_from_string (caps);
    g_autoptr (GstHarness) h = remap_open (path, properties);
    g_autoptr (GstBuffer) to = NULL;
    GstVideoFrame frame;

    gst_harness_set_src_caps_str (h, caps);
    to = harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT, 1));
    fail_unless (gst_video_frame_map (&frame, &info, to, GST_MAP_READ));
    for (guint k = 0; k < GST_VIDEO_INFO_N_COMPONENTS (&info); k++) {
      const guint8 *corner = GST_VIDEO_FRAME_COMP_DATA (&frame, k);

      fail_unless (ABS (*corner - colours[i].colour[k]) <= 1,
          "%s: component %u of the corner is %u", properties, k, *corner);
    }
    gst_video_frame_unmap (&frame);
  }
}

GST_END_TEST;

/* Tests that frames in device memory stay on the device; frames in host memory are copied to it and
 * back if necessary. */
GST_START_TEST (test_memory)
{
  const RemapCase *c = &cases[0];
  const gchar *caps = DEVICE_CAPS ("NV12", 64, 48);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = remap_open (path, c->properties);
  g_autoptr (GstMgpuContext) context = NULL;
  g_autoptr (GstBuffer) from = NULL, to = NULL;

  gst_harness_set_sink_caps_str (h, DEVICE_CAPS ("NV12", 64, 48));
  gst_harness_set_src_caps_str (h, caps);
  context = harness_context (h);
  from = device_frame_new (context, &info, 9);
  to = harness_push_pull (h, gst_buffer_ref (from));
  fail_unless (gst_is_mgpu_memory (gst_buffer_peek_memory (to, 0)));
  fail_unless_equals_uint64 (harness_stat (h, "downloads"), 0);
  fail_unless_remapped (&info, from, &info, to, c);
}

GST_END_TEST;

/* Tests that metas with positions that mgpuremap does not know are dropped, and metas without
 * positions are kept. */
GST_START_TEST (test_metas)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 64, 48);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = remap_open (path, cases[0].properties);
  GstBuffer *from = frame_new (&info, LAYOUT_DEFAULT, 1);
  g_autoptr (GstCaps) reference = gst_caps_from_string ("timestamp/x-test");
  g_autoptr (GstBuffer) to = NULL;

  gst_buffer_add_video_crop_meta (from);
  gst_buffer_add_reference_timestamp_meta (from, reference, 1, 2);
  gst_harness_set_src_caps_str (h, caps);
  to = harness_push_pull (h, from);
  fail_if (gst_buffer_get_video_crop_meta (to));
  fail_unless (gst_buffer_get_reference_timestamp_meta (to, reference));
}

GST_END_TEST;

/* ---- Caps ----------------------------------------------------------------------------- */

GST_START_TEST (test_sizes)
{
  static const struct
  {
    const gchar *properties, *in, *sink;
    gint width, height;
  } sizes[] = {
    {"", HOST_CAPS ("NV12", 64, 48), "video/x-raw", 64, 48},
    {"", HOST_CAPS ("NV12", 64, 48), "video/x-raw,width=33", 33, 48},
    {"", HOST_CAPS ("NV12", 64, 48), "video/x-raw,width=30,height=20", 30, 20},
    {"", HOST_CAPS ("NV12", 64, 48), "video/x-raw,height=[1,40]", 64, 40},
    /* Input frames of this size have another default colorimetry than the output. */
    {"", HOST_CAPS ("NV12", 1280, 720), "video/x-raw,width=64,height=48", 64,
        48},
    {"projection=equirect", HOST_CAPS ("NV12", 64, 48), "video/x-raw", 64, 32},
    {"projection=equirect", HOST_CAPS ("NV12", 65, 48),
        "video/x-raw,width=101", 101, 51},
    {"projection=equirect", HOST_CAPS ("NV12", 65, 48),
        "video/x-raw,width=100,height=20", 100, 20}
  };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    g_autofree gchar *properties = g_strconcat ("input=fisheye ",
        sizes[i].properties, NULL);
    GstVideoInfo info = info_from_string (sizes[i].in), made;
    g_autoptr (GstHarness) h = remap_open (path, properties);

    gst_harness_set_sink_caps_str (h, sizes[i].sink);
    gst_harness_set_src_caps_str (h, sizes[i].in);
    gst_buffer_unref (harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT,
                1)));
    made = harness_out_info (h);
    fail_unless_equals_int (made.width, sizes[i].width);
    fail_unless_equals_int (made.height, sizes[i].height);
    fail_unless_equals_int (made.par_n, made.par_d);
    fail_unless_equals_int (made.fps_n, 25);
    fail_unless (made.colorimetry.matrix == info.colorimetry.matrix
        && made.colorimetry.range == info.colorimetry.range
        && made.chroma_site == info.chroma_site);
  }
}

GST_END_TEST;

/* Tests that new caps and a new projection take effect with the next frame. */
GST_START_TEST (test_caps_change)
{
  static const gchar *const caps[] = {
    HOST_CAPS ("RGB", 64, 48), HOST_CAPS ("GRAY8", 128, 96),
    HOST_CAPS ("RGB", 64, 48)
  };
  RemapCase c = cases[7];
  g_autoptr (GstHarness) h = remap_open (path, c.properties);
  g_autoptr (GstElement) filter = harness_filter (h);
  GstVideoInfo info, made;

  for (guint i = 0; i < G_N_ELEMENTS (caps); i++) {
    info = info_from_string (caps[i]);
    gst_harness_set_src_caps_str (h, caps[i]);
    if (i == 1) {
      /* The calibration is scaled. */
      for (guint k = 0; k < 2; k++) {
        c.camera.focal[k] *= 2;
        c.camera.centre[k] = (c.camera.centre[k] + 0.5) * 2 - 0.5;
      }
      c.camera.width = 128;
      c.camera.height = 96;
    } else {
      c.camera = cases[7].camera;
    }
    push_and_check (h, &info, LAYOUT_DEFAULT, &c);
  }
  gst_util_set_object_arg (G_OBJECT (filter), "projection", "equirect");
  c.projection = REF_VIEW_EQUIRECT;
  push_and_check (h, &info, LAYOUT_DEFAULT, &c);
  made = harness_out_info (h);
  fail_unless_equals_int (made.height, 32);
}

GST_END_TEST;

/* ---- Sizes of calibrations ------------------------------------------------------------ */

GST_START_TEST (test_crop)
{
  RemapCase c = cases[6];
  g_autoptr (GstHarness) h =
      remap_open (path, "location=FILE alpha=-1 edges=mirror fit=crop");
  const gchar *caps = HOST_CAPS ("GRAY8", 50, 40);
  GstVideoInfo info = info_from_string (caps);

  c.camera.centre[0] -= 7;
  c.camera.centre[1] -= 4;
  c.camera.width = 50;
  c.camera.height = 40;
  gst_harness_set_src_caps_str (h, caps);
  push_and_check (h, &info, LAYOUT_DEFAULT, &c);
}

GST_END_TEST;

/* Tests that a calibration file without a frame size fits frames of any size. */
GST_START_TEST (test_no_size)
{
  RemapCase c = cases[6];
  g_autoptr (GstHarness) h =
      remap_open (path, "location=FILE alpha=-1 edges=mirror fit=refuse");
  const gchar *caps = HOST_CAPS ("GRAY8", 50, 40);
  GstVideoInfo info = info_from_string (caps);

  replace_file (path, FILE ("", K, D), -1);
  c.camera.width = 50;
  c.camera.height = 40;
  gst_harness_set_src_caps_str (h, caps);
  push_and_check (h, &info, LAYOUT_DEFAULT, &c);
}

GST_END_TEST;

/* Tests rectification: in the file, R2 rotates the view by 90 degrees, and P2 is the camera matrix
 * of the view. */
GST_START_TEST (test_rectify)
{
  g_autoptr (GstHarness) h =
      remap_open (path, "location=FILE camera=2 rectify=true");
  const gchar *caps = HOST_CAPS ("GRAY8", 64, 48);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstBuffer) from = frame_new (&info, LAYOUT_DEFAULT, 3), to = NULL;
  g_autoptr (GstBuffer) expected = gst_buffer_copy_deep (from);
  RefCamera camera = cases[8].camera;
  RefView view = { REF_VIEW_PERSPECTIVE, {50, 55}, {20, 25},
  {0, -1, 0, 1, 0, 0, 0, 0, 1}, 64, 48
  };
  GstVideoFrame in, out;
  RefWarpPlane plane = { 0 };
  RefPlane made;
  RefMap map;

  gst_harness_set_src_caps_str (h, caps);
  to = harness_push_pull (h, gst_buffer_ref (from));
  ref_camera_prepare (&camera);
  ref_map_make (&camera, &view, &map);
  fail_unless (gst_video_frame_map (&in, &info, from, GST_MAP_READ));
  fail_unless (gst_video_frame_map (&out, &info, expected, GST_MAP_WRITE));
  plane.plane = ref_plane (&in, 0);
  made = ref_plane (&out, 0);
  ref_remap (&plane, &made, &map, REF_EDGES_BLACK, REF_BILINEAR, 1, 0);
  gst_video_frame_unmap (&out);
  gst_video_frame_unmap (&in);
  ref_map_clear (&map);
  fail_unless_same_frame (&info, to, expected);
}

GST_END_TEST;

/* Tests that caps are also fixated if no element is downstream. */
GST_START_TEST (test_unlinked)
{
  g_autoptr (GstElement) pipeline = gst_parse_launch ("videotestsrc "
      "num-buffers=1 ! video/x-raw,width=64,height=32 ! mgpuremap "
      "input=equirect", NULL);
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message = NULL;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE,
      GST_MESSAGE_ERROR | GST_MESSAGE_EOS);
  fail_unless_equals_int (GST_MESSAGE_TYPE (message), GST_MESSAGE_ERROR);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

GST_END_TEST;

/* ---- Changes in PLAYING --------------------------------------------------------------- */

/* Tests many views of a controller: each frame equals the frame of an element that was started with
 * this view. */
GST_START_TEST (test_controller)
{
  const gchar *caps = HOST_CAPS ("NV12", 64, 48);
  GstVideoInfo info = info_from_string (caps);
  RemapCase c = { "animated", REF_LENS_FISHEYE, 180, {0},
  REF_VIEW_PERSPECTIVE, 70
  };
  g_autoptr (GstHarness) h = remap_open (path, "input=fisheye fov=70");
  g_autoptr (GstElement) filter = harness_filter (h);
  g_autoptr (GstControlSource) source = gst_interpolation_control_source_new ();

  g_object_set (source, "mode", GST_INTERPOLATION_MODE_LINEAR, NULL);
  fail_unless (gst_object_add_control_binding (GST_OBJECT (filter),
          gst_direct_control_binding_new_absolute (GST_OBJECT (filter), "pan",
              source)));
  gst_timed_value_control_source_set (GST_TIMED_VALUE_CONTROL_SOURCE (source),
      0, -60);
  gst_timed_value_control_source_set (GST_TIMED_VALUE_CONTROL_SOURCE (source),
      60 * GST_SECOND, 60);
  gst_harness_set_src_caps_str (h, caps);
  for (guint i = 0; i <= 60; i++) {
    g_autoptr (GstBuffer) from = frame_new (&info, LAYOUT_DEFAULT, i);
    g_autoptr (GstBuffer) to = NULL;

    GST_BUFFER_PTS (from) = i * GST_SECOND;
    to = harness_push_pull (h, gst_buffer_ref (from));
    g_object_get (filter, "pan", &c.pan, NULL);
    fail_unless_equals_float (c.pan, 2. * i - 60);
    fail_unless_remapped (&info, from, &info, to, &c);
  }
}

GST_END_TEST;

/* Tests that a property value with which nothing can be shown keeps the previous view, with one
 * warning. */
GST_START_TEST (test_warnings)
{
  const gchar *caps = HOST_CAPS ("RGB", 64, 48);
  GstVideoInfo info = info_from_string (caps);
  RemapCase c = cases[7];
  g_autoptr (GstHarness) h = remap_open (path, c.properties);
  g_autoptr (GstElement) filter = harness_filter (h);
  g_autoptr (GstBus) bus = gst_bus_new ();
  g_autofree gchar *missing = g_strconcat (path, ".missing", NULL);

  gst_element_set_bus (filter, bus);
  gst_harness_set_src_caps_str (h, caps);
  push_and_check (h, &info, LAYOUT_DEFAULT, &c);

  g_object_set (filter, "pan", 180., NULL);
  push_and_check (h, &info, LAYOUT_DEFAULT, &c);
  g_object_set (filter, "pan", 179., NULL);
  push_and_check (h, &info, LAYOUT_DEFAULT, &c);
  check_warning (bus, "no pixel", "\"pan\"");

  g_object_set (filter, "location", missing, NULL);
  push_and_check (h, &info, LAYOUT_DEFAULT, &c);
  g_object_set (filter, "pan", 5., NULL);
  push_and_check (h, &info, LAYOUT_DEFAULT, &c);
  check_warning (bus, missing, "");

  g_object_set (filter, "location", path, NULL);
  c.pan = 5;
  push_and_check (h, &info, LAYOUT_DEFAULT, &c);

  /* Tests that the file is read again when its name is set, and not before. */
  replace_file (path, FILE (SIZE, "40, 0, 32, 0, 40, 24, 0, 0, 1", D), -1);
  g_object_set (filter, "pan", 3., NULL);
  c.pan = 3;
  push_and_check (h, &info, LAYOUT_DEFAULT, &c);
  g_object_set (filter, "location", path, NULL);
  c.camera.focal[0] = c.camera.focal[1] = 40;
  c.camera.centre[0] = 32;
  c.camera.centre[1] = 24;
  push_and_check (h, &info, LAYOUT_DEFAULT, &c);
  fail_if (gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR));
  gst_element_set_bus (filter, NULL);
}

GST_END_TEST;

/* Tests that a view that shows nothing of the frame does not end the stream, also when the frames
 * get new caps: the previous view stays, with one warning. */
GST_START_TEST (test_empty)
{
  RemapCase c = { "input=fisheye input-fov=90 fov=60", REF_LENS_FISHEYE, 90,
    {0}, REF_VIEW_PERSPECTIVE, 60
  };
  static const gchar *const caps[] = {
    HOST_CAPS ("RGB", 64, 48), HOST_CAPS ("RGB", 128, 96),
    HOST_CAPS ("GRAY8", 30, 20)
  };
  GstVideoInfo info;
  g_autoptr (GstHarness) h = remap_open (path, c.properties);
  g_autoptr (GstElement) filter = harness_filter (h);
  g_autoptr (GstBus) bus = gst_bus_new ();

  gst_element_set_bus (filter, bus);
  for (guint i = 0; i < 2 * G_N_ELEMENTS (caps); i++) {
    info = info_from_string (caps[i / 2]);
    gst_harness_set_src_caps_str (h, caps[i / 2]);
    push_and_check (h, &info, LAYOUT_DEFAULT, &c);
    g_object_set (filter, "pan", 180. + i, NULL);
  }
  check_warning (bus, "no pixel", "\"pan\"");
  fail_if (gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR));
  g_object_set (filter, "pan", 8., NULL);
  c.pan = 8;
  push_and_check (h, &info, LAYOUT_DEFAULT, &c);
  gst_element_set_bus (filter, NULL);
}

GST_END_TEST;

/* Tests that a view that shows nothing of frames with new caps has the color of the edges, with one
 * warning. */
GST_START_TEST (test_empty_color)
{
  static const gchar *const caps[] = {
    HOST_CAPS ("GRAY8", 128, 96), HOST_CAPS ("GRAY8", 64, 48)
  };
  g_autoptr (GstHarness) h = remap_open (path, "edges=color color=0xffffffff "
      "corners=100,70,120,70,120,90,100,90");
  g_autoptr (GstElement) filter = harness_filter (h);
  g_autoptr (GstBus) bus = gst_bus_new ();

  gst_element_set_bus (filter, bus);
  for (guint i = 0; i < 5; i++) {
    GstVideoInfo info = info_from_string (caps[i / 2 % 2]);
    GstBuffer *from = frame_new (&info, LAYOUT_DEFAULT, 3);
    g_autoptr (GstBuffer) to = NULL;
    GstMapInfo map;

    gst_buffer_memset (from, 0, 9, -1);
    gst_harness_set_src_caps_str (h, caps[i / 2 % 2]);
    to = harness_push_pull (h, from);
    fail_unless (gst_buffer_map (to, &map, GST_MAP_READ));
    for (gsize k = 0; k < info.size; k++)
      fail_unless_equals_int (map.data[k], i / 2 % 2 ? 255 : 9);
    gst_buffer_unmap (to, &map);
  }
  check_warning (bus, "no pixel", "\"corners\"");
  fail_if (gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR));
  gst_element_set_bus (filter, NULL);
}

GST_END_TEST;

/* Plays one frame through the pipeline. Returns: (transfer full): the frame */
static GstSample *
play (GstElement * pipeline)
{
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline), "s");
  GstSample *sample;

  fail_unless (gst_element_set_state (pipeline, GST_STATE_PAUSED)
      != GST_STATE_CHANGE_FAILURE);
  fail_unless_equals_int (gst_element_get_state (pipeline, NULL, NULL,
          GST_CLOCK_TIME_NONE), GST_STATE_CHANGE_SUCCESS);
  g_object_get (sink, "last-sample", &sample, NULL);
  fail_unless (sample != NULL);
  return sample;
}

/* Tests an element that has shown a view and is started again: a view that then shows nothing does
 * not end the stream, but a missing file does. */
GST_START_TEST (test_restart)
{
  g_autoptr (GstElement) pipeline = gst_parse_launch ("videotestsrc "
      "num-buffers=1 ! video/x-raw,format=RGB,width=64,height=48 ! "
      "mgpuremap name=f input=fisheye input-fov=90 fov=60 ! fakesink name=s",
      NULL);
  g_autoptr (GstElement) filter = gst_bin_get_by_name (GST_BIN (pipeline), "f");
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstSample) first = play (pipeline);
  g_autoptr (GstMessage) message = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 2; i++) {
    g_autoptr (GstSample) again = NULL;
    GstMapInfo map;

    gst_element_set_state (pipeline, i == 0 ? GST_STATE_READY : GST_STATE_NULL);
    g_object_set (filter, "pan", 180., NULL);
    again = play (pipeline);
    fail_unless (gst_buffer_map (gst_sample_get_buffer (first), &map,
            GST_MAP_READ));
    fail_unless (gst_buffer_memcmp (gst_sample_get_buffer (again), 0, map.data,
            map.size) == 0);
    gst_buffer_unmap (gst_sample_get_buffer (first), &map);
    check_warning (bus, "no pixel", "\"pan\"");
  }
  gst_element_set_state (pipeline, GST_STATE_READY);
  g_object_set (filter, "location", "/nowhere.yml", NULL);
  message = run_to_end (pipeline);
  fail_unless (message != NULL);
  gst_message_parse_error (message, &error, NULL);
  fail_unless (g_error_matches (error, GST_RESOURCE_ERROR,
          GST_RESOURCE_ERROR_READ));
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

GST_END_TEST;

/* Tests a first view that shows nothing because of properties that an application or a controller
 * set after the start. It has the color of the edges until there is something to show. */
GST_START_TEST (test_begins_empty)
{
  const gchar *caps = HOST_CAPS ("RGB", 64, 48);
  GstVideoInfo info = info_from_string (caps);
  RemapCase c = { "input=fisheye input-fov=90 fov=60 edges=color "
        "color=0xffffffff", REF_LENS_FISHEYE, 90, {0}, REF_VIEW_PERSPECTIVE, 60,
  .edges = REF_EDGES_BLACK,.colour = {255, 255, 255},.has_colour = TRUE
  };
  g_autoptr (GstHarness) h = remap_open (path, c.properties);
  g_autoptr (GstElement) filter = harness_filter (h);
  g_autoptr (GstBus) bus = gst_bus_new ();

  gst_element_set_bus (filter, bus);
  if (__i__ == 0) {
    g_object_set (filter, "pan", 180., NULL);
  } else {
    g_autoptr (GstControlSource) source =
        gst_interpolation_control_source_new ();

    gst_timed_value_control_source_set (GST_TIMED_VALUE_CONTROL_SOURCE (source),
        0, 180);
    gst_object_add_control_binding (GST_OBJECT (filter),
        gst_direct_control_binding_new_absolute (GST_OBJECT (filter), "pan",
            source));
  }
  gst_harness_set_src_caps_str (h, caps);
  c.pan = 180;
  push_and_check (h, &info, LAYOUT_DEFAULT, &c);
  push_and_check (h, &info, LAYOUT_DEFAULT, &c);
  check_warning (bus, "no pixel", "\"pan\"");
  gst_object_set_control_binding_disabled (GST_OBJECT (filter), "pan", TRUE);
  g_object_set (filter, "pan", 5., NULL);
  c.pan = 5;
  push_and_check (h, &info, LAYOUT_DEFAULT, &c);
  fail_if (gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR));
  gst_element_set_bus (filter, NULL);
}

GST_END_TEST;

/* Tests that a lens model that ends inside of the image causes one warning for each calibration
 * file. */
GST_START_TEST (test_fold)
{
  const gchar *caps = HOST_CAPS ("RGB", 64, 48);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = remap_open (path, "location=FILE alpha=1");
  g_autoptr (GstElement) filter = harness_filter (h);
  g_autoptr (GstBus) bus = gst_bus_new ();

  replace_file (path, FILE (SIZE, "53, 0, 32, 0, 53, 24, 0, 0, 1",
          "0.2958944, -1.035466, 0, 0"), -1);
  gst_element_set_bus (filter, bus);
  gst_harness_set_src_caps_str (h, caps);
  for (guint i = 0; i < 3; i++) {
    g_object_set (filter, "zoom", 1 - 0.1 * i, NULL);
    gst_buffer_unref (harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT,
                1)));
  }
  check_warning (bus, "% of the view shows nothing", "degrees");
  gst_element_set_bus (filter, NULL);
}

GST_END_TEST;

/* ---- Errors --------------------------------------------------------------------------- */

static const struct
{
  const gchar *properties, *caps, *sink;
  gint domain;                  /* domain of the error: 0: GST_STREAM_ERROR, 1:
                                 * GST_RESOURCE_ERROR */
  gint code;
  const gchar *word1, *word2;
} errors[] = {
  {"", HOST_CAPS ("GRAY8", 64, 48), "ANY", 0, GST_STREAM_ERROR_FORMAT,
      "\"location\"", "\"input\""},
  {"input=perspective", HOST_CAPS ("GRAY8", 64, 48), "ANY", 0,
      GST_STREAM_ERROR_FORMAT, "180 degrees", "\"input-fov\""},
  {"input=perspective input-fov=60 pan=180", HOST_CAPS ("GRAY8", 64, 48), "ANY",
      0, GST_STREAM_ERROR_FORMAT, "no pixel", "\"pan\""},
  {"input=fisheye rectify=true", HOST_CAPS ("GRAY8", 64, 48), "ANY", 0,
        GST_STREAM_ERROR_FORMAT, "only with a calibration file",
      "\"rectify\""},
  {"location=FILE rectify=true", HOST_CAPS ("GRAY8", 64, 48), "ANY", 0,
      GST_STREAM_ERROR_FORMAT, "camera.yml", "\"rectify\""},
  {"location=FILE", HOST_CAPS ("GRAY8", 64, 40), "ANY", 0,
      GST_STREAM_ERROR_FORMAT, "64x40", "fit=crop"},
  {"location=FILE", HOST_CAPS ("GRAY8", 48, 64), "ANY", 0,
      GST_STREAM_ERROR_FORMAT, "48x64", "before the element that rotates"},
  {"location=FILE fit=refuse", HOST_CAPS ("GRAY8", 128, 96), "ANY", 0,
      GST_STREAM_ERROR_FORMAT, "128x96", "\"fit\""},
  {"location=FILE camera=3", HOST_CAPS ("GRAY8", 64, 48), "ANY", 1,
      GST_RESOURCE_ERROR_READ, "M1, M2", "\"camera\""},
  {"location=FILE.missing", HOST_CAPS ("GRAY8", 64, 48), "ANY", 1,
      GST_RESOURCE_ERROR_READ, "camera.yml.missing", "\"location\""},
  {"corners=1,2,3,4,5,6", HOST_CAPS ("GRAY8", 64, 48), "ANY", 1,
      GST_RESOURCE_ERROR_SETTINGS, "1,2,3", "\"corners\""},
  {"corners=0,0,1e99,0,9,9,0,9", HOST_CAPS ("GRAY8", 64, 48), "ANY", 1,
      GST_RESOURCE_ERROR_SETTINGS, "1e99", "\"corners\""},
  {"corners=0,0,10,10,10,0,0,10", HOST_CAPS ("GRAY8", 64, 48), "ANY", 1,
      GST_RESOURCE_ERROR_SETTINGS, "convex", "\"corners\""},
  {"corners=0,0,5,5,10,10,0,10", HOST_CAPS ("GRAY8", 64, 48), "ANY", 1,
      GST_RESOURCE_ERROR_SETTINGS, "convex", "\"corners\""},
  {"matrix=1,2,3,4,5,6,7,8", HOST_CAPS ("GRAY8", 64, 48), "ANY", 1,
      GST_RESOURCE_ERROR_SETTINGS, "1,2,3", "\"matrix\""},
  {"matrix=1,2,3,4,5,6,7,8,9", HOST_CAPS ("GRAY8", 64, 48), "ANY", 1,
      GST_RESOURCE_ERROR_SETTINGS, "inverted", "\"matrix\""},
  {"matrix=1,0,0,0,1,0,0,0,1 corners=0,0,1,0,1,1,0,1",
        HOST_CAPS ("GRAY8", 64, 48), "ANY", 0, GST_STREAM_ERROR_FORMAT,
      "both", "\"matrix\""},
  {"corners=100,100,120,100,120,120,100,120", HOST_CAPS ("GRAY8", 64, 48),
      "ANY", 0, GST_STREAM_ERROR_FORMAT, "no pixel", "\"corners\""},
  {"input=fisheye", HOST_CAPS ("GRAY8", 64, 48) ",pixel-aspect-ratio=16/15",
      "ANY", 0, GST_STREAM_ERROR_FORMAT, "16/15", "pixel-aspect-ratio=1/1"},
  {"input=fisheye", HOST_CAPS ("GRAY8", 4, 4),
        "video/x-raw,width=65537,height=1", 0, GST_STREAM_ERROR_FORMAT,
      "an output frame of 65537x1", "capsfilter with a smaller size after"},
  {"input=fisheye", HOST_CAPS ("GRAY8", 65537, 1),
        "video/x-raw,width=4,height=4", 0, GST_STREAM_ERROR_FORMAT,
      "a frame of 65537x1", "scale it down before"}
};

GST_START_TEST (test_errors)
{
  GstVideoInfo info = info_from_string (errors[__i__].caps);
  g_autoptr (GstHarness) h = remap_open (path, errors[__i__].properties);
  g_autoptr (GstElement) filter = harness_filter (h);
  g_autoptr (GstBus) bus = gst_bus_new ();
  g_autoptr (GError) error = NULL;

  gst_element_set_bus (filter, bus);
  gst_harness_set_sink_caps_str (h, errors[__i__].sink);
  gst_harness_set_src_caps_str (h, errors[__i__].caps);
  fail_unless (gst_harness_push (h, frame_new (&info, LAYOUT_DEFAULT, 1)) < 0);
  error = pop_message (bus, GST_MESSAGE_ERROR, errors[__i__].word1,
      errors[__i__].word2);
  fail_unless (error->domain == (errors[__i__].domain == 0 ? GST_STREAM_ERROR
          : GST_RESOURCE_ERROR));
  fail_unless_equals_int (error->code, errors[__i__].code);
  gst_element_set_bus (filter, NULL);
}

GST_END_TEST;

CHECK_TESTS (mgpuremap)
{
  tcase_add_checked_fixture (tc, setup, file_end);
  tcase_add_loop_test (tc, test_formats, 0, N_ALL_FORMATS);
  tcase_add_loop_test (tc, test_projections, 0, G_N_ELEMENTS (cases));
  tcase_add_test (tc, test_color);
  tcase_add_test (tc, test_memory);
  tcase_add_test (tc, test_metas);
  tcase_add_test (tc, test_sizes);
  tcase_add_test (tc, test_caps_change);
  tcase_add_test (tc, test_crop);
  tcase_add_test (tc, test_no_size);
  tcase_add_test (tc, test_rectify);
  tcase_add_test (tc, test_unlinked);
  tcase_add_test (tc, test_controller);
  tcase_add_test (tc, test_warnings);
  tcase_add_test (tc, test_empty);
  tcase_add_test (tc, test_empty_color);
  tcase_add_test (tc, test_restart);
  tcase_add_loop_test (tc, test_begins_empty, 0, 2);
  tcase_add_test (tc, test_fold);
  tcase_add_loop_test (tc, test_errors, 0, G_N_ELEMENTS (errors));
}
