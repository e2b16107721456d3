/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks the search for people, and compares its results and its time with OpenCV's. */
#include "kernelcheck.h"
#include "peers.h"
#include <gst/vision/people/people.h>
#include <gst/vision/people/people-plan.h>
#include <kernels/people/people-shared.h>
#include "../reference/people.h"

#include <math.h>
#include <string.h>

typedef struct
{
  KcKind kind;
  GstVideoFormat format;
  gint width, height;
  KcContent content;
  KcLayout layout;
  gdouble threshold;
  const MgpuPeopleWindow *window;
} Case;

static const GstVideoFormat formats[] = {
  GST_VIDEO_FORMAT_RGBx, GST_VIDEO_FORMAT_BGR, GST_VIDEO_FORMAT_ABGR,
  GST_VIDEO_FORMAT_xRGB, GST_VIDEO_FORMAT_BGRA
};

/* The first three cases are small enough for emulators. */
static const gint sizes[][2] = {
  {77, 139}, {64, 128}, {63, 200}, {1, 1}, {203, 151}, {137, 260}, {328, 241},
  {640, 300}, {65, 400}
};

/* Memory on the device, and its content */
typedef struct
{
  gsize scores_size, hits_size;
  GstMgpuMemory *scores, *hits;
  gfloat *got_scores;
} Tables;

static gboolean
tables_init (Tables * tables, KcRun * run, MgpuPeople * self)
{
  gpointer hits;

  mgpu_people_get_sizes (self, &tables->scores_size, &tables->hits_size);
  tables->got_scores = g_malloc (tables->scores_size);
  memset (tables->got_scores, 0xa5, tables->scores_size);
  tables->scores = kc_memory_new (run, tables->got_scores, tables->scores_size);
  hits = g_malloc (tables->hits_size);
  memset (hits, 0xa5, tables->hits_size);
  tables->hits = kc_memory_new (run, hits, tables->hits_size);
  g_free (hits);
  return tables->scores != NULL && tables->hits != NULL;
}

static void
tables_clear (Tables * tables)
{
  kc_memory_free (tables->scores);
  kc_memory_free (tables->hits);
  g_free (tables->got_scores);
}

static void
enqueue (MgpuPeople * self, KcRun * run, gdouble threshold,
    const MgpuPeoplePlaces * places, KcFrame * frame, Tables * tables)
{
  GstMgpuJob job;

  gst_mgpu_job_begin (&job, run->queue, run->stats);
  mgpu_people_enqueue (self, &job, threshold, places, &frame->image,
      tables->scores, tables->hits);
  kc_end_job (run, &job);
}

static GArray *
read_hits (MgpuPeople * self, KcRun * run, gdouble threshold, Tables * tables)
{
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (MgpuScoredBox));
  g_autoptr (GArray) windows = mgpu_people_get_windows (self);
  GError *error = NULL;

  if (!mgpu_people_read (self, windows, threshold, tables->scores,
          tables->hits, boxes, &error))
    kc_case_fail_error (run, error);
  return boxes;
}

/* ---- Comparison with the reference --------------------------------------------- */

/* Returns: the search windows whose scores reach @threshold */
static GArray *
make_hits (const RefPeople * people, const MgpuPeopleWindow * window,
    gfloat threshold)
{
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (MgpuScoredBox));

  for (gint i = 0; i < people->n_levels; i++) {
    const RefPeopleLevel *l = people->levels + i;

    for (gint y = 0; y < l->rows; y++)
      for (gint x = 0; x < l->columns; x++) {
        MgpuScoredBox box = { rint (8 * x * l->scale), rint (8 * y * l->scale),
          rint (8 * (window->columns + 1) * l->scale),
          rint (8 * (window->rows + 1) * l->scale),
          l->scores[y * l->columns + x]
        };

        if (box.score >= threshold)
          g_array_append_val (boxes, box);
      }
  }
  return boxes;
}

static void
compare_hits (KcRun * run, const GArray * want, const GArray * got)
{
  if (want->len != got->len) {
    kc_case_fail (run, "%u hits instead of %u", got->len, want->len);
  } else if (want->len > 0) {
    KcArray want_hits = { "hits", KC_U32, want->data, sizeof (MgpuScoredBox), 4,
      5, want->len
    };
    KcArray got_hits = want_hits;

    got_hits.data = got->data;
    kc_compare_array (run, &want_hits, &got_hits);
  }
}

static void
compare (KcRun * run, MgpuPeople * self, const Case * c,
    const RefPeople * want, const GArray * got_hits, const Tables * tables)
{
  const MgpuPeopleLevel *levels;
  gint n = mgpu_people_get_levels (self, &levels);
  g_autoptr (GArray) hits = make_hits (want, c->window, c->threshold);

  if (n != want->n_levels)
    kc_case_fail (run, "%d levels instead of %d", n, want->n_levels);
  for (gint i = 0; i < MIN (n, want->n_levels) && kc_goes_on (run); i++) {
    const RefPeopleLevel *l = want->levels + i;
    g_autofree gchar *name = g_strdup_printf ("scores of level %d", i);
    KcArray want_scores = { name, KC_F32, l->scores, l->columns * 4, 4,
      l->columns, l->rows
    };
    KcArray got_scores = want_scores;

    if (levels[i].columns != l->columns || levels[i].rows != l->rows
        || levels[i].scale != l->scale)
      kc_case_fail (run, "level %d has %d x %d windows instead of %d x %d", i,
          levels[i].columns, levels[i].rows, l->columns, l->rows);
    got_scores.data = tables->got_scores + levels[i].first;
    got_scores.stride = levels[i].pitch * 4;
    kc_compare_array (run, &want_scores, &got_scores);
  }
  compare_hits (run, hits, got_hits);
}

/* Regions of a frame, some of which lie outside it, and limits of heights */
static void
random_places (MgpuPeoplePlaces * places, const Case * c, KcRandom * random)
{
  static const guint numbers[] = { 1, 0, 3, 1, 2, 50, 1000 };
  GArray *regions = g_array_new (FALSE, TRUE, sizeof (MgpuScoredBox));
  guint n = numbers[kc_random_below (random, G_N_ELEMENTS (numbers))];

  for (guint i = 0; i < n; i++) {
    MgpuScoredBox box = {
      .x = (gint) kc_random_below (random, c->width + 100) - 50,
      .y = (gint) kc_random_below (random, c->height + 100) - 50,
      .width = kc_random_below (random, n > 3 ? 20 : 150),
      .height = kc_random_below (random, n > 3 ? 20 : 150)
    };

    g_array_append_val (regions, box);
  }
  places->regions = regions;
  places->min_height = kc_random_below (random, 2) * 110;
  places->max_height = kc_random_below (random, 2) * 150;
}

/* Checks that the hits in regions are those hits of the whole frame that lie in the regions. */
static void
check_places (KcRun * run, MgpuPeople * self, const Case * c, KcFrame * frame,
    const RefPeople * people, KcRandom * random)
{
  for (guint i = 0; i < 4 && kc_goes_on (run); i++) {
    GArray *want = make_hits (people, c->window, c->threshold), *got;
    Tables tables = { 0, };
    MgpuPeoplePlaces places;
    guint n = 0;

    random_places (&places, c, random);
    for (guint k = 0; k < want->len; k++) {
      const MgpuScoredBox *box = &g_array_index (want, MgpuScoredBox, k);
      guint height = rint (box->height * c->window->object_height);

      if (height >= places.min_height
          && (places.max_height == 0 || height <= places.max_height))
        g_array_index (want, MgpuScoredBox, n++) = *box;
    }
    g_array_set_size (want, n);
    mgpu_boxes_keep_inside (want, places.regions);
    if (tables_init (&tables, run, self)) {
      enqueue (self, run, c->threshold, &places, frame, &tables);
      got = read_hits (self, run, c->threshold, &tables);
      mgpu_boxes_keep_inside (got, places.regions);
      compare_hits (run, want, got);
      g_array_unref (got);
    }
    tables_clear (&tables);
    g_array_unref (want);
    g_array_unref ((GArray *) places.regions);
  }
}

static void
check_frame (KcRun * run, MgpuPeople * self, const Case * c,
    const KcPicture * in, KcRandom * random)
{
  g_autoptr (KcFrame) frame = kc_frame_new (run, in);
  const RefPeopleWindow window = { c->window->columns, c->window->rows,
    c->window->has_roots, c->window->max_levels, c->window->weights
  };
  Tables tables = { 0, };
  RefPeople want;

  if (frame != NULL && tables_init (&tables, run, self)) {
    RefPlane rgb[3] = { kc_picture_plane (in, 0), kc_picture_plane (in, 1),
      kc_picture_plane (in, 2)
    };

    enqueue (self, run, c->threshold, NULL, frame, &tables);
    if (!ref_people (rgb, &window, &want)) {
      kc_case_fail (run, "no memory for the reference");
    } else {
      g_autoptr (GArray) hits = read_hits (self, run, c->threshold, &tables);

      if (kc_memory_read (run, tables.scores, tables.got_scores))
        compare (run, self, c, &want, hits, &tables);
      if (c->kind == KC_RANDOM)
        check_places (run, self, c, frame, &want, random);
      ref_people_clear (&want);
    }
  }
  tables_clear (&tables);
}

static void
check_case (KcRun * run, const Case * c, KcRandom * random)
{
  GError *error = NULL;
  GstVideoInfo info;
  MgpuPeople *self;
  g_autoptr (KcPicture) in = NULL;

  gst_video_info_set_format (&info, c->format, c->width, c->height);
  in = kc_picture_make (&info, c->layout, c->content, random);
  kc_case_begin (run, c->kind, "%s %dx%d, strides %s, %s, threshold %g, window "
      "of %d x %d blocks", GST_VIDEO_INFO_NAME (&info), c->width, c->height,
      kc_picture_strides (in), kc_content_name (c->content), c->threshold,
      c->window->columns, c->window->rows);

  self = mgpu_people_new (run->context, &info, c->window, &error);
  if (self != NULL) {
    check_frame (run, self, c, in, random);
    mgpu_object_free (self);
  } else {
    kc_case_fail_error (run, error);
  }
  kc_case_end (run);
}

/* Checks search windows of other sizes than the people detector's, with random weights, and samples
 * without square roots. */
static void
check_windows (KcRun * run, KcKind kind, guint n, KcRandom * random)
{
  static const gint sides[][2] = { {5, 11}, {1, 1}, {7, 15}, {16, 3}, {2, 24} };

  for (guint i = 0; i < n && kc_goes_on (run); i++) {
    gint columns = 1 + kc_random_below (random, 20);
    gint rows = 1 + kc_random_below (random, 20);
    MgpuPeopleWindow window = { columns, rows, i % 3 == 2, 1 + i % 5, 0.5, 0.75
    };
    Case c = { kind, formats[i % G_N_ELEMENTS (formats)],.content =
          i % KC_N_CONTENTS,.layout = i % KC_N_LAYOUTS,.window = &window
    };
    g_autofree gfloat *weights = NULL;
    guint n_weights;

    if (i < G_N_ELEMENTS (sides)) {
      window.columns = sides[i][0];
      window.rows = sides[i][1];
    }
    n_weights = MGPU_PEOPLE_N_WEIGHTS (window.columns, window.rows);
    weights = g_new (gfloat, n_weights);
    for (guint k = 0; k < n_weights; k++)
      weights[k] = (kc_random_below (random, 2001) - 1000.0) / 8192;
    window.weights = weights;
    c.width = 8 * (window.columns + 1) + kc_random_below (random, 30);
    c.height = 8 * (window.rows + 1) + kc_random_below (random, 30);
    check_case (run, &c, random);
  }
}

#ifdef HAVE_OPENCV
/* ---- Against OpenCV ---------------------------------------------------------- */

/* Sets @window to the search window of OpenCV's people detector or, if @is_daimler is set, of
 * Daimler's, with the weights from OpenCV in this project's order. The caller frees the weights. */
static void
make_window (gboolean is_daimler, MgpuPeopleWindow * window)
{
  gint columns = is_daimler ? 5 : 7, rows = is_daimler ? 11 : 15;
  guint n = MGPU_PEOPLE_N_WEIGHTS (columns, rows);
  gfloat *theirs = g_new (gfloat, n), *ours = g_new (gfloat, n);

  kc_opencv_people_weights (is_daimler, theirs);
  /* OpenCV's weights are ordered by columns of blocks. */
  for (gint y = 0; y < rows; y++)
    for (gint i = 0; i < 36; i++)
      for (gint x = 0; x < columns; x++)
        ours[(y * 36 + i) * columns + x] = theirs[(x * rows + y) * 36 + i];
  ours[n - 1] = theirs[n - 1];
  *window = (MgpuPeopleWindow) {
  columns, rows, !is_daimler, 64, 1, 1,.weights = ours};
  g_free (theirs);
}

static void
check_weights (KcRun * run)
{
  MgpuPeopleWindow window;
  KcArray want = { "weights", KC_F32, NULL, 0, 4, MGPU_PEOPLE_N_WEIGHTS (7, 15),
    1
  };
  KcArray got = want;

  kc_case_begin (run, KC_RANDOM, "weights");
  make_window (FALSE, &window);
  want.data = window.weights;
  got.data = mgpu_people_default.weights;
  kc_compare_array (run, &want, &got);
  g_free ((gpointer) window.weights);
  kc_case_end (run);
}

/* Returns how many hits of @a are also in @b, and the largest difference of their scores. @edge:
 * hits whose scores are within this distance of the threshold of 0 are left out if they have no
 * counterpart */
static guint
count_shared (const GArray * a, const GArray * b, gdouble edge,
    gdouble * most, guint * n)
{
  guint shared = 0;

  *n = 0;
  for (guint i = 0; i < a->len; i++) {
    const MgpuScoredBox *p = &g_array_index (a, MgpuScoredBox, i);
    guint j;

    for (j = 0; j < b->len; j++) {
      const MgpuScoredBox *q = &g_array_index (b, MgpuScoredBox, j);

      if (p->x == q->x && p->y == q->y && p->width == q->width
          && p->height == q->height)
        break;
    }
    if (j < b->len) {
      *most = MAX (*most, fabsf (p->score - g_array_index (b, MgpuScoredBox,
                  j).score));
      shared++;
    }
    *n += j < b->len || p->score > edge;
  }
  return shared;
}

/* Numbers of search windows and boxes that this project and OpenCV found in some frames */
typedef struct
{
  guint hits, shared_hits, boxes, shared_boxes;
  gdouble most;
} Agreement;

static void
compare_frame (KcRun * run, MgpuPeople * self, gboolean is_daimler,
    const KcPicture * in, Agreement * sum)
{
  g_autoptr (KcFrame) frame = kc_frame_new (run, in);
  Tables tables = { 0, };

  if (frame != NULL && tables_init (&tables, run, self)) {
    g_autoptr (GArray) their_hits =
        g_array_new (FALSE, FALSE, sizeof (MgpuScoredBox));
    g_autoptr (GArray) their_boxes =
        g_array_new (FALSE, FALSE, sizeof (MgpuScoredBox));
    GArray *ours, *clipped;
    gdouble most = 0;
    guint n[2];

    enqueue (self, run, 0, NULL, frame, &tables);
    ours = read_hits (self, run, 0, &tables);
    kc_opencv_people (in, is_daimler, 0, their_hits, their_boxes);
    /* Clips the windows, as OpenCV's are clipped. */
    clipped = g_array_copy (ours);
    mgpu_boxes_clip (clipped, in->info.width, in->info.height);
    sum->shared_hits += count_shared (clipped, their_hits, 1e-3, &sum->most,
        &n[0]);
    sum->shared_hits += count_shared (their_hits, clipped, 1e-3, &sum->most,
        &n[1]);
    g_array_unref (clipped);
    sum->hits += n[0] + n[1];

    mgpu_boxes_group (ours, 2);
    mgpu_boxes_clip (ours, in->info.width, in->info.height);
    sum->shared_boxes += count_shared (ours, their_boxes, -1, &most, &n[0]);
    sum->shared_boxes += count_shared (their_boxes, ours, -1, &most, &n[1]);
    sum->boxes += n[0] + n[1];
    g_array_unref (ours);
  }
  tables_clear (&tables);
}

static void
compare_opencv (KcRun * run, gboolean is_daimler)
{
  const gchar *name = is_daimler ? "Daimler's window" : "window";
  guint step = run->peers ? 20 : 100, most = run->peers ? 39 : 3;
  g_autoptr (GPtrArray) pictures = kc_video_load ("vtest.avi",
      GST_VIDEO_FORMAT_BGR, 0, 0, step, most);
  GError *error = NULL;
  Agreement sum = { 0, };
  MgpuPeopleWindow window;
  MgpuPeople *self;

  if (pictures->len > 0) {
    const KcPicture *first = pictures->pdata[0];

    kc_case_begin (run, KC_RANDOM, "OpenCV, %s, %u frames of vtest.avi",
        name, pictures->len);
    make_window (is_daimler, &window);
    self = mgpu_people_new (run->context, &first->info, &window, &error);
    if (self == NULL)
      kc_case_fail_error (run, error);
    for (guint i = 0; self != NULL && i < pictures->len; i++)
      compare_frame (run, self, is_daimler, pictures->pdata[i], &sum);
    if (run->peers)
      g_print
          ("  %s, %u frames of vtest.avi: windows of OpenCV and ours, shared "
          "%u of %u, scores at most %.2g apart; boxes, shared %u of %u\n", name,
          pictures->len, sum.shared_hits, sum.hits, sum.most, sum.shared_boxes,
          sum.boxes);
    if (sum.hits == 0 || sum.shared_hits < sum.hits || sum.most > 1e-3
        || sum.shared_boxes < 0.99 * sum.boxes)
      kc_case_fail (run,
          "%u of %u windows and %u of %u boxes are the same, "
          "scores differ by %g", sum.shared_hits, sum.hits, sum.shared_boxes,
          sum.boxes, sum.most);
    g_clear_pointer (&self, mgpu_object_free);
    g_free ((gpointer) window.weights);
    kc_case_end (run);
  }
}
#endif

/* Returns: the number of columns of all spans in a list of a search plan */
static gsize
count_columns (const MgpuPeoplePlan * plan, MgpuPeopleList list)
{
  gsize sum = 0;

  for (guint i = 0; i < plan->batches->len; i++) {
    const MgpuPeopleRows *rows = g_array_index (plan->batches,
        MgpuPeopleBatch, i).rows + list;
    const gint *span = &g_array_index (plan->lists, gint, rows->begin);

    for (guint k = 0; k < rows->n; k++, span += PEOPLE_SPAN)
      sum += span[SPAN_END] - span[SPAN_BEGIN];
  }
  return sum;
}

/* Checks how much of a frame is computed for a region in its middle that has a tenth of its pixels:
 * at most what the search windows cover whose middle lies in the region. */
static void
check_work (KcRun * run)
{
  static const struct
  {
    gint width, height;
    gdouble most[MGPU_PEOPLE_N_LISTS];  /* maximum fractions of the work for the whole frame */
  } cases[] = {
    {640, 480, {0.37, 0.34, 0.33, 0.27, 0.2}},
    {1920, 1080, {0.21, 0.2, 0.2, 0.16, 0.14}}
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases) && kc_goes_on (run); i++) {
    gint width = cases[i].width, height = cases[i].height;
    MgpuPeoplePlan plan = {.width = width,.height = height,.window =
          mgpu_people_default,.lanes = 1,.row_step = 4
    };
    MgpuScoredBox box = { width * 0.342, height * 0.342, width * 0.316,
      height * 0.316
    };
    g_autoptr (GArray) regions =
        g_array_new (FALSE, FALSE, sizeof (MgpuScoredBox));
    const MgpuPeoplePlaces places = { regions, 0, 0 };
    gsize all[MGPU_PEOPLE_N_LISTS];

    g_array_append_val (regions, box);
    kc_case_begin (run, KC_RANDOM, "work for a region of %dx%d", width, height);
    if (!mgpu_people_plan_init (&plan, 0, NULL))
      kc_case_fail (run, "no plan");
    for (guint k = 0; k < MGPU_PEOPLE_N_LISTS; k++)
      all[k] = count_columns (&plan, k);
    mgpu_people_plan_find (&plan, &places);
    for (guint k = 0; k < MGPU_PEOPLE_N_LISTS; k++) {
      gdouble share = (gdouble) count_columns (&plan, k) / all[k];

      if (share <= 0 || share > cases[i].most[k])
        kc_case_fail (run, "list %u has %.3f of the frame's work, more than "
            "%.3f", k, share, cases[i].most[k]);
    }
    kc_case_end (run);
    mgpu_people_plan_clear (&plan);
  }
}

static void
check (KcRun * run)
{
  static const gdouble thresholds[] = { -2, 0, -100, -1, 1 };
  guint n_sizes = run->quick ? 3 : G_N_ELEMENTS (sizes);
  guint n_random = run->quick ? 1 : 12;
  KcRandom random;

  kc_random_init (&random, 1);
  for (guint i = 0; i < n_sizes && kc_goes_on (run); i++) {
    Case c = { KC_FIXED, formats[i % G_N_ELEMENTS (formats)], sizes[i][0],
      sizes[i][1], i % KC_N_CONTENTS, i % KC_N_LAYOUTS, thresholds[i % 5],
      &mgpu_people_default
    };

    check_case (run, &c, &random);
  }

  check_windows (run, KC_FIXED, run->quick ? 2 : 5, &random);

  kc_random_init (&random, run->seed);
  check_windows (run, KC_RANDOM, run->quick ? 0 : 4, &random);
  for (guint i = 0; i < n_random && kc_goes_on (run); i++) {
    Case c = {.kind = KC_RANDOM,.window = &mgpu_people_default };

    c.format = formats[kc_random_below (&random, G_N_ELEMENTS (formats))];
    c.width = 60 + kc_random_below (&random, run->quick ? 25 : 300);
    c.height = 125 + kc_random_below (&random, run->quick ? 20 : 200);
    c.content = kc_random_below (&random, KC_CONTENT_NATURAL + 1);
    c.layout = kc_random_below (&random, KC_N_LAYOUTS);
    c.threshold = thresholds[kc_random_below (&random, 5)];
    check_case (run, &c, &random);
  }
  check_work (run);
#ifdef HAVE_OPENCV
  check_weights (run);
  if (!run->quick || run->peers)
    for (guint i = 0; i < 2; i++)
      compare_opencv (run, i);
#endif
}

/* ---- Timing and peers (other libraries) ------------------------------------- */

typedef struct
{
  KcRun *run;
  /* Searches whole frames, and a region of them; lists of work are recomputed only where a stream
   * would recompute them. */
  MgpuPeople *whole, *part;
  KcPicture *in;
  KcFrame *frame;
  Tables tables;
  GArray *regions;              /* a moving region of a tenth of the frame */
} Bench;

static gboolean
bench_init (Bench * bench, KcRun * run, GstVideoFormat format, gint width,
    gint height)
{
  GError *error = NULL;

  MgpuScoredBox region = { width / 4, height / 3, width / 4, height * 2 / 5 };

  memset (bench, 0, sizeof (*bench));
  bench->run = run;
  bench->regions = g_array_new (FALSE, FALSE, sizeof (MgpuScoredBox));
  g_array_append_val (bench->regions, region);
  bench->in = kc_picture_bench (format, width, height);
  bench->whole = mgpu_people_new (run->context, &bench->in->info,
      &mgpu_people_default, &error);
  if (bench->whole != NULL)
    bench->part = mgpu_people_new (run->context, &bench->in->info,
        &mgpu_people_default, &error);
  if (bench->part == NULL) {
    kc_case_fail_error (run, error);
    return FALSE;
  }
  bench->frame = kc_frame_new (run, bench->in);
  return bench->frame != NULL
      && tables_init (&bench->tables, run, bench->whole);
}

static void
bench_clear (Bench * bench)
{
  tables_clear (&bench->tables);
  g_array_unref (bench->regions);
  kc_frame_free (bench->frame);
  g_clear_pointer (&bench->whole, mgpu_object_free);
  g_clear_pointer (&bench->part, mgpu_object_free);
  kc_picture_free (bench->in);
}

/* Measures the time from the frame to the boxes of people. Returns: the device's time */
static gdouble
time_places (Bench * bench, MgpuPeople * self, const MgpuPeoplePlaces * places)
{
  KcRun *run = bench->run;
  guint64 before = kc_device_time (run);
  g_autoptr (GArray) boxes = NULL;

  enqueue (self, run, 0, places, bench->frame, &bench->tables);
  boxes = read_hits (self, run, 0, &bench->tables);
  mgpu_boxes_group (boxes, 2);
  return kc_device_time_since (run, before);
}

static gdouble
time_ours (gpointer data)
{
  Bench *bench = data;

  return time_places (bench, bench->whole, NULL);
}

static gdouble
time_region (gpointer data)
{
  Bench *bench = data;
  const MgpuPeoplePlaces places = { bench->regions, 0, 0 };

  g_array_index (bench->regions, MgpuScoredBox, 0).x ^= 1;
  return time_places (bench, bench->part, &places);
}

#ifdef HAVE_OPENCV
static gdouble
time_opencv (gpointer data)
{
  Bench *bench = data;

  return kc_opencv_people (bench->in, FALSE, 0, NULL, NULL);
}
#endif

#define KC_PEOPLE "h = cv2.HOGDescriptor(); " \
  "h.setSVMDetector(cv2.HOGDescriptor.getDefaultPeopleDetector())"

static void
bench_size (KcRun * run, GstVideoFormat format, gint width, gint height)
{
  const gchar *name = gst_video_format_to_string (format);
  Bench bench;

  kc_case_begin (run, KC_RANDOM, "bench %s %dx%d", name, width, height);
  if (bench_init (&bench, run, format, width, height)) {
    g_autofree gchar *what =
        g_strdup_printf ("people %s %dx%d", name, width, height);
    KcPython python = {.a = kc_python_plane (bench.in, 0) };
    const KcContestant contestants[] = {
      {"ours", time_ours, &bench, &python},
      {"a tenth", time_region, &bench},
#ifdef HAVE_OPENCV
      {"OpenCV", time_opencv, &bench},
#endif
    };

    kc_python_set (&python, format == GST_VIDEO_FORMAT_GRAY8
        ? KC_PEOPLE : KC_PYTHON_BGR KC_PEOPLE, "h.detectMultiScale(a)");
    kc_bench (run, what, contestants,
        run->peers ? G_N_ELEMENTS (contestants) : 2);
    kc_python_clear (&python);
  }
  bench_clear (&bench);
  kc_case_end (run);
}

static void
bench (KcRun * run)
{
  bench_size (run, GST_VIDEO_FORMAT_BGR, 640, 480);
  bench_size (run, GST_VIDEO_FORMAT_GRAY8, 640, 480);
  bench_size (run, GST_VIDEO_FORMAT_BGR, 1920, 1080);
}

const KcFunction kc_people = { "people", check, bench };
