/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "histeq.h"

#include "colour.h"
#include "kernels.h"
#include "rows.h"

/* Up to this many bins a histogram is small: there can be several for each
 * work-item, and one fits into the local memory of every GPU. */
#define SMALL 4096

/* Histograms on a GPU, so that not all work-groups add to the same numbers;
 * more where there is none in local memory before. */
#define LOCAL_HISTOGRAMS 4
#define GLOBAL_HISTOGRAMS 32

/* Equalizes some samples of each pixel of a packed frame or of a plane. */
typedef struct
{
  gint bytes;                   /* of a sample */
  gint samples;                 /* of a pixel, next to each other */
  guint mask;                   /* bit i: sample i of a pixel is equalized */
  guint n_tables;               /* bits of mask */
  guint n_bins;                 /* of the histogram of each */

  MgpuRows rows;
  gboolean is_cpu;
  guint n_histograms;           /* that work-groups share */
  guint n_own;                  /* that a work-item counts in by turns */
  gsize group;                  /* work-items that make a table */
  cl_kernel clear, count, table, apply;
  GstMemory *counts, *tables;   /* from the first frame on */
} Equalizer;

struct _MgpuHisteq
{
  gboolean is_rgb;
  Equalizer luma;               /* of RGB: on planes[0] */
  Equalizer each;               /* RGB only */
  MgpuColourLuma *colour;       /* RGB only */
  GstVideoInfo plane_info;
  GstMemory *planes[2];         /* luma of RGB: before and after */
};

static void
choose_counting (Equalizer * self, const GstMgpuTraits * traits,
    const gchar ** count)
{
  guint n_counters = self->n_bins * self->n_tables;

  self->n_own = 1;
  self->group = 1;
  if (self->is_cpu) {
    *count = "COUNT_OWN";
    if (n_counters <= SMALL)
      self->n_own = 4;
    else
      self->rows.global[1] =
          MIN (self->rows.global[1], traits->compute_units);
    self->n_histograms = self->rows.global[1];
    return;
  }

  while (self->group * 2 <= MIN (traits->max_work_group_size, 256))
    self->group *= 2;
  if (traits->device_class == GST_MGPU_DEVICE_CLASS_DISCRETE
      && n_counters <= SMALL) {
    *count = "COUNT_LOCAL";
    self->n_histograms = LOCAL_HISTOGRAMS;
  } else {
    *count = "COUNT_GLOBAL";
    self->n_histograms =
        n_counters <= SMALL ? GLOBAL_HISTOGRAMS : LOCAL_HISTOGRAMS;
  }
}

/* Of the first n components of info, which lie in its first plane. */
static gboolean
equalizer_init (Equalizer * self, GstMgpuContext * context,
    const GstVideoInfo * info, guint n, GError ** error)
{
  const GstMgpuTraits *traits = gst_mgpu_context_get_traits (context);
  guint depth = GST_VIDEO_INFO_COMP_DEPTH (info, 0);
  const struct
  {
    const gchar *name;
    cl_kernel *kernel;
  } kernels[] = {
    {"histeq_clear", &self->clear}, {"histeq_count", &self->count},
    {"histeq_table", &self->table}, {"histeq_apply", &self->apply}
  };
  GstMgpuProgram *program;
  const gchar *count;
  gchar *options;
  gboolean ok = TRUE;

  self->bytes = depth > 8 ? 2 : 1;
  self->samples = GST_VIDEO_INFO_COMP_PSTRIDE (info, 0) / self->bytes;
  self->n_tables = n;
  self->n_bins = 1u << depth;
  for (guint i = 0; i < n; i++)
    self->mask |= 1u << GST_VIDEO_INFO_COMP_POFFSET (info, i) / self->bytes;

  mgpu_rows_init (&self->rows, traits, GST_VIDEO_INFO_HEIGHT (info));
  self->is_cpu = traits->device_class == GST_MGPU_DEVICE_CLASS_CPU;
  choose_counting (self, traits, &count);

  options = g_strdup_printf ("-DBYTES=%d -DSAMPLES=%d -DMASK=%u -DBINS=%u "
      "-DSHIFT=%u -DCOLUMNS=%d -DCOUNT=%s -DTABLES=%u -DGROUP=%u",
      self->bytes, self->samples, self->mask, self->n_bins,
      info->finfo->shift[0], self->rows.columns, count, self->n_own,
      (guint) self->group);
  program = mgpu_kernels_build (context, "histeq", options, error);
  g_free (options);
  if (program == NULL)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (kernels) && ok; i++) {
    *kernels[i].kernel =
        gst_mgpu_program_create_kernel (program, kernels[i].name, error);
    ok = *kernels[i].kernel != NULL;
  }
  gst_object_unref (program);
  return ok;
}

static void
equalizer_clear (Equalizer * self)
{
  cl_kernel kernels[] = {
    self->clear, self->count, self->table, self->apply
  };

  for (guint i = 0; i < G_N_ELEMENTS (kernels); i++)
    if (kernels[i] != NULL)
      clReleaseKernel (kernels[i]);
  g_clear_pointer (&self->counts, gst_memory_unref);
  g_clear_pointer (&self->tables, gst_memory_unref);
}

/* Allocates *memory unless that was done before. */
static gboolean
ensure_memory (GstMemory ** memory, GstMgpuJob * job, gsize size)
{
  GError *error = NULL;

  if (*memory == NULL)
    *memory = gst_mgpu_memory_new (job->queue, size, NULL, &error);
  if (*memory == NULL)
    gst_mgpu_job_fail (job, error);
  return *memory != NULL;
}

static cl_mem
write_scratch (GstMgpuJob * job, GstMemory * memory)
{
  return gst_mgpu_job_write (job, (GstMgpuMemory *) memory);
}

static gboolean
equalizer_ensure_scratch (Equalizer * self, GstMgpuJob * job)
{
  gsize n_counters = self->n_bins * self->n_tables;
  gsize n_counts = self->n_histograms * self->n_own * n_counters;
  gboolean is_first = self->counts == NULL;

  if (!ensure_memory (&self->counts, job, n_counts * sizeof (guint32))
      || !ensure_memory (&self->tables, job, n_counters * self->bytes))
    return FALSE;
  if (is_first) {
    gst_mgpu_job_set_args (job, self->clear, "m",
        write_scratch (job, self->counts));
    gst_mgpu_job_launch (job, self->clear, 1, &n_counts, NULL);
  }
  return TRUE;
}

/* How many units of a row the kernels may use: see UNIT in histeq.cl. layout:
 * offsets and strides of all frames in play, or-ed together. */
static gint
count_units (const Equalizer * self, gint width, guint layout)
{
  gint pixel = self->samples * self->bytes;

  if (self->is_cpu)
    return width / 4;
  if (4 % pixel != 0 || layout % 4 != 0)
    return 0;
  return width / (4 / pixel);
}

/* In the first planes of in and out. */
static void
equalizer_enqueue (Equalizer * self, GstMgpuJob * job, const MgpuImage * in,
    const MgpuImage * out)
{
  gint in_offset = in->info.offset[0], in_stride = in->info.stride[0];
  gint out_offset = out->info.offset[0], out_stride = out->info.stride[0];
  gint width = GST_VIDEO_INFO_WIDTH (&in->info);
  gint height = GST_VIDEO_INFO_HEIGHT (&in->info);
  /* Chroma that two pixels share is there for a last single pixel too. */
  gint pixels = GST_VIDEO_INFO_IS_YUV (&in->info) && self->samples == 2
      ? GST_ROUND_UP_2 (width) : width;
  gsize table_global = self->n_tables * self->group;

  if (!equalizer_ensure_scratch (self, job))
    return;

  gst_mgpu_job_set_args (job, self->count, "miiiiimi",
      gst_mgpu_job_read (job, in->memory), in_offset, in_stride, width, height,
      count_units (self, width, in_offset | in_stride),
      write_scratch (job, self->counts), (gint) self->n_histograms);
  gst_mgpu_job_launch (job, self->count, 2, self->rows.global,
      self->rows.local);

  gst_mgpu_job_set_args (job, self->table, "mium",
      write_scratch (job, self->counts),
      (gint) (self->n_histograms * self->n_own), (guint) width * height,
      write_scratch (job, self->tables));
  gst_mgpu_job_launch (job, self->table, 1, &table_global, &self->group);

  gst_mgpu_job_set_args (job, self->apply, "miimiiiiiim",
      gst_mgpu_job_read (job, in->memory), in_offset, in_stride,
      gst_mgpu_job_write (job, out->memory), out_offset, out_stride, width,
      height, count_units (self, width,
          in_offset | in_stride | out_offset | out_stride), pixels,
      write_scratch (job, self->tables));
  gst_mgpu_job_launch (job, self->apply, 2, self->rows.global,
      self->rows.local);
}

MgpuHisteq *
mgpu_histeq_new (GstMgpuContext * context, const GstVideoInfo * info,
    GError ** error)
{
  MgpuHisteq *self = g_new0 (MgpuHisteq, 1);
  gboolean ok;

  self->is_rgb = GST_VIDEO_INFO_IS_RGB (info);
  if (self->is_rgb) {
    gst_video_info_set_format (&self->plane_info, GST_VIDEO_FORMAT_GRAY8,
        GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info));
    self->colour = mgpu_colour_luma_new (context, info, error);
    ok = self->colour != NULL
        && equalizer_init (&self->luma, context, &self->plane_info, 1, error)
        && equalizer_init (&self->each, context, info, 3, error);
  } else {
    ok = equalizer_init (&self->luma, context, info, 1, error);
  }
  if (!ok)
    g_clear_pointer (&self, mgpu_histeq_free);
  return self;
}

static void
enqueue_rgb_luma (MgpuHisteq * self, GstMgpuJob * job, const MgpuImage * in,
    const MgpuImage * out)
{
  MgpuImage planes[2];

  for (guint i = 0; i < 2; i++) {
    if (!ensure_memory (&self->planes[i], job,
            GST_VIDEO_INFO_SIZE (&self->plane_info)))
      return;
    planes[i].memory = (GstMgpuMemory *) self->planes[i];
    planes[i].info = self->plane_info;
  }
  mgpu_colour_luma_enqueue (self->colour, job, in, &planes[0]);
  equalizer_enqueue (&self->luma, job, &planes[0], &planes[1]);
  mgpu_colour_luma_enqueue_replace (self->colour, job, in, &planes[0],
      &planes[1], out);
}

void
mgpu_histeq_enqueue (MgpuHisteq * self, GstMgpuJob * job,
    const MgpuHisteqParams * params, const MgpuImage * in,
    const MgpuImage * out)
{
  if (!self->is_rgb) {
    equalizer_enqueue (&self->luma, job, in, out);
    mgpu_image_copy_planes (job, in, out, ~1u);
  } else if (params->channels == MGPU_HISTEQ_EACH) {
    equalizer_enqueue (&self->each, job, in, out);
  } else {
    enqueue_rgb_luma (self, job, in, out);
  }
}

void
mgpu_histeq_free (MgpuHisteq * self)
{
  if (self == NULL)
    return;
  equalizer_clear (&self->luma);
  equalizer_clear (&self->each);
  mgpu_colour_luma_free (self->colour);
  for (guint i = 0; i < 2; i++)
    if (self->planes[i] != NULL)
      gst_memory_unref (self->planes[i]);
  g_free (self);
}
