/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Determines where mgpusift searches for keypoints, from the mask file and the regions of
 * interest. */
#include "gstmgpusiftregion.h"

#include <string.h>

#include <gst/frame/gstmgpumask.h>

/* Initial maximum number of rectangles in a buffer, and the step by which this maximum is
 * increased */
#define ROOM 64

void
gst_mgpu_sift_regions_release (GstMgpuSiftRegions * self)
{
  gst_clear_buffer (&self->rectangles);
  gst_mgpu_clear_pool (&self->pool);
  self->room = 0;
  g_clear_pointer (&self->mask, gst_memory_unref);
  g_clear_pointer (&self->loaded, g_free);
}

/* --- The mask file --- */

/* Extends the box @a, which may be empty, to the smallest box around @a and @b. */
static void
join_boxes (GstVideoRectangle * a, const GstVideoRectangle * b)
{
  gint right = MAX (a->x + a->w, b->x + b->w);
  gint bottom = MAX (a->y + a->h, b->y + b->h);

  if (a->w == 0) {
    *a = *b;
    return;
  }
  a->x = MIN (a->x, b->x);
  a->y = MIN (a->y, b->y);
  a->w = right - a->x;
  a->h = bottom - a->y;
}

/* Loads the mask file, scaled to the frame size, to the device. */
static gboolean
load_mask (GstMgpuSiftRegions * self, GstMgpuInput * input,
    const gchar * location, GError ** error)
{
  gint width = GST_VIDEO_INFO_WIDTH (&input->info);
  gint height = GST_VIDEO_INFO_HEIGHT (&input->info);
  gsize size = GST_ROUND_UP_4 ((gsize) width * height), i = 0;
  guint8 *grey = gst_mgpu_mask_load (location, width, height, TRUE,
      "mask-location", error);
  GstMapInfo map;

  if (grey == NULL)
    return FALSE;
  self->mask = gst_mgpu_memory_new (input->base->queue, size, NULL, error);
  if (self->mask != NULL && gst_memory_map (self->mask, &map, GST_MAP_WRITE)) {
    memset (&self->mask_box, 0, sizeof (self->mask_box));
    for (gint y = 0; y < height; y++)
      for (gint x = 0; x < width; x++, i++) {
        const GstVideoRectangle pixel = { x, y, 1, 1 };

        map.data[i] = grey[i] >= GST_MGPU_MASK_THRESHOLD;
        if (map.data[i])
          join_boxes (&self->mask_box, &pixel);
      }
    gst_memory_unmap (self->mask, &map);
    GST_MGPU_DEBUG_OBJECT (input->base->element, "the mask %s allows keypoints "
        "only inside the %dx%d pixels at (%d, %d)", location, self->mask_box.w, self->mask_box.h,
        self->mask_box.x, self->mask_box.y);
    self->loaded = g_strdup (location);
  } else if (self->mask != NULL) {
    g_clear_pointer (&self->mask, gst_memory_unref);
    gst_mgpu_device_base_set_no_memory (input->base, size, error);
  }
  g_free (grey);
  return self->mask != NULL;
}

/* --- Work on regions of interest --- */

/* Sets the box of @region to the intersection of the boxes @a and @b. Returns: FALSE if
 * the intersection is empty */
static gboolean
intersect_boxes (const GstVideoRectangle * a, const GstVideoRectangle * b,
    MgpuSiftRegion * region)
{
  region->x = MAX (a->x, b->x);
  region->y = MAX (a->y, b->y);
  region->width = MIN (a->x + a->w, b->x + b->w) - region->x;
  region->height = MIN (a->y + a->h, b->y + b->h) - region->y;
  return region->width > 0 && region->height > 0;
}

/* Lists the regions of interest of the types @types, clipped to the frame. Sets @box to
 * the smallest box around them. Returns: (transfer full): an array of GstVideoRectangle */
static GArray *
list_rectangles (GstMgpuWatch * watch, GstBuffer * buffer,
    const gchar * types, gint width, gint height, GstVideoRectangle * box)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (GstVideoRectangle));
  GPtrArray *found =
      gst_mgpu_watch_list_regions (watch, buffer, "roi-type", types);

  memset (box, 0, sizeof (*box));
  for (guint i = 0; i < found->len; i++) {
    const GstMgpuDetection *object = found->pdata[i];
    gint64 right = MIN ((gint64) object->x + object->width, width);
    gint64 bottom = MIN ((gint64) object->y + object->height, height);
    gint64 x = MAX (object->x, 0), y = MAX (object->y, 0);
    GstVideoRectangle r = { x, y, right - x, bottom - y };

    if (x >= right || y >= bottom)
      continue;
    join_boxes (box, &r);
    g_array_append_val (list, r);
  }
  g_ptr_array_unref (found);
  return list;
}

/* Writes the rectangles in @list to a buffer on the device. */
static gboolean
write_rectangles (GstMgpuSiftRegions * self, GstMgpuDeviceBase * base,
    const GArray * list, GError ** error)
{
  gsize size;

  G_STATIC_ASSERT (sizeof (GstVideoRectangle) == 4 * sizeof (gint));
  self->room = MAX (self->room, (list->len + ROOM - 1) / ROOM * ROOM);
  size = self->room * sizeof (GstVideoRectangle);
  self->rectangles = gst_mgpu_device_base_acquire_table (base, &self->pool,
      size, error);
  if (self->rectangles == NULL)
    return FALSE;
  if (gst_buffer_fill (self->rectangles, 0, list->data,
          list->len * sizeof (GstVideoRectangle)) > 0)
    return TRUE;
  gst_mgpu_device_base_set_no_memory (base, size, error);
  return FALSE;
}

gboolean
gst_mgpu_sift_regions_find (GstMgpuSiftRegions * self, GstMgpuInput * input,
    GstMgpuWatch * watch, GstBuffer * buffer, const gchar * roi_type,
    const gchar * location, MgpuSiftRegion * region, GError ** error)
{
  gint width = GST_VIDEO_INFO_WIDTH (&input->info);
  gint height = GST_VIDEO_INFO_HEIGHT (&input->info);
  GstVideoRectangle box = { 0, 0, width, height }, rois = box;
  GArray *list = NULL;
  gboolean ok = TRUE;

  memset (region, 0, sizeof (*region));
  gst_clear_buffer (&self->rectangles);
  if (g_strcmp0 (location, self->loaded) != 0) {
    g_clear_pointer (&self->mask, gst_memory_unref);
    g_clear_pointer (&self->loaded, g_free);
    ok = location == NULL || load_mask (self, input, location, error);
  }
  if (ok && location != NULL) {
    box = self->mask_box;
    region->mask = (GstMgpuMemory *) self->mask;
  }
  if (ok && roi_type != NULL) {
    list = list_rectangles (watch, buffer, roi_type, width, height, &rois);
    region->n_rectangles = list->len;
  }
  ok = ok && intersect_boxes (&box, &rois, region);
  if (ok && list != NULL) {
    ok = write_rectangles (self, input->base, list, error);
    region->rectangles = gst_mgpu_peek_table (self->rectangles);
  }
  g_clear_pointer (&list, g_array_unref);
  return ok;
}
