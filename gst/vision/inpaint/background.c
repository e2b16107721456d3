/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* What is behind the objects: see docs/algorithms/inpaint.md. */
#include "background.h"

#include <string.h>

#include <gst/vision/base/bins.h>
#include "private.h"
#include <gst/vision/base/kernels.h>
#include <gst/vision/base/map.h>

/* Samples that differ by no more than this part of their range are the same; first
 * components that differ by more than another one are something else, and when so
 * many of those that are visible are, it is another scene. */
#define NEAR_PART 16
#define NEAR_PART_OF_CHROMA 32
#define FAR_PART 8
#define CUT_PART 4

#define SAMPLE_SIZE 8

struct _MgpuInpaintBackground
{
  GstVideoInfo info;
  gint columns;                 /* work-items that share a row */
  cl_kernel compare, look;
  GstMemory *samples[GST_VIDEO_MAX_COMPONENTS], *hidden_memory, *parts, *frame;

  MgpuInpaintParams params;
  guint8 *hidden;               /* of each pixel, whether an object is before it */
  guint8 *forbidden;            /* not to be copied in any case, or NULL */
  guint8 *seen;                 /* whether it was visible once */
  guint8 *unknown, *not_copied; /* what is left to be filled, and from where not */
  gboolean is_first;            /* nothing is remembered */
  gboolean changed;             /* hidden is not on the device yet */
  gboolean is_planned;          /* inpainting knows of unknown */
  MgpuInpaintResult result;
};

MgpuInpaintBackground *
mgpu_inpaint_background_new (GstMgpuContext * context,
    const GstVideoInfo * info, GError ** error)
{
  const GstMgpuTraits *traits = gst_mgpu_context_get_traits (context);
  GstMgpuProgram *program = mgpu_kernels_build (context, "inpaint/background",
      NULL, error);
  gsize n = (gsize) GST_VIDEO_INFO_WIDTH (info) * GST_VIDEO_INFO_HEIGHT (info);
  MgpuInpaintBackground *self;
  gboolean ok;

  if (program == NULL)
    return NULL;
  self = g_new0 (MgpuInpaintBackground, 1);
  gst_video_info_set_format (&self->info, GST_VIDEO_INFO_FORMAT (info),
      GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info));
  self->columns = traits->device_class == GST_MGPU_DEVICE_CLASS_CPU ? 1
      : MIN (64, traits->max_work_group_size);
  ok = mgpu_kernels_create (program, "background_compare", &self->compare,
      error)
      && mgpu_kernels_create (program, "background_look", &self->look, error);
  g_object_unref (program);
  if (!ok) {
    mgpu_inpaint_background_free (self);
    return NULL;
  }
  self->hidden = g_malloc0 (n);
  self->seen = g_malloc0 (n);
  self->unknown = g_malloc0 (n);
  self->not_copied = g_malloc0 (n);
  self->is_first = TRUE;
  self->changed = TRUE;
  return self;
}

void
mgpu_inpaint_background_forget (MgpuInpaintBackground * self)
{
  self->is_first = TRUE;
}

/* Pixels that share a sample of any component are hidden together. */
void
mgpu_inpaint_background_set_mask (MgpuInpaintBackground * self,
    const guint8 * unknown, const guint8 * forbidden,
    const MgpuInpaintParams * params)
{
  gint width = GST_VIDEO_INFO_WIDTH (&self->info);
  gint height = GST_VIDEO_INFO_HEIGHT (&self->info);
  gsize n = (gsize) width * height;
  guint sub_x = 0, sub_y = 0;

  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (&self->info); i++) {
    sub_x = MAX (sub_x, self->info.finfo->w_sub[i]);
    sub_y = MAX (sub_y, self->info.finfo->h_sub[i]);
  }
  memset (self->hidden, 0, n);
  for (gint y = 0; y < height; y++) {
    guint8 *first = self->hidden + (gsize) (y >> sub_y << sub_y) * width;

    for (gint x = 0; x < width; x++)
      first[x >> sub_x << sub_x] |= unknown[(gsize) y * width + x];
  }
  for (gint y = 0; y < height; y++)
    for (gint x = 0; x < width; x++)
      self->hidden[(gsize) y * width + x] =
          self->hidden[(gsize) (y >> sub_y << sub_y) * width
          + (x >> sub_x << sub_x)];
  g_clear_pointer (&self->forbidden, g_free);
  if (forbidden != NULL)
    self->forbidden = g_memdup2 (forbidden, n);
  self->params = *params;
  self->changed = TRUE;
  self->is_planned = FALSE;
}

/* ---- On the device -------------------------------------------------------------- */

static void
launch (MgpuInpaintBackground * self, GstMgpuJob * job, cl_kernel kernel,
    gint rows)
{
  gsize global[2] = { self->columns, rows }, local[2] = { self->columns, 1 };

  gst_mgpu_job_launch (job, kernel, 2, global, local);
}

/* Makes room for everything, and brings hidden to the device. */
static gboolean
ensure_memory (MgpuInpaintBackground * self, GstMgpuJob * job)
{
  gsize n = (gsize) GST_VIDEO_INFO_WIDTH (&self->info)
      * GST_VIDEO_INFO_HEIGHT (&self->info);
  gboolean ok = TRUE;

  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (&self->info) && ok; i++)
    ok = mgpu_bins_ensure_memory (job, &self->samples[i], SAMPLE_SIZE
        * (gsize) GST_VIDEO_INFO_COMP_WIDTH (&self->info, i)
        * GST_VIDEO_INFO_COMP_HEIGHT (&self->info, i), NULL);
  ok = ok && mgpu_bins_ensure_memory (job, &self->parts, 2 * sizeof (guint32)
      * self->columns * GST_VIDEO_INFO_HEIGHT (&self->info), NULL)
      && mgpu_bins_ensure_memory (job, &self->frame,
      GST_VIDEO_INFO_SIZE (&self->info), NULL);
  if (ok && self->changed)
    ok = mgpu_inpaint_upload (job, &self->hidden_memory, self->hidden, n, 0);
  self->changed = self->changed && !ok;
  return ok;
}

/* Sets *is_cut to whether so much of what is visible is something else that it is
 * another scene. FALSE after an error, which is in job. */
static gboolean
find_cut (MgpuInpaintBackground * self, GstMgpuJob * job, const MgpuImage * in,
    gboolean * is_cut)
{
  guint64 n = 0, others = 0;
  GError *error = NULL;
  GstMgpuJob part;
  MgpuComponent c;
  GstMapInfo map;

  mgpu_image_get_component (in, 0, &c);
  gst_mgpu_job_begin_part (&part, job);
  gst_mgpu_job_set_args (&part, self->compare, "miiiiiimmiim",
      gst_mgpu_job_read (&part, in->memory), c.offset, c.stride,
      c.pixel_stride, c.bytes, c.shift, c.max,
      gst_mgpu_job_read (&part, (GstMgpuMemory *) self->hidden_memory),
      gst_mgpu_job_read (&part, (GstMgpuMemory *) self->samples[0]), c.width,
      (c.max + 1) / FAR_PART, mgpu_bins_write (&part, self->parts));
  launch (self, &part, self->compare, c.height);
  if (!gst_mgpu_job_end (&part, &error)) {
    gst_mgpu_job_fail (job, error);
    return FALSE;
  }
  if (!mgpu_map_in_job (job, self->parts, &map, GST_MAP_READ))
    return FALSE;
  for (gint i = 0; i < self->columns * c.height; i++) {
    n += ((const guint32 *) map.data)[2 * i];
    others += ((const guint32 *) map.data)[2 * i + 1];
  }
  gst_memory_unmap (self->parts, &map);
  *is_cut = CUT_PART * others > n;
  return TRUE;
}

/* Remembers what is visible, and makes out the frame with what is remembered of
 * the rest. */
static void
enqueue_look (MgpuInpaintBackground * self, GstMgpuJob * job,
    const MgpuImage * in, const MgpuImage * out)
{
  mgpu_image_copy_planes (job, in, out, ~0u);
  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (&in->info); i++) {
    gboolean is_chroma = GST_VIDEO_INFO_IS_YUV (&in->info) && (i == 1 || i == 2);
    MgpuComponent c, to;

    mgpu_image_get_component (in, i, &c);
    mgpu_image_get_component (out, i, &to);
    gst_mgpu_job_set_args (job, self->look, "miiiiiiiimiimmiiii",
        gst_mgpu_job_read (job, in->memory), c.offset, c.stride,
        c.pixel_stride, c.bytes, c.shift, c.max, in->info.finfo->w_sub[i],
        in->info.finfo->h_sub[i], gst_mgpu_job_write (job, out->memory),
        to.offset, to.stride,
        gst_mgpu_job_read (job, (GstMgpuMemory *) self->hidden_memory),
        mgpu_bins_write (job, self->samples[i]), c.width,
        GST_VIDEO_INFO_WIDTH (&in->info),
        (c.max + 1) / (is_chroma ? NEAR_PART_OF_CHROMA : NEAR_PART),
        (gint) self->is_first);
    launch (self, job, self->look, c.height);
  }
}

/* ---- Frames ---------------------------------------------------------------------- */

/* Finds what is left to be filled; returns whether that is something else. */
static gboolean
find_unknown (MgpuInpaintBackground * self)
{
  gsize n = (gsize) GST_VIDEO_INFO_WIDTH (&self->info)
      * GST_VIDEO_INFO_HEIGHT (&self->info);
  gboolean changed = !self->is_planned;

  if (self->is_first)
    memset (self->seen, 0, n);
  for (gsize i = 0; i < n; i++) {
    guint8 unknown = self->hidden[i] & !self->seen[i];

    changed |= self->unknown[i] != unknown;
    self->unknown[i] = unknown;
    self->not_copied[i] = self->hidden[i]
        | (self->forbidden != NULL && self->forbidden[i]);
    self->seen[i] |= !self->hidden[i];
  }
  return changed;
}

gboolean
mgpu_inpaint_background_enqueue (MgpuInpaintBackground * self,
    MgpuInpaint * inpaint, GstMgpuJob * job, const MgpuImage * in,
    const MgpuImage * out, MgpuInpaintProgress progress, gpointer data,
    MgpuInpaintResult * result, gboolean * is_new)
{
  MgpuImage frame = {.info = self->info };
  gboolean is_cut = FALSE;

  *is_new = FALSE;
  *result = self->result;
  if (!ensure_memory (self, job)
      || (!self->is_first && !find_cut (self, job, in, &is_cut)))
    return TRUE;
  self->is_first |= is_cut;
  *is_new = find_unknown (self);
  if (*is_new)
    self->result = mgpu_inpaint_set_mask (inpaint, self->unknown,
        self->not_copied, &self->params);
  self->is_planned = TRUE;
  *result = self->result;

  frame.memory = (GstMgpuMemory *) self->frame;
  if (self->result < MGPU_INPAINT_COPIES)
    frame = *out;
  enqueue_look (self, job, in, &frame);
  self->is_first = FALSE;
  return self->result < MGPU_INPAINT_COPIES
      || mgpu_inpaint_enqueue (inpaint, job, &frame, out, progress, data);
}

void
mgpu_inpaint_background_free (MgpuInpaintBackground * self)
{
  if (self == NULL)
    return;
  if (self->compare != NULL)
    clReleaseKernel (self->compare);
  if (self->look != NULL)
    clReleaseKernel (self->look);
  for (guint i = 0; i < GST_VIDEO_MAX_COMPONENTS; i++)
    g_clear_pointer (&self->samples[i], gst_memory_unref);
  g_clear_pointer (&self->hidden_memory, gst_memory_unref);
  g_clear_pointer (&self->parts, gst_memory_unref);
  g_clear_pointer (&self->frame, gst_memory_unref);
  g_free (self->hidden);
  g_free (self->forbidden);
  g_free (self->seen);
  g_free (self->unknown);
  g_free (self->not_copied);
  g_free (self);
}
