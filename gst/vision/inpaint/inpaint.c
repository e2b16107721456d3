/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "inpaint.h"

#include <gst/vision/base/map.h>
#include <kernels/inpaint/shared.h>

#include "private.h"

#define ENTRY sizeof (cl_uint4)

/* Number of unused words behind each plane of the working copy, and of unused bytes
 * behind SOURCES: vectors reach over the end of the last row. */
#define MARGIN 128

/* Number of steps of the first batch and of the largest batch. A step fills a patch of
 * each lane; after each batch the host reads how many pixels are filled. Batches grow
 * while they are quick, and shrink when one takes longer than SLOW_BATCH microseconds, so
 * that the work can be stopped soon. On average one and a half batches are enqueued after
 * the hole is full. */
#define MIN_BATCH 4
#define MAX_BATCH 32
#define SLOW_BATCH (50 * G_TIME_SPAN_MILLISECOND)

/* ---- Object ---------------------------------------------------------------- */

/* Holds the knobs. Work-items of processors compare 16 sources at once, and one target
 * keeps all cores at work. The sizes of work-groups are powers of two. A search is shared
 * by many work-groups; a step has one work-group for each lane. */
static const MgpuKnob knobs[] = {
  [ROW_GROUP] = MGPU_INPAINT_ROW_GROUP,
  [LANES] = {"LANES", {16, 1, 1}, "1 16", "sources that are compared at once"},
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
  {NULL}
};

/* Halves *group, a power of two, until it is at most limit. */
static void
lower_group (gint * group, gsize limit)
{
  while ((gsize) * group > limit)
    *group /= 2;
}

static gboolean
init (gpointer object, gconstpointer params, GError ** error)
{
  MgpuInpaint *self = object;
  GstMgpuContext *context = self->object.context;
  const GstMgpuTraits *traits = gst_mgpu_context_get_traits (context);
  const GstVideoInfo *info = &self->object.in;
  gint *knobs = self->object.knobs;

  lower_group (&knobs[SEARCH_GROUP], traits->max_work_group_size);
  lower_group (&knobs[STEP_GROUP], traits->max_work_group_size);
  mgpu_group (context, knobs[ROW_GROUP], 1, self->row);
  self->compute_units = traits->compute_units;
  self->plane = GST_VIDEO_INFO_WIDTH (info) * GST_VIDEO_INFO_HEIGHT (info)
      + MARGIN;
  self->seam = mgpu_object_new (&mgpu_inpaint_seam, context, NULL, NULL, NULL,
      NULL, error);
  return self->seam != NULL;
}

static void
clear (gpointer object)
{
  MgpuInpaint *self = object;

  mgpu_inpaint_video_clear (&self->video);
  mgpu_object_free (self->seam);
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

/* Returns: whether the working copy has a plane of floats for each colour, rather than a
 * word for each pixel: see kernels/inpaint/inpaint.h */
static gboolean
is_wide (const MgpuInpaint * self)
{
  return self->object.knobs[LANES] == 16;
}

/* Returns: the number of targets of a lane that are searched at the same time. Each of
 * these searches is called a slot in the code below. */
static gint
count_slots (const MgpuInpaint * self)
{
  return self->params.shortcuts & MGPU_INPAINT_AHEAD
      ? self->object.knobs[SLOTS] : 1;
}

/* Returns: the number of work-groups of a search: at least one for each slot of each
 * lane, and not so many that some have no work when all slots are searched */
static gint
count_parts (const MgpuInpaint * self)
{
  const gint *knobs = self->object.knobs;
  guint n_slots = self->plan->n_lanes * count_slots (self);
  gsize area = 0;

  for (guint i = 0; i < self->plan->windows->len; i++) {
    MgpuBox box = g_array_index (self->plan->windows, MgpuBox, i);

    area = MAX (area, (gsize) (box.x1 - box.x0) * (box.y1 - box.y0));
  }
  area = (area + knobs[SEARCH_GROUP] - 1) / knobs[SEARCH_GROUP];
  return MAX (MIN (area * n_slots, knobs[UNIT_PARTS] * self->compute_units),
      n_slots);
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

/* Returns: the number of words of a row of the hole in TARGETS: a bit for each pixel,
 * with an unused word before and behind them */
static gint
count_words (const MgpuInpaint * self)
{
  return (self->plan->hole.x1 - self->plan->hole.x0 + 31) / 32 + 2;
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
  gsize n_slots = plan->n_lanes * count_slots (self);
  gsize patch_area = self->params.patch_size * self->params.patch_size;
  gsize rows = plan->hole.y1 - plan->hole.y0;
  gsize hole = rows * (plan->hole.x1 - plan->hole.x0);
  const gsize sizes[N_OF_FRAME] = {
    [WORK] = sizeof (guint32) * (is_wide (self) ? 3 : 1) * self->plane,
    [GREY] = n,
    [UNKNOWN] = n,
    [CONFIDENCE] = sizeof (guint32) * n,
    [GRADIENT] = sizeof (guint32) * n,
    [PRIORITY] = sizeof (guint32) * n,
    [ORIGIN] = sizeof (gint32) * n,
    [FILLER] = sizeof (gint32) * n,
    [TARGETS] = self->blend ? sizeof (guint32) * rows * count_words (self) : 1,
    [VALUES] = self->blend || self->smooth ? sizeof (gint32) * n : 1,
    [BESIDE] = self->blend && self->smooth ? 4 * sizeof (gint32) * hole : 1,
    [ENTRIES] = MAX (n_slots * MAX_PATCH_AREA,
        self->temporal ? MGPU_INPAINT_MAX_FOLLOWED * patch_area : 0) * ENTRY,
    [STATES] = n_slots * STATE * sizeof (guint32),
    [PARTS] = n_slots * count_parts (self) * sizeof (guint64),
    [SEGMENT_KEYS] = count_segments (plan) * sizeof (guint64)
  };
  gboolean ok = TRUE;

  for (guint i = N_PLANNED; i < N_OF_FRAME && ok; i++) {
    /* Without sources in the plan, kernels need ORIGIN only, which then holds colours. */
    gsize size = plan->has_sources || i == ORIGIN ? sizes[i] : sizeof (guint64);

    /* Clears WORK: vectors also load pixels behind those that kernels write. A float there
     * that is no number could make a place that is no source win a comparison. */
    ok = i == WORK ? mgpu_slot_ensure_zeros (self, i, job, size)
        : mgpu_slot_ensure (self, i, job, size, NULL);
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

/* ---- From and to frames ------------------------------------------------------ */

/* Starts a kernel with row[0] work-items for each row of box. */
static void
launch_rows (MgpuInpaint * self, GstMgpuJob * job, Kernel kernel, MgpuBox box)
{
  if (box.y1 > box.y0)
    mgpu_launch (job, self->object.kernels[kernel], 1, box.y1 - box.y0, 1, 1,
        self->row);
}

static gint
get_subsampling (const MgpuImage * image, guint component, gboolean vertical)
{
  return vertical ? image->info.finfo->h_sub[component]
      : image->info.finfo->w_sub[component];
}

/* Makes the working copy of the frame. A grey frame gets three equal colours, with which
 * the best source is the same as with one colour. */
static void
enqueue_load (MgpuInpaint * self, GstMgpuJob * job, const MgpuImage * in)
{
  guint n = GST_VIDEO_INFO_N_COMPONENTS (&in->info);
  MgpuBox view = self->plan->view;

  for (guint i = 0; i < 3; i++) {
    guint component = n < 3 ? 0 : i;
    MgpuComponent c;

    mgpu_image_get_component (in, component, &c);
    gst_mgpu_job_set_args (job, self->object.kernels[LOAD], "miiiiiiiiimiiiiii",
        gst_mgpu_job_read (job, in->memory), c.offset, c.stride,
        c.pixel_stride, c.bytes, c.shift, c.max,
        get_subsampling (in, component, FALSE),
        get_subsampling (in, component, TRUE),
        (gint) GST_VIDEO_INFO_COMP_DEPTH (&in->info, component) - 8,
        self->mem[WORK], self->plane, self->plan->width, (gint) i, view.x0,
        view.x1, view.y0);
    launch_rows (self, job, LOAD, view);
  }
}

/* Writes the samples of a component in box to values, one sample for each pixel. */
static void
enqueue_load_plain (MgpuInpaint * self, GstMgpuJob * job, const MgpuImage * in,
    guint component, cl_mem values, MgpuBox box)
{
  MgpuComponent c;

  mgpu_image_get_component (in, component, &c);
  gst_mgpu_job_set_args (job, self->object.kernels[LOAD_PLAIN], "miiiiiiiimiiii",
      gst_mgpu_job_read (job, in->memory), c.offset, c.stride, c.pixel_stride,
      c.bytes, c.shift, c.max, get_subsampling (in, component, FALSE),
      get_subsampling (in, component, TRUE), values, self->plan->width, box.x0,
      box.x1, box.y0);
  launch_rows (self, job, LOAD_PLAIN, box);
}

/* Writes the unknown pixels of a component to out. The memory origin holds the values of
 * pixels when plain is TRUE, otherwise the places from which pixels are copied. */
static void
enqueue_store (MgpuInpaint * self, GstMgpuJob * job, const MgpuImage * in,
    const MgpuImage * out, guint component, cl_mem origin, gboolean plain)
{
  gint sub_x = get_subsampling (in, component, FALSE);
  gint sub_y = get_subsampling (in, component, TRUE);
  MgpuBox box = self->plan->hole;
  MgpuComponent c, to;

  mgpu_image_get_component (in, component, &c);
  mgpu_image_get_component (out, component, &to);
  box.x0 >>= sub_x;
  box.y0 >>= sub_y;
  box.x1 = (box.x1 + (1 << sub_x) - 1) >> sub_x;
  box.y1 = (box.y1 + (1 << sub_y) - 1) >> sub_y;
  gst_mgpu_job_set_args (job, self->object.kernels[STORE],
      "miiiiiiiimiimmiiiiii",
      gst_mgpu_job_read (job, in->memory), c.offset, c.stride, c.pixel_stride,
      c.bytes, c.shift, c.max, sub_x, sub_y,
      gst_mgpu_job_write (job, out->memory), to.offset, to.stride,
      self->mem[OBJECT], origin, (gint) plain, self->plan->width,
      self->plan->height, box.x0, box.x1, box.y0);
  launch_rows (self, job, STORE, box);
}

/* ---- Without a source --------------------------------------------------------- */

/* Fills the unknown pixels of a component with means of their neighbours, in one launch
 * for all pixels of the same distance from known pixels. */
static void
enqueue_diffusion (MgpuInpaint * self, GstMgpuJob * job, const MgpuImage * in,
    const MgpuImage * out, guint component)
{
  MgpuBox all = { 0, 0, self->plan->width, self->plan->height };

  enqueue_load_plain (self, job, in, component, self->mem[ORIGIN], all);
  for (guint i = 1; i < self->plan->passes->len; i++) {
    gint first = g_array_index (self->plan->passes, gint, i - 1);
    gint end = g_array_index (self->plan->passes, gint, i);
    gsize local = self->row[0], n = (end - first + local - 1) / local;
    gsize global = local * MIN (n, 64 * self->compute_units);

    gst_mgpu_job_set_args (job, self->object.kernels[DIFFUSE], "mmmiiii",
        self->mem[ORIGIN], self->mem[OBJECT], self->mem[ORDER], first, end,
        all.x1, all.y1);
    gst_mgpu_job_launch (job, self->object.kernels[DIFFUSE], 1, &global,
        &local);
  }
  enqueue_store (self, job, in, out, component, self->mem[ORIGIN], TRUE);
}

/* ---- Patches that overlap --------------------------------------------------------- */

void
mgpu_inpaint_set_blend (MgpuInpaint * self, gboolean blend)
{
  self->blend = blend;
}

/* Marks the targets in TARGETS, one bit for each pixel of the hole. */
static void
enqueue_mark (MgpuInpaint * self, GstMgpuJob * job)
{
  MgpuBox hole = self->plan->hole;

  gst_mgpu_job_set_args (job, self->object.kernels[MARK], "miiiimi",
      self->mem[FILLER], self->plan->width, hole.x0, hole.x1, hole.y0,
      self->mem[TARGETS], count_words (self));
  launch_rows (self, job, MARK, hole);
}

/* Writes the blended values of the unknown pixels of a component to VALUES. With sides,
 * also writes to BESIDE the blended neighbours of the places from which they are
 * copied. */
static void
enqueue_blend (MgpuInpaint * self, GstMgpuJob * job, const MgpuImage * in,
    guint component, gboolean sides)
{
  MgpuBox hole = self->plan->hole;
  MgpuComponent c;

  mgpu_image_get_component (in, component, &c);
  gst_mgpu_job_set_args (job, self->object.kernels[BLEND],
      "miiiiiiiimmmimmiiiiiii",
      gst_mgpu_job_read (job, in->memory), c.offset, c.stride, c.pixel_stride,
      c.bytes, c.shift, c.max, get_subsampling (in, component, FALSE),
      get_subsampling (in, component, TRUE), self->mem[OBJECT],
      self->mem[ORIGIN], self->mem[TARGETS], count_words (self),
      self->mem[VALUES], self->mem[BESIDE], self->plan->width,
      self->plan->height, self->params.patch_size / 2, hole.x0, hole.x1,
      hole.y0, hole.y1);
  mgpu_launch (job, self->object.kernels[BLEND], 1,
      (hole.y1 - hole.y0) * (sides ? 5 : 1), 1, 1, self->row);
}

/* ---- Seams ---------------------------------------------------------------------- */

void
mgpu_inpaint_set_seam (MgpuInpaint * self, gboolean seam)
{
  self->smooth = seam;
}

/* Takes the seams out of the first n components, which are colours, and writes them to
 * out. */
static void
enqueue_smooth (MgpuInpaint * self, GstMgpuJob * job, const MgpuImage * in,
    const MgpuImage * out, guint n)
{
  const MgpuInpaintSeams seams = {
    self->mem[OBJECT], self->mem[ORIGIN], self->mem[VALUES],
    self->mem[BESIDE], self->blend, self->plan->width, self->plan->height,
    self->plan->hole, GST_VIDEO_INFO_COMP_DEPTH (&in->info, 0)
  };

  if (!mgpu_inpaint_seam_start (self->seam, job, &seams, n))
    return;
  for (guint i = 0; i < n; i++) {
    enqueue_load_plain (self, job, in, i, seams.samples, self->plan->view);
    if (self->blend)
      enqueue_blend (self, job, in, i, TRUE);
    mgpu_inpaint_seam_add (self->seam, job, &seams, i);
  }
  mgpu_inpaint_seam_solve (self->seam, job, &seams, n);
  for (guint i = 0; i < n; i++) {
    mgpu_inpaint_seam_get (self->seam, job, &seams, i);
    enqueue_store (self, job, in, out, i, seams.samples, TRUE);
  }
}

/* ---- Steps --------------------------------------------------------------------- */

/* Types and values of the arguments that several kernels begin with. */
#define FRAME_TYPES "mmmmmmmmiiii"
#define FRAME(self) self->mem[WORK], self->mem[GREY], self->mem[UNKNOWN], \
    self->mem[CONFIDENCE], self->mem[GRADIENT], self->mem[PRIORITY], \
    self->mem[ORIGIN], self->mem[FILLER], self->plane, self->plan->width, self->plan->height, \
    self->params.patch_size / 2

/* Computes the first state of the filling: gradients, priorities and segments. */
static void
enqueue_begin (MgpuInpaint * self, GstMgpuJob * job)
{
  const GstVideoInfo *info = &self->object.in;
  gboolean is_rgb = GST_VIDEO_INFO_N_COMPONENTS (info) < 3
      || GST_VIDEO_INFO_IS_RGB (info);
  MgpuBox view = self->plan->view, hole = self->plan->hole, near = hole;
  gint border = self->params.patch_size / 2 + 1;

  near.x0 = MAX (near.x0 - border, 0);
  near.y0 = MAX (near.y0 - border, 0);
  near.x1 = MIN (near.x1 + border, self->plan->width);
  near.y1 = MIN (near.y1 + border, self->plan->height);
  gst_mgpu_job_set_args (job, self->object.kernels[BEGIN], FRAME_TYPES "miiii",
      FRAME (self), self->mem[OBJECT], is_rgb, view.x0, view.x1, view.y0);
  launch_rows (self, job, BEGIN, view);
  gst_mgpu_job_set_args (job, self->object.kernels[GRADIENTS],
      FRAME_TYPES "iii", FRAME (self), near.x0, near.x1, near.y0);
  launch_rows (self, job, GRADIENTS, near);
  gst_mgpu_job_set_args (job, self->object.kernels[PRIORITIES],
      FRAME_TYPES "iii", FRAME (self), hole.x0, hole.x1, hole.y0);
  launch_rows (self, job, PRIORITIES, hole);
  gst_mgpu_job_set_args (job, self->object.kernels[SEGMENTS],
      FRAME_TYPES "mmim", FRAME (self), self->mem[LANE_BOXES], self->mem[STATES],
      count_slots (self), self->mem[SEGMENT_KEYS]);
  /* Starts 16 work-groups for each lane. */
  mgpu_launch (job, self->object.kernels[SEGMENTS], 16 * self->row[0],
      self->plan->n_lanes, 1, 1, self->row);
}

static void
set_step_args (MgpuInpaint * self, GstMgpuJob * job)
{
  gsize patch_area = self->params.patch_size * self->params.patch_size;
  gboolean early = (self->params.shortcuts & MGPU_INPAINT_EARLY) != 0;
  gboolean seeded = early && (self->params.shortcuts & MGPU_INPAINT_SEEDED);

  gst_mgpu_job_set_args (job, self->object.kernels[STEP],
      FRAME_TYPES "mmmmmmmiiim", FRAME (self), self->mem[SOURCES],
      self->mem[OBJECT], self->mem[LANE_BOXES], self->mem[WINDOWS],
      self->mem[ENTRIES], self->mem[STATES], self->mem[PARTS],
      count_parts (self), count_slots (self), seeded, self->mem[SEGMENT_KEYS]);
  gst_mgpu_job_set_args (job, self->object.kernels[SEARCH], "mimmmmimiiiiil",
      self->mem[WORK], self->plane, self->mem[SOURCES], self->mem[WINDOWS],
      self->mem[ENTRIES], self->mem[STATES],
      (gint) self->plan->n_lanes * count_slots (self), self->mem[PARTS],
      count_parts (self), self->plan->width, self->plan->height,
      self->params.patch_size / 2, early,
      ENTRY * (is_wide (self) ? 1 : patch_area));
}

/* Enqueues n_steps steps on the queue of job, as a job of its own. At its end this job
 * writes to the slot left how many lanes are not finished and how many pixels are filled.
 * FALSE: the error is in job. */
static gboolean
enqueue_batch (MgpuInpaint * self, GstMgpuJob * job, guint n_steps,
    guint left)
{
  const gint *knobs = self->object.knobs;
  gsize lanes = self->plan->n_lanes, one = 1;
  gsize step_local = knobs[STEP_GROUP], step_global = lanes * step_local;
  gsize local = knobs[SEARCH_GROUP], global = local * count_parts (self);
  GError *error = NULL;
  GstMgpuJob batch;

  gst_mgpu_job_begin_part (&batch, job);
  gst_mgpu_job_set_args (&batch, self->object.kernels[REPORT], "miim",
      self->mem[STATES], (gint) lanes, count_slots (self),
      mgpu_slot_write (self, left, &batch, 2 * sizeof (guint32)));
  for (guint i = 0; i < n_steps; i++) {
    gst_mgpu_job_launch (&batch, self->object.kernels[SEARCH], 1, &global,
        &local);
    gst_mgpu_job_launch (&batch, self->object.kernels[STEP], 1, &step_global,
        &step_local);
  }
  gst_mgpu_job_launch (&batch, self->object.kernels[REPORT], 1, &one, &one);
  if (gst_mgpu_job_end (&batch, &error))
    return TRUE;
  gst_mgpu_job_fail (job, error);
  return FALSE;
}

/* Waits for the batch that reports in the slot left. Sets *goes_on to the number of lanes
 * that are not finished, and *filled to the number of unknown pixels that are filled.
 * FALSE: the error is in job. */
static gboolean
wait_for (MgpuInpaint * self, GstMgpuJob * job, guint left, guint * goes_on,
    guint * filled)
{
  GstMemory *memory = self->object.slots[left];
  GstMapInfo map;

  if (!mgpu_map_in_job (job, memory, &map, GST_MAP_READ))
    return FALSE;
  *goes_on = ((const guint32 *) map.data)[0];
  *filled = MIN (((const guint32 *) map.data)[1], self->plan->n_unknown);
  gst_memory_unmap (memory, &map);
  return TRUE;
}

/* Fills the hole in batches of steps. Enqueues each batch before it waits for the batch
 * before, as long as pixels may be left for it: each step fills at least one pixel.
 * Returns: FALSE when progress returned FALSE */
static gboolean
enqueue_steps (MgpuInpaint * self, GstMgpuJob * job,
    MgpuInpaintProgress progress, gpointer data)
{
  guint n_unknown = self->plan->n_unknown, goes_on, filled;
  /* steps of the next batch, steps of all batches up to now */
  guint batch = MIN_BATCH, n_steps = batch;
  gsize local = self->object.knobs[STEP_GROUP];
  gsize global = self->plan->n_lanes * local;
  gint64 before = g_get_monotonic_time (), now;

  set_step_args (self, job);
  if (!self->unfinished)
    gst_mgpu_job_launch (job, self->object.kernels[STEP], 1, &global, &local);
  self->unfinished = FALSE;
  if (job->error != NULL || !enqueue_batch (self, job, batch, LEFT_OVER))
    return TRUE;
  for (guint n = 1;; n++) {
    gboolean is_last = n_steps >= n_unknown;

    if (!is_last) {
      if (!enqueue_batch (self, job, batch, LEFT_OVER + n % 2))
        return TRUE;
      n_steps += batch;
    }
    if (!wait_for (self, job, LEFT_OVER + (n - 1) % 2, &goes_on, &filled)
        || !goes_on || is_last)
      return TRUE;
    if (progress != NULL && !progress ((gdouble) filled / n_unknown, data))
      return FALSE;
    now = g_get_monotonic_time ();
    if (now - before < self->object.knobs[QUICK_BATCH])
      batch = MIN (2 * batch, MAX_BATCH);
    else if (now - before > SLOW_BATCH)
      batch = MAX (batch / 2, 1);
    before = now;
  }
}

/* Fills the hole with as many steps as end before the deadline. Sets unfinished when
 * pixels are left. Returns: FALSE when progress returned FALSE */
static gboolean
enqueue_some_steps (MgpuInpaint * self, GstMgpuJob * job,
    MgpuInpaintProgress progress, gpointer data)
{
  guint n_unknown = self->plan->n_unknown, goes_on, filled, batch = 1;
  gsize local = self->object.knobs[STEP_GROUP];
  gsize global = self->plan->n_lanes * local;
  gint64 before = g_get_monotonic_time (), took;

  set_step_args (self, job);
  if (!self->unfinished)
    gst_mgpu_job_launch (job, self->object.kernels[STEP], 1, &global, &local);
  self->unfinished = FALSE;
  while (job->error == NULL) {
    if (!enqueue_batch (self, job, batch, LEFT_OVER)
        || !wait_for (self, job, LEFT_OVER, &goes_on, &filled)
        || !goes_on)
      return TRUE;
    if (progress != NULL && !progress ((gdouble) filled / n_unknown, data))
      return FALSE;
    took = MAX (g_get_monotonic_time () - before, 1);
    before += took;
    /* Enqueues half of the steps for which there seems to be time, because some steps
     * take longer than others. */
    batch = MIN (batch * MAX (self->deadline - before, 0) / (2 * took),
        MIN (2 * batch, MAX_BATCH));
    if (batch == 0) {
      self->unfinished = TRUE;
      return TRUE;
    }
  }
  return TRUE;
}

/* ---- Frames ---------------------------------------------------------------------- */

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
    enqueue_load (self, job, in);
    if (self->temporal && mgpu_inpaint_video_follow (self, job))
      return TRUE;
    self->video.is_valid = FALSE;
    enqueue_begin (self, job);
  }
  goes_on = self->budget > 0 ? enqueue_some_steps (self, job, progress, data)
      : enqueue_steps (self, job, progress, data);
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
    enqueue_mark (self, job);
  if (self->smooth && self->result == MGPU_INPAINT_COPIES && goes_on
      && !self->unfinished) {
    first = MIN (n, MGPU_INPAINT_SEAM_MAX_COLOURS);
    enqueue_smooth (self, job, in, out, first);
  }
  for (guint i = first; i < n && goes_on; i++) {
    if (self->result == MGPU_INPAINT_DIFFUSES) {
      enqueue_diffusion (self, job, in, out, i);
      continue;
    }
    if (self->blend)
      enqueue_blend (self, job, in, i, FALSE);
    enqueue_store (self, job, in, out, i,
        self->mem[self->blend ? VALUES : ORIGIN], self->blend);
  }
  return goes_on;
}
