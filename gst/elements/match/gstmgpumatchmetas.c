/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Attaches the pictures that mgpumatch found to frames, and takes over the pictures that elements
 * upstream found. */
#include "gstmgpumatchmetas.h"

#include <math.h>

#include <gst/frame/gstmgpulog.h>

#include <gst/elements/region.h>

/* Minimum fraction of the frame's area, 0 to 1, that a found picture covers */
#define LEAST_AREA 0.001

gboolean
gst_mgpu_match_find_box (gint width, gint height, const gdouble * c,
    GstVideoRectangle * box)
{
  gdouble low[2] = { c[0], c[1] }, high[2] = { c[0], c[1] }, area = 0;
  gint x, y;

  for (guint i = 0; i < 8; i += 2) {
    const gdouble *a = c + i, *b = c + (i + 2) % 8;

    area += (a[0] * b[1] - b[0] * a[1]) / 2;
    for (guint k = 0; k < 2; k++) {
      low[k] = MIN (low[k], a[k]);
      high[k] = MAX (high[k], a[k]);
    }
  }
  if (area < LEAST_AREA * width * height)
    return FALSE;
  /* Adds half a pixel to each coordinate: in the coordinates of @c, the upper left corner of the
   * frame is (-0.5, -0.5). */
  x = floor (CLAMP (low[0] + 0.5, 0, width));
  y = floor (CLAMP (low[1] + 0.5, 0, height));
  *box = (GstVideoRectangle) {
  x, y, (gint) ceil (CLAMP (high[0] + 0.5, 0, width)) - x,
        (gint) ceil (CLAMP (high[1] + 0.5, 0, height)) - y};
  return box->w > 0 && box->h > 0;
}

void
gst_mgpu_match_attach_region (GstMgpuMatchPicture * picture, GstBuffer * buffer)
{
  picture->last.roi_id = gst_mgpu_find_region_id (buffer);
  gst_mgpu_add_region (buffer, picture->last.roi_id, picture->last.name,
      &picture->box, gst_structure_new ("detection", "confidence",
          G_TYPE_DOUBLE,
          (gdouble) picture->last.n_inliers / picture->last.n_matches,
          "inliers", G_TYPE_UINT, picture->last.n_inliers, "number",
          G_TYPE_UINT, picture->number, NULL));
}

void
gst_mgpu_match_take_others (GstElement * element, guint id, GstBuffer * buffer,
    GArray * found)
{
  GstMgpuPictureMeta *meta = gst_buffer_get_mgpu_picture_meta (buffer);
  GstMgpuPicture picture;
  guint n_own = 0;

  for (guint i = 0; meta != NULL
      && gst_mgpu_picture_meta_get_picture (meta, i, &picture); i++) {
    if (picture.finder != id) {
      g_array_append_val (found, picture);
      continue;
    }
    n_own++;
    gst_mgpu_remove_region (buffer, picture.roi_id, picture.name);
  }
  if (n_own > 0 && found->len > 0)
    gst_buffer_add_mgpu_picture_meta (buffer, (GstMgpuPicture *) found->data,
        found->len);
  else if (n_own > 0)
    gst_buffer_remove_meta (buffer, (GstMeta *) meta);
  GST_MGPU_LOG_OBJECT (element,
      "the frame has %u reference images found by other elements; it had %u "
      "found by this element", found->len, n_own);
}
