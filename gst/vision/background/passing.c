/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Shows the objects that pass behind a mask that does not move. The device compares frames with
 * the background; the host follows the moving objects (tracks) in the result. The device then
 * keeps the pixels of the tracks, and writes them to the hole of later frames. See
 * docs/algorithms/inpaint-passing.md. */
#include "background-private.h"

#include <string.h>

/* Smallest width, in pixels, of the margin around the hole in which moving objects are
 * followed. The margin is as wide as the longer side of the hole if that is larger than this
 * value */
#define MIN_MARGIN 32

/* Maximum number of pixels of the hole with its margin; with more pixels, no moving objects are
 * followed */
#define MAX_PART (1 << 20)

/* Alignment, in pixels, of the first column and row of the part of the frame in which moving
 * objects are followed. The part then begins with a whole chroma sample, which covers 1, 2 or 4
 * columns and rows */
#define ALIGN 4

void
mgpu_background_clear_passing (MgpuInpaintBackground * self)
{
  g_clear_pointer (&self->tracks, mgpu_inpaint_tracks_free);
  g_clear_pointer (&self->still, g_free);
  g_clear_pointer (&self->found, g_free);
  g_clear_pointer (&self->owners, g_free);
  self->shown = 0;
}

void
mgpu_background_forget_passing (MgpuInpaintBackground * self)
{
  if (self->tracks != NULL)
    mgpu_inpaint_tracks_forget (self->tracks);
}

/* Returns: the part of the frame that contains the hidden pixels and a margin around them;
 * empty when there are no hidden pixels */
static MgpuRect
find_part (const MgpuInpaintBackground * self)
{
  gint width = GST_VIDEO_INFO_WIDTH (&self->info), margin;
  gint height = GST_VIDEO_INFO_HEIGHT (&self->info);
  MgpuBox box = { width, height, 0, 0 };
  MgpuRect part = { 0, 0, 0, 0 };

  for (gint y = 0; y < height; y++) {
    for (gint x = 0; x < width; x++) {
      if (!self->still[(gsize) y * width + x])
        continue;
      box.x0 = MIN (box.x0, x);
      box.y0 = MIN (box.y0, y);
      box.x1 = MAX (box.x1, x + 1);
      box.y1 = MAX (box.y1, y + 1);
    }
  }
  if (box.x1 == 0)
    return part;
  margin = MAX (MAX (box.x1 - box.x0, box.y1 - box.y0), MIN_MARGIN);
  part.x = MAX (box.x0 - margin, 0) / ALIGN * ALIGN;
  part.y = MAX (box.y0 - margin, 0) / ALIGN * ALIGN;
  part.width = MIN (box.x1 + margin, width) - part.x;
  part.height = MIN (box.y1 + margin, height) - part.y;
  return part;
}

/* Begins to follow the objects that move around the hole, unless the hole is empty or too
 * large. */
static void
begin (MgpuInpaintBackground * self)
{
  MgpuRect part = self->around;
  gsize n = (gsize) part.width * part.height;
  guint8 *hidden;

  if (n == 0 || n > MAX_PART)
    return;
  hidden = g_malloc (n);
  for (gint y = 0; y < part.height; y++)
    memcpy (hidden + (gsize) y * part.width, self->still
        + (gsize) (part.y + y) * GST_VIDEO_INFO_WIDTH (&self->info) + part.x,
        part.width);
  self->tracks = mgpu_inpaint_tracks_new (hidden, part.width, part.height);
  self->found = g_malloc (2 * n);
  self->owners = g_malloc (n);
  g_free (hidden);
}

/* Compares the mask of this frame with the mask of the previous frame. If they differ, forgets
 * all moving objects and remembers the mask of this frame.
 * Returns: whether the masks are the same */
static gboolean
is_still (MgpuInpaintBackground * self)
{
  const MgpuBackgroundHole *hole = &self->holes[LEAVING];
  gsize n = mgpu_background_count_pixels (self);

  if (self->still != NULL && (self->still_serial == hole->serial
          || memcmp (self->still, hole->hidden, n) == 0)) {
    self->still_serial = hole->serial;
    return TRUE;
  }
  mgpu_background_clear_passing (self);
  self->still = g_memdup2 (hole->hidden, n);
  self->around = find_part (self);
  self->still_serial = hole->serial;
  return FALSE;
}

gboolean
mgpu_background_begin_passing (MgpuInpaintBackground * self)
{
  self->shown = 0;
  if (!is_still (self))
    return FALSE;
  if (self->tracks == NULL)
    begin (self);
  return self->tracks != NULL;
}

gboolean
mgpu_background_find_passing (MgpuInpaintBackground * self, GstMgpuJob * job,
    const MgpuImage * in, gint * first)
{
  guint n_components = MIN (GST_VIDEO_INFO_N_COMPONENTS (&in->info), 3);
  cl_kernel kernel;
  MgpuRect at = self->around;
  gsize n = 2 * (gsize) at.width * at.height;

  *first = (n + sizeof (cl_uint) - 1) / sizeof (cl_uint);
  if (!mgpu_object_ensure (self, 1, job) || !mgpu_slot_ensure (self, AROUND,
          job, (*first + N_TOLD) * sizeof (cl_uint)))
    return FALSE;
  kernel = self->object.kernels[PASSING_FIND];
  for (guint i = 0; i < n_components; i++) {
    gboolean is_chroma = GST_VIDEO_INFO_IS_YUV (&in->info) && i > 0;
    MgpuComponent c = mgpu_get_component (&in->info, i);

    gst_mgpu_job_set_args (job, kernel, MGPU_SAMPLES "mmiiiiiiim",
        MGPU_READ_SAMPLES (job, in, i, c),
        mgpu_slot_read (self, HIDDEN, job),
        mgpu_slot_read (self, SAMPLES + i, job), c.width,
        GST_VIDEO_INFO_WIDTH (&in->info),
        (c.max + 1) / (is_chroma ? NEAR_PART_OF_CHROMA : NEAR_PART), (gint) i,
        at.x, at.y, at.width, mgpu_slot_write (self, AROUND, job, 0));
    mgpu_launch (job, kernel, 1, at.height, 1, 1, self->row);
  }
  return TRUE;
}

/* Enqueues kernels that copy pixels from the frame @in to the scratch buffer KEPT + @i: the
 * pixels of track @i (a moving object).
 * Returns: FALSE after an error, which is in @job */
static gboolean
keep (MgpuInpaintBackground * self, GstMgpuJob * job, const MgpuImage * in,
    guint i)
{
  guint n_components = GST_VIDEO_INFO_N_COMPONENTS (&in->info);
  cl_kernel kernel = self->object.kernels[PASSING_KEEP];
  MgpuRect at = self->around;
  gsize n = (gsize) at.width * at.height;
  MgpuBox box;
  gint dx, dy;

  if (!mgpu_slot_ensure (self, KEPT + i, job,
          n_components * n * sizeof (cl_ushort)))
    return FALSE;
  mgpu_inpaint_tracks_get (self->tracks, i, &box, &dx, &dy);
  for (guint k = 0; k < n_components; k++) {
    MgpuComponent c = mgpu_get_component (&in->info, k);

    gst_mgpu_job_set_args (job, kernel, MGPU_SAMPLES "iiiiiiim",
        MGPU_READ_SAMPLES (job, in, k, c), at.x, at.y, at.width, box.x0,
        box.y0, box.x1 - box.x0, (gint) (k * n),
        mgpu_slot_write (self, KEPT + i, job, 0));
    mgpu_launch (job, kernel, 1, box.y1 - box.y0, 1, 1, self->row);
  }
  return TRUE;
}

gboolean
mgpu_background_follow_passing (MgpuInpaintBackground * self, GstMgpuJob * job,
    const MgpuImage * in)
{
  gsize n = (gsize) self->around.width * self->around.height;
  guint8 *luma = g_malloc (n), *differs = g_malloc (n);
  guint looks;

  for (gsize i = 0; i < n; i++) {
    luma[i] = self->found[2 * i];
    differs[i] = self->found[2 * i + 1] & FOUND_DIFFERS;
  }
  looks = mgpu_inpaint_tracks_add (self->tracks, luma, differs);
  g_free (luma);
  g_free (differs);
  for (guint i = 0; i < MGPU_INPAINT_TRACKS; i++)
    if (looks >> i & 1 && !keep (self, job, in, i))
      return FALSE;
  self->shown = mgpu_inpaint_tracks_show (self->tracks, self->owners);
  return self->shown == 0
      || mgpu_slot_upload (self, OWNERS, job, self->owners, n, 0);
}

void
mgpu_background_show_passing (MgpuInpaintBackground * self, GstMgpuJob * job,
    const MgpuImage * out)
{
  cl_kernel kernel = self->object.kernels[PASSING_SHOW];
  MgpuRect at = self->around;

  for (guint i = 0; i < MGPU_INPAINT_TRACKS; i++) {
    MgpuBox box;
    gint dx, dy;

    if (!(self->shown >> i & 1))
      continue;
    mgpu_inpaint_tracks_get (self->tracks, i, &box, &dx, &dy);
    for (guint k = 0; k < GST_VIDEO_INFO_N_COMPONENTS (&out->info); k++) {
      MgpuComponent c = mgpu_get_component (&out->info, k);
      gint sub_x = out->info.finfo->w_sub[k], sub_y = out->info.finfo->h_sub[k];

      gst_mgpu_job_set_args (job, kernel, MGPU_PLANE "iiiiimiiiiiiim",
          MGPU_WRITE (job, out, c), c.pixel_stride, c.bytes, c.shift, sub_x,
          sub_y, mgpu_slot_read (self, OWNERS, job), (gint) i + 1, at.x, at.y,
          at.width, dx, dy, (gint) k * at.width * at.height,
          mgpu_slot_read (self, KEPT + i, job));
      mgpu_launch (job, kernel, 1, (at.height + (1 << sub_y) - 1) >> sub_y, 1,
          1, self->row);
    }
  }
}
