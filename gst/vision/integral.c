/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "integral.h"

#include "kernels.h"

/* As in kernels/integral-tiles.cl */
#define TILE_X 64
#define TILE_Y 32
#define TILE_GROUP 256

/* Rows that are worth a work-item of their own. */
#define MIN_ROWS 16

/* Work-items that add up the columns of a band. */
#define COLUMN_ITEMS 2

/* Makes the tables: of sums alone, or both. */
typedef struct
{
  cl_kernel first, second;
} Kernels;

struct _MgpuIntegral
{
  gboolean is_cpu;
  gsize group;                  /* work-items that make a tile, without is_cpu */
  guint component;
  gint width, height;
  gint sum_bytes;

  gint band_rows;               /* with is_cpu */
  gint n_bands;
  gint n_carries;               /* numbers between the two kernels */

  Kernels sums, both;
  cl_kernel box;
  GstMemory *carries, *carries_of_squares;      /* from the first frame on */
};

static gboolean
create_kernel (GstMgpuProgram * program, const gchar * name,
    cl_kernel * kernel, GError ** error)
{
  *kernel = gst_mgpu_program_create_kernel (program, name, error);
  return *kernel != NULL;
}

/* options: those of all kernels */
static gboolean
kernels_init (Kernels * self, const MgpuIntegral * integral,
    GstMgpuContext * context, const gchar * options, gboolean squares,
    GError ** error)
{
  gchar *all = g_strdup_printf ("%s -DSQUARES=%d", options, squares);
  GstMgpuProgram *program = mgpu_kernels_build (context,
      integral->is_cpu ? "integral" : "integral-tiles", all, error);
  gboolean ok = program != NULL
      && create_kernel (program,
      integral->is_cpu ? "integral_columns" : "integral_sums", &self->first,
      error)
      && create_kernel (program,
      integral->is_cpu ? "integral_bands" : "integral_tiles", &self->second,
      error);

  g_clear_object (&program);
  g_free (all);
  return ok;
}

static gboolean
create_kernels (MgpuIntegral * self, GstMgpuContext * context,
    const MgpuComponent * c, gboolean squares, GError ** error)
{
  gchar *options = g_strdup_printf ("-DBYTES=%d -DPIXEL_STRIDE=%d -DSHIFT=%d "
      "-DMAX=%d -DSUM_BYTES=%d -DBANDS=%d", c->bytes, c->pixel_stride, c->shift,
      c->max, self->sum_bytes, self->is_cpu);
  GstMgpuProgram *program;
  gboolean ok;

  ok = kernels_init (&self->sums, self, context, options, FALSE, error)
      && (!squares
      || kernels_init (&self->both, self, context, options, TRUE, error));
  if (ok) {
    program = mgpu_kernels_build (context, "box", options, error);
    ok = program != NULL
        && create_kernel (program, "box_mean", &self->box, error);
    g_clear_object (&program);
  }
  g_free (options);
  return ok;
}

MgpuIntegral *
mgpu_integral_new (GstMgpuContext * context, const GstVideoInfo * info,
    guint component, gboolean squares, GError ** error)
{
  const GstMgpuTraits *traits = gst_mgpu_context_get_traits (context);
  MgpuIntegral *self = g_new0 (MgpuIntegral, 1);
  MgpuImage image = {.info = *info };
  gint n_items = MAX (traits->compute_units, 1);
  MgpuComponent c;

  mgpu_image_get_component (&image, component, &c);
  self->is_cpu = traits->device_class == GST_MGPU_DEVICE_CLASS_CPU;
  self->group = MIN (TILE_GROUP, traits->max_work_group_size);
  self->component = component;
  self->width = c.width;
  self->height = c.height;
  self->sum_bytes =
      (guint64) c.width * c.height * c.max <= G_MAXUINT32 ? 4 : 8;

  self->band_rows = MAX ((c.height + n_items - 1) / n_items, MIN_ROWS);
  self->n_bands = (c.height + self->band_rows - 1) / self->band_rows;
  if (self->is_cpu) {
    self->n_carries = self->n_bands * c.width;
  } else {
    gint tiles_x = (c.width + TILE_X - 1) / TILE_X;
    gint tiles_y = (c.height + TILE_Y - 1) / TILE_Y;

    self->n_carries = tiles_y * c.width + tiles_x * c.height
        + tiles_x * tiles_y;
  }

  if (!create_kernels (self, context, &c, squares, error))
    g_clear_pointer (&self, mgpu_integral_free);
  return self;
}

void
mgpu_integral_get_layout (MgpuIntegral * self, guint * columns, guint * rows,
    guint * sum_bytes)
{
  *columns = self->width + 1;
  *rows = self->height + 1;
  *sum_bytes = self->sum_bytes;
}

/* Allocates *memory unless that was done before. */
static cl_mem
write_scratch (GstMemory ** memory, GstMgpuJob * job, gsize size)
{
  GError *error = NULL;

  if (*memory == NULL)
    *memory = gst_mgpu_memory_new (job->queue, size, NULL, &error);
  if (*memory == NULL) {
    gst_mgpu_job_fail (job, error);
    return NULL;
  }
  return gst_mgpu_job_write (job, (GstMgpuMemory *) * memory);
}

static void
enqueue_bands (MgpuIntegral * self, GstMgpuJob * job, const Kernels * kernels,
    cl_mem in, const MgpuComponent * c, cl_mem carries,
    cl_mem carries_of_squares, cl_mem sum, cl_mem squares)
{
  gsize columns[2] = { COLUMN_ITEMS, self->n_bands - 1 };
  gsize bands = self->n_bands, one[2] = { 1, 1 };
  gint n_columns = (self->width + COLUMN_ITEMS - 1) / COLUMN_ITEMS;

  /* Nothing comes after the last band. */
  if (self->n_bands > 1) {
    gst_mgpu_job_set_args (job, kernels->first, "miiiiiiimm",
        in, c->offset, c->stride, c->width, c->height, c->position,
        self->band_rows, GST_ROUND_UP_64 (n_columns), carries,
        carries_of_squares);
    gst_mgpu_job_launch (job, kernels->first, 2, columns, one);
  }
  gst_mgpu_job_set_args (job, kernels->second, "miiiiiimmmm",
      in, c->offset, c->stride, c->width, c->height, c->position,
      self->band_rows, carries, carries_of_squares, sum, squares);
  gst_mgpu_job_launch (job, kernels->second, 1, &bands, one);
}

static void
enqueue_tiles (MgpuIntegral * self, GstMgpuJob * job, const Kernels * kernels,
    cl_mem in, const MgpuComponent * c, cl_mem carries,
    cl_mem carries_of_squares, cl_mem sum, cl_mem squares)
{
  gsize local[2] = { self->group, 1 };
  gsize global[2] = {
    (self->width + TILE_X - 1) / TILE_X * self->group,
    (self->height + TILE_Y - 1) / TILE_Y
  };

  gst_mgpu_job_set_args (job, kernels->first, "miiiimm",
      in, c->offset, c->stride, c->width, c->height, carries,
      carries_of_squares);
  gst_mgpu_job_launch (job, kernels->first, 2, global, local);
  gst_mgpu_job_set_args (job, kernels->second, "miiiimmmm",
      in, c->offset, c->stride, c->width, c->height, carries,
      carries_of_squares, sum, squares);
  gst_mgpu_job_launch (job, kernels->second, 2, global, local);
}

void
mgpu_integral_enqueue (MgpuIntegral * self, GstMgpuJob * job,
    const MgpuImage * in, GstMgpuMemory * sum, GstMgpuMemory * squares)
{
  cl_mem carries, carries_of_squares, in_mem, sum_mem, squares_mem;
  MgpuComponent c;

  g_return_if_fail (squares == NULL || self->both.first != NULL);

  in_mem = gst_mgpu_job_read (job, in->memory);
  carries = write_scratch (&self->carries, job,
      (gsize) self->n_carries * self->sum_bytes);
  sum_mem = gst_mgpu_job_write (job, sum);
  carries_of_squares = carries;
  squares_mem = sum_mem;
  if (squares != NULL) {
    carries_of_squares = write_scratch (&self->carries_of_squares, job,
        (gsize) self->n_carries * sizeof (guint64));
    squares_mem = gst_mgpu_job_write (job, squares);
  }

  mgpu_image_get_component (in, self->component, &c);
  (self->is_cpu ? enqueue_bands : enqueue_tiles) (self, job,
      squares != NULL ? &self->both : &self->sums, in_mem, &c, carries,
      carries_of_squares, sum_mem, squares_mem);
}

void
mgpu_integral_enqueue_box (MgpuIntegral * self, GstMgpuJob * job,
    GstMgpuMemory * sum, guint radius, const MgpuImage * out)
{
  gsize bands = self->n_bands, one = 1;
  gsize samples[2] = { self->width, self->height };
  /* Larger squares cover the frame from everywhere too. */
  gint r = (gint) MIN (radius, (guint) MAX (self->width, self->height));
  MgpuComponent c;

  mgpu_image_get_component (out, self->component, &c);
  gst_mgpu_job_set_args (job, self->box, "miiimiii",
      gst_mgpu_job_read (job, sum), c.width, c.height, r,
      gst_mgpu_job_write (job, out->memory), c.offset, c.stride,
      self->band_rows);
  if (self->is_cpu)
    gst_mgpu_job_launch (job, self->box, 1, &bands, &one);
  else
    gst_mgpu_job_launch (job, self->box, 2, samples, NULL);
}

void
mgpu_integral_free (MgpuIntegral * self)
{
  cl_kernel kernels[5];

  if (self == NULL)
    return;
  kernels[0] = self->sums.first;
  kernels[1] = self->sums.second;
  kernels[2] = self->both.first;
  kernels[3] = self->both.second;
  kernels[4] = self->box;
  for (guint i = 0; i < G_N_ELEMENTS (kernels); i++)
    if (kernels[i] != NULL)
      clReleaseKernel (kernels[i]);
  g_clear_pointer (&self->carries, gst_memory_unref);
  g_clear_pointer (&self->carries_of_squares, gst_memory_unref);
  g_free (self);
}
