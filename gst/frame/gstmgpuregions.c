/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds where a frame changes: draws the mask from regions of interest, rectangles,
 * polygons and mask images. The mask is described in docs/algorithms/regions.md. */
#include "gstmgpuregions.h"

#include <math.h>
#include <string.h>

#include <gst/vision/base/array.h>

#include "gstmgpumask.h"
#include "gstmgpumaskgrow.h"
#include "gstmgpushapes.h"

#define MEMBER(name) G_STRUCT_OFFSET (GstMgpuRegionsParams, name)

const MgpuParam gst_mgpu_regions_params[] = {
  {"roi-type", MGPU_PARAM_STRING, MEMBER (roi_type), 0, 0, 0, NULL,
      "Types of the regions of interest in which frames change, with commas between "
        "them (* = any)"},
  {"rectangle", MGPU_PARAM_STRING, MEMBER (rectangle), 0, 0, 0, NULL,
      "Rectangles in which frames change: x,y,width,height in pixels, or in shares "
        "of the frame with decimal points; semicolons between them"},
  {"polygon", MGPU_PARAM_STRING, MEMBER (polygon), 0, 0, 0, NULL,
      "Polygons in which frames change: x,y of each corner, as in rectangle; "
        "semicolons between them"},
  {"mask-location", MGPU_PARAM_STRING, MEMBER (location), 0, 0, 0, NULL,
      "Image file with a mask: the brighter a pixel of it, the more the frame "
        "changes there"},
  {"scale-mask", MGPU_PARAM_BOOLEAN, MEMBER (scale), 0, 1, FALSE, NULL,
      "Whether a mask file of another size is scaled to the size of the frames"},
  {"mask-dilate", MGPU_PARAM_UINT, MEMBER (dilate), 0, 256, 0, NULL,
      "Number of pixels by which the parts that change grow on all sides"},
  {"mask-feather", MGPU_PARAM_UINT, MEMBER (feather), 0, 256, 0, NULL,
      "Half the width of a soft border around the parts that change, in pixels"},
  {"mask-hold", MGPU_PARAM_UINT, MEMBER (hold), 0, 1000, 0, NULL,
      "Number of further frames for which a region of interest stays marked"},
  {"mask-invert", MGPU_PARAM_BOOLEAN, MEMBER (invert), 0, 1, FALSE, NULL,
      "Whether frames change everywhere but in the marked parts"},
  {"mix", MGPU_PARAM_DOUBLE, MEMBER (mix), 0, 1, 1, NULL,
      "Weight of the filter's result where frames change (0 = frames pass as they "
        "are)"},
  {NULL}
};

/* Largest grey value of a mask: the pixel changes fully */
#define FULL 255

/* --- Rectangles of the mask --- */

/* Adds to @list the part of a rectangle that lies in the frame. */
static void
add_rect (const GstMgpuRegions * self, GArray * list, gint64 x, gint64 y,
    gint64 width, gint64 height)
{
  MgpuRect rect = {
    CLAMP (x, 0, self->width), CLAMP (y, 0, self->height),
    CLAMP (x + width, 0, self->width), CLAMP (y + height, 0, self->height)
  };

  rect.width -= rect.x;
  rect.height -= rect.y;
  if (rect.width <= 0 || rect.height <= 0)
    return;
  g_array_append_val (list, rect);
}

static gint
compare_rects (gconstpointer a, gconstpointer b)
{
  return memcmp (a, b, sizeof (MgpuRect));
}

/* Removes rectangles from @list until all differ. Sorts @list, because regions that are held for
 * long are many, and comparing each with each of them would take seconds. */
static void
remove_equals (GArray * list)
{
  MgpuRect *rects = (MgpuRect *) list->data;
  guint n = 0;

  g_array_sort (list, compare_rects);
  for (guint i = 0; i < list->len; i++)
    if (n == 0 || compare_rects (&rects[n - 1], &rects[i]) != 0)
      rects[n++] = rects[i];
  g_array_set_size (list, n);
}

/* Adds to @list the upright box around the detected object @found, which may be rotated. */
static void
add_object (const GstMgpuRegions * self, GArray * list,
    const GstMgpuDetection * found)
{
  gdouble c = fabs (cos (found->rotation)), s = fabs (sin (found->rotation));
  gdouble width = found->width, height = found->height;
  gdouble half_x = (c * width + s * height) / 2;
  gdouble half_y = (s * width + c * height) / 2;
  gdouble x = found->x + width / 2, y = found->y + height / 2;

  if (found->rotation == 0) {
    add_rect (self, list, found->x, found->y, found->width, found->height);
  } else if (width > 0 && height > 0 && isfinite (found->rotation)) {
    gint64 left = floor (x - half_x), top = floor (y - half_y);

    add_rect (self, list, left, top, (gint64) ceil (x + half_x) - left,
        (gint64) ceil (y + half_y) - top);
  }
}

static GArray *
new_rects (void)
{
  return g_array_new (FALSE, FALSE, sizeof (MgpuRect));
}

/* Adds the rectangles in @list to self->rects, the rectangles of the mask. */
static void
add_rects (GstMgpuRegions * self, const GArray * list)
{
  for (guint i = 0; i < list->len; i++) {
    const MgpuRect *rect = &g_array_index (list, MgpuRect, i);

    add_rect (self, self->rects, rect->x, rect->y, rect->width, rect->height);
  }
}

static void
add_regions (GstMgpuRegions * self, const GstMgpuRegionsParams * params,
    GstMgpuWatch * watch, GstBuffer * buffer)
{
  GPtrArray *found = gst_mgpu_watch_list_regions (watch, buffer, "roi-type",
      params->roi_type);
  GArray *list = new_rects ();

  for (guint i = 0; i < found->len; i++)
    add_object (self, list, found->pdata[i]);
  g_ptr_array_unref (found);
  remove_equals (list);
  g_queue_push_head (&self->held, list);
  while (g_queue_get_length (&self->held) > params->hold + 1)
    g_array_unref (g_queue_pop_tail (&self->held));
  for (GList * l = self->held.head; l != NULL; l = l->next)
    add_rects (self, l->data);
}

/* Lists in self->rects the rectangles that make up the mask. Returns: FALSE if the text
 * of the property "rectangle" is not a list of rectangles; then the error is set */
static gboolean
list_rects (GstMgpuRegions * self, const GstMgpuRegionsParams * params,
    GstMgpuWatch * watch, GstBuffer * buffer, GError ** error)
{
  GArray *last = self->last_rects, *list;
  gboolean ok = TRUE;

  self->last_rects = self->rects;
  self->rects = last;
  g_array_set_size (self->rects, 0);
  if (params->roi_type != NULL)
    add_regions (self, params, watch, buffer);
  else
    gst_mgpu_regions_forget (self);
  if (params->rectangle != NULL) {
    list = new_rects ();
    ok = gst_mgpu_shapes_list_rectangles (params->rectangle, self->width,
        self->height, list, error);
    add_rects (self, list);
    g_array_unref (list);
  }
  remove_equals (self->rects);
  return ok;
}

/* Returns: the box @rect, grown by @margin pixels on all sides and cut at the edges of
 * the frame */
static MgpuRect
grow_rect (const GstMgpuRegions * self, const MgpuRect * rect, gint margin)
{
  gint x = MAX (rect->x - margin, 0), y = MAX (rect->y - margin, 0);

  return (MgpuRect) {
    x, y, MIN (rect->x + rect->width + margin, self->width) - x,
        MIN (rect->y + rect->height + margin, self->height) - y
  };
}

/* Extends the box @rect to the smallest box that contains both @rect and @other. */
static void
join_rect (MgpuRect * rect, const MgpuRect * other)
{
  gint x = MIN (rect->x, other->x), y = MIN (rect->y, other->y);

  if (rect->width == 0) {
    *rect = *other;
    return;
  }
  rect->width = MAX (rect->x + rect->width, other->x + other->width) - x;
  rect->height = MAX (rect->y + rect->height, other->y + other->height) - y;
  rect->x = x;
  rect->y = y;
}

/* --- Mask images --- */

/* Draws the image of the property "mask-location" and the polygons anew if one of these
 * properties changed. */
static gboolean
load_file (GstMgpuRegions * self, const GstMgpuRegionsParams * params,
    GError ** error)
{
  if (g_strcmp0 (self->location, params->location) == 0
      && g_strcmp0 (self->polygon, params->polygon) == 0
      && (self->file == NULL || self->scale == params->scale)
      && !self->is_broken)
    return TRUE;
  g_free (self->location);
  g_free (self->polygon);
  g_clear_pointer (&self->file, g_free);
  g_clear_pointer (&self->grown, g_free);
  self->had_picture = TRUE;
  self->location = g_strdup (params->location);
  self->polygon = g_strdup (params->polygon);
  self->scale = params->scale;
  self->is_broken = !gst_mgpu_mask_draw (params->location, params->scale,
      params->polygon, self->width, self->height, &self->file, error);
  return !self->is_broken;
}

/* Sets each pixel of the mask to the greatest grey value, within @radius pixels, of the
 * mask file, the polygons and the mask image @picture. */
static void
draw_pictures (GstMgpuRegions * self, GstVideoFrame * picture, gint radius)
{
  gsize n = (gsize) self->width * self->height;

  if (self->file != NULL && (self->grown == NULL
          || self->grown_by != (guint) radius)) {
    g_free (self->grown);
    self->grown = g_malloc (n);
    self->grown_by = radius;
    gst_mgpu_mask_spread (self->file, self->grown, self->width, self->height,
        radius);
  }
  if (picture != NULL) {
    memset (self->memory, 0, n);
    gst_mgpu_mask_add_picture (self->memory, picture);
    if (radius > 0)
      gst_mgpu_mask_spread (self->memory, self->memory, self->width,
          self->height, radius);
    if (self->file != NULL)
      for (gsize i = 0; i < n; i++)
        self->memory[i] = MAX (self->memory[i], self->grown[i]);
  } else {
    memcpy (self->memory, self->grown, n);
  }
  self->drawn = (MgpuRect) {
  0, 0, self->width, self->height};
}

/* --- Making the mask --- */

static void
draw_rect (GstMgpuRegions * self, const MgpuRect * rect, gint grey)
{
  for (gint y = rect->y; y < rect->y + rect->height; y++)
    memset (self->memory + (gsize) y * self->width + rect->x, grey,
        rect->width);
}

static void
draw (GstMgpuRegions * self, const GstMgpuRegionsParams * params,
    GstVideoFrame * picture)
{
  gint border = params->feather, margin = params->dilate + border;

  draw_rect (self, &self->drawn, 0);
  self->drawn.width = self->drawn.height = 0;
  if (picture != NULL || self->file != NULL)
    draw_pictures (self, picture, margin);
  for (guint i = 0; i < self->rects->len; i++) {
    MgpuRect rect = grow_rect (self, &g_array_index (self->rects, MgpuRect, i),
        margin);

    draw_rect (self, &rect, FULL);
    rect = grow_rect (self, &rect, border);
    join_rect (&self->drawn, &rect);
  }
  if (border > 0 && self->drawn.width > 0)
    gst_mgpu_mask_feather (self->memory, self->width, self->height,
        &self->drawn, border);
}

/* --- Boxes around the changed parts of the frame --- */

/* Returns: whether any of the @n pixels of row @y from column @x on changes according to
 * the mask */
static gboolean
row_changes (const GstMgpuRegions * self, gint x, gint y, gint n)
{
  const guint8 *row = self->memory + (gsize) y * self->width + x;
  guint8 still = self->is_inverted ? FULL : 0, differs = 0;

  for (gint i = 0; i < n; i++)
    differs |= row[i] ^ still;
  return differs != 0;
}

static gboolean
tile_changes (const GstMgpuRegions * self, gint x, gint y)
{
  const MgpuRect *drawn = &self->drawn;
  gint width = MIN (GST_MGPU_REGIONS_TILE_X, self->width - x);
  gint end = MIN (y + GST_MGPU_REGIONS_TILE_Y, self->height);

  if (x >= drawn->x + drawn->width || x + width <= drawn->x
      || y >= drawn->y + drawn->height || end <= drawn->y)
    return self->is_inverted;
  for (; y < end; y++)
    if (row_changes (self, x, y, width))
      return TRUE;
  return FALSE;
}

/* Adds @run, a box of neighbouring tiles in one row of tiles, to the boxes of changed
 * pixels: extends the box right above the run if that box has the same columns; otherwise
 * appends a box. */
static void
add_run (GstMgpuRegions * self, const MgpuRect * run)
{
  for (guint i = self->boxes->len; i-- > 0;) {
    MgpuRect *box = &g_array_index (self->boxes, MgpuRect, i);

    if (box->x == run->x && box->width == run->width
        && box->y + box->height == run->y) {
      box->height += run->height;
      return;
    }
    if (box->y + box->height < run->y)
      break;
  }
  g_array_append_val (self->boxes, *run);
}

static void
find_boxes (GstMgpuRegions * self)
{
  g_array_set_size (self->boxes, 0);
  for (gint y = 0; y < self->height; y += GST_MGPU_REGIONS_TILE_Y) {
    gint height = MIN (GST_MGPU_REGIONS_TILE_Y, self->height - y);
    MgpuRect run = { 0, y, 0, height };

    for (gint x = 0; x < self->width; x += GST_MGPU_REGIONS_TILE_X) {
      gboolean changes = tile_changes (self, x, y);

      if (changes && run.width == 0)
        run.x = x;
      if (changes)
        run.width = MIN (x + GST_MGPU_REGIONS_TILE_X, self->width) - run.x;
      if (!changes && run.width > 0) {
        add_run (self, &run);
        run.width = 0;
      }
    }
    if (run.width > 0)
      add_run (self, &run);
  }
}

/* --- Work on frames --- */

static void
set_size (GstMgpuRegions * self, const GstVideoInfo * info)
{
  if (self->width == GST_VIDEO_INFO_WIDTH (info)
      && self->height == GST_VIDEO_INFO_HEIGHT (info))
    return;
  gst_mgpu_regions_clear (self);
  gst_mgpu_regions_init (self);
  self->width = GST_VIDEO_INFO_WIDTH (info);
  self->height = GST_VIDEO_INFO_HEIGHT (info);
}

/* Draws the mask and finds the boxes of changed pixels, unless nothing changed since the
 * last frame. */
static void
update_mask (GstMgpuRegions * self, const GstMgpuRegionsParams * params,
    GstVideoFrame * picture)
{
  gboolean is_same = self->mask != NULL && !self->had_picture
      && picture == NULL && mgpu_arrays_are_same (self->rects,
          self->last_rects)
      && self->dilate == params->dilate && self->feather == params->feather
      && self->is_inverted == params->invert;

  self->had_picture = picture != NULL;
  if (is_same)
    return;
  if (self->memory == NULL)
    self->memory = g_malloc0 ((gsize) self->width * self->height);
  self->mask = self->memory;
  self->dilate = params->dilate;
  self->feather = params->feather;
  self->is_inverted = params->invert;
  draw (self, params, picture);
  find_boxes (self);
  self->serial++;
}

gboolean
gst_mgpu_regions_update (GstMgpuRegions * self,
    const GstMgpuRegionsParams * params, const GstVideoInfo * info,
    GstMgpuWatch * watch, GstBuffer * buffer, GstVideoFrame * picture,
    GError ** error)
{
  MgpuRect whole = { 0, 0, info->width, info->height };
  set_size (self, info);
  if (!list_rects (self, params, watch, buffer, error)
      || !load_file (self, params, error))
    return FALSE;
  self->mix = rint (256 * CLAMP (params->mix, 0, 1));
  if (params->roi_type != NULL || params->rectangle != NULL
      || self->file != NULL || picture != NULL) {
    update_mask (self, params, picture);
  } else {
    self->mask = NULL;
    self->is_inverted = params->invert;
    g_array_set_size (self->boxes, 0);
    if (!params->invert)
      g_array_append_val (self->boxes, whole);
  }
  self->covers = self->mix == 0 || self->boxes->len == 0
      ? GST_MGPU_COVERS_NOTHING : self->mask == NULL && self->mix == 256
      ? GST_MGPU_COVERS_ALL : GST_MGPU_COVERS_PART;
  return TRUE;
}

void
gst_mgpu_regions_forget (GstMgpuRegions * self)
{
  g_queue_clear_full (&self->held, (GDestroyNotify) g_array_unref);
}

void
gst_mgpu_regions_init (GstMgpuRegions * self)
{
  memset (self, 0, sizeof (*self));
  self->boxes = new_rects ();
  self->rects = new_rects ();
  self->last_rects = new_rects ();
  g_queue_init (&self->held);
}

void
gst_mgpu_regions_clear (GstMgpuRegions * self)
{
  gst_mgpu_regions_forget (self);
  g_array_unref (self->boxes);
  g_array_unref (self->rects);
  g_array_unref (self->last_rects);
  g_free (self->memory);
  g_free (self->file);
  g_free (self->grown);
  g_free (self->location);
  g_free (self->polygon);
}
