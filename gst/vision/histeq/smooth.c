/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Smooths the look-up tables of histogram equalization over time. */
#include "histeq-private.h"

#include <math.h>

/* Positions at which frames are compared: every @step_x-th pixel of every @step_y-th row.
 * @columns: number of positions in a row
 * @n: number of all positions */
typedef struct
{
  gint step_x, step_y, columns, n;
} Places;

static void
find_places (const MgpuImage * image, Places * places)
{
  gint width = GST_VIDEO_INFO_WIDTH (&image->info);
  gint height = GST_VIDEO_INFO_HEIGHT (&image->info);

  places->step_x = (width + LIGHT_PLACES - 1) / LIGHT_PLACES;
  places->step_y = (height + LIGHT_PLACES - 1) / LIGHT_PLACES;
  places->columns = (width + places->step_x - 1) / places->step_x;
  places->n = places->columns
      * ((height + places->step_y - 1) / places->step_y);
}

gboolean
mgpu_histeq_smooth_get_slot (Histeq * self, GstMgpuJob * job,
    const MgpuImage * in, guint n_tables, guint * slot)
{
  gsize n = (gsize) n_tables * self->n_bins;
  gsize n_pairs = (gsize) self->n_components * LIGHT_PAIRS;
  Places places;

  find_places (in, &places);
  if (n_tables != self->n_tables)
    self->has_past = FALSE;
  self->n_tables = n_tables;
  *slot = MADE + self->turn;
  for (guint i = 0; i < 2; i++)
    if (!mgpu_slot_ensure (self, MADE + i, job, n * self->bytes)
        || !mgpu_slot_ensure (self, SMOOTH + i, job, n * sizeof (guint32)))
      return FALSE;
  return mgpu_slot_ensure (self, DISTANCE, job, 2 * sizeof (guint32))
      && mgpu_slot_ensure (self, MOVES, job, n_tables * sizeof (guint32))
      && mgpu_slot_ensure (self, MEANS, job, n_tables * sizeof (guint32))
      && mgpu_slot_ensure (self, CODES, job,
      (gsize) places.n * self->n_components * sizeof (guint32))
      && mgpu_slot_ensure (self, PAIRS, job, n_pairs * sizeof (guint32))
      && mgpu_slot_ensure (self, LIGHTS, job,
      self->n_components * LIGHT_SIZE * sizeof (gint32));
}

/* Enqueues the kernels that compare the frame @in with the last frame and find how the light
 * changed. */
static void
enqueue_light (Histeq * self, GstMgpuJob * job, const MgpuImage * in)
{
  const cl_kernel *kernels = self->object.kernels;
  gsize n_pairs = (gsize) self->n_components * LIGHT_PAIRS, n_items;
  gboolean counts_alone = self->object.knobs[KNOB_COUNT] == COUNT_OWN;
  cl_mem pairs = mgpu_slot_write (self, PAIRS, job, 0);
  Places places;

  find_places (in, &places);
  if (!self->has_past) {
    gst_mgpu_job_set_args (job, kernels[LIGHT_CLEAR], "m", pairs);
    gst_mgpu_job_launch (job, kernels[LIGHT_CLEAR], 1, &n_pairs, NULL);
  }
  n_items = counts_alone ? 1 : places.n;
  gst_mgpu_job_set_args (job, kernels[LIGHT_COUNT], MGPU_PLANE "iiiimmi",
      MGPU_READ_PLANE (job, in, 0), places.step_x, places.step_y,
      places.columns, places.n, mgpu_slot_write (self, CODES, job, 0), pairs,
      (gint) self->has_past);
  gst_mgpu_job_launch (job, kernels[LIGHT_COUNT], 1, &n_items, NULL);
  if (!self->has_past)
    return;
  gst_mgpu_job_set_args (job, kernels[LIGHT_FIT], "mm", pairs,
      mgpu_slot_write (self, LIGHTS, job, 0));
  mgpu_launch_items (job, kernels[LIGHT_FIT],
      self->n_components * self->group, self->group);
}

/* Enqueues the kernels that smooth the mean of the output samples of each CLAHE tile in which
 * nothing moves, so that the mean changes as slowly as the smoothed tables. @share and @most
 * have the values that were passed to the kernel that blended the tables:
 * @share: weight of the last frame, in units of 1 / 65536
 * @most: largest difference of tables within a scene */
static void
enqueue_means (Histeq * self, GstMgpuJob * job, const MgpuImage * in,
    const HisteqTiles * tiles, guint share, guint most)
{
  cl_kernel moves = self->object.kernels[LIGHT_MOVES];
  cl_kernel hold = self->object.kernels[SMOOTH_HOLD];
  gsize n_items = self->n_tables * self->group;
  Places places;

  find_places (in, &places);
  if (self->has_past) {
    gst_mgpu_job_set_args (job, moves, "mmiiiiiiim",
        mgpu_slot_write (self, CODES, job, 0),
        mgpu_slot_write (self, LIGHTS, job, 0), places.step_x, places.step_y,
        places.columns, places.n, (gint) tiles->n_x, tiles->width,
        tiles->height, mgpu_slot_write (self, MOVES, job, 0));
    mgpu_launch_items (job, moves, n_items, self->group);
  }
  gst_mgpu_job_set_args (job, hold, "mmmmmmmmiuiuu",
      mgpu_slot_write (self, MADE + self->turn, job, 0),
      mgpu_slot_write (self, SMOOTH + self->turn, job, 0),
      mgpu_slot_write (self, TABLES, job, 0),
      mgpu_slot_write (self, HISTOGRAMS, job, 0),
      mgpu_slot_write (self, MOVES, job, 0),
      mgpu_slot_write (self, MEANS, job, 0),
      mgpu_slot_write (self, LIGHTS, job, 0),
      mgpu_slot_write (self, DISTANCE, job, 0), (gint) self->turn, most,
      (gint) ! self->has_past, tiles->area, share);
  mgpu_launch_items (job, hold, n_items, self->group);
}

void
mgpu_histeq_smooth_enqueue (Histeq * self, GstMgpuJob * job,
    const MgpuImage * in, gdouble smoothing, guint new_scene,
    const HisteqTiles * tiles)
{
  guint share = (guint) rint (smoothing * 65536);
  guint most = self->n_tables * ((self->hi - self->lo + 1) / new_scene);
  cl_kernel compare = self->object.kernels[SMOOTH_COMPARE];
  cl_kernel blend = self->object.kernels[SMOOTH_BLEND];
  gsize n = (gsize) self->n_tables * self->n_bins;
  cl_mem now, distance, lights;

  if (job->error != NULL)
    return;
  enqueue_light (self, job, in);
  now = mgpu_slot_write (self, MADE + self->turn, job, 0);
  distance = mgpu_slot_write (self, DISTANCE, job, 0);
  lights = mgpu_slot_write (self, LIGHTS, job, 0);
  if (self->has_past) {
    gst_mgpu_job_set_args (job, compare, "mmmmi", now,
        mgpu_slot_write (self, MADE + !self->turn, job, 0), lights, distance,
        (gint) self->turn);
    mgpu_launch_items (job, compare, self->n_tables * self->group, self->group);
  }
  gst_mgpu_job_set_args (job, blend, "mmmmmumiui", now,
      mgpu_slot_write (self, SMOOTH + !self->turn, job, 0),
      mgpu_slot_write (self, SMOOTH + self->turn, job, 0),
      mgpu_slot_write (self, TABLES, job, 0), lights, share, distance,
      (gint) self->turn, most, (gint) ! self->has_past);
  gst_mgpu_job_launch (job, blend, 1, &n, NULL);
  if (tiles != NULL)
    enqueue_means (self, job, in, tiles, share, most);
  self->has_past = TRUE;
  self->turn = !self->turn;
}

void
mgpu_histeq_weaken_enqueue (Histeq * self, GstMgpuJob * job, guint n_tables,
    gdouble strength)
{
  cl_kernel kernel = self->object.kernels[SMOOTH_WEAKEN];
  gsize n = (gsize) n_tables * self->n_bins;

  gst_mgpu_job_set_args (job, kernel, "mi",
      mgpu_slot_write (self, TABLES, job, 0), (gint) rint (strength * 65536));
  gst_mgpu_job_launch (job, kernel, 1, &n, NULL);
}
