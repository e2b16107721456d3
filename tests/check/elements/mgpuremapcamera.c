/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests the GstMgpuCameraMeta of mgpuremap's output frames, and input frames that have one. */
#include "remapfile.h"

#define CAPS HOST_CAPS ("GRAY8", 64, 48)

/* Returns: (transfer full): the output frame of mgpuremap for @from (transfer full) */
static GstBuffer *
make (const gchar * properties, GstBuffer * from)
{
  g_autoptr (GstHarness) h = remap_open (path, properties);

  gst_harness_set_sink_caps_str (h, "video/x-raw");
  gst_harness_set_src_caps_str (h, CAPS);
  return harness_push_pull (h, from);
}

static GstBuffer *
make_frame (void)
{
  GstVideoInfo info = info_from_string (CAPS);

  return frame_new (&info, LAYOUT_DEFAULT, 3);
}

static GstMgpuCamera
get_camera (GstBuffer * buffer)
{
  GstMgpuCameraMeta *meta = gst_buffer_get_mgpu_camera_meta (buffer);
  GstMgpuCamera camera;

  fail_unless (meta != NULL);
  gst_mgpu_camera_meta_get_camera (meta, &camera);
  return camera;
}

/* Tests projection=same: the output is the unchanged frame with the camera of the calibration
 * file. */
GST_START_TEST (test_same)
{
  g_autoptr (GstBuffer) from = make_frame ();
  g_autoptr (GstBuffer) to =
      make ("location=FILE projection=same", gst_buffer_ref (from));
  GstMgpuCamera camera = get_camera (to);
  GstVideoInfo info = info_from_string (CAPS);

  fail_unless_same_frame (&info, from, to);
  fail_unless (gst_buffer_peek_memory (from, 0) == gst_buffer_peek_memory (to,
          0));
  fail_unless (gst_buffer_get_mgpu_camera_meta (from) == NULL);
  fail_unless (camera.model == GST_MGPU_CAMERA_MODEL_PERSPECTIVE
      && camera.n_coefficients == 4 && camera.width == 64
      && camera.height == 48);
  fail_unless (camera.fx == 60.5 && camera.fy == 61 && camera.cx == 30.25
      && camera.cy == 24.75 && camera.coefficients[3] == -2e-3);
  fail_unless (camera.rotation[0] == 1 && camera.rotation[8] == 1);
}

GST_END_TEST;

/* Tests that an unchanged frame that is copied to other memory keeps its regions, and has one
 * camera meta. */
GST_START_TEST (test_same_uploaded)
{
  g_autoptr (GstHarness) h = remap_open (path, "projection=same");
  g_autoptr (GstBuffer) with_camera =
      make ("location=FILE projection=same", make_frame ()), to = NULL;
  GstVideoInfo info = info_from_string (CAPS);
  const GstVideoRegionOfInterestMeta *region;

  with_camera = gst_buffer_make_writable (with_camera);
  gst_buffer_add_video_region_of_interest_meta (with_camera, "face", 3, 4, 10,
      11);
  gst_harness_set_sink_caps_str (h, "video/x-raw(memory:OpenCLMemory)");
  gst_harness_set_src_caps_str (h, CAPS);
  to = harness_push_pull (h, gst_buffer_ref (with_camera));
  fail_unless (gst_is_mgpu_memory (gst_buffer_peek_memory (to, 0)));
  fail_unless_same_frame (&info, with_camera, to);
  region = gst_buffer_get_video_region_of_interest_meta (to);
  fail_unless (region != NULL && region->x == 3 && region->h == 11);
  fail_unless_equals_int (gst_buffer_get_n_meta (to,
          GST_MGPU_CAMERA_META_API_TYPE), 1);
  fail_unless (get_camera (to).fx == 60.5);
}

GST_END_TEST;

/* Tests that a view has its own camera meta, with a rotation; the ray in its center is that of the
 * rotated camera. */
GST_START_TEST (test_view)
{
  g_autoptr (GstBuffer) to =
      make ("location=FILE projection=fisheye fov=90 pan=30", make_frame ());
  GstMgpuCamera camera = get_camera (to);

  fail_unless (camera.model == GST_MGPU_CAMERA_MODEL_FISHEYE
      && camera.n_coefficients == 0 && camera.cx == 31.5);
  fail_unless (fabs (camera.fx - 64 / (G_PI / 2)) < 1e-9);
  /* The third row of the rotation matrix (z) is the axis of the view in camera coordinates: 30
   * degrees to the right. */
  fail_unless (fabs (camera.rotation[6] - 0.5) < 1e-9
      && fabs (camera.rotation[8] - sqrt (0.75)) < 1e-9);
}

GST_END_TEST;

/* Tests that frames with a camera meta require no calibration file, and that rotations are
 * combined. */
GST_START_TEST (test_arrived)
{
  g_autoptr (GstBuffer) same =
      make ("location=FILE projection=same", make_frame ());
  g_autoptr (GstBuffer) expected = make ("location=FILE fov=70 pan=5 tilt=3",
      make_frame ());
  g_autoptr (GstBuffer) to = make ("fov=70 pan=5 tilt=3",
      gst_buffer_ref (same)), further = NULL;
  GstVideoInfo info = info_from_string (CAPS);
  GstMgpuCamera camera;

  fail_unless_same_frame (&info, to, expected);
  further = make ("fov=60 pan=20", gst_buffer_ref (to));
  camera = get_camera (further);
  fail_unless (fabs (camera.rotation[6] - sin (25 * RADIAN)
          * cos (3 * RADIAN)) < 0.01, "%g", camera.rotation[6]);
  /* Sets "input", so that an ideal camera is used instead of the frame's camera meta. */
  gst_clear_buffer (&to);
  gst_clear_buffer (&expected);
  expected = make ("input=fisheye fov=70", make_frame ());
  to = make ("input=fisheye fov=70", gst_buffer_ref (same));
  fail_unless_same_frame (&info, to, expected);
}

GST_END_TEST;

/* Tests that the map follows changes of the camera meta, also in PLAYING. */
GST_START_TEST (test_change)
{
  g_autoptr (GstHarness) h = remap_open (path, "alpha=-1");
  g_autoptr (GstBuffer) narrow = make_frame (), wide = make_frame ();
  g_autoptr (GstBuffer) a = NULL, b = NULL, c = NULL;
  GstVideoInfo info = info_from_string (CAPS);
  GstMgpuCamera camera = { GST_MGPU_CAMERA_MODEL_PERSPECTIVE, 4, 64, 48, 60, 60,
    31.5, 23.5, {0.1}, {1, 0, 0, 0, 1, 0, 0, 0, 1}
  };

  gst_buffer_add_mgpu_camera_meta (narrow, &camera);
  camera.coefficients[0] = -0.3;
  gst_buffer_add_mgpu_camera_meta (wide, &camera);
  gst_harness_set_src_caps_str (h, CAPS);
  a = harness_push_pull (h, gst_buffer_ref (narrow));
  b = harness_push_pull (h, gst_buffer_ref (wide));
  c = harness_push_pull (h, gst_buffer_ref (narrow));
  fail_unless_same_frame (&info, a, c);
  fail_unless (count_differences (&info, a, b) > 100);
}

GST_END_TEST;

/* Tests that the output for homographies and for maps from files has no camera meta. */
GST_START_TEST (test_none)
{
  g_autoptr (GstBuffer) same =
      make ("location=FILE projection=same", make_frame ());
  g_autoptr (GstBuffer) to = make ("corners=0,0,64,0,64,48,0,48",
      gst_buffer_ref (same));

  fail_unless (gst_buffer_get_mgpu_camera_meta (to) == NULL);
}

GST_END_TEST;

/* Tests a change to projection=same and back in PLAYING, with other sizes in between. */
GST_START_TEST (test_toggle)
{
  g_autoptr (GstHarness) h = remap_open (path, "location=FILE "
      "projection=equirect fov=100");
  g_autoptr (GstElement) filter = harness_filter (h);
  static const gchar *const names[] = { "equirect", "same", "equirect" };

  gst_harness_set_src_caps_str (h, CAPS);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autoptr (GstBuffer) to = NULL;
    GstVideoInfo made;

    gst_util_set_object_arg (G_OBJECT (filter), "projection", names[i]);
    to = harness_push_pull (h, make_frame ());
    made = harness_out_info (h);
    fail_unless_equals_int (made.height, i == 1 ? 48 : 32);
    fail_unless_equals_int (get_camera (to).height, made.height);
  }
}

GST_END_TEST;

/* Tests a new size whose view shows nothing: the previous view is shown in the new size. With
 * projection=same, that is a perspective view. */
GST_START_TEST (test_resized)
{
  g_autoptr (GstHarness) h = remap_open (path, "location=FILE "
      "projection=same");
  g_autoptr (GstElement) filter = harness_filter (h);
  g_autoptr (GstBuffer) to = NULL;
  g_autoptr (GstBus) bus = gst_bus_new ();
  GstMgpuCamera camera;

  gst_element_set_bus (filter, bus);
  gst_harness_set_src_caps_str (h, CAPS);
  gst_buffer_unref (harness_push_pull (h, make_frame ()));
  g_object_set (filter, "pan", 180., "fov", 20., NULL);
  gst_util_set_object_arg (G_OBJECT (filter), "projection", "equirect");
  to = harness_push_pull (h, make_frame ());
  check_warning (bus, "no pixel", "\"pan\"");
  camera = get_camera (to);
  fail_unless_equals_int (camera.model, GST_MGPU_CAMERA_MODEL_PERSPECTIVE);
  fail_unless_equals_int (camera.height, 32);
  gst_element_set_bus (filter, NULL);
}

GST_END_TEST;

/* Properties that cannot be combined with the camera meta of frames */
static const struct
{
  const gchar *properties;
  GstMgpuCameraModel model;
  const gchar *word1, *word2;
} errors[] = {
  {"projection=same", GST_MGPU_CAMERA_MODEL_PERSPECTIVE + 100,
      "GstMgpuCameraMeta", "\"location\""},
  {"", GST_MGPU_CAMERA_MODEL_CYLINDER, "\"cylinder\"", "\"input\""},
  {"", GST_MGPU_CAMERA_MODEL_EQUIRECT, "\"equirect\"", "\"location\""}
};

GST_START_TEST (test_errors)
{
  g_autoptr (GstHarness) h = remap_open (path, errors[__i__].properties);
  g_autoptr (GstElement) filter = harness_filter (h);
  g_autoptr (GstBus) bus = gst_bus_new ();
  GstMgpuCamera camera = { errors[__i__].model, 0, 64, 48, 60, 60, 31.5, 23.5,
    {0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}
  };
  GstBuffer *from = make_frame ();

  if (camera.model < 100)
    gst_buffer_add_mgpu_camera_meta (from, &camera);
  gst_element_set_bus (filter, bus);
  gst_harness_set_src_caps_str (h, CAPS);
  fail_unless (gst_harness_push (h, from) < 0);
  check_code (bus, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
      errors[__i__].word1, errors[__i__].word2);
  gst_element_set_bus (filter, NULL);
}

GST_END_TEST;

CHECK_TESTS (mgpuremapcamera)
{
  tcase_add_checked_fixture (tc, setup, file_end);
  tcase_add_test (tc, test_same);
  tcase_add_test (tc, test_same_uploaded);
  tcase_add_test (tc, test_view);
  tcase_add_test (tc, test_arrived);
  tcase_add_test (tc, test_change);
  tcase_add_test (tc, test_none);
  tcase_add_test (tc, test_toggle);
  tcase_add_test (tc, test_resized);
  tcase_add_loop_test (tc, test_errors, 0, G_N_ELEMENTS (errors));
}
