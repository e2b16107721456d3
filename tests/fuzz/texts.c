/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Fuzzes property texts: names, types, rectangles, polygons, lines and zones. The first byte
 * selects the property. */
#include "fuzz.h"

#include <gst/elements/track/gstmgputrackplaces.h>
#include <gst/frame/gstmgpumask.h>
#include <gst/frame/gstmgpushapes.h>
#include <gst/vision/dpm/model.h>

#define WIDTH 40
#define HEIGHT 30

static void
try_name (const gchar * text)
{
  gchar *name = mgpu_dpm_clean_name (g_strdup (text));
  GstStructure *structure = gst_structure_new_empty (name);

  g_assert (structure != NULL);
  gst_structure_free (structure);
  g_free (name);
}

static void
try_rectangles (const gchar * text)
{
  GArray *rects = g_array_new (FALSE, FALSE, sizeof (MgpuRect));
  GError *error = NULL;
  gboolean ok = gst_mgpu_shapes_list_rectangles (text, WIDTH, HEIGHT, rects,
      &error);

  for (guint i = 0; i < rects->len; i++) {
    const MgpuRect *r = &g_array_index (rects, MgpuRect, i);

    g_assert (r->x >= 0 && r->width > 0 && r->x + r->width <= WIDTH);
    g_assert (r->y >= 0 && r->height > 0 && r->y + r->height <= HEIGHT);
  }
  g_array_unref (rects);
  fuzz_check_text (ok, error);
}

static void
try_polygons (const gchar * text)
{
  guint8 *mask = NULL;
  GError *error = NULL;
  gboolean ok = gst_mgpu_mask_draw (NULL, FALSE, text, WIDTH, HEIGHT, &mask,
      &error);

  g_assert (ok || mask == NULL);
  g_free (mask);
  fuzz_check_text (ok, error);
}

static void
try_places (const gchar * lines, const gchar * zones, const gchar * circles)
{
  GError *error = NULL;
  GstMgpuTrackPlaces *places = gst_mgpu_track_places_new (lines, zones, circles,
      &error);
  gboolean ok = places != NULL;

  if (ok) {
    GstMgpuTrackVisit *visits = g_new0 (GstMgpuTrackVisit,
        gst_mgpu_track_places_get_n (places));
    GArray *news = g_array_new (FALSE, FALSE, sizeof (GstMgpuTrackNews));
    GstStructure *counts = gst_structure_new_empty ("counts");

    for (guint i = 0; i < 8; i++) {
      const GstMgpuTrackPosition position = { i * 5 % 8 / 7.0, i / 7.0, 1.5,
        i * GST_SECOND, 1, GST_SECOND
      };
      GstStructure *list;

      gst_mgpu_track_places_visit (places, visits, &position, news);
      list = gst_mgpu_track_places_list (places, visits, i * GST_SECOND);
      g_clear_pointer (&list, gst_structure_free);
    }
    gst_mgpu_track_places_end (places, visits, 9 * GST_SECOND, news);
    gst_mgpu_track_places_tell (places, counts);
    gst_structure_free (counts);
    g_array_unref (news);
    g_free (visits);
    gst_mgpu_track_places_free (places);
  }
  fuzz_check_text (ok, error);
}

int
LLVMFuzzerTestOneInput (const uint8_t * data, size_t size)
{
  gchar *text;

  if (size == 0)
    return 0;
  text = fuzz_string (data + 1, size - 1);
  switch (data[0]) {
    case 'n':
      try_name (text);
      break;
    case 't':
      gst_mgpu_mask_has_type (text, "person");
      break;
    case 'r':
      try_rectangles (text);
      break;
    case 'p':
      try_polygons (text);
      break;
    case 'l':
      try_places (text, NULL, NULL);
      break;
    case 'z':
      try_places (NULL, text, NULL);
      try_places (NULL, NULL, text);
      break;
    default:
      break;
  }
  g_free (text);
  return 0;
}
