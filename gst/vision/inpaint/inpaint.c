/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "private.h"

#include <kernels/inpaint/shared.h>

/* Number of unused words behind each plane of the working copy, and of unused bytes
 * behind SOURCES: vectors reach over the end of the last row. */
#define MARGIN 128

/* ---- Object ---------------------------------------------------------------- */

/* Holds the knobs. Work-items of processors compare 16 sources at once, and one target
 * keeps all cores at work. The sizes of work-groups are powers of two. A search is shared
 * by many work-groups; a step has one work-group for each lane. */
static const MgpuKnob knobs[] = {
  [ROW_GROUP] = MGPU_INPAINT_ROW_GROUP,
  [LANES] = {"LANES", {16, 1, 1}, NULL, "sources that are compared at once"},
  [SEARCH_GROUP] = {"SEARCH_GROUP", {1, 128, 128}, "1 32 64 128 256",
      "work-items of a group of a search; 1 with 16 lanes"},
  [STEP_GROUP] = {"STEP_GROUP", {1, 256, 256}, "1 32 64 128 256",
      "work-items of a group of a step; 1 with 16 lanes"},
  [SLOTS] = {"SLOTS", {1, MAX_SLOTS, MAX_SLOTS}, "1 2 4",
      "targets of a lane that are searched at the same time"},
  [UNIT_PARTS] = {"UNIT_PARTS", {8, 16, 16}, "4 8 16 32",
      "work-groups of a search for each compute unit"},
  [QUICK_BATCH] = {"QUICK_BATCH", {10000, 500, 500}, NULL,
      "microseconds of a batch of steps, below which the next one is larger"},
  {NULL}
};

static const MgpuKernel kernels[] = {
  [LOAD] = {"inpaint/frame", "inpaint_load", 0},
  [STORE] = {"inpaint/frame", "inpaint_store", 0},
  [MARK] = {"inpaint/frame", "inpaint_mark", 0},
  [BLEND] = {"inpaint/frame", "inpaint_blend", 0},
  [LOAD_PLAIN] = {"inpaint/frame", "inpaint_load_plain", 0},
  [DIFFUSE] = {"inpaint/frame", "inpaint_diffuse", 0},
  [BEGIN] = {"inpaint/begin", "inpaint_begin", 0},
  [GRADIENTS] = {"inpaint/begin", "inpaint_gradients", 0},
  [PRIORITIES] = {"inpaint/begin", "inpaint_priorities", 0},
  [SEGMENTS] = {"inpaint/begin", "inpaint_segments", 0},
  [STEP] = {"inpaint/step", "inpaint_step", 0},
  [REPORT] = {"inpaint/step", "inpaint_report", 0},
  [SEARCH] = {"inpaint/search", "inpaint_search", 0},
  [LIST] = {"inpaint/follow", "inpaint_list", 0},
  [FOLLOW] = {"inpaint/follow", "inpaint_follow", 0},
  [SEAM_BEGIN] = {"inpaint/seam", "seam_begin", 0},
  [SEAM_END] = {"inpaint/seam", "seam_end", 0},
  [SEAM_COARSEN] = {"inpaint/seam", "seam_coarsen", 0},
  [SEAM_RELAX] = {"inpaint/seam", "seam_relax", 0},
  [SEAM_RESTRICT] = {"inpaint/seam", "seam_restrict", 0},
  [SEAM_PROLONG] = {"inpaint/seam", "seam_prolong", 0},
  {NULL}
};

/* Halves *group, a power of two, until it is at most limit. */
static void
lower_group (gint * group, gsize limit)
{
  while ((gsize) * group > limit)
    *group /= 2;
}

/* Returns: whether the working copy has a plane of floats for each colour, rather than a
 * word for each pixel: see kernels/inpaint/inpaint.h */
static gboolean
is_wide (const MgpuInpaint * self)
{
  return self->object.knobs[LANES] == 16;
}

static gboolean
init (gpointer object, gconstpointer params, GError ** error)
{
  MgpuInpaint *self = object;
  gsize limit = is_wide (self)
      ? 1 : self->object.traits->max_work_group_size;
  const GstVideoInfo *info = &self->object.in;
  gint *knobs = self->object.knobs;

  lower_group (&knobs[SEARCH_GROUP], limit);
  lower_group (&knobs[STEP_GROUP], limit);
  mgpu_group (self->object.context, knobs[ROW_GROUP], 1, self->row);
  self->plane = GST_VIDEO_INFO_WIDTH (info) * GST_VIDEO_INFO_HEIGHT (info)
      + MARGIN;
  return TRUE;
}

static void
clear (gpointer object)
{
  MgpuInpaint *self = object;

  mgpu_inpaint_video_clear (&self->video);
  mgpu_inpaint_plan_free (self->plan);
}

const MgpuAlgorithm mgpu_inpaint = {
  .size = sizeof (MgpuInpaint),
  .knobs = knobs,
  .kernels = kernels,
  .n_slots = N_SLOTS,
  .init = init,
  .clear = clear
};

/* ---- Masks ------------------------------------------------------------------ */

/* Sets the numbers that depend on the plan. */
static void
set_counts (MgpuInpaint * self)
{
  const MgpuInpaintPlan *plan = self->plan;
  const gint *knobs = self->object.knobs;
  guint n_slots;
  gsize area = 0;

  self->n_slots = self->params.shortcuts & MGPU_INPAINT_AHEAD
      ? knobs[SLOTS] : 1;
  self->n_words = (plan->hole.x1 - plan->hole.x0 + 31) / 32 + 2;
  for (guint i = 0; i < plan->windows->len; i++)
    area = MAX (area,
        mgpu_box_area (&g_array_index (plan->windows, MgpuBox, i)));
  area = (area + knobs[SEARCH_GROUP] - 1) / knobs[SEARCH_GROUP];
  n_slots = plan->n_lanes * self->n_slots;
  self->n_parts = MAX (MIN (area * n_slots, knobs[UNIT_PARTS]
          * self->object.traits->compute_units), n_slots);
}

MgpuInpaintResult
mgpu_inpaint_set_mask (MgpuInpaint * self, const guint8 * unknown,
    const guint8 * forbidden, const MgpuInpaintParams * params)
{
  gint width = GST_VIDEO_INFO_WIDTH (&self->object.in);
  gint height = GST_VIDEO_INFO_HEIGHT (&self->object.in);

  mgpu_inpaint_plan_free (self->plan);
  self->plan = mgpu_inpaint_plan_new (unknown, forbidden, width, height,
      params->patch_size, params->search_factor,
      (params->shortcuts & MGPU_INPAINT_SIDE_BY_SIDE) != 0);
  self->params = *params;
  set_counts (self);
  self->changed = TRUE;
  mgpu_inpaint_forget (self);
  if (self->plan->n_unknown == 0)
    self->result = MGPU_INPAINT_NOTHING;
  else if (self->plan->n_unknown == (guint) width * height)
    self->result = MGPU_INPAINT_EVERYTHING;
  else
    self->result = self->plan->has_sources ? MGPU_INPAINT_COPIES
        : MGPU_INPAINT_DIFFUSES;
  return self->result;
}

/* Returns: the number of segments of all lanes; a segment is a piece of a row with a key
 * of its own */
static gsize
count_segments (const MgpuInpaintPlan * plan)
{
  gsize n = 0;

  for (guint i = 0; i < plan->n_lanes; i++) {
    const MgpuBox *box = &plan->lanes[i];

    n += (gsize) ((box->x1 - box->x0 + SEGMENT - 1) / SEGMENT)
        * (box->y1 - box->y0);
  }
  return n;
}

/* Copies the plan, which is made of the mask, to the device. FALSE: the error is in
 * job. */
static gboolean
upload_plan (MgpuInpaint * self, GstMgpuJob * job)
{
  const MgpuInpaintPlan *plan = self->plan;
  gsize n = (gsize) plan->width * plan->height;

  return mgpu_slot_upload (self, OBJECT, job, plan->object, n * sizeof (gint),
      0)
      && mgpu_slot_upload (self, SOURCES, job, plan->sources, n, MARGIN)
      && mgpu_slot_upload (self, WINDOWS, job, plan->windows->data,
      plan->windows->len * sizeof (MgpuBox), sizeof (MgpuBox))
      && mgpu_slot_upload (self, LANE_BOXES, job, plan->lanes,
      sizeof (plan->lanes), 0)
      && mgpu_slot_upload (self, ORDER, job, plan->order->data,
      plan->order->len * sizeof (gint), sizeof (gint));
}

/* Allocates the slots of memory that kernels write. FALSE: the error is in job. */
static gboolean
ensure_slots (MgpuInpaint * self, GstMgpuJob * job)
{
  const MgpuInpaintPlan *plan = self->plan;
  gsize n = (gsize) plan->width * plan->height;
  gsize n_slots = plan->n_lanes * self->n_slots;
  gsize patch_area = self->params.patch_size * self->params.patch_size;
  gsize rows = plan->hole.y1 - plan->hole.y0;
  gsize hole = mgpu_box_area (&plan->hole);
  const gsize sizes[N_OF_FRAME] = {
    [WORK] = sizeof (guint32) * (is_wide (self) ? 3 : 1) * self->plane,
    [GREY] = n,
    [UNKNOWN] = n,
    [CONFIDENCE] = sizeof (guint32) * n,
    [GRADIENT] = sizeof (guint32) * n,
    [PRIORITY] = sizeof (guint32) * n,
    [ORIGIN] = sizeof (gint32) * n,
    [FILLER] = sizeof (gint32) * n,
    [TARGETS] = self->blend ? sizeof (guint32) * rows * self->n_words : 1,
    [VALUES] = self->blend || self->smooth ? sizeof (gint32) * n : 1,
    [BESIDE] = self->blend && self->smooth ? 4 * sizeof (gint32) * hole : 1,
    [ENTRIES] = MAX (n_slots * MAX_PATCH_AREA,
        self->temporal ? MGPU_INPAINT_MAX_FOLLOWED * patch_area : 0) * ENTRY,
    [STATES] = n_slots * STATE * sizeof (guint32),
    [PARTS] = n_slots * self->n_parts * sizeof (guint64),
    [SEGMENT_KEYS] = count_segments (plan) * sizeof (guint64)
  };
  gboolean ok = TRUE;

  for (guint i = N_PLANNED; i < N_OF_FRAME && ok; i++) {
    /* Without sources in the plan, kernels need ORIGIN only, which then holds colours. */
    gsize size = plan->has_sources || i == ORIGIN ? sizes[i] : sizeof (guint64);

    /* Clears WORK: vectors also load pixels behind those that kernels write. A float there
     * that is no number could make a place that is no source win a comparison. */
    ok = i == WORK ? mgpu_slot_ensure_zeros (self, i, job, size)
        : mgpu_slot_ensure (self, i, job, size);
  }
  return ok;
}

/* Copies a changed plan to the device, allocates the slots, and sets mem. FALSE: the
 * error is in job. */
static gboolean
start_frame (MgpuInpaint * self, GstMgpuJob * job)
{
  self->changed = self->changed && !upload_plan (self, job);
  if (self->changed || !ensure_slots (self, job))
    return FALSE;
  for (guint i = 0; i < N_OF_FRAME; i++)
    self->mem[i] = i < N_PLANNED ? mgpu_slot_read (self, i, job)
        : mgpu_slot_write (self, i, job, 0);
  return TRUE;
}

/* ---- Frames ---------------------------------------------------------------------- */

void
mgpu_inpaint_set_blend (MgpuInpaint * self, gboolean blend)
{
  self->blend = blend;
}

void
mgpu_inpaint_set_seam (MgpuInpaint * self, gboolean seam)
{
  self->smooth = seam;
}

void
mgpu_inpaint_set_temporal (MgpuInpaint * self, gboolean temporal,
    GTimeSpan budget)
{
  self->temporal = temporal;
  self->budget = temporal ? budget : 0;
  self->unfinished = self->unfinished && temporal;
}

void
mgpu_inpaint_forget (MgpuInpaint * self)
{
  self->video.is_valid = FALSE;
  self->video.way = MGPU_INPAINT_ANEW;
  self->unfinished = FALSE;
}

MgpuInpaintWay
mgpu_inpaint_get_way (const MgpuInpaint * self)
{
  return self->video.way;
}

/* Finds the places from which the unknown pixels are copied. Returns: FALSE when progress
 * returned FALSE */
static gboolean
enqueue_copies (MgpuInpaint * self, GstMgpuJob * job, const MgpuImage * in,
    MgpuInpaintProgress progress, gpointer data)
{
  gboolean goes_on;

  /* Loads no new frame while a hole is filled over several frames: its patches come from
   * the first of these frames. */
  if (!self->unfinished) {
    mgpu_inpaint_load (self, job, in);
    if (self->temporal && mgpu_inpaint_video_follow (self, job))
      return TRUE;
    self->video.is_valid = FALSE;
    mgpu_inpaint_begin (self, job);
  }
  goes_on = mgpu_inpaint_enqueue_steps (self, job, progress, data);
  self->video.way = self->unfinished ? MGPU_INPAINT_UNFINISHED
      : MGPU_INPAINT_ANEW;
  if (goes_on && self->temporal && !self->unfinished)
    mgpu_inpaint_video_remember (self, job);
  return goes_on;
}

gboolean
mgpu_inpaint_enqueue (MgpuInpaint * self, GstMgpuJob * job,
    const MgpuImage * in, const MgpuImage * out, MgpuInpaintProgress progress,
    gpointer data)
{
  guint n = GST_VIDEO_INFO_N_COMPONENTS (&in->info), first = 0;
  gboolean goes_on = TRUE;

  /* Keeps three eighths of the budget for the work after the steps, and for steps that
   * take longer than the steps before. */
  self->deadline = g_get_monotonic_time () + self->budget * 5 / 8;
  mgpu_image_copy_planes (job, in, out, ~0u);
  if (self->result < MGPU_INPAINT_COPIES || !start_frame (self, job))
    return TRUE;
  if (self->result == MGPU_INPAINT_COPIES)
    goes_on = enqueue_copies (self, job, in, progress, data);
  if (self->blend && self->result == MGPU_INPAINT_COPIES && goes_on)
    mgpu_inpaint_mark (self, job);
  if (self->smooth && self->result == MGPU_INPAINT_COPIES && goes_on
      && !self->unfinished) {
    first = MIN (n, MGPU_INPAINT_SEAM_MAX_COLOURS);
    mgpu_inpaint_smooth (self, job, in, out, first);
  }
  for (guint i = first; i < n && goes_on; i++)
    if (self->result == MGPU_INPAINT_DIFFUSES)
      mgpu_inpaint_diffuse (self, job, in, out, i);
    else
      mgpu_inpaint_copy (self, job, in, out, i);
  return goes_on;
}
