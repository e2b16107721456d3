/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Fills large holes from coarse to fine: see docs/algorithms/inpaint-patchmatch.md. */
#include "inpaint-private.h"

#include <kernels/inpaint/inpaint-shared.h>

/* Numbers of rounds in which the source patches of a pyramid level are improved: TOP_ROUNDS on
 * the last (coarsest) level, LAST_ROUNDS on level 0, ROUNDS on all other levels. */
#define TOP_ROUNDS 10
#define ROUNDS 4
#define LAST_ROUNDS 3

/* Number of unused 32-bit words after the pixels of all pyramid levels. They are needed because
 * vectors extend past the end of the last row. */
#define MARGIN 16

/* Device memories that are arguments of the kernels for one frame. The struct exists only while
 * mgpu_inpaint_match() enqueues these kernels. */
typedef struct
{
  cl_mem pixels, flags, lists, fields[2];
} Memories;

/* Launches a kernel that processes @n elements. The macro FOR_EACH in
 * kernels/inpaint/patchmatch.h distributes them over the work-items. */
static void
launch_items (MgpuInpaint * self, GstMgpuJob * job, Kernel kernel, gint n)
{
  gsize local = self->row[0];
  gsize most = local * 64 * self->object.traits->compute_units;

  mgpu_launch_items (job, self->object.kernels[kernel], MIN ((gsize) n, most),
      local);
}

/* Launches a kernel that processes @n elements, each by a work-group of MATCH_GROUP work-items.
 * On CPUs, launches it like launch_items(). */
static void
launch_groups (MgpuInpaint * self, GstMgpuJob * job, Kernel kernel, gint n)
{
  gsize local = self->object.knobs[MATCH_GROUP];

  if (self->object.knobs[LANES] == 16)
    launch_items (self, job, kernel, n);
  else
    mgpu_launch_items (job, self->object.kernels[kernel], n * local, local);
}

static void
launch_rows (MgpuInpaint * self, GstMgpuJob * job, Kernel kernel, gint rows)
{
  mgpu_launch (job, self->object.kernels[kernel], 1, rows, 1, 1, self->row);
}

/* Allocates the device memories @m. Copies the pyramid (flags and lists of pixels) to the device
 * if it is new. Returns: FALSE after an error, which is in @job */
static gboolean
get_memories (MgpuInpaint * self, GstMgpuJob * job, Memories * m)
{
  const MgpuInpaintLevels *levels = &self->plan->levels;
  gsize n = levels->flags->len;
  gsize first = (gsize) levels->scales[0].width * levels->scales[0].height;

  if (self->levels_changed && !(mgpu_slot_upload (self, MATCH_FLAGS, job,
              levels->flags->data, n, 0)
          && mgpu_slot_upload (self, MATCH_LISTS, job, levels->lists->data,
              levels->lists->len * sizeof (gint), 0)))
    return FALSE;
  self->levels_changed = FALSE;
  m->pixels = mgpu_slot_write (self, MATCH_PIXELS, job,
      (n + MARGIN) * sizeof (guint32));
  m->flags = mgpu_slot_read (self, MATCH_FLAGS, job);
  m->lists = mgpu_slot_read (self, MATCH_LISTS, job);
  for (guint i = 0; i < 2; i++)
    m->fields[i] = mgpu_slot_write (self, MATCH_FIELDS + i, job,
        first * 2 * sizeof (guint32));
  return job->error == NULL;
}

/* Enqueues the kernels that compute all levels of the pyramid from the known pixels of the
 * frame. */
static void
enqueue_levels (MgpuInpaint * self, GstMgpuJob * job, const Memories * m)
{
  const MgpuInpaintLevels *levels = &self->plan->levels;
  const MgpuInpaintScale *scale = &levels->scales[0];
  const cl_kernel *kernels = self->object.kernels;

  gst_mgpu_job_set_args (job, kernels[MATCH_LOAD], "miiiimi", self->mem[WORK],
      self->plane, self->plan->width, levels->box.x0, levels->box.y0,
      m->pixels, scale->width);
  launch_rows (self, job, MATCH_LOAD, scale->height);
  gst_mgpu_job_set_args (job, kernels[MATCH_GRADIENTS], "mmiim", m->pixels,
      m->flags, scale->width, scale->height, m->fields[0]);
  launch_rows (self, job, MATCH_GRADIENTS, scale->height);
  gst_mgpu_job_set_args (job, kernels[MATCH_TEXTURES], "miim", m->pixels,
      scale->width, scale->height, m->fields[0]);
  launch_rows (self, job, MATCH_TEXTURES, scale->height);
  for (guint i = 1; i < levels->n_scales; i++, scale++) {
    gst_mgpu_job_set_args (job, kernels[MATCH_REDUCE], "mmiiiii", m->pixels,
        m->flags, scale->at, scale->width, scale->height, scale[1].at,
        scale[1].width);
    launch_rows (self, job, MATCH_REDUCE, scale[1].height);
  }
}

/* Macros for gst_mgpu_job_set_args(): types and values of arguments that several kernels have in
 * common. LEVEL_OF describes a pyramid level, TARGETS_OF its target patches, and UNKNOWN_OF its
 * unknown pixels. */
#define LEVEL "mmiii"
#define LEVEL_OF(m, scale) (m)->pixels, (m)->flags, (scale)->at, (scale)->width, \
    (scale)->height
#define TARGETS_OF(m, scale) (m)->lists, (scale)->first_target, (scale)->n_targets
#define UNKNOWN_OF(m, scale) (m)->lists, (scale)->first_unknown, (scale)->n_unknown

/* Enqueues the kernels that choose an initial source patch for each target patch of the coarsest
 * level, from the edge of the hole to its center. The search for better source patches starts
 * with these patches. */
static void
enqueue_peel (MgpuInpaint * self, GstMgpuJob * job, const Memories * m)
{
  const MgpuInpaintLevels *levels = &self->plan->levels;
  const gint *ends = (const gint *) levels->ends->data;
  gint level = levels->n_scales - 1;
  const MgpuInpaintScale *scale = &levels->scales[level];
  gint trials = CLAMP (MATCH_ALL_TRIALS / scale->n_unknown, MATCH_MIN_TRIALS,
      MATCH_MAX_TRIALS);

  gst_mgpu_job_set_args (job, self->object.kernels[MATCH_SEED], "miiiiim",
      TARGETS_OF (m, scale), levels->first_source, levels->n_sources, level,
      m->fields[0]);
  launch_items (self, job, MATCH_SEED, scale->n_targets);
  for (gint d = 1; d <= scale->depth; d++) {
    gint first = ends[d - 1], n = ends[d] - first;

    gst_mgpu_job_set_args (job, self->object.kernels[MATCH_PEEL],
        LEVEL "miiiiiiim", LEVEL_OF (m, scale), m->lists,
        scale->first_unknown + first, n, levels->first_source,
        levels->n_sources, trials, level, d, m->fields[0]);
    launch_groups (self, job, MATCH_PEEL, n);
  }
}

static void
enqueue_vote (MgpuInpaint * self, GstMgpuJob * job, const Memories * m,
    const MgpuInpaintScale * scale)
{
  gst_mgpu_job_set_args (job, self->object.kernels[MATCH_VOTE], LEVEL "miim",
      LEVEL_OF (m, scale), UNKNOWN_OF (m, scale), m->fields[0]);
  launch_items (self, job, MATCH_VOTE, scale->n_unknown);
}

/* Enqueues the kernels that derive the source patches of the level @scale from the source patches
 * of the next coarser level, and fill the hole of the level with them. */
static void
enqueue_grow (MgpuInpaint * self, GstMgpuJob * job, Memories * m,
    const MgpuInpaintScale * scale)
{
  const MgpuInpaintScale *above = scale + 1;
  cl_mem field = m->fields[0];

  gst_mgpu_job_set_args (job, self->object.kernels[MATCH_GROW],
      "miiimiimiim", m->flags, scale->at, scale->width, scale->height,
      TARGETS_OF (m, scale), field, above->width, above->height, m->fields[1]);
  launch_items (self, job, MATCH_GROW, scale->n_targets);
  m->fields[0] = m->fields[1];
  m->fields[1] = field;
  enqueue_vote (self, job, m, scale);
}

/* Enqueues the kernels for one round of improvement of a pyramid level: they search for better
 * source patches among the source patches of neighbors, and at random positions. */
static void
enqueue_round (MgpuInpaint * self, GstMgpuJob * job, const Memories * m,
    gint level, gint round, gint radius)
{
  const MgpuInpaintScale *scale = &self->plan->levels.scales[level];
  gint side = 0;

  for (gint jump = 8; jump > 0; jump /= 2, side = !side) {
    gst_mgpu_job_set_args (job, self->object.kernels[MATCH_PROPAGATE],
        LEVEL "miiiimm", LEVEL_OF (m, scale), TARGETS_OF (m, scale), jump,
        jump == 8, m->fields[side], m->fields[!side]);
    launch_items (self, job, MATCH_PROPAGATE, scale->n_targets);
  }
  gst_mgpu_job_set_args (job, self->object.kernels[MATCH_SEARCH],
      LEVEL "miiiiim", LEVEL_OF (m, scale), TARGETS_OF (m, scale), radius,
      level, round, m->fields[0]);
  launch_items (self, job, MATCH_SEARCH, scale->n_targets);
}

static void
enqueue_level (MgpuInpaint * self, GstMgpuJob * job, Memories * m, gint level)
{
  const MgpuInpaintLevels *levels = &self->plan->levels;
  gint top = levels->n_scales - 1;
  gint radius = MAX (levels->scales[top].width, levels->scales[top].height);
  gint n = level == 0 ? LAST_ROUNDS : level == top ? TOP_ROUNDS : ROUNDS;

  if (level == top)
    enqueue_peel (self, job, m);
  else
    enqueue_grow (self, job, m, &levels->scales[level]);
  for (gint round = 0; round < n; round++) {
    enqueue_round (self, job, m, level, round, radius);
    if (level > 0 || round + 1 < n)
      enqueue_vote (self, job, m, &levels->scales[level]);
  }
}

/* Blocks until the device has finished all enqueued work. Returns: FALSE after an error, which
 * is in @job */
static gboolean
wait_for_level (GstMgpuJob * job)
{
  GError *error = NULL;

  if (gst_mgpu_queue_finish (job->queue, &error))
    return TRUE;
  gst_mgpu_job_fail (job, error);
  return FALSE;
}

gboolean
mgpu_inpaint_match (MgpuInpaint * self, GstMgpuJob * job,
    MgpuInpaintProgress progress, gpointer data)
{
  const MgpuInpaintLevels *levels = &self->plan->levels;
  const MgpuInpaintScale *first = &levels->scales[0];
  Memories m;

  if (!get_memories (self, job, &m))
    return TRUE;
  enqueue_levels (self, job, &m);
  for (gint level = levels->n_scales - 1; level >= 0; level--) {
    GstMgpuJob part;

    gst_mgpu_job_begin_part (&part, job);
    enqueue_level (self, &part, &m, level);
    if (!mgpu_end_part (job, &part))
      return TRUE;
    /* Waits for the device after each pyramid level, to let @progress stop the work between
     * levels. Level 0 counts as three levels of progress, because it takes as long as three
     * other levels together. */
    if (progress != NULL && !wait_for_level (job))
      return TRUE;
    if (progress != NULL && !progress (1.0 / (1 << (2 * level)), data))
      return FALSE;
  }
  gst_mgpu_job_set_args (job, self->object.kernels[MATCH_FINISH],
      "miimiiiiim", m.fields[0], first->width, first->height,
      UNKNOWN_OF (&m, first), self->plan->width, levels->box.x0,
      levels->box.y0, self->mem[ORIGIN]);
  launch_items (self, job, MATCH_FINISH, first->n_unknown);
  return TRUE;
}
