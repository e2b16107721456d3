/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes integral images and box filters. */
#include "integral.h"

#include <kernels/integral/integral-shared.h>

/* Largest number of work-items of a work-group that computes a tile of the integral image */
#define TILE_GROUP 256

/* Largest number of work-items of a work-group that adds up the sums of tiles */
#define CARRY_GROUP 64

/* Smallest number of rows in a band of the image. In the box filter, one work-item computes one
 * band. */
#define MIN_ROWS 16

/* Largest number of bands of rows into which an integral image is divided. The work-item of a
 * band first adds up all rows above the band. With more bands, a work-item would spend most of
 * its time on these rows. */
#define MAX_SCAN_BANDS 8

/* Indices into the array @knobs, which lists the tuning parameters (knobs) of the kernels */
enum
{
  USES_BANDS,
  CARRY_TILES
};

static const MgpuKnob knobs[] = {
  {"BANDS", {1, 0, 0}, "0 1",
      "whether a work-item computes a band of rows; otherwise work-groups "
      "compute tiles"},
  {"CARRIES", {96, 96, 96}, "0 24 48 96 192",
      "limit for the number of tiles in a row plus the number of tiles in a "
      "column, above which a separate kernel adds up the sums of tiles"},
  {NULL}
};

/* Indices into the array @kernels, which lists the OpenCL kernels of integral images. BANDS,
 * TILE_SUMS, CARRIES and TILES each have a second variant at the next index: the first variant
 * computes sums of samples, the second also sums of squared samples. */
enum
{
  BOX,
  BANDS,
  TILE_SUMS = BANDS + 2,
  CARRIES = TILE_SUMS + 2,
  TILES = CARRIES + 2
};

/* Numbers of the sets of kernels. A set is compiled when it is first needed. SET_BANDS and
 * SET_TILES each have a second set with the next number: the first set computes sums of samples,
 * the second also sums of squared samples. */
enum
{
  SET_BOX = 1,
  SET_BANDS,
  SET_TILES = SET_BANDS + 2
};

static const MgpuKernel kernels[] = {
  [BOX] = {"integral/box", "box_mean", SET_BOX},
  [BANDS] = {"integral/integral", "integral_bands", SET_BANDS},
  [BANDS + 1] = {"integral/integral", "integral_bands", SET_BANDS + 1},
  [TILE_SUMS] = {"integral/tiles", "integral_sums", SET_TILES},
  [TILE_SUMS + 1] = {"integral/tiles", "integral_sums", SET_TILES + 1},
  [CARRIES] = {"integral/tiles", "integral_carries", SET_TILES},
  [CARRIES + 1] = {"integral/tiles", "integral_carries", SET_TILES + 1},
  [TILES] = {"integral/tiles", "integral_tiles", SET_TILES},
  [TILES + 1] = {"integral/tiles", "integral_tiles", SET_TILES + 1},
  {NULL}
};

/* Indices of the slots: scratch buffers in device memory, in which kernels leave data for later
 * kernels. For each tile of the integral image, SUMS holds the sum of the samples of each column
 * of the tile, of each row, and of the whole tile. In large frames, a kernel later replaces them
 * by the sums of all samples above the column, left of the row, and above the tile.
 * SUMS_OF_SQUARES holds the same sums for squared samples. */
enum
{
  SUMS,
  SUMS_OF_SQUARES,
  N_SLOTS
};

struct _MgpuIntegral
{
  MgpuObject object;
  guint component;
  MgpuComponent c;              /* memory layout of the color component; stride and offset
                                 * differ from frame to frame */
  gint sum_bytes;               /* size of a number of the integral image, in bytes: 4 or 8 */
  gboolean rounds;              /* whether the box filter rounds to the nearest number; otherwise it
                                 * rounds down */
  gsize group[2];               /* size of the work-groups that compute tiles */
  gint n_bands;                 /* maximum number of bands of rows into which the work is divided;
                                 * each work-item computes one band */
};

/* Arguments that mgpu_integral_new() passes to init(). */
typedef struct
{
  guint component;
  gboolean squares, box, rounds;
} Setup;

/* Returns: the number of the set of kernels that compute the integral image and, if @squares is
 * TRUE, also the integral image of squared samples */
static guint
get_set (MgpuIntegral * self, gboolean squares)
{
  return (self->object.knobs[USES_BANDS] ? SET_BANDS : SET_TILES) + squares;
}

static gboolean
init (gpointer object, gconstpointer params, GError ** error)
{
  MgpuIntegral *self = object;
  const Setup *setup = params;
  MgpuComponent c = mgpu_get_component (&self->object.in, setup->component);
  gint n_items = MAX (self->object.traits->compute_units, 1), band_rows;

  self->component = setup->component;
  self->c = c;
  self->rounds = setup->rounds;
  self->sum_bytes = (guint64) c.width * c.height * c.max <= G_MAXUINT32 ? 4 : 8;
  band_rows = MAX ((c.height + n_items - 1) / n_items, MIN_ROWS);
  self->n_bands = (c.height + band_rows - 1) / band_rows;
  mgpu_group (self->object.context, TILE_GROUP, 1, self->group);
  return mgpu_object_build (self, get_set (self, setup->squares), error)
      && (!setup->box || mgpu_object_build (self, SET_BOX, error));
}

static void
define (gpointer object, guint set, GString * options)
{
  MgpuIntegral *self = object;

  mgpu_define_samples (options, &self->c);
  g_string_append_printf (options, " -DSUM_BYTES=%d -DSQUARES=%d "
      "-DROUNDS=%d -DITEMS=%" G_GSIZE_FORMAT, self->sum_bytes,
      set == SET_BANDS + 1
      || set == SET_TILES + 1, self->rounds, self->group[0]);
}

static const MgpuAlgorithm algorithm = {
  .size = sizeof (MgpuIntegral),
  .knobs = knobs,
  .kernels = kernels,
  .n_slots = N_SLOTS,
  .init = init,
  .define = define
};

MgpuIntegral *
mgpu_integral_new (GstMgpuContext * context, const GstVideoInfo * info,
    guint component, gboolean squares, gboolean box, gboolean rounds,
    GError ** error)
{
  const Setup setup = { component, squares, box, rounds };

  return mgpu_object_new (&algorithm, context, info, NULL, NULL, &setup, error);
}

void
mgpu_integral_get_layout (MgpuIntegral * self, guint * columns, guint * rows,
    guint * sum_bytes)
{
  *columns = self->c.width + 1;
  *rows = self->c.height + 1;
  *sum_bytes = self->sum_bytes;
}

/* Divides @height rows into @n_bands bands, one for each work-item. The work-item of a band
 * first adds up all rows above the band. To give all work-items about the same amount of work,
 * each band has an eighth fewer rows than the band above it. The kernel integral_bands divides
 * the rows in the same way. Returns: the number of rows of the first band */
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
enqueue_bands (MgpuIntegral * self, GstMgpuJob * job, gboolean both,
    const MgpuImage * in, cl_mem sum, cl_mem squares)
{
  MgpuComponent c = mgpu_get_component (&in->info, self->component);
  cl_kernel kernel = self->object.kernels[BANDS + both];
  gint bands = MIN (self->n_bands, MAX_SCAN_BANDS);

  gst_mgpu_job_set_args (job, kernel, MGPU_PLANE "iiiimm",
      MGPU_READ (job, in, c), c.width, c.height, c.position,
      first_rows_of (c.height, bands), sum, squares);
  mgpu_launch_items (job, kernel, bands, 1);
}

static void
enqueue_tiles (MgpuIntegral * self, GstMgpuJob * job, gboolean both,
    const MgpuImage * in, cl_mem sum, cl_mem squares)
{
  MgpuComponent c = mgpu_get_component (&in->info, self->component);
  cl_kernel sums = self->object.kernels[TILE_SUMS + both];
  cl_kernel carry = self->object.kernels[CARRIES + both];
  cl_kernel kernel = self->object.kernels[TILES + both];
  gsize tiles_x = (c.width + TILE_X - 1) / TILE_X;
  gsize tiles_y = (c.height + TILE_Y - 1) / TILE_Y;
  gsize n_carries = tiles_y * c.width + tiles_x * c.height + tiles_x * tiles_y;
  cl_mem carries = mgpu_slot_write (self, SUMS, job,
      n_carries * self->sum_bytes);
  cl_mem carries_of_squares = carries;
  const gsize *local = self->group;
  gsize global[2] = { tiles_x * local[0], tiles_y };
  gboolean is_summed =
      tiles_x + tiles_y >= (gsize) self->object.knobs[CARRY_TILES];
  const gsize line[2] = { MIN (CARRY_GROUP, local[0]), 1 };

  if (both)
    carries_of_squares = mgpu_slot_write (self, SUMS_OF_SQUARES, job,
        n_carries * sizeof (guint64));
  gst_mgpu_job_set_args (job, sums, MGPU_PLANE "iimm",
      MGPU_READ (job, in, c), c.width, c.height, carries, carries_of_squares);
  gst_mgpu_job_launch (job, sums, 2, global, local);
  if (is_summed) {
    gst_mgpu_job_set_args (job, carry, "iiiimm", c.width, c.height,
        (gint) tiles_x, (gint) tiles_y, carries, carries_of_squares);
    mgpu_launch (job, carry, c.width + c.height + tiles_x, both ? 2 : 1, 1, 1,
        line);
  }
  gst_mgpu_job_set_args (job, kernel, MGPU_PLANE "iimmimm",
      MGPU_READ (job, in, c), c.width, c.height, carries, carries_of_squares,
      (gint) is_summed, sum, squares);
  gst_mgpu_job_launch (job, kernel, 2, global, local);
}

void
mgpu_integral_enqueue (MgpuIntegral * self, GstMgpuJob * job,
    const MgpuImage * in, GstMgpuMemory * sum, GstMgpuMemory * squares)
{
  gboolean both = squares != NULL;

  if (!mgpu_object_ensure (self, get_set (self, both), job))
    return;
  /* Without an integral image of squared samples, passes the memory of the integral image twice,
   * because the kernel requires the argument, but does not access it. */
  (self->object.knobs[USES_BANDS] ? enqueue_bands : enqueue_tiles) (self, job,
      both, in, gst_mgpu_job_write (job, sum),
      gst_mgpu_job_write (job, both ? squares : sum));
}

void
mgpu_integral_enqueue_box (MgpuIntegral * self, GstMgpuJob * job,
    GstMgpuMemory * sum, gint columns, gint rows, const MgpuRadii * radii,
    const MgpuPlace * place, const MgpuImage * out)
{
  MgpuComponent c = mgpu_get_component (&out->info, self->component);
  gsize samples[2] = { place->width, place->height };
  /* Limits the radii to the size of the frame: larger radii give the same result, because
   * the box around any sample covers the whole frame. */
  gint x = MIN (radii->x, (guint) columns), y = MIN (radii->y, (guint) rows);
  gint band_rows =
      MAX ((place->height + self->n_bands - 1) / self->n_bands, MIN_ROWS);
  cl_kernel kernel;

  if (!mgpu_object_ensure (self, SET_BOX, job))
    return;
  kernel = self->object.kernels[BOX];
  gst_mgpu_job_set_args (job, kernel, "miiii" MGPU_PLANE "iiiii",
      gst_mgpu_job_read (job, sum), columns, rows, x, y,
      MGPU_WRITE (job, out, c), band_rows, place->x, place->y,
      place->x + place->width, place->y + place->height);
  if (self->object.knobs[USES_BANDS])
    mgpu_launch_items (job, kernel,
        (place->height + band_rows - 1) / band_rows, 1);
  else
    gst_mgpu_job_launch (job, kernel, 2, samples, NULL);
}
