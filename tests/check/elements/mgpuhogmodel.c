/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests mgpuhog with part models. */
#include "reference.h"
#include "hog.h"
#include "hogmodel.h"

#include <gst/models/dpm-load.h>
#include <gst/vision/base/boxes.h>
#include <gst/vision/dpm/dpm.h>

#include "../../reference/dpm.h"
#include "../../reference/fhog.h"

#define INRIA "/usr/share/doc/opencv-doc/examples/dpm/data/inriaperson.xml"

/* ---- Comparison with the reference ------------------------------------------- */

/* Describes to the reference the only component of the model that make_model() writes. */
static void
describe (const MgpuDpmComponent * m, RefDpmPart parts[2],
    RefDpmComponent * component)
{
  for (guint i = 0; i < 2; i++) {
    const MgpuDpmPart *p = m->parts + i;

    parts[i].filter = (RefDpmFilter) {
    p->filter.rows, p->filter.columns, p->filter.weights};
    parts[i].pca = (RefDpmFilter) {
    p->pca.rows, p->pca.columns, p->pca.weights};
    parts[i].x = p->x;
    parts[i].y = p->y;
    memcpy (parts[i].deformation, p->deformation, sizeof (p->deformation));
  }
  component->root = (RefDpmFilter) {
  m->root.rows, m->root.columns, m->root.weights};
  component->root_pca = (RefDpmFilter) {
  m->root_pca.rows, m->root_pca.columns, m->root_pca.weights};
  component->order = m->order;
  component->limits = m->limits;
  component->n_parts = 2;
  component->parts = parts;
  component->offset = m->offset;
  memcpy (component->location, m->location, sizeof (m->location));
}

static void
add_level (const RefDpmComponent * component, const RefDpmCascade * cascade,
    gfloat threshold, const RefFhogLevel * fine, const RefFhogLevel * level,
    gint octave, gint pad_x, gint pad_y, GArray * boxes)
{
  gsize n = (gsize) level->columns * level->rows;
  g_autofree gfloat *scores = g_new (gfloat, n);
  g_autofree gint *best = g_new (gint, n);
  RefDpmLevel from[2] = { {fine->columns, fine->rows, fine->features},
  {level->columns, level->rows, level->features}
  };

  fail_unless (ref_dpm (component, 1, cascade, &from[0], &from[1], octave,
          pad_x - 1, pad_y - 1, scores, best));
  for (gsize i = 0; i < n; i++) {
    gdouble cell = level->cell_size / level->scale;
    gint x = i % level->columns, y = i / level->columns;
    MgpuScoredBox box = { rint ((x - pad_x + 1) * cell),
      rint ((y - pad_y + 1) * cell), rint (component->root.columns * cell),
      rint (component->root.rows * cell), scores[i], 0, best[i]
    };

    if (best[i] >= 0 && scores[i] >= threshold)
      g_array_append_val (boxes, box);
  }
}

/* Searches a frame with the reference. @has_cascade: evaluates the model as a cascade, with its
 * threshold; otherwise scores all positions */
static GArray *
search (GstVideoFrame * frame, gboolean has_cascade)
{
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (MgpuScoredBox));
  MgpuDpmModel *model = mgpu_dpm_model_load (path, NULL);
  const RefDpmCascade cascade = { model->n_pca, model->pca, 0 };
  const RefFhogParams params = {.cell_size = 8,.interval = 5,.pad_x = 1 + 3,
    .pad_y = 1 + 2
  };
  RefDpmComponent component;
  RefDpmPart parts[2];
  RefPlane rgb[3];
  RefFhog fhog;

  for (guint i = 0; i < 3; i++)
    rgb[i] = ref_plane (frame, i);
  describe (model->components, parts, &component);
  fail_unless (ref_fhog (rgb, &params, &fhog));
  fail_unless (fhog.n_levels > 5);
  for (gint i = 5; i < fhog.n_levels; i++)
    add_level (&component, has_cascade ? &cascade : NULL,
        has_cascade ? model->threshold : -100, &fhog.levels[i - 5],
        &fhog.levels[i], MIN (i / 5, 2), params.pad_x, params.pad_y, boxes);
  ref_fhog_clear (&fhog);
  mgpu_dpm_model_free (model);
  mgpu_boxes_clip (boxes, GST_VIDEO_FRAME_WIDTH (frame),
      GST_VIDEO_FRAME_HEIGHT (frame));
  mgpu_boxes_sort (boxes);
  return boxes;
}

static void
check_detections (gboolean has_cascade)
{
  const gchar *caps = HOST_CAPS ("BGRx", 101, 77);
  g_autoptr (GstHarness) h = model_harness_new (!has_cascade, caps);
  GstVideoInfo info = info_from_string (caps);
  GstBuffer *from = frame_new (&info, LAYOUT_DEFAULT, 3), *out;
  gpointer state = NULL;
  GstVideoFrame frame;
  g_autoptr (GArray) boxes = NULL;

  fail_unless (gst_video_frame_map (&frame, &info, from, GST_MAP_READ));
  boxes = search (&frame, has_cascade);
  gst_video_frame_unmap (&frame);
  if (has_cascade) {
    gst_util_set_object_arg (G_OBJECT (h->element), "cascade", "on");
    g_object_set (h->element, "nms-overlap", 1.0, "max-detections", 0, NULL);
  }
  out = harness_push_pull (h, from);
  GST_INFO ("%u boxes", boxes->len);
  fail_unless (boxes->len > (has_cascade ? 10 : 100));
  fail_unless_equals_int (count_rois (out), boxes->len);
  for (guint i = 0; i < boxes->len; i++) {
    const MgpuScoredBox *box = &g_array_index (boxes, MgpuScoredBox, i);
    GstVideoRegionOfInterestMeta *roi = (GstVideoRegionOfInterestMeta *)
        gst_buffer_iterate_meta_filtered (out, &state,
        GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE);
    GstStructure *s = gst_video_region_of_interest_meta_get_param (roi,
        "detection");
    gdouble confidence, score;
    gint label, component;

    fail_unless_equals_string (g_quark_to_string (roi->roi_type), "two-words");
    fail_unless (gst_structure_get (s, "confidence", G_TYPE_DOUBLE,
            &confidence, "score", G_TYPE_DOUBLE, &score,
            "label-id", G_TYPE_INT, &label, "component", G_TYPE_INT,
            &component, NULL));
    fail_unless (score == box->score);
    /* -0.5 is the threshold of the model. */
    fail_unless (fabs (confidence - 1 / (1 + exp (-2 * (score - 0.1)))) < 1e-9);
    fail_unless_equals_int (label, 0);
    fail_unless_equals_int (component, 0);
    fail_unless_equals_int (roi->x, box->x);
    fail_unless_equals_int (roi->y, box->y);
    fail_unless_equals_int (roi->w, box->width);
    fail_unless_equals_int (roi->h, box->height);
  }
  gst_buffer_unref (out);
}

GST_START_TEST (test_reference)
{
  check_detections (FALSE);
}

GST_END_TEST;

GST_START_TEST (test_cascade)
{
  gchar *text = make_cascade_model ();

  fail_unless (g_file_set_contents (path, text, -1, NULL));
  g_free (text);
  check_detections (TRUE);
}

GST_END_TEST;

/* ---- Regions ----------------------------------------------------------------- */

/* Lists the detections in a frame of 100x80 within a region "thing" at (@x, @y). If @x is G_MININT,
 * searches the whole frame. */
static GPtrArray *
find_in (GstHarness * h, gint x, gint y, guint width, guint height)
{
  GstVideoInfo info = info_from_string (HOST_CAPS ("GRAY8", 100, 80));
  g_autoptr (GstBuffer) buffer = frame_new (&info, LAYOUT_DEFAULT, 3);
  GPtrArray *list;

  if (x != G_MININT)
    gst_buffer_add_video_region_of_interest_meta (buffer, "thing", x, y, width,
        height);
  g_object_set (h->element, "roi-type", x != G_MININT ? "thing" : NULL, NULL);
  buffer = harness_push_pull (h, buffer);
  list = gst_mgpu_buffer_get_detections (buffer);
  if (x != G_MININT)
    g_ptr_array_remove_index (list, 0);
  return list;
}

/* Frees @list (transfer full). Returns: its number of detections, each of which has to be in @all
 * as well */
static guint
count_known (GPtrArray * list, const GPtrArray * all)
{
  guint n = list->len;

  for (guint i = 0; i < n; i++) {
    const GstMgpuDetection *d = list->pdata[i];
    gboolean found = FALSE;

    for (guint j = 0; j < all->len && !found; j++) {
      const GstMgpuDetection *a = all->pdata[j];

      found = a->x == d->x && a->y == d->y && a->width == d->width
          && a->height == d->height && a->score == d->score;
    }
    fail_unless (found, "%d, %d: %g", d->x, d->y, d->score);
  }
  g_ptr_array_unref (list);
  return n;
}

/* Tests that regions that together cover the frame give the same detections, with the same scores,
 * as the whole frame, whatever was found in earlier frames. */
GST_START_TEST (test_regions)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 100, 80);
  gboolean has_cascade = __i__ == 1;
  gchar *text = has_cascade ? make_cascade_model () : make_model ();
  const gint far = 100000;
  g_autoptr (GstHarness) h = NULL;
  GPtrArray *all;

  fail_unless (g_file_set_contents (path, text, -1, NULL));
  g_free (text);
  h = model_harness_new (!has_cascade, caps);
  if (has_cascade) {
    gst_util_set_object_arg (G_OBJECT (h->element), "cascade", "on");
    g_object_set (h->element, "nms-overlap", 1.0, "max-detections", 0, NULL);
  }
  for (guint i = 0; i < 3; i++) {
    gint x = 20 + 30 * i, y = 50 - 20 * i;
    guint n[4];

    all = find_in (h, G_MININT, 0, 0, 0);
    fail_unless (all->len > (has_cascade ? 10 : 100));
    n[0] = count_known (find_in (h, x - far, y - far, far, far), all);
    n[1] = count_known (find_in (h, x, y - far, far, far), all);
    n[2] = count_known (find_in (h, x - far, y, far, far), all);
    n[3] = count_known (find_in (h, x, y, far, far), all);
    fail_unless_equals_int (n[0] + n[1] + n[2] + n[3], all->len);
    fail_unless (n[0] < all->len && n[3] < all->len);
    fail_unless_equals_int (count_known (find_in (h, -far, -far, 2 * far,
                2 * far), all), all->len);
    fail_unless_equals_int (count_known (find_in (h, far, far, 9, 9), all), 0);
    g_ptr_array_unref (all);
  }
}

GST_END_TEST;

/* Tests that thousands of regions that together cover the frame give the detections of the whole
 * frame. Empty regions and regions outside of the frame do not change this, and give no detections
 * by themselves. */
GST_START_TEST (test_many_regions)
{
  static const gint empty[][4] = {
    {40, 40, 0, 0}, {40, 40, 9, 0}, {40, 40, 0, 9}, {G_MININT, G_MININT, 9, 9},
    {G_MAXINT, G_MAXINT, G_MAXINT, G_MAXINT}
  };
  const gchar *caps = HOST_CAPS ("GRAY8", 100, 80);
  GstVideoInfo info = info_from_string (caps);
  gchar *text = make_model ();
  g_autoptr (GstHarness) h = NULL;
  g_autoptr (GPtrArray) all = NULL;

  fail_unless (g_file_set_contents (path, text, -1, NULL));
  g_free (text);
  h = model_harness_new (TRUE, caps);
  all = find_in (h, G_MININT, 0, 0, 0);
  fail_unless (all->len > 100);
  g_object_set (h->element, "roi-type", "thing", NULL);
  for (guint round = 0; round < 2; round++) {
    g_autoptr (GstBuffer) buffer = frame_new (&info, LAYOUT_DEFAULT, 3);
    guint n = 0;
    GPtrArray *list;

    for (guint i = 0; i < G_N_ELEMENTS (empty); i++, n++)
      gst_buffer_add_video_region_of_interest_meta (buffer, "thing",
          empty[i][0], empty[i][1], empty[i][2], empty[i][3]);
    for (gint y = -100; round == 0 && y < 200; y += 5)
      for (gint x = -100; x < 200; x += 5, n++)
        gst_buffer_add_video_region_of_interest_meta (buffer, "thing", x, y, 5,
            5);
    buffer = harness_push_pull (h, buffer);
    list = gst_mgpu_buffer_get_detections (buffer);
    g_ptr_array_remove_range (list, 0, n);
    fail_unless_equals_int (count_known (list, all), round == 0 ? all->len : 0);
  }
}

GST_END_TEST;

/* ---- Properties -------------------------------------------------------------- */

/* Tests that the model's threshold is used until the property "threshold" is set. The detector
 * changes while frames arrive; the frame is too small for the people detector. */
GST_START_TEST (test_live)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 90, 60);
  g_autoptr (GstHarness) h = model_harness_new (FALSE, caps);
  GstVideoInfo info = info_from_string (caps);
  guint n[6];

  for (guint i = 0; i < G_N_ELEMENTS (n); i++) {
    g_autoptr (GstBuffer) out = NULL;

    if (i == 1)
      g_object_set (h->element, "threshold", -0.5, NULL);
    else if (i == 2)
      g_object_set (h->element, "threshold", -100.0, "max-detections", 7, NULL);
    else if (i == 3)
      gst_util_set_object_arg (G_OBJECT (h->element), "detector", "people");
    else if (i == 4)
      gst_util_set_object_arg (G_OBJECT (h->element), "detector", "none");
    else if (i == 5)
      gst_util_set_object_arg (G_OBJECT (h->element), "detector", "model");
    out = harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT, 3));
    n[i] = count_rois (out);
  }
  fail_unless_equals_int (n[0], n[1]);
  fail_unless_equals_int (n[2], 7);
  fail_unless_equals_int (n[3], 0);
  fail_unless_equals_int (n[4], 0);
  fail_unless_equals_int (n[5], 7);
}

GST_END_TEST;

/* Tests that objects outside of the size limits are left out, and that the other objects stay the
 * same. */
GST_START_TEST (test_heights)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 120, 100);
  g_autoptr (GstHarness) h = model_harness_new (TRUE, caps);
  GstVideoInfo info = info_from_string (caps);
  const guint limits[][2] = { {0, 0}, {30, 0}, {0, 30}, {25, 40}, {500, 0} };
  guint n_all = 0;

  for (guint i = 0; i < G_N_ELEMENTS (limits); i++) {
    guint least = limits[i][0], most = limits[i][1], n = 0;
    gpointer state = NULL;
    g_autoptr (GstBuffer) out = NULL;
    GstMeta *meta;

    g_object_set (h->element, "min-height", least, "max-height", most, NULL);
    out = harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT, 3));
    while ((meta = gst_buffer_iterate_meta_filtered (out, &state,
                GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)) != NULL) {
      GstVideoRegionOfInterestMeta *roi = (GstVideoRegionOfInterestMeta *) meta;

      /* Allows boxes that are clipped at the edges of the frame. */
      fail_unless (most == 0 || roi->h <= most);
      fail_unless (roi->h >= least || roi->y == 0 || roi->y + roi->h == 100);
      n++;
    }
    if (i == 0)
      n_all = n;
    else
      fail_unless (n < n_all && (n > 0) == (i < 4), "%u of %u", n, n_all);
  }
}

GST_END_TEST;

/* Tests that twenty models from the same file find the same objects independently, with a cascade
 * and without. */
GST_START_TEST (test_twenty_models)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 40, 40);
  g_autoptr (GstHarness) h = model_harness_new (TRUE, caps);
  GstVideoInfo info = info_from_string (caps);
  GstBuffer *out = harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT, 3));
  g_autoptr (GString) all = g_string_new (path);
  guint n = count_rois (out);

  gst_buffer_unref (out);
  gst_harness_teardown (h);
  for (guint i = 1; i < 20; i++)
    g_string_append_printf (all, "::%s", path);
  h = gst_harness_new ("mgpuhog");
  gst_util_set_object_arg (G_OBJECT (h->element), "detector", "model");
  g_object_set (h->element, "model", all->str, "threshold", -100.0,
      "nms-overlap", 1.0, "max-detections", 0, NULL);
  gst_harness_set_caps_str (h, caps, caps);
  /* Checks the number of hits per model, so that all twenty models' hits fit into the list. */
  fail_unless (n > 10 && n < 150);
  for (guint i = 0; i < 2; i++) {
    gst_util_set_object_arg (G_OBJECT (h->element), "cascade",
        i == 0 ? "off" : "on");
    out = harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT, 3));
    fail_unless_equals_int (count_rois (out), 20 * n);
    gst_buffer_unref (out);
  }
}

GST_END_TEST;

/* Tests frames in which every position is a hit, with more hits than the list holds: the best are
 * kept, with one warning. Frames become smaller, and larger again. */
GST_START_TEST (test_all_hits)
{
  static const gchar *caps[] = {
    HOST_CAPS ("GRAY8", 400, 300), HOST_CAPS ("GRAY8", 90, 60),
    HOST_CAPS ("GRAY8", 400, 300)
  };
  g_autoptr (GstHarness) h = model_harness_new (TRUE, caps[0]);
  GstBus *bus = harness_bus (h);
  GstMessage *message;
  guint n[3];

  gst_harness_set_sink_caps_str (h, "ANY");
  for (guint i = 0; i < G_N_ELEMENTS (caps); i++) {
    GstVideoInfo info = info_from_string (caps[i]);

    gst_harness_set_src_caps_str (h, caps[i]);
    for (guint k = 0; k < (i == 0 ? 2 : 1); k++) {
      g_autoptr (GstBuffer) out =
          harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT, 3));

      n[i] = count_rois (out);
    }
    message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING);
    fail_unless_equals_int (message != NULL, i != 1);
    g_clear_pointer (&message, gst_message_unref);
    fail_unless (gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING) == NULL);
  }
  fail_unless_equals_int (n[0], 4096);
  fail_unless (n[1] > 0 && n[1] < 4096);
  fail_unless_equals_int (n[2], 4096);
}

GST_END_TEST;

/* ---- A trained model --------------------------------------------------------- */

/* Checks that the element finds the person who walks to the right at the beginning of the video. */
static void
check_trained (const gchar * properties)
{
  g_autofree gchar *all = NULL;

  if (!g_file_test (INRIA, G_FILE_TEST_EXISTS)) {
    not_run ("no " INRIA ", which opencv-doc has");
    return;
  }
  all = g_strdup_printf ("detector=model model=" INRIA " %s", properties);
  check_walker (all, "inriaperson");
}

GST_START_TEST (test_walker)
{
  check_trained ("");
}

GST_END_TEST;

GST_START_TEST (test_walker_cascade)
{
  check_trained ("cascade=on");
}

GST_END_TEST;

CHECK_TESTS (mgpuhogmodel)
{
  tcase_add_checked_fixture (tc, setup, file_end);
  tcase_add_test (tc, test_reference);
  tcase_add_test (tc, test_cascade);
  tcase_add_loop_test (tc, test_regions, 0, 2);
  tcase_add_test (tc, test_many_regions);
  tcase_add_test (tc, test_live);
  tcase_add_test (tc, test_heights);
  tcase_add_test (tc, test_twenty_models);
  tcase_add_test (tc, test_all_hits);
  tcase_add_test (tc, test_walker);
  tcase_add_test (tc, test_walker_cascade);
}
