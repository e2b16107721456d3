/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Removes seams between patches, or fills the hole, by solving a membrane (Poisson) equation for
 * the hole: see docs/algorithms/inpaint.md. */
#include "inpaint-private.h"

#include <kernels/inpaint/inpaint-shared.h>

/* Numbers of iterations of the multigrid solver:
 * MIN_CYCLES: minimum number of V-cycles for removing seams. Large holes need more: see
 *   count_cycles().
 * MIN_HARMONIC_CYCLES: the same for filling a hole with a membrane, which starts further from the
 *   solution. */
#define MIN_CYCLES 3
#define MIN_HARMONIC_CYCLES 6

/* Maximum number of cells of a level that one work-group computes for a color. Larger levels have
 * enough cells for several work-groups, but each step on a level is then a launch. */
#define MAX_GROUP_CELLS 4096

/* Largest differences at seams that are smoothed, in samples of 14 bits. STEEPEST_OF_CHROMA is
 * for U and V, STEEPEST for all other color components. The limit for U and V is lower because
 * light changes them only little, while a wrong color next to the hole would spread over the
 * hole. */
#define STEEPEST (32 << 6)
#define STEEPEST_OF_CHROMA (8 << 6)

gsize
mgpu_inpaint_seam_count (gint columns, gint rows)
{
  gsize cells = (gsize) columns * rows;

  while (columns > 2 || rows > 2) {
    columns = (columns + 1) / 2;
    rows = (rows + 1) / 2;
    cells += (gsize) columns * rows;
  }
  return cells;
}

static void
set_levels (MgpuInpaintSeam * seam, const MgpuBox * hole, guint n_colours)
{
  gint columns = hole->x1 - hole->x0, rows = hole->y1 - hole->y0;
  gint weights_at = 0, at = 0;

  seam->n_levels = 0;
  for (;;) {
    seam->levels[seam->n_levels++] = (MgpuInpaintLevel) {
    columns, rows, weights_at, at};
    weights_at += columns * rows;
    at += (gint) n_colours * columns * rows;
    if (columns <= 2 && rows <= 2)
      return;
    columns = (columns + 1) / 2;
    rows = (rows + 1) / 2;
  }
}

gboolean
mgpu_inpaint_seam_start (MgpuInpaint * self, GstMgpuJob * job, guint n_colours)
{
  const MgpuInpaintLevel *last;
  gsize cells;

  set_levels (&self->seam, &self->plan->hole, n_colours);
  last = &self->seam.levels[self->seam.n_levels - 1];
  cells = last->weights_at + last->columns * last->rows;
  for (guint i = SEAM_WEIGHTS; i <= SEAM_GIVEN; i++)
    self->mem[i] = mgpu_slot_write (self, i, job, i == SEAM_WEIGHTS
        ? cells * sizeof (cl_uchar4) : cells * n_colours * sizeof (gint));
  return job->error == NULL;
}

static void
launch (MgpuInpaint * self, GstMgpuJob * job, Kernel kernel, guint rows)
{
  mgpu_launch (job, self->object.kernels[kernel], 1, rows, 1, 1, self->row);
}

void
mgpu_inpaint_seam_add (MgpuInpaint * self, GstMgpuJob * job, guint colour,
    gboolean harmonic)
{
  const MgpuInpaintLevel *level = &self->seam.levels[0];
  const MgpuInpaintPlan *plan = self->plan;

  gst_mgpu_job_set_args (job, self->object.kernels[SEAM_BEGIN],
      "mmmmmimiiiiiiiiimmmmii", self->mem[VALUES], self->mem[SHOWN],
      self->mem[ORIGIN], self->mem[BESIDE], self->mem[AGREED], self->blend,
      self->mem[self->shaded ? SHADES : VALUES], self->shaded, plan->width,
      plan->height, plan->hole.x0, plan->hole.y0, level->columns, level->rows,
      GST_VIDEO_INFO_COMP_DEPTH (&self->object.in, 0),
      colour > 0 && GST_VIDEO_INFO_IS_YUV (&self->object.in)
      ? STEEPEST_OF_CHROMA : STEEPEST, self->mem[SEAM_WEIGHTS],
      self->mem[SEAM_FLOW], self->mem[SEAM_LIFT],
      self->mem[SEAM_GIVEN], (gint) colour * level->columns * level->rows,
      harmonic);
  launch (self, job, SEAM_BEGIN, level->rows);
}

/* Launches a kernel for the level with the index @number of the multigrid solver, with the same
 * number of work-items for each row.
 * @open: flags for the sides on which the hole touches the edge of the frame
 * @argument: last argument of the kernel
 * @rows: number of rows of all color components together */
static void
launch_level (MgpuInpaint * self, GstMgpuJob * job, Kernel kernel,
    guint number, gint open, gint argument, guint rows)
{
  const MgpuInpaintLevel *level = &self->seam.levels[number];

  gst_mgpu_job_set_args (job, self->object.kernels[kernel], "mimmiiiii",
      self->mem[SEAM_WEIGHTS], level->weights_at, self->mem[SEAM_FLOW],
      self->mem[SEAM_LIFT], level->at, level->columns, level->rows, open,
      argument);
  launch (self, job, kernel, rows);
}

static void
relax (MgpuInpaint * self, GstMgpuJob * job, guint number, gint open,
    guint n_colours)
{
  for (gint i = 0; i < 2 * SEAM_SWEEPS; i++)
    launch_level (self, job, SEAM_RELAX, number, open, i % 2,
        n_colours * self->seam.levels[number].rows);
}

/* Launches @n_cycles V-cycles on the level with the index @number and all coarser levels, with a
 * work-group for each color component. */
static void
cycle_group (MgpuInpaint * self, GstMgpuJob * job, guint number, gint open,
    guint n_colours, guint n_cycles)
{
  const MgpuInpaintLevel *level = &self->seam.levels[number];
  gsize group = self->object.knobs[STEP_GROUP];

  gst_mgpu_job_set_args (job, self->object.kernels[SEAM_CYCLE], "mimmiiiiiii",
      self->mem[SEAM_WEIGHTS], level->weights_at, self->mem[SEAM_FLOW],
      self->mem[SEAM_LIFT], level->at, level->columns, level->rows, open,
      (gint) (self->seam.n_levels - number), (gint) n_cycles, (gint) n_colours);
  mgpu_launch_items (job, self->object.kernels[SEAM_CYCLE], n_colours * group,
      group);
}

/* Returns: the number of V-cycles after which the error of the solution is below a gray level of
 * 8 bits. A cycle reduces the error to a third, or to two thirds in a large hole with an
 * unfavorable border. The number of cycles increases with the number of levels; small holes
 * therefore need only few cycles. */
static guint
count_cycles (guint n_levels, gboolean harmonic)
{
  return harmonic ? MAX (n_levels + 1, MIN_HARMONIC_CYCLES)
      : MAX (n_levels / 2 + 1, MIN_CYCLES);
}

void
mgpu_inpaint_seam_solve (MgpuInpaint * self, GstMgpuJob * job,
    guint n_colours, gboolean harmonic)
{
  const MgpuInpaintLevel *levels = self->seam.levels;
  guint n_levels = self->seam.n_levels, n_large = 0;
  guint n_cycles = count_cycles (n_levels, harmonic);
  MgpuBox hole = self->plan->hole;
  gint open = (hole.x0 == 0 ? LEFT : 0) | (hole.y0 == 0 ? TOP : 0)
      | (hole.x1 == self->plan->width ? RIGHT : 0)
      | (hole.y1 == self->plan->height ? BOTTOM : 0);

  for (guint l = 1; l < n_levels; l++) {
    gst_mgpu_job_set_args (job, self->object.kernels[SEAM_COARSEN], "miiiii",
        self->mem[SEAM_WEIGHTS], levels[l - 1].weights_at,
        levels[l].weights_at, levels[l - 1].columns, levels[l - 1].rows, open);
    launch (self, job, SEAM_COARSEN, levels[l].rows);
  }
  while (levels[n_large].columns * levels[n_large].rows > MAX_GROUP_CELLS)
    n_large++;
  if (n_large == 0) {
    cycle_group (self, job, 0, open, n_colours, n_cycles);
    return;
  }
  for (guint cycle = 0; cycle < n_cycles; cycle++) {
    for (guint l = 0; l < n_large; l++) {
      relax (self, job, l, open, n_colours);
      launch_level (self, job, SEAM_RESTRICT, l, open, levels[l + 1].at,
          n_colours * levels[l + 1].rows);
    }
    cycle_group (self, job, n_large, open, n_colours, 1);
    for (guint l = n_large; l-- > 0;) {
      launch_level (self, job, SEAM_PROLONG, l, open, levels[l + 1].at,
          n_colours * levels[l].rows);
      relax (self, job, l, open, n_colours);
    }
  }
}

void
mgpu_inpaint_seam_get (MgpuInpaint * self, GstMgpuJob * job, guint colour,
    gboolean harmonic)
{
  const MgpuInpaintLevel *level = &self->seam.levels[0];
  const MgpuInpaintPlan *plan = self->plan;
  gint depth = GST_VIDEO_INFO_COMP_DEPTH (&self->object.in, 0);
  gint lo = 0, hi = (1 << depth) - 1;

  if (!harmonic)
    mgpu_get_range (&self->object.in, colour, &lo, &hi);
  gst_mgpu_job_set_args (job, self->object.kernels[SEAM_END], "mmiiiiiiiimmi",
      self->mem[VALUES], self->mem[SHOWN], plan->width, plan->hole.x0,
      plan->hole.y0, level->columns,
      depth, lo, hi, (1 << depth) - 1, self->mem[SEAM_LIFT],
      self->mem[SEAM_GIVEN], (gint) colour * level->columns * level->rows);
  launch (self, job, SEAM_END, level->rows);
}
