/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstmgpusiftregion.h"

#include <string.h>

#include <png.h>

/* Rectangles that there is room for at first, and at each step. */
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

void
gst_mgpu_sift_regions_clear (GstMgpuSiftRegions * self)
{
  gst_mgpu_sift_regions_release (self);
  g_clear_pointer (&self->roi_type, g_free);
  g_clear_pointer (&self->mask_location, g_free);
}

/* --- A picture --- */

/* Returns: the grey picture in a file, one byte for each pixel; transparent
 * parts are black */
static guint8 *
read_picture (const gchar * location, guint * width, guint * height,
    GError ** error)
{
  const png_color black = { 0, 0, 0 };
  png_image image = {.version = PNG_IMAGE_VERSION };
  guint8 *pixels = NULL;

  if (png_image_begin_read_from_file (&image, location)) {
    image.format = PNG_FORMAT_GRAY;
    *width = image.width;
    *height = image.height;
    pixels = g_try_malloc (PNG_IMAGE_SIZE (image));
    if (pixels == NULL)
      g_strlcpy (image.message, "not enough memory", sizeof (image.message));
    else if (!png_image_finish_read (&image, &black, pixels, 0, NULL))
      g_clear_pointer (&pixels, g_free);
  }
  if (pixels == NULL)
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_OPEN_READ,
        "cannot read the mask \"%s\": %s: set \"mask-location\" to a PNG "
        "picture, white where keypoints count and black elsewhere", location,
        image.message);
  png_image_free (&image);
  return pixels;
}

static void
grow_box (GstVideoRectangle * box, gint x, gint y)
{
  gint right = MAX (box->x + box->w, x + 1);

  if (box->h == 0) {
    *box = (GstVideoRectangle) {
    x, y, 1, 1};
    return;
  }
  box->x = MIN (box->x, x);
  box->w = right - box->x;
  box->h = y + 1 - box->y;
}

/* Makes the mask for frames like user's: each pixel is that of the picture that
 * lies where it does. */
static gboolean
load_mask (GstMgpuSiftRegions * self, GstMgpuDeviceUser * user,
    const gchar * location, GError ** error)
{
  gint width = GST_VIDEO_INFO_WIDTH (&user->info);
  gint height = GST_VIDEO_INFO_HEIGHT (&user->info);
  gsize size = GST_ROUND_UP_4 ((gsize) width * height);
  guint from_width, from_height;
  guint8 *picture = read_picture (location, &from_width, &from_height, error);
  GstMapInfo map;

  if (picture == NULL)
    return FALSE;
  self->mask = gst_mgpu_memory_new (user->queue, size, NULL, error);
  if (self->mask != NULL && !gst_memory_map (self->mask, &map, GST_MAP_WRITE)) {
    g_clear_pointer (&self->mask, gst_memory_unref);
    gst_mgpu_device_user_set_no_memory (user, size, error);
  }
  if (self->mask == NULL) {
    g_free (picture);
    return FALSE;
  }
  memset (&self->mask_box, 0, sizeof (self->mask_box));
  for (gint y = 0; y < height; y++) {
    const guint8 *row = picture + (guint64) y * from_height / height
        * from_width;

    for (gint x = 0; x < width; x++) {
      guint8 value = row[(guint64) x * from_width / width];

      map.data[(gsize) y * width + x] = value;
      if (value != 0)
        grow_box (&self->mask_box, x, y);
    }
  }
  gst_memory_unmap (self->mask, &map);
  g_free (picture);
  self->loaded = g_strdup (location);
  return TRUE;
}

/* --- Regions of interest --- */

/* Where two boxes overlap. Returns FALSE when they do not. */
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

/* The smallest box around two. */
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

/* Returns: those of the type that are in the frame, and what is around them */
static GArray *
list_rectangles (GstBuffer * buffer, const gchar * roi_type, gint width,
    gint height, GstVideoRectangle * box)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (GstVideoRectangle));
  GQuark type = g_quark_try_string (roi_type);
  const GstVideoRegionOfInterestMeta *roi;
  gpointer state = NULL;

  memset (box, 0, sizeof (*box));
  while ((roi = (const GstVideoRegionOfInterestMeta *)
          gst_buffer_iterate_meta_filtered (buffer, &state,
              GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)) != NULL) {
    GstVideoRectangle r;

    if (roi->roi_type != type || type == 0 || roi->x >= (guint) width
        || roi->y >= (guint) height || roi->w == 0 || roi->h == 0)
      continue;
    r.x = roi->x;
    r.y = roi->y;
    r.w = MIN (roi->w, (guint) (width - r.x));
    r.h = MIN (roi->h, (guint) (height - r.y));
    join_boxes (box, &r);
    g_array_append_val (list, r);
  }
  return list;
}

/* Brings the rectangles to the device. */
static gboolean
write_rectangles (GstMgpuSiftRegions * self, GstMgpuDeviceUser * user,
    const GArray * list, GError ** error)
{
  gsize size;

  G_STATIC_ASSERT (sizeof (GstVideoRectangle) == 4 * sizeof (gint));
  if (list->len > self->room) {
    gst_mgpu_clear_pool (&self->pool);
    self->room = (list->len + ROOM - 1) / ROOM * ROOM;
  }
  size = self->room * sizeof (GstVideoRectangle);
  if (self->pool == NULL)
    self->pool = gst_mgpu_device_user_new_table_pool (user, size, error);
  if (self->pool == NULL)
    return FALSE;
  self->rectangles = gst_mgpu_device_user_acquire (user, self->pool, error);
  if (self->rectangles == NULL)
    return FALSE;
  if (gst_buffer_fill (self->rectangles, 0, list->data,
          list->len * sizeof (GstVideoRectangle)) > 0)
    return TRUE;
  gst_mgpu_device_user_set_no_memory (user, size, error);
  return FALSE;
}

gboolean
gst_mgpu_sift_regions_find (GstMgpuSiftRegions * self, GstMgpuDeviceUser * user,
    GstBuffer * buffer, MgpuSiftRegion * region, GError ** error)
{
  gint width = GST_VIDEO_INFO_WIDTH (&user->info);
  gint height = GST_VIDEO_INFO_HEIGHT (&user->info);
  GstVideoRectangle box = { 0, 0, width, height }, rois = box;
  gchar *roi_type, *location;
  GArray *list = NULL;
  gboolean ok = TRUE;

  GST_OBJECT_LOCK (user->element);
  roi_type = g_strdup (self->roi_type);
  location = g_strdup (self->mask_location);
  GST_OBJECT_UNLOCK (user->element);

  memset (region, 0, sizeof (*region));
  gst_clear_buffer (&self->rectangles);
  if (g_strcmp0 (location, self->loaded) != 0) {
    g_clear_pointer (&self->mask, gst_memory_unref);
    g_clear_pointer (&self->loaded, g_free);
    ok = location == NULL || load_mask (self, user, location, error);
  }
  if (ok && location != NULL) {
    box = self->mask_box;
    region->mask = (GstMgpuMemory *) self->mask;
  }
  if (ok && roi_type != NULL) {
    list = list_rectangles (buffer, roi_type, width, height, &rois);
    region->n_rectangles = list->len;
  }
  ok = ok && intersect_boxes (&box, &rois, region);
  if (ok && list != NULL) {
    ok = write_rectangles (self, user, list, error);
    region->rectangles = gst_mgpu_peek_table (self->rectangles);
  }
  g_clear_pointer (&list, g_array_unref);
  g_free (roi_type);
  g_free (location);
  return ok;
}
