/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests that the host accesses no memory outside its buffers, whatever numbers the device writes,
 * as after a failed kernel or with a faulty driver. */
#include "device.h"

#include <glib/gstdio.h>
#include <gst/models/dpm-load.h>
#include <gst/vision/dpm/dpm.h>
#include <gst/vision/match/match.h>
#include <gst/vision/people/people.h>
#include <kernels/dpm/dpm-shared.h>
#include <kernels/people/people-shared.h>
#include <string.h>

#include "../dpmmodel.h"

/* Allocates device memory of @size bytes, set to 0. */
static GstMgpuMemory *
memory_new (gsize size)
{
  GstMemory *memory = gst_mgpu_memory_new (queue, size, NULL, NULL);
  GstMapInfo map;

  fail_unless (memory != NULL);
  fail_unless (gst_memory_map (memory, &map, GST_MAP_WRITE));
  memset (map.data, 0, size);
  gst_memory_unmap (memory, &map);
  return (GstMgpuMemory *) memory;
}

static void
write_numbers (GstMgpuMemory * memory, gsize first, const gint * numbers,
    gsize n)
{
  GstMapInfo map;

  fail_unless (gst_memory_map (GST_MEMORY_CAST (memory), &map, GST_MAP_WRITE));
  memcpy (map.data + first * sizeof (gint), numbers, n * sizeof (gint));
  gst_memory_unmap (GST_MEMORY_CAST (memory), &map);
}

static void
write_count (GstMgpuMemory * hits, gint n)
{
  write_numbers (hits, 0, &n, 1);
}

static GstVideoInfo
frame_info (void)
{
  GstVideoInfo info;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_GRAY8, 160, 240);
  return info;
}

/* Sets @wrong to numbers that are not valid counts or indices of @n things. */
static void
get_wrong (gint n, gint wrong[4])
{
  wrong[0] = n;
  wrong[1] = -1;
  wrong[2] = G_MAXINT;
  wrong[3] = G_MININT;
}

static guint
count_people (MgpuPeople * people, GstMgpuMemory * scores, GstMgpuMemory * hits)
{
  g_autoptr (GArray) boxes = g_array_new (FALSE, FALSE, sizeof (MgpuScoredBox));
  g_autoptr (GArray) windows = mgpu_people_get_windows (people);
  guint n;

  fail_unless (mgpu_people_read (people, windows, 0.5, scores, hits, boxes,
          NULL));
  n = boxes->len;
  return n;
}

/* Tests that only existing search windows count, whatever the list of hits contains. */
GST_START_TEST (test_people)
{
  GstVideoInfo info = frame_info ();
  MgpuPeople *people = mgpu_people_new (context, &info,
      &mgpu_people_default, NULL);
  const MgpuPeopleLevel *levels;
  GstMgpuMemory *scores, *hits;
  gsize scores_size, hits_size;
  gint n_levels, wrong[4], place = PEOPLE_HIT;

  fail_unless (people != NULL);
  n_levels = mgpu_people_get_levels (people, &levels);
  fail_unless (n_levels > 1);
  mgpu_people_get_sizes (people, &scores_size, &hits_size);
  scores = memory_new (scores_size);
  hits = memory_new (hits_size);
  for (guint i = 0; i < 3; i++) {
    get_wrong (i == 0 ? n_levels : i == 1 ? levels[0].rows : levels[0].columns,
        wrong);
    for (guint j = 0; j < 4; j++, place += PEOPLE_HIT) {
      gint hit[PEOPLE_HIT] = { 0 };

      hit[i] = wrong[j];
      write_numbers (hits, place, hit, PEOPLE_HIT);
    }
  }
  /* The first hit, which was not written, is 0, 0, 0: the first window of the first pyramid
   * level. */
  write_count (hits, place / PEOPLE_HIT);
  fail_unless_equals_int (count_people (people, scores, hits), 1);

  /* If the list counts more hits than it can hold, all scores are read. */
  write_count (hits, G_MAXINT);
  fail_unless_equals_int (count_people (people, scores, hits), 0);
  write_count (hits, G_MININT);
  fail_unless_equals_int (count_people (people, scores, hits), 0);

  gst_memory_unref (GST_MEMORY_CAST (scores));
  gst_memory_unref (GST_MEMORY_CAST (hits));
  mgpu_object_free (people);
}

GST_END_TEST;

/* Returns a model whose root has 2 x 3 cells. */
static MgpuDpmModel *
load_model (void)
{
  g_autofree gchar *path = NULL, *text = make_model ();
  GError *error = NULL;
  gint file = g_file_open_tmp ("mgpu-XXXXXX.xml", &path, NULL);
  MgpuDpmModel *model;

  fail_unless (file >= 0);
  g_close (file, NULL);
  fail_unless (g_file_set_contents (path, text, -1, NULL));
  model = mgpu_dpm_model_load (path, &error);
  fail_unless (model != NULL, "%s", error != NULL ? error->message : "");
  g_remove (path);
  return model;
}

static guint
count_roots (MgpuDpm * dpm, GstMgpuMemory * scores, GstMgpuMemory * hits)
{
  g_autoptr (GArray) boxes = g_array_new (FALSE, FALSE, sizeof (MgpuScoredBox));
  gfloat threshold = 0.5;
  MgpuDpmPlaces places;
  guint n;

  mgpu_dpm_get_places (dpm, &places);
  fail_unless (mgpu_dpm_read (dpm, &places, &threshold, scores, hits, boxes,
          NULL));
  mgpu_dpm_places_clear (&places);
  n = boxes->len;
  return n;
}

/* Tests that only existing positions of the model's root count, whatever the list of hits
 * contains. */
GST_START_TEST (test_models)
{
  GstVideoInfo info = frame_info ();
  MgpuDpmModel *model = load_model ();
  const MgpuDpmModel *models[] = { model };
  MgpuFhogPyramid pyramid = {.params = mgpu_dpm_choose_params (models, 1) };
  MgpuFhog *fhog = mgpu_fhog_new (context, &info, &pyramid.params, NULL);
  const gint sizes[] = { 1, 0, 0, 0, model->n_components };
  gint wrong[4], place = 1;
  GstMgpuMemory *scores, *hits;
  gsize scores_size, hits_size, first;
  guint level = pyramid.params.interval;
  MgpuDpmScore score = { 1, G_MAXINT };
  MgpuDpm *dpm;

  fail_unless (fhog != NULL);
  pyramid.n_levels = mgpu_fhog_get_levels (fhog, &pyramid.levels);
  fail_unless (pyramid.n_levels > level);
  dpm = mgpu_dpm_new (context, models, 1, &pyramid, NULL);
  fail_unless (dpm != NULL);
  mgpu_dpm_get_sizes (dpm, &scores_size, &hits_size);
  scores = memory_new (scores_size);
  hits = memory_new (hits_size);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    get_wrong (i == 1 ? (gint) pyramid.n_levels
        : i == 2 ? pyramid.levels[level].rows
        : i == 3 ? pyramid.levels[level].columns : sizes[i], wrong);
    for (guint j = 0; j < 4; j++, place += DPM_HIT) {
      gint hit[DPM_HIT] = { 0, level };

      hit[i] = wrong[j];
      write_numbers (hits, place, hit, DPM_HIT);
    }
  }
  write_numbers (hits, place, (const gint[]) { 0, level, 0, 0, 0, 0 }, DPM_HIT);
  write_count (hits, place / DPM_HIT + 1);
  fail_unless_equals_int (count_roots (dpm, scores, hits), 1);

  /* If the list counts more hits than it can hold, all scores are read. */
  write_count (hits, G_MAXINT);
  fail_unless (mgpu_dpm_get_level (dpm, 0, level, &first));
  write_numbers (scores, 2 * first, (const gint *) &score, 2);
  fail_unless_equals_int (count_roots (dpm, scores, hits), 0);
  score.component = 0;
  write_numbers (scores, 2 * first, (const gint *) &score, 2);
  fail_unless_equals_int (count_roots (dpm, scores, hits), 1);

  gst_memory_unref (GST_MEMORY_CAST (scores));
  gst_memory_unref (GST_MEMORY_CAST (hits));
  mgpu_object_free (dpm);
  mgpu_object_free (fhog);
  mgpu_dpm_model_free (model);
}

GST_END_TEST;

/* Tests that an index of a train descriptor that does not exist is not a match. */
GST_START_TEST (test_matches)
{
  const MgpuNearest nearest[] = {
    {1, 5, 9}, {2, 5, 9}, {G_MAXUINT32, 5, 9}, {1 << 30, 5, 9}
  };
  const MgpuNearest back[] = { {G_MAXUINT32, 5, 9}, {0, 5, 9} };
  GstMgpuKeypointMatch matches[4];

  for (guint i = 0; i < 2; i++) {
    fail_unless_equals_int (mgpu_match_select (nearest, 4,
            i == 0 ? NULL : back, 2, 1, matches), 1);
    fail_unless_equals_int (matches[0].query, 0);
    fail_unless_equals_int (matches[0].train, 1);
  }
}

GST_END_TEST;

CHECK_TESTS (mgpubounds)
{
  tcase_add_checked_fixture (tc, setup, teardown);
  tcase_add_test (tc, test_people);
  tcase_add_test (tc, test_models);
  tcase_add_test (tc, test_matches);
}
