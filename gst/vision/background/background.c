/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Inpaints with remembered background: keeps, for each pixel, the colours that were seen
 * there in earlier frames. See docs/algorithms/inpaint.md. */
#include "background-private.h"
#include "moving.h"

#include <string.h>

/* Number of frames in which a pixel has to be visible until its remembered colour is
 * trusted: before, the pixel may show an object that a detector needed some frames to
 * find. */
#define TRUSTED 8

/* Largest number of frames in which a pixel was visible that are counted. The remembered
 * colour of a pixel with this count is never forgotten as doubtful */
#define LONG 32

/* Number of frames from one check of the pixels that patches filled to the next check, in
 * one scene. The first checks come earlier, after 2, 4, 8 and 16 frames, because people
 * who pass in the first frames of a scene are taken for background. New patches are
 * searched when more than 1 / STALE_PART of these pixels have changed since the patches
 * were found, or 1 / STALE_PART_AT_FIRST in the first SETTLED frames, where they are also
 * searched when something passed next to the hole: they are copied from other pixels, which
 * change with the light or the scene. */
#define SETTLED 32
#define STALE_PART 32
#define STALE_PART_AT_FIRST 256

/* Distance, in columns and rows, around pixels whose background is not settled (whose
 * colour changed from frame to frame) within which no pixel is copied into the hole,
 * either: at the border of an object, colours are mixtures of object and background */
#define UNSETTLED_BORDER 2

static const MgpuKnob knobs[] = {
  {"ROW_GROUP", {1, 64, 64}, "1 16 32 64 128", "work-items that share a row"},
  {NULL}
};

static const MgpuKernel kernels[] = {
  [COMPARE] = {"background/background", "background_compare", 0},
  [DIFFER] = {"background/background", "background_differ", 0},
  [CHANGE] = {"background/background", "background_change", 0},
  [SETTLE] = {"background/background", "background_settle", 0},
  [STEADY] = {"background/background", "background_steady", 0},
  [PAIR] = {"background/background", "background_pair", 0},
  [MOVE] = {"background/background", "background_move", 0},
  [ADOPT] = {"background/background", "background_adopt", 0},
  [LOOK] = {"background/background", "background_look", 0},
  [SHOW] = {"background/background", "background_show", 0},
  [PASSING_FIND] = {"background/passing", "passing_find", 1},
  [PASSING_KEEP] = {"background/passing", "passing_keep", 1},
  [PASSING_SHOW] = {"background/passing", "passing_show", 1},
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
  self->mask = g_malloc0 (n);
  self->coming = g_malloc0 (n);
  self->seen = g_malloc0 (n);
  self->unknown = g_malloc0 (n);
  self->planned = g_malloc0 (n);
  self->extra = g_malloc0 (n);
  self->whole = g_malloc0 (n);
  self->filled = g_malloc0 (n);
  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (in); i++) {
    self->sub_x = MAX (self->sub_x, self->info.finfo->w_sub[i]);
    self->sub_y = MAX (self->sub_y, self->info.finfo->h_sub[i]);
  }
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
  g_free (self->mask);
  g_free (self->coming);
  g_free (self->forbidden);
  g_free (self->seen);
  g_free (self->unknown);
  g_free (self->planned);
  g_free (self->extra);
  g_free (self->whole);
  g_free (self->kept);
  g_free (self->filled);
  g_free (self->was_hidden);
  mgpu_inpaint_passing_clear (self);
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

void
mgpu_inpaint_background_set_passing (MgpuInpaintBackground * self,
    gboolean passing)
{
  self->has_passing = passing;
  if (!passing)
    mgpu_inpaint_passing_clear (self);
}

void
mgpu_inpaint_background_set_camera (MgpuInpaintBackground * self,
    gboolean moves)
{
  if (self->camera_moves != moves)
    self->is_first = TRUE;
  self->camera_moves = moves;
}

/* Returns: whether the parameters @a and @b, apart from the member @keep, lead to the
 * same search for patches */
static gboolean
same_params (const MgpuInpaintParams * a, const MgpuInpaintParams * b)
{
  return a->patch_size == b->patch_size && a->method == b->method
      && a->search_factor == b->search_factor && a->shortcuts == b->shortcuts;
}

/* Returns: whether two masks @a and @b of @n bytes, either of which may be NULL, are the
 * same */
static gboolean
is_same (const guint8 * a, const guint8 * b, gsize n)
{
  return a == NULL || b == NULL ? a == b : memcmp (a, b, n) == 0;
}

/* Sets @mask to 1 for all pixels that share a sample of any colour component, such as
 * subsampled chroma, with a pixel that is 1 in @unknown, and to 0 for others: frames
 * cannot be changed by less than a sample. */
static void
set_whole_samples (const MgpuInpaintBackground * self, const guint8 * unknown,
    guint8 * mask)
{
  gint width = GST_VIDEO_INFO_WIDTH (&self->info);
  gint height = GST_VIDEO_INFO_HEIGHT (&self->info);
  guint sub_x = self->sub_x, sub_y = self->sub_y;

  memset (mask, 0, (gsize) width * height);
  for (gint y = 0; y < height; y++) {
    guint8 *first = mask + (gsize) (y >> sub_y << sub_y) * width;

    for (gint x = 0; x < width; x++)
      first[x >> sub_x << sub_x] |= unknown[(gsize) y * width + x];
  }
  for (gint y = 0; y < height; y++)
    for (gint x = 0; x < width; x++)
      mask[(gsize) y * width + x] =
          mask[(gsize) (y >> sub_y << sub_y) * width + (x >> sub_x << sub_x)];
}

void
mgpu_inpaint_background_set_mask (MgpuInpaintBackground * self,
    const guint8 * unknown, const guint8 * forbidden,
    const MgpuInpaintParams * params)
{
  gsize n = (gsize) GST_VIDEO_INFO_WIDTH (&self->info)
      * GST_VIDEO_INFO_HEIGHT (&self->info);

  set_whole_samples (self, unknown, self->mask);
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

/* Sets the array @hidden for the work on a frame with the mask @mask, which has 1 for the
 * pixels to be filled. */
static void
hide (MgpuInpaintBackground * self, const guint8 * mask)
{
  gint width = GST_VIDEO_INFO_WIDTH (&self->info);
  gsize n = (gsize) width * GST_VIDEO_INFO_HEIGHT (&self->info);

  for (gsize i = 0; i < n; i++) {
    gboolean is_seen = self->seen[i] > 0 && (!self->camera_moves
        || *mgpu_inpaint_camera_whole (self, i % width, i / width));
    guint8 hidden = mask[i] ? 1 + !is_seen : 0;

    self->changed |= self->hidden[i] != hidden;
    self->hidden[i] = hidden;
  }
}

/* ---- Work on a frame ------------------------------------------------------------- */

/* Returns: whether there is a hidden pixel that was visible in at least one frame, but in
 * fewer than TRUSTED frames */
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

/* Finds the hidden pixels whose value in this frame differs from the remembered one.
 * Returns: (nullable): a byte for each pixel, 1 if it is such a pixel, otherwise 0; NULL
 * after an error, which is in @job */
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

/* Finds the doubtful pixels: those whose remembered value may show an object that has
 * just appeared in the mask, and not the background, because they were visible in few
 * frames. Sets these pixels in @doubtful to 1, others to 0. FALSE: the error is in @job. */
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

/* Sets the byte of each pixel in @found to the number of frames that showed the remembered
 * value of the pixel, plus 128 if the pixel showed another value when it was last visible.
 * FALSE: the error is in @job. */
static gboolean
get_settled (MgpuInpaintBackground * self, GstMgpuJob * job, guint8 * found)
{
  gsize n = (gsize) GST_VIDEO_INFO_WIDTH (&self->info)
      * GST_VIDEO_INFO_HEIGHT (&self->info);
  cl_kernel kernel = self->object.kernels[SETTLE];
  GstMgpuJob part;

  gst_mgpu_job_begin_part (&part, job);
  gst_mgpu_job_set_args (&part, kernel, "mim",
      mgpu_slot_read (self, SAMPLES, &part), GST_VIDEO_INFO_WIDTH (&self->info),
      mgpu_slot_write (self, UNSETTLED, &part, n));
  mgpu_launch (&part, kernel, 1, GST_VIDEO_INFO_HEIGHT (&self->info), 1, 1,
      self->row);
  return mgpu_end_part (job, &part)
      && mgpu_slot_download (self, UNSETTLED, job, found, n);
}

/* Finds the pixels whose background is not settled: of the frames in which the pixel was
 * visible, fewer than @part quarters showed the remembered value, or, if @part is 2, the
 * last of them showed another value, because something passed. Leaves out single pixels,
 * which are noise, and the pixels that are set in @ignored; adds the pixels beside those
 * found. Returns: (nullable): a byte for each pixel, 1 if it is such a pixel, otherwise 0;
 * NULL after an error, which is in @job */
static guint8 *
find_unsettled (MgpuInpaintBackground * self, GstMgpuJob * job, guint part,
    const guint8 * ignored)
{
  gint width = GST_VIDEO_INFO_WIDTH (&self->info);
  gint height = GST_VIDEO_INFO_HEIGHT (&self->info);
  gsize n = (gsize) width * height;
  guint8 *found = g_malloc (n), *moving = g_malloc (n);

  if (!get_settled (self, job, found)) {
    g_free (moving);
    g_free (found);
    return NULL;
  }
  for (gsize i = 0; i < n; i++) {
    guint count = found[i] & 127;

    found[i] = (part == 2 && found[i] >= 128)
        || (count > 0 && 4 * count < part * self->seen[i]);
  }
  mgpu_inpaint_find_moving (found, ignored, width, height, moving);
  for (gsize i = 0; i < n; i++)
    moving[i] = moving[i] ? 255 : 0;
  mgpu_inpaint_dilate (moving, width, width, height, UNSETTLED_BORDER, found);
  g_free (moving);
  return found;
}

/* Forgets the remembered values of pixels that have just become hidden, were visible in
 * fewer than LONG frames, and whose background is not settled: an object stood there for a
 * part of these frames, so that the remembered image is a mixture of pieces of the object
 * and of the background. FALSE: the error is in @job. */
static gboolean
forget_pieces (MgpuInpaintBackground * self, GstMgpuJob * job)
{
  gsize n = (gsize) GST_VIDEO_INFO_WIDTH (&self->info)
      * GST_VIDEO_INFO_HEIGHT (&self->info);
  gboolean is_any = FALSE;
  guint8 *unsettled;

#define IS_YOUNG(i) (self->hidden[i] && !self->was_hidden[i] \
    && self->seen[i] > 1 && self->seen[i] < LONG)
  for (gsize i = 0; i < n && !is_any; i++)
    is_any = IS_YOUNG (i);
  if (!is_any)
    return TRUE;
  unsettled = find_unsettled (self, job, 3, self->was_hidden);
  for (gsize i = 0; i < n && unsettled != NULL; i++)
    if (unsettled[i] && IS_YOUNG (i))
      self->seen[i] = 0;
#undef IS_YOUNG
  g_free (unsettled);
  return unsettled != NULL;
}

/* Counts, for each pixel, the frames in which it was visible. Forgets the remembered
 * values of doubtful pixels, which may not show the background. FALSE: the error is in
 * @job. */
static gboolean
count_seen (MgpuInpaintBackground * self, GstMgpuJob * job,
    const MgpuImage * in)
{
  gint width = GST_VIDEO_INFO_WIDTH (&self->info);
  gsize n = (gsize) width * GST_VIDEO_INFO_HEIGHT (&self->info);
  guint8 *doubtful = self->unknown;

  if (self->is_first) {
    memset (self->seen, 0, n);
    memset (self->whole, 0, n);
    self->x = self->y = 0;
  }
  if (!find_doubtful (self, job, in, doubtful)
      || (!self->is_first && !forget_pieces (self, job)))
    return FALSE;
  for (gsize i = 0; i < n; i++) {
    self->was_hidden[i] = self->hidden[i] != 0;
    if (!self->hidden[i]) {
      self->seen[i] = MIN (self->seen[i] + 1, LONG);
      if (self->camera_moves)
        *mgpu_inpaint_camera_whole (self, i % width, i / width) = 1;
    } else if (doubtful[i]) {
      self->seen[i] = 0;
    }
  }
  return TRUE;
}

/* Gives the mask of the pixels to fill to @inpaint, the object that fills with patches;
 * this object then plans the filling anew. Pixels whose background is not settled (see
 * find_unsettled()) are not copied into the hole; near the unknown pixels they are filled,
 * too, so that patches do not continue the objects that pass there. If these two rules
 * leave no pixel to copy, they are not applied. Marks in self->kept the pixels that were
 * filled before and keep their values. FALSE: the error is in @job. */
static gboolean
plan (MgpuInpaintBackground * self, MgpuInpaint * inpaint, GstMgpuJob * job)
{
  gint width = GST_VIDEO_INFO_WIDTH (&self->info);
  gint height = GST_VIDEO_INFO_HEIGHT (&self->info);
  gsize n = (gsize) width * height;
  guint8 *unsettled = find_unsettled (self, job, 2, self->unknown), *old;
  gboolean keeps = self->is_planned && !self->is_new_scene
      && self->result >= MGPU_INPAINT_COPIES
      && (self->has_first || self->has_kept);

  self->is_planned = unsettled != NULL;
  if (unsettled == NULL)
    return FALSE;
  old = g_malloc (n);
  for (gsize i = 0; i < n; i++)
    old[i] = self->filled[i] && self->planned[i] && self->unknown[i]
        && (self->has_first || !keeps || self->kept[i]) ? 2 : 0;
  for (gsize i = 0; i < n; i++)
    self->extra[i] = self->unknown[i] ? 255 : 0;
  mgpu_inpaint_dilate (self->extra, width, width, height,
      self->params.patch_size, self->planned);
  self->has_extra = FALSE;
  g_clear_pointer (&self->kept, g_free);
  if (keeps)
    self->kept = old;
  else
    g_free (old);
  for (gsize i = 0; i < n; i++) {
    self->extra[i] = self->planned[i] && unsettled[i] && !self->unknown[i];
    self->has_extra |= self->extra[i];
    self->planned[i] = self->unknown[i] || self->extra[i];
    unsettled[i] |= self->forbidden != NULL && self->forbidden[i];
  }
  self->result = mgpu_inpaint_set_mask (inpaint, self->planned, unsettled,
      &self->params);
  if (self->result == MGPU_INPAINT_DIFFUSES)
    self->result = mgpu_inpaint_set_mask (inpaint, self->planned,
        self->forbidden, &self->params);
  if (self->has_extra && (self->result == MGPU_INPAINT_EVERYTHING
          || self->result == MGPU_INPAINT_DIFFUSES)) {
    self->has_extra = FALSE;
    memset (self->extra, 0, n);
    memcpy (self->planned, self->unknown, n);
    self->result = mgpu_inpaint_set_mask (inpaint, self->planned,
        self->forbidden, &self->params);
  }
  self->has_kept = keeps && !self->has_first;
  self->has_first = FALSE;
  g_free (unsettled);
  return TRUE;
}

/* Finds the pixels that patches have to fill. When some of them are not in the mask for
 * which patches were last searched, has the filling planned anew. Sets *new_plan to TRUE
 * when the filling was planned anew, or when no pixel is left for patches. FALSE: the error
 * is in @job. */
static gboolean
find_unknown (MgpuInpaintBackground * self, MgpuInpaint * inpaint,
    GstMgpuJob * job, gboolean * new_plan)
{
  gsize n = (gsize) GST_VIDEO_INFO_WIDTH (&self->info)
      * GST_VIDEO_INFO_HEIGHT (&self->info);
  gboolean is_new = !self->is_planned || self->is_new_scene
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
    *new_plan = TRUE;
    return TRUE;
  }
  *new_plan = is_new;
  if (is_new)
    return plan (self, inpaint, job);
  for (gsize i = 0; i < n; i++)
    self->unknown[i] |= self->extra[i];
  mgpu_inpaint_narrow (inpaint, self->unknown);
  return TRUE;
}

/* Returns: whether this frame is one in which the pixels that patches filled are checked
 * for changes since the patches were found */
static gboolean
is_turn (const MgpuInpaintBackground * self)
{
  return self->age < SETTLED ? (self->age & (self->age - 1)) == 0
      : self->age % SETTLED == 0;
}

/* Fills the pixels that were never visible with patches of the remembered background.
 * When the filled pixels have changed too much since the patches were found, new patches
 * are searched for the next frame. This frame cannot get them: its job still uses device
 * memories that are replaced when the filling is planned anew. Returns: FALSE when @progress
 * stopped the work */
static gboolean
enqueue_fill (MgpuInpaintBackground * self, MgpuInpaint * inpaint,
    GstMgpuJob * job, const MgpuImage * plate, const MgpuImage * filled,
    MgpuInpaintProgress progress, gpointer data)
{
  gboolean is_stale = FALSE;
  MgpuImage base, first;

  if (self->camera_moves) {
    if (!mgpu_inpaint_enqueue (inpaint, job, plate, filled, progress, data))
      return FALSE;
    if (mgpu_inpaint_get_way (inpaint) != MGPU_INPAINT_UNFINISHED)
      mgpu_inpaint_camera_adopt (self, job, filled);
    return TRUE;
  }
  if (!mgpu_slot_image (self, BASE, job, &self->info, &base)
      || !mgpu_slot_image (self, FIRST, job, &self->info, &first))
    return TRUE;
  /* Copies the image of the last frame, in which the pixels of self->kept have the values
   * that they keep, before it is overwritten. */
  if (self->kept != NULL && !self->has_kept) {
    mgpu_image_copy_planes (job, filled, &first, ~0u);
    self->has_kept = TRUE;
  }
  if (!mgpu_inpaint_enqueue (inpaint, job, plate, filled, progress, data))
    return FALSE;
  if (!self->has_first) {
    mgpu_image_copy_planes (job, filled, &base, ~0u);
    if (self->kept != NULL && mgpu_slot_upload (self, KEPT_PIXELS, job,
            self->kept, (gsize) GST_VIDEO_INFO_WIDTH (&self->info)
            * GST_VIDEO_INFO_HEIGHT (&self->info), 0))
      mgpu_inpaint_behind_steady (self, job, filled, &base, &first,
          KEPT_PIXELS);
    if (mgpu_inpaint_get_way (inpaint) == MGPU_INPAINT_UNFINISHED)
      return TRUE;
    mgpu_image_copy_planes (job, filled, &first, ~0u);
    self->has_first = TRUE;
    return TRUE;
  }
  /* Does not compare an image whose filling is unfinished: its differences do not justify a
   * search for new patches. Such an image is steadied all the same. */
  if (mgpu_inpaint_get_way (inpaint) != MGPU_INPAINT_UNFINISHED
      && is_turn (self) && ((self->age <= SETTLED && self->has_extra)
          || (mgpu_inpaint_behind_find_stale (self, job, filled,
                  self->age <= SETTLED ? &first : &base,
                  self->age <= SETTLED ? STALE_PART_AT_FIRST : STALE_PART,
                  &is_stale) && is_stale)))
    self->is_planned = FALSE;
  mgpu_inpaint_behind_steady (self, job, filled, &base, &first, HIDDEN);
  return TRUE;
}

gboolean
mgpu_inpaint_background_is_cut (MgpuInpaintBackground * self, GstMgpuJob * job,
    const MgpuImage * in, const guint8 * unknown)
{
  gboolean is_cut = FALSE;

  if (self->is_first)
    return FALSE;
  set_whole_samples (self, unknown, self->coming);
  hide (self, self->coming);
  return mgpu_inpaint_behind_prepare (self, job)
      && mgpu_inpaint_behind_find_cut (self, job, in, &is_cut)
      && is_cut;
}

/* Remembers what is visible in the frame @in, which has the mask @mask. FALSE: the error
 * is in @job. */
static gboolean
look (MgpuInpaintBackground * self, GstMgpuJob * job, const MgpuImage * in,
    const guint8 * mask)
{
  MgpuImage plate;

  hide (self, mask);
  if (!mgpu_inpaint_behind_prepare (self, job)
      || !mgpu_slot_image (self, PLATE, job, &self->info, &plate))
    return FALSE;
  self->age = self->is_first ? 1 : self->age + 1;
  if (!count_seen (self, job, in))
    return FALSE;
  hide (self, mask);
  if (!mgpu_inpaint_behind_upload (self, job))
    return FALSE;
  mgpu_inpaint_behind_look (self, job, in, &plate);
  self->is_new_scene |= self->is_first;
  self->is_first = FALSE;
  return TRUE;
}

void
mgpu_inpaint_background_look (MgpuInpaintBackground * self, GstMgpuJob * job,
    const MgpuImage * in, const guint8 * unknown)
{
  set_whole_samples (self, unknown, self->coming);
  look (self, job, in, self->coming);
}

/* Remembers what is visible in the frame @in, which is filled next; forgets the background
 * if the frame belongs to another scene. FALSE: the error is in @job. */
static gboolean
look_now (MgpuInpaintBackground * self, GstMgpuJob * job, const MgpuImage * in)
{
  gboolean is_cut = FALSE;

  if (self->camera_moves && !self->is_first
      && !mgpu_inpaint_camera_follow (self, job, in, self->mask))
    return FALSE;
  hide (self, self->mask);
  if (!self->is_first && !(mgpu_inpaint_behind_prepare (self, job)
          && mgpu_inpaint_behind_find_cut (self, job, in, &is_cut)))
    return FALSE;
  self->is_first |= is_cut;
  return look (self, job, in, self->mask);
}

gboolean
mgpu_inpaint_background_enqueue (MgpuInpaintBackground * self,
    MgpuInpaint * inpaint, GstMgpuJob * job, const MgpuImage * in,
    const MgpuImage * out, gboolean was_seen, MgpuInpaintProgress progress,
    gpointer data, MgpuInpaintResult * result, gboolean * is_new)
{
  gsize n = (gsize) GST_VIDEO_INFO_WIDTH (&self->info)
      * GST_VIDEO_INFO_HEIGHT (&self->info);
  guint8 *hidden = self->hidden, *was_filled = self->filled;
  MgpuImage plate, filled;
  gboolean goes_on = TRUE;

  *is_new = FALSE;
  *result = self->result;
  if ((!was_seen || self->is_first) && !look_now (self, job, in))
    return TRUE;
  hide (self, self->mask);
  if (!find_unknown (self, inpaint, job, is_new))
    return TRUE;
  *result = self->result;
  if (!mgpu_inpaint_behind_upload (self, job)
      || !mgpu_slot_image (self, PLATE, job, &self->info, &plate)
      || !mgpu_slot_image (self, FILLED, job, &self->info, &filled))
    return TRUE;

  if (self->is_new_scene)
    mgpu_inpaint_passing_forget (self);
  self->is_new_scene = FALSE;
  if (self->has_passing && !mgpu_inpaint_passing_follow (self, job, in))
    return TRUE;
  if (self->result < MGPU_INPAINT_COPIES)
    filled = plate;
  else
    goes_on = enqueue_fill (self, inpaint, job, &plate, &filled, progress,
        data);
  if (!goes_on)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    was_filled[i] = hidden[i] == 2;
  mgpu_inpaint_behind_show (self, job, in, &filled, out);
  if (self->has_passing)
    mgpu_inpaint_passing_show (self, job, out);
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
    gsize at = (gsize) (self->around.y + i / self->around.width)
        * GST_VIDEO_INFO_WIDTH (&self->info) + self->around.x
        + i % self->around.width;

    if (self->owners[i] == 0)
      continue;
    *n_passing += 1;
    *n_seen -= self->hidden[at] == 1;
    *n_unseen -= self->hidden[at] == 2;
  }
}
