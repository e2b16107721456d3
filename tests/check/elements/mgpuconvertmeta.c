/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests the metas of a frame that is cropped, rotated and scaled. */
#include "convert.h"
#include "pointer.h"

#ifdef HAVE_ANALYTICS
#include <gst/analytics/analytics.h>
#endif

/* A meta with a position in a frame. One kind of this meta supports all transforms, the other only
 * GStreamer's scaling. */
typedef struct
{
  GstMeta meta;
  gdouble x, y;
} SpotMeta;

static const GstMetaInfo *spot_infos[2];

static gboolean
spot_init (GstMeta * meta, gpointer params, GstBuffer * buffer)
{
  return TRUE;
}

static gboolean
spot_transform (GstBuffer * to, GstMeta * meta, GstBuffer * from, GQuark type,
    gpointer data)
{
  SpotMeta *old = (SpotMeta *) meta, *spot;
  gdouble x = old->x, y = old->y;

  if (GST_MGPU_META_TRANSFORM_IS_AFFINE (type) && meta->info == spot_infos[0]) {
    const GstMgpuMetaTransform *t = data;

    x = t->matrix[0][0] * old->x + t->matrix[0][1] * old->y + t->matrix[0][2];
    y = t->matrix[1][0] * old->x + t->matrix[1][1] * old->y + t->matrix[1][2];
    if (x < t->x || y < t->y || x > t->x + t->width || y > t->y + t->height)
      return TRUE;
  } else if (GST_VIDEO_META_TRANSFORM_IS_SCALE (type)
      && meta->info == spot_infos[1]) {
    const GstVideoMetaTransform *t = data;

    x = x * t->out_info->width / t->in_info->width;
    y = y * t->out_info->height / t->in_info->height;
  } else if (!GST_META_TRANSFORM_IS_COPY (type)) {
    return FALSE;
  }
  spot = (SpotMeta *) gst_buffer_add_meta (to, meta->info, NULL);
  spot->x = x;
  spot->y = y;
  return TRUE;
}

static void
register_spots (void)
{
  static const gchar *tags[] = { GST_META_TAG_VIDEO_STR,
    GST_META_TAG_VIDEO_SIZE_STR, GST_META_TAG_VIDEO_ORIENTATION_STR, NULL
  };
  static const gchar *names[][2] = {
    {"AffineSpotMetaAPI", "AffineSpotMeta"},
    {"ScaledSpotMetaAPI", "ScaledSpotMeta"}
  };

  for (guint i = 0; i < 2 && spot_infos[i] == NULL; i++)
    spot_infos[i] = gst_meta_register (gst_meta_api_type_register (names[i][0],
            tags), names[i][1], sizeof (SpotMeta), spot_init, NULL,
        spot_transform);
}

static void
add_overlay (GstBuffer * buffer)
{
  g_autoptr (GstBuffer) pixels =
      gst_buffer_new_allocate (NULL, 4 * 4 * 4, NULL);
  GstVideoOverlayComposition *composition;
  GstVideoOverlayRectangle *rectangle;

  gst_buffer_memset (pixels, 0, 0, 4 * 4 * 4);
  gst_buffer_add_video_meta (pixels, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_OVERLAY_COMPOSITION_FORMAT_RGB, 4, 4);
  rectangle = gst_video_overlay_rectangle_new_raw (pixels, 8, 4, 4, 4,
      GST_VIDEO_OVERLAY_FORMAT_FLAG_NONE);
  composition = gst_video_overlay_composition_new (rectangle);
  gst_buffer_add_video_overlay_composition_meta (buffer, composition);
  gst_video_overlay_composition_unref (composition);
  gst_video_overlay_rectangle_unref (rectangle);
}

/* Gets the only rectangle of the overlay. Returns: FALSE when there is no rectangle */
static gboolean
get_overlay (GstBuffer * buffer, RefRectangle * r)
{
  GstVideoOverlayCompositionMeta *meta =
      gst_buffer_get_video_overlay_composition_meta (buffer);
  guint width, height;

  if (meta == NULL)
    return FALSE;
  gst_video_overlay_rectangle_get_render_rectangle
      (gst_video_overlay_composition_get_rectangle (meta->overlay, 0), &r->x,
      &r->y, &width, &height);
  r->width = width;
  r->height = height;
  return TRUE;
}

/* A conversion of a 40x20 frame, and the expected metas of the output. Rectangles of width 0 and
 * negative positions mean that the meta is dropped. */
typedef struct
{
  const gchar *launch, *out;
  RefRectangle seen;            /* the crop */
  RefRectangle region, overlay;
  gdouble affine[2], scaled[2];
} MetaCase;

static const MetaCase meta_cases[] = {
  {"mgpuconvert", "format=GRAY8", {0}, {4, 2, 10, 8}, {8, 4, 4, 4}, {7, 3},
      {7, 3}},
  {"mgpuconvert", "format=RGB", {0}, {4, 2, 10, 8}, {8, 4, 4, 4}, {7, 3},
      {7, 3}},
  {"mgpuconvert", "width=80,height=40", {0}, {8, 4, 20, 16}, {16, 8, 8, 8},
      {14, 6}, {14, 6}},
  /* Tests that fractional coordinates are rounded. */
  {"mgpuconvert", "width=50,height=25", {0}, {5, 2, 13, 10}, {10, 5, 5, 5},
      {8.75, 3.75}, {8.75, 3.75}},
  {"mgpuconvert video-direction=90r", "width=20", {0}, {10, 4, 8, 10}, {0},
      {17, 7}, {-1, -1}},
  {"mgpuconvert video-direction=180", "width=80", {0}, {52, 20, 20, 16}, {0},
      {66, 34}, {-1, -1}},
  /* The output has borders of 10 rows above and below. */
  {"mgpuconvert", "width=40,height=40,pixel-aspect-ratio=1/1", {0},
      {4, 12, 10, 8}, {8, 14, 4, 4}, {7, 13}, {-1, -1}},
  /* The crop begins at (8, 0), and the output is twice as large: half of the region is inside. */
  {"mgpuconvert", "width=40,height=40,pixel-aspect-ratio=1/1", {8, 0, 20, 20},
      {0, 4, 12, 16}, {0, 8, 8, 8}, {-1, -1}, {-1, -1}},
  {"mgpuconvert", "width=10,height=20,pixel-aspect-ratio=1/1", {30, 0, 10, 20},
      {0}, {-22, 4, 4, 4}, {-1, -1}, {-1, -1}}
};

static void
check_spot (GstBuffer * buffer, guint kind, const gdouble * expected)
{
  SpotMeta *spot = (SpotMeta *) gst_buffer_get_meta (buffer,
      spot_infos[kind]->api);

  if (expected[0] < 0) {
    fail_unless (spot == NULL);
    return;
  }
  fail_unless (spot != NULL);
  fail_unless_equals_float (spot->x, expected[0]);
  fail_unless_equals_float (spot->y, expected[1]);
}

static void
check_rectangle (const RefRectangle * got, const RefRectangle * expected)
{
  fail_unless_equals_int (got->x, expected->x);
  fail_unless_equals_int (got->y, expected->y);
  fail_unless_equals_int (got->width, expected->width);
  fail_unless_equals_int (got->height, expected->height);
}

#ifdef HAVE_ANALYTICS
static void
add_detection (GstBuffer * buffer, gint x, gint y, gint width, gint height)
{
  GstAnalyticsRelationMeta *meta =
      gst_buffer_get_analytics_relation_meta (buffer);
  GstAnalyticsODMtd mtd;

  if (meta == NULL)
    meta = gst_buffer_add_analytics_relation_meta (buffer);
  fail_unless (gst_analytics_relation_meta_add_od_mtd (meta,
          g_quark_from_string ("face"), x, y, width, height, 0.5, &mtd));
}

/* Checks that the only detection of @buffer is at the position of its region, or, for width 0, that
 * it was dropped. */
static void
check_detection (GstBuffer * buffer, const RefRectangle * expected)
{
  GstAnalyticsRelationMeta *meta =
      gst_buffer_get_analytics_relation_meta (buffer);
  GstAnalyticsODMtd mtd;
  RefRectangle got;
  gfloat score;

  fail_unless (meta != NULL);
  fail_unless_equals_int (gst_analytics_relation_get_length (meta),
      expected->width > 0);
  if (expected->width == 0)
    return;
  fail_unless (gst_analytics_relation_meta_get_od_mtd (meta, 0, &mtd));
  fail_unless (gst_analytics_od_mtd_get_location (&mtd, &got.x, &got.y,
          &got.width, &got.height, &score));
  check_rectangle (&got, expected);
  fail_unless (score == 0.5);
  fail_unless (gst_analytics_od_mtd_get_obj_type (&mtd)
      == g_quark_from_string ("face"));
}
#endif

GST_START_TEST (test_metas)
{
  const MetaCase *c = &meta_cases[__i__];
  g_autofree gchar *out = g_strdup_printf ("video/x-raw(ANY),%s", c->out);
  GstVideoRegionOfInterestMeta *region;
  RefRectangle overlay = { 0 };
  GstVideoInfo info;
  g_autoptr (GstHarness) h =
      convert_new (c->launch, DEVICE_CAPS ("GRAY8", 40, 20), out, &info);
  g_autoptr (GstBuffer) buffer = NULL;

  register_spots ();
  if (c->seen.width > 0)
    buffer = cropped_new (h, &info, TRUE, &c->seen);
  else
    buffer = frame_new (&info, LAYOUT_DEFAULT, 1);
  region = gst_buffer_add_video_region_of_interest_meta (buffer, "face", 4, 2,
      10, 8);
  region->id = 17;
  region->parent_id = 16;
  gst_video_region_of_interest_meta_add_param (region,
      gst_structure_new ("detection", "confidence", G_TYPE_DOUBLE, 0.5, NULL));
  for (guint i = 0; i < 2; i++) {
    SpotMeta *spot = (SpotMeta *) gst_buffer_add_meta (buffer, spot_infos[i],
        NULL);

    spot->x = 7;
    spot->y = 3;
  }
  add_overlay (buffer);
#ifdef HAVE_ANALYTICS
  add_detection (buffer, 4, 2, 10, 8);
#endif
  buffer = harness_push_pull (h, buffer);

  region = gst_buffer_get_video_region_of_interest_meta_id (buffer, 17);
  fail_unless_equals_int (region != NULL, c->region.width > 0);
  if (region != NULL) {
    RefRectangle got = { region->x, region->y, region->w, region->h };

    check_rectangle (&got, &c->region);
    fail_unless_equals_int (region->parent_id, 16);
    fail_unless_equals_string (g_quark_to_string (region->roi_type), "face");
    fail_unless (gst_video_region_of_interest_meta_get_param (region,
            "detection") != NULL);
  }
#ifdef HAVE_ANALYTICS
  check_detection (buffer, &c->region);
#endif
  fail_unless_equals_int (get_overlay (buffer, &overlay), c->overlay.width > 0);
  check_rectangle (&overlay, &c->overlay);
  check_spot (buffer, 0, c->affine);
  check_spot (buffer, 1, c->scaled);
}

GST_END_TEST;

/* Tests that regions that extend far beyond the frame are clipped by elements that scale, rotate
 * and crop. */
GST_START_TEST (test_huge_regions)
{
  static const struct
  {
    const gchar *launch, *out;
    RefRectangle whole;         /* expected rectangle of the region that begins at (4, 2) */
  } outputs[] = {
    {"mgpuconvert", "video/x-raw,width=80,height=40" PAR, {8, 4, 72, 36}},
    {"mgpuconvert video-direction=180", "video/x-raw,width=80,height=40" PAR,
        {0, 0, 72, 36}},
    {"mgpuconvert", "video/x-raw,width=120,height=40" PAR, {28, 4, 72, 36}},
    {"mgpustabilize mode=tripod edges=cut zoom=2", "video/x-raw",
        {0, 0, 20, 10}}
  };
  static const struct
  {
    gint x, y;
    guint width, height;
  } regions[] = {
    {4, 2, 400, 400}, {4, 2, G_MAXINT, G_MAXINT}, {4, 2, G_MAXUINT, G_MAXUINT},
    {4, 2, G_MAXINT, 1000}, {4, 2, 1u << 31, 1u << 31}
  };

  for (guint i = 0; i < G_N_ELEMENTS (outputs); i++) {
    GstVideoInfo info;
    g_autoptr (GstHarness) h = convert_new (outputs[i].launch,
        HOST_CAPS ("GRAY8", 40, 20), outputs[i].out, &info);
    g_autoptr (GstBuffer) buffer = frame_new (&info, LAYOUT_DEFAULT, 1);
    GstVideoRegionOfInterestMeta *region;

    for (guint k = 0; k < G_N_ELEMENTS (regions); k++) {
      region = gst_buffer_add_video_region_of_interest_meta (buffer, "face",
          regions[k].x, regions[k].y, regions[k].width, regions[k].height);
      region->id = 1 + k;
    }
    /* Adds regions that touch an edge of the frame from outside, and a region that surrounds the
     * whole frame. */
    gst_buffer_add_video_region_of_interest_meta (buffer, "face", 40, 0,
        G_MAXUINT, G_MAXUINT)->id = 50;
    gst_buffer_add_video_region_of_interest_meta (buffer, "face", -G_MAXINT, 0,
        G_MAXINT, G_MAXUINT)->id = 51;
    gst_buffer_add_video_region_of_interest_meta (buffer, "face", G_MININT,
        G_MININT, G_MAXUINT, G_MAXUINT)->id = 60;
    buffer = harness_push_pull (h, buffer);
    for (guint k = 0; k < G_N_ELEMENTS (regions); k++) {
      RefRectangle got;

      region = gst_buffer_get_video_region_of_interest_meta_id (buffer, 1 + k);
      fail_unless (region != NULL, "%s: region %u is lost", outputs[i].launch,
          k);
      got = (RefRectangle) {
      region->x, region->y, region->w, region->h};
      check_rectangle (&got, &outputs[i].whole);
    }
    fail_if (gst_buffer_get_video_region_of_interest_meta_id (buffer, 50));
    fail_if (gst_buffer_get_video_region_of_interest_meta_id (buffer, 51));
    fail_unless (gst_buffer_get_video_region_of_interest_meta_id (buffer, 60));
  }
}

GST_END_TEST;

#ifdef HAVE_ANALYTICS
/* Adds a classification that is related to the detection @of, or to the whole frame if @of is
 * negative. */
static guint
add_class (GstAnalyticsRelationMeta * meta, const gchar * name, gint of)
{
  GstAnalyticsClsMtd mtd;

  fail_unless (gst_analytics_relation_meta_add_one_cls_mtd (meta, 0.25,
          g_quark_from_string (name), &mtd));
  if (of >= 0)
    fail_unless (gst_analytics_relation_meta_set_relation (meta,
            GST_ANALYTICS_REL_TYPE_CONTAIN, of, mtd.id));
  return mtd.id;
}

static void
check_class (GstAnalyticsRelationMeta * meta, guint id, const gchar * name,
    gint of)
{
  GstAnalyticsClsMtd mtd;

  fail_unless (gst_analytics_relation_meta_get_cls_mtd (meta, id, &mtd));
  fail_unless_equals_int (gst_analytics_cls_mtd_get_length (&mtd), 1);
  fail_unless (gst_analytics_cls_mtd_get_level (&mtd, 0) == 0.25);
  fail_unless (gst_analytics_cls_mtd_get_quark (&mtd, 0)
      == g_quark_from_string (name));
  for (guint i = 0; i < gst_analytics_relation_get_length (meta); i++)
    fail_unless_equals_int (gst_analytics_relation_meta_get_relation (meta, i,
            id), (gint) i == of ? GST_ANALYTICS_REL_TYPE_CONTAIN
        : GST_ANALYTICS_REL_TYPE_NONE);
}

/* Tests that relations of a detection outside of the frame are dropped with the detection, while
 * relations of other detections are kept. */
GST_START_TEST (test_relations)
{
  const RefRectangle seen = { 0, 0, 20, 20 };
  GstVideoInfo info;
  g_autoptr (GstHarness) h = convert_new ("mgpuconvert video-direction=90r",
      DEVICE_CAPS ("GRAY8", 40, 20), "video/x-raw(ANY),width=20,height=20" PAR,
      &info);
  g_autoptr (GstBuffer) buffer = cropped_new (h, &info, TRUE, &seen);
  GstAnalyticsTrackingMtd track;
  GstAnalyticsRelationMeta *meta;
  GstClockTime first, last;
  gboolean lost;
  guint64 id;

  add_detection (buffer, 30, 2, 5, 5);
  add_detection (buffer, 4, 2, 10, 8);
  meta = gst_buffer_get_analytics_relation_meta (buffer);
  add_class (meta, "gone", 0);
  add_class (meta, "stays", 1);
  add_class (meta, "frame", -1);
  fail_unless (gst_analytics_relation_meta_add_tracking_mtd (meta, 77, 5,
          &track));
  gst_analytics_tracking_mtd_update_last_seen (&track, 9);
  gst_analytics_tracking_mtd_set_lost (&track);
  fail_unless (gst_analytics_relation_meta_set_relation (meta,
          GST_ANALYTICS_REL_TYPE_RELATE_TO | GST_ANALYTICS_REL_TYPE_IS_PART_OF,
          track.id, 1));
  buffer = harness_push_pull (h, buffer);

  meta = gst_buffer_get_analytics_relation_meta (buffer);
  fail_unless (meta != NULL);
  fail_unless_equals_int (gst_analytics_relation_get_length (meta), 4);
  check_class (meta, 1, "stays", 0);
  check_class (meta, 2, "frame", -1);
  fail_unless (gst_analytics_relation_meta_get_tracking_mtd (meta, 3, &track));
  fail_unless (gst_analytics_tracking_mtd_get_info (&track, &id, &first, &last,
          &lost));
  fail_unless (id == 77 && first == 5 && last == 9 && lost);
  fail_unless_equals_int (gst_analytics_relation_meta_get_relation (meta, 3, 0),
      GST_ANALYTICS_REL_TYPE_RELATE_TO | GST_ANALYTICS_REL_TYPE_IS_PART_OF);
}

GST_END_TEST;

#if GST_CHECK_VERSION (1, 26, 0)
/* Tests a detection that is rotated around its center at (10, 8). */
GST_START_TEST (test_turned_detection)
{
  static const struct
  {
    const gchar *launch, *out;
    RefRectangle expected;
    gdouble angle;
  } cases[] = {
    {"mgpuconvert video-direction=90r", "width=20,height=40", {7, 8, 10, 4},
        G_PI / 2 + 0.5},
    {"mgpuconvert video-direction=horiz", "width=40", {25, 6, 10, 4},
        G_PI - 0.5},
    {"mgpuconvert video-direction=180", "width=80,height=40", {50, 20, 20, 8},
        G_PI + 0.5}
  };
  GstAnalyticsRelationMeta *meta;
  GstAnalyticsODMtd mtd;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree gchar *out =
        g_strdup_printf ("video/x-raw(ANY),%s", cases[i].out);
    GstVideoInfo info;
    g_autoptr (GstHarness) h =
        convert_new (cases[i].launch, DEVICE_CAPS ("GRAY8", 40, 20), out,
        &info);
    g_autoptr (GstBuffer) buffer = frame_new (&info, LAYOUT_DEFAULT, 1);
    gfloat angle, score;
    RefRectangle got;

    meta = gst_buffer_add_analytics_relation_meta (buffer);
    fail_unless (gst_analytics_relation_meta_add_oriented_od_mtd (meta, 0, 5, 6,
            10, 4, 0.5, 1, &mtd));
    buffer = harness_push_pull (h, buffer);
    meta = gst_buffer_get_analytics_relation_meta (buffer);
    fail_unless (meta != NULL);
    fail_unless (gst_analytics_relation_meta_get_od_mtd (meta, 0, &mtd));
    fail_unless (gst_analytics_od_mtd_get_oriented_location (&mtd, &got.x,
            &got.y, &got.width, &got.height, &angle, &score));
    check_rectangle (&got, &cases[i].expected);
    fail_unless (ABS (angle - cases[i].angle) < 1e-5, "%f", angle);
  }
}

GST_END_TEST;
#endif
#endif

/* Tests that metas that are valid only for the same pixels are dropped, unless the frame passes
 * unchanged. */
GST_START_TEST (test_pixel_metas)
{
  const gchar *outs[] = { "video/x-raw(ANY)", "video/x-raw(ANY),width=20",
    "video/x-raw(ANY),format=RGB"
  };

  for (guint i = 0; i < G_N_ELEMENTS (outs); i++) {
    GstVideoInfo info;
    g_autoptr (GstHarness) h = convert_new ("mgpuintegral ! mgpuconvert",
        HOST_CAPS ("GRAY8", 40, 20), outs[i], &info);
    g_autoptr (GstBuffer) buffer =
        harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT, 1));

    fail_unless_equals_int (gst_buffer_get_mgpu_integral_meta (buffer) != NULL,
        i == 0);
  }
}

GST_END_TEST;

/* Tests that a flow meta is kept while pixels keep their positions, also in another format, but not
 * with another size, crop or orientation. */
GST_START_TEST (test_flow)
{
  const gchar *outs[] = { "mgpuconvert ! video/x-raw(ANY),format=RGB",
    "videoconvert ! video/x-raw,format=RGB", "mgpuconvert ! video/x-raw(ANY)",
    "mgpuconvert ! video/x-raw(ANY),width=24",
    "videoscale ! video/x-raw,width=24",
    "mgpuconvert video-direction=180 ! video/x-raw(ANY)"
  };

  for (guint i = 0; i < G_N_ELEMENTS (outs); i++) {
    g_autofree gchar *launch = g_strdup_printf ("mgpuflow ! %s ! identity",
        outs[i]);
    GstVideoInfo info;
    g_autoptr (GstHarness) h = convert_new (launch,
        HOST_CAPS ("GRAY8", 40, 20), "video/x-raw(ANY)", &info);

    for (guint j = 0; j < 2; j++) {
      g_autoptr (GstBuffer) buffer =
          harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT, j));

      fail_unless ((gst_buffer_get_mgpu_flow_meta (buffer) != NULL)
          == (i < 3 && j > 0), "%s, frame %u", launch, j);
    }
  }
}

GST_END_TEST;

/* Tests that navigation events are converted from positions in the output frame: below a border,
 * and in a rotated frame. */
GST_START_TEST (test_navigation)
{
  GstVideoInfo info;
  g_autoptr (GstHarness) h = convert_new ("mgpuconvert video-direction=90r",
      HOST_CAPS ("GRAY8", 40, 20), "video/x-raw,width=20,height=60" PAR, &info);
  gdouble x, y;

  gst_buffer_unref (harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT,
              1)));
  point_at (h, 17, 17, &x, &y);
  fail_unless_equals_float (x, 7);
  fail_unless_equals_float (y, 3);
}

GST_END_TEST;

CHECK_TESTS (mgpuconvertmeta)
{
  tcase_add_loop_test (tc, test_metas, 0, G_N_ELEMENTS (meta_cases));
  tcase_add_test (tc, test_huge_regions);
#ifdef HAVE_ANALYTICS
  tcase_add_test (tc, test_relations);
#if GST_CHECK_VERSION (1, 26, 0)
  tcase_add_test (tc, test_turned_detection);
#endif
#endif
  tcase_add_test (tc, test_pixel_metas);
  tcase_add_test (tc, test_flow);
  tcase_add_test (tc, test_navigation);
}
