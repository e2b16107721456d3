/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes a filter compute only the parts of a frame that change, and blends the results
 * into the frame. */
#include "gstmgpublend.h"

#include <gst/vision/base/array.h>
#include <gst/vision/blend/blend.h>

#include "gstmgpumaskgrow.h"

/* Maximum number of boxes of changed pixels that are compared pair by pair, to find boxes worth
 * merging. If there are more boxes, the surplus boxes are merged into the first box before the
 * comparison. */
#define MAX_BOXES 48

/* Cost of launching the kernels for one more part of a frame: the number of pixels that the device
 * processes in the time of these launches */
#define LAUNCHES 65536

/* --- Parts of the frame that are computed --- */

/* Returns: the box that results when @rect is enlarged by @reach pixels on all sides,
 * rounded outwards to multiples of @step pixels, and clipped to the frame */
static MgpuRect
grow (const GstMgpuRegions * regions, const MgpuRect * rect, gint reach,
    gint step)
{
  gint x = MAX (rect->x - reach, 0) / step * step;
  gint y = MAX (rect->y - reach, 0) / step * step;
  gint right = (rect->x + rect->width + reach + step - 1) / step * step;
  gint bottom = (rect->y + rect->height + reach + step - 1) / step * step;

  return (MgpuRect) {
  x, y, MIN (right, regions->width) - x, MIN (bottom, regions->height) - y};
}

static gint64
cost (const GstMgpuRegions * regions, const MgpuRect * rect, gint reach)
{
  MgpuRect grown = grow (regions, rect, reach, 1);

  return LAUNCHES + (gint64) grown.width * grown.height;
}

/* Returns: the smallest box around the boxes @a and @b */
static MgpuRect
join (const MgpuRect * a, const MgpuRect * b)
{
  gint x = MIN (a->x, b->x), y = MIN (a->y, b->y);

  return (MgpuRect) {
    x, y, MAX (a->x + a->width, b->x + b->width) - x,
        MAX (a->y + a->height, b->y + b->height) - y
  };
}

static gboolean
overlap (const MgpuRect * a, const MgpuRect * b)
{
  return a->x < b->x + b->width && b->x < a->x + a->width
      && a->y < b->y + b->height && b->y < a->y + a->height;
}

/* Merges two boxes of @parts if they overlap, or if processing their bounding box costs
 * at most as much as processing both boxes. Returns: FALSE if there are no such boxes */
static gboolean
join_two (const GstMgpuRegions * regions, GArray * parts, gint reach)
{
  for (guint i = 0; i < parts->len; i++)
    for (guint j = i + 1; j < parts->len; j++) {
      MgpuRect *a = &g_array_index (parts, MgpuRect, i);
      const MgpuRect *b = &g_array_index (parts, MgpuRect, j);
      MgpuRect both = join (a, b);

      if (overlap (a, b) || cost (regions, &both, reach)
          <= cost (regions, a, reach) + cost (regions, b, reach)) {
        *a = both;
        g_array_remove_index_fast (parts, j);
        return TRUE;
      }
    }
  return FALSE;
}

/* Compares two MgpuRects by area, to sort them in descending order. */
static gint
compare_areas (gconstpointer a, gconstpointer b)
{
  const MgpuRect *first = a, *second = b;
  gint64 more = (gint64) second->width * second->height
      - (gint64) first->width * first->height;

  return more < 0 ? -1 : more > 0;
}

/* Divides the frame into the parts to be computed. The parts consist of whole tiles, do
 * not overlap, and contain all pixels that change. @reach is the number of pixels by
 * which each part will be enlarged on all sides; if it is larger, more parts are merged.
 * Returns: (transfer full): an array of MgpuRect: the parts. The largest part comes
 * first, because it needs the most memory */
static GArray *
get_parts (const GstMgpuRegions * regions, gint reach)
{
  const GArray *boxes = regions->boxes;
  GArray *parts = g_array_new (FALSE, FALSE, sizeof (MgpuRect));

  g_array_append_vals (parts, boxes->data, boxes->len);
  while (parts->len > MAX_BOXES) {
    MgpuRect *first = &g_array_index (parts, MgpuRect, 0);

    *first = join (first, &g_array_index (parts, MgpuRect, parts->len - 1));
    g_array_set_size (parts, parts->len - 1);
  }
  while (join_two (regions, parts, reach));
  g_array_sort (parts, compare_areas);
  return parts;
}

/* --- Making the mask --- */

/* Uploads the gray values of the mask in the boxes @parts (transfer full), unless the
 * device has them already. */
static gboolean
send_mask (GstMgpuBlend * self, GstMgpuJob * job, GArray * parts)
{
  gsize size = 0;
  guint8 *greys;

  if (self->serial == self->regions.serial
      && mgpu_arrays_are_same (self->parts, parts)) {
    g_array_unref (parts);
    return TRUE;
  }
  g_clear_pointer (&self->parts, g_array_unref);
  self->parts = parts;
  self->serial = 0;
  if (self->regions.mask == NULL)
    return TRUE;
  for (guint i = 0; i < parts->len; i++)
    size += gst_mgpu_mask_get_size (&g_array_index (parts, MgpuRect, i));
  greys = g_malloc (size);
  size = 0;
  for (guint i = 0; i < parts->len; i++) {
    const MgpuRect *part = &g_array_index (parts, MgpuRect, i);

    gst_mgpu_mask_copy (self->regions.mask, self->regions.width, part,
        greys + size);
    size += gst_mgpu_mask_get_size (part);
  }
  if (mgpu_blend_set_masks (self->blend, job, greys, size))
    self->serial = self->regions.serial;
  g_free (greys);
  return job->error == NULL;
}

/* --- Computing and blending the parts --- */

/* Enqueues the work on the part of the frame in the box @rect, with the output image
 * @result. */
static void
compute (GstMgpuJob * job, const MgpuWork * work, const MgpuRect * rect,
    const MgpuImage * result, GstMgpuBlendWork enqueue, gpointer data)
{
  MgpuImage in = mgpu_image_crop (work->in, rect), guide;
  MgpuWork part = { work->params, &in, NULL, result, rect };

  if (work->guide != NULL) {
    guide = mgpu_image_crop (work->guide, rect);
    part.guide = &guide;
  }
  enqueue (data, job, &part);
}

/* Blends result images into @frame, in the boxes that self->parts lists. @rects: array of
 * the boxes that were computed: one around each part, or a single box for the whole
 * frame. @results: the result image of each of these boxes. @is_inverted: TRUE if
 * unmarked pixels change, FALSE if marked pixels change. @mix: weight of the results, in
 * units of 1 / 256 */
static void
blend (GstMgpuBlend * self, GstMgpuJob * job, const MgpuImage * frame,
    const GArray * rects, const MgpuImage * results, gboolean is_inverted,
    guint mix)
{
  const GstMgpuRegions *regions = &self->regions;
  gsize offset = 0;

  for (guint i = 0; i < self->parts->len; i++) {
    guint at = MIN (i, rects->len - 1);
    const MgpuRect *part = &g_array_index (self->parts, MgpuRect, i);
    const MgpuRect *rect = &g_array_index (rects, MgpuRect, at);
    const MgpuRect inner = {
      part->x - rect->x, part->y - rect->y, part->width, part->height
    };
    MgpuImage to = mgpu_image_crop (frame, part);
    MgpuImage from = mgpu_image_crop (&results[at], &inner);

    mgpu_blend_enqueue (self->blend, job, &to, &from, offset,
        regions->mask != NULL ? gst_mgpu_mask_get_stride (part) : 0,
        is_inverted, mix);
    offset += gst_mgpu_mask_get_size (part);
  }
}

/* Returns: (transfer full): an array of MgpuRect, the boxes to compute: one around each
 * part, or a single box for the whole frame */
static GArray *
get_rects (const GstMgpuBlend * self, gint reach, gint step)
{
  const GstMgpuRegions *regions = &self->regions;
  GArray *rects = g_array_new (FALSE, FALSE, sizeof (MgpuRect));
  MgpuRect whole = { 0, 0, regions->width, regions->height };
  gint64 area = 0;

  for (guint i = 0; i < self->parts->len && reach >= 0; i++) {
    MgpuRect rect = grow (regions, &g_array_index (self->parts, MgpuRect, i),
        reach, step);

    area += (gint64) rect.width * rect.height;
    g_array_append_val (rects, rect);
  }
  if (rects->len == 0 || area >= (gint64) whole.width * whole.height) {
    g_array_set_size (rects, 0);
    g_array_append_val (rects, whole);
  }
  return rects;
}

/* Runs the filter on the parts of a frame that change, and blends the results
 * into work->out. */
static void
enqueue_parts (GstMgpuBlend * self, GstMgpuJob * job, const MgpuWork * work,
    const GstMgpuBlendNeeds * needs, GstMgpuBlendWork enqueue, gpointer data)
{
  MgpuImage results[MAX_BOXES];
  g_autoptr (GArray) rects = get_rects (self, needs->reach, needs->step);

  if (mgpu_blend_get_results (self->blend, job, work->in,
          (const MgpuRect *) rects->data, rects->len, results)) {
    for (guint i = 0; i < rects->len; i++)
      compute (job, work, &g_array_index (rects, MgpuRect, i), &results[i],
          enqueue, data);
  }
  if (job->error == NULL && work->out != NULL) {
    if (work->out->memory != work->in->memory)
      mgpu_image_copy_planes (job, work->in, work->out, ~0u);
    blend (self, job, work->out, rects, results, self->regions.is_inverted,
        self->regions.mix);
  }
}

gboolean
gst_mgpu_blend_prepare (GstMgpuBlend * self, GstMgpuContext * context,
    const GstVideoInfo * info, GError ** error)
{
  if (self->blend == NULL)
    self->blend = mgpu_object_new (&mgpu_blend, context, info, NULL, NULL, NULL,
        error);
  return self->blend != NULL;
}

/* Does what gst_mgpu_blend_prepare() does for frames of the format of @image. Returns: FALSE on
 * failure, with the error stored in @job */
static gboolean
prepare (GstMgpuBlend * self, GstMgpuJob * job, GstMgpuContext * context,
    const MgpuImage * image)
{
  GError *error = NULL;

  if (gst_mgpu_blend_prepare (self, context, &image->info, &error))
    return TRUE;
  gst_mgpu_job_fail (job, error);
  return FALSE;
}

void
gst_mgpu_blend_enqueue (GstMgpuBlend * self, GstMgpuJob * job,
    GstMgpuContext * context, const MgpuWork * work,
    const GstMgpuBlendNeeds * needs, GstMgpuBlendWork enqueue, gpointer data)
{
  const MgpuWork survey = { work->params, work->in, work->guide, NULL };

  if (!prepare (self, job, context, work->in))
    return;
  if (needs->survey)
    enqueue (data, job, &survey);
  if (needs->survey && work->out == NULL)
    return;
  if (send_mask (self, job, get_parts (&self->regions, MAX (needs->reach, 0))))
    enqueue_parts (self, job, work, needs, enqueue, data);
}

void
gst_mgpu_blend_restore (GstMgpuBlend * self, GstMgpuJob * job,
    GstMgpuContext * context, const MgpuImage * in, const MgpuImage * out)
{
  const MgpuRect whole = { 0, 0, self->regions.width, self->regions.height };
  GArray *rects;

  if (self->regions.boxes->len == 0 || !prepare (self, job, context, in)
      || !send_mask (self, job, get_parts (&self->regions, 0)))
    return;
  rects = g_array_new (FALSE, FALSE, sizeof (MgpuRect));
  g_array_append_val (rects, whole);
  blend (self, job, out, rects, in, !self->regions.is_inverted, MGPU_BLEND_ALL);
  g_array_unref (rects);
}

void
gst_mgpu_blend_unprepare (GstMgpuBlend * self)
{
  g_clear_pointer (&self->blend, mgpu_object_free);
  g_clear_pointer (&self->parts, g_array_unref);
  self->serial = 0;
}

void
gst_mgpu_blend_init (GstMgpuBlend * self)
{
  gst_mgpu_regions_init (&self->regions);
}

void
gst_mgpu_blend_clear (GstMgpuBlend * self)
{
  gst_mgpu_blend_unprepare (self);
  gst_mgpu_regions_clear (&self->regions);
}
