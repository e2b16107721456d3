/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests mgpumatch with reference images and photographs of OpenCV. */
#include "match.h"

#include "../launches.h"

static void
set_enabled (GstHarness * h, gboolean enabled)
{
  g_autoptr (GstElement) element = harness_filter (h);

  g_object_set (element, "enabled", enabled, NULL);
}

/* Tests the attached metas, also in a frame that is scaled after mgpumatch. */
GST_START_TEST (test_attached)
{
  static const gchar *const launches[] = { SIFT "pictures=" DATA "graf1.png:"
        DATA "box.png", SIFT "pictures=" DATA "box.png ! mgpuconvert ! "
        "capsfilter caps=video/x-raw,width=256,height=192"
  };
  gdouble zoom = __i__ == 0 ? 1 : 0.5;
  GstVideoRegionOfInterestMeta *roi;
  GstMgpuPictureMeta *meta;
  GstMgpuPicture picture;
  GstStructure *s;
  GstBuffer *scene, *out;
  g_autoptr (GstHarness) h = NULL;
  GstBus *bus;
  g_autofree gchar *caps = NULL;
  gdouble x, y, w;
  const gdouble *m;

  scene = photograph_new ("box_in_scene.png", &caps);
  h = match_new (launches[__i__], caps, &bus);
  out = harness_push_pull (h, scene);
  meta = gst_buffer_get_mgpu_picture_meta (out);
  fail_unless (meta != NULL);
  fail_unless_equals_int (gst_mgpu_picture_meta_get_n_pictures (meta), 1);
  fail_unless (gst_mgpu_picture_meta_get_picture (meta, 0, &picture));
  fail_if (gst_mgpu_picture_meta_get_picture (meta, 1, &picture));
  fail_unless (gst_mgpu_picture_meta_get_corners (meta, 1) == NULL);
  fail_unless (gst_mgpu_picture_meta_get_matrix (meta, 1) == NULL);
  fail_unless_equals_string (picture.name, "box");
  fail_unless_equals_int (picture.number, 2 - __i__);
  fail_unless (picture.width == 324 && picture.height == 223);
  fail_unless (picture.n_inliers >= 30
      && picture.n_matches >= picture.n_inliers);
  check_corners (gst_mgpu_picture_meta_get_corners (meta, 0), known, zoom, 3);
  /* The matrix in the meta also maps the upper left corner. */
  m = gst_mgpu_picture_meta_get_matrix (meta, 0);
  w = m[8] - 0.5 * (m[6] + m[7]);
  x = (m[2] - 0.5 * (m[0] + m[1])) / w;
  y = (m[5] - 0.5 * (m[3] + m[4])) / w;
  fail_unless (fabs (x - gst_mgpu_picture_meta_get_corners (meta,
              0)[0]) < 1e-6);
  fail_unless (fabs (y - gst_mgpu_picture_meta_get_corners (meta,
              0)[1]) < 1e-6);
  roi = gst_buffer_get_video_region_of_interest_meta_id (out, picture.roi_id);
  fail_unless (roi != NULL);
  fail_unless_equals_string (g_quark_to_string (roi->roi_type), "box");
  fail_unless (fabs (roi->x - 90 * zoom) < 4 && fabs (roi->y - 161 * zoom) < 4);
  fail_unless (fabs (roi->w - 195 * zoom) < 4
      && fabs (roi->h - 138 * zoom) < 4);
  s = gst_video_region_of_interest_meta_get_param (roi, "detection");
  fail_unless (gst_structure_get_double (s, "confidence", &w));
  fail_unless (w > 0.5 && w <= 1);
  gst_buffer_unref (out);
}

GST_END_TEST;

/* Tests that mgpumatch finds the reference image at the same position in a photograph of limited
 * range and in the same photograph of full range. */
GST_START_TEST (test_ranges)
{
  gdouble corners[2][8];
  guint inliers[2];

  for (guint is_full = 0; is_full < 2; is_full++) {
    GstMgpuPicture picture;
    GstMgpuPictureMeta *meta;
    GstBuffer *scene, *out;
    g_autoptr (GstHarness) h = NULL;
    GstMapInfo map;
    GstBus *bus;
    g_autofree gchar *caps = NULL, *ranged = NULL;

    scene = photograph_new ("box_in_scene.png", &caps);
    ranged = g_strconcat (caps, is_full ? ",colorimetry=1:4:5:1"
        : ",colorimetry=2:4:5:1", NULL);
    gst_buffer_map (scene, &map, GST_MAP_READWRITE);
    for (gsize i = 0; i < map.size; i++) {
      guint code = (map.data[i] * 219 + 127) / 255;

      map.data[i] = is_full ? (code * 255 + 109) / 219 : 16 + code;
    }
    gst_buffer_unmap (scene, &map);
    h = match_new (SIFT "pictures=" DATA "box.png", ranged, &bus);
    out = harness_push_pull (h, scene);
    meta = gst_buffer_get_mgpu_picture_meta (out);
    fail_unless (meta != NULL);
    fail_unless (gst_mgpu_picture_meta_get_picture (meta, 0, &picture));
    inliers[is_full] = picture.n_inliers;
    memcpy (corners[is_full], gst_mgpu_picture_meta_get_corners (meta, 0),
        sizeof (corners[0]));
    gst_buffer_unref (out);
  }
  check_corners (corners[0], corners[1], 1, 0.5);
  fail_unless (ABS ((gint) inliers[0] - (gint) inliers[1]) <= 5,
      "%u and %u matches fit", inliers[0], inliers[1]);
}

GST_END_TEST;

/* Tests a reference image that is larger than the frame, which shows only a part of it: corners of
 * the image lie outside of the frame, and the region is the visible part. */
GST_START_TEST (test_larger)
{
  GstVideoRegionOfInterestMeta *roi;
  GstBuffer *box, *out;
  GstMgpuPictureMeta *meta;
  GstMgpuPicture picture;
  const gdouble *corners;
  gpointer state = NULL;
  g_autoptr (GstHarness) h = NULL;
  GstBus *bus;
  g_autofree gchar *caps = NULL;

  box = photograph_new ("box.png", &caps);
  h = match_new (SIFT "max-features=1500 pictures=" DATA "box_in_scene.png",
      caps, &bus);
  out = harness_push_pull (h, box);
  meta = gst_buffer_get_mgpu_picture_meta (out);
  fail_unless (meta != NULL);
  fail_unless (gst_mgpu_picture_meta_get_picture (meta, 0, &picture));
  fail_unless (picture.width == 512 && picture.height == 384);
  corners = gst_mgpu_picture_meta_get_corners (meta, 0);
  fail_unless (corners[0] < 0 && corners[1] < 0 && corners[4] > 324
      && corners[5] > 223);
  roi = (GstVideoRegionOfInterestMeta *) gst_buffer_iterate_meta_filtered (out,
      &state, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE);
  fail_unless (roi->x == 0 && roi->y == 0 && roi->w == 324 && roi->h == 223);
  gst_buffer_unref (out);
}

GST_END_TEST;

/* Tests that a reference image appears in the second frame in a row that shows it, and disappears
 * in the third frame without it. Blank frames and other scenes count as frames without it. */
GST_START_TEST (test_events)
{
  g_autoptr (GstBuffer) scene = NULL, other = NULL, blank = NULL;
  g_autofree gchar *caps = NULL, *other_caps = NULL;
  GstVideoInfo info;
  g_autoptr (GstHarness) h = NULL;
  GstBus *bus;
  guint i = 0;

  scene = photograph_new ("box_in_scene.png", &caps);
  other = blank_new (caps);
  /* Fills a frame with noise, which has keypoints, but not those of the reference image. */
  info = info_from_string (caps);
  fill_frame (&info, other, 5);
  blank = blank_new (caps);
  h = match_new (SIFT "disappear-frames=3 pictures=" DATA "box.png", caps,
      &bus);
  fail_unless (push (h, scene, i++));
  expect_event (bus, NULL, NULL);
  fail_if (push (h, blank, i++));
  fail_unless (push (h, scene, i++));
  expect_event (bus, NULL, NULL);
  fail_unless (push (h, scene, i++));
  expect_event (bus, "appeared", "box");
  fail_if (push (h, blank, i++));
  fail_if (push (h, other, i++));
  fail_unless (push (h, scene, i++));
  expect_event (bus, NULL, NULL);
  fail_if (push (h, other, i++));
  fail_if (push (h, blank, i++));
  expect_event (bus, NULL, NULL);
  fail_if (push (h, blank, i++));
  expect_event (bus, "disappeared", "box");
  expect_event (bus, NULL, NULL);

  /* Tests a frame that passes unchanged, a flush, and frames of another size. */
  for (guint k = 0; k < 3; k++) {
    fail_unless (push (h, scene, i++));
    fail_unless (push (h, scene, i++));
    expect_event (bus, "appeared", "box");
    if (k == 0) {
      set_enabled (h, FALSE);
      fail_if (push (h, scene, i++));
      set_enabled (h, TRUE);
    } else if (k == 1) {
      flush (h);
    } else {
      gst_harness_set_src_caps_str (h, "video/x-raw,format=GRAY8,width=64,"
          "height=48,framerate=25/1");
    }
    expect_event (bus, "disappeared", "box");
    expect_event (bus, NULL, NULL);
  }
  other_caps = g_strdup ("video/x-raw,format=GRAY8,width=64,height=48");
  gst_buffer_unref (blank);
  blank = blank_new (other_caps);
  fail_if (push (h, blank, i++));
  expect_event (bus, NULL, NULL);
}

GST_END_TEST;

/* Tests that reference images are added and removed while frames arrive. */
GST_START_TEST (test_signals)
{
  g_autoptr (GstBuffer) scene = NULL, box = NULL, blank = NULL;
  g_autofree gchar *caps = NULL, *box_caps = NULL;
  g_autoptr (GstElement) filter = NULL;
  g_autoptr (GstSample) sample = NULL;
  gboolean removed;
  g_autoptr (GstHarness) h = NULL;
  GstBus *bus;
  g_autoptr (GstCaps) c = NULL;
  guint number, i = 0;

  scene = photograph_new ("box_in_scene.png", &caps);
  box = photograph_new ("box.png", &box_caps);
  blank = blank_new (box_caps);
  h = match_new (SIFT "appear-frames=1 max-features=400", caps, &bus);
  filter = harness_filter (h);
  fail_if (push (h, scene, i++));
  c = gst_caps_from_string (box_caps);
  sample = gst_sample_new (box, c, NULL, NULL);
  g_signal_emit_by_name (filter, "add-picture", "thing", sample, &number);
  fail_unless_equals_int (number, 1);
  fail_unless (push (h, scene, i++));
  expect_event (bus, "appeared", "thing");
  /* Adds the same image again, which counts as another reference image. */
  g_signal_emit_by_name (filter, "add-picture", "thing", sample, &number);
  fail_unless_equals_int (number, 2);
  fail_unless (push (h, scene, i++));
  expect_event (bus, "disappeared", "thing");
  expect_event (bus, "appeared", "thing");
  g_signal_emit_by_name (filter, "remove-picture", "nothing", &removed);
  fail_if (removed);
  g_signal_emit_by_name (filter, "remove-picture", "thing", &removed);
  fail_unless (removed);
  g_signal_emit_by_name (filter, "remove-picture", "thing", &removed);
  fail_if (removed);
  fail_if (push (h, scene, i++));
  expect_event (bus, "disappeared", "thing");
  gst_sample_unref (sample);

  /* Adds an image without keypoints, and a sample that is not an image. */
  sample = gst_sample_new (blank, c, NULL, NULL);
  g_signal_emit_by_name (filter, "add-picture", "blank", sample, &number);
  fail_unless_equals_int (number, 3);
  fail_if (push (h, scene, i++));
  check_warning (bus, "blank has 0 keypoints", "min-inliers");
  fail_if (push (h, scene, i++));
  fail_if (gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING));
  gst_sample_unref (sample);
  sample = gst_sample_new (NULL, c, NULL, NULL);
  g_signal_emit_by_name (filter, "add-picture", "none", sample, &number);
  fail_unless_equals_int (number, 0);
  check_warning (bus, "none", "not a video frame");
}

GST_END_TEST;

/* Tests that frames without keypoints or descriptors pass unchanged, as do all frames if "enabled"
 * is off. */
GST_START_TEST (test_without)
{
  GstBuffer *scene, *out;
  g_autoptr (GstHarness) h = NULL;
  GstBus *bus;
  g_autofree gchar *caps = NULL;

  scene = photograph_new ("box_in_scene.png", &caps);
  h = match_new ("mgpumatch name=f pictures=" DATA "box.png", caps, &bus);
  out = harness_push_pull (h, gst_buffer_ref (scene));
  fail_unless (gst_buffer_peek_memory (out, 0) ==
      gst_buffer_peek_memory (scene, 0));
  fail_if (gst_buffer_get_mgpu_picture_meta (out));
  gst_buffer_unref (out);
  fail_unless_equals_uint64 (harness_stat (h, "uploads"), 0);
  harness_end (h);

  h = match_new (SIFT "enabled=false pictures=" DATA "box.png", caps, &bus);
  fail_if (push (h, scene, 0));
  harness_end (h);

  h = match_new ("mgpusift descriptor=none ! mgpumatch name=f pictures=" DATA
      "box.png", caps, &bus);
  fail_if (push (h, scene, 0));
  gst_buffer_unref (scene);
}

GST_END_TEST;

/* Tests a wall seen from another position, for which OpenCV provides the true homography. */
GST_START_TEST (test_graf)
{
  static const gdouble h1to3[9] = { 7.6285898e-01, -2.9922929e-01,
    2.2567123e+02, 3.3443473e-01, 1.0143901e+00, -7.6999973e+01,
    3.4663091e-04, -1.4364524e-05, 1.0
  };
  GstMgpuPictureMeta *meta;
  GstBuffer *graf, *out;
  gdouble want[8];
  g_autoptr (GstHarness) h = NULL;
  GstBus *bus;
  g_autofree gchar *caps = NULL;

  graf = photograph_new ("graf3.png", &caps);
  h = match_new (SIFT "max-features=1500 pictures=" DATA "graf1.png", caps,
      &bus);
  for (guint i = 0; i < 4; i++) {
    gdouble x = i == 1 || i == 2 ? 799.5 : -0.5, y = i >= 2 ? 639.5 : -0.5;
    gdouble w = h1to3[6] * x + h1to3[7] * y + h1to3[8];

    want[2 * i] = (h1to3[0] * x + h1to3[1] * y + h1to3[2]) / w;
    want[2 * i + 1] = (h1to3[3] * x + h1to3[4] * y + h1to3[5]) / w;
  }
  out = harness_push_pull (h, graf);
  meta = gst_buffer_get_mgpu_picture_meta (out);
  fail_unless (meta != NULL);
  check_corners (gst_mgpu_picture_meta_get_corners (meta, 0), want, 1, 8);
  gst_buffer_unref (out);
}

GST_END_TEST;

/* Checks that the reference images found in a frame are those of @names, each with a region of its
 * name, and that there is no other region. */
static void
check_pictures (GstBuffer * frame, const gchar * const *names, guint n)
{
  GstMgpuPictureMeta *meta = gst_buffer_get_mgpu_picture_meta (frame);

  fail_unless_equals_int (gst_buffer_get_n_meta (frame,
          GST_MGPU_PICTURE_META_API_TYPE), n > 0);
  fail_unless_equals_int (gst_buffer_get_n_meta (frame,
          GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE), n);
  fail_unless_equals_int (n == 0 ? 0
      : gst_mgpu_picture_meta_get_n_pictures (meta), n);
  for (guint i = 0; i < n; i++) {
    GstVideoRegionOfInterestMeta *roi;
    GstMgpuPicture picture;

    fail_unless (gst_mgpu_picture_meta_get_picture (meta, i, &picture));
    fail_unless_equals_string (picture.name, names[i]);
    roi = gst_buffer_get_video_region_of_interest_meta_id (frame,
        picture.roi_id);
    fail_unless_equals_string (g_quark_to_string (roi->roi_type), names[i]);
  }
}

/* Tests that two mgpumatch in a row share one meta. A frame that arrives again has the last results
 * only once: each element replaces its own images in the meta, and keeps those of the other
 * element. */
GST_START_TEST (test_in_a_row)
{
  static const gchar *const first[] = { "box", "box_in_scene" };
  static const gchar *const again[] = { "box_in_scene", "box" };
  static const gchar *const same[] = { "box", "box" };
  g_autoptr (GstHarness) h = NULL, other = NULL;
  g_autoptr (GstBuffer) frame = NULL;
  GstElement *filter;
  gboolean removed;
  GstBus *bus, *bus2;
  g_autofree gchar *caps = NULL;

  frame = photograph_new ("box_in_scene.png", &caps);
  h = match_new (SIFT "pictures=" DATA "box.png ! mgpumatch pictures=" DATA
      "box_in_scene.png", caps, &bus);
  for (guint i = 0; i < 3; i++) {
    frame = harness_push_pull (h, frame);
    check_pictures (frame, first, 2);
  }
  /* Keeps a reference to the frame, which must not change. */
  gst_buffer_ref (frame);
  gst_buffer_unref (harness_push_pull (h, frame));
  check_pictures (frame, first, 2);
  /* Removes the image from the first element. */
  filter = harness_filter (h);
  g_signal_emit_by_name (filter, "remove-picture", "box", &removed);
  fail_unless (removed);
  frame = harness_push_pull (h, frame);
  check_pictures (frame, first + 1, 1);
  gst_object_unref (filter);
  harness_end (h);

  /* Uses elements of two pipelines with the same reference image. */
  h = match_new (SIFT "pictures=" DATA "box.png", caps, &bus);
  other = match_new (SIFT "pictures=" DATA "box.png", caps, &bus2);
  frame = harness_push_pull (h, frame);
  check_pictures (frame, again, 2);
  frame = harness_push_pull (other, frame);
  fail_unless_equals_int (gst_mgpu_picture_meta_get_n_pictures
      (gst_buffer_get_mgpu_picture_meta (frame)), 3);
  gst_buffer_unref (frame);
  g_free (caps);
  frame = photograph_new ("box_in_scene.png", &caps);
  for (guint i = 0; i < 2; i++) {
    frame = harness_push_pull (h, frame);
    frame = harness_push_pull (other, frame);
    check_pictures (frame, same, 2);
  }
}

GST_END_TEST;

/* Tests that mgpuoverlay draws only the outline of a reference image. */
GST_START_TEST (test_drawn)
{
  static const gchar *const launches[] = { SIFT "pictures=" DATA "box.png ! "
        "mgpuoverlay draw=pictures region-color=0xffffffff line-width=3",
    SIFT "pictures=" DATA "box.png ! mgpuoverlay draw=0"
  };
  GstBuffer *scene, *out;
  GstMapInfo map, before;
  GstHarness *h;
  GstBus *bus;
  g_autofree gchar *caps = NULL;

  scene = photograph_new ("box_in_scene.png", &caps);
  gst_buffer_map (scene, &before, GST_MAP_READ);
  for (guint i = 0; i < 2; i++) {
    guint n = 0, n_on_line = 0;

    h = match_new (launches[i], caps, &bus);
    out = harness_push_pull (h, gst_buffer_ref (scene));
    gst_buffer_map (out, &map, GST_MAP_READ);
    for (guint k = 0; k < 512 * 384; k++)
      n += map.data[k] != before.data[k];
    /* Checks the middle of the upper edge. */
    for (guint y = 164; y < 173; y++)
      n_on_line += map.data[y * 512 + 201] > 220;
    gst_buffer_unmap (out, &map);
    gst_buffer_unref (out);
    if (i == 0)
      fail_unless (n > 600 && n < 4000 && n_on_line >= 2, "%u, %u", n,
          n_on_line);
    else
      fail_unless_equals_int (n, 0);
    harness_end (h);
  }
  gst_buffer_unmap (scene, &before);
  gst_buffer_unref (scene);
}

GST_END_TEST;

#define N_CUTS 200

static gint n_launches;

static cl_int
on_launch (cl_kernel kernel, cl_uint n_dims, const size_t *global)
{
  g_atomic_int_inc (&n_launches);
  return CL_SUCCESS;
}

/* Returns: part @i, 100x80 pixels, of the image @picture of 800x640. If @i ends in 3, the part is
 * uniform gray; from N_CUTS / 2 on, it is noise */
static GstSample *
cut_new (GstBuffer * picture, guint i)
{
  const gchar *text = "video/x-raw,format=GRAY8,width=100,height=80";
  g_autoptr (GstBuffer) cut = gst_buffer_new_allocate (NULL, 100 * 80, NULL);
  g_autoptr (GRand) random = g_rand_new_with_seed (i);
  g_autoptr (GstCaps) caps = gst_caps_from_string (text);
  GstMapInfo from, to;
  GstSample *sample;

  gst_buffer_map (picture, &from, GST_MAP_READ);
  gst_buffer_map (cut, &to, GST_MAP_WRITE);
  for (guint y = 0; y < 80; y++)
    for (guint x = 0; x < 100; x++)
      to.data[y * 100 + x] = i >= N_CUTS / 2 ? g_rand_int_range (random, 0, 256)
          : i % 10 == 3 ? 99
          : from.data[(y + i / 14 * 80) * 800 + x + i % 14 * 50];
  gst_buffer_unmap (cut, &to);
  gst_buffer_unmap (picture, &from);
  sample = gst_sample_new (cut, caps, NULL, NULL);
  return sample;
}

/* Returns: (transfer full) (nullable): the meta of the second frame that shows @frame, while the
 * element searches for the reference images from @first to @last. Sets *@launches to the number of
 * kernel launches. */
static GstMgpuPictureMeta *
find_cuts (GstBuffer * frame, const gchar * caps, guint first, guint last,
    guint * launches)
{
  GstMgpuPictureMeta *meta = NULL;
  g_autoptr (GstElement) filter = NULL;
  g_autoptr (GstHarness) h = NULL;
  GstBus *bus;

  h = match_new (SIFT, caps, &bus);
  filter = harness_filter (h);
  for (guint i = first; i <= last; i++) {
    g_autofree gchar *name = g_strdup_printf ("cut%u", i);
    g_autoptr (GstSample) sample = cut_new (frame, i);
    guint number;

    g_signal_emit_by_name (filter, "add-picture", name, sample, &number);
    fail_unless (number > 0);
  }
  for (guint i = 0; i < 2; i++) {
    gint before = g_atomic_int_get (&n_launches);
    GstBuffer *out = harness_push_pull (h, gst_buffer_copy (frame));

    *launches = g_atomic_int_get (&n_launches) - before;
    meta = gst_buffer_get_mgpu_picture_meta (out);
    if (i == 0)
      gst_buffer_unref (out);
    else if (meta != NULL)
      meta = g_boxed_copy (GST_TYPE_MGPU_PICTURE_META, meta);
    if (i == 1)
      gst_buffer_unref (out);
  }
  return meta;
}

/* Tests that with hundreds of reference images each is found as if it were the only one, with few
 * kernel launches for images that are not visible. */
GST_START_TEST (test_many)
{
  GstMgpuPictureMeta *all, *one;
  guint n_found, launches, base;
  g_autoptr (GstBuffer) frame = NULL, other = NULL;
  g_autofree gchar *caps = NULL, *other_caps = NULL;

  frame = photograph_new ("graf1.png", &caps);
  all = find_cuts (frame, caps, 0, N_CUTS - 1, &launches);
  fail_unless (all != NULL);
  n_found = gst_mgpu_picture_meta_get_n_pictures (all);
  fail_unless (n_found > 20 && n_found < N_CUTS / 2, "%u", n_found);
  for (guint i = 0; i < n_found; i += 5) {
    GstMgpuPicture picture, alone;
    guint number;

    fail_unless (gst_mgpu_picture_meta_get_picture (all, i, &picture));
    number = g_ascii_strtoull (picture.name + 3, NULL, 10);
    fail_unless (number < N_CUTS / 2 && number % 10 != 3);
    one = find_cuts (frame, caps, number, number, &base);
    fail_unless (one != NULL
        && gst_mgpu_picture_meta_get_picture (one, 0, &alone));
    fail_unless_equals_string (alone.name, picture.name);
    fail_unless_equals_int (alone.n_inliers, picture.n_inliers);
    fail_unless_equals_int (alone.n_matches, picture.n_matches);
    fail_unless (memcmp (alone.matrix, picture.matrix,
            sizeof (alone.matrix)) == 0);
    g_boxed_free (GST_TYPE_MGPU_PICTURE_META, one);
  }
  g_boxed_free (GST_TYPE_MGPU_PICTURE_META, all);

  other = photograph_new ("box_in_scene.png", &other_caps);
  fail_unless (find_cuts (other, other_caps, N_CUTS / 2, N_CUTS / 2,
          &base) == NULL);
  fail_unless (find_cuts (other, other_caps, N_CUTS / 2, N_CUTS - 1,
          &launches) == NULL);
  fail_unless (launches < base + 20, "%u, %u", launches, base);
}

GST_END_TEST;

CHECK_TESTS (mgpumatch)
{
  tcase_add_loop_test (tc, test_attached, 0, 2);
  tcase_add_test (tc, test_ranges);
  tcase_add_test (tc, test_larger);
  tcase_add_test (tc, test_events);
  tcase_add_test (tc, test_signals);
  tcase_add_test (tc, test_without);
  tcase_add_test (tc, test_in_a_row);
  tcase_add_test (tc, test_drawn);
  tcase_add_test (tc, test_graf);
  tcase_add_test (tc, test_many);
}
