/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Measures the coverage of views of a board: parts of the picture, tilts and sizes. */
#include "calibrate.h"

#include <math.h>
#include <string.h>

/* Angle between the normal of a board and the line of sight from which the board counts as
 * tilted: the cosine of 15 degrees */
#define TILTED 0.9659

/* Fractions of the picture's width or height from which a board has medium size, and is near */
#define MEDIUM 0.35
#define NEAR 0.6

/* Minimum numbers of tilts (of 5), of sizes (of 3) and of views that end a capture */
#define ENOUGH_TILTS 4
#define ENOUGH_SIZES 2
#define ENOUGH_VIEWS 12

/* Minimum difference between two views: a distance as a fraction of the width, or an angle, as
 * the cosine of 10 degrees */
#define MOVED 0.04
#define TURNED 0.9848

static const gchar *const tilts[] = {
  "flat", "left edge near", "right edge near", "upper edge near",
  "lower edge near"
};

static const gchar *const sizes[] = { "far", "medium", "near" };

/* Returns: the index in @tilts of the tilt of @view */
static guint
find_tilt (const CalibrateView * view)
{
  gdouble normal[3], middle[3], along = 0, length = 0, x, y;

  calibrate_get_normal (view, normal, middle);
  for (guint i = 0; i < 3; i++) {
    along += normal[i] * middle[i];
    length += middle[i] * middle[i];
  }
  along /= sqrt (length);
  if (!(along < TILTED))
    return 0;
  /* If the normal points to the right, the right edge of the board is near. */
  x = normal[0] - along * middle[0] / sqrt (length);
  y = normal[1] - along * middle[1] / sqrt (length);
  if (fabs (x) > fabs (y))
    return x < 0 ? 1 : 2;
  return y < 0 ? 3 : 4;
}

void
calibrate_cover_add (CalibrateCover * self, const CalibrateView * view,
    gint width, gint height)
{
  gdouble low[2] = { INFINITY, INFINITY }, high[2] =
      { -INFINITY, -INFINITY }, size;

  for (guint i = 0; i < view->points->len; i++) {
    const gdouble *place =
        g_array_index (view->points, CalibratePoint, i).place;
    gint column = floor ((place[0] + 0.5) * CALIBRATE_COLUMNS / width);
    gint row = floor ((place[1] + 0.5) * CALIBRATE_ROWS / height);

    for (guint k = 0; k < 2; k++) {
      low[k] = MIN (low[k], place[k]);
      high[k] = MAX (high[k], place[k]);
    }
    if (column >= 0 && column < CALIBRATE_COLUMNS && row >= 0
        && row < CALIBRATE_ROWS)
      self->cells[row][column] = TRUE;
  }
  size = MAX ((high[0] - low[0]) / width, (high[1] - low[1]) / height);
  self->sizes[size >= NEAR ? 2 : size >= MEDIUM] = TRUE;
  self->tilts[find_tilt (view)] = TRUE;
  self->n_views++;
}

static guint
count (const gboolean * seen, guint n)
{
  guint sum = 0;

  for (guint i = 0; i < n; i++)
    sum += seen[i];
  return sum;
}

guint
calibrate_cover_count_tilts (const CalibrateCover * self)
{
  return count (self->tilts, G_N_ELEMENTS (tilts));
}

static guint
count_sizes (const CalibrateCover * self)
{
  return count (self->sizes, G_N_ELEMENTS (sizes));
}

guint
calibrate_cover_get_percent (const CalibrateCover * self)
{
  return count (self->cells[0], CALIBRATE_ROWS * CALIBRATE_COLUMNS) * 100
      / (CALIBRATE_ROWS * CALIBRATE_COLUMNS);
}

/* Returns: the number of cells, tilts and sizes that were seen */
static guint
count_all (const CalibrateCover * self)
{
  return count (self->cells[0], CALIBRATE_ROWS * CALIBRATE_COLUMNS)
      + calibrate_cover_count_tilts (self) + count_sizes (self);
}

gboolean
calibrate_cover_gains (const CalibrateCover * self, const CalibrateView * view,
    gint width, gint height)
{
  CalibrateCover next = *self;

  calibrate_cover_add (&next, view, width, height);
  return count_all (&next) > count_all (self);
}

gboolean
calibrate_cover_is_enough (const CalibrateCover * self, guint percent)
{
  return self->n_views >= ENOUGH_VIEWS
      && calibrate_cover_get_percent (self) >= percent
      && calibrate_cover_count_tilts (self) >= ENOUGH_TILTS
      && count_sizes (self) >= ENOUGH_SIZES;
}

/* Returns: the ninth of the picture (0 to 8, row by row) with the most cells that were not seen; -1
 * if all cells were seen */
static gint
find_unseen (const CalibrateCover * self)
{
  guint n[9] = { 0 };
  gint most = 0;

  for (guint i = 0; i < CALIBRATE_ROWS * CALIBRATE_COLUMNS; i++) {
    guint row = i / CALIBRATE_COLUMNS, column = i % CALIBRATE_COLUMNS;

    n[row * 3 / CALIBRATE_ROWS * 3 + column * 3 / CALIBRATE_COLUMNS] +=
        !self->cells[row][column];
  }
  for (gint i = 1; i < 9; i++)
    if (n[i] > n[most])
      most = i;
  return n[most] > 0 ? most : -1;
}

gchar *
calibrate_cover_advise (const CalibrateCover * self, guint percent,
    gint * third)
{
  static const gchar *const thirds[] = {
    "in the upper left corner", "at the upper edge",
    "in the upper right corner", "at the left edge", "in the middle",
    "at the right edge", "in the lower left corner", "at the lower edge",
    "in the lower right corner"
  };

  *third = -1;
  if (calibrate_cover_get_percent (self) < percent) {
    *third = find_unseen (self);
    return g_strdup_printf ("show the board %s of the image", thirds[*third]);
  }
  for (guint i = 1; calibrate_cover_count_tilts (self) < ENOUGH_TILTS
      && i < G_N_ELEMENTS (tilts); i++)
    if (!self->tilts[i])
      return g_strdup_printf ("tilt the board: %s", tilts[i]);
  if (count_sizes (self) < ENOUGH_SIZES)
    return g_strdup_printf ("hold the board %s", self->sizes[2] ? "farther away"
        : "nearer to the camera");
  return g_strdup ("hold the board in other positions");
}

static void
add_names (GString * text, const gchar * what, const gchar * const *names,
    const gboolean * seen, guint n)
{
  const gchar *comma = "";

  g_string_append_printf (text, "%s: ", what);
  for (guint i = 0; i < n; i++)
    if (seen[i]) {
      g_string_append_printf (text, "%s%s", comma, names[i]);
      comma = ", ";
    }
  g_string_append_c (text, '\n');
}

gchar *
calibrate_cover_format (const CalibrateCover * self)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%u views show the board in %u %% of the image "
      "area, with %u of 5 tilts and %u of 3 sizes\n", self->n_views,
      calibrate_cover_get_percent (self), calibrate_cover_count_tilts (self),
      count_sizes (self));
  for (guint row = 0; row < CALIBRATE_ROWS; row++) {
    for (guint column = 0; column < CALIBRATE_COLUMNS; column++)
      g_string_append (text, self->cells[row][column] ? " #" : " .");
    g_string_append_c (text, '\n');
  }
  add_names (text, "tilts", tilts, self->tilts, G_N_ELEMENTS (tilts));
  add_names (text, "sizes", sizes, self->sizes, G_N_ELEMENTS (sizes));
  return g_string_free (text, FALSE);
}

/* Returns: the mean distance of the points that both views have; infinity if there is none */
static gdouble
find_distance (const CalibrateView * a, const CalibrateView * b)
{
  gdouble sum = 0;
  guint n = 0;

  for (guint i = 0; i < a->points->len; i++) {
    const CalibratePoint *p = &g_array_index (a->points, CalibratePoint, i);

    for (guint k = 0; k < b->points->len; k++) {
      const CalibratePoint *q = &g_array_index (b->points, CalibratePoint, k);

      if (p->board[0] != q->board[0] || p->board[1] != q->board[1])
        continue;
      sum += hypot (p->place[0] - q->place[0], p->place[1] - q->place[1]);
      n++;
    }
  }
  return n > 0 ? sum / n : INFINITY;
}

gboolean
calibrate_view_is_still (const CalibrateView * view, const CalibrateView * last,
    gint width)
{
  return find_distance (view, last) < MAX (1, width / 1000.0);
}

gboolean
calibrate_view_is_new (const CalibrateView * view, const GPtrArray * views,
    gint width)
{
  for (guint i = 0; i < views->len; i++) {
    const CalibrateView *other = g_ptr_array_index (views, i);
    gdouble a[3], b[3], middle[3];

    calibrate_get_normal (view, a, middle);
    calibrate_get_normal (other, b, middle);
    if (find_distance (view, other) <= MOVED * width
        && a[0] * b[0] + a[1] * b[1] + a[2] * b[2] >= TURNED)
      return FALSE;
  }
  return TRUE;
}
