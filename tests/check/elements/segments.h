/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Attaches segmentation masks to frames, which GStreamer supports from 1.26 on; HAVE_SEGMENTS is
 * defined if it does. */
#pragma once

#include "common.h"

#include <string.h>

#if defined (HAVE_ANALYTICS) && GST_CHECK_VERSION (1, 26, 0)
#include <gst/analytics/analytics.h>
#define HAVE_SEGMENTS

/* Describes a segmentation of a frame: its position in the frame, and a mask of 8 x 6 pixels, in
 * which each row of pixels has the next of the values. */
typedef struct
{
  GstVideoFormat format;
  guint values[6];
  gint x, y;
  guint width, height;
  gsize missing;                /* number of bytes by which the mask is too short */
} Segments;

static inline GstBuffer *
segments_make_mask (const Segments * s)
{
  gint bytes = s->format == GST_VIDEO_FORMAT_GRAY8 ? 1 : 2, stride = 8 * bytes + 4;
  gsize offset[GST_VIDEO_MAX_PLANES] = { 12 };
  gint strides[GST_VIDEO_MAX_PLANES] = { stride };
  guint8 *data = g_malloc0 (12 + 6 * stride);
  GstBuffer *mask;

  for (gint y = 0; y < 6; y++)
    for (gint x = 0; x < 8; x++) {
      guint8 *p = data + 12 + y * stride + x * bytes;

      if (s->format == GST_VIDEO_FORMAT_GRAY8)
        *p = s->values[y];
      else if (s->format == GST_VIDEO_FORMAT_GRAY16_LE)
        GST_WRITE_UINT16_LE (p, s->values[y]);
      else
        GST_WRITE_UINT16_BE (p, s->values[y]);
    }
  mask = gst_buffer_new_wrapped (data, 12 + 6 * stride);
  gst_buffer_add_video_meta_full (mask, GST_VIDEO_FRAME_FLAG_NONE, s->format, 8,
      6, 1, offset, strides);
  /* Also drops the padding after the last pixel. */
  gst_buffer_resize (mask, 0, 12 + 6 * stride - 4 - s->missing);
  return mask;
}

/* Attaches a segmentation of a background, two leaves and a berry, with their classes. */
static inline GstAnalyticsMtd
add_segments (GstBuffer * frame, const Segments * s)
{
  static const gchar *const names[] = { "background", "leaf", "berry", "leaf" };
  GstAnalyticsRelationMeta *meta = gst_buffer_get_analytics_relation_meta (frame);
  guint ids[] = { 0, 12, 7, 900 };
  gfloat levels[] = { -1, -1, -1, -1 };
  GQuark classes[G_N_ELEMENTS (names)];
  GstAnalyticsMtd segments, cls;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    classes[i] = g_quark_from_static_string (names[i]);
  if (meta == NULL)
    meta = gst_buffer_add_analytics_relation_meta (frame);
  fail_unless (gst_analytics_relation_meta_add_segmentation_mtd (meta,
          segments_make_mask (s), GST_SEGMENTATION_TYPE_SEMANTIC, G_N_ELEMENTS (ids), ids,
          s->x, s->y, s->width, s->height, &segments));
  fail_unless (gst_analytics_relation_meta_add_cls_mtd (meta,
          G_N_ELEMENTS (names), levels, classes, &cls));
  fail_unless (gst_analytics_relation_meta_set_relation (meta,
          GST_ANALYTICS_REL_TYPE_RELATE_TO, segments.id, cls.id));
  return segments;
}

/* Marks, in the mask of a frame of @width x @height pixels, the pixels to which @s gives one of the
 * values of @types. */
static inline void
segments_mark (const Segments * s, const gchar * types, guint8 * mask,
    gint width, gint height)
{
  for (gint y = 0; y < height; y++)
    for (gint x = 0; x < width; x++) {
      gint64 v = (gint64) y - s->y;
      guint value;

      if (x < s->x || v < 0 || (gint64) x - s->x >= s->width || v >= s->height)
        continue;
      value = s->values[v * 6 / s->height];
      if (types == NULL ? value != 0 : strstr (types, "leaf") != NULL
          ? value == 12 || value == 900 : strstr (types, "berry") != NULL
          && value == 7)
        mask[y * width + x] = 255;
    }
}
#endif
