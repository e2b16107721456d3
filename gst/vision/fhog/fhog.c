/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes pyramids of HOG features of frames. */
#include "fhog-private.h"

#include <kernels/fhog/fhog-shared.h>

#define MIN_CLASSES 8           /* minimum number of classes in which the columns of a row are
                                 * stored: class = column modulo number of classes */

/* The tuning parameters of the kernels. The default values for CPUs keep data in their caches,
 * those for GPUs result in many work-items, and those for phones need little memory. */
static const MgpuKnob knobs[] = {
  {"LANES", {16, 1, 1}, NULL,
      "number of neighboring cells of a row that a work-item computes"},
  {"GROUP", {1, 64, 32}, "1 16 32 64 128",
      "number of work-items in a work-group"},
  {"COLUMNS", {1, 64, 32}, "1 16 32 64 128",
      "number of work-items that together scale one class of columns of a "
      "row"},
  {"CLASSES", {1, 8, 8}, "1 2 4 8",
      "number of work-items among which the classes of columns of a row are "
      "divided"},
  {"STRIP", {32, 0, 0}, "0 8 16 32 64",
      "number of rows that one work-item scales, if LANES is 16 (0 = several "
      "work-items scale a row)"},
  {"BINS", {18, 6, 6}, "3 6 9 18",
      "number of bins of a histogram that a work-item fills"},
  {"ROWS", {8, 2, 4}, "1 2 4 8 16",
      "number of rows of cells that a work-item computes"},
  {"BATCH", {0, 1 << 25, 0}, "0 2097152 8388608 33554432",
      "number of samples of scaled frames that are processed at once; at least "
      "one scaled frame is processed"},
  {NULL}
};

/* Indices into the array @kernels of the OpenCL kernels. Starting at CELLS, each size of HOG
 * cells has N_OF_CELLS kernels. */
enum
{
  STRIPS,
  SCALE_ROWS,
  SCALE_COLUMNS,
  FIND_GRADIENTS,
  CELLS
};

/* Indices of the kernels for one size of HOG cells, relative to the first of these kernels */
enum
{
  MAKE_TILES,
  MAKE_ENERGIES,
  MAKE_FEATURES,
  PAD,
  N_OF_CELLS
};

/* Numbers of the sets of kernels. SET_STRIP is compiled if the tuning parameter STRIP is set,
 * otherwise SET_SCALE. Starting at SET_CELLS, there is a set for each cell size; it is compiled
 * if a pyramid level has cells of this size. */
enum
{
  SET_STRIP = 1,
  SET_SCALE,
  SET_CELLS
};

#define KERNELS_OF_CELLS(size) \
  {"fhog/cells", "fhog_tiles", SET_CELLS + size}, \
  {"fhog/cells", "fhog_energies", SET_CELLS + size}, \
  {"fhog/cells", "fhog_features", SET_CELLS + size}, \
  {"fhog/cells", "fhog_padding", SET_CELLS + size}

static const MgpuKernel kernels[] = {
  [STRIPS] = {"fhog/strip", "fhog_strips", SET_STRIP},
  [SCALE_ROWS] = {"fhog/scale", "fhog_rows", SET_SCALE},
  [SCALE_COLUMNS] = {"fhog/scale", "fhog_columns", SET_SCALE},
  [FIND_GRADIENTS] = {"fhog/scale", "fhog_gradients", SET_SCALE},
  [CELLS] = KERNELS_OF_CELLS (0),
  KERNELS_OF_CELLS (1),
  KERNELS_OF_CELLS (2),
  {NULL}
};

/* Indices of the slots: scratch buffers in device memory, in which kernels leave data for later
 * kernels. They hold: the plan (tables); lists of what to compute; pictures (scaled frames)
 * from which smaller pictures are computed; samples scaled along one axis; and, for a batch of
 * pictures, planes, gradients, histogram sums and energies. */
enum
{
  SLOT_PLAN,
  SLOT_LISTS,
  SLOT_SAMPLES,
  SLOT_TALL,
  SLOT_PLANES,
  SLOT_GRADIENTS,
  SLOT_SUMS,
  SLOT_ENERGIES,
  N_SLOTS
};

/* ---- Making the object ------------------------------------------------------ */

static gboolean
check_params (const MgpuFhogParams * params, GError ** error)
{
  if ((params->cell_size == 8 || params->cell_size == 16
          || (params->cell_size == 4 && !params->extra_octave))
      && !(params->extra_octave && params->whole_cells)
      && params->interval >= 1 && params->interval <= MGPU_FHOG_MAX_INTERVAL
      && params->max_levels >= 0
      && params->pad_x >= 0 && params->pad_x <= MGPU_FHOG_MAX_PADDING
      && params->pad_y >= 0 && params->pad_y <= MGPU_FHOG_MAX_PADDING)
    return TRUE;
  g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_FAILED,
      "models with cells of %d pixels, %d levels per octave%s and padding of %d x %d "
      "cells are not supported: use models with cells of 8 pixels, or without an "
      "extra octave", params->cell_size, params->interval,
      params->extra_octave ? ", an extra octave" : "", params->pad_x,
      params->pad_y);
  return FALSE;
}

/* Builds the kernels that scale frames, and the kernels for the sizes of HOG cells that pyramid
 * levels have. Some sizes may be missing, because all levels of a pyramid with few levels may have
 * small cells. */
static gboolean
build_kernels (MgpuFhog * self, GError ** error)
{
  gboolean ok = mgpu_object_build (self,
      self->object.knobs[STRIP] > 0 ? SET_STRIP : SET_SCALE, error);

  for (guint i = 0; i < self->levels->len && ok; i++) {
    guint picture;

    ok = mgpu_object_build (self, SET_CELLS + mgpu_fhog_find_size (self, i,
            &picture), error);
  }
  return ok;
}

static void
define (gpointer object, guint set, GString * options)
{
  MgpuFhog *self = object;

  g_string_append_printf (options, " -DCLASSES_OF_ROW=%d", self->classes);
  if (set >= SET_CELLS)
    g_string_append_printf (options, " -DCELL=%d -DFEATURES=%u",
        self->params.cell_size >> (set - SET_CELLS),
        mgpu_fhog_count_features (self->params.kind));
}

static gboolean
init (gpointer object, gconstpointer data, GError ** error)
{
  MgpuFhog *self = object;
  const MgpuFhogParams *params = data;

  self->params = *params;
  self->width = GST_VIDEO_INFO_WIDTH (&self->object.in);
  self->height = GST_VIDEO_INFO_HEIGHT (&self->object.in);
  self->classes = MAX (MIN_CLASSES, params->cell_size);
  self->n_sizes = params->whole_cells ? 1 : params->extra_octave ? 3 : 2;
  self->n_small = (self->n_sizes - 1) * params->interval;
  self->pictures = g_array_new (FALSE, FALSE, sizeof (Picture));
  self->levels = g_array_new (FALSE, FALSE, sizeof (MgpuFhogLevel));
  self->words = mgpu_words_new ();
  self->lists = mgpu_words_new ();
  self->parts = g_array_new (FALSE, FALSE, sizeof (Rows));
  self->batches = g_array_new (FALSE, FALSE, sizeof (Batch));
  if (self->object.knobs[LANES] == 1)
    self->object.knobs[STRIP] = 0;
  if (!check_params (params, error) || !mgpu_fhog_plan (self, error))
    return FALSE;
  mgpu_fhog_plan_parts (self, NULL);
  return self->levels->len == 0 || (mgpu_rgbx_init (&self->rgbx,
          self->object.context, &self->object.in, error)
      && build_kernels (self, error));
}

static void
clear (gpointer object)
{
  MgpuFhog *self = object;
  GArray *arrays[] = { self->pictures, self->levels, self->words, self->lists,
    self->parts, self->batches
  };

  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    g_array_unref (arrays[i]);
  g_free (self->wanted);
  mgpu_rgbx_clear (&self->rgbx);
}

static const MgpuAlgorithm fhog = {
  .size = sizeof (MgpuFhog),
  .knobs = knobs,
  .kernels = kernels,
  .n_slots = N_SLOTS,
  .init = init,
  .define = define,
  .clear = clear
};

MgpuFhog *
mgpu_fhog_new (GstMgpuContext * context, const GstVideoInfo * info,
    const MgpuFhogParams * params, GError ** error)
{
  return mgpu_object_new (&fhog, context, info, NULL, NULL, params, error);
}

guint
mgpu_fhog_get_levels (MgpuFhog * self, const MgpuFhogLevel ** levels)
{
  *levels = (const MgpuFhogLevel *) self->levels->data;
  return self->levels->len;
}

gsize
mgpu_fhog_get_size (MgpuFhog * self)
{
  const MgpuFhogLevel *l;

  if (self->levels->len == 0)
    return sizeof (gfloat);
  l = &g_array_index (self->levels, MgpuFhogLevel, self->levels->len - 1);
  return ((gsize) l->offset + (gsize) l->columns * l->rows)
      * mgpu_fhog_count_features (self->params.kind) * sizeof (gfloat);
}

void
mgpu_fhog_set_parts (MgpuFhog * self, const MgpuPart * parts)
{
  if (mgpu_fhog_plan_parts (self, parts))
    self->has_lists = FALSE;
}

/* ---- Work on a frame --------------------------------------------------------- */

/* The arguments shared by the functions that enqueue the kernels for one frame. */
typedef struct
{
  GstMgpuJob *job;
  const MgpuImage *in;
  cl_mem plan, lists, out;
} Frame;

/* Launches a kernel with COLUMNS work-items for each row in the list @rows; if @classes is not
 * 0, with COLUMNS x @classes work-items for each row. COLUMNS is a tuning parameter. */
static void
launch_samples (MgpuFhog * self, GstMgpuJob * job, cl_kernel kernel,
    const Rows * rows, gint classes)
{
  gint columns = self->object.knobs[COLUMNS];
  gsize local[3] = { columns, 1, 1 };
  gsize global[3] = { columns, classes > 0 ? (gsize) classes : rows->n,
    rows->n
  };

  if (rows->n > 0)
    gst_mgpu_job_launch (job, kernel, classes > 0 ? 3 : 2, global, local);
}

/* Enqueues the kernels that compute the rows in the list @rows of the pictures (scaled frames).
 * If the tuning parameter STRIP is above 0, the kernels also compute the gradients of these
 * pictures. */
static void
enqueue_part (MgpuFhog * self, const Frame * f, cl_mem planes,
    cl_mem gradients, const Rows * rows)
{
  GstMgpuJob *job = f->job;
  cl_mem frame = gst_mgpu_job_read (job, f->in->memory);
  cl_kernel *kernels = self->object.kernels;
  cl_mem samples = mgpu_slot_write (self, SLOT_SAMPLES, job,
      MAX (self->n_samples, 1) * 8);
  cl_mem tall = mgpu_slot_write (self, SLOT_TALL, job, self->n_tall * 8);
  MgpuComponent c[3];
  gint offset;

  for (guint i = 0; i < 3; i++)
    c[i] = mgpu_get_component (&f->in->info, i);
  offset = c[0].offset - c[0].position;
  if (self->object.knobs[STRIP] > 0) {
    gst_mgpu_job_set_args (job, kernels[STRIPS], "miimmiiiimmimim", frame,
        offset, c[0].stride, f->plan, f->lists, rows->begin, c[0].position,
        c[1].position, c[2].position, samples, tall, self->own_rows, planes,
        self->own_planes, gradients);
    launch_samples (self, job, kernels[STRIPS], rows, 0);
    return;
  }
  gst_mgpu_job_set_args (job, kernels[SCALE_ROWS], "miimmimm", frame, offset,
      c[0].stride, f->plan, f->lists, rows->begin, samples, tall);
  launch_samples (self, job, kernels[SCALE_ROWS], rows, 0);
  gst_mgpu_job_set_args (job, kernels[SCALE_COLUMNS], "mmmiiiimm", tall,
      f->plan, f->lists, rows->begin, c[0].position, c[1].position,
      c[2].position, samples, planes);
  launch_samples (self, job, kernels[SCALE_COLUMNS], rows,
      self->object.knobs[CLASSES]);
}

/* Launches a kernel that computes the cells of one size in the list @rows. There are @n
 * work-items for each group of adjacent cells. */
static void
launch_cells (MgpuFhog * self, GstMgpuJob * job, cl_kernel kernel,
    const Rows * rows, gint n)
{
  const gint *knobs = self->object.knobs;

  if (rows->n > 0)
    mgpu_launch_rows (job, kernel, n, rows->columns, rows->n, knobs[LANES],
        knobs[GROUP]);
}

static void
enqueue_cells (MgpuFhog * self, const Frame * f, const Batch * batch,
    guint size, cl_mem gradients)
{
  GstMgpuJob *job = f->job;
  cl_kernel *kernels = self->object.kernels + CELLS + N_OF_CELLS * size;
  cl_mem sums = mgpu_slot_write (self, SLOT_SUMS, job, self->n_sums * 4);
  cl_mem energies = mgpu_slot_write (self, SLOT_ENERGIES, job,
      self->n_energies * 4);
  gint parts = self->classes / (self->params.cell_size >> size);

  if (batch->tiles[size].n == 0)
    return;
  gst_mgpu_job_set_args (job, kernels[MAKE_TILES], "mmimim", gradients,
      f->plan, self->level_words, f->lists, batch->tiles[size].begin, sums);
  launch_cells (self, job, kernels[MAKE_TILES], &batch->tiles[size],
      parts * (ALL_BINS / self->object.knobs[BINS]));
  gst_mgpu_job_set_args (job, kernels[MAKE_ENERGIES], "mmimim", sums, f->plan,
      self->level_words, f->lists, batch->energies[size].begin, energies);
  launch_cells (self, job, kernels[MAKE_ENERGIES], &batch->energies[size],
      parts);
  gst_mgpu_job_set_args (job, kernels[MAKE_FEATURES], "mmmimim", sums,
      energies, f->plan, self->level_words, f->lists,
      batch->features[size].begin, f->out);
  launch_cells (self, job, kernels[MAKE_FEATURES], &batch->features[size],
      parts);
}

static void
enqueue_batch (MgpuFhog * self, const Frame * f, const Batch * batch)
{
  cl_mem planes = mgpu_slot_write (self, SLOT_PLANES, f->job,
      self->n_planes * 2);
  cl_mem gradients = mgpu_slot_write (self, SLOT_GRADIENTS, f->job,
      self->n_gradients * 4);

  for (guint i = batch->begin; i < batch->end; i++)
    enqueue_part (self, f, planes, gradients, &g_array_index (self->parts,
            Rows, i));
  if (self->object.knobs[STRIP] == 0) {
    cl_kernel kernel = self->object.kernels[FIND_GRADIENTS];

    gst_mgpu_job_set_args (f->job, kernel, "mmmim", planes, f->plan, f->lists,
        batch->gradients.begin, gradients);
    launch_samples (self, f->job, kernel, &batch->gradients,
        self->object.knobs[CLASSES]);
  }
  for (guint i = 0; i < self->n_sizes; i++)
    enqueue_cells (self, f, batch, i, gradients);
}

/* Enqueues the kernel that fills the padding cells, which have no features. The kernel is
 * compiled for each cell size but does not depend on it; the kernel for level 0 is used. */
static void
enqueue_padding (MgpuFhog * self, const Frame * f)
{
  guint picture, size = mgpu_fhog_find_size (self, 0, &picture);
  cl_kernel kernel = self->object.kernels[CELLS + N_OF_CELLS * size + PAD];

  gst_mgpu_job_set_args (f->job, kernel, "mimiim", f->plan, self->level_words,
      f->lists, self->padding.begin, self->object.knobs[COLUMNS], f->out);
  launch_samples (self, f->job, kernel, &self->padding, 0);
}

void
mgpu_fhog_enqueue (MgpuFhog * self, GstMgpuJob * job, const MgpuImage * in,
    GstMgpuMemory * features)
{
  MgpuImage pixels;
  Frame f = {.job = job,.in = &pixels };

  if (self->lists->len == 0 || !mgpu_rgbx_enqueue (&self->rgbx, job, in,
          &pixels))
    return;
  if (!self->has_lists)
    self->has_lists = mgpu_slot_upload (self, SLOT_LISTS, job,
        self->lists->data, self->lists->len * sizeof (gint), 0);
  if (!self->has_lists)
    return;
  f.plan = mgpu_slot_read_words (self, SLOT_PLAN, job, self->words);
  f.lists = mgpu_slot_read (self, SLOT_LISTS, job);
  f.out = gst_mgpu_job_write (job, features);
  for (guint i = 0; i < self->batches->len; i++)
    enqueue_batch (self, &f, &g_array_index (self->batches, Batch, i));
  if (self->padding.n > 0)
    enqueue_padding (self, &f);
}
