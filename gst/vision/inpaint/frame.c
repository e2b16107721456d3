/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Copies samples from frames to the device memories in which holes are filled, and writes
 * samples to the unknown pixels of frames. */
#include "inpaint-private.h"

#include <kernels/base/base-shared.h>

/* Loads a gray frame as three equal color components, because the kernels need three. This does
 * not change which source patch is the best. */
void
mgpu_inpaint_load (MgpuInpaint * self, GstMgpuJob * job, const MgpuImage * in)
{
  guint n = GST_VIDEO_INFO_N_COMPONENTS (&in->info);
  MgpuBox view = self->plan->view;

  for (guint i = 0; i < 3; i++) {
    guint component = n < 3 ? 0 : i;
    MgpuComponent c = mgpu_get_component (&in->info, component);

    gst_mgpu_job_set_args (job, self->object.kernels[LOAD], MGPU_SAMPLES
        "imiiiiii", MGPU_READ_SAMPLES (job, in, component, c),
        (gint) GST_VIDEO_INFO_COMP_DEPTH (&in->info, component) - 8,
        self->mem[WORK], self->plane, self->plan->width, (gint) i, view.x0,
        view.x1, view.y0);
    mgpu_inpaint_launch_rows (self, job, LOAD, view);
  }
}

/* Enqueues a kernel that writes the samples of color component @component inside @box to the
 * memory @values, one sample for each pixel; the component starts at index @at. */
static void
enqueue_load_plain (MgpuInpaint * self, GstMgpuJob * job, const MgpuImage * in,
    guint component, cl_mem values, gint at, MgpuBox box)
{
  MgpuComponent c = mgpu_get_component (&in->info, component);

  gst_mgpu_job_set_args (job, self->object.kernels[LOAD_PLAIN],
      MGPU_SAMPLES "miiiii", MGPU_READ_SAMPLES (job, in, component,
          c), values, at, self->plan->width, box.x0, box.x1, box.y0);
  mgpu_inpaint_launch_rows (self, job, LOAD_PLAIN, box);
}

/* Enqueues a kernel that writes the unknown pixels of a color component to the frame @out. The
 * memory @origin has one element for each pixel, starting at index @at. If @plain is TRUE, the
 * element is the sample to write; otherwise it is the index of the pixel whose sample is copied. */
static void
enqueue_store (MgpuInpaint * self, GstMgpuJob * job, const MgpuImage * in,
    const MgpuImage * out, guint component, cl_mem origin, gint at,
    gboolean plain)
{
  gint sub_x = in->info.finfo->w_sub[component];
  gint sub_y = in->info.finfo->h_sub[component];
  const MgpuBox *hole = &self->plan->hole;
  MgpuBox box = *hole;
  MgpuComponent c = mgpu_get_component (&in->info, component);
  MgpuComponent to = mgpu_get_component (&out->info, component);

  box.x0 >>= sub_x;
  box.y0 >>= sub_y;
  box.x1 = (box.x1 + (1 << sub_x) - 1) >> sub_x;
  box.y1 = (box.y1 + (1 << sub_y) - 1) >> sub_y;
  gst_mgpu_job_set_args (job, self->object.kernels[STORE], MGPU_SAMPLES
      MGPU_PLANE "mmiiiiiiimiii", MGPU_READ_SAMPLES (job, in, component, c),
      MGPU_WRITE (job, out, to), self->mem[SHOWN], origin, at, (gint) plain,
      self->plan->width, self->plan->height, box.x0, box.x1, box.y0,
      self->mem[ENDS], hole->x0, hole->y0, hole->x1 - hole->x0);
  mgpu_inpaint_launch_rows (self, job, STORE, box);
}

/* Launches a kernel for each distance from the known pixels, nearest first. The kernel fills the
 * unknown pixels at this distance. */
void
mgpu_inpaint_diffuse (MgpuInpaint * self, GstMgpuJob * job,
    const MgpuImage * in, const MgpuImage * out, guint component)
{
  MgpuBox all = { 0, 0, self->plan->width, self->plan->height };

  enqueue_load_plain (self, job, in, component, self->mem[ORIGIN], 0, all);
  for (guint i = 1; i < self->plan->passes->len; i++) {
    gint first = g_array_index (self->plan->passes, gint, i - 1);
    gint end = g_array_index (self->plan->passes, gint, i);
    gsize local = self->row[0];
    gsize most = local * 64 * self->object.traits->compute_units;

    gst_mgpu_job_set_args (job, self->object.kernels[DIFFUSE], "mmmiiii",
        self->mem[ORIGIN], self->mem[OBJECT], self->mem[ORDER], first, end,
        all.x1, all.y1);
    mgpu_launch_items (job, self->object.kernels[DIFFUSE],
        MIN ((gsize) (end - first), most), local);
  }
  enqueue_store (self, job, in, out, component, self->mem[ORIGIN], 0, TRUE);
}

void
mgpu_inpaint_find_ends (MgpuInpaint * self, GstMgpuJob * job)
{
  MgpuBox hole = self->plan->hole;
  gsize n = hole.x1 - hole.x0 + hole.y1 - hole.y0;

  gst_mgpu_job_set_args (job, self->object.kernels[FIND_ENDS], "mmiiiiii",
      self->mem[SHOWN], self->mem[ENDS], self->plan->width,
      self->plan->height, hole.x0, hole.x1, hole.y0, hole.y1);
  mgpu_launch_items (job, self->object.kernels[FIND_ENDS], n, self->row[0]);
}

void
mgpu_inpaint_mark (MgpuInpaint * self, GstMgpuJob * job)
{
  MgpuBox hole = self->plan->hole;

  gst_mgpu_job_set_args (job, self->object.kernels[MARK], "miiiimi",
      self->mem[FILLER], self->plan->width, hole.x0, hole.x1, hole.y0,
      self->mem[TARGETS], self->n_words);
  mgpu_inpaint_launch_rows (self, job, MARK, hole);
}

/* Enqueues a kernel that writes the unknown pixels of a color component to the scratch buffer
 * VALUES. Each pixel is the mean of its samples in the overlapping patches. If @sides is TRUE,
 * the kernel also computes the same means for the four neighbors of the pixels from which the
 * patches are copied, and writes them to the scratch buffer BESIDE. */
static void
enqueue_blend (MgpuInpaint * self, GstMgpuJob * job, const MgpuImage * in,
    guint component, gboolean sides)
{
  MgpuBox hole = self->plan->hole;
  MgpuComponent c = mgpu_get_component (&in->info, component);

  gst_mgpu_job_set_args (job, self->object.kernels[BLEND], MGPU_SAMPLES
      "mmmimmiiiiiii", MGPU_READ_SAMPLES (job, in, component, c),
      self->mem[SHOWN], self->mem[ORIGIN], self->mem[TARGETS], self->n_words,
      self->mem[VALUES], self->mem[BESIDE], self->plan->width,
      self->plan->height, self->params.patch_size / 2, hole.x0, hole.x1,
      hole.y0, hole.y1);
  mgpu_launch (job, self->object.kernels[BLEND], 1,
      (hole.y1 - hole.y0) * (sides ? 5 : 1), 1, 1, self->row);
}

void
mgpu_inpaint_copy (MgpuInpaint * self, GstMgpuJob * job, const MgpuImage * in,
    const MgpuImage * out, guint component)
{
  if (self->blend)
    enqueue_blend (self, job, in, component, FALSE);
  enqueue_store (self, job, in, out, component,
      self->mem[self->blend ? VALUES : ORIGIN], 0, self->blend);
}

/* Enqueues the kernel that finds the unknown pixels for which all overlapping patches have
 * similar values, and marks them in the scratch buffer AGREED. */
static void
enqueue_agree (MgpuInpaint * self, GstMgpuJob * job)
{
  MgpuBox hole = self->plan->hole;

  gst_mgpu_job_set_args (job, self->object.kernels[AGREE], "mimmmimiiiiii",
      self->mem[WORK], self->plane, self->mem[SHOWN], self->mem[ORIGIN],
      self->mem[TARGETS], self->n_words, self->mem[AGREED],
      self->plan->width, self->params.patch_size / 2, hole.x0, hole.x1,
      hole.y0, hole.y1);
  mgpu_inpaint_launch_rows (self, job, AGREE, hole);
}

/* Enqueues the kernels that solve the membrane equation for @n color components, and write the
 * result to the frame @out. The components must have been added by mgpu_inpaint_seam_add(). */
static void
enqueue_membrane (MgpuInpaint * self, GstMgpuJob * job, const MgpuImage * in,
    const MgpuImage * out, guint n, gboolean harmonic)
{
  mgpu_inpaint_seam_solve (self, job, n, harmonic);
  for (guint i = 0; i < n; i++) {
    mgpu_inpaint_seam_get (self, job, i, harmonic);
    enqueue_store (self, job, in, out, i, self->mem[VALUES], 0, TRUE);
  }
}

void
mgpu_inpaint_smooth (MgpuInpaint * self, GstMgpuJob * job, const MgpuImage * in,
    const MgpuImage * out, guint n)
{
  if (!mgpu_inpaint_seam_start (self, job, n)
      || !mgpu_inpaint_shade_start (self, job, in, n))
    return;
  enqueue_agree (self, job);
  for (guint i = 0; i < n; i++) {
    enqueue_load_plain (self, job, in, i, self->mem[VALUES], 0,
        self->plan->view);
    mgpu_inpaint_shade_lay (self, job, i, n, self->plan->view);
    if (self->blend)
      enqueue_blend (self, job, in, i, TRUE);
    mgpu_inpaint_seam_add (self, job, i, FALSE);
  }
  enqueue_membrane (self, job, in, out, n, FALSE);
}

/* Returns: the box around the hole, with a border of one pixel inside the frame */
static MgpuBox
get_near (const MgpuInpaint * self)
{
  return mgpu_box_grow (self->plan->hole, 1, 1, self->plan->width,
      self->plan->height);
}

void
mgpu_inpaint_harmonic (MgpuInpaint * self, GstMgpuJob * job,
    const MgpuImage * in, const MgpuImage * out, guint n)
{
  MgpuBox near = get_near (self);

  if (!mgpu_inpaint_seam_start (self, job, n)
      || !mgpu_inpaint_shade_start (self, job, in, n))
    return;
  for (guint i = 0; i < n; i++) {
    enqueue_load_plain (self, job, in, i, self->mem[VALUES], 0, near);
    mgpu_inpaint_shade_lay (self, job, i, n, near);
    mgpu_inpaint_seam_add (self, job, i, TRUE);
  }
  enqueue_membrane (self, job, in, out, n, TRUE);
}

/* Enqueues the kernel that finds the known pixels at both ends of each line through an unknown
 * pixel. Does nothing if these are known from the last frame. */
static void
find_lines (MgpuInpaint * self, GstMgpuJob * job, cl_mem ends)
{
  gint n = self->plan->n_unknown;

  if (!self->lines_changed && !self->is_narrowed)
    return;
  gst_mgpu_job_set_args (job, self->object.kernels[LINES_FIND], "mmimii",
      self->mem[SHOWN], self->mem[ORDER], n, ends, self->plan->width,
      self->plan->height);
  mgpu_launch_items (job, self->object.kernels[LINES_FIND], n, self->row[0]);
  self->lines_changed = self->is_narrowed;
}

void
mgpu_inpaint_directional (MgpuInpaint * self, GstMgpuJob * job,
    const MgpuImage * in, const MgpuImage * out, guint n)
{
  gint n_unknown = self->plan->n_unknown;
  gint plane = self->plan->width * self->plan->height;
  MgpuBox near = get_near (self);
  cl_mem ends = mgpu_slot_write (self, LINES_ENDS, job,
      sizeof (cl_ushort2) * LINES * n_unknown);

  if (job->error != NULL)
    return;
  find_lines (self, job, ends);
  for (guint i = 0; i < n; i++)
    enqueue_load_plain (self, job, in, i, self->mem[VALUES], (gint) i * plane,
        near);
  gst_mgpu_job_set_args (job, self->object.kernels[LINES_FILL], "mmimmiiiiii",
      self->mem[SHOWN], self->mem[ORDER], n_unknown, ends, self->mem[VALUES],
      plane, (gint) n, (gint) GST_VIDEO_INFO_COMP_DEPTH (&in->info, 0) - 8,
      (gint) GST_VIDEO_INFO_IS_RGB (&in->info), self->plan->width,
      self->plan->height);
  mgpu_launch_items (job, self->object.kernels[LINES_FILL], n_unknown,
      self->row[0]);
  for (guint i = 0; i < n; i++)
    enqueue_store (self, job, in, out, i, self->mem[VALUES], (gint) i * plane,
        TRUE);
}
