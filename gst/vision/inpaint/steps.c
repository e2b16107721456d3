/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Fills the hole with patches, step by step. Each step fills one patch in each lane. A lane is a
 * group of objects that is filled independently. */
#include "inpaint-private.h"

#include <kernels/inpaint/inpaint-shared.h>

/* Number of steps of the first batch and of the largest batch. A step fills a patch in each lane
 * (a part of the hole that is filled independently). After each batch, the host reads how many
 * pixels are filled. To be able to stop the work soon, batches become larger only while they are
 * fast, and smaller when one takes longer than SLOW_BATCH microseconds. The host enqueues
 * batches in advance. On average, one and a half batches therefore run after the hole has been
 * filled, and do nothing. */
#define MIN_BATCH 4
#define MAX_BATCH 32
#define SLOW_BATCH (50 * G_TIME_SPAN_MILLISECOND)

/* Report of the kernel inpaint_report about the progress of filling the hole. */
typedef struct
{
  guint32 n_lanes;              /* number of lanes (independent parts of the hole) that still
                                 * have unknown pixels */
  guint32 filled;               /* number of pixels of the hole that are already filled */
} Report;

/* Macros for gst_mgpu_job_set_args(): types and values of the first arguments of several
 * kernels. They describe the frame and the progress of filling its hole. */
#define FRAME_TYPES "mmmmmmmmiiii"
#define FRAME(self) self->mem[WORK], self->mem[GREY], self->mem[UNKNOWN], \
    self->mem[CONFIDENCE], self->mem[GRADIENT], self->mem[PRIORITY], \
    self->mem[ORIGIN], self->mem[FILLER], self->plane, self->plan->width, \
    self->plan->height, self->params.patch_size / 2

void
mgpu_inpaint_begin (MgpuInpaint * self, GstMgpuJob * job)
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
  mgpu_inpaint_launch_rows (self, job, BEGIN, view);
  gst_mgpu_job_set_args (job, self->object.kernels[GRADIENTS],
      FRAME_TYPES "iii", FRAME (self), near.x0, near.x1, near.y0);
  mgpu_inpaint_launch_rows (self, job, GRADIENTS, near);
  gst_mgpu_job_set_args (job, self->object.kernels[PRIORITIES],
      FRAME_TYPES "iii", FRAME (self), hole.x0, hole.x1, hole.y0);
  mgpu_inpaint_launch_rows (self, job, PRIORITIES, hole);
  gst_mgpu_job_set_args (job, self->object.kernels[SEGMENTS],
      FRAME_TYPES "mmim", FRAME (self), self->mem[LANE_BOXES],
      self->mem[STATES], self->n_slots, self->mem[SEGMENT_KEYS]);
  /* Launches 16 work-groups for each lane (independent part of the hole). */
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
      self->n_parts, self->n_slots, seeded, self->mem[SEGMENT_KEYS]);
  gst_mgpu_job_set_args (job, self->object.kernels[SEARCH], "mimmmmimiiiiil",
      self->mem[WORK], self->plane, self->mem[SOURCES], self->mem[WINDOWS],
      self->mem[ENTRIES], self->mem[STATES],
      (gint) self->plan->n_lanes * self->n_slots, self->mem[PARTS],
      self->n_parts, self->plan->width, self->plan->height,
      self->params.patch_size / 2, early,
      /* Size, in bytes, of the local memory that contains the target patch. Kernels with vectors
       * do not use it, and get one entry. */
      ENTRY * (self->object.knobs[LANES] == 16 ? 1 : patch_area));
}

/* Enqueues a batch of @n_steps steps on the queue of @job, as a separate job. At its end, the
 * batch writes a report to the scratch buffer with the index @left: how many lanes (independent
 * parts of the hole) still have unknown pixels, and how many pixels are filled. Returns: FALSE
 * after an error, which is in @job */
static gboolean
enqueue_batch (MgpuInpaint * self, GstMgpuJob * job, guint n_steps, guint left)
{
  const gint *knobs = self->object.knobs;
  const cl_kernel *kernels = self->object.kernels;
  gsize lanes = self->plan->n_lanes;
  GstMgpuJob batch;

  gst_mgpu_job_begin_part (&batch, job);
  gst_mgpu_job_set_args (&batch, kernels[REPORT], "miim", self->mem[STATES],
      (gint) lanes, self->n_slots, mgpu_slot_write (self, left, &batch,
          sizeof (Report)));
  for (guint i = 0; i < n_steps; i++) {
    mgpu_launch_items (&batch, kernels[SEARCH],
        (gsize) self->n_parts * knobs[SEARCH_GROUP], knobs[SEARCH_GROUP]);
    mgpu_launch_items (&batch, kernels[STEP], lanes * knobs[STEP_GROUP],
        knobs[STEP_GROUP]);
  }
  mgpu_launch_items (&batch, kernels[REPORT], 1, 1);
  return mgpu_end_part (job, &batch);
}

/* Waits for the batch of steps that writes its report to the scratch buffer with the index
 * @left. Sets *@is_stopped to TRUE if @progress returned FALSE. Returns: TRUE if unknown pixels
 * are left and the work must continue; errors stay in @job */
static gboolean
goes_on (MgpuInpaint * self, GstMgpuJob * job, guint left,
    MgpuInpaintProgress progress, gpointer data, gboolean * is_stopped)
{
  guint n_unknown = self->plan->n_unknown;
  Report report;

  if (!mgpu_slot_download (self, left, job, &report, sizeof (report))
      || report.n_lanes == 0)
    return FALSE;
  *is_stopped = progress != NULL
      && !progress ((gdouble) MIN (report.filled, n_unknown) / n_unknown, data);
  return !*is_stopped;
}

/* Fills the whole hole in batches of steps. A step fills one patch in each lane (independent
 * part of the hole). While unknown pixels may be left, enqueues each batch before waiting for
 * the previous one. The number of steps is at most the number of unknown pixels, because each
 * step fills at least one pixel. Returns: FALSE if @progress returned FALSE to stop the work */
static gboolean
enqueue_all_steps (MgpuInpaint * self, GstMgpuJob * job,
    MgpuInpaintProgress progress, gpointer data)
{
  /* @batch: number of steps of the next batch; @n_steps: number of steps of all batches
   * enqueued so far */
  guint batch = MIN_BATCH, n_steps = batch;
  gint64 before = g_get_monotonic_time (), now;
  gboolean is_stopped = FALSE;

  if (!enqueue_batch (self, job, batch, LEFT_OVER))
    return TRUE;
  for (guint n = 1;; n++) {
    gboolean is_last = n_steps >= self->plan->n_unknown;

    if (!is_last) {
      if (!enqueue_batch (self, job, batch, LEFT_OVER + n % 2))
        return TRUE;
      n_steps += batch;
    }
    if (!goes_on (self, job, LEFT_OVER + (n - 1) % 2, progress, data,
            &is_stopped) || is_last)
      return !is_stopped;
    now = g_get_monotonic_time ();
    if (now - before < self->object.knobs[QUICK_BATCH])
      batch = MIN (2 * batch, MAX_BATCH);
    else if (now - before > SLOW_BATCH)
      batch = MAX (batch / 2, 1);
    before = now;
  }
}

/* Fills the hole with as many steps as possible before the deadline. A step fills one patch in
 * each lane. Sets self->unfinished if unknown pixels are left. Returns: FALSE if @progress
 * returned FALSE */
static gboolean
enqueue_some_steps (MgpuInpaint * self, GstMgpuJob * job,
    MgpuInpaintProgress progress, gpointer data)
{
  gint64 before = g_get_monotonic_time (), took;
  gboolean is_stopped = FALSE;
  guint batch = 1;

  while (!self->unfinished && enqueue_batch (self, job, batch, LEFT_OVER)
      && goes_on (self, job, LEFT_OVER, progress, data, &is_stopped)) {
    took = MAX (g_get_monotonic_time () - before, 1);
    before += took;
    /* Estimates the number of steps until the deadline, and makes the next batch half as large,
     * because some steps take longer than others. */
    batch = MIN (batch * MAX (self->deadline - before, 0) / (2 * took),
        MIN (2 * batch, MAX_BATCH));
    self->unfinished = batch == 0;
  }
  return !is_stopped;
}

gboolean
mgpu_inpaint_enqueue_steps (MgpuInpaint * self, GstMgpuJob * job,
    MgpuInpaintProgress progress, gpointer data)
{
  gsize local = self->object.knobs[STEP_GROUP];

  set_step_args (self, job);
  if (!self->unfinished)
    mgpu_launch_items (job, self->object.kernels[STEP],
        self->plan->n_lanes * local, local);
  self->unfinished = FALSE;
  if (job->error != NULL)
    return TRUE;
  return (self->budget > 0 ? enqueue_some_steps : enqueue_all_steps) (self,
      job, progress, data);
}
