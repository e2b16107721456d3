/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Defines the local threshold. */
#include "threshold.h"

#include <stdlib.h>

#include "samples.h"

#define N_LEVELS 6

/* Tiles of a pyramid level; means are in units of 1/16 */
typedef struct
{
  int columns, rows;
  int *least, *most, *mean, *threshold;
} Level;

static int
limit (int i, int n)
{
  return i < 0 ? 0 : i < n ? i : n - 1;
}

RefGray
ref_gray (const RefPlane * plane)
{
  RefGray grey = { plane->width, plane->height, NULL };
  int shift = 0;

  while (plane->max >> shift > 255)
    shift++;
  grey.data = malloc ((size_t) grey.width * grey.height);
  for (int y = 0; y < grey.height; y++)
    for (int x = 0; x < grey.width; x++)
      grey.data[(size_t) y * grey.width + x] = ref_get (plane, x, y) >> shift;
  return grey;
}

static int
get (const RefGray * grey, int x, int y)
{
  return grey->data[(size_t) limit (y, grey->height) * grey->width
      + limit (x, grey->width)];
}

RefGray
ref_halve (const RefGray * in)
{
  RefGray out = { in->width > 1 ? in->width / 2 : 1,
    in->height > 1 ? in->height / 2 : 1, NULL
  };

  out.data = malloc ((size_t) out.width * out.height);
  for (int y = 0; y < out.height; y++)
    for (int x = 0; x < out.width; x++)
      out.data[(size_t) y * out.width + x] = (get (in, 2 * x, 2 * y)
          + get (in, 2 * x + 1, 2 * y) + get (in, 2 * x, 2 * y + 1)
          + get (in, 2 * x + 1, 2 * y + 1) + 2) >> 2;
  return out;
}

static void
level_init (Level * level, int columns, int rows)
{
  size_t n = (size_t) columns * rows;

  level->columns = columns;
  level->rows = rows;
  level->least = malloc (n * sizeof (int));
  level->most = malloc (n * sizeof (int));
  level->mean = malloc (n * sizeof (int));
  level->threshold = malloc (n * sizeof (int));
}

static void
level_clear (Level * level)
{
  free (level->least);
  free (level->most);
  free (level->mean);
  free (level->threshold);
}

/* Adds the values of one tile or pixel to the values of a larger tile. */
static void
join (Level * level, size_t i, int is_first, int least, int most, int mean)
{
  if (is_first || least < level->least[i])
    level->least[i] = least;
  if (is_first || most > level->most[i])
    level->most[i] = most;
  level->mean[i] = is_first ? mean : level->mean[i] + mean;
}

static void
scan_pixels (const RefGray * in, int tile, Level * level)
{
  for (int y = 0; y < level->rows; y++)
    for (int x = 0; x < level->columns; x++) {
      size_t i = (size_t) y * level->columns + x;

      for (int k = 0; k < tile * tile; k++) {
        int v = get (in, tile * x + k % tile, tile * y + k / tile);

        join (level, i, k == 0, v, v, v);
      }
      level->mean[i] = 16 * level->mean[i] / (tile * tile);
    }
}

static void
scan_level (const Level * finer, Level * level)
{
  for (int y = 0; y < level->rows; y++)
    for (int x = 0; x < level->columns; x++) {
      size_t i = (size_t) y * level->columns + x;

      for (int k = 0; k < 4; k++) {
        size_t j = (size_t) limit (2 * y + k / 2, finer->rows) * finer->columns
            + limit (2 * x + k % 2, finer->columns);

        join (level, i, k == 0, finer->least[j], finer->most[j],
            finer->mean[j]);
      }
      level->mean[i] /= 4;
    }
}

/* Finds the thresholds of a pyramid level. @coarser: NULL for the last level */
static void
find_thresholds (Level * level, const Level * coarser, int is_mean,
    int contrast)
{
  for (int y = 0; y < level->rows; y++)
    for (int x = 0; x < level->columns; x++) {
      size_t i = (size_t) y * level->columns + x;
      int least = 255, most = 0, sum = 0, own;

      for (int k = 0; k < 9; k++) {
        size_t j = (size_t) limit (y + k / 3 - 1, level->rows) * level->columns
            + limit (x + k % 3 - 1, level->columns);

        least = level->least[j] < least ? level->least[j] : least;
        most = level->most[j] > most ? level->most[j] : most;
        sum += level->mean[j];
      }
      own = is_mean ? sum / (9 * 16) : least + (most - least) / 2;
      level->threshold[i] = coarser != NULL && most - least < contrast
          ? coarser->threshold[(size_t) (y / 2) * coarser->columns + x / 2]
          : own;
    }
}

void
ref_threshold (const RefGray * in, int tile, int is_mean, int contrast,
    uint8_t * thresholds, uint8_t * bits)
{
  Level levels[N_LEVELS];

  level_init (&levels[0], (in->width + tile - 1) / tile,
      (in->height + tile - 1) / tile);
  scan_pixels (in, tile, &levels[0]);
  for (int l = 1; l < N_LEVELS; l++) {
    level_init (&levels[l], (levels[l - 1].columns + 1) / 2,
        (levels[l - 1].rows + 1) / 2);
    scan_level (&levels[l - 1], &levels[l]);
  }
  for (int l = N_LEVELS - 1; l >= 0; l--)
    find_thresholds (&levels[l], l < N_LEVELS - 1 ? &levels[l + 1] : NULL,
        is_mean, contrast);
  for (int i = 0; i < levels[0].columns * levels[0].rows; i++)
    thresholds[i] = levels[0].threshold[i];
  for (int y = 0; y < in->height; y++)
    for (int x = 0; x < in->width; x++)
      bits[(size_t) y * in->width + x] = get (in, x, y)
          > levels[0].threshold[y / tile * levels[0].columns + x / tile];
  for (int l = 0; l < N_LEVELS; l++)
    level_clear (&levels[l]);
}
