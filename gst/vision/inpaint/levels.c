/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Plans the pyramid that is used to fill large holes from coarse to fine. */
#include "inpaint-plan.h"

#include <kernels/inpaint/inpaint-shared.h>
#include <string.h>

/* Smallest number of source patches of a pyramid level. Levels with fewer source patches are not
 * used. Level 0 needs only one. */
#define MIN_SOURCES 64

/* Masks of a pyramid level, of @width x @height bytes each. @unknown is 255 for unknown pixels.
 * @unusable is 255 for pixels that are unknown or must not be copied. */
typedef struct
{
  gint width, height;
  guint8 *unknown, *unusable;
} Masks;

static Masks
masks_new (gint width, gint height)
{
  gsize n = (gsize) width * height;
  Masks masks = { width, height, g_malloc0 (n), g_malloc0 (n) };

  return masks;
}

static void
masks_clear (Masks * masks)
{
  g_free (masks->unknown);
  g_free (masks->unusable);
}

/* Returns: @masks at half the width and height. A pixel of the result is set if at least one of
 * the four pixels that it replaces is set. */
static Masks
masks_reduce (const Masks * masks)
{
  Masks half = masks_new ((masks->width + 1) / 2, (masks->height + 1) / 2);

  for (gint y = 0; y < masks->height; y++) {
    for (gint x = 0; x < masks->width; x++) {
      gsize from = (gsize) y * masks->width + x;
      gsize to = (gsize) (y / 2) * half.width + x / 2;

      half.unknown[to] |= masks->unknown[from];
      half.unusable[to] |= masks->unusable[from];
    }
  }
  return half;
}

/* Sets the flags of each pixel of a pyramid level. They indicate whether the pixel is the center
 * of a target patch or of a source patch, and contain its distance from the nearest known pixel.
 * Returns: the number of source patches */
static guint
set_flags (const Masks * masks, MgpuInpaintScale * scale, guint8 * flags)
{
  const MgpuBox all = { 0, 0, masks->width, masks->height };
  gsize n = (gsize) masks->width * masks->height;
  g_autofree gint *distances = g_new (gint, n);
  guint8 *near = g_malloc (n), *bad = g_malloc (n);
  guint n_sources = 0;

  scale->depth = MIN (mgpu_inpaint_find_distances (masks->unknown, masks->width,
          masks->height, all, distances), MATCH_DEPTH);
  mgpu_inpaint_dilate (masks->unknown, masks->width, masks->width,
      masks->height, MATCH_RADIUS, near);
  mgpu_inpaint_dilate (masks->unusable, masks->width, masks->width,
      masks->height, MATCH_RADIUS, bad);
  for (gint y = 0; y < masks->height; y++) {
    for (gint x = 0; x < masks->width; x++) {
      gsize i = (gsize) y * masks->width + x;
      gboolean is_center = x >= MATCH_RADIUS && y >= MATCH_RADIUS
          && x < masks->width - MATCH_RADIUS
          && y < masks->height - MATCH_RADIUS;

      flags[i] = MIN (distances[i], MATCH_DEPTH);
      if (is_center && near[i])
        flags[i] |= FLAG_TARGET;
      if (is_center && !bad[i]) {
        flags[i] |= FLAG_SOURCE;
        n_sources++;
      }
    }
  }
  g_free (near);
  g_free (bad);
  return n_sources;
}

/* Appends the indices of some pixels of a pyramid level to the array @lists of @self: of the
 * pixels whose flags have any of the bits of @wanted. Sets *@first to the index of the first of
 * them in @lists. Returns: the number of these pixels */
static gint
add_list (MgpuInpaintLevels * self, const MgpuInpaintScale * scale,
    guint8 wanted, gint * first)
{
  gint n = scale->width * scale->height;

  *first = self->lists->len;
  for (gint i = 0; i < n; i++)
    if (self->flags->data[scale->at + i] & wanted)
      g_array_append_val (self->lists, i);
  return self->lists->len - *first;
}

/* Adds a level to the pyramid, unless it has fewer than @min_sources source patches. Returns:
 * whether the level was added */
static gboolean
add_level (MgpuInpaintLevels * self, const Masks * masks, guint min_sources)
{
  MgpuInpaintScale *scale = &self->scales[self->n_scales];
  gsize n = (gsize) masks->width * masks->height;
  guint n_sources;

  *scale = (MgpuInpaintScale) {
  .width = masks->width,.height = masks->height,.at = self->flags->len};
  g_byte_array_set_size (self->flags, scale->at + n);
  n_sources = set_flags (masks, scale, self->flags->data + scale->at);
  if (n_sources < min_sources) {
    g_byte_array_set_size (self->flags, scale->at);
    return FALSE;
  }
  self->n_scales++;
  scale->n_targets = add_list (self, scale, FLAG_TARGET, &scale->first_target);
  scale->n_unknown = add_list (self, scale, MATCH_DEPTH, &scale->first_unknown);
  return TRUE;
}

/* Sorts the unknown pixels of the last level by their distance from the nearest known pixel. */
static void
sort_unknown (MgpuInpaintLevels * self)
{
  const MgpuInpaintScale *scale = &self->scales[self->n_scales - 1];
  gint n = scale->width * scale->height;
  g_autofree gint *distances = g_new (gint, n);
  g_autoptr (GArray) sorted = NULL;

  for (gint i = 0; i < n; i++)
    distances[i] = self->flags->data[scale->at + i] & MATCH_DEPTH;
  sorted = mgpu_inpaint_sort (distances, n, scale->depth, self->ends);
  memcpy (&g_array_index (self->lists, gint, scale->first_unknown),
      sorted->data, sorted->len * sizeof (gint));
}

/* Returns: the masks for the part of the frame inside @box */
static Masks
masks_of_frame (const MgpuInpaintPlan * plan, MgpuBox box,
    const guint8 * unknown, const guint8 * forbidden)
{
  Masks masks = masks_new (box.x1 - box.x0, box.y1 - box.y0);

  for (gint y = 0; y < masks.height; y++) {
    for (gint x = 0; x < masks.width; x++) {
      gsize from = (gsize) (box.y0 + y) * plan->width + box.x0 + x;
      gsize to = (gsize) y * masks.width + x;

      masks.unknown[to] = unknown[from] ? 255 : 0;
      masks.unusable[to] = unknown[from] || (forbidden != NULL
          && forbidden[from]) ? 255 : 0;
    }
  }
  return masks;
}

void
mgpu_inpaint_levels_init (MgpuInpaintLevels * self,
    const MgpuInpaintPlan * plan, const guint8 * unknown,
    const guint8 * forbidden)
{
  MgpuBox box = g_array_index (plan->windows, MgpuBox, 0);
  Masks masks;

  for (guint i = 1; i < plan->windows->len; i++) {
    MgpuBox window = g_array_index (plan->windows, MgpuBox, i);

    box = (MgpuBox) {
      MIN (box.x0, window.x0), MIN (box.y0, window.y0),
          MAX (box.x1, window.x1), MAX (box.y1, window.y1)
    };
  }
  self->box = box;
  self->n_scales = 0;
  self->flags = g_byte_array_new ();
  self->lists = g_array_new (FALSE, FALSE, sizeof (gint));
  self->ends = g_array_new (FALSE, TRUE, sizeof (gint));
  masks = masks_of_frame (plan, box, unknown, forbidden);
  for (guint min = 1; add_level (self, &masks, min)
      && self->n_scales < G_N_ELEMENTS (self->scales)
      && self->scales[self->n_scales - 1].depth > MATCH_TOP; min = MIN_SOURCES) {
    Masks half = masks_reduce (&masks);

    masks_clear (&masks);
    masks = half;
  }
  masks_clear (&masks);
  if (self->n_scales == 0)
    return;
  sort_unknown (self);
  self->n_sources = add_list (self, &self->scales[self->n_scales - 1],
      FLAG_SOURCE, &self->first_source);
}

void
mgpu_inpaint_levels_clear (MgpuInpaintLevels * self)
{
  g_clear_pointer (&self->flags, g_byte_array_unref);
  g_clear_pointer (&self->lists, g_array_unref);
  g_clear_pointer (&self->ends, g_array_unref);
}
