/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reuses the patches that filled the hole of an earlier frame in the next frames: see
 * docs/algorithms/inpaint.md. */
#include "inpaint-private.h"

#include <kernels/inpaint/inpaint-shared.h>

/* Limit for the total cost of all patches, where the cost is the sum of squared differences. The
 * hole is filled again if the total cost exceeds WORSE times its value when the hole was filled,
 * plus TOLERANCE for each compared sample. */
#define WORSE 4
#define TOLERANCE 64

/* Factor by which this limit is raised in a frame in which the time was too short to search for
 * better source patches for all target patches. */
#define PATIENCE 4

/* Cost of a target patch and its source patch. Kernels read and write it as uint2. */
typedef struct
{
  guint32 cost;                 /* sum of squared differences between the samples of the target
                                 * patch and the source patch */
  guint32 count;                /* twice the number of compared pixels, plus 1 if the target
                                 * patch got a different source patch */
} Found;

/* ---- Dependencies between patches ------------------------------------------------ */

/* Describes the order in which patches filled a hole. A target is the center of a target patch;
 * its number is the index of this pixel in the frame.
 * @filler: for each pixel of @box, row by row: the target whose patch filled this pixel;
 *   -1 for known pixels
 * @level: level of each target in @box, starting at 1. The level of a target is higher than the
 *   levels of all targets whose patches had to be filled before. */
typedef struct
{
  const gint *filler;
  MgpuBox box;
  gint width, radius;           /* width of the frame, radius of a patch, in pixels */
  gint *level;
} Order;

/* Returns: the index of the pixel @pixel of the frame in the arrays @filler and @level of @order */
static gint
to_box (const Order * order, gint pixel)
{
  return (pixel / order->width - order->box.y0)
      * (order->box.x1 - order->box.x0)
      + pixel % order->width - order->box.x0;
}

/* Checks the array @filler of @order, which the device wrote. It contains the center of the
 * patch that filled each pixel. Returns: TRUE if each element is negative or a valid target,
 * that is, a pixel in the box of @order that was filled by the patch whose center it is */
static gboolean
check_fillers (const Order * order)
{
  gint n = mgpu_box_area (&order->box);

  for (gint i = 0; i < n; i++) {
    gint filler = order->filler[i], x, y;

    if (filler < 0)
      continue;
    x = filler % order->width;
    y = filler / order->width;
    if (x < order->box.x0 || x >= order->box.x1 || y < order->box.y0
        || y >= order->box.y1
        || order->filler[to_box (order, filler)] != filler)
      return FALSE;
  }
  return TRUE;
}

/* Sets the level of a target (the center of a target patch) to a higher level than those of all
 * targets whose patches had to be filled before. If the level of one of these is not known yet,
 * does nothing. Returns: the target whose level must be set first; -1 if the level was set */
static gint
find_level (const Order * order, gint target)
{
  gint x = target % order->width, y = target / order->width;
  gint x0 = MAX (x - order->radius, order->box.x0);
  gint y0 = MAX (y - order->radius, order->box.y0);
  gint x1 = MIN (x + order->radius + 1, order->box.x1);
  gint y1 = MIN (y + order->radius + 1, order->box.y1), level = 1;

  for (gint v = y0; v < y1; v++) {
    for (gint u = x0; u < x1; u++) {
      gint other = order->filler[to_box (order, v * order->width + u)];
      gint needed;

      /* Skips known pixels, and pixels that the patch of @target itself filled. All other pixels
       * of the patch were filled earlier, by other patches. */
      if (other < 0 || other == target)
        continue;
      needed = order->level[to_box (order, other)];
      if (needed == 0)
        return other;
      level = MAX (level, needed + 1);
    }
  }
  order->level[to_box (order, target)] = level;
  return -1;
}

/* Sets the levels of all targets (centers of patches). The level of a target is higher than the
 * levels of all targets whose patches had to be filled before. Returns: the highest level; -1 if
 * targets depend on each other in a cycle, which only a faulty device can write */
static gint
find_levels (const Order * order)
{
  gint n = mgpu_box_area (&order->box);
  g_autoptr (GArray) todo = g_array_new (FALSE, FALSE, sizeof (gint));
  gint highest = 0;

  for (gint i = 0; i < n && highest >= 0; i++) {
    gint target = order->filler[i];

    if (target < 0 || order->level[to_box (order, target)] > 0)
      continue;
    g_array_append_val (todo, target);
    while (todo->len > 0 && highest >= 0) {
      gint top = g_array_index (todo, gint, todo->len - 1);
      gint needed = find_level (order, top);

      if (needed >= 0) {
        g_array_append_val (todo, needed);
        /* Detects a cycle. If the stack @todo has more entries than there are targets, a target
         * is on the stack twice. */
        highest = todo->len > (guint) n ? -1 : highest;
        continue;
      }
      highest = MAX (highest, order->level[to_box (order, top)]);
      g_array_set_size (todo, todo->len - 1);
    }
  }
  return highest;
}

/* Sorts the targets by level. Writes the index of the first target of each level to the array
 * @levels, followed by the number of targets. Returns: (element-type gint) (nullable): the
 * targets, lowest levels first; NULL if the array @filler of @order is invalid */
static GArray *
sort_targets (const Order * order, GArray * levels)
{
  gint n_levels = check_fillers (order) ? find_levels (order) : -1;
  GArray *targets;

  if (n_levels < 0)
    return NULL;
  targets = mgpu_inpaint_sort (order->level, mgpu_box_area (&order->box),
      n_levels, levels);
  for (guint i = 0; i < targets->len; i++) {
    gint *target = &g_array_index (targets, gint, i);

    *target = order->filler[*target];
  }
  return targets;
}

/* ---- Work on the device ----------------------------------------------------------- */

/* Enqueues the kernels that compare the stored target patches @first to @end - 1 with the frame,
 * and write their costs (squared differences) to the scratch buffer with the index @to. If
 * @search is TRUE, the kernels also search for better source patches: on a graphics card, several
 * work-groups share the search of a patch. */
static void
enqueue_patches (MgpuInpaint * self, GstMgpuJob * job, guint to, gint first,
    gint end, gboolean search)
{
  cl_kernel kernel = self->object.kernels[FOLLOW];
  gsize local[] = { self->object.knobs[STEP_GROUP], 1 };

  for (; first < end; first += MGPU_INPAINT_MAX_FOLLOWED) {
    gsize n = MIN (end - first, MGPU_INPAINT_MAX_FOLLOWED);
    gsize n_parts = search && local[0] > 1 ? MGPU_INPAINT_MAX_FOLLOWED / n : 1;
    gsize global[] = { n * local[0], n_parts };

    gst_mgpu_job_set_args (job, kernel, "mimmmmmmimmmmiiii", self->mem[WORK],
        self->plane, self->mem[SOURCES], self->mem[OBJECT], self->mem[WINDOWS],
        self->mem[FILLER], self->mem[ORIGIN],
        mgpu_slot_read (self, FOLLOWED, job), first, self->mem[ENTRIES],
        mgpu_slot_read (self, FITS, job), mgpu_slot_write (self, to, job, 0),
        self->mem[PARTS], self->plan->width, self->plan->height,
        self->params.patch_size / 2, search);
    gst_mgpu_job_launch (job, kernel, 2, global, local);
    if (n_parts == 1)
      continue;
    gst_mgpu_job_set_args (job, self->object.kernels[ACCEPT], "mmmimmiiii",
        self->mem[FILLER], self->mem[ORIGIN],
        mgpu_slot_read (self, FOLLOWED, job), first,
        mgpu_slot_write (self, to, job, 0), self->mem[PARTS], (gint) n_parts,
        self->plan->width, self->plan->height, self->params.patch_size / 2);
    mgpu_launch_items (job, self->object.kernels[ACCEPT], n * local[0],
        local[0]);
  }
}

/* Returns: the number of stored targets (centers of patches) */
static gint
count_targets (const MgpuInpaintVideo * video)
{
  return g_array_index (video->levels, gint, video->levels->len - 1);
}

/* Reads from the device which patch filled each pixel of the hole. Returns: (nullable): the
 * targets (centers of patches), lowest levels first */
static GArray *
read_targets (MgpuInpaint * self, GstMgpuJob * job)
{
  MgpuBox hole = self->plan->hole;
  Order order = {.box = hole,.width = self->plan->width,
    .radius = self->params.patch_size / 2
  };
  gsize n = mgpu_box_area (&hole);
  GArray *targets;
  GstMgpuJob part;
  GstMemory *list;
  GstMapInfo map;

  gst_mgpu_job_begin_part (&part, job);
  gst_mgpu_job_set_args (&part, self->object.kernels[LIST], "miiiim",
      self->mem[FILLER], self->plan->width, hole.x0, hole.y0,
      hole.x1 - hole.x0, mgpu_slot_write (self, HOLE_FILLER, &part,
          n * sizeof (gint)));
  mgpu_inpaint_launch_rows (self, &part, LIST, hole);
  if (!mgpu_end_part (job, &part))
    return NULL;
  list = self->object.slots[HOLE_FILLER];
  if (!mgpu_map_in_job (job, list, &map, GST_MAP_READ))
    return NULL;
  order.filler = (const gint *) map.data;
  order.level = g_new0 (gint, n);
  targets = sort_targets (&order, self->video.levels);
  g_free (order.level);
  gst_memory_unmap (list, &map);
  return targets;
}

/* Ends the job @part, whose kernels wrote the costs (squared differences) of @n patches to the
 * scratch buffer with the index @slot. Copies these costs to the array @found. Returns: FALSE
 * after an error, which is in @job */
static gboolean
get_found (MgpuInpaint * self, GstMgpuJob * job, GstMgpuJob * part,
    guint slot, Found * found, gint n)
{
  return mgpu_end_part (job, part)
      && mgpu_slot_download (self, slot, job, found, n * sizeof (Found));
}

/* Computes the costs (squared differences) of all stored target patches with their current
 * source patches. Writes them to the scratch buffer with the index @to and to the array @found.
 * Returns: FALSE after an error, which is in @job */
static gboolean
look_at_patches (MgpuInpaint * self, GstMgpuJob * job, guint to, Found * found)
{
  gint n = count_targets (&self->video);
  GstMgpuJob part;

  gst_mgpu_job_begin_part (&part, job);
  enqueue_patches (self, &part, to, 0, n, FALSE);
  return get_found (self, job, &part, to, found, n);
}

void
mgpu_inpaint_video_remember (MgpuInpaint * self, GstMgpuJob * job)
{
  MgpuInpaintVideo *video = &self->video;
  GArray *targets;
  gsize size;

  if (video->levels == NULL)
    video->levels = g_array_new (FALSE, TRUE, sizeof (gint));
  targets = job->error == NULL ? read_targets (self, job) : NULL;
  if (targets == NULL)
    return;
  size = targets->len * sizeof (Found);
  video->host_fits = g_realloc (video->host_fits, 2 * size);
  video->next_level = 0;
  video->is_valid = mgpu_slot_upload (self, FOLLOWED, job, targets->data,
      targets->len * sizeof (gint), 0)
      && mgpu_slot_ensure (self, FITS, job, size)
      && mgpu_slot_ensure (self, FOUND, job, size)
      && look_at_patches (self, job, FITS, video->host_fits);
  g_array_unref (targets);
}

/* Returns: the index of the first of @n target patches whose cost in this frame (in @found) is
 * much higher than when the hole was filled (in @fits); -1 if there is none */
static gint
find_worse (const Found * found, const Found * fits, gint n)
{
  for (gint i = 0; i < n; i++)
    if (found[i].cost > NEAR_LIMIT (fits[i].cost, fits[i].count / 2))
      return i;
  return -1;
}

/* Returns: TRUE if the total cost (squared differences) of @n patches in this frame, in @found,
 * is low enough for the patches to belong to the same scene. The limit is @slack times a number
 * computed from @fits, the costs when the hole was filled. */
static gboolean
is_near (const Found * found, const Found * fits, gint n, guint slack)
{
  guint64 sum = 0, limit = 0;

  for (gint i = 0; i < n; i++) {
    sum += found[i].cost;
    limit += WORSE * (guint64) fits[i].cost
        + TOLERANCE * 3 * (guint64) (fits[i].count / 2);
  }
  return sum <= slack * limit;
}

/* Enqueues the kernel that compares the target patches of level @level with the frame and
 * searches for better source patches. */
static void
enqueue_level (MgpuInpaint * self, GstMgpuJob * job, guint level)
{
  const gint *begin = (const gint *) self->video.levels->data + level - 1;

  enqueue_patches (self, job, FOUND, begin[0], begin[1], TRUE);
}

/* Searches for better source patches until the deadline, one level of target patches after the
 * other. The search in the next frame continues with the next level. Returns: FALSE if the
 * patches no longer match, or after an error, which is in @job */
static gboolean
follow_in_time (MgpuInpaint * self, GstMgpuJob * job, Found * found, gint n)
{
  MgpuInpaintVideo *video = &self->video;
  guint n_levels = video->levels->len - 1, done = 0;
  gint64 longest = 0, before = g_get_monotonic_time (), now = before;

  for (; done < n_levels && now + longest < self->deadline; done++) {
    GstMgpuJob part;

    video->next_level = video->next_level % n_levels + 1;
    gst_mgpu_job_begin_part (&part, job);
    enqueue_level (self, &part, video->next_level);
    if (!get_found (self, job, &part, FOUND, found, n))
      return FALSE;
    before = now;
    now = g_get_monotonic_time ();
    longest = MAX (longest, now - before);
  }
  video->way = MGPU_INPAINT_FOLLOWED;
  /* If the time was too short to search all levels of target patches, raises the limit for the
   * costs: in later frames, the patches of the remaining levels may get better source patches. */
  return is_near (found, video->host_fits, n, done == n_levels ? 1 : PATIENCE);
}

gboolean
mgpu_inpaint_video_follow (MgpuInpaint * self, GstMgpuJob * job)
{
  MgpuInpaintVideo *video = &self->video;
  gint n = video->is_valid ? count_targets (video) : 0, worse;
  const Found *fits = video->host_fits;
  Found *found = (Found *) video->host_fits + n;
  GstMgpuJob part;

  if (!video->is_valid || !look_at_patches (self, job, FOUND, found))
    return FALSE;
  video->way = MGPU_INPAINT_REPLAYED;
  worse = find_worse (found, fits, n);
  if (worse < 0)
    return TRUE;
  if (self->budget > 0)
    return follow_in_time (self, job, found, n);
  /* Searches for better source patches, starting at the level of the first patch that matches
   * badly. The patches of lower levels keep their source patches. */
  gst_mgpu_job_begin_part (&part, job);
  for (guint i = 1; i < video->levels->len; i++)
    if (worse < g_array_index (video->levels, gint, i))
      enqueue_level (self, &part, i);
  if (!get_found (self, job, &part, FOUND, found, n))
    return FALSE;
  for (gint i = 0; i < n; i++)
    if (found[i].count % 2 != 0)
      video->way = MGPU_INPAINT_FOLLOWED;
  return is_near (found, fits, n, 1);
}

void
mgpu_inpaint_video_clear (MgpuInpaintVideo * self)
{
  g_clear_pointer (&self->levels, g_array_unref);
  g_clear_pointer (&self->host_fits, g_free);
}
