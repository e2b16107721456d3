/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests mgputags: metas, poses, boards, regions, bad input and order of frames. */
#include "tags.h"

#include "../file.h"
#include "../notrun.h"

static const DrawnTag two[] = {
  {"tag36h11", 17, {40, 30, 120, 34, 116, 112, 38, 108}},
  {"tag36h11", 586, {250, 100, 255, 180, 180, 190, 175, 105}}
};

/* Returns: (transfer none): the tag meta of @buffer, which has to have @n tags */
static GstMgpuTagMeta *
get_tags (GstBuffer * buffer, guint n)
{
  GstMgpuTagMeta *meta = gst_buffer_get_mgpu_tag_meta (buffer);
  guint found = meta != NULL ? gst_mgpu_tag_meta_get_n_tags (meta) : 0;

  fail_unless (found == n, "%u tags, not %u", found, n);
  return meta;
}

/* Checks that tag @i of @meta is @drawn, with corner errors of up to @most pixels. */
static void
check_tag (GstMgpuTagMeta * meta, guint i, const DrawnTag * drawn, gdouble most)
{
  const gdouble *corners = gst_mgpu_tag_meta_get_corners (meta, i);
  GstMgpuTag tag;

  fail_unless (gst_mgpu_tag_meta_get_tag (meta, i, &tag));
  fail_unless_equals_string (tag.family, drawn->family);
  fail_unless_equals_int (tag.id, drawn->id);
  fail_unless_equals_int (tag.hamming, 0);
  fail_unless (tag.margin > 0.5 && tag.evidence > 10);
  for (guint k = 0; k < 8; k++)
    fail_unless (fabs (corners[k] - drawn->corners[k]) < most,
        "%s:%u: corner %u is at %g, not %g", tag.family, tag.id, k / 2,
        corners[k], drawn->corners[k]);
}

GST_START_TEST (test_found)
{
  g_autoptr (GstHarness) h = harness_new ("mgputags", GRAY_CAPS, GRAY_CAPS);
  g_autoptr (GstBuffer) out = harness_push_pull (h, tags_frame (0, two, 2));
  GstMgpuTagMeta *meta = get_tags (out, 2);
  g_autoptr (GPtrArray) objects = NULL;
  GstMgpuTag tag;

  check_tag (meta, 0, &two[0], 0.1);
  check_tag (meta, 1, &two[1], 0.1);
  fail_unless_equals_int (gst_mgpu_tag_meta_get_n_poses (meta, 0), 0);
  objects = gst_mgpu_buffer_get_detections (out);
  fail_unless_equals_int (objects->len, 2);
  for (guint i = 0; i < 2; i++) {
    const GstMgpuDetection *d = objects->pdata[i];
    GstVideoRegionOfInterestMeta *roi;
    const GstStructure *s;

    fail_unless (gst_mgpu_tag_meta_get_tag (meta, i, &tag));
    roi = gst_buffer_get_video_region_of_interest_meta_id (out, tag.roi_id);
    fail_unless_equals_string (d->label, "tag");
    fail_unless (d->x == (gint) roi->x && d->height == (gint) roi->h);
    fail_unless (d->confidence > 0.5 && d->confidence <= 1);
    s = gst_video_region_of_interest_meta_get_param (roi, "detection");
    fail_unless_equals_string (gst_structure_get_string (s, "label"),
        i == 0 ? "tag36h11:17" : "tag36h11:586");
    s = gst_video_region_of_interest_meta_get_param (roi, "tag");
    fail_unless_equals_string (gst_structure_get_string (s, "family"),
        "tag36h11");
  }
}

GST_END_TEST;

/* Tags of each kind of layout: black and white borders, outer bits, a two-cell border */
static const gchar *const families[] = {
  "tag36h11", "tag36h10", "tag25h9", "tag16h5", "tagCircle21h7",
  "tagCircle49h12", "tagStandard41h12", "tagStandard52h13", "tagCustom48h12",
  "tagAruco4x4_50", "tagAruco5x5_250", "tagAruco6x6_1000", "tagAruco7x7_100",
  "tagArucoMIP36h12", "tag36h11b2"
};

GST_START_TEST (test_families)
{
  const gchar *name = families[__i__];
  g_autofree gchar *line = g_strdup_printf ("mgputags families=%s", name);
  g_autoptr (GstHarness) h = harness_new (line, GRAY_CAPS, GRAY_CAPS);
  g_autoptr (MgpuTagDictionary) family = mgpu_tag_dictionary_find (name);
  const DrawnTag drawn = { name, family->n_codes - 1,
    {180, 70, 184, 160, 94, 158, 96, 72}
  };
  g_autoptr (GstBuffer) out = harness_push_pull (h, tags_frame (0, &drawn, 1));

  check_tag (get_tags (out, 1), 0, &drawn, 0.15);
}

GST_END_TEST;

#define CAMERA "camera=\"300,300,159.5,119.5\""

/* Tests the pose of a tag that is rotated about its vertical axis. */
GST_START_TEST (test_pose)
{
  static const gdouble position[3] = { 0.02, -0.03, 0.6 };
  g_autoptr (GstHarness) h = harness_new (__i__ == 0 ? "mgputags " CAMERA
      " tag-size=0.16" : __i__ == 1 ? "mgputags " CAMERA
      " tag-sizes=\"tag36h11:3=0.2; tag36h11:10-20=0.16\""
      : "mgputags " CAMERA " tag-sizes=tag36h11:18=0.16", GRAY_CAPS, GRAY_CAPS);
  DrawnTag drawn = { "tag36h11", 17, {0} };
  g_autoptr (GstBuffer) out = NULL;
  GstMgpuTagMeta *meta;
  const gdouble *r, *t;

  place_tag (&drawn, position, 0.16, 0.6, 0.8);
  out = harness_push_pull (h, tags_frame (0, &drawn, 1));
  meta = get_tags (out, 1);
  if (__i__ == 2) {
    fail_unless_equals_int (gst_mgpu_tag_meta_get_n_poses (meta, 0), 0);
    return;
  }
  fail_unless (gst_mgpu_tag_meta_get_n_poses (meta, 0) >= 1);
  r = gst_mgpu_tag_meta_get_rotation (meta, 0, 0);
  t = gst_mgpu_tag_meta_get_position (meta, 0, 0);
  for (guint i = 0; i < 3; i++)
    fail_unless (fabs (t[i] - position[i]) < 0.004, "%u: %g", i, t[i]);
  fail_unless (fabs (r[0] - 0.8) < 0.03 && fabs (r[2] - 0.6) < 0.03
      && fabs (r[4] - 1) < 0.01, "%g %g %g", r[0], r[2], r[4]);
  fail_unless (gst_mgpu_tag_meta_get_error (meta, 0, 0) < 0.2, "%g",
      gst_mgpu_tag_meta_get_error (meta, 0, 0));
  fail_unless (gst_mgpu_tag_meta_get_ambiguity (meta, 0) < 0.8);
}

GST_END_TEST;

/* --- Files and texts --- */

static void
setup (void)
{
  file_begin ("file.yml");
}

/* Tests a board of which two tags are visible: its origin is the lower left corner of tag 0. */
GST_START_TEST (test_board)
{
  g_autofree gchar *line = NULL;
  g_autoptr (GstHarness) h = NULL;
  g_autoptr (GstBuffer) out = NULL;
  DrawnTag drawn[2] = { {"tag36h11b2", 0, {0}}, {"tag36h11b2", 1, {0}} };
  GstMgpuTagMeta *meta;
  const gdouble *r, *t;

  replace_file (path, "target_type: aprilgrid\ntagCols: 2\ntagRows: 1\n"
      "tagSize: 0.1\ntagSpacing: 0.5\n", -1);
  for (guint i = 0; i < 2; i++) {
    const gdouble position[3] = { -0.05 + 0.15 * i, 0.01, 0.5 };

    place_tag (&drawn[i], position, 0.1, 0, 1);
  }
  line = g_strdup_printf ("mgputags families=tag36h11b2 " CAMERA
      " board-location=%s", path);
  h = harness_new (line, GRAY_CAPS, GRAY_CAPS);
  out = harness_push_pull (h, tags_frame (0, drawn, 2));
  meta = get_tags (out, 2);
  r = gst_mgpu_tag_meta_get_board_rotation (meta);
  t = gst_mgpu_tag_meta_get_board_position (meta);
  fail_unless (r != NULL && t != NULL);
  fail_unless (fabs (t[0] + 0.1) < 0.003 && fabs (t[1] - 0.06) < 0.003
      && fabs (t[2] - 0.5) < 0.005, "%g %g %g", t[0], t[1], t[2]);
  /* The y axis points up and the z axis to the camera. */
  fail_unless (r[0] > 0.99 && r[4] < -0.99 && r[8] < -0.99);
  fail_unless (gst_mgpu_tag_meta_get_board_error (meta) < 0.1);
}

GST_END_TEST;

/* Tests that a calibration for frames of twice the size is scaled to the frames. */
GST_START_TEST (test_calibration)
{
  static const gdouble position[3] = { 0, 0, 0.6 };
  DrawnTag drawn = { "tag36h11", 17, {0} };
  g_autofree gchar *line = g_strdup_printf ("mgputags tag-size=0.16 "
      "calibration=%s", path);
  g_autoptr (GstHarness) h = NULL;
  g_autoptr (GstBuffer) out = NULL;
  const gdouble *t;

  replace_file (path, "%YAML:1.0\n---\nimage_width: 640\nimage_height: 480\n"
      "camera_matrix: !!opencv-matrix\n   rows: 3\n   cols: 3\n   dt: d\n"
      "   data: [600., 0., 319.5, 0., 600., 239.5, 0., 0., 1.]\n"
      "distortion_coefficients: !!opencv-matrix\n   rows: 4\n   cols: 1\n"
      "   dt: d\n   data: [0., 0., 0., 0.]\n", -1);
  place_tag (&drawn, position, 0.16, 0.6, 0.8);
  h = harness_new (line, GRAY_CAPS, GRAY_CAPS);
  out = harness_push_pull (h, tags_frame (0, &drawn, 1));
  t = gst_mgpu_tag_meta_get_position (get_tags (out, 1), 0, 0);
  fail_unless (t != NULL && fabs (t[2] - 0.6) < 0.004);
}

GST_END_TEST;

/* Attaches the camera of the tests to @frame, for frames that are @scale times as large. */
static GstBuffer *
add_camera (GstBuffer * frame, GstMgpuCameraModel model, gdouble scale)
{
  GstMgpuCamera camera = {.model = model,.width = scale * WIDTH,.height =
        scale * HEIGHT,.fx = scale * FOCAL,.fy = scale * FOCAL,.cx =
        (scale * WIDTH - 1) / 2,.cy = (scale * HEIGHT - 1) / 2,.rotation =
        {1, 0, 0, 0, 1, 0, 0, 0, 1}
  };

  gst_buffer_add_mgpu_camera_meta (frame, &camera);
  return frame;
}

/* Checks that the tag of @out is at @distance meters, or has no pose if @distance is 0. */
static void
check_distance (GstBuffer * out, gdouble distance)
{
  const gdouble *t = gst_mgpu_tag_meta_get_position (get_tags (out, 1), 0, 0);

  fail_unless ((t != NULL) == (distance > 0));
  fail_unless (t == NULL || fabs (t[2] - distance) < 0.004, "%g", t[2]);
  gst_buffer_unref (out);
}

/* Tests that the camera of each frame is read from a meta, unless a property describes the
 * camera. */
GST_START_TEST (test_camera_meta)
{
  static const gdouble position[3] = { 0, 0, 0.6 };
  g_autoptr (GstHarness) h = harness_new (__i__ == 0 ? "mgputags tag-size=0.16"
      : "mgputags tag-size=0.16 camera=\"600,600,159.5,119.5\"", GRAY_CAPS,
      GRAY_CAPS);
  DrawnTag drawn = { "tag36h11", 17, {0} };
  gdouble there = __i__ == 0 ? 0.6 : 1.2, none = __i__ == 0 ? 0 : 1.2;

  place_tag (&drawn, position, 0.16, 0.6, 0.8);
  check_distance (harness_push_pull (h, tags_frame (0, &drawn, 1)), none);
  check_distance (harness_push_pull (h, add_camera (tags_frame (1, &drawn, 1),
              GST_MGPU_CAMERA_MODEL_PERSPECTIVE, 1)), there);
  /* Uses a camera for frames of twice the size, as after an element that only scales frames. */
  check_distance (harness_push_pull (h, add_camera (tags_frame (2, &drawn, 1),
              GST_MGPU_CAMERA_MODEL_PERSPECTIVE, 2)), there);
  /* Lens model that is not supported */
  check_distance (harness_push_pull (h, add_camera (tags_frame (3, &drawn, 1),
              GST_MGPU_CAMERA_MODEL_CYLINDER, 1)), none);
  check_distance (harness_push_pull (h, tags_frame (4, &drawn, 1)), none);
}

GST_END_TEST;

/* Tests a tag family from a file: an ArUco code in a file of OpenCV. */
GST_START_TEST (test_dictionary)
{
  g_autoptr (MgpuTagDictionary) family =
      mgpu_tag_dictionary_find ("tagAruco6x6_50");
  const DrawnTag drawn = { "tagAruco6x6_50", 7,
    {100, 70, 180, 74, 176, 152, 98, 148}
  };
  GString *text = g_string_new ("nmarkers: 1\nmarkersize: 6\nmarker_0: \"");
  g_autofree gchar *line = g_strdup_printf ("mgputags dictionary-location=%s",
      path);
  g_autoptr (GstHarness) h = NULL;
  g_autoptr (GstBuffer) out = NULL;
  GstMgpuTag tag;

  for (gint i = 0; i < 36; i++)
    g_string_append_c (text, cell_is_white (family, family->codes[7], i % 6 + 1,
            i / 6 + 1) ? '1' : '0');
  g_string_append (text, "\"\n");
  replace_file (path, text->str, -1);
  g_string_free (text, TRUE);
  h = harness_new (line, GRAY_CAPS, GRAY_CAPS);
  out = harness_push_pull (h, tags_frame (0, &drawn, 1));
  fail_unless (gst_mgpu_tag_meta_get_tag (get_tags (out, 1), 0, &tag));
  fail_unless_equals_string (tag.family, "file");
  fail_unless_equals_int (tag.id, 0);
}

GST_END_TEST;

/* Properties with which the element does not start, and a part of the error */
static const struct
{
  const gchar *name, *value, *error;
} bad[] = {
  {"families", "tag36h12", "tag36h12, which is not a tag family"},
  {"families", "tag36h11,,no", "no, which is not a tag family"},
  {"tag-sizes", "tag36h11", "tag-sizes"},
  {"tag-sizes", "tag36h11:1-0=0.1", "tag-sizes"},
  {"tag-sizes", "tag36h11:x=0.1", "tag-sizes"},
  {"tag-sizes", "tag36h11=0", "tag-sizes"},
  {"tag-sizes", "tag36h11=nan", "tag-sizes"},
  {"tag-sizes", "tag36h11=101", "tag-sizes"},
  {"tag-sizes", "tag16h5=0.1", "\"families\" does not"},
  {"camera", "1,2,3", "camera"},
  {"camera", "1,2,3,4,5", "camera"},
  {"camera", "0,2,3,4", "camera"},
  {"camera", "300,300,1,1,x", "camera"},
  {"camera", "300,300,nan,1", "camera"},
  {"calibration", "/nowhere.yml", "file or \"calibration\""},
  {"board-location", "/nowhere.yml", "file or \"board-location\""},
  {"dictionary-location", "/nowhere.yml", "file or \"dictionary-location\""}
};

GST_START_TEST (test_bad_properties)
{
  g_autoptr (GstElement) element = gst_element_factory_make ("mgputags", NULL);
  g_autoptr (GstBus) bus = gst_bus_new ();
  g_autoptr (GstMessage) message = NULL;
  g_autoptr (GError) error = NULL;

  gst_element_set_bus (element, bus);
  g_object_set (element, bad[__i__].name, bad[__i__].value, NULL);
  fail_unless_equals_int (gst_element_set_state (element, GST_STATE_PAUSED),
      GST_STATE_CHANGE_FAILURE);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  gst_message_parse_error (message, &error, NULL);
  fail_unless (strstr (error->message, bad[__i__].error) != NULL, "%s",
      error->message);
  gst_element_set_state (element, GST_STATE_NULL);
  gst_element_set_bus (element, NULL);
}

GST_END_TEST;

/* Tests a calibration of another aspect ratio, which causes an error when the caps are known. */
GST_START_TEST (test_bad_aspect)
{
  g_autofree gchar *line = g_strdup_printf ("mgputags calibration=%s", path);
  g_autoptr (GstHarness) h = NULL;

  replace_file (path, "image_width: 640\nimage_height: 360\n"
      "camera_matrix:\n  rows: 3\n  cols: 3\n  data: [600, 0, 320, 0, 600, 180, "
      "0, 0, 1]\ndistCoeffs: [0, 0, 0, 0]\n", -1);
  h = gst_harness_new_parse (line);
  gst_harness_set_src_caps_str (h, GRAY_CAPS);
  fail_unless_equals_int (gst_harness_push (h, tags_frame (0, two, 2)),
      GST_FLOW_NOT_NEGOTIATED);
}

GST_END_TEST;

/* Tests that tags with simple codes count if their border is clean, or with less evidence: a white
 * rectangle in a black square. Tags with other codes may have four wrong border cells. */
GST_START_TEST (test_simple)
{
  static const struct
  {
    guint id, n;
    gboolean is_dirty;
    gdouble least;
  } known[] = { {1023, 1, FALSE, 13.5}, {1023, 0, TRUE, 13.5},
  {1023, 1, TRUE, 8}, {682, 1, TRUE, 13.5}
  };
  const DrawnTag drawn = { "tagArucoOriginal", known[__i__].id,
    {80, 40, 220, 40, 220, 180, 80, 180}
  };
  g_autofree gchar *line = g_strdup_printf ("mgputags "
      "families=tagArucoOriginal min-evidence=%g", known[__i__].least);
  g_autoptr (GstHarness) h = harness_new (line, GRAY_CAPS, GRAY_CAPS);
  GstBuffer *frame = tags_frame (0, &drawn, 1);
  g_autoptr (GstBuffer) out = NULL;
  GstMapInfo map;

  fail_unless (gst_buffer_map (frame, &map, GST_MAP_READWRITE));
  for (guint i = 0; known[__i__].is_dirty && i < 4 * 14 * 14; i++)
    map.data[(43 + i / 14 % 14) * WIDTH + 83 + 40 * (i / 14 / 14)
        + i % 14] = 230;
  gst_buffer_unmap (frame, &map);
  out = harness_push_pull (h, frame);
  get_tags (out, known[__i__].n);
}

GST_END_TEST;

/* --- Several mgputags in a row --- */

/* Pushes @frame (transfer full). Returns: (transfer full): the output frame, which has the @n tags
 * of @drawn, each with one region */
static GstBuffer *
pass_again (GstHarness * h, GstBuffer * frame, const DrawnTag * drawn, guint n)
{
  GstBuffer *out = harness_push_pull (h, frame);
  GstMgpuTagMeta *meta = get_tags (out, n);
  GstMgpuTag tag;

  fail_unless_equals_int (gst_buffer_get_n_meta (out,
          GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE), n);
  for (guint i = 0; i < n; i++) {
    check_tag (meta, i, &drawn[i], 0.15);
    fail_unless (gst_mgpu_tag_meta_get_tag (meta, i, &tag));
    fail_unless (gst_buffer_get_video_region_of_interest_meta_id (out,
            tag.roi_id) != NULL);
  }
  return out;
}

/* Tests that several elements in a row share one meta, in which the pose of the only board is kept.
 * A frame that arrives again has each element's last tags only once. */
GST_START_TEST (test_in_a_row)
{
  static const DrawnTag drawn[] = { {"tag36h11", 17,
      {20, 30, 100, 34, 96, 112, 18, 108}},
  {"tag25h9", 3, {230, 60, 235, 140, 160, 150, 155, 65}}
  };
  const DrawnTag turned[] = { drawn[1], drawn[0] };
  g_autofree gchar *line = g_strdup_printf ("mgputags " CAMERA
      " board-location=%s ! mgputags families=tag25h9 name=f", path);
  g_autoptr (GstHarness) h = NULL, other = NULL;
  g_autoptr (GstElement) second = NULL;
  GstBuffer *frame = tags_frame (0, drawn, 2);
  gdouble distance;

  replace_file (path, "family: tag36h11\ntag_17: [0, 0.1, 0, 0.1, 0.1, 0, "
      "0.1, 0, 0, 0, 0, 0]\n", -1);
  h = harness_new (line, GRAY_CAPS, GRAY_CAPS);
  second = gst_bin_get_by_name (GST_BIN (h->element), "f");
  for (guint i = 0; i < 3; i++) {
    frame = pass_again (h, frame, drawn, 2);
    fail_unless (gst_mgpu_tag_meta_get_board_position
        (gst_buffer_get_mgpu_tag_meta (frame)) != NULL);
  }
  distance = gst_mgpu_tag_meta_get_board_position
      (gst_buffer_get_mgpu_tag_meta (frame))[2];
  fail_unless (fabs (distance - 0.38) < 0.03, "%g", distance);
  g_object_set (second, "min-size", 200.0, NULL);
  frame = pass_again (h, frame, drawn, 1);

  other = harness_new ("mgputags families=tag25h9", GRAY_CAPS, GRAY_CAPS);
  frame = pass_again (other, frame, drawn, 2);
  frame = pass_again (h, frame, turned, 2);
  gst_buffer_unref (frame);
}

GST_END_TEST;

/* --- Masks and messages --- */

GST_START_TEST (test_regions)
{
  g_autoptr (GstHarness) h = harness_new ("mgputags roi-type=door", GRAY_CAPS,
      GRAY_CAPS);

  for (guint i = 0; i < 3; i++) {
    GstBuffer *in = tags_frame (i, two, 2);
    g_autoptr (GstBuffer) out = NULL;

    if (i > 0)
      gst_buffer_add_video_region_of_interest_meta (in,
          i == 1 ? "door" : "wall", 150, 50, 150, 150);
    out = harness_push_pull (h, in);
    if (i == 1)
      check_tag (get_tags (out, 1), 0, &two[1], 0.1);
    else
      get_tags (out, 0);
  }
}

GST_END_TEST;

GST_START_TEST (test_mask)
{
  g_autofree gchar *mask = g_build_filename (folder, "mask.pgm", NULL);
  g_autofree gchar *line = g_strdup_printf ("mgputags mask-location=%s", mask);
  g_autoptr (GstHarness) h = NULL;
  g_autoptr (GstBuffer) out = NULL;

  if (!can_read_images ())
    return;
  /* Uses a mask image of two pixels, with which only tags in the left half of frames count. */
  replace_file (mask, "P5\n2 1\n255\n\xff\x00", 13);
  h = harness_new (line, GRAY_CAPS, GRAY_CAPS);
  out = harness_push_pull (h, tags_frame (0, two, 2));
  check_tag (get_tags (out, 1), 0, &two[0], 0.1);
}

GST_END_TEST;

GST_START_TEST (test_properties)
{
  g_autoptr (GstHarness) h = harness_new ("mgputags name=f frame-interval=2",
      GRAY_CAPS, GRAY_CAPS);
  g_autoptr (GstElement) element = gst_harness_find_element (h, "mgputags");

  for (guint i = 0; i < 8; i++) {
    g_autoptr (GstBuffer) out = NULL;

    if (i == 4)
      g_object_set (element, "min-size", 200.0, NULL);
    if (i == 6)
      g_object_set (element, "min-size", 10.0, "polarity", 1, NULL);
    out = harness_push_pull (h, tags_frame (i, two, 2));
    get_tags (out, i == 0 || i == 2 ? 2 : 0);
  }
}

GST_END_TEST;

/* Tests that a family whose tags can never count is reported only once. */
GST_START_TEST (test_weak)
{
  g_autoptr (GstHarness) h = harness_new ("mgputags name=f", GRAY_CAPS,
      GRAY_CAPS);
  g_autoptr (GstElement) element = gst_harness_find_element (h, "mgputags");
  GstBus *bus = harness_bus (h);
  GstMessage *message;
  guint n = 0;

  for (guint i = 0; i < 8; i++) {
    g_object_set (element, "min-evidence", i % 2 == 0 ? 13.5 : 60.0 + i % 4,
        NULL);
    gst_buffer_unref (harness_push_pull (h, tags_frame (i, two, 2)));
  }
  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING)) != NULL) {
    GError *error = NULL;

    gst_message_parse_warning (message, &error, NULL);
    fail_unless (strstr (error->message, "tag36h11") != NULL, "%s",
        error->message);
    g_error_free (error);
    gst_message_unref (message);
    n++;
  }
  fail_unless_equals_int (n, 1);
}

GST_END_TEST;

/* --- Messages --- */

/* Returns: the events of all messages on @bus, such as "+17 -17" if tag 17 appeared and
 * disappeared */
static gchar *
pop_events (GstBus * bus)
{
  GString *events = g_string_new (NULL);
  GstMessage *message;

  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_ELEMENT)) != NULL) {
    const GstStructure *s = gst_message_get_structure (message);
    guint id = 0;

    if (gst_structure_has_name (s, "mgpu-tag")) {
      fail_unless (gst_structure_get_uint (s, "id", &id));
      g_string_append_printf (events, "%s%s%u", events->len > 0 ? " " : "",
          strcmp (gst_structure_get_string (s, "event"), "appeared") == 0 ? "+"
          : "-", id);
    }
    gst_message_unref (message);
  }
  return g_string_free (events, FALSE);
}

static void
check_events (GstHarness * h, GstBus * bus, guint i, guint n,
    const gchar * expected)
{
  g_autofree gchar *events = NULL;
  g_autoptr (GstBuffer) out = harness_push_pull (h, tags_frame (i, two, n));

  events = pop_events (bus);
  fail_unless (strcmp (events, expected) == 0, "frame %u: \"%s\", not \"%s\"",
      i, events, expected);
}

GST_START_TEST (test_messages)
{
  g_autoptr (GstHarness) h = harness_new ("mgputags disappear-frames=2",
      GRAY_CAPS, GRAY_CAPS);
  g_autoptr (GstElement) element = gst_harness_find_element (h, "mgputags");
  g_autoptr (GstBus) bus = gst_bus_new ();
  g_autofree gchar *events = NULL;

  gst_element_set_bus (element, bus);
  check_events (h, bus, 0, 2, "");
  check_events (h, bus, 1, 2, "+17 +586");
  check_events (h, bus, 2, 1, "");
  check_events (h, bus, 3, 1, "-586");
  check_events (h, bus, 4, 0, "");
  check_events (h, bus, 5, 1, "");
  /* Flushes, which ends all appearances. */
  fail_unless (gst_harness_push_event (h, gst_event_new_flush_start ()));
  fail_unless (gst_harness_push_event (h, gst_event_new_flush_stop (TRUE)));
  events = pop_events (bus);
  fail_unless_equals_string (events, "-17");
  gst_harness_set_src_caps_str (h, GRAY_CAPS);
  {
    GstSegment segment;

    gst_segment_init (&segment, GST_FORMAT_TIME);
    gst_harness_push_event (h, gst_event_new_segment (&segment));
  }
  check_events (h, bus, 6, 1, "");
  check_events (h, bus, 7, 1, "+17");
  g_object_set (element, "enabled", FALSE, NULL);
  check_events (h, bus, 8, 1, "-17");
  g_object_set (element, "enabled", TRUE, "post-messages", FALSE, NULL);
  check_events (h, bus, 9, 2, "");
  check_events (h, bus, 10, 2, "");
  gst_element_set_bus (element, NULL);
}

GST_END_TEST;

/* --- Frames in flight --- */

/* Tests that frames are pushed in order, each with its own tag, at any number in flight. */
GST_START_TEST (test_order)
{
  g_autoptr (GstHarness) h = harness_new (__i__ == 0 ?
      "mgputags max-in-flight=4" : "mgputags max-in-flight=4 ! mgpuupload",
      GRAY_CAPS, __i__ == 0 ? GRAY_CAPS :
      "video/x-raw(memory:OpenCLMemory),format=GRAY8,width=320,height=240,"
      "framerate=25/1");

  for (guint i = 0; i < 12; i++) {
    DrawnTag drawn = two[0];

    drawn.id = i;
    fail_unless_equals_int (gst_harness_push (h, tags_frame (i, &drawn, 1)),
        GST_FLOW_OK);
  }
  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
  for (guint i = 0; i < 12; i++) {
    g_autoptr (GstBuffer) out = harness_pull (h);
    GstMgpuTag tag;

    fail_unless_equals_uint64 (GST_BUFFER_PTS (out), i * 40 * GST_MSECOND);
    fail_unless (gst_mgpu_tag_meta_get_tag (get_tags (out, 1), 0, &tag));
    fail_unless_equals_int (tag.id, i);
  }
}

GST_END_TEST;

/* Returns: (transfer full): a frame with @n tags, in rows of 10 */
static GstBuffer *
crowd_frame (guint n)
{
  g_autofree DrawnTag *drawn = g_new0 (DrawnTag, n);
  GstBuffer *frame;

  for (guint i = 0; i < n; i++) {
    gdouble x = 6 + 31 * (i % 10), y = 4 + 29 * (i / 10), size = 22;
    const gdouble corners[8] = { x, y, x + size, y, x + size, y + size, x,
      y + size
    };

    drawn[i].family = "tag36h11";
    drawn[i].id = i;
    memcpy (drawn[i].corners, corners, sizeof (corners));
  }
  frame = tags_frame (0, drawn, n);
  return frame;
}

/* Tests that all results are downloaded from a dedicated memory only if tags are many. */
GST_START_TEST (test_downloads)
{
  static const guint numbers[] = { 2, 64, 65, 78 };
  guint n = numbers[__i__];
  GstContext *carrier = discrete_carrier ();
  g_autoptr (GstElement) element =
      gst_object_ref_sink (gst_element_factory_make ("mgputags", NULL));
  g_autoptr (GstStructure) stats = NULL;
  g_autoptr (GstBuffer) out = NULL;
  g_autoptr (GstHarness) h = NULL;
  guint64 bytes;
  GstMgpuTag tag;

  gst_element_set_context (element, carrier);
  gst_context_unref (carrier);
  h = gst_harness_new_with_element (element, "sink", "src");
  gst_harness_set_sink_caps_str (h, GRAY_CAPS);
  gst_harness_set_src_caps_str (h, GRAY_CAPS);
  out = harness_push_pull (h, crowd_frame (n));
  for (guint i = 0; i < n; i++) {
    fail_unless (gst_mgpu_tag_meta_get_tag (get_tags (out, n), i, &tag));
    fail_unless_equals_int (tag.id, i);
  }
  g_object_get (element, "stats", &stats, NULL);
  fail_unless (gst_structure_get_uint64 (stats, "download-bytes", &bytes));
  fail_unless (bytes > 1000
      && (bytes < 40000) == (n <= 64), "%" G_GUINT64_FORMAT, bytes);
}

GST_END_TEST;

/* Tests that interlaced frames cause one warning. */
GST_START_TEST (test_interlaced)
{
  g_autoptr (GstHarness) h = harness_new ("mgputags", GRAY_CAPS, "video/x-raw");
  GstBus *bus = harness_bus (h);
  g_autoptr (GstMessage) message = NULL;
  g_autoptr (GError) error = NULL;

  gst_harness_set_src_caps_str (h, GRAY_CAPS ",interlace-mode=interleaved");
  for (guint i = 0; i < 2; i++) {
    g_autoptr (GstBuffer) out = harness_push_pull (h, tags_frame (i, two, 2));

    get_tags (out, 2);
  }
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING);
  fail_unless (message != NULL);
  gst_message_parse_warning (message, &error, NULL);
  fail_unless (strstr (error->message, "deinterlace") != NULL, "%s",
      error->message);
  fail_unless (gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING) == NULL);
}

GST_END_TEST;

/* Tests new caps while frames are in flight, and frames that are too small for a tag. */
GST_START_TEST (test_caps)
{
  static const gint sizes[][2] =
      { {1, 1}, {17, 33}, {1, 64}, {320, 240}, {5, 3} };
  g_autoptr (GstHarness) h = gst_harness_new_parse ("mgputags max-in-flight=3");

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    g_autofree gchar *caps = g_strdup_printf ("video/x-raw,format=GRAY8,"
        "width=%d,height=%d,framerate=25/1", sizes[i][0], sizes[i][1]);
    GstVideoInfo info;

    gst_harness_set_src_caps_str (h, caps);
    info = info_from_string (caps);
    for (guint k = 0; k < 2; k++) {
      GstBuffer *in = sizes[i][0] == WIDTH ? tags_frame (2 * i + k, two, 2)
          : gst_buffer_new_allocate (NULL, info.size, NULL);

      if (sizes[i][0] != WIDTH)
        gst_buffer_memset (in, 0, 77, -1);
      fail_unless_equals_int (gst_harness_push (h, in), GST_FLOW_OK);
    }
  }
  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
  for (guint i = 0; i < 2 * G_N_ELEMENTS (sizes); i++) {
    g_autoptr (GstBuffer) out = harness_pull (h);

    get_tags (out, i / 2 == 3 ? 2 : 0);
  }
}

GST_END_TEST;

/* Tests that a push returns an error if nothing is linked downstream, and ends. */
GST_START_TEST (test_unlinked)
{
  g_autoptr (GstElement) element = gst_element_factory_make ("mgputags", NULL);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element, "sink");
  g_autoptr (GstCaps) caps = gst_caps_from_string (GRAY_CAPS);
  GstFlowReturn flow = GST_FLOW_OK;
  GstSegment segment;

  g_object_set (element, "max-in-flight", 3, NULL);
  gst_element_set_state (element, GST_STATE_PLAYING);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_send_event (pad, gst_event_new_stream_start ("a"));
  gst_pad_send_event (pad, gst_event_new_caps (caps));
  gst_pad_send_event (pad, gst_event_new_segment (&segment));
  for (guint i = 0; i < 8 && flow == GST_FLOW_OK; i++)
    flow = gst_pad_chain (pad, tags_frame (i, two, 2));
  fail_unless_equals_int (flow, GST_FLOW_NOT_LINKED);
  gst_element_set_state (element, GST_STATE_NULL);
}

GST_END_TEST;

CHECK_TESTS (mgputags)
{
  tcase_add_checked_fixture (tc, setup, file_end);
  tcase_add_test (tc, test_found);
  tcase_add_loop_test (tc, test_families, 0, G_N_ELEMENTS (families));
  tcase_add_loop_test (tc, test_pose, 0, 3);
  tcase_add_test (tc, test_board);
  tcase_add_test (tc, test_calibration);
  tcase_add_loop_test (tc, test_camera_meta, 0, 2);
  tcase_add_test (tc, test_dictionary);
  tcase_add_loop_test (tc, test_bad_properties, 0, G_N_ELEMENTS (bad));
  tcase_add_test (tc, test_bad_aspect);
  tcase_add_loop_test (tc, test_simple, 0, 4);
  tcase_add_test (tc, test_in_a_row);
  tcase_add_test (tc, test_regions);
  tcase_add_test (tc, test_mask);
  tcase_add_test (tc, test_properties);
  tcase_add_test (tc, test_weak);
  tcase_add_test (tc, test_messages);
  tcase_add_loop_test (tc, test_order, 0, 2);
  tcase_add_loop_test (tc, test_downloads, 0, 4);
  tcase_add_test (tc, test_interlaced);
  tcase_add_test (tc, test_caps);
  tcase_add_test (tc, test_unlinked);
}
