/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

#include "../../reference/inpaint.h"

#include <gdk-pixbuf/gdk-pixbuf.h>

/* Options that improve a filled hole: smooth-seams and blend */
enum
{
  SEAM = 1 << 0,
  BLEND = 1 << 1
};

/* mgpuinpaint that fills holes with plain patches, without blending */
#define PLAIN "method=exemplar blend=false smooth-seams=false "

/* Holds parameters of the reference, and the rectangle that it fills. */
typedef struct
{
  gint patch_size, dilate;
  gdouble search_factor;
  gint x, y, width, height;
  const guint8 *mask;           /* mask of a frame, 255 in the hole; or NULL */
  const guint8 *forbidden;
  guint quality;                /* SEAM, BLEND */
  RefInpaintMethod method;
} Removal;

static inline guint8 *
rectangle_mask (gint width, gint height, gint x, gint y, gint w, gint h)
{
  guint8 *mask = g_malloc0 ((gsize) width * height);

  for (gint v = MAX (y, 0); v < MIN (y + h, height); v++)
    for (gint u = MAX (x, 0); u < MIN (x + w, width); u++)
      mask[v * width + u] = 255;
  return mask;
}

/* Writes mask as a PNG file, which every gdk-pixbuf reads. */
static inline void
write_png (const gchar * path, gint width, gint height, const guint8 * mask)
{
  g_autoptr (GdkPixbuf) picture = gdk_pixbuf_new (GDK_COLORSPACE_RGB, FALSE, 8, width, height);

  for (gint y = 0; y < height; y++) {
    guint8 *row = gdk_pixbuf_get_pixels (picture)
        + y * gdk_pixbuf_get_rowstride (picture);

    for (gint x = 0; x < width; x++)
      memset (row + 3 * x, mask[y * width + x], 3);
  }
  fail_unless (gdk_pixbuf_save (picture, path, "png", NULL, NULL));
}

static inline void
inpaint_reference (GstVideoFrame * in, GstVideoFrame * out, gconstpointer params)
{
  const Removal *r = params;
  gint width = GST_VIDEO_FRAME_WIDTH (in), height = GST_VIDEO_FRAME_HEIGHT (in);
  g_autofree guint8 *mask = r->mask != NULL ? g_memdup2 (r->mask, (gsize) width * height)
      : rectangle_mask (width, height, r->x, r->y, r->width, r->height);
  RefInpaint ref = { r->patch_size, r->search_factor, r->dilate, mask,
    r->forbidden, (r->quality & SEAM) != 0,
    (r->quality & BLEND) != 0, r->method
  };
  RefPlane from[GST_VIDEO_MAX_COMPONENTS], to[GST_VIDEO_MAX_COMPONENTS];

  ref_planes (in, from);
  ref_planes (out, to);
  fail_unless (ref_inpaint (from, to, GST_VIDEO_FRAME_N_COMPONENTS (in),
          GST_VIDEO_INFO_IS_RGB (&in->info), &ref, NULL));
}

/* Returns: a harness of the line @launch, in which %s is replaced by @path, the path of a mask */
static inline GstHarness *
harness_with_mask (const gchar * launch, const gchar * path, const gchar * caps)
{
  g_autofree gchar *line = g_strdup_printf (launch, path);
  GstHarness *h = harness_new (line, caps, caps);

  return h;
}

/* Pushes @in through @h, and fails unless the output equals that of the reference. */
static inline void
push_and_compare (GstHarness * h, const GstVideoInfo * info, GstBuffer * in,
    const Removal * r)
{
  g_autoptr (GstBuffer) out = harness_push_pull (h, gst_buffer_ref (in));

  fail_unless_as_reference (info, in, out, inpaint_reference, r);
  gst_buffer_unref (in);
}

/* Formats with chroma, with three interleaved colors, and with 16 bits */
static const GstVideoFormat several_formats[] = {
  GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_RGBA, GST_VIDEO_FORMAT_P010_10LE,
  GST_VIDEO_FORMAT_GRAY16_LE
};

static inline gchar *
caps_string (GstVideoFormat format, gint width, gint height)
{
  g_autoptr (GstCaps) caps = caps_new (format, width, height, FALSE);
  gchar *text = gst_caps_to_string (caps);

  return text;
}
