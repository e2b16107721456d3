/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks fits of motion models to pairs of points, and compares their times with OpenCV's. */
#include "peers.h"
#include <gst/vision/geometry/geometry-private.h>
#include "../reference/geometry.h"
#include <math.h>
#include <string.h>

/* Number of fits in one launch, each with another number of pairs */
#define N_FITS 2

/* Contents of pairs */
enum
{
  CONTENT_MOVED,                /* points moved by a model, with noise */
  CONTENT_MIXED,                /* points moved by a model, but most pairs are wrong; the good pairs
                                 * tend to come first */
  CONTENT_RANDOM,
  CONTENT_LINE,                 /* points on a line, for which only models of few parameters are
                                 * found */
  CONTENT_SAME,                 /* one place only */
  CONTENT_EXACT,                /* moved by whole pixels */
  N_CONTENTS
};

static const gchar *const content_names[] = {
  "moved", "mixed", "random", "line", "same", "exact"
};

static const gchar *const model_names[] = {
  "translation", "rigid", "similarity", "affine", "homography"
};

typedef struct
{
  guint model, n, content, n_draws, seed;
  gdouble threshold;
} Case;

static const Case cases[] = {
  {REF_HOMOGRAPHY, 24, CONTENT_MIXED, 300, 0, 3},
  {REF_AFFINE, 18, CONTENT_MIXED, 256, 1, 3},
  {REF_SIMILARITY, 17, CONTENT_MIXED, 256, 2, 1.5},
  {REF_RIGID, 9, CONTENT_MOVED, 256, 3, 2},
  {REF_TRANSLATION, 6, CONTENT_MIXED, 256, 4, 2},
  /* The cases above this one make up the quick set. */
  {REF_HOMOGRAPHY, 500, CONTENT_MIXED, 2048, 0, 3},
  {REF_HOMOGRAPHY, 21, CONTENT_MOVED, 256, 7, 1},
  {REF_HOMOGRAPHY, 16, CONTENT_LINE, 256, 5, 3},
  {REF_HOMOGRAPHY, 4, CONTENT_RANDOM, 256, 0, 100},
  {REF_HOMOGRAPHY, 9, CONTENT_EXACT, 256, 0, 0.1},
  {REF_HOMOGRAPHY, 50, CONTENT_SAME, 256, 0, 3},
  {REF_HOMOGRAPHY, 100, CONTENT_RANDOM, 1000, 0xffffffff, 3},
  {REF_AFFINE, 200, CONTENT_RANDOM, 700, 0, 10},
  {REF_AFFINE, 3, CONTENT_MOVED, 256, 0, 3},
  {REF_SIMILARITY, 2, CONTENT_MOVED, 256, 0, 3},
  {REF_SIMILARITY, 300, CONTENT_RANDOM, 1024, 9, 20},
  {REF_RIGID, 300, CONTENT_MIXED, 1024, 9, 3},
  {REF_RIGID, 50, CONTENT_SAME, 256, 0, 3},
  {REF_TRANSLATION, 1, CONTENT_MOVED, 256, 0, 3},
  {REF_TRANSLATION, 40, CONTENT_SAME, 256, 0, 3},
  {REF_TRANSLATION, 300, CONTENT_RANDOM, 256, 0, 30},
  {REF_SIMILARITY, 40000, CONTENT_MIXED, 256, 0, 3},
};

#define N_QUICK 5

/* Returns a random number from -1 to 1 */
static gdouble
any (KcRandom * random)
{
  return kc_random_below (random, 1 << 20) / 524288.0 - 1;
}

/* Makes a random homography of the kind of the model; if it is exact, it moves points by whole
 * pixels. */
static void
make_matrix (gdouble * m, guint model, gboolean is_exact, KcRandom * random)
{
  gdouble c = 0.9 + 0.1 * any (random), s = sqrt (1 - c * c);
  gdouble zoom = model >= REF_SIMILARITY ? 1 + 0.3 * any (random) : 1;
  gdouble lean = model >= REF_AFFINE ? 0.2 * any (random) : 0;

  if (model == REF_TRANSLATION || is_exact)
    c = zoom = 1, s = lean = 0;
  m[0] = c * zoom;
  m[1] = (lean - s) * zoom;
  m[3] = s * zoom;
  m[4] = c * zoom;
  m[2] = floor (90 * any (random));
  m[5] = floor (70 * any (random));
  m[6] = model == REF_HOMOGRAPHY && !is_exact ? 4e-4 * any (random) : 0;
  m[7] = model == REF_HOMOGRAPHY && !is_exact ? 4e-4 * any (random) : 0;
  m[8] = 1;
}

static void
fill_pairs (gfloat * pairs, guint n, guint model, guint content,
    gdouble * m, KcRandom * random)
{
  make_matrix (m, model, content == CONTENT_EXACT, random);
  for (guint i = 0; i < n; i++) {
    gfloat *p = pairs + 4 * (gsize) i;
    gdouble noise = content == CONTENT_EXACT ? 0 : 1, w;
    gboolean is_wrong = content == CONTENT_RANDOM || (content == CONTENT_MIXED
        && kc_random_below (random, n + 1) < (n + i) / 2);

    p[0] = floor (320 + 320 * any (random));
    p[1] = floor (240 + 240 * any (random));
    if (content == CONTENT_LINE)
      p[1] = 2 * p[0] + 3;
    if (content == CONTENT_SAME)
      p[0] = p[1] = 77;
    w = m[6] * p[0] + m[7] * p[1] + 1;
    p[2] = (m[0] * p[0] + m[1] * p[1] + m[2]) / w + noise * any (random);
    p[3] = (m[3] * p[0] + m[4] * p[1] + m[5]) / w + noise * any (random);
    if (is_wrong) {
      p[2] = 320 + 320 * any (random);
      p[3] = 240 + 240 * any (random);
    }
    if (content == CONTENT_SAME)
      p[2] = p[3] = 99;
  }
}

/* Compares a fit with the reference, and also the results of its groups of draws unless they are
 * NULL. */
static gboolean
compare_fit (KcRun * run, const MgpuGeometryFit * fit, const RefGeometry * ref,
    const gint32 * results)
{
  gint32 want[RESULT * REF_GEOMETRY_GROUPS];
  KcArray want_groups = { "groups", KC_U32, want, RESULT * 4, 4, RESULT,
    REF_GEOMETRY_GROUPS
  };
  KcArray want_matrix = { "matrix", KC_U64, ref->matrix, 72, 8, 9, 1 };
  KcArray want_n = { "inliers", KC_U32, &ref->n_inliers, 4, 4, 1, 1 };
  KcArray got_groups = want_groups, got_matrix = want_matrix, got_n = want_n;

  for (guint g = 0; g < REF_GEOMETRY_GROUPS; g++) {
    memcpy (want + RESULT * g, ref->results[g].numbers, 40);
    want[RESULT * g + 10] = ref->results[g].score;
    want[RESULT * g + 11] = ref->results[g].score >> 32;
  }
  got_groups.data = results;
  got_matrix.data = fit->matrix;
  got_n.data = &fit->n_inliers;
  return (results == NULL || kc_compare_array (run, &want_groups, &got_groups))
      && kc_compare_array (run, &want_matrix, &got_matrix)
      && kc_compare_array (run, &want_n, &got_n);
}

static void
check_case (KcRun * run, MgpuObject * self, KcKind kind, const Case * c,
    KcRandom * random)
{
  MgpuGeometryParams params = { c->model, c->threshold, c->n_draws, c->seed };
  MgpuGeometryFit fits[N_FITS], alone;
  RefGeometry refs[N_FITS];
  gfloat *pairs[N_FITS];
  GError *error = NULL;
  gdouble truth[9];

  kc_case_begin (run, kind, "%s, %u pairs, %s, %u draws, seed %u, threshold %g",
      model_names[c->model], c->n, content_names[c->content], c->n_draws,
      c->seed, c->threshold);
  for (guint i = 0; i < N_FITS; i++) {
    guint n = i == 0 ? c->n : c->n / (i + 1) + 4;

    pairs[i] = g_new (gfloat, 4 * n);
    fill_pairs (pairs[i], n, c->model, c->content, truth, random);
    fits[i] = (MgpuGeometryFit) {
    pairs[i], n, NULL};
    refs[i] = (RefGeometry) {
    c->model, c->threshold, c->n_draws, c->seed, pairs[i], n};
    ref_geometry_fit (&refs[i]);
  }
  alone = fits[0];
  if (!mgpu_geometry_fit (self, run->queue, &params, fits, N_FITS, &error)
      || !mgpu_geometry_fit (NULL, NULL, &params, &alone, 1, &error)) {
    kc_case_fail_error (run, error);
  } else {
    GstMemory *memory = self->slots[MGPU_GEOMETRY_RESULTS];
    g_autofree gint32 *results = g_malloc (memory->size);

    if (kc_memory_read (run, (GstMgpuMemory *) memory, results))
      for (guint i = 0, at = 0; i < N_FITS; i++) {
        /* Fits with too few pairs are not sent to the device. */
        gboolean has_results = fits[i].n
            >= mgpu_geometry_get_sample_size (c->model);

        if (!compare_fit (run, &fits[i], &refs[i],
                has_results ? results + RESULT * GROUPS * at : NULL))
          break;
        at += has_results;
      }
    compare_fit (run, &alone, &refs[0], NULL);
  }
  for (guint i = 0; i < N_FITS; i++)
    g_free (pairs[i]);
  kc_case_end (run);
}

static void
check (KcRun * run)
{
  MgpuObject *self = kc_object_new (run, &mgpu_geometry);
  KcRandom random;

  if (self == NULL)
    return;
  kc_random_init (&random, 1);
  for (guint i = 0; i < (run->quick ? N_QUICK : G_N_ELEMENTS (cases))
      && kc_goes_on (run); i++)
    check_case (run, self, KC_FIXED, &cases[i], &random);
  kc_random_init (&random, run->seed);
  for (guint i = 0; i < (run->quick ? 1 : 60) && kc_goes_on (run); i++) {
    Case c = { kc_random_below (&random, 5), 1 + kc_random_below (&random,
          run->quick ? 12 : 300), kc_random_below (&random, N_CONTENTS),
      256 + kc_random_below (&random, run->quick ? 1 : 1000),
      kc_random (&random), 0.1 + kc_random_below (&random, 100) / 10.0
    };

    check_case (run, self, KC_RANDOM, &c, &random);
  }
  mgpu_object_free (self);
}

/* ---- Timing and peers (other libraries) ------------------------------------- */

typedef struct
{
  KcRun *run;
  MgpuObject *self;
  MgpuGeometryParams params;
  MgpuGeometryFit fit;
} Bench;

static gdouble
time_ours (gpointer data)
{
  Bench *bench = data;
  GError *error = NULL;

  if (!mgpu_geometry_fit (bench->self, bench->run->queue, &bench->params,
          &bench->fit, 1, &error))
    kc_case_fail_error (bench->run, error);
  return -1;
}

#ifdef HAVE_OPENCV
static gdouble
time_opencv (gpointer data)
{
  Bench *bench = data;
  gdouble matrix[9];

  return kc_opencv_fit_homography (bench->fit.pairs, bench->fit.n,
      bench->params.threshold, bench->params.max_draws, TRUE, matrix);
}
#endif

static void
bench_draws (KcRun * run, MgpuObject * self, guint n, guint n_draws,
    guint content)
{
  Bench bench = { run, self, {GST_MGPU_FIT_MODEL_HOMOGRAPHY, 3, n_draws, 0} };
  g_autofree gfloat *pairs = g_new (gfloat, 4 * n);
  g_autofree gchar *what = g_strdup_printf ("%u pairs, %u draws", n, n_draws);
  KcPython python = {
    .a = {"a", KC_F32, pairs, 16, 4, 4, n}
  };
  const KcContestant contestants[] = {
    {"ours", time_ours, &bench, &python},
#ifdef HAVE_OPENCV
    {"OpenCV", time_opencv, &bench},
#endif
  };
  KcRandom random;
  gdouble truth[9];

  kc_random_init (&random, 3);
  fill_pairs (pairs, n, REF_HOMOGRAPHY, content, truth, &random);
  bench.fit.pairs = pairs;
  bench.fit.n = n;
  kc_case_begin (run, KC_RANDOM, "bench %s", what);
  kc_python_set (&python, "", "cv2.findHomography(a[:, :2], a[:, 2:], "
      "cv2.USAC_MAGSAC, 3.0)");
  kc_bench (run, what, contestants,
      run->peers ? G_N_ELEMENTS (contestants) : 1);
  kc_python_clear (&python);
  kc_case_end (run);
}

static void
bench (KcRun * run)
{
  MgpuObject *self = kc_object_new (run, &mgpu_geometry);

  if (self == NULL)
    return;
  bench_draws (run, self, 500, 256, CONTENT_MOVED);
  /* Uses pairs of which none agree, so that all draws are tried. */
  bench_draws (run, self, 500, 2048, CONTENT_RANDOM);
  mgpu_object_free (self);
}

const KcFunction kc_geometry = { "geometry", check, bench };
