/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reference implementation of tracking points: see docs/algorithms/tracks.md. */
#include "tracks.h"

#include "flow-private.h"

/* Width and height of the window that is compared around a point */
#define WINDOW 16

#define N_LEVELS 4
#define MAX_STEPS 8

/* Pyramid level in which new points are searched for */
#define POINT_LEVEL 1
#define MIN_SCORE (1500 * 256.0f)

/* Minimum distance of points from the edges of the level */
#define MARGIN 3

/* Returns the sum of the sums of a window's columns, added in a fixed order. */
static float
add_columns (const float c[WINDOW])
{
  float s[WINDOW / 2];

  for (int i = 0; i < 8; i++)
    s[i] = c[i] + c[i + 8];
  for (int i = 0; i < 4; i++)
    s[i] += s[i + 4];
  return (s[0] + s[2]) + (s[1] + s[3]);
}

/* ---- Points ------------------------------------------------------------------------ */

/* Returns the smaller eigenvalue of the structure tensor of the gradients in 5x5 pixels around
 * pixel (@x, @y). */
static float
get_score (const Level * level, int x, int y)
{
  int64_t xx = 0, xy = 0, yy = 0;
  float p, q, r, d;

  for (int j = y - 2; j <= y + 2; j++)
    for (int i = x - 2; i <= x + 2; i++) {
      int gx = 0, gy = 0;

      for (int k = -1; k <= 1; k++) {
        int weight = k == 0 ? 2 : 1;

        gx += weight * (get_word (level, i + 1, j + k)
            - get_word (level, i - 1, j + k));
        gy += weight * (get_word (level, i + k, j + 1)
            - get_word (level, i + k, j - 1));
      }
      xx += (int64_t) gx *gx;
      xy += (int64_t) gx *gy;
      yy += (int64_t) gy *gy;
    }
  p = xx;
  q = xy;
  r = yy;
  d = p - r;
  return 0.5f * ((p + r) - ref_root (fmaf (d, d, 4 * q * q)));
}

static int
is_point (const Level * level, const float *scores, int x, int y)
{
  const float *s = scores + (size_t) y * level->width + x;

  if (x < MARGIN || y < MARGIN || x >= level->width - MARGIN
      || y >= level->height - MARGIN || !(*s > MIN_SCORE))
    return 0;
  for (int j = -1; j <= 1; j++)
    for (int i = -1; i <= 1; i++)
      if (s[j * level->width + i] > *s)
        return 0;
  return 1;
}

/* Finds the point with the highest score in a cell; of equal scores, the first point in the order
 * of rows. */
static int
find_point (const Level * level, const float *scores, int left, int top,
    int cell, RefTrack * track)
{
  float best = 0;

  for (int y = (top + 1) >> 1; y < level->height && 2 * y < top + cell; y++)
    for (int x = (left + 1) >> 1; x < level->width && 2 * x < left + cell; x++)
      if (is_point (level, scores, x, y)
          && scores[(size_t) y * level->width + x] > best) {
        best = scores[(size_t) y * level->width + x];
        track->x = 2 * x + 0.5f;
        track->y = 2 * y + 0.5f;
      }
  track->score = best;
  return best > 0;
}

static int
get_cell (float position, int cell, int n)
{
  int i = (int) position / cell;

  return i < n ? i : n - 1;
}

/* Returns the smallest number from 5/8 @n on that has no common divisor with @n. */
static int
find_step (int n)
{
  int step = (5 * n + 7) / 8;

  for (;; step++) {
    int divisor = 1;

    for (int d = 2; d <= n && divisor == 1; d++)
      if (n % d == 0 && step % d == 0)
        divisor = d;
    if (divisor == 1)
      return step;
  }
}

static int
add_points (const Level levels[N_LEVELS], int cell, int most, RefTracks * self)
{
  const Level *level = &levels[POINT_LEVEL];
  int columns = (levels[0].width + cell - 1) / cell;
  int rows = (levels[0].height + cell - 1) / cell;
  int n = columns * rows, step = find_step (n);
  float *scores =
      malloc ((size_t) level->width * level->height * sizeof (float));
  char *taken = calloc (columns, rows);
  int ok = scores != NULL && taken != NULL;

  for (int y = 0; y < level->height && ok; y++)
    for (int x = 0; x < level->width; x++)
      scores[(size_t) y * level->width + x] = get_score (level, x, y);
  for (int i = 0; i < self->n && ok; i++)
    taken[get_cell (self->tracks[i].y, cell, rows) * columns
        + get_cell (self->tracks[i].x, cell, columns)] = 1;
  for (int k = 0; k < n && ok; k++) {
    RefTrack track = { 0 };
    int i = (int) ((long long) k * step % n);

    if (taken[i] || self->n == most || !find_point (level, scores,
            i % columns * cell, i / columns * cell, cell, &track))
      continue;
    track.old_x = track.x;
    track.old_y = track.y;
    track.id = ++self->last_id;
    self->tracks[self->n++] = track;
  }
  free (scores);
  free (taken);
  return ok;
}

/* ---- Following --------------------------------------------------------------------- */

/* A window of a level at a subpixel position, and values derived from it */
typedef struct
{
  float pixels[WINDOW][WINDOW], gx[WINDOW][WINDOW], gy[WINDOW][WINDOW];
  float mean_gx, mean_gy;
  float i11, i12, i22;          /* inverse of the matrix of a Gauss-Newton step */
} Window;

/* Interpolation weights along one axis: those of the pixel before the nearest one (to the left or
 * above), of the nearest pixel, and of the pixel after it */
typedef struct
{
  int nearest;
  float weights[3];
} Spline;

/* Sets @self to the weights of a quadratic B-spline at @position. */
static void
place_spline (float position, Spline * self)
{
  float nearest = floorf (position + 0.5f), t = position - nearest;
  float a = 0.5f - t, b = 0.5f + t;

  self->nearest = (int) nearest;
  self->weights[0] = 0.5f * a * a;
  self->weights[1] = fmaf (-t, t, 0.75f);
  self->weights[2] = 0.5f * b * b;
}

static float
weigh (const Spline * self, float a, float b, float c)
{
  return fmaf (self->weights[2], c, fmaf (self->weights[1], b,
          self->weights[0] * a));
}

/* Returns the interpolated sample that is @i columns and @j rows from (@x, @y). */
static float
sample_window (const Level * level, const Spline * x, const Spline * y, int i,
    int j)
{
  float rows[3];

  for (int k = 0; k < 3; k++) {
    int row = y->nearest + j + k - 1, column = x->nearest + i;

    rows[k] = weigh (x, get (level, column - 1, row), get (level, column, row),
        get (level, column + 1, row));
  }
  return weigh (y, rows[0], rows[1], rows[2]);
}

/* Samples the window whose first pixel is at (@px, @py). */
static void
cut (const Level * level, float px, float py, Window * w)
{
  float t[WINDOW + 2][WINDOW + 2];
  float sums[5][WINDOW], sx, sy, h11, h12, h22, r;
  Spline left, top;

  place_spline (px, &left);
  place_spline (py, &top);
  for (int j = 0; j < WINDOW + 2; j++)
    for (int i = 0; i < WINDOW + 2; i++)
      t[j][i] = sample_window (level, &left, &top, i - 1, j - 1);
  for (int i = 0; i < WINDOW; i++) {
    float x = 0, y = 0, xx = 0, xy = 0, yy = 0;

    for (int j = 0; j < WINDOW; j++) {
      float gx = ((t[j][i + 2] - t[j][i])
          + 2 * (t[j + 1][i + 2] - t[j + 1][i])
          + (t[j + 2][i + 2] - t[j + 2][i])) * 0.125f;
      float gy = ((t[j + 2][i] - t[j][i])
          + 2 * (t[j + 2][i + 1] - t[j][i + 1])
          + (t[j + 2][i + 2] - t[j][i + 2])) * 0.125f;

      w->pixels[j][i] = t[j + 1][i + 1];
      w->gx[j][i] = gx;
      w->gy[j][i] = gy;
      x += gx;
      y += gy;
      xx = fmaf (gx, gx, xx);
      xy = fmaf (gx, gy, xy);
      yy = fmaf (gy, gy, yy);
    }
    sums[0][i] = x;
    sums[1][i] = y;
    sums[2][i] = xx;
    sums[3][i] = xy;
    sums[4][i] = yy;
  }
  sx = add_columns (sums[0]);
  sy = add_columns (sums[1]);
  w->mean_gx = sx * 0x1p-8f;
  w->mean_gy = sy * 0x1p-8f;
  h11 = fmaf (-w->mean_gx, sx, add_columns (sums[2])) + 64;
  h12 = fmaf (-w->mean_gx, sy, add_columns (sums[3]));
  h22 = fmaf (-w->mean_gy, sy, add_columns (sums[4])) + 64;
  r = ref_reciprocal (fmaf (-h12, h12, h11 * h22));
  w->i11 = h22 * r;
  w->i12 = -h12 * r;
  w->i22 = h11 * r;
}

/* Sets (*@sx, *@sy) to the Gauss-Newton step of a window whose first pixel is moved to (@px,
 * @py). */
static void
get_step (const Level * level, const Window * w, float px, float py, float *sx,
    float *sy)
{
  float sums[3][WINDOW], s, bx, by;
  Spline left, top;

  place_spline (ref_clamp_float (px, -14, level->width - 2), &left);
  place_spline (ref_clamp_float (py, -14, level->height - 2), &top);
  for (int i = 0; i < WINDOW; i++) {
    sums[0][i] = sums[1][i] = sums[2][i] = 0;
    for (int j = 0; j < WINDOW; j++) {
      float d = sample_window (level, &left, &top, i, j) - w->pixels[j][i];

      sums[0][i] += d;
      sums[1][i] = fmaf (d, w->gx[j][i], sums[1][i]);
      sums[2][i] = fmaf (d, w->gy[j][i], sums[2][i]);
    }
  }
  s = add_columns (sums[0]);
  bx = fmaf (-s, w->mean_gx, add_columns (sums[1]));
  by = fmaf (-s, w->mean_gy, add_columns (sums[2]));
  *sx = fmaf (w->i12, by, w->i11 * bx);
  *sy = fmaf (w->i22, by, w->i12 * bx);
}

/* Finds the motion of the window around (@x, @y), beginning with (*@u, *@v). */
static void
follow (const Level from[N_LEVELS], const Level to[N_LEVELS], float x, float y,
    float *u, float *v)
{
  Window window;

  *u *= 0.125f;
  *v *= 0.125f;
  for (int l = N_LEVELS - 1; l >= 0; l--) {
    float scale = ldexpf (1, -l), width = to[l].width, height = to[l].height;
    float px = fmaf (x + 0.5f, scale, -8), py = fmaf (y + 0.5f, scale, -8);

    if (l < N_LEVELS - 1) {
      *u *= 2;
      *v *= 2;
    }
    cut (&from[l], px, py, &window);
    for (int k = 0; k < MAX_STEPS; k++) {
      float sx, sy;

      get_step (&to[l], &window, px + *u, py + *v, &sx, &sy);
      *u = ref_clamp_float (*u - sx, -width, width);
      *v = ref_clamp_float (*v - sy, -height, height);
      if (fmaf (sy, sy, sx * sx) < 1e-4f)
        break;
    }
  }
}

/* Tracks a point to frame @to and back. Returns: whether it returns to its position */
static int
follow_point (const Level from[N_LEVELS], const Level to[N_LEVELS],
    RefTrack * track)
{
  float x, y, u = track->u, v = track->v, back_u, back_v, dx, dy;

  follow (from, to, track->x, track->y, &u, &v);
  x = track->x + u;
  y = track->y + v;
  if (!(x >= 0 && y >= 0 && x <= to[0].width - 1 && y <= to[0].height - 1))
    return 0;
  back_u = -u;
  back_v = -v;
  follow (to, from, x, y, &back_u, &back_v);
  dx = (x + back_u) - track->x;
  dy = (y + back_v) - track->y;
  track->old_x = track->x;
  track->old_y = track->y;
  track->x = x;
  track->y = y;
  track->u = u;
  track->v = v;
  return fmaf (dy, dy, dx * dx) <= 0.25f;
}

int
ref_tracks (const RefPlane * before, const RefPlane * now, int cell, int most,
    RefTracks * self)
{
  Level levels[2][N_LEVELS] = { {{0}} };
  int n = before != NULL ? self->n : 0;
  int ok = ref_flow_make_levels (now, N_LEVELS, levels[0])
      && (n == 0 || ref_flow_make_levels (before, N_LEVELS, levels[1]));

  self->n = 0;
  for (int i = 0; i < n && ok; i++) {
    RefTrack track = self->tracks[i];

    if (follow_point (levels[1], levels[0], &track) && self->n < most)
      self->tracks[self->n++] = track;
  }
  ok = ok && add_points (levels[0], cell, most, self);
  for (int l = 0; l < N_LEVELS; l++) {
    free (levels[0][l].data);
    free (levels[1][l].data);
  }
  return ok;
}
