/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "people.h"

#include <math.h>
#include <string.h>

#include <gst/vision/base/kernels.h>
#include <gst/vision/base/map.h>
#include <gst/vision/base/scratch.h>
#include <gst/vision/convert/rgbx.h>

#define WINDOW_WIDTH 64
#define WINDOW_HEIGHT 128
#define MAX_LEVELS 64
#define STEP 1.05               /* from one scale to the next */

/* As in kernels/people/people.h */
#define LEVEL 12
#define CELL 8
#define BINS 9
#define FEATURES 36

/* Numbers of a hit in the list, and of what comes before the first. */
#define HIT 4

/* Hits that there is room for in the list; if there are more, the scores are
 * read. */
#define ROOM 4096

/* What suits a device. */
typedef struct
{
  gint lanes;
  gint group;
  gint columns, classes;        /* work-items for a row that is scaled */
  gint bins;                    /* of a histogram that a work-item makes */
  gint rows;                    /* of windows for a work-item */
  gsize batch;                  /* samples of levels worked on at once */
} Knobs;

/* A part of the plan with pairs of a level and a row. */
typedef struct
{
  gint begin;
  guint n;
} Rows;

/* Levels that are worked on at once, in memory that others had before. columns:
 * of the largest */
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
  Knobs knobs;
  gint width, height;

  guint n_levels;
  MgpuPeopleLevel levels[MAX_LEVELS];
  Size sizes[MAX_LEVELS];

  GArray *words;                /* the plan */
  gint weights;                 /* in it */
  GArray *batches;
  Rows rows;                    /* of windows, of all levels */
  gsize n_planes, n_tiles, n_blocks, n_scores;  /* numbers */

  MgpuRgbx rgbx;
  cl_kernel scale, tiles, blocks, score, count, list;

  /* From the first frame on */
  GstMemory *plan, *planes, *histograms, *features, *counts;
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
  gdouble scale = 1;

  for (guint i = 0; i < MAX_LEVELS; i++, scale *= STEP) {
    MgpuPeopleLevel *l = self->levels + i;
    Size *s = self->sizes + i;

    s->width = rint (self->width / scale);
    s->height = rint (self->height / scale);
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

/* Kernels count the numbers of a level, and the bytes of a frame with 4 for a
 * pixel, in int. */
static gboolean
check_size (const MgpuPeople * self, GError ** error)
{
  if (self->n_levels == 0 || plane_size (&self->sizes[0]) <= G_MAXINT / 4)
    return TRUE;
  g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_OUT_OF_MEMORY,
      "people are found in frames of some %d million pixels at most, and these "
      "have %dx%d: scale them down before this element",
      G_MAXINT / 4 / 1000000, self->width, self->height);
  return FALSE;
}

/* Where sample i of out_size comes from: the first of two neighbours, and the
 * share of the second in 256. Both lie inside. */
static gint
find_source (gint i, gint in_size, gint out_size, gint * share)
{
  gdouble step = 1.0 / ((gdouble) out_size / in_size);
  gdouble at = step * (i + 0.5) - 0.5;
  gint first = CLAMP (floor (at), 0, in_size - 2);

  *share = rint (CLAMP (at - first, 0, 1) * 256);
  return first;
}

/* Where the columns and rows of a level come from. Of columns: bytes to the
 * pixel, then all shares of the next one, as floats; they begin one tile left
 * of the frame, which is mirrored at its edges. Of rows: number times 512 plus
 * share. */
static void
add_sources (MgpuPeople * self, const Size * s)
{
  guint at = self->words->len;
  gint share;

  g_array_set_size (self->words, at + 2 * CELL * s->pitch);
  for (gint i = 0; i < CELL * s->pitch; i++) {
    gint x = CELL * (i % s->pitch - 1) + i / s->pitch;

    x = x < 0 ? -x : x >= s->width ? MAX (2 * (s->width - 1) - x, 0) : x;
    g_array_index (self->words, gint, at + i) =
        4 * find_source (x, self->width, s->width, &share);
    g_array_index (self->words, gfloat, at + CELL * s->pitch + i) = share;
  }
  for (gint y = 0; y < s->height; y++) {
    gint row = find_source (y, self->height, s->height, &share);

    add_word (self, row << 9 | share);
  }
}

/* Levels from begin to end get the numbers of their places in memory. */
static void
place_levels (MgpuPeople * self, guint begin, guint end)
{
  gsize planes = 0, tiles = 0, blocks = 0;

  for (guint i = begin; i < end; i++) {
    const MgpuPeopleLevel *l = self->levels + i;
    const Size *s = self->sizes + i;
    const gint words[LEVEL] = { s->height, s->tiles_x, s->pitch, planes,
      plane_size (s), tiles, blocks, s->tiles_y - 2, l->first, l->columns,
      l->pitch, self->words->len
    };

    memcpy (&g_array_index (self->words, gint, LEVEL * i), words,
        sizeof (words));
    add_sources (self, s);
    planes += 3 * plane_size (s);
    tiles += (gsize) s->tiles_y * 16 * BINS * s->pitch;
    blocks += (gsize) (s->tiles_y - 1) * FEATURES * s->pitch;
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
    add_rows (self, &batch.windows, i, self->levels[i].rows, self->knobs.rows);
  g_array_append_val (self->batches, batch);
}

static void
make_plan (MgpuPeople * self)
{
  gsize most, sum = 0;
  guint begin = 0;

  g_array_set_size (self->words, LEVEL * self->n_levels);
  most = MAX (self->knobs.batch, self->n_levels > 0
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

/* ---- Kernels --------------------------------------------------------------- */

/* Processors keep what they work on in their caches. GPUs need many work-items,
 * and those in phones have little memory. */
static void
choose_knobs (MgpuPeople * self, const GstMgpuTraits * traits)
{
  static const Knobs knobs[] = {
    [GST_MGPU_DEVICE_CLASS_CPU] = { 16, 1, 1, 1, 9, 4, 0 },
    [GST_MGPU_DEVICE_CLASS_DISCRETE] = { 1, 64, 64, 8, 3, 1, 1 << 24 },
    [GST_MGPU_DEVICE_CLASS_MOBILE] = { 1, 32, 32, 8, 3, 2, 0 }
  };

  self->knobs = knobs[traits->device_class];
}

static gboolean
create_kernels (MgpuPeople * self, GstMgpuContext * context, GError ** error)
{
  const Knobs *k = &self->knobs;
  gchar *scale_options = g_strdup_printf ("-DLANES=%d -DCOLUMNS=%d "
      "-DCLASSES=%d", k->lanes, k->columns, k->classes);
  gchar *score_options = g_strdup_printf ("-DLANES=%d -DBINS=%d -DROWS=%d",
      k->lanes, k->bins, k->rows);
  GstMgpuProgram *scale =
      mgpu_kernels_build (context, "people/scale", scale_options, error);
  GstMgpuProgram *score = scale == NULL ? NULL
      : mgpu_kernels_build (context, "people/score", score_options, error);
  gboolean ok = score != NULL
      && mgpu_kernels_create (scale, "people_scale", &self->scale, error)
      && mgpu_kernels_create (score, "people_tiles", &self->tiles, error)
      && mgpu_kernels_create (score, "people_blocks", &self->blocks, error)
      && mgpu_kernels_create (score, "people_score", &self->score, error)
      && mgpu_kernels_create (score, "people_count", &self->count, error)
      && mgpu_kernels_create (score, "people_list", &self->list, error);

  g_clear_object (&scale);
  g_clear_object (&score);
  g_free (scale_options);
  g_free (score_options);
  return ok;
}

MgpuPeople *
mgpu_people_new (GstMgpuContext * context, const GstVideoInfo * info,
    GError ** error)
{
  MgpuPeople *self = g_new0 (MgpuPeople, 1);

  self->width = GST_VIDEO_INFO_WIDTH (info);
  self->height = GST_VIDEO_INFO_HEIGHT (info);
  self->words = g_array_new (FALSE, FALSE, sizeof (gint));
  self->batches = g_array_new (FALSE, FALSE, sizeof (Batch));
  choose_knobs (self, gst_mgpu_context_get_traits (context));
  plan_sizes (self);
  if (check_size (self, error)) {
    make_plan (self);
    if ((self->n_levels == 0
            || mgpu_rgbx_init (&self->rgbx, context, info, error))
        && create_kernels (self, context, error))
      return self;
  }
  mgpu_people_free (self);
  return NULL;
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
  *hits = (1 + ROOM) * HIT * sizeof (gint);
}

/* ---- A frame --------------------------------------------------------------- */

/* A work-item for each vector of columns of each of the rows. */
static void
launch_rows (MgpuPeople * self, GstMgpuJob * job, cl_kernel kernel,
    gint columns, const Rows * rows, gint parts)
{
  const Knobs *k = &self->knobs;
  gsize local[3] = { k->group, 1, 1 };
  gsize n = (columns + k->lanes - 1) / k->lanes;
  gsize n_groups = (n + k->group - 1) / k->group;
  gsize global[3] = { n_groups * k->group, rows->n, parts };

  gst_mgpu_job_launch (job, kernel, 3, global, local);
}

static void
enqueue_scale (MgpuPeople * self, GstMgpuJob * job, const MgpuImage * in,
    cl_mem plan, cl_mem planes, const Rows * rows)
{
  gsize local[3] = { self->knobs.columns, 1, 1 };
  gsize global[3] = { self->knobs.columns, self->knobs.classes, rows->n };
  MgpuComponent c[3];

  for (guint i = 0; i < 3; i++)
    mgpu_image_get_component (in, i, &c[i]);
  gst_mgpu_job_set_args (job, self->scale, "miiiiimim",
      gst_mgpu_job_read (job, in->memory), c[0].offset - c[0].position,
      c[0].stride, 8 * c[0].position, 8 * c[1].position, 8 * c[2].position,
      plan, rows->begin, planes);
  gst_mgpu_job_launch (job, self->scale, 3, global, local);
}

static void
enqueue_batch (MgpuPeople * self, GstMgpuJob * job, const MgpuImage * in,
    const Batch * batch, cl_mem plan, cl_mem scores)
{
  cl_mem planes = mgpu_scratch_write (&self->planes, job,
      self->n_planes * sizeof (gfloat));
  cl_mem tiles = mgpu_scratch_write (&self->histograms, job,
      self->n_tiles * sizeof (gfloat));
  cl_mem blocks = mgpu_scratch_write (&self->features, job,
      self->n_blocks * sizeof (gfloat));

  enqueue_scale (self, job, in, plan, planes, &batch->scale);
  gst_mgpu_job_set_args (job, self->tiles, "mmim", planes, plan,
      batch->tiles.begin, tiles);
  launch_rows (self, job, self->tiles, batch->columns, &batch->tiles,
      BINS / self->knobs.bins);
  gst_mgpu_job_set_args (job, self->blocks, "mmim", tiles, plan,
      batch->blocks.begin, blocks);
  launch_rows (self, job, self->blocks, batch->columns, &batch->blocks, 1);
  gst_mgpu_job_set_args (job, self->score, "mmiim", blocks, plan,
      batch->windows.begin, self->weights, scores);
  launch_rows (self, job, self->score, batch->columns, &batch->windows, 1);
}

void
mgpu_people_enqueue (MgpuPeople * self, GstMgpuJob * job, gdouble threshold,
    const MgpuImage * in, GstMgpuMemory * scores, GstMgpuMemory * hits)
{
  gsize local = 64, global = GST_ROUND_UP_64 (self->rows.n);
  cl_mem plan, to, counts;
  MgpuImage pixels;

  if (self->n_levels == 0)
    return;
  if (!mgpu_rgbx_enqueue (&self->rgbx, job, in, &pixels))
    return;
  plan = mgpu_scratch_read_words (&self->plan, job, self->words);
  to = gst_mgpu_job_write (job, scores);
  for (guint i = 0; i < self->batches->len; i++)
    enqueue_batch (self, job, &pixels, &g_array_index (self->batches, Batch, i),
        plan, to);

  counts = mgpu_scratch_write (&self->counts, job,
      self->rows.n * sizeof (gint));
  gst_mgpu_job_set_args (job, self->count, "mmiifm", to, plan, self->rows.begin,
      (gint) self->rows.n, threshold, counts);
  gst_mgpu_job_launch (job, self->count, 1, &global, &local);
  gst_mgpu_job_set_args (job, self->list, "mmiifmim", to, plan,
      self->rows.begin, (gint) self->rows.n, threshold, counts, ROOM,
      gst_mgpu_job_write (job, hits));
  gst_mgpu_job_launch (job, self->list, 1, &global, &local);
}

/* ---- What was found --------------------------------------------------------- */

/* Leaves out what the device lists by mistake: a place that does not exist. */
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

/* All of them, where there are more than fit into the list. */
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

static gboolean
map (GstMgpuMemory * memory, GstMapInfo * info, GError ** error)
{
  return gst_mgpu_memory_wait (memory, error)
      && mgpu_map (GST_MEMORY_CAST (memory), info, GST_MAP_READ, error);
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
  if (!map (hits, &info, error))
    return FALSE;
  list = (const gint *) info.data;
  n = list[0];
  for (gint i = 1; n <= ROOM && i <= n; i++) {
    gfloat score;

    memcpy (&score, list + HIT * i + 3, sizeof (score));
    add_box (self, list[HIT * i], list[HIT * i + 1], list[HIT * i + 2], score,
        boxes);
  }
  gst_memory_unmap (GST_MEMORY_CAST (hits), &info);
  if (n <= ROOM)
    return TRUE;

  if (!map (scores, &info, error))
    return FALSE;
  find_boxes (self, threshold, (const gfloat *) info.data, boxes);
  gst_memory_unmap (GST_MEMORY_CAST (scores), &info);
  return TRUE;
}

void
mgpu_people_free (MgpuPeople * self)
{
  cl_kernel kernels[] = { self->scale, self->tiles, self->blocks, self->score,
    self->count, self->list
  };
  GstMemory **memories[] = { &self->plan, &self->planes,
    &self->histograms, &self->features, &self->counts
  };

  mgpu_kernels_release (kernels, G_N_ELEMENTS (kernels));
  for (guint i = 0; i < G_N_ELEMENTS (memories); i++)
    g_clear_pointer (memories[i], gst_memory_unref);
  mgpu_rgbx_clear (&self->rgbx);
  g_clear_pointer (&self->words, g_array_unref);
  g_clear_pointer (&self->batches, g_array_unref);
  g_free (self);
}
