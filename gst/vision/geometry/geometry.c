/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Fits motion models to pairs of points by RANSAC, on the device or on the host. */
#include "geometry-private.h"

#include <gst/vision/base/map.h>
#include <gst/vision/base/words.h>
#include <math.h>
#include <string.h>

G_STATIC_ASSERT (TRANSLATION == GST_MGPU_FIT_MODEL_TRANSLATION);
G_STATIC_ASSERT (RIGID == GST_MGPU_FIT_MODEL_RIGID);
G_STATIC_ASSERT (SIMILARITY == GST_MGPU_FIT_MODEL_SIMILARITY);
G_STATIC_ASSERT (AFFINE == GST_MGPU_FIT_MODEL_AFFINE);
G_STATIC_ASSERT (HOMOGRAPHY == GST_MGPU_FIT_MODEL_HOMOGRAPHY);

/* Number of steps from 0 to 1 in a normalized coordinate; normalized coordinates are rounded to
 * whole steps */
#define PARTS 0x1p24

/* Indices into the array @knobs of the tuning constants of the kernels */
enum
{
  LANES,
  DRAW_GROUP,
  STAGES_AT_ONCE
};

static const MgpuKnob knobs[] = {
  [LANES] = {"LANES", {16, 1, 1}, NULL,
      "number of draws, or of pairs of points, that a work-item processes at "
      "once"},
  [DRAW_GROUP] = {"DRAW_GROUP", {1, 64, 32}, NULL,
      "number of work-items that score a draw; 1 if LANES is above 1"},
  [STAGES_AT_ONCE] = {"STAGES_AT_ONCE", {1, 256, 8}, "1 8 256",
      "number of batches of draws that are enqueued before the host knows "
      "whether they are needed"},
  {NULL}
};

/* Indices into the array @kernels of the OpenCL kernels */
enum
{
  DRAW,
  JUDGE,
  POLISH
};

static const MgpuKernel kernels[] = {
  [DRAW] = {"geometry/geometry", "geometry_draw", 0},
  [JUDGE] = {"geometry/geometry", "geometry_judge", 0},
  [POLISH] = {"geometry/geometry", "geometry_polish", 0},
  {NULL}
};

guint
mgpu_geometry_get_sample_size (GstMgpuFitModel model)
{
  static const guint sizes[] = { 1, 2, 2, 3, 4 };

  return sizes[model];
}

static gboolean
set_unsupported (GError ** error, const gchar * what)
{
  g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED, "%s", what);
  return FALSE;
}

gboolean
mgpu_geometry_check (const MgpuGeometryParams * params, const gfloat * pairs,
    guint n, GError ** error)
{
  if ((guint) params->model > GST_MGPU_FIT_MODEL_HOMOGRAPHY)
    return set_unsupported (error, "the motion model does not exist");
  if (!(params->threshold >= 0.1 && params->threshold <= 100))
    return set_unsupported (error,
        "the threshold has to be from 0.1 to 100 pixels");
  if (params->max_draws < 256 || params->max_draws > 65536)
    return set_unsupported (error, "max-draws has to be from 256 to 65536");
  if (n > MGPU_GEOMETRY_MAX_PAIRS)
    return set_unsupported (error, "there are more than 1048576 pairs");
  for (gsize i = 0; i < 4 * (gsize) n; i++)
    if (!(pairs[i] >= -MGPU_GEOMETRY_MAX_COORDINATE
            && pairs[i] <= MGPU_GEOMETRY_MAX_COORDINATE))
      return set_unsupported (error, "a coordinate of a pair of points is not "
          "a number from -1000000 to 1000000");
  return TRUE;
}

gboolean
mgpu_geometry_suits_host (const MgpuGeometryParams * params, guint n)
{
  return n <= 32;
}

/* ---- Before and after the kernels ---------------------------------------------- */

/* The center and the scale with which points are normalized: (point - center) * scale. A fit
 * has one Side for the first points of its pairs and one for the second points. */
typedef struct
{
  gdouble x, y, scale;
} Side;

/* Computes the center and the scale that normalize @n points, from their bounding box. @place
 * is the address of x and y of the first point; the distance to the next point is 4 floats.
 * Returns: center and scale */
static Side
find_side (const gfloat * place, guint n)
{
  gdouble low[2] = { place[0], place[1] }, high[2] = { place[0], place[1] };
  Side side = { 0, 0, 1 };
  gdouble half;

  for (gsize i = 1; i < n; i++) {
    for (guint k = 0; k < 2; k++) {
      low[k] = MIN (low[k], place[4 * i + k]);
      high[k] = MAX (high[k], place[4 * i + k]);
    }
  }
  side.x = (low[0] + high[0]) / 2;
  side.y = (low[1] + high[1]) / 2;
  half = MAX (high[0] - low[0], high[1] - low[1]) / 2;
  /* Leaves the points unscaled if their bounding box is smaller than 2^-9 pixels, because keypoints
   * of an image are never that close together. */
  if (half < 0x1p-10)
    return side;
  while (half * side.scale >= 1)
    side.scale /= 2;
  while (half * side.scale < 0.5)
    side.scale *= 2;
  return side;
}

static gfloat
to_unit (gdouble place, gdouble centre, gdouble scale)
{
  return floor ((place - centre) * scale * PARTS + 0.5) / PARTS;
}

/* Adds a fit to @work: its description and its normalized points, which kernels read. Sets
 * @sides to the numbers with which the points were normalized. */
static void
add_fit (MgpuGeometryWork * work, const MgpuGeometryParams * params,
    const MgpuGeometryFit * fit, Side sides[2])
{
  guint pitch = GST_ROUND_UP_16 (fit->n), first = work->floats->len;
  gfloat *floats;
  gdouble wide;

  for (guint s = 0; s < 2; s++)
    sides[s] = find_side (fit->pairs + 2 * s, fit->n);
  g_array_set_size (work->floats, first + 4 * pitch);
  floats = &g_array_index (work->floats, gfloat, first);
  for (gsize i = 0; i < fit->n; i++) {
    for (guint r = 0; r < 4; r++) {
      const Side *side = &sides[r / 2];

      floats[r * pitch + i] = to_unit (fit->pairs[4 * i + r],
          r % 2 == 0 ? side->x : side->y, side->scale);
    }
  }
  wide = 2 * params->threshold * sides[1].scale;
  mgpu_words_add (work->words, fit->n);
  mgpu_words_add (work->words, first);
  mgpu_words_add (work->words, pitch);
  mgpu_words_add_float (work->words, 1 / (wide * wide));
  mgpu_words_add_float (work->words, sides[1].scale / sides[0].scale);
}

/* Converts a model from normalized points to pixels. @numbers: the model in a result. @sides:
 * the numbers with which the points were normalized. @matrix: set to the homography between
 * positions in pixels. */
static void
set_matrix (const gfloat * numbers, const Side sides[2], gdouble * matrix)
{
  const Side *from = &sides[0], *to = &sides[1];
  gdouble x = from->x * from->scale + numbers[8];
  gdouble y = from->y * from->scale + numbers[9];
  gdouble rows[3][3];

  for (guint r = 0; r < 3; r++) {
    const gfloat *m = numbers + 3 * r;
    gdouble last = r < 2 ? m[2] : 1;

    rows[r][0] = m[0] * from->scale;
    rows[r][1] = m[1] * from->scale;
    rows[r][2] = last - m[0] * x - m[1] * y;
  }
  for (guint c = 0; c < 3; c++) {
    matrix[c] = rows[0][c] / to->scale + to->x * rows[2][c];
    matrix[3 + c] = rows[1][c] / to->scale + to->y * rows[2][c];
    matrix[6 + c] = rows[2][c];
  }
  /* Divides the matrix by its last number. The divisor w of the new x and y of a moved point is
   * then 1 at the pixel (0, 0), and no longer at the center of the drawn pairs. Leaves the matrix
   * unchanged if w is 0 or negative at (0, 0), because the model then moves this point to infinity
   * or beyond. */
  if (rows[2][2] > 1e-6)
    for (guint i = 0; i < 9; i++)
      matrix[i] /= rows[2][2];
}

/* Counts the inliers: pairs of points that agree with the matrix of a fit within @threshold
 * pixels. Sets the members n_inliers, inliers and rms of @fit. */
static void
count_inliers (MgpuGeometryFit * fit, gdouble threshold)
{
  const gdouble *m = fit->matrix;
  gdouble sum = 0;

  fit->n_inliers = 0;
  for (gsize i = 0; i < fit->n; i++) {
    const gfloat *pair = fit->pairs + 4 * i;
    gdouble w = m[6] * pair[0] + m[7] * pair[1] + m[8];
    gdouble x = (m[0] * pair[0] + m[1] * pair[1] + m[2]) / w - pair[2];
    gdouble y = (m[3] * pair[0] + m[4] * pair[1] + m[5]) / w - pair[3];
    gboolean agrees = w > 0 && x * x + y * y < threshold * threshold;

    if (agrees)
      sum += x * x + y * y;
    fit->n_inliers += agrees;
    if (fit->inliers != NULL)
      fit->inliers[i] = agrees;
  }
  fit->rms = fit->n_inliers > 0 ? sqrt (sum / fit->n_inliers) : 0;
}

/* Sets the output members of @fit from the best of the results that the kernels wrote for its
 * groups of draws (random samples of pairs). @words is the description of the fit that the
 * kernels read. */
static void
finish_fit (MgpuGeometryFit * fit, const MgpuGeometryParams * params,
    const Side sides[2], const gint32 * words, const gfloat * floats,
    const gint32 * results)
{
  guint64 lowest = G_MAXUINT64;
  gfloat numbers[10];

  for (guint i = 0; i < GROUPS; i++) {
    const gint32 *result = results + RESULT * i;
    guint64 score = (guint32) result[10] | (guint64) (guint32) result[11] << 32;

    if (score < lowest) {
      lowest = score;
      memcpy (numbers, result, sizeof (numbers));
    }
  }
  if (lowest == G_MAXUINT64)
    return;
  mgpu_geometry_refine (params, words, floats, numbers);
  set_matrix (numbers, sides, fit->matrix);
  count_inliers (fit, params->threshold);
  fit->is_found =
      fit->n_inliers >= mgpu_geometry_get_sample_size (params->model);
}

/* ---- Fits on the device ---------------------------------------------------------- */

/* Enqueues the kernels for @n fits: they draw random samples of pairs, score their models, and
 * refine the best models. */
static void
enqueue (MgpuObject * self, GstMgpuJob * job, const MgpuGeometryParams * params,
    guint n)
{
  guint n_stages = (params->max_draws + STAGE - 1) / STAGE;
  guint pitch = n_stages * STAGE, at_once = self->knobs[STAGES_AT_ONCE];
  gsize draw_group[2] = { self->knobs[DRAW_GROUP], 1 };
  gsize judge_group[2] = { GROUPS, 1 };
  gsize polish_group[2] = { SUM_LANES / self->knobs[LANES], 1 };
  cl_mem fits = mgpu_slot_read (self, MGPU_GEOMETRY_FITS, job);
  cl_mem pairs = mgpu_slot_read (self, MGPU_GEOMETRY_PAIRS, job);
  cl_mem states = mgpu_slot_write (self, MGPU_GEOMETRY_STATES, job,
      (gsize) n * STATE * sizeof (gint32));
  cl_mem scores = mgpu_slot_write (self, MGPU_GEOMETRY_DRAW_SCORES, job,
      (gsize) n * pitch * sizeof (guint64));
  cl_mem counts = mgpu_slot_write (self, MGPU_GEOMETRY_COUNTS, job,
      (gsize) n * pitch * sizeof (guint32));
  cl_mem results = mgpu_slot_write (self, MGPU_GEOMETRY_RESULTS, job,
      (gsize) n * GROUPS * RESULT * sizeof (gint32));

  for (guint first = 0; first < n_stages; first += at_once) {
    guint last = MIN (first + at_once, n_stages);

    gst_mgpu_job_set_args (job, self->kernels[DRAW], "mmiiiiimmm", pairs, fits,
        (gint) params->model, (gint) params->max_draws, (gint) params->seed,
        (gint) (first * STAGE), (gint) pitch, states, scores, counts);
    mgpu_launch (job, self->kernels[DRAW], (last - first) * STAGE
        / self->knobs[LANES] * self->knobs[DRAW_GROUP], n, 1, 1, draw_group);
    gst_mgpu_job_set_args (job, self->kernels[JUDGE], "miiiimmm", fits,
        (gint) params->model, (gint) first, (gint) last, (gint) pitch, scores,
        counts, states);
    mgpu_launch (job, self->kernels[JUDGE], GROUPS, n, 1, 1, judge_group);
  }
  gst_mgpu_job_set_args (job, self->kernels[POLISH], "mmiiimm", pairs, fits,
      (gint) params->model, (gint) params->max_draws, (gint) params->seed,
      states, results);
  mgpu_launch (job, self->kernels[POLISH], GROUPS * polish_group[0], n, 1, 1,
      polish_group);
}

/* Computes the @n fits of @work on the device or, if @self is NULL, on the host. Writes RESULT
 * words for each group of draws of each fit to @results.
 * Returns: FALSE with the error set */
static gboolean
run (MgpuObject * self, GstMgpuQueue * queue, const MgpuGeometryParams * params,
    const MgpuGeometryWork * work, guint n, gint32 * results, GError ** error)
{
  GstMgpuJob job;
  GstMapInfo map;

  if (self == NULL) {
    for (guint i = 0; i < n; i++)
      mgpu_geometry_fit_on_host (params, &g_array_index (work->words, gint32,
              FIT * i), (const gfloat *) work->floats->data, results
          + RESULT * GROUPS * i);
    return TRUE;
  }
  gst_mgpu_job_begin (&job, queue, NULL);
  if (mgpu_slot_upload (self, MGPU_GEOMETRY_FITS, &job, work->words->data,
          work->words->len * sizeof (gint32), 0)
      && mgpu_slot_upload (self, MGPU_GEOMETRY_PAIRS, &job, work->floats->data,
          work->floats->len * sizeof (gfloat), 0))
    enqueue (self, &job, params, n);
  if (!gst_mgpu_job_end (&job, error)
      || !mgpu_map (self->slots[MGPU_GEOMETRY_RESULTS], &map, GST_MAP_READ,
          error))
    return FALSE;
  memcpy (results, map.data, (gsize) n * GROUPS * RESULT * sizeof (gint32));
  gst_memory_unmap (self->slots[MGPU_GEOMETRY_RESULTS], &map);
  return TRUE;
}

gboolean
mgpu_geometry_fit (MgpuObject * self, GstMgpuQueue * queue,
    const MgpuGeometryParams * params, MgpuGeometryFit * fits, guint n_fits,
    GError ** error)
{
  MgpuGeometryWork work = { mgpu_words_new (),
    g_array_new (FALSE, TRUE, sizeof (gfloat))
  };
  Side (*sides)[2] = g_malloc ((n_fits + 1) * sizeof (*sides));
  guint *numbers = g_new (guint, n_fits + 1), n = 0;
  gint32 *results;
  gboolean ok = TRUE;

  for (guint i = 0; i < n_fits; i++) {
    fits[i].is_found = FALSE;
    fits[i].n_inliers = 0;
    fits[i].rms = 0;
    memset (fits[i].matrix, 0, sizeof (fits[i].matrix));
    if (fits[i].inliers != NULL)
      memset (fits[i].inliers, 0, fits[i].n);
    if (fits[i].n < mgpu_geometry_get_sample_size (params->model))
      continue;
    numbers[n] = i;
    add_fit (&work, params, &fits[i], sides[n++]);
  }
  results = g_new (gint32, GROUPS * RESULT * n + 1);
  if (n > 0)
    ok = run (self, queue, params, &work, n, results, error);
  for (guint i = 0; i < n && ok; i++)
    finish_fit (&fits[numbers[i]], params, sides[i],
        &g_array_index (work.words, gint32, FIT * i),
        (const gfloat *) work.floats->data, results + GROUPS * RESULT * i);
  g_free (results);
  g_free (numbers);
  g_free (sides);
  g_array_unref (work.words);
  g_array_unref (work.floats);
  return ok;
}

void
mgpu_geometry_drop_memories (MgpuObject * self)
{
  for (guint i = 0; i < MGPU_GEOMETRY_N_SLOTS; i++)
    g_clear_pointer (&self->slots[i], gst_memory_unref);
}

const MgpuAlgorithm mgpu_geometry = {
  .size = sizeof (MgpuObject),
  .knobs = knobs,
  .kernels = kernels,
  .n_slots = MGPU_GEOMETRY_N_SLOTS
};
