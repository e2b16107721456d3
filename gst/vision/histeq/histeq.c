/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "histeq.h"

#include <string.h>

#include <gst/vision/base/object.h>
#include <gst/vision/colour/colour.h>
#include <gst/vision/base/kernels.h>
#include "smooth.h"

/* Histograms on a GPU, so that not all work-groups add to the same numbers;
 * more where there is none in local memory before. */
#define LOCAL_HISTOGRAMS 4
#define GLOBAL_HISTOGRAMS 32

/* A new scene begins where tables differ by more than this part of their range
 * from the last ones, 1 / x, in the mean. Tables of the whole frame are much
 * alike from scene to scene. */
#define NEW_SCENE_GLOBAL 32
#define NEW_SCENE_CLAHE 8

/* One table for the whole frame. */
typedef struct
{
  MgpuRows rows;                /* for counting */
  guint n_histograms;           /* that work-groups share */
  gsize n_blocks;               /* work-groups that make a table */
  cl_kernel clear, count, sums, table, apply;
  GstMemory *counts, *blocks;   /* from the first frame on */
} Global;

/* Equalizes some samples of each pixel, by any method. */
typedef struct
{
  MgpuBins bins;
  Global global;
  MgpuClahe *clahe;             /* this and the next when they are needed */
  MgpuSmooth *smooth;
  GstMemory *tables;
} Equalizer;

struct _MgpuHisteq
{
  GstMgpuContext *context;
  gboolean is_rgb;
  MgpuHisteqParams last;        /* of the last frame */
  Equalizer luma;               /* of RGB: on planes[0] */
  Equalizer each;               /* RGB only */
  MgpuColourLuma *colour;       /* RGB only */
  GstVideoInfo plane_info;
  GstMemory *planes[2];         /* luma of RGB: before and after */
};

/* ---- One table ----------------------------------------------------------- */

static gboolean
global_init (Global * self, GstMgpuContext * context, const MgpuBins * bins,
    GError ** error)
{
  const MgpuBinsKernel kernels[] = {
    {"histeq_clear", &self->clear}, {"histeq_count", &self->count},
    {"histeq_table", &self->table}, {"histeq_apply", &self->apply},
    {"histeq_sums", &self->sums}
  };
  gboolean is_small = bins->n_counters <= MGPU_BINS_SMALL, ok;
  gchar *options;

  self->rows = bins->rows;
  self->n_blocks = 1;
  if (bins->is_cpu) {
    if (!is_small)
      self->rows.global[1] = MIN (self->rows.global[1],
          gst_mgpu_context_get_traits (context)->compute_units);
    self->n_histograms = self->rows.global[1];
  } else if (g_str_equal (bins->count, "COUNT_GLOBAL") && is_small) {
    self->n_histograms = GLOBAL_HISTOGRAMS;
  } else {
    self->n_histograms = LOCAL_HISTOGRAMS;
    if (!is_small)
      self->n_blocks = MIN (bins->group, bins->n_bins / bins->group);
  }
  options = g_strdup_printf (" -DBLOCKS=%u", (guint) self->n_blocks);
  ok = mgpu_bins_build (bins, context, "histeq/histeq", options, kernels,
      G_N_ELEMENTS (kernels) - (self->n_blocks == 1), error);
  g_free (options);
  return ok;
}

static gboolean
global_ensure_counts (Global * self, GstMgpuJob * job, const MgpuBins * bins)
{
  gsize n_counts = (gsize) self->n_histograms * bins->n_own * bins->n_counters;
  gsize n_blocks = 2 * self->n_blocks * bins->n_components;
  gboolean is_new;

  if (!mgpu_bins_ensure_memory (job, &self->counts, n_counts * sizeof (guint32),
          &is_new)
      || !mgpu_bins_ensure_memory (job, &self->blocks,
          n_blocks * sizeof (guint32), NULL))
    return FALSE;
  if (is_new) {
    gst_mgpu_job_set_args (job, self->clear, "m",
        mgpu_bins_write (job, self->counts));
    gst_mgpu_job_launch (job, self->clear, 1, &n_counts, NULL);
  }
  return TRUE;
}

static void
global_enqueue_tables (Global * self, GstMgpuJob * job, const MgpuBins * bins,
    const MgpuImage * in, GstMemory * tables)
{
  gint offset = in->info.offset[0], stride = in->info.stride[0];
  gint width = GST_VIDEO_INFO_WIDTH (&in->info);
  gint height = GST_VIDEO_INFO_HEIGHT (&in->info);
  gint n_histograms = self->n_histograms * bins->n_own;
  gsize n_items = bins->n_components * self->n_blocks * bins->group;

  if (!global_ensure_counts (self, job, bins))
    return;
  gst_mgpu_job_set_args (job, self->count, "miiiiimi",
      gst_mgpu_job_read (job, in->memory), offset, stride, width, height,
      mgpu_bins_count_units (bins, width, offset | stride),
      mgpu_bins_write (job, self->counts), (gint) self->n_histograms);
  gst_mgpu_job_launch (job, self->count, 2, self->rows.global,
      self->rows.local);

  if (self->n_blocks > 1) {
    gst_mgpu_job_set_args (job, self->sums, "mim",
        mgpu_bins_write (job, self->counts), n_histograms,
        mgpu_bins_write (job, self->blocks));
    gst_mgpu_job_launch (job, self->sums, 1, &n_items, &bins->group);
  }
  gst_mgpu_job_set_args (job, self->table, "miumm",
      mgpu_bins_write (job, self->counts), n_histograms,
      (guint) width * height, mgpu_bins_write (job, tables),
      mgpu_bins_write (job, self->blocks));
  gst_mgpu_job_launch (job, self->table, 1, &n_items, &bins->group);
}

static void
global_enqueue_apply (Global * self, GstMgpuJob * job, const MgpuBins * bins,
    const MgpuImage * in, const MgpuImage * out, GstMemory * tables)
{
  gint in_offset = in->info.offset[0], in_stride = in->info.stride[0];
  gint out_offset = out->info.offset[0], out_stride = out->info.stride[0];
  gint width = GST_VIDEO_INFO_WIDTH (&in->info);

  gst_mgpu_job_set_args (job, self->apply, "miimiiiiiim",
      gst_mgpu_job_read (job, in->memory), in_offset, in_stride,
      gst_mgpu_job_write (job, out->memory), out_offset, out_stride, width,
      GST_VIDEO_INFO_HEIGHT (&in->info), mgpu_bins_count_units (bins, width,
          in_offset | in_stride | out_offset | out_stride),
      mgpu_bins_count_pixels (bins, &in->info), mgpu_bins_write (job, tables));
  gst_mgpu_job_launch (job, self->apply, 2, self->rows.global,
      self->rows.local);
}

static void
global_clear (Global * self)
{
  cl_kernel kernels[] = {
    self->clear, self->count, self->sums, self->table, self->apply
  };

  mgpu_kernels_release (kernels, G_N_ELEMENTS (kernels));
  g_clear_pointer (&self->counts, gst_memory_unref);
  g_clear_pointer (&self->blocks, gst_memory_unref);
}

/* ---- Any method ---------------------------------------------------------- */

/* Builds what params needs and is not there yet. */
static gboolean
equalizer_prepare (Equalizer * self, GstMgpuContext * context,
    const MgpuHisteqParams * params, GError ** error)
{
  if (params->method == MGPU_HISTEQ_CLAHE && self->clahe == NULL
      && (self->clahe = mgpu_clahe_new (context, &self->bins, error)) == NULL)
    return FALSE;
  if (params->method == MGPU_HISTEQ_GLOBAL && self->global.apply == NULL
      && !global_init (&self->global, context, &self->bins, error)) {
    global_clear (&self->global);
    memset (&self->global, 0, sizeof (self->global));
    return FALSE;
  }
  return params->temporal_smoothing == 0 || self->smooth != NULL
      || (self->smooth = mgpu_smooth_new (context, &self->bins, error)) != NULL;
}

/* Whether the device can allocate what n_tiles need. */
static gboolean
equalizer_check_tiles (Equalizer * self, GstMgpuContext * context,
    const MgpuHisteqParams * params, guint n_tiles, GError ** error)
{
  guint64 most = gst_mgpu_context_get_traits (context)->max_allocation_size;
  /* The largest are counters and what is kept for smoothing. */
  guint bytes = self->bins.is_cpu && params->temporal_smoothing == 0
      ? (guint) self->bins.bytes : (guint) sizeof (guint32);
  gsize size = (gsize) n_tiles * self->bins.n_counters * bytes;

  if (size <= most)
    return TRUE;
  g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_OUT_OF_MEMORY,
      "%u tiles of %u bins take %" G_GSIZE_FORMAT " bytes, and %"
      G_GUINT64_FORMAT " are possible on %s: use fewer tiles", n_tiles,
      self->bins.n_counters, size, most,
      gst_mgpu_context_get_device_name (context));
  return FALSE;
}

/* In the first planes of in and out. */
static void
equalizer_enqueue (Equalizer * self, GstMgpuContext * context,
    GstMgpuJob * job, const MgpuHisteqParams * params, const MgpuImage * in,
    const MgpuImage * out)
{
  gboolean is_clahe = params->method == MGPU_HISTEQ_CLAHE;
  guint n_tiles = is_clahe ? params->clahe.tiles_x * params->clahe.tiles_y : 1;
  gsize size = (gsize) n_tiles * self->bins.n_counters * self->bins.bytes;
  GstMemory *tables;
  GError *error = NULL;

  if (!equalizer_prepare (self, context, params, &error)
      || !equalizer_check_tiles (self, context, params, n_tiles, &error)) {
    gst_mgpu_job_fail (job, error);
    return;
  }
  if (!mgpu_bins_ensure_memory (job, &self->tables, size, NULL))
    return;
  tables = self->tables;
  if (params->temporal_smoothing > 0)
    tables = mgpu_smooth_get_tables (self->smooth, job,
        n_tiles * self->bins.n_components);
  if (tables == NULL)
    return;

  if (is_clahe)
    mgpu_clahe_enqueue_tables (self->clahe, job, &params->clahe, in, tables);
  else
    global_enqueue_tables (&self->global, job, &self->bins, in, tables);
  if (params->temporal_smoothing > 0)
    mgpu_smooth_enqueue (self->smooth, job, params->temporal_smoothing,
        is_clahe ? NEW_SCENE_CLAHE : NEW_SCENE_GLOBAL, self->tables);
  if (is_clahe)
    mgpu_clahe_enqueue_apply (self->clahe, job, &params->clahe, in, out,
        self->tables);
  else
    global_enqueue_apply (&self->global, job, &self->bins, in, out,
        self->tables);
}

static void
equalizer_reset (Equalizer * self)
{
  if (self->smooth != NULL)
    mgpu_smooth_reset (self->smooth);
}

/* After a frame that was not finished: histograms may be half counted, or not
 * even set to zero. */
static void
equalizer_forget (Equalizer * self)
{
  g_clear_pointer (&self->global.counts, gst_memory_unref);
  if (self->clahe != NULL)
    mgpu_clahe_forget (self->clahe);
  equalizer_reset (self);
}

static void
equalizer_clear (Equalizer * self)
{
  global_clear (&self->global);
  g_clear_pointer (&self->clahe, mgpu_clahe_free);
  g_clear_pointer (&self->smooth, mgpu_smooth_free);
  g_clear_pointer (&self->tables, gst_memory_unref);
}

/* ---- Frames -------------------------------------------------------------- */

static Equalizer *
get_equalizer (MgpuHisteq * self, const MgpuHisteqParams * params)
{
  return self->is_rgb && params->channels == MGPU_HISTEQ_EACH ? &self->each
      : &self->luma;
}

MgpuHisteq *
mgpu_histeq_new (GstMgpuContext * context, const GstVideoInfo * info,
    const MgpuHisteqParams * params, GError ** error)
{
  MgpuHisteq *self = g_new0 (MgpuHisteq, 1);
  gboolean ok = TRUE;

  self->context = gst_object_ref (context);
  self->is_rgb = GST_VIDEO_INFO_IS_RGB (info);
  self->last = *params;
  if (self->is_rgb) {
    gst_video_info_set_format (&self->plane_info, GST_VIDEO_FORMAT_GRAY8,
        GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info));
    self->colour = mgpu_colour_luma_new (context, info, error);
    ok = self->colour != NULL;
    mgpu_bins_init (&self->luma.bins, context, &self->plane_info, 1);
    mgpu_bins_init (&self->each.bins, context, info, 3);
  } else {
    mgpu_bins_init (&self->luma.bins, context, info, 1);
  }
  if (!ok || !equalizer_prepare (get_equalizer (self, params), context, params,
          error))
    g_clear_pointer (&self, mgpu_histeq_free);
  return self;
}

static void
enqueue_rgb_luma (MgpuHisteq * self, GstMgpuJob * job,
    const MgpuHisteqParams * params, const MgpuImage * in,
    const MgpuImage * out)
{
  MgpuImage planes[2];

  for (guint i = 0; i < 2; i++) {
    if (!mgpu_bins_ensure_memory (job, &self->planes[i],
            GST_VIDEO_INFO_SIZE (&self->plane_info), NULL))
      return;
    planes[i].memory = (GstMgpuMemory *) self->planes[i];
    planes[i].info = self->plane_info;
  }
  mgpu_colour_luma_enqueue (self->colour, job, in, &planes[0]);
  equalizer_enqueue (&self->luma, self->context, job, params, &planes[0],
      &planes[1]);
  mgpu_colour_luma_enqueue_replace (self->colour, job, in, &planes[0],
      &planes[1], out);
}

/* Tables of other methods, channels or tiles are not those of earlier frames,
 * and without smoothing nothing is kept. */
static gboolean
goes_on (const MgpuHisteqParams * last, const MgpuHisteqParams * params)
{
  return last->temporal_smoothing > 0 && params->temporal_smoothing > 0
      && last->method == params->method && last->channels == params->channels
      && (params->method == MGPU_HISTEQ_GLOBAL
      || (last->clahe.tiles_x == params->clahe.tiles_x
          && last->clahe.tiles_y == params->clahe.tiles_y));
}

void
mgpu_histeq_enqueue (MgpuHisteq * self, GstMgpuJob * job,
    const MgpuHisteqParams * params, const MgpuImage * in,
    const MgpuImage * out)
{
  if (!goes_on (&self->last, params))
    mgpu_histeq_reset (self);
  self->last = *params;

  if (!self->is_rgb) {
    equalizer_enqueue (&self->luma, self->context, job, params, in, out);
    mgpu_image_copy_planes (job, in, out, ~1u);
  } else if (params->channels == MGPU_HISTEQ_EACH) {
    equalizer_enqueue (&self->each, self->context, job, params, in, out);
  } else {
    enqueue_rgb_luma (self, job, params, in, out);
  }
  if (job->error != NULL) {
    equalizer_forget (&self->luma);
    equalizer_forget (&self->each);
  }
}

void
mgpu_histeq_reset (MgpuHisteq * self)
{
  equalizer_reset (&self->luma);
  equalizer_reset (&self->each);
}

void
mgpu_histeq_free (MgpuHisteq * self)
{
  if (self == NULL)
    return;
  equalizer_clear (&self->luma);
  equalizer_clear (&self->each);
  mgpu_object_free (self->colour);
  for (guint i = 0; i < 2; i++)
    g_clear_pointer (&self->planes[i], gst_memory_unref);
  gst_object_unref (self->context);
  g_free (self);
}
