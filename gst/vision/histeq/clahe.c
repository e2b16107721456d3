/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "clahe.h"

#include <gst/vision/base/kernels.h>

/* Pixels that a work-item of a GPU counts, about: fewer, and adding up what the
 * work-groups found takes longer than counting. */
#define PIXELS_PER_ITEM 32

/* Histograms of a work-group in local memory. */
#define COPIES 4

struct _MgpuClahe
{
  MgpuBins bins;
  cl_kernel clear, apply;
  cl_kernel tiles;              /* on a CPU, in place of the next two */
  cl_kernel count, table;
  GstMemory *counts;            /* from the first frame on */
};

/* In samples. Where the tiles do not cover the frame exactly both ways, they
 * grow beyond it. */
static void
get_tile_size (const MgpuClaheParams * params, const GstVideoInfo * info,
    gint * width, gint * height)
{
  gint frame_width = GST_VIDEO_INFO_WIDTH (info);
  gint frame_height = GST_VIDEO_INFO_HEIGHT (info);
  gboolean fits = frame_width % params->tiles_x == 0
      && frame_height % params->tiles_y == 0;

  *width = frame_width / params->tiles_x + !fits;
  *height = frame_height / params->tiles_y + !fits;
}

MgpuClahe *
mgpu_clahe_new (GstMgpuContext * context, const MgpuBins * bins,
    GError ** error)
{
  MgpuClahe *self = g_new0 (MgpuClahe, 1);
  const MgpuBinsKernel cpu_kernels[] = {
    {"clahe_clear", &self->clear}, {"clahe_tiles", &self->tiles}
  };
  const MgpuBinsKernel gpu_kernels[] = {
    {"clahe_clear", &self->clear}, {"clahe_count", &self->count},
    {"clahe_table", &self->table}
  };
  const MgpuBinsKernel apply[] = { {"clahe_apply", &self->apply} };
  gchar *options = g_strdup_printf (" -DCOPIES=%d", COPIES);
  gboolean ok;

  self->bins = *bins;
  if (bins->is_cpu)
    ok = mgpu_bins_build (bins, context, "histeq/clahe", options, cpu_kernels,
        G_N_ELEMENTS (cpu_kernels), error);
  else
    ok = mgpu_bins_build (bins, context, "histeq/clahe", options, gpu_kernels,
        G_N_ELEMENTS (gpu_kernels), error);
  g_free (options);
  ok = ok && mgpu_bins_build (bins, context, "histeq/clahe-apply", "", apply,
      G_N_ELEMENTS (apply), error);
  if (!ok)
    g_clear_pointer (&self, mgpu_clahe_free);
  return self;
}

/* Histograms for n work-items, or tiles. */
static cl_mem
write_counts (MgpuClahe * self, GstMgpuJob * job, gsize n)
{
  gsize n_counts = n * self->bins.n_own * self->bins.n_counters;
  gboolean is_new;
  cl_mem counts;

  if (!mgpu_bins_ensure_memory (job, &self->counts,
          n_counts * sizeof (guint32), &is_new))
    return NULL;
  counts = mgpu_bins_write (job, self->counts);
  if (is_new) {
    gst_mgpu_job_set_args (job, self->clear, "m", counts);
    gst_mgpu_job_launch (job, self->clear, 1, &n_counts, NULL);
  }
  return counts;
}

void
mgpu_clahe_enqueue_tables (MgpuClahe * self, GstMgpuJob * job,
    const MgpuClaheParams * params, const MgpuImage * in, GstMemory * tables)
{
  const MgpuBins *bins = &self->bins;
  gint width = GST_VIDEO_INFO_WIDTH (&in->info);
  gint height = GST_VIDEO_INFO_HEIGHT (&in->info);
  gint offset = in->info.offset[0], stride = in->info.stride[0];
  guint n_tiles = params->tiles_x * params->tiles_y, area, clip;
  gint tile_width, tile_height;
  gdouble most;
  gfloat scale;

  get_tile_size (params, &in->info, &tile_width, &tile_height);
  area = (guint) tile_width * tile_height;
  /* No bin can count for more than the area. */
  most = params->clip_limit * area / bins->n_bins;
  clip = params->clip_limit > 0 && most < area ? MAX ((guint) most, 1) : area;
  scale = (gfloat) (bins->n_bins - 1) / (gfloat) area;

  if (bins->is_cpu) {
    gsize n_items = MIN (n_tiles, bins->rows.global[1]), one = 1;
    cl_mem counts = write_counts (self, job, n_items);

    gst_mgpu_job_set_args (job, self->tiles, "miiiiiiiimufm",
        gst_mgpu_job_read (job, in->memory), offset, stride, width, height,
        (gint) params->tiles_x, (gint) n_tiles, tile_width, tile_height,
        counts, clip, (gdouble) scale, mgpu_bins_write (job, tables));
    gst_mgpu_job_launch (job, self->tiles, 1, &n_items, &one);
  } else {
    gsize n_parts = area / (PIXELS_PER_ITEM * bins->group);
    gsize local[2] = { bins->group, 1 };
    gsize global[2] = { MAX (n_parts, 1) * bins->group, n_tiles };
    gsize table_global = bins->group * n_tiles * bins->n_components;
    cl_mem counts = write_counts (self, job, n_tiles);

    gst_mgpu_job_set_args (job, self->count, "miiiiiiim",
        gst_mgpu_job_read (job, in->memory), offset, stride, width, height,
        (gint) params->tiles_x, tile_width, tile_height, counts);
    gst_mgpu_job_launch (job, self->count, 2, global, local);
    gst_mgpu_job_set_args (job, self->table, "muufm", counts, area, clip,
        (gdouble) scale, mgpu_bins_write (job, tables));
    gst_mgpu_job_launch (job, self->table, 1, &table_global, local);
  }
}

void
mgpu_clahe_enqueue_apply (MgpuClahe * self, GstMgpuJob * job,
    const MgpuClaheParams * params, const MgpuImage * in,
    const MgpuImage * out, GstMemory * tables)
{
  const MgpuBins *bins = &self->bins;
  gint width = GST_VIDEO_INFO_WIDTH (&in->info);
  gint in_offset = in->info.offset[0], in_stride = in->info.stride[0];
  gint out_offset = out->info.offset[0], out_stride = out->info.stride[0];
  gint tile_width, tile_height;

  get_tile_size (params, &in->info, &tile_width, &tile_height);
  gst_mgpu_job_set_args (job, self->apply, "miimiiiiiimiiiff",
      gst_mgpu_job_read (job, in->memory), in_offset, in_stride,
      gst_mgpu_job_write (job, out->memory), out_offset, out_stride, width,
      GST_VIDEO_INFO_HEIGHT (&in->info), mgpu_bins_count_units (bins, width,
          in_offset | in_stride | out_offset | out_stride),
      mgpu_bins_count_pixels (bins, &in->info), mgpu_bins_write (job, tables),
      (gint) params->tiles_x, (gint) params->tiles_y, tile_width,
      (gdouble) (1.0f / (gfloat) tile_width),
      (gdouble) (1.0f / (gfloat) tile_height));
  gst_mgpu_job_launch (job, self->apply, 2, bins->rows.global,
      bins->rows.local);
}

void
mgpu_clahe_forget (MgpuClahe * self)
{
  g_clear_pointer (&self->counts, gst_memory_unref);
}

void
mgpu_clahe_free (MgpuClahe * self)
{
  cl_kernel kernels[5];

  if (self == NULL)
    return;
  kernels[0] = self->clear;
  kernels[1] = self->apply;
  kernels[2] = self->tiles;
  kernels[3] = self->count;
  kernels[4] = self->table;
  mgpu_kernels_release (kernels, G_N_ELEMENTS (kernels));
  g_clear_pointer (&self->counts, gst_memory_unref);
  g_free (self);
}
