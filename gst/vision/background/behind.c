/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Enqueues the kernels that inpaint with a remembered background. See
 * docs/algorithms/inpaint.md. */
#include "background-private.h"
#include "appear.h"

/* Used to detect a new scene: a sample of the first color component counts as changed when it
 * differs from the remembered sample by more than 1 / FAR_PART of the range of sample values */
#define FAR_PART 8

void
mgpu_background_get_smallest (const MgpuInpaintBackground * self,
    gint * columns, gint * rows)
{
  *columns = (GST_VIDEO_INFO_WIDTH (&self->info) + (1 << self->sub_x) - 1)
      >> self->sub_x;
  *rows = (GST_VIDEO_INFO_HEIGHT (&self->info) + (1 << self->sub_y) - 1)
      >> self->sub_y;
}

/* Launches kernel number @kernel with @rows rows of work-items. */
static void
launch_rows (MgpuInpaintBackground * self, GstMgpuJob * job, guint kernel,
    gint rows)
{
  mgpu_launch (job, self->object.kernels[kernel], 1, rows, 1, 1, self->row);
}

/* Copies a mask to the device if it has changed.
 * Returns: FALSE after an error, which is in @job */
static gboolean
upload_mask (MgpuInpaintBackground * self, GstMgpuJob * job,
    MgpuBackgroundMask mask)
{
  MgpuBackgroundHole *hole = &self->holes[mask];

  hole->changed = hole->changed && !mgpu_slot_upload (self, MASK + mask, job,
      hole->hidden, mgpu_background_count_pixels (self), 0);
  return !hole->changed;
}

gboolean
mgpu_background_prepare (MgpuInpaintBackground * self, GstMgpuJob * job,
    MgpuBackgroundMask mask)
{
  const guint pixels[] = { WAS, SEEN, WHOLE, HIDDEN, UNKNOWN, UNKNOWN + 1, LEFT,
    PLANNED, MOVING
  };
  const GstVideoInfo *info = &self->info;
  gsize n = mgpu_background_count_pixels (self);
  gboolean ok = TRUE;

  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (info) && ok; i++)
    ok = mgpu_slot_ensure (self, SAMPLES + i, job, sizeof (cl_ushort4)
        * (gsize) GST_VIDEO_INFO_COMP_WIDTH (info, i)
        * GST_VIDEO_INFO_COMP_HEIGHT (info, i));
  for (guint i = 0; i < G_N_ELEMENTS (pixels) && ok; i++)
    ok = mgpu_slot_ensure_zeros (self, pixels[i], job, n);
  return ok && mgpu_slot_ensure_zeros (self, SUMS, job,
      N_COPIES * N_COUNTERS * sizeof (cl_uint))
      && mgpu_slot_ensure (self, STATE, job, N_TOLD * sizeof (cl_uint))
      && mgpu_slot_ensure (self, TOLD, job, N_TOLD * sizeof (cl_uint))
      && upload_mask (self, job, mask);
}

void
mgpu_background_compare (MgpuInpaintBackground * self, GstMgpuJob * job,
    const MgpuImage * in, MgpuBackgroundMask mask)
{
  MgpuComponent c = mgpu_get_component (&in->info, 0);

  gst_mgpu_job_set_args (job, self->object.kernels[COMPARE],
      MGPU_PLANE "iiiimmiim", MGPU_READ (job, in, c), c.pixel_stride, c.bytes,
      c.shift, c.max, mgpu_slot_read (self, MASK + mask, job),
      mgpu_slot_read (self, SAMPLES, job), c.width, (c.max + 1) / FAR_PART,
      mgpu_slot_write (self, SUMS, job, 0));
  launch_rows (self, job, COMPARE, c.height);
}

void
mgpu_background_judge (MgpuInpaintBackground * self, GstMgpuJob * job)
{
  gst_mgpu_job_set_args (job, self->object.kernels[JUDGE], "mim",
      mgpu_slot_write (self, SUMS, job, 0), (gint) self->is_first,
      mgpu_slot_write (self, STATE, job, 0));
  mgpu_launch_items (job, self->object.kernels[JUDGE], 1, 1);
}

void
mgpu_background_tell (MgpuInpaintBackground * self, GstMgpuJob * job,
    guint slot, gint first)
{
  gst_mgpu_job_set_args (job, self->object.kernels[TELL], "mmmi",
      mgpu_slot_write (self, SUMS, job, 0), mgpu_slot_read (self, STATE, job),
      mgpu_slot_write (self, slot, job, 0), first);
  mgpu_launch_items (job, self->object.kernels[TELL], 1, 1);
}

/* ---- Pixels that may not have been background ------------------------------------- */

/* Enqueues kernels that forget pixels of the part @part of the mask. All pixels of the part are
 * in @box. */
static void
doubt_part (MgpuInpaintBackground * self, GstMgpuJob * job, gint part,
    MgpuBox box)
{
  gint radius = MIN (box.x1 - box.x0, box.y1 - box.y0) / 4;
  gint width = GST_VIDEO_INFO_WIDTH (&self->info);

  gst_mgpu_job_set_args (job, self->object.kernels[NEAR], "miiiiiiim",
      mgpu_slot_read (self, CHANGED, job), width, part, radius, box.x0, box.y0,
      box.x1, box.y1, mgpu_slot_write (self, BESIDE, job, 0));
  launch_rows (self, job, NEAR, box.y1 - box.y0);
  gst_mgpu_job_set_args (job, self->object.kernels[DOUBT], "mimiiiiiiim",
      mgpu_slot_read (self, PARTS, job),
      width * GST_VIDEO_INFO_HEIGHT (&self->info), mgpu_slot_read (self, BESIDE,
          job), width, part, radius, box.x0, box.y0, box.x1, box.y1,
      mgpu_slot_write (self, SEEN, job, 0));
  launch_rows (self, job, DOUBT, box.y1 - box.y0);
}

/* Enqueues kernels that forget pixels of objects that have just appeared in the mask. Such a
 * pixel was visible in few frames; its remembered value may show the object instead of the
 * background. */
static void
doubt_appeared (MgpuInpaintBackground * self, GstMgpuJob * job,
    const MgpuImage * in, MgpuBackgroundMask mask)
{
  gsize n = mgpu_background_count_pixels (self);
  MgpuComponent c = mgpu_get_component (&in->info, 0);
  g_autofree gint *labels = NULL;
  g_autoptr (GArray) boxes =
      mgpu_background_find_appeared (self->holes[mask].hidden,
      self->was, c.width, c.height, &labels);

  if (boxes->len > 0 && mgpu_slot_upload (self, PARTS, job, labels,
          (n + 2 * (boxes->len + 1)) * sizeof (gint), 0)
      && mgpu_slot_ensure (self, CHANGED, job, n * sizeof (gint))
      && mgpu_slot_ensure (self, BESIDE, job, n)) {
    /* Uploads the labels. The kernel APPEAR counts in the zeros that follow the labels. */
    mgpu_slot_read (self, PARTS, job);
    gst_mgpu_job_set_args (job, self->object.kernels[APPEAR],
        MGPU_PLANE "iiiimmmiiim", MGPU_READ (job, in, c), c.pixel_stride,
        c.bytes, c.shift, c.max, mgpu_slot_read (self, SAMPLES, job),
        mgpu_slot_read (self, SEEN, job), mgpu_slot_write (self, PARTS, job, 0),
        c.width, c.height, (c.max + 1) / NEAR_PART, mgpu_slot_write (self,
            CHANGED, job, 0));
    launch_rows (self, job, APPEAR, c.height);
    for (guint i = 0; i < boxes->len; i++)
      doubt_part (self, job, i + 1, g_array_index (boxes, MgpuBox, i));
  }
}

/* Enqueues the kernel that finds the pixels of @box whose background is not settled, except
 * pixels that are set in the scratch buffer @ignored. */
static void
settle (MgpuInpaintBackground * self, GstMgpuJob * job, guint ignored,
    gint quarters, MgpuBox box)
{
  gst_mgpu_job_set_args (job, self->object.kernels[SETTLE], "mmmiiiiiim",
      mgpu_slot_read (self, SAMPLES, job), mgpu_slot_read (self, SEEN, job),
      mgpu_slot_read (self, ignored, job), quarters,
      GST_VIDEO_INFO_WIDTH (&self->info), GST_VIDEO_INFO_HEIGHT (&self->info),
      box.x0, box.y0, box.x1 - box.x0, mgpu_slot_write (self, MOVING, job, 0));
  launch_rows (self, job, SETTLE, box.y1 - box.y0);
}

void
mgpu_background_doubt (MgpuInpaintBackground * self, GstMgpuJob * job,
    const MgpuImage * in, MgpuBackgroundMask mask)
{
  gint width = GST_VIDEO_INFO_WIDTH (&self->info);
  gint height = GST_VIDEO_INFO_HEIGHT (&self->info);
  MgpuBox box, around;

  if (self->holes[mask].serial == self->was_serial)
    return;
  box = mgpu_background_find_new (self->holes[mask].hidden, self->was, width,
      height);
  if (box.x1 == 0)
    return;
  doubt_appeared (self, job, in, mask);
  around = (MgpuBox) {
  MAX (box.x0 - UNSETTLED_BORDER, 0), MAX (box.y0 - UNSETTLED_BORDER, 0),
        MIN (box.x1 + UNSETTLED_BORDER, width),
        MIN (box.y1 + UNSETTLED_BORDER, height)};
  settle (self, job, WAS, 3, around);
  gst_mgpu_job_set_args (job, self->object.kernels[FORGET], "mmmiiiiim",
      mgpu_slot_read (self, MASK + mask, job), mgpu_slot_read (self, WAS, job),
      mgpu_slot_read (self, MOVING, job), width, height, box.x0, box.y0,
      box.x1 - box.x0, mgpu_slot_write (self, SEEN, job, 0));
  launch_rows (self, job, FORGET, box.y1 - box.y0);
}

/* ---- What is remembered ------------------------------------------------------------ */

/* Enqueues the kernel that counts, for each pixel, the frames in which it was visible:
 * increases the counts of the pixels that are visible in this frame. */
static void
count (MgpuInpaintBackground * self, GstMgpuJob * job, MgpuBackgroundMask mask)
{
  gst_mgpu_job_set_args (job, self->object.kernels[COUNT], "mmiiiimmmm",
      mgpu_slot_read (self, MASK + mask, job), mgpu_slot_read (self, STATE,
          job), (gint) self->camera_moves, (gint) self->sub_x,
      (gint) self->sub_y, GST_VIDEO_INFO_WIDTH (&self->info),
      mgpu_slot_write (self, WAS, job, 0), mgpu_slot_write (self, SEEN, job, 0),
      mgpu_slot_write (self, WHOLE, job, 0), mgpu_slot_write (self, HIDDEN, job,
          0));
  launch_rows (self, job, COUNT, GST_VIDEO_INFO_HEIGHT (&self->info));
}

void
mgpu_background_remember (MgpuInpaintBackground * self, GstMgpuJob * job,
    const MgpuImage * in, const MgpuImage * plate, MgpuBackgroundMask mask)
{
  count (self, job, mask);
  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (&in->info); i++) {
    gboolean is_chroma = GST_VIDEO_INFO_IS_YUV (&in->info) && (i == 1
        || i == 2);
    MgpuComponent c = mgpu_get_component (&in->info, i);
    MgpuComponent to = mgpu_get_component (&plate->info, i);

    gst_mgpu_job_set_args (job, self->object.kernels[LOOK],
        MGPU_SAMPLES MGPU_PLANE "mmiiim", MGPU_READ_SAMPLES (job, in, i, c),
        MGPU_WRITE (job, plate, to), mgpu_slot_read (self, HIDDEN, job),
        mgpu_slot_write (self, SAMPLES + i, job, 0), c.width,
        GST_VIDEO_INFO_WIDTH (&in->info),
        (c.max + 1) / (is_chroma ? NEAR_PART_OF_CHROMA : NEAR_PART),
        mgpu_slot_read (self, STATE, job));
    launch_rows (self, job, LOOK, c.height);
  }
}

void
mgpu_background_hide (MgpuInpaintBackground * self, GstMgpuJob * job)
{
  gst_mgpu_job_set_args (job, self->object.kernels[HIDE], "mmmiiiimmmmm",
      mgpu_slot_read (self, MASK + LEAVING, job), mgpu_slot_read (self, SEEN,
          job), mgpu_slot_read (self, WHOLE, job), (gint) self->camera_moves,
      (gint) self->sub_x, (gint) self->sub_y,
      GST_VIDEO_INFO_WIDTH (&self->info), mgpu_slot_read (self, PLANNED, job),
      mgpu_slot_write (self, HIDDEN, job, 0), mgpu_slot_write (self,
          UNKNOWN + self->unknown_at, job, 0), mgpu_slot_write (self, LEFT, job,
          0), mgpu_slot_write (self, SUMS, job, 0));
  launch_rows (self, job, HIDE, GST_VIDEO_INFO_HEIGHT (&self->info));
}

gboolean
mgpu_background_report (MgpuInpaintBackground * self, GstMgpuJob * job,
    guint8 * report)
{
  gint width = GST_VIDEO_INFO_WIDTH (&self->info);
  gint height = GST_VIDEO_INFO_HEIGHT (&self->info);
  gsize n = mgpu_background_count_pixels (self);
  guint unknown = UNKNOWN + self->unknown_at;
  guint was_unknown = UNKNOWN + (1 - self->unknown_at);
  MgpuBox all = { 0, 0, width, height };
  GstMgpuJob part;

  gst_mgpu_job_begin_part (&part, job);
  settle (self, &part, unknown, 2, all);
  gst_mgpu_job_set_args (&part, self->object.kernels[REPORT], "mmmiim",
      mgpu_slot_read (self, unknown, &part), mgpu_slot_read (self, was_unknown,
          &part), mgpu_slot_read (self, MOVING, &part), width, height,
      mgpu_slot_write (self, REPORTED, &part, n));
  launch_rows (self, &part, REPORT, height);
  return mgpu_end_part (job, &part)
      && mgpu_slot_download (self, REPORTED, job, report, n);
}

/* ---- What patches filled ----------------------------------------------------------- */

void
mgpu_background_check (MgpuInpaintBackground * self, GstMgpuJob * job,
    const MgpuImage * filled, const MgpuImage * base)
{
  MgpuComponent a = mgpu_get_component (&filled->info, 0);
  MgpuComponent b = mgpu_get_component (&base->info, 0);

  gst_mgpu_job_set_args (job, self->object.kernels[DIFFER],
      MGPU_PLANE "iiii" MGPU_PLANE "miim", MGPU_READ (job, filled, a),
      a.pixel_stride, a.bytes, a.shift, a.max, MGPU_READ (job, base, b),
      mgpu_slot_read (self, HIDDEN, job), a.width, (a.max + 1) / NEAR_PART,
      mgpu_slot_write (self, SUMS, job, 0));
  launch_rows (self, job, DIFFER, a.height);
}

void
mgpu_background_steady (MgpuInpaintBackground * self, GstMgpuJob * job,
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
mgpu_background_show (MgpuInpaintBackground * self, GstMgpuJob * job,
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
