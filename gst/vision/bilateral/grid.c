/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "private.h"

#include <math.h>

#include <gst/vision/base/kernels.h>

#define MAX_GRID_LEVELS 64

/* Sides of a cell, in samples: below, cells would not be fewer than samples;
 * above, they are so few that nothing is to be gained. */
#define MIN_CELL 2
#define MAX_CELL 32

/* Rows of the table of weights: values of more than 10 bits share them. */
#define MAX_WEIGHT_ROWS 1024

/* The sums of so many bytes of cells are made and read before the next ones:
 * on a CPU they stay in its cache. */
#define CPU_BAND_BYTES (8 << 20)
#define BAND_BYTES (128 << 20)

/* PoCL calls a kernel once for a work-group. */
#define CPU_GROUP 32

/* Rows of cells that a work-item blurs one after the other, on a CPU, and
 * vectors in each: RUN in bilateral-blur.cl. */
#define CPU_ROWS 8
#define CPU_RUN 16

/* Numbers that a work-item computes side by side. */
#define MAX_LANES 16

/* An axis of the frame, divided into cells: see bilateral-grid.cl. */
typedef struct
{
  gint n, cells;
  gint radius;                  /* of the Gaussian, in cells */
  gint taps;                    /* where it begins in memory, in words */
  GstMemory *memory;
} Axis;

/* What is computed once for a method and its parameters. */
typedef struct
{
  MgpuBilateralMethod method;
  gdouble sigma_color, sigma_space;
  gint levels;

  Axis x, y;
  gint used_levels, n_levels;   /* n_levels: with padding */
  gdouble step;                 /* from a level to the next, in steps of the guide */
  gint n_read;                  /* rows of cells that are read at once */
  GstMemory *weights, *sums[2];
} Plan;

struct _MgpuBilateralGrid
{
  gint channels, max;           /* of the samples */
  gint guide_max, index_shift;
  gint own_guide;
  gint lanes;
  gsize band_bytes;
  gboolean is_cpu;

  cl_kernel weights, fill, blur_rows, blur_columns, read;

  Plan luma, chroma;            /* luma: RGB too */
};

typedef struct
{
  const gchar *name;
  cl_kernel *kernel;
} Kernel;

static gboolean
build_kernels (GstMgpuContext * context, const gchar * file,
    const gchar * options, const Kernel * kernels, guint n, GError ** error)
{
  GstMgpuProgram *program = mgpu_kernels_build (context, file, options, error);
  gboolean ok = program != NULL;

  for (guint i = 0; i < n && ok; i++) {
    *kernels[i].kernel =
        gst_mgpu_program_create_kernel (program, kernels[i].name, error);
    ok = *kernels[i].kernel != NULL;
  }
  g_clear_object (&program);
  return ok;
}

static gboolean
create_kernels (MgpuBilateralGrid * self, GstMgpuContext * context,
    gint bytes, gint guide_bytes, gint guide_channels, GError ** error)
{
  const Kernel of_pixels[] = {
    {"bilateral_grid_fill", &self->fill},
    {"bilateral_grid_read", &self->read},
  };
  const Kernel of_cells[] = {
    {"bilateral_grid_weights", &self->weights},
    {"bilateral_grid_blur_rows", &self->blur_rows},
    {"bilateral_grid_blur_columns", &self->blur_columns},
  };
  gchar *lanes = g_strdup_printf ("-DLANES=%d", self->lanes);
  gchar *options = g_strdup_printf ("%s -DBYTES=%d -DCHANNELS=%d "
      "-DGUIDE_BYTES=%d -DGUIDE_CHANNELS=%d", lanes, bytes, self->channels,
      guide_bytes, guide_channels);
  gboolean ok = build_kernels (context, "bilateral/grid", options, of_pixels,
      G_N_ELEMENTS (of_pixels), error)
      && build_kernels (context, "bilateral/blur", lanes, of_cells,
      G_N_ELEMENTS (of_cells), error);

  g_free (options);
  g_free (lanes);
  return ok;
}

MgpuBilateralGrid *
mgpu_bilateral_grid_new (GstMgpuContext * context, const GstVideoInfo * info,
    const GstVideoInfo * guide, GError ** error)
{
  MgpuBilateralGrid *self = g_new0 (MgpuBilateralGrid, 1);
  const GstMgpuTraits *traits = gst_mgpu_context_get_traits (context);
  gint depth = GST_VIDEO_INFO_COMP_DEPTH (info, 0), guide_depth;

  self->own_guide = guide == NULL;
  if (guide == NULL)
    guide = info;
  guide_depth = GST_VIDEO_INFO_COMP_DEPTH (guide, 0);
  self->channels = GST_VIDEO_INFO_IS_RGB (info) ? 3 : 1;
  self->max = (1 << depth) - 1;
  self->guide_max = (1 << guide_depth) - 1;
  while (self->guide_max >> self->index_shift >= MAX_WEIGHT_ROWS)
    self->index_shift++;

  self->is_cpu = traits->device_class == GST_MGPU_DEVICE_CLASS_CPU;
  self->lanes = self->is_cpu ? MAX_LANES : 4;
  self->band_bytes = self->is_cpu ? CPU_BAND_BYTES : BAND_BYTES;
  if (!create_kernels (self, context, depth > 8 ? 2 : 1,
          guide_depth > 8 ? 2 : 1, GST_VIDEO_INFO_IS_RGB (guide) ? 3 : 1,
          error))
    g_clear_pointer (&self, mgpu_bilateral_grid_free);
  return self;
}

static gint
round_up (gint value, gint step)
{
  return (value + step - 1) / step * step;
}

static gint64
floor_div (gint64 a, gint64 b)
{
  return a >= 0 ? a / b : -((b - 1 - a) / b);
}

/* The samples of cell i, the middle of which lies i steps of (n - 1) /
 * (cells - 1) from the first one, and which is as wide as one step. */
static void
append_cell (GArray * words, const Axis * axis, gint i)
{
  gint64 n = axis->n - 1, m = axis->cells - 1;
  gint64 begin = (2 * i - 1) * n, end = (2 * i + 1) * n;
  gint64 first, last;
  gdouble first_part = 1, last_part = 1;

  if (m == 0) {
    first = last = 0;
  } else {
    /* Sample k reaches from k - 1/2 to k + 1/2. */
    first = floor_div (begin + m, 2 * m);
    last = -floor_div (-(end + m), 2 * m) - 1;
    first_part = ((2 * first + 1) * m - begin) / (2.0 * m);
    last_part = (end - (2 * last - 1) * m) / (2.0 * m);
  }
  mgpu_bilateral_append_int (words, first);
  mgpu_bilateral_append_int (words, last);
  mgpu_bilateral_append_float (words, first_part);
  mgpu_bilateral_append_float (words, last_part);
}

/* cell: the longest step from a cell to the next */
static void
axis_init (Axis * axis, GstMgpuJob * job, gint n, gdouble cell, gdouble sigma)
{
  GArray *words = g_array_new (FALSE, FALSE, sizeof (gint32));
  gdouble step, variance;

  axis->n = n;
  axis->cells = (gint) ceil ((n - 1) / cell) + 1;
  /* Filling the cells is a box of one step, and reading between them on average
   * has twice its variance. A single cell is mirrored by itself. */
  step = (n - 1.0) / (axis->cells - 1);
  variance = n > 1 ? sigma * sigma / (step * step) - 0.25 : 0;
  axis->radius = variance > 0 ? ceil (3 * sqrt (variance)) : 0;

  for (gint i = 0; i < axis->cells; i++)
    append_cell (words, axis, i);
  for (gint64 i = 0; i < round_up (n, MAX_LANES); i++) {
    gint64 at = MIN (i, n - 1) * (axis->cells - 1), unit = MAX (n - 1, 1);

    mgpu_bilateral_append_int (words, at / unit);
    mgpu_bilateral_append_float (words, (at % unit) / (gdouble) unit);
  }
  axis->taps = words->len;
  mgpu_bilateral_append_float (words, 1);
  /* Of so few bits that no exp() disagrees. */
  for (gint i = 1; i <= axis->radius; i++)
    mgpu_bilateral_append_float (words,
        rint (65536 * exp (-i * i / (2 * variance))) / 65536);
  axis->memory = mgpu_bilateral_upload (job, words);
  g_array_unref (words);
}

/* sigma: in steps of the guide. Returns the one that the weights get. */
static gdouble
levels_init (MgpuBilateralGrid * self, Plan * plan, gdouble sigma)
{
  gboolean grid = plan->method == MGPU_BILATERAL_GRID;
  gdouble max = self->guide_max;

  plan->used_levels = plan->levels;
  if (grid)
    plan->used_levels = MIN (ceil (2 * max / sigma) + 1, MAX_GRID_LEVELS);
  plan->n_levels = round_up (plan->used_levels, self->lanes);
  plan->step = max / (plan->used_levels - 1);
  return MAX (sigma, grid ? 2 * plan->step : plan->step / 2);
}

static void
plan_clear (Plan * plan)
{
  g_clear_pointer (&plan->x.memory, gst_memory_unref);
  g_clear_pointer (&plan->y.memory, gst_memory_unref);
  g_clear_pointer (&plan->weights, gst_memory_unref);
  for (guint i = 0; i < G_N_ELEMENTS (plan->sums); i++)
    g_clear_pointer (&plan->sums[i], gst_memory_unref);
}

/* FALSE after an error. */
static gboolean
plan_allocate (MgpuBilateralGrid * self, GstMgpuJob * job, Plan * plan,
    gint n_rows)
{
  gsize row = sizeof (gfloat) * plan->x.cells * plan->n_levels
      * (1 + self->channels);
  gint n;

  plan->n_read = MAX ((gint) (self->band_bytes / row) - 2 * plan->y.radius - 1,
      1);
  n = MIN (plan->n_read + 2 * plan->y.radius + 1, plan->y.cells);
  plan->weights = mgpu_bilateral_allocate (job,
      sizeof (gfloat) * n_rows * plan->n_levels);
  for (guint i = 0; i < G_N_ELEMENTS (plan->sums) && plan->weights != NULL; i++)
    plan->sums[i] = mgpu_bilateral_allocate (job, n * row);
  if (plan->x.memory != NULL && plan->y.memory != NULL
      && plan->sums[0] != NULL && plan->sums[1] != NULL)
    return TRUE;
  /* Before the job has seen them. */
  plan_clear (plan);
  return FALSE;
}

/* Makes plan fit the parameters. FALSE after an error. */
static gboolean
plan_update (MgpuBilateralGrid * self, GstMgpuJob * job, Plan * plan,
    const MgpuBilateralParams * params, gdouble sigma_space,
    const MgpuBilateralPass * pass)
{
  gboolean grid = params->method == MGPU_BILATERAL_GRID;
  gint n_rows = (self->guide_max >> self->index_shift) + 1;
  gdouble sigma_color, cell;
  gsize global[2];

  if (plan->weights != NULL && plan->method == params->method
      && plan->sigma_color == params->sigma_color
      && plan->sigma_space == sigma_space
      && (grid || plan->levels == params->levels))
    return TRUE;

  plan_clear (plan);
  plan->method = params->method;
  plan->sigma_color = params->sigma_color;
  plan->sigma_space = sigma_space;
  plan->levels = params->levels;

  cell = CLAMP (sigma_space / (grid ? 2 : 3), MIN_CELL, MAX_CELL);
  axis_init (&plan->x, job, pass->width, cell, sigma_space);
  axis_init (&plan->y, job, pass->height, cell, sigma_space);

  /* The exact filter adds the differences of three channels up. */
  sigma_color = params->sigma_color * self->guide_max / 255;
  if (self->own_guide && self->channels == 3)
    sigma_color /= 3;
  sigma_color = levels_init (self, plan, sigma_color);
  if (!plan_allocate (self, job, plan, n_rows))
    return FALSE;

  global[0] = plan->n_levels / self->lanes;
  global[1] = n_rows;
  gst_mgpu_job_set_args (job, self->weights, "miffi",
      gst_mgpu_job_write (job, (GstMgpuMemory *) plan->weights),
      plan->n_levels, plan->step, sqrt (M_LOG2E / 2) / sigma_color,
      self->index_shift);
  gst_mgpu_job_launch (job, self->weights, 2, global, NULL);
  return TRUE;
}

/* Some rows of cells and the pixels that are read between them. */
typedef struct
{
  gint first, n;                /* rows of cells that are filled */
  gint first_read, n_read;      /* and of those, rows that are read */
  gint row, n_rows;             /* of pixels */
} Band;

/* The first row of pixels that lies at or behind row i of cells. */
static gint
row_of (const Axis * axis, gint i)
{
  gint64 n = axis->n - 1, m = axis->cells - 1;

  return i > m ? axis->n : m == 0 ? 0 : (i * n + m - 1) / m;
}

static void
band_init (Band * band, const Axis * axis, gint first_read, gint n_read)
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

/* In vectors where they are many; PoCL gets groups of one row. */
static void
launch (MgpuBilateralGrid * self, GstMgpuJob * job, cl_kernel kernel,
    gint columns, gint rows)
{
  const gsize local[2] = { CPU_GROUP, 1 };
  gsize global[2] = {
    self->is_cpu ? round_up (columns, CPU_GROUP) : columns, rows
  };

  gst_mgpu_job_launch (job, kernel, 2, global, self->is_cpu ? local : NULL);
}

static cl_mem
read_memory (GstMgpuJob * job, GstMemory * memory)
{
  return gst_mgpu_job_read (job, (GstMgpuMemory *) memory);
}

static void
enqueue_fill (MgpuBilateralGrid * self, GstMgpuJob * job, const Plan * plan,
    const MgpuBilateralPass * pass, const MgpuImage * in, const Band * band)
{
  gst_mgpu_job_set_args (job, self->fill, "mii" MGPU_BILATERAL_PIXEL
      MGPU_BILATERAL_GUIDE "iimiimmiim",
      gst_mgpu_job_read (job, in->memory), pass->in_base, pass->in_stride,
      MGPU_BILATERAL_PIXEL_OF (&pass->pixel),
      MGPU_BILATERAL_GUIDE_OF (job, pass), pass->width, pass->height,
      read_memory (job, plan->weights), plan->n_levels, self->index_shift,
      read_memory (job, plan->x.memory), read_memory (job, plan->y.memory),
      plan->x.cells, band->first,
      gst_mgpu_job_write (job, (GstMgpuMemory *) plan->sums[0]));
  launch (self, job, self->fill,
      plan->x.cells * (plan->n_levels / self->lanes), band->n);
}

/* From sums[0] to sums[1] and back. */
static void
enqueue_blur (MgpuBilateralGrid * self, GstMgpuJob * job, const Plan * plan,
    const Band * band)
{
  gint cell = plan->n_levels * (1 + self->channels);
  gint row = plan->x.cells * cell, n_rows = self->is_cpu ? CPU_ROWS : 1;
  gint run = self->is_cpu ? CPU_RUN : 1;

  gst_mgpu_job_set_args (job, self->blur_rows, "mmiimii",
      read_memory (job, plan->sums[0]),
      gst_mgpu_job_write (job, (GstMgpuMemory *) plan->sums[1]),
      cell, plan->x.cells, read_memory (job, plan->x.memory), plan->x.taps,
      plan->x.radius);
  launch (self, job, self->blur_rows, row / self->lanes, band->n);

  gst_mgpu_job_set_args (job, self->blur_columns, "mmiiiiiimii",
      read_memory (job, plan->sums[1]),
      gst_mgpu_job_write (job, (GstMgpuMemory *) plan->sums[0]),
      row, plan->y.cells, band->first, band->first_read,
      band->first_read + band->n_read, n_rows,
      read_memory (job, plan->y.memory), plan->y.taps, plan->y.radius);
  launch (self, job, self->blur_columns, (row / self->lanes + run - 1) / run,
      (band->n_read + n_rows - 1) / n_rows);
}

static void
enqueue_read (MgpuBilateralGrid * self, GstMgpuJob * job, const Plan * plan,
    const MgpuBilateralPass * pass, const MgpuImage * in,
    const MgpuImage * out, const Band * band)
{
  gint pixels = self->is_cpu ? MAX_LANES : 1;
  gint columns = MAX (pass->width, pass->copied);

  gst_mgpu_job_set_args (job, self->read, "miiiiiiffmmmiimiiiii"
      MGPU_BILATERAL_PIXEL MGPU_BILATERAL_GUIDE,
      read_memory (job, plan->sums[0]), plan->n_levels, plan->used_levels,
      plan->x.cells, plan->y.cells, band->first,
      plan->method == MGPU_BILATERAL_CONSTANT_TIME, 1 / plan->step,
      (gdouble) self->max, read_memory (job, plan->x.memory),
      read_memory (job, plan->y.memory),
      gst_mgpu_job_read (job, in->memory), pass->in_base, pass->in_stride,
      gst_mgpu_job_write (job, out->memory), pass->out_base, pass->out_stride,
      band->row, pass->width, pass->copied,
      MGPU_BILATERAL_PIXEL_OF (&pass->pixel),
      MGPU_BILATERAL_GUIDE_OF (job, pass));
  launch (self, job, self->read, (columns + pixels - 1) / pixels, band->n_rows);
}

void
mgpu_bilateral_grid_enqueue (MgpuBilateralGrid * self, GstMgpuJob * job,
    const MgpuBilateralParams * params, gdouble sigma_space,
    const MgpuBilateralPass * pass, const MgpuImage * in,
    const MgpuImage * out)
{
  Plan *plan = pass->chroma ? &self->chroma : &self->luma;

  if (!plan_update (self, job, plan, params, sigma_space, pass))
    return;
  for (gint i = 0; i < plan->y.cells; i += plan->n_read) {
    Band band;

    band_init (&band, &plan->y, i, plan->n_read);
    enqueue_fill (self, job, plan, pass, in, &band);
    enqueue_blur (self, job, plan, &band);
    enqueue_read (self, job, plan, pass, in, out, &band);
  }
}

static void
release_kernel (cl_kernel kernel)
{
  if (kernel != NULL)
    clReleaseKernel (kernel);
}

void
mgpu_bilateral_grid_free (MgpuBilateralGrid * self)
{
  if (self == NULL)
    return;
  release_kernel (self->weights);
  release_kernel (self->fill);
  release_kernel (self->blur_rows);
  release_kernel (self->blur_columns);
  release_kernel (self->read);
  plan_clear (&self->luma);
  plan_clear (&self->chroma);
  g_free (self);
}
