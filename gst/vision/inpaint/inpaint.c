/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Fills the unknown pixels of frames: creates the object, sets its masks, and processes frames. */
#include "inpaint-private.h"

#include <kernels/inpaint/inpaint-shared.h>

/* Number of unused 32-bit words after each plane of the working copy of the frame, and of unused
 * bytes after the data of the scratch buffer SOURCES. They are needed because vectors extend
 * past the end of the last row. */
#define MARGIN 128

/* ---- Making the object ----------------------------------------------------- */

/* Tuning parameters (knobs) of the kernels. The sizes of work-groups are powers of two.
 * - On CPUs, a work-item compares a target patch with 16 source patches at once. A search for
 *   one source patch is enough to keep all cores busy.
 * - Many work-groups share a search.
 * - A step fills one patch in each lane, with one work-group for each lane. A lane is a group of
 *   objects that is filled independently. */
static const MgpuKnob knobs[] = {
  [ROW_GROUP] = {"ROW_GROUP", {1, 64, 64}, "1 16 32 64 128",
      "number of work-items that share a row"},
  [LANES] = {"LANES", {16, 1, 1}, NULL,
      "number of source patches that a work-item compares at once"},
  [SEARCH_GROUP] = {"SEARCH_GROUP", {1, 128, 128}, "1 32 64 128 256",
      "number of work-items in a work-group that searches a source patch; 1 "
      "if LANES is 16"},
  [STEP_GROUP] = {"STEP_GROUP", {1, 256, 256}, "1 32 64 128 256",
      "number of work-items in a work-group that fills a patch, or computes "
      "small levels of the solver of seams; 1 if LANES is 16"},
  [MATCH_GROUP] = {"MATCH_GROUP", {1, 256, 128}, "1 32 64 128 256",
      "number of work-items in a work-group that finds a pixel's first "
      "color; 1 if LANES is 16"},
  [SLOTS] = {"SLOTS", {1, MAX_SLOTS, MAX_SLOTS}, "1 2 4",
      "number of target patches of a lane (a group of objects that is filled "
      "independently) whose source patches are searched at once"},
  [UNIT_PARTS] = {"UNIT_PARTS", {8, 16, 16}, "4 8 16 32",
      "maximum number of work-groups of a search, per compute unit"},
  [QUICK_BATCH] = {"QUICK_BATCH", {10000, 500, 500}, NULL,
      "time in microseconds; after a batch of steps that took less time, the "
      "next batch is larger"},
  {NULL}
};

static const MgpuKernel kernels[] = {
  [LOAD] = {"inpaint/frame", "inpaint_load", 0},
  [FIND_ENDS] = {"inpaint/frame", "inpaint_find_ends", 0},
  [NARROW] = {"inpaint/frame", "inpaint_narrow", 0},
  [STORE] = {"inpaint/frame", "inpaint_store", 0},
  [MARK] = {"inpaint/frame", "inpaint_mark", 0},
  [BLEND] = {"inpaint/frame", "inpaint_blend", 0},
  [AGREE] = {"inpaint/frame", "inpaint_agree", 0},
  [LOAD_PLAIN] = {"inpaint/frame", "inpaint_load_plain", 0},
  [DIFFUSE] = {"inpaint/frame", "inpaint_diffuse", 0},
  [LINES_FIND] = {"inpaint/lines", "lines_find", 0},
  [LINES_FILL] = {"inpaint/lines", "lines_fill", 0},
  [BEGIN] = {"inpaint/begin", "inpaint_begin", 0},
  [GRADIENTS] = {"inpaint/begin", "inpaint_gradients", 0},
  [PRIORITIES] = {"inpaint/begin", "inpaint_priorities", 0},
  [SEGMENTS] = {"inpaint/begin", "inpaint_segments", 0},
  [STEP] = {"inpaint/step", "inpaint_step", 0},
  [REPORT] = {"inpaint/step", "inpaint_report", 0},
  [SEARCH] = {"inpaint/search", "inpaint_search", 0},
  [LIST] = {"inpaint/follow", "inpaint_list", 0},
  [FOLLOW] = {"inpaint/follow", "inpaint_follow", 0},
  [ACCEPT] = {"inpaint/follow", "inpaint_accept", 0},
  [SEAM_BEGIN] = {"inpaint/flow", "seam_begin", 0},
  [SEAM_END] = {"inpaint/flow", "seam_end", 0},
  [SHADE_SUM] = {"inpaint/shade", "shade_sum", 0},
  [SHADE_FIT] = {"inpaint/shade", "shade_fit", 0},
  [SHADE_TRY] = {"inpaint/shade", "shade_try", 0},
  [SHADE_JUDGE] = {"inpaint/shade", "shade_judge", 0},
  [SHADE_LAY] = {"inpaint/shade", "shade_lay", 0},
  [SEAM_COARSEN] = {"inpaint/seam", "seam_coarsen", 0},
  [SEAM_RELAX] = {"inpaint/seam", "seam_relax", 0},
  [SEAM_RESTRICT] = {"inpaint/seam", "seam_restrict", 0},
  [SEAM_PROLONG] = {"inpaint/seam", "seam_prolong", 0},
  [SEAM_CYCLE] = {"inpaint/seam", "seam_cycle", 0},
  [MATCH_LOAD] = {"inpaint/levels", "match_load", 0},
  [MATCH_GRADIENTS] = {"inpaint/levels", "match_gradients", 0},
  [MATCH_TEXTURES] = {"inpaint/levels", "match_texture", 0},
  [MATCH_REDUCE] = {"inpaint/levels", "match_reduce", 0},
  [MATCH_SEED] = {"inpaint/peel", "match_seed", 0},
  [MATCH_PEEL] = {"inpaint/peel", "match_peel", 0},
  [MATCH_GROW] = {"inpaint/patchmatch", "match_grow", 0},
  [MATCH_PROPAGATE] = {"inpaint/patchmatch", "match_propagate", 0},
  [MATCH_SEARCH] = {"inpaint/patchmatch", "match_search", 0},
  [MATCH_VOTE] = {"inpaint/patchmatch", "match_vote", 0},
  [MATCH_FINISH] = {"inpaint/patchmatch", "match_finish", 0},
  {NULL}
};

/* Halves the work-group size *@group, a power of two, until it is at most @limit. */
static void
lower_group (gint * group, gsize limit)
{
  while ((gsize) * group > limit)
    *group /= 2;
}

/* Returns: TRUE if the working copy of the frame has a plane of floats for each color, FALSE if
 * it has a word for each pixel: see kernels/inpaint/inpaint.h */
static gboolean
is_wide (const MgpuInpaint * self)
{
  return self->object.knobs[LANES] == 16;
}

/* Checks that these numbers fit into an int: the words of the working copy of the frame, and the
 * grid cells of the solver that removes seams if the hole is the whole frame. Returns: FALSE if
 * not; @error is set */
static gboolean
check_size (const MgpuInpaint * self, GError ** error)
{
  const GstVideoInfo *info = &self->object.in;
  gint width = GST_VIDEO_INFO_WIDTH (info);
  gint height = GST_VIDEO_INFO_HEIGHT (info);
  gsize words = (gsize) width * height + MARGIN;
  gsize cells = mgpu_inpaint_seam_count (width, height)
      * GST_VIDEO_INFO_N_COMPONENTS (info);

  if ((is_wide (self) ? 3 : 1) * words <= G_MAXINT && cells <= G_MAXINT)
    return TRUE;
  g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_OUT_OF_MEMORY,
      "holes can be filled in frames of up to about %d million pixels in this "
      "format on this device, but these frames have %dx%d: scale them down "
      "before this element", MIN (G_MAXINT / (is_wide (self) ? 3 : 1),
          G_MAXINT / 4 * 3 / (gint) GST_VIDEO_INFO_N_COMPONENTS (info))
      / 1000000, width, height);
  return FALSE;
}

static gboolean
init (gpointer object, gconstpointer params, GError ** error)
{
  MgpuInpaint *self = object;
  gsize limit = is_wide (self)
      ? 1 : self->object.traits->max_work_group_size;
  const GstVideoInfo *info = &self->object.in;
  gint *knobs = self->object.knobs;

  if (!check_size (self, error))
    return FALSE;
  lower_group (&knobs[SEARCH_GROUP], limit);
  lower_group (&knobs[STEP_GROUP], limit);
  lower_group (&knobs[MATCH_GROUP], limit);
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

/* ---- Masks of unknown pixels ------------------------------------------------ */

/* Computes the members @n_slots, @n_words and @n_parts of @self from the size of the hole and
 * the tuning parameters. They determine how much work kernels do in parallel. */
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

/* Returns: whether patches of earlier frames are reused and adapted */
static gboolean
follows_frames (const MgpuInpaint * self)
{
  return self->wants_temporal && (self->budget > 0 || !self->params.keep);
}

MgpuInpaintResult
mgpu_inpaint_set_mask (MgpuInpaint * self, const guint8 * unknown,
    const guint8 * forbidden, const MgpuInpaintParams * params)
{
  gint width = GST_VIDEO_INFO_WIDTH (&self->object.in);
  gint height = GST_VIDEO_INFO_HEIGHT (&self->object.in);

  mgpu_inpaint_plan_free (self->plan);
  self->params = *params;
  self->plan = mgpu_inpaint_plan_new (unknown, forbidden, width, height,
      params, follows_frames (self));
  self->params.patch_size = self->plan->patch_size;
  set_counts (self);
  self->changed = self->levels_changed = self->shades_changed = TRUE;
  self->lines_changed = TRUE;
  self->is_narrowed = FALSE;
  mgpu_inpaint_forget (self);
  if (self->plan->n_unknown == 0)
    self->result = MGPU_INPAINT_NOTHING;
  else if (self->plan->n_unknown == (guint) width * height)
    self->result = MGPU_INPAINT_EVERYTHING;
  else if (self->plan->method == MGPU_INPAINT_HARMONIC
      || self->plan->method == MGPU_INPAINT_DIRECTIONAL)
    self->result = MGPU_INPAINT_LAYS;
  else
    self->result = self->plan->has_sources ? MGPU_INPAINT_COPIES
        : MGPU_INPAINT_DIFFUSES;
  return self->result;
}

/* Returns: the number of segments in the boxes of all lanes (parts of the mask that are filled in
 * parallel). A segment has SEGMENT adjacent pixels of a row. Kernels store the highest priority of
 * these pixels. */
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

/* Copies the fill plan to the device: objects, search windows and source patches, which the host
 * computed from the mask of unknown pixels. Returns: FALSE after an error, which is in @job */
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

void
mgpu_inpaint_narrow (MgpuInpaint * self, GstMgpuJob * job,
    GstMgpuMemory * unknown)
{
  gint n = self->plan->width * self->plan->height;

  self->changed = self->changed && !upload_plan (self, job);
  if (self->changed || !mgpu_slot_ensure (self, SHOWN, job, sizeof (gint) * n))
    return;
  gst_mgpu_job_set_args (job, self->object.kernels[NARROW], "mmim",
      gst_mgpu_job_read (job, unknown), mgpu_slot_read (self, OBJECT, job),
      self->plan->width, mgpu_slot_write (self, SHOWN, job, 0));
  mgpu_launch (job, self->object.kernels[NARROW], 1, self->plan->height, 1, 1,
      self->row);
  self->is_narrowed = TRUE;
}

/* Allocates the slots (scratch buffers) that kernels write. Returns: FALSE after an error, which
 * is in @job */
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
    [TARGETS] = self->blend || self->smooth
        ? sizeof (guint32) * rows * self->n_words : 1,
    [VALUES] = plan->method == MGPU_INPAINT_DIRECTIONAL
        ? sizeof (gint32) * n * GST_VIDEO_INFO_N_COMPONENTS (&self->object.in)
        : self->blend || self->smooth || self->result == MGPU_INPAINT_LAYS
        ? sizeof (gint32) * n : 1,
    [BESIDE] = self->blend && self->smooth ? 4 * sizeof (gint32) * hole : 1,
    [ENDS] = self->budget > 0 ? 4 * sizeof (gint32) * hole : 1,
    [AGREED] = self->smooth ? hole : 1,
    [ENTRIES] = MAX (n_slots * MAX_PATCH_AREA,
        self->temporal ? MGPU_INPAINT_MAX_FOLLOWED * patch_area : 0) * ENTRY,
    [STATES] = n_slots * STATE * sizeof (guint32),
    [PARTS] = MAX (n_slots * self->n_parts,
        self->temporal ? MGPU_INPAINT_MAX_FOLLOWED : 0) * sizeof (cl_ulong2),
    [SEGMENT_KEYS] = count_segments (plan) * sizeof (guint64)
  };
  gboolean ok = TRUE;

  for (guint i = N_PLANNED; i < N_OF_FRAME && ok; i++) {
    /* If the frame has no source patches, kernels need only the scratch buffers ORIGIN and
     * VALUES, which contain colors. All others get only 8 bytes. */
    gsize size = plan->has_sources || i == ORIGIN || i == VALUES ? sizes[i]
        : sizeof (guint64);

    /* Fills the scratch buffer WORK, the working copy of the frame, with zeros, because vectors
     * also load elements after the pixels that kernels write. If these elements were NaN, the
     * comparison of costs could select a pixel that is not the center of a source patch. */
    ok = i == WORK ? mgpu_slot_ensure_zeros (self, i, job, size)
        : mgpu_slot_ensure (self, i, job, size);
  }
  return ok;
}

/* Prepares the device for a frame: copies the fill plan (data computed from the mask) to the
 * device if it has changed, allocates the scratch buffers, and stores their device memories in
 * the member @mem. Returns: FALSE after an error, which is in @job */
static gboolean
start_frame (MgpuInpaint * self, GstMgpuJob * job)
{
  self->changed = self->changed && !upload_plan (self, job);
  if (self->changed || !ensure_slots (self, job))
    return FALSE;
  for (guint i = 0; i < N_OF_FRAME; i++)
    self->mem[i] = i < N_PLANNED ? mgpu_slot_read (self, i, job)
        : mgpu_slot_write (self, i, job, 0);
  self->mem[SHOWN] = self->is_narrowed ? mgpu_slot_read (self, SHOWN, job)
      : self->mem[OBJECT];
  return TRUE;
}

/* ---- Work on a frame ------------------------------------------------------------- */

void
mgpu_inpaint_set_blend (MgpuInpaint * self, gboolean blend)
{
  self->wants_blend = blend;
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
  self->budget = temporal ? budget : 0;
  self->wants_temporal = temporal;
  self->begun = g_get_monotonic_time ();
  self->unfinished = self->unfinished && temporal;
}

void
mgpu_inpaint_forget (MgpuInpaint * self)
{
  self->video.is_valid = FALSE;
  self->video.way = MGPU_INPAINT_ANEW;
  self->unfinished = FALSE;
  self->has_origins = FALSE;
}

gint
mgpu_inpaint_get_patch_size (const MgpuInpaint * self)
{
  return self->params.patch_size;
}

MgpuInpaintWay
mgpu_inpaint_get_way (const MgpuInpaint * self)
{
  return self->video.way;
}

/* Returns: whether all patches of a frame are found at once, from coarse to fine. This method is
 * not used if patches of earlier frames are reused and adapted. */
static gboolean
is_matched (const MgpuInpaint * self)
{
  return self->plan->levels.n_scales > 0 && !self->temporal;
}

/* Fills the hole with new patches, which do not depend on earlier frames. Returns: FALSE if
 * @progress returned FALSE */
static gboolean
enqueue_anew (MgpuInpaint * self, GstMgpuJob * job,
    MgpuInpaintProgress progress, gpointer data)
{
  gboolean goes_on;

  if (is_matched (self)) {
    self->video.way = MGPU_INPAINT_ANEW;
    return mgpu_inpaint_match (self, job, progress, data);
  }
  goes_on = mgpu_inpaint_enqueue_steps (self, job, progress, data);
  self->video.way = self->unfinished ? MGPU_INPAINT_UNFINISHED
      : MGPU_INPAINT_ANEW;
  if (goes_on && self->temporal && !self->unfinished)
    mgpu_inpaint_video_remember (self, job);
  return goes_on;
}

/* Finds the pixel from which each unknown pixel is copied, and writes its index to the scratch
 * buffer ORIGIN. Returns: FALSE if @progress returned FALSE */
static gboolean
enqueue_copies (MgpuInpaint * self, GstMgpuJob * job, const MgpuImage * in,
    MgpuInpaintProgress progress, gpointer data)
{
  gboolean keep = self->params.keep && !self->temporal, goes_on;

  /* If the hole of an earlier frame is still being filled, does not load the frame @in: all
   * patches come from that earlier frame. */
  if (!self->unfinished) {
    mgpu_inpaint_load (self, job, in);
    if (self->temporal && mgpu_inpaint_video_follow (self, job))
      return TRUE;
    if (keep && self->has_origins) {
      self->video.way = MGPU_INPAINT_REPLAYED;
      return TRUE;
    }
    self->video.is_valid = FALSE;
    mgpu_inpaint_begin (self, job);
  }
  goes_on = enqueue_anew (self, job, progress, data);
  self->has_origins = keep && goes_on && job->error == NULL;
  return goes_on;
}

gboolean
mgpu_inpaint_enqueue (MgpuInpaint * self, GstMgpuJob * job,
    const MgpuImage * in, const MgpuImage * out, MgpuInpaintProgress progress,
    gpointer data)
{
  guint n = GST_VIDEO_INFO_N_COMPONENTS (&in->info), first = 0;
  gboolean goes_on = TRUE;

  self->temporal = follows_frames (self);
  self->unfinished = self->unfinished && self->temporal;
  /* Reserves three eighths of the time budget for the work after the last step (a step fills one
   * patch in each lane), and for steps that take longer than earlier steps. */
  self->deadline = self->begun + self->budget * 5 / 8;
  mgpu_image_copy_planes (job, in, out, ~0u);
  self->blend = self->wants_blend && self->result >= MGPU_INPAINT_COPIES
      && !is_matched (self);
  if (self->result < MGPU_INPAINT_COPIES || !start_frame (self, job))
    return TRUE;
  if (self->result == MGPU_INPAINT_LAYS) {
    if (self->plan->method == MGPU_INPAINT_DIRECTIONAL)
      mgpu_inpaint_directional (self, job, in, out, n);
    else
      mgpu_inpaint_harmonic (self, job, in, out, n);
    return TRUE;
  }
  if (self->result == MGPU_INPAINT_COPIES)
    goes_on = enqueue_copies (self, job, in, progress, data);
  if ((self->blend || self->smooth) && self->result == MGPU_INPAINT_COPIES
      && goes_on)
    mgpu_inpaint_mark (self, job);
  if (self->unfinished)
    mgpu_inpaint_find_ends (self, job);
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
