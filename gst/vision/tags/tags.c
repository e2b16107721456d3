/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds and reads AprilTag and ArUco tags. */
#include "tags.h"

#include <string.h>

#include <gst/vision/base/words.h>
#include <gst/vision/components/components.h>
#include <gst/vision/threshold/threshold.h>
#include <kernels/tags/tags-private.h>

/* Number of work-items on CPUs; they process the elements of a list alternately */
#define N_PARTS 64

/* Minimum range of values that a threshold divides, in 8-bit steps */
#define CONTRAST 12

/* Indices of the tuning parameters in the list */
enum
{
  ITEMS,
  GROUP,
  WIDE,
  SCAN
};

static const MgpuKnob knobs[] = {
  {"ITEMS", {1, 64, 32}, "1 16 32 64 128",
      "number of work-items that share a row of runs"},
  {"GROUP", {1, 64, 32}, "1 16 32 64",
      "number of work-items that process a candidate"},
  {"WIDE", {1, 128, 32}, "1 32 64 128 256",
      "number of work-items that process a quad or a tag"},
  {"SCAN", {1, 1024, 64}, "1 64 128 256 512 1024",
      "number of work-items that make a list"},
  {NULL}
};

enum
{
  POINTS,
  QUADS,
  LIST,
  READ,
  CELLS
};

static const MgpuKernel kernels[] = {
  [POINTS] = {"tags/points", "tags_points", 0, TRUE},
  [QUADS] = {"tags/quads", "tags_quads", 0, TRUE},
  [LIST] = {"tags/lists", "tags_list", 0, TRUE},
  [READ] = {"tags/read", "tags_read", 0, TRUE},
  [CELLS] = {"tags/cells", "tags_cells", 0, TRUE},
  {NULL}
};

/* Indices of the slots: scratch buffers in device memory */
enum
{
  MAPS_SLOT,
  FAMILIES_SLOT,                /* array of TagsFamily */
  PLACES_SLOT,                  /* the cell of each bit of the families */
  CODES_SLOT,
  BORDERS_SLOT,                 /* table of the border widths that are tested */
  POINTS_SLOT,
  QUADS_SLOT,                   /* a TagsQuad for each candidate */
  LISTED_SLOT,                  /* quads that pass the test of the border */
  READS_SLOT,                   /* a TagsRead for each of these quads */
  STATE_SLOT,
  N_SLOTS
};

struct _MgpuTags
{
  MgpuObject object;
  MgpuThreshold *threshold;
  MgpuComponents *components;
  guint n_maps;
  TagsMap maps[MGPU_THRESHOLD_MAX_MAPS];
  guint most, most_points, most_quads;  /* maximum lengths of the lists */
  guint n_families;
  GArray *families, *places, *codes;    /* tables of words */
  gboolean is_new;              /* whether the tables have to be copied to the device */
  gint polarity;                /* polarity for which the table of borders on the device was made */
  guint n_borders, classes;
};

static const MgpuThresholdSetup maps_of[] = {
  [MGPU_TAGS_FULL] = {2, 3, {{0, 2}, {1, 4}},
      {{0, FALSE}, {1, FALSE}, {1, TRUE}}},
  [MGPU_TAGS_HALF] = {1, 2, {{1, 4}}, {{0, FALSE}, {0, TRUE}}},
  [MGPU_TAGS_QUARTER] = {1, 2, {{2, 4}}, {{0, FALSE}, {0, TRUE}}}
};

/* ---- Making the object ----------------------------------------------------- */

static void
lower_knobs (MgpuTags * self)
{
  gint *values = self->object.knobs;
  gint limit = self->object.traits->max_work_group_size;

  for (guint i = ITEMS; i <= SCAN; i++)
    while (values[i] > limit)
      values[i] /= 2;
}

static gboolean
make_components (MgpuTags * self, GError ** error)
{
  MgpuComponentsSetup setup = {.most = self->most,
    .most_cracks = self->most_points
  };
  const ThresholdMap *maps =
      mgpu_threshold_get_maps (self->threshold, &self->n_maps);
  const ThresholdPicture *pictures =
      mgpu_threshold_get_pictures (self->threshold);

  setup.n_maps = self->n_maps;
  for (guint i = 0; i < self->n_maps; i++) {
    const ThresholdPicture *picture = &pictures[maps[i].picture];

    setup.maps[i].width = picture->width;
    setup.maps[i].height = picture->height;
    setup.maps[i].bits = maps[i].bits;
    setup.maps[i].words = maps[i].words;
    setup.maps[i].most_cracks = 4 * (picture->width + picture->height);
    self->maps[i] = (TagsMap) {
    .pixels = picture->plane,.stride = picture->stride,.is_halved =
          picture->halvings > 0,.tile = picture->tile,.columns =
          picture->columns[0],.thresholds = maps[i].thresholds,.scale =
          1 << picture->halvings};
  }
  self->components = mgpu_object_new (&mgpu_components, self->object.context,
      NULL, NULL, NULL, &setup, error);
  return self->components != NULL;
}

static gboolean
init (gpointer object, gconstpointer params, GError ** error)
{
  MgpuTags *self = object;
  const MgpuTagsSetup *setup = params;
  MgpuComponent c = mgpu_get_component (&self->object.in, 0);
  guint64 n = (guint64) c.width * c.height / 2;

  lower_knobs (self);
  self->most_points = MAX (n, 64);
  self->most = MIN (TAGS_MAX_CANDIDATES, self->most_points / 16);
  self->most_quads = MIN (TAGS_MAX_QUADS, self->most);
  self->families = mgpu_words_new ();
  self->places = mgpu_words_new ();
  self->codes = mgpu_words_new ();
  self->is_new = TRUE;
  mgpu_words_grow (self->families, sizeof (TagsFamily) / sizeof (gint));
  mgpu_words_grow (self->places, 2);
  mgpu_words_grow (self->codes, 2);
  self->threshold = mgpu_object_new (&mgpu_threshold, self->object.context,
      &self->object.in, NULL, NULL,
      &maps_of[setup != NULL ? setup->detail : MGPU_TAGS_FULL], error);
  return self->threshold != NULL && make_components (self, error);
}

static void
clear (gpointer object)
{
  MgpuTags *self = object;

  mgpu_object_free (self->threshold);
  mgpu_object_free (self->components);
  g_clear_pointer (&self->families, g_array_unref);
  g_clear_pointer (&self->places, g_array_unref);
  g_clear_pointer (&self->codes, g_array_unref);
}

gboolean
mgpu_tags_check_size (const MgpuTags * self, GError ** error)
{
  return mgpu_components_check_size (self->components, error);
}

static void
add_family (MgpuTags * self, const MgpuTagsFamily * family)
{
  TagsFamily words = {.n_bits = family->n_bits,.n_codes = family->n_codes,
    .border = family->border,.width = family->width,
    .is_white = family->is_white != 0,
    .first_cell = mgpu_words_grow (self->places, 2 * family->n_bits),
    .first_code = mgpu_words_grow (self->codes, 2 * family->n_codes) / 2
  };

  memcpy (words.most_errors, family->most_errors, sizeof (words.most_errors));
  for (guint i = 0; i < family->n_bits; i++) {
    *mgpu_words_at (self->places, words.first_cell + 2 * i) = family->x[i];
    *mgpu_words_at (self->places, words.first_cell + 2 * i + 1) = family->y[i];
  }
  if (family->n_codes > 0)
    memcpy (mgpu_words_at (self->codes, 2 * words.first_code), family->codes,
        family->n_codes * sizeof (guint64));
  g_array_append_vals (self->families, &words, sizeof (words) / sizeof (gint));
}

void
mgpu_tags_set_families (MgpuTags * self, const MgpuTagsFamily * families,
    guint n)
{
  g_array_set_size (self->families, 0);
  g_array_set_size (self->places, 0);
  g_array_set_size (self->codes, 0);
  self->n_families = MIN (n, TAGS_MAX_FAMILIES);
  for (guint i = 0; i < self->n_families; i++)
    add_family (self, &families[i]);
  /* Allocates at least one word, because kernels need memories that are not empty. */
  mgpu_words_grow (self->families, sizeof (TagsFamily) / sizeof (gint));
  mgpu_words_grow (self->places, 2);
  mgpu_words_grow (self->codes, 2);
  self->is_new = TRUE;
}

/* ---- Work on a frame -------------------------------------------------------- */

/* Makes the table of border widths: for each width, the number of cells, and whether black and
 * white borders of this width are searched for. */
static GArray *
make_borders (MgpuTags * self, gint polarity)
{
  const TagsFamily *families = (const TagsFamily *) self->families->data;
  GArray *borders = mgpu_words_new ();

  self->classes = 0;
  for (guint i = 0; i < self->n_families; i++) {
    gint normal = families[i].is_white;
    guint at = 0;

    while (at < borders->len
        && *mgpu_words_at (borders, at) != families[i].border)
      at += 3;
    if (at == borders->len) {
      mgpu_words_grow (borders, 3);
      *mgpu_words_at (borders, at) = families[i].border;
    }
    if (polarity != MGPU_TAGS_INVERTED) {
      *mgpu_words_at (borders, at + 1 + normal) = 1;
      self->classes |= 1 << normal;
    }
    if (polarity != MGPU_TAGS_NORMAL) {
      *mgpu_words_at (borders, at + 2 - normal) = 1;
      self->classes |= 1 << (1 - normal);
    }
  }
  self->n_borders = borders->len / 3;
  mgpu_words_grow (borders, 3);
  return borders;
}

static gboolean
ensure_tables (MgpuTags * self, GstMgpuJob * job, gint polarity)
{
  gboolean ok = mgpu_slot_has (self, MAPS_SLOT, sizeof (self->maps))
      || mgpu_slot_upload (self, MAPS_SLOT, job, self->maps,
      sizeof (self->maps), 0);

  if (ok && self->is_new)
    ok = mgpu_slot_set_words (self, FAMILIES_SLOT, job, self->families)
        && mgpu_slot_set_words (self, PLACES_SLOT, job, self->places)
        && mgpu_slot_set_words (self, CODES_SLOT, job, self->codes);
  if (ok && (self->is_new || self->polarity != polarity)) {
    GArray *borders = make_borders (self, polarity);

    ok = mgpu_slot_set_words (self, BORDERS_SLOT, job, borders);
    g_array_unref (borders);
    self->polarity = polarity;
    self->is_new = !ok;
  }
  return ok;
}

/* Arguments that the kernels of a frame share */
typedef struct
{
  GstMgpuJob *job;
  const MgpuTagsParams *params;
  MgpuThresholdResult threshold;
  MgpuComponentsResult components;
  cl_mem maps, families, places, codes, points, quads, listed, reads, state,
      result;
} Work;

/* Launches a kernel for each of at most @n elements of a list, with @group work-items for each. */
static void
launch_list (MgpuTags * self, Work * work, guint kernel, guint n, gint group)
{
  mgpu_launch_items (work->job, self->object.kernels[kernel],
      (gsize) (group == 1 ? MIN (n, N_PARTS) : n) * group, group);
}

#define FRAME "miiii"
#define FRAME_OF(t, c) (t)->frame, (t)->offset, (t)->stride, (c).width, \
    (c).height

static void
enqueue_quads (MgpuTags * self, Work * work)
{
  const MgpuThresholdResult *t = &work->threshold;
  const MgpuComponentsResult *c = &work->components;
  MgpuComponent in = mgpu_get_component (&self->object.in, 0);
  cl_kernel *list = self->object.kernels;
  GstMgpuJob *job = work->job;
  gint items = self->object.knobs[ITEMS];

  gst_mgpu_job_set_args (job, list[POINTS], "miimmiimmmmmmmmm", c->map_table,
      c->n_maps, c->n_rows, work->maps, t->frame, t->offset, t->stride,
      t->halves, t->thresholds, c->rows, c->starts, c->labels, c->parents,
      c->places, c->list, work->points);
  mgpu_launch_items (job, list[POINTS], (gsize) c->n_rows * items, items);
  gst_mgpu_job_set_args (job, list[QUADS], FRAME "mmimmmm", FRAME_OF (t, in),
      work->maps, mgpu_slot_read (self, BORDERS_SLOT, job), self->n_borders,
      c->state, c->list, work->points, work->quads);
  launch_list (self, work, QUADS, self->most, self->object.knobs[GROUP]);
}

static void
enqueue_reading (MgpuTags * self, Work * work)
{
  const MgpuThresholdResult *t = &work->threshold;
  MgpuComponent c = mgpu_get_component (&self->object.in, 0);
  cl_kernel *list = self->object.kernels;
  GstMgpuJob *job = work->job;
  const MgpuTagsParams *params = work->params;
  gint scan = self->object.knobs[SCAN], wide = self->object.knobs[WIDE];
  gint polarity = params->polarity == MGPU_TAGS_NORMAL ? TAGS_IS_NORMAL
      : params->polarity == MGPU_TAGS_INVERTED ? TAGS_IS_INVERTED
      : TAGS_IS_NORMAL | TAGS_IS_INVERTED;

  gst_mgpu_job_set_args (job, list[LIST], "immmm", self->most_quads,
      work->components.state, work->quads, work->listed, work->state);
  mgpu_launch_items (job, list[LIST], scan, scan);
  gst_mgpu_job_set_args (job, list[READ], FRAME "mimimmifmmmm",
      FRAME_OF (t, c), work->maps, params->refine, work->families,
      self->n_families, work->places, work->codes, polarity, params->min_size,
      work->state, work->listed, work->quads, work->reads);
  launch_list (self, work, READ, self->most_quads, wide);
  gst_mgpu_job_set_args (job, list[CELLS], FRAME "mmmimmmm", FRAME_OF (t, c),
      work->families, work->places, work->codes, params->refine,
      work->components.state, work->state, work->reads, work->result);
  launch_list (self, work, CELLS, MIN (TAGS_MAX_TAGS, self->most_quads), wide);
}

void
mgpu_tags_enqueue (MgpuTags * self, GstMgpuJob * job,
    const MgpuTagsParams * params, const MgpuImage * in, GstMgpuMemory * result)
{
  MgpuComponent c = mgpu_get_component (&in->info, 0);
  Work work = {.job = job,.params = params };
  MgpuComponentsParams rule = { MGPU_COMPONENTS_WHITE, 0, 16, 12, 200 };

  if (!ensure_tables (self, job, params->polarity))
    return;
  mgpu_threshold_enqueue (self->threshold, job, in,
      CONTRAST * mgpu_get_steps (&c) + 0.5, &work.threshold);
  rule.classes = self->classes;
  mgpu_components_enqueue (self->components, job, &rule, work.threshold.bits,
      &work.components);
  work.maps = mgpu_slot_read (self, MAPS_SLOT, job);
  work.families = mgpu_slot_read (self, FAMILIES_SLOT, job);
  work.places = mgpu_slot_read (self, PLACES_SLOT, job);
  work.codes = mgpu_slot_read (self, CODES_SLOT, job);
  work.points = mgpu_slot_write (self, POINTS_SLOT, job,
      (gsize) self->most_points * 2 * sizeof (gint));
  work.quads = mgpu_slot_write (self, QUADS_SLOT, job,
      self->most * sizeof (TagsQuad));
  work.listed = mgpu_slot_write (self, LISTED_SLOT, job,
      self->most_quads * sizeof (gint));
  work.reads = mgpu_slot_write (self, READS_SLOT, job,
      self->most_quads * sizeof (TagsRead));
  work.state = mgpu_slot_write (self, STATE_SLOT, job,
      TAGS_STATE * sizeof (gint));
  work.result = gst_mgpu_job_write (job, result);
  enqueue_quads (self, &work);
  enqueue_reading (self, &work);
}

const MgpuAlgorithm mgpu_tags = {
  .size = sizeof (MgpuTags),
  .knobs = knobs,
  .kernels = kernels,
  .n_slots = N_SLOTS,
  .init = init,
  .clear = clear
};
