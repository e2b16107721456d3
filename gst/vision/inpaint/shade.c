/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Enqueues the kernels that fit polynomials, called shades, to the surroundings of wide holes:
 * see docs/algorithms/inpaint.md. */
#include "inpaint-private.h"

#include <kernels/inpaint/inpaint-shared.h>

/* Allocates the device memories for @n components. Copies the plans of the domains to the device
 * if they are new. Returns: FALSE after an error, which is in @job */
static gboolean
get_memories (MgpuInpaint * self, GstMgpuJob * job, guint n)
{
  const MgpuInpaintPlan *plan = self->plan;
  gsize pixels = (gsize) plan->width * plan->height;

  if (self->shades_changed && !mgpu_slot_upload (self, SHADE_PLANS, job,
          plan->shade_words->data, plan->shade_words->len * sizeof (gint), 0))
    return FALSE;
  self->shades_changed = FALSE;
  self->mem[SHADE_PLANS] = mgpu_slot_read (self, SHADE_PLANS, job);
  self->mem[SHADE_STATES] = mgpu_slot_write (self, SHADE_STATES, job,
      plan->shades->len * n * SHADE_STATE * sizeof (gint));
  self->mem[SHADES] = mgpu_slot_write (self, SHADES, job,
      pixels * sizeof (gint));
  return job->error == NULL;
}

static void
launch_items (MgpuInpaint * self, GstMgpuJob * job, Kernel kernel, gsize n)
{
  mgpu_launch (job, self->object.kernels[kernel], 1,
      (n + SHADE_ROW - 1) / SHADE_ROW, 1, 1, self->row);
}

/* Enqueues the kernels for one domain. Its state, for @n components, begins at the index @state
 * in the scratch buffer SHADE_STATES. */
static void
enqueue_domain (MgpuInpaint * self, GstMgpuJob * job, const MgpuImage * in,
    const MgpuInpaintShade * shade, guint n, gint state)
{
  const cl_kernel *kernels = self->object.kernels;
  gint depth = GST_VIDEO_INFO_COMP_DEPTH (&in->info, 0);
  cl_mem plans = self->mem[SHADE_PLANS], states = self->mem[SHADE_STATES];

  for (guint i = 0; i < n; i++) {
    MgpuComponent c = mgpu_get_component (&in->info, i);

    gst_mgpu_job_set_args (job, kernels[SHADE_SUM], MGPU_SAMPLES
        "miiiiiiiimi", MGPU_READ_SAMPLES (job, in, i, c), plans,
        shade->at, shade->n_cells, shade->x_step, shade->y_step,
        shade->x_count, shade->y_count, self->plan->width, depth, states,
        state + (gint) i * SHADE_STATE);
    launch_items (self, job, SHADE_SUM, shade->n_cells);
  }
  gst_mgpu_job_set_args (job, kernels[SHADE_FIT], "miiimi", plans, shade->at,
      shade->n_cells, (gint) n, states, state);
  launch_items (self, job, SHADE_FIT, n * SHADE_TERMS);
  gst_mgpu_job_set_args (job, kernels[SHADE_TRY], "miiiiiiiimi", plans,
      shade->at, shade->n_cells, (gint) n, shade->x_step, shade->y_step,
      shade->x_count, shade->y_count, depth, states, state);
  launch_items (self, job, SHADE_TRY, n * SHADE_DEGREES * shade->n_cells);
  gst_mgpu_job_set_args (job, kernels[SHADE_JUDGE], "miiiimi", plans,
      shade->at, shade->n_cells, (gint) n, shade->x_count * shade->y_count,
      states, state);
  launch_items (self, job, SHADE_JUDGE, n);
}

gboolean
mgpu_inpaint_shade_start (MgpuInpaint * self, GstMgpuJob * job,
    const MgpuImage * in, guint n)
{
  const GArray *shades = self->plan->shades;

  /* If patches are found one after the other, their colors are copied unchanged, and shades are
   * not used. */
  self->shaded = shades->len > 0 && (self->result == MGPU_INPAINT_LAYS
      || (self->plan->levels.n_scales > 0 && !self->temporal));
  if (!self->shaded)
    return TRUE;
  if (!get_memories (self, job, n))
    return FALSE;
  for (guint i = 0; i < shades->len; i++)
    enqueue_domain (self, job, in, &g_array_index (shades, MgpuInpaintShade, i),
        n, (gint) (i * n * SHADE_STATE));
  return job->error == NULL;
}

void
mgpu_inpaint_shade_lay (MgpuInpaint * self, GstMgpuJob * job, guint component,
    guint n, MgpuBox area)
{
  const GArray *shades = self->plan->shades;

  for (guint i = 0; i < shades->len && self->shaded; i++) {
    const MgpuInpaintShade *shade =
        &g_array_index (shades, MgpuInpaintShade, i);
    /* The intersection is never empty, because each domain contains unknown pixels. */
    MgpuBox both = {
      MAX (area.x0, shade->box.x0), MAX (area.y0, shade->box.y0),
      MIN (area.x1, shade->box.x1), MIN (area.y1, shade->box.y1)
    };
    /* The first launch also writes the pixels outside all domains. */
    MgpuBox box = i == 0 ? area : both;

    gst_mgpu_job_set_args (job, self->object.kernels[SHADE_LAY],
        "miiiiiiiimim", self->mem[SHADE_PLANS], shade->at, (gint) n,
        (gint) component, (gint) GST_VIDEO_INFO_COMP_DEPTH (&self->object.in,
            0), box.x0, box.x1, box.y0, self->plan->width,
        self->mem[SHADE_STATES], (gint) (i * n * SHADE_STATE),
        self->mem[SHADES]);
    mgpu_inpaint_launch_rows (self, job, SHADE_LAY, box);
  }
}
