/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks the search with part models on random pyramids and models. */
#include "kernelcheck.h"
#include "dpm-search.h"
#include <gst/vision/dpm/dpm.h>
#include "../reference/dpm.h"

#include <math.h>
#include <string.h>

#define FEATURES MGPU_DPM_FEATURES
#define MAX_LEVELS 12
#define MAX_MODELS 3

G_STATIC_ASSERT (FEATURES == REF_DPM_FEATURES);
G_STATIC_ASSERT (sizeof (MgpuScoredBox) == 7 * 4);

typedef struct
{
  KcKind kind;
  guint n_models, n_components, n_parts;        /* parts: at most */
  gint max_filter;              /* rows and columns */
  gint interval;
  guint n_levels;
  gint max_level;               /* numbers of rows and columns of the largest level */
  gboolean extra_octave;
  gint padding;
  gfloat threshold;
} Case;

/* The first cases are small enough for emulators. */
static const Case fixed[] = {
  {KC_FIXED, 1, 2, 3, 2, 1, 3, 7, FALSE, 1, -0.2f},
  {KC_FIXED, 2, 1, 9, 2, 2, 6, 5, TRUE, 2, 0},
  /* This case has more hits than the list can hold. */
  {KC_FIXED, 1, 1, 0, 1, 1, 2, 65, FALSE, 1, -100},
  {KC_FIXED, 1, 1, 2, 3, 1, 1, 5, FALSE, 1, -100},
  {KC_FIXED, 3, 3, 8, 6, 3, 9, 31, TRUE, 4, 0.5f},
  {KC_FIXED, 2, 6, 8, 7, 2, 8, 40, FALSE, 3, 0},
  {KC_FIXED, 1, 20, 4, 4, 2, 5, 23, FALSE, 5, 1},
  {KC_FIXED, 1, 2, 8, 12, 5, 12, 47, FALSE, 13, 0},
};

typedef struct
{
  guint n_models;
  MgpuDpmModel *models[MAX_MODELS];
  gfloat thresholds[MAX_MODELS];
  MgpuFhogLevel levels[MAX_LEVELS];
  MgpuFhogPyramid pyramid;
  gfloat *features;
  gsize n_features;
} Scene;

/* ---- Models and pyramids that are searched ------------------------------------- */

/* Returns a random number from -1 to 1 */
static gfloat
draw (KcRandom * random)
{
  return ((gint) kc_random_below (random, 20001) - 10000) / 10000.0f;
}

static gfloat *
make_weights (gint n, KcRandom * random)
{
  gfloat *weights = g_new (gfloat, n);

  for (gint i = 0; i < n; i++)
    weights[i] = 0.1f * draw (random);
  return weights;
}

/* pca: of n_pca features */
static void
make_filter (MgpuDpmFilter * filter, MgpuDpmFilter * pca, gint n_pca,
    gint most, KcRandom * random)
{
  filter->rows = pca->rows = 1 + kc_random_below (random, most);
  filter->columns = pca->columns = 1 + kc_random_below (random, most);
  filter->weights = make_weights (filter->rows * filter->columns * FEATURES,
      random);
  pca->weights = make_weights (filter->rows * filter->columns * n_pca, random);
}

/* Puts the parts into a random order, with limits that some positions pass. */
static void
make_stages (MgpuDpmComponent * m, KcRandom * random)
{
  m->order = g_new (guint, m->n_parts);
  m->limits = g_new (gfloat, m->n_parts + 1);
  for (guint i = 0; i < m->n_parts; i++) {
    guint at = kc_random_below (random, i + 1);

    m->order[i] = m->order[at];
    m->order[at] = i;
  }
  for (guint i = 0; i <= m->n_parts; i++)
    m->limits[i] = kc_random_below (random, 3) == 0 ? MGPU_DPM_NO_LIMIT
        : 0.5f * draw (random) - 0.5f;
}

static MgpuDpmModel *
make_model (const Case * c, KcRandom * random)
{
  MgpuDpmModel *model = g_new0 (MgpuDpmModel, 1);

  model->name = g_strdup ("random");
  model->cell_size = 8;
  model->interval = c->interval;
  model->extra_octave = c->extra_octave && kc_random_below (random, 2);
  model->n_pca = 1 + kc_random_below (random, MGPU_DPM_MAX_PCA);
  model->pca = make_weights (FEATURES * model->n_pca, random);
  model->n_components = c->n_components;
  model->components = g_new0 (MgpuDpmComponent, c->n_components);
  for (guint i = 0; i < c->n_components; i++) {
    MgpuDpmComponent *m = model->components + i;

    make_filter (&m->root, &m->root_pca, model->n_pca, c->max_filter, random);
    m->n_parts = kc_random_below (random, c->n_parts + 1);
    m->parts = g_new0 (MgpuDpmPart, m->n_parts);
    for (guint j = 0; j < m->n_parts; j++) {
      MgpuDpmPart *p = m->parts + j;

      make_filter (&p->filter, &p->pca, model->n_pca, c->max_filter, random);
      p->x = (gint) kc_random_below (random, 4) - 1;
      p->y = (gint) kc_random_below (random, 4) - 1;
      for (guint k = 0; k < 4; k++)
        p->deformation[k] = 0.05f * (draw (random) + (k % 2 ? 0 : 0.9f));
    }
    make_stages (m, random);
    m->offset = 0.3f * draw (random);
    for (guint j = 0; j < 3; j++)
      m->location[j] = 0.1f * draw (random);
    m->window_rows = m->root.rows;
    m->window_columns = m->root.columns + 1;
    m->shift_x = kc_random_below (random, 2);
  }
  return model;
}

/* Makes levels of unrelated sizes, of which the first is the largest. The memory between the levels
 * contains numbers that kernels must not read. */
static void
make_pyramid (Scene * scene, const Case * c, KcRandom * random)
{
  MgpuFhogPyramid *p = &scene->pyramid;
  gsize cells = 1;

  p->levels = scene->levels;
  p->n_levels = c->n_levels;
  p->params.cell_size = 8;
  p->params.interval = c->interval;
  p->params.extra_octave = c->extra_octave;
  p->params.pad_x = p->params.pad_y = c->padding;
  for (guint i = 0; i < c->n_levels; i++) {
    MgpuFhogLevel *l = scene->levels + i;

    l->columns = l->rows = c->max_level;
    if (i > 0 && c->max_level < 60) {
      l->columns = 1 + kc_random_below (random, c->max_level);
      l->rows = 1 + kc_random_below (random, c->max_level);
    }
    l->offset = cells;
    l->scale = 1 / (1 + 0.3 * i);
    l->cell_size = 8;
    cells += l->columns * l->rows + kc_random_below (random, 3);
  }
  cells++;
  scene->n_features = cells * FEATURES;
  scene->features = g_new (gfloat, scene->n_features);
  for (gsize i = 0; i < scene->n_features; i++)
    scene->features[i] = NAN;
  for (guint i = 0; i < c->n_levels; i++) {
    const MgpuFhogLevel *l = scene->levels + i;

    for (gsize j = 0; j < (gsize) l->columns * l->rows * FEATURES; j++)
      scene->features[(gsize) l->offset * FEATURES + j] =
          kc_random_below (random, 4) == 0 ? 0 : 0.2f * (1 + draw (random));
  }
}

static void
scene_init (Scene * scene, const Case * c, KcRandom * random)
{
  memset (scene, 0, sizeof (*scene));
  scene->n_models = c->n_models;
  for (guint i = 0; i < c->n_models; i++) {
    scene->models[i] = make_model (c, random);
    scene->thresholds[i] = c->threshold + 0.1f * i;
  }
  make_pyramid (scene, c, random);
}

static void
scene_clear (Scene * scene)
{
  for (guint i = 0; i < scene->n_models; i++)
    mgpu_dpm_model_free (scene->models[i]);
  g_free (scene->features);
}

/* ---- The reference ----------------------------------------------------------- */

static RefDpmFilter
describe_filter (const MgpuDpmFilter * filter)
{
  return (RefDpmFilter) {
  filter->rows, filter->columns, filter->weights};
}

/* Returns the components of a model in the form that the reference requires; the caller frees the
 * parts and the array. */
static RefDpmComponent *
describe_model (const MgpuDpmModel * model)
{
  RefDpmComponent *components = g_new0 (RefDpmComponent, model->n_components);

  for (guint i = 0; i < model->n_components; i++) {
    const MgpuDpmComponent *m = model->components + i;
    RefDpmPart *parts = g_new0 (RefDpmPart, m->n_parts);

    for (guint j = 0; j < m->n_parts; j++) {
      parts[j].filter = describe_filter (&m->parts[j].filter);
      parts[j].pca = describe_filter (&m->parts[j].pca);
      parts[j].x = m->parts[j].x;
      parts[j].y = m->parts[j].y;
      memcpy (parts[j].deformation, m->parts[j].deformation,
          sizeof (parts[j].deformation));
    }
    components[i].root = describe_filter (&m->root);
    components[i].root_pca = describe_filter (&m->root_pca);
    components[i].order = m->order;
    components[i].limits = m->limits;
    components[i].n_parts = m->n_parts;
    components[i].parts = parts;
    components[i].offset = m->offset;
    memcpy (components[i].location, m->location, sizeof (m->location));
  }
  return components;
}

static void
add_box (const Scene * scene, guint model, guint level, gint x, gint y,
    gint component, gfloat score, GArray * boxes)
{
  const MgpuDpmComponent *c = scene->models[model]->components + component;
  gdouble cell = 8 / scene->levels[level].scale;
  gint margin = scene->pyramid.params.pad_x - 1;
  MgpuScoredBox box = { rint ((x - margin - c->shift_x) * cell),
    rint ((y - margin - c->shift_y) * cell), rint (c->window_columns * cell),
    rint (c->window_rows * cell), score, model, component
  };

  g_array_append_val (boxes, box);
}

/* Compares the scores of a level, unless the case skips this level, and adds the boxes of scores
 * above the threshold. */
static void
compare_level (KcRun * run, const Scene * scene, gboolean has_cascade,
    gboolean has_scores, guint model, guint level,
    const RefDpmComponent * components, const MgpuDpmScore * got,
    GArray * boxes)
{
  const MgpuFhogLevel *l = scene->levels + level;
  const MgpuFhogParams *params = &scene->pyramid.params;
  guint skipped = params->extra_octave && !scene->models[model]->extra_octave ?
      params->interval : 0;
  const MgpuDpmModel *m = scene->models[model];
  const RefDpmCascade cascade = { m->n_pca, m->pca,
    MIN (scene->thresholds[model] - m->threshold, 0)
  };
  RefDpmLevel levels[2];
  gsize n = (gsize) l->columns * l->rows;
  g_autofree gfloat *scores = g_new (gfloat, n);
  g_autofree gint *best = g_new (gint, n);
  g_autofree gchar *name =
      g_strdup_printf ("scores of model %u in level %u%s", model,
      level, has_cascade ? ", cascade" : "");
  KcArray want = { name, KC_F32, scores, l->columns * 4, 4, l->columns,
    l->rows
  };
  KcArray have = { name, KC_F32, &got->score, l->columns * 8, 8, l->columns,
    l->rows
  };

  for (guint i = 0; i < 2; i++) {
    const MgpuFhogLevel *from = i == 0 ? l - params->interval : l;

    levels[i] = (RefDpmLevel) {
    from->columns, from->rows,
          scene->features + (gsize) from->offset * FEATURES};
  }
  if (!ref_dpm (components, m->n_components, has_cascade ? &cascade : NULL,
          &levels[0], &levels[1], MIN (2, (level - skipped) / params->interval),
          params->pad_x - 1, params->pad_y - 1, scores, best))
    kc_case_fail (run, "no memory for the reference");
  if (has_scores) {
    kc_compare_array (run, &want, &have);
    want.type = have.type = KC_I32;
    want.data = best;
    have.data = &got->component;
    kc_compare_array (run, &want, &have);
  }
  for (gsize i = 0; i < n; i++)
    if (best[i] >= 0 && scores[i] >= scene->thresholds[model])
      add_box (scene, model, level, i % l->columns, i / l->columns, best[i],
          scores[i], boxes);
}

/* Compares the results for a scene with the reference. @regions (nullable) is an array of
 * MgpuScoredBox: only boxes whose middle is in one of them count. */
static void
compare_scene (KcRun * run, const Scene * scene, gboolean has_cascade,
    const GArray * regions, MgpuDpm * self, const MgpuDpmScore * got,
    const GArray * got_boxes)
{
  g_autoptr (GArray) boxes = g_array_new (FALSE, FALSE, sizeof (MgpuScoredBox));

  for (guint m = 0; m < scene->n_models; m++) {
    RefDpmComponent *components = describe_model (scene->models[m]);

    for (guint i = 0; i < scene->pyramid.n_levels && kc_goes_on (run); i++) {
      gsize first;

      if (mgpu_dpm_get_level (self, m, i, &first))
        compare_level (run, scene, has_cascade, regions == NULL, m, i,
            components, got + first, boxes);
    }
    for (guint i = 0; i < scene->models[m]->n_components; i++)
      g_free ((gpointer) components[i].parts);
    g_free (components);
  }
  if (regions != NULL)
    mgpu_boxes_keep_inside (boxes, regions);
  mgpu_boxes_sort (boxes);
  if (boxes->len != got_boxes->len) {
    kc_case_fail (run, "%u boxes instead of %u", got_boxes->len, boxes->len);
  } else if (boxes->len > 0) {
    KcArray want = { "boxes", KC_U32, boxes->data, sizeof (MgpuScoredBox), 4, 7,
      boxes->len
    };
    KcArray have = want;

    have.data = got_boxes->data;
    kc_compare_array (run, &want, &have);
  }
}

#define REGIONS_SEED 1795456163960114

/* ---- Cases ------------------------------------------------------------------- */

/* Allocates device memory, filled with values that are not valid scores. */
static GstMgpuMemory *
make_memory (KcRun * run, gsize size)
{
  gpointer data = g_malloc (size);
  GstMgpuMemory *memory;

  memset (data, 0xa5, size);
  memory = kc_memory_new (run, data, size);
  g_free (data);
  return memory;
}

/* Returns: (transfer full): the features of a scene, NaN in all cells that a search in regions does
 * not read */
static gfloat *
make_features (const Scene * scene, const MgpuPart * parts)
{
  gfloat *features = g_memdup2 (scene->features,
      scene->n_features * sizeof (gfloat));

  for (guint i = 0; i < scene->pyramid.n_levels && parts != NULL; i++) {
    const MgpuFhogLevel *l = scene->levels + i;

    for (gint k = 0; k < l->columns * l->rows; k++) {
      gint x = k % l->columns, y = k / l->columns;

      for (gint f = 0; f < FEATURES && (x < parts[i].left
              || x >= parts[i].right || y < parts[i].top
              || y >= parts[i].bottom); f++)
        features[((gsize) l->offset + k) * FEATURES + f] = NAN;
    }
  }
  return features;
}

static void
search (KcRun * run, const Scene * scene, gboolean cascade,
    const GArray * regions, MgpuDpm * self)
{
  g_autoptr (GArray) boxes = g_array_new (FALSE, FALSE, sizeof (MgpuScoredBox));
  g_autoptr (GstMgpuMemory) features = NULL, scores = NULL, hits = NULL;
  gsize scores_size, hits_size;
  GError *error = NULL;
  MgpuDpmPlaces places;
  g_autofree MgpuDpmScore *got = NULL;
  g_autofree gfloat *values = NULL;
  GstMgpuJob job;

  mgpu_dpm_set_regions (self, regions);
  mgpu_dpm_get_places (self, &places);
  values = make_features (scene, mgpu_dpm_get_parts (self));
  mgpu_dpm_get_sizes (self, &scores_size, &hits_size);
  got = g_malloc (scores_size);
  features = kc_memory_new (run, values, scene->n_features * sizeof (gfloat));
  scores = make_memory (run, scores_size);
  hits = make_memory (run, hits_size);
  if (features != NULL && scores != NULL && hits != NULL) {
    gst_mgpu_job_begin (&job, run->queue, run->stats);
    mgpu_dpm_enqueue (self, &job, cascade, scene->thresholds, features, scores,
        hits);
    if (!gst_mgpu_job_end (&job, &error)
        || !mgpu_dpm_read (self, &places, scene->thresholds, scores, hits,
            boxes, &error))
      kc_case_fail_error (run, error);
    else if (kc_memory_read (run, scores, got))
      compare_scene (run, scene, cascade, regions, self, got, boxes);
  }
  mgpu_dpm_places_clear (&places);
}

/* Returns: (transfer full): two regions that meet in the middle of the frame, and together cover
 * it */
static GArray *
make_regions (const Scene * scene)
{
  const MgpuFhogLevel *l = scene->levels + scene->pyramid.n_levels - 1;
  const gint far = 1 << 20;
  gint x = 4 * l->columns / l->scale, y = 4 * l->rows / l->scale;
  const MgpuScoredBox boxes[] = { {x - far, y - far, far, far},
  {x, y, far, far}
  };
  GArray *regions = g_array_new (FALSE, FALSE, sizeof (MgpuScoredBox));

  g_array_append_vals (regions, boxes, G_N_ELEMENTS (boxes));
  return regions;
}

static void
check_case (KcRun * run, const Case * c, KcRandom * random)
{
  GError *error = NULL;
  MgpuDpm *self;
  Scene scene;

  kc_case_begin (run, c->kind, "%u models of %u components, filters up to %d, "
      "%u levels up to %d, interval %d%s, padding %d, threshold %g",
      c->n_models, c->n_components, c->max_filter, c->n_levels, c->max_level,
      c->interval, c->extra_octave ? " and an extra octave" : "", c->padding,
      c->threshold);
  scene_init (&scene, c, random);
  self = mgpu_dpm_new (run->context,
      (const MgpuDpmModel * const *) scene.models, scene.n_models,
      &scene.pyramid, &error);
  if (self != NULL) {
    g_autoptr (GArray) regions = make_regions (&scene);

    search (run, &scene, FALSE, NULL, self);
    search (run, &scene, TRUE, NULL, self);
    search (run, &scene, FALSE, regions, self);
    search (run, &scene, TRUE, regions, self);
    mgpu_object_free (self);
  } else {
    kc_case_fail_error (run, error);
  }
  scene_clear (&scene);
  kc_case_end (run);
}

static void
check_random (KcRun * run, KcRandom * random)
{
  Case c = {.kind = KC_RANDOM };

  c.n_models = 1 + kc_random_below (random, run->quick ? 1 : MAX_MODELS);
  c.n_components = 1 + kc_random_below (random, 3);
  c.n_parts = kc_random_below (random, 5);
  c.max_filter = 1 + kc_random_below (random, run->quick ? 2 : 6);
  c.interval = 1 + kc_random_below (random, 3);
  c.n_levels = 1 + kc_random_below (random, 8);
  c.max_level = 1 + kc_random_below (random, run->quick ? 8 : 40);
  c.extra_octave = kc_random_below (random, 2);
  c.padding = 1 + kc_random_below (random, 3);
  c.threshold = draw (random);
  check_case (run, &c, random);
}

static void
check (KcRun * run)
{
  guint n_fixed = run->quick ? 3 : G_N_ELEMENTS (fixed);
  KcRandom random;

  kc_random_init (&random, 1);
  for (guint i = 0; i < n_fixed && kc_goes_on (run); i++)
    check_case (run, &fixed[i], &random);
  /* Covers a case in which the best component of a cell has its center outside of the regions, and
   * another component has it inside. */
  kc_check_random (run, REGIONS_SEED, 1, check_random);
  kc_check_random (run, run->seed, run->quick ? 1 : 10, check_random);
  if (!run->quick || run->peers)
    kc_dpm_compare (run);
}

const KcFunction kc_dpm = { "dpm", check, kc_dpm_bench };
