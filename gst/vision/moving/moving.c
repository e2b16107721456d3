/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds moving objects in front of a fixed camera. */
#include "moving-private.h"

#include <math.h>

#include <gst/vision/base/words.h>

/* Minimum width and height of a reduced frame for which a brightness field is computed */
#define MIN_FIELD 16

/* Maximum number of pixels of the reduced frame that a work-group counts */
#define MAX_COUNTED 32768
#define USUAL_COUNTED 4096

/* Minimum area of a region, in pixels of the reduced frame */
#define MIN_PIXELS 24

#define USUAL_RATE 25

enum
{
  LANES,
  MASK_LANES,
  SPAN,
  GROUP,
  WIDE
};

static const MgpuKnob knobs[] = {
  {"LANES", {8, 1, 1}, "1 4 8 16", "number of pixels in a vector"},
  {"MASK_LANES", {16, 1, 1}, "1 4 8 16",
      "number of pixels in a vector of small integers"},
  {"SPAN", {256, 1, 1}, "1 4 16 64 256",
      "number of vectors of a row that a work-item processes"},
  {"GROUP", {1, 64, 64}, "1 32 64 128 256",
      "number of work-items in a work-group; 1: kernels use no atomics"},
  {"WIDE", {1, 1024, 256}, "1 64 128 256 512 1024",
      "number of work-items in a work-group of the kernels that count tones, "
      "and of kernels with a single work-group"},
  {NULL}
};

enum
{
  LOAD,
  SMOOTH,
  MEASURE,
  COUNT,
  TONE,
  BLOCKS,
  FIELD,
  LEARN,
  MARK,
  UNSHADE,
  THIN,
  BITS,
  WRITE,
  CELLS,
  REGIONS,
  APPLY
};

/* Numbers of the sets of kernels. All kernels of a set are compiled together. */
enum
{
  LOAD_SET,
  LIGHT_SET,
  FIELD_SET,
  LEARN_SET,
  MASK_SET,
  REGIONS_SET,
  N_SETS
};

static const MgpuKernel kernels[] = {
  [LOAD] = {"moving/load", "moving_load", LOAD_SET},
  [SMOOTH] = {"moving/load", "moving_smooth", LOAD_SET},
  [MEASURE] = {"moving/light", "moving_measure", LIGHT_SET, TRUE},
  [COUNT] = {"moving/light", "moving_count", LIGHT_SET},
  [TONE] = {"moving/light", "moving_tone", LIGHT_SET},
  [BLOCKS] = {"moving/light", "moving_blocks", LIGHT_SET},
  [FIELD] = {"moving/field", "moving_field", FIELD_SET},
  [LEARN] = {"moving/model", "moving_learn", LEARN_SET},
  [MARK] = {"moving/mask", "moving_mark", MASK_SET},
  [UNSHADE] = {"moving/mask", "moving_unshade", MASK_SET},
  [THIN] = {"moving/mask", "moving_thin", MASK_SET},
  [BITS] = {"moving/mask", "moving_bits", MASK_SET},
  [WRITE] = {"moving/mask", "moving_write", MASK_SET},
  [CELLS] = {"moving/regions", "moving_cells", REGIONS_SET},
  [REGIONS] = {"moving/regions", "moving_regions", REGIONS_SET},
  [APPLY] = {"moving/regions", "moving_apply", REGIONS_SET},
  {NULL}
};

/* ---- Making the object ----------------------------------------------------- */

static gint
divide_up (gint a, gint b)
{
  return (a + b - 1) / b;
}

static gboolean
plan_size (MgpuMoving * self, guint analysis_size, GError ** error)
{
  MgpuMovingSize *size = &self->size;
  gint width = GST_VIDEO_INFO_WIDTH (&self->object.in);
  gint height = GST_VIDEO_INFO_HEIGHT (&self->object.in);

  size->scale = divide_up (MAX (width, height), analysis_size);
  if (size->scale > MOVING_MAX_SCALE) {
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
        "frames of %dx%d are more than %d times as large as analysis-size=%u: "
        "choose a larger analysis-size, or scale the frames down before this "
        "element", width, height, MOVING_MAX_SCALE, analysis_size);
    return FALSE;
  }
  size->width = divide_up (width, size->scale);
  size->height = divide_up (height, size->scale);
  for (size->cell = 4;; size->cell *= 2) {
    size->columns = divide_up (size->width, size->cell);
    size->rows = divide_up (size->height, size->cell);
    if (size->columns * size->rows <= MOVING_MAX_CELLS)
      break;
  }
  self->stride = GST_ROUND_UP_16 (size->width) + 2 * MOVING_MARGIN;
  self->plane = self->stride * (size->height + 2 * MOVING_MARGIN_ROWS);
  size->light_offset = MOVING_MARGIN_ROWS * self->stride + MOVING_MARGIN;
  size->light_stride = self->stride;
  size->light_bytes = self->plane * sizeof (guint16);
  self->block = MAX (divide_up (MAX (size->width, size->height),
          MOVING_MAX_BLOCKS), MOVING_MIN_BLOCK);
  self->block_columns = divide_up (size->width, self->block);
  self->block_rows = divide_up (size->height, self->block);
  return TRUE;
}

static gboolean
init (gpointer object, gconstpointer params, GError ** error)
{
  const MgpuMovingParams *p = params;
  MgpuMoving *self = object;
  gint *values = self->object.knobs;
  gint limit = self->object.traits->max_work_group_size;
  gboolean ok = plan_size (self, p->analysis_size, error);

  while (values[GROUP] > limit)
    values[GROUP] /= 2;
  while (values[WIDE] > limit)
    values[WIDE] /= 2;
  mgpu_group (self->object.context, values[GROUP], 1, self->group);
  for (guint set = 1; set < N_SETS && ok; set++)
    ok = mgpu_object_build (self, set, error);
  return ok;
}

static gboolean
has_chroma (const GstVideoInfo * info)
{
  return GST_VIDEO_INFO_N_COMPONENTS (info) >= 3;
}

static void
define (gpointer object, guint set, GString * options)
{
  MgpuMoving *self = object;
  const GstVideoInfo *info = &self->object.in;
  MgpuComponent luma = mgpu_get_component (info, 0);
  MgpuComponent chroma = mgpu_get_component (info, has_chroma (info) ? 1 : 0);

  if (set == LOAD_SET || set == MASK_SET)
    g_string_append_printf (options, " -DSCALE=%d", self->size.scale);
  if (set == LEARN_SET)
    g_string_append_printf (options, " -DHAS_CHROMA=%d", has_chroma (info));
  if (set == LIGHT_SET || set == FIELD_SET || set == REGIONS_SET)
    g_string_append_printf (options, " -DLABELS_PLAIN=%d",
        self->object.knobs[WIDE] == 1);
  if (set != LOAD_SET)
    return;
  g_string_append_printf (options, " -DKIND=%d",
      !has_chroma (info) ? 0 : GST_VIDEO_INFO_IS_RGB (info) ? 2 : 1);
  g_string_append_printf (options, " -DLUMA=%d,%d,%d,%d", luma.pixel_stride,
      luma.bytes, luma.shift, luma.max);
  g_string_append_printf (options, " -DCHROMA=%d,%d,%d,%d",
      chroma.pixel_stride, chroma.bytes, chroma.shift, chroma.max);
  g_string_append_printf (options, " -DSUB_X=%d -DSUB_Y=%d",
      has_chroma (info) ? info->finfo->w_sub[1] : 0,
      has_chroma (info) ? info->finfo->h_sub[1] : 0);
}

static void
forget (gpointer object)
{
  MgpuMoving *self = object;

  self->n_learned = 0;
  self->n_forgotten++;
}

guint
mgpu_moving_get_n_forgotten (const MgpuMoving * self)
{
  return self->n_forgotten;
}

MgpuMovingSize
mgpu_moving_get_size (const MgpuMoving * self)
{
  return self->size;
}

void
mgpu_moving_drop_evidence (MgpuMoving * self)
{
  self->drops_evidence = TRUE;
}

/* ---- Work on a frame -------------------------------------------------------- */

/* Arguments that the kernels for a frame share */
typedef struct
{
  GstMgpuJob *job;
  const MgpuMovingParams *params;
  const MgpuImage *in, *region;
  gboolean is_enabled;
  gboolean has_tone, has_field;
  cl_mem table, words, bytes, light, sums;
} Work;

#define LAYOUT "iiii"
#define LAYOUT_OF(self) (self)->size.width, (self)->size.height, (self)->stride, (self)->plane

static void
launch (MgpuMoving * self, Work * work, guint kernel, gint width)
{
  const gint *values = self->object.knobs;

  mgpu_launch (work->job, self->object.kernels[kernel], width,
      self->size.height, MAX (values[LANES], values[MASK_LANES]) * values[SPAN],
      1, self->group);
}

/* Makes the table of the logarithm of luma, and of the positions of columns and rows between the
 * centers of blocks. */
static cl_mem
read_table (MgpuMoving * self, GstMgpuJob * job)
{
  g_autoptr (GArray) words = mgpu_words_new ();
  cl_mem table;

  for (gint t = 0; t < MOVING_N_LUMA; t++)
    mgpu_words_add (words, rint (2048 * log2 ((t / 16.0 + 24) / 24)));
  for (gint x = 0; x < self->size.width + MOVING_MARGIN; x++)
    mgpu_words_add (words, (2 * x + 1) * 256 / (2 * self->block) - 128);
  for (gint y = 0; y < self->size.height; y++)
    mgpu_words_add (words, (2 * y + 1) * 256 / (2 * self->block) - 128);
  table = mgpu_slot_read_words (self, MGPU_MOVING_TABLE, job, words);
  return table;
}

/* Allocates the memories, filled with zeros. */
static gboolean
ensure (MgpuMoving * self, Work * work)
{
  GstMgpuJob *job = work->job;
  const gsize cells = self->size.columns * self->size.rows;
  const gsize sizes[MGPU_MOVING_N_SLOTS] = {
    [MGPU_MOVING_WORDS] = (gsize) MOVING_N_WORDS * self->plane * 2,
    [MGPU_MOVING_BYTES] = (gsize) MOVING_N_BYTES * self->plane,
    [MGPU_MOVING_BINS] = MOVING_TONES * MOVING_TONE_BINS * sizeof (gint32),
    [MGPU_MOVING_FIELD] = MOVING_LIGHT_INTS * sizeof (gint32),
    [MGPU_MOVING_FOLLOWED] = 2 * (gsize) self->size.light_bytes,
    [MGPU_MOVING_SUMS] = MOVING_N_SUMS * sizeof (gint32),
    [MGPU_MOVING_CELLS] = MOVING_CELLS_INTS * sizeof (gint32),
    [MGPU_MOVING_COMPONENTS] =
        MOVING_MAX_REGIONS * MOVING_COMPONENT_WORDS * sizeof (gint32),
    [MGPU_MOVING_SHOWN] = (gsize) self->size.width * self->size.height,
    [MGPU_MOVING_LABELS] = cells * sizeof (guint16),
    [MGPU_MOVING_HEAT] = cells * sizeof (guint16)
  };

  for (guint i = MGPU_MOVING_WORDS; i < MGPU_MOVING_N_SLOTS; i++)
    if (!mgpu_slot_ensure_zeros (self, i, job, sizes[i]))
      return FALSE;
  work->table = read_table (self, job);
  work->words = mgpu_slot_write (self, MGPU_MOVING_WORDS, job, 0);
  work->bytes = mgpu_slot_write (self, MGPU_MOVING_BYTES, job, 0);
  work->light = mgpu_slot_write (self, MGPU_MOVING_FIELD, job, 0);
  work->sums = mgpu_slot_write (self, MGPU_MOVING_SUMS, job, 0);
  return job->error == NULL;
}

/* Returns: the factor, in units of 2^-24, that converts the sum of @n chroma samples to chroma of 8
 * bits with full range */
static gint
get_chroma_factor (const MgpuComponent * c, gint n, gdouble scale)
{
  return llrint (16777216 * (255.0 / (c->hi - c->lo) / n * scale));
}

static void
enqueue_picture (MgpuMoving * self, Work * work)
{
  GstMgpuJob *job = work->job;
  cl_kernel *kernels = self->object.kernels;
  const GstVideoInfo *info = &work->in->info;
  gboolean is_rgb = GST_VIDEO_INFO_IS_RGB (info);
  MgpuComponent c[3];
  gint scale = self->size.scale, n = scale * scale, lanes =
      self->object.knobs[MASK_LANES];
  gint range, factors[2] = { 0, 0 };

  for (guint i = 0; i < 3; i++)
    c[i] = mgpu_get_component (info, has_chroma (info) ? i : 0);
  range = c[0].hi - c[0].lo;
  if (is_rgb) {
    factors[0] = get_chroma_factor (&c[0], n, 0.5 / 0.886);
    factors[1] = get_chroma_factor (&c[0], n, 0.5 / 0.701);
  } else if (has_chroma (info)) {
    gint count = GST_VIDEO_SUB_SCALE (info->finfo->w_sub[1], scale)
        * GST_VIDEO_SUB_SCALE (info->finfo->h_sub[1], scale);

    factors[0] = factors[1] = get_chroma_factor (&c[1], count, 1);
  }
  gst_mgpu_job_set_args (job, kernels[LOAD], "miiiiiiiiiiuiimm" LAYOUT,
      gst_mgpu_job_read (job, work->in->memory), GST_VIDEO_INFO_WIDTH (info),
      GST_VIDEO_INFO_HEIGHT (info), c[0].offset, c[0].stride, c[1].offset,
      c[1].stride, c[2].offset, c[2].stride, (c[1].max + 1) / 2, n * c[0].lo,
      (guint) llrint (524288.0 * 4080 / ((gdouble) range * n)), factors[0],
      factors[1], work->words, work->bytes, LAYOUT_OF (self));
  launch (self, work, LOAD, self->size.width + 1 + lanes);
  gst_mgpu_job_set_args (job, kernels[SMOOTH], "mimm" LAYOUT, work->table,
      self->n_learned == 0, work->words, work->bytes, LAYOUT_OF (self));
  launch (self, work, SMOOTH, self->size.width);
}

static gdouble
get_absorb_frames (const MgpuMoving * self, const MgpuMovingParams * params)
{
  const GstVideoInfo *info = &self->object.in;
  gdouble rate = info->fps_n > 0 && info->fps_d > 0
      ? (gdouble) info->fps_n / info->fps_d : USUAL_RATE;

  return params->absorb_time * rate;
}

/* Returns: the maximum number of successive frames without contrast that are not learned; -1 while
 * the background is not known */
static gint
get_most_flat (const MgpuMoving * self, const MgpuMovingParams * params)
{
  gdouble frames = get_absorb_frames (self, params);

  if (self->n_learned < MGPU_MOVING_WARM_UP)
    return -1;
  return frames > 0 ? MIN (rint (frames), G_MAXINT) : G_MAXINT;
}

static void
enqueue_light (MgpuMoving * self, Work * work)
{
  GstMgpuJob *job = work->job;
  cl_kernel *kernels = self->object.kernels;
  const gint *values = self->object.knobs;
  gint width = self->size.width, height = self->size.height;
  gsize rows[2] = { values[GROUP], height }, group = values[GROUP];
  gint counted = MAX ((values[WIDE] == 1
          ? MAX_COUNTED : USUAL_COUNTED) / width, 1);
  cl_mem bins = mgpu_slot_write (self, MGPU_MOVING_BINS, job, 0);

  gst_mgpu_job_set_args (job, kernels[MEASURE], "mm" LAYOUT, work->words,
      work->sums, LAYOUT_OF (self));
  gst_mgpu_job_launch (job, kernels[MEASURE], 2, rows, self->group);
  if (work->has_tone) {
    gst_mgpu_job_set_args (job, kernels[COUNT], "mmi" LAYOUT, work->words,
        bins, counted, LAYOUT_OF (self));
    mgpu_launch_items (job, kernels[COUNT],
        divide_up (height, counted) * values[WIDE], values[WIDE]);
  }
  gst_mgpu_job_set_args (job, kernels[TONE], "miimm", bins, width * height,
      get_most_flat (self, work->params), work->light, work->sums);
  mgpu_launch_items (job, kernels[TONE], values[WIDE], values[WIDE]);
  if (!work->has_field)
    return;
  gst_mgpu_job_set_args (job, kernels[BLOCKS], "mmii" LAYOUT, work->words,
      work->light, self->block, self->block_columns, LAYOUT_OF (self));
  mgpu_launch_items (job, kernels[BLOCKS],
      self->block_columns * self->block_rows * group, group);
  gst_mgpu_job_set_args (job, kernels[FIELD], "miiim", work->light,
      self->block_columns, self->block_rows, width * height, work->sums);
  mgpu_launch_items (job, kernels[FIELD], values[WIDE], values[WIDE]);
}

/* Returns: the learning rate of the weights. Sets *@moves to whether the weights change in this
 * frame */
static gint
get_rate (const MgpuMoving * self, const MgpuMovingParams * params,
    gboolean * moves)
{
  gdouble frames = get_absorb_frames (self, params);
  gint period = MAX (rint (frames / 300), 1), n = self->n_learned;

  *moves = n < MGPU_MOVING_WARM_UP || n % period == 0;
  if (n < MGPU_MOVING_WARM_UP)
    return 65536 / (n + 1);
  return frames > 0 ? CLAMP (rint (9667.0 * period / frames), 1, 65535) : 0;
}

static void
enqueue_learning (MgpuMoving * self, Work * work, GstMgpuMemory * shown)
{
  GstMgpuJob *job = work->job;
  cl_kernel kernel = self->object.kernels[LEARN];
  gboolean moves;
  gint rate = get_rate (self, work->params, &moves);
  cl_mem followed = mgpu_slot_write (self, MGPU_MOVING_FOLLOWED, job, 0);

  gst_mgpu_job_set_args (job, kernel, "mmiiiiiiimmmmi" LAYOUT, work->light,
      work->table, work->has_field ? self->block_columns : 0,
      self->block_rows, (gint) MAX (rint (56 / work->params->sensitivity), 1),
      MAX (rate, 1), MIN (moves ? rate : 0, 65535), (gint) self->n_learned,
      self->drops_evidence, work->words, work->bytes, followed,
      shown != NULL ? gst_mgpu_job_write (job, shown) : followed,
      shown != NULL ? 0 : self->plane, LAYOUT_OF (self));
  launch (self, work, LEARN, self->size.width);
}

static void
enqueue_bits (MgpuMoving * self, Work * work)
{
  GstMgpuJob *job = work->job;
  cl_kernel *kernels = self->object.kernels;
  gint width = self->size.width;
  const MgpuImage *region = work->region != NULL ? work->region : work->in;
  MgpuComponent c = mgpu_get_component (&region->info, 0);

  gst_mgpu_job_set_args (job, kernels[MARK], "im" LAYOUT,
      (gint) MAX (rint (60 / work->params->sensitivity), 1), work->bytes,
      LAYOUT_OF (self));
  launch (self, work, MARK, width);
  gst_mgpu_job_set_args (job, kernels[UNSHADE], "m" LAYOUT, work->bytes,
      LAYOUT_OF (self));
  launch (self, work, UNSHADE, width);
  gst_mgpu_job_set_args (job, kernels[THIN], "m" LAYOUT, work->bytes,
      LAYOUT_OF (self));
  launch (self, work, THIN, width);
  gst_mgpu_job_set_args (job, kernels[BITS], MGPU_PLANE "iiim" LAYOUT,
      MGPU_READ (job, region, c), GST_VIDEO_INFO_WIDTH (&self->object.in),
      GST_VIDEO_INFO_HEIGHT (&self->object.in),
      !work->is_enabled ? 0 : work->region != NULL ? 2 : 1, work->bytes,
      LAYOUT_OF (self));
  launch (self, work, BITS, width);
}

static void
enqueue_regions (MgpuMoving * self, Work * work, GstMgpuMemory * results)
{
  GstMgpuJob *job = work->job;
  cl_kernel *kernels = self->object.kernels;
  const MgpuMovingParams *p = work->params;
  const MgpuMovingSize *s = &self->size;
  gdouble pixels = (gdouble) s->width * s->height;
  gint wide = self->object.knobs[WIDE];
  gint least = MAX (rint (p->min_area * pixels), MIN_PIXELS);
  gint most = self->n_learned < MGPU_MOVING_WARM_UP
      ? -1 : rint (p->max_area * pixels);
  cl_mem cells = mgpu_slot_write (self, MGPU_MOVING_CELLS, job, 0);
  cl_mem components = mgpu_slot_write (self, MGPU_MOVING_COMPONENTS, job, 0);
  gint columns = self->object.knobs[LANES] > 1 ? s->columns : 1;

  gst_mgpu_job_set_args (job, kernels[CELLS], "mm" LAYOUT "iiimm", work->words,
      work->bytes, LAYOUT_OF (self), s->cell, s->columns, s->rows, cells,
      work->sums);
  mgpu_launch (job, kernels[CELLS], s->columns, s->rows, columns, 1,
      self->group);
  gst_mgpu_job_set_args (job, kernels[REGIONS], "miiiiiiimmm", cells, s->cell,
      s->columns, s->rows, p->shadows == MGPU_MOVING_SHADOWS_KEEP, least,
      most, (gint) self->n_learned, components, work->sums,
      gst_mgpu_job_write (job, results));
  mgpu_launch_items (job, kernels[REGIONS], wide, wide);
  gst_mgpu_job_set_args (job, kernels[APPLY], "mm" LAYOUT "iiimmimmm",
      work->words, work->bytes, LAYOUT_OF (self), s->cell, s->columns,
      s->rows, cells, components, self->n_learned == 0,
      mgpu_slot_write (self, MGPU_MOVING_SHOWN, job, 0),
      mgpu_slot_write (self, MGPU_MOVING_LABELS, job, 0),
      mgpu_slot_write (self, MGPU_MOVING_HEAT, job, 0));
  mgpu_launch (job, kernels[APPLY], s->columns, s->rows, columns, 1,
      self->group);
}

/* Copies the first @size bytes of a slot to @to, which may be NULL. */
static void
copy_slot (MgpuMoving * self, GstMgpuJob * job, guint slot, GstMgpuMemory * to,
    gsize size)
{
  GstMemory *from = self->object.slots[slot];

  if (to != NULL && job->error == NULL)
    gst_mgpu_job_copy_rect (job, (GstMgpuMemory *) from, 0, size, to, 0, size,
        size, 1);
}

void
mgpu_moving_enqueue (MgpuMoving * self, GstMgpuJob * job,
    const MgpuMovingParams * params, const MgpuImage * in,
    const MgpuImage * region, gboolean is_enabled,
    const MgpuMovingOutputs * outputs)
{
  const MgpuMovingSize *s = &self->size;
  gsize cells = (gsize) s->columns * s->rows * sizeof (guint16);
  Work work = {.job = job,.params = params,.in = in,.region = region };

  work.is_enabled = is_enabled;
  work.has_tone = params->light != MGPU_MOVING_LIGHT_OFF;
  work.has_field = params->light == MGPU_MOVING_LIGHT_FIELD
      && s->width >= MIN_FIELD && s->height >= MIN_FIELD;
  if (!ensure (self, &work))
    return;
  enqueue_picture (self, &work);
  enqueue_light (self, &work);
  enqueue_learning (self, &work, outputs->light);
  enqueue_bits (self, &work);
  enqueue_regions (self, &work, outputs->results);
  copy_slot (self, job, MGPU_MOVING_SHOWN, outputs->mask,
      (gsize) s->width * s->height);
  copy_slot (self, job, MGPU_MOVING_LABELS, outputs->labels, cells);
  copy_slot (self, job, MGPU_MOVING_HEAT, outputs->heat, cells);
  self->n_learned = job->error == NULL ? self->n_learned + 1 : 0;
  self->drops_evidence = FALSE;
}

void
mgpu_moving_enqueue_mask (MgpuMoving * self, GstMgpuJob * job,
    const MgpuImage * out, guint component)
{
  cl_kernel kernel = self->object.kernels[WRITE];
  const gint *values = self->object.knobs;
  MgpuComponent c = mgpu_get_component (&out->info, component);

  gst_mgpu_job_set_args (job, kernel, "mi" MGPU_PLANE "iii",
      mgpu_slot_read (self, MGPU_MOVING_SHOWN, job), self->size.width,
      MGPU_WRITE (job, out, c), c.pixel_stride, c.width, c.height);
  mgpu_launch (job, kernel, c.width, c.height, values[LANES] * values[SPAN],
      1, self->group);
}

/* ---- Parameters -------------------------------------------------------------- */

static const MgpuEnumValue shadows_values[] = {
  {MGPU_MOVING_SHADOWS_REMOVE, "Leave shadows out of regions", "remove"},
  {MGPU_MOVING_SHADOWS_KEEP, "Shadows belong to regions", "keep"},
  {0}
};

static const MgpuEnum shadows = { "GstMgpuMotionShadows", shadows_values };

static const MgpuEnumValue light_values[] = {
  {MGPU_MOVING_LIGHT_FIELD, "Model changes of light by a tone curve, and by a "
        "field that varies smoothly over the frame", "field"},
  {MGPU_MOVING_LIGHT_TONE, "Model changes of light by a tone curve for the "
        "whole frame", "tone"},
  {MGPU_MOVING_LIGHT_OFF, "Do not model changes of light, which then count as "
        "motion", "off"},
  {0}
};

static const MgpuEnum light = { "GstMgpuMotionLight", light_values };

#define MEMBER(name) G_STRUCT_OFFSET (MgpuMovingParams, name)

static const MgpuParam params[] = {
  {"sensitivity", MGPU_PARAM_DOUBLE, MEMBER (sensitivity), 0.25, 4, 1, NULL,
      "Sensitivity; higher values detect smaller differences from the "
        "background"},
  {"analysis-size", MGPU_PARAM_UINT, MEMBER (analysis_size), 64, 2048, 640,
      NULL, "Maximum length, in pixels, of the longer side of the reduced "
        "frame that is analyzed", TRUE},
  {"min-area", MGPU_PARAM_DOUBLE, MEMBER (min_area), 0, 1, 0.0005, NULL,
      "Minimum area of a region, as a fraction of the frame"},
  {"max-area", MGPU_PARAM_DOUBLE, MEMBER (max_area), 0, 1, 1, NULL,
      "Maximum area of a region, as a fraction of the frame"},
  {"absorb-time", MGPU_PARAM_DOUBLE, MEMBER (absorb_time), 0, 3600, 12, NULL,
      "Time, in seconds, after which an object that stopped becomes background "
        "(0 = never)"},
  {"shadows", MGPU_PARAM_ENUM, MEMBER (shadows), 0, 0,
        MGPU_MOVING_SHADOWS_REMOVE, &shadows,
      "How shadows of moving objects are treated"},
  {"light", MGPU_PARAM_ENUM, MEMBER (light), 0, 0, MGPU_MOVING_LIGHT_FIELD,
      &light, "How changes of light are modeled"},
  {NULL}
};

const MgpuAlgorithm mgpu_moving = {
  .size = sizeof (MgpuMoving),
  .params_size = sizeof (MgpuMovingParams),
  .params = params,
  .knobs = knobs,
  .kernels = kernels,
  .n_slots = MGPU_MOVING_N_SLOTS,
  .init = init,
  .define = define,
  .forget = forget
};
