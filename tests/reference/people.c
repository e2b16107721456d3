/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reference implementation of the search for people: see docs/algorithms/people.md. */
#include "people.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reciprocal.h"
#include "samples.h"

#define CELL 8
#define BINS 9
#define FEATURES (4 * BINS)     /* number of features of a block */
#define STEP 1.05               /* scale factor from one pyramid level to the next */

/* Weights of a pixel in a cell of a block of 2 x 2 cells, along one axis. They are a triangle that
 * extends to a distance of one cell on both sides, times a Gaussian of 4 pixels around the center
 * of the block. The index is [2 * half + cell][pixel of this half]. */
static const float shares[4][CELL] = {
  {0.0761260986f, 0.148682296f, 0.263780117f, 0.429218769f,
      0.56862247f, 0.613307178f, 0.606716633f, 0.545193672f},
  {0, 0, 0, 0, 0.0379081666f, 0.141532421f, 0.27578029f, 0.424039543f},
  {0.4375f, 0.302885383f, 0.165468171f, 0.0471774749f, 0, 0, 0, 0},
  {0.5625f, 0.666347861f, 0.717028737f, 0.707662106f,
      0.56862247f, 0.371989608f, 0.223198578f, 0.121649154f}
};

/* Gradient of a pixel: @here is added to histogram bin @bin, and @next to the next bin. */
typedef struct
{
  int bin;
  float here, next;
} Gradient;

/* ---- Levels ------------------------------------------------------------------ */

/* Returns: the first of the two input pixels between which sample @i of out_size is interpolated.
 * Sets @share to the weight of the second one, in units of 1/256. */
static int
find_source (int i, int in_size, int out_size, int *share)
{
  double step = 1.0 / ((double) out_size / in_size);
  double at = step * (i + 0.5) - 0.5;
  int first = (int) floor (at);

  *share = 0;
  if (first < 0)
    return 0;
  if (first >= in_size - 1)
    return in_size - 1;
  *share = (int) rint ((at - first) * 256);
  return first;
}

/* Scales the frame to a pyramid level. If has_roots is set, stores the square roots of samples
 * (gamma compression). */
static void
scale (const RefPlane * in, int has_roots, int width, int height, float *out)
{
  for (int y = 0; y < height; y++) {
    int down, y0 = find_source (y, in->height, height, &down);

    for (int x = 0; x < width; x++) {
      int right, x0 = find_source (x, in->width, width, &right);
      int x1 = x0 + (right > 0), y1 = y0 + (down > 0);
      int sum = (256 - down) * ((256 - right) * ref_get (in, x0, y0)
          + right * ref_get (in, x1, y0))
          + down * ((256 - right) * ref_get (in, x0, y1)
          + right * ref_get (in, x1, y1));
      float sample = (sum + 32768) >> 16;

      out[(size_t) y * width + x] = has_roots ? ref_root (sample) : sample;
    }
  }
}

/* Returns the index of the pixel that replaces pixel i of n. The row is mirrored at its first
 * and last pixel, which are not repeated. */
static int
reflect (int i, int n)
{
  return i < 0 ? -i : i >= n ? 2 * (n - 1) - i : i;
}

static void
find_gradient (float *const planes[3], int width, int height, int x, int y,
    Gradient * g)
{
  size_t left = (size_t) y * width + reflect (x - 1, width);
  size_t right = (size_t) y * width + reflect (x + 1, width);
  size_t up = (size_t) reflect (y - 1, height) * width + x;
  size_t down = (size_t) reflect (y + 1, height) * width + x;
  float dx = 0, dy = 0, most = 0, large, small, c, c2, t;

  /* Processes blue first, as OpenCV does: if gradients have the same length, the first one is
   * used. */
  for (int i = 2; i >= 0; i--) {
    float a = planes[i][right] - planes[i][left];
    float b = planes[i][down] - planes[i][up];
    float square = a * a + b * b;

    if (i == 2 || square > most) {
      dx = a;
      dy = b;
      most = square;
    }
  }

  /* Computes the angle of the gradient in bins of 20 degrees, from 0 to 9. */
  large = fmaxf (fabsf (dx), fabsf (dy));
  small = fminf (fabsf (dx), fabsf (dy));
  c = small * ref_reciprocal (fmaxf (large, 0x1p-10f));
  c2 = c * c;
  t = fmaf (-0.12698622f, c2, 0.44570002f);
  t = fmaf (t, c2, -0.933372319f);
  t = fmaf (t, c2, 2.86418128f);
  t = t * c;
  if (fabsf (dy) > fabsf (dx))
    t = 4.5f - t;
  if ((dx < 0) != (dy < 0))
    t = 9.0f - t;

  /* Adds 0.5, because the middle of bin b is at b + 0.5. */
  t = t + 0.5f;
  g->bin = (int) t;
  t = t - g->bin;
  most = ref_root (most);
  g->here = most * t;
  g->next = most * (1.0f - t);
  g->bin = g->bin == BINS ? 0 : g->bin;
}

/* ---- Histograms -------------------------------------------------------------- */

/* Adds the gradients of tile (@column, @row), which has 8 x 8 pixels, to the histograms of the
 * blocks to which it belongs. The index of @counts is [2 * half + cell in x][2 * half + cell in
 * y][bin]. */
static void
count_tile (const Gradient * gradients, int width, int column, int row,
    float counts[4][4][BINS])
{
  memset (counts, 0, 16 * BINS * sizeof (float));
  for (int x = 0; x < CELL; x++) {
    float sums[4][BINS] = { {0,}, };

    for (int y = 0; y < CELL; y++) {
      const Gradient *g = gradients + (size_t) (CELL * row + y) * width
          + CELL * column + x;
      int before = g->bin == 0 ? BINS - 1 : g->bin - 1;

      for (int i = 0; i < 4; i++) {
        sums[i][g->bin] = fmaf (shares[i][y], g->here, sums[i][g->bin]);
        sums[i][before] = fmaf (shares[i][y], g->next, sums[i][before]);
      }
    }
    for (int i = 0; i < 4; i++)
      for (int k = 0; k < 4; k++)
        for (int b = 0; b < BINS; b++)
          counts[i][k][b] = fmaf (shares[i][x], sums[k][b], counts[i][k][b]);
  }
}

/* Normalizes the features of a block (L2-Hys): divides them by their length, clamps them to 0.2,
 * and divides them by their length again. */
static void
normalize (float *block)
{
  float sum = 0, factor;

  for (int i = 0; i < FEATURES; i++)
    sum = fmaf (block[i], block[i], sum);
  factor = ref_reciprocal (ref_root (sum) + 3.6f);
  sum = 0;
  for (int i = 0; i < FEATURES; i++) {
    block[i] = fminf (block[i] * factor, 0.2f);
    sum = fmaf (block[i], block[i], sum);
  }
  factor = ref_reciprocal (ref_root (sum) + 1e-3f);
  for (int i = 0; i < FEATURES; i++)
    block[i] *= factor;
}

static void
make_block (float (*tiles)[4][4][BINS], int tiles_x, int column, int row,
    float *block)
{
  float (*a)[4][BINS] = tiles[(size_t) row * tiles_x + column];
  float (*b)[4][BINS] = tiles[(size_t) row * tiles_x + column + 1];
  float (*c)[4][BINS] = tiles[(size_t) (row + 1) * tiles_x + column];
  float (*d)[4][BINS] = tiles[(size_t) (row + 1) * tiles_x + column + 1];

  for (int x = 0; x < 2; x++)
    for (int y = 0; y < 2; y++)
      for (int i = 0; i < BINS; i++)
        block[(2 * x + y) * BINS + i] = (a[x][y][i] + b[2 + x][y][i])
            + (c[x][2 + y][i] + d[2 + x][2 + y][i]);
  normalize (block);
}

/* ---- Windows ------------------------------------------------------------------ */

static float
score (const float *blocks, int blocks_x, int column, int row,
    const RefPeopleWindow * window)
{
  const float *weights = window->weights;
  float sum = weights[window->rows * FEATURES * window->columns];

  for (int y = 0; y < window->rows; y++)
    for (int i = 0; i < FEATURES; i++)
      for (int x = 0; x < window->columns; x++)
        sum = fmaf (*weights++, blocks[((size_t) (row + y) * blocks_x + column
                    + x) * FEATURES + i], sum);
  return sum;
}

static int
search_level (const RefPlane rgb[3], const RefPeopleWindow * window,
    RefPeopleLevel * l)
{
  size_t n = (size_t) l->width * l->height;
  int tiles_x = l->width / CELL, tiles_y = l->height / CELL;
  int blocks_x = tiles_x - 1, blocks_y = tiles_y - 1;
  float *roots = malloc (3 * n * sizeof (float));
  float *planes[3] = { roots, roots + n, roots + 2 * n };
  Gradient *gradients = malloc (n * sizeof (Gradient));
  float (*tiles)[4][4][BINS] = malloc ((size_t) tiles_x * tiles_y
      * sizeof (*tiles));
  float *blocks = malloc ((size_t) blocks_x * blocks_y * FEATURES
      * sizeof (float));
  int ok;

  l->scores = malloc ((size_t) l->columns * l->rows * sizeof (float));
  ok = roots != NULL && gradients != NULL && tiles != NULL && blocks != NULL
      && l->scores != NULL;
  if (ok) {
    for (int i = 0; i < 3; i++)
      scale (&rgb[i], window->has_roots, l->width, l->height, planes[i]);
    for (int y = 0; y < l->height; y++)
      for (int x = 0; x < l->width; x++)
        find_gradient (planes, l->width, l->height, x, y,
            gradients + (size_t) y * l->width + x);
    for (int y = 0; y < tiles_y; y++)
      for (int x = 0; x < tiles_x; x++)
        count_tile (gradients, l->width, x, y, tiles[(size_t) y * tiles_x + x]);
    for (int y = 0; y < blocks_y; y++)
      for (int x = 0; x < blocks_x; x++)
        make_block (tiles, tiles_x, x, y, blocks + ((size_t) y * blocks_x + x)
            * FEATURES);
    for (int y = 0; y < l->rows; y++)
      for (int x = 0; x < l->columns; x++)
        l->scores[y * l->columns + x] = score (blocks, blocks_x, x, y, window);
  }
  free (blocks);
  free (tiles);
  free (gradients);
  free (roots);
  return ok;
}

int
ref_people (const RefPlane rgb[3], const RefPeopleWindow * window,
    RefPeople * people)
{
  double factor = 1;

  people->n_levels = 0;
  people->levels = calloc (window->max_levels, sizeof (RefPeopleLevel));
  if (people->levels == NULL)
    return 0;
  for (int i = 0; i < window->max_levels; i++, factor *= STEP) {
    RefPeopleLevel *l = people->levels + i;

    l->scale = factor;
    l->width = (int) rint (rgb[0].width / factor);
    l->height = (int) rint (rgb[0].height / factor);
    l->columns = l->width / CELL - window->columns;
    l->rows = l->height / CELL - window->rows;
    if (l->columns < 1 || l->rows < 1)
      break;
    people->n_levels++;
    if (!search_level (rgb, window, l)) {
      ref_people_clear (people);
      return 0;
    }
  }
  return 1;
}

void
ref_people_clear (RefPeople * people)
{
  for (int i = 0; i < people->n_levels; i++)
    free (people->levels[i].scores);
  free (people->levels);
  people->levels = NULL;
  people->n_levels = 0;
}
