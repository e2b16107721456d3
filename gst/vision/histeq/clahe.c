/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Enqueues contrast-limited adaptive histogram equalization (CLAHE), which has a look-up table for
 * each tile. */
#include "histeq-private.h"

/* Approximate number of pixels that a work-item of a GPU counts into histograms. Smaller values
 * mean more work-groups, and adding up their histograms takes longer than the counting. */
#define PIXELS_PER_ITEM 32

void
mgpu_histeq_clahe_find_tiles (const Histeq * self,
    const MgpuClaheParams * params, HisteqTiles * tiles)
{
  gint width = GST_VIDEO_INFO_WIDTH (&self->object.in);
  gint height = GST_VIDEO_INFO_HEIGHT (&self->object.in);
  gboolean fits = width % params->tiles_x == 0 && height % params->tiles_y == 0;
  gdouble most;

  tiles->n_x = params->tiles_x;
  tiles->n = params->tiles_x * params->tiles_y;
  tiles->width = width / params->tiles_x + !fits;
  tiles->height = height / params->tiles_y + !fits;
  tiles->area = (guint) tiles->width * tiles->height;
  /* Limits tiles->clip, the maximum count of a bin, to the number of samples of a tile. */
  most = params->clip_limit * tiles->area / (self->hi - self->lo + 1);
  tiles->clip = params->clip_limit > 0 && most < tiles->area
      ? MAX ((guint) most, 1) : tiles->area;
  tiles->scale = (gfloat) (self->hi - self->lo) / (gfloat) tiles->area;
}

/* Enqueues a kernel in which each work-item processes whole tiles one after the other: it counts
 * the samples of a tile and computes the look-up table of that tile. */
static void
enqueue_tiles (Histeq * self, GstMgpuJob * job, const HisteqTiles * tiles,
    const MgpuImage * in, guint slot, gboolean keeps_histograms)
{
  cl_kernel kernel = self->object.kernels[CLAHE_TILES];
  gsize n_items = MIN (tiles->n, self->rows.global[1]);
  cl_mem counts = mgpu_histeq_write_counts (self, job, CLAHE_CLEAR,
      n_items * self->object.knobs[KNOB_TABLES] * self->n_counters);

  gst_mgpu_job_set_args (job, kernel, FRAME "iiiimufmmi", FRAME_OF (job, in),
      (gint) tiles->n_x, (gint) tiles->n, tiles->width, tiles->height, counts,
      tiles->clip, (gdouble) tiles->scale,
      mgpu_slot_write (self, slot, job, 0),
      keeps_histograms ? mgpu_slot_write (self, HISTOGRAMS, job, 0) : counts,
      (gint) keeps_histograms);
  mgpu_launch_items (job, kernel, n_items, 1);
}

/* Enqueues a kernel that counts the samples of the tiles, with several work-groups for each
 * tile, and another kernel that computes the look-up tables from these counts. If several
 * work-groups compute a table, a third kernel runs before it and adds up the bins of each
 * work-group. */
static void
enqueue_parts (Histeq * self, GstMgpuJob * job, const HisteqTiles * tiles,
    const MgpuImage * in, guint slot, gboolean keeps_histograms)
{
  cl_kernel count = self->object.kernels[CLAHE_COUNT];
  cl_kernel sums = self->object.kernels[CLAHE_SUMS];
  cl_kernel table = self->object.kernels[CLAHE_TABLE];
  gsize n_parts = tiles->area / (PIXELS_PER_ITEM * self->group);
  gsize local[2] = { self->group, 1 };
  gsize global[2] = { MAX (n_parts, 1) * self->group, tiles->n };
  cl_mem counts = mgpu_histeq_write_counts (self, job, CLAHE_CLEAR,
      (gsize) tiles->n * self->n_counters), blocks = counts;
  gsize n_groups = tiles->n * self->n_components * self->n_tile_blocks;

  gst_mgpu_job_set_args (job, count, FRAME "iiim", FRAME_OF (job, in),
      (gint) tiles->n_x, tiles->width, tiles->height, counts);
  gst_mgpu_job_launch (job, count, 2, global, local);
  if (self->n_tile_blocks > 1) {
    blocks = mgpu_slot_write (self, BLOCKS, job, n_groups * sizeof (guint32));
    gst_mgpu_job_set_args (job, sums, "mum", counts, tiles->clip, blocks);
    mgpu_launch_items (job, sums, n_groups * self->group, self->group);
  }
  gst_mgpu_job_set_args (job, table, "muufmmim", counts, tiles->area,
      tiles->clip, (gdouble) tiles->scale,
      mgpu_slot_write (self, slot, job, 0),
      keeps_histograms ? mgpu_slot_write (self, HISTOGRAMS, job, 0) : counts,
      (gint) keeps_histograms, blocks);
  mgpu_launch_items (job, table, n_groups * self->group, self->group);
}

void
mgpu_histeq_clahe_enqueue_tables (Histeq * self, GstMgpuJob * job,
    const HisteqTiles * tiles, const MgpuImage * in, guint slot,
    gboolean keeps_histograms)
{
  if (self->object.knobs[KNOB_COUNT] == COUNT_OWN)
    enqueue_tiles (self, job, tiles, in, slot, keeps_histograms);
  else
    enqueue_parts (self, job, tiles, in, slot, keeps_histograms);
}

void
mgpu_histeq_clahe_enqueue_apply (Histeq * self, GstMgpuJob * job,
    const MgpuWork * work)
{
  const MgpuClaheParams *params =
      &((const MgpuHisteqParams *) work->params)->clahe;
  cl_kernel kernel = self->object.kernels[CLAHE_APPLY];
  MgpuPlace place = mgpu_get_place (&self->object.in, 0, work->part);
  HisteqTiles tiles;

  mgpu_histeq_clahe_find_tiles (self, params, &tiles);
  gst_mgpu_job_set_args (job, kernel, LOOK_UP "iiiffii",
      LOOK_UP_OF (self, job, work->in, work->out), (gint) params->tiles_x,
      (gint) params->tiles_y, tiles.width,
      (gdouble) (1.0f / (gfloat) tiles.width),
      (gdouble) (1.0f / (gfloat) tiles.height), place.x, place.y);
  gst_mgpu_job_launch (job, kernel, 2, self->rows.global, self->rows.local);
}
