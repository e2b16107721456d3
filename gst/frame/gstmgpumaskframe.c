/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads the masks of frames: their transparent pixels, and segmentation masks (GStreamer
 * 1.26 and later). */
#include "gstmgpumaskframe.h"

#include "gstmgpuinput.h"

gboolean
gst_mgpu_mask_add_transparent (guint8 * mask, GstBuffer * buffer,
    const GstVideoInfo * info, GError ** error)
{
  GstVideoFrame frame;
  gint step;

  if (!GST_VIDEO_INFO_HAS_ALPHA (info)) {
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
        "\"mask-source\" is alpha, but %s frames have no alpha: put "
        "\"videoconvert ! video/x-raw,format=RGBA\" after the element that "
        "makes them transparent", GST_VIDEO_INFO_NAME (info));
    return FALSE;
  }
  if (!gst_mgpu_input_map (info, &frame, buffer, error))
    return FALSE;
  step = GST_VIDEO_FRAME_COMP_PSTRIDE (&frame, 3);
  for (gint y = 0; y < GST_VIDEO_FRAME_HEIGHT (&frame); y++) {
    const guint8 *row = (const guint8 *) GST_VIDEO_FRAME_COMP_DATA (&frame, 3)
        + (gssize) y * GST_VIDEO_FRAME_COMP_STRIDE (&frame, 3);
    guint8 *to = mask + (gsize) y * GST_VIDEO_FRAME_WIDTH (&frame);

    for (gint x = 0; x < GST_VIDEO_FRAME_WIDTH (&frame); x++)
      to[x] = MAX (to[x], 255 - row[x * step]);
  }
  gst_video_frame_unmap (&frame);
  return TRUE;
}

#if defined (HAVE_ANALYTICS) && GST_CHECK_VERSION (1, 26, 0)
#include <gst/analytics/analytics.h>

#include <string.h>

#include "gstmgpumask.h"

/* Number of values that a pixel of a segmentation mask can have */
#define N_VALUES 65536

/* The box of a segmentation mask in the frame: its upper left pixel, and the size in
 * pixels to which the mask is scaled. */
typedef struct
{
  gint x, y;
  guint width, height;
} Place;

/* Returns: whether segment number @index, whose pixels have the value @value in the segmentation
 * mask, shows an object of one of @types. This is the case if the class of the segment is one of
 * @types, or if the whole segmentation is related to an object detection of one of @types; the
 * value 0 then means background */
static gboolean
has_type (const GstAnalyticsSegmentationMtd * segments, gsize index,
    guint value, const gchar * types)
{
  GstAnalyticsRelationMeta *meta = segments->meta;
  gpointer state = NULL;
  GstAnalyticsMtd mtd;

  while (gst_analytics_relation_meta_iterate (meta, &state,
          GST_ANALYTICS_MTD_TYPE_ANY, &mtd)) {
    GstAnalyticsMtdType type = gst_analytics_mtd_get_mtd_type (&mtd);
    GQuark label = 0;

    if (gst_analytics_relation_meta_get_relation (meta, segments->id, mtd.id)
        == GST_ANALYTICS_REL_TYPE_NONE
        && gst_analytics_relation_meta_get_relation (meta, mtd.id,
            segments->id) == GST_ANALYTICS_REL_TYPE_NONE)
      continue;
    if (type == gst_analytics_cls_mtd_get_mtd_type ()) {
      if (index < gst_analytics_cls_mtd_get_length (&mtd))
        label = gst_analytics_cls_mtd_get_quark (&mtd, index);
    } else if (value != 0 && type == gst_analytics_od_mtd_get_mtd_type ()) {
      label = gst_analytics_od_mtd_get_obj_type (&mtd);
    }
    if (label != 0 && gst_mgpu_mask_has_type (types, g_quark_to_string (label)))
      return TRUE;
  }
  return FALSE;
}

/* Fills @chosen, a table with a byte for each value of a mask pixel: 255 if pixels of
 * this value show an object of one of @types, otherwise 0. */
static void
choose_values (const GstAnalyticsSegmentationMtd * segments,
    const gchar * types, guint8 * chosen)
{
  gsize n = gst_analytics_segmentation_mtd_get_region_count (segments);

  if (types == NULL || strcmp (types, "*") == 0) {
    memset (chosen, 255, N_VALUES);
    chosen[0] = 0;
    return;
  }
  memset (chosen, 0, N_VALUES);
  for (gsize i = 0; i < n; i++) {
    guint value = gst_analytics_segmentation_mtd_get_region_id (segments, i);

    if (value < N_VALUES && has_type (segments, i, value, types))
      chosen[value] = 255;
  }
}

static guint
read_value (const guint8 * row, guint x, GstVideoFormat format)
{
  if (format == GST_VIDEO_FORMAT_GRAY8)
    return row[x];
  return format == GST_VIDEO_FORMAT_GRAY16_LE ? GST_READ_UINT16_LE (row + 2 * x)
      : GST_READ_UINT16_BE (row + 2 * x);
}

/* Scales a segmentation mask to the box @place by nearest-neighbor interpolation, and
 * sets to 255 those pixels of the frame whose mask value is one of the chosen values. */
static void
mark_mask (const GstVideoMeta * mask, const guint8 * data, const Place * place,
    const guint8 * chosen, guint8 * marked, gint width, gint height)
{
  gint left = MAX (place->x, 0), top = MAX (place->y, 0);
  gint right = MIN ((gint64) place->x + place->width, width);
  gint bottom = MIN ((gint64) place->y + place->height, height);

  for (gint y = top; y < bottom; y++) {
    gsize from = (guint64) ((gint64) y - place->y) * mask->height
        / place->height;
    const guint8 *row = data + from * mask->stride[0];

    for (gint x = left; x < right; x++) {
      guint at = (guint64) ((gint64) x - place->x) * mask->width / place->width;

      marked[(gsize) y * width + x] |=
          chosen[read_value (row, at, mask->format)];
    }
  }
}

/* Returns: whether the @size bytes of data contain all pixels that the meta @mask
 * describes */
static gboolean
is_whole (const GstVideoMeta * mask, gsize size)
{
  gsize bytes = mask->format == GST_VIDEO_FORMAT_GRAY8 ? 1 : 2;

  return mask->width > 0 && mask->height > 0 && mask->stride[0] >= 0
      && (guint64) mask->width * bytes <= (guint64) mask->stride[0]
      && mask->offset[0] <= size
      && (guint64) (mask->height - 1) * mask->stride[0] + mask->width * bytes
      <= size - mask->offset[0];
}

static gboolean
mark_segments (const GstAnalyticsSegmentationMtd * segments,
    const gchar * types, guint8 * chosen, guint8 * marked, gint width,
    gint height, GError ** error)
{
  Place place = { 0, };
  GstBuffer *buffer = gst_analytics_segmentation_mtd_get_mask (segments,
      &place.x, &place.y, &place.width, &place.height);
  const GstVideoMeta *mask =
      buffer != NULL ? gst_buffer_get_video_meta (buffer) : NULL;
  gboolean ok = FALSE;
  GstMapInfo info;

  if (mask != NULL && (mask->format == GST_VIDEO_FORMAT_GRAY8
          || mask->format == GST_VIDEO_FORMAT_GRAY16_LE
          || mask->format == GST_VIDEO_FORMAT_GRAY16_BE)
      && gst_buffer_map (buffer, &info, GST_MAP_READ)) {
    ok = is_whole (mask, info.size);
    if (ok) {
      choose_values (segments, types, chosen);
      mark_mask (mask, info.data + mask->offset[0], &place, chosen, marked,
          width, height);
    }
    gst_buffer_unmap (buffer, &info);
  }
  if (!ok)
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
        "\"mask-source\" is segmentation, but a segmentation mask of the "
        "frame is not a GRAY8 or GRAY16 image, or is incomplete: correct the "
        "element that attached the mask");
  gst_clear_buffer (&buffer);
  return ok;
}

gboolean
gst_mgpu_mask_add_segments (guint8 * marked, gint width, gint height,
    GstBuffer * buffer, const gchar * types, guint * n_masks, GError ** error)
{
  GstAnalyticsRelationMeta *meta =
      gst_buffer_get_analytics_relation_meta (buffer);
  guint8 *chosen;
  gpointer state = NULL;
  gboolean ok = TRUE;
  GstAnalyticsMtd mtd;

  *n_masks = 0;
  if (meta == NULL)
    return TRUE;
  chosen = g_malloc (N_VALUES);
  while (ok && gst_analytics_relation_meta_iterate (meta, &state,
          gst_analytics_segmentation_mtd_get_mtd_type (), &mtd)) {
    ok = mark_segments (&mtd, types, chosen, marked, width, height, error);
    *n_masks += 1;
  }
  g_free (chosen);
  return ok;
}
#else
gboolean
gst_mgpu_mask_add_segments (guint8 * marked, gint width, gint height,
    GstBuffer * buffer, const gchar * types, guint * n_masks, GError ** error)
{
  g_set_error_literal (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
      "\"mask-source\" is segmentation, but this build does not support "
      "segmentation masks: build it with gstreamer-analytics-1.0 of GStreamer "
      "1.26 or later, or use mask-source=pad");
  return FALSE;
}
#endif
