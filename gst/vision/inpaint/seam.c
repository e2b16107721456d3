/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Takes out seams by solving an equation for a membrane over the hole: see
 * docs/algorithms/inpaint.md. */
#include "seam.h"

#include <kernels/inpaint/shared.h>

/* Numbers of multigrid cycles, and of sweeps on each level of a cycle. More of them
 * change next to nothing. */
#define CYCLES 3
#define SWEEPS 2

/* Largest number of levels: a frame has no more than 2^31 pixels. */
#define MAX_LEVELS 33

/* Names the indices of the array kernels. */
typedef enum
{
  BEGIN,
  END,
  COARSEN,
  RELAX,
  RESTRICT,
  PROLONG
} Kernel;

/* Names the slots: memories that kernels leave for each other. */
enum
{
  UNKNOWN,
  FLOW,
  LIFT,
  GIVEN,
  N_SLOTS
};

typedef struct
{
  gint columns, rows;
  gint unknown_at, at;          /* place of the level in UNKNOWN, and in FLOW and LIFT */
} Level;

struct _MgpuInpaintSeam
{
  MgpuObject object;
  gsize row[2];                 /* work-group whose work-items share a row */
  cl_mem mem[N_SLOTS];          /* memories of slots, valid while a frame is enqueued */
  Level levels[MAX_LEVELS];
  guint n_levels;
};

static const MgpuKnob knobs[] = {
  MGPU_INPAINT_ROW_GROUP,
  {NULL}
};

static const MgpuKernel kernels[] = {
  [BEGIN] = {"inpaint/seam", "seam_begin", 0},
  [END] = {"inpaint/seam", "seam_end", 0},
  [COARSEN] = {"inpaint/seam", "seam_coarsen", 0},
  [RELAX] = {"inpaint/seam", "seam_relax", 0},
  [RESTRICT] = {"inpaint/seam", "seam_restrict", 0},
  [PROLONG] = {"inpaint/seam", "seam_prolong", 0},
  {NULL}
};

static gboolean
init (gpointer object, gconstpointer params, GError ** error)
{
  MgpuInpaintSeam *self = object;

  mgpu_group (self->object.context, self->object.knobs[0], 1, self->row);
  return TRUE;
}

const MgpuAlgorithm mgpu_inpaint_seam = {
  .size = sizeof (MgpuInpaintSeam),
  .knobs = knobs,
  .kernels = kernels,
  .n_slots = N_SLOTS,
  .init = init
};

static void
set_levels (MgpuInpaintSeam * self, const MgpuInpaintSeams * seams,
    guint n_colours)
{
  gint columns = seams->hole.x1 - seams->hole.x0;
  gint rows = seams->hole.y1 - seams->hole.y0;
  gint unknown_at = 0, at = 0;

  self->n_levels = 0;
  for (;;) {
    self->levels[self->n_levels++] = (Level) {
    columns, rows, unknown_at, at};
    unknown_at += columns * rows;
    at += (gint) n_colours * columns * rows;
    if (columns <= 2 && rows <= 2)
      return;
    columns = (columns + 1) / 2;
    rows = (rows + 1) / 2;
  }
}

gboolean
mgpu_inpaint_seam_start (MgpuInpaintSeam * self, GstMgpuJob * job,
    const MgpuInpaintSeams * seams, guint n_colours)
{
  const Level *last;
  gsize cells;

  set_levels (self, seams, n_colours);
  last = &self->levels[self->n_levels - 1];
  cells = last->unknown_at + last->columns * last->rows;
  for (guint i = 0; i < N_SLOTS; i++)
    self->mem[i] = mgpu_slot_write (self, i, job,
        i == UNKNOWN ? cells : cells * n_colours * sizeof (gint));
  return job->error == NULL;
}

static void
launch (MgpuInpaintSeam * self, GstMgpuJob * job, Kernel kernel, guint rows)
{
  mgpu_launch (job, self->object.kernels[kernel], 1, rows, 1, 1, self->row);
}

/* Returns: the number of the first cell of a colour in the first level */
static gint
find_place (MgpuInpaintSeam * self, guint colour)
{
  return (gint) colour * self->levels[0].columns * self->levels[0].rows;
}

void
mgpu_inpaint_seam_add (MgpuInpaintSeam * self, GstMgpuJob * job,
    const MgpuInpaintSeams * seams, guint colour)
{
  gst_mgpu_job_set_args (job, self->object.kernels[BEGIN], "mmmmiiiiiiiimmmmi",
      seams->samples, seams->object, seams->origin, seams->beside,
      seams->is_blended, seams->width, seams->height, seams->hole.x0,
      seams->hole.y0, self->levels[0].columns, self->levels[0].rows,
      seams->depth, self->mem[UNKNOWN], self->mem[FLOW], self->mem[LIFT],
      self->mem[GIVEN], find_place (self, colour));
  launch (self, job, BEGIN, self->levels[0].rows);
}

/* Launches a kernel for a level with row[0] work-items for each of rows rows. The
 * parameter open has the sides on which the hole touches the edge of the frame; argument
 * is the last argument of the kernel. */
static void
launch_level (MgpuInpaintSeam * self, GstMgpuJob * job, Kernel kernel,
    guint number, gint open, gint argument, guint rows)
{
  const Level *level = &self->levels[number];

  gst_mgpu_job_set_args (job, self->object.kernels[kernel], "mimmiiiiii",
      self->mem[UNKNOWN], level->unknown_at, self->mem[FLOW], self->mem[LIFT],
      level->at, level->columns, level->rows, open, number > 0, argument);
  launch (self, job, kernel, rows);
}

static void
relax (MgpuInpaintSeam * self, GstMgpuJob * job, guint number, gint open,
    guint n_colours)
{
  for (gint i = 0; i < 2 * SWEEPS; i++)
    launch_level (self, job, RELAX, number, open, i % 2,
        n_colours * self->levels[number].rows);
}

void
mgpu_inpaint_seam_solve (MgpuInpaintSeam * self, GstMgpuJob * job,
    const MgpuInpaintSeams * seams, guint n_colours)
{
  const Level *levels = self->levels;
  const MgpuBox *hole = &seams->hole;
  gint open = (hole->x0 == 0 ? LEFT : 0) | (hole->y0 == 0 ? TOP : 0)
      | (hole->x1 == seams->width ? RIGHT : 0)
      | (hole->y1 == seams->height ? BOTTOM : 0);

  for (guint l = 1; l < self->n_levels; l++) {
    gst_mgpu_job_set_args (job, self->object.kernels[COARSEN], "miiii",
        self->mem[UNKNOWN], levels[l - 1].unknown_at, levels[l].unknown_at,
        levels[l - 1].columns, levels[l - 1].rows);
    launch (self, job, COARSEN, levels[l].rows);
  }
  for (guint cycle = 0; cycle < CYCLES; cycle++) {
    for (guint l = 0; l < self->n_levels; l++) {
      relax (self, job, l, open, n_colours);
      if (l + 1 < self->n_levels)
        launch_level (self, job, RESTRICT, l, open, levels[l + 1].at,
            n_colours * levels[l + 1].rows);
    }
    for (guint l = self->n_levels - 1; l-- > 0;) {
      launch_level (self, job, PROLONG, l, open, levels[l + 1].at,
          n_colours * levels[l].rows);
      relax (self, job, l, open, n_colours);
    }
  }
}

void
mgpu_inpaint_seam_get (MgpuInpaintSeam * self, GstMgpuJob * job,
    const MgpuInpaintSeams * seams, guint colour)
{
  gst_mgpu_job_set_args (job, self->object.kernels[END], "mmiiiiimmi",
      seams->samples, seams->object, seams->width, seams->hole.x0,
      seams->hole.y0, self->levels[0].columns, seams->depth, self->mem[LIFT],
      self->mem[GIVEN], find_place (self, colour));
  launch (self, job, END, self->levels[0].rows);
}
