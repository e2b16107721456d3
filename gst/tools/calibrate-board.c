/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Describes the boards that gst-mgpu-calibrate accepts: chessboards, and flat boards of tags. */
#include "calibrate.h"

#include <gio/gio.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Largest number of columns and rows, and sizes in meters */
#define MAX_SIDE 100
#define MIN_SIZE 1e-4
#define MAX_SIZE 100

/* Largest distance of a corner from the plane of a board, relative to the side of its first tag */
#define MAX_HEIGHT 0.05

/* Minimum number of tags of the board that a frame has to show */
#define MIN_TAGS 6

static gboolean
fail (GError ** error, const gchar * text)
{
  g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, text);
  return FALSE;
}

static gdouble
dot (const gdouble * a, const gdouble * b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Sets @axis to the unit vector in the direction from @from to @to, without its component
 * along @other. */
static void
set_axis (gdouble axis[3], const gdouble * from, const gdouble * to,
    const gdouble * other)
{
  gdouble length;

  for (guint i = 0; i < 3; i++)
    axis[i] = to[i] - from[i];
  if (other != NULL) {
    gdouble along = dot (axis, other);

    for (guint i = 0; i < 3; i++)
      axis[i] -= along * other[i];
  }
  length = sqrt (dot (axis, axis));
  for (guint i = 0; i < 3; i++)
    axis[i] /= length;
}

/* Makes the corners of the board lie in the plane z = 0, whose axes are the axes of its first tag.
 * Returns: FALSE if the board is not flat */
static gboolean
flatten (MgpuBoard * board)
{
  gdouble x[3], y[3], z[3], first[12], size;

  memcpy (first, board->tags[0].points, sizeof (first));
  set_axis (x, first, first + 3, NULL);
  set_axis (y, first, first + 9, x);
  for (guint i = 0; i < 3; i++)
    z[i] = x[(i + 1) % 3] * y[(i + 2) % 3] - x[(i + 2) % 3] * y[(i + 1) % 3];
  size = hypot (hypot (first[3] - first[0], first[4] - first[1]),
      first[5] - first[2]);
  for (guint i = 0; i < board->n_tags; i++)
    for (guint k = 0; k < 12; k += 3) {
      gdouble *p = board->tags[i].points + k;
      const gdouble from[3] =
          { p[0] - first[0], p[1] - first[1], p[2] - first[2] };

      p[0] = dot (from, x);
      p[1] = dot (from, y);
      p[2] = 0;
      if (fabs (dot (from, z)) > MAX_HEIGHT * size)
        return FALSE;
    }
  return TRUE;
}

/* Reads FAMILY:COLUMNSxROWS:SIZE:GAP. Returns: FALSE if @text is something else */
static gboolean
read_short (CalibrateBoard * self, const gchar * text)
{
  g_auto (GStrv) words = g_strsplit (text, ":", 5);
  gint columns, rows;
  gdouble size, gap;
  gchar after, *end;

  if (g_strv_length (words) != 4 || sscanf (words[1], "%dx%d%c", &columns,
          &rows, &after) != 2 || columns < 1 || rows < 1 || columns > MAX_SIDE
      || rows > MAX_SIDE)
    return FALSE;
  size = g_ascii_strtod (words[2], &end);
  if (*end != '\0' || !(size >= MIN_SIZE && size <= MAX_SIZE))
    return FALSE;
  gap = g_ascii_strtod (words[3], &end);
  if (*end != '\0' || !(gap >= 0 && gap <= MAX_SIZE))
    return FALSE;
  self->families = g_strdup (words[0]);
  self->tags = mgpu_board_new_grid (columns, rows, size, gap / size, 0);
  return TRUE;
}

static gboolean
read_chessboard (CalibrateBoard * self, const gchar * text)
{
  gchar after;

  return sscanf (text, "%dx%d%c", &self->columns, &self->rows, &after) == 2
      && self->columns >= 2 && self->rows >= 2 && self->columns <= MAX_SIDE
      && self->rows <= MAX_SIDE;
}

gboolean
calibrate_board_init (CalibrateBoard * self, const gchar * text, gdouble square,
    GError ** error)
{
  *self = (CalibrateBoard) {
  .square = square};
  if (read_chessboard (self, text))
    return TRUE;
  if (!read_short (self, text)) {
    if (!g_file_test (text, G_FILE_TEST_IS_REGULAR))
      return fail (error, "--board is the number of inner corners of a "
          "chessboard, as in 9x6, tags with their size and gap in meters, as in "
          "tag36h11:6x6:0.03:0.009, or a YAML file of tags");
    self->tags = mgpu_board_load (text, error);
    if (self->tags == NULL)
      return FALSE;
    /* Also allows tags with borders of two cells, because Kalibr prints such borders. */
    self->families = g_strdup (self->tags->family != NULL
        ? self->tags->family : "tag36h11,tag36h11b2");
  }
  if (self->tags->n_tags < MIN_TAGS)
    return fail (error, "--board: a board needs at least 6 tags");
  return flatten (self->tags)
      || fail (error, "--board: the corners of the tags do not lie in a plane");
}

void
calibrate_board_clear (CalibrateBoard * self)
{
  g_clear_pointer (&self->tags, mgpu_board_free);
  g_clear_pointer (&self->families, g_free);
}

/* Tells whether the tag @i of @meta occurs only once in the frame. */
static gboolean
is_single (GstMgpuTagMeta * meta, guint i, const GstMgpuTag * tag)
{
  GstMgpuTag other;

  for (guint k = 0; gst_mgpu_tag_meta_get_tag (meta, k, &other); k++)
    if (k != i && other.id == tag->id)
      return FALSE;
  return TRUE;
}

guint
calibrate_board_find_tags (const CalibrateBoard * self, GstBuffer * buffer,
    GArray * points)
{
  GstMgpuTagMeta *meta = gst_buffer_get_mgpu_tag_meta (buffer);
  guint n = 0;
  GstMgpuTag tag;

  for (guint i = 0; meta != NULL && gst_mgpu_tag_meta_get_tag (meta, i, &tag);
      i++) {
    const MgpuBoardTag *known = mgpu_board_find (self->tags, tag.family,
        tag.id);
    const gdouble *corners = gst_mgpu_tag_meta_get_corners (meta, i);

    if (known == NULL || !is_single (meta, i, &tag))
      continue;
    n++;
    for (guint k = 0; k < 4; k++) {
      /* Subtracts half a pixel, because the center of the first pixel is (0.5, 0.5) in the meta. */
      const CalibratePoint point = { {known->points[3 * k],
          known->points[3 * k + 1]}, {corners[2 * k] - 0.5,
          corners[2 * k + 1] - 0.5}, {0, 0}
      };

      g_array_append_val (points, point);
    }
  }
  if (n < MIN_TAGS)
    g_array_set_size (points, 0);
  return n;
}

void
calibrate_board_add_corners (const CalibrateBoard * self,
    const gdouble * corners, GArray * points)
{
  for (gint i = 0; i < self->columns * self->rows; i++) {
    const CalibratePoint point = { {self->square * (i % self->columns),
        self->square * (i / self->columns)}, {corners[2 * i],
        corners[2 * i + 1]}, {0, 0}
    };

    g_array_append_val (points, point);
  }
}
