/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds the mask of a frame: the pixels that mgpuinpaint fills. */
#include "gstmgpuinpaintmask.h"
#include "gstmgpuinpaintsegments.h"

#include <math.h>
#include <string.h>

#include <gst/mgpu/mgpu.h>
#include <gst/vision/inpaint/inpaint-plan.h>

#include <gst/frame/gstmgpuinput.h>
#include <gst/frame/gstmgpumask.h>
#include <gst/frame/gstmgpumaskgrow.h>
#include <gst/frame/gstmgpushapes.h>

/* Marks the pixels of a box, as far as they lie in the frame. */
static void
mark_box (GstMgpuInpaintMask * self, gint64 x, gint64 y, gint64 width,
    gint64 height)
{
  gint x0 = CLAMP (x, 0, self->width), x1 = CLAMP (x + width, 0, self->width);
  gint y1 = CLAMP (y + height, 0, self->height);

  for (gint row = CLAMP (y, 0, self->height); row < y1; row++)
    if (x1 > x0)
      memset (self->marked + (gsize) row * self->width + x0, 255, x1 - x0);
}

/* Marks the pixels whose middle is in the box of a detected object, which is rotated around
 * its centre. */
static void
mark_rotated_box (GstMgpuInpaintMask * self, const GstMgpuDetection * found)
{
  gdouble c = cos (found->rotation), s = sin (found->rotation);
  gdouble half_x = found->width / 2., half_y = found->height / 2.;
  gdouble x = found->x + half_x, y = found->y + half_y;
  gdouble reach_x = fabs (c) * half_x + fabs (s) * half_y;
  gdouble reach_y = fabs (s) * half_x + fabs (c) * half_y;
  /* A number that is none becomes 0 here. */
  gint x0 = fmin (fmax (x - reach_x, 0), self->width);
  gint y0 = fmin (fmax (y - reach_y, 0), self->height);
  gint x1 = ceil (fmin (fmax (x + reach_x, 0), self->width));
  gint y1 = ceil (fmin (fmax (y + reach_y, 0), self->height));

  for (gint v = y0; v < y1; v++) {
    for (gint u = x0; u < x1; u++) {
      gdouble dx = u + 0.5 - x, dy = v + 0.5 - y;

      if (fabs (c * dx + s * dy) <= half_x && fabs (c * dy - s * dx) <= half_y)
        self->marked[(gsize) v * self->width + u] = 255;
    }
  }
}

static gboolean
mark_rectangles (GstMgpuInpaintMask * self, const gchar * text,
    GError ** error)
{
  GArray *rects = g_array_new (FALSE, FALSE, sizeof (MgpuRect));
  gboolean ok = gst_mgpu_shapes_list_rectangles (text, self->width,
      self->height, rects, error);

  for (guint i = 0; i < rects->len; i++) {
    const MgpuRect *rect = &g_array_index (rects, MgpuRect, i);

    mark_box (self, rect->x, rect->y, rect->width, rect->height);
  }
  g_array_unref (rects);
  return ok;
}

static void
mark_regions (GstMgpuInpaintMask * self, GstMgpuWatch * watch,
    GstBuffer * buffer, const gchar * roi_type)
{
  GPtrArray *list =
      gst_mgpu_watch_list_regions (watch, buffer, "roi-type", roi_type);

  for (guint i = 0; i < list->len; i++) {
    const GstMgpuDetection *found = list->pdata[i];

    if (found->rotation != 0 && isfinite (found->rotation))
      mark_rotated_box (self, found);
    else
      mark_box (self, found->x, found->y, found->width, found->height);
  }
  g_ptr_array_unref (list);
}

static gboolean
mark_segments (GstMgpuInpaintMask * self, GstMgpuWatch * watch,
    GstBuffer * buffer, const gchar * roi_type, GError ** error)
{
  guint n_masks;

  if (!gst_mgpu_inpaint_mark_segments (buffer, roi_type, self->marked,
          self->width, self->height, &n_masks, error))
    return FALSE;
  gst_mgpu_watch_segments (watch, buffer, n_masks);
  return TRUE;
}

static gboolean
mark_transparent (GstMgpuInpaintMask * self, GstBuffer * buffer,
    const GstVideoInfo * info, GError ** error)
{
  GstVideoFrame frame;

  if (!GST_VIDEO_INFO_HAS_ALPHA (info)) {
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
        "\"mask-source\" is alpha, but %s frames have none: put \"videoconvert "
        "! video/x-raw,format=RGBA\" after what makes them transparent",
        GST_VIDEO_INFO_NAME (info));
    return FALSE;
  }
  if (!gst_mgpu_input_map (info, &frame, buffer, error))
    return FALSE;
  for (gint y = 0; y < self->height; y++) {
    const guint8 *row = (const guint8 *) GST_VIDEO_FRAME_COMP_DATA (&frame, 3)
        + (gssize) y * GST_VIDEO_FRAME_COMP_STRIDE (&frame, 3);

    for (gint x = 0; x < self->width; x++)
      self->marked[(gsize) y * self->width + x] =
          255 - row[x * GST_VIDEO_FRAME_COMP_PSTRIDE (&frame, 3)];
  }
  gst_video_frame_unmap (&frame);
  return TRUE;
}

/* Reads the mask files anew if a property on which they depend was set. */
static gboolean
load_files (GstMgpuInpaintMask * self,
    const GstMgpuInpaintMaskParams * params, GError ** error)
{
  gsize n = (gsize) self->width * self->height;

  if (self->loaded && self->file_serial == params->file_serial)
    return TRUE;
  g_clear_pointer (&self->file, g_free);
  g_clear_pointer (&self->forbidden, g_free);
  self->loaded = FALSE;
  if (params->source == GST_MGPU_INPAINT_MASK_SOURCE_PROPERTY
      && !gst_mgpu_mask_draw (params->location, params->scale, params->polygon,
          self->width, self->height, &self->file, error))
    return FALSE;
  if (params->source_location != NULL) {
    self->forbidden = gst_mgpu_mask_load (params->source_location, self->width,
        self->height, params->scale, "source-mask-location", error);
    if (self->forbidden == NULL)
      return FALSE;
    for (gsize i = 0; i < n; i++)
      self->forbidden[i] = self->forbidden[i] >= GST_MGPU_MASK_THRESHOLD;
  }
  self->file_serial = params->file_serial;
  self->loaded = TRUE;
  return TRUE;
}

static gboolean
mark_picture (GstMgpuInpaintMask * self, GstVideoFrame * picture,
    GError ** error)
{
  if (picture == NULL) {
    g_set_error_literal (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        "\"mask-source\" is pad, but there is no pad \"mask_sink\": link a "
        "GRAY8 stream to it");
    return FALSE;
  }
  gst_mgpu_mask_add_picture (self->marked, picture);
  return TRUE;
}

static gboolean
mark (GstMgpuInpaintMask * self, const GstMgpuInpaintMaskParams * params,
    const GstVideoInfo * info, GstMgpuWatch * watch, GstBuffer * buffer,
    GstVideoFrame * picture, GError ** error)
{
  gsize n = (gsize) self->width * self->height;

  if (self->file != NULL)
    memcpy (self->marked, self->file, n);
  else
    memset (self->marked, 0, n);
  switch (params->source) {
    case GST_MGPU_INPAINT_MASK_SOURCE_ROI:
      mark_regions (self, watch, buffer, params->roi_type);
      return TRUE;
    case GST_MGPU_INPAINT_MASK_SOURCE_ALPHA:
      return mark_transparent (self, buffer, info, error);
    case GST_MGPU_INPAINT_MASK_SOURCE_PAD:
      return mark_picture (self, picture, error);
    case GST_MGPU_INPAINT_MASK_SOURCE_SEGMENTATION:
      return mark_segments (self, watch, buffer, params->roi_type, error);
    case GST_MGPU_INPAINT_MASK_SOURCE_PROPERTY:
    default:
      return params->rectangle == NULL
          || mark_rectangles (self, params->rectangle, error);
  }
}

/* Marks also the pixels that were marked in one of the @n preceding frames. */
static void
hold (GstMgpuInpaintMask * self, guint n)
{
  gsize size = (gsize) self->width * self->height;

  if (n == 0) {
    gst_mgpu_inpaint_mask_forget (self);
    return;
  }
  if (self->held == NULL)
    self->held = g_new0 (guint16, size);
  for (gsize i = 0; i < size; i++) {
    if (self->marked[i] >= GST_MGPU_MASK_THRESHOLD)
      self->held[i] = n;
    else if (self->held[i] > 0) {
      self->held[i] = MIN (self->held[i], n) - 1;
      self->marked[i] = 255;
    }
  }
}

/* Sets self->part to the box around all masked pixels. */
static void
find_part (GstMgpuInpaintMask * self)
{
  gint left = self->width, top = self->height, right = 0, bottom = 0;

  for (gint y = 0; y < self->height; y++)
    for (gint x = 0; x < self->width; x++)
      if (self->unknown[(gsize) y * self->width + x]) {
        left = MIN (left, x);
        right = MAX (right, x + 1);
        top = MIN (top, y);
        bottom = y + 1;
      }
  /* Extends the box to even coordinates, so that it consists of whole chroma samples. */
  left = MIN (left, right) & ~1;
  top = MIN (top, bottom) & ~1;
  right = MIN (GST_ROUND_UP_2 (right), self->width);
  bottom = MIN (GST_ROUND_UP_2 (bottom), self->height);
  self->part = (MgpuRect) {
  left, top, right - left, bottom - top};
}

/* Makes the mask (self->unknown and self->shares) from the marked pixels: grows it by
 * @dilate pixels and softens its border. */
static void
grow (GstMgpuInpaintMask * self, const GstMgpuInpaintMaskParams * params)
{
  const MgpuRect whole = { 0, 0, self->width, self->height };
  gsize n = (gsize) self->width * self->height;

  g_clear_pointer (&self->shares, g_free);
  if (!params->soft && params->feather == 0) {
    mgpu_inpaint_dilate (self->marked, self->width, self->width, self->height,
        params->dilate, self->unknown);
    return;
  }
  self->shares = g_malloc (n);
  for (gsize i = 0; i < n; i++)
    self->shares[i] = params->soft ? self->marked[i]
        : self->marked[i] >= GST_MGPU_MASK_THRESHOLD ? 255 : 0;
  gst_mgpu_mask_spread (self->shares, self->shares, self->width, self->height,
      params->dilate + params->feather);
  if (params->feather > 0)
    gst_mgpu_mask_feather (self->shares, self->width, self->height, &whole,
        params->feather);
  for (gsize i = 0; i < n; i++)
    self->unknown[i] = self->shares[i] > 0;
  find_part (self);
}

gboolean
gst_mgpu_inpaint_mask_update (GstMgpuInpaintMask * self,
    const GstMgpuInpaintMaskParams * params, const GstVideoInfo * info,
    GstMgpuWatch * watch, GstBuffer * buffer, GstVideoFrame * picture,
    gboolean * changed, GError ** error)
{
  gsize n = (gsize) GST_VIDEO_INFO_WIDTH (info) * GST_VIDEO_INFO_HEIGHT (info);
  gboolean is_new;

  if (self->width != GST_VIDEO_INFO_WIDTH (info)
      || self->height != GST_VIDEO_INFO_HEIGHT (info)) {
    gst_mgpu_inpaint_mask_clear (self);
    self->width = GST_VIDEO_INFO_WIDTH (info);
    self->height = GST_VIDEO_INFO_HEIGHT (info);
  }
  is_new = !self->loaded || self->serial != params->serial;
  *changed = FALSE;
  if (!is_new && params->source == GST_MGPU_INPAINT_MASK_SOURCE_PROPERTY)
    return TRUE;

  if (self->unknown == NULL) {
    self->marked = g_malloc (n);
    self->last = g_malloc (n);
    self->unknown = g_malloc (n);
  }
  if (!load_files (self, params, error)
      || !mark (self, params, info, watch, buffer, picture, error)) {
    self->loaded = FALSE;
    return FALSE;
  }
  hold (self, params->source == GST_MGPU_INPAINT_MASK_SOURCE_PROPERTY ? 0
      : params->hold);
  self->serial = params->serial;
  *changed = is_new || memcmp (self->marked, self->last, n) != 0;
  if (*changed)
    grow (self, params);
  memcpy (self->last, self->marked, n);
  return TRUE;
}

void
gst_mgpu_inpaint_mask_forget (GstMgpuInpaintMask * self)
{
  g_clear_pointer (&self->held, g_free);
}

void
gst_mgpu_inpaint_mask_clear (GstMgpuInpaintMask * self)
{
  g_free (self->unknown);
  g_free (self->shares);
  g_free (self->forbidden);
  g_free (self->marked);
  g_free (self->last);
  g_free (self->file);
  g_free (self->held);
  memset (self, 0, sizeof (*self));
}
