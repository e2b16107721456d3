/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Searches frames for people with HOG features and a linear SVM. */
#include "people.h"

#include <string.h>

#include "people-plan.h"
#include <gst/vision/base/map.h>
#include <gst/vision/convert/rgbx.h>
#include <kernels/people/people-shared.h>

/* Largest number of hits (windows with a high score) in the list that kernels write. If there
 * are more hits, the host reads the scores of all windows instead. */
#define ROOM 4096

G_STATIC_ASSERT (MGPU_PEOPLE_CELL == CELL);
G_STATIC_ASSERT (MGPU_PEOPLE_FEATURES == BLOCK_FEATURES);

/* Indices into the array @knobs, which lists the tuning parameters (knobs) of the kernels */
enum
{
  LANES,
  GROUP,
  COLUMNS,
  CLASSES,
  ROWS,
  WINDOWS,
  BATCH
};

/* Tuning parameters (knobs) of the kernels. The values for CPUs are chosen to keep the data in
 * the caches, those for GPUs to make many work-items, and those for phones to need little
 * memory. */
static const MgpuKnob knobs[] = {
  {"LANES", {16, 1, 1}, NULL,
      "number of neighboring tiles, blocks or windows of a row that a "
      "work-item computes"},
  {"GROUP", {1, 64, 32}, "1 16 32 64 128",
      "number of work-items in a work-group"},
  {"COLUMNS", {1, 64, 32}, "1 16 32 64 128",
      "number of work-items that together scale one class of columns of a "
      "row"},
  {"CLASSES", {1, 1, 8}, "1 2 4 8",
      "number of work-items among which the classes of columns of a row are "
      "divided"},
  {"ROWS", {4, 2, 2}, "1 2 4 8",
      "number of rows of windows that a work-item computes, or a work-group "
      "whose work-items share blocks"},
  {"WINDOWS", {0, 32, 0}, "0 16 32 64",
      "number of columns of windows that a work-group computes if its "
      "work-items share blocks in local memory (0: they do not)"},
  {"BATCH", {0, 1 << 24, 0}, "0 1048576 4194304 16777216",
      "number of samples of levels that are processed at once; at least one "
      "level is processed"},
  {NULL}
};

/* Indices into the array @kernels, which lists the OpenCL kernels of the people detector */
enum
{
  SCALE,
  MAKE_TILES,
  MAKE_BLOCKS,
  SCORE,
  COUNT,
  LIST
};

/* Numbers of the sets of kernels. SET_SAMPLES depends on the format of frames and on whether
 * square roots of samples are used. SET_SCORE depends on the size of the detection window. Set 0
 * contains the other kernels. */
enum
{
  SET_SAMPLES = 1,
  SET_SCORE
};

static const MgpuKernel kernels[] = {
  [SCALE] = {"people/scale", "people_scale", SET_SAMPLES},
  [MAKE_TILES] = {"people/tiles", "people_tiles", SET_SAMPLES},
  [MAKE_BLOCKS] = {"people/blocks", "people_blocks", 0},
  [SCORE] = {"people/windows", "people_score", SET_SCORE},
  [COUNT] = {"people/blocks", "people_count", 0},
  [LIST] = {"people/blocks", "people_list", 0},
  {NULL}
};

/* Indices of the slots: scratch buffers in device memory, in which kernels leave data for later
 * kernels.
 * PLAN: tables of levels, and weights
 * LISTS: work lists of kernels
 * SAMPLES: the frame in the scaled sizes of a batch
 * HISTOGRAMS, FEATURES: computed from these samples
 * COUNTS: number of hits in each span of the list MGPU_PEOPLE_HITS */
enum
{
  PLAN,
  LISTS,
  SAMPLES,
  HISTOGRAMS,
  FEATURES,
  COUNTS,
  N_SLOTS
};

struct _MgpuPeople
{
  MgpuObject object;
  MgpuPeoplePlan plan;
  gboolean has_lists;           /* whether the scratch buffer LISTS contains the current work
                                 * lists of @plan */
  MgpuRgbx rgbx;
};

/* ---- Making the object ------------------------------------------------------ */

/* Returns: whether the device allows work-groups that share blocks in local memory, with the
 * current values of the tuning parameters */
static gboolean
can_share (const MgpuPeople * self, const MgpuPeopleWindow * window)
{
  const GstMgpuTraits *traits = self->object.traits;
  const gint *knobs = self->object.knobs;
  guint64 floats = (knobs[ROWS] + 1) * (knobs[WINDOWS] + window->columns - 1)
      + 2 * GST_ROUND_UP_4 (window->columns);

  return (gsize) knobs[WINDOWS] * knobs[ROWS] <= traits->max_work_group_size
      && floats * BLOCK_FEATURES * sizeof (gfloat)
      <= traits->local_memory_size;
}

/* Lowers the values of tuning parameters that the device does not allow. Work-groups that share
 * blocks get fewer rows of windows, or no longer share blocks. */
static void
lower_knobs (MgpuPeople * self, const MgpuPeopleWindow * window)
{
  gint *knobs = self->object.knobs;

  if (knobs[LANES] > 1)
    knobs[WINDOWS] = 0;
  while (knobs[WINDOWS] > 0 && knobs[ROWS] > 1 && !can_share (self, window))
    knobs[ROWS] /= 2;
  if (!can_share (self, window))
    knobs[WINDOWS] = 0;
}

static gboolean
init (gpointer object, gconstpointer params, GError ** error)
{
  MgpuPeople *self = object;
  const gint *knobs = self->object.knobs;

  lower_knobs (self, params);
  self->plan.width = GST_VIDEO_INFO_WIDTH (&self->object.in);
  self->plan.height = GST_VIDEO_INFO_HEIGHT (&self->object.in);
  self->plan.window = *(const MgpuPeopleWindow *) params;
  self->plan.channels = GST_VIDEO_INFO_IS_GRAY (&self->object.in) ? 1 : 3;
  self->plan.lanes = knobs[LANES];
  self->plan.row_step = knobs[ROWS];
  return mgpu_people_plan_init (&self->plan, knobs[BATCH], error)
      && (self->plan.n_levels == 0 || (mgpu_rgbx_init (&self->rgbx,
              self->object.context, &self->object.in, error)
          && mgpu_object_build (self, SET_SAMPLES, error)
          && mgpu_object_build (self, SET_SCORE, error)));
}

static void
define (gpointer object, guint set, GString * options)
{
  const MgpuPeoplePlan *plan = &((MgpuPeople *) object)->plan;
  const MgpuPeopleWindow *window = &plan->window;

  if (set == SET_SAMPLES)
    g_string_append_printf (options, " -DROOTS=%d -DCHANNELS=%d",
        window->has_roots, plan->channels);
  else if (set == SET_SCORE)
    g_string_append_printf (options, " -DBLOCK_COLUMNS=%d -DBLOCK_ROWS=%d",
        window->columns, window->rows);
}

static void
clear (gpointer object)
{
  MgpuPeople *self = object;

  mgpu_rgbx_clear (&self->rgbx);
  mgpu_people_plan_clear (&self->plan);
}

static const MgpuAlgorithm people = {
  .size = sizeof (MgpuPeople),
  .knobs = knobs,
  .kernels = kernels,
  .n_slots = N_SLOTS,
  .init = init,
  .define = define,
  .clear = clear
};

MgpuPeople *
mgpu_people_new (GstMgpuContext * context, const GstVideoInfo * info,
    const MgpuPeopleWindow * window, GError ** error)
{
  return mgpu_object_new (&people, context, info, NULL, NULL, window, error);
}

guint
mgpu_people_get_levels (MgpuPeople * self, const MgpuPeopleLevel ** levels)
{
  *levels = self->plan.levels;
  return self->plan.n_levels;
}

void
mgpu_people_get_sizes (MgpuPeople * self, gsize * scores, gsize * hits)
{
  *scores = MAX (self->plan.n_scores, 1) * sizeof (gfloat);
  *hits = (1 + ROOM) * PEOPLE_HIT * sizeof (gint);
}

/* ---- Work on a frame -------------------------------------------------------- */

/* Arguments of the functions that enqueue the kernels for one frame. */
typedef struct
{
  GstMgpuJob *job;
  const MgpuImage *in;
  cl_mem plan, lists, scores;
} Frame;

/* Uploads the work lists for the detection windows that @places selects, unless the device has
 * these lists already. Returns: FALSE if there is no window to score, or after an error */
static gboolean
update_lists (MgpuPeople * self, GstMgpuJob * job,
    const MgpuPeoplePlaces * places)
{
  const GArray *lists = self->plan.lists;

  if (mgpu_people_plan_find (&self->plan, places))
    self->has_lists = FALSE;
  if (self->plan.hits.n == 0)
    return FALSE;
  if (!self->has_lists)
    self->has_lists = mgpu_slot_upload (self, LISTS, job, lists->data,
        lists->len * sizeof (gint), 0);
  return self->has_lists;
}

static void
enqueue_scale (MgpuPeople * self, const Frame * f, cl_mem planes,
    const MgpuPeopleRows * rows)
{
  const gint *knobs = self->object.knobs;
  cl_kernel kernel = self->object.kernels[SCALE];
  gsize local[3] = { knobs[COLUMNS], 1, 1 };
  gsize global[3] = { knobs[COLUMNS], knobs[CLASSES], rows->n };
  MgpuComponent red = mgpu_get_component (&f->in->info, 0);
  MgpuComponent blue = mgpu_get_component (&f->in->info, 2);

  gst_mgpu_job_set_args (f->job, kernel, "miiiimmim",
      gst_mgpu_job_read (f->job, f->in->memory), red.offset - red.position,
      red.stride, 8 * red.position, 8 * blue.position, f->plan, f->lists,
      rows->begin, planes);
  gst_mgpu_job_launch (f->job, kernel, 3, global, local);
}

static void
enqueue_batch (MgpuPeople * self, const Frame * f,
    const MgpuPeopleBatch * batch)
{
  const MgpuPeoplePlan *plan = &self->plan;
  const gint *knobs = self->object.knobs;
  const gsize shared[2] = { knobs[WINDOWS], knobs[ROWS] };
  const MgpuPeopleRows *tile_rows = batch->rows + MGPU_PEOPLE_TILES;
  const MgpuPeopleRows *block_rows = batch->rows + MGPU_PEOPLE_BLOCKS;
  const MgpuPeopleRows *window_rows = batch->rows + MGPU_PEOPLE_WINDOWS;
  cl_kernel *kernels = self->object.kernels;
  cl_mem planes = mgpu_slot_write (self, SAMPLES, f->job,
      plan->n_planes * sizeof (gfloat));
  cl_mem tiles = mgpu_slot_write (self, HISTOGRAMS, f->job,
      plan->n_tiles * sizeof (gfloat));
  cl_mem blocks = mgpu_slot_write (self, FEATURES, f->job,
      plan->n_blocks * sizeof (gfloat));

  if (window_rows->n == 0)
    return;
  enqueue_scale (self, f, planes, batch->rows + MGPU_PEOPLE_SAMPLES);
  gst_mgpu_job_set_args (f->job, kernels[MAKE_TILES], "mmmim", planes, f->plan,
      f->lists, tile_rows->begin, tiles);
  if (knobs[LANES] == 1)
    mgpu_launch_rows (f->job, kernels[MAKE_TILES], 1,
        tile_rows->columns * CELL, tile_rows->n, 1, TOGETHER * CELL);
  else
    mgpu_launch_rows (f->job, kernels[MAKE_TILES], 1, tile_rows->columns,
        tile_rows->n, knobs[LANES], knobs[GROUP]);
  gst_mgpu_job_set_args (f->job, kernels[MAKE_BLOCKS], "mmmim", tiles, f->plan,
      f->lists, block_rows->begin, blocks);
  mgpu_launch_rows (f->job, kernels[MAKE_BLOCKS], 1, block_rows->columns,
      block_rows->n, knobs[LANES], knobs[GROUP]);
  gst_mgpu_job_set_args (f->job, kernels[SCORE], "mmmiim", blocks, f->plan,
      f->lists, window_rows->begin, plan->weights, f->scores);
  if (knobs[WINDOWS] > 0)
    mgpu_launch (f->job, kernels[SCORE], window_rows->columns,
        window_rows->n * knobs[ROWS], 1, 1, shared);
  else
    mgpu_launch_rows (f->job, kernels[SCORE], 1, window_rows->columns,
        window_rows->n, knobs[LANES], knobs[GROUP]);
}

void
mgpu_people_enqueue (MgpuPeople * self, GstMgpuJob * job, gdouble threshold,
    const MgpuPeoplePlaces * places, const MgpuImage * in,
    GstMgpuMemory * scores, GstMgpuMemory * hits)
{
  const MgpuPeoplePlan *plan = &self->plan;
  cl_kernel count = self->object.kernels[COUNT];
  cl_kernel list = self->object.kernels[LIST];
  gsize local = 64, global;
  MgpuImage pixels;
  Frame f = { job, &pixels };
  cl_mem counts;

  if (plan->n_levels == 0 || !update_lists (self, job, places)
      || !mgpu_rgbx_enqueue (&self->rgbx, job, in, &pixels))
    return;
  f.plan = mgpu_slot_read_words (self, PLAN, job, plan->words);
  f.lists = mgpu_slot_read (self, LISTS, job);
  f.scores = gst_mgpu_job_write (job, scores);
  for (guint i = 0; i < plan->batches->len; i++)
    enqueue_batch (self, &f, &g_array_index (plan->batches, MgpuPeopleBatch,
            i));

  counts = mgpu_slot_write (self, COUNTS, job, plan->hits.n * sizeof (gint));
  global = GST_ROUND_UP_64 (plan->hits.n);
  gst_mgpu_job_set_args (job, count, "mmmiifm", f.scores, f.plan, f.lists,
      plan->hits.begin, (gint) plan->hits.n, threshold, counts);
  gst_mgpu_job_launch (job, count, 1, &global, &local);
  gst_mgpu_job_set_args (job, list, "mmmiifmim", f.scores, f.plan, f.lists,
      plan->hits.begin, (gint) plan->hits.n, threshold, counts, ROOM,
      gst_mgpu_job_write (job, hits));
  gst_mgpu_job_launch (job, list, 1, &global, &local);
}

/* ---- Boxes of people -------------------------------------------------------- */

/* Appends the box of a detection window with a high score to @boxes. The window is at (@column,
 * @row) of the level with the index @level. Ignores windows that do not exist, which only a faulty
 * device can list. */
static void
add_box (MgpuPeople * self, guint level, gint row, gint column, gfloat score,
    GArray * boxes)
{
  const MgpuPeopleLevel *l = self->plan.levels + level;
  MgpuScoredBox box;

  if (level >= self->plan.n_levels || row < 0 || row >= l->rows || column < 0
      || column >= l->columns)
    return;
  box = mgpu_people_plan_get_box (&self->plan, level, row, column);
  box.score = score;
  g_array_append_val (boxes, box);
}

/* Appends the boxes of all detection windows with a score of at least @threshold to @boxes.
 * Reads all scores. Used if there are more hits than fit into the list of hits. */
static void
find_boxes (MgpuPeople * self, const GArray * windows, gfloat threshold,
    const gfloat * scores, GArray * boxes)
{
  const MgpuPeoplePlan *plan = &self->plan;

  for (guint i = 0; i < windows->len; i += PEOPLE_SPAN) {
    const gint *span = &g_array_index (windows, gint, i);
    gint level = span[SPAN_LEVEL], y = span[SPAN_ROW];
    const gfloat *row = scores + plan->levels[level].first
        + (gsize) y * plan->levels[level].pitch;

    for (gint x = span[SPAN_BEGIN]; x < span[SPAN_END]; x++)
      if (row[x] >= threshold)
        add_box (self, level, y, x, row[x], boxes);
  }
}

GArray *
mgpu_people_get_windows (MgpuPeople * self)
{
  return g_array_ref (self->plan.windows);
}

gboolean
mgpu_people_read (MgpuPeople * self, const GArray * windows, gdouble threshold,
    GstMgpuMemory * scores, GstMgpuMemory * hits, GArray * boxes,
    GError ** error)
{
  GstMapInfo info;
  const gint *list;
  gint n;

  if (windows->len == 0)
    return TRUE;
  if (!mgpu_map_result (hits, &info, error))
    return FALSE;
  list = (const gint *) info.data;
  n = list[0];
  for (gint i = 1; n <= ROOM && i <= n; i++) {
    const gint *hit = list + PEOPLE_HIT * i;
    gfloat score;

    memcpy (&score, hit + 3, sizeof (score));
    add_box (self, hit[0], hit[1], hit[2], score, boxes);
  }
  gst_memory_unmap (GST_MEMORY_CAST (hits), &info);
  if (n <= ROOM)
    return TRUE;

  if (!mgpu_map_result (scores, &info, error))
    return FALSE;
  find_boxes (self, windows, threshold, (const gfloat *) info.data, boxes);
  gst_memory_unmap (GST_MEMORY_CAST (scores), &info);
  return TRUE;
}
