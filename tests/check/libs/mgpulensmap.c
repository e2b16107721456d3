/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Measures how exact the maps of lens models and their inverses are. With GST_DEBUG=check:4 the log
 * has a table of all views. */
#include "../suite.h"

#include <math.h>
#include <string.h>

#include <gst/vision/remap/lens-points.h>
#include <gst/vision/remap/lens-view.h>

#include "lenses.h"

/* Number of measured positions of a view, and number of positions that are also searched in the
 * inverse direction */
#define N_POINTS 40000
#define N_BACK 400

/* Limits: error of a map in 1/128 pixel of the old frame; fraction of positions that may have an
 * error above 1/128 pixel; error in pixels of a position that was searched in the new frame */
#define MAX_ERROR 1.5
#define MAX_SHARE 0.0002
#define MAX_BACK 0.01

/* Results of a view */
typedef struct
{
  gdouble worst, share, back;
  guint n_seen;                 /* number of positions that the camera sees */
  guint n_searched, n_lost;     /* numbers of these positions that were searched, and that were not
                                 * found */
} Result;

/* Returns the difference of two columns, modulo the width of a full circle. */
static gdouble
get_difference (const MgpuLensMap * map, gdouble a, gdouble b)
{
  gdouble wrap = map->wrap / 1024.0;

  return wrap > 0 ? a - b - wrap * rint ((a - b) / wrap) : a - b;
}

/* Returns: whether the camera sees the position @at of the view. Sets @place to its exact position
 * in the old frame. Positions within 0.001 of the limit of the lens model count as not seen. */
static gboolean
see (const MgpuLensModel * model, const MgpuView * view, const gdouble at[2],
    gdouble place[2])
{
  return mgpu_view_find_place (view, model, at[0], at[1], place) > 0.001
      && place[0] >= -0.5 && place[0] <= model->camera.width - 0.5
      && place[1] >= -0.5 && place[1] <= model->camera.height - 0.5;
}

/* Returns whether a position of the view is in a cell in which the map is computed exactly for each
 * pixel. In such cells the model may change within a pixel, so that a search does not lead back. */
static gboolean
is_exact (const MgpuLensMap * map, const gdouble at[2])
{
  gint i = CLAMP ((gint) floor (at[0] / 16), 0, map->columns - 4);
  gint j = CLAMP ((gint) floor (at[1] / 16), 0, map->rows - 4);

  return g_array_index (map->words, gint32, map->cells
      + j * (map->columns - 3) + i) >= 0;
}

/* Searches the view for the old position @place, and measures the error of the result. */
static void
search (const MgpuLensModel * model, const MgpuView * view,
    const MgpuLensMap * map, const MgpuLensIndex * index,
    const gdouble place[2], Result * result)
{
  gdouble at[2], again[2];

  if (!mgpu_lens_index_find (index, place, at)) {
    result->n_lost++;
    return;
  }
  if (is_exact (map, at))
    return;
  mgpu_view_find_place (view, model, at[0], at[1], again);
  result->back = MAX (result->back, fabs (get_difference (map, again[0],
              place[0])));
  result->back = MAX (result->back, fabs (again[1] - place[1]));
}

static Result
measure (const MgpuLensModel * model, const MgpuView * view)
{
  MgpuLensMap *map = mgpu_lens_map_new (model, view);
  MgpuLensIndex *index = mgpu_lens_index_new (map, view->width, view->height);
  GRand *rand = g_rand_new_with_seed (1);
  gboolean is_sphere = model->camera.lens == MGPU_LENS_EQUIRECT;
  Result result = { 0 };

  for (guint i = 0; i < N_POINTS; i++) {
    const gdouble at[2] = { g_rand_int_range (rand, 0, view->width),
      g_rand_int_range (rand, 0, view->height)
    };
    gdouble exact[2], place[2], error, s, c = 1;

    if (!see (model, view, at, exact))
      continue;
    mgpu_lens_map_find (map, at[0], at[1], place);
    /* Ignores the longitude near a pole, where it has little effect. */
    if (is_sphere)
      mgpu_lens_sincos (((exact[1] + 0.5) / model->camera.height - 0.5) * G_PI,
          &s, &c);
    error = MAX (fabs (get_difference (map, place[0], exact[0])) * c,
        fabs (place[1] - exact[1])) * 128;
    result.worst = MAX (result.worst, error);
    result.share += error > 1;
    result.n_seen++;
    if (!is_sphere && !is_exact (map, at) && result.n_searched++ < N_BACK)
      search (model, view, map, index, exact, &result);
  }
  result.share /= MAX (result.n_seen, 1);
  g_rand_free (rand);
  mgpu_lens_index_free (index);
  mgpu_lens_map_free (map);
  return result;
}

static void
check_view (const gchar * name, const gchar * kind, const MgpuLensModel * model,
    const MgpuView * view)
{
  Result r = measure (model, view);

  GST_INFO ("%-24s %-10s %6.2f/128 px, %8.5f above 1; back %7.4f px, %u of %u "
      "not found", name, kind, r.worst, r.share, r.back, r.n_lost,
      MIN (r.n_searched, N_BACK));
  fail_unless (r.n_seen > 1000, "%s, %s: %u positions", name, kind, r.n_seen);
  fail_unless (r.worst <= MAX_ERROR, "%s, %s: %g/128 px", name, kind, r.worst);
  fail_unless (r.share <= MAX_SHARE, "%s, %s: %g are off by more than 1/128",
      name, kind, r.share);
  fail_unless (r.back <= MAX_BACK, "%s, %s: %g px", name, kind, r.back);
  fail_unless (r.n_lost == 0, "%s, %s: %u of %u not found", name, kind,
      r.n_lost, N_BACK);
}

/* Tests lenses with the same camera matrix, and a wide view. */
GST_START_TEST (test_lens)
{
  const MgpuCamera *camera = &lenses[__i__].camera;
  const gchar *name = lenses[__i__].name;
  gboolean is_wide = camera->lens == MGPU_LENS_OMNI
      || camera->lens == MGPU_LENS_DOUBLE_SPHERE;
  gdouble side = 0.35 * MIN (camera->width, camera->height);
  MgpuView view = {.projection = MGPU_PROJECTION_PERSPECTIVE,
    .focal = {is_wide ? side : camera->focal[0],
        is_wide ? side : camera->focal[1]},.centre =
        {camera->centre[0], camera->centre[1]},
    .turn = {1, 0, 0, 0, 1, 0, 0, 0, 1},.width = camera->width,.height =
        camera->height
  };
  gdouble scale = camera->lens == MGPU_LENS_FISHEYE ? 0.4 : 0.75;
  MgpuLensModel model;

  mgpu_lens_model_init (&model, camera);
  check_view (name, "same", &model, &view);
  view.focal[0] *= scale;
  view.focal[1] *= scale;
  check_view (name, "wide", &model, &view);
}

GST_END_TEST;

GST_START_TEST (test_sphere)
{
  const MgpuCamera camera = {.lens = MGPU_LENS_EQUIRECT,.focal = {1, 1},.beta =
      1,.width = 3840,.height = 1920
  };
  MgpuView view = {.focal = {480, 480},.centre = {479.5, 269.5},.width =
      960,.height = 540
  };
  g_autofree gchar *kind = g_strdup_printf ("tilt %d", 30 * __i__);
  MgpuLensModel model;

  mgpu_view_set_turn (view.turn, 0, 30 * __i__, 0);
  mgpu_lens_model_init (&model, &camera);
  check_view ("equirect", kind, &model, &view);
}

GST_END_TEST;

/* Returns: whether pixel (@x, @y) of the view is a blend with pixels beyond the edges of the old
 * frame. Kernels round positions to 1/256 pixel. */
static gboolean
is_mixed (const MgpuLensModel * model, const MgpuView * view, gint x, gint y)
{
  const gdouble spare = 1 / 512.;
  gdouble place[2], margin = mgpu_view_find_place (view, model, x, y, place);

  return margin < 0 || !(place[0] >= -spare && place[1] >= -spare
      && place[0] <= model->camera.width - 1 + spare
      && place[1] <= model->camera.height - 1 + spare);
}

/* Tests that with alpha=0 every pixel shows part of the image, in views of the size of the frames
 * and in wider ones. The camera with 12 coefficients has poles inside of the image, one pixel
 * wide. */
GST_START_TEST (test_inner)
{
  const MgpuCamera *camera = &lenses[__i__].camera;
  const gint sizes[][2] = { {camera->width, camera->height},
  {camera->width, camera->height / 2}
  };
  MgpuViewChoice choice = { MGPU_PROJECTION_PERSPECTIVE, 0, 0, 1 };
  MgpuLensModel model;
  MgpuView view;

  mgpu_view_set_turn (choice.turn, 0, 0, 0);
  mgpu_view_set_turn (choice.straight, 0, 0, 0);
  mgpu_lens_model_init (&model, camera);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    guint n = 0;

    mgpu_view_choose (&view, &model, &choice, sizes[i][0], sizes[i][1]);
    for (gint y = 0; y < view.height; y++)
      for (gint x = 0; x < view.width; x++)
        n += is_mixed (&model, &view, x, y);
    GST_INFO ("%-24s %dx%d: %u pixels without picture", lenses[__i__].name,
        view.width, view.height, n);
    fail_unless (n <= (strstr (lenses[__i__].name, "left 12") ? 10 : 0),
        "%s, %dx%d: %u pixels", lenses[__i__].name, view.width, view.height, n);
  }
}

GST_END_TEST;

CHECK_TESTS (mgpulensmap)
{
  tcase_add_loop_test (tc, test_inner, 0, G_N_ELEMENTS (lenses));
  tcase_add_loop_test (tc, test_lens, 0, G_N_ELEMENTS (lenses));
  tcase_add_loop_test (tc, test_sphere, 0, 4);
}
