/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Remembers the background behind objects: see docs/algorithms/inpaint.md. */
#include "background.h"

#include <string.h>

#include "private.h"

/* Limits of changes. Two samples count as the same when they differ by no more than
 * 1 / NEAR_PART of their range. A sample of the first component has changed when it
 * differs by more than 1 / FAR_PART of the range. A frame belongs to another scene when
 * more than 1 / CUT_PART of these samples, among visible pixels, have changed. */
#define NEAR_PART 16
#define NEAR_PART_OF_CHROMA 32
#define FAR_PART 8
#define CUT_PART 4

/* Names the indices of the array kernels. */
enum
{
  COMPARE,
  LOOK
};

/* Names the slots: memories that kernels leave for each other. */
enum
{
  SAMPLES,
  HIDDEN = SAMPLES + GST_VIDEO_MAX_COMPONENTS,
  COUNTS,
  FRAME,
  N_BACKGROUND_SLOTS
};

struct _MgpuInpaintBackground
{
  MgpuObject object;
  GstVideoInfo info;            /* format and size of FRAME, whose rows have no gaps */
  gsize row[2];                 /* work-group whose work-items share a row */

  MgpuInpaintParams params;
  guint8 *hidden;               /* for each pixel: 1 when an object hides it */
  guint8 *forbidden;            /* for each pixel: 1 when it is never copied; may be NULL */
  guint8 *seen;                 /* for each pixel: 1 when it was visible once */
  /* for each pixel: 1 when patches fill it, 1 when patches must not copy it */
  guint8 *unknown, *not_copied;
  gboolean is_first;            /* whether no frame is remembered yet */
  gboolean changed;             /* whether hidden is not on the device yet */
  gboolean is_planned;          /* whether unknown was set as mask of the inpainting */
  MgpuInpaintResult result;
};

static const MgpuKnob knobs[] = {
  MGPU_INPAINT_ROW_GROUP,
  {NULL}
};

static const MgpuKernel kernels[] = {
  [COMPARE] = {"inpaint/background", "background_compare", 0},
  [LOOK] = {"inpaint/background", "background_look", 0},
  {NULL}
};

static gboolean
init (gpointer object, gconstpointer params, GError ** error)
{
  MgpuInpaintBackground *self = object;
  const GstVideoInfo *in = &self->object.in;
  gsize n = (gsize) GST_VIDEO_INFO_WIDTH (in) * GST_VIDEO_INFO_HEIGHT (in);

  gst_video_info_set_format (&self->info, GST_VIDEO_INFO_FORMAT (in),
      GST_VIDEO_INFO_WIDTH (in), GST_VIDEO_INFO_HEIGHT (in));
  mgpu_group (self->object.context, self->object.knobs[0], 1, self->row);
  self->hidden = g_malloc0 (n);
  self->seen = g_malloc0 (n);
  self->unknown = g_malloc0 (n);
  self->not_copied = g_malloc0 (n);
  self->is_first = TRUE;
  self->changed = TRUE;
  return TRUE;
}

static void
clear (gpointer object)
{
  MgpuInpaintBackground *self = object;

  g_free (self->hidden);
  g_free (self->forbidden);
  g_free (self->seen);
  g_free (self->unknown);
  g_free (self->not_copied);
}

const MgpuAlgorithm mgpu_inpaint_background = {
  .size = sizeof (MgpuInpaintBackground),
  .knobs = knobs,
  .kernels = kernels,
  .n_slots = N_BACKGROUND_SLOTS,
  .init = init,
  .clear = clear
};

void
mgpu_inpaint_background_forget (MgpuInpaintBackground * self)
{
  self->is_first = TRUE;
}

/* Hides not only the pixels of unknown, but all pixels that share a sample of any
 * component with one of them. */
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

/* Allocates the slots, and copies hidden to the device when it has changed. FALSE: the
 * error is in job. */
static gboolean
ensure_slots (MgpuInpaintBackground * self, GstMgpuJob * job)
{
  const GstVideoInfo *info = &self->info;
  gsize n = (gsize) GST_VIDEO_INFO_WIDTH (info) * GST_VIDEO_INFO_HEIGHT (info);
  gboolean ok = TRUE;

  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (info) && ok; i++)
    ok = mgpu_slot_ensure (self, SAMPLES + i, job, sizeof (cl_ushort4)
        * (gsize) GST_VIDEO_INFO_COMP_WIDTH (info, i)
        * GST_VIDEO_INFO_COMP_HEIGHT (info, i));
  ok = ok && mgpu_slot_ensure (self, COUNTS, job, sizeof (cl_uint2)
      * self->row[0] * GST_VIDEO_INFO_HEIGHT (info))
      && mgpu_slot_ensure (self, FRAME, job, GST_VIDEO_INFO_SIZE (info));
  if (ok && self->changed)
    ok = mgpu_slot_upload (self, HIDDEN, job, self->hidden, n, 0);
  self->changed = self->changed && !ok;
  return ok;
}

/* Compares the visible pixels with the remembered ones, and sets *is_cut to whether the
 * frame belongs to another scene. FALSE: the error is in job. */
static gboolean
find_cut (MgpuInpaintBackground * self, GstMgpuJob * job, const MgpuImage * in,
    gboolean * is_cut)
{
  cl_kernel kernel = self->object.kernels[COMPARE];
  MgpuComponent c = mgpu_get_component (&in->info, 0);
  GstMemory *counts = self->object.slots[COUNTS];
  guint64 n = 0, others = 0;
  GstMgpuJob part;
  GstMapInfo map;

  gst_mgpu_job_begin_part (&part, job);
  gst_mgpu_job_set_args (&part, kernel, MGPU_PLANE "iiiimmiim",
      MGPU_READ (&part, in, c), c.pixel_stride, c.bytes, c.shift, c.max,
      mgpu_slot_read (self, HIDDEN, &part),
      mgpu_slot_read (self, SAMPLES, &part), c.width,
      (c.max + 1) / FAR_PART, mgpu_slot_write (self, COUNTS, &part, 0));
  mgpu_launch (&part, kernel, 1, c.height, 1, 1, self->row);
  if (!mgpu_end_part (job, &part)
      || !mgpu_map_in_job (job, counts, &map, GST_MAP_READ))
    return FALSE;
  for (gint i = 0; i < (gint) self->row[0] * c.height; i++) {
    n += ((const guint32 *) map.data)[2 * i];
    others += ((const guint32 *) map.data)[2 * i + 1];
  }
  gst_memory_unmap (counts, &map);
  *is_cut = CUT_PART * others > n;
  return TRUE;
}

/* Remembers the visible samples. Writes the frame to out, with remembered samples in
 * place of the hidden ones. */
static void
enqueue_look (MgpuInpaintBackground * self, GstMgpuJob * job,
    const MgpuImage * in, const MgpuImage * out)
{
  cl_kernel kernel = self->object.kernels[LOOK];

  mgpu_image_copy_planes (job, in, out, ~0u);
  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (&in->info); i++) {
    gboolean is_chroma = GST_VIDEO_INFO_IS_YUV (&in->info) && (i == 1 || i == 2);
    MgpuComponent c = mgpu_get_component (&in->info, i);
    MgpuComponent to = mgpu_get_component (&out->info, i);

    gst_mgpu_job_set_args (job, kernel, MGPU_INPAINT_SAMPLES MGPU_PLANE
        "mmiiii", MGPU_INPAINT_SAMPLES_OF (job, in, i, c),
        MGPU_WRITE (job, out, to), mgpu_slot_read (self, HIDDEN, job),
        mgpu_slot_write (self, SAMPLES + i, job, 0), c.width,
        GST_VIDEO_INFO_WIDTH (&in->info),
        (c.max + 1) / (is_chroma ? NEAR_PART_OF_CHROMA : NEAR_PART),
        (gint) self->is_first);
    mgpu_launch (job, kernel, 1, c.height, 1, 1, self->row);
  }
}

/* ---- Frames ---------------------------------------------------------------------- */

/* Finds the hidden pixels that were never visible. Returns: whether they are not the same
 * as in the frame before */
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
  if (!ensure_slots (self, job)
      || (!self->is_first && !find_cut (self, job, in, &is_cut)))
    return TRUE;
  self->is_first |= is_cut;
  *is_new = find_unknown (self);
  if (*is_new)
    self->result = mgpu_inpaint_set_mask (inpaint, self->unknown,
        self->not_copied, &self->params);
  self->is_planned = TRUE;
  *result = self->result;

  frame.memory = (GstMgpuMemory *) self->object.slots[FRAME];
  if (self->result < MGPU_INPAINT_COPIES)
    frame = *out;
  enqueue_look (self, job, in, &frame);
  self->is_first = FALSE;
  return self->result < MGPU_INPAINT_COPIES
      || mgpu_inpaint_enqueue (inpaint, job, &frame, out, progress, data);
}
