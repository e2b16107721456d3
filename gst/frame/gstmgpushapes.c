/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Parses and draws the rectangles and polygons of masks. */
#include "gstmgpushapes.h"

#include <math.h>
#include <string.h>

#include <gst/mgpu/mgpu.h>

/* Maximum coordinate or size of a shape, in pixels. The sum of two such numbers is exact
 * as double, and the difference of two such coordinates fits into 64 bits. */
#define MAX_PLACE G_MAXINT

GArray *
gst_mgpu_shapes_read_numbers (const gchar * text, gint width, gint height)
{
  gboolean is_share = strchr (text, '.') != NULL;
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (gdouble));
  gchar *end;

  for (;; text = end + 1) {
    gdouble number = g_ascii_strtod (text, &end);

    if (end == text || (*end != ',' && *end != '\0'))
      break;
    if (is_share)
      number *= numbers->len % 2 == 0 ? width : height;
    /* This condition also refuses NaN and infinity, because any comparison with NaN is
     * false. */
    if (!(fabs (number) <= MAX_PLACE))
      break;
    g_array_append_val (numbers, number);
    if (*end == '\0')
      return numbers;
  }
  g_array_unref (numbers);
  return NULL;
}

static MgpuRect
get_rectangle (const GArray * numbers, gint width, gint height)
{
  const gdouble *n = &g_array_index (numbers, gdouble, 0);
  gint x = CLAMP (rint (n[0]), 0, width), y = CLAMP (rint (n[1]), 0, height);

  return (MgpuRect) {
  x, y, (gint) CLAMP (rint (n[0] + n[2]), 0, width) - x,
        (gint) CLAMP (rint (n[1] + n[3]), 0, height) - y};
}

/* Reads the rectangle @text. @hint is the end of the error message. */
static gboolean
read_rectangle (const gchar * text, gint width, gint height,
    const gchar * hint, MgpuRect * rect, GError ** error)
{
  g_autoptr (GArray) n = gst_mgpu_shapes_read_numbers (text, width, height);

  if (n == NULL || n->len != 4) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        "\"%s\" is not a rectangle: set \"rectangle\" to x,y,width,height in "
        "pixels, for example 10,20,76,128, or in fractions of the frame, for "
        "example 0.1,0.2,0.25,0.5%s", text, hint);
    return FALSE;
  }
  if (g_array_index (n, gdouble, 2) <= 0 || g_array_index (n, gdouble, 3) <= 0) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        "\"%s\" has no pixels: set \"rectangle\" to x,y,width,height with a "
        "width and a height above 0", text);
    return FALSE;
  }
  *rect = get_rectangle (n, width, height);
  return TRUE;
}

gboolean
gst_mgpu_shapes_read_rectangle (const gchar * text, gint width, gint height,
    MgpuRect * rect, GError ** error)
{
  return read_rectangle (text, width, height, "", rect, error);
}

gboolean
gst_mgpu_shapes_list_rectangles (const gchar * text, gint width, gint height,
    GArray * rects, GError ** error)
{
  g_auto (GStrv) parts = g_strsplit (text, ";", -1);

  for (guint i = 0; parts[i] != NULL; i++) {
    MgpuRect rect;

    if (!read_rectangle (parts[i], width, height,
            ", with semicolons between rectangles", &rect, error))
      return FALSE;
    if (rect.width > 0 && rect.height > 0)
      g_array_append_val (rects, rect);
  }
  return TRUE;
}

static gint
compare_places (gconstpointer a, gconstpointer b)
{
  gdouble first = *(const gdouble *) a, second = *(const gdouble *) b;

  return first < second ? -1 : first > second;
}

/* Intersects a polygon with the horizontal line through the pixel centers of row @y.
 * Fills @crossings with the x coordinates of the intersections, in ascending order. */
static void
find_crossings (const GArray * corners, gint y, GArray * crossings)
{
  const gdouble *from = &g_array_index (corners, gdouble, corners->len - 2);
  gdouble middle = y + 0.5;

  g_array_set_size (crossings, 0);
  for (guint i = 0; i < corners->len; i += 2) {
    const gdouble *to = &g_array_index (corners, gdouble, i);

    if ((from[1] <= middle) != (to[1] <= middle)) {
      gdouble x = from[0] + (middle - from[1]) * (to[0] - from[0])
          / (to[1] - from[1]);

      g_array_append_val (crossings, x);
    }
    from = to;
  }
  g_array_sort (crossings, compare_places);
}

/* Returns: the column of the first pixel whose center is at or right of the x coordinate
 * @x, from 0 to @width */
static gint
first_column (gdouble x, gint width)
{
  return CLAMP (ceil (x - 0.5), 0, width);
}

static void
draw_polygon (const GArray * corners, gint width, gint height, guint8 * mask)
{
  g_autoptr (GArray) crossings = g_array_new (FALSE, FALSE, sizeof (gdouble));

  for (gint y = 0; y < height; y++) {
    find_crossings (corners, y, crossings);
    for (guint i = 0; i + 1 < crossings->len; i += 2) {
      gint x = first_column (g_array_index (crossings, gdouble, i), width);
      gint end = first_column (g_array_index (crossings, gdouble, i + 1),
          width);

      memset (mask + (gsize) y * width + x, 255, end - x);
    }
  }
}

void
gst_mgpu_shapes_draw_rotated_box (const GstMgpuDetection * box, gint width,
    gint height, guint8 * mask)
{
  gdouble c = cos (box->rotation), s = sin (box->rotation);
  gdouble half_x = box->width / 2., half_y = box->height / 2.;
  gdouble x = box->x + half_x, y = box->y + half_y;
  gdouble reach_x = fabs (c) * half_x + fabs (s) * half_y;
  gdouble reach_y = fabs (s) * half_x + fabs (c) * half_y;
  /* fmin() and fmax() replace NaN by 0. */
  gint x0 = fmin (fmax (x - reach_x, 0), width);
  gint y0 = fmin (fmax (y - reach_y, 0), height);
  gint x1 = ceil (fmin (fmax (x + reach_x, 0), width));
  gint y1 = ceil (fmin (fmax (y + reach_y, 0), height));

  for (gint v = y0; v < y1; v++) {
    for (gint u = x0; u < x1; u++) {
      gdouble dx = u + 0.5 - x, dy = v + 0.5 - y;

      if (fabs (c * dx + s * dy) <= half_x && fabs (c * dy - s * dx) <= half_y)
        mask[(gsize) v * width + u] = 255;
    }
  }
}

gboolean
gst_mgpu_shapes_draw_polygons (const gchar * text, gint width, gint height,
    guint8 * mask, GError ** error)
{
  gchar **parts = g_strsplit (text, ";", -1);
  gboolean ok = TRUE;

  for (guint i = 0; parts[i] != NULL && ok; i++) {
    GArray *corners = gst_mgpu_shapes_read_numbers (parts[i], width, height);

    ok = corners != NULL && corners->len >= 6 && corners->len % 2 == 0;
    if (ok)
      draw_polygon (corners, width, height, mask);
    else
      g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
          "\"%s\" is not a polygon: set \"polygon\" to the x and y of three "
          "corners or more in pixels, for example 10,20,76,20,43,128, with "
          "semicolons between polygons", parts[i]);
    g_clear_pointer (&corners, g_array_unref);
  }
  g_strfreev (parts);
  return ok;
}
