/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Compares this project's SIFT with OpenCV's on photographs. */
#include "sift-pictures.h"

#include "peers.h"

#include <math.h>
#include <string.h>

/* Returns the picture in a file, not scaled, in gray; NULL if there is none. */
static KcPicture *
load_picture (const gchar * name)
{
  g_autofree gchar *launch =
      g_strdup_printf ("filesrc location=" KC_PHOTOGRAPHS "/%s ! "
      "decodebin ! videoconvert ! video/x-raw,format=GRAY8 ! "
      "fakesink name=sink sync=false", name);
  g_autoptr (GstElement) pipeline = gst_parse_launch (launch, NULL);
  g_autoptr (GstElement) sink =
      gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  GstSample *sample = NULL;
  KcPicture *picture = NULL;
  GstVideoFrame frame;
  GstMessage *message;
  GstVideoInfo info;
  KcRandom random;

  kc_random_init (&random, 1);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, 10 * GST_SECOND,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  if (message != NULL && GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS)
    g_object_get (sink, "last-sample", &sample, NULL);
  if (sample != NULL
      && gst_video_info_from_caps (&info, gst_sample_get_caps (sample))
      && gst_video_frame_map (&frame, &info, gst_sample_get_buffer (sample),
          GST_MAP_READ)) {
    picture = kc_picture_new (&info, KC_LAYOUT_TIGHT, &random);
    for (gint y = 0; y < info.height; y++)
      memcpy (picture->data + picture->info.offset[0]
          + (gsize) y * picture->info.stride[0],
          (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, 0)
          + (gsize) y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0), info.width);
    gst_video_frame_unmap (&frame);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
  g_clear_pointer (&message, gst_message_unref);
  g_clear_pointer (&sample, gst_sample_unref);
  return picture;
}

static gboolean
agree (const GstMgpuKeypoint * a, const GstMgpuKeypoint * b)
{
  gdouble turn = fabs (a->angle - b->angle);

  return hypot (a->x - b->x, a->y - b->y) <= 0.1
      && fabs (a->size / b->size - 1) <= 0.02 && MIN (turn, 360 - turn) <= 1;
}

static gint
compare_doubles (gconstpointer a, gconstpointer b)
{
  gdouble difference = *(const gdouble *) a - *(const gdouble *) b;

  return difference < 0 ? -1 : difference > 0;
}

/* Returns the percentage of the points of @a that @b also has. @distances: (nullable): the
 * distances of their descriptors, in ascending order */
static gdouble
share_of (const KcSiftSide * a, const KcSiftSide * b, GArray * distances)
{
  guint found = 0;

  for (guint i = 0; i < a->n; i++) {
    guint j, sum = 0;

    for (j = 0; j < b->n && !agree (&a->points[i], &b->points[j]); j++);
    if (j == b->n)
      continue;
    found++;
    for (guint k = 0; k < 128; k++) {
      gint d = a->descriptors[128 * i + k] - b->descriptors[128 * j + k];

      sum += d * d;
    }
    if (distances != NULL) {
      gdouble distance = sqrt (sum);

      g_array_append_val (distances, distance);
    }
  }
  if (distances != NULL)
    g_array_sort (distances, compare_doubles);
  return a->n > 0 ? 100.0 * found / a->n : 100;
}

static void
compare_sides (KcRun * run, const gchar * name, const KcSiftSide * ours,
    const KcSiftSide * theirs)
{
  g_autoptr (GArray) distances = g_array_new (FALSE, FALSE, sizeof (gdouble));
  gdouble there = share_of (ours, theirs, distances);
  gdouble here = share_of (theirs, ours, NULL), median = 0, most = 0;

  if (distances->len > 0) {
    median = g_array_index (distances, gdouble, distances->len / 2);
    most = g_array_index (distances, gdouble, distances->len * 99 / 100);
  }
  if (run->peers)
    g_print ("  %-18s OpenCV %5u, ours %5u; ours in OpenCV %.2f %%, OpenCV in "
        "ours %.2f %%; descriptors' distance, median %.2f, 99 %% %.2f\n", name,
        theirs->n, ours->n, there, here, median, most);
  if (there < 99.5 || here < 99.5 || median > 0 || most > 4 || ours->n == 0)
    kc_case_fail (run, "%.2f %% and %.2f %% agree, descriptors %.2f and %.2f "
        "apart", there, here, median, most);
}

/* The keypoints that this project and a peer find in a picture; NULL if the file is missing */
typedef struct
{
  KcPicture *in;
  KcSiftTables tables;
  GArray *points;
  GByteArray *bytes;
  KcSiftSide ours, theirs;
} Found;

static void
found_free (Found * found)
{
  kc_sift_tables_clear (&found->tables);
  g_clear_pointer (&found->points, g_array_unref);
  g_clear_pointer (&found->bytes, g_byte_array_unref);
  kc_picture_free (found->in);
  g_free (found);
}

static void
find_ours (KcRun * run, Found * found)
{
  const MgpuSiftParams params = KC_SIFT_USUAL;
  KcSiftTables *tables = &found->tables;
  g_autoptr (KcFrame) frame = kc_frame_new (run, found->in);
  MgpuSift *self = kc_sift_new (run, &found->in->info, &params);

  if (self != NULL && frame != NULL
      && kc_sift_tables_init (tables, run, mgpu_sift_get_room (self,
              &params))) {
    kc_sift_enqueue (self, run, &params, frame, NULL, tables);
    if (kc_sift_tables_read (tables, run)) {
      found->ours.points = (const GstMgpuKeypoint *) (tables->got_keypoints
          + sizeof (GstMgpuKeypointHeader));
      found->ours.descriptors = tables->got_descriptors;
      found->ours.n = ((const GstMgpuKeypointHeader *)
          tables->got_keypoints)->n;
    }
  }
  mgpu_object_free (self);
}

static Found *
find_both (KcRun * run, const gchar * name)
{
  KcPicture *in = load_picture (name);
  Found *found;

  if (in == NULL)
    return NULL;
  found = g_new0 (Found, 1);
  found->in = in;
  find_ours (run, found);
  found->points = g_array_new (FALSE, FALSE, sizeof (GstMgpuKeypoint));
  found->bytes = g_byte_array_new ();
  kc_opencv_sift (in, found->points, found->bytes);
  found->theirs.points = (const GstMgpuKeypoint *) found->points->data;
  found->theirs.descriptors = found->bytes->data;
  found->theirs.n = found->points->len;
  return found;
}

static void
compare_picture (KcRun * run, const gchar * name)
{
  Found *found;

  kc_case_begin (run, KC_RANDOM, "OpenCV, %s", name);
  found = find_both (run, name);
  if (found != NULL) {
    compare_sides (run, name, &found->ours, &found->theirs);
    found_free (found);
  }
  kc_case_end (run);
}

/* ---- Matching ----------------------------------------------------------------- */

static void
print_matching (const gchar * who, const KcMatching * m)
{
  g_print ("    %-7s %4u matches, %4u right: precision %.4f, matching score "
      "%.4f", who, m->matches, m->correct, m->precision, m->score);
  if (m->error > 0)
    g_print (", homography off by %.2f px", m->error);
  g_print ("\n");
}

/* Matches two pictures of the same object. @file: contains the homography between them; NULL: uses
 * the fundamental matrix that the matches of both libraries together give. This project's result
 * must not be worse, except for rounding. */
static void
match_pictures (KcRun * run, const gchar * name_a, const gchar * name_b,
    const gchar * file)
{
  Found *a, *b;
  KcGeometry g;

  kc_case_begin (run, KC_RANDOM, "matching %s and %s", name_a, name_b);
  a = find_both (run, name_a);
  b = find_both (run, name_b);
  if (a != NULL && b != NULL) {
    const KcSiftSide from[2] = { a->ours, a->theirs };
    const KcSiftSide to[2] = { b->ours, b->theirs };
    gint width = GST_VIDEO_INFO_WIDTH (&a->in->info);
    gint height = GST_VIDEO_INFO_HEIGHT (&a->in->info);
    KcMatching ours, theirs;

    if (file != NULL ? kc_opencv_read_homography (file, &g)
        : kc_opencv_estimate_fundamental (from, to, &g)) {
      kc_opencv_match_pictures (&a->ours, &b->ours, &g, width, height, &ours);
      kc_opencv_match_pictures (&a->theirs, &b->theirs, &g, width, height,
          &theirs);
      if (run->peers) {
        g_print ("  %s and %s\n", name_a, name_b);
        print_matching ("ours", &ours);
        print_matching ("OpenCV", &theirs);
      }
      if (ours.precision < theirs.precision - 0.005
          || ours.score < theirs.score - 0.002
          || ours.error > theirs.error + 0.5)
        kc_case_fail (run,
            "precision %.4f, score %.4f and error %.2f are worse "
            "than %.4f, %.4f and %.2f", ours.precision, ours.score, ours.error,
            theirs.precision, theirs.score, theirs.error);
    } else {
      kc_case_fail (run, "no homography or fundamental matrix");
    }
  }
  g_clear_pointer (&a, found_free);
  g_clear_pointer (&b, found_free);
  kc_case_end (run);
}

void
kc_sift_compare_pictures (KcRun * run)
{
  static const gchar *const names[] = {
    "box_in_scene.png", "graf1.png", "leuvenA.jpg", "graf3.png", "leuvenB.jpg",
    "baboon.jpg", "building.jpg", "home.jpg", "messi5.jpg"
  };
  guint n = run->peers ? G_N_ELEMENTS (names) : 2;

  for (guint i = 0; i < n && kc_goes_on (run); i++)
    compare_picture (run, names[i]);
  if (kc_goes_on (run))
    match_pictures (run, "graf1.png", "graf3.png",
        KC_PHOTOGRAPHS "/H1to3p.xml");
  if (run->peers && kc_goes_on (run))
    match_pictures (run, "leuvenA.jpg", "leuvenB.jpg", NULL);
}
