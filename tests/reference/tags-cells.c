/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reference implementation of tag detection: the equations for the homography of a tag, from the
 * edges between its cells. */
#include "tags-private.h"

#include <string.h>

#define UNKNOWN 2

/* Colors of a tag's cells, from the first cell before the border on */
typedef struct
{
  int n, width, offset;         /* see Cells of tags-read.c */
  uint8_t colours[16][16];
} Layout;

/* Normal equations: products of the 8 derivatives and the distance */
typedef struct
{
  int64_t products[9][9];
  int n_used, n_tried;
} Equations;

static void
draw_tag (Layout * layout, const RefTagsFamily * family, uint64_t code,
    int is_inverted)
{
  int n = family->border, border = family->is_white != is_inverted;

  layout->n = n;
  layout->width = family->width > n + 2 ? family->width : n + 2;
  layout->offset = (layout->width - n) / 2;
  memset (layout->colours, UNKNOWN, sizeof (layout->colours));
  for (int y = -1; y <= n; y++)
    for (int x = -1; x <= n; x++) {
      int depth = x < y ? x : y;

      depth = n - 1 - x < depth ? n - 1 - x : depth;
      depth = n - 1 - y < depth ? n - 1 - y : depth;
      if (depth <= 0)
        layout->colours[y + layout->offset][x + layout->offset] =
            depth == 0 ? border : !border;
    }
  for (int i = 0; i < family->n_bits; i++) {
    int bit = code >> (family->n_bits - 1 - i) & 1;

    layout->colours[family->y[i] + layout->offset][family->x[i]
        + layout->offset] = bit != is_inverted;
  }
}

/* Measures the edge at (@u, @v) between cells that follow each other in the direction of u or, if
 * @is_down is set, of v. */
static void
add_profile (const RefGray * grey, const float h[8], int ox, int oy,
    const Layout * layout, float u, float v, int is_down, int is_darker,
    int is_again, Equations * equations)
{
  float step = ref_reciprocal (layout->n), edge, moment, row[8];
  float r = inverse (1 + h[6] * u + h[7] * v);
  Point p = ref_tags_project (h, u, v);
  Point du = { (h[0] - p.x * h[6]) * r, (h[3] - p.y * h[6]) * r };
  Point dv = { (h[1] - p.x * h[7]) * r, (h[4] - p.y * h[7]) * r };
  Point along = is_down ? du : dv, other = is_down ? dv : du;
  float scale =
      ref_reciprocal_root (larger (along.x * along.x + along.y * along.y,
          0.0001f));
  float nx = -along.y * scale, ny = along.x * scale;
  float pitch = other.x * nx + other.y * ny;
  float reach = ref_clamp_float (0.4f * fabsf (pitch) * step, 0.5f, 2);
  int steps = reach * 4, x = place (p.x, ox), y = place (p.y, oy), dx, dy;
  int values[21], whole[9];
  int64_t weight;

  if (x < 3 * 1024 || y < 3 * 1024 || x > (grey->width - 4) * 1024
      || y > (grey->height - 4) * 1024)
    return;
  equations->n_tried++;
  nx = pitch < 0 ? -nx : nx;
  ny = pitch < 0 ? -ny : ny;
  dx = round_int (nx * 65536);
  dy = round_int (ny * 65536);
  for (int s = 0; s < 2 * steps + 5; s++)
    values[s] = ref_tags_sample (grey, x + (((s - steps - 2) * dx) >> 8),
        y + (((s - steps - 2) * dy) >> 8));
  edge = 0.25f * ref_tags_edge (values, steps, is_darker ? -1 : 1, &weight);
  if (weight < 64 << 16 || (is_again && (edge > 0.6f || edge < -0.6f)))
    return;
  equations->n_used++;
  moment = nx * p.x + ny * p.y;
  r = r * 4096;
  row[0] = nx * u * r;
  row[1] = nx * v * r;
  row[2] = nx * r;
  row[3] = ny * u * r;
  row[4] = ny * v * r;
  row[5] = ny * r;
  row[6] = -moment * u * r;
  row[7] = -moment * v * r;
  for (int i = 0; i < 8; i++)
    whole[i] = round_int (row[i]);
  whole[8] = round_int (edge * 4096);
  for (int i = 0; i < 9; i++)
    for (int j = 0; j < 9; j++)
      equations->products[i][j] += (int64_t) whole[i] * whole[j];
}

static void
measure (const RefGray * grey, const float h[8], int ox, int oy,
    const Layout * layout, int is_again, Equations * equations)
{
  int n = layout->width;
  float step = ref_reciprocal (layout->n);

  memset (equations, 0, sizeof (*equations));
  for (int is_down = 0; is_down < 2; is_down++)
    for (int x = 1; x < n; x++)
      for (int y = 0; y < n; y++) {
        int a = is_down ? layout->colours[x - 1][y] : layout->colours[y][x - 1];
        int b = is_down ? layout->colours[x][y] : layout->colours[y][x];
        float at = (x - layout->offset) * step - 0.5f;

        for (int k = 0; k < 3 && a != b && a != UNKNOWN && b != UNKNOWN; k++) {
          float along = (y - layout->offset + 0.25f + 0.25f * k) * step - 0.5f;

          add_profile (grey, h, ox, oy, layout, is_down ? along : at,
              is_down ? at : along, is_down, a > b, is_again, equations);
        }
      }
}

/* Solves the normal equations by elimination, with the last two numbers in units of 1 / @size. */
static int
solve (const Equations * equations, float size, float x[8])
{
  float a[8][9], scale = ref_reciprocal (size);
  int ok = 1;

  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 9; j++) {
      /* Scales the products in the upper triangle only, because the matrix is symmetric. */
      int r = i < j ? i : j, c = i < j ? j : i;
      float f = (r >= 6 ? scale : 1) * (c == 6 || c == 7 ? scale : 1);

      a[i][j] = (float) equations->products[r][c] * f;
    }
  for (int i = 0; i < 8; i++) {
    float r = ref_reciprocal (larger (a[i][i], 16));

    ok = ok && a[i][i] > 16;
    for (int j = i + 1; j < 8; j++) {
      float f = a[j][i] * r;

      for (int c = i; c < 9; c++)
        a[j][c] = a[j][c] - f * a[i][c];
    }
  }
  for (int i = 7; i >= 0; i--) {
    float sum = a[i][8];

    for (int c = i + 1; c < 8; c++)
      sum = sum - a[i][c] * x[c];
    x[i] = sum * ref_reciprocal (larger (a[i][i], 16));
  }
  x[6] = x[6] * scale;
  x[7] = x[7] * scale;
  return ok;
}

static int
step_corners (const Equations * equations, const float before[8], Point q[4])
{
  static const float square[4][2] = { {-0.5f, -0.5f}, {0.5f, -0.5f},
  {0.5f, 0.5f}, {-0.5f, 0.5f}
  };
  float h[8], x[8], size = larger (fabsf (before[0]) + fabsf (before[3])
      + fabsf (before[1]) + fabsf (before[4]), 1);

  if (!solve (equations, size, x))
    return 0;
  for (int i = 0; i < 8; i++)
    h[i] = before[i] + x[i];
  for (int i = 0; i < 4; i++) {
    Point p = ref_tags_project (h, square[i][0], square[i][1]);
    float dx = p.x - q[i].x, dy = p.y - q[i].y;

    if (!(dx * dx + dy * dy <= 2.25f))
      return 0;
    q[i] = p;
  }
  return 1;
}

static int
is_enough (const Equations * equations)
{
  return equations->n_used >= 24 && 2 * equations->n_used >= equations->n_tried;
}

void
ref_tags_refine (const RefGray * grey, const RefTagsFamily * family,
    RefTag * tag)
{
  Layout layout;
  Equations equations;
  Point q[4];
  float h[8];
  int ox, oy, corners[8], k = 0;

  draw_tag (&layout, family, family->codes[tag->id], tag->is_inverted);
  ref_tags_load (tag->edges, q, &ox, &oy);
  ref_tags_homography (q, h);
  measure (grey, h, ox, oy, &layout, 0, &equations);
  if (!is_enough (&equations) || !step_corners (&equations, h, q))
    return;
  for (int i = 0; i < 4; i++) {
    corners[2 * i] = store (q[i].x, ox);
    corners[2 * i + 1] = store (q[i].y, oy);
    q[i].x = (corners[2 * i] - ox * 65536) / 65536.0f;
    q[i].y = (corners[2 * i + 1] - oy * 65536) / 65536.0f;
  }
  ref_tags_homography (q, h);
  measure (grey, h, ox, oy, &layout, 1, &equations);
  if (!is_enough (&equations))
    return;
  memcpy (tag->corners, corners, sizeof (corners));
  tag->n_used = equations.n_used;
  tag->n_tried = equations.n_tried;
  for (int i = 0; i < 8; i++) {
    for (int j = i; j < 8; j++)
      tag->normal[k++] = equations.products[i][j];
    tag->right[i] = equations.products[i][8];
  }
  tag->square = equations.products[8][8];
}
