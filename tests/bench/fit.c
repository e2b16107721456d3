/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Measures the errors of homographies that this library and OpenCV fit to pairs of points. Prints,
 * over many fits, the median of the mean distance between the corners of a picture and their true
 * positions, and the number of fits that are off by more than 5 pixels.
 *
 *   bench-fit [--fits N] [--seed N]
 *
 * Pairs of points are drawn at random, with another homography for each fit; or they are matches of
 * the keypoints of graf1.png and graf3.png of opencv-doc, whose homography is known.
 * MGPU_PEER_PYTHON names a Python interpreter that has another version of OpenCV. */
#include "../kernelcheck/peers.h"
#include "../kernelcheck/private.h"

#include <math.h>
#include <string.h>

/* Size of the picture whose corners count; graf1.png is larger. */
#define WIDTH 640
#define HEIGHT 480

#define N_PAIRS 500
#define N_DRAWS 2048
#define THRESHOLD 3

/* Error in pixels above which a fit counts as failed */
#define FAR_OFF 5

/* Lists the methods of fitting. LEAST_SQUARES gets only the right pairs, so that no other method
 * can be much better. */
enum
{
  OURS,
  RANSAC,
  MAGSAC,
  PYTHON,
  LEAST_SQUARES,
  N_WAYS
};

static const gchar *const names[] = {
  "ours", "RANSAC", "MAGSAC", "MAGSAC of cv2", "least squares of right pairs"
};

/* Describes pairs of points. Of N_PAIRS pairs, n_right are right except for normal noise, in
 * pixels, in x and in y; n_near are right except for this noise and a distance of 6.4 to 9.6 pixels
 * to the right, as on another plane. Right pairs tend to come first, or pairs are in any order. */
typedef struct
{
  guint n_right;
  gdouble noise;
  gboolean is_sorted;
  guint n_near;
} Row;

static const Row rows[] = {
  {450, 1.5, TRUE}, {400, 1.5, TRUE}, {350, 1.5, TRUE}, {250, 1.5, TRUE},
  {150, 1.5, TRUE}, {100, 1.5, TRUE}, {50, 1, TRUE},
  {450, 1.5}, {400, 1.5}, {350, 1.5}, {250, 1.5}, {150, 1.5}, {100, 1.5}, {50, 1},
  {250, 0.5}, {250, 3}, {250, 0.7, FALSE, 100}, {250, 1.5, FALSE, 100}
};

typedef struct
{
  gfloat place[4];              /* x y x' y' */
  gdouble rank;                 /* the smaller, the earlier */
  gboolean is_right;
} Pair;

static gint opt_fits = 200, opt_seed = 1;

static const GOptionEntry options[] = {
  {"fits", 'n', 0, G_OPTION_ARG_INT, &opt_fits, "Fits of each row (200)", "N"},
  {"seed", 's', 0, G_OPTION_ARG_INT, &opt_seed, "Seed of the pairs (1)", "N"},
  {NULL}
};

/* Returns: a random number from 0 to 1 */
static gdouble
any (KcRandom * random)
{
  return (kc_random (random) + 0.5) / 4294967296.0;
}

static gdouble
any_normal (KcRandom * random)
{
  gdouble length = sqrt (-2 * log (any (random)));

  return length * cos (2 * G_PI * any (random));
}

static void
move (const gdouble * m, gdouble x, gdouble y, gdouble * to)
{
  gdouble w = m[6] * x + m[7] * y + m[8];

  to[0] = (m[0] * x + m[1] * y + m[2]) / w;
  to[1] = (m[3] * x + m[4] * y + m[5]) / w;
}

/* Makes a homography that rotates by up to half a radian, zooms by 0.7 to 1.3, and adds some
 * perspective. */
static void
make_matrix (gdouble * m, KcRandom * random)
{
  gdouble turn = any (random) - 0.5, zoom = 0.7 + 0.6 * any (random);

  m[0] = m[4] = cos (turn) * zoom;
  m[3] = sin (turn) * zoom;
  m[1] = 0.4 * (any (random) - 0.5) - m[3];
  m[2] = 200 * (any (random) - 0.5);
  m[5] = 150 * (any (random) - 0.5);
  m[6] = 8e-4 * (any (random) - 0.5);
  m[7] = 8e-4 * (any (random) - 0.5);
  m[8] = 1;
}

static gint
compare_pairs (gconstpointer a, gconstpointer b)
{
  const Pair *p = a, *q = b;

  return p->rank < q->rank ? -1 : p->rank > q->rank;
}

static void
make_pairs (const Row * row, const gdouble * m, Pair * pairs, KcRandom * random)
{
  for (guint i = 0; i < N_PAIRS; i++) {
    Pair *pair = &pairs[i];
    gdouble x = WIDTH * any (random), y = HEIGHT * any (random), to[2];

    move (m, x, y, to);
    to[0] += row->noise * any_normal (random);
    to[1] += row->noise * any_normal (random);
    pair->is_right = i < row->n_right;
    pair->rank = any (random) + (row->is_sorted && !pair->is_right ? 0.5 : 0);
    if (i >= row->n_right + row->n_near) {
      to[0] = WIDTH * any (random);
      to[1] = HEIGHT * any (random);
    } else if (i >= row->n_right) {
      to[0] += 6.4 + 3.2 * any (random);
    }
    pair->place[0] = x;
    pair->place[1] = y;
    pair->place[2] = to[0];
    pair->place[3] = to[1];
  }
  qsort (pairs, N_PAIRS, sizeof (*pairs), compare_pairs);
}

/* Returns: the mean distance of the corners from their true positions, in pixels */
static gdouble
corner_error (const gdouble * m, const gdouble * truth)
{
  gdouble sum = 0, is[2], should[2];

  for (guint i = 0; i < 4; i++) {
    move (m, i % 2 * WIDTH, i / 2 * HEIGHT, is);
    move (truth, i % 2 * WIDTH, i / 2 * HEIGHT, should);
    sum += hypot (is[0] - should[0], is[1] - should[1]) / 4;
  }
  return sum < 1e9 ? sum : 1e9;
}

static void
fit_ours (GstMgpuContext * context, const gfloat * places, guint n,
    gdouble threshold, gdouble * matrix)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (places, n * 4 * sizeof (gfloat));
  GstMgpuFitOptions *with = gst_mgpu_fit_options_new ();
  GError *error = NULL;
  GstMgpuFit *fit;

  with->threshold = threshold;
  with->max_draws = N_DRAWS;
  fit = gst_mgpu_fit_points (context, bytes, GST_MGPU_FIT_MODEL_HOMOGRAPHY, with,
      &error);
  if (fit == NULL)
    g_error ("%s", error->message);
  memcpy (matrix, gst_mgpu_fit_get_matrix (fit), 9 * sizeof (gdouble));
  gst_mgpu_fit_unref (fit);
  gst_mgpu_fit_options_free (with);
}

/* Fits a homography with the OpenCV of Python. Returns FALSE if there is no such OpenCV. */
static gboolean
fit_python (const gfloat * places, guint n, gdouble * matrix)
{
  KcPython python = {
    .a = {"a", KC_F32, places, 16, 4, 4, n}
  };
  gboolean ok;

  kc_python_set (&python, "", "cv2.findHomography(a[:, :2], a[:, 2:], "
      "cv2.USAC_MAGSAC, " G_STRINGIFY (THRESHOLD) ", maxIters="
      G_STRINGIFY (N_DRAWS) ", confidence=0.9999)[0]");
  ok = kc_python_prepare (&python);
  if (ok && !kc_python_get (matrix, 9))
    memset (matrix, 0, 9 * sizeof (gdouble));
  kc_python_clear (&python);
  return ok;
}

/* Fits a homography by each method, and sets @errors to the error of each; negative if the method's
 * library is missing. */
static void
measure (GstMgpuContext * context, const Pair * pairs, guint n, const gdouble * truth,
    gdouble * errors)
{
  gfloat (*all)[4] = g_malloc (n * sizeof (*all));
  gfloat (*right)[4] = g_malloc (n * sizeof (*right));
  gboolean is_there[N_WAYS] = {[OURS] = TRUE,[LEAST_SQUARES] = TRUE };
  gdouble matrices[N_WAYS][9];
  guint n_right = 0;

  for (guint i = 0; i < n; i++) {
    memcpy (all[i], pairs[i].place, sizeof (*all));
    if (pairs[i].is_right)
      memcpy (right[n_right++], pairs[i].place, sizeof (*right));
  }
  fit_ours (context, all[0], n, THRESHOLD, matrices[OURS]);
  fit_ours (context, right[0], n_right, 100, matrices[LEAST_SQUARES]);
#ifdef HAVE_OPENCV
  is_there[RANSAC] = is_there[MAGSAC] = TRUE;
  kc_opencv_fit_homography (all[0], n, THRESHOLD, N_DRAWS, FALSE, matrices[RANSAC]);
  kc_opencv_fit_homography (all[0], n, THRESHOLD, N_DRAWS, TRUE, matrices[MAGSAC]);
#endif
  is_there[PYTHON] = fit_python (all[0], n, matrices[PYTHON]);
  for (guint i = 0; i < N_WAYS; i++)
    errors[i] = is_there[i] ? corner_error (matrices[i], truth) : -1;
  g_free (all);
  g_free (right);
}

/* Prints a row of the table; @errors has @n numbers for each method. */
static void
print_row (const gchar * what, gdouble ** errors, guint n)
{
  g_print ("%s", what);
  for (guint way = 0; way < N_WAYS; way++) {
    guint n_far = 0;

    if (errors[way][0] < 0) {
      g_print (" | -");
      continue;
    }
    for (guint i = 0; i < n; i++)
      n_far += errors[way][i] > FAR_OFF;
    g_print (" | %.3f", kc_median (errors[way], n));
    if (n_far > 0)
      g_print (" (%u of %u)", n_far, n);
  }
  g_print ("\n");
}

/* Measures @n fits of @n_pairs pairs each. If @row is given, each fit gets newly drawn pairs;
 * otherwise it gets the given pairs in another order. */
static void
measure_all (GstMgpuContext * context, const gchar * what, const Row * row, Pair * pairs,
    guint n_pairs, const gdouble * truth, guint n)
{
  gdouble *errors[N_WAYS], matrix[9], here[N_WAYS];
  KcRandom random;

  for (guint way = 0; way < N_WAYS; way++)
    errors[way] = g_new (gdouble, n);
  kc_random_init (&random, opt_seed);
  for (guint i = 0; i < n; i++) {
    if (row != NULL) {
      make_matrix (matrix, &random);
      make_pairs (row, matrix, pairs, &random);
    } else if (n > 1) {
      for (guint k = 0; k < n_pairs; k++)
        pairs[k].rank = any (&random);
      qsort (pairs, n_pairs, sizeof (*pairs), compare_pairs);
    }
    measure (context, pairs, n_pairs, row != NULL ? matrix : truth, here);
    for (guint way = 0; way < N_WAYS; way++)
      errors[way][i] = here[way];
  }
  print_row (what, errors, n);
  for (guint way = 0; way < N_WAYS; way++)
    g_free (errors[way]);
}

static void
measure_row (GstMgpuContext * context, const Row * row)
{
  Pair pairs[N_PAIRS];
  g_autofree gchar *near = row->n_near > 0 ? g_strdup_printf (", %u %% 8 px off",
      row->n_near * 100 / N_PAIRS) : g_strdup ("");
  g_autofree gchar *what = g_strdup_printf ("%u %% right%s, noise %.1f px, %s",
      row->n_right * 100 / N_PAIRS, near, row->noise, row->is_sorted
      ? "best first" : "any order");

  measure_all (context, what, row, pairs, N_PAIRS, NULL, opt_fits);
}

#ifdef HAVE_OPENCV
/* Limits to try in the ratio test: the maximum ratio of the descriptor distance to the nearest
 * keypoint of graf3.png and the distance to the second nearest */
static const gdouble ratios[] = { 0.75, 0.9, 1 };

/* Returns: (transfer full): a frame with the keypoints of a picture of opencv-doc; NULL if there is
 * no such picture */
static GstSample *
find_keypoints (const gchar * name)
{
  g_autofree gchar *launch = g_strdup_printf ("filesrc location=" KC_PHOTOGRAPHS "/%s ! decodebin ! "
      "videoconvert ! mgpusift max-features=1000 ! fakesink name=sink sync=false", name);
  GError *error = NULL;
  g_autoptr (GstElement) pipeline = gst_parse_launch (launch, &error), sink = NULL;
  GstSample *sample = NULL;
  g_autoptr (GstMessage) message = NULL;
  g_autoptr (GstBus) bus = NULL;

  if (error != NULL)
    g_error ("%s", error->message);
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  bus = gst_element_get_bus (pipeline);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  g_object_get (sink, "last-sample", &sample, NULL);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  return sample;
}

/* Sets @pairs to the matches of two pictures, best first. Returns: their number */
static guint
match (GstMgpuKeypointMeta * from, GstMgpuKeypointMeta * to, gdouble ratio,
    const gdouble * truth, Pair ** pairs)
{
  GError *error = NULL;
  g_autoptr (GBytes) matches = gst_mgpu_keypoint_meta_match (from, to, ratio, TRUE, &error);
  const GstMgpuKeypointMatch *m;
  gsize size;

  if (matches == NULL)
    g_error ("%s", error->message);
  m = g_bytes_get_data (matches, &size);
  *pairs = g_new (Pair, size / sizeof (*m) + 1);
  for (guint i = 0; i < size / sizeof (*m); i++) {
    Pair *pair = &(*pairs)[i];
    GstMgpuKeypoint p, q;
    gdouble at[2];

    gst_mgpu_keypoint_meta_get_keypoint (from, m[i].query, &p);
    gst_mgpu_keypoint_meta_get_keypoint (to, m[i].train, &q);
    move (truth, p.x, p.y, at);
    *pair = (Pair) {
      {p.x, p.y, q.x, q.y}, m[i].distance, hypot (q.x - at[0], q.y - at[1]) < THRESHOLD};
  }
  qsort (*pairs, size / sizeof (*m), sizeof (**pairs), compare_pairs);
  return size / sizeof (*m);
}

static void
measure_pictures (GstMgpuContext * context)
{
  GstSample *samples[2] = { find_keypoints ("graf1.png"), find_keypoints ("graf3.png") };
  KcGeometry truth;

  if (samples[0] != NULL && samples[1] != NULL
      && kc_opencv_read_homography (KC_PHOTOGRAPHS "/H1to3p.xml", &truth)) {
    GstMgpuKeypointMeta *from =
        gst_buffer_get_mgpu_keypoint_meta (gst_sample_get_buffer (samples[0]));
    GstMgpuKeypointMeta *to =
        gst_buffer_get_mgpu_keypoint_meta (gst_sample_get_buffer (samples[1]));

    for (guint i = 0; i < 2 * G_N_ELEMENTS (ratios); i++) {
      guint n, n_right = 0;
      g_autofree gchar *what = NULL;
      Pair *pairs;

      n = match (from, to, ratios[i / 2], truth.m, &pairs);
      for (guint k = 0; k < n; k++)
        n_right += pairs[k].is_right;
      what = g_strdup_printf ("graf1 and graf3, ratio %.2f, %u of %u right, %s", ratios[i / 2],
          n_right, n, i % 2 == 0 ? "best first" : "any order");
      measure_all (context, what, NULL, pairs, n, truth.m, i % 2 == 0 ? 1 : opt_fits);
      g_free (pairs);
    }
  } else {
    g_print ("graf1 and graf3: not measured, because opencv-doc is not installed\n");
  }
  g_clear_pointer (&samples[0], gst_sample_unref);
  g_clear_pointer (&samples[1], gst_sample_unref);
}
#endif

int
main (int argc, char **argv)
{
  GOptionContext *parser = g_option_context_new (NULL);
  GstMgpuContext *context;
  GError *error = NULL;

  g_option_context_add_main_entries (parser, options, NULL);
  g_option_context_add_group (parser, gst_init_get_option_group ());
  if (!g_option_context_parse (parser, &argc, &argv, &error) || opt_fits < 1) {
    g_printerr ("%s\n", error != NULL ? error->message : "--fits is at least 1");
    return 2;
  }
  context = gst_mgpu_context_new (NULL, &error);
  if (context == NULL) {
    g_printerr ("%s\n", error->message);
    return 1;
  }
  g_print ("pairs");
  for (guint way = 0; way < N_WAYS; way++)
    g_print (" | %s", names[way]);
  g_print ("\n");
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    measure_row (context, &rows[i]);
#ifdef HAVE_OPENCV
  measure_pictures (context);
#endif
  gst_object_unref (context);
  g_option_context_free (parser);
  return 0;
}
