/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Equalizes histograms: handles the parameters, selects the method, and applies a global table. */
#include "histeq-private.h"

#include <math.h>

/* Largest number of histograms of a frame if each has more than SMALL bins */
#define LARGE_HISTOGRAMS 4

/* Divisors for the detection of a new scene. A frame begins a new scene if its look-up tables
 * differ from those of the last frame, on average, by more than 1 / divisor of their range. The
 * limit is lower for the method global, because the tables of whole frames are similar even in
 * different scenes. */
#define NEW_SCENE_GLOBAL 32
#define NEW_SCENE_CLAHE 8

/* Maximum of the property clip-limit: larger values have no effect, even with 65536 bins. */
#define MAX_CLIP_LIMIT 65536.0

#define MAX_TILES 64

/* Number of bins that a work-item processes if several work-groups compute the look-up table of
 * a CLAHE tile. It is raised where there would be more work-groups than a work-group has
 * work-items. The kernels read 4 bins at once. */
#define TILE_BINS 4

/* Maximum of the property max-gain */
#define MAX_GAIN 64.0

static const MgpuKnob knobs[] = {
  MGPU_ROWS_KNOBS,
  [KNOB_COUNT] = {"COUNT", {COUNT_OWN, COUNT_LOCAL, COUNT_GLOBAL}, "0 1 2",
      "where a work-item counts samples: 0: private histograms, 1: a "
      "histogram in local memory, 2: a histogram in global memory"},
  [KNOB_TABLES] = {"TABLES", {4, 1, 1}, "1 2 4",
      "number of private histograms of a work-item, which it fills alternately"},
  [KNOB_GROUP] = {"GROUP", {1, 256, 256}, "1 32 64 128 256",
      "number of work-items that compute a table together"},
  [KNOB_HISTOGRAMS] = {"HISTOGRAMS", {1, 4, 32}, "1 4 8 16 32",
      "number of histograms of the frame in global memory, shared by all "
      "work-groups"},
  {NULL}
};

static const MgpuKernel kernels[] = {
  [CLEAR] = {"histeq/histeq", "histeq_clear", SET_GLOBAL},
  [COUNT] = {"histeq/histeq", "histeq_count", SET_GLOBAL},
  [TABLE] = {"histeq/histeq", "histeq_table", SET_GLOBAL},
  [APPLY] = {"histeq/histeq", "histeq_apply", SET_GLOBAL},
  [SUMS] = {"histeq/histeq", "histeq_sums", SET_SUMS},
  [CLAHE_CLEAR] = {"histeq/clahe", "clahe_clear", SET_CLAHE},
  [CLAHE_APPLY] = {"histeq/clahe-apply", "clahe_apply", SET_CLAHE},
  [CLAHE_TILES] = {"histeq/clahe", "clahe_tiles", SET_TILES},
  [CLAHE_COUNT] = {"histeq/clahe", "clahe_count", SET_PARTS},
  [CLAHE_SUMS] = {"histeq/clahe", "clahe_sums", SET_PART_SUMS},
  [CLAHE_TABLE] = {"histeq/clahe", "clahe_table", SET_PARTS},
  [LIGHT_CLEAR] = {"histeq/light", "light_clear", SET_SMOOTH},
  [LIGHT_COUNT] = {"histeq/light", "light_count", SET_SMOOTH},
  [LIGHT_FIT] = {"histeq/light", "light_fit", SET_SMOOTH},
  [LIGHT_MOVES] = {"histeq/light", "light_moves", SET_SMOOTH},
  [SMOOTH_COMPARE] = {"histeq/smooth", "smooth_compare", SET_SMOOTH},
  [SMOOTH_BLEND] = {"histeq/smooth", "smooth_blend", SET_SMOOTH},
  [SMOOTH_HOLD] = {"histeq/smooth", "smooth_hold", SET_SMOOTH},
  [SMOOTH_WEAKEN] = {"histeq/smooth", "smooth_weaken", SET_WEAKEN},
  [LEVELS_FIND] = {"histeq/levels", "levels_find", SET_LEVELS},
  [LEVELS_TABLE] = {"histeq/levels", "levels_table", SET_LEVELS},
  {NULL}
};

/* ---- Making the object --------------------------------------------------- */

static void
set_bins (Histeq * self)
{
  const GstVideoInfo *in = &self->object.in;
  guint depth = GST_VIDEO_INFO_COMP_DEPTH (in, 0);

  self->bytes = depth > 8 ? 2 : 1;
  self->samples = GST_VIDEO_INFO_COMP_PSTRIDE (in, 0) / self->bytes;
  self->n_components = GST_VIDEO_INFO_IS_RGB (in) ? 3 : 1;
  for (guint i = 0; i < self->n_components; i++)
    self->mask |= 1u << GST_VIDEO_INFO_COMP_POFFSET (in, i) / self->bytes;
  self->n_bins = 1u << depth;
  mgpu_get_range (in, 0, &self->lo, &self->hi);
  self->n_counters = self->n_components * self->n_bins;
}

/* Lowers the values of tuning parameters that contradict each other or exceed the limits of the
 * device. */
static void
lower_knobs (Histeq * self)
{
  gint *knobs = self->object.knobs, group = 1;
  gint limit = self->object.traits->max_work_group_size;

  if (self->n_counters > SMALL) {
    knobs[KNOB_TABLES] = 1;
    knobs[KNOB_HISTOGRAMS] = MIN (knobs[KNOB_HISTOGRAMS], LARGE_HISTOGRAMS);
    if (knobs[KNOB_COUNT] == COUNT_LOCAL)
      knobs[KNOB_COUNT] = COUNT_GLOBAL;
  }
  if (knobs[KNOB_COUNT] == COUNT_OWN)
    knobs[KNOB_GROUP] = knobs[MGPU_ROWS_COLUMNS] = knobs[MGPU_ROWS_GROUP_Y] = 1;
  else
    knobs[KNOB_TABLES] = 1;
  while (group * 2 <= MIN (limit, knobs[KNOB_GROUP]))
    group *= 2;
  knobs[KNOB_GROUP] = group;
}

/* Computes the numbers of work-items, work-groups and histograms from the tuning parameters. */
static void
find_sizes (Histeq * self)
{
  const gint *knobs = self->object.knobs;
  gsize n_units = MAX (self->object.traits->compute_units, 1);
  gboolean is_small = self->n_counters <= SMALL;

  self->group = knobs[KNOB_GROUP];
  self->n_blocks = is_small ? 1 : MIN (self->group, self->n_bins / self->group);
  self->n_tile_blocks = is_small ? 1
      : CLAMP (self->n_bins / (TILE_BINS * self->group), 1, self->group);
  mgpu_rows_init (&self->rows, self, GST_VIDEO_INFO_HEIGHT (&self->object.in));
  self->global[0] = self->rows.global[0];
  self->global[1] = self->rows.global[1];
  self->n_histograms = knobs[KNOB_HISTOGRAMS];
  if (knobs[KNOB_COUNT] == COUNT_OWN) {
    if (!is_small)
      self->global[1] = MIN (self->global[1], n_units);
    self->n_histograms = self->global[1];
  }
}

static gboolean
looks_at_luma (Histeq * self, const MgpuHisteqParams * params)
{
  return GST_VIDEO_INFO_IS_RGB (&self->object.in)
      && params->channels == MGPU_HISTEQ_LUMA;
}

/* Creates the object that computes the luma of RGB frames, and the object that equalizes this luma,
 * unless they exist already. */
static gboolean
ensure_luma (Histeq * self, const MgpuHisteqParams * params, GError ** error)
{
  GstMgpuContext *context = self->object.context;

  if (self->colour == NULL)
    self->colour = mgpu_colour_luma_new (context, &self->object.in, error);
  if (self->colour != NULL && self->luma == NULL)
    self->luma = mgpu_object_new (&mgpu_histeq, context,
        &self->colour->object.out, NULL, NULL, params, error);
  return self->luma != NULL;
}

/* Builds the OpenCL kernels that @params needs, unless they exist already. */
static gboolean
ensure_kernels (Histeq * self, const MgpuHisteqParams * params, GError ** error)
{
  gboolean is_clahe = params->method == MGPU_HISTEQ_CLAHE, ok;

  if (looks_at_luma (self, params))
    return ensure_luma (self, params, error)
        && ensure_kernels (self->luma, params, error);
  if (is_clahe)
    ok = mgpu_object_build (self, SET_CLAHE, error)
        && mgpu_object_build (self,
        self->object.knobs[KNOB_COUNT] == COUNT_OWN ? SET_TILES : SET_PARTS,
        error) && (self->n_tile_blocks == 1
        || mgpu_object_build (self, SET_PART_SUMS, error));
  else
    ok = mgpu_object_build (self, SET_GLOBAL, error)
        && (params->method == MGPU_HISTEQ_LEVELS
        ? mgpu_object_build (self, SET_LEVELS, error)
        : self->n_blocks == 1 || mgpu_object_build (self, SET_SUMS, error));
  return ok && (params->temporal_smoothing == 0
      || mgpu_object_build (self, SET_SMOOTH, error))
      && (params->strength == 1 || mgpu_object_build (self, SET_WEAKEN, error));
}

static gboolean
init (gpointer object, gconstpointer params, GError ** error)
{
  Histeq *self = object;

  self->last = *(const MgpuHisteqParams *) params;
  set_bins (self);
  lower_knobs (self);
  find_sizes (self);
  return ensure_kernels (self, params, error);
}

static void
define (gpointer object, guint set, GString * options)
{
  Histeq *self = object;

  g_string_append_printf (options, " -DBYTES=%d -DSAMPLES=%d -DMASK=%u "
      "-DBINS=%u -DSHIFT=%u -DBLOCKS=%u -DLO=%d -DHI=%d", self->bytes,
      self->samples, self->mask, self->n_bins,
      self->object.in.finfo->shift[0],
      set == SET_PARTS
      || set == SET_PART_SUMS ? self->n_tile_blocks : self->n_blocks, self->lo,
      self->hi);
}

static void
clear (gpointer object)
{
  Histeq *self = object;

  mgpu_object_free (self->colour);
  mgpu_object_free (self->luma);
}

/* ---- Method global: one table for the frame ------------------------------ */

/* Enqueues the kernel that counts the samples of the frame @in in histograms. Sets
 * *@n_histograms to the number of histograms of each component. Returns: the memory of the
 * counters */
static cl_mem
enqueue_count (Histeq * self, GstMgpuJob * job, const MgpuImage * in,
    gint * n_histograms)
{
  cl_kernel kernel = self->object.kernels[COUNT];
  cl_mem counts;

  *n_histograms = self->n_histograms * self->object.knobs[KNOB_TABLES];
  counts = mgpu_histeq_write_counts (self, job, CLEAR,
      (gsize) * n_histograms * self->n_counters);
  gst_mgpu_job_set_args (job, kernel, FRAME "imi", FRAME_OF (job, in),
      mgpu_histeq_count_units (self, in, in), counts,
      (gint) self->n_histograms);
  gst_mgpu_job_launch (job, kernel, 2, self->global, self->rows.local);
  return counts;
}

/* Enqueues the kernels of the method global. They compute a look-up table for each component of
 * the whole frame @in by histogram equalization, and write the tables to the scratch buffer
 * @slot. */
static void
enqueue_table (Histeq * self, GstMgpuJob * job, const MgpuImage * in,
    guint slot)
{
  const cl_kernel *kernels = self->object.kernels;
  gint n_histograms;
  gsize n_items = self->n_components * self->n_blocks * self->group;
  cl_mem counts = enqueue_count (self, job, in, &n_histograms);
  cl_mem blocks = mgpu_slot_write (self, BLOCKS, job,
      2 * self->n_blocks * self->n_components * sizeof (guint32));

  if (self->n_blocks > 1) {
    gst_mgpu_job_set_args (job, kernels[SUMS], "mim", counts, n_histograms,
        blocks);
    mgpu_launch_items (job, kernels[SUMS], n_items, self->group);
  }
  gst_mgpu_job_set_args (job, kernels[TABLE], "miumm", counts, n_histograms,
      (guint) GST_VIDEO_INFO_WIDTH (&in->info)
      * GST_VIDEO_INFO_HEIGHT (&in->info), mgpu_slot_write (self, slot, job, 0),
      blocks);
  mgpu_launch_items (job, kernels[TABLE], n_items, self->group);
}

/* Enqueues the kernels of the method levels. They compute a look-up table for each component of
 * the whole frame @in, a straight line, and write the tables to the scratch buffer @slot. */
static void
enqueue_levels (Histeq * self, GstMgpuJob * job,
    const MgpuLevelsParams * params, const MgpuImage * in, guint slot)
{
  const cl_kernel *kernels = self->object.kernels;
  guint total = GST_VIDEO_INFO_WIDTH (&in->info)
      * GST_VIDEO_INFO_HEIGHT (&in->info);
  gsize n_entries = self->n_counters;
  gint n_histograms;
  cl_mem counts = enqueue_count (self, job, in, &n_histograms);
  cl_mem ends = mgpu_slot_write (self, ENDS, job,
      2 * self->n_components * sizeof (gint32));

  gst_mgpu_job_set_args (job, kernels[LEVELS_FIND], "miuuuim", counts,
      n_histograms, total, (guint) floor (total * params->low_clip),
      (guint) floor (total * params->high_clip),
      (gint) ceil ((self->hi - self->lo) / params->max_gain), ends);
  mgpu_launch_items (job, kernels[LEVELS_FIND],
      self->n_components * self->group, self->group);
  gst_mgpu_job_set_args (job, kernels[LEVELS_TABLE], "mm", ends,
      mgpu_slot_write (self, slot, job, 0));
  gst_mgpu_job_launch (job, kernels[LEVELS_TABLE], 1, &n_entries, NULL);
}

static void
enqueue_apply (Histeq * self, GstMgpuJob * job, const MgpuImage * in,
    const MgpuImage * out)
{
  cl_kernel kernel = self->object.kernels[APPLY];

  gst_mgpu_job_set_args (job, kernel, LOOK_UP, LOOK_UP_OF (self, job, in, out));
  gst_mgpu_job_launch (job, kernel, 2, self->global, self->rows.local);
}

/* ---- Work on a frame ----------------------------------------------------- */

/* Checks that the device can allocate the memory for @n_tiles histograms and look-up tables.
 * Returns: FALSE if not; the error is in @job */
static gboolean
check_tiles (Histeq * self, GstMgpuJob * job, const MgpuHisteqParams * params,
    guint n_tiles)
{
  guint64 most = self->object.traits->max_allocation_size;
  /* TRUE if the largest memory holds 32-bit words (counters or smoothed look-up tables), FALSE
   * if it holds samples */
  gboolean has_words = params->temporal_smoothing > 0
      || self->object.knobs[KNOB_COUNT] != COUNT_OWN;
  gsize size = (gsize) n_tiles * self->n_counters
      * (has_words ? sizeof (guint32) : (gsize) self->bytes);

  if (size <= most)
    return TRUE;
  gst_mgpu_job_fail (job, g_error_new (GST_MGPU_ERROR,
          GST_MGPU_ERROR_OUT_OF_MEMORY, "the histograms of %u tiles, with %u "
          "bins each, take %"
          G_GSIZE_FORMAT " bytes, and %" G_GUINT64_FORMAT
          " are possible on %s: use fewer tiles", n_tiles,
          self->n_counters, size, most,
          gst_mgpu_context_get_device_name (self->object.context)));
  return FALSE;
}

/* Enqueues the kernels that compute the look-up tables of the frame @in. */
static void
make_tables (Histeq * self, GstMgpuJob * job, const MgpuHisteqParams * params,
    const MgpuImage * in)
{
  gboolean is_clahe = params->method == MGPU_HISTEQ_CLAHE;
  gboolean is_smooth = params->temporal_smoothing > 0;
  guint n_tiles = is_clahe ? params->clahe.tiles_x * params->clahe.tiles_y : 1;
  gsize n_values = (gsize) n_tiles * self->n_counters;
  guint slot = TABLES;
  HisteqTiles tiles;

  if (!check_tiles (self, job, params, n_tiles)
      || !mgpu_slot_ensure (self, TABLES, job, n_values * self->bytes)
      || (is_smooth && !mgpu_histeq_smooth_get_slot (self, job, in,
              n_tiles * self->n_components, &slot))
      || (is_smooth && is_clahe
          && !mgpu_slot_ensure (self, HISTOGRAMS, job,
              n_values * sizeof (guint32))))
    return;
  if (is_clahe) {
    mgpu_histeq_clahe_find_tiles (self, &params->clahe, &tiles);
    mgpu_histeq_clahe_enqueue_tables (self, job, &tiles, in, slot, is_smooth);
  } else if (params->method == MGPU_HISTEQ_LEVELS) {
    enqueue_levels (self, job, &params->levels, in, slot);
  } else {
    enqueue_table (self, job, in, slot);
  }
  if (is_smooth)
    mgpu_histeq_smooth_enqueue (self, job, in, params->temporal_smoothing,
        is_clahe ? NEW_SCENE_CLAHE : NEW_SCENE_GLOBAL,
        is_clahe ? &tiles : NULL);
  if (params->strength < 1)
    mgpu_histeq_weaken_enqueue (self, job, n_tiles * self->n_components,
        params->strength);
}

/* Enqueues the kernels that equalize the first plane of work->in and write it to the first plane of
 * work->out. When @work describes a part of a frame, the look-up tables exist already, because an
 * earlier call for the whole frame, with work->out NULL, computed them. */
static void
equalize (Histeq * self, GstMgpuJob * job, const MgpuWork * work)
{
  const MgpuHisteqParams *params = work->params;

  if (work->part == NULL)
    make_tables (self, job, params, work->in);
  if (work->out == NULL || job->error != NULL)
    return;
  if (params->method == MGPU_HISTEQ_CLAHE)
    mgpu_histeq_clahe_enqueue_apply (self, job, work);
  else
    enqueue_apply (self, job, work->in, work->out);
}

static void
equalize_luma (Histeq * self, GstMgpuJob * job, const MgpuWork * work)
{
  MgpuImage luma[2];
  MgpuWork luma_work = *work;

  if (!mgpu_colour_luma_split (self->colour, job, work->in, luma))
    return;
  luma_work.in = &luma[0];
  luma_work.out = work->out != NULL ? &luma[1] : NULL;
  equalize (self->luma, job, &luma_work);
  if (work->out != NULL)
    mgpu_colour_luma_join (self->colour, job, work->in, luma, work->out);
}

/* Returns: TRUE if the look-up tables of the last frame can be blended with those of this frame,
 * that is, if both frames use smoothing and have the same method, channels and tiles */
static gboolean
goes_on (const MgpuHisteqParams * last, const MgpuHisteqParams * params)
{
  return last->temporal_smoothing > 0 && params->temporal_smoothing > 0
      && last->method == params->method && last->channels == params->channels
      && (params->method != MGPU_HISTEQ_CLAHE
      || (last->clahe.tiles_x == params->clahe.tiles_x
          && last->clahe.tiles_y == params->clahe.tiles_y));
}

static gboolean
remembers (gconstpointer params)
{
  return ((const MgpuHisteqParams *) params)->temporal_smoothing > 0;
}

static void
forget (gpointer object)
{
  Histeq *self = object;

  self->has_past = FALSE;
  if (self->luma != NULL)
    self->luma->has_past = FALSE;
}

/* Discards the histograms and tables of earlier frames after a frame failed. The histograms may
 * contain incomplete counts, or values that were never set to zero. If the device ends a kernel
 * later, after it was enqueued, nothing is discarded: the kernels that read the counts set them
 * to zero whatever they are, so that only the next frame is wrong. */
static void
recover (Histeq * self)
{
  forget (self);
  g_clear_pointer (&self->object.slots[COUNTS], gst_memory_unref);
  if (self->luma != NULL)
    g_clear_pointer (&self->luma->object.slots[COUNTS], gst_memory_unref);
}

static void
enqueue (gpointer object, GstMgpuJob * job, const MgpuWork * work)
{
  Histeq *self = object;
  const MgpuHisteqParams *params = work->params;
  GError *error = NULL;

  if (!goes_on (&self->last, params))
    forget (self);
  self->last = *params;
  if (!ensure_kernels (self, params, &error)) {
    gst_mgpu_job_fail (job, error);
  } else if (looks_at_luma (self, params)) {
    equalize_luma (self, job, work);
  } else {
    equalize (self, job, work);
    if (work->out != NULL)
      mgpu_image_copy_planes (job, work->in, work->out, ~1u);
  }
  if (job->error != NULL)
    recover (self);
}

/* ---- Handling of parameters ---------------------------------------------- */

static const MgpuEnumValue method_values[] = {
  {MGPU_HISTEQ_GLOBAL, "The whole frame alike", "global"},
  {MGPU_HISTEQ_CLAHE, "CLAHE: equalizes the histogram of each tile of the "
        "frame, with limited contrast", "clahe"},
  {MGPU_HISTEQ_LEVELS,
        "Stretches the range between a dark and a bright value of the frame "
        "linearly to the whole range",
      "levels"},
  {0}
};

static const MgpuEnumValue channels_values[] = {
  {MGPU_HISTEQ_LUMA, "Luma; the colors stay", "luma"},
  {MGPU_HISTEQ_EACH, "Red, green and blue are each equalized independently",
      "each"},
  {0}
};

static const MgpuEnum methods = { "GstMgpuHisteqMethod", method_values };
static const MgpuEnum channels = { "GstMgpuHisteqChannels", channels_values };

#define MEMBER(name) G_STRUCT_OFFSET (MgpuHisteqParams, name)

static const MgpuParam params[] = {
  {"method", MGPU_PARAM_ENUM, MEMBER (method), 0, 0, MGPU_HISTEQ_GLOBAL,
        &methods,
      "Method by which the contrast of the frame is increased"},
  {"channels", MGPU_PARAM_ENUM, MEMBER (channels), 0, 0, MGPU_HISTEQ_LUMA,
        &channels,
      "Which samples of RGB frames are equalized; in YUV frames, luma is "
        "always equalized"},
  {"clip-limit", MGPU_PARAM_DOUBLE, MEMBER (clahe.clip_limit), 0,
        MAX_CLIP_LIMIT, 40.0, NULL,
      "With method=clahe: limit for the count of each histogram bin, as a "
        "multiple of the mean count (0 = no limit)"},
  {"tiles-x", MGPU_PARAM_UINT, MEMBER (clahe.tiles_x), 1, MAX_TILES, 8, NULL,
      "With method=clahe: number of tiles in a row of the frame"},
  {"tiles-y", MGPU_PARAM_UINT, MEMBER (clahe.tiles_y), 1, MAX_TILES, 8, NULL,
      "With method=clahe: number of tiles in a column of the frame"},
  {"low-clip", MGPU_PARAM_DOUBLE, MEMBER (levels.low_clip), 0, 0.5, 0.005, NULL,
      "With method=levels: fraction of the samples that may become black"},
  {"high-clip", MGPU_PARAM_DOUBLE, MEMBER (levels.high_clip), 0, 0.5, 0.005,
        NULL,
      "With method=levels: fraction of the samples that may become white"},
  {"max-gain", MGPU_PARAM_DOUBLE, MEMBER (levels.max_gain), 1, MAX_GAIN, 4,
        NULL,
      "With method=levels: maximum factor by which differences between samples "
        "grow"},
  {"strength", MGPU_PARAM_DOUBLE, MEMBER (strength), 0, 1, 1, NULL,
      "Weight of the equalized frame in the output (0 = frames unchanged)"},
  {"temporal-smoothing", MGPU_PARAM_DOUBLE, MEMBER (temporal_smoothing), 0, 1,
        0, NULL,
      "Weight of earlier frames in the look-up tables of a frame (0 = each "
        "frame has its own tables, 1 = the tables of the first frame are kept)"},
  {NULL}
};

static gboolean
passes (gconstpointer params)
{
  return ((const MgpuHisteqParams *) params)->strength == 0;
}

const MgpuAlgorithm mgpu_histeq = {
  .size = sizeof (Histeq),
  .params_size = sizeof (MgpuHisteqParams),
  .params = params,
  .knobs = knobs,
  .kernels = kernels,
  .n_slots = N_SLOTS,
  .init = init,
  .define = define,
  .enqueue = enqueue,
  .passes = passes,
  .reach = mgpu_reach_nothing,
  .surveys = TRUE,
  .remembers = remembers,
  .forget = forget,
  .clear = clear
};
