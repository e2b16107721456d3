/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes the bilateral filter by the methods grid and constant-time. Their cost does not grow
 * with sigma_space. */
#include "bilateral-private.h"

#include <math.h>

#include <kernels/bilateral/bilateral-shared.h>

/* Largest number of levels into which a bilateral grid divides the range of guide values */
#define MAX_GRID_LEVELS 64

/* Limits of the side of a cell of the bilateral grid, in samples. With smaller cells, the grid
 * would have about as many cells as the frame has samples; larger cells save no more time. */
#define MIN_CELL 2
#define MAX_CELL 32

/* Largest number of rows in the grid's table of weights. Each value of the guide image has a
 * row. If the values have more than 10 bits, neighboring values share a row. */
#define MAX_WEIGHT_ROWS 1024

static gint64
floor_div (gint64 a, gint64 b)
{
  return a >= 0 ? a / b : -((b - 1 - a) / b);
}

/* Appends a description of cell @i of an axis to the table @words: the first and the last
 * sample that the cell covers, and the fraction of each of these two samples that lies in the
 * cell. Cells are (axis->n - 1) / (axis->cells - 1) samples wide. The distance from the center
 * of the first sample to the center of cell @i is @i times this width. */
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
    /* Finds the samples that overlap the cell. Sample k extends from k - 1/2 to k + 1/2. */
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

/* Divides an axis of the frame into cells of the bilateral grid, and chooses the Gaussian that
 * blurs the cells.
 * @n: number of samples along the axis.
 * @cell: maximum distance between the centers of neighboring cells, in samples.
 * @sigma: standard deviation of the spatial Gaussian, in samples.
 * Returns: the variance of the Gaussian that blurs the cells, in cells; 0 or less if cells need
 * no blur */
static gdouble
divide (MgpuBilateralAxis * axis, gint n, gdouble cell, gdouble sigma)
{
  gdouble step, variance;

  axis->n = n;
  axis->cells = (gint) ceil ((n - 1) / cell) + 1;
  /* Subtracts the blur that exists without the Gaussian. Filling the cells blurs like a box
   * filter as wide as a cell, with a variance of 1/12. Interpolating between cells adds 2/12 on
   * average. An axis with a single sample has a single cell and needs no blur. */
  step = (n - 1.0) / (axis->cells - 1);
  variance = n > 1 ? sigma * sigma / (step * step) - 0.25 : 0;
  axis->radius = variance > 0 ? ceil (3 * sqrt (variance)) : 0;
  return variance;
}

/* Returns: the index of the last cell whose center is at or before sample @i */
static gint
cell_at (const MgpuBilateralAxis * axis, gint i)
{
  return (gint64) i *(axis->cells - 1) / MAX (axis->n - 1, 1);
}

/* Divides an axis of the frame into cells of the bilateral grid; see divide() for the
 * parameters. Writes a table of the cells, which kernels read, to the scratch buffer @slot.
 * Returns: FALSE after an error, which is in @job */
static gboolean
axis_init (MgpuBilateral * self, GstMgpuJob * job, guint slot,
    MgpuBilateralAxis * axis, gint n, gdouble cell, gdouble sigma)
{
  g_autoptr (GArray) words = mgpu_words_new ();
  gdouble variance = divide (axis, n, cell, sigma);
  gboolean ok;

  for (gint i = 0; i < axis->cells; i++)
    append_cell (words, axis, i);
  /* Adds entries beyond the last sample. Kernels read them with vectors that begin at the last
   * samples of a part of a frame. */
  for (gint64 i = 0; i < GST_ROUND_UP_N (n, AXIS_STEP) + AXIS_STEP; i++) {
    gint64 at = MIN (i, n - 1) * (axis->cells - 1), unit = MAX (n - 1, 1);

    mgpu_words_add (words, at / unit);
    mgpu_words_add_float (words, (at % unit) / (gdouble) unit);
  }
  axis->taps = words->len;
  mgpu_words_add_float (words, 1);
  /* Rounds the weights of the Gaussian to 16 fraction bits, so that every implementation of exp()
   * then gives the same weights. */
  for (gint i = 1; i <= axis->radius; i++)
    mgpu_words_add_float (words,
        rint (65536 * exp (-i * i / (2 * variance))) / 65536);
  ok = mgpu_slot_set_words (self, slot, job, words);
  return ok;
}

/* Returns: the number of bits by which a value of the guide image is shifted right to get its
 * row in the table of weights */
static gint
get_index_shift (MgpuBilateral * self)
{
  gint shift = 0;

  while (self->guide_max >> shift >= MAX_WEIGHT_ROWS)
    shift++;
  return shift;
}

/* Chooses the number of levels into which the range of guide values is divided, and the
 * distance between them. @sigma is the range sigma in units of guide values.
 * Returns: the sigma for the table of range weights. It is larger than @sigma if the levels
 * would be too far apart for @sigma */
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

/* Chooses how many rows of the grid's cells are computed at once. Allocates memory for the sums
 * of these cells. */
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

/* Enqueues the kernel that fills the grid's table of range weights, in the scratch buffer
 * GRID_WEIGHTS + @i. @sigma is the range sigma in units of guide values. */
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

/* Returns: the largest allowed side of a cell along an axis, in samples. @sigma is the spatial
 * sigma along this axis, in samples */
static gdouble
cell_of (const MgpuBilateralParams * params, gdouble sigma)
{
  return CLAMP (sigma / (params->method == MGPU_BILATERAL_GRID ? 2 : 3),
      MIN_CELL, MAX_CELL);
}

gint
mgpu_bilateral_grid_get_reach (const MgpuBilateralParams * params, gint n,
    gdouble sigma)
{
  MgpuBilateralAxis axis;

  divide (&axis, n, cell_of (params, sigma), sigma);
  /* Adds up three distances, in cells: from the output sample to the cells that it reads (less
   * than 1), from such a cell to the cells that the Gaussian reads (the radius), and from the
   * center of a cell to the input samples in it (1/2). Their sum is the maximum distance
   * between an output sample and the input samples on which it depends. */
  return MIN (ceil ((axis.radius + 1.5) * axis.n / MAX (axis.cells - 1, 1)) + 1,
      n);
}

gboolean
mgpu_bilateral_grid_plan (MgpuBilateral * self, GstMgpuJob * job, guint i,
    const MgpuBilateralPass * pass)
{
  MgpuBilateralGrid *plan = &self->grid[i];
  gdouble space = plan->params.sigma_space;
  gdouble space_y = space * pass->aspect;
  gdouble sigma = plan->params.sigma_color * self->guide_max / 255;

  /* Divides the range sigma of RGB frames by 3. The exact filter weights the sum of the
   * differences of three channels; the grid has a single guide value for each pixel. */
  if (!self->is_guided && self->channels == 3)
    sigma /= 3;
  sigma = levels_init (self, plan, sigma);
  return axis_init (self, job, COLUMN_AXIS + i, &plan->x, pass->whole.width,
      cell_of (&plan->params, space), space)
      && axis_init (self, job, ROW_AXIS + i, &plan->y, pass->whole.height,
      cell_of (&plan->params, space_y), space_y)
      && ensure_sums (self, job, plan, i)
      && fill_table (self, job, plan, i, sigma);
}

/* A range of cells along an axis of the grid.
 * @first, @n: index of the first cell that is filled with sums of samples, and number of these
 * cells.
 * @first_read, @n_read: index of the first cell that output pixels read, and number of these
 * cells. */
typedef struct
{
  gint first, n;
  gint first_read, n_read;
} Cells;

/* A band of the grid: the cells that are computed at once, and the output rows that are
 * interpolated from them. @row is the index of the first of these rows in the frame, @n_rows
 * their number. */
typedef struct
{
  Cells columns, rows;
  gint row, n_rows;
} Band;

/* Returns: the index of the first row of pixels at or below the center of cell row @i */
static gint
row_of (const MgpuBilateralAxis * axis, gint i)
{
  gint64 n = axis->n - 1, m = axis->cells - 1;

  return i > m ? axis->n : m == 0 ? 0 : (i * n + m - 1) / m;
}

/* Computes the range of cells that the pixels between the centers of cells @first and @end read
 * (without the pixel at the center of @end), and the wider range of cells that the blur reads to
 * compute these cells. Writes both ranges to @cells. */
static void
cells_init (Cells * cells, const MgpuBilateralAxis * axis, gint first, gint end)
{
  gint last_read = MIN (end, axis->cells - 1);
  gint last = MIN (last_read + axis->radius, axis->cells - 1);

  cells->first_read = first;
  cells->n_read = last_read + 1 - first;
  cells->first = MAX (first - axis->radius, 0);
  cells->n = last + 1 - cells->first;
}

/* Initializes @band, a band of the bilateral grid, for the pixels that read the rows of cells
 * @first to @end - 1. */
static void
band_init (Band * band, const MgpuBilateralGrid * plan,
    const MgpuBilateralPass * pass, gint first, gint end)
{
  const MgpuPlace *place = &pass->place;

  cells_init (&band->columns, &plan->x, cell_at (&plan->x, place->x),
      cell_at (&plan->x, place->x + place->width - 1) + 1);
  cells_init (&band->rows, &plan->y, first, end);
  band->row = MAX (row_of (&plan->y, first), place->y);
  band->n_rows = MIN (row_of (&plan->y, end), place->y + place->height)
      - band->row;
}

static void
enqueue_fill (MgpuBilateral * self, GstMgpuJob * job, guint i,
    const MgpuBilateralPass * pass, const Band * band)
{
  const MgpuBilateralGrid *plan = &self->grid[i];
  cl_kernel kernel = self->object.kernels[GRID_FILL];

  gst_mgpu_job_set_args (job, kernel, MGPU_PLANE MGPU_BILATERAL_PIXEL
      MGPU_BILATERAL_GUIDE "iiiimiimmiiim", MGPU_READ (job, &pass->in,
          pass->in), MGPU_BILATERAL_PIXEL_OF (&pass->in),
      MGPU_BILATERAL_GUIDE_OF (job, pass), pass->place.x, pass->place.y,
      pass->whole.width, pass->whole.height,
      mgpu_slot_read (self, GRID_WEIGHTS + i, job), plan->n_levels,
      get_index_shift (self), mgpu_slot_read (self, COLUMN_AXIS + i, job),
      mgpu_slot_read (self, ROW_AXIS + i, job), band->columns.first,
      band->columns.n, band->rows.first,
      mgpu_slot_write (self, SUMS + i, job, 0));
  mgpu_launch (job, kernel, band->columns.n * plan->n_levels, band->rows.n,
      self->object.knobs[LANES], 1, self->group);
}

/* Enqueues the kernels that blur the sums of the cells in a band of the grid. The first blurs
 * along rows, from the scratch buffer SUMS to the scratch buffer BLURRED_SUMS; the second blurs
 * along columns, back to SUMS. */
static void
enqueue_blur (MgpuBilateral * self, GstMgpuJob * job, guint i,
    const Band * band)
{
  const MgpuBilateralGrid *plan = &self->grid[i];
  const Cells *columns = &band->columns, *rows = &band->rows;
  const gint *knobs = self->object.knobs;
  gint cell = plan->n_levels * (1 + self->channels);
  gint begin = (columns->first_read - columns->first) * cell;
  gint size = columns->n_read * cell;
  cl_kernel kernel = self->object.kernels[BLUR_ROWS];

  gst_mgpu_job_set_args (job, kernel, "mmiiiiiimii",
      mgpu_slot_read (self, SUMS + i, job),
      mgpu_slot_write (self, BLURRED_SUMS + i, job, 0), cell, plan->x.cells,
      columns->first, columns->n, columns->first_read, columns->n_read,
      mgpu_slot_read (self, COLUMN_AXIS + i, job), plan->x.taps,
      plan->x.radius);
  mgpu_launch (job, kernel, size, rows->n, knobs[LANES], 1, self->group);

  kernel = self->object.kernels[BLUR_COLUMNS];
  gst_mgpu_job_set_args (job, kernel, "mmiiiiiiimii",
      mgpu_slot_read (self, BLURRED_SUMS + i, job),
      mgpu_slot_write (self, SUMS + i, job, 0), columns->n * cell, begin,
      begin + size, plan->y.cells, rows->first, rows->first_read,
      rows->first_read + rows->n_read,
      mgpu_slot_read (self, ROW_AXIS + i, job), plan->y.taps, plan->y.radius);
  mgpu_launch (job, kernel, size, rows->n_read, knobs[LANES] * knobs[RUN],
      knobs[ROWS], self->group);
}

static void
enqueue_read (MgpuBilateral * self, GstMgpuJob * job, guint i,
    const MgpuBilateralPass * pass, const Band * band)
{
  const MgpuBilateralGrid *plan = &self->grid[i];
  const MgpuPlace *place = &pass->place;
  cl_kernel kernel = self->object.kernels[GRID_READ];

  gst_mgpu_job_set_args (job, kernel, "miiiiiiiifiimm" MGPU_PLANE MGPU_PLANE
      "iiiii" MGPU_BILATERAL_PIXEL MGPU_BILATERAL_GUIDE,
      mgpu_slot_read (self, SUMS + i, job), plan->n_levels, plan->used_levels,
      plan->x.cells, plan->y.cells, band->columns.first, band->columns.n,
      band->rows.first, plan->params.method == MGPU_BILATERAL_CONSTANT_TIME,
      1 / plan->step, pass->lo, pass->hi,
      mgpu_slot_read (self, COLUMN_AXIS + i, job),
      mgpu_slot_read (self, ROW_AXIS + i, job),
      MGPU_READ (job, &pass->in, pass->in),
      MGPU_WRITE (job, &pass->out, pass->out), place->x, place->y,
      band->row - place->y, place->width, pass->copied,
      MGPU_BILATERAL_PIXEL_OF (&pass->in), MGPU_BILATERAL_GUIDE_OF (job, pass));
  mgpu_launch (job, kernel, MAX (place->width, pass->copied), band->n_rows,
      PIXELS_OF (self->object.knobs[LANES]), 1, self->group);
}

void
mgpu_bilateral_grid_enqueue (MgpuBilateral * self, GstMgpuJob * job, guint i,
    const MgpuBilateralPass * pass)
{
  const MgpuBilateralGrid *plan = &self->grid[i];
  const MgpuPlace *place = &pass->place;
  gint end = cell_at (&plan->y, place->y + place->height - 1) + 1;

  for (gint first = cell_at (&plan->y, place->y); first < end;
      first += plan->n_read) {
    Band band;

    band_init (&band, plan, pass, first, MIN (first + plan->n_read, end));
    enqueue_fill (self, job, i, pass, &band);
    enqueue_blur (self, job, i, &band);
    enqueue_read (self, job, i, pass, &band);
  }
}
