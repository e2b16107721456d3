/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Measures dense optical flow. */
#include "flow.h"

#include <string.h>

#include <kernels/flow/flow-shared.h>

/* Number of work-items of a work-group that computes a pixel each */
#define PIXEL_GROUP 64

#define MAX_LEVELS 16

/* Indices of the tuning parameters in the list */
enum
{
  PATCH_ITEMS,
  SEARCH_GROUP,
  SWEEPS,
  TILE,
  GROUP,
  LANES,
  COLUMNS
};

static const MgpuKnob knobs[] = {
  {"PATCH_ITEMS", {1, 8, 8}, "1 2 4 8",
      "number of work-items that share a patch"},
  {"SEARCH_GROUP", {1, 64, 32}, "8 16 32 64 128",
      "number of work-items of a work-group that searches"},
  {"SWEEPS", {0, 5, 1}, "0 1 5",
      "number of sweeps of the refinement that a launch computes, tile by "
      "tile; 0: a launch computes a whole step, row by row"},
  {"TILE", {32, 32, 16}, "16 32", "width and height of a tile, in pixels"},
  {"GROUP", {1, 256, 32}, "32 64 128 256",
      "number of work-items that refine a tile"},
  {"LANES", {16, 1, 1}, "1 4 8 16", "number of pixels in a vector"},
  {"COLUMNS", {512, 256, 256}, "128 256 512", "maximum number of columns that "
      "a work-item refines in a step (used only if SWEEPS is 0)"},
  {NULL}
};

enum
{
  LOAD,
  HALVE,
  SEARCH,
  FIELD,
  ENLARGE,
  KEEP,
  TRUST,
  COMPARE,
  SYSTEM,
  SWEEP,
  STEP_ROWS
};

/* Numbers the sets of kernels. FRAME_SET depends on the format of frames. */
enum
{
  FRAME_SET,
  SEARCH_SET,
  FIELD_SET,
  SWEEP_SET,
  ROWS_SET,
  N_SETS
};

static const MgpuKernel kernels[] = {
  [LOAD] = {"flow/levels", "flow_load", FRAME_SET},
  [HALVE] = {"flow/levels", "flow_halve", FRAME_SET},
  [SEARCH] = {"flow/search", "flow_search", SEARCH_SET, TRUE},
  [FIELD] = {"flow/field", "flow_field", FIELD_SET},
  [ENLARGE] = {"flow/field", "flow_enlarge", FIELD_SET},
  [KEEP] = {"flow/field", "flow_keep", FIELD_SET},
  [TRUST] = {"flow/field", "flow_trust", FIELD_SET},
  [COMPARE] = {"flow/field", "flow_compare", FIELD_SET},
  [SYSTEM] = {"flow/refine", "flow_system", SWEEP_SET},
  [SWEEP] = {"flow/refine", "flow_sweep", SWEEP_SET},
  [STEP_ROWS] = {"flow/rows", "flow_step", ROWS_SET},
  {NULL}
};

/* Indices of the slots: scratch buffers in device memory, in which kernels leave data for later
 * kernels. Slots that come in pairs alternate: the pyramids of this frame and of the previous
 * frame; the patches that a level of the search writes, and the patches of the previous level that
 * it reads (also in a second pass); the fields that a sweep, or an enlargement, reads and
 * writes. */
enum
{
  LEVELS,
  FOUND = LEVELS + 2,
  FIELDS = FOUND + 2,
  MEANS = FIELDS + 2,
  KEPT = MEANS + 2,             /* flow of the previous frame, in each direction */
  STEP = KEPT + MGPU_FLOW_N_FIELDS,
  RESIDUAL,
  N_SLOTS
};

/* Parameters of the presets */
typedef struct
{
  gint shift;                   /* pyramid level of the field */
  gint finest;                  /* finest level that is searched */
  gint n_candidates;            /* number of patches of the coarser level whose flow is tried */
  gint n_evaluations;           /* maximum number of evaluations of a descent */
  gint n_passes;                /* number of passes of the search; the second pass tries the flow of
                                 * neighboring patches */
  gint n_steps[2];              /* number of refinement steps at level @finest, and number of steps
                                 * at the level of the field if this is another level */
} Preset;

static const Preset presets[] = {
  [MGPU_FLOW_ULTRAFAST] = {2, 2, 5, 4, 1, {2, 0}},
  [MGPU_FLOW_FAST] = {2, 2, 9, 3, 1, {4, 0}},
  [MGPU_FLOW_MEDIUM] = {1, 1, 9, 3, 1, {5, 0}},
  [MGPU_FLOW_FINE] = {0, 1, 9, 3, 2, {4, 3}}
};

#define LEVEL "iiii"
#define LEVEL_OF(l) (l)->width, (l)->height, (l)->stride, (l)->offset

struct _MgpuFlow
{
  MgpuObject object;
  gint coarsest;                /* index of the coarsest level that the frame size allows */
  gint n_levels;
  MgpuFlowLevel levels[MAX_LEVELS];
  gsize n_pixels;               /* number of samples of all levels, with their padding */
  gsize group[2];               /* work-group size of kernels in which each work-item computes a
                                 * pixel */
  guint now;                    /* index, 0 or 1, of the slot for the pyramid of the next frame */
  gboolean has_previous;        /* whether the second slot of the pair has the pyramid of the
                                 * previous frame */
  gboolean had_previous;        /* value of @has_previous before the last frame */
  gint preset;                  /* parameters with which the last fields were computed */
  gboolean has_kept[MGPU_FLOW_N_FIELDS];        /* whether the slot KEPT has the flow of the
                                                 * previous frame */
};

/* ---- Making the object ----------------------------------------------------- */

static void
plan_levels (MgpuFlow * self)
{
  MgpuComponent c = mgpu_get_component (&self->object.in, 0);
  guint64 longer = MAX (c.width, c.height);
  gint width = c.width, height = c.height;

  while (self->coarsest + 2 < MAX_LEVELS
      && longer * longer >= G_GUINT64_CONSTANT (1) << (2 * self->coarsest + 11)
      && MIN (width, height) >= 1 << (self->coarsest + 4))
    self->coarsest++;
  self->n_levels = MAX (self->coarsest + 1, MGPU_FLOW_MIN_LEVELS);
  for (gint l = 0; l < self->n_levels; l++) {
    gint stride = GST_ROUND_UP_16 (width + 2 * LEVEL_PAD);

    self->levels[l] = (MgpuFlowLevel) {
    width, height, stride, self->n_pixels + LEVEL_PAD * stride + LEVEL_PAD};
    self->n_pixels += (gsize) stride *(height + 2 * LEVEL_PAD);
    width = (width + 1) / 2;
    height = (height + 1) / 2;
  }
}

/* Reduces work-group sizes that exceed the limits of the device. */
static void
lower_knobs (MgpuFlow * self)
{
  gint *values = self->object.knobs;
  gint limit = self->object.traits->max_work_group_size;
  gint local = MIN (self->object.traits->local_memory_size, G_MAXINT);

  while (values[PATCH_ITEMS] > limit)
    values[PATCH_ITEMS] /= 2;
  while (values[SEARCH_GROUP] > limit)
    values[SEARCH_GROUP] /= 2;
  values[SEARCH_GROUP] = MAX (values[SEARCH_GROUP], values[PATCH_ITEMS]);
  while (values[GROUP] > limit)
    values[GROUP] /= 2;
  while (values[COLUMNS] > 128 && STEP_BYTES (values[COLUMNS]) > local)
    values[COLUMNS] /= 2;
  /* Chooses steps in rows only if local memory suffices, because steps in rows need more local
   * memory than steps in tiles. */
  if (values[SWEEPS] == 0 && STEP_BYTES (values[COLUMNS]) > local) {
    values[SWEEPS] = 1;
    values[TILE] = 16;
  }
}

static gboolean
init (gpointer object, gconstpointer params, GError ** error)
{
  MgpuFlow *self = object;
  gboolean ok = TRUE;

  plan_levels (self);
  lower_knobs (self);
  mgpu_group (self->object.context, PIXEL_GROUP, 1, self->group);
  for (guint set = 1; set < N_SETS && ok; set++)
    if (set != (self->object.knobs[SWEEPS] > 0 ? ROWS_SET : SWEEP_SET))
      ok = mgpu_object_build (self, set, error);
  return ok;
}

static void
define (gpointer object, guint set, GString * options)
{
  MgpuFlow *self = object;
  const gint *values = self->object.knobs;

  if (set == FRAME_SET) {
    MgpuComponent c = mgpu_get_component (&self->object.in, 0);

    mgpu_define_samples (options, &c);
  }
  if (set == SEARCH_SET)
    g_string_append_printf (options, " -DPATCHES=%d",
        values[SEARCH_GROUP] / values[PATCH_ITEMS]);
}

static void
forget (gpointer object)
{
  MgpuFlow *self = object;

  self->has_previous = FALSE;
  memset (self->has_kept, 0, sizeof (self->has_kept));
}

/* Returns the stride of a plane, in samples. It includes room for vectors of 16 floats that extend
 * beyond the end of a row, and for the padding at the start of the next row. */
static gsize
get_plane_stride (const MgpuFlowLevel * level)
{
  return GST_ROUND_UP_16 (level->width + 16) + PLANE_PAD;
}

static gsize
get_plane_size (const MgpuFlowLevel * level)
{
  return get_plane_stride (level) * (level->height + 3);
}

gboolean
mgpu_flow_check_size (const MgpuFlow * self, MgpuFlowPreset preset,
    GError ** error)
{
  const MgpuFlowLevel *frame = &self->levels[0], *field =
      &self->levels[presets[preset].shift];
  guint n_planes = self->object.knobs[SWEEPS] > 0 ? N_STEP_PLANES :
      N_FIELD_PLANES;
  guint64 n = n_planes * (guint64) get_plane_size (field);
  guint64 bytes = MAX (n * sizeof (gfloat), self->n_pixels * sizeof (guint16));
  guint64 most = self->object.traits->max_allocation_size;

  /* Limits the size, because kernels count pixels of levels, and elements of planes, as int. */
  if (bytes <= most && n <= G_MAXINT && self->n_pixels <= G_MAXINT)
    return TRUE;
  g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_OUT_OF_MEMORY,
      "the flow of frames of %dx%d takes %" G_GUINT64_FORMAT " bytes in one "
      "piece with this preset, and %" G_GUINT64_FORMAT " are possible on %s: "
      "choose a coarser preset, or scale the frames down before this element",
      frame->width, frame->height, bytes, MIN (most, 4 * (guint64) G_MAXINT),
      gst_mgpu_context_get_device_name (self->object.context));
  return FALSE;
}

gboolean
mgpu_flow_has_previous (const MgpuFlow * self)
{
  return self->has_previous;
}

MgpuFlowSize
mgpu_flow_get_size (const MgpuFlow * self, MgpuFlowPreset preset)
{
  gint shift = presets[preset].shift;
  const MgpuFlowLevel *level = &self->levels[shift];

  return (MgpuFlowSize) {
  level->width, level->height, shift};
}

/* ---- Work on a frame -------------------------------------------------------- */

/* Arguments that the kernels for one direction of flow share */
typedef struct
{
  GstMgpuJob *job;
  const MgpuFlowParams *params;
  const Preset *preset;
  cl_mem from, to;              /* pyramids of both frames */
  gint plane_stride, plane_size;
  cl_mem fields[2], means[2], step;
  guint field, mean;            /* index, in the pair of slots, of the slot that was written last */
} Work;

#define PLANES "ii"
#define PLANES_OF(work) (work)->plane_stride, (work)->plane_size

static void
launch (MgpuFlow * self, Work * work, guint kernel, gint width, gint height,
    gint lanes)
{
  mgpu_launch (work->job, self->object.kernels[kernel], width, height, lanes,
      1, self->group);
}

static void
enqueue_levels (MgpuFlow * self, GstMgpuJob * job, const MgpuImage * in)
{
  cl_mem levels = mgpu_slot_write (self, LEVELS + self->now, job,
      self->n_pixels * sizeof (guint16));
  MgpuComponent c = mgpu_get_component (&in->info, 0);
  Work work = {.job = job };

  for (gint l = 0; l < self->n_levels; l++) {
    const MgpuFlowLevel *level = &self->levels[l], *finer = level - 1;

    if (l == 0)
      gst_mgpu_job_set_args (job, self->object.kernels[LOAD],
          MGPU_PLANE "im" LEVEL, MGPU_READ (job, in, c), c.position, levels,
          LEVEL_OF (level));
    else
      gst_mgpu_job_set_args (job, self->object.kernels[HALVE], "mii" LEVEL,
          levels, finer->stride, finer->offset, LEVEL_OF (level));
    launch (self, &work, l == 0 ? LOAD : HALVE, level->width + 2 * LEVEL_PAD,
        level->height + 2 * LEVEL_PAD, self->object.knobs[LANES] > 1 ? 16 : 1);
  }
}

static gint
count_patches (gint size)
{
  return (size + PATCH_STRIDE - 1) / PATCH_STRIDE + 1;
}

/* Enqueues the search in all pyramid levels. The search begins with the flow in @kept (nullable).
 * Returns: the patches of the finest level */
static cl_mem
enqueue_search (MgpuFlow * self, Work * work, cl_mem kept)
{
  GstMgpuJob *job = work->job;
  const Preset *preset = work->preset;
  const gint *values = self->object.knobs;
  cl_kernel kernel = self->object.kernels[SEARCH];
  const MgpuFlowLevel *field = &self->levels[preset->shift];
  const MgpuFlowLevel *finest = &self->levels[preset->finest];
  gint coarsest = MAX (self->coarsest, preset->finest);
  gsize size = (gsize) count_patches (finest->width)
      * count_patches (finest->height) * 4 * sizeof (gfloat);
  cl_mem above = NULL;
  guint turn = 0;

  for (gint l = coarsest; l >= preset->finest; l--) {
    const MgpuFlowLevel *level = &self->levels[l];
    gint columns = count_patches (level->width);
    gint rows = count_patches (level->height);

    for (gint pass = 0; pass < preset->n_passes; pass++, turn++) {
      cl_mem found = mgpu_slot_write (self, FOUND + turn % 2, job, size);
      gboolean has_kept = kept != NULL && pass == 0;

      /* Passes any memory if there is no coarser level, because the kernel does not read it. */
      gst_mgpu_job_set_args (job, kernel, "mm" LEVEL "iimiiimiiiiim",
          work->from, work->to, LEVEL_OF (level), columns, rows,
          above != NULL ? above : found,
          count_patches (level[l < coarsest].width),
          count_patches (level[l < coarsest].height),
          pass > 0 ? -1 : l < coarsest ? preset->n_candidates : 0,
          kept != NULL ? kept : found, has_kept ? field->width : 0,
          field->height, preset->shift, l, preset->n_evaluations, found);
      mgpu_launch_items (job, kernel,
          (gsize) columns * rows * values[PATCH_ITEMS], values[SEARCH_GROUP]);
      above = found;
    }
  }
  return above;
}

static void
enqueue_sweeps (MgpuFlow * self, Work * work, const MgpuFlowLevel * level)
{
  GstMgpuJob *job = work->job;
  const gint *values = self->object.knobs;
  cl_kernel kernel = self->object.kernels[SWEEP];

  for (gint i = 0; i < N_SWEEPS; i += values[SWEEPS], work->field ^= 1) {
    gsize size[2] = {
      (gsize) ((level->width + values[TILE] - 1) / values[TILE])
          * values[GROUP], (level->height + values[TILE] - 1) / values[TILE]
    };
    const gsize group[2] = { values[GROUP], 1 };

    gst_mgpu_job_set_args (job, kernel, "m" PLANES "iiimm", work->step,
        PLANES_OF (work), level->width, level->height, i == 0,
        work->fields[work->field], work->fields[work->field ^ 1]);
    gst_mgpu_job_launch (job, kernel, 2, size, group);
  }
}

/* Divides a field into bands of rows and parts of columns, each of which a work-item computes in a
 * step. Makes about as many parts as there are compute units, because the rows and columns around
 * each part are computed twice. */
static void
divide_field (MgpuFlow * self, const MgpuFlowLevel * level, gsize * size)
{
  guint units = MAX (self->object.traits->compute_units, 1);
  guint least = G_MAXUINT;

  size[0] = (level->width + self->object.knobs[COLUMNS] - 1)
      / self->object.knobs[COLUMNS];
  for (guint bands = 1; (gint) bands <= MAX (level->height / 8, 1); bands++) {
    guint rows = (level->height + bands - 1) / bands + STEP_MARGIN;
    guint cost = (size[0] * bands + units - 1) / units * rows;

    if (cost < least) {
      least = cost;
      size[1] = bands;
    }
  }
}

/* Enqueues a refinement step as one kernel launch. */
static void
enqueue_rows (MgpuFlow * self, Work * work, const MgpuFlowLevel * level)
{
  static const gsize group[2] = { 1, 1 };
  gsize size[2];

  divide_field (self, level, size);
  gst_mgpu_job_set_args (work->job, self->object.kernels[STEP_ROWS],
      "mm" LEVEL "iiimm" PLANES, work->from, work->to, LEVEL_OF (level),
      work->params->lighting,
      GST_ROUND_UP_32 ((level->width + size[0] - 1) / size[0]),
      (gint) ((level->height + size[1] - 1) / size[1]),
      work->fields[work->field], work->fields[work->field ^ 1],
      PLANES_OF (work));
  gst_mgpu_job_launch (work->job, self->object.kernels[STEP_ROWS], 2, size,
      group);
  work->field ^= 1;
}

static void
enqueue_steps (MgpuFlow * self, Work * work, const MgpuFlowLevel * level,
    gint n)
{
  GstMgpuJob *job = work->job;
  cl_kernel *kernels = self->object.kernels;
  const gsize group[2] = { self->object.knobs[GROUP], 1 };
  const gsize size[2] = {
    (level->width + SYSTEM_X - 1) / SYSTEM_X * group[0],
    (level->height + SYSTEM_Y - 1) / SYSTEM_Y
  };

  for (gint i = 0; i < n; i++) {
    if (self->object.knobs[SWEEPS] == 0) {
      enqueue_rows (self, work, level);
      continue;
    }
    gst_mgpu_job_set_args (job, kernels[SYSTEM], "mm" LEVEL "imm" PLANES,
        work->from, work->to, LEVEL_OF (level), work->params->lighting,
        work->fields[work->field], work->step, PLANES_OF (work));
    gst_mgpu_job_launch (job, kernels[SYSTEM], 2, size, group);
    enqueue_sweeps (self, work, level);
  }
}

/* Allocates planes of floats, filled with zeros, because kernels also read samples beyond the
 * edges, and multiply them by 0, which would fail for NaN. */
static gboolean
ensure_planes (MgpuFlow * self, Work * work)
{
  const MgpuFlowLevel *level = &self->levels[work->preset->shift];
  gsize plane;
  gboolean ok = TRUE;

  work->plane_stride = get_plane_stride (level);
  work->plane_size = get_plane_size (level);
  plane = work->plane_size * sizeof (gfloat);
  for (guint i = 0; i < 2 && ok; i++) {
    ok = mgpu_slot_ensure_zeros (self, FIELDS + i, work->job,
        N_FIELD_PLANES * plane)
        && mgpu_slot_ensure_zeros (self, MEANS + i, work->job, plane);
    work->fields[i] = ok
        ? mgpu_slot_write (self, FIELDS + i, work->job, 0) : NULL;
    work->means[i] = ok
        ? mgpu_slot_write (self, MEANS + i, work->job, 0) : NULL;
  }
  ok = ok && mgpu_slot_ensure_zeros (self, RESIDUAL, work->job, plane);
  if (self->object.knobs[SWEEPS] > 0) {
    ok = ok && mgpu_slot_ensure_zeros (self, STEP, work->job,
        N_STEP_PLANES * plane);
    work->step = ok ? mgpu_slot_write (self, STEP, work->job, 0) : NULL;
  }
  return ok;
}

static void
enqueue_kept (MgpuFlow * self, Work * work, guint i,
    const MgpuFlowField * field)
{
  GstMgpuJob *job = work->job;
  cl_kernel *kernels = self->object.kernels;
  gint shift = work->preset->shift;
  const MgpuFlowLevel *level = &self->levels[shift];
  cl_mem residual = mgpu_slot_write (self, RESIDUAL, job, 0);
  cl_mem kept = mgpu_slot_write (self, KEPT + i, job,
      (gsize) level->width * level->height * 2 * sizeof (gint16));
  cl_mem confidence = gst_mgpu_job_write (job, field->confidence);

  gst_mgpu_job_set_args (job, kernels[KEEP],
      "mm" LEVEL "imm" PLANES "mmmm", work->from, work->to, LEVEL_OF (level),
      shift, work->fields[work->field], work->means[work->mean],
      PLANES_OF (work), gst_mgpu_job_write (job, field->flow), kept, residual,
      confidence);
  launch (self, work, KEEP, level->width, level->height,
      self->object.knobs[LANES]);
  gst_mgpu_job_set_args (job, kernels[TRUST], "m" PLANES "iim", residual,
      PLANES_OF (work), level->width, level->height, confidence);
  launch (self, work, TRUST, level->width, level->height,
      self->object.knobs[LANES]);
}

/* Enqueues the measurement of the flow between the two frames whose pyramids are stored, in
 * direction @i. */
static void
enqueue_field (MgpuFlow * self, GstMgpuJob * job,
    const MgpuFlowParams * params, guint i, const MgpuFlowField * field)
{
  Work work = {.job = job,.params = params,
    .preset = &presets[params->preset]
  };
  guint from = i == MGPU_FLOW_FIELD_TO_PREVIOUS ? self->now : !self->now;
  const Preset *preset = work.preset;
  const MgpuFlowLevel *level = &self->levels[preset->finest];
  cl_mem found;

  work.from = mgpu_slot_read (self, LEVELS + from, job);
  work.to = mgpu_slot_read (self, LEVELS + !from, job);
  found = enqueue_search (self, &work, params->temporal && self->has_kept[i]
      ? mgpu_slot_read (self, KEPT + i, job) : NULL);
  if (!ensure_planes (self, &work))
    return;
  gst_mgpu_job_set_args (job, self->object.kernels[FIELD],
      "mm" LEVEL "immm" PLANES, work.from, work.to, LEVEL_OF (level),
      count_patches (level->width), found, work.fields[0], work.means[0],
      PLANES_OF (&work));
  launch (self, &work, FIELD, level->width, level->height,
      self->object.knobs[LANES]);
  enqueue_steps (self, &work, level, preset->n_steps[0]);
  if (preset->shift < preset->finest) {
    const MgpuFlowLevel *finer = &self->levels[preset->shift];

    gst_mgpu_job_set_args (job, self->object.kernels[ENLARGE],
        "mm" PLANES "iiimm", work.fields[work.field], work.means[0],
        PLANES_OF (&work), level->width, level->height, finer->height,
        work.fields[work.field ^ 1], work.means[1]);
    launch (self, &work, ENLARGE, level->width, finer->height,
        self->object.knobs[LANES]);
    work.field ^= 1;
    work.mean = 1;
    enqueue_steps (self, &work, finer, preset->n_steps[1]);
  }
  enqueue_kept (self, &work, i, field);
}

/* Lowers the confidence of each field where the field of the other direction contradicts it. */
static void
enqueue_comparison (MgpuFlow * self, GstMgpuJob * job, gint shift,
    const MgpuFlowField fields[MGPU_FLOW_N_FIELDS])
{
  const MgpuFlowLevel *level = &self->levels[shift];
  Work work = {.job = job };

  for (guint i = 0; i < MGPU_FLOW_N_FIELDS; i++) {
    gst_mgpu_job_set_args (job, self->object.kernels[COMPARE], "mmiiim",
        gst_mgpu_job_read (job, fields[i].flow),
        gst_mgpu_job_read (job, fields[!i].flow), level->width, level->height,
        shift, gst_mgpu_job_write (job, fields[i].confidence));
    launch (self, &work, COMPARE, level->width, level->height,
        self->object.knobs[LANES]);
  }
}

void
mgpu_flow_enqueue (MgpuFlow * self, GstMgpuJob * job,
    const MgpuFlowParams * params, const MgpuImage * in,
    const MgpuFlowField fields[MGPU_FLOW_N_FIELDS])
{
  gboolean is_both = params->direction == MGPU_FLOW_BOTH;
  GError *error = NULL;

  if (params->dense && !mgpu_flow_check_size (self, params->preset, &error)) {
    gst_mgpu_job_fail (job, error);
    return;
  }
  if (params->preset != self->preset)
    memset (self->has_kept, 0, sizeof (self->has_kept));
  self->preset = params->preset;
  enqueue_levels (self, job, in);
  for (guint i = 0; i < MGPU_FLOW_N_FIELDS && self->has_previous; i++) {
    gboolean is_wanted = params->dense
        && (is_both || params->direction == (gint) i);

    if (is_wanted)
      enqueue_field (self, job, params, i, &fields[i]);
    self->has_kept[i] = is_wanted;
  }
  if (params->dense && is_both && self->has_previous)
    enqueue_comparison (self, job, presets[params->preset].shift, fields);
  self->had_previous = self->has_previous;
  self->has_previous = TRUE;
  self->now ^= 1;
  /* Checks for an error, because allocating memory for this frame may have failed. */
  if (job->error != NULL)
    forget (self);
}

void
mgpu_flow_get_levels (MgpuFlow * self, GstMgpuJob * job,
    MgpuFlowLevels * levels)
{
  levels->levels = self->levels;
  levels->now = mgpu_slot_read (self, LEVELS + !self->now, job);
  levels->previous = self->had_previous
      ? mgpu_slot_read (self, LEVELS + self->now, job) : NULL;
}

const MgpuAlgorithm mgpu_flow = {
  .size = sizeof (MgpuFlow),
  .knobs = knobs,
  .kernels = kernels,
  .n_slots = N_SLOTS,
  .init = init,
  .define = define,
  .forget = forget
};
