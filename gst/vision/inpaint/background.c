/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Inpaints with remembered background: keeps, for each pixel, the colours that were seen
 * there in earlier frames. See docs/algorithms/inpaint.md. */
#include "background.h"

#include <string.h>

#include "private.h"

/* Limits of changes between frames. Two samples count as the same when they
 * differ by no more than 1 / NEAR_PART of their range. A sample of the first
 * component counts as changed when it differs by more than 1 / FAR_PART of the
 * range. A frame belongs to another scene when more than 1 / CUT_PART of these
 * samples, among visible pixels, have changed. */
#define NEAR_PART 16
#define NEAR_PART_OF_CHROMA 32
#define FAR_PART 8
#define CUT_PART 4

/* Number of frames in which a pixel has to be visible until its remembered
 * colour is trusted: a detector may need some frames to find an object. */
#define TRUSTED 8

/* Number of frames from one check of the filled hole to the next, in one scene.
 * In the first frames of a scene, people who pass are part of the background,
 * so the first checks come after 2, 4, 8 and 16 frames. The hole is filled anew
 * when more than 1 / STALE_PART of its pixels have changed since: they are
 * copied from other pixels, which change with the light or the scene. */
#define SETTLED 32
#define STALE_PART 32

/* Indices into the array kernels, which lists the OpenCL kernels that compare and
 * remember the background */
enum
{
  COMPARE,
  DIFFER,
  CHANGE,
  LOOK,
  SHOW
};

/* Indices of the slots, the device memories that kernels leave for each other */
enum
{
  SAMPLES,
  HIDDEN = SAMPLES + GST_VIDEO_MAX_COMPONENTS,
  COUNTS,
  CHANGED,                      /* for each pixel: 1 when it was visible and the
                                 * remembered value differs */
  PLATE,                        /* frame with the remembered value of each
                                 * sample */
  FILLED,                       /* PLATE, filled with patches where nothing was
                                 * ever visible */
  FIRST,                        /* FILLED as it was when these patches were found */
  N_BACKGROUND_SLOTS
};

struct _MgpuInpaintBackground
{
  MgpuObject object;
  GstVideoInfo info;            /* format and size of the frames; rows have no gaps */
  gsize row[2];                 /* size of a work-group, whose work-items share a row */

  MgpuInpaintParams params;
  guint8 *hidden;               /* for each pixel: 1 when an object of the mask
                                 * hides it, 2 when the colour remembered there
                                 * is not to be trusted either */
  guint8 *was_hidden;           /* for each pixel: 1 when it was hidden in the frame before */
  guint8 *forbidden;            /* for each pixel: 1 when it must never be
                                 * copied into the hole; may be NULL */
  guint8 *seen;                 /* for each pixel: in how many frames it was visible, TRUSTED at
                                 * most */
  /* Have a byte for each pixel: unknown is 1 where a hidden pixel was never
   * visible; planned is a copy of unknown at the time when patches were last
   * searched */
  guint8 *unknown, *planned;
  guint n_seen, n_unseen;       /* number of pixels whose hidden is 1, and 2 */
  guint age;                    /* number of frames of this scene */
  gboolean has_first;           /* whether the slot FIRST belongs to the patches in use */
  gboolean is_first;            /* whether no frame is remembered yet */
  gboolean changed;             /* whether the array hidden has to be copied to the device */
  gboolean is_planned;          /* whether the object that fills with patches
                                 * has planned as its mask */
  MgpuInpaintResult result;
};

static const MgpuKnob knobs[] = {
  MGPU_INPAINT_ROW_GROUP,
  {NULL}
};

static const MgpuKernel kernels[] = {
  [COMPARE] = {"inpaint/background", "background_compare", 0},
  [DIFFER] = {"inpaint/background", "background_differ", 0},
  [CHANGE] = {"inpaint/background", "background_change", 0},
  [LOOK] = {"inpaint/background", "background_look", 0},
  [SHOW] = {"inpaint/background", "background_show", 0},
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
  self->planned = g_malloc0 (n);
  self->was_hidden = g_malloc0 (n);
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
  g_free (self->planned);
  g_free (self->was_hidden);
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

/* Returns: whether the parameters a and b, apart from keep, lead to the same
 * search for patches */
static gboolean
same_params (const MgpuInpaintParams * a, const MgpuInpaintParams * b)
{
  return a->patch_size == b->patch_size && a->method == b->method
      && a->search_factor == b->search_factor && a->shortcuts == b->shortcuts;
}

/* Returns: whether two masks of n bytes, either of which may be NULL, are the same */
static gboolean
is_same (const guint8 * a, const guint8 * b, gsize n)
{
  return a == NULL || b == NULL ? a == b : memcmp (a, b, n) == 0;
}

/* Hides all pixels that share a sample of any component, such as subsampled chroma, with
 * a pixel of unknown. */
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
  self->changed = TRUE;
  if (same_params (&self->params, params)
      && is_same (self->forbidden, forbidden, n))
    return;
  g_clear_pointer (&self->forbidden, g_free);
  if (forbidden != NULL)
    self->forbidden = g_memdup2 (forbidden, n);
  self->params = *params;
  self->params.keep = TRUE;
  self->is_planned = FALSE;
}

/* ---- Work on the device --------------------------------------------------------- */

/* Copies the array @hidden to the device if it has changed. FALSE: the error is in job. */
static gboolean
upload_hidden (MgpuInpaintBackground * self, GstMgpuJob * job)
{
  gsize n = (gsize) GST_VIDEO_INFO_WIDTH (&self->info)
      * GST_VIDEO_INFO_HEIGHT (&self->info);

  self->changed = self->changed
      && !mgpu_slot_upload (self, HIDDEN, job, self->hidden, n, 0);
  return !self->changed;
}

/* Allocates the slots, and copies the array hidden to the device. FALSE: the error is in
 * job. */
static gboolean
ensure_slots (MgpuInpaintBackground * self, GstMgpuJob * job)
{
  const GstVideoInfo *info = &self->info;
  gboolean ok = TRUE;

  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (info) && ok; i++)
    ok = mgpu_slot_ensure (self, SAMPLES + i, job, sizeof (cl_ushort4)
        * (gsize) GST_VIDEO_INFO_COMP_WIDTH (info, i)
        * GST_VIDEO_INFO_COMP_HEIGHT (info, i));
  return ok && mgpu_slot_ensure (self, COUNTS, job, sizeof (cl_uint2)
      * self->row[0] * GST_VIDEO_INFO_HEIGHT (info))
      && upload_hidden (self, job);
}

/* Ends the job @part, whose kernels count pixels and write the numbers to the
 * slot COUNTS. Sets *is_more to whether more than 1 / share of the counted
 * pixels differ. FALSE: the error is in @job. */
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

/* Compares the visible pixels of the frame with the remembered background, and sets
 * *is_cut to whether the frame belongs to another scene. FALSE: the error is in job. */
static gboolean
find_cut (MgpuInpaintBackground * self, GstMgpuJob * job, const MgpuImage * in,
    gboolean * is_cut)
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

/* Compares two pictures at the pixels that were never visible, and sets
 * *is_stale to whether too many of these pixels differ. FALSE: the error is in
 * job. */
static gboolean
find_stale (MgpuInpaintBackground * self, GstMgpuJob * job,
    const MgpuImage * filled, const MgpuImage * first, gboolean * is_stale)
{
  cl_kernel kernel = self->object.kernels[DIFFER];
  MgpuComponent a = mgpu_get_component (&filled->info, 0);
  MgpuComponent b = mgpu_get_component (&first->info, 0);
  GstMgpuJob part;

  gst_mgpu_job_begin_part (&part, job);
  gst_mgpu_job_set_args (&part, kernel, MGPU_PLANE "iiii" MGPU_PLANE "miim",
      MGPU_READ (&part, filled, a), a.pixel_stride, a.bytes, a.shift, a.max,
      MGPU_READ (&part, first, b), mgpu_slot_read (self, HIDDEN, &part),
      a.width, (a.max + 1) / NEAR_PART,
      mgpu_slot_write (self, COUNTS, &part, 0));
  mgpu_launch (&part, kernel, 1, a.height, 1, 1, self->row);
  return get_share (self, job, &part, STALE_PART, is_stale);
}

/* Enqueues kernels that remember the visible samples of the frame in, and write
 * the remembered background to plate. */
static void
enqueue_look (MgpuInpaintBackground * self, GstMgpuJob * job,
    const MgpuImage * in, const MgpuImage * plate)
{
  cl_kernel kernel = self->object.kernels[LOOK];

  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (&in->info); i++) {
    gboolean is_chroma = GST_VIDEO_INFO_IS_YUV (&in->info) && (i == 1 || i == 2);
    MgpuComponent c = mgpu_get_component (&in->info, i);
    MgpuComponent to = mgpu_get_component (&plate->info, i);

    gst_mgpu_job_set_args (job, kernel, MGPU_INPAINT_SAMPLES MGPU_PLANE
        "mmiiii", MGPU_INPAINT_SAMPLES_OF (job, in, i, c),
        MGPU_WRITE (job, plate, to), mgpu_slot_read (self, HIDDEN, job),
        mgpu_slot_write (self, SAMPLES + i, job, 0), c.width,
        GST_VIDEO_INFO_WIDTH (&in->info),
        (c.max + 1) / (is_chroma ? NEAR_PART_OF_CHROMA : NEAR_PART),
        (gint) self->is_first);
    mgpu_launch (job, kernel, 1, c.height, 1, 1, self->row);
  }
}

/* Enqueues kernels that write the frame in to out, with the remembered
 * background in place of the hidden samples, and with samples of @filled where
 * nothing is remembered. */
static void
enqueue_show (MgpuInpaintBackground * self, GstMgpuJob * job,
    const MgpuImage * in, const MgpuImage * filled, const MgpuImage * out)
{
  cl_kernel kernel = self->object.kernels[SHOW];

  mgpu_image_copy_planes (job, in, out, ~0u);
  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (&in->info); i++) {
    MgpuComponent c = mgpu_get_component (&filled->info, i);
    MgpuComponent to = mgpu_get_component (&out->info, i);

    gst_mgpu_job_set_args (job, kernel, MGPU_INPAINT_SAMPLES MGPU_PLANE "mmii",
        MGPU_INPAINT_SAMPLES_OF (job, filled, i, c), MGPU_WRITE (job, out, to),
        mgpu_slot_read (self, HIDDEN, job),
        mgpu_slot_read (self, SAMPLES + i, job), c.width,
        GST_VIDEO_INFO_WIDTH (&in->info));
    mgpu_launch (job, kernel, 1, c.height, 1, 1, self->row);
  }
}

/* ---- Work on a frame ------------------------------------------------------------- */

/* Returns: whether any hidden pixel was visible in some frames, but in fewer
 * than TRUSTED */
static gboolean
is_any_young (const MgpuInpaintBackground * self)
{
  gsize n = (gsize) GST_VIDEO_INFO_WIDTH (&self->info)
      * GST_VIDEO_INFO_HEIGHT (&self->info);

  for (gsize i = 0; i < n; i++)
    if (self->hidden[i] && self->seen[i] > 0 && self->seen[i] < TRUSTED)
      return TRUE;
  return FALSE;
}

/* Finds the hidden pixels whose value in this frame differs from the remembered
 * one. Returns: (nullable): for each pixel, 1 where it was found, otherwise 0;
 * after an error, which is in @job, NULL */
static guint8 *
find_changed (MgpuInpaintBackground * self, GstMgpuJob * job,
    const MgpuImage * in)
{
  MgpuComponent c = mgpu_get_component (&in->info, 0);
  gsize n = (gsize) c.width * c.height;
  guint8 *changed = g_malloc (n);
  GstMgpuJob part;

  gst_mgpu_job_begin_part (&part, job);
  gst_mgpu_job_set_args (&part, self->object.kernels[CHANGE],
      MGPU_PLANE "iiiimmiim", MGPU_READ (&part, in, c), c.pixel_stride,
      c.bytes, c.shift, c.max, mgpu_slot_read (self, HIDDEN, &part),
      mgpu_slot_read (self, SAMPLES, &part), c.width, (c.max + 1) / NEAR_PART,
      mgpu_slot_write (self, CHANGED, &part, n));
  mgpu_launch (&part, self->object.kernels[CHANGE], 1, c.height, 1, 1,
      self->row);
  if (!mgpu_end_part (job, &part)
      || !mgpu_slot_download (self, CHANGED, job, changed, n))
    g_clear_pointer (&changed, g_free);
  return changed;
}

/* Finds the pixels whose remembered value may belong to an object that has just
 * appeared in the mask, because they were visible in few frames. Sets these
 * pixels in @doubtful to 1, others to 0. FALSE: the error is in job. */
static gboolean
find_doubtful (MgpuInpaintBackground * self, GstMgpuJob * job,
    const MgpuImage * in, guint8 * doubtful)
{
  gint width = GST_VIDEO_INFO_WIDTH (&self->info);
  gint height = GST_VIDEO_INFO_HEIGHT (&self->info);
  guint8 *changed;

  memset (doubtful, 0, (gsize) width * height);
  if (!is_any_young (self))
    return TRUE;
  mgpu_inpaint_find_appeared (self->hidden, self->was_hidden, width, height,
      doubtful);
  if (memchr (doubtful, 1, (gsize) width * height) == NULL)
    return TRUE;
  changed = find_changed (self, job, in);
  if (changed == NULL)
    return FALSE;
  mgpu_inpaint_find_doubtful (self->seen, TRUSTED, changed, width, height,
      doubtful);
  g_free (changed);
  return TRUE;
}

/* Counts for each pixel in how many frames it was visible. Forgets the values
 * of doubtful pixels. FALSE: the error is in job. */
static gboolean
count_seen (MgpuInpaintBackground * self, GstMgpuJob * job,
    const MgpuImage * in)
{
  gsize n = (gsize) GST_VIDEO_INFO_WIDTH (&self->info)
      * GST_VIDEO_INFO_HEIGHT (&self->info);
  guint8 *doubtful = self->unknown;

  if (self->is_first)
    memset (self->seen, 0, n);
  if (!find_doubtful (self, job, in, doubtful))
    return FALSE;
  for (gsize i = 0; i < n; i++) {
    guint8 hidden = self->hidden[i] != 0;

    if (!hidden)
      self->seen[i] = MIN (self->seen[i] + 1, TRUSTED);
    else if (doubtful[i])
      self->seen[i] = 0;
    hidden += hidden && self->seen[i] == 0;
    self->changed |= self->hidden[i] != hidden;
    self->hidden[i] = hidden;
    self->was_hidden[i] = hidden != 0;
  }
  return TRUE;
}

/* Gives the present mask of unknown pixels to the object that fills with
 * patches. */
static void
plan (MgpuInpaintBackground * self, MgpuInpaint * inpaint)
{
  memcpy (self->planned, self->unknown,
      (gsize) GST_VIDEO_INFO_WIDTH (&self->info)
      * GST_VIDEO_INFO_HEIGHT (&self->info));
  self->result = mgpu_inpaint_set_mask (inpaint, self->unknown,
      self->forbidden, &self->params);
  self->is_planned = TRUE;
  self->has_first = FALSE;
}

/* Finds the pixels that patches have to fill. Makes a new plan when some of
 * them are not in the present plan. Returns: whether it made a plan, or no
 * pixel is left to be filled */
static gboolean
find_unknown (MgpuInpaintBackground * self, MgpuInpaint * inpaint)
{
  gsize n = (gsize) GST_VIDEO_INFO_WIDTH (&self->info)
      * GST_VIDEO_INFO_HEIGHT (&self->info);
  gboolean is_new = !self->is_planned || self->is_first
      || self->result == MGPU_INPAINT_EVERYTHING;

  self->n_seen = self->n_unseen = 0;
  for (gsize i = 0; i < n; i++) {
    self->unknown[i] = self->hidden[i] == 2;
    self->n_seen += self->hidden[i] == 1;
    self->n_unseen += self->unknown[i];
    is_new = is_new || (self->unknown[i] && !self->planned[i]);
  }
  if (self->n_unseen == 0) {
    mgpu_inpaint_forget (inpaint);
    self->is_planned = FALSE;
    self->result = MGPU_INPAINT_NOTHING;
    return TRUE;
  }
  if (is_new)
    plan (self, inpaint);
  else
    mgpu_inpaint_narrow (inpaint, self->unknown);
  return is_new;
}

/* Returns: whether this frame is one in which the filled hole is checked */
static gboolean
is_turn (const MgpuInpaintBackground * self)
{
  return self->age < SETTLED ? (self->age & (self->age - 1)) == 0
      : self->age % SETTLED == 0;
}

/* Fills the pixels that were never visible with patches of the remembered
 * background. When the pixels that patches are copied from have changed too
 * much, the next frame gets new patches, and not this one: its job still uses
 * memories that a new plan may replace. Returns: FALSE when @progress stopped
 * the work */
static gboolean
enqueue_fill (MgpuInpaintBackground * self, MgpuInpaint * inpaint,
    GstMgpuJob * job, const MgpuImage * plate, const MgpuImage * filled,
    MgpuInpaintProgress progress, gpointer data)
{
  gboolean is_stale = FALSE;
  MgpuImage first;

  if (!mgpu_inpaint_enqueue (inpaint, job, plate, filled, progress, data))
    return FALSE;
  if (mgpu_inpaint_get_way (inpaint) == MGPU_INPAINT_UNFINISHED
      || !mgpu_slot_image (self, FIRST, job, &self->info, &first))
    return TRUE;
  if (!self->has_first)
    mgpu_image_copy_planes (job, filled, &first, ~0u);
  else if (is_turn (self)
      && find_stale (self, job, filled, &first, &is_stale) && is_stale)
    self->is_planned = FALSE;
  self->has_first = TRUE;
  return TRUE;
}

gboolean
mgpu_inpaint_background_enqueue (MgpuInpaintBackground * self,
    MgpuInpaint * inpaint, GstMgpuJob * job, const MgpuImage * in,
    const MgpuImage * out, MgpuInpaintProgress progress, gpointer data,
    MgpuInpaintResult * result, gboolean * is_new)
{
  MgpuImage plate, filled;
  gboolean is_cut = FALSE, goes_on = TRUE;

  *is_new = FALSE;
  *result = self->result;
  if (!ensure_slots (self, job)
      || (!self->is_first && !find_cut (self, job, in, &is_cut)))
    return TRUE;
  self->is_first |= is_cut;
  self->age = self->is_first ? 1 : self->age + 1;
  if (!count_seen (self, job, in))
    return TRUE;
  *is_new = find_unknown (self, inpaint);
  *result = self->result;
  if (!upload_hidden (self, job)
      || !mgpu_slot_image (self, PLATE, job, &self->info, &plate)
      || !mgpu_slot_image (self, FILLED, job, &self->info, &filled))
    return TRUE;

  enqueue_look (self, job, in, &plate);
  self->is_first = FALSE;
  if (self->result < MGPU_INPAINT_COPIES)
    filled = plate;
  else
    goes_on = enqueue_fill (self, inpaint, job, &plate, &filled, progress,
        data);
  if (goes_on)
    enqueue_show (self, job, in, &filled, out);
  return goes_on;
}

void
mgpu_inpaint_background_count (const MgpuInpaintBackground * self,
    guint * n_seen, guint * n_unseen)
{
  *n_seen = self->n_seen;
  *n_unseen = self->n_unseen;
}
