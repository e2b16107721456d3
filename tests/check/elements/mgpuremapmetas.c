/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests how mgpuremap moves metas and navigation events. */
#ifdef HAVE_ANALYTICS
#include <gst/analytics/analytics.h>
#endif

#include "../file.h"
#include "pointer.h"
#include "remap.h"

static void
setup (void)
{
  file_begin ("camera.yml");
  replace_file (path, "%YAML:1.0\nimage_size: [64, 48]\n"
      "K: [60, 0, 30, 0, 61, 24.75, 0, 0, 1]\nD: [-0.25, 0.06, 0.001, -2e-3]\n",
      -1);
}

/* Returns: whether a region of an input frame is in the output frame. Sets @box to its edges. */
static gboolean
move_region (const gchar * properties, const gchar * caps, gint x, gint y,
    gint width, gint height, gint box[4])
{
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = remap_open (path, properties);
  GstBuffer *from = frame_new (&info, LAYOUT_DEFAULT, 1);
  g_autoptr (GstBuffer) to = NULL;
  GstVideoRegionOfInterestMeta *roi;

  roi = gst_buffer_add_video_region_of_interest_meta (from, "a", x, y, width,
      height);
  roi->id = 7;
  gst_harness_set_src_caps_str (h, caps);
  to = harness_push_pull (h, from);
  roi = gst_buffer_get_video_region_of_interest_meta_id (to, 7);
  if (roi == NULL)
    return FALSE;
  box[0] = roi->x;
  box[1] = roi->y;
  box[2] = roi->x + roi->w;
  box[3] = roi->y + roi->h;
  return TRUE;
}

/* Tests that regions keep their content: the bounds of a white box in the output frame are those of
 * its region. */
GST_START_TEST (test_regions)
{
  static const gchar *const views[] = {
    "input=perspective input-fov=60 fov=75", "location=FILE alpha=-1",
    "input=fisheye fov=120 pan=15 tilt=10", "input=perspective input-fov=60 "
        "fov=70 roll=30", "corners=0.2,0.1,0.9,0.2,0.8,0.9,0.1,0.8",
    "input=equirect fov=100 pan=10",
    "input=equirect projection=equirect pan=20 tilt=15",
    "input=fisheye projection=stereographic fov=170"
  };
  const gchar *caps = HOST_CAPS ("GRAY8", 64, 48);
  GstVideoInfo info = info_from_string (caps);

  for (guint k = 0; k < G_N_ELEMENTS (views); k++) {
    g_autoptr (GstHarness) h = remap_open (path, views[k]);
    GstBuffer *from = frame_new (&info, LAYOUT_DEFAULT, 1);
    g_autoptr (GstBuffer) to = NULL;
    gint seen[4] = { 64, 48, 0, 0 }, box[4];
    GstVideoInfo made;
    GstVideoFrame frame;

    gst_harness_set_src_caps_str (h, caps);
    gst_buffer_memset (from, 0, 0, -1);
    fail_unless (gst_video_frame_map (&frame, &info, from, GST_MAP_WRITE));
    for (gint j = 20; j < 30; j++)
      memset ((guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, 0)
          + j * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0) + 26, 255, 16);
    gst_video_frame_unmap (&frame);
    to = harness_push_pull (h, from);
    made = harness_out_info (h);
    fail_unless (gst_video_frame_map (&frame, &made, to, GST_MAP_READ));
    for (gint j = 0; j < made.height; j++)
      for (gint i = 0; i < made.width; i++)
        if (((guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, 0))[j
                * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0) + i] > 127) {
          seen[0] = MIN (seen[0], i);
          seen[1] = MIN (seen[1], j);
          seen[2] = MAX (seen[2], i + 1);
          seen[3] = MAX (seen[3], j + 1);
        }
    gst_video_frame_unmap (&frame);
    fail_unless (seen[2] > seen[0]);
    fail_unless (move_region (views[k], caps, 26, 20, 16, 10, box));
    for (guint i = 0; i < 4; i++)
      fail_unless (ABS (box[i] - seen[i]) <= 1, "%s: edge %u is %d and not %d",
          views[k], i, box[i], seen[i]);
  }
}

GST_END_TEST;

/* Tests that regions are clipped at the sides of the output frame, and dropped if none of their
 * pixels is visible in it. */
GST_START_TEST (test_regions_cut)
{
#define ZOOMED "input=perspective input-fov=60 fov=60 zoom=2"
  const gchar *caps = HOST_CAPS ("GRAY8", 64, 48);
  gint box[4];

  /* The output frame shows columns 16 to 48 and rows 12 to 36 of the input frame. */
  fail_unless (move_region (ZOOMED, caps, 0, 0, 64, 48, box));
  fail_unless (box[0] == 0 && box[1] == 0 && box[2] == 64 && box[3] == 48);
  fail_unless (move_region (ZOOMED, caps, 10, 20, 20, 8, box));
  fail_unless (box[0] == 0 && box[1] == 16 && box[2] == 28 && box[3] == 32,
      "%d %d %d %d", box[0], box[1], box[2], box[3]);
  fail_if (move_region (ZOOMED, caps, 0, 0, 14, 10, box));
  fail_if (move_region (ZOOMED, caps, 30, 20, 0, 0, box));
  /* Region behind the camera of the view */
  fail_unless (move_region ("input=equirect fov=60", caps, 30, 20, 4, 4, box));
  fail_if (move_region ("input=equirect fov=60 pan=180", caps, 30, 20, 4, 4,
          box));
}

GST_END_TEST;

#ifdef HAVE_ANALYTICS
/* Tests that object detections move as regions do; a rotated box keeps its angle if the view is not
 * rotated. */
GST_START_TEST (test_detections)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 64, 48);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = remap_open (path, ZOOMED);
  GstBuffer *from = frame_new (&info, LAYOUT_DEFAULT, 1);
  g_autoptr (GstBuffer) to = NULL;
  GstAnalyticsRelationMeta *meta =
      gst_buffer_add_analytics_relation_meta (from);
  GQuark type = g_quark_from_static_string ("thing");
  GstAnalyticsODMtd mtd, hidden;
  gint x, y, width, height;
  gfloat score;
  gpointer state = NULL;

  fail_unless (gst_analytics_relation_meta_add_od_mtd (meta, type, 26, 20, 16,
          10, 0.5, &mtd));
  fail_unless (gst_analytics_relation_meta_add_od_mtd (meta, type, 0, 0, 9, 9,
          0.5, &hidden));
#if GST_CHECK_VERSION (1, 26, 0)
  fail_unless (gst_analytics_relation_meta_add_oriented_od_mtd (meta, type, 26,
          20, 16, 10, 0.5, 0.5, &hidden));
#endif
  gst_harness_set_src_caps_str (h, caps);
  to = harness_push_pull (h, from);
  meta = gst_buffer_get_analytics_relation_meta (to);
  fail_unless (meta != NULL);
  fail_unless (gst_analytics_relation_meta_iterate (meta, &state,
          gst_analytics_od_mtd_get_mtd_type (), &mtd));
  gst_analytics_od_mtd_get_location (&mtd, &x, &y, &width, &height, &score);
  fail_unless (x == 20 && y == 16 && width == 32 && height == 20);
#if GST_CHECK_VERSION (1, 26, 0)
  {
    gfloat angle;

    fail_unless (gst_analytics_relation_meta_iterate (meta, &state,
            gst_analytics_od_mtd_get_mtd_type (), &mtd));
    gst_analytics_od_mtd_get_oriented_location (&mtd, &x, &y, &width, &height,
        &angle, &score);
    fail_unless (x == 20 && y == 16 && width == 32 && height == 20,
        "%d %d %d %d", x, y, width, height);
    fail_unless (fabs (angle - 0.5) < 1e-3, "%g", angle);
  }
#endif
  fail_if (gst_analytics_relation_meta_iterate (meta, &state,
          gst_analytics_od_mtd_get_mtd_type (), &mtd));
}

GST_END_TEST;
#endif

/* The pointer of the viewer is where the new frame shows the old one. */
GST_START_TEST (test_navigation)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 64, 48);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = remap_open (path,
      "input=perspective input-fov=60 fov=60 zoom=2 roll=90");
  gdouble x = 36, y = 24;

  gst_harness_set_src_caps_str (h, caps);
  gst_buffer_unref (harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT,
              1)));
  /* What is right in a view that has turned clockwise was below. */
  point_at (h, x, y, &x, &y);
  fail_unless (fabs (x - 32) < 0.01 && fabs (y - 26) < 0.01, "(%g, %g)", x, y);
}

GST_END_TEST;

/* Tests pointer events without a position, or with one far away. */
GST_START_TEST (test_navigation_nowhere)
{
  static const gdouble places[][2] = {
    {NAN, NAN}, {NAN, 5}, {5, NAN}, {INFINITY, 1}, {-INFINITY, 1e300}, {1e30,
        -1e30}
  };
  const gchar *caps = HOST_CAPS ("GRAY8", 64, 48);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = remap_open (path,
      __i__ == 0 ? "input=fisheye fov=60" : "input=equirect fov=60 tilt=90");
  gdouble x = 0, y = 0;

  gst_harness_set_src_caps_str (h, caps);
  gst_buffer_unref (harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT,
              1)));
  for (guint i = 0; i < G_N_ELEMENTS (places); i++) {
    x = places[i][0];
    y = places[i][1];
    point_at (h, x, y, &x, &y);
    fail_unless (!(x < 0 || x > 64 || y < 0 || y > 48), "(%g, %g)", x, y);
  }
}

GST_END_TEST;

/* Tests that the corners of the output frame are mapped to the positions in "corners", and its
 * center to the point where the diagonals of these positions meet. */
GST_START_TEST (test_corners)
{
  static const gdouble points[][4] = {
    {0, 0, 20, 10}, {160, 0, 40, 12}, {160, 120, 60, 40}, {0, 120, 4, 44},
    {80, 60, 32.0678, 19.0508}
  };
  const gchar *caps = HOST_CAPS ("GRAY8", 64, 48);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = remap_open (path,
      "corners=20,10,40,12,60,40,4,44");

  gst_harness_set_sink_caps_str (h, "video/x-raw,width=160,height=120");
  gst_harness_set_src_caps_str (h, caps);
  gst_buffer_unref (harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT,
              1)));
  for (guint i = 0; i < G_N_ELEMENTS (points); i++) {
    gdouble x = points[i][0], y = points[i][1];

    point_at (h, x, y, &x, &y);
    fail_unless (fabs (x - points[i][2]) < 0.02
        && fabs (y - points[i][3]) < 0.02, "point %u: (%g, %g)", i, x, y);
  }
}

GST_END_TEST;

/* ---- Metas of points -------------------------------------------------------------------- */

/* A view that enlarges the input frame twice: its pixel (x, y) is shown at (2 x - 32, 2 y - 24),
 * measured from corner to corner. */
#define TWICE "corners=16,12,48,12,48,36,16,36"

/* Returns: (transfer full): the output of mgpuremap for @from (transfer full) */
static GstBuffer *
remapped (const gchar * properties, GstBuffer * from)
{
  g_autoptr (GstHarness) h = remap_open (path, properties);

  gst_harness_set_src_caps_str (h, HOST_CAPS ("GRAY8", 64, 48));
  return harness_push_pull (h, from);
}

static GstBuffer *
new_frame (void)
{
  GstVideoInfo info = info_from_string (HOST_CAPS ("GRAY8", 64, 48));

  return frame_new (&info, LAYOUT_DEFAULT, 1);
}

/* Tests that keypoints move, grow and turn with the content, keep their order, and are dropped if
 * their position is not visible. */
GST_START_TEST (test_keypoints)
{
  static const GstMgpuKeypoint points[] = {
    {20, 20, 3, 90, 1, 0, 0}, {2, 2, 3, 90, 1, 0, 0}, {40, 30, 4, -1, 2, 0, 0}
  };
  g_autoptr (GBytes) bytes = g_bytes_new_static (points, sizeof (points));
  g_autoptr (GstBuffer) to = NULL;
  GstBuffer *from = new_frame ();
  GstMgpuKeypointMeta *meta;
  GstMgpuKeypoint k;

  gst_buffer_add_mgpu_keypoint_meta_points (from, bytes);
  to = remapped (TWICE, gst_buffer_ref (from));
  meta = gst_buffer_get_mgpu_keypoint_meta (to);
  fail_unless (meta != NULL);
  fail_unless_equals_int (gst_mgpu_keypoint_meta_get_n_keypoints (meta), 2);
  fail_unless (gst_mgpu_keypoint_meta_get_keypoint (meta, 0, &k));
  fail_unless (fabs (k.x - 8.5) < 0.01 && fabs (k.y - 16.5) < 0.01
      && fabs (k.size - 6) < 0.01 && fabs (k.angle - 90) < 0.1, "%g %g %g %g",
      k.x, k.y, k.size, k.angle);
  fail_unless (gst_mgpu_keypoint_meta_get_keypoint (meta, 1, &k));
  fail_unless (fabs (k.x - 48.5) < 0.01 && k.response == 2 && k.angle == -1);
  gst_clear_buffer (&to);

  /* The view is rotated clockwise, and its content counterclockwise. */
  to = remapped ("input=perspective input-fov=60 fov=60 roll=90", from);
  meta = gst_buffer_get_mgpu_keypoint_meta (to);
  fail_unless (gst_mgpu_keypoint_meta_get_keypoint (meta, 0, &k));
  fail_unless (fabs (k.x - 28) < 0.01 && fabs (k.y - 35) < 0.01
      && MIN (k.angle, 360 - k.angle) < 0.1, "%g %g %g", k.x, k.y, k.angle);
}

GST_END_TEST;

/* Tests that the corners of reference images move with the content, and that their matrix maps to
 * these corners. */
GST_START_TEST (test_pictures)
{
  GstMgpuPicture pictures[2] = { {.name = "a",.width = 10,.height = 8,.matrix =
          {1, 0.1, 18, 0, 1, 15, 0, 0, 1},.corners = {18, 15, 28, 15, 28.8, 23,
          18.8, 23}
      }
  };
  const gdouble source[8] = { 0, 0, 10, 0, 10, 8, 0, 8 };
  GstBuffer *from = new_frame ();
  g_autoptr (GstBuffer) to = NULL;
  GstMgpuPictureMeta *meta;
  const gdouble *corners, *m;

  pictures[1] = pictures[0];
  pictures[1].corners[0] = pictures[1].corners[6] = 2;
  gst_buffer_add_mgpu_picture_meta (from, pictures, 2);
  to = remapped ("corners=14,12,48,14,46,36,16,34", from);
  meta = gst_buffer_get_mgpu_picture_meta (to);
  fail_unless (meta != NULL);
  fail_unless_equals_int (gst_mgpu_picture_meta_get_n_pictures (meta), 1);
  corners = gst_mgpu_picture_meta_get_corners (meta, 0);
  m = gst_mgpu_picture_meta_get_matrix (meta, 0);
  fail_unless (fabs (corners[0] - 18) > 2);
  for (guint i = 0; i < 8; i += 2) {
    gdouble w = m[6] * source[i] + m[7] * source[i + 1] + m[8];

    for (guint k = 0; k < 2; k++)
      fail_unless (fabs ((m[3 * k] * source[i] + m[3 * k + 1] * source[i + 1]
                  + m[3 * k + 2]) / w - corners[i + k]) < 1e-6, "corner %u", i);
  }
}

GST_END_TEST;

/* Tests that tags are moved, without their poses, and that motion and flow metas are dropped. */
GST_START_TEST (test_tags)
{
  GstMgpuTag tags[2] = { {.corners = {20, 20, 30, 20, 30, 30, 20, 30}
      },
  {.corners = {0, 0, 9, 0, 9, 9, 0, 9}
      }
  };
  GstBuffer *from = new_frame ();
  g_autoptr (GstBuffer) to = NULL;
  GstMgpuTagMeta *meta;
  const gdouble *corners;

  gst_buffer_add_mgpu_tag_meta (from, tags, 2, NULL);
  gst_buffer_add_mgpu_motion_meta (from, NULL, NULL,
      GST_MGPU_MOTION_STATE_MEASURED, 0);
  gst_buffer_add_mgpu_flow_meta (from, 1, 1, 6, 0);
  to = remapped (TWICE, from);
  meta = gst_buffer_get_mgpu_tag_meta (to);
  fail_unless (meta != NULL);
  fail_unless_equals_int (gst_mgpu_tag_meta_get_n_tags (meta), 1);
  corners = gst_mgpu_tag_meta_get_corners (meta, 0);
  fail_unless (fabs (corners[0] - 8) < 0.01 && fabs (corners[5] - 36) < 0.01,
      "%g %g", corners[0], corners[5]);
  fail_if (gst_buffer_get_mgpu_motion_meta (to));
  fail_if (gst_buffer_get_mgpu_flow_meta (to));
}

GST_END_TEST;

CHECK_TESTS (mgpuremapmetas)
{
  tcase_add_test (tc, test_keypoints);
  tcase_add_test (tc, test_pictures);
  tcase_add_test (tc, test_tags);
  tcase_add_checked_fixture (tc, setup, file_end);
  tcase_add_test (tc, test_regions);
  tcase_add_test (tc, test_regions_cut);
#ifdef HAVE_ANALYTICS
  tcase_add_test (tc, test_detections);
#endif
  tcase_add_test (tc, test_navigation);
  tcase_add_loop_test (tc, test_navigation_nowhere, 0, 2);
  tcase_add_test (tc, test_corners);
}
