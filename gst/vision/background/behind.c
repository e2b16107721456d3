/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Enqueues the kernels of inpainting with remembered background. See
 * docs/algorithms/inpaint.md. */
#include "background-private.h"

/* Limits for the detection of a new scene. A sample of the first colour component counts
 * as changed when it differs from the remembered one by more than 1 / FAR_PART of the
 * range of sample values. A frame belongs to a new scene when more than 1 / CUT_PART of
 * its visible samples have changed. */
#define FAR_PART 8
#define CUT_PART 4

gboolean
mgpu_inpaint_behind_upload (MgpuInpaintBackground * self, GstMgpuJob * job)
{
  gsize n = (gsize) GST_VIDEO_INFO_WIDTH (&self->info)
      * GST_VIDEO_INFO_HEIGHT (&self->info);

  self->changed = self->changed
      && !mgpu_slot_upload (self, HIDDEN, job, self->hidden, n, 0);
  return !self->changed;
}

gboolean
mgpu_inpaint_behind_prepare (MgpuInpaintBackground * self, GstMgpuJob * job)
{
  const GstVideoInfo *info = &self->info;
  gboolean ok = TRUE;

  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (info) && ok; i++)
    ok = mgpu_slot_ensure (self, SAMPLES + i, job, sizeof (cl_ushort4)
        * (gsize) GST_VIDEO_INFO_COMP_WIDTH (info, i)
        * GST_VIDEO_INFO_COMP_HEIGHT (info, i));
  return ok && mgpu_slot_ensure (self, COUNTS, job, sizeof (cl_uint2)
      * self->row[0] * GST_VIDEO_INFO_HEIGHT (info))
      && mgpu_inpaint_behind_upload (self, job);
}

/* Ends the job @part, whose kernels write to the scratch buffer COUNTS how many pixels they
 * compared, and how many of these differ. Sets *is_more to whether more than 1 / @share of
 * the compared pixels differ. FALSE: the error is in @job. */
static gboolean
get_share (MgpuInpaintBackground * self, GstMgpuJob * job, GstMgpuJob * part,
    guint share, gboolean * is_more)
{
  GstMemory *counts = self->object.slots[COUNTS];
  guint64 n = 0, others = 0;
  GstMapInfo map;

  if (!mgpu_end_part (job, part)
      || !mgpu_map_in_job (job, counts, &map, GST_MAP_READ))
    return FALSE;
  for (gint i = 0; i < (gint) self->row[0]
      * GST_VIDEO_INFO_HEIGHT (&self->info); i++) {
    n += ((const guint32 *) map.data)[2 * i];
    others += ((const guint32 *) map.data)[2 * i + 1];
  }
  gst_memory_unmap (counts, &map);
  *is_more = share * others > n;
  return TRUE;
}

gboolean
mgpu_inpaint_behind_find_cut (MgpuInpaintBackground * self, GstMgpuJob * job,
    const MgpuImage * in, gboolean * is_cut)
{
  cl_kernel kernel = self->object.kernels[COMPARE];
  MgpuComponent c = mgpu_get_component (&in->info, 0);
  GstMgpuJob part;

  gst_mgpu_job_begin_part (&part, job);
  gst_mgpu_job_set_args (&part, kernel, MGPU_PLANE "iiiimmiim",
      MGPU_READ (&part, in, c), c.pixel_stride, c.bytes, c.shift, c.max,
      mgpu_slot_read (self, HIDDEN, &part),
      mgpu_slot_read (self, SAMPLES, &part), c.width,
      (c.max + 1) / FAR_PART, mgpu_slot_write (self, COUNTS, &part, 0));
  mgpu_launch (&part, kernel, 1, c.height, 1, 1, self->row);
  return get_share (self, job, &part, CUT_PART, is_cut);
}

gboolean
mgpu_inpaint_behind_find_stale (MgpuInpaintBackground * self, GstMgpuJob * job,
    const MgpuImage * filled, const MgpuImage * base, guint share,
    gboolean * is_stale)
{
  cl_kernel kernel = self->object.kernels[DIFFER];
  MgpuComponent a = mgpu_get_component (&filled->info, 0);
  MgpuComponent b = mgpu_get_component (&base->info, 0);
  GstMgpuJob part;

  gst_mgpu_job_begin_part (&part, job);
  gst_mgpu_job_set_args (&part, kernel, MGPU_PLANE "iiii" MGPU_PLANE "miim",
      MGPU_READ (&part, filled, a), a.pixel_stride, a.bytes, a.shift, a.max,
      MGPU_READ (&part, base, b), mgpu_slot_read (self, HIDDEN, &part),
      a.width, (a.max + 1) / NEAR_PART,
      mgpu_slot_write (self, COUNTS, &part, 0));
  mgpu_launch (&part, kernel, 1, a.height, 1, 1, self->row);
  return get_share (self, job, &part, share, is_stale);
}

void
mgpu_inpaint_behind_steady (MgpuInpaintBackground * self, GstMgpuJob * job,
    const MgpuImage * filled, const MgpuImage * base, const MgpuImage * first,
    guint which)
{
  cl_kernel kernel = self->object.kernels[STEADY];

  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (&self->info); i++) {
    gboolean is_chroma = GST_VIDEO_INFO_IS_YUV (&self->info) && (i == 1
        || i == 2);
    MgpuComponent c = mgpu_get_component (&filled->info, i);
    MgpuComponent from = mgpu_get_component (&first->info, i);
    MgpuComponent b = mgpu_get_component (&base->info, i);

    gst_mgpu_job_set_args (job, kernel,
        MGPU_SAMPLES MGPU_PLANE MGPU_PLANE "miii",
        MGPU_WRITE (job, filled, c), c.pixel_stride, c.bytes, c.shift, c.max,
        self->info.finfo->w_sub[i], self->info.finfo->h_sub[i],
        MGPU_READ (job, base, b), MGPU_READ (job, first, from),
        mgpu_slot_read (self, which, job), c.width,
        GST_VIDEO_INFO_WIDTH (&self->info),
        (c.max + 1) / (is_chroma ? NEAR_PART_OF_CHROMA : NEAR_PART));
    mgpu_launch (job, kernel, 1, c.height, 1, 1, self->row);
  }
}

void
mgpu_inpaint_behind_look (MgpuInpaintBackground * self, GstMgpuJob * job,
    const MgpuImage * in, const MgpuImage * plate)
{
  cl_kernel kernel = self->object.kernels[LOOK];

  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (&in->info); i++) {
    gboolean is_chroma = GST_VIDEO_INFO_IS_YUV (&in->info) && (i == 1
        || i == 2);
    MgpuComponent c = mgpu_get_component (&in->info, i);
    MgpuComponent to = mgpu_get_component (&plate->info, i);

    gst_mgpu_job_set_args (job, kernel, MGPU_SAMPLES MGPU_PLANE
        "mmiiii", MGPU_READ_SAMPLES (job, in, i, c),
        MGPU_WRITE (job, plate, to), mgpu_slot_read (self, HIDDEN, job),
        mgpu_slot_write (self, SAMPLES + i, job, 0), c.width,
        GST_VIDEO_INFO_WIDTH (&in->info),
        (c.max + 1) / (is_chroma ? NEAR_PART_OF_CHROMA : NEAR_PART),
        (gint) self->is_first);
    mgpu_launch (job, kernel, 1, c.height, 1, 1, self->row);
  }
}

void
mgpu_inpaint_behind_show (MgpuInpaintBackground * self, GstMgpuJob * job,
    const MgpuImage * in, const MgpuImage * filled, const MgpuImage * out)
{
  cl_kernel kernel = self->object.kernels[SHOW];

  mgpu_image_copy_planes (job, in, out, ~0u);
  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (&in->info); i++) {
    MgpuComponent c = mgpu_get_component (&filled->info, i);
    MgpuComponent to = mgpu_get_component (&out->info, i);

    gst_mgpu_job_set_args (job, kernel, MGPU_SAMPLES MGPU_PLANE "mmii",
        MGPU_READ_SAMPLES (job, filled, i, c), MGPU_WRITE (job, out, to),
        mgpu_slot_read (self, HIDDEN, job),
        mgpu_slot_read (self, SAMPLES + i, job), c.width,
        GST_VIDEO_INFO_WIDTH (&in->info));
    mgpu_launch (job, kernel, 1, c.height, 1, 1, self->row);
  }
}
