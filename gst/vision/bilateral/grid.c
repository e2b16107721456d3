/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes the bilateral filter by the methods grid and constant-time, whose cost does not
 * grow with sigma_space. */
#include "private.h"

#include <math.h>

#include <kernels/bilateral/shared.h>

/* Largest number of levels of the method grid */
#define MAX_GRID_LEVELS 64

/* Limits of the side of a cell, in samples. Smaller cells would be as many as the samples;
 * cells of the largest size are so few that still larger ones would save no time. */
#define MIN_CELL 2
#define MAX_CELL 32

/* Largest number of rows in the table of weights. Each value of the guide has a row;
 * neighbouring values of more than 10 bits share one. */
#define MAX_WEIGHT_ROWS 1024

static gint64
floor_div (gint64 a, gint64 b)
{
  return a >= 0 ? a / b : -((b - 1 - a) / b);
}

/* Appends to words which samples cell i covers: the first and the last one, and how much
 * of each lies in the cell. Cells are one step of (n - 1) / (cells - 1) samples wide, and
 * the middle of cell i lies i steps behind the first sample. */
static void
append_cell (GArray * words, const MgpuBilateralAxis * axis, gint i)
{
  gint64 n = axis->n - 1, m = axis->cells - 1;
  gint64 begin = (2 * i - 1) * n, end = (2 * i + 1) * n;
  gint64 first, last;
  gdouble first_part = 1, last_part = 1;

  if (m == 0) {
    first = last = 0;
  } else {
    /* Sample k covers the range from k - 1/2 to k + 1/2. */
    first = floor_div (begin + m, 2 * m);
    last = -floor_div (-(end + m), 2 * m) - 1;
    first_part = ((2 * first + 1) * m - begin) / (2.0 * m);
    last_part = (end - (2 * last - 1) * m) / (2.0 * m);
  }
  mgpu_words_add (words, first);
  mgpu_words_add (words, last);
  mgpu_words_add_float (words, first_part);
  mgpu_words_add_float (words, last_part);
}

/* Divides n samples into cells, and writes to slot the description of the axis that kernels
 * read. The parameter cell limits the distance of neighbouring cells, in samples; sigma is
 * that of the Gaussian, in samples. FALSE: the error is in job. */
static gboolean
axis_init (MgpuBilateral * self, GstMgpuJob * job, guint slot,
    MgpuBilateralAxis * axis, gint n, gdouble cell, gdouble sigma)
{
  GArray *words = mgpu_words_new ();
  gdouble step, variance;
  gboolean ok;

  axis->n = n;
  axis->cells = (gint) ceil ((n - 1) / cell) + 1;
  /* Filling the cells blurs like a box of one step, with a variance of 1/12, and reading
   * between them adds 2/12 on average: the Gaussian lacks these 0.25. An axis of a single
   * sample has a single cell and needs no blur. */
  step = (n - 1.0) / (axis->cells - 1);
  variance = n > 1 ? sigma * sigma / (step * step) - 0.25 : 0;
  axis->radius = variance > 0 ? ceil (3 * sqrt (variance)) : 0;

  for (gint i = 0; i < axis->cells; i++)
    append_cell (words, axis, i);
  for (gint64 i = 0; i < GST_ROUND_UP_N (n, AXIS_STEP); i++) {
    gint64 at = MIN (i, n - 1) * (axis->cells - 1), unit = MAX (n - 1, 1);

    mgpu_words_add (words, at / unit);
    mgpu_words_add_float (words, (at % unit) / (gdouble) unit);
  }
  axis->taps = words->len;
  mgpu_words_add_float (words, 1);
  /* Rounds the weights to so few bits that every implementation of exp() gives the same. */
  for (gint i = 1; i <= axis->radius; i++)
    mgpu_words_add_float (words,
        rint (65536 * exp (-i * i / (2 * variance))) / 65536);
  ok = mgpu_slot_set_words (self, slot, job, words);
  g_array_unref (words);
  return ok;
}

/* Returns: by how many bits a value of the guide is shifted right to get its row in the
 * table of weights */
static gint
get_index_shift (MgpuBilateral * self)
{
  gint shift = 0;

  while (self->guide_max >> shift >= MAX_WEIGHT_ROWS)
    shift++;
  return shift;
}

/* Chooses the number of levels and their distance. The parameter sigma is the range sigma
 * in units of guide values.
 * Returns: the sigma of the weights in the table, which is larger where levels are few */
static gdouble
levels_init (MgpuBilateral * self, MgpuBilateralGrid * plan, gdouble sigma)
{
  gboolean grid = plan->params.method == MGPU_BILATERAL_GRID;
  gdouble max = self->guide_max;

  plan->used_levels = plan->params.levels;
  if (grid)
    plan->used_levels = MIN (ceil (2 * max / sigma) + 1, MAX_GRID_LEVELS);
  plan->n_levels =
      GST_ROUND_UP_N (plan->used_levels, self->object.knobs[LANES]);
  plan->step = max / (plan->used_levels - 1);
  return MAX (sigma, grid ? 2 * plan->step : plan->step / 2);
}

/* Chooses how many rows of cells are computed at once, and allocates their sums. */
static gboolean
ensure_sums (MgpuBilateral * self, GstMgpuJob * job, MgpuBilateralGrid * plan,
    guint i)
{
  gsize row = sizeof (gfloat) * plan->x.cells * plan->n_levels
      * (1 + self->channels);
  gsize band = (gsize) self->object.knobs[BAND] << 20;
  gint n;

  plan->n_read = MAX ((gint) (band / row) - 2 * plan->y.radius - 1, 1);
  n = MIN (plan->n_read + 2 * plan->y.radius + 1, plan->y.cells);
  return mgpu_slot_ensure (self, SUMS + i, job, n * row)
      && mgpu_slot_ensure (self, BLURRED_SUMS + i, job, n * row);
}

/* Fills the table of weights of plan i. The parameter sigma is in units of guide values. */
static gboolean
fill_table (MgpuBilateral * self, GstMgpuJob * job,
    const MgpuBilateralGrid * plan, guint i, gdouble sigma)
{
  cl_kernel kernel = self->object.kernels[GRID_WEIGH];
  gint shift = get_index_shift (self);
  gsize global[2] = {
    plan->n_levels / self->object.knobs[LANES], (self->guide_max >> shift) + 1
  };
  cl_mem weights = mgpu_slot_write (self, GRID_WEIGHTS + i, job,
      sizeof (gfloat) * global[1] * plan->n_levels);

  if (weights == NULL)
    return FALSE;
  gst_mgpu_job_set_args (job, kernel, "miffi", weights, plan->n_levels,
      plan->step, sqrt (M_LOG2E / 2) / sigma, shift);
  gst_mgpu_job_launch (job, kernel, 2, global, NULL);
  return TRUE;
}

gboolean
mgpu_bilateral_grid_plan (MgpuBilateral * self, GstMgpuJob * job, guint i,
    const MgpuBilateralPass * pass)
{
  MgpuBilateralGrid *plan = &self->grid[i];
  gdouble space = plan->params.sigma_space;
  gdouble cell = CLAMP (space / (plan->params.method == MGPU_BILATERAL_GRID
          ? 2 : 3), MIN_CELL, MAX_CELL);
  gdouble sigma = plan->params.sigma_color * self->guide_max / 255;

  /* The exact filter weighs the sum of the differences of three channels, while the guide
   * has a single value here: a third of sigma makes up for that. */
  if (!self->is_guided && self->channels == 3)
    sigma /= 3;
  sigma = levels_init (self, plan, sigma);
  return axis_init (self, job, COLUMN_AXIS + i, &plan->x, pass->width, cell,
      space)
      && axis_init (self, job, ROW_AXIS + i, &plan->y, pass->height, cell,
      space)
      && ensure_sums (self, job, plan, i)
      && fill_table (self, job, plan, i, sigma);
}

/* Describes a band: rows of cells that are computed at once, and the rows of pixels that
 * get their values from them. */
typedef struct
{
  gint first, n;                /* first row and number of rows of cells that are filled */
  gint first_read, n_read;      /* first row and number of those that pixels read */
  gint row, n_rows;             /* first row and number of rows of pixels */
} Band;

/* Returns: the first row of pixels that lies at the middle of row i of cells or below it */
static gint
row_of (const MgpuBilateralAxis * axis, gint i)
{
  gint64 n = axis->n - 1, m = axis->cells - 1;

  return i > m ? axis->n : m == 0 ? 0 : (i * n + m - 1) / m;
}

static void
band_init (Band * band, const MgpuBilateralAxis * axis, gint first_read,
    gint n_read)
{
  gint end = MIN (first_read + n_read, axis->cells);
  gint last_read = MIN (end, axis->cells - 1);
  gint last = MIN (last_read + axis->radius, axis->cells - 1);

  band->first_read = first_read;
  band->n_read = last_read + 1 - first_read;
  band->first = MAX (first_read - axis->radius, 0);
  band->n = last + 1 - band->first;
  band->row = row_of (axis, first_read);
  band->n_rows = row_of (axis, end) - band->row;
}

static void
enqueue_fill (MgpuBilateral * self, GstMgpuJob * job, guint i,
    const MgpuBilateralPass * pass, const Band * band)
{
  const MgpuBilateralGrid *plan = &self->grid[i];
  cl_kernel kernel = self->object.kernels[GRID_FILL];

  gst_mgpu_job_set_args (job, kernel, MGPU_PLANE MGPU_BILATERAL_PIXEL
      MGPU_BILATERAL_GUIDE "iimiimmiim", MGPU_READ (job, &pass->in, pass->in),
      MGPU_BILATERAL_PIXEL_OF (&pass->in),
      MGPU_BILATERAL_GUIDE_OF (job, pass), pass->width, pass->height,
      mgpu_slot_read (self, GRID_WEIGHTS + i, job), plan->n_levels,
      get_index_shift (self), mgpu_slot_read (self, COLUMN_AXIS + i, job),
      mgpu_slot_read (self, ROW_AXIS + i, job), plan->x.cells, band->first,
      mgpu_slot_write (self, SUMS + i, job, 0));
  mgpu_launch (job, kernel, plan->x.cells * plan->n_levels, band->n,
      self->object.knobs[LANES], 1, self->group);
}

/* Blurs the sums of a band: along rows from the slot SUMS to the slot BLURRED_SUMS, then
 * along columns back to SUMS. */
static void
enqueue_blur (MgpuBilateral * self, GstMgpuJob * job, guint i,
    const Band * band)
{
  const MgpuBilateralGrid *plan = &self->grid[i];
  const gint *knobs = self->object.knobs;
  gint cell = plan->n_levels * (1 + self->channels);
  gint row = plan->x.cells * cell;
  cl_kernel kernel = self->object.kernels[BLUR_ROWS];

  gst_mgpu_job_set_args (job, kernel, "mmiimii",
      mgpu_slot_read (self, SUMS + i, job),
      mgpu_slot_write (self, BLURRED_SUMS + i, job, 0), cell, plan->x.cells,
      mgpu_slot_read (self, COLUMN_AXIS + i, job), plan->x.taps,
      plan->x.radius);
  mgpu_launch (job, kernel, row, band->n, knobs[LANES], 1, self->group);

  kernel = self->object.kernels[BLUR_COLUMNS];
  gst_mgpu_job_set_args (job, kernel, "mmiiiiimii",
      mgpu_slot_read (self, BLURRED_SUMS + i, job),
      mgpu_slot_write (self, SUMS + i, job, 0), row, plan->y.cells,
      band->first, band->first_read, band->first_read + band->n_read,
      mgpu_slot_read (self, ROW_AXIS + i, job), plan->y.taps, plan->y.radius);
  mgpu_launch (job, kernel, row, band->n_read, knobs[LANES] * knobs[RUN],
      knobs[ROWS], self->group);
}

static void
enqueue_read (MgpuBilateral * self, GstMgpuJob * job, guint i,
    const MgpuBilateralPass * pass, const Band * band)
{
  const MgpuBilateralGrid *plan = &self->grid[i];
  cl_kernel kernel = self->object.kernels[GRID_READ];

  gst_mgpu_job_set_args (job, kernel, "miiiiiiffmm" MGPU_PLANE MGPU_PLANE
      "iii" MGPU_BILATERAL_PIXEL MGPU_BILATERAL_GUIDE,
      mgpu_slot_read (self, SUMS + i, job), plan->n_levels, plan->used_levels,
      plan->x.cells, plan->y.cells, band->first,
      plan->params.method == MGPU_BILATERAL_CONSTANT_TIME, 1 / plan->step,
      (gdouble) self->max, mgpu_slot_read (self, COLUMN_AXIS + i, job),
      mgpu_slot_read (self, ROW_AXIS + i, job),
      MGPU_READ (job, &pass->in, pass->in),
      MGPU_WRITE (job, &pass->out, pass->out),
      band->row, pass->width, pass->copied,
      MGPU_BILATERAL_PIXEL_OF (&pass->in),
      MGPU_BILATERAL_GUIDE_OF (job, pass));
  mgpu_launch (job, kernel, MAX (pass->width, pass->copied), band->n_rows,
      PIXELS_OF (self->object.knobs[LANES]), 1, self->group);
}

void
mgpu_bilateral_grid_enqueue (MgpuBilateral * self, GstMgpuJob * job, guint i,
    const MgpuBilateralPass * pass)
{
  const MgpuBilateralGrid *plan = &self->grid[i];

  for (gint first = 0; first < plan->y.cells; first += plan->n_read) {
    Band band;

    band_init (&band, &plan->y, first, plan->n_read);
    enqueue_fill (self, job, i, pass, &band);
    enqueue_blur (self, job, i, &band);
    enqueue_read (self, job, i, pass, &band);
  }
}
