/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks the labeling of connected components, and measures its time. */
#include "kernelcheck.h"

#include <string.h>

#include <gst/vision/components/components.h>

#include "../reference/components.h"

typedef enum
{
  RANDOM,                       /* each bit is set with a probability of 1/2, 1/4, 1/8 and so on */
  BLOBS,                        /* random squares, some inside of others */
  COMB,
  SPIRAL,
  CHESSBOARD,
  FULL_ROWS,                    /* every other row has a run of equal pixels for each pixel */
  RINGS,                        /* nested squares, one inside of the other */
  N_PATTERNS
} Pattern;

static const gchar *const names[] = {
  "random", "blobs", "comb", "spiral", "chessboard", "full rows", "rings"
};

static const gint sizes[][2] = {
  {67, 41}, {33, 35}, {1, 50}, {50, 1}, {1, 1}, {96, 64}, {65, 3}, {259, 170},
  {64, 64}
};

typedef struct
{
  KcKind kind;
  Pattern pattern;
  gint width, height;           /* size of the first map; the second map has half of this size */
  guint n_maps, most, most_cracks;
  MgpuComponentsParams params;
} Case;

typedef struct
{
  MgpuComponentsSetup setup;
  guint8 *pixels[MGPU_COMPONENTS_MAX_MAPS];     /* 0 or 1 */
  GArray *words;
} Maps;

/* ---- Pictures ---------------------------------------------------------------- */

static void
draw_spiral (guint8 * bits, gint width, gint height)
{
  gint left = 0, top = 0, right = width - 1, bottom = height - 1;

  for (; left < right && top < bottom; left += 2, top += 2, right -= 2,
      bottom -= 2) {
    for (gint x = MAX (left - 1, 0); x <= right; x++)
      bits[top * width + x] = 1;
    for (gint y = top; y <= bottom; y++)
      bits[y * width + right] = 1;
    for (gint x = left; x <= right; x++)
      bits[bottom * width + x] = 1;
    for (gint y = top + 2; y <= bottom; y++)
      bits[y * width + left] = 1;
  }
}

static guint8
get_bit (Pattern pattern, gint x, gint y, gint width, gint height, guint shift,
    KcRandom * random)
{
  gint depth = MIN (MIN (x, y), MIN (width - 1 - x, height - 1 - y));

  switch (pattern) {
    case RANDOM:
      return kc_random_below (random, 2 << shift) == 0;
    case COMB:
      return y == height - 2 || (x % 2 == 0 && x > 0 && y > 0);
    case CHESSBOARD:
      return (x / 2 ^ y / 2) & 1;
    case FULL_ROWS:
      return y & 1 ? x & 1 : kc_random_below (random, 4) == 0;
    case RINGS:
      return depth & 1;
    default:
      return 0;
  }
}

static void
draw (guint8 * bits, gint width, gint height, Pattern pattern,
    KcRandom * random)
{
  guint shift = kc_random_below (random, 3);

  for (gint y = 0; y < height; y++)
    for (gint x = 0; x < width; x++)
      bits[y * width + x] = get_bit (pattern, x, y, width, height, shift,
          random);
  if (pattern == SPIRAL)
    draw_spiral (bits, width, height);
  for (gint i = 0; i < 60 && pattern == BLOBS; i++) {
    gint size = 1 + kc_random_below (random, MAX (40 - i / 2, 1));
    gint left = kc_random_below (random, width);
    gint top = kc_random_below (random, height);

    for (gint y = top; y < MIN (top + size, height); y++)
      for (gint x = left; x < MIN (left + size, width); x++)
        bits[y * width + x] = i & 1;
  }
}

static void
maps_init (Maps * maps, const Case * c, KcRandom * random)
{
  memset (maps, 0, sizeof (*maps));
  maps->words = g_array_new (FALSE, TRUE, sizeof (guint32));
  maps->setup.n_maps = c->n_maps;
  maps->setup.most = c->most;
  maps->setup.most_cracks = c->most_cracks;
  for (guint i = 0; i < c->n_maps; i++) {
    gint width = MAX (c->width >> i, 1), height = MAX (c->height >> i, 1);
    /* Makes rows that have more words than the map's width requires. */
    gint words = (width + 31) / 32 + (i & 1), first = maps->words->len;

    maps->setup.maps[i].width = width;
    maps->setup.maps[i].height = height;
    maps->setup.maps[i].bits = first;
    maps->setup.maps[i].words = words;
    maps->setup.maps[i].most_cracks = 4 * (width + height);
    g_array_set_size (maps->words, first + words * height);
    maps->pixels[i] = g_malloc ((gsize) width * height);
    draw (maps->pixels[i], width, height, c->pattern, random);
    for (gint y = 0; y < height; y++)
      for (gint x = 0; x < width; x++)
        g_array_index (maps->words, guint32, first + y * words + x / 32) |=
            (guint32) maps->pixels[i][y * width + x] << x % 32;
  }
}

static void
maps_clear (Maps * maps)
{
  for (guint i = 0; i < MGPU_COMPONENTS_MAX_MAPS; i++)
    g_free (maps->pixels[i]);
  g_array_unref (maps->words);
}

/* ---- Expected results from the reference -------------------------------------- */

/* Holds arrays with an element for each run of equal pixels. Elements that are not used are 0. */
typedef struct
{
  guint n_runs, n_rows;
  gint32 *rows, *labels, *parents, *cracks, *areas;
  guint16 *starts;
  GArray *list;
  guint dropped;
} Runs;

static void
runs_init (Runs * runs, guint n_rows, guint n_runs)
{
  runs->n_rows = n_rows;
  runs->n_runs = n_runs;
  runs->rows = g_new0 (gint32, n_rows);
  runs->labels = g_new0 (gint32, n_runs);
  runs->parents = g_new0 (gint32, n_runs);
  runs->cracks = g_new0 (gint32, n_runs);
  runs->areas = g_new0 (gint32, n_runs);
  runs->starts = g_new0 (guint16, n_runs);
  runs->list = g_array_new (FALSE, TRUE, sizeof (Component));
}

static void
runs_clear (Runs * runs)
{
  g_free (runs->rows);
  g_free (runs->labels);
  g_free (runs->parents);
  g_free (runs->cracks);
  g_free (runs->areas);
  g_free (runs->starts);
  g_array_unref (runs->list);
}

/* Returns the index of the run that contains the first pixel of a component */
static gint
label_of (const RefComponents * found, gint number, const ComponentsMap * map)
{
  const RefComponent *c = &found->components[number];
  const guint8 *row = found->bits + (gsize) c->y * found->width;
  gint run = 0;

  for (gint x = 1; x <= c->x; x++)
    run += row[x] != row[x - 1];
  return map->first_run + c->y * map->most_runs + run;
}

static gboolean
is_listed (const Case * c, const RefComponent * found, gint most_cracks)
{
  return !found->is_edge && c->params.classes >> found->is_white & 1
      && found->cracks >= c->params.least_cracks
      && found->cracks <= most_cracks && found->area >= c->params.least_area
      && (gint64) found->cracks * found->cracks
      <= (gint64) c->params.roughness * found->area;
}

static void
refer_components (Runs * runs, const Case * c, const RefComponents * found,
    gint map_number, const ComponentsMap * map)
{
  for (gint i = 0; i < found->n; i++) {
    const RefComponent *component = &found->components[i];
    gint label = label_of (found, i, map);
    gboolean is_measured = !component->is_edge
        && c->params.classes >> component->is_white & 1;

    runs->parents[label] = component->parent < 0 ? COMPONENTS_NONE
        : label_of (found, component->parent, map);
    runs->cracks[label] = component->is_edge ? COMPONENTS_EDGE
        : is_measured ? component->cracks : 0;
    runs->areas[label] = is_measured ? component->area : 0;
    if (is_listed (c, component, map->most_cracks))
      g_array_append_vals (runs->list, &(Component) {
          map_number, label, component->is_white, component->y,
          component->cracks, component->area, 0, 0}
        , 1);
  }
}

static void
refer_map (Runs * runs, const Case * c, const guint8 * pixels,
    gint map_number, const ComponentsMap * map)
{
  RefComponents found;

  ref_components (pixels, map->width, map->height, c->params.eight,
      map->most_runs, &found);
  refer_components (runs, c, &found, map_number, map);
  for (gint y = 0; y < map->height; y++) {
    const guint8 *row = found.bits + (gsize) y * map->width;
    const gint *numbers = found.numbers + (gsize) y * map->width;
    gint n = 0;

    for (gint x = 0; x < map->width; x++)
      if (x == 0 || row[x] != row[x - 1]) {
        gint at = map->first_run + y * map->most_runs + n++;

        runs->starts[at] = x;
        runs->labels[at] = label_of (&found, numbers[x], map);
      }
    runs->rows[map->first_row + y] = 2 * n + row[0];
  }
  ref_components_clear (&found);
}

/* Leaves out all components of a size, the smallest size first, until the list fits. */
static void
limit_list (Runs * runs, const Case * c)
{
  gint least = 0;

  for (;; least++) {
    guint n = 0, n_cracks = 0;

    for (guint i = 0; i < runs->list->len; i++) {
      gint cracks = g_array_index (runs->list, Component, i).cracks;

      if (ref_components_size (cracks) >= least) {
        n++;
        n_cracks += cracks;
      }
    }
    if (n <= c->most && n_cracks <= c->most_cracks)
      break;
  }
  for (guint i = 0; i < runs->list->len;)
    if (ref_components_size (g_array_index (runs->list, Component, i).cracks)
        < least) {
      g_array_remove_index (runs->list, i);
      runs->dropped++;
    } else
      i++;
  for (guint i = 1; i < runs->list->len; i++) {
    Component *component = &g_array_index (runs->list, Component, i);

    component->first = component[-1].first + component[-1].cracks;
  }
}

/* ---- Comparing ---------------------------------------------------------------- */

/* Indices of the object's memory slots, in the order of MgpuComponentsResult */
enum
{
  SLOT_ROWS = 1,
  SLOT_STARTS,
  SLOT_LABELS,
  SLOT_PARENTS,
  SLOT_CRACKS,
  SLOT_AREAS
};

static gboolean
read_slot (KcRun * run, MgpuComponents * self, guint slot, gpointer data,
    gsize size)
{
  GstMgpuJob job;
  gboolean ok;

  gst_mgpu_job_begin (&job, run->queue, run->stats);
  ok = mgpu_slot_download (self, slot, &job, data, size);
  return kc_end_job (run, &job) && ok;
}

/* Sets values that a run does not have to zero: elements after the runs of a row, and the numbers
 * of components at runs that are not the first of their component. */
static void
clear_unused (Runs * runs, const MgpuComponentsResult * result)
{
  for (guint i = 0; i < result->n_maps; i++) {
    const ComponentsMap *map = &result->maps[i];

    for (gint at = 0; at < map->height * map->most_runs; at++) {
      gint run = map->first_run + at, y = at / map->most_runs;

      if (at % map->most_runs >= runs->rows[map->first_row + y] >> 1)
        runs->labels[run] = runs->starts[run] = 0;
      if (at % map->most_runs >= runs->rows[map->first_row + y] >> 1
          || runs->labels[run] != run)
        runs->parents[run] = runs->cracks[run] = runs->areas[run] = 0;
    }
  }
}

static gboolean
compare_list (KcRun * run, MgpuComponents * self, const Runs * want)
{
  guint dropped = 0;
  GstMgpuJob job;
  GArray *got;
  gboolean ok;
  KcArray a = { "list", KC_I32, want->list->data, sizeof (Component), 4,
    sizeof (Component) / 4, want->list->len
  }, b = a;

  gst_mgpu_job_begin (&job, run->queue, run->stats);
  got = mgpu_components_get (self, &job, &dropped);
  ok = kc_end_job (run, &job) && got != NULL;
  if (ok && (got->len != want->list->len || dropped != want->dropped)) {
    kc_case_fail (run, "%u components are listed and %u dropped instead of %u "
        "and %u", got->len, dropped, want->list->len, want->dropped);
    ok = FALSE;
  }
  if (ok) {
    b.data = got->data;
    ok = kc_compare_array (run, &a, &b);
  }
  g_clear_pointer (&got, g_array_unref);
  return ok;
}

static gboolean
compare_runs (KcRun * run, MgpuComponents * self,
    const MgpuComponentsResult * result, const Runs * want)
{
  Runs got = { 0 };
  struct
  {
    const gchar *name;
    KcType type;
    gsize size;
    guint slot, n;
    gconstpointer want;
    gpointer got;
  } arrays[6];
  gboolean ok = TRUE;

  runs_init (&got, want->n_rows, want->n_runs);
#define ARRAY(i, name, type, size, slot, n, member) \
    memcpy (&arrays[i], &(typeof (arrays[i])) {name, type, size, slot, n, \
            want->member, got.member}, sizeof (arrays[i]))
  ARRAY (0, "rows", KC_I32, 4, SLOT_ROWS, want->n_rows, rows);
  ARRAY (1, "starts", KC_U16, 2, SLOT_STARTS, want->n_runs, starts);
  ARRAY (2, "labels", KC_I32, 4, SLOT_LABELS, want->n_runs, labels);
  ARRAY (3, "parents", KC_I32, 4, SLOT_PARENTS, want->n_runs, parents);
  ARRAY (4, "cracks", KC_I32, 4, SLOT_CRACKS, want->n_runs, cracks);
  ARRAY (5, "areas", KC_I32, 4, SLOT_AREAS, want->n_runs, areas);
#undef ARRAY
  for (guint i = 0; i < G_N_ELEMENTS (arrays) && ok; i++)
    ok = read_slot (run, self, arrays[i].slot, arrays[i].got,
        arrays[i].n * arrays[i].size);
  if (ok)
    clear_unused (&got, result);
  for (guint i = 0; i < G_N_ELEMENTS (arrays) && ok; i++) {
    KcArray a = { arrays[i].name, arrays[i].type, arrays[i].want,
      arrays[i].n * arrays[i].size, arrays[i].size, arrays[i].n, 1
    }, b = a;

    b.data = arrays[i].got;
    ok = kc_compare_array (run, &a, &b);
  }
  runs_clear (&got);
  return ok;
}

static void
compare (KcRun * run, const Case * c, const Maps * maps, MgpuComponents * self,
    const MgpuComponentsResult * result)
{
  Runs want = { 0 };

  runs_init (&want, result->n_rows, result->n_runs);
  for (guint i = 0; i < result->n_maps; i++)
    refer_map (&want, c, maps->pixels[i], i, &result->maps[i]);
  limit_list (&want, c);
  if (compare_runs (run, self, result, &want))
    compare_list (run, self, &want);
  runs_clear (&want);
}

static void
check_case (KcRun * run, const Case * c, KcRandom * random)
{
  GError *error = NULL;
  MgpuComponentsResult result;
  MgpuComponents *self;
  Maps maps;
  GstMgpuMemory *bits;
  GstMgpuJob job;

  kc_case_begin (run, c->kind, "%s %dx%d, %u maps, eight %d, classes %d, least "
      "cracks %d, least area %d, roughness %d, most %u, most cracks %u",
      names[c->pattern], c->width, c->height, c->n_maps, c->params.eight,
      c->params.classes, c->params.least_cracks, c->params.least_area,
      c->params.roughness, c->most, c->most_cracks);
  maps_init (&maps, c, random);
  bits = kc_memory_new (run, maps.words->data, 4 * maps.words->len);
  self = mgpu_object_new (&mgpu_components, run->context, NULL, NULL, NULL,
      &maps.setup, &error);
  if (self == NULL)
    kc_case_fail_error (run, error);
  /* Runs the kernels twice on the same arrays. The second run starts with the values that the
   * first run has left in the arrays. */
  for (guint i = 0; i < 2 && self != NULL && bits != NULL; i++) {
    gst_mgpu_job_begin (&job, run->queue, run->stats);
    mgpu_components_enqueue (self, &job, &c->params,
        gst_mgpu_job_read (&job, bits), &result);
    if (kc_end_job (run, &job))
      compare (run, c, &maps, self, &result);
  }
  mgpu_object_free (self);
  g_clear_pointer (&bits, kc_memory_free);
  maps_clear (&maps);
  kc_case_end (run);
}

static void
check_fixed (KcRun * run)
{
  static const MgpuComponentsParams params[] = {
    {MGPU_COMPONENTS_WHITE, 3, 1, 1, 100000}, {MGPU_COMPONENTS_BLACK, 1, 8, 4,
        40},
    {MGPU_COMPONENTS_WHITE, MGPU_COMPONENTS_BLACK, 6, 2, 200}
  };
  guint n_sizes = kc_is_oclgrind (run) ? 1 : run->quick ? 5
      : G_N_ELEMENTS (sizes), turn = 0;
  KcRandom random;

  kc_random_init (&random, 1);
  for (guint i = 0; i < N_PATTERNS; i++)
    for (guint s = 0; s < n_sizes && kc_goes_on (run); s++, turn++) {
      const Case c = {
        KC_FIXED, i, sizes[s][0], sizes[s][1], 1 + turn % 3,
        turn % 4 == 3 ? 5 : 100000, turn % 5 == 4 ? 60 : 1000000,
        params[turn % G_N_ELEMENTS (params)]
      };

      check_case (run, &c, &random);
    }
}

static void
check_random (KcRun * run, KcRandom * random)
{
  guint edge = run->quick ? 80 : 400;
  const Case c = {
    .kind = KC_RANDOM,
    .pattern = kc_random_below (random, N_PATTERNS),
    .width = 1 + kc_random_below (random, edge),
    .height = 1 + kc_random_below (random, edge),
    .n_maps = 1 + kc_random_below (random, MGPU_COMPONENTS_MAX_MAPS),
    .most = kc_random_below (random, 2) ? 20 : 100000,
    .most_cracks = kc_random_below (random, 2) ? 300 : 1000000,
    .params = {
          1 + kc_random_below (random, 2), 1 + kc_random_below (random, 3),
          kc_random_below (random, 20), kc_random_below (random, 20),
        1 + kc_random_below (random, 300)}
  };

  check_case (run, &c, random);
}

static void
check (KcRun * run)
{
  check_fixed (run);
  kc_check_random (run, run->seed,
      kc_is_oclgrind (run) ? 0 : run->quick ? 5 : 60, check_random);
}

/* ---- Timing ------------------------------------------------------------------- */

typedef struct
{
  KcRun *run;
  MgpuComponents *self;
  GstMgpuMemory *bits;
  MgpuComponentsParams params;
} Bench;

static gdouble
time_ours (gpointer data)
{
  Bench *bench = data;
  KcRun *run = bench->run;
  guint64 before = kc_device_time (run);
  MgpuComponentsResult result;
  GstMgpuJob job;

  gst_mgpu_job_begin (&job, run->queue, run->stats);
  mgpu_components_enqueue (bench->self, &job, &bench->params,
      gst_mgpu_job_read (&job, bench->bits), &result);
  return kc_finish (run, &job, (GstMgpuMemory *)
      ((MgpuObject *) bench->self)->slots[mgpu_components.n_slots - 1], before);
}

static void
bench_size (KcRun * run, gint width, gint height)
{
  const Case c = { KC_RANDOM, RANDOM, width, height, 1, 16384, width * height,
    {MGPU_COMPONENTS_WHITE, MGPU_COMPONENTS_BLACK, 16, 12, 200}
  };
  Bench bench = {.run = run,.params = c.params };
  GError *error = NULL;
  KcRandom random;
  Maps maps;

  kc_case_begin (run, KC_RANDOM, "bench %dx%d", width, height);
  kc_random_init (&random, 3);
  maps_init (&maps, &c, &random);
  bench.bits = kc_memory_new (run, maps.words->data, 4 * maps.words->len);
  bench.self = mgpu_object_new (&mgpu_components, run->context, NULL, NULL,
      NULL, &maps.setup, &error);
  if (bench.self == NULL)
    kc_case_fail_error (run, error);
  else if (bench.bits != NULL) {
    const KcContestant contestants[] = { {"ours", time_ours, &bench} };
    g_autofree gchar *what = g_strdup_printf ("components of noise %dx%d",
        width, height);

    kc_bench (run, what, contestants, 1);
  }
  mgpu_object_free (bench.self);
  g_clear_pointer (&bench.bits, kc_memory_free);
  maps_clear (&maps);
  kc_case_end (run);
}

const KcFunction kc_components =
    { "components", check,.bench_size = bench_size };
