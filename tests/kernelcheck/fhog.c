/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks HOG feature pyramids, and compares their times with dlib's. */
#include "kernelcheck.h"
#include "peers.h"
#include <gst/vision/fhog/fhog.h>
#include "../reference/fhog.h"

#include <math.h>
#include <string.h>

#define FEATURES MGPU_FHOG_FEATURES

typedef struct
{
  KcKind kind;
  GstVideoFormat format;
  gint width, height;
  KcContent content;
  KcLayout layout;
  MgpuFhogParams params;
} Case;

static const GstVideoFormat formats[] = {
  GST_VIDEO_FORMAT_RGBx, GST_VIDEO_FORMAT_ABGR, GST_VIDEO_FORMAT_BGR,
  GST_VIDEO_FORMAT_xRGB, GST_VIDEO_FORMAT_BGRA
};

/* Pyramid parameters that dlib has */
static const MgpuFhogParams one_level = { 8, 1, 1, FALSE, 0, 0,
  MGPU_FHOG_AREA, TRUE
};

/* Cases, of which the first ones are small enough for emulators */
static const struct
{
  gint width, height;
  MgpuFhogParams params;
} fixed[] = {
  {37, 33, {8, 2, 0, FALSE, 0, 0, MGPU_FHOG_AREA, FALSE}},
  {1, 1, {8, 10, 0, FALSE, 3, 2, MGPU_FHOG_AREA, FALSE}},
  {21, 27, {8, 1, 3, TRUE, 2, 5, MGPU_FHOG_LINEAR, FALSE}},
  {140, 19, {4, 2, 3, FALSE, 1, 0, MGPU_FHOG_LINEAR, FALSE}},
  {61, 52, {16, 1, 0, FALSE, 1, 2, MGPU_FHOG_AREA, TRUE,
          MGPU_FHOG_DALAL_TRIGGS}},
  {41, 90, {4, 1, 0, FALSE, 1, 2, MGPU_FHOG_AREA, FALSE}},
  {10, 10, {8, 3, 0, FALSE, 1, 1, MGPU_FHOG_AREA, FALSE}},
  {9, 400, {8, 2, 0, FALSE, 1, 1, MGPU_FHOG_AREA, FALSE}},
  {5, 7, {8, 2, 0, TRUE, 0, 0, MGPU_FHOG_AREA, FALSE}},
  {203, 151, {8, 10, 0, FALSE, 6, 16, MGPU_FHOG_AREA, FALSE}},
  {328, 241, {8, 5, 0, TRUE, 7, 4, MGPU_FHOG_AREA, FALSE}},
  {300, 222, {4, 3, 0, FALSE, 0, 2, MGPU_FHOG_LINEAR, FALSE}},
  {64, 64, {8, 32, 0, FALSE, 0, 0, MGPU_FHOG_LINEAR, FALSE}},
  {120, 77, {8, 3, 0, FALSE, 2, 0, MGPU_FHOG_AREA, TRUE}},
  {230, 157, {16, 2, 0, TRUE, 2, 1, MGPU_FHOG_AREA, FALSE}},
  {133, 99, {8, 3, 0, FALSE, 1, 1, MGPU_FHOG_AREA, FALSE,
          MGPU_FHOG_DALAL_TRIGGS}},
  {511, 134, {8, 7, 12, TRUE, 0, 1, MGPU_FHOG_LINEAR, FALSE}},
};

#define N_QUICK 6

/* Computes the pyramid of a frame. Returns the features, or NULL after a failure. */
static gfloat *
run_ours (KcRun * run, MgpuFhog * self, KcFrame * frame)
{
  gsize size = mgpu_fhog_get_size (self);
  gfloat *got = g_malloc (size);
  GError *error = NULL;
  GstMgpuMemory *memory;
  gboolean ok;

  memset (got, 0xa5, size);
  memory = kc_memory_new (run, got, size);
  ok = memory != NULL;
  if (ok) {
    GstMgpuJob job;

    gst_mgpu_job_begin (&job, run->queue, run->stats);
    mgpu_fhog_enqueue (self, &job, &frame->image, memory);
    ok = gst_mgpu_job_end (&job, &error);
    if (!ok)
      kc_case_fail_error (run, error);
    ok = ok && kc_memory_read (run, memory, got);
  }
  kc_memory_free (memory);
  if (!ok)
    g_clear_pointer (&got, g_free);
  return got;
}

static void
compare (KcRun * run, MgpuFhog * self, const RefFhog * want,
    guint features, const gfloat * got)
{
  const MgpuFhogLevel *levels;
  gint n = mgpu_fhog_get_levels (self, &levels);

  if (n != want->n_levels)
    kc_case_fail (run, "%d levels instead of %d", n, want->n_levels);
  for (gint i = 0; i < MIN (n, want->n_levels) && kc_goes_on (run); i++) {
    const RefFhogLevel *l = want->levels + i;
    g_autofree gchar *name = g_strdup_printf ("features of level %d", i);
    KcArray theirs = { name, KC_F32, l->features, l->columns * features * 4, 4,
      l->columns * features, l->rows
    };
    KcArray ours = theirs;

    if (levels[i].columns != l->columns || levels[i].rows != l->rows
        || levels[i].scale != l->scale || levels[i].cell_size != l->cell_size) {
      kc_case_fail (run, "level %d has %d x %d cells of %d at %g instead of "
          "%d x %d of %d at %g", i, levels[i].columns, levels[i].rows,
          levels[i].cell_size, levels[i].scale, l->columns, l->rows,
          l->cell_size, l->scale);
    } else {
      ours.data = got + (gsize) levels[i].offset * features;
      kc_compare_array (run, &theirs, &ours);
    }
  }
}

/* Returns: (transfer full): a part of each level, some of them empty, some covering the whole
 * level, some reaching beyond it */
static MgpuPart *
make_parts (MgpuFhog * self, KcRandom * random)
{
  const MgpuFhogLevel *levels;
  guint n = mgpu_fhog_get_levels (self, &levels);
  MgpuPart *parts = g_new0 (MgpuPart, n + 1);

  for (guint i = 0; i < n; i++) {
    MgpuPart *p = parts + i;

    p->left = kc_random_below (random, levels[i].columns + 4) - 3;
    p->top = kc_random_below (random, levels[i].rows + 4) - 3;
    p->right = p->left + kc_random_below (random, levels[i].columns + 4);
    p->bottom = p->top + kc_random_below (random, levels[i].rows + 4);
  }
  return parts;
}

/* Checks the features of parts of all levels, computed after those of another frame: they equal the
 * features in the pyramid of the whole frame, and the next whole pyramid has all features again. */
static void
check_parts (KcRun * run, MgpuFhog * self, KcFrame * other, KcFrame * frame,
    guint features, const gfloat * whole, KcRandom * random)
{
  g_autofree MgpuPart *parts = make_parts (self, random);
  const MgpuFhogLevel *levels;
  guint n = mgpu_fhog_get_levels (self, &levels);
  gfloat *got;

  g_free (run_ours (run, self, other));
  mgpu_fhog_set_parts (self, parts);
  got = run_ours (run, self, frame);
  for (guint i = 0; i < n && got != NULL; i++)
    for (gint y = 0; y < levels[i].rows; y++)
      for (gint x = 0; x < levels[i].columns; x++) {
        gsize at = (gsize) features * (levels[i].offset
            + y * levels[i].columns + x);
        const MgpuPart *p = parts + i;

        if (x >= p->left && x < p->right && y >= p->top && y < p->bottom
            && memcmp (got + at, whole + at, features * sizeof (gfloat)) != 0) {
          kc_case_fail (run,
              "cell (%d, %d) of level %u, of which columns %d to "
              "%d and rows %d to %d are wanted, has other features", x, y, i,
              p->left, p->right, p->top, p->bottom);
          y = levels[i].rows;
          break;
        }
      }
  g_free (got);
  mgpu_fhog_set_parts (self, NULL);
  got = run_ours (run, self, frame);
  if (got != NULL && memcmp (got, whole, mgpu_fhog_get_size (self)) != 0)
    kc_case_fail (run, "behind parts the pyramid of the frame is another one");
  g_free (got);
}

static void
check_parts_of_picture (KcRun * run, MgpuFhog * self, const KcPicture * in,
    KcFrame * frame, guint features, const gfloat * whole)
{
  g_autoptr (KcPicture) picture = NULL;
  g_autoptr (KcFrame) other = NULL;
  KcRandom random;

  kc_random_init (&random, in->info.width + 1000 * in->info.height);
  picture =
      kc_picture_make (&in->info, KC_LAYOUT_DEFAULT, KC_CONTENT_RANDOM,
      &random);
  other = kc_frame_new (run, picture);
  for (guint i = 0; i < 2 && other != NULL; i++)
    check_parts (run, self, other, frame, features, whole, &random);
}

static gboolean
make_reference (KcRun * run, const KcPicture * in, const MgpuFhogParams * p,
    RefFhog * want)
{
  RefFhogParams params = { p->cell_size, p->interval, p->max_levels,
    p->extra_octave, p->pad_x, p->pad_y, p->resize == MGPU_FHOG_LINEAR,
    p->whole_cells, p->kind == MGPU_FHOG_DALAL_TRIGGS
  };
  RefPlane rgb[3];

  for (guint i = 0; i < 3; i++)
    rgb[i] = kc_picture_plane (in, GST_VIDEO_INFO_N_COMPONENTS (&in->info) == 1
        ? 0 : i);
  if (ref_fhog (rgb, &params, want))
    return TRUE;
  kc_case_fail (run, "no memory for the reference");
  return FALSE;
}

static void
check_case (KcRun * run, const Case * c, KcRandom * random)
{
  const MgpuFhogParams *p = &c->params;
  GError *error = NULL;
  GstVideoInfo info;
  MgpuFhog *self;
  g_autoptr (KcPicture) in = NULL;
  g_autoptr (KcFrame) frame = NULL;
  RefFhog want;

  gst_video_info_set_format (&info, c->format, c->width, c->height);
  in = kc_picture_make (&info, c->layout, c->content, random);
  kc_case_begin (run, c->kind,
      "%s %dx%d, strides %s, %s, cells of %d, %d of %d "
      "levels%s, padding %dx%d, %s, %s", GST_VIDEO_INFO_NAME (&info), c->width,
      c->height, kc_picture_strides (in), kc_content_name (c->content),
      p->cell_size, p->max_levels, p->interval,
      p->extra_octave ? " and an extra octave" : "", p->pad_x, p->pad_y,
      p->resize == MGPU_FHOG_LINEAR ? "linear" : "area",
      p->kind == MGPU_FHOG_DALAL_TRIGGS ? "dalal-triggs" : "felzenszwalb");

  self = mgpu_fhog_new (run->context, &info, p, &error);
  frame = kc_frame_new (run, in);
  if (self == NULL) {
    kc_case_fail_error (run, error);
  } else if (frame != NULL && make_reference (run, in, p, &want)) {
    gfloat *got = run_ours (run, self, frame);
    if (got != NULL)
      compare (run, self, &want, mgpu_fhog_count_features (p->kind), got);
    if (got != NULL && want.n_levels > 0)
      check_parts_of_picture (run, self, in, frame,
          mgpu_fhog_count_features (p->kind), got);
    g_free (got);
    ref_fhog_clear (&want);
  }
  g_clear_pointer (&self, mgpu_object_free);
  kc_case_end (run);
}

#ifdef HAVE_DLIB
/* ---- Against dlib ------------------------------------------------------------ */

/* Compares the features with dlib's, whose cells have 31 features. Cells less than 8 pixels away
 * from the edge of the frame are ignored, because dlib computes them from other pixels. */
static void
compare_dlib (KcRun * run, GstVideoFormat format, gint width, gint height,
    KcContent content)
{
  const MgpuFhogLevel *levels;
  GError *error = NULL;
  GstVideoInfo info;
  KcRandom random;
  g_autoptr (KcPicture) in = NULL;
  g_autoptr (KcFrame) frame = NULL;
  MgpuFhog *self;
  gint rows, columns;

  kc_random_init (&random, 5);
  gst_video_info_set_format (&info, format, width, height);
  in = kc_picture_make (&info, KC_LAYOUT_DEFAULT, content, &random);
  kc_case_begin (run, KC_RANDOM, "dlib, %s %dx%d, %s",
      GST_VIDEO_INFO_NAME (&info), width, height, kc_content_name (content));
  self = mgpu_fhog_new (run->context, &info, &one_level, &error);
  frame = kc_frame_new (run, in);
  if (self == NULL) {
    kc_case_fail_error (run, error);
  } else if (frame != NULL) {
    g_autofree gfloat *ours = run_ours (run, self, frame);
    g_autofree gfloat *theirs = kc_dlib_fhog (in, &columns, &rows);
    gdouble most = 0, mean = 0;
    guint n = 0, n_far = 0;

    mgpu_fhog_get_levels (self, &levels);
    if (columns != levels[0].columns || rows != levels[0].rows)
      kc_case_fail (run, "dlib has %d x %d cells, we have %d x %d", columns,
          rows, levels[0].columns, levels[0].rows);
    for (gint y = 1; ours != NULL && y < MIN (rows, levels[0].rows) - 1; y++)
      for (gint x = 1; x < MIN (columns, levels[0].columns) - 1; x++)
        for (gint i = 0; i < 31; i++) {
          gdouble d = fabs (ours[((gsize) levels[0].offset
                      + y * levels[0].columns + x) * FEATURES + i]
              - theirs[((gsize) y * columns + x) * 31 + i]);

          most = MAX (most, d);
          mean += d;
          n_far += d > 1e-3;
          n++;
        }
    if (run->peers)
      g_print ("  dlib, %s %dx%d, %s: %u features, %.2g apart at most, %.2g on "
          "average, %u more than 0.001\n", GST_VIDEO_INFO_NAME (&info), width,
          height, kc_content_name (content), n, most, mean / n, n_far);
    if (n == 0 || n_far > 0)
      kc_case_fail (run, "%u of %u features are more than 0.001 apart, %g at "
          "most", n_far, n, most);
  }
  g_clear_pointer (&self, mgpu_object_free);
  kc_case_end (run);
}
#endif

static void
check (KcRun * run)
{
  guint n_fixed = run->quick ? N_QUICK : G_N_ELEMENTS (fixed);
  guint n_random = run->quick ? 1 : 12;
  KcRandom random;

  kc_random_init (&random, 1);
  for (guint i = 0; i < n_fixed && kc_goes_on (run); i++) {
    Case c = { KC_FIXED, formats[i % G_N_ELEMENTS (formats)], fixed[i].width,
      fixed[i].height, i % KC_N_CONTENTS, i % KC_N_LAYOUTS, fixed[i].params
    };

    check_case (run, &c, &random);
  }

  kc_random_init (&random, run->seed);
  for (guint i = 0; i < n_random && kc_goes_on (run); i++) {
    Case c = {.kind = KC_RANDOM };
    gint most = run->quick ? 12 : 250;

    c.format = formats[kc_random_below (&random, run->quick ? 2
            : G_N_ELEMENTS (formats))];
    c.width = 20 + kc_random_below (&random, most);
    c.height = 20 + kc_random_below (&random, most);
    c.content = kc_random_below (&random, KC_CONTENT_NATURAL + 1);
    c.layout = kc_random_below (&random, KC_N_LAYOUTS);
    c.params.cell_size = 8;
    c.params.interval = 1 + kc_random_below (&random, run->quick ? 2 : 12);
    c.params.extra_octave = kc_random_below (&random, 2);
    c.params.pad_x = kc_random_below (&random, 9);
    c.params.pad_y = kc_random_below (&random, 9);
    c.params.resize = kc_random_below (&random, 2);
    c.params.whole_cells = !c.params.extra_octave
        && kc_random_below (&random, 3) == 0;
    check_case (run, &c, &random);
  }
#ifdef HAVE_DLIB
  if (!run->quick || run->peers) {
    compare_dlib (run, GST_VIDEO_FORMAT_GRAY8, 640, 480, KC_CONTENT_NATURAL);
    /* Gives dlib blue as its red, because when channels have equal gradients, dlib selects the last
     * channel and this project the first. */
    compare_dlib (run, GST_VIDEO_FORMAT_BGR, 640, 480, KC_CONTENT_NATURAL);
    compare_dlib (run, GST_VIDEO_FORMAT_GRAY8, 333, 222, KC_CONTENT_RANDOM);
  }
#endif
}

/* ---- Timing and peers (other libraries) ------------------------------------- */

typedef struct
{
  KcRun *run;
  MgpuFhog *self;
  KcPicture *in;
  KcFrame *frame;
  GstMgpuMemory *features;
} Bench;

static gdouble
time_ours (gpointer data)
{
  Bench *bench = data;
  KcRun *run = bench->run;
  guint64 before = kc_device_time (run);
  GstMgpuJob job;

  gst_mgpu_job_begin (&job, run->queue, run->stats);
  mgpu_fhog_enqueue (bench->self, &job, &bench->frame->image, bench->features);
  return kc_finish (run, &job, bench->features, before);
}

#ifdef HAVE_DLIB
static gdouble
time_dlib (gpointer data)
{
  Bench *bench = data;
  gint columns, rows;

  g_free (kc_dlib_fhog (bench->in, &columns, &rows));
  return -1;
}
#endif

static void
bench_size (KcRun * run, const gchar * text, const MgpuFhogParams * params,
    GstVideoFormat format, gint width, gint height, gboolean has_peer)
{
  g_autofree gchar *what = g_strdup_printf ("fhog %s %s %dx%d", text,
      gst_video_format_to_string (format), width, height);
  Bench bench = { run, NULL, };
  GError *error = NULL;

  kc_case_begin (run, KC_RANDOM, "%s", what);
  bench.in = kc_picture_bench (format, width, height);
  bench.self = mgpu_fhog_new (run->context, &bench.in->info, params, &error);
  if (bench.self != NULL) {
    gsize size = mgpu_fhog_get_size (bench.self);
    gpointer zeros = g_malloc0 (size);

    bench.frame = kc_frame_new (run, bench.in);
    bench.features = kc_memory_new (run, zeros, size);
    g_free (zeros);
  } else {
    kc_case_fail_error (run, error);
  }
  if (bench.frame != NULL && bench.features != NULL) {
    const KcContestant contestants[] = {
      {"ours", time_ours, &bench, NULL, {bench.features}},
#ifdef HAVE_DLIB
      {"dlib", time_dlib, &bench},
#endif
    };

    kc_bench (run, what, contestants,
        run->peers && has_peer ? G_N_ELEMENTS (contestants) : 1);
  }
  kc_memory_free (bench.features);
  kc_frame_free (bench.frame);
  g_clear_pointer (&bench.self, mgpu_object_free);
  kc_picture_free (bench.in);
  kc_case_end (run);
}

static void
bench (KcRun * run)
{
  const MgpuFhogParams all = { 8, 10, 0, FALSE, 0, 0, MGPU_FHOG_AREA, FALSE };
  const MgpuFhogParams linear =
      { 8, 10, 0, FALSE, 0, 0, MGPU_FHOG_LINEAR, FALSE };

  bench_size (run, "one level", &one_level, GST_VIDEO_FORMAT_RGB, 640, 480,
      TRUE);
  bench_size (run, "one level", &one_level, GST_VIDEO_FORMAT_RGB, 1920, 1080,
      TRUE);
  bench_size (run, "pyramid", &all, GST_VIDEO_FORMAT_RGB, 600, 480, FALSE);
  bench_size (run, "pyramid, linear", &linear, GST_VIDEO_FORMAT_RGB, 600, 480,
      FALSE);
  bench_size (run, "pyramid", &all, GST_VIDEO_FORMAT_RGBx, 640, 480, FALSE);
}

const KcFunction kc_fhog = { "fhog", check, bench };
