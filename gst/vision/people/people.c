/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "people.h"

#include <math.h>
#include <string.h>

#include <gst/vision/base/map.h>
#include <gst/vision/base/object.h>
#include <gst/vision/convert/rgbx.h>
#include <kernels/people/shared.h>

#define WINDOW_WIDTH 64
#define WINDOW_HEIGHT 128
#define MAX_LEVELS 64
#define STEP 1.05               /* factor from one scale to the next */

/* Number of hits for which the list has room. When the device finds more, the host reads
 * all scores instead. */
#define ROOM 4096

G_STATIC_ASSERT (MGPU_PEOPLE_N_WEIGHTS
    == BLOCK_ROWS * BLOCK_FEATURES * BLOCK_COLUMNS + 1);

/* Names the indices of the array knobs. */
enum
{
  LANES,
  GROUP,
  COLUMNS,
  CLASSES,
  BINS,
  ROWS,
  BATCH
};

/* Holds the knobs, which tune the kernels. Values for processors keep the data in their
 * caches, values for GPUs make many work-items, and values for phones need little
 * memory. */
static const MgpuKnob knobs[] = {
  {"LANES", {16, 1, 1}, NULL,
      "tiles, blocks or windows of a work-item, side by side"},
  {"GROUP", {1, 64, 32}, "1 16 32 64 128", "work-items of a work-group"},
  {"COLUMNS", {1, 64, 32}, "1 16 32 64 128",
      "work-items that share a class of a row that is scaled"},
  {"CLASSES", {1, 8, 8}, "1 2 4 8",
      "work-items that share the classes of such a row"},
  {"BINS", {9, 3, 3}, "3 9", "bins of a histogram that a work-item fills"},
  {"ROWS", {4, 1, 2}, "1 2 4 8", "rows of windows of a work-item"},
  {"BATCH", {0, 1 << 24, 0}, "0 1048576 4194304 16777216",
      "samples of levels that are worked on at once, or those of the largest"},
  {NULL}
};

/* Names the indices of the array kernels. */
enum
{
  SCALE,
  MAKE_TILES,
  MAKE_BLOCKS,
  SCORE,
  COUNT,
  LIST
};

static const MgpuKernel kernels[] = {
  [SCALE] = {"people/scale", "people_scale", 0},
  [MAKE_TILES] = {"people/score", "people_tiles", 0},
  [MAKE_BLOCKS] = {"people/score", "people_blocks", 0},
  [SCORE] = {"people/score", "people_score", 0},
  [COUNT] = {"people/score", "people_count", 0},
  [LIST] = {"people/score", "people_list", 0},
  {NULL}
};

/* Names the slots, which are memories on the device: the plan, the frame in the sizes of
 * a batch, histograms and features made from it, and the number of hits of each row. */
enum
{
  PLAN,
  SAMPLES,
  HISTOGRAMS,
  FEATURES,
  COUNTS,
  N_SLOTS
};

/* Describes a part of the plan: n pairs of a level and a row. */
typedef struct
{
  gint begin;
  guint n;
} Rows;

/* Describes levels that are worked on at once. All batches use the same memory, one after
 * the other. columns is the number of columns of tiles in the largest level. */
typedef struct
{
  Rows scale, tiles, blocks, windows;
  gint columns;
} Batch;

typedef struct
{
  gint width, height;
  gint tiles_x, tiles_y;
  gint pitch;
} Size;

struct _MgpuPeople
{
  MgpuObject object;
  guint n_levels;
  MgpuPeopleLevel levels[MAX_LEVELS];
  Size sizes[MAX_LEVELS];

  GArray *words;                /* the plan: tables that kernels read */
  gint weights;                 /* place of the weights in the plan */
  GArray *batches;
  Rows rows;                    /* rows of windows of all levels */
  gsize n_planes, n_tiles, n_blocks, n_scores;  /* sizes of memories, in floats */

  MgpuRgbx rgbx;
};

/* ---- The plan ------------------------------------------------------------- */

static void
add_word (MgpuPeople * self, gint word)
{
  g_array_append_val (self->words, word);
}

static void
plan_sizes (MgpuPeople * self)
{
  gint width = GST_VIDEO_INFO_WIDTH (&self->object.in);
  gint height = GST_VIDEO_INFO_HEIGHT (&self->object.in);
  gdouble scale = 1;

  for (guint i = 0; i < MAX_LEVELS; i++, scale *= STEP) {
    MgpuPeopleLevel *l = self->levels + i;
    Size *s = self->sizes + i;

    s->width = rint (width / scale);
    s->height = rint (height / scale);
    if (s->width < WINDOW_WIDTH || s->height < WINDOW_HEIGHT)
      break;
    s->tiles_x = s->width / CELL;
    s->tiles_y = s->height / CELL;
    s->pitch = GST_ROUND_UP_16 (s->tiles_x) + 16;
    l->scale = scale;
    l->columns = (s->width - WINDOW_WIDTH) / CELL + 1;
    l->rows = (s->height - WINDOW_HEIGHT) / CELL + 1;
    l->first = self->n_scores;
    l->pitch = GST_ROUND_UP_16 (l->columns);
    self->n_scores += (gsize) l->pitch * l->rows;
    self->n_levels++;
  }
}

static gsize
plane_size (const Size * s)
{
  return (gsize) s->height * CELL * s->pitch;
}

/* Checks that the kernels can count the samples of a level, and the bytes of a frame of
 * 4 bytes for a pixel, in an int. */
static gboolean
check_size (const MgpuPeople * self, GError ** error)
{
  if (self->n_levels == 0 || plane_size (&self->sizes[0]) <= G_MAXINT / 4)
    return TRUE;
  g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_OUT_OF_MEMORY,
      "people are found in frames of some %d million pixels at most, and these "
      "have %dx%d: scale them down before this element",
      G_MAXINT / 4 / 1000000, GST_VIDEO_INFO_WIDTH (&self->object.in),
      GST_VIDEO_INFO_HEIGHT (&self->object.in));
  return FALSE;
}

/* Finds the two neighbouring samples, among in_size samples, from which sample i of
 * out_size samples is made. Sets *share to the share of the second one, from 0 to 256.
 * Returns: the number of the first one, which is at most in_size - 2 */
static gint
find_source (gint i, gint in_size, gint out_size, gint * share)
{
  gdouble step = 1.0 / ((gdouble) out_size / in_size);
  gdouble at = step * (i + 0.5) - 0.5;
  gint first = CLAMP (floor (at), 0, in_size - 2);

  *share = rint (CLAMP (at - first, 0, 1) * 256);
  return first;
}

/* Adds to the plan from which pixels of the frame the columns and rows of a level are
 * made. Columns have the byte offset of the first pixel, and, after those of all columns,
 * the share of the second pixel as a float. They begin one tile left of the frame, which
 * is mirrored at its edges. Rows have the number of the first row times 512 plus the
 * share of the second. */
static void
add_sources (MgpuPeople * self, const Size * s)
{
  gint width = GST_VIDEO_INFO_WIDTH (&self->object.in);
  gint height = GST_VIDEO_INFO_HEIGHT (&self->object.in);
  guint at = self->words->len;
  gint share;

  g_array_set_size (self->words, at + 2 * CELL * s->pitch);
  for (gint i = 0; i < CELL * s->pitch; i++) {
    gint x = CELL * (i % s->pitch - 1) + i / s->pitch;

    x = x < 0 ? -x : x >= s->width ? MAX (2 * (s->width - 1) - x, 0) : x;
    g_array_index (self->words, gint, at + i) =
        4 * find_source (x, width, s->width, &share);
    g_array_index (self->words, gfloat, at + CELL * s->pitch + i) = share;
  }
  for (gint y = 0; y < s->height; y++) {
    gint row = find_source (y, height, s->height, &share);

    add_word (self, row << 9 | share);
  }
}

/* Gives the levels from begin to before end their places in the memories of a batch. */
static void
place_levels (MgpuPeople * self, guint begin, guint end)
{
  gsize planes = 0, tiles = 0, blocks = 0;

  for (guint i = begin; i < end; i++) {
    const MgpuPeopleLevel *l = self->levels + i;
    const Size *s = self->sizes + i;
    const gint words[PEOPLE_LEVEL] = {
      [HEIGHT] = s->height,[TILES_X] = s->tiles_x,[PITCH] = s->pitch,
      [PLANES] = planes,[PLANE] = plane_size (s),[TILES] = tiles,
      [BLOCKS] = blocks,[LAST_BLOCK] = s->tiles_y - 2,
      [FIRST_SCORE] = l->first,[WINDOWS_X] = l->columns,
      [WINDOWS_PITCH] = l->pitch,[SOURCES] = self->words->len
    };

    memcpy (&g_array_index (self->words, gint, PEOPLE_LEVEL * i), words,
        sizeof (words));
    add_sources (self, s);
    planes += 3 * plane_size (s);
    tiles += (gsize) s->tiles_y * 16 * ALL_BINS * s->pitch;
    blocks += (gsize) (s->tiles_y - 1) * BLOCK_FEATURES * s->pitch;
  }
  self->n_planes = MAX (self->n_planes, planes);
  self->n_tiles = MAX (self->n_tiles, tiles);
  self->n_blocks = MAX (self->n_blocks, blocks);
}

static void
add_rows (MgpuPeople * self, Rows * rows, guint level, gint n, gint step)
{
  for (gint row = 0; row < n; row += step) {
    add_word (self, level);
    add_word (self, row);
    rows->n++;
  }
}

static void
plan_batch (MgpuPeople * self, guint begin, guint end)
{
  Batch batch = {.columns = self->sizes[begin].tiles_x };

  place_levels (self, begin, end);
  batch.scale.begin = self->words->len;
  for (guint i = begin; i < end; i++)
    add_rows (self, &batch.scale, i, self->sizes[i].height, 1);
  batch.tiles.begin = self->words->len;
  for (guint i = begin; i < end; i++)
    add_rows (self, &batch.tiles, i, self->sizes[i].tiles_y, 1);
  batch.blocks.begin = self->words->len;
  for (guint i = begin; i < end; i++)
    add_rows (self, &batch.blocks, i, self->sizes[i].tiles_y - 1, 1);
  batch.windows.begin = self->words->len;
  for (guint i = begin; i < end; i++)
    add_rows (self, &batch.windows, i, self->levels[i].rows,
        self->object.knobs[ROWS]);
  g_array_append_val (self->batches, batch);
}

static void
make_plan (MgpuPeople * self)
{
  gsize most, sum = 0;
  guint begin = 0;

  g_array_set_size (self->words, PEOPLE_LEVEL * self->n_levels);
  most = MAX ((gsize) self->object.knobs[BATCH], self->n_levels > 0
      ? plane_size (&self->sizes[0]) : 0);
  for (guint i = 0; i < self->n_levels; i++) {
    gsize size = plane_size (&self->sizes[i]);

    if (sum + size > most) {
      plan_batch (self, begin, i);
      begin = i;
      sum = 0;
    }
    sum += size;
  }
  if (self->n_levels > 0)
    plan_batch (self, begin, self->n_levels);

  self->rows.begin = self->words->len;
  for (guint i = 0; i < self->n_levels; i++)
    add_rows (self, &self->rows, i, self->levels[i].rows, 1);
  self->weights = self->words->len;
  g_array_append_vals (self->words, mgpu_people_weights,
      MGPU_PEOPLE_N_WEIGHTS);
}

/* ---- The object ------------------------------------------------------------- */

static gboolean
init (gpointer object, gconstpointer params, GError ** error)
{
  MgpuPeople *self = object;

  plan_sizes (self);
  if (!check_size (self, error))
    return FALSE;
  self->words = g_array_new (FALSE, FALSE, sizeof (gint));
  self->batches = g_array_new (FALSE, FALSE, sizeof (Batch));
  make_plan (self);
  return self->n_levels == 0 || mgpu_rgbx_init (&self->rgbx,
      self->object.context, &self->object.in, error);
}

static void
clear (gpointer object)
{
  MgpuPeople *self = object;

  mgpu_rgbx_clear (&self->rgbx);
  g_clear_pointer (&self->words, g_array_unref);
  g_clear_pointer (&self->batches, g_array_unref);
}

static const MgpuAlgorithm people = {
  .size = sizeof (MgpuPeople),
  .knobs = knobs,
  .kernels = kernels,
  .n_slots = N_SLOTS,
  .init = init,
  .clear = clear
};

MgpuPeople *
mgpu_people_new (GstMgpuContext * context, const GstVideoInfo * info,
    GError ** error)
{
  return mgpu_object_new (&people, context, info, NULL, NULL, NULL, error);
}

void
mgpu_people_free (MgpuPeople * self)
{
  mgpu_object_free (self);
}

guint
mgpu_people_get_levels (MgpuPeople * self, const MgpuPeopleLevel ** levels)
{
  *levels = self->levels;
  return self->n_levels;
}

void
mgpu_people_get_sizes (MgpuPeople * self, gsize * scores, gsize * hits)
{
  *scores = MAX (self->n_scores, 1) * sizeof (gfloat);
  *hits = (1 + ROOM) * PEOPLE_HIT * sizeof (gint);
}

/* ---- Work on a frame -------------------------------------------------------- */

/* Starts a kernel with parts work-items for each LANES columns of each row. */
static void
launch_rows (MgpuPeople * self, GstMgpuJob * job, cl_kernel kernel,
    gint columns, const Rows * rows, gint parts)
{
  const gint *knobs = self->object.knobs;
  const gsize group[2] = { knobs[GROUP], 1 };

  mgpu_launch_planes (job, kernel, parts, columns, rows->n, knobs[LANES], 1,
      group);
}

static void
enqueue_scale (MgpuPeople * self, GstMgpuJob * job, const MgpuImage * in,
    cl_mem plan, cl_mem planes, const Rows * rows)
{
  const gint *knobs = self->object.knobs;
  cl_kernel kernel = self->object.kernels[SCALE];
  gsize local[3] = { knobs[COLUMNS], 1, 1 };
  gsize global[3] = { knobs[COLUMNS], knobs[CLASSES], rows->n };
  MgpuComponent c[3];

  for (guint i = 0; i < 3; i++)
    c[i] = mgpu_get_component (&in->info, i);
  gst_mgpu_job_set_args (job, kernel, "miiiiimim",
      gst_mgpu_job_read (job, in->memory), c[0].offset - c[0].position,
      c[0].stride, 8 * c[0].position, 8 * c[1].position, 8 * c[2].position,
      plan, rows->begin, planes);
  gst_mgpu_job_launch (job, kernel, 3, global, local);
}

static void
enqueue_batch (MgpuPeople * self, GstMgpuJob * job, const MgpuImage * in,
    const Batch * batch, cl_mem plan, cl_mem scores)
{
  cl_kernel *kernels = self->object.kernels;
  cl_mem planes = mgpu_slot_write (self, SAMPLES, job,
      self->n_planes * sizeof (gfloat));
  cl_mem tiles = mgpu_slot_write (self, HISTOGRAMS, job,
      self->n_tiles * sizeof (gfloat));
  cl_mem blocks = mgpu_slot_write (self, FEATURES, job,
      self->n_blocks * sizeof (gfloat));

  enqueue_scale (self, job, in, plan, planes, &batch->scale);
  gst_mgpu_job_set_args (job, kernels[MAKE_TILES], "mmim", planes, plan,
      batch->tiles.begin, tiles);
  launch_rows (self, job, kernels[MAKE_TILES], batch->columns, &batch->tiles,
      ALL_BINS / self->object.knobs[BINS]);
  gst_mgpu_job_set_args (job, kernels[MAKE_BLOCKS], "mmim", tiles, plan,
      batch->blocks.begin, blocks);
  launch_rows (self, job, kernels[MAKE_BLOCKS], batch->columns, &batch->blocks,
      1);
  gst_mgpu_job_set_args (job, kernels[SCORE], "mmiim", blocks, plan,
      batch->windows.begin, self->weights, scores);
  launch_rows (self, job, kernels[SCORE], batch->columns, &batch->windows, 1);
}

void
mgpu_people_enqueue (MgpuPeople * self, GstMgpuJob * job, gdouble threshold,
    const MgpuImage * in, GstMgpuMemory * scores, GstMgpuMemory * hits)
{
  cl_kernel count = self->object.kernels[COUNT];
  cl_kernel list = self->object.kernels[LIST];
  gsize local = 64, global = GST_ROUND_UP_64 (self->rows.n);
  cl_mem plan, to, counts;
  MgpuImage pixels;

  if (self->n_levels == 0)
    return;
  if (!mgpu_rgbx_enqueue (&self->rgbx, job, in, &pixels))
    return;
  plan = mgpu_slot_read_words (self, PLAN, job, self->words);
  to = gst_mgpu_job_write (job, scores);
  for (guint i = 0; i < self->batches->len; i++)
    enqueue_batch (self, job, &pixels, &g_array_index (self->batches, Batch, i),
        plan, to);

  counts = mgpu_slot_write (self, COUNTS, job, self->rows.n * sizeof (gint));
  gst_mgpu_job_set_args (job, count, "mmiifm", to, plan, self->rows.begin,
      (gint) self->rows.n, threshold, counts);
  gst_mgpu_job_launch (job, count, 1, &global, &local);
  gst_mgpu_job_set_args (job, list, "mmiifmim", to, plan,
      self->rows.begin, (gint) self->rows.n, threshold, counts, ROOM,
      gst_mgpu_job_write (job, hits));
  gst_mgpu_job_launch (job, list, 1, &global, &local);
}

/* ---- Boxes of hits ---------------------------------------------------------- */

/* Appends the box of a hit. Leaves out a place that does not exist, which only a
 * mistake of the device can list. */
static void
add_box (MgpuPeople * self, guint level, gint row, gint column, gfloat score,
    GArray * boxes)
{
  const MgpuPeopleLevel *l = self->levels + level;
  MgpuBox box = {.score = score };

  if (level >= self->n_levels || row < 0 || row >= l->rows || column < 0
      || column >= l->columns)
    return;
  box.x = rint (CELL * column * l->scale);
  box.y = rint (CELL * row * l->scale);
  box.width = rint (WINDOW_WIDTH * l->scale);
  box.height = rint (WINDOW_HEIGHT * l->scale);
  g_array_append_val (boxes, box);
}

/* Appends the boxes of all hits by reading the scores. Used when the list has no room
 * for all hits. */
static void
find_boxes (MgpuPeople * self, gfloat threshold, const gfloat * scores,
    GArray * boxes)
{
  for (guint i = 0; i < self->n_levels; i++) {
    const MgpuPeopleLevel *l = self->levels + i;

    for (gint y = 0; y < l->rows; y++)
      for (gint x = 0; x < l->columns; x++) {
        gfloat score = scores[l->first + y * l->pitch + x];

        if (score >= threshold)
          add_box (self, i, y, x, score, boxes);
      }
  }
}

gboolean
mgpu_people_read (MgpuPeople * self, gdouble threshold, GstMgpuMemory * scores,
    GstMgpuMemory * hits, GArray * boxes, GError ** error)
{
  GstMapInfo info;
  const gint *list;
  gint n;

  if (self->n_levels == 0)
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
  find_boxes (self, threshold, (const gfloat *) info.data, boxes);
  gst_memory_unmap (GST_MEMORY_CAST (scores), &info);
  return TRUE;
}
