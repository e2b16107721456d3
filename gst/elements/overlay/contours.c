/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Draws the contours of moving pixels, and of the areas in which something moved lately. */
#include "contours.h"

/* Width and height of the squares of the mask whose contour is drawn, in samples */
#define SQUARE 4
/* Color of the contours of moving pixels, as an id of a tracked object */
#define MOTION_ID 1

/* A grid of squares, each marked or unmarked; squares outside the grid count as unmarked */
typedef struct
{
  guint8 *marks;
  gint width, height;
  gdouble step;                 /* width of a square, in samples of the mask */
  gdouble matrix[6];            /* homography from positions in the mask to positions in the
                                 * frame */
} Grid;

static gboolean
is_marked (const Grid * grid, gint x, gint y)
{
  return x >= 0 && y >= 0 && x < grid->width && y < grid->height
      && grid->marks[(gsize) y * grid->width + x];
}

static MgpuOverlayPoint
make_point (const Grid * grid, gint x, gint y)
{
  const gdouble *m = grid->matrix;
  gdouble u = x * grid->step, v = y * grid->step;

  return (MgpuOverlayPoint) {
  m[0] * u + m[1] * v + m[2], m[3] * u + m[4] * v + m[5]};
}

/* Adds the edges between marked and unmarked squares along grid line number @line, a row if @is_row
 * is TRUE. Merges adjacent edges into long lines. */
static void
add_line (const Grid * grid, gint line, gboolean is_row, gint64 id,
    MgpuOverlay * overlay)
{
  gint n = is_row ? grid->width : grid->height, begin = -1;

  for (gint i = 0; i <= n; i++) {
    gboolean before = is_row ? is_marked (grid, i, line - 1)
        : is_marked (grid, line - 1, i);
    gboolean after = is_row ? is_marked (grid, i, line)
        : is_marked (grid, line, i);
    gboolean is_edge = i < n && before != after;

    if (is_edge && begin < 0)
      begin = i;
    if (is_edge || begin < 0)
      continue;
    mgpu_overlay_add_trail (overlay, id, (const MgpuOverlayPoint[]) {
          is_row ? make_point (grid, begin, line)
          : make_point (grid, line, begin), is_row ? make_point (grid, i, line)
          : make_point (grid, line, i)
        }, 2);
    begin = -1;
  }
}

static void
add_contours (const Grid * grid, gint64 id, MgpuOverlay * overlay)
{
  for (gint y = 0; y <= grid->height; y++)
    add_line (grid, y, TRUE, id, overlay);
  for (gint x = 0; x <= grid->width; x++)
    add_line (grid, x, FALSE, id, overlay);
}

void
mgpu_contours_add_motion (GstMgpuMovingMeta * meta, MgpuOverlay * overlay)
{
  guint width, height;
  g_autoptr (GBytes) bytes = gst_mgpu_moving_meta_get_mask (meta, &width,
      &height);
  const guint8 *mask;
  Grid grid;

  if (bytes == NULL)
    return;
  mask = g_bytes_get_data (bytes, NULL);
  grid.width = (width + SQUARE - 1) / SQUARE;
  grid.height = (height + SQUARE - 1) / SQUARE;
  grid.step = SQUARE;
  grid.marks = g_malloc0 ((gsize) grid.width * grid.height);
  gst_mgpu_moving_meta_get_matrix (meta, grid.matrix);
  for (guint y = 0; y < height; y++)
    for (guint x = 0; x < width; x++)
      grid.marks[(gsize) (y / SQUARE) * grid.width + x / SQUARE] |=
          mask[(gsize) y * width + x] == 255;
  add_contours (&grid, MOTION_ID, overlay);
  g_free (grid.marks);
}

void
mgpu_contours_add_heat (GstMgpuMovingMeta * meta, MgpuOverlay * overlay)
{
  /* Compares the heat map with about 256 n, the value of a cell in which something moved in n of
   * the last few hundred frames. */
  static const guint levels[] = { 4 * 256, 32 * 256, 128 * 256 };
  guint width, height, step;
  g_autoptr (GBytes) bytes = gst_mgpu_moving_meta_get_heat (meta, &width,
      &height, &step);
  const guint16 *heat;
  Grid grid;

  if (bytes == NULL)
    return;
  heat = g_bytes_get_data (bytes, NULL);
  grid.width = width;
  grid.height = height;
  grid.step = step;
  grid.marks = g_malloc0 ((gsize) width * height);
  gst_mgpu_moving_meta_get_matrix (meta, grid.matrix);
  for (guint i = 0; i < G_N_ELEMENTS (levels); i++) {
    for (gsize k = 0; k < (gsize) width * height; k++)
      grid.marks[k] = heat[k] >= levels[i];
    add_contours (&grid, MOTION_ID + 1 + i, overlay);
  }
  g_free (grid.marks);
}
