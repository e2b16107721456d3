/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes the mask of a frame from regions of interest, rectangles, polygons, mask
 * images, and the alpha channel or segmentation masks of the frame.
 * docs/algorithms/regions.md describes the mask. */
#include "gstmgpuregions.h"

#include <math.h>
#include <string.h>

#include <gst/vision/base/array.h>

#include "gstmgpulog.h"
#include "gstmgpumask.h"
#include "gstmgpumaskframe.h"
#include "gstmgpumaskgrow.h"
#include "gstmgpushapes.h"

const MgpuEnumValue gst_mgpu_mask_source_values[] = {
  {GST_MGPU_MASK_SOURCE_AUTO, "The union of the pixels that roi-type, "
        "rectangle, polygon, mask-location and the pad mask_sink mark; the "
        "whole frame if none of these is set or linked", "auto"},
  {GST_MGPU_MASK_SOURCE_PROPERTY,
      "The pixels that the properties mask-location, rectangle and polygon "
        "mark", "property"},
  {GST_MGPU_MASK_SOURCE_ROI, "Regions of interest of the frames", "roi"},
  {GST_MGPU_MASK_SOURCE_ALPHA, "The transparent pixels of the frames", "alpha"},
  {GST_MGPU_MASK_SOURCE_PAD, "The mask images that arrive at the pad "
        "mask_sink", "pad"},
  {GST_MGPU_MASK_SOURCE_SEGMENTATION,
        "Segmentation masks of the frames (GstAnalytics of GStreamer 1.26)",
      "segmentation"},
  {0}
};

static const MgpuEnum sources = {
  "GstMgpuMaskSource", gst_mgpu_mask_source_values
};

#define MEMBER(name) G_STRUCT_OFFSET (GstMgpuRegionsParams, name)

const MgpuParam gst_mgpu_regions_params[] = {
  {"mask-source", MGPU_PARAM_ENUM, MEMBER (source), 0, 0,
        GST_MGPU_MASK_SOURCE_AUTO, &sources,
      "Source of the mask, which marks the pixels that change"},
  {"mask-invert", MGPU_PARAM_BOOLEAN, MEMBER (invert), 0, 1, FALSE, NULL,
      "Whether to invert the mask, so that unmarked pixels change"},
  {"mix", MGPU_PARAM_DOUBLE, MEMBER (mix), 0, 1, 1, NULL,
      "Weight of the filtered frame in the output, where pixels change (0 = "
        "frames unchanged, 1 = only the filtered frame)"},
  /* gst_mgpu_mask_params begins here. */
  {"roi-type", MGPU_PARAM_STRING, MEMBER (roi_type), 0, 0, 0, NULL,
      "Types of the regions of interest (with mask-source=segmentation: of the "
        "segments) whose pixels are marked, separated by commas (* = any)"},
  {"rectangle", MGPU_PARAM_STRING, MEMBER (rectangle), 0, 0, 0, NULL,
      "Rectangles whose pixels are marked: x,y,width,height in pixels, or, "
        "with decimal points, in fractions of the frame; semicolons separate "
        "rectangles"},
  {"polygon", MGPU_PARAM_STRING, MEMBER (polygon), 0, 0, 0, NULL,
      "Polygons whose pixels are marked: x,y of each corner in pixels, or, "
        "with decimal points, in fractions of the frame, for example "
        "0.5,0.1,0.9,0.9,0.1,0.9 for a triangle; semicolons separate polygons"},
  {"mask-location", MGPU_PARAM_STRING, MEMBER (location), 0, 0, 0, NULL,
      "Image file of the mask; its bright pixels mark the pixels of frames "
        "that change"},
  {"scale-mask", MGPU_PARAM_BOOLEAN, MEMBER (scale), 0, 1, FALSE, NULL,
      "Whether to scale a mask image whose size differs from the frame size"},
  {"mask-dilate", MGPU_PARAM_UINT, MEMBER (dilate), 0, 256, 0, NULL,
      "Number of pixels by which the area marked by the mask is dilated on all "
        "sides"},
  {"mask-feather", MGPU_PARAM_UINT, MEMBER (feather), 0, 256, 0, NULL,
      "Half the width, in pixels, of the soft border around the area marked by "
        "the mask"},
  {"mask-hold", MGPU_PARAM_UINT, MEMBER (hold), 0, 1000, 0, NULL,
      "Number of frames for which a pixel stays marked after the last frame "
        "that marked it (by a region of interest, or with mask-source=alpha, "
        "pad or segmentation)"},
  {NULL}
};

const MgpuParam *const gst_mgpu_mask_params = gst_mgpu_regions_params + 3;

void
gst_mgpu_regions_params_note_set (GstMgpuRegionsParams * self, gsize member)
{
  if (member == MEMBER (source) || member == MEMBER (location)
      || member == MEMBER (polygon) || member == MEMBER (scale))
    self->file_serial++;
}

gboolean
gst_mgpu_regions_params_limit (const GstMgpuRegionsParams * self)
{
  return self->source != GST_MGPU_MASK_SOURCE_AUTO || self->roi_type != NULL
      || self->rectangle != NULL || self->polygon != NULL
      || self->location != NULL || self->mix < 1;
}

/* Maximum gray value of a mask: the filter's result replaces the pixel completely */
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

/* Removes duplicate rectangles from @list. Sorts @list for this, because comparing all pairs
 * would take seconds if regions are held for many frames. */
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

/* Adds to @list the upright box around the detected object @found, which may be rotated. If
 * self->turns is set, a rotation that is not finite counts as 0. */
static void
add_object (const GstMgpuRegions * self, GArray * list,
    const GstMgpuDetection * found)
{
  gdouble c = fabs (cos (found->rotation)), s = fabs (sin (found->rotation));
  gdouble width = found->width, height = found->height;
  gdouble half_x = (c * width + s * height) / 2;
  gdouble half_y = (s * width + c * height) / 2;
  gdouble x = found->x + width / 2, y = found->y + height / 2;

  if (found->rotation == 0 || self->turns) {
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

/* Returns: the gray values of the pixels that the frame marks individually; the first call
 * for a frame sets all to 0 */
static guint8 *
get_marks (GstMgpuRegions * self)
{
  gsize n = (gsize) self->width * self->height;

  if (self->marks == NULL)
    self->marks = g_malloc (n);
  if (!self->has_marks)
    memset (self->marks, 0, n);
  self->has_marks = TRUE;
  return self->marks;
}

static void
add_regions (GstMgpuRegions * self, const GstMgpuRegionsParams * params,
    GstMgpuWatch * watch, GstBuffer * buffer)
{
  GPtrArray *found = gst_mgpu_watch_list_regions (watch, buffer, "roi-type",
      params->roi_type);
  GArray *list = new_rects ();

  for (guint i = 0; i < found->len; i++) {
    const GstMgpuDetection *object = found->pdata[i];

    if (self->turns && object->rotation != 0 && isfinite (object->rotation))
      gst_mgpu_shapes_draw_rotated_box (object, self->width, self->height,
          get_marks (self));
    else
      add_object (self, list, object);
  }
  g_ptr_array_unref (found);
  remove_equals (list);
  g_queue_push_head (&self->held, list);
  while (g_queue_get_length (&self->held) > params->hold + 1)
    g_array_unref (g_queue_pop_tail (&self->held));
  for (GList * l = self->held.head; l != NULL; l = l->next)
    add_rects (self, l->data);
}

static void
forget_regions (GstMgpuRegions * self)
{
  g_queue_clear_full (&self->held, (GDestroyNotify) g_array_unref);
}

/* Returns: whether the properties "mask-location", "rectangle" and "polygon" are part of the
 * mask */
static gboolean
has_properties (const GstMgpuRegionsParams * params)
{
  return params->source == GST_MGPU_MASK_SOURCE_AUTO
      || params->source == GST_MGPU_MASK_SOURCE_PROPERTY;
}

/* Fills self->rects with the rectangles of the mask. Returns: FALSE with the error set if
 * the text of the property "rectangle" is not a list of rectangles */
static gboolean
list_rects (GstMgpuRegions * self, const GstMgpuRegionsParams * params,
    GstMgpuWatch * watch, GstBuffer * buffer, GError ** error)
{
  GArray *last = self->last_rects, *list;
  gboolean ok = TRUE;

  self->last_rects = self->rects;
  self->rects = last;
  g_array_set_size (self->rects, 0);
  if (params->source == GST_MGPU_MASK_SOURCE_ROI
      || (params->source == GST_MGPU_MASK_SOURCE_AUTO
          && params->roi_type != NULL))
    add_regions (self, params, watch, buffer);
  else
    forget_regions (self);
  if (params->rectangle != NULL && has_properties (params)) {
    list = new_rects ();
    ok = gst_mgpu_shapes_list_rectangles (params->rectangle, self->width,
        self->height, list, error);
    add_rects (self, list);
    g_array_unref (list);
  }
  remove_equals (self->rects);
  return ok;
}

/* Returns: @rect, enlarged by @margin pixels on all sides and clipped to the frame */
static MgpuRect
grow_rect (const GstMgpuRegions * self, const MgpuRect * rect, gint margin)
{
  gint x = MAX (rect->x - margin, 0), y = MAX (rect->y - margin, 0);

  return (MgpuRect) {
  x, y, MIN (rect->x + rect->width + margin, self->width) - x,
        MIN (rect->y + rect->height + margin, self->height) - y};
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

/* --- Pixels that are marked individually --- */

/* Reads the image of the property "mask-location" and draws the polygons, if a property that
 * affects them was set since the last call. */
static gboolean
load_file (GstMgpuRegions * self, const GstMgpuRegionsParams * params,
    GError ** error)
{
  if (self->has_read && self->file_serial == params->file_serial)
    return TRUE;
  g_clear_pointer (&self->file, g_free);
  g_clear_pointer (&self->grown, g_free);
  self->has_mask = FALSE;
  self->has_read = !has_properties (params)
      || gst_mgpu_mask_draw (params->location, params->scale, params->polygon,
      self->width, self->height, &self->file, error);
  self->file_serial = params->file_serial;
  return self->has_read;
}

static gboolean
mark_segments (GstMgpuRegions * self, const GstMgpuRegionsParams * params,
    GstMgpuWatch * watch, GstBuffer * buffer, GError ** error)
{
  guint n_masks;

  if (!gst_mgpu_mask_add_segments (get_marks (self), self->width, self->height,
          buffer, params->roi_type, &n_masks, error))
    return FALSE;
  gst_mgpu_watch_segments (watch, buffer, n_masks);
  return TRUE;
}

/* Marks individual pixels: those that are transparent or segmented in the frame of @buffer,
 * or those that the mask image @picture marks. */
static gboolean
mark_pixels (GstMgpuRegions * self, const GstMgpuRegionsParams * params,
    const GstVideoInfo * info, GstMgpuWatch * watch, GstBuffer * buffer,
    GstVideoFrame * picture, GError ** error)
{
  if (params->source == GST_MGPU_MASK_SOURCE_ALPHA)
    return gst_mgpu_mask_add_transparent (get_marks (self), buffer, info,
        error);
  if (params->source == GST_MGPU_MASK_SOURCE_SEGMENTATION)
    return mark_segments (self, params, watch, buffer, error);
  if (picture != NULL) {
    gst_mgpu_mask_add_picture (get_marks (self), picture);
  } else if (params->source == GST_MGPU_MASK_SOURCE_PAD) {
    g_set_error_literal (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        "\"mask-source\" is pad, but there is no pad \"mask_sink\": link a "
        "GRAY8 stream to it");
    return FALSE;
  }
  return TRUE;
}

/* Also marks the pixels that one of the last params->hold frames marked individually. Regions of
 * interest of earlier frames (self->held) are not included, because they are marked as
 * rectangles. */
static void
hold_pixels (GstMgpuRegions * self, const GstMgpuRegionsParams * params)
{
  gsize n = (gsize) self->width * self->height;
  guint8 *marks;

  if (params->hold == 0 || has_properties (params)) {
    g_clear_pointer (&self->held_pixels, g_free);
    return;
  }
  if (self->held_pixels == NULL && !self->has_marks)
    return;
  if (self->held_pixels == NULL)
    self->held_pixels = g_new0 (guint16, n);
  marks = get_marks (self);
  for (gsize i = 0; i < n; i++) {
    if (marks[i] >= GST_MGPU_MASK_THRESHOLD) {
      self->held_pixels[i] = params->hold;
    } else if (self->held_pixels[i] > 0) {
      self->held_pixels[i] = MIN (self->held_pixels[i], params->hold) - 1;
      marks[i] = FULL;
    }
  }
}

/* Copies the gray values @from to @to, and dilates them by @radius pixels. If self->is_hard
 * is set, makes the values binary first. */
static void
grow (const GstMgpuRegions * self, const guint8 * from, guint8 * to,
    gint radius)
{
  gsize n = (gsize) self->width * self->height;

  for (gsize i = 0; i < n; i++)
    to[i] = !self->is_hard ? from[i]
        : from[i] >= GST_MGPU_MASK_THRESHOLD ? FULL : 0;
  if (radius > 0)
    gst_mgpu_mask_spread (to, to, self->width, self->height, radius);
}

/* Sets each pixel of the mask to the maximum gray value within @radius pixels. The maximum
 * is over the mask file, the polygons, and the pixels that the frame marks individually. */
static void
draw_pixels (GstMgpuRegions * self, gint radius)
{
  gsize n = (gsize) self->width * self->height;

  if (self->file != NULL && (self->grown == NULL
          || self->grown_by != (guint) radius)) {
    g_free (self->grown);
    self->grown = g_malloc (n);
    self->grown_by = radius;
    grow (self, self->file, self->grown, radius);
  }
  if (self->has_marks)
    grow (self, self->marks, self->memory, radius);
  else
    memcpy (self->memory, self->grown, n);
  for (gsize i = 0; i < n && self->has_marks && self->file != NULL; i++)
    self->memory[i] = MAX (self->memory[i], self->grown[i]);
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
draw (GstMgpuRegions * self, const GstMgpuRegionsParams * params)
{
  gint border = params->feather, margin = params->dilate + border;

  draw_rect (self, &self->drawn, 0);
  self->drawn.width = self->drawn.height = 0;
  if (self->has_marks || self->file != NULL)
    draw_pixels (self, margin);
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

/* Returns: whether the mask changes any of the @n pixels of row @y that begin at column @x */
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

/* Adds @run, a box of neighboring tiles in one row of tiles, to the boxes of changed pixels.
 * If the box directly above @run has the same columns, extends it; otherwise appends a box. */
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

/* Draws the mask and finds the boxes of changed pixels, unless the mask is the same as for the
 * last frame. */
static void
draw_mask (GstMgpuRegions * self, const GstMgpuRegionsParams * params)
{
  gsize n = (gsize) self->width * self->height;
  gboolean is_same = self->has_mask && self->has_marks == self->had_marks
      && (!self->has_marks || memcmp (self->marks, self->last_marks, n) == 0)
      && mgpu_arrays_are_same (self->rects, self->last_rects)
      && self->dilate == params->dilate && self->feather == params->feather
      && self->is_inverted == params->invert && self->was_hard == self->is_hard;

  self->mask = self->memory;
  self->has_mask = TRUE;
  if (is_same)
    return;
  if (self->memory == NULL)
    self->mask = self->memory = g_malloc0 (n);
  if (self->was_hard != self->is_hard)
    g_clear_pointer (&self->grown, g_free);
  self->dilate = params->dilate;
  self->feather = params->feather;
  self->is_inverted = params->invert;
  self->was_hard = self->is_hard;
  draw (self, params);
  find_boxes (self);
  self->serial++;
}

/* Returns: the nick of @source, a value of GstMgpuMaskSource */
static const gchar *
get_source (gint source)
{
  guint i = 0;

  while (gst_mgpu_mask_source_values[i].value != source)
    i++;
  return gst_mgpu_mask_source_values[i].nick;
}

/* Sets self->covers for a frame without a mask: either the whole frame changes or nothing. */
static void
change_whole (GstMgpuRegions * self, const GstMgpuRegionsParams * params)
{
  MgpuRect whole = { 0, 0, self->width, self->height };

  self->mask = NULL;
  self->has_mask = FALSE;
  self->is_inverted = params->invert;
  g_array_set_size (self->boxes, 0);
  if (!params->invert)
    g_array_append_val (self->boxes, whole);
}

/* Computes which pixels of the frame in @buffer are marked. */
static gboolean
find_marks (GstMgpuRegions * self, const GstMgpuRegionsParams * params,
    const GstVideoInfo * info, GstMgpuWatch * watch, GstBuffer * buffer,
    GstVideoFrame * picture, GError ** error)
{
  guint8 *last = self->last_marks;

  self->last_marks = self->marks;
  self->marks = last;
  self->had_marks = self->has_marks;
  self->has_marks = FALSE;
  if (list_rects (self, params, watch, buffer, error)
      && load_file (self, params, error)
      && mark_pixels (self, params, info, watch, buffer, picture, error)) {
    hold_pixels (self, params);
    return TRUE;
  }
  self->has_mask = FALSE;
  return FALSE;
}

/* Returns: whether the shapes or the image that properties set are the whole mask, and have no pixels
 * in the frame */
static gboolean
is_empty (const GstMgpuRegions * self, const GstMgpuRegionsParams * params)
{
  gsize n = (gsize) self->width * self->height;
  gboolean is_set = params->rectangle != NULL || self->file != NULL;
  guint8 any = 0;

  if (!is_set || !has_properties (params) || params->roi_type != NULL
      || self->has_marks || self->rects->len > 0)
    return FALSE;
  for (gsize i = 0; i < n && self->file != NULL; i++)
    any |= self->file[i];
  return any == 0;
}

gboolean
gst_mgpu_regions_update (GstMgpuRegions * self,
    const GstMgpuRegionsParams * params, const GstVideoInfo * info,
    GstMgpuWatch * watch, GstBuffer * buffer, GstVideoFrame * picture,
    GError ** error)
{
  guint serial = self->serial;

  self->width = GST_VIDEO_INFO_WIDTH (info);
  self->height = GST_VIDEO_INFO_HEIGHT (info);
  if (!find_marks (self, params, info, watch, buffer, picture, error))
    return FALSE;
  self->mix = rint (256 * CLAMP (params->mix, 0, 1));
  if (params->source != GST_MGPU_MASK_SOURCE_AUTO || params->roi_type != NULL
      || params->rectangle != NULL || self->file != NULL || self->has_marks)
    draw_mask (self, params);
  else
    change_whole (self, params);
  self->covers = self->mix == 0 || self->boxes->len == 0
      ? GST_MGPU_COVERS_NOTHING : self->mask == NULL && self->mix == 256
      ? GST_MGPU_COVERS_ALL : GST_MGPU_COVERS_PART;
  if (serial == self->serial)
    return TRUE;
  GST_MGPU_DEBUG_OBJECT (watch->trans,
      "made mask %u from mask-source=%s: %u rectangles%s%s; changing %u "
      "boxes of tiles", self->serial, get_source (params->source),
      self->rects->len, self->file != NULL ? ", a file or polygons" : "",
      self->has_marks ? ", pixels" : "", self->boxes->len);
  if (is_empty (self, params))
    gst_mgpu_watch_empty_mask (watch, self->width, self->height);
  return TRUE;
}

void
gst_mgpu_regions_forget (GstMgpuRegions * self)
{
  forget_regions (self);
  g_clear_pointer (&self->held_pixels, g_free);
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
gst_mgpu_regions_reset (GstMgpuRegions * self)
{
  gst_mgpu_regions_forget (self);
  self->mask = NULL;
  self->has_mask = self->has_read = self->has_marks = FALSE;
  self->drawn = (MgpuRect) {
  0,};
  g_clear_pointer (&self->memory, g_free);
  g_clear_pointer (&self->marks, g_free);
  g_clear_pointer (&self->last_marks, g_free);
  g_clear_pointer (&self->file, g_free);
  g_clear_pointer (&self->grown, g_free);
}

void
gst_mgpu_regions_clear (GstMgpuRegions * self)
{
  gst_mgpu_regions_reset (self);
  g_array_unref (self->boxes);
  g_array_unref (self->rects);
  g_array_unref (self->last_rects);
}
