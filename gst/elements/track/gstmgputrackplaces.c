/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Counts the objects that cross lines or are inside zones, for mgputrack. */
#include "gstmgputrackplaces.h"

#include <math.h>

#include <string.h>

/* Describes a line by its two end points, or a zone by the corners of its polygon. Counts
 * the objects there. */
typedef struct
{
  gchar *name;
  GArray *points;               /* array of gdouble: x and y of each point, alternately,
                                 * as fractions of the frame's width and height; of a circle, x and
                                 * y of the center, and the radius as a fraction of the height */
  gboolean is_circle;
  guint64 in, out;
} Place;

struct _GstMgpuTrackPlaces
{
  GPtrArray *lines, *zones;     /* arrays of Place: the lines (@lines) and the zones
                                 * (@zones) */
};

/* Number of corners of the outline of a circle */
#define N_CORNERS 48

/* Properties that describe lines and zones; the property determines which kind a text describes */
typedef enum
{
  LINE,
  ZONE,
  CIRCLE
} Kind;

#define POINT(place, i) g_array_index ((place)->points, gdouble, i)

static void
place_free (gpointer data)
{
  Place *place = data;

  g_free (place->name);
  g_array_unref (place->points);
  g_free (place);
}

/* --- Parsing text --- */

/* Returns: whether @name can be a part of a field name of a GstStructure: it consists of
 * letters, digits, "-" and "_", and begins with a letter */
static gboolean
is_name (const gchar * name)
{
  return g_ascii_isalpha (name[0])
      && strspn (name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
      "0123456789-_") == strlen (name);
}

static gboolean
has_place (const GstMgpuTrackPlaces * self, const gchar * name)
{
  const GPtrArray *const lists[] = { self->lines, self->zones };

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    for (guint j = 0; j < lists[i]->len; j++)
      if (g_str_equal (((const Place *) lists[i]->pdata[j])->name, name))
        return TRUE;
  return FALSE;
}

/* Appends the numbers in @text to the array @points. Returns: NULL on success, otherwise a text
 * that describes the error in @text */
static const gchar *
read_points (const gchar * text, GArray * points)
{
  gchar **numbers = g_strsplit (text, ",", -1);
  const gchar *wrong = NULL;

  for (guint i = 0; numbers[i] != NULL && wrong == NULL; i++) {
    gchar *number = g_strstrip (numbers[i]), *end;
    gdouble value = g_ascii_strtod (number, &end);

    if (end == number || *end != '\0')
      wrong = "contains something that is not a number";
    else if (!(value >= 0 && value <= 1))
      wrong =
          "has a number outside 0 to 1: points are given as fractions of the "
          "frame's width and height, not in pixels";
    else
      g_array_append_val (points, value);
  }
  g_strfreev (numbers);
  return wrong;
}

/* Returns: NULL if @place, a line or zone, is valid, otherwise a text that describes the error */
static const gchar *
check_place (const GstMgpuTrackPlaces * self, const Place * place, Kind kind)
{
  gboolean is_line = kind == LINE;

  guint n = place->points->len;

  if (!is_name (place->name))
    return "has no valid name: it has to begin with a letter, and consist of "
        "letters, digits, - and _";
  if (has_place (self, place->name))
    return "has the same name as an earlier line or zone";
  if (is_line && n != 4)
    return "does not have four numbers: the x and y of two points";
  if (kind == CIRCLE && (n != 3 || POINT (place, 2) <= 0))
    return
        "does not have three numbers: the x and y of the center, and a radius "
        "above 0";
  if (kind == ZONE && (n < 6 || n % 2 != 0))
    return "does not have six numbers or more: the x and y of each corner";
  if (is_line && POINT (place, 0) == POINT (place, 2)
      && POINT (place, 1) == POINT (place, 3))
    return "ends where it begins";
  return NULL;
}

/* Reads @text, which describes one line or zone. Returns: NULL on success, otherwise a text that
 * describes the error in @text */
static const gchar *
read_place (GstMgpuTrackPlaces * self, const gchar * text, Kind kind)
{
  const gchar *colon = strchr (text, ':');
  const gchar *wrong;
  Place *place;

  if (colon == NULL)
    return "has no colon between its name and its points";
  place = g_new0 (Place, 1);
  place->name = g_strstrip (g_strndup (text, colon - text));
  place->is_circle = kind == CIRCLE;
  place->points = g_array_new (FALSE, FALSE, sizeof (gdouble));
  wrong = read_points (colon + 1, place->points);
  if (wrong == NULL)
    wrong = check_place (self, place, kind);
  if (wrong == NULL)
    g_ptr_array_add (kind == LINE ? self->lines : self->zones, place);
  else
    place_free (place);
  return wrong;
}

static gboolean
read_places (GstMgpuTrackPlaces * self, const gchar * text, Kind kind,
    GError ** error)
{
  static const gchar *const properties[] = { "lines", "zones", "circles" };
  static const gchar *const examples[] = { "door:0.2,0.5,0.8,0.5",
    "yard:0.1,0.1,0.5,0.1,0.5,0.9", "table:0.5,0.5,0.2"
  };
  gchar **parts = g_strsplit (text != NULL ? text : "", ";", -1);
  const gchar *wrong = NULL;

  for (guint i = 0; parts[i] != NULL && wrong == NULL; i++) {
    const gchar *part = g_strstrip (parts[i]);

    if (part[0] == '\0')
      continue;
    wrong = read_place (self, part, kind);
    if (wrong != NULL)
      g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
          "\"%s\" of the property \"%s\" %s; write \"%s\"", part,
          properties[kind], wrong, examples[kind]);
  }
  g_strfreev (parts);
  return wrong == NULL;
}

GstMgpuTrackPlaces *
gst_mgpu_track_places_new (const gchar * lines, const gchar * zones,
    const gchar * circles, GError ** error)
{
  GstMgpuTrackPlaces *self = g_new (GstMgpuTrackPlaces, 1);

  self->lines = g_ptr_array_new_with_free_func (place_free);
  self->zones = g_ptr_array_new_with_free_func (place_free);
  if (!read_places (self, lines, LINE, error)
      || !read_places (self, zones, ZONE, error)
      || !read_places (self, circles, CIRCLE, error))
    g_clear_pointer (&self, gst_mgpu_track_places_free);
  return self;
}

void
gst_mgpu_track_places_free (GstMgpuTrackPlaces * self)
{
  g_ptr_array_unref (self->lines);
  g_ptr_array_unref (self->zones);
  g_free (self);
}

guint
gst_mgpu_track_places_get_n (const GstMgpuTrackPlaces * self)
{
  return self->lines->len + self->zones->len;
}

/* --- Updating lines and zones --- */

/* Returns: a positive number if the point (x, y) is right of the line from (x0, y0) to (x1,
 * y1), as seen in that direction; a negative number if the point is left of the line */
static gdouble
get_side (gdouble x0, gdouble y0, gdouble x1, gdouble y1, gdouble x, gdouble y)
{
  return (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0);
}

static gint
get_line_side (const Place * line, gdouble x, gdouble y)
{
  gdouble side = get_side (POINT (line, 0), POINT (line, 1), POINT (line, 2),
      POINT (line, 3), x, y);

  return (side > 0) - (side < 0);
}

/* Returns: 1 if the point (x, y) is inside the zone's polygon or circle, -1 if it is outside */
static gint
get_zone_side (const Place * zone, gdouble x, gdouble y, gdouble aspect)
{
  guint n = zone->points->len;
  gint side = -1;

  if (zone->is_circle) {
    gdouble dx = (x - POINT (zone, 0)) * aspect, dy = y - POINT (zone, 1);

    return dx * dx + dy * dy <= POINT (zone, 2) * POINT (zone, 2) ? 1 : -1;
  }

  for (guint i = 0; i < n; i += 2) {
    gdouble x0 = POINT (zone, i), y0 = POINT (zone, i + 1);
    gdouble x1 = POINT (zone, (i + 2) % n), y1 = POINT (zone, (i + 3) % n);

    /* Even-odd rule: changes the side for each edge of the polygon that a horizontal ray
     * from (x, y) to the right crosses. */
    if ((y0 > y) != (y1 > y) && x < x0 + (x1 - x0) * (y - y0) / (y1 - y0))
      side = -side;
  }
  return side;
}

/* Returns: whether the object of @visit crossed @line between its two end points when it
 * changed sides, and not beyond them */
static gboolean
passes_line (const Place * line, const GstMgpuTrackVisit * visit)
{
  gdouble a = get_side (visit->x, visit->y, visit->other_x, visit->other_y,
      POINT (line, 0), POINT (line, 1));
  gdouble b = get_side (visit->x, visit->y, visit->other_x, visit->other_y,
      POINT (line, 2), POINT (line, 3));

  return (a <= 0 && b >= 0) || (a >= 0 && b <= 0);
}

/* Updates @visit, the state of an object at a line or zone, for the new position (x, y) of
 * the object, which is on the side @side. Returns: whether the object has changed to that
 * side */
static gboolean
change_side (GstMgpuTrackVisit * visit, gint side, gdouble x, gdouble y,
    guint side_frames)
{
  if (side == 0 || side == visit->side) {
    /* An object that is exactly on the line counts as being on the side where it was
     * before. */
    visit->n_other = 0;
    visit->x = x;
    visit->y = y;
    return FALSE;
  }
  if (visit->n_other == 0) {
    visit->other_x = x;
    visit->other_y = y;
  }
  return ++visit->n_other >= side_frames;
}

static void
settle (GstMgpuTrackVisit * visit, gint side, gdouble x, gdouble y)
{
  visit->side = side;
  visit->n_other = 0;
  visit->x = x;
  visit->y = y;
}

static void
add_news (Place * place, GstMgpuTrackDeed deed, GstClockTime dwell,
    GArray * news)
{
  GstMgpuTrackNews item = { deed, place->name, 0, 0, dwell };

  if (deed == GST_MGPU_TRACK_CROSSED_IN || deed == GST_MGPU_TRACK_ENTERED)
    place->in++;
  else if (deed != GST_MGPU_TRACK_STAYED)
    place->out++;
  item.in = place->in;
  item.out = place->out;
  g_array_append_val (news, item);
}

/* Returns: the time, in ns, for which the object of @visit has been in the zone at @time;
 * GST_CLOCK_TIME_NONE if unknown */
static GstClockTime
get_dwell (const GstMgpuTrackVisit * visit, GstClockTime time)
{
  return GST_CLOCK_TIME_IS_VALID (time)
      && GST_CLOCK_TIME_IS_VALID (visit->since) && time >= visit->since
      ? time - visit->since : GST_CLOCK_TIME_NONE;
}

/* Updates the state of an object at a zone. */
static void
visit_zone (Place * zone, GstMgpuTrackVisit * visit,
    const GstMgpuTrackPosition * at, GArray * news)
{
  gint side = get_zone_side (zone, at->x, at->y, at->aspect);
  GstClockTime dwell = get_dwell (visit, at->time);

  if (change_side (visit, side, at->x, at->y, at->side_frames)) {
    if (side > 0) {
      add_news (zone, GST_MGPU_TRACK_ENTERED, GST_CLOCK_TIME_NONE, news);
      visit->since = at->time;
      visit->has_stayed = FALSE;
    } else if (visit->side > 0) {
      add_news (zone, GST_MGPU_TRACK_LEFT, dwell, news);
    }
    settle (visit, side, at->x, at->y);
  } else if (visit->side > 0 && !visit->has_stayed && at->dwell_time > 0
      && GST_CLOCK_TIME_IS_VALID (dwell) && dwell >= at->dwell_time) {
    add_news (zone, GST_MGPU_TRACK_STAYED, dwell, news);
    visit->has_stayed = TRUE;
  }
}

void
gst_mgpu_track_places_visit (GstMgpuTrackPlaces * self,
    GstMgpuTrackVisit * visits, const GstMgpuTrackPosition * at, GArray * news)
{
  for (guint i = 0; i < self->lines->len; i++, visits++) {
    Place *line = self->lines->pdata[i];
    gint side = get_line_side (line, at->x, at->y);

    if (!change_side (visits, side, at->x, at->y, at->side_frames))
      continue;
    if (visits->side != 0 && passes_line (line, visits))
      add_news (line, side > 0 ? GST_MGPU_TRACK_CROSSED_IN
          : GST_MGPU_TRACK_CROSSED_OUT, GST_CLOCK_TIME_NONE, news);
    settle (visits, side, at->x, at->y);
  }
  for (guint i = 0; i < self->zones->len; i++, visits++)
    visit_zone (self->zones->pdata[i], visits, at, news);
}

GstStructure *
gst_mgpu_track_places_list (const GstMgpuTrackPlaces * self,
    const GstMgpuTrackVisit * visits, GstClockTime time)
{
  GstStructure *list = NULL;

  for (guint i = 0; i < self->zones->len; i++) {
    const GstMgpuTrackVisit *visit = &visits[self->lines->len + i];
    const Place *zone = self->zones->pdata[i];

    if (visit->side <= 0)
      continue;
    if (list == NULL)
      list = gst_structure_new_empty ("zones");
    gst_structure_set (list, zone->name, GST_TYPE_CLOCK_TIME,
        get_dwell (visit, time), NULL);
  }
  return list;
}

/* Returns: (transfer full): the points of the outline of @place; for a zone, the first point is
 * repeated at the end */
static GArray *
get_outline (const Place * place, gdouble aspect, gboolean is_zone)
{
  GArray *points = g_array_new (FALSE, FALSE, sizeof (gdouble));

  if (!place->is_circle)
    g_array_append_vals (points, place->points->data, place->points->len);
  for (guint i = 0; i < N_CORNERS && place->is_circle; i++) {
    gdouble angle = 2 * G_PI * i / N_CORNERS, radius = POINT (place, 2);
    const gdouble point[2] = {
      POINT (place, 0) + radius * cos (angle) / aspect,
      POINT (place, 1) + radius * sin (angle)
    };

    g_array_append_vals (points, point, 2);
  }
  for (guint i = 0; i < 2 && is_zone; i++) {
    gdouble value = g_array_index (points, gdouble, i);

    g_array_append_val (points, value);
  }
  return points;
}

void
gst_mgpu_track_places_outline (const GstMgpuTrackPlaces * self,
    gdouble aspect, GstStructure * outlines)
{
  const GPtrArray *const lists[] = { self->lines, self->zones };

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    for (guint j = 0; j < lists[i]->len; j++) {
      const Place *place = lists[i]->pdata[j];
      GArray *points = get_outline (place, aspect, i == 1);
      GBytes *bytes = g_bytes_new (points->data,
          points->len * sizeof (gdouble));

      gst_structure_set (outlines, place->name, G_TYPE_BYTES, bytes, NULL);
      g_bytes_unref (bytes);
      g_array_unref (points);
    }
}

void
gst_mgpu_track_places_end (GstMgpuTrackPlaces * self,
    GstMgpuTrackVisit * visits, GstClockTime time, GArray * news)
{
  for (guint i = 0; i < self->zones->len; i++) {
    const GstMgpuTrackVisit *visit = &visits[self->lines->len + i];

    if (visit->side > 0)
      add_news (self->zones->pdata[i], GST_MGPU_TRACK_LEFT,
          get_dwell (visit, time), news);
  }
}

void
gst_mgpu_track_places_reset (GstMgpuTrackPlaces * self)
{
  GPtrArray *const lists[] = { self->lines, self->zones };

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    for (guint j = 0; j < lists[i]->len; j++) {
      Place *place = lists[i]->pdata[j];

      place->in = place->out = 0;
    }
}

static void
tell_number (GstStructure * counts, const Place * place, const gchar * what,
    guint64 number)
{
  g_autofree gchar *field = g_strdup_printf ("%s-%s", place->name, what);

  gst_structure_set (counts, field, G_TYPE_UINT64, number, NULL);
}

static void
tell_places (const GPtrArray * places, gboolean is_zone, GstStructure * counts)
{
  for (guint i = 0; i < places->len; i++) {
    const Place *place = places->pdata[i];

    tell_number (counts, place, "in", place->in);
    tell_number (counts, place, "out", place->out);
    if (is_zone)
      tell_number (counts, place, "inside", place->in - place->out);
  }
}

void
gst_mgpu_track_places_tell (const GstMgpuTrackPlaces * self,
    GstStructure * counts)
{
  tell_places (self->lines, FALSE, counts);
  tell_places (self->zones, TRUE, counts);
}
