/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Compares the search of whole frames with part models, and its time, with OpenCV. */
#include "dpm-search.h"
#include "peers.h"
#include <gst/models/dpm-load.h>
#include <gst/vision/dpm/dpm.h>

#include <math.h>

/* Holds all objects that a search needs. */
typedef struct
{
  KcRun *run;
  MgpuDpmModel *model;
  gfloat threshold;
  gboolean cascade;
  MgpuFhog *fhog;
  MgpuDpm *dpm;
  GstMgpuMemory *features, *scores, *hits;

  const KcPicture *in;
  KcFrame *frame;
} Search;

static GstMgpuMemory *
make_memory (KcRun * run, gsize size)
{
  gpointer zeros = g_malloc0 (size);
  GstMgpuMemory *memory = kc_memory_new (run, zeros, size);

  g_free (zeros);
  return memory;
}

static void
search_clear (Search * search)
{
  kc_memory_free (search->features);
  kc_memory_free (search->scores);
  kc_memory_free (search->hits);
  g_clear_pointer (&search->dpm, mgpu_object_free);
  g_clear_pointer (&search->fhog, mgpu_object_free);
  g_clear_pointer (&search->model, mgpu_dpm_model_free);
}

/* Prepares the search in frames of the format and size of @info. If that fails, prints why, and
 * returns FALSE. */
static gboolean
search_init (Search * search, KcRun * run, const GstVideoInfo * info)
{
  MgpuFhogPyramid pyramid = { NULL, };
  const MgpuDpmModel *models[1];
  GError *error = NULL;
  gsize scores, hits;

  *search = (Search) {
  .run = run,.model = mgpu_dpm_model_load (KC_MODEL, &error),};
  models[0] = search->model;
  if (search->model != NULL) {
    search->threshold = search->model->threshold;
    pyramid.params = mgpu_dpm_choose_params (models, 1);
    search->fhog = mgpu_fhog_new (run->context, info, &pyramid.params, &error);
  }
  if (search->fhog != NULL) {
    pyramid.n_levels = mgpu_fhog_get_levels (search->fhog, &pyramid.levels);
    search->dpm = mgpu_dpm_new (run->context, models, 1, &pyramid, &error);
  }
  if (search->dpm == NULL) {
    kc_case_fail_error (run, error);
    search_clear (search);
    return FALSE;
  }
  mgpu_dpm_get_sizes (search->dpm, &scores, &hits);
  search->features = make_memory (run, mgpu_fhog_get_size (search->fhog));
  search->scores = make_memory (run, scores);
  search->hits = make_memory (run, hits);
  return search->features != NULL && search->scores != NULL
      && search->hits != NULL;
}

/* Returns: (nullable): boxes as the element attaches them */
static GArray *
find (Search * search)
{
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (MgpuScoredBox));
  KcRun *run = search->run;
  MgpuDpmPlaces places;
  GError *error = NULL;
  GstMgpuJob job;

  mgpu_dpm_get_places (search->dpm, &places);
  gst_mgpu_job_begin (&job, run->queue, run->stats);
  mgpu_fhog_enqueue (search->fhog, &job, &search->frame->image,
      search->features);
  mgpu_dpm_enqueue (search->dpm, &job, search->cascade, &search->threshold,
      search->features, search->scores, search->hits);
  if (!gst_mgpu_job_end (&job, &error)
      || !mgpu_dpm_read (search->dpm, &places, &search->threshold,
          search->scores, search->hits, boxes, &error)) {
    kc_case_fail_error (run, error);
    g_clear_pointer (&boxes, g_array_unref);
  }
  mgpu_dpm_places_clear (&places);
  if (boxes == NULL)
    return NULL;
  mgpu_boxes_clip (boxes, GST_VIDEO_INFO_WIDTH (&search->in->info),
      GST_VIDEO_INFO_HEIGHT (&search->in->info));
  mgpu_boxes_sort (boxes);
  mgpu_boxes_suppress (boxes, 0.5);
  return boxes;
}

#ifdef HAVE_OPENCV_DPM
/* ---- Against OpenCV ------------------------------------------------------------ */

/* Minimum overlap, the intersection of two boxes divided by their union, with which they count as
 * the same */
#define SAME 0.7

typedef struct
{
  guint ours, theirs, shared;
  gdouble scores, most;         /* differences of scores of shared boxes: their sum, and the
                                 * largest */
  gdouble overlaps;             /* the sum */
} Agreement;

static gdouble
find_overlap (const MgpuScoredBox * a, const MgpuScoredBox * b)
{
  gdouble width = MIN (a->x + a->width, b->x + b->width) - MAX (a->x, b->x);
  gdouble height = MIN (a->y + a->height, b->y + b->height) - MAX (a->y, b->y);
  gdouble both = MAX (width, 0) * MAX (height, 0);

  return both / ((gdouble) a->width * a->height
      + (gdouble) b->width * b->height - both);
}

static void
count_shared (const GArray * ours, const GArray * theirs, Agreement * sum)
{
  sum->ours += ours->len;
  sum->theirs += theirs->len;
  for (guint i = 0; i < theirs->len; i++) {
    const MgpuScoredBox *b = &g_array_index (theirs, MgpuScoredBox, i);
    const MgpuScoredBox *best = NULL;
    gdouble overlap = SAME;

    for (guint j = 0; j < ours->len; j++) {
      const MgpuScoredBox *a = &g_array_index (ours, MgpuScoredBox, j);

      if (find_overlap (a, b) >= overlap) {
        overlap = find_overlap (a, b);
        best = a;
      }
    }
    if (best != NULL) {
      gdouble apart = fabs (best->score - b->score);

      sum->shared++;
      sum->overlaps += overlap;
      sum->scores += apart;
      sum->most = MAX (sum->most, apart);
    }
  }
}

void
kc_dpm_compare (KcRun * run)
{
  g_autoptr (GPtrArray) pictures = kc_video_load ("vtest.avi",
      GST_VIDEO_FORMAT_BGR, 0, 0, 100, run->peers ? 8 : 1);
  Agreement sum = { 0, };
  Search search;

  if (pictures->len > 0 && g_file_test (KC_MODEL, G_FILE_TEST_EXISTS)) {
    const KcPicture *first = pictures->pdata[0];

    kc_case_begin (run, KC_RANDOM, "OpenCV's part models, %u frames of "
        "vtest.avi", pictures->len);
    if (search_init (&search, run, &first->info)) {
      for (guint i = 0; i < pictures->len; i++) {
        g_autoptr (GArray) theirs =
            g_array_new (FALSE, FALSE, sizeof (MgpuScoredBox));
        GArray *ours;

        search.in = pictures->pdata[i];
        search.frame = kc_frame_new (run, search.in);
        ours = search.frame != NULL ? find (&search) : NULL;
        kc_opencv_dpm (KC_MODEL, search.in, theirs);
        if (ours != NULL)
          count_shared (ours, theirs, &sum);
        g_clear_pointer (&ours, g_array_unref);
        kc_frame_free (search.frame);
      }
      search_clear (&search);
    }
    if (run->peers)
      g_print ("  %u frames of vtest.avi: boxes, ours %u, OpenCV's %u, shared "
          "%u, which have %.2f of their area in common; scores %.3f apart on "
          "average, %.3f at most\n", pictures->len, sum.ours, sum.theirs,
          sum.shared, sum.overlaps / MAX (sum.shared, 1),
          sum.scores / MAX (sum.shared, 1), sum.most);
    if (sum.theirs == 0 || sum.shared < 0.9 * MAX (sum.ours, sum.theirs))
      kc_case_fail (run, "of %u boxes, and %u of OpenCV's, %u are the same",
          sum.ours, sum.theirs, sum.shared);
    kc_case_end (run);
  }
}

static gdouble
time_opencv (gpointer data)
{
  Search *search = data;

  return kc_opencv_dpm (KC_MODEL, search->in, NULL);
}
#else
void
kc_dpm_compare (KcRun * run)
{
}
#endif

/* ---- Timing --------------------------------------------------------------------- */

static gdouble
time_ours (gpointer data, gboolean cascade)
{
  Search *search = data;
  KcRun *run = search->run;
  guint64 before = kc_device_time (run);
  GArray *boxes;

  search->cascade = cascade;
  boxes = find (search);
  g_clear_pointer (&boxes, g_array_unref);
  return kc_device_time_since (run, before);
}

static gdouble
time_cascade (gpointer data)
{
  return time_ours (data, TRUE);
}

static gdouble
time_exact (gpointer data)
{
  return time_ours (data, FALSE);
}

static void
bench_size (KcRun * run, gint width, gint height)
{
  g_autoptr (GPtrArray) pictures = kc_video_load ("vtest.avi",
      GST_VIDEO_FORMAT_BGR, width, height, 1, 1);
  Search search;

  if (pictures->len > 0 && g_file_test (KC_MODEL, G_FILE_TEST_EXISTS)) {
    const KcPicture *in = pictures->pdata[0];

    kc_case_begin (run, KC_RANDOM, "bench %dx%d", width, height);
    if (search_init (&search, run, &in->info)) {
      search.in = in;
      search.frame = kc_frame_new (run, in);
      if (search.frame != NULL) {
        g_autofree gchar *what =
            g_strdup_printf ("dpm inriaperson.xml BGR %dx%d", width,
            height);
        const KcContestant contestants[] = {
          {"cascade", time_cascade, &search},
          {"exact", time_exact, &search},
#ifdef HAVE_OPENCV_DPM
          {"OpenCV", time_opencv, &search},
#endif
        };

        kc_bench (run, what, contestants,
            run->peers ? G_N_ELEMENTS (contestants) : 2);
      }
      kc_frame_free (search.frame);
      search_clear (&search);
    }
    kc_case_end (run);
  }
}

void
kc_dpm_bench (KcRun * run)
{
  bench_size (run, 640, 480);
  bench_size (run, 768, 576);
}
