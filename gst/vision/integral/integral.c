/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "integral.h"

#include <gst/vision/base/kernels.h>
#include <gst/vision/base/scratch.h>

/* As in kernels/integral/tiles.cl */
#define TILE_X 64
#define TILE_Y 32
#define TILE_GROUP 256

/* Rows that are worth a work-item of their own. */
#define MIN_ROWS 16

/* Beyond, a band would add up more columns than it has rows of its own. */
#define MAX_SCAN_BANDS 8

/* Makes the tables: of sums alone, or both. */
typedef struct
{
  cl_kernel carries;            /* NULL with is_cpu */
  cl_kernel tables;
} Kernels;

struct _MgpuIntegral
{
  gboolean is_cpu;
  gsize group;                  /* work-items that make a tile, without is_cpu */
  guint component;
  gint width, height;
  gint sum_bytes;

  gint band_rows;               /* with is_cpu: of the box filter */
  gint n_bands;
  gint n_carries;               /* without: numbers between the two kernels */

  GstMgpuContext *context;
  gchar *options;               /* of all kernels */
  Kernels sums, both;           /* NULL before they are needed, as is box */
  cl_kernel box;
  GstMemory *carries, *carries_of_squares;      /* from the first frame on */
};

/* Builds those that make the tables, unless that was done before. */
static gboolean
ensure_kernels (MgpuIntegral * self, gboolean squares, GError ** error)
{
  Kernels *kernels = squares ? &self->both : &self->sums;
  GstMgpuProgram *program;
  gchar *options;
  gboolean ok;

  if (kernels->tables != NULL)
    return TRUE;
  options = g_strdup_printf ("%s -DSQUARES=%d", self->options, squares);
  program = mgpu_kernels_build (self->context,
      self->is_cpu ? "integral/integral" : "integral/tiles", options, error);
  ok = program != NULL
      && (self->is_cpu || kernels->carries != NULL
      || mgpu_kernels_create (program, "integral_sums", &kernels->carries, error))
      && mgpu_kernels_create (program,
      self->is_cpu ? "integral_bands" : "integral_tiles", &kernels->tables,
      error);
  g_clear_object (&program);
  g_free (options);
  return ok;
}

/* The same for the box filter. */
static gboolean
ensure_box (MgpuIntegral * self, GError ** error)
{
  GstMgpuProgram *program;
  gchar *options;
  gboolean ok;

  if (self->box != NULL)
    return TRUE;
  options = g_strdup_printf ("%s -DBANDS=%d", self->options, self->is_cpu);
  program = mgpu_kernels_build (self->context, "integral/box", options, error);
  ok = program != NULL && mgpu_kernels_create (program, "box_mean", &self->box,
      error);
  g_clear_object (&program);
  g_free (options);
  return ok;
}

MgpuIntegral *
mgpu_integral_new (GstMgpuContext * context, const GstVideoInfo * info,
    guint component, gboolean squares, gboolean box, GError ** error)
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
  if (!self->is_cpu) {
    gint tiles_x = (c.width + TILE_X - 1) / TILE_X;
    gint tiles_y = (c.height + TILE_Y - 1) / TILE_Y;

    self->n_carries = tiles_y * c.width + tiles_x * c.height
        + tiles_x * tiles_y;
  }

  self->context = gst_object_ref (context);
  self->options = g_strdup_printf ("-DBYTES=%d -DPIXEL_STRIDE=%d -DSHIFT=%d "
      "-DSUM_BYTES=%d", c.bytes, c.pixel_stride, c.shift, self->sum_bytes);
  if (!ensure_kernels (self, squares, error)
      || (box && !ensure_box (self, error)))
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

/* Rows of the first band, so that all have about as much to do: as in the
 * kernel. */
static gint
first_rows_of (gint height, gint n_bands)
{
  gint first = height / n_bands, sum;

  do {
    gint rows = ++first;

    sum = 0;
    for (gint i = 0; i < n_bands; i++, rows -= rows / 8)
      sum += rows;
  } while (sum < height);
  return first;
}

static void
enqueue_bands (MgpuIntegral * self, GstMgpuJob * job, const Kernels * kernels,
    cl_mem in, const MgpuComponent * c, cl_mem sum, cl_mem squares)
{
  gsize bands = MIN (self->n_bands, MAX_SCAN_BANDS), one = 1;

  gst_mgpu_job_set_args (job, kernels->tables, "miiiiiimm",
      in, c->offset, c->stride, c->width, c->height, c->position,
      first_rows_of (c->height, bands), sum, squares);
  gst_mgpu_job_launch (job, kernels->tables, 1, &bands, &one);
}

static void
enqueue_tiles (MgpuIntegral * self, GstMgpuJob * job, const Kernels * kernels,
    cl_mem in, const MgpuComponent * c, cl_mem sum, cl_mem squares)
{
  gsize local[2] = { self->group, 1 };
  gsize global[2] = {
    (self->width + TILE_X - 1) / TILE_X * self->group,
    (self->height + TILE_Y - 1) / TILE_Y
  };
  cl_mem carries = mgpu_scratch_write (&self->carries, job,
      (gsize) self->n_carries * self->sum_bytes);
  cl_mem carries_of_squares = carries;

  if (squares != sum)
    carries_of_squares = mgpu_scratch_write (&self->carries_of_squares, job,
        (gsize) self->n_carries * sizeof (guint64));
  gst_mgpu_job_set_args (job, kernels->carries, "miiiimm",
      in, c->offset, c->stride, c->width, c->height, carries,
      carries_of_squares);
  gst_mgpu_job_launch (job, kernels->carries, 2, global, local);
  gst_mgpu_job_set_args (job, kernels->tables, "miiiimmmm",
      in, c->offset, c->stride, c->width, c->height, carries,
      carries_of_squares, sum, squares);
  gst_mgpu_job_launch (job, kernels->tables, 2, global, local);
}

void
mgpu_integral_enqueue (MgpuIntegral * self, GstMgpuJob * job,
    const MgpuImage * in, GstMgpuMemory * sum, GstMgpuMemory * squares)
{
  cl_mem in_mem, sum_mem;
  GError *error = NULL;
  MgpuComponent c;

  if (!ensure_kernels (self, squares != NULL, &error)) {
    gst_mgpu_job_fail (job, error);
    return;
  }
  in_mem = gst_mgpu_job_read (job, in->memory);
  sum_mem = gst_mgpu_job_write (job, sum);
  mgpu_image_get_component (in, self->component, &c);
  /* Where squares are not wanted no kernel touches them. */
  (self->is_cpu ? enqueue_bands : enqueue_tiles) (self, job,
      squares != NULL ? &self->both : &self->sums, in_mem, &c, sum_mem,
      squares != NULL ? gst_mgpu_job_write (job, squares) : sum_mem);
}

void
mgpu_integral_enqueue_box (MgpuIntegral * self, GstMgpuJob * job,
    GstMgpuMemory * sum, guint radius, const MgpuImage * out)
{
  gsize bands = self->n_bands, one = 1;
  gsize samples[2] = { self->width, self->height };
  /* Larger squares cover the frame from everywhere too. */
  gint r = (gint) MIN (radius, (guint) MAX (self->width, self->height));
  GError *error = NULL;
  MgpuComponent c;

  if (!ensure_box (self, &error)) {
    gst_mgpu_job_fail (job, error);
    return;
  }
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
  kernels[0] = self->sums.carries;
  kernels[1] = self->sums.tables;
  kernels[2] = self->both.carries;
  kernels[3] = self->both.tables;
  kernels[4] = self->box;
  mgpu_kernels_release (kernels, G_N_ELEMENTS (kernels));
  g_clear_pointer (&self->carries, gst_memory_unref);
  g_clear_pointer (&self->carries_of_squares, gst_memory_unref);
  g_clear_object (&self->context);
  g_free (self->options);
  g_free (self);
}
