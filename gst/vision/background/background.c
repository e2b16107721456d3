/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Inpaints with a remembered background: keeps, for each pixel, the color that was seen there
 * in earlier frames. See docs/algorithms/inpaint.md. */
#include "background-private.h"

#include <string.h>

/* Patches are copied from other pixels, which change with the light or the scene. Therefore the
 * pixels that patches filled are checked for changes every SETTLED frames within a scene, and in
 * its first frames more often: after 2, 4, 8 and 16 frames, because people who pass at the
 * beginning are mistaken for background. If the illumination of frames is known, a change of it
 * does not begin a new scene; the pixels are then also checked every SETTLED_IN_LIGHT frames, and
 * more than 1 / STALE_PART_IN_LIGHT of them have to have changed. New patches are searched for when
 * more than 1 / STALE_PART of these pixels have changed since the patches were found. In the first
 * SETTLED frames the limit is 1 / STALE_PART_AT_FIRST; in these frames, new patches are also
 * searched for when something passed next to the hole. */
#define SETTLED 32
#define SETTLED_IN_LIGHT 4
#define STALE_PART 32
#define STALE_PART_AT_FIRST 256
#define STALE_PART_IN_LIGHT 4

/* Value of the members @stale_share and @next_share that means: search for new patches in any
 * case */
#define ALL_STALE G_MAXUINT

static const MgpuKnob knobs[] = {
  {"ROW_GROUP", {1, 64, 64}, "1 16 32 64 128",
      "number of work-items that share a row"},
  {NULL}
};

static const MgpuKernel kernels[] = {
  [COMPARE] = {"background/count", "background_compare", 0},
  [JUDGE] = {"background/count", "background_judge", 0},
  [TELL] = {"background/count", "background_tell", 0},
  [APPEAR] = {"background/count", "background_appear", 0},
  [NEAR] = {"background/count", "background_near", 0},
  [DOUBT] = {"background/count", "background_doubt", 0},
  [SETTLE] = {"background/count", "background_settle", 0},
  [FORGET] = {"background/count", "background_forget", 0},
  [COUNT] = {"background/count", "background_count", 0},
  [HIDE] = {"background/count", "background_hide", 0},
  [REPORT] = {"background/count", "background_report", 0},
  [DIFFER] = {"background/count", "background_differ", 0},
  [SHIFT] = {"background/count", "background_shift", 0},
  [ADOPT_PIXELS] = {"background/count", "background_adopt_pixels", 0},
  [STEADY] = {"background/background", "background_steady", 0},
  [LOOK] = {"background/background", "background_look", 0},
  [SHOW] = {"background/background", "background_show", 0},
  [PAIR] = {"background/background", "background_pair", 0},
  [MOVE] = {"background/background", "background_move", 0},
  [ADOPT] = {"background/background", "background_adopt", 0},
  [PASSING_FIND] = {"background/passing", "passing_find", 1},
  [PASSING_KEEP] = {"background/passing", "passing_keep", 1},
  [PASSING_SHOW] = {"background/passing", "passing_show", 1},
  [RELIGHT] = {"background/relight", "background_relight", 2},
  {NULL}
};

static gboolean
init (gpointer object, gconstpointer params, GError ** error)
{
  MgpuInpaintBackground *self = object;
  const GstVideoInfo *in = &self->object.in;
  gsize n;

  gst_video_info_set_format (&self->info, GST_VIDEO_INFO_FORMAT (in),
      GST_VIDEO_INFO_WIDTH (in), GST_VIDEO_INFO_HEIGHT (in));
  n = mgpu_background_count_pixels (self);
  mgpu_group (self->object.context, self->object.knobs[0], 1, self->row);
  self->serial = N_MASKS;
  for (guint i = 0; i < N_MASKS; i++)
    self->holes[i] = (MgpuBackgroundHole) {
    g_malloc0 (n), g_malloc0 (n), i + 1, TRUE};
  self->was = g_malloc0 (n);
  self->planned = g_malloc0 (n);
  self->extra = g_malloc0 (n);
  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (in); i++) {
    self->sub_x = MAX (self->sub_x, self->info.finfo->w_sub[i]);
    self->sub_y = MAX (self->sub_y, self->info.finfo->h_sub[i]);
  }
  self->is_first = TRUE;
  return TRUE;
}

static void
clear (gpointer object)
{
  MgpuInpaintBackground *self = object;

  for (guint i = 0; i < N_MASKS; i++) {
    g_free (self->holes[i].given);
    g_free (self->holes[i].hidden);
  }
  g_free (self->was);
  g_free (self->forbidden);
  g_free (self->planned);
  g_free (self->extra);
  g_free (self->kept);
  g_clear_pointer (&self->light_table, g_array_unref);
  mgpu_background_clear_passing (self);
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
  self->has_light = self->is_lit = FALSE;
  self->is_first = TRUE;
}

gboolean
mgpu_inpaint_background_build_passing (MgpuInpaintBackground * self,
    GError ** error)
{
  return mgpu_object_build (self, 1, error);
}

void
mgpu_inpaint_background_set_passing (MgpuInpaintBackground * self,
    gboolean passing)
{
  self->has_passing = passing;
  if (!passing)
    mgpu_background_clear_passing (self);
}

void
mgpu_inpaint_background_set_camera (MgpuInpaintBackground * self,
    gboolean moves)
{
  if (self->camera_moves != moves)
    self->is_first = TRUE;
  self->camera_moves = moves;
}

/* Returns: whether the parameters @a and @b lead to the same search for patches; ignores the
 * member @keep */
static gboolean
same_params (const MgpuInpaintParams * a, const MgpuInpaintParams * b)
{
  return a->patch_size == b->patch_size && a->method == b->method
      && a->search_factor == b->search_factor && a->shortcuts == b->shortcuts;
}

/* Returns: whether the masks @a and @b of @n bytes are equal; either may be NULL */
static gboolean
is_same (const guint8 * a, const guint8 * b, gsize n)
{
  return a == NULL || b == NULL ? a == b : memcmp (a, b, n) == 0;
}

/* Sets pixels of the mask @hidden: all that share a sample of the smallest color component
 * with a pixel of row @y that is 1 in @row. Such a pixel may also lie in a row next to row @y. */
static void
hide_row (const MgpuInpaintBackground * self, const guint8 * row, gint y,
    guint8 * hidden)
{
  gint width = GST_VIDEO_INFO_WIDTH (&self->info);
  gint begin = y >> self->sub_y << self->sub_y;
  gint end =
      MIN (begin + (1 << self->sub_y), GST_VIDEO_INFO_HEIGHT (&self->info));
  const guint8 *start = row;

  while ((start = memchr (start, 1, row + width - start)) != NULL) {
    const guint8 *stop = memchr (start, 0, row + width - start);
    gint x0 = (start - row) >> self->sub_x << self->sub_x;
    gint x1 = stop != NULL ? stop - row : width;

    x1 = MIN (((x1 - 1) | ((1 << self->sub_x) - 1)) + 1, width);
    for (gint v = begin; v < end; v++)
      memset (hidden + (gsize) v * width + x0, 1, x1 - x0);
    start = row + MIN (x1, width);
  }
}

/* Sets the mask @mask to the pixels that are 1 in @unknown. Hides these pixels, and all pixels that
 * share a sample of any color component, such as subsampled chroma, with one of them, because a
 * sample is the smallest part of a frame that can be changed. */
static void
set_hole (MgpuInpaintBackground * self, MgpuBackgroundMask mask,
    const guint8 * unknown)
{
  MgpuBackgroundHole *hole = &self->holes[mask];
  gint width = GST_VIDEO_INFO_WIDTH (&self->info);
  gint height = GST_VIDEO_INFO_HEIGHT (&self->info);
  gsize n = mgpu_background_count_pixels (self);

  if (memcmp (hole->given, unknown, n) == 0)
    return;
  memcpy (hole->given, unknown, n);
  memset (hole->hidden, 0, n);
  for (gint y = 0; y < height; y++)
    hide_row (self, unknown + (gsize) y * width, y, hole->hidden);
  hole->serial = ++self->serial;
  hole->changed = TRUE;
}

void
mgpu_inpaint_background_set_mask (MgpuInpaintBackground * self,
    const guint8 * unknown, const guint8 * forbidden,
    const MgpuInpaintParams * params)
{
  gsize n = mgpu_background_count_pixels (self);

  set_hole (self, LEAVING, unknown);
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

/* ---- What is remembered ------------------------------------------------------------ */

gboolean
mgpu_inpaint_background_is_cut (MgpuInpaintBackground * self, GstMgpuJob * job,
    const MgpuImage * in, const MgpuBackgroundLight * light,
    const guint8 * unknown)
{
  gboolean has_patches = self->n_unseen > 0, is_cut;
  guint32 told[N_TOLD];
  GstMgpuJob part;

  if (self->is_first)
    return FALSE;
  set_hole (self, COMING, unknown);
  gst_mgpu_job_begin_part (&part, job);
  if (mgpu_background_prepare (self, &part, COMING)) {
    if (!has_patches)
      mgpu_background_relight (self, &part, light);
    mgpu_background_compare (self, &part, in, COMING);
    mgpu_background_judge (self, &part);
  }
  is_cut = mgpu_end_part (job, &part)
      && mgpu_slot_download (self, STATE, job, told, sizeof (told))
      && told[CUT];
  if (has_patches && !is_cut)
    mgpu_background_relight (self, job, light);
  return is_cut;
}

/* Enqueues kernels that remember what is visible in the frame @in, which has the mask @mask.
 * Returns: FALSE after an error, which is in @job */
static gboolean
look (MgpuInpaintBackground * self, GstMgpuJob * job, const MgpuImage * in,
    MgpuBackgroundMask mask)
{
  const MgpuBackgroundHole *hole = &self->holes[mask];
  MgpuImage plate;

  self->has_light = self->is_lit;
  self->is_lit = FALSE;
  if (!mgpu_slot_image (self, PLATE, job, &self->info, &plate))
    return FALSE;
  self->age = self->is_first ? 1 : self->age + 1;
  if (self->is_first)
    self->x = self->y = 0;
  mgpu_background_judge (self, job);
  if (!self->is_first)
    mgpu_background_doubt (self, job, in, mask);
  mgpu_background_remember (self, job, in, &plate, mask);
  if (self->was_serial != hole->serial)
    memcpy (self->was, hole->hidden, mgpu_background_count_pixels (self));
  self->was_serial = hole->serial;
  self->is_new_scene |= self->is_first;
  self->is_first = FALSE;
  return TRUE;
}

void
mgpu_inpaint_background_look (MgpuInpaintBackground * self, GstMgpuJob * job,
    const MgpuImage * in, const guint8 * unknown)
{
  set_hole (self, COMING, unknown);
  if (mgpu_background_prepare (self, job, COMING))
    look (self, job, in, COMING);
}

/* Starts to download the scratch buffer @slot, while kernels that do not use it run.
 * Returns: FALSE after an error, which is in @job */
static gboolean
fetch (MgpuInpaintBackground * self, GstMgpuJob * job, guint slot)
{
  GError *error = NULL;

  if (gst_mgpu_memory_fetch ((GstMgpuMemory *) self->object.slots[slot],
          &error))
    return TRUE;
  gst_mgpu_job_fail (job, error);
  return FALSE;
}

/* Enqueues the work on the frame @in that comes before its filling. If @looks, remembers the
 * visible pixels. Finds the hidden pixels that were never visible. If @follows, also finds the
 * objects that move around the hole.
 * Returns: FALSE after an error, which is in @job */
static gboolean
observe (MgpuInpaintBackground * self, GstMgpuJob * job, const MgpuImage * in,
    gboolean looks, gboolean follows)
{
  guint slot = follows ? AROUND : TOLD;
  gint first = 0;
  GstMgpuJob part;

  gst_mgpu_job_begin_part (&part, job);
  if (mgpu_background_prepare (self, &part, LEAVING)) {
    if (looks && !self->is_first)
      mgpu_background_compare (self, &part, in, LEAVING);
    if (!looks || look (self, &part, in, LEAVING)) {
      mgpu_background_hide (self, &part);
      if (!follows || mgpu_background_find_passing (self, &part, in, &first))
        mgpu_background_tell (self, &part, slot, first);
    }
  }
  return mgpu_end_part (job, &part) && fetch (self, job, slot);
}

/* ---- Which pixels patches fill ----------------------------------------------------- */

/* How to fill the hidden pixels of a frame that were never visible */
typedef enum
{
  WITH_NOTHING,                 /* not at all: there are no such pixels */
  WITH_SAME,                    /* with the patches of the frame before */
  WITH_NEW,                     /* with new patches */
  NOT_CERTAIN                   /* not known until the host has read the counts of the kernels */
} Filling;

/* Returns: how this frame will most likely be filled. With this guess, the filling can be
 * enqueued before the host has read the counts of the kernels */
static Filling
expect (const MgpuInpaintBackground * self)
{
  if (self->is_new_scene || self->result == MGPU_INPAINT_EVERYTHING)
    return NOT_CERTAIN;
  if (self->is_planned)
    return self->has_first ? WITH_SAME : NOT_CERTAIN;
  /* If the camera moves, filled pixels count as remembered background, so that no pixels are left
   * to fill. */
  return self->camera_moves || self->result == MGPU_INPAINT_NOTHING
      ? WITH_NOTHING : NOT_CERTAIN;
}

/* Waits for the kernels of observe(), and reads what they found. Sets @told to the N_TOLD
 * counts of this frame and, if @follows, self->found to the moving pixels around the hole.
 * Returns: FALSE after an error, which is in @job */
static gboolean
read_told (MgpuInpaintBackground * self, GstMgpuJob * job, gboolean follows,
    guint32 * told)
{
  gsize n = 2 * (gsize) self->around.width * self->around.height;
  GstMemory *memory = self->object.slots[AROUND];
  GstMapInfo map;

  if (!follows)
    return mgpu_slot_download (self, TOLD, job, told,
        N_TOLD * sizeof (guint32));
  if (!mgpu_map_in_job (job, memory, &map, GST_MAP_READ))
    return FALSE;
  memcpy (self->found, map.data, n);
  memcpy (told, map.data + (n + sizeof (guint32) - 1) / sizeof (guint32)
      * sizeof (guint32), N_TOLD * sizeof (guint32));
  gst_memory_unmap (memory, &map);
  return TRUE;
}

/* Decides how to fill the frame, from the counts @told that the kernels wrote. Returns: the
 * decision */
static Filling
decide (MgpuInpaintBackground * self, MgpuInpaint * inpaint,
    const guint32 * told)
{
  gboolean is_stale = self->stale_share == ALL_STALE
      || (guint64) self->stale_share * told[STALE] > told[CHECKED];

  self->stale_share = 0;
  if (is_stale)
    self->is_planned = FALSE;
  self->n_seen = told[SEEN_BEFORE];
  self->n_unseen = told[UNSEEN];
  if (self->n_unseen == 0) {
    mgpu_inpaint_forget (inpaint);
    self->is_planned = FALSE;
    self->result = MGPU_INPAINT_NOTHING;
    return WITH_NOTHING;
  }
  return self->is_planned && !self->is_new_scene
      && self->result != MGPU_INPAINT_EVERYTHING && told[UNPLANNED] == 0
      ? WITH_SAME : WITH_NEW;
}

/* Sets the arrays @planned and @extra and, if @keeps, @kept. The array @report has the flags
 * REPORT_ of each pixel. */
static void
choose_planned (MgpuInpaintBackground * self, const guint8 * report,
    gboolean keeps)
{
  gint width = GST_VIDEO_INFO_WIDTH (&self->info);
  gint height = GST_VIDEO_INFO_HEIGHT (&self->info);
  gsize n = (gsize) width * height;
  guint8 *old = keeps ? g_malloc (n) : NULL;
  const guint8 was = REPORT_UNKNOWN | REPORT_WAS_UNKNOWN;

  for (gsize i = 0; i < n && keeps; i++)
    old[i] = (report[i] & was) == was && self->planned[i]
        && (self->has_first || self->kept[i]) ? 2 : 0;
  g_free (self->kept);
  self->kept = old;
  for (gsize i = 0; i < n; i++)
    self->extra[i] = report[i] & REPORT_UNKNOWN ? 255 : 0;
  mgpu_inpaint_dilate (self->extra, width, width, height,
      self->params.patch_size, self->planned);
  self->has_extra = FALSE;
  for (gsize i = 0; i < n; i++) {
    gboolean is_unknown = (report[i] & REPORT_UNKNOWN) != 0;

    self->extra[i] = self->planned[i] && (report[i] & REPORT_UNSETTLED)
        && !is_unknown;
    self->has_extra |= self->extra[i];
    self->planned[i] = is_unknown || self->extra[i];
  }
}

/* Copies the arrays @planned and @extra to the device.
 * Returns: FALSE after an error, which is in @job */
static gboolean
upload_planned (MgpuInpaintBackground * self, GstMgpuJob * job)
{
  gsize n = mgpu_background_count_pixels (self);
  g_autofree guint8 *flags = g_malloc (n);
  gboolean ok;

  for (gsize i = 0; i < n; i++)
    flags[i] = (self->planned[i] ? PLANNED_FILLED : 0)
        | (self->extra[i] ? PLANNED_EXTRA : 0);
  ok = mgpu_slot_upload (self, PLANNED, job, flags, n, 0);
  return ok;
}

/* Sets the mask of the pixels to fill in @inpaint, the object that fills with patches; it then
 * plans the filling again. Patches must not continue the objects that pass at pixels whose
 * background is not settled. Therefore such pixels are not copied into the hole, and those near
 * unknown pixels are also filled. If this leaves no pixel to copy, such pixels are treated like
 * all others. Marks in self->kept the pixels that were filled before and keep their values.
 * Returns: FALSE after an error, which is in @job */
static gboolean
plan (MgpuInpaintBackground * self, MgpuInpaint * inpaint, GstMgpuJob * job)
{
  gsize n = mgpu_background_count_pixels (self);
  gboolean keeps = self->is_planned && !self->is_new_scene
      && self->result >= MGPU_INPAINT_COPIES
      && (self->has_first || self->has_kept);
  guint8 *report = g_malloc (n), *unsettled = report;

  self->is_planned = mgpu_background_report (self, job, report);
  if (!self->is_planned) {
    g_free (report);
    return FALSE;
  }
  choose_planned (self, report, keeps);
  for (gsize i = 0; i < n; i++)
    unsettled[i] = (report[i] & REPORT_UNSETTLED)
        || (self->forbidden != NULL && self->forbidden[i]);
  self->result = mgpu_inpaint_set_mask (inpaint, self->planned, unsettled,
      &self->params);
  g_free (report);
  if (self->result == MGPU_INPAINT_DIFFUSES)
    self->result = mgpu_inpaint_set_mask (inpaint, self->planned,
        self->forbidden, &self->params);
  if (self->has_extra && (self->result == MGPU_INPAINT_EVERYTHING
          || self->result == MGPU_INPAINT_DIFFUSES)) {
    self->has_extra = FALSE;
    for (gsize i = 0; i < n; i++)
      self->planned[i] = self->planned[i] && !self->extra[i];
    memset (self->extra, 0, n);
    self->result = mgpu_inpaint_set_mask (inpaint, self->planned,
        self->forbidden, &self->params);
  }
  self->has_kept = keeps && !self->has_first;
  self->has_first = FALSE;
  return upload_planned (self, job);
}

/* ---- Filling ----------------------------------------------------------------------- */

/* Returns: whether the pixels that patches filled are to be checked in this frame for changes
 * since the patches were found */
static gboolean
is_turn (const MgpuInpaintBackground * self)
{
  return self->age < SETTLED ? (self->age & (self->age - 1)) == 0
      : self->age % (self->has_light ? SETTLED_IN_LIGHT : SETTLED) == 0;
}

/* Enqueues the work after the filling, for a camera that stands still. Steadies the image
 * @filled. In some frames, also compares it with the image filled when the patches were found;
 * if too much has changed, the next frame gets new patches. An image whose filling is
 * unfinished is not compared, because its differences do not justify a search for new patches. */
static void
enqueue_steady (MgpuInpaintBackground * self, GstMgpuJob * job,
    const MgpuImage * filled, const MgpuImage * base, const MgpuImage * first,
    gboolean is_unfinished)
{
  gboolean is_early = self->age <= SETTLED;

  if (!self->has_first) {
    mgpu_image_copy_planes (job, filled, base, ~0u);
    if (self->kept != NULL && mgpu_slot_upload (self, KEPT_PIXELS, job,
            self->kept, mgpu_background_count_pixels (self), 0))
      mgpu_background_steady (self, job, filled, base, first, KEPT_PIXELS);
    if (is_unfinished)
      return;
    mgpu_image_copy_planes (job, filled, first, ~0u);
    self->has_first = TRUE;
    return;
  }
  if (!is_unfinished && is_turn (self)) {
    if (is_early && self->has_extra) {
      self->next_share = ALL_STALE;
    } else {
      mgpu_background_check (self, job, filled, is_early ? first : base);
      self->next_share = is_early ? STALE_PART_AT_FIRST
          : self->age % SETTLED == 0 ? STALE_PART : STALE_PART_IN_LIGHT;
    }
  }
  mgpu_background_steady (self, job, filled, base, first, HIDDEN);
}

/* Fills the pixels that were never visible in the image @filled, with patches of the image
 * @plate, the remembered background.
 * Returns: FALSE when @progress stopped the work */
static gboolean
enqueue_fill (MgpuInpaintBackground * self, MgpuInpaint * inpaint,
    GstMgpuJob * job, const MgpuImage * plate, const MgpuImage * filled,
    MgpuInpaintProgress progress, gpointer data)
{
  MgpuImage base, first, last;
  gboolean is_unfinished;

  if (self->camera_moves) {
    if (!mgpu_inpaint_enqueue (inpaint, job, plate, filled, progress, data))
      return FALSE;
    if (mgpu_inpaint_get_way (inpaint) != MGPU_INPAINT_UNFINISHED)
      mgpu_background_adopt (self, job, filled);
    return TRUE;
  }
  if (!mgpu_slot_image (self, BASE, job, &self->info, &base)
      || !mgpu_slot_image (self, FIRST, job, &self->info, &first))
    return TRUE;
  /* Copies the image of the last frame to @first: there, the pixels that are set in self->kept
   * have the values that they keep. */
  if (self->kept != NULL && !self->has_kept) {
    if (!mgpu_slot_image (self, FILLED + self->filled_at, job, &self->info,
            &last))
      return TRUE;
    mgpu_image_copy_planes (job, &last, &first, ~0u);
    self->has_kept = TRUE;
  }
  if (!mgpu_inpaint_enqueue (inpaint, job, plate, filled, progress, data))
    return FALSE;
  is_unfinished = mgpu_inpaint_get_way (inpaint) == MGPU_INPAINT_UNFINISHED;
  enqueue_steady (self, job, filled, &base, &first, is_unfinished);
  return TRUE;
}

/* Enqueues the kernels that compute the frame @out from the frame @in. They fill the pixels that
 * were never visible with the method @filling, and copy the remembered background to the other
 * hidden pixels. Waits until all kernels are enqueued, because the caller may then replace the
 * memories that they use. Returns: FALSE when @progress stopped the work; errors stay in @job */
static gboolean
render (MgpuInpaintBackground * self, MgpuInpaint * inpaint, GstMgpuJob * job,
    const MgpuImage * in, const MgpuImage * out, Filling filling,
    MgpuInpaintProgress progress, gpointer data)
{
  gboolean goes_on = TRUE;
  MgpuImage plate, filled;
  GstMgpuJob part;

  self->next_share = 0;
  gst_mgpu_job_begin_part (&part, job);
  if (mgpu_slot_image (self, PLATE, &part, &self->info, &plate)
      && mgpu_slot_image (self, FILLED + (1 - self->filled_at), &part,
          &self->info, &filled)) {
    if (filling == WITH_NOTHING || self->result < MGPU_INPAINT_COPIES) {
      filled = plate;
    } else {
      if (filling == WITH_SAME)
        mgpu_inpaint_narrow (inpaint, &part,
            (GstMgpuMemory *) self->object.slots[LEFT]);
      goes_on = enqueue_fill (self, inpaint, &part, &plate, &filled, progress,
          data);
    }
    if (goes_on)
      mgpu_background_show (self, &part, in, &filled, out);
  }
  mgpu_end_part (job, &part);
  return goes_on;
}

/* Ends the work on a frame that was filled with the method @filling. Swaps the pairs of scratch
 * buffers, so that the data of this frame are those of the previous frame while the next frame
 * is processed. */
static void
keep_frame (MgpuInpaintBackground * self, Filling filling)
{
  self->stale_share = self->next_share;
  self->unknown_at = 1 - self->unknown_at;
  if (filling != WITH_NOTHING && self->result >= MGPU_INPAINT_COPIES)
    self->filled_at = 1 - self->filled_at;
}

gboolean
mgpu_inpaint_background_enqueue (MgpuInpaintBackground * self,
    MgpuInpaint * inpaint, GstMgpuJob * job, const MgpuImage * in,
    const MgpuImage * out, gboolean was_seen, MgpuInpaintProgress progress,
    gpointer data, MgpuInpaintResult * result, gboolean * is_new)
{
  gboolean looks = !was_seen || self->is_first, follows;
  Filling expected, filling;
  guint32 told[N_TOLD];

  *is_new = FALSE;
  *result = self->result;
  if (looks && self->camera_moves && !self->is_first
      && !mgpu_background_follow_camera (self, job, in))
    return TRUE;
  follows = self->has_passing && mgpu_background_begin_passing (self);
  if (!observe (self, job, in, looks, follows))
    return TRUE;
  /* First enqueues the filling that nearly all frames need, so that the device then need not wait
   * for the host. If the counts show that this frame needs another filling, enqueues that filling
   * afterwards. */
  expected = expect (self);
  if (expected != NOT_CERTAIN && !render (self, inpaint, job, in, out, expected,
          progress, data))
    return FALSE;
  if (!read_told (self, job, follows, told))
    return TRUE;
  if (looks && told[CUT]) {
    self->is_new_scene = TRUE;
    self->age = 1;
    self->x = self->y = 0;
  }
  filling = decide (self, inpaint, told);
  *is_new = filling != WITH_SAME;
  if (filling == WITH_NEW && !plan (self, inpaint, job))
    return TRUE;
  *result = self->result;
  if (self->is_new_scene)
    mgpu_background_forget_passing (self);
  self->is_new_scene = FALSE;
  if (follows && !mgpu_background_follow_passing (self, job, in))
    return TRUE;
  /* A frame with nothing to fill may have been filled with patches; this does no harm. */
  if (filling == WITH_NEW || expected == NOT_CERTAIN) {
    if (!render (self, inpaint, job, in, out, filling, progress, data))
      return FALSE;
  } else if (filling == WITH_NOTHING) {
    self->next_share = 0;
  }
  keep_frame (self, filling);
  if (follows)
    mgpu_background_show_passing (self, job, out);
  return TRUE;
}

void
mgpu_inpaint_background_count (const MgpuInpaintBackground * self,
    guint * n_seen, guint * n_unseen, guint * n_passing)
{
  gint n = self->shown == 0 ? 0 : self->around.width * self->around.height;

  *n_seen = self->n_seen;
  *n_unseen = self->n_unseen;
  *n_passing = 0;
  for (gint i = 0; i < n; i++) {
    gboolean is_unknown = (self->found[2 * i + 1] & FOUND_UNKNOWN) != 0;

    if (self->owners[i] == 0)
      continue;
    *n_passing += 1;
    *n_seen -= !is_unknown;
    *n_unseen -= is_unknown;
  }
}
